"""How much there is to read in what a learner has learned: one measure for hypotheses of every kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from induce.ensembles.hypothesis import Ensemble
from induce.ensembles.scorecard.card import Scorecard
from induce.hypotheses.rules import RuleList
from induce.trees.oblique.hypothesis import ObliqueTree
from induce.trees.regression.hypothesis import RegressionTree
from induce.trees.structure import Structure


def parts(fitted: Any) -> int | None:
    """Count the conditions and conclusions that a hypothesis has when it is written out.

    A tree has a condition at every branch and a conclusion at every leaf, a list of rules has the conditions and
    the conclusion of each rule and a default. A scorecard has its lines, a vote has what its members have and their
    weights. Where a weighted sum stands for a value, each of its terms counts.

    Parameters
    ----------
    fitted : hypothesis or fitted learner
        Trees and linear functions of scikit-learn are counted too; of a pipeline, the last step.

    Returns
    -------
    int or None
        None for what cannot be written out, such as neighbours.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> tree, rules = induce.C45().fit(X, y), induce.C45Rules().fit(X, y)
    >>> parts(tree), parts(rules)
    (12, 7)
    """
    found = getattr(fitted, "hypothesis_", fitted)
    if isinstance(found, Structure):
        return _of_tree(found)
    if isinstance(found, RuleList):
        return sum(len(rule.conditions) + 1 for rule in found.rules) + 1
    if isinstance(found, Scorecard):
        return sum(1 for part in found.parts for _ in part.lines()) + 1
    if isinstance(found, Ensemble):
        each = [count for member in found.members if (count := parts(member)) is not None]
        return sum(each) + len(each) if len(each) == len(found.members) else None
    if isinstance(found, Pipeline):
        return parts(found[-1])
    if hasattr(found, "tree_"):
        return int(found.tree_.node_count - 1 + found.tree_.n_leaves)
    if hasattr(found, "coef_"):
        return int(np.count_nonzero(found.coef_) + np.size(getattr(found, "intercept_", 0)))
    return None


def size_text(fitted: Any) -> str:
    """Say how large a hypothesis is in its own words, such as nodes and leaves; empty when it has none."""
    found = fitted[-1] if isinstance(fitted, Pipeline) else fitted
    found = getattr(found, "hypothesis_", found)
    if hasattr(found, "size") and callable(found.size):
        return str(found.size())
    count = parts(found)
    return "" if count is None else f"{count} parts"


def _of_tree(tree: Structure) -> int:
    leaves = np.flatnonzero(tree.attribute < 0)
    tests = np.flatnonzero(tree.attribute >= 0)
    terms = np.ones(len(tree.testable.columns), np.int64)
    count = len(leaves)
    if isinstance(tree, ObliqueTree):
        n_inputs, n_sums = len(tree.schema.inputs()), len(tree.combinations)
        terms[n_inputs : n_inputs + n_sums] = np.count_nonzero(tree.combinations, axis=1)
        count += int(np.count_nonzero(np.nan_to_num(tree.machines)))  # written once, below the tree
    if isinstance(tree, RegressionTree):
        count += int(np.count_nonzero(tree.coefficients[leaves]))
    return count + int((tree.n_branches[tests] * terms[tree.attribute[tests]]).sum())
