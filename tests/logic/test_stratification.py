"""Dependencies, recursion and layers of predicates, against plain Python."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.logic.parsing import parse_program
from induce.logic.stratification import (
    components,
    dependencies,
    is_function_free,
    recursive_predicates,
    strata,
)

graphs = (
    st.integers(1, 9)
    .flatmap(lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=4), min_size=n, max_size=n))
    .map(lambda rows: dict(enumerate(rows)))
)


def reach(graph):
    reached = {node: set(graph[node]) for node in graph}
    for middle in graph:
        for node in graph:
            if middle in reached[node]:
                reached[node] |= reached[middle]
    return reached


@settings(max_examples=40)
@given(graphs)
def test_components_are_the_nodes_that_reach_each_other(graph):
    found = components(graph)
    assert sorted(node for component in found for node in component) == sorted(graph)
    reached = reach(graph)
    place = {node: k for k, component in enumerate(found) for node in component}
    for one in graph:
        for other in graph:
            both = other in reached[one] and one in reached[other]
            assert (place[one] == place[other]) == (both or one == other)
            assert other not in reached[one] or place[other] <= place[one]


def test_a_long_way_needs_no_stack():
    n = 20_000
    way = {k: [k + 1] for k in range(n)} | {n: []}
    assert components(way) == [(k,) for k in range(n, -1, -1)]
    way[n] = [0]
    assert len(components(way)) == 1


def test_dependencies_know_negation():
    program = parse_program("p(X) :- q(X), \\+ r(X), r(X), X < 3, given(X). q(1). r(X) :- p(X).")
    assert dependencies(program) == {
        ("p", 1): {("q", 1): False, ("r", 1): True},
        ("q", 1): {},
        ("r", 1): {("p", 1): False},
    }


def test_layers_come_in_order():
    program = parse_program(
        "top :- \\+ even(3), last. even(X) :- odd(Y), next(Y, X). odd(X) :- even(Y), next(Y, X). even(0). "
        "next(0, 1). last :- \\+ \\+ next(0, 1). p(X, Y) :- p(Y, X). p(X) :- p(X, X)."
    )
    layers = strata(program)
    place = {predicate: k for k, layer in enumerate(layers) for predicate in layer}
    assert set(place) == set(program.by_predicate)
    assert place["even", 1] == place["odd", 1] > place["next", 2]
    assert place["top", 0] > max(place["even", 1], place["last", 0])
    assert place["p", 1] > place["p", 2]
    assert recursive_predicates(program) == {("even", 1), ("odd", 1), ("p", 2)}


@pytest.mark.parametrize(
    ("text", "cycle"),
    [
        ("win(X) :- move(X, Y), \\+ win(Y).", r"win/1 needs \\\+ win/1\)"),
        ("a :- b. b :- c, d. c :- \\+ a. d.", r"c/0 needs \\\+ a/0 needs b/0 needs c/0\)"),
    ],
)
def test_a_cycle_through_negation_is_named(text, cycle):
    with pytest.raises(InputError, match=cycle):
        strata(parse_program(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p(a). q(X) :- p(X), \\+ r(X, [1, 2]).", True),
        ("p(f(a)).", True),
        ("p(f(X)) :- q(X).", False),
        ("p(X) :- q(f(X)).", False),
        ("p(X) :- \\+ q([X]).", False),
        ("p(Y) :- q(X), Y is X + 1, X * 2 < Y.", True),
        ("p(X) :- q(X), X + 1 is 3.", False),
        ("p(X) :- q(X), X = f(Y), r(Y).", False),
        ("", True),
    ],
)
def test_function_free(text, expected):
    assert is_function_free(parse_program(text)) is expected
