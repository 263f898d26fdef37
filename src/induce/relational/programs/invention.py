"""Predicate invention: a predicate with one or two short clauses of its own, called by clauses of the target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice, product

import numpy as np

from induce.logic.background.kinds import fits
from induce.logic.facts import Codes
from induce.relational.programs.engine import Engine, Row
from induce.relational.programs.enumeration import Bodies, Body, Template

MOST_DEFINITIONS = 400
"""Maximum number of definitions tried for one predicate, the smallest first."""
MOST_LITERALS = 3
"""Maximum number of literals in a target clause that calls an invented predicate."""
CHUNK = 2_000


@dataclass(frozen=True)
class Invented:
    """Theory with an invented predicate.

    Parameters
    ----------
    target : tuple of Body
        Bodies of the target.
    own : tuple of tuple of Row
        Bodies of the invented predicate, whose first variables are its arguments.
    """

    target: tuple[Body, ...]
    own: tuple[tuple[Row, ...], ...]


def definitions(
    templates: Sequence[Template], types: tuple[str, str]
) -> Iterator[tuple[tuple[Row, ...], ...]]:
    """Yield the definitions of a binary predicate by size.

    A body relates the two arguments by one relation, in either direction, or by a chain of two relations. A
    definition is one chain, or two bodies of one literal each.

    Parameters
    ----------
    templates : sequence of Template
        Background literals.
    types : (str, str)
        Argument types; the first argument is known.
    """
    steps = [
        (template.predicate, template.signs.index("+"), template.types)
        for template in templates
        if sorted(template.signs) == ["+", "-"]
    ]
    steps = [*dict.fromkeys(steps)]

    def literal(predicate: int, known: int, source: int, target: int) -> Row:
        return (predicate, source, target) if known == 0 else (predicate, target, source)

    single = [
        (literal(predicate, known, 0, 1),)
        for predicate, known, kinds in steps
        if fits(kinds[known], types[0]) and fits(kinds[1 - known], types[1])
    ]
    chains = [
        (literal(first, k, 0, 2), literal(second, m, 2, 1))
        for (first, k, mine), (second, m, other) in product(steps, repeat=2)
        if fits(mine[k], types[0]) and fits(other[m], mine[1 - k]) and fits(other[1 - m], types[1])
    ]
    yield from combinations(single, 2)
    yield from ((one,) for one in chains)
    yield from product(single, chains)


def invented(
    bodies: Bodies, engine: Engine, goals: Codes, n_positive: int, recursion: bool
) -> Invented | None:
    """Return the smallest theory that explains all goals with one invented predicate, or None.

    Parameters
    ----------
    bodies : Bodies
        Bodies of the target, whose templates cover the background and the target.
    engine : Engine
    goals : array of int64
        Positive examples, then negative ones.
    n_positive : int
    recursion : bool
        Whether the target may call itself.
    """
    own = bodies.n_background + 1
    background = [one for one in bodies.templates if one.predicate < bodies.n_background]
    kinds = dict.fromkeys(
        (one.types[one.signs.index("+")], one.types[one.signs.index("-")])
        for one in background
        if sorted(one.signs) == ["+", "-"]
    )
    for types in kinds:
        template = Template(own, ("+", "-"), types, ((), ()))
        calling = [
            *_calling(replace(bodies, templates=[*bodies.templates, template], _moves={}, _seen=set()), own)
        ]
        numbers = {
            id(one): engine.add(bodies.head, len(bodies.types), one.rows, len(one.types)) for one in calling
        }
        plain = [one for one in calling if all(row[0] != bodies.head for row in one.rows)]
        again = [one for one in calling if any(row[0] == bodies.head for row in one.rows)]
        programs = [*((one,) for one in plain), *(product(plain, again) if recursion else ())]
        programs.sort(key=lambda program: sum(len(one.rows) for one in program))
        meanings = [
            (
                meaning,
                [engine.add(own, 2, rows, 1 + max(a for row in rows for a in row[1:])) for rows in meaning],
            )
            for meaning in islice(definitions(background, types), MOST_DEFINITIONS)
        ]
        pairs = chain.from_iterable(((program, one) for one in meanings) for program in programs)
        while chunk := [*islice(pairs, CHUNK)]:
            theories = np.full((len(chunk), 4), -1, np.int64)
            for place, (program, (_, clauses)) in enumerate(chunk):
                each = [*(numbers[id(one)] for one in program), *clauses]
                theories[place, : len(each)] = each
            covered, wrong = engine.judge(theories, goals, n_positive, bodies.head, True)
            if engine.deadline.passed():
                return None
            good = np.flatnonzero((covered == (1 << n_positive) - 1) & (wrong < 0))
            if len(good):
                program, (meaning, _) = chunk[int(good[0])]
                return Invented(program, meaning)
    return None


def _calling(bodies: Bodies, own: int) -> Iterator[Body]:
    """Yield the short bodies that call the invented predicate."""
    level = [bodies.start()]
    for left in range(MOST_LITERALS - 1, -1, -1):
        level = bodies.extended(level, left)
        yield from (one for one in level if bodies.complete(one) and any(row[0] == own for row in one.rows))
