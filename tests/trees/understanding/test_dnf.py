"""Trees as formulas."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce import Column, InputError, Schema
from induce.hypotheses.conditions import Above, AtMost, Is
from induce.trees.understanding import Dnf, to_dnf

SCHEMA = Schema((Column("wind", "nominal", ("weak", "strong")), Column("rain")))


def test_play_tennis():
    formula = to_dnf(induce.ID3().fit(*induce.dataset("play-tennis")), "Yes")
    assert str(formula) == (
        "(Outlook = Sunny AND Humidity = Normal) OR Outlook = Overcast OR (Outlook = Rain AND Wind = Weak)"
    )
    assert (formula.target, formula.value, formula.otherwise) == ("PlayTennis", "Yes", "No")
    assert formula.size() == "3 terms, 5 conditions"


def test_restaurant(restaurant_trees):
    assert str(to_dnf(restaurant_trees["french yes"], "Yes")) == (
        "Pat = Some OR (Pat = Full AND Hun = Yes AND Type = French) OR "
        "(Pat = Full AND Hun = Yes AND Type = Thai AND Fri = Yes) OR (Pat = Full AND Hun = Yes AND Type = Burger)"
    )


@given(data=st.data())
def test_it_holds_where_the_tree_predicts_the_class(tables, whole_space, data):
    X, y = data.draw(tables())
    learner = data.draw(st.sampled_from([induce.ID3(), induce.CART(pruning=None)]))
    tree = learner.fit(X, y).hypothesis_
    space = whole_space(tree)
    predicted = tree.predict(space)
    for value in tree.classes:
        assert np.array_equal(to_dnf(tree, value).covers(space), predicted == value)


def test_extremes():
    leaf = induce.ID3().fit([[1.0], [2.0]], ["a", "a"])
    assert str(to_dnf(leaf, "a")) == "TRUE"
    assert to_dnf(leaf, "a").covers([[7.0]]).tolist() == [True]
    assert str(Dnf(SCHEMA, ())) == "FALSE"
    assert Dnf(SCHEMA, ()).covers([["weak", 1.0]]).tolist() == [False]
    assert str(Dnf(SCHEMA, ((Is("wind", "weak"), Above("rain", 1)),))) == "wind = weak AND rain > 1"


def test_conditions_on_one_attribute_become_one():
    tree = induce.ID3().fit([[1.0], [2.0], [3.0]], ["a", "b", "a"])
    assert str(to_dnf(tree, "b")) == "1.5 < x0 <= 2.5"


def test_of_several_classes_the_others_are_not_the_one():
    tree = induce.C45().fit(*induce.dataset("iris"))
    assert to_dnf(tree, "setosa").otherwise == "not setosa"


def test_what_is_not_known_satisfies_nothing():
    formula = Dnf(SCHEMA, ((Is("wind", "weak"),), (AtMost("rain", 2.0),)))
    rows = pl.DataFrame({"wind": [None, "storm", "weak"], "rain": [None, 3.0, None]})
    assert formula.covers(rows).tolist() == [False, False, True]


def test_bad_input():
    tree = induce.ID3().fit(*induce.dataset("play-tennis"))
    with pytest.raises(
        InputError, match="value is 'Maybe', which is not a class; the classes are 'Yes', 'No'"
    ):
        to_dnf(tree, "Maybe")
    with pytest.raises(InputError, match="there is no column 'sun'"):
        Dnf(SCHEMA, ((Above("sun", 1),),))
    with pytest.raises(InputError, match="'mild', which is not in its domain"):
        Dnf(SCHEMA, ((Is("wind", "mild"),),))
    with pytest.raises(InputError, match="value and otherwise are both 1"):
        Dnf(SCHEMA, (), value=1, otherwise=1)


@pytest.mark.compiled
def test_an_oblique_tree_has_no_formula():
    from induce.trees.learners.oc1 import OC1

    with pytest.raises(InputError, match="several columns at once; a formula"):
        to_dnf(OC1().fit(*induce.dataset("iris")), "setosa")


def test_paths_that_no_row_takes_are_left_out(built):
    schema = Schema((Column("wind", "nominal", ("weak", "strong")),))
    again = ("wind", {"weak": "no", "strong": "yes"})
    tree = built(schema, ("no", "yes"), ("wind", {"weak": again, "strong": "yes"}))
    assert str(to_dnf(tree, "yes")) == "wind = strong"
