"""Coverage of clauses for all examples at once: bindings are table rows, and literals are joined to them.

Only the coverage of an example matters, so variables that no later literal needs are dropped from the table,
together with the resulting duplicate rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.logic.background.relations import Relation, Relations
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.comparisons import COMPARISONS
from induce.logic.facts import Codes, Facts, Symbols, grouped
from induce.logic.terms import Function, Term, Variable

Mask = NDArray[np.bool_]

MOST_ROWS = 4_000_000
"""Maximum number of bindings held at once; beyond it, examples are processed in batches."""

_IN_ORDER = {"@<": "<", "@>": ">", "@=<": "=<", "@>=": ">="}
"""Comparisons in the standard order of terms, which also work for dates."""

_SAME: dict[str, bool] = {"=": True, "==": True, "\\=": False, "\\==": False}


@dataclass(frozen=True, eq=False)
class Bindings:
    """Bindings of a set of variables: a column of codes per variable, and the example of each row."""

    columns: dict[Variable, Codes]
    example: Codes

    def __len__(self) -> int:
        return len(self.example)

    def only(self, rows: NDArray[np.generic]) -> Bindings:
        """Return a subset of the rows, by index or by mask."""
        return Bindings({name: column[rows] for name, column in self.columns.items()}, self.example[rows])

    def project(self, needed: set[Variable]) -> Bindings:
        """Drop the variables that are not needed, then duplicate rows."""
        if needed >= self.columns.keys():
            return self
        kept = {name: column for name, column in self.columns.items() if name in needed}
        first = grouped(np.stack([self.example, *kept.values()], 1))[1]
        return Bindings(kept, self.example).only(first)


class Coverage:
    """Coverage engine of clauses.

    Parameters
    ----------
    relations : Relations
    also : dict from Predicate to Facts, optional
        Relations in addition to the background, such as the known positive examples of the target.
    """

    def __init__(self, relations: Relations, also: Mapping[Predicate, Facts] | None = None) -> None:
        self.relations = relations
        self.also = dict(also or {})

    @property
    def symbols(self) -> Symbols:
        """Terms that the codes stand for."""
        return self.relations.symbols

    def relation(self, predicate: Predicate) -> Relation:
        """Return a relation of the background, or one of the additional ones."""
        return self.also[predicate] if predicate in self.also else self.relations.relation(predicate)

    def decides(self, clause: Clause) -> bool:
        """Return whether joins can evaluate a clause: its literals are relations or comparisons.

        Function terms and other built-ins are left to the prover.
        """
        literals = clause.body if clause.head is None else (clause.head, *clause.body)
        known = {*self.also, *self.relations.predicates()}
        if any(isinstance(term, Function) and not term.ground for one in literals for term in one.arguments):
            return False
        if not all(one.predicate in known or compares(one) for one in clause.body):
            return False
        bound = set(() if clause.head is None else clause.head.variables())
        return self._ordered(clause.body, bound) is not None

    def covered(self, clause: Clause, rows: Codes) -> Mask:
        """Return the examples that a clause covers, given as codes of the head's arguments."""
        covers = np.zeros(len(rows), np.bool_)
        waiting = [np.arange(len(rows))]
        while waiting:
            part = waiting.pop()
            found = self._some(clause, rows[part], len(part) > 1)
            if found is None:  # too many bindings at once
                waiting += np.array_split(part, 2)
            else:
                covers[part] = found
        return covers

    def _some(self, clause: Clause, rows: Codes, divisible: bool) -> Mask | None:
        """Return the examples that a clause covers; None if there are too many bindings to process at once."""
        assert clause.head is not None
        covers = np.zeros(len(rows), np.bool_)
        together, apart = linked(clause)
        if apart:  # literals that share no variable with the head hold for all examples or for none
            alone = Bindings({}, np.zeros(1, np.int64))
            holds = self._joined(alone, apart, None)
            if holds is not None and not len(holds):
                return covers
        found = self._joined(self.start(clause.head, rows), together, MOST_ROWS if divisible else None)
        if found is None:
            return None
        covers[found.example] = True
        return covers

    def _joined(self, bindings: Bindings, body: Sequence[Literal], most: int | None) -> Bindings | None:
        """Join literals in an order that keeps the number of bindings small, and drop variables no longer needed."""
        left = _Left(body, bindings.columns)
        while left.literals and len(bindings):
            literal = left.take(self._next(left, bindings))
            joined = self.join(bindings, literal, most, left.needed)
            if joined is None:
                return None
            bindings = joined.project(left.needed)
        return bindings

    def start(self, head: Literal, rows: Codes) -> Bindings:
        """Bind the variables of a head to the arguments of examples; omit examples that do not match."""
        columns: dict[Variable, Codes] = {}
        fits = np.ones(len(rows), np.bool_)
        for term, column in zip(head.arguments, rows.T, strict=True):
            if isinstance(term, Variable) and term not in columns:
                columns[term] = column
            else:
                fits &= column == (columns[term] if isinstance(term, Variable) else self.symbols.find(term))
        return Bindings(columns, np.arange(len(rows))).only(fits)

    def join(
        self,
        bindings: Bindings,
        literal: Literal,
        most: int | None = None,
        needed: set[Variable] | None = None,
    ) -> Bindings | None:
        """Return the bindings that also satisfy a literal; None if there are more than `most`.

        New variables that are not `needed` are omitted.
        """
        if compares(literal):
            return self._compare(bindings, literal)
        relation = self.relation(literal.predicate)
        places, keys = self._bound(bindings, literal)
        matches = relation.matches(places, keys)
        new, repeated = _new_variables(literal, bindings)
        if literal.negated or not new or (needed is not None and needed.isdisjoint(new)):
            if repeated:
                left, right = matches.pairs()
                kept = _agree(matches.rows[right], repeated)
                some = np.bincount(left[kept], minlength=len(bindings)) > 0
            else:
                some = matches.count > 0
            return bindings.only(~some if literal.negated else some)
        if most is not None and matches.count.sum() > most:
            return None
        left, right = matches.pairs()
        if repeated:
            kept = _agree(matches.rows[right], repeated)
            left, right = left[kept], right[kept]
        wider = bindings.only(left)
        found = {name: matches.rows[right, place] for name, place in new.items()}
        return Bindings(wider.columns | found, wider.example)

    def _bound(self, bindings: Bindings, literal: Literal) -> tuple[tuple[int, ...], Codes]:
        """Return the positions of a literal's bound arguments, and their codes in each row."""
        places, columns = [], []
        for place, term in enumerate(literal.arguments):
            if not isinstance(term, Variable):
                columns.append(np.full(len(bindings), self.symbols.find(term), np.int64))
            elif term in bindings.columns:
                columns.append(bindings.columns[term])
            else:
                continue
            places.append(place)
        keys = np.stack(columns, 1) if columns else np.empty((len(bindings), 0), np.int64)
        return tuple(places), keys

    def _compare(self, bindings: Bindings, literal: Literal) -> Bindings:
        left, right = (self._values(bindings, term) for term in literal.arguments)
        known = (left >= 0) & (right >= 0)
        if literal.name in _SAME:
            holds = (left == right) == _SAME[literal.name]
        else:
            order = self.symbols.dates if literal.name in _IN_ORDER else self.symbols.numbers
            one, other = order[left], order[right]
            known &= ~(np.isnan(one) | np.isnan(other))
            holds = COMPARISONS[_IN_ORDER.get(literal.name, literal.name)](one, other)
        return bindings.only((~holds if literal.negated else holds) & known)

    def _values(self, bindings: Bindings, term: Term) -> Codes:
        if isinstance(term, Variable):
            return bindings.columns[term]
        return np.full(len(bindings), self.symbols.code(term), np.int64)

    def _next(self, left: _Left, bindings: Bindings) -> int:
        """Return the index of the literal to join next: one that leaves few bindings."""
        while left.bound_whole:
            place = left.bound_whole.pop(0)
            if place in left.literals:
                return place
        if len(left.literals) == 1:
            return next(iter(left.literals))
        best, fewest = -1, np.inf
        seen: set[tuple[object, ...]] = set()
        for place, literal in left.literals.items():
            if not self._ready(literal, left.bound, left.literals.values()):
                continue
            # literals that differ only in new variables have the same number of matches
            new = (isinstance(term, Variable) and term not in left.bound for term in literal.arguments)
            known = (
                None if open_one else term for open_one, term in zip(new, literal.arguments, strict=True)
            )
            key = (literal.predicate, *known)
            if key in seen:
                continue
            seen.add(key)
            places, keys = self._bound(bindings, literal)
            size = float(self.relation(literal.predicate).matches(places, keys).count.sum())
            if size <= len(bindings):  # another order would not be much better
                return place
            if size < fewest:
                best, fewest = place, size
        return best

    def _ready(self, literal: Literal, bound: set[Variable], left: Iterable[Literal]) -> bool:
        """Return whether a literal can be joined; comparisons, negations and calls require bound variables."""
        free = {name for name in literal.variables() if name not in bound}
        if compares(literal):
            return not free
        if literal.negated:
            # an unshared variable means "for no value"; a variable that another literal binds must be bound
            # first
            shared = {name for other in left if other is not literal for name in other.variables()}
            if free & shared:
                return False
        relation = self.relation(literal.predicate)
        if isinstance(relation, Facts):
            return True
        places = tuple(
            place
            for place, term in enumerate(literal.arguments)
            if not isinstance(term, Variable) or term in bound
        )
        # for a call without modes, only the written order of the literals shows which variables it needs
        waits = bool(free) and not relation.has_modes and next(iter(left)) is not literal
        return relation.callable_with(places) and not waits

    def _ordered(self, body: tuple[Literal, ...], bound: set[Variable]) -> list[Literal] | None:
        """Return the literals in an order in which each can be joined, or None if there is no such order."""
        left, done = [*body], []
        while left:
            ready = next((one for one in left if self._ready(one, bound, left)), None)
            if ready is None:
                return None
            left.remove(ready)
            done.append(ready)
            if not ready.negated:
                bound = bound | set(ready.variables())
        return done


