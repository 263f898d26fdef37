"""Representations of a value function over features, the third design choice (Mitchell 1.2.3)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.shapes import check_numbers, check_shapes
from induce.statistics.logistic import sigmoid

Floats = NDArray[np.float64]


class ValueFunction(ABC):
    """A function from feature rows to values."""

    @abstractmethod
    def values(self, X: Floats) -> Floats:
        """Return the value of each row."""

    @abstractmethod
    def size(self) -> str:
        """Return the size of the function as text."""

    @abstractmethod
    def parts(self) -> Parts:
        """Return the number of interpretable parts."""

    def formula(self, names: tuple[str, ...]) -> str:
        """Return the function as a formula."""
        return f"V = {self.size()} over {', '.join(names)}"

    def contributions(self, X: Floats) -> Floats | None:
        """Return the contribution of each term to each row, the constant first; None if the value is not a sum."""
        return None


@dataclass(frozen=True, eq=False)
class LinearValue(ValueFunction):
    """A linear function: a constant and one weight per feature (Mitchell 1.2.3).

    Parameters
    ----------
    weights : array of float64
        Constant w0, then the weights.

    Examples
    --------
    >>> value = LinearValue(np.array([0.5, 2.0, -1.0]))
    >>> print(value.formula(("own", "other")))
    V = 0.5 + 2·own - 1·other
    >>> value.values(np.array([[3.0, 1.0]]))
    array([5.5])
    """

    weights: Floats

    def check(self) -> None:
        """Raise an `InputError` unless the weights are a constant and a number per feature."""
        check_shapes(self, {"weights": "n"})
        check_numbers("weights", self.weights)
        if not len(self.weights):
            raise InputError("a linear function needs a constant")

    def values(self, X: Floats) -> Floats:
        """Return the value of each row."""
        return np.asarray(self.weights[0] + X @ self.weights[1:], dtype=np.float64)

    def parts(self) -> Parts:
        """Return the number of weights."""
        return Parts(len(self.weights), "weights")

    def size(self) -> str:
        """Return the number of weights."""
        return f"{len(self.weights)} weights"

    def formula(self, names: tuple[str, ...]) -> str:
        """Return the weighted sum as a formula."""
        terms = [
            f" {'-' if weight < 0 else '+'} {abs(weight):.4g}·{name}"
            for weight, name in zip(self.weights[1:].tolist(), names, strict=True)
        ]
        return f"V = {self.weights[0]:.4g}" + "".join(terms)

    def contributions(self, X: Floats) -> Floats:
        """Return the contribution of each term to each row, the constant first."""
        return np.column_stack([np.full(len(X), self.weights[0]), X * self.weights[1:]])


@dataclass(frozen=True, eq=False)
class NetworkValue(ValueFunction):
    """A network with one hidden layer of sigmoid units and a linear output.

    Parameters
    ----------
    hidden : matrix of float64
        Weights of the hidden units, one row each, the constant first.
    output : array of float64
        Constant, then the weight of each hidden unit.
    """

    hidden: Floats
    output: Floats

    def values(self, X: Floats) -> Floats:
        """Return the value of each row."""
        return np.asarray(self.output[0] + self.activations(X) @ self.output[1:], dtype=np.float64)

    def activations(self, X: Floats) -> Floats:
        """Return the activations of the hidden units for each row."""
        net = self.hidden[:, 0] + X @ self.hidden[:, 1:].T
        return sigmoid(net)

    def parts(self) -> Parts:
        """Return no parts: single network weights are not interpretable."""
        return Parts(None, "single weights of a network are not interpretable")

    def size(self) -> str:
        """Return the number of units and weights."""
        return (
            f"a network with {len(self.hidden)} hidden units, {self.hidden.size + self.output.size} weights"
        )


@dataclass(frozen=True, eq=False)
class StoredValue(ValueFunction):
    """Stored boards with their values; a new board gets the mean of its nearest neighbours (Mitchell 8.2).

    Parameters
    ----------
    rows : matrix of float64
        Features of the stored boards.
    known : array of float64
        Values of the stored boards.
    k : int
        Number of neighbours.
    """

    rows: Floats
    known: Floats
    k: int

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import KDTree

        return KDTree(self.rows)

    def values(self, X: Floats) -> Floats:
        """Return the mean over the nearest boards, or 0 if none is stored."""
        if len(self.rows) == 0:
            return np.zeros(len(X))
        k = min(self.k, len(self.rows))
        nearest = self._tree.query(X, k=range(1, k + 1))[1]
        return np.asarray(self.known[nearest].mean(axis=1), dtype=np.float64)

    def parts(self) -> Parts:
        """Return no parts: the function consists of the stored boards."""
        return Parts(None, "its values are those of the nearest stored boards")

    def size(self) -> str:
        """Return the number of boards."""
        return f"{len(self.rows):,} boards, {self.k} nearest neighbours"


REPRESENTATIONS = ("linear", "quadratic")


def expanded(X: Floats, representation: str) -> Floats:
    """Return the features unchanged, or with their squares and products added.

    Examples
    --------
    >>> expanded(np.array([[2.0, 3.0]]), "quadratic")
    array([[2., 3., 4., 6., 9.]])
    """
    if representation == "linear":
        return X
    first, second = np.triu_indices(X.shape[1])
    return np.column_stack([X, X[:, first] * X[:, second]])


def expanded_names(names: tuple[str, ...], representation: str) -> tuple[str, ...]:
    """Return the names of `expanded` features.

    Examples
    --------
    >>> expanded_names(("a", "b"), "quadratic")
    ('a', 'b', 'a·a', 'a·b', 'b·b')
    """
    if representation == "linear":
        return names
    products = zip(*np.triu_indices(len(names)), strict=True)
    return (*names, *(f"{names[i]}·{names[j]}" for i, j in products))


def check_examples(X: Floats, v: Floats) -> None:
    """Raise an `InputError` unless the features are finite and each row has one finite value."""
    if X.ndim != 2 or len(X) != len(v):
        raise InputError(
            f"the features have shape {X.shape}, but there are {len(v)} values; give one row per value"
        )
    if not (np.isfinite(X).all() and np.isfinite(v).all()):
        raise InputError("features and training values must be finite numbers")
