"""Names of states, actions and features, in what policies print, explain, draw and are read as."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import induce
from induce.environments import MDP, grid_world
from induce.environments.names import Names, own_names
from induce.reinforcement import ApproximateQLearning, DynamicProgramming, QLearning
from induce.reinforcement.pictures import squares_of


class Lift:
    """Three floors and a door, shown as an array; going up to the last floor gives 1."""

    observation_space = SimpleNamespace(nvec=np.array([3, 2]), dtype=np.int64, shape=(2,))
    action_space = SimpleNamespace(n=2, shape=())

    def reset(self, seed=None):
        self.floor = 0
        return np.array([0, 1]), {}

    def step(self, action):
        self.floor = min(2, self.floor + action)
        top = self.floor == 2
        return np.array([self.floor, 1]), float(top), top, False, {}


NAMED = {"actions": ["wait", "go"], "features": ["floor", "door"]}


def test_names_of_the_users_own():
    policy = QLearning(20, max_steps=20).learn(Lift(), **NAMED).hypothesis_
    assert [line.split()[:5] for line in str(policy).splitlines()[1:]] == [
        ["floor", "0,", "door", "1", "go"],
        ["floor", "1,", "door", "1", "go"],
    ]
    assert str(policy.explain(np.array([0, 1]))).startswith("floor 0, door 1: go, worth ")
    assert str(policy.to_rules()).splitlines()[0] == "DEFAULT go (2/2)"
    assert '"name": "floor 0, door 1"' in policy.to_json()
    assert policy.act("floor 1, door 1") == 1
    assert policy.states_named("floor 0, door 1") == ((0, 1),)


def test_an_observation_that_is_an_array_is_a_state():
    policy = QLearning(20, max_steps=20).learn(Lift()).hypothesis_
    assert policy.act(np.array([0, 1])) == policy.act((0, 1)) == policy.act([np.int64(0), 1]) == 1
    reading = policy.to_rules()
    assert reading.act(np.array([1, 1])) == reading.act({"state 1": 1, "state 2": 1}) == 1
    with pytest.raises(induce.InputError, match="has no state"):
        reading.act((7, 7))


def test_names_that_do_not_fit():
    with pytest.raises(induce.InputError, match="actions has 1 names, but the environment has 2"):
        QLearning(1, max_steps=2).learn(Lift(), actions=["wait"])
    with pytest.raises(induce.InputError, match="features has 1 names"):
        QLearning(1, max_steps=2).learn(Lift(), features=["floor"])
    with pytest.raises(induce.InputError, match="the same name"):
        QLearning(1, max_steps=2).learn(Lift(), actions=["go", "go"])
    with pytest.raises(induce.InputError, match="states has no value for"):
        DynamicProgramming().learn("mitchell-13.2", states={"TL": "top left"})
    assert Names(["a"], strict=False).of_actions((0, 1)) == ()


def test_rules_act_as_the_policy_does():
    policy = DynamicProgramming(discount=0.9).learn("mitchell-13.2").hypothesis_
    for reading in (policy.to_rules(), policy.to_tree()):
        assert all(reading.act(state) in policy.best(state) for state in policy.states if state != "G")


def test_states_never_visited_are_not_shown():
    islands = grid_world("S.G#...", {"G": 1})
    policy = QLearning(5, max_steps=20).learn(islands).hypothesis_
    text = str(policy)
    assert "3 states were never visited" in text
    assert "0, 5" not in text
    assert "never visited" in str(policy.explain((0, 5)))
    policy.draw()


def test_states_are_sorted_where_they_were_met_by_chance():
    policy = QLearning(20, max_steps=20).learn(Lift()).hypothesis_
    places = policy.in_order()
    assert [policy.states[place] for place in places] == sorted(policy.states[place] for place in places)


def test_the_average_reward_is_printed():
    policy = DynamicProgramming(criterion="average").learn("repair").hypothesis_
    assert "e-" not in str(policy)
    assert "61.3474 per step on average" in str(policy)
    assert "per step on average" in str(policy.explain(policy.states[0]))
    assert '"gain": 61.3' in policy.to_json()


def test_squares_of_a_grid():
    grid = grid_world("S.G\n.#O", {"G": 5, "O": -5})
    policy = DynamicProgramming(discount=0.9).learn(grid).hypothesis_
    found = dict(zip(policy.states, squares_of(policy), strict=True))
    assert set(found.values()) == {"start", "free", "goal", "hole"}
    assert (found[0, 2], found[1, 2], found[0, 0]) == ("goal", "hole", "start")
    texts = [text.get_text() for text in policy.draw().axes[0].texts]
    assert {"start", "goal", "hole", "5"} <= set(texts)
    assert len(policy.draw().axes[0].patches) == 4  # three squares that are marked, and the wall


@pytest.mark.parametrize(
    ("name", "actions", "state", "text"),
    [
        ("FrozenLake-v1", ("left", "down", "right", "up"), 6, "row 1, column 2"),
        ("CliffWalking-v1", ("up", "right", "down", "left"), 13, "row 1, column 1"),
        (
            "Taxi-v4",
            ("south", "north", "east", "west", "pick up", "drop off"),
            1,
            "row 0, column 0, passenger red, destination green",
        ),
    ],
)
def test_well_known_processes_have_names(name, actions, state, text):
    gymnasium = pytest.importorskip("gymnasium")
    process = MDP.from_env(gymnasium.make(name))
    assert process.action_names == actions
    assert process.state_names[state] == text
    policy = DynamicProgramming(discount=0.9).learn(process).hypothesis_
    assert policy.act(state) in process.actions
    assert policy.to_rules(max_rules=2).act(state) in process.actions
    own = MDP.from_env(gymnasium.make(name), actions=[f"do {k}" for k in process.actions])
    assert own.action_names[0] == "do 0"
    assert own.state_names == process.state_names


@pytest.mark.parametrize(
    ("name", "action", "number"),
    [
        ("CartPole-v1", "left", "angular velocity"),
        ("MountainCar-v0", "coast", "position"),
        ("Acrobot-v1", "no torque", "velocity 2"),
    ],
)
def test_well_known_control_tasks_have_names(name, action, number):
    gymnasium = pytest.importorskip("gymnasium")
    policy = ApproximateQLearning(1, max_steps=3).learn(gymnasium.make(name)).hypothesis_
    assert action in policy.action_names
    assert number in policy.seen.names
    assert len(policy.weights.values) < 400_000
    assert name != "CartPole-v1" or number in str(policy)


def test_cards_have_names():
    gymnasium = pytest.importorskip("gymnasium")
    policy = QLearning(30).learn(gymnasium.make("Blackjack-v1")).hypothesis_
    assert policy.action_names == ("stick", "hit")
    assert list(policy.features) == ["player", "dealer", "usable ace"]


def test_wrapped_environments_keep_no_names_of_others():
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("FrozenLake-v1")
    moved = gymnasium.wrappers.TransformObservation(env, lambda seen: seen + 100, env.observation_space)
    assert own_names(env).actions is not None
    assert own_names(moved).features is None


def test_names_of_a_damaged_file_are_refused():
    policy = DynamicProgramming(discount=0.9).learn("mitchell-13.2", actions=list("urdls")).hypothesis_
    policy.check()
    with pytest.raises(induce.InputError, match="there are 1 names"):
        replace(policy, action_names=("u",)).check()
    reading = policy.to_rules()
    reading.check()
    for change in ({"codes": ("up",)}, {"states": policy.states[:2]}, {"rows": {}}):
        with pytest.raises(induce.InputError, match="the reading"):
            replace(reading, **change).check()


def test_states_of_several_parts_are_saved(tmp_path):
    policy = QLearning(20, max_steps=20).learn(Lift(), **NAMED).hypothesis_
    solved = DynamicProgramming(discount=0.9).learn(grid_world("S.G", {"G": 1})).hypothesis_
    for each in (policy, policy.to_rules(), solved):
        induce.save(each, tmp_path / "kept.induce")
        assert induce.load(tmp_path / "kept.induce") == each
