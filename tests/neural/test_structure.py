"""Networks that grow and shrink: cascade-correlation and pruning (Mitchell §4.8.4)."""

from itertools import pairwise

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.evaluation import cross_validation_wrapper
from induce.neural import (
    Network,
    NetworkObjective,
    hessian_diagonal,
    merge_units,
    optimal_brain_damage,
    prune,
    prune_units,
    redundant_units,
    saliencies,
    tile,
    weight_posterior,
    without,
    without_unit,
)
from induce.neural.cascade import CandidateObjective
from induce.optimise import Stop, descend

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
    """All first derivatives are 0 at a minimum, but deletions leave errors from 5.12 to 8.12."""
    network = fitted()
    objective = NetworkObjective(network, GRID, SIDE)
    assert np.abs(objective.gradient(network.weights)[1]).max() < 1e-12
    costs = [objective.loss(np.where(np.arange(3) == k, 0.0, network.weights)) for k in range(3)]
    assert sorted(costs) == pytest.approx([5.12, 7.5, 8.12])
    small = 1e-4  # before the minimum is quite reached, the derivatives follow the way there, not the weights
    for way in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]):
        slopes = np.abs(objective.gradient(network.weights + small * np.array(way))[1])
        assert slopes.argmax() == np.argmax(way)


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
    with pytest.raises(InputError, match="give a target of -1 or 1 for each row"):
        tile(X, t * 2)


def doubled() -> Network:
    """A network whose second hidden unit copies the first, whose third mirrors it, and whose fourth says 0.5."""
    network = Network.layered(2, 5, 1, output="linear")
    network = network.set(("inputs", "hidden"), [[2.0, 2.0, -2.0, 0.0, 0.5], [1.0, 1.0, -1.0, 0.0, -3.0]])
    network = network.set("hidden", [0.3, 0.3, -0.3, 0.0, 0.1])
    return network.set(("hidden", "outputs"), [[1.0], [2.0], [0.5], [-4.0], [3.0]]).set("outputs", [0.2])


def test_units_that_say_nothing_new_are_folded_into_others():
    network = doubled()
    told = redundant_units(network, GRID, 1e-6)
    assert [(each.unit, each.kind, each.like) for each in told] == [
        (1, "duplicate", 0),
        (2, "mirror", 0),
        (3, "constant", None),
    ]
    assert str(told[2]) == "hidden[3] is constant at 0.5"
    merged = merge_units(network, GRID, 1e-6)
    assert merged.group("hidden").size == 2
    assert merged(GRID) == pytest.approx(network(GRID))
    assert merged.get(("hidden", "outputs")).ravel() == pytest.approx([2.5, 3.0])


def test_units_that_matter_little_go():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    T = np.where(X[:, :1] > 0, 0.9, 0.1)
    network = Network.layered(2, 4, 1)
    network = network.with_weights(rng.uniform(-0.5, 0.5, network.n_weights))
    pruned = prune_units(network, X, T, weight_decay=0.01, tolerance=0.3, max_epochs=60)
    assert pruned.network.group("hidden").size == 1
    assert [step.connections for step in pruned.steps] == [12, 9, 6, 3]
    assert np.abs(pruned.network(X) - T).mean() < 0.1


def test_masked_links_lose_units_too():
    places = np.array([[0, -1, 1], [-1, 2, 3]])
    from induce.neural import Group, Link

    network = Network.of(
        [Group("x", 2, "input"), Group("h", 3), Group("y", 1)], [Link("x", "h", places), Link("h", "y")]
    )
    network = network.with_weights(np.arange(1.0, 12.0))
    smaller = without_unit(network, "h", 0)
    assert smaller.get(("x", "h")).tolist() == network.get(("x", "h"))[:, 1:].tolist()
    assert smaller.get("h").tolist() == network.get("h")[1:].tolist()
    with pytest.raises(InputError, match="group 'y' is not hidden"):
        without_unit(network, "y", 0)


