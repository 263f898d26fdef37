"""Attributes that count more, less, or not at all."""

import numpy as np
import pytest

import induce
from induce import KNeighborsClassifier, KNeighborsRegressor
from induce.instances import eliminate_attributes, stretch_attributes


def irrelevant(n=100, width=8, seed=0):
    """Two relevant attributes, and others."""
    X = np.random.default_rng(seed).random((n, width))
    return X, X[:, 0] + X[:, 1] > 1


@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_what_is_irrelevant_is_eliminated(direction):
    X, y = irrelevant()
    nearest = KNeighborsClassifier(5, metric="euclidean")
    found = eliminate_attributes(nearest, X, y, direction=direction)
    assert found.weights["x0"] == found.weights["x1"] == 1
    assert sum(found.weights.values()) <= 5
    assert found.loss < found.before
    left = KNeighborsClassifier(5, metric="euclidean", attribute_weights=found.weights).leave_one_out_predict(
        X, y
    )
    assert np.mean(left != y) == pytest.approx(found.loss)
    assert found.steps[-1][1] == found.loss
    X2, y2 = irrelevant(n=500, seed=1)
    plain, better = (
        KNeighborsClassifier(5, metric="euclidean", attribute_weights=w).fit(X, y).score(X2, y2)
        for w in (None, found.weights)
    )
    assert better > plain


def test_axes_are_stretched_by_cross_validation():
    X, y = irrelevant()
    found = stretch_attributes(KNeighborsClassifier(5), X, y, repeats=3)
    assert found.loss < found.before
    assert min(found.weights["x0"], found.weights["x1"]) > max(found.weights[f"x{j}"] for j in range(2, 8))
    assert found == stretch_attributes(KNeighborsClassifier(5), X, y, repeats=3)
    assert "with equal weights" in str(found)


def test_numbers():
    X, _ = irrelevant()
    found = eliminate_attributes(KNeighborsRegressor(3), X, X[:, 0])
    assert found.weights["x0"] == 1
    assert found.loss_name == "mean squared error"
    assert found.loss < found.before / 4


def test_local_stretching_follows_what_matters_where():
    """Left of the middle the first attribute decides, right of it the second."""
    rng = np.random.default_rng(0)

    def draw(n):
        X = rng.random((n, 6))
        return X, np.where(X[:, 5] < 0.5, X[:, 0] > 0.5, X[:, 1] > 0.5)

    (X, y), (T, truth) = draw(400), draw(300)
    with pytest.warns(induce.Note, match="which risks overfitting"):
        local = KNeighborsClassifier(5, metric="euclidean", local_rows=60).fit(X, y)
    plain = KNeighborsClassifier(5, metric="euclidean").fit(X, y)
    assert local.score(T, truth) > plain.score(T, truth)
    assert "axes stretched at each query among 60 examples" in str(local.hypothesis_)
    assert [told.prediction for told in local.explain(T[:20])] == local.predict(T[:20]).tolist()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda X, y: eliminate_attributes(KNeighborsClassifier(), X, y, direction="up"),
            "direction is 'up'",
        ),
        (lambda X, y: stretch_attributes(KNeighborsClassifier(), X, y, repeats=0), "repeats is 0"),
        (lambda X, y: stretch_attributes(KNeighborsClassifier(), X, y, test_size=1.5), "test_size is 1.5"),
        (
            lambda X, y: stretch_attributes(KNeighborsClassifier(1), X[:1], y[:1]),
            "leaves one side of 1 examples empty",
        ),
        (
            lambda X, y: eliminate_attributes(KNeighborsClassifier(metric="mahalanobis"), X, y),
            "is a sum over attributes",
        ),
        (lambda X, y: KNeighborsClassifier(local_rows=1).fit(X, y), "local_rows is 1"),
        (
            lambda X, y: KNeighborsClassifier(local_rows=9, metric="mahalanobis").fit(X, y),
            "local_rows stretches axes, but metric 'mahalanobis' has none",
        ),
    ],
)
def test_what_cannot_be_stretched(make, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        make(*irrelevant())
