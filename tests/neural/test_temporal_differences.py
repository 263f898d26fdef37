"""TD(λ) with eligibility traces: by hand, by finite differences, and against Monte-Carlo updates."""

import numpy as np
import pytest
from scipy import sparse

from induce.core import loops
from induce.core.errors import InputError
from induce.neural import Group, Link, Network, train_td
from induce.neural._trace_loops import follow

WALKS = [np.eye(3)[[1, 2, 1]], np.eye(3)[[1, 0]]]


def skipping(unit: str) -> Network:
    """A network with a link past the hidden units and shared weights."""
    groups = [Group("x", 3, "input"), Group("h", 2, "tanh"), Group("v", 1, unit)]
    shared = np.array([[0, 1], [1, -1], [2, 0]])
    network = Network.of(groups, [Link("x", "h", shared), Link("h", "v"), Link("x", "v")])
    return network.with_weights(np.random.default_rng(4).uniform(-0.8, 0.8, network.n_weights))


def episodes(n: int = 3, seed: int = 0) -> tuple[list, list]:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 6, n).tolist()
    return [rng.normal(size=(k, 3)) for k in lengths], [rng.random(k) / 6 for k in lengths]


def gradient(network: Network, x: np.ndarray) -> np.ndarray:
    """Central differences of the output by each weight."""
    found = []
    for step in np.eye(network.n_weights) * 1e-6:
        high, low = (network.with_weights(network.weights + sign * step)([x])[0, 0] for sign in (1, -1))
        found.append((high - low) / 2e-6)
    return np.array(found)


def by_definition(network, states, rewards, rate, lambda_, discount):
    """TD(λ) as it is defined, after each step."""
    for X, R in zip(states, rewards, strict=True):
        trace = 0.0
        for t in range(len(X)):
            now, following = network(X[t : t + 1])[0, 0], 0.0
            if t + 1 < len(X):
                following = network(X[t + 1 : t + 2])[0, 0]
            trace = discount * lambda_ * trace + gradient(network, X[t])
            difference = R[t] + discount * following - now
            network = network.with_weights(network.weights + rate * difference * trace)
    return network.weights


def test_one_walk_of_a_linear_table_by_hand():
    """B, C, B, then 1 at the end; λ = 0.5, rate 0.1, all values 0.5 at first."""
    table = Network.of([Group("x", 3, "input"), Group("v", 1, "linear", bias=False)], [Link("x", "v")])
    table = table.with_weights([0.5, 0.5, 0.5])
    settings = {"lambda_": 0.5, "learning_rate": 0.1, "init": None}
    network, errors = train_td(table, WALKS[:1], [1.0], **settings)
    # the differences are 0, 0 and 0.5; the trace at the end is 1 + 0.25 for B and 0.5 for C
    assert network.weights.tolist() == pytest.approx([0.5, 0.5 + 0.05 * 1.25, 0.5 + 0.05 * 0.5])
    assert errors.tolist() == pytest.approx([np.sqrt(0.25 / 3)])
    # with a discount of 0.5: differences -0.25, then 0.25 * 0.475 …, after each step
    network, _ = train_td(table, WALKS[:1], [1.0], discount=0.5, **settings)
    b, c, e_b, e_c = 0.5, 0.5, 1.0, 0.0
    b += 0.1 * (0.5 * c - b) * e_b
    e_b, e_c = 0.25, 1.0
    difference = 0.5 * b - c
    b, c = b + 0.1 * difference * e_b, c + 0.1 * difference * e_c
    e_b, e_c = 0.25 * e_b + 1.0, 0.25
    difference = 1.0 - b
    assert network.weights.tolist() == pytest.approx(
        [0.5, b + 0.1 * difference * e_b, c + 0.1 * difference * e_c]
    )


@pytest.mark.parametrize("unit", ["linear", "sigmoid", "tanh"])
@pytest.mark.parametrize(("lambda_", "discount"), [(0.0, 1.0), (0.6, 0.9), (1.0, 1.0)])
def test_the_definition_with_finite_differences(unit, lambda_, discount):
    network = skipping(unit)
    states, rewards = episodes()
    found, _ = train_td(
        network, states, rewards, lambda_=lambda_, discount=discount, learning_rate=0.2, init=None
    )
    expected = by_definition(network, states, rewards, 0.2, lambda_, discount)
    assert found.weights == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("unit", ["linear", "sigmoid"])
