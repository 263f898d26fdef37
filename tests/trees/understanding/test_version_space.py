"""The version space of all functions."""

import numpy as np
import polars as pl
import pytest

import induce
from induce import InputError
from induce.textbook.measuring import every_morning
from induce.trees.understanding import function_space


def test_exercise_34d():
    X, y = induce.dataset("enjoy-sport")
    one, two = (function_space(X[:n], y[:n], "Yes") for n in (1, 2))
    assert (one.n_functions, two.n_functions, one.instances) == (2**95, 2**94, 96)
    assert one.specific.covers(X).tolist() == [True, False, False, False]
    assert str(two.specific) == (
        "Sky = Sunny AND AirTemp = Warm AND Wind = Strong AND Water = Warm AND Forecast = Same"
    )
    assert one.excluded.terms == two.excluded.terms == ()
    assert "G: Yes where everything" in str(two)


def test_boundaries_are_the_examples_themselves():
    X, y = induce.dataset("play-tennis")
    space = function_space(X, y, "Yes")
    assert (space.seen, space.n_functions) == (14, 2**22)
    assert np.array_equal(space.specific.covers(X), (y == "Yes").to_numpy())
    assert np.array_equal(space.excluded.covers(X), (y == "No").to_numpy())
    assert "G: Yes where NOT (" in str(space)
    mornings = every_morning()
    assert space.specific.covers(mornings).sum() == 9
    assert space.excluded.covers(mornings).sum() == 5


def test_the_same_example_twice_counts_once():
    X = pl.DataFrame({"a": ["x", "x", "y"]})
    assert function_space(X, [1, 1, 0], 1).seen == 2


def test_bad_input():
    X = pl.DataFrame({"a": ["x", "x", None]})
    with pytest.raises(InputError, match="the same instance has two classes in y, so no function fits"):
        function_space(X[:2], [1, 0], 1)
    with pytest.raises(InputError, match="X has missing values"):
        function_space(X, [1, 1, 1], 1)
    with pytest.raises(InputError, match="X has 3 rows and y has 1"):
        function_space(X, [1], 1)
    with pytest.raises(InputError, match="column 'x0' is numeric"):
        function_space([[1.0]], [1], 1)
