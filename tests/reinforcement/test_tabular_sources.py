"""Learners with a table: environments that are stepped, episodes cut off, runs that go on, what is refused."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.core.hypothesis import _same
from induce.core.notes import Note
from induce.core.trace import trace
from induce.environments import MDP, Stepped, grid_world
from induce.reinforcement import Dyna, DynamicProgramming, MonteCarlo, QLearning, Sarsa, TDLambda

GRID = grid_world("mitchell-13.2")
RULES = {
    "forward": (QLearning, {"alpha": 1}),
    "reverse": (QLearning, {"alpha": 1, "replay": "reverse"}),
    "experience": (QLearning, {"alpha": 1, "replay": "experience"}),
    "sarsa": (Sarsa, {"alpha": 0.5}),
    "dyna": (Dyna, {}),
    "sweeping": (Dyna, {"sweeping": "prioritized"}),
    "lambda": (TDLambda, {"alpha": 0.5}),
    "monte carlo": (MonteCarlo, {}),
}
OFF_POLICY = ("forward", "reverse", "experience", "dyna", "sweeping")


class GymLike:
    """A process in gymnasium's convention: it must be stepped, and hides its model."""

    def __init__(self, mdp, limit=None, cut_is_end=False, masks=False, reward=None):
        self.mdp, self.limit, self.cut_is_end, self.masks, self.reward = mdp, limit, cut_is_end, masks, reward
        self.action_space = SimpleNamespace(n=len(mdp.actions), start=0, shape=())
        self.observation_space = SimpleNamespace(n=mdp.n_states, start=0, shape=())
        self.steps = 0

    def info(self):
        allowed = np.zeros(len(self.mdp.actions), dtype=np.int8)
        allowed[self.mdp.pair_action[self.mdp.pair_state == self.place]] = 1
        return {"action_mask": allowed} if self.masks else {}

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.np_random = np.random.default_rng(seed)
        self.steps = 0
        self.place = int(self.np_random.choice(self.mdp.n_states, p=self.mdp.start))
        return self.place, self.info()

    def step(self, action):
        mdp = self.mdp
        pairs = np.flatnonzero((mdp.pair_state == self.place) & (mdp.pair_action == action))
        assert len(pairs) == 1, "not allowed"
        span = np.arange(mdp.first[pairs[0]], mdp.first[pairs[0] + 1])
        k = int(self.np_random.choice(span, p=mdp.probability[span]))
        self.place = int(mdp.next_state[k])
        self.steps += 1
        ended = bool(mdp.ends[k] or mdp.absorbing[self.place])
        cut = not ended and self.limit is not None and self.steps >= self.limit
        reward = float(mdp.reward[k]) if self.reward is None else self.reward
        return (
            self.place,
            reward,
            ended or (cut and self.cut_is_end),
            cut and not self.cut_is_end,
            self.info(),
        )


@pytest.mark.parametrize("rule", RULES)
def test_environments_are_stepped_as_they_are(rule):
    made, more = RULES[rule]
    learner = made(60, 0.9, explore="random", random_state=2, **more).learn(GymLike(GRID, masks=True))
    policy = learner.hypothesis_
    assert learner.n_actions_ == learner.lengths_.sum() == policy.visits.sum()
    assert sorted(policy.states) == [0, 1, 3, 4, 5]  # the goal is where episodes end
    assert len(policy.q) == 12
    assert policy.best(GRID.place("TM")) == (GRID.action_number("right"),)
    assert policy.start.sum() == pytest.approx(1)
    if rule in OFF_POLICY:
        truth = DynamicProgramming(0.9).learn(GRID).hypothesis_
        for state in policy.states:
            named = truth.action_values(GRID.states[state])
            assert policy.action_values(state) == pytest.approx(
                {GRID.action_number(action): value for action, value in named.items()}
            )
    half = made(25, 0.9, explore="random", random_state=2, **more).learn(GymLike(GRID, masks=True))
    half.set_params(episodes=60).resume(GymLike(GRID, masks=True))
    assert _same(half.state_, learner.state_)
    with trace() as events:
        traced = made(60, 0.9, explore="random", random_state=2, **more).learn(GymLike(GRID, masks=True))
    assert _same(traced.state_, learner.state_)
    assert sum(event.kind == "update" for event in events) == learner.n_actions_
    assert sum(event.kind == "episode" for event in events) == 60


