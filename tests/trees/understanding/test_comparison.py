"""Trees compared as functions."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce import InputError
from induce.trees.understanding import agreement


@pytest.mark.parametrize(("learned", "n_same"), [("french yes", 7500), ("french no", 7428)])
def test_restaurant(restaurant_trees, learned, n_same):
    found = agreement(restaurant_trees[learned], restaurant_trees["true"])
    assert (found.same, found.total, found.of) == (n_same, 9216, "instances")
    assert found.share == pytest.approx({7500: 0.813802, 7428: 0.805990}[n_same], abs=5e-7)
    assert sum(difference.cells for difference in found.differences) == 9216 - n_same


def test_restaurant_as_learned(restaurant_trees):
    learner = induce.ID3().fit(*induce.dataset("restaurant"))
    assert agreement(learner, restaurant_trees["french yes"]).share == 1.0


def test_true_tree_says_yes_to_4992_evenings(restaurant_trees):
    true = restaurant_trees["true"]
    assert agreement(true, true).counts == {("Yes", "Yes"): 4992, ("No", "No"): 4224}


@pytest.mark.parametrize(("tree", "n_different"), [("R", 4), ("N", 2), ("figure", 0)])
def test_trees_of_the_noisy_day(tennis_trees, tree, n_different):
    found = agreement(tennis_trees[tree], tennis_trees["figure"])
    assert (found.total - found.same, found.total) == (n_different, 36)


def test_where_they_differ(tennis_trees):
    found = agreement(tennis_trees["R"], tennis_trees["figure"])
    assert [str(difference) for difference in found.differences] == [
        "Outlook = Sunny AND Temperature = Hot AND Humidity = Normal: No, not Yes",
        "Outlook = Sunny AND Temperature = Cool AND Humidity = High: Yes, not No",
    ]
    assert str(found).startswith("the same on 32 of 36 instances (88.9%)\n")


def test_figure_31_says_yes_to_24_of_36(tennis_trees):
    figure = tennis_trees["figure"]
    assert agreement(figure, figure).counts == {("Yes", "Yes"): 24, ("No", "No"): 12}


LEARNERS = [
    induce.ID3(),
    induce.C45(min_samples_leaf=1),
    induce.CART(pruning=None),
    induce.DecisionTreeClassifier(nominal="one-value", max_depth=2),
    induce.DecisionTreeClassifier(numeric="intervals"),
]


@given(data=st.data())
def test_it_is_what_enumeration_finds(tables, whole_space, data):
    X, y = data.draw(tables())
    half = data.draw(st.integers(1, len(y)))
    one = data.draw(st.sampled_from(LEARNERS)).fit(X, y).hypothesis_
    other = data.draw(st.sampled_from(LEARNERS)).fit(X[:half], y[:half]).hypothesis_
    space = whole_space(one, other)
    found = agreement(one, other)
    on_rows = agreement(one, other, space)
    assert found.counts == on_rows.counts
    assert found.total == len(space)
    by_hand = np.mean(one.predict(space) == other.predict(space))
    assert found.share == pytest.approx(by_hand)
    for difference in found.differences:
        part = space.filter(
            *(pl.Series(condition.covers(one.encoded(space))) for condition in difference.conditions)
        )
        assert len(part) == difference.cells
        assert set(one.predict(part)) == {difference.says[0]}
        assert set(other.predict(part)) == {difference.says[1]}


def test_values_that_one_tree_does_not_know_end_where_they_are_asked_for():
    X = pl.DataFrame({"a": ["x", "y", "y"], "b": ["u", "u", "v"]})
    few = induce.ID3().fit(X[:2], ["no", "yes"])
    all_three = induce.ID3().fit(
        pl.DataFrame({"a": ["x", "y", "z"], "b": ["u", "u", "v"]}), ["no", "yes", "no"]
    )
    found = agreement(few, all_three)
    assert found.total == 6  # three values of a, two of b
    rows = pl.DataFrame({"a": ["x", "y", "z"] * 2, "b": ["u"] * 3 + ["v"] * 3})
    assert found.counts == agreement(few, all_three, rows).counts


@pytest.mark.compiled
def test_large_spaces_take_no_time():
    rng = np.random.default_rng(0)
    domain = [f"v{k}" for k in range(6)]
    X = pl.DataFrame({f"c{j}": rng.choice(domain, 400) for j in range(40)}).cast(pl.Enum(domain))
    y = rng.choice(["a", "b"], 400)
    one, other = (induce.ID3().fit(X[part], y[part]) for part in (slice(0, 200), slice(200, 400)))
    found = agreement(one, other)
    assert found.total == 6**40
    assert "of 1.34e+31 instances" in str(found)


def test_too_many_parts_ask_for_rows(monkeypatch):
    monkeypatch.setattr("induce.trees.understanding.comparison.MOST_PARTS", 3)
    tree = induce.ID3().fit(*induce.dataset("play-tennis"))
    with pytest.raises(InputError, match="more than 3 regions; give X to compare the trees on rows"):
        agreement(tree, tree)


def test_thresholds_cut_numbers_into_cells():
    X = [[1.0], [2.0], [3.0], [4.0]]
    low = induce.ID3().fit(X, [0, 1, 1, 1])
    high = induce.ID3().fit(X, [0, 0, 0, 1])
    found = agreement(low, high)
    assert (found.same, found.total, found.of) == (2, 3, "cells")
    (difference,) = found.differences
    assert str(difference) == "1.5 < x0 <= 3.5: 1, not 0"


def test_rows():
    X, y = induce.dataset("iris")
    one, other = induce.C45().fit(X, y), induce.CART().fit(X, y)
    found = agreement(one, other, X)
    assert (found.total, found.of, found.differences) == (150, "rows", ())
    assert found.share == np.mean(one.predict(X) == other.predict(X))


def test_bad_input():
    X, y = induce.dataset("iris")
    tree = induce.ID3().fit(X, y)
    with pytest.raises(InputError, match="C45Rules has no decision tree; give a Tree"):
        agreement(tree, induce.C45Rules().fit(X, y))
    with pytest.raises(InputError, match="X has no rows"):
        agreement(tree, tree, X[:0])


@pytest.mark.compiled
def test_oblique_trees_are_compared_on_rows():
    from induce.trees.learners.oc1 import OC1

    X, y = induce.dataset("iris")
    oblique = OC1().fit(X, y)
    assert oblique.hypothesis_.attribute.max() >= 4
    plain = induce.ID3().fit(X, y)
    with pytest.raises(InputError, match="several columns at once; give X to compare the trees on rows"):
        agreement(plain, oblique)
    assert agreement(plain, oblique, X).total == 150
