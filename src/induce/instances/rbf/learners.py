"""The learners of radial basis function networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.parameters import at_least, one_of
from induce.core.randomness import RandomState
from induce.data.numeric_view import SCALES, Floats, NumericView
from induce.data.schema import Schema
from induce.estimators import ClassReading, NumberReading, Reading, TableClassifier, TableRegressor
from induce.instances.choice import LeaveOneOutChoice, several_of
from induce.instances.rbf.centres import STRATEGIES, place
from induce.instances.rbf.fitting import INTERCEPTS, activations, output_weights
from induce.instances.rbf.hypothesis import RBFClassNetwork, RBFNetwork
from induce.instances.targets import refuse_too_large

FACTORS = (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6)
"""What the widths of the centres are multiplied by to have widths to choose from."""
MOST_CENTRES = 5000


class _RBFNetworkLearner:
    """What both learners do: place the kernels, then fit the outputs."""

    def __init__(
        self,
        *,
        centers: str = "em",
        n_centers: int = 10,
        width: float | Sequence[float] | None = None,
        intercept: str = "free",
        ridge: float = 1e-4,
        scale: str | None = "standard",
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.centers = centers
        self.n_centers = n_centers
        self.width = width
        self.intercept = intercept
        self.ridge = ridge
        self.scale = scale
        self.schema = schema
        self.random_state = random_state

    def _parts(self, reading: Reading, targets: Floats) -> dict[str, Any]:
        """Return the parts of the network that is learned: two stages, and the targets are for the second."""
        one_of("centers", self.centers, STRATEGIES)
        at_least("n_centers", self.n_centers, 1, whole=True)
        one_of("intercept", self.intercept, INTERCEPTS)
        at_least("ridge", self.ridge, 0.0)
        one_of("scale", self.scale, SCALES)
        weights = reading.weight()
        counted = np.flatnonzero(weights)
        view = NumericView.of(reading.table, self.scale, reading.weights)
        points, targets, weights = view.matrix(reading.table)[counted], targets[counted], weights[counted]
        centres, base = place(self.centers, points, weights, int(self.n_centers), self.random_state)
        if len(centres) > MOST_CENTRES:
            raise InputError(
                f"centers='all' makes {len(centres):,} kernels, and weights for so many take too long to fit; take "
                "'em', 'random' or 'grid'"
            )
        trials = self._widths(base, len(points))
        fits, losses = [], []
        for widths in trials.values():
            kernels = activations(points, centres, widths)
            w0, w, left_out = output_weights(kernels, targets, weights, self.intercept, float(self.ridge))
            fits.append({"widths": widths, "bias": w0, "weights": w})
            with np.errstate(over="ignore"):
                losses.append(float(weights @ np.square(left_out).sum(axis=1) / weights.sum()))
        choice, best = None, list(trials).index(1.0) if self.width is None else 0
        if len(trials) > 1 and np.isfinite(losses).any():
            varies = "width factor" if self.width is None else "width"
            choice = LeaveOneOutChoice.over({varies: list(trials)}, losses, "squared error")
            best = choice.chosen
        return {"schema": reading.schema, "view": view, "centres": centres, "choice": choice, **fits[best]}

    def _widths(self, base: Floats, n: int) -> dict[float, Floats]:
        """Return the widths to choose from, by what is said of them."""
        if self.width is None:
            factors = (1.0,) if len(base) >= n else FACTORS
            return {factor: base * factor for factor in factors}
        several = several_of("width", self.width)
        for width in several:
            if not isinstance(width, int | float | np.number) or not 0 < width < np.inf:
                raise InputError(f"width is {width!r}; it must be a number above 0")
        return {float(width): np.full(len(base), float(width)) for width in several}


class RBFNetworkRegressor(_RBFNetworkLearner, TableRegressor):
    """A radial basis function network that predicts a number (Mitchell §8.4).

    Training has two stages. The first places Gaussian kernels in the space of the inputs and looks at no target. The
    second fits the weights of the sum by least squares, the kernels fixed. A missing number counts as the mean of
    its column, a missing category or one not seen in training as the shares of the categories in training.

    Parameters
    ----------
    centers : {"em", "random", "grid", "all"}
        Where the kernels are: at the means of Gaussians that EM fits to the inputs, each as wide as its Gaussian; at
        examples drawn at random; spread uniformly over the inputs; at every example, so that the examples are
        fitted exactly where `ridge` is 0.
    n_centers : int
        How many kernels there are at most, unless there is one for every example.
    width : float or sequence of float, optional
        The deviation of all kernels, in the units that `scale` makes. Of several the one is taken with the least
        squared error on examples left out one at a time, the kernels as they are. Where it is None, the widths are
        those of the Gaussians, or the distance of the nearest other centre, times a factor that is chosen in the
        same way if there are fewer kernels than examples.
    intercept : {"free", "mean", "zero"}
        Whether w_0 is fitted too, is the mean of the targets, or is 0.
    ridge : float
        What a weight of 1 costs, in mean squared error. Without it, of all weights that fit best the smallest are
        taken.
    scale : {"standard", "range", None}
        Divide numeric columns by their standard deviation or their range, or take them as they are.
    schema : Schema or dict, optional
        What is known of the columns beyond their types.
    random_state : int, Generator or None
        Random seed, for the starts of EM and for examples drawn at random.

    Attributes
    ----------
    hypothesis_ : RBFNetwork

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0.0, 1.0, 4.0, 9.0, 16.0]
    >>> network = RBFNetworkRegressor(centers="grid", n_centers=2, width=1.0, ridge=0.0, scale=None).fit(X, y)
    >>> print(network.hypothesis_)
    y = 11.86 + a sum of 2 kernels
          -13.67  near x0 1 (width 1)
           1.252  near x0 3 (width 1)
    """

    hypothesis_: RBFNetwork

    def _learn(self, reading: NumberReading) -> RBFNetwork:
        refuse_too_large(reading.numbers)
        return RBFNetwork(target=reading.target, **self._parts(reading, reading.numbers[:, np.newaxis]))


class RBFNetworkClassifier(_RBFNetworkLearner, TableClassifier):
    """A radial basis function network with an output unit for each class (Mitchell §8.4).

    Each output is fitted to 1 for the examples of its class and 0 for the others; the class of the largest is
    predicted. Everything else is as in `RBFNetworkRegressor`, missing values and unseen categories included.

    Parameters
    ----------
    centers, n_centers, width, intercept, ridge, scale, schema, random_state
        See `RBFNetworkRegressor`.

    Attributes
    ----------
    hypothesis_ : RBFClassNetwork

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> network = RBFNetworkClassifier().fit(X, y)
    >>> bool(network.score(X, y) > 0.95)
    True
    """

    hypothesis_: RBFClassNetwork

    def _learn(self, reading: ClassReading) -> RBFClassNetwork:
        indicators = (reading.labels[:, np.newaxis] == np.arange(len(reading.classes))).astype(np.float64)
        return RBFClassNetwork(
            target=reading.target, classes=reading.classes, **self._parts(reading, indicators)
        )
