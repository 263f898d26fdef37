"""Comparison of all bounds for one space, and of the sample sizes that growing classes need."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from induce.core.errors import InputError
from induce.core.reports import html_table, text_table
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy
from induce.theory.pac import CONSISTENT, FORMULAS, necessary_rows, sample_complexity
from induce.theory.space import Space, check_space

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABELS = {
    CONSISTENT: "consistent (7.2)",
    "sharp": "consistent, sharp",
    "agnostic": "agnostic (7.3)",
    "best": "agnostic, as good as the best",
    "vc": "VC dimension (7.7)",
}
NECESSARY = "necessary (theorem 7.3)"


@dataclass(frozen=True)
class Bounds:
    """Sample size by each bound, for one space, error and failure probability.

    Parameters
    ----------
    space : Space
        Hypothesis space.
    epsilon, delta : float
        Acceptable error, and acceptable probability of failure.
    rows : dict of str to float
        Sample size by the name of the bound; not rounded.
    necessary : float, optional
        Sample size that every learner needs, if the theorem applies: for epsilon below 1/8 and delta below 1/100.
    """

    space: Space
    epsilon: float
    delta: float
    rows: dict[str, float]
    necessary: float | None

    def _table(self) -> list[tuple[str, str, str]]:
        table = [
            (LABELS[name], f"{math.ceil(rows - 1e-9):,}", FORMULAS[name].source)
            for name, rows in self.rows.items()
        ]
        if self.necessary is not None:
            table.append(
                (NECESSARY, f"{math.ceil(self.necessary - 1e-9):,}", "if all targets in the space count")
            )
        return table

    def __str__(self) -> str:
        head = f"rows for epsilon {self.epsilon:g} and delta {self.delta:g}, {self.space}"
        return f"{head}\n{text_table(self._table(), left=(0, 2))}"

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self.space))}</p>{html_table(self._table())}"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the sample size by each bound against epsilon, with this epsilon marked."""
        figure, axes = axes_for(ax)
        errors = np.geomspace(0.01, 0.5, 80)
        for (name, here), colour in zip(self.rows.items(), PALETTE, strict=False):
            rows = [
                sample_complexity(self.space, epsilon=e, delta=self.delta, setting=name).m for e in errors
            ]
            axes.plot(errors, rows, color=colour, lw=1.6, label=LABELS[name])
            axes.plot([self.epsilon], [here], "o", color=colour, ms=4)
        vc = _known_vc(self.space)
        if vc >= 2 and self.delta < 1 / 100:
            low = errors[errors < 1 / 8]
            rows = [necessary_rows(vc, float(e), self.delta) for e in low]
            axes.plot(low, rows, color=GREY, lw=1.4, ls="--", label=NECESSARY)
        axes.axvline(self.epsilon, color=DARK, lw=0.6, ls=":")
        axes.set(xscale="log", yscale="log", xlabel="epsilon: acceptable error", ylabel="rows")
        ticks = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.xaxis.minorticks_off()
        axes.set_title(f"{self.space.name}, delta {self.delta:g}", fontsize=10, loc="left")
        axes.legend(frameon=False, fontsize=9)
        tidy(axes, "both")
        return figure


def bounds(space: Space, epsilon: float = 0.1, delta: float = 0.05) -> Bounds:
    """Return the sample sizes by all bounds.

    Parameters
    ----------
    space : Space
        Hypothesis space.
    epsilon, delta : float
        Acceptable error (0.1 by default), and acceptable probability of failure (0.05).

    Examples
    --------
    >>> from induce.theory.formulas import conjunctions
    >>> print(bounds(conjunctions(10), 0.1, 0.005))
    rows for epsilon 0.1 and delta 0.005, conjunctions of literals over 10 attributes: 59,049 hypotheses, VC \
dimension 10
    consistent (7.2)                 163  Mitchell (7.2), AIMA (18.1)
    consistent, sharp                155  the proof of Mitchell's theorem 7.1, |H| (1 - epsilon)^m
    agnostic (7.3)                   815  Mitchell (7.3), Hoeffding's bound
    agnostic, as good as the best  3,396  Hoeffding's bound on both sides
    VC dimension (7.7)             5,964  Mitchell (7.7), Blumer and others 1989
    necessary (theorem 7.3)           53  if all targets in the space count
    """
    check_space(space)
    rows = {
        name: sample_complexity(space, epsilon=epsilon, delta=delta, setting=name).m
        for name, formula in FORMULAS.items()
        if formula.fits(space)
    }
    vc = _known_vc(space)
    holds = vc >= 2 and epsilon < 1 / 8 and delta < 1 / 100
    return Bounds(space, epsilon, delta, rows, necessary_rows(vc, epsilon, delta) if holds else None)


