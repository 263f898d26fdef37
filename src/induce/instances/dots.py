"""A piecewise linear function as a value (AIMA 18.8.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.forms import Parts
from induce.data.numeric_view import Floats, NumericView
from induce.data.schema import Schema
from induce.data.table import Table
from induce.hypotheses.kinds.regressor import Regressor
from induce.hypotheses.naming import plural, value_text
from induce.instances.units import cell_text, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BEYOND = ("constant", "line")


@dataclass(frozen=True)
class DotsExplanation(Explained):
    """A prediction with the two dots around it, or the two outermost dots."""

    prediction: float
    column: str
    value: float
    dots: tuple[tuple[float, float], ...]
    unit: str = ""

    def __str__(self) -> str:
        name = value_text(self.column)
        dots = " and ".join(f"{shown(y)} at {cell_text(x, self.unit)}" for x, y in self.dots)
        inside = self.dots[0][0] <= self.value <= self.dots[-1][0]
        where = "between" if inside and len(self.dots) > 1 else "at" if inside else "beyond"
        return (
            f"{shown(self.prediction)} because {name} {cell_text(self.value, self.unit)} lies {where} {dots}"
        )


@dataclass(frozen=True, eq=False)
class Dots(Regressor):
    """Dots connected by straight lines.

    Parameters
    ----------
    schema : Schema
        The columns of the table.
    target : str
    view : NumericView
        Conversion of rows to points.
    column : int
        Index of the used column of the view.
    x, y : array of float64
        Dots, from left to right.
    extrapolation : {"constant", "line"}
        Extrapolation beyond the last dots.
    """

    schema: Schema
    target: str
    view: NumericView
    column: int
    x: Floats
    y: Floats
    extrapolation: str

    def __post_init__(self) -> None:
        rising = self.x.ndim == 1 and len(self.x) > 0 and bool((np.diff(self.x) > 0).all())
        if not rising or self.x.shape != self.y.shape or not 0 <= self.column < len(self.view.mean):
            raise InputError("the dots are not sorted, or do not match their column; fit the function again")

    @property
    def name(self) -> str:
        """The column used."""
        return self.view.names[self.column]

    def values(self, X: Any) -> Floats:
        """Return the used column of the rows of a frame, an array or an encoded table."""
        return self._values(self.encoded(X))

    def _values(self, table: Table) -> Floats:
        return self.view.matrix(table)[:, self.column]

    def _left(self, values: Floats) -> NDArray[np.int64]:
        """Return the left one of the two deciding dots."""
        left = np.searchsorted(self.x, values, side="right") - 1
        return np.clip(left, 0, max(0, len(self.x) - 2))

    def at(self, values: Floats) -> Floats:
        """Return the predictions for the given values of the column."""
        if self.extrapolation == "constant" or len(self.x) == 1:
            return np.interp(values, self.x, self.y)
        left = self._left(values)
        share = (values - self.x[left]) / (self.x[left + 1] - self.x[left])
        return np.asarray((1 - share) * self.y[left] + share * self.y[left + 1])

    def _numbers(self, table: Table) -> Floats:
        return self.at(self._values(table))

    def explain(self, X: Any) -> tuple[DotsExplanation, ...]:
        """Return, for each row, the dots around it."""
        values = self.values(X)
        dots = list(zip(self.x.tolist(), self.y.tolist(), strict=True))
        return tuple(
            DotsExplanation(said, self.name, value, self._deciding(value, left, dots), self._unit)
            for said, value, left in zip(
                self.at(values).tolist(), values.tolist(), self._left(values).tolist(), strict=True
            )
        )

    def _deciding(
        self, value: float, left: int, dots: list[tuple[float, float]]
    ) -> tuple[tuple[float, float], ...]:
        outside = not dots[0][0] <= value <= dots[-1][0]
        if outside and self.extrapolation == "constant":
            return (dots[0] if value < dots[0][0] else dots[-1],)
        near = tuple(dots[left : left + 2])
        return next(((dot,) for dot in near if dot[0] == value), near)

    def parts(self) -> Parts:
        """Return the number of dots."""
        return Parts(len(self.x), "dots")

    @property
    def _unit(self) -> str:
        """Unit of the inputs if they are dates."""
        # an indicator of a nominal column is not in the schema
        return next((column.counted for column in self.schema if column.name == self.name), "")

    def size(self) -> str:
        """Return the number of dots."""
        return plural(len(self.x), "dot")

    def __str__(self) -> str:
        line = (
            f"{value_text(self.target)}: straight lines between {self.size()} along {value_text(self.name)}"
        )
        dots = [f"  {cell_text(x, self._unit):>10}  {shown(y)}" for x, y in zip(self.x, self.y, strict=True)]
        more = [f"  … ({len(dots) - 10} more)"] if len(dots) > 10 else []
        return "\n".join([line, *dots[:10], *more])

    def draw(self) -> Figure:
        """Return a figure of the dots and their lines."""
        from induce.pictures.style import DARK, PALETTE, axes_for, tidy

        figure, axes = axes_for(None)
        margin = 0.08 * float(np.ptp(self.x)) or 1.0
        ends = np.array([self.x[0] - margin, *self.x, self.x[-1] + margin])
        axes.plot(ends, self.at(ends), color=PALETTE[0])
        axes.scatter(self.x, self.y, s=18, color=DARK, lw=0, zorder=3)
        axes.set_xlabel(self.name, parse_math=False)
        axes.set_ylabel(self.target, parse_math=False)
        tidy(axes, "both")
        return figure
