"""A separate process for work that does not check the clock, so that it can be killed safely."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from multiprocessing.util import Finalize
from typing import Any, TypeVar

from induce.core.errors import InputError
from induce.core.parallel import POLL
from induce.core.time_limit import Limit, limited

Result = TypeVar("Result")

IDLE = 60.0
"""Seconds that a process waits for more work before it ends."""
PATIENCE = 10.0
"""Seconds to wait for the exit status of an ending process, which may take long on a busy machine."""
PAUSED, RESUMED = b"P", b"R"
"""Marker of a process's messages about its clock; results begin with another byte."""

_idle: list[_Worker] = []
_turn = threading.Lock()
_silenced: list[bool] = []


class DeadError(InputError):
    """The process died."""


class UnsendableError(InputError):
    """The task cannot be sent to another process."""


def in_process(task: Callable[[], Result], seconds: float, idle: float = IDLE) -> Result:
    """Return the result of a task run in another process; raise its error, or `TimeoutError` if it takes too long.

    The process is kept for the next task unless it had to be killed; it waits for `idle` seconds. Warnings are
    issued in this process. Startup and compilation do not count towards the time limit.

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
    if worker is None or (found is None and not worker.late):  # there is none, or it ended while it was idle
        worker = _Worker(idle)
        found = worker.call(message)
    if found is None:
        if worker.late:
            raise limit.error()
        raise DeadError(f"its process died with the status {worker.status}")
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
    """A process that runs one task after another and is killed when a task takes too long.

    The clock is in this process, where the task cannot stop it. The worker reports when its time starts to
    count, when it pauses, and the time left when it continues.
    """

    def __init__(self, idle: float) -> None:
        self.late = False
        from joblib.externals.loky.backend import get_context

        context = get_context("loky")  # it needs no guard in the user's script, and works on every system
        self._connection, theirs = context.Pipe()
        watched, self._alive = context.Pipe(duplex=False)
        self._process = context.Process(target=_serve, args=(theirs, watched, idle))
        self._process.start()
        theirs.close()
        watched.close()

    def call(self, message: bytes) -> Any:
        """Return the answer of the process; None if it ended instead."""
        deadline = math.inf
        try:
            self._connection.send_bytes(message)
            while True:
                while not self._connection.poll(POLL):  # short waits, which Ctrl-C can interrupt
                    if time.monotonic() > deadline:
                        self.late = True
                        self.end()
                        return None
                said = self._connection.recv_bytes()
                if said == PAUSED:
                    deadline = math.inf
                elif said[:1] == RESUMED:
                    deadline = time.monotonic() + float(said[1:])
                else:
                    return _unpacked(said)
        except (EOFError, OSError):
            self.end(PATIENCE)  # the worker has closed its end, so its status will be available soon
            return None
        except BaseException:
            self.end()
            raise

    @property
    def status(self) -> int | None:
        """Exit status of the process."""
        found: int | None = self._process.exitcode
        return found

    def end(self, patience: float = POLL) -> None:
        """Kill the process unconditionally; if it ends by itself in the meantime, its status gives the reason."""
        self._connection.close()
        self._alive.close()
        if self._process.exitcode is None:
            self._process.join(patience)
        if self._process.exitcode is None:
            self._process.terminate()
        self._process.join()


def _end_idle() -> None:
    while _idle:
        _idle.pop().end()


# before multiprocessing waits for the processes of this one, which an idle one would delay
Finalize(None, _end_idle, exitpriority=100)


def _serve(connection: Any, alive: Any, idle: float) -> None:
    """Run tasks in the worker process until there are no more, or the process that sends them has ended."""
    end_when_closed(alive)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is left to the parent process
    with contextlib.suppress(EOFError, OSError):
        while connection.poll(idle):
            task, seconds = _unpacked(connection.recv_bytes())
            connection.send_bytes(_answer(task, seconds, connection))


def _answer(task: Callable[[], Any], seconds: float, connection: Any) -> bytes:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        value = problem = None
        try:
            with _watched(seconds, connection):
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
def _watched(seconds: float, connection: Any) -> Iterator[None]:
    """Report the time left in the block to the waiting process, whenever it changes."""

    def paused() -> None:
        connection.send_bytes(PAUSED)

    def resumed(left: float) -> None:
        connection.send_bytes(RESUMED + repr(left).encode())

    limit = Limit(seconds, paused, resumed)
    resumed(seconds)
    try:
        with limited(limit):
            yield
    finally:
        paused()


def silence_native_code() -> None:
    """Discard the backtraces that native code writes when it aborts; Python still writes to standard error."""
    if sys.stderr is None or _silenced:
        return
    _silenced.append(True)
    kept = os.dup(2)
    sys.stderr = os.fdopen(kept, "w", 1, encoding=sys.stderr.encoding, errors="backslashreplace")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def end_when_closed(connection: Any) -> None:
    """End this process as soon as the other end of a connection is closed, which also happens if its process dies."""

    def watch() -> None:
        with contextlib.suppress(EOFError, OSError):
            connection.recv_bytes()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _packed(value: Any) -> bytes:
    from joblib.externals.loky.backend.reduction import dumps

    try:
        return bytes(dumps(value))
    except Exception as problem:
        raise UnsendableError(" ".join(str(problem).split())[:200]) from None


def _unpacked(message: bytes) -> Any:
    from pickle import loads

    return loads(message)
