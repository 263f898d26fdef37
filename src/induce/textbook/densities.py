"""AIMA, §20.4: kernel and nearest-neighbour density estimation."""

from __future__ import annotations

import numpy as np

import induce
from induce.data.numeric_view import Floats
from induce.textbook.result import Outcome, Result

SHARES = np.array([0.2, 0.3, 0.5])
MEANS = np.array([[0.2, 0.4], [0.5, 0.75], [0.75, 0.3]])
COVARIANCES = np.array(
    [[[0.004, 0.002], [0.002, 0.01]], [[0.01, -0.003], [-0.003, 0.006]], [[0.008, 0.003], [0.003, 0.012]]]
)
QUERIES = np.array([[0.75, 0.35], [0.45, 0.35]])
"""Two queries: one in a dense region, one between the clusters."""


def _normaliser() -> Outcome:
    steps = np.linspace(-4, 4, 80_001)
    density = induce.KernelDensity(bandwidth=0.3, scale=None).fit([[0.0]])
    ours = float(np.exp(density.score_samples(steps[:, None])).sum() * 1e-4)
    printed = ours / 0.3
    return Outcome(
        f"1/(w sqrt(2π)) integrates to {ours:.4f}, the printed form to {printed:.4f}",
        bool(np.isclose(ours, 1.0)),
        "one dimension, w = 0.3",
    )


def three_gaussians(seed: int) -> Floats:
    """Return 128 of 500 points from three Gaussians with the book's weights; other parameters are ours."""
    random = np.random.default_rng(seed)
    which = random.choice(3, 500, p=SHARES)
    points = np.array([random.multivariate_normal(MEANS[k], COVARIANCES[k]) for k in which])
    return points[random.choice(500, 128, replace=False)]


def true_density(points: Floats) -> Floats:
    """Return the density of the three Gaussians at the given points."""
    found = np.zeros(len(points))
    for share, mean, covariance in zip(SHARES, MEANS, COVARIANCES, strict=True):
        away = points - mean
        squares = (away @ np.linalg.inv(covariance) * away).sum(axis=1)
        found += share * np.exp(-0.5 * squares) / (2 * np.pi * np.sqrt(np.linalg.det(covariance)))
    return found


def neighbourhoods() -> Floats:
    """Return the distance from each query to its tenth nearest neighbour among 128 points."""
    away = QUERIES[:, None] - three_gaussians(0)
    return np.sort(np.sqrt((away**2).sum(axis=2)), axis=1)[:, 9]


def _neighbourhoods() -> Outcome:
    small, large = neighbourhoods()
    learner = induce.NeighborDensity(n_neighbors=10, scale=None).fit(three_gaussians(0))
    dense, sparse = np.exp(learner.score_samples(QUERIES))
    expected = 10 / (128 * np.pi * neighbourhoods() ** 2)
    return Outcome(
        f"ten points within {small:.3f} and {large:.3f}: densities {dense:.2f} and {sparse:.2f}",
        bool(small < large and np.allclose([dense, sparse], expected)),
        "P(x) = k / (N V); means, covariances and queries are ours",
    )


def _squared_errors(learners: dict[str, induce.KernelDensity | induce.NeighborDensity]) -> dict[str, float]:
    """Return the integrated squared error of each density estimate, averaged over ten samples."""
    steps = (np.arange(40) + 0.5) / 40
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    true = true_density(grid)
    errors = dict.fromkeys(learners, 0.0)
    for seed in range(10):
        points = three_gaussians(seed)
        for name, learner in learners.items():
            found = np.exp(learner.fit(points).score_samples(grid))
            errors[name] += float(np.square(found - true).mean()) / 10
    return errors


def _neighbours() -> Outcome:
    errors = _squared_errors({str(k): induce.NeighborDensity(n_neighbors=k, scale=None) for k in (3, 10, 40)})
    return Outcome(
        ", ".join(f"k = {k}: {error:.2f}" for k, error in errors.items()),
        errors["10"] < errors["40"] < errors["3"],
        "integrated squared error over ten samples of 128 points; means and covariances are ours",
    )


def _widths() -> Outcome:
    errors = _squared_errors(
        {str(w): induce.KernelDensity(bandwidth=w, scale=None) for w in (0.02, 0.07, 0.2)}
    )
    return Outcome(
        ", ".join(f"w = {w}: {error:.2f}" for w, error in errors.items()),
        errors["0.07"] < min(errors["0.02"], errors["0.2"]),
        "integrated squared error over ten samples of 128 points; means, covariances and widths are ours",
    )


RESULTS = (
    Result(
        "aima-20.4-normaliser",
        "Russell and Norvig, section 20.4",
        "the Gaussian kernel of a density estimate, and its normalisation",
        "(w² sqrt(2π))^d",
        _normaliser,
        erratum="a density integrates to 1 only with (w sqrt(2π))^d; the printed form gives w^-d",
    ),
    Result(
        "aima-20.12-neighbourhoods",
        "Russell and Norvig, section 20.4 and figure 20.12",
        "the ten nearest of 128 points lie within a small circle in a dense region, within a large "
        "one elsewhere",
        "no number is given",
        _neighbourhoods,
    ),
    Result(
        "aima-20.4-neighbours",
        "Russell and Norvig, section 20.4 and figure 20.13",
        "k = 3 gives a spiky estimate, one k a good estimate and one an oversmoothed estimate",
        "k = 40 is good, and k = 40 loses structure",
        _neighbours,
        erratum="the good one must be k = 10",
    ),
    Result(
        "aima-20.4-widths",
        "Russell and Norvig, section 20.4 and figure 20.14",
        "a kernel that is too narrow gives a spiky estimate, too wide an oversmoothed one, in between "
        "a good one",
        "no number is given",
        _widths,
    ),
)
