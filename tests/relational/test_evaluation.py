"""Learners of relations in cross-validation, comparisons, files and copies, as every other learner."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import induce
from induce.relational import FOIL, Golem, Progol, Relations

NAMES = "abcdefghij"
CHAIN = Relations(program=" ".join(f"parent({a}, {b})." for a, b in itertools.pairwise(NAMES)))
PAIRS = pl.DataFrame(list(itertools.product(NAMES, NAMES)), schema=["old", "young"], orient="row")
ANCESTOR = (PAIRS["old"] < PAIRS["young"]).to_numpy()
LEARNERS = [
    FOIL(background=CHAIN, target="ancestor"),
    Progol(background=CHAIN, target="ancestor", recursion=True),
]
each = pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)


@pytest.mark.compiled
@each
def test_cross_validation(learner):
    estimate = induce.evaluate(learner, PAIRS, ANCESTOR, cv=5)
    assert estimate.error <= 0.05
    assert cross_val_score(learner, PAIRS.to_numpy(), ANCESTOR, cv=3).mean() >= 0.95


def test_comparison():
    family = Relations(
        program="father(bob, ann). father(tom, bob). father(tom, eve). female(ann). female(eve)."
    )
    people = ["ann", "bob", "eve", "tom"]
    pairs = list(itertools.product(people, people))
    daughter = [(y, x) in {("ann", "bob"), ("eve", "tom")} for x, y in pairs]
    learners = {cls.__name__: cls(background=family, target="daughter") for cls in (FOIL, Golem)}
    found = induce.compare(learners, np.array(pairs), np.array(daughter), cv=2)
    assert "FOIL" in str(found)
    assert "Golem" in str(found)


@each
def test_the_background_is_shared_and_says_nothing_of_the_target(learner):
    copy = clone(learner)
    assert copy.background is CHAIN
    train = np.arange(len(PAIRS)) % 4 > 0
    theory = copy.fit(PAIRS.filter(train), ANCESTOR[train]).hypothesis_
    assert theory.background.symbols is CHAIN.symbols
    assert theory.recursive
    assert ("ancestor", 2) not in theory.background.predicates()


def test_facts_of_the_target_in_the_background_are_left_out():
    knowing = Relations(program=str(CHAIN.program) + "\n".join(CHAIN.listing()) + "\nancestor(a, j).")
    with pytest.warns(induce.Note, match="contains facts of the target ancestor/2"):
        theory = FOIL(background=knowing, target="ancestor").fit(PAIRS, ANCESTOR).hypothesis_
    assert ("ancestor", 2) not in theory.background.predicates()
    assert (theory.predict(PAIRS) == ANCESTOR).all()


@each
def test_what_is_predicted_depends_on_the_training_rows_alone(learner):
    train = np.arange(len(PAIRS)) % 3 > 0
    one = clone(learner).fit(PAIRS.filter(train), ANCESTOR[train])
    together = one.predict(PAIRS.filter(~train))
    apart = [one.predict(PAIRS[int(row)])[0] for row in np.flatnonzero(~train)]
    assert together.tolist() == apart


@each
def test_saved_pickled_and_explained(learner, tmp_path):
    fitted = clone(learner).fit(PAIRS, ANCESTOR)
    induce.save(fitted, tmp_path / "ancestor.induce")
    again = induce.load(tmp_path / "ancestor.induce")
    assert again.hypothesis_ == fitted.hypothesis_
    assert (again.predict(PAIRS) == ANCESTOR).all()
    proved, unproved = fitted.explain(pl.DataFrame({"old": ["a", "c"], "young": ["c", "a"]}))
    assert {str(fact) for fact in proved.proof.facts()} == {"parent(a, b)", "parent(b, c)"}
    assert unproved.proof is None
    assert "cannot be proved" in str(unproved)
    other = pickle.loads(pickle.dumps(fitted))
    assert (other.predict(PAIRS) == ANCESTOR).all()


def test_predictions_are_a_new_column():
    theory = clone(LEARNERS[0]).fit(PAIRS, ANCESTOR).hypothesis_
    wider = PAIRS.with_columns(ancestor=theory.predict(PAIRS))
    assert wider.filter("ancestor").height == ANCESTOR.sum()


def test_contradictory_examples_are_told():
    with pytest.warns(induce.Note, match="1 example is both positive and negative"):
        FOIL(background=CHAIN, target="ancestor").fit(
            [("a", "b"), ("a", "b"), ("b", "a")], [True, False, False]
        )


def test_types_that_are_told_hold_for_the_modes_of_tables_too():
    links = pl.DataFrame({"e": list("abcd"), "f": list("bcde")})
    relations = Relations({"parent": links}, types={"parent/2": ("person", "person")})
    assert {mode.types for mode in relations.modes} == {("person", "person")}
    pairs = list(itertools.product("abcde", "abcde"))
    grandparent = [ord(young) - ord(old) == 2 for old, young in pairs]
    theory = FOIL(background=relations, target="grandparent").fit(pairs, grandparent).hypothesis_
    assert str(theory) == "grandparent(A, B) :- parent(A, C), parent(C, B).  % 3/3"


@pytest.mark.compiled
def test_a_program_that_never_ends_is_given_up():
    circle = Relations(program="p(X) :- p(s(X)). q(a).")
    prover = circle.prover()
    assert not prover.holds("p(a)")
    assert prover.holds("q(a)")


def test_a_call_without_modes_waits_for_the_literals_before_it():
    shop = Relations(program="amount(a, 5). amount(b, 900). at_least(X, Y) :- X >= Y, member(X, [5, 900]).")
    theory = FOIL(background=shop, target="big").fit([("a",), ("b",)], [False, True]).hypothesis_
    rewritten = type(theory)(
        "big",
        ("x0",),
        (False, True),
        "big(A) :- amount(A, B), at_least(B, 873).",
        ((0.0, 1.0),),
        (1.0, 0.0),
        shop,
    )
    assert rewritten.predict([("a",), ("b",)]).tolist() == [False, True]
