"""Kernel densities: numbers by hand, scikit-learn's, holes, categories, the choice of the width, and samples."""

import numpy as np
import polars as pl
import pytest
import sklearn.neighbors
from scipy.integrate import quad

import induce

PLAIN = {"scale": None}


def density(X, **settings):
    return induce.KernelDensity(**{"bandwidth": 0.5, **settings}).fit(X)


def test_by_hand():
    found = density([[0.0], [1.0], [3.0]], **PLAIN).score_samples([[0.0], [0.5], [2.0]])
    assert np.exp(found) == pytest.approx([0.3019555, 0.3226286, 0.0720772], abs=5e-8)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("kernel", "columns"), [("gaussian", 1), ("gaussian", 4), ("tophat", 1), ("epanechnikov", 1)]
)
def test_scikit_learn_agrees(kernel, columns, weighted):
    random = np.random.default_rng(0)
    X, queries = random.normal(size=(80, columns)), random.normal(size=(40, columns))
    weights = random.random(80) if weighted else None
    theirs = sklearn.neighbors.KernelDensity(kernel=kernel, bandwidth=0.7, atol=0, rtol=0)
    expected = theirs.fit(X, sample_weight=weights).score_samples(queries)
    ours = induce.KernelDensity(kernel=kernel, bandwidth=0.7, **PLAIN).fit(X, sample_weight=weights)
    found = ours.score_samples(queries)
    seen = expected > -1e6  # scikit-learn says -inf with some finite number
    assert found[seen] == pytest.approx(expected[seen], abs=1e-9)
    assert (found[~seen] == -np.inf).all()


@pytest.mark.parametrize("rule", ["scott", "silverman"])
def test_rules_for_the_bandwidth_are_scikit_learns(rule):
    X = np.random.default_rng(1).normal(size=(60, 3))
    theirs = sklearn.neighbors.KernelDensity(bandwidth=rule).fit(X)
    ours = density(X, bandwidth=rule, **PLAIN)
    assert ours.hypothesis_.kernel.width == pytest.approx(theirs.bandwidth_)
    assert ours.score_samples(X) == pytest.approx(theirs.score_samples(X), abs=1e-9)


@pytest.mark.parametrize("kernel", ["gaussian", "tophat", "epanechnikov"])
def test_it_integrates_to_1(kernel):
    fitted = density([[0.0], [1.0], [30.0]], kernel=kernel, bandwidth=0.3)
    steps = np.arange(-60, 90, 0.001)
    assert np.exp(fitted.score_samples(steps[:, None])).sum() * 0.001 == pytest.approx(1, abs=1e-3)


def test_the_printed_normaliser_would_not():
    """AIMA prints 1 / (w² sqrt(2 pi))^d, which integrates to w^-d."""
    w = 0.3
    printed = quad(lambda x: np.exp(-(x**2) / (2 * w**2)) / (w**2 * np.sqrt(2 * np.pi)), -5, 5)[0]
    assert printed == pytest.approx(3.3333, abs=5e-5)
    fitted = density([[0.0]], bandwidth=w, **PLAIN)
    assert quad(lambda x: np.exp(fitted.score_samples([[x]])[0]), -5, 5)[0] == pytest.approx(1)


# --- mixed tables with holes ---------------------------------------------------------------------------------

MIXED = pl.DataFrame(
    {
        "size": [1.0, 2.0, None, 4.0, 4.5],
        "colour": pl.Series(["red", "blue", "red", None, "blue"], dtype=pl.Enum(["red", "blue", "green"])),
        "price": [10.0, 30.0, 20.0, 20.0, 60.0],
    }
)


def test_categories_and_numbers_integrate_to_1_together_despite_holes():
    fitted = induce.KernelDensity(bandwidth=0.4, smoothing=0.3).fit(MIXED.select("size", "colour"))
    total = sum(
        quad(
            lambda x, c=c: np.exp(fitted.score_samples(pl.DataFrame({"size": [x], "colour": [c]}))[0]), -8, 14
        )[0]
        for c in ("red", "blue", "green")
    )
    assert total == pytest.approx(1, abs=1e-6)


