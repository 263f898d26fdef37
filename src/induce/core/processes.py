"""Calls in processes or threads that may fail: a call that raises, hangs or kills its process affects only
its item.
"""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any, Generic, NamedTuple, TypeVar

from induce.core import parallel, trace
from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.interrupts import is_ctrl_c
from induce.core.notes import note
from induce.core.worker import in_process

Item = TypeVar("Item")
Result = TypeVar("Result")

BACKENDS = ("processes", "threads")
CHUNKS = 4
"""Number of portions per process, which keeps the processes equally busy."""
GRACE = 2.0
"""Seconds of grace before a late call's process is killed."""


_DELICATE = ("importlib", "numba", "llvmlite")


class Attempt(NamedTuple, Generic[Result]):
    """Outcome of one call: its value, or the reason why there is none."""

    value: Result | None
    problem: str | None = None


Attempts = Callable[[Sequence[Item]], list[Attempt[Result]]]


@contextmanager
def attempts(
    function: Callable[[Item], Result],
    n_jobs: int | None = None,
    *,
    backend: str = "processes",
    time_limit: float | None = None,
    what: str = "function",
) -> Iterator[Attempts[Item, Result]]:
    """Return a function that applies `function` to every item and returns one `Attempt` per item, in order.

    Lambdas and closures can be sent to processes; anything else that cannot be sent is rejected with the
    reason. Processes are kept for the whole block and after it. Under an active trace the work runs in this
    process.

    Parameters
    ----------
    function : callable
        Function of one item.
    n_jobs : int, optional
        Number of processes or threads, as in scikit-learn.
    backend : {"processes", "threads"}
        Processes or threads; threads help only if the function releases Python's lock, as compiled code does.
    time_limit : float, optional
        Seconds after which a call is abandoned. It needs processes: a thread cannot be stopped. On systems without
        alarms, such as Windows, and outside the main thread, each call is made in a process that can be killed, even
        with one job and under a trace.
    what : str
        Name of the function in messages.

    Examples
    --------
    >>> with attempts(lambda x: 1 / x) as tried:
    ...     [(each.value, each.problem) for each in tried([2, 0])]
    [(0.5, None), (None, 'ZeroDivisionError: division by zero')]
    """
    from joblib import effective_n_jobs

    one_of("backend", backend, BACKENDS)
    if time_limit is not None:
        at_least("time_limit", time_limit, 0.001)
        if backend == "threads":
            raise InputError("time_limit needs backend='processes': a thread that hangs cannot be stopped")
    n = effective_n_jobs(n_jobs)
    if n > 1 and trace.active():
        note("a trace is active, so the work runs in one process")
        n = 1
    if backend == "threads":
        yield lambda items: parallel.run(lambda item: attempt(function, item), items, n)
    elif n == 1 and (time_limit is None or _can_alarm()):
        yield lambda items: [attempt(function, item, time_limit) for item in items]
    elif time_limit is not None and not _can_alarm():
        _check_sendable(function, what)
        yield lambda items: parallel.run(lambda item: _ended_when_late(function, item, time_limit), items, n)
    else:
        _check_sendable(function, what)
        yield _Pool(function, n, time_limit, what).run


def attempt(
    function: Callable[[Item], Result], item: Item, time_limit: float | None = None
) -> Attempt[Result]:
    """Call a function in this process, recording its exceptions in the attempt; only Ctrl-C propagates."""
    if time_limit is None:
        return _called(function, item)
    try:
        with _alarm(time_limit):
            return _called(function, item)
    except _TooLongError:
        return _too_late(time_limit)


def _ended_when_late(function: Callable[[Item], Result], item: Item, time_limit: float) -> Attempt[Result]:
    """Call a function in its own process, which is killed on timeout."""
    try:
        return in_process(partial(_called, function, item), time_limit)
    except TimeoutError:
        return _too_late(time_limit)
    except InputError as problem:
        return Attempt(None, str(problem))


def _too_late(time_limit: float) -> Attempt[Any]:
    return Attempt(None, f"it took longer than {time_limit:g} s")


def _called(function: Callable[[Item], Result], item: Item) -> Attempt[Result]:
    try:
        return Attempt(function(item))
    except (Exception, SystemExit) as problem:
        if is_ctrl_c(problem):
            raise
        reason = " ".join(str(problem).split())[:200]
        return Attempt(None, f"{type(problem).__name__}: {reason}" if reason else type(problem).__name__)


