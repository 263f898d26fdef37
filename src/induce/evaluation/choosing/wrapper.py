"""Selection of the hypothesis size by cross-validation: the wrapper of AIMA, figure 18.8."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_regressor

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.progress import progress, report
from induce.evaluation.curves.parameters import ValidationCurve, validation_curve
from induce.evaluation.estimating.splits import check_learner, numbers, plan, target
from induce.evaluation.losses.rows import Loss
from induce.evaluation.reports import Report, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SizeSelection(Report):
    """Errors by size, the best size, and the learner fitted with it.

    Parameters
    ----------
    curve : ValidationCurve
        Training and validation errors at the sizes tried.
    converged : bool or None
        Whether the training error had converged at the last size tried; None if all sizes were requested.
    learner : estimator
        Learner of the best size, fitted on all rows.
    """

    curve: ValidationCurve
    converged: bool | None
    learner: Any = field(repr=False)

    @property
    def sizes(self) -> tuple[Any, ...]:
        """Sizes tried."""
        return self.curve.values

    @property
    def train_error(self) -> Floats:
        """Mean training error at each size (errT)."""
        return self.curve.errors.train_error

    @property
    def validation_error(self) -> Floats:
        """Mean validation error at each size (errV)."""
        return self.curve.errors.validation_error

    @property
    def best_size(self) -> Any:
        """Size with the lowest mean validation error; ties go to the smallest."""
        return self.curve.best

    def caption(self) -> str:
        """Return the heading of the table."""
        return self.curve.caption()

    def table(self) -> Table:
        """Return the header and one row per size."""
        return self.curve.table()

    def remark(self) -> str:
        """Return the best size and a caveat about the bias of its error."""
        lines = [self.curve.remark()]
        if self.converged is not None:
            lines.append(f"the training error has {'' if self.converged else 'not '}converged")
        lines.append(
            f"the validation error of the best {self.curve.parameter} is the minimum over "
            f"{len(self.sizes)}, so it is optimistic: test on other rows"
        )
        return "\n".join(lines)

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of both errors against the size."""
        return self.curve.draw(ax)


def cross_validation_wrapper(
    learner: Any,
    X: Any,
    y: Any,
    parameter: str,
    sizes: Iterable[Any] | None = None,
    k: Any = 10,
    *,
    tol: float | None = 0.01,
    patience: int = 3,
    max_size: int = 50,
    groups: Any = None,
    loss: Loss = None,
    n_jobs: int | None = None,
    random_state: int | None = 0,
) -> SizeSelection:
    """Find the size with the lowest validation error and fit it on all rows (AIMA, figure 18.8).

    Sizes are tried in order until the training error has converged, because larger hypotheses then fit the
    rows no better. The book leaves the criterion open; here the error has converged when its relative change
    is below `tol` at each of `patience` consecutive sizes, or when it is 0.

    Parameters
    ----------
    learner : estimator
        A classifier, a regressor or a pipeline that ends in one; it is not modified.
    X, y : frame or array, series or array
        Table and target.
    parameter : str
        Parameter of the learner that controls its size, such as ``"max_nodes"`` or ``"polynomialfeatures__degree"``.
    sizes : iterable, optional
        Sizes in increasing order; None tries 1, 2, … up to `max_size`.
    k : int, "loo", splitter or iterable of (train, test)
        Number of folds, leave-one-out, or another resampling method.
    tol : float or None
        Relative change in the training error below which it counts as unchanged; None tries all sizes.
    patience : int
        Number of consecutive sizes at which the training error must be unchanged.
    max_size : int
        Largest size if `sizes` is None.
    groups : array, optional
        Group of each row; rows of the same group are kept together.
    loss : {"zero-one", "absolute", "squared"}, LossTable, callable or None
        Loss function. None: squared for a regressor, zero-one otherwise.
    n_jobs : int, optional
        Number of folds processed in parallel; it does not affect the result.
    random_state : int or None
        Random seed of the shuffling.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> tree = induce.DecisionTreeClassifier(count="tests")
    >>> found = cross_validation_wrapper(tree, X[:, -4:], y, "max_nodes")
    >>> found.sizes, found.best_size, found.learner.hypothesis_.n_nodes
    ((1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 7, 15)
    """
    check_learner(learner)
    numeric = is_regressor(learner)
    actual = numbers(X, y) if numeric else target(X, y)
    if tol is not None:
        at_least("tol", tol, 0)
    at_least("patience", patience, 1, whole=True)
    at_least("max_size", max_size, 1, whole=True)
    if k is None:
        raise InputError("k is None, but every size needs its own training; give a number of folds")
    wanted = tuple(range(1, max_size + 1)) if sizes is None else tuple(sizes)
    if not wanted:
        raise InputError("sizes is empty; give at least one size")
    made = plan(X, actual, k, groups=groups, stratify=not numeric, random_state=random_state)
    points: list[ValidationCurve] = []
    converged = False
    for done, size in enumerate(wanted, start=1):
        try:
            with progress(lambda share: None):  # the progress of one size is not the overall progress
                points.append(
                    validation_curve(
                        learner, X, y, parameter, [size], loss=loss, cv=made.splits, n_jobs=n_jobs
                    )
                )
        except InputError as problem:
            raise InputError(f"at {parameter} = {size!r}: {problem}") from problem
        report(done / len(wanted))
        converged = tol is not None and _converged(
            [float(p.errors.train.mean()) for p in points], tol, patience
        )
        if converged:
            break
    if tol is not None and not converged:
        note(
            f"the training error had not converged at {parameter} = {wanted[-1]!r}, the last value "
            "tried; larger values might do better"
        )
    curve = _joined(points, made.method)
    winner = clone(learner).set_params(**{parameter: curve.best}).fit(X, y)
    return SizeSelection(curve, None if tol is None else converged, winner)


def _converged(errors: list[float], tol: float, patience: int) -> bool:
    """Return whether the most recent changes in the error were small enough."""
    if errors[-1] == 0:
        return True
    changes = [_change(*pair) for pair in zip(errors[-patience - 1 :], errors[-patience:], strict=False)]
    return len(errors) > patience and max(changes) < tol


def _change(before: float, after: float) -> float:
    """Return the relative change of an error; infinite if the previous error is 0 and the new one is not."""
    if before == after:
        return 0.0
    return abs(after - before) / abs(before) if before else math.inf


def _joined(points: list[ValidationCurve], method: str) -> ValidationCurve:
    """Concatenate single-value curves."""
    errors = replace(
        points[0].errors,
        train=np.concatenate([point.errors.train for point in points]),
        validation=np.concatenate([point.errors.validation for point in points]),
    )
    values = tuple(value for point in points for value in point.values)
    return replace(points[0], values=values, errors=errors, method=method)
