"""Predicates that the prover answers: the work of all calls together is limited."""

import warnings

import pytest

import induce
from induce.core.notes import Note
from induce.logic.background import called
from induce.relational import Relations

PERMUTED = """
permuted([], []).
permuted(L, [H|T]) :- select(H, L, R), permuted(R, T).
ascending([]).
ascending([_]).
ascending([A,B|T]) :- A =< B, ascending([B|T]).
"""
SWAPPED = [
    ((3, 1, 2, 0, 4), (0, 1, 2, 3, 4)),
    ((1, 0, 4, 2, 3), (0, 1, 2, 3, 4)),
    ((2, 1, 0, 4, 3), (0, 1, 2, 3, 4)),
]
EXAMPLES = [([*left], [*right]) for left, right in SWAPPED] + [([*left], [*left]) for left, _ in SWAPPED]


def calls(relations):
    relation = relations.relation(("permuted", 2))
    keys = [[relations.symbols.code(induce.logic.parse_term(str([k, *range(5)])))] for k in range(6, 14)]
    return relation.matches((0,), keys)


@pytest.mark.parametrize(("name", "value"), [("MOST_CELLS", 5000), ("MOST_INFERENCES", 4000)])
def test_work_of_all_calls_is_limited(monkeypatch, name, value):
    relations = Relations(program=PERMUTED)
    assert calls(relations).count.tolist() == [720] * 8
    monkeypatch.setattr(called, name, value)
    with pytest.warns(Note, match=r"calls of permuted/2 needed .* others are assumed false"):
        count = calls(Relations(program=PERMUTED)).count.tolist()
    assert count == [720] * 4 + [0] * 4


@pytest.mark.parametrize("learner", [induce.FOIL, induce.Progol, induce.RelationalLearner])
def test_a_search_over_permutations_ends(monkeypatch, learner):
    monkeypatch.setattr(called, "MOST_CELLS", 5000)
    monkeypatch.setattr(called, "MOST_INFERENCES", 20_000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        fitted = learner(Relations(program=PERMUTED), "in_order").fit(EXAMPLES, [True] * 3 + [False] * 3)
    relation = fitted.hypothesis_.background.relation(("permuted", 2))
    assert relation._work[1] < 10 * 5000
