"""Radial basis function networks: constructed numbers, centres of every kind, left-out errors, classes."""

import numpy as np
import polars as pl
import pytest

import induce
from induce.em import gaussian_means
from induce.instances.rbf.centres import place
from induce.instances.rbf.fitting import activations, output_weights

X = np.arange(5.0)[:, None]
Y = np.arange(5.0) ** 2
EXACT = {"centers": "all", "width": 1.0, "ridge": 0.0, "scale": None}


def network(X=X, y=Y, **settings):
    return induce.RBFNetworkRegressor(**settings).fit(X, y)


@pytest.mark.parametrize(
    ("intercept", "bias", "weights", "value"),
    [
        ("zero", 0, (1.20839473, -3.52588831, 7.3616005, -6.5256671, 19.00049659), 1.5633066),
        ("mean", 6, (-4.3781323, -3.09416996, 2.35000811, -6.09394876, 13.41396957), 1.6026524),
        (
            "free",
            7.46349197,
            (-5.74077187, -2.98886724, 1.12760391, -5.98864604, 12.05133),
            1.6122494,
        ),
    ],
)
def test_one_kernel_for_every_example(intercept, bias, weights, value):
    fitted = network(intercept=intercept, **EXACT)
    assert fitted.hypothesis_.bias == pytest.approx([bias], abs=5e-8)
    assert fitted.hypothesis_.weights[:, 0] == pytest.approx(weights, abs=5e-8)
    assert fitted.predict(X) == pytest.approx(Y, abs=1e-9)
    assert fitted.predict([[1.2]]) == pytest.approx([value], abs=5e-8)


def test_far_from_the_centres_only_the_constant_is_left():
    fitted = network(intercept="zero", **EXACT)
    assert fitted.predict([[2.5], [10.0]]) == pytest.approx([5.8146716, 2.89e-7], abs=5e-8)
    assert network(intercept="mean", **EXACT).predict([[100.0]]) == pytest.approx([6])


def test_two_centres():
    fitted = network(**EXACT | {"centers": "grid"}, n_centers=2)
    assert fitted.hypothesis_.centres.ravel().tolist() == [1, 3]
    assert fitted.hypothesis_.bias == pytest.approx([11.85868397], abs=5e-8)
    assert fitted.hypothesis_.weights[:, 0] == pytest.approx((-13.66737814, 1.25231126), abs=5e-8)
    assert 0.5 * np.square(fitted.predict(X) - Y).sum() == pytest.approx(18.75520407, abs=5e-8)
    assert fitted.predict([[1.2]]) == pytest.approx([-1.29023119], abs=5e-8)


def test_kernel_values():
    found = activations(np.zeros((1, 1)), np.arange(4.0)[:, None], np.ones(4))
    assert found[0] == pytest.approx([1, 0.60653066, 0.13533528, 0.01110900], abs=5e-9)


def test_any_function_is_fitted_exactly_with_a_kernel_for_every_example():
    random = np.random.default_rng(0)
    rows, y = random.normal(size=(40, 3)), random.normal(size=40)
    fitted = network(rows, y, centers="all", width=0.3, ridge=0.0)
    assert fitted.predict(rows) == pytest.approx(y, abs=1e-8)


# --- centres -------------------------------------------------------------------------------------------------


def test_targets_play_no_part_in_placing_the_centres():
    random = np.random.default_rng(1)
    rows = random.normal(size=(60, 2))
    for strategy in ("em", "random", "grid", "all"):
        one, other = (
            network(rows, random.normal(size=60), centers=strategy, n_centers=7).hypothesis_ for _ in range(2)
        )
        assert one.centres.tolist() == other.centres.tolist()


def test_centres_by_em_are_the_means_of_gaussians_as_wide_as_they_are():
    random = np.random.default_rng(2)
    rows = np.concatenate([random.normal(0, 0.2, (80, 2)), random.normal(5, 0.6, (80, 2))])
    centres, widths = place("em", rows, np.ones(160), 2, 0)
    found = gaussian_means(rows, 2, tolerance=1e-5).hypothesis
    assert centres.tolist() == found.means.tolist()
    assert widths.tolist() == found.sigma.tolist()
    assert np.sort(widths) == pytest.approx([0.2, 0.6], rel=0.15)


