"""Explanation of a row's cluster: contributions of the columns relative to the second most likely cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from induce.core.explained import Explained
from induce.core.ties import first_largest_of_each, ranked
from induce.core.values import Value
from induce.data.table import Table
from induce.hypotheses.naming import threshold_text, value_text

if TYPE_CHECKING:
    from induce.mixtures.hypothesis import Mixture

SHOWN = 6


@dataclass(frozen=True)
class Decisive:
    """A column of a row and its evidence for the cluster, in nats (negative: against it).

    It is the decrease of the log odds of the two clusters when the value is treated as missing.
    """

    column: str
    value: Value
    weight: float
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.weight:+8.2f}  {value_text(self.column)} {_text(self.value, self.unit)}"


@dataclass(frozen=True)
class ClusterExplanation(Explained):
    """The cluster of a row, and the decisive columns.

    Parameters
    ----------
    prediction : int
    probability : float
    log_density : float
    against : int or None
        Second most likely cluster; None if there is only one cluster.
    columns : tuple of Decisive
        Columns sorted by decreasing strength of evidence, for or against the cluster.
    """

    prediction: int
    probability: float
    log_density: float
    against: int | None
    columns: tuple[Decisive, ...]

    def __str__(self) -> str:
        head = f"cluster {self.prediction}, probability {self.probability:.3f}, log density {self.log_density:.4g}"
        if self.against is None:
            return f"{head}: it is the only cluster"
        return "\n".join(
            [f"{head}; against cluster {self.against}:", *(f"  {each}" for each in self.columns[:SHOWN])]
        )


def explain(mixture: Mixture, table: Table) -> tuple[ClusterExplanation, ...]:
    """Return an explanation of the cluster of each row."""
    logs = mixture._scores(table)
    shares, densities = mixture.predict_proba(table), mixture.score_samples(table)
    several = logs.shape[1] > 1
    index = np.arange(len(logs))
    best = mixture.predict(table)
    others = logs.copy()
    others[index, best] = -np.inf
    second = first_largest_of_each(others) if several else best
    odds = logs[index, best] - logs[index, second]
    weights = []
    for number, position in enumerate(table.positions):
        column = table.column(number)
        known = ~np.isnan(column) if position >= 0 else column >= 0
        numeric, nominal = table.numeric, table.nominal
        if position >= 0:
            numeric = numeric.copy()
            numeric[:, position] = np.nan
        else:
            nominal = nominal.copy()
            nominal[:, -1 - position] = -1
        without = mixture._scores(Table(table.schema, numeric, nominal))
        weights.append(np.where(known, odds - (without[index, best] - without[index, second]), 0.0))
    return tuple(
        ClusterExplanation(
            int(best[row]),
            float(shares[row, best[row]]),
            float(densities[row]),
            int(second[row]) if several else None,
            _decisive(table, row, [float(each[row]) for each in weights]),
        )
        for row in index.tolist()
    )


def _decisive(table: Table, row: int, weights: list[float]) -> tuple[Decisive, ...]:
    found = []
    for number, (column, position) in enumerate(zip(table.schema, table.positions, strict=True)):
        cell = table.column(number)[row]
        if position < 0:
            if cell >= 0:
                found.append(Decisive(column.name, column.domain[cell], weights[number]))
        elif not np.isnan(cell):
            found.append(Decisive(column.name, float(cell), weights[number], column.counted))
    return tuple(ranked(found, lambda each: abs(each.weight)))


def _text(value: Value, unit: str) -> str:
    return threshold_text(value, unit) if isinstance(value, float) else f"= {value_text(value)}"
