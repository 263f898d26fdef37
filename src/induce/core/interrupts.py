"""Ctrl-C: learners that find one part after the other keep what they have, unless half a result would mislead."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar

from induce.core.notes import note

_whole: ContextVar[bool] = ContextVar("induce_whole", default=False)


@contextmanager
def whole_fits() -> Iterator[None]:
    """Let Ctrl-C end all work inside the block: an estimate must not rest on a hypothesis that was cut short."""
    token = _whole.set(True)
    try:
        yield
    finally:
        _whole.reset(token)


@contextmanager
def interruptible(found: Sized, parts: str = "rules") -> Iterator[None]:
    """Let Ctrl-C end the block with what was found so far, if anything was.

    Examples
    --------
    >>> found = []
    >>> with interruptible(found):
    ...     found.append("a rule")
    >>> found
    ['a rule']
    """
    try:
        yield
    except KeyboardInterrupt:
        if _whole.get() or not len(found):
            raise
        note(f"interrupted: the {len(found)} {parts} found so far are kept")
