"""All proofs of a goal, and the record of failed ones."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.logic import (
    DomainTheory,
    Prover,
    Relations,
    all_proofs,
    parse_literal,
    parse_program,
    unfolded_negations,
    why_not,
)
from induce.logic.regression import leaves_of, weakest_preimage

LEFT = "path(X, Y) :- edge(X, Y). path(X, Y) :- edge(X, Z), path(Z, Y). "


def graph(edges):
    return " ".join(f"edge(n{a}, n{b})." for a, b in edges)


@settings(max_examples=40, deadline=None)
@given(
    st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda one: one[0] < one[1]), min_size=1)
)
def test_in_a_graph_without_circles_there_are_as_many_proofs_as_ways(edges):
    prover = Prover(parse_program(LEFT + graph(sorted(edges))), unknown="fail")
    plain = Prover(parse_program(LEFT + graph(sorted(edges))), tabled=None, unknown="fail")

    def n_ways(a, b):
        return sum((onward == b) + n_ways(onward, b) for start, onward in edges if start == a)

    for a in range(5):
        for b in range(5):
            found = list(all_proofs(prover, f"path(n{a}, n{b})"))
            assert len(found) == n_ways(a, b) == len(plain.prove(f"path(n{a}, n{b})").all())
            assert len({str(one) for one in found}) == len(found)


def test_circles_end():
    prover = Prover(parse_program(LEFT + "edge(a, b). edge(b, a). edge(a, c). edge(b, c)."))
    found = [str(proof) for proof in all_proofs(prover, "path(a, c)")]
    assert len(found) == 2  # a-c and a-b-c; a-b-a-c would use path(a, c) to prove itself
    assert len(list(all_proofs(prover, "path(a, X)", max_proofs=3))) == 3
    assert list(all_proofs(prover, "path(c, a)")) == []


def test_facts_in_arrays_and_negations():
    facts = Relations(program="q(a). r(b). p(a).")
    prover = facts.prover(
        parse_program("p(X) :- q(X), \\+ r(X). p(X) :- s(X). s(a).").clauses, unknown="fail"
    )
    found = list(all_proofs(prover, "p(a)"))
    assert [one.kind for one in found] == ["fact", "rule", "rule"]
    assert str(weakest_preimage(found[1])) == "p(X) :- q(X), \\+ r(X)."


def test_all_explanations_of_a_recursive_theory():
    theory = DomainTheory(
        "path(X, Y) :- step(X, Y). path(X, Y) :- step(X, Z), path(Z, Y). step(X, Y) :- road(X, Y). "
        "step(X, Y) :- ferry(X, Y).",
        "path",
    )
    facts = Relations(program="road(a, b). ferry(a, b). road(b, c). ferry(a, c).")
    learner = induce.PrologEBG(theory, facts, explanations="all").fit([["a", "c"]], [True])
    assert sorted(map(str, learner.hypothesis_.clauses)) == [
        "path(X, Y) :- ferry(X, Y).",
        "path(X, Y) :- ferry(X, Z), road(Z, Y).",
        "path(X, Y) :- road(X, Z), road(Z, Y).",
    ]


def test_an_answer_says_how_many_inferences_it_took():
    answers = Prover(parse_program("p(X) :- q(X), r(X). q(a). q(b). q(c). r(b). r(c).")).prove("p(X)")
    first, second = answers.all()
    assert (first.inferences, second.inferences) == (4, 5)


def test_leaves_of_the_example_and_of_the_theory():
    theory = parse_program("heavy(X) :- made_of(X, M), metal(M), \\+ hollow(X). metal(iron).")
    prover = Relations(program="made_of(anvil, iron). hollow(pipe).").prover(theory.clauses)
    proof = prover.first("heavy(anvil)").proof
    stated, of_example = proof.split_facts(theory)
    assert (stated, of_example) == ((parse_literal("metal(iron)"),), (parse_literal("made_of(anvil, iron)"),))
    assert [leaf.kind for leaf in leaves_of(proof)] == ["fact", "fact", "negation"]


CREDIT = """
    approve(X) :- adult(X), solvent(X).
    adult(X) :- age(X, A), A >= 18.
    solvent(X) :- income(X, I), I > 1000.
    solvent(X) :- guarantor(X, Y), solvent(Y).
    age(bob, 40). income(bob, 500). guarantor(bob, cal). guarantor(cal, bob).
"""


def test_where_a_failed_search_failed():
    prover = Prover(parse_program(CREDIT), unknown="fail")
    failed = why_not(prover, "approve(bob)")
    (way,) = failed.ways
    assert (way.held, str(way.failed.literal)) == (1, "solvent(bob)")
    assert [(passed, str(one)) for passed, one in failed.stops()] == [
        (2, "500 > 1000"),
        (2, "income(cal, I)"),
        (3, "solvent(bob)"),  # it goes round in a circle
    ]
    assert list(map(str, failed.farthest())) == ["solvent(bob)"]
    assert "└─ approve(X) :- adult(X), solvent(X). stopped at solvent(bob)" in str(failed)
    with pytest.raises(InputError, match=r"adult\(bob\) can be proved"):
        why_not(prover, "adult(bob)")
    absent = why_not(prover, "age(ann, X)")
    assert absent.ways == ()
    assert str(absent) == "no proof of age(ann, X)"


def test_a_negation_says_what_it_rests_on():
    prover = Prover(
        parse_program(
            "safe(X) :- part(X), \\+ risky(X). risky(X) :- old(X), weak(X). weak(X) :- rusty(X). weak(X) :- thin(X). "
            "part(a). old(a)."
        ),
        unknown="fail",
    )
    proof = unfolded_negations(prover.first("safe(a)").proof, prover)
    assert [str(node.literal) for _, node in proof.walk()] == [
        "safe(a)",
        "part(a)",
        "\\+ risky(a)",
        "\\+ weak(a)",
        "\\+ rusty(a)",
        "\\+ thin(a)",
    ]
