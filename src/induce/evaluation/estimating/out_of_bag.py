"""Out-of-bag error of an ensemble."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.notes import note
from induce.ensembles.members import codes_in
from induce.evaluation.estimating.evidence import AUTO, RowLosses, Trust, interval_by
from induce.evaluation.estimating.results import ClassificationEstimate
from induce.evaluation.predictors import hypothesis_of
from induce.hypotheses.conflict_resolution import class_array
from induce.hypotheses.naming import plural
from induce.statistics.intervals import Sides, check_confidence

CAVEAT = "votes on different rows share members and training rows, so their errors are not independent"


def out_of_bag(
    fitted: Any,
    X: Any,
    y: Any,
    *,
    left_out: Iterable[Any] | None = None,
    confidence: float = 0.95,
    interval: str = AUTO,
    sides: Sides = "two",
) -> ClassificationEstimate:
    """Estimate the out-of-bag error of an ensemble: each row is classified by the members not trained on it.

    No additional training is needed. Each row is classified by about a third of the bagged members, or by a
    single member if each leaves out one fold. The error of the whole ensemble is therefore slightly lower.

    Parameters
    ----------
    fitted : learner or Ensemble
        A bagging learner, such as `Bagging` or `RandomForest`; or an ensemble with `left_out`.
    X, y : frame or array, series or array
        Training rows, in the same order.
    left_out : iterable of arrays, optional
        Rows that each member was not trained on, as positions or as a boolean mask.
    confidence : float
        Confidence level of the interval.
    interval : {"auto", "cautious", "nested", "normal", "wilson", "clopper-pearson", "t", "bootstrap"}
        Method of the interval, as in `induce.evaluate`. The default is the cautious one, because the members
        share training rows.
    sides : {"two", "lower", "upper"}
        Two-sided interval, or only the lower or upper bound.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> print(out_of_bag(induce.RandomForest(n_estimators=30).fit(X, y), X, y))
    error 0.034, approximate 95% interval [0.007, 0.095] (out of bag, 178 rows)
    """
    started = time.perf_counter()
    check_confidence(confidence)
    ensemble: Any = hypothesis_of(fitted)
    if ensemble is None or not ensemble.voters():
        raise InputError(
            f"{type(fitted).__name__} is not an ensemble whose members leave out some rows; use evaluate"
        )
    codes = codes_in(y.to_list() if hasattr(y, "to_list") else y, ensemble.classes)
    scores = np.zeros((len(codes), len(ensemble.classes)))
    tested = np.zeros(len(codes), np.bool_)
    parts = _left_out(fitted, left_out, len(codes), len(ensemble.members))
    for rows, votes in zip(parts, ensemble.votes(X), strict=True):
        if len(votes) != len(codes):
            raise InputError(f"X has {len(votes)} rows and y has {len(codes)}; give one class per row")
        scores[rows] += votes[rows]
        tested[rows] = True
    left = np.flatnonzero(tested)
    if not len(left):
        raise InputError("all members were trained on all rows, so no row is left to test on; use evaluate")
    if len(left) < len(codes):
        note(f"{plural(len(codes) - len(left), 'row')} not tested, because all members were trained on them")
    actual, predicted = (class_array(ensemble.classes)[k] for k in (codes[left], scores[left].argmax(axis=1)))
    evidence = RowLosses(
        (actual != predicted).astype(np.float64), True, 0.0, Trust(CAVEAT, exact=False, shared=True)
    )
    return ClassificationEstimate(
        measure="error",
        value=evidence.value,
        higher=False,
        n=len(left),
        interval=interval_by(evidence, "error", interval, confidence, sides),
        method="out of bag",
        fold_values=(),
        train_value=None,
        seconds=time.perf_counter() - started,
        fit_seconds=0.0,
        predicted=predicted,
        actual=actual,
        rows=left,
        evidence=evidence,
    )


def _left_out(
    fitted: Any, given: Iterable[Any] | None, n_rows: int, n_members: int
) -> list[NDArray[np.bool_]]:
    """Return the rows that each member was not trained on."""
    if given is None:
        bags = getattr(fitted, "bags_", None)
        if bags is None:
            raise InputError(
                f"the rows that the members of {type(fitted).__name__} were trained on are unknown; "
                "give left_out, or fit Bagging or RandomForest"
            )
        if len(bags.labels) != n_rows:
            raise InputError(
                f"y has {n_rows} rows, but the ensemble was trained on {len(bags.labels)}; give the same rows"
            )
        return [bags.times(k) == 0 for k in range(len(bags))]
    found = []
    for rows in given:
        chosen, mask = np.asarray(rows), np.zeros(n_rows, np.bool_)
        mask[chosen if chosen.dtype == np.bool_ else chosen.astype(np.intp)] = True
        found.append(mask)
    if len(found) != n_members:
        raise InputError(f"left_out has {len(found)} entries for {n_members} members; give one per member")
    return found
