"""Plots of a training run: errors, codes and weights over the epochs (Figs 4.8 and 4.9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.reports import shortened
from induce.data.numeric_view import Floats
from induce.neural.text import incoming, node_names
from induce.pictures.courses import draw_course
from induce.pictures.style import PALETTE, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.neural.hypothesis import TrainedNetwork

PANELS, LINES = 6, 12


def draw_errors(network: TrainedNetwork, X: Any = None, y: Any = None) -> Figure:
    """Draw the training and validation errors over the epochs, marking the chosen epoch (Fig. 4.9)."""
    record = network.record
    courses = {"training loss": (record.epochs, record.loss)}
    held_out = len(record.validation) > 0
    if held_out:
        courses["validation error"] = (record.epochs, record.validation)
    title = shortened(f"{network.target}: {record.reason}", 80)
    return draw_course(courses, title, record.chosen if held_out else None)


def draw_codes(network: TrainedNetwork, X: Any = None, y: Any = None) -> Figure:
    """Draw the outputs of the hidden units over the epochs, one panel per unit (Fig. 4.8, second plot)."""
    rows = np.eye(network.network.n_inputs) if X is None else network.rows(X)
    name = network.hidden()
    said = np.stack([network.network.with_weights(w).said(name, rows) for w in _snapshots(network)])
    labels = network.input_names() if X is None else tuple(f"row {k}" for k in range(len(rows)))
    titles = [f"{name}[{unit}]" for unit in range(said.shape[2])]
    return _panels(network, [said[:, :, unit] for unit in range(said.shape[2])], titles, labels)


def draw_paths(network: TrainedNetwork, X: Any = None, y: Any = None) -> Figure:
    """Draw the weights into each hidden unit over the epochs, one panel per unit (Fig. 4.8, third plot)."""
    name, names = network.hidden(), node_names(network)
    units: list[Floats] = []
    labels: list[str] = []
    for w in _snapshots(network):
        value = network.network.with_weights(w)
        labels, matrix = incoming(value, name, names)
        if value.group(name).bias:
            labels, matrix = ["bias", *labels], np.concatenate([value.get(name)[np.newaxis], matrix])
        units.append(matrix)
    ways = np.stack(units)
    titles = [f"{name}[{unit}]" for unit in range(ways.shape[2])]
    return _panels(network, [ways[:, :, unit] for unit in range(ways.shape[2])], titles, labels)


def draw_outputs(network: TrainedNetwork, X: Any = None, y: Any = None) -> Figure:
    """Draw the squared error of each output over the epochs, summed over rows (Fig. 4.8, first plot)."""
    if X is None or y is None:
        raise InputError("the plot of output errors needs examples; give X and y")
    rows, targets = network.rows(X), network.task(y)[0]
    said = np.stack([network.network.with_weights(w)(rows) for w in _snapshots(network)])
    errors = np.square(said - targets).sum(axis=1)
    return _panels(network, [errors], ["squared error of each output"], network.output_names())


def _snapshots(network: TrainedNetwork) -> Floats:
    if len(network.record.snapshots) < 2:
        raise InputError(
            "the network kept no weights of earlier epochs, which only small networks do; use kind 'errors'"
        )
    return network.record.snapshots


def _panels(
    network: TrainedNetwork, parts: Sequence[Floats], titles: Sequence[str], labels: Sequence[str]
) -> Figure:
    """Draw one panel per part, with one row per snapshot and one line per column."""
    from matplotlib.figure import Figure

    n = min(PANELS, len(parts))
    figure = Figure(figsize=(1.5 + 2.6 * max(n, 1.4), 3.2), layout="constrained")
    panels = figure.subplots(1, n, sharey=True, squeeze=False)[0]
    for axes, part, title in zip(panels, parts, titles, strict=False):
        for k in range(min(LINES, part.shape[1])):
            axes.plot(
                network.record.snapshot_epochs,
                part[:, k],
                color=PALETTE[k % len(PALETTE)],
                lw=1.2,
                label=labels[k],
            )
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("epoch")
        tidy(axes)
    handles, texts = panels[0].get_legend_handles_labels()
    figure.legend(
        handles, [shortened(text, 18) for text in texts], frameon=False, fontsize=8, loc="outside right upper"
    )
    return figure
