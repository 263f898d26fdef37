"""Hypothesis of support vector regression: a sum of kernels at support vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.ties import largest_first
from induce.data.numeric_view import NumericView
from induce.data.schema import Schema
from induce.hypotheses.exporting import OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.regressor import Regressor
from induce.hypotheses.naming import number_text, plural, value_text
from induce.kernels.inputs import Floats, Rows
from induce.kernels.kernel import Kernel
from induce.kernels.separator import Ints
from induce.kernels.support_rows import RestsOnRows
from induce.kernels.weights import LinearWeights, affine, linear_weights

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from polars import DataFrame

    from induce.hypotheses.expressions.nodes import Expression
    from induce.kernels.sum_explanation import SumExplanation

MOST_ROWS = 6


@dataclass(frozen=True, eq=False)
class KernelSum(SqlForm, PythonForm, OnnxForm, RestsOnRows, Regressor):
    """f(x) = Σ coefficient K(support vector, x) + intercept, for support vectors on or outside a tube.

    A missing number is replaced by the mean of the training rows; a missing or unseen category by the relative
    frequencies of the values in training, or by zeros if the columns have more than 2,000 values. `Mixed` ignores
    such cells; a missing text is empty.

    Parameters
    ----------
    schema : Schema
        Columns of the table.
    target : str
        Name of the target.
    kernel : Kernel
        Kernel with its parameters.
    view : NumericView
        Conversion of rows to numbers.
    numeric, nominal : array
        Support vectors: rows of the training table, as unscaled numbers and codes of values.
    things : tuple of tuples of str
        Text columns of the support vectors.
    rows : array of int
        Row numbers in the training table; the first of several equal rows represents all.
    values : array of float
        Targets of the support vectors.
    coefficients : array of float
        Coefficient of each support vector, in units of the target; positive for rows above the tube.
    at_bound : array of bool
        Whether each coefficient has reached C; these rows are outside the tube.
    intercept : float
        Constant added to the sum, in units of the target.
    epsilon : float
        Half-width of the tube, in units of the target.
    C : float
        Cost of errors beyond the tube, for the scaled target.
    n_rows : int
        Number of distinct training rows.
    objective : float
        Value of the dual objective.
    gap : float
        Violation of the optimality conditions.
    """

    schema: Schema
    target: str
    kernel: Kernel
    view: NumericView
    numeric: Floats
    nominal: NDArray[np.int32]
    things: tuple[tuple[str, ...], ...]
    rows: Ints
    values: Floats
    coefficients: Floats
    at_bound: NDArray[np.bool_]
    intercept: float
    epsilon: float
    C: float
    n_rows: int
    objective: float
    gap: float

    def _numbers(self, table: Rows) -> Floats:
        found = [kernel @ self.coefficients + self.intercept for kernel in self._kernel_values(table)]
        return np.concatenate(found) if found else np.empty(0)

    def explain(self, X: Any) -> tuple[SumExplanation, ...]:
        """Return, for each row, the contributions of support vectors and, for a linear kernel, of columns."""
        from induce.kernels.sum_explanation import explained

        return explained(self, self.encoded(X))

    def support_vectors(self) -> DataFrame:
        """Return the support vectors as rows of the training table, with their coefficients."""
        from induce.kernels.support import sum_frame

        return sum_frame(self)

    def weights(self) -> LinearWeights:
        """Return the weight of each unscaled column, for a linear kernel."""
        if affine(self.kernel) is None:
            raise InputError(
                f"K = {self.kernel} has no column weights; use explain, which shows the support "
                "vectors with the largest contributions"
            )
        whole = np.arange(len(self.rows)), self.coefficients, self.intercept
        return linear_weights(self.kernel, self.view, self._vectors(), [whole])[0]

    def is_linear(self) -> bool:
        """Return whether the prediction is a weighted sum of the columns."""
        return affine(self.kernel) is not None

    def size(self) -> str:
        """Return the number of support vectors."""
        return plural(len(self.rows), "support vector")

    def parts(self) -> Parts:
        """Return the number of weights of a linear kernel; sums of other kernels are not readable."""
        if not self.is_linear():
            return Parts(None, f"a sum over {self.size()} in the space of the kernel's features")
        return Parts(len(self.view.mean) + 1, "weights of columns")

    def _lacking(self) -> dict[str, str]:
        from induce.kernels.expression import is_expressible

        lacking = super()._lacking()
        if self.things:
            lacking |= dict.fromkeys(("svg", "png", "pdf"), "it compares texts, which have no axes")
        if not is_expressible(self):
            why = f"cannot export K = {self.kernel}"
            lacking |= dict.fromkeys(("sql", "python", "onnx"), why)
        return lacking

    def __str__(self) -> str:
        within = number_text(float(f"{self.epsilon:.4g}"))
        head = (
            f"{value_text(self.target)} by support vector regression, K = {self.kernel}, C = {self.C:.4g}\n"
            f"  {self.size()} of {self.n_rows:,} distinct rows, {int(self.at_bound.sum())} at the bound; "
            f"tube ±{within}"
        )
        if self.is_linear():
            return "\n".join([head, *(f"    {line}" for line in str(self.weights()).splitlines())])
        from induce.kernels.support import row_text

        order = largest_first(np.abs(self.coefficients))[:MOST_ROWS].tolist()
        lines = [f"    {self.coefficients[i]:>+10.4g}  K with {row_text(self, i)}" for i in order]
        more = len(self.rows) - len(order)
        lines += [f"    and {plural(more, 'more support vector')}"] if more else []
        return "\n".join([head, *lines, f"    {self.intercept:>10.4g}  always"])

    def draw(
        self, columns: tuple[str] | None = None, X: Any = None, y: Any = None, ax: Axes | None = None
    ) -> Figure:
        """Draw the function with its tube over one column, or the effect of each of several columns.

        Parameters
        ----------
        columns : (str,), optional
            Column of the axis, with the others at their typical values. If None and there are several columns, a
            bar per column shows its effect on the prediction.
        X, y : table and numbers, optional
            Additional rows to show.
        ax : Axes, optional
        """
        from induce.kernels.sum_pictures import draw_sum

        return draw_sum(self, columns, X, y, ax)

    def expression(self) -> Expression:
        """Return the prediction as an expression: a weighted sum of the columns, or of kernels."""
        from induce.kernels.expression import expression_of_sum

        return expression_of_sum(self)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        n = len(self.rows)
        lengths = {len(self.numeric), len(self.nominal), len(self.values), len(self.coefficients)}
        lengths |= {len(self.at_bound), *map(len, self.things)}
        finite = np.isfinite(self.coefficients).all() and np.isfinite(self.intercept)
        if not isinstance(self.kernel, Kernel) or lengths != {n} or not finite or not self.epsilon >= 0:
            raise InputError("the parts of the sum of kernels do not fit together; learn it again")
        self.check_rows("values", "coefficients", "at_bound")
