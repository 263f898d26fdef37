"""Export formats of hypotheses: mixins that write the `expression()`."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from induce.data.schema import Schema
    from induce.hypotheses.expressions.nodes import Expression


class Expressed:
    """A hypothesis with an expression."""

    if TYPE_CHECKING:

        @property
        def schema(self) -> Schema:
            """Schema of the rows."""

        @property
        def target(self) -> str:
            """Name of the target."""

    @abstractmethod
    def expression(self) -> Expression:
        """Return the expression that `predict` computes."""


class SqlForm(Expressed):
    """A hypothesis that exports to SQL."""

    def to_sql(self, table: str = "data", key: str | None = None) -> str:
        """Return a query for the rows of `table`, or only their `key`, with a column "prediction".

        It runs in SQLite and DuckDB. The table must have the training columns: NULL is a missing value, dates are
        of a date type or ISO 8601 text.
        """
        from induce.hypotheses.writers.sql import sql_query

        return sql_query(self.expression(), table, key)


class PythonForm(Expressed):
    """A hypothesis that exports to Python."""

    def to_python(self, name: str = "predict") -> str:
        """Return the source of a dependency-free Python function from a row, as a dict, to the prediction."""
        from induce.hypotheses.writers.python import python_function

        return python_function(self.expression(), name, self.target)


class PrologForm(Expressed):
    """A hypothesis that exports to Prolog."""

    def to_prolog(self) -> str:
        """Return clauses of `class(Row, Class)` over facts such as `outlook(d1, sunny)`."""
        from induce.hypotheses.writers.prolog import prolog_program

        return prolog_program(self.expression(), self.schema.names())


class OnnxForm(Expressed):
    """A hypothesis that exports to ONNX."""

    def to_onnx(self) -> bytes:
        """Return a model with one input per column and the output "prediction" (needs the package onnx).

        Each input has one column. Numbers are doubles, NaN if missing. Nominal values are strings, empty if
        missing, or integers, where any undeclared one counts as missing.
        """
        from induce.hypotheses.writers.onnx import onnx_model

        return onnx_model(self.expression(), self.schema.inputs())


class LatexForm(Expressed):
    """A hypothesis that exports to LaTeX."""

    def to_latex(self) -> str:
        """Return the hypothesis as a formula in LaTeX."""
        from induce.hypotheses.writers.latex import latex_formula

        return latex_formula(self.expression(), self.target)
