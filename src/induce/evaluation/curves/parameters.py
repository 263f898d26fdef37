"""Error against a parameter (AIMA, section 18.4.1), or against the size of the hypothesis (Mitchell, figure 3.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from induce.core.errors import InputError
from induce.core.randomness import generator
from induce.core.ties import first_smallest
from induce.evaluation.curves.errors import Errors, HowTested, divided, errors_of, fit_all
from induce.evaluation.estimating.fits import Also
from induce.evaluation.estimating.splits import check_learner
from induce.evaluation.losses.rows import Loss, loss_for, loss_text
from induce.evaluation.readability import parts
from induce.evaluation.reports import Report, Table, finish, mark, scale
from induce.pictures.style import PALETTE, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ValidationCurve(Report):
    """Errors as functions of a parameter.

    Parameters
    ----------
    parameter : str
        Name of the parameter.
    values : tuple
        Parameter values in the given order, from the simplest hypotheses to the most complex.
    errors : Errors
        Errors, one point per value.
    method, label : str
        Resampling method, and name of the error.
    """

    parameter: str
    values: tuple[Any, ...]
    errors: Errors
    method: str
    label: str

    @property
    def best(self) -> Any:
        """Value with the lowest validation error; ties are broken by order."""
        return self.values[self._best]

    @property
    def simplest(self) -> Any:
        """First value whose validation error is within one standard error of the best."""
        return self.values[self._simplest]

    @property
    def close(self) -> NDArray[np.bool_]:
        """Whether the validation error of each value is within one standard error of the best."""
        errors = self.errors.validation_error
        limit = errors[self._best] + self.errors.standard_error[self._best]
        return np.asarray(errors <= limit)

    @property
    def _best(self) -> int:
        return first_smallest(self.errors.validation_error)

    @property
    def _simplest(self) -> int:
        return int(self.close.argmax())

    def caption(self) -> str:
        """Return the heading of the table."""
        return f"{self.label} by {self.parameter}, {self.method}"

    def table(self) -> Table:
        """Return the header and one row per value."""
        rows = [(str(value), *self.errors.cells(k)) for k, value in enumerate(self.values)]
        return (self.parameter, *self.errors.header), rows

    def remark(self) -> str:
        """Return the best value and the simplest one within one standard error."""
        return f"best {self.parameter} = {self.best}; simplest within one standard error: {self.simplest}"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of training and validation errors against the parameter, with best and simplest marked."""
        figure, axes = axes_for(ax)
        places = scale(axes, self.values)
        self.errors.draw(axes, places, PALETTE[0])
        mark(axes, places[self._best], f"best: {self.best}", PALETTE[5])
        if self._simplest != self._best:
            mark(axes, places[self._simplest], f"within one standard error: {self.simplest}", PALETTE[2])
        finish(axes, self.parameter, self.label, 4)
        return figure


