"""Hand-built threshold units: gates, m-of-n, majority, any Boolean function (Mitchell §4.4.1, §4.6.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.core.checks import one_of
from induce.core.errors import InputError
from induce.core.values import positive_rows

Floats = NDArray[np.float64]

CODINGS = {"plus-minus": (-1.0, 1.0), "zero-one": (0.0, 1.0)}
GATES = ("and", "or", "nand", "nor", "not")
MOST_INPUTS = 16
LITERAL = re.compile(r"^(?P<no>not |~|!)?\s*(?P<name>\w+)$")


@dataclass(frozen=True, eq=False)
class ThresholdUnit:
    """A unit whose output is high if w0 + w · x is above 0, and low if it is below.

    Parameters
    ----------
    bias : float
        Bias w0.
    weights : array of float
        Weight of each input.
    coding : {"plus-minus", "zero-one"}
        Coding of true and false: 1 and -1, or 1 and 0.
    at_zero : {"low", "high"}
        Output if the sum is exactly 0.

    Examples
    --------
    >>> unit = ThresholdUnit(-0.8, np.array([0.5, 0.5]))
    >>> unit([[-1, -1], [-1, 1], [1, -1], [1, 1]]).tolist()
    [-1.0, -1.0, -1.0, 1.0]
    """

    bias: float
    weights: Floats
    coding: str = "plus-minus"
    at_zero: str = "low"

    def nets(self, inputs: ArrayLike) -> Floats:
        """Return w0 + w · x for each row of inputs."""
        return np.asarray(np.asarray(inputs, np.float64) @ self.weights + self.bias)

    def __call__(self, inputs: ArrayLike) -> Floats:
        """Return the output of the unit for each row of inputs."""
        low, high = CODINGS[self.coding]
        nets = self.nets(inputs)
        return np.where((nets > 0) | ((nets == 0) & (self.at_zero == "high")), high, low)

    def __str__(self) -> str:
        terms = " ".join(f"{weight:+g} x{k + 1}" for k, weight in enumerate(self.weights.tolist()) if weight)
        return f"{self.bias:g} {terms} {'>=' if self.at_zero == 'high' else '>'} 0"


@dataclass(frozen=True, eq=False)
class ThresholdNetwork:
    """A layer of threshold units followed by an output unit.

    Parameters
    ----------
    inputs : tuple of str
        Names of the inputs.
    hidden : tuple of ThresholdUnit
        Hidden units.
    output : ThresholdUnit
    """

    inputs: tuple[str, ...]
    hidden: tuple[ThresholdUnit, ...]
    output: ThresholdUnit

    def layer(self, inputs: ArrayLike) -> Floats:
        """Return the outputs of the hidden units for each row of inputs."""
        rows = np.asarray(inputs, np.float64)
        return (
            np.stack([unit(rows) for unit in self.hidden], axis=-1)
            if self.hidden
            else np.empty((len(rows), 0))
        )

    def __call__(self, inputs: ArrayLike) -> Floats:
        """Return the output of the network for each row of inputs."""
        return self.output(self.layer(inputs))

    def __str__(self) -> str:
        lines = [f"h{k + 1}: {unit}" for k, unit in enumerate(self.hidden)]
        return "\n".join([*lines, f"output: {self.output}".replace(" x", " h")])


def corners(n: int, coding: str = "plus-minus") -> Floats:
    """Return all rows of `n` Boolean inputs.

    Parameters
    ----------
    n : int
        Number of inputs.
    coding : {"plus-minus", "zero-one"}, default="plus-minus"
        Coding of true and false: 1 and -1, or 1 and 0.

    Examples
    --------
    >>> corners(2, "zero-one").tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    """
    one_of("coding", coding, CODINGS)
    return np.array(list(product(CODINGS[coding], repeat=n))).reshape(-1, n)


def m_of_n(m: int, n: int, coding: str = "plus-minus", negated: Sequence[int] = ()) -> ThresholdUnit:
    """Return the unit that is true if at least `m` of `n` inputs are true.

    All weights are 0.5; only the bias depends on `m`. It is the midpoint of the interval of valid biases.

    Parameters
    ----------
    m, n : int
        Minimum number of true inputs, and number of inputs.
    coding : {"plus-minus", "zero-one"}
        Coding of true and false: 1 and -1, or 1 and 0.
    negated : sequence of int
        Indices of negated inputs.

    Examples
    --------
    >>> print(m_of_n(2, 3), m_of_n(2, 3, "zero-one"), sep="; ")
    0 +0.5 x1 +0.5 x2 +0.5 x3 > 0; -0.75 +0.5 x1 +0.5 x2 +0.5 x3 > 0
    """
    one_of("coding", coding, CODINGS)
    if not 0 <= m <= n + 1:
        raise InputError(f"m is {m}; give a number from 0 to {n + 1} for {n} inputs")
    weights = np.full(n, 0.5)
    bias = n / 2 - m + 0.5 if coding == "plus-minus" else -m / 2 + 0.25
    for place in negated:
        # an input x counts as -x, or as 1 - x if false is 0
        weights[place] = -0.5
        bias += 0.5 if coding == "zero-one" else 0.0
    return ThresholdUnit(bias, weights, coding)


def gate(name: str, n: int = 2, coding: str = "plus-minus") -> ThresholdUnit:
    """Return a gate of `n` inputs: and, or, nand, nor; not has one input.

    The book gives OR the bias -0.3, which is correct only for inputs 0 and 1. With -1 and 1, which it
    assumes, that unit is AND; OR needs +0.3 (or any bias above 0 and up to 1).

    Parameters
    ----------
    name : {"and", "or", "nand", "nor", "not"}
        Name of the gate.
    n : int, default=2
        Number of inputs.
    coding : {"plus-minus", "zero-one"}, default="plus-minus"
        Coding of true and false: 1 and -1, or 1 and 0.

    Examples
    --------
    >>> gate("nor")([[-1, -1], [-1, 1]]).tolist()
    [1.0, -1.0]
    """
    one_of("name", name, GATES)
    if name == "not":
        return m_of_n(1, 1, coding, negated=(0,))
    everything = tuple(range(n))
    if name in ("and", "or"):
        return m_of_n(n if name == "and" else 1, n, coding)
    return m_of_n(1 if name == "nand" else n, n, coding, negated=everything)


def majority(n: int, coding: str = "zero-one") -> ThresholdUnit:
    """Return the unit that is true if more than half of `n` inputs are true.

    With weights of 1 and a bias of -n/2, a tie has a sum of exactly 0, so that for even `n` the result
    depends on the output at 0. Here the bias lies between a tie and a majority.

    Parameters
    ----------
    n : int
        Number of inputs.
    coding : {"plus-minus", "zero-one"}, default="zero-one"
        Coding of true and false: 1 and -1, or 1 and 0.

    Examples
    --------
    >>> majority(4)([[1, 1, 0, 0], [1, 1, 1, 0]]).tolist()
    [0.0, 1.0]
    """
    return m_of_n(n // 2 + 1, n, coding)


def dnf_network(formula: str | Iterable[Mapping[str, bool]], coding: str = "plus-minus") -> ThresholdNetwork:
    """Return the network of a disjunction of conjunctions: a unit for each conjunction, and their OR.

    Parameters
    ----------
    formula : str or iterable of dict
        Formula such as ``"a and not b or c"``, or a dict of inputs and required values for each conjunction.
    coding : {"plus-minus", "zero-one"}
        Coding of true and false: 1 and -1, or 1 and 0.

    Examples
    --------
    >>> network = dnf_network("a and not b or not a and b")
    >>> network(corners(2)).tolist()
    [-1.0, 1.0, 1.0, -1.0]
    """
    conjunctions = _parsed(formula) if isinstance(formula, str) else [dict(each) for each in formula]
    names = tuple(sorted({name for each in conjunctions for name in each}))
    hidden = []
    for conjunction in conjunctions:
        unit = m_of_n(
            len(conjunction),
            len(conjunction),
            coding,
            negated=[k for k, wanted in enumerate(conjunction.values()) if not wanted],
        )
        weights = np.zeros(len(names))
        weights[[names.index(name) for name in conjunction]] = unit.weights
        hidden.append(ThresholdUnit(unit.bias, weights, coding))
    return ThresholdNetwork(names, tuple(hidden), m_of_n(1, len(hidden), coding))


def truth_table_network(values: Sequence[Any] | NDArray[Any]) -> ThresholdNetwork:
    """Return the network of a truth table: one unit per row of inputs, and an OR over the true rows.

    Parameters
    ----------
    values : sequence
        Value of the function, one of two, for each row of `corners`; inputs are -1 and 1.

    Examples
    --------
    >>> network = truth_table_network([False, True, True, False])
    >>> network(corners(2)).tolist(), len(network.hidden)
    ([-1.0, 1.0, 1.0, -1.0], 4)
    """
    wanted = positive_rows(values)
    n = len(wanted).bit_length() - 1
    if len(wanted) != 2**n or n > MOST_INPUTS:
        raise InputError(f"values has {len(wanted)} entries; give 2^n of them, with n at most {MOST_INPUTS}")
    hidden = tuple(ThresholdUnit(-(n - 1.0), row) for row in corners(n))
    output = ThresholdUnit(float(wanted.sum()) - 1.0, wanted.astype(np.float64))
    return ThresholdNetwork(tuple(f"x{k + 1}" for k in range(n)), hidden, output)


def _parsed(formula: str) -> list[dict[str, bool]]:
    found = []
    for part in re.split(r"\s+or\s+|\|", formula):
        conjunction: dict[str, bool] = {}
        for literal in re.split(r"\s+and\s+|&", part):
            match = LITERAL.match(literal.strip())
            if match is None:
                raise InputError(
                    f"formula has {literal.strip()!r}, which is neither an input nor its negation; "
                    "write 'a and not b or c'"
                )
            conjunction[match["name"]] = match["no"] is None
        found.append(conjunction)
    return found
