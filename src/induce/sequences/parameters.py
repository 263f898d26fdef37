"""Parameters of a hidden Markov model: initial, transition and emission distributions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.conditionals.base import TOLERANCE
from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.schema import Column, Schema

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MarkovParameters:
    """The distributions of a hidden Markov model.

    Parameters
    ----------
    start : array of float64, shape (states,)
        P(first state).
    transitions : array of float64, shape (states, states)
        P(next state | state), one row per state.
    tables : tuple of arrays of float64, shape (states, values)
        P(value | state) of each nominal column.
    weights : array of float64, shape (states, Gaussians)
        Mixture weights of the Gaussians in each state.
    means, variances : array of float64, shape (states, Gaussians, numeric columns)
        Means and variances of the Gaussians; the columns are independent given the state and the Gaussian. A
        constant column has the variance 0 in all states, which means that it carries no information.

    Examples
    --------
    >>> none = np.zeros((2, 1, 0))
    >>> half = np.full((2, 2), 0.5)
    >>> MarkovParameters(half[0], half, (half,), np.ones((2, 1)), none, none).n_free()
    5
    """

    start: Floats
    transitions: Floats
    tables: tuple[Floats, ...]
    weights: Floats
    means: Floats
    variances: Floats

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MarkovParameters) and all(
            np.array_equal(mine, theirs)
            for mine, theirs in zip(self._arrays(), other._arrays(), strict=False)
        )

    def _arrays(self) -> tuple[Floats, ...]:
        return self.start, self.transitions, self.weights, self.means, self.variances, *self.tables

    def __hash__(self) -> int:
        return hash(self.means.shape)

    def n_free(self, tied: Sequence[Sequence[int]] = ()) -> int:
        """Return the number of independent parameters. Zeros of start and transitions do not count, and tied
        states have one set of emissions (AIMA 20.3, exercise on counting).
        """
        n_states, n_components, n_numbers = self.means.shape
        chains = int((self.start > 0).sum() - 1 + (self.transitions > 0).sum() - n_states)
        n_numbers -= int(self.is_constant.sum())
        one_state = sum(table.shape[1] - 1 for table in self.tables)
        if n_numbers:
            one_state += n_components - 1 + 2 * n_components * n_numbers
        return int(chains + one_state * (n_states - sum(len(group) - 1 for group in tied)))

    @cached_property
    def is_constant(self) -> NDArray[np.bool_]:
        """Mask of the constant columns: those of variance 0."""
        return np.asarray((self.variances == 0).all(axis=(0, 1)))

    @cached_property
    def flat(self) -> tuple[Floats, Places]:
        """Logarithms of all tables in one array, in which the entries of a value in all states are
        contiguous, and the start of each table.
        """
        begins = np.cumsum([0, *(table.size for table in self.tables)])[:-1].astype(np.int64)
        tables = np.concatenate([*(table.T.ravel() for table in self.tables), np.empty(0)])
        with np.errstate(divide="ignore"):
            return np.log(tables), begins

    @cached_property
    def densities(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Log weights, means, 1 / (2 variance) and the log density at the mean of every Gaussian; the last two
        are 0 in constant columns, which then add nothing.
        """
        with np.errstate(divide="ignore"):
            logs = np.log(self.weights)
        variances = np.where(self.is_constant, 1.0, self.variances)
        halves = np.where(self.is_constant, 0.0, 0.5 / variances)
        norms = np.where(self.is_constant, 0.0, -0.5 * np.log(2 * math.pi * variances))
        return logs, np.ascontiguousarray(self.means), halves, norms

    def moments(self) -> tuple[Floats, Floats]:
        """Return mean and variance of each numeric column in each state, shape (states, numeric columns)."""
        shares = self.weights[:, :, np.newaxis]
        means = (shares * self.means).sum(axis=1)
        squares = (shares * (self.variances + (self.means - means[:, np.newaxis]) ** 2)).sum(axis=1)
        # a weighted sum of equal numbers is rounded
        return np.where(self.is_constant, self.means[:, 0], means), np.where(self.is_constant, 0.0, squares)

    def verify(self, states: Sequence[Value], schema: Schema) -> None:
        """Raise an `InputError` unless the distributions match the states and columns."""
        nominal = nominal_columns(schema)
        n_states, n_numbers = len(states), len(numeric_columns(schema))
        if not n_states or len(set(states)) < n_states:
            raise InputError(f"the states are {', '.join(map(str, states))}; give each its own name")
        shapes = self.start.shape, self.transitions.shape, len(self.tables)
        if shapes != ((n_states,), (n_states, n_states), len(nominal)):
            raise InputError(
                f"start, transitions and tables have the shapes {shapes[0]} and {shapes[1]} and are "
                f"{shapes[2]}; give shapes that match {n_states} states and {len(nominal)} nominal "
                "columns"
            )
        if self.means.shape[2:] != (n_numbers,) or self.means.shape[:2] != self.weights.shape:
            raise InputError(f"the means have the shape {self.means.shape}; give one per numeric column")
        _check_sums("the probabilities of the first state", self.start[np.newaxis], [""])
        _check_sums("the transitions", self.transitions, states)
        for column, table in zip(nominal, self.tables, strict=True):
            if table.shape != (n_states, len(column.domain)):
                raise InputError(
                    f"the table of {column.name!r} has the shape {table.shape}; give the shape "
                    f"{(n_states, len(column.domain))}, one row per state"
                )
            _check_sums(f"the probabilities of {column.name!r}", table, states)
        _check_sums("the weights of the Gaussians", self.weights, states)
        same = self.variances.shape == self.means.shape
        fine = same and np.isfinite(np.stack([self.means, self.variances])).all()
        is_valid = (self.variances > 0) | (self.is_constant & (self.means == self.means[:1, :1]))
        if not fine or not is_valid.all():
            raise InputError(
                "means or variances are invalid; give finite means, and variances above 0, or of 0 in all states "
                "for one number"
            )


def constants(numbers: Floats) -> Floats:
    """Return the value of each constant column; NaN for the others.

    Examples
    --------
    >>> constants(np.array([[0.1, 1.0], [np.nan, 2.0], [0.1, 3.0]]))
    array([0.1, nan])
    """
    low, high = (extreme.reduce(numbers, axis=0, initial=np.nan) for extreme in (np.fmin, np.fmax))
    with np.errstate(over="ignore"):
        varied = np.var([low, high], axis=0) > 0  # not if the squares of all differences are 0
    return np.where(varied | np.isnan(low), np.nan, low)


def nominal_columns(schema: Schema) -> list[Column]:
    """Return the observed nominal columns."""
    return [column for column in schema.inputs() if column.kind == "nominal"]


def numeric_columns(schema: Schema) -> list[Column]:
    """Return the observed numeric columns."""
    return [column for column in schema.inputs() if column.kind == "numeric"]


def _check_sums(what: str, rows: Floats, states: Sequence[Value]) -> None:
    for row, state in zip(rows, states, strict=True):
        where = f"{what} in state {state!r}" if state != "" else what
        if not (row >= 0).all():
            raise InputError(f"{where} contain {np.min(row):g}; give probabilities of at least 0")
        if not abs(row.sum() - 1) <= TOLERANCE:
            raise InputError(f"{where} sum to {row.sum():.10g}; give probabilities that sum to 1")


def bic(log_likelihood: float, n_parameters: int, n_steps: int) -> float:
    """Return the Bayesian information criterion; lower is better.

    Examples
    --------
    >>> round(bic(-100.0, 5, 50), 3)
    219.56
    """
    return -2 * log_likelihood + n_parameters * math.log(max(n_steps, 1))
