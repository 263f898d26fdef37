"""Drawings of theories: one bar per clause."""

from __future__ import annotations

import re
from textwrap import wrap
from typing import TYPE_CHECKING

from induce.core.reports import shortened
from induce.hypotheses.tables import RIGHT, WRONG
from induce.pictures.style import axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.hypotheses.theory import Theory

MOST_CLAUSES = 40
LINE_WIDTH, MOST_LINES = 64, 5
"""Maximum numbers of characters per line and of lines per clause."""
PER_LINE = 0.55
"""Height of a text line; a bar has the height 0.8."""


def draw_theory(theory: Theory) -> Figure:
    """Draw the training examples that each clause is the first to cover, and those that none covers.

    Clauses of invented predicates have no bar. Long clauses are wrapped, very long ones are shortened, and
    only the first of very many are drawn; the printed theory is complete.
    """
    shown = theory.clauses[:MOST_CLAUSES]
    labels = [_in_lines(str(clause)) for clause in shown]
    right, wrong = map(list, zip(*theory.right_and_wrong()[: len(shown)], strict=True)) if shown else ([], [])
    if len(theory.clauses) > len(shown):
        labels.append(f"… and {len(theory.clauses) - len(shown):,} more")
        right.append(0.0)
        wrong.append(0.0)
    left_right, left_wrong = theory.right_and_wrong()[-1]
    labels.append(f"no clause: {theory.otherwise()}")
    heights = [max(1.0, PER_LINE * (label.count("\n") + 1)) for label in labels]
    places = [sum(heights[:number]) + height / 2 for number, height in enumerate(heights)]
    figure, axes = axes_for(None, 11.0, 1.4 + 0.3 * sum(heights))
    axes.barh(places, [*right, left_right], color=RIGHT, label="right")
    axes.barh(places, [*wrong, left_wrong], left=[*right, left_right], color=WRONG, label="wrong")
    axes.set_yticks(places, labels, fontsize=8, parse_math=False)
    axes.set_ylim(sum(heights) + 0.1, -0.1)
    axes.set_xlabel("training examples")
    axes.set_title(f"{theory.target}: {theory.size()}", fontsize=10, loc="left", parse_math=False)
    axes.legend(frameon=False, fontsize=8, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
    tidy(axes, "x")
    return figure


def _in_lines(clause: str) -> str:
    """Break a clause into lines between literals."""
    text = re.sub(r"\([^()]*\)", lambda one: one.group().replace(" ", "\xa0"), clause)
    text = shortened(text, LINE_WIDTH * MOST_LINES)
    return "\n".join(wrap(text, LINE_WIDTH, break_long_words=False, break_on_hyphens=False))
