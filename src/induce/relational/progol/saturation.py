"""Saturation of an example: its background facts are collected in rounds (Mitchell §10.7.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from induce.logic.background.kinds import fits
from induce.logic.background.modes import Mode
from induce.logic.clauses import Literal
from induce.logic.coverage.bindings import Coverage
from induce.logic.coverage.examples import variable
from induce.logic.facts import Codes, Facts
from induce.logic.terms import Constant, Term, Variable

Floats = NDArray[np.float64]
Cuts = Callable[[tuple[Literal, ...], Variable], Floats]
"""Function that returns thresholds for a variable, given the literals that lead to it."""

SAME = "="
DIFFERENT = ("\\=", "\\==")
ORDERED = {"=<": np.less_equal, "<": np.less, ">": np.greater, ">=": np.greater_equal}
MOST_CALLS = 20_000
"""Maximum number of calls of one mode at a time; for larger relations the facts are filtered instead."""


@dataclass(frozen=True)
class _Known:
    """Variable of the clause: its term, its type, and the round in which it was introduced."""

    name: Variable
    code: int
    kind: str
    layer: int


class Draft:
    """Most specific clause under construction."""

    def __init__(
        self,
        coverage: Coverage,
        head: Mode,
        depth: int,
        max_literals: int,
        cuts: Cuts | None,
        denied: Facts | None,
        example: Literal,
    ) -> None:
        self.coverage, self.mode, self.depth, self.max_literals = coverage, head, depth, max_literals
        self.cuts, self.denied, self.example = cuts, denied, example
        self.symbols = coverage.symbols
        self.codes = [self.symbols.code(term) for term in example.arguments]
        self.variables: dict[Variable, _Known] = {}
        self.by_code: dict[int, list[_Known]] = {}
        self.waiting: dict[Variable, _Known] = {}
        self.literals: dict[Literal, frozenset[Variable]] = {}
        self.made_by: dict[Variable, Literal] = {}
        self.fixed: list[Literal] = []
        self.cut = False
        self.names = 0
        self.head = Literal(head.name, tuple(self._name() for _ in example.arguments))

    def known(self) -> frozenset[Variable]:
        """Return the head variables that are known from the start."""
        return frozenset(known.name for known in self.variables.values() if known.layer == 0)

    def _name(self) -> Variable:
        self.names += 1
        return variable(self.names - 1)

    def _add(self, literal: Literal, needs: frozenset[Variable]) -> bool:
        if literal in self.literals or literal == self.head:
            return False
        if len(self.literals) >= self.max_literals:
            self.cut = True
            return False
        self.literals[literal] = needs
        return True

    def _meet(self, known: _Known) -> None:
        self.variables[known.name] = known
        self.by_code.setdefault(known.code, []).append(known)

    def start(self, equality: bool = True) -> None:
        """Start with the head: inputs are known, constants fixed, and a literal may state equal arguments."""
        met: list[_Known] = []
        for sign, name, code, kind in zip(
            (argument[0] for argument in self.mode.arguments),
            self.head.arguments,
            self.codes,
            self.mode.types,
            strict=True,
        ):
            assert isinstance(name, Variable)
            known = _Known(name, code, kind, 0)
            if sign == "-":
                self.waiting[name] = known
                continue
            met.append(known)
            self._meet(known)
            if sign == "#":
                literal = Literal(SAME, (name, self.symbols.terms[code]))
                self._add(literal, frozenset())
                self.fixed.append(literal)
        for one, other in combinations(met, 2) if equality else ():
            if one.code == other.code and fits(one.kind, other.kind):
                self._add(Literal(SAME, (one.name, other.name)), frozenset((one.name, other.name)))

    # -- relations --

    def call(self, mode: Mode, layer: int) -> None:
        """Add the literals of a mode whose inputs existed before this round, at least one of them new."""
        inputs = mode.places("+")
        if not inputs and layer > 1:
            return
        choices = [self._codes(mode.types[place], layer) for place in inputs]
        if not all(map(len, choices)):
            return
        if mode.predicate == (self.head.name, len(self.codes)) and len(inputs) == len(mode.arguments):
            self._assume(mode, layer)
            return
        rows = self._facts(mode, inputs, choices, layer)
        for row in rows.tolist():
            self._write(mode, row, layer)

    def _codes(self, kind: str, layer: int) -> list[int]:
        """Return the values of variables of a type that existed before a round, in order of introduction."""
        return [
            *dict.fromkeys(
                known.code
                for known in self.variables.values()
                if known.layer < layer and fits(known.kind, kind)
            )
        ]

    def _fresh(self, layer: int) -> set[int]:
        return {known.code for known in self.variables.values() if known.layer == layer - 1}

    def _facts(self, mode: Mode, inputs: tuple[int, ...], choices: list[list[int]], layer: int) -> Codes:
        """Return the facts for calls of a mode, at most `recall` for each call."""
        relation = self.coverage.relation(mode.predicate)
        n_calls = int(np.prod([len(choice) for choice in choices], dtype=float))
        fresh = np.array(sorted(self._fresh(layer)), np.int64)
        if n_calls > MOST_CALLS and isinstance(relation, Facts):
            known = np.all(
                [
                    np.isin(relation.rows[:, place], choice)
                    for place, choice in zip(inputs, choices, strict=True)
                ],
                0,
            )
            keys = Facts.of(relation.rows[known][:, list(inputs)]).rows
        else:
            if n_calls > MOST_CALLS:
                self.cut = True
            calls = [call for call, _ in zip(product(*choices), range(MOST_CALLS), strict=False)]
            keys = np.array(calls, np.int64).reshape(len(calls), len(inputs))
        if layer > 1:
            keys = keys[np.isin(keys, fresh).any(1)]
        matches = relation.matches(inputs, keys)
        if mode.recall is not None:
            matches = type(matches)(
                matches.rows, matches.order, matches.first, np.minimum(matches.count, mode.recall)
            )
        return matches.rows[matches.pairs()[1]]

    def _assume(self, mode: Mode, layer: int) -> None:
        """Add recursive literals over known variables; the search determines whether they hold."""
        for names in product(
            *(
                [known for known in self.variables.values() if known.layer < layer and fits(known.kind, kind)]
                for kind in mode.types
            )
        ):
            if layer > 1 and all(known.layer < layer - 1 for known in names):
                continue
            key = np.array([[known.code for known in names]], np.int64)
            denied = self.denied
            if denied is None or not denied.matches(tuple(range(key.shape[1])), key).count[0]:
                arguments = tuple(known.name for known in names)
                self._add(Literal(mode.name, arguments), frozenset(arguments))

    def _write(self, mode: Mode, row: list[int], layer: int) -> None:
        """Add the literals of one fact, one for each choice of variables for its inputs and known outputs."""
        options: list[list[Term]] = []
        made: list[Variable] = []
        for argument, kind, code in zip(mode.arguments, mode.types, row, strict=True):
            if argument[0] == "#":
                options.append([self.symbols.terms[code]])
                continue
            named = [known for known in self.by_code.get(code, ()) if fits(known.kind, kind)]
            if argument[0] == "+":
                options.append([known.name for known in named if known.layer < layer])
                continue
            # a variable whose literal no longer fits within max_literals would be disconnected
            full = len(self.literals) >= self.max_literals
            for held in [*self.waiting.values()]:
                if held.code == code and fits(held.kind, kind) and not full:
                    named.append(replace(self.waiting.pop(held.name), layer=layer))
                    made.append(held.name)
                    self._meet(named[-1])
            if not named and full:
                self.cut = True
                return
            if not named:
                named.append(_Known(self._name(), code, kind, layer))
                made.append(named[0].name)
                self._meet(named[0])
            options.append([known.name for known in named])
        inputs = mode.places("+")
        for arguments in product(*options):
            literal = Literal(mode.name, arguments)
            if self._add(literal, frozenset(_variables(arguments[place] for place in inputs))):
                for name in made:
                    if name in arguments:
                        self.made_by.setdefault(name, literal)

    # -- comparisons --

    def compare(self, mode: Mode) -> None:
        """Add the comparisons of a mode that hold: between two variables, or of one variable with constants."""
        kinds = mode.types
        mine = [known for known in self.variables.values() if fits(known.kind, kinds[0])]
        if mode.arguments[1][0] == "#":
            for known in mine:
                self._compare_with_constants(mode.name, known)
            return
        other = [known for known in self.variables.values() if fits(known.kind, kinds[1])]
        for one, two in product(mine, other):
            if one is two or max(one.layer, two.layer) >= max(self.depth, 1):
                continue
            if mode.name in DIFFERENT and one.layer and two.layer:
                continue
            if mode.name not in ORDERED and one.name != min(one.name, two.name, key=self._place):
                continue
            if self._holds(mode.name, one, two):
                arguments = one.name, two.name
                self._add(Literal(mode.name, arguments), frozenset(arguments))

    def _place(self, name: Variable) -> int:
        return [*self.variables].index(name)

    def _holds(self, name: str, one: _Known, two: _Known) -> bool:
        if name in ORDERED:
            left, right = self.symbols.numbers[[one.code, two.code]]
            return bool(ORDERED[name](left, right))
        return (one.code != two.code) == (name in DIFFERENT)

    def _compare_with_constants(self, name: str, known: _Known) -> None:
        if name not in ORDERED:
            if name not in DIFFERENT:
                self._add(
                    Literal(name, (known.name, self.symbols.terms[known.code])), frozenset((known.name,))
                )
            return
        value = self.symbols.numbers[known.code]
        if self.cuts is None or np.isnan(value):
            return
        for cut in self.cuts(self._chain(known.name), known.name).tolist():
            if ORDERED[name](value, cut):
                literal = Literal(name, (known.name, Constant(int(cut) if cut == int(cut) else cut)))
                self._add(literal, frozenset((known.name,)))

    def _chain(self, name: Variable) -> tuple[Literal, ...]:
        """Return the literals that lead from the head to a variable, in order."""
        found: dict[Literal, None] = {}
        waiting = [name]
        while waiting:
            literal = self.made_by.get(waiting.pop())
            if literal is not None and literal not in found:
                found[literal] = None
                waiting += self.literals[literal]
        return tuple(literal for literal in self.literals if literal in found)


def _variables(terms: Iterable[Term]) -> Iterator[Variable]:
    return (term for term in terms if isinstance(term, Variable))
