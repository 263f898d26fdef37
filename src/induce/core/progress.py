"""Progress of long work, for whoever wants to show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[float], None]

_listener: ContextVar[Listener | None] = ContextVar("induce_progress", default=None)


@contextmanager
def progress(listener: Listener) -> Iterator[None]:
    """Tell `listener` the share of the work done (0 to 1) while learners work inside the block.

    Examples
    --------
    >>> seen = []
    >>> with progress(seen.append):
    ...     report(0.5)
    >>> seen
    [0.5]
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report(share: float) -> None:
    """Say how much of the work is done."""
    listener = _listener.get()
    if listener is not None:
        listener(share)
