"""Explanation of a row's density: the stored rows with the largest contributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from induce.core.explained import Explained
from induce.core.row_numbers import row_number
from induce.core.ties import largest_first
from induce.data.numeric_view import Floats
from induce.hypotheses.naming import value_text
from induce.instances.units import cell_text, shown

if TYPE_CHECKING:
    from induce.instances.densities.stored import Places, StoredDensity

SHOWN = 5
"""Number of rows that are listed."""


@dataclass(frozen=True)
class Contribution:
    """A stored row, its fraction of the density, and its cells as text."""

    row: int
    share: float
    cells: str


@dataclass(frozen=True)
class DensityExplanation(Explained):
    """The log density of a row with the stored rows that contribute most.

    Parameters
    ----------
    log_density : float
    why : str
        Description of how the density is computed.
    rows : tuple of Contribution
        Contributions, largest first.
    """

    log_density: float
    why: str
    rows: tuple[Contribution, ...]

    def __str__(self) -> str:
        lines = [f"log density {shown(self.log_density)}: {self.why}"]
        lines += [f"  {each.share:6.1%}  row {row_number(each.row)}: {each.cells}" for each in self.rows]
        rest = 1.0 - sum(each.share for each in self.rows)
        return "\n".join([*lines, *([f"  {rest:6.1%}  other rows"] if rest > 5e-4 else [])])


def contributions(density: StoredDensity, shares: Floats, index: Places) -> tuple[Contribution, ...]:
    """Return the stored rows with the largest contributions."""
    order = largest_first(shares)[:SHOWN]
    return tuple(
        Contribution(int(index[place]), float(shares[place]), row_text(density, int(index[place])))
        for place in order
        if shares[place] > 0
    )


def row_text(density: StoredDensity, row: int) -> str:
    """Return a stored row as text in the cells of the table."""
    numbers = iter(density.numeric[row] * density.scale + density.offset)
    codes = iter(density.nominal[row])
    cells = []
    for column in density.schema.inputs():
        if column.kind == "nominal":
            code = next(codes)
            cell = "?" if code < 0 else value_text(column.domain[code])
        else:
            number = float(next(numbers))
            cell = "?" if np.isnan(number) else cell_text(number, column.counted)
        cells.append(f"{value_text(column.name)} {cell}")
    return ", ".join(cells)
