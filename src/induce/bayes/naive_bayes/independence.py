"""Naive Bayes compared with the truth: correct classes from wrong probabilities (Domingos and Pazzani 1996)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError


@dataclass(frozen=True)
class IndependenceCheck:
    """Performance of naive Bayes with exact P(value | class) on a known joint distribution.

    Parameters
    ----------
    agreement : float
        Probability that naive Bayes and the true posterior choose the same class.
    error, best_error : float
        Error of naive Bayes, and of the true posterior, which is a lower bound.
    gap : float
        Largest difference between a class probability by naive Bayes and the true one.
    """

    agreement: float
    error: float
    best_error: float
    gap: float

    def __str__(self) -> str:
        return (
            f"same class as the true posterior with probability {self.agreement:.4g}, error "
            f"{self.error:.4g} (Bayes error {self.best_error:.4g}), probabilities off by up to "
            f"{self.gap:.4g}"
        )


def check_independence(joint: Any) -> IndependenceCheck:
    """Compare naive Bayes with the true posterior on a joint distribution of a class and its attributes (§6.13).

    Parameters
    ----------
    joint : array
        P(class, attribute 1, attribute 2, …) with one axis per variable; values are normalised.

    Examples
    --------
    A duplicated attribute makes naive Bayes overconfident, but not wrong:

    >>> once = np.array([[0.4, 0.1], [0.2, 0.3]])
    >>> twice = np.stack([np.diag(row) for row in once])
    >>> print(check_independence(twice))
    same class as the true posterior with probability 1, error 0.3 (Bayes error 0.3), probabilities off by up to 0.15
    """
    truth = np.asarray(joint, np.float64)
    if truth.ndim < 2 or not np.isfinite(truth).all() or (truth < 0).any() or truth.sum() <= 0:
        raise InputError(
            "joint is not a joint distribution; give probabilities of at least 0, with one axis for "
            "the class and one per attribute"
        )
    truth = truth / truth.sum()
    classes = truth.sum(axis=tuple(range(1, truth.ndim)))
    naive = classes.reshape(-1, *[1] * (truth.ndim - 1))
    with np.errstate(invalid="ignore"):
        for axis in range(1, truth.ndim):
            others = tuple(other for other in range(1, truth.ndim) if other != axis)
            given = truth.sum(axis=others) / classes[:, np.newaxis]
            naive = naive * np.expand_dims(np.nan_to_num(given), others)
    rows = truth.sum(axis=0)
    possible = rows > 0
    chosen, right = naive.argmax(axis=0), truth.argmax(axis=0)
    posteriors = [_shares(each)[:, possible] for each in (naive, truth)]
    return IndependenceCheck(
        agreement=float(rows[chosen == right].sum()),
        error=float(1 - np.take_along_axis(truth, chosen[np.newaxis], axis=0).sum()),
        best_error=float(1 - truth.max(axis=0).sum()),
        gap=float(np.abs(posteriors[0] - posteriors[1]).max()),
    )


def _shares(joint: NDArray[np.float64]) -> NDArray[np.float64]:
    total = joint.sum(axis=0)
    return np.asarray(joint / np.where(total > 0, total, 1.0))
