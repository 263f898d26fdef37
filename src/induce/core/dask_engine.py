"""The engine of a Dask cluster: what is sent to the workers, and what happens if they or the scheduler are lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, TypeVar, cast

from induce.core.engine_sums import Add, Collected
from induce.core.errors import InputError, not_installed
from induce.core.notes import kept_notes

Item = TypeVar("Item")
Result = TypeVar("Result")

ATTEMPTS = 3
"""Number of attempts of a pass while workers die and the scheduler lives: each pass can be repeated."""
LOCAL = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 2**28,
    "distributed.worker.profile.enabled": False,
}
"""Settings of workers on this machine. By default the memory of every column of a partition is returned to the system
and fetched again, and a thread samples what a worker does for a page that is not shown."""


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
        except self.broken() as error:
            raise self._lost(error) from None
        except OSError as error:
            raise self._lost(error) from None

    def broken(self) -> tuple[type[BaseException], ...]:
        """Return the errors raised where the scheduler does not answer any more."""
        distributed: Any = import_module("distributed")
        closed: Any = import_module("distributed.comm.core").CommClosedError
        return distributed.CancelledError, closed, TimeoutError, ConnectionError

    def _lost(self, error: BaseException) -> InputError:
        return InputError(
            f"the scheduler at {self.address} was lost ({type(error).__name__}); start it again, then learn again"
        )

    def run(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        add: Add[Result] | None,
        sizes: Sequence[int],
        told: Callable[[int], None],
    ) -> list[Result]:
        """Run the parts on the workers; parts lost when a worker died are run again."""
        broken = self.broken()
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
        told: Callable[[int], None],
    ) -> list[Result]:
        distributed: Any = import_module("distributed")
        submit = partial(self.client.submit, pure=False)
        # sent once, since its bound arguments may be large; by a task, which Dask repeats if a worker dies with it
        shared = submit(_given, function)
        tasks = [submit(_quietly, shared, item) for item in items]
        try:
            done = Collected(None if add is None else cast(Any, partial(submit, add)))
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
                f"the workers at {self.address} died repeatedly on {label_of(items[lost])}; give them more memory, "
                "or look at their logs"
            ) from None

    def close(self) -> None:
        """Disconnect from the cluster, and shut it down if it was started here."""
        if self.owned:
            cluster = self.client.cluster
            self.client.close()
            if cluster is not None:
                cluster.close()


def connected(where: str) -> Cluster:
    """Return the cluster at an address; for `dask` the current one, or workers on this machine."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise not_installed("Dask", "dask[distributed]") from None
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
        return local_cluster()


def local_cluster(n_workers: int | None = None) -> Cluster:
    """Start workers on this machine, by default one for each processor."""
    dask: Any = import_module("dask")
    distributed: Any = import_module("distributed")
    with dask.config.set(LOCAL):
        cluster = distributed.LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=None)
    return Cluster(distributed.Client(cluster, set_as_default=False), owned=True)


def _given(function: Callable[[Item], Result]) -> Callable[[Item], Result]:
    return function


def _quietly(function: Callable[[Item], Result], item: Item) -> Result:
    """Run a part on a worker without its notes, which would be lost."""
    with kept_notes():
        return function(item)


def label_of(part: Any) -> str:
    """Return the name of a part in messages."""
    return str(getattr(part, "label", part))
