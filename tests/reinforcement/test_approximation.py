"""Action values that generalise: the book's numbers, the rules beside each other, every model, and bad input."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.core.hypothesis import _same
from induce.core.randomness import streams
from induce.environments import MDP, ExtendedActions, MountainCar, UntilBlocked, grid_world
from induce.reinforcement import (
    ApproximateQLearning,
    Clusters,
    Network,
    Numbers,
    Places,
    TileCoding,
    demonstrations,
)
from induce.reinforcement.approximation import _loops
from induce.reinforcement.approximation.features import Observations
from induce.reinforcement.approximation.models import agent_of, first_memory, first_weights

AS_THEY_ARE = Numbers(intercept=False, scaled=False)
MODELS = {
    "linear": "linear",
    "shared": Network(3, "shared"),
    "per-action": Network(3, "per-action"),
    "pairs": Network(3, "pairs"),
    "clusters": Clusters(0.7, most=30),
}


class Walk:
    """Numbers and actions as gymnasium has them: walk between 0 and 1; the right end gives 1. All steps are kept."""

    def __init__(self, states: int = 0, slips: bool = True) -> None:
        low, high = np.zeros(1, dtype=np.float32), np.ones(1, dtype=np.float32)
        box = SimpleNamespace(low=low, high=high, dtype=low.dtype, shape=(1,))
        self.observation_space: Any = SimpleNamespace(n=states) if states else box
        self.action_space = SimpleNamespace(n=2)
        self.states = states
        self.ways = [1, 1, -1] if slips else [1]
        self.steps: list[tuple[Any, ...]] = []

    def reset(self, seed=None, options=None):
        self.random = np.random.default_rng(seed)
        self.at, self.done = 0.25, 0
        return self.shown(), {}

    def shown(self):
        return int(self.at * (self.states - 1)) if self.states else np.array([self.at], dtype=np.float32)

    def step(self, action):
        before = self.shown()
        self.done += 1
        self.at = min(1.0, max(0.0, self.at + (0.25 if action else -0.25) * self.random.choice(self.ways)))
        ended = self.at == 1.0
        self.steps.append((before, int(action), float(ended), self.shown(), ended))
        return self.shown(), float(ended), ended, False, {}


def table_of(steps, alpha, discount, n_states, n_actions):
    """Q learning in a table (Mitchell 13.10), by hand."""
    q = np.zeros((n_states, n_actions))
    for state, action, reward, after, ended in steps:
        goal = reward + (0.0 if ended else discount * q[after].max())
        q[state, action] += alpha * (goal - q[state, action])
    return q


# --- the rules -------------------------------------------------------------------------------------------------


def two_states():
    """Values w and 2w, and only the step from the first to the second is taken (08:AD-06)."""
    return MDP.of(
        {"one": {"go": "two"}, "two": {"go": "again"}, "again": {"go": "two"}},
        start="one",
        features={"w": [1, 2, 2]},
    )


def star():
    """Baird's counterexample: seven states with values 2 w_i + w_8, and w_7 + 2 w_8 for that in the middle."""
    features = np.zeros((8, 8))
    features[np.arange(6), np.arange(6)] = 2
    features[:6, 7], features[6:, 6], features[6:, 7] = 1, 1, 2
    states = [*(f"s{k}" for k in range(1, 8)), "again"]
    return MDP.of(
        {state: {"go": "again" if state == "s7" else "s7"} for state in states},
        start=dict.fromkeys(states[:7], 1 / 7),
        features={f"w{k + 1}": features[:, k].tolist() for k in range(8)},
    )


@pytest.mark.parametrize(("rule", "factor"), [("direct", 1.08), ("residual", 0.936)])
def test_two_states_with_one_weight(rule, factor):
    learner = ApproximateQLearning(
        20, features=AS_THEY_ARE, rule=rule, alpha=0.1, discount=0.9, initial=1.0, max_steps=1, epsilon=0
    )
    if rule == "direct":
        with pytest.warns(
            induce.Note, match="values exceeded the bound set by the rewards: largest 4.32, bound 2"
        ):
            learner.learn(two_states())
        assert learner.divergence_.first == 11  # 2 at first; 1.08^10 is the first power above it
    else:
        learner.learn(two_states())
        assert not learner.divergence_.diverging
    assert learner.state_.weights.values == pytest.approx([factor**20], rel=1e-12)


