"""Output of tables, in batches."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from induce.cli.output import check_writable, put

if TYPE_CHECKING:
    import polars as pl

FORMATS = ("csv", "tsv", "jsonl", "parquet")


def write_stdout(frames: Iterator[pl.DataFrame]) -> None:
    """Write frames to standard output as CSV, each as soon as it is available."""
    header = True
    for frame in frames:
        buffer = io.BytesIO()
        frame.write_csv(buffer, include_header=header)
        put(buffer.getvalue())
        header = False


def write_file(path: str, kind: str, frames: Iterator[pl.DataFrame]) -> None:
    """Write frames with the same columns to a file, completely or not at all."""
    from induce.core.files import whole_file

    check_writable(path)
    with whole_file(path) as stream:
        if kind == "parquet":
            _write_parquet(stream, frames)
            return
        header = True
        for frame in frames:
            if kind == "jsonl":
                frame.write_ndjson(stream)
            else:
                frame.write_csv(stream, include_header=header, separator="\t" if kind == "tsv" else ",")
            header = False


def _write_parquet(stream: BinaryIO, frames: Iterator[pl.DataFrame]) -> None:
    from polars.exceptions import ComputeError
    from polars.io.plugins import register_io_source

    first = next(frames)
    problems: list[BaseException] = []

    def source(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        try:
            yield first
            yield from frames
        except (Exception, KeyboardInterrupt) as problem:
            problems.append(problem)  # polars would wrap it into its own error

    try:
        register_io_source(source, schema=first.schema).sink_parquet(stream)
    except ComputeError as problem:
        raise OSError(None, _of_the_system(problem)) from None
    if problems:
        raise problems[0]


def _of_the_system(problem: Exception) -> str:
    """Return the system's message about a file that cannot be written, from the error of polars."""
    said = str(problem).rpartition("error: ")[2]
    return said.partition(" (os error")[0]
