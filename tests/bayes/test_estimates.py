"""Maximum likelihood for numbers and for probabilities (Mitchell 6.4, 6.5; AIMA 20.2)."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce import InputError
from induce.bayes import (
    bernoulli_log_likelihood,
    empirical_density,
    errors_log_likelihood,
    fit_line,
    fit_normal,
    maximise_likelihood,
    observed_frequencies,
    sigmoid_ascent,
)
from induce.bayes.naive_bayes.smoothing import Smoothing

X5, D5 = np.arange(1.0, 6), np.array([1.2, 1.9, 3.2, 3.8, 5.1])


def test_least_squares_is_maximum_likelihood():
    """03:O6.3."""
    line = fit_line(X5, D5)
    assert line.weights == pytest.approx([0.13, 0.97])
    assert line.error == pytest.approx(0.123)
    assert ((D5 - X5) ** 2).sum() == pytest.approx(0.140)
    assert errors_log_likelihood(D5 - line.predict(X5), 0.2) == pytest.approx(1.914997, abs=5e-7)
    assert line.scale**2 == pytest.approx(0.0246)
    assert line.log_likelihood == pytest.approx(2.167829, abs=5e-7)


def test_any_scale_gives_the_same_line():
    for scale in (0.1, 1.0):
        found = maximise_likelihood(
            lambda w, s=scale: errors_log_likelihood(D5 - w[0] - w[1] * X5, s), [0, 0]
        )
        assert found.parameters == pytest.approx([0.13, 0.97], abs=1e-5)


def test_least_absolute_deviations_under_laplace_noise():
    line = fit_line(X5, D5, noise="laplace")
    assert line.error == pytest.approx(0.65)
    assert line.log_likelihood == pytest.approx(errors_log_likelihood(D5 - line.predict(X5), 0.13, "laplace"))
    outlier = np.append(D5, 60.0)
    x = np.append(X5, 6.0)
    assert fit_line(x, outlier, noise="laplace").weights[1] == pytest.approx(1, abs=0.15)
    assert fit_line(x, outlier).weights[1] > 5


def test_the_line_of_exercise_20_6():
    """07:B2."""
    x, y = np.array([1.0, 2, 3, 4]), np.array([2.1, 3.9, 6.2, 7.8])
    line = fit_line(x, y)
    assert line.weights == pytest.approx([0.15, 1.94])
    assert (line.scale, line.error) == pytest.approx((0.143178, 0.082), abs=5e-7)
    m = len(x)
    slope = (m * (x * y).sum() - x.sum() * y.sum()) / (m * (x**2).sum() - x.sum() ** 2)
    assert line.weights[1] == pytest.approx(slope)


def test_fifty_points_of_a_linear_gaussian():
    """07:C2, figure 20.4: the parameters come back."""
    random = np.random.default_rng(0)
    x = random.uniform(0, 1, 50)
    line = fit_line(x, 0.2 + 0.6 * x + random.normal(0, 0.1, 50))
    assert line.weights == pytest.approx([0.2, 0.6], abs=0.1)
    assert line.scale == pytest.approx(0.1, abs=0.03)


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=3, max_size=8))
@settings(max_examples=25, deadline=None)
def test_no_other_line_is_more_likely(points):
    x, y = np.array(points).T
    if np.ptp(x) < 0.1:
        return
    for noise, total in (("normal", np.square), ("laplace", np.abs)):
        line = fit_line(x, y, noise)
        for shift in ((0.01, 0), (0, 0.01), (-0.01, 0.02)):
            other = y - (line.weights[0] + shift[0]) - (line.weights[1] + shift[1]) * x
            assert total(other).sum() >= line.error - 1e-9


def test_polynomials_are_lines_in_powers():
    x = np.linspace(-1, 1, 9)
    curve = fit_line(np.column_stack([x, x**2]), 1 - x + 2 * x**2)
    assert curve.weights == pytest.approx([1, -1, 2])
    assert curve.error == pytest.approx(0, abs=1e-20)


def test_normal_distribution():
    """07:B2: the divisor is n."""
    assert fit_normal([2, 4, 4, 4, 5, 5, 7, 9]) == pytest.approx((5, 2, -16.896686), abs=5e-7)
    rows = np.random.default_rng(0).normal(size=(50, 2)) @ [[1, 0.5], [0, 1]]
    mean, covariance, likelihood = fit_normal(rows)
    assert mean == pytest.approx(rows.mean(axis=0))
    assert covariance == pytest.approx(np.cov(rows.T, bias=True))
    from scipy.stats import multivariate_normal

    assert likelihood == pytest.approx(multivariate_normal(mean, covariance).logpdf(rows).sum())


def test_recipe_finds_what_is_known_by_hand():
    data = np.array([2.0, 4, 4, 4, 5, 5, 7, 9])

    def log_likelihood(p):
        return errors_log_likelihood(data - p[0], p[1])

    found = maximise_likelihood(log_likelihood, [1.0, 1.0], [(None, None), (1e-6, None)])
    assert found.parameters == pytest.approx([5, 2], abs=1e-4)
    assert found.standard_errors == pytest.approx([2 / math.sqrt(8), 2 / math.sqrt(16)], rel=1e-3)
    assert "log likelihood -16.8967" in str(found)


def test_one_cherry_is_certain_of_cherries():
    found = maximise_likelihood(lambda p: math.log(p[0]), [0.5], [(1e-9, 1.0)])
    assert found.parameters[0] == pytest.approx(1)
    assert math.isnan(found.standard_errors[0])  # the maximum is at the bound


def test_density_is_a_limit():
    sample = np.random.default_rng(0).normal(size=400_000)
    wanted = math.exp(-0.5) / math.sqrt(2 * math.pi)
    far, near = (abs(empirical_density(sample, 1.0, width) - wanted) for width in (1.0, 0.05))
    assert near < 0.01 < far


def test_survivors():
    """03:O6.4: 92% survive; the expected log likelihood is highest at 0.92."""
    assert bernoulli_log_likelihood([0.92], [0.92]) == pytest.approx(-0.278769, abs=5e-7)
    others = [
        bernoulli_log_likelihood([0.92], [h]) for h in np.linspace(0.01, 0.99, 99) if abs(h - 0.92) > 1e-9
    ]
    assert max(others) < -0.278769


def test_cross_entropy_at_the_edges():
    assert bernoulli_log_likelihood([1, 0], [1, 0]) == 0
    assert bernoulli_log_likelihood([1], [0]) == -math.inf
    assert bernoulli_log_likelihood([0], [1]) == -math.inf


def test_sigmoid_unit_step_by_step():
    """03:O6.5."""
    ascent = sigmoid_ascent([0, 1, 2], [0, 1, 1], rate=0.1, steps=3)
    assert ascent.weights[1:] == pytest.approx(
        np.array([[0.05, 0.15], [0.0851051, 0.2776931], [0.1085205, 0.3877484]]), abs=5e-8
    )
    assert ascent.outputs[1] == pytest.approx([0.5124974, 0.5498340, 0.5866176], abs=5e-8)
    assert ascent.outputs[2] == pytest.approx([0.5212634, 0.5897176, 0.6548645], abs=5e-8)
    assert ascent.log_likelihood[:3] == pytest.approx([-2.0794415, -1.8499807, -1.6880432], abs=5e-8)
    assert ascent.gradient[:3] == pytest.approx(
        np.array([[0.5, 1.5], [0.3510510, 1.2769308], [0.2341544, 1.1005534]]), abs=5e-8
    )
    assert ascent.squared_error[:3] == pytest.approx(
        np.array([[0.125, 0.375], [0.0836234, 0.3119119], [0.0471944, 0.2552811]]), abs=5e-8
    )


def test_gradient_is_the_derivative():
    x, d, w, step = np.array([0.3, -1.2, 2.0]), [0, 1, 1], np.array([0.2, -0.4]), 1e-6

    def likelihood(weights):
        return sigmoid_ascent(x, d, steps=0, weights=weights).log_likelihood[0]

    differences = [(likelihood(w + step * e) - likelihood(w - step * e)) / (2 * step) for e in np.eye(2)]
    assert sigmoid_ascent(x, d, steps=0, weights=w).gradient[0] == pytest.approx(differences)


def test_the_two_rules_follow_their_own_sums():
    squared = sigmoid_ascent([0, 1, 2], [0, 1, 1], rate=0.1, steps=1, rule="squared-error")
    assert squared.weights[1] == pytest.approx([0.0125, 0.0375])
    likely = [
        sigmoid_ascent([0, 1, 2, 3], [0, 1, 0, 1], steps=200, rule=r).log_likelihood[-1]
        for r in ("cross-entropy", "squared-error")
    ]
    assert likely[0] > likely[1]


def test_frequencies_are_the_brute_force_way():
    inputs, shares, numbers = observed_frequencies([[0, 1], [0, 1], [1, 1], [0, 1]], [1, 0, 1, 1])
    assert inputs.tolist() == [[0, 1], [1, 1]]
    assert shares == pytest.approx([2 / 3, 1])
    assert numbers.tolist() == [3, 1]


def test_pictures():
    line = fit_line(X5, D5)
    figure = line.draw(X5, D5, truth=fit_line([0, 1], [0, 1]))
    assert {text.get_text() for text in figure.axes[0].get_legend().get_texts()} >= {
        "f, the true line",
        "errors",
    }
    assert str(line) == "y = 0.13 + 0.97 x1, normal noise of scale 0.1568"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fit_line([1, 1, 1], [1, 2, 3]), "x is constant"),
        (lambda: fit_line([1, 2], [1]), "x has 2 points and y has 1"),
        (lambda: fit_line([1, math.nan], [1, 2]), "x contains a missing"),
        (lambda: fit_line([1, 2], [1, 2], noise="cauchy"), "noise is 'cauchy'"),
        (
            lambda: fit_line([[1, 2], [2, 3], [1, 1]], [1, 2, 3]).draw([[1, 2]], [1]),
            "the plot of a line needs one input",
        ),
        (lambda: errors_log_likelihood([0.1], 0), "scale is 0"),
        (lambda: fit_normal([3, 3, 3]), "no variance in some direction"),
        (lambda: fit_normal([]), "observations is empty"),
        (lambda: maximise_likelihood(lambda p: -math.inf, [0.5]), "not finite at start"),
        (lambda: empirical_density([], 0, 1), "sample is empty"),
        (lambda: empirical_density([1], 0, 0), "width is 0"),
        (
            lambda: bernoulli_log_likelihood([1], [1.5]),
            "probabilities contains values outside the range from 0 to 1",
        ),
        (lambda: bernoulli_log_likelihood([1, 0], [0.5]), "2 targets for 1 probabilities"),
        (lambda: sigmoid_ascent([0, 1], [0, 2]), "give 0 or 1 for each"),
        (lambda: sigmoid_ascent([0, 1], [0, 1], rule="newton"), "rule is 'newton'"),
        (lambda: sigmoid_ascent([0, 1], [0, 1], weights=[0.0]), r"weights has the shape \(1,\)"),
        (lambda: observed_frequencies([0, 1], [0]), "x has 2 rows for 1 targets"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("extra", [0, 1, 3])
def test_m_pseudo_counts_are_spread_over_all_values_with_those_beyond_the_domain(extra):
    """Mitchell, equation 6.22: m rows altogether, of which each value gets the same share, declared or not."""
    pseudo = Smoothing(m=6.0).pseudo(3, "colour", extra)
    assert pseudo == pytest.approx([6 / (3 + extra)] * (3 + extra))
    assert pseudo.sum() == pytest.approx(6.0)