def test_baird_direct_diverges_and_residual_does_not():
    given_ = {"features": AS_THEY_ARE, "alpha": 0.02, "discount": 0.99, "max_steps": 1, "epsilon": 0}
    given_["initial"] = [1, 1, 1, 1, 1, 1, 10, 1]
    with pytest.warns(induce.Note, match="use rule='residual'"):
        direct = ApproximateQLearning(3000, **given_).learn(star())
    residual = ApproximateQLearning(3000, rule="residual", **given_).learn(star())
    assert direct.divergence_.largest > 1e6 * direct.divergence_.allowed
    assert residual.divergence_.largest <= residual.divergence_.allowed
    values = residual.hypothesis_.to_policy().values
    assert np.ptp(values) < 0.05
    assert values.max() < 3


def test_hopeless_values_stop_the_run():
    learner = ApproximateQLearning(
        2000, features=AS_THEY_ARE, alpha=1, discount=0.9, initial=1.0, max_steps=1, epsilon=0
    )
    with pytest.warns(induce.Note, match="learning was stopped"):
        learner.learn(two_states())
    assert len(learner.returns_) < 200
    assert np.isfinite(learner.state_.weights.values).all()


def test_rules_agree_where_the_episode_ends():
    """There is no next value to change: every step of an episode of one step."""
    end = MDP.of({"a": {"x": ("end", 3), "y": ("end", -1)}})
    both = [ApproximateQLearning(30, rule=rule).learn(end).hypothesis_ for rule in ("direct", "residual")]
    assert both[0] == both[1]


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.3, 1.0]), st.sampled_from([0.5, 0.9]))
def test_places_are_a_table(seed, alpha, discount):
    """One feature for each state is Q learning of table 13.1, bit for bit; so are clusters of single states."""
    env = Walk(states=5)
    learner = ApproximateQLearning(8, alpha=alpha, discount=discount, epsilon=0.3, random_state=seed).learn(
        env
    )
    q = table_of(env.steps, alpha, discount, 5, 2)
    assert np.array_equal(learner.state_.weights.values.reshape(2, 5).T, q)
    for features, model in ((np.eye(5).__getitem__, "linear"), (lambda s: [s], Clusters(0.9, 0.0, most=10))):
        env = Walk(states=5)
        again = ApproximateQLearning(
            *(8,),
            features=features,
            model=model,
            alpha=alpha,
            discount=discount,
            epsilon=0.3,
            random_state=seed,
        ).learn(env)
        assert np.array_equal(again.hypothesis_.q_values(np.arange(5.0)[:, None]), q)


def test_figure_13_2():
    learner = ApproximateQLearning(60, alpha=1, discount=0.9, epsilon=1).learn("mitchell-13.2")
    assert learner.hypothesis_.action_values("BM") == pytest.approx({"up": 90, "right": 90, "left": 72.9})
    assert learner.hypothesis_.best("BL") == ("up", "right")
    assert learner.hypothesis_.action_values("G") == {}
    assert learner.hypothesis_.act("G") is None


@pytest.mark.parametrize(
    ("decay", "zero", "known"),
    [(0, 0, 45), (0.25, 5.0625, None), (0.5, 20.25, 63), (0.7, 39.69, None), (1, 81, 81)],
)
def test_td_lambda(decay, zero, known):
    """05:13.B.6: the value of the first pair after the path BL up, TL right, TM right, from two tables."""
    path = MDP.of({"BL": {"go": "TL"}, "TL": {"go": "TM"}, "TM": {"go": ("G", 100)}}, start="BL")
    for initial, value in ((0.0, zero), ([0, 50, 100, 0], known)):
        if value is not None:
            learner = ApproximateQLearning(1, alpha=1, discount=0.9, trace_decay=decay, initial=initial)
            assert learner.learn(path).hypothesis_.value("BL") == pytest.approx(value)


