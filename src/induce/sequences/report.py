"""Text reports of hidden Markov chains: transitions and emissions by name."""

from __future__ import annotations

import math

import numpy as np

from induce.core.reports import text_table
from induce.data.schema import Column
from induce.hypotheses.naming import plural, spread_text, value_text, with_unit
from induce.sequences.answers import chances_text
from induce.sequences.hypothesis import HiddenMarkovChain
from induce.sequences.parameters import nominal_columns, numeric_columns

MOST_STATES, MOST_VALUES = 24, 8


def report(chain: HiddenMarkovChain) -> str:
    """Return a chain as text."""
    parts = [chain.size() + _learned(chain), _transitions(chain)]
    for column, table in zip(nominal_columns(chain.schema), chain.parameters.tables, strict=True):
        parts.append(f"{value_text(column.name)} in each state\n{_table(chain, column, table)}")
    if numeric_columns(chain.schema):
        parts.append(_gaussians(chain))
    return "\n\n".join(parts)


def _learned(chain: HiddenMarkovChain) -> str:
    if not chain.log_likelihoods:
        return ""
    ended = "" if chain.converged else ", stopped before convergence"
    again = f"; restarted: {', '.join(map(value_text, chain.restarted))}" if chain.restarted else ""
    iterations = plural(len(chain.log_likelihoods) - 1, "iteration")
    return f"; {chain.objective_name} {chain.log_likelihoods[-1]:.6g} after {iterations}{ended}{again}"


def _transitions(chain: HiddenMarkovChain) -> str:
    names = [value_text(state) for state in chain.states]
    if len(names) > MOST_STATES:
        return f"transitions between {len(names)} states are not shown; see `parameters.transitions`"
    lines = [["from", *names, "mean stay"]]
    lines.append(["(start)", *map(_chance, chain.parameters.start), ""])
    for name, row, stay in zip(
        names, chain.parameters.transitions, np.diag(chain.parameters.transitions), strict=True
    ):
        steps = "ever" if stay >= 1 else f"{1 / (1 - stay):.3g}"
        lines.append([name, *map(_chance, row), steps])
    return f"chance of the next state\n{text_table(lines)}"


def _table(chain: HiddenMarkovChain, column: Column, table: np.ndarray) -> str:
    names = [value_text(state) for state in chain.states]
    if len(column.domain) <= MOST_VALUES:
        lines = [["state", *map(value_text, column.domain)]]
        lines += [[name, *map(_chance, row)] for name, row in zip(names, table, strict=True)]
        return text_table(lines)
    lines = [["state", "the most probable values"]]
    for name, row in zip(names, table, strict=True):
        lines.append([name, chances_text(dict(zip(column.domain, row.tolist(), strict=True)))])
    return text_table(lines, left=(0, 1))


def _gaussian(column: Column, mean: float, deviation: float) -> str:
    if column.temporal:
        return spread_text(mean, f"{deviation:.3g}", column.temporal)
    return f"{mean:.4g} ± {with_unit(f'{deviation:.3g}', column.counted)}"


def _gaussians(chain: HiddenMarkovChain) -> str:
    parameters, columns = chain.parameters, numeric_columns(chain.schema)
    several = parameters.weights.shape[1] > 1
    heads = [value_text(column.name) for column in columns]
    lines = [["state", *(["share"] if several else []), *heads]]
    for k, state in enumerate(chain.states):
        for m, share in enumerate(parameters.weights[k].tolist()):
            cells = [
                _gaussian(column, mean, math.sqrt(variance))
                for column, mean, variance in zip(
                    columns, parameters.means[k, m], parameters.variances[k, m], strict=True
                )
            ]
            name = value_text(state) if m == 0 else ""
            lines.append([name, *([_chance(share)] if several else []), *cells])
    return f"mean ± standard deviation in each state\n{text_table(lines)}"


def _chance(chance: float) -> str:
    return f"{chance:.4f}".rstrip("0").rstrip(".") if 0 < chance < 1 and chance >= 5e-5 else f"{chance:.2g}"
