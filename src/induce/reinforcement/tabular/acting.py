"""Blocks of a run: in a process that is known, by one loop; in an environment, step by step."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import is_compiled
from induce.core.trace import active, emit
from induce.environments.stepping import Stepped, finite, mask_of
from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular.tables import MODEL, Tables, TabularState, padded
from induce.reinforcement.tabular.watching import Watched

if TYPE_CHECKING:
    from induce.reinforcement.tabular.base import Run

BLOCK = 100_000
"""The updates of a block of a compiled loop."""
PLAIN_BLOCK = 2_000
"""The same where the loop is plain."""
SHARES = 50
"""Into how many blocks a run is cut at least, so that one sees it go on."""
STEPPED_BLOCK = 500
"""The steps of an environment after which a block ends with the episode."""


def simulate(run: Run, state: TabularState) -> TabularState:
    """Act in a known process for a block of steps, or to the last episode."""
    tables = run.tables(state)
    knobs = _knobs(run, state)
    collected, lengths = _with_room(state, run.episodes)
    act = run.loop(rules.act)
    size = BLOCK if is_compiled(rules.act) else PLAIN_BLOCK
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
    return _after(run, state, tables, knobs, collected, lengths, None)


def step_through(run: Run, state: TabularState) -> TabularState:
    """Act in an environment for some whole episodes."""
    source = run.source
    assert isinstance(source, Stepped)
    env, codes, name, limit = source.env, source.codes, source.name, source.limit
    tables = run.tables(state)
    knobs = _knobs(run, state)
    collected, lengths = _with_room(state, run.episodes)
    where, stream = tables.where, tables.stream
    simple = run.rule <= rules.SARSA
    learn, chosen = run.loop(rules.step_by_step if simple else rules.advance), run.loop(rules.chosen)
    if state.randomness is not None:
        source.restore(state.randomness)
    watched = Watched(run, tables) if active("update") else None
    everything = np.arange(len(source.actions))
    places = tables.places
    block = max(STEPPED_BLOCK, 2 * len(tables.names))  # because the tables are copied for every block
    done, until = 0, _until(run, state)
    while done < block and where[rules.EPISODES] < until:
        episode = int(where[rules.EPISODES])
        fresh = episode == 0 or source.randomness() is None
        observation, info = env.reset(seed=_seed(run, episode) if fresh else None)
        place = _place(tables, source, observation, info, everything)
        if run.rule in MODEL:
            tables.make_room(outcomes=int(where[rules.OUTCOMES]) + limit)
        tables.starts[place] += 1
        fixed, action = _fixed(tables, knobs, simple), tables.actions.tolist()
        pair = chosen(tables.offset, tables.q, tables.visits, knobs, stream, place)
        total, steps = 0.0, 0
        while pair >= 0:
            observation, reward, ended, cut, info = env.step(codes[action[pair]])
            steps += 1
            if type(reward) is not float or not isfinite(reward):
                reward = finite(reward, source.actions[action[pair]])
            total += reward
            if ended:
                after = -1
            else:
                after = places.get(name(observation), -1)
                if after < 0:
                    after = _place(tables, source, observation, info, everything)
                    fixed, action = _fixed(tables, knobs, simple), tables.actions.tolist()
            acted = pair
            pair = learn(*fixed, pair, reward, after, bool(ended or cut or steps >= limit))
            if watched is not None:
                watched.tell(tables, source.actions, acted, reward, after)
        collected[episode], lengths[episode] = total, steps
        done += steps
    return _after(run, state, tables, knobs, collected, lengths, source.randomness())


def _fixed(tables: Tables, knobs: NDArray[np.float64], simple: bool) -> tuple[Any, ...]:
    if not simple:
        return tables.agent(knobs), tables.memory
    return tables.offset, tables.q, tables.visits, knobs, tables.where, tables.stream


def _place(tables: Tables, source: Stepped, observation: Any, info: Any, everything: Any) -> int:
    """Return the place of a state, with new rows where it is met for the first time."""
    name = source.name(observation)
    known = tables.places.get(name)
    if known is not None:
        return known
    mask = mask_of(info)
    allowed = everything if mask is None else np.flatnonzero(mask)
    if not len(allowed):
        raise InputError(f"the action mask of state {name!r} allows no action, but the episode goes on")
    return tables.add(name, allowed)


def _seed(run: Run, episode: int) -> int:
    return int(np.random.SeedSequence(run.seed, spawn_key=(1, episode)).generate_state(1)[0])


def _until(run: Run, state: TabularState) -> int:
    """Return the episode with which a block ends at the latest."""
    return min(run.episodes, int(state.where[rules.EPISODES]) + max(1, run.episodes // SHARES))


def _knobs(run: Run, state: TabularState) -> NDArray[np.float64]:
    knobs = run.knobs.copy()
    knobs[rules.EXTENT] = state.extent
    return knobs


def _with_room(state: TabularState, episodes: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the sums of rewards and the lengths with a place for every episode; the one under way is kept."""
    return padded(state.collected.copy(), episodes, 0), padded(state.lengths.copy(), episodes, 0)


def _after(
    run: Run,
    state: TabularState,
    tables: Tables,
    knobs: NDArray[np.float64],
    collected: NDArray[np.float64],
    lengths: NDArray[np.int64],
    randomness: dict[str, Any] | None,
) -> TabularState:
    """Return the state after a block."""
    where = tables.where
    done = int(where[rules.EPISODES])
    if active("episode"):
        for k in range(int(state.where[rules.EPISODES]), done):
            emit("episode", number=k + 1, reward=float(collected[k]), steps=int(lengths[k]))
    under_way = int(where[rules.PAIR] >= 0)
    states, offset, actions, q, visits, memory, starts = tables.trimmed()
    return replace(
        state,
        states=states,
        offset=offset,
        actions=actions,
        q=q,
        visits=visits,
        memory=memory,
        where=where,
        stream=tables.stream,
        extent=float(knobs[rules.EXTENT]),
        collected=collected[: done + under_way],
        lengths=lengths[: done + under_way],
        starts=starts,
        randomness=randomness,
    )
