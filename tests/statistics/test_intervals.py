"""Intervals: the numbers of Mitchell's chapter 5, a second opinion, and what must hold for any input."""

import math
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from induce.core.errors import InputError
from induce.statistics import (
    Interval,
    cautious_proportion,
    clopper_pearson,
    normal,
    normal_mean,
    t_mean,
    upper_limit,
    variance_over_folds,
    wilson,
)

Method = Callable[..., Interval]

PROPORTION: list[Method] = [normal, wilson, clopper_pearson]
SURE: list[Method] = [wilson, clopper_pearson]

confidences = st.floats(0.01, 0.9999)
counts = st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("confidence", "reach"),
    [
        (0.50, 0.0485461121),
        (0.68, 0.0724568837),
        (0.80, 0.0927448112),
        (0.90, 0.1188292893),
        (0.95, 0.1420154921),
        (0.98, 0.1688245391),
        (0.99, 0.1869387600),
    ],
)
def test_twelve_errors_in_forty(confidence: float, reach: float) -> None:
    interval = normal(12, 40, confidence, table=True)
    assert (interval.low, interval.high) == pytest.approx((0.30 - reach, 0.30 + reach), abs=1e-9)
    assert interval.holds
    assert interval.preconditions == "n r (1 - r) = 8.4 is at least 5"
    exact = normal(12, 40, confidence)  # with z as it is, not as the book rounds it
    assert exact.high == pytest.approx(0.30 + reach, abs=0.0062 * 0.0725)


def test_exact_interval_of_twelve_errors_in_forty() -> None:
    interval = clopper_pearson(12, 40)
    assert (interval.low, interval.high) == pytest.approx((0.1656272044, 0.4653162853), abs=1e-9)


def test_one_sided_bound_leaves_half_as_much_outside() -> None:
    bound = normal(12, 40, 0.975, "upper", table=True)
    assert (bound.low, bound.high) == (0.0, pytest.approx(0.4420154921, abs=1e-9))
    assert normal(12, 40, 0.975, "upper").high == normal(12, 40, 0.95).high


def test_exercise_5_2() -> None:
    interval = normal(17, 100, table=True)
    assert (interval.low, interval.high) == pytest.approx((0.0963759713, 0.2436240287), abs=1e-9)


def test_exercise_5_3() -> None:
    interval = normal(10, 65, 0.90, table=True)
    assert (interval.low, interval.high) == pytest.approx((0.0804530664, 0.2272392413), abs=1e-9)
    assert normal(10, 65, 0.95, "upper", table=True).high == pytest.approx(0.2272392413, abs=1e-9)
    assert normal(10, 65, 0.90, "upper", table=True).high == pytest.approx(0.2111285636, abs=1e-9)
    assert normal(10, 65, 0.95, "upper").high == pytest.approx(0.2274564503, abs=1e-9)
    assert normal(10, 65, 0.90, "upper").high == pytest.approx(0.2111979991, abs=1e-9)


@given(st.integers(1, 40), st.floats(0.01, 0.99), st.floats(0.5, 0.99))
def test_exact_interval_covers_at_least_as_often_as_it_says(n: int, p: float, confidence: float) -> None:
    assert _coverage(clopper_pearson, n, p, confidence) >= confidence - 1e-9


def _coverage(method: Method, n: int, p: float, confidence: float = 0.95) -> float:
    intervals = [method(errors, n, confidence) for errors in range(n + 1)]
    return sum(
        float(stats.binom.pmf(errors, n, p))
        for errors, interval in enumerate(intervals)
        if interval.low <= p <= interval.high
    )


@pytest.mark.parametrize(
    ("method", "name"), [(normal, "normal"), (wilson, "wilson"), (clopper_pearson, "beta")]
)
@pytest.mark.parametrize(("errors", "n"), [(0, 1), (0, 14), (3, 14), (14, 14), (12, 40), (499, 1000)])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_second_opinion(method: Method, name: str, errors: int, n: int, confidence: float) -> None:
    interval = method(errors, n, confidence)
    theirs = proportion_confint(errors, n, 1 - confidence, method=name)
    assert (interval.low, interval.high) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("method", PROPORTION)
@given(counts=counts, confidence=confidences, sides=st.sampled_from(["two", "lower", "upper"]))
def test_bounds_lie_between_0_and_1(
    method: Method, counts: tuple[int, int], confidence: float, sides: str
) -> None:
    interval = method(*counts, confidence, sides)
    assert 0 <= interval.low <= interval.high <= 1


@pytest.mark.parametrize("method", SURE)
@given(counts=counts, confidence=confidences)
def test_two_sided_interval_contains_the_rate(
    method: Method, counts: tuple[int, int], confidence: float
) -> None:
    errors, n = counts
    interval = method(errors, n, confidence)
    assert interval.low <= errors / n <= interval.high


