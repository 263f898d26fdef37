"""Attributes of concept languages: ordered cells, and the runs of cells that a constraint may select.

Every constraint on an attribute is a run ``(low, high)`` of adjacent cells. A plain nominal attribute allows
single cells and the run of all cells. A hierarchy allows the runs under its nodes, whose leaves are ordered
to be adjacent. An ordered or numeric attribute allows every run. All kinds therefore share the same
arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.shapes import check_shapes
from induce.core.values import Value
from induce.data.frames import RawFrame, raw_frame
from induce.data.schema import Column, Schema
from induce.data.table import MISSING, UNSEEN, Table, encode, encode_declared
from induce.discretise import midpoints
from induce.hypotheses.conditions import Condition, interval, one_of
from induce.hypotheses.naming import threshold_text, value_text

Cells = NDArray[np.int64]
Run = tuple[int, int]
NONE: Run = (1, 0)
"""The constraint that no value satisfies."""
MOST_WHOLE = 256
"""Maximum number of cells of an integer column that has one cell per integer."""


@dataclass(frozen=True)
class Facet:
    """One attribute: its cells in order and the allowed runs of cells.

    Parameters
    ----------
    name : str
        Name of the attribute.
    cells : tuple
        The values, ordered so that allowed runs consist of adjacent values.
    nodes : tuple of (str, int, int)
        Name and run of every inner node of a hierarchy, except the root.
    line : bool
        Whether every run is allowed, as for ordered and numeric attributes.
    thresholds : tuple of float
        Upper ends of the cells of a numeric attribute. The first and the last cell include the numbers
        outside the observed range.
    unit : str
        Unit of the numbers, for a column of dates.
    """

    name: str
    cells: tuple[Value, ...]
    nodes: tuple[tuple[str, int, int], ...] = ()
    line: bool = False
    thresholds: tuple[float, ...] = ()
    unit: str = ""

    def __len__(self) -> int:
        return len(self.cells)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        if self.thresholds and not all(isinstance(cell, int | float) for cell in self.cells):
            raise InputError(f"column {self.name!r} has thresholds, but its cells are not numeric")

    @property
    def whole(self) -> Run:
        """The run of all cells: any value is acceptable."""
        return 0, len(self.cells) - 1

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """All allowed runs; an ordered attribute can have very many."""
        n = len(self.cells)
        if self.line:
            return tuple((low, high) for low in range(n) for high in range(low, n))
        found = {(cell, cell) for cell in range(n)} | {(low, high) for _, low, high in self.nodes}
        return tuple(sorted(found | {self.whole}, key=lambda run: (run[1] - run[0], run)))

    @property
    def n_runs(self) -> int:
        """Number of allowed runs, which are the semantically distinct constraints except the empty one."""
        n = len(self.cells)
        return n * (n + 1) // 2 if self.line else len(self.runs)

    @cached_property
    def _groups(self) -> tuple[Run, ...]:
        """The allowed runs of more than one cell, smallest first."""
        return tuple(run for run in self.runs if run[0] < run[1])

    def least(self, low: int, high: int) -> Run:
        """Return the smallest allowed run that contains these cells."""
        if self.line or low == high:
            return low, high
        return next(run for run in self._groups if run[0] <= low and high <= run[1])

    def cuts(self, run: Run, cell: int) -> tuple[Run, ...]:
        """Return the largest allowed runs within `run` that exclude one of its cells."""
        low, high = run
        if self.line:
            return tuple(part for part in ((low, cell - 1), (cell + 1, high)) if part[0] <= part[1])
        groups = [part for part in self._groups if _within(part, run) and not part[0] <= cell <= part[1]]
        largest = [
            part for part in groups if not any(_within(part, other) for other in groups if other != part)
        ]
        single = (
            (other, other)
            for other in range(low, high + 1)
            if other != cell and not any(first <= other <= last for first, last in largest)
        )
        return tuple(sorted((*largest, *single)))

    def steps_up(self, run: Run) -> tuple[Run, ...]:
        """Return the smallest allowed runs that contain `run` and are larger."""
        low, high = run
        if self.line:
            wider = ((low - 1, high), (low, high + 1))
            return tuple(part for part in wider if part[0] >= 0 and part[1] < len(self.cells))
        return next(((part,) for part in self._groups if part != run and _within(run, part)), ())

    def meet(self, one: Run, other: Run) -> Run | None:
        """Return the intersection of two runs, or None."""
        low, high = max(one[0], other[0]), min(one[1], other[1])
        return (low, high) if low <= high else None

    def text(self, run: Run) -> str:
        """Format a run: ``?``, a value, the name of a node or an interval."""
        low, high = run
        if run == self.whole:
            return "?"
        if self.thresholds:
            return self._numbers(low, high)
        if low == high:
            return value_text(self.cells[low])
        for name, first, last in self.nodes:
            if (first, last) == run:
                return value_text(name)
        return f"{value_text(self.cells[low])}..{value_text(self.cells[high])}"

    def _numbers(self, low: int, high: int) -> str:
        """Format an interval: ``3..5`` if it includes both ends, otherwise by the bounds around it."""
        holds_low, holds_high = self._is_number(low), self._is_number(high)
        if holds_low and holds_high:
            first, last = self._text(low), self._text(high)
            return first if low == high else f"{first}..{last}"
        bounds = []
        if low:
            bounds.append(f">= {self._text(low)}" if holds_low else f"> {self._text(low - 1)}")
        if high < len(self.cells) - 1:
            bounds.append(f"<= {self._text(high)}" if holds_high else f"< {self._text(high + 1)}")
        return " and ".join(bounds)

    def _is_number(self, cell: int) -> bool:
        """Return whether a cell is a single number, not a gap between numbers or an unbounded end."""
        if not 0 < cell < len(self.thresholds):
            return False
        number, following = float(self.cells[cell]), float(self.cells[cell + 1])
        return self.thresholds[cell] == number or self.thresholds[cell] != math.nextafter(
            following, -math.inf
        )

    def _text(self, cell: int) -> str:
        return threshold_text(float(self.cells[cell]), self.unit)

    def condition(self, run: Run) -> Condition | None:
        """Return the test for a run; None for any value."""
        low, high = run
        if run == self.whole:
            return None
        if self.thresholds:
            below = self.thresholds[low - 1] if low else -math.inf
            above = self.thresholds[high] if high < len(self.thresholds) else math.inf
            return interval(self.name, below, above, self.unit)
        return one_of(self.name, self.cells[low : high + 1])


def distinct(cells: Cells) -> tuple[Cells, Cells, Cells]:
    """Return the distinct rows in sorted order, the index of each row among them, and their counts.

    Rows are packed into single integers if they fit, which is much faster than comparing cells.
    """
    keys, span = np.zeros(len(cells), dtype=np.int64), 1
    for column in cells.T if len(cells) else ():
        low, high = int(column.min()), int(column.max())
        width = high - low + 1
        if span * width >= 2**62:
            ranks, keys = np.unique(keys, return_inverse=True)
            span = len(ranks)
        keys = keys * width + (column - low)
        span *= width
    _, first, inverse, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    return cells[first], inverse.reshape(-1), counts


def _within(part: Run, run: Run) -> bool:
    return run[0] <= part[0] and part[1] <= run[1]


def nominal_facet(column: Column) -> Facet:
    """Return the facet of a nominal column: all runs if it is ordered, otherwise single values and groups.

    Examples
    --------
    >>> values = ("square", "circle", "triangle", "ellipse")
    >>> facet = nominal_facet(Column("shape", "nominal", values, taxonomy=(("round", ("circle", "ellipse")),)))
    >>> [facet.text(run) for run in facet.runs]
    ['circle', 'ellipse', 'square', 'triangle', 'round', '?']
    """
    if not column.domain:
        raise InputError(f"column {column.name!r} has no known value; declare its values or leave it out")
    groups = column.groups()
    inside = {member for members in groups.values() for member in members}
    cells: list[Value] = []
    nodes: list[tuple[str, int, int]] = []

    def put(member: Value) -> None:
        if member not in groups:
            cells.append(member)
            return
        first = len(cells)
        for child in groups[str(member)]:
            put(child)
        nodes.append((str(member), first, len(cells) - 1))

    for top in (*groups, *column.domain):
        if top not in inside:
            put(top)
    # A group of one value is that value, and a group of all values is "any". If a run has several names,
    # the outermost is kept.
    named = {(low, high): name for name, low, high in nodes if low < high and high - low + 1 < len(cells)}
    spread = tuple((name, low, high) for (low, high), name in named.items())
    return Facet(column.name, tuple(cells), spread, line=column.ordered)


def numeric_facet(name: str, numbers: Any, unit: str = "") -> Facet:
    """Return the facet of a numeric column: intervals whose ends the given numbers distinguish.

    In an integer column, every integer between the first and the last is a cell, so that intervals can end at
    any of them (fractions are rounded). If that would be more than `MOST_WHOLE` cells, and for other columns,
    each number is a cell, and so is the gap between adjacent numbers: an interval may end at a number or just
    before the next. The first and last cell contain everything outside.

    Examples
    --------
    >>> whole = numeric_facet("x", [3, 5, 8])
    >>> whole.text((2, 5)), whole.text((2, 7)), str(whole.condition((2, 5)))
    ('4..7', '>= 4', '3.5 < x <= 7.5')
    >>> facet = numeric_facet("x", [3.0, 4.5, 8.0])
    >>> facet.text((1, 3)), facet.text((2, 4)), str(facet.condition((2, 3)))
    ('3..4.5', '> 3 and < 8', '3 < x <= 4.5')
    """
    given = np.asarray(numbers)
    grid = np.unique(given.astype(np.float64))
    grid = grid[np.isfinite(grid)]
    if not len(grid):
        raise InputError(f"column {name!r} holds no number; leave it out")
    if given.dtype.kind in "iu" and grid[-1] - grid[0] < MOST_WHOLE:
        cells, thresholds = _whole_cells(grid)
    else:
        cells, thresholds = _cells_and_gaps(grid)
    return Facet(name, (-math.inf, *cells, math.inf), line=True, thresholds=tuple(thresholds), unit=unit)


def _whole_cells(grid: NDArray[np.float64]) -> tuple[list[float], list[float]]:
    """Return the integers between the ends of a grid, and the midpoints around each."""
    cells = np.arange(grid[0], grid[-1] + 1)
    return cells.tolist(), [float(cells[0]) - 0.5, *(cells + 0.5).tolist()]


def _cells_and_gaps(grid: NDArray[np.float64]) -> tuple[list[float], list[float]]:
    """Return the numbers of a grid with a midpoint between each adjacent pair, and the ends of these cells."""
    cells, thresholds = [], [math.nextafter(float(grid[0]), -math.inf)]
    middles = [*midpoints(grid[:-1], grid[1:]).tolist(), math.inf]
    for number, middle, following in zip(grid.tolist(), middles, [*grid[1:].tolist(), math.inf], strict=True):
        cells.append(number)
        thresholds.append(number)
        before = math.nextafter(following, -math.inf)
        if math.isfinite(following) and before > number:  # adjacent float64 numbers have nothing between them
            cells.append(middle if middle > number else before)
            thresholds.append(before)
    return cells, thresholds


@dataclass(frozen=True)
class Attributes:
    """The attributes of a concept language, and the space of instances they span.

    Parameters
    ----------
    schema : Schema
        Schema of the input columns.
    facets : tuple of Facet
        Facets, one per input column.

    Examples
    --------
    >>> attributes = Attributes.of(Schema((Column("wind", "nominal", ("weak", "strong")),)))
    >>> attributes.n_instances, attributes.encode([["strong"]]).tolist()
    (2, [[1]])
    """

    schema: Schema
    facets: tuple[Facet, ...]

    def check(self) -> None:
        """Raise an `InputError` unless there is a facet for each column with all its values."""
        check_shapes(self, {"facets": "columns"}, columns=len(self.schema))
        for column, facet in zip(self.schema, self.facets, strict=True):
            if facet.thresholds:
                rising = list(facet.thresholds) == sorted(facet.thresholds)
                fits = column.kind == "numeric" and rising and len(facet.cells) == len(facet.thresholds) + 1
            else:
                fits = column.kind == "nominal" and {*column.domain} == {*facet.cells}
            if not fits:
                raise InputError(f"the values of attribute {facet.name!r} do not match its column")

    @classmethod
    def of(cls, schema: Schema, numbers: Mapping[str, Any] | None = None) -> Attributes:
        """Return the attributes of a schema.

        Parameters
        ----------
        schema : Schema
            Schema; its taxonomies define the groups of values that a constraint may require.
        numbers : dict, optional
            Possible interval ends for each numeric column; integer columns include every integer between them
            (see `numeric_facet`).
        """
        return cls(
            schema,
            tuple(
                nominal_facet(column)
                if column.kind == "nominal"
                else numeric_facet(column.name, (numbers or {}).get(column.name, ()), column.counted)
                for column in schema.inputs()
            ),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the attributes."""
        return tuple(facet.name for facet in self.facets)

    @cached_property
    def widths(self) -> Cells:
        """Number of cells of each attribute."""
        return np.array([len(facet) for facet in self.facets], dtype=np.int64)

    @property
    def n_instances(self) -> int:
        """Number of different instances."""
        return math.prod(len(facet) for facet in self.facets)

    def encode(self, X: Any, training: bool = False) -> Cells:
        """Return the cells of each row; -1 if a value is missing, -2 if it is undeclared.

        With `training`, all values must be known.
        """
        if isinstance(X, Table):
            table = X
        elif training:
            table = encode_declared(X if isinstance(X, RawFrame) else raw_frame(X), self.schema)
        else:
            table = encode(X, self.schema)
        cells = np.empty((len(table), len(self.facets)), dtype=np.int64)
        for place, (facet, column) in enumerate(zip(self.facets, table.schema, strict=True)):
            found = table.column(place)
            if facet.thresholds:
                cells[:, place] = np.searchsorted(facet.thresholds, found)
                cells[np.isnan(found), place] = MISSING
            else:
                place_of = {value: cell for cell, value in enumerate(facet.cells)}
                order = [place_of[value] for value in column.domain]
                cells[:, place] = np.array([*order, UNSEEN, MISSING])[found]
        if training and (cells < 0).any():
            row, place = np.argwhere(cells < 0)[0].tolist()
            raise InputError(
                f"column {self.facets[place].name!r} has a missing value in row {row + 1} (NaN), so it is not a "
                "single instance; fill it in or leave the row out"
            )
        return cells

    def decode(self, cells: Any) -> dict[str, Any]:
        """Return the value of each attribute for one instance."""
        found: dict[str, Any] = {}
        for facet, cell in zip(self.facets, cells, strict=True):
            value = facet.cells[int(cell)] if cell >= 0 else None
            if facet.thresholds and cell in (0, len(facet) - 1):
                inner = float(facet.cells[1 if cell == 0 else -2])
                value = inner - 1 if cell == 0 else inner + 1
            found[facet.name] = value
        return found

    def instances(self) -> Iterator[tuple[int, ...]]:
        """Yield every instance."""
        return product(*(range(len(facet)) for facet in self.facets))

    def text(self, cells: Any) -> str:
        """Format an instance in the book's notation."""
        values = self.decode(cells).values()
        return "⟨" + ", ".join("?" if value is None else value_text(value) for value in values) + "⟩"