def test_random_centres_are_examples():
    rows = np.random.default_rng(3).normal(size=(30, 2))
    centres, _ = place("random", rows, np.ones(30), 8, 0)
    assert len(centres) == 8
    assert set(map(tuple, centres)) <= set(map(tuple, rows))
    other, _ = place("random", rows, np.ones(30), 8, 1)
    assert set(map(tuple, centres)) != set(map(tuple, other))


@pytest.mark.parametrize(
    ("k", "columns", "expected"), [(9, 2, 9), (10, 2, 9), (3, 2, 3), (20, 8, 20), (1, 3, 1)]
)
def test_grids_cover_the_box(k, columns, expected):
    rows = np.random.default_rng(4).uniform(-3, 5, (50, columns))
    centres, widths = place("grid", rows, np.ones(50), k, 0)
    assert centres.shape == (expected, columns)
    assert len(widths) == expected
    assert (centres >= rows.min(axis=0)).all()
    assert (centres <= rows.max(axis=0)).all()


def test_equal_examples_share_a_kernel():
    fitted = network([[1.0], [1.0], [2.0]], [3.0, 5.0, 7.0], **EXACT)
    assert len(fitted.hypothesis_.widths) == 2
    assert fitted.predict([[1.0], [2.0]]) == pytest.approx([4, 7])


# --- the second stage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ridge", [0.0, 0.01])
@pytest.mark.parametrize("intercept", ["free", "zero"])
def test_left_out_errors_are_those_of_learning_without_the_example(ridge, intercept):
    random = np.random.default_rng(5)
    kernels, targets = random.random((20, 4)), random.normal(size=(20, 2))
    _, _, found = output_weights(kernels, targets, np.ones(20), intercept, ridge)
    for i in range(20):
        kept = np.arange(20) != i
        # the cost of a weight is per example, and one is missing
        w0, w, _ = output_weights(kernels[kept], targets[kept], np.ones(19), intercept, ridge * 20 / 19)
        assert targets[i] - w0 - kernels[i] @ w == pytest.approx(found[i])


def test_weights_of_examples_are_repetitions():
    random = np.random.default_rng(6)
    kernels, targets, weights = random.random((8, 3)), random.normal(size=(8, 1)), random.integers(1, 4, 8)
    rows = np.repeat(np.arange(8), weights)
    mine = output_weights(kernels, targets, weights.astype(float), "free", 0.01)
    other = output_weights(kernels[rows], targets[rows], np.ones(len(rows)), "free", 0.01)
    assert mine[0] == pytest.approx(other[0])
    assert mine[1] == pytest.approx(other[1])
    assert mine[2][rows] == pytest.approx(other[2])


def test_the_width_is_chosen_by_leave_one_out():
    random = np.random.default_rng(7)
    x = np.linspace(-3, 3, 60)
    y = np.sin(2 * x) + random.normal(0, 0.1, 60)
    widths = (0.01, 0.3, 30.0)
    fitted = network(x[:, None], y, centers="grid", n_centers=12, width=widths, ridge=1e-4)
    assert fitted.hypothesis_.choice.best == {"width": 0.3}
    assert np.abs(fitted.predict(x[:, None]) - np.sin(2 * x)).mean() < 0.1
    free = network(x[:, None], y, n_centers=8)
    assert "width factor" in str(free.hypothesis_)
    assert np.abs(free.predict(x[:, None]) - np.sin(2 * x)).mean() < 0.1


def test_the_number_of_kernels_is_chosen_by_leave_one_out():
    x = np.linspace(-3, 3, 90)
    y = np.sin(12 * x)
    assert np.abs(network(x[:, None], y, n_centers=10).predict(x[:, None]) - y).mean() > 0.3
    chosen = network(x[:, None], y)
    assert chosen.hypothesis_.choice.best["kernels"] > 20
    assert np.abs(chosen.predict(x[:, None]) - y).mean() < 0.1


