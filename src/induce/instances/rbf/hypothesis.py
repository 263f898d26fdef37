"""Radial basis function networks as hypotheses (Mitchell §8.4)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.shapes import check_numbers, check_shapes
from induce.core.ties import first_largest, largest_first
from induce.core.values import Value
from induce.data.numeric_view import Floats, NumericView
from induce.data.schema import Schema
from induce.data.table import Table
from induce.hypotheses.exporting import OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Classifier
from induce.hypotheses.kinds.predictor import Predictor
from induce.hypotheses.kinds.regressor import Regressor
from induce.hypotheses.naming import plural, value_text
from induce.instances.choice import LeaveOneOutChoice
from induce.instances.rbf.fitting import activations
from induce.instances.units import CELLS, point_text, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.hypotheses.expressions.nodes import Expression
    from induce.instances.rbf.explanation import KernelExplanation

SHOWN = 12
"""Number of kernels that are printed."""


@dataclass(frozen=True, eq=False)
class KernelNetwork(Predictor):
    """Output units that are sums of Gaussian kernels: w_0 + sum of w_u K_u(d(x_u, x)) (equation 8.8).

    Parameters
    ----------
    schema : Schema
        The columns of the table.
    target : str
    view : NumericView
        Conversion of rows to points.
    centres : array of float64, shape (kernels, columns of the view)
    widths : array of float64
        Width of each kernel.
    weights : array of float64, shape (kernels, outputs)
    bias : array of float64, shape (outputs,)
        Bias w_0.
    choice : LeaveOneOutChoice or None
        Choice of the widths.
    """

    schema: Schema
    target: str
    view: NumericView
    centres: Floats
    widths: Floats
    weights: Floats
    bias: Floats
    choice: LeaveOneOutChoice | None

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        if self.view.schema != self.schema.inputs():
            raise InputError(
                "the inputs of the kernels do not match the columns of the table; learn the model again"
            )
        check_shapes(
            self,
            {
                "centres": "kernels columns",
                "widths": "kernels",
                "weights": "kernels outputs",
                "bias": "outputs",
            },
            columns=len(self.view.mean),
        )
        for field in ("centres", "widths", "weights", "bias"):
            check_numbers(field, getattr(self, field))

    def __post_init__(self) -> None:
        m, outputs = len(self.widths), len(self.bias)
        fits = self.centres.shape == (m, len(self.view.mean)) and self.weights.shape == (m, outputs)
        if not fits or not m or not outputs or not (self.widths > 0).all():
            raise InputError("the kernels of the network do not fit together; fit it again")

    def rows(self, X: Any) -> Floats:
        """Return the rows of a frame, an array or an encoded table as points."""
        return self.view.matrix(self.encoded(X))

    def outputs(self, points: Floats) -> Floats:
        """Return the outputs of the units for points."""
        return np.asarray(self.bias + activations(points, self.centres, self.widths) @ self.weights)

    def _outputs(self) -> Expression:
        """Return the outputs of the units for a row, as an expression."""
        from induce.hypotheses.expressions.nodes import Affine, Constant, Distances, Function, Product
        from induce.hypotheses.expressions.shapes import inputs_vector

        even = np.ones(self.centres.shape[1])
        distances = Distances(self.centres, inputs_vector(self.view), even)
        narrow = Constant(tuple((-0.5 / np.square(self.widths)).tolist()))
        return Affine(self.weights.T, Function("exp", (Product((distances, narrow)),)), self.bias)

    def parts(self) -> Parts:
        """Return the number of kernels, including the constants."""
        return Parts(len(self.widths) + len(self.bias), "kernels and constants")

    def size(self) -> str:
        """Return the number of kernels."""
        return plural(len(self.widths), "kernel")

    @abstractmethod
    def says(self, kernel: int) -> str:
        """Return the weight of a kernel, as text."""

    @abstractmethod
    def head(self) -> str:
        """Return the first line of the text."""

    def __str__(self) -> str:
        order = largest_first(np.abs(self.weights).max(axis=1))
        lines = [self.head()]
        for kernel in order[:SHOWN]:
            where = point_text(self.view, self.centres[kernel], 3, CELLS)
            lines.append(
                f"  {self.says(int(kernel))}  near {where} (width {shown(float(self.widths[kernel]), 3)})"
            )
        if len(order) > SHOWN:
            lines.append(f"  … ({len(order) - SHOWN} more)")
        return "\n".join([*lines, *([f"  {self.choice.said()}"] if self.choice else [])])

    def draw(self) -> Figure:
        """Return a figure: the kernels and their sum, a map of two columns, or the weights."""
        from induce.instances.rbf.pictures import draw

        return draw(self)


@dataclass(frozen=True, eq=False)
class RBFNetwork(SqlForm, PythonForm, OnnxForm, KernelNetwork, Regressor):
    """A number predicted by a sum of Gaussian kernels.

    See Also
    --------
    KernelNetwork : the parameters.
    """

    def _numbers(self, table: Table) -> Floats:
        return self.outputs(self.rows(table))[:, 0]

    def expression(self) -> Expression:
        """Return the network as an expression: a sum of Gaussian kernels."""
        from induce.hypotheses.expressions.nodes import Part

        return Part(self._outputs(), 0)

    def explain(self, X: Any) -> tuple[KernelExplanation, ...]:
        """Return, for each row, the contribution of each kernel to its prediction."""
        from induce.instances.rbf.explanation import explained

        points = self.rows(X)
        return explained(self, points, self.predict(X).tolist(), np.zeros(len(points), dtype=np.int64))

    def says(self, kernel: int) -> str:
        """Return the weight of a kernel, as text."""
        return f"{shown(float(self.weights[kernel, 0])):>10}"

    def head(self) -> str:
        """Return the first line of the text."""
        return f"{value_text(self.target)} = {shown(float(self.bias[0]))} + a sum of {self.size()}"


@dataclass(frozen=True, eq=False)
class RBFClassNetwork(SqlForm, PythonForm, OnnxForm, KernelNetwork, Classifier):
    """A classifier with one sum of Gaussian kernels per class; the largest decides.

    Ties go to the class declared first.

    Parameters
    ----------
    classes : tuple
        Classes, in the order of the outputs.

    See Also
    --------
    KernelNetwork : the other parameters.
    """

    classes: tuple[Value, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.classes) != len(self.bias):
            raise InputError("the network needs one output per class")

    def _scores(self, table: Table) -> Floats:
        return self.outputs(self.rows(table))

    def expression(self) -> Expression:
        """Return the network as an expression: the class with the largest sum of Gaussian kernels."""
        from induce.hypotheses.expressions.nodes import Constant, Largest

        return Largest(self._outputs(), tuple(map(Constant, self.classes)), self.ties_by_rounding)

    def _shares(self, scores: Floats) -> Floats:
        """Return the normalised outputs of the classes; negative outputs count as 0."""
        shares = np.maximum(scores, 0.0)
        rows = np.flatnonzero(~shares.any(axis=1))
        shares[rows, self._decided(scores[rows])] = 1.0
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def explain(self, X: Any) -> tuple[KernelExplanation, ...]:
        """Return, for each row, the contribution of each kernel to the output of the predicted class."""
        from induce.instances.rbf.explanation import explained

        points = self.rows(X)
        return explained(self, points, self.predict(X).tolist(), self._decided(self.outputs(points)))

    def says(self, kernel: int) -> str:
        """Return the class with the largest weight of a kernel, and the weight, as text."""
        best = first_largest(self.weights[kernel])
        return f"{shown(float(self.weights[kernel, best])):>10}  {value_text(self.classes[best])}"

    def head(self) -> str:
        """Return the first line of the text."""
        return f"{value_text(self.target)}: {len(self.classes)} classes, each a sum of {self.size()}"
