"""Limits of a search for proofs."""

from __future__ import annotations

from dataclasses import dataclass

from induce.core.errors import InputError


@dataclass(frozen=True)
class Limits:
    """When a search for proofs ends although there may be more to find.

    Parameters
    ----------
    depth : int, optional
        Goals deeper below the question than this fail; the search goes on elsewhere.
    inferences : int, optional
        Calls of predicates that clauses define, per question.
    seconds : float, optional
        Time spent on searching per question; it is looked at a few times per second.
    solutions : int, optional
        Solutions per question.
    memory : int, default=1_000_000_000
        Bytes for the terms, goals and choice points of one question. A search that needs more is ended with an error,
        since it most likely does not end.

    Examples
    --------
    >>> Limits(depth=20, inferences=10_000).depth
    20
    >>> Limits(depth=0)
    Traceback (most recent call last):
    induce.core.errors.InputError: the limit depth must be a number above 0, not 0
    """

    depth: int | None = None
    inferences: int | None = None
    seconds: float | None = None
    solutions: int | None = None
    memory: int = 1_000_000_000

    def __post_init__(self) -> None:
        for name in ("depth", "inferences", "seconds", "solutions", "memory"):
            value = getattr(self, name)
            if value is None and name != "memory":
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
                raise InputError(f"the limit {name} must be a number above 0, not {value}")
