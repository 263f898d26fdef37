"""Committees, and many networks of one shape (Mitchell §4.6.1)."""

from __future__ import annotations

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.neural import Network, Slopes, committee, members, train, train_many


def test_a_committee_says_the_mean_of_its_members() -> None:
    rng = np.random.default_rng(0)
    shape = Network.layered(3, 2, 2, output="softmax")
    members = [shape.with_weights(rng.normal(size=shape.n_weights)) for _ in range(3)]
    X = rng.normal(size=(5, 3))
    assert np.allclose(committee(members)(X), np.mean([each(X) for each in members], axis=0))
    weighted = committee(members, [1, 0, 3])(X)
    assert np.allclose(weighted, 0.25 * members[0](X) + 0.75 * members[2](X))
    with pytest.raises(InputError, match="different inputs or outputs"):
        committee([shape, Network.layered(2, 2)])
    with pytest.raises(InputError, match="give at least one member"):
        committee([])


def test_each_of_many_is_what_training_it_alone_gives() -> None:
    rng = np.random.default_rng(0)
    X, T = rng.random((6, 2)), rng.random((6, 1))
    network = Network.layered(2, 2, 1)
    rows = [np.delete(np.arange(6), k) for k in range(3)]
    settings = {"max_epochs": 20, "momentum": 0.5, "weight_decay": 0.01, "init": 0.5}
    many = train_many(network, X, T, rows, n_jobs=2, **settings)
    again = train_many(network, X, T, rows, seeds=[0, 1, 2], **settings)
    alone, _ = train(network, X[rows[1]], T[rows[1]], solver="gradient", tol=0, random_state=1, **settings)
    assert many == again
    assert many[1] == alone
    with pytest.raises(InputError, match="2 seeds for 3 networks"):
        train_many(network, X, T, rows, seeds=[0, 1])
    with pytest.raises(InputError, match="does not support slopes"):
        train_many(network, X, T, rows, slopes=Slopes.of(0.0))


def test_a_learner_of_committees() -> None:
    X, y = induce.dataset("iris")
    one = induce.NeuralNetworkClassifier(hidden=2, max_epochs=20, random_state=1).fit(X, y)
    five = induce.NeuralNetworkClassifier(hidden=2, max_epochs=20, random_state=1, n_networks=3).fit(X, y)
    again = induce.NeuralNetworkClassifier(hidden=2, max_epochs=20, random_state=1, n_networks=3).fit(X, y)
    assert five.hypothesis_ == again.hypothesis_
    assert five.hypothesis_.network.n_outputs == 3
    assert np.allclose(five.predict_proba(X).sum(axis=1), 1.0)
    assert one.hypothesis_.network.n_weights * 3 + 3 == five.hypothesis_.network.n_weights
    text = str(five.hypothesis_)
    assert "hidden 3 2 sigmoid" in text


def test_members_come_out_of_a_committee() -> None:
    rng = np.random.default_rng(0)
    shape = Network.layered(3, 4, 2, 2, output="softmax")
    parts = tuple(shape.with_weights(rng.normal(size=shape.n_weights)) for _ in range(3))
    assert members(committee(parts)) == parts
    assert members(parts[0]) == parts[:1]


@pytest.mark.parametrize("solver", ["gradient", "lbfgs"])
def test_a_committee_continues_as_if_it_had_not_stopped(solver, tmp_path) -> None:
    X, y = induce.dataset("iris")
    settings = {"hidden": 2, "solver": solver, "n_networks": 3, "tol": 0, "warm_start": True}
    whole = induce.NeuralNetworkClassifier(max_epochs=6, **settings).fit(X, y)
    half = induce.NeuralNetworkClassifier(max_epochs=3, **settings).fit(X, y)
    induce.save(half, tmp_path / "half.induce")
    again = induce.load(tmp_path / "half.induce").fit(X, y)
    half.fit(X, y)
    assert half.hypothesis_.network == whole.hypothesis_.network == again.hypothesis_.network
    with pytest.raises(InputError, match="n_networks is 2, but the earlier training"):
        half.set_params(n_networks=2).fit(X, y)


def test_parts_of_the_rows_train_each_member() -> None:
    X, y = induce.dataset("iris")
    settings = {"hidden": 2, "solver": "gradient", "weight_decay": 0}
    several = induce.NeuralNetworkClassifier(n_networks=2, **settings)
    for _ in range(30):
        several.partial_fit(X, y)
    assert several.score(X, y) > 0.9
    one, other = members(several.hypothesis_.network)
    assert one != other
    numbers = induce.NeuralNetworkRegressor(n_networks=2, hidden=2, solver="gradient", weight_decay=0)
    for _ in range(3):
        numbers.partial_fit(X, X["petal width"])
    assert numbers.predict(X).shape == (150,)
    with pytest.raises(InputError, match="n_networks is 3, but the earlier training had 2"):
        several.set_params(n_networks=3).partial_fit(X, y)
    with pytest.raises(InputError, match="n_networks is 1, but the earlier training had 2"):
        several.set_params(n_networks=1).partial_fit(X, y)
