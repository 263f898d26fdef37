"""The tiling algorithm: layers of threshold units, each with fewer errors than the previous one (AIMA §18.7)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.neural.network import Floats, Group, Link, Network

MOST_LAYERS = 50


@dataclass(frozen=True, eq=False)
class Tiled:
    """A network grown by tiling, and the errors of the master unit of each layer.

    Parameters
    ----------
    network : Network
        Network of threshold units.
    errors : tuple of int
        Number of errors of the master unit of each layer.
    """

    network: Network
    errors: tuple[int, ...]

    def __str__(self) -> str:
        told = ", ".join(map(str, self.errors))
        return f"{self.network}; errors of the master units {told}"


def tile(X: Any, t: Any, passes: int = 50, random_state: RandomState = 0) -> Tiled:
    """Grow layers of threshold units until a unit classifies all examples correctly (Mézard and Nadal 1989).

    The first unit of a layer, its master, classifies as many examples correctly as the pocket algorithm can
    achieve. Further units separate examples of different classes that all units of the layer map to the same
    code. The next layer sees only this one. On consistent examples, each master makes fewer errors than the
    previous one.

    Parameters
    ----------
    X : array, shape (rows, inputs)
        Inputs of the examples.
    t : array
        Targets of -1 and 1.
    passes : int
        Number of passes over the examples for each unit.
    random_state : int, Generator or None
        Random seed of the order of examples.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> tiled = tile(X, [-1, 1, 1, -1])
    >>> tiled.network(X).ravel().astype(int).tolist(), tiled.errors[-1]
    ([-1, 1, 1, -1], 0)
    """
    rows, targets = np.atleast_2d(np.asarray(X, np.float64)), np.asarray(t, np.float64)
    if targets.shape != (len(rows),) or not np.isin(targets, (-1.0, 1.0)).all():
        raise InputError(
            "t contains other values than -1 and 1, or not one per row; give a target of -1 or 1 for each row"
        )
    rng = generator(random_state)
    layers: list[Floats] = []
    errors: list[int] = []
    seen, start = rows, np.zeros(rows.shape[1] + 1)
    while len(layers) < MOST_LAYERS:
        master = _pocket(seen, targets, start, passes, rng)
        wrong = int((_said(seen, master) != targets).sum())
        if errors and wrong >= errors[-1]:  # contradictory examples: no layer can do better
            break
        errors.append(wrong)
        layers.append(_layer(seen, targets, master, passes, rng) if wrong else master[np.newaxis])
        if not wrong:
            break
        seen = np.column_stack([_said(seen, unit) for unit in layers[-1]])
        start = _improved(seen, targets)
    layers[-1] = layers[-1][:1]
    return Tiled(_assembled(layers), tuple(errors))


def _said(seen: Floats, w: Floats) -> Floats:
    return np.where(w[0] + seen @ w[1:] > 0, 1.0, -1.0)


def _pocket(seen: Floats, t: Floats, start: Floats, passes: int, rng: np.random.Generator) -> Floats:
    """Return the best weights found by the perceptron rule: the pocket algorithm."""
    inputs = np.column_stack([np.ones(len(seen)), seen])
    w, best = start.copy(), start.copy()
    least = int((_said(seen, w) != t).sum())
    for _ in range(passes):
        for row in rng.permutation(len(seen)):
            if t[row] * (inputs[row] @ w) <= 0:
                w = w + t[row] * inputs[row]
        wrong = int((_said(seen, w) != t).sum())
        if wrong < least:
            best, least = w, wrong
        if not wrong:
            break
    return best


def _layer(seen: Floats, t: Floats, master: Floats, passes: int, rng: np.random.Generator) -> Floats:
    """Return the master and enough units to separate all examples of different classes."""
    units = [master]
    while (mixed := _mixed(seen, t, units)) is not None:
        unit = _pocket(seen[mixed], t[mixed], np.zeros(seen.shape[1] + 1), passes, rng)
        if len(np.unique(_said(seen[mixed], unit))) == 1:
            unit = _between(seen[mixed], t[mixed])
        units.append(unit)
    return np.array(units)


def _mixed(seen: Floats, t: Floats, units: list[Floats]) -> Any:
    """Return distinct rows of both classes with the same code; None if there are none."""
    codes = np.column_stack([_said(seen, unit) for unit in units])
    for group in np.unique(np.unique(codes, axis=0, return_inverse=True)[1].ravel()):
        rows = np.flatnonzero(np.unique(codes, axis=0, return_inverse=True)[1].ravel() == group)
        if len(np.unique(t[rows])) > 1 and _differing(seen[rows], t[rows]) is not None:
            return rows
    return None


def _differing(seen: Floats, t: Floats) -> tuple[Floats, Floats] | None:
    """Return two different rows of different classes."""
    for one in seen[t > 0]:
        for other in seen[t < 0]:
            if (one != other).any():
                return one, other
    return None


def _between(seen: Floats, t: Floats) -> Floats:
    """Return a unit whose boundary lies halfway between two rows of different classes."""
    found = _differing(seen, t)
    assert found is not None
    apart = found[0] - found[1]
    return np.concatenate([[-float(apart @ (found[0] + found[1])) / 2.0], apart])


def _improved(seen: Floats, t: Floats) -> Floats:
    """Return weights that repeat the last master but correct one more code, as the start of the next pocket run."""
    n = seen.shape[1]
    wrong = seen[np.flatnonzero(seen[:, 0] != t)[0]]
    w = np.zeros(n + 1)
    if n < 3:
        w[1] = 1.0
        return w
    share = (1.0 / n + 1.0 / (n - 2)) / 2.0
    w[1:] = share * -wrong[0] * wrong
    w[1] = 1.0
    return w


def _assembled(layers: list[Floats]) -> Network:
    sizes = [layers[0].shape[1] - 1, *map(len, layers)]
    names = ["inputs", *(f"layer{k + 1}" for k in range(len(layers) - 1)), "outputs"]
    groups = [
        Group(name, size, "threshold" if k else "input", bias=bool(k))
        for k, (name, size) in enumerate(zip(names, sizes, strict=True))
    ]
    network = Network.of(groups, [Link(one, other) for one, other in pairwise(names)])
    for (one, other), units in zip(pairwise(names), layers, strict=True):
        network = network.set(other, units[:, 0]).set((one, other), units[:, 1:].T)
    return network
