"""Understanding trees: attribute importance, stability of their structure, and trees as functions."""

from induce.trees.understanding.assumptions import Bias, bias
from induce.trees.understanding.comparison import Agreement, agreement
from induce.trees.understanding.construction import tree_of
from induce.trees.understanding.dice import DieRolls, overfit_dice
from induce.trees.understanding.dnf import Dnf, to_dnf
from induce.trees.understanding.importance import Importance, impurity_importance, permutation_importance
from induce.trees.understanding.occam import Restated, SmallSet, restate, small_sets
from induce.trees.understanding.overfitting import OverfittingCurve, overfitting_curve
from induce.trees.understanding.stability import Instability, instability
from induce.trees.understanding.ties import NearTies, near_ties
from induce.trees.understanding.tree_counts import (
    fewest_leaves,
    functions_by_leaves,
    n_functions,
    n_instances,
    n_ordered_trees,
    n_trees,
)
from induce.trees.understanding.version_space import FunctionSpace, function_space

__all__ = [
    "Agreement",
    "Bias",
    "DieRolls",
    "Dnf",
    "FunctionSpace",
    "Importance",
    "Instability",
    "NearTies",
    "OverfittingCurve",
    "Restated",
    "SmallSet",
    "agreement",
    "bias",
    "fewest_leaves",
    "function_space",
    "functions_by_leaves",
    "impurity_importance",
    "instability",
    "n_functions",
    "n_instances",
    "n_ordered_trees",
    "n_trees",
    "near_ties",
    "overfit_dice",
    "overfitting_curve",
    "permutation_importance",
    "restate",
    "small_sets",
    "to_dnf",
    "tree_of",
]
