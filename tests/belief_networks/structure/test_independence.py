"""Constraint-based learning."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.belief_networks.graphs.dag import Dag
from induce.belief_networks.graphs.partial import PartialGraph
from induce.belief_networks.library import textbook_network
from induce.belief_networks.structure.independence import IndependenceTest, extended, oriented, skeleton


class Told:
    """Tests whose results follow from a graph: what they would say of endless data."""

    def __init__(self, graph):
        self.graph = graph

    def test(self, first, second, given=()):
        names = self.graph.nodes
        apart = self.graph.d_separated(names[first], names[second], [names[k] for k in given])
        return IndependenceTest(0.0, 0.0, 1) if apart else IndependenceTest(1e6, 1e6, 1)


@given(st.integers(0, 10**6), st.booleans())
def test_true_independences_give_the_class_of_the_graph(free, seed, conservative):
    rng = np.random.default_rng(seed)
    n = 6
    order = rng.permutation(n)
    place = np.argsort(order)
    parents = tuple(
        tuple(sorted(k for k in range(n) if place[k] < place[node] and rng.random() < 0.35))
        for node in range(n)
    )
    limits = free(n)
    graph = Dag(limits.nodes, parents)
    tests = Told(graph)
    found = skeleton(tests, limits, "g", 0.05, n)
    partial = oriented(found, tests, limits, "g", 0.05, n, conservative)
    assert partial == graph.equivalence_class()
    again = Dag(limits.nodes, tuple(tuple(sorted(above)) for above in extended(partial)))
    assert again.equivalence_class() == partial


def test_knowledge_gives_directions(free):
    limits = free(3, order=["x0", "x1"])
    tests = Told(Dag(limits.nodes, ((), (0,), (1,))))
    partial = oriented(skeleton(tests, limits, "g", 0.05, 3), tests, limits, "g", 0.05, 3, False)
    assert str(partial) == "x0 → x1\nx1 → x2"
    limits = free(3, required=[("x0", "x2")])
    found = skeleton(tests, limits, "g", 0.05, 3)
    assert found.adjacent[0, 2]


def test_claims_that_make_a_cycle_still_give_a_graph():
    cycle = PartialGraph(("a", "b", "c"), frozenset({(0, 1), (1, 2), (2, 0)}), frozenset())
    parents = tuple(tuple(sorted(above)) for above in extended(cycle))
    assert sum(map(len, Dag(cycle.nodes, parents).parents)) == 3


def test_candies_lose_no_edge_and_get_no_direction(candy_frame):
    """07:B6: every test rejects independence."""
    for statistic in ("g", "chi2"):
        found = induce.PC(statistic=statistic).fit(candy_frame).hypothesis_
        assert len(found.undirected) == 3
        assert not found.partial.arcs


def test_a_larger_significance_leaves_more_arcs():
    """07:SL-33."""
    X = textbook_network("forest-fire").sample(150, random_state=2)
    sizes = [len(induce.PC(significance=level).fit(X).hypothesis_.graph.arcs) for level in (0.001, 0.05, 0.4)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


@pytest.mark.parametrize("conservative", [True, False])
def test_a_small_network_is_found_again(conservative):
    network = textbook_network("sprinkler")
    learner = induce.PC(conservative=conservative).fit(network.sample(2000, random_state=0))
    assert learner.hypothesis_.partial == network.graph.equivalence_class()
    assert learner.n_tests_ > 6


def test_the_order_of_columns_does_not_matter():
    X = textbook_network("forest-fire").sample(400, random_state=0)
    arcs = {
        frozenset(frozenset(arc) for arc in induce.PC().fit(X.select(names)).hypothesis_.graph.arcs)
        for names in (X.columns, X.columns[::-1])
    }
    assert len(arcs) == 1


def test_too_many_parents_are_thinned_out():
    X = textbook_network("sprinkler").sample(2000, random_state=0)
    with pytest.warns(induce.core.notes.Note, match="1 arc removed from nodes with too many parents"):
        found = induce.PC(knowledge={"max_parents": 1}).fit(X).hypothesis_
    assert max(map(len, found.parents)) == 1
