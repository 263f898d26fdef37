"""BACKPROPAGATION example by example, as worked by hand (Mitchell exercise 4.7, AIMA §18.7 and §20.5)."""

import numpy as np
import pytest

from induce.core import loops
from induce.neural import Group, Link, Network, NetworkObjective
from induce.neural._loops import back_propagate

X, T = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0], [0.0]])


def small(unit: str = "sigmoid", output: str | None = None, steepness: float = 1.0) -> Network:
    groups = [
        Group("inputs", 2, "input"),
        Group("c", 1, unit, steepness=steepness),
        Group("d", 1, output or unit, steepness=1.0 if output else steepness),
    ]
    network = Network.of(groups, [Link("inputs", "c"), Link("c", "d")])
    return network.with_weights(np.full(5, 0.1))


def in_order(network: Network, w: np.ndarray) -> list[float]:
    """The weights as the exercise lists them: ca, cb, c0, dc, d0."""
    now = network.with_weights(w)
    parts = [now.get(("inputs", "c")).ravel(), now.get("c"), now.get(("c", "d")).ravel(), now.get("d")]
    return np.concatenate(parts).tolist()


def after(
    network: Network, rows: list[int], momentum: float = 0.0, loss: str = "squared", **more: float
) -> list:
    used = sorted(set(rows))
    objective = NetworkObjective(network, X[used], T[used], loss, **more)
    w, memory = network.weights.copy(), np.zeros(network.n_weights)
    objective.epoch(w, memory, np.array([used.index(row) for row in rows]), np.full(len(rows), 0.3), momentum)
    return in_order(network, w)


@pytest.mark.parametrize(
    ("n", "weights"),
    [
        (1, [0.1008512818, 0.1, 0.1008512818, 0.1189103978, 0.1343929220]),
        (2, [0.1016174355, 0.0987985279, 0.1004159633, 0.1134741644, 0.1245215214]),
        (3, [0.1032535572, 0.0977172029, 0.1009707602, 0.1271328833, 0.1493462803]),
        (4, [0.1047260669, 0.0954505888, 0.1001766556, 0.1168419655, 0.1305905002]),
    ],
)
def test_exercise_4_7(n, weights):
    assert after(small(), [0, 1, 0, 1][:n], momentum=0.9) == pytest.approx(weights, abs=1e-10)


def test_exercise_4_7_without_momentum():
    expected = [0.1008512818, 0.0987985279, 0.0996498097, 0.0964548064, 0.0935678915]
    assert after(small(), [0, 1]) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(
    ("network", "options", "weights"),
    [
        (small("tanh"), {}, [0.1250348607, 0.1, 0.1250348607, 0.1514156364, 0.3604967852]),
        (small(), {"loss": "cross_entropy"}, [0.1034256159, 0.1, 0.1034256159, 0.1760967261, 0.2383994560]),
        (small(output="linear"), {}, [0.1062746684, 0.1, 0.1062746684, 0.2393856565, 0.3535049801]),
        (small(), {"weight_decay": 0.01}, [0.1002512818, 0.0994, 0.1002512818, 0.1183103978, 0.1337929220]),
        (small(steepness=2.0), {}, [0.1029564112, 0.1, 0.1029564112, 0.1368342920, 0.1615250564]),
    ],
)
def test_the_same_step_by_other_rules(network, options, weights):
    assert after(network, [0], **options) == pytest.approx(weights, abs=1e-10)


def test_batches_of_exercise_4_7():
    network = small()
    objective = NetworkObjective(network, X, T)
    w, change = network.weights.copy(), 0.0
    for error, weights in [
        (0.25149525, [0.10085128, 0.09900601, 0.09985729, 0.09682989, 0.09423442]),
        (0.25134880, [0.10244547, 0.09715163, 0.09959710, 0.09097534, 0.08355507]),
    ]:
        loss, gradient = objective.gradient(w)
        assert loss == pytest.approx(error, abs=1e-8)
        change = -0.3 * gradient + 0.9 * change
        w = w + change
        assert in_order(network, w) == pytest.approx(weights, abs=1e-8)
    both = NetworkObjective(network, X, T, "cross_entropy")
    assert both.loss(network.weights) == pytest.approx(1.3922933243, abs=1e-10)


def test_figure_20_18():
    network = Network.layered(2, 2, 1, bias=False)
    network = network.set(("inputs", "hidden"), [[0.5, 0.2], [-0.3, 0.8]])
    network = network.set(("hidden", "outputs"), [[1.0], [-1.5]])
    objective = NetworkObjective(network, [[1.0, 0.5]], [[1.0]])
    loss, gradient = objective.gradient(network.weights)
    assert loss == pytest.approx(0.1766101, abs=1e-7)
    slopes = network.with_weights(gradient)
    assert slopes.get(("inputs", "hidden")).ravel() == pytest.approx(
        [-0.0347482, 0.0491748, -0.0173741, 0.0245874], abs=1e-7
    )
    w = network.weights.copy()
    objective.epoch(w, np.zeros(6), np.array([0]), np.array([0.5]), 0.0)
    moved = network.with_weights(w)
    assert moved.get(("hidden", "outputs")).ravel() == pytest.approx([1.0420292, -1.4537409], abs=1e-7)
    assert moved.get(("inputs", "hidden")).ravel() == pytest.approx(
        [0.5173741, 0.1754126, -0.2913129, 0.7877063], abs=1e-7
    )