def test_without_traces_an_episode_is_the_sum_of_plain_updates(unit):
    network = skipping(unit)
    states, rewards = episodes(1, seed=3)
    X, R = states[0], rewards[0]
    found, _ = train_td(network, states, rewards, lambda_=0, updates="episode", init=None)
    V = np.append(network(X).ravel(), 0.0)
    step = 0.1 * (R + V[1:] - V[:-1])
    assert found.weights - network.weights == pytest.approx(
        step @ network.weight_gradients(X)[:, 0], abs=1e-14
    )


@pytest.mark.parametrize("unit", ["linear", "sigmoid"])
def test_full_traces_are_monte_carlo_with_the_weights_of_the_start(unit):
    network = skipping(unit)
    states, rewards = episodes(1, seed=3)
    X, R = states[0], rewards[0]
    found, _ = train_td(network, states, rewards, lambda_=1, updates="episode", init=None)
    step = 0.1 * (np.cumsum(R[::-1])[::-1] - network(X).ravel())
    assert found.weights - network.weights == pytest.approx(
        step @ network.weight_gradients(X)[:, 0], abs=1e-14
    )


def test_frozen_weights_stay():
    network = skipping("linear").freeze("h", ("x", "v"))
    found, _ = train_td(network, *episodes(), init=None)
    assert found.get("h").tolist() == network.get("h").tolist()
    assert found.get(("x", "v")).tolist() == network.get(("x", "v")).tolist()
    assert (found.get(("h", "v")) != network.get(("h", "v"))).all()


def test_same_seed_same_network_and_sparse_states():
    states, rewards = episodes(8)
    one, errors = train_td(skipping("linear"), states, rewards, epochs=4, random_state=5)
    two, _ = train_td(
        skipping("linear"), [sparse.csr_array(rows) for rows in states], rewards, epochs=4, random_state=5
    )
    assert one == two
    assert len(errors) == 4
    assert errors[-1] < errors[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"network": Network.layered(3, 2)}, "one linear, sigmoid"),
        ({"network": Network.layered(3, 1, unit="threshold")}, "threshold"),
        ({"network": Network.layered(4, 1)}, "episode 0 has shape"),
        ({"episodes": [], "rewards": []}, "at least one episode"),
        ({"episodes": WALKS[:1]}, "1 episodes, but rewards for 2"),
        ({"episodes": [np.empty((0, 3)), WALKS[1]]}, "episode 0 has shape"),
        ({"rewards": [1.0, [0.0, 0.0, 0.0]]}, "episode 1 has 2 states"),
        ({"rewards": [np.nan, 0.0]}, "non-finite"),
        ({"rewards": [2.0, 0.0]}, "sigmoid output units only range from 0 to 1"),
        ({"lambda_": 1.5}, "lambda_ is 1.5"),
        ({"discount": -1}, "discount is -1"),
        ({"learning_rate": 0}, "learning_rate is 0"),
        ({"updates": "batch"}, "updates is 'batch'"),
        ({"epochs": 0}, "epochs is 0"),
        ({"epochs": 1.5}, "epochs is 1.5"),
        ({"episodes": 5}, "one entry per episode"),
        ({"episodes": [["a"], WALKS[1]]}, "of episode 0 are not rows of numbers"),
        ({"rewards": [1.0, "x"]}, "of episode 1 are not rows of numbers"),
        (
            {"network": Network.layered(3, 1, unit="linear"), "learning_rate": 1e6, "epochs": 99},
            "smaller",
        ),
    ],
)
def test_bad_input_is_named(change, message):
    given = {"network": Network.layered(3, 1), "episodes": WALKS, "rewards": [1.0, 0.0]} | change
    with pytest.raises(InputError, match=message):
        train_td(given.pop("network"), given.pop("episodes"), given.pop("rewards"), **given)


@pytest.mark.compiled
@pytest.mark.parametrize("at_once", [True, False])
def test_the_compiled_loop_gives_the_same(at_once):
    network = skipping("sigmoid")
    states, rewards = episodes()
    plan, starts = network.plan, np.cumsum([0, *map(len, rewards)])
    said = []
    for run in (follow, loops.compiled(follow)):
        w = network.weights.copy()
        error = run(
            plan.groups, plan.facts, plan.links, plan.places, plan.factor, np.concatenate(states),
            np.concatenate(rewards), starts, np.array([2, 0, 1]), w, 0.1, 0.63, 0.9, at_once,
        )  # fmt: skip
        said.append([*w.tolist(), error])
    assert said[0] == said[1]
