"""Support vector regression (Vapnik 1995; AIMA 18.9 for the underlying machine)."""

from __future__ import annotations

import math
import time
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.folds import folds
from induce.core.interrupts import whole_fits
from induce.core.notes import note
from induce.core.parameter_kinds import Number, OneOf
from induce.core.parameters import Declared, either, number, whole
from induce.core.randomness import RandomState
from induce.core.ties import first_smallest
from induce.data.schema import Schema
from induce.estimators import NumberReading, TableRegressor
from induce.kernels.gram import Gram
from induce.kernels.inputs import Floats
from induce.kernels.kernel_sum import KernelSum
from induce.kernels.learners.base import KernelLike, WithKernel, kernel_of, look_at
from induce.kernels.learners.svm import PATH, PRECISE
from induce.kernels.learners.training_rows import Training, prepared
from induce.kernels.smo import PASSES, Limits, Solution, Tube, solve
from induce.kernels.tasks import scores_of

FOLDS = 5
LARGEST = 1e100
"""Largest absolute target whose square can be summed."""


class SVR(WithKernel, TableRegressor):
    """Support vector regression: the flattest function in a feature space that passes near the targets.

    Errors up to `epsilon` cost nothing, larger ones cost `C` times the excess. The function is therefore determined
    by the rows on the edge of this tube or outside it, the support vectors. The dual problem is solved by
    sequential minimal optimisation, as in `SVM`, with one coefficient per row. Equal rows with the same target are
    merged and their weights added. A missing number is replaced by the mean of the training rows; a missing or
    unseen category by the relative frequencies of the values in training, or by zeros if the columns have more than
    2,000 values. `Mixed` ignores such cells instead. Text columns are used by text kernels, and ignored by others.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="gaussian"
        Kernel, as in `SVM`.
    C : float or "auto", default=1.0
        Penalty on errors beyond the tube; larger values follow the targets more closely. ``"auto"`` chooses
        the best of a few values by cross-validation.
    epsilon : float, default=0.1
        Half-width of the tube; errors within it cost nothing. Larger values give fewer support vectors.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns and the target. `epsilon` and `C` refer to the scaled target: by default they are
        in units of its standard deviation. None disables scaling.
    tol : float, default=0.001
        Tolerance of the optimality conditions.
    max_iter : int, optional
        Maximum number of steps. When it is reached, or after Ctrl-C, the current solution is kept, with a
        note about its gap.
    time_limit : float, optional
        Maximum processor time in seconds, after which the current solution is kept.
    cache_size : float, default=200.0
        Size of the kernel cache in megabytes.
    random_state : int or None, default=0
        Random seed of the folds.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.

    Attributes
    ----------
    hypothesis_ : KernelSum
    n_iter_ : int
        Number of steps.
    C_ : float
        Value of C used.

    See Also
    --------
    SVM : The separator of largest margin.
    LocallyWeightedRegressor : Regression around each query.

    References
    ----------
    Vapnik, V. (1995). The Nature of Statistical Learning Theory. Springer.
    Smola, A. J. and Schölkopf, B. (2004). A tutorial on support vector regression. Statistics and Computing 14.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 3.0, 5.0, 7.0]
    >>> line = SVR(kernel="linear", C=10, epsilon=0.5, scale=None, tol=1e-9).fit(X, y)
    >>> print(line.hypothesis_)
    y by support vector regression, K = x·z, C = 10
      2 support vectors of 4 distinct rows, 0 at the bound; tube ±0.5
        1.667 x0 + 1.5
    >>> print(line.explain([[2.0]])[0])
    4.833
             4  a typical row
        +0.833  x0 = 2
    """

    parameters: ClassVar[Declared] = {
        "C": either(
            "Penalty on errors beyond the tube; 'auto' chooses it by cross-validation.",
            Number(above=0, finite=True),
            OneOf(("auto",)),
            otherwise="give a finite number above 0, or 'auto'",
        ),
        "epsilon": number(
            "Half-width of the tube within which errors cost nothing, in units of the scaled target.",
            at_least=0,
            finite=True,
        ),
        "tol": number("Tolerance of the optimality conditions.", above=0),
        "max_iter": whole("Maximum number of steps; None sets no limit.", at_least=1, none=True),
        "time_limit": number("Maximum processor time in seconds; None sets no limit.", above=0, none=True),
        "cache_size": number("Size of the kernel cache in megabytes.", above=0),
    }
    hypothesis_: KernelSum

    def __init__(
        self,
        *,
        kernel: KernelLike = "gaussian",
        C: float | str = 1.0,
        epsilon: float = 0.1,
        scale: str | None = "standard",
        tol: float = 1e-3,
        max_iter: int | None = None,
        time_limit: float | None = None,
        cache_size: float = 200.0,
        random_state: RandomState = 0,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.epsilon = epsilon
        self.scale = scale
        self.tol = tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.cache_size = cache_size
        self.random_state = random_state
        self.schema = schema

    def _learn(self, reading: NumberReading) -> KernelSum:
        single = len(reading) > PRECISE and self.tol >= 1e-4
        training = prepared(reading, kernel_of(self.kernel), self.scale, single=single)
        if training.kernel.doubtful():
            look_at(training.kernel, training, "only a constant is learned")
        centre, unit = _scaling(reading.numbers[training.order], training.weights, self.scale)
        y = (reading.numbers[training.order] - centre) / unit
        gram = Gram(training.kernel, training.inputs, self.cache_size, self.C == "auto")
        until = math.inf if self.time_limit is None else time.process_time() + self.time_limit
        limits = Limits(self.tol, self.max_iter, until)
        # the solver stores the jumps of the gradient in single precision
        tube = Tube(np.arange(len(y)), y, training.weights, float(np.float32(self.epsilon)))
        self.C_ = self._chosen_bound(gram, tube, limits) if self.C == "auto" else float(self.C)
        work = 3.0 * PASSES * len(y) ** 2
        found = solve(gram, tube.bounded(self.C_), limits, None, training.numbers, work)
        if found.gap > 1.01 * self.tol:
            note(
                f"stopped after {limits.steps:,} steps before the optimum: the gap is {found.gap:.2g}, "
                f"tol is {self.tol:g}; raise max_iter or time_limit"
            )
        self.n_iter_ = max(1, limits.steps)
        return self._sum(reading, training, found, centre, unit)

    def _sum(
        self,
        reading: NumberReading,
        training: Training,
        solution: Solution[Tube],
        centre: float,
        unit: float,
    ) -> KernelSum:
        """Build the function from the rows with nonzero coefficients, in units of the target."""
        used = np.flatnonzero(solution.beta)
        rows = training.rows.take(training.order[used])
        return KernelSum(
            schema=reading.schema,
            target=reading.target,
            kernel=training.kernel,
            view=training.view,
            numeric=rows.table.numeric,
            nominal=rows.table.nominal,
            things=tuple(tuple(cells) for cells in rows.things),
            rows=training.numbers[used],
            values=reading.numbers[training.order[used]],
            coefficients=unit * solution.beta[used],
            at_bound=solution.at_bound[used],
            intercept=centre + unit * solution.intercept,
            epsilon=unit * float(self.epsilon),
            C=self.C_,
            n_rows=len(solution.beta),
            objective=solution.objective,
            gap=solution.gap,
        )

    def _chosen_bound(self, gram: Gram, tube: Tube, limits: Limits) -> float:
        """Return the C with the smallest squared error on held-out rows; ties go to the smallest.

        Each C starts from the previous solution. The search may take half of the time limit.
        """
        n = len(tube.index)
        if n < 2 * FOLDS:
            note("there are too few rows to choose C by cross-validation; C is 1")
            return 1.0
        until, now = limits.deadline, time.process_time()
        limits.deadline = now + (until - now) / 2
        errors = np.zeros(len(PATH))
        with whole_fits():
            for train, held in folds(tube.index, FOLDS, self.random_state, stratify=False).split(tube.index):
                before: Solution[Tube] | None = None
                for c, C in enumerate(PATH):
                    problem = tube.bounded(C, train)
                    if before is not None:
                        grown = float(C / PATH[c - 1]) * before.beta
                        before = Solution(problem, grown, before.value, 0)
                    before = solve(gram, problem, limits, before)
                    missed = tube.y[held] - scores_of(gram, before, held)
                    errors[c] += float(tube.bound[held] @ np.square(missed))
        limits.deadline = until
        return PATH[first_smallest(errors)]


def _scaling(numbers: Floats, weights: Floats, scale: str | None) -> tuple[float, float]:
    """Return the offset and the divisor of the target, scaled like the columns."""
    largest = float(np.abs(numbers).max(initial=0.0))
    if largest > LARGEST:
        raise InputError(f"y holds numbers beyond {LARGEST:g}, whose squares overflow; scale them down")
    if scale is None:
        return 0.0, 1.0
    centre = float(np.average(numbers, weights=weights))
    spread = (
        float(np.ptp(numbers))
        if scale == "range"
        else math.sqrt(float(np.average(np.square(numbers - centre), weights=weights)))
    )
    return centre, spread if spread > 1e-12 * abs(centre) else 1.0