class _Left:
    """Literals still to be joined, by index, and the bound variables.

    The effects of each new binding are indexed, so that a clause with hundreds of literals does not need hundreds of
    scans.
    """

    def __init__(self, body: Sequence[Literal], bound: Iterable[Variable]) -> None:
        self.literals = dict(enumerate(body))
        self.bound: set[Variable] = set()
        self._variables = [set(literal.variables()) for literal in body]
        self._with: dict[Variable, set[int]] = {}
        for place, names in enumerate(self._variables):
            for name in names:
                self._with.setdefault(name, set()).add(place)
        self.needed = set(self._with)
        """Variables of the remaining literals."""
        self.bound_whole = [place for place, names in enumerate(self._variables) if not names]
        """Indices of literals whose variables are all bound; some may already have been joined."""
        self._bind(bound)

    def take(self, place: int) -> Literal:
        """Remove a literal; unless it is negated, its variables become bound."""
        literal = self.literals.pop(place)
        for name in self._variables[place]:
            self._with[name].discard(place)
            if not self._with[name]:
                self.needed.discard(name)
        if not literal.negated:
            self._bind(self._variables[place])
        return literal

    def _bind(self, names: Iterable[Variable]) -> None:
        new = set(names) - self.bound
        self.bound |= new
        touched = {place for name in new for place in self._with.get(name, ())}
        self.bound_whole += sorted(place for place in touched if self._variables[place] <= self.bound)


