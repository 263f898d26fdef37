"""Distances that add up over the attributes of mixed tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.shapes import check_numbers
from induce.data.schema import Schema
from induce.data.table import Table, positions
from induce.distances.base import Distance
from induce.distances.rows import Floats, Rows


@dataclass(frozen=True, eq=False)
class AttributeDistance(Distance):
    """A distance whose `power`-th power is a sum of one contribution per attribute.

    A number contributes its difference divided by `scale`. A nominal value contributes 0 or 1, or the
    difference between the class proportions of the two values if `profiles` has them. A nominal value that is
    missing or was not seen in training has distance 1 from any other, a missing number distance `unknown` on
    the scaled axis. Axes are stretched by `weights` (Mitchell §8.2.2).

    Parameters
    ----------
    schema : Schema
        Input columns.
    name : str
        Name of the distance.
    power : float
        Exponent; the distance to this power is a sum over the attributes.
    scale, unknown : array of float64, one for each numeric column
        Divisor of each column, and distance of a missing number on the scaled axis.
    weights : array of float64, one for each column
        Weight of each column.
    profiles : tuple of arrays, one for each nominal column
        Proportion of each class among the training rows with each value, NaN for a value without rows; or
        empty.
    """

    schema: Schema
    name: str
    power: float
    scale: Floats
    unknown: Floats
    weights: Floats
    profiles: tuple[Floats, ...]

    def stretched(self, weights: Floats) -> AttributeDistance:
        """Return the distance with different column weights."""
        return replace(self, weights=np.asarray(weights, dtype=np.float64))

    def shares(self, a: Rows, b: Rows) -> Floats:
        """Return the contribution of each column to the power of the distance, for pairs of rows."""
        terms = list(self._terms(a, b))
        n_numbers = len(self.scale)
        return np.stack([terms[p if p >= 0 else n_numbers - 1 - p] for p in positions(self.schema)], axis=-1)

    def unknown_powers(self) -> Floats:
        """Return the contribution of a missing number in each numeric column."""
        return self._raised(self._bounded(self.unknown * self._numeric_weights()))

    def costs(self, column: int, codes: NDArray[Any]) -> Floats:
        """Return the contributions of nominal values: one row per code; columns are missing, then each value."""
        place = next(j for j, p in enumerate(positions(self.schema)) if p == -1 - column)
        stretch = self._raised(self.weights[place : place + 1])
        domain = len(self.schema.columns[place].domain)
        found = np.ones((len(codes), domain + 1))
        known = np.flatnonzero(codes >= 0)
        profiles = self.profiles[column]
        if len(profiles):
            gaps = np.abs(profiles[codes[known], np.newaxis] - profiles[np.newaxis])
            found[known, 1:] = np.nan_to_num(self._raised(gaps).sum(axis=2), nan=1.0)
        else:
            found[known, codes[known] + 1] = 0.0
        return found * stretch

    def overlaps(self, column: int) -> bool:
        """Return whether two values of a nominal column only count as equal or different."""
        return not len(self.profiles[column])

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent, for example after loading from a file."""
        for field in ("scale", "unknown", "weights"):
            check_numbers(field, getattr(self, field), at_least=0)
        nominal = [column for column in self.schema if column.kind == "nominal"]
        n_numbers = len(self.schema) - len(nominal)
        fits = (
            self.scale.shape == self.unknown.shape == (n_numbers,)
            and self.weights.shape == (len(self.schema),)
            and len(self.profiles) == len(nominal)
            and all(
                not len(profile) or (profile.ndim == 2 and len(profile) == len(column.domain))
                for profile, column in zip(self.profiles, nominal, strict=True)
            )
        )
        if not fits or not self.power >= 1:
            raise InputError(
                "the parts of the distance do not match its columns; compute it again from training rows"
            )

    def __str__(self) -> str:
        stretch = [
            f"{column.name} {weight:.3g}"
            for column, weight in zip(self.schema, self.weights, strict=True)
            if weight != 1
        ]
        return self.name + (f", stretched by {', '.join(stretch)}" if stretch else "")

    def _on_axes(self, table: Table) -> Rows:
        stretch = self._numeric_weights()
        with np.errstate(over="ignore"):
            numbers = self._bounded(table.numeric / self.scale) * stretch
        return Rows(self._bounded(numbers), table.nominal)

    def _numeric_weights(self) -> Floats:
        numeric = [j for j, p in enumerate(positions(self.schema)) if p >= 0]
        return self.weights[numeric]
