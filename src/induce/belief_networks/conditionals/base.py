"""Base of all conditional distributions of a node."""

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
"""The values of a node in some rows: int codes of a nominal node, floats of a numeric one."""

TOLERANCE = 1e-6
"""Tolerance for the sum of probabilities."""
MOST_PARENT_STATES = 10**6
"""A table with more rows than this is refused."""


class Conditional:
    """The distribution of a node given its parents: P(node | parents).

    Subclasses are frozen dataclasses. The values of the parents come in the order of the network's arcs.
    """

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and same_fields(self, other)

    def __hash__(self) -> int:
        return hash((type(self), self.n_parameters()))

    def verify(self, node: Column, parents: Sequence[Column]) -> None:
        """Raise an `InputError` unless it is a distribution of `node` given `parents`."""
        raise TypeError(f"{type(self).__name__} checks nothing")

    def n_parameters(self) -> int:
        """Return the number of independent parameters."""
        raise TypeError(f"{type(self).__name__} has no parameters")

    def table(self, sizes: Sequence[int]) -> Floats:
        """Return the probabilities of a nominal node, given parents that have `sizes` values: an axis for each
        parent and the last for the node."""
        raise InputError("a conditional of numbers is not a table")

    def log_probability(self, values: Values, parents: Sequence[Values]) -> Floats:
        """Return the log probability (or density) of the node's value in each row."""
        raise TypeError(f"{type(self).__name__} gives no probabilities")

    def sample(self, parents: Sequence[Values], n: int, rng: np.random.Generator) -> Values:
        """Return a value for each of `n` rows, drawn at random."""
        raise TypeError(f"{type(self).__name__} cannot be drawn from")


def chosen(chances: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a position drawn by the probabilities in each row.

    Examples
    --------
    >>> chosen(np.array([[0.0, 1.0], [1.0, 0.0]]), np.random.default_rng(0)).tolist()
    [1, 0]
    """
    below = np.cumsum(chances, axis=-1)
    drawn = rng.random(below.shape[:-1]) * below[..., -1]
    return np.asarray(np.minimum((below <= drawn[..., None]).sum(axis=-1), below.shape[-1] - 1))


def sizes_of(columns: Sequence[Column]) -> tuple[int, ...]:
    """Return how many values nominal columns have."""
    return tuple(len(column.domain) for column in columns)


def nominal(columns: Sequence[Column]) -> list[Column]:
    """Return the nominal ones among columns."""
    return [column for column in columns if column.kind == "nominal"]


def check_table_size(node: Column, parents: Sequence[Column]) -> None:
    """Refuse a node whose parents have too many states together."""
    states = 1
    for size in sizes_of(parents):
        states *= size
    if states > MOST_PARENT_STATES:
        raise InputError(
            f"the {len(parents)} parents of {node.name!r} have {states:,} states together, more than "
            f"{MOST_PARENT_STATES:,}; give it fewer parents or a noisy-OR"
        )


def code_of(column: Column, value: Any) -> int:
    """Return where a value stands in the domain of a node; the text of a value will do.

    Examples
    --------
    >>> code_of(Column("Storm", "nominal", (False, True)), "True")
    1
    """
    if value in column.domain:
        return column.domain.index(value)
    texts = [str(each) for each in column.domain]
    if str(value) in texts:
        return texts.index(str(value))
    raise unknown(f"value of {column.name!r}", str(value), texts)
