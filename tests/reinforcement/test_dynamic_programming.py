"""Dynamic programming: the books' values, known values of common problems, agreement of methods."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.core.trace import trace
from induce.environments import MDP, grid_world
from induce.environments.mdp import assembled
from induce.reinforcement import DynamicProgramming, Policy, steps_to_end
from induce.reinforcement.dynamic_programming import methods
from induce.reinforcement.learners.dynamic_programming import METHODS

GRID = {
    "TL": {"right": ("TM", 0), "down": ("BL", 0)},
    "TM": {"left": ("TL", 0), "right": ("G", 100), "down": ("BM", 0)},
    "G": {"stay": ("G", 0)},
    "BL": {"up": ("TL", 0), "right": ("BM", 0)},
    "BM": {"left": ("BL", 0), "up": ("TM", 0), "right": ("BR", 0)},
    "BR": {"up": ("G", 100), "left": ("BM", 0)},
}
VALUES = {"TL": 90, "TM": 100, "G": 0, "BL": 81, "BM": 90, "BR": 100}
Q = {
    "TL": {"right": 90, "down": 72.9},
    "TM": {"left": 81, "right": 100, "down": 81},
    "G": {"stay": 0},
    "BL": {"up": 81, "right": 81},
    "BM": {"left": 72.9, "up": 90, "right": 90},
    "BR": {"up": 100, "left": 81},
}


def choice_of(mdp, **actions):
    """Return a policy as the positions of its pairs."""
    pairs = mdp.pairs()
    return np.array([pairs.index((state, actions.get(state, "stay"))) for state in mdp.states])


@pytest.mark.parametrize("method", METHODS)
def test_figure_13_2(method):
    policy = DynamicProgramming(0.9, method=method).learn(MDP.of(GRID)).hypothesis_
    assert {state: policy.value(state) for state in policy.states} == pytest.approx(VALUES)
    for state, values in Q.items():
        assert policy.action_values(state) == pytest.approx(values)
    assert policy.n_optimal() == 4
    assert policy.best("BL") == ("right", "up")


def test_a_policy_that_is_not_optimal():
    mdp = MDP.of(GRID)
    choice = choice_of(mdp, TL="down", TM="left", BL="right", BM="right", BR="up")
    values = methods.policy_values(mdp, choice, 0.9)
    expected = {"TL": 72.9, "TM": 65.61, "G": 0, "BL": 81, "BM": 90, "BR": 100}
    assert dict(zip(mdp.states, values, strict=True)) == pytest.approx(expected)


def test_sweeps_from_zero_and_their_errors():
    truth = np.array([VALUES[state] for state in GRID])
    with trace(only="sweep") as sweeps:
        DynamicProgramming(0.9, method="value-iteration").learn(MDP.of(GRID))
    errors = [np.abs(sweep["values"] - truth).max() for sweep in sweeps]
    assert errors == pytest.approx([90, 81, 0, 0])
    q_errors = [np.abs(methods.pair_values(MDP.of(GRID), sweep["values"], 0.9)).max() for sweep in sweeps]
    assert q_errors[0] == pytest.approx(100)


def test_policy_iteration_step_by_step():
    """08:AD-02."""
    mdp = MDP.of(GRID, actions=["up", "right", "down", "left", "stay"])
    start = choice_of(mdp, TL="down", TM="left", BL="up", BM="left", BR="left")
    with trace(only="policy") as steps:
        methods.policy_iteration(mdp, 0.9, 1e-9, start)
    changed = [{mdp.states[k] for k in step["changed"]} for step in steps]
    assert changed == [{"TM", "BR"}, {"TL", "BM"}, set()]
    assert steps[0]["values"].tolist() == [0] * 6
    assert dict(zip(mdp.states, steps[1]["values"], strict=True)) == pytest.approx(
        {"TL": 0, "TM": 100, "G": 0, "BL": 0, "BM": 0, "BR": 100}
    )
    assert dict(zip(mdp.states, steps[2]["values"], strict=True)) == pytest.approx(VALUES)


def test_steps_to_the_goal():
    mdp = MDP.of(GRID)
    assert dict(zip(mdp.states, steps_to_end(mdp), strict=True)) == {
        "TL": 2,
        "TM": 1,
        "G": 0,
        "BL": 3,
        "BM": 2,
        "BR": 1,
    }
    assert steps_to_end(MDP.of({"a": {"round": ("a", 1)}, "b": {"out": [("a", 1, 0, True)]}})).tolist() == [
        np.inf,
        1,
    ]


def test_exercise_13_2():
    """The grid is inferred, as the specification says; its values are exact."""
    mdp = grid_world("...\n.G.", {"G": 10}, names=(("TL", "TM", "TR"), ("BL", "G", "BR")))
    policy = DynamicProgramming(0.8).learn(mdp).hypothesis_
    assert {state: policy.value(state) for state in policy.states} == pytest.approx(
        {"TL": 8, "TM": 10, "TR": 8, "BL": 10, "G": 0, "BR": 10}
    )
    assert policy.action_values("TM") == pytest.approx({"left": 6.4, "right": 6.4, "down": 10})
    assert policy.best("TL") == ("right", "down")


@pytest.mark.parametrize(
    "mdp",
    [
        grid_world("..G\n...", {"G": 100}, slip=0.2, names=(("TL", "TM", "G"), ("BL", "BM", "BR"))),
        grid_world("mitchell-13.2", slip=0.2),
    ],
    ids=["drawn", "shipped"],
)
def test_the_slippery_grid(mdp):
    policy = DynamicProgramming(0.9).learn(mdp).hypothesis_
    expected = {"TL": 85.6633, "TM": 97.5610, "BL": 75.2166, "BM": 85.6633, "BR": 97.5610, "G": 0}
    assert {state: policy.value(state) for state in policy.states} == pytest.approx(expected, abs=5e-5)
    assert policy.action_values("TM")["left"] == pytest.approx(79.2385, abs=5e-5)
    assert policy.action_values("TL")["down"] == pytest.approx(69.5753, abs=5e-5)


def test_slipping_costs_a_step():
    """One move of two succeeds, so the goal is two steps away on average."""
    policy = DynamicProgramming(1.0).learn(grid_world(".G", step=-1, slip=0.5)).hypothesis_
    assert policy.value((0, 0)) == pytest.approx(-2)


@pytest.mark.compiled
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("name", "discount", "value"),
    [
        ("frozen-lake", 0.99, 0.542026),
        ("frozen-lake", 1, 0.823529),
        ("cliff", 0.99, -12.247898),
        ("cliff", 1, -13),
    ],
)
def test_known_values(method, name, discount, value):
    tolerance = 1e-5 if method == "prioritized-sweeping" else 1e-9  # without a compiler it takes seconds
    policy = DynamicProgramming(discount, method=method, tol=tolerance).learn(grid_world(name)).hypothesis_
    assert policy.value() == pytest.approx(value, abs=max(1e-6, 1000 * tolerance))


def test_the_optimal_policies_are_best_from_every_state():
    """Exercise 13.4, by enumeration of all 72 policies."""
    mdp = MDP.of(GRID)
    spans = [range(mdp.offset[k], mdp.offset[k + 1]) for k in range(mdp.n_states)]
    found = [methods.policy_values(mdp, np.array(choice), 0.9) for choice in product(*spans)]
    assert len(found) == 72
    best = [values for values in found if values.sum() >= sum(VALUES.values()) - 1e-6]
    assert len(best) == 4
    assert all((values <= best[0] + 1e-9).all() for values in found)


@st.composite
def processes(draw):
    n, n_actions = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    seed = draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    rows = [
        (s, a, rng.integers(n), 1.0, float(rng.normal()), bool(rng.random() < 0.2))
        for s in range(n)
        for a in range(n_actions)
    ]
    return assembled(tuple(range(n)), tuple(range(n_actions)), list(zip(*rows, strict=True)), None, None)


@given(processes())
def test_methods_agree_with_enumeration(mdp):
    spans = [range(mdp.offset[k], mdp.offset[k + 1]) for k in range(mdp.n_states)]
    best = np.max([methods.policy_values(mdp, np.array(choice), 0.8) for choice in product(*spans)], axis=0)
    for method in METHODS:
        found = DynamicProgramming(0.8, method=method).learn(mdp)
        assert np.allclose(found.solved_.values, best, atol=1e-8)
        assert np.abs(found.solved_.values - best).max() <= found.solved_.bound + 1e-9


def test_horizon_and_average():
    mdp = MDP.of({"a": {"wait": ("a", 1), "go": ("b", 0)}, "b": {"go": ("a", 3)}})
    learner = DynamicProgramming(criterion="horizon", horizon=3).learn(mdp)  # nothing is discounted
    assert [stage.value("a") for stage in learner.stages_] == [1, 3, 4]
    assert [stage.act("a") for stage in learner.stages_] == ["wait", "go", "wait"]
    assert learner.hypothesis_.value("a") == 4
    found = DynamicProgramming(criterion="average").learn(mdp).hypothesis_
    assert found.gain == pytest.approx(1.5)
    assert found.act("a") == "go"


def test_bad_input():
    mdp = MDP.of(GRID)
    for parameters, message in (
        ({"discount": 1.5}, "discount is 1.5"),
        ({"method": "magic"}, "method is 'magic'"),
        ({"criterion": "horizon"}, "needs a number of steps"),
        ({"tol": 0}, "tol is 0"),
    ):
        with pytest.raises(InputError, match=message):
            DynamicProgramming(**parameters).learn(mdp)
    endless = MDP.of({"a": {"round": ("a", 1)}})
    with pytest.raises(InputError, match="no episode from state 'a' ends"):
        DynamicProgramming(1, method="policy-iteration").learn(endless)
    with pytest.raises(InputError, match="carries no model"):
        DynamicProgramming().learn(3)
    with pytest.warns(Note, match="no action gives any reward"):
        DynamicProgramming().learn(MDP.of({"a": {"go": "b"}}))
    two = MDP.of({"a": {"round": ("a", 1)}, "b": {"round": ("b", 2)}})
    with pytest.raises(InputError, match="average reward differs"):
        DynamicProgramming(criterion="average").learn(two)


def test_saved_and_explained(tmp_path):
    learner = DynamicProgramming(0.9).learn(MDP.of(GRID))
    induce.save(learner, tmp_path / "grid.induce")
    again = induce.load(tmp_path / "grid.induce").hypothesis_
    assert isinstance(again, Policy)
    assert str(again) == str(learner.hypothesis_)
    assert str(again.explain("BM")) == (
        "BM: right or up, worth 90\n  right    90  BR 100%\n  up       90  TM 100%\n  left   72.9  BL 100%"
    )
    assert "ends here" in str(
        DynamicProgramming().learn(MDP.of({"a": {"go": ("b", 1)}})).hypothesis_.explain("b")
    )
    with pytest.raises(InputError, match="has no state"):
        again.act("nowhere")


@pytest.mark.compiled
def test_plain_and_compiled_loops_agree(monkeypatch):
    mdp = grid_world("frozen-lake")
    plain = {method: DynamicProgramming(0.95, method=method).learn(mdp).hypothesis_.q for method in METHODS}
    monkeypatch.setattr("induce.core.loops.PLAIN_WORK", 0)
    for method, q in plain.items():
        assert np.array_equal(DynamicProgramming(0.95, method=method).learn(mdp).hypothesis_.q, q)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "method", ["policy-iteration", "value-iteration", "modified-policy-iteration", "prioritized-sweeping"]
)
def test_values_without_discount_are_as_exact_as_asked_for(method):
    # a sweep changes values by less than the tolerance long before they are right: steps to the end add up
    slow = MDP.of({"a": {"go": [("a", 0.999, -1), ("b", 0.001, -1)], "jump": [("b", 1, -1000.0001)]}})
    for process, value in ((slow, -1000.0), (grid_world("frozen-lake"), 14 / 17)):
        solver = DynamicProgramming(1.0, method=method).learn(process)
        assert solver.solved_.values[0] == pytest.approx(value, abs=1e-9)
        assert solver.solved_.bound <= 1e-9


def test_values_without_a_bound_say_so(monkeypatch):
    monkeypatch.setattr(methods, "MOST_EXACT", 1)
    with pytest.warns(induce.Note, match="without discounting the error of the values has no known bound"):
        solver = DynamicProgramming(1.0).learn(grid_world("frozen-lake"))
    assert np.isnan(solver.solved_.bound)


def test_circles_without_reward_do_not_hide_the_end():
    # every way round is worth 100 without discount, and so is the way to the goal
    solver = DynamicProgramming(1.0).learn(grid_world("mitchell-13.2"))
    assert solver.solved_.values.tolist() == [100, 100, 0, 100, 100, 100]
    policy = solver.hypothesis_
    assert policy.best("BL") == ("up", "right")
    assert [policy.act(state) for state in ("TL", "TM", "BM", "BR")] == ["right", "right", "up", "up"]
    islands = DynamicProgramming(1.0).learn(grid_world("S.G#..", {"G": 3}))
    assert islands.solved_.values.tolist() == [3, 3, 0, 0, 0]
