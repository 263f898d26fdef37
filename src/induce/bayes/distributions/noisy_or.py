"""Noisy-OR: independent causes of an effect, with a distribution of their failure rates (AIMA, ex. 20.7)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.bayes.distributions.credible import CredibleInterval, central, finite, positive
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis
from induce.statistics.logistic import sigmoid

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

POINTS = 13
"""Binary logarithm of the number of points that represent the posterior."""
TAILS = 5.0
_LEAST = -40.0


class _Points(NamedTuple):
    q: Floats
    shares: Floats
    log_evidence: float


@dataclass(frozen=True, eq=False)
class NoisyOr(Hypothesis):
    """Distribution over the causes of an effect, each of which fails to produce it with its own probability
    q.

    The probability that the effect is absent is the product of the q of the active causes. There are as many
    parameters as causes, whereas a table needs one for each set of them. There is no conjugate prior: each q
    has a beta prior. The most likely q are found by optimisation, a concave problem in their logarithms. The
    posterior is represented by weighted points around its mode, to about three digits. A cause that is always
    active represents all others.

    Parameters
    ----------
    causes : tuple of str
        Names of the causes.
    a, b : float
        Beta prior of each q.
    active : array of bool
        Distinct sets of active causes that were observed, one per row.
    absent, present : array
        Counts of cases with the effect absent and present for each set.

    Examples
    --------
    >>> fever = NoisyOr(("cold", "flu")).update([[1, 0]] * 10 + [[0, 1]] * 10, [1] * 4 + [0] * 6 + [1] * 8 + [0] * 2)
    >>> {cause: round(q, 3) for cause, q in fever.most_likely().items()}
    {'cold': 0.6, 'flu': 0.2}
    >>> round(fever.predictive([1, 1]), 2)
    0.85
    """

    causes: tuple[str, ...]
    a: float = 1.0
    b: float = 1.0
    active: NDArray[np.bool_] = field(default_factory=lambda: np.empty((0, 0), np.bool_))
    absent: Floats = field(default_factory=lambda: np.empty(0))
    present: Floats = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        object.__setattr__(self, "causes", tuple(self.causes))
        if not self.causes or len(set(self.causes)) < len(self.causes):
            raise InputError(
                "causes is empty or has duplicate names; give at least one cause, each with its own name"
            )
        positive(a=self.a, b=self.b)
        if not len(self.active):
            object.__setattr__(self, "active", np.empty((0, len(self.causes)), np.bool_))
        shape = (len(self.absent), len(self.causes))
        if self.active.shape != shape or self.present.shape != self.absent.shape:
            raise InputError(f"active has the shape {self.active.shape}; give the shape {shape}")
        counts = np.stack([finite("absent", self.absent), finite("present", self.present)])
        if self.active.dtype != np.bool_ or (counts < 0).any() or (counts[1] @ ~self.active.any(axis=1)) > 0:
            raise InputError(
                "active contains values other than True and False, a count is negative, or an effect is present "
                "without an active cause"
            )

    def update(self, active: ArrayLike, effect: ArrayLike, weights: ArrayLike | None = None) -> NoisyOr:
        """Return the posterior after further cases.

        Parameters
        ----------
        active : array
            Active causes of each case, as True and False or 1 and 0.
        effect : array
            Whether the effect is present in each case.
        weights : array, optional
            Weight of each case.
        """
        rows, seen = self._rows(active), finite("effect", effect)
        counts = np.ones(len(rows)) if weights is None else finite("weights", weights)
        if not len(rows) == len(seen) == len(counts):
            raise InputError(
                f"there are {len(rows)} rows of causes for {len(seen)} effects; give equal numbers of both"
            )
        if not np.isin(seen, (0, 1)).all() or (counts < 0).any():
            raise InputError(
                "effect or weights are invalid; give True and False, or 1 and 0, and weights of at least 0"
            )
        if counts @ (seen * ~rows.any(axis=1)) > 0:
            raise InputError(
                "the effect is present in a case without an active cause, which is impossible; add a "
                "cause that is always active"
            )
        patterns, inverse = np.unique(np.concatenate([self.active, rows]), axis=0, return_inverse=True)

        def counted(before: Floats, now: Floats) -> Floats:
            return np.asarray(
                np.bincount(inverse.reshape(-1), np.append(before, now), len(patterns)), np.float64
            )

        absent, present = counted(self.absent, counts * (1 - seen)), counted(self.present, counts * seen)
        return replace(self, active=patterns, absent=absent, present=present)

    def log_likelihood(self, q: ArrayLike) -> float:
        """Return the log-likelihood of the effects if the causes fail with the probabilities q."""
        logs = self._log_absent(np.log(self._checked(q))[None, :])
        return float(self._log_likelihoods(logs)[0])

    def gradient(self, q: ArrayLike) -> Floats:
        """Return the derivative of the log likelihood with respect to each q (exercise 20.7)."""
        chances = self._checked(q)
        return self._slope(self._log_absent(np.log(chances)[None, :])[0]) @ self.active / chances

    def most_likely(self) -> dict[str, float]:
        """Return the maximum likelihood estimates of q; NaN for a cause that was never active."""
        from scipy.optimize import minimize

        def loss(u: Floats) -> tuple[float, Floats]:
            logs = self._log_absent(u[None, :])
            return -float(self._log_likelihoods(logs)[0]), -np.asarray(self._slope(logs[0]) @ self.active)

        k = len(self.causes)
        bounds = [(_LEAST, -1e-12)] * k
        found = minimize(
            loss,
            np.full(k, math.log(0.5)),
            jac=True,
            bounds=bounds,
            method="L-BFGS-B",
            options={"ftol": 1e-15, "gtol": 1e-9},
        )
        q = np.where(self.active.any(axis=0), np.exp(found.x), np.nan)
        return dict(zip(self.causes, q.tolist(), strict=True))

    def predictive(self, active: ArrayLike) -> float:
        """Return the probability of the effect with some causes active, integrated over q."""
        (row,) = self._rows(np.asarray(active)[None, :])
        points = self._points
        return float(points.shares @ (1 - points.q[:, row].prod(axis=1)))

    def mean(self, cause: str) -> float:
        """Return the posterior mean of the q of a cause."""
        return float(self._points.shares @ self._points.q[:, self._place(cause)])

    def credible_interval(self, cause: str, probability: float = 0.95) -> CredibleInterval:
        """Return the interval that contains the q of a cause with a given probability."""
        values = self._points.q[:, self._place(cause)]
        order = np.argsort(values)
        below = np.cumsum(self._points.shares[order])
        return central(lambda share: np.interp(share, below, values[order]), probability)

    def log_evidence(self, active: ArrayLike, effect: ArrayLike) -> float:
        """Return the log marginal likelihood of further cases, integrated over q."""
        return self.update(active, effect)._points.log_evidence - self._points.log_evidence

    @cached_property
    def _points(self) -> _Points:
        """Sampled values of q with their posterior weights, drawn around the mode of the log odds."""
        from scipy.optimize import minimize
        from scipy.stats import chi2, multivariate_t, norm, qmc

        k = len(self.causes)
        start = np.zeros(k)
        mode = minimize(
            self._loss, start, jac=self._loss_slope, hess=self._loss_curve, method="trust-exact"
        ).x
        shape = np.linalg.inv(self._loss_curve(mode))
        uniform = np.clip(qmc.Sobol(k + 1, seed=0).random_base2(POINTS), 1e-12, 1 - 1e-12)
        wide = np.sqrt(TAILS / chi2.ppf(uniform[:, k], TAILS))[:, None]
        z = mode + norm.ppf(uniform[:, :k]) * wide @ np.linalg.cholesky(shape).T
        logs = -self._losses(z) - np.atleast_1d(multivariate_t(mode, shape, TAILS).logpdf(z))
        log_evidence = float(np.logaddexp.reduce(logs)) - POINTS * math.log(2)
        shares = np.exp(logs - logs.max())
        return _Points(sigmoid(z), shares / shares.sum(), log_evidence)

    def _losses(self, z: Floats) -> Floats:
        """Negative log posterior of log odds, up to P(D), given one row of log odds per point."""
        from scipy.special import betaln

        u, v = -np.logaddexp(0, -z), -np.logaddexp(0, z)
        prior = (self.a * u + self.b * v).sum(axis=1) - z.shape[1] * betaln(self.a, self.b)
        return np.asarray(-(self._log_likelihoods(self._log_absent(u)) + prior))

    def _loss(self, z: Floats) -> float:
        return float(self._losses(z[None, :])[0])

    def _loss_slope(self, z: Floats) -> Floats:
        q = sigmoid(z)
        slope = self._slope(self._log_absent(np.log(q)[None, :])[0]) @ self.active
        return np.asarray(-(slope * (1 - q) + self.a * (1 - q) - self.b * q))

    def _loss_curve(self, z: Floats) -> Floats:
        q = sigmoid(z)
        logs = self._log_absent(np.log(q)[None, :])[0]
        slope = self._slope(logs) @ self.active
        bend = -self.present * np.exp(logs) / np.expm1(logs) ** 2 if len(logs) else self.present
        rows = self.active * (1 - q)
        own = -(slope + self.a + self.b) * q * (1 - q)
        return np.asarray(-((rows.T * bend) @ rows + np.diag(own)))

    def _log_absent(self, u: Floats) -> Floats:
        """Log probability that the effect is absent, for each point and each set of active causes."""
        return np.asarray(u @ self.active.T, np.float64)

    def _log_likelihoods(self, logs: Floats) -> Floats:
        # a set without any present effect contributes 0, even if the effect is impossible
        happens = np.log(-np.expm1(np.where(self.present > 0, logs, -1.0)))
        return np.asarray(logs @ self.absent + happens @ self.present)

    def _slope(self, logs: Floats) -> Floats:
        """Derivative of the log likelihood with respect to the log probability of absence, for each set of active
        causes."""
        safe = np.where(self.present > 0, logs, -1.0)
        return np.asarray(self.absent + self.present * np.exp(safe) / np.expm1(safe))

    def _rows(self, active: ArrayLike) -> NDArray[np.bool_]:
        rows = finite("active", active, 2)
        if rows.shape[1] != len(self.causes):
            raise InputError(
                f"active has {rows.shape[1]} columns for {len(self.causes)} causes; give one per cause"
            )
        if not np.isin(rows, (0, 1)).all():
            raise InputError("active contains values other than True and False, or 1 and 0; give only these")
        return np.asarray(rows, np.bool_)

    def _checked(self, q: ArrayLike) -> Floats:
        chances = finite("q", q)
        if chances.shape != (len(self.causes),) or not ((chances > 0) & (chances < 1)).all():
            raise InputError(f"q is {chances.tolist()}; give a number between 0 and 1 for each cause")
        return chances

    def _place(self, cause: str) -> int:
        if cause not in self.causes:
            raise InputError(f"{cause!r} is not a cause; give one of {', '.join(self.causes)}")
        return self.causes.index(cause)

    def parts(self) -> Parts:
        """Return the number of causes, each with one parameter."""
        return Parts(len(self.causes), "probabilities")

    def size(self) -> str:
        """Return the number of parameters as text, compared with that of a full table."""
        return f"{len(self.causes)} parameters (a table: {2 ** len(self.causes)})"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the q of each cause with its 95% credible interval."""
        from induce.bayes.distributions.pictures import draw_intervals

        means = [self.mean(cause) for cause in self.causes]
        intervals = [self.credible_interval(cause) for cause in self.causes]
        return draw_intervals(ax, self.causes, means, intervals, "q, the probability of failing")

    def __str__(self) -> str:
        return "noisy-or: " + ", ".join(f"q({cause}) {self.mean(cause):.4g}" for cause in self.causes)
