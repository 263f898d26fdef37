"""Error bound of a learned hypothesis from its training rows (Mitchell §7.3, §7.4.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import singledispatch
from html import escape
from typing import Any

import numpy as np

from induce.core.checks import at_least, share
from induce.core.errors import InputError
from induce.hypotheses.rules import RuleList
from induce.theory.checks import finite, rate
from induce.theory.code import code_length
from induce.theory.pac import FORMULAS, INDEPENDENT
from induce.theory.space import LN2, Space, check_space
from induce.theory.tails import highest_rate

IN_SPACE = "the space was chosen before the rows were seen"
NO_HOLES = "no value is missing or new"
COIN = 0.5
MOST_ROWS = 10**15


@dataclass(frozen=True)
class Promise:
    """Upper bound on the true error that holds with high probability.

    Parameters
    ----------
    bound : float
        Upper bound on the true error.
    training_error : float
        Fraction of the training rows that the hypothesis misclassifies.
    m : int
        Number of training rows.
    delta : float
        Probability that the bound fails.
    space : Space
        Space from which the hypothesis was chosen.
    supposes : tuple of str
        Assumptions of the bound.
    method : str
        Name of the inequality.
    """

    bound: float
    training_error: float
    m: int
    delta: float
    space: Space
    supposes: tuple[str, ...]
    method: str

    @property
    def vacuous(self) -> bool:
        """Whether the bound is vacuous: an error of at least one half, no better than random guessing."""
        return self.bound >= COIN

    def line(self) -> str:
        """Return the bound in one line, without its assumptions."""
        said = (
            f"theory: with {100 * (1 - self.delta):.10g}% confidence the true error is at most {self.bound:.3f} "
            f"for a space of {self._size()} on {self.m:,} rows with training error {self.training_error:.4g}"
        )
        return f"{said}: no better than guessing{self._wanted()}" if self.vacuous else said

    def __str__(self) -> str:
        return f"{self.line()}\nfor {self.space.name}, if {' and '.join(self.supposes)} ({self.method})"

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(line)}</p>" for line in str(self).splitlines())

    def _size(self) -> str:
        return self.space.size_text() if self.space.finite else f"VC dimension {self.space.vc_bound:.6g}"

    def _wanted(self) -> str:
        """Return the sample size for a bound below one half at the same training error, as text."""
        if self.training_error >= COIN:
            return ""
        low, high = self.m, 2 * self.m
        while _bound(self.space, high, self.training_error, self.delta) >= COIN:
            low, high = high, 2 * high
            if high > MOST_ROWS:
                return ""
        while high - low > 1:
            middle = (low + high) // 2
            enough = _bound(self.space, middle, self.training_error, self.delta) < COIN
            low, high = (low, middle) if enough else (middle, high)
        return f"; below 0.5 takes {high:,} rows"

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers and sentences as plain values."""
        return {
            "bound": self.bound,
            "vacuous": self.vacuous,
            "training_error": self.training_error,
            "rows": self.m,
            "delta": self.delta,
            "space": self.space.name,
            "ln_size": self.space.ln_size if self.space.finite else None,
            "vc": self.space.vc,
            "supposes": list(self.supposes),
            "method": self.method,
        }


