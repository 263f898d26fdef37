"""Decision processes: how they are made, what is refused."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import sparse

from induce.core.errors import InputError
from induce.environments import MDP, estimate, grid_world

MACHINE = {
    "good": {"use": [("good", 0.9, 100), ("bad", 0.1, 100)]},
    "bad": {"use": [("bad", 1, 20)], "repair": [("good", 1, -50)]},
}
ROWS = pl.DataFrame(
    {
        "state": ["good", "good", "bad", "bad"],
        "action": ["use", "use", "use", "repair"],
        "next": ["good", "bad", "bad", "good"],
        "probability": [0.9, 0.1, 1.0, 1.0],
        "reward": [100, 100, 20, -50],
    }
)


def same(mine, other):
    names = ("pair_state", "pair_action", "first", "next_state", "probability", "reward", "ends", "start")
    return (
        mine.states == other.states
        and mine.actions == other.actions
        and all(np.array_equal(getattr(mine, name), getattr(other, name)) for name in names)
    )


def test_dicts_tables_and_matrices_say_the_same():
    machine = MDP.of(MACHINE)
    assert same(MDP.from_table(ROWS), machine)
    assert same(
        MDP.from_table(ROWS.sample(fraction=1, shuffle=True, seed=1).sort("state", descending=True)), machine
    )
    use, repair = [[0.9, 0.1], [0, 1]], [[0, 0], [1, 0]]
    rewards = [[100, 0], [20, -50]]
    for transitions in ([use, repair], [sparse.csr_array(use), sparse.csr_array(repair)]):
        assert same(MDP.from_arrays(transitions, rewards, ["good", "bad"], ["use", "repair"]), machine)
    by_next = np.array([[[100, 100], [0, 20]], [[0, 0], [-50, 0]]])
    assert same(MDP.from_arrays([use, repair], by_next, ["good", "bad"], ["use", "repair"]), machine)


def test_absorbing_states():
    grid = grid_world("mitchell-13.2")
    assert [state for state, ends in zip(grid.states, grid.absorbing, strict=True) if ends] == ["G"]
    assert grid.n_pairs == 13
    assert MDP.of({"a": {"go": "b"}}).absorbing.tolist() == [False, True]


def test_estimates_from_a_log():
    rng = np.random.default_rng(0)
    n = 4000
    after = np.where(rng.random(n) < 0.3, "bad", "good")
    log = pl.DataFrame(
        {"state": ["good"] * n, "action": ["use"] * n, "next": after, "reward": rng.normal(5, 1, n)}
    )
    found = estimate(log)
    bad = int(np.flatnonzero(found.mdp.next_state == found.mdp.place("bad"))[0])
    low, high = found.interval(bad)
    assert low < 0.3 < high
    assert high - low < 0.03
    assert found.mdp.expected_reward == pytest.approx(5, abs=0.1)
    assert "95% interval" in str(found)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ({"a": {"go": [("b", 0.4, 0)]}}, "state 'a' and action 'go' sum to 0.4"),
        (
            {"a": {"go": [("b", 1.0, float("nan"))]}},
            "action 'go' to 'b' has a reward that is not a finite number",
        ),
        ({"a": {"go": [("b", 1.5, 0), ("a", -0.5, 0)]}}, "negative probability"),
        ({"a": {"go": [("b", 1)]}}, "give \\(next, probability, reward\\)"),
        ({"a": {"go": [("b", 1, "much")]}}, "is not a number"),
        ({"a": {}}, "no transition"),
    ],
)
def test_processes_that_make_no_sense(model, message):
    with pytest.raises(InputError, match=message):
        MDP.of(model)


def test_other_bad_input():
    with pytest.raises(InputError, match="no column 'next'"):
        MDP.from_table(ROWS.drop("next"))
    with pytest.raises(InputError, match="column 'reward' has missing values"):
        MDP.from_table(ROWS.with_columns(reward=pl.lit(None)))
    with pytest.raises(InputError, match="no row"):
        MDP.from_table(ROWS[:0])
    with pytest.raises(InputError, match="give a frame"):
        MDP.from_table([1, 2])
    with pytest.raises(InputError, match="there is no state 'broken'"):
        MDP.of(MACHINE, start="broken")
    with pytest.raises(InputError, match="start sum to"):
        MDP.of(MACHINE, start={"good": 0.5})
    with pytest.raises(InputError, match="carries no model"):
        MDP.from_env(object())
    with pytest.raises(InputError, match="shape"):
        MDP.from_arrays([[[1, 0]]], [1])
    with pytest.raises(InputError, match="rewards has shape"):
        MDP.from_arrays([[[1]]], [1, 2])
    with pytest.raises(InputError, match="neither a column 'next' nor"):
        estimate(ROWS.drop("next"))
    with pytest.raises(InputError, match="feature 'age' has 1 values for 2 states"):
        MDP.of(MACHINE, features={"age": [1]})
    with pytest.raises(InputError, match="contains 'X'"):
        grid_world("S.X")
    with pytest.raises(InputError, match="a cliff but no start"):
        grid_world("C.G")
