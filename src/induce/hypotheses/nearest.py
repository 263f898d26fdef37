"""Near misses: the rules that almost decided a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.core.values import Value
from induce.data.table import UNSEEN, Table
from induce.hypotheses.conditions import Condition, Mask
from induce.hypotheses.explanation import NearMiss, Unsatisfied

if TYPE_CHECKING:
    from induce.hypotheses.rules import RuleList

# number of rows per batch, so that the distances of many rows to many rules fit into memory
BLOCK = 4096
FAR = np.iinfo(np.int32).max


def near_misses(rules: RuleList, table: Table, predicted: NDArray[np.intp]) -> list[NearMiss | None]:
    """Return, for each row, the rule that almost changed the prediction; see `RuleList.explain`."""
    found: list[NearMiss | None] = []
    for start in range(0, len(table), BLOCK):
        rows = np.arange(start, min(start + BLOCK, len(table)))
        found += _of_block(rules, table.rows(rows), predicted[rows])
    return found


def _of_block(rules: RuleList, table: Table, predicted: NDArray[np.intp]) -> list[NearMiss | None]:
    if not rules.rules:
        return [None] * len(table)
    satisfied = _verdicts(rules, table)
    missing = np.zeros((len(rules.rules), len(table)), dtype=np.int32)
    for number, rule in enumerate(rules.rules):
        for condition in rule.conditions:
            missing[number] += ~satisfied[condition]
    fires = missing == 0
    later = np.zeros_like(fires)
    if rules.ordered:
        later[1:] = np.logical_or.accumulate(fires, axis=0)[:-1]
    distance = missing + later
    # a distance of zero means that the rule itself decided
    distance[distance == 0] = FAR
    heads = np.array([rules.classes.index(rule.prediction) for rule in rules.rules])
    otherwise = np.where(heads[:, None] != predicted, distance, FAR)
    rival = otherwise.argmin(axis=0)
    columns = np.arange(len(table))
    chosen = np.where(otherwise[rival, columns] < FAR, rival, distance.argmin(axis=0))
    return [
        NearMiss(
            rules.rules[number],
            tuple(
                _unsatisfied(condition, table, row)
                for condition in rules.rules[number].conditions
                if not satisfied[condition][row]
            ),
            bool(later[number, row]),
        )
        if distance[number, row] < FAR
        else None
        for row, number in enumerate(chosen.tolist())
    ]


def _verdicts(rules: RuleList, table: Table) -> dict[Condition, Mask]:
    """Return the rows that satisfy every condition; each distinct condition is tested once."""
    conditions = dict.fromkeys(condition for rule in rules.rules for condition in rule.conditions)
    return {condition: condition.covers(table) for condition in conditions}


def _unsatisfied(condition: Condition, table: Table, row: int) -> Unsatisfied:
    place = table.schema.names().index(condition.attribute)
    column, cell = table.schema.columns[place], table.column(place)[row]
    if column.kind != "nominal":
        number: Value | None = None if np.isnan(cell) else float(cell)
        return Unsatisfied(condition, number)
    return Unsatisfied(condition, column.domain[cell] if cell >= 0 else None, bool(cell == UNSEEN))
