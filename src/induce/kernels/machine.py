"""Kernel machine: the hypothesis with its support vectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.shapes import check_places
from induce.core.values import Value
from induce.data.numeric_view import NumericView
from induce.data.schema import Schema
from induce.hypotheses.conflict_resolution import probabilities
from induce.hypotheses.exporting import OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Classifier, Places
from induce.hypotheses.naming import plural, value_text
from induce.kernels.inputs import Floats, Rows
from induce.kernels.kernel import Kernel
from induce.kernels.multiclass import agreeing, coupled, totals
from induce.kernels.separator import REST, Ints, Separator
from induce.kernels.support_rows import RestsOnRows
from induce.kernels.weights import LinearWeights, is_linear, linear_weights

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from polars import DataFrame

    from induce.hypotheses.expressions.nodes import Expression
    from induce.kernels.explanation import Pulled

MOST_LINES = 10


@dataclass(frozen=True, eq=False)
class KernelMachine(SqlForm, PythonForm, OnnxForm, RestsOnRows, Classifier):
    """Separators in the feature space of a kernel, and their support vectors (AIMA 18.9).

    With two classes there is one separator. With more, there is one per pair of classes, and the class with
    the most votes is predicted, with ties broken by the sum of its scores; or one per class against the rest,
    and the largest score wins. On the boundary the positive side is predicted.

    A missing number is replaced by the mean of the training rows; a missing or unseen category by the relative
    frequencies of the values in training, or by zeros if the columns have more than 2,000 values. `Mixed` ignores
    such cells; a missing text is empty.

    Parameters
    ----------
    schema : Schema
        Columns of the table.
    target : str
        Name of the target.
    classes : tuple
        Classes in declared order.
    how : str
        Name of the machine.
    kernel : Kernel
        Kernel with its parameters.
    view : NumericView
        Conversion of rows to numbers.
    numeric, nominal : array
        Support vectors: rows of the training table, as unscaled numbers and codes of values.
    things : tuple of tuples of str
        Text columns of the support vectors.
    rows : array of int
        Row numbers in the training table; the first of several equal rows of one class represents all.
    labels : array of int
        Class indices of the support vectors.
    separators : tuple of Separator
        Separators of the classes; empty if there is only one class.
    only : int
        Class predicted if there is no separator.
    C : float, optional
        Upper bound of alpha for a row of weight 1, if any.
    calibrated : bool
        Whether probabilities are calibrated on scores of held-out rows.

    Examples
    --------
    >>> from induce.kernels import SVM
    >>> X = [[2.0, 2.0], [2.0, 3.0], [3.0, 3.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    >>> machine = SVM(kernel="linear", C=10, scale=None, tol=1e-6).fit(X, [1, 1, 1, 0, 0, 0]).hypothesis_
    >>> print(machine)
    class by a support vector machine, K = x·z, C = 10
      1 against 0: 3 support vectors of 6 distinct rows, 0 at the bound; margin 2.121, objective 0.4444, gap ...
        0.6667 x0 + 0.6667 x1 - 1.667
    >>> machine.support_vectors()["alpha"].round(4).to_list()
    [0.4444, 0.2222, 0.2222]
    """

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    how: str
    kernel: Kernel
    view: NumericView
    numeric: Floats
    nominal: NDArray[np.int32]
    things: tuple[tuple[str, ...], ...]
    rows: Ints
    labels: Ints
    separators: tuple[Separator, ...]
    only: int
    C: float | None
    calibrated: bool

    def decision_function(self, X: Any) -> Floats:
        """Return f of each row for two classes, otherwise a score per class: votes plus fractions of a vote
        from f.
        """
        scores = self.scores(X)
        if len(self.classes) == 2 and len(self.separators) == 1:
            return scores[:, 0] if self.separators[0].positive == 1 else -scores[:, 0]
        return self._totals(scores)

    def _shares(self, scores: Floats) -> Floats:
        """Return the probability of each class for each row; the predicted class has the highest.

        They are calibrated on scores of held-out rows if the machine was learned with ``probability=True``.
        Otherwise they are a fixed sigmoid of the scores: they rank rows by confidence, but are not
        calibrated. If a calibrated probability contradicts the side of the boundary, both sides get their
        mean.
        """
        if not self.separators:
            shares = np.zeros((len(scores), len(self.classes)))
            shares[:, self.only] = 1.0
            return shares
        sides = np.column_stack(
            [each.probability(f) for each, f in zip(self.separators, scores.T, strict=True)]
        )
        decided = self._decided(scores)
        return probabilities(agreeing(coupled(self.separators, sides, len(self.classes)), decided), decided)

    def scores(self, X: Any) -> Floats:
        """Return f of each separator for each row."""
        return self._scores(self.encoded(X))

    def _scores(self, rows: Rows) -> Floats:
        found = [self._separated(kernel) for kernel in self._kernel_values(rows)]
        return np.concatenate(found) if found else np.empty((0, len(self.separators)))

    def explain(self, X: Any) -> tuple[Pulled, ...]:
        """Return, for each row, the contributions of columns, the pulls of support vectors, and its distance to the
        margin.

        Contributions of columns are available if the kernel is linear.
        """
        from induce.kernels.explanation import pulled

        rows = self.encoded(X)
        found: list[Pulled] = []
        for kernel in self._kernel_values(rows):
            part = rows.take(np.arange(len(found), len(found) + len(kernel)))
            found += pulled(self, part, kernel, self._separated(kernel))
        return tuple(found)

    def support_vectors(self) -> DataFrame:
        """Return the support vectors as rows of the training table, with their alpha for each separator."""
        from induce.kernels.support import support_frame

        return support_frame(self)

    def weights(self) -> tuple[LinearWeights, ...]:
        """Return the weight of each unscaled column, for each separator of a linear kernel."""
        if not is_linear(self):
            raise InputError(
                f"K = {self.kernel} has no column weights; use explain, which shows the support "
                "vectors with the largest pulls"
            )
        sums = [(each.support, each.coefficients, each.intercept) for each in self.separators]
        return linear_weights(self.kernel, self.view, self._vectors(), sums)

    def size(self) -> str:
        """Return the number of support vectors."""
        return plural(len(self.rows), "support vector")

    def parts(self) -> Parts:
        """Return the number of weights of a linear kernel; sums of other kernels are not readable."""
        if not is_linear(self):
            return Parts(None, f"a sum over {self.size()} in the space of the kernel's features")
        return Parts(len(self.separators) * (len(self.view.mean) + 1), "weights of columns")

    def _lacking(self) -> dict[str, str]:
        from induce.kernels.expression import is_expressible

        lacking = super()._lacking()
        if self.things:
            lacking |= dict.fromkeys(("svg", "png", "pdf"), "it compares texts, which have no axes")
        if self.separators and not is_expressible(self):
            why = f"cannot export K = {self.kernel}"
            return lacking | dict.fromkeys(("sql", "python", "onnx"), why)
        if any(len(separator.survival) for separator in self.separators):
            lacking |= dict.fromkeys(("sql", "onnx"), "its perceptrons vote")
        return lacking

    def __str__(self) -> str:
        bound = "" if self.C is None else f", C = {self.C:.4g}"
        lines = [f"{value_text(self.target)} by a {self.how}, K = {self.kernel}{bound}"]
        if not self.separators:
            lines.append(f"  always {value_text(self.classes[self.only])}, the only class")
        weights = self.weights() if is_linear(self) else [None] * len(self.separators)
        for m, separator in enumerate(self.separators[:MOST_LINES]):
            lines.append(f"  {self.sides(separator)}: {_facts(separator)}")
            lines += [f"    {line}" for line in str(weights[m] or "").splitlines()]
        if len(self.separators) > MOST_LINES:
            lines.append(f"  and {plural(len(self.separators) - MOST_LINES, 'more separator')}")
        return "\n".join(lines)

    def sides(self, separator: Separator) -> str:
        """Return the two sides of a separator as text, the positive one first."""
        if separator.negative == REST:
            return f"{value_text(self.classes[separator.positive])} against the rest"
        sides = (self.classes[code] for code in (separator.positive, separator.negative))
        return " against ".join(map(value_text, sides))

    def draw(
        self,
        columns: tuple[str, str] | None = None,
        X: Any = None,
        y: Any = None,
        ax: Axes | None = None,
    ) -> Figure:
        """Draw boundary, margins and support vectors over two columns, with the others at their typical values.

        Parameters
        ----------
        columns : (str, str), optional
            Nominal or numeric columns; by default those that affect f most.
        X, y : table and classes, optional
            Additional rows to show.
        ax : Axes, optional
        """
        from induce.kernels.pictures import draw_machine

        return draw_machine(self, columns, X, y, ax)

    def expression(self) -> Expression:
        """Return the machine as an expression: the class predicted from its separators."""
        from induce.kernels.expression import expression_of

        return expression_of(self)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        n = len(self.rows)
        lengths = {len(self.numeric), len(self.nominal), len(self.labels), *map(len, self.things)}
        if not isinstance(self.kernel, Kernel) or lengths != {n} or not 0 <= self.only < len(self.classes):
            raise InputError("the parts of the machine do not fit together; learn it again")
        self.check_rows("labels")
        check_places("labels", self.labels, len(self.classes))
        for separator in self.separators:
            separator.fits(n, len(self.classes))
        if len({separator.negative == REST for separator in self.separators}) > 1:
            raise InputError(
                "some separators are between two classes and some are not; learn the machine again"
            )

    def _separated(self, kernel: Floats) -> Floats:
        """Return f of each separator, from kernel values."""
        if not self.separators:
            return np.empty((len(kernel), 0))
        return np.column_stack([separator.scores(kernel) for separator in self.separators])

    def _totals(self, scores: Floats) -> Floats:
        """Return the score of each class."""
        sides = [(each.negative, each.positive) for each in self.separators]
        return totals(sides, scores, len(self.classes))

    @cached_property
    def _between(self) -> dict[tuple[int, int], int]:
        """Return the separator between two classes, or between one and the rest."""
        numbered = list(enumerate(self.separators))
        return {(each.positive, each.negative): m for m, each in numbered} | {
            (each.negative, each.positive): m for m, each in numbered
        }

    def _decided(self, scores: Floats) -> Places:
        if not self.separators:
            return np.full(len(scores), self.only, np.intp)
        return super()._decided(self._totals(scores))


def _facts(separator: Separator) -> str:
    """Return the facts about a separator as text: support vectors, margin, and optimality."""
    n_support = len(np.unique(separator.support))
    facts = f"{plural(n_support, 'support vector')} of {separator.n_rows:,}"
    if separator.objective != separator.objective:
        return f"{facts} rows"
    return (
        f"{facts} distinct rows, {int(separator.at_bound.sum())} at the bound; margin "
        f"{separator.margin:.4g}, objective {separator.objective:.4g}, gap {separator.gap:.2g}"
    )
