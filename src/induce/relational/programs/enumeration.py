"""Clause bodies by size: typed, moded literals; each set is enumerated once and identified by its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product

import numpy as np

from induce.logic.background.kinds import fits
from induce.logic.facts import Codes
from induce.relational.programs._loops import BITS
from induce.relational.programs.engine import Engine, Row

MOST_CALLS = 2
"""Maximum number of calls of predicates with clauses in a body."""
MOST_MOVES = 5_000
"""Maximum number of instances of one literal of a relation; the first argument combinations are kept."""
STRUCTURE, NUMBER = 1, 2


@dataclass(frozen=True)
class Template:
    """Form of literals that a body may contain.

    Parameters
    ----------
    predicate : int
        Number of the predicate.
    signs, types : tuple of str
        Sign (``+``, ``-`` or ``#``) and type of each argument.
    constants : tuple of tuple of int
        Codes of the constants at each argument, if it is one.
    """

    predicate: int
    signs: tuple[str, ...]
    types: tuple[str, ...]
    constants: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Move:
    """Literal over a body's variables: those in it and those it needs, as bits, and types of new ones."""

    row: Row
    signs: tuple[str, ...]
    has: int
    needs: int
    new: tuple[str, ...]


@dataclass(frozen=True)
class Body:
    """Body under construction: its literals, in an order in which they can be called."""

    rows: tuple[Row, ...]
    types: tuple[str, ...]
    bound: int
    single: int
    """Singleton variables, and head variables that are not in the body yet, as bits."""
    columns: tuple[int, ...]
    """Identity of each variable's values: a hash of the values or, after a call, their origin."""
    literals: frozenset[tuple[int, ...]]
    """Literals over these columns, in any order."""
    answers: int
    calls: int = 0
    late: int = 0
    """Variables that are known only after a call, as bits."""
    guard: int = -1
    """Inputs that have an answer before any call, as bits."""
    less: tuple[int, ...] = ()
    """For each head argument, the variables that are always smaller, as bits."""
    more: tuple[int, ...] = ()


@dataclass
class Bodies:
    """Enumeration of the bodies for a head by number of literals.

    Only the first of the bodies with the same answers for all known inputs is kept. Bodies that have no answer
    or a redundant literal are dropped.

    Parameters
    ----------
    engine : Engine
    head : int
        Number of the head's predicate, which must not be called with the inputs of the head.
    types, signs : tuple of str
        Types and signs of the head's arguments.
    templates : sequence of Template
    n_background : int
        Number from which on predicates have clauses.
    inputs : array of int64
        Calls of the head, with -1 for unbound arguments.
    sized : tuple of int
        For each head argument, `STRUCTURE` if its values have a size, `NUMBER` if they are numbers, otherwise
        0.
    max_variables : int or None
    singletons : bool
        Whether a variable may occur only once.
    forbids, forbids_longer : callable, optional
        Functions that return whether constraints forbid a body of the given literals, and whether they forbid
        all its extensions.
    """

    engine: Engine
    head: int
    types: tuple[str, ...]
    signs: tuple[str, ...]
    templates: Sequence[Template]
    n_background: int
    inputs: Codes
    sized: tuple[int, ...] = ()
    max_variables: int | None = None
    singletons: bool = False
    forbids: Callable[[Sequence[Row]], bool] | None = None
    forbids_longer: Callable[[Sequence[Row]], bool] | None = None
    _moves: dict[tuple[tuple[str, ...], int], list[Move]] = field(default_factory=dict)
    _symbols: dict[tuple[int, ...], int] = field(default_factory=dict)
    _seen: set[object] = field(default_factory=set)

    def start(self) -> Body:
        """Return the empty body."""
        every = (1 << len(self.types)) - 1
        bound = sum(1 << place for place, sign in enumerate(self.signs) if sign != "-")
        return Body((), self.types, bound, every, tuple(range(-1, -1 - len(self.types), -1)), frozenset(), -1)

    def complete(self, body: Body) -> bool:
        """Return whether a body forms a clause: it contains and binds all variables of the head."""
        heads = (1 << len(self.types)) - 1
        single = body.single & heads if self.singletons else body.single
        whole = not single and body.bound & heads == heads
        return whole and (self.forbids is None or not self.forbids(body.rows))

    def extended(self, bodies: Sequence[Body], left: int) -> list[Body]:
        """Return the bodies with one more literal, to which up to `left` further literals may be added."""
        proposed: list[Body] = []
        plain: list[tuple[Body, Body]] = []
        for body in bodies:
            if self.engine.deadline.passed():
                return []
            for other in self._proposals(body, left):
                if self.forbids_longer is not None and self.forbids_longer(other.rows):
                    continue
                if other.calls:
                    proposed.append(other)
                else:
                    plain.append((body, other))
        return [*self._told_apart(plain), *self._once(proposed)]

    def _once(self, bodies: list[Body]) -> Iterator[Body]:
        for body in bodies:
            single = frozenset(
                column for place, column in enumerate(body.columns) if body.single >> place & 1
            )
            key = body.literals, single, body.bound
            if key not in self._seen:
                self._seen.add(key)
                yield body

    def _told_apart(self, pairs: list[tuple[Body, Body]]) -> Iterator[Body]:
        """Yield the bodies whose answers to the known inputs are new."""
        if not pairs:
            return
        before = self.engine.n_clauses
        numbers = [
            self.engine.add(self.head, len(self.types), body.rows, len(body.types)) for _, body in pairs
        ]
        most = max(len(body.types) for _, body in pairs)
        theories = np.array(numbers, np.int64)[:, None]
        found = self.engine.behave(theories, self.inputs, self.head, most)
        self.engine.forget(before)
        for place, (shorter, body) in enumerate(pairs):
            number = int(found.number[place])
            if not number:
                continue
            mine = tuple(found.columns[place, : len(body.types)].tolist())
            if shorter.answers == number and mine[: len(shorter.types)] == shorter.columns:
                old = set(shorter.columns)
                if all(column in old for column in mine[len(shorter.types) :]):
                    continue  # a test that always succeeds, or a second name for a value
            single = frozenset(column for v, column in enumerate(mine) if body.single >> v & 1)
            heads = mine[: len(self.types)]
            # constraints may forbid only one of two bodies with the same answers
            bad = self.forbids is not None and self.forbids(body.rows)
            key = number, heads, frozenset(mine), single, body.bound & (1 << len(self.types)) - 1, bad
            if key in self._seen:
                continue
            self._seen.add(key)
            literals = frozenset([(0, number, *heads)])
            yield replace(
                body,
                columns=mine,
                literals=literals,
                answers=number,
                guard=_bits(found.guards[place]),
                less=tuple(found.less[place].tolist()),
                more=tuple(found.more[place].tolist()),
            )

    def _proposals(self, body: Body, left: int) -> Iterator[Body]:
        key = body.types, body.bound
        moves = self._moves.get(key)
        if moves is None:
            moves = self._moves[key] = [*self._made(body.types, body.bound)]
        widest = max((len(template.types) for template in self.templates), default=0)
        room = None if self.max_variables is None else self.max_variables - len(body.types)
        heads = (1 << len(self.types)) - 1
        for move in moves:
            if room is not None and len(move.new) > room:
                continue
            single = (body.single & ~move.has) | ((1 << len(move.new)) - 1) << len(body.types)
            waiting = (single & heads if self.singletons else single).bit_count()
            if waiting > left * widest or move.row in body.rows:
                continue
            is_call = move.row[0] >= self.n_background
            calls = body.calls + is_call
            # literals that do not depend on a call come before the call
            if calls > MOST_CALLS or (body.calls and not is_call and not move.needs & body.late):
                continue
            if move.row[0] == self.head and not self._ends(body, move.row):
                continue
            ins = [
                body.columns[argument] if argument >= 0 else argument
                for argument, sign in zip(move.row[1:], move.signs, strict=True)
                if sign != "-"
            ]
            source = (move.row[0], *ins)
            columns, out = [*body.columns], []
            for place, (argument, sign) in enumerate(zip(move.row[1:], move.signs, strict=True)):
                if sign == "-":
                    if argument >= len(columns) or not body.bound >> argument & 1:
                        column = self._symbols.setdefault((*source, place), -100 - len(self._symbols))
                        columns[argument : argument + 1] = [column]
                    out.append(columns[argument])
            if calls and move.new and len({*columns}) < len(columns):
                continue  # the same call again
            yield replace(
                body,
                rows=(*body.rows, move.row),
                types=(*body.types, *move.new),
                bound=body.bound | move.has,
                single=single,
                columns=tuple(columns),
                literals=body.literals | {(*source, *out)},
                calls=calls,
                late=body.late | (move.has & ~body.bound if calls else 0),
            )

    def _made(self, types: tuple[str, ...], bound: int) -> Iterator[Move]:
        """Yield the literals over the given variables, given which of them are bound."""
        for template in self.templates:
            choices: list[Sequence[int]] = []
            for sign, kind, constants in zip(template.signs, template.types, template.constants, strict=True):
                if sign == "#":
                    choices.append([-2 - code for code in constants])
                    continue
                fitting = [v for v, other in enumerate(types) if fits(kind, other)]
                if sign == "+":
                    choices.append([v for v in fitting if bound >> v & 1])
                else:
                    choices.append([*fitting, len(types)])
            # calls of a target with many arguments have billions of argument combinations
            for chosen in islice(product(*choices), MOST_MOVES):
                arguments = [*chosen]
                new: list[str] = []
                for place, argument in enumerate(arguments):
                    if argument == len(types) and template.signs[place] == "-":
                        arguments[place] = len(types) + len(new)
                        new.append(template.types[place])
                if template.predicate == self.head and self._same(arguments):
                    continue
                has = needs = 0
                for argument, sign in zip(arguments, template.signs, strict=True):
                    has |= 1 << argument if sign != "#" else 0
                    needs |= 1 << argument if sign == "+" else 0
                yield Move((template.predicate, *arguments), template.signs, has, needs, tuple(new))

    def _same(self, arguments: Sequence[int]) -> bool:
        """Return whether a call has the inputs of the head."""
        pairs = zip(arguments, self.signs, strict=True)
        return all(argument == place for place, (argument, sign) in enumerate(pairs) if sign == "+")

    def _ends(self, body: Body, row: Row) -> bool:
        """Return whether a call has a smaller argument, or a different number, if objects have a size."""
        if not any(self.sized):
            return True
        if not body.rows:
            return False
        pairs = [(p, v) for p, v in enumerate(row[1:]) if self.sized[p] and v >= 0]
        return any(
            (body.less[p] >> v & 1) or (self.sized[p] == NUMBER and body.more[p] >> v & 1) for p, v in pairs
        )


def _bits(words: Codes) -> int:
    found = 0
    for word in reversed(words.tolist()):
        found = found << BITS | word
    return found
