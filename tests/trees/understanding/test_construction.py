"""Trees made of formulas and rules."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce import Column, InputError, Rule, RuleList, Schema
from induce.hypotheses.conditions import Above, AtMost, Between, Is, OneOf, one_of
from induce.trees.understanding import Dnf, agreement, to_dnf, tree_of

SCHEMA = Schema(
    (
        Column("colour", "nominal", ("red", "green", "blue")),
        Column("size"),
        Column("name", "text", role="ignore"),
        Column("wind", "nominal", (False, True)),
    )
)
SPACE = pl.DataFrame(
    list(product(("red", "green", "blue"), (0.0, 1.0, 1.5, 2.0, 3.0, 9.0), ("x",), (False, True))),
    schema=["colour", "size", "name", "wind"],
    orient="row",
)
CLASSES = ("a", "b", "c")

numbers = st.sampled_from([1.0, 2.0, 3.0])
conditions = (
    st.sampled_from([Is("wind", False), Is("wind", True)])
    | st.sets(st.sampled_from(["red", "green", "blue"]), min_size=1).map(
        lambda values: one_of("colour", tuple(sorted(values)))
    )
    | numbers.map(lambda t: AtMost("size", t))
    | numbers.map(lambda t: Above("size", t))
    | st.tuples(numbers, numbers).filter(lambda t: t[0] < t[1]).map(lambda t: Between("size", *t))
)
premises = st.lists(conditions, max_size=4).map(tuple)
counts = st.tuples(*[st.integers(0, 3).map(float)] * 3)
rules = st.builds(Rule, premises, st.sampled_from(CLASSES), counts)
rule_lists = st.builds(
    lambda some, default, ordered: RuleList(
        SCHEMA, "class", CLASSES, tuple(some), default, (1.0, 1.0, 1.0), ordered
    ),
    st.lists(rules, max_size=6),
    st.sampled_from(CLASSES),
    st.booleans(),
)


@given(st.lists(premises, max_size=6).map(tuple))
@settings(max_examples=40)
def test_a_formula_and_its_tree_are_the_same_function(terms):
    formula = Dnf(SCHEMA, terms, "kind", "yes", "no")
    tree = tree_of(formula)
    tree.check()
    assert np.array_equal(tree.predict(SPACE) == "yes", formula.covers(SPACE))
    assert agreement(tree, tree_of(to_dnf(tree, "yes"))).share == 1.0


@given(rule_lists)
@settings(max_examples=40)
def test_rules_and_their_tree_are_the_same_function(some):
    tree = tree_of(some)
    tree.check()
    assert tree.classes == CLASSES
    assert np.array_equal(tree.predict(SPACE), some.predict(SPACE))


@given(data=st.data())
def test_there_and_back(tables, data):
    X, y = data.draw(tables())
    tree = induce.ID3().fit(X, y).hypothesis_
    assert agreement(tree_of(tree.to_rules()), tree).share == 1.0


@pytest.mark.parametrize("name", ["play-tennis", "restaurant"])
def test_the_tree_comes_back_itself(name):
    tree = induce.ID3().fit(*induce.dataset(name)).hypothesis_
    back = tree_of(to_dnf(tree, "Yes"))
    assert agreement(back, tree).share == 1.0
    assert back.tested(0).name == tree.tested(0).name
    assert back.n_leaves <= tree.n_leaves


def test_learned_rules():
    X, y = induce.dataset("iris")
    rules = induce.C45Rules().fit(X, y).hypothesis_
    assert np.array_equal(tree_of(rules).predict(X), rules.predict(X))


def test_counts_are_numbers_of_instances(tennis_trees):
    tree = tree_of(to_dnf(tennis_trees["figure"], "Yes"))
    assert tree.counts[0].tolist() == [4.0, 8.0]  # of three outlooks, two humidities and two winds
    assert tree.classes == ("No", "Yes")


def test_values_that_rules_do_not_tell_apart_share_a_branch():
    tree = tree_of(Dnf(SCHEMA, ((Is("colour", "red"),),), "kind", "yes", "no"))
    assert str(tree) == "colour = red: yes (1/1)\ncolour in {green, blue}: no (2/2)"


def test_what_makes_no_difference_is_not_tested():
    either = ((Is("wind", True), Above("size", 1.0)), (Is("wind", False), Above("size", 1.0)))
    assert (
        str(tree_of(Dnf(SCHEMA, either, "kind", "yes", "no"))) == "size <= 1: no (2/2)\nsize > 1: yes (2/2)"
    )
    assert tree_of(Dnf(SCHEMA, ((OneOf("colour", ("red", "green", "blue")),),))).n_nodes == 1


def test_rules_that_cannot_apply_are_left_out():
    tree = tree_of(Dnf(SCHEMA, ((Above("size", 2.0), AtMost("size", 1.0)),)))
    assert str(tree) == "class is False (3/3)"


def test_a_tree_can_be_too_large(monkeypatch):
    monkeypatch.setattr("induce.trees.understanding.construction.MOST_NODES", 100)
    schema = Schema(tuple(Column(f"x{k}", "nominal", (0, 1)) for k in range(20)))
    terms = tuple((Is(f"x{k}", 1), Is(f"x{k + 1}", 1)) for k in range(0, 20, 2))
    with pytest.raises(InputError, match="needs more than 100 nodes"):
        tree_of(Dnf(schema, terms))


def test_bad_input():
    with pytest.raises(
        InputError, match="a Tree has no rules to convert to a tree; give a Dnf or a RuleList"
    ):
        tree_of(induce.ID3().fit([[1.0], [2.0]], [0, 1]).hypothesis_)
