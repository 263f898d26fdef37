"""scikit-learn interface of learners from tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, DensityMixin, RegressorMixin
from sklearn.utils import _safe_indexing
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_feature_names, check_is_fitted, column_or_1d

from induce.core.cells import distinct, sorted_cells
from induce.core.errors import InputError
from induce.core.hypothesis import Hypothesis
from induce.core.parameterised import Parameterised
from induce.core.randomness import RandomState
from induce.core.reports import shortened
from induce.core.values import by_class, is_missing


def counted_rows(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights as row counts, for use in minimum weights, tests and estimates.

    Integer weights count rows: a row of weight 2 stands for two rows. Other weights are relative; they are
    scaled to sum to the number of rows with nonzero weight, so a constant factor has no effect.

    Examples
    --------
    >>> counted_rows(np.array([2.0, 1.0, 0.0])), counted_rows(np.array([0.02, 0.01, 0.0]))
    (array([2., 1., 0.]), array([1.33333333, 0.66666667, 0.        ]))
    >>> counted_rows(np.full(3, 1 / 3))
    array([1., 1., 1.])
    """
    whole = np.rint(weights)
    if (whole == weights).all():
        return weights
    scaled = weights / weights.max()
    scaled *= np.count_nonzero(scaled) / scaled.sum()
    whole = np.rint(scaled)
    return np.asarray(np.where(np.abs(scaled - whole) <= 1e-12 * np.maximum(scaled, 1.0), whole, scaled))


