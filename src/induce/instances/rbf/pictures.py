"""Figures of radial basis function networks."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from induce.data.numeric_view import Floats
from induce.instances.rbf.fitting import activations
from induce.instances.rbf.hypothesis import RBFClassNetwork
from induce.instances.units import CELLS, offset_and_scale, point_text
from induce.pictures.style import DARK, GREY, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.instances.rbf.hypothesis import KernelNetwork

POINTS = 400
MOST_BARS = 12
LETTERS = 44


def draw(network: KernelNetwork) -> Figure:
    """Return a figure: the kernels and their sum, a map of two columns, or the weights."""
    n = network.centres.shape[1]
    numeric = all(column.kind != "nominal" for column in network.view.schema)
    if n == 1 and numeric:
        return _curves(network)
    return _map(network) if n == 2 and numeric else _bars(network)


def _span(network: KernelNetwork, column: int, n: int) -> Floats:
    """Return values of a column that span all kernels."""
    reach = min(2.0 * float(network.widths.max()), 0.3 * float(np.ptp(network.centres[:, column])) or np.inf)
    ends = network.centres[:, column]
    return np.linspace(float(ends.min()) - reach, float(ends.max()) + reach, n)


def _curves(network: KernelNetwork) -> Figure:
    """Draw the contribution of each kernel, and the sum of all."""
    (offset,), (scale,) = offset_and_scale(network.view)
    z = _span(network, 0, POINTS)
    kernels = activations(z[:, np.newaxis], network.centres, network.widths)
    figure, axes = axes_for(None)
    if isinstance(network, RBFClassNetwork):
        for output, value in enumerate(network.classes):
            colour = PALETTE[output % len(PALETTE)]
            axes.plot(
                z * scale + offset,
                network.bias[output] + kernels @ network.weights[:, output],
                color=colour,
                label=str(value),
            )
        axes.legend(frameon=False, fontsize=9)
        axes.set_ylabel("output")
    else:
        for number, column in enumerate((kernels * network.weights[:, 0]).T):
            label = "contribution of each kernel" if number == 0 else None
            axes.plot(z * scale + offset, column, color=PALETTE[4], lw=0.9, label=label)
        axes.axhline(float(network.bias[0]), color=GREY, lw=0.9, ls="--", label="w0")
        axes.plot(
            z * scale + offset, network.outputs(z[:, np.newaxis])[:, 0], color=PALETTE[0], lw=2, label="sum"
        )
        axes.legend(frameon=False, fontsize=9)
        axes.set_ylabel(network.target, parse_math=False)
    axes.set_xlabel(network.view.names[0], parse_math=False)
    tidy(axes, "both")
    return figure


def _map(network: KernelNetwork) -> Figure:
    """Draw the predictions over two columns, with the kernels as ellipses one width around their centres."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Ellipse

    offset, scale = offset_and_scale(network.view)
    ends = [_span(network, j, 160) for j in range(2)]
    points = np.stack(np.meshgrid(*ends), axis=-1).reshape(-1, 2)
    outputs = network.outputs(points)
    figure, axes = axes_for(None, 6.4, 4.8)
    x, y = (ends[j] * scale[j] + offset[j] for j in range(2))
    if isinstance(network, RBFClassNetwork):
        n = len(network.classes)
        colours = ListedColormap([PALETTE[k % len(PALETTE)] for k in range(n)])
        found = outputs.argmax(axis=1).reshape(160, 160)
        axes.pcolormesh(
            x, y, found, cmap=colours, vmin=-0.5, vmax=n - 0.5, alpha=0.35, shading="nearest", rasterized=True
        )
        for k, value in enumerate(network.classes[:12]):
            axes.plot([], [], "s", color=PALETTE[k % len(PALETTE)], alpha=0.5, label=str(value))
        axes.legend(fontsize=9)
    else:
        mesh = axes.pcolormesh(
            x, y, outputs[:, 0].reshape(160, 160), cmap="viridis", shading="gouraud", rasterized=True
        )
        figure.colorbar(mesh, ax=axes).set_label(network.target, parse_math=False)
    for centre, width in zip(network.centres, network.widths, strict=True):
        axes.add_patch(
            Ellipse(
                tuple(centre * scale + offset), *(2 * width * scale), fill=False, ec=DARK, lw=0.7, alpha=0.5
            )
        )
    axes.plot(*(network.centres * scale + offset).T, "+", color=DARK, ms=7)
    axes.set_xlim(x[0], x[-1])
    axes.set_ylim(y[0], y[-1])
    axes.set_xlabel(network.view.names[0], parse_math=False)
    axes.set_ylabel(network.view.names[1], parse_math=False)
    return figure


def _bars(network: KernelNetwork) -> Figure:
    """Draw the weights of the kernels at their positions, by class if there are classes."""
    sizes = np.abs(network.weights).max(axis=1)
    order = np.argsort(-sizes, kind="stable")[:MOST_BARS]
    texts = [point_text(network.view, network.centres[kernel], 3, CELLS) for kernel in order]
    labels = ["\n".join(wrap(text, LETTERS, max_lines=2, placeholder=" …")) for text in texts]
    figure, axes = axes_for(None, 8.5, 1.4 + 0.42 * len(order))
    names = (
        [str(value) for value in network.classes]
        if isinstance(network, RBFClassNetwork)
        else [network.target]
    )
    high = 0.8 / len(names)
    places = np.arange(len(order))
    for output, name in enumerate(names):
        axes.barh(
            places + (output - (len(names) - 1) / 2) * high,
            network.weights[order, output],
            height=high,
            color=PALETTE[output % len(PALETTE)],
            label=name,
        )
    axes.axvline(0, color=DARK, lw=0.8)
    axes.set_yticks(places, labels, fontsize=7.5, parse_math=False)
    axes.invert_yaxis()
    axes.set_xlabel("weight of the kernel near")
    if len(names) > 1:
        axes.legend(frameon=False, fontsize=9)
    tidy(axes, "x")
    return figure
