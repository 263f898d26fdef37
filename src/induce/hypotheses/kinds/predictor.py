"""Base of hypotheses that predict a target from a row of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from induce.core.hypothesis import Hypothesis
from induce.core.values import Value, plain
from induce.data.schema import Schema
from induce.data.table import as_table


class Predictor(Hypothesis):
    """A hypothesis that predicts the `target` of a row whose columns its `schema` describes."""

    speaks_of: ClassVar[str] = "rows"

    if TYPE_CHECKING:
        # fields of the dataclasses; some compute them instead

        @property
        def schema(self) -> Schema: ...

        @property
        def target(self) -> str: ...

    def encoded(self, X: Any) -> Any:
        """Return rows in encoded form: encoded by its schema, unless they are already."""
        return as_table(X, self.schema)

    def _lacking(self) -> dict[str, str]:
        odd = next((column.name for column in self.schema.inputs() if _mixed(column.domain)), None)
        return {} if odd is None else {"onnx": f"column {odd!r} has values that ONNX has no table for"}

    def targets(self) -> tuple[str, ...]:
        """Return the column that it predicts."""
        return (self.target,)


def _mixed(values: tuple[Value, ...]) -> bool:
    """Return whether values are not all strings, all whole numbers or all truth values."""
    kinds = {type(plain(value)) for value in values}
    return len(kinds) > 1 or not kinds <= {str, int, bool}
