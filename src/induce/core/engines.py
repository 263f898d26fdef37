"""Execution engines for large work: this thread, threads, or the workers of a Dask cluster.

The central function is `total`, a sum over the partitions. The order of additions depends only on the number of
partitions, so every engine gives the same sum to the last bit. `each` applies a function to every part and returns
the results in order. A task on a worker returns its result or raises; notes, progress and files stay in this
process.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from functools import partial
from importlib import import_module
from itertools import islice
from operator import add as plus
from typing import Any, Generic, Protocol, TypeVar, cast

from induce.core import trace
from induce.core.errors import InputError
from induce.core.journal import Journal
from induce.core.notes import kept_notes, note
from induce.core.passes import PassProgress, rows_of
from induce.core.time_limit import check_time

Item = TypeVar("Item")
Result = TypeVar("Result")
Add = Callable[[Result, Result], Result]
Told = Callable[[float], None]
Done = Callable[[int], None]

TASKS_PER_WORKER = 4
"""Number of tasks per worker: enough for workers to finish at about the same time, but far fewer than partitions."""
ATTEMPTS = 3
"""Maximum number of attempts at a pass if workers die but the scheduler survives."""
POLL = 0.1
"""Number of seconds between checks for Ctrl-C."""


class Sum(Generic[Result]):
    """Pairwise sum in a fixed order: neighbours are added first, and at most one partial sum per level is kept.

    Examples
    --------
    >>> letters = Sum(lambda left, right: f"({left}{right})")
    >>> for letter in "abcde":
    ...     letters.take(letter, 1)
    >>> letters.value()
    '(((ab)(cd))e)'
    """

    def __init__(self, add: Add[Any]) -> None:
        self._add = add
        self._parts: list[tuple[int, Any]] = []

    def take(self, value: Result, size: int) -> None:
        """Add the sum of the next `size` parts."""
        while self._parts and self._parts[-1][0] == size:
            value, size = self._add(self._parts.pop()[1], value), 2 * size
        self._parts.append((size, value))

    def value(self) -> Result:
        """Return the sum of all parts; there must be at least one."""
        _, found = self._parts.pop()
        while self._parts:
            found = self._add(self._parts.pop()[1], found)
        return cast(Result, found)


class Engine(Protocol):
    """Executor of independent parts of a computation."""

    name: str

    def n_workers(self) -> int:
        """Return the number of parts that run concurrently."""

    def run(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        add: Add[Result] | None,
        sizes: Sequence[int],
        told: Done,
    ) -> list[Result]:
        """Return the results in order, or their sum if there is an `add`; `told` receives the index of each finished
        part."""


class Threads:
    """This process: parts run one after another, or concurrently in threads."""

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
        told: Done,
    ) -> list[Result]:
        """Run the parts; only a few results are buffered until their turn."""
        done = _Collected(add)
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


class _Collected(Generic[Result]):
    """Collected results, or their sum."""

    def __init__(self, add: Add[Result] | None) -> None:
        self._sum = None if add is None else Sum[Result](add)
        self._list: list[Result] = []

    def take(self, value: Result, size: int) -> None:
        if self._sum is None:
            self._list.append(value)
        else:
            self._sum.take(value, size)

    def results(self) -> list[Result]:
        return self._list if self._sum is None else [self._sum.value()]


class Cluster:
    """The workers of a Dask cluster; sums are computed there, and a single result is returned."""

    def __init__(self, client: Any, owned: bool = False) -> None:
        self.client, self.owned = client, owned
        scheduler = getattr(client, "scheduler", None)
        self.address = getattr(scheduler, "address", "") or "an unknown address"
        self.name = f"Dask at {self.address}"

    def n_workers(self) -> int:
        """Return the number of threads of all workers; at least 1."""
        try:
            return max(1, int(sum(self.client.nthreads().values())))
        except self._broken() as error:
            raise self._lost(error) from None
        except OSError as error:
            raise self._lost(error) from None

    def _broken(self) -> tuple[type[BaseException], ...]:
        """Return the exceptions raised when the scheduler no longer responds."""
        distributed: Any = import_module("distributed")
        closed: Any = import_module("distributed.comm.core").CommClosedError
        return distributed.CancelledError, closed, TimeoutError, ConnectionError

    def _lost(self, error: BaseException) -> InputError:
        return InputError(
            f"the scheduler at {self.address} was lost ({type(error).__name__}); restart it and learn again"
        )

    def run(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        add: Add[Result] | None,
        sizes: Sequence[int],
        told: Done,
    ) -> list[Result]:
        """Run the parts on the workers; parts lost when a worker died are run again."""
        broken = self._broken()
        for left in reversed(range(ATTEMPTS)):
            try:
                return self._run(function, items, add, sizes, told)
            except broken as error:
                if left and self.client.status == "running":
                    continue
                raise self._lost(error) from None
        raise AssertionError("an attempt returns or raises")

    def _run(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        add: Add[Result] | None,
        sizes: Sequence[int],
        told: Done,
    ) -> list[Result]:
        distributed: Any = import_module("distributed")
        submit = partial(self.client.submit, pure=False)
        # sent once, because its bound arguments may be large, and as a task, which Dask repeats if its worker dies
        shared = submit(_given, function)
        tasks = [submit(_quietly, shared, item) for item in items]
        try:
            done = _Collected(None if add is None else cast(Any, partial(submit, add)))
            for size, task in zip(sizes, tasks, strict=True):
                done.take(task, size)
            places = {task.key: place for place, task in enumerate(tasks)}
            for task in distributed.as_completed(tasks, loop=self.client.loop):
                if task.status == "error":
                    task.result()
                told(places[task.key])
            return cast(list[Result], self.client.gather(done.results()))
        except distributed.KilledWorker:
            lost = next((k for k, task in enumerate(tasks) if task.status == "error"), 0)
            raise InputError(
                f"the workers at {self.address} died repeatedly on {_label(items[lost])}; give them more memory, or "
                "look at their logs"
            ) from None

    def close(self) -> None:
        """Disconnect from the cluster, and shut it down if it was started here."""
        if self.owned:
            cluster = self.client.cluster
            self.client.close()
            if cluster is not None:
                cluster.close()


def _given(function: Callable[[Item], Result]) -> Callable[[Item], Result]:
    return function


def _quietly(function: Callable[[Item], Result], item: Item) -> Result:
    """Run a part on a worker and discard its notes."""
    with kept_notes():
        return function(item)


def _with_notes(function: Callable[[Item], Result], item: Item) -> tuple[Result, list[str]]:
    """Run a part on a worker and return its notes for the caller to issue."""
    with kept_notes() as kept:
        return function(item), kept


_engine: ContextVar[Engine | None] = ContextVar("induce_engine", default=None)
_journal: ContextVar[Journal | None] = ContextVar("induce_journal", default=None)


def engine() -> Engine:
    """Return the current engine: one thread unless `using`, or joblib's Dask backend, sets a different one."""
    return _engine.get() or _of_joblib() or Threads()


