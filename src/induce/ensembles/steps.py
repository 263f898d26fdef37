"""Step functions of one attribute: what is said of each value or interval, of a missing value, of an unseen one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.values import plain
from induce.data.schema import Column
from induce.hypotheses.conditions import AtMost, one_of
from induce.hypotheses.export_sql import sql_condition, sql_identifier
from induce.trees.hypothesis import Tree

PYTHON = """\
    def step(column, test, says, missing, unseen):
        value = row.get(column)
        if value is None or value != value:
            return missing
        if isinstance(test, list):
            return says[sum(float(value) > end for end in test)]
        return says[test.index(value)] if value in test else unseen
"""
"""The source of a function that `python_step` calls, within one that has a `row`."""


@dataclass(frozen=True)
class Steps:
    """What is said of a row by one of its columns.

    Parameters
    ----------
    column : Column
    ends : tuple of float
        Up to where each interval of a numeric column goes, but for the last.
    says : tuple
        What is said of each interval, or of each value of a nominal column.
    missing, unseen : object
        What is said of a missing value, and of a category not seen in training.
    """

    column: Column
    ends: tuple[float, ...]
    says: tuple[Any, ...]
    missing: Any
    unseen: Any

    def of(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return what is said of each encoded value of the column."""
        # the codes -2 and -1, of unseen and missing values, are the last two places
        said: NDArray[Any] = np.array([*self.says, self.unseen, self.missing])
        return np.asarray(said[values if self.column.kind == "nominal" else self._intervals(values)])

    def _intervals(self, values: NDArray[Any]) -> NDArray[np.intp]:
        if len(self.ends) == 1:
            places = (values > self.ends[0]).astype(np.intp)
        else:
            places = np.searchsorted(self.ends, values)
        places[np.isnan(values)] = -1
        return places


def steps_of(stump: Tree) -> Steps:
    """Return the class codes that a stump with a test says, by the column that it tests.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> steps = steps_of(induce.DecisionStump().fit(X, y).hypothesis_)
    >>> steps.column.name, steps.says, steps.missing, steps.unseen
    ('Outlook', (1, 0, 0), 0, 0)
    """
    column, leaves = stump.tested(0), stump.majority[1:]
    shares = np.zeros(len(stump.classes))
    for leaf in stump.children(0):
        shares = shares + stump.share[leaf] * stump.distribution[leaf]
    ends: tuple[float, ...] = ()
    start = int(stump.map_start[0])
    if column.kind != "nominal":
        ends = (float(stump.threshold[0]),)
    elif start >= 0:
        leaves = leaves[stump.branch_map[start : start + len(column.domain)]]
    return Steps(column, ends, tuple(leaves.tolist()), int(shares.argmax()), int(stump.majority[0]))


def sql_step(steps: Steps, written: Callable[[Any], str]) -> str:
    """Return what is said as a CASE of SQL.

    Examples
    --------
    >>> print(sql_step(Steps(Column("age"), (30.0,), (1, 5), 2, 0), str))
    CASE WHEN "age" <= 30 THEN 1 WHEN "age" IS NULL THEN 2 ELSE 5 END
    >>> wind = Column("wind", "nominal", ("no", "weak", "strong"))
    >>> print(sql_step(Steps(wind, (), (1, 1, 5), 0, 0), str))
    CASE WHEN "wind" IN ('no', 'weak') THEN 1 WHEN "wind" = 'strong' THEN 5 ELSE 0 END
    """
    name, says = sql_identifier(steps.column.name), list(map(written, steps.says))
    missing, rest = written(steps.missing), written(steps.unseen)
    whens = []
    if steps.column.kind == "nominal":
        for said in dict.fromkeys(says):
            if said != rest:
                values = tuple(v for v, s in zip(steps.column.domain, says, strict=True) if s == said)
                whens.append((sql_condition(one_of(steps.column.name, values)), said))
    else:
        rest = says[-1]
        for end, said, following in zip(steps.ends, says, says[1:], strict=False):
            if said != following:
                whens.append((sql_condition(AtMost(steps.column.name, end)), said))
    if missing != rest:
        whens.append((f"{name} IS NULL", missing))
    if not whens:
        return rest
    return f"CASE {' '.join(f'WHEN {when} THEN {said}' for when, said in whens)} ELSE {rest} END"


def python_step(steps: Steps, written: Callable[[Any], str]) -> str:
    """Return what is said as a call of the Python function `step`."""
    numeric = steps.column.kind != "nominal"
    test: Sequence[Any] = list(steps.ends) if numeric else tuple(map(plain, steps.column.domain))
    says = f"({', '.join(map(written, steps.says))},)"
    return f"step({steps.column.name!r}, {test!r}, {says}, {written(steps.missing)}, {written(steps.unseen)})"
