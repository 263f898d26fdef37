"""Parameters chosen by leave-one-out: the trials and their losses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.shapes import check_same_length
from induce.core.ties import first_smallest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


def several_of(name: str, value: Any) -> list[Any]:
    """Return the candidate values of a parameter given as one value or several.

    Examples
    --------
    >>> several_of("width", 2.0), several_of("width", (1.0, 2.0))
    ([2.0], [1.0, 2.0])
    """
    several = list(value) if isinstance(value, Sequence | np.ndarray) else [value]
    if not several:
        raise InputError(f"{name} is empty; give at least one candidate value")
    return several


def weighted_median(values: Floats, weights: Floats) -> float:
    """Return the lower weighted median.

    Examples
    --------
    >>> weighted_median(np.array([3.0, 1.0, 2.0]), np.array([2.0, 1.0, 1.0]))
    2.0
    """
    order = np.argsort(values)
    before = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(before, before[-1] / 2)])


@dataclass(frozen=True)
class LeaveOneOutChoice:
    """Trials of parameter settings, each with its leave-one-out loss.

    Parameters
    ----------
    settings : tuple of dict
        Parameters of each trial; all trials have the same names.
    losses : tuple of float
        Loss of each trial; lower is better.
    loss : str
        Name of the loss.

    Examples
    --------
    >>> print(LeaveOneOutChoice(({"width": 1.0}, {"width": 2.0}), (0.5, 0.25), "mean squared error"))
    width  mean squared error
        1  0.5
        2  0.25  <- chosen
    """

    settings: tuple[dict[str, Any], ...]
    losses: tuple[float, ...]
    loss: str

    @classmethod
    def over(
        cls, parameters: dict[str, Sequence[float]], losses: Iterable[float], loss: str
    ) -> LeaveOneOutChoice:
        """Return the trials of all combinations of parameters; parameters with a single value are not listed.

        Examples
        --------
        >>> LeaveOneOutChoice.over({"k": [5], "width": [1.0, 2.0]}, [0.5, 0.25], "error").best
        {'width': 2.0}
        """
        listed = [name for name, values in parameters.items() if len(values) > 1]
        trials = [dict(zip(parameters, values, strict=True)) for values in product(*parameters.values())]
        settings = tuple({name: trial[name] for name in listed} for trial in trials)
        return cls(settings, tuple(map(float, losses)), loss)

    def check(self) -> None:
        """Raise an `InputError` unless each setting has its loss."""
        check_same_length(self, ("settings", "losses"))
        for setting in self.settings:
            for name, value in setting.items():
                if not isinstance(value, str | int | float):
                    raise InputError(
                        f"the setting {name!r} is neither a number nor a name; give one of these"
                    )
        if not self.settings:
            raise InputError("there are no settings; give at least one")

    @property
    def chosen(self) -> int:
        """Index of the best setting; ties go to the first."""
        return first_smallest(self.losses)

    @property
    def best(self) -> dict[str, Any]:
        """The best setting."""
        return self.settings[self.chosen]

    def said(self) -> str:
        """Return the choice in one line."""
        values = ", ".join(f"{name} {_text(value)}" for name, value in self.best.items())
        return f"{values} by leave-one-out: {self.loss} {self.losses[self.chosen]:.4g}"

    def __str__(self) -> str:
        widths = {
            name: max(len(name), *(len(_text(setting[name])) for setting in self.settings))
            for name in self.best
        }
        lines = ["  ".join([*(name.rjust(width) for name, width in widths.items()), self.loss])]
        for number, (setting, loss) in enumerate(zip(self.settings, self.losses, strict=True)):
            cells = [_text(setting[name]).rjust(width) for name, width in widths.items()]
            mark = "  <- chosen" if number == self.chosen else ""
            lines.append("  ".join([*cells, f"{loss:.4g}"]) + mark)
        return "\n".join(lines)

    def draw(self) -> Figure:
        """Return a figure of the loss against the last parameter, one line for each value of the others."""
        from matplotlib.ticker import LogLocator

        from induce.pictures.style import DARK, PALETTE, axes_for, tidy

        *others, name = self.best
        figure, axes = axes_for(None)
        lines: dict[str, list[tuple[float, float]]] = {}
        for setting, loss in zip(self.settings, self.losses, strict=True):
            label = ", ".join(f"{other} {_text(setting[other])}" for other in others)
            lines.setdefault(label, []).append((setting[name], loss))
        for number, (label, points) in enumerate(lines.items()):
            x, y = zip(*sorted(points), strict=True)
            axes.plot(x, y, color=PALETTE[number % len(PALETTE)], marker="o", ms=3.5, label=label)
        axes.plot(self.best[name], self.losses[self.chosen], "o", ms=10, mfc="none", mec=DARK, label="chosen")
        tried = [setting[name] for setting in self.settings]
        if not isinstance(tried[0], str) and min(tried) > 0 and max(tried) > 20 * min(tried):
            axes.set_xscale("log")
            axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlabel(name)
        axes.set_ylabel(f"{self.loss}, leave-one-out")
        axes.legend(frameon=False, fontsize=9)
        tidy(axes)
        return figure


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "-" if np.isnan(value) else f"{value:.4g}"
