"""Numbers by which people are told of rows: from 0 in Python, from 1 on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_first: ContextVar[int] = ContextVar("induce_first_row", default=0)


def row_number(row: int) -> int:
    """Return the number that a row is shown with.

    Examples
    --------
    >>> with rows_counted_from(1):
    ...     row_number(0)
    1
    """
    return row + _first.get()


@contextmanager
def rows_counted_from(first: int) -> Iterator[None]:
    """Number the rows that texts mention from `first` on, as a file does."""
    token = _first.set(first)
    try:
        yield
    finally:
        _first.reset(token)
