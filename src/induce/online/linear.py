"""Hypothesis of Winnow: a linear threshold over indicators.

It is not a linear model of `induce.linear`: its terms are conditions, its weights are products of a factor
and never negative, and it has no standard errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.forms import Parts
from induce.core.shapes import check_numbers
from induce.core.ties import first_largest, largest_first, ranked
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.table import Table
from induce.hypotheses.conditions import Condition
from induce.hypotheses.exporting import OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Classifier, Places
from induce.hypotheses.naming import number_text, plural, value_text
from induce.hypotheses.rules import probabilities
from induce.online.indicators import active_indicators
from induce.online.pictures import MOST_BARS, bars

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.hypotheses.expressions.nodes import Expression

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Weighing(Explained):
    """Explanation of a linear threshold: the true indicators with their weights.

    Parameters
    ----------
    prediction : str, int, float or bool
        The predicted class.
    terms : tuple of (str, float)
        The indicators that are true for the row, with their weights.
    total : float
        Sum of these weights.
    threshold : float
        Total needed to win: the threshold or, with several classes, the total of the runner-up.
    against : str, int, float or bool, optional
        Runner-up class if there are several.
    """

    prediction: Value
    terms: tuple[tuple[str, float], ...]
    total: float
    threshold: float
    against: Value | None = None

    def __str__(self) -> str:
        terms = " + ".join(f"{weight:.3g} ({name})" for name, weight in self.terms) or "nothing"
        if self.against is None:
            side = ">=" if self.total >= self.threshold else "<"
            return f"{value_text(self.prediction)} because {terms} = {self.total:.3g} {side} {self.threshold:.3g}"
        rival = f"{value_text(self.against)} has {self.threshold:.3g}"
        return f"{value_text(self.prediction)} because {terms} = {self.total:.3g}, and {rival}"


@dataclass(frozen=True, eq=False)
class LinearThreshold(SqlForm, PythonForm, OnnxForm, Classifier):
    """Sums of the weights of true indicators, compared with a threshold.

    With two classes, the second is predicted if the sum reaches the threshold. With more, each class has its
    own weights and the largest sum wins; ties go to the first class. A missing value or a category not seen
    in training satisfies no indicator.

    Parameters
    ----------
    schema : Schema
        Schema of the columns.
    target : str
        Name of the target column.
    classes : tuple
        The classes, in the order in which ties are broken.
    indicators : tuple of Condition
        Conditions that serve as indicators.
    weights : array of float
        Weights, with one column per indicator: one row for two classes, otherwise one row per class.
    threshold : float
        Minimum sum of weights for the second of two classes.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> from induce.hypotheses.conditions import Is
    >>> schema = Schema((Column("wind", "nominal", ("weak", "strong")),))
    >>> tests = Is("wind", "weak"), Is("wind", "strong")
    >>> print(LinearThreshold(schema, "play", ("no", "yes"), tests, np.array([[2.0, 0.0]]), 1.0))
    yes if weights of true conditions reach 1
      2  wind = weak
      and nothing for 1 other
    """

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    indicators: tuple[Condition, ...]
    weights: Floats
    threshold: float

    def _shares(self, sums: Floats) -> Floats:
        """Return the normalised sum of each class; the first of two classes has the threshold instead.

        The results rank rows by confidence, but do not estimate probabilities.
        """
        return probabilities(self._rival_sums(sums), self._decided(sums))

    def explain(self, X: Any) -> tuple[Weighing, ...]:
        """Return, for each row, the true indicators and the weights that decided."""
        table = self.encoded(X)
        active, sums = active_indicators(self.indicators, table), self._scores(table)
        predicted = self._decided(sums)
        return tuple(
            self._weighing(row[row >= 0], sums[i], int(predicted[i])) for i, row in enumerate(active)
        )

    def expression(self) -> Expression:
        """Return the hypothesis as an expression: the sums of the weights of true indicators.

        Examples
        --------
        >>> from induce.data.schema import Column
        >>> from induce.hypotheses.conditions import Is
        >>> schema = Schema((Column("wind", "nominal", ("weak", "strong")),))
        >>> tests = Is("wind", "weak"), Is("wind", "strong")
        >>> print(LinearThreshold(schema, "play", ("no", "yes"), tests, np.array([[2.0, 0.0]]), 1.0).to_python())
        def predict(row):
            'Return play for a row, a dict from column to value; None, NaN or no entry is a missing value.'
            if (0.0 + (2.0 if row.get('wind') == 'weak' else 0.0)) >= 1.0:
                return 'yes'
            return 'no'
        <BLANKLINE>
        """
        from induce.hypotheses.expressions.nodes import Case, Comparison, Constant, Largest, Sum, Vector
        from induce.hypotheses.expressions.shapes import condition_test

        says = tuple(map(Constant, self.classes))
        if len(says) == 1:
            return says[0]
        tests = [condition_test(each, self.schema[each.attribute]) for each in self.indicators]
        sums = []
        for weights in self.weights.tolist():
            terms = [
                Case(((test, Constant(weight)),), Constant(0.0))
                for test, weight in zip(tests, weights, strict=True)
                if weight
            ]
            sums.append(Sum((Constant(0.0), *terms)))
        if len(sums) > 1:
            return Largest(Vector(tuple(sums)), says, self.ties_by_rounding)
        reached = Comparison(sums[0], ">=", Constant(float(self.threshold)))
        return Case(((reached, says[1]),), says[0])

    def size(self) -> str:
        """Return the number of indicators with a nonzero weight.

        Examples
        --------
        >>> LinearThreshold(Schema(()), "play", ("no", "yes"), (), np.zeros((1, 0)), 1.0).size()
        '0 of 0 indicators'
        """
        used = int((self.weights > 0).any(axis=0).sum())
        return f"{used} of {plural(len(self.indicators), 'indicator')}"

    def parts(self) -> Parts:
        """Return the number of nonzero weights, plus the threshold."""
        return Parts(int(np.count_nonzero(self.weights)) + 1, "weights and a threshold")

    def __str__(self) -> str:
        if len(self.classes) == 1:
            return f"always {value_text(self.classes[0])}"
        if len(self.weights) == 1:
            title = f"{value_text(self.classes[1])} if weights of true conditions reach {number_text(self.threshold)}"
            return "\n".join([title, *self._lines(self.weights[0])])
        parts = ["the class with the largest sum of weights of true conditions"]
        for value, weights in zip(self.classes, self.weights, strict=True):
            parts += [value_text(value), *self._lines(weights)]
        return "\n".join(parts)

    def draw(self) -> Figure:
        """Return a figure of the largest weights of all classes."""
        heads = [""] if len(self.weights) == 1 else [f"{value_text(value)}: " for value in self.classes]
        every = [
            (float(weight), f"{head}{indicator}")
            for head, weights in zip(heads, self.weights, strict=True)
            for indicator, weight in zip(self.indicators, weights, strict=True)
            if weight > 0
        ]
        every = ranked(every, lambda pair: pair[0])[:MOST_BARS]
        return bars([name for _, name in every], [weight for weight, _ in every], "weight", self.threshold)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        for indicator in self.indicators:
            if not isinstance(indicator, Condition):
                raise InputError(f"an indicator is {indicator!r}; it must be a condition")
            indicator.check_column(self.schema[indicator.attribute])
        n_units = 1 if len(self.classes) <= 2 else len(self.classes)
        if self.weights.shape != (n_units, len(self.indicators)) or self.weights.dtype.kind != "f":
            raise InputError("the weights do not match the indicators and classes; learn them again")
        check_numbers("weights", self.weights)
        check_numbers("threshold", [self.threshold])

    def _scores(self, table: Table) -> Floats:
        """Return the sums of the weights: one for two classes, otherwise one per class."""
        active = active_indicators(self.indicators, table)
        # a row without an indicator of an attribute points to an additional last weight, which is zero
        padded = np.append(self.weights, np.zeros((len(self.weights), 1)), axis=1)
        sums: Floats = np.zeros((len(active), len(padded)))
        for j in range(active.shape[1]):
            sums += padded[:, active[:, j]].T
        return sums

    def _decided(self, sums: Floats) -> Places:
        if len(self.classes) == 1:
            return np.zeros(len(sums), dtype=np.intp)
        if sums.shape[1] == 1:
            return np.asarray(sums[:, 0] >= self.threshold, dtype=np.intp)
        return super()._decided(sums)

    def _rival_sums(self, sums: Floats) -> Floats:
        if len(self.classes) == 2:
            return np.column_stack([np.full(len(sums), self.threshold), sums[:, 0]])
        return sums

    def _weighing(self, active: NDArray[np.int32], sums: Floats, place: int) -> Weighing:
        unit = 0 if len(sums) == 1 else place
        terms = [(str(self.indicators[i]), float(self.weights[unit, i])) for i in active.tolist()]
        terms = ranked((term for term in terms if term[1] > 0), lambda term: term[1])
        prediction = self.classes[place]
        if len(sums) == 1:
            return Weighing(prediction, tuple(terms), float(sums[0]), float(self.threshold))
        others = np.where(np.arange(len(sums)) == place, -np.inf, sums)
        rival = first_largest(others)
        return Weighing(prediction, tuple(terms), float(sums[unit]), float(sums[rival]), self.classes[rival])

    def _lines(self, weights: Floats) -> list[str]:
        order = [i for i in largest_first(weights).tolist() if weights[i] > 0][:MOST_BARS]
        shown = [f"{weights[i]:.3g}" for i in order]
        width = max(map(len, shown), default=0)
        lines = [f"  {text:>{width}}  {self.indicators[i]}" for text, i in zip(shown, order, strict=True)]
        rest = int((weights > 0).sum()) - len(order)
        silent = int((weights <= 0).sum())
        more = [f"  and less for {plural(rest, 'other')}"] if rest else []
        return [*lines, *more, *([f"  and nothing for {plural(silent, 'other')}"] if silent else [])]
