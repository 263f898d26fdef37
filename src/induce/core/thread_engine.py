"""The engine of this process: one thread, or several."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from itertools import islice
from typing import TypeVar

from induce.core import trace
from induce.core.engine_sums import Add, Collected
from induce.core.notes import note
from induce.core.time_limit import check_time

Item = TypeVar("Item")
Result = TypeVar("Result")

POLL = 0.1
"""Seconds between checks for Ctrl-C."""


class Threads:
    """This process: one part after another, or several at a time in threads."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers
        self.name = "one thread" if workers == 1 else f"{workers} threads"

    def n_workers(self) -> int:
        """Return the number of threads."""
        return self.workers

    def run(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        add: Add[Result] | None,
        sizes: Sequence[int],
        told: Callable[[int], None],
    ) -> list[Result]:
        """Run the parts; only a few results wait in memory for their turn."""
        done = Collected(add)
        for place, value in enumerate(self._results(function, items)):
            done.take(value, sizes[place])
            told(place)
        return done.results()

    def _results(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        workers = min(self.workers, len(items))
        if workers > 1 and trace.active():
            note("a trace is active, so the work runs in one thread")
            workers = 1
        if workers <= 1:
            for item in items:
                check_time()
                yield function(item)
            return
        from concurrent.futures import Future, ThreadPoolExecutor
        from concurrent.futures import TimeoutError as StillWorking

        pool, context = ThreadPoolExecutor(workers), copy_context()
        waiting: deque[Future[Result]] = deque()
        coming = iter(items)
        try:
            while True:
                for item in islice(coming, workers + 1 - len(waiting)):
                    waiting.append(pool.submit(context.copy().run, function, item))
                if not waiting:
                    return
                check_time()
                try:
                    value = waiting[0].result(POLL)
                except StillWorking:
                    if waiting[0].done():  # the function itself ran out of time
                        raise
                    continue
                waiting.popleft()
                yield value
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
