"""Hypotheses about sequences."""

from __future__ import annotations

from typing import Any, ClassVar

from numpy.typing import NDArray

from induce.hypotheses.kinds.density import Density


class Chain(Density):
    """A density of whole sequences of rows, which decodes the hidden state of each step."""

    speaks_of: ClassVar[str] = "sequences"
    takes_tables: ClassVar[bool] = False

    def decode(self, X: Any) -> NDArray[Any]:
        """Return the state of each step in the most probable path of its sequence."""
        raise TypeError(f"{type(self).__name__} does not decode states")
