"""Dependencies between the predicates of a program: recursion, and the strata required by negation as failure."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from induce.core.errors import InputError
from induce.logic.clauses import Literal, Predicate, Program
from induce.logic.terms import Function

Node = TypeVar("Node", bound=Hashable)

ARITHMETIC: frozenset[Predicate] = frozenset(
    (name, 2) for name in ("is", "<", ">", "=<", ">=", "=:=", "=\\=")
)
"""Built-in predicates whose arguments are evaluated as expressions."""

EQUALITY: frozenset[Predicate] = frozenset((name, 2) for name in ("=", "\\=", "==", "\\=="))
"""Built-in predicates that compare terms without evaluation."""


def dependencies(program: Program) -> dict[Predicate, dict[Predicate, bool]]:
    """Return, for each defined predicate, the defined predicates in the bodies of its clauses.

    Each value tells whether the predicate occurs at least once under a negation.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> dependencies(parse_program("p(X) :- q(X), \\\\+ r(X). q(a). r(b)."))
    {('p', 1): {('q', 1): False, ('r', 1): True}, ('q', 1): {}, ('r', 1): {}}
    """
    defined = program.by_predicate
    found: dict[Predicate, dict[Predicate, bool]] = {predicate: {} for predicate in defined}
    for predicate, clauses in defined.items():
        needed = found[predicate]
        for literal in (literal for clause in clauses for literal in clause.body):
            if literal.predicate in defined:
                needed[literal.predicate] = needed.get(literal.predicate, False) or literal.negated
    return found


def components(graph: Mapping[Node, Iterable[Node]]) -> list[tuple[Node, ...]]:
    """Return the strongly connected components of a graph (Tarjan 1972) in reverse topological order.

    Parameters
    ----------
    graph : mapping
        Successors of each node, which are nodes of the graph themselves.

    Examples
    --------
    >>> components({"a": ["b"], "b": ["c", "a"], "c": []})
    [('c',), ('a', 'b')]
    """
    found: list[tuple[Node, ...]] = []
    number: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    waiting: list[Node] = []  # numbered, but not assigned to a component yet
    is_waiting: set[Node] = set()
    for root in graph:
        path = [] if root in number else [(root, iter(graph[root]))]
        # `path` is the stack of the depth-first search, each node with its unvisited successors. A component
        # is complete when its first node cannot reach an earlier node that is still waiting.
        while path:
            node, onward = path[-1]
            if node not in number:
                number[node] = lowest[node] = len(number)
                waiting.append(node)
                is_waiting.add(node)
            new = None
            for other in onward:
                if other not in number:
                    new = other
                    break
                if other in is_waiting:
                    lowest[node] = min(lowest[node], number[other])
            if new is not None:
                path.append((new, iter(graph[new])))
                continue
            path.pop()
            if path:
                before = path[-1][0]
                lowest[before] = min(lowest[before], lowest[node])
            if lowest[node] == number[node]:
                cut = len(waiting) - 1
                while waiting[cut] != node:
                    cut -= 1
                component = tuple(waiting[cut:])
                del waiting[cut:]
                is_waiting.difference_update(component)
                found.append(component)
    return found


def strata(program: Program) -> tuple[tuple[Predicate, ...], ...]:
    """Return the defined predicates in strata that can be evaluated one after the other.

    A stratum holds mutually recursive predicates; the other predicates they need are in earlier strata.

    Parameters
    ----------
    program : Program
        Program to stratify.

    Raises
    ------
    InputError
        If a predicate depends on its own negation, so that there is no stratification.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> program = parse_program("odd(X) :- next(Y, X), even(Y). even(0). even(X) :- next(Y, X), odd(Y).")
    >>> strata(program + parse_program("other(X) :- number(X), \\\\+ even(X)."))
    ((('odd', 1), ('even', 1)), (('other', 1),))
    """
    graph = dependencies(program)
    layers = components(graph)
    for layer in layers:
        together = set(layer)
        for predicate in layer:
            for needed, negated in graph[predicate].items():
                if negated and needed in together:
                    way = _way(graph, needed, predicate, together)
                    cycle = f"{written(predicate)} needs \\+ {' needs '.join(map(written, way))}"
                    raise InputError(
                        f"{written(predicate)} depends on its own negation ({cycle}), so the program "
                        "is not stratified; take the negation out of the cycle"
                    )
    return tuple(layers)


def recursive_predicates(program: Program) -> frozenset[Predicate]:
    """Return the directly or indirectly recursive predicates.

    Parameters
    ----------
    program : Program
        Program to analyse.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> recursive_predicates(parse_program("path(X, Y) :- edge(X, Z), path(Z, Y). two(X) :- path(X, X)."))
    frozenset({('path', 2)})
    """
    graph = dependencies(program)
    return frozenset(
        predicate
        for layer in components(graph)
        for predicate in layer
        if len(layer) > 1 or predicate in graph[predicate]
    )


def is_function_free(program: Program) -> bool:
    """Return whether no clause builds new terms with functions, so that its consequences are finite in number.

    Ground terms such as the list ``[a, b]`` count as constants. Arithmetic expressions do not count as
    functions, although ``is`` can create infinitely many numbers.

    Parameters
    ----------
    program : Program
        Program to check.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> is_function_free(parse_program("p([a, b]). q(X) :- p(X), X \\\\= [].")), is_function_free(
    ...     parse_program("q([X|T]) :- p(X, T).")
    ... )
    (True, False)
    """
    return all(
        is_function_free_literal(literal)
        for clause in program
        for literal in (*clause.body, *((clause.head,) if clause.head else ()))
    )


def is_function_free_literal(literal: Literal) -> bool:
    """Return whether no argument of a literal is a function of variables, except in arithmetic expressions."""
    worked_out = 2 if literal.predicate in ARITHMETIC else 0
    terms = literal.arguments[:1] if literal.predicate == ("is", 2) else literal.arguments[worked_out:]
    return not any(isinstance(term, Function) and not term.ground for term in terms)


def written(predicate: Predicate) -> str:
    """Write a predicate as ``parent/2``."""
    return f"{predicate[0]}/{predicate[1]}"


def _way(
    graph: Mapping[Predicate, Iterable[Predicate]], start: Predicate, end: Predicate, within: set[Predicate]
) -> list[Predicate]:
    """Return a shortest path from one predicate to another within a component."""
    before: dict[Predicate, Predicate] = {start: start}
    reached = [start]
    for predicate in reached:
        for other in graph[predicate]:
            if other in within and other not in before:
                before[other] = predicate
                reached.append(other)
    way = [end]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]
