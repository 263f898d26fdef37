"""Networks as values: units by hand, any graph, shared and frozen weights, and what does not fit together."""

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.neural import Group, Link, Network, NetworkObjective, collapse, gradient_check


def dag() -> Network:
    """The graph without layers of exercise O-4.12: h2 sees h1, and the output sees x2 as well."""
    first, second = np.array([[0], [-1]]), np.array([[-1], [0]])
    network = Network.of(
        [Group("x", 2, "input"), Group("h1", 1), Group("h2", 1), Group("o", 1)],
        [
            Link("x", "h1"),
            Link("x", "h2", first),
            Link("h1", "h2"),
            Link("h1", "o"),
            Link("h2", "o"),
            Link("x", "o", second),
        ],
    )
    network = network.set("h1", [0.1]).set(("x", "h1"), [[0.2], [-0.3]])
    network = network.set("h2", [0.05]).set(("x", "h2"), [[-0.1], [0.0]]).set(("h1", "h2"), [[0.4]])
    network = network.set("o", [-0.2]).set(("h1", "o"), [[0.3]]).set(("h2", "o"), [[-0.5]])
    return network.set(("x", "o"), [[0.0], [0.25]])


def test_a_graph_without_layers():
    network, x, t = dag(), [[1.0, 0.5]], [[1.0]]
    said = network.states(x)
    assert [float(each[0, 0]) for each in said[1:]] == pytest.approx(
        [0.5374298453, 0.5411497002, 0.4540435985], abs=1e-10
    )
    objective = NetworkObjective(network, x, t)
    loss, gradient = objective.gradient(network.weights)
    assert loss == pytest.approx(0.1490341962, abs=1e-10)
    falls = network.with_weights(-gradient)
    assert falls.get("h1") == pytest.approx([0.0084224956], abs=1e-10)
    assert falls.get(("x", "h1")).ravel() == pytest.approx([0.0084224956, 0.0042112478], abs=1e-10)
    assert falls.get("h2") == pytest.approx([-0.0168024236], abs=1e-10)
    assert falls.get(("x", "h2")).ravel() == pytest.approx([-0.0168024236, 0.0], abs=1e-10)
    assert falls.get(("h1", "h2")).ravel() == pytest.approx([-0.0090301239], abs=1e-10)
    assert falls.get("o") == pytest.approx([0.1353360455], abs=1e-10)
    assert falls.get(("h1", "o")).ravel() == pytest.approx([0.07273363], abs=1e-9)
    assert falls.get(("h2", "o")).ravel() == pytest.approx([0.0732370604], abs=1e-10)
    assert falls.get(("x", "o")).ravel() == pytest.approx([0.0, 0.0676680227], abs=1e-10)
    assert gradient_check(network, x, t).holds


def test_numbers_of_weights_as_the_books_count_them():
    counts = [
        Network.layered(*sizes).n_weights for sizes in ((960, 3, 4), (8, 3, 8), (960, 4, 30), (960, 30, 4))
    ]
    assert counts == [2899, 59, 3994, 28954]
    digits = Network.of(
        [Group("x", 400, "input"), Group("h", 300), Group("y", 10, bias=False)],
        [Link("x", "h"), Link("h", "y")],
    )
    assert digits.n_weights == 123_300  # AIMA counts no biases of the outputs


def gate(weights: list[float], **conventions: object) -> Network:
    network = Network.of(
        [Group("x", len(weights) - 1, "input"), Group("y", 1, "threshold", **conventions)], [Link("x", "y")]
    )
    return network.set("y", weights[:1]).set(("x", "y"), np.array(weights[1:])[:, np.newaxis])


SIGNS = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]
BITS = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]


@pytest.mark.parametrize(
    ("weights", "rows", "says"),
    [
        ([-0.8, 0.5, 0.5], SIGNS, [-1, -1, -1, 1]),  # AND
        ([0.3, 0.5, 0.5], SIGNS, [-1, 1, 1, 1]),  # OR; Mitchell prints -.3, which is AND here
        ([-0.3, 0.5, 0.5], SIGNS, [-1, -1, -1, 1]),
        ([-0.3, 0.5, 0.5], BITS, [-1, 1, 1, 1]),  # and OR of 0 and 1
        ([0.8, -0.5, -0.5], SIGNS, [1, 1, 1, -1]),
        ([-0.8, 0.5, -0.5], SIGNS, [-1, -1, 1, -1]),  # A and not B (exercise 4.2)
    ],
)
def test_gates_of_threshold_units(weights, rows, says):
    assert gate(weights)(rows).ravel().tolist() == says


