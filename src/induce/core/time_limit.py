"""A limit on processor time for work that checks the clock itself; nothing is interrupted from outside.

Learners check the time whenever they choose a loop, report progress or start one of several parallel items;
all of these steps are bounded. Compilation does not count. Work that never checks needs its own process
(`core.worker`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from induce.core.errors import InputError

_limits: ContextVar[tuple[Limit, ...]] = ContextVar("induce_limits", default=())


class Limit:
    """Limit on the processor time of some work in seconds, excluding compilation.

    Other programs on a busy machine do not count, so that the same work has the same time.

    Parameters
    ----------
    seconds : float
    paused, resumed : callable, optional
        Functions called when the clock stops and, with the seconds left, when it continues.
    """

    def __init__(
        self,
        seconds: float,
        paused: Callable[[], None] = lambda: None,
        resumed: Callable[[float], None] = lambda left: None,
    ) -> None:
        if not seconds > 0:
            raise InputError(
                f"the time limit is {seconds!r}; give a number of seconds above 0, or None for no limit"
            )
        self.seconds = seconds
        self._paused, self._resumed = paused, resumed
        self._turn = threading.Lock()
        self._compiling = 0  # threads that are currently compiling
        self._uncounted = 0.0
        self._since = self._started = time.process_time()

    @property
    def left(self) -> float:
        """Seconds left."""
        with self._turn:
            return self._left()

    def _left(self) -> float:
        now = self._since if self._compiling else time.process_time()
        return self.seconds - (now - self._started - self._uncounted)

    def check(self) -> None:
        """Raise `TimeoutError` if no time is left."""
        if self.left < 0:
            raise self.error()

    def error(self) -> TimeoutError:
        """Error raised when the time is up."""
        return TimeoutError(f"it takes longer than {self.seconds:.3g} s")

    def pause(self) -> None:
        """Stop the clock until every thread that called this has called `resume`."""
        with self._turn:
            if not self._compiling:
                self._since = time.process_time()
                self._paused()
            self._compiling += 1

    def resume(self) -> None:
        """Restart the clock."""
        with self._turn:
            self._compiling -= 1
            if not self._compiling:
                self._uncounted += time.process_time() - self._since
                self._resumed(max(self._left(), 0.0))


@contextmanager
def at_most(seconds: float | None) -> Iterator[None]:
    """Raise `TimeoutError` if the work in the block takes longer; None sets no limit.

    The work ends at its next call of `check_time`, or when it is done.

    Examples
    --------
    >>> with at_most(0.01):
    ...     while True:
    ...         check_time()
    Traceback (most recent call last):
    TimeoutError: it takes longer than 0.01 s
    """
    if seconds is None:
        yield
        return
    with limited(Limit(seconds)):
        yield


@contextmanager
def limited(limit: Limit) -> Iterator[None]:
    """Raise `TimeoutError` if the work in the block exceeds a `Limit`."""
    token = _limits.set((*_limits.get(), limit))
    try:
        yield
    except MemoryError:
        raise
    except Exception:
        if limit.left < 0:  # whatever the error was converted to on its way
            raise limit.error() from None
        raise
    finally:
        _limits.reset(token)
    limit.check()


def time_left() -> float | None:
    """Return the seconds left in the enclosing blocks; None if there is no limit.

    Examples
    --------
    >>> time_left() is None
    True
    >>> with at_most(60):
    ...     0 < time_left() <= 60
    True
    """
    return min((limit.left for limit in _limits.get()), default=None)


def check_time() -> None:
    """Raise `TimeoutError` if the time of an enclosing block is up."""
    for limit in _limits.get():
        limit.check()


@contextmanager
def uncounted() -> Iterator[None]:
    """Stop the clocks of all limits inside the block, for example during compilation."""
    limits = _limits.get()
    for limit in limits:
        limit.pause()
    try:
        yield
    finally:
        for limit in limits:
            limit.resume()
