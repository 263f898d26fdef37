"""The nearest points: the same as by looking at all, whatever the ties and the weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.instances.nearby import Points, all_points

whole = st.integers(0, 3)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(whole, whole), min_size=1, max_size=30), st.integers(1, 12), st.integers(0, 5))
def test_ties_go_by_the_order_stored(points, k, seed):
    data = np.array(points, dtype=float)
    queries = np.random.default_rng(seed).integers(0, 4, (5, 2)).astype(float)
    found = Points(data).nearest(np.ones(len(data)), queries, k)
    for query, index in zip(queries, found.index, strict=True):
        away = np.sqrt(np.square(data - query).sum(axis=1))
        assert index[: min(k, len(data))].tolist() == np.argsort(away, kind="stable")[:k].tolist()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(whole, st.integers(1, 3)), min_size=2, max_size=12), st.integers(1, 6))
def test_weights_are_repetitions(rows, k):
    points, weights = np.array([[float(x)] for x, _ in rows]), np.array([float(w) for _, w in rows])
    repeated = np.repeat(points, weights.astype(int), axis=0)
    queries = np.array([[0.5], [2.0]])
    mine = Points(points).nearest(weights, queries, k)
    other = Points(repeated).nearest(np.ones(len(repeated)), queries, k)
    assert (mine.weights * mine.distance).sum(axis=1) == pytest.approx(
        (other.weights * other.distance).sum(axis=1)
    )
    assert mine.weights.sum(axis=1) == pytest.approx(min(k, weights.sum()))


def test_leaving_oneself_out():
    points = np.array([[0.0], [0.0], [1.0], [3.0]])
    own = np.arange(4)
    found = Points(points).nearest(np.ones(4), points, 2, own)
    counted = [index[weights > 0].tolist() for index, weights in zip(found.index, found.weights, strict=True)]
    assert counted == [[1, 2], [0, 2], [0, 1], [2, 0]]
    everything = all_points(points, np.ones(4), points, own)
    assert everything.weights.tolist() == (1 - np.eye(4)).tolist()


def test_one_of_several_copies_is_left_out():
    found = all_points(np.array([[0.0], [1.0]]), np.array([3.0, 0.5]), np.zeros((2, 1)), np.array([0, 1]))
    assert found.weights.tolist() == [[2.0, 0.5], [3.0, 0.0]]
