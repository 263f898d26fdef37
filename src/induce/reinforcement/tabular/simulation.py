"""Blocks of a run: one loop for a known process, step by step for an environment."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.trace import active, emit
from induce.environments.sources import Stepped, finite
from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.rows import allowed, step_rows
from induce.reinforcement.tabular.tables import MODEL, Tables, TabularState, padded
from induce.reinforcement.tabular.traced_run import Watched

if TYPE_CHECKING:
    from induce.reinforcement.tabular.base import Run

BLOCK = 100_000
"""Number of updates per block of a compiled loop."""
PLAIN_BLOCK = 2_000
"""Number of updates per block of an uncompiled loop."""
SHARES = 50
"""Minimum number of blocks of a run, so that progress is visible."""
STEPPED_BLOCK = 2_000
"""Number of environment steps after which a block ends with the episode."""


def simulate(run: Run, state: TabularState) -> TabularState:
    """Simulate a known process for a block of steps, or until the last episode."""
    tables = run.tables(state)
    knobs = _knobs(run, state)
    collected, lengths = _with_room(state, run.episodes)
    act = run.loop(rules.act)
    size = PLAIN_BLOCK if act is rules.act else BLOCK
    size = max(1, int(size / (1 + knobs[rules.REPEATS])))
    watched = None
    if active("update"):
        watched = run.watched = run.watched or Watched(run, tables)
    until = _until(run, state)
    for steps in [size] if watched is None else [1] * PLAIN_BLOCK:
        if tables.where[rules.EPISODES] >= until:
            break
        act(run.world, tables.agent(knobs), tables.memory, collected, lengths, steps, until)
        if watched is not None:
            watched.tell_of_outcome(run, tables)
    fields = {**tables.fields(), "extent": float(knobs[rules.EXTENT])}
    return _after(state, fields, collected, lengths)


def step_through(run: Run, state: TabularState) -> TabularState:
    """Run whole episodes in an environment."""
    source = run.source
    assert isinstance(source, Stepped)
    if state.randomness is not None:
        source.restore(state.randomness)
    block = max(STEPPED_BLOCK, 20 * len(state.states))  # because the table is copied for every block
    act = step_rows if run.rule <= rules.SARSA else _step_tables
    fields, extent, sums, steps = act(run, state, source, run.episodes, block)
    return _after(
        state,
        {**fields, "extent": extent, "randomness": source.randomness()},
        np.append(state.collected, sums),
        np.append(state.lengths, np.array(steps, dtype=np.int64)),
    )


def _step_tables(
    run: Run, state: TabularState, source: Stepped, until: int, block: int
) -> tuple[dict[str, Any], float, list[float], list[int]]:
    """Run whole episodes; the loop learns after each step by a rule that needs memory."""
    tables = run.tables(state)
    knobs = _knobs(run, state)
    where, places, limit = tables.where, tables.places, source.limit
    advance, chosen = run.loop(rules.advance), run.loop(rules.chosen)
    watched = Watched(run, tables) if active("update") else None
    everything = np.arange(len(source.actions))
    sums: list[float] = []
    lengths: list[int] = []
    while sum(lengths) < block and where[rules.EPISODES] < until:
        observation, info = source.begin(run.seed, int(where[rules.EPISODES]))
        if run.rule in MODEL:
            tables.make_room(outcomes=int(where[rules.OUTCOMES]) + limit)
        place = _place(tables, source, observation, info, everything)
        tables.starts[place] += 1
        agent, memory = tables.agent(knobs), tables.memory
        pair = chosen(agent.offset, agent.q, agent.visits, knobs, agent.stream, place)
        total, steps = 0.0, 0
        while pair >= 0:
            code = source.codes[tables.actions[pair]]
            observation, given, ended, cut, info = source.env.step(code)
            reward = finite(given, source.actions[tables.actions[pair]])
            total += reward
            steps += 1
            after = -1 if ended else places.get(source.name(observation), -1)
            if after < 0 and not ended:
                after = _place(tables, source, observation, info, everything)
                agent, memory = tables.agent(knobs), tables.memory
            acted = pair
            pair = advance(agent, memory, pair, reward, after, bool(ended or cut or steps >= limit))
            if watched is not None:
                watched.tell(tables, source.actions, acted, reward, after)
        sums.append(total)
        lengths.append(steps)
    return tables.fields(), float(knobs[rules.EXTENT]), sums, lengths


def _place(tables: Tables, source: Stepped, observation: Any, info: Any, everything: Any) -> int:
    """Return the index of a state, adding rows if it is new."""
    name = source.name(observation)
    known = tables.places.get(name)
    return tables.add(name, allowed(name, info, everything)) if known is None else known


def _until(run: Run, state: TabularState) -> int:
    """Return the last episode of the block."""
    return min(run.episodes, int(state.where[rules.EPISODES]) + max(1, run.episodes // SHARES))


def _knobs(run: Run, state: TabularState) -> NDArray[np.float64]:
    knobs = run.knobs.copy()
    knobs[rules.EXTENT] = state.extent
    return knobs


def _with_room(state: TabularState, episodes: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the returns and lengths extended to all episodes, keeping the current one."""
    return padded(state.collected.copy(), episodes, 0), padded(state.lengths.copy(), episodes, 0)


def _after(
    state: TabularState,
    fields: dict[str, Any],
    collected: NDArray[np.float64],
    lengths: NDArray[np.int64],
) -> TabularState:
    """Return the state after a block, including the current episode."""
    where = fields["where"]
    done = int(where[rules.EPISODES])
    if active("episode"):
        for k in range(int(state.where[rules.EPISODES]), done):
            emit("episode", number=k + 1, reward=float(collected[k]), steps=int(lengths[k]))
    n = done + int(where[rules.PAIR] >= 0)
    return replace(state, **fields, collected=collected[:n], lengths=lengths[:n])