def linked(clause: Clause) -> tuple[list[Literal], list[Literal]]:
    """Return the literals connected to the head by shared variables, directly or indirectly, and the rest."""
    known = set(() if clause.head is None else clause.head.variables())
    together: list[Literal] = []
    apart = [*clause.body]
    while more := [literal for literal in apart if not known.isdisjoint(literal.variables())]:
        together += more
        apart = [literal for literal in apart if known.isdisjoint(literal.variables())]
        known |= {name for literal in more for name in literal.variables()}
    return [literal for literal in clause.body if literal in together], apart


def compares(literal: Literal) -> bool:
    """Return whether a literal compares two terms."""
    return len(literal.arguments) == 2 and (
        literal.name in _SAME or literal.name in COMPARISONS or literal.name in _IN_ORDER
    )


def _new_variables(literal: Literal, bindings: Bindings) -> tuple[dict[Variable, int], list[tuple[int, int]]]:
    """Return the first position of each new variable, and pairs of positions that must be equal."""
    new: dict[Variable, int] = {}
    repeated = []
    for place, term in enumerate(literal.arguments):
        if isinstance(term, Variable) and term not in bindings.columns:
            if term in new:
                repeated.append((new[term], place))
            else:
                new[term] = place
    return new, repeated


def _agree(rows: Codes, places: list[tuple[int, int]]) -> Mask:
    agree = np.ones(len(rows), np.bool_)
    for one, other in places:
        agree &= rows[:, one] == rows[:, other]
    return agree
