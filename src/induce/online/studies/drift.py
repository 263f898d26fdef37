"""Concept drift: adaptation of online learners to a changing concept (AIMA 18.10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from sklearn.base import clone

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.estimator import rows_at
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.core.reports import html_table, text_table
from induce.core.values import plain
from induce.online.classes import check_one_kind
from induce.online.studies.protocol import Played, play
from induce.pictures.style import GREY, PALETTE, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STAGGER = {
    "size": ("small", "medium", "large"),
    "colour": ("red", "green", "blue"),
    "shape": ("square", "circular", "triangular"),
}
MOST_POINTS = 2000


@dataclass(frozen=True, eq=False)
class Stream:
    """Rows whose concept changes at known rounds.

    Parameters
    ----------
    X : frame
        The rows, in the order of the rounds.
    y : series
        Class of each row by the concept valid at its time.
    changes : tuple of int
        Number of rows before each change.
    """

    X: Any
    y: Any
    changes: tuple[int, ...]


def changing_concept(
    X: Any, concepts: Sequence[Callable[[Any], Any]], changes: Sequence[int] | None = None
) -> Stream:
    """Label rows by several concepts in sequence.

    Parameters
    ----------
    X : frame or array
        Rows to label, in the order of the rounds.
    concepts : sequence of callables
        Functions from a frame to the class of each row.
    changes : sequence of int, optional
        Number of rows before the second, the third, … concept; by default, all concepts have about equally
        many rows.

    Examples
    --------
    >>> numbers = pl.DataFrame({"x": [1, 5, 1, 5]})
    >>> stream = changing_concept(numbers, [lambda rows: rows["x"] > 3, lambda rows: rows["x"] < 3])
    >>> stream.y.to_list(), stream.changes
    ([False, True, True, False], (2,))
    """
    n_rows = int(X.shape[0]) if hasattr(X, "shape") else len(X)
    if not concepts or not all(map(callable, concepts)):
        raise InputError("concepts must be a list of functions that return the class of every row")
    if changes is None:
        changes = [n_rows * k // len(concepts) for k in range(1, len(concepts))]
    ends = [0, *changes, n_rows]
    if len(changes) != len(concepts) - 1 or any(a >= b for a, b in pairwise(ends)):
        raise InputError(
            f"changes is {list(changes)} for {len(concepts)} concepts and {n_rows} rows; give "
            "increasing numbers of rows, one for each concept but the first"
        )
    said: list[Any] = []
    for number, (concept, (start, stop)) in enumerate(zip(concepts, pairwise(ends), strict=True), start=1):
        labels = list(concept(rows_at(X, slice(start, stop))))
        if len(labels) != stop - start:
            raise InputError(
                f"concept {number} returns {len(labels)} classes for {stop - start} rows; it must "
                "return one per row"
            )
        said += [plain(label) for label in labels]
    check_one_kind("what the concepts say", said)
    return Stream(X, pl.Series("class", said), tuple(int(each) for each in changes))


def stagger(each: int = 200, random_state: RandomState = 0) -> Stream:
    """Return the STAGGER stream, whose concept changes twice (Schlimmer and Granger 1986).

    The instances are objects. The concept is first small and red, then green or circular, then medium or
    large objects.

    Parameters
    ----------
    each : int
        Number of rows of each concept.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> stream = stagger(3)
    >>> stream.y.to_list(), stream.changes
    (['no', 'no', 'no', 'yes', 'yes', 'no', 'no', 'no', 'no'], (3, 6))
    """
    at_least("each", each, 1, whole=True)
    random = generator(random_state)
    X = pl.DataFrame(
        {
            name: pl.Series([values[k] for k in random.integers(0, 3, 3 * each)], dtype=pl.Enum(values))
            for name, values in STAGGER.items()
        }
    )
    size, colour, shape = (pl.col(name) for name in STAGGER)
    truths = (
        (size == "small") & (colour == "red"),
        (colour == "green") | (shape == "circular"),
        size.is_in(["medium", "large"]),
    )
    concepts = [lambda rows, truth=truth: rows.select(truth).to_series() for truth in truths]
    stream = changing_concept(X, concepts)
    answers = pl.Series("class", np.where(stream.y, "yes", "no"), dtype=pl.Enum(["no", "yes"]))
    return Stream(X, answers, stream.changes)


@dataclass(frozen=True, eq=False)
class DriftStudy:
    """Results of learners on a stream with a changing concept.

    Parameters
    ----------
    played : dict of str to Played
        Predictions of each learner by name.
    changes : tuple of int
        Number of rounds before each change.
    anew : dict of str to int
        Number of mistakes that each learner would have made if it had been restarted at each change.
    window : int
        Number of rounds of the moving average in the figure.
    """

    played: dict[str, Played]
    changes: tuple[int, ...]
    anew: dict[str, int]
    window: int

    @property
    def predictions(self) -> pl.DataFrame:
        """The predictions of the learners, one column each, as experts for a weighted majority."""
        return pl.DataFrame({name: played.predictions for name, played in self.played.items()})

    def mistakes(self) -> dict[str, tuple[int, ...]]:
        """Return the number of mistakes of each learner during each concept.

        Examples
        --------
        >>> from induce.online.learners.winnow import Winnow
        >>> drift_study({"winnow": Winnow()}, stagger(50)).mistakes()
        {'winnow': (4, 6, 6)}
        """
        return {
            name: tuple(int(part.sum()) for part in np.split(played.wrong, self.changes))
            for name, played in self.played.items()
        }

    def _table(self) -> list[tuple[str, ...]]:
        n_rounds = len(next(iter(self.played.values())).wrong)
        ends = [0, *self.changes, n_rounds]
        heads = [f"{start + 1}-{stop}" for start, stop in pairwise(ends)]
        rows = [
            (name, *map(str, made), str(sum(made)), str(self.anew.get(name, "")))
            for name, made in self.mistakes().items()
        ]
        return [("mistakes in rounds", *heads, "all", "restarted"), *rows]

    def __str__(self) -> str:
        return text_table(self._table())

    def _repr_html_(self) -> str:
        return html_table(self._table())

    def draw(self) -> Figure:
        """Return a figure of the cumulative mistakes and their recent frequency, with the changes marked."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7.0, 6.0), layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True)
        for (name, played), colour in zip(self.played.items(), PALETTE, strict=False):
            made = np.append(0, np.cumsum(played.wrong))
            shown = np.unique(np.linspace(0, len(played.wrong), MOST_POINTS).astype(np.int64))
            above.plot(shown, made[shown], color=colour, lw=1.6, label=f"{name}: {made[-1]}")
            # an average over all rounds so far if they are fewer than the window
            since = np.maximum(0, shown - self.window)
            late = (made[shown] - made[since]) / np.maximum(1, shown - since)
            below.plot(shown[1:], late[1:], color=colour, lw=1.6)
        for axes in (above, below):
            for change in self.changes:
                axes.axvline(change, color=GREY, lw=1.0, ls=":")
            axes.set_ylim(bottom=0)
            tidy(axes)
        above.set(ylabel="mistakes so far", xlim=(0, None))
        below.set(ylabel=f"error rate in the last {self.window}", xlabel="round")
        above.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=9)
        return figure


