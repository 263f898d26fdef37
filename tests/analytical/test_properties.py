"""Properties of what is learned from random theories, through the public learners."""

from __future__ import annotations

import warnings

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.analytical import explainer
from induce.logic import DomainTheory, Relations, parse_program
from induce.logic.background import relations
from induce.logic.subsumption import variants

THINGS = ("a", "b", "c")
FACTS = [f"{name}({x}, {y})." for name in ("f", "g", "h") for x in THINGS for y in THINGS]


@st.composite
def theories(draw, negation: bool = True):
    """A theory of three layers over binary relations, with joins, and with denials of lower layers."""
    lines = []
    for layer in range(3):
        below = ["f", "g", "h"] if layer == 0 else [f"p{layer - 1}_0", f"p{layer - 1}_1", "f"]
        for number in range(1 if layer == 2 else 2):
            for _ in range(draw(st.integers(1, 2))):
                first, second, third = (draw(st.sampled_from(below)) for _ in range(3))
                body = draw(
                    st.sampled_from(
                        [
                            f"{first}(X, Y)",
                            f"{first}(Y, X)",
                            f"{first}(X, Z), {second}(Z, Y)",
                            f"{first}(X, Y), {second}(Y, X)",
                            f"{first}(X, Y), \\+ {third}(Y, X)" if negation else f"{third}(X, Y)",
                        ]
                    )
                )
                lines.append(f"p{layer}_{number}(X, Y) :- {body}.")
    return DomainTheory("\n".join(lines), "p2_0/2")


databases = st.sets(st.sampled_from(FACTS), max_size=12).map(
    lambda some: Relations(program=" ".join([*sorted(some), "k(k, k)."]))
)
ROWS = [[x, y] for x in THINGS for y in THINGS]


def proved(theory, relations):
    prover = relations.prover(theory.program.clauses, unknown="fail")
    return [prover.holds(f"p2_0({x}, {y})") for x, y in ROWS]


