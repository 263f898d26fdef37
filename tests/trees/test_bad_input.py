"""Bad input to trees: what is asked of every learner is in tests/learners."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import is_classifier
from sklearn.utils import get_tags

import induce
from induce.core.registry import ESTIMATORS, resolve

each_learner_from_holes = pytest.mark.parametrize(
    "learner",
    [
        learner
        for name, home in ESTIMATORS.items()
        if home.startswith("induce.trees")
        and is_classifier((learner := resolve(name, ESTIMATORS))())
        and get_tags(learner()).input_tags.allow_nan
    ],
    ids=lambda learner: learner.__name__,
)
NAN = float("nan")


def says(match: str) -> Any:
    """A ValueError (or TypeError) of one sentence that matches."""
    return pytest.raises((ValueError, TypeError), match=match)


def frame(**columns: Any) -> pl.DataFrame:
    return pl.DataFrame(columns)


# --- tables --------------------------------------------------------------------------------------------------


def test_nothing_but_identifiers():
    with pytest.warns(induce.Note, match="'id' looks like an identifier"), says("no column is left"):
        induce.ID3().fit(frame(id=["a", "b"]), [1, 2])


@each_learner_from_holes
@pytest.mark.parametrize(
    "X",
    [
        [[1.0], [1.0], [1.0]],
        [[NAN], [NAN], [NAN]],
        frame(a=["x", "x", "x"]),
        frame(a=pl.Series([None] * 3, dtype=pl.String)),
        frame(a=pl.Series([None] * 3, dtype=pl.Enum(["x", "y"]))),
        frame(a=[None] * 3),
        frame(a=[True, True, True]),
    ],
)
def test_columns_that_say_nothing(learner, X):
    fitted = learner().fit(X, ["a", "b", "b"])
    if learner is induce.EPAM:  # it answers with the example it saw last
        assert len(set(fitted.predict(X).tolist())) == 1
        return
    assert fitted.predict(X).tolist() == ["b"] * 3
    assert fitted.predict_proba(X) == pytest.approx(np.array([[1 / 3, 2 / 3]] * 3))


@each_learner_from_holes
def test_rows_and_columns_that_are_all_missing(learner):
    X = frame(a=["x", None, "y", "y"] * 5, b=[None] * 20, c=[1.0, None, 2.0, 3.0] * 5)
    fitted = learner().fit(X, ["p", "p", "q", "q"] * 5)
    assert fitted.predict(X)[[0, 2, 3]].tolist() == ["p", "q", "q"]
    assert np.isfinite(fitted.predict_proba(X[1:2])).all()


@pytest.mark.parametrize(
    "values",
    [
        (-1e308, 1e308),
        (-1.7e308, 1.7e308),
        (1.0, np.nextafter(1.0, 2)),
        (np.nextafter(1.0, 0), 1.0),
        (-5e-324, 0.0),
        (0.0, 5e-324),
        (1e-320, 2e-320),
        (1e16, 1e16 + 2),
        (np.nextafter(1.7e308, 0), 1.7e308),
        (-1.7e308, np.nextafter(-1.7e308, 0)),
    ],
)
@pytest.mark.parametrize("learner", [induce.ID3(), induce.CART(pruning=None)])
def test_thresholds_separate_huge_and_close_numbers(learner, values):
    X = [[value] for value in values]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = learner.fit(X, ["low", "high"])
        assert fitted.predict(X).tolist() == ["low", "high"]
    threshold = fitted.hypothesis_.threshold[0]
    assert values[0] <= threshold < values[1]
    # a weighted fit goes through other loops
    assert learner.fit(X, ["low", "high"], sample_weight=[1, 2]).predict(X).tolist() == ["low", "high"]


def test_negative_zero_is_zero():
    tree = induce.ID3().fit([[0.0], [-0.0]], ["a", "b"]).hypothesis_
    assert tree.n_nodes == 1


def test_unicode_names_values_and_classes():
    X = frame(**{"größe 大": ["ä", "日本", "ä"]})
    learner = induce.ID3().fit(X, ["naïve", "\U0001f600", "naïve"])
    assert str(learner.hypothesis_) == "größe 大 = ä: naïve (2/2)\ngröße 大 = 日本: \U0001f600 (1/1)"
    assert learner.predict(X).tolist() == ["naïve", "\U0001f600", "naïve"]


def test_names_that_are_no_strings():
    X = pd.DataFrame([[1, 5], [2, 5]])
    learner = induce.ID3().fit(X, ["a", "b"])
    assert str(learner.hypothesis_) == "0 <= 1.5: a (1/1)\n0 > 1.5: b (1/1)"
    assert learner.predict(X).tolist() == ["a", "b"]


@pytest.mark.parametrize("n", [600, pytest.param(9_000, marks=[pytest.mark.slow, pytest.mark.compiled])])
def test_a_nominal_column_with_thousands_of_values(n):
    values = [f"v{i}" for i in range(n)] * 2
    y = ["a", "b", "c"] * (2 * n // 3)
    for learner in (induce.ID3(), induce.CART(pruning=None)):
        assert learner.fit(frame(v=values), y).score(frame(v=values), y) == 1.0


def test_booleans_in_frames_and_arrays():
    for X in (frame(x0=[True, False]), np.array([[True], [False]]), [[True], [False]]):
        tree = induce.ID3().fit(X, ["yes", "no"]).hypothesis_
        assert str(tree) == "x0 = False: no (1/1)\nx0 = True: yes (1/1)"


def test_cells_of_different_types_are_text():
    X = np.array([[1], ["x"], [None]], dtype=object)
    tree = induce.ID3().fit(X, ["a", "b", "b"]).hypothesis_
    assert tree.schema["x0"].domain == ("1", "x")
    assert tree.predict(X[:2]).tolist() == ["a", "b"]


# --- parameters ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("criterion", "entropi"),
        ("criterion", []),
        ("nominal", "binary"),
        ("pruning", "heavily"),
        ("max_depth", -1),
        ("max_depth", 1.5),
        ("max_depth", NAN),
        ("min_samples_split", -1),
        ("min_samples_split", None),
        ("min_samples_leaf", "a"),
        ("min_samples_leaf", NAN),
        ("min_gain", "x"),
        ("min_gain", -0.1),
        ("validation_fraction", 0),
        ("validation_fraction", 1),
        ("validation_fraction", "half"),
        ("confidence_factor", 0),
        ("confidence_factor", "x"),
        ("ccp_alpha", -1),
        ("ccp_alpha", NAN),
        ("cv", 1),
        ("cv", "ten"),
        ("cv", None),
        ("class_weight", "heavy"),
        ("class_weight", [1, 2]),
        ("class_weight", {"a": -1}),
        ("class_weight", {"a": NAN}),
        ("class_weight", {"a": 0, "b": 0}),
        ("class_weight", {"z": 1}),
        ("schema", 3),
        ("schema", "nominal"),
    ],
)
def test_parameters_out_of_range(name, value):
    with says(name):
        induce.DecisionTreeClassifier(**{name: value}).fit([[0.0], [1.0]] * 4, ["a", "b"] * 4)


@pytest.mark.parametrize("value", ["x", -1, 1.5])
def test_random_states_that_are_none(value):
    with says("random_state is"):
        induce.ID3(pruning="reduced-error", random_state=value).fit([[0.0], [1.0]] * 4, ["a", "b"] * 4)


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        ({"zz": "nominal"}, "no column 'zz'"),
        ({"x0": "nominl"}, "column 'x0'"),
        ({"x0": 3}, "column 'x0'"),
        ({"x0": {"colour": 1}}, "column 'x0' the field 'colour'"),
        ({"x0": "ignore"}, "no column is left"),
    ],
)
def test_schemas_that_do_not_fit(schema, sentence):
    with says(sentence):
        induce.ID3(schema=schema).fit([[0.0], [1.0]], ["a", "b"])


def test_too_few_rows_to_hold_some_out():
    with says("validation_fraction is .* of 1 rows"):
        induce.ID3(pruning="reduced-error").fit([[1.0]], ["a"])


# --- classes -----------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:The number of unique classes")
def test_more_classes_than_can_be_learned():
    with says("y has 20,000 different classes"):
        induce.ID3().fit(np.arange(20_000.0)[:, None], np.arange(20_000))


@pytest.mark.compiled
def test_a_few_hundred_classes():
    X = np.arange(600.0)[:, None]
    y = [f"c{i:03d}" for i in range(300)] * 2
    order = np.argsort(y)
    assert induce.ID3().fit(X, np.array(y)[order]).score(X, np.array(y)[order]) == 1.0
