"""Repeated samples: the histogram of section 5.3.1 and the central limit theorem."""

import math

import numpy as np
import pytest
from scipy import stats

from induce.core.errors import InputError
from induce.statistics import Finite, central_limit, sample_errors


def test_the_histogram_approaches_the_binomial() -> None:
    few, many = (sample_errors(0.3, 40, samples) for samples in (50, 50_000))
    assert many.distance < 0.01 < few.distance
    assert many.counts.sum() == 50_000
    assert int(np.argmax(many.counts)) == 12
    assert 0.12 < many.shares[12] < 0.14  # the peak of the book's plot
    # chi-square over what is frequent enough: the two are the same distribution
    often = many.expected * 50_000 >= 5
    observed = np.append(many.counts[often], many.counts[~often].sum())
    expected = np.append(many.expected[often], many.expected[~often].sum()) * 50_000
    assert stats.chisquare(observed, expected).pvalue > 0.001


def test_samples_of_instances() -> None:
    wrong = np.array([True, False, False, False])
    found = sample_errors(wrong, n=10, samples=20_000)
    assert found.binomial.p == 0.25
    assert found.distance < 0.02
    assert sample_errors([True, True], n=3, samples=5).counts.tolist() == [0, 0, 0, 5]
    assert sample_errors(0.0, n=3, samples=5).counts.tolist() == [5, 0, 0, 0]


@pytest.mark.parametrize(
    "base", [stats.expon(), stats.uniform(), stats.bernoulli(0.3), Finite((0, 10), (0.9, 0.1))]
)
def test_means_of_anything_become_normal(base) -> None:
    single, thirty, many = (central_limit(base, n, 4000) for n in (1, 30, 400))
    assert thirty.distance < single.distance / 2
    assert many.distance < single.distance / 3
    assert many.means.mean() == pytest.approx(base.mean(), rel=0.02)
    assert many.means.std() == pytest.approx(base.std() / math.sqrt(400), rel=0.05)
    assert many.coverage() == pytest.approx(0.95, abs=0.012)
    assert many.coverage(0.5) == pytest.approx(0.5, abs=0.05)


def test_a_distribution_without_spread_has_no_limit() -> None:
    with pytest.raises(InputError, match="base must have a finite mean"):
        central_limit(stats.cauchy())
    with pytest.raises(InputError, match="standard deviation greater than 0, not"):
        central_limit(Finite((2,), (1,)))


def test_the_same_seed_gives_the_same_and_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (sample_errors(0.3, samples=500, random_state=7) for _ in range(2))
    assert (first.counts == second.counts).all()
    whole = central_limit(stats.norm(), 10, 50).means
    monkeypatch.setattr("induce.statistics.sampling._CELLS", 100)
    assert central_limit(stats.norm(), 10, 50).means == pytest.approx(whole)


def test_pictures() -> None:
    for found in (sample_errors(0.3, samples=200), central_limit(stats.expon(), samples=200)):
        axes = found.draw().axes[0]
        assert axes.patches
        assert axes.lines
    # means of coins lie on a grid: one bar for each of its points
    coins = central_limit(Finite((0.1, 0.3), (0.5, 0.5)), 10, 500)
    bars = coins.draw().axes[0].patches
    assert len(bars) == np.unique(coins.means.round(9)).size
    assert all(0 < bar.get_height() < 20 for bar in bars)
    assert central_limit(stats.expon(), samples=1).draw().axes[0].patches


def test_refusals() -> None:
    for wrong in (1.5, [], [math.nan]):
        with pytest.raises(InputError, match="wrong must be an error rate between 0 and 1"):
            sample_errors(wrong)
    with pytest.raises(InputError, match="samples must be a whole number of at least 1, not 0"):
        sample_errors(0.3, samples=0)
    with pytest.raises(InputError, match=r"n must be a whole number of at least 1, not 2\.5"):
        central_limit(stats.norm(), n=2.5)
