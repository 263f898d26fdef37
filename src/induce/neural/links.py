"""Links in the form used by both executors, with their forward and backward passes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.neural.windows import Windowed

if TYPE_CHECKING:
    from induce.neural.network import Group, Link

Array = NDArray[Any]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Dense:
    """Connections between all units of two groups, each with its own weight."""

    source: int
    block: slice
    shape: tuple[int, int]

    @property
    def n_seen(self) -> int:
        """Number of values that the link reads per row."""
        return self.shape[0]

    @cached_property
    def connections(self) -> tuple[Ints, Ints, Ints]:
        """Source, target and weight of each connection, ordered by source and target."""
        place = np.arange(self.shape[0] * self.shape[1])
        return place // self.shape[1], place % self.shape[1], place

    def seen(self, x: Array) -> None:
        """Return nothing: the source outputs are used unchanged."""

    def matrix(self, weights: Array) -> Array:
        """Return the weights as a matrix of sources and targets."""
        return weights.reshape(self.shape)

    def push(self, weights: Array, x: Array, seen: Array | None = None) -> Array:
        """Return the contribution of the link to the net inputs of each row."""
        return np.asarray(x @ self.matrix(weights))

    def gather(self, x: Array, delta: Array, seen: Array | None = None) -> Array:
        """Return the sum over rows of delta times source, for each weight."""
        return np.asarray(x.T @ delta).ravel()

    def back(self, weights: Array, delta: Array) -> Array:
        """Return the derivatives passed back to the sources, for each row."""
        return np.asarray(delta @ self.matrix(weights).T)


@dataclass(frozen=True, eq=False)
class Placed(Dense):
    """Connections that share weights or are absent, as given by `Link.places`."""

    places: Ints

    @cached_property
    def connections(self) -> tuple[Ints, Ints, Ints]:
        """Source, target and weight of each connection, ordered by source and target."""
        source, target = np.nonzero(self.places >= 0)
        return source, target, np.asarray(self.places)[source, target]

    def matrix(self, weights: Array) -> Array:
        """Return the weights as a matrix; absent connections have weight 0."""
        return spread(weights, self.places, self.shape)

    def gather(self, x: Array, delta: Array, seen: Array | None = None) -> Array:
        """Return the sum over rows and copies of delta times source, for each weight."""
        source, target, place = self.connections
        gathered = (x.T @ delta)[source, target]
        return np.bincount(place, gathered, self.block.stop - self.block.start)


AnyLink = Dense | Windowed


def spread(weights: Array, places: Ints | None, shape: tuple[int, ...]) -> Array:
    """Return the weights of a link as a matrix; absent connections have weight 0."""
    if places is None:
        return weights.reshape(shape)
    return np.asarray(np.where(places >= 0, weights[np.maximum(places, 0)], 0.0), weights.dtype)


def executor(link: Link, place: int, source: Group, target: Group, block: slice) -> AnyLink:
    """Return a link in the form used by executors."""
    if link.window is not None:
        assert source.shape is not None
        assert target.shape is not None
        return Windowed(place, block, link.window, source.shape, target.shape)
    shape = (source.size, target.size)
    if link.places is None:
        return Dense(place, block, shape)
    return Placed(place, block, shape, np.asarray(link.places, np.int64))


def each_row(link: AnyLink, x: Array, delta: Array) -> Array:
    """Return the derivative with respect to each weight of a link, as an array of rows and weights."""
    if type(link) is Dense:
        return (x[:, :, np.newaxis] * delta[:, np.newaxis, :]).reshape(len(x), -1)
    source, target, place = link.connections
    order = np.argsort(place, kind="stable")
    met, starts = np.unique(place[order], return_index=True)
    found = np.zeros((len(x), link.block.stop - link.block.start), delta.dtype)
    found[:, met] = np.add.reduceat(x[:, source[order]] * delta[:, target[order]], starts, axis=1)
    return found


def flat(link: AnyLink, n_source: int) -> Ints:
    """Return the connections as flat arrays for compiled loops: start per source, then targets and weights."""
    source, target, place = link.connections
    begins = np.searchsorted(source, np.arange(n_source + 1))
    return np.concatenate([begins, np.column_stack([target, place]).ravel()]).astype(np.int64)
