"""Evaluation of several learners on the same splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core import engines, parallel
from induce.core.errors import InputError
from induce.core.notes import notes_of
from induce.core.progress import progress, report
from induce.evaluation.estimating.evidence import Evidence
from induce.evaluation.estimating.fits import Tested, fit_and_predict
from induce.evaluation.estimating.kinds import SAYS, kind_of
from induce.evaluation.estimating.limits import within
from induce.evaluation.estimating.scores import FoldScoring, RowScoring, scoring_of
from induce.evaluation.estimating.splits import Plan, Split
from induce.hypotheses.naming import value_text

Floats = NDArray[np.float64]
Learners = Mapping[str, Any] | Iterable[Any]
Scoring = RowScoring | FoldScoring


@dataclass(frozen=True, eq=False)
class Trial:
    """Results of one learner on the splits of a plan.

    Parameters
    ----------
    scores : array of float64
        Mean loss or score of each split.
    losses : array of float64 or None
        Loss of each test row, split by split; None for a score computed on all rows at once.
    seconds : float
        Mean time per fit.
    evidence : Evidence or None
        Data from which an interval is computed.
    """

    scores: Floats
    losses: Floats | None
    seconds: float = 0.0
    evidence: Evidence | None = None


def by_name(learners: Learners, least: int = 2, *, checked: bool = True) -> dict[str, Any]:
    """Return learners by name: the given names, or those of their classes, numbered if repeated.

    Examples
    --------
    >>> import induce
    >>> list(by_name([induce.ID3(), induce.C45(), induce.ID3(max_depth=2)]))
    ['ID3 1', 'C45', 'ID3 2']
    """
    if isinstance(learners, Mapping):
        named = {str(name): learner for name, learner in learners.items()}
    elif hasattr(learners, "fit") or not isinstance(learners, Iterable) or isinstance(learners, str):
        raise TypeError(
            f"learners must be a dict from names to learners or a list of learners, not {learners!r}"
        )
    else:
        given = list(learners)
        classes = [type(learner).__name__ for learner in given]
        often, seen = Counter(classes), Counter[str]()
        named = {}
        for name, learner in zip(classes, given, strict=True):
            seen[name] += 1
            named[f"{name} {seen[name]}" if often[name] > 1 else name] = learner
    if len(named) < least:
        found = f"only {next(iter(named))}" if named else "nobody"
        raise InputError(f"learners has {found}; give at least {least} to compare")
    for learner in named.values() if checked else ():
        kind_of(learner)
    return named


def common_kind(learners: Mapping[str, Any], has_target: bool = True) -> str:
    """Return the common prediction type of learners: classes, numbers or densities; mixed types raise an error."""
    one, *others = learners
    kind = kind_of(learners[one], has_target)
    for other in others:
        another = kind_of(learners[other], has_target)
        if another != kind:
            raise InputError(
                f"{one} {SAYS[kind]} and {other} {SAYS[another]}; compare learners of one kind only"
            )
    return kind


def check_classes(actual: NDArray[Any], splits: Sequence[Split]) -> None:
    """Raise an error if the target, or the training rows of a split, have only one class."""
    if len(np.unique(actual)) == 1:
        raise InputError(f"y has only one class, {value_text(actual[0])}; give rows of two or more classes")
    for k, (train, _) in enumerate(splits, start=1):
        if train is not None and (actual[train] == actual[train[0]]).all():
            raise InputError(
                f"fold {k} of {len(splits)} has only training rows of the class "
                f"{value_text(actual[train[0]])}; give fewer folds, or stratify"
            )


def scorings_of(
    learners: Mapping[str, Any], score: Any, actual: NDArray[Any], kind: str
) -> dict[str, Scoring]:
    """Return the scoring that the `score` parameter specifies for each learner."""
    return {name: scoring_of(score, learner, actual, kind) for name, learner in learners.items()}


def run_trials(
    learners: Mapping[str, Any],
    X: Any,
    y: Any,
    actual: NDArray[Any],
    plan: Plan,
    scorings: Mapping[str, Scoring],
    *,
    n_jobs: int | None = None,
    fit_limit: float | None = None,
    failures: dict[str, str] | None = None,
) -> dict[str, Trial]:
    """Fit and test every learner on every split.

    Parameters
    ----------
    learners : dict
    X, y : frame or array, series or array
        `y` is None for learners without a target.
    actual : array
        Validated targets.
    plan : Plan
    scorings : dict
        Scoring of each learner by name.
    n_jobs : int, optional
        Number of parallel fits.
    fit_limit : float, optional
        Maximum seconds for fitting and testing on one split.
    failures : dict, optional
        Receives the name of each learner that fails, with the reason; if omitted, the first failure is raised.

    Returns
    -------
    dict
        Trials by name, without the learners that failed.
    """
    failed: dict[str, str] = {} if failures is None else failures
    finished = count(1)
    work = [(name, part) for name in learners for part in _parts(learners[name], plan, scorings[name])]

    do = partial(
        _tested_or_failed, learners=learners, X=X, y=y, plan=plan, scorings=scorings, limit=fit_limit
    )

    def one(item: tuple[str, slice]) -> list[Tested] | _Failure:
        name = item[0]
        found = [] if name in failed else do(item)
        if isinstance(found, _Failure):
            if failures is None:
                raise found.error(name)
            failed.setdefault(name, found.reason)
        report(next(finished) / len(work))
        return found

    done = engines.each(do, work, report) if engines.chosen() else parallel.run(one, work, n_jobs)
    tested: dict[str, list[Tested]] = {name: [] for name in learners}
    for (name, _), some in zip(work, done, strict=True):
        if not isinstance(some, _Failure):
            tested[name] += some
        elif failures is None:
            raise some.error(name)
        else:
            failed.setdefault(name, some.reason)
    trials: dict[str, Trial] = {}
    for name in learners:
        try:
            if name not in failed:
                trials[name] = _trial(tested[name], X, y, actual, plan, scorings[name])
        except InputError as problem:
            if failures is None:
                raise InputError(f"{name} failed: {problem}") from problem
            failed[name] = str(problem)
    return trials


@dataclass(frozen=True, eq=False)
class _Failure:
    """Reason why a learner failed on some splits.

    It is returned rather than raised, so that it survives worker processes.
    """

    reason: str
    problem: Exception

    def error(self, name: str) -> InputError:
        """Return the error that aborts a comparison."""
        found = InputError(f"{name} failed {self.reason}")
        found.__cause__ = self.problem
        return found


def _tested_or_failed(
    item: tuple[str, slice],
    learners: Mapping[str, Any],
    X: Any,
    y: Any,
    plan: Plan,
    scorings: Mapping[str, Scoring],
    limit: float | None,
) -> list[Tested] | _Failure:
    """Fit and test one learner on some splits, in this process or in a worker."""
    name, part = item
    task = partial(fit_and_predict, learners[name], X, y, plan.splits[part], also=scorings[name].also)
    try:
        with progress(unheard), notes_of(name):
            return within(limit, learners[name], task)
    except (InputError, TimeoutError) as problem:
        return _Failure(_reason(problem, part, len(plan.splits)), problem)


def _parts(learner: Any, plan: Plan, scoring: Scoring) -> list[slice]:
    """Return the batches of splits; a single batch if the learner supports fast leave-one-out."""
    n = len(plan.splits)
    if plan.method == "leave-one-out" and scoring.also is None and hasattr(learner, "leave_one_out_predict"):
        return [slice(0, n)]
    return [slice(k, k + 1) for k in range(n)]


def _reason(problem: Exception, part: slice, n_splits: int) -> str:
    where = f"in fold {part.start + 1} of {n_splits}" if n_splits > 1 else "on the test rows"
    cause = problem.__cause__ or problem
    kind = "" if isinstance(cause, ValueError | TimeoutError) else f"{type(cause).__name__}: "
    return f"{where}: {kind}{' '.join(str(cause).split())}"


def _trial(tested: list[Tested], X: Any, y: Any, actual: NDArray[Any], plan: Plan, scoring: Scoring) -> Trial:
    seconds = float(np.mean([fold.fit_seconds for fold in tested]))
    if isinstance(scoring, FoldScoring):
        if len(tested) == 1:
            return Trial(np.array([float(tested[0].also)]), None, seconds)
        outcome = scoring.outcome(plan, tested, X, y, 0)
        return Trial(np.array(outcome.fold_values), None, seconds, outcome.evidence)
    outcome = scoring.outcome(plan, tested, actual)
    losses = [
        scoring.losses(actual[fold.test], fold.predicted if scoring.also is None else fold.also)
        for fold in tested
    ]
    return Trial(np.array(outcome.fold_values), np.concatenate(losses), seconds, outcome.evidence)


def unheard(share: float) -> None:
    """Ignore progress reports: the progress of one fit is not the overall progress."""
