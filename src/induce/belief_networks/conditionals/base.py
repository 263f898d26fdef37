"""Base of the conditional distributions of a node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.counts.additive import same_fields
from induce.data.names import unknown
from induce.data.schema import Column

Floats = NDArray[np.float64]
Values = NDArray[Any]
"""Values of a node in a set of rows: integer codes of a nominal node, floats of a numeric one."""

TOLERANCE = 1e-6
"""Tolerance for the sum of probabilities."""
MOST_PARENT_STATES = 10**6
"""Maximum number of rows of a table."""


class Conditional:
    """The distribution of a node given its parents: P(node | parents).

    Subclasses are frozen dataclasses. The parents' values are in the order of the network's arcs.
    """

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and same_fields(self, other)

    def __hash__(self) -> int:
        return hash((type(self), self.n_parameters()))

    def verify(self, node: Column, parents: Sequence[Column]) -> None:
        """Raise an `InputError` unless this is a valid distribution of `node` given `parents`."""
        raise TypeError(f"{type(self).__name__} checks nothing")

    def n_parameters(self) -> int:
        """Return the number of independent parameters."""
        raise TypeError(f"{type(self).__name__} has no parameters")

    def table(self, sizes: Sequence[int]) -> Floats:
        """Return the probabilities of a nominal node given parents with `sizes` values: one axis per parent,
        then one for the node.
        """
        raise InputError("the conditional of a numeric node is not a table")

    def log_probability(self, values: Values, parents: Sequence[Values]) -> Floats:
        """Return the log probability (or density) of the node's value in each row."""
        raise TypeError(f"{type(self).__name__} does not define probabilities")

    def sample(self, parents: Sequence[Values], n: int, rng: np.random.Generator) -> Values:
        """Return a random value for each of `n` rows."""
        raise TypeError(f"{type(self).__name__} cannot be sampled")


def chosen(chances: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return an index sampled from the probabilities of each row.

    Examples
    --------
    >>> chosen(np.array([[0.0, 1.0], [1.0, 0.0]]), np.random.default_rng(0)).tolist()
    [1, 0]
    """
    below = np.cumsum(chances, axis=-1)
    drawn = rng.random(below.shape[:-1]) * below[..., -1]
    return np.asarray(np.minimum((below <= drawn[..., None]).sum(axis=-1), below.shape[-1] - 1))


def sizes_of(columns: Sequence[Column]) -> tuple[int, ...]:
    """Return the number of values of each nominal column."""
    return tuple(len(column.domain) for column in columns)


def nominal(columns: Sequence[Column]) -> list[Column]:
    """Return the nominal columns."""
    return [column for column in columns if column.kind == "nominal"]


def check_table_size(node: Column, parents: Sequence[Column]) -> None:
    """Raise an `InputError` if the parents of a node have too many joint states."""
    states = 1
    for size in sizes_of(parents):
        states *= size
    if states > MOST_PARENT_STATES:
        raise InputError(
            f"the {len(parents)} parents of {node.name!r} have {states:,} joint states, more than "
            f"{MOST_PARENT_STATES:,}; give it fewer parents or a noisy-OR"
        )


def code_of(column: Column, value: Any) -> int:
    """Return the index of a value in a node's domain; the value may also be given as text.

    Examples
    --------
    >>> code_of(Column("Storm", "nominal", (False, True)), "True")
    1
    """
    if value in column.domain:
        return column.domain.index(value)
    if not column.domain:
        raise InputError(
            f"a table names the value {value!r} of {column.name!r}, which is numeric; give its children conditionals "
            "that take numbers, such as LogisticConditional"
        )
    texts = [str(each) for each in column.domain]
    if str(value) in texts:
        return texts.index(str(value))
    raise unknown(f"value of {column.name!r}", str(value), texts)
