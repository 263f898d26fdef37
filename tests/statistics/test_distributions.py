"""Random variables: the numbers of Mitchell's section 5.3."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from induce.core.errors import InputError
from induce.statistics import Binomial, Finite, Normal, bias


def test_the_books_expected_value() -> None:
    variable = Finite((1, 2), (0.7, 0.3))
    assert variable.mean() == pytest.approx(1.3)
    assert variable.var() == pytest.approx(0.21)
    assert variable.std() == pytest.approx(math.sqrt(0.21))


@pytest.mark.parametrize(
    ("errors", "probability"),
    [
        (5, 0.006057),
        (6, 0.015143),
        (8, 0.055726),
        (10, 0.112817),
        (11, 0.131864),
        (12, 0.1365738),
        (13, 0.126068),
        (14, 0.104199),
        (15, 0.077405),
        (18, 0.017174),
        (20, 0.003835),
    ],
)
def test_forty_rows_with_error_three_tenths(errors: int, probability: float) -> None:
    assert float(Binomial(40, 0.3).pmf(errors)) == pytest.approx(probability, abs=6e-7)


def test_mean_and_deviation_of_the_errors() -> None:
    errors = Binomial(40, 0.3)
    assert errors.mean() == pytest.approx(12)
    assert errors.var() == pytest.approx(8.4)
    assert errors.std() == pytest.approx(2.8982753492)
    assert int(np.argmax(errors.pmf(np.arange(41)))) == 12
    assert errors.nearly_normal
    assert not Binomial(30, 0.1).nearly_normal  # n p (1 - p) = 2.7


def test_mean_and_deviation_of_the_rate() -> None:
    assert Binomial(40, 0.3).rate().std() == pytest.approx(0.0724568837)
    # exercise 5.1: 25 times the rows, a fifth of the deviation
    assert Binomial(1000, 0.3).rate().std() == pytest.approx(0.0144913767)
    assert Binomial(100, 0.17).rate().std() == pytest.approx(0.0375632799)  # exercise 5.2
    assert Binomial(65, 10 / 65).rate().std() == pytest.approx(0.0447518826)  # exercise 5.3
    assert Binomial(65, 10 / 65).var() == pytest.approx(8.4615, abs=5e-5)


@given(st.integers(1, 80), st.floats(0.001, 0.999))
def test_the_binomial_agrees_with_scipy_and_its_rate_is_unbiased(n: int, p: float) -> None:
    ours, theirs = Binomial(n, p), stats.binom(n, p)
    assert ours.mean() == pytest.approx(theirs.mean())
    assert ours.std() == pytest.approx(theirs.std())
    assert bias(ours.rate(), p) == pytest.approx(0, abs=1e-9)


def test_an_estimator_that_looks_on_the_bright_side() -> None:
    # of two hypotheses of error 0.3 the one with fewer errors in the sample: the sample then flatters it
    random = np.random.default_rng(0)
    best = random.binomial(40, 0.3, (20_000, 2)).min(axis=1) / 40
    assert bias(Finite.observed(best), 0.3) == pytest.approx(-0.041, abs=0.002)


def test_observed_values() -> None:
    variable = Finite.observed([3, 1, 3, 3])
    assert variable == Finite((1.0, 3.0), (0.25, 0.75))
    assert set(variable.rvs(size=50, random_state=0)) == {1.0, 3.0}


@given(st.floats(-5, 5), st.floats(0.1, 5), st.floats(0.05, 0.99))
def test_normal_agrees_with_scipy(mu: float, sigma: float, share: float) -> None:
    ours, theirs = Normal(mu, sigma), stats.norm(mu, sigma)
    assert ours.within(share) == pytest.approx(theirs.interval(share))
    assert ours.between(*ours.within(share)) == pytest.approx(share)
    assert ours.ppf(share) == pytest.approx(theirs.ppf(share))
    assert float(ours.pdf(0.3)) == pytest.approx(float(theirs.pdf(0.3)))
    assert (ours.mean(), ours.var(), ours.std()) == pytest.approx((mu, sigma**2, sigma))


def test_figure_5_1() -> None:
    low, high = Normal().within(0.80, table=True)
    assert (low, high) == (-1.28, 1.28)
    assert Normal().cdf(1.28155) == pytest.approx(0.90, abs=1e-5)
    near = Binomial(40, 0.3).normal()
    assert (near.mu, near.sigma) == pytest.approx((12, math.sqrt(8.4)))


def test_drawing_is_repeatable() -> None:
    for distribution in (Binomial(10, 0.5), Normal(1, 2), Finite((1, 2), (0.5, 0.5))):
        first, second = (distribution.rvs(size=5, random_state=3) for _ in range(2))
        assert (first == second).all()
    assert Normal(1, 2).rvs(size=4000, random_state=0).std() == pytest.approx(2, rel=0.05)
    assert Binomial(10, 0.5).rvs(size=4000, random_state=0).mean() == pytest.approx(5, rel=0.05)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Finite((1, 2), (0.7,)), "there are 2 values, but 1 probabilities"),
        (lambda: Finite((1, 2), (0.7, 0.7)), "probabilities must be nonnegative and sum to 1"),
        (lambda: Finite((1, 2), (1.5, -0.5)), "probabilities must be nonnegative and sum to 1"),
        (lambda: Finite((), ()), "values must be a list of one or more finite numbers"),
        (lambda: Binomial(0, 0.5), "n must be a whole number of at least 1, not 0"),
        (lambda: Binomial(5, 1.5), "p must lie between 0 and 1, not 1.5"),
        (lambda: Normal(0, 0), "mu must be finite and sigma greater than 0, not 0 and 0"),
    ],
)
def test_refusals(make, message) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert str(caught.value) == message
