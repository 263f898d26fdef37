"""Mitchell, chapter 4, and AIMA, §18.7 and §20.5: networks of units and back-propagation."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import induce
from induce.data.generate import restaurant, restaurant_space
from induce.neural import Network, NetworkObjective, collapse
from induce.textbook.result import Outcome, Result

SIGNS = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])


def _two_layers() -> Outcome:
    network = Network.layered(2, 2, 1, unit="threshold")
    network = network.set(("inputs", "hidden"), [[0.5, -0.5], [-0.5, 0.5]]).set("hidden", [-0.8, -0.8])
    network = network.set(("hidden", "outputs"), [[0.5], [0.5]]).set("outputs", [0.3])
    said = network(SIGNS).ravel().astype(int).tolist()
    return Outcome(
        f"{said} for (-1, -1), (-1, 1), (1, -1), (1, 1)",
        said == [-1, 1, 1, -1],
        "A and not B: (-0.8, 0.5, -0.5); not A and B: (-0.8, -0.5, 0.5); either: (0.3, 0.5, 0.5)",
    )


def _two_presentations() -> Outcome:
    network = Network.layered(2, 1, 1).with_weights(np.full(5, 0.1))
    objective = NetworkObjective(network, [[1.0, 0.0], [0.0, 1.0]], [[1.0], [0.0]])
    w, memory, told = network.weights.copy(), np.zeros(5), []
    for row in (0, 1):
        objective.epoch(w, memory, np.array([row]), np.array([0.3]), 0.9)
        now = network.with_weights(w)
        told.append(
            [
                *now.get(("inputs", "hidden")).ravel(),
                *now.get("hidden"),
                *now.get(("hidden", "outputs")).ravel(),
                *now.get("outputs"),
            ]
        )
    expected = [
        [0.10085, 0.1, 0.10085, 0.11891, 0.13439],
        [0.10162, 0.0988, 0.10042, 0.11347, 0.12452],
    ]
    return Outcome(
        "; ".join(", ".join(f"{each:.4f}" for each in weights) for weights in told),
        bool(np.allclose(told, expected, atol=1e-5)),
        "weights ca, cb, c0, dc, d0 after the first and the second example",
    )


def _identity() -> Outcome:
    eight = np.eye(8)
    learner = induce.NeuralNetworkRegressor(
        hidden=3, output="sigmoid", scale=None, weight_decay=0, random_state=0
    )
    network = learner.fit(eight, eight).hypothesis_
    right = int((network.predict(eight).argmax(axis=1) == np.arange(8)).sum())
    codes = {tuple(code) for code in (network.codes(eight) > 0.5).tolist()}
    return Outcome(
        f"{right} of 8 values are reproduced through three hidden units",
        right == 8 and len(codes) >= 6,
        "by L-BFGS; the book's rule for 5,000 epochs is in the page on neural networks",
    )


def _one_unit_is_too_few() -> Outcome:
    eight = np.eye(8)
    learner = induce.NeuralNetworkRegressor(
        hidden=1, output="sigmoid", scale=None, weight_decay=0, init=0.1, max_epochs=400, tol=0
    )
    left = float(np.square(learner.fit(eight, eight).predict(eight) - eight).sum())
    return Outcome(
        f"a squared error of {left:.1f} is left",
        left >= 23 / 6,
        "each output is monotone in the single hidden unit, so no weights get below 23/6",
    )


def _weights_of_faces() -> Outcome:
    n = Network.layered(960, 3, 4).n_weights
    return Outcome(f"{n:,}", n == 2899, "960 pixels, 3 hidden units and 4 outputs, each unit with w0")


def _full_gradient_of_faces() -> Outcome:
    from induce.data.images import generated_faces

    faces = generated_faces(6)
    X, y = faces.X.to_numpy() / 255.0, np.array(faces.y.to_list())
    order = np.random.default_rng(0).permutation(len(X))
    train, test = order[:130], order[130:]
    shared: dict[str, Any] = {
        "hidden": 3,
        "loss": "squared",
        "solver": "gradient",
        "momentum": 0.3,
        "weight_decay": 0.0,
        "init": "zero_inputs",
        "scale": None,
        "tol": 0.0,
        "max_epochs": 60,
    }
    found = {}
    for name, more in (
        ("after each image", {"learning_rate": 0.3}),
        ("the sum", {"learning_rate": 0.3 * len(train), "batch_size": "all"}),
        ("the mean", {"learning_rate": 0.3, "batch_size": "all"}),
    ):
        learner = induce.NeuralNetworkClassifier(**shared, **more)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found[name] = learner.fit(X[train], y[train]).score(X[test], y[test])
    return Outcome(
        ", ".join(f"{name} {100 * score:.0f}%" for name, score in found.items()),
        found["after each image"] > 0.8 and max(found["the sum"], found["the mean"]) < 0.5,
        "accuracy after 60 passes over generated faces. Full gradient descent as described in the "
        "book (the sum over all images at rate 0.3) saturates the units in its first steps; with the "
        "mean it makes little progress; an update after each image reaches the accuracy in the book",
    )


def _weights_of_digits() -> Outcome:
    every = Network.layered(400, 300, 10).n_weights
    return Outcome(
        f"{every:,} with all biases, {every - 10:,} without those of the outputs", every - 10 == 123_300
    )


def _linear_layers() -> Outcome:
    deep = Network.layered(2, 2, 2, unit="linear")
    deep = deep.set("hidden", [0.1, -0.2]).set(("inputs", "hidden"), [[0.3, 0.4], [-0.5, 0.6]])
    deep = deep.set("outputs", [0.05, -0.1]).set(("hidden", "outputs"), [[0.7, -0.3], [0.2, 0.8]])
    single = collapse(deep)
    same = np.allclose(deep(SIGNS), single(SIGNS))
    weights = ", ".join(f"{each:.2f}" for each in single.get(("inputs", "outputs")).ravel())
    return Outcome(
        f"weights {weights}", bool(same), "two layers of two linear units, and the layer that equals them"
    )


def ridge() -> Network:
    """Return a network of two opposite sigmoids over the first input, which form a ridge."""
    network = Network.layered(2, 2, 1).set(("inputs", "hidden"), [[5.0, -5.0], [0.0, 0.0]])
    network = network.set("hidden", np.full(2, 10.0)).set(("hidden", "outputs"), np.full((2, 1), 20.0))
    return network.set("outputs", [-30.0])


def bump() -> Network:
    """Return a network of two perpendicular ridges, which form a bump."""
    network = Network.layered(2, 4, 1)
    network = network.set(("inputs", "hidden"), [[5.0, -5.0, 0.0, 0.0], [0.0, 0.0, 5.0, -5.0]])
    network = network.set("hidden", np.full(4, 10.0)).set(("hidden", "outputs"), np.full((4, 1), 20.0))
    return network.set("outputs", [-70.0])


def _bump() -> Outcome:
    network = bump()
    centre, *outside = network([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [4.0, 4.0]]).ravel().tolist()
    return Outcome(
        f"{centre:.3f} at the centre, at most {max(outside):.3f} outside",
        centre > 0.99 and max(outside) < 0.01,
        "four hidden units: two opposite sigmoids make a ridge, two perpendicular ridges a bump",
    )


def _restaurant() -> Outcome:
    space = restaurant_space()
    scores, trees = [], []
    for seed in range(3):
        X, y = restaurant(100, seed)
        network = induce.NeuralNetworkClassifier(hidden=4, random_state=seed).fit(X, y)
        scores.append(network.score(*space))
        trees.append(induce.DecisionTreeClassifier().fit(X, y).score(*space))
    mean, tree = float(np.mean(scores)), float(np.mean(trees))
    return Outcome(
        f"{100 * mean:.0f}% of all cases from 100 examples, a tree {100 * tree:.0f}%",
        mean > 0.88 and abs(mean - tree) < 0.08,
        "four hidden units; mean of three training sets",
    )


RESULTS = (
    Result(
        "mitchell-4.7-weights",
        "Mitchell, section 4.7",
        "number of weights of the network of 960 inputs, 3 hidden units and 4 outputs",
        "2899",
        _weights_of_faces,
    ),
    Result(
        "mitchell-4.7-full-gradient",
        "Mitchell, section 4.7",
        "full gradient descent at rate 0.3 and momentum 0.3 learns the pose of faces",
        "90%",
        _full_gradient_of_faces,
        not_reproduced="an update after each image does: the sum over 260 images at rate 0.3 "
        "saturates the units in its first steps and stays at chance level, and the "
        "mean takes thousands of steps",
    ),
    Result(
        "mitchell-4.6.4-identity",
        "Mitchell, section 4.6.4 and figure 4.7",
        "back-propagation learns the identity of eight values through three hidden units",
        "all eight are learned",
        _identity,
    ),
    Result(
        "mitchell-exercise-4.2-two-layers",
        "Mitchell, exercise 4.2",
        "two layers of perceptrons compute A XOR B",
        "[-1, 1, 1, -1]",
        _two_layers,
    ),
    Result(
        "mitchell-exercise-4.7-presentations",
        "Mitchell, exercise 4.7",
        "the weights after each of the first two training iterations, with momentum",
        "[0.1009, 0.1000, 0.1009, 0.1189, 0.1344; 0.1016, 0.0988, 0.1004, 0.1135, 0.1245]",
        _two_presentations,
    ),
    Result(
        "mitchell-exercise-4.9-one-unit",
        "Mitchell, exercise 4.9",
        "a network of 8, 1 and 8 units cannot learn the identity with targets 0 and 1",
        "[a squared error of at least 23/6 is left]",
        _one_unit_is_too_few,
    ),
    Result(
        "aima-18.23-bump",
        "Russell and Norvig, section 18.7.3 and figure 18.23",
        "two ridges make a bump",
        "no number is given",
        _bump,
    ),
    Result(
        "aima-18.25-restaurant",
        "Russell and Norvig, section 18.7.4 and figure 18.25",
        "a network with four hidden units learns the restaurant domain about as well as a tree",
        "no number is given",
        _restaurant,
    ),
    Result(
        "aima-18.11.1-weights",
        "Russell and Norvig, section 18.11.1",
        "number of weights of the network of 400 inputs, 300 hidden units and 10 outputs for digits",
        "123,300",
        _weights_of_digits,
    ),
    Result(
        "aima-exercise-18.22-linear",
        "Russell and Norvig, exercises 18.22 and 20.17",
        "layers of linear units equal a single layer",
        "[weights 0.29, 0.23, -0.23, 0.63]",
        _linear_layers,
    ),
)
