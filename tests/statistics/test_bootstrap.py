"""Bootstrap intervals: a second opinion, the same seed, and samples that are too small."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from induce.core.errors import InputError
from induce.statistics import bootstrap_mean, bootstrap_proportion, t_mean

LOSSES = np.random.default_rng(0).exponential(size=60)


@pytest.mark.parametrize("method", ["bca", "percentile"])
@pytest.mark.parametrize(
    ("sides", "alternative"), [("two", "two-sided"), ("lower", "greater"), ("upper", "less")]
)
def test_second_opinion(method: str, sides: str, alternative: str) -> None:
    ours = bootstrap_mean(LOSSES, 0.9, sides, 3, method=method, resamples=999)
    theirs = stats.bootstrap(
        (LOSSES,),
        np.mean,
        n_resamples=999,
        confidence_level=0.9,
        alternative=alternative,
        method={"bca": "BCa"}.get(method, method),
        random_state=np.random.default_rng(3),
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))
    assert ours.holds


def test_close_to_student_where_that_is_right() -> None:
    values = np.random.default_rng(1).normal(size=200)
    ours, student = bootstrap_mean(values), t_mean(values)
    assert (ours.low, ours.high) == pytest.approx((student.low, student.high), abs=0.015)


def test_same_seed_same_interval() -> None:
    assert bootstrap_mean(LOSSES, random_state=5) == bootstrap_mean(LOSSES, random_state=5)
    assert bootstrap_mean(LOSSES, random_state=5) != bootstrap_mean(LOSSES, random_state=6)


def test_many_values() -> None:
    values = np.random.default_rng(2).exponential(size=3000)
    many, student = bootstrap_mean(values, resamples=2000), t_mean(values)
    assert many.method == "bootstrap, percentile"
    assert bootstrap_mean(values[:2000], resamples=100).method == "bootstrap, BCa"
    assert (many.low, many.high) == pytest.approx((student.low, student.high), abs=0.006)


def test_what_it_cannot_do() -> None:
    equal = bootstrap_mean([0.2] * 30)
    assert (equal.low, equal.high, equal.holds) == (pytest.approx(0.2), pytest.approx(0.2), False)
    assert equal.preconditions == "all values are equal, so their variance is unknown"
    few = bootstrap_mean([1, 2, 3, 4])
    assert not few.holds
    assert few.preconditions == "4 values are few for a bootstrap"
    assert bootstrap_mean([1.0, 1.0, 1.0], sides="upper").low == -math.inf
    with pytest.raises(InputError, match="at least two"):
        bootstrap_mean([1.0])
    with pytest.raises(InputError, match="finite numbers"):
        bootstrap_mean([1.0, math.nan])
    with pytest.raises(InputError, match="method is 'basic'"):
        bootstrap_mean(LOSSES, method="basic")
    with pytest.raises(InputError, match="resamples must be a whole number of at least 100, not 3"):
        bootstrap_mean(LOSSES, resamples=3)
    with pytest.raises(InputError, match="confidence"):
        bootstrap_mean(LOSSES, 95)


@settings(max_examples=10)
@given(st.integers(5, 35))
def test_a_proportion_needs_no_drawing(errors: int) -> None:
    exact = bootstrap_proportion(errors, 40)
    drawn = bootstrap_mean([1] * errors + [0] * (40 - errors), method="percentile", resamples=20_000)
    assert (exact.low, exact.high) == pytest.approx((drawn.low, drawn.high), abs=0.0251)


def test_proportions_without_errors() -> None:
    none = bootstrap_proportion(0, 40)
    assert (none.low, none.high, none.holds) == (0.0, 0.0, False)
    assert "use the exact interval" in none.preconditions
    assert bootstrap_proportion(12, 40).holds
    assert bootstrap_proportion(12, 40, 0.975, "upper").high == bootstrap_proportion(12, 40).high
    assert bootstrap_proportion(12, 40, sides="upper").low == 0.0
