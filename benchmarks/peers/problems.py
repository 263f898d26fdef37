"""A relational problem as every system gets it: the same facts, examples and modes, in its own files."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from induce.logic.background.modes import Mode

Value = str | int
"""A constant as Prolog writes it, or a number; a list is text too."""
Row = tuple[Value, ...]
Rows = tuple[Row, ...]
Facts = Mapping[str, Rows]

CUTS = 9
"""Popper knows no numbers: it gets a predicate for each of so many thresholds, the deciles of the training values."""
THRESHOLDS = """
at_least(X, Y) :- var(Y), !, Y = X.
at_least(X, Y) :- X >= Y.
at_most(X, Y) :- var(Y), !, Y = X.
at_most(X, Y) :- X =< Y.
"""


@dataclass(frozen=True, eq=False)
class Part:
    """The background that belongs to some examples, and the examples as arguments of the target."""

    facts: Facts
    positives: Rows
    negatives: Rows


@dataclass(frozen=True, eq=False)
class Problem:
    """What is to be learned, from what, and what the peers are told.

    Parameters
    ----------
    name : str
    rule : str
        The clauses that say which examples are positive, noise apart.
    head : Mode
    modes : tuple of Mode
        With the head among them where clauses may call themselves.
    train, test : Part
    facts : mapping, optional
        Background of both parts.
    clauses : str, optional
        Background that is no list of facts.
    numeric : tuple of str, optional
        The types whose values are numbers to be compared with thresholds.
    same : tuple of Mode, optional
        Equality as a relation, for Popper: its heads have each variable once.
    aleph : mapping, optional
        Settings other than Aleph's own.
    popper : tuple of str, optional
        The bias beside what follows from the modes.
    noisy : bool, optional
        Whether some training labels are wrong.
    """

    name: str
    rule: str
    head: Mode
    modes: tuple[Mode, ...]
    train: Part
    test: Part
    facts: Facts = field(default_factory=dict)
    clauses: str = ""
    numeric: tuple[str, ...] = ()
    same: tuple[Mode, ...] = ()
    aleph: Mapping[str, Value | float] = field(default_factory=dict)
    popper: tuple[str, ...] = ()
    noisy: bool = False

    @property
    def recursive(self) -> bool:
        """Whether clauses may call themselves."""
        return self.head.predicate in [mode.predicate for mode in self.modes]

    def background(self, part: Part) -> dict[str, Rows]:
        """Every fact that goes with a part."""
        return {**self.facts, **part.facts}


def mode(text: str) -> Mode:
    """A mode as Prolog writes it.

    Examples
    --------
    >>> mode("load(+car,#shape,#int)").arguments
    ('+car', '#shape', '#int')
    """
    name, arguments = text.rstrip(")").split("(")
    return Mode(name, tuple(arguments.split(",")))


def modes(*texts: str) -> tuple[Mode, ...]:
    """Several modes."""
    return tuple(map(mode, texts))


def atom(name: str, row: Row) -> str:
    """An atom as Prolog writes it.

    Examples
    --------
    >>> atom("wheels", ("car_11", 2))
    'wheels(car_11,2)'
    """
    return f"{name}({','.join(map(str, row))})"


def write(problem: Problem, folder: Path) -> Path:
    """Write a problem for both systems, into folders ``aleph`` and ``popper`` of one with its name."""
    place = folder / problem.name
    for kind, writer in (("aleph", write_aleph), ("popper", write_popper)):
        (place / kind).mkdir(parents=True, exist_ok=True)
        writer(problem, place / kind)
    (place / "rule.pl").write_text(problem.rule + "\n", encoding="utf-8")
    return place


def write_aleph(problem: Problem, folder: Path) -> None:
    """``.b``, ``.f`` and ``.n`` with the problem's name, and ``test.pl``."""
    declared = _aleph_modes(problem)
    head = problem.head
    directives = [
        ":- style_check(-discontiguous).",
        *(f":- set({name},{value})." for name, value in problem.aleph.items()),
        f":- modeh(1,{atom(head.name, head.arguments)}).",
        *(f":- modeb({_recall(one)},{atom(one.name, one.arguments)})." for one in declared),
        *(f":- determination({_indicator(head)},{one})." for one in dict.fromkeys(map(_indicator, declared))),
    ]
    clauses = problem.clauses + (THRESHOLDS if problem.numeric else "")
    wide = {one.name: len(one.arguments) for one in problem.modes if one.name in problem.train.facts}
    stem = folder / problem.name
    facts = _facts(problem.background(problem.train), wide)
    Path(f"{stem}.b").write_text("\n".join([*directives, *facts, clauses]), encoding="utf-8")
    for end, rows in (("f", problem.train.positives), ("n", problem.train.negatives)):
        Path(f"{stem}.{end}").write_text(
            "".join(f"{atom(head.name, row)}.\n" for row in rows), encoding="utf-8"
        )
    tested = _facts(problem.background(problem.test), wide)
    (folder / "test.pl").write_text(_test(problem, [*tested, clauses]), encoding="utf-8")


