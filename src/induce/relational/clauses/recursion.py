"""Termination of recursive clauses: each call must have a smaller argument (Cameron-Jones & Quinlan 1993)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.logic.background.called import Called
from induce.logic.background.kinds import ANY, fits
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.facts import Codes, Facts
from induce.logic.terms import Function, Term, Variable
from induce.relational.clauses.literals import Vocabulary
from induce.relational.foil import _loops as _foil_loops

Call = tuple[str, ...]
"""Comparison of each argument of a recursive call with the head's argument: ``<``, ``=``, ``>``, ``~`` or ``?``.

``~`` means that a relation leads from one to the other, but the facts of such relations are cyclic.
"""


def ends(calls: Iterable[Call]) -> bool:
    """Return whether no infinite chain of calls is possible.

    This holds if the arguments can be ordered so that the first one changed by a call always decreases, or
    always increases. There are finitely many constants, so neither can continue forever.

    Examples
    --------
    >>> ends([("<", "="), ("=", ">")]), ends([("<", "?"), ("=", "<")]), ends([("<", "="), (">", "=")])
    (True, True, False)
    """
    left = [*calls]
    while left:
        places = range(len(left[0]))
        for better in "<>":
            place = next((p for p in places if {call[p] for call in left} in ({better}, {better, "="})), None)
            if place is not None:
                left = [call for call in left if call[place] == "="]
                break
        else:
            return False
    return True


def size(term: Term) -> int:
    """Return the number of names, numbers and functions of a term.

    Examples
    --------
    >>> from induce.logic.parsing import parse_term
    >>> size(parse_term("[a, b]")), size(parse_term("[]"))
    (5, 1)
    """
    n, waiting = 0, [term]
    while waiting:
        part = waiting.pop()
        n += 1
        if isinstance(part, Function):
            waiting += part.arguments
    return n


class Orders:
    """Order of the constants of each type in which the arguments of as many relations as possible decrease.

    ``parent(X, Y)`` makes Y smaller than X if nobody is their own ancestor in the facts. A predicate without
    facts does so if its first argument is always a larger term.

    If the facts of all relations are cyclic, as on a map, there is no order; then only a relation from the head
    argument to the call argument is required.

    Parameters
    ----------
    vocabulary : Vocabulary
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._target = vocabulary.examples.target
        self._descending: dict[Predicate, list[tuple[int, int]]] = {}
        self._circling: dict[Predicate, list[tuple[int, int]]] = {}
        self._by_size: set[str] = set()
        self._kinds = vocabulary
        for kind in dict.fromkeys(vocabulary.examples.types):
            self._settle(vocabulary, kind)

    def _settle(self, vocabulary: Vocabulary, kind: str) -> None:
        values = vocabulary.constants(kind)
        numbers = vocabulary.relations.symbols.numbers[values]
        above: list[NDArray[np.int64]] = []
        below: list[NDArray[np.int64]] = []
        by_size = vocabulary.is_numeric(values)
        circling: list[tuple[Predicate, tuple[int, int]]] = []
        for predicate, relation in vocabulary.found.items():
            if predicate == self._target:
                continue
            places = [place for place, other in enumerate(vocabulary.kinds(predicate)) if fits(other, kind)]
            if not isinstance(relation, Facts):
                self._descending_terms(vocabulary, predicate, relation, places, values)
                continue
            if not len(relation) or ANY in vocabulary.kinds(predicate):
                continue
            for one, other in ((one, other) for one in places for other in places if one < other):
                first, second = (np.searchsorted(values, relation.rows[:, place]) for place in (one, other))
                # numbers descend where possible, so that comparisons of numbers agree with the order
                falls = not by_size or bool((numbers[first] > numbers[second]).all())
                turns = [(one, other), (other, one)] if falls else [(other, one), (one, other)]
                for larger, smaller in turns:
                    tails, heads = (first, second) if larger == one else (second, first)
                    all_tails, all_heads = np.concatenate([*above, tails]), np.concatenate([*below, heads])
                    acyclic = repeated(_foil_loops.acyclic, 4 * (len(all_tails) + len(values)))
                    if acyclic(all_tails, all_heads, len(values)):
                        above.append(tails)
                        below.append(heads)
                        self._descending.setdefault(predicate, []).append((larger, smaller))
                        break
                else:
                    circling.append((predicate, (one, other)))
        if not above:
            for predicate, pair in circling:
                self._circling.setdefault(predicate, []).append(pair)
        if by_size and all(
            (numbers[tails] > numbers[heads]).all() for tails, heads in zip(above, below, strict=True)
        ):
            self._by_size.add(kind)

    def _descending_terms(
        self, vocabulary: Vocabulary, predicate: Predicate, relation: Called, places: list[int], values: Codes
    ) -> None:
        """Find the arguments of a called predicate that are subterms of others, such as the tail of a list."""
        terms = vocabulary.relations.symbols.terms
        for one in places:
            if not relation.callable_with((one,)):
                continue
            found = relation.matches((one,), values[:, None])
            rows = found.rows[found.pairs()[1]]
            for other in places:
                sizes = ((size(terms[row[one]]), size(terms[row[other]])) for row in rows.tolist())
                if len(rows) and all(larger > smaller for larger, smaller in sizes):
                    self._descending.setdefault(predicate, []).append((one, other))

    def descents(self, literal: Literal, kinds: dict[Term, str]) -> list[tuple[Term, Term]]:
        """Return the pairs of a larger and a smaller argument that a literal guarantees."""
        if literal.negated:
            return []
        if literal.name in ("<", ">") and all(kinds.get(term) in self._by_size for term in literal.arguments):
            left, right = literal.arguments
            return [(left, right) if literal.name == ">" else (right, left)]
        pairs = self._descending.get(literal.predicate, [])
        return [(literal.arguments[larger], literal.arguments[smaller]) for larger, smaller in pairs]

    def neighbours(self, literal: Literal) -> list[tuple[Term, Term]]:
        """Return the pairs of arguments that a literal connects, in either direction, without an order."""
        pairs = [] if literal.negated else self._circling.get(literal.predicate, [])
        both = [(literal.arguments[one], literal.arguments[other]) for one, other in pairs]
        return both + [(other, one) for one, other in both]


