"""Nearest-neighbour densities: numbers by hand, balls and boxes, ties, holes, categories, and the choice of k."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce

LINE = [[0.0], [1.0], [3.0], [4.0], [7.0]]


def density(X, k, **more):
    return induce.NeighborDensity(**{"n_neighbors": k, "scale": None, **more}).fit(X)


@pytest.mark.parametrize(("x", "k", "expected"), [(2, 2, 0.2), (2, 3, 0.15), (6, 2, 0.1)])
@pytest.mark.parametrize("region", ["ball", "box"])
def test_by_hand(x, k, expected, region):
    assert np.exp(density(LINE, k, region=region).score_samples([[x]])) == pytest.approx([expected])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 8), st.sampled_from(["ball", "box"]))
def test_by_the_formula(seed, k, region):
    random = np.random.default_rng(seed)
    X, query = random.normal(size=(12, 3)), random.normal(size=(1, 3))
    away = np.sort(np.linalg.norm(X - query, ord=2 if region == "ball" else np.inf, axis=1))[k - 1]
    volume = 4 / 3 * np.pi * away**3 if region == "ball" else (2 * away) ** 3
    assert np.exp(density(X, k, region=region).score_samples(query)) == pytest.approx(k / (12 * volume))


def test_units_change_the_density_as_they_should():
    X = np.random.default_rng(0).normal(size=(30, 2))
    one, other = (
        induce.NeighborDensity(n_neighbors=5).fit(rows).score_samples(rows) for rows in (X, X * [1, 1000])
    )
    assert other == pytest.approx(one - np.log(1000))


def test_equal_rows_reach_the_next_that_differs():
    fitted = density([[0.0], [0.0], [0.0], [2.0]], 2)
    assert np.exp(fitted.score_samples([[0.0]])) == pytest.approx([4 / (4 * 4)])
    assert np.exp(density([[5.0]] * 3, 2).score_samples([[5.0]])) == pytest.approx([1 / 2])


def test_weights_are_repetitions():
    X, weights = np.array([[0.0], [1.0], [3.0]]), [1, 3, 2]
    mine = induce.NeighborDensity(n_neighbors=4, scale=None).fit(X, sample_weight=weights)
    other = density(np.repeat(X, weights, axis=0), 4)
    queries = [[0.2], [2.0], [9.0]]
    assert mine.score_samples(queries) == pytest.approx(other.score_samples(queries))


def test_categories_have_their_shares_among_the_nearest():
    rows = pl.DataFrame({"x": [0.0, 1.0, 2.0, 50.0], "c": ["a", "a", "b", "b"]})
    fitted = density(rows, 3)
    numbers = density(rows.select("x"), 3).score_samples(rows[1:2].select("x"))
    for c, share in (("a", 3 / 5), ("b", 2 / 5), ("never", 1 / 5)):
        found = fitted.score_samples(pl.DataFrame({"x": [1.0], "c": [c]}))
        assert np.exp(found - numbers) == pytest.approx([share])
    asked = pl.DataFrame({"x": [None], "c": ["b"]}, schema={"x": float, "c": str})
    assert np.exp(fitted.score_samples(asked)) == pytest.approx([3 / 6])


def test_rows_that_miss_a_number_of_the_query_do_not_count():
    rows = pl.DataFrame({"x": [0.0, 1.0, 2.0, None], "y": [0.0, None, 1.0, 5.0]})
    fitted = density(rows, 2)
    both = pl.DataFrame({"x": [0.0], "y": [0.0]})
    assert np.exp(fitted.score_samples(both)) == pytest.approx([2 / (2 * np.pi * 5)])
    only = pl.DataFrame({"x": [0.0], "y": [None]}, schema={"x": float, "y": float})
    assert np.exp(fitted.score_samples(only)) == pytest.approx([2 / (3 * 2)])


def test_k_is_chosen_by_the_likelihood_of_rows_left_out():
    X = np.random.default_rng(1).normal(size=(40, 2))
    ks = (2, 5, 10, 20)
    chosen = density(X, ks).hypothesis_
    losses = [
        -np.mean([density(np.delete(X, i, axis=0), k).score_samples(X[[i]]) for i in range(40)]) for k in ks
    ]
    assert chosen.choice.losses == pytest.approx(losses)
    assert chosen.n_neighbors == ks[int(np.argmin(losses))]
    assert induce.NeighborDensity().fit(X).hypothesis_.choice.settings[-1] == {"n_neighbors": 30}


def test_k_above_the_rows_is_all_rows_and_said():
    with pytest.warns(induce.Note, match="n_neighbors is 9, but there are 5 rows; all are used"):
        fitted = density(LINE, 9)
    assert np.exp(fitted.score_samples([[0.0]])) == pytest.approx([5 / (5 * 14)])


@pytest.mark.parametrize("region", ["ball", "box"])
def test_samples_lie_around_the_rows(region):
    random = np.random.default_rng(2)
    rows = pl.DataFrame(
        {"x": random.normal(0, 1, 300), "y": random.normal(50, 5, 300), "c": ["u", "v", "v"] * 100}
    )
    drawn = induce.NeighborDensity(n_neighbors=10, region=region).fit(rows).sample(3000, random_state=0)
    assert drawn["x"].mean() == pytest.approx(rows["x"].mean(), abs=0.15)
    assert drawn["y"].std() == pytest.approx(rows["y"].std(), rel=0.2)
    assert (drawn["c"] == "v").mean() == pytest.approx(2 / 3, abs=0.06)


def test_explanations_say_how_many_rows_in_what_volume():
    told = density(LINE, 3).explain([[2.0]])[0]
    assert str(told).splitlines()[0] == "log density -1.897: 3 of 5 rows in a ball of radius 2"
    assert {each.row for each in told.rows} == {0, 1, 2, 3}


def test_blocks_change_nothing(monkeypatch):
    from induce.instances.densities import kernel_model, neighbor_model

    rows = pl.DataFrame({"x": np.random.default_rng(3).normal(size=30), "c": ["u", "v", "w"] * 10})
    rows = rows.with_columns(pl.when(pl.col("x") > 1).then(None).otherwise(pl.col("x")).alias("x"))
    for fitted in (density(rows, 4), induce.KernelDensity(bandwidth=0.3).fit(rows)):
        expected = fitted.score_samples(rows)
        monkeypatch.setattr(neighbor_model, "PAIRS", 40)
        monkeypatch.setattr(kernel_model, "CELLS", 40)
        assert fitted.score_samples(rows) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"n_neighbors": 0}, "n_neighbors is 0"),
        ({"n_neighbors": ()}, "n_neighbors is empty"),
        ({"region": "cube"}, "region is 'cube'; it can be 'ball', 'box'"),
    ],
)
def test_settings_that_make_no_sense(more, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        density(LINE, 1, **more)
