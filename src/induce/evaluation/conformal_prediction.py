"""Prediction sets and prediction intervals with guaranteed coverage (conformal prediction).

Nonconformity scores are computed on held-out rows: one minus the probability of the true class, or the
absolute error of the predicted number. For any learner and any distribution of rows, the score of a new row
exceeds a high quantile of these scores only with the corresponding small probability.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.values import Value, plain
from induce.evaluation.estimating.estimate import evaluate
from induce.evaluation.estimating.kinds import CLASSES, DENSITY, kind_of
from induce.evaluation.estimating.results import Estimate
from induce.evaluation.fixed_hypothesis import given
from induce.hypotheses.naming import value_text
from induce.statistics.intervals import Interval, clopper_pearson

Floats = NDArray[np.float64]

MOST_SCORES = 20_000
"""Maximum number of stored scores; more would make no visible difference."""
EQUAL = 1e-9
"""Tolerance within which probabilities count as equal, because rounding differs between processors."""
LEVELS = (0.8, 0.9, 0.95)
"""Default confidence levels."""


@dataclass(frozen=True, eq=False)
class Conformal:
    """Conversion of predictions to prediction sets or intervals with a given confidence level.

    Parameters
    ----------
    scores : array of float64
        Nonconformity scores of the true values of held-out rows.
    labels : array of int64
        Index in `classes` of the true class of each score; empty for regression.
    classes : tuple
        Classes; empty for regression.
    method : str
        Resampling method.
    exact : bool
        Whether the model itself was scored on unseen rows (split conformal), rather than cross-validated copies of it
        (cross-conformal).
    sure : array of float64
        Probability of the predicted class for each score, negated where the prediction was wrong; empty for
        regression and in files of earlier versions.

    References
    ----------
    Vovk, V., Gammerman, A. and Shafer, G. (2005). Algorithmic Learning in a Random World. Springer.
    Vovk, V. (2015). Cross-conformal predictors. Annals of Mathematics and Artificial Intelligence 74, 9-28.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> model = induce.NaiveBayes().fit(X, y)
    >>> found = conformal(model, X, y)
    >>> model.predict_set(X[[0, 70, 118]], 0.95, by_class=True)
    [('setosa',), ('versicolor', 'virginica'), ('virginica',)]
    """

    scores: Floats
    labels: NDArray[np.int64]
    classes: tuple[Value, ...] = ()
    method: str = ""
    exact: bool = True
    sure: Floats = field(default_factory=lambda: np.zeros(0))

    def check(self) -> None:
        """Raise an error if the fields are inconsistent, as in a damaged file."""
        if self.scores.ndim != 1 or not len(self.scores) or np.isnan(self.scores).any():
            raise ValueError("there are no scores")
        if bool(self.classes) != bool(len(self.labels)) or (
            self.classes and len(self.labels) != len(self.scores)
        ):
            raise ValueError("the scores belong to other classes")
        if self.classes and not ((self.labels >= 0) & (self.labels < len(self.classes))).all():
            raise ValueError("a score has no class")

    def limit(self, confidence: float, label: int | None = None) -> float:
        """Return the largest score accepted at a confidence level; infinite if there are too few scores.

        Of n scores it is the k-th smallest with k = (n + 1) times the confidence, rounded up, because the
        score of a new row is equally likely to take any rank. If copies of the model were scored, k is one
        larger, since their training sets differ by a few rows.
        """
        scores = self.scores if label is None else self.scores[self.labels == label]
        place = math.ceil((len(scores) + 1) * confidence - EQUAL) + (0 if self.exact else 1)
        return math.inf if place > len(scores) else float(np.partition(scores, place - 1)[place - 1])

    def sets(self, probabilities: Any, confidence: float = 0.9, by_class: bool = False) -> NDArray[np.bool_]:
        """Return the prediction set of each row as a mask over `classes`.

        Parameters
        ----------
        probabilities : array, shape (rows, classes)
            Class probabilities in the order of `classes`.
        confidence : float
        by_class : bool
            Whether to guarantee the confidence for the rows of each class, not only overall; the sets become larger.
        """
        _check_level(confidence)
        if not self.classes:
            raise InputError(
                "a regression model has intervals instead of prediction sets; use predict_interval"
            )
        shares = np.asarray(probabilities, dtype=np.float64)
        places = range(len(self.classes))
        limits = [self.limit(confidence, k if by_class else None) for k in places]
        held = 1 - shares <= np.array(limits) + EQUAL
        # the most probable class is in every set, because an empty set is useless
        held[np.arange(len(shares)), shares.argmax(axis=1)] = True
        return np.asarray(held)

    def certain_from(self, error: float) -> float:
        """Return the lowest confidence at which the error rate of the decided rows does not exceed a bound.

        It is estimated on held-out rows (AIMA section 18.11.1). The threshold is chosen on the same rows, so new rows
        may do slightly worse.

        Parameters
        ----------
        error : float
            Maximum error rate, such as 0.005.
        """
        _check_level(1.0 - error)
        if not self.classes:
            raise InputError("a regression model cannot reject rows; use predict_interval")
        if not len(self.sure):
            raise InputError("the model file does not store the confidences of held-out rows; train it again")
        right, sure = self.sure > 0, np.abs(self.sure)
        order = np.argsort(-sure, kind="stable")
        wrong = np.cumsum(~right[order])
        # rows of equal confidence are decided together
        ends = np.append(np.diff(sure[order]) < -EQUAL, True)
        good = np.flatnonzero(ends & (wrong <= error * np.arange(1, len(order) + 1)))
        if not len(good):
            raise InputError(
                f"no confidence threshold lowers the error on held-out rows to {100 * error:g}%; allow "
                "a larger error"
            )
        return float(sure[order][good[-1]]) - EQUAL

    def width(self, confidence: float = 0.9) -> float:
        """Return the half-width of the intervals around the predicted number."""
        _check_level(confidence)
        if self.classes:
            raise InputError(
                "a classification model has prediction sets instead of intervals; use predict_set"
            )
        return self.limit(confidence)

    def predict_set(
        self, model: Any, X: Any, confidence: float = 0.9, by_class: bool = False
    ) -> list[tuple[Value, ...]]:
        """Return the prediction set of each row from the probabilities of a fitted model."""
        held = self.sets(self._probabilities(model, X), confidence, by_class)
        return [
            tuple(value for value, isin in zip(self.classes, row, strict=True) if isin)
            for row in held.tolist()
        ]

    def predict_interval(self, model: Any, X: Any, confidence: float = 0.9) -> Floats:
        """Return the lower and upper bound of each row from the predictions of a fitted model."""
        width = self.width(confidence)
        numbers = np.asarray(model.predict(X), dtype=np.float64)
        return np.column_stack([numbers - width, numbers + width])

    def to_sql(
        self, hypothesis: Any, confidence: float = 0.9, table: str = "data", key: str | None = None
    ) -> str:
        """Return a query for the prediction of a hypothesis with its bounds or its set; see `exported_sql`."""
        from induce.evaluation.conformal_export import exported_sql

        return exported_sql(self, hypothesis, confidence, table, key)

    def to_python(self, hypothesis: Any, confidence: float = 0.9) -> str:
        """Return the source of `predict`, and of `predict_interval` or `predict_set`; see `exported_python`."""
        from induce.evaluation.conformal_export import exported_python

        return exported_python(self, hypothesis, confidence)

    def coverage(
        self, model: Any, X: Any, actual: NDArray[Any], levels: Sequence[float] = LEVELS
    ) -> tuple[Coverage, ...]:
        """Return the coverage of prediction sets or intervals on given rows."""
        if not self.classes:
            off = np.abs(np.asarray(given(model).predict(X), dtype=np.float64) - actual)
            return tuple(_covered(level, off <= self.width(level), 2 * self.width(level)) for level in levels)
        shares = self._probabilities(given(model), X)
        places = {value: k for k, value in enumerate(self.classes)}
        codes = np.array([places.get(plain(value), -1) for value in actual])
        found = []
        for level in levels:
            held = self.sets(shares, level)
            right = np.where(codes >= 0, held[np.arange(len(codes)), codes], False)
            by_class = {value: right[codes == k] for value, k in places.items() if (codes == k).any()}
            found.append(_covered(level, right, float(held.sum(axis=1).mean()), by_class))
        return tuple(found)

    def _probabilities(self, model: Any, X: Any) -> Floats:
        """Return the probabilities of a fitted model in the order of `classes`; 0 for a class the model lacks."""
        found = np.asarray(model.predict_proba(X), dtype=np.float64)
        known = list(map(plain, getattr(model, "classes_", getattr(model, "classes", self.classes))))
        shares = np.zeros((len(found), len(self.classes)))
        for place, value in enumerate(self.classes):
            if value in known:
                shares[:, place] = found[:, known.index(value)]
        return shares

    def __str__(self) -> str:
        what = "sets of classes" if self.classes else "intervals"
        return f"{what} from {len(self.scores):,} scores ({self.method})"


@dataclass(frozen=True, eq=False)
class Coverage:
    """Coverage of prediction sets or intervals at a confidence level.

    Parameters
    ----------
    confidence : float
        Nominal coverage.
    share : float
        Fraction of rows whose true value was covered.
    interval : Interval
        Confidence interval of the coverage.
    size : float
        Mean number of classes in a set, or width of the intervals.
    by_class : dict
        Coverage on the rows of each class; empty for regression.
    n : int
    """

    confidence: float
    share: float
    interval: Interval
    size: float
    by_class: dict[Value, float]
    n: int

    def as_dict(self) -> dict[str, Any]:
        """Return the metrics by name."""
        return {
            "confidence": self.confidence,
            "share": self.share,
            "interval": [self.interval.low, self.interval.high],
            "size": None if math.isinf(self.size) else self.size,
            "by_class": {str(value): share for value, share in self.by_class.items()},
            "rows": self.n,
        }

    def __str__(self) -> str:
        what = f"{self.size:.2f} classes" if self.by_class else f"{self.size:.4g} wide"
        low, high, kind = self.interval.low, self.interval.high, "sets" if self.by_class else "intervals"
        said = (
            f"{100 * self.confidence:g}% {kind} cover the true value in {self.share:.1%} of {self.n:,} "
            f"rows [{low:.2f}, {high:.2f}], {what} on average"
        )
        if self.by_class:
            each = ", ".join(f"{value_text(value)} {share:.0%}" for value, share in self.by_class.items())
            said += f"; by class: {each}"
        return said


def conformal(model: Any, X: Any, y: Any, cv: Any = 10, **how: Any) -> Conformal:
    """Compute nonconformity scores on held-out rows, so that a model can predict sets or intervals.

    With folds (cross-conformal), copies of the learner are scored on held-out rows and the model itself is
    trained on all rows. If `cv` is None (split conformal), the fitted model is scored on rows it has not
    seen; only then is the coverage guaranteed. A fitted learner of `induce` stores the result and gains
    `predict_set` or `predict_interval`; model files store it too.

    Parameters
    ----------
    model : learner or Hypothesis
        A classifier that predicts probabilities, or a regressor.
    X, y : frame or array, series or array
        Table and target.
    cv : int, splitter or None
        Number of folds, or None to score the fitted model.
    **how
        `groups`, `time`, `n_jobs` and `random_state`, as in `induce.evaluate`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> tree = induce.C45().fit(X[::2], y[::2])
    >>> print(conformal(tree, X[1::2], y[1::2], cv=None))
    sets of classes from 89 scores (given data)
    """
    found = conformal_of(evaluate(given(model), X, y, cv, probabilities=True, **how))
    if hasattr(model, "hypothesis_") and hasattr(model, "get_params"):
        model.conformal_ = found
    return found


def conformal_of(estimate: Estimate) -> Conformal:
    """Return the conformal scores of an estimate; for a classifier it must include the probabilities.

    Parameters
    ----------
    estimate : Estimate
        Estimate of a classifier or a regressor, as returned by `induce.evaluate`.
    """
    rows, first = np.unique(estimate.rows, return_index=True)  # a row that is tested repeatedly counts once
    actual = estimate.actual[first]
    keep, exact = _kept(len(rows)), not estimate.evidence.trust.shared
    if estimate.probabilities is None:
        if estimate.actual.dtype.kind not in "fiu" or estimate.predicted.dtype.kind not in "fiu":
            raise InputError("the learner has no class probabilities, which prediction sets need")
        off = np.abs(estimate.predicted[first].astype(np.float64) - actual.astype(np.float64))
        return Conformal(off[keep], np.zeros(0, np.int64), (), estimate.method, exact)
    classes = tuple(map(plain, np.unique(estimate.actual)))
    codes = np.array([classes.index(plain(value)) for value in actual[keep]], dtype=np.int64)
    shares = estimate.probabilities[first][keep]
    most = shares.max(axis=1)
    right = np.array([plain(value) for value in estimate.predicted[first][keep]], dtype=object) == np.array(
        [classes[code] for code in codes], dtype=object
    )
    odd = 1 - shares[np.arange(len(codes)), codes]
    return Conformal(odd, codes, classes, estimate.method, exact, np.where(right, most, -most))


def can_be_conformal(learner: Any) -> bool:
    """Return whether prediction sets or intervals can be computed for a learner."""
    kind = kind_of(learner)
    return kind != DENSITY and (kind != CLASSES or hasattr(learner, "predict_proba"))


def _kept(n: int) -> NDArray[np.intp]:
    """Return the scores to store: all, or a random sample, which keeps the guarantee."""
    if n <= MOST_SCORES:
        return np.arange(n, dtype=np.intp)
    return np.sort(np.random.default_rng(0).choice(n, MOST_SCORES, replace=False))


def _covered(
    level: float,
    right: NDArray[np.bool_],
    size: float,
    by_class: dict[Value, NDArray[np.bool_]] | None = None,
) -> Coverage:
    n = len(right)
    interval = clopper_pearson(int(right.sum()), n, 0.95)
    each = {value: float(rows.mean()) for value, rows in (by_class or {}).items()}
    return Coverage(level, float(right.mean()), interval, size, each, n)


def _check_level(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence!r}; give a number between 0 and 1, such as 0.9")
