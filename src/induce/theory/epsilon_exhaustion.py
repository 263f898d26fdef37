"""True errors over a finite set of instances, and epsilon-exhausted version spaces (Mitchell §7.2-7.3)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.checks import at_least, share
from induce.core.errors import InputError
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy
from induce.theory import checks
from induce.theory.checks import Bits, finite
from induce.theory.vc import concepts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

MOST_UNIONS = 1_000_000
GOOD, BAD, OTHER = "consistent, below epsilon", "consistent, as bad as that", "not consistent"
KINDS = {GOOD: PALETTE[2], BAD: PALETTE[5], OTHER: GREY}


def true_errors(hypotheses: ArrayLike, target: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Return the true error of each hypothesis: the probability of the instances it misclassifies (§7.2.2).

    Parameters
    ----------
    hypotheses : array-like of 0 and 1, shape (hypotheses, instances)
        Label of each instance by each hypothesis.
    target : array-like of 0 and 1
        True label of each instance.
    weights : array-like of float, optional
        Probability of each instance, up to a factor; uniform if not given.

    Examples
    --------
    The same hypothesis can be correct or wrong, depending on the distribution:

    >>> [float(true_errors([[0, 1]], [0, 0], weights)[0]) for weights in ((1, 0), (1, 1), (0, 1))]
    [0.0, 0.5, 1.0]
    """
    table, truth, shares = setting(hypotheses, target, weights)
    return np.asarray((table != truth) @ shares)


