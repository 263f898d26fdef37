"""Chapters of the books as Jupyter notebooks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from induce.textbook.code import code
from induce.textbook.contents import Entry
from induce.textbook.place import BOOKS, Place

VERDICTS = {"erratum": "Erratum", "not_reproduced": "Not reproduced", "comment": "Remark"}


def notebook(chosen: Sequence[Entry], answers: bool = True) -> str:
    """Return entries as a notebook, section by section: the printed value, the code, and remarks.

    Parameters
    ----------
    chosen : sequence of Entry
    answers : bool, default=True
        Whether exercises include their code and the expected result; if not, an empty cell follows each.

    Examples
    --------
    >>> from induce.textbook.contents import select
    >>> cells = json.loads(notebook(select(["exercise", "3.4"]), answers=False))["cells"]
    >>> [cell["cell_type"] for cell in cells]
    ['markdown', 'markdown', 'code', 'markdown', 'code', 'markdown', 'code']
    """
    cells: list[dict[str, Any]] = []
    for heading, entries in groupby(chosen, key=lambda entry: _heading(entry.place)):
        cells.append(_cell("markdown", f"## {heading}", heading))
        for entry in entries:
            cells += _entry(entry, answers or entry.place.kind != "exercise")
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps(
        {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False, indent=1
    )


def _heading(place: Place) -> str:
    edition = ", second edition" if place.edition == "second" else ""
    if place.book == "slides":
        return BOOKS[place.book]
    where = f"chapter {place.chapter}, exercises" if place.kind == "exercise" else f"section {place.section}"
    return f"{BOOKS[place.book]}{edition}, {where}"


def _entry(entry: Entry, answered: bool) -> list[dict[str, Any]]:
    """Return the cells of one entry; its code is complete, so that it runs alone."""
    result = entry.load()
    text = [f"### {entry.id}", f"{entry.source}: {entry.claim}."]
    if not answered:
        return [_cell("markdown", "\n\n".join(text), entry.id), _cell("code", "", f"{entry.id} answer")]
    text.append(f"Printed:\n\n```text\n{result.printed}\n```")
    text += [f"**{name}:** {said}" for field, name in VERDICTS.items() if (said := getattr(result, field))]
    *lines, call = code(entry).splitlines()
    run = "\n".join([*lines, f"outcome = {call}", "print(outcome.got)"])
    return [_cell("markdown", "\n\n".join(text), entry.id), _cell("code", run, f"{entry.id} code")]


def _cell(kind: str, source: str, name: str) -> dict[str, Any]:
    from hashlib import sha256

    # Jupyter requires a stable id of at most 64 characters
    cell: dict[str, Any] = {
        "cell_type": kind,
        "id": sha256(name.encode()).hexdigest()[:16],
        "metadata": {},
        "source": source.splitlines(keepends=True),
    }
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
