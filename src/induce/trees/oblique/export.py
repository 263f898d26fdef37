"""Oblique trees as SQL and as Python: first the sums and machines as further columns, then the tree."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent
from typing import TYPE_CHECKING

import numpy as np

from induce.core.errors import InputError
from induce.core.values import plain
from induce.data.schema import Column
from induce.hypotheses.export_python import python_header
from induce.hypotheses.export_sql import (
    LONGEST_CHAIN,
    sql_comments,
    sql_first_largest,
    sql_identifier,
    sql_literal,
)
from induce.hypotheses.naming import unit_notes
from induce.trees import export

if TYPE_CHECKING:
    from induce.trees.oblique.hypothesis import ObliqueTree
    from induce.trees.structure import Floats

Terms = tuple[tuple[str, float], ...]
"""Columns and what each is multiplied by."""

# SQLite gives tables at most 2000 columns
MOST_COLUMNS = 1_500

WEIGH = """\
    row = dict(row)

    def weigh(terms):
        total = 0.0
        for column, weight in terms:
            value = row.get(column)
            if value is None or value != value:
                return None
            total += weight * float(value)
        return total

"""
SUM_UP = """\
    for column, terms in sums:
        row[column] = weigh(terms)
"""
CHOOSE = """\
    for column, rivals in machines:
        scores = [weigh(terms) for _, terms, _ in rivals]
        if any(score is None or score != score for score in scores):
            row[column] = None
        else:
            scores = [score + constant for score, (_, _, constant) in zip(scores, rivals)]
            row[column] = rivals[scores.index(max(scores))][0]
"""


def to_python(tree: ObliqueTree, name: str = "predict") -> str:
    """Return the source of a function from a dict, such as a row, to a class."""
    sums = [f"        {(column.name, terms)!r}," for column, terms in _sums(tree)]
    machines = [
        f"        {(column.name, tuple((plain(value), terms, constant) for value, terms, constant in rivals))!r},"
        for column, rivals in _machines(tree)
    ]
    if not sums and not machines:
        return export.to_python(tree, name)
    lines = python_header(name, tree.target, unit_notes(tree.schema, _weighed(tree)))
    if sums:
        lines += [
            "    # weighted sums: what the tree calls them, and the weight of every column",
            *("    sums = (", *sums, "    )"),
        ]
    if machines:
        lines += [
            "    # linear machines: their names, and of every class the weights and the constant of its sum",
            *("    machines = (", *machines, "    )"),
        ]
    decide = indent(export.to_python(tree, "decide"), "    ")
    further = f"{WEIGH}{SUM_UP if sums else ''}{CHOOSE if machines else ''}"
    return "\n".join(lines) + f"\n\n{decide}\n{further}    return decide(row)\n"


def to_sql(tree: ObliqueTree, table: str = "data") -> str:
    """Return a query that gives the rows of `table` with their sums, choices and a column "prediction"."""
    sums = [f"{_sql_sum(terms)} AS {sql_identifier(column.name)}" for column, terms in _sums(tree)]
    choices = []
    for column, rivals in _machines(tree):
        scores = [sql_identifier(f"{column.name}: {value}") for value, _, _ in rivals]
        for score, (_, terms, constant) in zip(scores, rivals, strict=True):
            sums.append(f"{_sql_sum(terms)} + ({sql_literal(constant)}) AS {score}")
        unknown = " OR ".join(f"{score} IS NULL" for score in scores)
        cases = [f"WHEN {unknown} THEN NULL", *sql_first_largest(scores, column.domain)]
        choices.append(f"CASE {' '.join(cases)} END AS {sql_identifier(column.name)}")
    if len(sums) + len(tree.testable) > MOST_COLUMNS or tree.combinations.shape[1] > LONGEST_CHAIN:
        raise _too_large()
    steps = []
    source = table
    for columns, what in ((sums, "sums"), (choices, "choices")):
        if columns:
            listed = ",\n    ".join(columns)
            before, source = source, f"{table} with {what}"
            steps.append(
                f"{sql_identifier(source)} AS (SELECT *,\n    {listed}\n  FROM {sql_identifier(before)})"
            )
    notes = sql_comments(unit_notes(tree.schema, _weighed(tree)))
    first = f"{notes}WITH " + ",\n  ".join(steps) + "\n" if steps else ""
    query = first + export.to_sql(tree, source)
    if len(query.encode()) > export.LONGEST_QUERY:
        raise _too_large()
    return query


def _too_large() -> InputError:
    return InputError(
        "the tree weighs too many columns in too many tests for one SQL query; export it with to_python, or "
        "prune it"
    )


def _sums(tree: ObliqueTree) -> Iterator[tuple[Column, Terms]]:
    n_inputs = len(tree.schema.inputs())
    columns = tree.testable.columns[n_inputs : n_inputs + len(tree.combinations)]
    for column, weights in zip(columns, tree.combinations, strict=True):
        yield column, _terms(tree, weights)


def _machines(tree: ObliqueTree) -> Iterator[tuple[Column, list[tuple[object, Terms, float]]]]:
    columns = tree.testable.columns[len(tree.testable) - len(tree.machines) :]
    for column, machine in zip(columns, tree.machines, strict=True):
        known = machine[~np.isnan(machine[:, -1])]
        yield (
            column,
            [
                (value, _terms(tree, weights[:-1]), float(weights[-1]))
                for value, weights in zip(column.domain, known, strict=True)
            ],
        )


def _terms(tree: ObliqueTree, weights: Floats) -> Terms:
    return tuple(
        (name, float(weight)) for name, weight in zip(tree.numeric_names, weights, strict=True) if weight
    )


def _weighed(tree: ObliqueTree) -> set[str]:
    terms = [terms for _, terms in _sums(tree)]
    terms += [terms for _, rivals in _machines(tree) for _, terms, _ in rivals]
    return {name for each in terms for name, _ in each}


def _sql_sum(terms: Terms) -> str:
    """Write a sum whose products are floats, however the database stores the columns."""
    products = []
    for name, weight in terms:
        number = f"CAST({sql_identifier(name)} AS DOUBLE PRECISION)"
        products.append(number if weight == 1 else f"{sql_literal(weight)} * {number}")
    return " + ".join(products) or "0.0"
