"""Minimum description length: code lengths of hypotheses and their exceptions (AIMA, section 18.4.3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import singledispatch
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.bayes.hypothesis_set import Hypotheses, HypothesisSet, named
from induce.core.errors import InputError
from induce.evaluation.choosing.hypotheses import Choice
from induce.evaluation.losses.rows import row_losses
from induce.evaluation.predictors import hypothesis_of, predictions
from induce.trees.hypothesis import Tree
from induce.trees.pruning.description import COMBINATORIAL, MITCHELL, description_length, exception_bits

Code = Callable[[NDArray[Any], NDArray[Any]], float]


def shortest_description(
    hypotheses: Hypotheses,
    X: Any,
    y: Any,
    hypothesis_bits: Callable[[Any], float] | None = None,
    exceptions: str | Code = COMBINATORIAL,
) -> Choice:
    """Return the hypotheses of minimum description length (AIMA, section 18.4.3; Mitchell, section 6.6).

    The description length is the number of bits of the hypothesis plus the number of bits of the
    misclassified examples. The result is the MAP hypothesis if code lengths equal -log2 of the probabilities
    (`induce.bayes.HypothesisSet`). There is nothing to tune, but both lengths depend on the code; with few
    examples, the choice of the code can decide the result.

    Parameters
    ----------
    hypotheses : mapping or iterable
        Fitted learners, hypotheses or functions from rows to predictions, optionally by name.
    X, y : frame or array, series or array
        Examples to describe.
    hypothesis_bits : callable, optional
        Function that returns the code length of a hypothesis in bits; None uses
        `induce.trees.pruning.description_length` for decision trees.
    exceptions : {"combinatorial", "mitchell"} or callable
        Code of the misclassified examples. "combinatorial": their number among all n, log2(n + 1), and their
        positions, log2 C(n, k); with more than two classes, the class of each is also encoded. "mitchell":
        log2 n + log2 c for each, with c classes. A function takes the true and the predicted values and
        returns bits; use `normal_code` for regression.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> depths = {"leaf": 0, "Pat": 1, "full": None}
    >>> trees = {name: induce.ID3(max_depth=depth).fit(X, y) for name, depth in depths.items()}
    >>> print(shortest_description(trees, X, y))
    3 hypotheses by total bits
          hypothesis bits  exception bits  total bits
    leaf           2.0000         13.5522     15.5522  *
    Pat           10.3219          9.7448     20.0668
    full          32.2992          3.7004     35.9996
    * the best
    """
    names, things = named(hypotheses)
    code = _code(exceptions)
    bits = np.array([_bits(name, thing, hypothesis_bits) for name, thing in zip(names, things, strict=True)])
    actual = np.asarray(y)
    wrong = np.array([float(code(actual, predictions(thing, X))) for thing in things])
    if np.isnan(wrong).any():
        odd = names[int(np.isnan(wrong).argmax())]
        raise InputError(f"the code length of the exceptions of {odd} is NaN; check the code")
    posterior = HypothesisSet(dict(zip(names, things, strict=True)), bits=bits).posterior()
    best = posterior.given(-math.log(2) * wrong).map_hypotheses
    columns = {"hypothesis bits": bits, "exception bits": wrong, "total bits": bits + wrong}
    return Choice(names, columns, "total bits", best, things)


def normal_code(precision: float) -> Code:
    """Return a code for numeric targets in which larger prediction errors take more bits.

    The residuals are coded by a normal distribution with mean 0 and their empirical variance: n/2 log2(2 pi e
    variance) - n log2 precision. The variance is at least the rounding variance of `precision`.

    Parameters
    ----------
    precision : float
        Precision of the encoded numbers, such as 0.01.

    Examples
    --------
    >>> round(normal_code(0.1)(np.array([1.0, 2.0]), np.array([1.1, 1.9])), 2)
    4.09
    """
    if not 0 < precision < math.inf:
        raise InputError(f"precision is {precision}; it must be a finite number above 0")

    def code(actual: NDArray[Any], predicted: NDArray[Any]) -> float:
        squares = row_losses("squared", actual, predicted)
        variance = max(float(squares.mean()), precision**2 / 12)
        return squares.size * (math.log2(2 * math.pi * math.e * variance) / 2 - math.log2(precision))

    return code


def _combinatorial(actual: NDArray[Any], predicted: NDArray[Any]) -> float:
    n, wrong, n_classes = _counts(actual, predicted)
    return float(exception_bits(n, wrong, n)) + wrong * math.log2(max(n_classes - 1, 1))


def _mitchell(actual: NDArray[Any], predicted: NDArray[Any]) -> float:
    n, wrong, n_classes = _counts(actual, predicted)
    return wrong * (math.log2(max(n, 1)) + math.log2(max(n_classes, 1)))


CODES: Mapping[str, Code] = MappingProxyType({COMBINATORIAL: _combinatorial, MITCHELL: _mitchell})


def _counts(actual: NDArray[Any], predicted: NDArray[Any]) -> tuple[int, float, int]:
    """Return the number of examples, of misclassified examples and of classes."""
    return actual.size, float(row_losses("zero-one", actual, predicted).sum()), np.unique(actual).size


def _code(exceptions: str | Code) -> Code:
    if callable(exceptions):
        return exceptions
    if exceptions not in CODES:
        raise InputError(
            f"exceptions is {exceptions!r}; it can be {', '.join(map(repr, CODES))} or a function"
        )
    return CODES[exceptions]


@singledispatch
def _hypothesis_bits(hypothesis: object) -> float | None:
    """Return the code length of a hypothesis in bits; None if no code of its kind is known."""
    return None


@_hypothesis_bits.register
def _(tree: Tree) -> float:
    return description_length(tree).tree


def _bits(name: str, thing: Any, hypothesis_bits: Callable[[Any], float] | None) -> float:
    if hypothesis_bits is None:
        known = _hypothesis_bits(hypothesis_of(thing))
        if known is None:
            raise InputError(
                f"the code length of {name} is unknown, since it is defined for decision trees only; "
                "give hypothesis_bits, a function of a hypothesis"
            )
        return known
    bits = float(hypothesis_bits(thing))
    if not bits >= 0:
        raise InputError(f"hypothesis_bits returns {bits} for {name}; it must return a number of at least 0")
    return bits
