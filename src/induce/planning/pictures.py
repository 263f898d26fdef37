"""Plots of learned planning knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, Protocol


class Useful(Protocol):
    """Learned rule or macro with its training record."""

    @property
    def saved(self) -> float:
        """Savings."""

    @property
    def cost(self) -> float:
        """Costs."""


def utility_bars(learned: Sequence[Useful], title: str, unit: str, cost: str) -> Any:
    """Return a matplotlib figure of the savings and costs of learned items."""
    from matplotlib.figure import Figure

    texts = ["\n".join(wrap(str(one), 60)) for one in learned]
    figure = Figure(figsize=(9, 1.2 + 0.6 * max(1, len(texts))), layout="constrained")
    axes = figure.subplots()
    places = [*range(len(texts))]
    axes.barh([place - 0.2 for place in places], [one.saved for one in learned], 0.4, label="saved")
    axes.barh([place + 0.2 for place in places], [one.cost for one in learned], 0.4, label=cost)
    axes.set_yticks(places, texts, fontsize=8)
    axes.invert_yaxis()
    axes.set_xscale("symlog")
    axes.set_xlabel(unit)
    axes.set_title(title)
    if texts:
        axes.legend()
    return figure
