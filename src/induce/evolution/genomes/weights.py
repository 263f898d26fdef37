"""Weights of a feed-forward network as a genome (Mitchell, exercise 9.4)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.checks import at_least
from induce.evolution.genomes.kind import Floats, Places
from induce.evolution.genomes.vectors import Reals, Rows

if TYPE_CHECKING:
    from induce.neural.network import Network


@dataclass(frozen=True, init=False)
class Weights(Reals):
    """Weights of a network of sigmoid units; crossover never separates the incoming weights of a unit.

    Parameters
    ----------
    layers : tuple of int
        Numbers of inputs, of hidden units per layer, and of outputs.
    low, high : float
        Bounds of every weight.
    step : float
        Standard deviation of a mutation, as a fraction of the range.
    by : str or Crossover
        Crossover of units.
    n : int, optional
        Number of weights; follows from `layers`.
    names : tuple of str, optional
        Names of the weights; follow from `layers`.

    Examples
    --------
    >>> kind = Weights((3, 2, 1))
    >>> kind.n, kind.units().tolist()
    (11, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2])
    """

    layers: tuple[int, ...] = (1, 1)

    def __init__(
        self,
        layers: tuple[int, ...],
        low: float = -5.0,
        high: float = 5.0,
        step: float = 0.1,
        *,
        by: Any = "uniform",
        n: int | None = None,
        names: tuple[str, ...] = (),
    ) -> None:
        at_least("the number of layers", len(layers), 2, whole=True)
        for units in layers:
            at_least("the units of a layer", units, 1, whole=True)
        settle = object.__setattr__
        settle(self, "layers", tuple(layers))
        # each unit has a weight from every unit below and a bias
        settle(self, "n", sum((below + 1) * here for below, here in pairwise(layers)))
        settle(self, "low", low)
        settle(self, "high", high)
        settle(self, "step", step)
        settle(self, "names", names)
        settle(self, "by", by)
        self.__post_init__()

    def units(self) -> Places:
        sizes = [below + 1 for below, here in pairwise(self.layers) for _ in range(here)]
        return np.repeat(np.arange(len(sizes)), sizes)

    def outputs(self, weights: Rows, X: Floats) -> Floats:
        """Return the outputs of the network for the rows of X.

        Examples
        --------
        >>> Weights((1, 1)).outputs(np.array([0.0, 0.0]), np.ones((1, 1))).tolist()
        [[0.5]]
        """
        from induce.statistics.logistic import sigmoid

        # fitness is computed for thousands of genomes: avoid building a network for each

        values, first = np.asarray(X, dtype=np.float64), 0
        for below, here in pairwise(self.layers):
            last = first + (below + 1) * here
            layer = weights[first:last].reshape(here, below + 1)
            values, first = sigmoid(values @ layer[:, 1:].T + layer[:, 0]), last
        return values

    def network(self, weights: Rows) -> Network:
        """Return the network of a genome, for drawing, training or export.

        Examples
        --------
        >>> print(Weights((3, 2, 1)).network(np.zeros(11)))
        a network of 11 weights: inputs 3, hidden 2 sigmoid, outputs 1 sigmoid
        """
        from induce.neural.network import Network

        made, first = Network.layered(*self.layers), 0
        names = [group.name for group in made.groups]
        for (below, here), (source, target) in zip(pairwise(self.layers), pairwise(names), strict=True):
            last = first + (below + 1) * here
            layer = np.asarray(weights, np.float64)[first:last].reshape(here, below + 1)
            made, first = made.set(target, layer[:, 0]).set((source, target), layer[:, 1:].T), last
        return made
