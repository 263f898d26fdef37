"""Location of an entry in its book: chapter, section, kind and number, all read from its id and source."""

from __future__ import annotations

import re
from dataclasses import dataclass

from induce.core.errors import InputError

BOOKS = {"mitchell": "Mitchell", "aima": "Russell and Norvig", "slides": "Lecture slides"}
KINDS = ("section", "figure", "table", "equation", "theorem", "exercise")
MENTION = re.compile(
    rf"\b({'|'.join(KINDS)})s? (\d+(?:\.\d+)*[a-z]?(?:(?:, | and | to )\d+(?:\.\d+)+[a-z]?)*)"
)
NUMBER = re.compile(r"\d+(?:\.\d+)*[a-z]?")

SECTIONS = {
    "mitchell": {
        "figure 1.1": "1.2.5",
        "figure 2.1": "2.3",
        "table 2.6": "2.6.3",
        "figure 2.8": "2.7.3",
        "figure 3.1": "3.2",
        "figure 3.2": "3.4.1",
        "figure 3.3": "3.4.1",
        "figure 3.4": "3.4.2",
        "figure 3.5": "3.5",
        "figure 3.6": "3.7",
        "figure 3.7": "3.7.1",
        "table 5.1": "5.2.2",
        "figure 5.1": "5.3",
        "table 5.3": "5.3",
        "table 5.6": "5.6",
        "theorem 7.1": "7.3",
        "figure 7.1": "7.2",
        "figure 7.2": "7.3",
        "theorem 7.3": "7.4.3",
        "theorem 7.4": "7.4.4",
        "table 7.1": "7.5.4",
        "theorem 7.5": "7.5.4",
        "figure 8.1": "8.2",
        "equation 8.4": "8.2",
        "table 9.1": "9.2",
        "table 9.2": "9.2.2",
        "figure 9.1": "9.5.1",
        "figure 9.2": "9.5.1",
        "figure 10.1": "10.2",
        "table 10.1": "10.2",
        "table 11.3": "11.2.1.2",
        "figure 13.1": "13.1",
        "figure 13.2": "13.2",
        "figure 13.3": "13.3.1",
    },
    "aima": {
        "figure 18.1": "18.2",
        "figure 18.6": "18.3.3",
        "figure 18.7": "18.3.3",
        "figure 18.8": "18.4",
        "figure 18.10": "18.5.1",
        "figure 18.11": "18.5.1",
        "figure 18.12": "18.5.1",
        "figure 18.17": "18.6.4",
        "figure 18.21": "18.7.2",
        "figure 18.26": "18.8.1",
        "figure 18.28": "18.8.4",
        "figure 18.31": "18.9",
        "figure 18.32": "18.10",
        "figure 18.33": "18.10",
        "figure 18.34": "18.10",
        "figure 18.35": "18.10",
        "figure 18.36": "18.11",
        "figure 20.8": "20.3",
        "figure 20.28": "20.6",
    },
}
"""Sections that contain figures, tables and theorems, if neither id nor source gives them."""


@dataclass(frozen=True)
class Place:
    """Location of an entry in its book.

    Parameters
    ----------
    book : {"mitchell", "aima", "slides"}
        Book of the entry.
    edition : str
        Year of Mitchell's book, or edition of Russell and Norvig: the second for chapter 20, the third
        otherwise.
    chapter : int
        Chapter number; 0 for lecture slides.
    section : str
        Section number such as ``"3.4.2"``; empty for exercises, which come at the end of a chapter.
    kind : {"section", "figure", "table", "equation", "theorem", "exercise", "slide"}
        Kind of place in the book.
    number : str
        Number of the section, figure, table, …; empty for slides.

    Examples
    --------
    >>> place_of("mitchell-3.4-outlook-gain", "Mitchell, section 3.4.2")
    Place(book='mitchell', edition='1997', chapter=3, section='3.4.2', kind='section', number='3.4.2')
    >>> place_of("aima-20.5-boosted-bayes", "Russell and Norvig, exercise 20.5").edition
    'second'
    """

    book: str
    edition: str
    chapter: int
    section: str
    kind: str
    number: str

    def order(self) -> tuple[object, ...]:
        """Return a sort key in reading order: by chapter, text before exercises, then by number."""
        spot = self.section or self.number
        return (
            [*BOOKS].index(self.book),
            self.chapter,
            self.kind == "exercise",
            _parts(self.number if self.kind == "exercise" else spot),
            KINDS.index(self.kind) if self.kind in KINDS else len(KINDS),
            _parts(self.number),
        )

    def within(self, number: str, own: bool = False) -> bool:
        """Say whether the entry belongs to a chapter, or to a section, figure, table, … of that number.

        Parameters
        ----------
        number : str
        own : bool, default=False
            Compare only the number of the figure, table, …, not that of its section.

        Examples
        --------
        >>> place = place_of("mitchell-3.4-sunny-branch", "Mitchell, figure 3.4")
        >>> [place.within(number) for number in ("3", "3.4", "3.40", "4")]
        [True, True, False, False]
        """
        if "." not in number:
            return str(self.chapter) == number
        numbers = (self.number,) if own else (self.section, self.number)
        return any(re.match(rf"{re.escape(number)}(?!\d)", each) is not None for each in numbers)


def place_of(id: str, source: str) -> Place:
    """Read the location of an entry; among several places in its source, the one with the id's number counts."""
    book = id.partition("-")[0]
    if book not in BOOKS:
        raise InputError(f"{id!r} belongs to none of the books {', '.join(BOOKS)}")
    if book == "slides":
        return Place(book, "", 0, "", "slide", "")
    mentions = [
        (kind, number) for kind, numbers in MENTION.findall(source) for number in NUMBER.findall(numbers)
    ]
    if not mentions:
        raise InputError(f"the source {source!r} of {id!r} names no section, figure, table or exercise")
    named = re.match(rf"{book}-(?:exercise-)?({NUMBER.pattern})", id)
    # "section 4.1 and figure 4.1": the figure is more specific
    same = sorted(
        (each for each in mentions if named and each[1] == named[1]), key=lambda each: each[0] == "section"
    )
    kind, number = (same or mentions)[0]
    section = ""
    if kind != "exercise":
        told = [each for what, each in mentions if what == "section"]
        # an id such as mitchell-2.5-… for figure 2.3 contains the number of the section
        told += [named[1]] if named and named[1] != number else []
        section = number if kind == "section" else (told or [SECTIONS[book].get(f"{kind} {number}", "")])[0]
    chapter = int(number.partition(".")[0])
    edition = "1997" if book == "mitchell" else "second" if chapter == 20 else "third"
    return Place(book, edition, chapter, section, kind, number)


def _parts(number: str) -> tuple[tuple[int, str], ...]:
    """Split a number so that 3.10 sorts after 3.9, and 3.4a before 3.4b."""
    found = (re.fullmatch(r"(\d*)([a-z]?)", part) for part in number.split("."))
    return tuple((int(each[1] or 0), each[2]) for each in found if each)
