"""The rote learner, which memorises the examples and never generalises (Mitchell §2.7.3)."""

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
    """A learner without any bias: it stores the examples and rejects everything else (Mitchell 2.7.3).

    `predict` is table lookup with a default (AIMA 18.8): where `decide` returns None, it returns the default,
    so that `evaluate` shows how much memorisation is worth.

    Parameters
    ----------
    default : class, optional
        Class of instances that are not in the table; None uses the most frequent class in training.

    Examples
    --------
    >>> rote = RoteLearner(default="No").fit([["Sunny"]], ["Yes"])
    >>> rote.decide([["Sunny"], ["Rainy"]])
    ('Yes', None)
    >>> rote.predict([["Sunny"], ["Rainy"]]).tolist()
    ['Yes', 'No']
    """

    def __init__(self, default: Value | None = None) -> None:
        self.default = default

    def fit(self, X: Any, y: Sequence[Value]) -> RoteLearner:
        """Store the examples; an instance with two classes is an error."""
        memory: dict[tuple[Any, ...], Value] = {}
        for row, label in zip(_rows(X), y, strict=True):
            if memory.setdefault(row, label) != label:
                raise InputError(
                    f"the same instance is both {value_text(memory[row])} and {value_text(label)} in "
                    "y; leave one of the rows out"
                )
        self.memory_ = memory
        self.classes_, counts = np.unique(np.asarray(y), return_counts=True)
        self.commonest_ = self.classes_[counts.argmax()]
        return self

    def decide(self, X: Any) -> tuple[Value | None, ...]:
        """Return the stored class of each row, or None."""
        return tuple(self.memory_.get(row) for row in _rows(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the remembered class of each row, or the default."""
        default = self.commonest_ if self.default is None else self.default
        return np.array([default if label is None else label for label in self.decide(X)])


def _rows(X: Any) -> list[tuple[Any, ...]]:
    if hasattr(X, "rows"):
        return [tuple(row) for row in X.rows()]
    return [tuple(row) for row in np.asarray(X, dtype=object).tolist()]
