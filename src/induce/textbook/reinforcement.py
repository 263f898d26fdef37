"""Mitchell, sections 13.2, 13.3 and 13.7: the grid world of figure 13.2."""

from __future__ import annotations

from induce.environments import grid_world
from induce.reinforcement import DynamicProgramming, steps_to_end
from induce.textbook.result import Outcome, Result

VALUES = {"TL": 90, "TM": 100, "G": 0, "BL": 81, "BM": 90, "BR": 100}


def _grid() -> Outcome:
    policy = DynamicProgramming(discount=0.9).learn(grid_world("mitchell-13.2")).hypothesis_
    found = {state: round(policy.value(state), 6) for state in policy.states}
    return Outcome(", ".join(f"{state} {value:g}" for state, value in found.items()), found == VALUES)


def _pairs() -> Outcome:
    policy = DynamicProgramming(discount=0.9).learn(grid_world("mitchell-13.2")).hypothesis_
    back = policy.action_values("TL")["down"]
    return Outcome(f"Q(TL, down) = {back:.6g}", round(back, 6) == 72.9)


def _policies() -> Outcome:
    policy = DynamicProgramming(discount=0.9).learn(grid_world("mitchell-13.2")).hypothesis_
    figure = {"TL": "right", "TM": "right", "BL": "right", "BM": "right", "BR": "up"}
    optimal = all(action in policy.best(state) for state, action in figure.items())
    return Outcome(
        f"the policy of the figure is {'' if optimal else 'not '}optimal; {policy.n_optimal()} policies are",
        optimal and policy.n_optimal() == 4,
        "bottom left and bottom centre may go up or right",
    )


def _distances() -> Outcome:
    grid = grid_world("mitchell-13.2")
    found = dict(zip(grid.states, steps_to_end(grid).tolist(), strict=True))
    return Outcome(
        ", ".join(f"{state} {steps:g}" for state, steps in found.items()),
        found == {"TL": 2, "TM": 1, "G": 0, "BL": 3, "BM": 2, "BR": 1},
    )


RESULTS = (
    Result(
        "mitchell-13.2-values",
        "Mitchell, figure 13.2",
        "the values of the six squares with discount 0.9",
        "90, 100, 0 in the top row; 81, 90, 100 in the bottom row",
        _grid,
    ),
    Result(
        "mitchell-13.2-q",
        "Mitchell, figure 13.2",
        "the value of moving away from the goal in the top left square",
        "72",
        _pairs,
        "72.9: the figure leaves the decimals out, and figure 13.3 rounds the same value to 73",
    ),
    Result(
        "mitchell-13.2-policies",
        "Mitchell, figure 13.2 and exercise 13.1",
        "an optimal policy, and another one",
        "the arrows of the figure [4 policies are optimal]",
        _policies,
    ),
    Result(
        "mitchell-13.7-distances",
        "Mitchell, section 13.7",
        "the fewest steps to the goal, by Bellman and Ford's method",
        "[2, 1, 0 in the top row; 3, 2, 1 in the bottom row]",
        _distances,
    ),
)
