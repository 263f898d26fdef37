"""Existence of a hard margin: whether some separator classifies every training row correctly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from induce.core.errors import InputError
from induce.estimators import ClassReading
from induce.hypotheses.naming import value_text
from induce.kernels.gram import Gram
from induce.kernels.learners.training_rows import Training
from induce.kernels.separability import separable
from induce.kernels.smo import Problem
from induce.kernels.vectors import Gaussian

MOST = 1_500
"""Maximum number of rows for which linear programming searches for a separator; with more, training decides."""


def check_hard_margin(
    reading: ClassReading, training: Training, gram: Gram, problems: Sequence[Problem]
) -> None:
    """Raise an `InputError` if the classes are not separable, naming equal rows of different classes."""
    clash = _clash(training)
    if clash is not None:
        first, second = clash
        told = [
            f"row {training.numbers[place]} ({value_text(reading.classes[training.labels[place]])})"
            for place in sorted((first, second), key=lambda place: training.numbers[place])
        ]
        raise InputError(
            f"C is infinite, but no hard margin exists: {told[0]} and {told[1]} are equal; give a finite C"
        )
    for problem in problems:
        if len(problem.index) <= MOST and not isinstance(
            training.kernel, Gaussian
        ):  # which separates all rows
            matrix = np.asarray(gram.block(problem.index, problem.index), np.float64)
            if not separable(matrix, problem.sign):
                raise InputError(
                    "C is infinite, but no hard margin exists: no separator with K = "
                    f"{training.kernel} classifies every row correctly; give a finite C or another "
                    "kernel"
                )


def _clash(training: Training) -> tuple[int, int] | None:
    """Return two equal rows of different classes, if there are any."""
    lots: dict[object, int] = {}
    for place, key in enumerate(_keys(training)):
        if key in lots and training.labels[lots[key]] != training.labels[place]:
            return lots[key], place
        lots.setdefault(key, place)
    return None


def _keys(training: Training) -> list[tuple[object, ...]]:
    rows = training.rows.take(training.order)
    numbers = np.nan_to_num(rows.table.numeric, nan=np.inf) + 0.0
    return [
        (*number.tolist(), *codes.tolist(), *(cells[i] for cells in rows.things))
        for i, (number, codes) in enumerate(zip(numbers, rows.table.nominal, strict=True))
    ]
