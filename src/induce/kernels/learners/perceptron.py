"""Perceptrons in the feature space of a kernel: counts of mistakes as coefficients (AIMA 18.9.2)."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from induce.core import trace
from induce.core.parameters import Declared, whole
from induce.core.progress import report
from induce.core.row_numbers import row_number
from induce.estimators import ClassReading, UnweightedClassifier
from induce.kernels.gram import Gram
from induce.kernels.inputs import Floats
from induce.kernels.kernel import Kernel
from induce.kernels.learners.base import KernelLearner, KernelLike, kernel_of
from induce.kernels.learners.training_rows import prepared
from induce.kernels.machine import KernelMachine
from induce.kernels.separator import CLEAR, REST, Ints, Separator
from induce.kernels.vectors import Linear

CACHE = 200.0
"""Size of the kernel cache in megabytes."""


@dataclass(frozen=True, eq=False)
class Mistakes:
    """Mistakes of a perceptron in order, with its survival time after each.

    Parameters
    ----------
    rows : array of int
    survival : array of int
        Number of correct examples after each mistake, plus 1 for the mistake.
    scores : array of float
        Final sum for each training row.
    epochs : int
    converged : bool
        Whether the last pass made no mistake.
    """

    rows: Ints
    survival: Ints
    scores: Floats
    epochs: int
    converged: bool


def perceive(gram: Gram, sign: Floats, max_iter: int, numbers: Ints, vectors: Any = None) -> Mistakes:
    """Pass over the rows in order, adding each misclassified row to the sum; 0 counts as positive.

    If the kernel is a product of `vectors` and a constant, a trace also reports the weights of the inputs.
    """
    scores = np.zeros(len(sign))
    everything = np.arange(len(sign))
    rows: list[int] = []
    moments: list[int] = []
    epoch = 0
    converged = False
    while epoch < max_iter and not converged:
        epoch += 1
        start, before = 0, len(rows)
        while True:
            # sign(0) is +
            wrong = np.where(sign[start:] > 0, scores[start:] < 0, scores[start:] >= 0)
            place = int(wrong.argmax()) if wrong.any() else -1
            if place < 0:
                break
            row = start + place
            rows.append(row)
            moments.append((epoch - 1) * len(sign) + row)
            scores += sign[row] * np.asarray(gram.block(everything[row : row + 1], everything)[0], np.float64)
            _tell(sign, rows, numbers, epoch, vectors)
            start = row + 1
        converged = len(rows) == before
        report(1.0 if converged else epoch / max_iter)
    survival = np.diff([*moments, epoch * len(sign)])
    return Mistakes(np.array(rows, np.int64), survival.astype(np.int64), scores, epoch, converged)


def _tell(sign: Floats, rows: list[int], numbers: Ints, epoch: int, vectors: Any) -> None:
    """Emit a mistake to an active trace: the row, the coefficients so far, and the input weights of a linear
    kernel.
    """
    if not trace.active("mistake"):
        return
    times = np.bincount(rows, minlength=len(sign)) * sign
    coefficients = {
        row_number(int(numbers[row])): float(times[row]) for row in np.flatnonzero(times).tolist()
    }
    trace.emit(
        "mistake",
        epoch=epoch,
        row=row_number(int(numbers[rows[-1]])),
        mistakes=len(rows),
        coefficients=coefficients,
        weights=None if vectors is None else (float(times.sum()), *(vectors.T @ times).ravel().tolist()),
    )


class Perceptron(KernelLearner, UnweightedClassifier):
    """Base of kernel perceptrons.

    They pass over the rows in order until all are correct or `max_iter` passes have been made.
    """

    parameters: ClassVar[Declared] = {
        "max_iter": whole("Maximum number of passes over the rows.", at_least=1)
    }
    kernel: KernelLike
    max_iter: int
    scale: str | None

    def _learn(self, reading: ClassReading) -> KernelMachine:
        training = prepared(reading, self._kernel(), self.scale, merge=False)
        gram = Gram(training.kernel, training.inputs, CACHE, True)
        there = np.unique(training.labels).tolist()
        pairs = [] if len(there) < 2 else [there] if len(there) == 2 else [[REST, code] for code in there]
        done = []
        separators = []
        for negative, positive in pairs:
            sign = np.where(training.labels == positive, 1.0, -1.0)
            vectors = training.inputs.vectors if self.kernel == "linear" else None
            found = perceive(gram, sign, self.max_iter, training.order, vectors)
            done.append(found)
            separators.append(self._separator(negative, positive, sign, found))
        self.n_iter_ = max((each.epochs for each in done), default=1)
        self._tell(done)
        only = int(np.bincount(training.labels).argmax())
        return self._machine(reading, training, self._how(), separators, only)

    def _kernel(self) -> Kernel:
        """Return the kernel; a perceptron has no bias of its own, so "linear" gets a constant."""
        return 1 + Linear() if self.kernel == "linear" else kernel_of(self.kernel)

    @abstractmethod
    def _how(self) -> str:
        """Return the name of the machine."""

    @abstractmethod
    def _separator(self, negative: int, positive: int, sign: Floats, found: Mistakes) -> Separator:
        """Return the separator of two sides."""

    def _tell(self, done: list[Mistakes]) -> None:
        """Emit notes about the passes."""


def plain_separator(
    negative: int, positive: int, rows: Ints, beta: Floats, norm: float, n_rows: int, survival: Any = None
) -> Separator:
    """Return a separator without a dual solution."""
    return Separator(
        negative=negative,
        positive=positive,
        support=rows,
        coefficients=beta,
        at_bound=np.zeros(len(rows), bool),
        intercept=0.0,
        norm=norm,
        objective=math.nan,
        gap=math.nan,
        n_rows=n_rows,
        sigmoid=CLEAR,
        survival=np.empty(0) if survival is None else survival,
    )
