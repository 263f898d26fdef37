"""User arguments: a tree or an object that has one, a learner or a growth rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.hypotheses.conditions import Condition
from induce.trees.hypothesis import Tree

if TYPE_CHECKING:
    from induce.trees.growth import GrowthRule
    from induce.trees.learners.decision_tree_classifier import DecisionTreeClassifier


def the_tree(fitted: Any) -> Tree:
    """Return a tree itself, or the tree of a fitted learner."""
    tree = getattr(fitted, "hypothesis_", fitted)
    if not isinstance(tree, Tree):
        raise InputError(
            f"{type(fitted).__name__} has no decision tree; give a Tree or a fitted tree learner such as C45"
        )
    return tree


def unfitted(learner: Any) -> Any:
    """Return an unfitted copy of a tree learner."""
    from sklearn.base import clone

    from induce.trees.learners.base import TreeLearner

    if not isinstance(learner, TreeLearner):
        raise InputError(
            f"{_name(learner)} does not learn a decision tree; give a tree learner such as ID3()"
        )
    return clone(learner)


def growth_of(learner: Any) -> tuple[DecisionTreeClassifier, GrowthRule]:
    """Return a learner that reads tables, and the growth rule, given a learner or only a rule."""
    from induce.trees.growth import GrowthRule
    from induce.trees.learners.decision_tree_classifier import DecisionTreeClassifier

    if isinstance(learner, GrowthRule):
        return DecisionTreeClassifier(), learner
    if not isinstance(learner, DecisionTreeClassifier):
        raise InputError(
            f"{_name(learner)} has no growth rule; give a tree learner such as ID3() or a GrowthRule"
        )
    reader: DecisionTreeClassifier = unfitted(learner)
    return reader, reader._growth_rule()


def _name(learner: Any) -> str:
    return learner.__name__ if isinstance(learner, type) else type(learner).__name__


def refuse_oblique(tree: Tree, instead: str) -> None:
    """Raise an `InputError` for a tree that tests several columns at once."""
    if (tree.attribute >= len(tree.schema.inputs())).any():
        raise InputError(f"the tree tests several columns at once; {instead}")


def path_to(tree: Tree, node: int) -> tuple[Condition, ...]:
    """Return the conditions on the path to a node."""
    path: list[Condition] = []
    while node > 0:
        above = int(tree.parent[node])
        condition = tree.condition(above, node - int(tree.first[above]))
        if condition is not None:
            path.append(condition)
        node = above
    return tuple(reversed(path))
