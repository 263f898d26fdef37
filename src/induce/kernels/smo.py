"""The dual problems of separators and of regressions, by sequential minimal optimisation (AIMA Eq. 18.13).

The problem is to maximise Σ alpha_j - ½ Σ alpha_j alpha_k y_j y_k K(x_j, x_k) subject to Σ alpha_j y_j = 0
and 0 <= alpha_j <= C. It is solved for ``beta = y alpha``, one of whose bounds is 0. The printed ``w = Σ
alpha_j x_j`` lacks the y_j.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from induce.core import trace
from induce.core.errors import InputError
from induce.core.interrupts import interruptible
from induce.core.loops import PLAIN_WORK, sized, spend
from induce.core.progress import report
from induce.core.ties import smallest_first
from induce.kernels import _loops as loops
from induce.kernels.gram import Gram, Ints, KernelRows
from induce.kernels.inputs import Floats

PASSES = 3
"""Number of scans of all rows per step."""
COMPILED_WORK = 1e8
"""Number of elementary steps per compiled call, which takes a fraction of a second."""
NARROWEST = 1e-6
"""Minimum width of a hard margin, relative to the largest |x| in feature space."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Training rows of a two-class problem.

    Parameters
    ----------
    index : array of int
        Indices among the training rows.
    sign : array of float
        y of each row: 1 or -1.
    bound : array of float
        Upper bound of each alpha: C times its weight, infinite for a hard margin.
    """

    index: Ints
    sign: Floats
    bound: Floats
    epsilon: ClassVar[float] = 0.0

    @property
    def y(self) -> Floats:
        """Sign of each row's class: 1 or -1."""
        return self.sign

    @property
    def low(self) -> Floats:
        """Lower bound of each coefficient y alpha."""
        return np.where(self.sign > 0, 0.0, -self.bound)

    @property
    def high(self) -> Floats:
        """Upper bound of each coefficient y alpha."""
        return np.where(self.sign > 0, self.bound, 0.0)

    def part(self, kept: Any) -> Problem:
        """Return the problem restricted to some of the rows."""
        return Problem(self.index[kept], self.sign[kept], self.bound[kept])


@dataclass(frozen=True, eq=False)
class Tube:
    """Support vector regression: the dual problem of a function that passes within `epsilon` of the targets.

    It maximises Σ beta_j y_j - epsilon Σ |beta_j| - ½ Σ beta_j beta_k K(x_j, x_k) subject to Σ beta_j = 0 and
    |beta_j| <= C (Smola and Schölkopf 2004, with one coefficient per row instead of two).

    Parameters
    ----------
    index : array of int
        Indices among the training rows.
    y : array of float
        Target of each row.
    bound : array of float
        Maximum absolute value of each coefficient: C times its weight.
    epsilon : float
        Half-width of the tube, in single precision.
    """

    index: Ints
    y: Floats
    bound: Floats
    epsilon: float

    @property
    def low(self) -> Floats:
        """Lower bound of each coefficient."""
        return -self.bound

    @property
    def high(self) -> Floats:
        """Upper bound of each coefficient."""
        return self.bound

    def bounded(self, C: float, kept: Any = slice(None)) -> Tube:
        """Return the problem of the given rows with a different C, if the bounds of this one are weights."""
        return Tube(self.index[kept], self.y[kept], C * self.bound[kept], self.epsilon)


Either = TypeVar("Either", Problem, Tube)


