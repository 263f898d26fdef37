"""Voting examples: the hypothesis of a disjunctive version space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.concepts.conjunctions import Conjunctions
from induce.concepts.facets import Cells
from induce.concepts.language import Mask
from induce.core.errors import InputError
from induce.core.explained import Saying
from induce.core.forms import Parts
from induce.core.loops import repeated
from induce.core.values import Value
from induce.data.schema import Schema
from induce.hypotheses.kinds.classifier import ProbabilisticClassifier
from induce.hypotheses.naming import plural, value_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEP = 20_000_000
"""Number of cell comparisons per step, which cannot be interrupted."""


@dataclass(frozen=True, eq=False)
class VotingExamples(ProbabilisticClassifier):
    """Examples that vote for instances that differ from examples of other classes in the same way as they do.

    Parameters
    ----------
    language : Conjunctions
        Language of the attributes.
    target : str
        Name of the target column.
    classes : tuple
        The classes, in the order in which ties are broken.
    cells : array
        The examples.
    labels : array of int64
        Index of the class of each example.
    matches : int
        Minimum number M of shared attributes among those that distinguish an example from one of another class.
    violations : int
        Maximum number epsilon of examples of other classes for which this may fail.
    """

    language: Conjunctions
    target: str
    classes: tuple[Value, ...]
    cells: Cells
    labels: NDArray[np.int64]
    matches: int = 1
    violations: int = 0

    @property
    def schema(self) -> Schema:
        """The training columns."""
        return self.language.attributes.schema

    def encoded(self, X: Any) -> Cells:
        """Return rows encoded as cell indices of the attributes."""
        return self.language.attributes.encode(X)

    def votes(self, X: Any) -> Mask:
        """Return, for each row and example, whether the row is in the version space of the example."""
        return self._votes(self.encoded(X))

    def _votes(self, rows: Cells) -> Mask:
        from induce.concepts import _loops

        line = np.array([facet.line for facet in self.language.attributes.facets])
        found = np.zeros((len(rows), len(self.cells)), dtype=np.bool_)
        step = max(1, STEP // max(1, len(self.cells) ** 2 * rows.shape[1]))
        for label in range(len(self.classes)):
            mine, others = self.labels == label, self.cells[self.labels != label]
            seeds = np.ascontiguousarray(self.cells[mine])
            for first in range(0, len(rows), step):
                part = np.ascontiguousarray(rows[first : first + step])
                votes = repeated(_loops.discriminating_votes, float(part.size) * len(seeds) * len(others))
                found[first : first + step, mine] = votes(
                    part, seeds, others, line, self.matches, self.violations
                )
        return found

    def _scores(self, rows: Cells) -> NDArray[np.float64]:
        votes = self._votes(rows)
        by_class = np.stack(
            [votes[:, self.labels == k].sum(axis=1) for k in range(len(self.classes))], axis=1
        )
        all_ = np.bincount(self.labels, minlength=len(self.classes)).astype(np.float64)
        silent = ~by_class.any(axis=1)
        counts = by_class.astype(np.float64)
        counts[silent] = all_
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def explain(self, X: Any) -> tuple[Saying, ...]:
        """Return, for each row, the number of voting examples of each class."""
        votes = self.votes(X)
        return tuple(
            Saying(
                ", ".join(
                    f"{int(row[self.labels == k].sum())} for {value}" for k, value in enumerate(self.classes)
                )
            )
            for row in votes
        )

    def size(self) -> str:
        """Return the number of voting examples."""
        return plural(len(self.cells), "voting example")

    def parts(self) -> Parts:
        """Return an unknown number of parts: there is nothing to read but the examples."""
        return Parts(None, "it keeps its examples, each of which votes")

    def __str__(self) -> str:
        need = (
            f"{plural(self.matches, 'attribute')} shared that distinguish it from an example of another class"
        )
        return f"{self.size()}; a vote needs {need}, with {plural(self.violations, 'exception')}"

    def draw(self) -> Figure:
        """Return a figure of the number of voting examples of each class."""
        from induce.pictures.style import PALETTE, axes_for, tidy

        figure, axes = axes_for(None, height=1.4 + 0.4 * len(self.classes))
        numbers = np.bincount(self.labels, minlength=len(self.classes))
        axes.barh(range(len(self.classes)), numbers, color=PALETTE[0], height=0.7)
        axes.set_yticks(range(len(self.classes)), list(map(value_text, self.classes)), parse_math=False)
        axes.invert_yaxis()
        axes.set_xlabel("examples that vote")
        axes.set_title(str(self), fontsize=9, loc="left", parse_math=False)
        tidy(axes, "x")
        return figure

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        n, widths = len(self.labels), self.language.attributes.widths
        if not (
            self.cells.shape == (n, len(widths))
            and self.labels.shape == (n,)
            and n > 0
            and self.cells.dtype == self.labels.dtype == np.int64
            and bool(((self.cells >= 0) & (self.cells < widths)).all())
            and bool(((self.labels >= 0) & (self.labels < len(self.classes))).all())
        ):
            raise InputError("the examples do not match the attributes or the classes")
