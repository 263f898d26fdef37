"""Lessons: algorithms on small editable tables, or as printed in the books."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from induce.core.plain import plain
from induce.data.names import unknown
from induce.pictures.offline import page
from induce.workbench.players.frames import Frame, boundary_frames, told_frames, tree_frames
from induce.workbench.players.number_players import back_propagation, em, k_means, lms, perceptron
from induce.workbench.players.rule_players import adaboost, cn2, foil, prolog_ebg
from induce.workbench.players.search_players import (
    genetic_algorithm,
    genetic_programming,
    q_learning,
    value_iteration,
)
from induce.workbench.players.sheet import Sheet, shipped

MOST_EVENTS = 200


@dataclass(frozen=True)
class Lesson:
    """Algorithm on an editable table.

    Parameters
    ----------
    id, title : str
    sheet : callable
        Function that returns the initial table.
    play : callable
        Function from a table to the frames and the learned hypothesis.
    note : str
        Remark on randomness: the seed, and the success rate of other seeds.
    """

    id: str
    title: str
    sheet: Callable[[], Sheet]
    play: Callable[[Sheet], tuple[list[Frame], Any]]
    note: str = ""


def _fitted(learner: str, kinds: tuple[str, ...], sheet: Sheet) -> tuple[list[Frame], Any]:
    """Play a learner of trees or version spaces."""
    import induce

    X, y = sheet.frame()
    with induce.trace(only=kinds, limit=MOST_EVENTS, inner=False) as events:
        learned = getattr(induce, learner)().fit(X, y).hypothesis_
    if kinds[0] != "split":
        return boundary_frames(events.as_list()), learned
    told = _with_values(events.as_list(), learned)
    return tree_frames(told, learned.to_view()), learned


def _with_values(events: list[dict[str, Any]], hypothesis: Any) -> list[dict[str, Any]]:
    """Add the values of the branches to splits on nominal columns."""
    domains = {column.name: [str(value) for value in column.domain] for column in hypothesis.schema}
    return [
        event | {"values": domains.get(event["chosen"])} if event["kind"] == "split" else event
        for event in events
    ]


def _numbers(columns: str, rows: str, target: str | None = None, classes: tuple[str, ...] = ()) -> Sheet:
    """Return a numeric sheet, written row by row; `classes` makes the target nominal."""
    names = tuple(columns.split())
    cells = tuple(tuple(row.split()) for row in rows.split(";"))
    domains = tuple(classes if classes and name == target else None for name in names)
    return Sheet(names, cells, domains, target=target)


def _people() -> Sheet:
    from induce.textbook.relational import PEOPLE, _granddaughters

    pairs, true = _granddaughters()
    rows = tuple((*pair, "yes" if each else "no") for pair, each in zip(pairs, true, strict=True))
    columns = ("A", "B", "granddaughter(A, B)")
    return Sheet(columns, rows, (tuple(PEOPLE), tuple(PEOPLE), ("yes", "no")), fixed=columns[:2])


def _objects() -> Sheet:
    rows = (
        "type obj1 box;type obj2 endtable;volume obj1 2;density obj1 0.3;color obj1 red;color obj2 blue;"
        "material obj1 cardboard;material obj2 wood;owner obj1 fred;owner obj2 louise"
    )
    cells = tuple(tuple(row.split()) for row in rows.split(";"))
    values = ("box", "endtable", "red", "blue", "cardboard", "wood", "glass", "fred", "louise")
    numbers = tuple(f"{each:g}" for each in (0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 10, 20))
    return Sheet(
        ("fact", "of", "is"),
        cells,
        (tuple(dict.fromkeys(row[0] for row in cells)), ("obj1", "obj2"), (*numbers, *values)),
        fixed=("fact", "of"),
    )


def _bits() -> Sheet:
    names = tuple(f"bit {k + 1}" for k in range(12))
    return Sheet(names, (tuple("110101101101"),), (("0", "1"),) * len(names))


def _grid() -> Sheet:
    rows = (("S", ".", ".", "G"), (".", "#", ".", "O"), (".", ".", ".", "."))
    return Sheet(tuple(f"column {k + 1}" for k in range(4)), rows, ((".", "#", "S", "G", "O"),) * 4)


SPORT, TENNIS = partial(shipped, "enjoy-sport"), partial(shipped, "play-tennis")
POINTS = "1 1;1.5 2.5;2 1.2;2.6 2.9;3 2;4 3.6;4.4 5.2;5 4.4;5.5 6;6 5;3.2 4.6;1 6;1.4 5;2.2 6.3;2.8 5.4"
OWN = (
    Lesson("find-s", "FIND-S on enjoy-sport", SPORT, partial(_fitted, "FindS", ("start", "generalised"))),
    Lesson(
        "candidate-elimination",
        "CANDIDATE-ELIMINATION on enjoy-sport",
        SPORT,
        partial(_fitted, "CandidateElimination", ("start", "boundaries")),
    ),
    Lesson("id3", "ID3 on play-tennis", TENNIS, partial(_fitted, "ID3", ("split",))),
    Lesson("c45", "C4.5 on play-tennis", TENNIS, partial(_fitted, "C45", ("split", "prune"))),
    Lesson("cn2", "CN2 on play-tennis", TENNIS, cn2),
    Lesson("adaboost", "ADABOOST on play-tennis", TENNIS, adaboost),
    Lesson("foil", "FOIL on a family", _people, foil),
    Lesson("prolog-ebg", "PROLOG-EBG on SafeToStack", _objects, prolog_ebg),
    Lesson(
        "perceptron",
        "The perceptron rule on eight points",
        partial(
            _numbers,
            "x y class",
            "1 1 -;2 1 -;1 2.5 -;2.5 2 -;3 4 +;4 3 +;4 4.5 +;5 3.5 +",
            "class",
            ("-", "+"),
        ),
        perceptron,
    ),
    Lesson(
        "lms",
        "The LMS rule on a line",
        partial(_numbers, "x t", "0 1;0.5 1.4;1 2.2;1.5 2.4;2 3.2;2.5 3.3;3 4.1", "t"),
        lms,
    ),
    Lesson(
        "back-propagation",
        "BACKPROPAGATION on exclusive or",
        partial(_numbers, "x0 x1 y", "0 0 0;0 1 1;1 0 1;1 1 0", "y"),
        back_propagation,
        "Two hidden units, seed 0. With the seeds 0 to 19, 11 runs learn exclusive or in 1,500 epochs; the "
        "others end in a local minimum.",
    ),
    Lesson(
        "k-means",
        "k-means on points",
        partial(_numbers, "x y", POINTS),
        k_means,
        "Seed 5 was chosen because the means move three times; with most seeds they move once or twice.",
    ),
    Lesson("em", "EM on points", partial(_numbers, "x y", POINTS), em),
    Lesson("genetic-algorithm", "A genetic algorithm for a target bit string", _bits, genetic_algorithm),
    Lesson(
        "genetic-programming",
        "Genetic programming on five points",
        partial(_numbers, "x y", "-2 -5;-1 1;0 1;1 1;2 7", "y"),
        genetic_programming,
        "300 formulas, at most 30 generations, seed 0. With the seeds 0 to 19, 16 runs find a formula without error.",
    ),
    Lesson("q-learning", "Q learning on a grid", _grid, q_learning),
    Lesson("value-iteration", "Value iteration on a grid", _grid, value_iteration),
)


def lessons() -> list[dict[str, Any]]:
    """Return all lessons: editable ones first, then the algorithms as printed in the books.

    Examples
    --------
    >>> lessons()[1]["title"]
    'CANDIDATE-ELIMINATION on enjoy-sport'
    """
    from induce.textbook.traces import algorithms

    own = [{"id": each.id, "title": each.title, "editable": True} for each in OWN]
    return own + [{"id": each.id, "title": str(each), "editable": False} for each in algorithms()]


def played(id: str, told: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the frames of a lesson with its table; ``told["rows"]`` replaces the cells.

    Examples
    --------
    >>> found = played("candidate-elimination")
    >>> len(found["frames"]), found["frames"][-1]["S"]
    (5, [['Sunny', 'Warm', '?', 'Strong', '?', '?']])
    """
    lesson = next((each for each in OWN if each.id == id), None)
    if lesson is None:
        return _of_book(id)
    return _own(lesson, (told or {}).get("rows"))


