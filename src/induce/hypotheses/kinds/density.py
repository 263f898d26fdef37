"""Hypotheses about the distribution of rows."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.hypothesis import Hypothesis
from induce.core.ties import first_largest_of_each
from induce.data.schema import Schema
from induce.data.table import as_table

if TYPE_CHECKING:
    from induce.core.randomness import RandomState


class Density(Hypothesis):
    """A hypothesis about the distribution of rows: it scores rows and samples new ones.

    Subclasses have a `schema` of the columns.
    """

    speaks_of: ClassVar[str] = "rows"
    generates: ClassVar[bool] = True
    answer: ClassVar[str] = "log density"

    if TYPE_CHECKING:

        @property
        def schema(self) -> Schema: ...

    def encoded(self, X: Any) -> Any:
        """Return rows encoded by its schema, unless they are already encoded."""
        return as_table(X, self.schema)

    def answers(self, X: Any) -> Any:
        """Return the log density of each row of `X`."""
        return self.score_samples(X)

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return the log density of each row of `X`."""
        raise TypeError(f"{type(self).__name__} has no density")

    def sample(self, n: int = 1, random_state: RandomState = None) -> Any:
        """Return a polars frame of `n` rows drawn at random."""
        raise TypeError(f"cannot draw rows from a {type(self).__name__}")


class Clustering(Density):
    """A density of several clusters: it also assigns rows to clusters, numbered from 0."""

    answer: ClassVar[str] = "cluster"

    if TYPE_CHECKING:

        @property
        def classes(self) -> tuple[int, ...]: ...

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the most likely cluster of each row."""
        return np.asarray(first_largest_of_each(self._scores(self.encoded(X))), np.int64)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each cluster for each row of `X`."""
        logs = self._scores(self.encoded(X))
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    @abstractmethod
    def _scores(self, table: Any) -> NDArray[np.float64]:
        """Return the log evidence for each cluster of each row; the largest decides."""

    def answers(self, X: Any) -> Any:
        """Return the cluster of each row of `X`."""
        return self.predict(X)
