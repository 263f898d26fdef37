"""Printed results, and the outcomes of recomputing them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from induce.textbook.place import Place, place_of

Verdict = Literal["agrees", "erratum", "remark", "not reproduced", "disagrees"]


@dataclass(frozen=True)
class Outcome:
    """Outcome of a result.

    Parameters
    ----------
    got : str
        Numbers, tree or rules that were computed.
    agrees : bool
        Whether the outcome is as expected: equal to the printed value, to the corrected value of an erratum,
        or to the value recorded for a result that is not reproduced.
    remark : str
        Method of the computation where it is not obvious, and other remarks.
    """

    got: str
    agrees: bool
    remark: str = ""


@dataclass(frozen=True)
class Result:
    """Result of a textbook that can be recomputed.

    Parameters
    ----------
    id : str
        Id such as ``"mitchell-3.4-outlook-gain"``: book, number of the section, figure or table, and a short
        name.
    source : str
        Section, figure, table or exercise in the book.
    claim : str
        Claim, in our words.
    printed : str
        Printed value. In brackets: the value that follows from the book's data if it prints none.
    run : callable
        Function that computes the `Outcome` with the library.
    erratum : str
        Correction of an error in the book, with the reason.
    comment : str
        Remark on a statement that is not wrong, such as the quality of an approximation.
    not_reproduced : str
        Difference between library and book if neither is known to be wrong, with the reason.

    Examples
    --------
    >>> Result("one", "nowhere", "one is one", "1", lambda: Outcome(str(1), True)).run()
    Outcome(got='1', agrees=True, remark='')
    """

    id: str
    source: str
    claim: str
    printed: str
    run: Callable[[], Outcome]
    erratum: str = ""
    comment: str = ""
    not_reproduced: str = ""

    @property
    def place(self) -> Place:
        """Book, edition, chapter, section, kind and number."""
        return place_of(self.id, self.source)

    def verdict(self, outcome: Outcome) -> Verdict:
        """Compare an outcome with the book.

        Examples
        --------
        >>> half = Result("half", "nowhere", "half", "0.4", lambda: Outcome("0.5", True), erratum="it is 0.5")
        >>> half.verdict(half.run()), half.verdict(Outcome("0.6", False))
        ('erratum', 'disagrees')
        """
        if not outcome.agrees:
            return "disagrees"
        if self.erratum:
            return "erratum"
        if self.not_reproduced:
            return "not reproduced"
        return "remark" if self.comment else "agrees"
