"""What every learned thing has in common."""

from __future__ import annotations

from dataclasses import Field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

if TYPE_CHECKING:
    from induce.core.values import Value


class Hypothesis:
    """A learned hypothesis: an immutable value that predicts, prints, draws and explains itself.

    Subclasses are frozen dataclasses whose fields the model file can hold: None, bool, int, float, str,
    tuples and string-keyed dicts of these, numpy arrays of numbers, and other registered dataclasses.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    classes: tuple[Value, ...]
    takes_tables: ClassVar[bool] = True
    """Whether it takes rows that are encoded by its schema, as well as frames and arrays."""

    def size(self) -> str:
        """Return how large the hypothesis is, in its own words."""
        return ""

    def predict(self, X: Any) -> Any:
        """Return one prediction per row of `X`."""
        raise TypeError(f"{type(self).__name__} does not predict")

    def explain(self, X: Any) -> tuple[Any, ...]:
        """Return, for each row of `X`, what decided its prediction."""
        raise TypeError(f"{type(self).__name__} does not explain")

    def draw(self) -> Any:
        """Return a matplotlib figure of the hypothesis."""
        raise TypeError(f"{type(self).__name__} has no picture")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = self.__dataclass_fields__
        return all(_same(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        return hash((type(self), self.classes))

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def _same(mine: Any, other: Any) -> bool:
    if isinstance(mine, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(mine, other, equal_nan=mine.dtype.kind == "f")
    return bool(mine == other)
