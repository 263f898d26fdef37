"""Contents of a network file before the network is built."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.conditionals.base import TOLERANCE, Conditional
from induce.belief_networks.conditionals.table import ConditionalTable
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.representation import Representation
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.values import Value
from induce.data.names import listed
from induce.data.schema import Column, Schema

Floats = NDArray[np.float64]

ROUNDED = 0.05
"""Tolerance for a sum of probabilities: deviations from 1 up to this are rounding errors and normalised."""


@dataclass
class Draft:
    """Nodes read from a file, by their names in the file.

    Parameters
    ----------
    name : str
    columns : dict
        Mapping from a node to its column.
    texts : dict
        Mapping from a node to its values as spelled in the file.
    parents : dict
        Mapping from a node to its parents.
    conditionals : dict
        Mapping from a node to its conditional.
    """

    name: str = ""
    columns: dict[str, Column] = field(default_factory=dict)
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    conditionals: dict[str, Conditional] = field(default_factory=dict)
    rounded: list[str] = field(default_factory=list)

    def add(self, node: str, texts: Sequence[str], name: str = "", kept: str = "") -> None:
        """Add a node with its values as spelled in the file; `kept` is the text written by `spelled`."""
        values = respelled(kept)
        domain = values if values is not None and len(values) == len(texts) else tuple(texts)
        self.columns[node] = Column(name or node, "nominal", domain)
        self.texts[node] = tuple(texts)

    def shape(self, node: str) -> tuple[int, ...]:
        """Return the shape of the table of a node."""
        return tuple(len(self.columns[each].domain) for each in (*self.parents[node], node))

    def set_table(self, node: str, table: Floats) -> None:
        """Set the table of a node; rounded probabilities are normalised."""
        with np.errstate(invalid="ignore"):
            sums = table.sum(axis=-1, keepdims=True)
            off = np.abs(sums - 1)
            if (off > 1e-12).any() and (off <= ROUNDED).all():
                if (off > TOLERANCE).any():
                    self.rounded.append(node)
                table = table / sums
        self.conditionals[node] = ConditionalTable(table)

    def network(self) -> BeliefNetwork:
        """Return the network."""
        place = {name: k for k, name in enumerate(self.columns)}
        for name in place:
            if name not in self.conditionals:
                raise InputError(f"node {name!r} has no probabilities; add its table")
        if self.rounded:
            names = listed([self.columns[name].name for name in self.rounded])
            note(f"the probabilities of these nodes did not sum to 1 and were normalised: {names}")
        return BeliefNetwork(
            Schema(tuple(self.columns.values())),
            tuple(tuple(place[parent] for parent in self.parents[name]) for name in place),
            tuple(self.conditionals[name] for name in place),
            self.name,
        )


def texts_of(domain: Sequence[Value]) -> list[str]:
    """Return unique texts for the values of a node.

    Examples
    --------
    >>> texts_of((1, "1", "a"))
    ['1', '1 (2)', 'a']
    """
    texts: list[str] = []
    for place, value in enumerate(domain, start=1):
        text = str(value)
        while text in texts:
            text += f" ({place})"
        texts.append(text)
    return texts


def spelled(values: Sequence[Value]) -> str:
    """Encode a domain that the file format cannot represent directly.

    Examples
    --------
    >>> spelled((False, True))
    '[false, true]'
    """
    return json.dumps(list(values))


def respelled(text: str) -> tuple[Value, ...] | None:
    """Decode a domain written by `spelled`; None if the text is not one."""
    try:
        values = json.loads(text)
    except ValueError:
        return None
    fits = isinstance(values, list) and all(isinstance(each, str | int | float) for each in values)
    return tuple(values) if fits and len(set(values)) == len(values) else None


def table_of(network: Representation, node: int) -> Floats:
    """Return the table of a node, or raise an `InputError`."""
    column = network.schema.columns[node]
    parents = [network.schema.columns[k] for k in network.parents[node]]
    numeric = next((each for each in (column, *parents) if each.kind != "nominal"), None)
    if numeric is not None:
        raise InputError(
            f"node {numeric.name!r} is numeric, which this format does not support; save the network "
            "as a model file"
        )
    return network.conditionals[node].table([len(parent.domain) for parent in parents])
