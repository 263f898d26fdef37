"""Decision processes with a known model: dynamic programming beside quantecon, and its memory."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import ROOT, Row, Section, run, speed

REPEATS = 3
ACTIONS, NEXT = 10, 5
TOLERANCE = 1e-6
ROOM = 2_000
"""Megabytes that ten million transitions may take."""


def decisions(python: str | None, n: int = 100_000) -> Iterator[Section]:
    """Speed beside quantecon, where there is a Python that has it, then memory."""
    if python is not None:
        yield Section(
            "Decision processes: speed",
            f"{n:,} states with {ACTIONS} actions each and {NEXT} random successor states per action; "
            f"rewards from 0 to 1. Both use modified policy iteration with tolerance {TOLERANCE:g}; "
            f"the model is built and the loops are compiled beforehand. CPU seconds, best of {REPEATS} "
            f"rounds in turn, each the best of {REPEATS}.",
            tuple(_speed(python, n)),
        )
    yield Section(
        "Decision processes: memory",
        "Peak memory of a fresh process that generates ten million transitions, builds the model and "
        "solves it.",
        (_memory(2 * n),),
    )


def random_process(n: int, seed: int = 0) -> tuple[Any, Any, Any]:
    """Next states and their probabilities for each pair of a state and an action, and a reward for each pair."""
    random = np.random.default_rng(seed)
    after = random.integers(n, size=(n * ACTIONS, NEXT), dtype=np.int32)
    return after, random.dirichlet(np.ones(NEXT), size=n * ACTIONS), random.random(n * ACTIONS)


def model(n: int, after: Any, chance: Any, reward: Any) -> Any:
    """The process as ours."""
    from induce.environments.mdp import assembled

    pair = np.arange(n * ACTIONS, dtype=np.int32)
    columns = (
        np.repeat(pair // ACTIONS, NEXT),
        np.repeat(pair % ACTIONS, NEXT),
        after.ravel(),
        chance.ravel(),
        np.repeat(reward, NEXT),
        np.zeros(after.size, dtype=bool),
    )
    return assembled(range(n), range(ACTIONS), columns, None, None)


def _speed(python: str, n: int) -> Iterator[Row]:
    from induce.reinforcement.dynamic_programming.methods import modified_policy_iteration

    given = random_process(n)
    process = model(n, *given)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "process.npz"
        np.savez(path, after=given[0], chance=given[1], reward=given[2])
        for discount in (0.95, 0.99):
            modified_policy_iteration(process, discount, TOLERANCE)
            ours, theirs = [], []
            for _ in range(REPEATS):
                ours.append(min(_timed(process, discount) for _ in range(REPEATS)))
                script = ROOT / "benchmarks" / "peers" / "served" / "solve_quantecon.py"
                words = (path, discount, TOLERANCE, REPEATS, ACTIONS)
                found = json.loads(run([python, str(script), *map(str, words)]).stdout.splitlines()[-1])
                theirs.append(found["seconds"])
            yield speed(f"discount {discount:g}", min(ours), "quantecon", min(theirs), 1.0)


def _timed(process: Any, discount: float) -> float:
    from induce.reinforcement.dynamic_programming.methods import modified_policy_iteration

    started = time.process_time()
    modified_policy_iteration(process, discount, TOLERANCE)
    return time.process_time() - started


def _memory(n: int) -> Row:
    done = run([sys.executable, "-m", "benchmarks.decisions", str(n)])
    peak = float(done.stdout.splitlines()[-1])
    return Row(
        f"{n * ACTIONS * NEXT:,} transitions", f"{peak:,.0f} MB", target=f"≤ {ROOM:,} MB", holds=peak <= ROOM
    )


if __name__ == "__main__":
    from induce.reinforcement.dynamic_programming.methods import modified_policy_iteration

    size = int(sys.argv[1])
    modified_policy_iteration(model(size, *random_process(size)), 0.95, TOLERANCE)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
