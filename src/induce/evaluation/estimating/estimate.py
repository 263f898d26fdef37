"""Error estimates with intervals by cross-validation, hold-out or on given rows."""

from __future__ import annotations

import time as clock
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.estimator import output_names
from induce.core.notes import note
from induce.core.randomness import RandomState
from induce.evaluation.estimating.baseline import baseline
from induce.evaluation.estimating.evidence import AUTO, interval_by
from induce.evaluation.estimating.fits import Also, fit_and_predict
from induce.evaluation.estimating.kinds import (
    CLASSES,
    DENSITY,
    NUMBERS,
    actual_values,
    kind_of,
    predicts_several,
    remarks_on_densities,
)
from induce.evaluation.estimating.nested import NESTED, nested_interval
from induce.evaluation.estimating.numeric import RegressionEstimate
from induce.evaluation.estimating.results import ClassificationEstimate, Estimate
from induce.evaluation.estimating.scores import RowScoring, scoring_of
from induce.evaluation.estimating.splits import plan
from induce.evaluation.experience.estimates import Acting, by_acting, evaluate_acting, refuse_acting
from induce.evaluation.fixed_hypothesis import given
from induce.statistics.intervals import Sides, check_confidence

__all__ = ["Estimate", "evaluate"]

_ESTIMATES = {CLASSES: ClassificationEstimate, NUMBERS: RegressionEstimate, DENSITY: Estimate}


