"""Time limits: work is stopped in time, in its own thread only, and nothing is left behind."""

import threading

import pytest

from induce.core import parallel
from induce.core.errors import InputError
from induce.core.time_limit import at_most

ENDLESS = 10**15
SOME = 20_000
"""Rounds that take about a millisecond."""


def busy(rounds):
    count = 0
    while count < rounds:
        try:
            count += 1
        except Exception:  # a learner that swallows everything must not go on
            raise AssertionError from None
    return count


def test_long_work_is_stopped():
    with pytest.raises(TimeoutError, match=r"it takes longer than 0\.05 s"), at_most(0.05):
        busy(ENDLESS)


def test_short_work_is_not():
    with at_most(30):
        assert busy(SOME) == SOME
    with at_most(None):
        assert busy(SOME) == SOME


def test_nothing_is_left_behind():
    """A block that ends near its limit either fails itself or lets what follows alone."""
    before = set(threading.enumerate())
    stopped = 0
    for k in range(100):
        try:
            with at_most(0.005):
                busy(SOME // 3 * k)
        except TimeoutError:
            stopped += 1
        busy(SOME)
    assert stopped > 0
    for thread in set(threading.enumerate()) - before:
        thread.join()  # none waits for a limit that is far away


def test_only_the_thread_in_the_block_is_stopped():
    def work(rounds):
        try:
            with at_most(0.2):
                busy(rounds)
        except TimeoutError:
            return "stopped"
        return "done"

    assert parallel.run(work, [1, ENDLESS, 1, ENDLESS], n_jobs=2) == ["done", "stopped", "done", "stopped"]


def test_what_the_work_raises_itself_comes_through():
    with pytest.raises(KeyError), at_most(10):
        raise KeyError("own")


def test_blocks_within_blocks():
    with pytest.raises(TimeoutError, match=r"0\.05 s"), at_most(30), at_most(0.05):
        busy(ENDLESS)
    with pytest.raises(TimeoutError, match=r"0\.1 s"), at_most(0.1), at_most(30):
        busy(ENDLESS)


@pytest.mark.parametrize("seconds", [0, -1])
def test_bad_input(seconds):
    with pytest.raises(InputError, match="give a number of seconds above 0"), at_most(seconds):
        pass
