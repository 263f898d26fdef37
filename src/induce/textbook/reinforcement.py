"""Mitchell, chapter 13: the grid world of figure 13.2, solved and learned from experience; tic-tac-toe."""

from __future__ import annotations

from typing import Any

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
    StepSizes,
    TDLambda,
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
        "the agent may go up or right from bottom left and bottom centre",
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
        f"the error {'keeps' if kept else 'does not keep'} within the bound and is 0 after {last + 1} "
        "actions",
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


def _interaction() -> Outcome:
    discount, rewards = 0.9, (0, 0, 100)
    policy = QLearning(3, discount, alpha=1).learn(PATH).hypothesis_
    summed = sum(discount**k * reward for k, reward in enumerate(rewards))
    return Outcome(
        f"0 + 0.9 · 0 + 0.81 · 100 = {summed:g}; learned {policy.value('BL'):g}",
        round(summed, 9) == round(policy.value("BL"), 9) == 81,
        "three steps through the grid of figure 13.2, discount 0.9",
    )


def values_of_the_update() -> tuple[float, dict[str, float]]:
    """Return Q(s1, right) before the update of figure 13.3, and the values of the actions in s2."""
    policy = DynamicProgramming(discount=0.9).learn("mitchell-13.2").hypothesis_
    others = {str(action): value for action, value in policy.action_values("TM").items()}
    return policy.action_values("TL")["down"], others


def _update() -> Outcome:
    back, others = values_of_the_update()
    ahead = max(others.values())
    # a process with one action in TL, whose initial value is that of going down
    one_step = MDP.of({"TL": {"right": ("TM", 0)}, "TM": {"right": ("G", 100)}}, start="TL")
    learner = QLearning(2, 0.9, alpha=1, initial=back).learn(one_step)
    new = learner.hypothesis_.action_values("TL")["right"]
    return Outcome(
        f"Q(s1, right) from {back:.1f} to 0 + 0.9 · {ahead:g} = {new:g}", round(new, 6) == 90, "discount 0.9"
    )


def _slipping() -> Outcome:
    policy = DynamicProgramming(discount=0.9).learn(grid_world("mitchell-13.2", slip=0.2)).hypothesis_
    values = {state: round(policy.value(state), 4) for state in ("TM", "TL", "BL")}
    book, fixed = StepSizes(), StepSizes(alpha=1.0)
    return Outcome(
        f"{', '.join(f'{state} {value:g}' for state, value in values.items())}; {book}",
        values == {"TM": 97.561, "TL": 85.6633, "BL": 75.2166}
        and round(book.sum_of_squares, 4) == 0.6449
        and book.converges
        and not fixed.converges,
        "figure 13.2 with a fifth of the moves failing",
    )


def _blended() -> Outcome:
    weights = (0.0, 0.25, 0.5, 0.7, 1.0)

    def learned(weight: float, episodes: int) -> float:
        learner = TDLambda(episodes, 0.9, lambda_=weight, form="forward", alpha=1).learn(PATH)
        return round(learner.hypothesis_.value("BL"), 6)

    first, settled = ([learned(weight, n) for weight in weights] for n in (1, 5))
    as_printed = [round(_printed_recursion(weight), 4) for weight in (0.0, 0.5, 1.0)]
    return Outcome(
        f"after one episode {', '.join(f'{value:g}' for value in first)}; once the values are right "
        f"{settled[0]:g} for every λ; by the printed recursion {', '.join(f'{value:g}' for value in as_printed)}",
        first == [0, 5.0625, 20.25, 39.69, 81] and set(settled) == {81} and as_printed == [72.9, 84.0375, 81],
        "bottom left up, top left right, top centre right; λ = 0, 0.25, 0.5, 0.7, 1, then 0, 0.5, 1",
    )


def _printed_recursion(weight: float) -> float:
    """Return Q-lambda of the first step on the path by the printed recursion, from the true values."""
    ahead = 0.0
    for state, reward in (("TM", 100.0), ("TL", 0.0), ("BL", 0.0)):
        ahead = reward + 0.9 * ((1 - weight) * VALUES[state] + weight * ahead)
    return ahead


