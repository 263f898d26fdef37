"""The basic rules of probability (Mitchell, table 6.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from induce.core.errors import InputError

_ROUNDING = 1e-9


def product_rule(conditional: float, condition: float) -> float:
    """Return P(A and B) = P(A | B) P(B).

    Parameters
    ----------
    conditional : float
        P(A | B).
    condition : float
        P(B).

    Examples
    --------
    >>> product_rule(0.98, 0.008)
    0.00784
    """
    return chance("conditional", conditional) * chance("condition", condition)


def sum_rule(a: float, b: float, both: float) -> float:
    """Return P(A or B) = P(A) + P(B) - P(A and B).

    Parameters
    ----------
    a : float
        P(A).
    b : float
        P(B).
    both : float
        P(A and B).

    Examples
    --------
    >>> round(sum_rule(0.5, 0.4, 0.2), 6)
    0.7
    """
    if chance("both", both) > min(chance("a", a), chance("b", b)) + _ROUNDING:
        raise InputError(f"both is {both}; A and B together cannot be more probable than {min(a, b)}")
    return chance("P(A or B)", a + b - both)


def total_probability(conditionals: Sequence[float], partition: Sequence[float]) -> float:
    """Return P(B), the sum of P(B | A) P(A) over exclusive and exhaustive events A.

    Parameters
    ----------
    conditionals : sequence of float
        P(B | A) for each event A.
    partition : sequence of float
        P(A) for each event A; they sum to 1.

    Examples
    --------
    >>> round(total_probability([0.98, 0.03], [0.008, 0.992]), 6)
    0.0376
    """
    if len(conditionals) != len(partition):
        raise InputError(
            f"there are {len(conditionals)} conditionals for {len(partition)} events; give one per event"
        )
    total = math.fsum(chance("partition", part) for part in partition)
    if abs(total - 1) > _ROUNDING:
        raise InputError(
            f"partition sums to {total:.6g}; give probabilities of exclusive and "
            "exhaustive events, which sum to 1"
        )
    return math.fsum(map(product_rule, conditionals, partition))


def bayes_theorem(likelihood: float, prior: float, evidence: float) -> float:
    """Return P(h | D) = P(D | h) P(h) / P(D).

    Parameters
    ----------
    likelihood : float
        P(D | h).
    prior : float
        P(h).
    evidence : float
        P(D).

    Examples
    --------
    >>> round(bayes_theorem(0.98, 0.008, 0.0376), 6)
    0.208511
    """
    joint = product_rule(likelihood, prior)
    if chance("evidence", evidence) == 0:
        raise InputError("evidence is 0; give an event with positive probability")
    if joint > evidence + _ROUNDING:
        raise InputError(
            f"evidence is {evidence}, but P(D | h) P(h) is already {joint:.6g}; give at least that"
        )
    return joint / evidence


def chance(name: str, value: float) -> float:
    """Return a probability after a range check."""
    if not -_ROUNDING <= value <= 1 + _ROUNDING:
        raise InputError(f"{name} is {value}; give a probability between 0 and 1")
    return min(max(float(value), 0.0), 1.0)
