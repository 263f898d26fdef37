"""Value of information: the expected benefit of observing each node (AIMA 16.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.belief_networks.factors import Floats
from induce.belief_networks.inference.evidence import Evidence
from induce.belief_networks.inference.mixed import reduced
from induce.belief_networks.inference.questions import impossible, settled
from induce.belief_networks.representation import Representation
from induce.core.errors import InputError
from induce.core.ties import ranked
from induce.core.values import Value
from induce.data.names import unknown
from induce.hypotheses.naming import value_text

Utilities = Mapping[str, Mapping[Value, float]]


@dataclass(frozen=True)
class Observation:
    """Expected value of observing a node.

    Parameters
    ----------
    node : str
        Name of the node.
    value : float
        Expected reduction of the target's entropy in bits, or expected gain in utility.

    Examples
    --------
    >>> print(Observation("XRay", 0.25))
    XRay: 0.2500
    """

    node: str
    value: float

    def __str__(self) -> str:
        return f"{value_text(self.node)}: {self.value:.4f}"


def next_observations(
    network: Representation,
    target: str,
    given: Mapping[str, Any] | None,
    utilities: Utilities | None,
    candidates: Sequence[str] | None,
) -> tuple[Observation, ...]:
    """Implement `BeliefNetwork.next_observations`."""
    place = network.graph.position(target)
    column = network.schema.columns[place]
    evidence = settled(network, Evidence.of(network, given))
    if column.kind != "nominal" or evidence.observed(place):
        raise InputError(f"{target!r} is numeric or observed; name a nominal node that is not observed")
    names = network.nodes if candidates is None else candidates
    others = [k for k in map(network.graph.position, names) if _open(network, evidence, k) and k != place]
    worth = _utility_table(column.name, column.domain, utilities)
    size = len(column.domain)
    rows = np.repeat(evidence.codes[None, :], size, axis=0)
    rows[:, place] = np.arange(size)
    wanted = np.isin(np.arange(len(network.nodes)), others)
    found = reduced(network, evidence, [place, *others]).tree.posteriors(rows, wanted)
    if not np.isfinite(found.log_probability).any():
        raise impossible(network, evidence)
    prior = np.exp(found.log_probability - found.log_probability.max())
    prior /= prior.sum()
    rated = []
    for other in others:
        joint = prior[:, None] * np.nan_to_num(found.of(other))
        rated.append(Observation(network.nodes[other], _worth(joint, worth)))
    return tuple(ranked(rated, lambda each: each.value))


def _open(network: Representation, evidence: Evidence, place: int) -> bool:
    return network.schema.columns[place].kind == "nominal" and not evidence.observed(place)


def _utility_table(target: str, domain: Sequence[Value], utilities: Utilities | None) -> Floats | None:
    """Return the utility of each decision (row) for each value of the target."""
    if utilities is None:
        return None
    texts = {str(value) for value in domain}
    for decision, row in utilities.items():
        for value in row:
            if str(value) not in texts:
                raise unknown(f"value of {target!r}", str(value), texts)
        if len(row) != len(domain):
            raise InputError(
                f"the utilities of {decision!r} do not match the values of {target!r}; "
                "give one utility per value"
            )
    if not utilities:
        raise InputError("utilities is empty; give at least one decision")
    by_text = [{str(value): float(number) for value, number in row.items()} for row in utilities.values()]
    return np.array([[row[str(value)] for value in domain] for row in by_text])


def _worth(joint: Floats, utilities: Floats | None) -> float:
    """Return the expected information or utility gain about the first of two variables from observing the
    second.
    """
    if utilities is None:
        return max(_entropy(joint.sum(axis=1)) + _entropy(joint.sum(axis=0)) - _entropy(joint), 0.0)
    informed = float((utilities @ joint).max(axis=0).sum())
    return max(informed - float((utilities @ joint.sum(axis=1)).max()), 0.0)


def _entropy(chances: Floats) -> float:
    positive = chances[chances > 0]
    return float(-(positive * np.log2(positive)).sum())
