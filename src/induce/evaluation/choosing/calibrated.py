"""Wrapper that calibrates probabilities, minimises costs or enforces a required precision."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.ties import first_largest_of_each
from induce.core.values import Value, class_named, plain
from induce.evaluation.choosing.adjusted import LEAST, AdjustedClassifier, IsotonicMap, SigmoidMap
from induce.evaluation.estimating.estimate import evaluate
from induce.evaluation.losses.table import the_table
from induce.evaluation.predictors import hypothesis_of
from induce.hypotheses.naming import value_text

Floats = NDArray[np.float64]

SIGMOID, ISOTONIC = "sigmoid", "isotonic"
MOST_THRESHOLDS = 200


class CalibratedClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Calibrates the probabilities of a classifier on held-out rows and makes cost-sensitive decisions.

    Missing values and unseen categories are handled by the wrapped learner.

    Parameters
    ----------
    learner : classifier
        An induce classifier that predicts probabilities; a copy of it is trained on all rows.
    method : {"sigmoid", "isotonic"} or None
        Calibration method: Platt's sigmoid of the log odds, which needs few rows; isotonic regression, which needs
        many; or None for no calibration.
    losses : LossTable, mapping, str, matrix or None
        Misclassification costs, as for `ExpectedLossClassifier`; None means that every mistake costs 1.
    precision : (class, float) or None
        Required precision of a class on held-out rows; the lowest threshold that reaches it is used.
    cv : int
        Number of cross-validation folds that provide the held-out rows.
    random_state : int
        Random seed of the fold assignment.

    Attributes
    ----------
    hypothesis_ : AdjustedClassifier
    learner_ : classifier
        The fitted copy.
    threshold_ : float or None
        Probability threshold for predicting the class of `precision`; set for binary targets only.

    References
    ----------
    Platt, J. (1999). Probabilistic outputs for support vector machines. Advances in Large Margin Classifiers.
    Zadrozny, B. and Elkan, C. (2002). Transforming classifier scores into accurate multiclass probability estimates.
    KDD.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("breast-cancer")
    >>> bayes = induce.NaiveBayes()
    >>> for learner in (bayes, CalibratedClassifier(bayes, "isotonic", cv=3)):
    ...     print(induce.evaluate(learner, X, y, cv=2, score="brier").value < 0.05)
    False
    True
    """

    def __init__(
        self,
        learner: Any,
        method: str | None = SIGMOID,
        losses: Any = None,
        precision: Any = None,
        cv: int = 5,
        random_state: int = 0,
    ) -> None:
        self.learner = learner
        self.method = method
        self.losses = losses
        self.precision = precision
        self.cv = cv
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.learner).input_tags
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Fit on all rows; calibrate and choose the threshold on held-out rows."""
        if self.method is not None:
            one_of("method", self.method, (SIGMOID, ISOTONIC))
        if self.losses is not None and self.precision is not None:
            raise InputError("losses and precision both define the decision rule; give one of them")
        if not hasattr(self.learner, "predict_proba"):
            raise TypeError(f"{type(self.learner).__name__} has no probabilities to calibrate")
        fitted = clone(self.learner).fit(X, y)
        learned: Any = hypothesis_of(fitted)
        if learned is None:
            raise TypeError(
                "only learners of induce can be calibrated here; use scikit-learn's CalibratedClassifierCV"
            )
        classes = tuple(map(plain, learned.classes))
        maps: tuple[Any, ...] = ()
        losses: tuple[tuple[float, ...], ...] = ()
        self.threshold_ = None
        if self.method is not None or self.precision is not None:
            shares, codes = self._left_out(X, y, classes)
            if self.method is not None:
                make = _sigmoid if self.method == SIGMOID else _isotonic
                maps = tuple(make(shares[:, k], codes == k) for k in range(len(classes)))
            if self.precision is not None:
                found = AdjustedClassifier(learned, maps).calibrated(shares)
                losses, self.threshold_ = _for_precision(found, codes, classes, *self.precision)
        if self.losses is not None:
            table = the_table(self.losses, classes)
            losses = tuple(map(tuple, table.matrix(list(classes)).tolist()))
        self.learner_, self.classes_ = fitted, fitted.classes_
        self.hypothesis_ = AdjustedClassifier(learned, maps, losses)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the decision for each row."""
        check_is_fitted(self)
        return np.asarray(self.hypothesis_.predict(X))

    def predict_proba(self, X: Any) -> Floats:
        """Return the calibrated probability of each of `classes_` for each row."""
        check_is_fitted(self)
        order = [self.hypothesis_.classes.index(plain(value)) for value in self.classes_]
        return np.asarray(self.hypothesis_.predict_proba(X)[:, order])

    def explain(self, X: Any) -> Any:
        """Return the explanation of each row by the wrapped learner."""
        check_is_fitted(self)
        return self.hypothesis_.explain(X)

    def _left_out(self, X: Any, y: Any, classes: tuple[Value, ...]) -> tuple[Floats, NDArray[np.intp]]:
        """Return the predicted class probabilities and the true class of each held-out row."""
        folds = min(self.cv, len(y))
        found = evaluate(self.learner, X, y, folds, probabilities=True, random_state=self.random_state)
        known = list(map(plain, np.unique(found.actual)))
        shares = found.probabilities[:, [known.index(value) for value in classes]]
        return shares, np.array([classes.index(plain(value)) for value in found.actual], dtype=np.intp)


