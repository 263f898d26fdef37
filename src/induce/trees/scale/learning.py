"""Learning a tree from a partitioned table: supported options, and those that need all rows in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.progress import say
from induce.data.scanning import Scan
from induce.estimators.scale import OFFERED, class_weights
from induce.trees.hypothesis import Tree
from induce.trees.regression import pruning as number_pruning
from induce.trees.regression.hypothesis import RegressionTree
from induce.trees.regression.models import smoothed
from induce.trees.scale.growth import coded_partitions, grow_partitions
from induce.trees.scale.numbers import NumberGrowth

if TYPE_CHECKING:
    from induce.trees.learners.decision_tree_classifier import DecisionTreeClassifier
    from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor

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
            f"pruning={learner.pruning!r} needs another pass over the rows; give {instead}, or learn "
            f"from a sample: fit(*source.sample({OFFERED:_}))"
        )
    n_bins = learner.bins
    if n_bins is None:
        n_bins = N_BINS
        say_intervals(source, "; set bins to change this number")
    weights = class_weights(learner.class_weight, source.classes, source.layout.class_counts)
    if learner.pruning == "error-based" and learner.subtree_raising:
        note("pruning does not raise subtrees, which would need another pass over the rows")
    tree = grow_partitions(source, rule, int(n_bins), weights, lambda line: say(lambda: line))
    return learner._of_counts(tree)


def regression_tree_of_partitions(learner: DecisionTreeRegressor, source: Scan) -> RegressionTree:
    """Grow and prune a regression tree according to the learner's parameters."""
    rule = learner._rule()
    by_alpha = learner.pruning == "cost-complexity" and learner.ccp_alpha is not None
    if rule.linear or not (learner.pruning in (None, "adjusted-error") or by_alpha):
        said, instead = (
            ("leaf", "leaf='constant'") if rule.linear else ("pruning", "pruning='adjusted-error'")
        )
        raise InputError(
            f"{said} is {getattr(learner, said)!r}, which needs another pass over the rows; give "
            f"{instead}, or learn from a sample: fit(*source.sample({OFFERED:_}))"
        )
    say_intervals(source, "")
    with coded_partitions(source, N_BINS) as coded:
        growth = NumberGrowth(coded, rule)
        growth.grow()
    tree = growth.tree(source)
    if learner.pruning == "adjusted-error":
        tree = number_pruning.adjusted_by(tree, tree.sse)
    elif by_alpha and learner.ccp_alpha is not None:
        links = number_pruning.weakest_links(tree, float(tree.sse[0]))
        tree = number_pruning.cut_at(tree, links, learner.ccp_alpha)
    return tree if learner.smoothing is None else smoothed(tree, float(learner.smoothing))


def say_intervals(source: Scan, more: str) -> None:
    """Tell the user that numeric columns are cut into intervals."""
    if any(column.kind != "nominal" for column in source.schema.inputs()):
        note(f"numeric values are grouped into at most {N_BINS} intervals{more}")
