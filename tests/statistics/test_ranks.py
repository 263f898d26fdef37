"""Friedman's test, Nemenyi's critical difference and its diagram."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from induce.core.errors import InputError
from induce.statistics import Ranking, friedman


@given(st.integers(0, 10**6), st.integers(3, 8), st.integers(3, 15))
def test_friedman_agrees_with_scipy(seed: int, learners: int, sets: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 10, (sets, learners))  # with ties
    if all(np.ptp(row) == 0 for row in scores):
        return
    ranking, theirs = friedman(scores), stats.friedmanchisquare(*scores.T)
    assert ranking.chi_square == pytest.approx(theirs.statistic)
    assert ranking.chi_square_p_value == pytest.approx(theirs.pvalue)
    assert ranking.mean_ranks.sum() == pytest.approx(learners * (learners + 1) / 2)
    errors = friedman(-scores, lower_is_better=True)
    assert errors.mean_ranks == pytest.approx(ranking.mean_ranks)


def test_iman_and_davenport() -> None:
    scores = np.random.default_rng(3).normal(size=(14, 4)) + np.arange(4) / 3
    ranking = friedman(scores)
    expected = 13 * ranking.chi_square / (14 * 3 - ranking.chi_square)
    assert ranking.f_statistic == pytest.approx(expected)
    assert ranking.p_value == pytest.approx(stats.f.sf(expected, 3, 39))


@pytest.mark.parametrize(
    ("alpha", "row"),
    [
        (0.05, [2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_critical_values_are_those_of_the_usual_table(alpha: float, row: list[float]) -> None:
    for k, q in enumerate(row, start=3):
        ranking = Ranking(tuple(map(str, range(k))), np.tile(np.arange(k, dtype=float), (10, 1)), 0, 0, 1, 1)
        assert ranking.critical_difference(alpha) / math.sqrt(k * (k + 1) / 60) == pytest.approx(q, abs=0.001)


def ranking_of(mean_ranks: list[float], sets: int) -> Ranking:
    """A ranking with these mean ranks, whatever the ranks behind them are."""
    names = tuple("abcdefghij"[: len(mean_ranks)])
    return Ranking(names, np.tile(mean_ranks, (sets, 1)), 0.0, 0.0, 1.0, 1.0)


def test_groups_are_the_largest_ones_that_are_not_told_apart() -> None:
    ranking = ranking_of([3.0, 1.0, 1.8, 4.2], 30)
    assert ranking.critical_difference() == pytest.approx(0.8563, abs=1e-3)
    assert ranking.groups() == (("b", "c"),)
    assert ranking_of([1.0, 1.8, 2.6, 3.4], 30).groups() == (("a", "b"), ("b", "c"), ("c", "d"))
    assert ranking_of([1.0, 1.1, 1.2, 3.9], 30).groups() == (("a", "b", "c"),)
    assert ranking_of([1.0, 2.0, 3.0, 4.0], 30).groups() == ()
    assert ranking_of([1.0, 2.0, 3.0, 4.0], 2).groups() == (("a", "b", "c", "d"),)


@given(st.lists(st.floats(1, 6), min_size=3, max_size=8), st.integers(5, 60))
def test_groups_and_the_critical_difference_say_the_same(means: list[float], sets: int) -> None:
    ranking = ranking_of(means, sets)
    reach, groups = ranking.critical_difference(), [set(group) for group in ranking.groups()]
    for i, first in enumerate(ranking.names):
        for j, second in enumerate(ranking.names[:i]):
            together = any({first, second} <= group for group in groups)
            assert together == (abs(means[i] - means[j]) < reach)
    assert not any(one < other for one in groups for other in groups)


def test_the_same_order_everywhere() -> None:
    ranking = friedman([[0.9, 0.8, 0.7]] * 6, ["a", "b", "c"])
    assert ranking.f_statistic == math.inf
    assert ranking.p_value == 0
    assert ranking.chi_square == pytest.approx(12)


def test_no_differences_at_all() -> None:
    ranking = friedman(np.full((5, 3), 0.5))
    assert (ranking.chi_square, ranking.p_value) == (0.0, 1.0)
    assert list(ranking.mean_ranks) == [2, 2, 2]
    assert "no evidence that the learners differ: p = 1 " in str(ranking)


@pytest.mark.parametrize(
    ("scores", "names", "message"),
    [
        ([[1, 2], [2, 1]], None, "two learners are compared by `sign` or `wilcoxon`"),
        ([[1, 2, 3]], None, "2 or more data sets"),
        ([[1, 2, 3], [1, math.nan, 3]], ["a", "b", "c"], "scores has no number for b on data set 2; leave"),
        ([[1, 2, 3], [1, 2, 3]], ["a", "b"], "names has 2 names, but scores has 3 columns"),
    ],
)
def test_refusals(scores, names, message) -> None:
    with pytest.raises(InputError, match=message):
        friedman(scores, names)


def test_levels_are_checked() -> None:
    with pytest.raises(InputError, match="alpha"):
        friedman(np.eye(3)).critical_difference(5)


def test_the_diagram() -> None:
    ranking = friedman(
        np.random.default_rng(0).normal(size=(20, 5)) - np.arange(5), ["C4.5", "ID3", "CN2", "<b>", "net"]
    )
    figure = ranking.draw()
    texts = [text.get_text() for text in figure.axes[0].texts]
    for name, mean in zip(ranking.names, ranking.mean_ranks, strict=True):
        assert f"{name}  {mean:.2f}" in texts
    assert f"critical difference {ranking.critical_difference():.2f}" in texts
    bars = [line for line in figure.axes[0].lines if line.get_linewidth() == 4]
    assert len(bars) == len(ranking.groups())
    assert "&lt;b&gt;" in ranking._repr_html_()


def test_it_draws_where_it_is_told() -> None:
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.add_subplot()
    assert friedman(np.eye(3)).draw(axes) is figure
    assert axes.lines
    wide = friedman(np.eye(3)[:2]).draw()  # the critical difference is larger than all ranks
    assert any("more than there are ranks" in text.get_text() for text in wide.axes[0].texts)
