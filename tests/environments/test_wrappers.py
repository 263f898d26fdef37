"""The car in the valley, environments around others, other goals, and hidden state."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.environments import (
    MDP,
    ExtendedActions,
    Hidden,
    HistoryWindow,
    MountainCar,
    UntilBlocked,
    environment,
    grid_world,
    new_goal,
)
from induce.reinforcement import DynamicProgramming, aliasing

# --- the car ---------------------------------------------------------------------------------------------------


def test_the_car_moves_by_its_formula():
    car = environment("mountain-car")
    (place, speed), _ = car.reset(seed=3)
    assert -0.6 < place < -0.4
    assert speed == 0
    for action in (2, 0, 1):
        speed += 0.001 * (action - 1) - 0.0025 * math.cos(3 * place)
        place += speed
        seen, reward, ended, cut, _ = car.step(action)
        assert seen.tolist() == pytest.approx([place, speed], abs=1e-15)
        assert (reward, ended, cut) == (-1.0, False, False)


def test_the_wall_the_top_and_the_limit():
    car = MountainCar(max_steps=400)
    first, _ = car.reset(seed=0)
    assert np.array_equal(first, car.reset(seed=0)[0])
    assert not np.array_equal(first, car.reset()[0])
    seen, ended, steps = car.reset(seed=0)[0], False, 0
    while not ended:
        seen, _, ended, cut, _ = car.step(2 if seen[1] > 0 else 0)
        steps += 1
        assert abs(seen[1]) <= 0.07
        assert seen[0] >= -1.2
        assert not cut
    assert seen[0] >= 0.5
    assert steps < 200
    car = MountainCar(max_steps=2)
    car.reset(seed=0)
    assert [car.step(1)[3] for _ in range(2)] == [False, True]


def test_a_car_that_is_misused():
    with pytest.raises(InputError, match="call `reset` first"):
        MountainCar().step(0)
    car = MountainCar()
    car.reset()
    with pytest.raises(
        InputError, match=r"the action is 3; it can be 0 \(left\), 1 \(coast\) or 2 \(right\)"
    ):
        car.step(3)
    with pytest.raises(InputError, match="max_steps is 0"):
        MountainCar(0)


# --- windows and hidden states ---------------------------------------------------------------------------------


def junction(look):
    """08:AD-03: the first signal says which way to turn two steps later; perhaps one may look again, for 1."""
    model = {}
    for side in "LR":
        turns = {"left": ("end", 10 if side == "L" else -10), "right": ("end", 10 if side == "R" else -10)}
        model |= {f"S{side}": {"go": f"C{side}"}, f"C{side}": {"go": f"J{side}"}, f"J{side}": dict(turns)}
        if look:
            model[f"J{side}"]["look"] = (f"shows {side}", -1)
            model[f"shows {side}"] = turns
    seen = {f"{place}{side}": place for place in "CJ" for side in "LR"}
    return Hidden(MDP.of(model, start={"SL": 0.5, "SR": 0.5}), seen)


def test_aliasing_is_found():
    """The value of the start is 0 with windows of 1 and 2, and 8.1 with 3; 6.48 if one may look."""
    report = aliasing(junction(False), 3, discount=0.9, episodes=600)
    assert report.values[:2] == pytest.approx((0, 0), abs=1.2)
    assert report.values[2] == pytest.approx(8.1)
    assert report.window == 3
    (alias,) = report.aliases
    assert alias.observation == "J"
    assert alias.needs_history
    best = {history.past: (history.action, history.value) for history in alias.histories}
    assert best == {"SL, go, C, go, J": ("left", 10), "SR, go, C, go, J": ("right", 10)}
    assert "J: needs different actions" in str(report)
    looking = aliasing(junction(True), 3, discount=0.9, episodes=600)
    assert looking.values == pytest.approx((6.48, 6.48, 8.1))


def test_nothing_hidden_is_not_found():
    report = aliasing(grid_world("S..\n..G", {"G": 1}, slip=0.2), 2, discount=0.9, episodes=150)
    assert report.aliases == ()
    assert report.window == 1
    assert "no hidden state was detected" in str(report)
    with pytest.raises(InputError, match="the observations are continuous"):
        aliasing(MountainCar(), 2)


def test_what_is_hidden():
    grid = grid_world("S.G")
    assert Hidden(grid, "column").reset(seed=0)[0] == 0
    assert Hidden(grid, lambda state: state[1] % 2).observation_space.states == (0, 1)
    with pytest.raises(InputError, match="observe is 'floor'; the features of the states are row, column"):
        Hidden(grid, "floor")
    with pytest.raises(InputError, match="Hidden takes a decision process"):
        Hidden(MountainCar(), {})


def test_windows_of_names_and_of_numbers():
    corridor = MDP.of({"a": {"go": "b"}, "b": {"go": "c", "back": "a"}, "c": {"go": "d"}}, start="a")
    window = HistoryWindow(corridor, 2)
    assert window.reset(seed=0)[0] == ("a",)
    assert [window.step(0)[0] for _ in range(2)] == [("a", "go", "b"), ("b", "go", "c")]
    assert window.reset(seed=0)[0] == ("a",)  # what was before is forgotten
    assert HistoryWindow(corridor, 1).reset(seed=0)[0] == "a"
    car = HistoryWindow(MountainCar(), 3)
    first, _ = car.reset(seed=0)
    assert first.tolist() == [*first[:2], *first[:2], *first[:2]]
    second = car.step(2)[0]
    third = car.step(2)[0]
    assert third.tolist() == [*first[4:], *second[4:], *third[4:]]
    assert len(car.observation_space.low) == 6
    assert car.names[:2] == ("position 2 ago", "velocity 2 ago")
    assert car.names[4:] == ("position", "velocity")
    with pytest.raises(InputError, match="n is 0"):
        HistoryWindow(corridor, 0)


def test_windows_of_an_environment_that_counts():
    class Counter:
        observation_space = SimpleNamespace(n=3)
        action_space = SimpleNamespace(n=2)

        def reset(self, seed=None, options=None):
            self.at = 0
            return np.int64(0), {}

        def step(self, action):
            self.at += 1
            return np.int64(self.at), 0.0, self.at == 2, False, {}

    window = HistoryWindow(Counter(), 2)
    assert window.reset()[0] == (0,)
    assert window.step(1)[0] == (0, 1, 1)
    assert window.step(0)[:3] == ((1, 0, 2), 0.0, True)


# --- actions that last, other goals ----------------------------------------------------------------------------


def test_actions_that_last():
    extended = {
        "twice": ["right", "right"],
        "down to the right": lambda state: "right" if state[1] < 2 else None,
        "wall": UntilBlocked("up"),
    }
    longer = ExtendedActions(grid_world("S..G", {"G": 8}, step=-1, blocked="stay"), extended, discount=0.5)
    twice, halfway, wall = (longer.action_names.index(name) for name in extended)
    assert longer.reset(seed=0)[0] == (0, 0)
    assert longer.step(twice)[:2] == ((0, 2), -1.5)
    *_, info = longer.step(wall)
    assert info["duration"] == 1  # it changed nothing
    assert not info["action_mask"][halfway]  # it would stop at once
    state, reward, ended, _, info = longer.step(twice)
    assert (state, reward, ended, info["duration"]) == ((0, 3), 8.0, True, 1)


def test_actions_that_are_none():
    grid = grid_world("S.G")
    for extended, said in (
        ({"right": ["left"]}, "the action 'right' already exists"),
        ({"far": ["right", "jump"]}, "there is no action 'jump'; the actions are 'up', 'right'"),
        ({"far": UntilBlocked("jump")}, "there is no action 'jump'"),
        ({"far": 3}, "extended action 'far' is 3; give a list, UntilBlocked or a function"),
        ({"far": "right"}, "extended action 'far' is 'right'; give a list, UntilBlocked or a function"),
    ):
        with pytest.raises(InputError, match=said):
            ExtendedActions(grid, extended, discount=0.9)
    with pytest.raises(InputError, match="discount is 2; it must be a number from 0 to 1"):
        ExtendedActions(grid, {}, discount=2)


def test_another_goal_needs_no_real_step():
    """08:AD-04 (d): the model stays, and values are computed anew."""
    moved = new_goal(grid_world("mitchell-13.2"), {"BL": 100})
    policy = DynamicProgramming(discount=0.9).learn(moved).hypothesis_
    assert [policy.value(state) for state in ("TL", "BM", "TM", "BR")] == pytest.approx([100, 100, 90, 90])
    assert policy.value("G") == 0  # nobody ever left it
    with pytest.raises(InputError, match="there is no state 'X'"):
        new_goal(grid_world("mitchell-13.2"), {"X": 1})
    with pytest.raises(InputError, match="rewards is empty"):
        new_goal(grid_world("mitchell-13.2"), {})
    with pytest.raises(InputError, match="the model is NoneType; give an MDP"):
        new_goal(None, {"X": 1})
