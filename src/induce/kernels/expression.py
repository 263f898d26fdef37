"""Kernel machines of vectors as expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.core.errors import InputError
from induce.data.schema import Column
from induce.data.table import Table
from induce.hypotheses.expressions import nodes
from induce.hypotheses.expressions.nodes import (
    Affine,
    Case,
    Cell,
    Comparison,
    Constant,
    Distances,
    Expression,
    Function,
    Largest,
    Let,
    LookUp,
    Number,
    Part,
    Product,
    Sum,
    Variable,
    Vector,
    Voted,
)
from induce.hypotheses.expressions.shapes import inputs_vector
from induce.kernels import combinations
from induce.kernels.inputs import WIDE, Floats, Rows, inputs_of
from induce.kernels.kernel import Kernel
from induce.kernels.separator import REST, Separator
from induce.kernels.vectors import Gaussian, Linear, Polynomial
from induce.kernels.weights import LinearWeights, is_linear

if TYPE_CHECKING:
    from induce.kernels.kernel_sum import KernelSum
    from induce.kernels.machine import KernelMachine


def expression_of(machine: KernelMachine) -> Expression:
    """Return the decision as an expression; a linear machine is a weighted sum of the columns."""
    if not machine.separators:
        return Constant(machine.classes[machine.only])
    scores = Variable("scores", len(machine.separators))
    decided = _decided(machine, scores)
    if is_linear(machine):
        sums = tuple(_weighted(machine, weights) for weights in machine.weights())
        return Let("scores", Vector(sums), decided)
    vectors = support_matrix(machine)
    x, alike = Variable("x", vectors.shape[1]), Variable("alike", len(vectors))
    found = Let("scores", _scores(machine, alike), decided)
    return Let("x", inputs_vector(machine.view), Let("alike", _kernel(machine.kernel, x, vectors), found))


def expression_of_sum(function: KernelSum) -> Expression:
    """Return the prediction as a weighted sum of the columns, or of kernels at the support vectors."""
    if function.is_linear():
        return _weighted(function, function.weights())
    if not len(function.rows):
        return Constant(function.intercept)
    vectors = support_matrix(function)
    x, alike = Variable("x", vectors.shape[1]), Variable("alike", len(vectors))
    total = Part(Affine(function.coefficients[np.newaxis], alike, np.array([function.intercept])), 0)
    found = Let("alike", _kernel(function.kernel, x, vectors), total)
    return Let("x", inputs_vector(function.view), found)


def is_expressible(machine: KernelMachine | KernelSum) -> bool:
    """Return whether the kernel of a machine can be exported, and its support vectors are small enough."""
    return is_linear(machine) or (len(machine.view.mean) <= WIDE and _is_known(machine.kernel))


def _is_known(kernel: Kernel) -> bool:
    match kernel:
        case combinations.Sum(parts) | combinations.Product(parts):
            return all(map(_is_known, parts))
        case combinations.Constant() | Linear() | Polynomial(gamma=float()) | Gaussian(gamma=float()):
            return True
    return False


def support_matrix(machine: KernelMachine | KernelSum) -> Floats:
    """Return the support vectors as scaled numbers; raise an `InputError` if most would be zeros."""
    width = len(machine.view.mean)
    if width > WIDE:
        raise InputError(
            f"the columns give {width:,} numbers, too many to export; save the machine with induce.save"
        )
    table = Table(machine.view.schema, machine.numeric, machine.nominal)
    return np.asarray(inputs_of(Rows(table, machine.things), machine.view).vectors, np.float64)


def _weighted(machine: KernelMachine | KernelSum, weights: LinearWeights) -> Expression:
    """Return f as a sum over columns; a missing value is replaced."""
    terms: list[Expression] = [Constant(weights.intercept)]
    place = 0
    for column in machine.view.schema:
        width = len(column.domain) if column.kind == "nominal" else 1
        part = slice(place, place + width)
        terms.append(_term(column, weights.weights[part].tolist(), weights.missing[part].tolist()))
        place += width
    return Sum(tuple(terms))


def _term(column: Column, weights: list[float], missing: list[float]) -> Expression:
    if column.kind != "nominal":
        return Product((Constant(weights[0]), Number(Cell(column), missing[0])))
    absent = Constant(float(np.dot(weights, missing)))
    return LookUp(Cell(column), tuple(map(Constant, weights)), absent, absent)


def _kernel(kernel: Kernel, x: Expression, vectors: Floats) -> Expression:
    """Return K between a row and each support vector."""
    nothing = np.zeros(len(vectors))
    match kernel:
        case combinations.Sum(parts):
            return Sum(tuple(_kernel(part, x, vectors) for part in parts))
        case combinations.Product(parts):
            return Product(tuple(_kernel(part, x, vectors) for part in parts))
        case combinations.Constant(value):
            return Constant((float(value),) * len(vectors))
        case Linear():
            return Affine(vectors, x, nothing)
        case Polynomial(degree, offset, float(gamma)):
            inner = Affine(gamma * vectors, x, nothing + offset)
            return Function("power", (inner, Constant(float(degree))))
        case Gaussian(float(gamma)):
            distances = Distances(vectors, x, np.ones(vectors.shape[1]))
            return Function("exp", (Product((Constant(-gamma), distances)),))
    raise InputError(f"cannot export K = {kernel}; save the machine with induce.save")


def _scores(machine: KernelMachine, alike: Variable) -> Expression:
    """Return f of each separator."""
    if any(len(separator.survival) for separator in machine.separators):
        return Vector(tuple(_voted(separator, alike) for separator in machine.separators))
    coefficients = np.zeros((len(machine.separators), len(machine.rows)))
    for m, separator in enumerate(machine.separators):
        coefficients[m, separator.support] = separator.coefficients
    return Affine(coefficients, alike, np.array([separator.intercept for separator in machine.separators]))


def _voted(separator: Separator, alike: Variable) -> Expression:
    parts = Vector(tuple(Part(alike, int(place)) for place in separator.support))
    weights, survival = tuple(separator.coefficients.tolist()), tuple(separator.survival.tolist())
    return Voted(parts, weights, survival, float(separator.intercept))


def _decided(machine: KernelMachine, scores: Variable) -> Expression:
    """Return the class with the highest score."""
    separators = machine.separators
    if separators[0].negative == REST:
        says = tuple(Constant(machine.classes[each.positive]) for each in separators)
        return Largest(scores, says, machine.ties_by_rounding)
    if len(separators) == 1:
        positive, negative = separators[0].positive, separators[0].negative
        ahead = Comparison(Part(scores, 0), ">=", Constant(0.0))
        return Case(((ahead, Constant(machine.classes[positive])),), Constant(machine.classes[negative]))
    there = sorted({side for each in separators for side in (each.negative, each.positive)})
    sums = Variable("sums", len(there))
    totals = Vector(tuple(_total(separators, scores, Part(sums, k), code) for k, code in enumerate(there)))
    added = Vector(tuple(_pull(separators, scores, code) for code in there))
    says = tuple(Constant(machine.classes[code]) for code in there)
    return Let("sums", added, Largest(totals, says, machine.ties_by_rounding))


def _pull(separators: tuple[Separator, ...], scores: Variable, code: int) -> Expression:
    """Return the sum of the scores of a class."""
    signs = {m: 1.0 if each.positive == code else -1.0 for m, each in enumerate(separators)}
    own = [m for m, each in enumerate(separators) if code in (each.positive, each.negative)]
    return nodes.WeightedSum(0.0, tuple(signs[m] for m in own), tuple(Part(scores, m) for m in own))


def _total(separators: tuple[Separator, ...], scores: Variable, pull: Expression, code: int) -> Expression:
    """Return the votes for a class, plus a fraction of a vote from its scores."""
    votes: list[Expression] = []
    for m, each in enumerate(separators):
        if code in (each.positive, each.negative):
            ahead = Comparison(Part(scores, m), ">=", Constant(0.0))
            won, lost = (1.0, 0.0) if each.positive == code else (0.0, 1.0)
            votes.append(Case(((ahead, Constant(won)),), Constant(lost)))
    size = Product((Constant(3.0), Sum((Function("abs", (pull,)), Constant(1.0)))))
    return Sum((*votes, Function("quotient", (pull, size))))
