"""Progress of long work, for whoever wants to show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from induce.core.time_limit import check_time

Listener = Callable[[float], None]

_listener: ContextVar[Listener | None] = ContextVar("induce_progress", default=None)
_reader: ContextVar[Callable[[str], None] | None] = ContextVar("induce_progress_lines", default=None)


@contextmanager
def progress(listener: Listener, reader: Callable[[str], None] | None = None) -> Iterator[None]:
    """Tell `listener` the share of the work done (0 to 1) while learners work inside the block.

    Learners from experience also say in a line how far they have come; `reader` is told.

    Examples
    --------
    >>> seen = []
    >>> with progress(seen.append):
    ...     report(0.5)
    >>> seen
    [0.5]
    """
    token, other = _listener.set(listener), _reader.set(reader)
    try:
        yield
    finally:
        _listener.reset(token)
        _reader.reset(other)


def report(share: float) -> None:
    """Say how much of the work is done, and end it when its time is over."""
    check_time()
    listener = _listener.get()
    if listener is not None:
        listener(share)


def say(line: Callable[[], str]) -> None:
    """Say in a line how far the work has come, if somebody reads it."""
    reader = _reader.get()
    if reader is not None:
        reader(line())