def chosen() -> bool:
    """Return whether an engine was chosen, by `using` or by ``joblib.parallel_config(backend="dask")``."""
    return _engine.get() is not None or _of_joblib() is not None


def _of_joblib() -> Cluster | None:
    """Return the cluster of joblib's Dask backend if that is active."""
    if "joblib._dask" not in sys.modules:  # nobody can have chosen it
        return None
    from joblib.parallel import get_active_backend

    client = getattr(get_active_backend()[0], "client", None)
    return None if client is None else Cluster(client)


@contextmanager
def using(where: Any, resume: str | os.PathLike[str] | None = None) -> Iterator[Engine]:
    """Run passes over large tables, and folds, in threads or on a Dask cluster inside the block.

    Parameters
    ----------
    where : str or dask.distributed.Client
        Engine: ``"serial"``; ``"threads"``, one per processor, or ``"threads:4"``; ``"dask"``, the current client, or
        workers on this machine; the address of a scheduler such as ``"tcp://10.0.0.1:8786"``; or your own client.
    resume : path, optional
        Folder for the results of finished passes. If the block is interrupted or the process killed, repeating the
        same work with the same folder continues from the last finished pass; the folder is deleted at the end. Its
        files hold data, never pickles; name a folder of your own.

    Examples
    --------
    >>> import induce
    >>> with induce.using("threads:2") as engine:
    ...     engine.name
    '2 threads'
    """
    journal = None if resume is None else Journal(resume)
    found = opened(where)
    token, passes = _engine.set(found), _journal.set(journal)
    try:
        yield found
        if journal is not None:
            journal.close()
    finally:
        _engine.reset(token)
        _journal.reset(passes)
        if isinstance(found, Cluster):
            found.close()


def opened(where: Any) -> Engine:
    """Return the engine for a name, an address or a client; see `using`."""
    if not isinstance(where, str):
        if isinstance(where, Threads | Cluster):
            return where
        if not (hasattr(where, "submit") and hasattr(where, "gather") and hasattr(where, "nthreads")):
            raise InputError(
                f"{where!r} is not an engine; give 'threads', 'dask', an address such as 'tcp://host:8786', or a "
                "Dask client"
            )
        return Cluster(where)
    if where == "serial":
        return Threads()
    kind, _, number = where.partition(":")
    if kind == "threads" and (not number or (number.isdecimal() and int(number) > 0)):
        return Threads(int(number) if number else os.cpu_count() or 1)
    if where == "dask" or "://" in where:
        return _cluster(where)
    raise InputError(
        f"{where!r} is not an engine; give 'serial', 'threads', 'threads:4', 'dask' or an address such as 'tcp://host:8786'"
    )


