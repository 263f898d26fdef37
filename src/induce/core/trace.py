"""Traces: the steps of a learner towards its hypothesis, as structured events.

An event is plain data: a kind, its fields in order, and the enclosing learners. A trace is a table of events;
it prints one table per run of events of the same kind, and displays itself in a notebook. The kinds of a
package and their fields are declared in its `_declaration.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, overload

from induce.core.trace_tables import html_of, short, text_of

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Event:
    """One step of a learner: its kind, its data, and the enclosing learners.

    Parameters
    ----------
    kind : str
    data : dict
    scope : tuple of str
        Enclosing learners and the parts of their work, such as ``"fold 3"``, ``"member 2"``, ``"description"`` or
        ``"reference"``, outermost first; empty for the learner that was called.
    """

    kind: str
    data: Mapping[str, Any]
    scope: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def as_dict(self) -> dict[str, Any]:
        """Return the event as plain, JSON-serialisable data."""
        from induce.core.plain import plain

        return {"kind": self.kind, "scope": list(self.scope), **{k: plain(v) for k, v in self.data.items()}}

    def __str__(self) -> str:
        return f"{self.title()}: " + ", ".join(f"{name}={value}" for name, value in self.data.items())

    def title(self) -> str:
        """Return the kind and the enclosing learners."""
        return f"{self.kind} (inside {' > '.join(self.scope)})" if self.scope else self.kind


class Trace(Sequence[Event]):
    """The events of a `trace`, in order; `dropped` counts those beyond the limit."""

    def __init__(
        self,
        only: frozenset[str] | None,
        limit: int | None,
        inner: bool = True,
        listener: Listener | None = None,
    ) -> None:
        self._events: list[Event] = []
        self._only = only
        self._limit = limit
        self._inner = inner
        self._listener = listener
        self.dropped = 0

    def wants(self, kind: str) -> bool:
        """Return whether events of this kind are kept."""
        return (self._only is None or kind in self._only) and (self._inner or not scope())

    def add(self, event: Event) -> None:
        """Keep an event, or only count it if the limit is reached; the listener receives it in any case."""
        if self._listener is not None:
            self._listener(event)
        if self._limit is not None and len(self._events) >= self._limit:
            self.dropped += 1
        else:
            self._events.append(event)

    def kinds(self) -> dict[str, tuple[str, ...]]:
        """Return the kinds of event in the trace, each with its fields."""
        found: dict[str, dict[str, None]] = {}
        for event in self._events:
            found.setdefault(event.kind, {}).update(dict.fromkeys(event.data))
        return {kind: tuple(fields) for kind, fields in found.items()}

    def table(self, kind: str | None = None) -> pl.DataFrame:
        """Return the events of one kind as a frame, one column per field.

        The kind may be omitted if there is only one.

        Examples
        --------
        >>> with trace() as events:
        ...     emit("step", attribute="Outlook", gain=0.25)
        >>> events.table("step").columns
        ['step', 'attribute', 'gain']
        """
        import polars as pl

        from induce.core.errors import InputError

        kinds = self.kinds()
        if kind is None and len(kinds) == 1:
            [kind] = kinds
        if kind not in kinds:
            raise InputError(
                f"the trace has events of the kinds {', '.join(kinds)}, not {kind!r}; name one of them"
            )
        chosen = [(number, event) for number, event in enumerate(self._events, 1) if event.kind == kind]
        columns: dict[str, list[Any]] = {"step": [number for number, _ in chosen]}
        for name in kinds[kind]:
            columns[name] = [_cell(event.data.get(name)) for _, event in chosen]
        return pl.DataFrame([pl.Series(name, cells, strict=False) for name, cells in columns.items()])

    def as_list(self) -> list[dict[str, Any]]:
        """Return all events as plain data."""
        return [event.as_dict() for event in self._events]

    @overload
    def __getitem__(self, index: int) -> Event: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...

    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        return self._events[index]

    def __len__(self) -> int:
        return len(self._events)

    def __str__(self) -> str:
        parts = [text_of(run[0].title(), [event.data for event in run]) for run in self._runs()]
        more = [f"({self.dropped} more events beyond the limit)"] if self.dropped else []
        return "\n\n".join([*parts, *more])

    def _repr_html_(self) -> str:
        more = f"<p>{self.dropped} more events beyond the limit</p>" if self.dropped else ""
        return "".join(html_of(run[0].title(), [event.data for event in run]) for run in self._runs()) + more

    def _runs(self) -> Iterator[list[Event]]:
        """Yield runs of consecutive events with the same kind and fields."""

        def form(event: Event) -> tuple[Any, ...]:
            return event.kind, event.scope, [*event.data]

        for _, run in groupby(self._events, form):
            yield list(run)


def _cell(value: Any) -> Any:
    """Return a value as a cell of a frame: numbers, strings and Booleans unchanged, anything else as text."""
    return value if value is None or isinstance(value, bool | int | float | str) else short(value)


Listener = Callable[[Event], None]
_current: ContextVar[Trace | None] = ContextVar("induce_trace", default=None)
_place: ContextVar[tuple[tuple[str, ...], str | None]] = ContextVar("induce_place", default=((), None))
"""Scope of events, and the current learner, which becomes part of the scope of its callees."""


@contextmanager
def learning(name: str) -> Iterator[None]:
    """Declare the current learner inside the block.

    Its name is added to the scope of events from learners that it calls.

    Examples
    --------
    >>> with trace() as events, learning("Bagging"), learning("ID3"):
    ...     emit("step", gain=0.25)
    >>> events[0].scope
    ('Bagging',)
    """
    token = _place.set((_inside(), name))
    try:
        yield
    finally:
        _place.reset(token)


@contextmanager
def part(name: str) -> Iterator[None]:
    """Declare the part of a learner's work inside the block: a fold, a member, a description.

    Events of the block count as events of an inner learner: `trace(inner=False)` omits them.

    Examples
    --------
    >>> with trace() as events, learning("CART"), part("fold 1"):
    ...     emit("step", gain=0.25)
    >>> events[0].scope
    ('CART', 'fold 1')
    """
    token = _place.set(((*_inside(), name), None))
    try:
        yield
    finally:
        _place.reset(token)


def _inside() -> tuple[str, ...]:
    """Return the scope of the current learner's callees."""
    around, learner = _place.get()
    return around if learner is None else (*around, learner)


