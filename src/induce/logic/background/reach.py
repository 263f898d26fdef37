"""Saturation of an example: the facts reachable from its terms, step by step (Muggleton & Feng 1992)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from induce.core.notes import note
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.facts import Facts
from induce.logic.generalisation import FactIndex
from induce.logic.terms import Function, Term


class Reach:
    """Facts, and the paths by which they are reached from terms.

    Parameters
    ----------
    facts : iterable of Literal
        Facts. Variables are treated like all other terms, so the body of a clause can be given as well.
    modes : sequence of Mode, optional
        Mode declarations: a fact is reached from the terms at its ``+`` positions and leads to those at its
        ``-`` positions; a ``#`` position is a constant and leads nowhere. Facts of other predicates are not
        reached. Without modes, every fact is reached from each of its terms.
    """

    def __init__(self, facts: Iterable[Literal], modes: Sequence[Mode] = ()) -> None:
        self.index = FactIndex(facts)
        self.modes = tuple(modes)
        self._ways: dict[Predicate, list[Mode]] = {}
        for mode in self.modes:
            self._ways.setdefault(mode.predicate, []).append(mode)

    def near(self, terms: Iterable[Term]) -> list[int]:
        """Return the indices of the facts that have one of the given terms as an argument, in order."""
        return sorted({place for term in terms for place in self.index.with_term.get(term, ())})

    def ways(self, fact: Literal, known: Container[Term]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return the paths from known terms to a fact: the bound positions, and the positions that may be new."""
        if not self.modes:
            given = tuple(place for place, term in enumerate(fact.arguments) if term in known)
            rest = tuple(place for place in range(len(fact.arguments)) if place not in given)
            return [(given, rest)] if given else []
        found = []
        for mode in self._ways.get(fact.predicate, ()):
            if all(fact.arguments[place] in known for place in mode.places("+")):
                given = tuple(sorted((*mode.places("+"), *mode.places("#"))))
                found.append((given, mode.places("-")))
        return found

    def determined(self, fact: Literal, given: tuple[int, ...]) -> bool:
        """Return whether the terms at the bound positions determine the fact among those of its predicate."""
        return self.index.agreeing(fact, given) == 1


def facts_of(relations: Relations, learner: str, *, given: bool = False) -> list[Literal]:
    """Return the facts of a background, including those derived from its rules.

    Parameters
    ----------
    relations : Relations
    learner : str
        Name of the learner, for the note about relations it cannot use because their facts cannot be listed.
    given : bool
        Whether to return only explicit facts.
    """
    terms = relations.symbols.terms
    found = []
    for predicate in relations.listed if given else relations.predicates():
        relation = relations.relation(predicate)
        if not isinstance(relation, Facts):
            note(f"{predicate[0]}/{predicate[1]} cannot be listed as facts, so {learner} does not use it")
            continue
        found += [Literal(predicate[0], tuple(terms[code] for code in row)) for row in relation.rows.tolist()]
    return found


def parts(terms: Iterable[Term]) -> Iterator[Term]:
    """Yield the given terms and all their subterms.

    Examples
    --------
    >>> from induce.logic import parse_term
    >>> print(*parts([parse_term("[1, 2]")]))
    [1, 2] 1 [2] 2 []
    """
    waiting = [*terms][::-1]
    while waiting:
        term = waiting.pop()
        yield term
        if isinstance(term, Function):
            waiting.extend(reversed(term.arguments))


def saturated(
    example: Literal, reach: Reach, depth: int, *, max_arity: int, determinate: bool, max_literals: int
) -> Clause:
    """Return an example with its relevant facts, as the clause ``example :- facts``.

    Facts reachable from the current terms are included; subterms of the example count as its terms. Each step
    adds new terms.

    Parameters
    ----------
    example : Literal
    reach : Reach
    depth : int
        Number of steps that introduce new terms (*i*).
    max_arity : int
        Maximum number of arguments of a fact (*j*).
    determinate : bool
        Whether new terms must be determinate: no other fact of the predicate has the same terms at the bound
        positions.
    max_literals : int
        Maximum number of facts; the nearest ones are kept.

    Examples
    --------
    >>> from induce.logic import parse_literal, parse_program
    >>> facts = parse_program("has(t1, c1). has(t1, c2). open(c1). closed(c2). owner(t1, bob).").clauses
    >>> reach = Reach(clause.head for clause in facts)
    >>> print(saturated(parse_literal("east(t1)"), reach, 1, max_arity=2, determinate=True, max_literals=9))
    east(t1) :- owner(t1, bob).
    >>> print(saturated(parse_literal("east(t1)"), reach, 1, max_arity=2, determinate=False, max_literals=9))
    east(t1) :- has(t1, c1), has(t1, c2), owner(t1, bob), open(c1), closed(c2).
    """
    known = set(parts(example.arguments))
    latest = known
    taken: dict[int, Literal] = {}
    for level in range(depth + 1):
        found: set[Term] = set()
        for place in reach.near(latest):
            fact = reach.index.facts[place]
            if place in taken or len(fact.arguments) > max_arity or fact == example:
                continue
            if len(taken) == max_literals:
                return Clause(example, tuple(taken.values()))
            for given, rest in reach.ways(fact, known):
                new = [fact.arguments[at] for at in rest if fact.arguments[at] not in known]
                # the last step adds no new terms
                if new and (level == depth or (determinate and not reach.determined(fact, given))):
                    continue
                taken[place] = fact
                found.update(parts(new))
        latest = found - known
        known |= found
    return Clause(example, tuple(taken.values()))
