"""Time limits: work that looks at the clock ends in time, in its own block only, and compiling does not count."""

import numpy as np
import pytest

import induce
from induce.core import loops, parallel, time_limit
from induce.core.errors import InputError
from induce.core.progress import report
from induce.core.time_limit import at_most, check_time, uncounted


class Clock:
    """A clock that goes on by one second at every look."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1.0
        return self.now


@pytest.fixture
def clock(monkeypatch):
    found = Clock()
    monkeypatch.setattr(time_limit.time, "process_time", found)
    return found


def work(rounds):
    for _ in range(rounds):
        check_time()
    return rounds


def test_long_work_is_stopped(clock):
    with pytest.raises(TimeoutError, match=r"it takes longer than 5 s"), at_most(5):
        work(100)
    assert clock.now < 10


def test_short_work_is_not(clock):
    with at_most(30):
        assert work(20) == 20
    with at_most(None):
        assert work(100) == 100


def test_work_that_never_looks_is_late_when_it_is_done(clock):
    with pytest.raises(TimeoutError), at_most(5):
        clock.now += 10


def test_compiling_does_not_count(clock):
    with at_most(8):
        with uncounted():
            clock.now += 1000
            with uncounted():  # a loop that calls another is compiled with it
                clock.now += 1000
        work(2)


def test_what_is_left_after_compiling_counts(clock):
    def compile_and_work():
        with uncounted():
            clock.now += 1000
        work(10)

    with pytest.raises(TimeoutError), at_most(5):
        compile_and_work()


def test_the_numba_compiler_does_not_count(monkeypatch):
    """Its clock stands still while a loop is compiled, by whatever way."""
    from induce.core import jit

    stopped = []
    monkeypatch.setattr(time_limit.Limit, "pause", lambda self: stopped.append("pause"))
    monkeypatch.setattr(time_limit.Limit, "resume", lambda self: stopped.append("resume"))
    monkeypatch.setattr(jit.Compiler, "compile_extra", lambda self, func: stopped.append("compile"))
    with at_most(30):
        compiler = object.__new__(jit._Undisturbed)
        compiler.state = type("State", (), {"flags": jit.Flags()})()
        compiler.compile_extra(None)
    assert stopped == ["pause", "compile", "resume"]


def test_only_the_block_itself_is_stopped(clock):
    def item(rounds):
        try:
            with at_most(50):
                work(rounds)
        except TimeoutError:
            return "stopped"
        return "done"

    assert parallel.run(item, [1, 100, 1, 100]) == ["done", "stopped", "done", "stopped"]


def test_parallel_work_keeps_the_limit():
    with pytest.raises(TimeoutError), at_most(1e-9):
        parallel.run(abs, [1, 2, 3, 4], n_jobs=2)


def test_what_the_work_raises_itself_comes_through(clock):
    with pytest.raises(KeyError), at_most(10):
        raise KeyError("own")


def test_an_error_on_its_way_out_stays_a_limit(clock):
    def fit():
        try:
            work(100)
        except Exception as problem:
            raise InputError("C45 failed in round 7") from problem

    with pytest.raises(TimeoutError, match="longer than 5 s"), at_most(5):
        fit()


def test_blocks_within_blocks(clock):
    with pytest.raises(TimeoutError, match="than 5 s"), at_most(300), at_most(5):
        work(100)
    with pytest.raises(TimeoutError, match="than 10 s"), at_most(10), at_most(300):
        work(100)


def test_steps_of_learners_look():
    with pytest.raises(TimeoutError), at_most(1e-9):
        loops.sized(loops.loop(abs.__class__), 1)
    with pytest.raises(TimeoutError), at_most(1e-9):
        report(0.5)


@pytest.mark.parametrize("learner", [induce.BFSID3(), induce.IB2(), induce.IB3(), induce.C45(), induce.CN2()])
def test_learners_look_at_every_step(clock, learner):
    random = np.random.default_rng(0)
    rows, classes = random.integers(3, size=(60, 6)).astype(str), random.integers(2, size=60)
    with pytest.raises(TimeoutError, match="longer than 5 s"), at_most(5):
        learner.fit(rows, classes)
    assert clock.now < 12


@pytest.mark.parametrize("seconds", [0, -1])
def test_bad_input(seconds):
    with pytest.raises(InputError, match="give a number of seconds above 0"), at_most(seconds):
        pass
