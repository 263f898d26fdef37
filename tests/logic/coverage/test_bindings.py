"""What clauses cover, by joins over all examples: the same as the prover says of each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.hypotheses.theory import Theory
from induce.logic.background.relations import Relations
from induce.logic.coverage import bindings as coverage
from induce.logic.coverage.bindings import Coverage, linked
from induce.logic.coverage.examples import coded_rows
from induce.logic.facts import Facts
from induce.logic.parsing import parse_clause
from induce.relational.foil.pruning import Pruner, needed, unified

BODIES = [
    "p(A, B)",
    "p(A, C), p(C, B)",
    "p(A, C), q(C)",
    "q(A), \\+ q(B)",
    "q(A), \\+ p(A, C)",
    "p(A, C), \\+ p(C, B), C \\= B",
    "p(A, A)",
    "p(C, C), q(B)",
    "p(A, C), p(B, C), A \\= B",
    "A = B",
    "A = x1, q(B)",
    "n(A, C), n(B, D), C < D",
    "n(A, C), C >= 2",
    "n(A, C), \\+ n(B, C)",
    "n(A, 2)",
]


def world(seed: int) -> Relations:
    random = np.random.default_rng(seed)
    pairs = {tuple(pair) for pair in random.integers(0, 5, (9, 2)).tolist()}
    facts = [*(f"p(x{a}, x{b})." for a, b in sorted(pairs)), *(f"q(x{a})." for a in range(0, 5, 2))]
    facts += [f"n(x{a}, {random.integers(0, 4)})." for a in range(4)]
    return Relations(program=" ".join(facts))


ROWS = [(f"x{a}", f"x{b}") for a in range(6) for b in range(6)]


@given(st.integers(0, 1000), st.sampled_from(BODIES))
def test_joins_and_prover_agree(seed, body):
    background = world(seed)
    clause = parse_clause(f"t(A, B) :- {body}.")
    rows, _ = coded_rows(np.array(ROWS, object), background.symbols)
    prover = background.prover((clause,))
    assert Coverage(background).decides(clause)
    assert Coverage(background).covered(clause, rows).tolist() == [
        prover.holds(f"t({a}, {b})") for a, b in ROWS
    ]


@settings(max_examples=20)
@given(st.integers(0, 1000), st.sampled_from(BODIES))
def test_examples_are_looked_at_in_parts_when_bindings_are_many(seed, body):
    background = world(seed)
    clause = parse_clause(f"t(A, B) :- {body}.")
    rows, _ = coded_rows(np.array(ROWS, object), background.symbols)
    whole = Coverage(background).covered(clause, rows)
    before, coverage.MOST_ROWS = coverage.MOST_ROWS, 5
    try:
        assert Coverage(background).covered(clause, rows).tolist() == whole.tolist()
    finally:
        coverage.MOST_ROWS = before


@pytest.mark.compiled
def test_literals_apart_from_the_head_are_looked_at_once():
    random = np.random.default_rng(0)
    many = Facts.of(random.integers(0, 3000, (200_000, 2)))
    background = Relations(terms=[f"x{i}" for i in range(3000)], facts={"p/2": many.rows})
    clause = parse_clause("t(A) :- p(B, C), p(C, D), p(D, E).")
    rows = np.arange(3000)[:, None]
    assert linked(clause) == ([], [*clause.body])
    assert Coverage(background).covered(clause, rows).all()
    nothing = parse_clause("t(A) :- p(B, C), p(C, D), \\+ p(D, E), p(A, F), q(F).")
    assert not Coverage(background, {("q", 1): Facts.of(np.empty((0, 1)))}).covered(nothing, rows).any()


def test_missing_arguments():
    background = world(0)
    rows, _ = coded_rows(np.array([("x0", None), (None, None)], object), background.symbols)
    cover = Coverage(background)
    assert cover.covered(parse_clause("t(A, B) :- q(A)."), rows).tolist() == [True, False]
    assert cover.covered(parse_clause("t(A, B) :- \\+ q(A)."), rows).tolist() == [False, True]
    assert not cover.covered(parse_clause("t(A, B) :- A \\= B."), rows).any()
    assert not cover.covered(parse_clause("t(A, B) :- B = B, A = B."), rows).any()


def test_functions_and_unknown_relations_are_left_to_the_prover():
    cover = Coverage(world(0))
    assert not cover.decides(parse_clause("t([A|B], C) :- q(A)."))
    assert not cover.decides(parse_clause("t(A, B) :- unheard(A)."))
    assert not cover.decides(parse_clause("t(A, B) :- C < B."))
    assert cover.decides(parse_clause("t(A, B) :- p(A, C), n(C, D), D < 3."))


class TestTheory:
    def theory(self, *clauses: str, background: Relations | None = None) -> Theory:
        return Theory(
            "t",
            ("a", "b"),
            ("no", "yes"),
            "\n".join(clauses),
            ((0.0, 3.0),) * len(clauses),
            (5.0, 0.0),
            background or world(0),
        )

    def test_a_recursive_theory_is_a_program(self):
        background = Relations(program="p(x0, x1). p(x1, x2). p(x2, x3).")
        theory = self.theory("t(A, B) :- p(A, B).", "t(A, B) :- p(A, C), t(C, B).", background=background)
        assert theory.recursive
        assert theory.deciding([("x0", "x1"), ("x0", "x3"), ("x3", "x0")]).tolist() == [0, 1, -1]
        assert theory.predict([("x0", "x3"), ("x3", "x0")]).tolist() == ["yes", "no"]

    def test_a_missing_number_in_a_program(self):
        background = Relations(program="p(1, 2). p(2, 3).")
        theory = self.theory(
            "t(A, B) :- p(A, B), A > 0.", "t(A, B) :- A > 0, p(A, C), t(C, B).", background=background
        )
        assert theory.predict(np.array([(1, 3), (None, 3)], object)).tolist() == ["yes", "no"]

    def test_probabilities_agree_with_predictions(self):
        theory = self.theory("t(A, B) :- q(A).")
        shares = theory.predict_proba(ROWS)
        assert ((shares[:, 1] > 0.5) == (theory.predict(ROWS) == "yes")).all()
        assert shares.sum(1) == pytest.approx(1)

    def test_errors(self):
        assert self.theory("t(A, B) :- q(A).").errors() == 0


class TestPruning:
    def pruner(self, labels) -> Pruner:
        background = world(1)
        rows, _ = coded_rows(np.array(ROWS, object), background.symbols)
        inside = Coverage(background).covered(parse_clause(labels), rows)
        return Pruner(
            Coverage(background),
            np.concatenate([rows[inside], rows[~inside]]),
            int(inside.sum()),
            lambda clause: True,
        )

    def test_needless_literals_are_dropped(self):
        pruner = self.pruner("t(A, B) :- p(A, B).")
        clause = parse_clause("t(A, B) :- p(A, C), p(A, B), p(D, B).")
        assert pruner.pruned(clause) == parse_clause("t(A, B) :- p(A, B).")

    def test_needed_literals_stay(self):
        clause = parse_clause("t(A, B) :- p(A, B), q(A).")
        assert self.pruner("t(A, B) :- p(A, B), q(A).").pruned(clause) == clause

    def test_what_binds_a_negation_stays(self):
        clause = parse_clause("t(A, B) :- p(A, C), \\+ q(C).")
        pruned = self.pruner("t(A, B) :- p(A, C), \\+ q(C).").pruned(clause)
        assert pruned == clause

    def test_clauses(self):
        covers = [np.array(one, bool) for one in ([1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1])]
        assert needed(covers) == [0, 2]
        assert needed([]) == []

    def test_equal_terms_become_one(self):
        clause = parse_clause("t(A, B) :- p(A, D), D = B, q(C), A = C.")
        assert unified(clause) == parse_clause("t(A, B) :- p(A, B), q(A).")
        head = parse_clause("t(A, B) :- A = B, q(A).")
        assert unified(head) == head
