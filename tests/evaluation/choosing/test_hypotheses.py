"""Choosing among hypotheses by loss, simplicity and probability."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce import InputError
from induce.evaluation.choosing.hypotheses import (
    best_in_class,
    maximum_a_posteriori,
    noise_log_likelihood,
    ockham,
)
from induce.evaluation.losses.table import LossTable

DEGREES = range(9)
X_LINE = np.arange(8.0)
Y_LINE = 0.4 * X_LINE + 3


def polynomials(x, y, degrees):
    return {f"degree {d}": np.poly1d(np.polyfit(x, y, d)) for d in degrees}


def test_ockham_takes_the_line():
    """AIMA figure 18.1(a), (b): a line and a polynomial of degree 7 both fit all eight points."""
    hypotheses = polynomials(X_LINE, Y_LINE, (0, 1, 3, 7))
    choice = ockham(hypotheses, X_LINE, Y_LINE, complexity=lambda h: h.order, tolerance=1e-6)
    assert choice.best == ("degree 1",)
    assert choice["worst loss"]["degree 0"] > 1
    assert choice.chosen.coeffs == pytest.approx([0.4, 3])
    exact = np.polyfit(X_LINE, Y_LINE, 7)
    assert exact == pytest.approx([0, 0, 0, 0, 0, 0, 0.4, 3], abs=1e-6)


def test_ockham_reports_all_equals_and_measures_trees_itself():
    X, y = induce.dataset("play-tennis")
    tree = induce.ID3().fit(X, y)
    stump = induce.ID3(max_depth=1).fit(X, y)
    choice = ockham([stump, tree, tree.hypothesis_, tree.hypothesis_.to_rules()], X, y)
    assert choice.best == ("h2", "h3")
    assert "2 tied" in str(choice)
    assert choice["complexity"]["h1"] < choice["complexity"]["h2"]  # simpler, but not consistent


def test_best_in_class_by_sample_and_by_distribution():
    x, y, chance = [[0], [0], [1]], ["no", "yes", "yes"], [0.6, 0.2, 0.2]
    constant = {"always no": lambda rows: ["no"] * len(rows), "always yes": lambda rows: ["yes"] * len(rows)}
    estimated = best_in_class(constant, x, y)
    true = best_in_class(constant, x, y, chance)
    assert estimated["empirical loss"] == pytest.approx({"always no": 2 / 3, "always yes": 1 / 3})
    assert true["generalisation loss"] == pytest.approx({"always no": 0.4, "always yes": 0.6})
    assert (estimated.best, true.best) == (("always yes",), ("always no",))
    costly = best_in_class(constant, x, y, chance, LossTable.read("no>yes=1,yes>no=10"))
    assert costly.best == ("always yes",)


def test_posterior_by_hand():
    shares = {"fair": 0.5, "loaded": 0.9}
    choice = maximum_a_posteriori(
        shares, {"fair": 0.95, "loaded": 0.05}, lambda p: 7 * math.log(p) + 3 * math.log(1 - p)
    )
    fair, loaded = 0.95 * 0.5**10, 0.05 * 0.9**7 * 0.1**3
    assert choice["posterior"] == pytest.approx(
        {"fair": fair / (fair + loaded), "loaded": loaded / (fair + loaded)}
    )
    assert choice.best == ("fair",)


def test_a_prior_against_spiky_polynomials_chooses_the_line():
    """AIMA 18.2: high for degrees 1 and 2, lower for degree 7."""
    hypotheses = polynomials(X_LINE, Y_LINE, (1, 2, 7))

    def log_likelihood(h):
        return 0.0 if np.abs(h(X_LINE) - Y_LINE).max() < 1e-6 else -math.inf

    flat = maximum_a_posteriori(hypotheses, None, log_likelihood)
    assert flat.best == ("degree 1", "degree 2", "degree 7")
    assert maximum_a_posteriori(hypotheses, lambda h: 2.0**-h.order, log_likelihood).best == ("degree 1",)


def test_logarithms_do_not_underflow():
    choice = maximum_a_posteriori({"a": -50_000.0, "b": -50_001.0}, None, lambda h: h)
    assert choice["posterior"]["a"] == pytest.approx(1 / (1 + math.exp(-1)))


def test_noisy_labels():
    X, y = induce.dataset("restaurant")
    trees = {depth: induce.ID3(max_depth=depth).fit(X, y) for depth in (0, 1, None)}
    clean = maximum_a_posteriori(trees, None, noise_log_likelihood(X, y))
    assert clean.best == ("None",)
    assert clean["posterior"]["None"] == 1
    likelihood = noise_log_likelihood(X, y, noise=0.2)
    assert likelihood(trees[1]) == pytest.approx(2 * math.log(0.2) + 10 * math.log(0.8))
    prior = {"0": 0.6, "1": 0.395, "None": 0.005}
    assert maximum_a_posteriori(trees, prior, likelihood).best == ("1",)


@given(st.lists(st.tuples(st.floats(0.01, 1), st.floats(-50, 0)), min_size=1, max_size=6))
def test_posteriors_sum_to_1_and_the_best_has_the_highest(drawn):
    priors, likelihoods = zip(*drawn, strict=True)
    hypotheses = dict(zip(map(str, range(len(drawn))), range(len(drawn)), strict=True))
    choice = maximum_a_posteriori(hypotheses, lambda k: priors[k], lambda k: likelihoods[k])
    posterior = choice["posterior"]
    assert sum(posterior.values()) == pytest.approx(1)
    assert max(posterior.values()) == pytest.approx(posterior[choice.best[0]])
    for k, (prior, likelihood) in enumerate(drawn):
        ratio = prior * math.exp(likelihood - likelihoods[0]) / priors[0]
        assert posterior[str(k)] == pytest.approx(ratio * posterior["0"], rel=1e-6, abs=1e-12)


def test_reports():
    choice = maximum_a_posteriori({"<a>": 0.0}, None, lambda h: h)
    assert str(choice).splitlines()[-2].endswith("*")
    assert "&lt;a&gt;" in choice._repr_html_()
    with pytest.raises(InputError, match="there is no column 'loss'; the columns are log prior"):
        choice["loss"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: best_in_class([], [[0]], ["a"]), "hypotheses is empty"),
        (lambda: best_in_class([len], [], []), "shape"),
        (
            lambda: ockham([lambda rows: ["b"]], [[0]], ["a"], len),
            "no hypothesis is consistent with all examples",
        ),
        (
            lambda: ockham([lambda rows: ["a"]], [[0]], ["a"]),
            "the complexity of h1 is unknown; give complexity",
        ),
        (lambda: maximum_a_posteriori({"a": 1}, {}, float), "prior has no number for a"),
        (lambda: maximum_a_posteriori({"a": 1}, {"a": -1}, float), "the prior of a is -1.0"),
        (
            lambda: maximum_a_posteriori({"a": 1}, None, lambda h: math.nan),
            "the log-likelihood of a is NaN or plus infinity",
        ),
        (
            lambda: maximum_a_posteriori({"a": 1}, None, lambda h: -math.inf),
            "none of the hypotheses can be true",
        ),
        (lambda: noise_log_likelihood([[0]], ["a"], 2), "noise is 2"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
