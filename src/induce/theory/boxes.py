"""Tightest box around the positive examples, and its error compared with the theoretical bound (ex. 7.4, 7.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.checks import share
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.core.reports import html_table, text_table
from induce.pictures.style import GREY, PALETTE, axes_for, tidy
from induce.theory import checks
from induce.theory.pac import sample_complexity
from induce.theory.regions import rectangles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

SIDE = 100.0


@dataclass(frozen=True)
class Box:
    """A box with sides parallel to the axes: an interval in one dimension, a rectangle in two.

    Parameters
    ----------
    low, high : tuple of float
        Corners of the box; empty if the box covers nothing.
    """

    low: tuple[float, ...]
    high: tuple[float, ...]

    def covers(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Return whether each point lies in the box or on its edge."""
        places = _places(points)
        if not self.low:
            return np.zeros(len(places), np.bool_)
        if places.shape[1] != len(self.low):
            raise InputError(
                f"points have {places.shape[1]} coordinates, but the box has {len(self.low)} sides"
            )
        return np.asarray(((places >= self.low) & (places <= self.high)).all(axis=1))

    def __str__(self) -> str:
        sides = zip(self.low, self.high, strict=True)
        return " x ".join(f"[{low:.6g}, {high:.6g}]" for low, high in sides) or "nothing"


def tightest_box(points: ArrayLike, labels: ArrayLike) -> Box:
    """Return the smallest box that contains all positive examples, as Find-S learns it (exercises 7.4, 7.6).

    Parameters
    ----------
    points : array-like, shape (rows,) or (rows, dimensions)
        Coordinates of the points.
    labels : array-like of bool
        Labels. Without a positive label, the box is empty. If it contains a negative example, no box is
        consistent.

    Examples
    --------
    >>> print(tightest_box([[1, 5], [3, 2], [9, 9]], [True, True, False]))
    [1, 3] x [2, 5]
    """
    places = _places(points)
    inside = checks.labels("labels", labels, len(places), "points")
    if not inside.any():
        return Box((), ())
    box = Box(tuple(places[inside].min(axis=0).tolist()), tuple(places[inside].max(axis=0).tolist()))
    if box.covers(places[~inside]).any():
        raise InputError(
            "a negative example lies among the positive ones, so no box is consistent with the "
            "labels; correct the labels"
        )
    return box


@dataclass(frozen=True, eq=False)
class BoxExperiment:
    """True errors of the tightest rectangle, compared with the VC bound.

    Parameters
    ----------
    m : tuple of int
        Sample sizes.
    errors : array of float64, shape (m, trials)
        True error of the tightest rectangle in each trial, for each m.
    delta : float
        Fraction of the trials in which the bound may fail.
    promised : tuple of float
        Epsilon of equation 7.7 for each m; the bound is vacuous if it is 1 or more.
    """

    m: tuple[int, ...]
    errors: Floats = field(repr=False)
    delta: float
    promised: tuple[float, ...]

    @property
    def mean(self) -> Floats:
        """Mean true error for each m."""
        return np.asarray(self.errors.mean(axis=1))

    @property
    def quantile(self) -> Floats:
        """True error exceeded in a fraction delta of the trials, for each m."""
        return np.asarray(np.quantile(self.errors, 1 - self.delta, axis=1))

    def _table(self) -> list[tuple[str, ...]]:
        rows = zip(self.m, self.mean, self.quantile, self.promised, strict=True)
        return [
            ("rows", "mean error", f"{100 * (1 - self.delta):g}% below", "promised"),
            *(
                (f"{m:,}", f"{mean:.4f}", f"{worst:.4f}", f"{bound:.3f}" if bound < 1 else "nothing")
                for m, mean, worst, bound in rows
            ),
        ]

    def __str__(self) -> str:
        return text_table(self._table(), left=())

    def _repr_html_(self) -> str:
        return html_table(self._table())

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the observed errors below the theoretical bound."""
        figure, axes = axes_for(ax)
        axes.plot(self.m, self.promised, color=PALETTE[1], lw=1.6, ls="--", label="promised, equation 7.7")
        share_below = f"{100 * (1 - self.delta):g}%"
        axes.plot(
            self.m,
            self.quantile,
            color=PALETTE[0],
            marker="o",
            ms=4,
            label=f"{share_below} of the trials below",
        )
        axes.plot(self.m, self.mean, color=PALETTE[4], marker="o", ms=4, label="mean of the trials")
        axes.axhline(1.0, color=GREY, lw=0.8, ls=":")
        axes.set(xscale="log", yscale="log", xlabel="rows", ylabel="true error")
        axes.set_xticks(self.m, [f"{m:,}" for m in self.m])
        axes.xaxis.minorticks_off()
        axes.legend(frameon=False, fontsize=9)
        tidy(axes, "both")
        return figure


def box_experiment(
    m: Iterable[int] = (10, 50, 100, 200, 500, 1000),
    trials: int = 500,
    delta: float = 0.05,
    random_state: RandomState = 0,
) -> BoxExperiment:
    """Learn random rectangles in a square from random points, and measure the true errors (exercise 7.6).

    Each trial draws a target rectangle with uniformly distributed corners, and uniformly distributed points.
    The error is the area of the target outside the tightest rectangle around the positive points.

    Parameters
    ----------
    m : iterable of int
        Sample sizes.
    trials : int
        Number of trials for each sample size.
    delta : float
        Fraction of the trials in which the bound may fail.
    random_state : int, Generator or None
        Random seed of targets and points; 0 by default.

    Examples
    --------
    >>> print(box_experiment((100, 1000)))
     rows  mean error  95% below  promised
      100      0.0267     0.0612   nothing
    1,000      0.0036     0.0072     0.211
    """
    sizes = tuple(m) if isinstance(m, Iterable) else (m,)
    if not sizes:
        raise InputError("m is empty; give at least one sample size")
    for each in sizes:
        checks.drawn("m", each)
    checks.drawn("trials", trials)
    share("delta", delta)
    random = generator(random_state)
    errors = np.array([[_missed(size, random) for _ in range(trials)] for size in sizes])
    promised = tuple(
        sample_complexity(rectangles(2), m=size, delta=delta, setting="vc").epsilon for size in sizes
    )
    return BoxExperiment(sizes, errors, delta, promised)


def _missed(m: int, random: np.random.Generator) -> float:
    low, high = np.sort(random.uniform(0, SIDE, (2, 2)), axis=0)
    points = random.uniform(0, SIDE, (m, 2))
    learned = tightest_box(points, ((points >= low) & (points <= high)).all(axis=1))
    covered = np.prod(np.subtract(learned.high, learned.low)) if learned.low else 0.0
    return float((np.prod(high - low) - covered) / SIDE**2)


def _places(points: ArrayLike) -> Floats:
    places = checks.coordinates(points)
    if places is None:
        raise InputError("points must be a list of numbers or of points with finite coordinates")
    return places
