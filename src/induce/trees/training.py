"""What all learners of trees do before they learn: read the table, and divide it for pruning."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from induce.core.errors import InputError
from induce.core.folds import Rows, folds, hold_out
from induce.core.randomness import RandomState
from induce.data.frames import RawFrame, raw_frame
from induce.data.schema import Schema
from induce.data.table import infer_schema


def training_frame(X: Any) -> RawFrame:
    """Return the columns of a training table, which must have rows and columns."""
    raw = raw_frame(X)
    if raw.n_rows == 0:
        raise InputError(
            "Found array with 0 sample(s) while a minimum of 1 is required: the table has no rows"
        )
    if not raw.columns:
        raise InputError(
            f"0 feature(s) (shape=({raw.n_rows}, 0)) while a minimum of 1 is required: the table has no columns"
        )
    return raw


def training_schema(raw: RawFrame, n_targets: int, told: Schema | dict[str, Any] | None) -> Schema:
    """Settle what the columns of a training table are; there must be a target for every row."""
    if n_targets != raw.n_rows:
        raise InputError(
            f"Found input variables with inconsistent numbers of samples: X has {raw.n_rows} rows, "
            f"y has {n_targets}"
        )
    if not isinstance(told, Schema | dict | None):
        raise InputError(
            f"schema is {told!r}; give a Schema, or a dict from columns to what is known of them"
        )
    schema = infer_schema(raw, told)
    if not len(schema.inputs()):
        raise InputError("no column is left to learn from: all are identifiers, text or ignored")
    return schema


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
