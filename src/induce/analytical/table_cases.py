"""Rows of a table as cases of a domain theory: each column is a predicate of a row and its value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value, is_missing
from induce.data.frames import RawFrame, raw_frame
from induce.data.schema import Schema
from induce.data.table import infer_schema
from induce.logic.background.relations import Relations
from induce.logic.coverage.examples import term_of_cell
from induce.logic.facts import Codes
from induce.logic.library import is_built_in
from induce.logic.terms import Constant
from induce.logic.unfolding import partially_evaluated

if TYPE_CHECKING:
    from induce.logic.clauses import Clause, Literal, Predicate
    from induce.logic.domain_theory import DomainTheory

ROW = "row {}"
"""Name of the case argument."""


def cases(X: Any) -> tuple[Relations, list[list[str]]]:
    """Return the facts that a table states about its rows, and the names of the rows.

    A cell is a fact ``column(row, value)``, and a true cell is also ``column(row)``. A missing cell is not a fact.

    Parameters
    ----------
    X : frame or array
        Table with one case per row.

    Examples
    --------
    >>> import polars as pl
    >>> facts, rows = cases(pl.DataFrame({"age": [30, None], "smoker": [True, False]}))
    >>> print("\\n".join(facts.listing()))
    age('row 1', 30).
    smoker('row 1', true).
    smoker('row 2', false).
    smoker('row 1').
    >>> rows
    [['row 1'], ['row 2']]
    """
    raw = raw_frame(X)
    terms: dict[Any, int] = {}
    names = [ROW.format(number + 1) for number in range(raw.n_rows)]
    stored: list[Any] = list(names)
    facts: dict[str, Codes] = {}
    for column in raw.columns:
        codes = np.full(raw.n_rows, -1, np.int64)
        cells = column.cells.to_list()
        for row, cell in enumerate(cells):
            if is_missing(cell):
                continue
            term = term_of_cell(cell)
            value = term.value if isinstance(term, Constant) else str(term)
            key = type(value), value
            if key not in terms:
                terms[key] = len(stored)
                stored.append(value)
            codes[row] = terms[key]
        known = np.flatnonzero(codes >= 0)
        facts[f"{column.name}/2"] = np.column_stack([known, codes[known]])
        if all(isinstance(cell, bool) for cell in cells if not is_missing(cell)) and len(known):
            true = np.array([row for row in known.tolist() if cells[row]], np.int64)
            facts[f"{column.name}/1"] = true.reshape(-1, 1)
    return Relations(terms=stored, facts=facts), [[name] for name in names]


def are_cases(X: Any, theory: DomainTheory) -> bool:
    """Return whether the columns of a table are predicates of a theory about single objects."""
    if theory.predicate[1] != 1 or not (hasattr(X, "columns") or hasattr(X, "column_names")):
        return False
    called: set[Predicate] = {literal.predicate for clause in theory.program for literal in clause.body}
    open_ = {one for one in called if theory.is_operational(one)}
    names = [column.name for column in raw_frame(X).columns]
    return any((name, arity) in open_ for name in names for arity in (1, 2))


def case_schema(X: Any, theory: DomainTheory) -> Schema:
    """Return the schema of a table of cases; an empty column is nominal if the theory expects names."""
    raw = raw_frame(X)
    asked = _names_asked(theory.program)
    nominal = {one: "nominal" for one in _without_values(raw) if one in asked}
    return infer_schema(raw, names=True).override(nominal)


def widened_schema(schema: Schema, X: Any) -> Schema:
    """Return a schema extended by the values of further rows."""
    raw = raw_frame(X)
    further = infer_schema(raw, names=True)
    empty = _without_values(raw)
    found = []
    for column in schema:
        other = further[column.name]
        if column.name not in empty and other.kind != column.kind:
            raise InputError(
                f"column {column.name!r} was {column.kind}, but is {other.kind} in these rows; fit all rows together"
            )
        found.append(replace(column, domain=tuple(dict.fromkeys((*column.domain, *other.domain)))))
    return Schema(tuple(found))


def naming(schema: Schema, clauses: Iterable[Clause]) -> Schema:
    """Return a schema whose nominal columns also include the names mentioned in clauses.

    These names may be absent from the training table but occur in later rows.
    """
    asked = _names_asked(clauses)
    return Schema(
        tuple(
            replace(column, domain=tuple(dict.fromkeys((*column.domain, *asked.get(column.name, ())))))
            if column.kind == "nominal" and all(isinstance(value, str) for value in column.domain)
            else column
            for column in schema
        )
    )


def _names_asked(clauses: Iterable[Clause]) -> dict[str, dict[Value, None]]:
    """Return for each predicate the names that clauses mention as its second argument."""
    asked: dict[str, dict[Value, None]] = {}
    for clause in clauses:
        for literal in clause.body:
            last = literal.arguments[-1] if len(literal.arguments) == 2 else None
            if isinstance(last, Constant) and isinstance(last.value, str):
                asked.setdefault(literal.name, {})[last.value] = None
    return asked


def _without_values(raw: RawFrame) -> set[str]:
    return {column.name for column in raw.columns if all(map(is_missing, column.cells.to_list()))}


def flat_over_columns(theory: DomainTheory, schema: Schema) -> tuple[Clause, ...]:
    """Return a theory as flat clauses over the columns of a table, with the clauses of negated predicates.

    A predicate that is neither a column nor defined never holds.
    """
    if theory.recursive:
        raise InputError(
            "a recursive theory has no flat clauses over columns, so it cannot be the fallback; omit fallback"
        )
    names = schema.inputs().names()
    flat = partially_evaluated(theory).program

    def can_hold(literal: Literal) -> bool:
        known = literal.predicate in flat.by_predicate or is_built_in(literal.predicate)
        return literal.negated or known or literal.name in names

    return tuple(clause for clause in flat if all(map(can_hold, clause.body)))
