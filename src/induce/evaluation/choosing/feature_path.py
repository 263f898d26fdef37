"""Report of a search through feature subsets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.evaluation.reports import Report, Table, finish
from induce.hypotheses.naming import plural
from induce.pictures.style import PALETTE, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORWARD, BACKWARD = "forward", "backward"
Columns = tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """One step of a feature search: the current columns and their mean cross-validated loss."""

    columns: Columns
    loss: float


@dataclass(frozen=True, eq=False)
class FeaturePath(Report):
    """Path of a search through feature subsets.

    Parameters
    ----------
    names : tuple of str
        All columns.
    direction : {"forward", "backward"}
        Search direction.
    steps : tuple of Step
        Best subset of each size visited, in search order.
    best : Step
        Step with the lowest loss; ties go to the smallest subset.
    tried : int
        Number of subsets evaluated.
    label, method : str
        Name of the loss, and resampling method.
    nested : ClassificationEstimate, RegressionEstimate or None
        Loss of the whole procedure, search and training, on rows not used in the search.
    """

    names: tuple[str, ...]
    direction: str
    steps: tuple[Step, ...]
    best: Step
    tried: int
    label: str
    method: str
    nested: Any = field(default=None)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of the columns of the best subset."""
        return tuple(self.names[j] for j in self.best.columns)

    @property
    def support(self) -> NDArray[np.bool_]:
        """Whether each column is selected."""
        mask = np.zeros(len(self.names), dtype=np.bool_)
        mask[list(self.best.columns)] = True
        return mask

    def caption(self) -> str:
        """Return the heading of the table."""
        return f"{self.label} by selected columns, {self.direction} search, {self.method}"

    def table(self) -> Table:
        """Return the header and one row per step."""
        rows = [
            (str(len(step.columns)), f"{step.loss:.4f}", change, "*" if step == self.best else "")
            for step, change in zip(self.steps, self._changes(), strict=True)
        ]
        return ("columns", self.label, "", ""), rows

    def remark(self) -> str:
        """Return the selected columns and a caveat about the bias of their loss."""
        trust = (
            "test on other rows, or request a nested estimate"
            if self.nested is None
            else f"repeating the search in every fold gives {self.nested}"
        )
        return (
            f"* {', '.join(self.chosen) or 'no column'}\n"
            f"the {self.label} {self.best.loss:.4f} is the least of {self.tried}, so it is optimistic: {trust}"
        )

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the loss against the number of columns."""
        from matplotlib.ticker import MaxNLocator

        figure, axes = axes_for(ax)
        sizes = [len(step.columns) for step in self.steps]
        axes.plot(
            sizes,
            [step.loss for step in self.steps],
            color=PALETTE[0],
            lw=1.8,
            marker="o",
            ms=4,
            label=f"{self.direction} search",
        )
        axes.plot(
            [len(self.best.columns)],
            [self.best.loss],
            "o",
            color=PALETTE[5],
            ms=9,
            mfc="none",
            mew=1.8,
            ls="",
            label=f"best: {plural(len(self.best.columns), 'column')}",
        )
        if self.direction == BACKWARD:
            axes.invert_xaxis()
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        finish(axes, "columns in use", self.label, 2)
        return figure

    def _changes(self) -> Iterator[str]:
        before: set[int] | None = None
        for step in self.steps:
            now = set(step.columns)
            if before is None:
                yield "no column" if not now else "all columns"
            else:
                sign = "+" if now - before else "-"
                yield ", ".join(f"{sign} {self.names[j]}" for j in sorted(now ^ before))
            before = now
