"""Reports on scorecards: the points of a row, and the error of simpler cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from induce.core.explained import Explained
from induce.core.ties import ranked
from induce.core.values import Value
from induce.hypotheses.naming import value_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Tally(Explained):
    """Explanation of a scorecard's prediction: the lines that apply to the row.

    Parameters
    ----------
    prediction : str, int, float or bool
        The predicted class.
    start : float
        Base points of every row.
    terms : tuple of (str, str, float)
        Value and points of the row, for each attribute.

    Examples
    --------
    >>> print(Tally("yes", 0.5, (("age", "age > 30", 2.0), ("wind", "weak", -1.0))))
    yes by 1.5 points
       +2  age > 30
       -1  wind = weak
     +0.5  every row
    """

    prediction: Value
    start: float
    terms: tuple[tuple[str, str, float], ...]

    @property
    def score(self) -> float:
        """The sum of the points."""
        return self.start + sum(points for _, _, points in self.terms)

    def __str__(self) -> str:
        terms = ranked(self.terms, lambda term: abs(term[2]))
        lines = [(points, _said(name, text)) for name, text, points in terms if points]
        lines += [(self.start, "every row")] if self.start else []
        shown = [f"{points:+.3g}" for points, _ in lines]
        wide = max(map(len, shown), default=0)
        listed = [f"  {number:>{wide}}  {text}" for number, (_, text) in zip(shown, lines, strict=True)]
        return "\n".join([f"{value_text(self.prediction)} by {self.score:.3g} points", *listed])


@dataclass(frozen=True)
class Tradeoff:
    """Errors of simpler cards.

    Parameters
    ----------
    what : str
        Kind of simplification.
    labels : tuple of str
        Label of each card.
    errors : tuple of float
        Error rate of each card.
    whole : float
        Error rate of the card itself.

    Examples
    --------
    >>> print(Tradeoff("largest points", ("5", "10"), (0.16, 0.15), 0.14))
    largest points   error
                 5  0.1600
                10  0.1500
    the whole card  0.1400
    """

    what: str
    labels: tuple[str, ...]
    errors: tuple[float, ...]
    whole: float

    def __str__(self) -> str:
        names = [self.what, *self.labels, "the whole card"]
        wide = max(map(len, names))
        numbers = [" error", *(f"{error:.4f}" for error in (*self.errors, self.whole))]
        return "\n".join(f"{name:>{wide}}  {number}" for name, number in zip(names, numbers, strict=True))

    def draw(self) -> Figure:
        """Return a figure of the errors."""
        from induce.ensembles.scorecard.pictures import draw_tradeoff

        return draw_tradeoff(self)


def _said(name: str, text: str) -> str:
    return (
        text if text.startswith(f"{value_text(name)} ") or " < " in text else f"{value_text(name)} = {text}"
    )
