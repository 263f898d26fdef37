"""Sources of experience: environments of gymnasium's convention as they are, processes as their own simulators."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.environments import MDP, Simulated, Stepped, estimate, grid_world, open_source


def discrete(n, start=0):
    return SimpleNamespace(n=n, start=start, shape=())


def multi(*sizes):
    return SimpleNamespace(nvec=np.array(sizes), shape=(len(sizes),), dtype=np.dtype(np.int64))


def box(dtype=np.float32):
    return SimpleNamespace(low=np.zeros(2), high=np.ones(2), shape=(2,), dtype=np.dtype(dtype))


class Env:
    """An environment of gymnasium's convention; `reward` is what a step gives, an episode ends after some steps."""

    def __init__(self, actions, seen, observation=0, reward=1.0, mask=None, **more):
        self.action_space, self.observation_space = actions, seen
        self.observation, self.reward = observation, reward
        self.info = {} if mask is None else {"action_mask": np.array(mask, dtype=np.int8)}
        self.done = []
        vars(self).update(more)

    def reset(self, *, seed=None, options=None):
        self.np_random = np.random.default_rng(seed)
        return self.observation, self.info

    def step(self, action):
        self.done.append(action)
        return self.observation, self.reward, False, len(self.done) == 3, self.info


MODEL = {0: {0: [(1.0, 1, 5.0, True)], 1: [(1.0, 0, 0.0, False)]}, 1: {0: [(1.0, 1, 0.0, True)]}}


def test_actions_and_observations_of_every_space():
    env = Stepped(Env(discrete(3, start=-1), discrete(4), np.int64(2)))
    assert env.actions == (-1, 0, 1)
    assert env.name(env.reset(0)[0]) == 2
    assert env.step(0) == (2, 1.0, False, False, None)
    assert env.env.done == [-1]
    env = Stepped(Env(multi(2, 3), multi(4, 4), np.array([3, 1])))
    assert env.actions == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))
    assert env.name(env.reset()[0]) == (3, 1)
    env.step(5)
    assert env.env.done[0].tolist() == [1, 2]
    both = SimpleNamespace(spaces=(discrete(2), discrete(3)))
    assert Stepped(Env(discrete(2), both)).name((np.int64(1), 2)) == (1, 2)
    keyed = SimpleNamespace(spaces={"at": discrete(9), "sees": multi(2, 2)})
    env = Stepped(Env(discrete(2), keyed))
    assert env.name({"sees": np.array([1, 0]), "at": 4}) == (4, (1, 0))
    assert env.countable
    assert env.vector({"at": 4, "sees": np.array([1, 0])}).tolist() == [4, 1, 0]
    assert Stepped(Env(SimpleNamespace(n=2, shape=(2,)), box(np.uint8))).actions == (
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
    )


def test_what_cannot_be_listed():
    with pytest.raises(InputError, match="actions are continuous; discretise them"):
        Stepped(Env(box(), discrete(2)))
    with pytest.raises(InputError, match="1,000,000 combinations"):
        Stepped(Env(multi(1000, 1000), discrete(2)))
    with pytest.raises(InputError, match="are continuous, so they do not fit into a table"):
        Stepped(Env(discrete(2), box())).check_countable()
    for bad in (None, 3, [[1, 2]], object()):
        with pytest.raises(InputError, match="is not an environment to learn from: it has no reset"):
            open_source(bad)
    with pytest.raises(InputError, match="there is no process 'lake'; the built-in ones are"):
        open_source("lake")
    with pytest.raises(InputError, match="max_steps is 0"):
        open_source("cliff", max_steps=0)


def test_masks_truncation_and_rewards_that_are_no_numbers():
    env = Stepped(Env(discrete(2), discrete(1), mask=[0, 1]))
    assert env.reset()[1].tolist() == [False, True]
    ends = [env.step(1)[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    for reward in (np.nan, np.inf, "many"):
        with pytest.raises(InputError, match=r"gave the reward .* for action 1; give finite numbers"):
            Stepped(Env(discrete(2), discrete(1), reward=reward)).step(1)


def test_an_environment_with_a_model_is_simulated_and_keeps_its_limit():
    spec = SimpleNamespace(max_episode_steps=7)
    found = open_source(Env(discrete(2), discrete(2), P=MODEL, spec=spec))
    assert isinstance(found, Simulated)
    assert found.limit == 7
    assert found.mdp.n_pairs == 3
    assert open_source(found, max_steps=4).limit == 4
    stepped = open_source(Env(discrete(2), discrete(2), spec=spec))
    assert isinstance(stepped, Stepped)
    assert stepped.limit == stepped.own_limit == 7
    inner = Env(discrete(2), discrete(2), P=MODEL)
    wrapped = {
        name: type(name, (Env,), {})(discrete(2), discrete(2)) for name in ("TimeLimit", "TransformReward")
    }
    for name, wrapper in wrapped.items():
        wrapper.env = wrapper.unwrapped = inner
        assert isinstance(open_source(wrapper), Simulated if name == "TimeLimit" else Stepped)


def test_the_generator_of_an_environment_is_kept_and_set_back():
    env = Stepped(Env(discrete(2), discrete(2)))
    env.reset(5)
    kept = env.randomness()
    first = env.env.np_random.random()
    env.restore(kept)
    assert env.env.np_random.random() == first


def test_a_process_simulates_itself():
    slippery = Simulated(grid_world("frozen-lake"), max_steps=50)
    state, allowed = slippery.reset(seed=3)
    assert (state, allowed) == ((0, 0), ("up", "right", "down", "left"))
    seen = Counter()
    for _ in range(600):
        slippery.reset()
        seen[slippery.step("right")[0]] += 1
    assert set(seen) == {(0, 0), (0, 1), (1, 0)}
    assert max(seen.values()) < 260  # a third each
    still = Simulated(MDP.of({"a": {"stay": ("a", 1)}}), max_steps=2)
    still.reset()
    assert still.step("stay")[2:4] == (False, False)
    assert still.step("stay")[2:4] == (False, True)
    with pytest.raises(InputError, match="not allowed in"):
        Simulated(MDP.of({"a": {"go": "b"}, "b": {"back": ("a", 1)}}, start="a")).step("go")


def test_estimates_and_names_are_opened_too():
    import polars as pl

    log = pl.DataFrame(
        {"state": ["a", "a"], "action": ["go", "go"], "next": ["b", "a"], "reward": [1.0, 0.0]}
    )
    assert open_source(estimate(log)).mdp.n_states == 2
    assert open_source("cliff").limit == 1000
