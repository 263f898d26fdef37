"""Input of files and frames: `read` for learning, `batches` for predicting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from induce.core.commands import option
from induce.core.errors import InputError
from induce.core.memory import require_memory
from induce.core.notes import note
from induce.core.values import is_missing, plain
from induce.data import arff, delimited, excel, records
from induce.data.cell_formats import Reading, conform, readings, say_inexact
from induce.data.dataset import Dataset
from induce.data.derived import add_date_parts, parts_needed, with_parts
from induce.data.dialect import MISSING_TOKENS, Dialect, Findings
from induce.data.frames import plain_frame, raw_frame
from induce.data.names import check_names
from induce.data.schema import Column, Schema
from induce.data.schema_overrides import SchemaLike, Told, several
from induce.data.streams import Inside, Source, name_of, opened, parts_of, title_of
from induce.data.table import counts_rows, guess_column, is_time_word, named_as_identifier
from induce.data.totals import without_totals_in
from induce.data.type_inference import (
    as_numbers,
    as_strings,
    exact_numbers_of,
    from_text,
    inexact,
    iso_dates,
    truths,
    with_domain,
    without_missing,
)

ROWS = 100_000
TRUTH = {"true": True, "false": False}


def read(
    source: Any,
    target: str | None = None,
    *,
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    ignore: Sequence[str] = (),
    schema: SchemaLike = None,
    missing: Sequence[str] = MISSING_TOKENS,
    separator: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    dates: str | None = None,
    header: bool | int | None = None,
    sheet: str | int | None = None,
    skip_bad: bool = False,
    date_parts: Sequence[str] = (),
    name: str | None = None,
) -> Dataset:
    """Read a table from a file, standard input or a dataframe, and infer its schema.

    Parameters
    ----------
    source : path, "-" or dataframe
        Source: CSV and similar formats (``.csv``, ``.tsv``, ``.txt``, ``.data``), spreadsheets (``.xlsx``,
        ``.xls``, ``.ods``), Parquet, JSON lines, a JSON array of objects, or ARFF; text may be compressed as
        ``.gz``. A ``.zip``, a folder or a pattern such as ``"sales-*.csv"`` gives the files of one table; ``"-"``
        is standard input.
    target : str, optional
        Column to be predicted. Rows without it are dropped, with a note.
    nominal, numeric, ignore : sequences of str
        Columns declared nominal, numeric or ignored, regardless of their cells.
    schema : Schema, dict or path, optional
        Further declarations of columns: kind, domain, ordered, role, cost, taxonomy; a path names a TOML or JSON
        file.
    missing : sequence of str
        Markers of missing values, in addition to null and NaN.
    separator, encoding : str, optional
        Separator of the cells of a text file, and its encoding; detected by default.
    decimal, thousands : str, optional
        Decimal mark, ``"."`` or ``","``, and the thousands separator; detected by default.
    dates : {"dmy", "mdy", "ymd"} or pattern, optional
        Order of day, month and year, or a pattern such as ``"%d.%m.%Y"``; detected by default.
    header : bool or int, optional
        Whether the first line names the columns, or the number of the line that does; detected by default.
    sheet : str or int, optional
        Name or number, from 1, of the sheet of a spreadsheet; by default the first that is not empty.
    skip_bad : bool
        Whether rows of a text file with too many or too few cells are skipped and counted; otherwise they are an
        error.
    date_parts : sequence of {"year", "quarter", "month", "day", "weekday", "hour"}
        Columns to add for every column of dates.
    name : str, optional
        Name of the table; by default the file's name.

    Returns
    -------
    Dataset

    Notes
    -----
    Spaces around cells are ignored. Columns of a CSV file are numeric if all their cells are numbers, also
    with decimal commas, thousands separators, a currency, per cent or one unit; they are dates if all cells are
    dates. Other strings are nominal, text or identifiers, depending on their values. One note lists the
    detected properties of a file in an unusual format. A column that merely looks like an identifier stays in
    `X`, where learners ignore it with a note. A first column that counts the rows and ignored columns are
    left out of `X`.

    Examples
    --------
    >>> import polars as pl
    >>> data = read(pl.DataFrame({"wind": ["weak", "?", "strong"], "play": ["yes", "yes", "no"]}), "play")
    >>> data
    Dataset: 3 rows, 2 columns, target 'play'
      wind: nominal {strong, weak}
      play: nominal {no, yes} (target)
    """
    dialect = Dialect(
        separator, encoding, decimal, thousands, dates, header, sheet, skip_bad, several(missing)
    )
    missing, findings = dialect.missing, Findings()
    loaded = _load(source, dialect, findings)
    told = Told(
        loaded.frame.columns, target=target, nominal=nominal, numeric=numeric, ignore=ignore, schema=schema
    )
    read_as = _read_cells(loaded, told, dialect, findings)
    findings.tell(loaded.called)
    frame = _with_target(pl.DataFrame([each.cells for each in read_as.values()]), told.target)
    settled = [_settled(cells, told, missing, loaded.ordered) for cells in frame.get_columns()]
    columns = [_described(column, read_as[column.name]) for _, column in settled]
    index = _index(frame, columns, told)
    if index is not None:
        columns[0] = replace(columns[0], role="id")
    data = Dataset(
        frame=pl.DataFrame([cells for cells, _ in settled]),
        target=told.target,
        schema=Schema(tuple(columns)),
        name=loaded.title if name is None else name,
        aside=tuple(each for each in frame.columns if told.left_out(each) or each == index),
    )
    return add_date_parts(data, several(date_parts)) if date_parts else data


def read_frame(source: str | Path) -> pl.DataFrame:
    """Read a file as a database table: cells are numbers, dates and text, and no column is set aside.

    A file with only a header is a table without rows.
    """
    dialect, findings = Dialect(), Findings()
    with opened(source, dialect.encoding) as stream:
        found = _all_examples(stream, dialect, findings)
        loaded = _Loaded(
            pl.concat(found).rechunk(), stream.format in ("csv", "excel"), called=name_of(source)
        )
    told = Told(loaded.frame.columns, target=None, nominal=(), numeric=(), ignore=(), schema=None)
    read_as = _read_cells(loaded, told, dialect, findings)
    findings.tell(loaded.called)
    return pl.DataFrame([each.cells for each in read_as.values()])


def _read_cells(loaded: _Loaded, told: Told, dialect: Dialect, findings: Findings) -> dict[str, Reading]:
    """Return every column in its declared type, or in the type of its cells."""
    columns = loaded.frame.get_columns()
    as_text = [
        cells
        for cells in columns
        if loaded.written and told.kind(cells.name) in (None, "numeric") and not told.left_out(cells.name)
    ]
    found = readings(as_text, dialect, findings, findings.separator)
    for cells in columns:
        if cells.name not in found:
            read = cells if told.left_out(cells.name) else typed(cells, told, dialect.missing, loaded.written)
            if told.kind(cells.name) is None and (example := inexact(cells)) is not None:
                say_inexact(findings, cells.name, example)
                read = cells.cast(pl.String)
            if read.dtype == pl.String and not loaded.written and told.kind(cells.name) is None:
                read = _numbers_as_text(read, findings)
            found[cells.name] = Reading(read)
        elif told.kind(cells.name) == "numeric":
            read_as = found[cells.name]
            found[cells.name] = replace(read_as, cells=as_numbers(read_as.cells, dialect.missing))
    for name, unit in findings.units.items():
        if not found[name].unit:
            found[name] = replace(found[name], unit=unit)
    return {cells.name: found[cells.name] for cells in columns}


def _numbers_as_text(cells: pl.Series, findings: Findings) -> pl.Series:
    """Return a column of strings as numbers if its guess says so (see `guess_column`)."""
    numeric = guess_column(raw_frame(cells.to_frame()).columns[0]).kind == "numeric"
    numbers = exact_numbers_of(cells) if numeric else None
    if numbers is None or numbers.null_count() == len(numbers):
        return cells
    findings.say("numbers given as text (nominal= keeps them)", cells.name)
    return numbers


def _described(column: Column, reading: Reading) -> Column:
    """Add the format to a column if it holds the parsed cells."""
    if column.kind != "numeric" or not (reading.unit or reading.written):
        return column
    return replace(column, unit=column.unit or reading.unit, written=column.written or reading.written)


def _index(frame: pl.DataFrame, columns: Sequence[Column], told: Told) -> str | None:
    """Return the first column if it numbers the rows, with a note; other such columns only cause a note."""
    found = None
    for place, column in enumerate(columns):
        name = column.name
        if (
            column.role != "input"
            or told.kind(name) is not None
            or not counts_rows(frame.get_column(name))
            or sum(each.role == "input" for each in columns) < 2
        ):
            continue
        if place == 0 and not is_time_word(name):
            found = name
            note(
                f"column {name!r} counts the rows and is set aside; to learn from it, give numeric=[{name!r}], or "
                f"{option('numeric', name)} on the command line"
            )
        else:
            note(
                f"column {name!r} counts the rows: if it is not a clock but an index, give ignore=[{name!r}], or "
                f"{option('ignore', name)} on the command line"
            )
    return found


def batches(
    source: str | Path,
    schema: Schema,
    rows: int = ROWS,
    missing: Sequence[str] | None = None,
    dialect: Dialect | None = None,
) -> Iterator[pl.DataFrame]:
    """Yield a file's rows in batches with the columns of a fixed schema; see `conformed`.

    Memory does not grow with the file.

    Parameters
    ----------
    source : path or "-"
    schema : Schema
        Schema of the hypothesis.
    rows : int
        Maximum number of rows of a batch.
    missing : sequence of str
        Markers of missing values.
    dialect : Dialect, optional
        Declared format of the file; `missing` is a part of it.

    Yields
    ------
    polars.DataFrame
    """
    first_row = 1
    for frame in pieces(source, rows, dialect=dialect):
        yield conformed(frame, schema, missing, first_row, dialect)
        first_row += frame.height


def pieces(
    source: str | Path | Sequence[str | Path],
    rows: int = ROWS,
    columns: Sequence[str] | None = None,
    dialect: Dialect | None = None,
) -> Iterator[pl.DataFrame]:
    """Yield a file's rows in batches without type inference: cells of a text file are strings.

    Memory does not grow with the file. Columns other than `columns` are not read if that saves time.
    """
    empty, findings = True, Findings()
    names: list[str] = []
    for part in parts_of(source):
        with opened(part, None if dialect is None else dialect.encoding) as stream:
            for block in _examples(stream, dialect or Dialect(), findings, rows, columns):
                names = names or block.columns
                for frame in _alike(block, names, stream.name).iter_slices(rows):
                    empty = empty and frame.height == 0
                    yield frame
        findings.tell(name_of(part))
    if empty:
        raise _no_rows(stream.name)


def conformed(
    frame: pl.DataFrame,
    schema: Schema,
    missing: Sequence[str] | None = None,
    first_row: int = 1,
    dialect: Dialect | None = None,
) -> pl.DataFrame:
    """Return rows with the columns of a fixed schema.

    Nominal columns become strings, so that a written ``1`` matches the learned value ``"1"``; columns outside the
    schema are unchanged. `first_row` is the number of the first row in messages.

    Examples
    --------
    >>> schema = Schema((Column("age"), Column("zip", "nominal", ("1", "2"))))
    >>> conformed(pl.DataFrame({"zip": [1], "age": ["?"], "name": ["Ann"]}), schema).row(0)
    ('1', None, 'Ann')
    """
    known = {column.name: column for column in schema.inputs()}
    dialect = dialect or Dialect()
    if missing is not None:
        dialect = replace(dialect, missing=tuple(missing))
    needed = parts_needed(schema, frame.columns)
    for name in set(needed.values()) - set(known):  # dates used only through some of their parts
        known[name] = Column(name, temporal="days")
    found = frame.with_columns(
        _conformed(frame.get_column(each), known[each], dialect, first_row)
        for each in frame.columns
        if each in known
    )
    return with_parts(found, needed) if needed else found


def needed_columns(schema: Schema, names: Sequence[str]) -> list[str]:
    """Return the source columns needed for a schema; for a date part, the column of the date."""
    parts = parts_needed(schema, names)
    needed = list(dict.fromkeys(parts.get(name, name) for name in schema.inputs().names()))
    absent = [name for name in needed if name not in names]
    if absent:
        raise InputError(
            f"column {absent[0]!r} is absent; give all columns that the hypothesis was learned from"
        )
    return needed


def inputs_of(frame: pl.DataFrame, schema: Schema) -> pl.DataFrame:
    """Return the columns of a frame that a schema needs."""
    return frame.select(needed_columns(schema, frame.columns))


@dataclass(frozen=True)
class _Loaded:
    """A frame before type inference; `written` if its strings are untyped cells of a text file."""

    frame: pl.DataFrame
    written: bool = False
    title: str = ""
    called: str = "the frame"
    ordered: frozenset[str] = frozenset()


def _load(source: Any, dialect: Dialect, findings: Findings) -> _Loaded:
    if not isinstance(source, str | Path):
        return _from_frame(source)
    parts = parts_of(source)
    loaded = [_load_part(part, dialect, findings) for part in parts]
    if len(loaded) == 1 and isinstance(parts[0], str | Path):
        return loaded[0]
    names = loaded[0].frame.columns
    frames = [_alike(each.frame, names, each.called) for each in loaded]
    if len(frames) > 1:
        findings.say(f"the rows of {len(frames)} files")
    try:
        frame = pl.concat(frames, how="vertical_relaxed")
    except pl.exceptions.PolarsError:
        raise InputError(
            f"the files of {str(source)!r} have different column types; give files of one table"
        ) from None
    title = title_of(Path(source)) if any(isinstance(part, Inside) for part in parts) else Path(source).stem
    return _Loaded(
        frame.rechunk(), all(each.written for each in loaded), title.strip("*?[]-_. "), name_of(source)
    )


def _load_part(source: str | Path | Inside, dialect: Dialect, findings: Findings) -> _Loaded:
    with opened(source, dialect.encoding) as stream:
        found = _all_examples(stream, dialect, findings)
        frame = pl.concat(found, how="vertical") if len(found) > 1 else found[0]
        written = stream.format in ("csv", "excel")
        if frame.height == 0:
            raise _no_rows(stream.name)
        path = Path(stream.address) if stream.address else stream.path
        title = "" if path is None else title_of(path)
        return _Loaded(frame.rechunk(), written, title, name_of(source))


def _alike(frame: pl.DataFrame, names: Sequence[str], called: str) -> pl.DataFrame:
    """Return a further part of a table with its columns in the order of the first part; the names must match."""
    if frame.columns == list(names):
        return frame
    for name in names:
        if name not in frame.columns:
            raise InputError(
                f"{called} has no column {name!r}, which the previous files have; give files of one table"
            )
    for name in frame.columns:
        if name not in names:
            raise InputError(
                f"{called} has a column {name!r}, which the previous files lack; give files of one table"
            )
    return frame.select(names)


def _all_examples(source: Source, dialect: Dialect, findings: Findings) -> list[pl.DataFrame]:
    """Return all examples of a source, block by block, as long as the memory left suffices for the table."""
    found: list[pl.DataFrame] = []
    size = 0.0
    for block in _examples(source, dialect, findings, None):
        found.append(block)
        size += block.estimated_size()
        require_memory(size, source.name, started=size > 0)
    return found


def _examples(
    source: Source,
    dialect: Dialect,
    findings: Findings,
    rows: int | None,
    columns: Sequence[str] | None = None,
) -> Iterator[pl.DataFrame]:
    """Yield the rows of a file that are examples: all but totals, notes and empty rows in tables of text."""
    blocks = _blocks(source, dialect, findings, rows, columns)
    return without_totals_in(blocks, findings) if source.format in ("csv", "excel") else blocks


def _blocks(
    source: Source,
    dialect: Dialect,
    findings: Findings,
    rows: int | None,
    columns: Sequence[str] | None = None,
) -> Iterator[pl.DataFrame]:
    if source.format == "csv":
        return delimited.blocks(source, dialect, findings)
    if source.format == "excel":
        return iter([excel.frame_of_sheet(source, dialect, findings)])
    if source.format == "arff":
        return arff.frames(source.stream, source.name, rows or ROWS, dialect.skip_bad, findings)
    if source.format == "jsonl":
        return records.json_lines(source, rows, findings)
    if source.format == "json":
        return iter([records.json_array(source, findings)])
    return records.parquet(source, rows or ROWS, columns)


def _no_rows(name: str) -> InputError:
    return InputError(f"{name!r} has a header but no rows")


def _from_frame(source: Any) -> _Loaded:
    if isinstance(source, pl.LazyFrame):
        source = source.collect()
    ordered: frozenset[str] = frozenset()
    if isinstance(source, pl.DataFrame):
        frame = source
    else:
        import narwhals as nw

        raw = raw_frame(source)
        raw.tell_flagged()
        ordered = frozenset(column.name for column in raw.columns if column.ordered)
        native = nw.from_native(source, pass_through=True)
        native = plain_frame(native) if isinstance(native, nw.DataFrame) else native
        keys = native.columns if isinstance(native, nw.DataFrame) else None
        frame = pl.DataFrame(
            [
                _polars_series(column, None if keys is None else native.get_column(keys[j]))
                for j, column in enumerate(raw.columns)
            ]
        )
    check_names(frame.columns, "the frame")
    if frame.height == 0:
        raise InputError("the frame has no rows")
    return _Loaded(frame, ordered=ordered)


def frame_of(source: Any) -> pl.DataFrame:
    """Return any dataframe as a polars frame, with the declared domains of its columns."""
    return _from_frame(source).frame


def _polars_series(raw: Any, series: Any) -> pl.Series:
    """Return a column of a foreign frame as a polars series, with its dtype and its declared domain."""
    import narwhals as nw

    if raw.temporal and (series is None or series.dtype == nw.Object):
        days = pl.Series(raw.name, raw.values, nan_to_null=True)
        times = (days * 86_400_000_000).round().cast(pl.Int64).cast(pl.Datetime("us"))
        return times.cast(pl.Date) if raw.whole else times
    if series is None or isinstance(raw.values, list):
        return pl.Series(raw.name, raw.values, nan_to_null=True)
    if raw.kind == "nominal" and raw.domain != (False, True):
        cells = [None if is_missing(cell) else str(plain(cell)) for cell in series.to_list()]
        return pl.Series(raw.name, cells, dtype=pl.Enum(list(map(str, raw.domain))))
    try:
        return pl.Series(raw.name, series.to_polars())
    except (ImportError, TypeError):  # pandas string columns need pyarrow for a direct conversion
        cells = [None if is_missing(cell) else cell for cell in series.to_list()]
        return pl.Series(raw.name, cells)


def typed(cells: pl.Series, told: Told, missing: Sequence[str], written: bool) -> pl.Series:
    """Return a column in its declared type, or in the type of its cells if they were `written` as text."""
    kind = told.kind(cells.name)
    if kind == "numeric":
        return as_numbers(cells, missing)
    if kind == "nominal":
        declared = {str(value) for value in told.apply(Column(cells.name)).domain}
        if cells.dtype in (pl.Enum, pl.Boolean):
            return cells
        return as_strings(cells, [token for token in missing if token not in declared])
    if cells.dtype.is_float():
        return cells.fill_nan(None)
    if cells.dtype != pl.String:
        return cells
    if written and kind is None:
        return from_text(cells, missing)
    known = without_missing(cells, missing)
    dates = iso_dates(known) if kind is None and known.null_count() < len(known) else None
    return known if dates is None else dates


def _with_target(frame: pl.DataFrame, target: str | None) -> pl.DataFrame:
    if target is None:
        return frame
    absent = frame.get_column(target).null_count()
    if absent == frame.height:
        raise InputError(f"the target {target!r} is missing in every row; give labelled rows")
    if absent:
        rows = "1 row has" if absent == 1 else f"{absent:,} rows have"
        note(f"{rows} no value of the target {target!r} and {'is' if absent == 1 else 'are'} left out")
        return frame.filter(pl.col(target).is_not_null())
    return frame


def _settled(
    cells: pl.Series, told: Told, missing: Sequence[str], ordered: frozenset[str]
) -> tuple[pl.Series, Column]:
    name = cells.name
    if told.left_out(name):
        return cells, told.apply(Column(name, "numeric" if cells.dtype.is_numeric() else "nominal"))
    guess = guess_column(raw_frame(cells.to_frame()).columns[0])
    if name == told.target:
        kind = "nominal" if guess.kind == "text" else guess.kind
        guess = replace(guess, kind=kind, role="target")
    elif told.kind(name) == "nominal" and not named_as_identifier(name):
        guess = replace(guess, role="input")
    column = told.apply(replace(guess, ordered=guess.ordered or name in ordered))
    if column.kind == "nominal":
        return with_domain(cells, column, missing)
    return cells, column


def _conformed(cells: pl.Series, column: Column, dialect: Dialect, first_row: int) -> pl.Series:
    missing = dialect.missing
    if column.kind == "nominal" and all(isinstance(value, bool) for value in column.domain):
        if cells.dtype == pl.Boolean:
            return cells
        lower = as_strings(cells, missing).str.to_lowercase()
        return lower.replace_strict(TRUTH, default=None, return_dtype=pl.Boolean)
    if column.kind == "nominal":
        text = as_strings(cells, [token for token in missing if token not in column.domain])
        if all(isinstance(value, str) for value in column.domain):
            return _in_case(text, column)
        return text.cast(pl.Float64, strict=False)  # categories of a frame that are numbers
    if column.kind != "numeric":
        return cells
    if cells.dtype == pl.String:
        found = conform(cells, column, dialect, first_row)
        if found is not None:
            return found.cast(pl.Float64) if found.dtype.is_numeric() else found
        if column.temporal:
            raise _no_date(without_missing(cells, missing), first_row)
    numbers = as_numbers(cells, missing, first_row)
    return numbers.cast(pl.Float64) if numbers.dtype.is_numeric() else numbers


def _in_case(cells: pl.Series, column: Column) -> pl.Series:
    """Return Boolean words in the spelling of the training column, ignoring case."""
    learned = {str(value).lower(): str(value) for value in column.domain}
    pair = truths(pl.Series(list(learned), dtype=pl.String))
    if pair is None or len(learned) < len(column.domain):
        return cells
    lower = cells.str.to_lowercase()
    known = pl.when(lower.is_in(list(pair))).then(lower.replace(learned)).otherwise(cells)
    return pl.select(known).to_series().alias(cells.name)


def _no_date(cells: pl.Series, first_row: int) -> InputError:
    wrong = next(
        (j for j, cell in enumerate(cells) if cell is not None and iso_dates(pl.Series([cell])) is None), 0
    )
    return InputError(
        f"column {cells.name!r} holds dates, but {cells[wrong]!r} in row {first_row + wrong:,} is not a date; write "
        "it as 2024-12-31 or leave it empty"
    )
