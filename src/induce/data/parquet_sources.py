"""Parquet partitions from any source of a large table: files in place, other sources written once."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
import polars as pl

from induce.core.errors import InputError, not_installed
from induce.core.notes import note
from induce.core.passes import RowCount
from induce.data.alike import Kinds
from induce.data.chunks import ChunkedTable, chunked
from induce.data.dialect import Dialect
from induce.data.object_stores import StorageOptions, is_address, objects
from induce.data.partitions import (
    MOST_CELLS,
    MOST_ROWS,
    FilePart,
    FramePart,
    Part,
    lazy_parquet,
    stamp_of,
    unreadable,
)
from induce.data.reading import frame_of
from induce.data.streams import FORMATS, parts_of, title_of

PARQUET = tuple(suffix for suffix, kind in FORMATS.items() if kind == "parquet")


@dataclass(frozen=True, eq=False)
class Opened:
    """Partitions of a source, with their `layout` if the schema was inferred while they were written."""

    name: str
    parts: tuple[Part, ...]
    head: pl.DataFrame
    kinds: Kinds
    layout: ChunkedTable | None = None
    keep: Any = None


class Folder:
    """Folder for the rows of a source; a temporary folder is deleted when it is no longer referenced."""

    def __init__(self, path: str | Path | None) -> None:
        if path is None:
            self.path = Path(tempfile.mkdtemp(prefix="induce-"))
            weakref.finalize(self, rmtree, self.path, ignore_errors=True)
        else:
            self.path = Path(path)
            self.path.mkdir(parents=True, exist_ok=True)
            if any(self.path.iterdir()):
                raise InputError(f"the folder {str(path)!r} is not empty; name a new one")

    def written(self, frames: Iterable[pl.DataFrame]) -> list[str]:
        """Write frames as Parquet files, one per frame."""
        paths, count = [], RowCount("written")
        for number, frame in enumerate(frames):
            paths.append(str(self.path / f"part-{number:06d}.parquet"))
            frame.write_parquet(paths[-1])
            count.add(frame.height)
        if not paths:
            raise InputError("the source has no rows")
        return paths


def opened_source(
    source: Any,
    target: str | None,
    given: dict[str, Any],
    missing: tuple[str, ...],
    table: str | None,
    query: str | None,
    rows: int | None,
    folder: str | Path | None,
    verify: bool,
    dialect: Dialect | None,
    options: StorageOptions = None,
) -> Opened:
    """Return the partitions of a source; see `induce.scan`."""
    if isinstance(source, str | Path):
        if table is not None or query is not None:
            return _from_database(str(source), table, query, rows, folder)
        files = _files(source, options)
        return _from_paths(source, files, target, given, missing, rows, folder, verify, dialect, options)
    if isinstance(source, pl.LazyFrame):
        spool = Folder(folder)
        path = spool.path / "part-000000.parquet"
        try:
            source.sink_parquet(path, row_group_size=MOST_ROWS)
        except pl.exceptions.PolarsError as error:
            raise InputError(f"the frame cannot be read: {str(error).splitlines()[0]}") from None
        return _from_parquet("frame", [str(path)], rows, spool)
    if hasattr(source, "npartitions") and hasattr(source, "partitions"):
        spool = Folder(folder)
        return _from_parquet("frame", spool.written(_of_dask(source)), rows, spool)
    if isinstance(source, list | tuple) and source and all(isinstance(each, str | Path) for each in source):
        files = [path for each in source for path in _files(each, options)]
        return _from_paths(
            list(source), files, target, given, missing, rows, folder, verify, dialect, options
        )
    frames = source if isinstance(source, list | tuple) else _slices(frame_of(source), rows)
    whole = [each if isinstance(each, pl.DataFrame) else frame_of(each) for each in frames]
    if not whole:
        raise InputError("the list of files or frames is empty; give at least one")
    head = next((each for each in whole if each.height), whole[0])
    if set(head.columns) == set(whole[0].columns):
        head = head.select(whole[0].columns)
    parts, kinds = tuple(FramePart(each, k) for k, each in enumerate(whole)), Kinds()
    for part in parts:
        kinds.add(part.label, part.frame.schema)
    return Opened("frame", parts, head, kinds)


def _files(source: str | Path, options: StorageOptions) -> list[Any]:
    text = str(source)
    if isinstance(source, str) and is_address(text):
        return [*objects(text, options)]
    if text.startswith("file://"):
        source = text.removeprefix("file://")
    elif "://" in text:
        raise InputError(
            f"{text.partition('://')[0] + '://…'!r} is not a file or an object store; for a database give the table "
            "or the query to read"
        )
    return list(parts_of(source))


def _from_paths(
    source: str | Path | list[str | Path],
    files: list[Any],
    target: str | None,
    given: dict[str, Any],
    missing: tuple[str, ...],
    rows: int | None,
    folder: str | Path | None,
    verify: bool,
    dialect: Dialect | None,
    options: StorageOptions,
) -> Opened:
    first = str(source[0] if isinstance(source, list) else source)
    path = Path(first)
    name = path.parent.name if "*" in path.name else title_of(path)
    if options is not None and not any(is_address(str(each)) for each in files):
        raise InputError("storage_options are for an address in an object store; leave them out")
    if all(str(each).lower().endswith(PARQUET) for each in files):
        if verify and any(is_address(str(each)) for each in files):
            raise InputError("verify is for files on this machine; leave it out for an object store")
        if verify:
            check_pages([str(each) for each in files])
        return _from_parquet(name, [str(each) for each in files], rows, None, options)
    if len(files) > 1 and any(str(each).lower().endswith(PARQUET) for each in files):
        raise InputError(
            f"{first!r} and the others are of different formats; give only Parquet files, or none"
        )
    if verify:
        raise InputError("verify is for Parquet files, which may have page checksums; leave it out")
    layout = chunked(
        source, target, **given, missing=missing, text=True, numbers=True, rows=rows, dialect=dialect
    )
    spool = Folder(folder)
    classes = pl.Series(target, np.asarray(layout.classes))
    frames = (
        frame.with_columns(classes[labels] if layout.classes else pl.Series(target, labels))
        if target
        else frame
        for frame, labels in layout
    )
    opened = _from_parquet(name, spool.written(frames), rows, spool)
    return Opened(name, opened.parts, opened.head, opened.kinds, layout, spool)


def _from_parquet(
    name: str, files: Sequence[str], rows: int | None, keep: Any, options: StorageOptions = None
) -> Opened:
    parts: list[Part] = []
    head: pl.DataFrame | None = None
    kinds = Kinds()
    for path in files:
        stamp = stamp_of(path)
        try:
            lazy = lazy_parquet(path, options)
            names, n_rows = lazy.collect_schema(), int(lazy.select(pl.len()).collect().item())
        except (pl.exceptions.PolarsError, OSError, ValueError, TypeError) as error:
            raise unreadable(path, error) from None
        kinds.add(repr(path), names)
        if head is None or (head.height == 0 and n_rows):
            order = list(names) if head is None or set(head.columns) != set(names) else head.columns
            head = lazy.select(order).head(1000).collect()
        most = rows or max(1, min(MOST_ROWS, MOST_CELLS // max(1, len(names))))
        size = -(-n_rows // max(1, -(-n_rows // most))) if n_rows else 1
        parts += [
            FilePart(path, first, min(size, n_rows - first), size >= n_rows, stamp, options)
            for first in range(0, max(n_rows, 1), size)
        ]
    assert head is not None
    if not any(part.n_rows for part in parts):
        raise InputError(f"{name!r} has no rows")
    return Opened(name, tuple(parts), head, kinds, keep=keep)


def _slices(frame: pl.DataFrame, rows: int | None) -> list[pl.DataFrame]:
    return list(frame.iter_slices(rows or MOST_ROWS))


def _of_dask(frame: Any) -> Iterator[pl.DataFrame]:
    for number in range(frame.npartitions):
        rows = frame.partitions[number].compute()
        if len(rows):
            yield frame_of(rows.reset_index(drop=True))


def _from_database(
    url: str, table: str | None, query: str | None, rows: int | None, folder: str | Path | None
) -> Opened:
    try:
        alchemy: Any = import_module("sqlalchemy")
    except ImportError:
        raise not_installed("a database", "SQLAlchemy") from None
    if (table is None) == (query is None):
        raise InputError("give either the table or the query to read from a database")
    asked = (
        alchemy.select(alchemy.text("*")).select_from(alchemy.table(table)) if table else alchemy.text(query)
    )
    spool = Folder(folder)

    def batches() -> Iterator[pl.DataFrame]:
        with alchemy.create_engine(url).connect() as connection:
            found = connection.execution_options(stream_results=True).execute(asked)
            names = list(found.keys())
            while batch := found.fetchmany(rows or MOST_ROWS):
                yield pl.DataFrame(
                    [
                        pl.Series(name, cells, strict=False)
                        for name, cells in zip(names, zip(*batch, strict=True), strict=True)
                    ]
                ).with_columns(pl.col(pl.Null).cast(pl.Float64), pl.col(pl.Decimal).cast(pl.Float64))

    try:
        return _from_parquet(table or "query", spool.written(batches()), rows, spool)
    except alchemy.exc.SQLAlchemyError as problem:
        raise InputError(f"the database reports an error: {str(problem).splitlines()[0]}") from None


def check_pages(files: Sequence[str]) -> None:
    """Verify the page checksums of Parquet files with pyarrow, and report files without checksums."""
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise not_installed("verify", "pyarrow") from None
    without = []
    for path in files:
        try:
            file = parquet.ParquetFile(path, page_checksum_verification=True)
            for _ in file.iter_batches(batch_size=MOST_ROWS):
                pass
            if file.metadata.num_row_groups and not _has_checksum(path, file.metadata.row_group(0).column(0)):
                without.append(path)
        except (OSError, ValueError) as error:
            raise InputError(f"{path!r} is damaged ({str(error).splitlines()[0]}); fetch it again") from None
    if without:
        more = f" and {len(without) - 1:,} more files" if len(without) > 1 else ""
        note(f"{without[0]!r}{more} have no page checksums, so corrupted bytes would go unnoticed")


def _has_checksum(path: str, chunk: Any) -> bool:
    """Return whether the first page of a column has a checksum: the fourth field of its header.

    The header is in Thrift's compact protocol: the byte before each field holds the field number, relative to the
    previous field, and the type (5, an integer); an integer ends with the first byte below 128.
    """
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    with Path(path).open("rb") as file:
        file.seek(start)
        header = file.read(64)
    at = 0
    for _ in range(3):  # type, size, compressed size
        at += 1
        while header[at] & 0x80:
            at += 1
        at += 1
    return header[at] == 0x15
