"""Tests that stand in for a test whose value is missing (Breiman and others 1984, section 5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.data.schema import Schema

if TYPE_CHECKING:
    from induce.trees.structure import Structure

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Surrogates:
    """For each node a list of tests that send most examples where its own test sends them, the best first.

    Parameters
    ----------
    start : array of int32, one longer than there are nodes
        The stand-ins of node i are those from ``start[i]`` to ``start[i + 1]``.
    attribute : array of int32
        Which input a stand-in tests.
    threshold : array of float64
        For a numeric one.
    swapped : array of bool
        Whether values up to the threshold take the second branch.
    map_start : array of int32
        For a nominal one: where its map from codes to branches begins in the tree's `branch_map`; a code that
        says nothing has -1 there.
    association : array of float64
        By how much the stand-in errs less than sending everything down the larger branch, between 0 and 1.
    """

    start: Ints
    attribute: Ints
    threshold: Floats
    swapped: NDArray[np.bool_]
    map_start: Ints
    association: Floats

    @staticmethod
    def none(n_nodes: int) -> Surrogates:
        """Return no stand-ins at all."""
        return Surrogates(
            np.zeros(n_nodes + 1, np.int32),
            np.empty(0, np.int32),
            np.empty(0),
            np.empty(0, np.bool_),
            np.empty(0, np.int32),
            np.empty(0),
        )

    def of(self, tested: NDArray[np.int64], kept: NDArray[np.bool_]) -> Surrogates:
        """Return the stand-ins of a smaller tree: of the `kept` nodes, those that are still `tested`."""
        lengths = np.zeros(len(kept), np.int32)
        lengths[tested] = np.diff(self.start)[tested]
        chosen = np.repeat(np.isin(np.arange(len(kept)), tested), np.diff(self.start))
        start = np.concatenate([[0], np.cumsum(lengths[kept])]).astype(np.int32)
        return Surrogates(
            start,
            self.attribute[chosen],
            self.threshold[chosen],
            self.swapped[chosen],
            self.map_start[chosen],
            self.association[chosen],
        )

    def fit(self, tree: Structure, inputs: Schema) -> bool:
        """Say whether the arrays fit together and to the tree."""
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
