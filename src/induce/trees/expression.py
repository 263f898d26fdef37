"""The tests of a tree as parts of expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.data.schema import Column
from induce.hypotheses.expressions.nodes import Cell, Split, Test

if TYPE_CHECKING:
    from induce.trees.structure import Structure


def splits_of(tree: Structure) -> tuple[Split | None, ...]:
    """Return the test of each node, None at leaves."""
    return tuple(None if tree.attribute[node] < 0 else _split(tree, node) for node in range(tree.n_nodes))


def _split(tree: Structure, node: int) -> Split:
    column, children = tree.tested(node), tree.children(node)
    if column.kind == "nominal":
        start = int(tree.map_start[node])
        codes = range(len(column.domain))
        branches = codes if start < 0 else tree.branch_map[start : start + len(codes)].tolist()
        test = Test(Cell(column), (), tuple(branches))
    else:
        test = Test(Cell(column), tuple(tree.ends(node).tolist()), tuple(range(len(children))))
    shares = tuple(tree.share[list(children)].tolist())
    return Split(test, tuple(children), shares, _surrogates(tree, node))


def _surrogates(tree: Structure, node: int) -> tuple[Test, ...]:
    found = tree.surrogates
    if found is None:
        return ()
    columns = [tree.testable.columns[int(k)] for k in found.attribute]
    return tuple(_surrogate(tree, columns[k], k) for k in range(*found.start[node : node + 2].tolist()))


def _surrogate(tree: Structure, column: Column, k: int) -> Test:
    assert tree.surrogates is not None
    if column.kind == "nominal":
        start = int(tree.surrogates.map_start[k])
        codes = tree.branch_map[start : start + len(column.domain)].tolist()
        return Test(Cell(column), (), tuple(code if code >= 0 else None for code in codes))
    branches = (1, 0) if tree.surrogates.swapped[k] else (0, 1)
    return Test(Cell(column), (float(tree.surrogates.threshold[k]),), branches)
