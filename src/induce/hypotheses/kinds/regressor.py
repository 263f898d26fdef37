"""Predictors of numbers."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from induce.data.frames import Floats
from induce.hypotheses.kinds.predictor import Predictor


class Regressor(Predictor):
    """A predictor of one or more numbers for each row.

    Subclasses define `_numbers`: an array with one number per row, or with one column per output.
    """

    answer: ClassVar[str] = "number"

    def predict(self, X: Any) -> Floats:
        """Return the predicted number, or numbers, of each row of a frame, an array or an encoded table."""
        return self._numbers(self.encoded(X))

    @abstractmethod
    def _numbers(self, table: Any) -> Floats:
        """Return the prediction for each row."""
