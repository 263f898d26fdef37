"""Overfitting without a signal: predicting a fair die (AIMA 18.3.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from induce.core.checks import at_least
from induce.core.randomness import RandomState, generator
from induce.trees.hypothesis import Tree
from induce.trees.understanding.comparison import agreement

BEST = 1 / 6


@dataclass(frozen=True)
class DieRolls:
    """Trees learned from rolls of a die: averages over the runs.

    Parameters
    ----------
    nodes, error : float
        Size of the full tree and its true error.
    pruned_nodes, pruned_error : float
        Size and true error after chi-square pruning.
    single_leaf : float
        Fraction of the runs in which pruning leaves only a leaf, which is the correct result.
    """

    nodes: float
    error: float
    pruned_nodes: float
    pruned_error: float
    single_leaf: float

    def __str__(self) -> str:
        return (
            f"full tree: {self.nodes:.1f} nodes, error {self.error:.3f}\n"
            f"pruned: {self.pruned_nodes:.1f} nodes, error {self.pruned_error:.3f}, "
            f"a single leaf in {self.single_leaf:.0%} of the runs\n"
            f"always saying other: 1 node, error {BEST:.3f}"
        )


def overfit_dice(
    n: int = 200, alpha: float = 0.05, runs: int = 20, random_state: RandomState = 0
) -> DieRolls:
    """Learn to predict sixes from irrelevant attributes, with and without chi-square pruning.

    The error is exact: because the attributes are irrelevant, a tree that predicts "six" in a fraction s of
    all cases errs with probability 5/6 s + 1/6 (1 - s).

    Parameters
    ----------
    n : int
        Number of training rolls.
    alpha : float
        Significance level of the chi-square test. Each test is evaluated separately, so at 0.05 about one
        useless test in twenty passes.
    runs : int
        Number of runs; 20 by default.
    random_state : int, Generator or None
        Random seed; None draws a new one.

    Examples
    --------
    >>> print(overfit_dice(alpha=0.01))
    full tree: 68.2 nodes, error 0.194
    pruned: 1.9 nodes, error 0.167, a single leaf in 90% of the runs
    always saying other: 1 node, error 0.167
    """
    from induce.data.generate import die_rolls
    from induce.trees.learners.id3 import ID3
    from induce.trees.pruning import chi_square

    at_least("runs", runs, 1, whole=True)
    random = generator(random_state)
    found = []
    for _ in range(runs):
        tree = ID3().fit(*die_rolls(n, random)).hypothesis_
        pruned = chi_square(tree, alpha)
        found.append((tree.n_nodes, _error(tree), pruned.n_nodes, _error(pruned), pruned.n_nodes == 1))
    return DieRolls(*np.array(found, dtype=np.float64).mean(axis=0).tolist())


def _error(tree: Tree) -> float:
    says = agreement(tree, tree)
    six = says.counts.get(("six", "six"), 0) / says.total
    return six * (1 - BEST) + (1 - six) * BEST
