"""A theory and no examples, or examples of one class: the theory is what is learned."""

from functools import partial
from itertools import combinations, product

import numpy as np
import pandas as pd
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.knowledge import FOCL, KBANN, TheoryRevision
from tests.knowledge.cup import TEXT, X

NAMES = ("a", "b", "c", "d")
VALUES = pl.Enum(["no", "yes"])
EVERY = pl.DataFrame(list(product(["no", "yes"], repeat=4)), dict.fromkeys(NAMES, VALUES), orient="row")
RULES = """
IF odd AND NOT plain AND d = yes THEN good
IF 2 OF (a = yes, b = yes, c = yes) THEN odd
IF a = yes AND b = yes THEN plain
IF c = no AND d = no THEN plain
"""
NO_CLASSES = pl.Series("class", [], VALUES)
LEARNERS = [TheoryRevision, FOCL, KBANN, induce.EBNN]


def says(rules: str) -> list[str]:
    """Return what a theory says of every row."""
    schema = TheoryRevision(knowledge=rules).fit(EVERY, ["yes", "no"] * 8).hypothesis_.schema
    return np.where(ExpertRules(schema, rules, "good").holds(EVERY), "yes", "no").tolist()


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("rules", [RULES, "IF a != no THEN good", "IF a = yes AND NOT b = yes THEN good"])
def test_no_examples_leave_the_theory(learner, rules):
    with pytest.warns(induce.Note, match="there are no examples"):
        found = learner(knowledge=rules, concept="good").fit(EVERY[:0], NO_CLASSES)
    assert found.predict(EVERY).tolist() == says(rules)
    assert found.classes_.tolist() == ["no", "yes"]
    assert np.allclose(found.predict_proba(EVERY).sum(axis=1), 1.0)
    assert len(found.explain(EVERY)) == 16


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("only", ["no", "yes"])
def test_one_class_of_two_that_are_declared(learner, only):
    y = pd.Series([only] * 16, dtype=pd.CategoricalDtype(["no", "yes"]))
    with pytest.warns(induce.Note, match="of one class"):
        found = learner(knowledge=RULES, concept="good").fit(EVERY, y)
    assert found.predict(EVERY).tolist() == says(RULES)


@pytest.mark.parametrize("learner", LEARNERS)
def test_one_class_and_no_other_known(learner):
    with pytest.warns(induce.Note, match="of one class"):
        found = learner(knowledge=RULES, concept="good").fit(EVERY, ["fine"] * 16)
    assert found.predict(EVERY).tolist() == ["fine"] * 16
    assert found.classes_.tolist() == ["fine"]


def test_one_class_does_not_change_the_network_or_the_rules():
    one = ["yes"] * len(X)
    with pytest.warns(induce.Note):
        network = KBANN(knowledge=TEXT).fit(X, one).hypothesis_
    with pytest.warns(induce.Note):
        rules = FOCL(knowledge=TEXT).fit(X, one).hypothesis_
    assert np.array_equal(network.network.weights, network.encoding.network.weights)
    assert "\n  not trained: all rows are of one class\n" in str(network)
    assert [len(rule.conditions) for rule in rules.rules] == [5]


def test_rules_for_several_classes():
    rules = "IF a = yes THEN one\nIF a = no AND b = yes THEN two"
    y = pl.Series("class", [], pl.Enum(["one", "two", "other"]))
    wanted = [
        "one" if a == "yes" else "two" if b == "yes" else "other"
        for a, b in EVERY.select("a", "b").iter_rows()
    ]
    with pytest.warns(induce.Note, match="no examples"):
        assert FOCL(knowledge=rules).fit(EVERY[:0], y).predict(EVERY).tolist() == wanted


def test_numeric_thresholds_without_examples():
    rules = "IF size > 5 AND size <= 8 THEN good"
    empty = pl.DataFrame(schema={"size": pl.Float64})
    rows = pl.DataFrame({"size": [0.0, 4.0, 6.0, 7.0, 9.0, 20.0, None]})
    for learner in (TheoryRevision, FOCL):
        with pytest.warns(induce.Note, match="no examples"):
            found = learner(knowledge=rules).fit(empty, NO_CLASSES)
        assert found.predict(rows).tolist() == ["no", "no", "yes", "yes", "no", "no", "no"]


