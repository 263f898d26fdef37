"""Effect of each column on a predictor: permutation importance and partial dependence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.core.randomness import RandomState, generator
from induce.evaluation.fixed_hypothesis import given
from induce.evaluation.predictors import predicts_numbers
from induce.statistics.intervals import Interval, t_mean

Floats = NDArray[np.float64]

MOST_ROWS = 1000
"""Maximum number of rows predicted repeatedly; more rows hardly improve the precision."""
GRID = 15


@dataclass(frozen=True)
class Importance:
    """Permutation importance of a column.

    Parameters
    ----------
    column : str
    loss : float
        Increase of the error when the column is shuffled: of the error rate, or of the mean absolute error.
    interval : Interval
        Confidence interval of the loss over the rows.
    """

    column: str
    loss: float
    interval: Interval


@dataclass(frozen=True, eq=False)
class Dependence:
    """Partial dependence: the mean prediction when a column is set to each of several values.

    Parameters
    ----------
    column : str
    values : list
        Values of the column, in order.
    outputs : tuple of str
        Names of the outputs: the classes, or the target.
    means : array of float64, shape (values, outputs)
        Mean probability of each class, or mean prediction.
    half : array of float64, shape (values, outputs)
        Half-width of the 95% interval of the difference between each mean and the mean over all values.
    """

    column: str
    values: list[Any]
    outputs: tuple[str, ...]
    means: Floats
    half: Floats

    @property
    def span(self) -> float:
        """Range of the means over the values."""
        return float(np.ptp(self.means, axis=0).max())


def importances(
    model: Any, X: pl.DataFrame, y: Any, *, repeats: int = 5, random_state: RandomState = 0
) -> list[Importance]:
    """Return the increase of the error when each column is shuffled, most important column first.

    Parameters
    ----------
    model : Hypothesis or fitted learner
    X : polars.DataFrame
        Labelled rows, preferably held out.
    y : array
    repeats : int
        Number of shuffles of each column.
    random_state : int, Generator or None

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> found = importances(induce.C45().fit(X, y), X, y)
    >>> sorted(each.column for each in found[:2])
    ['petal length', 'petal width']
    """
    random = generator(random_state)
    rows = _some(len(X), random)
    part, actual = X[rows], np.asarray(y)[rows]
    predictor, numbers = given(model), predicts_numbers(model)
    before = _losses(predictor, part, actual, numbers)
    found = []
    for name in part.columns:
        cells = part.get_column(name)
        grown = np.zeros(len(part))
        for _ in range(repeats):
            shuffled = part.with_columns(cells.gather(random.permutation(len(part))))
            grown += _losses(predictor, shuffled, actual, numbers) - before
        grown /= repeats
        found.append(Importance(name, float(grown.mean()), t_mean(grown, 0.95)))
    return sorted(found, key=lambda each: -each.loss)


def dependence(model: Any, X: pl.DataFrame, column: str, random_state: RandomState = 0) -> Dependence:
    """Return the mean prediction when a column of all rows is set to each of several values.

    Parameters
    ----------
    model : Hypothesis or fitted learner
    X : polars.DataFrame
    column : str
    random_state : int, Generator or None

    References
    ----------
    Friedman, J. H. (2001). Greedy function approximation: a gradient boosting machine. Annals of Statistics 29.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> found = dependence(induce.NaiveBayes().fit(X, y), X, "Wind")
    >>> found.values, found.outputs, found.means[:, 1].round(1).tolist()
    (['Weak', 'Strong'], ('No', 'Yes'), [0.7, 0.6])
    """
    part = X[_some(len(X), generator(random_state))]
    values = _grid(X.get_column(column))
    predictor = given(model)
    cells = part.get_column(column)
    said = []
    for value in values:
        same = pl.Series(column, [value] * len(part), dtype=cells.dtype)
        said.append(_said(predictor, part.with_columns(same)))
    curves = np.stack(said)  # values, rows, outputs
    centred = curves - curves.mean(axis=0, keepdims=True)
    half = (
        1.96 * centred.std(axis=1, ddof=1) / np.sqrt(len(part))
        if len(part) > 1
        else np.zeros(curves.shape[::2])
    )
    outputs = _outputs(predictor, curves.shape[2])
    return Dependence(column, values, outputs, curves.mean(axis=1), half)


def _outputs(predictor: Any, n: int) -> tuple[str, ...]:
    if hasattr(predictor, "predict_proba"):
        return tuple(map(str, predictor.classes_))
    return ("prediction",) if n == 1 else tuple(f"y{place}" for place in range(n))


def _said(predictor: Any, rows: pl.DataFrame) -> Floats:
    """Return the output for each row: the class probabilities or the predicted number."""
    if hasattr(predictor, "predict_proba"):
        return np.asarray(predictor.predict_proba(rows), dtype=np.float64)
    numbers = np.asarray(predictor.predict(rows), dtype=np.float64)
    return numbers if numbers.ndim == 2 else numbers[:, np.newaxis]


def _losses(predictor: Any, rows: pl.DataFrame, actual: NDArray[Any], numbers: bool) -> Floats:
    predicted = np.asarray(predictor.predict(rows))
    if numbers:
        return np.abs(predicted.astype(np.float64) - actual.astype(np.float64))
    return np.asarray(predicted != actual, dtype=np.float64)


def _grid(cells: pl.Series) -> list[Any]:
    """Return the values of a column to evaluate: its most common ones, or quantiles of a numeric column."""
    known = cells.drop_nulls()
    if cells.dtype.is_numeric() or cells.dtype.is_temporal():
        distinct = known.unique().sort()
        if len(distinct) > GRID:
            ordered = known.sort()
            places = np.unique(
                np.linspace(0.02 * (len(ordered) - 1), 0.98 * (len(ordered) - 1), GRID).astype(int)
            )
            distinct = ordered.gather(places).unique(maintain_order=True)
        return distinct.to_list()
    counts = known.alias("value").value_counts(name="rows").sort("rows", descending=True, maintain_order=True)
    domain = cells.dtype.categories.to_list() if isinstance(cells.dtype, pl.Enum) else []
    common: Sequence[Any] = counts["value"].head(GRID).to_list()
    return sorted(common, key=domain.index) if domain else list(common)


def _some(n: int, random: np.random.Generator) -> NDArray[np.intp]:
    return (
        np.arange(n, dtype=np.intp) if n <= MOST_ROWS else np.sort(random.choice(n, MOST_ROWS, replace=False))
    )
