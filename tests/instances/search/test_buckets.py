"""Locality-sensitive hashing."""

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.loops import compiled
from induce.distances import distance
from induce.instances import LSH, any_table, bit_collision, projection_collision
from induce.instances.search import buckets


@pytest.mark.parametrize(
    ("differ", "sampled", "tables", "one", "either"),
    [
        (2, 8, 4, 0.76389, 0.99689),
        (2, 16, 10, 0.55952, 0.99973),
        (8, 8, 4, 0.32093, 0.78735),
        (8, 16, 50, 0.08525, 0.98838),
        (16, 8, 4, 0.08525, 0.29983),
        (16, 16, 50, 0.00462, 0.20651),
        (32, 8, 4, 0.00238, 0.00947),
    ],
)
def test_collisions_of_bits(differ, sampled, tables, one, either):
    """Spec 06, O37."""
    found = bit_collision(64, differ, sampled)
    assert found == pytest.approx(one, abs=5e-6)
    assert any_table(found, tables) == pytest.approx(either, abs=5e-6)


def test_collisions_of_projections_as_simulated():
    rng = np.random.default_rng(0)
    for ratio in (0.5, 1.0, 4.0):
        gap, offset = rng.normal(size=200_000) / ratio, rng.random(200_000)
        assert projection_collision(ratio) == pytest.approx(
            np.mean(np.floor(offset) == np.floor(offset + gap)), abs=5e-3
        )
    assert projection_collision(0.0) == 0.0


def clusters(n=400, width=16, n_centres=20, seed=0):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(n_centres, width)) * 10
    return centres[rng.integers(0, n_centres, n)] + rng.normal(size=(n, width))


def bits(n=400, width=64, seed=0):
    """Strings of bits, each near one of some others."""
    rng = np.random.default_rng(seed)
    centres = rng.random((20, width)) < 0.5
    return pl.DataFrame((centres[rng.integers(0, 20, n)] ^ (rng.random((n, width)) < 0.03)), orient="row")


def test_the_promise_is_kept_for_projections():
    X = clusters()
    settings = LSH.around(X, k=5, c=3, failure=0.1)
    index = settings.index(X)
    assert index.recall(X[:100], 5) >= 0.9
    assert index.looked_at(X[:100]) < 0.3
    assert "projections" in str(index)


def test_the_promise_is_kept_for_bits():
    X = bits()
    index = LSH(r=4, c=4, failure=0.05).index(X)
    assert index.recall(X[:50], 1) == 1.0
    near = distance("hamming", X).between(X[:30], X) <= 4
    places = index.neighbors(X[:30], k=60)[1]
    found = np.array(
        [len(set(row[row >= 0]) & set(np.flatnonzero(want))) for row, want in zip(places, near, strict=True)]
    )
    assert found.sum() / near.sum() >= 0.95


def test_recall_is_as_the_formula_says():
    """Property 10 of spec 06: within binomial error of 1 - (1 - p)^l, for pairs at one distance."""
    rng = np.random.default_rng(3)
    n, width, differ = 1_500, 32, 6
    base = rng.random((n, width)) < 0.5
    other = base.copy()
    for row in other:
        row[rng.permutation(width)[:differ]] ^= True
    index = LSH(r=5, c=2, failure=0.2).index(pl.DataFrame(base, orient="row"))
    found = index.neighbors(pl.DataFrame(other, orient="row"), k=3)[1]
    share = np.mean((found == np.arange(n)[:, None]).any(axis=1))
    expected = any_table(bit_collision(width, differ, index.n_sampled), index.n_tables)
    # all pairs share the same tables, so that the share varies more than n tosses of a coin would
    assert share == pytest.approx(expected, abs=0.08)


def test_distances_are_exact_and_what_is_not_found_is_said():
    X = clusters()
    measure = distance("euclidean", X)
    away, places = LSH.around(X, k=5, c=3, failure=0.1).index(X).neighbors(X[:50], 5)
    every = measure.between(X[:50], X)
    found = places >= 0
    np.testing.assert_array_equal(away[found], every[np.nonzero(found)[0], places[found]])
    far = LSH(r=0.1, c=2).index(X).neighbors(np.full((1, 16), 500.0), 2)
    assert far[0].tolist() == [[np.inf, np.inf]]
    assert far[1].tolist() == [[-1, -1]]


@pytest.mark.compiled
def test_plain_and_compiled_are_the_same(monkeypatch):
    X = clusters()
    index = LSH.around(X, k=5, c=3).index(X)
    plain = index.neighbors(X[:30], 5)
    monkeypatch.setattr(buckets, "sized", lambda loop, *_: compiled(loop))
    for mine, other in zip(plain, index.neighbors(X[:30], 5), strict=True):
        np.testing.assert_array_equal(mine, other)


def test_neighbours_by_hashing():
    X = clusters(n=250)
    y = np.argmin(distance("euclidean", X).between(X, clusters(n=20)), axis=1)
    hashed = induce.KNeighborsClassifier(
        5, metric="euclidean", algorithm=LSH.around(X, k=5, c=3, failure=0.05)
    ).fit(X, y)
    exact = induce.KNeighborsClassifier(5, metric="euclidean").fit(X, y)
    assert np.mean(hashed.predict(X) == exact.predict(X)) > 0.95
    far = np.full((1, 16), 1e4)
    assert hashed.predict(far) == exact.predict(far)  # no bucket has it: all rows are looked at


def test_a_file_holds_the_settings(tmp_path):
    X = clusters()
    hashed = induce.KNeighborsClassifier(3, metric="euclidean", algorithm=LSH(r=6, c=3)).fit(X, X[:, 0] > 0)
    induce.save(hashed, tmp_path / "model.induce")
    loaded = induce.load(tmp_path / "model.induce")
    assert loaded.algorithm == LSH(r=6, c=3)
    assert loaded.predict(X[:50]).tolist() == hashed.predict(X[:50]).tolist()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: LSH(r=0), "give r above 0"),
        (lambda: LSH(r=-1), "r is -1; it must be a number of at least 0"),
        (lambda: LSH(r=1, c=1), "c above 1"),
        (lambda: LSH(r=1, failure=0), "failure is 0; it must be a number between 0 and 1"),
        (lambda: LSH(r=70).index(bits()), "would need inf tables; give a smaller r"),
        (
            lambda: LSH(r=1).index(pl.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})),
            "numeric ones without missing values",
        ),
        (lambda: LSH(r=1).index([[1.0], [np.nan]]), "numeric ones without missing values"),
        (
            lambda: induce.KNeighborsClassifier(algorithm=LSH(r=1)).fit([["a"], ["b"]], [0, 1]),
            "these rows are compared by 'heom'",
        ),
    ],
)
def test_what_cannot_be_hashed(make, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        make()
