"""Explanations of a network's predictions: the effect of each column, and the code of the hidden units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.explained import Explained
from induce.core.ties import largest_first
from induce.data.numeric_view import Floats
from induce.data.schema import Column
from induce.data.table import Table
from induce.hypotheses.naming import mean_text, number_text, threshold_text, value_text, with_unit
from induce.neural.text import input_offsets, input_scales, shown

if TYPE_CHECKING:
    from induce.neural.hypothesis import NeuralClassNetwork, NeuralNetwork

SHOWN = 5
"""Maximum number of listed columns."""
STEP = 1e-5
"""Half the interval of a slope's finite difference, in standard deviations."""
MOST_VALUES = 30
"""Maximum number of values of a column that are tried one by one."""
REACH, CELLS = 4.0, 81
"""Range of the search for a class change along a column, in standard deviations, and number of steps."""


@dataclass(frozen=True)
class ColumnEffect:
    """Effect of one column: the prediction minus the prediction with that cell missing."""

    column: str
    cell: str
    effect: float
    slope: float = 0.0
    """Slope of the explained output with respect to a numeric column, at the cell; 0 for nominal columns."""


@dataclass(frozen=True)
class NetworkExplanation(Explained):
    """A prediction and the effect of each column on it.

    Parameters
    ----------
    prediction : class, number or list of numbers
    judged : float
        Probability of the predicted class, or the predicted number (the first of several).
    effects : tuple of ColumnEffect
        Effects of the columns, largest first.
    code : tuple of float
        Outputs of the last hidden layer; empty if there is none.
    what : str
        Explained output: "probability" or the name of the numeric target.
    rule : tuple of str
        Conditions on single columns under which the class stays the same if the other columns keep their
        values, the tightest first; empty for regression.
    """

    prediction: Any
    judged: float
    effects: tuple[ColumnEffect, ...]
    code: tuple[float, ...]
    what: str
    rule: tuple[str, ...] = ()

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
        if self.rule:
            lines.append(
                f"  if only one column changes, the class stays the same while {', '.join(self.rule)}"
            )
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
    """Explain the prediction for each row by one output."""
    inputs = network.view.matrix(table)
    codes = network.network.said(network.hidden(), inputs) if network._has_hidden() else None
    parts, names = _parts(network), network.view.schema.names()
    classes = hasattr(network, "classes")
    what = "probability" if classes else network.output_names()[0]
    scales = input_scales(network.view)
    told = []
    for row, prediction in enumerate(said):
        without = np.repeat(inputs[row : row + 1], len(parts), axis=0)
        for place, part in enumerate(parts):
            without[place, part] = network.view.mean[part]
        changed = judged[row] - network.judged(network.network(without), int(outputs[row]))
        order = largest_first(np.abs(changed), scale=1.0)
        slopes = _slopes(network, inputs[row], int(outputs[row]), parts, scales)
        kept = [int(k) for k in order if abs(changed[k]) > 1e-12]
        effects = tuple(
            ColumnEffect(names[k], _cell(table, row, k), float(changed[k]), float(slopes[k])) for k in kept
        )
        code = () if codes is None else tuple(codes[row].tolist())
        rule = _nearest_rule(network, inputs[row], kept[:SHOWN], parts) if classes else ()
        told.append(NetworkExplanation(prediction, float(judged[row]), effects, code, what, rule))
    return tuple(told)


def _slopes(
    network: NeuralNetwork | NeuralClassNetwork,
    inputs: Floats,
    output: int,
    parts: list[slice],
    scales: Floats,
) -> Floats:
    """Return the derivative of the explained output with respect to each unscaled numeric column."""
    numeric = [place for place, column in enumerate(network.view.schema) if column.kind != "nominal"]
    around = np.repeat(inputs[np.newaxis], 2 * len(numeric), axis=0)
    for k, place in enumerate(numeric):
        around[2 * k, parts[place].start] += STEP
        around[2 * k + 1, parts[place].start] -= STEP
    found = np.zeros(len(parts))
    if numeric:
        said = network.judged(network.network(around), output)
        found[numeric] = (said[::2] - said[1::2]) / (2 * STEP)
        found[numeric] /= scales[[parts[place].start for place in numeric]]
    return found


