"""Whichever way the nearest rows are searched, they are the same, in the same order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.distances import distance
from induce.instances.search import index as indexes
from induce.instances.search import tiles
from induce.instances.search.blocks import Blocks
from induce.instances.search.found import ranked, smallest
from induce.instances.search.index import Index
from induce.instances.search.scan import Scan
from induce.instances.search.scipy_tree import SciPyTree
from induce.instances.search.tiles import Tiles


def exact(measure, queries, rows, k):
    """Sort all rows by distance, then by place."""
    powers = measure.powers(queries, rows)
    order = np.lexsort((np.broadcast_to(np.arange(len(rows)), powers.shape), powers))[:, :k]
    return np.take_along_axis(powers, order, axis=1), order


def check(engine, measure, queries, rows, k):
    powers, places = exact(measure, queries, rows, k)
    found = engine(measure, rows).nearest(queries, k)
    np.testing.assert_array_equal(found.places, places)
    np.testing.assert_array_equal(found.powers, powers)


@pytest.fixture
def plain(monkeypatch):
    """Run the loops of tiles as they are."""
    monkeypatch.setattr(tiles, "compiled", lambda loop: loop)


def numbers(seed, n, width, ties):
    rng = np.random.default_rng(seed)
    draw = (
        (lambda *shape: rng.integers(0, 3, shape).astype(float))
        if ties
        else (lambda *shape: rng.normal(size=shape))
    )
    return draw(n, width), draw(12, width)


@pytest.mark.parametrize("engine", [Scan, SciPyTree, Blocks])
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(1, 5), st.booleans())
def test_numbers(engine, seed, n, width, ties):
    X, Q = numbers(seed, n, width, ties)
    measure = distance("euclidean", X)
    check(engine, measure, measure.rows(Q), measure.rows(X), int(seed % n) + 1)


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev", "minkowski", "mahalanobis", "heom"])
@pytest.mark.parametrize("ties", [False, True])
def test_other_metrics(metric, ties):
    X, Q = numbers(3, 200, 3, ties)
    measure = distance(metric, X, p=3)
    for name in measure.engines(measure.rows(X)):
        if name != "tiles":
            check(indexes.ENGINES[name], measure, measure.rows(Q), measure.rows(X), 7)


def mixed_rows(seed, n, holes):
    """A table with numbers and nominal values, some missing."""
    rng = np.random.default_rng(seed)
    domain = ("a", "b", "c")
    schema = Schema(
        (Column("x"), Column("c", "nominal", domain), Column("y"), Column("d", "nominal", domain))
    )
    numeric = rng.integers(0, 4, (n, 2)).astype(float)
    nominal = rng.integers(0, 3, (n, 2)).astype(np.int32)
    numeric[rng.random((n, 2)) < holes] = np.nan
    nominal[rng.random((n, 2)) < holes] = -1
    return Table(schema, numeric, nominal), rng.integers(0, 2, n)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("metric", ["heom", "hvdm", "manhattan", "chebyshev"])
@pytest.mark.parametrize("holes", [0.0, 0.2])
def test_tiles_of_mixed_rows_with_holes(metric, holes, monkeypatch):
    monkeypatch.setattr(tiles, "SIZE", 8)
    table, labels = mixed_rows(1, 60, holes)
    measure = distance(metric, table, labels, p=3)
    rows = measure.rows(table)
    assert measure.engines(rows) == ("scan", "tiles")
    asked = measure.rows(table.rows(np.arange(10)))
    strange = measure.rows(Table(table.schema, np.array([[np.nan, 2.0]]), np.array([[-2, 1]], np.int32)))
    for k in (1, 5, 60):
        check(Tiles, measure, asked, rows, k)
        check(Tiles, measure, strange, rows, k)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_tiles_of_numbers(metric, seed, ties):
    X, Q = numbers(seed, 50, 2, ties)
    before, tiles.SIZE = tiles.SIZE, 8
    try:
        measure = distance(metric, X, p=3)
        check(Tiles, measure, measure.rows(Q), measure.rows(X), 4)
    finally:
        tiles.SIZE = before


@pytest.mark.compiled
def test_compiled_tiles_are_the_plain_ones():
    table, labels = mixed_rows(2, 3_000, 0.1)
    measure = distance("hvdm", table, labels)
    check(Tiles, measure, measure.rows(table.rows(np.arange(20))), measure.rows(table), 9)


def test_large_offsets_do_not_mislead_single_precision():
    X = np.random.default_rng(0).normal(size=(400, 6)) * 1e-3 + 1e6
    measure = distance("euclidean", X)
    check(Blocks, measure, measure.rows(X[:20]), measure.rows(X), 5)


@pytest.mark.parametrize("engine", [Scan, SciPyTree, Blocks])
def test_the_same_row_many_times(engine):
    X = np.repeat([[1.0, 2.0], [3.0, 1.0]], 40, axis=0)
    measure = distance("euclidean", X)
    check(engine, measure, measure.rows([[1.0, 2.0], [2.0, 2.0]]), measure.rows(X), 50)


# --- the index -----------------------------------------------------------------------------------------------


def test_a_trial_decides_where_there_is_much_to_do(monkeypatch):
    X = np.random.default_rng(0).normal(size=(3_000, 3))
    measure = distance("euclidean", X)
    rows = measure.rows(X)
    monkeypatch.setattr(indexes, "SMALL", 1_000_000)
    with induce.trace(only="search") as events:
        index = Index(measure, rows)
        few = index.nearest(rows[:10], 5)
        assert not events
        many = index.nearest(rows[:300], 5)
    assert events
    assert events[-1]["chosen"] in ("scan", "kd_tree", "blocks", "tiles")
    np.testing.assert_array_equal(few.places, many.places[:10])
    np.testing.assert_array_equal(many.places, exact(measure, rows[:300], rows, 5)[1])


def test_more_neighbours_than_rows():
    measure = distance("euclidean", [[0.0], [2.0]])
    index = Index(measure, measure.rows([[0.0], [2.0]]))
    assert index.nearest(measure.rows([[1.5]]), 9).places.tolist() == [[1, 0]]


def test_what_each_distance_can_be_served_by():
    X = [[0.0, 1.0], [2.0, 3.0]]
    engines = {
        metric: distance(metric, X).engines(distance(metric, X).rows(X))
        for metric in ("euclidean", "manhattan")
    }
    assert engines == {
        "euclidean": ("scan", "kd_tree", "blocks", "tiles"),
        "manhattan": ("scan", "kd_tree", "tiles"),
    }
    cubes = distance("minkowski", X, p=3)
    assert cubes.engines(cubes.rows(X)) == ("scan", "kd_tree")
    steps = distance(lambda a, b: 0.0, X)
    assert steps.engines(steps.rows(X)) == ("scan",)
    holes = distance("euclidean", [[0.0], [np.nan]])
    assert holes.engines(holes.rows([[0.0], [np.nan]])) == ("scan", "tiles")


def test_many_candidates_and_few_are_ranked_alike():
    """Equal distances leave many candidates for few neighbours; they come in the order of rows."""
    rng = np.random.default_rng(0)
    for levels in (2, 50):
        powers = rng.integers(0, levels, (9, 40)).astype(float)
        for k in (1, 3, 9):
            query, place = np.divmod(np.arange(powers.size), 40)
            found = ranked(powers.ravel(), query, place, 9, k)
            order = np.argsort(powers, axis=1, kind="stable")[:, :k]
            assert found.places.tolist() == order.tolist() == smallest(powers, k).places.tolist()


def test_small_tables_are_not_scanned():
    """A scan of a thousand rows took twenty times as long as a product of matrices."""
    X = np.random.default_rng(0).normal(size=(1000, 20))
    measure = distance("euclidean", X)
    searched = Index(measure, measure.rows(X))
    assert searched._way(measure.rows(X[:200]), 5) != "scan"
    assert searched._way(measure.rows(X[:1]), 5) == "scan"
