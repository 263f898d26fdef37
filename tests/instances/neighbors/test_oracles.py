"""Nearest neighbours: the worked examples of the specification, and what they have in common with scikit-learn's."""

import numpy as np
import polars as pl
import pytest
from sklearn import neighbors as theirs

import induce
from induce import KNeighborsClassifier, KNeighborsRegressor

FIGURE = [[0.5, 0], [0, 1], [-1.1, 0], [0, -1.2], [1.3, 0.4], [-2, 2], [2.5, 2]]
SIGNS = ["+", "-", "-", "-", "+", "-", "+"]
SQUARES = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0.0, 1.0, 4.0, 9.0, 16.0]
OUTLIER = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14], [1, 2, 2.5, 3.5, 4, 8, 6, 6.5, 5, 4, 3]
STRETCHED = [[0, 0], [0.2, 5], [0.4, 1], [1, 0.1], [1.2, 5.1], [1.4, 1.1]], list("aaabbb")

AS_STORED = {"metric": "euclidean", "equidistant": "first"}
"""How the spec breaks ties: examples stored first count."""


@pytest.mark.parametrize(
    ("k", "plain", "votes"),
    [
        (1, "+", (4.0, 0)),
        (3, "-", (4.0, 1.826446)),
        (5, "-", (4.540541, 2.520891)),
        (7, "-", (4.638102, 2.645891)),
    ],
)
def test_figure_8_1(k, plain, votes):
    """Spec 04, 8.B-1: plain and weighted votes disagree."""
    vote = KNeighborsClassifier(k, metric="euclidean").fit(FIGURE, SIGNS)
    assert vote.predict([[0, 0]]) == plain
    weighted = KNeighborsClassifier(k, metric="euclidean", weights="inverse-square").fit(FIGURE, SIGNS)
    assert weighted.predict([[0, 0]]) == "+"
    # shares of the vote, and its size relative to the nearest example, which is 1/4 away
    shares = weighted.predict_proba([[0, 0]])[0]
    assert shares == pytest.approx(np.array(votes) / sum(votes), abs=1e-6)
    assert weighted.hypothesis_.decide(weighted.hypothesis_.queries([[0, 0]]))[1][0] * 4 == pytest.approx(
        votes, abs=1e-6
    )


def test_sorted_distances_of_figure_8_1():
    vote = KNeighborsClassifier(7, metric="euclidean").fit(FIGURE, SIGNS)
    away, places = vote.kneighbors([[0, 0]])
    assert away[0] == pytest.approx([0.5, 1.0, 1.1, 1.2, 1.360147, 2.828427, 3.201562], abs=1e-6)
    assert places[0].tolist() == list(range(7))


@pytest.mark.parametrize(
    ("x", "k", "mean", "weighted"),
    [
        (1.2, 1, 1, 1),
        (1.2, 2, 2.5, 1.1764705882),
        (1.2, 3, 1.6666666667, 1.1464968153),
        (1.2, None, 6, 1.3024379842),
        (2.5, 2, 6.5, 6.5),
        (2.5, 3, 4.6666666667, 6.2105263158),
        (2.5, None, 6, 6.5815324165),
        *((2.0, k, None, 4) for k in (1, 2, 3, None)),
    ],
)
def test_numbers(x, k, mean, weighted):
    """Spec 04, 8.B-2: equations 8.1 and 8.4, with None Shepard's method."""
    if mean is not None:
        found = KNeighborsRegressor(k, **AS_STORED).fit(*SQUARES).predict([[x]])
        assert found == pytest.approx([mean], abs=1e-9)
    found = KNeighborsRegressor(k, weights="inverse-square", **AS_STORED).fit(*SQUARES).predict([[x]])
    assert found == pytest.approx([weighted], abs=1e-9)


def test_adding_a_constant_to_the_target_adds_it_to_the_answer():
    """Spec 04, 8.B-8."""
    X, y = SQUARES
    for weights in ("uniform", "inverse-square", "gaussian"):
        mine, other = (
            KNeighborsRegressor(3, metric="euclidean", weights=weights, width=1.0)
            .fit(X, np.add(y, c))
            .predict([[1.3]])
            for c in (0, 100)
        )
        assert other - mine == pytest.approx(100)


