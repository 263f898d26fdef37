"""Dividing the examples for pruning."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from induce.core.errors import InputError
from induce.core.folds import Rows, folds, hold_out
from induce.core.randomness import RandomState


def held_out(
    targets: NDArray[Any], fraction: float, random_state: RandomState, stratify: bool = True
) -> tuple[Rows, Rows]:
    """Return the rows to train on and the share of rows to prune by."""
    n_held = round(len(targets) * fraction)
    if n_held == 0 or n_held >= len(targets):
        raise InputError(
            f"validation_fraction is {fraction}, which of {len(targets)} rows leaves none to train on or none "
            "to prune by"
        )
    return hold_out(targets, n_held, random_state, stratify)


def splits_of(
    targets: NDArray[Any],
    weights: NDArray[np.float64],
    cv: Any,
    random_state: RandomState,
    stratify: bool = True,
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return the folds of a cross-validation, as positions among the rows whose weight is not zero."""
    counted = weights > 0
    if isinstance(cv, int | np.integer):
        targets, counted = targets[counted], counted[counted]
        if len(targets) == 1:
            return []
        cv = folds(targets, min(int(cv), len(targets)), random_state, stratify)
    position = np.cumsum(counted) - 1
    splits = []
    for train, test in check_cv(cv).split(np.zeros((len(targets), 1)), targets):
        pair = tuple(position[rows[counted[rows]]] for rows in (np.asarray(train), np.asarray(test)))
        if len(pair[0]) and len(pair[1]):
            splits.append((pair[0], pair[1]))
    if not splits:
        raise InputError("cv leaves no rows to train on or none to test on; give other folds")
    return splits
