"""Networks as text: each unit with its strongest inputs by name, and all connections as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.ties import largest_first
from induce.data.numeric_view import Floats, NumericView
from induce.data.table import positions
from induce.hypotheses.naming import plural, value_text

if TYPE_CHECKING:
    from polars import DataFrame

    from induce.neural.hypothesis import TrainedNetwork
    from induce.neural.network import Network

STRONGEST = 5
"""Maximum number of printed inputs of a unit."""
MOST_UNITS = 24
MOST_DRAWN = 200
"""Maximum number of units, inputs included, of a network shown as a diagram."""


def shown(number: float, digits: int = 4) -> str:
    """Format a number with few digits.

    Examples
    --------
    >>> shown(0.123456), shown(-0.0)
    ('0.1235', '0')
    """
    text = f"{number:.{digits}g}"
    return "0" if text in ("-0", "0") else text


def network_text(hypothesis: TrainedNetwork) -> str:
    """Return a text with the layers, the training record, and each unit with its strongest inputs."""
    network = hypothesis.network
    layers = ", ".join(
        f"{group.name} {group.size}" + ("" if group.unit == "input" else f" {group.unit}")
        for group in network.groups
    )
    lines = [f"{value_text(hypothesis.target)} by a network of {hypothesis.size()}: {layers}"]
    lines.append(f"  {'trained for ' if hypothesis.record.solver else ''}{hypothesis.record}")
    n_units = sum(group.size for group in network.groups if group.unit != "input")
    lines += [f"  {line}" for line in unit_lines(network, node_names(hypothesis), MOST_UNITS)]
    if n_units > MOST_UNITS:
        lines.append(f"  and {plural(n_units - MOST_UNITS, 'more unit')}")
    return "\n".join(lines)


def node_names(hypothesis: TrainedNetwork) -> dict[str, list[str]]:
    """Return a name for each node of each group: inputs by column, outputs by class or target."""
    network = hypothesis.network
    names: dict[str, list[str]] = {}
    inputs, outputs = list(hypothesis.input_names()), list(hypothesis.output_names())
    for group in network.groups:
        if group.unit == "input":
            names[group.name], inputs = inputs[: group.size], inputs[group.size :]
        elif group.name in network.outputs:
            start = sum(
                network.group(name).size for name in network.outputs[: network.outputs.index(group.name)]
            )
            names[group.name] = outputs[start : start + group.size]
        else:
            names[group.name] = list(group.unit_names())
    return names


def unit_lines(network: Network, names: dict[str, list[str]], most: int | None = None) -> list[str]:
    """Return a line for each of the first units with its strongest inputs, largest weight first, and its bias."""
    lines: list[str] = []
    for place in network.plan.order:
        group = network.groups[place]
        left = group.size if most is None else most - len(lines)
        if group.unit == "input" or left <= 0:
            continue
        sources, matrix = incoming(network, group.name, names)
        for unit in range(min(group.size, left)):
            weights = matrix[:, unit]
            order = [k for k in largest_first(np.abs(weights)).tolist() if weights[k] != 0.0]
            told = [f"{weights[k]:+.3g} {sources[k]}" for k in order[:STRONGEST]]
            if len(order) > STRONGEST:
                told.append("…")
            if group.bias:
                told.append(f"bias {network.get(group.name)[unit]:+.3g}")
            lines.append(f"{names[group.name][unit]}: {', '.join(told) or 'no inputs'}")
    return lines


def incoming(network: Network, target: str, names: dict[str, list[str]]) -> tuple[list[str], Floats]:
    """Return the names of all nodes that a group sees, and their weights, one column per unit."""
    sources: list[str] = []
    parts = [np.empty((0, network.group(target).size))]
    for link in network.links:
        if link.target == target and not link.delay:
            sources += names[link.source]
            parts.append(network.get((link.source, link.target)))
    return sources, np.concatenate(parts)


def layers_view(hypothesis: TrainedNetwork) -> dict[str, Any] | None:
    """Return the layers with their units and a weight matrix per link; None if there are too many."""
    network, names = hypothesis.network, node_names(hypothesis)
    if network.has_windows or sum(group.size for group in network.groups) > MOST_DRAWN:
        return None
    places = [network.groups[k] for k in network.plan.order]
    at = {group.name: k for k, group in enumerate(places)}
    links = [
        {
            "from": at[link.source],
            "to": at[link.target],
            "weights": network.get((link.source, link.target)).tolist(),
        }
        for link in network.links
        if not link.delay
    ]
    layers = [
        {
            "name": group.name,
            "unit": group.unit,
            "units": names[group.name],
            "bias": network.get(group.name).tolist() if group.bias and group.unit != "input" else [],
        }
        for group in places
    ]
    return {"layers": layers, "links": links}


def weight_frame(hypothesis: TrainedNetwork) -> DataFrame:
    """Return all connections as a frame; biases have the source "1"."""
    import polars as pl

    network, names = hypothesis.network, node_names(hypothesis)
    scales = dict(zip(hypothesis.input_names(), input_scales(hypothesis.view).tolist(), strict=True))
    units: list[str] = []
    sources: list[str] = []
    weights: list[float] = []
    for place in network.plan.order:
        group = network.groups[place]
        if group.unit == "input":
            continue
        found, matrix = incoming(network, group.name, names)
        for unit, name in enumerate(names[group.name]):
            units += [name] * (len(found) + group.bias)
            sources += [*found, *(["1"] if group.bias else [])]
            weights += matrix[:, unit].tolist()
            weights += [float(network.get(group.name)[unit])] if group.bias else []
    own = [weight / scales.get(source, 1.0) for weight, source in zip(weights, sources, strict=True)]
    return pl.DataFrame({"unit": units, "source": sources, "weight": weights, "per unit": own})


def input_scales(view: NumericView) -> Floats:
    """Return the divisor of each input; 1 for indicators."""
    found, place = np.ones(len(view.mean)), 0
    for column, position in zip(view.schema, positions(view.schema), strict=True):
        if position >= 0:
            found[place] = view.scale[position]
        place += 1 if position >= 0 else len(column.domain)
    return found


def input_offsets(view: NumericView) -> Floats:
    """Return the offset subtracted from each input; 0 for indicators."""
    found, place = np.zeros(len(view.mean)), 0
    for column, position in zip(view.schema, positions(view.schema), strict=True):
        if position >= 0:
            found[place] = view.offset[position]
        place += 1 if position >= 0 else len(column.domain)
    return found