def given_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Check the `sample_weight` passed to `fit`, and return the row count of each row."""
    if sample_weight is None:
        return None
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("sample_weight contains a non-number; give one weight per row") from None
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.shape != (n_rows,):
        raise InputError(
            f"sample_weight has shape {weights.shape}, but there are {n_rows} rows; give one weight per row"
        )
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise InputError("sample_weight holds a negative or infinite number or NaN; weights are 0 or more")
    if weights.sum() <= 0:
        raise InputError("sample_weight is zero everywhere; at least one row must count")
    return counted_rows(weights)


def sorted_classes(classes: Sequence[Any]) -> NDArray[Any]:
    """Return the classes from a model file in ascending order.

    Examples
    --------
    >>> sorted_classes(("yes", "no"))
    array(['no', 'yes'], dtype='<U3')
    >>> sorted_classes(("yes", 1))
    Traceback (most recent call last):
    induce.core.errors.InputError: the classes ('yes', 1) are not distinct values of one type
    """
    kinds = {
        str if isinstance(value, str) else bool if isinstance(value, bool) else float for value in classes
    }
    if len(kinds) > 1 or len({*classes}) < len(classes):
        shown = shortened(str(classes), 100)
        raise InputError(f"the classes {shown} are not distinct values of one type")
    return np.unique(np.asarray(classes))


class HypothesisEstimator(Parameterised, BaseEstimator):
    """Base of learners from tables: a `hypothesis_` that predicts and explains."""

    hypothesis_: Hypothesis

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def explain(self, X: Any) -> tuple[Any, ...]:
        """Return an explanation of the prediction for each row of `X`."""
        return cast(tuple[Any, ...], self._fitted(X).explain(X))

    def _conformal(self) -> Any:
        """Return the basis of prediction sets and intervals."""
        check_is_fitted(self, "hypothesis_")
        if not hasattr(self, "conformal_"):
            raise InputError(
                f"this {type(self).__name__} has no scores of held-out rows, which prediction sets and intervals "
                "need; call induce.conformal(model, X, y) first"
            )
        return self.conformal_

    def _fitted(self, X: Any) -> Hypothesis:
        check_is_fitted(self, "hypothesis_")
        _check_feature_names(self, X, reset=False)
        n_columns = _n_columns(X)
        if n_columns is not None and n_columns != self.n_features_in_:
            raise InputError(
                f"X has {n_columns} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input"
            )
        return self.hypothesis_

    def _begin_fit(self) -> None:
        """Begin a fit: check the parameters and become unfitted."""
        self._check_parameters()
        self._forget()

    def _forget(self) -> None:
        """Become unfitted, because a failed fit must not leave a mixture of old and new state."""
        for name in ("hypothesis_", "conformal_", "provenance_"):
            self.__dict__.pop(name, None)

    def _seen(self, X: Any, names: tuple[str, ...]) -> None:
        """Remember the training columns for scikit-learn."""
        _check_feature_names(self, X, reset=True)
        self.n_features_in_ = len(names)

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        """Become fitted with a hypothesis from a model file."""
        self.hypothesis_ = hypothesis
        names = cast(Any, hypothesis).schema.names()
        self.n_features_in_ = len(names)
        if state.get("named", True):
            self.feature_names_in_ = np.array(names, dtype=object)

    def _resumable_state(self) -> dict[str, Any]:
        return {"named": hasattr(self, "feature_names_in_")}

    def _repr_html_(self) -> str:
        if hasattr(self, "hypothesis_"):
            return self.hypothesis_._repr_html_()
        return cast(str, super()._repr_html_())

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        """Show the hypothesis in a notebook; before `fit`, the learner as scikit-learn does."""
        if hasattr(self, "hypothesis_"):
            return {"text/plain": str(self.hypothesis_), "text/html": self.hypothesis_._repr_html_()}
        return cast(dict[str, str], super()._repr_mimebundle_(**options))


class HypothesisClassifier(ClassifierMixin, HypothesisEstimator):
    """A learner whose hypothesis predicts one of several classes."""

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row of `X`."""
        return cast(NDArray[Any], self._fitted(X).predict(X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each of `classes_` for each row of `X`."""
        hypothesis = cast(Any, self._fitted(X))
        shares = cast(NDArray[np.float64], hypothesis.predict_proba(X))
        order = [hypothesis.classes.index(value) for value in self.classes_.tolist()]
        return shares if order == sorted(order) else shares[:, order]

    def predict_set(self, X: Any, confidence: float = 0.9, by_class: bool = False) -> list[tuple[Any, ...]]:
        """Return, for each row, a set of classes that contains the true one with a given confidence (conformal
        prediction).

        Parameters
        ----------
        X : frame or array
        confidence : float
            Confidence level: the proportion of rows whose set contains the true class.
        by_class : bool
            Whether the confidence level holds within every class, not only over all rows.
        """
        return cast(list[tuple[Any, ...]], self._conformal().predict_set(self, X, confidence, by_class))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of the probability of each of `classes_` for each row of `X`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        self.classes_ = sorted_classes(cast(Any, hypothesis).classes)

    def _target(self, y: Any) -> tuple[str, tuple[Any, ...], NDArray[np.int64]]:
        """Return the name, the classes in declared order and the class codes of a target column."""
        if y is None:
            raise InputError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: give the classes"
            )
        name = getattr(y, "name", None)
        declared = declared_classes(y)
        self.classes_, codes = _coded_text(y) or self._coded(y)
        classes = tuple(self.classes_.tolist())
        if declared:
            order = sorted(range(len(classes)), key=lambda k: declared.index(classes[k]))
            codes = np.argsort(order)[codes]
            classes = tuple(classes[k] for k in order)
        return str(name) if name is not None else "class", classes, codes.astype(np.int64)

    def _coded(self, y: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Return the sorted classes of a target column, and the position of each row's class among them."""
        values = column_or_1d(_plain(y), warn=True)
        if values.dtype.kind == "O":
            distinct = set(values.tolist())
            if any(map(is_missing, distinct)):
                raise InputError("y holds missing values; drop the rows without a class")
            if len({isinstance(value, str) for value in distinct}) > 1:
                raise InputError(
                    "y holds both text and numbers; make all classes text or all of them numbers"
                )
            coded = _coded_strings(values) if isinstance(next(iter(distinct), None), str) else None
            if coded is not None:
                return coded
            values = np.asarray(values.tolist())
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise InputError("Input y contains NaN or infinity; drop the rows without a class")
        if values.dtype.kind not in "bU":  # text cannot contain them, so it is not scanned
            _check_classes(values)
        if values.dtype.kind in "biu":  # looking numbers up is several times faster than sorting all rows
            classes = np.unique(values)
            codes = np.searchsorted(classes, values)
        else:
            classes, codes = np.unique(values, return_inverse=True)
        return classes, codes.astype(np.int64)

    def _weights(
        self, sample_weight: Any, class_weight: Any, classes: tuple[Any, ...], codes: NDArray[np.int64]
    ) -> NDArray[np.float64] | None:
        """Return the weight of each row, or None if all weights are 1."""
        weights = given_weights(sample_weight, len(codes))
        if class_weight is None:
            return weights
        if class_weight != "balanced" and not isinstance(class_weight, dict):
            raise InputError(
                f"class_weight is {class_weight!r}; it can be None, 'balanced' or a dict from classes to weights"
            )
        if class_weight != "balanced":
            class_weight = by_class(class_weight, classes)
        of_classes = np.asarray(compute_sample_weight(class_weight, np.asarray(classes)[codes]))
        if not np.isfinite(of_classes).all() or (of_classes < 0).any():
            raise InputError("class_weight holds a negative or infinite number or NaN; weights are 0 or more")
        weights = of_classes if weights is None else weights * of_classes
        if not weights.any():
            raise InputError("class_weight leaves no row with weight; at least one class needs a weight")
        return counted_rows(weights)


class HypothesisRegressor(RegressorMixin, HypothesisEstimator):
    """A learner whose hypothesis predicts one or more numbers."""

    several_outputs: ClassVar[bool] = False
    """Whether it learns several numbers for each row at once."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = self.several_outputs
        return tags

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the predicted number for each row of `X`."""
        return cast(NDArray[np.float64], self._fitted(X).predict(X))

    def predict_interval(self, X: Any, confidence: float = 0.9) -> NDArray[np.float64]:
        """Return, for each row, a prediction interval with a given confidence (conformal prediction)."""
        return cast(NDArray[np.float64], self._conformal().predict_interval(self, X, confidence))

    def _target(self, y: Any) -> tuple[str, NDArray[np.float64]]:
        """Return the name and the values of a numeric target column."""
        if y is None:
            raise InputError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: give the numbers"
            )
        name = getattr(y, "name", None)
        return str(name) if name is not None else "y", numeric_target(y, self.several_outputs)


class HypothesisDensity(DensityMixin, HypothesisEstimator):
    """A learner without a target, whose hypothesis is a density."""

    hypothesis_: Any
    sums_to_one: ClassVar[bool] = True
    """Whether densities sum to 1 over all rows; log-likelihoods cannot be compared otherwise."""

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return the log density of each row of `X`."""
        return cast(NDArray[np.float64], cast(Any, self._fitted(X)).score_samples(X))

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean log density of the rows of `X`."""
        return float(np.mean(self.score_samples(X)))

    def sample(self, n: int = 1, random_state: RandomState = None) -> Any:
        """Return a polars frame of `n` rows drawn at random."""
        check_is_fitted(self, "hypothesis_")
        return self.hypothesis_.sample(n, random_state)


def output_names(y: Any, n: int) -> tuple[str, ...]:
    """Return names for the columns of a target: those of a frame, else y0, y1 and so on.

    Examples
    --------
    >>> output_names([[1, 2], [3, 4]], 2)
    ('y0', 'y1')
    """
    named = getattr(y, "columns", None)
    found = tuple(map(str, named)) if named is not None else ()
    return found if len(found) == n else tuple(f"y{place}" for place in range(n))


def numeric_target(y: Any, several: bool = False) -> NDArray[np.float64]:
    """Return a target column as finite numbers; several columns only if allowed.

    Examples
    --------
    >>> numeric_target([1, 2.5])
    array([1. , 2.5])
    """
    values = np.asarray(_plain(y))
    if values.ndim == 2 and values.shape[1] > 1 and several:
        return np.column_stack([numeric_target(column) for column in values.T])
    if values.ndim == 2 and values.shape[1] > 1:
        raise InputError(
            f"y has {values.shape[1]} columns, but one number is predicted for each row; learn each "
            "column separately"
        )
    values = column_or_1d(values, warn=True)
    missing = values.dtype.kind == "O" and any(map(is_missing, values.tolist()))
    if values.dtype.kind not in "biuf" and not missing:
        try:
            if values.dtype.kind not in "OU":
                raise ValueError
            values = values.astype(np.float64)
        except (TypeError, ValueError, OverflowError):
            odd = next((value for value in values.tolist() if not isinstance(value, int | float)), values[0])
            raise InputError(
                f"y holds {odd!r}, which is not a number; use a classifier, or convert y to numbers"
            ) from None
    if missing or not np.isfinite(values.astype(np.float64)).all():
        raise InputError("Input y contains NaN or infinity; drop the rows without a target")
    return np.ascontiguousarray(values, dtype=np.float64)


def _coded_strings(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]] | None:
    """Code an array of strings with polars, because numpy would sort them one by one.

    None if polars cannot hold them.
    """
    import polars as pl

    try:
        return _coded_text(pl.Series(values.tolist(), dtype=pl.String))
    except UnicodeEncodeError:
        return None


