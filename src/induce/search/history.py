"""Course of a search: the report shared by evolution and plain search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.reports import text_table
from induce.core.ties import ranked

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN = 12
"""Maximum number of lines of a printed history."""


@dataclass(frozen=True)
class Row:
    """State of a search after some evaluations.

    Parameters
    ----------
    evaluations : int
        Number of evaluations so far.
    best : float
        Best score so far.
    top, mean : float
        Best and mean score of the current states.
    diversity : float
        Mean distance between current states, from 0 to 1.
    """

    evaluations: int
    best: float
    top: float
    mean: float
    diversity: float = 0.0


@dataclass(frozen=True)
class History:
    """Course of a search, generation by generation.

    Parameters
    ----------
    method : str
        Name of the search method.
    rows : tuple of Row
        Course of the search, one row per report.
    problems : dict
        Reasons of failed evaluations, with their counts.
    minimise : bool
        Whether lower scores are better.
    """

    method: str
    rows: tuple[Row, ...] = ()
    problems: Mapping[str, int] = field(default_factory=dict)
    minimise: bool = False

    @property
    def evaluations(self) -> int:
        """Number of evaluations of the score."""
        return self.rows[-1].evaluations if self.rows else 0

    @property
    def best(self) -> float:
        """Best score of the whole search."""
        return self.rows[-1].best if self.rows else np.nan

    @property
    def failures(self) -> int:
        """Number of failed evaluations."""
        return sum(self.problems.values())

    def extended(self, row: Row, problems: Mapping[str, int]) -> History:
        """Return the history with one more row."""
        merged = self.problems if not problems else dict(Counter(self.problems) + Counter(problems))
        return History(self.method, (*self.rows, row), merged, self.minimise)

    def __str__(self) -> str:
        step = max(1, -(-len(self.rows) // SHOWN))
        kept = sorted({*range(0, len(self.rows), step), len(self.rows) - 1}) if self.rows else []
        lines: list[Sequence[str]] = [("generation", "evaluations", "best", "mean", "diversity")]
        lines += [
            (str(k), f"{r.evaluations:,}", f"{r.best:.6g}", f"{r.mean:.6g}", f"{r.diversity:.3f}")
            for k, r in ((k, self.rows[k]) for k in kept)
        ]
        text = f"{self.method}\n{text_table(lines)}"
        return f"{text}\n{self.failed()}" if self.problems else text

    def failed(self) -> str:
        """Return a sentence about the evaluations that failed."""
        if not self.problems:
            return "no evaluation failed"
        reason, often = max(self.problems.items(), key=lambda item: item[1])
        return f"{self.failures:,} of {self.evaluations:,} evaluations failed, {often:,} with {reason}"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the best and the mean score against the number of evaluations."""
        from induce.pictures.style import PALETTE, axes_for, tidy

        figure, axes = axes_for(ax)
        x = [row.evaluations for row in self.rows]
        axes.plot(x, [row.best for row in self.rows], color=PALETTE[0], label="best so far")
        axes.plot(x, [row.mean for row in self.rows], color=PALETTE[1], label="mean of the current states")
        axes.set_xlabel("evaluations")
        axes.set_ylabel("fitness")
        axes.legend(frameon=False, fontsize=9)
        axes.set_title(self.method, fontsize=10, loc="left")
        tidy(axes)
        return figure


def draw_histories(histories: Mapping[str, History], ax: Axes | None = None) -> Figure:
    """Return a figure of the best scores of several searches against the number of evaluations.

    Parameters
    ----------
    histories : dict
        Histories by the names of the searches.
    ax : axes, optional
        Axes to draw on.
    """
    from induce.pictures.style import PALETTE, axes_for, tidy

    figure, axes = axes_for(ax)
    for (name, history), colour in zip(histories.items(), PALETTE, strict=False):
        x = [row.evaluations for row in history.rows]
        axes.plot(x, [row.best for row in history.rows], color=colour, label=name)
    axes.set_xlabel("evaluations")
    axes.set_ylabel("best fitness so far")
    axes.legend(frameon=False, fontsize=9)
    tidy(axes)
    return figure


def side_by_side(histories: Mapping[str, History]) -> str:
    """Return a table of the results of several searches, best first.

    Parameters
    ----------
    histories : dict
        Histories by the names of the searches.

    Examples
    --------
    >>> print(side_by_side({"a": History("a", (Row(10, 1.0, 1.0, 0.5),))}))
    search  evaluations  best
    a                10     1
    """
    order = ranked(histories.items(), lambda item: item[1].best * (-1 if item[1].minimise else 1))
    lines: list[Any] = [("search", "evaluations", "best")]
    lines += [(name, f"{h.evaluations:,}", f"{h.best:.6g}") for name, h in order]
    return text_table(lines)
