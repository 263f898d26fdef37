"""Logistic distributions: nominal nodes whose log odds are linear in the parents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from induce.belief_networks.conditionals.base import (
    Conditional,
    Floats,
    Values,
    chosen,
)
from induce.core.errors import InputError
from induce.data.schema import Column


@dataclass(frozen=True, eq=False)
class LogisticConditional(Conditional):
    """A nominal node with a softmax distribution: log odds linear in the parents.

    A nominal parent has one weight per value, a numeric parent a single weight. The number of parameters
    therefore grows linearly with the number of parents.

    Parameters
    ----------
    intercepts : array of float64, shape (values of the node)
        Intercept of each value of the node.
    weights : array of float64, shape (inputs, values of the node)
        Weights of each input. The inputs are the values of the nominal parents and the numeric parents, in
        the order of the parents.
    inputs : tuple of int
        Number of inputs of each parent.

    Examples
    --------
    >>> buys = LogisticConditional(np.zeros(2), np.array([[0.0, -1.0]]), (1,))  # the parent is a price
    >>> buys.probabilities([np.array([0.0, 2.0])], 2).round(4).tolist()
    [[0.5, 0.5], [0.8808, 0.1192]]
    """

    intercepts: Floats
    weights: Floats
    inputs: tuple[int, ...]

    @classmethod
    def flat(cls, node: Column, parents: Sequence[Column]) -> LogisticConditional:
        """Return the conditional with all weights 0."""
        inputs = tuple(max(len(parent.domain), 1) for parent in parents)
        size = len(node.domain)
        return cls(np.zeros(size), np.zeros((sum(inputs), size)), inputs)

    def verify(self, node: Column, parents: Sequence[Column]) -> None:
        """Raise an `InputError` unless this is a valid distribution of `node` given `parents`."""
        if node.kind != "nominal":
            raise InputError(
                f"{node.name!r} has a logistic distribution, but is numeric; give it a normal distribution"
            )
        needed = tuple(len(parent.domain) if parent.kind == "nominal" else 1 for parent in parents)
        size = len(node.domain)
        if self.inputs != needed or self.weights.shape != (sum(needed), size):
            raise InputError(
                f"the weights of {node.name!r} have the shape {self.weights.shape} with {self.inputs} "
                f"inputs; give the shape {(sum(needed), size)} with {needed} inputs"
            )
        if self.intercepts.shape != (size,) or not np.isfinite(self.weights).all():
            raise InputError(
                f"{node.name!r} has the wrong number of intercepts or non-finite weights; "
                "give one intercept per value and finite weights"
            )

    def n_parameters(self) -> int:
        """Return the number of independent weights; only score differences count."""
        free = sum(max(n - 1, 1) for n in self.inputs)
        return (len(self.intercepts) - 1) * (1 + free)

    def probabilities(self, parents: Sequence[Values], n: int) -> Floats:
        """Return the probability of each value in each of `n` rows."""
        scores = np.tile(self.intercepts, (n, 1))
        start = 0
        for values, length in zip(parents, self.inputs, strict=True):
            part = self.weights[start : start + length]
            scores += np.outer(values, part[0]) if values.dtype.kind == "f" else part[values]
            start += length
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def table(self, sizes: Sequence[int]) -> Floats:
        """Return the probabilities with one axis per parent, then one for the node."""
        if tuple(sizes) != self.inputs:
            raise InputError("a logistic conditional with numeric parents is not a table")
        states = np.indices(tuple(sizes)).reshape(len(sizes), -1) if sizes else np.empty((0, 1), int)
        return self.probabilities(list(states), states.shape[1]).reshape(*sizes, len(self.intercepts))

    def log_probability(self, values: Values, parents: Sequence[Values]) -> Floats:
        """Return the log probability of the node's value in each row."""
        with np.errstate(divide="ignore"):
            return np.log(self.probabilities(parents, len(values))[np.arange(len(values)), values])

    def sample(self, parents: Sequence[Values], n: int, rng: np.random.Generator) -> Values:
        """Return the code of a value for each of `n` rows, drawn at random."""
        return chosen(self.probabilities(parents, n), rng)
