"""Choice of predicates to table, so that recursion terminates where plain backward chaining would loop."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Predicate, Program
from induce.logic.printing import term_of
from induce.logic.stratification import components, written
from induce.logic.terms import Constant, Function, Term

MAKING: frozenset[Predicate] = frozenset(
    {("is", 2), ("=", 2), ("=..", 2), ("functor", 3), ("arg", 3), ("equal", 2), ("succ", 2), ("plus", 3)}
)
"""Built-in predicates that bind variables to values that do not occur in the facts."""
OPEN: frozenset[Predicate] = frozenset({(",", 2), (";", 2)})
CLOSED: frozenset[Predicate] = frozenset(
    {
        ("->", 2),
        ("*->", 2),
        ("\\+", 1),
        ("not", 1),
        ("findall", 3),
        ("findall", 4),
        ("forall", 2),
        ("once", 1),
    }
    | {("bagof", 3), ("setof", 3), ("aggregate_all", 3)}
)
"""Constructs that depend on all solutions of a goal, or only on the first: additional answers may make them fail."""


def tabled_predicates(program: Program) -> frozenset[Predicate]:
    """Return the recursive predicates that could loop although they have finitely many answers.

    One group are recursive predicates without functions or arithmetic in their clauses, such as a path
    through a cyclic graph. The other are those with a clause that begins with a call of itself. Predicates
    that depend on a cut, or on their own negation, are left to plain backward chaining, where the order of
    clauses matters.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> tabled_predicates(parse_program('''
    ...     path(X, Y) :- edge(X, Y).
    ...     path(X, Y) :- path(X, Z), edge(Z, Y).
    ...     length([], 0).
    ...     length([_|T], N) :- length(T, M), N is M + 1.
    ... '''))
    frozenset({('path', 2)})
    """
    found: set[Predicate] = set()
    for together in _recursive(program):
        clauses = [clause for predicate in together for clause in program.by_predicate[predicate]]
        if any(_fixed(clause, together) for clause in clauses):
            continue
        if all(_function_free(clause) for clause in clauses) or any(
            _leads_back(each, together) for each in clauses
        ):
            found.update(together)
    return frozenset(found)


def checked(program: Program, tabled: Collection[Predicate]) -> frozenset[Predicate]:
    """Return the predicates that the user wants tabled, provided that tabling preserves their semantics."""
    wanted = frozenset(tabled)
    for predicate in wanted:
        if predicate not in program.by_predicate:
            raise InputError(
                f"tabled names {written(predicate)}, which has no clauses; name a predicate with clauses"
            )
    for together in _recursive(program):
        for predicate in sorted(together & wanted):
            for clause in program.by_predicate[predicate]:
                if any(closed and goal in together for goal, closed in _goals(clause)):
                    raise InputError(
                        f"tabled names {written(predicate)}, which depends on its own negation and "
                        "cannot be tabled; take the negation out of the recursion"
                    )
    return wanted


def _recursive(program: Program) -> Iterator[frozenset[Predicate]]:
    """Yield the sets of mutually recursive predicates."""
    defined = program.by_predicate
    graph = {
        predicate: {goal for clause in clauses for goal, _ in _goals(clause) if goal in defined}
        for predicate, clauses in defined.items()
    }
    for component in components(graph):
        if len(component) > 1 or component[0] in graph[component[0]]:
            yield frozenset(component)


def _goals(clause: Clause) -> Iterator[tuple[Predicate, bool]]:
    """Yield the predicates that a clause calls, and whether each call is within a negation or a similar construct."""
    waiting: list[tuple[Term, bool]] = [(term_of(literal), False) for literal in reversed(clause.body)]
    while waiting:
        term, closed = waiting.pop()
        if isinstance(term, Function):
            predicate = term.name, len(term.arguments)
            yield predicate, closed
            if predicate in OPEN or predicate in CLOSED:
                waiting.extend((part, closed or predicate in CLOSED) for part in reversed(term.arguments))
        elif isinstance(term, Constant) and isinstance(term.value, str):
            yield (term.value, 0), closed


def _fixed(clause: Clause, together: frozenset[Predicate]) -> bool:
    """Return whether a clause is correct only under plain backward chaining."""
    return any(goal == ("!", 0) or (closed and goal in together) for goal, closed in _goals(clause))


def _function_free(clause: Clause) -> bool:
    literals = clause.body if clause.head is None else (clause.head, *clause.body)
    if any(goal in MAKING for goal, _ in _goals(clause)):
        return False
    controls = OPEN | CLOSED
    return not any(
        isinstance(term, Function)
        for literal in literals
        if literal.predicate not in controls
        for term in literal.arguments
    )


def _leads_back(clause: Clause, together: frozenset[Predicate]) -> bool:
    """Return whether a clause begins with a recursive call, and neither that call nor the head has a function."""
    if clause.head is None or not clause.body or clause.body[0].predicate not in together:
        return False
    return not any(
        isinstance(term, Function) for literal in (clause.head, clause.body[0]) for term in literal.arguments
    )
