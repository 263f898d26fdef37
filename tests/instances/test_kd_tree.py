"""The k-d tree to look at."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce import InputError
from induce.distances import distance
from induce.instances import KDTree

POINTS = [(2, 3), (5, 4), (9, 6), (4, 7), (8, 1), (7, 2)]


def test_the_tree_of_six_points():
    """Spec 06, O36."""
    assert str(KDTree.of(POINTS)).splitlines() == [
        "x0 <= 5",
        "  x1 <= 4",
        "    x0 <= 2: (2, 3)",
        "    x0 > 2: (5, 4)",
        "  x1 > 4: (4, 7)",
        "x0 > 5",
        "  x1 <= 2",
        "    x0 <= 7: (7, 2)",
        "    x0 > 7: (8, 1)",
        "  x1 > 2: (9, 6)",
    ]
    assert KDTree.of(POINTS).n_nodes == 11
    assert KDTree.of(POINTS).depth() == 3


@pytest.mark.parametrize(
    ("query", "points", "distances"),
    [
        ((9, 2), [(8, 1), (7, 2), (9, 6)], [1.41421356, 2, 4]),
        ((3, 4.5), [(2, 3), (5, 4)], [1.802776, 2.061553]),
        # (7, 2) is as far as (9, 6), which is stored first
        ((6, 5), [(5, 4), (4, 7), (9, 6), (7, 2)], [1.41421356, 2.82842712, 3.16227766, 3.16227766]),
        ((3, 5), [(2, 3), (5, 4), (4, 7)], [2.23606798] * 3),
    ],
)
def test_neighbours_of_six_points(query, points, distances):
    """Spec 04, 8.B-7; spec 06, O36: some lie on the other side of the root."""
    found = KDTree.of(POINTS).search(query, len(points))
    assert [POINTS[place] for place in found.places] == points
    assert found.distances == pytest.approx(distances, abs=1e-6)


@pytest.mark.parametrize("axes", ["cycle", "widest"])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "minkowski"])
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 40), st.booleans())
def test_it_finds_what_a_scan_finds(axes, metric, seed, n, ties):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n, 3)).astype(float) if ties else rng.normal(size=(n, 3))
    query, k = rng.normal(size=3), seed % (n + 3) + 1
    every = distance(metric, X, p=3).between([query], X)[0]
    found = KDTree.of(X, axes, metric, p=3).search(query, k)
    order = np.lexsort((np.arange(n), every))[:k]
    assert list(found.places) == order.tolist()
    assert found.distances == pytest.approx(every[order].tolist())


def test_it_sees_a_small_part_of_the_tree():
    X = np.random.default_rng(0).random((2_000, 2))
    tree = KDTree.of(X)
    seen = [tree.search(query, 1) for query in np.random.default_rng(1).random((50, 2))]
    assert np.mean([each.rows for each in seen]) < 20
    assert np.mean([each.nodes for each in seen]) < 60 < tree.n_nodes


def test_equal_points_share_a_leaf():
    tree = KDTree.of([[1.0, 1.0]] * 3 + [[1.0, 2.0]])
    assert tree.n_nodes == 3
    assert tree.search((1, 1), 4).places == (0, 1, 2, 3)


def test_a_picture_of_it():
    figure = KDTree.of(POINTS).draw()
    assert len(figure.axes[0].lines) == 6  # five boundaries, and the points
    with pytest.raises(InputError, match="has 3 columns"):
        KDTree.of([[1, 2, 3], [3, 2, 1]]).draw()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: KDTree.of([["a"], ["b"]]), "needs numeric columns without missing values"),
        (lambda: KDTree.of([[1.0], [np.nan]]), "needs numeric columns without missing values"),
        (lambda: KDTree.of(POINTS, axes="any"), "axes is 'any'"),
        (lambda: KDTree.of(POINTS, metric="heom"), "metric is 'heom'"),
        (lambda: KDTree.of(POINTS).search((1, np.nan)), "the point has a missing value"),
        (lambda: KDTree.of(POINTS).search((1, 2), k=0), "k is 0"),
    ],
)
def test_what_is_no_tree(make, sentence):
    with pytest.raises(InputError, match=sentence):
        make()
