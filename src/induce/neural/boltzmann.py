"""Boltzmann machines: stochastic units with symmetric weights, a density of binary patterns (AIMA §20, notes)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.neural.network import Floats
from induce.statistics.logistic import sigmoid

MOST_EXACT = 14
"""Number of units above which states are sampled instead of enumerated."""
COOLING = (4.0, 2.0, 1.5, 1.0)
"""Temperature schedule of sampling, relative to the machine's temperature; each temperature takes some sweeps
(annealing).
"""


@dataclass(frozen=True, eq=False)
class BoltzmannMachine:
    """Binary units that fire with probability sigmoid(net / T); the first are visible, the others hidden.

    The energy of a state is ``-½ s·W·s - b·s``, and its probability is proportional to exp(-energy / T).

    Parameters
    ----------
    weights : array of float64, shape (units, units)
        Symmetric weights, with zeros on the diagonal.
    bias : array of float64
        Bias of each unit.
    n_visible : int
        Number of visible units, which come first.
    temperature : float
        Temperature T; higher values make units more random.

    Examples
    --------
    >>> machine = BoltzmannMachine(np.array([[0.0, 1.0], [1.0, 0.0]]), np.zeros(2), 2)
    >>> machine.probabilities().round(4).tolist()
    [0.1749, 0.1749, 0.1749, 0.4754]
    """

    weights: Floats
    bias: Floats
    n_visible: int
    temperature: float = 1.0

    @classmethod
    def blank(cls, n_visible: int, n_hidden: int = 0) -> BoltzmannMachine:
        """Return a machine all of whose states are equally likely."""
        n = n_visible + n_hidden
        machine = cls(np.zeros((n, n)), np.zeros(n), n_visible)
        machine.check()
        return machine

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent."""
        w, n = self.weights, len(self.bias)
        if w.shape != (n, n) or not np.allclose(w, w.T) or np.diag(w).any():
            raise InputError(
                "the weights of a Boltzmann machine are not symmetric with a zero diagonal; give such weights"
            )
        if not 1 <= self.n_visible <= n or not self.temperature > 0:
            raise InputError(
                "the machine has no visible unit, or a temperature of 0 or less; give at "
                "least one visible unit and a temperature above 0"
            )

    def states(self) -> Floats:
        """Return all states in binary order; raise an `InputError` if there are too many."""
        n = len(self.bias)
        if n > MOST_EXACT:
            raise InputError(f"the machine has {n} units, too many to enumerate their states; use sample")
        return np.array(list(product((0.0, 1.0), repeat=n)))

    def energy(self, states: Any) -> Floats:
        """Return the energy of each state."""
        s = np.atleast_2d(np.asarray(states, np.float64))
        return np.asarray(-0.5 * np.einsum("ri,ij,rj->r", s, self.weights, s) - s @ self.bias)

    def probabilities(self) -> Floats:
        """Return the probability of each of `states`."""
        logs = -self.energy(self.states()) / self.temperature
        shares = np.exp(logs - logs.max())
        return np.asarray(shares / shares.sum())

    def score_samples(self, visible: Any) -> Floats:
        """Return the log probability of each pattern of the visible units."""
        rows = self._visible(visible)
        states, shares = self.states(), self.probabilities()
        same = (states[:, : self.n_visible] == rows[:, np.newaxis]).all(axis=2)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(same @ shares))

    def sample(self, n: int = 1, sweeps: int = 20, random_state: RandomState = 0) -> Floats:
        """Sample states by updating one unit at a time at decreasing temperatures (annealing)."""
        rng = generator(random_state)
        start = (rng.random((n, len(self.bias))) < 0.5).astype(np.float64)
        return self._settled(start, 0, sweeps, rng)

    def _settled(self, states: Floats, first: int, sweeps: int, rng: np.random.Generator) -> Floats:
        """Update the units starting at `first`; the units before it are clamped."""
        s = states.copy()
        for part in COOLING:
            for _ in range(sweeps):
                for unit in range(first, s.shape[1]):
                    net = (s @ self.weights[unit] + self.bias[unit]) / (part * self.temperature)
                    s[:, unit] = rng.random(len(s)) < sigmoid(net)
        return s

    def train(
        self,
        patterns: Any,
        rate: float = 1.0,
        steps: int = 100,
        biases: bool = True,
        random_state: RandomState = 0,
    ) -> BoltzmannMachine:
        """Return the machine after steps of ``rate * (mean products in the data - mean products in the
        model)``.

        Expectations are exact for up to 14 units and estimated from sampled states for more.

        Parameters
        ----------
        patterns : array, shape (rows, visible units)
            Training patterns of 0 and 1.
        rate : float
            Step size.
        steps : int
            Number of steps.
        Whether the biases are trained too.
        random_state : int, Generator or None
            Random seed, for sampled states and for initial weights of hidden units.
        """
        rows, rng = self._visible(patterns), generator(random_state)
        machine = self
        n_hidden = len(self.bias) - self.n_visible
        if n_hidden and not self.weights.any():  # identical hidden units would remain identical
            noise = np.triu(rng.normal(size=self.weights.shape), 1)
            machine = BoltzmannMachine(noise + noise.T, self.bias, self.n_visible, self.temperature)
        for _ in range(steps):
            held, free = machine._expected(rows, rng), machine._expected(None, rng)
            change = rate * (held[0] - free[0])
            np.fill_diagonal(change, 0.0)
            bias = machine.bias + rate * (held[1] - free[1]) if biases else machine.bias
            machine = BoltzmannMachine(machine.weights + change, bias, self.n_visible, self.temperature)
        return machine

    def _expected(self, rows: Floats | None, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Return the mean products and means of the units, with the visible units clamped or free."""
        if len(self.bias) > MOST_EXACT:
            if rows is None:
                states = self.sample(200, random_state=rng)
            else:
                hidden = (rng.random((len(rows), len(self.bias) - self.n_visible)) < 0.5).astype(np.float64)
                states = self._settled(np.column_stack([rows, hidden]), self.n_visible, 20, rng)
            shares = np.full(len(states), 1.0 / len(states))
        else:
            states, shares = self.states(), self.probabilities()
            if rows is not None:
                same = (states[:, : self.n_visible] == rows[:, np.newaxis]).all(axis=2) * shares
                shares = (same / same.sum(axis=1, keepdims=True)).mean(axis=0)
        return (states * shares[:, np.newaxis]).T @ states, shares @ states

    def _visible(self, patterns: Any) -> Floats:
        rows = np.atleast_2d(np.asarray(patterns, np.float64))
        if rows.shape[1] != self.n_visible or not np.isin(rows, (0.0, 1.0)).all():
            raise InputError(
                f"patterns do not match the visible units; give {self.n_visible} values "
                "per pattern, each 0 or 1"
            )
        return rows
