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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from operator import add as plus
from typing import Any, Generic, Protocol, TypeVar

from induce.core.dask_engine import Cluster as Cluster
from induce.core.dask_engine import connected, label_of
from induce.core.engine_sums import Add
from induce.core.engine_sums import Sum as Sum
from induce.core.errors import InputError
from induce.core.journal import Journal
from induce.core.notes import kept_notes, note
from induce.core.passes import PassProgress, rows_of
from induce.core.thread_engine import Threads as Threads

Item = TypeVar("Item")
Result = TypeVar("Result")
Told = Callable[[float], None]
Done = Callable[[int], None]

TASKS_PER_WORKER = 4
"""Number of tasks per worker, so that workers end at about the same time, and the scheduler need not manage a task
for every partition."""


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
        return connected(where)
    raise InputError(
        f"{where!r} is not an engine; give 'serial', 'threads', 'threads:4', 'dask' or an address such as 'tcp://host:8786'"
    )


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
            OSError, *here.broken()
        ):  # a scheduler that was lost is named by what asks it for results
            here.client.run(function, on_error="ignore")


class _Block(Generic[Item]):
    """Block of neighbouring parts that form one task."""

    def __init__(self, parts: Sequence[Item]) -> None:
        self.parts = list(parts)
        self.n_rows = sum(map(rows_of, parts))
        self.label = (
            f"{label_of(parts[0])} to {label_of(parts[-1])}" if len(parts) > 1 else label_of(parts[0])
        )


def _of_block(function: Callable[[Item], Result], add: Add[Result], block: _Block[Item]) -> Result:
    found = Sum[Result](add)
    for part in block.parts:
        found.take(function(part), 1)
    return found.value()