def test_a_deep_theory_without_examples_has_a_weight_that_is_safe():
    rules = "IF one AND two AND three THEN good\nIF two AND a = yes THEN one\nIF three AND b = yes THEN two\n"
    rules += "".join(f"IF {x} = yes AND {y} = yes THEN three\n" for x, y in combinations(NAMES, 2))
    with pytest.warns(induce.Note, match="no examples"):
        found = KBANN(knowledge=rules).fit(EVERY[:0], NO_CLASSES)
    assert found.hypothesis_.weight > 4.0
    assert not found.hypothesis_.encoding.complaint()
    assert found.predict(EVERY).tolist() == says(rules)


def test_a_guided_learner_that_begins_with_rules():
    known = induce.Knowledge(rules=RULES, concept="good", laws="IF a = yes THEN no")
    with pytest.warns(induce.Note, match="no examples"):
        found = induce.GuidedClassifier(FOCL(), knowledge=known).fit(EVERY[:0], NO_CLASSES)
    lawful = ["no" if a == "yes" else said for a, said in zip(EVERY["a"], says(RULES), strict=True)]
    assert found.predict(EVERY).tolist() == lawful


@pytest.mark.parametrize(
    "learner",
    [
        induce.C45,
        induce.CART,
        induce.RuleLearner,
        induce.RIPPER,
        induce.PART,
        induce.GuidedClassifier,
        partial(induce.GuidedClassifier, induce.NaiveBayes()),
    ],
)
def test_trees_and_rules_without_examples_are_the_theory(learner):
    known = induce.Knowledge(rules=RULES, concept="good", laws="IF a = yes THEN no")
    with pytest.warns(
        induce.Note, match="there are no examples, so the theory itself becomes the hypothesis"
    ):
        found = learner(knowledge=known).fit(EVERY[:0], NO_CLASSES)
    lawful = ["no" if a == "yes" else said for a, said in zip(EVERY["a"], says(RULES), strict=True)]
    assert found.predict(EVERY).tolist() == lawful


@pytest.mark.parametrize("learner", LEARNERS)
def test_no_rows_need_a_theory_and_classes(learner):
    with pytest.raises(InputError, match="0 sample"):
        learner().fit(EVERY[:0], NO_CLASSES)
    with pytest.raises(InputError, match="declares no classes"):
        learner(knowledge=RULES, concept="good").fit(EVERY[:0], [])
    with pytest.raises(InputError, match="0 sample"):
        induce.GuidedClassifier(knowledge={"laws": "IF a = yes THEN no"}).fit(EVERY[:0], NO_CLASSES)


@pytest.mark.parametrize("learner", LEARNERS)
def test_learned_without_examples_is_saved(learner, tmp_path):
    with pytest.warns(induce.Note):
        found = learner(knowledge=RULES, concept="good").fit(EVERY[:0], NO_CLASSES).hypothesis_
    induce.save(found, tmp_path / "model.induce")
    again = induce.load(tmp_path / "model.induce")
    assert again == found
    assert again.predict(EVERY).tolist() == says(RULES)


FAMILY = induce.Relations(
    program="parent(ann, bob). parent(bob, dee). parent(fay, gus). female(ann). female(fay). female(dee)."
)
CLAUSES = """
grandmother(X) :- female(X), has_grandchild(X).
has_grandchild(X) :- parent(X, Y), parent(Y, Z).
"""


@pytest.mark.parametrize("rows", [[], np.empty((0, 1)), pl.DataFrame(schema={"x0": pl.String})])
def test_relations_without_examples_are_the_theory(rows, tmp_path):
    with pytest.warns(induce.Note, match="no examples, so the theory itself becomes the hypothesis"):
        found = induce.RelationalFOCL(FAMILY, "grandmother", knowledge=CLAUSES).fit(rows, [])
    people = pl.DataFrame({"x0": ["ann", "bob", "fay", "dee"]})
    asked = people if isinstance(rows, pl.DataFrame) else people.rows()
    assert found.predict(asked).tolist() == [True, False, False, False]
    assert "has_grandchild(ann)" in str(found.explain(asked)[0])
    induce.save(found, tmp_path / "model.induce")
    assert induce.load(tmp_path / "model.induce").hypothesis_ == found.hypothesis_


@pytest.mark.parametrize(
    ("settings", "width", "said"),
    [
        ({"knowledge": "aunt(X) :- female(X)."}, 1, "no clause of grandmother; it defines aunt/1"),
        ({"knowledge": " "}, 1, "the theory is empty"),
        ({"knowledge": CLAUSES}, 2, "is about grandmother/1, but grandmother/2 is to be learned"),
        ({}, 1, "0 sample"),
    ],
)
def test_relations_without_examples_need_a_theory(settings, width, said):
    with pytest.raises(InputError, match=said):
        induce.RelationalFOCL(FAMILY, "grandmother", **settings).fit(np.empty((0, width)), [])
