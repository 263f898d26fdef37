"""Lessons: an algorithm on a small table that can be changed, or as a book prints it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from induce.core.errors import InputError
from induce.core.plain import plain
from induce.data.names import unknown
from induce.workbench.players.frames import boundary_frames, told_frames, tree_frames

ELEMENTS = Path(__file__).parent.parent.parent / "pictures" / "elements"
BUNDLED = ("base.js", "tree.js", "boundaries.js", "told.js", "player.js")
MOST_ROWS = 50
MOST_EVENTS = 200


@dataclass(frozen=True)
class Lesson:
    """A learner on a shipped table whose cells can be changed."""

    id: str
    title: str
    learner: str
    dataset: str
    kinds: tuple[str, ...]


OWN = (
    Lesson("find-s", "FIND-S", "FindS", "enjoy-sport", ("start", "generalised")),
    Lesson(
        "candidate-elimination",
        "CANDIDATE-ELIMINATION",
        "CandidateElimination",
        "enjoy-sport",
        ("start", "boundaries"),
    ),
    Lesson("id3", "ID3", "ID3", "play-tennis", ("split",)),
    Lesson("c45", "C4.5", "C45", "play-tennis", ("split", "pruned")),
)


def lessons() -> list[dict[str, Any]]:
    """Return all lessons: those whose table can be changed, then the algorithms as the books print them.

    Examples
    --------
    >>> lessons()[1]["title"]
    'CANDIDATE-ELIMINATION on enjoy-sport'
    """
    from induce.textbook.traces import algorithms

    own = [{"id": each.id, "title": f"{each.title} on {each.dataset}", "editable": True} for each in OWN]
    return own + [{"id": each.id, "title": str(each), "editable": False} for each in algorithms()]


def played(id: str, told: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the frames of a lesson, with its table; `told` may have other cells in ``rows``.

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
    import induce

    data = induce.dataset(lesson.dataset)
    target = str(data.target)
    inputs = [column.name for column in data.input_schema.inputs()]
    cells = data.frame.select([*inputs, target])
    frame = cells if rows is None else _changed(data, cells, rows)
    with induce.trace(only=lesson.kinds, limit=MOST_EVENTS, inner=False) as events:
        model = getattr(induce, lesson.learner)().fit(frame.select(inputs), frame[target])
    told = _with_values(events.as_list(), model.hypothesis_)
    frames = (
        tree_frames(told, model.hypothesis_.to_view())
        if lesson.kinds[0] == "split"
        else boundary_frames(told)
    )
    return {
        "id": lesson.id,
        "title": f"{lesson.title} on {lesson.dataset}",
        "editable": True,
        "target": data.target,
        "table": {
            "columns": list(frame.columns),
            "rows": [[str(cell) for cell in row] for row in frame.rows()],
            "domains": [[str(value) for value in data.schema[name].domain] for name in frame.columns],
        },
        "frames": plain(frames),
        "hypothesis": str(model.hypothesis_),
    }


def _with_values(events: list[dict[str, Any]], hypothesis: Any) -> list[dict[str, Any]]:
    """Add to splits on nominal columns the values of their branches."""
    domains = {column.name: [str(value) for value in column.domain] for column in hypothesis.schema}
    return [
        event | {"values": domains.get(event["chosen"])} if event["kind"] == "split" else event
        for event in events
    ]


def _changed(data: Any, frame: Any, rows: Any) -> Any:
    """Return the table with other cells, each a value that its column has."""
    import polars as pl

    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_ROWS:
        raise InputError(f"a lesson has 1 to {MOST_ROWS} rows")
    columns = []
    for place, name in enumerate(frame.columns):
        domain = [str(value) for value in data.schema[name].domain]
        cells = [row[place] for row in rows if isinstance(row, list) and len(row) == frame.width]
        if len(cells) < len(rows):
            raise InputError(f"a row of the lesson has {frame.width} cells")
        for cell in cells:
            if cell not in domain:
                raise unknown(f"value of {name}", str(cell), domain)
        columns.append(pl.Series(name, cells, frame[name].dtype))
    return pl.DataFrame(columns)


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


def lesson_page(id: str) -> str:
    """Return a lesson as one page that works offline: frames, elements and style in one file.

    Examples
    --------
    >>> "https://" in lesson_page("id3")
    False
    """
    from html import escape

    found = played(id) | {"editable": False}
    data = json.dumps(found, ensure_ascii=False).replace("<", "\\u003c")
    return (
        "<!doctype html>\n<html lang=en><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>{escape(found['title'])}</title>\n"
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;"
        "color-scheme:light dark}</style>\n"
        f"<main><h1>{escape(found['title'])}</h1><induce-player></induce-player></main>\n"
        f"<script type=application/json id=lesson>{data}</script>\n"
        f"<script type=module>\n{bundle()}\n"
        "document.querySelector('induce-player').data = "
        "JSON.parse(document.getElementById('lesson').textContent);\n</script></html>\n"
    )


@lru_cache(1)
def bundle() -> str:
    """Return the elements of lessons as one script: modules without their imports and exports."""
    lines: list[str] = []
    for name in BUNDLED:
        for line in (ELEMENTS / name).read_text(encoding="utf-8").splitlines():
            if not line.startswith("import "):
                lines.append(line.removeprefix("export "))
    return "\n".join(lines)
