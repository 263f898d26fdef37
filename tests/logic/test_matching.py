"""Matching many rules against changing facts, beside the prover that begins again after each change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic import Program, Prover, parse_literal, parse_program
from induce.logic.clauses import Clause
from induce.logic.matching import Matcher

LITERALS = st.sampled_from(
    [
        "p(X, Y)",
        "p(Y, X)",
        "p(Y, Z)",
        "p(X, X)",
        "q(X)",
        "q(Y)",
        "p(X, a)",
        "p(b, Y)",
        "q(a)",
        "r(X, N)",
        "r(Y, M)",
    ]
)
FACTS = st.sampled_from(
    [f"p({x}, {y})" for x in "abc" for y in "abc"]
    + [f"q({x})" for x in "abc"]
    + [f"r({x}, {n})" for x in "ab" for n in (1, 2)]
)


@st.composite
def rules(draw):
    """Rules of up to three literals, perhaps with one that is negated and a comparison."""
    lines = []
    for number in range(draw(st.integers(1, 5))):
        body = draw(st.lists(LITERALS, min_size=1, max_size=3))
        text = " ".join(body)
        if draw(st.booleans()):
            names = [name for name in "XY" if name in text]
            body.append(f"\\+ q({names[0]})" if names else "\\+ q(b)")
        if "N" in text and "M" in text and draw(st.booleans()):
            body.append("N < M")
        elif "N" in text and draw(st.booleans()):
            body.append("N * 2 > 3")
        head = next((name for name in "XY" if name in text), "a")
        lines.append(f"h{number}({head}) :- {', '.join(body)}.")
    return parse_program("\n".join(lines))


def proved(program: Program, facts: list) -> set[tuple[int, str]]:
    prover = Prover(program + Program(tuple(map(Clause, facts))), unknown="fail")
    found = set()
    for number, rule in enumerate(program):
        for answer in prover.prove(rule.head, proofs=False):
            found.add((number, str(answer.substitution.apply(rule.head))))
    return found


@given(rules(), st.lists(FACTS, max_size=14), st.lists(FACTS, max_size=5))
def test_matches_are_what_the_prover_proves(program, changes, early):
    matcher = Matcher(program)
    holding: set[tuple[int, str]] = set()
    for text in [*early, *changes]:
        fact = parse_literal(text)
        gained, lost = matcher.remove(fact) if fact in matcher.facts() else matcher.add(fact)
        holding |= {(one.rule, str(one.conclusion)) for one in gained}
        holding -= {(one.rule, str(one.conclusion)) for one in lost}
        assert holding == proved(program, list(matcher.facts()))
        assert holding == {(one.rule, str(one.conclusion)) for one in matcher.matches()}


def test_rules_that_cannot_match_cost_nothing():
    text = "\n".join(f"h(X) :- start(X), p{n}(X, Y), q(Y, v{n})." for n in range(500))
    matcher = Matcher(parse_program(text))
    for n in range(20):
        matcher.add(parse_literal(f"q(y{n}, v{n})"))
        matcher.add(parse_literal(f"start(x{n})"))
    # one visit unlinks a rule whose next pattern is empty
    assert max(matcher.costs()) < 3
    gained, _ = matcher.add(parse_literal("p7(x1, y7)"))
    assert [str(one) for one in gained] == ["h(x1) by rule 8"]
    assert matcher.costs()[7] > matcher.costs()[8]


def test_values_are_worked_out():
    matcher = Matcher(
        parse_program("safe(X) :- volume(X, V), density(X, D), equal(W, times(V, D)), less_than(W, 5).")
    )
    matcher.add(parse_literal("volume(a, 2)"))
    gained, _ = matcher.add(parse_literal("density(a, 0.3)"))
    assert [str(one.conclusion) for one in gained] == ["safe(a)"]
    assert matcher.add(parse_literal("density(a, 0.3)")) == ((), ())
    _, lost = matcher.remove(parse_literal("volume(a, 2)"))
    assert [str(one.conclusion) for one in lost] == ["safe(a)"]


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("p(X) :- q(Y).", "no condition binds"),
        ("p(X) :- q(X), X < Z.", "no condition binds"),
        ("p(X) :- q(f(X)).", "a function of variables"),
        ("p(X) :- q(X), atom(X).", "is not a comparison"),
    ],
)
def test_rules_that_cannot_be_matched(rule, sentence):
    with pytest.raises(InputError, match=sentence):
        Matcher(parse_program(rule))


def test_what_is_not_a_fact():
    matcher = Matcher(parse_program("p(X) :- q(X)."))
    with pytest.raises(InputError, match="is not a fact"):
        matcher.add(parse_literal("q(X)"))
    with pytest.raises(InputError, match="is not among the facts"):
        matcher.remove(parse_literal("q(a)"))
