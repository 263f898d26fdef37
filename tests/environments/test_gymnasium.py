"""Environments of gymnasium as they are: by id and by themselves, with a model and without, and wrapped."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.environments import Simulated, Stepped, open_source
from induce.reinforcement import DynamicProgramming

LAKE = {"map_name": "4x4", "is_slippery": False}
TAXI = max(name for name in gymnasium.registry if name.startswith("Taxi-"))  # a release has the newest only


def walked(env, policy, name=lambda observation: observation):
    """Follow a policy for an episode of gymnasium's own loop; return the sum of rewards and the steps."""
    observation, _ = env.reset(seed=0)
    total, steps, over = 0.0, 0, False
    while not over:
        observation, reward, ended, cut, _ = env.step(policy.act(name(observation)))
        total, steps, over = total + reward, steps + 1, ended or cut
    return total, steps


class RowsAndColumns(gymnasium.ObservationWrapper):
    """A lake whose observations are the row and the column: no wrapper that is known to change nothing."""

    def __init__(self, env):
        super().__init__(env)
        self.observation_space = gymnasium.spaces.MultiDiscrete([4, 4])

    def observation(self, observation):
        return np.array(divmod(int(observation), 4))


class Corridor(gymnasium.Env):
    """An environment of one's own: five places in a row; the right end gives 1."""

    action_space = gymnasium.spaces.Discrete(2)
    observation_space = gymnasium.spaces.Discrete(5)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = int(self.np_random.integers(3))
        return self.place, {}

    def step(self, action):
        self.place = max(0, self.place + (1 if action else -1))
        return self.place, float(self.place == 4), self.place == 4, False, {}


def test_an_environment_with_a_model_is_simulated_and_keeps_its_limit():
    source = open_source("FrozenLake-v1")
    assert isinstance(source, Simulated)
    assert (source.mdp.n_states, len(source.actions), source.limit) == (16, 4, 100)
    taxi = open_source(TAXI)
    assert (taxi.mdp.n_states, len(taxi.actions), taxi.limit) == (500, 6, 200)


def test_the_taxi_is_worth_what_the_shipped_one_is():
    values = [DynamicProgramming(0.99).learn(name).hypothesis_.value() for name in (TAXI, "taxi")]
    assert values[0] == pytest.approx(values[1], abs=1e-9)


def test_q_learning_finds_the_way_over_the_lake():
    env = gymnasium.make("FrozenLake-v1", **LAKE)
    learner = induce.QLearning(300, 0.9, alpha=1, explore="random", random_state=0).learn(env)
    policy = learner.hypothesis_
    assert policy.value() == pytest.approx(0.9**5)
    assert walked(env, policy) == (1.0, 6)


def test_q_learning_drives_the_taxi():
    policy = induce.QLearning(2000, 0.9, alpha=1, random_state=0).learn(TAXI).hypothesis_
    best = DynamicProgramming(0.9).learn(TAXI).hypothesis_
    assert policy.value() == pytest.approx(best.value(), abs=0.2)
    total, steps = walked(gymnasium.make(TAXI), policy)
    assert total == 20 - (steps - 1)  # fetched and set down without a mistake


def test_q_learning_by_the_id_of_an_environment():
    learner = induce.QLearning(20, random_state=0).learn("FrozenLake-v1")
    assert len(learner.lengths_) == 20
    assert learner.lengths_.max() <= 100
    again = induce.QLearning(20, random_state=0).learn(gymnasium.make("FrozenLake-v1"))
    assert again.hypothesis_ == learner.hypothesis_


def test_a_wrapped_environment_is_stepped():
    env = RowsAndColumns(gymnasium.make("FrozenLake-v1", **LAKE))
    assert isinstance(open_source(env), Stepped)
    policy = induce.QLearning(300, 0.9, alpha=1, explore="random", random_state=0).learn(env).hypothesis_
    assert (0, 0) in policy.states
    assert policy.value((0, 0)) == pytest.approx(0.9**5)
    assert walked(env, policy, tuple) == (1.0, 6)


def test_an_environment_of_ones_own():
    env = gymnasium.wrappers.TimeLimit(Corridor(), 50)
    learner = induce.QLearning(100, 0.5, alpha=1, explore="random", random_state=0).learn(env)
    assert learner.lengths_.max() <= 50
    policy = learner.hypothesis_
    assert [policy.act(place) for place in range(4)] == [1, 1, 1, 1]
    assert [policy.value(place) for place in range(4)] == [0.125, 0.25, 0.5, 1.0]


def test_a_table_refuses_real_numbers():
    with pytest.raises(InputError, match="CartPoleEnv are continuous, so they do not fit into a table"):
        induce.QLearning(1).learn("CartPole-v1")