def scope() -> tuple[str, ...]:
    """Return the learners that enclose the current one, with the parts of their work."""
    return _place.get()[0]


@contextmanager
def trace(
    only: Iterable[str] | str | None = None,
    limit: int | None = None,
    *,
    inner: bool = True,
    listener: Listener | None = None,
) -> Iterator[Trace]:
    """Collect the events of learners inside the block.

    Parameters
    ----------
    only : str or iterable of str, optional
        Kinds of event to keep.
    limit : int, optional
        Maximum number of events to keep; further events are only counted.
    inner : bool
        Whether to keep the events of learners that other learners call, such as the members of an ensemble, and of
        parts of their work, such as folds.
    listener : callable, optional
        Function that receives each event as it happens, including those beyond the limit; with a limit of 0 no
        events are kept.

    Examples
    --------
    >>> with trace() as events:
    ...     emit("step", gain=0.25)
    >>> events[0]["gain"]
    0.25
    >>> print(events)
    step
      gain
      0.25
    """
    kinds = frozenset([only]) if isinstance(only, str) else None if only is None else frozenset(only)
    collected = Trace(kinds, limit, inner, listener)
    token = _current.set(collected)
    try:
        yield collected
    finally:
        _current.reset(token)


def active(kind: str | None = None) -> bool:
    """Return whether a trace is active and keeps events of `kind`."""
    current = _current.get()
    return current is not None and (kind is None or current.wants(kind))


def emit(kind: str, **data: Any) -> None:
    """Add an event to the active trace if it keeps this kind."""
    current = _current.get()
    if current is not None and current.wants(kind):
        current.add(Event(kind, data, scope()))
