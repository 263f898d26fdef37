"""Odd examples and parameters: a sensible answer, or one clear sentence."""

import numpy as np
import polars as pl
import pytest

import induce
from induce import KNeighborsClassifier, KNeighborsRegressor


def test_more_neighbours_than_examples():
    with pytest.warns(induce.Note, match="n_neighbors is 9, but there are 3 examples; all are used"):
        vote = KNeighborsClassifier(9).fit([[0.0], [1.0], [2.0]], ["a", "a", "b"])
    assert vote.predict([[2.0]]) == "a"


def test_a_row_with_nothing_in_it():
    X = pl.DataFrame({"a": [0.0, 1.0, None, 0.5], "b": ["x", "y", None, "x"]})
    vote = KNeighborsClassifier(1).fit(X, ["p", "q", "r", "p"])
    nothing = pl.DataFrame({"a": [None], "b": [None]}, schema={"a": pl.Float64, "b": pl.String})
    assert vote.predict(nothing) == "p"  # all are equally far, and the first stored counts
    assert vote.predict(X).tolist() == ["p", "q", "p", "p"]
    assert str(vote.explain(nothing)[0])


def test_columns_that_are_all_holes():
    X = pl.DataFrame({"a": [0.0, 1.0], "b": pl.Series([None, None], dtype=pl.Float64)})
    for metric in ("heom", "euclidean", "seuclidean", "manhattan"):
        assert KNeighborsClassifier(1, metric=metric).fit(X, ["p", "q"]).predict(X).tolist() == ["p", "q"]


def test_equal_rows_of_different_classes():
    X, y = [[1.0]] * 5, ["b", "a", "a", "b", "a"]
    assert KNeighborsClassifier(5).fit(X, y).predict([[1.0]]) == "a"
    assert KNeighborsClassifier(1).fit(X, y).predict([[1.0]]) == "a"
    assert KNeighborsClassifier(1, equidistant="first").fit(X, y).predict([[1.0]]) == "b"
    assert KNeighborsClassifier(4, equidistant="first").fit(X, y).predict([[1.0]]) == "b"  # a tie of votes
    assert KNeighborsClassifier(5, weights="distance").fit(X, y).predict_proba([[1.0]])[0] == pytest.approx(
        [0.6, 0.4]
    )


@pytest.mark.parametrize("weights", ["gaussian", "quadratic", "epanechnikov", "tricube", "tophat"])
def test_widths_that_underflow(weights):
    X, y = [[0.0], [1.0], [3.0]], [0.0, 1.0, 9.0]
    narrow = KNeighborsRegressor(3, weights=weights, width=1e-300, metric="euclidean").fit(X, y)
    assert narrow.predict([[0.9], [2.5], [2.0]]).tolist() == [1.0, 9.0, 5.0]  # the nearest decide
    assert KNeighborsClassifier(3, weights=weights, width=1e-300).fit(X, list("abc")).predict([[2.5]]) == "c"


def test_a_weight_of_two_is_two_examples():
    X, y = [[0.0], [1.0], [1.1], [4.0]], ["a", "b", "b", "b"]
    weighted = KNeighborsClassifier(3, metric="euclidean").fit(X, y, sample_weight=[2, 1, 1, 0])
    assert weighted.predict([[0.0]]) == "a"
    assert weighted.hypothesis_.size() == "3 examples of 1 column"
    half = KNeighborsRegressor(1, metric="euclidean").fit([[0.0], [1.0]], [0.0, 8.0], sample_weight=[0.5, 1])
    assert half.predict([[0.0]]) == pytest.approx(8 / 3)  # 2/3 of an example, and 1/3 of the next


def test_functions_for_weights_and_distances():
    X, y = [[0.0], [1.0], [3.0]], [0.0, 1.0, 9.0]
    mine = KNeighborsRegressor(3, weights=lambda d: 1 / (1 + d), metric=lambda a, b: abs(a[0] - b[0])).fit(
        X, y
    )
    w = 1 / (1 + np.array([0.5, 0.5, 2.5]))
    assert mine.predict([[0.5]]) == pytest.approx([w @ y / w.sum()])
    assert KNeighborsRegressor(2, weights=lambda d: 0 * d).fit(X, y).predict([[0.2]]) == 0.0
    with pytest.raises(induce.InputError, match="one finite non-negative weight"):
        KNeighborsRegressor(2, weights=lambda d: -d).fit(X, y).predict([[0.2]])


@pytest.mark.parametrize("parameter", ["metric", "weights"])
def test_a_file_cannot_hold_a_function(parameter, tmp_path):
    function = {"metric": lambda a, b: 0.0, "weights": lambda d: 0 * d + 1}[parameter]
    vote = KNeighborsClassifier(1, **{parameter: function}).fit([[0.0], [1.0]], ["a", "b"])
    for value in (vote, vote.hypothesis_):
        with pytest.raises(induce.InputError, match=f"{parameter}|function"):
            induce.save(value, tmp_path / "model.induce")


def test_ten_thousand_classes():
    X = np.arange(10_000.0)[:, None]
    many = KNeighborsClassifier(1).fit(X, [f"c{row:05d}" for row in range(10_000)])
    assert many.predict(X[[5, 9_999]]).tolist() == ["c00005", "c09999"]


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"n_neighbors": 0}, "n_neighbors is 0; it can be a whole number of at least 1"),
        ({"n_neighbors": 2.5}, "n_neighbors is 2.5"),
        ({"n_neighbors": "many"}, "n_neighbors is 'many'; it can be a whole number of at least 1"),
        ({"n_neighbors": []}, "n_neighbors is empty"),
        ({"weights": "heavy"}, "weights is 'heavy'; it can be 'uniform', 'distance'"),
        ({"weights": "gaussian", "width": 0}, "width is 0; it must be a number above 0"),
        ({"weights": "gaussian", "width": "wide"}, "width is"),
        ({"metric": "far"}, "metric is 'far'; it can be 'heom'"),
        ({"metric": "minkowski", "p": 0}, "p is 0"),
        ({"metric": "hamming"}, "column 'x0' is numeric"),
        ({"attribute_weights": [1, 2, 3]}, "for each of the 2 columns"),
        ({"algorithm": "tree"}, "algorithm is 'tree'; it can be 'auto', 'scan', 'kd_tree'"),
        (
            {"algorithm": "blocks", "metric": "manhattan"},
            "algorithm 'blocks' cannot search these rows by 'manhattan'",
        ),
    ],
)
@pytest.mark.parametrize("learner", [KNeighborsClassifier, KNeighborsRegressor])
def test_parameters_that_are_none(learner, parameters, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        learner(**parameters).fit([[0.0, 1.0], [1.0, 2.0]] * 5, [0, 1] * 5)


def test_parameters_of_one_learner():
    with pytest.raises(induce.InputError, match="ties is 'any'"):
        KNeighborsClassifier(ties="any").fit([[0.0]], [0])
    with pytest.raises(induce.InputError, match="average is 'mode'"):
        KNeighborsRegressor(average="mode").fit([[0.0]], [0])
    with pytest.raises(
        induce.InputError, match="metric 'hvdm' compares values by classes, but there are none"
    ):
        KNeighborsRegressor(metric="hvdm").fit([[0.0]], [0])
    with pytest.raises(induce.InputError, match="n_neighbors is 0"):
        KNeighborsClassifier(1).fit([[0.0]], [0]).kneighbors([[0.0]], 0)
