"""Chapters of the books as pages of the documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from induce.textbook.contents import Entry, entries
from induce.textbook.pictures import PICTURES
from induce.textbook.place import BOOKS
from induce.textbook.result import Outcome, Result

WHY = {"erratum": "Erratum", "not reproduced": "Not reproduced", "remark": "Remark", "disagrees": "Disagrees"}


def chapters() -> dict[str, tuple[Entry, ...]]:
    """Return the entries of each chapter by the name of its page.

    Examples
    --------
    >>> [*chapters()][:2], chapters()["mitchell-13"][0].id
    (['mitchell-1', 'mitchell-2'], 'mitchell-13.1-interaction')
    """
    by_chapter = groupby(entries(), key=lambda entry: (entry.place.book, entry.place.chapter))
    return {
        book if book == "slides" else f"{book}-{chapter}": tuple(group)
        for (book, chapter), group in by_chapter
    }


def chapter_page(chosen: Sequence[Entry], outcomes: Mapping[str, Outcome]) -> str:
    """Return a chapter section by section, with the outcomes of its entries; answers to exercises are folded."""
    place = chosen[0].place
    edition = ", second edition" if place.edition == "second" else ""
    title = BOOKS[place.book] + (f"{edition}, chapter {place.chapter}" if place.chapter else "")
    parts = [
        f"# {title}",
        "Run an entry with `induce textbook` and its id; `--code` prints the lines that compute it.",
    ]
    for heading, group in groupby(chosen, key=_heading):
        parts.append(f"## {heading}")
        for entry in group:
            parts.append(entry_block(entry.load(), outcomes[entry.id]))
    return "\n\n".join(parts) + "\n"


def index() -> str:
    """Return tables of all results by chapter: id, place, claim, and whether it has a picture."""
    parts = []
    for (book, chapter), group in groupby(
        entries(), key=lambda entry: (entry.place.book, entry.place.chapter)
    ):
        chosen = tuple(group)
        edition = " (second edition)" if chosen[0].place.edition == "second" else ""
        heading = f"{BOOKS[book]}, chapter {chapter}{edition}" if chapter else BOOKS[book]
        lines = [f"## {heading}", "", "| id | place | claim | picture |", "|---|---|---|---|"]
        for entry in chosen:
            where = entry.source.removeprefix(f"{BOOKS[book]}, ")
            drawn = "yes" if entry.id in PICTURES else ""
            lines.append(f"| `{entry.id}` | {where} | {entry.claim} | {drawn} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def entry_block(result: Result, outcome: Outcome) -> str:
    """Return the printed value, the computed value and the verdict, below a heading with the id."""
    verdict = result.verdict(outcome)
    why = (
        result.erratum
        or result.not_reproduced
        or result.comment
        or ("" if outcome.agrees else "it should not")
    )
    # brackets mark values that follow from the book's data but are not printed
    label = "Follows from the book" if result.printed.startswith("[") else "Printed"
    body = [f"{label}:\n\n{_fenced(result.printed)}", f"Ours:\n\n{_fenced(outcome.got)}"]
    if result.id in PICTURES:
        body.append(f"![{result.claim}]({result.id}.svg)")
    body.append(f"**{WHY[verdict]}:** {_sentence(why)}" if why else "**Agrees.**")
    if outcome.remark:
        body.append(f"Method: {_sentence(outcome.remark)}")
    answer = "\n\n".join(body)
    if result.place.kind == "exercise":
        answer = f"::::{{dropdown}} Answer\n{answer}\n::::"
    return f"### {result.id}\n\n{result.source}: {_sentence(result.claim)}\n\n{answer}"


def _heading(entry: Entry) -> str:
    place = entry.place
    if place.book == "slides":
        return "Examples"
    return "Exercises" if place.kind == "exercise" else f"Section {place.section}"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?")) else f"{text}."


def _fenced(text: str) -> str:
    return f"```text\n{text}\n```"
