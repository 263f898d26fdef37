"""Figures of prototypes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.core.ties import largest_first
from induce.hypotheses.naming import value_text
from induce.pictures.style import PALETTE, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.bayes.text.prototypes import Prototypes

MOST_CLASSES = 12
MOST_WORDS = 10


def draw_prototypes(model: Prototypes) -> Figure:
    """Draw, in a panel for each class, the words with the largest weights in its prototype."""
    from matplotlib.figure import Figure

    shown = sorted(np.argsort(-model.class_counts, kind="stable")[:MOST_CLASSES].tolist())
    n_columns = min(3, len(shown))
    n_rows = -(-len(shown) // n_columns)
    figure = Figure(figsize=(3.6 * n_columns, 0.5 + 2.2 * n_rows), layout="constrained")
    panels = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
    for axes, place in zip(panels, shown, strict=False):
        prototype = model.prototypes[place]
        order = largest_first(prototype)[:MOST_WORDS]
        words = [word for word in order.tolist() if prototype[word] > 0][::-1]
        axes.barh(range(len(words)), prototype[words], 0.7, color=PALETTE[0])
        labels = [value_text(model.vocabulary[word]) for word in words]
        axes.set_yticks(range(len(words)), labels, fontsize=8, parse_math=False)
        axes.tick_params(axis="x", labelsize=8)
        axes.set_title(value_text(model.classes[place]), fontsize=9, loc="left", parse_math=False)
        tidy(axes, "x")
    for axes in panels[len(shown) :]:
        axes.set_visible(False)
    left = len(model.classes) - len(shown)
    more = f"; {left:,} more not drawn" if left > 0 else ""
    title = f"{value_text(model.target)}: the words with the largest weights in each prototype{more}"
    figure.suptitle(title, fontsize=10, x=0.01, ha="left", parse_math=False)
    return figure
