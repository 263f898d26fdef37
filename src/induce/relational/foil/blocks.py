"""Candidates for the next literal of a clause, and their gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from induce.logic.clauses import Literal
from induce.logic.facts import Codes, Symbols
from induce.logic.terms import Constant, Term, Variable

Floats = NDArray[np.float64]


def foil_gain(t: ArrayLike, p1: ArrayLike, n1: ArrayLike, p0: float, n0: float) -> Floats:
    """Return Foil_Gain (Mitchell, Eq. 10.1): the bits that a literal saves in coding the positive bindings.

    Parameters
    ----------
    t : array of float
        Number of positive bindings that the literal leaves.
    p1, n1 : array of float
        Numbers of positive and negative bindings after adding the literal.
    p0, n0 : float
        Numbers of positive and negative bindings before adding the literal.

    Examples
    --------
    >>> float(foil_gain(1, 1, 3, p0=1, n0=15))
    2.0
    """
    t, p1, n1 = (np.asarray(one, np.float64) for one in (t, p1, n1))
    after = p1 / np.maximum(p1 + n1, 1)
    before = p0 / max(p0 + n0, 1)
    # a literal that removes all positive bindings has no gain, whatever its effect on the negative ones
    return np.asarray(t * np.log2(np.where(p1 > 0, after, before or 1) / (before or 1)))


@dataclass(frozen=True)
class Atom:
    """Literal whose arguments are variable numbers, or positions in a row of values (-1 for the first)."""

    name: str
    arguments: tuple[int, ...]
    negated: bool = False


@dataclass(frozen=True, eq=False)
class Block:
    """Block of candidates that differ only in their constants.

    Parameters
    ----------
    atoms : tuple of Atom
        Literal added to the clause.
    counts : array of int64
        One row of counts per candidate.
    values : array
        Constant codes or threshold of each candidate.
    predicate : tuple
        Prefix of the encoded description.
    choices : int
        Number of candidates it was chosen from, since only the best thresholds are kept.
    n_new : int
        Number of new variables in the clause.
    n_own : int
        Number of variables that occur only in the negated literal.
    suggested : tuple of Literal
        Suggested conjunction before pruning; empty for other candidates.
    """

    atoms: tuple[Atom, ...]
    counts: Codes
    values: NDArray[Any]
    predicate: tuple[str, int]
    choices: int
    n_new: int = 0
    n_own: int = 0
    suggested: tuple[Literal, ...] = ()

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def negative(self) -> bool:
        """Whether the block negates other candidates."""
        last = self.atoms[-1]
        compares = last.name in ("\\=", ">=", "=<") and (last.name == "\\=" or last.arguments[1] >= 0)
        return (last.negated or compares) and not self.suggested

    def used(self, n_known: int) -> set[int]:
        """Return the numbers of the existing variables of the clause."""
        return {number for atom in self.atoms for number in atom.arguments if 0 <= number < n_known}

    def keys(self, of_variables: Sequence[int]) -> Codes:
        """Return a key that identifies the candidates up to variable names."""
        new = [("new", number) for number in range(self.n_new + self.n_own)]
        named = [*of_variables, *new]
        said = [
            (atom.name, atom.negated, *(named[n] if n >= 0 else n for n in atom.arguments))
            for atom in self.atoms
        ]
        base = np.full(len(self), hash(tuple(said)), np.int64)
        values = self.values.astype(np.float64).view(np.int64)
        for column in values.T:
            base = (base ^ column) * np.int64(1099511628211)
        return base

    def literals(self, number: int, names: Sequence[Variable], symbols: Symbols) -> tuple[Literal, ...]:
        """Return the literals of one candidate; `names` includes names for new variables."""
        row = self.values[number]

        def term(argument: int) -> Term:
            if argument >= 0:
                return names[argument]
            value = row[-1 - argument]
            if self.values.dtype.kind == "f":
                return Constant(int(value) if float(value).is_integer() else float(value))
            return symbols.terms[int(value)]

        return tuple(
            Literal(atom.name, tuple(map(term, atom.arguments)), atom.negated) for atom in self.atoms
        )
