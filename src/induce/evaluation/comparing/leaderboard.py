"""Leaderboard of all learners that suit a table: score, interval, training time and size."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from induce.core import parallel
from induce.core.checks import one_of, share
from induce.core.errors import InputError
from induce.core.folds import hold_out
from induce.core.interrupts import whole_fits
from induce.core.notes import notes_of
from induce.core.progress import progress
from induce.core.randomness import RandomState
from induce.core.ties import ranked
from induce.data.schema import Schema
from induce.evaluation.comparing.advice import suited
from induce.evaluation.comparing.applicable import applicable, holds_numbers
from induce.evaluation.comparing.leaderboard_report import Leaderboard, Line
from induce.evaluation.comparing.significance import CAUTIOUS, check_test, judge, remarks_on
from induce.evaluation.comparing.trials import (
    Learners,
    Scoring,
    Trial,
    by_name,
    check_classes,
    common_kind,
    run_trials,
    unheard,
)
from induce.evaluation.estimating.evidence import AUTO, interval_by
from induce.evaluation.estimating.fits import taken
from induce.evaluation.estimating.kinds import CLASSES, DENSITY, NUMBERS, actual_values, remarks_on_densities
from induce.evaluation.estimating.limits import within
from induce.evaluation.estimating.scores import RowScoring, scoring_of
from induce.evaluation.estimating.splits import Plan, plan
from induce.evaluation.losses.measure import score_text
from induce.evaluation.predictors import hypothesis_of
from induce.evaluation.readability import parts, size_text
from induce.hypotheses.naming import value_text
from induce.statistics.verdicts import holm

ALL = "all"
ROWS_ASKED = 2_000
"""Number of rows used to detect a constant hypothesis."""
WARM_UP = 30
"""Number of rows of an untimed warm-up fit, which compiles or loads compiled code."""


def leaderboard(
    learners: Learners | str | None,
    X: Any,
    y: Any = None,
    cv: Any = 10,
    *,
    repeats: int = 1,
    score: Any = None,
    predict: str | None = None,
    confidence: float = 0.95,
    groups: Any = None,
    time: Any = None,
    test_size: float | None = None,
    time_limit: float | None = 60.0,
    schema: Schema | dict[str, Any] | None = None,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> Leaderboard:
    """Evaluate the learners that suit a table on the same splits and test their differences from the best.

    Parameters
    ----------
    learners : dict, list, "all" or None
        Learners from any library. None: a short list that suits the table; "all": all of `induce.learners()` that are
        applicable.
    X, y : frame or array, series or array
        Table and target. Without `y`, density estimators are compared by their log-likelihood.
    cv, repeats, score, groups, time, test_size, n_jobs, random_state
        Parameters of `compare`.
    predict : {"classes", "numbers"}, optional
        Type of the target `y`; detected by default. Explicit learners determine it themselves.
    confidence : float
        Confidence level of the intervals; the significance level of the tests is 1 minus it.
    time_limit : float, optional
        Maximum total seconds per learner, without compilation. If a fit exceeds its part of the budget, the learner
        is abandoned; None sets no limit. Learners of other libraries do not check the clock, so they are fitted in a
        process that can be killed.
    schema : Schema or dict, optional
        Schema of the columns, in addition to their types, for learners in the catalogue.

    Returns
    -------
    Leaderboard
        A learner that fails is listed with the reason and does not stop the others.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> found = leaderboard([induce.C45(), induce.C45Rules(), induce.DecisionStump()], X, y)
    >>> [(line.name, line.parts, line.worse) for line in found.lines]
    [('C45', 13, False), ('C45Rules', 9, False), ('DecisionStump', 4, True)]
    >>> found.readable
    'C45Rules'
    """
    share("confidence", confidence)
    if predict is not None:
        one_of("predict", predict, (CLASSES, NUMBERS))
    left_out: dict[str, str] = {}
    if learners is None or isinstance(learners, str):
        if learners is not None:
            one_of("learners", learners, (ALL,))
        kind = predict or _kind_of_target(y)
        actual = actual_values(kind, X, y)
        named, left_out = applicable(X, kind, np.unique(actual).size, schema, random_state)
        if learners is None:
            short = suited(X, kind, schema)
            named, left_out = {name: named[name] for name in short if name in named} or named, {}
        if not named:
            reasons = "; ".join(f"{name}: {reason}" for name, reason in left_out.items())
            raise InputError(f"no learner of the catalogue supports this table: {reasons}")
    else:
        named = by_name(learners, least=1)
        kind = common_kind(named, y is not None)
        actual = actual_values(kind, X, y, next(iter(named)))
    made = plan(
        X,
        actual,
        cv,
        repeats=repeats,
        groups=groups,
        time=time,
        test_size=test_size,
        stratify=kind == CLASSES,
        random_state=random_state,
    )
    if kind == CLASSES:
        check_classes(actual, made.splits)
    limit = None if time_limit is None else time_limit / (len(made.splits) + 1)
    failed: dict[str, str] = {}
    scorings = _scorings(named, score, actual, kind, failed)
    fitted = _fitted(named, X, y, actual, kind, time_limit, limit, n_jobs, failed)
    trials = run_trials(
        {name: named[name] for name in named if name not in failed},
        X,
        y,
        actual,
        made,
        scorings,
        n_jobs=n_jobs,
        fit_limit=limit,
        failures=failed,
    )
    if not trials:
        name, reason = next(iter(failed.items()))
        raise InputError(f"no learner could be evaluated; {name} failed: {reason}")
    scoring = scorings[next(iter(trials))]
    check_test(CAUTIOUS, made, scoring)
    lines = _lines(trials, fitted, made, scoring, confidence)
    readable = _readable(lines, fitted, X)
    remarks = (*remarks_on(CAUTIOUS, made, isinstance(scoring, RowScoring)), *remarks_on_densities(named))
    if len(lines) > 1:
        remarks = (
            *remarks,
            "the best learner was selected by its value, so that value is slightly optimistic",
        )
    return Leaderboard(
        lines,
        scoring.name,
        made.method,
        made.n_rows,
        confidence,
        _baseline(actual, kind) if score is None else "",
        failed,
        left_out,
        readable,
        None if readable is None else fitted[readable][0],
        remarks,
    )


def _scorings(
    learners: Mapping[str, Any], score: Any, actual: NDArray[Any], kind: str, failed: dict[str, str]
) -> dict[str, Scoring]:
    found: dict[str, Scoring] = {}
    for name, learner in learners.items():
        try:
            found[name] = scoring_of(score, learner, actual, kind)
        except InputError as problem:
            failed[name] = str(problem)
    if not found:
        raise InputError(next(iter(failed.values())))
    return found


def _fitted(
    learners: Mapping[str, Any],
    X: Any,
    y: Any,
    actual: NDArray[Any],
    kind: str,
    time_limit: float | None,
    fit_limit: float | None,
    n_jobs: int | None,
    failed: dict[str, str],
) -> dict[str, tuple[Any, float]]:
    """Fit each learner on all rows, after a warm-up on a few; return it with its training time."""
    few = np.arange(actual.size)
    if actual.size > 2 * WARM_UP:
        few = hold_out(actual, WARM_UP, 0, stratify=kind == CLASSES)[1]

    def fit(name: str) -> tuple[Any, float] | None:
        try:
            learner = learners[name]
            with progress(unheard), whole_fits(), notes_of(name):
                within(time_limit, learner, partial(_timed, learner, taken(X, few), taken(y, few)))
                return within(fit_limit, learner, partial(_timed, learner, X, y))
        except MemoryError:
            raise
        except TimeoutError as problem:
            failed[name] = f"{problem} to learn, which is too slow; raise time_limit to wait for it"
            return None
        except Exception as problem:
            kind = "" if isinstance(problem, ValueError) else f"{type(problem).__name__}: "
            failed[name] = f"on all rows: {kind}{' '.join(str(problem).split())}"
            return None

    names = [name for name in learners if name not in failed]
    found = zip(names, parallel.run(fit, names, n_jobs), strict=True)
    return {name: pair for name, pair in found if pair is not None}


def _timed(learner: Any, X: Any, y: Any) -> tuple[Any, float]:
    started = clock.perf_counter()
    fitted = clone(learner).fit(X, y)
    return fitted, clock.perf_counter() - started


def _lines(
    trials: Mapping[str, Trial],
    fitted: Mapping[str, tuple[Any, float]],
    made: Plan,
    scoring: Scoring,
    confidence: float,
) -> tuple[Line, ...]:
    values = {name: trial.evidence.value for name, trial in trials.items() if trial.evidence is not None}
    sign = 1 if scoring.higher else -1
    order = ranked(trials, lambda name: sign * values[name])
    best, *others = order
    verdicts = [judge(CAUTIOUS, trials[name], trials[best], made.test_share, confidence) for name in others]
    adjusted = [np.nan, *holm([verdict.p_value for verdict in verdicts]).tolist()]
    lines = []
    for name, p_value in zip(order, adjusted, strict=True):
        evidence = trials[name].evidence
        assert evidence is not None
        learner, seconds = fitted[name]
        interval = interval_by(evidence, scoring.name, AUTO, confidence, "two")
        size = parts(learner), size_text(learner)
        lines.append(
            Line(name, evidence.value, interval, seconds, *size, p_value, bool(p_value <= 1 - confidence))
        )
    return tuple(lines)


def _readable(lines: tuple[Line, ...], fitted: Mapping[str, tuple[Any, float]], X: Any) -> str | None:
    """Return the smallest non-constant learner; ties go to the better one."""
    able = [
        line
        for line in lines
        if not line.worse and line.parts is not None and hypothesis_of(fitted[line.name][0]) is not None
    ]
    able = [line for line in able if not _is_constant(fitted[line.name][0], X)]
    return min(able, key=lambda line: line.parts or 0).name if able else None


def _is_constant(learner: Any, X: Any) -> bool:
    """Return whether a learner makes the same prediction for all of the first rows."""
    if not hasattr(learner, "predict"):
        return False
    some = taken(X, np.arange(min(len(X), ROWS_ASKED)))
    return bool(np.unique(np.asarray(learner.predict(some)).astype(str)).size == 1 and len(some) > 1)


def _kind_of_target(y: Any) -> str:
    if y is None:
        return DENSITY
    return NUMBERS if holds_numbers(y) else CLASSES


def _baseline(actual: NDArray[Any], kind: str) -> str:
    if kind == DENSITY:
        return ""
    if kind == NUMBERS:
        middle = float(np.median(actual))
        off = score_text(np.abs(actual - middle).mean())
        return f"always predicting the median, {middle:.4g}: mean absolute error {off}"
    classes, counts = np.unique(actual, return_counts=True)
    most = int(counts.argmax())
    error = 1 - counts[most] / counts.sum()
    return f"always predicting {value_text(classes[most])}: error {score_text(error)}"
