"""Partitions of a table larger than memory; each can be read independently, on any machine."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.hashing import HELD_OUT, hashed_rows
from induce.core.pass_results import stored_by
from induce.data.chunks import ChunkedTable, of_strings
from induce.data.frames import raw_frame
from induce.data.object_stores import StorageOptions, is_address, plain, reading_error
from induce.data.schema import Schema
from induce.data.string_codes import codes_of_strings
from induce.data.table import Table, declared_columns, encode_declared

Labels = NDArray[np.int64]

MOST_ROWS, MOST_CELLS = 2**18, 8_000_000
"""Maximum number of rows and of cells in a partition: some tens of megabytes."""


@dataclass(frozen=True, eq=False)
class FilePart:
    """Consecutive rows of a Parquet file; `stamp` identifies the version of the file.

    `options` are those of the object store; they may contain secrets.
    """

    path: str
    first: int
    n_rows: int
    whole: bool
    stamp: tuple[int, int]
    options: StorageOptions = field(default=None, repr=False)

    @property
    def label(self) -> str:
        """Name of the partition in messages."""
        return repr(self.path)

    def identity(self) -> tuple[Any, ...]:
        """Return everything that determines these rows."""
        return self.path, self.first, self.n_rows, self.stamp

    def read(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return the named columns, in the given order."""
        check_unchanged(self.path, self.stamp)
        try:
            rows = lazy_parquet(self.path, self.options).select(columns)
            if not self.whole:
                rows = rows.slice(self.first, self.n_rows)
            frame = rows.collect()
        except pl.exceptions.ColumnNotFoundError:
            names = lazy_parquet(self.path, self.options).collect_schema()
            absent = next((name for name in columns if name not in names), columns[0])
            raise InputError(
                f"{self.path!r} has no column {absent!r}, which the previous files have; give files of "
                "one table"
            ) from None
        except FileNotFoundError:
            raise _gone(self.path) from None
        except (pl.exceptions.PolarsError, OSError) as error:
            raise unreadable(self.path, error) from None
        if frame.height != self.n_rows:
            raise _changed(self.path)
        return frame


