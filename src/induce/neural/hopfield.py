"""Hopfield networks: symmetric weights store patterns, which are recalled from partial patterns (AIMA §20,
notes).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

CAPACITY = 0.138
"""Capacity: random patterns per unit that remain retrievable (Amit, Gutfreund and Sompolinsky 1985)."""


@dataclass(frozen=True, eq=False)
class Recall:
    """Course of the relaxation of a Hopfield network.

    Parameters
    ----------
    states : array, shape (sweeps + 1, units)
        The initial state and the state after each sweep.
    energies : array
        Energy of each state; it never increases.
    settled : bool
        Whether the last sweep changed nothing.
    """

    states: Floats
    energies: Floats
    settled: bool

    @property
    def state(self) -> Floats:
        """The last state."""
        return np.asarray(self.states[-1])


@dataclass(frozen=True, eq=False)
class HopfieldNetwork:
    """Units of -1 and 1, fully connected by symmetric weights: an associative memory.

    Parameters
    ----------
    weights : array of float64, shape (units, units)
        Symmetric weights, with zeros on the diagonal.

    Examples
    --------
    >>> first, second = [1, 1, 1, 1, -1, -1, -1, -1], [1, -1, 1, -1, 1, -1, 1, -1]
    >>> memory = HopfieldNetwork.storing([first, second])
    >>> recall = memory.recall([1, 1, 1, -1, -1, -1, -1, -1])
    >>> recall.state.astype(int).tolist() == first, recall.energies.tolist()
    (True, [-12.0, -24.0, -24.0])
    """

    weights: Floats

    @classmethod
    def storing(cls, patterns: Any, normalise: bool = False, rule: str = "hebb") -> HopfieldNetwork:
        """Return the network that stores the given patterns.

        Hebb's rule sums the products of units over patterns; it blurs similar patterns, such as images, into
        one. The projection rule makes each pattern a fixed point as long as the patterns are linearly
        independent (Personnaz, Guyon and Dreyfus 1985).

        Parameters
        ----------
        patterns : array, shape (patterns, units)
            Patterns of -1 and 1.
        normalise : bool
            Whether the weights of Hebb's rule are divided by the number of units.
        rule : {"hebb", "projection"}
        """
        one_of("rule", rule, ("hebb", "projection"))
        rows = _signs("patterns", np.atleast_2d(np.asarray(patterns, np.float64)))
        if rule == "projection":
            onto = rows.T @ np.linalg.pinv(rows.T)
            weights, normalise = np.round(0.5 * (onto + onto.T), 12), False
        else:
            weights = rows.T @ rows
        np.fill_diagonal(weights, 0.0)
        network = cls(weights / rows.shape[1] if normalise else weights)
        network.check()
        return network

    def check(self) -> None:
        """Raise an `InputError` unless the weights are symmetric with a zero diagonal."""
        w = self.weights
        if w.ndim != 2 or w.shape[0] != w.shape[1] or not np.array_equal(w, w.T) or np.diag(w).any():
            raise InputError(
                "the weights of a Hopfield network are not symmetric with a zero diagonal; give such weights"
            )

    def energy(self, state: Any) -> float:
        """Return the energy -½ s·W·s, which no update increases."""
        s = np.asarray(state, np.float64)
        return float(-0.5 * s @ self.weights @ s)

    def recall(
        self, state: Any, max_sweeps: int = 100, order: str = "given", random_state: RandomState = 0
    ) -> Recall:
        """Update one unit at a time until a sweep changes nothing.

        A unit whose net input is 0 keeps its state.

        Parameters
        ----------
        state : array
            Initial state of -1 and 1, with 0 for unknown units.
        max_sweeps : int
        order : {"given", "random"}
            Update order of the units: random, or in sequence.
        random_state : int, Generator or None
        """
        s = np.asarray(state, np.float64).copy()
        if s.shape != (len(self.weights),) or not np.isin(s, (-1.0, 0.0, 1.0)).all():
            raise InputError(
                f"state does not match the units; give {len(self.weights)} numbers: -1, 1, or 0 for "
                "unknown units"
            )
        rng = generator(random_state)
        states, settled = [s.copy()], False
        for _ in range(max_sweeps):
            before = s.copy()
            for unit in rng.permutation(len(s)) if order == "random" else range(len(s)):
                net = float(self.weights[unit] @ s)
                if net != 0.0:
                    s[unit] = 1.0 if net > 0 else -1.0
            states.append(s.copy())
            if np.array_equal(before, s):
                settled = True
                break
        return Recall(np.array(states), np.array([self.energy(each) for each in states]), settled)

    def draw(self, recall: Recall, shape: tuple[int, int]) -> Figure:
        """Draw the states of a recall as pictures, from the first to the last."""
        from matplotlib.figure import Figure

        n = len(recall.states)
        figure = Figure(figsize=(1.6 * n, 2.0), layout="constrained")
        for k, axes in enumerate(figure.subplots(1, n, squeeze=False)[0]):
            axes.imshow(recall.states[k].reshape(shape), cmap="gray_r", vmin=-1, vmax=1)
            axes.set_title(f"energy {recall.energies[k]:.4g}", fontsize=8)
            axes.set_xticks([])
            axes.set_yticks([])
        return figure


def capacity_curve(
    n: int,
    loads: Sequence[float] = (0.05, 0.1, 0.138, 0.2, 0.3),
    trials: int = 5,
    random_state: RandomState = 0,
) -> list[tuple[float, float]]:
    """Return the mean overlap of random patterns with their recalled states, for each load.

    Parameters
    ----------
    n : int
        Number of units.
    loads : sequence of float
        Loads: numbers of patterns per unit.
    trials : int
        Number of networks per load.
    random_state : int, Generator or None
        Random seed of the patterns.
    """
    rng = generator(random_state)
    found = []
    for load in loads:
        overlaps = []
        for _ in range(trials):
            patterns = np.where(rng.random((max(1, round(load * n)), n)) < 0.5, -1.0, 1.0)
            network = HopfieldNetwork.storing(patterns)
            some = patterns[: min(5, len(patterns))]
            overlaps += [float(network.recall(each).state @ each) / n for each in some]
        found.append((float(load), float(np.mean(overlaps))))
    return found


def _signs(name: str, rows: Floats) -> Floats:
    if not np.isin(rows, (-1.0, 1.0)).all():
        raise InputError(f"{name} contain values other than -1 and 1; give only these")
    return rows
