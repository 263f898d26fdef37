"""Training and test rows: scikit-learn's splitters, stratified where possible."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold, check_cv, train_test_split

from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator

Rows = NDArray[np.intp]


def can_stratify_folds(labels: NDArray[Any], n_folds: int) -> bool:
    """Return whether some class has at least one row per fold.

    Rarer classes are spread over as many folds as they have rows.

    Examples
    --------
    >>> can_stratify_folds(np.array([0, 0, 1]), 2), can_stratify_folds(np.array([0, 0, 1]), 3)
    (True, False)
    """
    return bool(np.unique(labels, return_counts=True)[1].max() >= n_folds)


def can_stratify_hold_out(labels: NDArray[Any], n_held: int) -> bool:
    """Return whether both parts can contain a row of every class that has at least two rows."""
    counts = np.unique(_strata(labels), return_counts=True)[1]
    if len(counts) == 1 and len(np.unique(labels)) > 1:
        return False
    return bool(counts.min() >= 2 and min(n_held, len(labels) - n_held) >= len(counts))


def _strata(labels: NDArray[Any]) -> NDArray[np.intp]:
    """Return the classes as numbers; classes with a single row are merged with each other and the next rarest."""
    codes, counts = np.unique(labels, return_inverse=True, return_counts=True)[1:]
    if counts.min() >= 2 or len(counts) == 1:
        return np.asarray(codes, dtype=np.intp)
    order = np.argsort(counts, kind="stable")
    joined = max(2, int((counts < 2).sum()))
    merged = np.arange(len(counts))
    merged[order[:joined]] = order[0]
    return np.asarray(merged[codes], dtype=np.intp)


class SparseStratifiedKFold(StratifiedKFold):
    """Stratified folds for classes with fewer rows than folds, about which scikit-learn warns."""

    def split(self, X: Any, y: Any, groups: Any = None) -> Iterator[tuple[Rows, Rows]]:
        """Yield training and test rows."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The least populated class", category=UserWarning)
            yield from list(super().split(X, y, groups))


def folds(labels: NDArray[Any], n_folds: int, random_state: RandomState, stratify: bool = True) -> Any:
    """Return a shuffled k-fold splitter, stratified if requested and possible.

    Examples
    --------
    >>> folds(np.array([0, 1, 0, 1]), 2, 0)
    StratifiedKFold(n_splits=2, random_state=..., shuffle=True)
    """
    kind = KFold
    if stratify and can_stratify_folds(labels, n_folds):
        rarest = np.unique(labels, return_counts=True)[1].min()
        kind = StratifiedKFold if rarest >= n_folds else SparseStratifiedKFold
    return kind(n_folds, shuffle=True, random_state=_seed(random_state))


def hold_out(
    labels: NDArray[Any], n_held: int, random_state: RandomState, stratify: bool = True
) -> tuple[Rows, Rows]:
    """Return the training rows and the `n_held` test rows, stratified if requested and possible."""
    train, test = train_test_split(
        np.arange(len(labels)),
        test_size=n_held,
        stratify=_strata(labels) if stratify and can_stratify_hold_out(labels, n_held) else None,
        random_state=_seed(random_state),
    )
    return train, test


def _seed(random_state: RandomState) -> int | None:
    """Return scikit-learn's form of a `random_state`; it does not accept numpy's generators."""
    draws = generator(random_state)
    if random_state is None or (isinstance(random_state, int) and random_state < 2**32):
        return random_state
    return int(draws.integers(2**31))


def held_out(
    targets: NDArray[Any], fraction: float, random_state: RandomState, stratify: bool = True
) -> tuple[Rows, Rows]:
    """Return the training rows and the held-out fraction of rows for pruning."""
    n_held = round(len(targets) * fraction)
    if n_held == 0 or n_held >= len(targets):
        raise InputError(
            f"validation_fraction is {fraction}, which of {len(targets)} rows leaves none for training "
            "or none for pruning; give another fraction"
        )
    return hold_out(targets, n_held, random_state, stratify)


def splits_of(
    targets: NDArray[Any],
    weights: NDArray[np.float64],
    cv: Any,
    random_state: RandomState,
    stratify: bool = True,
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return the cross-validation folds, as indices among the rows of nonzero weight."""
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
        raise InputError("cv leaves no training rows or no test rows; give other folds")
    return splits