def test_conventions_of_threshold_units():
    rows = [[0.0, 0.0], [1.0, 1.0]]
    assert gate([0.0, 0.0, 0.0])(rows).ravel().tolist() == [-1, -1]
    aima = gate([-1.0, 1.0, 0.0], off=0.0, fires_at_zero=True)
    assert aima(rows).ravel().tolist() == [0, 1]


def test_exclusive_or_by_hand():
    """Exercise 4.2: two hidden units and an OR; two layers compute what no single unit can."""
    network = Network.layered(2, 2, 1, unit="threshold")
    network = network.set(("inputs", "hidden"), [[0.5, -0.5], [-0.5, 0.5]]).set("hidden", [-0.8, -0.8])
    network = network.set(("hidden", "outputs"), [[0.5], [0.5]]).set("outputs", [0.3])
    assert network(SIGNS).ravel().tolist() == [-1, 1, 1, -1]


def test_layers_of_linear_units_are_one_layer():
    deep = Network.layered(2, 2, 2, unit="linear")
    deep = deep.set("hidden", [0.1, -0.2]).set(("inputs", "hidden"), [[0.3, 0.4], [-0.5, 0.6]])
    deep = deep.set("outputs", [0.05, -0.1]).set(("hidden", "outputs"), [[0.7, -0.3], [0.2, 0.8]])
    single = collapse(deep)
    assert single.get("outputs") == pytest.approx([0.08, -0.29])
    assert single.get(("inputs", "outputs")).ravel() == pytest.approx([0.29, 0.23, -0.23, 0.63])
    with pytest.raises(InputError, match="group 'hidden' has sigmoid units; give a network of linear units"):
        collapse(Network.layered(2, 2, 1))


def test_ridge_and_bump():
    """AIMA Fig. 18.23: two opposite sigmoids make a ridge, two ridges a bump."""
    ridge = Network.layered(1, 2, 1, output="linear").set(("inputs", "hidden"), [[5.0, -5.0]])
    ridge = (
        ridge.set("hidden", [10.0, 10.0]).set(("hidden", "outputs"), [[1.0], [1.0]]).set("outputs", [-1.0])
    )
    assert ridge([[-4.0], [-2.0], [0.0], [2.0], [4.0]]).ravel() == pytest.approx(
        [0.00005, 0.5, 0.99991, 0.5, 0.00005], abs=5e-6
    )


def random(network: Network, seed: int = 0) -> Network:
    return network.with_weights(np.random.default_rng(seed).uniform(-1, 1, network.n_weights))


@pytest.mark.parametrize("unit", ["linear", "sigmoid", "tanh", "rectified", "softmax"])
@pytest.mark.parametrize("output", ["linear", "sigmoid", "tanh", "softmax"])
def test_gradients_of_all_units(unit, output):
    rng = np.random.default_rng(1)
    X, T = rng.normal(size=(5, 3)), np.eye(2)[[0, 1, 1, 0, 1]]
    network = random(Network.layered(3, 4, 3, 2, unit=unit, output=output))
    assert gradient_check(network, X, T, "squared", 0.01).holds
    if output in ("sigmoid", "softmax"):
        assert gradient_check(network, X, T, "cross_entropy").holds


def test_outputs_that_feed_others():
    network = Network.of(
        [Group("x", 2, "input"), Group("a", 2, "softmax"), Group("b", 1, "tanh", steepness=2.0)],
        [Link("x", "a"), Link("a", "b"), Link("x", "b")],
        outputs=["b", "a"],
    )
    X, T = np.array([[1.0, -1.0], [0.5, 2.0]]), np.array([[0.3, 1.0, 0.0], [-0.2, 0.0, 1.0]])
    assert random(network)(X).shape == (2, 3)
    assert gradient_check(random(network), X, T).holds


