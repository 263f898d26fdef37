"""The curse of dimensionality: distances of nearest examples, and the fraction near the boundary (AIMA
18.8.1, 20.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, lgamma, log, pi
from typing import TYPE_CHECKING

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def neighbourhood_edge(k: float, n: float, dimensions: int) -> float:
    """Return the edge of the cube that contains on average k of n uniform points in a unit cube.

    Parameters
    ----------
    k : float
        Number of points in the cube.
    n : float
        Number of points in the unit cube.
    dimensions : int
        Number of dimensions.

    Examples
    --------
    >>> [round(neighbourhood_edge(10, 1_000_000, d), 3) for d in (2, 3, 17, 200)]
    [0.003, 0.022, 0.508, 0.944]
    """
    _check(k, n, dimensions)
    return float((k / n) ** (1.0 / dimensions))


def neighbourhood_radius(k: float, n: float, dimensions: int) -> float:
    """Return the radius of the ball that contains on average k of n points with density n.

    In many dimensions it exceeds the unit cube of the points, because the corners hold most of the volume.

    Parameters
    ----------
    k : float
        Number of points in the ball.
    n : float
        Density of the points.
    dimensions : int
        Number of dimensions.

    Examples
    --------
    >>> round(neighbourhood_radius(10, 1_000_000, 2), 6), round(neighbourhood_radius(10, 1_000_000, 200), 2)
    (0.001784, 3.28)
    """
    _check(k, n, dimensions)
    unit = dimensions / 2 * log(pi) - lgamma(dimensions / 2 + 1)
    return exp((log(k / n) - unit) / dimensions)


def shell_share(dimensions: int, thickness: float = 0.01) -> float:
    """Return the fraction of a unit cube that lies in its outer shell.

    Parameters
    ----------
    dimensions : int
        Number of dimensions.
    thickness : float, default=0.01
        Thickness of the shell, as a fraction of the edge.

    Examples
    --------
    >>> round(shell_share(1), 2), round(shell_share(200), 4)
    (0.02, 0.9824)
    """
    _check(1, 1, dimensions)
    if not 0 <= thickness <= 0.5:
        raise InputError(f"thickness is {thickness!r}; give a fraction of the edge between 0 and 0.5")
    return float(1.0 - (1.0 - 2.0 * thickness) ** dimensions)


def sampled_shell_share(
    dimensions: int, thickness: float = 0.01, points: int = 10_000, random_state: RandomState = 0
) -> float:
    """Return the fraction of random points in a unit cube that lie in its outer shell.

    Parameters
    ----------
    dimensions : int
        Number of dimensions.
    thickness : float, default=0.01
        Thickness of the shell, as a fraction of the edge.
    points : int, default=10,000
        Number of random points.
    random_state : int, Generator or None, default=0
        Random seed of the points.

    Examples
    --------
    >>> abs(sampled_shell_share(10) - shell_share(10)) < 0.02
    True
    """
    shell_share(dimensions, thickness)
    at_least("points", points, 1, whole=True)
    random, outside = generator(random_state), 0
    for start in range(0, points, 1000):
        drawn = random.random((min(1000, points - start), dimensions))
        outside += int(((drawn < thickness) | (drawn > 1 - thickness)).any(axis=1).sum())
    return outside / points


@dataclass(frozen=True)
class CurseOfDimension:
    """Edges and shells for several numbers of dimensions.

    Parameters
    ----------
    dimensions : tuple of int
    edges : tuple of float
        Edge of the cube that contains k of n points.
    shells, sampled : tuple of float
        Fraction of the cube in its outer shell, and of random points.
    k, n, thickness : number
    """

    dimensions: tuple[int, ...]
    edges: tuple[float, ...]
    shells: tuple[float, ...]
    sampled: tuple[float, ...]
    k: float
    n: float
    thickness: float

    def __str__(self) -> str:
        from induce.core.reports import text_table

        head = (
            "dimensions",
            f"edge of {self.k:g} in {self.n:,.0f}",
            f"in the outer {self.thickness:.0%}",
            "sampled",
        )
        rows = zip(self.dimensions, self.edges, self.shells, self.sampled, strict=True)
        return text_table([head, *((str(d), f"{e:.4f}", f"{s:.4f}", f"{m:.4f}") for d, e, s, m in rows)])

    def draw(self) -> Figure:
        """Return a figure of both curves, as in AIMA's figure 18.27."""
        from matplotlib.figure import Figure

        from induce.pictures.style import DARK, PALETTE, tidy

        figure = Figure(figsize=(9.0, 3.6), layout="constrained")
        left, right = figure.subplots(1, 2)
        left.plot(self.dimensions, self.edges, color=PALETTE[0])
        left.set_ylabel(f"edge of the cube with {self.k:g} of {self.n:,.0f} points")
        right.plot(self.dimensions, self.shells, color=PALETTE[0], label="exact")
        right.plot(self.dimensions, self.sampled, ".", color=DARK, ms=4, label="random points")
        right.set_ylabel(f"fraction in the outer {self.thickness:.0%} shell")
        right.legend(frameon=False, fontsize=9)
        for axes in (left, right):
            axes.set_xlabel("dimensions")
            axes.set_ylim(0, 1.02)
            tidy(axes)
        return figure


