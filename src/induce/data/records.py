"""Tables of records: JSON lines, a JSON array of objects, Parquet."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from math import isfinite

import polars as pl

from induce.core.documents import DocumentError, json_of
from induce.core.errors import InputError
from induce.core.memory import require_memory
from induce.data.cell_formats import say_inexact
from induce.data.dialect import Findings
from induce.data.encodings import BOM
from induce.data.frames import EXACT
from induce.data.object_stores import reading_error
from induce.data.streams import Source, decoded, refuse_foreign

LONG = re.compile(rb"(?<![.\d])\d{16}|\d[eE]\+?\d{3}")
"""A whole number that a float may not hold, or a number that may be beyond all floats."""
KEY, NULL = re.compile(rb'"\s*:'), re.compile(rb":\s*null\b")
CHECKED_AFTER = 100_000
"""Number of lines after which the memory left is compared with what they take."""


def json_lines(
    source: Source, rows: int | None = None, findings: Findings | None = None
) -> Iterator[pl.DataFrame]:
    """Yield the objects of a JSON-lines file, at most `rows` at a time."""
    findings = findings or Findings()
    first = 1
    while lines := _lines(source, rows):
        if first == 1:
            refuse_foreign(lines[0], source.name)
            lines[0] = lines[0].removeprefix(BOM)
        block = b"".join(lines)
        if block.strip():
            frame = None if LONG.search(block) else _fast(block)
            yield _objects(lines, first, source.name, findings) if frame is None else frame
        first += len(lines)
    if first == 1:
        raise InputError(f"{source.name!r} is empty")


def _lines(source: Source, rows: int | None) -> list[bytes]:
    """Return the next lines, all by default, as long as the memory left suffices for them."""
    lines: list[bytes] = []
    while more := list(islice(source.stream, CHECKED_AFTER if rows is None else rows)):
        lines += more
        if rows is not None:
            break
        require_memory(4 * sum(map(len, lines)), source.name)
    return lines


def _fast(block: bytes) -> pl.DataFrame | None:
    """Parse objects by polars, or return None if it rejects them, or if a key may occur twice in one of them."""
    try:
        frame = pl.read_ndjson(io.BytesIO(block), infer_schema_length=None)
    except pl.exceptions.PolarsError:
        return None
    # without duplicates, each key is a cell; a colon inside a string only means that the slow reader looks
    n_keys = len(KEY.findall(block)) - len(NULL.findall(block))
    n_cells = frame.height * frame.width - sum(column.null_count() for column in frame)
    return _tidy(frame) if n_keys == n_cells else None


def json_array(source: Source, findings: Findings) -> pl.DataFrame:
    """Read a file that is one JSON array of objects."""
    data = source.stream.read()
    require_memory(10 * len(data), source.name)
    refuse_foreign(data, source.name)
    text = decoded(data.removeprefix(BOM), 1, source.name)
    if not text.strip():
        raise InputError(f"{source.name!r} is empty")
    try:
        found = json_of(text, _whole, _fraction)
    except DocumentError as error:
        if error.line is None:
            raise InputError(f"{source.name!r} cannot be read: {error}") from None
        raise InputError(
            f"line {error.line:,} of {source.name!r} is not JSON ({error.reason}); if every line is a separate "
            "object, end the file's name in .jsonl"
        ) from None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise InputError(f"{source.name!r} must be an array of objects, one per row")
    return _from_dicts(found, findings)


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


def _objects(lines: list[bytes], first: int, name: str, findings: Findings) -> pl.DataFrame:
    """Read the lines one by one, to find the damaged one or to read lines that polars rejects."""
    found = []
    for number, line in enumerate(lines, start=first):
        text = decoded(line, number, name)
        if not text.strip():
            continue
        try:
            record = json_of(text, _whole, _fraction)
        except DocumentError as error:
            raise InputError(f"line {number:,} of {name!r} is not JSON: {error.reason}") from None
        if not isinstance(record, dict):
            raise InputError(f'line {number:,} of {name!r} is not a JSON object such as {{"age": 31}}')
        found.append(record)
    return _from_dicts(found, findings)


def _from_dicts(found: list[dict[str, object]], findings: Findings) -> pl.DataFrame:
    names = list(dict.fromkeys(name for record in found for name in record))
    return _tidy(
        pl.DataFrame([_series(name, [record.get(name) for record in found], findings) for name in names])
    )


class Inexact(str):
    """A number of a JSON file, as written, that a float cannot hold."""


def _whole(digits: str) -> int | Inexact:
    if len(digits) < len(str(EXACT)):
        return int(digits)
    held = float(digits)
    return int(digits) if isfinite(held) and int(digits) == int(held) else Inexact(digits)


def _fraction(digits: str) -> float | Inexact:
    number = float(digits)
    return number if isfinite(number) else Inexact(digits)


def _series(name: str, cells: list[object], findings: Findings) -> pl.Series:
    example = next((cell for cell in cells if isinstance(cell, Inexact)), None)
    if example is not None:
        say_inexact(findings, name, example)
    if all(cell is None or isinstance(cell, list | dict) for cell in cells):
        return pl.Series(name, cells, strict=False)
    kinds = {type(cell) for cell in cells if cell is not None}
    most = max((abs(cell) for cell in cells if isinstance(cell, int)), default=0)
    if kinds == {int, float} or (kinds == {int} and most >= 2**63):
        return pl.Series(name, [None if cell is None else float(str(cell)) for cell in cells])
    if len(kinds) > 1:
        return pl.Series(name, [None if cell is None else str(cell) for cell in cells])
    return pl.Series(name, cells)


def _tidy(frame: pl.DataFrame) -> pl.DataFrame:
    """Give null columns a type."""
    return frame.with_columns(pl.col(pl.Null).cast(pl.Float64))
