"""Means of k Gaussians: the numbers of every iteration, limits, fixed points, and what each step maximises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.em import GaussianMeans, gaussian_means, maximise
from induce.em.means_of_gaussians import means, means_and_deviations


def run(x, start, max_iter=1000, m_step=means):
    points = np.array(x, dtype=float)[:, None]
    first = GaussianMeans(np.array(start, dtype=float)[:, None], np.ones(len(start)))
    return maximise(
        [first],
        lambda h: h.expect(points),
        m_step,
        GaussianMeans.log_likelihood,
        tolerance=0.0,
        max_iter=max_iter,
    )


TRACES = [
    (
        [1, 2, 3, 7, 8, 9],
        (1, 2),
        [(1.657729, 5.825625), (1.985299, 7.927190), (2.000006, 7.999987)],
        [-64.016813, -18.894937, -11.680776, -11.672502],
        (2.000008, 7.999992),
    ),
    (
        [0, 1, 4, 5],
        (0, 5),
        [(0.500838, 4.499162), (0.503832, 4.496168), (0.503867, 4.496133)],
        [-7.447230, -6.943289],
        (0.503868, 4.496132),
    ),
    (
        [0, 1, 4, 5],
        (1, 2),
        [(0.694053, 3.636778), (0.501009, 4.443109), (0.503597, 4.495195)],
        [-12.664212, -7.692805, -6.946042],
        (0.503868, 4.496132),
    ),
    (
        [0, 1, 4, 5, 9, 10],
        (0, 4, 10),
        [(0.496153, 4.468151, 9.499988), (0.503628, 4.495707, 9.499905), (0.503862, 4.496214, 9.499908)],
        [-13.586466, -12.850974],
        (0.503868, 4.496224, 9.499908),
    ),
]


@pytest.mark.parametrize(("x", "start", "iterations", "objective", "limit"), TRACES)
def test_the_numbers_of_every_iteration(x, start, iterations, objective, limit):
    for number, expected in enumerate(iterations, 1):
        found = run(x, start, max_iter=number)
        assert found.hypothesis.means.ravel() == pytest.approx(expected, abs=5e-7)
        assert not found.converged
        known = objective[: number + 1]
        assert found.objective[: len(known)] == pytest.approx(known, abs=5e-7)
    found = run(x, start)
    assert found.converged
    assert found.hypothesis.means.ravel() == pytest.approx(limit, abs=5e-7)


def test_the_limits_of_the_log_likelihood():
    assert run([0, 1, 4, 5], (0, 5)).objective[-1] == pytest.approx(-6.943271, abs=5e-7)
    assert run([0, 1, 4, 5, 9, 10], (0, 4, 10)).objective[-1] == pytest.approx(-12.850142, abs=5e-7)


def test_the_first_expectations():
    h = GaussianMeans(np.array([[1.0], [2.0]]), np.ones(2))
    z = h.expect(np.array([[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]])).z
    assert z[:, 0] == pytest.approx([0.622459, 0.377541, 0.182426, 0.004070, 0.001501, 0.000553], abs=5e-7)
    assert z.sum(axis=1) == pytest.approx(1)


def test_equal_means_never_part():
    found = run([0, 1, 4, 5], (2.5, 2.5))
    assert found.hypothesis.means.ravel().tolist() == [2.5, 2.5]
    assert found.objective == pytest.approx([-12.175754] * 2, abs=5e-7)


def test_points_so_far_away_that_all_exponentials_underflow():
    h = GaussianMeans(np.array([[0.0], [1.0]]), np.ones(2))
    expected = h.expect(np.array([[1e6]]))
    assert expected.z.tolist() == [[0.0, 1.0]]
    assert np.isfinite(expected.log_density).all()


def test_a_gaussian_without_points_stays_where_it_is():
    before = GaussianMeans(np.array([[0.0], [1e9]]), np.ones(2))
    for step in (means, means_and_deviations):
        moved = step(before.expect(np.array([[1.0], [2.0]])), before)
        assert moved.means.ravel().tolist() == [1.5, 1e9]
    assert moved.sigma.tolist() == [0.5, 1.0]


points = st.lists(st.floats(-5, 5), min_size=3, max_size=12, unique=True)


@settings(max_examples=25, deadline=None)
@given(points, st.floats(-5, 5), st.floats(-5, 5), st.floats(-2, 2), st.floats(-2, 2))
def test_the_m_step_maximises_q_and_the_likelihood_never_falls(x, a, b, off_a, off_b):
    data = np.array(x)[:, None]
    h = GaussianMeans(np.array([[a], [b]]), np.ones(2))
    expected = h.expect(data)
    best = means(expected, h)
    other = GaussianMeans(best.means + np.array([[off_a], [off_b]]), h.sigma)
    assert best.q(expected) >= other.q(expected) - 1e-9
    wider = means_and_deviations(expected, h)
    assert wider.q(expected) >= best.q(expected) - 1e-9
    for step in (means, means_and_deviations):
        steps = np.diff(run(x, (a, b), max_iter=20, m_step=step).objective)
        assert (steps >= -1e-8).all()


def test_deviations_are_found_too():
    random = np.random.default_rng(0)
    x = np.concatenate([random.normal(0, 0.2, (300, 2)), random.normal(5, 1.0, (300, 2))])
    found = gaussian_means(x, 2).hypothesis
    order = np.argsort(found.means[:, 0])
    assert found.means[order] == pytest.approx(np.array([[0, 0], [5, 5]]), abs=0.15)
    assert found.sigma[order] == pytest.approx([0.2, 1.0], rel=0.08)


def test_weights_are_repetitions():
    x = np.array([[0.0], [1.0], [4.0], [5.0]])
    weighted = gaussian_means(x, 2, 1.0, weights=np.array([3.0, 1.0, 1.0, 2.0]))
    repeated = gaussian_means(np.repeat(x, [3, 1, 1, 2], axis=0), 2, 1.0)
    assert weighted.hypothesis.means == pytest.approx(repeated.hypothesis.means)
    assert weighted.objective == pytest.approx(repeated.objective)


@pytest.mark.parametrize("k", [0, 3])
def test_as_many_gaussians_as_there_are_different_points_at_most(k):
    with pytest.raises(InputError, match=f"k is {k}; it must be between 1 and 2"):
        gaussian_means(np.array([[0.0], [1.0], [1.0]]), k)
