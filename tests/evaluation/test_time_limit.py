"""Time limits: work is stopped in time, in its own thread only, and nothing is left behind."""

import threading
import time

import pytest

from induce.core import parallel
from induce.core.errors import InputError
from induce.evaluation.time_limit import at_most


def busy(seconds):
    end = time.perf_counter() + seconds
    count = 0
    while time.perf_counter() < end:
        try:
            count += 1
        except Exception:  # a learner that swallows everything must not go on
            raise AssertionError from None
    return count


def test_long_work_is_stopped():
    with pytest.raises(TimeoutError, match=r"it takes longer than 0\.05 s"), at_most(0.05):
        busy(600)


def test_short_work_is_not():
    with at_most(30):
        assert busy(0.01) > 0
    with at_most(None):
        assert busy(0.01) > 0


def test_nothing_is_left_behind():
    """A block that ends near its limit either fails itself or lets what follows alone."""
    before = threading.active_count()
    stopped = 0
    for k in range(100):
        try:
            with at_most(0.005):
                busy(0.0003 * k)
        except TimeoutError:
            stopped += 1
        busy(0.001)
    assert stopped > 0
    end = time.perf_counter() + 10
    while threading.active_count() > before and time.perf_counter() < end:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_only_the_thread_in_the_block_is_stopped():
    def work(seconds):
        try:
            with at_most(0.2):
                busy(seconds)
        except TimeoutError:
            return "stopped"
        return "done"

    assert parallel.run(work, [0.01, 20, 0.01, 20], n_jobs=2) == ["done", "stopped", "done", "stopped"]


def test_what_the_work_raises_itself_comes_through():
    with pytest.raises(KeyError), at_most(10):
        raise KeyError("own")


def test_blocks_within_blocks():
    with pytest.raises(TimeoutError, match=r"0\.05 s"), at_most(30), at_most(0.05):
        busy(20)
    with pytest.raises(TimeoutError, match=r"0\.1 s"), at_most(0.1), at_most(30):
        busy(20)


@pytest.mark.parametrize("seconds", [0, -1])
def test_bad_input(seconds):
    with pytest.raises(InputError, match="give a number of seconds above 0"), at_most(seconds):
        pass