def test_shared_and_frozen_weights():
    # a detector of two neighbours, at three places: two weights and one bias each
    places = np.array([[0, -1, -1], [1, 0, -1], [-1, 1, 0], [-1, -1, 1]])
    groups = [Group("x", 4, "input"), Group("h", 3), Group("y", 1, frozen=True)]
    X, T = np.random.default_rng(0).normal(size=(4, 4)), np.array([[0.1], [0.9], [0.5], [0.2]])
    slopes = {}
    for tie in ("sum", "mean"):
        network = random(Network.of(groups, [Link("x", "h", places, tie=tie), Link("h", "y")]))
        assert network.n_weights == 2 + 3 + 3 + 1
        assert gradient_check(network, X, T).holds
        slopes[tie] = network.with_weights(NetworkObjective(network, X, T).gradient(network.weights)[1])
        assert slopes[tie].get("y") == [0.0]
    mean, total = (slopes[tie].get(("x", "h"))[:2, 0] for tie in ("mean", "sum"))
    assert 3 * mean == pytest.approx(total)
    frozen = random(Network.layered(2, 2, 1)).freeze("hidden", ("inputs", "hidden"))
    gradient = frozen.with_weights(NetworkObjective(frozen, X[:, :2], T).gradient(frozen.weights)[1])
    assert not gradient.get("hidden").any()
    assert gradient.get(("hidden", "outputs")).all()


@pytest.mark.parametrize(
    ("groups", "links", "sentence"),
    [
        ([Group("x", 1, "input"), Group("a", 0)], [], "group 'a' has size 0; give it at least one unit"),
        ([Group("x", 1, "input"), Group("x", 1)], [], "two groups are called 'x'"),
        ([Group("x", 1, "input"), Group("a", 1)], [("x", "b")], "there is no group 'b'"),
        ([Group("x", 1, "input"), Group("a", 1)], [("a", "x")], "a link goes into the inputs 'x'"),
        ([Group("x", 1, "input"), Group("a", 1)], [("x", "a"), ("x", "a")], "two links go from 'x' to 'a'"),
        ([Group("a", 1)], [], "the network has no inputs"),
        ([Group("x", 1, "input")], [], "the network has no output units"),
        (
            [Group("x", 1, "input"), Group("a", 1, "step")],
            [],
            "unit of group 'a' is 'step'; give one of 'input'",
        ),
        ([Group("x", 1, "input"), Group("a", 1, steepness=0.0)], [], "steepness of group 'a' is 0.0"),
        (
            [Group("x", 1, "input"), Group("a", 1), Group("b", 1)],
            [("x", "a"), ("a", "b"), ("b", "a")],
            "the links form a cycle: a -> b -> a; give one of them a delay",
        ),
    ],
)
def test_what_does_not_fit(groups, links, sentence):
    with pytest.raises(InputError, match=sentence):
        Network.of(groups, [Link(*each) for each in links])


def test_inputs_targets_and_weights_that_do_not_fit():
    network = Network.layered(2, 3, 1)
    with pytest.raises(InputError, match="X has 3 columns, but the network has 2 inputs"):
        network([[1.0, 2.0, 3.0]])
    with pytest.raises(InputError, match="weights has 2 numbers, but the network has 13 weights"):
        network.with_weights([1.0, 2.0])
    with pytest.raises(
        InputError, match="a target is 3, but sigmoid output units 'outputs' only range from 0 to 1"
    ):
        NetworkObjective(network, [[1.0, 2.0]], [[3.0]])
    with pytest.raises(InputError, match="use sigmoid or softmax units"):
        NetworkObjective(Network.layered(2, 1, unit="tanh"), [[1.0, 2.0]], [[0.0]], "cross_entropy")
    with pytest.raises(InputError, match="threshold units, which have no gradient"):
        NetworkObjective(Network.layered(2, 1, unit="threshold"), [[1.0, 2.0]], [[0.0]])


def test_equality():
    assert dag() == dag()
    assert dag() != dag().set("o", [1.0])
    assert hash(dag()) == hash(dag())
