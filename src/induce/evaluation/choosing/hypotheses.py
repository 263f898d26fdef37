"""Choosing among a finite list of hypotheses: by loss, by simplicity, by probability (AIMA, section 18.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.errors import InputError
from induce.core.parameters import share
from induce.evaluation.choosing.complexity import complexity_of
from induce.evaluation.losses.rows import Loss, checked_probability, loss_for, predictions, row_losses
from induce.evaluation.reports import Report, Table

Floats = NDArray[np.float64]
Hypotheses = Mapping[str, Any] | Iterable[Any]
_EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class Choice(Report):
    """The hypotheses that were compared, and which of them is chosen.

    Parameters
    ----------
    names : tuple of str
        Those of the hypotheses, in the order given.
    columns : mapping
        What was compared: for each of them an array with a number for each hypothesis.
    by : str
        The column that decided.
    best : tuple of str
        The hypotheses that come out best, all of them if there are several.
    hypotheses : tuple
    """

    names: tuple[str, ...]
    columns: Mapping[str, Floats]
    by: str
    best: tuple[str, ...]
    hypotheses: tuple[Any, ...] = field(repr=False)

    @property
    def chosen(self) -> Any:
        """The hypothesis that comes out best, the first of equals."""
        return self.hypotheses[self.names.index(self.best[0])]

    def __getitem__(self, column: str) -> dict[str, float]:
        if column not in self.columns:
            raise InputError(f"there is no column {column!r}; there are {', '.join(self.columns)}")
        return dict(zip(self.names, self.columns[column].tolist(), strict=True))

    def caption(self) -> str:
        """Return what stands above the table."""
        return f"{len(self.names)} hypotheses by {self.by}"

    def table(self) -> Table:
        """Return the header and a row for each hypothesis, with a star at the best."""
        rows = [
            (
                name,
                *(f"{values[k]:.4f}" for values in self.columns.values()),
                "*" if name in self.best else "",
            )
            for k, name in enumerate(self.names)
        ]
        return ("", *self.columns, ""), rows

    def remark(self) -> str:
        """Return what the star means."""
        return "* the best" if len(self.best) == 1 else f"* the best, {len(self.best)} alike"


def best_in_class(
    hypotheses: Hypotheses, X: Any, y: Any, probability: ArrayLike | None = None, loss: Loss = None
) -> Choice:
    """Return the hypotheses of least loss (AIMA, section 18.4.2).

    With the probabilities of the examples it is h*, of least generalisation loss; without, it is the estimate of
    least empirical loss on these rows.

    Parameters
    ----------
    hypotheses : mapping or iterable
        Fitted learners, hypotheses or functions from rows to predictions, perhaps by name.
    X, y : frame or array, series or array
    probability : array, optional
        P(x, y) of each row; together they are 1.
    loss : {"zero-one", "absolute", "squared"}, LossTable, callable or None
        When None, squared for a regressor and zero-one for others.

    Examples
    --------
    >>> x, y = [[0], [0], [1]], ["no", "yes", "yes"]
    >>> constant = {"always no": lambda rows: ["no"] * len(rows), "always yes": lambda rows: ["yes"] * len(rows)}
    >>> best_in_class(constant, x, y).best, best_in_class(constant, x, y, [0.6, 0.2, 0.2]).best
    (('always yes',), ('always no',))
    """
    names, things = named(hypotheses)
    rows = [row_losses(loss_for(thing, loss), y, predictions(thing, X)) for thing in things]
    n = rows[0].size
    if not n:
        raise InputError("y is empty; give at least one row")
    weights = np.full(n, 1 / n) if probability is None else checked_probability(probability, n)
    by = "empirical loss" if probability is None else "generalisation loss"
    losses = np.array([float(each @ weights) for each in rows])
    return Choice(names, {by: losses}, by, lowest(names, losses), things)


def ockham(
    hypotheses: Hypotheses,
    X: Any,
    y: Any,
    complexity: Callable[[Any], float] | None = None,
    tolerance: float = 0.0,
) -> Choice:
    """Return the simplest of the hypotheses that agree with all examples: Ockham's razor (AIMA, section 18.2).

    Parameters
    ----------
    hypotheses : mapping or iterable
        Fitted learners, hypotheses or functions from rows to predictions, perhaps by name.
    X, y : frame or array, series or array
    complexity : callable, optional
        Gives the complexity of a hypothesis; when None, that of `complexity_of`.
    tolerance : float
        How far predicted numbers may be off in a hypothesis that is called consistent; for classes it is 0.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> binary = induce.DecisionTreeClassifier(nominal="one-value")
    >>> trees = {"a branch for each value": induce.ID3(), "one value at a time": binary}
    >>> print(ockham({name: tree.fit(X, y) for name, tree in trees.items()}, X, y))
    2 hypotheses by complexity
                             worst loss  complexity
    a branch for each value      0.0000     12.0000  *
    one value at a time          0.0000     19.0000
    * the best
    """
    names, things = named(hypotheses)
    actual = np.asarray(y)
    numeric = actual.dtype.kind == "f"
    worst = np.array(
        [
            row_losses("absolute" if numeric else "zero-one", actual, predictions(thing, X)).max(initial=0.0)
            for thing in things
        ]
    )
    consistent = worst <= tolerance
    if not consistent.any():
        raise InputError("no hypothesis agrees with all examples; give others, or a tolerance for numbers")
    sizes = np.array(
        [_complexity(name, thing, complexity) for name, thing in zip(names, things, strict=True)]
    )
    best = lowest(names, np.where(consistent, sizes, np.inf))
    return Choice(names, {"worst loss": worst, "complexity": sizes}, "complexity", best, things)


def maximum_a_posteriori(
    hypotheses: Hypotheses,
    prior: Callable[[Any], float] | Mapping[str, float] | None,
    log_likelihood: Callable[[Any], float],
) -> Choice:
    """Return the most probable hypotheses: argmax P(data | h) P(h) (AIMA, section 18.2; Mitchell, section 6.2).

    Parameters
    ----------
    hypotheses : mapping or iterable
        Whatever the two functions take, perhaps by name.
    prior : callable, mapping or None
        P(h) of a hypothesis, or of its name in a mapping; up to a factor, and None for equal priors.
    log_likelihood : callable
        The natural logarithm of P(data | h) of a hypothesis, ``-inf`` if the data are impossible; see
        `noise_log_likelihood`.

    Returns
    -------
    Choice
        With the posterior probabilities in its column "posterior".

    Examples
    --------
    >>> shares = {"fair": 0.5, "loaded": 0.9}
    >>> heads, tails = 7, 3
    >>> print(maximum_a_posteriori(shares, {"fair": 0.95, "loaded": 0.05},
    ...                            lambda p: heads * math.log(p) + tails * math.log(1 - p)))
    2 hypotheses by posterior
            log prior  log likelihood  posterior
    fair      -0.0513         -6.9315     0.9749  *
    loaded    -2.9957         -7.6453     0.0251
    * the best
    """
    names, things = named(hypotheses)
    log_prior = np.array([_log_prior(prior, name, thing) for name, thing in zip(names, things, strict=True)])
    likelihood = np.array([float(log_likelihood(thing)) for thing in things])
    if np.isnan(likelihood).any() or (likelihood == math.inf).any():
        odd = names[int(np.flatnonzero(np.isnan(likelihood) | (likelihood == math.inf))[0])]
        raise InputError(f"the log likelihood of {odd} is not a number below infinity; look at the function")
    joint = log_prior + likelihood
    if np.isneginf(joint).all():
        raise InputError("none of the hypotheses can be true of these data: each has probability 0")
    from scipy.special import logsumexp

    posterior = np.exp(joint - logsumexp(joint))
    columns = {
        "log prior": log_prior - logsumexp(log_prior),
        "log likelihood": likelihood,
        "posterior": posterior,
    }
    return Choice(names, columns, "posterior", lowest(names, -joint), things)


def noise_log_likelihood(X: Any, y: Any, noise: float = 0.0) -> Callable[[Any], float]:
    """Return the function from a hypothesis to the log likelihood of classes that are wrong with some probability.

    Without noise, hypotheses that agree with all examples have likelihood 1 and others 0. With it, each example has
    another class than the hypothesis says with probability `noise`, any other class being as likely.

    Examples
    --------
    >>> likelihood = noise_log_likelihood([[0], [1]], ["no", "yes"], noise=0.1)
    >>> round(likelihood(lambda rows: ["no", "no"]), 4)
    -2.4079
    """
    if noise != 0:
        share("noise", noise)
    others = max(np.unique(np.asarray(y)).size - 1, 1)

    def log_likelihood(hypothesis: Any) -> float:
        wrong = row_losses("zero-one", y, predictions(hypothesis, X))
        n_wrong, n_right = float(wrong.sum()), float(wrong.size - wrong.sum())
        if noise == 0:
            return -math.inf if n_wrong else 0.0
        return n_wrong * math.log(noise / others) + n_right * math.log1p(-noise)

    return log_likelihood


def named(hypotheses: Hypotheses) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Return the names and the hypotheses; those without a name are numbered."""
    if isinstance(hypotheses, Mapping):
        names, things = tuple(map(str, hypotheses)), tuple(hypotheses.values())
    else:
        things = tuple(hypotheses)
        names = tuple(f"h{k}" for k in range(1, len(things) + 1))
    if not things:
        raise InputError("hypotheses is empty; give at least one")
    return names, things


def lowest(names: tuple[str, ...], scores: Floats) -> tuple[str, ...]:
    """Return the names of the lowest scores, all that are equal up to rounding."""
    least = float(scores.min())
    close = scores <= least + _EQUAL * max(1.0, abs(least))
    return tuple(name for name, chosen in zip(names, close, strict=True) if chosen)


def _complexity(name: str, thing: Any, complexity: Callable[[Any], float] | None) -> float:
    size = complexity_of(thing) if complexity is None else complexity(thing)
    if size is None or math.isnan(size):
        raise InputError(f"how complex {name} is cannot be told; give complexity, a function of a hypothesis")
    return float(size)


def _log_prior(prior: Any, name: str, thing: Any) -> float:
    if prior is None:
        return 0.0
    if isinstance(prior, Mapping):
        if name not in prior:
            raise InputError(f"prior has no probability for {name}; give one for every hypothesis")
        chance = float(prior[name])
    else:
        chance = float(prior(thing))
    if not 0 <= chance < math.inf:
        raise InputError(f"the prior of {name} is {chance}; it must be a finite number of at least 0")
    return math.log(chance) if chance > 0 else -math.inf
