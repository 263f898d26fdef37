"""Q learning beside the plain loop over gymnasium, and orders of updates compared in real actions."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.measure import TIMES, Listing, Row, Section, interleaved, seconds, speed

REPEATS = 3
TURNS = 15
LEAST = 100.0
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
            "The same rule (step size 0.1, 0.1 of the actions at random, discount 0.99), the same number of steps: "
            "`QLearning` in the process that the environment carries, and the usual loop over gymnasium with a table "
            f"of numpy. Best of {REPEATS}, in turn.",
            tuple(_known(name, max(20, int(scale * episodes))) for name, episodes in KNOWN.items()),
        )
        yield Section(
            "Q learning in environments that must be stepped",
            "Blackjack carries no model, and that of the taxi does not know passengers who change their minds. "
            "`QLearning` acts at random; the peer is the bare loop of `step` with actions drawn beforehand, which "
            f"learns nothing. Time of the processor, best of {TURNS}, in turn.",
            tuple(
                _stepped(name, more, max(20, int(scale * episodes)))
                for name, (more, episodes) in STEPPED.items()
            ),
        )
    yield orders(SEEDS if scale >= 1 else 2)


def _known(name: str, episodes: int) -> Row:
    import gymnasium

    from induce.environments import open_source
    from induce.reinforcement import QLearning

    source = open_source(name)
    learner = QLearning(episodes, 0.99, alpha=0.1, epsilon=0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        n = learner.learn(source).n_actions_
        env = gymnasium.make(name)
        found = interleaved(
            REPEATS, {"induce": lambda: learner.learn(source), "gymnasium": lambda: plain_loop(env, n)}
        )
    return speed(f"{name}, {n:,} steps", found["induce"][0], "plain loop", found["gymnasium"][0], LEAST)


def plain_loop(env: Any, n: int) -> Any:
    """Q learning as it is usually written."""
    rng = np.random.default_rng(0)
    q = np.zeros((env.observation_space.n, env.action_space.n))
    state, _ = env.reset(seed=0)
    for _ in range(n):
        if rng.random() < 0.1:
            action = int(rng.integers(env.action_space.n))
        else:
            best = np.flatnonzero(q[state] == q[state].max())
            action = int(best[0] if len(best) == 1 else rng.choice(best))
        after, reward, terminated, truncated, _ = env.step(action)
        target = reward + (0.0 if terminated else 0.99 * q[after].max())
        q[state, action] += 0.1 * (target - q[state, action])
        state = env.reset()[0] if terminated or truncated else after
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
        "Orders of updates, in real actions",
        f"Real actions until the greedy policy has come {1 - NEAR:.0%} of the way from a policy that never arrives "
        f"to the best, with discount 0.99; {n_seeds} runs, the same seeds for all. 0.2 of the actions at "
        "random; step size 1 where nothing is left to chance (0.3 for TD(λ), which 1 keeps from settling), "
        "(1 + visits)^-0.6 on the lake. Looked at whenever a tenth more episodes have been played.",
        ("world", "order", "actions, median", "half of the runs", "updates, median"),
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
    from induce.reinforcement.solving.methods import policy_values

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
