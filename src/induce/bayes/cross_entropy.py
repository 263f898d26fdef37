"""Learning probabilities: cross entropy, and gradient ascent of a sigmoid unit (Mitchell 6.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.bayes.distributions.credible import finite, positive
from induce.bayes.lines import design
from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.reports import text_table
from induce.statistics.logistic import sigmoid

Floats = NDArray[np.float64]

CROSS_ENTROPY, SQUARED_ERROR = "cross-entropy", "squared-error"


def bernoulli_log_likelihood(targets: ArrayLike, probabilities: ArrayLike) -> float:
    """Return G(h, D), the sum of d ln h + (1 - d) ln(1 - h); the cross entropy is its negative (equation 6.13).

    It is minus infinity if an event of probability 0 has occurred.

    Parameters
    ----------
    targets : array
        Observed values 0 or 1, or relative frequencies of ones.
    probabilities : array
        Probability of each target under the hypothesis.

    Examples
    --------
    >>> round(bernoulli_log_likelihood([0, 1, 1], [0.5, 0.5, 0.5]), 6)
    -2.079442
    """
    from scipy.special import xlog1py, xlogy

    d, h = finite("targets", targets), finite("probabilities", probabilities)
    if d.shape != h.shape:
        raise InputError(f"there are {d.size} targets for {h.size} probabilities; give equal numbers of both")
    for name, values in (("targets", d), ("probabilities", h)):
        if not ((values >= 0) & (values <= 1)).all():
            raise InputError(f"{name} contains values outside the range from 0 to 1; give probabilities")
    return float((xlogy(d, h) + xlog1py(1 - d, -h)).sum())


def observed_frequencies(x: ArrayLike, targets: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return the distinct inputs, the relative frequency of ones at each, and their counts (section 6.5).

    Parameters
    ----------
    x : array
        Inputs, one row per example.
    targets : array of 0 and 1
        Target of each example.

    Examples
    --------
    >>> _, shares, numbers = observed_frequencies([0, 0, 1], [0, 1, 1])
    >>> shares, numbers
    (array([0.5, 1. ]), array([2., 1.]))
    """
    rows, d = design(x)[:, 1:], finite("targets", targets)
    if len(rows) != d.size:
        raise InputError(f"x has {len(rows)} rows for {d.size} targets; give equal numbers of both")
    distinct, inverse, numbers = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    ones = np.bincount(inverse.reshape(-1), d, len(distinct))
    return distinct, np.asarray(ones / numbers), numbers.astype(np.float64)


@dataclass(frozen=True, eq=False)
class Ascent:
    """Gradient ascent of the likelihood of a sigmoid unit, step by step.

    Parameters
    ----------
    rule : {"cross-entropy", "squared-error"}
        Objective that is maximised: the likelihood, or minus the squared error.
    weights : array
        Weights before the first step and after each; the weight of the constant input comes first.
    outputs : array
        Output of the unit for each example with these weights.
    log_likelihood : array
        Value of G with these weights.
    gradient : array
        Sum of (d - h) x, the gradient of cross entropy (equation 6.15).
    squared_error : array
        Sum of h (1 - h) (d - h) x, the gradient of back-propagation with squared error.
    """

    rule: str
    weights: Floats
    outputs: Floats
    log_likelihood: Floats
    gradient: Floats
    squared_error: Floats

    def __str__(self) -> str:
        def numbers(values: Floats) -> str:
            return ", ".join(f"{value:.6f}" for value in values)

        rows = [("step", "weights", "G", "sum of (d - h) x", "sum of h (1 - h) (d - h) x")]
        for step in range(len(self.weights)):
            gradient, squared = numbers(self.gradient[step]), numbers(self.squared_error[step])
            likelihood = f"{self.log_likelihood[step]:.6f}"
            rows.append((str(step), numbers(self.weights[step]), likelihood, gradient, squared))
        return text_table(rows)


def sigmoid_ascent(
    x: ArrayLike,
    targets: ArrayLike,
    rate: float = 0.1,
    steps: int = 100,
    rule: str = CROSS_ENTROPY,
    weights: ArrayLike | None = None,
) -> Ascent:
    """Return the steps of gradient ascent of a sigmoid unit (section 6.5.1).

    The gradient of cross entropy finds the maximum likelihood probabilities of Boolean targets. That of
    squared error, which has the derivative of the sigmoid as a further factor, finds the maximum likelihood
    values under normal noise.

    Parameters
    ----------
    x : array
        Inputs, one number or one row of numbers per example; a constant input of 1 is prepended.
    targets : array of 0 and 1
        Target of each example.
    rate : float
        Learning rate.
    steps : int
        Number of steps.
    rule : {"cross-entropy", "squared-error"}
        Objective that is maximised: the likelihood, or minus the squared error.
    weights : array, optional
        Initial weights; zeros if None.

    Examples
    --------
    >>> print(sigmoid_ascent([0, 1, 2], [0, 1, 1], rate=0.1, steps=1))
    step             weights          G    sum of (d - h) x  sum of h (1 - h) (d - h) x
    0     0.000000, 0.000000  -2.079442  0.500000, 1.500000          0.125000, 0.375000
    1     0.050000, 0.150000  -1.849981  0.351051, 1.276931          0.083623, 0.311912
    """
    one_of("rule", rule, (CROSS_ENTROPY, SQUARED_ERROR))
    positive(rate=rate)
    at_least("steps", steps, 0, whole=True)
    rows, d = design(x), finite("targets", targets)
    if len(rows) != d.size or not np.isin(d, (0, 1)).all():
        raise InputError(f"there are {len(rows)} examples for {d.size} targets; give 0 or 1 for each example")
    w = np.zeros(rows.shape[1]) if weights is None else finite("weights", weights)
    if w.shape != (rows.shape[1],):
        raise InputError(
            f"weights has the shape {w.shape}; give {rows.shape[1]} weights, that of the constant first"
        )
    kept: list[tuple[Floats, Floats, float, Floats, Floats]] = []
    for _ in range(steps + 1):
        h = sigmoid(rows @ w)
        gradient, squared = (d - h) @ rows, (h * (1 - h) * (d - h)) @ rows
        kept.append((w, h, bernoulli_log_likelihood(d, h), gradient, squared))
        w = w + rate * (gradient if rule == CROSS_ENTROPY else squared)
    every = [np.array(part, dtype=np.float64) for part in zip(*kept, strict=True)]
    return Ascent(rule, every[0], every[1], every[2], every[3], every[4])