@pytest.mark.parametrize("method", PROPORTION)
@given(counts=counts, confidence=confidences)
def test_one_sided_bound_is_tighter(method: Method, counts: tuple[int, int], confidence: float) -> None:
    both = method(*counts, confidence)
    assert method(*counts, confidence, "upper").high <= both.high
    assert method(*counts, confidence, "lower").low >= both.low


@pytest.mark.parametrize("method", PROPORTION)
@given(counts=counts, pair=st.tuples(confidences, confidences).map(sorted))
def test_more_confidence_is_wider(method: Method, counts: tuple[int, int], pair: list[float]) -> None:
    narrow, wide = (method(*counts, confidence) for confidence in pair)
    assert wide.low <= narrow.low + 1e-12
    assert wide.high >= narrow.high - 1e-12


def test_no_errors_and_nothing_but_errors() -> None:
    assert normal(0, 10).high == 0
    assert not normal(0, 10).holds
    assert "below 5" in normal(0, 10).preconditions
    for method in SURE:
        assert method(0, 10).low == 0 < method(0, 10).high < 1
        assert method(10, 10).high == 1 > method(10, 10).low > 0


def test_precondition_holds_at_the_limit() -> None:
    assert normal(10, 20).holds
    assert not normal(9, 20).holds


@pytest.mark.parametrize(
    ("errors", "n", "confidence", "sides", "message"),
    [
        (0, 0, 0.95, "two", "an interval needs at least one row, but n is 0"),
        (5, 4, 0.95, "two", "errors must lie between 0 and n = 4, not 5"),
        (-1, 4, 0.95, "two", "errors must lie between 0 and n = 4, not -1"),
        (1.5, 4, 0.95, "two", "errors and n must be whole numbers, not 1.5 and 4"),
        (1, 4, 1.0, "two", "confidence must lie between 0 and 1, not 1.0"),
        (1, 4, 95, "two", "confidence must lie between 0 and 1, not 95"),
        (1, 4, math.nan, "two", "confidence must lie between 0 and 1, not nan"),
        (1, 4, 0.95, "both", "sides must be one of two, lower, upper, not 'both'"),
    ],
)
@pytest.mark.parametrize("method", PROPORTION)
def test_refusals(method: Method, errors: int, n: int, confidence: float, sides: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        method(errors, n, confidence, sides)
    assert str(caught.value) == message


DIFFERENCES = [0.05, 0.02, -0.01, 0.04, 0.03, 0.06, 0.00, 0.03, 0.02, 0.05, 0.04]


def test_t_interval_of_paired_differences() -> None:
    interval = t_mean(DIFFERENCES)
    assert (interval.low, interval.high) == pytest.approx((0.0155912991, 0.0444087009), abs=1e-9)
    assert interval.holds
    book = t_mean(DIFFERENCES, table=True)
    assert (book.low, book.high) == pytest.approx((0.0155792637, 0.0444207363), abs=1e-9)


@pytest.mark.parametrize(
    ("degrees", "row"),
    [
        (2, (2.9200, 4.3027, 6.9646, 9.9248)),
        (5, (2.0150, 2.5706, 3.3649, 4.0321)),
        (10, (1.8125, 2.2281, 2.7638, 3.1693)),
        (20, (1.7247, 2.0860, 2.5280, 2.8453)),
        (30, (1.6973, 2.0423, 2.4573, 2.7500)),
        (120, (1.6577, 1.9799, 2.3578, 2.6174)),
    ],
)
def test_t_table(degrees: int, row: tuple[float, ...]) -> None:
    sample = np.arange(degrees + 1.0)
    error = sample.std(ddof=1) / math.sqrt(sample.size)
    reaches = [(t_mean(sample, level).high - sample.mean()) / error for level in (0.90, 0.95, 0.98, 0.99)]
    assert reaches == pytest.approx(row, abs=6e-5)


def test_a_known_deviation_reaches_z_of_them() -> None:
    interval = normal_mean([0.0], 0.95, standard_deviation=1.0)
    assert (interval.low, interval.high) == pytest.approx((-1.95996, 1.95996), abs=6e-6)
    assert normal_mean([0.0], 0.975, "upper", standard_deviation=1.0).high == pytest.approx(interval.high)


def test_mean_intervals_say_whether_they_hold() -> None:
    assert normal_mean(range(30)).holds
    few = normal_mean(range(29))
    assert not few.holds
    assert (
        few.preconditions
        == "29 values are fewer than 30, so use t_mean unless the standard deviation is known"
    )
    assert not t_mean([0.1, 0.1, 0.1]).holds


def test_one_sided_means_are_open() -> None:
    assert t_mean(DIFFERENCES, sides="upper").low == -math.inf
    assert t_mean(DIFFERENCES, sides="lower").high == math.inf
    assert str(t_mean(DIFFERENCES, sides="lower")) == "approximate 95% lower bound 0.018 (t)"


@pytest.mark.parametrize("values", [[], [[1.0, 2.0]], [1.0, math.nan]])
def test_mean_refuses_what_is_no_list_of_numbers(values: list[float]) -> None:
    for method in (normal_mean, t_mean):
        with pytest.raises(InputError, match="one or more finite numbers"):
            method(values)


def test_mean_of_one_value_has_no_spread() -> None:
    for method in (normal_mean, t_mean):
        with pytest.raises(InputError, match="at least two"):
            method([1.0])
    with pytest.raises(InputError, match="at least 0, not -1"):
        normal_mean([1.0], standard_deviation=-1)


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (wilson(3, 14), "approximate 95% interval [0.08, 0.48] (Wilson)"),
        (clopper_pearson(3, 14), "95% interval [0.05, 0.51] (Clopper-Pearson)"),
        (clopper_pearson(3, 14, 0.975, "upper"), "97.5% upper bound 0.51 (Clopper-Pearson)"),
        (clopper_pearson(31, 10_000), "95% interval [0.0021, 0.0044] (Clopper-Pearson)"),
        (normal(0, 14), "approximate 95% interval [0.00, 0.00] (normal)"),
        (t_mean([-0.01, 0.2, 0.4]), "approximate 95% interval [-0.31, 0.71] (t)"),
        (normal_mean([0.0], standard_deviation=0.002), "approximate 95% interval [-0.0039, 0.0039] (normal)"),
        (Interval(-0.00001, 0.5, 0.95, "t", "two", True, ""), "approximate 95% interval [0.00, 0.50] (t)"),
    ],
)
def test_text(interval: Interval, text: str) -> None:
    assert str(interval) == text