def test_an_episode_cut_off_has_not_ended():
    """A reward of 1 in every step is worth 10 at a discount of 0.9, however often episodes are cut off."""
    endless = MDP.of({"a": {"go": ("b", 1)}, "b": {"go": ("a", 1)}})
    cut = ApproximateQLearning(300, alpha=0.5, discount=0.9, max_steps=3).learn(endless)
    assert cut.hypothesis_.value("a") == pytest.approx(10, abs=1e-3)
    ending = MDP.of({"a": {"go": [("b", 1, 1, True)]}, "b": {"go": [("a", 1, 1, True)]}})
    assert ApproximateQLearning(50, alpha=0.5, discount=0.9).learn(ending).hypothesis_.value(
        "a"
    ) == pytest.approx(1)


# --- models and features ---------------------------------------------------------------------------------------


def agent_for(model, rule="direct", alpha=0.1, seed=0):
    """An agent over two numbers and three actions, with weights at random, that has seen one observation."""
    seen = Observations(("x", "y"), np.array([0.0, 0.0]), np.array([1.0, 1.0]))
    coding = Numbers().coding(seen)
    weights = first_weights(model, coding, 3, 0.0, np.random.default_rng(seed))
    weights.values[:] = np.random.default_rng(seed + 1).normal(size=len(weights.values))
    settings_ = np.array([alpha, 0.0, 0.0, float(rule == "residual"), 1.0, 0.0, 0.9, 10.0, 0.0])
    return agent_of(
        model, coding, 3, weights, first_memory(0, coding, 3), settings_, np.zeros(7), streams(seed, n=1)[0]
    )


@pytest.mark.parametrize("rule", ["direct", "residual"])
@pytest.mark.parametrize("architecture", ["shared", "per-action", "pairs"])
def test_networks_descend_the_gradient(architecture, rule):
    """A step goes along the derivative of half the squared error, with the goal held fixed by the direct rule.

    It takes away the share alpha of the error.
    """
    here, there, free = np.array([0.3, 0.8]), np.array([0.6, 0.1]), np.ones(3)
    agent = agent_for(Network(4, architecture), rule, alpha=1e-3)
    first = agent.weights.copy()

    def values(weights, observation):
        agent.weights[:] = weights
        _loops.see(agent, observation, 0)
        return agent.values[0].copy()

    def half_squared(weights):
        after = values(weights if rule == "residual" else first, there).max()
        return 0.5 * (1.5 + 0.9 * after - values(weights, here)[1]) ** 2

    slope = [
        (half_squared(first + step) - half_squared(first - step)) / 2e-6 for step in 1e-6 * np.eye(len(first))
    ]
    agent.weights[:] = first
    _loops.advance(agent, -1, 0.0, 0.0, False, here, free, free)
    _loops.advance(agent, 1, 1.5, 0.9, False, there, free, free)
    step, gradient = agent.weights - first, np.array(slope)
    length = -step @ gradient / (gradient @ gradient)
    assert 0 < length <= 1e-3
    assert step == pytest.approx(-length * gradient, abs=1e-9)
    if rule == "direct":
        error = 1.5 + 0.9 * values(first, there).max() - values(first, here)[1]
        assert values(first + step, here)[1] - values(first, here)[1] == pytest.approx(1e-3 * error, rel=1e-2)


@pytest.mark.compiled
@pytest.mark.parametrize("architecture", ["shared", "per-action", "pairs"])
@pytest.mark.parametrize("further", [{}, {"trace_decay": 0.8}, {"rule": "residual"}, {"discount": 1.0}])
def test_networks_stay_within_what_rewards_allow(architecture, further):
    learner = ApproximateQLearning(40, model=Network(5, architecture), **{"discount": 0.9, **further})
    for source in (grid_world("mitchell-13.2"), grid_world("S..G\n.#.O", {"G": 7, "O": -50}, slip=0.2)):
        found = learner.learn(source).divergence_
        assert found.largest <= 1.5 * found.allowed
        assert not found.diverging


@pytest.mark.compiled
def test_networks_find_the_values_of_the_book():  # figure 13.2
    learner = ApproximateQLearning(150, model="network", discount=0.9, random_state=0)
    policy = learner.learn("mitchell-13.2").hypothesis_.to_policy()
    expected = {"TL": 90, "TM": 100, "BL": 81, "BM": 90, "BR": 100}
    assert {state: policy.value(state) for state in expected} == pytest.approx(expected, abs=8)


