"""Surrogate splits, used if the value of a test is missing (Breiman and others 1984, section 5.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.data.schema import Schema

if TYPE_CHECKING:
    from induce.trees.structure import Structure

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

MOST = 5
"""Maximum number of surrogates per test."""
LEAST = 10
"""Minimum number of examples for learning surrogates, unless some of them need one."""


@dataclass(frozen=True, eq=False)
class Surrogates:
    """For each node, a list of tests that mostly agree with its own test, best first.

    Parameters
    ----------
    start : array of int32, one longer than there are nodes
        The surrogates of node i are those from ``start[i]`` to ``start[i + 1]``.
    attribute : array of int32
        The input that each surrogate tests.
    threshold : array of float64
        Threshold of each numeric surrogate.
    swapped : array of bool
        Whether values up to the threshold take the second branch.
    map_start : array of int32
        Start of a nominal surrogate's map from codes to branches in the tree's `branch_map`; a code without a
        branch has -1 there.
    association : array of float64
        Relative reduction of errors by the surrogate compared with the rule "take the larger branch", between
        0 and 1.
    """

    start: Ints
    attribute: Ints
    threshold: Floats
    swapped: NDArray[np.bool_]
    map_start: Ints
    association: Floats

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Surrogates):
            return NotImplemented
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return all(np.array_equal(mine, its, equal_nan=mine.dtype.kind == "f") for mine, its in pairs)

    __hash__ = object.__hash__

    @staticmethod
    def none(n_nodes: int) -> Surrogates:
        """Return empty lists of surrogates."""
        return Surrogates(
            np.zeros(n_nodes + 1, np.int32),
            np.empty(0, np.int32),
            np.empty(0),
            np.empty(0, np.bool_),
            np.empty(0, np.int32),
            np.empty(0),
        )

    def of(self, begin: NDArray[Any], end: NDArray[Any]) -> Surrogates:
        """Return the surrogates of other nodes: the i-th gets those from ``begin[i]`` to ``end[i]``."""
        lengths = end - begin
        start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        chosen = np.arange(start[-1]) + np.repeat(begin - start[:-1], lengths)
        return Surrogates(
            start,
            self.attribute[chosen],
            self.threshold[chosen],
            self.swapped[chosen],
            self.map_start[chosen],
            self.association[chosen],
        )

    def fit(self, tree: Structure, inputs: Schema) -> bool:
        """Return whether the arrays are consistent with each other and with the tree."""
        n = len(self.attribute)
        whole = (self.start, self.attribute, self.map_start)
        arrays = (self.threshold, self.swapped, self.map_start, self.association)
        return (
            all(isinstance(a, np.ndarray) and a.dtype == np.int32 and a.ndim == 1 for a in whole)
            and all(isinstance(a, np.ndarray) and a.shape == (n,) for a in arrays)
            and self.threshold.dtype == self.association.dtype == np.float64
            and self.swapped.dtype == np.bool_
            and len(self.start) == tree.n_nodes + 1
            and self.start[0] == 0
            and self.start[-1] == n
            and bool((np.diff(self.start) >= 0).all())
            and bool((self.attribute >= 0).all() and (self.attribute < len(inputs)).all())
            and all(self._test_fits(k, tree, inputs) for k in range(n))
        )

    def _test_fits(self, k: int, tree: Structure, inputs: Schema) -> bool:
        from induce.trees.structure import map_fits

        column = inputs.columns[int(self.attribute[k])]
        if column.kind != "nominal":
            return bool(np.isfinite(self.threshold[k]))
        start = int(self.map_start[k])
        return start >= 0 and map_fits(tree.branch_map, start, len(column.domain), -1, 2)


class SurrogateFinder:
    """Collector of the surrogates of a growing tree."""

    def __init__(self, n_rows: int, widest: int) -> None:
        from induce.trees import _loops

        self.weight = np.ones(n_rows)
        self.group = np.empty((widest, 2))
        self.size = np.empty(2)
        self.found = _loops.SurrogateArrays(
            attribute=np.empty(MOST, np.int32),
            low_row=np.empty(MOST, np.int32),
            high_row=np.empty(MOST, np.int32),
            swapped=np.empty(MOST, np.bool_),
            branch=np.full((MOST, widest), -1, np.int32),
            association=np.empty(MOST),
        )
        self.of_nodes: dict[int, Any] = {}

    def find(
        self, columns: Any, chosen: int, node: int, lo: int, hi: int, branch: Any, weight: Floats | None
    ) -> None:
        """Find the surrogates of a node's test, and send its examples without a value along them."""
        from induce.trees import _loops

        if hi - lo < LEAST and columns.ranks[chosen, lo] >= 0:
            return
        weight = self.weight if weight is None else weight
        n = repeated(_loops.find_surrogates, (hi - lo) * len(columns.rows))(
            columns, chosen, lo, hi, branch, weight, self.found, self.group, self.size
        )
        if n:
            self.of_nodes[node] = tuple(array[:n].copy() for array in self.found)

    def surrogates(
        self, n_nodes: int, branch_map: Ints, thresholds: Callable[[Ints, Ints, Ints], Floats]
    ) -> tuple[Surrogates, Ints]:
        """Return the surrogates, and the tree's branch map extended by those of nominal surrogates."""
        nodes = sorted(self.of_nodes)
        if not nodes:
            return Surrogates.none(n_nodes), branch_map
        lengths = np.zeros(n_nodes, np.int32)
        lengths[nodes] = [len(self.of_nodes[node][0]) for node in nodes]
        together = [
            np.concatenate(parts) for parts in zip(*(self.of_nodes[node] for node in nodes), strict=True)
        ]
        attribute, low_row, high_row, swapped, maps, association = together
        threshold = thresholds(attribute, low_row, high_row)
        nominal = np.isnan(threshold)
        place = np.cumsum(nominal) - 1
        found = Surrogates(
            start=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
            attribute=attribute,
            threshold=threshold,
            swapped=swapped,
            map_start=np.where(nominal, len(branch_map) + place * maps.shape[1], -1).astype(np.int32),
            association=association,
        )
        return found, np.concatenate([branch_map, maps[nominal].ravel()])
