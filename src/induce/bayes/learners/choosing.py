"""The density of a numeric column, chosen by what it says of rows that it was not learned from."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from induce.bayes.learners.leaving_out import Labels, add_nominal, add_normal, steps_without
from induce.bayes.naive_bayes.column_settings import ColumnSettings
from induce.bayes.naive_bayes.nominal import IntervalColumn
from induce.bayes.naive_bayes.numeric import NormalColumn
from induce.core.ties import is_less
from induce.counts.additive import Floats, sums
from induce.data.schema import Column

LEAST_ROWS = 30
"""Fewer rows do not tell one density from another; a normal one needs the fewest."""
MOST_ROWS = 5_000
"""Rows that the choice looks at; more would hardly change it."""


def chosen_density(
    settings: ColumnSettings,
    column: Column,
    values: Floats,
    labels: Labels,
    n_classes: int,
    weights: Floats | None,
) -> ColumnSettings:
    """Return the settings with the density that suits a numeric column: normal, or even within intervals.

    Each density gives every row the probability of its class by this column alone, learned without the row; the
    density with the larger product is taken. The row did help to choose the cuts, so that each cut costs the
    logarithm of the number of places where it could be.
    """
    weight = np.ones(len(values)) if weights is None else weights
    rows = _looked_at(values, labels, weight)
    values, labels, weight = values[rows], labels[rows], weight[rows]
    normal, intervals = (replace(settings, numeric=kind) for kind in ("normal", "intervals"))
    if len(values) < LEAST_ROWS:
        return normal
    cut = cast(IntervalColumn, intervals.blank(column, values, labels, n_classes, weight))
    cut = cut.count(values, labels, weight)
    bell = cast(NormalColumn, normal.blank(column, values, labels, n_classes, weight))
    bell = bell.count(values, labels, weight)
    prior = np.log(np.maximum(sums(labels, weight, n_classes), np.finfo(float).tiny))[:, np.newaxis]
    by_cut, by_bell = (np.repeat(prior, len(values), axis=1) for _ in range(2))
    add_nominal(by_cut, cut, cut.codes(values), labels, weight, keeps=True)
    add_normal(by_bell, bell, values, labels, weight, steps_without(bell, values))
    price = len(cut.cuts) * np.log(max(1, len(values) - 1))
    better = is_less(
        _log_likelihood(by_bell, labels, weight), _log_likelihood(by_cut, labels, weight) - price
    )
    return intervals if better else normal


def _looked_at(values: Floats, labels: Labels, weight: Floats) -> Labels:
    """Return the rows with a number; of too many some, the same ones in whatever order the rows come."""
    known = np.flatnonzero(~np.isnan(values))
    if len(known) <= MOST_ROWS:
        return known
    order = known[np.lexsort((weight[known], labels[known], values[known]))]
    return order[np.linspace(0, len(order) - 1, MOST_ROWS).astype(np.intp)]


def _log_likelihood(scores: Floats, labels: Labels, weight: Floats) -> float:
    """Sum the logarithms of the probability of each row's class."""
    own = scores[labels, np.arange(len(labels))]
    return float(weight @ (own - np.logaddexp.reduce(scores, axis=0)))