@pytest.mark.compiled
def test_targets_go_on_across_a_truncation():
    """A step gives 1 for ever, worth 1 / (1 - .9) = 10; taken for an end, every fifth step is worth 1 alone."""
    forever = MDP.of({"a": {"go": ("a", 1)}})
    right = QLearning(400, 0.9, alpha=0.1).learn(GymLike(forever, limit=5)).hypothesis_
    wrong = QLearning(400, 0.9, alpha=0.1).learn(GymLike(forever, limit=5, cut_is_end=True)).hypothesis_
    assert right.value(0) == pytest.approx(10, abs=0.01)
    assert wrong.value(0) == pytest.approx(1 / (1 - 0.9 * 4 / 5), abs=0.5)
    simulated = [
        made(600, 0.9, max_steps=5, **more).learn(forever).hypothesis_.value("a")
        for made, more in RULES.values()
    ]
    assert simulated[:-1] == pytest.approx([10] * 7, abs=0.1)
    assert simulated[-1] == pytest.approx(10, abs=0.5)


def test_a_process_without_end_is_cut_off_and_said():
    forever = MDP.of({"a": {"go": ("b", 1)}, "b": {"go": "a"}})
    with pytest.warns(Note, match="3 of 3 episodes were cut off after 1,000 steps; set max_steps"):
        QLearning(3, 0.9).learn(forever)
    with pytest.warns(Note, match="3 of 3 episodes were cut off"):
        QLearning(3, 0.9).learn(GymLike(forever))


def test_nothing_to_learn_is_said():
    with pytest.warns(Note, match="no action gives any reward"):
        QLearning(2).learn(grid_world("S.G"))
    with pytest.warns(Note, match="no episode gave any reward"):
        QLearning(2).learn(GymLike(grid_world("S.G"), masks=True))


@pytest.mark.parametrize("reward", [np.nan, np.inf, -np.inf])
def test_rewards_that_are_no_numbers(reward):
    learner = QLearning(2)
    with pytest.raises(InputError, match=r"gave the reward (nan|inf|-inf) for action"):
        learner.learn(GymLike(GRID, masks=True, reward=reward))
    assert not hasattr(learner, "hypothesis_")


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"explore": "power", "k": 0.5}, "k is 0.5; it must be a number of at least 1"),
        ({"epsilon": 2}, "epsilon is 2"),
        ({"alpha": 0}, "alpha is 0; it must be a number above 0 and at most 1"),
        ({"power": -1}, "power is -1"),
        ({"discount": 1.5}, "discount is 1.5"),
        ({"episodes": 0}, "episodes is 0"),
        ({"decay": 0}, "decay is 0"),
        ({"bonus": -1}, "bonus is -1"),
        ({"initial": np.nan}, "initial is nan"),
        ({"explore": "softmax"}, "explore is 'softmax'; it can be 'epsilon'"),
        ({"replay": "prioritised"}, "replay is 'prioritised'"),
        ({"max_steps": 0}, "max_steps is 0"),
        ({"random_state": -1}, "random_state is -1"),
    ],
)
def test_parameters_that_make_no_sense(parameters, sentence):
    with pytest.raises(InputError, match=sentence):
        QLearning(**parameters).learn(GRID)


def test_sources_that_make_no_sense():
    forever = MDP.of({"a": {"go": ("a", 1)}})
    for source in (forever, GymLike(forever)):
        with pytest.raises(
            InputError, match=r"discount is 1, but (no episode from state 'a'|none of 2 episodes)"
        ):
            QLearning(2, 1.0).learn(source)
    with pytest.raises(InputError, match="episodes may start in 'b', which is terminal"):
        QLearning(2).learn(MDP.of({"a": {"go": "b"}, "b": {}}, start="b"))
    real = GymLike(GRID)
    real.observation_space = type(
        "Box", (), {"low": 0.0, "high": 1.0, "dtype": np.dtype(float), "shape": ()}
    )()
    with pytest.raises(
        InputError, match="observations of GymLike are continuous, so they do not fit into a table"
    ):
        QLearning(2).learn(real)
    continuous = GymLike(GRID)
    continuous.action_space = real.observation_space
    with pytest.raises(InputError, match="actions are continuous; discretise them"):
        QLearning(2).learn(continuous)
    with pytest.raises(InputError, match="lambda_ is 2"):
        TDLambda(lambda_=2).learn(GRID)
    blocked = GymLike(GRID, masks=True)
    blocked.info = lambda: {"action_mask": np.zeros(5)}
    with pytest.raises(InputError, match="allows no action, but the episode goes on"):
        QLearning(2).learn(blocked)


def test_a_run_goes_on_with_its_own_source_and_rule():
    learner = QLearning(5, 0.9).learn(GRID)
    with pytest.raises(InputError, match="the run learned from MDP: 6 states"):
        learner.resume("cliff")
    with pytest.raises(InputError, match="used a different update rule"):
        learner.set_params(replay="reverse").resume(GRID)
    stepped = QLearning(5, 0.9).learn(Stepped(GymLike(GRID, masks=True)))
    with pytest.raises(InputError, match="the run learned from GymLike with 5 actions"):
        stepped.resume(GRID)
    with pytest.raises(InputError, match="the policy has no state"):
        stepped.hypothesis_.act((0, 1))
