"""Numbers of the books' networks that no other test holds: chapter 4 of Mitchell, AIMA §18.7 and §20.5."""

import numpy as np
import pytest

import induce
from induce.neural import Network, NetworkObjective, gradient_check
from induce.optimise import Stop, descend

GRID = np.array([[a, b] for a in range(-2, 3) for b in range(-2, 3)], np.float64)
SIDE = np.where(-2 + GRID[:, 0] + 2 * GRID[:, 1] > 0, 1.0, -1.0)[:, np.newaxis]
XOR, ODD = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), ["no", "yes", "yes", "no"]


def sigmoid(net: float, steepness: float = 1.0) -> float:
    unit = Network.layered(1, 1).with_weights([0.0, steepness])
    return float(unit([[net]])[0, 0])


def test_what_a_sigmoid_says():
    """§4.5.1: targets 0.1 and 0.9 are net inputs of ∓ln 9, and tanh is a sigmoid of twice the steepness."""
    assert sigmoid(0.0) == 0.5
    assert sigmoid(2.1972245773) == pytest.approx(0.9)
    assert [sigmoid(z) for z in (1, -1, 2, -2)] == pytest.approx(
        [0.731059, 0.268941, 0.880797, 0.119203], abs=1e-6
    )
    tanh = Network.layered(1, 1, unit="tanh").with_weights([0.0, 1.0])
    for net in (-2.0, 0.3, 1.0):
        assert tanh([[net]])[0, 0] == pytest.approx(2 * sigmoid(net, 2.0) - 1)


@pytest.mark.parametrize(
    ("decay", "weights"),
    [
        (0.5, [-0.5, 0.1960784314, 0.3921568627]),
        (5.0, [-0.3714285714, 0.1666666667, 0.3333333333]),
    ],
)
def test_weight_decay_on_the_grid_of_exercise_4_4(decay, weights):
    line = Network.layered(2, 1, unit="linear")
    objective = NetworkObjective(line, GRID, SIDE, "squared", decay)
    stop = Stop(max_epochs=100, tolerance=1e-15, patience=5)
    assert descend(objective, line.weights, direction="lbfgs", stop=stop).w == pytest.approx(
        weights, abs=1e-6
    )


def test_weight_decay_multiplies_weights_before_the_update():
    """Exercise 4.10: w becomes (1 - 2 gamma eta) w, and then moves as without decay."""
    line = Network.layered(2, 1, unit="linear").with_weights([0.3, -0.4, 0.5])
    plain, decayed = (NetworkObjective(line, GRID[:1], SIDE[:1], "squared", decay) for decay in (0.0, 0.01))
    expected = (1 - 2 * 0.01 * 0.3) * line.weights - 0.3 * plain.gradient(line.weights)[1]
    assert line.weights - 0.3 * decayed.gradient(line.weights)[1] == pytest.approx(expected)


def test_the_largest_output_decides_and_ties_have_no_confidence():
    """§4.7.2: (0.9, 0.1, 0.7, 0.2) is the first class, by 0.2."""
    said = np.log(np.array([0.9, 0.1, 0.7, 0.2]) / (1 - np.array([0.9, 0.1, 0.7, 0.2])))
    network = Network.layered(1, 4).set("outputs", said)
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["left", "straight", "right", "up"]
    learner = induce.NeuralNetworkClassifier(hidden=(), loss="squared", max_epochs=1, network=network).fit(
        X, y
    )
    from dataclasses import replace

    places = [list(learner.hypothesis_.classes).index(name) for name in y]
    shown = replace(learner.hypothesis_, network=network.set("outputs", said[np.argsort(places)]))
    assert shown.predict([[0.0]]).tolist() == ["left"]
    assert shown.confidence([[0.0]])[0] == pytest.approx(0.2)
    tied = replace(shown, network=network.set("outputs", np.zeros(4)))
    assert tied.confidence([[0.0]])[0] == 0.0


