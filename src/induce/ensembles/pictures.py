"""Pictures of ensembles: the most important members, and the weights of the meta-learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from induce.core.reports import shortened
from induce.core.ties import levelled
from induce.ensembles.members import member_text
from induce.ensembles.stacked import LogisticTop
from induce.hypotheses.naming import value_text
from induce.pictures.style import DARK, PALETTE, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.ensembles.attribution import Attribution
    from induce.ensembles.averaged import NumberEnsemble
    from induce.ensembles.hypothesis import Ensemble
    from induce.ensembles.stacked import Stacked

MOST_BARS = 20
LONGEST = 60


def draw_members(ensemble: Ensemble) -> Figure:
    """Return a figure of the weights of the most important members, and their agreement with the vote."""
    from matplotlib.figure import Figure

    shown = ensemble.telling()[:MOST_BARS]
    names = [f"{ensemble.name(k)}: {member_text(ensemble.members[k])}" for k in shown]
    names = [shortened(name, LONGEST) for name in names]
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
            f"the {len(shown)} most important of {len(ensemble.members)} members", fontsize=10, loc="left"
        )
    for axes in (left, right):
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
    return figure


def draw_stacked(stacked: Stacked) -> Figure:
    """Return a figure of the weights of a logistic meta-hypothesis, or the picture of any other."""
    from matplotlib.figure import Figure

    if not isinstance(stacked.top, LogisticTop):
        return cast("Figure", stacked.top.draw())
    weights = stacked.top.coefficients
    if len(stacked.classes) == 2:  # effect of a vote for the second class, compared with one for the first
        own = weights[1][:, [1]] - weights[1][:, [0]]
    else:
        own = np.stack([weights[c, :, c] for c in range(len(stacked.classes))], axis=1)
    names = list(stacked.names)
    figure = Figure(figsize=(7.0, 1.4 + 0.45 * len(names)), layout="constrained")
    axes = figure.add_subplot()
    height = 0.8 / own.shape[1]
    shown = stacked.classes[1:] if own.shape[1] == 1 else stacked.classes
    for c, value in enumerate(shown):
        places = np.arange(len(names)) + (c - (own.shape[1] - 1) / 2) * height
        axes.barh(places, own[:, c], height=height, color=PALETTE[c % len(PALETTE)], label=value_text(value))
    axes.set_yticks(range(len(names)), names, parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.axvline(0, color=DARK, lw=0.8)
    axes.set_xlabel("effect of the member's probability of a class on its log odds")
    figure.legend(loc="outside upper right", ncols=min(6, len(shown)), frameon=False, fontsize=9)
    tidy(axes, grid="x")
    axes.tick_params(axis="y", length=0)
    return figure


def draw_numbers(ensemble: NumberEnsemble) -> Figure:
    """Return a figure of the most important columns of an ensemble of trees, or of the weights of its members."""
    from matplotlib.figure import Figure

    from induce.trees.regression.hypothesis import RegressionTree

    if all(isinstance(member, RegressionTree) for member in ensemble.members):
        amounts, names = ensemble.importances, list(map(value_text, ensemble.schema.names()))
        about = "fraction of the squared error removed"
    else:
        amounts = ensemble.shares
        names = [f"{k + 1}: {member_text(member)}" for k, member in enumerate(ensemble.members)]
        about = "fraction of the total weight"
    order = np.argsort(-levelled(amounts), kind="stable")[:MOST_BARS].tolist()
    figure = Figure(figsize=(7.5, 1.2 + 0.28 * len(order)), layout="constrained")
    axes = figure.add_subplot()
    axes.barh(range(len(order)), [float(amounts[k]) for k in order], color=PALETTE[0])
    axes.set_yticks(
        range(len(order)), [shortened(names[k], LONGEST) for k in order], parse_math=False, fontsize=9
    )
    axes.set_ylim(len(order) - 0.4, -0.6)
    axes.set_xlabel(about)
    tidy(axes, grid="x")
    axes.tick_params(axis="y", length=0)
    return figure


def draw_attribution(attribution: Attribution, heading: str) -> Figure:
    """Return a figure of the contribution of each column to a score, with positive ones to the right."""
    from matplotlib.figure import Figure

    shown = attribution.parts[:MOST_BARS]
    figure = Figure(figsize=(7.5, 1.4 + 0.28 * len(shown)), layout="constrained")
    axes = figure.add_subplot()
    amounts = [part.amount for part in shown]
    colours = [PALETTE[0] if amount >= 0 else PALETTE[1] for amount in amounts]
    axes.barh(range(len(shown)), amounts, color=colours)
    names = [shortened(part.text, LONGEST) for part in shown]
    axes.set_yticks(range(len(shown)), names, parse_math=False, fontsize=9)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.axvline(0, color=DARK, lw=0.8)
    axes.set_xlabel(f"added to {attribution.base:.3g}, the base for any row")
    axes.set_title(heading, fontsize=10, loc="left")
    tidy(axes, grid="x")
    axes.tick_params(axis="y", length=0)
    return figure
