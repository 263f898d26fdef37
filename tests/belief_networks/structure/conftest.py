"""The candy counts of AIMA 20.3 as rows, all graphs over three nodes, and the rows of Cooper and Herskovits."""

from itertools import product

import numpy as np
import polars as pl
import pytest

from induce.belief_networks.graphs.dag import Dag
from induce.belief_networks.structure.knowledge import constraints_of
from induce.belief_networks.structure.scores import CodedRows
from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.hypotheses.knowledge import Knowledge

COUNTS = np.array([[[273, 93], [104, 90]], [[79, 100], [94, 167]]], float)  # flavour, wrapper, hole
DOMAINS = {"Flavor": ["cherry", "lime"], "Wrapper": ["red", "green"], "Hole": ["yes", "no"]}


@pytest.fixture
def candies():
    """The rows as codes, each combination once, with its count as weight."""
    return CodedRows.of(np.array(list(product(range(2), repeat=3))), [2, 2, 2], COUNTS.ravel())


@pytest.fixture
def candy_frame():
    rows = [codes for codes in product(range(2), repeat=3) for _ in range(int(COUNTS[codes]))]
    return pl.DataFrame(
        {
            name: pl.Series([domain[row[k]] for row in rows], dtype=pl.Enum(domain))
            for k, (name, domain) in enumerate(DOMAINS.items())
        }
    )


@pytest.fixture(scope="session")
def free():
    """Return the constraints of knowing nothing about some nominal nodes."""

    def made(n, **known):
        columns = tuple(Column(f"x{k}", "nominal", (0, 1)) for k in range(n))
        return constraints_of(Knowledge(**known), Schema(columns))

    return made


def all_graphs(n):
    """All directed graphs without cycles over so many nodes."""
    found = []
    for choice in product(*(product((False, True), repeat=n - 1) for _ in range(n))):
        parents = tuple(
            tuple(k for k, is_in in zip([j for j in range(n) if j != node], row, strict=True) if is_in)
            for node, row in enumerate(choice)
        )
        try:
            found.append(Dag(tuple(f"x{k}" for k in range(n)), parents).parents)
        except InputError:
            continue
    return found


@pytest.fixture(scope="session")
def graphs():
    return all_graphs
