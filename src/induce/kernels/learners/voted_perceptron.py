"""Voted perceptron: all perceptrons of the run vote (Freund and Schapire 1999)."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.data.schema import Schema
from induce.kernels.inputs import Floats
from induce.kernels.learners.base import KernelLike
from induce.kernels.learners.perceptron import Mistakes, Perceptron, plain_separator
from induce.kernels.separator import Separator


class VotedPerceptron(Perceptron):
    """Voted perceptron: all perceptrons of the run vote, weighted by survival time (Freund and Schapire
    1999).

    It is less affected by rows that cannot be learned than the last perceptron. Otherwise it behaves like
    `KernelPerceptron`, including missing values and unseen categories.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="gaussian"
        Kernel, as in `SVM`.
    max_iter : int, default=10
        Maximum number of passes over the rows.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.

    Attributes
    ----------
    hypothesis_ : KernelMachine
    n_iter_ : int
        Number of passes.

    See Also
    --------
    KernelPerceptron : The perceptron rule with a kernel.
    Perceptron : The perceptron rule.

    References
    ----------
    Y. Freund and R. E. Schapire (1999). Large margin classification using the perceptron algorithm. Machine
    Learning 37, 277-296.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> print(VotedPerceptron().fit(X, y == "virginica").hypothesis_)
    species by a voted perceptron, K = exp(-0.25 |x - z|²)
      True against False: 19 support vectors of 150 rows
    """

    def __init__(
        self,
        *,
        kernel: KernelLike = "gaussian",
        max_iter: int = 10,
        scale: str | None = "standard",
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.kernel = kernel
        self.max_iter = max_iter
        self.scale = scale
        self.schema = schema

    def _how(self) -> str:
        return "voted perceptron"

    def _separator(self, negative: int, positive: int, sign: Floats, found: Mistakes) -> Separator:
        survival = found.survival.astype(np.float64)
        return plain_separator(negative, positive, found.rows, sign[found.rows], 0.0, len(sign), survival)
