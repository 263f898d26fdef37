"""Model of one column: its contribution to the scores of the classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.shapes import check_numbers
from induce.core.values import Value
from induce.counts.additive import Floats, same_fields, sums
from induce.data.schema import Column

Term = tuple[str, Floats]
"""A value of a row, and its log probability in each class."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ColumnModel:
    """Counts of one column by class, and the probabilities derived from them.

    Models of the same column are added by adding their counts.

    Parameters
    ----------
    column : Column
    holes : array of float64
        Weight of the rows of each class whose value is missing.
    """

    column: Column
    holes: Floats

    def __add__(self, other: Self) -> Self:
        raise TypeError(f"{type(self).__name__} cannot be added")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and same_fields(self, other)

    def __hash__(self) -> int:
        return hash((type(self), self.column))

    def check_classes(self, n_classes: int) -> None:
        """Raise an `InputError` unless the counts fit the column and the number of classes."""
        check_numbers("holes", self.holes, at_least=0)

    def count(self, values: Any, labels: NDArray[np.int64], weights: Floats | None) -> Self:
        """Return the model of the given rows alone, with the settings of this one."""
        raise TypeError(f"{type(self).__name__} does not count")

    def enlarged(self, column: Column, places: Sequence[int], n_classes: int) -> Self:
        """Return the model with further values or classes: class `i` becomes class `places[i]`."""
        raise TypeError(f"{type(self).__name__} cannot be extended")

    def add(self, scores: Floats, values: Any) -> None:
        """Add the contribution of the column to the scores of the given rows; `scores` has one row per class."""
        raise TypeError(f"{type(self).__name__} has no scores")

    def lacking(self) -> dict[str, str]:
        """Return the export formats that a hypothesis with this column does not support, with the reason."""
        return {}

    def terms(self, value: Any) -> list[Term]:
        """Return the contributions of the column for one row, given as an array with one value."""
        raise TypeError(f"{type(self).__name__} has no terms")

    def n_parameters(self) -> int:
        """Return the number of parameters of this column."""
        raise TypeError(f"{type(self).__name__} has no parameters")

    def n_free(self) -> int:
        """Return the number of free parameters; the probabilities of a class sum to 1."""
        return self.n_parameters()

    def _more_holes(self, places: Sequence[int], n_classes: int) -> Floats:
        holes = np.zeros(n_classes)
        holes[np.asarray(places, np.intp)] = self.holes
        return holes


def places(values: Sequence[Value], domain: Sequence[Value]) -> list[int]:
    """Return the position of each value in a domain.

    Examples
    --------
    >>> places(["b", "a"], ["a", "b", "c"])
    [1, 0]
    """
    place = {value: code for code, value in enumerate(domain)}
    return [place[value] for value in values]


def holes_by_class(
    missing: NDArray[np.bool_], labels: NDArray[np.int64], n_classes: int, weights: Floats | None
) -> Floats:
    """Return the weight of the rows of each class whose value is missing."""
    if not missing.any():
        return np.zeros(n_classes)
    weight = None if weights is None else weights[missing]
    return sums(labels[missing], weight, n_classes)
