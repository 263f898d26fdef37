"""The loop example by example over the inputs that are not 0 gives what the dense loop gives."""

import numpy as np
import pytest
from scipy import sparse

from induce.core import loops
from induce.neural import Group, Link, Network, NetworkObjective, small_lenet, train, train_many
from induce.neural._sparse_loops import back_propagate_sparse


def two_inputs() -> Network:
    """A network whose two groups of inputs feed both a hidden group and the outputs."""
    groups = [Group("a", 7, "input"), Group("h", 5, "tanh"), Group("b", 4, "input"), Group("o", 2)]
    links = [Link("a", "h"), Link("b", "h"), Link("h", "o"), Link("a", "o")]
    return Network.of(groups, links)


def examples(network: Network, n: int = 30):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, network.n_inputs)) * (rng.random((n, network.n_inputs)) < 0.2)
    return X, rng.random((n, network.n_outputs)), rng.uniform(-0.5, 0.5, network.n_weights)


def after(network: Network, X, T, w, rates, momentum: float = 0.0, **more):
    objective = NetworkObjective(network, X, T, **more)
    moved = w.copy()
    order = np.random.default_rng(2).permutation(np.repeat(np.arange(len(T)), 2))
    error = objective.epoch(moved, np.zeros_like(w), order, np.full(len(order), rates), momentum)
    return np.append(moved, error)


@pytest.fixture
def written_out(monkeypatch):
    """Sparse rows must not be written out with their zeros."""

    def refuse(*_):
        raise AssertionError("sparse rows were written out")

    monkeypatch.setattr(sparse.csr_matrix, "toarray", refuse)
    monkeypatch.setattr(sparse.csr_array, "toarray", refuse)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("loss", ["squared", "cross_entropy"])
@pytest.mark.parametrize("weight_decay", [0.0, 0.3])
def test_the_sparse_loop_is_the_dense_one(loss, weight_decay, average, written_out):
    for network in (two_inputs(), Network.layered(40, 3, 1), Network.layered(40, 1)):
        X, T, w = examples(network)
        more = {"loss_name": loss, "weight_decay": weight_decay, "average": average}
        more["row_weights"] = np.random.default_rng(3).uniform(0.5, 2, len(X))
        dense = after(network, X, T, w, 0.2, **more)
        assert after(network, sparse.csr_array(X), T, w, 0.2, **more) == pytest.approx(dense, rel=1e-12)


@pytest.mark.parametrize("shrink", [0.999, 1.0, 1.5, 2.0, 20.0])
def test_the_scale_of_decay_neither_vanishes_nor_overflows(shrink, written_out):
    network = Network.layered(9, 2, 1)
    X, T, w = examples(network, 70)
    decay = shrink / (2 * 0.01) * len(X)
    dense = after(network, X, T, w, 0.01, weight_decay=decay)
    assert np.isfinite(dense[:-1]).all()
    found = after(network, sparse.csr_matrix(X), T, w, 0.01, weight_decay=decay)
    assert found == pytest.approx(dense, rel=1e-10)


def test_listed_zeros_and_cells_listed_twice():
    network = Network.layered(4, 2, 1)
    X, T, w = examples(network, 2)
    X = np.array([[1.0, 0.0, 0.0, 2.0], [0.0, 3.0, 0.0, 0.0]])
    listed = sparse.csr_array(
        (np.array([1.5, 0.5, 0.0, 1.0, 3.0, 0.0]), np.array([3, 3, 1, 0, 1, 2]), np.array([0, 4, 6]))
    )
    listed.resize(2, 4)
    dense = after(network, X, T, w, 0.3, weight_decay=0.1)
    assert after(network, listed, T, w, 0.3, weight_decay=0.1) == pytest.approx(dense, rel=1e-14)


def test_momentum_and_frozen_weights_take_the_dense_loop():
    network = Network.layered(9, 2, 1)
    X, T, w = examples(network)
    for own, momentum in ((network, 0.9), (network.freeze("hidden"), 0.0)):
        dense = after(own, X, T, w, 0.2, momentum, weight_decay=0.1)
        found = after(own, sparse.csr_array(X), T, w, 0.2, momentum, weight_decay=0.1)
        assert found.tolist() == dense.tolist()


def test_training_on_a_sparse_matrix():
    X, T, _ = examples(Network.layered(11, 3, 1))
    settings = {"solver": "gradient", "max_epochs": 5, "weight_decay": 0.1}
    dense = train(Network.layered(11, 3, 1), X, T, **settings)[0]
    found = train(Network.layered(11, 3, 1), sparse.csr_array(X), T, **settings)[0]
    assert found.weights == pytest.approx(dense.weights, rel=1e-10)
    many = train_many(Network.layered(11, 3, 1), sparse.csr_array(X), T, [np.arange(30)], **settings)
    assert many[0].weights == pytest.approx(dense.weights, rel=1e-10)
    assert found(sparse.csr_array(X)) == pytest.approx(dense(X), rel=1e-10)


def test_a_network_reads_a_sparse_matrix():
    for network in (two_inputs(), small_lenet()):
        X, _, w = examples(network, 3)
        network, listed = network.with_weights(w), sparse.csr_array(X)
        assert network(listed) == pytest.approx(network(X))
        T = np.full((3, network.n_outputs), 0.1)
        losses = [NetworkObjective(network, rows, T).loss(w) for rows in (X, listed)]
        assert losses[0] == pytest.approx(losses[1])
        assert network.states(listed)[0].tolist() == X[:, : network.groups[0].size].tolist()
    assert (
        two_inputs().weight_gradients(sparse.eye_array(11)) == two_inputs().weight_gradients(np.eye(11))
    ).all()


@pytest.mark.compiled
def test_the_compiled_loop_gives_the_same():
    network = two_inputs()
    X, T, w = examples(network)
    objective = NetworkObjective(network, sparse.csr_array(X), T, weight_decay=0.2)
    plan, order, rates = network.plan, np.arange(30)[::-1].copy(), np.full(30, 0.1)
    said = []
    for run in (back_propagate_sparse, loops.compiled(back_propagate_sparse)):
        moved = w.copy()
        error = run(
            plan.groups, plan.facts, plan.links, plan.places, objective.X.indptr, objective.X.indices,
            objective.X.data, plan.n_inputs, T, objective.row_weights, order, moved, rates, 0.01, 0,
        )  # fmt: skip
        said.append([*moved.tolist(), error])
    assert said[0] == said[1]
