"""Limits of a search for proofs."""

from __future__ import annotations

from dataclasses import dataclass

from induce.core.errors import InputError


@dataclass(frozen=True)
class Limits:
    """Limits at which a search for proofs stops, although there may be more answers.

    Parameters
    ----------
    depth : int, optional
        Maximum depth of a goal below the query; deeper goals fail, and the search continues elsewhere.
    inferences : int, optional
        Maximum number of calls of clause-defined predicates per query.
    seconds : float, optional
        Maximum processor time per query in seconds; it is checked a few times per second.
    solutions : int, optional
        Maximum number of solutions per query.
    memory : int, default=1_000_000_000
        Maximum number of bytes for the terms, goals and choice points of one query. A search that needs more ends
        with an error, since it most likely does not terminate.

    Examples
    --------
    >>> Limits(depth=20, inferences=10_000).depth
    20
    >>> Limits(depth=0)
    Traceback (most recent call last):
    induce.core.errors.InputError: the limit depth is 0; give a number above 0
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
                raise InputError(f"the limit {name} is {value}; give a number above 0")
