"""Threads: order, number, errors, and what they know of their caller."""

from __future__ import annotations

import threading
import time
import warnings
from contextvars import ContextVar

import pytest

from induce.core.notes import Note
from induce.core.parallel import run
from induce.core.progress import progress, report
from induce.core.trace import emit, trace


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 3, -1])
def test_results_come_in_order(n_jobs):
    def slow_first(item: int) -> int:
        time.sleep(0.01 if item == 0 else 0)
        return item * item

    assert run(slow_first, range(10), n_jobs) == [item * item for item in range(10)]
    assert run(slow_first, iter([3]), n_jobs) == [9]
    assert run(slow_first, [], n_jobs) == []


def test_two_jobs_run_at_the_same_time():
    together = threading.Barrier(2, timeout=10)

    def meet(item: int) -> int:
        together.wait()
        return item

    assert run(meet, [1, 2], n_jobs=2) == [1, 2]


def test_one_job_runs_in_the_caller_s_thread():
    assert run(lambda _: threading.get_ident(), [1, 2], n_jobs=1) == [threading.get_ident()] * 2


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_errors_reach_the_caller(n_jobs):
    def fail(item: int) -> int:
        raise ValueError(f"item {item}")

    with pytest.raises(ValueError, match="item"):
        run(fail, [1, 2, 3], n_jobs)


def test_a_trace_makes_the_work_serial_and_says_so():
    def work(item: int) -> int:
        emit("step", item=item)
        return threading.get_ident()

    with trace() as events, pytest.warns(Note, match="a trace is active"):
        threads = run(work, range(5), n_jobs=2)
    assert set(threads) == {threading.get_ident()}
    assert [event["item"] for event in events] == list(range(5))


def test_serial_work_under_a_trace_needs_no_note():
    with trace(), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run(abs, [-1, -2], n_jobs=1) == [1, 2]
        assert run(abs, [-1], n_jobs=4) == [1]


def test_the_context_of_the_caller_is_known():
    variable: ContextVar[int] = ContextVar("variable", default=0)
    token = variable.set(7)
    assert run(lambda _: variable.get(), range(50), n_jobs=2) == [7] * 50
    variable.reset(token)


def test_a_context_changed_in_a_thread_stays_there():
    variable: ContextVar[int] = ContextVar("other", default=0)

    def change(item: int) -> int:
        variable.set(item)
        return variable.get()

    assert run(change, [1, 2, 3], n_jobs=2) == [1, 2, 3]
    assert variable.get() == 0


def test_progress_is_heard_from_threads():
    seen: list[float] = []
    with progress(seen.append):
        run(lambda share: report(share / 4), range(5), n_jobs=2)
    assert sorted(seen) == [0, 0.25, 0.5, 0.75, 1]


def test_nothing_is_begun_after_an_error():
    together = threading.Barrier(2, timeout=10)
    begun = []

    def fail(item: int) -> None:
        begun.append(item)
        together.wait()
        raise ValueError(f"item {item}")

    with pytest.raises(ValueError, match="item 0"):
        run(fail, range(50), n_jobs=2)
    assert sorted(begun) == [0, 1]
