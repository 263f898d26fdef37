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
    assert shown.contenders([[0.0]]) == [("left",)]
    assert sorted(shown.contenders([[0.0]], within=0.25)[0]) == ["left", "right"]
    both = np.where(np.isin(np.arange(4), [places[0], places[2]]), 1.0, -1.0)
    tied = replace(shown, network=network.set("outputs", both))
    assert tied.confidence([[0.0]])[0] == 0.0
    assert sorted(tied.contenders([[0.0]])[0]) == ["left", "right"]


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
    assert "correct" in str(gradient_check(unit, features, T))


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


def test_a_bump_stands_at_the_origin_alone():
    """AIMA figure 18.23: 1 at the origin, 0 at the eight other points of a grid."""
    bump = Network.layered(2, 4, 1).set(("inputs", "hidden"), [[5.0, -5.0, 0.0, 0.0], [0.0, 0.0, 5.0, -5.0]])
    bump = bump.set("hidden", np.full(4, 10.0)).set(("hidden", "outputs"), np.full((4, 1), 20.0))
    bump = bump.set("outputs", [-70.0])  # g(20 (ridge + ridge - 1.5)), each ridge a sum less 1
    grid = np.array([[a, b] for a in (-4, 0, 4) for b in (-4, 0, 4)], float)
    assert bump(grid).ravel().round(3).tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]


def test_linear_units_of_any_slope_collapse():
    """Exercise 20.17: with g(x) = c x, a hidden layer gives c² Σ W W: one layer of units with weights c Σ W W."""
    from induce.neural import collapse

    c, rng = 1.7, np.random.default_rng(0)
    into, out = rng.normal(size=(3, 4)), rng.normal(size=(4, 2))
    deep = Network.layered(3, 4, 2, unit="linear", bias=False)
    deep = deep.set(("inputs", "hidden"), c * into).set(("hidden", "outputs"), c * out)
    X = rng.normal(size=(5, 3))
    assert deep(X) == pytest.approx(c**2 * X @ into @ out)
    single = collapse(deep)
    assert single(X) == pytest.approx(deep(X))
    assert single.get(("inputs", "outputs")) == pytest.approx(c * (c * into @ out))


def test_small_weights_make_a_network_nearly_linear():
    """§4.6.5: near weights of 0 a network of sigmoids is nearly a linear function of its inputs."""
    rng = np.random.default_rng(0)
    shape = Network.layered(3, 5, 1)
    start = rng.normal(size=shape.n_weights)
    X = rng.uniform(-1, 1, (200, 3))
    bends = []
    for size in (1.0, 0.1, 0.01):
        said = shape.with_weights(size * start)(X)[:, 0]
        columns = np.column_stack([np.ones(200), X])
        left = said - columns @ np.linalg.lstsq(columns, said, rcond=None)[0]
        bends.append(float(left.std() / said.std()))
    assert bends[0] > 10 * bends[1] > 100 * bends[2] > 0


def test_units_with_weights_of_zero_never_differ():
    """§4.7: hidden weights of 0 part if the output weights differ; if all are 0 the units stay the same."""
    X, T = np.random.default_rng(0).random((6, 3)), np.array([[0.1], [0.9], [0.9], [0.1], [0.9], [0.1]])
    shape = Network.layered(3, 2, 1)
    nothing = np.zeros(shape.n_weights)
    drawn = shape.set(("hidden", "outputs"), [[0.03], [-0.04]]).weights
    for start, same in ((nothing, True), (drawn, False)):
        w = np.array(start)
        objective = NetworkObjective(shape, X, T)
        for _ in range(20):
            objective.epoch(w, np.zeros_like(w), np.arange(6), np.full(6, 0.3), 0.0)
        left, right = shape.with_weights(w).get(("inputs", "hidden")).T
        assert np.allclose(left, right, atol=0) == same
    learner = induce.NeuralNetworkClassifier(hidden=2, init="zero_inputs", solver="gradient", max_epochs=3)
    left, right = learner.fit(XOR, ODD).hypothesis_.network.get(("inputs", "hidden")).T
    assert not np.allclose(left, right, atol=0)


