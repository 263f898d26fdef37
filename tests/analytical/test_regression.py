"""Regression through proofs: the numbers and tables of Mitchell §11.2.1.2 (05:11.B.1, 11.B.6, 11.D)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.analytical.examples import HOUSEMATES, JOE_AND_SUE, SAFE_TO_STACK, TWO_OBJECTS
from induce.core.errors import InputError
from induce.logic import (
    Clause,
    DomainTheory,
    Literal,
    Prover,
    Variable,
    draw_regression,
    parse_clause,
    parse_literal,
    parse_program,
    unify,
)
from induce.logic.regression import (
    cut,
    leaf_generalisation,
    leaves_of,
    regress,
    regression_steps,
    weakest_preimage,
)
from induce.logic.subsumption import variants
from induce.logic.unfolding import features, simplified, unfold
from induce.relational import Relations

LEARNED = parse_clause(
    "safeToStack(X, Y) :- volume(X, V), density(X, D), equal(W, times(V, D)), type(Y, endtable), less_than(W, 5)."
)


def proofs(theory, facts, goal):
    prover = facts.prover(theory.program.clauses, unknown="fail")
    return [answer.proofs[0] for answer in prover.prove(goal)]


def stacked():
    return proofs(SAFE_TO_STACK, TWO_OBJECTS, "safeToStack(obj1, obj2)")


def same(one: Clause, other: Clause) -> bool:
    return variants(one.literals(), other.literals())


def test_the_example_has_two_proofs_and_one_without_negation():
    assert len(stacked()) == 2
    (proof,) = proofs(SAFE_TO_STACK.without_negation(), TWO_OBJECTS, "safeToStack(obj1, obj2)")
    assert proof.literal == parse_literal("safeToStack(obj1, obj2)")


def test_the_proof_of_figure_11_2():
    proof = stacked()[1]
    assert [str(node.literal) for _, node in proof.walk()] == [
        "safeToStack(obj1, obj2)",
        "lighter(obj1, obj2)",
        "weight(obj1, 0.6)",
        "volume(obj1, 2)",
        "density(obj1, 0.3)",
        "equal(0.6, times(2, 0.3))",
        "weight(obj2, 5)",
        "type(obj2, endtable)",
        "less_than(0.6, 5)",
    ]
    used = [
        str(leaf.literal) for leaf in leaves_of(proof, SAFE_TO_STACK.is_operational) if leaf.kind == "fact"
    ]
    assert used == ["volume(obj1, 2)", "density(obj1, 0.3)", "type(obj2, endtable)"]


def test_four_steps_of_regression():
    steps = list(regression_steps(stacked()[1], operational=SAFE_TO_STACK.is_operational))
    assert [str(step) for step in steps] == [
        "lighter(X, Y)",
        "weight(X, Wx), weight(Y, Wy), less_than(Wx, Wy)",
        "volume(X, V), density(X, D), equal(Wx, times(V, D)), weight(Y, Wy), less_than(Wx, Wy)",
        "volume(X, V), density(X, D), equal(Wx, times(V, D)), type(Y, endtable), less_than(Wx, 5)",
    ]
    last = steps[-1]
    # Table 11.3: theta_hi = {z/Obj2}, theta_hl = {z/y, wy/5}
    assert [str(term) for term in last.instance.values()] == ["obj2"]
    assert sorted(map(str, last.general.values())) == ["5", "Y"]
    assert str(last.literal) == "weight(Y, Wy)"
    # theta_li = {y/Obj2} makes theta_hl(head) what was proved
    head = last.rule.head
    specific = unify(last.general.apply(head), parse_literal("weight(obj2, 5)"))
    assert str(specific) == "{Y/obj2}"
    assert specific.apply(last.general.apply(head)) == last.instance.apply(head)


def test_the_weakest_preimage_and_its_feature():
    clause = weakest_preimage(stacked()[1], operational=SAFE_TO_STACK.is_operational)
    assert same(clause, LEARNED)
    assert features(clause) == ("V * D < 5",)


def test_leaves_are_more_specific():
    proof = stacked()[1]
    clause = leaf_generalisation(proof, proof.literal.arguments, SAFE_TO_STACK.is_operational)
    assert same(
        clause, parse_clause("safeToStack(X, Y) :- volume(X, 2), density(X, 0.3), type(Y, endtable).")
    )


def test_the_head_is_specialised():
    theory = DomainTheory("likes(X, pizza) :- student(X).", "likes")
    (proof,) = proofs(theory, Relations(program="student(ann). tall(ann)."), "likes(ann, pizza)")
    clause = weakest_preimage(proof, parse_literal("likes(A, B)"), theory.is_operational)
    assert same(clause, parse_clause("likes(A, pizza) :- student(A)."))


def test_exercise_11_1():
    (proof,) = proofs(HOUSEMATES, JOE_AND_SUE, "houseMates(joe, sue)")
    frontiers = [str(step) for step in regression_steps(proof, operational=HOUSEMATES.is_operational)]
    assert frontiers[0] == "inSameFamily(X, Y)"
    assert frontiers[1] == "youngster(X), youngster(Y), sameMother(X, Y)"
    assert frontiers[2:] == [
        "age(X, A), less_than(A, 10), youngster(Y), sameMother(X, Y)",
        "age(X, A), less_than(A, 10), age(Y, A1), less_than(A1, 10), sameMother(X, Y)",
        "age(X, A), less_than(A, 10), age(Y, A1), less_than(A1, 10), mother(X, Z), mother(Y, Z)",
    ]
    young = "age(X, A), less_than(A, 10), age(Y, B), less_than(B, 10), mother(X, Z), mother(Y, Z)"
    assert same(
        weakest_preimage(proof, operational=HOUSEMATES.is_operational),
        parse_clause(f"houseMates(X, Y) :- {young}."),
    )
    with_joe = weakest_preimage(proof, parse_literal("houseMates(joe, Y)"), HOUSEMATES.is_operational)
    assert same(with_joe, parse_clause(f"houseMates(joe, Y) :- {young.replace('X', 'joe')}."))


def test_a_proof_is_cut_at_operational_predicates():
    proof = stacked()[1]
    coarse = DomainTheory(SAFE_TO_STACK.prolog, "safeToStack", ("weight",))
    assert [str(node.literal) for _, node in cut(proof, coarse.is_operational).walk()][2:] == [
        "weight(obj1, 0.6)",
        "weight(obj2, 5)",
        "less_than(0.6, 5)",
    ]
    clause = weakest_preimage(proof, operational=coarse.is_operational)
    assert same(clause, parse_clause("safeToStack(X, Y) :- weight(X, A), weight(Y, B), less_than(A, B)."))


def test_what_cannot_be_regressed():
    literal = parse_literal("p(X)")
    with pytest.raises(InputError, match=r"q\(X\) is not in the frontier"):
        regress([literal], parse_clause("q(Y) :- r(Y)."), parse_literal("q(X)"))
    with pytest.raises(InputError, match=r"the rule does not conclude p\(X\)"):
        regress([literal], parse_clause("q(Y) :- r(Y)."), literal)
    with pytest.raises(InputError, match="not an instance of the target"):
        weakest_preimage(stacked()[1], parse_literal("lighter(X, Y)"))


def test_lemmas_of_safe_to_stack():
    clauses = [one.clause for one in unfold(SAFE_TO_STACK, simplify=False)]
    two = "volume(X, V), density(X, D), equal(A, times(V, D))"
    expected = [
        "safeToStack(X, Y) :- \\+ material(Y, glass).",
        f"safeToStack(X, Y) :- {two}, volume(Y, U), density(Y, E), equal(B, times(U, E)), less_than(A, B).",
        str(LEARNED),
        f"safeToStack(Y, X) :- type(Y, endtable), {two}, less_than(5, A).",
        "safeToStack(X, Y) :- type(X, endtable), type(Y, endtable), less_than(5, 5).",
    ]
    assert len(clauses) == 5
    for clause, text in zip(clauses, expected, strict=True):
        assert same(clause, parse_clause(text))
    # the last one cannot be satisfied
    assert len(list(unfold(SAFE_TO_STACK))) == 4
    assert simplified(clauses[-1]) is None


def test_lemmas_of_exercise_11_1():
    assert len(list(unfold(HOUSEMATES))) == 3


def test_recursive_theories_need_a_depth():
    theory = DomainTheory("path(X, Y) :- edge(X, Y). path(X, Y) :- edge(X, Z), path(Z, Y).", "path")
    with pytest.raises(InputError, match="path/2 is recursive"):
        list(unfold(theory))
    assert [len(one.clause.body) for one in unfold(theory, depth=3)] == [1, 2, 3]
    assert theory.depth() is None
    assert SAFE_TO_STACK.depth() == 3


def test_the_caller_chooses_among_clauses():
    only_last = [
        one.rules for one in unfold(SAFE_TO_STACK, choose=lambda _, clauses: clauses[-1:], simplify=False)
    ]
    assert only_last == [(1, 2, 4, 4)]


def test_negations_that_are_more_than_single_literals_stay():
    theory = DomainTheory(
        "safe(X) :- \\+ risky(X). risky(X) :- old(X), rusty(X). risky(X) :- hot(X, T), T > 90.", "safe"
    )
    (derivation,) = unfold(theory)
    assert str(derivation.clause) == "safe(X) :- \\+ risky(X)."


def test_control_constructs_become_clauses():
    theory = DomainTheory(
        "ok(X) :- (a(X) ; b(X)), c(X). ok(X) :- (d(X) -> e(X) ; f(X)). ok(X) :- g(X), \\+ (h(X, Y), i(Y)).",
        "ok",
    )
    assert [str(one.clause) for one in unfold(theory)] == [
        "ok(X) :- a(X), c(X).",
        "ok(X) :- b(X), c(X).",
        "ok(X) :- d(X), e(X).",
        "ok(X) :- \\+ d(X), f(X).",
        "ok(X) :- g(X), \\+ h_and_i(X, Y).",
    ]
    with pytest.raises(InputError, match="a cut cannot be explained"):
        DomainTheory("p(X) :- q(X), !.", "p")


@pytest.mark.parametrize(
    ("text", "target", "operational", "sentence"),
    [
        ("p(X) :- q(X).", "q/1", (), "the theory has no clause of q/1; did you mean p/1"),
        ("p(X) :- q(X).", "r", (), "the theory has no clause of r"),
        ("p(X) :- q(X). p(X, Y) :- q(X).", "p", (), "may be p/1 and p/2"),
        ("p(X) :- q(X).", "p", ("p/1",), "the target p/1 is operational itself"),
        (":- dynamic q/1.", "q/1", (), "it defines nothing"),
        ("p(X) :- q(X", "p", (), "line 1"),
    ],
)
def test_theories_that_cannot_be_used(text, target, operational, sentence):
    with pytest.raises(InputError, match=sentence):
        DomainTheory(text, target, operational)


@st.composite
def layered(draw):
    """A random theory of three layers without recursion, over unary facts of two things."""
    lines = []
    for layer in range(3):
        below = [f"p{layer - 1}_{n}" for n in range(2)] if layer else [f"f{n}" for n in range(4)]
        for n in range(2):
            for _ in range(draw(st.integers(1, 2))):
                body = draw(st.lists(st.sampled_from(below), min_size=1, max_size=3))
                lines.append(f"p{layer}_{n}(X) :- {', '.join(f'{one}(X)' for one in body)}.")
    return DomainTheory("\n".join(lines), "p2_0/1")


@given(layered(), st.sets(st.integers(0, 3)))
def test_clauses_follow_from_random_theories(theory, facts):
    """A clause of an explanation covers its example, follows from the theory and is among the lemmas."""
    known = parse_program(" ".join(f"f{n}(a)." for n in sorted(facts)) + " f9(b).")
    lemmas = [one.clause for one in unfold(theory)]
    for answer in Prover(theory.program + known, unknown="fail").prove("p2_0(a)"):
        clause = weakest_preimage(answer.proofs[0], operational=theory.is_operational)
        assert {literal.name for literal in clause.body} <= {f"f{n}" for n in facts}
        assert any(same(clause, lemma) for lemma in lemmas)
        *_, last = regression_steps(answer.proofs[0], operational=theory.is_operational)
        assert set(last.frontier) == set(clause.body)
    for lemma in lemmas:
        skolem = [Clause(Literal(one.name, tuple(parse_literal("x(c)").arguments))) for one in lemma.body]
        more = parse_program(" ".join(map(str, skolem)))
        assert all(isinstance(term, Variable) for one in lemma.body for term in one.arguments)
        assert Prover(theory.program + more, unknown="fail").holds("p2_0(c)")


def test_a_picture_of_regression():
    """Figure 11.3: a row of boxes for the target and for each frontier, with the rule and its unifier beside."""
    prover = TWO_OBJECTS.prover(SAFE_TO_STACK.without_negation().program.clauses)
    proof = prover.first("safeToStack(obj1, obj2)").proofs[0]
    (axes,) = draw_regression(proof, operational=SAFE_TO_STACK.is_operational).axes
    written = [text.get_text() for text in axes.texts]
    rows: dict[float, list[str]] = {}
    for text in axes.texts:
        if text.get_bbox_patch() is not None:
            rows.setdefault(text.get_position()[1], []).append(text.get_text())
    steps = list(regression_steps(proof, operational=SAFE_TO_STACK.is_operational))
    frontiers = [["safeToStack(X, Y)"], *([str(one) for one in step.frontier] for step in steps)]
    assert list(rows.values()) == frontiers
    assert any(text.endswith("/5}") for text in written)
    alone = Prover(parse_program("student(ann).")).first("student(ann)").proof
    assert len(draw_regression(alone).axes[0].texts) == 1
