"""Mountain car: tiles beside a table over a grid of the same size, and beside a loop over gymnasium."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.util import find_spec
from statistics import mean
from typing import Any

import numpy as np

from benchmarks.measure import Listing, Row, Section, seconds, speed
from induce.environments import MountainCar
from induce.environments.control import Choices
from induce.reinforcement import ApproximateQLearning, QLearning, TileCoding

EPISODES, SEEDS, STARTS = 500, 5, 50
LEARNERS: dict[str, dict[str, Any]] = {
    "tiles: 16 tilings of 8 by 8, λ = 0.9": {
        "features": TileCoding(8, 16),
        "alpha": 0.2,
        "epsilon": 0,
        "trace_decay": 0.9,
    },
    "tiles: 8 tilings of 8 by 8, the default": {"epsilon": 0},
    "the same, residual gradient": {"epsilon": 0, "rule": "residual"},
}
GRIDS = (20, 40)


class Gridded:
    """The car with its observation rounded to a square of a grid, which a table can list."""

    def __init__(self, side: int) -> None:
        self.car, self.side = MountainCar(), side
        self.action_space, self.observation_space = self.car.action_space, Choices(side * side)

    def square(self, observation: Any) -> int:
        """The number of the square that an observation lies in."""
        space = self.car.observation_space
        share = (observation - space.low) / (space.high - space.low)
        row, column = np.minimum((share * self.side).astype(int), self.side - 1).tolist()
        return int(row * self.side + column)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[int, dict[str, Any]]:
        """Begin an episode."""
        observation, info = self.car.reset(seed=seed)
        return self.square(observation), info

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Push."""
        observation, reward, ended, cut, info = self.car.step(action)
        return self.square(observation), reward, ended, cut, info


def function_approximation(
    seeds: int = SEEDS, episodes: int = EPISODES, starts: int = STARTS
) -> Iterator[Section | Listing]:
    """What is learned of the car, and how fast."""
    yield _learned(seeds, episodes, starts)
    yield _fast(min(episodes, 50))


def steps_of(policy: Any, env: Any, starts: int) -> float:
    """The mean steps of a policy from the same starts."""
    found = []
    for seed in range(starts):
        observation, _ = env.reset(seed=seed)
        steps, over = 0, False
        while not over:
            observation, _, ended, cut, _ = env.step(policy.act(observation))
            steps, over = steps + 1, ended or cut
        found.append(steps)
    return mean(found)


def _learned(seeds: int, episodes: int, starts: int) -> Listing:
    rows = []
    for name, given in LEARNERS.items():
        runs = [
            ApproximateQLearning(episodes, random_state=k, **given).learn(MountainCar()) for k in range(seeds)
        ]
        rows.append(_row(name, [run.lengths_[-100:].mean() for run in runs], runs, MountainCar(), starts))
    for side in GRIDS:
        env = Gridded(side)
        given = {"alpha": 0.3, "discount": 0.99, "epsilon": 0, "initial": 0.0}
        tables = [QLearning(episodes, random_state=k, **given).learn(env) for k in range(seeds)]
        name = f"a table over a grid of {side} by {side}"
        rows.append(_row(name, [_last(table) for table in tables], tables, env, starts))
    return Listing(
        f"Mountain car after {episodes} episodes",
        f"Mean over {seeds} seeds, and the worst; episodes are truncated after 1,000 steps. Discount "
        f"0.99. Gymnasium considers 110 steps solved. Greedy: the final policy, from {starts} starts.",
        ("learner", "steps, last 100 episodes", "worst seed", "greedy", "worst seed"),
        tuple(rows),
        "A table learns every square separately; tiles generalise to neighbouring states.",
    )


def _last(table: Any) -> float:
    return float(-np.asarray(table.returns_)[-100:].mean())


def _row(name: str, last: list[float], runs: list[Any], env: Any, starts: int) -> tuple[str, ...]:
    greedy = [steps_of(run.hypothesis_, env, starts) for run in runs]
    return name, f"{mean(last):.0f}", f"{max(last):.0f}", f"{mean(greedy):.0f}", f"{max(greedy):.0f}"


def _fast(episodes: int) -> Section:
    ours, steps = _timed(MountainCar(), episodes)
    rows = [Row("the shipped car, one step acted and learned", seconds(ours / steps))]
    if find_spec("gymnasium") is not None:
        import gymnasium

        env = gymnasium.make("MountainCar-v0", max_episode_steps=1000)
        theirs, taken = _timed(env, episodes)
        rows.append(speed("the same in gymnasium's car, stepped", ours / steps, "stepped", theirs / taken))
        bare = _bare(env, taken)
        rows.append(
            Row(
                "gymnasium's car: learning compared with bare steps",
                seconds(theirs / taken),
                seconds(bare),
                f"{bare * taken / theirs:.2f}",
            )
        )
    return Section(
        "Mountain car: speed",
        "Processor time of one step, 8 tilings of 8 by 8 tiles. Bare: gymnasium's `step` with random actions.",
        tuple(rows),
    )


def _timed(env: Any, episodes: int) -> tuple[float, int]:
    learner = ApproximateQLearning(episodes, epsilon=0)
    learner.learn(env)  # compiled and warm
    start = time.process_time()
    learner.learn(env)
    return time.process_time() - start, int(learner.lengths_.sum())


def _bare(env: Any, steps: int) -> float:
    actions = np.random.default_rng(0).integers(3, size=steps).tolist()
    env.reset(seed=0)
    start = time.process_time()
    for action in actions:
        *_, ended, cut, _ = env.step(action)
        if ended or cut:
            env.reset()
    return (time.process_time() - start) / steps
