"""`induce learners`: the catalogue, and the details of one learner."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from induce.core.declarations import Learner

WIDTH = 100
"""Maximum line width on wide terminals."""
NARROWEST = 60


def _learner_names() -> list[str]:
    from induce.core.declarations import learners

    return [entry.name for entry in learners()]


def _tasks() -> list[str]:
    from induce.core.declarations import TASKS

    return list(TASKS)


def learners(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            autocompletion=_learner_names,
            help="Learner to show with its parameters, an example and exports; without it, all are listed.",
        ),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(
            metavar="TASK", autocompletion=_tasks, help="Only learners for this task: classes, numbers …"
        ),
    ] = None,
    gives: Annotated[
        str | None, typer.Option(metavar="KIND", help="Only learners of this kind of hypothesis: Tree …")
    ] = None,
    find: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="Only learners whose name or summary contains this word."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the learners by task; with a NAME, show its parameters, an example and exports."""
    from induce.cli.output import put_json, put_lines
    from induce.cli.parameters import catalogued

    if name is not None:
        entry = catalogued(name)
        if as_json:
            put_json(_document(entry))
        else:
            put_lines(*learner_page(entry))
        return
    chosen = _chosen(task, gives, find)
    if as_json:
        keys = ("name", "summary", "needs", "gives", "face", "task")
        put_json([{key: getattr(entry, key) for key in keys} for entry in chosen])
    else:
        put_lines(*_listing(chosen))


def _chosen(task: str | None, gives: str | None, find: str | None) -> list[Learner]:
    from induce.core.declarations import TASKS
    from induce.core.declarations import learners as catalogue
    from induce.core.errors import InputError
    from induce.data.names import unknown

    found = list(catalogue())
    if task is not None and task not in TASKS:
        raise unknown("task", task, TASKS)
    kinds = {entry.gives.lower(): entry.gives for entry in found}
    if gives is not None and gives.lower() not in kinds:
        raise unknown("kind of hypothesis", gives, sorted(kinds.values()))
    word = (find or "").lower()
    found = [
        entry
        for entry in found
        if task in (None, entry.task)
        and (gives is None or entry.gives == kinds[gives.lower()])
        and word in f"{entry.name} {entry.summary}".lower()
    ]
    if not found:
        raise InputError("no learner matches; leave out --task, --gives or --find")
    return found


def _listing(entries: Sequence[Learner]) -> list[str]:
    """Return the lines of a list: the learners of each task, with their hypotheses and summaries."""
    from induce.core.declarations import TASKS

    names = max(len(entry.name) for entry in entries)
    kinds = max(len(entry.gives) for entry in entries)
    lines: list[str] = []
    for task, purpose in TASKS.items():
        members = [entry for entry in entries if entry.task == task]
        if members:
            lines += [*([""] if lines else []), _heading(f"{task}: {purpose}")]
        for entry in members:
            lines += _row((entry.name, entry.gives), (names, kinds), entry.summary)
    return [*lines, "", "`induce learners NAME` shows the parameters of a learner."]


def learner_page(entry: Learner) -> list[str]:
    """Return the page of a learner: its task, its parameters, an example and its exports."""
    from induce.core.declarations import TASKS
    from induce.core.description import described_parameters, example_of, exports_of

    cls = _class(entry)
    about = {
        "for": TASKS[entry.task],
        "learns from": entry.needs,
        "gives": entry.gives,
        "exports": ", ".join(exports_of(entry)),
    }
    lines = [*_wrapped(f"{entry.name}: {entry.summary}", _width()), ""]
    for word, said in about.items():
        lines += _row((word,), (len("learns from"),), said)
    told = described_parameters(cls)
    if told:
        widths = max(len(each.name) for each in told), max(len(each.default) for each in told)
        lines += ["", _heading("parameters, with their defaults")]
        for each in told:
            lines += _row((each.name, each.default), widths, each.help, each.values)
    return [*lines, "", _heading("example"), *textwrap.indent(example_of(cls), "  ").splitlines()]


def _row(cells: Sequence[str], widths: Sequence[int], *texts: str) -> list[str]:
    """Return lines of aligned cells, each followed by its wrapped text."""
    head = "  ".join(["", *map(str.ljust, cells, widths), ""])
    wrapped = [line for text in texts for line in _wrapped(text, _width() - len(head))] or [""]
    return [f"{head if not place else ' ' * len(head)}{line}".rstrip() for place, line in enumerate(wrapped)]


def _width() -> int:
    if not sys.stdout.isatty():
        return WIDTH
    return max(NARROWEST, min(WIDTH, shutil.get_terminal_size().columns))


def _heading(text: str) -> str:
    return typer.style(text, bold=True) if sys.stdout.isatty() else text


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False)


def _document(entry: Learner) -> dict[str, Any]:
    from induce.core.description import described_parameters, example_of, exports_of

    cls = _class(entry)
    return {
        **{key: getattr(entry, key) for key in ("name", "summary", "needs", "gives", "face", "task")},
        "exports": list(exports_of(entry)),
        "parameters": [
            {
                "name": each.name,
                "default": each.default,
                "values": each.values,
                "help": each.help,
                "form": dict(each.form),
                "rare": each.rare,
            }
            for each in described_parameters(cls)
        ],
        "example": example_of(cls),
    }


def _class(entry: Learner) -> Any:
    import induce

    return getattr(induce, entry.name)
