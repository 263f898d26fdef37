"""Explanations of networks initialised from rules: rules, learned links, and relevance by derivative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.explained import Explained
from induce.core.ties import largest_first
from induce.core.values import Value
from induce.data.table import Table
from induce.hypotheses.naming import value_text

if TYPE_CHECKING:
    from induce.knowledge.hypothesis import KnowledgeNetwork

Floats = NDArray[np.float64]
SHOWN = 4
"""Maximum number of links and columns in an explanation."""
LEAST = 0.05
"""Minimum effect of an explained link on a unit's net input, as a fraction of W."""


@dataclass(frozen=True)
class UnitReport:
    """Rule of the theory, and the output of its unit for a row.

    Parameters
    ----------
    unit : str
    rule : str
        Rule that the unit was initialised from.
    held : bool
        Whether the rule holds for the row.
    before, now : float
        Output of the unit before and after training.
    outvoted : tuple of (str, float)
        For a unit whose decision changed: its inputs, and how much training changed their contributions.
    """

    unit: str
    rule: str
    held: bool
    before: float
    now: float
    outvoted: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        verb = "holds" if self.held else "does not hold"
        lines = [f"  {self.now:.2f} {self.unit} (rule {verb}; {self.before:.2f} before training)"]
        if self.outvoted:
            by = ", ".join(f"{name} {effect:+.2g}" for name, effect in self.outvoted)
            lines.append(f"       outvoted by learned links: {by}")
        return "\n".join(lines)


@dataclass(frozen=True)
class KnowledgeExplanation(Explained):
    """Prediction of a network that was initialised from rules.

    Parameters
    ----------
    prediction : str, int, float or bool
    probability : float
    units : tuple of UnitReport
        Reports of the units that are on or whose decision changed, outputs first.
    relevance : tuple of (str, float)
        Derivative of the output by each input that is present in the row, largest first.
    """

    prediction: Value
    probability: float
    units: tuple[UnitReport, ...]
    relevance: tuple[tuple[str, float], ...]

    def __str__(self) -> str:
        lines = [
            f"{value_text(self.prediction)} with probability {self.probability:.3g}",
            *map(str, self.units),
        ]
        if self.relevance:
            told = ", ".join(f"{name} {slope:+.2g}" for name, slope in self.relevance[:SHOWN])
            lines.append(f"  relevance by derivative: {told}")
        return "\n".join(lines)


def explained(network: KnowledgeNetwork, table: Table) -> tuple[KnowledgeExplanation, ...]:
    """Explain the predictions for the given rows."""
    encoding = network.encoding
    inputs = network.view.matrix(table)
    before, now = encoding.network.states(inputs), network.network.states(inputs)
    groups = network.network.groups
    where = {name: (g, k) for g, group in enumerate(groups) for k, name in enumerate(group.unit_names()) if g}
    held = _held(network, table)
    places, shares = network.places(table), network.predict_proba(table)
    gradients = network.network.input_gradients(inputs)
    told = []
    for row in range(len(table)):
        reports = []
        for unit in reversed(encoding.units):
            g, k = where[unit.name]
            was, is_ = float(before[g][row, k]), float(now[g][row, k])
            flipped = (was > 0.5) != (is_ > 0.5)
            if not unit.antecedents or (is_ <= 0.5 and not flipped):
                continue
            votes = _votes(
                network, g, k, [each[row] for each in before], [each[row] for each in now], is_ > was
            )
            rule = held[unit.name]
            reports.append(
                UnitReport(unit.name, rule[0], bool(rule[1][row]), was, is_, votes if flipped else ())
            )
        place = int(places[row])
        sign = 1.0 if not network.is_single or place == 1 else -1.0
        slopes = sign * gradients[row, 0 if network.is_single else place]
        order = [int(j) for j in largest_first(np.abs(slopes), scale=1.0) if inputs[row, j] != 0.0]
        relevance = tuple(
            (network.view.names[j], float(slopes[j])) for j in order[: 2 * SHOWN] if abs(slopes[j]) > 1e-9
        )
        told.append(
            KnowledgeExplanation(network.classes[place], float(shares[row, place]), tuple(reports), relevance)
        )
    return tuple(told)


def _held(network: KnowledgeNetwork, table: Table) -> dict[str, tuple[str, Any]]:
    """Return, for each unit, the rule it was initialised from and the rows for which that rule holds."""
    theory = network.theory
    truths = theory.truths(table)
    found: dict[str, tuple[str, Any]] = {}
    for head, rules in theory.by_head.items():
        for number, rule in enumerate(rules, 1):
            name = head if len(rules) == 1 else f"{head} by rule {number}"
            found[name] = (f"IF {rule.premise()} THEN {head}", theory.fires(rule, table, truths))
        if len(rules) > 1:
            found[head] = (f"IF one of {len(rules)} rules THEN {head}", truths[head])
    for unit in network.encoding.units:  # threshold tests of numbers
        found.setdefault(unit.name, (unit.name, np.zeros(len(table), bool)))
    return found


def _votes(
    network: KnowledgeNetwork, g: int, k: int, before: list[Floats], now: list[Floats], rises: bool
) -> tuple[tuple[str, float], ...]:
    """Return what training added to a unit's net input, per input, where it supports the changed decision."""
    group = network.network.groups[g]
    names: list[str] = []
    effects: list[float] = []
    for link in network.network.links:
        if link.target != group.name:
            continue
        source = next(s for s, each in enumerate(network.network.groups) if each.name == link.source)
        key = link.source, link.target
        old, new = network.encoding.network.get(key)[:, k], network.network.get(key)[:, k]
        effects += (new * now[source] - old * before[source]).tolist()
        names += network.view.names if source == 0 else network.network.groups[source].unit_names()
    for_change = np.array(effects) * (1.0 if rises else -1.0)
    order = [int(j) for j in largest_first(for_change, scale=1.0)[:SHOWN]]
    return tuple((names[j], effects[j]) for j in order if for_change[j] > LEAST * network.weight)
