"""Learning a tree from a table in partitions: supported options, and those that need all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.progress import say
from induce.data.scanning import Scan
from induce.estimators.scale import OFFERED, class_weights
from induce.trees.hypothesis import Tree
from induce.trees.scale.growth import grow_partitions

if TYPE_CHECKING:
    from induce.trees.learners.decision_tree_classifier import DecisionTreeClassifier

N_BINS = 255
BY_COUNTS = ("error-based", "chi-square", "pessimistic", "minimum-error", "critical-value", "mdl")
"""Pruning methods that use only the counts of a tree."""


def tree_of_partitions(learner: DecisionTreeClassifier, source: Scan) -> Tree:
    """Grow and prune a tree according to the learner's parameters."""
    rule = learner._growth_rule()
    by_alpha = learner.pruning == "cost-complexity" and learner.ccp_alpha is not None
    if learner.pruning not in (None, *BY_COUNTS) and not by_alpha:
        instead = "a ccp_alpha" if learner.pruning == "cost-complexity" else "pruning='pessimistic'"
        raise InputError(
            f"pruning is {learner.pruning!r}, which needs the rows again; give {instead}, or learn from a sample: "
            f"fit(*source.sample({OFFERED:_}))"
        )
    n_bins = learner.bins
    if n_bins is None:
        n_bins = N_BINS
        if any(column.kind != "nominal" for column in source.schema.inputs()):
            note(f"numbers are cut into at most {N_BINS} intervals; set bins to change this number")
    weights = class_weights(learner.class_weight, source.classes, source.layout.class_counts)
    if learner.pruning == "error-based" and learner.subtree_raising:
        note("raising subtrees would need the rows again and is left out of pruning")
    tree = grow_partitions(source, rule, int(n_bins), weights, lambda line: say(lambda: line))
    return learner._of_counts(tree)
