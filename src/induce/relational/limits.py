"""Limits on a search that would not end by itself."""

from __future__ import annotations

import time
from collections.abc import Sized

from induce.core.errors import InputError
from induce.core.notes import note


class Deadline:
    """The end of the time that a search may take.

    Parameters
    ----------
    seconds : float, optional
        The time from now on; None: as long as it takes.
    """

    def __init__(self, seconds: float | None) -> None:
        if seconds is not None and not (isinstance(seconds, int | float) and seconds > 0):
            raise InputError(f"time_limit is {seconds!r}; give seconds above 0, or None")
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self._reached: str | None = None

    def passed(self) -> bool:
        """Say whether the time is over."""
        if self._reached is None and self._end is not None and time.monotonic() >= self._end:
            self._reached = f"the time limit of {self._seconds:g} s"
        return self._reached is not None

    def stop(self, limit: str) -> None:
        """End the search because of another limit, named as a user would name it."""
        self._reached = self._reached or limit

    def told(self, found: Sized) -> str | None:
        """Return which limit ended the search, and tell the user."""
        if self._reached is not None:
            note(f"{self._reached} ended the search; the {len(found)} clauses found so far are the theory")
        return self._reached
