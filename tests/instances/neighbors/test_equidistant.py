"""Examples equally far share the votes that are left."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce import KNeighborsClassifier, KNeighborsRegressor
from induce.core.errors import InputError

X = [[0.0], [1.0], [-1.0], [2.0]]


def test_two_share_one_vote():
    shares = KNeighborsClassifier(2, metric="euclidean").fit(X, ["a", "b", "c", "c"]).predict_proba([[0.0]])
    assert shares[0] == pytest.approx([0.5, 0.25, 0.25])
    mean = KNeighborsRegressor(2, metric="euclidean").fit(X, [4.0, 1.0, 3.0, 9.0])
    assert mean.predict([[0.0]]) == pytest.approx([(4.0 + 0.5 * 1.0 + 0.5 * 3.0) / 2])


def test_only_those_stored_first():
    first = KNeighborsClassifier(2, metric="euclidean", equidistant="first").fit(X, ["a", "b", "c", "c"])
    assert first.predict_proba([[0.0]])[0] == pytest.approx([0.5, 0.5, 0.0])


@given(seed=st.integers(0, 10**6), k=st.sampled_from([1, 3, 10]))
def test_the_order_of_the_examples_does_not_matter(seed, k):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame({f"c{j}": rng.choice(["x", "y", "z"], 60) for j in range(4)})
    labels = rng.choice(["p", "q", "r"], 60)
    order = rng.permutation(60)
    one = KNeighborsClassifier(k).fit(frame, labels)
    other = KNeighborsClassifier(k).fit(frame[order], labels[order])
    np.testing.assert_allclose(one.predict_proba(frame), other.predict_proba(frame))
    assert (one.predict(frame) == other.predict(frame)).all()


@pytest.mark.compiled
@pytest.mark.parametrize("algorithm", ["scan", "kd_tree", "blocks", "tiles"])
def test_all_ways_of_search_find_all_that_are_equally_far(algorithm):
    grid = np.stack(np.meshgrid(*[np.arange(5.0)] * 3), -1).reshape(-1, 3)
    y = np.random.default_rng(0).random(len(grid))
    asked = grid[::7] + 0.5
    expected = KNeighborsRegressor(3, metric="euclidean", algorithm="scan").fit(grid, y).predict(asked)
    found = KNeighborsRegressor(3, metric="euclidean", algorithm=algorithm).fit(grid, y).predict(asked)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_leaving_one_out_is_learning_from_the_others():
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({f"c{j}": rng.choice(["x", "y"], 40) for j in range(3)})
    labels = np.where(rng.random(40) < 0.8, frame["c0"].to_numpy(), "x")
    found = KNeighborsClassifier(3, metric="hamming").leave_one_out_predict(frame, labels)
    for row in range(40):
        others = np.delete(np.arange(40), row)
        alone = KNeighborsClassifier(3, metric="hamming").fit(frame[others], labels[others])
        assert found[row] == alone.predict(frame[row : row + 1])[0]


def test_something_else():
    with pytest.raises(InputError, match="equidistant is 'random'"):
        KNeighborsClassifier(equidistant="random").fit(X, ["a", "b", "c", "c"])
