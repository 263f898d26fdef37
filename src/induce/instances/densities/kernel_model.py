"""Kernel density estimate as a value (AIMA 20.4; Parzen windows)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.randomness import RandomState, generator
from induce.data.numeric_view import Floats
from induce.data.patterns import patterns
from induce.data.table import Codes
from induce.instances.densities.explanation import DensityExplanation, contributions
from induce.instances.densities.stored import Places, StoredDensity
from induce.instances.kernels import AREAS, DistanceKernel
from induce.instances.units import shown

if TYPE_CHECKING:
    from polars import DataFrame

CELLS = 2_000_000
"""Number of pairs of rows processed at a time."""


@dataclass(frozen=True, eq=False)
class KernelDensityModel(StoredDensity):
    """The mean of kernels around the stored rows, each the product of one kernel per column.

    A numeric column contributes the kernel's density around the stored value; a nominal column, the stored
    category, replaced with probability `smoothing` by a random one. A stored row with a missing value in a
    column gets the mean kernel of the other rows there. Missing values of a query are ignored; a category not
    seen in training differs from all others.

    Parameters
    ----------
    kernel : DistanceKernel
        Kernel; its width is in the units of the stored rows.
    smoothing : float
        Probability that a category is replaced at random.

    See Also
    --------
    StoredDensity : the parameters that describe the stored rows.
    """

    kernel: DistanceKernel
    smoothing: float

    @property
    def reach(self) -> float:
        """Distance beyond the stored rows up to which the density is drawn."""
        return 3.0 * self.kernel.width

    def log_density(self, numeric: Floats, nominal: Codes, own: Places | None = None) -> Floats:
        """Return the log density of rows in the units of the stored rows."""
        found = [np.zeros(0)]
        for part, mine in self.blocks(len(numeric), own):
            numbers = self.log_numbers(numeric[part], self.kernel, self.squares(numeric[part]))
            found.append(self.combined(numbers, self.log_categories(nominal[part], self.smoothing), mine))
        return np.concatenate(found)

    def blocks(self, n: int, own: Places | None = None) -> Iterator[tuple[slice, Places | None]]:
        """Yield queries in batches, with their positions among the stored rows."""
        size = max(1, CELLS // len(self.weights))
        for start in range(0, n, size):
            part = slice(start, start + size)
            yield part, None if own is None else own[part]

    def combined(self, numbers: Floats, categories: Floats, own: Places | None = None) -> Floats:
        """Return the log of the mean of the kernels, given the logs of their two parts."""
        logs = numbers + categories
        weights, total = self.weights, np.full(len(logs), self.total)
        logs += np.log(weights)
        if own is not None:  # each query's own row is left out once
            rest = np.maximum(weights[own] - 1.0, 0.0)
            with np.errstate(divide="ignore"):
                logs[np.arange(len(own)), own] += np.log(rest) - np.log(weights[own])
            total -= np.minimum(weights[own], 1.0)
        return np.asarray(_log_sum(logs) - np.log(total))

    @cached_property
    def _together(self) -> NDArray[np.bool_]:
        """Numeric columns without missing values, in which a product of Gaussians is a Gaussian of the
        distance.
        """
        whole = np.asarray(~np.isnan(self.numeric).any(axis=0))
        return whole if self.kernel.name == "gaussian" else np.zeros_like(whole)

    def squares(self, numeric: Floats) -> Floats:
        """Return the squared distances of queries from the stored rows, in the joint columns."""
        from scipy.spatial.distance import cdist

        found = np.zeros((len(numeric), len(self.weights)))
        for known, rows in patterns(~np.isnan(numeric[:, self._together])):
            columns = np.flatnonzero(self._together)[known]
            if len(columns):
                found[rows] = cdist(numeric[rows][:, columns], self.numeric[:, columns], "sqeuclidean")
        return found

    def log_numbers(self, numeric: Floats, kernel: DistanceKernel, squares: Floats) -> Floats:
        """Return the log density of each query's numeric values around those of each stored row."""
        with np.errstate(over="ignore"):
            found = -0.5 * squares / kernel.width / kernel.width
        known = ~np.isnan(numeric)
        norm = np.log(kernel.width * AREAS[kernel.name]) + np.log(self.scale)
        found -= (known @ norm)[:, np.newaxis]
        for column in np.flatnonzero(~self._together):
            rows = np.flatnonzero(known[:, column])
            found[rows] += self._log_column(numeric[rows, column], int(column), kernel)
        return found

    def _log_column(self, values: Floats, column: int, kernel: DistanceKernel) -> Floats:
        """Return the log kernel of the given values around a column that may have missing values."""
        stored = self.numeric[:, column]
        with np.errstate(divide="ignore"):
            away = np.abs(values[:, np.newaxis] - stored)
            logs = (
                -0.5 * np.square(away / kernel.width) if kernel.name == "gaussian" else np.log(kernel(away))
            )
        return _holes_filled(logs, self.weights, ~np.isnan(stored))

    def log_categories(self, nominal: Codes, smoothing: float) -> Floats:
        """Return the log probability of each query's categories given those of each stored row."""
        found = np.zeros((len(nominal), len(self.weights)))
        for codes, stored, column in zip(nominal.T, self.nominal.T, self.values, strict=True):
            anew = smoothing / max(1, len(column.domain))
            with np.errstate(divide="ignore"):
                like, unlike = np.log(1.0 - smoothing + anew), np.log(anew)
            known = codes != -1
            logs = np.asarray(np.where(codes[known, np.newaxis] == stored, like, unlike), dtype=np.float64)
            found[known] += _holes_filled(logs, self.weights, stored >= 0)
        return found

    def kernels_along(self, x: Floats) -> Iterator[Floats]:
        """Yield, for each stored row, its contribution to the density along the only column."""
        line = x[:, np.newaxis]
        logs = self.log_numbers(line, self.kernel, self.squares(line)) + np.log(self.weights / self.total)
        return iter(np.exp(logs.T))

    def sample(self, n: int = 1, random_state: RandomState = None) -> DataFrame:
        """Return a polars frame of `n` random rows."""
        random = generator(random_state)
        rows = random.choice(len(self.weights), n, p=self.weights / self.total)
        numeric = self.numeric[rows]
        for place, column in enumerate(self.numeric.T):
            numeric[:, place] = _donated(column, rows, self.weights, random)
        numeric += self.kernel.width * _noise(self.kernel.name, numeric.shape, random)
        nominal = np.empty((n, self.nominal.shape[1]), dtype=np.int32)
        for place, column in enumerate(self.values):
            codes = self.nominal[:, place].astype(np.float64)
            drawn = _donated(np.where(codes < 0, np.nan, codes), rows, self.weights, random)
            anew = random.random(n) < self.smoothing
            other = random.integers(0, max(1, len(column.domain)), n)
            nominal[:, place] = np.where(anew | np.isnan(drawn), other if column.domain else -1, drawn)
        return self.frame(numeric, nominal)

    def explain(self, X: Any) -> tuple[DensityExplanation, ...]:
        """Return, for each row, the stored rows that contribute to its density."""
        table = self.encoded(X)
        numeric, told = self.scaled(table.numeric), []
        for part, _ in self.blocks(len(table)):
            logs = self.log_numbers(numeric[part], self.kernel, self.squares(numeric[part]))
            logs += self.log_categories(table.nominal[part], self.smoothing) + np.log(self.weights)
            for found in logs:
                top = found.max() if np.isfinite(found.max()) else 0.0
                shares = np.exp(found - top)
                shares /= shares.sum() or 1.0
                value = float(_log_sum(found[np.newaxis])[0] - np.log(self.total))
                rows = contributions(self, shares, np.arange(len(shares)))
                told.append(DensityExplanation(value, f"the mean of kernels around {self.size()}", rows))
        return tuple(told)

    def __str__(self) -> str:
        names = [column.name for column in self.schema.inputs() if column.kind != "nominal"]
        lines = [f"density of {len(self.schema.inputs())} columns: the mean of kernels, {self.size()}"]
        if names:
            sizes = self.kernel.width * self.scale
            widths = [f"{name} {shown(width)}" for name, width in zip(names, sizes, strict=True)]
            more = f", … ({len(widths) - 8} more)" if len(widths) > 8 else ""
            lines.append(f"  {self.kernel.name} kernel, bandwidth {', '.join(widths[:8])}{more}")
        if self.values:
            lines.append(f"  a category is replaced at random with probability {shown(self.smoothing)}")
        return "\n".join([*lines, *([f"  {self.choice.said()}"] if self.choice else [])])


