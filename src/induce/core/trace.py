"""Traces: how a learner got to its hypothesis, as structured events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, overload


@dataclass(frozen=True)
class Event:
    """One step of a learner: what kind of step, and its data."""

    kind: str
    data: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def __str__(self) -> str:
        return f"{self.kind}: " + ", ".join(f"{name}={value}" for name, value in self.data.items())


class Trace(Sequence[Event]):
    """The events of a `trace`, in order; `dropped` counts those beyond the limit."""

    def __init__(self, only: frozenset[str] | None, limit: int | None) -> None:
        self._events: list[Event] = []
        self._only = only
        self._limit = limit
        self.dropped = 0

    def wants(self, kind: str) -> bool:
        """Say whether events of this kind are kept."""
        return self._only is None or kind in self._only

    def add(self, event: Event) -> None:
        """Keep an event, or count it when the limit is reached."""
        if self._limit is not None and len(self._events) >= self._limit:
            self.dropped += 1
        else:
            self._events.append(event)

    @overload
    def __getitem__(self, index: int) -> Event: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...

    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        return self._events[index]

    def __len__(self) -> int:
        return len(self._events)

    def __str__(self) -> str:
        more = f"\n({self.dropped} more events beyond the limit)" if self.dropped else ""
        return "\n".join(map(str, self._events)) + more


_current: ContextVar[Trace | None] = ContextVar("induce_trace", default=None)


@contextmanager
def trace(only: Iterable[str] | str | None = None, limit: int | None = None) -> Iterator[Trace]:
    """Collect what learners do inside the block.

    Parameters
    ----------
    only : str or iterable of str, optional
        The kinds of event to keep.
    limit : int, optional
        Keep at most so many events and count the rest.

    Examples
    --------
    >>> with trace() as events:
    ...     emit("step", gain=0.25)
    >>> events[0]["gain"]
    0.25
    """
    kinds = frozenset([only]) if isinstance(only, str) else None if only is None else frozenset(only)
    collected = Trace(kinds, limit)
    token = _current.set(collected)
    try:
        yield collected
    finally:
        _current.reset(token)


def active(kind: str | None = None) -> bool:
    """Say whether a trace is on (and keeps events of `kind`)."""
    current = _current.get()
    return current is not None and (kind is None or current.wants(kind))


def emit(kind: str, **data: Any) -> None:
    """Add an event to the active trace, if there is one that wants it."""
    current = _current.get()
    if current is not None and current.wants(kind):
        current.add(Event(kind, data))
