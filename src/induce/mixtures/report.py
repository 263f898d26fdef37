"""Description of a cluster by the columns in which it differs most from all rows (influence in AUTOCLASS)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from induce.core.ties import first_largest, ranked
from induce.core.values import Value
from induce.data.numeric_view import Floats
from induce.hypotheses.naming import count_text, plural, spread_text, value_text, with_unit
from induce.hypotheses.rules import Rule

if TYPE_CHECKING:
    from induce.mixtures.hypothesis import Mixture

SHOWN = 5
"""Maximum number of columns shown per cluster."""
RULES_SHOWN = 3
LEAST = 0.02
"""Minimum influence, in nats, of a column that is shown."""


@dataclass(frozen=True)
class Difference:
    """A column in which a cluster differs from all rows.

    Parameters
    ----------
    column : str
    influence : float
        Kullback-Leibler divergence of the column in the cluster from the column in all rows, in nats.
    value : str, int, float, bool or None
        Value of a nominal column whose relative frequency differs most; None for a numeric one.
    inside, outside : tuple of float
        Mean and standard deviation of a numeric column, or the frequency of the value, in the cluster and in
        all rows.
    unit : str
        Unit of the column.
    """

    column: str
    influence: float
    value: Value | None
    inside: tuple[float, ...]
    outside: tuple[float, ...]
    unit: str = ""

    def __str__(self) -> str:
        name = value_text(self.column)
        if self.value is None:
            here, all_rows = (self._numbers(*each) for each in (self.inside, self.outside))
            return f"{name} {here} (all: {all_rows})"
        return f"{name} = {value_text(self.value)} {self.inside[0]:.1%} (all: {self.outside[0]:.1%})"

    def _numbers(self, mean: float, sd: float) -> str:
        if self.unit == "days":
            return spread_text(mean, f"{sd:.3g}", self.unit)
        return f"{mean:.4g} ± {with_unit(f'{sd:.3g}', self.unit)}"


@dataclass(frozen=True)
class Cluster:
    """A cluster: its index, its weight, its characteristics, and the rules that describe it."""

    number: int
    share: float
    differences: tuple[Difference, ...]
    rules: tuple[Rule, ...]

    def __str__(self) -> str:
        lines = [f"cluster {self.number}: {self.share:.1%} of the rows"]
        lines += [f"  {each}" for each in self.differences[:SHOWN] if each.influence >= LEAST]
        for rule in self.rules[:RULES_SHOWN]:
            right = f"{count_text(rule.correct)}/{count_text(rule.covered)}"
            lines.append(f"  IF {rule.premise()} ({right})")
        if len(self.rules) > RULES_SHOWN:
            lines.append(f"  … and {plural(len(self.rules) - RULES_SHOWN, 'more rule')}")
        return "\n".join(lines)


def clusters(mixture: Mixture) -> tuple[Cluster, ...]:
    """Return the clusters of a mixture, each with its columns sorted by decreasing influence."""
    differences = _differences(mixture)
    rules = () if mixture.rules is None else mixture.rules.rules
    return tuple(
        Cluster(
            number,
            float(mixture.shares[number]),
            tuple(ranked(differences[number], lambda each: each.influence)),
            _describing([rule for rule in rules if rule.prediction == str(number)]),
        )
        for number in mixture.classes
    )


def _describing(rules: list[Rule]) -> tuple[Rule, ...]:
    """Return rules from the most to the least general, without those that only add conditions to another."""
    kept: list[Rule] = []
    for rule in sorted(rules, key=lambda each: -each.correct):
        if not any(set(other.conditions) <= set(rule.conditions) for other in kept):
            kept.append(rule)
    return tuple(kept)


def moments(mixture: Mixture) -> tuple[Floats, Floats]:
    """Return mean and variance of every numeric column in all rows, in the units of the mixture."""
    shares = mixture.shares / mixture.shares.sum()
    mean = shares @ mixture.means
    squares = mixture.components.variances() + np.square(mixture.means - mean)
    return mean, shares @ squares


def _differences(mixture: Mixture) -> list[list[Difference]]:
    mean, variance = moments(mixture)
    variances = mixture.components.variances()
    gap = np.square(mixture.means - mean)
    of_numbers = 0.5 * ((variances + gap) / variance - 1.0 - np.log(variances / variance))
    overall = mixture.shares / mixture.shares.sum() @ mixture.tables
    found: list[list[Difference]] = [[] for _ in mixture.classes]
    n_numeric = n_nominal = 0
    for column in mixture.schema.inputs():
        if column.kind != "nominal":
            j, n_numeric = n_numeric, n_numeric + 1
            if math.isnan(mixture.scale[j]):
                continue
            step, offset = float(mixture.scale[j]), float(mixture.offset[j])
            outside = float(mean[j]) * step + offset, math.sqrt(variance[j]) * step
            for i, own in enumerate(found):
                inside = float(mixture.means[i, j]) * step + offset, math.sqrt(variances[i, j]) * step
                own.append(
                    Difference(column.name, float(of_numbers[i, j]), None, inside, outside, column.counted)
                )
            continue
        place = mixture.places[n_nominal]
        n_nominal += 1
        part = slice(place, place + len(column.domain))
        for i, own in enumerate(found):
            p, q = mixture.tables[i, part], overall[part]
            if len(p):
                terms = p * np.log(np.maximum(p, 1e-300) / np.maximum(q, 1e-300))
                most = first_largest(terms)
                own.append(
                    Difference(
                        column.name,
                        float(terms.sum()),
                        column.domain[most],
                        (float(p[most]),),
                        (float(q[most]),),
                    )
                )
    return found


def printed(mixture: Mixture) -> str:
    """Return the lines of a mixture's text."""
    head = f"{mixture.headline()}, {plural(len(mixture.schema.inputs()), 'column')}"
    if mixture.n_rows:
        head += f", {count_text(mixture.n_rows)} rows"
    lines = [head]
    if mixture.objective and mixture.log_likelihood is not None:
        lines.append(
            f"  log likelihood {mixture.log_likelihood:.6g}, BIC {mixture.information():.6g}, {_ended(mixture)}"
        )
    if mixture.choice is not None:
        lines.append(f"  {mixture.choice}")
    lines += [str(cluster) for cluster in mixture.clusters]
    if mixture.rules is not None and mixture.fidelity is not None:
        lines.append(
            f"rows that no rule covers get cluster {mixture.rules.default}; the rules agree with the "
            f"clusters on {mixture.fidelity:.1%} of the rows"
        )
    return "\n".join(lines)


def _ended(mixture: Mixture) -> str:
    n = len(mixture.objective) - 1
    how = "converged" if mixture.converged else "stopped"
    again = f", {plural(mixture.restarts, 'restart')} of components" if mixture.restarts else ""
    return f"{how} after {plural(n, 'iteration')}{again}"
