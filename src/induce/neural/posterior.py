"""Bayesian weights: a distribution over the weights of a network, and predictions averaged over it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.neural.network import Floats, Network
from induce.neural.objective import NetworkObjective
from induce.optimise.descent import descend
from induce.optimise.stopping import Stop

ROUNDS = 20
LENGTH, LEAPS = 1.5, 12
"""Length of each path of the sampler, in standard deviations, and its number of steps."""


@dataclass(frozen=True, eq=False)
class WeightPosterior:
    """A Gaussian around the most probable weights (MacKay 1992), or samples of the posterior (Neal 1996).

    Parameters
    ----------
    network : Network
        Network with the most probable weights.
    covariance : array of float64
        Covariance of the weights in the Gaussian approximation.
    prior_precision : float
        Precision a of the prior: weights are normal with mean 0 and variance 1/a.
    noise_precision : float
        Precision b of the noise: targets are normal around the outputs with variance 1/b.
    log_evidence : float
        Logarithm of the evidence under the Gaussian approximation; exact for linear units.
    effective : float
        Effective number of weights: those determined by the examples rather than the prior.
    samples : array of float64
        Weights drawn by the sampler, one row each; empty for the Gaussian alone.

    Examples
    --------
    >>> line = Network.layered(1, 1, unit="linear")
    >>> found = weight_posterior(line, [[1], [2], [3], [4]], [2.1, 3.9, 6.2, 7.8], 1.0, 25.0)
    >>> mean, deviation = found.predict([[5]])
    >>> print(f"{mean[0, 0]:.4f} ± {deviation[0, 0]:.4f}, log evidence {found.log_evidence:.4f}")
    9.8186 ± 0.3132, log evidence -4.8963
    """

    network: Network
    covariance: Floats
    prior_precision: float
    noise_precision: float
    log_evidence: float
    effective: float
    samples: Floats

    @property
    def deviations(self) -> Floats:
        """Standard deviation of each weight."""
        return np.sqrt(np.diag(self.covariance)) if not len(self.samples) else self.samples.std(axis=0)

    @property
    def weight_decay(self) -> float:
        """Weight decay a / 2b, whose minimum is at the most probable weights."""
        return self.prior_precision / (2.0 * self.noise_precision)

    def predict(self, X: Any, noise: bool = True) -> tuple[Floats, Floats]:
        """Return the mean and the standard deviation of the target for each row and output.

        Parameters
        ----------
        X : array
        noise : bool
            Whether the deviation is for a new target; otherwise for its mean only.
        """
        rows = np.atleast_2d(np.asarray(X, np.float64))
        if len(self.samples):
            said = np.stack([self.network.with_weights(w)(rows) for w in self.samples])
            mean, variance = said.mean(axis=0), said.var(axis=0)
        else:
            mean = self.network(rows)
            slopes = _jacobian(self.network, rows)
            variance = np.einsum("rkw,wv,rkv->rk", slopes, self.covariance, slopes)
        return mean, np.sqrt(variance + (1.0 / self.noise_precision if noise else 0.0))

    def __str__(self) -> str:
        how = f"{len(self.samples)} samples" if len(self.samples) else "a Gaussian"
        return (
            f"posterior of {self.network.n_weights} weights by {how}; {self.effective:.1f} of them are determined by "
            f"the examples, log evidence {self.log_evidence:.2f}"
        )


def weight_posterior(
    network: Network,
    X: Any,
    T: Any,
    prior_precision: float | None = None,
    noise_precision: float | None = None,
    *,
    samples: int = 0,
    max_epochs: int = 500,
    random_state: RandomState = 0,
) -> WeightPosterior:
    """Return the posterior of the weights: the prior times the likelihood of the targets under normal noise.

    The maximum is found by L-BFGS with weight decay a / 2b, starting from the weights of the network. Around
    it the posterior is approximated by a Gaussian with precision b JᵀJ + a, where J is the Jacobian of the
    outputs with respect to the weights. Missing precisions are estimated by maximising the evidence with
    MacKay's rule, alternating with the weights.

    Parameters
    ----------
    network : Network
        Structure and initial weights.
    X, T : array
        Inputs and targets.
    prior_precision, noise_precision : float, optional
        Precisions a and b; None estimates them by maximising the evidence.
    samples : int
        Number of samples drawn by Hamiltonian Monte Carlo; predictions are then averaged over them.
    max_epochs : int
        Maximum number of steps of each training.
    random_state : int, Generator or None
        Random seed of the sampler.

    References
    ----------
    D. J. C. MacKay (1992). A practical Bayesian framework for backpropagation networks. Neural Computation 4.
    R. M. Neal (1996). Bayesian Learning for Neural Networks. Springer.
    """
    for name, given in (("prior_precision", prior_precision), ("noise_precision", noise_precision)):
        if given is not None and not (math.isfinite(given) and given > 0):
            raise InputError(f"{name} is {given!r}; give a number above 0")
    rows = np.atleast_2d(np.asarray(X, np.float64))
    targets = np.asarray(T, np.float64)
    targets = targets[:, np.newaxis] if targets.ndim == 1 else targets
    a, b = prior_precision or 1.0, noise_precision or 1.0 / max(float(targets.var()), 1e-12)
    settled = prior_precision is not None and noise_precision is not None
    for _ in range(1 if settled else ROUNDS):
        network = _most_probable(network, rows, targets, a / (2 * b), max_epochs)
        slopes = _jacobian(network, rows).reshape(-1, network.n_weights)
        values = np.maximum(np.linalg.eigvalsh(b * slopes.T @ slopes), 0.0)
        effective = float((values / (values + a)).sum())
        squares = float(np.square(network(rows) - targets).sum())
        if settled:
            break
        new_a = prior_precision or effective / max(float(np.square(network.weights).sum()), 1e-12)
        new_b = noise_precision or max(targets.size - effective, 1e-6) / max(squares, 1e-12)
        settled = abs(math.log(new_a / a)) + abs(math.log(new_b / b)) < 1e-3
        a, b = new_a, new_b
    precision = b * slopes.T @ slopes + a * np.eye(network.n_weights)
    evidence = (
        0.5 * targets.size * math.log(b / (2 * math.pi))
        - 0.5 * b * squares
        + 0.5 * network.n_weights * math.log(a)
        - 0.5 * a * float(np.square(network.weights).sum())
        - 0.5 * float(np.linalg.slogdet(precision)[1])
    )
    drawn = np.empty((0, network.n_weights))
    if samples:
        drawn = _sampled(network, rows, targets, a, b, precision, int(samples), random_state)
    covariance = np.asarray(np.linalg.inv(precision), np.float64)
    return WeightPosterior(network, covariance, a, b, evidence, effective, drawn)


def _most_probable(network: Network, X: Floats, T: Floats, decay: float, max_epochs: int) -> Network:
    objective = NetworkObjective(network, X, T, "squared", decay)
    stop = Stop(max_epochs=max_epochs, tolerance=1e-12, patience=3)
    return network.with_weights(descend(objective, network.weights, direction="lbfgs", stop=stop).w)


def _jacobian(network: Network, X: Floats) -> Floats:
    """Return the derivatives of the outputs with respect to the weights, for each row and output."""
    slopes = NetworkObjective(network, X, network(X)).residuals(network.weights)[1]
    return slopes.reshape(len(X), network.n_outputs, network.n_weights)


def _sampled(
    network: Network,
    X: Floats,
    T: Floats,
    a: float,
    b: float,
    precision: Floats,
    n: int,
    random_state: RandomState,
) -> Floats:
    """Draw weights by Hamiltonian Monte Carlo, with step sizes set by the Gaussian approximation."""
    rng = generator(random_state)
    objective = NetworkObjective(network, X, T, "squared", a / (2 * b))
    root = np.linalg.cholesky(
        np.linalg.inv(precision)
    )  # steps are taken in coordinates in which the posterior is nearly isotropic
    w, drawn = network.weights.copy(), np.empty((n, network.n_weights))
    energy, gradient = objective.gradient(w)
    for k in range(-n // 4, n):
        speed, step = rng.normal(size=len(w)), rng.uniform(0.7, 1.3) * LENGTH / LEAPS
        at, now, slope = w, energy, gradient
        begun = b * energy + 0.5 * float(speed @ speed)
        for _ in range(LEAPS):
            speed = speed - 0.5 * step * b * (root.T @ slope)
            at = at + step * (root @ speed)
            now, slope = objective.gradient(at)
            speed = speed - 0.5 * step * b * (root.T @ slope)
        if math.log(rng.random() + 1e-300) < begun - b * now - 0.5 * float(speed @ speed):
            w, energy, gradient = at, now, slope
        if k >= 0:
            drawn[k] = w
    return drawn
