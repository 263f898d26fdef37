"""Long columns are counted by compiled loops, with the same counts as short ones."""

import numpy as np
import pytest

from induce.counts import JointCounts, Moments, Steps, additive, joint, moments, steps

pytestmark = pytest.mark.compiled
N = 3_000


@pytest.fixture
def columns():
    rng = np.random.default_rng(5)
    numbers = 1e6 + rng.normal(size=N)
    numbers[rng.random(N) < 0.1] = np.nan
    return numbers, rng.integers(-2, 5, N).astype(np.int32), rng.integers(0, 3, N)


def with_loops(monkeypatch, count):
    """What is counted by loops on every column, and by numpy."""
    found = []
    for long in (1, 10**9):
        for module in (additive, joint, moments, steps):
            monkeypatch.setattr(module, "LONG", long)
        found.append(count())
    return found


def test_moments_of_large_numbers_close_together(monkeypatch, columns):
    numbers, _, labels = columns
    by_loop, by_numpy = with_loops(monkeypatch, lambda: Moments.of(numbers, labels, 4))
    assert by_loop.count.tolist() == by_numpy.count.tolist()
    for mine, theirs in zip(by_loop.arrays(), by_numpy.arrays(), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9)
    assert by_loop.count[3] == by_loop.mean[3] == by_loop.m2[3] == 0


def test_pairs_with_missing_and_unseen_codes(monkeypatch, columns):
    _, codes, labels = columns
    by_loop, by_numpy = with_loops(monkeypatch, lambda: JointCounts.of([codes, labels], [5, 3]))
    assert by_loop == by_numpy


@pytest.mark.parametrize("decimals", [0, 3])
def test_steps_that_come_late(monkeypatch, columns, decimals):
    numbers = np.concatenate([columns[0].round(decimals), columns[0].round(decimals), [7.0]])
    by_loop, by_numpy = with_loops(monkeypatch, lambda: Steps.of(numbers))
    assert by_loop == by_numpy
    assert by_loop.too_many == (decimals == 3)


def test_too_many_steps_are_one_value_in_any_order():
    few, many = Steps.of(np.arange(1000.0)), Steps.of(np.arange(500.0, 1900.0))
    more = Steps.of(np.arange(900.0, 1500.0))
    assert few + more == more + few
    assert (few + more).too_many
    assert (few + more).numbers.size == 0
    assert (few + more) + many == few + (more + many) == many + (few + more)
