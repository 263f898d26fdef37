"""Extents of the sheets in .xlsx files, from their XML; the reader allocates the whole rectangle around the cells."""

from __future__ import annotations

import io
import shutil
import zipfile
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from posixpath import join, normpath
from typing import IO, Any
from xml.parsers import expat

from induce.core.errors import InputError

MOST_CELLS = 100_000_000
"""Maximum number of cells of the rectangle that is read."""
SMALL = 100_000
"""Number of cells of a rectangle in which no cell is far from the table."""
LEAST, SPARSEST = 1_000_000, 1000
"""Number of cells of a rectangle that is read although it is almost empty, and of further ones per filled cell."""
FAR_ROWS, FAR_COLUMNS = 100, 10
"""Minimum number of empty rows or columns before a stray cell."""
MOST_STRAY = 20
"""Maximum number of stray cells on one side of a table."""
MOST_NAMED = 3
LAST_ROW, LAST_COLUMN = 1 << 20, 1 << 14
BOMB_BYTES, BOMB_RATIO = 100_000_000, 200
"""Decompressed bytes, and their ratio to the compressed ones, above which a part is refused."""
CHUNK = 1 << 18
DAMAGE = (
    zipfile.BadZipFile,
    expat.ExpatError,
    KeyError,
    EOFError,
    ValueError,
    RuntimeError,
    NotImplementedError,
)

Position = tuple[int, int]


@dataclass
class Extent:
    """Filled cells of a sheet, counted by row and by column, both from 1."""

    rows: array[int] = field(default_factory=lambda: array("H", [0]))
    columns: Counter[int] = field(default_factory=Counter)

    def add(self, row: int, column: int, _: int = 0) -> None:
        """Count a filled cell."""
        if not 0 < row < len(self.rows):
            if not 0 < row <= LAST_ROW:
                raise ValueError("there is no such row in a sheet")
            self.rows.extend([0] * (row - len(self.rows)))
            self.rows.append(0)
        self.rows[row] += 1
        self.columns[column] += 1

    @property
    def filled(self) -> int:
        """Number of filled cells."""
        return self.columns.total()

    @property
    def height(self) -> int:
        """Number of the last filled row."""
        return len(self.rows) - 1

    def area(self, last_row: int, last_column: int) -> int:
        """Return the number of cells that the reader allocates up to a row and a column."""
        return last_row * (last_column - min(self.columns) + 1) if self.filled else 0

    def table(self) -> Position:
        """Return the last row and column of the table, without stray cells far below or to the right of it."""
        if not self.filled:
            return 0, 0
        whole = self.height, max(self.columns)
        if self.area(*whole) <= SMALL:
            return whole
        rows = [(row, count) for row, count in enumerate(self.rows) if count]
        table = _near(rows, FAR_ROWS), _near(sorted(self.columns.items()), FAR_COLUMNS)
        return table if self.area(*table) <= self.area(*whole) // 2 else whole


def _near(counts: list[Position], gap: int) -> int:
    """Return the last row or column before a gap behind which there are only stray cells."""
    last, beyond = counts[-1][0], 0
    for (before, _), (index, count) in reversed(list(pairwise(counts))):
        beyond += count
        if beyond > MOST_STRAY:
            break
        if index - before > gap:
            last = before
    return last


class Workbook:
    """Sheets of an .xlsx file by name, each with the extent of its cells.

    The XML is read in chunks, so memory grows neither with the sheets nor with their rectangles.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self._archive = zipfile.ZipFile(io.BytesIO(data))
        self._data, self._name = data, name
        self._members = self._sheets()
        self.names = list(self._members)

    def extent(self, sheet: str) -> Extent:
        """Return the extent of a sheet."""
        extent = Extent()
        with self._archive.open(self._members[sheet]) as stream:
            _read_cells(stream, extent.add)
        return extent

    def readable(self, sheet: str, extent: Extent) -> tuple[bytes, list[str]]:
        """Return a workbook in which a sheet can be read, and the names of the stray cells that it lacks.

        A sheet with too large a rectangle raises an `InputError`.
        """
        last_row, last_column = extent.table()
        area = extent.area(last_row, last_column)
        if area > min(MOST_CELLS, LEAST + SPARSEST * extent.filled):
            raise InputError(
                f"the sheet {sheet!r} of {self._name!r} has {last_row:,} rows and {last_column:,} columns, of which "
                f"{extent.filled:,} cells are filled; delete the cells outside the table, or save it as CSV"
            )
        if (last_row, last_column) == (extent.height, max(extent.columns, default=0)):
            return self._data, []
        return self._without_cells(self._members[sheet], last_row, last_column)

    def _sheets(self) -> dict[str, str]:
        """Return the part of each sheet."""
        targets: dict[str, str] = {}
        members: dict[str, str] = {}

        def relation(kind: str, attributes: dict[str, str]) -> None:
            if kind == "Relationship":
                targets[attributes["Id"]] = normpath(join("/xl", attributes["Target"])).lstrip("/")

        def sheet(kind: str, attributes: dict[str, str]) -> None:
            if kind == "sheet":
                local = {name.rpartition(" ")[2]: value for name, value in attributes.items()}
                members[attributes["name"]] = targets[local["id"]]

        for part, read in (("xl/_rels/workbook.xml.rels", relation), ("xl/workbook.xml", sheet)):
            with self._archive.open(part) as stream:
                _parse(stream, read)
        return members

    def _without_cells(self, member: str, last_row: int, last_column: int) -> tuple[bytes, list[str]]:
        """Return the workbook without the values of a sheet's cells outside its table, and their names."""
        names: list[str] = []
        cuts: list[list[int]] = []

        def note_cut(row: int, column: int, start: int) -> None:
            if row > last_row or column > last_column:
                names.append(f"{_letters(column)}{row}")
                cuts.append([start])

        def close_cut(end: int) -> None:
            if cuts and len(cuts[-1]) == 1:
                cuts[-1].append(end)

        with self._archive.open(member) as stream:
            _read_cells(stream, note_cut, close_cut)
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as mended:
            for part in self._archive.infolist():
                with self._archive.open(part) as stream, mended.open(part.filename, "w") as copy:
                    if part.filename == member:
                        _copy_without(stream, copy, cuts)
                    else:
                        shutil.copyfileobj(stream, copy)
        return buffer.getvalue(), names


