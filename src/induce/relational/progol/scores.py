"""Scores of clauses by coverage and length, and the limits on clauses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from induce.logic.background.relations import Relations
from induce.logic.clauses import Literal
from induce.logic.terms import Constant, Variable, listed
from induce.relational.clauses.description_length import bits_of_choice


class Score(Protocol):
    """Score of a clause by coverage and length, and the coverage needed to exceed a score."""

    def of(self, inside: int, outside: int, length: int) -> float:
        """Return the score of a clause from the numbers of positive and negative examples covered."""

    def least(self, best: float, length: int) -> int:
        """Return how many positive examples a clause of at least `length` literals needs to score higher."""


class Compression:
    """Compression of a clause: positive examples minus negative examples minus literals.

    Examples
    --------
    >>> Compression().of(5, 0, 3), Compression().least(2.0, 1)
    (2.0, 4)
    """

    def of(self, inside: int, outside: int, length: int) -> float:
        """Return p - n - c."""
        return float(inside - outside - length)

    def least(self, best: float, length: int) -> int:
        """Return the least p with p - c > best."""
        return 0 if best == -np.inf else int(np.floor(best + length)) + 1


class Generality:
    """Logarithm of a clause's posterior probability given positive examples only (Muggleton 1996).

    The generality of a clause is the fraction of all possible examples it covers, estimated from random
    examples.

    Parameters
    ----------
    n_inside : int
        Number of positive examples.
    """

    def __init__(self, n_inside: int) -> None:
        self.n_inside = n_inside

    def of(self, inside: int, outside: int, length: int) -> float:
        """Return ln p - ln(r + 1) - (c + 2)/p for r random examples covered."""
        if not inside:
            return -np.inf
        return float(np.log(inside) - np.log(outside + 1) - (length + 2) / inside)

    def least(self, best: float, length: int) -> int:
        """Return the least p that scores higher if no random example is covered."""
        few, many = 0, self.n_inside + 1
        while many - few > 1:
            middle = (few + many) // 2
            few, many = (few, middle) if self.of(middle, 0, length) > best else (middle, many)
        return many


class UserCost:
    """Negative cost of a clause given by a background predicate, like Aleph's ``cost/3``.

    The predicate is called with an unbound clause and a list of three numbers: covered positive examples,
    covered negative examples, and literals, the head included.

    Parameters
    ----------
    name : str
    background : Relations
    """

    def __init__(self, name: str, background: Relations) -> None:
        self._name, self._prover = name, background.prover()
        self._known: dict[tuple[int, int, int], float] = {}

    def of(self, inside: int, outside: int, length: int) -> float:
        """Return the negated cost; the worst score if the predicate fails."""
        key = inside, outside, length + 1
        if key not in self._known:
            counts = listed([Constant(each) for each in key])
            goal = Literal(self._name, (Variable("Clause"), counts, Variable("Cost")))
            answer = self._prover.first(goal)
            cost = None if answer is None else answer.substitution.get(Variable("Cost"))
            known = isinstance(cost, Constant) and isinstance(cost.value, int | float)
            self._known[key] = -float(cost.value) if known and isinstance(cost, Constant) else -np.inf
        return self._known[key]

    def least(self, best: float, length: int) -> int:
        """Return 1: the cost of a longer clause is unknown."""
        return 1


@dataclass(frozen=True)
class Limits:
    """Limits on clauses and on the search for them.

    Parameters
    ----------
    max_literals : int
    max_nodes : int
        Maximum number of clauses examined per example.
    noise : float
        Maximum number of negative examples a clause may cover.
    min_accuracy : float
        Minimum fraction of positive examples among those a clause covers.
    min_positives : int
    worth : float
        Bits that each covered positive example is worth; a clause must justify its description length.
    """

    max_literals: int = 4
    max_nodes: int = 20_000
    noise: float = np.inf
    min_accuracy: float = 0.0
    min_positives: int = 1
    worth: float = np.inf

    def allow(self, inside: int, outside: int) -> bool:
        """Return whether the coverage of a clause satisfies the limits, if it is large enough for its length."""
        return outside <= self.noise and inside >= self.min_accuracy * (inside + outside)

    def enough(self, n_literals: int) -> list[int]:
        """Return, by length, how many positive examples a clause chosen from `n_literals` literals must cover."""
        lengths = range(max(self.max_literals, 0) + 1)
        bits = [bits_of_subset(min(length, n_literals), n_literals) for length in lengths]
        return [max(self.min_positives, 1, int(each / self.worth) + 1) for each in bits]


def bits_of_subset(length: int, n_literals: int) -> float:
    """Return the number of bits that encode the choice of a clause of a given length below the most specific one.

    Examples
    --------
    >>> bits_of_subset(2, 2), round(bits_of_subset(3, 32), 3)
    (1.0, 17.276)
    """
    return float(bits_of_choice(length, n_literals))