def test_exercise_4_1():
    """The line through (-1, 0) and (0, 2): weights (2, 2, -1), and their negatives for the other side."""
    unit = (
        Network.layered(2, 1, unit="threshold")
        .set("outputs", [2.0])
        .set(("inputs", "outputs"), [[2.0], [-1.0]])
    )
    assert unit([[0, 0], [-3, 0]]).ravel().tolist() == [1.0, -1.0]
    for x in ([-1.0, 0.0], [0.0, 2.0]):
        assert 2 + 2 * x[0] - x[1] == 0
    other = unit.with_weights(-unit.weights)
    assert other([[0, 0], [-3, 0]]).ravel().tolist() == [-1.0, 1.0]


def test_exercise_4_3():
    """A: 1 + 2 x1 + x2 > 0 is more general than B: 2 x1 + x2 > 0, and strictly so."""
    general, special = (
        Network.layered(2, 1, unit="threshold")
        .set("outputs", [w0])
        .set(("inputs", "outputs"), [[2.0], [1.0]])
        for w0 in (1.0, 0.0)
    )
    points = np.random.default_rng(0).uniform(-3, 3, (500, 2))
    assert (general(points) >= special(points)).all()
    assert (general([[0, 0]])[0, 0], special([[0, 0]])[0, 0]) == (1.0, -1.0)


def test_exercise_4_5():
    """A unit over x and x² with one weight each: its gradient is the sum of (t - o)(x + x²)."""
    rng = np.random.default_rng(0)
    X, T = rng.normal(size=(20, 2)), rng.normal(size=(20, 1))
    unit = Network.layered(2, 1, unit="linear").with_weights([0.1, 0.2, -0.3])
    features = X + X**2
    objective = NetworkObjective(unit, features, T)
    error = T[:, 0] - unit(features)[:, 0]
    expected = [-error.sum(), *(-(error[:, np.newaxis] * features).sum(axis=0))]
    assert objective.gradient(unit.weights)[1] == pytest.approx(expected)
    assert "holds" in str(gradient_check(unit, features, T))


def test_exercise_4_9_codes_exist_but_no_output_below_the_bound():
    """One hidden unit: eight values have codes, but monotone outputs leave a squared error of 23/6."""
    codes = np.log(np.arange(1, 9) / 10 / (1 - np.arange(1, 9) / 10))
    assert codes[:4] == pytest.approx([-2.1972, -1.3863, -0.8473, -0.4055], abs=1e-4)
    hidden = Network.layered(8, 1, 8).set(("inputs", "hidden"), codes[:, np.newaxis])
    said = hidden.said("hidden", np.eye(8)).ravel()
    assert said == pytest.approx(np.arange(1, 9) / 10)
    # argmax decodes: net_k = s (2 h_k h - h_k²) is largest for the nearest code
    decoding = hidden.set(("hidden", "outputs"), 20 * said[np.newaxis]).set("outputs", -10 * said**2)
    assert decoding(np.eye(8)).argmax(axis=1).tolist() == list(range(8))
    assert np.square(decoding(np.eye(8)) - np.eye(8)).sum() > 23 / 6


def test_a_ridge_and_a_bump_of_aima_20_5():
    ridge = Network.layered(1, 2, 1, output="linear").set(("inputs", "hidden"), [[4.0, 4.0]])
    ridge = ridge.set("hidden", [4.0, -4.0]).set(("hidden", "outputs"), [[1.0], [-1.0]])
    at = ridge([[-3.0], [-1.0], [0.0], [1.0], [3.0]]).ravel()
    assert at == pytest.approx([0.0003, 0.4997, 0.9640, 0.4997, 0.0003], abs=1e-4)
    bump = Network.layered(2, 4, 1)
    bump = bump.set(("inputs", "hidden"), [[4.0, 4.0, 0.0, 0.0], [0.0, 0.0, 4.0, 4.0]])
    bump = bump.set("hidden", [4.0, -4.0, 4.0, -4.0]).set(
        ("hidden", "outputs"), [[8.0], [-8.0], [8.0], [-8.0]]
    )
    bump = bump.set("outputs", [-12.0])
    centre, edge, corner = bump([[0.0, 0.0], [3.0, 0.0], [3.0, 3.0]]).ravel()
    assert (centre, edge) == pytest.approx((0.9685, 0.0136), abs=1e-4)
    assert corner < 1e-4


