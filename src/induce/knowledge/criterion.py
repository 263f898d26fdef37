"""Combined criterion: error on the examples and disagreement with a theory (Mitchell §12.2.1)."""

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
"""Maximum number of distinct rows for which all of them are compared."""
N_DRAWN = 1_000


def instances(schema: Schema, table: Table, random_state: RandomState = 0) -> Table:
    """Return rows on which to compare theories: all possible rows, or a random sample.

    Values of nominal columns are drawn uniformly, and numbers from the table.

    Parameters
    ----------
    schema : Schema
        Columns of the rows.
    table : Table
        Rows from which numbers are drawn.
    random_state : int, Generator or None
        Random seed of the sample.
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
    """Quality of a hypothesis on the examples and with respect to the theory.

    Parameters
    ----------
    error_on_data : float
        Fraction of the examples that the hypothesis misclassifies.
    error_on_theory : float
        Fraction of the instances on which the hypothesis and the theory disagree.
    data_weight, theory_weight : float
        Weights of the two errors; 1 by default.
    """

    error_on_data: float
    error_on_theory: float
    data_weight: float = 1.0
    theory_weight: float = 1.0

    @property
    def value(self) -> float:
        """Weighted sum, which the best hypothesis minimises."""
        return self.data_weight * self.error_on_data + self.theory_weight * self.error_on_theory


def combined_criterion(
    said: NDArray[Any],
    true: NDArray[Any],
    said_of_instances: NDArray[Any],
    theory_of_instances: NDArray[Any],
    data_weight: float = 1.0,
    theory_weight: float = 1.0,
) -> Criterion:
    """Return the combined criterion from the predictions of a hypothesis and a theory.

    Parameters
    ----------
    said, true : array
        Predictions of the hypothesis for the examples, and their true classes.
    said_of_instances, theory_of_instances : array
        Predictions of the hypothesis and of the theory for instances, such as those from `instances`.
    data_weight, theory_weight : float
        Weights of the two errors; 1 by default.

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
