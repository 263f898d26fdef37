"""Sheets of spreadsheets as tables of text with all digits of numbers, parsed like the cells of a CSV file."""

from __future__ import annotations

import io
import zipfile
from importlib.util import find_spec
from typing import Any, Literal

import polars as pl

from induce.core.errors import InputError, not_installed
from induce.core.memory import is_shortage, require_memory
from induce.data.dialect import Dialect, Findings
from induce.data.layout import layout_of, named_columns, units_below
from induce.data.names import check_names, listed
from induce.data.sheet_extents import DAMAGE, Workbook, workbook_of
from induce.data.streams import Source

LOOKED_AT = 200
"""Number of rows for detecting the beginning of the table."""
BYTES_PER_CELL = 60
BYTES_PER_BYTE = 8
"""Bytes of memory for a byte of a spreadsheet in another format than .xlsx."""
LONG = r"^-?\d{19,}$"
"""Whole numbers that may be beyond 64 bits."""
MIDNIGHT = " 00:00:00"


def frame_of_sheet(source: Source, dialect: Dialect, findings: Findings) -> pl.DataFrame:
    """Read one sheet of a spreadsheet: the requested one, or the first that is not empty."""
    if find_spec("fastexcel") is None:
        raise not_installed(f"{source.name!r} is a spreadsheet, which", "fastexcel")
    data = source.stream.read()
    try:
        workbook = workbook_of(data, source.name)
        if workbook is None:
            chosen, sheet = _sheet_of_other(data, dialect.sheet, source.name, findings)
        else:
            chosen, sheet = _sheet_of_workbook(workbook, dialect.sheet, source.name, findings)
    except InputError:
        raise
    except DAMAGE as error:
        if is_shortage(error):
            raise
        raise _damaged(source.name) from None
    sheet = sheet.fill_null("")
    if sheet.width:
        sheet = sheet.filter(pl.any_horizontal(pl.all().str.strip_chars() != ""))
    if sheet.height == 0:
        raise InputError(f"the sheet {chosen!r} of {source.name!r} is empty")
    return _table(sheet, f"the sheet {chosen!r} of {source.name!r}", dialect.header, findings)


def _sheet_of_workbook(
    workbook: Workbook, wanted: str | int | None, file: str, findings: Findings
) -> tuple[str, pl.DataFrame]:
    """Return a sheet of an .xlsx file, without cells far from its table; other sheets are not read."""
    chosen = _chosen(workbook.names, wanted, file)
    if chosen is None:
        extents = {name: workbook.extent(name) for name in workbook.names}
        chosen = _first_filled({name: extent.height for name, extent in extents.items()}, file, findings)
        extent = extents[chosen]
    else:
        extent = workbook.extent(chosen)
    require_memory(BYTES_PER_CELL * extent.area(*extent.table()), file)
    data, stray = workbook.readable(chosen, extent)
    if stray:
        cells = f"cell {stray[0]}" if len(stray) == 1 else f"cells {listed(stray)}"
        findings.say(f"{cells} of the sheet {chosen!r} left out, far from the table")
    return chosen, _exact(_read_sheets(data, file, sheet_name=chosen), data, chosen, file)


def _sheet_of_other(
    data: bytes, wanted: str | int | None, file: str, findings: Findings
) -> tuple[str, pl.DataFrame]:
    """Return a sheet of a spreadsheet in another format, all of whose sheets are read."""
    require_memory(BYTES_PER_BYTE * _unpacked(data), file)
    sheets = _read_sheets(data, file, sheet_id=0)
    chosen = _chosen(list(sheets), wanted, file)
    if chosen is None:
        chosen = _first_filled({name: sheet.height for name, sheet in sheets.items()}, file, findings)
    return chosen, _exact(sheets[chosen], data, chosen, file)


