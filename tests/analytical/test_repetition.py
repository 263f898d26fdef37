"""Repetition generalised: a tower of any height from one of three (Mitchell §11.5)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.logic import (
    DomainTheory,
    Prover,
    Relations,
    generalised_repetition,
    parse_clause,
    parse_program,
    weakest_preimage,
)
from induce.logic.repetition import repeated_predicates
from induce.logic.subsumption import variants

TOWERS = DomainTheory(
    """
    stable(X) :- on_floor(X), level(X).
    stable(X) :- carries(Y, X), stable(Y).
    carries(Y, X) :- on(X, Y), weight(X, W), strength(Y, S), W < S.
    weight(X, W) :- volume(X, V), density(X, D), W is V * D.
    level(X) :- shape(X, box).
    """,
    "stable",
)
BASE = "stable(X) :- on_floor(X), shape(X, box)."
STEP = "stable(X) :- on(X, Y), volume(X, V), density(X, D), W is V * D, strength(Y, S), W < S, stable(Y)."


def tower(height: int) -> str:
    facts = ["on_floor(b0)."]
    for n in range(height):
        facts += [f"shape(b{n}, box). volume(b{n}, 2). density(b{n}, {n + 1}). strength(b{n}, 1000)."]
        facts += [f"on(b{n}, b{n - 1})."] if n else []
    return " ".join(facts)


def same(clause, text):
    return variants(clause.literals(), parse_clause(text).literals())


def test_a_tower_of_three_teaches_towers_of_any_height():
    learner = induce.PrologEBG(TOWERS, Relations(program=tower(3)), repetition=True).fit([["b2"]], [True])
    base, step = learner.hypothesis_.clauses
    assert same(base, BASE)
    assert same(step, STEP)
    assert learner.predict([["b0"], ["b1"], ["b2"]]).tolist() == [True] * 3
    high = learner.hypothesis_.with_background(Relations(program=tower(20)))
    assert high.predict([["b19"], ["b7"]]).tolist() == [True, True]
    assert high.same_answers([[f"b{n}"] for n in range(20)]).all()
    before, after = high.inferences([["b19"]])
    assert after[0] < before[0]


def test_without_it_the_height_is_that_of_the_example():
    learner = induce.PrologEBG(TOWERS, Relations(program=tower(3))).fit([["b2"]], [True])
    (clause,) = learner.hypothesis_.clauses
    assert sum(literal.name == "on" for literal in clause.body) == 2
    high = learner.hypothesis_.with_background(Relations(program=tower(5)))
    assert high.predict([[f"b{n}"] for n in range(5)]).tolist() == [False, False, True, False, False]


def test_the_repetition_below_the_target():
    theory = DomainTheory("safe(X) :- stable(X), \\+ wet(X).\n" + str(TOWERS), "safe")
    learner = induce.PrologEBG(theory, Relations(program=tower(3) + " wet(c)."), repetition=True).fit(
        [["b2"]], [True]
    )
    first, *others = learner.hypothesis_.clauses
    assert same(first, "safe(X) :- stable(X), \\+ wet(X).")
    assert len(others) == 2
    assert same(others[0], BASE)
    assert same(others[1], STEP)
    assert learner.hypothesis_.with_background(Relations(program=tower(9) + " wet(c).")).predict(
        [["b8"]]
    ).tolist() == [True]


def test_a_further_example_adds_its_way_of_repeating():
    theory = DomainTheory(
        "path(X, Y) :- step(X, Y). path(X, Y) :- step(X, Z), path(Z, Y). step(X, Y) :- road(X, Y). "
        "step(X, Y) :- ferry(X, Y).",
        "path",
    )
    facts = Relations(program="road(a, b). road(b, c). road(c, d). ferry(d, e). ferry(e, f). road(f, g).")
    learner = induce.PrologEBG(theory, facts, repetition=True).fit([["a", "d"]], [True])
    assert len(learner.hypothesis_.clauses) == 2
    learner.partial_fit([["a", "g"]], [True])
    texts = [str(one) for one in learner.hypothesis_.clauses]
    assert "path(X, Y) :- ferry(X, Z), path(Z, Y)." in texts
    assert learner.predict([["a", "g"], ["d", "g"], ["c", "g"], ["g", "a"]]).tolist() == [
        True,
        True,
        True,
        False,
    ]


def test_counting_along_the_way():
    prover = Prover(
        parse_program(
            "height(X, 1) :- on_floor(X). height(X, N) :- sits(X, Y), height(Y, M), N is M + 1. "
            "sits(X, Y) :- on(X, Y). on(c, b). on(b, a). on_floor(a)."
        )
    )
    proof = prover.first("height(c, 3)").proof
    base, step = generalised_repetition(proof)
    assert same(base, "height(X, 1) :- on_floor(X).")
    assert same(step, "height(X, N) :- on(X, Y), height(Y, M), N is M + 1.")


def test_predicates_that_call_each_other_and_nothing_repeated():
    prover = Prover(
        parse_program(
            "even(X) :- zero(X). even(X) :- s(X, Y), odd(Y). odd(X) :- s(X, Y), even(Y). s(b, a). s(c, b). zero(a)."
        )
    )
    proof = prover.first("even(c)").proof
    assert repeated_predicates(proof) == (("even", 1),)
    texts = list(map(str, generalised_repetition(proof)))
    assert texts == ["even(X) :- zero(X).", "even(X) :- s(X, Y), s(Y, Y1), even(Y1)."]
    plain = prover.first("odd(b)").proof
    assert generalised_repetition(plain) == (weakest_preimage(plain),)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.booleans()), min_size=1, max_size=14))
def test_the_clauses_follow_from_the_theory_and_cover_their_example(edges):
    """Random graphs: what the learned clauses prove, the theory proves."""
    theory = DomainTheory(
        "path(X, Y) :- step(X, Y). path(X, Y) :- step(X, Z), path(Z, Y). step(X, Y) :- road(X, Y). "
        "step(X, Y) :- ferry(X, Y), calm.",
        "path",
    )
    facts = "calm. " + " ".join(f"{'road' if road else 'ferry'}(n{a}, n{b})." for a, b, road in edges)
    relations = Relations(program=facts)
    names = [f"n{k}" for k in range(7)]
    full = relations.prover(theory.program.clauses, unknown="fail")
    pairs = [[a, b] for a in names for b in names if full.holds(f"path({a}, {b})")]
    for pair in pairs[-3:]:
        learner = induce.PrologEBG(theory, relations, repetition=True).fit([pair], [True])
        assert learner.predict([pair]).tolist() == [True]
        every = [[a, b] for a in names for b in names]
        for row, inside in zip(every, learner.predict(every).tolist(), strict=True):
            assert not inside or row in pairs


@pytest.mark.parametrize("generalise", ["leaves", "preimage"])
def test_an_explanation_without_repetition_is_as_before(generalise):
    theory = DomainTheory("p(X) :- q(X). q(X) :- r(X, a).", "p")
    facts = Relations(program="r(b, a).")
    plain = induce.PrologEBG(theory, facts, generalise=generalise).fit([["b"]], [True]).hypothesis_
    new = (
        induce.PrologEBG(theory, facts, generalise=generalise, repetition=True)
        .fit([["b"]], [True])
        .hypothesis_
    )
    assert str(plain) == str(new)
