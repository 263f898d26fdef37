"""Sample complexity, and bounds for a given sample size (Mitchell §7.3-7.4; AIMA 18.5)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

import numpy as np

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.theory.checks import finite, positive_rate
from induce.theory.space import LN2, Space, check_space

CONSISTENT = "consistent"
INDEPENDENT = "the rows are an independent sample of future rows"
REALIZABLE = "if the target is in the space (realizable) and "
AGNOSTIC = "whatever the target is (agnostic), if "


@dataclass(frozen=True)
class Formula:
    """A bound that relates the sample size m, the error epsilon and the failure probability delta.

    Parameters
    ----------
    name : str
        Name of the bound.
    source : str
        Source of the bound in the literature.
    claim : str
        Claim about a hypothesis that holds with probability at least 1 - delta.
    supposes : str
        Assumptions of the bound.
    needs_size : bool
        Whether the space must be finite; otherwise its VC dimension is used.
    rows : callable
        Function from a space, epsilon and delta to m, which is not rounded.
    epsilon : callable
        Function from a space, m and delta to epsilon.
    ln_delta : callable
        Function from a space, m and epsilon to the logarithm of delta.
    """

    name: str
    source: str
    claim: str
    supposes: str
    needs_size: bool
    rows: Callable[[Space, float, float], float]
    epsilon: Callable[[Space, float, float], float]
    ln_delta: Callable[[Space, float, float], float]

    def fits(self, space: Space) -> bool:
        """Return whether the bound applies to a space."""
        return space.finite or not self.needs_size


def _nats(space: Space, delta: float, factor: float = 1.0) -> float:
    return space.ln_size + math.log(factor / delta)


def _vc_rows(space: Space, epsilon: float, delta: float) -> float:
    return (4 * math.log2(2 / delta) + 8 * space.vc_bound * math.log2(13 / epsilon)) / epsilon


def _vc_epsilon(space: Space, m: float, delta: float) -> float:
    from scipy.optimize import brentq

    def spare(ln_epsilon: float) -> float:
        # grows with epsilon, even beyond 13, where the bound has long been vacuous
        epsilon = math.exp(ln_epsilon)
        return m * epsilon - 4 * math.log2(2 / delta) - 8 * space.vc_bound * math.log2(13 / epsilon)

    if spare(100.0) < 0:
        raise InputError(
            f"the VC dimension is {space.vc_bound:.4g}, too large to compute epsilon; give more rows"
        )
    return math.exp(float(brentq(spare, -700.0, 100.0, xtol=1e-14)))


FORMULAS = {
    formula.name: formula
    for formula in (
        Formula(
            CONSISTENT,
            "Mitchell (7.2), AIMA (18.1)",
            "every hypothesis that is consistent with the rows has a true error of at most epsilon",
            REALIZABLE,
            True,
            lambda space, epsilon, delta: _nats(space, delta) / epsilon,
            lambda space, m, delta: _nats(space, delta) / m,
            lambda space, m, epsilon: space.ln_size - epsilon * m,
        ),
        Formula(
            "sharp",
            "the proof of Mitchell's theorem 7.1, |H| (1 - epsilon)^m",
            "every hypothesis that is consistent with the rows has a true error of at most epsilon",
            REALIZABLE,
            True,
            lambda space, epsilon, delta: _nats(space, delta) / -math.log1p(-min(epsilon, 1 - 1e-16)),
            lambda space, m, delta: -math.expm1(-_nats(space, delta) / m),
            lambda space, m, epsilon: space.ln_size + m * math.log1p(-min(epsilon, 1 - 1e-16)),
        ),
        Formula(
            "agnostic",
            "Mitchell (7.3), Hoeffding's bound",
            "no hypothesis has a true error more than epsilon above its error on the rows",
            AGNOSTIC,
            True,
            lambda space, epsilon, delta: _nats(space, delta) / (2 * epsilon**2),
            lambda space, m, delta: math.sqrt(_nats(space, delta) / (2 * m)),
            lambda space, m, epsilon: space.ln_size - 2 * m * epsilon**2,
        ),
        Formula(
            "best",
            "Hoeffding's bound on both sides",
            "the hypothesis with the fewest errors on the rows has a true error within epsilon of the best there is",
            AGNOSTIC,
            True,
            lambda space, epsilon, delta: 2 * _nats(space, delta, 2) / epsilon**2,
            lambda space, m, delta: math.sqrt(2 * _nats(space, delta, 2) / m),
            lambda space, m, epsilon: space.ln_size + LN2 - m * epsilon**2 / 2,
        ),
        Formula(
            "vc",
            "Mitchell (7.7), Blumer and others 1989",
            "every hypothesis that is consistent with the rows has a true error of at most epsilon",
            REALIZABLE,
            False,
            _vc_rows,
            _vc_epsilon,
            lambda space, m, epsilon: (
                LN2 + LN2 / 4 * (8 * space.vc_bound * math.log2(13 / epsilon) - m * epsilon)
            ),
        ),
    )
}
"""The bounds by name."""


@dataclass(frozen=True)
class SampleComplexity:
    """Sample size, error and failure probability for a hypothesis space.

    Parameters
    ----------
    space : Space
        Hypothesis space.
    formula : Formula
        The bound that relates the three quantities.
    asked : {"m", "epsilon", "delta"}
        Quantity that was computed from the other two.
    m : float
        Sample size; not rounded if it was computed.
    epsilon : float
        Error bound; vacuous above 1.
    delta : float
        Probability that the claim fails; vacuous above 1.
    """

    space: Space
    formula: Formula
    asked: str
    m: float
    epsilon: float
    delta: float

    @property
    def rows(self) -> int:
        """Required sample size, rounded up."""
        return math.ceil(self.m - 1e-9)

    @property
    def vacuous(self) -> bool:
        """Whether the bound is vacuous: an error or a failure probability of one or more."""
        return self.epsilon >= 1 or self.delta >= 1

    def __str__(self) -> str:
        counted = f"{self.rows:,} row{'' if self.rows == 1 else 's'}"
        if self.asked == "m":
            counted += f" ({self.m:,.2f})"
        said = f"{counted}, epsilon {self.epsilon:.4g}, delta {self.delta:.4g}\n"
        if self.vacuous:
            said += f"{self.asked} is not below 1, so the bound is vacuous"
        else:
            chance = 100 * (1 - self.delta)
            sure = f"{chance:.6g}%" if chance < 99.9999 else "over 99.9999%"
            said += f"with {sure} confidence {self.formula.claim}"
        return f"{said}\nfor {self.space}\n{self.formula.supposes}{INDEPENDENT} ({self.formula.source})"

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(line)}</p>" for line in str(self).splitlines())


def sample_complexity(
    space: Space,
    *,
    m: float | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    setting: str = CONSISTENT,
) -> SampleComplexity:
    """Compute one of m, epsilon and delta from the other two.

    Parameters
    ----------
    space : Space
        Hypothesis space, such as `conjunctions(10)`; `of_size` and `of_dimension` make one from a number.
    m : float, optional
        Sample size.
    epsilon : float, optional
        Acceptable error.
    delta : float, optional
        Acceptable failure probability.
    setting : {"consistent", "sharp", "agnostic", "best", "vc"}
        Name of the bound, a key of `FORMULAS`. "consistent" is Mitchell's equation 7.2 and "agnostic" 7.3,
        both for finite spaces. "sharp" is 7.2 without its last simplification. "best" compares with the best
        hypothesis of the space. "vc" is equation 7.7, for spaces of finite VC dimension. All hold for any
        target and distribution, so most learners need fewer rows.

    Examples
    --------
    >>> from induce.theory.formulas import conjunctions
    >>> print(sample_complexity(conjunctions(10), epsilon=0.1, delta=0.05))
    140 rows (139.82), epsilon 0.1, delta 0.05
    with 95% confidence every hypothesis that is consistent with the rows has a true error of at most epsilon
    for conjunctions of literals over 10 attributes: 59,049 hypotheses, VC dimension 10
    if the target is in the space (realizable) and the rows are an independent sample of future rows (Mitchell \
(7.2), AIMA (18.1))
    >>> round(sample_complexity(conjunctions(10), m=500, delta=0.05).epsilon, 3)
    0.028
    """
    check_space(space)
    one_of("setting", setting, FORMULAS)
    formula = FORMULAS[setting]
    if not formula.fits(space):
        raise InputError(f"the space has {space.size_text()}, for which {setting!r} is undefined; use 'vc'")
    given = {"m": m, "epsilon": epsilon, "delta": delta}
    missing = [name for name, value in given.items() if value is None]
    if len(missing) != 1:
        raise InputError(f"give two of m, epsilon and delta, not {3 - len(missing)}; the third is computed")
    if m is not None:
        finite("m", m, 1)
    for name in ("epsilon", "delta"):
        if given[name] is not None:
            positive_rate(name, given[name])
    if m is None and epsilon is not None and delta is not None:
        m = formula.rows(space, epsilon, delta)
    elif epsilon is None and m is not None and delta is not None:
        epsilon = formula.epsilon(space, m, delta)
    elif delta is None and m is not None and epsilon is not None:
        delta = math.exp(min(formula.ln_delta(space, m, epsilon), 700.0))
    if m is not None and not math.isfinite(m):
        raise InputError("the required number of rows is too large to represent; give a larger epsilon")
    return SampleComplexity(space, formula, missing[0], float(m or 0), float(epsilon or 0), float(delta or 0))


def necessary_rows(vc: float, epsilon: float, delta: float, *, strict: bool = False) -> float:
    """Return the sample size that any learner needs for some target and distribution (Mitchell's theorem 7.3).

    With fewer than max(ln(1/delta) / epsilon, (VC(C) - 1) / (32 epsilon)) rows, some distribution and target
    in C give an error above epsilon with a probability of at least delta. The VC dimension is that of the
    class of targets, not that of the hypotheses.

    Parameters
    ----------
    vc : float
        VC dimension of the class of targets; at least 2.
    epsilon : float
        Error; below 1/8.
    delta : float
        Failure probability; below 1/100.
    strict : bool
        Whether to use ln(1/delta) / -ln(1 - epsilon) as the first term, the value that can be proved.

    Examples
    --------
    >>> round(necessary_rows(2, 0.1, 0.005), 3), round(necessary_rows(1000, 0.1, 0.005), 2)
    (52.983, 312.19)
    """
    finite("vc", vc, 2)
    for name, value, most in (("epsilon", epsilon, 1 / 8), ("delta", delta, 1 / 100)):
        if not isinstance(value, int | float | np.number) or not 0 < value < most:
            raise InputError(f"{name} is {value!r}; the theorem holds for numbers above 0 and below {most:g}")
    per_row = -math.log1p(-epsilon) if strict else epsilon
    return max(math.log(1 / delta) / per_row, (vc - 1) / (32 * epsilon))
