"""Nominal columns, and numeric ones cut into intervals: a probability for each value in each class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.bayes.naive_bayes.column import ColumnModel, Term, holes_by_class
from induce.bayes.naive_bayes.column import places as places_of
from induce.bayes.naive_bayes.smoothing import Smoothing, shares
from induce.core.errors import InputError
from induce.core.shapes import check_shapes
from induce.counts.additive import Floats
from induce.counts.joint import JointCounts
from induce.data.schema import Column
from induce.data.table import MISSING, UNSEEN
from induce.hypotheses.conditions import interval
from induce.hypotheses.naming import value_text


@dataclass(frozen=True, eq=False, kw_only=True)
class NominalColumn(ColumnModel):
    """P(value | class) by counting (Mitchell, equation 6.20 with 6.22).

    A missing value and one not seen in training, declared or not, are ignored, or are values of their own.
    The evidence of a declared value that no row has would come from pseudo-counts alone, which only favour
    small classes.

    Parameters
    ----------
    counts : JointCounts
        Counts of values (rows) by class (columns).
    smoothing : Smoothing
    as_values : bool
        Whether missing and unseen are values of their own.

    See Also
    --------
    ColumnModel : the other parameters.
    """

    counts: JointCounts
    smoothing: Smoothing
    as_values: bool = False

    def codes(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the index of each value in the domain; -1 if missing, -2 if unseen."""
        return values

    def labels(self) -> list[str]:
        """Return the names of the values of the domain."""
        name = value_text(self.column.name)
        return [f"{name} = {value_text(value)}" for value in self.column.domain]

    @cached_property
    def pseudo(self) -> Floats:
        """Pseudo-count of each value, including unseen and missing if they are values."""
        return self.smoothing.pseudo(len(self.counts.table), self.column.name, 2 if self.as_values else 0)

    @cached_property
    def table(self) -> Floats:
        """Counts of each value in each class, including unseen and missing if they are values."""
        if not self.as_values:
            return self.counts.table
        return np.vstack([self.counts.table, np.zeros_like(self.holes), self.holes])

    @cached_property
    def probabilities(self) -> Floats:
        """P(value | class), one row per value and one column per class."""
        return shares(self.table, self.pseudo)

    @cached_property
    def log_table(self) -> Floats:
        """Log probabilities, one row per class; the last columns, -2 and -1, are for unseen and missing
        values.
        """
        with np.errstate(divide="ignore"):
            logarithms = np.log(self.probabilities)
        if not self.as_values:
            logarithms[self.table.sum(axis=1) == 0] = 0.0
            logarithms = np.vstack([logarithms, np.zeros((2, len(self.holes)))])
        return np.ascontiguousarray(logarithms.T)

    def count(self, values: Any, labels: NDArray[np.int64], weights: Floats | None) -> Self:
        """Count the values of the given rows."""
        codes, n_classes = self.codes(values), len(self.holes)
        counts = JointCounts.of([codes, labels], [len(self.counts.table), n_classes], weights)
        return replace(self, holes=holes_by_class(codes < 0, labels, n_classes, weights), counts=counts)

    def __add__(self, other: Self) -> Self:
        return replace(self, holes=self.holes + other.holes, counts=self.counts + other.counts)

    def enlarged(self, column: Column, places: Sequence[int], n_classes: int) -> Self:
        """Return the model with further values or classes."""
        rows = places_of(self.column.domain, column.domain)
        counts = self.counts.placed([rows, places], [len(column.domain), n_classes])
        return replace(self, column=column, holes=self._more_holes(places, n_classes), counts=counts)

    def check_classes(self, n_classes: int) -> None:
        """Raise an `InputError` unless there is a count for each value and class."""
        super().check_classes(n_classes)
        check_shapes(self.counts, {"table": "values classes"}, values=self._n_values, classes=n_classes)
        self.smoothing.pseudo(self._n_values, self.column.name)

    @property
    def _n_values(self) -> int:
        return len(self.column.domain)

    def add(self, scores: Floats, values: Any) -> None:
        """Add the log probability of each value."""
        scores += np.take(self.log_table, self.codes(values), axis=1)

    def terms(self, value: Any) -> list[Term]:
        """Return the evidence of one row's value."""
        code = int(self.codes(value)[0])
        if code < 0 and not self.as_values:
            return []
        what = {MISSING: "is missing", UNSEEN: "was not seen in training"}.get(code)
        label = self.labels()[code] if what is None else f"{value_text(self.column.name)} {what}"
        return [(label, self.log_table[:, code])]

    def n_parameters(self) -> int:
        """Return the number of conditional probabilities."""
        return int(self.table.size)

    def n_free(self) -> int:
        """Return the number of free parameters."""
        return self.n_parameters() - len(self.holes)


@dataclass(frozen=True, eq=False, kw_only=True)
class IntervalColumn(NominalColumn):
    """A numeric column cut into intervals, each of which is a value.

    Parameters
    ----------
    cuts : array of float64
        Cut points in ascending order; a number equal to a cut point is in the interval that ends there.

    See Also
    --------
    NominalColumn : the other parameters.
    """

    cuts: Floats

    def check_classes(self, n_classes: int) -> None:
        """Raise an `InputError` unless there is a count for each interval and class."""
        check_shapes(self, {"cuts": "cuts"})
        if not (np.diff(self.cuts) > 0).all():
            raise InputError("the cut points of the intervals are not in ascending order; learn them again")
        super().check_classes(n_classes)

    @property
    def _n_values(self) -> int:
        return len(self.cuts) + 1

    def codes(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the interval of each number; -1 if missing."""
        return np.where(np.isnan(values), MISSING, np.searchsorted(self.cuts, values)).astype(np.int32)

    def labels(self) -> list[str]:
        """Return the names of the intervals."""
        edges = [-np.inf, *self.cuts.tolist(), np.inf]
        if len(edges) == 2:
            return [f"{value_text(self.column.name)} is known"]
        return [
            str(interval(self.column.name, low, high, self.column.counted)) for low, high in pairwise(edges)
        ]

    def enlarged(self, column: Column, places: Sequence[int], n_classes: int) -> Self:
        """Return the model with further classes."""
        rows = range(len(self.counts.table))
        counts = self.counts.placed([rows, places], [len(rows), n_classes])
        return replace(self, holes=self._more_holes(places, n_classes), counts=counts)
