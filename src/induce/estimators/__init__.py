"""Bases of learners from tables: read the table, infer its schema, check target and weights.

`TableClassifier`, `UnweightedClassifier`, `TableRegressor` and `TableDensity` require one method of a
learner: `_learn`, from a reading to a hypothesis.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.blas import one_thread
from induce.core.errors import InputError
from induce.core.estimator import (
    HypothesisClassifier,
    HypothesisDensity,
    HypothesisEstimator,
    HypothesisRegressor,
    declared_classes,
    given_weights,
    output_names,
)
from induce.core.hypothesis import Hypothesis
from induce.core.partitioned import Partitioned
from induce.core.trace import learning
from induce.core.values import Value
from induce.data.frames import RawFrame
from induce.data.schema import Schema
from induce.data.table import MOST_VALUES, Table, encode_declared
from induce.data.training import Examples, training_frame, training_schema
from induce.hypotheses.kinds.density import Density

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Reading:
    """A training table as read.

    Parameters
    ----------
    raw : RawFrame
        Columns before encoding.
    schema : Schema
        Schema of the columns.
    weights : array of float64 or None
        Weight of each row; None if all rows have weight 1.
    """

    raw: RawFrame
    schema: Schema
    weights: Floats | None

    def __len__(self) -> int:
        return self.raw.n_rows

    @cached_property
    def table(self) -> Table:
        """Encoded input columns."""
        return encode_declared(self.raw, self.schema)

    def weight(self) -> Floats:
        """Return the weight of every row."""
        return np.ones(len(self)) if self.weights is None else self.weights


@dataclass(frozen=True, eq=False)
class ClassReading(Reading):
    """A training table with the class of each row, as an index into `classes`.

    `X`, `y` and `sample_weight` are unchanged: ensembles pass them on to their members.
    """

    target: str
    classes: tuple[Value, ...]
    labels: NDArray[np.int64]
    X: Any = field(default=None, kw_only=True)
    y: Any = field(default=None, kw_only=True)
    sample_weight: Any = field(default=None, kw_only=True)

    def says_nothing(self) -> str:
        """Return why the rows cannot refine a theory: there are none, or all are of one class; otherwise empty."""
        if not len(self):
            return "there are no examples"
        return "all rows are of one class" if len(set(self.labels.tolist())) == 1 else ""

    def examples(self) -> Examples:
        """Return the encoded examples whose weight is not zero."""
        return self.all_examples().counted()

    def all_examples(self) -> Examples:
        """Return the encoded examples."""
        return Examples(self.table, self.labels, self.weights, len(self.classes))

    @property
    def names(self) -> tuple[Schema, str, tuple[Value, ...]]:
        """Constructor arguments of hypotheses: the schema, the name of the target, the classes."""
        return self.schema, self.target, self.classes


@dataclass(frozen=True, eq=False)
class NumberReading(Reading):
    """A training table with a numeric target; `names` holds the target names if there are several.

    `X` is unchanged: ensembles pass it on to their members.
    """

    target: str
    numbers: Floats
    names: tuple[str, ...] = ()
    X: Any = field(default=None, kw_only=True)


class FromTable(HypothesisEstimator):
    """Base of learners from a table; `schema` is the user's declaration of its columns."""

    schema: Schema | dict[str, Any] | None
    takes_text: ClassVar[bool] = False
    """Whether columns of text are inputs; they are ignored with a note otherwise."""

    def _training_schema(self, X: Any, raw: RawFrame, n_targets: int | None) -> Schema:
        schema = self._amended(training_schema(raw, n_targets, self.schema, self.takes_text))
        self._seen(X, schema.names())
        return schema

    def _amended(self, schema: Schema) -> Schema:
        """Return the schema with the declarations made by the learner's parameters."""
        return schema


class ReadingClassifier(HypothesisClassifier, FromTable):
    """Base of learners from a table with classes."""

    def _begins_with_theory(self) -> bool:
        """Return whether the learner starts from a theory, which is the hypothesis without useful examples."""
        return False

    def _read(self, X: Any, y: Any, sample_weight: Any) -> ClassReading:
        self._begin_fit()
        theory = self._begins_with_theory()
        raw = training_frame(X, may_be_empty=theory)
        target, classes, labels = self._declared_target(y) if theory else self._target(y)
        if len(classes) > MOST_VALUES:
            raise InputError(
                f"y has {len(classes):,} different classes, too many for classification; if it is "
                "numeric, use a regressor"
            )
        schema = self._training_schema(X, raw, len(labels))
        class_weight = getattr(self, "class_weight", None) if len(labels) else None
        weights = self._weights(sample_weight, class_weight, classes, labels)
        return ClassReading(
            raw, schema, weights, target, classes, labels, X=X, y=y, sample_weight=sample_weight
        )

    def _declared_target(self, y: Any) -> tuple[str, tuple[Value, ...], NDArray[np.int64]]:
        """Return the result of `_target`; with fewer than two classes in the rows, those that y declares."""
        declared = declared_classes(y)
        if y is not None and not len(y):
            if not declared:
                raise InputError(
                    "y has no rows and declares no classes; give an empty column that declares them, "
                    "such as polars.Series(name, [], polars.Enum(classes))"
                )
            self.classes_ = np.unique(np.asarray(declared))
            return str(getattr(y, "name", None) or "class"), tuple(declared), np.empty(0, np.int64)
        target, classes, labels = self._target(y)
        if len(classes) > 1 or len(declared) < 2:
            return target, classes, labels
        self.classes_ = np.unique(np.asarray(declared))
        return target, tuple(declared), labels + declared.index(classes[0])

    def _fit_scan(self, source: Any, y: Any, sample_weight: Any) -> None:
        """Learn from a partitioned table; a learner that sums over partitions has `_learn_scan`."""
        from induce.estimators.scale import fit_scan

        fit_scan(self, source, y, sample_weight)

    def _keep(self, reading: ClassReading) -> None:
        """Learn from a reading; learners that keep examples for `partial_fit` override this, not `_learn`."""
        self.hypothesis_ = self._learn(reading)

    def _learn(self, reading: ClassReading) -> Hypothesis:
        raise TypeError(f"{type(self).__name__} does not learn")


