"""Calls that may fail: what they raise, how long they take, where they run."""

from __future__ import annotations

import contextvars
import os
import sys
import threading
import time
import types

import pytest

from induce.core import processes
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.core.processes import attempts
from induce.core.trace import trace


def tried(function, items, *args, **options):
    with attempts(function, *args, **options) as run:
        return [(each.value, each.problem) for each in run(items)]


FAILED = [(0, None), (None, "ValueError: 1 is odd"), (2, None), (None, "ValueError: 3 is odd")]


@pytest.mark.parametrize("backend", ["processes", "threads"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_one_raises_costs_that_one(backend, n_jobs):
    divisor = 2

    def fails_on_odd(x):
        if x % divisor:
            raise ValueError(f"{x} is\nodd")
        return x

    assert tried(fails_on_odd, range(4), n_jobs, backend=backend) == FAILED


def test_processes_are_others():
    mine, offset = os.getpid(), 1
    found = tried(lambda x: (os.getpid(), x + offset), range(6), 2)
    assert [value[1] for value, _ in found] == [1, 2, 3, 4, 5, 6]
    assert mine not in {value[0] for value, _ in found}


def test_exit_is_a_problem_of_the_item():
    assert tried(lambda x: exit(x), [3]) == [(None, "SystemExit: 3")]


def test_a_call_that_hangs_is_given_up():
    def slow(x):
        try:
            time.sleep(30 if x == 1 else 0)
        except Exception:
            return "caught"
        return x

    expected = [(0, None), (None, "it took longer than 0.05 s"), (2, None)]
    assert tried(slow, range(3), time_limit=0.05) == expected
    assert tried(slow, range(3), 2, time_limit=0.05) == expected


class WithoutAlarms:
    """A function that is sent to a process on a system that has no alarms."""

    def __init__(self, function):
        self.function = function

    def __call__(self, x):
        return self.function(x)

    def __setstate__(self, state):
        import signal

        vars(signal).pop("setitimer", None)
        self.__dict__ |= state


def spins(x):
    while x == 1:
        pass
    return x


SPUN = [(0, None), (None, "it took longer than 0.05 s"), (2, None)]


def test_a_limit_holds_without_alarms(monkeypatch):
    """As on Windows: under a trace in this process, otherwise in another."""
    monkeypatch.delattr(processes.signal, "setitimer")
    with trace():
        assert tried(spins, range(3), time_limit=0.05) == SPUN

    assert tried(WithoutAlarms(spins), range(3), time_limit=0.05) == SPUN


def test_a_limit_holds_outside_the_main_thread():
    found = []
    with trace():  # which keeps the work in this process
        context = contextvars.copy_context()
        thread = threading.Thread(
            target=lambda: context.run(lambda: found.extend(tried(spins, range(3), time_limit=0.05)))
        )
        thread.start()
        thread.join()
    assert found == SPUN


def test_a_process_deep_in_compiled_code_is_ended_without_alarms(monkeypatch):
    monkeypatch.setattr(processes, "GRACE", 0.1)
    monkeypatch.delattr(processes.signal, "setitimer")

    sleeps = WithoutAlarms(lambda x: time.sleep(300 * x) or x)
    (first, _), (_, problem) = tried(sleeps, range(2), time_limit=0.5)
    assert first == 0
    assert "took longer than 0.5 s" in problem


def test_a_process_that_dies_costs_its_item():
    found = tried(lambda x: os._exit(1) if x == 1 else x, range(3), 2)
    assert found == [(0, None), (None, "its process died"), (2, None)]


def test_what_cannot_be_sent(monkeypatch):
    lock = threading.Lock()
    with pytest.raises(InputError, match=r"the fitness cannot be sent to another process \(cannot pickle"):
        tried(lambda x: lock.locked(), [1], 2, what="fitness")
    assert tried(lambda x: lock.locked(), [1], 2, backend="threads") == [(False, None)]
    here = types.ModuleType("only_here")
    here.same = types.FunctionType((lambda x: x).__code__, vars(here), "same")
    here.same.__module__, here.same.__qualname__ = "only_here", "same"
    monkeypatch.setitem(sys.modules, "only_here", here)
    with pytest.raises(InputError, match=r"No module named 'only_here'.*use backend='threads'"):
        tried(here.same, [1], 2)


def test_bad_parameters():
    with pytest.raises(InputError, match="a thread that hangs cannot be stopped"):
        tried(abs, [1], 2, backend="threads", time_limit=1)
    with pytest.raises(InputError, match="backend is 'gpu'"):
        tried(abs, [1], backend="gpu")
    with pytest.raises(InputError, match="time_limit is 0"):
        tried(abs, [1], time_limit=0)


def test_a_trace_keeps_work_here():
    with trace(), pytest.warns(Note, match="one process"):
        assert tried(lambda x: os.getpid(), [1, 2], 2) == [(os.getpid(), None)] * 2
