"""Rows that are not examples: totals, notes below the table and empty rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

from induce.data.dialect import Findings
from induce.data.layout import looks_like_data

TOTAL = re.compile(
    r"(grand[\s-]?|sub[\s-]?|gesamt)?(total(e|s|en)?|totaal|summe|sum|gesamt|insgesamt|suma|somme)\s*:?$",
    re.I,
)
FOOTNOTE = re.compile(
    r"\s*([*†©]|\(?\d\)|source|sources|quelle|fuente|fonte|note|notes|anmerkung|remarque|stand|"
    r"(exported|created|generated|printed|erstellt|exportiert)\b)[\s:*)]",
    re.I,
)
"""Beginnings of notes below a table."""
MOST_NOTES = 20
SAMPLE = 100


def is_note(cell: str, apart: bool) -> bool:
    """Return whether the first cell of a row that is too short begins a note.

    An isolated cell only needs to contain words.

    Examples
    --------
    >>> is_note("Source: national statistics", False), is_note("all figures are net", True), is_note("north", True)
    (True, True, False)
    """
    return bool(FOOTNOTE.match(cell)) or (apart and bool(re.search(r"[^\W\d]{3,}\s+\w+\s", cell)))


def without_totals(frame: pl.DataFrame, findings: Findings) -> pl.DataFrame:
    """Drop empty rows, notes below the table and a last row that begins with a word for a total.

    The last row is treated as a total if its word occurs in no other row and, in addition, the row has empty
    cells or the word's column otherwise holds numbers or dates.

    Examples
    --------
    >>> frame = pl.DataFrame({"day": ["2022-01-14", "2022-01-15", "Total"], "sold": ["3", "4", "7"]})
    >>> without_totals(frame, Findings()).height
    2
    """
    return next(without_totals_in(iter([frame]), findings))


def without_totals_in(frames: Iterator[pl.DataFrame], findings: Findings) -> Iterator[pl.DataFrame]:
    """Yield a table in parts without the rows that `without_totals` drops; the last part waits for the end.

    The first rows of the table show whether the last ones are examples. A word for a total counts as a value of its
    column if it occurs in these rows or in the last part.
    """
    context = pl.DataFrame()
    held, n_blank = _without_blanks(next(frames))
    for frame in frames:
        filled, blank = _without_blanks(frame)
        n_blank += blank
        if min(held.height, filled.height) < SAMPLE:
            held = pl.concat([held, filled])
            continue
        context = held.head(SAMPLE) if not context.height else context
        yield held
        held = filled
    if n_blank:
        findings.say(f"{n_blank:,} empty row{'s' if n_blank > 1 else ''} left out")
    whole = pl.concat([context, held]) if context.height else held
    yield _without_end(whole, findings).slice(context.height)


def _without_end(frame: pl.DataFrame, findings: Findings) -> pl.DataFrame:
    """Drop notes below the table and a last row that begins with a word for a total."""
    frame = _without_notes(frame, findings)
    if frame.height < 3:
        return frame
    row = [(cell or "").strip() for cell in frame.row(-1)]
    place = next((j for j, cell in enumerate(row) if cell), None)
    if place is None or not TOTAL.match(row[place]):
        return frame
    label = frame.columns[place]
    others = frame[label][:-1].str.strip_chars()
    if (others == row[place]).any():
        return frame
    if "" in row or looks_like_data(others.head(SAMPLE).drop_nulls().to_list()):
        findings.say(f"the last row, {row[place]!r}, left out")
        return frame.head(-1)
    return frame


def _without_blanks(frame: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """Return the rows that are not empty, and the number of the others."""
    if frame.width < 2 or not (frame[:, 0].str.strip_chars().fill_null("") == "").any():
        return frame, 0
    blank = frame.select(pl.all_horizontal(pl.all().str.strip_chars().fill_null("") == "")).to_series()
    if blank.all():
        return frame, 0
    return frame.filter(~blank), int(blank.sum())


def _without_notes(frame: pl.DataFrame, findings: Findings) -> pl.DataFrame:
    """Drop final rows in which only the first cell is filled, with words that are not a value of its column."""
    rows = 0
    while frame.width > 2 and frame.height > 3 and rows < MOST_NOTES:
        first, *others = [(cell or "").strip() for cell in frame.row(-1)]
        if not first or any(others):
            break
        values = frame[:, 0][:-1].head(SAMPLE).str.strip_chars().drop_nulls().to_list()
        if not FOOTNOTE.match(first) and not (looks_like_data(values) and not looks_like_data([first])):
            break
        if TOTAL.match(first):
            break
        frame, rows = frame.head(-1), rows + 1
    if rows:
        findings.say(f"{rows} row{'s' if rows > 1 else ''} of notes below the table left out")
    return frame