def drift_study(
    learners: Mapping[str, Any],
    stream: Stream,
    judges: Mapping[str, Any] | None = None,
    window: int = 50,
) -> DriftStudy:
    """Let learners predict and then learn each row of a stream with a changing concept.

    Parameters
    ----------
    learners : mapping of str to estimator or Played
        Learners with `partial_fit`, copies of which are trained; or results of `play` on the rows of the
        stream in another form.
    stream : Stream
        Stream from `changing_concept` or `stagger`.
    judges : mapping of str to estimator, optional
        Learners from experts, such as `WeightedMajority()`, which use the learners as their experts.
    window : int
        Number of rounds of the moving average in the figure.

    Examples
    --------
    >>> from induce.online.learners.weighted_majority import WeightedMajority
    >>> from induce.online.learners.winnow import Winnow
    >>> learners = {"winnow": Winnow(), "rash winnow": Winnow(alpha=8)}
    >>> print(drift_study(learners, stagger(100), {"majority": WeightedMajority()}))
    mistakes in rounds  1-100  101-200  201-300  all  restarted
    winnow                  7        6        7   20         17
    rash winnow            15       13        8   36         23
    majority                8        6        7   21
    """
    at_least("window", window, 1, whole=True)
    if not isinstance(stream, Stream):
        raise TypeError(f"stream is {type(stream).__name__}; give a Stream, as returned by changing_concept")
    if not isinstance(learners, Mapping) or not learners:
        raise TypeError("learners must be a dict from names to learners with partial_fit, with at least one")
    every = list(np.unique(np.asarray(stream.y.to_list())).tolist())
    played: dict[str, Played] = {}
    anew: dict[str, int] = {}
    n_parts = len(learners) + len(judges or {})
    for name, learner in learners.items():
        if isinstance(learner, Played):
            played[name] = _as_long(name, learner, stream)
        else:
            played[name] = play(clone(learner), stream.X, stream.y, every)
            anew[name] = _begun_anew(learner, stream, every)
        report(len(played) / n_parts)
    experts = pl.DataFrame({name: each.predictions for name, each in played.items()})
    for name, judge in (judges or {}).items():
        played[name] = play(clone(judge), experts, stream.y, every)
        report(len(played) / n_parts)
    return DriftStudy(played, stream.changes, anew, window)


def _begun_anew(learner: Any, stream: Stream, classes: list[Any]) -> int:
    ends = [0, *stream.changes, len(stream.y)]
    made = 0
    for start, stop in pairwise(ends):
        part = slice(start, stop)
        made += play(clone(learner), rows_at(stream.X, part), stream.y[part], classes).mistakes
    return made


def _as_long(name: str, played: Played, stream: Stream) -> Played:
    if len(played.wrong) != len(stream.y):
        raise InputError(
            f"{name!r} played {len(played.wrong)} rounds, but the stream has {len(stream.y)}; play the same rows"
        )
    return played
