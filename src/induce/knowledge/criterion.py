"""The combined criterion: how far a hypothesis is from the examples, and how far from a theory (Mitchell §12.2.1)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.core.randomness import RandomState, generator
from induce.data.schema import Schema
from induce.data.table import Table, as_table

MOST_ENUMERATED = 5_000
"""Where there are no more different rows than this, all of them are compared."""
N_DRAWN = 1_000


def instances(schema: Schema, table: Table, random_state: RandomState = 0) -> Table:
    """Return rows to compare theories on: all there can be, or some drawn at random.

    Values of nominal columns are equally likely; numbers are those of the table.

    Parameters
    ----------
    schema : Schema
    table : Table
        Rows from which numbers are drawn.
    random_state : int, Generator or None
    """
    nominal = all(column.kind == "nominal" for column in schema)
    sizes = [len(column.domain) for column in schema]
    if nominal and all(sizes) and prod(sizes) <= MOST_ENUMERATED:
        columns = list(zip(*product(*(column.domain for column in schema)), strict=True))
        data = {column.name: list(cells) for column, cells in zip(schema, columns, strict=True)}
        return as_table(pl.DataFrame(data, strict=False), schema)
    random = generator(random_state)
    data = {}
    for place, column in enumerate(schema):
        if column.kind == "nominal":
            drawn = random.integers(0, max(len(column.domain), 1), N_DRAWN)
            data[column.name] = [column.domain[code] for code in drawn] if column.domain else [None] * N_DRAWN
        elif column.kind == "numeric":
            known = table.column(place)[~np.isnan(table.column(place))]
            data[column.name] = (
                random.choice(known, N_DRAWN).tolist() if len(known) else [float("nan")] * N_DRAWN
            )
        else:
            data[column.name] = [None] * N_DRAWN
    return as_table(pl.DataFrame(data, strict=False), schema)


@dataclass(frozen=True)
class Criterion:
    """What a hypothesis is worth by the examples and by the theory.

    Parameters
    ----------
    error_on_data : float
        Share of the examples that it misclassifies.
    error_on_theory : float
        Share of instances on which it and the theory disagree.
    data_weight, theory_weight : float
    """

    error_on_data: float
    error_on_theory: float
    data_weight: float = 1.0
    theory_weight: float = 1.0

    @property
    def value(self) -> float:
        """The weighted sum, which the best hypothesis minimises."""
        return self.data_weight * self.error_on_data + self.theory_weight * self.error_on_theory


def combined_criterion(
    said: NDArray[Any],
    true: NDArray[Any],
    said_of_instances: NDArray[Any],
    theory_of_instances: NDArray[Any],
    data_weight: float = 1.0,
    theory_weight: float = 1.0,
) -> Criterion:
    """Return the criterion from what a hypothesis and a theory say.

    Parameters
    ----------
    said, true : array
        What the hypothesis says of the examples, and what is true.
    said_of_instances, theory_of_instances : array
        What the hypothesis and the theory say of instances, such as those of `instances`.
    data_weight, theory_weight : float

    Examples
    --------
    >>> found = combined_criterion(np.array([1, 0]), np.array([1, 1]), np.array([1, 1, 0, 0]), np.array([1, 0, 0, 0]))
    >>> found.error_on_data, found.error_on_theory, found.value
    (0.5, 0.25, 0.75)
    """
    return Criterion(
        float(np.mean(np.asarray(said) != np.asarray(true))),
        float(np.mean(np.asarray(said_of_instances) != np.asarray(theory_of_instances))),
        data_weight,
        theory_weight,
    )
