"""Several trees over the same columns combined into one: rows go down all of them in one loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.data.table import Table
from induce.trees._forest_loops import Nodes
from induce.trees.structure import PATH_STEPS, Structure

Floats = NDArray[np.float64]

LEAVES_AT_ONCE = 2_000_000
"""Number of leaves reached in one compiled call, which cannot be interrupted."""


@dataclass(frozen=True, eq=False)
class Forest:
    """The nodes of several trees, and the outputs of each node for a row that ends there.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> tree = induce.C45().fit(X, y).hypothesis_
    >>> forest = Forest.of([tree, tree], [tree.distribution, tree.distribution])
    >>> (forest.total(tree.encoded(X)) == 2 * tree.predict_proba(X)).all()
    np.True_
    """

    nodes: Nodes

    @classmethod
    def of(cls, trees: Sequence[Structure], says: Sequence[Floats]) -> Forest | None:
        """Return a forest of trees with the outputs of their nodes; None if a test has several intervals."""
        if any(len(tree.cuts) for tree in trees):
            return None
        sizes = np.array([tree.n_nodes for tree in trees])
        root = np.cumsum(sizes) - sizes
        inner = [tree.attribute >= 0 for tree in trees]
        is_leaf = ~np.concatenate(inner)
        paths = [tree.paths_arrays for tree in trees]
        position = np.concatenate([path.position for path in paths]).astype(np.int32)
        first = np.concatenate([path.first + at for path, at in zip(paths, root, strict=True)]).astype(
            np.int64
        )
        first[is_leaf] = np.flatnonzero(is_leaf)
        mapped = np.cumsum([0, *(len(path.branch_map) for path in paths)])[:-1]
        map_start = np.concatenate(
            [
                np.where(path.map_start >= 0, path.map_start + at, -1)
                for path, at in zip(paths, mapped, strict=True)
            ]
        )
        threshold = np.concatenate([path.threshold for path in paths])
        # a leaf compares any column with infinity, and so stays where it is
        threshold[is_leaf] = np.inf
        position[is_leaf] = 0
        return cls(
            Nodes(
                root=root.astype(np.int64),
                by_threshold=np.array([bool((path.position >= 0).all()) for path in paths], np.bool_),
                position=position,
                threshold=threshold,
                first=first,
                map_start=map_start.astype(np.int64),
                branch_map=np.concatenate([path.branch_map for path in paths]).astype(np.int32),
                says=np.ascontiguousarray(np.concatenate(list(says)), np.float64),
            )
        )

    def total(self, table: Table) -> Floats:
        """Return the sum of the outputs of each row's leaves; no value may be missing or unseen."""
        from induce.trees import _forest_loops

        out = np.zeros((len(table), self.nodes.says.shape[1]))
        numeric = _with_a_column(table.numeric)
        step = max(_forest_loops.BLOCK, LEAVES_AT_ONCE // len(self.nodes.root))
        for start in range(0, len(out), step):
            part = slice(start, start + step)
            add = repeated(_forest_loops.add_leaves, PATH_STEPS * len(out[part]) * len(self.nodes.root))
            add(self.nodes, numeric[part], table.nominal[part], out[part])
        return out


def complete(table: Table) -> NDArray[np.bool_]:
    """Return whether each row has only known values that were seen in training."""
    known = np.ones(len(table), np.bool_)
    if table.nominal.shape[1]:
        known &= (table.nominal >= 0).all(axis=1)
    if table.numeric.shape[1]:
        known &= ~np.isnan(table.numeric.sum(axis=1)) | ~np.isnan(table.numeric).any(axis=1)
    return known


def _with_a_column(numeric: Floats) -> Any:
    """Return numeric values with at least one column, because leaves read one."""
    return numeric if numeric.shape[1] else np.zeros((len(numeric), 1))
