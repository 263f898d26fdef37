"""Classification in single precision whenever an error bound shows that rounding cannot change the class.

A sum of n products rounded to a unit u differs from the exact sum by at most n u sum |w x|, in any order, with or
without fused multiply-add; by the Cauchy-Schwarz inequality that is at most n u |w| |x|. An error of the sources is
multiplied by the sum of the absolute weights, and a unit multiplies it by at most its steepest slope.

References
----------
N. J. Higham (2002). Accuracy and stability of numerical algorithms, 2nd edition, chapter 3. SIAM.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.neural.network import Network
from induce.neural.plan import Plan
from induce.neural.units import CODES, activated

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

LEAST_WORK = 2**26
"""Number of products of weights and inputs below which double precision is fast enough."""
UNIT = 2.0**-24
"""Unit roundoff of single precision: maximum relative rounding error."""
SLOPES = {"linear": 1.0, "rectified": 1.0, "tanh": 1.0, "sigmoid": 0.25, "softmax": 0.5}
"""Maximum slope of each kind of unit with respect to its net inputs."""
FUNCTION = 16 * UNIT
"""Error of exponentials and of the unit outputs computed from them, all between -1 and 1; a softmax adds one
per class.
"""
WIDEST = 2**16
"""Maximum group size for which margins of one percent cover second-order terms and norms in single precision."""
NEAR = 1e-6
"""Score differences below which double precision decides, since it defines ties."""
TINY = 1e-30
"""Constant added to the norm of inputs: bounds values that underflow to 0 in single precision."""


class Norms(NamedTuple):
    """Largest L1 and L2 norms of the weights into a unit of a group."""

    absolute: float
    euclidean: float


class SinglePrecision:
    """A network in single precision with a bound on the difference of its outputs from double precision.

    Parameters
    ----------
    network : Network
        Network without windows and threshold units; see `fits`.

    Examples
    --------
    >>> network = Network.layered(2, 1, unit="tanh").with_weights([0.0, 2.0, -1.0])
    >>> X = np.array([[0.1, 0.7]])
    >>> said, bound = SinglePrecision(network)(X)
    >>> bool(abs(said - network(X))[0, 0] <= bound[0] < 1e-5)
    True
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.plan: Plan = network.plan
        with np.errstate(over="ignore"):
            self.weights: Singles = network.weights.astype(np.float32)
        self.norms = {
            (place, number): _norms(link.matrix(network.weights[link.block]))
            for place in self.plan.order
            for number, link in enumerate(self.plan.into[place])
        }

    @staticmethod
    def fits(network: Network) -> bool:
        """Return whether the bound is known for all units and links of a network."""
        return all(
            group.unit in ("input", *SLOPES) and group.size <= WIDEST for group in network.groups
        ) and not (network.has_windows or network.plan.delayed)

    def __call__(self, X: Floats) -> tuple[Singles, Floats]:
        """Return the outputs for each row of inputs, and a bound on their error."""
        plan, groups = self.plan, self.network.groups
        said: list[Any] = [None] * len(groups)
        wrong: list[Any] = [None] * len(groups)
        start = 0
        with np.errstate(over="ignore", invalid="ignore"):
            inputs = X.astype(np.float32)
            for place, group in enumerate(groups):
                if group.unit == "input":
                    said[place], wrong[place] = inputs[:, start : start + group.size], np.zeros(len(X))
                    start += group.size
            lengths = [None if each is None else _lengths(each) for each in said]
            for place in (place for place in plan.order if groups[place].unit != "input"):
                group = groups[place]
                net = plan.net(place, self.weights, said, len(X))
                if group.bias:
                    plan.add_bias(group, self.weights, net)
                wrong[place] = self._wrong(place, wrong, lengths)
                said[place] = activated(CODES[group.unit], net, group.steepness, group.off, False)
                lengths[place] = _lengths(said[place])
            bounds = np.max([wrong[place] for place in plan.outputs], axis=0)
        return plan.chosen(said), bounds

    def _wrong(self, place: int, wrong: list[Any], lengths: list[Any]) -> Floats:
        """Return a bound on the error of a group's unit outputs for each row."""
        group = self.network.groups[place]
        found, length = np.zeros(1), np.zeros(1)
        terms = 8.0 + len(
            self.plan.into[place]
        )  # weights, inputs and biases are rounded too; the errors of links add up
        for number, link in enumerate(self.plan.into[place]):
            norms = self.norms[place, number]
            terms += self.network.groups[link.source].size
            found = found + norms.absolute * wrong[link.source]
            length = length + norms.euclidean * (lengths[link.source] + TINY)
        if group.bias:
            biases = self.network.weights[self.plan.blocks[group.name]]
            length = length + np.abs(biases).max(initial=0.0)
        net = found + 1.01 * terms * UNIT * (length + found)
        added = FUNCTION + (group.size * UNIT if group.unit == "softmax" else 0.0)
        return np.asarray(group.steepness * SLOPES[group.unit] * net + added)


def decided_places(
    network: Network,
    X: Floats,
    single: SinglePrecision,
    scores: Callable[[Any], Any],
    decide: Callable[[Floats], NDArray[np.intp]],
) -> tuple[NDArray[np.intp], int]:
    """Return the class of each row, and the number of rows that needed double precision.

    Parameters
    ----------
    network : Network
    X : array
        Rows of inputs.
    single : SinglePrecision
        The same network in single precision.
    scores : callable
        Function from outputs to one score per class; no score may change more than the outputs.
    decide : callable
        Function from double-precision scores to the class.
    """
    said, bound = single(X)
    found = np.asarray(scores(said))
    places = found.argmax(axis=1)
    rows = np.arange(len(found))
    top = found[rows, places].astype(np.float64)
    found[rows, places] = -np.inf
    second = found.max(axis=1)
    # written so that NaN counts as undecided
    open_ = np.flatnonzero(~(top - second > 2.0 * bound + NEAR * np.maximum(1.0, np.abs(top))))
    if len(open_):
        places[open_] = decide(scores(network(X[open_])))
    return places, len(open_)


def _norms(matrix: Floats) -> Norms:
    return Norms(
        float(np.abs(matrix).sum(axis=0).max(initial=0.0)),
        float(np.sqrt(np.square(matrix).sum(axis=0).max(initial=0.0))),
    )


def _lengths(rows: Singles) -> Floats:
    """Return the Euclidean norm of each row, with a margin for the rounding of its own sum."""
    return np.asarray(1.01 * np.sqrt(np.einsum("ij,ij->i", rows, rows), dtype=np.float64))