def _cluster(where: str) -> Cluster:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise InputError("Dask is not installed; install it with: pip install 'induce[dask]'") from None
    if where != "dask":
        try:
            return Cluster(distributed.Client(where, timeout=10, set_as_default=False), owned=True)
        except (OSError, TimeoutError, ValueError):
            raise InputError(
                f"there is no Dask scheduler at {where!r}; start one with: dask scheduler"
            ) from None
    try:
        return Cluster(distributed.get_client())
    except ValueError:
        cluster = distributed.LocalCluster(threads_per_worker=1, dashboard_address=None)
        return Cluster(distributed.Client(cluster, set_as_default=False), owned=True)


def total(
    function: Callable[[Item], Result],
    parts: Sequence[Item],
    add: Add[Result] = plus,
    told: Told | None = None,
) -> Result:
    """Return the sum of a function over parts, such as the partitions of a table.

    Parameters
    ----------
    function : callable
        Function of one part. Workers receive it by its name and bound arguments, so it should be a module-level
        function, optionally wrapped in `functools.partial`.
    parts : sequence
        Parts; at least one.
    add : callable
        Function that adds two results; the first argument belongs to earlier parts.
    told : callable, optional
        Function that receives the fraction of parts done. By default the pass reports its progress: see `passes`.

    Examples
    --------
    >>> total(len, ["one", "three", "seven"])
    13
    """
    journal = _journal.get()
    if journal is None:
        return _total(function, parts, add, told)
    return journal.result(("total", function, list(parts), add), lambda: _total(function, parts, add, told))


def _total(
    function: Callable[[Item], Result], parts: Sequence[Item], add: Add[Result], told: Told | None
) -> Result:
    here = engine()
    size, most = 1, TASKS_PER_WORKER * here.n_workers()
    while isinstance(here, Cluster) and size * most < len(parts):
        size *= 2
    if size == 1:
        return here.run(function, parts, add, [1] * len(parts), _done(parts, told))[0]
    blocks = [_Block(parts[at : at + size]) for at in range(0, len(parts), size)]
    sizes = [len(each.parts) for each in blocks]
    return here.run(partial(_of_block, function, add), blocks, add, sizes, _done(blocks, told))[0]


def _done(items: Sequence[Any], told: Told | None) -> Done:
    """Return a listener for the indices of finished items, which need not come in order or only once."""
    if told is None:
        return PassProgress(items).done
    finished: set[int] = set()

    def done(place: int) -> None:
        finished.add(place)
        told(len(finished) / len(items))

    return done


def each(function: Callable[[Item], Result], parts: Sequence[Item], told: Told | None = None) -> list[Result]:
    """Return the results of a function on every part, in order.

    Examples
    --------
    >>> each(str.upper, ["a", "b"])
    ['A', 'B']
    """
    journal = _journal.get()
    if journal is None:
        return _each(function, parts, told)
    return journal.result(("each", function, list(parts)), lambda: _each(function, parts, told))


def _each(function: Callable[[Item], Result], parts: Sequence[Item], told: Told | None) -> list[Result]:
    if not len(parts):
        return []
    here, done = engine(), _done(parts, told)
    if not isinstance(here, Cluster):
        return here.run(function, parts, None, [1] * len(parts), done)
    found = here.run(partial(_with_notes, function), parts, None, [1] * len(parts), done)
    for said in dict.fromkeys(said for _, kept in found for said in kept):
        note(said)
    return [result for result, _ in found]


def silent(share: float) -> None:
    """Ignore the fraction of parts done."""


@contextmanager
def scratch(described: Any) -> Iterator[str]:
    """Yield the path of a scratch folder, the same on every machine; it is deleted when the block ends.

    If finished passes are stored, the folder is stored with them, under a hash of its purpose.
    """
    journal = _journal.get()
    key = None if journal is None else journal.key(described)
    if journal is not None and key is not None:
        yield str(journal.folder.resolve() / key)
        return
    folder = os.path.join(tempfile.gettempdir(), f"induce-bins-{uuid.uuid4().hex}")
    try:
        yield folder
    finally:
        everywhere(partial(shutil.rmtree, folder, ignore_errors=True))


def everywhere(function: Callable[[], Any]) -> None:
    """Call a function in this process and in every worker process."""
    here = engine()
    function()
    if isinstance(here, Cluster) and getattr(here.client, "status", "") == "running":
        with suppress(
            OSError, *here._broken()
        ):  # a lost scheduler is reported by the pass that needs its results
            here.client.run(function, on_error="ignore")


class _Block(Generic[Item]):
    """Block of neighbouring parts that form one task."""

    def __init__(self, parts: Sequence[Item]) -> None:
        self.parts = list(parts)
        self.n_rows = sum(map(rows_of, parts))
        self.label = f"{_label(parts[0])} to {_label(parts[-1])}" if len(parts) > 1 else _label(parts[0])


def _of_block(function: Callable[[Item], Result], add: Add[Result], block: _Block[Item]) -> Result:
    found = Sum[Result](add)
    for part in block.parts:
        found.take(function(part), 1)
    return found.value()


def _label(part: Any) -> str:
    return str(getattr(part, "label", part))