def _own(lesson: Lesson, rows: Any) -> dict[str, Any]:
    sheet = lesson.sheet() if rows is None else lesson.sheet().changed(rows)
    frames, learned = lesson.play(sheet)
    return {
        "id": lesson.id,
        "title": lesson.title,
        "editable": True,
        "target": sheet.target,
        "note": lesson.note,
        "table": sheet.to_dict(),
        "frames": plain(frames),
        "hypothesis": str(learned),
    }


@lru_cache(32)
def _of_book(id: str) -> dict[str, Any]:
    from induce.textbook.traces import algorithms, traced

    if id not in {each.id for each in algorithms()}:
        raise unknown("lesson", id, [each["id"] for each in lessons()])
    run = traced(id, MOST_EVENTS)
    events = run.events.as_list()
    frames: list[dict[str, Any]]
    kinds = {event["kind"] for event in events}
    frames = (
        boundary_frames(events) if kinds <= {"start", "boundaries", "generalised"} else told_frames(events)
    )
    return {
        "id": id,
        "title": str(run.algorithm),
        "editable": False,
        "frames": json.loads(json.dumps(plain(frames), default=str)),
        "hypothesis": str(run.learned),
    }


def lesson_page(id: str, told: dict[str, Any] | None = None) -> str:
    """Return a lesson as a single HTML page that works offline.

    Examples
    --------
    >>> "https://" in lesson_page("id3")
    False
    """
    found = played(id, told) | {"editable": False}
    uses = {part["picture"] for frame in found["frames"] for part in (frame, *frame.get("also", ())) if part}
    return page(found["title"], "player", found, sorted(uses))
