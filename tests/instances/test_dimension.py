"""The curse of dimension, and the bounds of Cover and Hart."""

import numpy as np
import pytest

import induce
from induce.instances.dimension import (
    cover_hart,
    curse_of_dimension,
    neighbourhood_edge,
    neighbourhood_radius,
    sampled_shell_share,
    shell_share,
)


@pytest.mark.parametrize(
    ("dimensions", "edge"),
    [(2, 0.0031623), (3, 0.0215443), (10, 0.316228), (17, 0.508022), (100, 0.891251), (200, 0.944061)],
)
def test_edges(dimensions, edge):
    assert neighbourhood_edge(10, 1_000_000, dimensions) == pytest.approx(edge, rel=2e-5)


@pytest.mark.parametrize(("dimensions", "share"), [(1, 0.02), (10, 0.18293), (100, 0.86738), (200, 0.98241)])
def test_shells(dimensions, share):
    assert shell_share(dimensions) == pytest.approx(share, abs=5e-6)
    assert sampled_shell_share(dimensions) == pytest.approx(share, abs=0.02)


def test_balls():
    assert neighbourhood_radius(10, 1_000_000, 1) == pytest.approx(0.5e-5)
    assert neighbourhood_radius(10, 1_000_000, 2) == pytest.approx(np.sqrt(1e-5 / np.pi))
    assert neighbourhood_radius(10, 1_000_000, 3) == pytest.approx((1e-5 / (4 / 3 * np.pi)) ** (1 / 3))
    assert neighbourhood_radius(10, 1_000_000, 500) > 1


def test_the_picture_shows_both_curves():
    found = curse_of_dimension()
    left, right = found.draw().axes
    assert left.lines[0].get_ydata().tolist() == pytest.approx(found.edges)
    assert right.lines[0].get_ydata().tolist() == pytest.approx(found.shells)
    assert np.abs(np.subtract(found.shells, found.sampled)).max() < 0.02


def test_cover_and_hart():
    assert cover_hart(0.0) == (0.0, 0.0)
    assert cover_hart(0.5) == pytest.approx((0.5, 0.5))
    assert cover_hart(0.1, 10) == pytest.approx((0.1, 0.1 * (2 - 10 / 9 * 0.1)))


def test_nearest_neighbours_keep_to_the_bound():
    """Two normals one apart: the best there is errs as often as a normal exceeds half the distance."""
    from scipy.stats import norm

    random = np.random.default_rng(0)
    y = random.integers(0, 2, 20_000)
    x = random.normal(y * 2.0, 1.0)
    best = norm.sf(1.0)
    train, test = slice(0, 10_000), slice(10_000, None)
    order = np.argsort(x[train])
    right = np.clip(np.searchsorted(x[train][order], x[test]), 1, 9_999)
    left = right - 1
    nearer = np.where(x[test] - x[train][order][left] < x[train][order][right] - x[test], left, right)
    error = np.mean(y[train][order][nearer] != y[test])
    low, high = cover_hart(best)
    assert low <= error <= high


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: neighbourhood_edge(11, 10, 2), "k is 11; give a value between 0 and n, which is 10"),
        (lambda: neighbourhood_edge(1, 10, 0), "dimensions is 0"),
        (lambda: shell_share(3, 0.6), "thickness is 0.6"),
        (lambda: sampled_shell_share(3, points=0), "points is 0"),
        (lambda: cover_hart(0.6), "bayes_error is 0.6; give a value between 0 and 0.5 for 2 classes"),
        (lambda: cover_hart(0.1, 1), "n_classes is 1"),
    ],
)
def test_bad_input(call, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        call()
