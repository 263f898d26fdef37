"""A process of its own for work that does not look at the clock: it can be ended without harm to this one."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from induce.core.errors import InputError
from induce.core.parallel import POLL
from induce.core.time_limit import Limit, limited

Result = TypeVar("Result")

IDLE = 60.0
"""Seconds that a process waits for more work before it ends."""
PATIENCE = 10.0
"""Seconds to wait for the status of a process that is ending: on a busy machine that takes its time."""
LATE = 1
"""Exit status of a process whose time was over."""

_idle: list[_Worker] = []
_turn = threading.Lock()


class UnsendableError(InputError):
    """What was to be done cannot be sent to another process."""


def in_process(task: Callable[[], Result], seconds: float) -> Result:
    """Return what a task gives in another process; raise what it raises, or `TimeoutError` when it takes longer.

    The process is kept for the next task, unless it had to be ended. Warnings are given here. Starting it, and
    compiling in it, do not count.

    Examples
    --------
    >>> in_process(lambda: 6 * 7, 10)
    42
    """
    limit = Limit(seconds)
    message = _packed((task, seconds))
    with _turn:
        worker = _idle.pop() if _idle else None
    found = None if worker is None else worker.call(message)
    if found is None:  # there is none, or it ended while it was idle
        worker = _Worker()
        found = worker.call(message)
    assert worker is not None
    if found is None:
        if worker.status == LATE:
            raise limit.error()
        raise InputError(f"its process died with the status {worker.status}")
    with _turn:
        _idle.append(worker)
    value, problem, cause, said = found
    for text, category in said:
        warnings.warn(category(text), stacklevel=2)
    if problem is not None:
        raise problem from cause
    result: Result = value
    return result


class _Worker:
    """A process that does one task after the other."""

    def __init__(self) -> None:
        from joblib.externals.loky.backend import get_context

        context = get_context("loky")  # it needs no guard in the user's script, and works on every system
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,))
        self._process.start()
        theirs.close()

    def call(self, message: bytes) -> Any:
        """Return what the process answers; None when it ended instead."""
        try:
            self._connection.send_bytes(message)
            while not self._connection.poll(POLL):  # short waits, which Ctrl-C can end
                pass
            return _unpacked(self._connection.recv_bytes())
        except (EOFError, OSError):
            self.end(PATIENCE)  # it has closed its end, so it is about to say why
            return None
        except BaseException:
            self.end()
            raise

    @property
    def status(self) -> int | None:
        """That with which the process ended."""
        found: int | None = self._process.exitcode
        return found

    def end(self, patience: float = POLL) -> None:
        """End the process, whatever it does; one that ends by itself in the meantime says why by its status."""
        self._connection.close()
        if self._process.exitcode is None:
            self._process.join(patience)
        if self._process.exitcode is None:
            self._process.terminate()
        self._process.join()


@atexit.register
def _end_idle() -> None:
    while _idle:
        _idle.pop().end()


def _serve(connection: Any) -> None:
    """Do tasks until there are no more, in the process of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # left to the process that started this one
    with contextlib.suppress(EOFError, OSError):
        while connection.poll(IDLE):
            connection.send_bytes(_answer(*_unpacked(connection.recv_bytes())))


def _answer(task: Callable[[], Any], seconds: float) -> bytes:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        value = problem = None
        try:
            with watched(seconds):
                value = task()
        except Exception as raised:
            problem = raised
    said = [(str(each.message), each.category) for each in heard]
    cause = None if problem is None else problem.__cause__
    try:
        return _packed((value, problem, cause, said))
    except UnsendableError:
        text = f"{type(problem).__name__}: {problem}" if problem else "what it learned cannot be sent back"
        return _packed((None, InputError(text), None, []))


@contextlib.contextmanager
def watched(seconds: float) -> Iterator[None]:
    """End this process when the block takes longer: by a thread that needs nothing of Python, not even its lock."""
    import faulthandler

    with open(os.devnull, "w", encoding="utf-8") as nowhere:

        def resumed(left: float) -> None:
            faulthandler.dump_traceback_later(max(left, 0.001), exit=True, file=nowhere)

        limit = Limit(seconds, faulthandler.cancel_dump_traceback_later, resumed)
        resumed(seconds)
        try:
            with limited(limit):
                yield
        finally:
            faulthandler.cancel_dump_traceback_later()


def _packed(value: Any) -> bytes:
    from joblib.externals.loky.backend.reduction import dumps

    try:
        return bytes(dumps(value))
    except Exception as problem:
        raise UnsendableError(" ".join(str(problem).split())[:200]) from None


def _unpacked(message: bytes) -> Any:
    from pickle import loads

    return loads(message)