def test_many_columns_take_one_line():
    random = np.random.default_rng(0)
    rows = random.choice(["present", "absent"], (40, 60)).tolist()
    fitted = network(rows, np.arange(40.0), n_centers=5)
    for line in (str(fitted.hypothesis_) + str(fitted.explain(rows[:1])[0])).splitlines():
        assert len(line) < 120
    assert "(56 more)" in line


# --- classes -------------------------------------------------------------------------------------------------


def test_classes():
    X, y = induce.dataset("iris")
    for strategy in ("em", "random", "grid", "all"):
        fitted = induce.RBFNetworkClassifier(centers=strategy, n_centers=20).fit(X, y)
        assert fitted.score(X, y) > 0.93
        shares = fitted.predict_proba(X)
        assert shares.sum(axis=1) == pytest.approx(1)
        assert (fitted.classes_[shares.argmax(axis=1)] == fitted.predict(X)).all()


def test_outputs_are_linear_in_indicators_so_classes_share_the_kernels():
    X, y = induce.dataset("iris")
    fitted = induce.RBFNetworkClassifier().fit(X, y).hypothesis_
    one = induce.RBFNetworkRegressor().fit(X, (y == "setosa").to_numpy().astype(float)).hypothesis_
    assert fitted.centres.tolist() == one.centres.tolist()
    assert fitted.outputs(fitted.rows(X)).sum(axis=1) == pytest.approx(1)


# --- explanations, pictures, bad input -----------------------------------------------------------------------


def test_explanations_add_up():
    X, y = induce.dataset("iris")
    for fitted in (induce.RBFNetworkClassifier().fit(X, y), induce.RBFNetworkRegressor().fit(X, range(150))):
        for told, point in zip(fitted.explain(X[:9]), fitted.hypothesis_.rows(X[:9]), strict=True):
            assert told.bias + sum(part.adds for part in told.parts) + told.rest == pytest.approx(told.output)
            assert told.output == pytest.approx(fitted.hypothesis_.outputs(point[None])[0].max())
        assert "further kernels" in str(told)


def test_pictures():
    curves = network(intercept="zero", **EXACT).hypothesis_.draw().axes[0].lines
    total = curves[-1].get_ydata()
    assert total == pytest.approx(np.sum([line.get_ydata() for line in curves[:5]], axis=0))
    X, y = induce.dataset("iris")
    assert induce.RBFNetworkClassifier(n_centers=5).fit(X[:, 2:4], y).hypothesis_.draw().axes[0].patches
    assert len(induce.RBFNetworkClassifier(n_centers=5).fit(X, y).hypothesis_.draw().axes[0].patches) == 15
    assert induce.RBFNetworkClassifier(n_centers=5).fit(X[:, 2:3], y).hypothesis_.draw().axes[0].lines
    mixed = pl.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["u", "v", "u"]})
    assert len(network(mixed, [1.0, 2.0, 3.0]).hypothesis_.draw().axes[0].patches) == 3


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"centers": "kmeans"}, "centers is 'kmeans'; it can be 'em', 'random', 'grid', 'all'"),
        ({"n_centers": 0}, "n_centers is 0"),
        ({"width": 0.0}, "width is 0.0; it must be a number above 0"),
        ({"width": ()}, "width is empty"),
        ({"intercept": "none"}, "intercept is 'none'"),
        ({"ridge": -1.0}, "ridge is -1.0"),
        ({"scale": 3}, "scale is 3"),
    ],
)
def test_settings_that_make_no_sense(settings, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        network(**settings)


def test_too_many_kernels():
    with pytest.raises(induce.InputError, match="centers='all' gives 5,001 kernels"):
        network(np.arange(5001.0)[:, None], np.zeros(5001), centers="all")
