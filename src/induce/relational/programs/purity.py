"""Predicates that can be called backwards because their clauses only build and decompose terms."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from induce.logic.clauses import Clause, Predicate
from induce.logic.library import PRIVATE, is_built_in, library


def is_pure(
    predicate: Predicate, rules: Mapping[Predicate, Sequence[Clause]], facts: Collection[Predicate]
) -> bool:
    """Return whether a predicate is the same relation for any bound arguments: no arithmetic, cut or negation.

    Parameters
    ----------
    predicate : Predicate
    rules : mapping
        Clauses of each background predicate.
    facts : collection of Predicate
        Predicates defined by facts alone.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> program = parse_program("last(L, X) :- append(_, [X], L). next(X, Y) :- Y is X + 1.")
    >>> [is_pure(one, program.by_predicate, ()) for one in (("last", 2), ("next", 2))]
    [True, False]
    """
    seen, waiting = {predicate}, [predicate]
    while waiting:
        name, arity = one = waiting.pop()
        plain = name.removeprefix(PRIVATE), arity
        if one in facts or plain == ("=", 2):
            continue
        clauses = rules.get(one) or library().get(plain, ())
        if not clauses and is_built_in(plain):
            return False
        for clause in clauses:
            for literal in clause.body:
                if literal.negated:
                    return False
                if literal.predicate not in seen:
                    seen.add(literal.predicate)
                    waiting.append(literal.predicate)
    return True
