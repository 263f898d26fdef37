"""Support vector machines (AIMA 18.9)."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from induce.core import trace
from induce.core.folds import folds
from induce.core.interrupts import whole_fits
from induce.core.notes import note
from induce.core.parameter_kinds import Number, OneOf
from induce.core.parameters import Declared, choice, either, number, truth, whole
from induce.core.randomness import RandomState
from induce.core.ties import first_smallest
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.kernels.gram import Gram
from induce.kernels.learners.base import KernelLearner, KernelLike, kernel_of, look_at
from induce.kernels.learners.hard_margin import check_hard_margin
from induce.kernels.learners.training_rows import Training, prepared
from induce.kernels.machine import KernelMachine
from induce.kernels.multiclass import totals
from induce.kernels.separator import CLEAR, REST, Ints
from induce.kernels.smo import PASSES, Limits, Problem, Solution, solve
from induce.kernels.solvers import primal_gradient, quadratic_programme
from induce.kernels.tasks import Task, scores_of, separator_of, stretched
from induce.statistics.sigmoid import fitted_sigmoid

HOW = "support vector machine"
SOLVERS = ("smo", "qp", "gradient")
STRATEGIES = ("one-against-one", "one-against-rest")
SAME_STRATEGIES = {"ovo": "one-against-one", "ovr": "one-against-rest"}
"""scikit-learn's names of strategies."""
PATH = (0.25, 1.0, 4.0, 16.0, 64.0)
"""Candidate values of C for ``C="auto"``."""
FOLDS = 5
PRECISE = 2_800
"""Maximum number of rows with kernel values in double precision."""