def test_all_votes_of_all_examples_is_shepard():
    X, y = SQUARES
    everything = KNeighborsRegressor(None, weights="inverse-square").fit(X, y)
    five = KNeighborsRegressor(5, weights="inverse-square").fit(X, y)
    assert everything.predict([[0.3], [2.2]]) == pytest.approx(five.predict([[0.3], [2.2]]))


@pytest.mark.parametrize(
    ("z", "wrong"), [((1, 1), 6), ((1, 0), 0), ((0, 1), 6), ((1, 0.1), 0), ((1, 0.01), 0)]
)
def test_stretched_axes(z, wrong):
    """Spec 04, 8.B-6: leave-one-out errors of one neighbour."""
    X, y = STRETCHED
    nearest = KNeighborsClassifier(1, metric="euclidean", attribute_weights=list(z))
    assert (nearest.leave_one_out_predict(X, y) != np.array(y)).sum() == wrong


@pytest.mark.parametrize(
    ("k", "wrong"),
    [(1, {1, 2, 3, 4, 5, 7, 11, 12}), (3, {1, 2, 3, 4, 9, 10, 12}), (5, {1, 2, 3, 4, 7, 9, 10, 11, 12})],
)
def test_restaurant(k, wrong):
    """Spec 06, O34: leave-one-out with Hamming distance."""
    X, y = induce.dataset("restaurant")
    found = KNeighborsClassifier(k, metric="hamming", equidistant="first").leave_one_out_predict(X, y)
    assert {row + 1 for row in np.flatnonzero(found != y.to_numpy())} == wrong


def test_means_around_an_outlier():
    """Spec 06, O35."""
    x, y = OUTLIER
    X = np.array(x, dtype=float)[:, None]
    three = KNeighborsRegressor(3, **AS_STORED).fit(X, y)
    asked = [[0], [4], [6], [7.2], [10], [13.5], [14]]
    expected = [1.833333, 3.333333, 6, 6.833333, 5.833333, 4, 4]
    assert three.predict(asked) == pytest.approx(expected, abs=1e-6)
    losses = {1: 3.522727, 2: 1.835227, 3: 1.984848, 5: 3.554545, 7: 4.470779, 10: 4.79}
    for k, loss in losses.items():
        left = KNeighborsRegressor(k, **AS_STORED).leave_one_out_predict(X, y)
        assert np.mean((left - y) ** 2) == pytest.approx(loss, abs=1e-6)
    chosen = KNeighborsRegressor(list(losses), **AS_STORED).fit(X, y).hypothesis_
    assert chosen.n_neighbors == 2
    assert chosen.choice.losses == pytest.approx(list(losses.values()), abs=1e-6)


@pytest.mark.parametrize(
    ("n", "one", "five"), [(2, 0.952, 0.944), (5, 0.840, 0.860), (10, 0.753, 0.803), (20, 0.683, 0.740)]
)
def test_curse_of_dimensionality(n, one, five):
    """Spec 04, 8.C: two relevant attributes among n (the means of 50 repetitions, here of 8)."""
    scores = [simulated(n, seed, [None, None], ks=(1, 5)) for seed in range(8)]
    assert np.mean(scores, axis=0) == pytest.approx([one, five], abs=0.03)


def test_the_curse_is_lifted_by_stretching():
    """Spec 04, 8.C: the 18 irrelevant axes of 20 shortened to nothing, or to a fifth."""
    weights = [[1, 1] + [z] * 18 for z in (0, 0.2)]
    scores = [simulated(20, seed, weights, ks=(5, 5)) for seed in range(8)]
    assert np.mean(scores, axis=0) == pytest.approx([0.945, 0.928], abs=0.03)


def simulated(n, seed, weights, ks):
    rng = np.random.default_rng(seed)
    X, T = rng.random((100, n)), rng.random((1_000, n))
    y, truth = (part[:, 0] + part[:, 1] > 1 for part in (X, T))
    return [
        np.mean(
            KNeighborsClassifier(k, metric="euclidean", attribute_weights=z).fit(X, y).predict(T) == truth
        )
        for k, z in zip(ks, weights, strict=True)
    ]


