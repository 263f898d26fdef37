"""Random tables in every format, read by us and by others: a difference is one that a note names.

`csv`, pandas and DuckDB read the same file. Each counts only where it can read the file and has the rows of `csv`.
"""

import csv
import io
import json
import math
import warnings
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

import duckdb
import pandas as pd
import polars as pl
import xlsxwriter
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.data.dialect import MISSING_TOKENS
from induce.data.reading import read

TABLES = 300 if settings.default.max_examples < 100 else 10_000
SPACES = " \t\r\n"
MISSING = set(MISSING_TOKENS)
SEPARATORS = ",;\t|"


def tables(fraction):
    """Return the settings of a test that takes a fraction of all tables."""
    slow = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much]
    return settings(max_examples=int(TABLES * fraction), suppress_health_check=slow)


LETTERS = st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"]) | st.sampled_from(
    "abc  '\"-+.,;|%#?@{}\\"
)
WORDS = st.text(LETTERS, max_size=8)
MANY_LINES = st.text(LETTERS | st.sampled_from("\n\r\t\"'"), max_size=8)
NAMES = (
    st.text(LETTERS, min_size=1, max_size=8)
    .map(str.strip)
    .filter(lambda name: name and not name.startswith("\0") and name not in MISSING)
)
WHOLE = st.integers(-(10**6), 10**6)
HUGE = st.integers(-(10**24), 10**24) | st.integers(2**53 - 3, 2**53 + 3) | st.integers(2**63 - 3, 2**63 + 3)
DECIMALS = st.decimals(-1000, 1000, places=2).map(float)
FRACTIONS = st.floats(allow_nan=False, allow_infinity=False)
DAYS = st.dates(date(1900, 1, 1), date(2100, 12, 31))
TIMES = st.datetimes(datetime(1950, 1, 1), datetime(2100, 1, 1)).map(lambda time: time.replace(microsecond=0))
HOLES = st.sampled_from(["", "?", "NA", "null", "-", "n/a", "None", "nan", "unknown"])

WRITTEN = {
    "words": WORDS,
    "lines": MANY_LINES,
    "whole": WHOLE.map(str),
    "huge": HUGE.map(str),
    "codes": st.from_regex(r"0[0-9]{1,6}", fullmatch=True) | WHOLE.map(abs).map(str),
    "signs": st.from_regex(r"[+\-]?[0-9]{1,3}(\.[0-9]{1,3})?", fullmatch=True),
    "decimals": DECIMALS.map(str),
    "fractions": FRACTIONS.map(repr) | st.sampled_from(["1e400", "1E5", ".5", "5."]),
    "days": DAYS.map(str),
    "times": TIMES.map(str),
    "yes": st.sampled_from(["yes", "no", "Yes", "NO"]),
    "empty": st.just(""),
    "any": WORDS | WHOLE.map(str) | DECIMALS.map(str) | DAYS.map(str),
}
VALUES: dict[str, Any] = {
    "words": WORDS,
    "whole": WHOLE,
    "long": st.integers(-(2**63), 2**63 - 1),
    "huge": HUGE,
    "fractions": FRACTIONS,
    "decimals": DECIMALS,
    "truths": st.booleans(),
    "days": DAYS,
    "times": TIMES,
}


class Grid(NamedTuple):
    """A table of cells."""

    names: list[str]
    rows: list[list[Any]]

    def column(self, index: int) -> list[Any]:
        return [row[index] for row in self.rows]


@st.composite
def grids(draw, kinds, holes, most_columns=4, least_columns=1):
    names = draw(st.lists(NAMES, min_size=least_columns, max_size=most_columns, unique_by=str.casefold))
    n_rows = draw(st.integers(1, 12))
    columns = []
    for _ in names:
        cells = kinds[draw(st.sampled_from(sorted(kinds)))]
        if draw(st.booleans()):
            cells = cells | draw(st.sampled_from([holes, st.just(draw(holes))]))
        columns.append(draw(st.lists(cells, min_size=n_rows, max_size=n_rows)))
    return Grid(names, [list(row) for row in zip(*columns, strict=True)])


