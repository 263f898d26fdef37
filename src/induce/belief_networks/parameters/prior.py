"""Prior of the parameters: pseudo-counts of Dirichlet priors (AIMA 20.2)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.belief_networks.conditionals.base import Floats
from induce.belief_networks.representation import Representation
from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.data.names import unknown
from induce.data.schema import Schema

Alpha = float | Mapping[str, Any]


@dataclass(frozen=True)
class Prior:
    """Pseudo-counts: each row of each table has an independent Dirichlet prior (parameter independence).

    Parameters
    ----------
    alpha : float or dict
        Pseudo-count of every cell, 1 for Laplace's estimate, 0 for maximum likelihood. A dict sets it per
        node: a number, or an array in the shape of the table; unlisted nodes have 1.
    equivalent_sample_size : float, optional
        Equivalent sample size of the prior, in place of `alpha`, distributed over the cells of each table according
        to `network`, or uniformly (BDeu).
    network : BeliefNetwork, optional
        Prior network, which gives the prior means of the probabilities.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> nodes = Schema((Column("rain", "nominal", ("no", "yes")), Column("wet", "nominal", ("no", "yes"))))
    >>> Prior(equivalent_sample_size=2.0).table(nodes, 1, (0,)).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """

    alpha: Alpha = 1.0
    equivalent_sample_size: float | None = None
    network: Representation | None = None

    def check(self, schema: Schema) -> None:
        """Raise an `InputError` unless the pseudo-counts are valid for the nodes of a schema."""
        if self.equivalent_sample_size is not None:
            at_least("equivalent_sample_size", self.equivalent_sample_size, 0)
        if not isinstance(self.alpha, Mapping):
            at_least("alpha", self.alpha, 0)
            _finite("alpha", self.alpha)
            return
        for name in self.alpha:
            if name not in schema.names():
                raise unknown("node", str(name), schema.names())

    def table(self, schema: Schema, node: int, parents: Sequence[int]) -> Floats:
        """Return the pseudo-count of each cell of the table of a nominal node with nominal parents."""
        shape = tuple(len(schema.columns[k].domain) for k in (*parents, node))
        size = self.equivalent_sample_size
        if size is not None:
            if self.network is None:
                return np.full(shape, size / math.prod(shape))
            return size * _believed(self.network, [schema.columns[k].name for k in (*parents, node)])
        name = schema.columns[node].name
        given = self.alpha.get(name, 1.0) if isinstance(self.alpha, Mapping) else self.alpha
        try:
            found = np.asarray(given, np.float64)
            table = np.broadcast_to(found, shape)
        except (TypeError, ValueError):
            raise InputError(
                f"alpha gives {name!r} {given!r}; give a number, or an array of shape {shape}"
            ) from None
        if not (np.isfinite(table) & (table >= 0)).all():
            raise InputError(f"alpha gives {name!r} {given!r}; give pseudo-counts of at least 0")
        return np.array(table)

    def strength(self, schema: Schema, node: int, states: int) -> float:
        """Return the equivalent sample size per state of nominal parents, for distributions other than tables."""
        if self.equivalent_sample_size is not None:
            return self.equivalent_sample_size / max(states, 1)
        if not isinstance(self.alpha, Mapping):
            return float(self.alpha)
        name = schema.columns[node].name
        given = self.alpha.get(name, 1.0)
        at_least(f"alpha of {name!r}", given, 0)
        _finite(f"alpha of {name!r}", given)
        return float(given)


def _finite(name: str, value: float) -> None:
    if not math.isfinite(value):
        raise InputError(f"{name} is {value!r}; give a finite number")


def _believed(network: Representation, names: Sequence[str]) -> Floats:
    """Return the joint probabilities of the states of the named nodes."""
    from induce.belief_networks.inference.evidence import Evidence
    from induce.belief_networks.inference.questions import joint

    return joint(network, Evidence.none(network), [network.graph.position(name) for name in names])