class Unbounded:
    """A place on a line without ends, as gymnasium's carts have speeds: steps to either side until it is far off."""

    observation_space = SimpleNamespace(low=np.array([-np.inf]), high=np.array([np.inf]), dtype=np.float64)
    action_space = SimpleNamespace(n=2, shape=())
    names, action_names = ("place",), ("left", "right")

    def reset(self, seed=None):
        self.place = 0.0
        return np.array([self.place]), {}

    def step(self, action):
        self.place += 2 * action - 1
        return np.array([self.place]), float(self.place > 3), abs(self.place) > 3, False, {}


@pytest.mark.parametrize(
    "features",
    [None, TileCoding(4, 2, low=(-4.0,), high=(4.0,)), Numbers(scaled=False), lambda seen: [seen[0] / 4]],
)
def test_values_over_unbounded_numbers_are_readable(features):
    learner = ApproximateQLearning(20, features=features, alpha=0.05, max_steps=50)
    policy = learner.learn(Unbounded()).hypothesis_
    assert "episodes" in str(policy)
    assert "worth" in str(policy.explain([1.0]))
    policy.draw()
    assert np.isfinite(list(policy.matters().values())).all()
    unknown = replace(policy, seen=replace(policy.seen, low=np.array([-np.inf]), high=np.array([np.inf])))
    assert np.isfinite(list(unknown.matters().values())).all()  # as an older model file may have it
    unknown.draw()


def test_tiles_are_fewer_where_there_are_many_numbers():
    weights = {n: 3 * 8 * (TileCoding.fitting(n).tiles + 1) ** n for n in (1, 2, 4, 6, 8)}
    assert TileCoding.fitting(4).tiles == 8
    assert max(weights.values()) <= 600_000


@pytest.mark.compiled
@pytest.mark.parametrize("model", MODELS)
def test_plain_and_compiled_agree(model):
    """The same loops, plain and compiled, on the car and step by step, and on a process."""
    learner = ApproximateQLearning(
        2, model=MODELS[model], features=Numbers(), max_steps=60, epsilon=0.3, alpha=0.1, replay=2
    )
    for source in (MountainCar(), Walk(), grid_world("S..G", {"G": 1})):
        found = []
        for work in (0.0, np.inf):
            with learner._opened(source) as run:
                agent, state = learner._agent(run, learner._begin(run))
                played = run.world.play(agent, 2, work, 1.0, 0, 0)
                found.append((state.weights.values, state.monitor, played.returns, played.lengths))
        assert _same(found[0], found[1])


@pytest.mark.parametrize("model", MODELS)
def test_every_model_learns(model):
    """Where nothing is left to chance, all of them find that walking to the right is best everywhere."""
    learner = ApproximateQLearning(
        200, model=MODELS[model], alpha=0.2, discount=0.5, epsilon=0.5, max_steps=50, features=Numbers()
    )
    policy = learner.learn(Walk(slips=False)).hypothesis_
    assert [policy.act([at]) for at in (0.25, 0.5, 0.75)] == [1, 1, 1]