class TableClassifier(ReadingClassifier):
    """A classifier for tables with optional row weights."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from a table and the class of each row, or from a partitioned table (`induce.scan`).

        Parameters
        ----------
        X : frame or array, or Scan
            Table of pandas, polars or pyarrow, or array; values may be missing. A scanned table has its own
            target.
        y : series, array or list
            Class of each row.
        sample_weight : array, optional
            Weight of each row. Integer weights count rows; other weights are relative, and are normalised to
            sum to the number of rows.
        """
        if isinstance(X, Partitioned):
            self._fit_scan(X, y, sample_weight)
            return self
        reading = self._read(X, y, sample_weight)
        with one_thread(), learning(type(self).__name__):
            self._keep(reading)
        return self


class UnweightedClassifier(ReadingClassifier):
    """A classifier for tables without row weights."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from a table and the class of each row, or from a partitioned table (`induce.scan`).

        Parameters
        ----------
        X : frame or array, or Scan
            Table of pandas, polars or pyarrow, or array; values may be missing. A scanned table has its own
            target.
        y : series, array or list
            Class of each row.
        """
        if isinstance(X, Partitioned):
            self._fit_scan(X, y, None)
            return self
        reading = self._read(X, y, None)
        with one_thread(), learning(type(self).__name__):
            self._keep(reading)
        return self


class ReadingRegressor(HypothesisRegressor, FromTable):
    """Base of regressors from tables."""

    def _read(self, X: Any, y: Any, sample_weight: Any) -> NumberReading:
        self._begin_fit()
        raw = training_frame(X)
        target, numbers = self._target(y)
        schema = self._training_schema(X, raw, len(numbers))
        names = output_names(y, numbers.shape[1]) if numbers.ndim == 2 else (target,)
        weights = given_weights(sample_weight, len(numbers))
        return NumberReading(raw, schema, weights, target, numbers, names, X=X)

    def _fit_scan(self, source: Any, y: Any, sample_weight: Any) -> None:
        """Learn from a partitioned table; a learner that sums over partitions has `_learn_scan`."""
        from induce.estimators.scale import fit_scan

        fit_scan(self, source, y, sample_weight, "number")


class TableRegressor(ReadingRegressor):
    """A regressor for tables with optional row weights."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from a table and the target of each row, or from a partitioned table (`induce.scan`).

        Parameters
        ----------
        X : frame or array, or Scan
            Table of pandas, polars or pyarrow, or array; values may be missing. A scanned table has its own
            target.
        y : series, array or list
            Target of each row.
        sample_weight : array, optional
            Weight of each row. Integer weights count rows; other weights are relative, and are normalised to
            sum to the number of rows.
        """
        if isinstance(X, Partitioned):
            self._fit_scan(X, y, sample_weight)
            return self
        reading = self._read(X, y, sample_weight)
        with one_thread(), learning(type(self).__name__):
            self.hypothesis_ = self._learn(reading)
        return self

    def _learn(self, reading: NumberReading) -> Hypothesis:
        raise TypeError(f"{type(self).__name__} does not learn")


class UnweightedRegressor(ReadingRegressor):
    """A regressor for tables without row weights."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from a table and the target of each row, or from a partitioned table (`induce.scan`).

        Parameters
        ----------
        X : frame or array, or Scan
            Table of pandas, polars or pyarrow, or array; values may be missing. A scanned table has its own
            target.
        y : series, array or list
            Target of each row.
        """
        if isinstance(X, Partitioned):
            self._fit_scan(X, y, None)
            return self
        reading = self._read(X, y, None)
        with one_thread(), learning(type(self).__name__):
            self.hypothesis_ = self._learn(reading)
        return self


class TableDensity(HypothesisDensity, FromTable):
    """A density estimator for tables without a target."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from a table, or from a partitioned table (`induce.scan`).

        Parameters
        ----------
        X : frame or array, or Scan
            Table of pandas, polars or pyarrow, or array; values may be missing.
        y : object, optional
            Ignored: there is no target.
        sample_weight : array, optional
            Weight of each row. Integer weights count rows; other weights are relative, and are normalised to
            sum to the number of rows.
        """
        if isinstance(X, Partitioned):
            self._fit_scan(X, sample_weight)
            return self
        self._begin_fit()
        raw = training_frame(X)
        schema = self._training_schema(X, raw, None)
        reading = Reading(raw, schema, given_weights(sample_weight, raw.n_rows))
        with one_thread(), learning(type(self).__name__):
            self.hypothesis_ = self._learn(reading)
        return self

    def _fit_scan(self, source: Any, sample_weight: Any) -> None:
        """Learn from a partitioned table; a learner that sums over partitions has `_learn_scan`."""
        from induce.estimators.scale import fit_scan

        fit_scan(self, source, None, sample_weight, "nothing")

    def _learn(self, reading: Reading) -> Density:
        raise TypeError(f"{type(self).__name__} does not learn")
