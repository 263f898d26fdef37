"""ALVINN on generated roads (Mitchell §4.1, figure 4.1): images of a road, a network that steers, and a drive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.statistics.logistic import sigmoid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.neural.learners.neural_network_regressor import NeuralNetworkRegressor

Floats = NDArray[np.float64]

SHAPE = (30, 32)
DIRECTIONS = 30
AHEAD = 4.0
"""Distance at which the driver aims, in half widths of the road."""
GAIN = 60.0
"""Steering directions per unit of curvature."""
DISTANCE = 1.0 / (0.1 + 0.9 * (np.arange(SHAPE[0]) + 0.5) / SHAPE[0])
"""Distance of the ground in each row of the image; the bottom row is next to the car."""
HILL = 2.0
"""Width of the hill of outputs around the right direction."""


@dataclass(frozen=True, eq=False)
class Views:
    """Images of roads, a row each, and the direction in which a driver steers: 0 is hard left, 29 hard right."""

    images: Floats
    directions: Floats

    @property
    def hills(self) -> Floats:
        """Targets: a hill of 30 outputs around the direction."""
        apart = np.arange(DIRECTIONS) - self.directions[:, np.newaxis]
        return np.asarray(np.exp(-0.5 * np.square(apart / HILL)))


def view(offset: float, heading: float, curve: float, rng: np.random.Generator) -> Floats:
    """Return an image of 30 x 32 pixels of a road in perspective, with noise and a brightness of its own.

    Parameters
    ----------
    offset : float
        Place of the car right of the middle, in half widths of the road.
    heading : float
        Angle of the car to the road, to the right.
    curve : float
        Curvature of the road, to the right.
    rng : Generator
        Draws light and noise.
    """
    middle = -offset - heading * DISTANCE + 0.5 * curve * DISTANCE**2
    across = (np.arange(SHAPE[1]) - (SHAPE[1] - 1) / 2)[np.newaxis] * DISTANCE[:, np.newaxis] / 10.0
    apart = np.abs(across - middle[:, np.newaxis])
    road, verge = rng.uniform(0.55, 0.85), rng.uniform(0.15, 0.35)
    edge = sigmoid(12.0 * (1.0 - apart) / DISTANCE[:, np.newaxis] ** 0.5)
    line = 0.25 * np.exp(-np.square((apart - 0.9) / 0.08))
    image = verge + (road - verge) * edge + line + 0.05 * rng.normal(size=SHAPE)
    return np.clip(image, 0.0, 1.0).ravel()


def steering(offset: float, heading: float, curve: float) -> float:
    """Return the direction of a driver who aims at the middle of the road some way ahead."""
    aim = -offset - heading * AHEAD + 0.5 * curve * AHEAD**2
    return float(np.clip((DIRECTIONS - 1) / 2 + GAIN * 2.0 * aim / AHEAD**2, 0.0, DIRECTIONS - 1.0))


def roads(n: int, seed: int = 0) -> Views:
    """Return views from random places on random roads, off the middle too, so that recovery is learned.

    Examples
    --------
    >>> roads(5).images.shape, roads(5).hills.shape
    ((5, 960), (5, 30))
    """
    rng = np.random.default_rng(seed)
    states = rng.uniform(-1, 1, (n, 3)) * np.array([0.7, 0.16, 0.06])
    images = np.array(
        [view(offset, heading, curve, rng) for offset, heading, curve in states.tolist()]
    ).reshape(n, SHAPE[0] * SHAPE[1])
    return Views(images, np.array([steering(*state) for state in states.tolist()]))


def centre(outputs: Any) -> Floats:
    """Return the direction that outputs ask for: the centre of the hill around the largest.

    Examples
    --------
    >>> centre(Views(np.empty((1, 0)), np.array([11.3])).hills).round(1).tolist()
    [11.3]
    """
    said = np.atleast_2d(outputs)
    near = np.abs(np.arange(said.shape[1]) - said.argmax(axis=1)[:, np.newaxis]) <= 2 * HILL
    mass = np.where(near, np.maximum(said, 0.0), 0.0) + 1e-12 * near
    return np.asarray(mass @ np.arange(said.shape[1]) / mass.sum(axis=1))


def trained(n: int = 800, seed: int = 0, max_epochs: int = 150) -> NeuralNetworkRegressor:
    """Return a network of 960 inputs, 4 hidden units and 30 outputs, trained on so many views."""
    import induce

    views = roads(n, seed)
    learner = induce.NeuralNetworkRegressor(
        hidden=4, output="sigmoid", scale=None, weight_decay=0.3, max_epochs=max_epochs, random_state=seed
    )
    return learner.fit(views.images, views.hills)


@dataclass(frozen=True, eq=False)
class Drive:
    """The car at each step: its offset from the middle of the road, in half widths, and the curve of the road."""

    offsets: Floats
    curves: Floats

    @property
    def stays(self) -> bool:
        """Whether the car never left the road."""
        return bool((np.abs(self.offsets) < 1.0).all())

    def draw(self) -> Figure:
        """Return a figure of the offset and of the curve over the steps."""
        from induce.pictures.style import GREY, PALETTE, axes_for, tidy

        figure, axes = axes_for(None, 7.0, 3.0)
        axes.plot(self.offsets, color=PALETTE[0], label="offset from the middle")
        axes.plot(
            self.curves / 0.06,
            color=PALETTE[1],
            lw=1.0,
            label="curve of the road, as a share of the sharpest",
        )
        for edge in (-1.0, 1.0):
            axes.axhline(edge, color=GREY, lw=1.0, ls=":")
        axes.set_xlabel("step")
        axes.set_ylabel("half widths of the road")
        axes.legend(fontsize=8, frameon=False, loc="upper right", ncols=2)
        axes.set_ylim(-1.3, 1.5)
        tidy(axes)
        return figure


def drive(network: Any, steps: int = 400, seed: int = 1, start: float = 0.5) -> Drive:
    """Let the network steer: each view follows from where the last direction took the car.

    Parameters
    ----------
    network : callable
        Gives 30 outputs for a row of 960 pixels, such as ``learner.predict``.
    steps : int
    seed : int
        Draws the road, light and noise.
    start : float
        Offset at which the car begins.
    """
    rng = np.random.default_rng(seed)
    turns = rng.uniform(-0.05, 0.05, steps // 40 + 2)
    curves = np.interp(np.arange(steps), 40.0 * np.arange(len(turns)), turns)
    offset, heading, offsets = start, 0.0, np.empty(steps)
    for step, curve in enumerate(curves):
        direction = float(centre(network(view(offset, heading, float(curve), rng)[np.newaxis]))[0])
        turned = (direction - (DIRECTIONS - 1) / 2) / GAIN
        offset, heading = offset + 0.3 * heading, heading + 0.3 * (turned - float(curve))
        offsets[step] = offset
    return Drive(offsets, curves)
