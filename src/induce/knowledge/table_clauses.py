"""A table as FOIL reads it: rows as tuples, columns as arguments of the target, clauses as conditions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.data.schema import Schema
from induce.data.table import Table
from induce.hypotheses.conditions import Above, AtMost, Condition, Is, none_of, simplified
from induce.knowledge.literal_theory import column_variables, value_term
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes
from induce.logic.terms import Constant, Term, Variable
from induce.relational.clauses.language import Language
from induce.relational.clauses.limits import Budget
from induce.relational.clauses.literals import Vocabulary
from induce.relational.clauses.recursion import Guard
from induce.relational.foil.covering import Cover
from induce.relational.foil.scores import Forms
from induce.relational.foil.space import ClauseSearch
from induce.relational.foil.steps import Steps
from induce.relational.foil.suggestions import Suggester

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _TableExamples(Examples):
    """Examples whose head has one variable per column."""

    names: tuple[Variable, ...] = ()

    @property
    def head(self) -> Literal:
        """Target literal over the columns, with variables named after them."""
        return Literal(self.target[0], self.names)


@dataclass(frozen=True, eq=False)
class TableClauses:
    """Rows of a table as examples of a target, and clauses about them as conditions.

    Every column has its own type, so that no clause compares two columns. A missing value is a missing
    argument, for which no comparison holds.

    Parameters
    ----------
    schema : Schema
    rows : array of int64
        Codes of the cells.
    relations : Relations
        Background without relations, and the terms that the codes stand for.
    """

    schema: Schema
    rows: Codes
    relations: Relations

    @classmethod
    def of(cls, table: Table) -> TableClauses:
        """Encode a table."""
        relations = Relations()
        symbols = relations.symbols
        rows = np.full((len(table), len(table.schema)), -1, np.int64)
        for place, column in enumerate(table.schema):
            cells = table.column(place)
            if column.kind == "nominal":
                codes = symbols.codes([value_term(column, code) for code in range(len(column.domain))])
                known = cells >= 0
            elif column.kind == "numeric":
                known = ~np.isnan(cells)
                numbers, cells = np.unique(np.where(known, cells, 0.0), return_inverse=True)
                if len(np.unique(table.column(place)[known])) < 2:
                    continue  # there are no relations to look up
                codes = symbols.codes([Constant(float(number)) for number in numbers])
            else:
                continue
            if len(codes):
                rows[:, place] = np.where(known, codes[np.where(known, cells, 0)], -1)
        return cls(table.schema, rows, relations)

    def examples(self, name: str, positive: Mask, among: Mask) -> Examples:
        """Return selected rows as positive and negative examples."""
        target = (name, len(self.schema))
        rows = self.rows[among]
        types = tuple(f"column {place}" for place in range(len(self.schema)))
        relations = self.relations.with_examples(target, rows)
        return _TableExamples(
            target,
            self.schema.names(),
            types,
            rows,
            positive[among],
            relations,
            names=column_variables(self.schema),
        )

    def cover(
        self,
        examples: Examples,
        suggester: Suggester | None = None,
        *,
        max_literals: int | None = 10,
        encoding_length: bool = True,
        min_accuracy: float = 0.8,
        beam_width: int = 1,
    ) -> Cover:
        """Return FOIL's search for clauses about the columns; parameters are those of `FOIL`."""
        search = ClauseSearch(
            width=beam_width,
            max_literals=max_literals,
            encoding_length=encoding_length,
            min_accuracy=min_accuracy,
        )
        vocabulary = Vocabulary(examples, undeclared=True, recursive=False)
        steps = Steps(vocabulary, Forms(), Budget(None, None), Language(examples))
        return Cover(examples, steps, search, Guard(examples.target, None), suggester)

    def conditions(self, clause: Clause) -> tuple[Condition, ...]:
        """Return the body of a clause as conditions on columns."""
        assert clause.head is not None
        names: dict[Term, int] = {name: place for place, name in enumerate(clause.head.variables())}
        return simplified(tuple(self._condition(one, names) for one in clause.body))

    def _condition(self, literal: Literal, names: dict[Term, int]) -> Condition:
        column = self.schema[self.schema.names()[names[literal.arguments[0]]]]
        value = literal.arguments[1]
        assert isinstance(value, Constant)
        if literal.name in ("=<", ">"):
            return (AtMost if literal.name == "=<" else Above)(column.name, float(value.value))
        place = next(
            code for code in range(len(column.domain)) if value_term(column, code).value == value.value
        )
        if literal.name == "=":
            return Is(column.name, column.domain[place])
        return none_of(column, (column.domain[place],))
