"""Prediction in 32 bits: the bound holds, and the classes are those of 64 bits, ties and saturated units included."""

import numpy as np
import pytest

import induce
from induce.core.ties import first_largest_of_each
from induce.neural import Group, Link, Network
from induce.neural import single_precision as module
from induce.neural.committees import committee
from induce.neural.lenet import small_lenet
from induce.neural.single_precision import SinglePrecision, decided_places


def drawn(network: Network, size: float, seed: int = 0) -> Network:
    return network.with_weights(np.random.default_rng(seed).normal(0.0, size, network.n_weights))


NETWORKS = {
    "rectified": Network.layered(40, 30, 5, unit="rectified", output="softmax"),
    "deep": Network.layered(40, 20, 20, 20, 3, unit="tanh", output="sigmoid"),
    "many classes": Network.layered(40, 500, unit="linear", output="softmax"),
    "linear": Network.layered(40, 4, unit="linear"),
    "graph": Network.of(
        [Group("x", 40, "input"), Group("h", 6, steepness=2.0), Group("y", 3, "softmax")],
        [Link("x", "h"), Link("x", "y"), Link("h", "y")],
    ),
    "committee": committee([Network.layered(40, 6, 3, output="softmax")] * 2),
}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("size", [0.1, 2.0])
def test_no_output_is_farther_off_than_the_bound(name, size):
    network = drawn(NETWORKS[name], size)
    X = np.random.default_rng(1).normal(0.0, 3.0, (300, 40))
    said, bound = SinglePrecision(network)(X)
    off = np.abs(said - network(X)).max(axis=1)
    assert said.dtype == np.float32
    assert (off <= bound).all()
    assert off.max() > 0.0


def test_64_bits_decide_what_is_close():
    network = drawn(NETWORKS["linear"], 1.0)
    weights = network.get(("inputs", "outputs"))
    weights[:, 1] = weights[:, 0] * (1 + 1e-9)  # what 32 bits cannot tell apart
    weights[:, 3] = weights[:, 2]  # a tie, which goes to the class declared first
    network = network.set(("inputs", "outputs"), weights).set("outputs", np.zeros(4))
    X = np.random.default_rng(2).normal(size=(200, 40))
    places, n_open = decided_places(
        network, X, SinglePrecision(network), lambda said: said, first_largest_of_each
    )
    assert n_open == 200
    assert places.tolist() == first_largest_of_each(network(X)).tolist()
    assert 3 not in places


@pytest.mark.parametrize("X", [1e30, 1e45])
def test_numbers_beyond_32_bits_are_left_to_64(X):
    network = drawn(NETWORKS["rectified"], 1e3)
    rows = np.full((3, 40), X)
    places, n_open = decided_places(
        network, rows, SinglePrecision(network), lambda said: said, lambda said: said.argmax(axis=1)
    )
    assert n_open == 3
    assert places.tolist() == network(rows).argmax(axis=1).tolist()


def test_windows_and_thresholds_have_no_bound():
    assert not SinglePrecision.fits(small_lenet())
    assert not SinglePrecision.fits(Network.layered(2, 1, unit="threshold"))
    assert not SinglePrecision.fits(Network.layered(2**16 + 1, 1))


@pytest.mark.parametrize("targets", [(0.0, 1.0), (0.1, 0.9)])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_predictions_are_those_of_64_bits(monkeypatch, targets, n_classes):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 6))
    y = (X[:, 0] + X[:, 1] > 0).astype(int) + (n_classes - 2) * (X[:, 2] > 0)
    loss = "cross_entropy" if targets[0] == 0.0 else "squared"
    learner = induce.NeuralNetworkClassifier(hidden=4, loss=loss, targets=targets, max_epochs=20).fit(X, y)
    tests = np.concatenate([rng.normal(size=(2_000, 6)), 100.0 * rng.normal(size=(50, 6))])
    expected = learner.predict(tests)
    monkeypatch.setattr(module, "LEAST_WORK", 0)
    opened = []
    real = module.decided_places
    monkeypatch.setattr(module, "decided_places", lambda *given: opened.append(real(*given)) or opened[-1])
    assert learner.predict(tests).tolist() == expected.tolist()
    assert len(opened) > 0
    assert sum(n for _, n in opened) < 200
