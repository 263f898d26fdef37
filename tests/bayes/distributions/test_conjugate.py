"""Distributions of parameters that stay in their family: Beta, Dirichlet, normal-gamma, normal-Wishart, lines."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad, quad

import induce
from induce import InputError
from induce.bayes import Beta, Dirichlet, LinearGaussian, NormalGamma, NormalWishart, fit_line
from induce.statistics import Binomial

EIGHT = [2, 4, 4, 4, 5, 5, 7, 9]
NUMBERS = st.lists(st.floats(-10, 10), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("a", "b", "constant", "mean", "sd", "modes", "half", "three_quarters"),
    [
        (1, 1, 1, 0.5, 0.288675, (), 1, 1),
        (2, 2, 6, 0.5, 0.223607, (0.5,), 1.5, 1.125),
        (5, 5, 630, 0.5, 0.150756, (0.5,), 2.460937, 0.778656),
        (3, 1, 3, 0.75, 0.193649, (1,), 0.75, 1.6875),
        (6, 2, 42, 0.75, 0.144338, (0.833333,), 0.65625, 2.491699),
        (30, 10, 6357453960, 0.75, 0.067625, (0.763158,), 0.023128, 5.774574),
        (2, 1, 2, 0.666667, 0.235702, (1,), 1, 1.5),
    ],
)
def test_beta_family(a, b, constant, mean, sd, modes, half, three_quarters):
    """07:B4."""
    beta = Beta(a, b)
    assert math.exp(beta.log_constant) == pytest.approx(constant)
    assert (beta.mean, beta.sd) == pytest.approx((mean, sd), abs=5e-7)
    assert beta.modes == pytest.approx(modes, abs=5e-7)
    assert beta.pdf([0.5, 0.75]) == pytest.approx([half, three_quarters], abs=5e-7)


def test_modes_of_beta():
    """Exercise 20.8c."""
    ends = {
        (0.5, 1): (0.0,),
        (0.5, 3): (0.0,),
        (1, 3): (0.0,),
        (1, 0.5): (1.0,),
        (3, 0.5): (1.0,),
        (3, 1): (1.0,),
    }
    assert {ab: Beta(*ab).modes for ab in ends} == ends
    assert Beta(0.5, 0.5).modes == (0.0, 1.0)


def test_a_prior_of_spikes_is_almost_decided_by_one_candy():
    """Exercise 20.8d."""
    from scipy.stats import beta

    assert beta.cdf(0.01, 0.01, 0.01) == pytest.approx(0.4776, abs=5e-5)
    after = Beta(0.01, 0.01).update(True)
    assert after.mean == pytest.approx(0.990196, abs=5e-7)
    assert beta.sf(0.99, after.a, after.b) == pytest.approx(0.955, abs=5e-4)


def test_one_cherry():
    """07:B2: the most likely share is 1, the expected one 2/3."""
    assert Beta().update(True) == Beta(2, 1)
    assert Beta().update(True).modes == (1.0,)
    assert Beta().update(True).predictive() == pytest.approx(2 / 3)


def test_flavour_and_wrapper():
    """07:B2 on the counts B0.3: each share has a beta of its own."""
    counts = {"flavour": (560, 440), "red | cherry": (366, 194), "red | lime": (179, 261)}
    beliefs = {name: Beta().add(*pair) for name, pair in counts.items()}
    assert [belief.modes[0] for belief in beliefs.values()] == pytest.approx(
        [0.56, 0.653571, 0.406818], abs=5e-7
    )
    assert [belief.mean for belief in beliefs.values()] == pytest.approx(
        [0.559880, 0.653025, 0.407240], abs=5e-7
    )
    log_likelihood = sum(
        yes * math.log(yes / (yes + no)) + no * math.log(no / (yes + no)) for yes, no in counts.values()
    )
    assert log_likelihood == pytest.approx(-1344.545111, abs=5e-7)


def test_unrolled_network():
    """07:B4: three candies, uniform priors; inference in figure 20.6 is three separate updates."""
    flavour, red_of_cherry, red_of_lime = Beta(), Beta(), Beta()
    evidence = (
        flavour.log_evidence([True, True, False])
        + red_of_cherry.log_evidence([True, False])
        + red_of_lime.log_evidence([True])
    )
    assert math.exp(evidence) == pytest.approx(1 / 144)
    flavour = flavour.update([True, True, False])
    red_of_cherry, red_of_lime = red_of_cherry.update([True, False]), red_of_lime.update(True)
    assert (flavour, red_of_cherry, red_of_lime) == (Beta(3, 2), Beta(2, 2), Beta(2, 1))
    cherry = flavour.predictive()
    red = cherry * red_of_cherry.predictive() + (1 - cherry) * red_of_lime.predictive()
    assert (cherry, red) == pytest.approx((0.6, 0.566667), abs=5e-7)


@given(st.lists(st.booleans(), max_size=20), st.floats(0.2, 5), st.floats(0.2, 5))
@settings(max_examples=20, deadline=None)
def test_beta_evidence_is_the_product_of_predictions(seen, a, b):
    belief, total = Beta(a, b), 0.0
    for one in seen:
        total += math.log(belief.predictive() if one else 1 - belief.predictive())
        belief = belief.update(one)
    assert Beta(a, b).log_evidence(seen) == pytest.approx(total, abs=1e-9)
    assert (belief.a, belief.b) == pytest.approx((a + sum(seen), b + len(seen) - sum(seen)))


def test_beta_evidence_is_an_integral():
    found = quad(lambda p: p**3 * (1 - p) ** 2 * float(Beta(2, 3).pdf(p)), 0, 1)[0]
    assert math.exp(Beta(2, 3).log_evidence([1, 1, 0, 1, 0])) == pytest.approx(found)


def test_credible_intervals_hold_as_much_as_they_say():
    interval = Beta(3, 2).credible_interval(0.9)
    inside = quad(lambda p: float(Beta(3, 2).pdf(p)), interval.low, interval.high)[0]
    assert inside == pytest.approx(0.9)
    assert str(Beta(3, 2).credible_interval()) == "95% credible interval [0.194, 0.932]"


def test_dirichlet():
    """07:B2, and the marginals are betas."""
    belief = Dirichlet.uniform("abc").add({"a": 5, "b": 3, "c": 2})
    assert belief.predictive() == pytest.approx({"a": 6 / 13, "b": 4 / 13, "c": 3 / 13})
    assert belief.marginal("a") == Beta(6, 7)
    assert belief.credible_interval("a") == Beta(6, 7).credible_interval()
    assert Dirichlet.uniform("abc").update(["a", "b"]) == Dirichlet.uniform("abc").update("a").update("b")


@pytest.mark.parametrize(
    ("m", "share"), [(1, 0.583333), (2, 0.571429), (5, 0.55), (10, 0.533333), (100, 0.504762)]
)
def test_m_estimate(m, share):
    """03:O6.11: P(Wind = strong | no) with three of five."""
    prior = Dirichlet.m_estimate({"strong": 0.5, "weak": 0.5}, m)
    assert prior.add({"strong": 3, "weak": 2}).predictive()["strong"] == pytest.approx(share, abs=5e-7)


def test_why_an_m_estimate_is_needed():
    """03:O6.11: of five rows with a share of 0.08 none is the most probable number."""
    chances = [float(Binomial(5, 0.08).pmf(k)) for k in range(3)]
    assert chances[:2] == pytest.approx([0.659082, 0.286557], abs=5e-7)
    assert max(chances) == chances[0]
    none = [Dirichlet.m_estimate({"a": 0.5, "b": 0.5}, m).add({"b": 5}).predictive()["a"] for m in (1, 2, 5)]
    assert none == pytest.approx([0.083333, 0.142857, 0.25], abs=5e-7)


def test_dirichlet_of_two_values_is_a_beta():
    seen = [True, False, True, True]
    assert Dirichlet((True, False), (2.0, 3.0)).log_evidence(seen) == pytest.approx(
        Beta(2, 3).log_evidence(seen)
    )


def test_normal_gamma():
    """07:B2."""
    belief = NormalGamma(0, 1, 1, 1).update(EIGHT)
    assert (belief.mu, belief.kappa, belief.a, belief.b) == pytest.approx(
        (4.444444, 9, 5, 28.111111), abs=5e-7
    )


@given(NUMBERS)
@settings(max_examples=20, deadline=None)
def test_normal_gamma_in_batches_or_one_by_one(numbers):
    prior = NormalGamma(0.5, 2, 1.5, 2)
    one_by_one, total = prior, 0.0
    for number in reversed(numbers):
        total += float(one_by_one.predictive().logpdf(number))
        one_by_one = one_by_one.update(number)
    batch = prior.update(numbers)
    for name in ("mu", "kappa", "a", "b"):
        assert getattr(batch, name) == pytest.approx(getattr(one_by_one, name), abs=1e-8)
    assert prior.log_evidence(numbers) == pytest.approx(total)


def test_normal_gamma_evidence_is_an_integral():
    prior, x = NormalGamma(0, 1, 2, 1), [0.3, -0.8]
    precision = prior.precision_distribution()

    def density(mean, tau):
        normal = math.sqrt(tau / (2 * math.pi))
        data = math.prod(normal * math.exp(-tau * (each - mean) ** 2 / 2) for each in x)
        return data * normal * math.exp(-tau * mean**2 / 2) * precision.pdf(tau)

    found = dblquad(density, 0, 20, -6, 6, epsabs=1e-5)[0]
    assert math.exp(prior.log_evidence(x)) == pytest.approx(found, rel=1e-3)


def test_normal_gamma_intervals():
    belief = NormalGamma(0, 1e-9, 1e-9, 1e-9).update(EIGHT)
    from scipy.stats import t

    # with next to no prior it is nearly Student's interval, of n degrees
    reach = t.ppf(0.975, 8) * 2 / math.sqrt(8)
    assert belief.credible_interval()[:2] == pytest.approx((5 - reach, 5 + reach), rel=1e-5)
    low, high, _ = belief.credible_interval(of="sigma")
    assert low < 2 < high
    assert belief.precision_distribution().cdf(low**-2) == pytest.approx(0.975)


def test_constant_data_are_no_trouble_to_a_prior():
    belief = NormalGamma(3, 1, 1, 1).update([3.0] * 50)
    assert (belief.mu, belief.b) == (3, 1)
    assert belief.credible_interval().high - belief.credible_interval().low < 0.2


@given(NUMBERS)
@settings(max_examples=15, deadline=None)
def test_normal_wishart_of_one_dimension_is_normal_gamma(numbers):
    wishart = NormalWishart((0.5,), 2, 3, ((4.0,),))
    gamma = NormalGamma(0.5, 2, 1.5, 2)
    rows = [[x] for x in numbers]
    assert wishart.log_evidence(rows) == pytest.approx(gamma.log_evidence(numbers))
    ours, theirs = wishart.update(rows), gamma.update(numbers)
    assert ours.mu[0] == pytest.approx(theirs.mu)
    assert ours.psi[0][0] / 2 == pytest.approx(theirs.b)
    assert ours.credible_interval(0)[:2] == pytest.approx(theirs.credible_interval()[:2])


def test_normal_wishart():
    rows = np.random.default_rng(0).normal(size=(6, 3))
    prior = NormalWishart((0, 0, 0), 1, 4, np.eye(3).tolist())
    batch, one_by_one, total = prior.update(rows), prior, 0.0
    for row in rows:
        total += float(one_by_one.predictive().logpdf(row))
        one_by_one = one_by_one.update(row)
    assert np.array(batch.psi) == pytest.approx(np.array(one_by_one.psi))
    assert prior.log_evidence(rows) == pytest.approx(total)
    mean = rows.mean(axis=0)
    scatter = (rows - mean).T @ (rows - mean)
    assert np.array(batch.psi) == pytest.approx(np.eye(3) + scatter + 6 / 7 * np.outer(mean, mean))
    assert batch.covariance == pytest.approx(np.array(batch.psi) / 6)


def test_linear_gaussian_with_known_noise():
    """08:AD-15."""
    x, y = [1, 2, 3, 4], [2.1, 3.9, 6.2, 7.8]
    prior = LinearGaussian.prior(1, weight_sd=1, noise_sd=0.2)
    belief = prior.update(x, y)
    assert belief.weights == pytest.approx((0.177889, 1.928133), abs=5e-7)
    assert [belief.weight_distribution(k).std() for k in (0, 1)] == pytest.approx(
        [0.237172, 0.086977], abs=5e-7
    )
    at_5 = belief.predictive(5)
    assert (at_5.mean(), at_5.std()) == pytest.approx((9.818553, 0.313246), abs=5e-7)
    assert prior.log_evidence(x, y) == pytest.approx(-4.896306, abs=5e-7)


@pytest.mark.parametrize("degrees", [3.0, math.inf])
def test_linear_gaussian_in_batches_or_one_by_one(degrees):
    random = np.random.default_rng(1)
    x, y = random.normal(size=(7, 2)), random.normal(size=7)
    prior = LinearGaussian.prior(2, 2.0, 0.7, degrees)
    one_by_one, total = prior, 0.0
    for row, target in zip(x, y, strict=True):
        total += float(one_by_one.predictive(row).logpdf(target))
        one_by_one = one_by_one.update([row], [target])
    batch = prior.update(x, y)
    assert batch.weights == pytest.approx(one_by_one.weights)
    assert batch.noise == pytest.approx(one_by_one.noise)
    assert prior.log_evidence(x, y) == pytest.approx(total)


def test_linear_gaussian_without_inputs_is_normal_gamma():
    gamma = NormalGamma(0.5, 2, 1.5, 2)
    line = LinearGaussian((0.5,), ((2.0,),), noise=2 / 1.5, degrees=3)
    empty = np.empty((8, 0))
    ours, theirs = line.update(empty, EIGHT), gamma.update(EIGHT)
    assert ours.weights[0] == pytest.approx(theirs.mu)
    assert ours.noise * ours.degrees / 2 == pytest.approx(theirs.b)
    assert line.log_evidence(empty, EIGHT) == pytest.approx(gamma.log_evidence(EIGHT))


def test_a_weak_prior_gives_least_squares():
    x, y = [1, 2, 3, 4], [2.1, 3.9, 6.2, 7.8]
    belief = LinearGaussian.prior(1, 1e4, 0.1, 1e-6).update(x, y)
    line = fit_line(x, y)
    assert belief.weights == pytest.approx(line.weights, abs=1e-5)
    assert math.sqrt(belief.noise) == pytest.approx(line.scale, abs=1e-4)


def test_constant_inputs_are_no_trouble_to_a_prior():
    belief = LinearGaussian.prior(1, 1, 1, 2).update([2, 2, 2], [1, 1, 1])
    assert belief.weights[0] + 2 * belief.weights[1] == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize(
    "value",
    [
        Beta(3, 2),
        Dirichlet(("a", "b"), (1.5, 2.0)),
        NormalGamma(0.5, 2, 1.5, 2),
        NormalWishart((0, 1), 1, 3, ((2, 0.5), (0.5, 1))),
        LinearGaussian.prior(1, 1, 1, 3).update([1, 2], [2, 3]),
        LinearGaussian.prior(2, 1, 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_beliefs_are_saved_printed_and_drawn(value, tmp_path):
    induce.save(value, tmp_path / "belief.induce")
    again = induce.load(tmp_path / "belief.induce")
    assert again == value
    assert str(again) == str(value)
    assert hash(again) == hash(value)
    assert value.size()
    assert value.draw().axes[0].lines


def test_pictures_share_axes():
    axes = Beta(3, 1).draw().axes[0]
    Beta(30, 10).draw(axes)
    assert [line.get_label() for line in axes.lines] == ["beta[3, 1]", "beta[30, 10]"]
    assert axes.get_ylim()[1] > 5.7
    assert np.isfinite(Beta(0.1, 0.1).draw().axes[0].lines[0].get_ydata()).all()
    line = LinearGaussian.prior(1, 10, 1, 2).update([1, 2, 3], [1, 2, 3.5])
    assert line.draw_line([1, 2, 3], [1, 2, 3.5]).axes[0].collections


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Beta(0, 1), "a is 0"),
        (lambda: Beta(1, math.inf), "b is inf"),
        (lambda: Beta().update([0.5]), "True and False, or 1 and 0"),
        (lambda: Beta().update(["x"]), "observations contains a non-number"),
        (lambda: Beta().update([math.nan]), "missing or infinite"),
        (lambda: Beta().add(-1, 0), "-1 successes"),
        (lambda: Beta().credible_interval(1.5), "probability is 1.5"),
        (lambda: Dirichlet(("a",), (1.0,)), "at least two different"),
        (lambda: Dirichlet(("a", "b"), (1.0, 0.0)), "the alpha of 'b' is 0.0"),
        (lambda: Dirichlet.uniform("ab").update("c"), "'c' is not among the values"),
        (lambda: Dirichlet.uniform("ab").marginal("c"), "'c' is not among the values"),
        (lambda: Dirichlet.uniform("ab").add({"a": -1}), "counts contains an invalid count"),
        (lambda: Dirichlet.m_estimate({"a": 0.5, "b": 0.6}, 1), "prior sums to 1.1"),
        (lambda: Dirichlet.m_estimate({"a": 0.5, "b": 0.5}, 0), "m is 0"),
        (lambda: NormalGamma(0, 1, 0, 1), "a is 0"),
        (lambda: NormalGamma(math.nan, 1, 1, 1), "mu is nan"),
        (lambda: NormalGamma(0, 1, 1, 1).update([1, None]), "missing or infinite"),
        (lambda: NormalGamma(0, 1, 1, 1).credible_interval(of="variance"), "of is 'variance'"),
        (lambda: NormalWishart((0, 0), 1, 1, ((1, 0), (0, 1))), "nu is 1"),
        (lambda: NormalWishart((0, 0), 1, 3, ((1, 2), (2, 1))), "positive definite"),
        (lambda: NormalWishart((0, 0), 1, 3, ((1,),)), "psi has the shape"),
        (
            lambda: NormalWishart((0, 0), 1, 3, ((1, 0), (0, 1))).update([1, 2, 3]),
            "observations have 3 dimensions",
        ),
        (lambda: NormalWishart((0, 0), 1, 3, ((1, 0), (0, 1))).credible_interval(2), "dimension is 2"),
        (lambda: NormalWishart((0, 0), 1, 3, ((1, 0), (0, 1))).covariance, "only above 3"),
        (lambda: LinearGaussian.prior(1, 1, 0), "noise_sd is 0"),
        (lambda: LinearGaussian.prior(1, 1, 1, 0), "degrees is 0"),
        (lambda: LinearGaussian((0, 0), ((1, 0), (0, -1)), 1), "positive definite"),
        (lambda: LinearGaussian((0, 0), ((1,),), 1), "precision has the shape"),
        (lambda: LinearGaussian.prior(1, 1, 1).update([1, 2, 3], [1, 2]), "x has 3 points, but y has 2"),
        (lambda: LinearGaussian.prior(1, 1, 1).predictive([1, 2]), "x has 2 inputs"),
        (lambda: LinearGaussian.prior(1, 1, 1).credible_interval(2), "k is 2"),
        (
            lambda: LinearGaussian.prior(2, 1, 1).draw_line([[1, 2]], [1]),
            "the plot of a line needs one input",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
