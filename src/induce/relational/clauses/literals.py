"""Admissible literals: relations over arguments of compatible types (Mitchell §10.5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from induce.core.errors import InputError
from induce.logic.background.kinds import ANY, fits
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relation
from induce.logic.clauses import Predicate
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes, Facts
from induce.logic.library import is_built_in

COMPARISONS = ("=", "==", "\\=", "\\==", "=<", "<", ">", ">=")
"""Predicates that compare two terms; they need no relation."""
BY_SIZE = ("=<", "<", ">", ">=")

MOST_PATTERNS = 20_000
"""Maximum number of argument patterns of one relation."""

CONSTANT = -1
"""Marker of a constant argument in a pattern."""

Pattern = tuple[int, ...]
"""Argument pattern of a literal: variable numbers, new variables after those of the clause, or `CONSTANT`."""


def is_comparison(mode: Mode) -> bool:
    """Return whether a mode declares a comparison."""
    return mode.name in COMPARISONS and len(mode.arguments) == 2


@dataclass(frozen=True)
class Usage:
    """One allowed use of a predicate in the body of a clause.

    Parameters
    ----------
    predicate : Predicate
    signs : str
        Sign of each argument: ``+`` for a variable of the clause, ``-`` for one that may be new, ``#`` for a
        constant, ``*`` for any of these.
    types : tuple of str

    Examples
    --------
    The uses of ``father/2`` in a clause with two people, and with the first two of three people:

    >>> father = Usage(("father", 2), "--", ("person", "person"))
    >>> father.patterns(("person", "person"))
    [(0, 1), (1, 0), (0, 2), (1, 2), (2, 0), (2, 1)]
    >>> Usage(("father", 2), "+-", ("person", "person")).patterns(("person", "person"), new_variables=0)
    [(0, 1), (1, 0)]
    """

    predicate: Predicate
    signs: str
    types: tuple[str, ...]

    def patterns(
        self,
        kinds: Sequence[str],
        *,
        new_variables: int | None = None,
        max_variables: int | None = None,
        distinct: bool = True,
        only: Sequence[set[int]] | None = None,
    ) -> list[Pattern]:
        """Return the argument patterns that fit a clause with variables of some types, at least one of which is used.

        Patterns with fewer constants come first, then those with fewer new variables. If there are too many, those
        with the most new variables are omitted.

        Parameters
        ----------
        kinds : sequence of str
            Types of the existing variables of the clause.
        new_variables, max_variables : int, optional
            Maximum number of new variables in the literal, and of all variables in the clause.
        distinct : bool
            Whether a variable may occur at only one position.
        only : sequence of set of int, optional
            Variables of the clause that may occur at each position.
        """
        n_known = len(kinds)
        most = len(self.types) if new_variables is None else new_variables
        if max_variables is not None:
            most = min(most, max_variables - n_known)
        known = [
            [
                number
                for number in range(n_known)
                if fits(kinds[number], kind) and (not only or number in only[place])
            ]
            for place, kind in enumerate(self.types)
        ]
        found = self._filled(known, n_known, most, distinct)
        while found is None and most > 0:
            most = min(most, len(self.types)) - 1
            found = self._filled(known, n_known, most, distinct)
        linked = [pattern for pattern in found or () if any(0 <= number < n_known for number in pattern)]
        return sorted(
            linked, key=lambda one: (one.count(CONSTANT), sum(number >= n_known for number in one), one)
        )

    def _filled(
        self, known: Sequence[list[int]], n_known: int, most: int, distinct: bool
    ) -> list[Pattern] | None:
        """Fill the positions one by one; return None if there are too many patterns."""
        found: list[Pattern] = [()]
        for place, sign in enumerate(self.signs):
            longer: list[Pattern] = []
            for pattern in found:
                n_new = max(max(pattern, default=-1) + 1 - n_known, 0)
                options = [] if sign == "#" else [*known[place]]
                if sign in "-*":
                    options += [
                        number
                        for number in range(n_known, n_known + n_new)
                        if fits(self.types[pattern.index(number)], self.types[place])
                    ]
                    options += [n_known + n_new] * (n_new < most)
                if sign in "#*":
                    options.append(CONSTANT)
                longer += [
                    (*pattern, number)
                    for number in options
                    if not (distinct and number in pattern) or number == CONSTANT
                ]
            if len(longer) > MOST_PATTERNS:
                return None
            found = longer
        return found


class Vocabulary:
    """Vocabulary of clauses about the given examples: relations, types and constants.

    Parameters
    ----------
    examples : Examples
    undeclared : bool
        Whether constants may occur without a declared mode. Only values qualify: their types are neither
        argument types of the target nor types of background objects.
    recursive : bool
        Whether to allow calls of the target.
    """

    def __init__(self, examples: Examples, undeclared: bool, recursive: bool) -> None:
        self.examples = examples
        self.relations = examples.relations
        self._undeclared = undeclared
        self._constants: dict[str, Codes] = {}
        self.domains: dict[Predicate, Facts] = {}
        self._domain_kinds: dict[Predicate, str] = {}
        declared = [mode for mode in self.relations.modes if not mode.head and not is_comparison(mode)]
        self._check(declared)
        self.usages: dict[Predicate, list[Usage]] = {}
        if declared or examples.declared:
            for mode in declared:
                signs = "".join(argument[0] for argument in mode.arguments)
                usage = Usage(mode.predicate, signs, mode.types)
                mine = self.usages.setdefault(mode.predicate, [])
                if usage not in mine:
                    mine.append(usage)
        else:
            for predicate in self.relations.predicates():
                self.usages[predicate] = [self._any_usage(predicate)]
        target = examples.target
        if not recursive or self.usages.keys() <= {target}:  # no argument of a call could decrease
            self.usages.pop(target, None)
        elif target not in self.usages and not examples.declared:
            self.usages[target] = [Usage(target, "-" * target[1], examples.types)]
        self.found: dict[Predicate, Relation] = {
            predicate: examples.facts() if predicate == target else self.relations.relation(predicate)
            for predicate in self.usages
        }

    def _check(self, declared: Sequence[Mode]) -> None:
        known = {*self.relations.predicates(), self.examples.target}
        for mode in declared:
            if mode.predicate not in known and not is_built_in(mode.predicate):
                raise InputError(
                    f"the mode {mode} is for a relation that the background does not define; give its "
                    "facts or rules, or omit the mode"
                )

    def _any_usage(self, predicate: Predicate) -> Usage:
        kinds = self.kinds(predicate)
        signs = "".join("*" if self._undeclared and self.is_value(kind) else "-" for kind in kinds)
        return Usage(predicate, signs, kinds)

    def kinds(self, predicate: Predicate) -> tuple[str, ...]:
        """Return the types of a predicate's arguments."""
        if predicate in self._domain_kinds:
            return (self._domain_kinds[predicate],)
        if predicate == self.examples.target:
            return self.examples.types
        return self.relations.kinds.types.get(predicate, (ANY,) * predicate[1])

    def constants(self, kind: str) -> Codes:
        """Return the constants of a type, in the order of their codes."""
        if kind not in self._constants:
            columns = [column for other, column in self._columns if other == kind]
            values = np.unique(np.concatenate([np.empty(0, np.int64), *columns]))
            self._constants[kind] = values[values >= 0]
        return self._constants[kind]

    def domain(self, kind: str) -> Predicate:
        """Return a type predicate that holds of a type's constants; its facts are in `domains` if it is new."""
        rows = self.constants(kind)[:, None]
        for name in (kind, f"{kind} of the examples"):
            predicate = (name, 1)
            known: Relation | None = self.domains.get(predicate)
            if known is None and predicate not in self.relations.predicates():
                self.domains[predicate] = Facts.of(rows)
                self._domain_kinds[predicate] = kind
                return predicate
            known = known or self.relations.relation(predicate)
            if isinstance(known, Facts) and np.array_equal(np.sort(known.rows[:, 0]), rows[:, 0]):
                return predicate
        raise InputError(
            f"the background already has relations named {kind!r} and {kind + ' of the examples'!r}; "
            "rename one of them"
        )

    def is_numeric(self, codes: Codes) -> bool:
        """Return whether there are at least two values, all of them numbers."""
        return len(codes) > 1 and not np.isnan(self.relations.symbols.numbers[codes]).any()

    def is_measure(self, kind: str) -> bool:
        """Return whether values of a type may be compared by size if they are numeric."""
        return kind not in self._things

    def is_value(self, kind: str) -> bool:
        """Return whether clauses may name the constants of a type without a declared mode."""
        if kind in self._background and (kind in self.examples.types or kind in self._things or kind == ANY):
            return False
        values = self.constants(kind)
        return len(values) > 0 and not self.is_numeric(values)

    @cached_property
    def _facts(self) -> list[tuple[tuple[str, ...], Facts]]:
        each = ((predicate, self.relations.relation(predicate)) for predicate in self.relations.predicates())
        return [(self.kinds(predicate), one) for predicate, one in each if isinstance(one, Facts)]

    @cached_property
    def _columns(self) -> list[tuple[str, Codes]]:
        mine = [*zip(self.examples.types, self.examples.rows.T, strict=True)]
        return mine + [
            (kind, column)
            for kinds, one in self._facts
            for kind, column in zip(kinds, one.rows.T, strict=True)
        ]

    @cached_property
    def _background(self) -> set[str]:
        return {kind for kinds, _ in self._facts for kind in kinds} | {ANY}

    @cached_property
    def _things(self) -> set[str]:
        """Return the types of objects rather than of values: a number that identifies a person is not a quantity.

        Three kinds of types hold objects: target types of which the background has facts with another type,
        types that identify the facts of a relation, and types from which modes query relations. If a type
        identifies facts, their other arguments are its properties. A type whose values a mode compares by
        size is excluded.
        """
        asked = (mode for mode in self.relations.modes if not mode.head and not is_comparison(mode))
        found = {mode.types[place] for mode in asked for place in mode.places("+")}
        for kinds, one in self._facts:
            if len(set(kinds)) == 1:
                continue
            found |= set(kinds) & set(self.examples.types)
            keys = (place for place, column in enumerate(one.rows.T) if len(np.unique(column)) == len(one))
            if (key := next(keys, None)) is not None and len(one) > 1:
                found.add(kinds[key])
        sizes = (mode for mode in self.relations.modes if is_comparison(mode) and mode.name in BY_SIZE)
        found -= {kind for mode in sizes for kind in mode.types}
        return {kind for kind in found if not self._fractions(kind)}

    def _fractions(self, kind: str) -> bool:
        numbers = self.relations.symbols.numbers[self.constants(kind)]
        return bool((numbers % 1 > 0).any())
