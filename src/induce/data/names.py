"""Misspelt names and suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from induce.core.errors import InputError

MOST_LISTED = 12
MOST_DIGITS = 40


def unknown(what: str, name: str, known: Iterable[str]) -> InputError:
    """Return the error for an unknown name, with the closest known one.

    Examples
    --------
    >>> str(unknown("column", "Outlok", ["Outlook", "Wind"]))
    "there is no column 'Outlok'; did you mean 'Outlook'?"
    """
    names = list(known)
    by_lower = {each.lower(): each for each in reversed(names)}
    close = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    if close:
        return InputError(f"there is no {what} {name!r}; did you mean {by_lower[close[0]]!r}?")
    return InputError(f"there is no {what} {name!r}; there {f'are {listed(names)}' if names else 'is none'}")


def check_names(names: Sequence[str], where: str) -> None:
    """Reject column names that are empty or duplicate, or that stand for several columns in polars.

    `where` names the table of the columns.
    """
    seen = set()
    for position, name in enumerate(names, start=1):
        if not name:
            raise InputError(
                f"column {position} of {where} has no name; give it one, or remove the column if it only "
                "numbers the rows"
            )
        if name in seen:
            raise InputError(f"two columns of {where} are called {name!r}; give every column its own name")
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            raise InputError(
                f"column {position} of {where} is called {name!r}, a pattern for column names; give it another name"
            )
        seen.add(name)


def listed(names: Sequence[str]) -> str:
    """Return names in one line, truncated if there are many."""
    shown = ", ".join(names[:MOST_LISTED])
    return f"{shown}, … ({len(names)} in all)" if len(names) > MOST_LISTED else shown


def shortened(number: str) -> str:
    """Return a number as written, with at most its first 40 characters."""
    return number if len(number) <= MOST_DIGITS else f"{number[:MOST_DIGITS]}…"
