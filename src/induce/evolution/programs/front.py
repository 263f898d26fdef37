"""The Pareto front of error against size, and the chosen formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from induce.core.reports import shortened, text_table
from induce.evolution.programs.grammar import Floats, Ints

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Front:
    """Formulas that are not dominated in both size and accuracy.

    Parameters
    ----------
    sizes : array of int
        Number of nodes of each formula, smallest first.
    errors : array of float
        Mean squared error on the training rows.
    judged : array of float
        Values of the selection criterion: mean squared error on held-out rows, or a criterion on the training
        rows.
    formulas : tuple of str
        Formulas as S-expressions.
    chosen : int
        Index of the chosen formula.
    how : str
        Reason for the choice.
    """

    sizes: Ints
    errors: Floats
    judged: Floats
    formulas: tuple[str, ...]
    chosen: int
    how: str

    def __len__(self) -> int:
        return len(self.sizes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Front):
            return NotImplemented
        same = all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=True)
            for name in ("sizes", "errors", "judged")
        )
        return same and (self.formulas, self.chosen, self.how) == (other.formulas, other.chosen, other.how)

    def __hash__(self) -> int:
        return hash((self.formulas, self.chosen))

    def __str__(self) -> str:
        rows = [("", "nodes", "error", "judged by", "formula")]
        for k in range(len(self)):
            mark = "*" if k == self.chosen else ""
            text = shortened(self.formulas[k], 60)
            rows.append((mark, str(self.sizes[k]), f"{self.errors[k]:.4g}", f"{self.judged[k]:.4g}", text))
        return text_table(rows, left=(0, 4)) + f"\n* {self.how}"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Plot the error of each formula against its size, and mark the chosen one."""
        from induce.pictures.style import DARK, PALETTE, axes_for, tidy

        figure, axes = axes_for(ax)
        shown = np.maximum(self.errors, 1e-300)
        axes.step(self.sizes, shown, where="post", color=PALETTE[0], lw=1.2)
        axes.plot(self.sizes, shown, "o", color=PALETTE[0], ms=5, label="training rows")
        if "held out" in self.how:
            axes.plot(self.sizes, self.judged, "s", color=PALETTE[1], ms=5, mfc="none", label="rows held out")
        axes.plot(
            self.sizes[self.chosen],
            shown[self.chosen],
            "o",
            ms=13,
            mfc="none",
            mec=DARK,
            mew=1.5,
            label="chosen",
        )
        if (self.errors > 0).all() and self.errors.max() > 20 * self.errors.min():
            axes.set_yscale("log")
        axes.set_xlabel("nodes of the formula")
        axes.set_ylabel("mean squared error")
        axes.legend(frameon=False)
        tidy(axes, "both")
        return figure
