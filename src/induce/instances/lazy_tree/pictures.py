"""Figures of lazy decision trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.core.reports import shortened
from induce.core.ties import ranked
from induce.hypotheses.naming import count_text
from induce.pictures.style import PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.instances.lazy_tree.hypothesis import BranchExplanation, LazyTree

MOST = 15
LETTERS = 40


def draw_gains(tree: LazyTree) -> Figure:
    """Return a figure of the gain of each column on all examples."""
    gains = ranked(tree.root_gains().items(), lambda each: each[1])[:MOST]
    figure, axes = axes_for(None, height=1.2 + 0.3 * len(gains))
    places = range(len(gains))
    axes.barh(places, [gain for _, gain in gains], color=PALETTE[0], height=0.7)
    axes.set_yticks(places, [shortened(name, LETTERS) for name, _ in gains], parse_math=False)
    axes.set_ylim(len(gains) - 0.4, -0.6)
    axes.set_xlabel("information gain on all examples (bits)")
    tidy(axes, "x")
    return figure


def draw_branch(tree: LazyTree, told: BranchExplanation) -> Figure:
    """Return a figure of a branch: the class distribution of the remaining examples after each test."""
    counts = np.array([*(step.counts for step in told.steps), told.rule.counts])
    labels = ["all examples", *(str(step.condition) for step in told.steps)]
    present = np.flatnonzero(counts.any(axis=0))[: len(PALETTE)]
    figure, axes = axes_for(None, height=1.5 + 0.42 * len(labels))
    places = np.arange(len(labels))
    totals = counts.sum(axis=1)
    start = np.zeros(len(labels))
    for number, place in enumerate(present):
        share = counts[:, place] / totals
        axes.barh(
            places, share, left=start, color=PALETTE[number], height=0.6, label=str(tree.classes[place])
        )
        start += share
    for y, total in zip(places, totals, strict=True):
        axes.annotate(count_text(float(total)), (1.01, y), va="center", fontsize=9, annotation_clip=False)
    axes.set_yticks(places, [shortened(label, LETTERS) for label in labels], parse_math=False)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.set_xlabel("fraction of each class; on the right the number of remaining examples")
    axes.legend(frameon=False, fontsize=9, ncols=4, loc="lower left", bbox_to_anchor=(0, 1.0))
    tidy(axes, "x")
    return figure
