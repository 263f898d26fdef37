"""Selection of the regularisation strength by validation (AIMA, section 18.4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.ties import levelled
from induce.evaluation.choosing.complexity import complexity_of
from induce.evaluation.curves.errors import Errors
from induce.evaluation.curves.parameters import complexity_curve
from induce.evaluation.losses.rows import Loss
from induce.evaluation.reports import Report, Table, finish, mark, scale
from induce.pictures.style import GREY, PALETTE, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
BEST, ONE_STANDARD_ERROR = "best", "one-standard-error"


@dataclass(frozen=True, eq=False)
class RegularisationPath(Report):
    """Losses and complexity as functions of the regularisation strength.

    Parameters
    ----------
    parameter : str
        Name of the parameter.
    values : tuple
        Values tried.
    errors : Errors
        Training and validation errors, one point per value.
    complexity : array of float64
        Mean complexity of the hypotheses for each value; NaN if unknown.
    best : object
        Value with the lowest mean validation loss; ties go to the simplest hypotheses.
    one_standard_error : object
        Value with the simplest hypotheses whose mean validation loss is within one standard error of the minimum;
        equal to `best` if the complexity is unknown.
    chosen : object
        Value with which `learner` was fitted: `best` or `simplest`.
    learner : estimator
        Learner fitted on all rows.
    loss : str
        Name of the loss.
    method : str
        Resampling method, such as ``"10-fold cross-validation"``.
    """

    parameter: str
    values: tuple[Any, ...]
    errors: Errors = field(repr=False)
    complexity: Floats = field(repr=False)
    best: Any
    one_standard_error: Any
    chosen: Any
    learner: Any = field(repr=False)
    loss: str
    method: str

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the losses, and of the complexity if known, against the parameter."""
        figure, axes = axes_for(ax)
        places = scale(axes, self.values)
        self.errors.draw(axes, places, PALETTE[0])
        mark(axes, places[self.values.index(self.best)], f"best: {_text(self.best)}", PALETTE[5])
        if self.one_standard_error != self.best:
            simplest = self.one_standard_error
            place = places[self.values.index(simplest)]
            mark(axes, place, f"within one standard error: {_text(simplest)}", PALETTE[2])
        finish(axes, self.parameter, self.loss, 4)
        if not np.isnan(self.complexity).any():
            other = axes.twinx()
            other.plot(places, self.complexity, color=GREY, lw=1.2, ls="-.")
            other.set_ylabel("complexity (grey)", color=GREY)
            # an offset such as 1e6 would be printed above the axis, where the legend is
            other.yaxis.set_major_formatter(lambda size, _: f"{size:g}")
            other.tick_params(axis="y", colors=GREY)
            other.spines[["top", "left"]].set_visible(False)
            other.spines["right"].set_color(GREY)
        return figure

    def caption(self) -> str:
        """Return the heading of the table."""
        return f"{self.loss} by {self.parameter}, {self.method}"

    def table(self) -> Table:
        """Return the header and one row per value of the parameter."""
        errors = self.errors
        columns = (errors.train_error, errors.validation_error, errors.standard_error, self.complexity)
        marks = {"best": self.best, "within one standard error": self.one_standard_error}
        rows = [
            (
                _text(value),
                *(f"{number:.4g}" for number in row),
                ", ".join(name for name, marked in marks.items() if marked == value),
            )
            for value, row in zip(self.values, np.column_stack(columns).tolist(), strict=True)
        ]
        return (self.parameter, "training", "validation", "standard error", "complexity", ""), rows

    def remark(self) -> str:
        """Return a sentence about the selected value."""
        known = not np.isnan(self.complexity).any()
        rest = "" if known else "; the complexity of the hypotheses is unknown: give complexity"
        return f"fitted on all rows with {self.parameter} = {_text(self.chosen)}{rest}"


def regularisation_path(
    learner: Any,
    X: Any,
    y: Any,
    parameter: str,
    values: Iterable[Any],
    cv: Any = 10,
    *,
    choose: str = BEST,
    complexity: Callable[[Any], float] | None = None,
    groups: Any = None,
    loss: Loss = None,
    n_jobs: int | None = None,
    random_state: int | None = 0,
) -> RegularisationPath:
    """Evaluate several regularisation strengths by cross-validation (AIMA, section 18.4.3).

    A regularised learner minimises EmpLoss(h) + lambda Complexity(h); the best lambda is found by validation.

    Parameters
    ----------
    learner : estimator
        A classifier, a regressor or a pipeline that ends in one; it is not modified.
    X, y : frame or array, series or array
        Table and target.
    parameter : str
        Name of the regularisation parameter, such as ``"alpha"``, ``"ccp_alpha"`` or ``"confidence_factor"``.
    values : iterable
        Values to try.
    cv : int, "loo", splitter or iterable of (train, test)
        Resampling method, as in `induce.evaluate`.
    choose : {"best", "one-standard-error"}
        Selection rule: the value with the lowest validation loss, or the value with the simplest hypotheses
        within one standard error of it.
    complexity : callable, optional
        Function that returns the complexity of a fitted learner; None uses `complexity_of`.
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
    >>> X, y = induce.dataset("breast-cancer")
    >>> path = regularisation_path(induce.CART(), X[:100], y[:100], "ccp_alpha", [0.0, 0.01, 0.05], cv=5)
    >>> path.best, path.one_standard_error
    (0.01, 0.05)
    """
    one_of("choose", choose, (BEST, ONE_STANDARD_ERROR))
    measured = complexity_of if complexity is None else complexity
    found = complexity_curve(
        learner,
        X,
        y,
        parameter,
        values,
        size=measured,
        loss=loss,
        cv=cv,
        groups=groups,
        n_jobs=n_jobs,
        random_state=random_state,
    )
    path, sizes = found.path, found.size
    if choose == ONE_STANDARD_ERROR and np.isnan(sizes).any():
        raise InputError(
            f"choose is {choose!r}, but the complexity of a {type(learner).__name__} is unknown; give complexity, a "
            "function of a fitted learner"
        )
    mean = path.errors.validation_error
    best = int(np.lexsort((np.nan_to_num(sizes), levelled(mean)))[0])
    near = np.flatnonzero(mean <= mean[best] + path.errors.standard_error[best])
    simplest = (
        best if np.isnan(sizes).any() else int(near[np.lexsort((levelled(mean[near]), sizes[near]))[0]])
    )
    chosen = path.values[best if choose == BEST else simplest]
    return RegularisationPath(
        parameter,
        path.values,
        path.errors,
        sizes,
        path.values[best],
        path.values[simplest],
        chosen,
        clone(learner).set_params(**{parameter: chosen}).fit(X, y),
        path.label,
        path.method,
    )


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)
