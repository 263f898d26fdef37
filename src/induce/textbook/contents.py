"""Contents of the books: the entries and their modules, listed without importing them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.textbook.place import BOOKS, KINDS, Place, place_of

if TYPE_CHECKING:
    from induce.textbook.result import Result

FILE = Path(__file__).with_name("contents.tsv")
HELPERS = {
    "__init__",
    "candy_trading",
    "code",
    "contents",
    "driving",
    "measuring",
    "notebook",
    "page",
    "pictures",
    "place",
    "result",
    "traces",
}
"""Modules without results of their own."""


@dataclass(frozen=True)
class Entry:
    """Entry in the contents.

    Parameters
    ----------
    id, source, claim : str
        As in `Result`.
    module : str
        Module that holds the result.
    place : Place
    """

    id: str
    module: str
    source: str
    claim: str
    place: Place

    def load(self) -> Result:
        """Import the module and return the result."""
        module = import_module(f"induce.textbook.{self.module}")
        found: Result = next(each for each in module.RESULTS if each.id == self.id)
        return found


@cache
def entries() -> tuple[Entry, ...]:
    """Return all entries in the order of the books.

    Examples
    --------
    >>> [entry.id for entry in entries() if entry.place.within("3.7.5")]
    ['mitchell-3.7.5-gain-squared-by-cost', 'mitchell-3.7.5-nunez']
    """
    lines = (line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines())
    return tuple(
        Entry(id, module, source, claim, place_of(id, source)) for id, module, source, claim in lines
    )


def select(asked: Sequence[str], exercises: bool = False) -> tuple[Entry, ...]:
    """Return the entries with an id, or those of a book, a kind and a number; each of the three is optional.

    Raises
    ------
    InputError
        If a word matches none of these, or no entry is found.

    Examples
    --------
    >>> [entry.id for entry in select(["exercise", "3.4"])]
    ['mitchell-exercise-3.4a', 'mitchell-exercise-3.4c', 'mitchell-exercise-3.4d']
    """
    words = [word.lower() for word in asked]
    known = {entry.id: entry for entry in entries()}
    if len(words) == 1 and words[0] in known:
        return (known[words[0]],)
    found = list(entries())
    for word in words:
        if word in BOOKS:
            found = [entry for entry in found if entry.place.book == word]
        elif word in KINDS:
            found = [entry for entry in found if entry.place.kind == word]
        elif word[:1].isdigit():
            found = [entry for entry in found if entry.place.within(word, own=bool({*words} & {*KINDS}))]
        else:
            from induce.data.names import unknown

            raise unknown("textbook result", word, [*BOOKS, *KINDS, *known])
    found = [entry for entry in found if not exercises or entry.place.kind == "exercise"]
    if not found:
        what = " ".join(asked) + (" with --exercises" if exercises else "")
        raise InputError(
            f"the books have no entry for {what!r}; list all entries with `induce textbook --list`"
        )
    return tuple(found)


def contents_text() -> str:
    """Return the expected text of the contents file, computed from the modules."""
    rows = sorted(_rows(), key=lambda row: place_of(row[0], row[2]).order())
    return "".join("\t".join(row) + "\n" for row in rows)


def _rows() -> Iterator[tuple[str, str, str, str]]:
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem not in HELPERS:
            for result in import_module(f"induce.textbook.{path.stem}").RESULTS:
                yield result.id, path.stem, result.source, result.claim