@dataclass(frozen=True)
class Exhaustion:
    """Whether all hypotheses consistent with the rows have a true error below epsilon (§7.3).

    Parameters
    ----------
    members : tuple of int
        Hypotheses of the version space, by their rows in the table.
    offenders : tuple of int
        Hypotheses of the version space with an error of at least epsilon.
    errors : tuple of float
        True errors of the hypotheses in the version space.
    epsilon : float
        Error from which a hypothesis violates exhaustion.
    space : tuple of (float, float)
        True error and training error r of every hypothesis in the table (figure 7.2).
    """

    members: tuple[int, ...]
    offenders: tuple[int, ...]
    errors: tuple[float, ...]
    epsilon: float
    space: tuple[tuple[float, float], ...]

    @property
    def exhausted(self) -> bool:
        """Whether every hypothesis in the version space has an error below epsilon."""
        return not self.offenders

    def __str__(self) -> str:
        counted = f"{len(self.members)} hypothes{'is is' if len(self.members) == 1 else 'es are'} consistent"
        if self.exhausted:
            return f"{counted}, all with a true error below {self.epsilon:g}: {self.epsilon:g}-exhausted"
        worst = max(self.errors)
        return f"{counted}, {len(self.offenders)} with a true error of {self.epsilon:g} or more, at worst {worst:.4g}"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the hypothesis space: true error against training error r.

        The version space is the column at r = 0; hypotheses that violate exhaustion lie at epsilon and above.
        Numbers count the hypotheses at the same point.
        """
        figure, axes = axes_for(ax, width=6.0, height=4.6)
        places = Counter((round(r, 9), round(error, 9)) for error, r in self.space)
        span = max(0.05, *(number for place in places for number in place))
        axes.axvspan(-0.06 * span, 0.06 * span, color=PALETTE[4], alpha=0.3, lw=0, label="version space")
        axes.axhline(self.epsilon, color=DARK, lw=1.2, ls="--", label=f"epsilon {self.epsilon:g}")
        for label, colour in KINDS.items():
            chosen = [place for place in places if self._kind(*place) == label]
            if chosen:
                axes.plot(*np.transpose(chosen), "o", color=colour, ms=9, label=label)
        for (r, error), count in places.items():
            if count > 1:
                axes.annotate(
                    f"{count:,}", (r, error), (7, 4), textcoords="offset points", fontsize=9, color=DARK
                )
        axes.set(xlabel="r: error on the rows", ylabel="true error", xlim=(-0.08 * span, 1.08 * span))
        axes.set_ylim(-0.08 * span, 1.12 * span)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, fontsize=9)
        tidy(axes, "both")
        return figure

    def _kind(self, r: float, error: float) -> str:
        consistent = GOOD if error < self.epsilon - 1e-9 else BAD
        return consistent if r == 0 else OTHER


def exhaustion(
    hypotheses: ArrayLike,
    target: ArrayLike,
    rows: Sequence[int],
    epsilon: float,
    weights: ArrayLike | None = None,
) -> Exhaustion:
    """Return whether the version space of the given rows is epsilon-exhausted, given the target.

    Parameters
    ----------
    hypotheses : array-like of 0 and 1, shape (hypotheses, instances)
        Label of each instance by each hypothesis.
    target : array-like of 0 and 1
        True label of each instance.
    weights : array-like of float, optional
        Probability of each instance, up to a factor; uniform if not given.
    rows : sequence of int
        Training examples, by the columns of their instances.
    epsilon : float
        Error from which a hypothesis violates exhaustion.

    Examples
    --------
    >>> from induce.theory.families import conjunction_table
    >>> print(exhaustion(conjunction_table(2), [0, 0, 0, 1], rows=[0, 3], epsilon=0.5))
    3 hypotheses are consistent, all with a true error below 0.5: 0.5-exhausted
    """
    share("epsilon", epsilon)
    table, truth, shares = setting(hypotheses, target, weights)
    seen = checks.columns("rows", rows, len(truth))
    wrong = table != truth
    errors, r = wrong @ shares, wrong[:, seen].sum(axis=1) / max(1, len(seen))
    members = np.flatnonzero(r == 0)
    return Exhaustion(
        tuple(members.tolist()),
        tuple(members[errors[members] >= epsilon - 1e-12].tolist()),
        tuple(errors[members].tolist()),
        epsilon,
        tuple(zip(errors.tolist(), r.tolist(), strict=True)),
    )


@dataclass(frozen=True)
class FailureChance:
    """Probability that m random rows leave a consistent but bad hypothesis, and its bounds.

    Parameters
    ----------
    exact : float
        Exact probability.
    from_bad : float
        Bound k (1 - epsilon)^m, where k hypotheses have such an error.
    from_all : float
        |H| exp(-epsilon m), theorem 7.1.
    m : int
        Number of random rows.
    epsilon : float
        Error from which a hypothesis counts as bad.
    """

    exact: float
    from_bad: float
    from_all: float
    m: int
    epsilon: float

    def __str__(self) -> str:
        bounds = " <= ".join(
            f"{min(1.0, bound):.4g}{' (no more than 1, so vacuous)' if bound >= 1 else ''}"
            for bound in (self.from_bad, self.from_all)
        )
        return f"{self.m} rows: not {self.epsilon:g}-exhausted with probability {self.exact:.6f} <= {bounds}"


def failure_chance(
    hypotheses: ArrayLike, target: ArrayLike, m: int, epsilon: float, weights: ArrayLike | None = None
) -> FailureChance:
    """Return the exact probability that m random rows do not epsilon-exhaust the version space (theorem 7.1).

    A bad hypothesis survives if no row falls where it errs. The probability that at least one survives is computed by
    inclusion-exclusion.

    Parameters
    ----------
    hypotheses : array-like of 0 and 1, shape (hypotheses, instances)
        Label of each instance by each hypothesis.
    target : array-like of 0 and 1
        True label of each instance.
    weights : array-like of float, optional
        Probability of each instance, up to a factor; uniform if not given.
    m : int
        Number of random rows.
    epsilon : float
        Error from which a hypothesis counts as bad.

    Examples
    --------
    >>> from induce.theory.families import conjunction_table
    >>> print(failure_chance(conjunction_table(2), [0, 0, 0, 1], m=20, epsilon=0.25))
    20 rows: not 0.25-exhausted with probability 0.006342 <= 0.02537 <= 0.06064
    """
    at_least("m", m, 0, whole=True)
    finite("m", m, 0)
    share("epsilon", epsilon)
    table, truth, shares = setting(hypotheses, target, weights)
    errors = (table != truth) @ shares
    bad = errors >= epsilon - 1e-12
    wrong = {frozenset(np.flatnonzero(row != truth).tolist()) for row in table[bad]}
    least = [
        each for each in wrong if not any(other < each for other in wrong)
    ]  # if a set survives, so do its subsets
    signs: dict[frozenset[int], int] = {}
    for each in least:
        more = dict(signs)
        for union, sign in (*signs.items(), (frozenset(), -1)):
            more[union | each] = more.get(union | each, 0) - sign
        signs = {union: sign for union, sign in more.items() if sign}
        if len(signs) > MOST_UNIONS:
            raise InputError(
                f"the hypotheses err in more than {MOST_UNIONS:,} combinations of ways; give fewer hypotheses"
            )
    spared = {union: max(0.0, 1.0 - float(shares[sorted(union)].sum())) for union in signs}
    exact = math.fsum(sign * spared[union] ** m for union, sign in signs.items())
    return FailureChance(
        min(1.0, max(0.0, exact)),
        float(bad.sum()) * (1 - epsilon) ** m,
        len(concepts(table)) * math.exp(-epsilon * m),
        m,
        epsilon,
    )


def setting(hypotheses: ArrayLike, target: ArrayLike, weights: ArrayLike | None) -> tuple[Bits, Bits, Floats]:
    """Validate hypotheses, target and instance probabilities, and return them as arrays."""
    concepts(hypotheses)
    table: Any = np.asarray(hypotheses).astype(np.bool_)
    truth = checks.labels("labels of the target", target, table.shape[1], "instances")
    try:
        shares = np.ones(len(truth)) if weights is None else np.asarray(weights, np.float64)
    except (TypeError, ValueError, OverflowError):
        shares = np.empty(0)
    if shares.shape != truth.shape or not (shares >= 0).all() or not 0 < shares.sum() < np.inf:
        raise InputError("weights must contain a number of at least 0 for each instance, and not only zeros")
    return table, truth, shares / shares.sum()
