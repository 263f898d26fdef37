"""Normal-gamma distribution of the mean and the precision of numbers (AIMA 20.2, footnote 5)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from induce.bayes.distributions.credible import CredibleInterval, central, finite, positive
from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class NormalGamma(Hypothesis):
    """Distribution over the mean and the precision, 1 / variance, of a normal distribution.

    The precision has the distribution Gamma(a, b), with mean a / b. Given the precision, the mean is normal
    around `mu`, with the certainty of `kappa` numbers. No prior suits all scales: choose `mu` and `b` in the
    units of the data.

    Parameters
    ----------
    mu : float
        Mean of the mean.
    kappa, a, b : float
        Parameters, above 0.

    Examples
    --------
    >>> belief = NormalGamma(mu=0, kappa=1, a=1, b=1).update([2, 4, 4, 4, 5, 5, 7, 9])
    >>> print(belief)
    normal-gamma[mu 4.444, kappa 9, a 5, b 28.11]: mean 4.444, 95% credible interval [2.68, 6.21]
    >>> belief.credible_interval(of="sigma")
    CredibleInterval(low=1.6..., high=4.1..., probability=0.95)
    """

    mu: float
    kappa: float
    a: float
    b: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.mu):
            raise InputError(f"mu is {self.mu}; give a finite number")
        positive(kappa=self.kappa, a=self.a, b=self.b)

    def update(self, observations: ArrayLike) -> NormalGamma:
        """Return the posterior after one further number, or several."""
        x = finite("observations", observations)
        if not x.size:
            return self
        n, mean = x.size, float(x.mean())
        kappa = self.kappa + n
        spread = float(((x - mean) ** 2).sum()) + self.kappa * n / kappa * (mean - self.mu) ** 2
        mu = (self.kappa * self.mu + n * mean) / kappa
        return NormalGamma(mu, kappa, self.a + n / 2, self.b + spread / 2)

    def mean_distribution(self) -> Any:
        """Return the marginal distribution of the mean: Student's t, as a scipy distribution."""
        from scipy.stats import t

        return t(2 * self.a, self.mu, math.sqrt(self.b / (self.a * self.kappa)))

    def precision_distribution(self) -> Any:
        """Return the marginal distribution of the precision: a scipy gamma distribution."""
        from scipy.stats import gamma

        return gamma(self.a, scale=1 / self.b)

    def predictive(self) -> Any:
        """Return the predictive distribution of the next number: Student's t, as a scipy distribution."""
        from scipy.stats import t

        return t(2 * self.a, self.mu, math.sqrt(self.b * (self.kappa + 1) / (self.a * self.kappa)))

    def credible_interval(self, probability: float = 0.95, of: str = "mean") -> CredibleInterval:
        """Return the interval that contains the mean or, for ``"sigma"``, the standard deviation."""
        one_of("of", of, ("mean", "sigma"))
        if of == "mean":
            return central(self.mean_distribution().ppf, probability)
        precision = self.precision_distribution()
        return central(lambda share: precision.isf(share) ** -0.5, probability)

    def log_evidence(self, observations: ArrayLike) -> float:
        """Return the log marginal likelihood of numbers, integrated over the parameters."""
        n = finite("observations", observations).size
        return self._log_constant - self.update(observations)._log_constant - n / 2 * math.log(2 * math.pi)

    @property
    def _log_constant(self) -> float:
        return self.a * math.log(self.b) - math.lgamma(self.a) + math.log(self.kappa) / 2

    def parts(self) -> Parts:
        """Return the number of its parameters."""
        return Parts(4, "numbers")

    def size(self) -> str:
        """Return the weight of the prior and the data in the mean, in numbers."""
        return f"as {self.kappa:g} numbers"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the densities of the mean and of the next number, 95% of each shaded."""
        from induce.bayes.distributions.pictures import draw_density
        from induce.pictures.style import axes_for

        next_number, mean = self.predictive(), self.mean_distribution()
        limits = tuple(float(next_number.ppf(share)) for share in (0.005, 0.995))
        figure, axes = axes_for(ax)
        for label, found in (("the mean", mean), ("the next number", next_number)):
            draw_density(axes, found.pdf, central(found.ppf, 0.95), (limits[0], limits[1]), label, "value")
        return figure

    def __str__(self) -> str:
        parts = f"mu {self.mu:.4g}, kappa {self.kappa:.4g}, a {self.a:.4g}, b {self.b:.4g}"
        return f"normal-gamma[{parts}]: mean {self.mu:.4g}, {self.credible_interval()}"
