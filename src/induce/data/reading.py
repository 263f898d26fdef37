"""Files and frames in: `read` for learning, `batches` for predicting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.values import is_missing
from induce.data import arff, delimited, records
from induce.data.dataset import Dataset
from induce.data.frames import raw_frame
from induce.data.names import check_names
from induce.data.schema import Column, Schema
from induce.data.settling import (
    as_numbers,
    as_strings,
    from_text,
    iso_dates,
    with_domain,
    without_missing,
)
from induce.data.streams import Source, opened, title_of
from induce.data.table import guess_column, named_as_identifier
from induce.data.telling import SchemaLike, Told

MISSING_TOKENS = ("?", "", "NA", "NaN")
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
    name: str | None = None,
) -> Dataset:
    """Read a table from a file, standard input or a dataframe, and settle what its columns are.

    Parameters
    ----------
    source : path, "-" or dataframe
        CSV and its kin (``.csv``, ``.tsv``, ``.txt``, ``.data``, with a header; the separator is found out),
        Parquet, JSON lines, a JSON array of objects, ARFF, text also as ``.gz``; ``"-"`` is standard input.
    target : str, optional
        The column to be predicted. Rows without it are dropped, with a note.
    nominal, numeric, ignore : sequences of str
        Columns that are to be taken so, whatever they look like.
    schema : Schema, dict or path, optional
        More about columns: kind, domain, ordered, role, cost, taxonomy; a path names a TOML or JSON file.
    missing : sequence of str
        What stands for a missing value, besides null and NaN.
    separator : str, optional
        What separates the cells of a CSV file.
    name : str, optional
        What to call the table; the file's name if not given.

    Returns
    -------
    Dataset

    Notes
    -----
    Spaces around cells do not count. Columns of a CSV file are numeric if all their cells are numbers, dates
    if all are ISO 8601 dates; other strings are nominal, text or identifiers by their looks. What merely
    looks like an identifier stays in `X`, where learners ignore it with a note; what was said to be one, or
    to be ignored, is left out of `X`.

    Examples
    --------
    >>> import polars as pl
    >>> data = read(pl.DataFrame({"wind": ["weak", "?", "strong"], "play": ["yes", "yes", "no"]}), "play")
    >>> data
    Dataset: 3 rows, 2 columns, target 'play'
      wind: nominal {strong, weak}
      play: nominal {no, yes} (target)
    """
    missing = (missing,) if isinstance(missing, str) else tuple(missing)
    loaded = _load(source, separator)
    told = Told(
        loaded.frame.columns, target=target, nominal=nominal, numeric=numeric, ignore=ignore, schema=schema
    )
    columns = [
        cells if told.left_out(cells.name) else typed(cells, told, missing, loaded.written)
        for cells in loaded.frame.get_columns()
    ]
    frame = _with_target(pl.DataFrame(columns), told.target)
    settled = [_settled(cells, told, missing, loaded.ordered) for cells in frame.get_columns()]
    return Dataset(
        frame=pl.DataFrame([cells for cells, _ in settled]),
        target=told.target,
        schema=Schema(tuple(column for _, column in settled)),
        name=loaded.title if name is None else name,
        aside=tuple(each for each in frame.columns if told.left_out(each)),
    )


def batches(
    source: str | Path,
    schema: Schema,
    rows: int = ROWS,
    missing: Sequence[str] = MISSING_TOKENS,
) -> Iterator[pl.DataFrame]:
    """Yield a file's rows a few at a time, its columns as a settled schema says; see `conformed`.

    Memory does not grow with the file.

    Parameters
    ----------
    source : path or "-"
    schema : Schema
        What the columns are that the hypothesis was learned from.
    rows : int
        The most rows of a batch.
    missing : sequence of str
        What stands for a missing value.

    Yields
    ------
    polars.DataFrame
    """
    first_row = 1
    for frame in pieces(source, rows):
        yield conformed(frame, schema, missing, first_row)
        first_row += frame.height


def pieces(
    source: str | Path, rows: int = ROWS, columns: Sequence[str] | None = None
) -> Iterator[pl.DataFrame]:
    """Yield a file's rows a few at a time, as they stand there: cells of a text file are strings.

    Memory does not grow with the file. If only some `columns` are wanted, others are not read where that saves time.
    """
    empty = True
    with opened(source) as stream:
        for block in _blocks(stream, None, rows, columns):
            for frame in block.iter_slices(rows):
                empty = empty and frame.height == 0
                yield frame
        if empty:
            raise _no_rows(stream.name)


def conformed(
    frame: pl.DataFrame, schema: Schema, missing: Sequence[str] = MISSING_TOKENS, first_row: int = 1
) -> pl.DataFrame:
    """Return rows with their columns as a settled schema says.

    Nominal columns become strings, so that a written ``1`` meets the learned value ``"1"``; columns the schema
    does not know stay as they are. `first_row` is the number that messages give the first row.

    Examples
    --------
    >>> schema = Schema((Column("age"), Column("zip", "nominal", ("1", "2"))))
    >>> conformed(pl.DataFrame({"zip": [1], "age": ["?"], "name": ["Ann"]}), schema).row(0)
    ('1', None, 'Ann')
    """
    known = {column.name: column for column in schema.inputs()}
    return frame.with_columns(
        _conformed(frame.get_column(each), known[each], missing, first_row)
        for each in frame.columns
        if each in known
    )


@dataclass(frozen=True)
class _Loaded:
    """A frame as it came; `written` if its strings are cells of a text file that say nothing of types."""

    frame: pl.DataFrame
    written: bool = False
    title: str = ""
    ordered: frozenset[str] = frozenset()


def _load(source: Any, separator: str | None) -> _Loaded:
    if not isinstance(source, str | Path):
        return _from_frame(source)
    with opened(source) as stream:
        found = list(_blocks(stream, separator, None))
        frame = pl.concat(found, how="vertical") if len(found) > 1 else found[0]
        if frame.height == 0:
            raise _no_rows(stream.name)
        title = "" if stream.path is None else title_of(stream.path)
        return _Loaded(frame.rechunk(), stream.format == "csv", title)


def _blocks(
    source: Source, separator: str | None, rows: int | None, columns: Sequence[str] | None = None
) -> Iterator[pl.DataFrame]:
    if source.format == "csv":
        return delimited.blocks(source, separator)
    if source.format == "arff":
        return arff.frames(source.stream, source.name, rows or ROWS)
    if source.format == "jsonl":
        return records.json_lines(source, rows)
    if source.format == "json":
        return iter([records.json_array(source)])
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
        ordered = frozenset(column.name for column in raw.columns if column.ordered)
        native = nw.from_native(source, pass_through=True)
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


def _polars_series(raw: Any, series: Any) -> pl.Series:
    """Return a column of a foreign frame as a polars one, with its dtype and its declared domain."""
    if series is None or isinstance(raw.values, list):
        return pl.Series(raw.name, raw.values, nan_to_null=True)
    if raw.kind == "nominal" and all(isinstance(value, str) for value in raw.domain):
        cells = [None if is_missing(cell) else cell for cell in series.to_list()]
        return pl.Series(raw.name, cells, dtype=pl.Enum(raw.domain))
    try:
        return pl.Series(raw.name, series.to_polars())
    except ImportError:  # pandas columns of strings need pyarrow to be handed over whole
        cells = [None if is_missing(cell) else cell for cell in series.to_list()]
        return pl.Series(raw.name, cells)


def typed(cells: pl.Series, told: Told, missing: Sequence[str], written: bool) -> pl.Series:
    """Return a column with the type that was told of it, or that its cells have if they were `written` as text."""
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
        raise InputError(f"the target {target!r} is missing in every row; nothing can be learned")
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


def _conformed(cells: pl.Series, column: Column, missing: Sequence[str], first_row: int) -> pl.Series:
    if column.kind == "nominal" and all(isinstance(value, bool) for value in column.domain):
        if cells.dtype == pl.Boolean:
            return cells
        lower = as_strings(cells, missing).str.to_lowercase()
        return lower.replace_strict(TRUTH, default=None, return_dtype=pl.Boolean)
    if column.kind == "nominal":
        text = as_strings(cells, [token for token in missing if token not in column.domain])
        if all(isinstance(value, str) for value in column.domain):
            return text
        return text.cast(pl.Float64, strict=False)  # categories of a frame that are numbers
    if column.kind == "numeric":
        if column.temporal and cells.dtype == pl.String:
            return _dates(without_missing(cells, missing), first_row)
        numbers = as_numbers(cells, missing, first_row)
        return numbers.cast(pl.Float64) if numbers.dtype.is_numeric() else numbers
    return cells


def _dates(cells: pl.Series, first_row: int) -> pl.Series:
    dates = iso_dates(cells)
    if dates is not None:
        return dates
    wrong = next(
        j for j, cell in enumerate(cells) if cell is not None and iso_dates(pl.Series([cell])) is None
    )
    raise InputError(
        f"column {cells.name!r} holds dates, but {cells[wrong]!r} in row {first_row + wrong:,} is none; "
        "write it as 2024-12-31 or leave it empty"
    )
