"""Table of a linear model's weights: standard errors, intervals, odds ratios."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import share
from induce.core.errors import InputError
from induce.core.reports import html_table, text_table
from induce.core.ties import largest_first
from induce.data.table import Table
from induce.hypotheses.naming import coefficient_text, plural

if TYPE_CHECKING:
    from induce.linear.model import LinearFunction

Floats = NDArray[np.float64]

SHOWN = 40
"""Maximum number of printed weights of an output: those with the largest effect per standard deviation."""
INTERCEPT = "(intercept)"


@dataclass(frozen=True)
class WeightRow:
    """A weight with its statistics.

    Parameters
    ----------
    output : str
        Label of the sum; empty if there is only one.
    term : str
    weight : float
        Weight in units of the target per unit of the term.
    error : float
        Standard error; NaN if there is none.
    low, high : float
        Interval; NaN if there is none.
    odds_ratio : float
        Factor of the odds per unit of the term; NaN if the sum is not a log odds.
    """

    output: str
    term: str
    weight: float
    error: float
    low: float
    high: float
    odds_ratio: float

    def cells(self) -> tuple[str, ...]:
        """Return the row as text."""
        interval = (
            f"[{_text(self.low)}, {_text(self.high)}]" if np.isfinite([self.low, self.high]).all() else ""
        )
        weight = "" if np.isnan(self.weight) else coefficient_text(self.weight)
        return (self.term, weight, _text(self.error), interval, _text(self.odds_ratio))


@dataclass(frozen=True)
class WeightTable:
    """The weights of a model.

    Parameters
    ----------
    rows : tuple of WeightRow
        Weights with their statistics.
    confidence : float
        Coverage of the intervals.
    without : str
        Reason for missing standard errors; empty if there are standard errors.
    order : tuple of int
        Indices of the printed rows.
    """

    rows: tuple[WeightRow, ...]
    confidence: float
    without: str
    order: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, term: str) -> WeightRow:
        for row in self.rows:
            if term in (row.term, f"{row.output}: {row.term}"):
                return row
        raise InputError(f"there is no term {term!r}; give one of {', '.join(row.term for row in self.rows)}")

    def _cells(self) -> list[tuple[str, ...]]:
        head = ("term", "weight", "standard error", f"{100 * self.confidence:g}% interval", "odds ratio")
        shown = [self.rows[place] for place in self.order]
        rows = [row.cells() for row in shown]
        used = [k for k in range(len(head)) if k < 2 or any(row[k] for row in rows)]
        cells = [tuple(head[k] for k in used)]
        for place, row in enumerate(shown):
            if row.output and (place == 0 or shown[place - 1].output != row.output):
                cells.append((row.output, *[""] * (len(used) - 1)))
            cells.append(tuple(rows[place][k] for k in used))
        return cells

    def __str__(self) -> str:
        cells = self._cells()
        interval = (
            cells[0].index(f"{100 * self.confidence:g}% interval")
            if len(cells[0]) > 2 and any("interval" in cell for cell in cells[0])
            else 0
        )
        hidden = len(self.rows) - len(self.order)
        lines = [text_table(cells, left=(0, interval))]
        if hidden:
            lines.append(f"and {plural(hidden, 'smaller weight')}")
        if self.without:
            some = any(np.isfinite(row.error) for row in self.rows)
            lines.append(f"no standard error{' where it is blank' if some else 's'}: {self.without}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return html_table(self._cells())


def weight_table(model: LinearFunction, confidence: float) -> WeightTable:
    """Return the table of a model's weights."""
    share("confidence", confidence)
    errors = standard_errors(model)
    z = quantile(model.known.degrees, confidence)
    odds = getattr(model, "link", "") == "logistic"
    rows: list[WeightRow] = []
    order: list[int] = []
    for output, name in enumerate(model.outputs()):
        if output >= len(model.intercepts):
            break
        if not model.weights[output].any() and not model.intercepts[output] and len(model.intercepts) > 1:
            continue  # the reference class
        title = name if len(model.outputs()) > 1 else ""
        first = len(rows)
        weights = np.append(model.intercepts[output], model.weights[output])
        for place, weight in enumerate(weights.tolist()):
            error = float(errors[output, place])
            low, high = weight - z * error, weight + z * error
            if model.known.bootstrap is not None:
                low, high = model.known.bootstrap[:, output, place].tolist()
            term = INTERCEPT if place == 0 else model.design.names[place - 1]
            with np.errstate(over="ignore"):
                ratio = float(np.exp(weight)) if odds and place else np.nan
            rows.append(WeightRow(title, term, weight, error, low, high, ratio))
        order += [first + k for k in _printed(model, output)]
    return WeightTable(tuple(rows), confidence, model.known.without, tuple(order))


def _printed(model: LinearFunction, output: int) -> list[int]:
    """Return the intercept and the most important terms, in the order of the table."""
    effect = np.abs(model.weights[output] * model.known.deviations)
    there = np.flatnonzero(model.weights[output])
    if len(there) > SHOWN:
        there = there[largest_first(effect[there])[:SHOWN]]
    return [0, *(np.sort(there) + 1).tolist()]


def standard_errors(model: LinearFunction) -> Floats:
    """Return the standard errors of the intercepts and weights; NaN if there are none."""
    shape = (len(model.intercepts), len(model.design.terms) + 1)
    found = np.full(shape, np.nan)
    covariance = model.known.covariance
    if covariance is not None:
        with np.errstate(invalid="ignore"):
            errors = np.sqrt(np.diag(covariance)).reshape(-1, shape[1])
        found[len(found) - len(errors) :] = errors  # the reference class has none
    return found


def standard_errors_of_sums(model: LinearFunction, table: Table) -> Floats:
    """Return the standard error of the weighted sum of each row."""
    if model.known.covariance is None:
        raise InputError(
            f"there are no intervals: {model.known.without or 'the weights have no standard errors'}"
        )
    # a dependent term has no variance of its own: its weight is fixed at 0
    covariance = np.nan_to_num(model.known.covariance)
    rows = np.column_stack([np.ones(len(table)), model.design.matrix(table)])
    found = np.sqrt(np.maximum(np.square(rows @ _root(covariance)).sum(axis=1), 0.0))
    # a separating term may have any weight that is large enough
    weights = np.append(model.intercepts[-1], model.weights[-1])
    open_ended = np.isnan(np.diag(model.known.covariance)) & (weights != 0)
    found[(rows[:, open_ended] != 0).any(axis=1)] = np.inf
    return np.asarray(found)


def quantile(degrees: float, confidence: float) -> float:
    """Return the half-width of an interval in standard errors: Student's t, or the normal distribution."""
    from scipy.special import ndtri, stdtrit

    share("confidence", confidence)
    upper = 0.5 + confidence / 2.0
    return float(ndtri(upper) if np.isinf(degrees) else stdtrit(degrees, upper))


def _text(number: float) -> str:
    return "" if np.isnan(number) else f"{number + 0.0:.4g}"


def _root(covariance: Floats) -> Floats:
    """Return a matrix whose product with its transpose is the covariance."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))
