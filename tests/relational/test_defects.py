"""Problems that once went wrong, each as it was brought."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import induce
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.parsing import parse_program
from induce.logic.prover import Prover


def test_the_chain_of_four_people_is_recursive_as_in_the_book() -> None:
    pairs = [(one, other) for one in "abcd" for other in "abcd"]
    chain = Relations(program="parent(a, b). parent(b, c). parent(c, d).")
    learner = induce.FOIL(chain, "ancestor").fit(pairs, [one < other for one, other in pairs])
    assert [str(clause) for clause in learner.hypothesis_.clauses] == [
        "ancestor(A, B) :- parent(A, B).",
        "ancestor(A, B) :- parent(A, C), ancestor(C, B).",
    ]


def test_a_term_that_shares_its_parts_is_printed_within_bounds() -> None:
    prover = Prover(parse_program("deep(0, x). deep(N, f(T, T)) :- N > 0, M is N - 1, deep(M, T)."))
    answer = prover.first(parse_program("q :- deep(40, T).").clauses[0].body)
    assert len(str(answer)) < 2_000_000


def test_a_bottom_clause_that_is_cut_while_numbers_are_compared() -> None:
    rng = np.random.default_rng(0)
    facts = "".join(
        f"has(s{s}, e{s}_{e}). grade(e{s}_{e}, {rng.integers(1, 100)}). " for s in range(12) for e in range(4)
    )
    rows, inside = [[f"s{s}"] for s in range(12)], [s % 2 == 0 for s in range(12)]
    with pytest.warns(induce.Note, match="raise max_bottom"):
        induce.Progol(Relations(program=facts), "good", max_bottom=10).fit(rows, inside)


def test_without_noise_no_negative_example_is_covered() -> None:
    modes = [
        Mode("even", ("+list",), head=True),
        Mode("tail", ("+list", "-list")),
        Mode("even", ("+list",)),
        Mode("head", ("+list", "-item")),
        Mode("empty", ("+list",)),
    ]
    lists = Relations(program="tail([_|T], T). head([H|_], H). empty([]).", modes=modes)
    rows = [[[1] * length] for length in (0, 2, 4, 6, 1, 3, 5, 7)]
    learner = induce.Progol(lists, "even", noise=0).fit(rows, [1] * 4 + [0] * 4)
    assert learner.predict(rows).tolist() == [1] * 4 + [0] * 4


def test_files_of_any_names_and_a_file_that_is_loaded(tmp_path: Path) -> None:
    texts = {"bg.b": ":- ensure_loaded(more).\np(a).\n", "more.pl": "p(b).\nq(c).\n"}
    texts |= {"pos.f": "t(a).\nt(b).\n", "neg.n": "t(c).\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    problem = induce.read_problem([tmp_path / name for name in ("bg.b", "pos.f", "neg.n")])
    assert problem.y.tolist() == [True, True, False]
    assert problem.background.predicates() == (("p", 1), ("q", 1))


@pytest.mark.parametrize("name", ["FOIL", "Golem", "Progol", "RelationalLearner"])
@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_theories_have_no_idle_literal(name: str) -> None:
    mothers = {"ann": ["bea", "bob"], "bea": ["cal", "cat"], "dot": ["ann", "dan"]}
    facts = " ".join(f"mother({one}, {child})." for one, children in mothers.items() for child in children)
    people = ["ann", "bea", "bob", "cal", "cat", "dot", "dan"]
    grand = {("ann", "cal"), ("ann", "cat"), ("dot", "bea"), ("dot", "bob")}
    pairs = [(one, other) for one in people for other in people]
    extra = {"determinate": False} if name == "Golem" else {}
    learner = getattr(induce, name)(Relations(program=facts), "grand", **extra)
    theory = learner.fit(pairs, [pair in grand for pair in pairs]).hypothesis_
    assert [{str(one) for one in clause.body} for clause in theory.clauses] == [
        {"mother(A, C)", "mother(C, B)"}
    ]


def test_five_grandparents_in_a_declared_language() -> None:
    facts = (
        "mother(ann, amy). mother(ann, andy). mother(amy, amelia). mother(linda, gavin). father(steve, amy). "
        "father(steve, andy). father(gavin, amelia). father(andy, bob)."
    )
    modes = [Mode("grandparent", ("+person", "+person"), head=True)]
    modes += [Mode(name, ("+person", "-person")) for name in ("mother", "father")]
    inside = [("ann", "amelia"), ("steve", "amelia"), ("ann", "bob"), ("steve", "bob"), ("linda", "amelia")]
    outside = [("amy", "amelia"), ("ann", "amy"), ("gavin", "amelia"), ("andy", "bob"), ("amelia", "ann")]
    for name in ("FOIL", "Progol", "RDT", "RelationalLearner"):
        learner = getattr(induce, name)(Relations(program=facts, modes=modes), "grandparent")
        theory = learner.fit(inside + outside, [1] * 5 + [0] * 5).hypothesis_
        assert {str(clause) for clause in theory.clauses} == {
            f"grandparent(A, B) :- {one}(A, C), {other}(C, B)."
            for one in ("mother", "father")
            for other in ("mother", "father")
        }, name
