"""The time of the search for the shortest tree on functions of five truth values."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np

import induce
from benchmarks.measure import Row, Section, interleaved, seconds

INPUTS = 5
X = np.array(list(product([0, 1], repeat=INPUTS)))


def hard_functions() -> dict[str, Any]:
    """Truth tables that are known to be hard for trees."""
    chosen = 2 + np.minimum(2 * X[:, 0] + X[:, 1], INPUTS - 3)
    return {
        "parity": X.sum(axis=1) % 2,
        "majority": (X.sum(axis=1) > INPUTS // 2).astype(int),
        "multiplexer, two address and three data inputs": X[np.arange(len(X)), chosen],
    }


def shortest(n_random: int) -> Section:
    """The time of each search, and the size of its tree beside that of ID3."""
    hard = hard_functions()
    learner = induce.BFSID3()
    learner.fit(X, hard["parity"])  # loads what is compiled
    rows, slowest = [], 0.0
    for name, y in hard.items():
        ((best, fitted),) = interleaved(3, {name: partial(learner.fit, X, y)}).values()
        slowest = max(slowest, best)
        rows.append(_row(name, best, [fitted.hypothesis_], [y]))
    truths = np.random.default_rng(0).integers(0, 2, (n_random, len(X)))
    times, found = [], []
    for y in truths:
        ((best, fitted),) = interleaved(1, {"": partial(learner.fit, X, y)}).values()
        times.append(best)
        found.append(fitted.hypothesis_)
    rows.append(_row(f"{n_random} random functions: median time", float(np.median(times)), found, truths))
    rows.append(Row("the slowest of all", seconds(max(slowest, *times))))
    remark = (
        f"`BFSID3` on all {len(X)} rows of {INPUTS} inputs. Sizes are numbers of nodes, or their mean over "
        "several trees; the target is met if no tree of `ID3` is shallower, or equally deep and smaller. Best of 3, "
        "the random functions once."
    )
    return Section("The shortest tree", remark, tuple(rows))


def _row(what: str, time: float, trees: Any, truths: Any) -> Row:
    greedy = [induce.ID3().fit(X, y).hypothesis_ for y in truths]
    beaten = any((g.depth, g.n_nodes) < (t.depth, t.n_nodes) for g, t in zip(greedy, trees, strict=True))
    size, other = (np.mean([tree.n_nodes for tree in each]) for each in (trees, greedy))
    return Row(
        what,
        f"{seconds(time)}, {size:.1f} nodes",
        f"ID3 {other:.1f} nodes",
        target="none shorter",
        holds=not beaten,
    )
