"""Two-class problems derived from the classes of rows, and separators from their solutions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.kernels.gram import Gram, Ints
from induce.kernels.inputs import Floats
from induce.kernels.separator import Separator
from induce.kernels.smo import Problem, Solution


@dataclass(frozen=True, eq=False)
class Task:
    """A separator to be found: the classes on its sides, and its problem for C = 1."""

    negative: int
    positive: int
    problem: Problem

    def bounded(self, C: float, kept: Any = slice(None)) -> Problem:
        """Return the problem of the given rows with a different C."""
        part = self.problem.part(kept)
        return Problem(part.index, part.sign, C * part.bound)


def stretched(before: Solution[Problem] | None, problem: Problem) -> Solution[Problem] | None:
    """Return the solution scaled to a different C, as an initial solution; proportional coefficients still
    sum to 0.
    """
    if before is None:
        return None
    factor = float(problem.bound[0] / before.problem.bound[0])
    return Solution(problem, factor * before.beta, before.value, 0)


def scores_of(gram: Gram, solution: Solution[Any], rows: Ints) -> Floats:
    """Return f of a solution for some of the training rows."""
    return gram.times(rows, solution.problem.index, solution.beta) + solution.intercept


def separator_of(task: Task, solution: Solution[Problem], sigmoid: tuple[float, float]) -> Separator:
    """Return the separator of a solution."""
    used = np.flatnonzero(solution.beta)
    return Separator(
        negative=task.negative,
        positive=task.positive,
        support=solution.problem.index[used],
        coefficients=solution.beta[used],
        at_bound=solution.at_bound[used],
        intercept=solution.intercept,
        norm=solution.norm,
        objective=solution.objective,
        gap=solution.gap,
        n_rows=len(solution.beta),
        sigmoid=sigmoid,
        survival=np.empty(0),
    )
