"""Location of a table among the first rows of a text file or a sheet: titles, header, index, empty columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from induce.data.dialect import Findings
from induce.data.units import canonical, dimension

SIGN, BODY = r"[+\-\u2212]?", r"\d[\d.,'\u2019 \u00a0\u202f]*([eE][+\-]?\d+)?"
NUMBER = re.compile(rf"[(]?{SIGN}\s?[^\w\s+\-]{{0,3}}\s?{SIGN}{BODY}\s?[^\w\s]{{0,2}}[)]?$")
DATE = re.compile(r"\d{1,4}[./\-]\d{1,2}[./\-]\d{1,4}([T ].*)?$")
ABSENT = frozenset({"", "?", "-", ".", "NA", "NaN", "nan", "N/A", "n/a", "null", "NULL", "None", "#N/A"})
FEW = 5
"""Minimum number of rows for repeated values to show that the first row is not a header."""
MANY_NUMBERS = 6
"""Minimum length of an increasing sequence of numbers in a first row to count as names (wavelengths, years)."""
MOST_ABOVE = 30
MOST_STACKED = 4
YEAR = re.compile(r"(19|20)\d\d$")
UNNAMED = re.compile(r"Unnamed: 0(\.\d+)?$")
FEW_BELOW = 3
"""Minimum number of rows below a header for the first of them to hold units."""
CELLS_LOOKED_AT = 20_000

Row = Sequence[str]


@dataclass(frozen=True)
class Layout:
    """Position of the table, and the names of its columns.

    Parameters
    ----------
    above : int
        Number of rows above the table.
    names : tuple of str
        Name of every column; empty if there is none.
    header : bool
        Whether the first row of the table holds the names.
    depth : int
        Number of header rows; more than one if names are built from cells of several rows.
    """

    above: int
    names: tuple[str, ...]
    header: bool = True
    depth: int = 1

    @property
    def begin(self) -> int:
        """Number of rows before the first row of data."""
        return self.above + (self.depth if self.header else 0)


def layout_of(rows: Sequence[Row], header: bool | None = None) -> Layout:
    """Find the table among the first rows of a file.

    Parameters
    ----------
    rows : sequence of sequences of str
        Cells of each non-blank row.
    header : bool, optional
        Whether the table has a row of names; detected by default.

    Examples
    --------
    >>> layout_of([["Sales"], ["by region"], ["region", "sold"], ["north", "3"], ["south", "5"], ["west", "4"]])
    Layout(above=2, names=('region', 'sold'), header=True, depth=1)
    >>> layout_of([["5.1", "a"], ["4.9", "a"], ["6.3", "b"], ["5.8", "b"], ["6.1", "b"], ["5.5", "a"]])
    Layout(above=0, names=('x0', 'x1'), header=False, depth=1)
    >>> layout_of([["", "age"], ["0", "31"], ["1", "45"]]).names
    ('', 'age')
    >>> layout_of([["town", "sold", ""], ["", "May", "June"], ["Rome", "3", "4"], ["Bern", "5", "2"]]).names
    ('town', 'sold May', 'sold June')
    """
    table = [[cell.strip() for cell in row] for row in rows]
    titles = next((k for k, row in enumerate(table[:MOST_ABOVE]) if _filled(row) > 1), 0)
    if header is not False and (stacked := _stacked(table[titles:])) is not None:
        return Layout(titles, *stacked)
    above = _above(rows) if header is not False else 0
    table = table[above:]
    names, rest = table[0], table[1:]
    if header is False or (header is None and not _is_header(names, rest)):
        return Layout(above, tuple(f"x{j}" for j in range(len(names))), header=False)
    width = _usual_width(rest)
    if width == len(names) + 1 and names[0] and len(rest) > 2:
        # R omits the name of the index column; other programs end rows, but not the header, with a separator
        last = [row[-1] for row in rest if len(row) == width]
        first = [row[0] for row in rest if len(row) == width]
        if not any(last):
            names = [*names, ""]
        elif len(set(first)) == len(first) and len(names) > 1:
            names = ["", *names]
    return Layout(above, tuple(names))


def _stacked(rows: Sequence[Row]) -> tuple[tuple[str, ...], bool, int] | None:
    """Return the names and depth of a multi-row header; None if one row names every column.

    The upper rows span several columns, so that a name is repeated or followed by empty cells. The last row
    may name only the index, as pandas writes it.
    """
    first, width = rows[0], len(rows[0])
    filled = [cell for cell in first if cell]
    if len(filled) < 2 or any(_kind(cell) != "text" for cell in filled):
        return None
    if len(set(filled)) == len(filled) and all(first[1:]):
        return None
    if len(rows) > 1 and _distinct(rows[1]):  # a title above complete names
        return None
    depth = 1
    while depth < MOST_STACKED and depth + 2 <= len(rows) and _goes_on(rows[depth], rows[depth + 1 :], width):
        depth += 1
    if depth == 1:
        return None
    index = not any(rows[depth - 1][1:])  # this row names the index
    levels = [_spread(row) for row in rows[: depth - 1 - index]] + [rows[depth - 1 - index]]
    names = [" ".join(dict.fromkeys(filter(None, parts))) for parts in zip(*levels, strict=True)]
    if index:
        names[0] = rows[depth - 1][0]
    return (tuple(names), True, depth) if _distinct([name or "\0" for name in names]) else None


def _goes_on(row: Row, below: Sequence[Row], width: int) -> bool:
    """Return whether a row below the first header row also belongs to the header: words or years over data."""
    if len(row) != width:
        return False
    if not any(row[1:]):
        return True
    below = [each for each in below if len(each) == width][:CELLS_LOOKED_AT]
    over = [cell for cell, *column in zip(row, *below, strict=True) if cell and looks_like_data(column)]
    words = [cell for cell in over if _kind(cell) == "text"]
    years = [cell for cell in over if YEAR.match(cell)]
    return len(words) + len(years) == len(over) and (bool(words) or len(set(years)) < len(years))


def _spread(row: Row) -> list[str]:
    """Repeat cells that span several columns, written in the first of them, in each column."""
    cells = list(row)
    for j in range(2 if cells and not cells[0] else 1, len(cells)):
        cells[j] = cells[j] or cells[j - 1]
    return cells


def named_columns(names: Row, rows: Sequence[Row], findings: Findings) -> tuple[list[str], bool]:
    """Return a name for each column, and whether the first is an index; names of columns to drop begin with
    ``"\\0"``.

    A first column without a name and with distinct values is an index written by a program. Columns without a
    name and without cells come from separators at the ends of rows, or from the margin of a sheet.
    """
    called, width = [*names], len(names)
    rows = [row for row in rows if len(row) == width]
    empty = [j for j in range(width) if not names[j] and not any(row[j].strip() for row in rows)]
    if len(empty) < width:
        for place in empty:
            called[place] = f"\0{place}"
    if empty:
        findings.say("empty columns left out")
    first = [row[0].strip() for row in rows]
    index = width > 1 and (not called[0] or bool(UNNAMED.match(called[0]))) and _distinct(first)
    if index:
        called[0] = "\0index"
        findings.say("the first column, without a name, is an index and is left out")
    return called, index


def units_below(names: Row, rows: Sequence[Row]) -> dict[str, str]:
    """Return the units of columns, if the first row below the header holds only units.

    Examples
    --------
    >>> units_below(["part", "width", "mass"], [["", "[mm]", "kg"], ["a", "3", "1.5"], ["b", "4", "1.2"]])
    {'width': 'mm', 'mass': 'kg'}
    """
    rows = [row for row in rows if len(row) == len(names)]
    if len(rows) < FEW_BELOW:
        return {}
    found = {}
    for name, cell, *column in zip(names, *rows, strict=True):
        unit = cell.strip().strip("[]()").strip()
        if unit in ABSENT:
            continue
        if dimension(unit) is None or not looks_like_data([each.strip() for each in column]):
            return {}
        found[name] = canonical(unit)
    return found


def looks_like_data(cells: Row) -> bool:
    """Return whether all non-missing cells look like numbers or dates."""
    kinds = {kind for kind in map(_kind, cells) if kind}
    return bool(kinds) and "text" not in kinds


def _distinct(cells: Sequence[str]) -> bool:
    return bool(cells) and all(cells) and len(set(cells)) == len(cells)


def _usual_width(rows: Sequence[Row]) -> int:
    return Counter(map(len, rows)).most_common(1)[0][0] if rows else 0


def _filled(row: Row) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _above(rows: Sequence[Row]) -> int:
    """Return the number of rows above the table: titles and comments.

    A title that fills more than half of the cells counts only if a row of names over numbers follows.
    """
    width = _usual_width(rows)
    if width < 2 or _is_names(rows[0], width):
        return 0
    wide = False
    for k, row in enumerate(rows[:MOST_ABOVE]):
        if _is_names(row, width):
            below = rows[k + 1 :]
            usual = sum(len(each) == width for each in below)
            if usual < max(2, 0.8 * len(below)):
                return 0
            if wide and not _names_numbers(row, below):
                return 0
            titles = width > 2 and all(_filled(each) == 1 for each in rows[:k])
            return k if titles or not _may_be_data(row, below) else 0
        comment = row[0].lstrip().startswith(("#", "//", "%"))
        if not comment and _filled(row) > max(1, width // 2):
            wide = True
    return 0


def _is_names(row: Row, width: int) -> bool:
    """Return whether a row may name columns: every cell is filled, except for a leading index or trailing
    empty columns.
    """
    if len(row) != width:
        return False
    last = max((j for j, cell in enumerate(row) if cell.strip()), default=-1)
    filled = [cell.strip() for cell in row[: last + 1]]
    return last >= 1 and last + 1 > width // 2 and all(filled[1:]) and len(set(filled)) == len(filled)


def _names_numbers(row: Row, below: Sequence[Row]) -> bool:
    """Return whether some cell of a row is a word over a column of numbers or dates."""
    rows = [each for each in below if len(each) == len(row)][: max(FEW, CELLS_LOOKED_AT // len(row))]
    columns = zip(row, *rows, strict=True)
    return any(
        _kind(cell.strip()) == "text" and looks_like_data([each.strip() for each in column])
        for cell, *column in columns
    )


def _may_be_data(row: Row, below: Sequence[Row]) -> bool:
    """Return whether a potential header below titles is more likely the first row of data."""
    return not _is_header([cell.strip() for cell in row], [[cell.strip() for cell in each] for each in below])


def _kind(cell: str) -> str:
    if cell in ABSENT:
        return ""
    if NUMBER.match(cell):
        return "number"
    return "date" if DATE.match(cell) else "text"


def _is_header(first: Row, rest: Sequence[Row]) -> bool:
    """Return whether the first row names the columns below it; in doubt it does.

    A word over a column of numbers is a name, and so is a word that does not occur in a column of few words.
    Numbers over numbers are not, unless they are consecutive or increase like names of columns.
    """
    rest = [row for row in rest if len(row) == len(first)]
    rest = rest[: max(FEW, CELLS_LOOKED_AT // max(1, len(first)))]
    if not rest:
        return True
    as_data, repeated, foreign = [], 0, 0
    for cell, *column in zip(first, *rest, strict=True):
        kinds = {kind for kind in map(_kind, column) if kind}
        kind = _kind(cell)
        if kinds and "text" not in kinds:
            if kind == "text":
                return True
            if kind:
                as_data.append(cell)
        elif len(column) >= FEW and len(set(column)) <= len(column) / 2:
            repeated, foreign = repeated + (cell in column), foreign + (cell not in column)
    if as_data:
        return _count_or_rise(as_data, repeated, foreign, len(first))
    return not (repeated == len(first) > 1)


def _count_or_rise(cells: Row, repeated: int, foreign: int, width: int) -> bool:
    """Return whether numbers over numbers are names: consecutive numbers or years, or a long increasing scale."""
    try:
        numbers = [float(cell) for cell in cells]
    except ValueError:
        return False
    steps = {round(after - before, 9) for before, after in pairwise(numbers)}
    whole = all(number.is_integer() for number in numbers)
    if whole and steps == {1.0} and (repeated == 0 or numbers[0] in (0, 1)):
        return len(numbers) == width or (repeated == 0 and len(numbers) > 1)
    rising = bool(steps) and min(steps) > 0
    years = whole and all(1800 <= number <= 2100 for number in numbers)
    return (
        rising
        and repeated == 0
        and (years or (foreign > 0 and len(numbers) > 2) or len(numbers) >= MANY_NUMBERS)
    )
