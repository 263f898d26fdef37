"""Substitutions, renaming, unification and matching."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.logic.clauses import Literal
from induce.logic.parsing import parse_clause, parse_literal, parse_term
from induce.logic.substitution import (
    Substitution,
    canonical,
    fresh_variables,
    ordered,
    renamed_apart,
    renaming_apart,
    variables_of,
)
from induce.logic.terms import Constant, Function, Variable, listed
from induce.logic.unification import match, unify, unify_all

X, Y, Z = Variable("X"), Variable("Y"), Variable("Z")


def theta(**bindings):
    return Substitution({Variable(name): parse_term(term) for name, term in bindings.items()})


leaves = st.sampled_from([X, Y, Z, Variable("U"), Constant("a"), Constant("b"), Constant(1), Constant(1.0)])
terms = st.recursive(
    leaves,
    lambda inner: st.builds(
        lambda name, arguments: Function(name, tuple(arguments)),
        st.sampled_from("fg"),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)
substitutions = st.dictionaries(st.sampled_from([X, Y, Z]), terms, max_size=3).map(Substitution)


def test_10_b_15_substitution():
    assert theta(X="bob", Y="Z").apply(parse_literal("father(X, bill)")) == parse_literal("father(bob, bill)")


def test_10_b_15_unification():
    one, other = parse_literal("father(X, Y)"), parse_literal("father(bill, Z)")
    found = unify(one, other)
    assert found == theta(X="bill", Z="Y")
    assert str(found) == "{X/bill, Z/Y}"
    assert found.apply(one) == found.apply(other) == parse_literal("father(bill, Y)")


def test_a_substitution_is_an_immutable_mapping():
    one = theta(X="a", Y="Y")
    assert dict(one) == {X: Constant("a")}
    assert one == theta(X="a")
    assert hash(one) == hash(theta(X="a"))
    assert one.restrict([Y, Z]) == Substitution()
    with pytest.raises(TypeError):
        one[X] = Constant("b")


def test_all_variables_are_replaced_at_once():
    assert theta(X="Y", Y="X").apply(parse_term("f(X, Y)")) == parse_term("f(Y, X)")
    clause = parse_clause("p(X) :- q(X, Y), r(a).")
    assert theta(X="Y", Y="b").apply(clause) == parse_clause("p(Y) :- q(Y, b), r(a).")
    assert theta(X="Y").apply(clause.literals()) == parse_clause("p(Y) :- q(Y, Y), r(a).").literals()


def test_what_does_not_change_is_shared():
    term = parse_term("f(g(a, b), h(X), k(Y))")
    new = theta(X="a").apply(term)
    assert new.arguments[0] is term.arguments[0]
    assert new.arguments[2] is term.arguments[2]
    assert theta(Z="a").apply(term) is term


@given(terms, substitutions, substitutions)
def test_composition(term, one, other):
    assert one.compose(other).apply(term) == other.apply(one.apply(term))


@given(terms, terms)
def test_a_unifier_unifies_and_is_solved(one, other):
    found = unify(one, other)
    if found is not None:
        assert found.apply(one) == found.apply(other)
        assert found.compose(found) == found
        assert not set(found) & {each for term in found.values() for each in variables_of(term)}


@given(terms, substitutions)
def test_a_unifier_is_most_general(term, other):
    # whatever makes the two the same is the unifier and something after it
    apart = renamed_apart(term, *other.values(), *other)
    special = other.apply(term)
    found = unify(apart, renamed_apart(special, apart))
    assert found is not None
    bindings = match(apart, special)
    assert bindings is not None
    assert match(found.apply(apart), special) is not None


@given(terms, substitutions)
def test_matching_finds_the_way_to_an_instance(term, other):
    special = other.apply(term)
    found = match(term, special)
    assert found is not None
    assert found.apply(term) == special


@pytest.mark.parametrize(
    ("one", "other"), [("X", "f(X)"), ("f(X, Y)", "f(g(Y), g(X))"), ("f(X, X)", "f(Y, g(Y))"), ("a", "1")]
)
def test_what_cannot_be_unified(one, other):
    assert unify(parse_term(one), parse_term(other)) is None


def test_without_the_occurs_check():
    assert unify(X, parse_term("f(X)"), occurs_check=False) == theta(X="f(X)")
    pairs = [(X, parse_term("f(X)")), (Y, parse_term("f(Y)")), (X, Y)]
    assert unify_all(pairs, occurs_check=False) is not None
    assert unify_all(pairs) is None


def test_literals_unify_with_literals_of_the_same_sign_and_predicate():
    assert unify(parse_literal("p(X)"), parse_literal("\\+ p(X)")) is None
    assert unify(parse_literal("p(X)"), parse_literal("p(X, Y)")) is None
    with pytest.raises(TypeError, match="literal"):
        unify(parse_literal("p(X)"), X)
    with pytest.raises(TypeError, match="literal"):
        match(parse_literal("p(X)"), X)


def test_matching_goes_one_way():
    assert match(parse_term("f(X, Y)"), parse_term("f(Y, X)")) == theta(X="Y", Y="X")
    assert match(parse_term("f(a)"), parse_term("f(X)")) is None
    assert match(parse_term("f(X, X)"), parse_term("f(X, Y)")) is None


def test_no_blow_up():
    # written out, the term for the first variable has 2 ** 400 leaves
    names = [Variable(f"X{number}") for number in range(401)]
    left = Function("f", tuple(names[:-1]))
    right = Function("f", tuple(Function("g", (name, name)) for name in names[1:]))
    found = unify(left, right)
    assert len(found) == 400
    assert found.apply(names[0]).arguments[0] is found.apply(names[0]).arguments[1]
    # and the same again with both sides built up
    doubled = unify(Function("f", (left, right)), Function("f", (right, left)))
    assert len(doubled) == 400


def test_deep_terms_and_long_lists():
    deep, open_end = Constant("z"), Y
    for _ in range(20_000):
        deep, open_end = Function("s", (deep,)), Function("s", (open_end,))
    assert unify(deep, open_end) == theta(Y="z")
    assert match(open_end, deep).apply(open_end) == deep
    assert unify(open_end, Function("s", (open_end,))) is None
    long = listed([Variable(f"V{number}") for number in range(20_000)])
    other = listed([Constant(number) for number in range(20_000)])
    assert unify(long, other).apply(long) == other
    assert renamed_apart(long, long) != long
    assert ordered({Literal("p", (deep,)), Literal("p", (other,))})[0].arguments == (other,)


def test_fresh_names_cannot_clash():
    assert renaming_apart([X, Variable("X1")], [X]) == theta(X="X2")
    clause = parse_clause("p(X) :- q(X, X1).")
    assert renamed_apart(clause, clause) == parse_clause("p(X2) :- q(X2, X3).")
    names = {next(supply) for supply in [fresh_variables([Variable("A")])] for _ in range(60)}
    assert len(names) == 60
    assert Variable("A") not in names


@given(terms, terms)
def test_renaming_apart(one, other):
    apart = renamed_apart(one, other)
    assert not set(variables_of(apart)) & set(variables_of(other))
    assert canonical(apart) == canonical(one)


def test_canonical_names():
    assert canonical(parse_clause("p(Y, X) :- q(X, B).")) == parse_clause("p(A, B) :- q(B, C).")
    assert canonical(parse_term("f(X, Y)")) != canonical(parse_term("f(X, X)"))
