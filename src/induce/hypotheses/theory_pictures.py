"""A theory as a picture: a bar for each clause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.core.reports import shortened
from induce.hypotheses.tables import RIGHT, WRONG
from induce.pictures.style import axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.hypotheses.theory import Theory

MOST_CLAUSES = 40
LABEL_WIDTH = 76


def draw_theory(theory: Theory) -> Figure:
    """Draw the training examples that each clause is the first to cover, and those that none covers.

    Of an invented predicate's clause there are none. Long clauses are shortened, and of very many only the first are
    drawn; what is printed says everything.
    """
    shown = theory.clauses[:MOST_CLAUSES]
    labels = [shortened(str(clause), LABEL_WIDTH) for clause in shown]
    right, wrong = map(list, zip(*theory.right_and_wrong()[: len(shown)], strict=True)) if shown else ([], [])
    if len(theory.clauses) > len(shown):
        labels.append(f"… and {len(theory.clauses) - len(shown):,} more")
        right.append(0.0)
        wrong.append(0.0)
    left_right, left_wrong = theory.right_and_wrong()[-1]
    labels.append(f"no clause: {theory.otherwise()}")
    places = range(len(labels))
    figure, axes = axes_for(None, 11.0, 1.4 + 0.3 * len(labels))
    axes.barh(places, [*right, left_right], color=RIGHT, label="right")
    axes.barh(places, [*wrong, left_wrong], left=[*right, left_right], color=WRONG, label="wrong")
    axes.set_yticks(places, labels, fontsize=8, parse_math=False)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlabel("training examples")
    axes.set_title(f"{theory.target}: {theory.size()}", fontsize=10, loc="left", parse_math=False)
    axes.legend(frameon=False, fontsize=8, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
    tidy(axes, "x")
    return figure
