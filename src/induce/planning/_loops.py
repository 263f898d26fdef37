"""Compiled breadth-first search over bit-vector states."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

Words = NDArray[np.uint64]
Places = NDArray[np.int64]


@inner
def hashed(states: Words, i: int) -> np.int64:
    """Hash the words of a state."""
    mixed = np.uint64(1469598103934665603)
    for j in range(states.shape[1]):
        mixed = (mixed ^ states[i, j]) * np.uint64(1099511628211)
        mixed ^= mixed >> np.uint64(29)
    return np.int64(mixed & np.uint64(0x7FFFFFFFFFFFFFFF))


@inner
def known(states: Words, slots: Places, i: int) -> bool:
    """Return whether the last stored state is already known; insert it if it is new."""
    slot = hashed(states, i) & (len(slots) - 1)
    while slots[slot] >= 0:
        k = slots[slot]
        j = 0
        while j < states.shape[1] and states[i, j] == states[k, j]:
            j += 1
        if j == states.shape[1]:
            return True
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = i
    return False


@loop
def expand(
    states: Words,
    parents: Places,
    via: Places,
    slots: Places,
    counters: Places,
    masks: Words,
    goal: Words,
    nodes: int,
) -> int:
    """Expand states in the order in which they were generated.

    Parameters
    ----------
    states, parents, via : array
        Generated states, with the parent of each and the action that led to it. The arrays have room for one
        further state per action.
    slots : array
        Hash table of states.
    counters : array
        Numbers of states generated and expanded; both are cumulative.
    masks : array
        Preconditions, negative preconditions, add effects and delete effects of each action.
    goal : array
        Facts that must be true and facts that must be false.
    nodes : int
        Maximum number of states to expand in this call.

    Returns
    -------
    Index of the goal state found, or -1.
    """
    met, done = counters[0], counters[1]
    n_words = states.shape[1]
    stop = min(met, done + nodes)
    while done < stop:
        # The next state is written after all others, and kept if it is new.
        if met + masks.shape[0] >= len(states):
            break
        for a in range(masks.shape[0]):
            fits = True
            for j in range(n_words):
                if (
                    states[done, j] & masks[a, 0, j] != masks[a, 0, j]
                    or states[done, j] & masks[a, 1, j] != 0
                ):
                    fits = False
                    break
            if not fits:
                continue
            for j in range(n_words):
                states[met, j] = states[done, j] & ~masks[a, 3, j] | masks[a, 2, j]
            if known(states, slots, met):
                continue
            parents[met] = done
            via[met] = a
            reached = True
            for j in range(n_words):
                if states[met, j] & goal[0, j] != goal[0, j] or states[met, j] & goal[1, j] != 0:
                    reached = False
                    break
            met += 1
            if reached:
                counters[0], counters[1] = met, done + 1
                return int(met - 1)
        done += 1
    counters[0], counters[1] = met, done
    return -1


@loop
def rehash(states: Words, slots: Places, met: int) -> None:
    """Insert all states into an empty hash table."""
    for i in range(met):
        known(states, slots, i)
