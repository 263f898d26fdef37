"""Base of the densities: stored rows, and results derived from the density of a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.shapes import check_numbers, check_places, check_shapes, check_units
from induce.data.numeric_view import FAR, Floats, NumericView
from induce.data.schema import Column, Schema
from induce.data.table import Codes, Table
from induce.hypotheses.kinds.density import Density
from induce.hypotheses.naming import count_text
from induce.instances.choice import LeaveOneOutChoice

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from polars import DataFrame

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class StoredDensity(Density):
    """A density defined by stored rows.

    Parameters
    ----------
    schema : Schema
        The columns of the table.
    numeric : array of float64, shape (rows, numeric columns)
        Numeric values of the stored rows, relative to `offset` in units of `scale`; NaN if missing.
    nominal : array of int32, shape (rows, nominal columns)
        Codes of their categories; -1 if missing.
    weights : array of float64
        Weight of each row.
    offset, scale : array of float64
        Offset and scale of each numeric column.
    choice : LeaveOneOutChoice or None
        Choice of the parameters.
    """

    schema: Schema
    numeric: Floats
    nominal: Codes
    weights: Floats
    offset: Floats
    scale: Floats
    choice: LeaveOneOutChoice | None

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        inputs = self.schema.inputs()
        domains = [len(column.domain) for column in inputs if column.kind == "nominal"]
        check_shapes(
            self,
            {"weights": "n", "numeric": "n d", "nominal": "n names", "offset": "d", "scale": "d"},
            d=len(inputs) - len(domains),
            names=len(domains),
        )
        check_numbers("weights", self.weights, at_least=0)
        check_numbers("numeric", self.numeric[~np.isnan(self.numeric)])
        check_units(self.offset, self.scale)
        for codes, size in zip(self.nominal.T, domains, strict=True):
            check_places("nominal", codes, size, least=-1)
        if not self.weights.sum() > 0:
            raise InputError("no stored row has positive weight; fit the density again")

    @classmethod
    def storing(
        cls, schema: Schema, table: Table, weights: Floats | None, scale: str | None, **settings: Any
    ) -> Self:
        """Return the density of the rows with positive weight, with columns scaled by standard deviation, by
        range or not at all.
        """
        view = NumericView.of(table, scale, weights)
        if weights is not None:
            table, weights = table.rows(np.flatnonzero(weights)), weights[weights > 0]
        stored = cls(
            schema=schema,
            numeric=table.numeric,
            nominal=table.nominal,
            weights=np.ones(len(table)) if weights is None else weights,
            offset=view.offset,
            scale=view.scale,
            choice=None,
            **settings,
        )
        return replace(stored, numeric=stored.scaled(table.numeric))

    @cached_property
    def total(self) -> float:
        """Total weight of the rows."""
        return float(self.weights.sum())

    @property
    def values(self) -> tuple[Column, ...]:
        """The nominal columns."""
        return tuple(column for column in self.schema.inputs() if column.kind == "nominal")

    def spread(self) -> float:
        """Return the standard deviation of the scaled values over all columns; 1 if there are no columns."""
        known = ~np.isnan(self.numeric)
        share = known * self.weights[:, np.newaxis]
        total = np.maximum(share.sum(axis=0), np.finfo(np.float64).tiny)
        numbers = np.where(known, self.numeric, 0.0)
        mean = (share * numbers).sum(axis=0) / total
        variance = (share * np.square(numbers - mean)).sum(axis=0) / total
        return float(np.sqrt(variance.mean())) or 1.0

    @property
    def reach(self) -> float:
        """Distance beyond the stored rows up to which the density is drawn."""
        return 0.0

    def scaled(self, numeric: Floats) -> Floats:
        """Return numeric values in the units of the stored rows."""
        with np.errstate(over="ignore"):
            return np.asarray(np.clip((numeric - self.offset) / self.scale, -FAR, FAR))

    def score_samples(self, X: Any) -> Floats:
        """Return the log density of each row; missing values are ignored."""
        table = self.encoded(X)
        return self.log_density(self.scaled(table.numeric), table.nominal)

    def log_density(self, numeric: Floats, nominal: Codes, own: Places | None = None) -> Floats:
        """Return the log density of rows in the units of the stored rows.

        Parameters
        ----------
        own : array of int64, optional
            Index of each row among the stored rows, to be left out once.
        """
        raise NotImplementedError

    def kernels_along(self, x: Floats) -> Iterator[Floats]:
        """Yield, for each stored row, its contribution to the density along the only column, if defined."""
        return iter(())

    def conditional(self, X: Any, column: str) -> Floats:
        """Return the probability of each value of a nominal column given the rest of each row (AIMA 20.4).

        P(y | x) is P(y, x) / P(x), where P(x) is the sum over all y.
        """
        table = self.encoded(X)
        names = [each.name for each in self.values]
        if column not in names:
            raise InputError(
                f"{column!r} is not a nominal column of the density; give one of {', '.join(names)}"
            )
        place = names.index(column)
        scaled = self.scaled(table.numeric)
        logs = []
        for code in range(len(self.values[place].domain)):
            codes = table.nominal.copy()
            codes[:, place] = code
            logs.append(self.log_density(scaled, codes))
        found = np.stack(logs, axis=1)
        top = found.max(axis=1, keepdims=True)
        shares = np.exp(found - np.where(np.isfinite(top), top, 0.0))
        whole = shares.sum(axis=1, keepdims=True)
        return np.where(whole > 0, shares / np.where(whole > 0, whole, 1.0), 1.0 / shares.shape[1])

    def frame(self, numeric: Floats, nominal: Codes) -> DataFrame:
        """Return rows as a polars frame."""
        import polars as pl

        numeric = numeric * self.scale + self.offset
        cells: dict[str, pl.Series] = {}
        n_numeric = n_nominal = 0
        for column in self.schema.inputs():
            if column.kind == "nominal":
                domain = pl.Series(column.domain)
                codes = nominal[:, n_nominal].astype(np.int64)
                drawn = domain.gather(np.maximum(codes, 0)).set(pl.Series(codes < 0), None)
                cells[column.name] = drawn.cast(pl.Enum(domain)) if domain.dtype == pl.String else drawn
                n_nominal += 1
            else:
                cells[column.name] = pl.Series(numeric[:, n_numeric]).fill_nan(None)
                n_numeric += 1
        return pl.DataFrame(cells)

    def parts(self) -> Parts:
        """Return a note that only the stored rows can be read."""
        return Parts(None, "it keeps its rows")

    def size(self) -> str:
        """Return the number of stored rows."""
        return f"{count_text(self.total)} stored row{'s' if self.total != 1 else ''}"

    def draw(self) -> Figure:
        """Return a figure of the density: a curve, a map of two columns, or each column on its own."""
        from induce.instances.densities.pictures import draw

        return draw(self)
