"""Mistake bounds of online learners (Mitchell §7.5; AIMA 18.10; Littlestone 1988)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError


def halving_bound(n_hypotheses: int) -> int:
    """Return the mistake bound of the Halving algorithm if one of the hypotheses is correct: ⌊log2 |H|⌋.

    Examples
    --------
    >>> halving_bound(7)
    2
    """
    at_least("n_hypotheses", n_hypotheses, 1, whole=True)
    return int(n_hypotheses).bit_length() - 1


def weighted_majority_bound(best: Any, n_experts: int, beta: float = 0.5) -> Any:
    """Return the mistake bound of Weighted-Majority, for any sequence.

    The bound is (k log2(1/β) + log2 n) / log2(2/(1+β)) for n experts, the best of which makes k mistakes,
    with any number of classes. For β = ½ it is 2.40942 (k + log2 n); Mitchell's theorem 7.5 rounds the factor
    down to 2.4.

    Parameters
    ----------
    best : int or array
        Number of mistakes of the best expert.
    n_experts : int
        Number of experts.
    beta : float
        Factor applied to the weight of an expert that errs; at least 0 and below 1.

    Examples
    --------
    >>> round(weighted_majority_bound(1, 5), 3)
    8.004
    >>> weighted_majority_bound(0, 8, beta=0), weighted_majority_bound(1, 8, beta=0)
    (3.0, inf)
    """
    check_beta(beta)
    at_least("n_experts", n_experts, 1, whole=True)
    return _plain(_charge(best, beta, math.log2(n_experts), math.log2) / math.log2(2 / (1 + beta)))


def randomized_bound(best: Any, n_experts: int, beta: float = 0.5) -> Any:
    """Return the bound on the expected mistakes of randomised weighted majority, for any sequence.

    The bound is (M* ln(1/β) + ln K) / (1 - β) for K experts, the best of which makes M* mistakes (AIMA
    18.10).

    Examples
    --------
    >>> [round(randomized_bound(m, 10, 0.5), 2) for m in (0, 1)]
    [4.61, 5.99]
    """
    check_beta(beta)
    at_least("n_experts", n_experts, 1, whole=True)
    return _plain(_charge(best, beta, math.log(n_experts), math.log) / (1 - beta))


def no_regret_beta(n_experts: int, rounds: int) -> float:
    """Return the β for which the expected regret after a given number of rounds is at most 2 √(T ln K).

    Examples
    --------
    >>> round(no_regret_beta(10, 1000), 3)
    0.952
    """
    at_least("n_experts", n_experts, 1, whole=True)
    at_least("rounds", rounds, 1, whole=True)
    return 1 - min(0.5, max(math.sqrt(math.log(n_experts) / rounds), 1e-9))


def regret_bound(n_experts: int, rounds: Any, doubling: bool = False) -> Any:
    """Return the bound on the expected regret with `no_regret_beta`: 2 √(T ln K).

    Parameters
    ----------
    n_experts : int
        Number of experts.
    rounds : int or array
        Number of rounds.
    doubling : bool
        Whether the number of rounds was unknown, so that the weights were restarted for the next 1, 2, 4, …
        rounds; the bound is then larger by a factor of √2 / (√2 - 1).

    Examples
    --------
    >>> round(regret_bound(10, 1000), 1), round(regret_bound(10, 1000, doubling=True), 1)
    (96.0, 327.7)
    """
    at_least("n_experts", n_experts, 1, whole=True)
    known = 2 * np.sqrt(_counts("rounds", rounds) * math.log(n_experts))
    return _plain(known * (math.sqrt(2) / (math.sqrt(2) - 1) if doubling else 1.0))


def winnow_bound(
    n_relevant: int, n_indicators: int, threshold: float, alpha: float = 2.0, version: int = 2
) -> float:
    """Return the mistake bound of Winnow for a disjunction of some of its indicators, on any sequence.

    A relevant indicator is promoted at most 1 + log(threshold) / log(alpha) times, and every demotion
    subtracts from the total weight what promotions have added. With at most u promotions, WINNOW1 therefore
    makes at most alpha u + n / threshold mistakes (Littlestone 1988), and WINNOW2 at most (1 + alpha) u + n
    alpha / ((alpha - 1) threshold).

    Parameters
    ----------
    n_relevant : int
        Number k of indicators in the disjunction.
    n_indicators : int
        Number n of indicators.
    threshold : float
        Threshold, at least 1/alpha.
    alpha : float
        Promotion factor; greater than 1.
    version : {1, 2}
        Whether a demotion sets a weight to zero or divides it by alpha.

    Examples
    --------
    >>> winnow_bound(3, 64, threshold=32, version=1), winnow_bound(3, 64, threshold=32, version=2)
    (38.0, 58.0)
    """
    at_least("n_relevant", n_relevant, 0, whole=True)
    at_least("n_indicators", n_indicators, 0, whole=True)
    if not isinstance(alpha, int | float | np.number) or not 1 < alpha < math.inf:
        raise InputError(f"alpha is {alpha!r}; it must be a number above 1")
    at_least("threshold", threshold, 1 / alpha)
    if version not in (1, 2):
        raise InputError(f"version is {version!r}; it can be 1 or 2")
    promotions = n_relevant * (1 + math.log(threshold) / math.log(alpha))
    if version == 1:
        return alpha * promotions + n_indicators / threshold
    return (1 + alpha) * promotions + n_indicators * alpha / ((alpha - 1) * threshold)


def check_beta(beta: Any) -> None:
    """Raise an `InputError` unless `beta` is a valid factor for the weight of an expert that errs."""
    if isinstance(beta, bool) or not isinstance(beta, int | float | np.number) or not 0 <= beta < 1:
        raise InputError(f"beta is {beta!r}; it must be a number of at least 0 and below 1")


def _charge(best: Any, beta: float, for_experts: float, log: Any) -> Any:
    """Return the numerator of the bound: the cost of the best expert's mistakes and of the number of experts."""
    mistakes = _counts("best", best)
    if beta == 0:
        return np.where(mistakes > 0, np.inf, for_experts)
    return mistakes * log(1 / beta) + for_experts


def _counts(name: str, value: Any) -> NDArray[np.float64]:
    try:
        counts = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        counts = np.array(np.nan)
    if not ((counts >= 0) & (counts < 1e300)).all():
        raise InputError(f"{name} is {value!r}; it must be a number of at least 0, or an array of them")
    return counts


def _plain(value: Any) -> Any:
    return value if np.ndim(value) else float(value)
