"""The tests of a tree as parts of expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.hypotheses.expressions.nodes import Split, Test

if TYPE_CHECKING:
    from induce.trees.structure import Structure


def splits_of(tree: Structure) -> tuple[Split | None, ...]:
    """Return the test of each node, None at leaves."""
    return tuple(None if tree.attribute[node] < 0 else _split(tree, node) for node in range(tree.n_nodes))


def _split(tree: Structure, node: int) -> Split:
    column, children = tree.tested(node), tree.children(node)
    cell = tree.cell(int(tree.attribute[node]))
    if column.kind == "nominal":
        start = int(tree.map_start[node])
        codes = range(len(column.domain))
        branches = codes if start < 0 else tree.branch_map[start : start + len(codes)].tolist()
        test = Test(cell, (), tuple(branches))
    else:
        test = Test(cell, tuple(tree.ends(node).tolist()), tuple(range(len(children))))
    shares = tuple(tree.share[list(children)].tolist())
    return Split(test, tuple(children), shares, _surrogates(tree, node))


def _surrogates(tree: Structure, node: int) -> tuple[Test, ...]:
    if tree.surrogates is None:
        return ()
    return tuple(_surrogate(tree, k) for k in range(*tree.surrogates.start[node : node + 2].tolist()))


def _surrogate(tree: Structure, k: int) -> Test:
    assert tree.surrogates is not None
    cell = tree.cell(int(tree.surrogates.attribute[k]))
    if cell.column.kind == "nominal":
        start = int(tree.surrogates.map_start[k])
        codes = tree.branch_map[start : start + len(cell.column.domain)].tolist()
        return Test(cell, (), tuple(code if code >= 0 else None for code in codes))
    branches = (1, 0) if tree.surrogates.swapped[k] else (0, 1)
    return Test(cell, (float(tree.surrogates.threshold[k]),), branches)
