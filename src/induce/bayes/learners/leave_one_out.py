"""Leave-one-out by subtraction: the prediction for each row without itself, from one pass of counting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.bayes.naive_bayes.column import ColumnModel
from induce.bayes.naive_bayes.hypothesis import CELLS, IMPOSSIBLE, LEAST_ROWS, NaiveBayesModel
from induce.bayes.naive_bayes.nominal import IntervalColumn, NominalColumn
from induce.bayes.naive_bayes.numeric import NormalColumn
from induce.core.ties import first_largest_of_each
from induce.counts.additive import Floats
from induce.counts.moments import Moments
from induce.data.table import encoded_columns
from induce.hypotheses.conflict_resolution import class_array

if TYPE_CHECKING:
    from induce.bayes.learners.naive_bayes import NaiveBayes
    from induce.estimators import ClassReading

Labels = NDArray[np.int64]
NONE = 1e-12
"""Weight below which a remainder is a rounding error."""


def leave_one_out_predict(learner: NaiveBayes, X: Any, y: Any) -> NDArray[Any]:
    """Return the leave-one-out prediction of each row."""
    reading = learner._read(X, y, None)
    learner._take(reading)
    model = learner.hypothesis_
    if (
        not all(map(_subtractable, model.columns))
        or learner.unknown != "ignore"
        or learner.class_weight == "balanced"
    ):
        return _anew(learner, X, y)
    values = list(encoded_columns(reading.raw, reading.schema))
    declared = [_declared(learner, column, reading) for column in model.columns]
    steps = {
        place: steps_without(column, values[place])
        for place, column in enumerate(model.columns)
        if isinstance(column, NormalColumn)
    }
    step = max(LEAST_ROWS, CELLS // len(model.classes))
    decided = []
    for start in range(0, len(reading), step):
        rows = slice(start, start + step)
        labels, weight = reading.labels[rows], reading.weight()[rows]
        prior = _log_prior(model, labels, weight)
        scores = prior.copy()
        for place, column in enumerate(model.columns):
            part = values[place][rows]
            if isinstance(column, NominalColumn):
                add_nominal(scores, column, part, labels, weight, declared[place])
            elif isinstance(column, NormalColumn):
                add_normal(scores, column, part, labels, weight, steps[place][rows])
        impossible = scores.max(axis=0) < IMPOSSIBLE
        decided.append(first_largest_of_each(np.where(impossible, prior, scores).T))
    return np.asarray(class_array(model.classes)[np.concatenate(decided)])


def _subtractable(column: ColumnModel) -> bool:
    return isinstance(column, NominalColumn | NormalColumn) and not isinstance(column, IntervalColumn)


def _declared(learner: NaiveBayes, column: ColumnModel, reading: ClassReading) -> bool:
    """Whether a column keeps its domain when a row is left out, because the domain is declared."""
    cells = reading.raw.columns[reading.schema.names().index(column.column.name)]
    return bool(cells.domain) or learner._declared(column.column)


def _anew(learner: NaiveBayes, X: Any, y: Any) -> NDArray[Any]:
    from sklearn.base import clone

    from induce.core.estimator import rows_at

    n = len(y)
    found = []
    for row in range(n):
        others = np.delete(np.arange(n), row)
        fitted = clone(learner).fit(rows_at(X, others), rows_at(y, others))
        found.append(fitted.predict(rows_at(X, [row]))[0])
    return np.array(found)


def _log_prior(model: NaiveBayesModel, labels: Labels, weight: Floats) -> Floats:
    """ln P(class) up to a constant, one column per left-out row; -inf if a class becomes empty."""
    counts = np.repeat(model.class_counts[:, np.newaxis], len(labels), axis=1)
    counts[labels, np.arange(len(labels))] -= weight
    with np.errstate(divide="ignore"):
        if len(model.given_priors):
            prior = np.repeat(model.log_priors[:, np.newaxis], len(labels), axis=1)
        else:
            prior = np.log(np.maximum(counts + model.class_alpha, 0.0))
    return np.where(counts > NONE, prior, -np.inf)


def add_nominal(
    scores: Floats, column: NominalColumn, codes: Any, labels: Labels, weight: Floats, keeps: bool
) -> None:
    """Add ln P(value | class); in the row's own class, without the row."""
    known = np.flatnonzero(codes >= 0)
    value, own, mine = codes[known], labels[known], weight[known]
    table, pseudo = column.table, column.pseudo
    found = np.take(column.log_table, codes, axis=1)
    here = table[value, own] + pseudo[value] - mine
    whole = table.sum(axis=0)[own] + pseudo.sum() - mine
    with np.errstate(divide="ignore", invalid="ignore"):
        found[own, known] = np.log(np.where(whole > NONE, np.maximum(here, 0.0) / whole, 1 / len(table)))
    if not keeps:  # a value that only this row has becomes unseen without it
        found[:, known[table.sum(axis=1)[value] - mine <= NONE]] = 0.0
    scores += found


def steps_without(column: NormalColumn, numbers: Floats, weight: Floats | None = None) -> Floats:
    """Mean step between distinct numbers without each row; NaN if its number is missing.

    A row whose weight is above 1 represents several, one of which is left out.
    """
    known = ~np.isnan(numbers)
    steps = np.where(known, column.steps.width, np.nan)
    if column.steps.width == 0:
        return steps
    distinct, place = np.unique(numbers[known], return_inverse=True)
    often = np.bincount(place, None if weight is None else weight[known])
    lowest = np.where(place == 0, distinct[1], distinct[0])
    highest = np.where(place == len(distinct) - 1, distinct[-2], distinct[-1])
    without = (highest - lowest) / max(1, len(distinct) - 2) if len(distinct) > 2 else np.zeros(len(place))
    steps[known] = np.where(often[place] <= 1, without, column.steps.width)
    return steps


def add_normal(
    scores: Floats, column: NormalColumn, numbers: Floats, labels: Labels, weight: Floats, steps: Floats
) -> None:
    """Add the log density; in the row's own class, without the row."""
    known = np.flatnonzero(~np.isnan(numbers))
    steps = steps[known]
    numbers, own, rows = numbers[known], labels[known], np.arange(len(known))
    single = Moments(weight[known], numbers, np.zeros(len(known)))
    rest = column.counts.total() - single
    left = column.counts[np.repeat(np.arange(len(scores))[:, np.newaxis], len(known), axis=1)]
    without = left[own, rows] - single
    for all_rows, without_it in zip(left.arrays(), without.arrays(), strict=True):
        all_rows[own, rows] = without_it
    mean, variance = column.spread_of(left, rest, steps)
    with np.errstate(over="ignore"):
        gap = (numbers - mean) ** 2 * (0.5 / variance)
    scores[:, known] += -0.5 * np.log(2 * np.pi * variance) - gap
