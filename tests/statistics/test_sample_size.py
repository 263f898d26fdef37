"""How many rows are needed: Mitchell's exercise 5.4, and the power of a comparison."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import normal_power_het, normal_sample_size_one_tail
from statsmodels.stats.proportion import proportion_confint, samplesize_confint_proportion

from induce.core.errors import InputError
from induce.statistics import (
    PlannedComparison,
    clopper_pearson,
    detectable_difference,
    mcnemar,
    normal,
    sample_size,
    wilson,
)


def test_exercise_5_4() -> None:
    planned = sample_size(0.1, 0.95, (0.2, 0.6), table=True)
    asked = (2 * 1.96) ** 2 * 0.25 / 0.01
    assert asked == pytest.approx(384.16)
    assert planned.n == 385
    assert planned.error == 0.5
    assert planned.width == pytest.approx(0.099891, abs=1e-6)
    assert 2 * 1.96 * math.sqrt(0.25 / 384) == pytest.approx(0.100021, abs=5e-7)
    assert sample_size(0.1, error=0.2, table=True).n == 246
    assert sample_size(0.1, error=0.6, table=True).n == 369


def test_the_issues_example() -> None:
    assert sample_size(0.02, error=0.1).n == 3458


@given(st.floats(0.02, 0.98), st.floats(0.01, 0.3), st.floats(0.6, 0.99))
def test_normal_sizes_agree_with_statsmodels(error: float, width: float, confidence: float) -> None:
    theirs = samplesize_confint_proportion(error, width / 2, alpha=1 - confidence)
    assert sample_size(width, confidence, error).n == math.floor(theirs) + 1


@pytest.mark.parametrize(("method", "interval"), [("wilson", wilson), ("exact", clopper_pearson)])
@pytest.mark.parametrize(("error", "width"), [(0.1, 0.1), (0.5, 0.2), (0.02, 0.05)])
def test_the_interval_comes_out_as_planned(method, interval, error, width) -> None:
    planned = sample_size(width, error=error, method=method)
    made = interval(round(error * planned.n), planned.n)
    assert made.high - made.low == pytest.approx(planned.width, rel=0.05)
    assert planned.width < width
    theirs = proportion_confint(error * planned.n, planned.n, method={"exact": "beta"}.get(method, method))
    assert theirs[1] - theirs[0] == pytest.approx(planned.width)
    before = proportion_confint(
        error * (planned.n - 1), planned.n - 1, method={"exact": "beta"}.get(method, method)
    )
    assert before[1] - before[0] >= width


@given(
    st.sampled_from(["normal", "wilson", "exact"]),
    st.floats(0.02, 0.3),
    st.tuples(st.floats(0.05, 0.95), st.floats(0.05, 0.95)).map(sorted),
)
def test_a_range_needs_what_its_worst_rate_needs(method: str, width: float, bounds: list[float]) -> None:
    whole = sample_size(width, error=tuple(bounds), method=method)
    for error in np.linspace(*bounds, 5):
        assert sample_size(width, error=float(error), method=method).n <= whole.n


def test_no_errors_expected() -> None:
    assert sample_size(0.02, error=0.0, method="exact").n == 183
    assert clopper_pearson(0, 183).high < 0.02 < clopper_pearson(0, 182).high
    with pytest.raises(InputError, match="error is 0, where the normal interval has no width; use wilson"):
        sample_size(0.02, error=0.0)


def test_preconditions_of_the_plan() -> None:
    few = sample_size(0.2, error=0.01)
    assert not few.holds
    assert "plan with wilson or exact" in few.preconditions
    planned = sample_size(0.1, error=0.3)
    assert planned.holds
    assert normal(round(0.3 * planned.n), planned.n).holds


@given(st.floats(0.05, 0.5), st.floats(0.05, 0.5), st.integers(30, 5000), st.floats(0.01, 0.2))
def test_power_of_two_samples_agrees_with_statsmodels(
    error1: float, error2: float, n: int, alpha: float
) -> None:
    spread = math.sqrt(error1 * (1 - error1) + error2 * (1 - error2))
    theirs = normal_power_het(abs(error1 - error2), n, alpha, spread, spread)
    assert PlannedComparison(error1, error2, alpha=alpha).power(n) == pytest.approx(float(theirs), abs=1e-9)


def test_rows_for_two_samples_agree_with_statsmodels() -> None:
    spread = math.sqrt(0.1 * 0.9 + 0.12 * 0.88)
    theirs = normal_sample_size_one_tail(0.02, 0.8, 0.025, spread, spread)
    plan = PlannedComparison(0.10, 0.12)
    assert plan.rows(0.8) == math.ceil(theirs) == 3839
    assert plan.power(3839) >= 0.8 > plan.power(3838)


def test_the_books_example_had_little_power() -> None:
    assert PlannedComparison(0.30, 0.20).power(100) == pytest.approx(0.376, abs=0.001)


@pytest.mark.parametrize(("n", "first", "second"), [(60, 0.15, 0.05), (200, 0.08, 0.03), (30, 0.4, 0.1)])
def test_paired_power_is_how_often_mcnemar_finds_it(n: int, first: float, second: float) -> None:
    plan = PlannedComparison(first + 0.02, second + 0.02, paired=True, disagreement=first + second)
    random = np.random.default_rng(0)
    drawn = random.multinomial(n, [first, second, 1 - first - second], 4000)
    pairs, counts = np.unique(drawn[:, :2], axis=0, return_counts=True)
    found = [mcnemar(int(b), int(c), exact=True).p_value <= 0.05 for b, c in pairs]
    assert plan.power(n) == pytest.approx(counts[found].sum() / 4000, abs=0.025)


def test_paired_power_by_enumeration() -> None:
    plan = PlannedComparison(0.3, 0.1, paired=True, disagreement=0.4)
    n, b, c = 12, 0.3, 0.1
    power = 0.0
    for first in range(n + 1):
        for second in range(n + 1 - first):
            ways = math.comb(n, first) * math.comb(n - first, second)
            chance = ways * b**first * c**second * (1 - b - c) ** (n - first - second)
            power += chance * (mcnemar(first, second, exact=True).p_value <= 0.05)
    assert plan.power(n) == pytest.approx(power, abs=1e-9)


def test_paired_rows() -> None:
    plan = PlannedComparison(0.10, 0.12, paired=True, disagreement=0.06)
    rows = plan.rows(0.8)
    assert plan.power(rows) >= 0.8 > plan.power(rows - 1)
    # by the normal approximation, without the exact test's caution, it would be a little less
    psi, gap, z, z_power = 0.06, 0.02, 1.959964, 0.841621
    assert rows == pytest.approx((z * psi**0.5 + z_power * (psi - gap**2) ** 0.5) ** 2 / gap**2, rel=0.08)
    assert rows < PlannedComparison(0.10, 0.12, paired=True).rows(0.8)


def test_without_a_difference_the_power_is_the_level() -> None:
    assert PlannedComparison(0.2, 0.2).power(500) == pytest.approx(0.05)
    assert PlannedComparison(0.2, 0.2, paired=True).power(500) < 0.05


@pytest.mark.parametrize("options", [{}, {"paired": True}, {"paired": True, "disagreement": 0.08}])
def test_detectable_difference_is_the_inverse_of_power(options) -> None:
    gain = detectable_difference(0.12, 1000, 0.8, **options)
    assert PlannedComparison(0.12, 0.12 - gain, **options).power(1000) == pytest.approx(0.8, abs=1e-4)
    assert detectable_difference(0.12, 4000, 0.8, **options) < gain


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sample_size(3), "width is 3; it must be a number between 0 and 1"),
        (lambda: sample_size(0.1, 95), "confidence must lie between 0 and 1, not 95"),
        (
            lambda: sample_size(0.1, error=(0.6, 0.2)),
            "error is (0.6, 0.2); give a rate between 0 and 1, or an increasing pair of rates",
        ),
        (
            lambda: sample_size(0.1, method="wald"),
            "method is 'wald'; it can be 'normal', 'wilson', 'exact'",
        ),
        (
            lambda: sample_size(0.1, method="exact", table=True),
            "table is for the normal interval; leave it out for 'exact'",
        ),
        (
            lambda: sample_size(1e-9),
            "more than 1,000,000,000,000 rows would be needed; relax the requirements",
        ),
        (lambda: PlannedComparison(0.1, 1.2), "error2 is 1.2; it must be a number between 0 and 1"),
        (
            lambda: PlannedComparison(0.1, 0.2, disagreement=0.2),
            "disagreement is for hypotheses tested on the same rows; give paired as well",
        ),
        (
            lambda: PlannedComparison(0.1, 0.2, paired=True, disagreement=0.05),
            "disagreement must lie between the difference of the errors and 0.3, not 0.05",
        ),
        (
            lambda: PlannedComparison(0.1, 0.1).rows(),
            "the two error rates are equal, so no number of rows can show a difference; give different ones",
        ),
        (lambda: PlannedComparison(0.1, 0.2).rows(1.0), "power is 1.0; it must be a number between 0 and 1"),
        (lambda: PlannedComparison(0.1, 0.2).power(0), "n must be a whole number of at least 1, not 0"),
        (
            lambda: detectable_difference(0.1, 3),
            "n is 3, too few rows to detect any improvement on the error 0.1 with power 0.8; give more rows",
        ),
    ],
)
def test_refusals(call, message) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value) == message
