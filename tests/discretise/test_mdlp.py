"""Cuts by the minimum description length principle: the book's numbers, and a slow reference that must agree."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.discretise import codes, mdlp_cuts, price_of_cut
from induce.discretise.mdlp import _boundaries

properties = settings(max_examples=25, derandomize=True)
TEMPERATURE = [40, 48, 60, 72, 80, 90]
PLAY = [0, 0, 1, 1, 1, 0]

examples = st.lists(st.tuples(st.integers(-6, 6), st.integers(0, 2)), min_size=1, max_size=40)
blocks = st.lists(st.tuples(st.integers(1, 25), st.integers(0, 2)), min_size=1, max_size=5).map(
    lambda runs: list(enumerate(label for n, label in runs for _ in range(n)))
)
"""Examples that come in runs of one class, so that many cuts are worth their price."""


def entropy(labels: list[int]) -> float:
    return sum(n / len(labels) * math.log2(len(labels) / n) for n in Counter(labels).values())


def reference(rows: list[tuple[float, int]]) -> list[float]:
    """Fayyad and Irani's recursion as it is written down."""
    rows = sorted(rows)
    labels = [label for _, label in rows]
    best, chosen = -1.0, None
    for low, high in pairwise(sorted({value for value, _ in rows})):
        middle = (low + high) / 2
        near = {label for value, label in rows if value in (low, high)}
        if len(near) == 1:
            continue
        left = [label for value, label in rows if value < middle]
        right = [label for value, label in rows if value > middle]
        gain = entropy(labels) - (len(left) * entropy(left) + len(right) * entropy(right)) / len(rows)
        if gain > best + 1e-9:
            best, chosen = gain, (middle, left, right)
    if chosen is None:
        return []
    middle, left, right = chosen
    n, k, k1, k2 = len(rows), len(set(labels)), len(set(left)), len(set(right))
    delta = math.log2(3**k - 2) - (k * entropy(labels) - k1 * entropy(left) - k2 * entropy(right))
    if best <= (math.log2(n - 1) + delta) / n:
        return []
    return [
        *reference([row for row in rows if row[0] < middle]),
        middle,
        *reference([row for row in rows if row[0] > middle]),
    ]


def cuts_of(rows: list[tuple[float, int]], weights: list[float] | None = None) -> list[float]:
    values, labels = zip(*rows, strict=True)
    return mdlp_cuts(values, labels, 3, weights).tolist()


def test_temperature_is_not_worth_a_cut():  # O3.12
    gain, price = price_of_cut([2, 0], [1, 3])
    assert gain == pytest.approx(0.459148, abs=1e-6)
    assert price == pytest.approx(0.7920, abs=1e-4)
    assert price * 6 - math.log2(5) == pytest.approx(2.4299, abs=1e-4)
    gain, price = price_of_cut([2, 3], [1, 0])
    assert gain == pytest.approx(0.190875, abs=1e-6)
    assert mdlp_cuts(TEMPERATURE, PLAY, 2).tolist() == []


def test_the_candidates_of_temperature():  # O3.12
    ends, boundary = _boundaries(np.array(TEMPERATURE, float), np.array(PLAY))
    assert [(TEMPERATURE[e - 1] + TEMPERATURE[e]) / 2 for e in ends[boundary][:-1]] == [54, 85]


def test_temperature_seen_often_enough_is_cut():
    """The same pattern ten times over pays for both cuts, the better one first."""
    gain, price = price_of_cut([20, 0], [10, 30])
    assert gain == pytest.approx(0.459148, abs=1e-6)
    assert price < gain
    assert mdlp_cuts(TEMPERATURE * 10, PLAY * 10, 2).tolist() == [54, 85]
    assert mdlp_cuts(TEMPERATURE, PLAY, 2, weights=[10] * 6).tolist() == [54, 85]


def test_noise_between_two_thresholds():
    rng = np.random.default_rng(0)
    values = rng.uniform(0, 10, 2000)
    labels = np.where(values < 3, 0, np.where(values < 7, 1, 2))
    noisy = rng.random(2000) < 0.1
    labels[noisy] = rng.integers(0, 3, noisy.sum())
    assert mdlp_cuts(values, labels, 3) == pytest.approx([3, 7], abs=0.05)
    assert mdlp_cuts(values, rng.permutation(labels), 3).tolist() == []


@properties
@given(examples | blocks)
def test_the_reference_agrees(rows):
    assert cuts_of(rows) == reference(rows)


@properties
@given(examples | blocks, st.randoms(use_true_random=False))
def test_the_order_of_the_examples_does_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    assert cuts_of(shuffled) == cuts_of(rows)


@properties
@given(examples | blocks)
def test_a_weight_of_two_is_an_example_given_twice(rows):
    assert cuts_of(rows, [2.0] * len(rows)) == cuts_of(rows + rows)


@properties
@given(blocks)
def test_a_missing_value_and_a_weight_of_nothing_take_no_part(rows):
    more = [*rows, (math.nan, 0), (3.5, 2)]
    assert cuts_of(more, [1.0] * len(rows) + [1.0, 0.0]) == cuts_of(rows)


@pytest.mark.parametrize(
    ("values", "labels"),
    [([], []), ([math.nan] * 3, [0, 1, 0]), ([1, 2, 3], [1, 1, 1]), ([5] * 40, [0, 1] * 20), ([1], [0])],
)
def test_nothing_to_cut(values, labels):
    assert mdlp_cuts(values, labels, 2).tolist() == []


def test_equal_values_are_not_divided():
    values = [1] * 30 + [2] * 30 + [3] * 30
    labels = [0] * 29 + [1] + [1] * 30 + [0] * 30
    assert mdlp_cuts(values, labels, 2).tolist() == [1.5, 2.5]


@pytest.mark.parametrize("low", [-math.inf, -1.7e308, 1e-320])
@pytest.mark.parametrize("high", [math.inf, 1.79e308])
def test_huge_values_have_a_finite_cut_between(low, high):
    (cut,) = mdlp_cuts([low] * 20 + [high] * 20, [0] * 20 + [1] * 20, 2)
    assert math.isfinite(cut)
    assert codes([low, high], [cut]).tolist() == [0, 1]


def test_many_classes_have_a_finite_price():
    k = 2000
    gain, price = price_of_cut([1] * 1000 + [0] * 1000, [0] * 1000 + [1] * 1000)
    assert (gain, price) == pytest.approx(
        (1.0, (math.log2(k - 1) + k * math.log2(3) - k * math.log2(k) + k * math.log2(k / 2)) / k)
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (([1, 2], [0], 2), "differ in shape"),
        (([1, 2], [0, 1], 2, [1]), "differ in shape"),
        (([1, 2], [0, 2], 2), "class codes outside 0 to 1"),
        (([1, 2], [0, -1], 2), "class codes outside 0 to 1"),
        (([1, 2], [0, 1], 2, [1, -1]), "weights"),
        (([1, 2], [0, 1], 2, [1, math.nan]), "weights"),
    ],
)
def test_bad_input(arguments, says):
    with pytest.raises(InputError, match=says):
        mdlp_cuts(*arguments)
