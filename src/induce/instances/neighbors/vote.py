"""Classification by the vote of the nearest examples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.shapes import check_shapes
from induce.core.values import Value
from induce.data.table import Table
from induce.distances.rows import Floats, Rows
from induce.hypotheses.conflict_resolution import class_array, probabilities
from induce.hypotheses.kinds.classifier import ProbabilisticClassifier
from induce.hypotheses.naming import count_text, value_text
from induce.instances.nearby import Nearby, Places
from induce.instances.neighbors.stored import SHARE, Neighbors
from induce.instances.neighbors.stretched import nearby_stretched

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.instances.neighbors.explanation import VoteExplanation

TIES = ("nearest", "first", "last")
EQUAL = 1e-9
"""Relative difference below which votes are tied."""


@dataclass(frozen=True, eq=False)
class NeighborVote(Neighbors, ProbabilisticClassifier):
    """A classifier by the vote of the nearest examples (Mitchell, table 8.1 and equation 8.2).

    Parameters
    ----------
    schema, target, numeric, nominal, weights, distance, n_neighbors, kernel, algorithm, choice
        Fields of `Neighbors`.
    equidistant : {"share", "first"}
        Treatment of examples at the same distance as the last neighbour; see `Neighbors`.
    classes : tuple
        Classes in declared order.
    labels : array of int64
        Index in `classes` of the class of each example.
    ties : {"nearest", "first", "last"}
        Choice among classes with equal votes: the one with the nearest example, or the first or last declared.
    local_rows : int
        Number of nearest examples used to stretch the axes at each query; 0 disables it.
    origin : array of int64
        Row number of each example in the training table; empty if examples are its rows in order.
    """

    classes: tuple[Value, ...]
    labels: NDArray[np.int64]
    ties: str = "nearest"
    local_rows: int = 0
    origin: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def row_of(self, place: int) -> int:
        """Return the row number of an example in the training table."""
        return int(self.origin[place]) if len(self.origin) else place

    @property
    def n_outputs(self) -> int:
        """Number of outputs per query."""
        return len(self.classes)

    def _scores(self, table: Table) -> Floats:
        decided, votes = self.decide(self.queries(table))
        return probabilities(votes, decided)

    def decide(self, queries: Rows, own: Places | None = None) -> tuple[NDArray[np.intp], Floats]:
        """Return the index of the predicted class of each query, and the votes."""
        found = [
            self.counted(self.near(queries[part], None if own is None else own[part]))
            for part in self.blocks(len(queries))
        ]
        if not found:
            return np.zeros(0, dtype=np.intp), np.zeros((0, len(self.classes)))
        decided, votes = zip(*found, strict=True)
        return np.concatenate(decided), np.concatenate(votes)

    def near(self, queries: Rows, own: Places | None = None) -> Nearby:
        """Return the examples that count for each query, not yet weighted by the kernel."""
        return nearby_stretched(self, queries, own) if self.local_rows else super().near(queries, own)

    def counted(self, near: Nearby) -> tuple[NDArray[np.intp], Floats]:
        """Count the votes of the examples near each query; return the winner, and the votes."""
        weights, labels = self.kernel.among(near.distance, near.weights), self.labels[near.index]
        n, n_classes = len(labels), len(self.classes)
        cells = labels + n_classes * np.arange(n)[:, np.newaxis]
        votes: Floats = np.bincount(cells.ravel(), weights.ravel(), n * n_classes).astype(np.float64)
        votes = votes.reshape(n, n_classes)
        tied = votes >= votes.max(axis=1, keepdims=True) * (1 - EQUAL)
        if self.ties == "first":
            return tied.argmax(axis=1), votes
        if self.ties == "last":
            return n_classes - 1 - tied[:, ::-1].argmax(axis=1), votes
        if self.equidistant == SHARE:
            nearest = np.full(votes.shape, np.inf)
            reached = np.where(weights > 0, near.distance, np.inf)
            np.minimum.at(nearest.ravel(), cells.ravel(), reached.ravel())
            return np.where(tied, nearest, np.inf).argmin(axis=1), votes
        first = (np.take_along_axis(tied, labels, axis=1) & (weights > 0)).argmax(axis=1)
        return np.take_along_axis(labels, first[:, np.newaxis], axis=1)[:, 0], votes

    def said_by(self, near: Nearby) -> NDArray[Any]:
        """Return the class that the examples near each query vote for."""
        return class_array(self.classes)[self.counted(near)[0]]

    def to_python(self, name: str = "predict") -> str:
        """Return the source of a Python function from a dict, such as a row, to a class; it contains all
        examples.
        """
        from induce.instances.neighbors.python_source import vote_source

        if self.local_rows:
            raise InputError("cannot export axes that are stretched at each query to Python; use induce.save")
        return vote_source(self, self.labels.tolist(), self.classes, self.ties, name)

    def explain(self, X: Any) -> tuple[VoteExplanation, ...]:
        """Return, for each row, the examples that decided, and the nearest one of a different class."""
        from induce.instances.neighbors.explanation import explained_votes

        return explained_votes(self, X)

    def draw(self, columns: tuple[str, str] | None = None) -> Figure:
        """Return a figure of the regions of the classes over two columns, with the Voronoi cells of one neighbour.

        By default the columns are the first two numeric ones, or else the first two. The others are fixed at their
        median or most frequent value.
        """
        from induce.instances.neighbors.pictures import draw_regions

        return draw_regions(self, columns)

    def __str__(self) -> str:
        counts = np.bincount(self.labels, self.weights, len(self.classes))
        shown = ", ".join(
            f"{value_text(value)} {count_text(count)}"
            for value, count in zip(self.classes, counts, strict=True)
        )
        stretch = (
            [f"axes stretched at each query among {self.local_rows} examples"] if self.local_rows else []
        )
        return "\n".join(
            [f"vote of {self._voters()}", f"  {self.target}: {shown}", *stretch, *self._chosen()]
        )

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        super().check()
        check_shapes(self, {"labels": "n", "origin": "rows"})
        labels = self.labels
        fits = labels.shape == self.weights.shape and len(self.origin) in (0, len(labels))
        if not fits or not ((labels >= 0) & (labels < len(self.classes))).all():
            raise InputError("the classes of the stored examples are inconsistent; fit the hypothesis again")
