"""Results of queries: probabilities by value name."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from induce.belief_networks.conditionals.base import code_of
from induce.belief_networks.factors import Floats
from induce.core.errors import InputError
from induce.core.reports import text_table
from induce.core.ties import first_largest, largest_first
from induce.core.values import Value
from induce.data.names import unknown
from induce.data.schema import Column
from induce.hypotheses.naming import LEAST_CHANCE, chance_text, number_in, value_text, with_unit

MOST_LINES = 40
MOST_IN_LINE = 6
"""Maximum number of values printed on one line."""


@dataclass(frozen=True, eq=False)
class Answer(Mapping[Any, float]):
    """The probabilities of the values of a node, or of the joint states of several nodes.

    It is a mapping from values (or from tuples of values) to probabilities.

    Parameters
    ----------
    columns : tuple of Column
        Queried nodes.
    probabilities : array of float64
        Probabilities, with one axis per node.
    method : str
        Inference method.
    standard_errors : array of float64
        Standard errors of the probabilities; zero if the answer is exact.
    n_samples : int
        Number of samples; 0 if the answer is exact.
    effective_size : float
        Effective sample size: the equivalent number of independent unweighted samples.
    r_hat : float
        Convergence diagnostic R-hat of the Markov chains; near 1 if they agree.

    Examples
    --------
    >>> answer = Answer((Column("Rain", "nominal", ("yes", "no")),), np.array([0.2, 0.8]))
    >>> answer["yes"], answer.most_probable
    (0.2, 'no')
    >>> print(answer)
    Rain
    yes   0.2000
    no    0.8000
    """

    columns: tuple[Column, ...]
    probabilities: Floats
    method: str = "exact"
    standard_errors: Floats = field(default_factory=lambda: np.zeros(()))
    n_samples: int = 0
    effective_size: float = 0.0
    r_hat: float = math.nan

    def _codes(self, state: Any) -> tuple[int, ...]:
        values = (state,) if len(self.columns) == 1 else state
        if not isinstance(values, tuple) or len(values) != len(self.columns):
            names = ", ".join(column.name for column in self.columns)
            raise InputError(f"{state!r} is not a state of {names}; give a tuple of their values")
        return tuple(code_of(column, value) for column, value in zip(self.columns, values, strict=True))

    def __getitem__(self, state: Any) -> float:
        return float(self.probabilities[self._codes(state)])

    def __iter__(self) -> Iterator[Any]:
        states = product(*(column.domain for column in self.columns))
        return (state[0] for state in states) if len(self.columns) == 1 else states

    def __len__(self) -> int:
        return int(self.probabilities.size)

    def standard_error(self, state: Any) -> float:
        """Return the standard error of a probability; 0 if it is exact."""
        return float(np.broadcast_to(self.standard_errors, self.probabilities.shape)[self._codes(state)])

    @property
    def most_probable(self) -> Any:
        """The most probable value or state (the first in a tie)."""
        best = np.unravel_index(first_largest(self.probabilities), self.probabilities.shape)
        state = tuple(column.domain[code] for column, code in zip(self.columns, best, strict=True))
        return state[0] if len(state) == 1 else state

    @property
    def entropy(self) -> float:
        """Entropy of the answer, in bits."""
        chances = self.probabilities[self.probabilities > 0]
        return float(-(chances * np.log2(chances)).sum())

    def __repr__(self) -> str:
        return f"Answer({dict(self)!r})"

    def __str__(self) -> str:
        head = [value_text(column.name) for column in self.columns]
        errors = np.broadcast_to(self.standard_errors, self.probabilities.shape).reshape(-1)
        lines = [[*head, "", *([""] if self.n_samples else [])]]
        states = list(product(*(column.domain for column in self.columns)))
        places = range(len(states))
        if len(states) > MOST_LINES:
            places = largest_first(self.probabilities.reshape(-1))[:MOST_LINES].tolist()
        for place in places:
            chance = f"{self.probabilities.reshape(-1)[place]:.4f}"
            error = [f"± {errors[place]:.4f}"] if self.n_samples else []
            lines.append([*map(value_text, states[place]), chance, *error])
        text = text_table(lines, left=range(len(head)))
        if len(states) > MOST_LINES:
            text += f"\n… {len(states) - MOST_LINES} less probable states"
        if self.n_samples:
            text += f"\n{self.method}, {self.n_samples:,} samples"
        return text


@dataclass(frozen=True, eq=False)
class NumberAnswer:
    """The distribution of a numeric node: a mixture of normal distributions, or weighted samples.

    Parameters
    ----------
    node : str
        Name of the node.
    weights, means, sds : array of float64
        Weight, mean and standard deviation of each component; a sample has standard deviation 0.
    method : str
        Inference method.
    standard_error : float
        Standard error of the mean; 0 if the answer is exact.
    unit : str
        Unit of the node's column; see `Column.counted`.

    Examples
    --------
    >>> answer = NumberAnswer("x", np.array([0.5, 0.5]), np.array([0.0, 4.0]), np.array([1.0, 1.0]))
    >>> answer.mean, round(answer.sd, 4), round(answer.cdf(2.0), 4)
    (2.0, 2.2361, 0.5)
    """

    node: str
    weights: Floats
    means: Floats
    sds: Floats
    method: str = "exact"
    standard_error: float = 0.0
    unit: str = ""

    @property
    def mean(self) -> float:
        """Mean."""
        return float(self.weights @ self.means)

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return math.sqrt(float(self.weights @ (self.sds**2 + (self.means - self.mean) ** 2)))

    def density(self, x: float) -> float:
        """Return the density at a value; exact answers only."""
        if (self.sds == 0).any():
            raise InputError(f"samples of {self.node!r} have no density; use an exact method")
        z = (x - self.means) / self.sds
        return float(self.weights @ (np.exp(-z * z / 2) / (self.sds * math.sqrt(2 * math.pi))))

    def cdf(self, x: float) -> float:
        """Return the cumulative probability at a value."""
        from scipy.special import ndtr

        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(
                self.sds > 0, (x - self.means) / self.sds, np.where(x >= self.means, np.inf, -np.inf)
            )
        return float(self.weights @ ndtr(z))

    def interval(self, probability: float = 0.95) -> tuple[float, float]:
        """Return the central interval with the given probability."""
        tail = (1 - probability) / 2
        return self._quantile(tail), self._quantile(1 - tail)

    def _quantile(self, share: float) -> float:
        low, high = (self.means - 40 * self.sds).min() - 1e-9, (self.means + 40 * self.sds).max() + 1e-9
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if self.cdf(middle) < share else (low, middle)
        return float((low + high) / 2)

    def __str__(self) -> str:
        ends = self.interval()
        mean, low, high = (number_in(number, self.unit) for number in (self.mean, *ends))
        error = f" ± {with_unit(f'{self.standard_error:.4g}', self.unit)}" if self.standard_error else ""
        return (
            f"{value_text(self.node)}: mean {mean}{error}, standard deviation "
            f"{with_unit(f'{self.sd:.4g}', self.unit)}, 95% in [{low}, {high}]"
        )


@dataclass(frozen=True, eq=False)
class Explanation(Mapping[str, Value]):
    """The most probable explanation of the evidence: a value for each unobserved node.

    Parameters
    ----------
    assignment : dict
        Mapping from each unobserved node to its most probable value.
    probability : float
        Joint probability of these values and the evidence.
    evidence_probability : float
        Probability of the evidence.

    Examples
    --------
    >>> print(Explanation({"Storm": True, "Campfire": False}, 0.03, 0.1))
    Storm = True, Campfire = False
    probability 0.3 (0.03 with the evidence)
    """

    assignment: dict[str, Value]
    probability: float
    evidence_probability: float

    def __getitem__(self, node: str) -> Value:
        if node not in self.assignment:
            raise unknown("explained node", node, self.assignment)
        return self.assignment[node]

    def __iter__(self) -> Iterator[str]:
        return iter(self.assignment)

    def __len__(self) -> int:
        return len(self.assignment)

    @property
    def posterior(self) -> float:
        """Posterior probability of the values given the evidence."""
        return self.probability / self.evidence_probability

    def __str__(self) -> str:
        values = [f"{value_text(node)} = {value_text(value)}" for node, value in self.assignment.items()]
        joined = ("\n" if len(values) > MOST_IN_LINE else ", ").join(values)
        both = chance_text(self.probability)
        if 0 < self.probability < LEAST_CHANCE:
            both = f"logarithm {math.log(self.probability):.2f}"
        return f"{joined}\nprobability {chance_text(self.posterior)} ({both} with the evidence)"
