"""Exercises of Mitchell, chapter 4, and AIMA, §20.5, on units and networks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import induce
from induce.linear import ThresholdUnit, corners
from induce.neural import Group, Link, Network, NetworkObjective, gradient_check
from induce.statistics.logistic import sigmoid
from induce.textbook.result import Outcome, Result
from induce.theory import tightest_box

Floats = NDArray[np.float64]


def _line_of_a_figure() -> Outcome:
    unit = ThresholdUnit(2.0, np.array([2.0, -1.0]))
    sums = unit.nets([[-1, 0], [0, 2]])
    sides = unit([[0, 0], [-3, 0]]).astype(int).tolist()
    return Outcome(
        f"sums {sums.tolist()} at (-1, 0) and (0, 2), {sides} at (0, 0) and (-3, 0)",
        not sums.any() and sides == [1, -1],
        "weights (2, 2, -1), or any positive multiple; with the other sign the other side is positive",
    )


def _more_general() -> Outcome:
    general, special = (ThresholdUnit(w0, np.array([2.0, 1.0])) for w0 in (1.0, 0.0))
    points = np.random.default_rng(0).uniform(-3, 3, (2000, 2))
    covers = bool((general(points) >= special(points)).all())
    origin = (int(general([[0, 0]])[0]), int(special([[0, 0]])[0]))
    return Outcome(
        f"all {len(points)} points: {covers}; the origin: {origin[0]} and {origin[1]}",
        covers and origin == (1, -1),
        "1 + 2 x1 + x2 > 0 holds wherever 2 x1 + x2 > 0 does, and at the origin alone as well",
    )


def _tied_powers() -> Outcome:
    rng = np.random.default_rng(0)
    X, t = rng.normal(size=(20, 2)), rng.normal(size=(20, 1))
    unit = Network.layered(2, 1, unit="linear").with_weights([0.1, 0.2, -0.3])
    features = X + X**2
    fall = -NetworkObjective(unit, features, t).gradient(unit.weights)[1]
    error = t[:, 0] - unit(features)[:, 0]
    rule = np.array([error.sum(), *(error @ features)])
    check = gradient_check(unit, features, t)
    return Outcome(
        f"the rule is the gradient: {bool(np.allclose(fall, rule))}; by finite differences too: {check.holds}",
        bool(np.allclose(fall, rule)) and check.holds,
        "each weight changes by the rate times Σ (t - o)(x + x²), w0 by the rate times Σ (t - o)",
    )


def _incremental() -> Outcome:
    rng = np.random.default_rng(0)
    network = Network.layered(3, 2, 1).with_weights(rng.normal(size=11))
    objective = NetworkObjective(network, rng.normal(size=(20, 3)), rng.random((20, 1)))
    gradient, apart = objective.gradient(network.weights)[1], []
    for rate in (0.1, 0.01, 0.001):
        w = network.weights.copy()
        objective.epoch(w, np.zeros(11), np.arange(20), np.full(20, rate), 0.0)
        apart.append(float(np.abs((network.weights - w) / rate - gradient).max()))
    return Outcome(
        f"a tenth of the rate divides the distance by {apart[0] / apart[1]:.0f} and {apart[1] / apart[2]:.0f}",
        apart[0] > 5 * apart[1] > 25 * apart[2] > 0,
        "the weights change between the examples of a pass, so its gradients are taken at different points",
    )


def _tanh_rule() -> Outcome:
    rng = np.random.default_rng(0)
    network = Network.layered(2, 3, 2, unit="tanh").with_weights(rng.normal(size=17))
    x, t = rng.normal(size=(1, 2)), rng.uniform(-1, 1, (1, 2))
    fall = network.with_weights(-NetworkObjective(network, x, t).gradient(network.weights)[1])
    o, h = network(x)[0], network.said("hidden", x)[0]
    of_outputs = (1 - o**2) * (t[0] - o)
    of_hidden = (1 - h**2) * (network.get(("hidden", "outputs")) @ of_outputs)
    agrees = np.allclose(fall.get("outputs"), of_outputs) and np.allclose(fall.get("hidden"), of_hidden)
    return Outcome(
        f"unit errors agree with the rule: {bool(agrees)}",
        bool(agrees) and np.allclose(fall.get(("inputs", "hidden")), np.outer(x[0], of_hidden)),
        "1 - o² replaces o (1 - o)",
    )


def _decay() -> Outcome:
    rng = np.random.default_rng(0)
    network = Network.layered(2, 2, 1).with_weights(rng.normal(size=9))
    x, t, rate, gamma = rng.normal(size=(1, 2)), [[0.9]], 0.3, 0.01
    plain, decayed = (NetworkObjective(network, x, t, "squared", each) for each in (0.0, gamma))
    w = network.weights
    shrunk = (1 - 2 * gamma * rate) * w - rate * plain.gradient(w)[1]
    agrees = np.allclose(w - rate * decayed.gradient(w)[1], shrunk)
    return Outcome(
        f"weights are multiplied by {1 - 2 * gamma * rate:g} before the update: {bool(agrees)}",
        bool(agrees),
        "rate 0.3, penalty 0.01 times the sum of squared weights",
    )


def _rectangle() -> Outcome:
    def inside(x: Floats, p: Floats, k: float = 10.0) -> tuple[float, Floats]:
        away = k * np.array([x[0] - p[0], x[1] - p[1], p[2] - x[0], p[3] - x[1]])
        each = sigmoid(away)
        said = float(each.prod())
        return said, k * said * (1.0 - each) * np.array([-1.0, -1.0, 1.0, 1.0])

    unit = np.array([0.0, 0.0, 1.0, 1.0])
    centre, slopes = inside(np.array([0.5, 0.5]), unit)
    outside, others = inside(np.array([1.1, 0.5]), unit)
    expected = [-0.00004432, -0.01775942, 1.93985712, 0.01775942]
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 10, (120, 2))
    T = ((X[:, 0] > 2) & (X[:, 0] < 6) & (X[:, 1] > 3) & (X[:, 1] < 8)).astype(float)
    p = np.array([3.0, 4.0, 5.0, 6.0])
    for _ in range(100):
        told = [inside(x, p, 3.0) for x in X]
        p = p + 0.02 * sum((t - said) * slope for t, (said, slope) in zip(T, told, strict=True))
    box = tightest_box(X, T > 0)
    return Outcome(
        f"o = {centre:.4f} at the centre, {outside:.4f} outside; learned rectangle {p.round(1).tolist()}",
        max(abs(centre - 0.9734961646), abs(outside - 0.2653490669)) < 1e-9
        and np.allclose(others, expected, atol=1e-7)
        and np.allclose(slopes, [-0.06515465, -0.06515465, 0.06515465, 0.06515465], atol=1e-7)
        and bool(np.abs(p - [2, 3, 6, 8]).max() < 0.6)
        and bool((box.covers(X) == (T > 0)).all()),
        "the product of four sigmoids; gradient descent on 120 examples moves the edges to 2, 3, 6 and 8; the box "
        "around the positive examples is consistent after a single pass",
    )


def _xor_by_hand() -> Outcome:
    groups = [
        Group("x", 2, "input"),
        Group("h", 2, "threshold", off=0.0),
        Group("y", 1, "threshold", off=0.0),
    ]
    network = Network.of(groups, [Link("x", "h"), Link("h", "y")])
    network = network.set(("x", "h"), [[1.0, 1.0], [1.0, 1.0]]).set("h", [-0.5, -1.5])
    network = network.set(("h", "y"), [[1.0], [-1.0]]).set("y", [-0.5])
    said = network(corners(2, "zero-one")).ravel().astype(int).tolist()
    return Outcome(
        f"{said}", said == [0, 1, 1, 0], "either less both: T(T(a + b - 0.5) - T(a + b - 1.5) - 0.5)"
    )


def _output_of_a_network() -> Outcome:
    network = Network.layered(2, 2, 1, bias=False).set(("inputs", "hidden"), [[0.5, 0.2], [-0.3, 0.8]])
    network = network.set(("hidden", "outputs"), [[1.0], [-1.5]])
    hidden = network.said("hidden", [[1.0, 0.5]])[0]
    out = float(network([[1.0, 0.5]])[0, 0])
    return Outcome(
        f"a3 = {hidden[0]:.7f}, a4 = {hidden[1]:.7f}, a5 = {out:.7f}",
        bool(np.allclose([*hidden, out], [0.5866176, 0.6456563, 0.4056767], atol=1e-7)),
        "the network of figure 20.18 for (1, 0.5), with weights 0.5, -0.3, 0.2, 0.8, 1 and -1.5",
    )


def _mean_of_targets() -> Outcome:
    learner = induce.NeuralNetworkRegressor(hidden=(), output="sigmoid", weight_decay=0, max_epochs=100)
    said = float(learner.fit([[1.0]] * 100, [1.0] * 80 + [0.0] * 20).predict([[1.0]])[0])
    return Outcome(f"{said:.2f}", abs(said - 0.8) < 1e-3, "80 of 100 identical examples have target 1")


RESULTS = (
    Result(
        "mitchell-exercise-4.1-line",
        "Mitchell, exercise 4.1",
        "the weights of the perceptron whose line goes through (-1, 0) and (0, 2)",
        "[2, 2, -1]",
        _line_of_a_figure,
    ),
    Result(
        "mitchell-exercise-4.3-general",
        "Mitchell, exercise 4.3",
        "a perceptron with w0 = 1 is more general than the same perceptron with w0 = 0",
        "[true]",
        _more_general,
    ),
    Result(
        "mitchell-exercise-4.5-powers",
        "Mitchell, exercise 4.5",
        "the gradient rule of a unit with one weight for x and its square",
        "[the rate times the sum of (t - o)(x + x²)]",
        _tied_powers,
    ),
    Result(
        "mitchell-exercise-4.6-incremental",
        "Mitchell, exercise 4.6",
        "the delta rule applied example by example only approximates the true gradient",
        "no number is given",
        _incremental,
    ),
    Result(
        "mitchell-exercise-4.8-tanh",
        "Mitchell, exercise 4.8",
        "back-propagation for tanh units",
        "[errors (1 - o²)(t - o) and (1 - o²) Σ w error]",
        _tanh_rule,
    ),
    Result(
        "mitchell-exercise-4.10-decay",
        "Mitchell, exercise 4.10",
        "a penalty on squared weights multiplies each weight by a constant before its update",
        "[1 - 2 times penalty times rate]",
        _decay,
    ),
    Result(
        "mitchell-exercise-4.12-rectangle",
        "Mitchell, exercise 4.12",
        "gradient descent learns a rectangle whose edges are sigmoids",
        "[o = 0.9735 at the centre]",
        _rectangle,
    ),
    Result(
        "aima-exercise-20.11-xor",
        "Russell and Norvig, exercise 20.11",
        "a network of threshold units computes the exclusive or of two bits",
        "[0, 1, 1, 0]",
        _xor_by_hand,
    ),
    Result(
        "aima-exercise-20.18-output",
        "Russell and Norvig, exercise 20.18",
        "a data structure for networks computes their outputs",
        "no number is given",
        _output_of_a_network,
    ),
    Result(
        "aima-exercise-20.19-mean",
        "Russell and Norvig, exercise 20.19",
        "output of a network for an input whose target is 1 in 80 of 100 examples",
        "[0.8]",
        _mean_of_targets,
    ),
)
