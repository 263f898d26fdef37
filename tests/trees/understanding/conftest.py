"""Trees written by hand, and whole spaces to try trees on."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest

import induce
from induce.data.schema import Schema
from induce.trees.hypothesis import Tree


def _built(schema: Schema, classes: tuple[Any, ...], root: Any, target: str = "class") -> Tree:
    """A tree from nested pairs of a nominal attribute and a dict from its values; anything else is a class."""
    inputs = schema.inputs()
    nodes = [root]
    attribute, first, n_branches, says = [], [], [], []
    for node in nodes:
        if isinstance(node, tuple):
            name, branches = node
            attribute.append(inputs.names().index(name))
            first.append(len(nodes))
            n_branches.append(len(inputs[name].domain))
            says.append(None)
            nodes += [branches[value] for value in inputs[name].domain]
        else:
            attribute.append(-1)
            first.append(-1)
            n_branches.append(0)
            says.append(classes.index(node))
    counts = np.zeros((len(nodes), len(classes)))
    for k in range(len(nodes) - 1, -1, -1):
        if says[k] is None:
            counts[k] = counts[first[k] : first[k] + n_branches[k]].sum(axis=0)
        else:
            counts[k, says[k]] = 1
    n = len(nodes)
    tree = Tree(
        schema=schema,
        target=target,
        classes=classes,
        attribute=np.array(attribute, np.int32),
        threshold=np.full(n, np.nan),
        first=np.array(first, np.int32),
        n_branches=np.array(n_branches, np.int32),
        map_start=np.full(n, -1, np.int32),
        branch_map=np.empty(0, np.int32),
        counts=counts,
    )
    tree.check()
    return tree


@pytest.fixture(scope="session")
def built() -> Callable[..., Tree]:
    """Return the function that makes a tree of nested pairs."""
    return _built


@pytest.fixture(scope="session")
def restaurant_trees() -> dict[str, Tree]:
    """Return the true tree (figure 18.2) and the learned one (figure 18.6) with either answer for French."""
    schema = induce.dataset("restaurant").input_schema
    yes_no = {"Yes": "Yes", "No": "No"}
    if_no = ("Res", {"Yes": "Yes", "No": ("Bar", yes_no)})
    long_wait = ("Alt", {"No": if_no, "Yes": ("Fri", yes_no)})
    short_wait = ("Hun", {"No": "Yes", "Yes": ("Alt", {"No": "Yes", "Yes": ("Rain", yes_no)})})
    waits = ("Est", {">60": "No", "0-10": "Yes", "30-60": long_wait, "10-30": short_wait})

    def learned(french: str) -> Any:
        kind = ("Type", {"French": french, "Italian": "No", "Thai": ("Fri", yes_no), "Burger": "Yes"})
        return ("Hun", {"No": "No", "Yes": kind})

    def patrons(full: Any) -> Tree:
        root = ("Pat", {"None": "No", "Some": "Yes", "Full": full})
        return _built(schema, ("Yes", "No"), root, "WillWait")

    return {
        "true": patrons(waits),
        "french yes": patrons(learned("Yes")),
        "french no": patrons(learned("No")),
    }


@pytest.fixture(scope="session")
def tennis_trees() -> dict[str, Tree]:
    """Return figure 3.1, the tree of the book's story of day 15 (N), and the one ID3 really learns (R)."""
    schema = induce.dataset("play-tennis").input_schema
    humidity = ("Humidity", {"High": "No", "Normal": "Yes"})
    normal = ("Temperature", {"Hot": "No", "Mild": "Yes", "Cool": "Yes"})
    sunny = {
        "figure": humidity,
        "N": ("Humidity", {"High": "No", "Normal": normal}),
        "R": ("Temperature", {"Hot": "No", "Mild": humidity, "Cool": "Yes"}),
    }
    wind = ("Wind", {"Weak": "Yes", "Strong": "No"})
    return {
        name: _built(schema, ("Yes", "No"), ("Outlook", {"Sunny": test, "Overcast": "Yes", "Rain": wind}))
        for name, test in sunny.items()
    }


def _whole_space(*trees: Tree) -> pl.DataFrame:
    """A row for every combination of declared values and of numbers that the thresholds tell apart."""
    schema = trees[0].schema.inputs()
    columns = []
    for column in schema:
        if column.kind == "nominal":
            columns.append(list(column.domain))
            continue
        tested = {
            end
            for tree in trees
            for node in np.flatnonzero(tree.attribute >= 0)
            if tree.tested(node).name == column.name
            for end in tree.ends(node).tolist()
        }
        columns.append([*sorted(tested), max(tested, default=0.0) + 1])
    dtypes = {
        column.name: pl.Enum(column.domain) if column.kind == "nominal" else pl.Float64 for column in schema
    }
    return pl.DataFrame(list(product(*columns)), schema=dtypes, orient="row")


@pytest.fixture(scope="session")
def whole_space() -> Callable[..., pl.DataFrame]:
    """Return the function that lists all instances that some trees can tell apart."""
    return _whole_space
