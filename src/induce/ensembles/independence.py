"""Error of a majority vote: with independent members, and in the worst case (AIMA 18.10, exercise 18.18)."""

from __future__ import annotations

from math import comb
from typing import Any

from induce.core.checks import at_least, one_of, probability

TIES = {"error": 1.0, "half": 0.5, "correct": 0.0}


def majority_error(members: int, error: float, ties: str = "half") -> float:
    """Return the error rate of a majority vote of hypotheses that err independently.

    The vote errs if more than half of the hypotheses do: the sum over i > K/2 of C(K, i) p^i (1 - p)^(K - i).

    Parameters
    ----------
    members : int
        Number of voting hypotheses, K.
    error : float
        Error rate of each hypothesis, p.
    ties : {"half", "error", "correct"}
        Treatment of ties among an even number of members: wrong in half of the cases, always wrong, or never
        wrong.

    Examples
    --------
    >>> round(majority_error(5, 0.1), 5)
    0.00856
    >>> [round(majority_error(10, 0.4, ties), 6) for ties in ("error", "half", "correct")]
    [0.366897, 0.266568, 0.166239]
    """
    _check(members, error)
    one_of("ties", ties, TIES)
    wrong = [comb(members, i) * error**i * (1 - error) ** (members - i) for i in range(members + 1)]
    tie = TIES[ties] * wrong[members // 2] if members % 2 == 0 else 0.0
    return float(sum(wrong[members // 2 + 1 :]) + tie)


def worst_majority_error(members: int, error: float) -> float:
    """Return the maximum error rate of a majority vote whose members err together.

    The result exceeds the error rate of each member. A tie counts as an error. With K members, each error of
    the vote needs K/2 errors of members, rounded up, so the error rate is at most ``K p`` divided by that
    number.

    Parameters
    ----------
    members : int
        Number of voting hypotheses, K.
    error : float
        Error rate of each hypothesis, p.

    Examples
    --------
    >>> round(worst_majority_error(5, 0.1), 4)
    0.1667
    """
    _check(members, error)
    return min(1.0, members * error / ((members + 1) // 2))


def _check(members: Any, error: Any) -> None:
    at_least("members", members, 1, whole=True)
    probability("error", error)
