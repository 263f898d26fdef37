"""Limits of a search: when one is reached, the best theory so far is kept."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass
class Budget:
    """How long a search may go on, and how many candidates it may look at.

    Parameters
    ----------
    seconds : float, optional
    candidates : int, optional

    Attributes
    ----------
    stopped : str or None
        The limit that was reached: ``"time_limit"`` or ``"max_candidates"``.
    noted : bool
        Whether the user was told of candidates that were too large to be looked at.

    Examples
    --------
    >>> budget = Budget(candidates=100)
    >>> budget.spend(60), budget.spend(60), budget.stopped
    (True, False, 'max_candidates')
    """

    seconds: float | None = None
    candidates: int | None = None
    stopped: str | None = None
    looked_at: int = 0
    noted: bool = False
    _start: float = field(default_factory=time.monotonic, repr=False)

    def spend(self, n_candidates: int = 0) -> bool:
        """Count some candidates; say whether the search may go on."""
        self.looked_at += n_candidates
        if self.stopped is None and self.candidates is not None and self.looked_at > self.candidates:
            self.stopped = "max_candidates"
        if self.stopped is None and self.seconds is not None and self._elapsed() > self.seconds:
            self.stopped = "time_limit"
        return self.stopped is None

    def _elapsed(self) -> float:
        return time.monotonic() - self._start
