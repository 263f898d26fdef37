"""Mitchell, §6.12 and chapter 8, and AIMA, §18.8: EM, local regression, RBF networks and lazy trees."""

from __future__ import annotations

from typing import Any

import numpy as np

import induce
from induce.em import GaussianMeans, maximise
from induce.em.driver import Maximised
from induce.em.means_of_gaussians import means
from induce.instances import lazy_or_eager, neighbourhood_edge, shell_share, training_rule
from induce.instances.kernels import DistanceKernel
from induce.instances.local.gradient import local_error
from induce.textbook.measuring import all_as_printed, every_morning
from induce.textbook.result import Outcome, Result

SQUARES = np.arange(5.0)[:, None], np.arange(5.0) ** 2
SIX = (1.0, 2.0, 3.0, 7.0, 8.0, 9.0)
OUTLIER = (
    np.array([0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14.0])[:, None],
    np.array([1, 2, 2.5, 3.5, 4, 8, 6, 6.5, 5, 4, 3]),
)


def two_means() -> Maximised[GaussianMeans]:
    """Return the result of EM on six numbers with two normal distributions."""
    x = np.array(SIX)[:, np.newaxis]
    start = GaussianMeans(np.array([[1.0], [2.0]]), np.ones(2))
    return maximise([start], lambda h: h.expect(x), means, GaussianMeans.log_likelihood, tolerance=0.0)


def _two_means() -> Outcome:
    found = two_means()
    climbs = bool((np.diff(found.objective) >= 0).all())
    ends = found.hypothesis.means.ravel()
    return Outcome(
        f"means {ends[0]:.6f} and {ends[1]:.6f}",
        climbs and bool(np.allclose(ends, (2.000008, 7.999992), atol=5e-7)),
        f"1, 2, 3, 7, 8, 9 with initial means 1 and 2; log-likelihood {found.objective[0]:.6f}, "
        f"{found.objective[1]:.6f}, …, {found.objective[-1]:.6f}",
    )


def _equal_means() -> Outcome:
    x = np.array([[0.0], [1.0], [4.0], [5.0]])
    start = GaussianMeans(np.full((2, 1), 2.5), np.ones(2))
    found = maximise([start], lambda h: h.expect(x), means, GaussianMeans.log_likelihood)
    return Outcome(
        f"means {found.hypothesis.means.ravel().tolist()}, log-likelihood {found.objective[-1]:.6f}",
        found.hypothesis.means.ravel().tolist() == [2.5, 2.5],
        "0, 1, 4, 5 with two equal initial means: a stationary point, though better ones exist (-6.943271)",
    )


def _criteria() -> Outcome:
    common: dict[str, Any] = {"width": 1.0, "scale": None}
    all_count = induce.LocallyWeightedRegressor(n_neighbors=None, **common).fit(*SQUARES).predict([[1.2]])[0]
    near = [
        induce.LocallyWeightedRegressor(n_neighbors=k, **common).fit(*SQUARES).predict([[1.2]])[0]
        for k in (3, 4, 5)
    ]
    return Outcome(
        f"E2 {all_count:.4f}; E3 with 3, 4 and 5 neighbours {', '.join(f'{value:.4f}' for value in near)}",
        bool(np.isclose(near[-1], all_count)) and abs(near[1] - all_count) < abs(near[0] - all_count),
        "f(x) = x² at 0 to 4, queried at 1.2; K(d) = exp(-d²/2)",
    )


def _gradient() -> Outcome:
    x, y = (each[[1, 2, 0]] for each in SQUARES)
    kernel = DistanceKernel("gaussian", 1.0)(np.abs(x[:, 0] - 1.2))
    w = training_rule(np.zeros(2), x, y, kernel, 0.1)
    steps = np.eye(2) * 1e-6
    slopes = [local_error(s, x, y, kernel) - local_error(-s, x, y, kernel) for s in steps]
    return Outcome(
        f"first step ({w[0]:.8f}, {w[1]:.8f})",
        bool(np.allclose(w, -0.1 * np.array(slopes) / 2e-6, rtol=1e-6)),
        "equal to minus 0.1 times the numerical gradient of E3; f(x) = x², the three neighbours of 1.2",
    )


