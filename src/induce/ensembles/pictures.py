"""The picture of an ensemble: its most telling members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.pictures import PALETTE
from induce.ensembles.speaking import member_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.ensembles.hypothesis import Ensemble

MOST_BARS = 20
LONGEST = 60


def draw_members(ensemble: Ensemble) -> Figure:
    """Return a figure of the weights of the most telling members, and how often each agrees with the vote."""
    from matplotlib.figure import Figure

    shown = ensemble.telling()[:MOST_BARS]
    names = [f"{ensemble.name(k)}: {member_text(ensemble.members[k])}" for k in shown]
    names = [name if len(name) <= LONGEST else name[: LONGEST - 1] + "…" for name in names]
    figure = Figure(figsize=(9.5, 1.3 + 0.28 * len(shown)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    places = range(len(shown))
    left.barh(places, [float(ensemble.weights[k]) for k in shown], color=PALETTE[0])
    right.barh(places, [float(ensemble.agreement[k]) for k in shown], color=PALETTE[1])
    left.set_yticks(places, names, parse_math=False, fontsize=9)
    left.set_ylim(len(shown) - 0.4, -0.6)
    left.set_xlabel("weight")
    right.set_xlabel("agrees with the vote")
    right.set_xlim(0, 1)
    rest = len(ensemble.members) - len(shown)
    if rest:
        left.set_title(
            f"the {len(shown)} most telling of {len(ensemble.members)} members", fontsize=10, loc="left"
        )
    for axes in (left, right):
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
    return figure
