"""Separability with its proof, the line with the fewest errors, and counts."""

from itertools import product

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.linear import fewest_errors, least_slack, separable, threshold_functions

CORNERS = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]], float)


def test_a_plane_and_its_margin():
    found = separable([[2, 2], [2, 3], [3, 3], [0, 0], [1, 0], [0, 1]], [1, 1, 1, 0, 0, 0])
    sums = np.array([[2, 2], [2, 3], [3, 3], [0, 0], [1, 0], [0, 1]]) @ found.weights + found.intercept
    assert found
    assert ((sums > 0) == [1, 1, 1, 0, 0, 0]).all()
    assert found.margin == pytest.approx(np.abs(sums).min() / np.linalg.norm(found.weights))
    assert found.margin <= 2.121320 / 2 + 1e-6


def test_the_multipliers_prove_that_there_is_none():
    found = separable(CORNERS, [0, 1, 1, 0])
    assert not found
    inside = np.array([0, 1, 1, 0], bool)
    assert found.multipliers[inside].sum() == pytest.approx(1)
    assert found.multipliers[~inside].sum() == pytest.approx(1)
    means = [found.multipliers[part] @ CORNERS[part] for part in (inside, ~inside)]
    assert np.allclose(*means, atol=1e-9)


def test_counts_of_threshold_functions():
    assert [threshold_functions(n) for n in (1, 2, 3, 4)] == [4, 14, 104, 1882]
    for n in (1, 2):
        rows = np.array(list(product((0, 1), repeat=n)))
        every = product((0, 1), repeat=2**n)
        assert sum(bool(separable(rows, values)) for values in every) == threshold_functions(n)
    with pytest.raises(InputError, match="n is 5; give a number of inputs from 1 to 4"):
        threshold_functions(5)


def test_earthquakes():
    X, y = induce.dataset("earthquakes")
    points, explosion = X.to_numpy(), np.array(y.to_list()) == "explosion"
    assert points.shape == (63, 2)
    assert separable(X, y.to_list())
    assert (((points @ [1.7, -1.0] - 4.9) >= 0) == explosion).all()
    noisy, y = induce.dataset("earthquakes-noisy")
    points, explosion = noisy.to_numpy(), np.array(y.to_list()) == "explosion"
    assert points.shape == (72, 2)
    assert not separable(noisy, y.to_list())
    assert (((points @ [1.7, -1.0] - 4.9) >= 0) != explosion).sum() == 4
    assert pytest.approx(0.58) == 1.7 * 5.4 - 3.7 - 4.9


@pytest.mark.slow
def test_the_best_line_through_the_noisy_earthquakes():
    X, y = induce.dataset("earthquakes-noisy")
    points, explosion = X.to_numpy(), np.array(y.to_list()) == "explosion"
    line, errors = fewest_errors(points, explosion)
    assert errors == 3
    assert (((points @ line[1:] + line[0]) > 0) != explosion).sum() == 3


def test_fewest_errors_of_small_sets():
    assert fewest_errors(CORNERS, [0, 1, 1, 0])[1] == 1
    assert fewest_errors(CORNERS, [0, 0, 0, 1])[1] == 0
    on_a_line = np.column_stack([np.arange(5.0), np.arange(5.0)])
    assert fewest_errors(on_a_line, [0, 0, 1, 1, 1])[1] == 0
    assert fewest_errors(on_a_line, [0, 1, 0, 1, 1])[1] == 1
    with pytest.raises(InputError, match="give two numbers and a class per point"):
        fewest_errors([[1.0]], [True])


def test_categories_and_single_classes():
    rows = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
    assert separable(rows, [0, 0, 0, 1])
    assert not separable(rows, [0, 1, 1, 0])
    assert separable(rows, [1, 1, 1, 1]).margin == np.inf
    with pytest.raises(InputError, match="y has 3 classes; give two"):
        separable(rows, [0, 1, 2, 0])


def test_many_rows_near_the_plane():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 5))
    sums = X @ [1.0, -2.0, 0.5, 0.0, 1.0] + 0.3
    X, sums = X[np.abs(sums) > 0.02], sums[np.abs(sums) > 0.02]
    assert separable(X, sums > 0)
    X[0] = X[sums < 0][:6].mean(axis=0)
    assert not separable(X, np.append(True, sums[1:] > 0))


def test_what_rows_lack_to_be_separated():
    """The linear program for classes that no plane separates: XOR of -1 and 1 lacks 4 with a margin of 1."""
    assert least_slack(CORNERS, [0, 1, 1, 0])[1] == pytest.approx(4.0)
    weights, slack = least_slack(CORNERS, [0, 0, 0, 1])
    assert slack == 0.0
    assert ((CORNERS @ weights[1:] + weights[0] > 0) == [False, False, False, True]).all()
    X, y = induce.dataset("earthquakes-noisy")
    weights, slack = least_slack(X, y.to_list())
    side = np.where(np.array(y.to_list()) == "explosion", 1, -1)
    short = np.maximum(0.0, 1 - side * (X.to_numpy() @ weights[1:] + weights[0]))
    assert slack == pytest.approx(short.sum())
    assert 3 <= (short > 1).sum() <= slack
    assert least_slack(CORNERS, [1, 1, 1, 1])[1] == 0.0
    with pytest.raises(InputError, match="y has 3 classes"):
        least_slack(CORNERS, [0, 1, 2, 0])
