"""What a printed result is, and what comes out when it is run again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """What we get.

    Parameters
    ----------
    got : str
        The numbers, the tree or the rules that came out.
    agrees : bool
        Whether that is what the book prints or, where the book errs, the corrected value.
    remark : str
        How it was computed, where that is not obvious, and what else is worth knowing.
    """

    got: str
    agrees: bool
    remark: str = ""


@dataclass(frozen=True)
class Result:
    """A result of a textbook that can be run.

    Parameters
    ----------
    id : str
        Such as ``"mitchell-3.4-outlook-gain"``: book, number of the section, figure or table, and what it is.
    source : str
        Where it stands.
    claim : str
        What is claimed, in our words.
    printed : str
        What the book prints. In brackets: what follows from the book's data where it prints no value itself.
    run : callable
        Computes the `Outcome` with the library.
    erratum : str
        Where the book errs: what is right, and why.

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