def test_continuous_actions_must_be_cut():
    with pytest.raises(InputError, match="the actions are continuous; discretise them"):
        open_source("Pendulum-v1")


def test_an_unknown_id():
    with pytest.raises(InputError, match="gymnasium has none of that name"):
        induce.QLearning(1).learn("FrozenLaek-v1")


def test_the_pole_is_balanced_longer():
    learner = induce.ApproximateQLearning(150, alpha=0.5, random_state=0).learn("CartPole-v1")
    assert len(learner.lengths_) == 150
    assert np.array_equal(learner.returns_, learner.lengths_)  # every step gives 1
    assert learner.lengths_[-20:].mean() > 3 * learner.lengths_[:20].mean()


def test_the_car_in_the_valley_within_the_limit_of_its_environment():
    with pytest.warns(Note, match="no episode ended within 200 steps"):
        learner = induce.ApproximateQLearning(3, random_state=0).learn("MountainCar-v0")
    assert learner.lengths_.tolist() == [200] * 3
    assert learner.returns_.tolist() == [-200.0] * 3
    total, steps = walked(gymnasium.make("MountainCar-v0"), learner.hypothesis_)
    assert steps == -total <= 200


class TwoSwitches(gymnasium.Env):
    """Two switches: the reward is 1 if the first is 2 and the second 1; any actions and observations."""

    observation_space = gymnasium.spaces.Discrete(1)

    def __init__(self, action_space, parts, observation_space=None):
        self.action_space, self.parts = action_space, parts
        self.observation_space = observation_space or self.observation_space

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.observation_space.seed(seed)
        return self.observation_space.sample(), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        return self.observation_space.sample(), float(self.parts(action) == (2, 1)), True, False, {}


SPACES = gymnasium.spaces
SWITCHES = {
    "multi-discrete": (SPACES.MultiDiscrete([3, 2]), lambda action: tuple(map(int, action))),
    "tuple": (SPACES.Tuple([SPACES.Discrete(3), SPACES.Discrete(2)]), lambda action: action),
    "dict": (
        SPACES.Dict({"a": SPACES.Discrete(3), "b": SPACES.Discrete(2)}),
        lambda action: (action["a"], action["b"]),
    ),
    "nested": (
        SPACES.Dict({"a": SPACES.Tuple([SPACES.Discrete(3)]), "b": SPACES.MultiBinary(1)}),
        lambda action: (action["a"][0], int(action["b"][0])),
    ),
}


@pytest.mark.parametrize("learner", ["QLearning", "Sarsa", "ApproximateQLearning"])
def test_actions_in_parts_learn_alike(learner):
    policies = {}
    for name, (space, parts) in SWITCHES.items():
        learned = getattr(induce, learner)(discount=0.9, episodes=60, random_state=0).learn(
            TwoSwitches(space, parts)
        )
        policies[name] = str(learned.hypothesis_)
        assert learned.hypothesis_.act(0) == (2, 1), name
    assert len(set(policies.values())) == 1


@pytest.mark.parametrize(
    ("space", "message"),
    [
        (SPACES.Box(0, 1, (2,)), "the actions are continuous; discretise them .* DiscretizeAction"),
        (SPACES.Dict({"a": SPACES.Box(0, 1, (2,)), "b": SPACES.Discrete(2)}), "the actions are continuous"),
        (SPACES.Text(3), "the actions are of the kind Text; give a wrapper whose actions are numbered"),
        (SPACES.Tuple([SPACES.Discrete(100)] * 4), "the actions have 100,000,000 combinations"),
    ],
)
def test_actions_that_cannot_be_listed_are_refused(space, message):
    with pytest.raises(InputError, match=message):
        Stepped(TwoSwitches(space, tuple))


def test_states_that_do_not_suit_a_table():
    actions = SWITCHES["tuple"]
    learner = induce.QLearning(discount=0.9, episodes=3)
    with pytest.raises(InputError, match=r"continuous, .* use ApproximateQLearning, or a wrapper"):
        learner.learn(TwoSwitches(*actions, SPACES.Box(0, 1, (3,))))
    with pytest.warns(Note, match=r"a state is made up of 192 numbers, .* ApproximateQLearning generalises"):
        learner.learn(TwoSwitches(*actions, SPACES.Box(0, 255, (8, 8, 3), np.uint8)))


def test_discrete_parts_treated_as_ordered_have_a_note():
    seen = SPACES.Dict(
        {"place": SPACES.Discrete(5), "speed": SPACES.Box(0, 1, (2,)), "on": SPACES.Discrete(2)}
    )
    learner = induce.ApproximateQLearning(discount=0.9, episodes=3)
    with pytest.warns(Note, match="discrete part x1 is treated as ordered"):
        learner.learn(TwoSwitches(*SWITCHES["tuple"], seen))
