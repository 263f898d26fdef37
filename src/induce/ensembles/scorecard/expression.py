"""Scorecards as expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from induce.ensembles.expression import step_function
from induce.ensembles.scorecard.points import Points
from induce.ensembles.steps import Steps
from induce.hypotheses.expressions.nodes import Case, Comparison, Constant, Expression, Largest, Sum

if TYPE_CHECKING:
    from induce.ensembles.scorecard.card import Scorecard


def points_of(card: Scorecard) -> Expression:
    """Return the second class if the points sum to more than 0, or the class with the most points."""
    classes = tuple(map(Constant, card.classes))
    if len(classes) == 1:
        return classes[0]
    if len(card.start) > 1:
        start = Constant(tuple(card.start.tolist()))
        return Largest(Sum((start, *(_steps(part, several=True) for part in card.attributes))), classes)
    counted = [part for part in card.attributes if part.points.any()]
    total = Sum((Constant(float(card.start[0])), *(_steps(part, several=False) for part in counted)))
    return Case(((Comparison(total, ">", Constant(0.0)), classes[1]),), classes[0])


def _steps(part: Points, several: bool) -> Expression:
    rows = part.points.tolist()
    *says, unseen, missing = (Constant(tuple(row) if several else row[0]) for row in rows)
    return step_function(Steps(part.column, tuple(part.ends.tolist()), tuple(says), missing, unseen))
