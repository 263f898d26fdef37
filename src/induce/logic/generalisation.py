"""Least general generalisations, absolute and relative to background knowledge (Plotkin 1970; used by GOLEM).

The book mentions GOLEM and leaves these operations to the literature.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import overload

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.substitution import canonical, fresh_variables, ordered, variables_of
from induce.logic.subsumption import reduced
from induce.logic.terms import Function, Term, Variable


@overload
def lgg(one: Literal, other: Literal) -> Literal | None: ...
@overload
def lgg(one: Clause, other: Clause) -> Clause: ...
@overload
def lgg(one: frozenset[Literal], other: frozenset[Literal]) -> frozenset[Literal]: ...
@overload
def lgg(one: Term, other: Term) -> Term: ...
def lgg(
    one: Term | Literal | Clause | frozenset[Literal], other: Term | Literal | Clause | frozenset[Literal]
) -> Term | Literal | Clause | frozenset[Literal] | None:
    """Return the least general generalisation of two terms, two literals or two clauses.

    Differing terms become a variable, the same variable for the same pair of terms. The lgg of two clauses
    consists of the lggs of all pairs of their literals with the same predicate and role (`reduced` makes it
    shorter). Two literals with different predicates have no lgg: the result is None. The lgg of two Horn
    clauses whose heads have different predicates has no head.

    Parameters
    ----------
    one, other : term, literal or clause
        Two objects of the same kind.

    Examples
    --------
    >>> from induce.logic import parse_clause, parse_literal
    >>> print(lgg(parse_literal("father(sharon, bob)"), parse_literal("father(tom, bob)")))
    father(A, bob)
    >>> first = parse_clause("d(sharon, bob) :- father(sharon, bob), female(sharon).")
    >>> second = parse_clause("d(eve, tom) :- father(eve, tom), female(eve).")
    >>> print(lgg(first, second))
    d(A, B) :- father(A, B), female(A).
    """
    table = _Table(one, other)
    if isinstance(one, Clause) and isinstance(other, Clause):
        head = None if one.head is None or other.head is None else table.literal(one.head, other.head)
        return Clause(head, tuple(table.literals(one.body, other.body)))
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return frozenset(table.literals(ordered(one), ordered(other)))
    if isinstance(one, Literal) and isinstance(other, Literal):
        return table.literal(one, other)
    if isinstance(one, Clause | frozenset | Literal) or isinstance(other, Clause | frozenset | Literal):
        raise TypeError(
            "only two terms, two literals or two clauses can be generalised; give two of the same kind"
        )
    return table.term(one, other)


def rlgg(first: Literal, second: Literal, facts: Iterable[Literal], *, reduce: bool = True) -> Clause:
    """Return the least general generalisation of two examples relative to background facts.

    It is the lgg of the clauses `first :- facts` and `second :- facts`.

    Parameters
    ----------
    first, second : Literal
        Two examples of the same predicate.
    facts : iterable of Literal
        Ground literals.
    reduce : bool
        Whether to drop literals that are redundant by θ-subsumption, and then the background facts
        themselves, which add nothing. Otherwise the clause has a literal for every pair of facts of the same
        predicate.

    Examples
    --------
    >>> from induce.logic import parse_literal
    >>> facts = ["father(sharon, bob)", "father(tom, bob)", "father(bob, victor)", "father(ann, tom)"]
    >>> facts = [parse_literal(fact) for fact in [*facts, "female(sharon)", "female(ann)"]]
    >>> print(rlgg(parse_literal("gd(victor, sharon)"), parse_literal("gd(bob, ann)"), facts))
    gd(A, B) :- father(B, C), father(C, A), female(B).
    """
    known = tuple(dict.fromkeys(facts))
    for fact in known:
        if not fact.ground:
            raise InputError(f"the background fact {fact} has a variable; give ground literals as facts")
    if first.predicate != second.predicate or first.negated != second.negated:
        raise InputError(
            f"the examples {first} and {second} have no generalisation; give two examples of the same "
            "predicate"
        )
    whole = lgg(Clause(first, known), Clause(second, known))
    if not reduce:
        return whole
    # a literal disconnected from the head is a fact once its variables are replaced by their terms in the
    # first example
    linked = set(connected(whole).body)
    kept = tuple(literal for literal in whole.body if literal.ground or literal in linked)
    shorter = reduced(Clause(whole.head, kept))
    return canonical(Clause(shorter.head, tuple(literal for literal in shorter.body if not literal.ground)))


def connected(clause: Clause) -> Clause:
    """Return a clause without the literals that shared variables do not connect to its head.

    Parameters
    ----------
    clause : Clause
        Clause to reduce.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> print(connected(parse_clause("p(X) :- q(X, Y), r(Y), s(Z), t(a).")))
    p(X) :- q(X, Y), r(Y).
    """
    with_variable: dict[Variable, list[int]] = {}
    for place, literal in enumerate(clause.body):
        for variable in variables_of(literal):
            with_variable.setdefault(variable, []).append(place)
    reached = dict.fromkeys(() if clause.head is None else variables_of(clause.head))
    waiting, linked = list(reached), set()
    while waiting:
        for place in with_variable.get(waiting.pop(), ()):
            if place not in linked:
                linked.add(place)
                new = [variable for variable in variables_of(clause.body[place]) if variable not in reached]
                reached.update(dict.fromkeys(new))
                waiting.extend(new)
    return Clause(clause.head, tuple(clause.body[place] for place in sorted(linked)))


class FactIndex:
    """Index of facts by their terms, for the saturation of many examples.

    Parameters
    ----------
    facts : iterable of Literal
    """

    def __init__(self, facts: Iterable[Literal]) -> None:
        self.facts = tuple(dict.fromkeys(facts))
        self.with_term: dict[Term, list[int]] = {}
        self._of: dict[Predicate, list[Literal]] = {}
        self._agreeing: dict[tuple[Predicate, tuple[int, ...]], dict[tuple[Term, ...], int]] = {}
        for place, fact in enumerate(self.facts):
            self._of.setdefault(fact.predicate, []).append(fact)
            for term in dict.fromkeys(fact.arguments):
                self.with_term.setdefault(term, []).append(place)

    def agreeing(self, fact: Literal, places: tuple[int, ...]) -> int:
        """Return the number of facts of the same predicate with the same terms at given positions."""
        key = (fact.predicate, places)
        if key not in self._agreeing:
            counts: dict[tuple[Term, ...], int] = {}
            for other in self._of[fact.predicate]:
                terms = tuple(other.arguments[place] for place in places)
                counts[terms] = counts.get(terms, 0) + 1
            self._agreeing[key] = counts
        return self._agreeing[key][tuple(fact.arguments[place] for place in places)]


def determinate_saturation(
    example: Literal, facts: Iterable[Literal] | FactIndex, depth: int, arity: int
) -> Clause:
    """Return an example with the facts that its terms determine, as the clause `example :- facts`.

    A fact is included if its terms are terms of the example or new determinate ones: no other fact of the predicate
    has the same known terms at the same positions (ij-determinate literals, Muggleton & Feng 1992). The depth of a
    new term is one more than that of the deepest term that determines it.

    Parameters
    ----------
    example : Literal
        Example to saturate.
    facts : iterable of Literal, or FactIndex
        Facts, usually ground. Variables are treated like all other terms, so a clause can be given by its
        head and its body to keep its determinate part.
    depth : int
        Maximum depth of a term (i); terms of the example have depth 0.
    arity : int
        Maximum number of arguments of a fact (j).

    Examples
    --------
    >>> from induce.logic import parse_literal
    >>> facts = ["father(ann, bob)", "father(bob, carl)", "child(bob, ann)", "child(bob, eve)", "child(carl, bob)"]
    >>> facts = [parse_literal(fact) for fact in facts]
    >>> print(determinate_saturation(parse_literal("happy(ann)"), facts, 1, 2))
    happy(ann) :- father(ann, bob), child(bob, ann).
    >>> print(determinate_saturation(parse_literal("happy(ann)"), facts, 2, 2))
    happy(ann) :- father(ann, bob), child(bob, ann), father(bob, carl), child(carl, bob).
    """
    for name, value in (("depth", depth), ("arity", arity)):
        if value < 0:
            raise InputError(f"{name} is {value}; give a whole number of 0 or more")
    index = facts if isinstance(facts, FactIndex) else FactIndex(facts)
    known = set(example.arguments)
    latest = list(known)
    taken: dict[int, None] = {}
    for level in range(depth + 1):
        near = sorted({place for term in latest for place in index.with_term.get(term, ())} - taken.keys())
        found: dict[Term, None] = {}
        for place in near:
            fact = index.facts[place]
            if len(fact.arguments) <= arity and fact != example:
                places = tuple(at for at, term in enumerate(fact.arguments) if term in known)
                whole = len(places) == len(fact.arguments)
                # terms at the maximum depth introduce no further terms
                if whole or (level < depth and index.agreeing(fact, places) == 1):
                    taken[place] = None
                    found.update(dict.fromkeys(term for term in fact.arguments if term not in known))
        latest = list(found)
        known.update(found)
    return Clause(example, tuple(index.facts[place] for place in taken))


class _Table:
    """Variables assigned to pairs of terms."""

    def __init__(self, *within: Term | Literal | Clause | frozenset[Literal]) -> None:
        self._variables: dict[tuple[Term, Term], Variable] = {}
        self._supply = fresh_variables(name for part in within for name in variables_of(part))

    def term(self, one: Term, other: Term) -> Term:
        built: dict[tuple[int, int], Term] = {}
        waiting = [(one, other)]
        # Works without recursion on terms of any depth: a pair waits until all pairs of its arguments are
        # built.
        while waiting:
            left, right = waiting[-1]
            key = (id(left), id(right))
            if key in built:
                waiting.pop()
            elif left == right:
                built[key] = left
            elif not (isinstance(left, Function) and isinstance(right, Function) and _alike(left, right)):
                built[key] = self._variable(left, right)
            else:
                pairs = list(zip(left.arguments, right.arguments, strict=True))
                missing = [pair for pair in pairs if (id(pair[0]), id(pair[1])) not in built]
                waiting.extend(reversed(missing))
                if not missing:
                    parts = tuple(built[id(mine), id(theirs)] for mine, theirs in pairs)
                    built[key] = Function(left.name, parts)
        return built[id(one), id(other)]

    def _variable(self, one: Term, other: Term) -> Variable:
        if (one, other) not in self._variables:
            self._variables[one, other] = next(self._supply)
        return self._variables[one, other]

    def literal(self, one: Literal, other: Literal) -> Literal | None:
        if one.predicate != other.predicate or one.negated != other.negated:
            return None
        pairs = zip(one.arguments, other.arguments, strict=True)
        return Literal(one.name, tuple(self.term(mine, theirs) for mine, theirs in pairs), one.negated)

    def literals(self, some: Iterable[Literal], others: Iterable[Literal]) -> list[Literal]:
        of_kind: dict[tuple[Predicate, bool], list[Literal]] = {}
        for literal in others:
            of_kind.setdefault((literal.predicate, literal.negated), []).append(literal)
        found: dict[Literal, None] = {}
        for one in some:
            for other in of_kind.get((one.predicate, one.negated), ()):
                both = self.literal(one, other)
                if both is not None:
                    found[both] = None
        return list(found)


def _alike(one: Function, other: Function) -> bool:
    return one.name == other.name and len(one.arguments) == len(other.arguments)
