"""ALVINN on generated roads (Mitchell §4.1, figure 4.1): road images, a steering network and a drive."""

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
"""Look-ahead distance of the driver, in half-widths of the road."""
GAIN = 60.0
"""Steering directions per unit of curvature."""
DISTANCE = 1.0 / (0.1 + 0.9 * (np.arange(SHAPE[0]) + 0.5) / SHAPE[0])
"""Distance of the ground in each row of the image; the bottom row is nearest to the car."""
HILL = 2.0
"""Width of the output bump around the correct direction."""


@dataclass(frozen=True, eq=False)
class Views:
    """Road images, one per row, and the driver's steering direction: 0 is hard left, 29 hard right."""

    images: Floats
    directions: Floats

    @property
    def hills(self) -> Floats:
        """Return the targets: a bump over the 30 outputs centred on the direction."""
        apart = np.arange(DIRECTIONS) - self.directions[:, np.newaxis]
        return np.asarray(np.exp(-0.5 * np.square(apart / HILL)))


def view(offset: float, heading: float, curve: float, rng: np.random.Generator) -> Floats:
    """Return a 30 x 32 pixel image of a road in perspective, with noise and random brightness.

    Parameters
    ----------
    offset : float
        Offset of the car to the right of the middle, in half-widths of the road.
    heading : float
        Angle between car and road; positive to the right.
    curve : float
        Curvature of the road; positive to the right.
    rng : Generator
        Random generator for light and noise.
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
    """Return the direction of a driver who aims at the middle of the road at the look-ahead distance."""
    aim = -offset - heading * AHEAD + 0.5 * curve * AHEAD**2
    return float(np.clip((DIRECTIONS - 1) / 2 + GAIN * 2.0 * aim / AHEAD**2, 0.0, DIRECTIONS - 1.0))


def roads(n: int, seed: int = 0) -> Views:
    """Return views from random positions on random roads; off-centre positions teach recovery.

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
    """Return the direction encoded by the outputs: the centre of the bump around the largest output.

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
    """Return a network of 960 inputs, 4 hidden units and 30 outputs, trained on n views."""
    import induce

    views = roads(n, seed)
    learner = induce.NeuralNetworkRegressor(
        hidden=4, output="sigmoid", scale=None, weight_decay=0.3, max_epochs=max_epochs, random_state=seed
    )
    return learner.fit(views.images, views.hills)


@dataclass(frozen=True, eq=False)
class Drive:
    """Drive of a car: its offset from the middle of the road at each step, in half-widths, and the curvature."""

    offsets: Floats
    curves: Floats

    @property
    def stays(self) -> bool:
        """Whether the car stayed on the road."""
        return bool((np.abs(self.offsets) < 1.0).all())

    def draw(self) -> Figure:
        """Return a figure of the offset and curvature over the steps."""
        from induce.pictures.style import GREY, PALETTE, axes_for, tidy

        figure, axes = axes_for(None, 7.0, 3.0)
        axes.plot(self.offsets, color=PALETTE[0], label="offset from the middle")
        axes.plot(
            self.curves / 0.06,
            color=PALETTE[1],
            lw=1.0,
            label="curvature of the road, as a fraction of the maximum",
        )
        for edge in (-1.0, 1.0):
            axes.axhline(edge, color=GREY, lw=1.0, ls=":")
        axes.set_xlabel("step")
        axes.set_ylabel("half-widths of the road")
        axes.legend(fontsize=8, frameon=False, loc="upper right", ncols=2)
        axes.set_ylim(-1.3, 1.5)
        tidy(axes)
        return figure


def drive(network: Any, steps: int = 400, seed: int = 1, start: float = 0.5) -> Drive:
    """Let the network steer: each view depends on the position reached with the last direction.

    Parameters
    ----------
    network : callable
        Function that returns 30 outputs for a row of 960 pixels, such as ``learner.predict``.
    steps : int
    seed : int
        Random generator for the road, light and noise.
    start : float
        Initial offset of the car.
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
