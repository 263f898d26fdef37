"""Choice of the kind and strength of a penalty by cross-validation along paths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.folds import splits_of
from induce.core.progress import report
from induce.core.randomness import RandomState
from induce.core.ties import first_smallest
from induce.linear.path import Path
from induce.linear.standard import Standard

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

N_STRENGTHS = 25
WEAKEST = 1e-4
"""The weakest penalty, as a fraction of the strength at which an L1 penalty sets all weights to 0."""


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights in standard units along the strengths: intercepts (strengths, outputs), weights (…, outputs, terms)."""

    intercepts: Floats
    weights: Floats


PathOf = Callable[[str, Standard, Rows, Floats], Weights]
"""Function from a kind of penalty, terms in standard units, their rows and strengths to the weights."""
LossOf = Callable[[Floats, Rows], Floats]
"""Function from sums of rows, shape (rows, outputs), and the rows to the loss of each."""


def strengths_from(strongest: float) -> Floats:
    """Return the candidate strengths, from the strongest to the weakest."""
    top = strongest if np.isfinite(strongest) and strongest > 0 else 1.0
    return np.asarray(np.geomspace(top, top * WEAKEST, N_STRENGTHS))


def chosen_path(
    kinds: tuple[str, ...],
    x: Floats,
    weights: Floats,
    groups: NDArray[Any],
    cv: Any,
    strongest: float,
    path_of: PathOf,
    loss_of: LossOf,
    names: tuple[str, ...],
    *,
    intercept: bool,
    scaled: bool,
    random_state: RandomState,
) -> tuple[str, float, Path]:
    """Return the kind and the strength of the penalty with the lowest loss on held-out rows, and its path.

    Ties up to rounding go to the first kind and the strongest penalty.
    """
    strengths = strengths_from(strongest)
    parts = splits_of(groups, weights, cv, random_state, stratify=bool(groups.any()))
    losses = np.zeros((len(parts), len(kinds), len(strengths)))
    for k, (training, held_out) in enumerate(parts):
        standard = Standard.of(x[training].copy(order="F"), weights[training], intercept, scaled)
        z = (x[held_out] - standard.centre) / standard.scale
        share = weights[held_out] / weights[held_out].sum()
        for n, kind in enumerate(kinds):
            found = path_of(kind, standard, training, strengths)
            for s in range(len(strengths)):
                sums = z @ found.weights[s].T + found.intercepts[s]
                losses[k, n, s] = float(share @ loss_of(sums, held_out))
        report(k / len(parts))
    mean = losses.mean(axis=0)
    best, place = divmod(first_smallest(mean.ravel()), len(strengths))
    standard = Standard.of(x.copy(order="F"), weights, intercept, scaled)
    whole = path_of(kinds[best], standard, np.arange(len(x)), strengths).weights
    largest = np.take_along_axis(whole, np.abs(whole).argmax(axis=1)[:, np.newaxis], axis=1)[:, 0]
    errors = losses.std(axis=0) / np.sqrt(max(1, len(parts) - 1))
    path = Path(kinds[best], names, strengths, largest, kinds, mean, errors, place)
    return kinds[best], float(strengths[place]), path
