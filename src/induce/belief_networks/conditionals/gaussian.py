"""Linear-Gaussian distributions, with one linear model per state of the nominal parents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from induce.belief_networks.conditionals.base import Conditional, Floats, Values, nominal, sizes_of
from induce.core.errors import InputError
from induce.data.schema import Column


@dataclass(frozen=True, eq=False)
class GaussianConditional(Conditional):
    """A numeric node: intercept + weights · numeric parents + normal noise, per state of its nominal parents.

    Without nominal parents it is a linear-Gaussian distribution (AIMA 20.2); without numeric ones, one normal
    distribution per state.

    Parameters
    ----------
    intercepts : array of float64, shape (values of the first nominal parent, …)
        Intercept in each state of the nominal parents.
    weights : array of float64, shape (values of the first nominal parent, …, numeric parents)
        Weight of each numeric parent in each state of the nominal parents.
    variances : array of float64, shape (values of the first nominal parent, …)
        Noise variances, greater than 0.

    Examples
    --------
    >>> line = GaussianConditional(np.array(1.0), np.array([2.0]), np.array(0.25))
    >>> line.mean([np.array([0.0, 3.0])], 2).tolist(), line.n_parameters()
    ([1.0, 7.0], 3)
    """

    intercepts: Floats
    weights: Floats
    variances: Floats

    @classmethod
    def standard(cls, node: Column, parents: Sequence[Column]) -> GaussianConditional:
        """Return the standard normal conditional, regardless of the parents."""
        shape = sizes_of(nominal(parents))
        numeric = len(parents) - len(shape)
        return cls(np.zeros(shape), np.zeros((*shape, numeric)), np.ones(shape))

    def verify(self, node: Column, parents: Sequence[Column]) -> None:
        """Raise an `InputError` unless this is a valid distribution of `node` given `parents`."""
        if node.kind != "numeric":
            raise InputError(f"{node.name!r} has a normal distribution, but is {node.kind}; give it a table")
        shape = sizes_of(nominal(parents))
        numeric = len(parents) - len(shape)
        if self.intercepts.shape != shape or self.variances.shape != shape:
            raise InputError(
                f"the intercepts and variances of {node.name!r} have the shapes "
                f"{self.intercepts.shape} and {self.variances.shape}; give the shape {shape}: one axis "
                "per nominal parent"
            )
        if self.weights.shape != (*shape, numeric):
            raise InputError(
                f"the weights of {node.name!r} have the shape {self.weights.shape}; give the shape "
                f"{(*shape, numeric)}: one axis per nominal parent, then one for the numeric parents"
            )
        finite = np.isfinite(self.intercepts).all() and np.isfinite(self.weights).all()
        if not finite or not (np.isfinite(self.variances) & (self.variances > 0)).all():
            raise InputError(
                f"{node.name!r} has non-finite weights or a variance of 0 or less; give "
                "finite weights and positive variances"
            )

    def n_parameters(self) -> int:
        """Return the number of intercepts, weights and variances."""
        return self.intercepts.size + self.weights.size + self.variances.size

    def mean(self, parents: Sequence[Values], n: int) -> Floats:
        """Return the mean of the node in each of `n` rows."""
        state, numbers = split(parents, n)
        return np.asarray(self.intercepts[state] + (self.weights[state] * numbers).sum(axis=-1)) + np.zeros(n)

    def log_probability(self, values: Values, parents: Sequence[Values]) -> Floats:
        """Return the log density of the node's value in each row."""
        state, _ = split(parents, len(values))
        variances = self.variances[state]
        with np.errstate(over="ignore", invalid="ignore"):  # density 0 for extreme values
            gaps = values - self.mean(parents, len(values))
            logs = -0.5 * (gaps * gaps / variances + np.log(2 * math.pi * variances))
        return np.where(np.isnan(logs), -math.inf, logs)

    def sample(self, parents: Sequence[Values], n: int, rng: np.random.Generator) -> Values:
        """Return a random value for each of `n` rows."""
        state, _ = split(parents, n)
        return self.mean(parents, n) + rng.standard_normal(n) * np.sqrt(self.variances[state])


def split(parents: Sequence[Values], n: int) -> tuple[tuple[Values, ...], Floats]:
    """Return the codes of the nominal parents, and the numeric parents as a matrix of `n` rows."""
    state = tuple(values for values in parents if values.dtype.kind != "f")
    numbers = [values for values in parents if values.dtype.kind == "f"]
    return state, np.column_stack(numbers) if numbers else np.empty((n, 0))
