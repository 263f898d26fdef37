"""Output to standard output, or to a file that is written completely or not at all."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

import typer


def put(data: str | bytes) -> None:
    """Write to standard output and flush it; if the reader has closed it, the program ends quietly."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data if isinstance(data, bytes) else data.encode(errors="backslashreplace"))
        sys.stdout.buffer.flush()
    except OSError as error:
        if not _is_gone(error):
            raise
        # the interpreter must not retry buffered output at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit() from None


def _is_gone(error: OSError) -> bool:
    """Return whether the reader has closed the output; Windows reports that as an invalid argument."""
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL)


def put_lines(*lines: str) -> None:
    """Write lines to standard output."""
    put("".join(f"{line}\n" for line in lines))


def put_json(document: Any) -> None:
    """Write one JSON document to standard output."""
    import json

    put_lines(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def put_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table: drawn to fit a terminal, otherwise plain aligned columns."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(*headings, box=None, header_style="bold", pad_edge=False)
        for row in rows:
            table.add_row(*map(Text, row))
        Console().print(table)
        return
    lines = [line for row in (headings, *rows) for line in _lines(row)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    put_lines(
        *("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines),
    )


def _lines(row: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the lines of a row whose cells may have several lines.

    Examples
    --------
    >>> list(_lines(["a", "b\\nc"]))
    [('a', 'b'), ('', 'c')]
    """
    return zip_longest(*(cell.splitlines() or [""] for cell in row), fillvalue="")


def check_writable(path: str | None) -> None:
    """Reject a path that is not writable before the work begins."""
    from induce.core.errors import InputError

    if path is None:
        return
    target = os.path.realpath(path)
    if os.path.isdir(target):
        raise InputError(f"cannot write {path!r}, because it is a directory; name a file in it")
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise InputError(f"cannot write {path!r}, because there is no directory {folder!r}; create it first")
    if not os.access(target if os.path.exists(target) else folder, os.W_OK):
        raise InputError(f"cannot write {path!r} (permission denied); give another path")
