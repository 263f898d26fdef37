"""The generalizer: from training examples to a value function (Mitchell 1.2.4, 1.2.5)."""

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
    """State of a generalizer: its result so far, and the examples it still keeps.

    Parameters
    ----------
    value : ValueFunction
    X : matrix of float64
        The features of the examples.
    v : array of float64
        Their training values.
    """

    value: ValueFunction
    X: Floats = field(default_factory=lambda: np.empty((0, 0)))
    v: Floats = field(default_factory=lambda: np.empty(0))


class Generalizer(ABC):
    """Makes a value function of training examples; a generalizer of your own defines `begin` and `learn`."""

    @abstractmethod
    def begin(self, n: int, seed: int) -> Fitted:
        """Return the value function of `n` features before the first example."""

    @abstractmethod
    def learn(self, fitted: Fitted, X: Floats, v: Floats, seed: int) -> Fitted:
        """Return the value function after the examples of another game."""

    def fit(self, X: ArrayLike, v: ArrayLike, passes: int = 1, random_state: int | None = 0) -> ValueFunction:
        """Return the value function for a table of examples.

        Parameters
        ----------
        X : matrix
            The features of the boards.
        v : array
            Their training values.
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
    """The LMS weight update: w_i ← w_i + η (V_train(b) - V(b)) x_i, example by example (Mitchell 1.2.4).

    It runs the pass over examples of `induce.linear.LMS`.

    Parameters
    ----------
    step : float
        η. With raw steps, counts of pieces ask for a small one: a repeated example diverges from 2/‖x‖² on.
    normalised : bool
        Whether the step is divided by ‖x‖², the constant counted; then any step below 2 is stable.
    spread : float
        The first weights are drawn from -spread to spread.
    """

    step: float = 0.1
    normalised: bool = True
    spread: float = 0.0

    def begin(self, n: int, seed: int) -> Fitted:
        """Return the first weights."""
        if not isinstance(self.step, int | float) or not 0 < self.step < np.inf:
            raise InputError(f"step is {self.step!r}; it must be a number above 0")
        at_least("spread", self.spread, 0)
        weights = stream(seed, 0).uniform(-1.0, 1.0, n + 1) * self.spread
        return Fitted(LinearValue(weights))

    def learn(self, fitted: Fitted, X: Floats, v: Floats, seed: int) -> Fitted:
        """Return the weights after one update for each example."""
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
            raise InputError(f"the weights grow beyond all bounds; the step {self.step:g} is too large")
        return Fitted(LinearValue(weights))


@dataclass(frozen=True)
class FromMemory(Generalizer):
    """Base of generalizers that keep the latest examples and refit all of them after every game.

    Parameters
    ----------
    memory : int
        Number of examples kept.
    """

    memory: int = 2000

    def begin(self, n: int, seed: int) -> Fitted:
        """Return a function that is 0 everywhere, and no examples."""
        at_least("memory", self.memory, 1, whole=True)
        return Fitted(LinearValue(np.zeros(n + 1)), np.empty((0, n)))

    def learn(self, fitted: Fitted, X: Floats, v: Floats, seed: int) -> Fitted:
        """Return the function for the latest examples."""
        rows = np.concatenate([fitted.X, X])[-self.memory :]
        known = np.concatenate([fitted.v, v])[-self.memory :]
        return Fitted(self._fitted(fitted.value, rows, known, seed), rows, known)

    @abstractmethod
    def _fitted(self, before: ValueFunction, X: Floats, v: Floats, seed: int) -> ValueFunction:
        """Return the function for the examples in memory."""


@dataclass(frozen=True)
class LeastSquares(FromMemory):
    """Weights with the least sum of squared errors: what LMS tends to.

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
    """Weights with the least sum of errors, or the least largest error, as a linear program (Mitchell, figure 1.2).

    Parameters
    ----------
    memory : int
        Number of examples kept.
    loss : {"absolute", "largest"}
        The sum of the errors without their signs, or the largest of them.

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
    """The mean over the nearest boards that were met (Mitchell 1.2.6, chapter 8).

    Parameters
    ----------
    memory : int
        Number of boards kept.
    k : int
        Number of neighbours.
    """

    k: int = 5

    def begin(self, n: int, seed: int) -> Fitted:
        """Return a memory without boards."""
        at_least("k", self.k, 1, whole=True)
        empty = super().begin(n, seed)
        return Fitted(StoredValue(empty.X, empty.v, self.k), empty.X)

    def _fitted(self, before: ValueFunction, X: Floats, v: Floats, seed: int) -> ValueFunction:
        return StoredValue(X, v, self.k)


@dataclass(frozen=True)
class EvolvedWeights(FromMemory):
    """A population of weights, of which those with the least error on the latest examples survive (chapter 9).

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
    """A network with one layer of sigmoid units, by gradient descent example by example (Mitchell 1.2.6, chapter 4).

    Parameters
    ----------
    hidden : int
        Number of hidden units.
    step : float
        The size of a step, divided by the squared length of what a weight is multiplied with.
    """

    hidden: int = 10
    step: float = 0.1

    def begin(self, n: int, seed: int) -> Fitted:
        """Return small random weights."""
        at_least("hidden", self.hidden, 1, whole=True)
        if not isinstance(self.step, int | float) or not 0 < self.step < 2:
            raise InputError(f"step is {self.step!r}; it must be a number between 0 and 2")
        random = stream(seed, 0)
        return Fitted(
            NetworkValue(random.uniform(-0.5, 0.5, (self.hidden, n + 1)), np.zeros(self.hidden + 1))
        )

    def learn(self, fitted: Fitted, X: Floats, v: Floats, seed: int) -> Fitted:
        """Return the weights after one step for each example."""
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
