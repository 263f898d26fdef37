"""Translation of clauses about table rows to tests on columns."""

from __future__ import annotations

from collections.abc import Sequence

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.hypotheses.expressions.nodes import (
    Cell,
    Comparison,
    Expression,
    Membership,
    Missing,
    Not,
    Number,
    Or,
    Product,
    WeightedSum,
)
from induce.hypotheses.expressions.nodes import Constant as Said
from induce.hypotheses.expressions.shapes import all_of
from induce.logic.clauses import Clause, Literal
from induce.logic.coverage.examples import term_of_cell
from induce.logic.stratification import written
from induce.logic.terms import Constant, Function, Term, Variable

SIGNS = {
    **dict.fromkeys(("<", "less_than"), "<"),
    **dict.fromkeys((">", "greater_than"), ">"),
    **dict.fromkeys(("=:=", "=", "==", "equal", "is"), "="),
    "=<": "<=",
    ">=": ">=",
}
UNEQUAL = frozenset({"=\\=", "\\=", "\\=="})
SWAPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}


class ColumnTests:
    """Translator of clauses to expressions over columns.

    Parameters
    ----------
    schema : Schema
    clauses : sequence of Clause
        Clauses of the target, and of the predicates that they negate.
    """

    def __init__(self, schema: Schema, clauses: Sequence[Clause]) -> None:
        self.columns = {column.name: column for column in schema.inputs()}
        self.defined: dict[tuple[str, int], list[Clause]] = {}
        for clause in clauses:
            if clause.head is not None:
                self.defined.setdefault(clause.head.predicate, []).append(clause)

    def of(self, clause: Clause) -> Expression:
        """Return the condition that a clause imposes on a row."""
        if clause.head is None or len(clause.head.arguments) != 1:
            raise InputError(f"a clause about rows has one argument: {clause}")
        return _Clause(self, clause).test()

    def column(self, literal: Literal) -> Column | None:
        """Return the column that a literal refers to, or None."""
        found = self.columns.get(literal.name)
        return found if len(literal.arguments) in (1, 2) else None


class _Clause:
    """Single clause: its row variable, and the values of its other variables."""

    def __init__(self, tests: ColumnTests, clause: Clause) -> None:
        assert clause.head is not None
        self.tests, self.clause = tests, clause
        self.row = clause.head.arguments[0]
        self.cells: dict[Variable, Cell] = {}
        self.values: dict[Variable, Term] = {}
        for literal in clause.body:
            column = None if literal.negated else tests.column(literal)
            last = literal.arguments[-1] if literal.arguments else None
            if column is not None and len(literal.arguments) == 2 and isinstance(last, Variable):
                if last in self.cells or last == self.row:
                    raise self.error(f"{last} is the value of two columns")
                self.cells[last] = Cell(column)
        for literal in clause.body:
            first = literal.arguments[0] if len(literal.arguments) == 2 else None
            defines = literal.name in ("equal", "is", "=") and not literal.negated
            if defines and isinstance(first, Variable) and first not in (*self.cells, *self.values):
                self.values[first] = literal.arguments[1]

    def test(self) -> Expression:
        return all_of([test for literal in self.clause.body for test in self.literal(literal)])

    def literal(self, literal: Literal) -> list[Expression]:
        """Return the condition of a literal; None if it only binds a variable."""
        column = self.tests.column(literal)
        if column is not None:
            return self.cell_test(literal, column)
        first = literal.arguments[0] if literal.arguments else None
        if isinstance(first, Variable) and self.values.get(first) == literal.arguments[-1]:
            return []
        if literal.name in SIGNS or literal.name in UNEQUAL:
            test = self.comparison(literal)
        elif literal.predicate in self.tests.defined and literal.arguments == (self.row,):
            ways = tuple(self.tests.of(one) for one in self.tests.defined[literal.predicate])
            test = ways[0] if len(ways) == 1 else Or(ways)
        else:
            raise self.error(f"{written(literal.predicate)} is not a column of the table")
        return [Not(test) if literal.negated else test]

    def cell_test(self, literal: Literal, column: Column) -> list[Expression]:
        cell = Cell(column)
        if literal.arguments[0] != self.row:
            raise self.error(f"{literal} is about another row")
        value = literal.arguments[1] if len(literal.arguments) == 2 else Constant("true")
        if isinstance(value, Variable):
            if literal.negated:
                return [Missing(cell)]
            return [] if self.compared(value) else [Not(Missing(cell))]
        if column.kind == "nominal":
            named = tuple(one for one in column.domain if term_of_cell(one) == value)
            if not named:
                # the value does not occur in this column
                return [] if literal.negated else [Said(False)]
            test: Expression = Membership(cell, named)
        elif isinstance(value, Constant) and isinstance(value.value, str):
            # a numeric column, or one without values, never holds a name
            return [] if literal.negated else [Said(False)]
        else:
            test = Comparison(cell, "=", Said(self.constant(value)))
        return [Or((Missing(cell), Not(test))) if literal.negated else test]

    def compared(self, value: Variable) -> bool:
        """Return whether a comparison with a constant is false for missing values."""
        return any(
            value in literal.arguments and not all(map(self.involved, literal.arguments))
            for literal in self.clause.body
            if literal.name in SIGNS and not literal.negated
        )

    def comparison(self, literal: Literal) -> Expression:
        sign = "=" if literal.name in UNEQUAL else SIGNS[literal.name]
        left, right = literal.arguments
        if not self.involved(left) and self.involved(right):
            left, right, sign = right, left, SWAPPED[sign]
        plain = self.resolved(left)
        if isinstance(plain, Variable) and plain in self.cells and not self.involved(right):
            cell = self.cells[plain]
            value = self.resolved(right)
            if cell.column.kind == "nominal":
                named = tuple(one for one in cell.column.domain if term_of_cell(one) == value)
                if sign != "=" or not named:
                    raise self.error(f"{literal} compares names in {cell.column.name!r}")
                test: Expression = Membership(cell, named)
            else:
                test = Comparison(cell, sign, Said(self.constant(value)))
        else:
            test = Comparison(self.number(left), sign, self.number(right))
        return Not(test) if literal.name in UNEQUAL else test

    def resolved(self, term: Term) -> Term:
        while isinstance(term, Variable) and term in self.values:
            term = self.values[term]
        return term

    def involved(self, term: Term) -> bool:
        """Return whether a term depends on a column."""
        term = self.resolved(term)
        if isinstance(term, Function):
            return any(map(self.involved, term.arguments))
        return isinstance(term, Variable)

    def number(self, term: Term) -> Expression:
        term = self.resolved(term)
        if isinstance(term, Variable):
            if term not in self.cells or self.cells[term].column.kind == "nominal":
                raise self.error(f"{term} is not a number in a column")
            return Number(self.cells[term], 0.0)
        if isinstance(term, Function) and len(term.arguments) == 2:
            left, right = map(self.number, term.arguments)
            if term.name in ("*", "times"):
                return Product((left, right))
            if term.name in ("+", "plus"):
                return WeightedSum(0.0, (1.0, 1.0), (left, right))
            if term.name in ("-", "minus"):
                return WeightedSum(0.0, (1.0, -1.0), (left, right))
        return Said(self.constant(term))

    def constant(self, term: Term) -> float:
        if isinstance(term, Constant) and not isinstance(term.value, str):
            return float(term.value)
        raise self.error(f"{term} is not a number")

    def error(self, why: str) -> InputError:
        return InputError(f"{self.clause} is not a rule over columns: {why}")
