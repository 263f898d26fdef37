"""Pruning of a grown tree: each pruner takes a tree (and optionally examples) and returns a tree."""

from induce.trees.pruning.description import description_length, mdl, mdl_stop
from induce.trees.pruning.errors import error_based, reduced_error
from induce.trees.pruning.estimates import minimum_error, pessimistic
from induce.trees.pruning.partitions import Split, cross_validated_alpha, repeated_partitions
from induce.trees.pruning.sequence import PruningSequence, Shrinking, cost_complexity, shrink
from induce.trees.pruning.significance import chi_square, critical_value

__all__ = [
    "PruningSequence",
    "Shrinking",
    "Split",
    "chi_square",
    "cost_complexity",
    "critical_value",
    "cross_validated_alpha",
    "description_length",
    "error_based",
    "mdl",
    "mdl_stop",
    "minimum_error",
    "pessimistic",
    "reduced_error",
    "repeated_partitions",
    "shrink",
]
