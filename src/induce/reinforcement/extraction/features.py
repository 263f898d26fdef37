"""The states of a policy as a table of named features, with the good actions in each state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.values import Value, is_missing, plain
from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.environments.mdp import MDP
from induce.reinforcement.extraction.returns import ends_surely, reachable

if TYPE_CHECKING:
    from induce.reinforcement.policy import Policy

Features = Mapping[str, Sequence[Any] | Callable[[Any], Any]]
"""Mapping from a feature's name to its value in every state, or to a function of the state."""


@dataclass(frozen=True, eq=False)
class Situations:
    """States to describe by rules or a tree.

    Parameters
    ----------
    schema : Schema
        One column per feature.
    places : array of int64
        Indices of the states in the policy.
    columns : tuple of arrays
        For each feature, its number in each state or the index of its value in the column's domain.
    good : array of bool, shape (states, actions)
        Whether each action is good enough in each state.
    """

    schema: Schema
    places: NDArray[np.int64]
    columns: tuple[NDArray[Any], ...]
    good: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def table(self) -> Table:
        """Features as a table for conditions."""
        both = {
            kind: [c for column, c in zip(self.schema, self.columns, strict=True) if column.kind == kind]
            for kind in ("numeric", "nominal")
        }
        empty = np.empty((len(self), 0))
        return Table(
            self.schema,
            np.column_stack([empty, *both["numeric"]]),
            np.column_stack([empty, *both["nominal"]]).astype(np.int32),
        )


def situations(policy: Policy, further: Features | None, model: MDP | None, tolerance: float) -> Situations:
    """Return the states in which a policy may have to act, with the good actions in each.

    With a model, these are the states reachable from the start states; otherwise the visited states,
    or all states.
    """
    if not tolerance >= 0:
        raise InputError(f"tolerance is {tolerance!r}; it must be a number of at least 0")
    acting = policy.choice >= 0
    if model is not None:
        acting &= reachable(model) & ~model.absorbing
    elif len(policy.visits):
        seen = np.zeros(len(policy.states), dtype=bool)
        seen[policy.pair_state[policy.visits > 0]] = True
        acting &= seen
    if not acting.any():
        raise InputError("the policy has no state with an action; learn it first")
    places = np.flatnonzero(acting)
    named = features_of(policy, further)
    columns = [_column(name, [values[place] for place in places]) for name, values in named.items()]
    good = np.zeros((len(policy.states), len(policy.actions)), dtype=bool)
    chosen = _good(policy, model, tolerance)
    good[policy.pair_state[chosen], policy.pair_action[chosen]] = True
    return Situations(
        Schema(tuple(column for column, _ in columns)),
        places,
        tuple(codes for _, codes in columns),
        good[places],
    )


def _good(policy: Policy, model: MDP | None, tolerance: float) -> NDArray[np.bool_]:
    """Return whether each pair is within the tolerance of the best."""
    good = policy.optimal | (policy.q >= policy.values[policy.pair_state] - tolerance)
    if model is None or policy.discount < 1 or not np.isnan(policy.gain):
        return good
    # undiscounted, equally good actions may cycle: only those that lead nearer to an end count
    nearer = ends_surely(model, good)
    can = np.zeros(len(policy.states), dtype=bool)
    can[policy.pair_state[nearer]] = True
    return np.where(can[policy.pair_state], nearer, good)


def features_of(policy: Policy, further: Features | None = None) -> dict[str, tuple[Value, ...]]:
    """Return the value of each feature in each state; without features, the parts of the state's name."""
    found: dict[str, tuple[Value, ...]] = dict(policy.features) or _parts(policy.states)
    for name, values in (further or {}).items():
        if name in found:
            raise InputError(f"the feature {name!r} already exists; give the new feature another name")
        given = [values(state) for state in policy.states] if callable(values) else list(values)
        if len(given) != len(policy.states):
            raise InputError(
                f"feature {name!r} has {len(given)} values for {len(policy.states)} states; give one "
                "value per state"
            )
        found[name] = tuple(map(plain, given))
    return found


def _parts(states: tuple[Any, ...]) -> dict[str, tuple[Value, ...]]:
    lengths = {len(state) if isinstance(state, tuple) else 0 for state in states}
    if len(lengths) == 1 and 0 not in lengths:
        return {f"state {k + 1}": tuple(state[k] for state in states) for k in range(lengths.pop())}
    if 0 in lengths and len(lengths) > 1:
        return {"state": tuple(map(str, states))}
    return {"state": states}


def _column(name: str, values: list[Any]) -> tuple[Column, NDArray[Any]]:
    if any(map(is_missing, values)):
        raise InputError(f"feature {name!r} has missing values; give one value per state")
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        numbers = np.array(values, dtype=np.float64)
        if not np.isfinite(numbers).all():
            raise InputError(f"feature {name!r} has a value that is not a finite number")
        return Column(name), numbers
    kinds = {type(value) for value in values}
    if len(kinds) > 1 or not kinds <= {str, bool}:
        values = list(map(str, values))
    domain = tuple(sorted(set(values)))
    place = {value: k for k, value in enumerate(domain)}
    return Column(name, "nominal", domain), np.array([place[value] for value in values])
