"""Tabling: left recursion and circles end with all answers."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic.limits import Limits
from induce.logic.parsing import parse_program
from induce.logic.prover import Prover
from induce.logic.tabling import tabled_predicates
from induce.logic.terms import Variable

PATHS = {
    "left": "path(X, Y) :- path(X, Z), edge(Z, Y). path(X, Y) :- edge(X, Y).",
    "right": "path(X, Y) :- edge(X, Z), path(Z, Y). path(X, Y) :- edge(X, Y).",
    "double": "path(X, Y) :- path(X, Z), path(Z, Y). path(X, Y) :- edge(X, Y).",
    "mutual": "path(X, Y) :- step(X, Y). step(X, Y) :- edge(X, Y). step(X, Y) :- path(X, Z), step(Z, Y).",
}


def prover(text, **options):
    return Prover(parse_program(text), **options)


def pairs(answers):
    return [tuple(str(answer.substitution[Variable(name)]) for name in "XY") for answer in answers]


def reached(edges):
    found = set(edges)
    while True:
        new = {(a, d) for (a, b), (c, d) in itertools.product(found, found) if b == c} - found
        if not new:
            return found
        found |= new


@given(
    st.sampled_from(sorted(PATHS)),
    st.sets(st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde")), min_size=1),
)
def test_paths_through_any_graph(kind, edges):
    p = prover(PATHS[kind] + "\n" + "\n".join(f"edge({a}, {b})." for a, b in sorted(edges)))
    expected = reached(edges)
    answers = p.prove("path(X, Y)")
    found = pairs(answers)
    assert answers.complete
    assert len(found) == len(expected)
    assert set(found) == expected
    for start in "abc":
        ends = [str(answer.substitution[Variable("Y")]) for answer in p.prove(f"path({start}, Y)")]
        assert sorted(ends) == sorted(b for a, b in expected if a == start)
    for a, b in itertools.product("abc", "abc"):
        assert p.holds(f"path({a}, {b})") == ((a, b) in expected)


@given(
    st.sampled_from(sorted(PATHS)),
    st.sets(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), min_size=1),
)
def test_proofs_of_tabled_answers_end_and_check(kind, edges):
    p = prover(PATHS[kind] + "\n" + "\n".join(f"edge({a}, {b})." for a, b in sorted(edges)))
    for answer in p.prove("path(X, Y)"):
        proof = answer.proof
        assert proof.tabled
        for _, node in proof.walk():
            assert node.clause is not None
            assert node.unifier.apply(node.clause.head) == node.literal
            assert [node.unifier.apply(goal) for goal in node.clause.body] == [
                each.literal for each in node.children
            ]
        assert {tuple(map(str, fact.arguments)) for fact in proof.facts()} <= edges


@pytest.mark.slow
def test_a_large_circle():
    n = 300
    p = prover(PATHS["right"] + "\n" + "\n".join(f"edge({i}, {(i + 1) % n})." for i in range(n)))
    assert len(p.prove("path(0, Y)", proofs=False).all()) == n
    assert p.first("path(0, 299)").proof.size() == 2 * (n - 1)


def test_what_is_tabled():
    assert tabled_predicates(parse_program(PATHS["left"])) == {("path", 2)}
    assert tabled_predicates(parse_program(PATHS["mutual"])) == {("path", 2), ("step", 2)}
    for text in (
        "app([], L, L). app([H|T], L, [H|R]) :- app(T, L, R).",
        "n(0). n(s(X)) :- n(X).",
        "count(N) :- N < 10, M is N + 1, count(M).",
        "win(X) :- move(X, Y), \\+ win(Y).",
        "p(X) :- q(X), !, p(X).",
        "path(X, Y, V) :- edge(X, Z), \\+ member(Z, V), path(Z, Y, [Z|V]).",
        "grand(X, Z) :- parent(X, Y), parent(Y, Z).",
        "p(X) :- findall(Y, p(Y), X).",
    ):
        assert tabled_predicates(parse_program(text)) == frozenset(), text
    grammar = "expr(A, C) :- expr(A, B), B = [plus|D], term(D, C). expr(A, B) :- term(A, B). term([n|A], A)."
    assert tabled_predicates(parse_program(grammar)) == {("expr", 2)}
    assert [str(each) for each in prover(grammar).prove("expr([n, plus, n], R)")] == [
        "{R/[plus, n]}",
        "{R/[]}",
    ]


def test_tabled_answers_may_have_variables_and_functions():
    p = prover("p(X, f(X)) :- q. p(X, Y) :- p(X, Y), q. q.", tabled=[("p", 2)])
    (answer,) = p.prove("p(A, B)")
    assert str(answer.substitution[Variable("B")]).startswith("f(")
    assert answer.substitution[Variable("B")].arguments[0] == Variable("A")
    assert answer.proof.number == 0
    floats = prover("d(1.5). d(X) :- d(Y), X is Y / 1.", tabled=[("d", 1)])
    assert [str(each) for each in floats.prove("d(X)")] == ["{X/1.5}"]


def test_tables_serve_several_predicates_and_negation_below():
    p = prover(
        PATHS["left"]
        + """
        node(X) :- edge(X, _). node(X) :- edge(_, X).
        apart(X, Y) :- node(X), node(Y), \\+ path(X, Y).
        far(X, Y) :- apart(X, Y). far(X, Y) :- far(X, Z), edge(Z, Y), \\+ path(X, Y).
        edge(a, b). edge(b, a). edge(c, a).
        """
    )
    expected = {("a", "c"), ("b", "c"), ("c", "c")}
    assert set(pairs(p.prove("apart(X, Y)"))) == expected
    answers = p.prove("far(X, Y)").all()
    assert set(pairs(answers)) == expected
    kinds = {node.kind for _, node in answers[0].proof.walk()}
    assert "negation" in kinds


def test_mutual_recursion_through_several_components():
    p = prover(
        """
        a(X) :- b(X). a(X) :- c(X). b(X) :- a(X). b(1). c(X) :- d(X). d(X) :- c(X). d(X) :- a(X). d(2). b(X) :- e(X).
        e(3). e(X) :- d(X).
        """
    )
    for name in "abcde":
        assert {str(answer) for answer in p.prove(f"{name}(X)")} == {"{X/1}", "{X/2}", "{X/3}"}


def test_without_tabling_the_limits_end_it():
    p = prover(PATHS["left"] + " edge(a, b).", tabled=None, limits=Limits(depth=100))
    answers = p.prove("path(a, X)")
    assert answers.first() is not None
    assert answers.stopped_by is None
    assert not answers.complete


def test_limits_leave_no_half_tables():
    text = PATHS["left"] + "\n" + "\n".join(f"edge(n{i}, n{(i + 1) % 50})." for i in range(50))
    p = prover(text)
    short = Prover(p.program, limits=Limits(inferences=60))
    assert short.prove("path(n0, X)").all() == ()
    goals = [goal for i in (0, 1, 2) for goal in parse_program(f"path(n{i}, n{(i + 1) % 50}).")]
    assert not short.holds_each([clause.head for clause in goals]).any()
    assert p.holds_each([clause.head for clause in goals]).all()
    machine_again = Prover(p.program, limits=Limits(inferences=60))
    assert machine_again.prove("path(n0, X)").stopped_by is None
    assert short.prove("edge(n0, X)").all()


def test_large_relations_are_tabled_with_rules():
    n = 2000
    codes = np.column_stack([np.arange(n), (np.arange(n) + 1) % n])
    from induce.logic.terms import Constant

    p = prover(PATHS["left"], facts={("edge", 2): (codes, [Constant(i) for i in range(n)])})
    assert len(p.prove("path(0, X)", proofs=False).all()) == n


def test_tabled_is_checked():
    with pytest.raises(InputError, match="tabled names q/1, which has no clauses"):
        prover("p(a).", tabled=[("q", 1)])
    with pytest.raises(InputError, match="tabled names win/1, which depends on its own negation"):
        prover("win(X) :- move(X, Y), \\+ win(Y). move(a, b).", tabled=[("win", 1)])
    with pytest.raises(InputError, match="tabled is"):
        prover("p(a).", tabled="all")
    win = prover("win(X) :- move(X, Y), \\+ win(Y). move(a, b). move(b, c).")
    assert [str(each) for each in win.prove("win(X)")] == ["{X/b}"]
