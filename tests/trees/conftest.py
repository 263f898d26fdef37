"""Random tables and ways to look into trees that the tests of this folder share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import strategies as st

import induce
from induce.trees.hypothesis import Tree


@st.composite
def _tables(
    draw: Any, *, missing: bool = False, functional: bool = False, most_rows: int = 14, least_rows: int = 1
) -> tuple[pl.DataFrame, pl.Series]:
    """A small mixed table and its classes; `functional` means that equal rows have the same class."""
    n = draw(st.integers(least_rows, most_rows))
    n_nominal, n_numeric = draw(st.sampled_from([(1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2)]))
    columns: dict[str, pl.Series] = {}

    def cells(values: st.SearchStrategy[Any]) -> list[Any]:
        values = values | st.none() if missing else values
        return draw(st.lists(values, min_size=n, max_size=n))

    for j in range(n_nominal):
        domain = ["a", "b", "c", "d"][: draw(st.integers(2, 4))]
        columns[f"nominal{j}"] = pl.Series(cells(st.sampled_from(domain)), dtype=pl.Enum(domain))
    for j in range(n_numeric):
        numbers = st.integers(-3, 3).map(float) | st.sampled_from([0.1, 0.25, 1e-3, 1e6])
        columns[f"numeric{j}"] = pl.Series(cells(numbers), dtype=pl.Float64)
    X = pl.DataFrame(columns)
    classes = ["no", "yes", "maybe"][: draw(st.integers(2, 3))]
    if functional:
        known: dict[Any, str] = {}
        labels = [known.setdefault(row, draw(st.sampled_from(classes))) for row in X.rows()]
    else:
        labels = draw(st.lists(st.sampled_from(classes), min_size=n, max_size=n))
    return X, pl.Series("target", labels, dtype=pl.Enum(classes))


@pytest.fixture(scope="session")
def tables() -> Callable[..., st.SearchStrategy[tuple[pl.DataFrame, pl.Series]]]:
    """Return the strategy of small mixed tables."""
    return _tables


def _structure(tree: Tree, node: int = 0, leaves: bool = True) -> Any:
    """A tree as nested tuples of what its nodes test, without counts.

    Fractions of rows can make a tie in a leaf depend on rounding: then look at it without `leaves`.
    """
    if tree.attribute[node] < 0:
        return tree.prediction(node) if leaves else None
    column = tree.tested(node)
    test = float(tree.threshold[node]) if column.kind == "numeric" else None
    if tree.map_start[node] >= 0:
        start = tree.map_start[node]
        test = tuple(tree.branch_map[start : start + len(column.domain)].tolist())
    return column.name, test, tuple(_structure(tree, child, leaves) for child in tree.children(node))


@pytest.fixture(scope="session")
def structure() -> Callable[..., Any]:
    """Return the function that shows what the nodes of a tree test."""
    return _structure


def _splits(X: Any, y: Any, **parameters: Any) -> list[Any]:
    with induce.trace("split") as events:
        induce.DecisionTreeClassifier(**parameters).fit(X, y)
    return list(events)


@pytest.fixture(scope="session")
def splits() -> Callable[..., list[Any]]:
    """Return the function that gives the split events of a `DecisionTreeClassifier`."""
    return _splits


@pytest.fixture(scope="session")
def gains() -> Callable[..., dict[str, float]]:
    """Return the function that gives the gain of every candidate at the root."""

    def of_root(X: Any, y: Any, **parameters: Any) -> dict[str, float]:
        root = _splits(X, y, max_depth=1, **parameters)[0]
        return {name: candidate["gain"] for name, candidate in root["candidates"].items()}

    return of_root


@pytest.fixture(scope="session")
def ratios() -> Callable[..., dict[str, float]]:
    """Return the function that gives the gain ratio of every candidate at the root."""

    def of_root(X: Any, y: Any) -> dict[str, float]:
        root = _splits(X, y, max_depth=1, criterion="gain_ratio")[0]
        return {name: candidate["merit"] for name, candidate in root["candidates"].items()}

    return of_root


@pytest.fixture(scope="session")
def learned() -> Callable[..., Tree]:
    """Return the function that gives the tree a learner grows, `ID3` unless told."""

    def hypothesis(X: Any, y: Any, learner: Any = None, sample_weight: Any = None) -> Tree:
        learner = induce.ID3() if learner is None else learner
        tree: Tree = learner.fit(X, y, sample_weight=sample_weight).hypothesis_
        return tree

    return hypothesis


@pytest.fixture
def rng() -> np.random.Generator:
    """Return a seeded generator."""
    return np.random.default_rng(7)
