"""Training from the weights of a given network."""

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.neural import Network


def test_training_starts_from_the_weights_of_the_network():
    X, y = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), [0, 1, 1, 0]
    given = Network.layered(2, 2, 1).with_weights(np.linspace(-1.0, 1.0, 9))
    settings = {"network": given, "init": None, "scale": None, "solver": "gradient", "weight_decay": 0.0}
    small = induce.NeuralNetworkClassifier(**settings, learning_rate=1e-12, max_epochs=1, tol=0).fit(X, y)
    assert np.allclose(small.hypothesis_.network.weights, given.weights, atol=1e-9)
    by_seed = [
        induce.NeuralNetworkClassifier(**settings, max_epochs=5, batch_size="all", random_state=seed).fit(
            X, y
        )
        for seed in (0, 1)
    ]
    assert np.array_equal(*(learner.hypothesis_.network.weights for learner in by_seed))


def test_weights_without_a_network():
    with pytest.raises(InputError, match="init=None starts from the weights of network; give a network"):
        induce.NeuralNetworkClassifier(init=None).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