def _coded_text(y: Any) -> tuple[NDArray[Any], NDArray[np.int64]] | None:
    """Encode the classes of a polars text series without reading individual cells; None for anything else."""
    if not type(y).__module__.startswith("polars"):
        return None
    import polars as pl

    if not isinstance(y, pl.Series) or y.dtype not in (pl.String, pl.Enum) or len(y) == 0 or y.null_count():
        return None
    text = y.cast(pl.String)
    classes = sorted_cells(distinct(text))
    codes = text.cast(pl.Enum(classes)).to_physical().to_numpy()
    return np.array(classes.to_list()), codes.astype(np.int64)


def _check_classes(values: NDArray[Any]) -> None:
    try:
        check_classification_targets(values)
    except ValueError as problem:
        if "continuous" not in str(problem):
            raise
        if all(isinstance(value, date | np.datetime64) for value in values.ravel()):
            raise InputError(
                "Unknown label type: dates. y holds dates, but a class is to be predicted; convert them "
                "to text, or to intervals such as years"
            ) from None
        raise InputError(
            "Unknown label type: continuous. y holds fractions, but a class is to be predicted; learn "
            "the number with DecisionTreeRegressor or ModelTree, or cut y into intervals"
        ) from None


def _plain(y: Any) -> Any:
    """Return classes in a form that numpy preserves: it would turn pandas' own types into floats, and missing
    cells into text.
    """
    if type(y).__module__.startswith("pandas") and getattr(y, "ndim", 0) == 1:
        y = y if isinstance(y.dtype, np.dtype) else y.tolist()
    if isinstance(y, list | tuple) and any(isinstance(cell, str) or is_missing(cell) for cell in y):
        cells = np.empty(len(y), dtype=object)
        cells[:] = y
        return cells
    return y


def declared_classes(y: Any) -> list[Any]:
    dtype = getattr(y, "dtype", None)
    categories = getattr(dtype, "categories", None)
    # polars Categorical columns share one set of categories, so the type declares no classes
    return [] if categories is None or type(dtype).__name__ == "Categorical" else list(categories)


def rows_at(table: Any, rows: Any) -> Any:
    """Return rows of a table, or cells of a column, by their indices, a mask or a slice.

    Examples
    --------
    >>> rows_at(["a", "b", "c"], [0, 2]), rows_at(np.arange(3), np.array([True, False, True]))
    (['a', 'c'], array([0, 2]))
    """
    if not type(table).__module__.startswith("polars"):
        return _safe_indexing(table, rows)
    import polars as pl

    if isinstance(rows, slice):
        return table[rows]
    index = np.asarray(rows)
    index = np.flatnonzero(index) if index.dtype == np.bool_ else index.astype(np.int64)
    if isinstance(table, pl.Series):
        return table.gather(index)
    return pl.DataFrame([column.gather(index) for column in table.get_columns()])


def _n_columns(X: Any) -> int | None:
    shape = getattr(X, "shape", None)
    return shape[1] if shape is not None and len(shape) == 2 else None
