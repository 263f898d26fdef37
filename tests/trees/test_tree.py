"""The tree as a value: classifying, missing and unseen values, rules, text, explanations, soundness."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.data.generate import restaurant_space
from induce.trees.hypothesis import Tree

close = pytest.approx
properties = settings(derandomize=True)


@pytest.fixture(scope="module")
def tennis() -> Tree:
    return induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_


@pytest.fixture(scope="module")
def waiting() -> Tree:
    return induce.ID3().fit(*induce.dataset("restaurant")).hypothesis_


def row(tree: Tree, **known: str) -> pl.DataFrame:
    """One row of the training table with only some values known."""
    return pl.DataFrame(
        {column.name: [known.get(column.name)] for column in tree.schema},
        schema={column.name: pl.Enum(column.domain) for column in tree.schema},
    )


def test_the_instance_of_figure_3_1(tennis):  # O3.5
    assert tennis.predict(
        row(tennis, Outlook="Sunny", Temperature="Hot", Humidity="High", Wind="Strong")
    ).tolist() == ["No"]


def test_figure_3_1_covers_24_of_36(tennis):  # O3.5
    every = row(tennis)
    for column in tennis.schema:
        every = every.drop(column.name).join(
            pl.DataFrame({column.name: pl.Series(column.domain, dtype=pl.Enum(column.domain))}), how="cross"
        )
    assert len(every) == 36
    assert (tennis.predict(every.select(tennis.schema.names())) == "Yes").sum() == 24


def test_the_disjunction_of_figure_3_1(tennis):  # O3.5
    positive = [rule.premise() for rule in tennis.to_rules().rules if rule.prediction == "Yes"]
    assert positive == [
        "Outlook = Sunny AND Humidity = Normal",
        "Outlook = Overcast",
        "Outlook = Rain AND Wind = Weak",
    ]


def test_the_disjunction_of_figure_18_6(waiting):  # O7
    positive = [rule.premise() for rule in waiting.to_rules().rules if rule.prediction == "Yes"]
    assert positive == [
        "Pat = Some",
        "Pat = Full AND Hun = Yes AND Type = French",
        "Pat = Full AND Hun = Yes AND Type = Thai AND Fri = Yes",
        "Pat = Full AND Hun = Yes AND Type = Burger",
    ]


def test_the_rules_of_a_tree_with_counts(tennis):
    assert str(tennis.to_rules()).splitlines()[0] == "IF Outlook = Sunny AND Humidity = High THEN No (3/3)"


@pytest.mark.parametrize(
    ("known", "yes"),
    [
        ({"Humidity": "High", "Wind": "Weak"}, 9 / 14),
        ({"Humidity": "High", "Wind": "Strong"}, 4 / 14),
        ({"Outlook": "Sunny"}, 2 / 5),
        ({}, 0.642857),
    ],
)
def test_missing_values_in_figure_3_1(tennis, known, yes):  # O3.13
    assert tennis.predict_proba(row(tennis, **known))[0] == close([yes, 1 - yes], abs=1e-6)
    assert tennis.predict(row(tennis, **known))[0] == ("Yes" if yes > 0.5 else "No")


@pytest.mark.parametrize(
    ("known", "yes"),
    [
        ({"Hun": "No"}, 1 / 3),
        ({"Hun": "Yes", "Type": "Burger"}, 5 / 6),
        ({"Pat": "Full", "Type": "Burger"}, 2 / 3),
        ({"Pat": "Full", "Hun": "Yes", "Fri": "Yes"}, 3 / 4),
        ({"Pat": "Full", "Hun": "Yes"}, 1 / 2),
        ({}, 1 / 2),
    ],
)
def test_missing_values_in_figure_18_6(waiting, known, yes):  # O13
    assert waiting.predict_proba(row(waiting, **known))[0] == close([yes, 1 - yes], abs=1e-12)


def test_full_and_not_hungry_leaves(waiting):  # O7
    assert waiting.predict(row(waiting, Pat="Full", Est="0-10", Hun="No"))[0] == "No"


def test_an_unseen_category_ends_at_the_node_that_asks(tennis):
    X = pl.DataFrame(
        {"Outlook": ["Hail", "Sunny"], "Temperature": "Hot", "Humidity": ["High", "Fog"], "Wind": "Weak"}
    )
    assert tennis.predict_proba(X) == close(np.array([[9 / 14, 5 / 14], [2 / 5, 3 / 5]]))
    assert tennis.predict(X).tolist() == ["Yes", "No"]


def test_a_leaf_that_no_example_reached_has_its_parent_s_classes(waiting):
    french = row(waiting, Pat="Full", Hun="Yes", Type="French")
    assert waiting.predict_proba(french).tolist() == [[0.5, 0.5]]
    assert waiting.predict(french).tolist() == ["Yes"]


def test_the_tree_of_one_leaf():
    tree = induce.ID3().fit([[1.0], [2.0]], ["a", "a"]).hypothesis_
    assert str(tree) == "class is a (2/2)"
    assert tree.size() == "1 node, 1 leaf, depth 0"
    assert tree.predict([[5.0], [np.nan]]).tolist() == ["a", "a"]
    assert str(tree.to_rules()) == "IF TRUE THEN a (2/2)\nDEFAULT a (2/2)"


def test_text_of_thresholds_and_several_classes():
    X, y = induce.dataset("iris")
    assert str(induce.ID3(max_depth=2).fit(X.to_numpy(), y).hypothesis_).splitlines() == [
        "x2 <= 2.45: setosa (50/50)",
        "x2 > 2.45",
        "|   x3 <= 1.75: versicolor (49/54)",
        "|   x3 > 1.75: virginica (45/46)",
    ]


def test_explanations(tennis):
    (path,) = tennis.explain(row(tennis, Outlook="Sunny", Humidity="High"))
    assert [step.text for step in path.steps] == ["all examples", "Outlook = Sunny", "Humidity = High"]
    assert [step.counts for step in path.steps] == [(9, 5), (2, 3), (0, 3)]
    assert path.prediction == "No"
    (spread,) = tennis.explain(row(tennis))
    assert spread.steps[-1].text == (
        "Outlook is missing: 36% Outlook = Sunny, 29% Outlook = Overcast, 36% Outlook = Rain"
    )
    hail = row(tennis).with_columns(Outlook=pl.lit("Hail"))
    assert tennis.explain(hail)[0].steps[-1].text == "Outlook has a value not seen in training"


def test_explanations_of_a_learner_are_those_of_its_hypothesis():
    X, y = induce.dataset("iris")
    learner = induce.C45().fit(X, y)
    assert learner.explain(X[:3]) == learner.hypothesis_.explain(X[:3])
    assert str(learner.explain(X[:1])[0]).startswith("setosa (100%) because")


def test_equal_trees_are_equal_values(tennis):
    again = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_
    assert again == tennis
    assert hash(again) == hash(tennis)
    assert replace(tennis, target="other") != tennis
    assert tennis != "a tree"


def test_a_tree_shows_itself_in_a_notebook(tennis):
    assert "Outlook = Sunny" in tennis._repr_html_()
    assert "&lt;=" in induce.ID3().fit(*induce.dataset("iris"))._repr_html_()


@pytest.mark.parametrize(
    "wrong",
    [
        {"attribute": np.array([9] + [-1] * 7, np.int32)},
        {"first": np.zeros(8, np.int32)},
        {"n_branches": np.full(8, 100, np.int32)},
        {"counts": np.full((8, 2), np.nan)},
        {"counts": np.ones((7, 2))},
        {"counts": -np.ones((8, 2))},
        {"attribute": np.zeros(8, np.int64)},
        {"map_start": np.zeros(8, np.int32)},
        {"classes": ()},
    ],
)
def test_arrays_that_are_no_tree_are_refused(tennis, wrong):
    tennis.check()
    with pytest.raises(induce.InputError, match="do not fit together"):
        replace(tennis, **wrong).check()


@properties
@given(data=st.data())
def test_rules_predict_as_the_tree_where_nothing_is_missing(tables, data):
    X, y = data.draw(tables())
    for learner in (induce.ID3(), induce.CART(pruning=None), induce.C45()):
        tree = learner.fit(X, y).hypothesis_
        assert (tree.to_rules().predict(X) == tree.predict(X)).all()


def test_rules_predict_as_the_tree_on_all_evenings(waiting):
    space = restaurant_space()
    assert (waiting.to_rules().predict(space.X) == waiting.predict(space.X)).all()


@properties
@given(data=st.data())
def test_probabilities_are_a_distribution_whose_peak_is_the_prediction(tables, data):
    X, y = data.draw(tables(missing=True))
    learner = induce.ID3(max_depth=2).fit(X, y)
    shares = learner.predict_proba(X)
    assert shares.min() >= 0
    assert shares.sum(axis=1) == close(np.ones(len(X)))
    tree = learner.hypothesis_
    peaks = np.asarray(tree.classes)[tree.predict_proba(X).argmax(axis=1)]
    assert (peaks == learner.predict(X)).all()


@properties
@given(data=st.data())
def test_the_children_of_a_node_share_its_examples(tables, data):
    X, y = data.draw(tables(missing=True))
    for learner in (induce.ID3(), induce.CART(pruning=None), induce.C45()):
        tree = learner.fit(X, y).hypothesis_
        tree.check()
        for node in np.flatnonzero(tree.attribute >= 0):
            parts = tree.counts[list(tree.children(node))].sum(axis=0)
            assert parts == close(tree.counts[node], abs=1e-9)


@properties
@given(data=st.data())
def test_routing_the_training_rows_gives_the_training_counts(tables, data):
    X, y = data.draw(tables(missing=True))
    tree = induce.ID3().fit(X, y).hypothesis_
    labels = np.array([tree.classes.index(value) for value in y])
    counts = tree.route(tree.encoded(X), labels, np.ones(len(X)))
    assert counts == close(tree.counts, abs=1e-9)


@properties
@given(data=st.data())
def test_cutting_everywhere_leaves_the_root(tables, data):
    X, y = data.draw(tables(missing=True))
    tree = induce.ID3().fit(X, y).hypothesis_
    assert tree.cut(np.zeros(tree.n_nodes, bool)) == tree
    stump = tree.cut(np.ones(tree.n_nodes, bool))
    assert stump.n_nodes == 1
    assert (stump.counts[0] == tree.counts[0]).all()
    some = np.array([data.draw(st.booleans()) for _ in range(tree.n_nodes)])
    tree.cut(some).check()
