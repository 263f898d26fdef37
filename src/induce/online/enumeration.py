"""Identification in the limit: the first hypothesis of a list that is consistent with all examples (Gold 1967)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.hypotheses.naming import plural


@dataclass(frozen=True)
class Identification:
    """Conjectures of a learner after each example.

    Parameters
    ----------
    conjectures : tuple of int
        Index of the first consistent hypothesis of the enumeration after each example.
    hypothesis : callable
        Final conjecture.
    """

    conjectures: tuple[int, ...]
    hypothesis: Callable[[Any], Any]

    @property
    def changes(self) -> int:
        """Number of changes of the conjecture; at most the number of hypotheses before the last conjecture."""
        return sum(
            now != before for before, now in zip((0, *self.conjectures), self.conjectures, strict=False)
        )

    @property
    def last_change(self) -> int | None:
        """Number of the example after which the conjecture last changed; None if it never did."""
        settled = self.conjectures.index(self.conjectures[-1]) + 1
        return settled if self.changes else None

    def __str__(self) -> str:
        when = f", the last after example {self.last_change}" if self.changes else ""
        return (
            f"hypothesis {self.conjectures[-1]} after {plural(len(self.conjectures), 'example')}: "
            f"{plural(self.changes, 'change')} of the conjecture{when}"
        )


def identify(
    hypotheses: Iterable[Callable[[Any], Any]],
    examples: Iterable[tuple[Any, Any]],
    most: int = 1_000_000,
) -> Identification:
    """Conjecture, after each example, the first hypothesis that is consistent with all so far.

    If the target is in the enumeration, which may be infinite, the conjecture changes at most once for each
    hypothesis before it, and is the same forever from some example on. The learner cannot know when that has
    happened (Gold 1967, cited by Mitchell §7.6 as another model of learning).

    Parameters
    ----------
    hypotheses : iterable of callables
        Functions from an instance to its class.
    examples : iterable of pairs
        Pairs of an instance and its class.
    most : int
        Maximum number of consecutive inconsistent hypotheses before the search ends.

    Examples
    --------
    >>> from itertools import count
    >>> multiples = (lambda x, n=n: x % n == 0 for n in count(1))
    >>> print(identify(multiples, [(x, x % 6 == 0) for x in (12, 3, 8, 9, 18, 20)]))
    hypothesis 5 after 6 examples: 2 changes of the conjecture, the last after example 3
    """
    at_least("most", most, 1, whole=True)
    seen: list[tuple[Any, Any]] = []
    conjectures: list[int] = []
    numbered = enumerate(hypotheses)
    conjecture: tuple[int, Callable[[Any], Any]] | None = None
    for example in examples:
        seen.append(_pair(example))
        # a hypothesis that was skipped disagrees with an earlier example forever
        if conjecture is None or not _agrees(*conjecture, seen[-1:]):
            conjecture = next((each for each in islice(numbered, most) if _agrees(*each, seen)), None)
            if conjecture is None:
                raise InputError(
                    f"no hypothesis of the enumeration agrees with the first {plural(len(seen), 'example')}, as far "
                    f"as the next {most:,} were tried: the target is not among them, or the examples conflict"
                )
        conjectures.append(conjecture[0])
    if conjecture is None:
        raise InputError("examples is empty; give at least one pair of an instance and its class")
    return Identification(tuple(conjectures), conjecture[1])


def _agrees(place: int, hypothesis: Any, examples: list[tuple[Any, Any]]) -> bool:
    if not callable(hypothesis):
        raise TypeError(f"hypothesis {place} is {type(hypothesis).__name__}; give functions of an instance")
    return all(hypothesis(instance) == label for instance, label in examples)


def _pair(example: Any) -> tuple[Any, Any]:
    try:
        instance, label = example
    except (TypeError, ValueError):
        raise InputError(f"examples contains {example!r}; give pairs of an instance and its class") from None
    return instance, label
