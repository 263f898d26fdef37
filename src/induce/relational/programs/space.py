"""Search space of theories: numbered predicates, literals by mode, and the inputs that distinguish bodies."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product

import numpy as np

from induce.logic.background.kinds import fits
from induce.logic.background.modes import MOST_CONSTANTS, Mode
from induce.logic.clauses import Literal, Predicate
from induce.logic.coverage.examples import Examples, variable
from induce.logic.facts import Codes
from induce.logic.terms import Constant, Function, Term
from induce.relational.clauses.recursion import size
from induce.relational.progol.modes import head_mode, modes_of
from induce.relational.programs.engine import Engine, Row
from induce.relational.programs.enumeration import NUMBER, STRUCTURE, Template

MOST_INPUTS = 60
"""Number of additional inputs, beside those of the examples, that distinguish bodies."""
MOST_REACHED = 60
"""Maximum number of terms of each type reached from an example."""


class Space:
    """Numbered predicates, those of the background first, then the target.

    Parameters
    ----------
    examples : Examples
    recursion : bool
        Whether bodies may call the target. If modes are declared, one of them must allow it.
    """

    def __init__(self, examples: Examples, recursion: bool) -> None:
        self.examples = examples
        self.head = head_mode(examples)
        body = [mode for mode in modes_of(examples)[1] if not mode.name.startswith("\\+")]
        own = [mode for mode in body if mode.predicate == examples.target]
        others = [mode for mode in body if mode.predicate != examples.target]
        if recursion and not own and not examples.declared:
            own = [Mode(self.head.name, tuple(a.replace("#", "+") for a in self.head.arguments))]
        self.background: list[Predicate] = [*dict.fromkeys(mode.predicate for mode in others)]
        self.predicates = [*self.background, examples.target]
        self.target = len(self.background)
        self.signs = tuple(argument[0].replace("#", "+") for argument in self.head.arguments)
        self.types = self.head.types
        modes = dict.fromkeys(
            (mode.predicate, mode.arguments) for mode in others + (own if recursion else [])
        )
        self.templates = [self._template(predicate, arguments) for predicate, arguments in modes]
        self.needed: dict[Predicate, list[frozenset[int]]] = {}
        for mode in others:
            places = frozenset(k for k, argument in enumerate(mode.arguments) if argument[0] != "-")
            self.needed.setdefault(mode.predicate, []).append(places)
        self.n_own = 0
        self.width = max(2, *(arity for _, arity in self.predicates))
        terms = examples.relations.symbols.terms
        self.largest = max((size(terms[code]) for code in examples.rows.ravel() if code >= 0), default=1)

    def _template(self, predicate: Predicate, arguments: Sequence[str]) -> Template:
        signs = tuple(argument[0] for argument in arguments)
        types = tuple(argument[1:] for argument in arguments)
        constants = tuple(
            self._constants(predicate, place, kind) if sign == "#" else ()
            for place, (sign, kind) in enumerate(zip(signs, types, strict=True))
        )
        return Template(self.predicates.index(predicate), signs, types, constants)

    def _constants(self, predicate: Predicate, place: int, kind: str) -> tuple[int, ...]:
        """Return the values of an argument in the facts, or else the known values of its type."""
        relations = self.examples.relations
        facts = relations.listed.get(predicate)
        if facts is not None and len(facts):
            return tuple(np.unique(facts.rows[:, place]).tolist())[:MOST_CONSTANTS]
        values = relations.kinds.values.get(kind)
        return () if values is None else tuple(values.tolist())[:MOST_CONSTANTS]

    def inputs(self, engine: Engine) -> Codes:
        """Return calls of the target: those of the examples, and the smallest ones reachable from them."""
        rows = self.examples.rows[(self.examples.rows >= 0).all(1)]
        open_ = [place for place, sign in enumerate(self.signs) if sign == "-"]
        given = [place for place, sign in enumerate(self.signs) if sign != "-"]
        terms = self.examples.relations.symbols.terms
        found: dict[tuple[int, ...], float] = {}
        for row, reached in zip(rows.tolist(), self._reached(engine, rows.tolist()), strict=True):
            fitting = [[value for value, kind in reached.items() if fits(kind, self.types[p])] for p in given]
            for chosen in islice(product(*fitting), 20 * MOST_REACHED):
                call = [-1] * len(row)
                for place, value in zip(given, chosen, strict=True):
                    call[place] = value
                found.setdefault(tuple(call), sum(_magnitude(terms[value]) for value in chosen))
        own = rows.copy()
        own[:, open_] = -1
        first = [*dict.fromkeys(map(tuple, own.tolist()))][: 2 * MOST_INPUTS]
        self.n_own = len(first)
        rest = sorted(
            (call for call in found if call not in set(first)), key=lambda call: (found[call], call)
        )
        return self.wide(np.array(first + rest[:MOST_INPUTS], np.int64).reshape(-1, rows.shape[1]))

    def sized(self) -> tuple[int, ...]:
        """Return which inputs of the target have a size; none of them if no input is a structure."""
        symbols = self.examples.relations.symbols
        found = []
        for column, sign in zip(self.examples.rows.T, self.signs, strict=True):
            values = column[column >= 0]
            if sign == "-":
                found.append(0)
            elif any(isinstance(symbols.terms[code], Function) for code in values):
                found.append(STRUCTURE)
            else:
                found.append(0 if np.isnan(symbols.numbers[values]).any() else NUMBER)
        return tuple(found) if STRUCTURE in found else (0,) * len(found)

    def wide(self, rows: Codes) -> Codes:
        """Return rows padded to the length of the longest."""
        found = np.full((len(rows), self.width), -1, np.int64)
        found[:, : rows.shape[1]] = rows
        return found

    def _reached(self, engine: Engine, rows: list[list[int]]) -> list[dict[int, str]]:
        """Return, for each example, the values reachable from its inputs by literals with one input."""
        found = [
            {
                value: kind
                for value, kind, sign in zip(row, self.types, self.signs, strict=True)
                if sign != "-"
            }
            for row in rows
        ]
        waiting = [[*each.items()] for each in found]
        next_to: dict[tuple[int, str], list[tuple[int, str]]] = {}
        while any(waiting):
            self._look_around(engine, {one for each in waiting for one in each} - next_to.keys(), next_to)
            for each, now in zip(found, waiting, strict=True):
                here, now[:] = [*now], []
                for other, kind in (new for one in here for new in next_to[one]):
                    if other not in each and len(each) < MOST_REACHED:
                        each[other] = kind
                        now.append((other, kind))
        return found

    def _look_around(
        self,
        engine: Engine,
        values: set[tuple[int, str]],
        next_to: dict[tuple[int, str], list[tuple[int, str]]],
    ) -> None:
        """Add the values that one literal reaches from others."""
        next_to.update((one, []) for one in values)
        for template in self.templates:
            if template.predicate >= self.target or template.signs.count("+") != 1 or "#" in template.signs:
                continue
            place = template.signs.index("+")
            mine = sorted(one for one in values if fits(template.types[place], one[1]))
            if not mine:
                continue
            called = self.background[template.predicate]
            answers, counts = engine.answers(called, (place,), np.array([[value] for value, _ in mine]))
            for one, end, count in zip(mine, np.cumsum(counts).tolist(), counts.tolist(), strict=True):
                for answer in answers[end - count : end][:5].tolist():
                    next_to[one] += zip(answer, template.types, strict=True)

    def literal(self, row: Row) -> Literal:
        """Return the literal of an encoded row."""
        name, arity = self.predicates[row[0]]
        terms = self.examples.relations.symbols.terms
        arguments: list[Term] = [variable(one) if one >= 0 else terms[-2 - one] for one in row[1 : 1 + arity]]
        return Literal(name, tuple(arguments))


def _magnitude(term: Term) -> float:
    """Return the size of a term and of its numeric value, so that no argument dominates the smallest inputs."""
    number = term.value if isinstance(term, Constant) else 0
    return size(term) + (abs(number) if isinstance(number, int | float) else 0)
