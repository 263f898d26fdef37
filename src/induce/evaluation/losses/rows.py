"""Losses of predictions, on given rows and over a whole distribution (AIMA, section 18.4.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.errors import InputError
from induce.evaluation.losses.table import LossTable
from induce.evaluation.predictors import predictions, predicts_numbers

Floats = NDArray[np.float64]
RowLoss = Callable[[NDArray[Any], NDArray[Any]], ArrayLike]
Loss = str | LossTable | RowLoss | None

ZERO_ONE, ABSOLUTE, SQUARED = "zero-one", "absolute", "squared"


def _zero_one(actual: NDArray[Any], predicted: NDArray[Any]) -> Floats:
    return np.asarray(actual != predicted, dtype=np.float64)


def _absolute(actual: NDArray[Any], predicted: NDArray[Any]) -> Floats:
    return np.abs(_difference(actual, predicted))


def _squared(actual: NDArray[Any], predicted: NDArray[Any]) -> Floats:
    return np.asarray(_difference(actual, predicted) ** 2)


LOSSES: Mapping[str, Callable[[NDArray[Any], NDArray[Any]], Floats]] = MappingProxyType(
    {ZERO_ONE: _zero_one, ABSOLUTE: _absolute, SQUARED: _squared}
)
"""Loss functions by name: L0/1 (1 unless equal), L1 (absolute difference), L2 (squared difference)."""


def row_losses(loss: str | LossTable | RowLoss, actual: ArrayLike, predicted: ArrayLike) -> Floats:
    """Return the loss of each row.

    Parameters
    ----------
    loss : {"zero-one", "absolute", "squared"}, LossTable or callable
        Loss name, loss table, or a function of the arrays of true and predicted values that returns an array of
        losses.
    actual, predicted : array

    Examples
    --------
    >>> row_losses("absolute", [137.035999], [137.036]).round(9)
    array([1.e-06])
    >>> row_losses("zero-one", ["a", "b"], ["a", "a"])
    array([0., 1.])
    """
    true, said = np.asarray(actual), np.asarray(predicted)
    if true.ndim != 1 or true.shape != said.shape:
        raise InputError(
            f"actual has the shape {true.shape} and predicted {said.shape}; give one value of each per row"
        )
    if isinstance(loss, LossTable):
        return loss.of(true, said)
    if isinstance(loss, str):
        if loss not in LOSSES:
            raise InputError(
                f"loss is {loss!r}; it can be {', '.join(map(repr, LOSSES))}, a table or a function"
            )
        losses = LOSSES[loss](true, said)
    elif callable(loss):
        losses = np.asarray(loss(true, said), dtype=np.float64)
        if losses.shape != true.shape:
            raise InputError(
                f"the loss function returns the shape {losses.shape} for {true.size} rows; it must "
                "return one loss per row"
            )
    else:
        raise TypeError(f"loss must be a name, a LossTable or a function, not {loss!r}")
    if np.isnan(losses).any():
        row = int(np.flatnonzero(np.isnan(losses))[0])
        raise InputError(
            f"the loss is NaN where {true[row]!r} is true and {said[row]!r} is predicted; check that prediction"
        )
    return losses


def loss_for(learner: Any, loss: Loss) -> str | LossTable | RowLoss:
    """Return the loss for a learner: the given one, or by default squared for a regressor and zero-one otherwise.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> loss_for(Ridge(), None), loss_for(Ridge(), "absolute")
    ('squared', 'absolute')
    """
    if loss is not None:
        return loss
    return SQUARED if predicts_numbers(learner) else ZERO_ONE


def loss_text(loss: str | LossTable | RowLoss) -> str:
    """Return the name of a loss.

    Examples
    --------
    >>> loss_text("squared"), loss_text(LossTable.zero_one("ab"))
    ('squared error', 'loss by the table')
    """
    if isinstance(loss, LossTable):
        return "loss by the table"
    if isinstance(loss, str):
        return {ZERO_ONE: "error", ABSOLUTE: "absolute error", SQUARED: "squared error"}.get(loss, loss)
    return getattr(loss, "__name__", "loss").strip("<>").replace("lambda", "loss")


def empirical_loss(hypothesis: Any, X: Any, y: Any, loss: Loss = None) -> float:
    """Return the mean loss of a hypothesis on labelled rows (AIMA, section 18.4.2).

    Parameters
    ----------
    hypothesis : fitted learner, Hypothesis or callable
        An object with a method ``predict``, or a function from the rows to an array of predictions.
    X, y : frame or array, series or array
        Table and target.
    loss : {"zero-one", "absolute", "squared"}, LossTable, callable or None
        Loss function. None: squared for a regressor, zero-one otherwise.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> stump = induce.DecisionTreeClassifier(max_depth=1).fit(X, y)
    >>> round(empirical_loss(stump, X, y), 4)
    0.1667
    >>> round(empirical_loss(stump, X, y, LossTable.read("Yes>No=10, No>Yes=1")), 4)
    1.6667
    """
    losses = row_losses(loss_for(hypothesis, loss), y, predictions(hypothesis, X))
    if not losses.size:
        raise InputError("y is empty; give at least one row")
    return float(losses.mean())


def generalisation_loss(hypothesis: Any, X: Any, y: Any, probability: ArrayLike, loss: Loss = None) -> float:
    """Return the expected loss of a hypothesis under a known distribution of examples.

    GenLoss(h) = sum of L(y, h(x)) P(x, y) (AIMA, section 18.4.2). On real data P is unknown; use
    `induce.evaluate`, which estimates it by the loss on held-out rows.

    Parameters
    ----------
    hypothesis : fitted learner, Hypothesis or callable
        An object with a method ``predict``, or a function from the rows to an array of predictions.
    X, y : frame or array, series or array
        Possible examples, one per row.
    probability : array
        P(x, y) of each row, normalised to sum to 1.
    loss : {"zero-one", "absolute", "squared"}, LossTable, callable or None
        Loss function. None: squared for a regressor, zero-one otherwise.

    Examples
    --------
    >>> x, y, chance = [[0], [0], [1]], ["no", "yes", "yes"], [0.3, 0.1, 0.6]
    >>> round(generalisation_loss(lambda rows: ["yes"] * len(rows), x, y, chance), 6)
    0.3
    """
    losses = row_losses(loss_for(hypothesis, loss), y, predictions(hypothesis, X))
    return float(losses @ checked_probability(probability, losses.size))


def checked_probability(probability: ArrayLike, n: int) -> Floats:
    """Return the probabilities of `n` rows as an array after checking that they form a distribution."""
    chances = np.asarray(probability, dtype=np.float64)
    if chances.shape != (n,):
        raise InputError(f"probability has the shape {chances.shape} for {n} rows; give one per row")
    if not (np.isfinite(chances).all() and (chances >= 0).all()):
        raise InputError("probability contains a value that is negative or not finite")
    total = float(chances.sum())
    if abs(total - 1) > 1e-9:
        raise InputError(f"probability sums to {total:.6g}; normalise it to sum to 1")
    return chances


def _difference(actual: NDArray[Any], predicted: NDArray[Any]) -> Floats:
    try:
        return np.asarray(actual, dtype=np.float64) - np.asarray(predicted, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            "this loss needs numbers, but the values are classes; use 'zero-one' or a table"
        ) from None
