"""Dirichlet distribution of the probabilities of several outcomes (AIMA 20.2, footnote 5)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from induce.bayes.distributions.beta import Beta
from induce.bayes.distributions.credible import CredibleInterval, positive
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis
from induce.core.values import Value, plain
from induce.hypotheses.naming import value_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Dirichlet(Hypothesis):
    """Dirichlet distribution over the probabilities of several values.

    With alphas m p, its predictions are the m-estimate (Mitchell 6.22), with the prior estimate p and its
    weight m.

    Parameters
    ----------
    values : tuple
        Possible values.
    alphas : tuple of float
        Parameter of each value, above 0: its count, on top of the uniform prior's 1.

    Examples
    --------
    >>> wind = Dirichlet.m_estimate({"strong": 0.5, "weak": 0.5}, m=2)
    >>> round(wind.add({"strong": 3, "weak": 2}).predictive()["strong"], 6)
    0.571429
    """

    values: tuple[Value, ...]
    alphas: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.values) != len(self.alphas) or len(set(self.values)) < max(2, len(self.values)):
            raise InputError(
                f"there are {len(self.alphas)} alphas for the values {self.values}; give at least two "
                "different values and one alpha per value"
            )
        for value, alpha in zip(self.values, self.alphas, strict=True):
            positive(**{f"the alpha of {value!r}": alpha})

    @classmethod
    def uniform(cls, values: Iterable[Value]) -> Dirichlet:
        """Return the uniform distribution over the probabilities of the given values: Laplace's prior."""
        known = tuple(plain(value) for value in values)
        return cls(known, (1.0,) * len(known))

    @classmethod
    def m_estimate(cls, prior: Mapping[Value, float], m: float) -> Dirichlet:
        """Return the distribution worth m examples distributed as `prior`."""
        positive(m=m)
        if abs(math.fsum(prior.values()) - 1) > 1e-9:
            raise InputError(
                f"prior sums to {math.fsum(prior.values()):.6g}; give probabilities that sum to 1"
            )
        return cls(tuple(prior), tuple(m * share for share in prior.values()))

    def update(self, observations: Any) -> Dirichlet:
        """Return the posterior after further observations: a single value or several."""
        single = isinstance(observations, str) or not isinstance(observations, Iterable)
        return self.add(Counter(map(plain, [observations] if single else observations)))

    def add(self, counts: Mapping[Value, float]) -> Dirichlet:
        """Return the posterior after a number of further observations of each value."""
        unknown = [value for value in counts if value not in self.values]
        if unknown:
            raise InputError(
                f"{unknown[0]!r} is not among the values; give one of {', '.join(map(repr, self.values))}"
            )
        if not all(0 <= count < math.inf for count in counts.values()):
            raise InputError("counts contains an invalid count; give numbers of at least 0")
        alphas = (alpha + counts.get(value, 0) for value, alpha in zip(self.values, self.alphas, strict=True))
        return Dirichlet(self.values, tuple(alphas))

    def predictive(self) -> dict[Value, float]:
        """Return the predictive probability of each value, which is its mean."""
        total = math.fsum(self.alphas)
        return {value: alpha / total for value, alpha in zip(self.values, self.alphas, strict=True)}

    def marginal(self, value: Value) -> Beta:
        """Return the marginal distribution of the probability of one value."""
        if value not in self.values:
            raise InputError(
                f"{value!r} is not among the values; give one of {', '.join(map(repr, self.values))}"
            )
        alpha = self.alphas[self.values.index(value)]
        return Beta(alpha, math.fsum(self.alphas) - alpha)

    def credible_interval(self, value: Value, probability: float = 0.95) -> CredibleInterval:
        """Return the interval that contains the probability of a value with a given probability."""
        return self.marginal(value).credible_interval(probability)

    def log_evidence(self, observations: Any) -> float:
        """Return the log marginal likelihood of a sequence of observations, integrated over the parameters.

        Examples
        --------
        >>> round(math.exp(Dirichlet.uniform("abc").log_evidence(["a", "b"])), 6) == round(1 / 12, 6)
        True
        """
        return self._log_constant - self.update(observations)._log_constant

    @property
    def _log_constant(self) -> float:
        return math.lgamma(math.fsum(self.alphas)) - math.fsum(map(math.lgamma, self.alphas))

    def parts(self) -> Parts:
        """Return the number of parameters."""
        return Parts(len(self.alphas), "counts")

    def size(self) -> str:
        """Return the number of values."""
        return f"{len(self.values)} values"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the mean and the 95% credible interval of each probability."""
        from induce.bayes.distributions.pictures import draw_intervals

        intervals = [self.credible_interval(value) for value in self.values]
        names = [value_text(value) for value in self.values]
        return draw_intervals(ax, names, list(self.predictive().values()), intervals, "probability")

    def __str__(self) -> str:
        rows = (f"{value_text(value)} {mean:.4g}" for value, mean in self.predictive().items())
        return f"Dirichlet[{', '.join(f'{alpha:g}' for alpha in self.alphas)}]: {', '.join(rows)}"