@dataclass(frozen=True, eq=False)
class Solution(Generic[Either]):
    """Coefficients of a problem, with their quality.

    Parameters
    ----------
    problem : Problem or Tube
    beta : array of float
        y alpha of each row, or its coefficient in a regression.
    value : array of float
        Residual y - Σ beta K of each row.
    steps : int
    """

    problem: Either
    beta: Floats
    value: Floats
    steps: int

    @cached_property
    def gap(self) -> float:
        """Violation of the Karush-Kuhn-Tucker conditions; 0 at the optimum."""
        largest, smallest = self._ends
        return max(0.0, largest - smallest) if math.isfinite(largest - smallest) else 0.0

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """Return the largest gain of a coefficient that may increase, and the smallest loss of one that may
        decrease.
        """
        grows, shrinks = self.beta < self.problem.high, self.beta > self.problem.low
        jump = self.problem.epsilon
        rising = (self.value - jump * np.where(self.beta >= 0, 1.0, -1.0))[grows]
        falling = (self.value - jump * np.where(self.beta > 0, 1.0, -1.0))[shrinks]
        return float(rising.max(initial=-math.inf)), float(falling.min(initial=math.inf))

    @cached_property
    def objective(self) -> float:
        """Value of the dual objective."""
        # With value = y - K beta: sum beta y - beta K beta / 2 = beta (y + value) / 2.
        found = 0.5 * float(self.beta @ (self.problem.y + self.value))
        return found - self.problem.epsilon * float(np.abs(self.beta).sum())

    @cached_property
    def norm(self) -> float:
        """Norm of w in feature space."""
        # |w|^2 = beta K beta = beta (y - value).
        return math.sqrt(max(0.0, float(self.beta @ (self.problem.y - self.value))))

    @cached_property
    def at_bound(self) -> Any:
        """Whether each coefficient has reached its bound."""
        return np.abs(self.beta) >= self.problem.bound

    @cached_property
    def intercept(self) -> float:
        """Intercept b: the mean residual of the free support vectors, or otherwise the middle of the feasible
        interval.
        """
        # The conditions determine b where 0 < alpha < C; the mean averages out the tolerance.
        free = (self.beta != 0) & ~self.at_bound
        if free.any():
            return float((self.value - self.problem.epsilon * np.sign(self.beta))[free].mean())
        known = [end for end in self._ends if math.isfinite(end)]
        return float(np.mean(known)) if known else 0.0


@dataclass
class Limits:
    """Limits that stop the search before the gap is closed.

    Parameters
    ----------
    tolerance : float
        Gap at which the search stops.
    max_iter : int, optional
        Maximum number of steps per problem.
    deadline : float
        Deadline in seconds of `time.process_time`.
    steps : int
        Number of steps so far, for all problems.
    interrupted : bool
        Whether the user interrupted it.
    """

    tolerance: float
    max_iter: int | None = None
    deadline: float = math.inf
    steps: int = 0
    interrupted: bool = False

    def left(self, made: int) -> float:
        """Return the number of steps left for a problem after this many."""
        if self.interrupted or time.process_time() >= self.deadline:
            return 0
        return math.inf if self.max_iter is None else self.max_iter - made


@dataclass
class _Run:
    """State of the search, which survives an interruption."""

    beta: Floats
    value: Floats
    counts: Ints
    numbers: Floats

    def __len__(self) -> int:
        return int(self.counts[loops.STEPS])


