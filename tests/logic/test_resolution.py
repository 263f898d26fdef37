"""Resolution of propositions and of first-order clauses, and proofs by it."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.notations import parse_disjunction
from induce.logic.parsing import parse_clause, parse_literal, parse_program
from induce.logic.refutation import refute
from induce.logic.resolution import factors, horn, resolve_on, resolvents, resolves_to, write_disjunction
from induce.logic.substitution import Substitution
from induce.logic.subsumption import variants
from induce.logic.terms import Constant, Variable

clause = parse_disjunction

propositions = st.frozensets(
    st.builds(lambda name, negated: Literal(name, negated=negated), st.sampled_from("abcd"), st.booleans()),
    max_size=3,
)
a_term = st.sampled_from([Variable("X"), Variable("Y"), Constant("a"), Constant("b")])
some_literals = st.builds(
    lambda name, terms, negated: Literal(name, terms, negated),
    st.sampled_from("pq"),
    st.tuples(a_term),
    st.booleans(),
)
some_clauses = st.frozensets(some_literals, max_size=2)


def holds(literals, model):
    return any((literal.name in model) != literal.negated for literal in literals)


def models():
    for values in product([False, True], repeat=4):
        yield {name for name, value in zip("abcd", values, strict=True) if value}


def ground_instances(literals):
    names = [Variable("X"), Variable("Y")]
    for values in product([Constant("a"), Constant("b")], repeat=2):
        yield Substitution(dict(zip(names, values, strict=True))).apply(literals)


def test_10_b_13_propositional_resolution():
    first, second = clause("PassExam | ~KnowMaterial"), clause("KnowMaterial | ~Study")
    knows = parse_literal("\\+ knowMaterial")
    assert resolve_on(first, second, knows) == clause("PassExam | ~Study")
    assert [step.clause for step in resolvents(first, second)] == [clause("PassExam | ~Study")]
    assert resolve_on(clause("A | B | C | ~D"), clause("~B | E | F"), parse_literal("b")) == clause(
        "A | C | ~D | E | F"
    )


def test_10_b_16_first_order_resolution():
    (step,) = resolvents(clause("White(x) | ~Swan(x)"), clause("Swan(Fred)"))
    assert step.clause == clause("White(Fred)")
    assert step.theta == Substitution({Variable("X"): Constant("fred")})
    # both literals that were resolved on are gone, L1θ and L2θ, not ¬L2θ as the text says
    assert step.theta.apply(step.literal) == step.theta.apply(step.other).negation()


def test_10_b_19_a_clause_resolved_with_itself():
    elephant = parse_clause("elephant(father_of(X)) :- elephant(X).")
    wanted = parse_clause("elephant(father_of(father_of(Y))) :- elephant(Y).").literals()
    assert any(variants(step.clause, wanted) for step in resolvents(elephant, elephant))


def test_a_literal_to_resolve_on_must_be_there():
    with pytest.raises(InputError, match="¬b"):
        resolve_on(clause("A"), clause("B"), parse_literal("\\+ b"))


def test_variables_are_renamed_apart():
    (step,) = resolvents(clause("P(x) | ~Q(x, y)"), clause("Q(y, x)"))
    assert variants(step.clause, clause("P(u)"))
    (step,) = resolvents(clause("P(x, y) | ~Q(x)"), clause("Q(A) | R(x, y)"))
    assert variants(step.clause, clause("P(A, y) | R(u, v)"))


def test_every_pair_of_literals_is_tried():
    found = resolvents(clause("P(x) | P(B) | ~Q(x)"), clause("~P(A) | ~P(B)"))
    # P(x) with each of two, P(B) with one
    assert len(found) == 3


def test_any_unifier():
    rule, fact = clause("White(x) | ~Swan(x) | ~Big(y)"), clause("Swan(Fred)")
    assert resolves_to(rule, fact, clause("White(Fred) | ~Big(Tom)"))
    assert resolves_to(rule, fact, clause("White(Fred) | ~Big(z)"))
    assert not resolves_to(rule, fact, clause("White(Fred)"))
    assert not resolves_to(rule, fact, clause("White(x) | ~Big(y)"))
    # literals may become the same
    assert resolves_to(clause("P(x) | ~Q"), clause("P(y) | Q"), clause("P(z)"))


def test_factors():
    ((factor, literals, theta),) = factors(clause("P(x, A) | P(B, y) | ~P(u, v)"))
    assert variants(factor, clause("P(B, A) | ~P(u, v)"))
    assert {theta.apply(literal) for literal in literals} == {parse_literal("p(b, a)")}


@given(propositions, propositions)
def test_resolvents_follow(one, other):
    for step in resolvents(one, other):
        for model in models():
            if holds(one, model) and holds(other, model):
                assert holds(step.clause, model)


@given(st.lists(propositions, max_size=6))
def test_refutation_agrees_with_truth_tables(clauses):
    outcome = refute(clauses)
    assert outcome.decided
    possible = any(all(holds(each, model) for each in clauses) for model in models())
    assert (outcome.proof is None) == possible


@given(st.lists(some_clauses, max_size=4))
def test_refutation_agrees_with_ground_instances(clauses):
    # without functions, clauses contradict each other if and only if their instances over the constants do
    outcome = refute(clauses)
    ground = refute([each for literals in clauses for each in ground_instances(literals)])
    assert outcome.decided
    assert (outcome.proof is None) == (ground.proof is None)


def check(proof, given):
    """Repeat every step of a proof."""
    for place, step in enumerate(proof.steps):
        assert all(parent < place for parent in step.parents)
        above = [proof.steps[parent].clause for parent in step.parents]
        if not above:
            assert step.clause in given
        elif len(above) == 1:
            assert step.clause in [factor for factor, _, _ in factors(above[0])]
        else:
            one, other = step.literals
            assert step.theta.apply(one) == step.theta.apply(other).negation()
            assert any(variants(step.clause, each.clause) for each in resolvents(*above))
    assert proof.conclusion == frozenset()


@given(st.lists(some_clauses, min_size=2, max_size=5))
def test_every_step_of_a_proof_is_right(clauses):
    outcome = refute(clauses)
    if outcome.proof is not None:
        check(outcome.proof, set(clauses))


def test_factoring_is_needed():
    outcome = refute([clause("P(x) | P(y)"), clause("~P(x) | ~P(y)")])
    assert outcome.proof is not None
    check(outcome.proof, {clause("P(x) | P(y)"), clause("~P(x) | ~P(y)")})
    assert any(len(step.parents) == 1 for step in outcome.proof.steps)


def test_printed_proofs():
    rules = [
        parse_clause("white(X) :- swan(X)."),
        parse_clause("swan(fred)."),
        parse_clause(":- white(fred)."),
    ]
    proof = refute(rules).proof
    assert str(proof).replace("\N{LOGICAL OR}", "or").splitlines() == [
        "1. white(X) or ¬swan(X)   [given]",
        "2. swan(fred)   [given]",
        "3. ¬white(fred)   [given]",
        "4. white(fred)   [from 1 and 2 by {X/fred}]",
        "5. ⊥   [from 4 and 3 by {}]",
    ]
    assert proof.tree().replace("\N{LOGICAL OR}", "or").splitlines() == [
        "⊥   {}",
        "├─ white(fred)   {X/fred}",
        "│  ├─ white(X) or ¬swan(X)",
        "│  └─ swan(fred)",
        "└─ ¬white(fred)",
    ]
    assert str(resolvents(rules[0], rules[1])[0]).endswith("give white(fred) by {X/fred}")


def test_steps_run_out():
    growing = parse_program("p(f(X)) :- p(X). p(a). q(f(X)) :- q(X). q(b). r :- p(X), q(X).")
    outcome = refute([*growing, parse_clause(":- r.")], max_steps=300)
    assert (outcome.proof, outcome.decided) == (None, False)
    assert outcome.steps <= 300
    with pytest.raises(InputError, match="max_steps is 0"):
        refute([], max_steps=0)
    assert refute([]).decided


def test_terms_that_double_do_not_blow_up():
    doubling = parse_program("p(f(X, X)) :- p(X). p(a).")
    assert not refute([*doubling, parse_clause(":- p(b).")], max_steps=4_000).proof


def test_horn_clauses():
    assert horn(clause("P(x) | ~R(x) | ~Q(x)")) == parse_clause("p(X) :- q(X), r(X).")
    assert horn(clause("~P(x)")) == parse_clause(":- p(X).")
    assert horn(parse_clause("p.")) == Clause(Literal("p"))
    with pytest.raises(InputError, match="more than one positive"):
        horn(clause("P | Q"))
    assert write_disjunction(clause("~A | B")) == "b \N{LOGICAL OR} ¬a"
