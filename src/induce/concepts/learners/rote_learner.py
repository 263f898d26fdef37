"""The rote learner, which remembers and never generalises (Mitchell §2.7.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from induce.core.errors import InputError
from induce.core.values import Value
from induce.hypotheses.naming import value_text


class RoteLearner(ClassifierMixin, BaseEstimator):
    """Remembers the examples and refuses everything else: a learner without any bias (Mitchell 2.7.3).

    `predict` must say something: it says the most frequent class of the examples where `decide` refuses, so that
    `evaluate` shows what remembering is worth.

    Examples
    --------
    >>> rote = RoteLearner().fit([["Sunny"]], ["Yes"])
    >>> rote.decide([["Sunny"], ["Rainy"]])
    ('Yes', None)
    """

    def fit(self, X: Any, y: Sequence[Value]) -> RoteLearner:
        """Remember the examples; one instance must not have two classes."""
        memory: dict[tuple[Any, ...], Value] = {}
        for row, label in zip(_rows(X), y, strict=True):
            if memory.setdefault(row, label) != label:
                raise InputError(
                    f"one instance is both {value_text(memory[row])} and {value_text(label)} in y; leave one of "
                    "them out"
                )
        self.memory_ = memory
        self.classes_, counts = np.unique(np.asarray(y), return_counts=True)
        self.commonest_ = self.classes_[counts.argmax()]
        return self

    def decide(self, X: Any) -> tuple[Value | None, ...]:
        """Return the remembered class of each row, or None."""
        return tuple(self.memory_.get(row) for row in _rows(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the remembered class of each row, or the most frequent one."""
        said = [self.commonest_ if label is None else label for label in self.decide(X)]
        return np.array(said, dtype=self.classes_.dtype)


def _rows(X: Any) -> list[tuple[Any, ...]]:
    if hasattr(X, "rows"):
        return [tuple(row) for row in X.rows()]
    return [tuple(row) for row in np.asarray(X, dtype=object).tolist()]
