"""Generalizers, which fit a value function to training examples (Mitchell 1.2.4, 1.2.5)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.randomness import seed_of, stream
from induce.linear.least_squares import by_linear_program
from induce.linear.unit import Unit
from induce.reinforcement.design.values import (
    Floats,
    LinearValue,
    NetworkValue,
    StoredValue,
    ValueFunction,
    check_examples,
)
from induce.statistics.least_squares import least_squares

SCALE = 100.0
"""Value of a won game."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """State of a generalizer: the value function so far and the examples kept.

    Parameters
    ----------
    value : ValueFunction
    X : matrix of float64
        Features of the examples.
    v : array of float64
        Training values of the examples.
    """

    value: ValueFunction
    X: Floats = field(default_factory=lambda: np.empty((0, 0)))
    v: Floats = field(default_factory=lambda: np.empty(0))


class Generalizer(ABC):
    """Fits a value function to training examples; subclasses define `begin` and `learn`."""

    @abstractmethod
    def begin(self, n: int, seed: int) -> Fitted:
        """Return the initial value function of `n` features."""

    @abstractmethod
    def learn(self, fitted: Fitted, X: Floats, v: Floats, seed: int) -> Fitted:
        """Return the value function updated with the examples of one more game."""

    def fit(self, X: ArrayLike, v: ArrayLike, passes: int = 1, random_state: int | None = 0) -> ValueFunction:
        """Fit a value function to a table of examples.

        Parameters
        ----------
        X : matrix
            Features of the boards.
        v : array
            Training values of the boards.
        passes : int
            Number of passes through the examples.
        random_state : int or None
            Random seed.

        Examples
        --------
        >>> LMS(0.1, normalised=False).fit([[3, 0, 1, 0, 0, 0]], [100]).weights.round(6)
        array([10., 30.,  0., 10.,  0.,  0.,  0.])
        """
        rows, values = np.array(X, dtype=np.float64), np.array(v, dtype=np.float64)
        check_examples(rows, values)
        seed = seed_of(random_state)
        fitted = self.begin(rows.shape[1], seed)
        for number in range(passes):
            fitted = self.learn(fitted, rows, values, seed + number)
        return fitted.value


@dataclass(frozen=True)
class LMS(Generalizer):
    """LMS weight update, applied per example: w_i ← w_i + η (V_train(b) - V(b)) x_i (Mitchell 1.2.4).

    It uses the same update loop as `induce.linear.LMS`.

    Parameters
    ----------
    step : float
        Step size η. Unnormalised piece counts need a small one: a repeated example diverges from 2/‖x‖² on.
    normalised : bool
        Whether to divide the step by ‖x‖², including the constant; then any step below 2 is stable.
    spread : float
        Initial weights are drawn uniformly from -spread to spread.
    """

    step: float = 0.1
    normalised: bool = True
    spread: float = 0.0

    def begin(self, n: int, seed: int) -> Fitted:
        """Return the initial weights."""
        if not isinstance(self.step, int | float) or not 0 < self.step < np.inf:
            raise InputError(f"step is {self.step!r}; it must be a number above 0")
        at_least("spread", self.spread, 0)
        weights = stream(seed, 0).uniform(-1.0, 1.0, n + 1) * self.spread
        return Fitted(LinearValue(weights))

    def learn(self, fitted: Fitted, X: Floats, v: Floats, seed: int) -> Fitted:
        """Return the weights after one update per example."""
        assert isinstance(fitted.value, LinearValue)
        weights = fitted.value.weights.copy()
        unit = Unit(np.column_stack([np.ones(len(X)), X]), v)
        lengths = np.square(unit.x).sum(axis=1)
        limit = 2.0 if self.normalised else 2.0 / float(lengths.max(initial=1.0))
        if self.step >= limit:
            note(
                f"the step {self.step:g} is not below {limit:.3g}, where LMS begins to diverge: "
                + ("lower it" if self.normalised else "lower it, or set normalised=True")
            )
        rates = self.step / lengths if self.normalised else np.full(len(v), float(self.step))
        with np.errstate(over="ignore", invalid="ignore"):
            unit.epoch(weights, np.zeros(len(weights)), np.arange(len(v)), rates, momentum=0.0)
        if not np.isfinite(weights).all() or np.abs(weights).max() > 1e100:
            raise InputError(f"the weights diverge; give a step below {self.step:g}")
        return Fitted(LinearValue(weights))


@dataclass(frozen=True)
class FromMemory(Generalizer):
    """Base class of generalizers that keep the latest examples and refit after every game.

    Parameters
    ----------
    memory : int
        Number of examples kept.
    """

    memory: int = 2000

    def begin(self, n: int, seed: int) -> Fitted:
        """Return the zero function and an empty memory."""
        at_least("memory", self.memory, 1, whole=True)
        return Fitted(LinearValue(np.zeros(n + 1)), np.empty((0, n)))

    def learn(self, fitted: Fitted, X: Floats, v: Floats, seed: int) -> Fitted:
        """Return the function refitted to the latest examples."""
        rows = np.concatenate([fitted.X, X])[-self.memory :]
        known = np.concatenate([fitted.v, v])[-self.memory :]
        return Fitted(self._fitted(fitted.value, rows, known, seed), rows, known)

    @abstractmethod
    def _fitted(self, before: ValueFunction, X: Floats, v: Floats, seed: int) -> ValueFunction:
        """Return the function fitted to the examples in memory."""


@dataclass(frozen=True)
class LeastSquares(FromMemory):
    """Weights that minimise the sum of squared errors, the limit of LMS.

    Parameters
    ----------
    memory : int
        Number of examples kept.

    Examples
    --------
    >>> LeastSquares().fit([[0], [1], [2], [3]], [0, 1, 2, 9]).weights.round(6)
    array([-1.2,  2.8])
    """

    def _fitted(self, before: ValueFunction, X: Floats, v: Floats, seed: int) -> ValueFunction:
        rows = np.column_stack([np.ones(len(X)), X])
        return LinearValue(least_squares(rows, v))


@dataclass(frozen=True)
class LinearProgramming(FromMemory):
    """Weights that minimise the sum of absolute errors or the largest error, by linear programming (Mitchell 1.2).

    Parameters
    ----------
    memory : int
        Number of examples kept.
    loss : {"absolute", "largest"}
        Loss to minimise: the sum of absolute errors, or the largest absolute error.

    Examples
    --------
    >>> LinearProgramming(loss="largest").fit([[0], [1], [2], [3]], [0, 1, 2, 9]).weights.round(6)
    array([-2.,  3.])
    """

    memory: int = 500
    loss: str = "absolute"

    def _fitted(self, before: ValueFunction, X: Floats, v: Floats, seed: int) -> ValueFunction:
        one_of("loss", self.loss, ("absolute", "largest"))
        loss = "absolute" if self.loss == "absolute" else "minimax"
        found = by_linear_program(X, v, np.ones(len(v)), loss)
        weights = np.append(found.intercept, found.weights)
        return LinearValue(np.where(np.abs(weights) < 1e-9, 0.0, weights))


@dataclass(frozen=True)
class NearestBoards(FromMemory):
    """Mean value of the nearest stored boards (Mitchell 1.2.6, chapter 8).

    Parameters
    ----------
    memory : int
        Number of boards kept.
    k : int
        Number of neighbours.
    """

    k: int = 5

    def begin(self, n: int, seed: int) -> Fitted:
        """Return an empty memory."""
        at_least("k", self.k, 1, whole=True)
        empty = super().begin(n, seed)
        return Fitted(StoredValue(empty.X, empty.v, self.k), empty.X)

    def _fitted(self, before: ValueFunction, X: Floats, v: Floats, seed: int) -> ValueFunction:
        return StoredValue(X, v, self.k)


@dataclass(frozen=True)
class EvolvedWeights(FromMemory):
    """Weights evolved to minimise the error on the latest examples (Mitchell 1.2.6, chapter 9).

    Parameters
    ----------
    memory : int
        Number of examples kept.
    parents, offspring : int
        Size of the population, and number of offspring per generation.
    generations : int
        Number of generations after every game.
    """

    memory: int = 500
    parents: int = 3
    offspring: int = 12
    generations: int = 5

    def _fitted(self, before: ValueFunction, X: Floats, v: Floats, seed: int) -> ValueFunction:
        from induce.evolution.genomes.vectors import Reals
        from induce.evolution.learners.evolution_strategy import EvolutionStrategy

        assert isinstance(before, LinearValue)
        strategy = EvolutionStrategy(
            Reals(len(before.weights), -10 * SCALE, 10 * SCALE),
            parents=self.parents,
            offspring=self.offspring,
            adaptation="self",
            sigma=1.0,
            start=np.clip(before.weights, -10 * SCALE, 10 * SCALE).tolist(),
            generations=self.generations,
            minimise=True,
            random_state=seed,
        )
        strategy.learn(lambda weights: squared_error(weights, X, v))
        return LinearValue(np.array(strategy.hypothesis_.value, dtype=np.float64))


@dataclass(frozen=True)
class ValueNetwork(Generalizer):
    """A network with one hidden layer of sigmoid units, trained by stochastic gradient descent (Mitchell 1.2.6).

    Parameters
    ----------
    hidden : int
        Number of hidden units.
    step : float
        Step size, divided by the squared norm of the input to each weight vector.
    """

    hidden: int = 10
    step: float = 0.1

    def begin(self, n: int, seed: int) -> Fitted:
        """Return small random initial weights."""
        at_least("hidden", self.hidden, 1, whole=True)
        if not isinstance(self.step, int | float) or not 0 < self.step < 2:
            raise InputError(f"step is {self.step!r}; it must be a number between 0 and 2")
        random = stream(seed, 0)
        return Fitted(
            NetworkValue(random.uniform(-0.5, 0.5, (self.hidden, n + 1)), np.zeros(self.hidden + 1))
        )

    def learn(self, fitted: Fitted, X: Floats, v: Floats, seed: int) -> Fitted:
        """Return the weights after one step per example."""
        assert isinstance(fitted.value, NetworkValue)
        value = NetworkValue(fitted.value.hidden.copy(), fitted.value.output.copy())
        for row, wanted in zip(np.asarray(X), np.asarray(v), strict=True):
            units = value.activations(row[None])[0]
            error = float(wanted - (value.output[0] + value.output[1:] @ units))
            slopes = value.output[1:] * units * (1.0 - units)
            inputs = np.concatenate([[1.0], row])
            gradient = np.concatenate([[1.0], units])
            length = gradient @ gradient + (slopes @ slopes) * (inputs @ inputs)
            rate = self.step * error / length
            value.output[:] += rate * gradient
            value.hidden[:] += rate * np.outer(slopes, inputs)
        return Fitted(value)


def squared_error(weights: ArrayLike, X: ArrayLike, v: ArrayLike) -> float:
    """Return E = Σ (V_train - V)² of a linear value function (Mitchell 1.2.4).

    Examples
    --------
    >>> round(squared_error([-1.2, 2.8], [[0], [1], [2], [3]], [0, 1, 2, 9]), 6)
    10.8
    """
    missed = np.asarray(v) - LinearValue(np.asarray(weights)).values(np.asarray(X))
    return float(missed @ missed)


def error_gradient(weights: ArrayLike, X: ArrayLike, v: ArrayLike) -> Floats:
    """Return the gradient of the squared error: -2 Σ (V_train - V) x_i (Mitchell, exercise 1.3).

    Examples
    --------
    >>> error_gradient([0.0, 0.0], [[3.0]], [1.0])
    array([-2., -6.])
    """
    rows = np.column_stack([np.ones(len(np.asarray(X))), np.asarray(X)])
    return np.asarray(-2.0 * rows.T @ (np.asarray(v) - rows @ np.asarray(weights)), dtype=np.float64)
