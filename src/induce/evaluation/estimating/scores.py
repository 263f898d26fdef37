"""Scores of every split and the resulting evidence."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context

from induce.core.errors import InputError
from induce.core.estimator import rows_at
from induce.core.randomness import RandomState, generator
from induce.core.values import plain
from induce.evaluation.estimating.evidence import Evidence, FoldScores, OneScore, RowLosses, Trust, by_row
from induce.evaluation.estimating.fits import Also, Tested
from induce.evaluation.estimating.kinds import DENSITY, NUMBERS
from induce.evaluation.estimating.splits import Plan
from induce.evaluation.losses.measure import Measure, measure_of
from induce.evaluation.losses.rows import ABSOLUTE, SQUARED, ZERO_ONE, row_losses
from induce.evaluation.losses.table import LossTable
from induce.statistics.intervals import variance_over_folds

Floats = NDArray[np.float64]

LOG, BRIER = "log", "brier"
LIKELIHOOD = "mean log-likelihood"
RESAMPLES = 400
"""Number of bootstrap samples of one score; each takes milliseconds."""

_NAMES = {ABSOLUTE: "mean absolute error", SQUARED: "mean squared error"}
_UNIT = (
    "accuracy",
    "average_precision",
    "balanced_accuracy",
    "f1",
    "jaccard",
    "precision",
    "recall",
    "roc_auc",
    "top_k_accuracy",
)


@dataclass(frozen=True, eq=False)
class Outcome:
    """Results of all splits together.

    Parameters
    ----------
    evidence : Evidence
    fold_values : tuple of float
        Mean loss or score of each split.
    train_value : float or None
        Mean over the splits of the training loss or score.
    """

    evidence: Evidence
    fold_values: tuple[float, ...]
    train_value: float | None


@dataclass(frozen=True, eq=False)
class RowScoring:
    """A loss per row, or a log density, from the predictions or from the results of `also`.

    Parameters
    ----------
    name : str
        Name of the mean loss.
    losses : callable
        Function that returns the loss of each row from the true and the predicted values.
    also : callable or None
        Function whose results are used for the losses instead of the predictions, such as probabilities.
    proportion : bool
        Whether a loss counts an error.
    lowest : float
        Minimum possible loss.
    higher : bool
        Whether higher is better: false for a loss, true for a log density.
    advice : str
        Remedy for a loss that is not finite.
    """

    name: str
    losses: Callable[[NDArray[Any], Any], Floats]
    also: Also | None = None
    proportion: bool = False
    lowest: float = -math.inf
    higher: bool = False
    advice: str = "check the predictions there"

    def outcome(self, plan: Plan, tested: Sequence[Tested], actual: NDArray[Any]) -> Outcome:
        """Return the evidence of all rows; a row tested repeatedly counts once, with its mean loss."""
        folds = [
            self._checked(actual, fold.test, fold.predicted if self.also is None else fold.also)
            for fold in tested
        ]
        rows = np.concatenate([fold.test for fold in tested])
        losses = by_row(rows, np.concatenate(folds))
        train = [
            self._checked(
                actual, fold.train, fold.train_predicted if self.also is None else fold.train_also
            ).mean()
            for fold in tested
            if fold.train is not None and fold.train_predicted is not None
        ]
        by_fold = tuple(float(fold.mean()) for fold in folds)
        over_folds = variance_over_folds(by_fold, plan.test_share) if plan.shared else 0.0
        trust = Trust(plan.caveat, plan.exact, plan.shared)
        return Outcome(
            RowLosses(losses, self.proportion, self.lowest, trust, over_folds),
            by_fold,
            float(np.mean(train)) if train else None,
        )

    def _checked(self, actual: NDArray[Any], rows: NDArray[np.intp], said: Any) -> Floats:
        losses = self.losses(actual[rows], said)
        odd = np.flatnonzero(~np.isfinite(losses))
        if odd.size:
            raise InputError(f"the {self.name} is {losses[odd[0]]} for row {rows[odd[0]]}; {self.advice}")
        return losses


@dataclass(frozen=True, eq=False)
class FoldScoring:
    """A score of a fitted learner on the rows of a split.

    Parameters
    ----------
    name : str
    score : callable
        Function of the fitted learner, rows and their targets.
    higher : bool
        Whether higher is better.
    recallable : bool
        Whether the score depends only on the predictions of the learner.
    bounds : (float, float)
    """

    name: str
    score: Callable[[Any, Any, Any], float]
    higher: bool
    recallable: bool
    bounds: tuple[float, float]

    def also(self, fitted: Any, X: Any, y: Any) -> float:
        """Return the score of a split; raise an error if the learner lacks the required method."""
        try:
            found = self.score(fitted, X, y)
        except AttributeError as problem:
            raise InputError(
                f"the {self.name} needs a method that this learner lacks: {problem}"
            ) from problem
        if not np.isscalar(found) or not isinstance(found, int | float | np.number):
            raise InputError(f"the {self.name} must be one number per fold, not {found!r}")
        if not math.isfinite(found):
            classes = np.unique(np.asarray(y)).size
            why = "; its test rows have only one class" if classes == 1 else ""
            raise InputError(f"the {self.name} is {found}{why}; give fewer folds or another score")
        return float(found)

    def outcome(
        self, plan: Plan, tested: Sequence[Tested], X: Any, y: Any, random_state: RandomState
    ) -> Outcome:
        """Return the evidence of the folds, or of the rows if there is only one split."""
        values = np.array([fold.also for fold in tested])
        train = [fold.train_also for fold in tested if fold.train_also is not None]
        trust = Trust(plan.caveat, plan.exact, plan.shared)
        evidence: Evidence
        if len(values) > 1:
            evidence = FoldScores(values, plan.test_share, self.bounds, trust)
        else:
            (only,) = tested
            resampled = self._resampled(only, X, y, generator(random_state))
            evidence = OneScore(float(values[0]), len(only.test), resampled, trust)
        return Outcome(evidence, tuple(values.tolist()), float(np.mean(train)) if train else None)

    def _resampled(self, only: Tested, X: Any, y: Any, random: np.random.Generator) -> Floats:
        """Return scores of bootstrap samples of the test rows, reusing predictions if possible."""
        n = len(only.test)
        rows, classes = rows_at(X, only.test), rows_at(y, only.test)
        learner = Recalled(only.learner, rows) if self.recallable else only.learner

        def again(chosen: NDArray[np.intp]) -> float:
            asked = chosen if self.recallable else rows_at(rows, chosen)
            try:
                return float(self.score(learner, asked, rows_at(classes, chosen)))
            except ValueError:  # a bootstrap sample may lack a class that the score needs
                return math.nan

        with config_context(assume_finite=True, skip_parameter_validation=True):  # validating once suffices
            scores = np.array([again(random.integers(n, size=n)) for _ in range(RESAMPLES)])
        return np.asarray(scores[np.isfinite(scores)])


class Recalled:
    """A fitted learner with cached predictions for rows given by their numbers.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0], [1]], ["a", "b"])
    >>> Recalled(tree, [[0], [1]]).predict(np.array([1, 1, 0]))
    array(['b', 'b', 'a'], dtype='<U1')
    """

    def __init__(self, fitted: Any, X: Any) -> None:
        self._fitted, self._X = fitted, X
        self._said: dict[str, NDArray[Any]] = {}

    def __getattr__(self, name: str) -> Any:
        """Delegate all other attributes to the learner; missing methods remain missing."""
        if name.startswith("_") and not name.startswith("__sklearn"):
            raise AttributeError(name)
        found = getattr(self._fitted, name)
        if name not in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
            return found

        def recall(rows: NDArray[np.intp]) -> NDArray[Any]:
            if name not in self._said:
                self._said[name] = np.asarray(found(self._X))
            return self._said[name][rows]

        recall.__name__ = name
        return recall


def scoring_of(score: Any, learner: Any, actual: NDArray[Any], kind: str) -> RowScoring | FoldScoring:
    """Return the scoring that a `score` parameter specifies.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> scoring_of("log", DecisionTreeClassifier(), np.array(["a", "b"]), "classes").name
    'log loss'
    """
    if kind == DENSITY:
        return _of_densities(score, learner)
    if isinstance(score, str) and score in (LOG, BRIER):
        return _of_probabilities(score, learner, actual)
    if hasattr(score, "of") and not isinstance(score, LossTable):
        score = score.of
    measure = measure_of(score, kind == NUMBERS)
    if measure.scorer is not None:
        recallable = isinstance(score, str) or hasattr(score, "_score_func")
        unit = isinstance(score, str) and score.startswith(_UNIT)
        bounds = (0.0, 1.0) if unit else (-math.inf, math.inf)
        name = score if isinstance(score, str) and measure.higher else measure.name
        return FoldScoring(name, measure.scorer, measure.higher, recallable, bounds)
    return RowScoring(
        _NAMES.get(str(measure.loss), measure.name),
        lambda true, said: _losses(measure, true, said),
        proportion=measure.loss == ZERO_ONE,
        lowest=_lowest(measure),
    )


def _of_densities(score: Any, learner: Any) -> RowScoring:
    """Return the log density of each held-out row; higher is better."""
    if score is not None:
        raise InputError(
            f"{type(learner).__name__} learns without a target and is scored by its {LIKELIHOOD}; leave out score"
        )
    return RowScoring(
        LIKELIHOOD,
        lambda true, said: np.asarray(said, dtype=np.float64),
        higher=True,
        advice="its density there is not finite, so smooth it or leave the row out",
    )


def _losses(measure: Measure, actual: NDArray[Any], predicted: NDArray[Any]) -> Floats:
    if measure.loss == ZERO_ONE and _is_text(actual) != _is_text(predicted):
        raise InputError(
            f"{plain(predicted[0])!r} is predicted where y has {plain(actual[0])!r}; use the classes "
            "that were learned"
        )
    assert measure.loss is not None
    if actual.ndim == 2:  # several outputs: the mean over them
        if predicted.shape != actual.shape:
            raise InputError(f"y has the shape {actual.shape}, but {predicted.shape} is predicted")
        each = [
            row_losses(measure.loss, true, said) for true, said in zip(actual.T, predicted.T, strict=True)
        ]
        return np.asarray(np.mean(each, axis=0))
    return row_losses(measure.loss, actual, predicted)


def _is_text(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "UT" or (values.dtype == object and isinstance(values[0], str))


def _lowest(measure: Measure) -> float:
    if isinstance(measure.loss, str):
        return 0.0
    if isinstance(measure.loss, LossTable):
        return min(0.0, *(min(row) for row in measure.loss.losses), measure.loss.reject_loss) or 0.0
    return -math.inf


def _of_probabilities(score: str, learner: Any, actual: NDArray[Any]) -> RowScoring:
    name = "log loss" if score == LOG else "Brier score"
    if not hasattr(learner, "predict_proba"):
        raise InputError(
            f"the {name} needs probabilities, and {type(learner).__name__} has no predict_proba; give another score"
        )
    classes = np.unique(actual)

    def losses(fitted: Any, X: Any, y: Any) -> Floats:
        true, known = np.asarray(y), np.asarray(fitted.classes_)
        chances = np.asarray(fitted.predict_proba(X), dtype=np.float64)
        hits = (
            true[:, np.newaxis] == known
        )  # a class that is absent from the training rows cannot be predicted
        chance = np.where(hits, chances, 0.0).sum(axis=1)
        if score == LOG:
            return np.asarray(-np.log(np.clip(chance, np.finfo(np.float64).eps, 1.0)))
        squares = (chances**2).sum(axis=1) - chance**2 + (1 - chance) ** 2
        # two classes: one probability determines the other, and the usual score counts it once
        return np.asarray(squares / (2 if np.union1d(classes, known).size <= 2 else 1))

    return RowScoring(name, lambda true, said: said, losses, lowest=0.0)
