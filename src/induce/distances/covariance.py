"""Mahalanobis distance: Euclidean distance on decorrelated axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.notes import note
from induce.data.schema import Schema
from induce.data.table import Table
from induce.distances.base import Distance
from induce.distances.rows import Floats, Rows

SINGULAR = 1e-12


@dataclass(frozen=True, eq=False)
class MahalanobisDistance(Distance):
    """The distance sqrt((x - z)ᵀ S⁻¹ (x - z)). A missing number counts as the mean of its column.

    Parameters
    ----------
    schema : Schema
        Input columns, all numeric.
    mean : array of float64
        Mean of each column.
    axes : array of float64, shape (columns, axes)
        Matrix that maps numbers to coordinates whose squared Euclidean distance is that of S⁻¹ = axes axesᵀ.
    power : float, default=2
        Power that is summed over the axes.
    name : str, default="mahalanobis"
        Name of the distance.
    """

    schema: Schema
    mean: Floats
    axes: Floats
    power: float = 2.0
    name: str = "mahalanobis"

    def shares(self, a: Rows, b: Rows) -> Floats:
        """Return the contribution of each column to the squared distance; correlated ones can be negative."""
        gaps = a.numbers - b.numbers
        towards = np.linalg.pinv(self.axes)
        return np.asarray((gaps @ towards) * (gaps @ self.axes.T))

    def unknown_powers(self) -> Floats:
        """Return zeros: no coordinate is missing."""
        return np.zeros(self.axes.shape[1])

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent, for example after loading from a file."""
        if self.axes.ndim != 2 or not len(self.axes) == len(self.mean) == len(self.schema):
            raise InputError(
                "the parts of the distance do not match its columns; compute it again from training rows"
            )

    def __str__(self) -> str:
        return self.name

    def _on_axes(self, table: Table) -> Rows:
        centred = np.nan_to_num(self._bounded(table.numeric - self.mean), nan=0.0)
        return Rows(self._bounded(centred @ self.axes), table.nominal)


def mahalanobis(table: Table, covariance: Any = None, weights: Floats | None = None) -> MahalanobisDistance:
    """Return the Mahalanobis distance, by default with the covariance of the rows.

    Directions in which the rows do not vary are ignored.

    Parameters
    ----------
    table : Table
        Training rows; all columns are numeric.
    covariance : array, optional
        Covariance matrix; by default that of the training rows.
    weights : array, optional
        Weight of each row.

    Examples
    --------
    >>> from induce.data.table import encode
    >>> from induce.data.schema import Column
    >>> origin = encode([[0.0, 0.0]], Schema((Column("a"), Column("b"))))
    >>> ellipse = mahalanobis(origin, [[2, 1], [1, 2]])
    >>> ellipse.between([[1, 0], [1, 1], [1, -1]], origin).ravel().round(6)
    array([0.816497, 0.816497, 1.414214])
    """
    for column in table.schema:
        if column.kind == "nominal":
            raise InputError(
                f"Mahalanobis distance needs numbers, but column {column.name!r} is nominal; use 'heom' or 'hvdm'"
            )
    weight = np.ones(len(table)) if weights is None else weights
    known = ~np.isnan(table.numeric)
    filled = np.where(known, table.numeric, 0.0)
    total = np.maximum((known * weight[:, np.newaxis]).sum(axis=0), np.finfo(np.float64).tiny)
    mean = (filled * weight[:, np.newaxis]).sum(axis=0) / total
    if covariance is None:
        centred = np.where(known, table.numeric - mean, 0.0)
        covariance = (centred.T * weight) @ centred / max(weight.sum(), 1e-300)
    given = np.asarray(covariance, dtype=np.float64)
    if given.shape != (len(table.schema),) * 2 or not np.isfinite(given).all():
        raise InputError(
            f"covariance has shape {given.shape}; give {len(table.schema)} finite numbers per column"
        )
    values, vectors = np.linalg.eigh(given)
    spread = values > SINGULAR * max(float(values.max(initial=0.0)), 1e-300)
    if not spread.all():
        note("the rows do not vary in some directions, which Mahalanobis distance ignores")
    return MahalanobisDistance(table.schema, mean, vectors[:, spread] / np.sqrt(values[spread]))