def quiet(learner, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return learner.fit(*data)


@settings(max_examples=40, deadline=None)
@given(theories(), databases, databases, st.sampled_from(["first", "all"]), st.booleans())
def test_learned_clauses_follow_and_cover(theory, known, other, explanations, repetition):
    """What clauses conclude, of these facts or of others, the theory proves; each covers its example."""
    label = proved(theory, known)
    if not any(label):
        return
    learner = induce.PrologEBG(theory, known, explanations=explanations, repetition=repetition)
    quiet(learner, ROWS, label)
    assert learner.predict(ROWS).tolist() == label
    learned = learner.hypothesis_
    for number, why in enumerate(learned.justifications):
        if why.example:
            row = why.example.removeprefix("p2_0(").removesuffix(")").split(", ")
            assert learned.covers_rows(number, learned.encoded([row])).all()
    elsewhere = learned.with_background(other.with_predicates({("f", 2), ("g", 2), ("h", 2)}))
    for said, right in zip(elsewhere.predict(ROWS).tolist(), proved(theory, other), strict=True):
        assert right or not said


@settings(max_examples=40, deadline=None)
@given(theories(negation=False), databases, st.sampled_from(["first", "all"]))
def test_they_are_among_the_lemmas_and_provable(theory, known, explanations):
    """A clause is proved: of things that only satisfy its body, the theory proves its head."""
    label = proved(theory, known)
    if not any(label):
        return
    learned = quiet(induce.PrologEBG(theory, known, explanations=explanations), ROWS, label).hypothesis_
    lemmas = quiet(induce.LemmaEnumerator(theory, known), ROWS, label).hypothesis_
    for clause in learned.clauses:
        assert any(variants(clause.literals(), one.literals()) for one in lemmas.clauses)
    for clause in (*learned.clauses, *lemmas.clauses):
        names = {variable: f"s{n}" for n, variable in enumerate(clause.variables())}

        def of_one_thing_each(literal, names=names):
            return f"{literal.name}({', '.join(names[term] for term in literal.arguments)})"

        facts = Relations(program=" ".join(f"{of_one_thing_each(one)}." for one in clause.body))
        prover = facts.prover(theory.program.clauses, unknown="fail")
        assert prover.holds(of_one_thing_each(clause.head))


BAD = {
    "no proof": ("p(X) :- q(X).", "q(b). r(a).", "no proof of 1 of 1 positive examples"),
    "without end": ("p(X) :- p(f(X)).", "q(a).", "was abandoned after 10,000 inferences"),
    "undefined": ("p(X) :- q(X), other(X).", "q(a).", "defines other/1"),
    "no operational leaf": ("p(X) :- q(X). q(a).", "r(a).", "ends at an operational predicate"),
    "contradiction": ("p(X) :- q(X), \\+ r(X). r(X) :- q(X), \\+ p(X).", "q(a).", "may contradict itself"),
}


@pytest.mark.parametrize("learner", [induce.PrologEBG, induce.LazyEBG])
@pytest.mark.parametrize("case", BAD)
def test_theories_that_cannot_explain(case, learner, monkeypatch):
    for module in (relations, explainer):
        monkeypatch.setattr(module, "MOST_INFERENCES", 10_000)
    text, facts, sentence = BAD[case]
    with pytest.warns(match=sentence):
        fitted = learner(DomainTheory(text, "p"), Relations(program=facts)).fit([["a"]], [True])
    assert fitted.predict([["a"]]).shape == (1,)


def test_a_theory_that_calls_itself_first():
    theory = DomainTheory("p(X) :- p(X). p(X) :- q(X).", "p")
    for learner in (induce.PrologEBG, induce.LazyEBG):
        fitted = learner(theory, Relations(program="q(a).")).fit([["a"]], [True])
        assert [str(one) for one in fitted.hypothesis_.clauses] == ["p(X) :- q(X)."]


def test_the_next_case_under_another_theory():
    """Clauses that no longer follow are dropped and named, the others stay, and the next case is learned."""
    facts = Relations(program="t(a). r(b). u(c).")
    theory = DomainTheory("p(X) :- q(X). p(X) :- r(X). q(X) :- t(X).", "p")
    learner = induce.PrologEBG(theory, facts).fit([["a"], ["b"]], [True, True])
    changed = DomainTheory("p(X) :- q(X). p(X) :- r(X). q(X) :- u(X).", "p")
    learner.set_params(theory=changed)
    with pytest.warns(match=r"1 of 2 learned clauses no longer follow: p\(X\) :- t\(X\)"):
        learner.partial_fit([["c"]], [True])
    assert [str(one) for one in learner.hypothesis_.clauses] == ["p(X) :- r(X).", "p(X) :- u(X)."]
    assert learner.hypothesis_.theory == changed
    assert parse_program(learner.hypothesis_.to_prolog())


def test_a_table_of_cases_under_another_theory():
    rows = pl.DataFrame({"age": [30, 15, 40], "income": [2000, 10, 5], "owner": ["no", "no", "yes"]})
    theory = DomainTheory.from_rules("IF income > 1000 THEN ok\nIF owner = yes THEN ok", "ok")
    learner = induce.PrologEBG(theory).fit(rows, [True, False, True])
    assert len(learner.hypothesis_.clauses) == 2
    changed = DomainTheory.from_rules("IF income > 1500 THEN ok\nIF owner = yes THEN ok", "ok")
    learner.set_params(theory=changed)
    with pytest.warns(match="1 of 2 learned clauses no longer follow"):
        learner.partial_fit(rows, [True, False, True])
    assert sorted(map(str, learner.hypothesis_.clauses)) == [
        "ok(X) :- income(X, A), A > 1500.",
        "ok(X) :- owner(X, yes).",
    ]


def test_a_theory_that_denies_itself_is_given_up_soon():
    """A circle through a negation has no proof to find, so that looking for long would be in vain."""
    theory = DomainTheory("p(X) :- q(X), \\+ p(X).", "p")
    with pytest.warns(match="abandoned after 10,000 inferences"):
        learner = induce.PrologEBG(theory, Relations(program="q(a).")).fit([["a"]], [True])
    assert learner.hypothesis_.clauses == ()
    found = induce.analytical.diagnose(theory, [["a"]], [True], Relations(program="q(a)."))
    assert "proved: 0 of 1 positive examples" in str(found)
