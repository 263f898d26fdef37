"""Learning a tree from a table in partitions: what a tree learner may ask for there, and what needs all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.progress import say
from induce.data.scanning import Scan
from induce.estimators.scale import class_weights
from induce.trees.hypothesis import Tree
from induce.trees.scale.growth import grow_partitions

if TYPE_CHECKING:
    from induce.trees.learners.decision_tree_classifier import DecisionTreeClassifier

N_BINS = 255
BY_COUNTS = ("chi-square", "pessimistic", "minimum-error", "critical-value", "mdl")
"""Pruning methods that look at the counts of a tree only."""


def tree_of_partitions(learner: DecisionTreeClassifier, source: Scan) -> Tree:
    """Grow and prune a tree; the learner's parameters say how."""
    rule = learner._growth_rule()
    by_rows = learner.pruning not in (None, *BY_COUNTS)
    if learner.pruning == "cost-complexity" and learner.ccp_alpha is not None:
        by_rows = False
    if by_rows:
        raise InputError(
            f"pruning is {learner.pruning!r}, which looks at rows again; give "
            f"{_instead(learner)}, or learn from a sample: fit(*source.sample(50_000))"
        )
    n_bins = learner.bins
    if n_bins is None:
        n_bins = N_BINS
        if any(column.kind != "nominal" for column in source.schema.inputs()):
            note(f"numbers are cut into at most {N_BINS} intervals; bins sets how many")
    weights = class_weights(learner.class_weight, source.classes, source.layout.class_counts)
    tree = grow_partitions(source, rule, int(n_bins), weights, lambda line: say(lambda: line))
    return learner._of_counts(tree)


def _instead(learner: DecisionTreeClassifier) -> str:
    return "a ccp_alpha" if learner.pruning == "cost-complexity" else "pruning='pessimistic'"
