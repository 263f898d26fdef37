"""Sheets of spreadsheets as tables of text, parsed like the cells of a CSV file."""

from __future__ import annotations

import io
from importlib.util import find_spec

import polars as pl

from induce.core.errors import InputError
from induce.data.dialect import Dialect, Findings
from induce.data.layout import layout_of, named_columns, units_below
from induce.data.names import check_names, listed
from induce.data.streams import Source

LOOKED_AT = 200
"""Number of rows for detecting the beginning of the table."""
MIDNIGHT = " 00:00:00"


def frame_of_sheet(source: Source, dialect: Dialect, findings: Findings) -> pl.DataFrame:
    """Read one sheet of a spreadsheet: the requested one, or the first that is not empty."""
    sheets = _sheets(source)
    chosen = _chosen(list(sheets), dialect.sheet, source.name)
    if chosen is None:
        filled = [name for name, sheet in sheets.items() if sheet.height > 1]
        if not filled:
            raise InputError(f"{source.name!r} has no sheet with a header and rows")
        chosen = filled[0]
        if len(filled) > 1:
            findings.say(f"sheet {chosen!r} of {listed(list(map(repr, sheets)))}")
    sheet = sheets[chosen].fill_null("")
    sheet = sheet.filter(pl.any_horizontal(pl.all().str.strip_chars() != ""))
    if sheet.height == 0:
        raise InputError(f"the sheet {chosen!r} of {source.name!r} is empty")
    return _table(sheet, f"the sheet {chosen!r} of {source.name!r}", dialect.header, findings)


def _sheets(source: Source) -> dict[str, pl.DataFrame]:
    if find_spec("fastexcel") is None:
        raise InputError(
            f"{source.name!r} is a spreadsheet, which requires the package fastexcel; install it with: "
            "pip install 'induce[excel]'"
        )
    try:
        return pl.read_excel(
            io.BytesIO(source.stream.read()),
            sheet_id=0,
            has_header=False,
            engine="calamine",
            drop_empty_rows=False,
            drop_empty_cols=False,
            raise_if_empty=False,
            read_options={"dtypes": "string", "header_row": None, "skip_rows": 0},
        )
    except Exception as error:  # the errors of the reader have no common base class
        if isinstance(error, MemoryError):
            raise
        raise InputError(f"{source.name!r} is not a complete spreadsheet; save it again") from None


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
