"""Kernel machines of vectors as ONNX models."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from induce.core.errors import InputError
from induce.data.numeric_view import FAR
from induce.hypotheses.deciding import class_array
from induce.hypotheses.export_onnx import TYPES, Graph, indicators, written
from induce.kernels.combinations import Constant, Product, Sum
from induce.kernels.export import support_matrix
from induce.kernels.inputs import Floats
from induce.kernels.kernel import Kernel
from induce.kernels.separator import REST, Separator
from induce.kernels.vectors import Gaussian, Linear, Polynomial, squares

if TYPE_CHECKING:
    from induce.kernels.machine import KernelMachine


def to_onnx(machine: KernelMachine) -> bytes:
    """Return a model with an input for each column, and the outputs "prediction" and "scores"."""
    graph = graph_of(machine)
    kind, n_scores = class_array(machine.classes).dtype.kind, max(1, len(machine.separators))
    return written(graph, {"prediction": (kind, None), "scores": ("f", n_scores)})


def graph_of(machine: KernelMachine) -> Graph:
    """Return the operators that lead from columns to the class and to f of each separator."""
    classes = class_array(machine.classes)
    names = [*machine.view.schema.names(), "prediction", "scores"]
    if classes.dtype.kind not in TYPES or len(set(names)) < len(names):
        raise InputError(
            "the machine has no form in ONNX: classes must be of one type, and no column be called prediction or "
            "scores"
        )
    graph = Graph(names)
    x = _vectors(machine, graph)
    if machine.separators:
        scores = _scores(machine, graph, x)
        totals = _totals(machine.separators, graph, scores, len(classes))
    else:
        scores = graph.add("MatMul", x, graph.constant(np.zeros((len(machine.view.mean), 1))), gives="scores")
        always = np.arange(len(classes)) == machine.only
        totals = graph.add("Add", scores, graph.constant(always.astype(np.float64)))
    best = graph.add("ArgMax", totals, axis=1, keepdims=0)
    graph.add("Gather", graph.constant(classes), best, gives="prediction")
    return graph


def _vectors(machine: KernelMachine, graph: Graph) -> str:
    """Read the columns as the view of the machine does: scaled numbers and indicators."""
    view, place, number, parts = machine.view, 0, 0, []
    for column in view.schema:
        if column.kind == "nominal":
            end = place + len(column.domain)
            parts.append(indicators(graph, column, view.mean[place:end]))
            place = end
            continue
        x = graph.reads(column.name, "f")
        scaled = graph.add("Sub", x, graph.constant(view.offset[number : number + 1]))
        scaled = graph.add("Div", scaled, graph.constant(view.scale[number : number + 1]))
        scaled = graph.add("Clip", scaled, graph.constant(np.array(-FAR)), graph.constant(np.array(FAR)))
        parts.append(
            graph.add("Where", graph.add("IsNaN", x), graph.constant(view.mean[place : place + 1]), scaled)
        )
        place, number = place + 1, number + 1
    return graph.add("Concat", *parts, axis=1)


def _scores(machine: KernelMachine, graph: Graph, x: str) -> str:
    """Return f of each separator."""
    coefficients = np.zeros((len(machine.rows), len(machine.separators)))
    for m, separator in enumerate(machine.separators):
        if len(separator.survival):
            raise InputError(f"a {machine.how} has no form in ONNX; save it with induce.save")
        coefficients[separator.support, m] = separator.coefficients
    found = graph.add(
        "MatMul", _kernel(machine.kernel, graph, x, support_matrix(machine)), graph.constant(coefficients)
    )
    intercepts = np.array([separator.intercept for separator in machine.separators])
    return graph.add("Add", found, graph.constant(intercepts), gives="scores")


def _kernel(kernel: Kernel, graph: Graph, x: str, z: Floats) -> str:
    """Return K of each row with each support vector."""

    def number(value: float) -> str:
        return graph.constant(np.array(float(value)))

    match kernel:
        case Sum(parts) | Product(parts):
            several = [_kernel(part, graph, x, z) for part in parts]
            return reduce(lambda a, b: graph.add("Add" if isinstance(kernel, Sum) else "Mul", a, b), several)
        case Constant(value):
            nothing = graph.add("MatMul", x, graph.constant(np.zeros((z.shape[1], len(z)))))
            return graph.add("Add", nothing, number(value))
        case Linear():
            return graph.add("MatMul", x, graph.constant(z.T))
        case Polynomial(degree, offset, float(gamma)):
            inner = graph.add("MatMul", x, graph.constant(gamma * z.T))
            return graph.add("Pow", graph.add("Add", inner, number(offset)), number(degree))
        case Gaussian(float(gamma)):
            # -gamma |x - z|²
            product = graph.add("MatMul", x, graph.constant(2 * gamma * z.T))
            square = graph.add("ReduceSum", graph.add("Mul", x, x), graph.constant(np.array([1])), keepdims=1)
            product = graph.add("Add", product, graph.add("Mul", square, number(-gamma)))
            exponent = graph.add("Add", product, graph.constant(-gamma * squares(z)))
            return graph.add("Exp", graph.add("Min", exponent, number(0.0)))
    raise InputError(f"{kernel} has no form in ONNX; save the machine with induce.save")


def _totals(separators: tuple[Separator, ...], graph: Graph, scores: str, n_classes: int) -> str:
    """Return the score of each class, as `totals` does."""
    positive, negative = np.zeros((2, len(separators), n_classes))
    for m, separator in enumerate(separators):
        positive[m, separator.positive] = 1.0
        if separator.negative != REST:
            negative[m, separator.negative] = 1.0
    if separators[0].negative == REST:
        found = graph.add("MatMul", scores, graph.constant(positive))
        absent = np.where(positive.any(axis=0), 0.0, -np.inf)
        return graph.add("Add", found, graph.constant(absent))
    one = graph.constant(np.array(1.0))
    ahead = graph.add("Cast", graph.add("GreaterOrEqual", scores, graph.constant(np.array(0.0))), to="DOUBLE")
    behind = graph.add("Sub", one, ahead)
    votes = graph.add(
        "Add",
        graph.add("MatMul", ahead, graph.constant(positive)),
        graph.add("MatMul", behind, graph.constant(negative)),
    )
    sums = graph.add("MatMul", scores, graph.constant(positive - negative))
    scale = graph.add("Mul", graph.add("Add", graph.add("Abs", sums), one), graph.constant(np.array(3.0)))
    return graph.add("Add", votes, graph.add("Div", sums, scale))
