"""Objectives: a loss over rows with its gradient, and further derivatives for some search directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


class Objective(Protocol):
    """A loss of weights over the rows of a training set.

    Some directions need additional methods:

    - ``hessian(w)``: the Hessian over all rows (``direction="newton"``).
    - ``residuals(w)``: the residuals r and their Jacobian J over all rows, if the loss is ½ r·r
      (``direction="levenberg"``).
    - ``epoch(w, memory, order, rates, momentum)``: updates per example, in place: for each row of ``order``
      the step ``memory = rates[i] * (-gradient) + momentum * memory`` is added to ``w``. It returns the sum
      of the rows' losses, each computed before its update. ``order`` may contain part of an epoch or several
      epochs, so that a call is one bounded compiled loop. ``rates`` has one learning rate for each row of
      ``order``.

    Without ``epoch``, updates per example call `gradient` with one row.
    """

    @property
    def n_parameters(self) -> int:
        """Number of weights."""
        ...

    @property
    def n_rows(self) -> int:
        """Number of training rows."""
        ...

    def loss(self, w: Floats, rows: Rows | None = None) -> float:
        """Return the loss over some or all rows, a sum or a mean."""
        ...

    def gradient(self, w: Floats, rows: Rows | None = None) -> tuple[float, Floats]:
        """Return the loss over some or all rows, and its gradient."""
        ...


@dataclass(frozen=True, eq=False)
class WeightedSum:
    """A weighted sum of objectives over the same rows, such as a squared error and a cross entropy of one network.

    Parameters
    ----------
    parts : sequence of Objective
        Objectives with the same weights and the same rows.
    shares : sequence of float
        Weight of each part.

    Examples
    --------
    >>> class Away:
    ...     n_parameters, n_rows = 1, 1
    ...     def __init__(self, centre): self.centre = centre
    ...     def loss(self, w, rows=None): return float((w[0] - self.centre) ** 2)
    ...     def gradient(self, w, rows=None): return self.loss(w), 2 * (w - self.centre)
    >>> WeightedSum([Away(0.0), Away(3.0)], [1.0, 2.0]).gradient(np.array([1.0]))
    (9.0, array([-6.]))
    """

    parts: Sequence[Objective]
    shares: Sequence[float]

    def __post_init__(self) -> None:
        if not self.parts or len(self.parts) != len(self.shares):
            raise InputError(
                f"there are {len(self.parts)} objectives and {len(self.shares)} shares; give one share "
                "per objective"
            )
        if any((each.n_parameters, each.n_rows) != (self.n_parameters, self.n_rows) for each in self.parts):
            raise InputError(
                "the objectives of a sum have different numbers of weights or rows; give "
                "objectives with equal numbers"
            )

    @property
    def n_parameters(self) -> int:
        """Number of weights."""
        return self.parts[0].n_parameters

    @property
    def n_rows(self) -> int:
        """Number of training rows."""
        return self.parts[0].n_rows

    def loss(self, w: Floats, rows: Rows | None = None) -> float:
        """Return the weighted sum of the losses."""
        return float(
            sum(share * each.loss(w, rows) for share, each in zip(self.shares, self.parts, strict=True))
        )

    def gradient(self, w: Floats, rows: Rows | None = None) -> tuple[float, Floats]:
        """Return the weighted sum of the losses, and its gradient."""
        total, along = 0.0, np.zeros(self.n_parameters)
        for share, each in zip(self.shares, self.parts, strict=True):
            loss, gradient = each.gradient(w, rows)
            total, along = total + share * loss, along + share * gradient
        return total, along


def asked_for(objective: Objective, name: str, direction: str) -> Any:
    """Return an optional method of an objective; if it is missing, an `InputError` names the direction that
    needs it.
    """
    found = getattr(objective, name, None)
    if found is None:
        raise InputError(
            f"direction is {direction!r}, which needs {name}(w) of the objective; give another direction"
        )
    return found


def numeric_gradient(objective: Objective, w: Floats, rows: Rows | None = None, step: float = 1e-6) -> Floats:
    """Return the gradient by central differences of the loss.

    Parameters
    ----------
    objective : Objective
        Objective to differentiate.
    w : array of float
        Weights at which the gradient is computed.
    rows : array of int, optional
        Rows to use; all by default.
    step : float
        Difference in each weight, relative to its size (at least 1).

    Examples
    --------
    >>> class Square:
    ...     n_parameters, n_rows = 1, 1
    ...
    ...     def loss(self, w, rows=None):
    ...         return float(w @ w)
    >>> numeric_gradient(Square(), np.array([3.0])).round(6).tolist()
    [6.0]
    """
    found = np.empty(len(w))
    for place in range(len(w)):
        size = step * max(1.0, abs(float(w[place])))
        ahead, behind = w.copy(), w.copy()
        ahead[place] += size
        behind[place] -= size
        found[place] = (objective.loss(ahead, rows) - objective.loss(behind, rows)) / (
            ahead[place] - behind[place]
        )
    return found


def gradient_error(objective: Objective, w: Floats, rows: Rows | None = None) -> float:
    """Return the largest difference between an objective's gradient and central differences (Mitchell §4.5.3).

    The difference is relative to the largest derivative, or to 1 if that is smaller than 1.

    Parameters
    ----------
    objective : Objective
        Objective to check.
    w : array of float64
        Weights at which the gradients are compared.
    rows : array of int, optional
        Rows to use; all by default.
    """
    exact = objective.gradient(w, rows)[1]
    numeric = numeric_gradient(objective, w, rows)
    return float(np.abs(exact - numeric).max(initial=0.0) / max(1.0, float(np.abs(numeric).max(initial=0.0))))
