"""Naive Bayes over partitions: one pass chooses densities where that needs rows, one counts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from induce.bayes.learners.column_counts import blank_column
from induce.bayes.naive_bayes.column_settings import given_priors
from induce.bayes.naive_bayes.hypothesis import NaiveBayesModel
from induce.core.engines import total
from induce.counts.additive import Floats, sums
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.estimators.scale import class_weights, sampled_numbers


def counted_partitions(learner: Any, source: Scan) -> NaiveBayesModel:
    """Return the hypothesis of all partitions: the sum of their hypotheses."""
    inputs, n_classes = source.schema.inputs(), len(source.classes)
    weights = class_weights(learner.class_weight, source.classes, source.layout.class_counts)
    settings = learner._settings(None)
    settings.check(source.schema.names())
    numeric = [column.name for column in inputs if column.kind == "numeric"]
    looked_at: dict[str, Floats] = {}
    labels, weight = np.zeros(0, np.int64), None
    if numeric and settings.numeric in ("auto", "intervals"):
        columns, labels = sampled_numbers(source, numeric)
        looked_at = dict(zip(numeric, columns, strict=True))
        weight = None if weights is None else weights[labels]
    blank = learner._model(
        schema=source.schema,
        target=source.target,
        classes=source.classes,
        class_counts=np.zeros(n_classes),
        columns=tuple(
            blank_column(settings, column, looked_at.get(column.name), labels, n_classes, weight)
            for column in inputs
        ),
        class_alpha=float(learner.class_alpha),
        given_priors=given_priors(learner.priors, source.classes),
    )
    return total(partial(_counted, blank=blank, weights=weights), source.partitions())


def _counted(partition: Partition, blank: NaiveBayesModel, weights: Floats | None) -> NaiveBayesModel:
    values, labels = partition.columns()
    weight = None if weights is None else weights[labels]
    columns = tuple(
        column.count(each, labels, weight) for column, each in zip(blank.columns, values, strict=True)
    )
    return replace(blank, class_counts=sums(labels, weight, len(blank.classes)), columns=columns)