@dataclass(frozen=True)
class RowsBySize:
    """Sample sizes that hypothesis classes need, by the number of attributes.

    Parameters
    ----------
    n : tuple of int
        Numbers of attributes.
    rows : dict of str to tuple of float
        Sample size for each class; not rounded.
    epsilon, delta : float
        Acceptable error, and acceptable probability of failure.
    """

    n: tuple[int, ...]
    rows: dict[str, tuple[float, ...]]
    epsilon: float
    delta: float

    def _table(self) -> list[tuple[str, ...]]:
        table = [("attributes", *map(str, self.n))]
        for name, numbers in self.rows.items():
            table.append((name, *(_short(number) for number in numbers)))
        return table

    def __str__(self) -> str:
        return f"rows for epsilon {self.epsilon:g} and delta {self.delta:g}\n{text_table(self._table())}"

    def _repr_html_(self) -> str:
        return html_table(self._table())

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure with one line per class, on a logarithmic scale."""
        from matplotlib.ticker import MaxNLocator

        figure, axes = axes_for(ax)
        for (name, numbers), colour in zip(self.rows.items(), PALETTE, strict=False):
            axes.plot(self.n, numbers, color=colour, lw=1.6, marker="o", ms=3, label=name)
        axes.set(yscale="log", xlabel="attributes", ylabel="sufficient rows")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title(f"epsilon {self.epsilon:g}, delta {self.delta:g}", fontsize=10, loc="left")
        axes.legend(frameon=False, fontsize=9)
        tidy(axes)
        return figure


def rows_by_size(
    classes: Mapping[str, Callable[[int], Space]],
    n: Iterable[int],
    epsilon: float = 0.1,
    delta: float = 0.05,
    setting: str = CONSISTENT,
) -> RowsBySize:
    """Return the sample sizes that hypothesis classes need as the number of attributes grows.

    Parameters
    ----------
    classes : mapping of str to callable
        Functions from a number of attributes to a space, by name.
    n : iterable of int
        Numbers of attributes.
    epsilon, delta : float
        Acceptable error (0.1 by default), and acceptable probability of failure (0.05).
    setting : str
        Name of the bound, as in `sample_complexity`.

    Examples
    --------
    >>> from induce.theory.formulas import conjunctions, unbiased
    >>> print(rows_by_size({"conjunctions": conjunctions, "all functions": unbiased}, (1, 5, 10, 20)))
    rows for epsilon 0.1 and delta 0.05
    attributes      1    5     10         20
    conjunctions   41   85    140        250
    all functions  44  252  7,128  7,268,205
    """
    if not isinstance(classes, Mapping) or not isinstance(n, Iterable):
        raise TypeError("classes must be a dict from names to functions of n, and n a list of numbers")
    numbers = tuple(n)
    if not numbers or not classes:
        raise InputError("classes and n must not be empty; give at least one of each")
    if not all(map(callable, classes.values())):
        raise TypeError("classes must be a dict from names to functions that return a space for n")
    found = {
        name: tuple(
            sample_complexity(make(k), epsilon=epsilon, delta=delta, setting=setting).m for k in numbers
        )
        for name, make in classes.items()
    }
    return RowsBySize(numbers, found, epsilon, delta)


def _known_vc(space: Space) -> float:
    """Return the VC dimension if it is known exactly: an upper bound implies nothing about necessary rows."""
    return space.vc if space.vc is not None and space.vc_is_exact else 0


def _short(number: float) -> str:
    return f"{math.ceil(number - 1e-9):,}" if number < 1e9 else f"{number:.1e}"
