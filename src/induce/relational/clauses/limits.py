"""Limits on a search that would not terminate by itself."""

from __future__ import annotations

import time
from collections.abc import Sized

from induce.core.errors import InputError
from induce.core.notes import note


class Deadline:
    """Limit of a search, by its work and by processor time.

    Work is the same on every machine and at any load, so that a search that it ends has the same result.
    Processor time is the outer guard; the wall clock is never consulted.

    Parameters
    ----------
    seconds : float, optional
        Limit on processor time in seconds, counted from now; None sets no limit.
    work : float, optional
        Limit on the work, in the units that the search spends; None sets no limit.

    Examples
    --------
    >>> deadline = Deadline(None, work=100)
    >>> half = deadline.part(0.5)
    >>> half.spend(60)
    >>> half.passed(), deadline.passed(), deadline.work
    (True, False, 60.0)
    """

    def __init__(self, seconds: float | None, work: float | None = None) -> None:
        if seconds is not None and not (isinstance(seconds, int | float) and seconds > 0):
            raise InputError(f"time_limit is {seconds!r}; give a number of seconds above 0, or None")
        self._seconds, self._most_work = seconds, work
        self._end = None if seconds is None else time.process_time() + seconds
        self._whole: Deadline | None = None
        self.work = 0.0
        """Work done so far."""
        self.stopped: str | None = None
        """Limit that ended the search."""
        self.cut = False
        """Whether this limit, or one for a part of the search, ended anything."""

    def spend(self, work: float) -> None:
        """Count work, also for the limit that this one is a part of."""
        self.work += work
        if self._whole is not None:
            self._whole.spend(work)

    def passed(self) -> bool:
        """Return whether the search must end."""
        if self.stopped is None:
            if self._most_work is not None and self.work >= self._most_work:
                self.stopped = f"the limit of {self._most_work:,.0f} units of work"
            elif self._end is not None and time.process_time() >= self._end:
                self.stopped = f"the time limit of {self._seconds:g} s"
            if self.stopped is not None:
                self._mark()
        return self.stopped is not None

    def _mark(self) -> None:
        self.cut = True
        if self._whole is not None:
            self._whole._mark()

    def seconds_left(self, times: float) -> float | None:
        """Return the processor time left until a multiple of the limit; None if there is no limit."""
        if self._end is None or self._seconds is None:
            return None
        return max(self._end + (times - 1) * self._seconds - time.process_time(), 1e-3)

    def part(self, fraction: float) -> Deadline:
        """Return a limit that is a fraction of the remaining work and time."""
        work = None if self._most_work is None else fraction * max(self._most_work - self.work, 0.0)
        left = None if self._end is None else max(fraction * (self._end - time.process_time()), 1e-3)
        if work is not None:  # work is the limit, and time only guards the whole search
            left = None if self._end is None else max(self._end - time.process_time(), 1e-3)
        found = Deadline(left, work)
        found._whole = self
        return found

    def stop(self, limit: str) -> None:
        """End the search because of another limit, given by its public name."""
        self.stopped = self.stopped or limit
        self._mark()

    def told(self, found: Sized) -> str | None:
        """Return the limit that ended the search, and emit a note."""
        if self.stopped is not None:
            note(f"{self.stopped} ended the search; the {len(found)} clauses found so far are the theory")
        return self.stopped


class Budget(Deadline):
    """Limit of a search, and its maximum number of candidates.

    Parameters
    ----------
    seconds : float, optional
    candidates : int, optional
    work : float, optional

    Attributes
    ----------
    noted : bool
        Whether a note about candidates too large to examine was emitted.

    Examples
    --------
    >>> budget = Budget(candidates=100)
    >>> budget.look_at(60), budget.look_at(60), budget.stopped
    (True, False, 'max_candidates (100)')
    """

    def __init__(
        self, seconds: float | None = None, candidates: int | None = None, work: float | None = None
    ) -> None:
        super().__init__(seconds, work)
        self._candidates = candidates
        self._looked_at = 0
        self.noted = False

    def look_at(self, n_candidates: int = 0, n_rows: int = 0) -> bool:
        """Count new candidates, and the rows that each is evaluated on; return whether the search may continue."""
        self._looked_at += n_candidates
        self.spend(n_candidates * n_rows)
        if self._candidates is not None and self._looked_at > self._candidates:
            self.stop(f"max_candidates ({self._candidates:,})")
        return not self.passed()
