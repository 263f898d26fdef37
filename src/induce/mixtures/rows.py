"""Rows of a table for EM: distinct rows with scaled numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from induce.core.notes import note
from induce.data.numeric_view import FAR, Floats, NumericView
from induce.data.patterns import patterns
from induce.data.table import Codes, Table
from induce.hypotheses.naming import plural

Places = NDArray[np.int64]
R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class Rows:
    """Distinct rows with their weights.

    Parameters
    ----------
    numeric : array of float64, shape (rows, numeric columns)
        Numbers in the units of the mixture; NaN if missing.
    nominal : array of int32, shape (rows, nominal columns)
        Codes of values; negative if missing.
    weights : array of float64
    sizes : tuple of int
        Number of values of each nominal column.
    """

    numeric: Floats
    nominal: Codes
    weights: Floats
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, numeric: Floats, nominal: Codes, weights: Floats, sizes: tuple[int, ...]) -> Rows:
        """Return the distinct rows in a canonical order, so that the order of the table has no effect.

        Examples
        --------
        >>> rows = Rows.of(np.array([[2.0], [1.0], [2.0]]), np.zeros((3, 0), np.int32), np.ones(3), ())
        >>> rows.numeric.ravel().tolist(), rows.weights.tolist()
        ([1.0, 2.0], [1.0, 2.0])
        """
        counted = weights > 0
        numeric, nominal, weights = numeric[counted], nominal[counted], weights[counted]
        keys = [*np.where(np.isnan(numeric), np.inf, numeric).T, *nominal.T]
        order = np.lexsort(keys[::-1]) if keys else np.arange(len(weights))
        new = np.ones(len(order), np.bool_)
        if len(order) > 1:
            new[1:] = np.any([key[order[1:]] != key[order[:-1]] for key in keys], axis=0) if keys else False
        first = order[new]
        if len(first) == len(order):
            return cls(numeric[order], np.ascontiguousarray(nominal[order]), weights[order], sizes)
        total = np.bincount(np.cumsum(new) - 1, weights[order]).astype(np.float64)
        return cls(numeric[first], np.ascontiguousarray(nominal[first]), total, sizes)

    def __len__(self) -> int:
        return len(self.weights)

    @cached_property
    def total(self) -> float:
        """Total weight of the rows."""
        return float(self.weights.sum())

    @cached_property
    def places(self) -> Places:
        """Start of the values of each nominal column in arrays over all values."""
        return np.concatenate([[0], np.cumsum(self.sizes)])[:-1].astype(np.int64)

    @cached_property
    def variances(self) -> Floats:
        """Variance of each numeric column; 1 if all values are missing."""
        known = ~np.isnan(self.numeric) * self.weights[:, np.newaxis]
        count = known.sum(axis=0)
        filled = np.nan_to_num(self.numeric)
        mean = (known * filled).sum(axis=0) / np.maximum(count, 1e-300)
        found = (known * np.square(filled - mean)).sum(axis=0) / np.maximum(count, 1e-300)
        return np.where(found > 0, found, 1.0)

    @cached_property
    def shares(self) -> Floats:
        """Relative frequency of each nominal value in its column, smoothed by one row in total."""
        found = np.ones(sum(self.sizes))
        for place, size, codes in zip(self.places, self.sizes, self.nominal.T, strict=True):
            known = codes >= 0
            counts = np.bincount(codes[known], self.weights[known], size) + 1.0 / max(size, 1)
            found[place : place + size] = counts / counts.sum()
        return found

    @cached_property
    def known(self) -> Floats:
        """Weight of the rows in which each number is known."""
        return np.asarray((~np.isnan(self.numeric) * self.weights[:, np.newaxis]).sum(axis=0), np.float64)

    @cached_property
    def correlated(self) -> bool:
        """Whether some numeric column is a linear combination of others, so that their covariance is
        singular.
        """
        whole = ~np.isnan(self.numeric).any(axis=1)
        if self.numeric.shape[1] < 2 or whole.sum() < 3:
            return True
        covariance = np.cov(self.numeric[whole].T / np.sqrt(self.variances)[:, np.newaxis])
        return bool(np.linalg.eigvalsh(covariance)[0] < 1e-6)

    @cached_property
    def groups(self) -> list[tuple[NDArray[np.bool_], Rows]]:
        """Groups of rows with the same known numbers, and these numbers alone."""
        if not np.isnan(self.numeric).any():
            return [(np.ones(self.numeric.shape[1], np.bool_), self)]
        return [
            (
                known,
                Rows(
                    np.ascontiguousarray(self.numeric[index][:, known]),
                    self.nominal[index],
                    self.weights[index],
                    self.sizes,
                ),
            )
            for known, index in patterns(~np.isnan(self.numeric))
        ]

    def summed(self, function: Callable[[Rows], R], add: Callable[[R, R], R]) -> R:
        """Return a function of the rows; `ManyRows` sums it over partitions."""
        return function(self)

    def blocks(self, most: int) -> Iterator[Rows]:
        """Yield the rows in batches."""
        if len(self) <= most:
            yield self
            return
        for start in range(0, len(self), most):
            part = slice(start, start + most)
            yield Rows(self.numeric[part], self.nominal[part], self.weights[part], self.sizes)


@dataclass(frozen=True, eq=False)
class Units:
    """Scaling of numeric columns: scaled values are (x - `offset`) / `scale`.

    The scale of a constant or empty column is NaN: its numbers are treated as missing.
    """

    offset: Floats
    scale: Floats

    @classmethod
    def of(cls, table: Table, weights: Floats, scale: str | None) -> Units:
        """Return deviations from the mean, divided by the standard deviation of each column or by the largest
        of all.
        """
        view = NumericView.of(table, "standard", weights)
        numbers = np.where(weights[:, np.newaxis] > 0, table.numeric, np.nan)
        known = ~np.isnan(numbers)
        low = np.where(known, numbers, np.inf).min(axis=0, initial=np.inf)
        high = np.where(known, numbers, -np.inf).max(axis=0, initial=-np.inf)
        constant, never = low == high, ~known.any(axis=0)
        scales = (
            view.scale
            if scale
            else np.full_like(view.scale, np.max(view.scale, initial=0.0, where=low < high))
        )
        offset = np.where(never, np.nan, np.where(constant, low, view.offset))
        names = [column.name for column in table.schema if column.kind != "nominal"]
        if len(table) > 1:
            tell_constant([name for name, single in zip(names, constant, strict=True) if single])
        return cls(offset, np.where(constant | never, np.nan, scales))

    def scaled(self, numeric: Floats) -> Floats:
        """Return scaled numbers."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(np.clip((numeric - self.offset) / self.scale, -FAR, FAR))


def tell_constant(names: Sequence[str]) -> None:
    """Emit a note on constant columns, if there are any."""
    if names:
        verb = "is" if len(names) == 1 else "are"
        note(f"{plural(len(names), 'column')} {verb} constant and ignored: {', '.join(map(repr, names))}")
