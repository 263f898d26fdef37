"""PROLOG-EBG and LEMMA-ENUMERATOR (Mitchell §11.2 and §11.3.4)."""

from __future__ import annotations

import numpy as np
import pytest

import induce
from induce.analytical import diagnose
from induce.analytical.examples import HOUSEMATES, JOE_AND_SUE, SAFE_TO_STACK, TWO_OBJECTS
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.logic import DomainTheory, parse_clause, parse_literal, partially_evaluated
from induce.logic.subsumption import variants
from induce.relational import Relations

PAIR = [["obj1", "obj2"]]
RULE = "safeToStack(X, Y) :- volume(X, V), density(X, D), equal(W, times(V, D)), type(Y, endtable), less_than(W, 5)."


def clauses(learner) -> list[str]:
    return [str(clause) for clause in learner.hypothesis_.clauses]


def same(text: str, other: str) -> bool:
    return variants(parse_clause(text).literals(), parse_clause(other).literals())


def test_the_book_learns_from_the_second_proof():
    learner = induce.PrologEBG(SAFE_TO_STACK, TWO_OBJECTS, negation=False).fit(PAIR, [True])
    (found,) = clauses(learner)
    assert same(found, RULE)
    assert learner.hypothesis_.features == ("V * D < 5",)
    (why,) = learner.hypothesis_.justifications
    assert why.relevant == ("volume(obj1, 2)", "density(obj1, 0.3)", "type(obj2, endtable)")
    assert set(why.irrelevant) == {
        "on(obj1, obj2)",
        "color(obj1, red)",
        "color(obj2, blue)",
        "owner(obj1, fred)",
        "owner(obj2, louise)",
        "material(obj1, cardboard)",
        "material(obj2, wood)",
        "type(obj1, box)",
    }
    assert "irrelevant: on(obj1, obj2)" in learner.hypothesis_.justify()


def test_with_negation_the_first_proof_is_another():
    learner = induce.PrologEBG(SAFE_TO_STACK, TWO_OBJECTS).fit(PAIR, [True])
    assert clauses(learner) == ["safeToStack(X, Y) :- \\+ material(Y, glass)."]


def test_all_explanations():
    learner = induce.PrologEBG(SAFE_TO_STACK, TWO_OBJECTS, explanations="all").fit(PAIR, [True])
    first, second = clauses(learner)
    assert first == "safeToStack(X, Y) :- \\+ material(Y, glass)."
    assert same(second, RULE)
    lemmas = clauses(induce.LemmaEnumerator(SAFE_TO_STACK, TWO_OBJECTS).fit(PAIR, [True]))
    assert len(lemmas) == 4
    assert all(any(same(one, lemma) for lemma in lemmas) for one in (first, second))


def test_leaves():
    learner = induce.PrologEBG(SAFE_TO_STACK, TWO_OBJECTS, negation=False, generalise="leaves").fit(
        PAIR, [True]
    )
    (found,) = clauses(learner)
    assert same(found, "safeToStack(X, Y) :- volume(X, 2), density(X, 0.3), type(Y, endtable).")


def test_the_learned_rule_alone_decides():
    learned = induce.PrologEBG(SAFE_TO_STACK.without_negation(), TWO_OBJECTS).fit(PAIR, [True]).hypothesis_
    others = Relations(
        program="""
        volume(a, 3). density(a, 1.5). volume(b, 10). density(b, 0.5). volume(c, 2). density(c, 0.3).
        type(table, endtable). type(seat, chair).
        """
    )
    moved = learned.with_background(others)
    # 4.5 < 5; 5 < 5 does not hold; a chair is not an end table
    assert moved.predict([["a", "table"], ["b", "table"], ["c", "seat"]]).tolist() == [True, False, False]
    by_theory, by_clauses = moved.inferences([["a", "table"]])
    assert by_clauses[0] < by_theory[0]


def test_exercise_11_1():
    learner = induce.PrologEBG(HOUSEMATES, JOE_AND_SUE).fit([["joe", "sue"]], [True])
    (found,) = clauses(learner)
    young = "age(X, A), less_than(A, 10), age(Y, B), less_than(B, 10), mother(X, Z), mother(Y, Z)"
    assert same(found, f"houseMates(X, Y) :- {young}.")
    # shared by the two, and of no account
    dropped = set(learner.hypothesis_.justifications[0].irrelevant)
    assert {
        "nationality(joe, us)",
        "nationality(sue, us)",
        "height(joe, short)",
        "height(sue, short)",
    } <= dropped
    assert len(clauses(induce.LemmaEnumerator(HOUSEMATES, JOE_AND_SUE).fit([["joe", "sue"]], [True]))) == 3