def _nearest_rule(network: Any, inputs: Floats, places: list[int], parts: list[slice]) -> tuple[str, ...]:
    """Return the ranges of single columns within which the class stays the same, the nearest limit first."""
    found: list[tuple[float, str]] = []
    for place in places:
        column = list(network.view.schema)[place]
        if column.kind == "nominal":
            found += _kept_values(network, column, inputs, parts[place])
        else:
            found += _kept_interval(network, column, inputs, parts[place].start)
    return tuple(text for _, text in sorted(found))


def _kept_values(network: Any, column: Any, inputs: Floats, part: slice) -> list[tuple[float, str]]:
    """Return the values of a nominal column that leave the class unchanged, if other values change it.

    Columns with many values are omitted, because the list would be too long to read.
    """
    if len(column.domain) > MOST_VALUES:
        return []
    rows = np.repeat(inputs[np.newaxis], len(column.domain) + 1, axis=0)
    rows[1:, part] = np.eye(len(column.domain))
    said = network.in_scores(network.network(rows)).argmax(axis=1)
    kept = [value_text(value) for value, each in zip(column.domain, said[1:], strict=True) if each == said[0]]
    if not kept or len(kept) == len(column.domain):
        return []
    name = value_text(column.name)
    listed = ", ".join([*kept[:SHOWN], *(["…"] if len(kept) > SHOWN else [])])
    return [(1.0, f"{name} is {kept[0]}" if len(kept) == 1 else f"{name} is one of {listed}")]


def _kept_interval(network: Any, column: Column, inputs: Floats, place: int) -> list[tuple[float, str]]:
    """Return the interval of a numeric column that leaves the class unchanged, with the distance to each limit."""
    view, found = network.view, []
    scale, offset = float(input_scales(view)[place]), float(input_offsets(view)[place])
    reach = REACH * max(1.0, abs(float(inputs[place] - view.mean[place])))
    for sign, relation in ((1.0, "<"), (-1.0, ">")):
        low, high = 0.0, reach
        for _ in range(2):  # refine between the two steps found in the first pass
            steps = np.linspace(low, high, CELLS)
            rows = np.repeat(inputs[np.newaxis], CELLS + 1, axis=0)
            rows[1:, place] += sign * steps
            said = network.in_scores(network.network(rows)).argmax(axis=1)
            other = np.flatnonzero(said[1:] != said[0])
            if not len(other):
                break
            low, high = float(steps[max(0, other[0] - 1)]), float(steps[other[0]])
        else:
            limit = (float(inputs[place]) + sign * high) * scale + offset
            number = with_unit(shown(limit, 3), column.counted)
            told = mean_text(limit, column.temporal) if column.temporal else number
            found.append((high, f"{value_text(column.name)} {relation} {told}"))
    return found


def _parts(network: NeuralNetwork | NeuralClassNetwork) -> list[slice]:
    """Return the inputs derived from each column."""
    found, start = [], 0
    for column in network.view.schema:
        width = len(column.domain) if column.kind == "nominal" else 1
        found.append(slice(start, start + width))
        start += width
    return found


def _cell(table: Table, row: int, place: int) -> str:
    """Format a cell of a table."""
    column, value = list(table.schema)[place], table.column(place)[row]
    if column.kind == "nominal":
        return value_text(column.domain[value]) if value >= 0 else "missing"
    if np.isnan(value):
        return "missing"
    if column.temporal:
        return threshold_text(float(value), column.temporal)
    return with_unit(number_text(float(f"{float(value):.6g}")), column.counted)
