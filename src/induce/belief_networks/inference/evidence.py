"""Evidence of a query: hard, virtual and Jeffrey evidence (Mitchell 6.11.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from induce.belief_networks.conditionals.base import code_of
from induce.belief_networks.factors import Floats
from induce.belief_networks.inference.junction_tree import Codes
from induce.belief_networks.representation import Representation
from induce.core.errors import InputError
from induce.core.values import Value, is_missing
from induce.data.schema import Column


@dataclass(frozen=True)
class Virtual:
    """An uncertain observation of a node: its likelihood under each value; only ratios matter.

    Parameters
    ----------
    likelihoods : dict
        Likelihood of each value, at least 0; omitted values get 0.

    Examples
    --------
    A witness whose statement is seven times as likely if there was thunder:

    >>> Virtual({True: 7, False: 1}).likelihoods[True]
    7
    """

    likelihoods: Mapping[Value, float]


@dataclass(frozen=True)
class Jeffrey:
    """New probabilities of a node after an observation (Jeffrey's rule).

    The conditionals given the node stay the same: P(x) becomes the sum of P(x | value) weighted by the new
    probabilities of the values. Several such nodes are all adjusted to their new probabilities.

    Parameters
    ----------
    probabilities : dict
        Probability of each value, summing to 1; omitted values get 0.

    Examples
    --------
    >>> Jeffrey({True: 0.7, False: 0.3}).probabilities[True]
    0.7
    """

    probabilities: Mapping[Value, float]


@dataclass(frozen=True, eq=False)
class Evidence:
    """The evidence on all nodes of a network.

    Parameters
    ----------
    codes : array of int32
        Codes of observed nominal nodes; -1 elsewhere.
    numbers : array of float64
        Values of observed numeric nodes; NaN elsewhere.
    likelihoods : dict
        Mapping from the indices of nodes with virtual evidence to the likelihoods of their values.
    beliefs : dict
        Mapping from the indices of nodes with Jeffrey evidence to the new probabilities of their values.
    """

    codes: Codes
    numbers: Floats
    likelihoods: dict[int, Floats] = field(default_factory=dict)
    beliefs: dict[int, Floats] = field(default_factory=dict)

    @classmethod
    def none(cls, network: Representation) -> Evidence:
        """Return empty evidence."""
        n = len(network.nodes)
        return cls(np.full(n, -1, np.int32), np.full(n, np.nan))

    @classmethod
    def of(cls, network: Representation, given: Mapping[str, Any] | None) -> Evidence:
        """Build evidence from values by node name; missing values are ignored."""
        found = cls.none(network)
        if given is not None and not isinstance(given, Mapping):
            raise InputError(f"given is {given!r}; give a dict from nodes to observed values")
        for node, said in (given or {}).items():
            place = network.graph.position(node)
            column = network.schema.columns[place]
            if isinstance(said, Virtual):
                found.likelihoods[place] = _chances(column, said.likelihoods, "likelihoods")
            elif isinstance(said, Jeffrey):
                chances = _chances(column, said.probabilities, "new probabilities")
                if abs(chances.sum() - 1) > 1e-9:
                    raise InputError(
                        f"the new probabilities of {node!r} sum to {chances.sum():g}; make them sum to 1"
                    )
                found.beliefs[place] = chances
            elif isinstance(said, Mapping):
                raise InputError(
                    f"the evidence on {node!r} is a dict; give Virtual(…) for likelihoods, or "
                    "Jeffrey(…) for new probabilities"
                )
            elif not is_missing(said):
                found._observe(place, column, said)
        return found

    def _observe(self, place: int, column: Column, value: Any) -> None:
        if column.kind == "nominal":
            self.codes[place] = code_of(column, value)
            return
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = np.nan
        if not np.isfinite(number):
            raise InputError(f"node {column.name!r} is numeric, but {value!r} is given; give a finite number")
        self.numbers[place] = number

    def with_likelihoods(self, more: Mapping[int, Floats]) -> Evidence:
        """Return the evidence with Jeffrey evidence replaced by virtual evidence."""
        merged = dict(self.likelihoods)
        for place, likelihood in more.items():
            merged[place] = merged[place] * likelihood if place in merged else likelihood
        return replace(self, likelihoods=merged, beliefs={})

    def observed(self, place: int) -> bool:
        """Return whether the value of a node is observed."""
        return bool(self.codes[place] >= 0 or not np.isnan(self.numbers[place]))

    def touched(self) -> list[int]:
        """Return the indices of all nodes with evidence."""
        hard = np.flatnonzero((self.codes >= 0) | ~np.isnan(self.numbers)).tolist()
        return list(dict.fromkeys([*hard, *self.likelihoods, *self.beliefs]))

    def without(self, place: int) -> Evidence:
        """Return the evidence without that on one node."""
        codes, numbers = self.codes.copy(), self.numbers.copy()
        codes[place], numbers[place] = -1, np.nan
        likelihoods = {k: each for k, each in self.likelihoods.items() if k != place}
        beliefs = {k: each for k, each in self.beliefs.items() if k != place}
        return Evidence(codes, numbers, likelihoods, beliefs)

    def only(self, place: int) -> Evidence:
        """Return the evidence on one node."""
        found = self
        for other in self.touched():
            if other != place:
                found = found.without(other)
        return found


def _chances(column: Column, said: Mapping[Value, float], what: str) -> Floats:
    if column.kind != "nominal":
        raise InputError(
            f"node {column.name!r} is numeric and cannot have {what} of values; observe its value instead"
        )
    chances = np.zeros(len(column.domain))
    for value, number in said.items():
        if not isinstance(number, int | float) or not 0 <= number < np.inf:
            raise InputError(f"the {what} of {column.name!r} contain {number!r}; give numbers of at least 0")
        chances[code_of(column, value)] = number
    if not chances.any():
        raise InputError(f"the {what} of {column.name!r} are all 0; give at least one above 0")
    return chances
