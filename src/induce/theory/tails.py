"""Tail bounds on the deviation of a sample rate from the true rate (Mitchell §7.3.1, exercise 7.3)."""

from __future__ import annotations

import math

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.theory.checks import finite, rate


def hoeffding(m: int, epsilon: float) -> float:
    """Return exp(-2 m epsilon²), which bounds the probability of a true error epsilon above the sample's.

    Parameters
    ----------
    m : int
        Sample size.
    epsilon : float
        Deviation of the true error from the sample error.

    Examples
    --------
    >>> round(hoeffding(100, 0.1), 4)
    0.1353
    """
    finite("m", m, 0)
    finite("epsilon", epsilon, 0)
    return math.exp(-2 * m * min(float(epsilon), 1e100) ** 2)


def chernoff(m: int, p: float, gamma: float) -> tuple[float, float]:
    """Return bounds on the probabilities that a sample rate exceeds (1 + gamma) p or is below (1 - gamma) p.

    Parameters
    ----------
    m : int
        Sample size.
    p : float
        True rate.
    gamma : float
        Relative deviation of the sample rate from the true rate; from 0 to 1.

    Examples
    --------
    >>> [round(bound, 4) for bound in chernoff(100, 0.5, 0.4)]
    [0.0695, 0.0183]
    """
    finite("m", m, 0)
    for name, value in (("p", p), ("gamma", gamma)):
        rate(name, value)
    return math.exp(-m * p * gamma**2 / 3), math.exp(-m * p * gamma**2 / 2)


def relative_rows(ln_size: float, p: float, gamma: float, delta: float) -> float:
    """Return the sample size for which no true error exceeds 1 + gamma times the sample error (exercise 7.3).

    Parameters
    ----------
    ln_size : float
        Natural logarithm of the number of hypotheses.
    p : float
        True error, or a lower bound on it, which must be above 0.
    gamma : float
        Maximum relative excess of the true error over the sample error.
    delta : float
        Acceptable probability of failure.

    Examples
    --------
    >>> round(relative_rows(10 * math.log(3), p=0.1, gamma=0.5, delta=0.05), 1)
    2516.7
    """
    finite("ln_size", ln_size, 0)
    for name, value in (("p", p), ("gamma", gamma), ("delta", delta)):
        rate(name, value)
        if value < 1e-100:
            raise InputError(f"{name} is {value!r}, for which no number of rows suffices; give a larger one")
    return 2 * (1 + gamma) ** 2 / (gamma**2 * p) * (ln_size + math.log(1 / delta))


def highest_rate(error: float, nats: float) -> float:
    """Return the highest true error compatible with a sample error: Chernoff's bound, inverted.

    If the true error is p > q, a sample of m rows has an error rate of at most q with probability at most
    exp(-m d(q, p)), where d is the relative entropy q ln(q / p) + (1 - q) ln((1 - q) / (1 - p)). Hoeffding's
    bound is simpler and weaker. For a sample without errors, the bound is (1 - p)^m, which Mitchell bounds by
    exp(-p m).

    Parameters
    ----------
    error : float
        Error rate of the sample, q.
    nats : float
        Maximum of d: ln(|H| / delta) / m.

    Examples
    --------
    >>> round(highest_rate(0.0, 0.1), 4), round(highest_rate(0.1, 0.1), 4), round(0.1 + math.sqrt(0.1 / 2), 4)
    (0.0952, 0.2824, 0.3236)
    """
    rate("error", error)
    at_least("nats", nats, 0)
    if error == 0:
        return -math.expm1(-nats)
    if error == 1 or nats == math.inf:
        return 1.0
    low, high = error, 1.0
    for _ in range(100):  # d increases with p, so bisection finds the largest p
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if _divergence(error, middle) < nats else (low, middle)
    return high


def _divergence(q: float, p: float) -> float:
    return q * math.log(q / p) + (1 - q) * math.log((1 - q) / (1 - p))