def _unpacked(data: bytes) -> int:
    """Return the number of bytes of a spreadsheet, decompressed if it is an archive."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return len(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return sum(member.file_size for member in archive.infolist())


def _first_filled(heights: dict[str, int], file: str, findings: Findings) -> str:
    """Return the first sheet with more than one row; a note names the sheets if several have."""
    filled = [name for name, height in heights.items() if height > 1]
    if not filled:
        raise InputError(f"{file!r} has no sheet with a header and rows")
    if len(filled) > 1:
        findings.say(f"sheet {filled[0]!r} of {listed(list(map(repr, heights)))}")
    return filled[0]


def _exact(cells: pl.DataFrame, data: bytes, name: str, file: str) -> pl.DataFrame:
    """Return the cells of a sheet with all digits of their numbers, which the reader rounds to nine decimals.

    The number of a cell that holds text is that of its text, so only cells that hold numbers change. Only they
    have a truth value, which tells large numbers, written out by the reader, from long codes.
    """
    rounded = [cell.cast(pl.Float64, strict=False) for cell in cells]
    if all(column.null_count() == len(column) for column in rounded):
        return cells
    numbers = _read_as("float", data, name, file)
    same = [(number == other).fill_null(True) for number, other in zip(numbers, rounded, strict=True)]
    if any(text.str.contains(LONG).any() for text in cells):
        truths = _read_as("boolean", data, name, file)
        long = [text.str.contains(LONG).fill_null(False) for text in cells]
        same = [
            is_same & ~(is_long & truth.is_not_null())
            for is_same, is_long, truth in zip(same, long, truths, strict=True)
        ]
    return pl.DataFrame(
        [
            text.zip_with(is_same, number.cast(pl.String))
            for text, is_same, number in zip(cells, same, numbers, strict=True)
        ]
    )


def _read_sheets(data: bytes, file: str, **which: Any) -> Any:
    try:
        return pl.read_excel(
            io.BytesIO(data),
            **which,
            has_header=False,
            engine="calamine",
            drop_empty_rows=False,
            drop_empty_cols=False,
            raise_if_empty=False,
            read_options={"dtypes": "string", "header_row": None, "skip_rows": 0},
        )
    except Exception as error:  # the errors of the reader have no common base class
        raise _refused(error, file) from None


def _read_as(dtype: Literal["float", "boolean"], data: bytes, name: str, file: str) -> pl.DataFrame:
    """Read the cells of a sheet as values of a type; others are missing."""
    import fastexcel

    try:
        sheet = fastexcel.read_excel(data).load_sheet(name, header_row=None, skip_rows=0, dtypes=dtype)
        return sheet.to_polars()
    except Exception as error:  # as above
        raise _refused(error, file) from None


def _refused(error: Exception, file: str) -> Exception:
    if is_shortage(error):
        return MemoryError(f"there is not enough memory for {file!r}")
    return _damaged(file)


def _damaged(file: str) -> InputError:
    return InputError(f"{file!r} is not a complete spreadsheet; save it again")


def _chosen(names: list[str], sheet: str | int | None, file: str) -> str | None:
    if sheet is None or sheet in names:
        return None if sheet is None else str(sheet)
    if str(sheet).isdecimal() and 1 <= int(sheet) <= len(names):
        return names[int(sheet) - 1]
    raise InputError(f"{file!r} has no sheet {sheet!r}; its sheets are {listed(list(map(repr, names)))}")


def _table(sheet: pl.DataFrame, name: str, header: bool | int | None, findings: Findings) -> pl.DataFrame:
    if isinstance(header, int) and not isinstance(header, bool):
        sheet, header = sheet.slice(header - 1), True
    rows = sheet.head(LOOKED_AT).rows()
    layout = layout_of(rows, header)
    if layout.above:
        above = "1 row" if layout.above == 1 else f"{layout.above} rows"
        findings.say(f"{above} above the header left out")
    if layout.depth > 1:
        findings.say(f"column names from {layout.depth} rows")
    if not layout.header:
        findings.say(f"the first row looks like data, so the columns are called {layout.names[0]}, …")
    begin = layout.begin
    if layout.header and (units := units_below(layout.names, rows[begin:])):
        findings.in_units(units, "the row below the header")
        begin += 1
    called, index = named_columns(layout.names, rows[begin:], findings)
    kept = [each for each in called if not each.startswith("\0")]
    check_names(["index", *kept] if index else kept, name)
    table = sheet.slice(begin)
    table.columns = called
    return table.select(map(_without_midnight, kept))


def _without_midnight(name: str) -> pl.Expr:
    """Return a sheet column with dates as dates; sheets store them as times at midnight."""
    cell = pl.col(name)
    days = (cell.str.ends_with(MIDNIGHT) | (cell == "")).all() & cell.str.ends_with(MIDNIGHT).any()
    return pl.when(days).then(cell.str.strip_suffix(MIDNIGHT)).otherwise(cell).alias(name)
