"""Interventions: the effect of setting nodes rather than observing them (Pearl 2000; AIMA 20, notes)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.belief_networks.conditionals.base import Conditional
from induce.belief_networks.conditionals.gaussian import GaussianConditional
from induce.belief_networks.conditionals.table import ConditionalTable
from induce.belief_networks.inference.evidence import Evidence
from induce.core.errors import InputError

if TYPE_CHECKING:
    from induce.belief_networks.network import BeliefNetwork

EXACT = 1e-9
"""Relative standard deviation of a numeric node that is set to a value."""


def intervened(network: BeliefNetwork, actions: Mapping[str, Any]) -> BeliefNetwork:
    """Return the network with the given nodes set, by the truncated factorisation."""
    evidence = Evidence.of(network, actions)
    if evidence.likelihoods or evidence.beliefs or len(evidence.touched()) < len(actions):
        raise InputError("an intervention sets a node to one value; give a dict from nodes to values")
    conditionals: list[Conditional] = list(network.conditionals)
    for place in evidence.touched():
        size = len(network.schema.columns[place].domain)
        if evidence.codes[place] >= 0:
            conditionals[place] = ConditionalTable(np.eye(size)[evidence.codes[place]])
        else:
            number = float(evidence.numbers[place])
            spread = np.array((EXACT * max(abs(number), 1.0)) ** 2)
            conditionals[place] = GaussianConditional(np.array(number), np.empty(0), spread)
    graph = network.graph.without_parents(evidence.touched())
    return replace(network, parents=graph.parents, conditionals=tuple(conditionals))
