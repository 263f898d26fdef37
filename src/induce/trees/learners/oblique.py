"""Base of oblique tree learners."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import ClassVar, cast

import numpy as np

from induce.core.folds import folds, held_out
from induce.core.parameters import Declared, choice
from induce.core.progress import report
from induce.core.randomness import generator
from induce.data.training import Examples
from induce.estimators import ClassReading, TableClassifier
from induce.hypotheses.rules import class_array
from induce.trees import pruning as pruners
from induce.trees.growth import GrowthRule
from induce.trees.hypothesis import Tree
from induce.trees.learners.base import TreeLearner
from induce.trees.oblique.growth import Search, grow_oblique, merged
from induce.trees.oblique.hypothesis import ObliqueTree

PRUNING = ("error-based", "reduced-error", "cost-complexity")
HELD_OUT = 1 / 3
"""Fraction of the examples held out for pruning."""
FOLDS, MANY = 10, 1_000
"""Number of folds for choosing the cost of a leaf, and number of examples above which held-out ones are used."""


class ObliqueLearner(TreeLearner, TableClassifier, ABC):
    """Base of oblique tree learners: growth with a learner-specific search for tests, and pruning."""

    parameters: ClassVar[Declared] = {
        "pruning": choice("Pruning method; None disables pruning.", *PRUNING, none=True),
    }
    hypothesis_: ObliqueTree
    max_depth: int | None
    min_samples_split: float
    min_samples_leaf: float
    pruning: str | None

    @abstractmethod
    def _search(self, random: np.random.Generator) -> Search:
        """Return the search for the oblique tests of a node."""

    @abstractmethod
    def _measure(self) -> str:
        """Return the measure for comparing tests."""

    def _learn(self, reading: ClassReading) -> ObliqueTree:
        rule = self._growth_rule()
        random = generator(self.random_state)
        examples = merged(reading.examples())
        splits = self._splits(examples)
        n_trees, so_far = 1 + len(splits), count()

        def grown(on: Examples) -> ObliqueTree:
            before = next(so_far)

            def progress(share: float) -> None:
                report((before + share) / n_trees)

            return grow_oblique(on, *reading.names, rule, self._search(random), progress)

        found = cast(ObliqueTree, self._pruned(grown, examples, splits))
        report(1.0)
        return found

    def _growth_rule(self) -> GrowthRule:
        self._check_parameters()
        return GrowthRule(
            measure=self._measure(),
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
        )

    def _splits(self, examples: Examples) -> list[pruners.Split]:
        """Return the folds for choosing the cost of a leaf."""
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
            return pruners.error_based(tree, replace(examples, table=tree.encoded(examples.table)))
        if self.pruning == "cost-complexity":
            alpha = pruners.cross_validated_alpha(grown, tree, examples, splits)
            return pruners.cost_complexity(tree).tree(tree, alpha)
        return tree


def _best_of_sequence(tree: Tree, validation: Examples) -> Tree:
    """Return the smallest tree in the cost-complexity sequence within one standard error of the best."""
    sequence = pruners.cost_complexity(tree)
    trees: list[Tree] = [sequence.tree(tree, alpha) for alpha in sequence.alphas]
    truth, weight = class_array(tree.classes)[validation.labels], validation.weight()
    errors = np.array([np.average(each.predict(validation.table) != truth, weights=weight) for each in trees])
    least = float(errors.min())
    slack = np.sqrt(least * (1.0 - least) / weight.sum())
    return trees[int(np.flatnonzero(errors <= least + slack)[-1])]
