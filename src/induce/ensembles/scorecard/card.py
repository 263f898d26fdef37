"""Scorecard hypothesis: additive points, with one line per attribute that applies to a row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.table import Table
from induce.ensembles.arrays import is_floats
from induce.ensembles.scorecard.points import Points
from induce.ensembles.scorecard.reports import Tally, Tradeoff
from induce.hypotheses.conflict_resolution import probabilities
from induce.hypotheses.exporting import OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Classifier, Places
from induce.hypotheses.naming import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.hypotheses.contrast import Contrast, Question
    from induce.hypotheses.expressions.nodes import Expression

Floats = NDArray[np.float64]

LARGEST = (5, 10, 20, 50, 100)


@dataclass(frozen=True, eq=False, repr=False)
class Scorecard(SqlForm, PythonForm, OnnxForm, Classifier):
    """Points for the values of each attribute, which sum to the score of a row.

    With two classes, the second is predicted if the score is above zero. With more, each class has a score
    and the largest wins; ties go to the first class. Missing values and categories not seen in training have
    points of their own.

    Parameters
    ----------
    schema : Schema
        Columns of the training table.
    target : str
        Name of the target column.
    classes : tuple
        The classes, in the order in which ties are broken.
    start : array of float64
        Base points of every row: one score for two classes, otherwise one per class.
    attributes : tuple of Points
        Attributes in order of decreasing strength.
    unit : float
        Number of points per unit of vote weight.
    total : float
        Total weight of the votes.
    logistic : bool
        Whether votes are log odds. Probabilities are then derived from them; otherwise they are fractions of
        the weight.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> card = induce.AdaBoost(n_estimators=4).fit(X, y).hypothesis_.scorecard(X)
    >>> print(card.rounded(10))
    No if the points add up to more than 0, else Yes
                            points  rows
    Humidity
      High                       5   50%
      Normal                    -5   50%
      missing                   -1    0%
      not seen in training      -5    0%
    Wind
      Weak                      -5   57%
      Strong                     5   43%
      missing                   -1    0%
      not seen in training      -5    0%
    Outlook
      Sunny                     -1   36%
      Overcast                 -10   29%
      Rain                       1   36%
      missing                   -2    0%
      not seen in training     -10    0%
    """

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    start: Floats
    attributes: tuple[Points, ...]
    unit: float = 1.0
    total: float = 1.0
    logistic: bool = False

    ties_by_rounding: ClassVar[bool] = False

    def scores(self, X: Any) -> Floats:
        """Return the score of each row; with more than two classes, one score per class."""
        return self._scores(self.encoded(X))

    def _scores(self, table: Table) -> Floats:
        total = np.repeat(self.start[None, :], len(table), axis=0)
        for part, place in zip(self.attributes, self._places(), strict=True):
            total += part.of(table.column(place))
        return total

    def _shares(self, scores: Floats) -> Floats:
        if len(self.classes) == 1:
            return np.ones((len(scores), 1))
        votes = scores / self.unit
        if votes.shape[1] == 1:  # the difference of two votes
            half = votes[:, 0] / 2
            votes = np.column_stack([self.total / 2 - half, self.total / 2 + half])
        if self.logistic:
            votes = np.exp(votes - votes.max(axis=1, keepdims=True, initial=-np.inf))
        return probabilities(np.maximum(votes, 0.0), self._decided(scores))

    def _contrast(self, question: Question) -> Contrast:
        from induce.hypotheses.contrast import by_cells

        return by_cells(question, {each.column.name: each.ends.tolist() for each in self.attributes})

    def _picture(self) -> tuple[str, dict[str, Any]]:
        """Return a nomogram with the points of each line of the card."""
        outputs = self.classes[1:] if len(self.start) == 1 else self.classes
        columns = [
            {
                "name": part.column.name,
                "points": [{"value": text, "adds": part.points[k]} for text, k in part.lines()],
            }
            for part in self.attributes
        ]
        told = {"outputs": list(map(str, outputs)), "base": self.start, "columns": columns, "softmax": False}
        return "nomogram", told | {"text": str(self)}

    def explain(self, X: Any) -> tuple[Tally, ...]:
        """Return, for each row, its lines with their points for its predicted class."""
        table = self.encoded(X)
        predicted = self._decided(self._scores(table))
        lines = [{k: text for text, k in part.lines()} for part in self.attributes]
        on = [
            part.places(table.column(place))
            for part, place in zip(self.attributes, self._places(), strict=True)
        ]
        told = []
        for row, code in enumerate(predicted.tolist()):
            score = 0 if len(self.start) == 1 else code
            terms = [
                (part.column.name, lines[j][int(on[j][row])], float(part.points[on[j][row], score]))
                for j, part in enumerate(self.attributes)
            ]
            told.append(Tally(self.classes[code], float(self.start[score]), tuple(terms)))
        return tuple(told)

    def strongest(self, k: int) -> Scorecard:
        """Return the card of the `k` strongest attributes; the others give every row their mean points."""
        at_least("k", k, 0, whole=True)
        left = [part.mean() for part in self.attributes[k:]]
        return replace(self, attributes=self.attributes[:k], start=sum(left, self.start))

    def rounded(self, largest: int = 10) -> Scorecard:
        """Return the card with integer points, the largest of which is `largest`.

        Parameters
        ----------
        largest : int
            Largest absolute number of points; larger values reduce rounding errors.
        """
        at_least("largest", largest, 1, whole=True)
        most = max((float(np.abs(part.points).max()) for part in self.attributes), default=0.0)
        factor = float(largest) / most if most > 0 else 1.0
        attributes = tuple(part.times(factor) for part in self.attributes)
        return replace(
            self, start=np.rint(self.start * factor) + 0.0, attributes=attributes, unit=self.unit * factor
        )

    def by_attributes(self, X: Any, y: Any) -> Tradeoff:
        """Return the error on the given rows by the number of strongest attributes used."""
        actual, table = np.asarray(y), self.encoded(X)
        errors = [
            float(np.mean(self.strongest(k).predict(table) != actual))
            for k in range(len(self.attributes) + 1)
        ]
        labels = ("none", *(part.column.name for part in self.attributes))
        return Tradeoff("strongest attributes", labels, tuple(errors), errors[-1])

    def by_rounding(self, X: Any, y: Any, largest: tuple[int, ...] = LARGEST) -> Tradeoff:
        """Return the error on the given rows with integer points, by the largest number of points."""
        actual, table = np.asarray(y), self.encoded(X)
        errors = [float(np.mean(self.rounded(most).predict(table) != actual)) for most in largest]
        exact = float(np.mean(self.predict(table) != actual))
        return Tradeoff("largest points", tuple(map(str, largest)), tuple(errors), exact)

    def size(self) -> str:
        """Return the number of attributes and of lines."""
        n_lines = sum(1 for part in self.attributes for _ in part.lines())
        return f"{plural(len(self.attributes), 'attribute')}, {plural(n_lines, 'line')}"

    def parts(self) -> Parts:
        """Return the number of lines, including the base points."""
        return Parts(sum(1 for part in self.attributes for _ in part.lines()) + 1, "lines of points")

    def __str__(self) -> str:
        from induce.ensembles.scorecard.text import card_text

        return card_text(self)

    def __repr__(self) -> str:
        return f"<Scorecard for {self.target}: {self.size()}>"

    def draw(self, most: int = 12) -> Figure:
        """Return a figure of the shapes of the strongest attributes."""
        from induce.ensembles.scorecard.pictures import draw_card

        return draw_card(self, most)

    def expression(self) -> Expression:
        """Return the card as an expression: a sum of points.

        Examples
        --------
        >>> import induce
        >>> X, y = induce.dataset("restaurant")
        >>> card = induce.AdaBoost(n_estimators=2).fit(X, y).hypothesis_.scorecard()
        >>> print(card.rounded(10).to_sql("evenings"))
        SELECT *,
          CASE
            WHEN (0
                + CASE WHEN "Hun" = 'No' THEN 10 WHEN "Hun" IS NULL THEN -5 ELSE -10 END
                + CASE WHEN "Pat" IN ('None', 'Full') THEN 9 WHEN "Pat" IS NULL THEN 3 ELSE -9 END) > 0 THEN 'No'
            ELSE 'Yes'
          END AS "prediction"
        FROM "evenings"
        """
        from induce.ensembles.scorecard.expression import points_of

        return points_of(self)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        n_scores = 1 if len(self.classes) <= 2 else len(self.classes)
        fits = (
            len(self.classes) > 0
            and is_floats(self.start, n_scores)
            and self.unit > 0
            and all(isinstance(part, Points) and part.fits(n_scores) for part in self.attributes)
            and all(part.column in self.schema.inputs().columns for part in self.attributes)
        )
        if not fits:
            raise InputError(
                "the parts of the scorecard do not fit together; compute it again from the ensemble"
            )

    def _decided(self, scores: Floats) -> Places:
        if len(self.classes) == 1:
            return np.zeros(len(scores), np.intp)
        if scores.shape[1] == 1:
            return (scores[:, 0] > 0).astype(np.intp)
        return super()._decided(scores)

    def _places(self) -> list[int]:
        names = self.schema.inputs().names()
        return [names.index(part.column.name) for part in self.attributes]