def curse_of_dimension(
    dimensions: Sequence[int] = (1, 2, 3, 5, 10, 17, 25, 50, 100, 150, 200),
    k: float = 10,
    n: float = 1_000_000,
    thickness: float = 0.01,
    random_state: RandomState = 0,
) -> CurseOfDimension:
    """Return the growth of neighbourhoods with the number of dimensions (AIMA figure 18.27).

    Parameters
    ----------
    dimensions : sequence of int
        Numbers of dimensions; by default eleven from 1 to 200.
    k : float, default=10
        Number of points in the neighbourhood.
    n : float, default=1,000,000
        Number of points in the unit cube.
    thickness : float, default=0.01
        Thickness of the outer shell, as a fraction of the edge.
    random_state : int, Generator or None, default=0
        Random seed of the sampled points.

    Examples
    --------
    >>> print(curse_of_dimension((2, 17, 200)))
    dimensions  edge of 10 in 1,000,000  in the outer 1%  sampled
    2                            0.0032           0.0396   0.0413
    17                           0.5080           0.2907   0.2989
    200                          0.9441           0.9824   0.9806
    """
    chosen = tuple(int(d) for d in dimensions)
    return CurseOfDimension(
        chosen,
        tuple(neighbourhood_edge(k, n, d) for d in chosen),
        tuple(shell_share(d, thickness) for d in chosen),
        tuple(sampled_shell_share(d, thickness, random_state=random_state) for d in chosen),
        k,
        n,
        thickness,
    )


def cover_hart(bayes_error: float, n_classes: int = 2) -> tuple[float, float]:
    """Return the Cover-Hart bounds of the asymptotic error of 1-nearest-neighbour (Mitchell §8.7).

    With the Bayes error R* and c classes, R* <= R <= R* (2 - c R* / (c - 1)).

    Parameters
    ----------
    bayes_error : float
        Error of the best possible classifier.
    n_classes : int, default=2
        Number of classes.

    Examples
    --------
    >>> low, high = cover_hart(0.1)
    >>> low, round(high, 9)
    (0.1, 0.18)
    """
    at_least("n_classes", n_classes, 2, whole=True)
    most = (n_classes - 1) / n_classes
    if not isinstance(bayes_error, int | float) or not 0 <= bayes_error <= most:
        raise InputError(
            f"bayes_error is {bayes_error!r}; give a value between 0 and {most:.4g} for {n_classes} classes"
        )
    return bayes_error, bayes_error * (2.0 - bayes_error / most)


def _check(k: float, n: float, dimensions: int) -> None:
    at_least("dimensions", dimensions, 1, whole=True)
    if not 0 < k <= n:
        raise InputError(f"k is {k!r}; give a value between 0 and n, which is {n!r}")
