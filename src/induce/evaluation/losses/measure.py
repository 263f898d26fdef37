"""Measures for comparing learners: a loss per row, or a scikit-learn score."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import get_scorer, get_scorer_names

from induce.core.errors import InputError
from induce.data.names import unknown
from induce.evaluation.losses.rows import ABSOLUTE, LOSSES, ZERO_ONE, RowLoss, loss_text, row_losses
from induce.evaluation.losses.table import LossTable

Floats = NDArray[np.float64]
Scorer = Callable[[Any, Any, Any], float]

_NEGATED = "neg_"
_SCORER_TAKES = 3  # score: fitted learner, rows, targets; loss: true values, predicted values


@dataclass(frozen=True)
class Measure:
    """Quality of a learner on a set of rows.

    Parameters
    ----------
    name : str
        Name of the measure, in words.
    higher : bool
        Whether higher is better.
    loss : str, LossTable, callable or None
        Loss of each row; the measure is its mean. None for a score of all rows at once.
    scorer : callable or None
        Function that returns the score of a fitted learner on rows and their targets.
    """

    name: str
    higher: bool = False
    loss: str | LossTable | RowLoss | None = None
    scorer: Scorer | None = None

    def losses(self, actual: NDArray[Any], predicted: NDArray[Any]) -> Floats | None:
        """Return the loss of each row; None if there is none."""
        return None if self.loss is None else row_losses(self.loss, actual, predicted)

    def text(self, value: float) -> str:
        """Format a value with a sensible number of digits."""
        return score_text(value)


def measure_of(score: Any, numeric: bool) -> Measure:
    """Return the measure that a `score` parameter specifies.

    Parameters
    ----------
    score : str, LossTable, callable or None
        Name of a loss (zero-one, absolute, squared) or of a scikit-learn scorer, a loss table, a function of the true
        and the predicted values that returns a loss per row, or a scorer. None uses the error rate of classifiers and
        the absolute error of regressors.
    numeric : bool
        Whether the task is regression.

    Examples
    --------
    >>> measure_of(None, numeric=False).name, measure_of("roc_auc", numeric=False).higher
    ('error', True)
    >>> measure_of("acuracy", numeric=False)
    Traceback (most recent call last):
    induce.core.errors.InputError: there is no score 'acuracy'; did you mean 'accuracy'?
    """
    if score is None:
        score = ABSOLUTE if numeric else ZERO_ONE
    if isinstance(score, str) and score not in LOSSES:
        return _named_scorer(score)
    if isinstance(score, str | LossTable):
        return Measure(loss_text(score), loss=score)
    if not callable(score):
        raise TypeError(f"score must be a name, a LossTable, a loss or a scorer, not {score!r}")
    if _n_required(score) >= _SCORER_TAKES:
        return Measure(_name_of(score), higher=True, scorer=score)
    return Measure(loss_text(score), loss=score)


def _named_scorer(name: str) -> Measure:
    if name not in get_scorer_names():
        raise unknown("score", name, [*LOSSES, *get_scorer_names()])
    scorer = get_scorer(name)
    words = name.removeprefix(_NEGATED).replace("_", " ")
    if words == name.replace("_", " "):
        return Measure(words, higher=True, scorer=scorer)
    return Measure(words, scorer=lambda learner, X, y: -float(scorer(learner, X, y)))


def _n_required(score: Any) -> int:
    try:
        parameters = inspect.signature(score).parameters.values()
    except (TypeError, ValueError):  # a ufunc, for example
        return 2
    return sum(
        p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters
    )


def _name_of(scorer: Any) -> str:
    inner = getattr(scorer, "_score_func", scorer)
    return str(getattr(inner, "__name__", "score")).strip("<>").replace("lambda", "score").replace("_", " ")


def score_text(value: float) -> str:
    """Format a score or an error with a sensible number of digits.

    Examples
    --------
    >>> score_text(0.06742), score_text(31250.4)
    ('0.067', '3.125e+04')
    """
    return f"{value:.3f}" if abs(value) < 100 else f"{value:.4g}"


def check_finite(value: float, measure: Measure, name: str, split: int, n_splits: int) -> None:
    """Raise an error for a score that is not finite."""
    if not math.isfinite(value):
        raise InputError(
            f"the {measure.name} of {name} is {value} in fold {split} of {n_splits}; choose a score "
            "that is defined on these test rows, or fewer folds"
        )
