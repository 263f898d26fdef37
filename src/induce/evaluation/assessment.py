"""Assessment of a hypothesis on given rows: error, baseline, confusion matrix and calibration."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from induce.core.plain import plain
from induce.evaluation.curves.calibration import Calibration, calibration, calibration_of
from induce.evaluation.curves.confusion import ConfusionTable, confusion
from induce.evaluation.estimating.estimate import evaluate
from induce.evaluation.estimating.kinds import CLASSES, kind_of
from induce.evaluation.estimating.results import Estimate
from induce.evaluation.fixed_hypothesis import given


@dataclass(frozen=True, eq=False)
class Assessment:
    """Results of a hypothesis on labelled rows.

    Parameters
    ----------
    estimate : Estimate
        Error on the rows, with its confidence interval and the baseline.
    confusion : ConfusionTable or None
        Confusion matrix with the precision, recall and F1 of each class; None for a regressor.
    calibration : Calibration or None
        Calibration of the predicted probabilities, for a probabilistic classifier.
    coverage : tuple of Coverage
        Coverage of prediction sets or intervals, if the model provides them.
    """

    estimate: Estimate
    confusion: ConfusionTable | None = None
    calibration: Calibration | None = None
    coverage: tuple[Any, ...] = field(default=())

    def as_dict(self) -> dict[str, Any]:
        """Return the metrics by name."""
        found: dict[str, Any] = {"estimate": plain(self.estimate.as_dict())}
        if self.confusion is not None:
            found["confusion"] = {
                "labels": plain(self.confusion.labels),
                "counts": self.confusion.counts.tolist(),
                "kappa": plain(self.confusion.kappa),
                "classes": {str(label): plain(each) for label, each in self.confusion.classes.items()},
            }
        if self.calibration is not None:
            found["calibration"] = {
                "brier": self.calibration.brier,
                "expected_error": {
                    str(name): curve.expected_error for name, curve in self.calibration.curves.items()
                },
            }
        found["coverage"] = [each.as_dict() for each in self.coverage]
        return found

    def __str__(self) -> str:
        parts = [str(self.estimate)]
        if self.estimate.baseline is not None:
            beside = self.estimate.baseline
            parts[0] += f"\n{beside}; {beside.verdict(self.estimate.interval)}"
        parts += [str(each) for each in (self.confusion, self.calibration) if each is not None]
        if self.coverage:
            parts.append("\n".join(map(str, self.coverage)))
        return "\n\n".join(parts)


def assess(hypothesis: Any, X: Any, y: Any, *, conformal: Any = None, confidence: float = 0.95) -> Assessment:
    """Evaluate a hypothesis or a fitted learner on rows it was not trained on.

    Parameters
    ----------
    hypothesis : Hypothesis or fitted learner
        Hypothesis, or fitted learner.
    X, y : frame or array, series or array
        Test rows and their targets.
    conformal : Conformal, optional
        Conformal scores that define the prediction sets or intervals.
    confidence : float
        Confidence level of all intervals.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> tree = induce.C45().fit(X[::2], y[::2])
    >>> print(str(assess(tree, X[1::2], y[1::2])).splitlines()[0])
    error 0.13, 95% interval [0.07, 0.22] (given data, 89 rows)
    """
    learner = given(hypothesis)
    estimate = evaluate(learner, X, y, cv=None, confidence=confidence)
    if estimate.n < len(y):  # each distinct row counts once
        X, y = _safe_indexing(X, estimate.rows), _safe_indexing(y, estimate.rows)
    matrix = reliable = None
    if kind_of(learner) == CLASSES:
        matrix = confusion(estimate.actual, estimate.predicted, confidence=confidence)
        if (
            hasattr(learner, "predict_proba")
            and len(matrix.labels) > 1
            and len(set(estimate.actual.tolist())) > 1
        ):
            reliable = calibration(learner, X, y, cv=None, confidence=confidence)
    conformal = getattr(hypothesis, "conformal_", None) if conformal is None else conformal
    coverage = () if conformal is None else conformal.coverage(learner, X, estimate.actual)
    return Assessment(estimate, matrix, reliable, coverage)


def cross_assess(learner: Any, X: Any, y: Any, cv: Any = 10, **how: Any) -> Assessment:
    """Evaluate a learner on its training rows by cross-validation.

    Parameters
    ----------
    learner : classifier or regressor
        Learner to evaluate; copies of it are fitted.
    X, y : frame or array, series or array
    cv : int or splitter
    **how
        `groups`, `time`, `n_jobs` and `random_state`, as in `induce.evaluate`.

    Examples
    --------
    >>> import induce
    >>> found = cross_assess(induce.C45(), *induce.dataset("iris"))
    >>> print(found.confusion.caption())
    150 rows, error 0.067, kappa 0.900
    """
    estimate = evaluate(learner, X, y, cv, probabilities=True, **how)
    if kind_of(learner) != CLASSES:
        return Assessment(estimate)
    reliable = None
    if estimate.probabilities is not None:
        reliable = replace(
            calibration_of(estimate.actual, estimate.probabilities, np.unique(estimate.actual).tolist()),
            method=estimate.method,
        )
    return Assessment(estimate, confusion(estimate), reliable)