def _copies() -> Outcome:
    copies, w = np.array([3, 0, 1, 2, 1]), np.array([0.3, -1.2])
    rows = np.repeat(np.arange(5), copies)
    x, y = SQUARES
    by_kernel, by_copies = local_error(w, x, y, copies), local_error(w, x[rows], y[rows], np.ones(len(rows)))
    return Outcome(f"E2 {by_kernel:.6f}, E4 {by_copies:.6f}", bool(np.isclose(by_kernel, by_copies)))


def _lazy_branches() -> Outcome:
    X, y = induce.dataset("play-tennis")
    lazy, eager = induce.LazyDecisionTree().fit(X, y), induce.ID3().fit(X, y)
    mornings = every_morning()
    same = int((lazy.predict(mornings) == eager.predict(mornings)).sum())
    hidden = X[:1].with_columns(Outlook=None)
    return Outcome(
        f"same class as ID3 on {same} of {len(mornings)} mornings; without Outlook: "
        f"{lazy.explain(hidden)[0].rule}",
        same == len(mornings) and "Outlook" not in str(lazy.explain(hidden)[0].rule),
        "a query with unknown Outlook gets a branch of other tests, where ID3's tree must guess",
    )


def _exact_network() -> Outcome:
    network = induce.RBFNetworkRegressor(centers="all", width=1.0, ridge=0.0, intercept="zero", scale=None)
    network.fit(*SQUARES)
    error = float(np.abs(network.predict(SQUARES[0]) - SQUARES[1]).max())
    weights = network.hypothesis_.weights[:, 0]
    return Outcome(
        f"largest error at most {max(error, 1e-9):.0e}, weights {', '.join(f'{w:.4f}' for w in weights)}",
        error < 1e-9,
        "f(x) = x² at 0 to 4, Gaussian kernels of width 1",
    )


def _lazy_and_eager() -> Outcome:
    random = np.random.default_rng(0)
    x = random.uniform(0, 6, (400, 1))
    eager, lazy = lazy_or_eager(x, np.sin(x[:, 0]) + random.normal(0, 0.05, 400)).learners
    return Outcome(
        f"root mean squared error: one line {eager.error:.3f}, one line per query {lazy.error:.3f}",
        lazy.error < eager.error / 4,
        "sin(x) with noise of 0.05, 267 examples, 133 queries",
    )


def _edges() -> Outcome:
    found = [neighbourhood_edge(10, 1_000_000, d) for d in (2, 3, 17, 200)]
    return Outcome(
        ", ".join(f"{edge:.3f}" for edge in found),
        all_as_printed(found, ["0.003", "0.02", "0.5", "0.94"]),
        "10 of 1,000,000 points in 2, 3, 17 and 200 dimensions",
    )


def _shells() -> Outcome:
    found = [shell_share(d) for d in (1, 200)]
    return Outcome(f"{found[0]:.2f}, {found[1]:.4f}", bool(np.isclose(found[0], 0.02)) and found[1] > 0.98)


def _quadratic_kernel() -> Outcome:
    found = DistanceKernel("quadratic", 10)(np.array([0.0, 2.5, 5.0, 6.0])).tolist()
    return Outcome(", ".join(f"{value:g}" for value in found), found == [1.0, 0.75, 0.0, 0.0])


def four_models() -> dict[str, Any]:
    """Return the learners of figure 18.28."""
    near: dict[str, Any] = {"n_neighbors": 3, "kernel": "uniform", "scale": None}
    wide: dict[str, Any] = {"n_neighbors": None, "kernel": "quadratic", "width": 10.0, "scale": None}
    return {
        "dots": induce.ConnectTheDots(),
        "3-NN mean": induce.LocallyWeightedRegressor(model="constant", **near),
        "3-NN line": induce.LocallyWeightedRegressor(**near),
        "weighted": induce.LocallyWeightedRegressor(**wide),
    }


