"""Tests of differences: the book's and others' numbers, second opinions, and hard cases."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as their_mcnemar
from statsmodels.stats.descriptivestats import sign_test
from statsmodels.stats.multitest import multipletests

from induce.core.errors import InputError
from induce.statistics.verdicts import (
    Verdict,
    cautious_t,
    corrected_t,
    five_by_two,
    five_by_two_f,
    holm,
    mcnemar,
    paired_t,
    sign,
    wilcoxon,
)

DIFFERENCES = [0.05, 0.02, -0.01, 0.04, 0.03, 0.06, 0.00, 0.03, 0.02, 0.05, 0.04]

lists = st.lists(st.floats(-1, 1).map(lambda value: round(value, 3)), min_size=5, max_size=40)


def test_paired_t_of_eleven_differences() -> None:
    verdict = paired_t(DIFFERENCES)
    assert verdict.difference == pytest.approx(0.03)
    assert verdict.difference / verdict.statistic == pytest.approx(0.0064666979, abs=1e-9)
    assert verdict.statistic == pytest.approx(4.6391528, abs=1e-6)
    assert verdict.p_value == pytest.approx(0.00092319, abs=1e-7)
    assert verdict.degrees == 10
    assert verdict.interval is not None
    assert (verdict.interval.low, verdict.interval.high) == pytest.approx((0.0155912991, 0.0444087009))
    assert verdict.effect == pytest.approx(np.mean(DIFFERENCES) / np.std(DIFFERENCES, ddof=1))


@given(lists)
def test_paired_t_agrees_with_scipy(differences: list[float]) -> None:
    if np.ptp(differences) == 0:
        return
    verdict, theirs = paired_t(differences, 0.9), stats.ttest_1samp(differences, 0)
    assert verdict.statistic == pytest.approx(theirs.statistic, rel=1e-6, abs=1e-9)
    assert verdict.p_value == pytest.approx(theirs.pvalue, rel=1e-6)
    low, high = theirs.confidence_interval(0.9)
    assert verdict.interval is not None
    assert (verdict.interval.low, verdict.interval.high) == pytest.approx((low, high), rel=1e-6, abs=1e-9)
    swapped = paired_t([-value for value in differences], 0.9)
    assert (swapped.statistic, swapped.p_value) == pytest.approx((-verdict.statistic, verdict.p_value))


def test_corrected_t_has_the_larger_variance() -> None:
    folds = DIFFERENCES[:10]
    verdict = corrected_t(folds, 1 / 9)
    variance = np.var(folds, ddof=1) * (1 / 10 + 1 / 9)
    assert verdict.statistic == pytest.approx(np.mean(folds) / math.sqrt(variance))
    assert verdict.p_value == pytest.approx(2 * stats.t.sf(verdict.statistic, 9))
    assert verdict.interval is not None
    half = stats.t.ppf(0.975, 9) * math.sqrt(variance)
    assert verdict.interval.high - verdict.difference == pytest.approx(half)


@given(lists, st.floats(0.01, 1))
def test_the_correction_makes_it_more_careful(differences: list[float], test_share: float) -> None:
    if np.ptp(differences) == 0:
        return
    assert corrected_t(differences, test_share).p_value >= paired_t(differences).p_value


def test_five_by_two_by_hand() -> None:
    folds = np.array([[0.02, 0.03], [0.01, 0.04], [0.03, 0.02], [0.02, 0.01], [0.04, 0.03]])
    verdict = five_by_two(folds)
    variances = [np.var(pair, ddof=1) for pair in folds]
    assert verdict.statistic == pytest.approx(0.02 / math.sqrt(np.mean(variances)))
    assert verdict.p_value == pytest.approx(2 * stats.t.sf(verdict.statistic, 5))
    assert verdict.difference == pytest.approx(folds.mean())
    assert (verdict.degrees, verdict.interval) == (5, None)
    assert verdict.holds


def test_five_by_two_warns_when_its_one_fold_points_elsewhere() -> None:
    folds = [[-0.02, 0.03], [0.01, 0.04], [0.03, 0.02], [0.02, 0.01], [0.04, 0.03]]
    verdict = five_by_two(folds)
    assert verdict.statistic < 0 < verdict.difference
    assert not verdict.holds
    assert "opposite" in verdict.preconditions


@pytest.mark.parametrize(("first", "second"), [(20, 5), (40, 22), (3, 30), (30, 31)])
def test_mcnemar_by_the_books_formula_and_statsmodels(first: int, second: int) -> None:
    verdict = mcnemar(first, second, exact=False)
    assert verdict.statistic == pytest.approx((abs(first - second) - 1) ** 2 / (first + second))
    theirs = their_mcnemar([[50, first], [second, 7]], exact=False, correction=True)
    assert (verdict.statistic, verdict.p_value) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert verdict.degrees == 1


@pytest.mark.parametrize(("first", "second"), [(7, 2), (0, 6), (12, 12), (1, 0), (15, 40)])
def test_exact_mcnemar_agrees_with_statsmodels(first: int, second: int) -> None:
    verdict = mcnemar(first, second, exact=True)
    theirs = their_mcnemar([[50, first], [second, 7]], exact=True)
    assert (verdict.statistic, verdict.p_value) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert verdict.degrees is None


def test_mcnemar_is_exact_when_few_differ() -> None:
    assert mcnemar(12, 12).method == "McNemar, exact"
    assert mcnemar(12, 13).method == "McNemar, chi-square"
    assert not mcnemar(5, 4, exact=False).holds
    assert mcnemar(5, 4, exact=False).preconditions == (
        "only 9 rows are misclassified by exactly one, fewer than 25, so use exact=True"
    )


def test_mcnemar_without_a_difference() -> None:
    for exact in (True, False):
        assert mcnemar(0, 0, exact).p_value == 1
        assert mcnemar(30, 30, exact).p_value == pytest.approx(1)  # the correction must not turn 0 into 1


def test_mcnemar_with_the_number_of_rows() -> None:
    verdict = mcnemar(30, 10, n=200)
    rows = np.repeat([1.0, -1.0, 0.0], [30, 10, 160])
    assert verdict.difference == pytest.approx(0.1)
    assert verdict.interval is not None
    reach = stats.norm.ppf(0.975) * rows.std() / math.sqrt(200)
    assert (verdict.interval.low, verdict.interval.high) == pytest.approx((0.1 - reach, 0.1 + reach))
    assert verdict.effect == pytest.approx(rows.mean() / rows.std())
    assert mcnemar(30, 10).difference == 20
    assert mcnemar(3, 1, n=200).holds  # the test is exact
    assert not mcnemar(3, 1, n=200).interval.holds  # its interval is not


@given(lists)
def test_sign_agrees_with_statsmodels(differences: list[float]) -> None:
    verdict = sign(differences)
    if any(differences):
        assert verdict.p_value == pytest.approx(sign_test(differences)[1])
    positive, negative = (np.count_nonzero(s * np.array(differences) > 0) for s in (1, -1))
    assert verdict.statistic == positive
    assert np.sign(verdict.difference) == np.sign(positive - negative) or positive == negative


@pytest.mark.parametrize("size", [6, 20, 49, 51, 80])
def test_wilcoxon_agrees_with_scipy(size: int) -> None:
    differences = np.random.default_rng(size).normal(0.2, size=size)
    verdict = wilcoxon(differences)
    method = {"method": "exact"} if size <= 50 else {"method": "approx", "correction": True}
    theirs = stats.wilcoxon(differences, **method)
    assert (verdict.statistic, verdict.p_value) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert verdict.holds


def test_wilcoxon_with_ties_and_zeros() -> None:
    verdict = wilcoxon([0.1, 0.1, 0.2, 0.0, 0.0, 0.3, -0.1])
    assert not verdict.holds
    assert verdict.preconditions == "5 differences with ties are too few for the normal approximation"
    assert verdict.difference > 0
    many = wilcoxon([0.1, 0.1, 0.2, 0.0, 0.3, -0.1] * 4)
    theirs = stats.wilcoxon([0.1, 0.1, 0.2, 0.3, -0.1] * 4, method="approx", correction=True)
    assert many.p_value == pytest.approx(theirs.pvalue)
    assert many.holds


@pytest.mark.parametrize("test", [paired_t, sign, wilcoxon, lambda d: corrected_t(d, 0.1)])
def test_no_difference_at_all(test) -> None:
    verdict = test([0.0] * 6)
    assert (verdict.difference, verdict.p_value) == (0, 1)
    assert verdict.says() == "no evidence of a difference: p = 1"
    assert math.isnan(verdict.effect)


@pytest.mark.parametrize("test", [paired_t, lambda d: corrected_t(d, 0.1)])
def test_all_differences_equal_tells_nothing_of_their_spread(test) -> None:
    # 0.3 - 0.2 and 0.2 - 0.1 differ in the last bit: that is no spread either
    verdict = test([0.3 - 0.2, 0.2 - 0.1, 0.4 - 0.3, 0.1])
    assert verdict.difference == pytest.approx(0.1)
    assert math.isnan(verdict.p_value)
    assert not verdict.holds
    assert verdict.says() == (
        "no verdict is possible: all differences are equal, so a real difference cannot be distinguished from chance"
    )
    assert not verdict.significant()
    assert str(verdict).startswith("difference 0.100, p unknown (")


@pytest.mark.parametrize("test", [paired_t, lambda d: corrected_t(d, 0.1)])
def test_one_difference_has_no_spread(test) -> None:
    verdict = test([0.1])
    assert verdict.difference == 0.1
    assert verdict.says() == (
        "no verdict is possible: one difference has no variance, so a real difference cannot be "
        "distinguished from chance"
    )
    assert sign([0.1]).p_value == 1
    assert wilcoxon([0.1]).p_value == 1


def test_five_by_two_without_spread() -> None:
    assert five_by_two(np.zeros((5, 2))).p_value == 1
    verdict = five_by_two(np.full((5, 2), 0.1))
    assert math.isnan(verdict.p_value)
    assert verdict.degrees == 5
    pairs = five_by_two([[0.1, 0.1], [0.2, 0.2], [0.3, 0.2 + 0.1], [0.1, 0.1], [0.0, 0.0]])
    assert math.isnan(pairs.p_value)
    assert pairs.preconditions.startswith("both folds of every repetition have the same difference")


def test_rounding_makes_no_sign() -> None:
    noise = [0.1 + 0.2 - 0.3, 0.3 - 0.2 - 0.1, 0.0]  # all 0, but for rounding
    assert sign(noise).p_value == wilcoxon(noise).p_value == paired_t(noise).p_value == 1
    assert sign([*noise, 0.1]).statistic == 1


@pytest.mark.parametrize("test", [paired_t, sign, wilcoxon, lambda d: corrected_t(d, 0.1)])
@pytest.mark.parametrize(
    ("differences", "message"),
    [
        ([0.1, math.nan], "differences has nan at place 2; leave that pair out"),
        ([math.inf, 0.1], "differences has inf at place 1; leave that pair out"),
        ([], "differences must be a list of numbers, but their shape is (0,)"),
        ([[0.1, 0.2]], "differences must be a list of numbers, but their shape is (1, 2)"),
    ],
)
def test_refusals(test, differences, message) -> None:
    with pytest.raises(InputError) as caught:
        test(differences)
    assert str(caught.value) == message


def test_other_refusals() -> None:
    with pytest.raises(InputError, match=r"5 repetitions of 2 folds, but their shape is \(10,\)"):
        five_by_two([0.1] * 10)
    with pytest.raises(InputError, match="nan at place 10"):
        five_by_two([[0.1, 0.2]] * 4 + [[0.1, math.nan]])
    with pytest.raises(InputError, match="test_share must be greater than 0, not 0"):
        corrected_t([0.1, 0.2], 0)
    with pytest.raises(InputError, match="first_only_wrong must be a whole number of at least 0, not -1"):
        mcnemar(-1, 2)
    with pytest.raises(InputError, match="n must be a whole number of at least 9, not 8"):
        mcnemar(7, 2, n=8)
    with pytest.raises(InputError, match="confidence"):
        paired_t(DIFFERENCES, 95)
    with pytest.raises(InputError, match="alpha is 5; it must be a number between 0 and 1"):
        paired_t(DIFFERENCES).says(alpha=5)
    with pytest.raises(InputError, match="p_values must be a list of numbers between 0 and 1"):
        holm([0.5, 1.5])


@pytest.mark.parametrize("seed", range(10))
def test_holm_agrees_with_statsmodels(seed: int) -> None:
    random = np.random.default_rng(seed)
    p_values = random.random(random.integers(1, 20)).round(2) ** 2  # with ties
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_holm_leaves_out_tests_that_were_not_made() -> None:
    assert holm([0.04, math.nan, 0.01]) == pytest.approx([0.04, math.nan, 0.02], nan_ok=True)
    assert holm([]).size == 0


def test_plain_language() -> None:
    verdict = paired_t(DIFFERENCES)
    assert verdict.says("tree", "rules") == "rules has the lower error: p < 0.001"
    assert paired_t([-value for value in DIFFERENCES]).says("tree", "rules") == (
        "tree has the lower error: p < 0.001"
    )
    assert verdict.says(alpha=0.0001) == "no evidence of a difference: p < 0.001"
    assert paired_t([0.02, -0.01, 0.03, -0.02, 0.01]).says() == "no evidence of a difference: p = 0.55"
    assert str(verdict) == "difference 0.030, p < 0.001, approximate 95% interval [0.016, 0.044] (paired t)"
    assert "normally distributed" in verdict._repr_html_()


def test_a_verdict_is_a_value() -> None:
    assert paired_t(DIFFERENCES) == paired_t(DIFFERENCES)
    assert isinstance(hash(paired_t(DIFFERENCES)), int)
    assert isinstance(paired_t(DIFFERENCES), Verdict)


def test_the_cautious_test_counts_the_overlap_twice():
    folds = [0.05, 0.02, -0.01, 0.04, 0.03, 0.06, 0.00, 0.03, 0.02, 0.05]
    assert cautious_t(folds, 1 / 9).p_value == pytest.approx(corrected_t(folds, 2 / 9).p_value)
    with pytest.raises(InputError, match="test_share must be"):
        cautious_t(folds, 0)


def test_the_combined_f_test_is_alpaydins():
    folds = np.array([[0.02, 0.03], [0.01, 0.04], [0.03, 0.02], [0.02, 0.01], [0.04, 0.03]])
    variances = folds.var(axis=1, ddof=1)
    found = five_by_two_f(folds)
    assert found.statistic == pytest.approx((folds**2).sum() / (2 * variances.sum()))
    assert found.p_value == pytest.approx(stats.f.sf(found.statistic, 10, 5))
    assert math.isnan(five_by_two_f(np.full((5, 2), 0.1)).p_value)
    with pytest.raises(InputError, match="5 repetitions of 2 folds"):
        five_by_two_f(folds.T)
