"""Most specific clauses: modes, depth, recall, types, equal arguments and thresholds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.clauses import Literal
from induce.logic.coverage.bindings import Coverage
from induce.logic.facts import Facts
from induce.logic.parsing import parse_program
from induce.logic.terms import Variable
from induce.relational.progol.most_specific import BottomClause, bottom_clause

GRANDCHILD = Mode("grandchild", ("+person", "+person"), head=True)
FATHER = Mode("father", ("+person", "-person"))
FAMILY = "father(shannon, tom). father(tom, bob)."


def literal(text: str) -> Literal:
    head = parse_program(text + ".").clauses[0].head
    assert head is not None
    return head


def bottom(example: str, program: str, head: Mode, *modes: Mode, **options: Any) -> BottomClause:
    return bottom_clause(literal(example), Coverage(Relations(program=program)), head, modes, **options)


def body(clause: BottomClause) -> list[str]:
    return [str(each) for each in clause.literals]


def test_10_b_20_bounds_at_depth_1_and_2() -> None:
    for depth, expected in (
        (1, "grandchild(A, B) :- father(B, C)."),
        (2, "grandchild(A, B) :- father(B, C), father(C, A)."),
        (3, "grandchild(A, B) :- father(B, C), father(C, A)."),
    ):
        found = bottom("grandchild(bob, shannon)", FAMILY, GRANDCHILD, FATHER, depth=depth)
        assert str(found.clause()) == expected


def test_10_b_12_a_rule_of_the_background_brings_a_new_predicate() -> None:
    program = "male(bob). female(sharon). father(sharon, bob). parent(U, V) :- father(U, V)."
    modes = [Mode(name, ("+p", "-p")) for name in ("father", "parent")] + [Mode("male", ("+p",))]
    found = bottom("child(bob, sharon)", program, Mode("child", ("+p", "+p"), head=True), *modes)
    assert body(found) == ["father(B, A)", "parent(B, A)", "male(A)"]


def test_recall_limits_the_answers_to_each_call() -> None:
    program = "has(t1, a). has(t1, b). has(t1, c). small(a). small(b). small(c)."
    head = Mode("east", ("+train",), head=True)
    for recall, size in ((None, 6), (2, 4), (1, 2)):
        modes = Mode("has", ("+train", "-car"), recall), Mode("small", ("+car",))
        assert len(bottom("east(t1)", program, head, *modes)) == size


def test_constants_stand_where_the_mode_says_so() -> None:
    program = "shape(a, round). shape(a, flat)."
    found = bottom("good(a)", program, Mode("good", ("+x",), head=True), Mode("shape", ("+x", "#form")))
    assert body(found) == ["shape(A, round)", "shape(A, flat)"]


def test_values_of_different_types_have_different_variables() -> None:
    program = "age(ann, 3). children(ann, 3). double(3, 6)."
    head = Mode("old", ("+person",), head=True)
    modes = (
        Mode("age", ("+person", "-years")),
        Mode("children", ("+person", "-count")),
        Mode("double", ("+count", "-count")),
    )
    assert body(bottom("old(ann)", program, head, *modes)) == ["age(A, B)", "children(A, C)", "double(C, D)"]


def test_equal_arguments_of_the_head_keep_their_variables() -> None:
    program = "near(1, 1). near(1, 2)."
    head = Mode("bad", ("+n", "+n", "+n"), head=True)
    found = bottom("bad(1, 1, 2)", program, head, Mode("near", ("+n", "+n")))
    assert body(found) == [
        "A = B",
        "near(A, A)",
        "near(A, B)",
        "near(B, A)",
        "near(B, B)",
        "near(A, C)",
        "near(B, C)",
    ]


def test_a_constant_of_the_head_is_in_every_clause() -> None:
    program = "colour(a, red). colour(b, blue)."
    head = Mode("paint", ("+thing", "#colour"), head=True)
    found = bottom("paint(a, red)", program, head, Mode("colour", ("+thing", "#colour")))
    assert str(found.clause(found.fixed)) == "paint(A, red)."
    assert str(found.clause()) == "paint(A, red) :- colour(A, red)."


def test_an_output_of_the_head_is_no_input() -> None:
    program = "next(1, 2). next(2, 3). even(2)."
    head = Mode("after", ("+n", "-n"), head=True)
    modes = Mode("next", ("+n", "-n")), Mode("even", ("+n",))
    found = bottom("after(1, 2)", program, head, *modes)
    assert body(found) == ["next(A, B)", "next(B, C)", "even(B)"]
    assert found.known == {Variable("A")}
    assert found.needs[1] == found.needs[2] == {Variable("B")}


def test_comparisons_that_hold() -> None:
    head = Mode("p", ("+n", "+n"), head=True)
    modes = [Mode(name, ("+n", "+n")) for name in ("<", ">", ">=", "\\=")]
    assert body(bottom("p(1, 2)", "n(1).", head, *modes)) == ["A < B", "B > A", "B >= A", "A \\= B"]


def test_thresholds_come_from_outside_and_hold() -> None:
    asked = []

    def cuts(chain: tuple[Literal, ...], name: Variable) -> np.ndarray:
        asked.append(([str(each) for each in chain], name.name))
        return np.array([1.5, 30.0])

    program = "owns(ann, car). price(car, 20)."
    head = Mode("rich", ("+person",), head=True)
    modes = (
        Mode("owns", ("+person", "-thing")),
        Mode("price", ("+thing", "-number")),
        Mode("=<", ("+number", "#number")),
        Mode(">", ("+number", "#number")),
    )
    found = bottom("rich(ann)", program, head, *modes, cuts=cuts)
    assert body(found) == ["owns(A, B)", "price(B, C)", "C =< 30", "C > 1.5"]
    assert asked[0] == (["owns(A, B)", "price(B, C)"], "C")


def test_recursive_literals_are_assumed_unless_denied() -> None:
    program = "parent(a, b). parent(b, c)."
    relations = Relations(program=program)
    code = {str(term): number for number, term in enumerate(relations.symbols.terms)}
    head = Mode("older", ("+p", "+p"), head=True)
    modes = Mode("parent", ("+p", "-p")), Mode("older", ("+p", "+p"))

    def calls(*denied: str) -> list[str]:
        facts = Facts.of(np.array([[code[pair[0]], code[pair[1]]] for pair in denied]).reshape(-1, 2))
        found = bottom_clause(literal("older(a, c)"), Coverage(relations), head, modes, denied=facts)
        return [each for each in body(found) if each.startswith("older")]

    assert "older(C, B)" in calls()
    assert "older(A, B)" not in calls()
    assert "older(C, B)" not in calls("bc")
    assert calls("aa", "ca", "cc", "cb", "bb", "ba") == ["older(A, C)", "older(C, B)"]


def test_the_size_is_bounded_and_a_note_says_so() -> None:
    program = " ".join(f"has(t, c{i})." for i in range(50))
    head, mode = Mode("east", ("+train",), head=True), Mode("has", ("+train", "-car"))
    with pytest.warns(Note, match="more than 10 literals"):
        found = bottom("east(t)", program, head, mode, max_literals=10)
    assert found.cut
    assert len(found) == 10


def test_many_inputs_are_filtered_rather_than_called() -> None:
    rows = " ".join(f"link(x{i}, x{j}, x{k})." for i in range(4) for j in range(4) for k in range(4))
    chain = " ".join(f"has(t, x{i})." for i in range(30))
    head = Mode("east", ("+train",), head=True)
    modes = Mode("has", ("+train", "-x")), Mode("link", ("+x", "+x", "+x"))
    found = bottom("east(t)", rows + " " + chain, head, *modes)
    assert len(found) == 30 + 64


def test_a_comparison_needs_known_arguments() -> None:
    with pytest.raises(InputError, match="declare <"):
        bottom("p(1)", "n(1).", Mode("p", ("+n",), head=True), Mode("<", ("+n", "-n")))


def test_list_predicates_are_called_by_their_modes() -> None:
    program = "head([X|_], X). tail([_|L], L)."
    modes = Mode("head", ("+list", "-thing")), Mode("tail", ("+list", "-list"))
    relations = Relations(program=program, modes=modes)
    head = Mode("element", ("+thing", "+list"), head=True)
    found = bottom_clause(literal("element(b, [a, b])"), Coverage(relations), head, modes, depth=2)
    assert body(found) == ["head(B, C)", "tail(B, D)", "head(D, A)", "tail(D, E)"]
