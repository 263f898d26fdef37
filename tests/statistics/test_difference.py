"""The difference of two error rates: Mitchell's section 5.5 and exercise 5.5."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, test_proportions_2indep

from induce.core.errors import InputError
from induce.statistics import mcnemar, two_proportions

# the name would make pytest collect it
proportions_test = test_proportions_2indep
del test_proportions_2indep


def test_the_books_example() -> None:
    found = two_proportions(30, 100, 20, 100)
    assert found.difference == pytest.approx(0.10)
    assert found.deviation == pytest.approx(0.0608276253, abs=1e-10)
    assert found.difference / found.deviation == pytest.approx(1.6439898731, abs=1e-9)
    assert found.probability == pytest.approx(0.9499108529, abs=1e-9)
    assert found.level == pytest.approx(0.0500891471, abs=1e-9)


def test_ninety_five_percent_two_sided_contains_zero() -> None:
    interval = two_proportions(30, 100, 20, 100, table=True).interval
    assert (interval.low, interval.high) == pytest.approx((-0.0192221456, 0.2192221456), abs=1e-9)


def test_one_sided_bounds() -> None:
    two = two_proportions(30, 100, 20, 100, 0.90, table=True).interval
    assert (two.low, two.high) == pytest.approx((0.0002426945, 0.1997573055), abs=1e-9)
    lower = two_proportions(30, 100, 20, 100, 0.95, "lower", table=True).interval
    assert (lower.low, lower.high) == (pytest.approx(0.0002426945, abs=1e-9), 1.0)
    upper = two_proportions(30, 100, 20, 100, 0.95, "upper", table=True).interval
    assert (upper.low, upper.high) == (-1.0, pytest.approx(0.1997573055, abs=1e-9))


@given(st.integers(5, 95), st.integers(5, 195), st.floats(0.5, 0.99))
def test_second_opinion(errors1: int, errors2: int, confidence: float) -> None:
    found = two_proportions(errors1, 100, errors2, 200, confidence)
    low, high = confint_proportions_2indep(
        errors1, 100, errors2, 200, method="wald", compare="diff", alpha=1 - confidence
    )
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-12)
    theirs = proportions_test(errors1, 100, errors2, 200, method="wald", compare="diff", correction=False)
    assert found.verdict.statistic == pytest.approx(theirs.statistic)
    assert found.verdict.p_value == pytest.approx(theirs.pvalue)
    swapped = two_proportions(errors2, 200, errors1, 100, confidence)
    assert swapped.probability == pytest.approx(found.level)


def test_the_same_rows_make_it_wider_than_need_be() -> None:
    # 20 rows wrong by both, 10 by the first only, none by the second only
    unpaired = two_proportions(30, 100, 20, 100, shared_sample=True).interval
    paired = mcnemar(10, 0, n=100).interval
    assert paired.high - paired.low < unpaired.high - unpaired.low
    assert (
        "the same rows for both, so the interval is probably wider than necessary; use mcnemar"
        in unpaired.preconditions
    )


def test_preconditions() -> None:
    few = two_proportions(3, 29, 10, 100)
    assert not few.interval.holds
    assert few.interval.preconditions == "29 rows are fewer than 30"
    assert two_proportions(3, 30, 10, 100).interval.holds


def test_no_errors_at_all() -> None:
    same = two_proportions(0, 50, 0, 60)
    assert (same.difference, same.probability, same.verdict.p_value) == (0.0, 0.5, 1.0)
    apart = two_proportions(50, 50, 0, 60)
    assert apart.probability == 1.0
    assert math.isnan(apart.verdict.statistic)


def test_it_reads_well() -> None:
    assert str(two_proportions(30, 100, 20, 100)).splitlines()[0] == (
        "difference 0.10, approximate 95% interval [-0.02, 0.22] (normal)"
    )
    assert two_proportions(30, 100, 15, 100).verdict.says("tree", "rules") == (
        "rules has the lower error: p = 0.0098"
    )
    assert "<br>" in two_proportions(30, 100, 20, 100)._repr_html_()


def test_refusals() -> None:
    with pytest.raises(InputError, match="errors must lie between 0 and n = 10, not 11"):
        two_proportions(1, 10, 11, 10)