def evaluate(
    learner: Any,
    X: Any,
    y: Any = None,
    cv: Any = 10,
    *,
    score: Any = None,
    repeats: int = 1,
    groups: Any = None,
    time: Any = None,
    confidence: float = 0.95,
    interval: str = AUTO,
    sides: Sides = "two",
    test_size: float | None = None,
    stratify: bool = True,
    train: bool = False,
    probabilities: bool = False,
    episodes: int | None = None,
    runs: int | None = None,
    discount: float | None = None,
    max_steps: int | None = None,
    opponent: Any = None,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> Any:  # the learner determines the type of the estimate
    """Estimate the error of a classifier or a regressor with an interval (Mitchell, chapter 5).

    For a density estimator it estimates the mean log-likelihood of held-out rows; for a policy or a reinforcement
    learner, the return; for a game player, the win rate.

    The learner is not modified: copies of it are fitted.

    Parameters
    ----------
    learner : estimator
        Any scikit-learn classifier, regressor or density estimator, or a pipeline ending in one. If it has a method
        ``leave_one_out_predict(X, y)``, which returns the prediction for each row after training on all others, that
        method replaces one fit per row. Alternatively a policy, a function of the state, ``"random"``, a game player,
        or a reinforcement learner. A hypothesis is evaluated directly, with `cv` None.
    X : frame or array
        A table of pandas, polars or pyarrow, or an array. For policies and reinforcement learners, the environment:
        an `MDP`, one of gymnasium, a game, or a name.
    y : series, array or list, optional
        Target value of each row; none may be missing. Omit it for density estimators. Several numeric columns are for
        multi-output learners; the loss of a row is then its mean over the outputs.
    cv : int, "loo", splitter, iterable of (train, test) or None
        Number of folds, leave-one-out, a scikit-learn splitter, the rows of each split, or None to score the fitted
        learner on `X`.
    score : str, callable or LossTable, optional
        Loss of each row: ``"zero-one"`` (default for classification), ``"absolute"`` (default for regression),
        ``"squared"``, ``"log"``, ``"brier"``, a loss table, or a function of the true and the predicted values that
        returns a loss for each. Or a scikit-learn scorer or its name, such as ``"roc_auc"``, which gives a score per
        fold. Density estimators support only the log-likelihood.
    repeats : int
        Number of repetitions with new folds or a new hold-out.
    groups : array, optional
        Group of each row; rows of the same group are never split between training and testing. Without groups,
        duplicate rows are kept together.
    time : array, optional
        Time of each row: every split trains on earlier rows and tests on the next ones.
    confidence : float
        Confidence level of the interval.
    interval : {"auto", "cautious", "nested", "normal", "wilson", "clopper-pearson", "t", "bootstrap"}
        Method of the interval. For a hold-out or given rows, the default is exact (Clopper and Pearson) for
        an error rate, Student's t over the rows for other losses, and the bootstrap for a single score of all
        rows. If folds share training rows, the default is the cautious one: the same with twice the variance,
        and for scores Student's t over the folds with their overlap counted twice. It covers the error of the
        hypothesis trained on all rows. So does ``"nested"`` (Bates, Hastie and Tibshirani), which needs 45
        additional fits for ten folds and many repetitions.
    sides : {"two", "lower", "upper"}
        Two-sided interval, or only the lower or upper bound.
    test_size : float or int, optional
        Fraction or number of rows (or of groups) to hold out for a single test, instead of `cv`.
    stratify : bool
        Whether to preserve the class proportions in every fold if each class has enough rows.
    train : bool
        Whether to evaluate the training rows as well; their error is too optimistic.
    probabilities : bool
        Whether to store the class probabilities of each test row, if the learner predicts them.
    episodes : int, optional
        Number of episodes or games, 1000 by default. A learned policy is evaluated exactly if the model is known,
        unless this is given.
    runs : int, optional
        Number of independent runs of a reinforcement learner, 10 by default; the interval is over the runs.
    discount : float, optional
        Discount factor of the return; that of the policy by default.
    max_steps : int, optional
        Maximum number of steps of an episode.
    opponent : player or name, optional
        Opponent of a player: another player, ``"random"`` (the default), ``"material"`` in checkers or ``"perfect"``
        in tic-tac-toe.
    n_jobs : int, optional
        Number of folds or runs processed in parallel; it does not affect the result.
    random_state : int, Generator or None
        Random seed of the shuffling; for policies, of the environment.

    Returns
    -------
    ClassificationEstimate, RegressionEstimate, Estimate of a density, or ReturnEstimate
        The assumptions of an interval can hold only for a hold-out or given rows. An interval from
        cross-validation is labelled approximate, because the folds share training rows; rows tested
        repeatedly count once.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> print(evaluate(tree, X, y, test_size=50))
    error 0.04, 95% interval [0.00, 0.14] (hold-out, 50 rows)
    >>> print(evaluate(tree, X, y, repeats=5, score="f1_macro"))
    f1_macro 0.94, approximate 95% interval [0.88, 1.00] (5 times 10-fold cross-validation, 150 rows)

    >>> import induce
    >>> policy = induce.DynamicProgramming(1.0).learn("frozen-lake").hypothesis_
    >>> print(evaluate(policy, "frozen-lake", episodes=200))
    return 0.81, approximate 95% interval [0.76, 0.87] (200 episodes); exactly 0.82
    >>> print(evaluate(induce.environments.MaterialPlayer(), "checkers", episodes=20))
    win rate 0.55, approximate 95% interval [0.34, 0.74] (20 games)
    """
    if by_acting(learner):
        if y is not None:
            raise InputError("a policy is evaluated in an environment without a target; leave y out")
        return evaluate_acting(
            learner,
            Acting(X, episodes, discount, max_steps, opponent),
            runs=runs,
            confidence=confidence,
            n_jobs=n_jobs,
            random_state=random_state,
        )
    learner = given(learner)
    refuse_acting(episodes=episodes, runs=runs, discount=discount, max_steps=max_steps, opponent=opponent)
    started = clock.perf_counter()
    kind = kind_of(learner, y is not None)
    check_confidence(confidence)
    name = type(learner).__name__
    actual = actual_values(kind, X, y, name, kind == NUMBERS and predicts_several(learner))
    for remark in remarks_on_densities({name: learner}):
        note(remark)
    scoring = scoring_of(score, learner, actual, kind)
    made = plan(
        X,
        actual if actual.ndim == 1 else actual[:, 0],
        cv,
        repeats=repeats,
        groups=groups,
        time=time,
        test_size=test_size,
        stratify=stratify and kind == CLASSES,
        random_state=random_state,
    )
    alone = len(made.splits) == 1 and not isinstance(scoring, RowScoring)
    also: Also | None = scoring.also
    shares: list[NDArray[np.float64]] | None = None
    if probabilities and kind == CLASSES and hasattr(learner, "predict_proba"):
        also, shares = _with_probabilities(scoring.also, np.unique(actual)), []
    tested = fit_and_predict(
        learner, X, y, made.splits, n_jobs=n_jobs, keep=alone, train_too=train, also=also
    )
    if shares is not None:
        shares = [fold.also[1] for fold in tested]
        tested = [
            replace(fold, also=fold.also[0], train_also=fold.train_also and fold.train_also[0])
            for fold in tested
        ]
    if isinstance(scoring, RowScoring):
        outcome = scoring.outcome(made, tested, actual)
    else:
        outcome = scoring.outcome(made, tested, X, y, random_state)
    if interval == NESTED:
        found = nested_interval(
            learner, X, y, actual, made, scoring, tested, confidence=confidence, sides=sides, n_jobs=n_jobs
        )
    else:
        found = interval_by(outcome.evidence, scoring.name, interval, confidence, sides)
    rows = np.concatenate([fold.test for fold in tested])
    order = np.argsort(rows, kind="stable")
    told: dict[str, Any] = {"outputs": output_names(y, actual.shape[1])} if actual.ndim == 2 else {}
    return _ESTIMATES[kind](
        measure=scoring.name,
        value=outcome.evidence.value,
        higher=scoring.higher,
        n=np.unique(rows).size,
        interval=found,
        method=made.method,
        fold_values=outcome.fold_values,
        train_value=outcome.train_value,
        seconds=clock.perf_counter() - started,
        fit_seconds=sum(fold.fit_seconds for fold in tested),
        predicted=np.concatenate([fold.predicted for fold in tested])[order],
        actual=actual[rows[order]],
        rows=rows[order],
        evidence=outcome.evidence,
        baseline=baseline(X, y, actual, made, scoring, kind),
        probabilities=None if shares is None else np.concatenate(shares)[order],
        **told,
    )


def _with_probabilities(also: Also | None, classes: NDArray[Any]) -> Also:
    """Return a function that computes the class probabilities in addition to the score; unseen classes get 0."""

    def both(fitted: Any, X: Any, y: Any) -> tuple[Any, NDArray[np.float64]]:
        found = np.asarray(fitted.predict_proba(X), dtype=np.float64)
        known = np.asarray(fitted.classes_)
        shares = np.zeros((len(found), len(classes)))
        there = np.isin(known, classes)
        shares[:, np.searchsorted(classes, known[there])] = found[:, there]
        return None if also is None else also(fitted, X, y), shares

    return both
