"""Normal-Wishart distribution of the mean and the covariance of vectors (AIMA 20.2, footnote 5)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.bayes.distributions.credible import CredibleInterval, central, finite, positive
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NormalWishart(Hypothesis):
    """Distribution over the mean and the covariance of a multivariate normal distribution.

    The inverse covariance has a Wishart distribution with `nu` degrees of freedom and scale matrix psi⁻¹.
    Given it, the mean is normal around `mu`, with the certainty of `kappa` vectors. In one dimension it is a
    `NormalGamma` with a = nu / 2 and b = psi / 2.

    Parameters
    ----------
    mu : tuple of float
        Mean of the mean, one number per dimension.
    kappa : float
        Weight of the mean; greater than 0.
    nu : float
        Degrees of freedom; greater than the number of dimensions minus 1.
    psi : tuple of tuples of float
        Scale matrix, symmetric and positive definite; about nu times the covariance.

    Examples
    --------
    >>> belief = NormalWishart((0, 0), 1, 2, ((1, 0), (0, 1))).update([[2, 1], [4, 3], [3, 5]])
    >>> belief.mu, belief.kappa, belief.nu
    ((2.25, 2.25), 4, 5)
    >>> print(belief.credible_interval(0))
    95% credible interval [0.0826, 4.42]
    """

    mu: tuple[float, ...]
    kappa: float
    nu: float
    psi: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        mu, psi = finite("mu", self.mu), finite("psi", self.psi, 2)
        positive(kappa=self.kappa)
        if psi.shape != (mu.size, mu.size):
            raise InputError(f"psi has the shape {psi.shape} for {mu.size} dimensions; give a square matrix")
        if not np.allclose(psi, psi.T) or np.linalg.eigvalsh(psi).min() <= 0:
            raise InputError(
                "psi is not symmetric and positive definite; give a matrix with eigenvalues above 0"
            )
        if not mu.size - 1 < self.nu < math.inf:
            raise InputError(
                f"nu is {self.nu}; give a number above {mu.size - 1}, the number of dimensions minus 1"
            )
        object.__setattr__(self, "mu", tuple(mu.tolist()))
        object.__setattr__(self, "psi", tuple(map(tuple, psi.tolist())))

    def update(self, observations: ArrayLike) -> NormalWishart:
        """Return the posterior after one further vector, or several, one per row."""
        rows = self._rows(observations)
        if not len(rows):
            return self
        n, mean, mu = len(rows), rows.mean(axis=0), np.array(self.mu)
        kappa = self.kappa + n
        centred, moved = rows - mean, mean - mu
        psi = np.array(self.psi) + centred.T @ centred + self.kappa * n / kappa * np.outer(moved, moved)
        middle = (self.kappa * mu + n * mean) / kappa
        return NormalWishart(tuple(middle.tolist()), kappa, self.nu + n, tuple(map(tuple, psi.tolist())))

    def predictive(self) -> Any:
        """Return the predictive distribution of the next vector: multivariate Student's t, as a scipy
        distribution.
        """
        from scipy.stats import multivariate_t

        scale = (self.kappa + 1) / (self.kappa * self._degrees)
        return multivariate_t(self.mu, np.array(self.psi) * scale, self._degrees)

    @property
    def covariance(self) -> Floats:
        """Expected covariance; undefined unless nu exceeds the number of dimensions plus 1."""
        rest = self.nu - len(self.mu) - 1
        if rest <= 0:
            raise InputError(f"nu is {self.nu}; the expected covariance exists only above {len(self.mu) + 1}")
        return np.array(self.psi) / rest

    def credible_interval(self, dimension: int, probability: float = 0.95) -> CredibleInterval:
        """Return the interval that contains one dimension of the mean with a given probability."""
        from scipy.stats import t

        if not 0 <= dimension < len(self.mu):
            raise InputError(f"dimension is {dimension}; give an index from 0 to {len(self.mu) - 1}")
        scale = math.sqrt(self.psi[dimension][dimension] / (self.kappa * self._degrees))
        return central(t(self._degrees, self.mu[dimension], scale).ppf, probability)

    def log_evidence(self, observations: ArrayLike) -> float:
        """Return the log marginal likelihood of vectors, integrated over the parameters."""
        n = len(self._rows(observations))
        after = self.update(observations)
        return self._log_constant - after._log_constant - n * len(self.mu) / 2 * math.log(math.pi)

    @property
    def _degrees(self) -> float:
        return self.nu - len(self.mu) + 1

    @property
    def _log_constant(self) -> float:
        from scipy.special import multigammaln

        d = len(self.mu)
        determinant = float(np.linalg.slogdet(np.array(self.psi))[1])
        return self.nu / 2 * determinant - float(multigammaln(self.nu / 2, d)) + d / 2 * math.log(self.kappa)

    def _rows(self, observations: ArrayLike) -> Floats:
        rows = finite("observations", observations, 2)
        if rows.shape[1] != len(self.mu) and rows.size:
            raise InputError(f"observations have {rows.shape[1]} dimensions; give {len(self.mu)}")
        return rows.reshape(-1, len(self.mu))

    def parts(self) -> Parts:
        """Return the number of its parameters."""
        return Parts(len(self.mu) + len(self.mu) * (len(self.mu) + 1) // 2 + 2, "numbers")

    def size(self) -> str:
        """Return the number of dimensions."""
        return f"{len(self.mu)} dimensions"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of each dimension of the mean with its 95% credible interval."""
        from induce.bayes.distributions.pictures import draw_intervals

        intervals = [self.credible_interval(k) for k in range(len(self.mu))]
        return draw_intervals(ax, [f"dimension {k}" for k in range(len(self.mu))], self.mu, intervals, "mean")

    def __str__(self) -> str:
        middle = ", ".join(f"{value:.4g}" for value in self.mu)
        return f"normal-Wishart[kappa {self.kappa:.4g}, nu {self.nu:.4g}]: mean ({middle})"
