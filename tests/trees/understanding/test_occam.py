"""Arguments about short trees."""

import pandas as pd
import pytest

import induce
from induce import InputError
from induce.trees.understanding import n_trees, restate, small_sets


def test_the_attribute_that_says_it_all():
    """O3.10: with the verdict of figure 3.1 as an attribute one test is enough."""
    told = restate(induce.ID3(), *induce.dataset("play-tennis"))
    assert (told.before.size(), told.after.size()) == (
        "8 nodes, 5 leaves, depth 2",
        "3 nodes, 2 leaves, depth 1",
    )
    assert told.after.tested(0).name == "XYZ"
    X, y = induce.dataset("play-tennis")
    wider = X.with_columns(XYZ=told.before.predict(X))
    assert (told.after.predict(wider) == y.to_numpy()).all()


def test_other_frames_and_classes():
    X = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    told = restate(induce.ID3(), X, [1, 2, 3, 3], name="verdict")
    assert told.after.size() == "4 nodes, 3 leaves, depth 1"
    assert str(told).startswith("5 nodes, 3 leaves, depth 2; with the new attribute 4 nodes")


def test_arcane_trees_are_as_few_as_short_ones():
    short, arcane, unrestricted = small_sets(leaves=9, n_examples=40)
    assert short.size == sum(n_trees((2,) * 6 + (3,) * 5, n) for n in range(1, 10))
    assert arcane.size < short.size < unrestricted.size
    assert arcane.chance == arcane.size / 2**40
    assert unrestricted.chance == 1.0
    assert arcane.what == "trees of 17 leaves that test A1 to A11 in order"


def test_bad_input():
    X, y = induce.dataset("play-tennis")
    with pytest.raises(InputError, match="X already has a column 'Wind'; choose a different name"):
        restate(induce.ID3(), X, y, name="Wind")
    with pytest.raises(InputError, match="X is a list, to which no column can be added; give a dataframe"):
        restate(induce.ID3(), [[1.0], [2.0]], [0, 1])
