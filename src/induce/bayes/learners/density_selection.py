"""Choice of the density of a numeric column by leave-one-out."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from induce.bayes.learners.leave_one_out import Labels, add_nominal, add_normal, steps_without
from induce.bayes.naive_bayes.column_settings import ColumnSettings
from induce.bayes.naive_bayes.nominal import IntervalColumn
from induce.bayes.naive_bayes.numeric import NormalColumn
from induce.core.ties import is_less
from induce.counts.additive import Floats, sums
from induce.data.schema import Column

LEAST_ROWS = 30
"""Minimum number of rows for choosing a density; a normal density needs the fewest rows."""
MOST_ROWS = 5_000
"""Maximum number of rows for the choice; more would hardly change it."""


def chosen_density(
    settings: ColumnSettings,
    column: Column,
    values: Floats,
    labels: Labels,
    n_classes: int,
    weights: Floats | None,
) -> ColumnSettings:
    """Return the settings with the better density of a numeric column: normal, or uniform within intervals.

    Each density gives every row the probability of its class by this column alone, learned without the row;
    the density with the larger product is chosen. Since the row did help to choose the cut points, each of
    these costs the logarithm of the number of candidate cut points.
    """
    rows, weight = _looked_at(values, labels, np.ones(len(values)) if weights is None else weights)
    values, labels = values[rows], labels[rows]
    normal, intervals = (replace(settings, numeric=kind) for kind in ("normal", "intervals"))
    if weight.sum() < LEAST_ROWS:
        return normal
    cut = cast(IntervalColumn, intervals.blank(column, values, labels, n_classes, weight))
    cut = cut.count(values, labels, weight)
    bell = cast(NormalColumn, normal.blank(column, values, labels, n_classes, weight))
    bell = bell.count(values, labels, weight)
    prior = np.log(np.maximum(sums(labels, weight, n_classes), np.finfo(float).tiny))[:, np.newaxis]
    by_cut, by_bell = (np.repeat(prior, len(values), axis=1) for _ in range(2))
    one = np.minimum(weight, 1.0)  # a row of larger weight represents several rows
    add_nominal(by_cut, cut, cut.codes(values), labels, one, keeps=True)
    add_normal(by_bell, bell, values, labels, one, steps_without(bell, values, weight))
    price = len(cut.cuts) * np.log(max(1.0, weight.sum() - 1))
    better = is_less(
        _log_likelihood(by_bell, labels, weight), _log_likelihood(by_cut, labels, weight) - price
    )
    return intervals if better else normal


def _looked_at(values: Floats, labels: Labels, weight: Floats) -> tuple[Labels, Floats]:
    """Return the rows with a value and their weights; a sample, independent of order, if there are too many."""
    known = np.flatnonzero(~np.isnan(values) & (weight > 0))
    total = float(weight[known].sum())
    if total <= MOST_ROWS:
        return known, weight[known]
    order = known[np.lexsort((labels[known], values[known]))]
    places = np.linspace(0, total, MOST_ROWS, endpoint=False)
    rows = np.searchsorted(np.cumsum(weight[order]), places, side="right")
    return order[np.minimum(rows, len(order) - 1)], np.ones(MOST_ROWS)


def _log_likelihood(scores: Floats, labels: Labels, weight: Floats) -> float:
    """Return the sum of the log probabilities of the rows' classes."""
    own = scores[labels, np.arange(len(labels))]
    return float(weight @ (own - np.logaddexp.reduce(scores, axis=0)))