def test_clusters_join_and_open():
    """A radius over all states makes one cluster for each action; disagreement opens more."""
    env = grid_world("S...G", {"G": 10})
    counts = []
    for agreement in (np.inf, 0.5):
        model = Clusters(radius=10, agreement=agreement)
        learner = ApproximateQLearning(
            30, model=model, features=AS_THEY_ARE, alpha=0.5, discount=0.9, max_steps=50
        ).learn(env)
        counts.append(learner.state_.weights.count)
    assert counts[0] == 2  # the goal allows an action that is never taken
    assert counts[0] < counts[1] <= 8
    with pytest.warns(induce.Note, match="all 3 clusters are in use"):
        ApproximateQLearning(20, model=Clusters(0.1, most=3), features=AS_THEY_ARE, max_steps=50).learn(env)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(-2, 2), min_size=2, max_size=2),
    st.integers(1, 6),
    st.integers(1, 9),
    st.floats(0, 0.999),
)
def test_tile_coding(place, tiles, tilings, along):
    """One tile of each tiling; a small step leaves most of them, a step of a whole tile leaves none."""
    seen = Observations(("x", "y"), np.array([-1.0, -1.0]), np.array([1.0, 1.0]))
    coding = TileCoding(tiles, tilings).coding(seen)

    def found(x, y):
        index, amount = np.empty(tilings, dtype=np.int64), np.empty(tilings)
        ranges, shifts = np.array([coding.low, coding.scale]), coding.amounts
        n = _loops.tiles_of(tiles, ranges, shifts, np.array([x, y]), index, amount)
        assert n == tilings
        assert (amount == 1).all()
        assert ((index >= 0) & (index < coding.features)).all()
        return set(index.tolist())

    here = found(*place)
    assert len(here) == tilings
    x = -1 + along * 2 * (tiles - 1) / tiles
    assert len(found(x, 0.0) & found(x + 0.999 * 2 / tiles / tilings, 0.0)) >= tilings - 1
    if tiles > 1:
        assert not found(x, 0.0) & found(x + 2 / tiles + 1e-9, 0.0)


def test_features_of_states():
    """Tiles and numbers of a process are those of its features; nominal features are left out."""
    env = grid_world("S..G", {"G": 1})
    policy = ApproximateQLearning(5, features=Numbers()).learn(env).hypothesis_
    assert policy.seen.names == ("row", "column")
    with pytest.raises(InputError, match="do not give a range for each of row, column"):
        ApproximateQLearning(5, features=TileCoding(3, 2)).learn(env)  # the row is always 0
    tiled = ApproximateQLearning(5, features=TileCoding(3, 2, low=(0, 0), high=(1, 3))).learn(env)
    assert tiled.hypothesis_.size() == "linear in 2 tilings of 3 by 3 tiles, 5 actions, 160 weights"


def test_ranges_without_bounds_are_those_met_at_random():
    env = Walk()
    env.observation_space.high = np.array([np.inf])
    policy = ApproximateQLearning(3).learn(env).hypothesis_
    assert policy.seen.low[0] == pytest.approx(-0.1)
    assert policy.seen.high[0] == pytest.approx(1.1)


# --- teaching, extended actions --------------------------------------------------------------------------------


def test_teaching_in_reverse_order():
    """08:AD-04 (b): one taught path gives 81, 90, 100 without an own step."""
    path = [("BL", "up", 0, "TL", False), ("TL", "right", 0, "TM", False), ("TM", "right", 100, "G", True)]
    learner = ApproximateQLearning(0, alpha=1, discount=0.9, lessons=[path]).learn("mitchell-13.2")
    assert [learner.hypothesis_.value(state) for state in ("BL", "TL", "TM")] == [81, 90, 100]
    assert len(learner.returns_) == 0


def test_a_teacher_acts():
    grid = grid_world("S..G", {"G": 100})
    lessons = demonstrations(grid, ["right"] * 5, episodes=1)
    assert lessons[0][-1] == ((0, 2), "right", 100.0, (0, 3), True)
    taught = ApproximateQLearning(0, alpha=1, discount=0.9, lessons=lessons).learn(grid).hypothesis_
    assert taught.value((0, 0)) == pytest.approx(81)
    assert demonstrations(grid, taught, episodes=1) == lessons
    with pytest.raises(InputError, match=r"there is no action 'sideways'; the actions are up, right"):
        demonstrations(grid, lambda state: "sideways")
    with pytest.raises(InputError, match="the teacher is 3; give a policy, a function"):
        demonstrations(grid, 3)


def test_extended_actions():
    """08:AD-04 (a): right until blocked is worth 81 from BL (two steps, then up) and 90 from TL."""
    longer = ExtendedActions(grid_world("mitchell-13.2"), {"along": UntilBlocked("right")}, discount=0.9)
    learner = ApproximateQLearning(100, alpha=1, discount=0.9, epsilon=1).learn(longer)
    policy = learner.hypothesis_
    assert policy.action_values("BL")["along"] == pytest.approx(81)
    assert policy.action_values("TL")["along"] == pytest.approx(90)
    with pytest.raises(
        InputError, match=r"discount is 0\.8, but that of the extended actions is 0\.9; make them equal"
    ):
        learner.set_params(discount=0.8).learn(longer)


