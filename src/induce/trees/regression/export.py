"""Regression trees as SQL and as Python that predict as the tree does, missing values included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from induce.core.errors import InputError
from induce.core.values import plain
from induce.hypotheses.conditions import Condition, simplified
from induce.hypotheses.export_python import python_header
from induce.hypotheses.export_sql import (
    LONGEST_CHAIN,
    sql_all,
    sql_comments,
    sql_identifier,
    sql_literal,
)
from induce.hypotheses.naming import unit_notes

if TYPE_CHECKING:
    from induce.trees.regression.hypothesis import RegressionTree

LONGEST_QUERY = 1_000_000
"""Bytes that SQLite reads whatever its version."""


@dataclass(frozen=True)
class _Step:
    """A branch that a row takes: its condition, and whether a row with a missing value takes it too."""

    condition: Condition | None
    attribute: str
    takes_missing: bool


def to_sql(tree: RegressionTree, table: str = "data") -> str:
    """Return a query that gives the rows of `table` with a column "prediction".

    Every way to a leaf is one case; a value not seen in training has a case at the node that asks for it. Nominal
    columns are compared as the values of their domain, so the table must store what the tree was learned from.

    Examples
    --------
    >>> from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor(leaf="linear").fit([[0], [1], [2], [3]], [1, 3, 5, 7]).hypothesis_
    >>> print(to_sql(tree, "points"))
    SELECT *,
      1.0 + 2.0 * COALESCE("x0", 1.5) AS "prediction"
    FROM "points"
    """
    if np.count_nonzero(tree.coefficients, axis=1).max() > LONGEST_CHAIN:
        raise _too_large(tree)
    cases, size = [], 0
    for node, test in _ways(tree):
        cases.append(f"WHEN {test} THEN {_formula(tree, node)}")
        size += len(cases[-1])
        if size > LONGEST_QUERY:
            raise _too_large(tree)
    prediction = "\n    ".join(["CASE", *cases]) + "\n  END" if cases else _formula(tree, 0)
    query = (
        f"{sql_comments(unit_notes(tree.schema, _used(tree)))}"
        f'SELECT *,\n  {prediction} AS "prediction"\n'
        f"FROM {sql_identifier(table)}"
    )
    if len(query.encode()) > LONGEST_QUERY:
        raise _too_large(tree)
    return query


def _too_large(tree: RegressionTree) -> InputError:
    return InputError(
        f"the tree ({tree.size()}) is too large for one SQL query; export it as Python (to_python) or prune it"
    )


def _ways(tree: RegressionTree) -> Iterator[tuple[int, str]]:
    """Yield where a row may end, with the SQL that says that it does."""
    waiting: list[tuple[int, tuple[_Step, ...]]] = [(0, ())]
    while waiting:
        node, steps = waiting.pop()
        if tree.attribute[node] < 0:
            if steps:
                yield node, _test(steps)
            continue
        column = tree.tested(node)
        if column.kind == "nominal":
            unseen = f"{sql_identifier(column.name)} NOT IN ({', '.join(map(sql_literal, column.domain))})"
            yield node, " AND ".join([_test(steps), unseen] if steps else [unseen])
        below = [
            (child, (*steps, _Step(tree.condition(node, branch), column.name, bool(tree.share[child]))))
            for branch, child in enumerate(tree.children(node))
        ]
        waiting += [(child, path) for child, path in reversed(below) if _passable(path)]


def _passable(steps: tuple[_Step, ...]) -> bool:
    """Say whether a row can come this way: a branch that no value takes is for missing ones only."""
    return all(
        step.condition is not None
        or all(each.takes_missing for each in steps if each.attribute == step.attribute)
        for step in steps
    )


def _test(steps: tuple[_Step, ...]) -> str:
    tests = []
    for attribute in dict.fromkeys(step.attribute for step in steps):
        own = [step for step in steps if step.attribute == attribute]
        known = [step.condition for step in own if step.condition is not None]
        missing = f"{sql_identifier(attribute)} IS NULL"
        if len(known) < len(own):
            tests.append(missing)
        elif all(step.takes_missing for step in own):
            tests.append(f"({sql_all(simplified(known))} OR {missing})")
        else:
            tests.append(sql_all(simplified(known)))
    return " AND ".join(tests)


def _formula(tree: RegressionTree, node: int) -> str:
    terms = [_number(float(tree.intercept[node]))]
    for j in np.flatnonzero(tree.coefficients[node]):
        cell = f"COALESCE({sql_identifier(tree.numbers[j])}, {_number(float(tree.fill[j]))})"
        terms.append(f"{_number(float(tree.coefficients[node, j]))} * {cell}")
    return " + ".join(terms)


def _number(number: float) -> str:
    """Write a number that no database takes for a whole one."""
    text = sql_literal(number)
    return text + ".0" if text.lstrip("-").isdigit() else text


def _used(tree: RegressionTree) -> set[str]:
    tested = {tree.tested(node).name for node in np.flatnonzero(tree.attribute >= 0).tolist()}
    return tested | {tree.numbers[j] for j in np.flatnonzero(tree.coefficients.any(axis=0))}


LEGEND = (
    "    # of each node: a constant, the columns that are added to it (with their factors, and what a missing",
    "    # value counts as), the column it tests, its values or the threshold up to which numbers take the first",
    "    # branch, the node that each leads to, and the node for rows whose value is missing",
)
WALK = """\
    node = 0
    while True:
        said, terms, column, test, branches, otherwise = nodes[node]
        if column is None:
            break
        value = row.get(column)
        if value is None or value != value:
            node = otherwise
        elif isinstance(test, float):
            node = branches[float(value) > test]
        elif value in test:
            node = branches[test.index(value)]
        else:
            break
    for column, factor, mean in terms:
        value = row.get(column)
        said += factor * (mean if value is None or value != value else float(value))
    return said
"""


def to_python(tree: RegressionTree, name: str = "predict") -> str:
    """Return the source of a function from a dict, such as a row, to a number.

    Examples
    --------
    >>> from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor
    >>> space = {}
    >>> exec(to_python(DecisionTreeRegressor().fit([[0], [1], [2]], [1.0, 1.0, 8.0]).hypothesis_), space)
    >>> space["predict"]({"x0": 2}), space["predict"]({})
    (8.0, 1.0)
    """
    header = python_header(name, tree.target, unit_notes(tree.schema, _used(tree)))
    nodes = [f"        {_node(tree, node)},  # {node}" for node in range(tree.n_nodes)]
    return "\n".join([*header, *LEGEND, "    nodes = (", *nodes, "    )"]) + f"\n{WALK}"


def _node(tree: RegressionTree, node: int) -> str:
    said = float(tree.intercept[node])
    terms = tuple(
        (tree.numbers[j], float(tree.coefficients[node, j]), float(tree.fill[j]))
        for j in np.flatnonzero(tree.coefficients[node])
    )
    if tree.attribute[node] < 0:
        return repr((said, terms, None, (), (), None))
    column, children = tree.tested(node), tree.children(node)
    otherwise = children[int(np.argmax(tree.share[children]))]
    if column.kind != "nominal":
        return repr((said, terms, column.name, float(tree.threshold[node]), tuple(children), otherwise))
    start = int(tree.map_start[node])
    codes = range(len(column.domain))
    branches = codes if start < 0 else tree.branch_map[start : start + len(codes)].tolist()
    values = tuple(map(plain, column.domain))
    return repr((said, terms, column.name, values, tuple(children[b] for b in branches), otherwise))
