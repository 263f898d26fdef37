"""Results of a hidden Markov chain: paths and forecasts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from induce.belief_networks.construction import Normal
from induce.core.reports import text_table
from induce.core.ties import ranked
from induce.core.values import Value
from induce.data.schema import Schema
from induce.hypotheses.naming import value_text
from induce.sequences.parameters import Floats, MarkovParameters

MOST_VALUES = 10


@dataclass(frozen=True)
class Path:
    """A path of hidden states.

    Parameters
    ----------
    states : tuple
        State at each step.
    log_probability : float
        Joint log probability of the path and the observations.
    log_posterior : float
        Log probability of the path given the observations.
    """

    states: tuple[Value, ...]
    log_probability: float
    log_posterior: float

    @property
    def probability(self) -> float:
        """P(path, observations); it underflows to 0 for long sequences."""
        return math.exp(self.log_probability)

    def __str__(self) -> str:
        return f"{' '.join(map(value_text, self.states))} ({math.exp(self.log_posterior):.4g} of all paths)"


@dataclass(frozen=True)
class Forecast:
    """Forecast of a sequence.

    Parameters
    ----------
    states : dict
        Mapping from each state to its probability.
    columns : dict
        Mapping from each column to a dict from values to probabilities or, for a numeric column, to a `Normal` with
        its mean and standard deviation (the distribution is a mixture).
    """

    states: dict[Value, float]
    columns: dict[str, dict[Value, float] | Normal]

    @classmethod
    def of(
        cls, states: tuple[Value, ...], schema: Schema, parameters: MarkovParameters, chances: Floats
    ) -> Forecast:
        """Return the forecast for the given state probabilities."""
        tables, means = iter(parameters.tables), parameters.moments()
        mean = chances @ means[0]
        variance = chances @ (means[1] + (means[0] - mean) ** 2)
        # a weighted sum of equal numbers is rounded
        mean = np.where(parameters.is_constant, means[0][0], mean)
        variance = np.where(parameters.is_constant, 0.0, variance)
        numbers = iter(zip(mean.tolist(), variance.tolist(), strict=True))
        columns: dict[str, dict[Value, float] | Normal] = {}
        for column in schema.inputs():
            if column.kind == "nominal":
                columns[column.name] = dict(
                    zip(column.domain, (chances @ next(tables)).tolist(), strict=True)
                )
            else:
                middle, spread = next(numbers)
                columns[column.name] = Normal(middle, math.sqrt(spread))
        return cls(dict(zip(states, chances.tolist(), strict=True)), columns)

    def __str__(self) -> str:
        lines = [("state", chances_text(self.states))]
        for name, found in self.columns.items():
            lines.append((value_text(name), chances_text(found)))
        return text_table(lines, left=(0, 1))


def chances_text(chances: dict[Value, float] | Normal) -> str:
    """Format values with their probabilities; for long domains, only the most probable ones.

    Examples
    --------
    >>> chances_text({"a": 0.25, "b": 0.75})
    'a 0.2500, b 0.7500'
    """
    if isinstance(chances, Normal):
        return f"{chances.mean:.4g} ± {chances.sd:.3g}"
    items = list(chances.items())
    more = ""
    if len(items) > MOST_VALUES:
        items = ranked(items, lambda item: item[1])[:MOST_VALUES]
        more = ", …"
    return ", ".join(f"{value_text(value)} {chance:.4f}" for value, chance in items) + more
