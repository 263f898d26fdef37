"""Explanation of a radial basis function network: the contribution of each kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.core.explained import Explained
from induce.core.ties import largest_first
from induce.core.values import Value
from induce.data.numeric_view import Floats
from induce.hypotheses.naming import plural, value_text
from induce.instances.rbf.fitting import activations
from induce.instances.units import CELLS, point_text, shown

if TYPE_CHECKING:
    from induce.instances.rbf.hypothesis import KernelNetwork

SHOWN = 5
"""Number of kernels that are listed."""


@dataclass(frozen=True)
class KernelPart:
    """Contribution of one kernel: its index, K_u(d), w_u K_u(d), and its centre."""

    kernel: int
    activation: float
    adds: float
    centre: str


@dataclass(frozen=True)
class KernelExplanation(Explained):
    """A prediction as a sum: `output` is `bias` plus the contributions of the kernels.

    Parameters
    ----------
    prediction : number or class
    output : float
        Predicted number, or output of the predicted class.
    bias : float
        Bias w_0.
    parts : tuple of KernelPart
        Contributions, largest first; further ones are in `rest`.
    rest : float
    n_rest : int
    """

    prediction: Value
    output: float
    bias: float
    parts: tuple[KernelPart, ...]
    rest: float
    n_rest: int

    def __str__(self) -> str:
        said = shown(self.prediction) if isinstance(self.prediction, float) else value_text(self.prediction)
        lines = [
            f"{said} because the output is {shown(self.output)}",
            f"  {shown(self.bias):>10}  bias",
        ]
        for part in self.parts:
            sign = "+" if part.adds >= 0 else ""
            lines.append(
                f"  {sign + shown(part.adds):>10}  near {part.centre} (kernel {shown(part.activation, 2)})"
            )
        if self.n_rest:
            lines.append(f"  {shown(self.rest):>10}  by {plural(self.n_rest, 'further kernel')}")
        return "\n".join(lines)


def explained(
    network: KernelNetwork, points: Floats, said: list[Value], outputs: NDArray[np.int64]
) -> tuple[KernelExplanation, ...]:
    """Explain the predictions for the given points by one output unit each."""
    kernels = activations(points, network.centres, network.widths)
    told = []
    for prediction, active, output in zip(said, kernels, outputs, strict=True):
        adds = active * network.weights[:, output]
        order = largest_first(np.abs(adds))
        parts = tuple(
            KernelPart(
                int(u),
                float(active[u]),
                float(adds[u]),
                point_text(network.view, network.centres[u], 3, CELLS),
            )
            for u in order[:SHOWN]
        )
        bias = float(network.bias[output])
        rest = float(adds[order[SHOWN:]].sum())
        told.append(
            KernelExplanation(
                prediction, bias + float(adds.sum()), bias, parts, rest, max(0, len(order) - SHOWN)
            )
        )
    return tuple(told)