# --- what was learned ------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_mountain_car_is_learned(tmp_path):
    learner = ApproximateQLearning(150, epsilon=0, random_state=1).learn(MountainCar())
    assert learner.lengths_[0] == 1000
    assert learner.lengths_[-50:].mean() < 165
    policy = learner.hypothesis_
    assert policy.best([-0.5, 0.03]) == ("right",)
    assert policy.best([-0.5, -0.03]) == ("left",)
    reasons = policy.explain([-0.5, 0.03])
    assert [turn[0] for turn in reasons.turns] == ["position", "velocity"]
    assert str(reasons).startswith("position -0.5, velocity 0.03: right, worth -")
    assert "never tried here" in str(policy.explain([0.6, -0.07]))
    assert "velocity  -0.07  0.07" in str(policy)
    assert policy.draw()
    assert policy.draw("velocity")
    with pytest.raises(InputError, match="there is no feature 'speed'; the features are position, velocity"):
        policy.draw("speed")
    induce.save(learner, tmp_path / "car.induce")
    again = induce.load(tmp_path / "car.induce")
    assert again.hypothesis_ == policy
    assert policy.predict([[-0.5, 0.03], [-0.5, -0.03]]).tolist() == [2, 0]


def test_an_environment_that_is_stepped_resumes_exactly(tmp_path):
    whole = ApproximateQLearning(10, max_steps=20, replay=1).learn(Walk())
    part = ApproximateQLearning(4, max_steps=20, replay=1).learn(Walk())
    induce.save(part, tmp_path / "part.induce")
    part = induce.load(tmp_path / "part.induce").set_params(episodes=10).resume(Walk())
    assert _same(part.state_, whole.state_)
    with pytest.raises(InputError, match="different observations from the one learned in"):
        part.resume(MountainCar())


def test_weights_are_printed():
    policy = ApproximateQLearning(5, features=Numbers(), max_steps=20).learn(Walk()).hypothesis_
    lines = str(policy).splitlines()
    assert lines[0] == "Walk: linear in x0 and 1, 2 actions, 4 weights"
    assert [line.split()[0] for line in lines[4:6]] == ["x0", "1"]


def test_masks_are_kept():
    class Masked(Walk):
        def reset(self, seed=None, options=None):
            return super().reset(seed)[0], {"action_mask": np.array([0, 1], dtype=np.int8)}

        def step(self, action):
            assert action == 1
            return (*super().step(action)[:4], {"action_mask": np.array([0, 1], dtype=np.int8)})

    assert ApproximateQLearning(3, epsilon=1).learn(Masked()).lengths_.sum() > 0


# --- bad input -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"rule": "sideways"}, "rule is 'sideways'; it can be 'direct', 'residual'"),
        ({"model": "forest"}, "model is 'forest'; give 'linear', 'network', 'clusters'"),
        ({"model": 3}, "model is 3; give 'linear', 'network', 'clusters', Network or Clusters"),
        ({"model": Network(0)}, "hidden is 0; it must be a whole number of at least 1"),
        ({"model": Network(2, "deep")}, "architecture is 'deep'; it can be 'shared', 'per-action', 'pairs'"),
        ({"model": Clusters(0)}, "radius is 0; it must be a number above 0"),
        (
            {"model": "clusters", "features": TileCoding()},
            r"clusters require numeric features; give features=Numbers\(\)",
        ),
        ({"features": Places()}, r"the observations are not listed states; use TileCoding\(\)"),
        ({"features": "tiles"}, "features is 'tiles'; give TileCoding, Numbers, Places or a function"),
        ({"features": TileCoding(0)}, "tiles is 0; it must be a whole number of at least 1"),
        ({"features": TileCoding(10**7, 8)}, "make 80,000,008 features, but the limit is 10,000,000"),
        (
            {"features": TileCoding(low=(0.0, 0.0), high=(1.0, 1.0))},
            "low and high of TileCoding do not give a range",
        ),
        ({"rule": "residual", "trace_decay": 0.5}, "trace_decay requires rule='direct'"),
        ({"alpha": 0}, "alpha is 0; it must be a number above 0"),
        ({"epsilon": 2}, "epsilon is 2; it must be a number from 0 to 1"),
        ({"discount": "much"}, "discount is 'much'; it must be a number from 0 to 1"),
        ({"initial": float("nan")}, "initial is not a finite number"),
        ({"initial": [1, 2]}, "initial is not a finite number; give one, or 144 weights of a linear model"),
        ({"lessons": [[(1, 2)]]}, r"a step of lesson 1 is \(1, 2\); give \(observation, action, reward"),
        ({"lessons": [[([0.5], 7, 0, [0.5], False)]]}, "there is no action 7; the actions are 0, 1"),
        ({"max_steps": 0}, "max_steps is 0; it must be a whole number of at least 1"),
    ],
)
def test_bad_parameters(parameters, said):
    with pytest.raises(InputError, match=said):
        ApproximateQLearning(2, **parameters).learn(Walk())


