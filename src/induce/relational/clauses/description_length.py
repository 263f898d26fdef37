"""Length limit of clauses: no longer than a list of the examples they explain (Mitchell §10.5.4).

The encoding follows Quinlan (1990).
"""

from __future__ import annotations

from math import lgamma, log, log2

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def bits_of_choice(positive: ArrayLike, n_examples: float) -> Floats:
    """Return the number of bits that identify the positive examples covered by a clause among all examples.

    Examples
    --------
    >>> bits_of_choice([1, 8], 16).round(3)
    array([ 8.   , 17.652])
    """
    p = np.asarray(positive, np.float64)
    return log2(max(n_examples, 1)) + bits_of_labels(p, n_examples - p)


def bits_of_labels(positive: ArrayLike, negative: ArrayLike) -> Floats:
    """Return the number of bits that identify the positive ones among a number of examples, given how many
    there are.

    Examples
    --------
    >>> bits_of_labels([5, 8], [5, 0]).round(3)
    array([7.977, 0.   ])
    """
    from scipy.special import gammaln

    p, n = np.asarray(positive, np.float64), np.asarray(negative, np.float64)
    return np.asarray((gammaln(p + n + 1) - gammaln(p + 1) - gammaln(n + 1)) / log(2))


def bits_of_literal(n_predicates: int, n_arguments: ArrayLike) -> Floats:
    """Return the number of bits that encode an added literal: its negation, its predicate and its arguments.

    Examples
    --------
    >>> bits_of_literal(4, 8)
    array(6.)
    """
    return np.asarray(1 + log2(max(n_predicates, 1)) + np.log2(np.maximum(n_arguments, 1)))


def bits_of_order(n_literals: int) -> float:
    """Return the number of bits that a clause saves because the order of its literals is arbitrary.

    Examples
    --------
    >>> round(bits_of_order(3), 3)
    2.585
    """
    return lgamma(n_literals + 1) / log(2)