@dataclass(frozen=True, eq=False)
class ComplexityCurve(Report):
    """Errors as functions of the hypothesis size.

    Parameters
    ----------
    path : ValidationCurve
        Errors by the parameter that controls the size.
    sizes : array of float64, shape (values, splits)
        Size of each hypothesis.
    unit : str
        Unit of the size.
    """

    path: ValidationCurve
    sizes: Floats
    unit: str

    @property
    def size(self) -> Floats:
        """Mean size at each value of the parameter."""
        return np.asarray(self.sizes.mean(axis=1))

    @property
    def best_size(self) -> float:
        """Mean size of the hypotheses with the lowest validation error."""
        return float(self.size[self.path._best])

    @property
    def simplest(self) -> Any:
        """Value with the smallest hypotheses whose validation error is within one standard error of the best."""
        return self.path.values[self._simplest]

    @property
    def simplest_size(self) -> float:
        """Mean size of those hypotheses."""
        return float(self.size[self._simplest])

    @property
    def _simplest(self) -> int:
        return int(np.where(self.path.close, self.size, np.inf).argmin())

    def caption(self) -> str:
        """Return the heading of the table."""
        return f"{self.path.label} by {self.unit}, {self.path.method}"

    def table(self) -> Table:
        """Return the header and one row per value of the parameter, smallest hypotheses first."""
        (parameter, *header), rows = self.path.table()
        order = np.argsort(self.size, kind="stable")
        ranked = [(f"{self.size[k]:.1f}", *rows[k][1:], rows[k][0]) for k in order]
        return (self.unit, *header, parameter), ranked

    def remark(self) -> str:
        """Return the best size and the smallest one within one standard error."""
        return (
            f"best with {self.best_size:.1f} {self.unit}; smallest within one standard error: "
            f"{self.simplest_size:.1f} ({self.path.parameter} = {self.simplest})"
        )

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of training and validation errors against the mean size."""
        figure, axes = axes_for(ax)
        order = np.argsort(self.size, kind="stable")
        errors = self.path.errors
        ordered = replace(errors, train=errors.train[order], validation=errors.validation[order])
        ordered.draw(axes, self.size[order].tolist(), PALETTE[0])
        mark(axes, self.best_size, f"best: {self.best_size:.1f}", PALETTE[5])
        if self.simplest_size < self.best_size:
            mark(axes, self.simplest_size, f"within one standard error: {self.simplest_size:.1f}", PALETTE[2])
        if self.size.min() > 0 and self.size.max() >= 30 * self.size.min():
            axes.set_xscale("log")
        finish(axes, self.unit, self.path.label, 4)
        return figure


def validation_curve(
    learner: Any,
    X: Any,
    y: Any,
    parameter: str,
    values: Iterable[Any],
    *,
    loss: Loss = None,
    confidence: float = 0.95,
    **how: Unpack[HowTested],
) -> ValidationCurve:
    """Evaluate a learner at several values of a parameter (AIMA section 18.4.1).

    Parameters
    ----------
    learner : estimator
        Learner; copies are fitted.
    X, y : frame or array, series or array
        Table and target.
    parameter : str
        Parameter name, with scikit-learn's syntax for a pipeline: ``"tree__max_depth"``.
    values : iterable
        Values to try, from the simplest hypotheses to the most complex.
    loss : {"zero-one", "absolute", "squared"}, LossTable, callable or None
        Loss function. None: zero-one for a classifier, squared for a regressor.
    confidence : float
        Confidence level of the intervals, which are approximate because the folds share rows.
    **how
        `cv`, `repeats`, `groups`, `test_size`, `stratify`, `n_jobs` and `random_state`, as in `induce.evaluate`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> print(validation_curve(induce.ID3(), X, y, "max_depth", (1, 2, 3, 4)))
    error by max_depth, 10-fold cross-validation
    max_depth  training  validation  approximate 95% interval
    1             0.381       0.439            [0.383, 0.495]
    2             0.041       0.084            [0.033, 0.135]
    3             0.008       0.056            [0.014, 0.098]
    4             0.001       0.050            [0.011, 0.090]
    best max_depth = 4; simplest within one standard error: 3
    """
    curve, _ = _along(learner, X, y, parameter, values, None, loss, confidence, how)
    return curve


def complexity_curve(
    learner: Any,
    X: Any,
    y: Any,
    parameter: str,
    values: Iterable[Any],
    *,
    size: Callable[[Any], float] | None = None,
    unit: str | None = None,
    loss: Loss = None,
    confidence: float = 0.95,
    **how: Unpack[HowTested],
) -> ComplexityCurve:
    """Relate errors to the hypothesis size by varying a parameter (Mitchell figure 3.6).

    `induce.trees.understanding.overfitting_curve` does this for one tree, node by node as it grows; this function
    works for any learner and averages over many hypotheses.

    Parameters
    ----------
    learner, X, y, parameter, values
        Parameters of `validation_curve`; the order of the values does not matter.
    size : callable, optional
        Function that returns the size of a fitted learner. None: the number of conditions and conclusions of a tree
        or a rule list, or of coefficients of a linear function.
    unit : str, optional
        Unit of the size, for the table and the plot.
    loss : {"zero-one", "absolute", "squared"}, LossTable, callable or None
        Loss function. None: zero-one for a classifier, squared for a regressor.
    confidence : float
        Confidence level of the intervals, which are approximate because the folds share rows.
    **how
        `cv`, `repeats`, `groups`, `test_size`, `stratify`, `n_jobs` and `random_state`, as in
        `induce.evaluate`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> count = lambda fitted: fitted.hypothesis_.n_nodes
    >>> print(complexity_curve(induce.ID3(), X, y, "max_depth", (1, 2, 3, 4), size=count, unit="nodes"))
    error by nodes, 10-fold cross-validation
    nodes  training  validation  approximate 95% interval  max_depth
    3.0       0.381       0.439            [0.383, 0.495]          1
    7.0       0.041       0.084            [0.033, 0.135]          2
    12.4      0.008       0.056            [0.014, 0.098]          3
    14.8      0.001       0.050            [0.011, 0.090]          4
    best with 14.8 nodes; smallest within one standard error: 12.4 (max_depth = 3)
    """
    measured = _parts if size is None else size
    curve, sizes = _along(
        learner, X, y, parameter, values, lambda fitted, *_: float(measured(fitted)), loss, confidence, how
    )
    return ComplexityCurve(curve, sizes, unit or ("conditions and conclusions" if size is None else "size"))


def _along(
    learner: Any,
    X: Any,
    y: Any,
    parameter: str,
    values: Iterable[Any],
    also: Also | None,
    loss: Loss,
    confidence: float,
    how: HowTested,
) -> tuple[ValidationCurve, Floats]:
    """Return the curve along a parameter, and the results of `also` at each value and split."""
    check_learner(learner)
    known = sorted(learner.get_params())
    if parameter not in known:
        raise InputError(
            f"{type(learner).__name__} has no parameter {parameter!r}; it has {', '.join(known)}"
        )
    tried = tuple(values)
    if not tried:
        raise InputError(f"values is empty; give at least one value of {parameter}")
    random = generator(how.get("random_state", 0))
    actual, made = divided(learner, X, y, random, confidence, loss, how)
    variants = [clone(learner).set_params(**{parameter: value}) for value in tried]
    fits = [
        tested
        for by_value in fit_all(variants, X, y, made.splits, how.get("n_jobs"), also)
        for tested in by_value
    ]
    shape = (len(tried), len(made.splits))
    errors = errors_of(fits, actual, loss_for(learner, loss), shape, confidence, made)
    extra = np.array([np.nan if also is None else tested.also for tested in fits]).reshape(shape)
    return ValidationCurve(parameter, tried, errors, made.method, loss_text(loss_for(learner, loss))), extra


def _parts(fitted: Any) -> float:
    count = parts(fitted)
    if count is None:
        name = type(fitted).__name__
        raise InputError(
            f"the size of the hypotheses of {name} is unknown; give size, a function of the fitted learner"
        )
    return count
