"""Beta distribution of the probability of one of two outcomes (AIMA 20.2, equation 20.6)."""

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

_END = 0.002


@dataclass(frozen=True)
class Beta(Hypothesis):
    """Beta distribution over the probability of a success: beta[a, b].

    Successes add to a and failures to b, so a - 1 and b - 1 are the counts of past observations on top of the
    uniform prior beta[1, 1].

    Parameters
    ----------
    a, b : float
        Parameters, above 0.

    Examples
    --------
    Three candies, two of them cherry:

    >>> cherry = Beta().update([True, True, False])
    >>> print(cherry)
    beta[3, 2]: mean 0.6, 95% credible interval [0.194, 0.932]
    >>> cherry.predictive(), cherry == Beta().update(True).update(True).update(False)
    (0.6, True)
    """

    a: float = 1.0
    b: float = 1.0

    def __post_init__(self) -> None:
        positive(a=self.a, b=self.b)

    def update(self, observations: ArrayLike) -> Beta:
        """Return the posterior after further outcomes: True or 1 for each success, False or 0 for each
        failure.
        """
        outcomes = finite("observations", observations)
        if not ((outcomes == 0) | (outcomes == 1)).all():
            raise InputError(
                "observations contain values other than True and False, or 1 and 0; use add for counts"
            )
        return self.add(float(outcomes.sum()), float((1 - outcomes).sum()))

    def add(self, successes: float, failures: float) -> Beta:
        """Return the posterior after a number of further successes and failures."""
        if not (0 <= successes < math.inf and 0 <= failures < math.inf):
            raise InputError(
                f"there are {successes} successes and {failures} failures; give counts of at least 0"
            )
        return Beta(self.a + successes, self.b + failures)

    def predictive(self) -> float:
        """Return the probability that the next outcome is a success, which is the mean."""
        return self.a / (self.a + self.b)

    @property
    def mean(self) -> float:
        """Mean of the distribution."""
        return self.predictive()

    @property
    def sd(self) -> float:
        """Standard deviation of the distribution."""
        total = self.a + self.b
        return math.sqrt(self.a * self.b / (total + 1)) / total

    @property
    def modes(self) -> tuple[float, ...]:
        """Modes: none if the density is uniform, both ends if a and b are below 1.

        With the uniform prior it is the maximum likelihood estimate, the relative frequency of successes.
        """
        if self.a == 1 and self.b == 1:
            return ()
        if self.a < 1 and self.b < 1:
            return (0.0, 1.0)
        if self.a > 1 and self.b > 1:
            return ((self.a - 1) / (self.a + self.b - 2),)
        return (0.0,) if self.a <= 1 <= self.b else (1.0,)

    @property
    def log_constant(self) -> float:
        """Logarithm of the normalising constant: Gamma(a + b) / (Gamma(a) Gamma(b))."""
        from scipy.special import betaln

        return -float(betaln(self.a, self.b))

    def pdf(self, theta: ArrayLike) -> NDArray[np.float64]:
        """Return the density at the given values."""
        from scipy.stats import beta

        return np.asarray(beta.pdf(theta, self.a, self.b), np.float64)

    def credible_interval(self, probability: float = 0.95) -> CredibleInterval:
        """Return the central interval that contains the parameter with a given probability."""
        from scipy.stats import beta

        return central(lambda share: beta.ppf(share, self.a, self.b), probability)

    def log_evidence(self, observations: ArrayLike) -> float:
        """Return the log marginal likelihood of a sequence of outcomes, integrated over the parameter.

        Examples
        --------
        >>> round(math.exp(Beta().log_evidence([True, True, False])), 6) == round(1 / 12, 6)
        True
        """
        return self.log_constant - self.update(observations).log_constant

    def parts(self) -> Parts:
        """Return the number of parameters: a and b."""
        return Parts(2, "counts")

    def size(self) -> str:
        """Return the number of observed outcomes, beyond the uniform prior."""
        return f"{self.a + self.b - 2:g} outcomes"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the density with the 95% credible interval shaded (figure 20.5)."""
        from induce.bayes.distributions.pictures import draw_density

        label = f"beta[{self.a:g}, {self.b:g}]"
        return draw_density(ax, self._drawn, self.credible_interval(), (0.0, 1.0), label, "parameter θ")

    def _drawn(self, theta: Any) -> NDArray[np.float64]:
        if min(self.a, self.b) >= 1:
            return self.pdf(theta)
        return self.pdf(np.clip(theta, _END, 1 - _END))  # the density is infinite at an end

    def __str__(self) -> str:
        return f"beta[{self.a:g}, {self.b:g}]: mean {self.mean:.4g}, {self.credible_interval()}"
