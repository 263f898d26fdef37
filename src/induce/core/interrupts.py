"""Ctrl-C: learners that find one part after another keep the parts so far, unless a partial result would mislead."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar

from induce.core.notes import note

_whole: ContextVar[bool] = ContextVar("induce_whole", default=False)
_cuts: ContextVar[list[str] | None] = ContextVar("induce_cuts", default=None)


@contextmanager
def whole_fits() -> Iterator[None]:
    """Let Ctrl-C abort all work inside the block, because an estimate must not use an interrupted hypothesis."""
    token = _whole.set(True)
    try:
        yield
    finally:
        _whole.reset(token)


@contextmanager
def interruptible(found: Sized, parts: str = "rules") -> Iterator[None]:
    """Let Ctrl-C end the block with the results so far, if there are any.

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
    except (KeyboardInterrupt, SystemError) as problem:
        if not is_ctrl_c(problem):
            raise
        if _whole.get() or not len(found):
            raise KeyboardInterrupt from None
        told = f"interrupted: the {len(found)} {parts} found so far are kept"
        cuts = _cuts.get()
        if cuts is not None:
            cuts.append(told)
        note(told)


def is_ctrl_c(problem: BaseException | None) -> bool:
    """Return whether an exception comes from Ctrl-C.

    If it arrives while a compiled loop returns its results, Python turns it into a chain of system errors.
    """
    while isinstance(problem, SystemError):
        problem = problem.__cause__
    return isinstance(problem, KeyboardInterrupt)


@contextmanager
def cut_short() -> Iterator[list[str]]:
    """Collect messages about work that Ctrl-C ends early inside the block; enclosing blocks collect them too.

    Examples
    --------
    >>> with cut_short() as cuts:
    ...     pass
    >>> cuts
    []
    """
    cuts: list[str] = []
    outer = _cuts.get()
    token = _cuts.set(cuts)
    try:
        yield cuts
    finally:
        _cuts.reset(token)
        if outer is not None:
            outer.extend(cuts)