class SVM(KernelLearner, TableClassifier):
    """Support vector machine: the maximum-margin separator in feature space (AIMA 18.9).

    The dual problem is solved by sequential minimal optimisation. Equal rows of one class are merged and
    their weights added; the order of rows has no effect. A missing number is replaced by the mean of the
    training rows; a missing or unseen category by the relative frequencies of the values in training, or by
    zeros if the columns have more than 2,000 values. `Mixed` ignores such cells instead. Text columns are
    used by text kernels, and ignored by others.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="gaussian"
        Kernel: ``"gaussian"``, ``"linear"``, ``"polynomial"``, ``"mixed"``, ``"spectrum"``, ``"subsequence"``,
        ``"subtrees"``, a kernel of `induce.kernels`, or any function of two rows.
    C : float or "auto", default=1.0
        Penalty on margin violations: each costs C times its distance from the margin; infinite for a hard
        margin. ``"auto"`` chooses the best of a few values by cross-validation.
    solver : {"smo", "qp", "gradient"}, default="smo"
        Solver: ``"smo"`` is sequential minimal optimisation; ``"qp"`` a general quadratic programme, for
        small sets; ``"gradient"`` is gradient descent on the primal problem. All have the same optimum.
    multi_class : {"one-against-one", "one-against-rest"}, default="one-against-one"
        Multiclass strategy.
    probability : bool, default=False
        Whether probabilities are calibrated on scores of held-out rows. They never contradict `predict`.
    class_weight : dict or "balanced", optional
        Weights of classes; C is multiplied by them.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns.
    tol : float, default=0.001
        Tolerance of the optimality conditions.
    max_iter : int, optional
        Maximum number of steps per separator. When it is reached, or after Ctrl-C, the current solution is
        kept, with a note about its gap.
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
    hypothesis_ : KernelMachine
    n_iter_ : int
        Number of steps of all separators.
    C_ : float
        Value of C used.

    See Also
    --------
    SVR : Support vector regression.
    VirtualSVM : Support vectors with transformed copies.
    KernelPerceptron : The perceptron rule with a kernel.

    References
    ----------
    C. Cortes and V. Vapnik (1995). Support-vector networks. Machine Learning 20, 273-297.

    J. C. Platt (1999). Fast training of support vector machines using sequential minimal optimization. In
    Advances in Kernel Methods. MIT Press.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> machine = SVM().fit(X, y)
    >>> print(machine.hypothesis_)
    PlayTennis by a support vector machine, K = exp(-0.4167 |x - z|²), C = 1
      No against Yes: 14 support vectors of 14 distinct rows, 6 at the bound; margin 0.7962, objective 6.845, ...
    >>> print(machine.explain(X[:1])[0])
    No against Yes by 0.577, 0.168 inside the margin: for it row 0 (No) +1, row 1 (No) +0.435, ...
    """

    parameters: ClassVar[Declared] = {
        "C": either(
            "Penalty on margin violations; infinite for a hard margin; 'auto' chooses it by "
            "cross-validation.",
            Number(above=0),
            OneOf(("auto",)),
            otherwise="give a number above 0, infinity for a hard margin, or 'auto'",
        ),
        "solver": choice("Solver of the optimisation problem.", *SOLVERS),
        "multi_class": choice("Multiclass strategy.", *STRATEGIES, also=SAME_STRATEGIES),
        "probability": truth("Whether probabilities are calibrated by cross-validation."),
        "tol": number("Tolerance of the optimality conditions.", above=0),
        "max_iter": whole("Maximum number of steps; None sets no limit.", at_least=1, none=True),
        "time_limit": number("Maximum processor time in seconds; None sets no limit.", above=0, none=True),
        "cache_size": number("Size of the kernel cache in megabytes.", above=0),
    }

    def __init__(
        self,
        *,
        kernel: KernelLike = "gaussian",
        C: float | str = 1.0,
        solver: str = "smo",
        multi_class: str = "one-against-one",
        probability: bool = False,
        class_weight: dict[Any, float] | str | None = None,
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
        self.solver = solver
        self.multi_class = multi_class
        self.probability = probability
        self.class_weight = class_weight
        self.scale = scale
        self.tol = tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.cache_size = cache_size
        self.random_state = random_state
        self.schema = schema

    def _learn(self, reading: ClassReading) -> KernelMachine:
        single = len(reading) > PRECISE and self.tol >= 1e-4
        training = prepared(reading, kernel_of(self.kernel), self.scale, single=single)
        return self._learned(reading, training)

    def _learned(self, reading: ClassReading, training: Training) -> KernelMachine:
        if training.kernel.doubtful():
            look_at(training.kernel, training)
        tasks = list(self._tasks(training))
        several = len(tasks) > 1 or self.probability or self.C == "auto"
        gram = Gram(training.kernel, training.inputs, self.cache_size, several)
        until = math.inf if self.time_limit is None else time.process_time() + self.time_limit
        limits = Limits(self.tol, self.max_iter, until)
        self.C_ = self._chosen_bound(gram, training, tasks, limits) if self.C == "auto" else float(self.C)
        if math.isinf(self.C_):
            check_hard_margin(reading, training, gram, [task.problem for task in tasks])
        solved = self._solved(gram, training, tasks, limits)
        gap = max((each.gap for each in solved), default=0.0)
        if gap > 1.01 * self.tol and self.solver == "smo":
            note(
                f"stopped after {limits.steps:,} steps before the optimum: the gap is {gap:.2g}, tol "
                f"is {self.tol:g}; raise max_iter or time_limit"
            )
        separators = [
            separator_of(task, solution, self._sigmoid(gram, training, solution, limits))
            for task, solution in zip(tasks, solved, strict=True)
        ]
        self.n_iter_ = max(1, limits.steps)
        counts = np.bincount(training.labels, training.weights, len(reading.classes))
        fitted = self.probability and bool(tasks)
        return self._machine(reading, training, HOW, separators, int(counts.argmax()), self.C_, fitted)

    def _tasks(self, training: Training) -> Iterator[Task]:
        """Yield the separators to be found, for C = 1."""
        labels, weights = training.labels, training.weights
        there = np.unique(labels).tolist()
        if self.multi_class == "one-against-rest" and len(there) > 2:
            for code in there:
                sign = np.where(labels == code, 1.0, -1.0)
                yield Task(REST, code, Problem(np.arange(len(labels)), sign, weights))
            return
        rows = {code: np.flatnonzero(labels == code) for code in there}
        for negative, positive in combinations(there, 2):
            index = np.sort(np.concatenate([rows[negative], rows[positive]]))
            sign = np.where(labels[index] == positive, 1.0, -1.0)
            yield Task(negative, positive, Problem(index, sign, weights[index]))

    def _solved(
        self, gram: Gram, training: Training, tasks: list[Task], limits: Limits
    ) -> list[Solution[Problem]]:
        """Solve all problems, dividing the remaining time equally."""
        others = {"qp": quadratic_programme, "gradient": primal_gradient}
        if self.solver in others:
            return [others[self.solver](gram, task.bounded(self.C_), limits) for task in tasks]
        work = 3.0 * PASSES * sum(len(task.problem.index) ** 2 for task in tasks)
        n, until = len(tasks), limits.deadline
        found = []
        for done, task in enumerate(tasks):
            now = time.process_time()
            limits.deadline = now + (until - now) / (n - done)
            share = done / n, (done + 1) / n
            found.append(solve(gram, task.bounded(self.C_), limits, None, training.numbers, work, share))
        return found

    def _splits(self, labels: Ints) -> list[tuple[Any, Any]]:
        n_folds = min(FOLDS, int(np.bincount(labels)[np.unique(labels)].min()), len(labels))
        if n_folds < 2:
            return []
        return list(folds(labels, n_folds, self.random_state).split(labels, labels))

    def _sigmoid(
        self, gram: Gram, training: Training, solution: Solution[Problem], limits: Limits
    ) -> tuple[float, float]:
        """Fit a sigmoid to the scores of held-out rows; each fold starts from the solution for all rows."""
        if not self.probability:
            return CLEAR
        problem = solution.problem
        splits = self._splits((problem.sign > 0).astype(np.int64))
        if not splits:
            note("a class has only one row, so none can be held out; probabilities come from a fixed sigmoid")
            return CLEAR
        scores = np.empty(len(problem.index))
        for k, (train, held) in enumerate(splits, 1):
            with trace.part(f"fold {k}"):
                found = solve(gram, problem.part(train), limits, solution)
            scores[held] = scores_of(gram, found, problem.index[held])
        return fitted_sigmoid(scores, problem.sign > 0, training.weights[problem.index])

    def _chosen_bound(self, gram: Gram, training: Training, tasks: list[Task], limits: Limits) -> float:
        """Return the C with the fewest errors on held-out rows; ties go to the smallest.

        Each C starts from the previous solution. The search may take half of the time limit.
        """
        splits = self._splits(training.labels)
        if not splits or not tasks:
            note("there are too few rows to choose C by cross-validation; C is 1")
            return 1.0
        until, now = limits.deadline, time.process_time()
        limits.deadline = now + (until - now) / 2
        sides = [(task.negative, task.positive) for task in tasks]
        n_classes = int(training.labels.max()) + 1
        errors = np.zeros(len(PATH))
        with whole_fits():
            for train, held in splits:
                scores = np.empty((len(PATH), len(held), len(tasks)))
                for m, task in enumerate(tasks):
                    kept = np.isin(task.problem.index, train)
                    before: Solution[Problem] | None = None
                    for c, C in enumerate(PATH):
                        problem = task.bounded(C, kept)
                        before = solve(gram, problem, limits, stretched(before, problem))
                        scores[c, :, m] = scores_of(gram, before, held)
                for c in range(len(PATH)):
                    wrong = totals(sides, scores[c], n_classes).argmax(axis=1) != training.labels[held]
                    errors[c] += training.weights[held] @ wrong
        limits.deadline = until
        return PATH[first_smallest(errors)]
