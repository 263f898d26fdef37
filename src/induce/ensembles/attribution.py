"""Attribution of predictions to columns by the contribution of each test on the tree paths (Saabas)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.ties import ranked
from induce.data.schema import Column
from induce.data.table import MISSING, UNSEEN, Table
from induce.hypotheses.conditions import Is
from induce.hypotheses.naming import threshold_text, value_text
from induce.trees.explanation import step_of
from induce.trees.structure import Structure

Floats = NDArray[np.float64]

DIGITS = 5
SMALL = 5e-4
"""Contributions below this fraction of the largest are not printed."""


@dataclass(frozen=True)
class Spoken:
    """Contribution of a column to a prediction.

    Parameters
    ----------
    column : str
        Name of the column.
    text : str
        Value of the row, such as "age = 40".
    amount : float
        Change of the prediction.
    """

    column: str
    text: str
    amount: float


@dataclass(frozen=True)
class Attribution:
    """A score as a sum: the base for all rows, and the contribution of each column, largest first."""

    base: float
    parts: tuple[Spoken, ...]

    @property
    def total(self) -> float:
        """The score: the base plus all contributions."""
        return self.base + sum(part.amount for part in self.parts)

    def lines(self, most: int) -> list[str]:
        """Return the printed contributions, those for and against the prediction together."""
        largest = max((abs(part.amount) for part in self.parts), default=0.0)
        shown = [part for part in self.parts if abs(part.amount) > SMALL * largest][:most]
        amounts = [f"{part.amount:+.3g}" for part in shown]
        wide = max(map(len, amounts), default=0)
        lines = [f"{amount:>{wide}}  {part.text}" for amount, part in zip(amounts, shown, strict=True)]
        rest = self.parts[len(shown) :]
        left = sum(part.amount for part in rest)
        if rest and abs(left) > SMALL * largest:
            lines.append(f"{left:+.3g}".rjust(wide) + "  by the other columns")
        return lines


def along_paths(trees: Sequence[Structure], says: Sequence[Floats], table: Table, row: int) -> Attribution:
    """Return the sum of tree outputs for a row as a base, plus the contribution of each column.

    Parameters
    ----------
    trees : sequence of Structure
        The trees.
    says : sequence of array
        Output of each node of each tree for the rows that reach it.
    table : Table
        Encoded rows.
    row : int
        Index of the row to explain.

    Notes
    -----
    The base is the sum of the outputs of the roots. A test contributes the output of the child minus that of
    its parent. If the value is missing, every branch contributes proportionally. The contributions therefore
    sum to the score exactly.
    """
    amounts: dict[int, float] = {}
    for tree, said in zip(trees, says, strict=True):
        waiting = [(0, 1.0)]
        while waiting:
            node, part = waiting.pop()
            if tree.attribute[node] < 0:
                continue
            tested = int(tree.attribute[node])
            for child, share in _onward(tree, node, table, row):
                added = part * share * float(said[child] - said[node])
                amounts[tested] = amounts.get(tested, 0.0) + added
                waiting.append((child, part * share))
    columns = table.schema.columns
    parts = [
        Spoken(columns[f].name, cell_text(columns[f], table.column(f)[row]), amount)
        for f, amount in amounts.items()
    ]
    base = float(sum(said[0] for said in says))
    return Attribution(base, tuple(ranked(parts, lambda part: abs(part.amount))))


def _onward(tree: Structure, node: int, table: Table, row: int) -> list[tuple[int, float]]:
    """Return the children that a row goes to, and its fraction in each; none if its value is unseen."""
    column, value = tree.tested(node), table.column(int(tree.attribute[node]))[row]
    first = int(tree.first[node])
    if _is_missing(column, value):
        branch = None if tree.surrogates is None else step_of(tree, node, table, row)[1]
        if branch is not None:
            return [(first + branch, 1.0)]
        return [(child, float(tree.share[child])) for child in tree.children(node) if tree.share[child] > 0]
    if column.kind != "nominal":
        return [(first + int((value > tree.ends(node)).sum()), 1.0)]
    if value < 0:
        return []
    start = int(tree.map_start[node])
    return [(first + (int(value) if start < 0 else int(tree.branch_map[start + value])), 1.0)]


def cell_text(column: Column, value: Any) -> str:
    """Write the encoded value of a column.

    Examples
    --------
    >>> cell_text(Column("age"), 40.0), cell_text(Column("status", "nominal", ("<0", "0")), 0)
    ('age = 40', 'status = "<0"')
    """
    if _is_missing(column, value):
        return f"{value_text(column.name)} is missing"
    if column.kind != "nominal":
        number = float(value) if column.temporal else float(f"{value:.{DIGITS}g}")
        return f"{value_text(column.name)} = {threshold_text(number, column.counted)}"
    if value == UNSEEN:
        return f"{value_text(column.name)} has a value not seen in training"
    return str(Is(column.name, column.domain[int(value)]))


def _is_missing(column: Column, value: Any) -> bool:
    return bool(np.isnan(value)) if column.kind != "nominal" else bool(value == MISSING)


def by_revealing(score: Any, table: Table, row: int) -> Attribution:
    """Return a score as the score of a row with only missing values, plus the contribution of each column.

    Columns are revealed one at a time, starting with the one that has the largest effect by itself; each
    contributes the resulting change in the score. The contributions therefore sum to the score exactly.

    Parameters
    ----------
    score : callable
        Function from an encoded table to a number for each row.
    table : Table
        Encoded rows.
    row : int
        Index of the row to explain.
    """
    columns = table.schema.columns
    everything = table.rows(np.array([row]))
    alone = score(
        _hidden(everything, [[g for g in range(len(columns)) if g != f] for f in range(len(columns))])
    )
    nothing = float(score(_hidden(everything, [list(range(len(columns)))]))[0])
    order = ranked(list(range(len(columns))), lambda f: abs(float(alone[f]) - nothing))
    told = score(_hidden(everything, [order[k + 1 :] for k in range(len(order))]))
    steps = np.diff([nothing, *np.asarray(told, np.float64).tolist()]).tolist()
    parts = [
        Spoken(columns[f].name, cell_text(columns[f], table.column(f)[row]), amount)
        for f, amount in zip(order, steps, strict=True)
    ]
    return Attribution(nothing, tuple(ranked(parts, lambda part: abs(part.amount))))


def _hidden(row: Table, hidden: Sequence[Sequence[int]]) -> Table:
    """Return copies of a row, each with some of its values missing."""
    numeric = np.repeat(row.numeric, len(hidden), axis=0)
    nominal = np.repeat(row.nominal, len(hidden), axis=0)
    for k, columns in enumerate(hidden):
        for f in columns:
            position = int(row.positions[f])
            if position >= 0:
                numeric[k, position] = np.nan
            else:
                nominal[k, -1 - position] = MISSING
    return Table(row.schema, numeric, nominal)
