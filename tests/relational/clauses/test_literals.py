"""Which literals may be added to a clause, and which recursive calls end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.coverage.examples import Examples
from induce.logic.parsing import parse_clause, parse_literal
from induce.relational.clauses import literals
from induce.relational.clauses.literals import Usage, Vocabulary
from induce.relational.clauses.recursion import Guard, Orders, ends
from induce.relational.foil._loops import acyclic


class TestPatterns:
    def test_one_variable_at_least_is_not_new(self):
        usage = Usage(("p", 2), "--", ("x", "x"))
        assert (2, 2) not in usage.patterns(("x", "x"), distinct=False)
        assert all(min(pattern) < 2 for pattern in usage.patterns(("x", "x"), distinct=False))

    def test_numbers_of_patterns(self):
        usage = Usage(("p", 2), "--", ("x", "x"))
        assert len(usage.patterns(("x", "x"))) == 6
        assert len(usage.patterns(("x", "x"), distinct=False)) == 8
        assert len(usage.patterns(("x", "x", "x"))) == 12

    def test_types(self):
        usage = Usage(("has", 2), "--", ("train", "car"))
        assert usage.patterns(("train",)) == [(0, 1)]
        assert usage.patterns(("train", "car")) == [(0, 1), (0, 2), (2, 1)]
        assert usage.patterns(("any",)) == [(0, 1), (1, 0)]

    def test_a_new_variable_stands_twice_only_where_types_agree(self):
        usage = Usage(("p", 3), "---", ("x", "y", "y"))
        assert (0, 1, 1) in usage.patterns(("x",), distinct=False)
        assert (1, 1, 0) not in usage.patterns(("y",), distinct=False)

    def test_signs(self):
        assert Usage(("p", 2), "+-", ("x", "x")).patterns(("x",)) == [(0, 1)]
        assert Usage(("p", 2), "+#", ("x", "y")).patterns(("x",)) == [(0, -1)]
        assert Usage(("p", 2), "+*", ("x", "y")).patterns(("x",)) == [(0, 1), (0, -1)]

    def test_limits(self):
        usage = Usage(("p", 3), "---", ("x", "x", "x"))
        assert max(max(pattern) for pattern in usage.patterns(("x",), new_variables=1, distinct=False)) == 1
        assert not usage.patterns(("x",), max_variables=2)
        assert usage.patterns(("x", "x"), only=[{0}, {1}, set()], new_variables=1)[0] == (0, 1, 2)

    def test_too_many_ways(self, monkeypatch):
        usage = Usage(("p", 3), "---", ("x", "x", "x"))
        assert any(max(pattern) > 2 for pattern in usage.patterns(("x", "x", "x")))
        monkeypatch.setattr(literals, "MOST_PATTERNS", 8)
        assert len(usage.patterns(("x", "x", "x"))) <= 8
        assert all(max(pattern) < 3 for pattern in usage.patterns(("x", "x", "x")))


def examples(background: Relations, name: str, rows: list[tuple[object, ...]]) -> Examples:
    from induce.logic.coverage.examples import coded_rows

    codes, columns = coded_rows(np.array(rows, object), background.symbols)
    target = (name, len(columns))
    background = background.with_examples(target, codes)
    types = background.types_of(target, codes)
    return Examples(target, columns, types, codes, np.ones(len(codes), np.bool_), background)


class TestVocabulary:
    def test_things_and_values(self):
        facts = (
            "age(1, 30). age(2, 40). age(3, 30). eyes(1, blue). eyes(2, brown). eyes(3, blue). knows(1, 2)."
        )
        vocabulary = Vocabulary(
            examples(Relations(program=facts), "t", [(1,), (2,)]), undeclared=True, recursive=False
        )
        person, age = vocabulary.kinds(("age", 2))
        eyes = vocabulary.kinds(("eyes", 2))[1]
        assert not vocabulary.is_measure(person)
        assert vocabulary.is_measure(age)
        assert vocabulary.is_value(eyes)
        assert not vocabulary.is_value(person)
        assert not vocabulary.is_value(age)  # numbers get thresholds
        assert vocabulary.usages[("eyes", 2)][0].signs == "-*"

    def test_fractions_are_sizes_even_where_they_tell_facts_apart(self):
        facts = "price(1.5, a). price(2.25, a). price(3.5, b)."
        vocabulary = Vocabulary(examples(Relations(program=facts), "t", [("a",)]), True, False)
        assert vocabulary.is_measure(vocabulary.kinds(("price", 2))[0])

    def test_modes_are_all_there_is(self):
        modes = (Mode("q", ("+x",)), Mode("q", ("#x",)))
        vocabulary = Vocabulary(
            examples(Relations(program="p(a). q(a). q(b).", modes=modes), "t", [("a",)]), True, True
        )
        assert [usage.signs for usage in vocabulary.usages[("q", 1)]] == ["+", "#"]
        assert set(vocabulary.usages) == {("q", 1), ("t", 1)}

    def test_a_mode_without_relation(self):
        with pytest.raises(InputError, match="q"):
            Vocabulary(
                examples(Relations(program="p(a).", modes=(Mode("q", ("+x",)),)), "t", [("a",)]), True, False
            )

    def test_a_type_is_listed_by_a_relation_that_holds_of_all_of_it(self):
        listed = Vocabulary(examples(Relations(program="p(a). p(b). r(a, b)."), "t", [("a",)]), True, False)
        assert listed.domain(listed.kinds(("p", 1))[0]) == ("p", 1)
        assert not listed.domains
        new = Vocabulary(examples(Relations(program="p(a). r(a, b). r(b, a)."), "t", [("a",)]), True, False)
        kind = new.kinds(("p", 1))[0]
        assert new.domains[new.domain(kind)].rows[:, 0].tolist() == new.constants(kind).tolist()


class TestRecursion:
    def test_calls_that_end(self):
        assert ends([])
        assert ends([("<",), ("<",)])
        assert ends([("=", "<"), ("<", "?")])
        assert not ends([("=", "=")])
        assert not ends([("?", "=")])
        assert not ends([("<", ">"), (">", "<")])

    @given(st.lists(st.tuples(*[st.sampled_from("<=>")] * 2), min_size=1, max_size=4), st.integers(0, 1000))
    def test_calls_that_end_really_do(self, calls, seed):
        """No sequence of such calls over a few values is longer than there are tuples of values."""
        if not ends(calls):
            return
        random = np.random.default_rng(seed)
        at, steps = random.integers(0, 4, 2).tolist(), 0
        while steps <= 16:
            moves = []
            for call in calls:
                each = [
                    [v for v in range(4) if {"<": v < here, "=": v == here, ">": v > here}[sign]]
                    for sign, here in zip(call, at, strict=True)
                ]
                if all(each):
                    moves.append([int(random.choice(one)) for one in each])
            if not moves:
                break
            at, steps = moves[random.integers(len(moves))], steps + 1
        assert steps <= 16

    def test_the_order_comes_from_relations_without_cycles(self):
        background = Relations(program="parent(a, b). parent(b, c). friend(a, c). friend(c, a).")
        target = examples(background, "anc", [("a", "b")])
        vocabulary = Vocabulary(target, True, True)
        guard = Guard(("anc", 2), Orders(vocabulary))
        types = dict.fromkeys(parse_clause("anc(A, B) :- p(C).").variables(), target.types[0])

        def admits(text: str) -> bool:
            return guard.admits(guard.calls_of(parse_clause(text), types))

        assert admits("anc(A, B) :- parent(A, C), anc(C, B).")
        assert admits("anc(A, B) :- parent(C, B), anc(A, C).")
        assert not admits("anc(A, B) :- friend(A, C), anc(C, B).")
        assert not admits("anc(A, B) :- anc(A, B).")
        assert not admits("anc(A, B) :- anc(B, A).")
        assert not admits("anc(A, B) :- anc(C, B), parent(A, C).")  # the order must be there before the call
        assert not admits("anc(A, B) :- \\+ parent(A, C), anc(C, B).")
        assert admits("anc(A, B) :- parent(A, D), D = C, anc(C, B).")

    def test_clauses_must_agree_on_the_direction(self):
        background = Relations(program="parent(a, b). parent(b, c).")
        target = examples(background, "anc", [("a", "b")])
        orders = Orders(Vocabulary(target, True, True))
        types = dict.fromkeys(parse_clause("anc(A, B) :- p(C).").variables(), target.types[0])
        down = Guard(("anc", 2), orders).calls_of(
            parse_clause("anc(A, B) :- parent(A, C), anc(C, B)."), types
        )
        guard = Guard(("anc", 2), orders, down)
        up = guard.calls_of(parse_clause("anc(A, B) :- parent(C, A), anc(C, B)."), types)
        other = guard.calls_of(parse_clause("anc(A, B) :- parent(C, B), anc(A, C)."), types)
        assert not guard.admits(up)
        assert guard.admits(other)

    def test_numbers_get_smaller_by_comparison(self):
        background = Relations(program="succ(0, 1). succ(1, 2). succ(2, 3).")
        target = examples(background, "even", [(0,), (2,)])
        orders = Orders(Vocabulary(target, True, True))
        guard = Guard(("even", 1), orders)
        types = dict.fromkeys(parse_clause("even(A) :- p(B).").variables(), target.types[0])
        assert guard.admits(guard.calls_of(parse_clause("even(A) :- succ(B, A), B < A, even(B)."), types))
        assert guard.call(
            parse_literal("even(A)"), [parse_literal("A > B")], parse_literal("even(B)"), types
        ) == ("<",)

    def test_the_rest_of_a_list_is_smaller(self):
        modes = (
            Mode("member", ("+thing", "+list"), head=True),
            Mode("rest", ("+list", "-list")),
            Mode("first", ("+list", "-thing")),
        )
        background = Relations(program="rest([_|T], T). first([H|_], H).", modes=modes)
        rows = [(x, [*some]) for some in ("a", "ab", "b", "ba", "c", "abc", "bc") for x in some]
        target = examples(background, "member", rows)
        guard = Guard(("member", 2), Orders(Vocabulary(target, True, True)))
        clause = parse_clause("member(A, B) :- rest(B, C), member(A, C).")
        types = dict.fromkeys(clause.variables(), "list")
        assert guard.calls_of(clause, types) == (("=", "<"),)

    @given(st.integers(0, 10_000), st.integers(1, 8), st.integers(0, 12))
    def test_cycles(self, seed, n_nodes, n_edges):
        random = np.random.default_rng(seed)
        edges = random.integers(0, n_nodes, (n_edges, 2))
        reach = np.zeros((n_nodes, n_nodes), bool)
        reach[edges[:, 0], edges[:, 1]] = True
        for _ in range(n_nodes):
            reach |= reach @ reach
        assert acyclic(edges[:, 0].copy(), edges[:, 1].copy(), n_nodes) == (not reach.diagonal().any())