def test_what_is_missing_is_integrated_out():
    types = {"size": pl.Float64, "price": pl.Float64}
    fitted = induce.KernelDensity(bandwidth=0.5).fit(MIXED.select("size", "price"))
    rest = fitted.score_samples(pl.DataFrame({"size": [2.2], "price": [None]}, schema=types))
    whole = quad(
        lambda x: np.exp(fitted.score_samples(pl.DataFrame({"size": [2.2], "price": [x]}))[0]),
        -150,
        220,
        limit=200,
    )[0]
    assert np.exp(rest[0]) == pytest.approx(whole, rel=1e-6)
    nothing = pl.DataFrame({"size": [None], "price": [None]}, schema=types)
    assert fitted.score_samples(nothing) == pytest.approx(0)


def test_a_category_alone_has_its_smoothed_share():
    rows = pl.DataFrame({"c": pl.Series(["a", "a", "b"], dtype=pl.Enum(["a", "b", "d"]))})
    fitted = induce.KernelDensity(smoothing=0.3).fit(rows)
    asked = pl.DataFrame({"c": ["a", "b", "d", "never"]})
    expected = [0.7 * 2 / 3 + 0.1, 0.7 / 3 + 0.1, 0.1, 0.1]
    assert np.exp(fitted.score_samples(asked)) == pytest.approx(expected)
    none = induce.KernelDensity(smoothing=0.0).fit(rows)
    assert none.score_samples(asked).tolist()[2:] == [-np.inf, -np.inf]


def test_conditional_probabilities_are_shares_of_the_joint_density():
    fitted = induce.KernelDensity(bandwidth=0.5, smoothing=0.1).fit(MIXED)
    found = fitted.hypothesis_.conditional(MIXED, "colour")
    assert found.sum(axis=1) == pytest.approx(1)
    joint = [
        np.exp(fitted.score_samples(MIXED.with_columns(colour=pl.lit(c, dtype=MIXED["colour"].dtype))))
        for c in ("red", "blue", "green")
    ]
    rest = MIXED.with_columns(colour=pl.lit(None, dtype=MIXED["colour"].dtype))
    assert found.T * np.exp(fitted.score_samples(rest)) == pytest.approx(np.array(joint))
    with pytest.raises(induce.InputError, match="'size' is not a nominal column of the density"):
        fitted.hypothesis_.conditional(MIXED, "size")


# --- choosing ------------------------------------------------------------------------------------------------


def test_the_bandwidth_is_chosen_by_the_likelihood_of_rows_left_out():
    X = np.random.default_rng(2).normal(size=(50, 2))
    widths = (0.05, 0.2, 0.4, 0.8, 3.0)
    chosen = induce.KernelDensity(bandwidth=widths, **PLAIN).fit(X).hypothesis_
    losses = []
    for width in widths:
        found = [
            density(np.delete(X, i, axis=0), bandwidth=width, **PLAIN).score_samples(X[[i]])
            for i in range(50)
        ]
        losses.append(-np.mean(found))
    assert chosen.choice.losses == pytest.approx(losses)
    assert chosen.kernel.width == widths[int(np.argmin(losses))]
    assert "by leave-one-out: minus log density" in str(chosen)


def test_smoothing_is_chosen_too():
    few = pl.DataFrame({"c": ["a", "b"] * 40, "x": np.arange(80.0)})
    fitted = induce.KernelDensity().fit(few).hypothesis_
    assert set(fitted.choice.best) == {"bandwidth", "smoothing"}
    same = pl.DataFrame({"c": pl.Series(["a"] * 40, dtype=pl.Enum(["a", "b"]))})
    assert induce.KernelDensity().fit(same).hypothesis_.smoothing == 0.01


