"""Monomorphisms and shared subgraphs: the faucet's numbers, and all mappings tried one by one."""

import sys
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce import InputError, Note
from induce.instances.cases import (
    Edge,
    function_graph,
    largest_shared,
    matching,
    monomorphisms,
    read_cases,
    read_specification,
    shared_subgraphs,
)


@pytest.fixture(scope="module")
def junction():
    return read_cases("devices")["T-junction"].function


@pytest.fixture(scope="module")
def faucet():
    return read_specification("faucet")


def test_the_junction_is_found_in_the_faucet(junction, faucet):
    found = monomorphisms(junction, faucet)
    assert len(found) == 4
    assert [each.keeps_places for each in found] == [True, True, False, False]
    assert dict(found[0].variables) == {
        "Q1": "Q_c",
        "Q2": "Q_h",
        "Q3": "Q_m",
        "T1": "T_c",
        "T2": "T_h",
        "T3": "T_m",
    }
    assert monomorphisms(junction, faucet, induced=True) == []


def test_without_the_edges_from_flows_to_the_temperature(junction, faucet):
    less = faucet.only(edge for edge in faucet.edges if (edge.tail[0], edge.head) != ("Q", "T_m"))
    assert len(less.edges) == 8
    assert len(monomorphisms(junction, less)) == len(monomorphisms(junction, less, induced=True)) == 4


def test_the_shared_subgraph_is_the_whole_junction(junction, faucet):
    assert [len(each.edges) for each in largest_shared(junction, faucet)] == [4] * 4
    assert shared_subgraphs(junction, faucet) == monomorphisms(junction, faucet)


def test_rewriting_lets_a_part_of_the_junction_match(junction):
    assert largest_shared(junction, function_graph("C_f -> + Q_m")) == []
    rewritten = function_graph("C_f -> + x -> + Q_m", {"x": "?"})
    best = largest_shared(junction, rewritten)[0]
    assert best.edges == ((Edge("Q1", "Q3", 1), Edge("x", "Q_m", 1)),)
    bound = function_graph("C_f -> + Q_c -> + Q_m")
    assert largest_shared(junction, bound)[0].edges == ((Edge("Q1", "Q3", 1), Edge("Q_c", "Q_m", 1)),)


def test_types_and_signs_count():
    pipe = function_graph("Q1 -> + Q2")
    for other in ("Q_a -> - Q_b", "T_a -> + Q_b", "Q_a -> + T_b"):
        assert (
            monomorphisms(pipe, function_graph(other)) == shared_subgraphs(pipe, function_graph(other)) == []
        )


@st.composite
def graphs(draw, most):
    names = [f"{draw(st.sampled_from('QT'))}{n}" for n in range(most)]
    pairs = list(permutations(names, 2))
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=5, unique=True))
    return function_graph([f"{a} -> {draw(st.sampled_from('+-'))} {b}" for a, b in chosen])


def brute_force(case, specification):
    """The most edges that any injective mapping of all or some variables of equal types keeps, and how often all."""
    nothing = [None] * len(case.variables)
    best, whole = 0, 0
    for images in set(permutations([*specification.variables, *nothing], len(case.variables))):
        mapping = dict(zip(case.variables, images, strict=True))
        if any(
            image and case.type_of[name] != specification.type_of[image] for name, image in mapping.items()
        ):
            continue
        kept = sum(
            Edge(mapping[edge.tail], mapping[edge.head], edge.sign) in specification.edges
            for edge in case.edges
        )
        best = max(best, kept)
        whole += kept == len(case.edges)
    return best, whole


@settings(max_examples=25, deadline=None)
@given(graphs(3), graphs(4))
def test_all_mappings_tried_one_by_one(case, specification):
    best, whole = brute_force(case, specification)
    found = shared_subgraphs(case, specification)
    assert max((len(each.edges) for each in found), default=0) == best
    assert len(monomorphisms(case, specification)) == whole
    assert len([each for each in found if len(each.edges) == len(case.edges)]) == whole
    assert all(len(each.edges) == best for each in largest_shared(case, specification))


def test_the_work_is_bounded(monkeypatch):
    chain = function_graph(" -> + ".join(f"Q{n}" for n in range(6)))
    star = function_graph([f"Q{n} -> + Q99" for n in range(6)])
    monkeypatch.setattr(matching, "MOST_STEPS", 3)
    with pytest.warns(Note, match="the search for matches of a case with 5 edges"):
        assert monomorphisms(chain, chain) == []
    monkeypatch.undo()
    monkeypatch.setattr(matching, "MOST_WAYS", 5)
    with pytest.warns(Note, match="the search for matches of a case with 6 edges"):
        assert len(monomorphisms(star, star)) == 5
    with pytest.warns(Note, match="the search for parts of a case with 6 edges"):
        assert len(shared_subgraphs(star, star)) == 5


def test_networkx_may_be_missing(monkeypatch, junction, faucet):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(InputError, match="needs the package networkx; install it with: pip install networkx"):
        monomorphisms(junction, faucet)
