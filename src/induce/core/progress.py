"""Progress of long work, for any listener."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from induce.core.time_limit import check_time

Listener = Callable[[float], None]

_listener: ContextVar[Listener | None] = ContextVar("induce_progress", default=None)
_phase: ContextVar[str] = ContextVar("induce_phase", default="")
_passing: ContextVar[str] = ContextVar("induce_passing_phase", default="")
_again: ContextVar[Callable[[], None] | None] = ContextVar("induce_progress_again", default=None)
_reader: ContextVar[Callable[[str], None] | None] = ContextVar("induce_progress_lines", default=None)


@contextmanager
def progress(listener: Listener, reader: Callable[[str], None] | None = None) -> Iterator[None]:
    """Report the fraction of the work done (0 to 1) to `listener` while learners work inside the block.

    It never decreases.

    Learners from experience, and passes over large tables, also report their progress as lines of text to `reader`.

    Parameters
    ----------
    listener : Listener
        Function that receives the fraction of the work done.
    reader : Callable[[str], None] | None, default=None
        Function that receives progress as a line of text.

    Examples
    --------
    >>> seen = []
    >>> with progress(seen.append):
    ...     report(0.5)
    ...     report(0.25)
    >>> seen
    [0.5]
    """
    most = -1.0

    def forward(share: float) -> None:
        nonlocal most
        if share >= most:
            most = share
            listener(share)

    token, other = _listener.set(forward), _reader.set(reader)
    again = _again.set(lambda: listener(max(most, 0.0)))
    try:
        yield
    finally:
        _listener.reset(token)
        _reader.reset(other)
        _again.reset(again)


@contextmanager
def phase(name: str, start: float, end: float) -> Iterator[None]:
    """Declare the part of the work that the block covers: reports inside are scaled to between `start` and
    `end` of the whole.

    Examples
    --------
    >>> seen = []
    >>> with progress(lambda share: seen.append((current_phase(), share))):
    ...     with phase("learning", 0, 0.5):
    ...         report(0.5)
    ...     with phase("testing", 0.5, 1):
    ...         report(0.5)
    >>> seen
    [('learning', 0), ('learning', 0.25), ('testing', 0.5), ('testing', 0.75)]
    """
    outer = _listener.get()
    named = _phase.set(name)
    if outer is None:
        try:
            yield
        finally:
            _phase.reset(named)
        return
    token = _listener.set(lambda share: outer(start + (end - start) * share))
    outer(start)
    try:
        yield
    finally:
        _listener.reset(token)
        _phase.reset(named)


def current_phase() -> str:
    """Return the current phase of the work; empty if none is declared."""
    return _passing.get() or _phase.get()


def announce(doing: str) -> None:
    """Announce the current activity until the next report.

    During compilation, for example, there are no other reports.

    Examples
    --------
    >>> with progress(lambda share: print(current_phase(), share)), phase("learning", 0, 1):
    ...     announce("compiling once")
    ...     report(0.5)
    learning 0
    compiling once 0
    learning 0.5
    """
    again = _again.get()
    if again is not None:
        _passing.set(doing)
        again()


def report(share: float) -> None:
    """Report the fraction of the work done, and stop the work if its time is up."""
    check_time()
    _passing.set("")
    listener = _listener.get()
    if listener is not None:
        listener(share)


def say(line: Callable[[], str]) -> None:
    """Report progress as a line of text, if there is a reader."""
    reader = _reader.get()
    if reader is not None:
        reader(line())
