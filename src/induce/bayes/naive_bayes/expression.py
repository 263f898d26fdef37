"""Naive Bayes as an expression: the scores of the classes are sums of logarithms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.bayes.naive_bayes.nominal import IntervalColumn, NominalColumn
from induce.bayes.naive_bayes.numeric import KernelColumn, NormalColumn
from induce.bayes.naive_bayes.words import WordsColumn
from induce.core.errors import InputError
from induce.hypotheses.expressions.nodes import (
    Case,
    Cell,
    Comparison,
    Constant,
    Expression,
    Function,
    Largest,
    Let,
    LogSumExp,
    LookUp,
    Maximum,
    Missing,
    Number,
    Product,
    Steps,
    Sum,
    Variable,
    Vector,
    Words,
)

if TYPE_CHECKING:
    from induce.bayes.naive_bayes.column import ColumnModel
    from induce.bayes.naive_bayes.hypothesis import NaiveBayesModel


def expression_of(model: NaiveBayesModel) -> Expression:
    """Return the class with the largest score, or the class of the highest prior if none is possible."""
    from induce.bayes.naive_bayes.hypothesis import IMPOSSIBLE

    terms = [term for column in model.columns for term in _terms(column)]
    scores = Variable("scores", len(model.classes))
    never = Comparison(Maximum(scores), "<", Constant(IMPOSSIBLE))
    most = Constant(model.classes[int(model.log_priors.argmax())])
    chosen = Largest(scores, tuple(map(Constant, model.classes)), model.ties_by_rounding)
    return Let("scores", Sum((_vector(model.log_priors), *terms)), Case(((never, most),), chosen))


def _terms(column: ColumnModel) -> list[Expression]:
    """Return the contribution of one column to the scores of the classes."""
    cell = Cell(column.column)
    match column:
        case IntervalColumn():
            *says, _, missing = map(_vector, column.log_table.T)
            return [Steps(cell, tuple(column.cuts.tolist()), tuple(says[: len(column.cuts) + 1]), missing)]
        case NominalColumn():
            *says, unseen, missing = map(_vector, column.log_table.T)
            return [LookUp(cell, tuple(says), unseen, missing)]
        case NormalColumn():
            mean, factor, constant = map(_vector, column.curve)
            gap = Function("difference", (Number(cell, 0.0), mean))
            density = Function("difference", (constant, Product((Function("square", (gap,)), factor))))
            return [_known(column, cell, density)]
        case KernelColumn():
            classes = range(len(column.holes))
            return [_known(column, cell, Vector(tuple(_kernels(column, cell, k) for k in classes)))]
        case WordsColumn(tokeniser=tokeniser) if tokeniser is not None:
            weights = column.weights(np.arange(len(column.vocabulary)))
            rows = tuple(tuple(row) for row in weights.tolist())
            once = column.variant == "bernoulli"
            nothing = Constant((0.0,) * len(column.base))
            words = Words(cell, tokeniser.pattern, tokeniser.lowercase, once, column.vocabulary, rows)
            return [words if rows else nothing, Case(((Missing(cell), nothing),), _vector(column.base))]
    raise InputError(
        "cannot export a hypothesis learned from word counts, which has no texts; learn from texts"
    )


def _known(column: NormalColumn | KernelColumn, cell: Cell, density: Expression) -> Expression:
    return Case(((Missing(cell), _vector(column.known[1])),), density)


def _kernels(column: KernelColumn, cell: Cell, place: int) -> Expression:
    """Return the log density in one class: a mixture of normal kernels."""
    numbers, weights = column.kernels(place)
    width = float(column.widths[place])
    with np.errstate(divide="ignore"):  # a class without numbers
        constant = float(column.known[0, place] - np.log(weights.sum() * width * np.sqrt(2 * np.pi)))
    gap = Function("difference", (Number(cell, 0.0), _vector(numbers)))
    step = Function("quotient", (gap, Constant(width)))
    half = Product((Constant(0.5), Function("square", (step,))))
    return Sum((LogSumExp(Function("difference", (_vector(np.log(weights)), half))), Constant(constant)))


def _vector(numbers: NDArray[np.float64]) -> Constant:
    return Constant(tuple(numbers.tolist()))