class Odd(Walk):
    """An environment that goes wrong at its third step."""

    def __init__(self, observation: Any = None, reward: Any = None) -> None:
        super().__init__()
        self.wrong = observation, reward

    def step(self, action):
        observation, reward, ended, cut, info = super().step(action)
        if self.done >= 3:
            observation = observation if self.wrong[0] is None else self.wrong[0]
            reward = reward if self.wrong[1] is None else self.wrong[1]
        return observation, reward, ended, cut, info


@pytest.mark.parametrize(
    ("env", "said"),
    [
        (Odd(observation=[np.nan]), r"x0 is not finite in the observation \[nan\]; give finite numbers"),
        (Odd(observation=[1, 2]), "the observation has 2 numbers, but the policy was learned with 1"),
        (Odd(observation="here"), "the observation 'here' contains a non-number"),
        (Odd(reward=np.inf), "gave the reward inf for action"),
    ],
)
def test_environments_that_go_wrong(env, said):
    with pytest.raises(InputError, match=said):
        ApproximateQLearning(5, max_steps=50).learn(env)


def test_other_environments():
    env = Walk()
    env.action_space = SimpleNamespace(low=np.zeros(1), high=np.ones(1), shape=(1,), dtype=np.dtype(float))
    with pytest.raises(InputError, match="the actions are continuous; discretise them"):
        ApproximateQLearning().learn(env)
    policy = ApproximateQLearning(2, max_steps=20).learn(Walk()).hypothesis_
    with pytest.raises(InputError, match="the observation has 2 numbers, but the policy was learned with 1"):
        policy.act(MountainCar().reset(seed=0)[0])
    with pytest.raises(InputError, match="observations are continuous, so there is no table"):
        policy.to_policy()
    listed = ApproximateQLearning(2, discount=0.9).learn("mitchell-13.2").hypothesis_
    with pytest.raises(InputError, match="state 'XY' did not occur in training; give a state such as 'TL'"):
        listed.act("XY")
    plain = MDP.of({"a": {"go": ("b", 1)}})
    with pytest.raises(
        InputError, match=r"the states have no numeric features; give Places\(\) or a function"
    ):
        ApproximateQLearning(features=Numbers()).learn(plain)


def test_an_environment_without_end_is_said():
    class Endless(Walk):
        def step(self, action):
            observation, _, _, cut, info = super().step(action)
            return observation, 0.0, False, cut, info

    with pytest.warns(induce.Note, match="no episode ended within 30 steps; all were cut off"):
        ApproximateQLearning(2, max_steps=30).learn(Endless())


def test_functions_as_features_cannot_be_saved(tmp_path):
    learner = ApproximateQLearning(2, features=lambda seen: [seen[0], seen[0] ** 2], max_steps=20).learn(
        Walk()
    )
    assert learner.hypothesis_.seen.names == ("feature 1", "feature 2")
    with pytest.raises(InputError, match="is a function, which a model file cannot hold"):
        induce.save(learner, tmp_path / "never.induce")


def test_traces_change_nothing():
    with induce.trace() as events:
        traced = ApproximateQLearning(4, max_steps=20).learn(Walk()).hypothesis_
    assert [event["done"] for event in events] == [1, 2, 3, 4]
    assert traced == ApproximateQLearning(4, max_steps=20).learn(Walk()).hypothesis_