def test_points_between_examples_of_a_class_belong_to_it():
    """§4.6.3: smooth interpolation is the inductive bias."""
    X = np.array([[-3.0], [-2.0], [2.0], [3.0], [7.0], [8.0]])
    y = ["no", "no", "yes", "yes", "no", "no"]
    learner = induce.NeuralNetworkClassifier(hidden=4, weight_decay=0.001).fit(X, y)
    assert learner.predict([[2.2], [2.5], [2.8]]).tolist() == ["yes"] * 3
    assert learner.predict([[-2.7], [7.5]]).tolist() == ["no", "no"]


def test_sigmoids_and_a_linear_output_come_near_any_curve():
    """§4.6.2: one hidden layer approximates a bounded continuous function; more units leave a smaller error."""
    x = np.linspace(-3, 3, 60)[:, np.newaxis]
    y = np.sin(2 * x[:, 0]) + 0.5 * np.abs(x[:, 0])
    left = []
    for hidden in (1, 4, 12):
        learner = induce.NeuralNetworkRegressor(hidden=hidden, weight_decay=1e-5, max_epochs=600, tol=0)
        left.append(float(np.square(learner.fit(x, y).predict(x) - y).mean()))
    assert left[0] > 10 * left[1] > 20 * left[2]
    assert left[2] < 1e-3


def test_four_classes_by_one_output():
    """§4.7.2, AIMA §20.5: parts of one output's range stand for classes; the book takes an output for each."""
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    said = induce.NeuralNetworkRegressor(hidden=2, output="sigmoid", weight_decay=0, max_epochs=200)
    numbers = said.fit(X, [0.2, 0.4, 0.6, 0.8]).predict(X)
    names = np.array(["left", "straight", "right", "up"])[np.digitize(numbers, [0.3, 0.5, 0.7])]
    assert names.tolist() == ["left", "straight", "right", "up"]


def test_the_network_with_the_highest_accuracy_is_kept():
    """§4.7.2: validation every 50 steps of the full gradient, by the share of right answers, not by the error."""
    X, y = induce.dataset("iris")
    rows = (X.to_numpy() - X.to_numpy().mean(axis=0)) / X.to_numpy().std(axis=0)
    truth = np.array([list(dict.fromkeys(y)).index(each) for each in y])
    T = np.where(truth[:, np.newaxis] == np.arange(3), 0.9, 0.1)
    held = np.arange(150) % 3 == 0
    shape = Network.layered(4, 3, 3)
    start = shape.with_weights(np.random.default_rng(0).uniform(-0.1, 0.1, shape.n_weights))
    seen = []

    def wrong(w):
        seen.append(float((shape.with_weights(w)(rows[held]).argmax(axis=1) != truth[held]).mean()))
        return seen[-1]

    objective = NetworkObjective(shape, rows[~held], T[~held], average=True)
    stop = Stop(max_epochs=3000, every=50)
    found = descend(objective, start.weights, distance=0.3, momentum=0.3, validation=wrong, stop=stop)
    assert found.history.epoch.tolist() == list(range(0, 3001, 50))
    assert found.best_epoch == 50 * int(np.argmin(seen))
    assert wrong(found.best_w) == min(seen) < 0.1


@pytest.mark.compiled
@pytest.mark.parametrize(("rate", "momentum"), [(0.1, 0.9), (0.5, 0.0)])
def test_other_rates_learn_eight_values_too(rate, momentum):
    eight = np.eye(8)
    learner = induce.NeuralNetworkRegressor(
        hidden=3, output="sigmoid", scale=None, solver="gradient", learning_rate=rate, momentum=momentum, init=0.1,
        weight_decay=0, max_epochs=5000, tol=0,
    )  # fmt: skip
    said = learner.fit(eight, eight).predict(eight)
    assert said.argmax(axis=1).tolist() == list(range(8))
    assert ((said > 0.5) == (eight == 1)).all()


