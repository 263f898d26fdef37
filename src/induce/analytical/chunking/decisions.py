"""Operator selection by preferences, and the impasses where the preferences are inconclusive."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal as OneOf

from induce.analytical.chunking.memory import Situation
from induce.logic.terms import Term

Deadlock = OneOf["tie", "conflict", "no change"]


@dataclass(frozen=True)
class Choice:
    """Outcome of a decision.

    Parameters
    ----------
    operator : Term or None
        Selected operator; None at an impasse.
    impasse : {"tie", "conflict", "no change"} or None
    items : tuple of Term
        Remaining operators.
    """

    operator: Term | None
    impasse: Deadlock | None
    items: tuple[Term, ...]


def decide(situation: Situation, ignored: Collection[Term] = ()) -> Choice:
    """Choose one of the proposed operators, except the ignored ones.

    Rejected operators are removed. If any operator is best, only the best are kept; then dominated operators
    are removed, and the worst if others remain. The rest must be a single operator, or several that are all
    indifferent, of which the first is chosen. Two operators that are each better than the other are a
    conflict.
    """
    left = [one.arguments[0] for one in situation.of(("propose", 1))]

    def said(preference: str) -> set[Term]:
        return {one.arguments[0] for one in situation.of((preference, 1))}

    rejected, best, worst, equal = map(said, ("reject", "best", "worst", "indifferent"))
    left = [one for one in left if one not in rejected and one not in ignored]
    left = [one for one in left if one in best] or left
    better = {one.arguments for one in situation.of(("better", 2))}
    better = {pair for pair in better if pair[0] in left and pair[1] in left and pair[0] != pair[1]}
    torn = {one for one, other in better if (other, one) in better}
    if torn:
        return Choice(None, "conflict", tuple(one for one in left if one in torn))
    dominated = {other for _, other in better}
    left = [one for one in left if one not in dominated] or left
    left = [one for one in left if one not in worst] or left
    if not left:
        return Choice(None, "no change", ())
    if len(left) == 1 or all(one in equal for one in left):
        return Choice(left[0], None, tuple(left))
    return Choice(None, "tie", tuple(left))