def workbook_of(data: bytes, name: str) -> Workbook | None:
    """Return the sheets of an .xlsx file; None for a spreadsheet in another format.

    A part that unpacks to far more bytes than it has raises an `InputError`, in every format.
    """
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return None
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for part in archive.infolist():
            if part.file_size > BOMB_BYTES + BOMB_RATIO * part.compress_size:
                raise InputError(
                    f"{part.filename!r} in {name!r} unpacks {part.compress_size:,} bytes to {part.file_size:,}, far "
                    "more than a table does; save the table as CSV"
                )
        if "xl/workbook.xml" not in archive.namelist():
            return None
    return Workbook(data, name)


def _read_cells(
    stream: IO[bytes],
    value: Callable[[int, int, int], None],
    end_of_cell: Callable[[int], None] | None = None,
) -> None:
    """Call `value` with the row, the column and the first byte of the value of each filled cell, in order."""
    columns, local = _Columns(), _LocalNames()
    row = column = 0
    inside, cutting = False, end_of_cell is not None

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, inside
        kind = local[name]
        if kind == "c":
            inside = True
            if "r" in attributes:
                reference = attributes["r"]
                letters = reference.rstrip("0123456789")
                row, column = int(reference[len(letters) :]), columns[letters]
            else:
                column += 1
        elif kind == "v" or kind == "is":
            if inside:
                value(row, column, parser.CurrentByteIndex if cutting else 0)
            inside = False
        elif kind == "row":
            row, column = int(attributes.get("r", row + 1)), 0

    def end(name: str) -> None:
        if end_of_cell is not None and local[name] == "c":
            end_of_cell(parser.CurrentByteIndex)

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    if cutting:
        parser.EndElementHandler = end
    _feed(parser, stream)


def _parse(stream: IO[bytes], start: Callable[[str, dict[str, str]], None]) -> None:
    """Call `start` with the local name and the attributes of each element."""
    local = _LocalNames()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda name, attributes: start(local[name], attributes)
    _feed(parser, stream)


def _feed(parser: Any, stream: IO[bytes]) -> None:
    while chunk := stream.read(CHUNK):
        parser.Parse(chunk, False)
    parser.Parse(b"", True)


def _copy_without(source: IO[bytes], target: IO[bytes], cuts: Iterable[list[int]]) -> None:
    """Copy a stream except the bytes between the given positions."""
    at = 0
    for first, end in cuts:
        while at < first:
            chunk = source.read(min(CHUNK, first - at))
            target.write(chunk)
            at += len(chunk)
        while at < end:
            at += len(source.read(min(CHUNK, end - at)))
    shutil.copyfileobj(source, target)


class _LocalNames(dict[str, str]):
    def __missing__(self, name: str) -> str:
        self[name] = local = name.rpartition(" ")[2]
        return local


class _Columns(dict[str, int]):
    """Numbers of columns by their letters."""

    def __missing__(self, letters: str) -> int:
        number = 0
        for letter in letters:
            number = 26 * number + ord(letter) - ord("A") + 1
            if not ("A" <= letter <= "Z" and number <= LAST_COLUMN):
                raise ValueError("there is no such column in a sheet")
        self[letters] = number
        return number


def _letters(column: int) -> str:
    """Return the letters of a column.

    Examples
    --------
    >>> _letters(1), _letters(100), _letters(16384)
    ('A', 'CV', 'XFD')
    """
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters
