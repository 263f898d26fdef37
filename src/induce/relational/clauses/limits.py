"""Limits on a search that would not terminate by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sized

from induce.core.errors import InputError
from induce.core.notes import note


class Deadline:
    """Time limit of a search.

    Parameters
    ----------
    seconds : float, optional
        Time limit in seconds, counted from now; None sets no limit.
    clock : callable
        Clock; by default the wall clock.
    """

    def __init__(self, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        if seconds is not None and not (isinstance(seconds, int | float) and seconds > 0):
            raise InputError(f"time_limit is {seconds!r}; give a number of seconds above 0, or None")
        self._seconds = seconds
        self._clock = clock
        self._end = None if seconds is None else clock() + seconds
        self.stopped: str | None = None
        """Limit that ended the search."""

    def passed(self) -> bool:
        """Return whether the search must end."""
        if self.stopped is None and self._end is not None and self._clock() >= self._end:
            self.stopped = f"the time limit of {self._seconds:g} s"
        return self.stopped is not None

    def part(self, share: float) -> Deadline:
        """Return a time limit that is a fraction of the remaining time."""
        left = None if self._end is None else max(share * (self._end - self._clock()), 1e-3)
        return Deadline(left, self._clock)

    def stop(self, limit: str) -> None:
        """End the search because of another limit, given by its public name."""
        self.stopped = self.stopped or limit

    def told(self, found: Sized) -> str | None:
        """Return the limit that ended the search, and emit a note."""
        if self.stopped is not None:
            note(f"{self.stopped} ended the search; the {len(found)} clauses found so far are the theory")
        return self.stopped


class Budget(Deadline):
    """Time limit of a search, and its maximum number of candidates.

    Parameters
    ----------
    seconds : float, optional
    candidates : int, optional

    Attributes
    ----------
    noted : bool
        Whether a note about candidates too large to examine was emitted.

    Examples
    --------
    >>> budget = Budget(candidates=100)
    >>> budget.spend(60), budget.spend(60), budget.stopped
    (True, False, 'max_candidates (100)')
    """

    def __init__(self, seconds: float | None = None, candidates: int | None = None) -> None:
        super().__init__(seconds)
        self._candidates = candidates
        self._looked_at = 0
        self.noted = False

    def spend(self, n_candidates: int = 0) -> bool:
        """Count new candidates; return whether the search may continue."""
        self._looked_at += n_candidates
        if self._candidates is not None and self._looked_at > self._candidates:
            self.stop(f"max_candidates ({self._candidates:,})")
        return not self.passed()