def test_two_outputs_of_aima_18_7():
    network = Network.layered(2, 2, 2).set("hidden", [0.1, -0.2]).set("outputs", [0.05, -0.1])
    network = network.set(("inputs", "hidden"), [[0.3, 0.4], [-0.5, 0.6]])
    network = network.set(("hidden", "outputs"), [[0.7, -0.3], [0.2, 0.8]])
    assert network([[1.0, 0.0]])[0] == pytest.approx([0.64084836, 0.53997969], abs=1e-8)
    objective = NetworkObjective(network, [[1.0, 0.0]], [[1.0, 0.0]])
    assert 2 * objective.loss(network.weights) == pytest.approx(0.42056797, abs=1e-8)
    w = network.weights.copy()
    objective.epoch(w, np.zeros(12), np.array([0]), np.array([0.5]), 0.0)
    moved = network.with_weights(w)
    assert moved.get("outputs") == pytest.approx([0.09133148, -0.16706592], abs=1e-8)
    assert moved.get(("hidden", "outputs"))[0] == pytest.approx([0.72474465, -0.34015154], abs=1e-8)
    assert moved.get("hidden") == pytest.approx([0.11178523, -0.2112339], abs=1e-8)
    assert moved([[1.0, 0.0]])[0] == pytest.approx([0.657133, 0.51067622], abs=1e-8)


def test_slope_of_the_output():
    """The initial derivative of d by a at (1, 0), which the slope error compares."""
    network = small()
    step = 1e-6
    slope = (network([[1 + step, 0.0]]) - network([[1 - step, 0.0]])) / (2 * step)
    assert slope[0, 0] == pytest.approx(0.0006150904, abs=1e-9)


def any_network(seed: int) -> tuple[NetworkObjective, np.ndarray]:
    """A graph with everything in it: shared, missing and frozen weights, outputs that feed others, all units."""
    rng = np.random.default_rng(seed)
    places = np.array([[0, -1, 1], [1, 0, -1]])
    groups = [
        Group("x", 2, "input"),
        Group("a", 3, "tanh", steepness=1.5),
        Group("b", 2, "rectified", frozen=True),
        Group("c", 2, "softmax"),
        Group("d", 1, "sigmoid", bias=False),
    ]
    links = [
        Link("x", "a", places),
        Link("x", "b"),
        Link("a", "b"),
        Link("b", "c"),
        Link("c", "d"),
        Link("a", "d"),
    ]
    network = Network.of(groups, links, ["d", "c"])
    network = network.with_weights(rng.uniform(-1, 1, network.n_weights))
    T = np.column_stack([rng.random(6), np.eye(2)[rng.integers(0, 2, 6)]])
    return NetworkObjective(network, rng.normal(size=(6, 2)), T, row_weights=rng.random(6)), network.weights


@pytest.mark.parametrize("loss", ["squared", "cross_entropy"])
def test_both_executors_agree(loss):
    for seed in range(3):
        objective, w = any_network(seed)
        objective.loss_name = loss
        for row in range(2):
            moved, memory = w.copy(), np.zeros_like(w)
            error = objective.epoch(moved, memory, np.array([row]), np.array([0.1]), 0.0)
            expected, gradient = objective.gradient(w, np.array([row]))
            assert error == pytest.approx(expected)
            assert moved == pytest.approx(w - 0.1 * gradient, abs=1e-14)


@pytest.mark.compiled
def test_the_compiled_loop_gives_the_same():
    objective, w = any_network(0)
    plain, fast = w.copy(), w.copy()
    order = np.array([3, 1, 4, 1, 5])
    objective.epoch(plain, np.zeros_like(w), order, np.full(5, 0.1), 0.9)
    plan = objective.network.plan
    loops.compiled(back_propagate)(
        plan.groups, plan.facts, plan.links, plan.places, plan.factor, objective.X, objective.T,
        objective.row_weights, order, fast, np.zeros_like(w), np.full(5, 0.1), 0.9, 0.0, 0, plan.is_direct,
    )  # fmt: skip
    assert fast.tolist() == plain.tolist()


def test_derivatives_of_the_residuals():
    objective, w = any_network(1)
    objective.weight_decay = 0.1
    r, J = objective.residuals(w)
    loss, gradient = objective.gradient(w)
    factor = objective.network.plan.factor
    assert 0.5 * r @ r == pytest.approx(loss)
    assert (J.T @ r) * factor == pytest.approx(gradient)


