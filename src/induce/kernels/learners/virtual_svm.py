"""Virtual support vectors: retraining with transformed copies of the support vectors (AIMA 18.11.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.parameters import Declared, function
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.data.table import Table
from induce.estimators import ClassReading
from induce.kernels.inputs import Floats, Rows, inputs_of
from induce.kernels.learners.base import KernelLike
from induce.kernels.learners.svm import SVM
from induce.kernels.learners.training_rows import Training
from induce.kernels.machine import KernelMachine

Transformation = Callable[[Floats], Any]


class VirtualSVM(SVM):
    """Virtual support vector machine: retrained on the support vectors and transformed copies of them.

    The copies teach the machine an invariance, such as that of a digit under small shifts. Only the support
    vectors are transformed, because they determine the machine (AIMA 18.11.1; DeCoste and Schölkopf 2002).
    Missing values and unseen categories are treated as in `SVM`.

    Parameters
    ----------
    transformation : callable, optional
        Function from the support vectors, a matrix of unscaled numbers, to transformed copies, one set after
        another: a multiple of the rows. See `Shifts`. None transforms nothing.
    kernel : str, Kernel or callable, default="gaussian"
        Kernel: by name, as a value, or as a function of two rows.
    C : float or "auto", default=1.0
        Penalty on margin violations; infinite for a hard margin; 'auto' chooses it by cross-validation.
    solver : {"smo", "qp", "gradient"}, default="smo"
        Solver of the optimisation problem.
    multi_class : {"one-against-one", "one-against-rest"}, default="one-against-one"
        Multiclass strategy.
    probability : bool, default=False
        Whether probabilities are calibrated by cross-validation.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns.
    tol : float, default=0.001
        Tolerance of the optimality conditions.
    max_iter : int, optional
        Maximum number of steps; None sets no limit.
    time_limit : float, optional
        Maximum processor time in seconds; None sets no limit.
    cache_size : float, default=200.0
        Size of the kernel cache in megabytes.
    random_state : int or None, default=0
        Random seed; None draws a new one at each fit.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.

    Attributes
    ----------
    hypothesis_ : KernelMachine
        Final machine; a virtual support vector has the row number of its original.

    See Also
    --------
    SVM : The separator of largest margin.
    ImageClassifier : Transformations of images before a learner.

    References
    ----------
    D. DeCoste and B. Schölkopf (2002). Training invariant support vector machines. Machine Learning 46, 161-190.

    Examples
    --------
    >>> from induce.kernels import VirtualSVM
    >>> X, y = [[1.0, 0.0], [2.0, 0.0], [-1.0, 0.0], [-2.0, 0.0]], [1, 1, 0, 0]
    >>> learner = VirtualSVM(transformation=lambda x: x * [1, -1] + [0, 1], kernel="linear", scale=None)
    >>> learner.fit(X, y).predict([[0.5, 3.0], [-0.5, 3.0]]).tolist()
    [1, 0]
    """

    parameters: ClassVar[Declared] = {
        "transformation": function(
            "Function that returns transformed copies of the support vectors, in the same classes.", none=True
        ),
    }

    def __init__(
        self,
        transformation: Transformation | None = None,
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
        super().__init__(
            kernel=kernel,
            C=C,
            solver=solver,
            multi_class=multi_class,
            probability=probability,
            class_weight=class_weight,
            scale=scale,
            tol=tol,
            max_iter=max_iter,
            time_limit=time_limit,
            cache_size=cache_size,
            random_state=random_state,
            schema=schema,
        )
        self.transformation = transformation

    def _learned(self, reading: ClassReading, training: Training) -> KernelMachine:
        first = super()._learned(reading, training)
        if self.transformation is None or not first.separators:
            return first
        odd = [column.name for column in reading.schema.inputs() if column.kind != "numeric"]
        if odd:
            raise InputError(
                f"transformation takes numbers, but column {odd[0]!r} is not numeric; leave it out"
            )
        copies = self._copies(first.numeric)
        times = 1 + len(copies) // len(first.rows)
        place = np.argsort(training.numbers)
        weights = training.weights[place[np.searchsorted(training.numbers[place], first.rows)]]
        numbers = np.concatenate([first.numeric, copies])
        rows = Rows(Table(reading.schema.inputs(), numbers, np.empty((len(numbers), 0), np.int32)), ())
        virtual = replace(
            training,
            rows=rows,
            order=np.arange(len(numbers)),
            numbers=np.tile(first.rows, times),
            labels=np.tile(first.labels, times),
            weights=np.tile(weights, times),
            inputs=inputs_of(rows, training.view, training.inputs.vectors.dtype),
        )
        return super()._learned(reading, virtual)

    def _copies(self, vectors: Floats) -> Floats:
        found = np.asarray(
            self.transformation(vectors) if self.transformation is not None else vectors, np.float64
        )
        if found.ndim != 2 or found.shape[1] != vectors.shape[1] or len(found) % len(vectors):
            raise InputError(
                f"transformation returned shape {found.shape} for an array of shape {vectors.shape}; "
                "return one or more copies of all rows"
            )
        return found