def test_negations_keep_the_clauses_they_rest_on():
    theory = DomainTheory("safe(X) :- part(X), \\+ risky(X). risky(X) :- old(X), rusty(X).", "safe")
    facts = Relations(program="part(a). part(b). part(c). old(b). rusty(b). old(c).")
    learner = induce.PrologEBG(theory, facts).fit([["a"], ["b"], ["c"]], [True, False, True])
    assert clauses(learner) == ["safe(X) :- part(X), \\+ risky(X).", "risky(A) :- old(A), rusty(A)."]
    assert learner.predict([["a"], ["b"], ["c"]]).tolist() == [True, False, True]


def test_examples_without_a_proof_are_told():
    theory = DomainTheory("p(X) :- q(X).", "p")
    with pytest.warns(Note, match="no proof of 1 of 2 positive examples"):
        learner = induce.PrologEBG(theory, Relations(program="q(a). r(b).")).fit([["a"], ["b"]], [True, True])
    assert learner.unexplained_.tolist() == [1]
    with pytest.warns(Note, match="proves 1 of 1 negative examples"):
        induce.PrologEBG(theory, Relations(program="q(a). q(b).")).fit([["a"], ["b"]], [True, False])


def test_the_theory_decides_what_the_clauses_leave():
    theory = DomainTheory("p(X) :- q(X). p(X) :- r(X).", "p")
    facts = Relations(program="q(a). r(b). s(c).")
    rows = [["a"], ["b"], ["c"]]
    learner = induce.PrologEBG(theory, facts).fit(rows[:1], [True])
    assert learner.predict(rows).tolist() == [True, False, False]
    with_theory = induce.PrologEBG(theory, facts, fallback=True).fit([["a"], ["c"]], [True, False])
    assert with_theory.predict(rows).tolist() == [True, True, False]
    assert (with_theory.predict_proba(rows).argmax(1) == [1, 1, 0]).all()
    assert with_theory.hypothesis_.same_answers(rows).tolist() == [True, False, True]
    short, long = learner.explain(rows[:1])[0], learner.explain(rows[:1], full=True)[0]
    assert short.proof.size() <= long.proof.size()


def test_further_cases():
    theory = DomainTheory("p(X) :- q(X). p(X) :- r(X).", "p")
    facts = Relations(program="q(a). r(b). q(c).")
    learner = induce.PrologEBG(theory, facts).partial_fit([["a"]], [True])
    assert clauses(learner.partial_fit([["c"]], [True])) == ["p(X) :- q(X)."]
    assert clauses(learner.partial_fit([["b"]], [True])) == ["p(X) :- q(X).", "p(X) :- r(X)."]


def test_a_theory_that_changes():
    theory = DomainTheory("p(X) :- q(X). p(X) :- r(X), \\+ s(X). q(X) :- t(X).", "p")
    facts = Relations(program="t(a). r(b).")
    learned = induce.PrologEBG(theory, facts).fit([["a"], ["b"]], [True, True]).hypothesis_
    assert len(learned.clauses) == 2
    same_theory = DomainTheory("p(Y) :- q(Y). p(X) :- r(X), \\+ s(X). q(X) :- t(X). z(X) :- t(X).", "p")
    assert len(learned.under(same_theory).clauses) == 2
    with pytest.warns(Note, match=r"1 of 2 learned clauses no longer follow: p\(X\) :- t\(X\)"):
        assert len(learned.under(DomainTheory("p(X) :- q(X). p(X) :- r(X), \\+ s(X).", "p")).clauses) == 1
    denied = DomainTheory("p(X) :- q(X). p(X) :- r(X), \\+ s(X). q(X) :- t(X). s(X) :- u(X).", "p")
    with pytest.warns(Note, match="no longer follow"):
        assert [str(one) for one in learned.under(denied).clauses] == ["p(X) :- t(X)."]
    with pytest.raises(InputError, match="the theory is about q/1"):
        learned.under(DomainTheory("q(X) :- r(X).", "q"))


def test_a_saved_learner_keeps_its_theory(tmp_path):
    learner = induce.PrologEBG(SAFE_TO_STACK, TWO_OBJECTS, negation=False).fit(PAIR, [True])
    induce.save(learner, tmp_path / "stack.induce")
    loaded = induce.load(tmp_path / "stack.induce")
    assert loaded.theory == SAFE_TO_STACK
    assert loaded.hypothesis_.justify() == learner.hypothesis_.justify()
    assert loaded.predict(PAIR).tolist() == [True]


def test_the_trace_tells_the_regression():
    with induce.trace() as events:
        induce.PrologEBG(SAFE_TO_STACK, TWO_OBJECTS, negation=False).fit(PAIR, [True])
    assert [event.kind for event in events] == ["regress"] * 4 + ["explain"]
    assert events[0]["frontier"] == ["lighter(X, Y)"]


def test_rows_that_do_not_fit_the_theory():
    with pytest.raises(InputError, match="X has 1 columns, but the theory is about safeToStack/2"):
        induce.PrologEBG(SAFE_TO_STACK, TWO_OBJECTS).fit([["obj1"]], [True])
    theory = DomainTheory("p(X) :- \\+ q(X).", "p")
    with pytest.raises(InputError, match="contains a negated literal"):
        induce.PrologEBG(theory, negation=False).fit([["a"]], [True])