def _other_grid() -> Outcome:
    policy = DynamicProgramming(discount=0.8).learn("exercise-13.2").hypothesis_
    values = {state: round(policy.value(state), 6) for state in policy.states}
    model: dict[str, dict[str, Any]] = {
        "BL": {"up": "TL"},
        "TL": {"right": "TM"},
        "TM": {"right": "TR"},
        "TR": {"down": "BR"},
        "BR": {"left": ("G", 10)},
    }
    path = MDP.of(model, start="BL")
    found = []
    for episodes, state in ((1, "BR"), (2, "TR"), (3, "TM")):
        learned = QLearning(episodes, 0.8, alpha=1).learn(path).hypothesis_
        found.append(round(learned.value(state), 6))
    shown = ", ".join(f"{state} {value:g}" for state, value in values.items())
    return Outcome(
        f"{shown}; {policy.n_optimal()} optimal policies; "
        f"the episodes change {', '.join(f'{value:g}' for value in found)}",
        values == {"TL": 8, "TM": 10, "TR": 8, "BL": 10, "G": 0, "BR": 10} and found == [10, 8, 6.4],
        "the grid as the text suggests it: goal at the bottom centre, reward 10 for entering it; "
        "discount 0.8",
    )


def _every_policy() -> Outcome:
    from itertools import product

    import numpy as np

    from induce.reinforcement.dynamic_programming.methods import policy_values

    grid = grid_world("mitchell-13.2")
    pairs = [np.flatnonzero(grid.pair_state == state) for state in range(len(grid.states))]
    values = np.array([policy_values(grid, np.array(choice), 0.9) for choice in product(*pairs)])
    best = np.isclose(values, values.max(axis=0))
    return Outcome(
        f"{int(best.all(axis=1).sum())} of {len(values)} policies are optimal in every state",
        len(values) == 72 and int(best.all(axis=1).sum()) == 4,
        "all policies of figure 13.2, evaluated one by one",
    )


RESULTS = (
    Result(
        "mitchell-13.1-interaction",
        "Mitchell, figure 13.1",
        "an agent acts, and its environment returns a state and a reward; the objective is the sum of "
        "discounted rewards",
        "r0 + discount · r1 + discount² · r2 + …",
        _interaction,
    ),
    Result(
        "mitchell-13.3-update",
        "Mitchell, figure 13.3",
        "one update of Q for a move to the right in the top row",
        "from 73 to 0 + 0.9 max{66, 81, 100} = 90",
        _update,
    ),
    Result(
        "mitchell-13.4-slip",
        "Mitchell, section 13.4",
        "values in a stochastic environment, and the step sizes 1 / (1 + visits) that learn them",
        "[97.561, 85.6633, 75.2166; the squares of the steps sum to π²/6 - 1]",
        _slipping,
    ),
    Result(
        "mitchell-13.5-lambda",
        "Mitchell, section 13.5",
        "training values of TD(λ) along one path, and their recursion",
        "r_t + discount [(1 - λ) max_a Q(s_t, a) + λ Q_λ(s_t+1, a_t+1)]",
        _blended,
        "the maximum is over Q(s_t+1, a): with the printed s_t, the true values are not a fixed point",
    ),
    Result(
        "mitchell-exercise-13.2-grid",
        "Mitchell, exercise 13.2",
        "values and policies of another grid, and the first three episodes of Q learning around it",
        "[TL 8, TM 10, TR 8, BL 10, G 0, BR 10; then 10, 8 and 6.4]",
        _other_grid,
    ),
    Result(
        "mitchell-exercise-13.4-policy",
        "Mitchell, exercise 13.4",
        "a single policy is optimal from every state",
        "[4 of 72 policies]",
        _every_policy,
    ),
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
        "72.9: the figure omits the decimals, and figure 13.3 rounds the same value to 73",
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
        "shortest path lengths to the goal, by the Bellman-Ford algorithm",
        "[2, 1, 0 in the top row; 3, 2, 1 in the bottom row]",
        _distances,
    ),
    Result(
        "mitchell-13.3.3-episodes",
        "Mitchell, section 13.3.3",
        "values learned by repeating one episode, with all values initially 0",
        "the first episode changes one value, each later one the value of the preceding step",
        _one_step_back,
    ),
    Result(
        "mitchell-13.3.4-bound",
        "Mitchell, theorem 13.1",
        "the error of Q learning and its bound: the initial error, multiplied by the discount in each "
        "interval",
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
        "learning from the same episode in reverse order",
        "all values along the path after one episode [81, 90, 100]",
        _in_reverse,
    ),
    Result(
        "mitchell-13.6-divergence",
        "Mitchell, section 13.6",
        "whether Q learning converges with function approximation",
        "it may fail to [values w and 2w: w grows by a factor of 1.08 per step; with the residual "
        "gradient the factor is 0.936]",
        _diverging,
    ),
    Result(
        "mitchell-13.3-tic-tac-toe",
        "Mitchell, exercise 13.3",
        "the best expected result at tic-tac-toe against three opponents, moving first or second",
        "[0.99479, 0.92487; 0.92708, 0.46667; 0.92708, 0.4]",
        _tic_tac_toe,
    ),
)
