"""Networks for tests: that of Figure 6.3, and random ones."""

import numpy as np
import pytest

from induce.belief_networks import BeliefNetwork
from induce.belief_networks.conditionals.table import ConditionalTable
from induce.belief_networks.library import textbook_network
from induce.data.schema import Column, Schema


@pytest.fixture
def fire():
    return textbook_network("forest-fire")


def random_network(seed, nodes=6, most_values=3, zeros=True):
    """A network with random arcs, tables and numbers of values; some entries are 0 if there may be zeros."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1 if zeros else 2, most_values + 1, nodes)
    order = rng.permutation(nodes)
    place = np.argsort(order)
    parents = []
    for node in range(nodes):
        before = order[: place[node]]
        parents.append(tuple(rng.permutation(before)[: rng.integers(0, 4)].tolist()))
    tables = []
    for node, above in enumerate(parents):
        table = rng.random((*sizes[list(above)], sizes[node]))
        if zeros:
            table *= rng.random(table.shape) < 0.8
            table[..., 0] += table.sum(axis=-1) == 0
        tables.append(ConditionalTable(table / table.sum(axis=-1, keepdims=True)))
    columns = tuple(
        Column(f"n{k}", "nominal", tuple(f"v{j}" for j in range(size))) for k, size in enumerate(sizes)
    )
    return BeliefNetwork(Schema(columns), tuple(parents), tuple(tables))


def random_evidence(network, seed, share=0.3):
    """Values of some nodes that are possible together, and all that is not observed."""
    rng = np.random.default_rng(seed)
    values = network.sample_values(1, rng)
    seen = [node for node in network.nodes if rng.random() < share]
    given = {node: network.column(node).domain[int(values[network.graph.position(node)][0])] for node in seen}
    return given, [node for node in network.nodes if node not in given]