@pytest.mark.parametrize(
    ("errors", "n", "limit"),
    [
        (0, 6, 0.2063),
        (0, 9, 0.1428),
        (0, 1, 0.75),
        (0, 3, 1 - 0.63),
        (0, 2, 0.5),
        (0, 4, 1 - 0.7071),
        (1, 7, 1 - 0.6593),
    ],
)
def test_upper_limit(errors: int, n: int, limit: float) -> None:
    assert upper_limit(errors, n, 0.25) == pytest.approx(limit, abs=6e-5)


@given(counts, st.floats(0.01, 0.99))
def test_upper_limit_solves_its_equation(counts: tuple[int, int], factor: float) -> None:
    errors, n = counts
    limit = float(upper_limit(errors, n, factor))
    if errors == n:
        assert limit == 1
    else:
        assert stats.binom.cdf(errors, n, limit) == pytest.approx(factor, abs=1e-9)
        assert limit == pytest.approx(clopper_pearson(errors, n, 1 - factor, "upper").high)


def test_upper_limit_of_arrays_and_weights() -> None:
    limits = upper_limit([0.0, 0.5, 1.0, 2.0, 0.0], [2.0, 2.0, 2.0, 2.0, 0.0], 0.25)
    assert limits[0] == pytest.approx(0.5)
    assert limits[0] < limits[1] < limits[2] < limits[3] == limits[4] == 1
    assert upper_limit(np.zeros((2, 1)), np.array([1.0, 2.0, 3.0]), 0.25).shape == (2, 3)


def test_the_limit_refuses_bad_numbers() -> None:
    for factor in (0, 1, math.nan):
        with pytest.raises(InputError, match="confidence_factor must"):
            upper_limit(1, 1, factor)
    with pytest.raises(InputError, match="nonnegative"):
        upper_limit([-1.0], [2.0], 0.25)


def test_importing_statistics_is_cheap() -> None:
    code = "import sys, induce.statistics; sys.exit('scipy' in sys.modules or 'sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_cautious_intervals_have_twice_the_variance_or_more():
    """Of folds that differ more than chance lets them, the variance is theirs."""
    plain, cautious = clopper_pearson(40, 200), cautious_proportion(40, 200)
    assert cautious.low < plain.low < plain.high < cautious.high
    half = clopper_pearson(20, 100)
    assert (cautious.low, cautious.high) == pytest.approx((half.low, half.high))
    assert not cautious.holds
    unstable = variance_over_folds([0.0, 0.45] * 5, 1 / 9)
    wide = cautious_proportion(40, 200, variance=unstable)
    assert wide.high - wide.low > 1.5 * (cautious.high - cautious.low)
    assert (wide.low, wide.high) != (cautious.low, cautious.high)
    assert cautious_proportion(0, 20).low == 0
    assert cautious_proportion(20, 20).high == 1