def ours(path, **options):
    """Return the table as we read it, and our notes."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = read(path, **options)
    return data.frame, [str(each.message) for each in caught if issubclass(each.category, Note)]


def ours_or_none(path, **options):
    """Return the table as we read it, and our notes; None if one sentence refuses it."""
    try:
        return ours(path, **options)
    except InputError:
        return None


def same(cell, other, comma=False):
    """Return whether a cell holds what another reader gives, a text or a value."""
    if isinstance(other, float) and math.isnan(other):
        other = None
    if isinstance(other, str):
        other = other.strip(SPACES)
        if other in MISSING:
            return cell is None
    if cell is None or other is None:
        return cell is None and other is None
    if isinstance(cell, bool):
        return cell == other or str(cell).lower() == str(other).lower()
    if isinstance(cell, int | float):
        return same_number(cell, other, comma)
    if isinstance(cell, date):
        return same_time(cell, other)
    return cell.lower() == str(other).lower() if isinstance(other, bool) else cell == str(other)


def same_number(cell, other, comma):
    try:
        if isinstance(other, str):
            other = other.replace(",", ".") if comma else other
            whole = other.lstrip("+-").isdecimal()
            return int(other) == cell if whole else "_" not in other and float(other) == cell
        return (
            not isinstance(other, date)
            and float(other) == float(cell)
            and (not isinstance(other, int) or int(cell) == other)
        )
    except ValueError:
        return False


def same_time(cell, other):
    try:
        moment = datetime.fromisoformat(other) if isinstance(other, str) else other
    except ValueError:
        return False
    if not isinstance(moment, date):
        return False
    return datetime.fromisoformat(cell.isoformat()) == datetime.fromisoformat(moment.isoformat())


def compare(frame, notes, grid: Grid, reader: str, comma=False):
    """Compare our table with that of another reader: a difference is in rows or a column that a note names."""
    text = " ".join(notes)
    if "looks like data, so the columns" in text or "column names from" in text or "the header is in" in text:
        return
    rows = grid.rows
    if "empty row" in text:
        rows = [row for row in rows if any((cell or "").strip() for cell in row)]
    if any(
        words in text for words in ("holds units", "of notes below", "the last row", "text below the table")
    ):
        assert frame.height < len(rows)
        return
    assert frame.height == len(rows), (reader, frame, grid, notes)
    for index, name in enumerate(grid.names):
        name = name.strip()
        if name not in frame.columns:
            assert repr(name) in text or "without a name" in text or "is empty" in text, (
                reader,
                name,
                frame,
                notes,
            )
            continue
        others = [row[index] for row in rows]
        for cell, other in zip(frame[name].to_list(), others, strict=True):
            agree = same(cell, other, comma)
            assert agree or repr(name) in text, (reader, name, cell, other, frame, grid, notes)


class Dialect(NamedTuple):
    """How a text file is written."""

    separator: str
    quoting: int
    line_ends: Sequence[str]
    encoding: str
    comma: bool


DIALECTS = st.builds(
    Dialect,
    st.sampled_from(SEPARATORS),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\r", "\r\n"], ["\n", "\r", "\r\n"]]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    st.booleans(),
)


def text_of(grid: Grid, dialect: Dialect) -> str:
    text = io.StringIO(newline="")
    for number, row in enumerate([grid.names, *grid.rows]):
        end = dialect.line_ends[number % len(dialect.line_ends)]
        csv.writer(text, delimiter=dialect.separator, quoting=dialect.quoting, lineterminator=end).writerow(
            row
        )
    return text.getvalue()


def by_csv(text, dialect):
    """Return the cells as `csv` reads them; an empty line is a cell only in a table of one column."""
    header, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=dialect.separator)
    rows = [row or [""] for row in rows if row or len(header) == 1]
    return Grid([name.strip() for name in header], rows)


def by_pandas(path, dialect):
    frame = pd.read_csv(
        path,
        sep=dialect.separator,
        encoding=dialect.encoding,
        dtype=str,
        keep_default_na=False,
        index_col=False,
    )
    return Grid([str(name).strip() for name in frame.columns], frame.to_numpy(dtype=object).tolist())


def by_duckdb(path, dialect):
    rows = duckdb.sql(
        f"select * from read_csv('{path}', delim='{dialect.separator}', header=true, all_varchar=true, quote='\"', "
        "escape='\"')"
    )
    return Grid([name.strip() for name in rows.columns], [list(row) for row in rows.fetchall()])


@tables(0.5)
@given(grids(WRITTEN, HOLES), DIALECTS, st.booleans())
def test_delimited_text(tmp_path_factory, grid, dialect, declared):
    if dialect.comma and dialect.separator != ",":
        grid = Grid(grid.names, [[as_comma(cell) for cell in row] for row in grid.rows])
    text = text_of(grid, dialect)
    if dialect.encoding == "cp1252":
        text = text.encode("cp1252", errors="ignore").decode("cp1252")
    parsed = by_csv(text, dialect)
    assume(len(set(parsed.names)) == len(grid.names) and all(parsed.names))
    assume(all(len(row) == len(grid.names) for row in parsed.rows))
    path = tmp_path_factory.getbasetemp() / "differential.csv"
    path.write_bytes(text.encode(dialect.encoding))
    options = (
        {"header": True, "separator": dialect.separator} if declared else {"separator": dialect.separator}
    )
    if dialect.encoding == "cp1252":
        options["encoding"] = "cp1252"
    read_by_us = ours_or_none(path, **options)
    assume(read_by_us is not None)
    frame, notes = read_by_us
    comma = dialect.comma and dialect.separator != ","
    compare(frame, notes, parsed, "csv", comma)
    # pandas moves cells to the left, and DuckDB joins rows, where returns and line feeds both end them
    alone = "\r" in text.replace("\r\n", "")
    for reader in () if alone else (by_pandas, by_duckdb):
        try:
            other = reader(path, dialect)
        except (ValueError, duckdb.Error):
            continue
        if other.names == parsed.names and [len(row) for row in other.rows] == [
            len(row) for row in parsed.rows
        ]:
            compare(frame, notes, other, reader.__name__, comma)


def as_comma(cell):
    number = cell.replace(".", "", 1).lstrip("+-")
    return cell.replace(".", ",") if number.isdecimal() and "." in cell else cell


def by_duckdb_values(query, grid):
    """Return what DuckDB reads, in the order of our columns."""
    rows = duckdb.sql(query)
    assert rows.columns == grid.names
    return Grid(grid.names, [list(row) for row in rows.fetchall()])


def values_of(frame):
    """Return a frame of pandas as a grid."""
    cells = frame.astype(object).where(frame.notna(), None)
    return Grid(list(map(str, frame.columns)), cells.to_numpy(dtype=object).tolist())


def without_times(grid):
    return Grid(
        grid.names,
        [[cell.isoformat() if isinstance(cell, date) else cell for cell in row] for row in grid.rows],
    )


NOTHING = st.none()


@tables(0.15)
@given(grids(VALUES, NOTHING))
def test_json_lines(tmp_path_factory, grid):
    grid = without_times(grid)
    records = [dict(zip(grid.names, row, strict=True)) for row in grid.rows]
    path = tmp_path_factory.getbasetemp() / "differential.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    frame, notes = ours(path)
    compare(frame, notes, grid, "json")
    path.with_suffix(".json").write_text(json.dumps(records), encoding="utf-8")
    frame, notes = ours(path.with_suffix(".json"))
    compare(frame, notes, grid, "an array of json")


@tables(0.15)
@given(grids({kind: cells for kind, cells in VALUES.items() if kind != "huge"}, NOTHING))
def test_parquet(tmp_path_factory, grid):
    path = tmp_path_factory.getbasetemp() / "differential.parquet"
    columns = [pl.Series(name, grid.column(j), strict=False) for j, name in enumerate(grid.names)]
    pl.DataFrame(columns).write_parquet(path)
    frame, notes = ours(path)
    compare(frame, notes, grid, "parquet")
    compare(frame, notes, by_duckdb_values(f"select * from '{path}'", grid), "duckdb")
    table = pd.read_parquet(path, dtype_backend="numpy_nullable")
    compare(frame, notes, values_of(table), "pandas")


# xlsxwriter keeps 16 digits
IN_SHEETS = {kind: cells for kind, cells in VALUES.items() if kind not in ("huge", "long")}
IN_SHEETS["fractions"] = FRACTIONS.map(lambda number: float(f"{number:.16G}"))


@tables(0.1)
@given(grids(IN_SHEETS, NOTHING))
def test_workbooks(tmp_path_factory, grid):
    path = tmp_path_factory.getbasetemp() / "differential.xlsx"
    with xlsxwriter.Workbook(path, {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        sheet = book.add_worksheet()
        day, time = (book.add_format({"num_format": form}) for form in ("yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"))
        for i, row in enumerate([grid.names, *grid.rows]):
            for j, cell in enumerate(row):
                if isinstance(cell, datetime):
                    sheet.write_datetime(i, j, cell, time)
                elif isinstance(cell, date):
                    sheet.write_datetime(i, j, datetime(cell.year, cell.month, cell.day), day)
                elif isinstance(cell, bool):
                    sheet.write_boolean(i, j, cell)
                elif isinstance(cell, str):
                    sheet.write_string(i, j, cell)
                elif cell is not None:
                    sheet.write_number(i, j, cell)
    read_by_us = ours_or_none(path, header=True)
    assume(read_by_us is not None)
    frame, notes = read_by_us
    compare(frame, notes, without_empty_rows(grid), "xlsxwriter")


def without_empty_rows(grid):
    """Return the rows that a sheet has: empty rows are not stored."""
    return Grid(
        grid.names, [row for row in grid.rows if any(cell is not None and str(cell).strip() for cell in row)]
    )


ARFF_NAMES = NAMES.filter(lambda name: "\\" not in name)


def quoted(cell):
    escapes = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "'" + "".join(escapes.get(letter, letter) for letter in cell) + "'"


@tables(0.1)
@given(
    grids({"words": WORDS, "lines": MANY_LINES, "huge": HUGE, "fractions": FRACTIONS}, NOTHING),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_arff(tmp_path_factory, grid, line_end):
    lines = ["@relation random"]
    for j, name in enumerate(grid.names):
        texts = any(isinstance(cell, str) for cell in grid.column(j))
        lines.append(f"@attribute {quoted(name)} {'string' if texts else 'numeric'}")
    cells = [
        ["?" if cell is None else quoted(cell) if isinstance(cell, str) else str(cell) for cell in row]
        for row in grid.rows
    ]
    lines += ["@data", *map(",".join, cells)]
    path = tmp_path_factory.getbasetemp() / "differential.arff"
    path.write_bytes(f"{line_end.join(lines)}{line_end}".encode())
    frame, notes = ours(path)
    compare(frame, notes, grid, "arff")
