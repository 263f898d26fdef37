"""Tables of records: JSON lines, a JSON array of objects, Parquet."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import polars as pl

from induce.core.documents import DocumentError, json_of
from induce.core.errors import InputError
from induce.core.memory import require_memory
from induce.data.encodings import BOM
from induce.data.object_stores import reading_error
from induce.data.streams import Source, decoded, refuse_foreign

ROWS = 100_000
"""Number of lines read at a time."""


def json_lines(source: Source, rows: int | None = None) -> Iterator[pl.DataFrame]:
    """Yield the objects of a JSON-lines file, at most `rows` at a time."""
    first = 1
    while lines := list(islice(source.stream, rows or ROWS)):
        if first == 1:
            refuse_foreign(lines[0], source.name)
            lines[0] = lines[0].removeprefix(BOM)
        block = b"".join(lines)
        if block.strip():
            try:
                yield _tidy(pl.read_ndjson(io.BytesIO(block), infer_schema_length=None))
            except pl.exceptions.PolarsError:
                yield _objects(lines, first, source.name)
        first += len(lines)
    if first == 1:
        raise InputError(f"{source.name!r} is empty")


def json_array(source: Source) -> pl.DataFrame:
    """Read a file that is one JSON array of objects."""
    data = source.stream.read()
    require_memory(10 * len(data), source.name)
    refuse_foreign(data, source.name)
    text = decoded(data.removeprefix(BOM), 1, source.name)
    if not text.strip():
        raise InputError(f"{source.name!r} is empty")
    try:
        found = json_of(text)
    except DocumentError as error:
        if error.line is None:
            raise InputError(f"{source.name!r} cannot be read: {error}") from None
        raise InputError(
            f"line {error.line:,} of {source.name!r} is not JSON ({error.reason}); if every line is a separate "
            "object, end the file's name in .jsonl"
        ) from None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise InputError(f"{source.name!r} must be an array of objects, one per row")
    return _from_dicts(found)


def parquet(source: Source, rows: int, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
    """Yield all or some columns of a Parquet file, at most `rows` rows at a time."""
    try:
        # given a path, polars reads only the requested rows
        scan = pl.scan_parquet(source.address or source.path or io.BytesIO(source.stream.read()), glob=False)
        n_rows = scan.select(pl.len()).collect().item()
        if columns is not None:
            scan = scan.select(columns)
        yield pl.DataFrame(schema=scan.collect_schema())
        # prefetch the next rows while these are used
        with ThreadPoolExecutor(1) as reader:
            ahead = reader.submit(scan.slice(0, rows).collect)
            for start in range(0, n_rows, rows):
                frame = ahead.result()
                ahead = reader.submit(scan.slice(start + rows, rows).collect)
                yield frame
    except pl.exceptions.PolarsError:
        raise InputError(f"{source.name!r} is not a complete Parquet file; write it again") from None
    except OSError as error:
        if not source.address:
            raise
        raise reading_error(source.address, error) from None


def _objects(lines: list[bytes], first: int, name: str) -> pl.DataFrame:
    """Read the lines one by one, to find the damaged one or to read lines that polars rejects."""
    found = []
    for number, line in enumerate(lines, start=first):
        text = decoded(line, number, name)
        if not text.strip():
            continue
        try:
            record = json_of(text)
        except DocumentError as error:
            raise InputError(f"line {number:,} of {name!r} is not JSON: {error.reason}") from None
        if not isinstance(record, dict):
            raise InputError(f'line {number:,} of {name!r} is not a JSON object such as {{"age": 31}}')
        found.append(record)
    return _from_dicts(found)


def _from_dicts(found: list[dict[str, object]]) -> pl.DataFrame:
    names = list(dict.fromkeys(name for record in found for name in record))
    return _tidy(pl.DataFrame([_series(name, [record.get(name) for record in found]) for name in names]))


def _series(name: str, cells: list[object]) -> pl.Series:
    if all(cell is None or isinstance(cell, list | dict) for cell in cells):
        return pl.Series(name, cells, strict=False)
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {int, float} or any(isinstance(cell, int) and abs(cell) >= 2**63 for cell in cells):
        return pl.Series(name, [None if cell is None else float(str(cell)) for cell in cells])
    if len(kinds) > 1:
        return pl.Series(name, [None if cell is None else str(cell) for cell in cells])
    return pl.Series(name, cells)


def _tidy(frame: pl.DataFrame) -> pl.DataFrame:
    """Give null columns a type, and convert integers beyond int64 to floats."""
    return frame.with_columns(
        pl.col(pl.Null).cast(pl.Float64),
        pl.col(pl.Int128).cast(pl.Float64),
    )
