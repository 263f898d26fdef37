"""Argument types, inferred from shared values."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from induce.logic.clauses import Predicate
from induce.logic.facts import Codes, Facts

ANY = "any"
"""Type of arguments without type information; it is compatible with every type."""


def fits(one: str, other: str) -> bool:
    """Return whether two types are compatible."""
    return one == other or ANY in (one, other)


class Kinds:
    """Argument types: two arguments that share a value have the same type, unless declared otherwise.

    Parameters
    ----------
    facts : dict from Predicate to Facts
    told : dict from Predicate to tuple of str
        Declared types. Arguments that share a value with a declared argument get its type; two declared types
        remain distinct even if they share values.
    n_symbols : int

    Attributes
    ----------
    types : dict from Predicate to tuple of str
        Type of each argument. A type without a name is named after the unary predicate that holds for all its values,
        or else after the first argument of that type, such as ``parent_1``.
    values : dict from str to array of int64
        Distinct values of each type, in order.
    """

    def __init__(
        self, facts: Mapping[Predicate, Facts], told: Mapping[Predicate, tuple[str, ...]], n_symbols: int
    ) -> None:
        self._of_value = np.full(n_symbols, -1, np.int64)
        self._parent: list[int] = []
        self._name: list[str | None] = []
        self._column: list[Codes] = []
        by_name: dict[str, int] = {}
        places: dict[Predicate, list[int]] = {}
        for predicate in sorted(facts, key=lambda one: (one not in told, one[1] != 1)):
            kinds = told.get(predicate, (None,) * predicate[1])
            places[predicate] = [
                self._place(facts[predicate], place, kind, by_name) for place, kind in enumerate(kinds)
            ]
        values = self._values()
        first = sorted(facts, key=lambda one: one[1] != 1)
        for predicate in first:
            for place, this in enumerate(places[predicate]):
                root = self._root(this)
                if self._name[root] is None and predicate[1] > 1:
                    self._name[root] = f"{predicate[0]}_{place + 1}"
                elif self._name[root] is None and len(self._column[this]) == len(values[root]):
                    self._name[root] = predicate[0]
        for (
            predicate
        ) in first:  # types that occur only in unary predicates, none of which holds for all values
            for this in places[predicate]:
                self._name[self._root(this)] = self._name[self._root(this)] or predicate[0]
        self.types = dict(told) | {
            predicate: tuple(str(self._name[self._root(this)]) for this in mine)
            for predicate, mine in places.items()
            if predicate not in told
        }
        self.values = {str(self._name[root]): codes for root, codes in values.items()}

    def of_values(self, codes: Codes) -> str:
        """Return the type that contains most of the given values; ties go to the first, and `ANY` means none does."""
        counts = {name: int(np.isin(codes, values).sum()) for name, values in self.values.items()}
        best = max(counts, key=lambda name: counts[name], default=ANY)
        return best if counts.get(best) else ANY

    def _values(self) -> dict[int, Codes]:
        parts: dict[int, list[Codes]] = {}
        for this, column in enumerate(self._column):
            parts.setdefault(self._root(this), []).append(column)
        return {root: self._different(*mine) for root, mine in parts.items()}

    def _different(self, *columns: Codes) -> Codes:
        """Return the distinct codes of the given columns, ascending; a mask over all symbols is faster than
        sorting.
        """
        met = np.zeros(len(self._of_value), np.bool_)
        for codes in columns:
            met[codes] = True
        return np.flatnonzero(met)

    def _place(self, facts: Facts, place: int, kind: str | None, by_name: dict[str, int]) -> int:
        """Add an argument with its declared type, or the type of the values it shares."""
        this = len(self._parent)
        self._parent.append(by_name.get(kind, this) if kind is not None else this)
        self._name.append(kind if kind not in by_name else None)
        if kind is not None:
            by_name.setdefault(kind, this)
        values = self._different(facts.rows[:, place])
        self._column.append(values)
        if kind == ANY:  # no information about its values
            return this
        owners = self._of_value[values]
        for owner in np.unique(owners[owners >= 0]).tolist():
            self._join(owner, this)
        self._of_value[values[owners < 0]] = this
        return this

    def _root(self, place: int) -> int:
        while self._parent[place] != place:
            self._parent[place] = place = self._parent[self._parent[place]]
        return place

    def _join(self, one: int, other: int) -> None:
        """Merge two types, unless both are declared."""
        first, second = sorted((self._root(one), self._root(other)))
        if self._name[first] is None or self._name[second] is None:
            self._name[first] = self._name[first] or self._name[second]
            self._parent[second] = first
