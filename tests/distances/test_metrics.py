"""Distances between rows: the numbers of the books, and what holds of all."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

import induce
from induce.core.errors import InputError
from induce.distances import distance, mahalanobis
from induce.distances.metrics import METRICS, encoded, settling_rows

TENNIS = induce.dataset("play-tennis")
RESTAURANT = induce.dataset("restaurant")


def mixed(seed=0, n=30, holes=0.1):
    rng = np.random.default_rng(seed)
    X = pl.DataFrame(
        {
            "size": rng.normal(size=n),
            "colour": pl.Series(
                rng.choice(["red", "green", "blue"], n), dtype=pl.Enum(["red", "green", "blue"])
            ),
            "price": rng.integers(0, 5, n).astype(float),
            "sold": rng.random(n) < 0.5,
        }
    )
    gone = [
        pl.when(pl.Series(rng.random(n) < holes)).then(None).otherwise(pl.col(c)).alias(c) for c in X.columns
    ]
    return X.with_columns(gone), rng.integers(0, 3, n)


@pytest.mark.parametrize(
    ("metric", "p", "expected"),
    [
        ("manhattan", 2, 5),
        ("euclidean", 2, 3.605551),
        ("minkowski", 3, 3.271066),
        ("chebyshev", 2, 3),
        ("minkowski", np.inf, 3),
    ],
)
def test_minkowski(metric, p, expected):
    """Spec 06, O34."""
    found = distance(metric, [[1, 2, 3]], p=p).between([[1, 2, 3]], [[4, 0, 3]])
    assert found[0, 0] == pytest.approx(expected, abs=1e-6)


def test_mahalanobis():
    """Spec 06, O34."""
    ellipse = mahalanobis(encoded([[0.0, 0.0]]), [[2, 1], [1, 2]])
    found = ellipse.between([[1, 0], [1, 1], [1, -1]], [[0, 0]]).ravel()
    assert found == pytest.approx([0.816497, 0.816497, 1.414214], abs=1e-6)
    flat = mahalanobis(encoded([[0.0, 0.0]]), [[4, 1], [1, 1]])  # spec 07, B10
    assert flat.between([[2, 1]], [[0, 0]])[0, 0] == pytest.approx(1.154701, abs=1e-6)


def test_mahalanobis_of_the_rows_is_that_of_scipy():
    X = np.random.default_rng(0).normal(size=(40, 3)) @ [[1, 2, 0], [0, 1, 1], [0, 0, 3]]
    inverse = np.linalg.inv(np.cov(X.T, bias=True))
    np.testing.assert_allclose(
        distance("mahalanobis", X).between(X, X), cdist(X, X, "mahalanobis", VI=inverse), atol=1e-9
    )


def test_directions_without_spread_do_not_count():
    X = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]])
    with pytest.warns(induce.Note, match="do not vary in some directions"):
        line = distance("mahalanobis", X)
    assert line.between(X[:1], X[1:]) == pytest.approx(np.array([[1.224745, 2.449490]]), abs=1e-6)
    assert line.between([[0, 0]], [[2, -1]])[0, 0] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("first", "second", "expected"), [(1, 2, 5), (3, 7, 2), (1, 5, 4)])
def test_hamming_on_the_restaurant(first, second, expected):
    """Spec 06, O34."""
    X = RESTAURANT.X
    assert distance("hamming", X).between(X[first - 1], X[second - 1])[0, 0] == expected


def test_squared_vdm_on_outlook():
    X, y = TENNIS
    outlook = X.select("Outlook")
    metric = distance("vdm", outlook, y)
    sunny, overcast, rain = (outlook[row] for row in (0, 2, 3))
    pairs = [(sunny, overcast), (sunny, rain), (overcast, rain)]
    assert [metric.between(a, b)[0, 0] ** 2 for a, b in pairs] == pytest.approx([0.72, 0.08, 0.32])


def test_heom_by_hand():
    X = pl.DataFrame({"size": [1.0, 5.0, 2.0, None], "colour": ["red", "red", "blue", None]})
    found = distance("heom", X).between(X, X) ** 2
    expected = [[0, 1, 1 + 1 / 16, 2], [1, 0, 1 + 9 / 16, 2], [1 + 1 / 16, 1 + 9 / 16, 0, 2], [2, 2, 2, 2]]
    np.testing.assert_allclose(found, expected)
    beyond = pl.DataFrame({"size": [9.0], "colour": ["mauve"]})
    np.testing.assert_allclose(distance("heom", X).between(beyond, X[:1]) ** 2, [[4 + 1]])


def test_hvdm_by_hand():
    X = pl.DataFrame({"size": [0.0, 2.0, 0.0, 2.0], "colour": ["red", "red", "blue", "blue"]})
    metric = distance("hvdm", X, ["a", "a", "a", "b"])
    # the deviation of size is 1; red has classes (1, 0), blue (1/2, 1/2)
    np.testing.assert_allclose(metric.between(X[:1], X) ** 2, [[0, 1 / 4, 1 / 2, 1 / 2 + 1 / 4]])
    unknown = pl.DataFrame({"size": [None], "colour": ["mauve"]}, schema_overrides={"size": pl.Float64})
    np.testing.assert_allclose(metric.between(unknown, X) ** 2, 2)


def test_standardised():
    X = np.random.default_rng(0).normal(size=(30, 4)) * [1, 10, 0.1, 3]
    expected = cdist(X, X, "seuclidean", V=X.var(axis=0))
    np.testing.assert_allclose(distance("seuclidean", X).between(X, X), expected, rtol=1e-9)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "minkowski"])
def test_numbers_as_in_scipy(metric):
    X = np.random.default_rng(1).normal(size=(25, 3))
    other = {"euclidean": "euclidean", "manhattan": "cityblock"}.get(metric, metric)
    options = {"p": 3} if metric == "minkowski" else {}
    found = distance(metric, X, p=3).between(X, X)
    np.testing.assert_allclose(found, cdist(X, X, other, **options), rtol=1e-12)


def test_cosine_is_that_of_scipy():
    X = np.random.default_rng(0).normal(size=(20, 4))
    np.testing.assert_allclose(distance("cosine", X).between(X, X), cdist(X, X, "cosine"), atol=1e-12)
    assert distance("cosine", X).between(1e200 * X, X).max() <= 2 + 1e-12
    with pytest.raises(InputError, match="column 'x0' is nominal"):
        distance("cosine", [["a"], ["b"]])


def test_a_missing_number_is_as_far_as_two_rows_can_be():
    X = [[1.0, 0.0], [7.0, 0.0], [np.nan, 0.0]]
    assert distance("manhattan", X).between(X, X)[2].tolist() == [6.0, 6.0, 6.0]
    assert distance("euclidean", X).between(X, X)[0].tolist() == [0.0, 6.0, 6.0]


# --- what holds of all ---------------------------------------------------------------------------------------


def settled(metric, X, y, **more):
    if metric in ("hamming", "vdm"):
        X = X.select("colour", "sold")
    if metric in ("mahalanobis", "cosine"):
        X = X.select("size", "price")
    return distance(metric, X, y, **more), X


@pytest.mark.parametrize("metric", METRICS)
@settings(max_examples=5, deadline=None)
@given(st.integers(0, 1000))
def test_distances_are_symmetric_and_shares_add_up(metric, seed):
    X, y = mixed(seed)
    measure, X = settled(metric, X, y, p=3)
    found = measure.between(X, X)
    np.testing.assert_allclose(found, found.T, atol=1e-12)
    assert (found >= 0).all()
    rows = measure.rows(X)
    shares = measure.shares(rows[:1], rows)
    together = shares.max(axis=1) if np.isinf(measure.power) else shares.sum(axis=1)
    np.testing.assert_allclose(measure.root(together), found[0], atol=1e-9)
    whole = X.drop_nulls()
    np.testing.assert_allclose(np.diag(measure.between(whole, whole)), 0.0)


@pytest.mark.parametrize("metric", sorted(set(METRICS) - {"mahalanobis", "cosine"}))
def test_an_axis_of_weight_zero_changes_nothing(metric):
    X, y = mixed()
    X = settled(metric, X, y)[1]
    first = X.columns[0]
    stretched = distance(metric, X, y, attribute_weights={first: 0})
    other = X.with_columns(X[first].shuffle(seed=1))
    np.testing.assert_allclose(stretched.between(X, X), stretched.between(other, other))
    assert f"stretched by {first} 0" in str(stretched)


def test_weights_stretch_axes():
    X = [[0.0, 0.0], [1.0, 1.0]]
    assert distance("euclidean", X, attribute_weights=[3, 4]).between(X, X)[0, 1] == pytest.approx(5.0)
    assert distance("manhattan", X, attribute_weights={"x1": 4}).between(X, X)[0, 1] == pytest.approx(5.0)


@pytest.mark.parametrize("metric", METRICS)
def test_values(metric):
    X, y = mixed()
    measure, X = settled(metric, X, y)
    assert measure == settled(metric, X, y)[0]
    assert hash(measure) == hash(settled(metric, X, y)[0])
    assert measure != distance("chebyshev" if metric != "chebyshev" else "heom", X)
    assert metric in str(measure)


def test_rows_that_settle_a_distance():
    X, y = mixed(holes=0)
    for metric in ("heom", "euclidean", "hvdm", "seuclidean"):
        whole = distance(metric, X, y)
        alone = set(settling_rows(metric, encoded(X)).tolist())
        for row in range(len(X)):
            others = np.delete(np.arange(len(X)), row)
            assert (distance(metric, X[others], y[others]) == whole) or row in alone


def test_a_function():
    steps = distance(lambda a, b: float(np.abs(a - b).max() > 1), [[0.0], [1.0], [3.0]])
    assert steps.between([[0.0]], [[0.5], [2.0]]).tolist() == [[0.0, 1.0]]
    assert np.isnan(steps.shares(steps.rows([[0.0]]), steps.rows([[2.0]]))).all()


# --- bad input -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "X", "more", "sentence"),
    [
        ("heomm", [[1.0]], {}, "metric is 'heomm'; it can be 'heom'"),
        ("minkowski", [[1.0]], {"p": 0.5}, "p is 0.5; it must be a number of at least 1"),
        ("hamming", [[1.0]], {}, "column 'x0' is numeric; declare it nominal, or use 'heom'"),
        ("vdm", [["a"], ["b"]], {}, "compares values by classes, but there are none"),
        ("mahalanobis", [["a"], ["b"]], {}, "column 'x0' is nominal"),
        ("heom", [[1.0]], {"attribute_weights": [1, 2]}, "for each of the 1 columns"),
        ("heom", [[1.0]], {"attribute_weights": [-1]}, "at least 0"),
        ("heom", [[1.0]], {"attribute_weights": "x"}, "attribute_weights is 'x'"),
        ("heom", [[1.0]], {"attribute_weights": {"x9": 1}}, "there is no column 'x9'"),
        ("mahalanobis", [[1.0]], {"attribute_weights": [1]}, "but metric 'mahalanobis' has none"),
        (max, [[1.0]], {"attribute_weights": [1]}, "but metric a function has none"),
    ],
)
def test_what_cannot_be_settled(metric, X, more, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        distance(metric, X, **more)


def test_a_function_that_is_no_distance():
    with pytest.raises(induce.InputError, match="metric returned a negative number"):
        distance(lambda a, b: -1, [[0.0]]).between([[0.0]], [[1.0]])


def test_a_covariance_that_does_not_fit():
    with pytest.raises(induce.InputError, match="covariance has shape"):
        mahalanobis(encoded([[0.0, 0.0]]), [[1.0]])


def test_numbers_at_the_end_of_what_can_be_said():
    X = [[-1e308], [1e308], [0.0], [1e-320]]
    for metric in ("euclidean", "heom", "manhattan", "chebyshev"):
        found = distance(metric, X).between(X, X)
        assert np.isfinite(found).all()
        assert found[0, 1] >= found[0, 2]
    tiny = [[1e-320], [2e-320]]
    assert np.isfinite(distance("heom", tiny).between([[1.0]], tiny)).all()
