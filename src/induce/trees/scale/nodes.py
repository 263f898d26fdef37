"""The nodes of a level-wise tree, and their numbers in the order of growth in memory."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.arrays import longer
from induce.trees._bin_loops import LEAF, MAPPED, N_NODES, child_key
from induce.trees.scale._loops import Routes

Floats = NDArray[np.float64]


class Nodes:
    """Nodes in the order of their creation; the children of a node are consecutive.

    `key` is the random seed for drawing the columns of a node in a forest.
    """

    def __init__(self, counts: Floats, n_codes: NDArray[np.int64], key: int = 1) -> None:
        self.n, self.n_codes = 1, n_codes
        self.counts = counts[np.newaxis].astype(np.float64)
        self.attribute = np.full(1, LEAF, np.int32)
        self.low_code, self.high_code = np.zeros(1, np.int32), np.zeros(1, np.int32)
        self.first, self.n_branches = np.zeros(1, np.int32), np.zeros(1, np.int32)
        self.map_start, self.depth = np.full(1, -1, np.int32), np.zeros(1, np.int32)
        self.share, self.key = np.ones(1), np.full(1, key, np.int64)
        self.branch_map = np.empty(0, np.int32)

    def routes(self, counted: list[int]) -> Routes:
        """Return the current tree for routing rows, with a slot for each node that is counted."""
        slot = np.full(self.n, -1, np.int32)
        slot[counted] = np.arange(len(counted))
        return Routes(
            self.attribute[: self.n],
            self.low_code[: self.n],
            self.first[: self.n],
            self.n_branches[: self.n],
            self.map_start[: self.n],
            self.branch_map,
            self.share[: self.n],
            slot,
        )

    def split(
        self,
        node: int,
        f: int,
        low: int,
        high: int,
        counts: Floats,
        share: Floats,
        branch_map: NDArray[np.int32] | None,
    ) -> int:
        """Store the test of a node and the counts of its children; return the first child."""
        first = self._room(len(counts))
        self.attribute[node], self.low_code[node], self.high_code[node] = f, low, high
        self.first[node], self.n_branches[node] = first, len(counts)
        if branch_map is not None:
            self.map_start[node] = len(self.branch_map)
            self.branch_map = np.append(self.branch_map, branch_map)
        new = slice(first, self.n)
        self.counts[new], self.share[new], self.depth[new] = counts, share, self.depth[node] + 1
        with np.errstate(over="ignore"):  # the seeds are the bits of a hash
            self.key[new] = [child_key(int(self.key[node]), b) for b in range(len(counts))]
        return first

    def graft(self, node: int, grown: Any, state: NDArray[np.int64]) -> None:
        """Replace a node by a tree that was grown in memory."""
        n, mapped = int(state[N_NODES]), int(state[MAPPED])
        inner = grown.attribute[:n] >= 0
        if n == 1:
            return
        place = self._room(n - 1) - 1  # its nodes, except the root, are appended
        for name in ("attribute", "low_code", "high_code", "n_branches"):
            mine, theirs = getattr(self, name), getattr(grown, name)[:n]
            mine[place + 1 : self.n] = theirs[1:]
            mine[node] = theirs[0]
        first = np.where(inner, grown.first[:n] + place, 0)
        maps = np.where(inner & (grown.map_start[:n] >= 0), grown.map_start[:n] + len(self.branch_map), -1)
        for mine, theirs in ((self.first, first), (self.map_start, maps)):
            mine[place + 1 : self.n] = theirs[1:]
            mine[node] = theirs[0]
        self.counts[place + 1 : self.n] = grown.counts[1:n]
        self.depth[place + 1 : self.n] = grown.depth[1:n]
        self.branch_map = np.append(self.branch_map, grown.branch_map[:mapped])

    def _room(self, more: int) -> int:
        first, self.n = self.n, self.n + more
        if self.n > len(self.attribute):
            for name in (
                "counts",
                "attribute",
                "low_code",
                "high_code",
                "first",
                "n_branches",
                "map_start",
                "depth",
                "share",
                "key",
            ):
                setattr(self, name, longer(getattr(self, name), 2 * self.n))
        self.attribute[first : self.n], self.map_start[first : self.n] = LEAF, -1
        self.n_branches[first : self.n] = 0
        return first

    def arrays(self) -> tuple[dict[str, Any], Any]:
        """Return the fields of a tree with its nodes numbered as in memory, when their parent is split.

        The codes next to each cut are also returned.
        """
        order, starts = [0], {0: 0}  # the old number of each new node; where the children of old nodes start
        maps: list[NDArray[np.int32]] = []
        map_start = np.full(self.n, -1, np.int32)
        mapped, stack = 0, [0]
        while stack:
            node = stack.pop()
            if self.attribute[node] < 0:
                continue
            n = int(self.n_branches[node])
            children = range(int(self.first[node]), int(self.first[node]) + n)
            starts[node] = len(order)
            order += children
            if self.map_start[node] >= 0:
                at, size = int(self.map_start[node]), int(self.n_codes[self.attribute[node]])
                maps.append(self.branch_map[at : at + size])
                map_start[node], mapped = mapped, mapped + size
            stack += reversed(children)
        old = np.array(order)
        inner = self.attribute[old] >= 0
        first = np.array([starts[node] if self.attribute[node] >= 0 else -1 for node in order], np.int32)
        arrays = {
            "attribute": self.attribute[old],
            "first": first,
            "n_branches": np.where(inner, self.n_branches[old], 0).astype(np.int32),
            "map_start": np.where(inner, map_start[old], -1).astype(np.int32),
            "counts": self.counts[old],
            "branch_map": np.concatenate([np.empty(0, np.int32), *maps]),
        }
        return arrays, SimpleNamespace(low_code=self.low_code[old], high_code=self.high_code[old])
