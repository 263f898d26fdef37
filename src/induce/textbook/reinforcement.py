"""Mitchell, chapter 13: the grid world of figure 13.2, solved and learned by acting; tic-tac-toe."""

from __future__ import annotations

from induce.core.trace import trace
from induce.environments import (
    MDP,
    Contestant,
    ForcedMoves,
    RandomPlayer,
    TicTacToe,
    against,
    grid_world,
)
from induce.reinforcement import (
    ApproximateQLearning,
    DynamicProgramming,
    Numbers,
    QLearning,
    power_probabilities,
    steps_to_end,
)
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


PATH = MDP.of({"BL": {"up": "TL"}, "TL": {"right": "TM"}, "TM": {"right": ("G", 100)}}, start="BL")


def _along(episodes: int, replay: str | None = None) -> list[float]:
    policy = QLearning(episodes, 0.9, alpha=1, replay=replay).learn(PATH).hypothesis_
    return [round(policy.value(state), 6) for state in ("BL", "TL", "TM")]


def _one_step_back() -> Outcome:
    found = [_along(episodes) for episodes in (1, 2, 3)]
    shown = "; ".join(", ".join(f"{value:g}" for value in values) for values in found)
    return Outcome(
        f"along bottom left, top left, top centre: {shown}",
        found == [[0, 0, 100], [0, 90, 100], [81, 90, 100]],
    )


def _in_reverse() -> Outcome:
    found = _along(1, "reverse")
    return Outcome(", ".join(f"{value:g}" for value in found), found == [81, 90, 100])


def _bounded() -> Outcome:
    with trace(only="update") as events:
        QLearning(60, 0.9, alpha=1, explore="random").learn("mitchell-13.2")
    kept = all(event["error"] <= event["bound"] + 1e-9 for event in events)
    last = next(k for k, event in enumerate(events) if event["error"] < 1e-9)
    return Outcome(
        f"the error {'keeps' if kept else 'does not keep'} to the bound and is 0 after {last + 1} actions",
        kept,
    )


def _exploring() -> Outcome:
    some, more = (power_probabilities([66, 81, 100], k)[2] for k in (1.01, 1.1))
    return Outcome(f"k = 1.01 gives the best action {some:.3f}, k = 1.1 {more:.3f}", some < more)


def _diverging() -> Outcome:
    two = MDP.of(
        {"one": {"go": "two"}, "two": {"go": "more"}, "more": {"go": "two"}}, "one", {"w": (1, 2, 2)}
    )
    found = []
    for rule in ("direct", "residual"):
        learner = ApproximateQLearning(1, features=Numbers(False, False), rule=rule, alpha=0.1, discount=0.9)
        learner.set_params(initial=1.0, max_steps=1).learn(two)
        found.append(round(float(learner.state_.weights.values[0]), 6))
    return Outcome(
        f"values w and 2w, no reward: each step multiplies w by {found[0]:g}; the residual gradient by {found[1]:g}",
        found == [1.08, 0.936],
    )


def _tic_tac_toe() -> Outcome:
    opponents: dict[str, Contestant] = {
        "random": RandomPlayer(),
        "blocks": ForcedMoves(win=False),
        "wins and blocks": ForcedMoves(),
    }
    found = {}
    for name, opponent in opponents.items():
        for first in (True, False):
            process = against(TicTacToe(), opponent, first)
            policy = DynamicProgramming(discount=1.0).learn(process).hypothesis_
            found[name, first] = round(policy.value(), 5)
    text = "; ".join(f"{name} {found[name, True]:g}, {found[name, False]:g}" for name in opponents)
    return Outcome(text, tuple(found.values()) == (0.99479, 0.92487, 0.92708, 0.46667, 0.92708, 0.4))


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
    Result(
        "mitchell-13.3.3-episodes",
        "Mitchell, section 13.3.3",
        "what repeating one episode teaches, with all values 0 at first",
        "the first episode changes one value, each further one that of the step before",
        _one_step_back,
    ),
    Result(
        "mitchell-13.3.4-bound",
        "Mitchell, theorem 13.1",
        "the error of Q learning and its bound, the first error times the discount for each interval",
        "the error never exceeds the bound",
        _bounded,
    ),
    Result(
        "mitchell-13.3.5-k",
        "Mitchell, section 13.3.5",
        "the probability of the best of the actions worth 66, 81 and 100",
        "larger k prefer actions with high values [0.394 and 0.831]",
        _exploring,
    ),
    Result(
        "mitchell-13.3.6-reverse",
        "Mitchell, section 13.3.6",
        "the same episode learned from in reverse order",
        "all values along the path after one episode [81, 90, 100]",
        _in_reverse,
    ),
    Result(
        "mitchell-13.6-divergence",
        "Mitchell, section 13.6",
        "whether Q learning converges when values generalise",
        "it may fail to [values w and 2w: w grows by 1.08 a step; by the residual gradient it shrinks by 0.936]",
        _diverging,
    ),
    Result(
        "mitchell-13.3-tic-tac-toe",
        "Mitchell, exercise 13.3",
        "the best expected result at tic-tac-toe against three opponents, beginning and not",
        "[0.99479, 0.92487; 0.92708, 0.46667; 0.92708, 0.4]",
        _tic_tac_toe,
    ),
)
