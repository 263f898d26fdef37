"""Exact actual coverage of intervals for a proportion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.pictures.style import DARK, PALETTE, tidy
from induce.statistics.bootstrap import bootstrap_proportion
from induce.statistics.constants import check_confidence
from induce.statistics.counts import whole
from induce.statistics.interval import Interval
from induce.statistics.intervals import clopper_pearson, normal, wilson

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
Method = Callable[[int, int, float], Interval]

METHODS: dict[str, Method] = {
    "normal": normal,
    "wilson": wilson,
    "exact": clopper_pearson,
    "bootstrap": bootstrap_proportion,
}


def actual_coverage(method: str | Method, n: int, p: ArrayLike, confidence: float = 0.95) -> Floats:
    """Return the exact coverage of intervals from n rows at a true error p, a sum over the binomial distribution.

    Parameters
    ----------
    method : {"normal", "wilson", "exact", "bootstrap"} or callable
        Method name, or a function from a number of errors, a number of rows and a confidence to an `Interval`.
    n : int
        Number of rows of each sample.
    p : array-like
        One or more true errors.
    confidence : float
        Nominal coverage of the intervals.

    Examples
    --------
    The book calls it approximately 95%:

    >>> float(actual_coverage("normal", 40, 0.3).round(4)), float(actual_coverage("wilson", 40, 0.3).round(4))
    (0.9299, 0.9443)
    """
    from scipy import stats

    whole("n", n, least=1)
    check_confidence(confidence)
    true = np.asarray(p, dtype=np.float64)
    if not np.all((true >= 0) & (true <= 1)):
        raise InputError("p must lie between 0 and 1")
    if not callable(method):
        one_of("method", method, METHODS)
        method = METHODS[method]
    intervals = [method(errors, n, confidence) for errors in range(n + 1)]
    low, high = (np.array([getattr(each, end) for each in intervals]) for end in ("low", "high"))
    held = (low <= true[..., None]) & (true[..., None] <= high)
    return np.asarray((stats.binom.pmf(np.arange(n + 1), n, true[..., None]) * held).sum(axis=-1))


@dataclass(frozen=True, eq=False)
class CoverageGrid:
    """Actual coverage of several methods as a function of sample size and true error.

    Parameters
    ----------
    methods : tuple of str
        Names of the interval methods.
    n : tuple of int
        Numbers of rows.
    p : array of float64
        True error rates.
    confidence : float
        Nominal coverage of the intervals.
    actual : array of float64, shape (methods, n, p)
        Actual coverage of the intervals.
    """

    methods: tuple[str, ...]
    n: tuple[int, ...]
    p: Floats = field(repr=False)
    confidence: float
    actual: Floats = field(repr=False)

    def within(self, low: float, high: float) -> NDArray[np.bool_]:
        """Return, for every method and n, whether the coverage lies between two bounds for all p."""
        return np.asarray(((self.actual >= low) & (self.actual <= high)).all(axis=-1))

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        rows = [
            (method, str(n), *(f"{100 * value:.1f}" for value in (kept.min(), kept.mean(), kept.max())))
            for method, by_n in zip(self.methods, self.actual, strict=True)
            for n, kept in zip(self.n, by_n, strict=True)
        ]
        return ("method", "n", "lowest", "mean", "highest"), rows

    def __str__(self) -> str:
        header, rows = self._table()
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        lines = (
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
            for row in (header, *rows)
        )
        said = (
            f"% of the {100 * self.confidence:.10g}% intervals that cover p, {self.p.size} values of p "
            f"from {self.p.min():.4g} to {self.p.max():.4g}"
        )
        return "\n".join([said, *lines])

    def _repr_html_(self) -> str:
        header, rows = self._table()

        def line(cells: tuple[str, ...], tag: str) -> str:
            return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"

        body = "".join(line(row, "td") for row in rows)
        return f"<table><thead>{line(header, 'th')}</thead><tbody>{body}</tbody></table>"

    def draw(self) -> Figure:
        """Draw the coverage of every method against p, one panel per n."""
        from matplotlib.figure import Figure

        columns = min(2, len(self.n))
        rows = -(-len(self.n) // columns)
        figure = Figure(figsize=(4.6 * columns, 0.4 + 2.7 * rows), layout="constrained")
        panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        # the axis ends at four times the nominal miss rate; lower coverage falls off the axis
        bottom = max(0.0, 1 - 4 * (1 - self.confidence))
        for panel, place in zip(panels.flat, range(len(self.n)), strict=False):
            self._panel(panel, place, bottom)
        for panel in panels.flat[len(self.n) :]:
            panel.set_axis_off()
        figure.legend(
            *panels.flat[0].get_legend_handles_labels(),
            loc="outside upper center",
            ncols=len(self.methods) + 1,
            frameon=False,
        )
        figure.supxlabel("true error p", fontsize=10)
        figure.supylabel("fraction of the intervals that cover p", fontsize=10)
        return figure

    def _panel(self, axes: Any, place: int, bottom: float) -> None:
        axes.axhline(self.confidence, color=DARK, lw=1, ls=":", label="promised")
        for method, colour, kept in zip(self.methods, PALETTE, self.actual[:, place], strict=False):
            axes.plot(self.p, kept, color=colour, lw=1.1, label=method)
        axes.set_title(f"n = {self.n[place]}", fontsize=10, loc="left")
        axes.set_ylim(bottom, 1 + (1 - bottom) / 40)
        tidy(axes)


def coverage_grid(
    methods: Iterable[str] = tuple(METHODS),
    n: Iterable[int] = (10, 20, 40, 100),
    p: ArrayLike | None = None,
    confidence: float = 0.95,
) -> CoverageGrid:
    """Return the actual coverage of methods over a grid of n and p.

    Parameters
    ----------
    methods : iterable of {"normal", "wilson", "exact", "bootstrap"}
        Names of the interval methods.
    n : iterable of int
        Numbers of rows.
    p : array-like, optional
        True errors; by default 0.0025, 0.0050, … 0.5, because larger errors are symmetric.
    confidence : float
        Nominal coverage of the intervals.

    Examples
    --------
    >>> print(coverage_grid(["normal", "wilson"], n=[20, 100], p=[0.05, 0.1, 0.3, 0.5]))
    % of the 95% intervals that cover p, 4 values of p from 0.05 to 0.5
    method    n  lowest  mean  highest
    normal   20    63.9  85.5     95.9
    normal  100    87.7  92.6     95.0
    wilson   20    92.5  95.4     97.5
    wilson  100    93.6  94.6     96.6
    """
    named, sizes = tuple(methods), tuple(n)
    true = np.arange(1, 201) / 400 if p is None else np.asarray(p, dtype=np.float64)
    if not named or not sizes or true.ndim != 1 or true.size == 0:
        raise InputError("methods, n and p must be non-empty lists; give at least one of each")
    actual = [[actual_coverage(method, size, true, confidence) for size in sizes] for method in named]
    return CoverageGrid(named, sizes, true, confidence, np.array(actual))
