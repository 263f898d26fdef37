"""Decision tree of a policy, split until some action is good in all states of a leaf."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from induce.core.ties import first_smallest
from induce.core.values import Value
from induce.reinforcement.extraction.features import Situations
from induce.trees.hypothesis import Tree

Mask = NDArray[np.bool_]


def grown_tree(seen: Situations, actions: Sequence[Value], max_depth: int | None) -> Tree:
    """Return a tree that chooses a good action as far as its tests and depth allow."""
    shares = seen.good / seen.good.sum(axis=1, keepdims=True)
    nodes: list[tuple[NDArray[np.int64], int]] = [(np.arange(len(seen)), 0)]
    attribute: list[int] = []
    threshold: list[float] = []
    first: list[int] = []
    n_branches: list[int] = []
    map_start: list[int] = []
    branch_map: list[int] = []
    counts: list[NDArray[np.float64]] = []
    done = 0
    while done < len(nodes):
        rows, depth = nodes[done]
        done += 1
        good = seen.good[rows].all(axis=0)
        split = None
        if not good.any() and (max_depth is None or depth < max_depth):
            split = _best_split(seen, rows, shares[rows])
        counts.append(counts_of(seen.good[rows]))
        if split is None:
            for column, value in ((attribute, -1), (first, -1), (n_branches, 0), (map_start, -1)):
                column.append(value)
            threshold.append(np.nan)
            continue
        feature, cut, left = split
        attribute.append(feature)
        first.append(len(nodes))
        n_branches.append(2)
        domain = seen.schema.columns[feature].domain
        if domain:
            threshold.append(np.nan)
            map_start.append(len(branch_map))
            branch_map += [int(code != cut) for code in range(len(domain))]
        else:
            threshold.append(cut)
            map_start.append(-1)
        nodes += [(rows[left], depth + 1), (rows[~left], depth + 1)]
    return Tree(
        schema=seen.schema,
        target="action",
        attribute=np.array(attribute, np.int32),
        threshold=np.array(threshold, np.float64),
        first=np.array(first, np.int32),
        n_branches=np.array(n_branches, np.int32),
        map_start=np.array(map_start, np.int32),
        branch_map=np.array(branch_map, np.int32),
        classes=tuple(actions),
        counts=np.array(counts, np.float64),
    )


def counts_of(good: Mask) -> NDArray[np.float64]:
    """Count states per action: the action good in most states, and for the rest their first good action."""
    action = int(good.sum(axis=0).argmax())
    mine = good[:, action]
    counts = np.bincount(good[~mine].argmax(axis=1), minlength=good.shape[1]).astype(np.float64)
    counts[action] = mine.sum()
    return counts


def _best_split(
    seen: Situations, rows: NDArray[np.int64], shares: NDArray[np.float64]
) -> tuple[int, float, Mask] | None:
    """Return the feature, the threshold or value, and the rows of the first branch of the purest split.

    A state with several good actions is divided equally among them; a branch with an action that is good in all
    its states is pure.
    """
    best, found = np.inf, None
    for feature, (column, values) in enumerate(zip(seen.schema, seen.columns, strict=True)):
        mine = values[rows]
        cuts = np.unique(mine)
        if len(cuts) < 2:
            continue
        if column.kind == "numeric":
            lefts = mine[None, :] <= cuts[:-1, None]
            cuts = cuts[:-1]
        else:
            lefts = mine[None, :] == cuts[:, None]
            lefts = lefts[:1] if len(cuts) == 2 else lefts
        impurity = _impurity(lefts, seen.good[rows], shares) + _impurity(~lefts, seen.good[rows], shares)
        place = first_smallest(impurity)
        if impurity[place] < best - 1e-9:
            best, found = float(impurity[place]), (feature, float(cuts[place]), lefts[place])
    return found


def _impurity(parts: Mask, good: Mask, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entropy of each set of states times its size; 0 if some action is good in all of them."""
    sizes = parts.sum(axis=1).astype(np.float64)
    weights = parts @ shares
    pure = (parts.astype(np.float64) @ good).max(axis=1) == sizes
    logs = np.log2(np.where(weights > 0, weights, 1.0))
    entropy = sizes * np.log2(np.maximum(sizes, 1.0)) - (weights * logs).sum(axis=1)
    return np.where(pure, 0.0, entropy)
