"""Learners of oblique trees: OC1, and linear machine decision trees."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any, Self, cast

import numpy as np

from induce.core.folds import folds
from induce.core.parameters import at_least, one_of
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.data.schema import Schema
from induce.data.training import Examples
from induce.hypotheses.rules import class_array
from induce.trees import pruning as pruners
from induce.trees.growth import GrowthRule
from induce.trees.hypothesis import Tree
from induce.trees.learners import TreeLearner
from induce.trees.oblique.growth import Search, grow_oblique, merged
from induce.trees.oblique.hypothesis import ObliqueTree
from induce.trees.oblique.search import HyperplaneSearch, MachineSearch
from induce.trees.training import held_out

CRITERIA = ("gain", "gini")
PRUNING = ("error-based", None, "reduced-error", "cost-complexity")
HELD_OUT = 1 / 3
"""The share of the examples held out for pruning."""
FOLDS, MANY = 10, 1_000
"""How many folds settle the price of a leaf, and above how many examples held-out ones do."""


class ObliqueLearner(TreeLearner, ABC):
    """What the learners of oblique trees share: growing with a search of their own, and pruning."""

    hypothesis_: ObliqueTree
    max_depth: int | None
    min_samples_split: float
    min_samples_leaf: float
    pruning: str | None

    @abstractmethod
    def _search(self, random: np.random.Generator) -> Search:
        """Return what finds the oblique tests of a node."""

    @abstractmethod
    def _measure(self) -> str:
        """Return how tests are compared."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow and prune a tree.

        Parameters
        ----------
        X : dataframe or array
        y : sequence of classes
        sample_weight : array, optional
            A row of weight 2 counts as two rows.
        """
        rule = self._growth_rule()
        random = generator(self.random_state)
        examples, schema, target, classes = self._examples(X, y, sample_weight)
        examples = merged(examples)
        splits = self._splits(examples)
        n_trees, so_far = 1 + len(splits), count()

        def grown(on: Examples) -> ObliqueTree:
            before = next(so_far)

            def progress(share: float) -> None:
                report((before + share) / n_trees)

            return grow_oblique(on, schema, target, classes, rule, self._search(random), progress)

        self.hypothesis_ = cast(ObliqueTree, self._pruned(grown, examples, splits))
        report(1.0)
        return self

    def _growth_rule(self) -> GrowthRule:
        one_of("pruning", self.pruning, PRUNING)
        at_least("min_samples_split", self.min_samples_split, 0)
        at_least("min_samples_leaf", self.min_samples_leaf, 0)
        if self.max_depth is not None:
            at_least("max_depth", self.max_depth, 0, whole=True)
        return GrowthRule(
            measure=self._measure(),
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
        )

    def _splits(self, examples: Examples) -> list[pruners.Split]:
        """The folds that settle the price of a leaf."""
        n = len(examples)
        if self.pruning != "cost-complexity" or not 1 < n <= MANY:
            return []
        splitter = folds(examples.labels, min(FOLDS, n), self.random_state)
        return list(splitter.split(np.zeros((n, 1)), examples.labels))

    def _pruned(
        self, grown: Callable[[Examples], ObliqueTree], examples: Examples, splits: list[pruners.Split]
    ) -> Tree:
        many = self.pruning == "cost-complexity" and len(examples) > MANY
        if many or self.pruning == "reduced-error":
            train, held = held_out(examples.labels, HELD_OUT, self.random_state)
            prune = _best_of_sequence if many else pruners.reduced_error
            return prune(grown(examples.rows(train)), examples.rows(held))
        tree = grown(examples)
        if self.pruning == "error-based":
            return pruners.error_based(tree, replace(examples, table=tree.encode(examples.table)))
        if self.pruning == "cost-complexity":
            alpha = pruners.cross_validated_alpha(grown, tree, examples, splits)
            return pruners.cost_complexity(tree).tree(tree, alpha)
        return tree


def _best_of_sequence(tree: Tree, validation: Examples) -> Tree:
    """Return the smallest tree of cost-complexity pruning within one standard error of the best."""
    sequence = pruners.cost_complexity(tree)
    trees: list[Tree] = [sequence.tree(tree, alpha) for alpha in sequence.alphas]
    truth, weight = class_array(tree.classes)[validation.labels], validation.weight()
    errors = np.array([np.average(each.predict(validation.table) != truth, weights=weight) for each in trees])
    least = float(errors.min())
    slack = np.sqrt(least * (1.0 - least) / weight.sum())
    return trees[int(np.flatnonzero(errors <= least + slack)[-1])]


class OC1(ObliqueLearner):
    """Murthy, Kasif and Salzberg's OC1: tests on weighted sums of numeric columns (1994; Mitchell §3.7.2).

    At every node the search starts from the best test of a single column and from random hyperplanes. It sets
    one coefficient after the other to the value that makes the sides purest, and at a local optimum tries random
    directions. A sum is tested only where it is better than every single column, and weighs no column that it
    can do without. Nominal columns are tested with a branch for every value. A node with fewer than two examples
    for every numeric column is divided by single columns only. Random hyperplanes see at most 500 examples of
    a node; the best of them is then moved by all.

    A sum with a missing value is missing: the row goes down both branches with a fraction of its weight, in
    training (where less than a tenth of a row takes the larger branch) and in prediction. While hyperplanes are
    searched, the mean at the node stands in for it. A category not seen in training gets the class distribution
    of the node that asks for it.

    Parameters
    ----------
    criterion : {"gain", "gini"}
        How tests are compared.
    restarts : int
        How many random hyperplanes to start from.
    jumps : int
        How many random directions to try at a local optimum.
    max_depth : int, optional
    min_samples_split, min_samples_leaf : float
        A node with less weight than the first is not split; at least two branches of a test must have the
        second.
    pruning : {"cost-complexity", None, "reduced-error", "error-based"}
        Cost-complexity pruning goes by ten-fold cross-validation; of more than 1000 examples it holds out a
        third, as reduced-error pruning always does. Error-based pruning, made for tests of single columns,
        leaves too much of an oblique tree where classes overlap.
    class_weight, schema
        As for `DecisionTreeClassifier`.
    random_state : int, Generator or None
        For restarts, jumps and the examples that pruning holds out.

    Attributes
    ----------
    hypothesis_ : ObliqueTree

    Examples
    --------
    >>> import induce
    >>> from induce.trees.oblique.learners import OC1
    >>> X, y = induce.dataset("iris")
    >>> print(OC1().fit(X[["petal length", "petal width"]], y).hypothesis_)
    petal length <= 2.45: setosa (50/50)
    petal length > 2.45
    |   0.4124 petal length + petal width <= 3.547: versicolor (47/47)
    |   0.4124 petal length + petal width > 3.547: virginica (50/53)
    """

    def __init__(
        self,
        *,
        criterion: str = "gain",
        restarts: int = 20,
        jumps: int = 5,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        pruning: str | None = "cost-complexity",
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.criterion = criterion
        self.restarts = restarts
        self.jumps = jumps
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.pruning = pruning
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _search(self, random: np.random.Generator) -> Search:
        return HyperplaneSearch(int(self.restarts), int(self.jumps), random)

    def _measure(self) -> str:
        return self.criterion

    def _growth_rule(self) -> GrowthRule:
        one_of("criterion", self.criterion, CRITERIA)
        at_least("restarts", self.restarts, 0, whole=True)
        at_least("jumps", self.jumps, 0, whole=True)
        return super()._growth_rule()


class LMDT(ObliqueLearner):
    """Utgoff and Brodley's linear machine decision trees (1991; Mitchell §3.7.2).

    Every node has a linear machine: for each of its classes a weighted sum of the numeric columns and a constant,
    the largest of which says which branch an example takes. The machine is trained by error correction with steps
    that become smaller, then with ever fewer columns; of those within one standard error of the best accuracy the
    one with the fewest columns is kept. Where two classes are left, the machine is a single sum with a threshold
    and is shown as one. Nominal columns are tested with a branch for every value where that gains more
    information. A node that the machine does not divide is a leaf.

    A machine with a missing value is missing: the row goes down all branches with a fraction of its weight, in
    training (where less than a tenth of a row takes the largest branch) and in prediction. While machines are
    trained, the mean at the node stands in for it. A category not seen in training gets the class distribution
    of the node that asks for it.

    Parameters
    ----------
    max_depth : int, optional
    min_samples_split, min_samples_leaf : float
        A node with less weight than the first is not split; at least two branches of a test must have the
        second.
    pruning : {"error-based", None, "reduced-error", "cost-complexity"}
    class_weight, schema
        As for `DecisionTreeClassifier`.
    random_state : int, Generator or None
        For the order in which machines see examples, and for the examples that pruning holds out.

    Attributes
    ----------
    hypothesis_ : ObliqueTree

    Examples
    --------
    >>> import induce
    >>> from induce.trees.oblique.learners import LMDT
    >>> X, y = induce.dataset("iris")
    >>> print(LMDT().fit(X[["petal length", "petal width"]], y).hypothesis_)
    linear machine 1 = setosa: setosa (50/50)
    linear machine 1 = versicolor: versicolor (47/47)
    linear machine 1 = virginica: virginica (50/53)
    <BLANKLINE>
    linear machine 1 is the largest of
        setosa: -0.3219 petal length - 0.65 petal width + 2.01
        versicolor: -0.1046 petal length - 0.35 petal width + 1.333
        virginica: 0.4265 petal length + petal width - 3.344
    """

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        pruning: str | None = "error-based",
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.pruning = pruning
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _search(self, random: np.random.Generator) -> Search:
        return MachineSearch(random)

    def _measure(self) -> str:
        return "gain"
