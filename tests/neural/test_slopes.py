"""The error in slopes: second-order back-propagation (Mitchell §4.8.1 and §12.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.neural import Group, Link, Network, NetworkObjective, Slopes, Window, gradient_check
from induce.optimise import Stop, WeightedSum, descend, gradient_error


def drawn(network: Network, seed: int = 0) -> Network:
    return network.with_weights(np.random.default_rng(seed).normal(0, 0.7, network.n_weights))


def graph() -> Network:
    """A network with all that can be between groups: masks, ties, means, frozen weights, links past a layer."""
    places = np.array([[0, -1, 1], [1, 0, 0]])
    return drawn(
        Network.of(
            [
                Group("x", 2, "input"),
                Group("z", 1, "input"),
                Group("h", 3, "sigmoid", steepness=1.5),
                Group("s", 2, "softmax"),
                Group("r", 2, "rectified"),
                Group("o", 2, "tanh"),
                Group("p", 1, "sigmoid"),
            ],
            [
                Link("x", "h", places, tie="mean"),
                Link("z", "h", frozen=True),
                Link("h", "s"),
                Link("x", "s"),
                Link("s", "r", shares="twice"),
                Link("r", "o", shares="twice"),
                Link("h", "o"),
                Link("o", "p"),
                Link("z", "p"),
            ],
            ("o", "p"),
        ),
        3,
    )


def planes() -> Network:
    pixels = Group.planes("x", (1, 4, 4), "input")
    c, to_c = pixels.convolved("c", 2, Window((3, 3), padding=(1, 1)))
    s, to_s = c.pooled("s", 2)
    return drawn(Network.of([pixels, c, s, Group("o", 3, "softmax")], [to_c, to_s, Link("s", "o")]))


def by_differences(network: Network, X: Any, step: float = 1e-6) -> Any:
    found = []
    for j in range(network.n_inputs):
        push = step * np.eye(network.n_inputs)[j]
        found.append((network(X + push) - network(X - push)) / (2 * step))
    return np.stack(found, axis=2)


@pytest.mark.parametrize("network", [graph(), planes(), drawn(Network.layered(3, 4, 2))])
def test_derivatives_by_inputs_and_weights(network: Network) -> None:
    X = np.random.default_rng(1).normal(size=(3, network.n_inputs))
    slopes = network.input_gradients(X)
    assert np.allclose(slopes, by_differences(network, X), atol=1e-7)
    along = np.random.default_rng(2).normal(size=X.shape)
    assert np.allclose(network.moved(X, along), np.einsum("nkj,nj->nk", slopes, along), atol=1e-12)
    found, step = network.weight_gradients(X), 1e-6
    for k in range(0, network.n_weights, 3):
        push = step * np.eye(network.n_weights)[k]
        ahead, behind = (network.with_weights(network.weights + sign * push)(X) for sign in (1, -1))
        assert np.allclose(found[:, :, k], (ahead - behind) / (2 * step), atol=1e-7)


def test_derivatives_of_hidden_units() -> None:
    network = drawn(Network.layered(2, 3, 1))
    X = np.array([[0.3, -0.2]])
    h = network.said("hidden", X)[0]
    expected = (h * (1 - h))[:, np.newaxis] * network.get(("inputs", "hidden")).T
    assert np.allclose(network.input_gradients(X, of="hidden")[0], expected)
    assert network.weight_gradients(X, of="hidden").shape == (1, 3, network.n_weights)


@pytest.mark.parametrize("network", [graph(), planes(), drawn(Network.layered(3, 4, 2, unit="tanh"))])
@pytest.mark.parametrize("directed", [False, True])
def test_second_order_gradient_by_finite_differences(network: Network, directed: bool) -> None:
    rng = np.random.default_rng(1)
    X, T = rng.normal(size=(3, network.n_inputs)), rng.random((3, network.n_outputs))
    T /= T.sum(axis=1, keepdims=True)
    directions = rng.normal(size=(3, 2, network.n_inputs)) if directed else None
    targets = rng.normal(size=(3, network.n_outputs, 2 if directed else network.n_inputs))
    targets[rng.random(targets.shape) < 0.3] = np.nan
    slopes = Slopes.of(targets, mu=rng.random(3), directions=directions)
    assert gradient_check(network, X, T, weight_decay=0.01, slopes=slopes, step=1e-6).largest < 1e-4


def test_value_of_the_slope_error() -> None:
    """O-4.18: the network of exercise 4.7 at (1, 0)."""
    network = Network.layered(2, 1, 1).with_weights(np.full(5, 0.1))
    for targets, error in (((0.0, 0.0), 0.1064134235), ((1.0, 0.0), 0.1563519145)):
        objective = NetworkObjective(network, [[1.0, 0.0]], [[1.0]], slopes=Slopes.of([targets], mu=0.1))
        assert objective.loss(network.weights) == pytest.approx(error, abs=1e-10)
    nothing = NetworkObjective(network, [[1.0, 0.0]], [[1.0]], slopes=Slopes.of(0.0, mu=0.0))
    assert nothing.loss(network.weights) == pytest.approx(0.1064133857, abs=1e-10)


def test_one_example_of_tangentprop() -> None:
    """12.B.5: E and its gradient, which the chapter writes without the half."""
    network = Network.layered(1, 2, 1)
    network = network.set(("inputs", "hidden"), [[1.0, -2.0]]).set("hidden", [0.5, 0.0])
    network = network.set(("hidden", "outputs"), [[1.5], [-1.0]]).set("outputs", [0.25])
    assert network.input_gradients([[0.5]]).item() == pytest.approx(0.13037549, abs=1e-8)
    slopes = Slopes.of(0.0, mu=0.5, directions=[[1.0]])
    error, gradient = NetworkObjective(network, [[0.5]], [[1.0]], slopes=slopes).gradient(network.weights)
    assert 2 * error == pytest.approx(0.07299033, abs=1e-8)
    found = network.with_weights(2 * gradient)
    assert found.get(("inputs", "hidden"))[0] == pytest.approx([-0.009821, 0.007670], abs=1e-6)
    assert found.get("hidden") == pytest.approx([-0.034212, 0.025053], abs=1e-6)
    assert found.get(("hidden", "outputs"))[:, 0] == pytest.approx([-0.071606, -0.037842], abs=1e-6)
    assert found.get("outputs") == pytest.approx([-0.104592], abs=1e-6)


def test_slopes_help_where_examples_are_few() -> None:
    """Fig. 12.5: three points of a wave, with and without their slopes."""
    x = np.array([[-2.0], [0.0], [2.0]])
    start = drawn(Network.layered(1, 8, 1, unit="tanh", output="linear"))
    grid = np.linspace(-2.5, 2.5, 60)[:, np.newaxis]
    errors = []
    for slopes in (None, Slopes.of(np.cos(x))):
        objective = NetworkObjective(start, x, np.sin(x), weight_decay=1e-4, slopes=slopes)
        found = descend(objective, start.weights, direction="lbfgs", stop=Stop(max_epochs=150))
        errors.append(float(np.square(start.with_weights(found.w)(grid) - np.sin(grid)).mean()))
    assert errors[1] < 0.5 * errors[0]


def test_no_weight_on_slopes_is_back_propagation() -> None:
    network = drawn(Network.layered(2, 2, 1))
    X, T = [[0.0, 1.0], [1.0, 1.0]], [[0.2], [0.8]]
    found = []
    for slopes in (None, Slopes.of(1.0, mu=0.0)):
        objective = NetworkObjective(network, X, T, slopes=slopes)
        w, memory = network.weights.copy(), np.zeros(network.n_weights)
        objective.epoch(w, memory, np.array([0, 1, 0]), np.full(3, 0.3), 0.9)
        found.append(w)
    assert np.allclose(*found, atol=1e-12)


@pytest.mark.parametrize(
    ("slopes", "words"),
    [
        (Slopes.of(np.zeros((2, 3))), "targets of the slopes has shape"),
        (Slopes.of(0.0, mu=-1.0), "mu is invalid; give a number of at least 0"),
        (Slopes.of(0.0, directions=np.zeros((2, 1, 5))), "directions of the slopes has shape"),
        (Slopes.of(np.inf), "infinite slope"),
    ],
)
def test_slopes_that_do_not_fit(slopes: Slopes, words: str) -> None:
    network = Network.layered(2, 2, 1)
    with pytest.raises(InputError, match=words):
        NetworkObjective(network, np.zeros((2, 2)), np.zeros((2, 1)), slopes=slopes)


def test_named_units() -> None:
    network = Network.layered(1, 2, 1)
    named = [replace(group, names=tuple("ab")[: group.size]) for group in network.groups]
    assert Network.of(named, network.links).names()[:3] == ("a <- 1", "b <- 1", "a <- a")
    with pytest.raises(InputError, match="has 2 units, but 1 names"):
        Network.of(
            [network.groups[0], replace(network.groups[1], names=("a",)), network.groups[2]], network.links
        )


def test_a_weighted_sum_of_errors() -> None:
    """§4.8.1: squared error, cross entropy, slopes and decay, each with a weight; by finite differences."""
    rng = np.random.default_rng(0)
    network = drawn(Network.layered(2, 3, 1))
    X, T = rng.normal(size=(6, 2)), rng.uniform(0.1, 0.9, (6, 1))
    squared = NetworkObjective(network, X, T, weight_decay=0.01)
    entropy = NetworkObjective(network, X, T, "cross_entropy")
    sloped = NetworkObjective(network, X, T, slopes=Slopes.of(0.0, mu=0.5))
    total = WeightedSum([squared, entropy, sloped], [1.0, 0.3, 0.2])
    w = network.weights
    assert total.loss(w) == pytest.approx(squared.loss(w) + 0.3 * entropy.loss(w) + 0.2 * sloped.loss(w))
    assert gradient_error(total, w) < 1e-6
    rows = np.array([1, 4])
    assert total.gradient(w, rows)[0] == pytest.approx(total.loss(w, rows))
    found = descend(total, w, direction="lbfgs", stop=Stop(max_epochs=60))
    assert found.history.loss[-1] < 0.9 * found.history.loss[0]
    with pytest.raises(InputError, match="1 objectives and 2 shares"):
        WeightedSum([squared], [1.0, 2.0])
    with pytest.raises(InputError, match="different numbers of weights or rows"):
        WeightedSum([squared, NetworkObjective(network, X[:2], T[:2])], [1.0, 1.0])