def test_the_diagnosis_says_where_proofs_stop():
    theory = DomainTheory(
        "ok(X) :- adult(X), solvent(X). adult(X) :- age(X, A), A >= 18. solvent(X) :- income(X, I), I > 1000.",
        "ok",
    )
    facts = Relations(
        program="age(a, 30). income(a, 2000). age(b, 40). income(b, 500). age(c, 12). income(c, 5000)."
    )
    found = diagnose(theory, [["a"], ["b"], ["c"]], [1, 1, 0], facts)
    assert (found.right, found.wrong, found.missed, found.rejected) == (1, 0, 1, 1)
    assert found.failures[0].stopped_at == ("500 > 1000",)
    assert found.completeness == 0.5
    assert found.correctness == 1.0
    assert not found.idle
    with pytest.raises(InputError, match="X has 1 rows"):
        diagnose(theory, [["a"]], [1, 0], facts)


def test_order_of_rows_and_seed_do_not_matter_here():
    theory = DomainTheory("p(X) :- q(X). p(X) :- r(X). p(X) :- s(X).", "p")
    facts = Relations(program="q(a). r(b). s(c). q(d).")
    rows, y = np.array([["a"], ["b"], ["c"], ["d"]]), np.array([True] * 4)
    found = {
        frozenset(clauses(induce.PrologEBG(theory, facts).fit(rows[order], y)))
        for order in ([0, 1, 2, 3], [3, 2, 1, 0])
    }
    assert len(found) == 1


def test_covered_examples_are_explained_on_request():
    theory = DomainTheory("p(X) :- q(X). p(X) :- r(X). q(X) :- s(X). q(X) :- s(X), t(X).", "p")
    facts = Relations(program="s(a). t(a). r(a). r(b). r(c).")
    rows, y = [["a"], ["b"], ["c"]], [True] * 3
    assert clauses(induce.PrologEBG(theory, facts, explanations="all").fit(rows[:1], y[:1])) == [
        "p(X) :- s(X).",
        "p(X) :- s(X), t(X).",
        "p(X) :- r(X).",
    ]
    # the clause that covers most comes first; what says less than another is dropped
    everything = induce.PrologEBG(theory, facts, explanations="all", skip_covered=False).fit(rows, y)
    assert clauses(everything) == ["p(X) :- r(X).", "p(X) :- s(X)."]
    assert everything.predict(rows).all()


def test_partial_evaluation_changes_the_number_of_inferences_only():
    theory = DomainTheory("p(X) :- q(X), r(X). q(X) :- s(X). q(X) :- t(X). r(X) :- u(X), \\+ v(X).", "p")
    flat = partially_evaluated(theory)
    facts = Relations(program="s(a). u(a). t(b). u(b). v(b). s(c). v(c). u(d). t(e). u(e).")
    before, after = (facts.prover(one.program.clauses, unknown="fail") for one in (theory, flat))
    goals = [parse_literal(f"p({thing})") for thing in "abcde"]
    assert (
        before.holds_each(goals).tolist()
        == after.holds_each(goals).tolist()
        == [True, False, False, False, True]
    )
    assert after.inferences_each(goals).sum() < before.inferences_each(goals).sum()
    recursive = DomainTheory("p(X, Y) :- e(X, Y). p(X, Y) :- e(X, Z), p(Z, Y).", "p")
    with pytest.raises(InputError, match="give a depth"):
        partially_evaluated(recursive)
    assert len(partially_evaluated(recursive, depth=3)) == 3
    with pytest.raises(InputError, match="more than 1 derivations"):
        partially_evaluated(theory, max_clauses=1)


def test_negations_in_a_recursive_theory():
    theory = DomainTheory(
        "tower(X) :- base(X). tower(X) :- on(X, Y), \\+ loose(X), tower(Y). loose(X) :- cracked(X).", "tower"
    )
    facts = Relations(program="base(a). on(b, a). on(c, b). on(d, c). cracked(d).")
    learner = induce.PrologEBG(theory, facts).fit([["b"]], [True])
    assert clauses(learner) == ["tower(X) :- on(X, Y), \\+ cracked(X), base(Y)."]
    # what is denied may be defined by itself
    theory = DomainTheory(
        "free(X) :- thing(X), \\+ hangs(X). hangs(X) :- tied(X, Y), wall(Y). hangs(X) :- tied(X, Y), hangs(Y).",
        "free",
    )
    facts = Relations(program="thing(a). thing(b). thing(c). tied(a, b). tied(b, w). wall(w).")
    learner = induce.PrologEBG(theory, facts).fit([["a"], ["b"], ["c"]], [False, False, True])
    assert clauses(learner)[0] == "free(X) :- thing(X), \\+ hangs(X)."
    assert learner.predict([["a"], ["b"], ["c"]]).tolist() == [False, False, True]