def _sigmoid(shares: Floats, hits: NDArray[np.bool_]) -> SigmoidMap:
    """Fit Platt's sigmoid; smoothed targets prevent certainty for perfectly separated classes."""
    from sklearn.linear_model import LogisticRegression

    if hits.all() or not hits.any():
        return SigmoidMap(1.0, 0.0)
    clipped = np.clip(shares, LEAST, 1 - LEAST)
    odds = np.log(clipped / (1 - clipped))
    yes, no = float(hits.sum()), float((~hits).sum())
    chance = np.where(hits, (yes + 1) / (yes + 2), 1 / (no + 2))
    rows, labels = np.concatenate([odds, odds])[:, np.newaxis], np.repeat([True, False], len(odds))
    fitted = LogisticRegression(C=1e6, max_iter=1000)
    fitted.fit(rows, labels, sample_weight=np.concatenate([chance, 1 - chance]))
    slope = max(float(fitted.coef_[0, 0]), 0.0)
    return SigmoidMap(slope, float(fitted.intercept_[0]))


def _isotonic(shares: Floats, hits: NDArray[np.bool_]) -> IsotonicMap:
    """Fit an isotonic step function; each step ends at the largest probability it covers."""
    from sklearn.isotonic import IsotonicRegression

    order = np.argsort(shares, kind="stable")
    ordered = shares[order]
    values = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit_transform(
        ordered, hits[order].astype(np.float64)
    )
    steps = np.flatnonzero(np.diff(values) > 1e-12)
    # the midpoint to the next probability can round up to 1.0 and would then include it
    return IsotonicMap(tuple(ordered[steps].tolist()), (*values[steps].tolist(), float(values[-1])))


def _for_precision(
    shares: Floats, codes: NDArray[np.intp], classes: tuple[Value, ...], wanted: Any, precision: float
) -> tuple[tuple[tuple[float, ...], ...], float | None]:
    """Return losses that enforce the required precision, and the threshold for binary targets."""
    k = classes.index(class_named(wanted, classes, "the class of precision"))
    if not 0 < precision < 1:
        raise InputError(
            f"the required precision is {precision!r}; give a number between 0 and 1, such as 0.9"
        )
    chances = np.unique(shares[:, k])
    chances = chances[(chances > 0) & (chances < 1)]
    if len(chances) > MOST_THRESHOLDS:
        chances = chances[np.linspace(0, len(chances) - 1, MOST_THRESHOLDS).astype(int)]
    best, chosen, most = 0.0, 0.5, 1.0 - np.eye(len(classes))
    # midpoints, so that no row lies on a threshold
    for threshold in np.unique(np.append((chances[1:] + chances[:-1]) / 2, (0.5, 0.999))):
        losses = 1.0 - np.eye(len(classes))
        losses[:, k] *= threshold / (1 - threshold)
        said = first_largest_of_each(-(shares @ losses)) == k
        right = float((codes[said] == k).mean()) if said.any() else 0.0
        if right > best:
            best, chosen, most = right, float(threshold), losses
        if right >= precision:
            break
    if best < precision:
        note(
            f"no threshold gives {value_text(classes[k])} a precision of {precision:.0%} on the "
            f"held-out rows; the threshold with the best precision, {best:.0%}, is used"
        )
    return tuple(map(tuple, most.tolist())), chosen if len(classes) == 2 else None
