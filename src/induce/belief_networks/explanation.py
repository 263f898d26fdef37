"""Explanation of a posterior: the effect of each finding, and conflicts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from induce.belief_networks.factors import Floats
from induce.belief_networks.inference.evidence import Evidence
from induce.belief_networks.inference.junction_tree import Codes
from induce.belief_networks.inference.questions import finding_text, impossible, joint, log_probability
from induce.belief_networks.representation import Representation
from induce.belief_networks.rows import evidence_rows
from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.reports import text_table
from induce.core.ties import first_largest, ranked
from induce.core.values import Value
from induce.hypotheses.naming import value_text

NOTABLE = 3.0
"""Conflict threshold in decibans: the other findings halve the probability of a finding."""


@dataclass(frozen=True)
class Finding:
    """Effect of one finding on the probability of a value.

    Parameters
    ----------
    text : str
        Finding as text, such as ``Rain = True``.
    alone : float
        Effect of the finding alone on the odds, in decibans: 10 is ten times the odds.
    beside : float
        Effect of the finding given all others.
    conflict : float
        Conflict with the others in decibans: decrease of the finding's log probability once they are given;
        positive values mean contradiction.
    """

    text: str
    alone: float
    beside: float
    conflict: float


@dataclass(frozen=True)
class Findings(Explained):
    """Findings that changed the probability of the target's most probable value, most influential first.

    Parameters
    ----------
    target : str
        Name of the explained node.
    value : str, int, float or bool
        Most probable value of the target given the findings.
    prior, probability : float
        Probability of this value before and after the findings.
    findings : tuple of Finding
        Findings, most influential first.
    conflict : float
        Conflict in decibans: how much less probable the findings are jointly than if independent. Positive
        values mean that they conflict, or that something rare explains them.

    Examples
    --------
    >>> from induce.belief_networks.library import textbook_network
    >>> (why,) = textbook_network("forest-fire").explain({"Thunder": True, "ForestFire": True}, "Storm")
    >>> print(why)
    Storm = True: 20 % → 66.62 %, +9.0 decibans
                       alone  beside the others
    Thunder = True      +7.8               +5.7
    ForestFire = True   +3.4               +1.2
    """

    target: str
    value: Value
    prior: float
    probability: float
    findings: tuple[Finding, ...]
    conflict: float

    @property
    def prediction(self) -> Value:
        """The most probable value."""
        return self.value

    @property
    def moved(self) -> float:
        """Effect of all findings jointly on the odds, in decibans."""
        return _decibans(self.probability) - _decibans(self.prior)

    def __str__(self) -> str:
        head = (
            f"{value_text(self.target)} = {value_text(self.value)}: {100 * self.prior:.4g} % → "
            f"{100 * self.probability:.4g} %, {_shown(self.moved)} decibans"
        )
        lines = [("", "alone", "beside the others")]
        lines += [(each.text, _shown(each.alone), _shown(each.beside)) for each in self.findings]
        if math.isinf(self.conflict) and not self.findings:
            head += "; the findings are impossible, so the prior is shown"
        text = [head, *([text_table(lines)] if self.findings else [])]
        at_odds = [each.text for each in self.findings if each.conflict > NOTABLE]
        if self.conflict > 0 and at_odds:
            text.append(f"in conflict, by {self.conflict:.1f} decibans: {', '.join(at_odds)}")
        return "\n".join(text)


def explained(network: Representation, X: Any, target: str) -> tuple[Findings, ...]:
    """Implement `BeliefNetwork.explain`."""
    if not target:
        raise InputError("no target is given; name the node to explain: explain(findings, target=…)")
    place = network.graph.position(target)
    if network.schema.columns[place].kind != "nominal":
        raise InputError(f"node {target!r} is numeric; only nominal nodes can be explained")
    if isinstance(X, Mapping):
        return (_findings(network, place, Evidence.of(network, X).without(place)),)
    return explained_rows(network, evidence_rows(network, X), target)


def explained_rows(
    network: Representation, rows: tuple[Codes, Floats], target: str, lenient: bool = False
) -> tuple[Findings, ...]:
    """Explain the probability of a nominal node in rows, given as codes and numbers of all nodes.

    An impossible row is an error; if `lenient`, it gets no effects instead.
    """
    place = network.graph.position(target)
    cases = (Evidence(codes, numbers) for codes, numbers in zip(*rows, strict=True))
    return tuple(_findings(network, place, case.without(place), lenient) for case in cases)


def _findings(network: Representation, place: int, evidence: Evidence, lenient: bool = False) -> Findings:
    if evidence.beliefs:
        raise InputError("new probabilities (Jeffrey) cannot be explained; give observations or Virtual(…)")
    touched = evidence.touched()
    cases = [Evidence.none(network), evidence]
    cases += [evidence.only(k) for k in touched] + [evidence.without(k) for k in touched]
    chances, logs = _evaluated(network, place, cases)
    if logs[1] == -math.inf:
        if lenient:
            return replace(_findings(network, place, Evidence.none(network)), conflict=math.inf)
        raise impossible(network, evidence)
    best = first_largest(chances[1])
    odds = [_decibans(float(each[best])) for each in chances]
    n, tenth = len(touched), 10 / math.log(10)
    found = [
        Finding(
            finding_text(network, evidence, k),
            odds[2 + i] - odds[0],
            odds[1] - odds[2 + n + i],
            float(logs[2 + i] + logs[2 + n + i] - logs[1]) * tenth,
        )
        for i, k in enumerate(touched)
    ]
    found = ranked(found, lambda each: abs(each.beside))
    column = network.schema.columns[place]
    return Findings(
        column.name,
        column.domain[best],
        float(chances[0][best]),
        float(chances[1][best]),
        tuple(found),
        float(logs[2 : 2 + n].sum() - logs[1]) * tenth if n else 0.0,
    )


def _evaluated(network: Representation, place: int, cases: Sequence[Evidence]) -> tuple[Floats, Floats]:
    """Return the probabilities of a node and the log probability of the evidence in each case."""
    if network.is_nominal and not any(case.likelihoods for case in cases):
        wanted = np.arange(len(network.nodes)) == place
        rows = np.array([case.codes for case in cases])
        found = network.tree.posteriors(rows, wanted)
        return found.of(place), found.log_probability
    logs = np.array([log_probability(network, case) for case in cases])
    size = len(network.schema.columns[place].domain)
    chances = [
        joint(network, case, [place]) if log > -math.inf else np.full(size, math.nan)
        for case, log in zip(cases, logs.tolist(), strict=True)
    ]
    return np.array(chances), logs


def _decibans(chance: float) -> float:
    """Return the odds of a probability in decibans."""
    if chance <= 0 or chance >= 1:
        return math.copysign(math.inf, chance - 0.5)
    return 10 * math.log10(chance / (1 - chance))


def _shown(decibans: float) -> str:
    if math.isnan(decibans):
        return "0.0"
    return f"{decibans:+.1f}" if math.isfinite(decibans) else ("certain" if decibans > 0 else "excluded")
