"""Learners with a table: the book's steps by hand, known values, properties of the rules, plain and compiled."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from induce.core.hypothesis import _same
from induce.core.randomness import streams
from induce.core.trace import trace
from induce.environments import MDP, environment, grid_world
from induce.reinforcement import (
    Dyna,
    DynamicProgramming,
    MonteCarlo,
    QLearning,
    Sarsa,
    StepSizes,
    TDLambda,
    power_probabilities,
)
from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.tables import remembering

GRID = grid_world("mitchell-13.2")
TRUE = DynamicProgramming(0.9).learn(GRID).hypothesis_
PATH = [("BL", "up", 0), ("TL", "right", 0), ("TM", "right", 100), ("G", "", 0)]


def pair_of(state, action):
    return GRID.pairs().index((state, action))


def driven(rule, path, q, *, discount=0.9, alpha=1.0, power=1.0, lambda_=0.0, cut=False):
    """Return the values after a rule saw one episode in the grid: pairs and rewards, with the last state."""
    values = np.array([float(q.get(pair, 0.0)) for pair in GRID.pairs()])
    knobs = np.zeros(rules.N_KNOBS)
    knobs[[rules.RULE, rules.DISCOUNT, rules.ALPHA, rules.POWER]] = rule, discount, alpha, power
    knobs[[rules.LAMBDA, rules.DECAY]] = lambda_, 1.0
    where = np.zeros(rules.N_PLACES, dtype=np.int64)
    visits = np.zeros(len(values), dtype=np.int64)
    memory = remembering(None, rule, {"pairs": 13, "states": 6, "outcomes": 13, "steps": len(path)})
    stream = streams(0, n=1)[0]
    owner = GRID.pair_state.astype(np.int64)
    agent = rules.Agent(GRID.offset, values, visits, owner, knobs, where, stream)
    for (state, action, reward), (after, *_) in itertools.pairwise(path):
        over = after == path[-1][0] and path[-1][1] == ""
        place = -1 if over and not cut else GRID.place(after)
        step = pair_of(state, action), float(reward), place, over
        if rule <= rules.SARSA:
            rules.step_by_step(GRID.offset, values, visits, knobs, where, stream, *step)
        else:
            rules.advance(agent, memory, *step)
    return dict(zip(GRID.pairs(), values.tolist(), strict=True))


def changed(before, after):
    return {pair: value for pair, value in after.items() if value != before.get(pair, 0.0)}


def test_one_update_of_figure_13_3():
    q = {("TL", "right"): 72.9, ("TM", "left"): 66, ("TM", "down"): 81, ("TM", "right"): 100}
    found = driven(rules.FORWARD, [("TL", "right", 0), ("TM", "right", 0)], q)
    assert changed(q, found) == {("TL", "right"): 90}


def test_values_travel_back_one_step_an_episode_or_all_the_way_in_reverse():
    """13.B.3."""
    q = {}
    for expected in ({("TM", "right"): 100}, {("TL", "right"): 90}, {("BL", "up"): 81}, {}):
        after = driven(rules.FORWARD, PATH, q)
        assert changed(q, after) == pytest.approx(expected)
        q = after
    once = driven(rules.REVERSE, PATH, {})
    assert changed({}, once) == {("TM", "right"): 100, ("TL", "right"): 90, ("BL", "up"): 81}


def test_exercise_13_2_c():
    around = MDP.of(
        {
            "BL": {"up": "TL"},
            "TL": {"right": "TM"},
            "TM": {"right": "TR"},
            "TR": {"down": "BR"},
            "BR": {"left": ("G", 10)},
        },
        start="BL",
    )
    order = ("BR", "TR", "TM", "TL", "BL")
    for episode in range(1, 6):
        q = QLearning(episode, discount=0.8, alpha=1).learn(around).hypothesis_
        values = [q.value(state) for state in order]
        assert values == pytest.approx([10 * 0.8**k if k < episode else 0 for k in range(5)])


@pytest.mark.compiled
@pytest.mark.parametrize(("replay", "mean"), [(None, 8.2), ("reverse", 6.3)])
def test_episodes_until_all_values_are_exact(replay, mean):
    """13.B.3: 2000 runs took 8.2 and 6.3 episodes on average; the spread of one is about 3."""
    needed = []
    for seed in range(60):
        learner = QLearning(
            26, 0.9, alpha=1, explore="random", replay=replay, max_steps=10_000, random_state=seed
        )
        with trace(only="update") as events:
            learner.learn(GRID)
        over = np.cumsum([event["next"] is None for event in events])
        exact = [event["error"] < 1e-9 for event in events]
        needed.append(over[exact.index(True) - 1] + 1)
    assert np.mean(needed) == pytest.approx(mean, abs=4 * 3 / math.sqrt(60))


@pytest.mark.parametrize(
    ("q", "k", "expected"),
    [
        ((66, 81, 100), 1, (1 / 3, 1 / 3, 1 / 3)),
        ((66, 81, 100), 1.01, (0.280619, 0.325790, 0.393590)),
        ((66, 81, 100), 1.05, (0.120015, 0.249503, 0.630482)),
        ((66, 81, 100), 1.1, (0.032547, 0.135956, 0.831497)),
        ((66, 81, 100), 2, (0, 0.000002, 0.999998)),
        ((0, 1, 2), 2, (0.1429, 0.2857, 0.5714)),
        ((0, 1, 2), math.e, (0.0900, 0.2447, 0.6652)),
        ((0, 1, 2), 10, (0.0090, 0.0901, 0.9009)),
    ],
)
def test_probabilities_of_exploring(q, k, expected):
    """13.B.4."""
    assert power_probabilities(q, k) == pytest.approx(expected, abs=5e-5)
    if k < 2:
        stream = streams(3, n=1)[0]
        drawn = [rules.powers(np.array(q, dtype=float), 0, 3, math.log(k), stream) for _ in range(2000)]
        assert (
            stats.chisquare(np.bincount(drawn, minlength=3), 2000 * power_probabilities(q, k)).pvalue > 1e-4
        )


def test_the_rule_for_chance_by_hand():
    """13.B.5: the initial value acts as one more observation."""
    expected = [5, 10 / 3, 5, 4, 5, 40 / 7]
    q, visits = np.zeros(1), np.zeros(1, dtype=np.int64)
    knobs = np.zeros(rules.N_KNOBS)
    knobs[[rules.POWER, rules.DECAY]] = 1.0
    where, stream = np.zeros(rules.N_PLACES, dtype=np.int64), streams(0, n=1)[0]
    found = []
    for reward in (10.0, 0.0, 10.0, 0.0, 10.0, 10.0):
        rules.step_by_step(np.array([0, 1]), q, visits, knobs, where, stream, 0, reward, -1, True)
        found.append(q[0])
    assert found == pytest.approx(expected)
    assert StepSizes().of(np.arange(1, 7)) == pytest.approx(1 / np.arange(2, 8))


def test_step_sizes_and_the_conditions_of_theorem_13_2():
    assert StepSizes().sum_of_squares == pytest.approx(math.pi**2 / 6 - 1)
    assert StepSizes().converges
    assert StepSizes(power=0.6).converges
    assert not StepSizes(power=0.5).converges
    assert not StepSizes(power=1.2).converges
    assert not StepSizes(alpha=1).converges
    assert "never forgotten" in str(StepSizes(power=1.5))


@pytest.mark.compiled
def test_convergence_where_moves_slip():
    """13.B.5: the greatest error after 10^5 steps of random acting, with some slack for other seeds."""
    slippery = grid_world("..G\n...", {"G": 100}, slip=0.2)
    truth = DynamicProgramming(0.9).learn(slippery).hypothesis_
    assert sorted(truth.values.tolist()) == pytest.approx(
        [0, 75.2166, 85.6633, 85.6633, 97.5610, 97.5610], abs=1e-4
    )
    bands = {"book": (2.0, 5.0), "power": (0.1, 1.5), "fixed": (3.0, 30.0)}
    for name, sizes in {"book": {"power": 1}, "power": {"power": 0.6}, "fixed": {"alpha": 1}}.items():
        learner = QLearning(10_000, 0.9, explore="random", max_steps=10_000, random_state=1, **sizes)
        if name == "fixed":
            with pytest.warns(match="values never converge"):
                learner.learn(slippery)
        else:
            learner.learn(slippery)
        assert 80_000 < learner.n_actions_ < 125_000
        error = np.abs(learner.hypothesis_.q - truth.q).max()
        low, high = bands[name]
        assert low < error < high, (name, error)


BENT = {("TM", "right"): 100, ("TL", "right"): 50}
EXACT = dict(zip(GRID.pairs(), TRUE.q.tolist(), strict=True))
DETOUR = [("BL", "right", 0), ("BM", "left", 0), *PATH]


@pytest.mark.parametrize("rule", [rules.RETURNS, rules.TRACES])
@pytest.mark.parametrize(
    ("path", "q", "expected"),
    [
        (PATH, {}, {0: 0, 0.25: 5.0625, 0.5: 20.25, 0.7: 39.69, 1: 81}),
        (PATH, BENT, {0: 45, 0.5: 63, 1: 81}),
        (PATH, EXACT, {0: 81, 0.5: 81, 1: 81}),
        (DETOUR, EXACT, {0: 81, 0.5: 73.305, 1: 65.61}),
    ],
)
def test_lookaheads_blended_by_lambda(rule, path, q, expected):
    """13.B.6."""
    first = path[0][:2]
    found = {x: driven(rule, path, q, lambda_=x)[first] for x in expected}
    assert found == pytest.approx(expected)


@st.composite
def walks(draw):
    """An episode of any pairs, whether they follow each other or not."""
    steps = draw(st.lists(st.sampled_from([p for p in GRID.pairs() if p[0] != "G"]), min_size=1, max_size=8))
    rewards = draw(st.lists(st.integers(-9, 9), min_size=len(steps), max_size=len(steps)))
    return [(*pair, reward) for pair, reward in zip(steps, rewards, strict=True)] + [("G", "", 0)]


@settings(max_examples=60, deadline=None)
@given(
    walks(),
    st.lists(st.integers(-50, 50), min_size=13, max_size=13),
    st.sampled_from([0.0, 0.3, 0.8, 1.0]),
    st.sampled_from([0.0, 0.1, 1.0]),
    st.booleans(),
)
def test_both_forms_of_lambda_agree(path, values, lambda_, alpha, cut):
    q = dict(zip(GRID.pairs(), values, strict=True))
    q[("G", "stay")] = 7 if cut else 0
    both = [
        driven(rule, path, q, lambda_=lambda_, alpha=alpha, power=0.7, cut=cut)
        for rule in (rules.RETURNS, rules.TRACES)
    ]
    assert both[0] == pytest.approx(both[1], abs=1e-9)


@settings(max_examples=10, deadline=None)
@given(st.data())
def test_values_rise_and_never_exceed_the_true_ones(data):
    """05:RL-5, for rewards of at least 0 and values that begin at 0; and the error keeps to its bound."""
    n = data.draw(st.integers(2, 5))
    place, reward = st.integers(0, n - 1), st.integers(0, 20)
    model = {
        s: {a: (data.draw(place), data.draw(reward)) for a in range(data.draw(st.integers(1, 3)))}
        for s in range(n)
    }
    model[0][0] = (n - 1, data.draw(st.integers(1, 20)))
    model[n - 1] = {}
    with trace(only="update") as events:
        QLearning(6, 0.8, alpha=1, explore="random", max_steps=12).learn(MDP.of(model, start=0))
    truth = DynamicProgramming(0.8).learn(MDP.of(model)).hypothesis_
    for event in events:
        assert event["error"] <= event["bound"] + 1e-9
        for state, action, old, new in event["changed"]:
            assert old <= new <= truth.action_values(state)[action] + 1e-9


def test_the_bound_shrinks_with_every_interval():
    with trace(only="update") as events:
        QLearning(60, 0.9, alpha=1, explore="random").learn(GRID)
    bounds = list(dict.fromkeys(event["bound"] for event in events))
    assert bounds[:3] == pytest.approx([100, 90, 81])
    assert all(event["error"] <= event["bound"] + 1e-9 for event in events)


ALL = {
    "forward": QLearning(30, 0.9, explore="power", k=1.05, decay=0.99),
    "reverse": QLearning(30, 0.9, replay="reverse", epsilon=0.3),
    "experience": QLearning(30, 0.9, replay="experience", memory=20, alpha=0.5),
    "dyna": Dyna(30, 0.9, initial=3.0),
    "sweeping": Dyna(30, 0.9, sweeping="prioritized", explore="counts", bonus=1.0),
    "sarsa": Sarsa(30, 0.9, explore="counts", bonus=10.0),
    "online": TDLambda(30, 0.9),
    "traces": TDLambda(30, 0.9, form="traces"),
    "returns": TDLambda(30, 0.9, form="forward"),
    "monte carlo": MonteCarlo(30, 0.9),
}


@pytest.mark.compiled
def test_plain_and_compiled_loops_learn_the_same(monkeypatch):
    lake = environment("frozen-lake")
    monkeypatch.setattr("induce.core.loops.PLAIN_WORK", math.inf)
    plain = {name: learner.learn(lake).state_ for name, learner in ALL.items()}
    monkeypatch.setattr("induce.core.loops.PLAIN_WORK", -1)
    for name, learner in ALL.items():
        assert _same(learner.learn(lake).state_, plain[name]), name


def test_real_actions_and_computed_updates_are_counted_apart():
    counts = {}
    for name, learner in ALL.items():
        learner.learn(GRID)
        assert learner.n_actions_ == learner.lengths_.sum() == learner.hypothesis_.visits.sum()
        assert len(learner.returns_) == 30
        counts[name] = learner.n_updates_ / learner.n_actions_
    assert counts["forward"] == counts["sarsa"] == counts["reverse"] == counts["monte carlo"] == 1
    assert counts["experience"] == 6
    assert counts["dyna"] == 11
    assert 1 < counts["sweeping"] < 11


@pytest.mark.compiled
def test_known_values_are_reached():
    """The starts of FrozenLake and CliffWalking and the mean start of Taxi, discount .99."""
    found = [
        QLearning(20_000, 0.99, epsilon=0.3, max_steps=100, random_state=seed).learn("frozen-lake")
        for seed in range(6)
    ]
    values = np.array([learner.hypothesis_.value() for learner in found])
    half = stats.t.ppf(0.975, 5) * values.std(ddof=1) / math.sqrt(6)
    assert half < 0.02
    assert abs(values.mean() - 0.542026) < half
    cliff = QLearning(2000, 0.99, alpha=1, random_state=0).learn("cliff").hypothesis_
    assert cliff.value() == pytest.approx(-12.247898, abs=1e-6)
    taxi = QLearning(20_000, 0.99, alpha=1, epsilon=0.5, max_steps=200).learn("taxi").hypothesis_
    assert taxi.value() == pytest.approx(6.327464, abs=1e-6)


@pytest.mark.compiled
def test_sarsa_keeps_away_from_the_cliff_while_it_explores():
    """Its values are those of acting with exploration, so the way along the edge is worth less to it."""
    values = {
        learner: learner(3000, 1.0, alpha=0.1, epsilon=0.1, random_state=0).learn("cliff").hypothesis_
        for learner in (QLearning, Sarsa)
    }
    assert values[QLearning].best((3, 0)) == values[Sarsa].best((3, 0)) == ("up",)
    assert values[QLearning].value((2, 5)) > -8
    assert values[Sarsa].value((2, 5)) < -10
    assert values[Sarsa].act((2, 5)) == "up"
    assert values[QLearning].act((2, 5)) == "right"
