"""Mitchell, figures 3.6 and 3.7: accuracy against the size of the tree, on generated data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import induce
from induce.textbook.result import Outcome, Result

SEEDS = 20
TRAINING, VALIDATION, TEST = 200, 100, 1000
SIZES = (1, 7, 11, 21, 31, 61, 101)
STAND_IN = (
    "generated data: 10 Boolean attributes, (A0 and A1) or (A2 and A3), 20% label noise, 200 "
    "training, 100 validation and 1000 test examples, mean of 20 runs"
)


@dataclass(frozen=True)
class _Run:
    """Accuracies of one run: by tree size (the full tree last) and after pruning."""

    training: tuple[float, ...]
    test: tuple[float, ...]
    nodes: int
    pruned_nodes: int
    pruned_test: float


@cache
def _runs() -> tuple[_Run, ...]:
    return tuple(_run(seed) for seed in range(SEEDS))


def _run(seed: int) -> _Run:
    import numpy as np
    import polars as pl

    from induce.data.training import Examples
    from induce.trees.pruning import reduced_error
    from induce.trees.size import breadth_first

    random = np.random.default_rng(seed)
    values = random.random((TRAINING + VALIDATION + TEST, 10)) < 0.5
    truth = (values[:, 0] & values[:, 1]) | (values[:, 2] & values[:, 3])
    labels = truth ^ (random.random(len(truth)) < 0.2)
    X = pl.DataFrame({f"A{k}": values[:, k] for k in range(10)})
    tree = induce.ID3().fit(X[:TRAINING], labels[:TRAINING]).hypothesis_
    table = tree.encoded(X)
    held = np.arange(TRAINING, TRAINING + VALIDATION)
    validation = Examples(table.rows(held), labels[held].astype(np.int64), None, 2)
    pruned = reduced_error(tree, validation)

    def accuracy(smaller: Any) -> tuple[float, float]:
        right = smaller.predict(table) == labels
        return float(right[:TRAINING].mean()), float(right[-TEST:].mean())

    by_size = [accuracy(breadth_first(tree, size)) for size in (*SIZES, tree.n_nodes)]
    training, test = zip(*by_size, strict=True)
    return _Run(training, test, tree.n_nodes, pruned.n_nodes, accuracy(pruned)[1])


def _mean(values: Any) -> float:
    return float(sum(values)) / SEEDS


def curves() -> tuple[list[float], list[float], list[float]]:
    """Return tree sizes, the full tree last, and mean accuracies on training and test examples."""
    runs = _runs()
    n = len(SIZES) + 1
    training = [_mean(run.training[k] for run in runs) for k in range(n)]
    test = [_mean(run.test[k] for run in runs) for k in range(n)]
    return [*SIZES, _mean(run.nodes for run in runs)], training, test


def _overfitting() -> Outcome:
    sizes, training, test = curves()
    names = [*map(str, SIZES), f"{sizes[-1]:.0f} (full)"]
    lines = [
        f"{name} nodes: training {seen:.3f}, test {new:.3f}"
        for name, seen, new in zip(names, training, test, strict=True)
    ]
    rises = all(a <= b for a, b in pairwise(training))
    return Outcome("\n".join(lines), rises and test[0] < max(test) and test[-1] <= max(test) - 0.06, STAND_IN)


def _pruning() -> Outcome:
    runs = _runs()
    full, pruned = _mean(run.test[-1] for run in runs), _mean(run.pruned_test for run in runs)
    nodes, left = _mean(run.nodes for run in runs), _mean(run.pruned_nodes for run in runs)
    return Outcome(
        f"{nodes:.0f} nodes, test accuracy {full:.3f}; pruned to {left:.0f} nodes, {pruned:.3f}",
        pruned >= full + 0.06 and left <= nodes / 4,
        STAND_IN,
    )


RESULTS = (
    Result(
        "mitchell-3.6-overfitting",
        "Mitchell, figure 3.6",
        "as ID3 adds nodes, accuracy rises on the training examples; on test examples it rises, then falls",
        "test accuracy falls from about 25 nodes on (diabetes patients, data not printed)",
        _overfitting,
    ),
    Result(
        "mitchell-3.7-reduced-error-pruning",
        "Mitchell, figure 3.7",
        "reduced-error pruning with a validation set recovers the lost test accuracy",
        "test accuracy rises as nodes are pruned (diabetes patients, data not printed)",
        _pruning,
    ),
)
