"""Out-of-fold predictions of learners, by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from induce.core import parallel
from induce.core.estimator import rows_at
from induce.core.folds import folds
from induce.core.progress import report
from induce.core.randomness import RandomState
from induce.ensembles.learners.class_members import Training
from induce.ensembles.members import Given, member_shares
from induce.estimators import ClassReading

Floats = NDArray[np.float64]


def out_of_fold(
    trainings: Mapping[str, Training], cv: Any, random_state: RandomState, n_jobs: int | None
) -> tuple[dict[str, Floats], NDArray[np.intp]]:
    """Return each learner's predictions for the rows of its held-out folds, and the predicted rows.

    A prediction is the probability of each class.
    """
    reading = next(iter(trainings.values())).reading
    splits = _splits(reading, cv, random_state)
    n_classes = len(reading.classes)
    found = {name: np.zeros((len(reading), n_classes)) for name in trainings}
    done, n_parts = count(1), len(trainings) * len(splits)

    def one(part: tuple[str, int]) -> None:
        name, k = part
        training, (train, test) = trainings[name], splits[k]
        weights = np.zeros(len(reading))
        weights[train] = reading.weight()[train]
        member = training.learn(weights, None, f"as {name!r} in fold {k + 1}")
        given = Given(rows_at(training.X, test), reading.table.rows(test))
        found[name][test] = member_shares(member, given, reading.schema, reading.classes)
        report(next(done) / n_parts)

    parallel.run(one, list(product(trainings, range(len(splits)))), n_jobs)
    asked = [test for _, test in splits]
    return found, np.unique(np.concatenate(asked)) if asked else np.empty(0, np.intp)


def _splits(reading: ClassReading, cv: Any, random_state: RandomState) -> list[tuple[Any, Any]]:
    """Return the folds whose training rows have weight."""
    labels = reading.labels
    if isinstance(cv, int | np.integer):
        if len(labels) < 2:
            return []
        cv = folds(labels, min(int(cv), len(labels)), random_state)
    splits = check_cv(cv).split(np.zeros((len(labels), 1)), labels)
    return [(train, test) for train, test in splits if reading.weight()[train].any() and len(test)]
