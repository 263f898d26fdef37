"""AIMA, §20.3: mixtures of Gaussians, and two bags of candies, by EM."""

from __future__ import annotations

import numpy as np

import induce
from induce.data.numeric_view import Floats
from induce.mixtures import Mixture
from induce.textbook.densities import COVARIANCES, MEANS, SHARES
from induce.textbook.result import Outcome, Result

POINTS = np.array([1.0, 2.0, 3.0, 9.0, 10.0, 11.0])[:, np.newaxis]
FIRST = Mixture.of([0.5, 0.5], [[2.0], [9.0]], [[[4.0]], [[4.0]]])
PRINTED = (0.6124, 0.6684, 0.6483, 0.6558, 0.3887, 0.3817, 0.3827)


def _one_step() -> tuple[Mixture, Mixture]:
    """Return the result of one EM step on six points, and the result with the printed covariance formula."""
    ours = (
        induce.GaussianMixture(start=FIRST, prior=0, max_iter=1, tol=0, rules=False).fit(POINTS).hypothesis_
    )
    p = FIRST.predict_proba(POINTS)[:, ::-1]  # our implementation lists the larger component first
    squares = p.T @ np.square(POINTS) / p.sum(axis=0)[:, np.newaxis]
    printed = Mixture.of(ours.shares.tolist(), ours.centres, squares[:, :, np.newaxis])
    return ours, printed


def _covariance() -> Outcome:
    ours, printed = _one_step()
    before, after, wrong = (float(each.score_samples(POINTS).sum()) for each in (FIRST, ours, printed))
    variances = ", ".join(f"{value:.4f}" for value in ours.matrices().ravel()[::-1])
    wide = ", ".join(f"{value:.2f}" for value in printed.matrices().ravel()[::-1])
    return Outcome(
        f"log likelihood {before:.4f} to {after:.4f} with variances {variances}; "
        f"with the printed form {wrong:.4f} and {wide}",
        bool(after > before > wrong and np.isclose(after, -11.531637)),
        "six points at 1, 2, 3, 9, 10, 11; means 2 and 9, variances 4, equal weights",
    )


def _weights() -> Outcome:
    ours, _ = _one_step()
    p = FIRST.predict_proba(POINTS).sum(axis=0)
    return Outcome(
        f"p_i = {p[0]:.4f} and {p[1]:.4f}; p_i / N = {p[0] / 6:.4f} and {p[1] / 6:.4f}",
        bool(np.allclose(np.sort(ours.shares), np.sort(p / 6))),
        "the same six points",
    )


def five_hundred() -> tuple[Floats, Mixture]:
    """Return 500 points from three Gaussians, and EM fitted to them."""
    random = np.random.default_rng(0)
    which = random.choice(3, 500, p=SHARES)
    points = np.array([random.multivariate_normal(MEANS[k], COVARIANCES[k]) for k in which])
    return points, induce.GaussianMixture(3, prior=0, rules=False).fit(points).hypothesis_


def gaussian_course() -> tuple[list[float], float]:
    """Return the log likelihood after each EM step on the 500 points, and that of the generating model."""
    true = Mixture.of(SHARES.tolist(), MEANS, COVARIANCES)
    with induce.trace(only="em") as events:
        points, _ = five_hundred()
    return [float(event["objective"]) for event in events], float(true.score_samples(points).sum())


def _three_gaussians() -> Outcome:
    course, before = gaussian_course()
    points, found = five_hundred()
    after = float(found.score_samples(points).sum())
    rises = bool((np.diff(course) > 0).all())
    shares = ", ".join(f"{share:.3f}" for share in found.shares[::-1])
    return Outcome(
        f"log likelihood {after:.2f}, of the generating model {before:.2f}; weights {shares}",
        bool(before < after < before + 25 and rises and np.allclose(found.shares[::-1], SHARES, atol=0.06)),
        "means and covariances are not printed; these are ours",
    )


def _bags(theta: float, first: float, second: float) -> Mixture:
    tables = np.array([[first, 1 - first] * 3, [second, 1 - second] * 3])
    schema = induce.dataset("candy").input_schema
    nothing = np.zeros(0)
    return Mixture(
        schema,
        "full",
        np.array([theta, 1 - theta]),
        np.zeros((2, 0)),
        np.zeros((2, 0, 0)),
        tables,
        nothing,
        nothing,
    )


def candy_course() -> tuple[Mixture, list[float], float]:
    """Return the bags after one EM step, the likelihoods of ten steps, and that of the generating model."""
    true = float(_bags(0.5, 0.8, 0.3).score_samples(induce.dataset("candy").X).sum())
    one, more = (_after(steps) for steps in (1, 10))
    return one, list(more.objective), true


def _after(steps: int) -> Mixture:
    """Return the two bags after a number of EM steps."""
    learner = induce.GaussianMixture(start=_bags(0.6, 0.6, 0.4), prior=0, tol=0, rules=False)
    found: Mixture = learner.set_params(max_iter=steps).fit(induce.dataset("candy").X).hypothesis_
    return found


def _candy() -> Outcome:
    one, course, true = candy_course()
    objective = np.array(course)
    found = [one.shares[0], *one.tables[0, ::2], *one.tables[1, ::2]]
    better = int(np.argmax(objective > true))
    return Outcome(
        f"{', '.join(f'{value:.4f}' for value in found)}; log likelihood {objective[0]:.0f} to {objective[1]:.0f}; "
        f"better than the true model ({true:.3f}) at iteration {better}",
        bool(
            np.allclose(found, PRINTED, atol=5e-5)
            and (round(objective[0]), round(objective[1])) == (-2044, -2021)
            and better == 10
        ),
        "1,000 candies of two bags, the bag hidden",
    )


RESULTS = (
    Result(
        "aima-20.3-gaussian-covariance",
        "Russell and Norvig, section 20.3",
        "the M step for the covariances of a mixture of Gaussians",
        "Σ_i ← Σ_j p_ij x_j x_jᵀ / p_i",
        _covariance,
        erratum="the squared deviations are from the new mean, x_j - μ_i; the printed form lowers the "
        "likelihood",
    ),
    Result(
        "aima-20.3-gaussian-weights",
        "Russell and Norvig, section 20.3",
        "the M step for the weights of a mixture of Gaussians",
        "w_i ← p_i",
        _weights,
        erratum="w_i ← p_i / N: weights sum to 1, the p_i to N",
    ),
    Result(
        "aima-20.8-three-gaussians",
        "Russell and Norvig, figures 20.8 and 20.9 (a)",
        "EM recovers three Gaussians from 500 points; its final likelihood exceeds that of the "
        "generating model",
        "weights 0.2, 0.3, 0.5; the log likelihood rises in every iteration",
        _three_gaussians,
    ),
    Result(
        "aima-20.3-candy-em",
        "Russell and Norvig, equations 20.7 to 20.9 and figure 20.9 (b)",
        "one step of EM for two bags of candies; the likelihood passes that of the true model",
        "θ 0.6124, then 0.6684, 0.6483, 0.6558, 0.3887, 0.3817, 0.3827; -2044 to -2021; by the tenth iteration",
        _candy,
    ),
)
