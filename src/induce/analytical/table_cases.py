"""Rows of an ordinary table as cases of a domain theory: each column is a predicate of a row and its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.values import is_missing
from induce.data.frames import raw_frame
from induce.logic.background.relations import Relations
from induce.logic.coverage.examples import term_of_cell
from induce.logic.facts import Codes
from induce.logic.terms import Constant

if TYPE_CHECKING:
    from induce.logic.clauses import Predicate
    from induce.logic.domain_theory import DomainTheory

ROW = "row {}"
"""The name of a case."""


def cases(X: Any) -> tuple[Relations, list[list[str]]]:
    """Return the facts that a table states about its rows, and the names of the rows.

    A cell is a fact ``column(row, value)``, and a cell that is true is ``column(row)``, too. A missing cell is no
    fact.

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
    """Say whether the columns of a table are predicates that a theory about single things speaks of."""
    if theory.predicate[1] != 1 or not (hasattr(X, "columns") or hasattr(X, "column_names")):
        return False
    called: set[Predicate] = {literal.predicate for clause in theory.program for literal in clause.body}
    open_ = {one for one in called if theory.is_operational(one)}
    names = [column.name for column in raw_frame(X).columns]
    return any((name, arity) in open_ for name in names for arity in (1, 2))