def test_a_cell_is_where_its_example_is_nearest():
    """Spec 04, IBL-03: a point lies in the cell of an example exactly if that is its nearest neighbour."""
    rng = np.random.default_rng(0)
    X, Q = rng.random((30, 2)), rng.random((50, 2))
    cell = KNeighborsClassifier(1, metric="euclidean").fit(X, list("abc") * 10).kneighbors(Q, 1)[1][:, 0]
    for query, place in zip(Q, cell, strict=True):
        # nearer to it than to any other: on its side of every bisector
        assert all((X[place] - other) @ (query - (X[place] + other) / 2) >= -1e-12 for other in X)


# --- ties ----------------------------------------------------------------------------------------------------


def test_of_equal_votes_the_nearest_decides():
    X, y = [[1.0], [-2.0], [3.0], [-4.0]], ["b", "a", "a", "b"]
    for ties, said in (("nearest", "b"), ("first", "a"), ("last", "b")):
        assert KNeighborsClassifier(4, ties=ties, metric="euclidean").fit(X, y).predict([[0.0]]) == said
    assert KNeighborsClassifier(2, ties="last", metric="euclidean").fit(X, y).predict([[-3.0]]) == "b"


def test_of_equal_distances_the_first_stored_counts():
    nearest = KNeighborsClassifier(1, **AS_STORED).fit([[1.0], [-1.0]], ["b", "a"])
    assert nearest.predict([[0.0]]) == "b"


def test_exact_matches_decide_alone_by_majority():
    X, y = [[0.0], [0.0], [0.0], [0.1]], ["a", "b", "b", "a"]
    for weights in ("distance", "inverse-square"):
        found = KNeighborsClassifier(4, weights=weights, metric="euclidean").fit(X, y)
        assert found.predict([[0.0]]) == "b"
        assert found.predict_proba([[0.0]])[0] == pytest.approx([1 / 3, 2 / 3])


def test_several_numbers_that_match_exactly_are_averaged():
    found = KNeighborsRegressor(3, weights="inverse-square", metric="euclidean").fit(
        [[0.0], [0.0], [1.0]], [1, 2, 9]
    )
    assert found.predict([[0.0]]) == 1.5


# --- scikit-learn --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize(
    ("metric", "p"), [("euclidean", 2), ("manhattan", 2), ("chebyshev", 2), ("minkowski", 3)]
)
def test_as_scikit_learn(weights, metric, p):
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(200, 4)), rng.normal(size=(60, 4))
    y = rng.integers(0, 3, 200)
    mine = KNeighborsClassifier(7, weights=weights, metric=metric, p=p, ties="first").fit(X, y)
    other = theirs.KNeighborsClassifier(7, weights=weights, metric=metric, p=p).fit(X, y)
    np.testing.assert_allclose(mine.predict_proba(Q), other.predict_proba(Q), atol=1e-9)
    assert mine.predict(Q).tolist() == other.predict(Q).tolist()
    for found, expected in zip(mine.kneighbors(Q), other.kneighbors(Q), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-9)
    target = X[:, 0] + rng.normal(size=200)
    mine = KNeighborsRegressor(7, weights=weights, metric=metric, p=p).fit(X, target)
    other = theirs.KNeighborsRegressor(7, weights=weights, metric=metric, p=p).fit(X, target)
    np.testing.assert_allclose(mine.predict(Q), other.predict(Q), atol=1e-9)


def test_mixed_rows_as_a_function_for_scikit_learn():
    """HEOM as a function that scikit-learn calls, on numbers, codes and holes."""
    rng = np.random.default_rng(0)
    X = pl.DataFrame({"a": rng.normal(size=60), "b": rng.choice(list("uvw"), 60), "c": rng.random(60)})
    X = X.with_columns(pl.when(pl.Series(rng.random(60) < 0.2)).then(None).otherwise(pl.col("a")).alias("a"))
    y = rng.integers(0, 2, 60)
    vote = KNeighborsClassifier(5, ties="first").fit(X, y)
    given = vote.hypothesis_.distance.between(X, X)
    other = theirs.KNeighborsClassifier(5, metric="precomputed").fit(given, y)
    np.testing.assert_allclose(vote.predict_proba(X), other.predict_proba(given), atol=1e-9)


def test_medians():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 100.0, 2.0, 3.0]
    assert KNeighborsRegressor(3, average="median").fit(X, y).predict([[1.0]]) == 2.0
    assert KNeighborsRegressor(4, average="median").fit(X, y).predict([[1.0]]) == 2.5
