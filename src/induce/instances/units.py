"""Points of a numeric view in the original units of the table, for display."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from induce.core.ties import first_largest, largest_first
from induce.data.numeric_view import NumericView
from induce.data.table import positions
from induce.hypotheses.naming import mean_text, number_text, value_text, with_unit

Floats = NDArray[np.float64]

MOST_TERMS = 8
"""Maximum length of formulas."""
CELLS = 4
"""Number of cells of a row that are written in a list of rows."""


def offset_and_scale(view: NumericView) -> tuple[Floats, Floats]:
    """Return the offset and the divisor of each column of a view's matrix."""
    offset, scale = np.zeros(len(view.mean)), np.ones(len(view.mean))
    place = 0
    for column, position in zip(view.schema, positions(view.schema), strict=True):
        if position >= 0:
            offset[place], scale[place] = view.offset[position], view.scale[position]
        place += 1 if position >= 0 else len(column.domain)
    return offset, scale


def point_text(view: NumericView, point: Floats, digits: int = 4, most: int | None = None) -> str:
    """Return a point of the matrix as the cells of the table.

    Parameters
    ----------
    view : NumericView
    point : array
    digits : int
    most : int, optional
        Maximum number of cells; those farthest from the training mean are kept.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> from induce.data.table import encode
    >>> schema = Schema((Column("size"), Column("colour", "nominal", ("red", "blue"))))
    >>> view = NumericView.of(encode([[1.0, "red"], [3.0, "blue"]], schema))
    >>> point_text(view, np.array([0.5, 0.25, 0.75]))
    'size 2.5, colour blue 0.75'
    >>> point_text(view, np.array([0.5, 0.25, 0.75]), most=1)
    'size 2.5, … (1 more)'
    """
    offset, scale = offset_and_scale(view)
    cells: list[str] = []
    far: list[float] = []
    place = 0
    for column in view.schema:
        part = slice(place, place + (len(column.domain) if column.kind == "nominal" else 1))
        place = part.stop
        if column.kind != "nominal":
            number = float(point[part][0] * scale[part][0] + offset[part][0])
            cells.append(f"{value_text(column.name)} {cell_text(number, column.counted, digits)}")
        elif column.domain:
            shares = point[part]
            best = first_largest(shares)
            share = "" if shares[best] > 1 - 1e-9 else f" {shown(float(shares[best]), 2)}"
            cells.append(f"{value_text(column.name)} {value_text(column.domain[best])}{share}")
        else:
            continue
        far.append(float(np.square(point[part] - view.mean[part]).sum()))
    if most is None or len(cells) <= most:
        return ", ".join(cells)
    kept = sorted(largest_first(np.array(far))[:most].tolist())
    return ", ".join([*(cells[i] for i in kept), f"… ({len(cells) - most} more)"])


def formula(constant: float, terms: Iterable[tuple[str, float]], digits: int = 5) -> str:
    """Return a linear combination as text, with its terms in order.

    Examples
    --------
    >>> formula(-2.0, [("x", 4.0), ("z", -1.0), ("u", 0.0)])
    '-2 + 4 x - z'
    """
    named = [(name, factor) for name, factor in terms if shown(factor, digits) != "0"]
    first = shown(constant, digits)
    text = "" if first == "0" and named else first
    for name, factor in named[:MOST_TERMS]:
        size = shown(abs(factor), digits)
        minus, plus = (" - ", " + ") if text else ("-", "")
        text += (minus if factor < 0 else plus) + (name if size == "1" else f"{size} {name}")
    more = len(named) - MOST_TERMS
    return text + (f" + … ({more} more)" if more > 0 else "")


def cell_text(number: float, unit: str = "", digits: int = 4) -> str:
    """Return a value of a column with this many significant digits; days as the nearest date."""
    return mean_text(number, unit) if unit == "days" else with_unit(shown(number, digits), unit)


def shown(number: float, digits: int = 4) -> str:
    """Return a number as text with this many significant digits.

    Examples
    --------
    >>> shown(1234.5678), shown(0.1 + 0.2), shown(1e-17)
    ('1235', '0.3', '0')
    """
    return "0" if abs(number) < 1e-12 else number_text(float(f"{number:.{digits}g}"))
