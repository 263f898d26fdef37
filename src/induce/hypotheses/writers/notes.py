"""Comments in exports."""

from __future__ import annotations

from collections.abc import Iterable

from induce.data.schema import Column
from induce.hypotheses.naming import value_text


def comment(text: str) -> str:
    """Return a text on one line, whatever names it contains.

    Examples
    --------
    >>> comment("a\\nb")
    'a b'
    """
    return "".join(character if character.isprintable() else " " for character in text)


def date_notes(columns: Iterable[Column], held: str) -> list[str]:
    """Return the columns of dates and their formats, one line each."""
    return [comment(f"{value_text(column.name)} {held}") for column in columns if column.temporal]