@pytest.mark.parametrize(
    ("loss", "weights"),
    [
        ("squared", [-0.0309172, 0.3309172, -0.3345414]),
        ("cross_entropy", [-0.4249792, 0.7249792, -0.1375104]),
    ],
)
def test_one_step_of_a_sigmoid_unit_of_aima_20_5(loss, weights):
    """x = (-1, 1, 0.5) with the bias input -1, W = (0.1, 0.2, -0.4), target 1, rate 1."""
    unit = Network.layered(3, 1, bias=False).with_weights([0.1, 0.2, -0.4])
    objective = NetworkObjective(unit, [[-1.0, 1.0, 0.5]], [[1.0]], loss)
    assert unit([[-1.0, 1.0, 0.5]])[0, 0] == pytest.approx(0.4750208, abs=1e-7)
    assert unit.weights - objective.gradient(unit.weights)[1] == pytest.approx(weights, abs=1e-7)
    if loss == "cross_entropy":
        assert objective.loss(unit.weights) == pytest.approx(0.7443967, abs=1e-7)


def test_figure_18_20_by_hand():
    """Figure 20.18: what units say before any step."""
    network = Network.layered(2, 2, 1, bias=False).set(("inputs", "hidden"), [[0.5, 0.2], [-0.3, 0.8]])
    network = network.set(("hidden", "outputs"), [[1.0], [-1.5]])
    assert network.said("hidden", [[1.0, 0.5]])[0] == pytest.approx([0.5866176, 0.6456563], abs=1e-7)
    assert network([[1.0, 0.5]])[0, 0] == pytest.approx(0.4056767, abs=1e-7)


def test_exclusive_or_of_two_threshold_layers_of_aima():
    """Exercise 20.11: T(T(a + b - 0.5) - T(a + b - 1.5) - 0.5)."""
    from induce.neural import Group, Link

    groups = [
        Group("x", 2, "input"),
        Group("h", 2, "threshold", off=0.0),
        Group("y", 1, "threshold", off=0.0),
    ]
    network = Network.of(groups, [Link("x", "h"), Link("h", "y")])
    network = network.set(("x", "h"), [[1.0, 1.0], [1.0, 1.0]]).set("h", [-0.5, -1.5])
    network = network.set(("h", "y"), [[1.0], [-1.0]]).set("y", [-0.5])
    assert network(XOR).ravel().tolist() == [0.0, 1.0, 1.0, 0.0]


@pytest.mark.compiled
def test_two_hidden_units_may_be_caught_where_three_are_not():
    """§4.6.1: restarts get out of the local minimum that some starts of two hidden units end in."""
    settings = {
        "loss": "squared", "solver": "gradient", "learning_rate": 0.3, "momentum": 0.9, "init": 0.5, "scale": None,
        "weight_decay": 0, "tol": 0, "max_epochs": 1000,
    }  # fmt: skip
    right = {
        hidden: [
            induce.NeuralNetworkClassifier(hidden=hidden, random_state=seed, **settings)
            .fit(XOR, ODD)
            .score(XOR, ODD)
            for seed in range(6)
        ]
        for hidden in (2, 4)
    }
    assert right[4] == [1.0] * 6
    assert sum(score == 1.0 for score in right[2]) >= 4


@pytest.mark.compiled
def test_the_error_of_8x3x8_over_the_epochs():
    """Figure 4.8: the squared error falls from about 12 to about 7 after 100 epochs and below 0.2 after 5,000."""
    eight = np.eye(8)
    learner = induce.NeuralNetworkRegressor(
        hidden=3, output="sigmoid", scale=None, solver="gradient", learning_rate=0.3, init=0.1, weight_decay=0,
        max_epochs=5000, tol=0,
    )  # fmt: skip
    record = learner.fit(eight, eight).hypothesis_.record
    total = 2 * 8 * np.interp([1, 100, 2500, 5000], record.epochs, record.loss)
    assert 5 < total[1] < 8
    assert 0.1 < total[2] < 1.5
    assert 0.05 < total[3] < 0.2
