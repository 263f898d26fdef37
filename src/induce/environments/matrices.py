"""Decision processes from probability and reward matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.environments.mdp import MDP, assembled


def from_matrices(
    transitions: Any, rewards: Any, states: Sequence[Any] | None, actions: Sequence[Any] | None, start: Any
) -> MDP:
    """Build a process from one probability matrix per action; see `MDP.from_arrays`."""
    from scipy import sparse

    matrices = [sparse.coo_array(matrix) for matrix in transitions]
    if not matrices:
        raise InputError("transitions is empty; give one matrix for each action")
    n = matrices[0].shape[0]
    for number, matrix in enumerate(matrices):
        if matrix.shape != (n, n):
            raise InputError(
                f"the matrix of action {number} has shape {matrix.shape}; it must have a row and a column for each "
                f"of {n} states"
            )
    rows = [
        (matrix.row, np.full(matrix.nnz, number), matrix.col, matrix.data)
        for number, matrix in enumerate(matrices)
    ]
    state, action, after, chance = (np.concatenate(column) for column in zip(*rows, strict=True))
    reward = _reward_of(rewards, n, len(matrices), state, action, after)
    columns = (state, action, after, chance, reward, np.zeros(len(state), dtype=bool))
    names = _names(states, n, "states"), _names(actions, len(matrices), "actions")
    return assembled(*names, columns, start, None)


def _reward_of(rewards: Any, n: int, n_actions: int, state: Any, action: Any, after: Any) -> Any:
    """Return the reward of each transition."""
    from scipy import sparse

    if isinstance(rewards, list | tuple) and len(rewards) and sparse.issparse(rewards[0]):
        matrices = [sparse.csr_array(matrix) for matrix in rewards]
        found = np.zeros(len(state))
        for number, matrix in enumerate(matrices):
            mine = np.flatnonzero(action == number)
            found[mine] = np.asarray(matrix[state[mine], after[mine]]).ravel()
        return found
    given = np.asarray(rewards, dtype=np.float64)
    if given.shape == (n,):
        return given[state]
    if given.shape == (n, n_actions):
        return given[state, action]
    if given.shape == (n_actions, n, n):
        return given[action, state, after]
    raise InputError(
        f"rewards has shape {given.shape}; give one for each of {n} states, for each state and each of {n_actions} "
        "actions, or for each action, state and next state"
    )


def _names(names: Sequence[Any] | None, n: int, noun: str) -> tuple[Any, ...]:
    if names is None:
        return tuple(range(n))
    if len(names) != n or len(set(names)) != n:
        raise InputError(f"{noun} has {len(set(names))} distinct names for {n} {noun}; give one name each")
    return tuple(names)