@pytest.mark.compiled
def test_a_low_rate_is_slow_and_one_unit_is_too_few():
    """8x3x8 with the rate 0.1 leaves .36 to 1.1 after 5,000 epochs; 8x1x8 is caught near 4.9 (exercise 4.9)."""
    eight = np.eye(8)
    settings = {
        "output": "sigmoid", "scale": None, "solver": "gradient", "init": 0.1, "weight_decay": 0, "tol": 0,
    }  # fmt: skip
    slow = induce.NeuralNetworkRegressor(hidden=3, learning_rate=0.1, max_epochs=5000, **settings)
    assert 0.2 < np.square(slow.fit(eight, eight).predict(eight) - eight).sum() < 1.6
    one = induce.NeuralNetworkRegressor(hidden=1, learning_rate=0.3, max_epochs=20_000, **settings)
    said = one.fit(eight, eight).predict(eight)
    assert 23 / 6 < np.square(said - eight).sum() < 5.2
    assert 2 <= (said.argmax(axis=1) == np.arange(8)).sum() <= 6


def test_sums_errors_and_slopes_of_a_sigmoid_unit_of_aima_20_5():
    """x = (-1, 1, 0.5), W = (0.1, 0.2, -0.4), target 1: the sum, the error and the derivative of the unit."""
    unit = Network.layered(3, 1, bias=False).with_weights([0.1, 0.2, -0.4])
    x = np.array([[-1.0, 1.0, 0.5]])
    assert float(x[0] @ unit.weights) == pytest.approx(-0.1)
    said = float(unit(x)[0, 0])
    assert 1.0 - said == pytest.approx(0.5249792, abs=5e-8)
    by_inputs = unit.input_gradients(x).ravel()  # the derivative of the unit times its weights
    assert by_inputs == pytest.approx(0.2493760 * unit.weights, abs=5e-8)


def test_sums_and_slopes_of_figure_20_18():
    network = Network.layered(2, 2, 1, bias=False).set(("inputs", "hidden"), [[0.5, 0.2], [-0.3, 0.8]])
    network = network.set(("hidden", "outputs"), [[1.0], [-1.5]])
    x = [[1.0, 0.5]]
    for said, nets in ((network.said("hidden", x)[0], [0.35, 0.6]), (network(x)[0], [-0.3818669])):
        assert np.log(said / (1 - said)) == pytest.approx(nets, abs=5e-8)
    slopes = network.with_weights(NetworkObjective(network, x, [[1.0]]).gradient(network.weights)[1])
    assert slopes.get(("hidden", "outputs")).ravel() == pytest.approx([-0.0840583, -0.0925182], abs=5e-8)


def test_sums_of_two_outputs_of_aima_18_7():
    network = Network.layered(2, 2, 2).set("hidden", [0.1, -0.2]).set("outputs", [0.05, -0.1])
    network = network.set(("inputs", "hidden"), [[0.3, 0.4], [-0.5, 0.6]])
    network = network.set(("hidden", "outputs"), [[0.7, -0.3], [0.2, 0.8]])
    hidden, out = network.said("hidden", [[1.0, 0.0]])[0], network([[1.0, 0.0]])[0]
    assert np.log(hidden / (1 - hidden)) == pytest.approx([0.4, 0.2])
    assert np.log(out / (1 - out)) == pytest.approx([0.57904816, 0.1602609], abs=5e-8)


def test_the_bound_of_exercise_4_9_is_that_of_monotone_outputs():
    """Of eight codes in a row, outputs that rise or fall leave 0, 1/2, 2/3, 3/4, 3/4, 2/3, 1/2, 0: together 23/6."""
    from sklearn.isotonic import isotonic_regression

    left = []
    for code in range(8):
        target = np.eye(8)[code]
        ways = (isotonic_regression(target, increasing=rises) for rises in (True, False))
        left.append(min(float(np.square(way - target).sum()) for way in ways))
    assert left == pytest.approx([0, 1 / 2, 2 / 3, 3 / 4, 3 / 4, 2 / 3, 1 / 2, 0])
    assert sum(left) == pytest.approx(3.8333, abs=5e-5)
