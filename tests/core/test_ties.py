"""Choices and orders of numbers that rounding made different."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.ties import (
    first_largest,
    first_largest_of_each,
    first_smallest,
    is_less,
    largest_first,
    largest_of_each,
    levelled,
    smallest_first,
)

NUMBERS = st.lists(st.integers(-20, 20).map(lambda n: n / 7), min_size=1, max_size=12)
BITS = st.lists(st.integers(-40, 40), min_size=12, max_size=12)


def rounded_otherwise(numbers: list[float], bits: list[int]) -> np.ndarray:
    """What another processor could have made of the same numbers."""
    exact = np.array(numbers)
    return exact + np.array(bits[: len(exact)]) * np.spacing(np.abs(exact))


@given(NUMBERS, BITS)
def test_rounding_decides_nothing(numbers, bits):
    other = rounded_otherwise(numbers, bits)
    assert first_largest(other) == np.argmax(numbers)
    assert first_smallest(other) == np.argmin(numbers)
    assert first_largest_of_each([other, other]).tolist() == [np.argmax(numbers)] * 2
    assert largest_first(other).tolist() == np.argsort(-np.array(numbers), kind="stable").tolist()
    assert smallest_first(other).tolist() == np.argsort(numbers, kind="stable").tolist()
    assert (largest_of_each([other])[0] == (np.array(numbers) == max(numbers))).all()
    assert len(set(levelled(other).tolist())) == len(set(numbers))


def test_numbers_of_any_size_are_told_apart():
    assert largest_first([1e-300, 2e-300, 1e-300]).tolist() == [1, 0, 2]
    assert largest_first([1.0, 2.0, 1e9]).tolist() == [2, 1, 0]
    assert first_smallest([3e-200, 2e-200]) == 1
    assert first_largest([-40.0, -3.0, -1e30]) == 1
    assert largest_first([1e30, 1.0, 2.0]).tolist() == [0, 2, 1]


def test_infinite_numbers_are_equal_to_themselves_only():
    infinite = [-np.inf, 1.0, np.inf, np.inf, -np.inf]
    assert levelled(infinite).tolist() == infinite
    assert largest_first(infinite).tolist() == [2, 3, 1, 0, 4]
    assert first_largest([-np.inf, -np.inf]) == 0
    assert first_smallest(infinite) == 0
    assert is_less(1.0, np.inf)
    assert not is_less(np.inf, np.inf)


def test_unknown_numbers_come_last():
    assert largest_first([np.nan, 0.3, 0.1 + 0.2]).tolist() == [1, 2, 0]


def test_terms_that_cancel_need_their_scale():
    rests = [0.0, 0.1 + 0.2 - 0.3]
    assert first_largest(rests) == 1
    assert first_largest(rests, scale=1.0) == 0
    assert not is_less(*rests, scale=1.0)


@pytest.mark.parametrize("choose", [largest_first, smallest_first, levelled])
def test_nothing_to_order(choose):
    assert len(choose([])) == 0
