"""The mistake bounds, against the numbers of the books."""

import math

import numpy as np
import pytest

from induce import InputError
from induce.online.bounds import (
    halving_bound,
    no_regret_beta,
    randomized_bound,
    regret_bound,
    weighted_majority_bound,
    winnow_bound,
)


@pytest.mark.parametrize(
    ("beta", "of_best", "of_experts"),
    [
        (0.1, 3.852, 1.159),
        (0.25, 2.950, 1.475),
        (0.5, 2.409, 2.409),
        (0.75, 2.154, 5.191),
        (0.9, 2.054, 13.513),
    ],
)
def test_coefficients_of_the_general_bound(beta, of_best, of_experts):
    base = weighted_majority_bound(0, 2, beta)
    assert base == pytest.approx(of_experts, abs=5e-4)
    assert weighted_majority_bound(1, 2, beta) - base == pytest.approx(of_best, abs=5e-4)


def test_constant_of_theorem_7_5_is_a_little_more_than_printed():
    assert weighted_majority_bound(1, 2) - weighted_majority_bound(0, 2) == pytest.approx(
        1 / -math.log2(0.75)
    )
    assert weighted_majority_bound(1, 1) == pytest.approx(2.40942, abs=5e-6)


@pytest.mark.parametrize(
    ("beta", "of_best", "constant"), [(0.5, 1.386, 4.605), (0.75, 1.1507, 9.2103), (0.9, 1.0536, 23.026)]
)
def test_randomised_bound_for_ten_experts(beta, of_best, constant):
    assert randomized_bound(0, 10, beta) == pytest.approx(constant, abs=5e-4)
    assert randomized_bound(1, 10, beta) - constant == pytest.approx(of_best, abs=1e-3)


def test_bounds_of_many_numbers_at_once():
    best = np.arange(4)
    assert weighted_majority_bound(best, 5).tolist() == [weighted_majority_bound(k, 5) for k in range(4)]
    assert randomized_bound(best, 5).tolist() == [randomized_bound(k, 5) for k in range(4)]


def test_halving_is_the_floor_of_the_logarithm():
    assert [halving_bound(n) for n in (1, 2, 3, 7, 8, 2**100 - 1)] == [0, 1, 1, 2, 3, 99]


def test_no_regret_beta_makes_the_general_bound_as_small_as_the_regret_bound():
    for n_experts, rounds in ((2, 10), (10, 1000), (100, 10**6)):
        best = rounds // 2
        beta = no_regret_beta(n_experts, rounds)
        assert randomized_bound(best, n_experts, beta) - best <= regret_bound(n_experts, rounds)
    assert no_regret_beta(10**6, 1) == 0.5


def test_winnow_bounds_are_logarithmic_in_the_indicators():
    # Littlestone's 2 k log2 n + 2 for a threshold of n/2, and the 3 k (1 + log2 n) + 2 for a threshold of n
    for n, k in ((16, 1), (64, 3), (1024, 5)):
        assert winnow_bound(k, n, n / 2, version=1) == pytest.approx(2 * k * math.log2(n) + 2)
        assert winnow_bound(k, n, n, version=2) == pytest.approx(3 * k * (1 + math.log2(n)) + 2)


@pytest.mark.parametrize("beta", [1, -0.1, 1.5, float("nan"), "half", True, None])
def test_beta_must_be_from_zero_to_below_one(beta):
    with pytest.raises(InputError, match=r"beta is .*; it must be a number of at least 0 and below 1"):
        weighted_majority_bound(1, 5, beta)
