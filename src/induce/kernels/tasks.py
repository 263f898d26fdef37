"""From the classes of rows to problems of two sides, and from their solutions to separators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.kernels.gram import Gram
from induce.kernels.inputs import Floats
from induce.kernels.separator import Separator
from induce.kernels.smo import Limits, Problem, Solution, solve


@dataclass(frozen=True, eq=False)
class Task:
    """A separator that is to be found: the classes on its sides, and its problem for C = 1."""

    negative: int
    positive: int
    problem: Problem

    def bounded(self, C: float, kept: Any = slice(None)) -> Problem:
        part = self.problem.part(kept)
        return Problem(part.index, part.sign, C * part.bound)


def stretched(before: Solution | None, problem: Problem) -> Solution | None:
    """Return the solution for another C as a start: coefficients grow in proportion, which keeps their sum 0."""
    if before is None:
        return None
    factor = float(problem.bound[0] / before.problem.bound[0])
    return Solution(problem, factor * before.beta, before.value, 0)


def held_out(
    gram: Gram, problem: Problem, train: Any, held: Any, limits: Limits, start: Solution
) -> tuple[Solution, Floats]:
    """Learn from some rows of a problem and score the others."""
    part = problem.part(train)
    solution = solve(gram, part, limits, start)
    return solution, gram.times(problem.index[held], part.index, solution.beta) + solution.intercept


def separator_of(task: Task, solution: Solution | None, sigmoid: tuple[float, float]) -> Separator:
    if solution is None:
        nothing = np.empty(0)
        places = nothing.astype(np.int64), nothing, nothing.astype(bool)
        return Separator(task.negative, task.positive, *places, 0.0, 0.0, 0.0, 0.0, 0, sigmoid, nothing)
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
