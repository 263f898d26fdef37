"""Regression of goals over operators: what must hold before, so that goals hold afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from induce.logic.clauses import Literal
from induce.planning.domains import Operator


def regress_goals(goals: Sequence[Literal], operator: Operator) -> tuple[Literal, ...] | None:
    """Return what must hold before an operator so that some goals hold behind it; None if it undoes one of them.

    Terms with different variables count as different things; put a substitution into the operator first where they
    shall be the same.

    Examples
    --------
    >>> from induce.logic import parse_literal
    >>> from induce.planning.domains import BLOCKS
    >>> from induce.planning.pddl import read_domain
    >>> stack = read_domain(BLOCKS).operator("stack")
    >>> print(*regress_goals([parse_literal("on(X, Y)"), parse_literal("ontable(Y)")], stack), sep=", ")
    holding(X), clear(Y), ontable(Y)
    """
    left: list[Literal] = []
    for goal in goals:
        added = goal.negation() in operator.adds if goal.negated else goal in operator.adds
        deleted = goal.negation() in operator.deletes if goal.negated else goal in operator.deletes
        undone = added if goal.negated else deleted and not added
        if undone:
            return None
        done = deleted if goal.negated else added
        if not done:
            left.append(goal)
    before = tuple(dict.fromkeys((*operator.preconditions, *left)))
    return None if any(one.negation() in before for one in before) else before
