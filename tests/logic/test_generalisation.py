"""Least general generalisations, relative ones, and what is determinate."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.generalisation import FactIndex, connected, determinate_saturation, lgg, rlgg
from induce.logic.parsing import parse_clause, parse_literal, parse_term
from induce.logic.subsumption import equivalent, reduced, theta_subsumes, variants
from induce.logic.terms import Constant, Function, Variable, listed
from induce.logic.unification import match

FATHERS = [("sharon", "bob"), ("tom", "bob"), ("bob", "victor"), ("ann", "tom")]
FACTS = [parse_literal(f"father({child}, {father})") for child, father in FATHERS]
FACTS += [parse_literal("female(sharon)"), parse_literal("female(ann)")]
GRANDDAUGHTERS = parse_literal("gd(victor, sharon)"), parse_literal("gd(bob, ann)")

leaves = st.sampled_from([Variable("X"), Variable("Y"), Constant("a"), Constant("b")])
terms = st.recursive(
    leaves,
    lambda inner: st.builds(
        lambda name, parts: Function(name, tuple(parts)),
        st.sampled_from("fg"),
        st.lists(inner, min_size=1, max_size=2),
    ),
    max_leaves=5,
)
literals = st.builds(lambda name, parts: Literal(name, parts), st.sampled_from("qr"), st.tuples(terms, terms))
clauses = st.builds(
    lambda head, body: Clause(Literal("p", (head,)), tuple(body)), terms, st.lists(literals, max_size=3)
)


def test_10_b_21_lgg_of_literals():
    found = lgg(parse_literal("father(sharon, bob)"), parse_literal("father(tom, bob)"))
    assert variants(Clause(found), parse_clause("father(V, bob)."))


def test_10_b_21_lgg_of_clauses():
    one = parse_clause("d(sharon, bob) :- father(sharon, bob), female(sharon).")
    two = parse_clause("d(eve, tom) :- father(eve, tom), female(eve).")
    assert variants(lgg(one, two), parse_clause("d(V, W) :- father(V, W), female(V)."))


def test_10_b_21_relative_lgg():
    whole = rlgg(*GRANDDAUGHTERS, FACTS, reduce=False)
    assert len(whole.literals()) == 21
    assert set(FACTS) <= set(whole.body)
    short = rlgg(*GRANDDAUGHTERS, FACTS)
    wanted = parse_clause("gd(X, Y) :- father(Z, X), father(Y, Z), female(Y).")
    assert variants(short, wanted)
    # reduced, and then without what is known: this is the same as the reduction of all of it
    left = reduced(whole)
    assert variants(Clause(left.head, tuple(each for each in left.body if not each.ground)), wanted)


@given(terms, terms)
def test_the_lgg_of_terms_generalises_both(one, other):
    found = lgg(one, other)
    assert match(found, one) is not None
    assert match(found, other) is not None


@given(clauses, clauses, clauses)
def test_the_lgg_of_clauses_is_least(one, other, third):
    found = lgg(one, other)
    assert theta_subsumes(found, one) is not None
    assert theta_subsumes(found, other) is not None
    if theta_subsumes(third, one) is not None and theta_subsumes(third, other) is not None:
        assert theta_subsumes(third, found) is not None


@given(clauses)
def test_the_lgg_with_itself_is_equivalent(clause):
    assert equivalent(lgg(clause, clause), clause)
    assert equivalent(lgg(clause.literals(), clause.literals()), clause.literals())


def test_two_terms_that_meet_again_are_one_variable():
    assert lgg(parse_term("f(a, g(b), a)"), parse_term("f(c, g(d), c)")) == parse_term("f(A, g(B), A)")
    assert lgg(parse_term("f(a, b)"), parse_term("f(b, a)")) == parse_term("f(A, B)")
    # new variables are not those that are there already
    assert lgg(parse_term("f(A, B, c)"), parse_term("f(A, B, d)")) == parse_term("f(A, B, C)")


def test_where_there_is_none():
    assert lgg(parse_literal("p(a)"), parse_literal("q(a)")) is None
    assert lgg(parse_literal("p(a)"), parse_literal("\\+ p(a)")) is None
    assert lgg(parse_clause("p(a) :- r(b)."), parse_clause("q(a) :- r(b).")) == parse_clause(":- r(b).")
    with pytest.raises(TypeError, match="the same kind"):
        lgg(parse_literal("p(a)"), parse_term("p(a)"))
    with pytest.raises(InputError, match="the same predicate"):
        rlgg(parse_literal("p(a)"), parse_literal("q(a)"), FACTS)
    with pytest.raises(InputError, match=r"father\(X, bob\)"):
        rlgg(*GRANDDAUGHTERS, [parse_literal("father(X, bob)")])


def test_long_lists():
    one = listed([Constant(number) for number in range(10_000)])
    other = listed([Constant(-number) for number in range(10_000)])
    found = lgg(one, other)
    assert match(found, other).apply(found) == other


def test_connected():
    clause = parse_clause("p(X) :- r(Z, W), q(X, Y), s(U), r(Y, Z), t(a), s(W).")
    assert connected(clause) == parse_clause("p(X) :- r(Z, W), q(X, Y), r(Y, Z), s(W).")
    assert connected(parse_clause(":- q(X).")) == Clause(None)


@pytest.mark.slow
def test_a_large_relative_lgg():
    # 40 people in a line, each with a father, an age and a town
    people = [f"p{number}" for number in range(40)]
    facts = [parse_literal(f"father({one}, {two})") for one, two in pairwise(people)]
    facts += [parse_literal(f"age({one}, {number % 7})") for number, one in enumerate(people)]
    facts += [parse_literal(f"town({one}, t{number % 5})") for number, one in enumerate(people)]
    examples = parse_literal("gd(p2, p0)"), parse_literal("gd(p12, p10)")
    assert len(rlgg(*examples, facts, reduce=False).body) == 39 * 39 + 2 * 40 * 40
    short = rlgg(*examples, facts)
    # what both have is in it: two steps from the second to the first, and the same town of both
    assert (
        theta_subsumes(parse_clause("gd(X, Y) :- father(Y, Z), father(Z, X), town(Y, t0)."), short)
        is not None
    )
    assert theta_subsumes(parse_clause("gd(X, Y) :- town(X, t0)."), short) is None


def test_saturation_takes_what_is_determined():
    index = FactIndex([*FACTS, parse_literal("meets(sharon, tom, bob)"), parse_literal("likes(bob, ann)")])
    example = parse_literal("gd(victor, sharon)")
    # bob is the one father of sharon, but also the child of victor, so father(bob, victor) is known then
    assert determinate_saturation(example, index, 1, 2) == parse_clause(
        "gd(victor, sharon) :- father(sharon, bob), father(bob, victor), female(sharon)."
    )
    assert parse_literal("meets(sharon, tom, bob)") in determinate_saturation(example, index, 1, 3).body
    # tom and sharon are both children of bob, so from bob alone tom is not determined; ann is
    assert set(determinate_saturation(example, index, 2, 2).body) == {
        *(parse_literal(f"father({one}, {two})") for one, two in [("sharon", "bob"), ("bob", "victor")]),
        *(parse_literal(fact) for fact in ("female(sharon)", "likes(bob, ann)", "female(ann)")),
    }
    assert parse_literal("father(ann, tom)") in determinate_saturation(example, index, 3, 2).body
    assert determinate_saturation(example, index, 0, 2) == parse_clause(
        "gd(victor, sharon) :- female(sharon)."
    )


def test_saturation_of_a_clause_keeps_what_is_determinate():
    clause = parse_clause("p(X) :- q(X, Y), r(Y, Z), r(Y, U), s(Y, W).")
    kept = determinate_saturation(clause.head, clause.body, 2, 2)
    assert kept == parse_clause("p(X) :- q(X, Y), s(Y, W).")
    with pytest.raises(InputError, match="depth is -1"):
        determinate_saturation(clause.head, clause.body, -1, 2)
    with pytest.raises(InputError, match="arity is -2"):
        determinate_saturation(clause.head, clause.body, 1, -2)
