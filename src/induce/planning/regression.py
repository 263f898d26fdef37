"""Goal regression: the conditions before an operator under which goals hold after it (weakest preimage)."""

from __future__ import annotations

from collections.abc import Sequence

from induce.logic.clauses import Literal
from induce.planning.domains import Operator


def regress_goals(goals: Sequence[Literal], operator: Operator) -> tuple[Literal, ...] | None:
    """Return the conditions before an operator that make goals true after it; None if it undoes one.

    Terms with different variables count as different objects; apply a substitution to the operator first if they
    should be equal.

    Parameters
    ----------
    goals : sequence of Literal
        Goals that must hold after the operator.
    operator : Operator
        Operator applied last.

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
