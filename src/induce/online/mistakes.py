"""Mistakes of a learner by round, compared with the mistake bound."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError, ModelFileError
from induce.hypotheses.naming import plural
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_POINTS = 2000
"""Maximum number of points of a history; if there are more, every second one is dropped."""
BOUND: dict[str, Any] = {"color": DARK, "lw": 1.4, "ls": "--"}
"""Line style of the bound."""


@dataclass(frozen=True, eq=False)
class MistakeCurve:
    """The mistakes of a learner by round, with the bound.

    Parameters
    ----------
    learner : str
        Name of the learner.
    rounds : array of int
        The rounds with a point on the curve: all of them, or every 2nd, 4th, … and the last.
    mistakes : array of int
        Number of mistakes up to each of these rounds.
    bound : array of float
        Mistake bound up to each of these rounds; NaN if there is none.
    promise : str
        Assumption of the bound as text.
    best : array of int, optional
        Number of mistakes of the best expert up to each of these rounds.
    expected : array of float, optional
        Expected number of mistakes of a randomised learner, to which the bound then applies.

    Examples
    --------
    >>> from induce.online.learners.weighted_majority import WeightedMajority
    >>> learner = WeightedMajority().fit([[0, 1], [1, 1], [0, 1], [0, 0]], [1, 1, 1, 0])
    >>> print(learner.history_)
    WeightedMajority: ... in 4 rounds, at most 2.4 by theory (the best expert erred 0 times)
    """

    learner: str
    rounds: Ints
    mistakes: Ints
    bound: Floats
    promise: str
    best: Ints | None = None
    expected: Floats | None = None

    @property
    def within(self) -> bool:
        """Whether the mistakes, or the expected mistakes, never exceeded the bound."""
        counted = self.mistakes if self.expected is None else self.expected
        return not (counted > self.bound * (1 + 1e-9)).any()

    @property
    def regret(self) -> Floats:
        """Number of mistakes, or expected mistakes, in excess of the best expert up to each round."""
        made = self.mistakes if self.expected is None else self.expected
        return np.asarray(made - self._best(), np.float64)

    def _best(self) -> Ints:
        if self.best is None:
            raise InputError(f"{self.learner} has no experts to compare with, so its regret is undefined")
        return self.best

    def __str__(self) -> str:
        if not len(self.rounds):
            return f"{self.learner}: no rounds yet"
        made = plural(int(self.mistakes[-1]), "mistake")
        expected = "" if self.expected is None else f" ({self.expected[-1]:.1f} expected)"
        bound = self.bound[-1]
        promised = (
            f"at most {bound:.1f} by theory"
            if np.isfinite(bound)
            else f"no bound is known ({self.promise})"
            if np.isnan(bound)
            else "theory gives no bound"
        )
        best = "" if self.best is None else f" (the best expert erred {plural(int(self.best[-1]), 'time')})"
        return (
            f"{self.learner}: {made}{expected} in {plural(int(self.rounds[-1]), 'round')}, {promised}{best}"
        )

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the mistakes by round, with the bound as a line."""
        figure, axes = axes_for(ax)
        rounds = np.append(0, self.rounds)
        lines: list[tuple[str, Any, dict[str, Any]]] = [
            ("mistakes", self.mistakes, {"color": PALETTE[0], "lw": 2.2})
        ]
        if self.expected is not None:
            lines.append(("expected mistakes", self.expected, {"color": PALETTE[4], "lw": 1.4}))
        if self.best is not None:
            # wide and drawn first, because good learners follow the best expert closely
            lines.append(
                ("best expert", self.best, {"color": PALETTE[2], "lw": 5, "alpha": 0.5, "zorder": 1.5})
            )
        for label, values, style in lines:
            text = f"{label}: {_number(values[-1])}"
            axes.step(rounds, np.append(0, values), where="post", label=text, **style)
        if len(self.bound) and np.isfinite(self.bound).any():
            label = f"{self.promise}: {_number(self.bound[-1])}"
            axes.step(rounds, np.append(self.bound[0], self.bound), where="post", label=label, **BOUND)
        return self._finished(figure, axes, "mistakes so far")

    def draw_regret(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the regret by round, with the bound as a line."""
        figure, axes = axes_for(ax)
        rounds, regret = np.append(0, self.rounds), self.regret
        label = f"{'regret' if self.expected is None else 'expected regret'}: {_number(round(regret[-1], 1))}"
        axes.step(rounds, np.append(0, regret), where="post", color=PALETTE[0], lw=2.2, label=label)
        if np.isfinite(self.bound).any():
            allowed = self.bound - self._best()
            label = f"{self.promise}: {_number(round(allowed[-1], 1))}"
            axes.step(rounds, np.append(allowed[0], allowed), where="post", label=label, **BOUND)
        axes.axhline(0, color=GREY, lw=0.8, ls=":")
        return self._finished(figure, axes, "mistakes in excess of the best expert", bottom=None)

    def _finished(self, figure: Figure, axes: Axes, what: str, bottom: float | None = 0) -> Figure:
        from matplotlib.ticker import MaxNLocator

        axes.set(xlabel="round", ylabel=what, xlim=(0, None), ylim=(bottom, None))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title(self.learner, fontsize=10, loc="left")
        axes.legend(
            loc="upper center",
            bbox_to_anchor=(0.5, -0.16),
            ncols=2,
            frameon=False,
            fontsize=9,
            labelcolor=DARK,
        )
        tidy(axes)
        axes.tick_params(colors=GREY, labelcolor=DARK)
        return figure


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"


class History:
    """Points of a growing curve: the same for any number of rounds per call, and never too many.

    Examples
    --------
    >>> history = History(2)
    >>> history.add(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]))
    >>> history.rounds, history.points()[0].tolist()
    (3, [1, 2, 3])
    """

    def __init__(self, n_columns: int) -> None:
        self.rounds = 0
        self.stride = 1
        self._kept_rounds = np.empty(0, np.int64)
        self._kept = np.empty((0, n_columns))
        self.last = np.zeros(n_columns)

    def add(self, columns: Floats) -> None:
        """Add a row of cumulative counts for each additional round."""
        rounds = self.rounds + 1 + np.arange(len(columns))
        on = rounds % self.stride == 0
        self._kept_rounds = np.append(self._kept_rounds, rounds[on])
        self._kept = np.append(self._kept, columns[on], axis=0)
        while len(self._kept) > MOST_POINTS:
            self.stride *= 2
            on = self._kept_rounds % self.stride == 0
            self._kept_rounds, self._kept = self._kept_rounds[on], self._kept[on]
        self.rounds += len(columns)
        if len(columns):
            self.last = columns[-1].copy()

    def points(self) -> tuple[Ints, Floats]:
        """Return the rounds that are stored, including the last one, and their rows."""
        if self.rounds % self.stride == 0:
            return self._kept_rounds, self._kept
        return np.append(self._kept_rounds, self.rounds), np.append(self._kept, self.last[None], axis=0)

    def state(self) -> dict[str, Any]:
        """Return the data that a model file stores."""
        return {
            "rounds": self.rounds,
            "stride": self.stride,
            "kept_rounds": self._kept_rounds,
            "kept": self._kept,
            "last": self.last,
        }

    @classmethod
    def restored(cls, state: dict[str, Any], n_columns: int) -> History:
        """Return the history from the data in a model file."""
        history = cls(n_columns)
        try:
            history.rounds, history.stride = int(state["rounds"]), int(state["stride"])
            history._kept_rounds = np.asarray(state["kept_rounds"], np.int64)
            history._kept = np.asarray(state["kept"], np.float64)
            history.last = np.asarray(state["last"], np.float64)
        except (KeyError, TypeError, ValueError):
            raise ModelFileError("the stored history of mistakes is damaged") from None
        sound = (
            history.stride >= 1
            and history._kept.shape == (len(history._kept_rounds), n_columns)
            and history.last.shape == (n_columns,)
        )
        if not sound:
            raise ModelFileError("the stored history of mistakes is damaged")
        return history