def _holes_filled(logs: Floats, weights: Floats, known: Any) -> Floats:
    """Fill in the mean of the other kernels for stored rows with a missing value."""
    if known.all():
        return logs
    if not known.any():
        return np.zeros_like(logs)
    share = np.log(weights[known] / weights[known].sum())
    logs = logs.copy()
    logs[:, ~known] = _log_sum(logs[:, known] + share)[:, np.newaxis]
    return logs


def _log_sum(logs: Floats) -> Floats:
    """Return the log of the sum of exponentials along each row."""
    top = logs.max(axis=1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(logs - top).sum(axis=1)) + top[:, 0])


def _donated(column: Floats, rows: Places, weights: Floats, random: np.random.Generator) -> Floats:
    """Return the values of the given rows; a missing value is replaced by the value of another random row."""
    found = column[rows]
    holes, known = np.isnan(found), ~np.isnan(column)
    if holes.any() and known.any():
        share = weights[known] / weights[known].sum()
        found[holes] = random.choice(column[known], int(holes.sum()), p=share)
    return found


def _noise(kernel: str, shape: tuple[int, ...], random: np.random.Generator) -> Floats:
    """Return values drawn from a kernel of width 1."""
    if kernel == "gaussian":
        return random.normal(size=shape)
    if kernel == "tophat":
        return random.uniform(-1.0, 1.0, shape)
    return 2.0 * random.beta(2.0, 2.0, shape) - 1.0  # Epanechnikov's
