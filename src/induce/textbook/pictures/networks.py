"""Mitchell, chapter 4: units, error surfaces and hidden representations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import induce
from induce.textbook.pictures.panels import panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _gates() -> Figure:
    """Draw the perceptron learned for AND, and the best perceptron for XOR."""
    import warnings

    import numpy as np

    from induce.textbook.linear import SIGNS
    from induce.textbook.pictures.planes import decided

    figure, both = panels(2, 3.4, 3.2)
    gates = {"AND": SIGNS.min(axis=1) > 0, "XOR": SIGNS.prod(axis=1) < 0}
    for axes, (name, truth) in zip(both, gates.items(), strict=True):
        y = np.where(truth, "+", "-").tolist()
        with warnings.catch_warnings(action="ignore"):
            unit = induce.Perceptron(variant="pocket", max_epochs=20).fit(SIGNS, y)
        decided(axes, unit, SIGNS, y, 0.6)
        axes.set_title(f"{name}: {round(unit.score(SIGNS, y) * 4)} of 4 right", fontsize=10)
    return figure


PICTURES = {"mitchell-4.4.2-gates": _gates}
