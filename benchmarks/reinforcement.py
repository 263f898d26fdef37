"""Q learning beside the plain loop over gymnasium, and orders of updates compared in real actions."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.measure import TIMES, Listing, Row, Section, seconds, speed

REPEATS = 3
TURNS = 15
LEAST = 24.0
"""What the examination of the claim found at least, by processor time."""
SHORTER = 5
MOST = 1.2
KNOWN = {"FrozenLake-v1": 25_000, "CliffWalking-v1": 10_000, "Taxi-v4": 12_000}
"""Environments that carry their model, and episodes to learn from."""
STEPPED = {"Blackjack-v1": ({}, 8_000), "Taxi-v4": ({"fickle_passenger": True}, 200)}
"""Environments that must be stepped: what they are made with, and episodes."""
SEEDS = 10
NEAR = 0.05


def q_learning(scale: float = 1.0) -> Iterator[Section | Listing]:
    """Speed where gymnasium is installed, then the study."""
    if find_spec("gymnasium") is not None:
        yield Section(
            "Q learning: speed",
            "The same update rule (step size 0.1, epsilon 0.1, discount 0.99) and the same number of "
            "steps: `QLearning` on the environment's own decision process, timed from its name to the "
            "policy, and the leanest loop over gymnasium, without its wrappers and with lists as the "
            f"table. Processor time; ours is the best of {REPEATS}, the loop runs once on a fifth of "
            "the steps. One more step is the cost after subtracting the time to build the process.",
            tuple(
                row
                for name, episodes in KNOWN.items()
                for row in _known(name, max(20, int(scale * episodes)))
            ),
        )
        yield Section(
            "Q learning in environments that must be stepped",
            "Blackjack has no model, and the taxi's model does not cover passengers who change their "
            "minds. `QLearning` acts at random; the peer is a bare loop of `step` with actions drawn "
            f"beforehand, which learns nothing. Processor time, best of {TURNS}, in turn.",
            tuple(
                _stepped(name, more, max(20, int(scale * episodes)))
                for name, (more, episodes) in STEPPED.items()
            ),
        )
    yield orders(SEEDS if scale >= 1 else 2)


def _known(name: str, episodes: int) -> Iterator[Row]:
    """The whole of learning, from the name of the environment to the policy, and what one more step costs."""
    import gymnasium

    from induce.reinforcement import QLearning

    few = max(1, episodes // SHORTER)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learners = [QLearning(n, 0.99, alpha=0.1, epsilon=0.1) for n in (few, episodes)]
        fewer, n = (learner.learn(name).n_actions_ for learner in learners)
        env = gymnasium.make(name)
        ours = [min(_busy(partial(learner.learn, name)) for _ in range(REPEATS)) for learner in learners]
        lean = _busy(lambda: lean_loop(env, n // SHORTER)) * SHORTER  # every step costs the same
    yield speed(f"{name}, {n:,} steps, whole", ours[1], "lean loop", lean)
    each = max(ours[1] - ours[0], 1e-9) / (n - fewer)
    ratio = lean / n / each
    yield Row(
        f"{name}, one more step",
        f"{1e9 * each:.0f} ns",
        f"lean loop {1e9 * lean / n:,.0f} ns",
        f"{ratio:.0f}{TIMES}",
        f"≥ {LEAST:g}{TIMES}",
        ratio >= LEAST,
    )


def lean_loop(env: Any, n: int) -> Any:
    """Q learning as a user who minds the time would write it: the bare environment, lists and no numpy."""
    import random

    draw, env = random.Random(0), env.unwrapped
    actions = range(int(env.action_space.n))
    q = [[0.0] * len(actions) for _ in range(int(env.observation_space.n))]
    state = int(env.reset(seed=0)[0])
    for _ in range(n):
        row = q[state]
        most = max(row)
        if draw.random() < 0.1:
            action = draw.choice(actions)
        elif row.count(most) == 1:
            action = row.index(most)
        else:
            action = draw.choice([k for k in actions if row[k] == most])
        after, reward, terminated, truncated, _ = env.step(action)
        after = int(after)
        row[action] += 0.1 * (reward + (0.0 if terminated else 0.99 * max(q[after])) - row[action])
        state = int(env.reset()[0]) if terminated or truncated else after
    return q


def _stepped(name: str, more: dict[str, Any], episodes: int) -> Row:
    import gymnasium

    from induce.environments import Stepped
    from induce.reinforcement import QLearning

    source = Stepped(gymnasium.make(name, **more))
    learner = QLearning(episodes, 0.99, alpha=0.1, explore="random")
    n = learner.learn(source).n_actions_
    env = gymnasium.make(name, **more)
    actions = np.random.default_rng(0).integers(int(env.action_space.n), size=n).tolist()
    tasks = (lambda: learner.learn(source)), (lambda: bare_loop(env, actions))
    ours, bare = np.min([[_busy(task) for task in tasks] for _ in range(TURNS)], axis=0).tolist()
    return Row(
        f"{name}, {n:,} steps",
        seconds(ours),
        f"bare loop {seconds(bare)}",
        f"{ours / bare:.2f}{TIMES}",
        f"≤ {MOST:g}{TIMES}",
        ours <= MOST * bare,
    )


def _busy(task: Callable[[], Any]) -> float:
    """Return the seconds that a task keeps the processor busy."""
    start = time.process_time()
    task()
    return time.process_time() - start


def bare_loop(env: Any, actions: list[int]) -> None:
    """Step without learning."""
    env.reset(seed=0)
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()


def learners() -> dict[str, Callable[..., Any]]:
    """The orders in which values are updated, on the same footing."""
    from induce.reinforcement import Dyna, QLearning, TDLambda

    def without_steps(made: Any) -> Any:
        return lambda **more: made(**{key: value for key, value in more.items() if key != "alpha"})

    return {
        "forward": QLearning,
        "reverse": lambda **more: QLearning(replay="reverse", **more),
        "experience, 10 replays": lambda **more: QLearning(replay="experience", replays=10, **more),
        "Dyna, 10 updates": without_steps(lambda **more: Dyna(updates=10, **more)),
        "prioritized sweeping, 10 updates": without_steps(
            lambda **more: Dyna(updates=10, sweeping="prioritized", **more)
        ),
        "TD(λ), λ = 0.7": lambda **more: TDLambda(lambda_=0.7, **{**more, "alpha": more["alpha"] and 0.3}),
    }


def orders(n_seeds: int) -> Listing:
    """Return how many real actions and updates each order takes to a policy near the best."""
    lines = []
    for world, alpha in (("cliff", 1.0), ("taxi", 1.0), ("frozen-lake", None)):
        for order, made in learners().items():
            taken = [needed(world, made, alpha, seed) for seed in range(n_seeds)]
            actions, updates = np.array(taken, dtype=float).T
            low, middle, high = np.percentile(actions, [25, 50, 75], method="inverted_cdf")
            lines.append(
                (world, order, f"{middle:,.0f}", f"{low:,.0f} to {high:,.0f}", f"{np.median(updates):,.0f}")
            )
    return Listing(
        "Update orders, in real actions",
        f"Real actions until the greedy policy has covered {1 - NEAR:.0%} of the value gap between a "
        f"policy that never arrives and the best one, with discount 0.99; {n_seeds} runs, with the "
        "same seeds for all methods. Epsilon is 0.2; the step size is 1 in deterministic worlds (0.3 "
        "for TD(λ), which does not converge with 1), (1 + visits)^-0.6 on the lake. The policy is "
        "evaluated each time the number of episodes has grown by a tenth.",
        ("world", "order", "actions, median", "middle half of the runs", "updates, median"),
        tuple(lines),
        "",
    )


def needed(world: str, made: Callable[..., Any], alpha: float | None, seed: int) -> tuple[float, float]:
    """Return the real actions and the computed updates to a policy near the best."""
    for actions, updates, share in progress(world, made, alpha, seed):
        if share >= 1 - NEAR:
            return actions, updates
    return np.inf, np.inf


def progress(
    world: str, made: Callable[..., Any], alpha: float | None, seed: int, most: int = 40_000
) -> Iterator[tuple[int, int, float]]:
    """Yield real actions, updates, and the value of the greedy policy: 0 if it never arrives, 1 if it is the best."""
    from induce.environments import environment
    from induce.reinforcement import DynamicProgramming
    from induce.reinforcement.dynamic_programming.methods import policy_values

    mdp = environment(world)
    best = DynamicProgramming(0.99).learn(mdp).hypothesis_.value()
    worst = 0.0 if best > 0 and world == "frozen-lake" else float(mdp.reward[mdp.reward < 0].max()) / 0.01
    episodes = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = made(episodes=1, discount=0.99, alpha=alpha, epsilon=0.2, max_steps=200, random_state=seed)
        learner.learn(mdp)
        while True:
            values = policy_values(mdp, learner.hypothesis_.choice, 0.99)
            share = (float(mdp.start @ values) - worst) / (best - worst)
            yield learner.n_actions_, learner.n_updates_, share
            if episodes >= most:
                return
            episodes = min(most, episodes + max(1, episodes // 10))
            learner.set_params(episodes=episodes).resume(mdp)
