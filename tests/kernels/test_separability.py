"""Mercer's condition, planes that separate, and Cover's count (AIMA exercise 20.21)."""

import numpy as np
import pytest

import induce
from induce.kernels import Polynomial, cover_count, mercer, separable, separable_labellings
from induce.kernels.definiteness import mercer_of


@pytest.mark.parametrize(
    ("n", "d", "count"),
    [(2, 1, 4), (3, 2, 8), (4, 2, 14), (4, 3, 16), (5, 3, 30), (5, 4, 32), (6, 4, 62)],
)
def test_covers_count_is_what_is_found(n, d, count):
    points = np.random.default_rng(n + 10 * d).normal(size=(n, d))
    assert cover_count(n, d) == separable_labellings(points) == count


def test_points_on_a_line_are_not_in_general_position():
    assert separable_labellings([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]) == 6 < cover_count(3, 2)


def test_any_labels_of_n_points_are_separable_in_n_less_one_dimensions():
    for n in (3, 5, 8):
        assert cover_count(n, n - 1) == 2**n


def test_features_make_circles_and_ellipses_planes():
    """A circle at the origin needs 2 features, one anywhere 4, an ellipse 5 (AIMA 18.9)."""
    x = np.random.default_rng(0).uniform(-2, 2, (200, 2))
    squares = x**2
    origin = (squares.sum(axis=1) < 1.3).tolist()
    moved = (((x - 0.4) ** 2).sum(axis=1) < 1.3).tolist()
    ellipse = (((x - 0.3) @ np.array([[1.0, 0.6], [0.0, 0.7]])) ** 2).sum(axis=1) < 0.8
    assert not separable(x, origin)
    assert separable(squares, origin)
    assert not separable(squares, moved)
    assert separable(np.hstack([x, squares]), moved)
    assert not separable(np.hstack([x, squares]), ellipse)
    assert separable(Polynomial(2).features(x), ellipse)


def test_bad_questions():
    with pytest.raises(induce.InputError, match="y has 3 classes"):
        separable([[0.0], [1.0], [2.0]], [0, 1, 2])
    with pytest.raises(induce.InputError, match="give one row of numbers and one class"):
        separable([0.0, 1.0], [0, 1])
    with pytest.raises(induce.InputError, match="too many labellings"):
        separable_labellings(np.zeros((20, 2)))
    assert separable([[0.0], [1.0]], ["a", "a"])


def test_mercer_says_which_eigenvalue():
    found = mercer(lambda x, z: -float(((x - z) ** 2).sum()), np.arange(4.0)[:, np.newaxis])
    assert not found.holds
    assert "eigenvalue 4 of 4 below zero, the smallest is -11.4" in str(found)
    assert "2 eigenvalues of 3 below zero" in str(mercer_of(-np.diag([1.0, 2.0, -3.0])))
    assert "K(x, z) and K(z, x) differ by up to 1" in str(mercer_of(np.array([[1.0, 1.0], [0.0, 1.0]])))
    assert mercer_of(np.ones((3, 3))).holds  # semidefinite is enough
    with pytest.raises(induce.InputError, match="give a square matrix"):
        mercer_of(np.ones((2, 3)))
