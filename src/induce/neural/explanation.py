"""Why a network says what it says: what each column changes, and the code of the hidden units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.ties import largest_first
from induce.data.numeric_view import Floats
from induce.data.table import Table
from induce.hypotheses.naming import number_text, value_text
from induce.neural.reading import shown

if TYPE_CHECKING:
    from induce.neural.hypothesis import NeuralClassNetwork, NeuralNetwork

SHOWN = 5
"""So many columns are listed."""


@dataclass(frozen=True)
class ColumnEffect:
    """What one column changed: the prediction minus what it would be if the cell were missing."""

    column: str
    cell: str
    effect: float


@dataclass(frozen=True)
class NetworkExplanation:
    """A prediction, and what each column changed.

    Parameters
    ----------
    prediction : class, number or list of numbers
    judged : float
        The probability of the class, or the number (of several, the first).
    effects : tuple of ColumnEffect
        The largest first.
    code : tuple of float
        What the last hidden units say; empty without any.
    what : str
        What is explained: "probability" or the name of the number.
    """

    prediction: Any
    judged: float
    effects: tuple[ColumnEffect, ...]
    code: tuple[float, ...]
    what: str

    def __str__(self) -> str:
        said = self.prediction
        head = (
            value_text(said)
            if not isinstance(said, float | list)
            else ", ".join(shown(number) for number in np.atleast_1d(said).tolist())
        )
        if self.what == "probability":
            head += f" with probability {shown(self.judged, 3)}"
        lines = [head]
        for each in self.effects[:SHOWN]:
            lines.append(f"  {each.effect:+.3g}  because {value_text(each.column)} is {each.cell}")
        if self.code:
            lines.append(f"  hidden units {' '.join(shown(unit, 2) for unit in self.code)}")
        return "\n".join(lines)


def explained(
    network: NeuralNetwork | NeuralClassNetwork,
    table: Table,
    said: list[Any],
    judged: Floats,
    outputs: NDArray[np.intp],
) -> tuple[NetworkExplanation, ...]:
    """Explain what is predicted for rows, each by one output."""
    inputs = network.view.matrix(table)
    codes = network.network.said(network.hidden(), inputs) if network._has_hidden() else None
    parts, names = _parts(network), network.view.schema.names()
    what = "probability" if hasattr(network, "classes") else network.output_names()[0]
    told = []
    for row, prediction in enumerate(said):
        without = np.repeat(inputs[row : row + 1], len(parts), axis=0)
        for place, part in enumerate(parts):
            without[place, part] = network.view.mean[part]
        changed = judged[row] - network.judged(network.network(without), int(outputs[row]))
        order = largest_first(np.abs(changed), scale=1.0)
        effects = tuple(
            ColumnEffect(names[int(k)], _cell(table, row, int(k)), float(changed[k]))
            for k in order
            if abs(changed[k]) > 1e-12
        )
        code = () if codes is None else tuple(codes[row].tolist())
        told.append(NetworkExplanation(prediction, float(judged[row]), effects, code, what))
    return tuple(told)


def _parts(network: NeuralNetwork | NeuralClassNetwork) -> list[slice]:
    """Return which inputs each column becomes."""
    found, start = [], 0
    for column in network.view.schema:
        width = len(column.domain) if column.kind == "nominal" else 1
        found.append(slice(start, start + width))
        start += width
    return found


def _cell(table: Table, row: int, place: int) -> str:
    """Write a cell of a table."""
    column, value = list(table.schema)[place], table.column(place)[row]
    if column.kind == "nominal":
        return value_text(column.domain[value]) if value >= 0 else "missing"
    return "missing" if np.isnan(value) else number_text(float(f"{float(value):.6g}"))
