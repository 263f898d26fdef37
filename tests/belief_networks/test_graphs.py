"""What follows from arcs alone: d-separation, blankets, classes of graphs."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce import InputError
from induce.belief_networks import Dag, PartialGraph, dependence

from .conftest import random_network

SEEDS = st.integers(0, 10**6)


def random_dag(seed, nodes=6):
    rng = np.random.default_rng(seed)
    order = rng.permutation(nodes)
    parents = [()] * nodes
    for k, node in enumerate(order):
        parents[node] = tuple(int(p) for p in order[:k] if rng.random() < 0.4)
    return Dag(tuple("abcdefgh"[:nodes]), tuple(parents))


def test_the_figure(fire):
    """T and C given S are independent, but neither given nothing nor given S and F; B and L are, but not given F."""
    graph = fire.graph
    assert graph.d_separated("Thunder", "Campfire", ["Storm"])
    assert not graph.d_separated("Thunder", "Campfire")
    assert not graph.d_separated("Thunder", "Campfire", ["Storm", "ForestFire"])
    assert graph.d_separated("BusTourGroup", "Lightning")
    assert not graph.d_separated("BusTourGroup", "Lightning", ["ForestFire"])
    assert graph.markov_blanket("Campfire") == ("Storm", "BusTourGroup", "ForestFire", "Lightning")
    thunder = next(each for each in graph.independences() if each.node == "Thunder")
    assert thunder.given == ("Lightning",)
    assert set(thunder.others) == {"Storm", "BusTourGroup", "Campfire", "ForestFire"}


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_d_separation_is_that_of_networkx(seed):
    networkx = pytest.importorskip("networkx")
    graph = random_dag(seed)
    peer = networkx.DiGraph(list(graph.arcs))
    peer.add_nodes_from(graph.nodes)
    rng = np.random.default_rng(seed)
    for first, second in combinations(graph.nodes, 2):
        known = [node for node in graph.nodes if node not in (first, second) and rng.random() < 0.4]
        expected = networkx.is_d_separator(peer, {first}, {second}, set(known))
        assert graph.d_separated(first, second, known) == expected


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_the_blanket_separates_and_nothing_less_does(seed):
    graph = random_dag(seed)
    for node in graph.nodes:
        blanket = graph.markov_blanket(node)
        others = [each for each in graph.nodes if each != node and each not in blanket]
        assert not others or graph.d_separated(node, others, blanket)
        for left_out in blanket:
            rest = [each for each in blanket if each != left_out]
            assert not graph.d_separated(node, [left_out, *others], rest)


def all_dags(nodes):
    found = set()
    for order in permutations(range(nodes)):
        pairs = list(combinations(order, 2))
        for chosen in product((0, 1), repeat=len(pairs)):
            parents = [[] for _ in range(nodes)]
            for (parent, child), taken in zip(pairs, chosen, strict=True):
                if taken:
                    parents[child].append(parent)
            found.add(tuple(tuple(sorted(each)) for each in parents))
    return [Dag(tuple("abcdef"[:nodes]), parents) for parents in found]


@pytest.mark.parametrize(("nodes", "graphs", "classes"), [(3, 25, 11), (4, 543, 185)])
def test_classes_of_graphs(nodes, graphs, classes):
    """A class holds the graphs with the same d-separations; an arc is directed where all of them agree."""
    dags = all_dags(nodes)
    assert len(dags) == graphs
    groups = {}
    for dag in dags:
        groups.setdefault(dag.equivalence_class(), []).append(dag)
    assert len(groups) == classes
    for partial, members in groups.items():
        arcs = [{(p, c) for c, above in enumerate(dag.parents) for p in above} for dag in members]
        assert partial.arcs == frozenset.intersection(*map(frozenset, arcs))
        assert partial.member() in members


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_same_class_means_same_separations(seed):
    first, second = random_dag(seed, 4), random_dag(seed + 1, 4)
    same = all(
        first.d_separated(a, b, known) == second.d_separated(a, b, known)
        for a, b in combinations("abcd", 2)
        for size in range(3)
        for known in combinations(set("abcd") - {a, b}, size)
    )
    classes = first.equivalence_class(), second.equivalence_class()
    assert (classes[0] == classes[1]) == same
    assert (classes[0].distance(classes[1]) == 0) == same


def test_distances():
    chain = Dag.of({"b": ["a"], "c": ["b"]}).equivalence_class()
    assert chain.distance(Dag.of({"b": ["a"], "c": ["b", "a"]}).equivalence_class()) == 1
    with pytest.raises(InputError, match="different nodes"):
        chain.distance(Dag.of({"x": ["y"]}).equivalence_class())


def test_a_partial_graph_without_members():
    square = PartialGraph(tuple("abcd"), frozenset(), frozenset({(0, 1), (1, 2), (2, 3), (0, 3)}))
    with pytest.raises(InputError, match="no acyclic graph has these arcs"):
        square.member()


def test_bad_questions(fire):
    with pytest.raises(InputError, match="did you mean 'Storm'"):
        fire.graph.d_separated("Strom", "Thunder")
    with pytest.raises(InputError, match="'Storm' is in two of the sets"):
        fire.graph.d_separated("Storm", "Thunder", ["Storm"])
    with pytest.raises(InputError, match="two nodes are called 'a'"):
        Dag(("a", "a"), ((), ()))


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_separated_nodes_are_independent_in_numbers(seed):
    random = random_network(seed, nodes=4, zeros=False)
    joint = random.query(random.nodes).probabilities
    for first, second in combinations(range(4), 2):
        for size in range(3):
            for known in combinations(sorted({0, 1, 2, 3} - {first, second}), size):
                names = [random.nodes[k] for k in (first, second, *known)]
                if random.graph.d_separated(names[0], names[1], names[2:]):
                    assert dependence(joint, [first], [second], known) < 1e-9


def test_dependence_where_nothing_occurs():
    joint = np.array([[0.5, 0.0], [0.5, 0.0]])
    assert dependence(joint, [0], [1]) == 0.0


def test_parts_of_a_graph_without_arcs_between_them_begin_at_the_top():
    from induce.pictures.layers import layout

    found = layout([[], [0], [1], [2], [], [4], []], [1.0] * 7, 0.5)
    assert found.layers[0] == (0, 4, 6)
    assert sorted(found.layer.tolist()) == [0, 0, 0, 1, 1, 2, 3]


def test_equivalent_graphs_have_one_class_whatever_the_order_of_nodes():
    chain = Dag.of({"a": [], "b": ["a"], "c": ["b"]}).equivalence_class()
    back = Dag.of({"c": [], "b": ["c"], "a": ["b"]}).equivalence_class()
    assert chain == back
    assert hash(chain) == hash(back)
    assert chain != Dag.of({"a": [], "c": [], "b": ["a", "c"]}).equivalence_class()
