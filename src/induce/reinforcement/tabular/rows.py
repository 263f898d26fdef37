"""Q learning and Sarsa in a step-by-step environment, on plain Python lists.

A call of a compiled loop costs about as much as ten Python operations, more than these two rules need. So if the
steps come from Python, the rules run in Python too, and learning costs little compared with the steps.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.randomness import stream
from induce.core.trace import active, emit
from induce.environments.sources import Stepped, finite, mask_of
from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.tables import TabularState

if TYPE_CHECKING:
    from induce.reinforcement.tabular.base import Run

DRAWS = 4096
"""Number of random numbers drawn per block."""


Row = tuple[list[float], list[int], list[Any], list[int], int]
"""Data of a state: values, visits, actions in the environment's naming, their indices, and its index.
"""


class Rows:
    """Table of a run, as lists.

    Parameters
    ----------
    state : TabularState
        State of the run; it is not modified.
    source : Stepped
    initial : float
        Initial value of each pair.
    """

    def __init__(self, state: TabularState, source: Stepped, initial: float) -> None:
        self._source = source
        self._initial = initial
        self._all = np.arange(len(source.actions))
        self.of: dict[Hashable, Row] = {}
        self.starts = state.starts.tolist()
        q, visits, actions = (flat.tolist() for flat in (state.q, state.visits, state.actions))
        ends = state.offset[1:].tolist()
        begin = 0
        for name, end in zip(state.states, ends, strict=True):
            self._add(name, q[begin:end], visits[begin:end], actions[begin:end])
            begin = end

    def _add(self, name: Hashable, values: list[float], visits: list[int], actions: list[int]) -> Row:
        codes = [self._source.codes[action] for action in actions]
        self.of[name] = row = values, visits, codes, actions, len(self.of)
        return row

    def add(self, observation: Any, info: Any) -> Row:
        """Add a row for a newly met state."""
        name = self._source.name(observation)
        actions = allowed(name, info, self._all).tolist()
        self.starts.append(0)
        return self._add(name, [self._initial] * len(actions), [0] * len(actions), actions)

    def arrays(self) -> dict[str, Any]:
        """Return the fields of a state."""
        rows = list(self.of.values())
        return {
            "states": tuple(self.of),
            "offset": np.cumsum([0, *(len(row[0]) for row in rows)], dtype=np.int64),
            "q": np.array([cell for row in rows for cell in row[0]], dtype=np.float64),
            "visits": np.array([cell for row in rows for cell in row[1]], dtype=np.int64),
            "actions": np.array([cell for row in rows for cell in row[3]], dtype=np.int64),
            "starts": np.array(self.starts, dtype=np.int64),
        }


class Uniforms:
    """Uniform random numbers of a run; the number drawn is enough to resume."""

    def __init__(self, seed: int, drawn: int) -> None:
        self._seed = seed
        self._block, self._skip = divmod(drawn, DRAWS)
        self._left: Iterator[float] = iter(())

    def numbers(self) -> Iterator[float]:
        """Yield the random numbers."""
        return chain.from_iterable(self._blocks())

    def _blocks(self) -> Iterator[Iterator[float]]:
        while True:
            self._left = iter(stream(self._seed, 2, self._block).random(DRAWS).tolist()[self._skip :])
            self._block, self._skip = self._block + 1, 0
            yield self._left

    @property
    def drawn(self) -> int:
        """Number of random numbers drawn so far."""
        return self._block * DRAWS + self._skip - operator.length_hint(self._left)


def allowed(name: Any, info: Any, everything: Any) -> Any:
    """Return the actions allowed in a state: all, or those of its mask."""
    mask = mask_of(info)
    if mask is None:
        return everything
    if not mask.any():
        raise InputError(f"the action mask of state {name!r} allows no action, but the episode goes on")
    return np.flatnonzero(mask)


def greedy(values: list[float], draw: Callable[[], float]) -> int:
    """Return the best action; ties are broken at random."""
    best = max(values)
    ties = values.count(best)
    if ties == 1:
        return values.index(best)
    return [k for k, value in enumerate(values) if value == best][int(draw() * ties)]


def by_epsilon(row: Row, extent: float, draw: Callable[[], float]) -> int:
    """Return the best action, or a random one with probability `extent`."""
    number = draw()
    return int(number / extent * len(row[0])) if number < extent else greedy(row[0], draw)


def by_powers(row: Row, extent: float, draw: Callable[[], float]) -> int:
    """Return an action drawn with probability proportional to k^Q; `extent` is the logarithm of k."""
    greatest = max(row[0])
    weights = [math.exp(extent * (value - greatest)) for value in row[0]]
    left = draw() * sum(weights)
    for k, weight in enumerate(weights):
        left -= weight
        if left <= 0.0:
            return k
    return len(weights) - 1


def by_counts(row: Row, extent: float, draw: Callable[[], float]) -> int:
    """Return the best action after adding a bonus for rarely tried ones."""
    pairs = zip(row[0], row[1], strict=True)
    return greedy([value + extent / math.sqrt(1.0 + n) for value, n in pairs], draw)


CHOICES = {rules.EPSILON: by_epsilon, rules.POWERS: by_powers, rules.COUNTS: by_counts}


def step_rows(
    run: Run, state: TabularState, source: Stepped, episodes: int, block: int
) -> tuple[dict[str, Any], float, list[float], list[int]]:
    """Run whole episodes; return the table's fields, the exploration rate, the returns and the lengths."""
    where, extent = state.where.copy(), state.extent
    rows, uniforms, draw = _going_on(run, state, source)
    find, name, step, limit = rows.of.get, source.name, source.env.step, source.limit
    named = not source.hashable
    kind, sarsa = int(run.knobs[rules.EXPLORE]), run.rule == rules.SARSA
    choose, often = CHOICES[kind], kind == rules.EPSILON and not sarsa
    discount, decay, constant, power = (
        run.knobs[k].item() for k in (rules.DISCOUNT, rules.DECAY, rules.ALPHA, rules.POWER)
    )
    tell = active("update")
    sums: list[float] = []
    lengths: list[int] = []
    episode, done = int(where[rules.EPISODES]), 0
    while done < block and episode < episodes:
        observation, info = source.begin(run.seed, episode)
        row = find(name(observation)) or rows.add(observation, info)
        rows.starts[row[4]] += 1
        k = choose(row, extent, draw)
        total = 0.0
        left = iter(range(limit))
        for _ in left:
            values, visits, codes, actions, _ = row
            observation, reward, ended, cut, info = step(codes[k])
            kind_of_reward = type(reward)
            if kind_of_reward is not int and (kind_of_reward is not float or reward - reward != 0.0):
                reward = finite(reward, source.actions[actions[k]])
            total += reward
            visits[k] = n = visits[k] + 1
            alpha = constant or (1.0 + n) ** -power
            old = values[k]
            if ended:
                values[k] = (1.0 - alpha) * old + alpha * reward
                if tell:
                    _tell(rows, source, row, k, reward, None, old)
                break
            after = find(name(observation) if named else observation) or rows.add(observation, info)
            there = after[0]
            if sarsa:
                following = choose(after, extent, draw)
                best = there[following]
            else:
                best = max(there)
            values[k] = (1.0 - alpha) * old + alpha * (reward + discount * best)
            if tell:
                _tell(rows, source, row, k, reward, after, old)
            if cut:
                break
            if not often:
                k = following if sarsa else choose(after, extent, draw)
            elif (number := draw()) < extent:
                k = int(number / extent * len(there))
            else:  # the most frequent case, without another call
                if after is row:
                    best = max(there)
                k = there.index(best) if there.count(best) == 1 else greedy(there, draw)
            row = after
        steps = limit - operator.length_hint(left)
        sums.append(float(total))
        lengths.append(steps)
        done += steps
        episode += 1
        where[rules.ENDED] += bool(ended)
        extent = min(extent / decay, rules.STEEPEST) if kind == rules.POWERS else extent * decay
    where[rules.EPISODES] = episode
    where[[rules.ACTIONS, rules.UPDATES]] += done
    where[rules.LAST] = uniforms.drawn
    run.rows = (int(where[rules.ACTIONS]), episode), rows, uniforms, draw
    return {**rows.arrays(), "where": where}, extent, sums, lengths


def _going_on(run: Run, state: TabularState, source: Stepped) -> tuple[Rows, Uniforms, Callable[[], float]]:
    """Return the rows and random numbers of the last block, or rebuild them from a saved state."""
    where = state.where
    done = (int(where[rules.ACTIONS]), int(where[rules.EPISODES]))
    if run.rows is None or run.rows[0] != done:
        uniforms = Uniforms(run.seed, int(where[rules.LAST]))
        run.rows = done, Rows(state, source, run.initial), uniforms, uniforms.numbers().__next__
    kept: tuple[Rows, Uniforms, Callable[[], float]] = run.rows[1:]
    run.rows = None  # they are about to change, and the block may be interrupted
    return kept


def _tell(
    rows: Rows, source: Stepped, row: Row, k: int, reward: float, after: Row | None, old: float
) -> None:
    names = list(rows.of)
    state, action, new = names[row[4]], source.actions[row[3][k]], row[0][k]
    emit(
        "update",
        state=state,
        action=action,
        reward=reward,
        next=None if after is None else names[after[4]],
        changed=[(state, action, old, new)] if new != old else [],
    )
