"""Networks that grow and shrink: cascade-correlation and pruning (Mitchell §4.8.4)."""

from itertools import pairwise

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.neural import (
    Network,
    NetworkObjective,
    hessian_diagonal,
    optimal_brain_damage,
    prune,
    saliencies,
    tile,
    without,
)
from induce.neural.growing import CandidateObjective

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
ODD = ["no", "yes", "yes", "no"]
GRID = np.array([[a, b] for a in range(-2, 3) for b in range(-2, 3)], np.float64)
SIDE = np.where(-2 + GRID[:, 0] + 2 * GRID[:, 1] > 0, 1.0, -1.0)[:, np.newaxis]


def fitted() -> Network:
    """The least-squares unit of exercise 4.4 on a grid: (-0.52, 0.2, 0.4)."""
    return (
        Network.layered(2, 1, unit="linear")
        .set(("inputs", "outputs"), [[0.2], [0.4]])
        .set("outputs", [-0.52])
    )


def test_saliencies_say_what_a_deletion_costs():
    network = fitted()
    assert sorted(hessian_diagonal(network, GRID, SIDE).tolist()) == pytest.approx([25, 50, 50])
    named = dict(zip(network.names(), saliencies(network, GRID, SIDE), strict=True))
    assert named["outputs[0] <- 1"] == pytest.approx(3.38)
    assert named["outputs[0] <- inputs[0]"] == pytest.approx(1.0)
    assert named["outputs[0] <- inputs[1]"] == pytest.approx(4.0)
    objective = NetworkObjective(network, GRID, SIDE)
    assert objective.loss(network.weights) == pytest.approx(4.12)
    for k, saliency in enumerate(saliencies(network, GRID, SIDE)):
        w = network.weights.copy()
        w[k] = 0.0
        assert objective.loss(w) == pytest.approx(4.12 + saliency)


def test_first_derivatives_rank_nothing_at_a_minimum():
    network = fitted()
    assert np.abs(NetworkObjective(network, GRID, SIDE).gradient(network.weights)[1]).max() < 1e-12


@pytest.mark.parametrize(
    ("output", "loss"), [("sigmoid", "squared"), ("sigmoid", "cross_entropy"), ("tanh", "squared")]
)
def test_second_derivatives_into_the_outputs_are_exact(output, loss):
    rng = np.random.default_rng(0)
    network = Network.layered(3, 2, unit=output)
    network = network.with_weights(rng.normal(size=network.n_weights))
    X, T = rng.normal(size=(6, 3)), rng.random((6, 2))
    objective, step = NetworkObjective(network, X, T, loss), 1e-5
    exact = hessian_diagonal(network, X, T, loss)
    for k in range(network.n_weights):
        ahead, behind = network.weights.copy(), network.weights.copy()
        ahead[k] += step
        behind[k] -= step
        slope = (objective.gradient(ahead)[1][k] - objective.gradient(behind)[1][k]) / (2 * step)
        assert exact[k] == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize("measure", ["damage", "magnitude"])
def test_connections_that_say_nothing_go(measure):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 6))
    T = np.where(X[:, :1] + X[:, 1:2] > 0, 0.9, 0.1)
    network = Network.layered(6, 3, 1)
    network = network.with_weights(rng.uniform(-0.5, 0.5, network.n_weights))
    pruned = prune(network, X, T, measure=measure, weight_decay=0.01, tolerance=0.3, max_epochs=60)
    before = pruned.steps[0].connections
    kept = [pruned.network.get(link) for link in [("inputs", "hidden"), ("hidden", "outputs")]]
    after = sum(map(np.count_nonzero, kept))
    assert before == 21
    assert after <= 12
    assert np.abs(pruned.network(X) - T).mean() < 0.25


def test_the_least_salient_goes_first():
    pruned = optimal_brain_damage(fitted(), GRID, SIDE, tolerance=0.5, share=0.4)
    assert pruned.network.get(("inputs", "outputs")).ravel() == pytest.approx([0.0, 0.4], abs=1e-3)
    assert str(pruned) == "1 of 2 connections; tried down to 1"


def test_what_is_not_pruned():
    with pytest.raises(InputError, match="share is 2"):
        prune(fitted(), GRID, SIDE, share=2)
    with pytest.raises(InputError, match="measure is 'luck'"):
        prune(fitted(), GRID, SIDE, measure="luck")
    assert without(fitted(), []).get("outputs").tolist() == [-0.52]


def test_a_candidate_isolates_a_corner():
    residuals = np.array([[-0.5], [0.5], [0.5], [-0.5]])
    candidate = CandidateObjective(np.column_stack([np.ones(4), XOR]), residuals, np.ones(4))
    assert candidate.covariance(np.array([-30.0, 20.0, 20.0])) == pytest.approx(0.5, abs=1e-3)
    w, step = np.array([0.3, -0.2, 0.5]), 1e-6
    for k in range(3):
        ahead, behind = w.copy(), w.copy()
        ahead[k] += step
        behind[k] -= step
        slope = (candidate.loss(ahead) - candidate.loss(behind)) / (2 * step)
        assert candidate.gradient(w)[1][k] == pytest.approx(slope, abs=1e-8)


def test_one_hidden_unit_is_enough_for_exclusive_or():
    with induce.trace(only="unit") as events:
        learner = induce.CascadeCorrelation(weight_decay=0, scale=None, enough=0.001, max_units=3).fit(
            XOR, ODD
        )
    assert events[0]["error"] == pytest.approx(0.25, abs=1e-3)
    assert len(events) == 2
    outputs = learner.hypothesis_.outputs(XOR).ravel()
    assert np.square(outputs - [0, 1, 1, 0]).sum() < 0.0005


def test_growth_is_bounded_by_rows_held_out():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = np.where(X[:, 0] * X[:, 1] + 0.4 * rng.normal(size=120) > 0, "up", "down")
    held = induce.CascadeCorrelation(validation=0.3, max_units=4, candidates=2, max_epochs=40).fit(X, y)
    record = held.hypothesis_.record
    assert record.chosen == record.validation.argmin()
    assert held.score(X, y) > 0.7
    with pytest.raises(InputError, match=r"validation is 0\.1 of 4 rows"):
        induce.CascadeCorrelation(validation=0.1).fit(XOR, ODD)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_tiling_learns_parity(n):
    bits = np.array([[k >> place & 1 for place in range(n)] for k in range(2**n)], np.float64)
    odd = np.where(bits.sum(axis=1) % 2, 1.0, -1.0)
    tiled = tile(bits, odd)
    assert tiled.network(bits).ravel().tolist() == odd.tolist()
    assert tiled.errors[-1] == 0
    assert all(after < before for before, after in pairwise(tiled.errors))


def test_tiling_of_any_examples():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    t = np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)
    tiled = tile(X, t)
    assert (tiled.network(X).ravel() == t).all()
    again = tile(np.concatenate([X, X[:1]]), np.concatenate([t, -t[:1]]))  # a contradiction
    assert again.errors[-1] >= 1
    with pytest.raises(InputError, match="t needs a target of -1 or 1 for each row"):
        tile(X, t * 2)
