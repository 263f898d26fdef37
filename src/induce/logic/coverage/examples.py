"""Examples of a target relation: the rows of a table as tuples of terms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.cells import distinct
from induce.core.errors import InputError
from induce.core.values import Value, is_missing, plain
from induce.data.frames import RawColumn, raw_frame
from induce.logic.background.relations import Relations
from induce.logic.clauses import Literal, Predicate
from induce.logic.coverage.bindings import Coverage
from induce.logic.facts import Codes, Facts, Symbols
from induce.logic.terms import Constant, Function, Term, Text, Variable, listed

UNKNOWN = Constant("?")
"""Placeholder for a missing argument in a goal, whose value is unknown."""


def term_of_cell(cell: Any) -> Term:
    """Return the term of a table cell.

    Text becomes a name, an integer is the same whatever its dtype, booleans become the names used by Prolog, and a
    list becomes a Prolog list.

    Examples
    --------
    >>> print(term_of_cell("New York"), term_of_cell(3.0), term_of_cell(True), term_of_cell(["a", 1]))
    'New York' 3 true [a, 1]
    """
    cell = plain(cell)
    if isinstance(cell, Variable | Constant | Text | Function):
        return cell
    if isinstance(cell, bool):
        return Constant("true" if cell else "false")
    if isinstance(cell, float) and cell.is_integer():
        return Constant(int(cell))
    if isinstance(cell, str | int | float):
        return Constant(cell)
    if isinstance(cell, list | tuple | np.ndarray) or type(cell).__name__ == "Series":
        return listed([term_of_cell(part) for part in cell])
    return Constant(str(cell))


def coded_rows(X: Any, symbols: Symbols) -> tuple[Codes, tuple[str, ...]]:
    """Return the rows of a table as codes (-1 for missing values), and the column names.

    Cells of an object array may be lists or terms; other tables are read as for every learner.
    """
    if (isinstance(X, np.ndarray) and X.dtype == object and X.ndim == 2) or _holds_structures(X):
        cells = [list(row) for row in X]
        widths = {len(row) for row in cells}
        if len(widths) > 1:
            raise InputError(
                f"rows have {min(widths)} to {max(widths)} cells; give every row the same number"
            )
        width = widths.pop() if widths else (X.shape[1] if isinstance(X, np.ndarray) else 0)
        columns = [_codes([row[place] for row in cells], symbols) for place in range(width)]
        return _matrix(columns, len(cells)), default_names(width)
    raw = raw_frame(X)
    columns = [_codes_of_column(column, symbols) for column in raw.columns]
    return _matrix(columns, raw.n_rows), tuple(column.name for column in raw.columns)


def default_names(width: int) -> tuple[str, ...]:
    """Return default column names for a table without names."""
    return tuple(f"x{place}" for place in range(width))


def _holds_structures(X: Any) -> bool:
    """Return whether nested lists contain cells that no frame can hold: lists or terms."""
    return isinstance(X, list | tuple) and any(
        isinstance(cell, list | tuple | Function | Text | Constant)
        for row in X
        if isinstance(row, list | tuple)
        for cell in row
    )


def _codes(cells: Sequence[Any], symbols: Symbols) -> Codes:
    known: dict[tuple[type, Any], int] = {}
    found = np.empty(len(cells), np.int64)
    for place, cell in enumerate(cells):
        key = (type(cell), cell) if isinstance(cell, str | int | float) else None
        code = None if key is None else known.get(key)
        if code is None:
            code = -1 if is_missing(cell) else symbols.code(term_of_cell(cell))
            if key is not None:
                known[key] = code
        found[place] = code
    return found


def _codes_of_column(column: RawColumn, symbols: Symbols) -> Codes:
    cells = column.cells
    values = distinct(cells).to_list()
    if any(isinstance(cell, float) and math.isinf(cell) for cell in values):
        raise InputError(
            f"column {column.name!r} holds infinity; replace it by a finite number or a missing value"
        )
    code = {
        cell: -1 if is_missing(cell) else symbols.code(term_of_cell(cell)) for cell in values if cell == cell
    }
    return np.array([code.get(cell, -1) for cell in cells.to_list()], np.int64)


def _matrix(columns: list[Codes], n_rows: int) -> Codes:
    return np.stack(columns, 1) if columns else np.empty((n_rows, 0), np.int64)


@dataclass(frozen=True, eq=False)
class Examples:
    """Positive and negative examples of a target relation, with their background knowledge.

    Parameters
    ----------
    target : Predicate
    columns : tuple of str
        Names of the target's arguments.
    types : tuple of str
    rows : array of int64
        Arguments of each example, as codes.
    positive : array of bool
    relations : Relations
    classes : tuple of two values
        Negative class and positive class.
    """

    target: Predicate
    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: Codes
    positive: NDArray[np.bool_]
    relations: Relations
    classes: tuple[Value, Value] = (False, True)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def head(self) -> Literal:
        """Target literal with distinct variables A, B, C, …"""
        return Literal(self.target[0], tuple(map(variable, range(self.target[1]))))

    @property
    def declared(self) -> bool:
        """Whether modes restrict the literals in clauses for the target."""
        return any(mode.head and mode.predicate == self.target for mode in self.relations.modes)

    def facts(self) -> Facts:
        """Return the positive examples as facts of the target, for recursive clauses."""
        return Facts.of(self.rows[self.positive])

    def coverage(self) -> Coverage:
        """Return the coverage test for clauses; recursive calls are looked up among the known positive examples."""
        return Coverage(self.relations, {self.target: self.facts()})

    def literal(self, row: Sequence[int] | Codes) -> Literal:
        """Return the literal of an example given as codes."""
        terms = self.relations.symbols.terms
        return Literal(self.target[0], tuple(terms[code] if code >= 0 else UNKNOWN for code in row))


def variable(number: int) -> Variable:
    """Return the variables A, B, …, Z, A1, B1, … by number.

    Examples
    --------
    >>> [variable(number).name for number in (0, 25, 26)]
    ['A', 'Z', 'A1']
    """
    turn, letter = divmod(number, 26)
    return Variable(chr(ord("A") + letter) + (str(turn) if turn else ""))
