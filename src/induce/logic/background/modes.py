"""Mode declarations: the literals that a clause may contain, and the roles of their arguments (Mitchell §10.7.5)."""

from __future__ import annotations

from dataclasses import dataclass

from induce.core.errors import InputError
from induce.logic.clauses import Predicate

MOST_CONSTANTS = 50
"""Maximum number of distinct names of an argument that may be constants in clauses if no mode is declared."""


@dataclass(frozen=True)
class Mode:
    """Permitted use of a predicate in a clause.

    Parameters
    ----------
    name : str
        The predicate.
    arguments : tuple of str
        Sign and type of each argument: ``+train`` is a variable already in the clause, ``-car`` one that may be new,
        ``#shape`` a constant.
    recall : int, optional
        Recall: maximum number of answers to one call.
    head : bool, default=False
        Whether the mode declares the head of the clauses to be learned.

    Examples
    --------
    >>> print(Mode("has_car", ("+train", "-car")))
    has_car(+train, -car)
    """

    name: str
    arguments: tuple[str, ...]
    recall: int | None = None
    head: bool = False

    def __post_init__(self) -> None:
        for argument in self.arguments:
            if argument[:1] not in ("+", "-", "#") or not argument[1:].strip():
                raise InputError(
                    f"a mode of {self.name} has the argument {argument!r}; write a sign and a type, "
                    "such as +train, -car or #shape"
                )
        if self.recall is not None and self.recall < 1:
            raise InputError(f"the mode {self} has recall {self.recall}; give 1 or more, or * for any number")

    @property
    def predicate(self) -> Predicate:
        """Name and arity of the predicate."""
        return self.name, len(self.arguments)

    @property
    def types(self) -> tuple[str, ...]:
        """Type of each argument."""
        return tuple(argument[1:] for argument in self.arguments)

    def places(self, sign: str) -> tuple[int, ...]:
        """Return the positions of the arguments with a given sign."""
        return tuple(place for place, argument in enumerate(self.arguments) if argument[0] == sign)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})" if self.arguments else self.name
