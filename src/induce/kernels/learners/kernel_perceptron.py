"""Kernel perceptron: counts of mistakes as coefficients (AIMA 18.9.2)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from induce.core.notes import note
from induce.data.schema import Schema
from induce.kernels.inputs import Floats
from induce.kernels.learners.base import KernelLike
from induce.kernels.learners.perceptron import Mistakes, Perceptron, plain_separator
from induce.kernels.separator import Separator


class KernelPerceptron(Perceptron):
    """Kernel perceptron: mistake counts are the coefficients of a sum of kernels (AIMA 18.9.2).

    It passes over the rows in order; sign(0) is positive. It converges if its kernel separates the rows. Any
    bias is part of the kernel; ``"linear"`` means ``1 + Linear()``. Several classes are learned one against
    the rest. A missing number is replaced by the mean of the training rows; a missing or unseen category by
    the relative frequencies of the values in training.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="gaussian"
        Kernel, as in `SVM`.
    max_iter : int, default=100
        Maximum number of passes over the rows.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.

    Attributes
    ----------
    hypothesis_ : KernelMachine
    n_iter_ : int
        Number of passes; the last one makes no mistake if the rows are separable.

    See Also
    --------
    VotedPerceptron : All perceptrons of the passes vote.
    Perceptron : The perceptron rule.
    SVM : The separator of largest margin.

    References
    ----------
    M. A. Aizerman, E. M. Braverman and L. I. Rozonoer (1964). Theoretical foundations of the potential function
    method in pattern recognition learning. Automation and Remote Control 25, 821-837.

    Y. Freund and R. E. Schapire (1999). Large margin classification using the perceptron algorithm. Machine
    Learning 37, 277-296.

    Examples
    --------
    >>> from induce.kernels import KernelPerceptron, Polynomial
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [False, True, True, False]
    >>> learner = KernelPerceptron(kernel=Polynomial(2), scale=None).fit(X, y)
    >>> learner.n_iter_, learner.hypothesis_.support_vectors()["alpha"].to_list()
    (10, [7.0, 5.0, 5.0, 4.0])
    """

    def __init__(
        self,
        *,
        kernel: KernelLike = "gaussian",
        max_iter: int = 100,
        scale: str | None = "standard",
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.kernel = kernel
        self.max_iter = max_iter
        self.scale = scale
        self.schema = schema

    def _how(self) -> str:
        return "kernel perceptron"

    def _separator(self, negative: int, positive: int, sign: Floats, found: Mistakes) -> Separator:
        rows, counts = np.unique(found.rows, return_counts=True)
        beta = sign[rows] * counts
        return plain_separator(
            negative, positive, rows, beta, math.sqrt(max(0.0, float(beta @ found.scores[rows]))), len(sign)
        )

    def _tell(self, done: list[Mistakes]) -> None:
        if not all(each.converged for each in done):
            note(
                f"the kernel perceptron still makes mistakes after {self.max_iter} passes; raise max_iter, or use a "
                "kernel that separates the rows"
            )
