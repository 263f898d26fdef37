"""Weights of a model along a path of penalty strengths, and the chosen strength."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Path:
    """Weights along the strengths of a penalty, and the validation loss of every kind of penalty.

    Parameters
    ----------
    penalty : str
        Chosen kind of penalty.
    terms : tuple of str
        Names of the terms.
    strengths : array of float
        Strengths, from the strongest to the weakest.
    weights : array of float, shape (strengths, terms)
        Weights per standard deviation of their term; with several outputs, the largest in magnitude.
    kinds : tuple of str
        Kinds of penalty that were compared; empty if none were.
    losses : array of float, shape (kinds, strengths)
        Mean loss on held-out rows.
    errors : array of float, shape (kinds, strengths)
        Standard error of that mean over the folds.
    chosen : int
        Index of the chosen strength.
    """

    penalty: str
    terms: tuple[str, ...]
    strengths: Floats
    weights: Floats
    kinds: tuple[str, ...]
    losses: Floats
    errors: Floats
    chosen: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Path):
            return NotImplemented
        mine, others = ((each.strengths, each.weights, each.losses, each.errors) for each in (self, other))
        names = (self.penalty, self.terms, self.kinds, self.chosen)
        same = names == (other.penalty, other.terms, other.kinds, other.chosen)
        return same and all(map(np.array_equal, mine, others))

    def __hash__(self) -> int:
        return hash((self.penalty, self.terms, self.chosen))
