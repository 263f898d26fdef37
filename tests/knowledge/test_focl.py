"""FOCL by the book's example, and as FOIL with suggestions."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.knowledge import FOCL, RelationalFOCL, draw_focl
from induce.logic.background.relations import Relations
from induce.relational import foil_candidates
from tests.knowledge.cup import TEXT as RULES

THEORY = """
cup(X) :- stable(X), liftable(X), open_vessel(X).
stable(X) :- bottom_is_flat(X).
liftable(X) :- graspable(X), light(X).
graspable(X) :- has_handle(X).
open_vessel(X) :- has_concavity(X), concavity_points_up(X).
"""
PRUNED = "bottom_is_flat(A), light(A), has_concavity(A), concavity_points_up(A)"


def plain(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@pytest.fixture(scope="module")
def cups():
    """The ten examples as things with properties."""
    data = induce.dataset("cup")
    things = [f"o{place}" for place in range(10)]
    facts = [
        f"{plain(name)}({thing})."
        for name in data.X.columns
        for thing, value in zip(things, data.X[name].to_list(), strict=True)
        if value == "yes"
    ]
    return Relations(program="\n".join(facts)), [[thing] for thing in things], data.y == "yes"


def candidates(cups, clause=None, **parameters):
    background, X, y = cups
    parameters = {"knowledge": THEORY, "operators": ["target"]} | parameters
    learner = RelationalFOCL(background, "cup", **parameters)
    found = foil_candidates(learner, X, y, clause)
    return {", ".join(map(str, one.literals)): (one.p1, one.n1, round(one.gain, 4)) for one in found}


def test_the_candidates_of_figure_12_8(cups):
    found = candidates(cups)
    assert found[PRUNED] == (4, 2, 2.9479)
    assert found["concavity_points_up(A)"] == (4, 3, 2.0583)
    assert found["handle_on_side(A)"] == (2, 1, 1.4739)
    for name in ("bottom_is_flat(A)", "light(A)", "\\+ handle_on_top(A)"):
        assert found[name] == (4, 4, 1.2877)
    assert found["\\+ made_of_ceramic(A)"] == (3, 3, 0.9658)
    for name in ("expensive(A)", "made_of_styrofoam(A)", "\\+ fragile(A)"):
        assert found[name] == (2, 2, 0.6439)
    assert found["has_concavity(A)"] == (4, 5, 0.6080)
    assert found["made_of_paper(A)"] == (1, 1, 0.3219)
    assert found["has_handle(A)"] == found["\\+ has_handle(A)"] == (2, 3, 0.0)
    assert found["fragile(A)"] == (2, 4, -0.5261)
    assert found["\\+ made_of_paper(A)"] == (3, 5, -0.2793)
    assert found["made_of_ceramic(A)"] == (1, 3, -0.6781)
    assert found["\\+ handle_on_side(A)"] == (2, 5, -0.9709)
    assert max(found, key=lambda name: found[name][2]) == PRUNED


def test_the_candidates_of_the_second_level(cups):
    found = candidates(cups, f"cup(A) :- {PRUNED}.")
    assert found["\\+ handle_on_top(A)"] == (4, 0, 2.3399)
    assert found["\\+ made_of_ceramic(A)"] == (3, 0, 1.7549)
    for name in ("handle_on_side(A)", "made_of_styrofoam(A)", "\\+ has_handle(A)"):
        assert found[name] == (2, 0, 1.1699)
    assert found["made_of_paper(A)"] == (1, 0, 0.5850)
    assert found["handle_on_top(A)"][:2] == (0, 2)


def test_without_pruning_the_theory_would_lose(cups):
    found = candidates(cups, theory_pruning=None)
    unpruned = "bottom_is_flat(A), has_handle(A), light(A), has_concavity(A), concavity_points_up(A)"
    assert found[unpruned] == (2, 2, 0.6439)
    assert max(found, key=lambda name: found[name][2]) == "concavity_points_up(A)"


def test_the_rule_of_the_book(cups):
    background, X, y = cups
    for operators in (["target"], ["clauses"], ["clauses", "concepts"]):
        learner = RelationalFOCL(background, "cup", knowledge=THEORY, operators=operators).fit(X, y)
        assert str(learner.hypothesis_) == f"cup(A) :- {PRUNED}, \\+ handle_on_top(A).  % 4/4"


def test_the_words_of_the_book_prune_further(cups):
    found = candidates(cups, theory_pruning="not_worse")
    assert found["light(A), concavity_points_up(A)"] == (4, 2, 2.9479)


def test_exercise_12_6(cups):
    """The unfolded condition contradicts the clause, and pruning drops what contradicts it."""
    found = candidates(cups, "cup(A) :- \\+ has_handle(A).")
    assert found[PRUNED] == (2, 0, 2.6439)
    found = candidates(cups, "cup(A) :- \\+ has_handle(A).", theory_pruning="not_worse")
    assert found["light(A), concavity_points_up(A)"] == (2, 0, 2.6439)


def test_foil_alone_needs_two_clauses(cups):
    background, X, y = cups
    foil = induce.FOIL(background, "cup", encoding_length=False).fit(X, y)
    first, second = foil.hypothesis_.clauses
    assert str(first) == "cup(A) :- concavity_points_up(A), \\+ made_of_ceramic(A)."
    assert "handle_on_side(A)" in str(second)


@pytest.mark.parametrize(
    "parameters", [{}, {"encoding_length": False}, {"beam_width": 3}, {"negation": None}]
)
def test_without_knowledge_it_is_foil_number_for_number(cups, parameters):
    background, X, y = cups
    with induce.trace() as expected:
        foil = induce.FOIL(background, "cup", **parameters).fit(X, y)
    with induce.trace() as found:
        focl = RelationalFOCL(background, "cup", **parameters).fit(X, y)
    assert focl.hypothesis_ == foil.hypothesis_
    assert [dict(event.data) for event in found] == [dict(event.data) for event in expected]


def test_suggestions_are_marked_in_the_trace(cups):
    background, X, y = cups
    with induce.trace(only=("suggestion", "literal")) as events:
        RelationalFOCL(background, "cup", knowledge=THEORY, operators=["target"]).fit(X, y)
    first = events[0]
    assert first.kind == "suggestion"
    assert (first["literals"], first["t"], first["p1"], first["n1"]) == (PRUNED, 4, 4, 2)
    assert "has_handle(A)" in first["unpruned"]
    assert next(event["literal"] for event in events if event.kind == "literal") == PRUNED


def test_a_suggestion_of_one_literal_counts_as_the_literal_does(cups):
    """A whole conjunction is counted and gained as what FOIL adds literal by literal."""
    found = candidates(cups, knowledge="cup(X) :- made_of_paper(X).", theory_pruning=None)
    assert found["made_of_paper(A)"] == (1, 1, 0.3219)


def test_new_variables_are_counted_as_bindings():
    family = Relations(program="parent(a, b). parent(a, c). parent(b, d). parent(c, e). parent(f, g).")
    X, y = [["a"], ["b"], ["c"], ["f"]], [True, False, False, False]
    rules = "grandparent(X) :- parent(X, Y), has_child(Y). has_child(Y) :- parent(Y, Z)."
    learner = RelationalFOCL(family, "grandparent", knowledge=rules, theory_pruning=None)
    found = {
        ", ".join(map(str, one.literals)): (one.t, one.p1, one.n1) for one in foil_candidates(learner, X, y)
    }
    assert found["parent(A, B), parent(B, C)"] == (1, 2, 0)
    learned = learner.fit(X, y).hypothesis_
    assert learned.predict([["a"], ["f"]]).tolist() == [True, False]


def test_a_negated_concept_is_denied_clause_by_clause():
    things = Relations(program="red(a). red(b). big(b). big(c). odd(d). thing(e).")
    rules = "good(X) :- red(X), \\+ bad(X). bad(X) :- big(X), red(X). bad(X) :- odd(X)."
    learner = RelationalFOCL(things, "good", knowledge=rules, theory_pruning=None)
    X, y = [["a"], ["b"], ["c"], ["d"], ["e"]], [True, False, False, False, False]
    found = [", ".join(map(str, one.literals)) for one in foil_candidates(learner, X, y)]
    assert "red(A), \\+ big(A), \\+ odd(A)" in found


def test_tables_say_the_same():
    data = induce.dataset("cup")
    learner = FOCL(knowledge=RULES).fit(data.X, data.y)
    assert str(learner.hypothesis_).splitlines() == [
        "IF BottomIsFlat = yes AND Light = yes AND HasConcavity = yes AND ConcavityPointsUp = yes AND "
        "HandleOnTop = no THEN yes (4/4)",
        "DEFAULT no (6/6)",
    ]


def test_tables_without_knowledge_are_foil():
    data = induce.dataset("cup")
    rules = FOCL(encoding_length=False).fit(data.X, data.y)
    foil = induce.FOIL(None, "cup", encoding_length=False, equality=False).fit(data.X, data.y)
    assert (rules.predict(data.X) == "yes").tolist() == (foil.predict(data.X) == "yes").tolist()
    assert [len(rule.conditions) for rule in rules.hypothesis_.rules] == [
        len(clause.body) for clause in foil.hypothesis_.clauses
    ]


def test_thresholds_sets_and_n_of_m():
    rng = np.random.default_rng(0)
    X = pl.DataFrame(
        {
            "age": rng.integers(18, 80, 120).astype(float),
            "city": rng.choice(["rome", "oslo", "lima"], 120),
            "a": rng.choice(["no", "yes"], 120),
            "b": rng.choice(["no", "yes"], 120),
            "c": rng.choice(["no", "yes"], 120),
        }
    )
    keen = sum((X[name] == "yes").to_numpy().astype(int) for name in "abc") >= 2
    y = np.where(
        keen & (X["age"] > 40).to_numpy() & X["city"].is_in(["rome", "oslo"]).to_numpy(), "yes", "no"
    )
    rules = "IF keen AND age > 40 AND city in {rome, oslo} THEN buys\nIF 2 OF (a, b, c) THEN keen"
    learner = FOCL(knowledge=rules).fit(X, y)
    assert (learner.predict(X) == y).mean() == 1.0
    assert induce.ExpertRules(learner.hypothesis_.schema, rules).holds(X).tolist() == (y == "yes").tolist()


def test_several_classes_are_named_by_rules():
    X, y = induce.dataset("iris")
    names = X.columns
    rules = f"IF {names[3]} > 1.7 THEN virginica\nIF {names[3]} < 0.8 THEN setosa"
    learner = FOCL(knowledge=rules).fit(X, y)
    assert (learner.predict(X) == y.to_numpy()).mean() > 0.9


def test_the_search_is_drawn_as_figure_12_8():
    data = induce.dataset("cup")
    with induce.trace() as events:
        FOCL(knowledge=RULES).fit(data.X, data.y)
    texts = [text.get_text() for text in draw_focl(events).axes[0].texts]
    assert any("[4+, 6-]" in text for text in texts)
    assert any("BottomIsFlat = yes" in text and "[4+, 2-]" in text for text in texts)
    assert any("HandleOnTop = no" in text and "[4+, 0-]" in text for text in texts)
    with pytest.raises(InputError, match="no search for clause 3"):
        draw_focl(events, clause=3)


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(10)))
def test_the_order_of_rows_does_not_matter(order):
    data = induce.dataset("cup")
    learner = FOCL(knowledge=RULES).fit(data.X[order], data.y[order])
    assert learner.hypothesis_ == FOCL(knowledge=RULES).fit(data.X, data.y).hypothesis_


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("", "the theory is empty"),
        ("% nothing", "the theory is empty"),
        (
            "cup(X) :- lihgt(X).",
            "uses lihgt/1, which neither the background nor a clause defines; did you mean light/1",
        ),
        ("cup(X) :- light(X). cup(X) :- cup(Y), light(X).", "the theory is recursive: cup/1"),
        ("dish(X) :- light(X).", "has no clause of cup/1"),
        ("cup(X) :- light(X), \\+ odd(X). odd(X) :- \\+ cup(X).", "the theory is recursive"),
        ("cup(X) :- light(f(X)).", "use only variables and constants"),
    ],
)
def test_bad_theories_of_relations(cups, rules, said):
    background, X, y = cups
    with pytest.raises(InputError) as problem:
        RelationalFOCL(background, "cup", knowledge=rules).fit(X, y)
    assert said in str(problem.value)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("", "the theory is empty"),
        ("cup :- lihgt.", "did you mean 'Light'?"),
        ("cup :- light(maybe).", "maybe"),
        ("IF age THEN cup", "column 'age' is numeric"),
        ("cup :- stable. stable :- cup.", "defines a concept by itself"),
        ("cup :- \\+ odd. odd :- \\+ cup.", "defines a concept by itself"),
        (3, "knowledge is a int"),
        ("cup :- light. dish :- light.", "name the main one"),
        (f"IF 9 OF ({', '.join(['Light = yes'] * 9 + ['Light = no'] * 9)}) THEN cup", "more than 1000 ways"),
    ],
)
def test_bad_theories_of_tables(rules, said):
    data = induce.dataset("cup")
    X = data.X.with_columns(pl.Series("age", np.arange(10.0)))
    with pytest.raises(InputError) as problem:
        FOCL(knowledge=rules).fit(X, data.y)
    assert said in str(problem.value)


@pytest.mark.parametrize(
    "rules",
    ["cup :- light, light(no).", "cup :- light. cup :- light(no).", "cup :- true.", "cup :- \\+ light."],
)
def test_theories_that_hold_always_or_never_leave_it_to_the_examples(rules):
    data = induce.dataset("cup")
    learner = FOCL(knowledge=rules, encoding_length=False).fit(data.X, data.y)
    assert (learner.predict(data.X) == data.y.to_numpy()).mean() >= 0.9