@dataclass(frozen=True, eq=False)
class FramePart:
    """Rows in memory."""

    frame: pl.DataFrame
    number: int

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.frame.height

    @property
    def label(self) -> str:
        """Name of the partition in messages."""
        return f"partition {self.number + 1}"

    def identity(self) -> tuple[Any, ...]:
        """Return everything that determines these rows: a hash of them."""
        rows = self.frame.hash_rows(1).to_numpy().tobytes()
        return (
            self.number,
            self.frame.columns,
            [str(kind) for kind in self.frame.dtypes],
            sha256(rows).digest(),
        )

    def read(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return the named columns, in the given order."""
        absent = [name for name in columns if name not in self.frame.columns]
        if absent:
            raise InputError(
                f"{self.label} has no column {absent[0]!r}, which the previous partitions have; give "
                "parts of one table"
            )
        return self.frame.select(columns)


Part = FilePart | FramePart


def lazy_parquet(path: str, options: StorageOptions = None) -> pl.LazyFrame:
    """Return the rows of one Parquet file, here or in an object store."""
    return pl.scan_parquet(path, glob=False, storage_options=plain(options))


def unreadable(path: str, error: Exception) -> InputError:
    """Return the error for a file that cannot be read as Parquet."""
    is_parquet = isinstance(error, pl.exceptions.PolarsError) and "sending request" not in str(error)
    if is_address(path) and not is_parquet:
        return reading_error(path, error)
    return InputError(f"{path!r} cannot be read as Parquet ({str(error).splitlines()[0]}); write it again")


def _ipc(frame: pl.DataFrame) -> NDArray[np.uint8]:
    stream = io.BytesIO()
    frame.write_ipc(stream)
    return np.frombuffer(stream.getbuffer(), np.uint8)


stored_by(
    pl.DataFrame,
    lambda frame: {"ipc": _ipc(frame)},
    lambda parts: pl.read_ipc(io.BytesIO(parts["ipc"].tobytes())),
)


def stamp_of(path: str) -> tuple[int, int]:
    """Return the size and the modification time of a file; zeros in an object store."""
    if is_address(path):
        return (0, 0)
    try:
        found = Path(path).stat()
    except OSError:
        raise _gone(path) from None
    return found.st_size, found.st_mtime_ns


def check_unchanged(path: str, stamp: tuple[int, int]) -> None:
    """Refuse a file that has changed since it was scanned: passes would be inconsistent."""
    if stamp != (0, 0) and stamp_of(path) != stamp:
        raise _changed(path)


def _gone(path: str) -> InputError:
    return InputError(f"{path!r} no longer exists; restore it, or scan the remaining files")


def _changed(path: str) -> InputError:
    return InputError(f"{path!r} has changed since it was scanned; scan it again")


@dataclass(frozen=True, eq=False)
class Partition:
    """Partition with everything that a worker needs to read it.

    Parameters
    ----------
    part : FilePart or FramePart
    layout : ChunkedTable
        Schema and classes, the same for all partitions.
    number : int
        Index among the partitions.
    first_row : int
        Number of its first row among all rows with a class.
    n_labelled : int
        Number of its rows with a class.
    kept : float
        Fraction of rows kept by a hash of their number; a negative value leaves that fraction out, 1 keeps all.
    """

    part: Part
    layout: ChunkedTable
    number: int
    first_row: int
    n_labelled: int
    kept: float = 1.0

    @property
    def label(self) -> str:
        """Name of the partition in messages."""
        return self.part.label

    @property
    def n_rows(self) -> int:
        """Number of its rows with a class, including those that are not kept: all are read."""
        return self.n_labelled

    def identity(self) -> tuple[Any, ...]:
        """Return everything that determines these rows and how they are read."""
        layout = self.layout
        read = layout.schema, layout.target, layout.classes, layout.missing
        return self.part.identity(), read, self.number, self.first_row, self.n_labelled, self.kept

    @cached_property
    def places(self) -> Labels | None:
        """Positions of the kept rows among those with a class; None if all are kept."""
        if self.kept == 1.0:
            return None
        chosen = hashed_rows(self.first_row, self.n_labelled, abs(self.kept), HELD_OUT)
        if self.kept > 0:
            return chosen
        left = np.ones(self.n_labelled, np.bool_)
        left[chosen] = False
        return np.flatnonzero(left)

    def numbers(self) -> Labels:
        """Return the number of each row among all rows that have a target."""
        found = np.arange(self.first_row, self.first_row + self.n_labelled)
        return found if self.places is None else found[self.places]

    def rows(self) -> tuple[pl.DataFrame, NDArray[Any]]:
        """Return the rows with a target, encoded by the schema, and the class index or the number of each."""
        return self._settled(self.part.read(self.layout.names()))

    def _settled(self, frame: pl.DataFrame) -> tuple[pl.DataFrame, NDArray[Any]]:
        layout = self.layout
        if frame.height == 0:
            return frame.select(layout.schema.names()), np.zeros(
                0, np.int64 if layout.classes else np.float64
            )
        try:
            rows, labels = layout.settled(frame, getattr(self.part, "first", 0) + 1)
        except InputError as error:
            raise InputError(f"{self.label}: {error}") from None
        if len(labels) != self.n_labelled:
            self._refuse_new_class(frame[layout.target or frame.columns[0]])
        return (rows, labels) if self.places is None else (rows[self.places], labels[self.places])

    def columns(self) -> tuple[Iterator[Any], NDArray[Any]]:
        """Return the encoded input columns, one at a time, and the class index or the number of each row."""
        frame, inputs = self.part.read(self.layout.names()), self.layout.schema.inputs()
        codes = {}
        if self.places is None and self.n_labelled == frame.height:  # every row is kept
            codes = {
                column.name: found
                for column in inputs
                if column.kind == "nominal" and of_strings(column.domain)
                if (found := codes_of_strings(frame[column.name], column.domain)) is not None
            }
        others = Schema(tuple(column for column in inputs if column.name not in codes))
        rest = replace(self, layout=replace(self.layout, schema=others)) if codes else self
        rows, labels = rest._settled(frame)
        coded = declared_columns(raw_frame(rows), rest.layout.schema)
        return (codes.pop(name) if name in codes else next(coded) for name in inputs.names()), labels

    def table(self) -> tuple[Table, NDArray[Any]]:
        """Return the encoded inputs, and the class index or the number of each row."""
        rows, goals = self.rows()
        return encode_declared(raw_frame(rows), self.layout.schema), goals

    def _refuse_new_class(self, cells: pl.Series) -> None:
        if not self.layout.classes:
            raise _changed(self.label.strip("'"))
        known = self.layout.labels(cells) >= 0
        odd = cells.filter(pl.Series(~known)).drop_nulls()
        odd = odd.filter(~odd.cast(pl.String).is_in(list(self.layout.missing)))
        if len(odd):
            raise InputError(
                f"{self.label} has the class {odd[0]!r}, which is not among those of the target "
                f"{self.layout.target!r}; declare it, or scan the table again"
            )
        raise _changed(self.label.strip("'"))
