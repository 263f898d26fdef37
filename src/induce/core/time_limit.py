"""A limit on the time that a piece of work may take, whoever wrote it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_ulong, py_object, pythonapi

from induce.core.errors import InputError


@contextmanager
def at_most(seconds: float | None) -> Iterator[None]:
    """Raise `TimeoutError` when the work in the block takes longer; None sets no limit.

    The work is stopped as Ctrl-C stops a program, but in the thread that is in the block only: between two
    steps of Python. Compiled code runs to its end first, so what it does in one step should be short.

    Examples
    --------
    >>> with at_most(0.05):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    TimeoutError: it takes longer than 0.05 s
    """
    if seconds is None:
        yield
        return
    if not seconds > 0:
        raise InputError(
            f"the time limit is {seconds!r}; give a number of seconds above 0, or None for no limit"
        )

    class Expired(BaseException):
        """Not an `Exception`, which a learner might catch and go on; one of its own for blocks within blocks."""

    thread, turn = c_ulong(threading.get_ident()), threading.Lock()
    going_on, fired = [True], [False]

    def expire() -> None:
        with turn:
            if going_on[0]:
                fired[0] = True
                pythonapi.PyThreadState_SetAsyncExc(thread, py_object(Expired))

    timer = threading.Timer(seconds, expire)
    timer.daemon = True
    try:
        try:
            timer.start()
            yield
        finally:
            timer.cancel()
            with turn:
                going_on[0] = False
                if fired[0]:  # it may not have arrived yet, and must not arrive anywhere else
                    pythonapi.PyThreadState_SetAsyncExc(thread, None)
    except Expired:
        pass
    if fired[0]:
        raise TimeoutError(f"it takes longer than {seconds:.3g} s")
