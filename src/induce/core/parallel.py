"""Threads: one helper, with scikit-learn's meaning of `n_jobs`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from contextvars import copy_context
from typing import TypeVar, cast

from induce.core import trace
from induce.core.loops import expecting
from induce.core.notes import note
from induce.core.time_limit import check_time

Item = TypeVar("Item")
Result = TypeVar("Result")

POLL = 0.1
"""Seconds between checks for Ctrl-C, because an endless wait could miss it."""


def run(function: Callable[[Item], Result], items: Iterable[Item], n_jobs: int | None = None) -> list[Result]:
    """Apply `function` to every item, in `n_jobs` threads, and return the results in order.

    Loops are compiled if that pays off for all items together. After an error no further item is started; if
    several items fail, the first item's error is raised. Under an active trace the work runs serially, so
    that events are in order.

    Examples
    --------
    >>> run(abs, [-1, -2], n_jobs=2)
    [1, 2]
    """
    from multiprocessing import TimeoutError as StillWorking
    from multiprocessing.pool import ThreadPool

    from joblib import effective_n_jobs

    work = list(items)
    workers = min(effective_n_jobs(n_jobs), len(work))
    if workers > 1 and trace.active():
        note("a trace is active, so the work runs in one thread")
        workers = 1
    with expecting(len(work)):
        if workers <= 1:
            return [_timely(function, item) for item in work]
        context = copy_context()

    failed = len(work)  # the first item known to have failed: later ones are not started

    def call(number: int) -> Result | None:
        nonlocal failed
        if number > failed:
            return None
        try:
            return context.copy().run(_timely, function, work[number])
        except BaseException:
            failed = min(failed, number)
            raise

    done: list[Result] = []
    with ThreadPool(
        workers
    ) as pool:  # leaving the block after Ctrl-C or an error does not wait for running items
        results = pool.imap(call, range(len(work)))
        while len(done) < len(work):
            with suppress(StillWorking):
                done.append(cast(Result, results.next(POLL)))
    return done


def _timely(function: Callable[[Item], Result], item: Item) -> Result:
    check_time()
    return function(item)
