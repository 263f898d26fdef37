"""One sum, whoever makes it: in one thread, in several, on a cluster."""

import os
import time
from functools import partial
from operator import add

import pytest

import induce
from induce.core import engines
from induce.core.engines import Cluster, Sum, Threads, each, total
from induce.core.errors import InputError


def joined(left, right):
    return f"({left}{right})"


def slowly(number):
    time.sleep(0.002 * (number % 3))
    return str(number)


def refused(number, at=3):
    if number == at:
        raise InputError(f"part {number} cannot be read")
    return number


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as found,
    ):
        yield found


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 13, 40])
def test_every_engine_adds_in_the_same_order(client, n):
    expected = total(str, range(n), joined)
    for where in ("threads:3", client):
        with induce.using(where):
            assert total(slowly, range(n), joined) == expected
            assert each(slowly, range(n)) == [str(k) for k in range(n)]


def test_blocks_add_up_as_single_parts_do():
    for n in range(1, 30):
        for size in (1, 2, 4, 8):
            found = Sum(joined)
            for at in range(0, n, size):
                part = list(range(at, min(at + size, n)))
                inside = Sum(joined)
                for number in part:
                    inside.take(str(number), 1)
                found.take(inside.value(), len(part))
            assert found.value() == total(str, range(n), joined)


def test_a_cluster_gets_few_tasks(client):
    with induce.using(client):
        blocks = []
        original = Cluster.run

        def counted(self, function, items, *others):
            blocks.append(len(items))
            return original(self, function, items, *others)

        Cluster.run, kept = counted, Cluster.run
        try:
            assert total(int, range(100)) == sum(range(100))
        finally:
            Cluster.run = kept
    assert blocks[0] <= engines.TASKS_PER_WORKER * 2


@pytest.mark.parametrize("where", ["serial", "threads:2", "client"])
def test_a_failure_is_raised_here(client, where):
    with (
        induce.using(client if where == "client" else where),
        pytest.raises(InputError, match="part 3 cannot"),
    ):
        total(partial(refused, at=3), range(9), add)


def test_progress_is_told_in_shares():
    told = []
    total(int, range(4), told=told.append)
    assert told == [0.25, 0.5, 0.75, 1.0]


def test_engines_by_name():
    with induce.using("threads:5") as found:
        assert isinstance(found, Threads)
        assert found.n_workers() == 5
        assert engines.chosen()
    assert not engines.chosen()
    assert engines.engine().n_workers() == 1


@pytest.mark.parametrize("where", ["hadoop", "threads:0", "threads:many", 5])
def test_a_bad_engine_is_named(where):
    with pytest.raises(InputError, match="is not an engine; give"), induce.using(where):
        pass


def test_an_address_without_a_scheduler(monkeypatch):
    distributed = pytest.importorskip("distributed")

    def refuse(*given, **named):
        raise OSError("timed out")

    monkeypatch.setattr(distributed, "Client", refuse)
    with (
        pytest.raises(InputError, match="there is no Dask scheduler at 'tcp://nowhere:1'"),
        induce.using("tcp://nowhere:1"),
    ):
        pass


def dies(number, marker, at, always):
    """End the process of the worker at one part: always, or where no file marks that it has done so."""
    if number == at and (always or not os.path.exists(marker)):
        with open(marker, "w", encoding="utf-8"):
            pass
        os._exit(1)
    return str(number)


@pytest.mark.slow
def test_workers_that_die(tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as found,
        induce.using(found),
    ):
        once = partial(dies, marker=str(tmp_path / "died"), at=5, always=False)
        assert total(once, range(9), joined) == total(str, range(9), joined)
        assert (tmp_path / "died").exists()
        always = partial(dies, marker=str(tmp_path / "died"), at=5, always=True)
        with pytest.raises(
            InputError, match=r"the workers at .* died repeatedly on 5; give them more memory"
        ):
            each(always, range(9))