def solve(
    gram: Gram,
    problem: Either,
    limits: Limits,
    start: Solution[Either] | None = None,
    numbers: Ints | None = None,
    work: float | None = None,
    share: tuple[float, float] = (0.0, 1.0),
) -> Solution[Either]:
    """Solve a problem by sequential minimal optimisation (Platt 1999).

    Parameters
    ----------
    gram : Gram
    problem : Problem or Tube
    limits : Limits
    start : Solution, optional
        Initial solution: of the same problem with different bounds, or of one that includes these rows.
    numbers : array of int, optional
        Row numbers in trace events.
    work : float, optional
        Elementary steps of this and all similar problems, if there are several.
    share : (float, float)
        Range of the total progress covered by this problem.
    """
    n = len(problem.index)
    rows = KernelRows(gram, problem.index)
    begun = _begin(gram, problem, start)
    run = _Run(begun.beta.copy(), begun.value.copy(), np.zeros(5, np.int64), np.zeros(3))
    low, high = problem.low, problem.high
    jump = problem.epsilon
    up = np.where(run.beta < high, np.where(run.beta < 0, jump, -jump), -np.inf).astype(np.float32)
    down = np.where(run.beta > low, np.where(run.beta > 0, -jump, jump), np.inf).astype(np.float32)
    expected = 3.0 * PASSES * n * n if work is None else work
    told = trace.active("pair")
    hard = bool(np.isinf(problem.bound).any())
    opened, status = 0.0, loops.GOING_ON
    with interruptible(run, "steps"):
        while True:
            done = PASSES * n * len(run)
            step = sized(loops.smo, max(expected, done), share=0)  # known only afterwards
            most = (
                1
                if told
                else max(1, int((PLAIN_WORK if step is loops.smo else COMPILED_WORK) // (PASSES * n)))
            )
            most = int(min(most, limits.left(len(run))))
            before = len(run)
            status = step(
                *(run.value, run.beta, low, high, up, down, rows.own, rows.slot, rows.rows, rows.used),
                *(run.counts, run.numbers, limits.tolerance, jump, max(0, most)),
            )
            spend(loops.smo, PASSES * n * (len(run) - before))
            if told and len(run) > before:
                _tell(problem, run, numbers)
            if status == loops.MISSING:
                needed = int(run.counts[loops.ROW])
                run.counts[loops.CLOCK] += 1
                rows.fetch(needed, _likely(run.value, up, down, rows), int(run.counts[loops.CLOCK]))
            if status == loops.DONE or most <= 0:
                break
            if hard and _narrow(run, problem, rows):
                raise InputError(
                    "C is infinite, but no hard margin was found; give a finite C or another kernel"
                )
            gap = float(run.numbers[loops.LARGEST] - run.numbers[loops.SMALLEST])
            opened = opened or gap
            report(share[0] + (share[1] - share[0]) * _closed(opened, gap, limits.tolerance))
    limits.interrupted |= status != loops.DONE and limits.left(len(run)) > 0
    limits.steps += len(run)
    report(share[1])
    return Solution(problem, run.beta, run.value, len(run))


def _narrow(run: _Run, problem: Problem | Tube, rows: KernelRows) -> bool:
    """Return whether the alpha-weighted means of both classes almost coincide; no margin is wider than their
    distance.
    """
    # The alphas of each class, divided by their sum, define a point of its convex hull. The two points are 2
    # |w| / sum |beta| apart, and the margin is no wider.
    squared = float(run.beta @ (problem.y - run.value))
    total = float(np.abs(run.beta).sum())
    return total > 0 and 2.0 * math.sqrt(max(0.0, squared)) < NARROWEST * total * math.sqrt(
        float(rows.own.max())
    )


def _begin(gram: Gram, problem: Either, start: Solution[Either] | None) -> Solution[Either]:
    """Return a feasible initial solution: zero, or an earlier solution for the same rows."""
    if start is None:
        return Solution(problem, np.zeros(len(problem.index)), problem.y.copy(), 0)
    known = np.zeros(len(gram))
    known[start.problem.index] = start.beta
    beta = np.clip(known[problem.index], problem.low, problem.high)
    ahead, behind = beta[beta > 0].sum(), -beta[beta < 0].sum()
    if min(ahead, behind) == 0:
        return Solution(problem, np.zeros(len(beta)), problem.y.copy(), 0)
    if (
        abs(ahead - behind) > 1e-12 * ahead
    ):  # coefficients must sum to 0: the side with the larger sum is reduced
        beta = np.where(beta > 0, beta * min(1.0, behind / ahead), beta * min(1.0, ahead / behind))
    return Solution(problem, beta, problem.y - gram.times(problem.index, problem.index, beta), 0)


def _likely(value: Floats, up: Any, down: Any, rows: KernelRows) -> Ints:
    """Return the uncached rows that violate the conditions most, which the next steps will need."""
    # Half of a block for the first of a pair, half for the second.
    half = rows.block // 2
    found = []
    for may, order in ((np.isfinite(up), -value - up), (np.isfinite(down), value + down)):
        there = np.flatnonzero((rows.slot < 0) & may)
        found.append(there if len(there) <= half else there[smallest_first(order[there])[:half]])
    return np.unique(np.concatenate(found))


def _closed(opened: float, gap: float, tolerance: float) -> float:
    """Return the progress towards a small gap, on a logarithmic scale."""
    if not 0 < tolerance < opened or not gap > 0:
        return 0.0
    return min(1.0, max(0.0, math.log(opened / gap) / math.log(opened / tolerance)))


def _tell(problem: Either, run: _Run, numbers: Ints | None) -> None:
    pair = problem.index[run.counts[[loops.FIRST, loops.SECOND]]]
    named = pair if numbers is None else numbers[pair]
    now = Solution(problem, run.beta, run.value, len(run))
    trace.emit(
        "pair",
        rows=tuple(named.tolist()),
        step=float(run.numbers[loops.SIZE]),
        gap=now.gap,
        objective=now.objective,
    )
