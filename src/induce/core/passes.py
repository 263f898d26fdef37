"""Progress of passes over a large table: rows per second, and the fraction of the work done; it never decreases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import Any

from induce.core.progress import report, say

clock = monotonic
LEAST_LEFT = 2
"""Minimum number of passes assumed to be left: progress slows down if more passes are needed than expected."""


@dataclass
class _Passes:
    """State of a sequence of passes: their expected number, the number begun, and the fraction of the work done."""

    expected: int
    doing: str
    begun: int = 0
    share: float = 0.0

    def next_width(self) -> float:
        """Begin the next pass, and return its fraction of the work."""
        left = max(self.expected - self.begun, LEAST_LEFT)
        self.begun += 1
        return (1.0 - self.share) / left


_passes: ContextVar[_Passes | None] = ContextVar("induce_passes", default=None)


@contextmanager
def passes(expected: int | None = None, doing: str = "") -> Iterator[None]:
    """Report the progress of all passes inside the block as one fraction; their number may be unknown.

    Parameters
    ----------
    expected : int, optional
        Expected number of passes.
    doing : str
        Name of the work in progress lines, such as ``"tree 3"``.

    Examples
    --------
    >>> from induce.core.engines import total
    >>> from induce.core.progress import progress
    >>> seen = []
    >>> with progress(lambda share: seen.append(round(share, 2))), passes(4):
    ...     for _ in range(4):
    ...         _ = total(len, ["one", "three"])
    >>> seen
    [0.12, 0.25, 0.38, 0.5, 0.62, 0.75, 0.81, 0.88, 1.0]
    """
    token = _passes.set(_Passes(expected or 0, doing))
    try:
        yield
    finally:
        _passes.reset(token)
    report(1.0)


def rows_of(part: Any) -> int:
    """Return the number of rows of a part of the work; 0 if it is unknown."""
    return int(getattr(part, "n_rows", 0))


class PassProgress:
    """Progress of one pass over the parts of the work.

    Parameters
    ----------
    parts : sequence
        Parts, weighted by their attribute `n_rows` if they have one.
    """

    def __init__(self, parts: Sequence[Any]) -> None:
        self._rows = [rows_of(part) for part in parts]
        self._total = sum(self._rows)
        self._left = set(range(len(self._rows)))
        self._done = 0
        self._passes = _passes.get()
        self._width = 1.0 if self._passes is None else self._passes.next_width()
        self._start = 0.0 if self._passes is None else self._passes.share
        self._name = ""
        if self._passes is not None:
            of = f"{self._passes.doing}, " if self._passes.doing else ""
            self._name = f"{of}pass {self._passes.begun}: "
        self._begun = clock()

    def done(self, place: int) -> None:
        """Report that a part is done; a part that is repeated after a worker died counts once."""
        if place not in self._left:
            return
        self._left.remove(place)
        self._done += self._rows[place]
        within = self._done / self._total if self._total else 1 - len(self._left) / len(self._rows)
        share = self._start + self._width * within
        if self._passes is not None:
            self._passes.share = share
        report(share)
        if self._total:
            say(self._line)

    def _line(self) -> str:
        speed = _speed(self._done, clock() - self._begun)
        return f"{self._name}{self._done:,} of {self._total:,} rows{speed}"


class RowCount:
    """Progress of reading rows whose number is unknown.

    Examples
    --------
    >>> from induce.core.progress import progress
    >>> with progress(lambda share: None, lambda line: print(line.split(",")[0])):
    ...     count = RowCount("written")
    ...     count.add(500)
    ...     count.add(250)
    500 rows written
    750 rows written
    """

    def __init__(self, doing: str) -> None:
        self._doing, self._rows, self._begun = doing, 0, clock()

    def add(self, rows: int) -> None:
        """Report further rows."""
        self._rows += rows
        say(lambda: f"{self._rows:,} rows {self._doing}{_speed(self._rows, clock() - self._begun)}")


def _speed(rows: int, seconds: float) -> str:
    return f", {rows / seconds:,.0f} rows/s" if seconds > 0 else ""
