"""Displayed row numbers: from 0 in Python, from 1 on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_first: ContextVar[int] = ContextVar("induce_first_row", default=0)


def row_number(row: int) -> int:
    """Return the displayed number of a row.

    Examples
    --------
    >>> with rows_counted_from(1):
    ...     row_number(0)
    1
    """
    return row + _first.get()


@contextmanager
def rows_counted_from(first: int) -> Iterator[None]:
    """Number the rows in texts starting at `first`, as in a file."""
    token = _first.set(first)
    try:
        yield
    finally:
        _first.reset(token)
