"""CIGOL: inverse resolution as a learner, its questions, and the predicates it invents."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.logic import parse_clause, parse_literal, parse_program
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.resolution import resolves_to
from induce.logic.subsumption import variants
from induce.relational.cigol.invention import size, with_inventions
from induce.relational.cigol.inverse_resolution import explains
from induce.relational.cigol.oracles import (
    ClauseQuestion,
    ConsoleOracle,
    HiddenTheory,
    LiteralQuestion,
    NameQuestion,
    ScriptedOracle,
)
from induce.relational.learners.cigol import Cigol

FATHERS = "father(shannon, tom). father(tom, bob)."
GRANDCHILD = "grandchild(A, B) :- father(B, C), father(C, A)."
FIGURE = [("bob", "shannon"), ("tom", "shannon"), ("bob", "tom"), ("shannon", "bob")]

FATHER = [("a", "b"), ("b", "c"), ("d", "e"), ("f", "g"), ("c", "h"), ("e", "i"), ("k", "l"), ("v", "t")]
MOTHER = [("m", "b"), ("n", "e"), ("o", "f"), ("u", "v"), ("p", "d"), ("g", "q"), ("h", "r"), ("l", "s")]
FACTS = " ".join([f"father({x}, {y})." for x, y in FATHER] + [f"mother({x}, {y})." for x, y in MOTHER])
PARENT = "parent(X, Y) :- father(X, Y). parent(X, Y) :- mother(X, Y)."
TRUTH = f"{FACTS} {PARENT} grandparent(X, Y) :- parent(X, Z), parent(Z, Y)."


def grandparents():
    both = FATHER + MOTHER
    people = sorted({person for pair in both for person in pair})
    inside = {(one, other) for one, child in both for again, other in both if child == again}
    X = [(one, other) for one in people for other in people]
    return X, np.array([pair in inside for pair in X])


def written(learner):
    return [str(clause) for clause in learner.hypothesis_.clauses]


# -- Figure 10.3 --


def test_10_b_17_figure_10_3_through_the_learner():
    with induce.trace(only="inverse resolution") as events:
        learner = Cigol(Relations(program=FATHERS), "grandchild").fit(FIGURE, [1, 0, 0, 0])
    assert written(learner) == [GRANDCHILD]
    first, second = events
    assert first["C"] == "grandchild(bob, shannon)"
    assert first["C1"] == first["L1"] == "father(shannon, tom)"
    assert (first["theta1"], first["theta2_inverse"]) == ("{}", "{shannon/B}")
    assert first["C2"] == second["C"] == "grandchild(bob, B) \N{LOGICAL OR} ¬father(B, tom)"
    assert second["C1"] == second["L1"] == "father(tom, bob)"
    assert (second["theta1"], second["theta2_inverse"]) == ("{}", "{bob/A, tom/C}")
    assert second["C2"] == "grandchild(A, B) \N{LOGICAL OR} ¬father(B, C) \N{LOGICAL OR} ¬father(C, A)"
    assert tuple(event["step"] for event in events) == learner.derivations_[0]


def test_the_figure_can_be_drawn_from_what_was_learned():
    from induce.relational.pictures import draw_inverse_resolution

    learner = Cigol(Relations(program=FATHERS), "grandchild").fit(FIGURE, [1, 0, 0, 0])
    texts = [text.get_text() for text in draw_inverse_resolution(learner.derivations_[0]).axes[0].texts]
    assert "{shannon/B}" in texts
    assert any("grandchild(bob," in text for text in texts)


def test_10_b_12_a_rule_of_the_background_takes_the_place_of_its_body():
    """Constructive induction (ILP-07): the learned clause speaks of parent, which no fact does."""
    facts = "male(bob). female(sharon). father(sharon, bob). mother(tim, ann). father(joe, jim). female(ann)."
    known = Relations(program=facts + " parent(U, V) :- father(U, V). parent(U, V) :- mother(U, V).")
    X = [
        ("bob", "sharon"),
        ("ann", "tim"),
        ("jim", "joe"),
        ("sharon", "bob"),
        ("bob", "tim"),
        ("jim", "sharon"),
    ]
    learner = Cigol(known, "child").fit(X, [1, 1, 1, 0, 0, 0])
    assert written(learner) == ["child(A, B) :- parent(B, A)."]
    (steps,) = learner.derivations_
    assert [len(step.first) for step in steps] == [1, 2]
    assert str(steps[1].theta1) == "{U/sharon, V/bob}"


def test_10_b_22_every_step_resolves_back_and_the_clause_explains_the_example():
    X, y = grandparents()
    learner = Cigol(Relations(program=FACTS), "grandparent").fit(X, y)
    assert len(learner.derivations_) == 3
    known = [clause.head for clause in parse_program(FACTS)]
    for clause, steps in zip(learner.hypothesis_.clauses, learner.derivations_, strict=True):
        assert all(resolves_to(step.first, step.second, step.clause) for step in steps)
        assert all(one.second == other.clause for one, other in pairwise(steps))
        assert variants(steps[-1].rule, clause)
        (example,) = steps[0].clause
        about = {term for step in steps for term in step.theta2_inverse.inverse().values()}
        facts = [fact for fact in known if set(fact.arguments) <= about]
        assert explains([], clause, facts, example)


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_derivations_of_random_relations_resolve_back(seed):
    random = np.random.default_rng(seed)
    edges = sorted({(int(x), int(y)) for x, y in random.integers(0, 5, (7, 2))})
    marks = sorted({int(x) for x in random.integers(0, 5, 3)})
    program = " ".join([f"edge(n{x}, n{y})." for x, y in edges] + [f"mark(n{x})." for x in marks])
    known = Relations(program=program + " both(X, Y) :- edge(X, Y), edge(Y, X). mark(none).")
    X = [(f"n{x}", f"n{y}") for x in range(5) for y in range(5)]
    y = [(a, c) in edges and c in marks for a in range(5) for c in range(5)]
    learner = Cigol(known, "t", width=3, max_literals=3).fit(X, y)
    for clause, steps in zip(learner.hypothesis_.clauses, learner.derivations_, strict=True):
        assert all(resolves_to(step.first, step.second, step.clause) for step in steps)
        assert not steps or variants(steps[-1].rule, clause)
    assert sum(outside for outside, _ in learner.hypothesis_.counts) == 0


# -- recursion, functions, constants --


def test_recursion_comes_by_inverse_resolution_with_what_was_learned():
    known = Relations(program="parent(ann, bea). parent(bea, cal). parent(cal, dan).")
    people = ["ann", "bea", "cal", "dan"]
    X = [(one, other) for one in people for other in people]
    y = [people.index(one) < people.index(other) for one, other in X]
    learner = Cigol(known, "ancestor", recursion=True).fit(X, y)
    wanted = ["ancestor(A, B) :- parent(A, B).", "ancestor(A, B) :- parent(A, C), ancestor(C, B)."]
    assert written(learner) == wanted
    assert (learner.predict(X) == y).all()
    assert len(Cigol(known, "ancestor").fit(X, y).hypothesis_.clauses) == 3


def test_member_of_a_list():
    inside = [(1, [1]), (2, [2, 3]), (1, [2, 1]), (3, [2, 3]), (4, [1, 4, 2]), (3, [3]), (4, [4, 2])]
    outside = [(1, []), (2, [1]), (3, [1, 2]), (4, [2, 3, 1]), (1, [2]), (2, [])]
    learner = Cigol(None, "member", recursion=True).fit(inside + outside, [1] * 7 + [0] * 6)
    assert written(learner) == ["member(A, [A|B]).", "member(A, [B|C]) :- member(A, C)."]
    assert learner.predict([(9, [1, 2, 9]), (9, [1, 2])]).tolist() == [1, 0]
    (step,) = learner.derivations_[1]
    assert resolves_to(step.first, step.second, step.clause)


def test_values_stay_constants_and_people_do_not():
    facts = "eyes(ann, blue). eyes(bob, brown). eyes(cal, blue). eyes(dan, green). tall(ann). tall(dan). tall(bob)."
    learner = Cigol(Relations(program=facts), "nordic").fit(
        [["ann"], ["cal"], ["bob"], ["dan"]], [1, 1, 0, 0]
    )
    assert written(learner) == ["nordic(A) :- eyes(A, blue)."]
    alone = Cigol(Relations(program=facts), "me").fit([["ann"], ["bob"], ["cal"], ["dan"]], [1, 0, 0, 0])
    assert written(alone) == ["me(A) :- eyes(A, blue), tall(A)."]


def test_modes_say_what_can_be_used():
    facts = "eyes(ann, blue). eyes(bob, brown). eyes(cal, blue). eyes(dan, green). tall(ann). tall(cal)."
    X, y = [["ann"], ["cal"], ["bob"], ["dan"]], [1, 1, 0, 0]
    eyes, tall = Mode("eyes", ("+person", "#colour")), Mode("tall", ("+person",))
    assert written(Cigol(Relations(program=facts, modes=[eyes]), "t").fit(X, y)) == ["t(A) :- eyes(A, blue)."]
    assert written(Cigol(Relations(program=facts, modes=[tall]), "t").fit(X, y)) == ["t(A) :- tall(A)."]


@pytest.mark.compiled
def test_noise_lets_a_clause_cover_a_negative_example():
    X, y = grandparents()
    wrong = y.copy()
    wrong[np.flatnonzero(y)[3]] = False
    strict = Cigol(Relations(program=f"{FACTS} {PARENT}"), "grandparent").fit(X, wrong)
    loose = Cigol(Relations(program=f"{FACTS} {PARENT}"), "grandparent", noise=0.2).fit(X, wrong)
    assert sum(outside for outside, _ in strict.hypothesis_.counts) == 0
    assert written(loose) != written(strict)
    assert loose.hypothesis_.counts[0][0] <= 0.2 * sum(loose.hypothesis_.counts[0])


# -- questions --


def test_what_the_oracle_denies_is_not_taken():
    X, y = [("bob", "shannon"), ("shannon", "bob"), ("tom", "bob")], [1, 0, 0]
    plain = Cigol(Relations(program=FATHERS), "grandchild").fit(X, y)
    oracle = ScriptedOracle({written(plain)[0]: False})
    other = Cigol(Relations(program=FATHERS), "grandchild", oracle=oracle).fit(X, y)
    assert written(other) != written(plain)
    denied = [question for question, answer in other.questions_ if answer is False]
    assert [str(question.clause) for question in denied] == written(plain)
    assert [question for question, _ in oracle.asked] == [question for question, _ in other.questions_]


@pytest.mark.compiled
def test_if_all_is_denied_nothing_is_learned():
    def never(question):
        return False if isinstance(question, ClauseQuestion) else None

    known = Relations(program=FATHERS + " male(bob). male(tom). female(shannon).")
    learner = Cigol(known, "grandchild", oracle=never, max_questions=1000).fit(FIGURE, [1, 0, 0, 0])
    assert learner.hypothesis_.clauses == ()
    asked = [question.clause for question, _ in learner.questions_ if isinstance(question, ClauseQuestion)]
    assert len(asked) > 1
    assert not any(variants(one, other) for n, one in enumerate(asked) for other in asked[:n])


def test_literals_that_are_asked_about_become_examples():
    X, y = grandparents()
    start = [pair for pair, inside in zip(X, y, strict=True) if inside][:1]
    alone = Cigol(Relations(program=f"{FACTS} {PARENT}"), "grandparent").fit([*start, ("b", "a")], [1, 0])
    assert (alone.predict(X) == y).mean() < 1
    learner = Cigol(
        Relations(program=f"{FACTS} {PARENT}"), "grandparent", oracle=HiddenTheory(TRUTH), max_questions=60
    )
    learner.fit([*start, ("b", "a")], [1, 0])
    assert (learner.predict(X) == y).all()
    answered = [question for question, _ in learner.questions_ if isinstance(question, LiteralQuestion)]
    assert answered
    assert {answer for _, answer in learner.questions_} >= {True, False}
    counted = sum(map(sum, learner.hypothesis_.counts)) + sum(learner.hypothesis_.rest)
    assert counted == 2 + len(answered)


def test_no_more_is_asked_than_allowed():
    X, y = grandparents()
    oracle = ScriptedOracle()
    learner = Cigol(Relations(program=FACTS), "grandparent", oracle=oracle, max_questions=2).fit(X, y)
    assert len(oracle.asked) == len(learner.questions_) == 2
    assert (learner.predict(X) == y).all()


def test_without_an_oracle_nobody_is_asked():
    learner = Cigol(Relations(program=FATHERS), "grandchild").fit(FIGURE, [1, 0, 0, 0])
    assert learner.questions_ == ()


# -- invention --


@pytest.mark.compiled
def test_a_predicate_is_invented_for_the_two_kinds_of_parent():
    X, y = grandparents()
    plain = Cigol(Relations(program=FACTS), "grandparent").fit(X, y)
    assert len(plain.hypothesis_.clauses) == 3
    learner = Cigol(Relations(program=FACTS), "grandparent", invention=True).fit(X, y)
    assert written(learner) == [
        "grandparent(A, B) :- invented_1(A, C), invented_1(C, B).",
        "invented_1(A, B) :- father(A, B).",
        "invented_1(A, B) :- mother(A, B).",
    ]
    assert (learner.predict(X) == y).all()
    assert str(learner.hypothesis_).splitlines()[0].endswith(f"% {y.sum()}/{y.sum()}")
    assert "%" not in str(learner.hypothesis_).splitlines()[1]
    (why,) = learner.explain([("a", "c")])
    assert "invented_1(a, b)" in str(why.proof)
    # mother's mother was in no example, but the invented predicate speaks of her
    assert size(learner.hypothesis_.clauses) < size(plain.hypothesis_.clauses)


@pytest.mark.compiled
def test_the_oracle_names_or_refuses_an_invented_predicate():
    X, y = grandparents()
    named = Cigol(Relations(program=FACTS), "grandparent", invention=True, oracle=HiddenTheory(TRUTH)).fit(
        X, y
    )
    assert written(named)[0] == "grandparent(A, B) :- parent(A, C), parent(C, B)."
    oracle = ScriptedOracle({f"invented_{number}": False for number in range(1, 9)})
    refused = Cigol(
        Relations(program=FACTS), "grandparent", invention=True, oracle=oracle, max_questions=99
    ).fit(X, y)
    assert len(refused.hypothesis_.clauses) == 3
    assert any(isinstance(question, NameQuestion) for question, _ in refused.questions_)


@pytest.mark.compiled
def test_a_name_that_is_taken_is_refused():
    X, y = grandparents()
    oracle = ScriptedOracle({"invented_1": "father"})
    with pytest.raises(InputError, match="father is already the name of a predicate"):
        Cigol(Relations(program=FACTS), "grandparent", invention=True, oracle=oracle).fit(X, y)


def test_invention_shortens_and_keeps_what_is_proved():
    clauses = [parse_clause(f"p(X) :- a(X), b(X), c(X), d{k}(X).") for k in range(3)]

    def sound(theory):
        return True

    theory = with_inventions(clauses, sound, lambda question: None, lambda: False)
    assert size(theory) < size(clauses)
    assert {literal.name for clause in theory for literal in clause.body} >= {"a", "d0", "d1", "d2"}
    assert with_inventions(clauses, sound, lambda question: False, lambda: False) == clauses
    assert with_inventions(clauses[:1], sound, lambda question: None, lambda: False) == clauses[:1]


# -- oracles --


def test_a_hidden_theory_answers_by_proof():
    oracle = HiddenTheory(TRUTH)
    assert oracle(LiteralQuestion(parse_literal("grandparent(a, c)"))) is True
    assert oracle(LiteralQuestion(parse_literal("grandparent(c, a)"))) is False
    assert oracle(ClauseQuestion(parse_clause("parent(X, Y) :- father(X, Y)."))) is True
    assert oracle(ClauseQuestion(parse_clause("father(X, Y) :- parent(X, Y)."))) is False
    assert oracle(ClauseQuestion(parse_clause("father(X, Y)."))) is None
    assert oracle(ClauseQuestion(parse_clause("father(a, b)."))) is True
    definition = tuple(parse_program("new(X, Y) :- father(X, Y). new(X, Y) :- mother(X, Y).").clauses)
    assert oracle(NameQuestion(parse_literal("new(X, Y)"), definition)) == "parent"
    assert oracle(NameQuestion(parse_literal("new(X, Y)"), definition[:1])) == "father"
    never = tuple(parse_program("new(X, Y) :- father(X, Y), mother(X, Y).").clauses)
    assert oracle(NameQuestion(parse_literal("new(X, Y)"), never)) is None


def test_a_person_answers_on_the_terminal():
    lines = iter(["maybe\n", "n\n", "Bad Name\n", "parent\n", "-\n", "", "\n"])
    shown = []
    oracle = ConsoleOracle(read=lambda: next(lines), write=shown.append)
    clause = ClauseQuestion(parse_clause("p(X) :- q(X)."))
    name = NameQuestion(parse_literal("invented_1(X)"), (parse_clause("invented_1(X) :- q(X)."),))
    assert [oracle(question) for question in (clause, name, name, clause, name)] == [
        False,
        "parent",
        False,
        None,
        None,
    ]
    assert shown[0] == "Is this always so?  p(X) :- q(X). [y/n] "
    assert shown[1] == "y(es), n(o), or nothing if you do not know\n"
    assert "What would you call invented_1/1?\n  invented_1(X) :- q(X)." in shown[3]


def test_answers_of_the_wrong_kind_are_named():
    for answer, told in ((1, "answers 1 to"), ("yes", "answers 'yes' to")):
        with pytest.raises(InputError, match=told):
            Cigol(Relations(program=FATHERS), "grandchild", oracle=lambda question, it=answer: it).fit(
                FIGURE, [1, 0, 0, 0]
            )


# -- limits, bad input, copies --


def test_the_time_limit_ends_the_search():
    with pytest.warns(Note, match="the time limit of 1e-09 s ended the search"):
        learner = Cigol(Relations(program=FATHERS), "grandchild", time_limit=1e-9).fit(FIGURE, [1, 0, 0, 0])
    assert learner.hypothesis_.clauses == ()


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"max_literals": -1}, "max_literals is -1"),
        ({"width": 0}, "width is 0"),
        ({"max_questions": 1.5}, "max_questions is 1.5"),
        ({"noise": -0.1}, "noise is -0.1; give a fraction"),
        ({"oracle": "me"}, "oracle is 'me'; give a function that answers questions"),
    ],
)
def test_bad_parameters_are_named(parameters, told):
    with pytest.raises(InputError, match=told):
        Cigol(Relations(program=FATHERS), "grandchild", **parameters).fit(FIGURE, [1, 0, 0, 0])


def test_missing_arguments_and_strangers_are_outside():
    learner = Cigol(Relations(program=FATHERS), "grandchild").fit([*FIGURE, ("bob", None)], [1, 0, 0, 0, 1])
    assert written(learner) == [GRANDCHILD]
    assert learner.predict([("bob", None), ("bob", "nobody"), ("bob", "shannon")]).tolist() == [0, 0, 1]


@pytest.mark.compiled
def test_the_trace_changes_nothing_and_fits_repeat():
    X, y = grandparents()
    with induce.trace() as events:
        traced = Cigol(Relations(program=FACTS), "grandparent", invention=True).fit(X, y)
    again = clone(traced).fit(X, y)
    assert str(traced.hypothesis_) == str(again.hypothesis_)
    kinds = {event.kind for event in events}
    assert kinds >= {"candidates", "clause", "inverse resolution", "invention"}