@dataclass(frozen=True)
class Guard:
    """Guard that decides whether recursive literals may be added, given those of the theory.

    Parameters
    ----------
    target : Predicate
    orders : Orders or None
        Orders of constants; None allows every recursive literal except the head itself.
    calls : tuple of Call
        Recursive calls of the clauses found so far.
    """

    target: Predicate
    orders: Orders | None
    calls: tuple[Call, ...] = field(default=())

    def call(self, head: Literal, body: Sequence[Literal], literal: Literal, kinds: dict[Term, str]) -> Call:
        """Compare the arguments of a recursive literal with those of the head, based on the preceding literals."""
        same = _representatives(body)
        smaller: dict[Term, set[Term]] = {}
        near: set[tuple[Term, Term]] = set()
        for one in body:
            if self.orders is None:
                break
            for larger, less in self.orders.descents(one, kinds):
                smaller.setdefault(same.get(larger, larger), set()).add(same.get(less, less))
            near |= {(same.get(a, a), same.get(b, b)) for a, b in self.orders.neighbours(one)}

        def compared(a: Term, b: Term) -> str:
            if a == b:
                return "="
            if _below(b, a, smaller):
                return "<"
            return ">" if _below(a, b, smaller) else "~" if (a, b) in near else "?"

        mine = [same.get(term, term) for term in head.arguments]
        theirs = [same.get(term, term) for term in literal.arguments]
        return tuple(map(compared, mine, theirs))

    def calls_of(self, clause: Clause, kinds: dict[Term, str]) -> tuple[Call, ...]:
        """Return the recursive calls of a clause."""
        assert clause.head is not None
        return tuple(
            self.call(clause.head, clause.body[:place], literal, kinds)
            for place, literal in enumerate(clause.body)
            if literal.predicate == self.target
        )

    def admits(self, calls: Sequence[Call]) -> bool:
        """Return whether a clause may make some recursive calls."""
        if any(set(call) == {"="} for call in calls):
            return False
        every = (*self.calls, *calls)
        return self.orders is None or ends(every) or all(set(call) == {"=", "~"} for call in every)

    @property
    def circles(self) -> bool:
        """Whether the theory terminates through loop checks instead of an order of the objects."""
        return any("~" in call for call in self.calls)


def _representatives(body: Sequence[Literal]) -> dict[Term, Term]:
    """Return the representatives of terms that a body makes equal."""
    same: dict[Term, Term] = {}
    for literal in body:
        if literal.name == "=" and len(literal.arguments) == 2 and not literal.negated:
            left, right = (same.get(term, term) for term in literal.arguments)
            kept, gone = (left, right) if isinstance(left, Variable) else (right, left)
            same = {term: kept if other == gone else other for term, other in same.items()} | {gone: kept}
    return same


def _below(low: Term, high: Term, smaller: dict[Term, set[Term]]) -> bool:
    seen: set[Term] = set()
    waiting = [*smaller.get(high, ())]
    while waiting:
        term = waiting.pop()
        if term == low:
            return True
        if term not in seen:
            seen.add(term)
            waiting += smaller.get(term, ())
    return False