def deltas(network: Network, w: np.ndarray, row: int, loss: str = "squared") -> list[float]:
    """What hidden and output unit say of an example, and their errors: the fall of the loss by the net inputs."""
    now = network.with_weights(w)
    gradient = NetworkObjective(network, X[[row]], T[[row]], loss).gradient(w)[1]
    falls = network.with_weights(-gradient)
    said = [float(now.said(name, X[[row]])[0, 0]) for name in ("c", "d")]
    return [*said, float(falls.get("d")[0]), float(falls.get("c")[0])]


def test_units_and_errors_of_exercise_4_7():
    network = small()
    w, memory = network.weights.copy(), np.zeros(5)
    expected = [
        (0.5498339973, 0.5386684800, 0.1146430734, 0.0028376061),
        (0.5500446947, 0.5497842350, -0.1360834350, -0.0040049072),
        (0.5503372460, 0.5466069504, 0.1123633985, 0.0031552784),
        (0.5495092252, 0.5545833494, -0.1369935439, -0.0043114057),
    ]
    objective = NetworkObjective(network, X, T)
    for step, told in enumerate(expected):
        assert deltas(network, w, step % 2) == pytest.approx(told, abs=1e-10)
        before = w.copy()
        objective.epoch(w, memory, np.array([step % 2]), np.array([0.3]), 0.9)
        if step == 1:  # the input a is 0, but its weight goes on by momentum
            moved = [0.0007661536, -0.0012014721, -0.0004353185, -0.0054362334, -0.0098714007]
            assert in_order(network, w - before) == pytest.approx(moved, abs=1e-10)
            assert moved[0] == pytest.approx(0.9 * 0.0008512818, abs=1e-10)


@pytest.mark.parametrize(
    ("network", "loss", "told"),
    [
        (small("tanh"), "squared", (0.1973753202, 0.1191685660, 0.8683226172, 0.0834495358)),
        (small(), "cross_entropy", (0.5498339973, 0.5386684800, 0.4613315200, 0.0114187197)),
        (small(output="linear"), "squared", (0.5498339973, 0.1549833997, 0.8450166003, 0.0209155613)),
    ],
)
def test_units_and_errors_by_other_rules(network, loss, told):
    assert deltas(network, network.weights, 0, loss) == pytest.approx(told, abs=1e-10)


def test_units_and_errors_of_a_steep_sigmoid():
    """The derivative of a sigmoid of steepness k is k o (1 - o)."""
    network = small(steepness=2.0)
    c, d, error_d, error_c = deltas(network, network.weights, 0)
    assert (c, d) == pytest.approx((0.5986876601, 0.5792602854), abs=1e-10)
    assert (error_d, error_c) == pytest.approx((0.2050835213, 0.0098547040), abs=1e-10)


def test_errors_of_figure_20_18():
    network = Network.layered(2, 2, 1).set(("inputs", "hidden"), [[0.5, 0.2], [-0.3, 0.8]])
    network = network.set(("hidden", "outputs"), [[1.0], [-1.5]])
    falls = network.with_weights(
        -NetworkObjective(network, [[1.0, 0.5]], [[1.0]]).gradient(network.weights)[1]
    )
    assert falls.get("outputs") == pytest.approx([0.1432932], abs=1e-7)
    assert falls.get("hidden") == pytest.approx([0.0347482, -0.0491748], abs=1e-7)


def test_errors_and_new_weights_of_aima_18_7():
    network = Network.layered(2, 2, 2).set("hidden", [0.1, -0.2]).set("outputs", [0.05, -0.1])
    network = network.set(("inputs", "hidden"), [[0.3, 0.4], [-0.5, 0.6]])
    network = network.set(("hidden", "outputs"), [[0.7, -0.3], [0.2, 0.8]])
    assert network.said("hidden", [[1.0, 0.0]])[0] == pytest.approx([0.59868766, 0.549834], abs=1e-8)
    objective = NetworkObjective(network, [[1.0, 0.0]], [[1.0, 0.0]])
    falls = network.with_weights(-objective.gradient(network.weights)[1])
    assert falls.get("outputs") == pytest.approx([0.08266297, -0.13413183], abs=1e-8)
    assert falls.get("hidden") == pytest.approx([0.02357045, -0.02246779], abs=1e-8)
    w = network.weights.copy()
    objective.epoch(w, np.zeros(12), np.array([0]), np.array([0.5]), 0.0)
    moved = network.with_weights(w)
    assert moved.get(("hidden", "outputs"))[1] == pytest.approx([0.22272545, 0.76312488], abs=1e-8)
    assert moved.get(("inputs", "hidden")).ravel() == pytest.approx(
        [0.31178523, 0.3887661, -0.5, 0.6], abs=1e-8
    )
    assert 2 * objective.loss(w) == pytest.approx(0.37834799, abs=1e-8)
    step = 1e-6  # of the sum of squares without the half, the derivative is -2 a Δ
    for k in range(12):
        push = step * np.eye(12)[k]
        slope = (
            2 * (objective.loss(network.weights + push) - objective.loss(network.weights - push)) / (2 * step)
        )
        assert slope == pytest.approx(-2 * falls.weights[k], abs=1e-8)