def write_popper(problem: Problem, folder: Path) -> None:
    """``exs.pl``, ``bk.pl`` and ``bias.pl``, and ``test.pl``."""
    relations = popper_relations(problem)
    head = Relation(problem.head.name, problem.head.arguments, lambda facts: ())
    bias = [
        *problem.popper,
        *(["enable_recursion."] if problem.recursive else []),
        f"head_pred({problem.head.name},{len(problem.head.arguments)}).",
        *(f"body_pred({one.name},{len(one.arguments)})." for one in relations),
        *(f"type({one.name},({','.join(one.types)},))." for one in (head, *relations)),
    ]
    if problem.clauses or problem.same:  # a variable of the head may be missing in a body
        bias += [
            "non_datalog.",
            *(f"direction({one.name},({one.directions},))." for one in (head, *relations)),
        ]
    (folder / "bias.pl").write_text("\n".join(bias) + "\n", encoding="utf-8")
    facts, tested = (
        {one.name: one.rows(problem.background(part)) for one in relations}
        for part in (problem.train, problem.test)
    )
    (folder / "bk.pl").write_text("\n".join([*_facts(facts), problem.clauses]), encoding="utf-8")
    wide = {one.name: len(one.arguments) for one in relations}
    (folder / "test.pl").write_text(
        _test(problem, [*_facts(tested, wide), problem.clauses]), encoding="utf-8"
    )
    examples = _labelled(problem, problem.train)
    (folder / "exs.pl").write_text("\n".join(examples) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Relation:
    """A relation as Popper gets it: sign and type of each argument, and how its rows follow from the facts."""

    name: str
    arguments: tuple[str, ...]
    rows: Callable[[Facts], Rows]

    @property
    def types(self) -> tuple[str, ...]:
        """The type of each argument."""
        return tuple(argument[1:] for argument in self.arguments)

    @property
    def directions(self) -> str:
        """Which arguments a call needs, as Popper says it."""
        return ",".join("out" if argument[0] == "-" else "in" for argument in self.arguments)


def popper_relations(problem: Problem) -> list[Relation]:
    """What Popper may use in bodies.

    It knows neither constants nor numbers, and one type for each argument of a predicate: a predicate is divided by
    the constants of a mode and by the types of several modes, and each threshold is a predicate.
    """
    facts = problem.background(problem.train)
    usable = [one for one in (*problem.modes, *problem.same) if one.predicate != problem.head.predicate]
    kinds = {one.name: {other.types for other in usable if other.name == one.name} for one in usable}
    found = {}
    for one in usable:
        fixed = one.places("#")
        kept = tuple(place for place in range(len(one.arguments)) if place not in fixed)
        arguments = tuple(one.arguments[place] for place in kept)
        suffix = (one.types[kept[0]],) if len(kinds[one.name]) > 1 else ()
        for constants in sorted({tuple(row[place] for place in fixed) for row in facts.get(one.name, ((),))}):
            name = "_".join(map(str, (one.name, *constants, *suffix)))
            found[name] = Relation(name, arguments, partial(_selected, one.name, kept, fixed, constants))
    for kind in problem.numeric:
        values = _values(problem.modes, kind, facts)
        for cut in np.unique(np.quantile(values, np.arange(1, CUTS + 1) / (CUTS + 1)).astype(int)).tolist():
            for side, compare in (("least", operator.ge), ("most", operator.le)):
                name = f"at_{side}_{kind}_{cut}"
                found[name] = Relation(
                    name, (f"+{kind}",), partial(_compared, problem.modes, kind, compare, cut)
                )
    return list(found.values())


def _selected(name: str, kept: Sequence[int], fixed: Sequence[int], constants: Row, facts: Facts) -> Rows:
    return tuple(
        tuple(row[place] for place in kept)
        for row in facts.get(name, ())
        if tuple(row[place] for place in fixed) == constants
    )


def _compared(
    modes: Sequence[Mode], kind: str, compare: Callable[[int, int], bool], cut: int, facts: Facts
) -> Rows:
    return tuple((value,) for value in _values(modes, kind, facts) if compare(value, cut))


def _values(modes: Sequence[Mode], kind: str, facts: Facts) -> list[int]:
    """The numbers of a type that occur, each once."""
    places = {(one.name, place) for one in modes for place, type_ in enumerate(one.types) if type_ == kind}
    return sorted({int(row[place]) for name, place in places for row in facts[name]})


def _indicator(one: Mode) -> str:
    return f"{one.name}/{len(one.arguments)}"


def _recall(one: Mode) -> str:
    return "*" if one.places("-") or one.places("#") else "1"


def _aleph_modes(problem: Problem) -> list[Mode]:
    numeric = [mode(f"at_{side}(+{kind},#{kind})") for kind in problem.numeric for side in ("least", "most")]
    return [*problem.modes, *numeric]


def _facts(facts: Facts, wide: Mapping[str, int] | None = None) -> list[str]:
    """The facts, one on a line; a relation of a known width that has none is declared, or it would be an error."""
    lines = [f":- dynamic {name}/{width}." for name, width in (wide or {}).items() if not facts.get(name)]
    return lines + [f"{atom(name, row)}." for name, rows in facts.items() for row in rows]


def _labelled(problem: Problem, part: Part) -> list[str]:
    sides = (("pos", part.positives), ("neg", part.negatives))
    return [f"{label}({atom(problem.head.name, row)})." for label, rows in sides for row in rows]


def _test(problem: Problem, background: Sequence[str]) -> str:
    return "\n".join([*background, *_labelled(problem, problem.test)]) + "\n"