class _TooLongError(BaseException):
    """Not an `Exception`, so that a function that catches exceptions does not catch it."""


def _can_alarm() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def ring(_: int, frame: FrameType | None) -> None:
        if _is_delicate(frame):
            signal.setitimer(signal.ITIMER_REAL, parallel.POLL)
        else:
            raise _TooLongError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _is_delicate(frame: FrameType | None) -> bool:
    """Return whether an import or a compilation is in progress, which an exception would leave incomplete."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] in _DELICATE:
            return True
        frame = frame.f_back
    return False


def _check_sendable(function: Any, what: str) -> None:
    from joblib.externals.loky.backend.reduction import dumps

    try:
        dumps(function)
    except Exception as problem:
        reason = " ".join(str(problem).split())[:200]
        raise _unsendable(what, reason) from None


def _unsendable(what: str, reason: str) -> InputError:
    return InputError(
        f"the {what} cannot be sent to another process ({reason}); use backend='threads', or n_jobs=1 without a "
        "time_limit"
    )


def _quiet() -> None:
    """Leave Ctrl-C to the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _portion(function: Any, items: Sequence[Any], time_limit: float | None) -> list[Attempt[Any]]:
    return [attempt(function, item, time_limit) for item in items]


class _Pool(Generic[Item, Result]):
    """A pool of loky processes, which are reused by the next pool of the same size."""

    def __init__(
        self, function: Callable[[Item], Result], n: int, time_limit: float | None, what: str
    ) -> None:
        self._function = function
        self._n = n
        self._limit = time_limit
        self._what = what

    def run(self, items: Sequence[Item]) -> list[Attempt[Result]]:
        """Return the outcome of the call for each item, in order."""
        work = list(items)
        size = max(1, math.ceil(len(work) / (CHUNKS * self._n)))
        portions = [work[start : start + size] for start in range(0, len(work), size)]
        try:
            return [done for portion in self._together(portions) for done in portion]
        except BaseException:
            self._executor().shutdown(wait=False, kill_workers=True)
            raise

    def _together(self, portions: list[list[Item]]) -> list[list[Attempt[Result]]]:
        found: list[list[Attempt[Result]] | None] = [None] * len(portions)
        futures = [
            self._executor().submit(_portion, self._function, portion, self._limit) for portion in portions
        ]
        for k, future in enumerate(futures):
            found[k] = self._result(future, len(portions[k]) * (1 + k // self._n))
            if (
                found[k] is None
            ):  # the results of parallel calls are lost with the processes, so the rest runs one by one
                break
        return [
            done if done is not None else [self._alone(item) for item in portion]
            for done, portion in zip(found, portions, strict=True)
        ]

    def _alone(self, item: Item) -> Attempt[Result]:
        future = self._executor().submit(_portion, self._function, [item], self._limit)
        done = self._result(future, 1)
        if done is not None:
            return done[0]
        late = "" if self._limit is None else f", or it took longer than {self._limit:g} s"
        return Attempt(None, f"its process died{late}")

    def _result(self, future: Any, n_items: int) -> list[Attempt[Result]] | None:
        """Return the attempts of a portion; None if its process hung or died."""
        from concurrent.futures import TimeoutError as StillWorking
        from concurrent.futures.process import BrokenProcessPool

        deadline = None if self._limit is None else n_items * self._limit + GRACE
        waited = 0.0
        while True:
            try:
                found: list[Attempt[Result]] = future.result(parallel.POLL)
                return found
            except StillWorking:
                waited += parallel.POLL
                if deadline is not None and waited > deadline:
                    self._executor().shutdown(wait=True, kill_workers=True)
                    return None
            except BrokenProcessPool as problem:
                if "un-serialize" in f"{problem} {problem.__cause__}":
                    raise _unsendable(self._what, _last_line(problem)) from None
                self._executor().shutdown(wait=True, kill_workers=True)
                return None

    def _executor(self) -> Any:
        from joblib.externals.loky import get_reusable_executor

        return get_reusable_executor(max_workers=self._n, timeout=60, initializer=_quiet)


def _last_line(problem: BaseException) -> str:
    lines = str(problem.__cause__ or problem).strip().strip('"').strip().splitlines()
    return lines[-1].strip() if lines else type(problem).__name__