def test_columns_of_different_units_have_widths_of_their_own():
    X = np.random.default_rng(3).normal(size=(40, 2))
    far = X * [1, 1000]
    assert density(far).score_samples(far) == pytest.approx(density(X).score_samples(X) - np.log(1000))


# --- samples, explanations, pictures -------------------------------------------------------------------------


def test_samples_look_like_the_rows():
    random = np.random.default_rng(4)
    rows = pl.DataFrame(
        {
            "x": np.where(random.random(400) < 0.5, random.normal(0, 1, 400), random.normal(20, 1, 400)),
            "c": np.where(random.random(400) < 0.8, "often", "rare"),
            "yes": random.random(400) < 0.3,
        }
    )
    drawn = induce.KernelDensity(bandwidth=0.05, smoothing=0.02).fit(rows).sample(4000, random_state=0)
    assert drawn["x"].mean() == pytest.approx(rows["x"].mean(), abs=0.6)
    assert drawn["x"].is_between(5, 15).mean() < 0.01
    assert (drawn["c"] == "rare").mean() == pytest.approx(0.2, abs=0.04)
    assert drawn["yes"].dtype == pl.Boolean


@pytest.mark.parametrize("kernel", ["gaussian", "tophat", "epanechnikov"])
def test_samples_have_the_spread_of_the_kernel(kernel):
    fitted = density([[0.0]], kernel=kernel, bandwidth=2.0, **PLAIN)
    drawn = fitted.sample(20_000, random_state=0)["x0"].to_numpy()
    variance = quad(lambda x: x**2 * np.exp(fitted.score_samples([[x]])[0]), -20, 20, points=[-2, 2])[0]
    assert drawn.var() == pytest.approx(variance, rel=0.05)


def test_explanations():
    told = density([[0.0], [1.0], [3.0]], **PLAIN).explain([[0.5]])[0]
    assert told.log_density == pytest.approx(np.log(0.3226286), abs=1e-6)
    assert [each.row for each in told.rows] == [0, 1, 2]
    assert sum(each.share for each in told.rows) == pytest.approx(1)
    assert str(told).splitlines()[1] == "   50.0%  row 0: x0 0"


def test_pictures():
    one = density([[0.0], [1.0], [3.0]]).hypothesis_.draw().axes[0]
    assert len(one.lines) == 3 + 2
    kernels = np.sum([line.get_ydata() for line in one.lines[:3]], axis=0)
    assert one.lines[3].get_ydata() == pytest.approx(kernels)
    assert len(density(np.random.default_rng(0).normal(size=(9, 2))).hypothesis_.draw().axes) == 2
    assert len(density(MIXED).hypothesis_.draw().axes) == 3


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"kernel": "quadratic"}, "kernel is 'quadratic'"),
        ({"bandwidth": 0}, "bandwidth is 0; give a number above 0"),
        ({"bandwidth": "wide"}, "bandwidth is 'wide'"),
        ({"bandwidth": []}, "bandwidth is empty"),
        ({"smoothing": 1.5}, "smoothing is 1.5; it can be a number from 0 to 1"),
        ({"smoothing": -0.1}, "smoothing is -0.1"),
        ({"scale": "unit"}, "scale is 'unit'"),
    ],
)
def test_settings_that_make_no_sense(settings, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        density(MIXED, **settings)


def test_widths_that_underflow_and_columns_that_never_vary():
    fitted = density([[1.0, 7.0], [2.0, 7.0]], bandwidth=1e-160)
    assert np.isfinite(fitted.score_samples([[1.0, 7.0]])).all()
    assert not np.isnan(fitted.score_samples([[1.5, 8.0]])).any()


def test_two_columns_integrate_to_1():
    fitted = density([[0.0, 0.0], [1.0, 2.0]], **PLAIN)
    steps = np.linspace(-4, 6, 201)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    assert np.exp(fitted.score_samples(grid)).sum() * 0.05**2 == pytest.approx(1, abs=1e-6)