def promise(space: Space, m: int, training_error: float = 0.0, delta: float = 0.05) -> Promise:
    """Bound the true error of any hypothesis of a space, given its error on m training rows.

    For a finite space, this is Chernoff's bound with the relative entropy, for all hypotheses of the space at
    once. Under the same assumptions, it is tighter than equation 7.2 for a training error of 0, and than
    equation 7.3 otherwise: the target need not be in the space, nor the hypothesis the best. For an infinite
    space, it is equation 7.7 for a training error of 0, and otherwise the bound of Vapnik and Chervonenkis
    (1971) with Sauer's lemma.

    Parameters
    ----------
    space : Space
        Space from which the hypothesis was chosen: a named class, or `space_of` the hypothesis.
    m : int
        Number of training rows.
    training_error : float
        Training error: the fraction of these rows that the hypothesis misclassifies.
    delta : float
        Acceptable probability that the bound fails; 0.05 by default.

    Examples
    --------
    >>> from induce.theory.formulas import conjunctions
    >>> print(promise(conjunctions(10), 500))
    theory: with 95% confidence the true error is at most 0.028 for a space of 59,049 hypotheses on 500 rows with \
training error 0
    for conjunctions of literals over 10 attributes, if the space was chosen before the rows were seen and the rows \
are an independent sample of future rows (Chernoff's bound for all hypotheses of the space)
    """
    check_space(space)
    at_least("m", m, 1, whole=True)
    finite("m", m, 1)
    rate("training_error", training_error)
    share("delta", delta)
    if space.finite:
        method = "Chernoff's bound for all hypotheses of the space"
    elif training_error == 0:
        method = FORMULAS["vc"].source
    else:
        method = "the bound of Vapnik and Chervonenkis, with Sauer's lemma"
    return Promise(
        min(1.0, _bound(space, m, training_error, delta)),
        float(training_error),
        m,
        delta,
        space,
        (IN_SPACE, *space.supposes, INDEPENDENT),
        method,
    )


def space_of(hypothesis: Any) -> Space:
    """Return the space of a learned tree or rule list: all hypotheses of at most its description length.

    Learners prefer short hypotheses but may return any, so the size of their whole space gives a vacuous
    bound. A code that is fixed in advance assigns each hypothesis a fraction 2^-bits of delta, which is
    larger for shorter ones (Occam's razor, as proved by Blumer and others 1987). The bound is the same as if
    the space had 2^bits hypotheses.

    Parameters
    ----------
    hypothesis : Tree or RuleList
        Learned hypothesis. The predictions of a tree for missing or unseen values depend on counts that are
        not encoded, so the bound applies to rows without such values.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(space_of(induce.ID3().fit(X, y).hypothesis_).name)
    trees of at most 20.2 bits
    """
    return _space(hypothesis, code_length(hypothesis))


@singledispatch
def _space(tree: Any, bits: float) -> Space:
    return Space(f"trees of at most {bits:.1f} bits", bits * LN2, supposes=(NO_HOLES,))


@_space.register
def _(rules: RuleList, bits: float) -> Space:
    return Space(f"rule lists of at most {bits:.1f} bits", bits * LN2)


def promise_for(hypothesis: Any, X: Any, y: Any, delta: float = 0.05) -> Promise:
    """Bound the true error of a learned tree or rule list from its training rows.

    Parameters
    ----------
    hypothesis : Tree, RuleList, or a fitted learner of one
        Hypothesis learned from the rows.
    X, y : frame, series or array
        Training rows.
    delta : float
        Acceptable probability that the bound fails; 0.05 by default.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> print(promise_for(induce.C45().fit(X, y), X, y).line())
    theory: with 95% confidence the true error is at most 0.451 for a space of about 10^31.6 hypotheses on 150 rows \
with training error 0.02
    """
    hypothesis = getattr(hypothesis, "hypothesis_", hypothesis)
    space = space_of(hypothesis)
    labels, predicted = np.asarray(y).tolist(), hypothesis.predict(X).tolist()
    if len(labels) != len(predicted):
        raise InputError(f"X has {len(predicted)} rows, but y has {len(labels)}; give one label per row")
    if not labels:
        raise InputError("X has no rows; give the training rows")
    wrong = sum(said != label for said, label in zip(predicted, labels, strict=True))
    return promise(space, len(labels), wrong / len(labels), delta)


def _bound(space: Space, m: int, error: float, delta: float) -> float:
    if space.finite:
        return highest_rate(error, (space.ln_size + math.log(1 / delta)) / m)
    if error == 0:
        return FORMULAS["vc"].epsilon(space, m, delta)
    # 4 growth(2m) exp(-m epsilon² / 8), where growth(2m) is at most (2 e m / d)^d if 2m >= d
    d = max(1.0, space.vc_bound)
    ln_growth = d * math.log(2 * math.e * m / d) if d <= 2 * m else 2 * m * LN2
    return error + math.sqrt(8 / m * (ln_growth + math.log(4 / delta)))