def test_size_by_cross_validation():
    """AIMA §18.7.5: the number of hidden units is chosen on rows held out; one is too few for a ring."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (90, 2))
    y = np.where(np.hypot(*X.T) < 0.7, "in", "out")
    learner = induce.NeuralNetworkClassifier(weight_decay=0.01, max_epochs=40)
    found = cross_validation_wrapper(learner, X, y, "hidden", [1, 4], 3, tol=None)
    assert found.best_size == 4
    assert found.learner.hypothesis_.network.group("hidden").size == 4


def test_bayesian_weights_of_a_line():
    line = Network.layered(1, 1, unit="linear")
    X, y = [[1.0], [2.0], [3.0], [4.0]], [2.1, 3.9, 6.2, 7.8]
    found = weight_posterior(line, X, y, 1.0, 25.0)
    assert found.network.weights == pytest.approx([0.177889, 1.928133], abs=1e-5)
    assert found.deviations == pytest.approx([0.237172, 0.086977], abs=1e-6)
    assert found.log_evidence == pytest.approx(-4.896306, abs=1e-6)
    mean, deviation = found.predict([[5.0]])
    assert (mean[0, 0], deviation[0, 0]) == pytest.approx((9.818553, 0.313246), abs=1e-5)
    assert found.weight_decay == 0.02
    assert "by a Gaussian" in str(found)


@pytest.mark.compiled
def test_samples_of_the_posterior_agree_where_it_is_a_gaussian():
    line = Network.layered(1, 1, unit="linear")
    X, y = [[1.0], [2.0], [3.0], [4.0]], [2.1, 3.9, 6.2, 7.8]
    exact, drawn = (weight_posterior(line, X, y, 1.0, 25.0, samples=n) for n in (0, 600))
    assert drawn.samples.mean(axis=0) == pytest.approx(exact.network.weights, abs=0.04)
    assert drawn.deviations == pytest.approx(exact.deviations, rel=0.15)
    assert drawn.predict([[5.0]])[0] == pytest.approx(9.8186, abs=0.05)


def test_the_evidence_finds_the_noise():
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (60, 1))
    y = 1.5 * X[:, 0] - 0.4 + 0.3 * rng.normal(size=60)
    found = weight_posterior(Network.layered(1, 1, unit="linear"), X, y)
    assert found.noise_precision**-0.5 == pytest.approx(0.3, abs=0.05)
    assert 1.8 < found.effective <= 2.0
    for other in (found.noise_precision / 2, found.noise_precision * 2):
        fixed = weight_posterior(found.network, X, y, found.prior_precision, other)
        assert fixed.log_evidence < found.log_evidence
    with pytest.raises(InputError, match="noise_precision is -1"):
        weight_posterior(found.network, X, y, 1.0, -1)


def test_every_start_of_a_candidate_reaches_a_corner():
    """On XOR without hidden units all outputs are 0.5; the best candidates have a covariance of nearly 0.5."""
    line = induce.CascadeCorrelation(weight_decay=0, scale=None, max_units=0, enough=0.001).fit(XOR, ODD)
    outputs = line.hypothesis_.outputs(XOR).ravel()
    assert outputs == pytest.approx([0.5] * 4, abs=1e-3)
    assert np.square(outputs - [0, 1, 1, 0]).sum() == pytest.approx(1.0, abs=1e-3)
    residuals = np.array([[-0.5], [0.5], [0.5], [-0.5]])
    candidate = CandidateObjective(np.column_stack([np.ones(4), XOR]), residuals, np.ones(4))
    rng, reached = np.random.default_rng(0), []
    for _ in range(6):
        found = descend(candidate, rng.uniform(-1, 1, 3), direction="lbfgs", stop=Stop(max_epochs=300))
        reached.append(candidate.covariance(found.best_w))
    assert min(reached) >= 0.499
    assert max(reached) <= 0.5 + 1e-9
