"""CLAUDIEN's regularities and RDT's rule schemata, both in our minimal form."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.logic import parse_clause
from induce.logic.background.relations import Relations
from induce.logic.bottom_up import consequences
from induce.logic.subsumption import theta_subsumes, variants
from induce.relational.claudien import regularities
from induce.relational.learners.rdt import RDT
from induce.relational.templates import CHAIN, instances, parse_template, written

FAMILY = """
    mother(ann, bea). mother(ann, cal). mother(bea, dan). father(bob, bea). father(bob, cal). father(cal, eve).
    parent(ann, bea). parent(ann, cal). parent(bea, dan). parent(bob, bea). parent(bob, cal). parent(cal, eve).
    male(bob). male(cal). male(dan). female(ann). female(bea). female(eve)."""


def found(relations, **options):
    return [str(one.clause) for one in regularities(relations, **options)]


# -- regularities --


def test_what_is_true_of_a_family():
    true = found(Relations(program=FAMILY))
    for wanted in (
        ":- male(A), female(A).",
        "parent(A, B) :- mother(A, B).",
        "parent(A, B) :- father(A, B).",
        "female(A) :- mother(A, B).",
        "male(A) :- father(A, B).",
        "mother(A, B) :- parent(A, B), female(A).",
        "father(A, B) :- parent(A, B), male(A).",
    ):
        assert any(variants(parse_clause(wanted), parse_clause(one)) for one in true), wanted


def test_every_regularity_is_true_and_none_follows_from_another_by_subsumption():
    known = Relations(program=FAMILY)
    all_found = regularities(known, min_cases=2)
    base = consequences(known.rules, known.listed, known.symbols)
    for one in all_found:
        cases = _cases(one.clause, base)
        assert len(cases) == one.cases
        if one.clause.head is not None:
            assert one.cases >= 2
            assert all(base.holds(_ground(one.clause.head, values)) for values in cases)
    clauses = [one.clause for one in all_found]
    assert not any(
        theta_subsumes(general, special) is not None
        for general in clauses
        for special in clauses
        if general is not special
    )


def test_the_search_is_complete_within_its_limits():
    """Of all clauses with one literal in the body, each true one is found or follows from one that was found."""
    known = Relations(program="p(a, b). p(b, a). q(a, b). r(a). r(b).")
    base = consequences(known.rules, known.listed, known.symbols)
    given_ones = [one.clause for one in regularities(known, max_literals=1, max_variables=2)]
    literals = [f"{name}({x}, {y})" for name in "pq" for x in "AB" for y in "AB"] + ["r(A)", "r(B)"]
    for head, body in product(literals, literals):
        clause = parse_clause(f"{head} :- {body}.")
        told = {name for literal in clause.body for name in literal.variables()}
        if head == body or not told.issuperset(clause.head.variables()):
            continue
        cases = _cases(clause, base)
        true = bool(cases) and all(base.holds(_ground(clause.head, values)) for values in cases)
        follows = any(theta_subsumes(one, clause) is not None for one in given_ones)
        assert follows == (true or not cases)


def test_denials_can_be_left_out_and_predicates_chosen():
    known = Relations(program=FAMILY)
    assert not any(one.startswith(":-") for one in found(known, denials=False))
    only = found(known, predicates=[("mother", 2), ("parent", 2)], denials=False, max_literals=1)
    assert only == ["parent(A, B) :- mother(A, B)."]
    assert str(regularities(known, max_literals=1, max_variables=1)[0]) == "false :- mother(A, A)."


def test_types_keep_senseless_clauses_away():
    known = Relations(program="age(ann, 3). age(bob, 4). likes(ann, bob). likes(bob, ann).")
    assert ":- age(A, A)." not in found(known, max_literals=1)
    assert "likes(A, B) :- likes(B, A)." in found(known, max_literals=1)


def test_limits_and_bad_input_of_regularities():
    known = Relations(program=FAMILY)
    with pytest.warns(Note, match="time limit"):
        assert regularities(known, time_limit=1e-9) == ()
    with pytest.raises(InputError, match="max_literals is 0"):
        regularities(known, max_literals=0)
    with pytest.raises(InputError, match="no relation mothr/2; did you mean mother/2"):
        regularities(known, predicates=[("mothr", 2)])
    with pytest.warns(Note, match="first/2 cannot be listed as facts"):
        regularities(Relations(program="p(a). first([H|T], H)."), max_literals=1)


def _cases(clause, base):
    names = list(dict.fromkeys(name for literal in clause.body for name in literal.variables()))
    constants = base.symbols.terms
    every = (dict(zip(names, values, strict=True)) for values in product(constants, repeat=len(names)))
    return [
        values for values in every if all(base.holds(_ground(literal, values)) for literal in clause.body)
    ]


def _ground(literal, values):
    from induce.logic import Substitution

    return Substitution(values).apply(literal)


# -- rule schemata --


def test_a_schema_has_predicate_variables():
    template = parse_template("P(X, Y) :- Q(X, Z), parent(Z, Y)")
    assert [literal.name for literal in (template.head, *template.body)] == ["P", "Q", "parent"]
    assert written(template) == "P(X, Y) :- Q(X, Z), parent(Z, Y)."


def test_instances_fit_arity_and_types():
    known = Relations(program=FAMILY + " age(ann, 3).")
    clauses = [str(clause) for clause in instances("P(X, Y) :- Q(X, Y), R(X).", known, ("t", 2))]
    assert len(clauses) == 4 * 2
    assert "t(A, B) :- age(A, B), male(A)." in clauses
    assert not any("age" in str(clause) for clause in instances("P(X) :- Q(X, Y), R(Y).", known, ("t", 1)))
    free = [str(clause) for clause in instances("P(X, Y) :- Q(Y, X).", known)]
    assert "parent(A, B) :- mother(B, A)." in free
    same = [str(clause) for clause in instances("P(X, Y) :- Q(X, Z), Q(Z, Y).", known, ("t", 2))]
    assert same == [f"t(A, B) :- {name}(A, C), {name}(C, B)." for name in ("mother", "father", "parent")]


def pairs():
    people = ["ann", "bob", "bea", "cal", "dan", "eve"]
    return [(one, other) for one in people for other in people]


def test_rdt_learns_the_instances_that_fit_the_examples():
    grandmother = {("ann", "dan"), ("ann", "eve")}
    X, y = pairs(), [pair in grandmother for pair in pairs()]
    learner = RDT(Relations(program=FAMILY), "grandmother", templates=["P(X, Y) :- Q(X, Y).", CHAIN]).fit(
        X, y
    )
    assert str(learner.hypothesis_) == "grandmother(A, B) :- mother(A, C), parent(C, B).  % 2/2"
    assert (learner.predict(X) == y).all()
    assert learner.n_tested_ == 3 + 9


def test_rdt_makes_recursive_clauses_of_a_schema_that_calls_its_head():
    known = Relations(program="parent(ann, bea). parent(bea, cal). parent(cal, dan).")
    people = ["ann", "bea", "cal", "dan"]
    X = [(one, other) for one in people for other in people]
    y = [people.index(one) < people.index(other) for one, other in X]
    schemata = ["P(X, Y) :- Q(X, Y).", "P(X, Y) :- Q(X, Z), P(Z, Y)."]
    learner = RDT(known, "ancestor", templates=schemata).fit(X, y)
    assert [str(clause) for clause in learner.hypothesis_.clauses] == [
        "ancestor(A, B) :- parent(A, B).",
        "ancestor(A, B) :- parent(A, C), ancestor(C, B).",
    ]
    assert (learner.predict(X) == y).all()
    endless = RDT(known, "ancestor", templates=["P(X, Y) :- P(Y, X)."]).fit(X, y)
    assert endless.n_tested_ == 0


def test_rdt_tells_its_tests_and_bears_noise():
    X = pairs()
    y = np.array([pair in {("ann", "bea"), ("ann", "cal")} for pair in X])
    with induce.trace(only="instance") as events:
        strict = RDT(Relations(program=FAMILY), "t", templates=["P(X, Y) :- Q(X, Y)."]).fit(X, y)
    assert strict.hypothesis_.clauses == ()
    assert [event["accepted"] for event in events] == [False] * 3
    loose = RDT(Relations(program=FAMILY), "t", templates=["P(X, Y) :- Q(X, Y)."], noise=0.4).fit(X, y)
    assert str(loose.hypothesis_) == "t(A, B) :- mother(A, B).  % 2/3"


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"templates": []}, "templates is \\[\\]; give a list"),
        ({"templates": CHAIN}, "give a list of clauses"),
        ({"templates": [":- Q(X)."]}, "has no head"),
        ({"noise": 1}, "noise is 1; give a fraction"),
        ({"min_positives": 0}, "min_positives is 0"),
    ],
)
def test_bad_parameters_of_rdt_are_named(parameters, told):
    with pytest.raises(InputError, match=told):
        RDT(Relations(program=FAMILY), "t", **parameters).fit([("ann", "bea")], [1])


def test_schemata_for_other_targets_do_not_apply():
    with pytest.warns(Note, match="no template has a head with 1 arguments"):
        RDT(Relations(program=FAMILY), "t").fit([["ann"], ["bob"]], [1, 0])
    with pytest.raises(InputError, match="has 2 arguments, but t/1 has 1"):
        list(instances(CHAIN, Relations(program=FAMILY), ("t", 1)))


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6, unique=True))
def test_regularities_of_random_graphs_hold(edges):
    known = Relations(program=" ".join(f"e(n{x}, n{y})." for x, y in edges), types={"e/2": ("node", "node")})
    base = consequences(known.rules, known.listed, known.symbols)
    for one in regularities(known, max_literals=2, max_variables=3):
        cases = _cases(one.clause, base)
        assert len(cases) == one.cases
        assert one.clause.head is None or all(
            base.holds(_ground(one.clause.head, values)) for values in cases
        )
