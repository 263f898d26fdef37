"""Selection from a finite list of hypotheses by loss, simplicity or posterior probability (AIMA, section 18.2).

Simplicity and probability are computed by `induce.bayes.Posterior`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.bayes.hypothesis_set import Hypotheses, HypothesisSet, named, prior_weights
from induce.bayes.labelled_set import label_chances
from induce.bayes.posterior import Posterior, maximisers
from induce.core.errors import InputError
from induce.evaluation.choosing.complexity import complexity_of
from induce.evaluation.losses.rows import Loss, checked_probability, loss_for, row_losses
from induce.evaluation.predictors import predictions
from induce.evaluation.reports import Report, Table

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Choice(Report):
    """Comparison of hypotheses, with the selected ones.

    Parameters
    ----------
    names : tuple of str
        Names of the hypotheses, in the given order.
    columns : mapping
        Compared quantities by name, each an array with one value per hypothesis.
    by : str
        Column used for the selection.
    best : tuple of str
        Names of the best hypotheses, including ties.
    hypotheses : tuple
    """

    names: tuple[str, ...]
    columns: Mapping[str, Floats]
    by: str
    best: tuple[str, ...]
    hypotheses: tuple[Any, ...] = field(repr=False)

    @property
    def chosen(self) -> Any:
        """Best hypothesis; ties are broken by order."""
        return self.hypotheses[self.names.index(self.best[0])]

    def __getitem__(self, column: str) -> dict[str, float]:
        if column not in self.columns:
            raise InputError(f"there is no column {column!r}; the columns are {', '.join(self.columns)}")
        return dict(zip(self.names, self.columns[column].tolist(), strict=True))

    def caption(self) -> str:
        """Return the heading of the table."""
        return f"{len(self.names)} hypotheses by {self.by}"

    def table(self) -> Table:
        """Return the header and one row per hypothesis, with a star for the best."""
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
        """Return the legend of the star."""
        return "* the best" if len(self.best) == 1 else f"* best, {len(self.best)} tied"


def best_in_class(
    hypotheses: Hypotheses, X: Any, y: Any, probability: ArrayLike | None = None, loss: Loss = None
) -> Choice:
    """Return the hypotheses with the lowest loss (AIMA, section 18.4.2).

    If the probabilities of the examples are given, this is h*, the hypothesis with the lowest generalisation
    loss; otherwise it is the one with the lowest empirical loss on these rows.

    Parameters
    ----------
    hypotheses : mapping or iterable
        Fitted learners, hypotheses or functions from rows to predictions, optionally by name.
    X, y : frame or array, series or array
        Table and target.
    probability : array, optional
        P(x, y) of each row, normalised to sum to 1.
    loss : {"zero-one", "absolute", "squared"}, LossTable, callable or None
        Loss function. None: squared for a regressor, zero-one otherwise.

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
    return Choice(names, {by: losses}, by, tuple(names[k] for k in maximisers(-losses)), things)


def ockham(
    hypotheses: Hypotheses,
    X: Any,
    y: Any,
    complexity: Callable[[Any], float] | None = None,
    tolerance: float = 0.0,
) -> Choice:
    """Return the simplest hypotheses consistent with all examples: Ockham's razor (AIMA, section 18.2).

    Without noise they are the MAP hypotheses under a prior that halves with each unit of complexity.

    Parameters
    ----------
    hypotheses : mapping or iterable
        Fitted learners, hypotheses or functions from rows to predictions, optionally by name.
    X, y : frame or array, series or array
        Table and target.
    complexity : callable, optional
        Function that returns the complexity of a hypothesis; None uses `complexity_of`.
    tolerance : float
        Maximum absolute error of the predictions of a consistent hypothesis; 0 for classification.

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
        raise InputError(
            "no hypothesis is consistent with all examples; give others, or a tolerance for numeric targets"
        )
    sizes = np.array(
        [_complexity(name, thing, complexity) for name, thing in zip(names, things, strict=True)]
    )
    posterior = _prior(names, things, bits=sizes).given(np.where(consistent, 0.0, -np.inf))
    columns = {"worst loss": worst, "complexity": sizes}
    return Choice(names, columns, "complexity", posterior.map_hypotheses, things)


def maximum_a_posteriori(
    hypotheses: Hypotheses,
    prior: Callable[[Any], float] | Mapping[str, float] | None,
    log_likelihood: Callable[[Any], float],
) -> Choice:
    """Return the MAP hypotheses: argmax P(data | h) P(h) (AIMA, section 18.2; Mitchell, section 6.2).

    Parameters
    ----------
    hypotheses : mapping or iterable
        Hypotheses accepted by the two functions, optionally by name.
    prior : callable, mapping or None
        Unnormalised prior P(h), as a function of the hypothesis or a mapping from its name; None for a
        uniform prior.
    log_likelihood : callable
        Function that returns the natural logarithm of P(data | h), ``-inf`` if the data are impossible; see
        `noise_log_likelihood`.

    Returns
    -------
    Choice
        The posterior probabilities are in its column "posterior".

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
    weights = None if prior is None else prior_weights(prior, names, things)
    before = _prior(names, things, None if weights is None else weights / weights.sum())
    posterior = before.given(np.array([float(log_likelihood(thing)) for thing in things]))
    columns = {
        "log prior": posterior.hypothesis_set.log_prior,
        "log likelihood": posterior.log_likelihood,
        "posterior": posterior.probabilities,
    }
    return Choice(names, columns, "posterior", posterior.map_hypotheses, things)


def noise_log_likelihood(X: Any, y: Any, noise: float = 0.0) -> Callable[[Any], float]:
    """Return a function that maps a hypothesis to the log-likelihood of class labels with noise.

    Without noise, hypotheses consistent with all examples have likelihood 1 and others 0. With noise, the label of
    each example differs from the prediction with probability `noise`, uniformly over the other classes.

    Parameters
    ----------
    X : array-like
        Examples.
    y : array-like
        Target value of each row.
    noise : float, default=0.0
        Probability that a label differs from the prediction.

    Examples
    --------
    >>> likelihood = noise_log_likelihood([[0], [1]], ["no", "yes"], noise=0.1)
    >>> round(likelihood(lambda rows: ["no", "no"]), 4)
    -2.4079
    """
    actual = np.asarray(y)
    right, wrong = label_chances(np.unique(actual).size, noise)

    def log_likelihood(hypothesis: Any) -> float:
        n_wrong = float(row_losses("zero-one", actual, predictions(hypothesis, X)).sum())
        if wrong == 0:
            return -math.inf if n_wrong else 0.0
        return n_wrong * math.log(wrong) + (actual.size - n_wrong) * math.log(right)

    return log_likelihood


def _prior(names: tuple[str, ...], things: tuple[Any, ...], prior: Any = None, bits: Any = None) -> Posterior:
    """Return the prior over hypotheses; the likelihood is supplied separately."""
    return HypothesisSet(dict(zip(names, things, strict=True)), prior, bits=bits).posterior()


def _complexity(name: str, thing: Any, complexity: Callable[[Any], float] | None) -> float:
    size = complexity_of(thing) if complexity is None else complexity(thing)
    if size is None or math.isnan(size):
        raise InputError(f"the complexity of {name} is unknown; give complexity, a function of a hypothesis")
    return float(size)
