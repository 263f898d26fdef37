"""Conditional probability tables: one distribution per state of the parents (Mitchell 6.11.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from induce.belief_networks.conditionals.base import (
    TOLERANCE,
    Conditional,
    Floats,
    Values,
    check_table_size,
    chosen,
    nominal,
    sizes_of,
)
from induce.core.errors import InputError
from induce.data.schema import Column
from induce.hypotheses.naming import value_text


@dataclass(frozen=True, eq=False)
class ConditionalTable(Conditional):
    """The probabilities of a nominal node, one row per state of its nominal parents.

    Parameters
    ----------
    probabilities : array of float64, shape (values of the first parent, …, values of the node)
        Probabilities; each row, along the last axis, sums to 1.

    Examples
    --------
    >>> campfire = ConditionalTable(np.array([[[0.8, 0.2], [0.2, 0.8]], [[0.9, 0.1], [0.6, 0.4]]]))
    >>> campfire.n_parameters()
    4
    """

    probabilities: Floats

    @classmethod
    def uniform(cls, node: Column, parents: Sequence[Column]) -> ConditionalTable:
        """Return the uniform table."""
        check_table_size(node, parents)
        return cls(np.full((*sizes_of(parents), len(node.domain)), 1 / max(len(node.domain), 1)))

    def verify(self, node: Column, parents: Sequence[Column]) -> None:
        """Raise an `InputError` unless this is a valid distribution of `node` given `parents`."""
        if node.kind != "nominal" or len(nominal(parents)) < len(parents):
            raise InputError(
                f"{node.name!r} has a table, but it or one of its parents is numeric; give it a LogisticConditional "
                "if it is nominal, or else a Normal or a GaussianConditional"
            )
        check_table_size(node, parents)
        shape = (*sizes_of(parents), len(node.domain))
        if self.probabilities.shape != shape:
            raise InputError(
                f"the table of {node.name!r} has the shape {self.probabilities.shape}; give the shape "
                f"{shape}: one axis per parent, then one for its own values"
            )
        sums = self.probabilities.sum(axis=-1)
        with np.errstate(invalid="ignore"):
            wrong = (np.abs(sums - 1) <= TOLERANCE) & (self.probabilities >= 0).all(axis=-1)
        if not wrong.all():
            at = tuple(map(int, np.argwhere(~wrong)[0]))
            raise InputError(_complaint(node, parents, at, self.probabilities[at]))

    def n_parameters(self) -> int:
        """Return the number of independent probabilities: one less than the number of values, per row."""
        size = self.probabilities.shape[-1]
        return int(self.probabilities.size // max(size, 1) * (size - 1))

    def table(self, sizes: Sequence[int]) -> Floats:
        """Return the probabilities, with one axis per parent and the last for the node."""
        return self.probabilities

    def log_probability(self, values: Values, parents: Sequence[Values]) -> Floats:
        """Return the log probability of the node's value in each row."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.probabilities[(*parents, values)]))

    def sample(self, parents: Sequence[Values], n: int, rng: np.random.Generator) -> Values:
        """Return the code of a random value for each of `n` rows."""
        rows = self.probabilities[tuple(parents)]
        return chosen(rows if parents else np.broadcast_to(rows, (n, rows.shape[-1])), rng)


def state_text(parents: Sequence[Column], state: Sequence[int]) -> str:
    """Format a state of the parents.

    Examples
    --------
    >>> state_text([Column("Storm", "nominal", ("yes", "no"))], [0])
    'Storm = yes'
    """
    return ", ".join(
        f"{value_text(parent.name)} = {value_text(parent.domain[code])}"
        for parent, code in zip(parents, state, strict=True)
    )


def _complaint(node: Column, parents: Sequence[Column], state: tuple[int, ...], row: Floats) -> str:
    where = f"the row {state_text(parents, state)} of {node.name!r}" if state else f"the row of {node.name!r}"
    if not (row >= 0).all():
        return f"{where} contains {row.min():g}; give probabilities of at least 0"
    return f"{where} sums to {row.sum():.10g}; give probabilities that sum to 1"
