"""Base of hypotheses that predict a target from a row of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from induce.core.hypothesis import Hypothesis
from induce.core.values import Value, plain
from induce.data.schema import Schema
from induce.data.table import as_table


class Predictor(Hypothesis):
    """A hypothesis that predicts the `target` of rows described by its `schema`."""

    speaks_of: ClassVar[str] = "rows"

    if TYPE_CHECKING:
        # fields of the dataclasses, or properties in some of them

        @property
        def schema(self) -> Schema: ...

        @property
        def target(self) -> str: ...

    def encoded(self, X: Any) -> Any:
        """Return rows encoded by its schema, unless they are already encoded."""
        return as_table(X, self.schema)

    def _lacking(self) -> dict[str, str]:
        odd = next((column.name for column in self.schema.inputs() if _mixed(column.domain)), None)
        return (
            {}
            if odd is None
            else {"onnx": f"column {odd!r} mixes types of values, which ONNX does not support"}
        )

    def targets(self) -> tuple[str, ...]:
        """Return the target column."""
        return (self.target,)


def _mixed(values: tuple[Value, ...]) -> bool:
    """Return whether values are of mixed types: not all strings, integers or Booleans."""
    kinds = {type(plain(value)) for value in values}
    return len(kinds) > 1 or not kinds <= {str, int, bool}
