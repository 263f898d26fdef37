"""Families of the book as relational problems (Mitchell, Chapter 10)."""

from __future__ import annotations

from induce.core.errors import InputError
from induce.logic.background.relations import Relations
from induce.logic.parsing import parse_literal
from induce.relational.readers.problems import Problem

FAMILY = "female(sharon). father(sharon, bob). father(tom, bob). father(bob, victor)."
"""Facts of section 10.5.2: ``father(X, Y)`` says that the father of X is Y."""

FAMILIES = {
    "granddaughter": ("granddaughter(victor, sharon)",),
    "daughter": ("daughter(sharon, bob)",),
    "ancestor": (
        *("ancestor(sharon, bob)", "ancestor(tom, bob)", "ancestor(bob, victor)"),
        *("ancestor(sharon, victor)", "ancestor(tom, victor)"),
    ),
}
"""Positive examples of each target over `FAMILY`; all other pairs of people are negative."""


def family(target: str) -> Problem:
    """Return a target of Chapter 10 over the family of section 10.5.2.

    Parameters
    ----------
    target : {"granddaughter", "daughter", "ancestor"}
        Relation to learn: sections 10.5.2, 10.4.1 and 10.5.3.

    Examples
    --------
    >>> print(family("granddaughter"))
    granddaughter: granddaughter/2, 1 positive and 15 negative examples; 2 relations, 4 facts
    >>> import induce
    >>> problem = family("granddaughter")
    >>> print(induce.FOIL(problem.background, problem.target).fit(problem.X, problem.y).hypothesis_)
    granddaughter(A, B) :- father(B, C), father(C, A), female(B).  % 1/1
    """
    if target not in FAMILIES:
        raise InputError(f"there is no family example for {target!r}; give one of {', '.join(FAMILIES)}")
    positive = [parse_literal(each) for each in FAMILIES[target]]
    return Problem.of(target, positive, [], Relations(program=FAMILY)).with_closed_world()