def _four_models() -> Outcome:
    learners = four_models()
    X, y = OUTLIER
    errors = {}
    for name, learner in learners.items():
        rows = np.arange(len(y))
        said = [learner.fit(X[rows != i], y[rows != i]).predict(X[i : i + 1])[0] for i in rows]
        errors[name] = float(np.mean(np.square(said - y)))
    return Outcome(
        ", ".join(f"{name} {error:.4f}" for name, error in errors.items()),
        min(errors, key=errors.__getitem__) == "weighted",
        "leave-one-out mean squared errors on 11 examples with an outlier at 6 (not the book's, which "
        "are not printed)",
    )


def _edge_of_a_hundred() -> Outcome:
    found = [neighbourhood_edge(10, 1_000_000, d) for d in (2, 100)]
    return Outcome(", ".join(f"{edge:.4f}" for edge in found), all_as_printed(found, ["0.003", "0.89"]))


RESULTS = (
    Result(
        "mitchell-6.12.1-two-means",
        "Mitchell, section 6.12.1",
        "EM for the means of two Gaussians never lowers the likelihood and ends at a local maximum",
        "[2.000008 and 7.999992]",
        _two_means,
    ),
    Result(
        "mitchell-6.12.1-equal-means",
        "Mitchell, section 6.12.1",
        "EM may end at a stationary point that is not the best",
        "[2.5 and 2.5, never separated]",
        _equal_means,
    ),
    Result(
        "mitchell-8.3.1-criteria",
        "Mitchell, section 8.3.1",
        "the error over the k nearest examples, weighted by distance, is close to that over all",
        "no number is given",
        _criteria,
    ),
    Result(
        "mitchell-exercise-8.1-gradient",
        "Mitchell, exercise 8.1",
        "the gradient rule of the distance-weighted local linear fit",
        "Equation (8.1)",
        _gradient,
        erratum="the rule is equation (8.7); equation (8.1) is the mean of the k nearest",
    ),
    Result(
        "mitchell-exercise-8.2-copies",
        "Mitchell, exercise 8.2",
        "copying each example in proportion to its kernel weight gives the same error E4 as E2",
        "[equal]",
        _copies,
    ),
    Result(
        "mitchell-exercise-8.3-lazy-id3",
        "Mitchell, exercise 8.3",
        "a lazy version of ID3 grows only the branch of the query",
        "[the classes of ID3]",
        _lazy_branches,
    ),
    Result(
        "mitchell-8.4-exact-network",
        "Mitchell, section 8.4",
        "a network with a Gaussian at every training example can fit the training data exactly",
        "no error",
        _exact_network,
    ),
    Result(
        "mitchell-8.6-lazy-eager",
        "Mitchell, section 8.6",
        "with linear functions as hypotheses, a lazy learner has a richer space than an eager one",
        "no number is given",
        _lazy_and_eager,
    ),
    Result(
        "aima-18.8.1-edges",
        "Russell and Norvig, section 18.8.1",
        "edge length of a neighbourhood of 10 among 1,000,000 points, in 2, 3, 17 and 200 dimensions",
        "0.003, 2%, half, 94%",
        _edges,
    ),
    Result(
        "aima-18.8.1-shells",
        "Russell and Norvig, section 18.8.1 and figure 18.27",
        "the fraction of a cube within 1% of its surface, in 1 and 200 dimensions",
        "2%, over 98%",
        _shells,
    ),
    Result(
        "aima-18.8.4-kernel",
        "Russell and Norvig, section 18.8.4 and figure 18.29",
        "the quadratic kernel of width 10 at 0, 2.5, 5 and 6",
        "[1, 0.75, 0, 0]",
        _quadratic_kernel,
    ),
    Result(
        "aima-18.28-four-models",
        "Russell and Norvig, figure 18.28",
        "connect-the-dots follows an outlier; locally weighted regression smooths it best",
        "no number is given",
        _four_models,
    ),
    Result(
        "aima-20.4-edges",
        "Russell and Norvig, section 20.4",
        "edge length of a neighbourhood of 10 among 1,000,000 points, in 2 and 100 dimensions",
        "0.003, 0.89",
        _edge_of_a_hundred,
    ),
)
