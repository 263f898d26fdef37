"""State of a clause that FOIL grows, with its table of bindings and the candidates for its next literal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.logic.clauses import Literal
from induce.logic.coverage.bindings import Bindings
from induce.logic.coverage.examples import variable
from induce.logic.facts import Codes
from induce.logic.terms import Term, Variable
from induce.relational.clauses.description_length import bits_of_literal
from induce.relational.clauses.recursion import Call
from induce.relational.foil.blocks import Block, Floats


@dataclass(frozen=True)
class Known:
    """Properties of a variable of a clause.

    Parameters
    ----------
    kind : str
        Its type.
    key : int
        Identity of the variable by its origin in the clause, independent of its name.
    depth : int
        Length of the shortest chain of literals from the head to the variable.
    owed : float
        Description length of the determinate literals that introduced it, charged when another literal uses
        it.
    """

    kind: str
    key: int
    depth: int = 0
    owed: float = 0.0


@dataclass(frozen=True, eq=False)
class State:
    """Clause with its bindings, those of positive examples first.

    Parameters
    ----------
    body : tuple of Literal
    bindings : Bindings
    n_positive : int
        Number of positive bindings.
    covered : tuple of two ints
        Numbers of positive and negative examples with bindings.
    known : tuple of Known
        Properties of each variable, in the order of the columns of the bindings.
    said : frozenset of int
        Keys of the clause's literals.
    gained, bits : float
        Total gain and total description length of the clause's literals.
    saved : float
        Bits that the clause's literals save in describing the examples, minus their own description length.
    length : int
        Number of chosen literals; determinate ones are free.
    detour : int
        Number of trailing literals without gain.
    calls : tuple of Call
        Recursive calls of the clause.
    spare : frozenset of Literal
        Determinate literals, to be dropped at the end if no other literal uses their variables.
    suggested : frozenset of Literal
        Literals suggested by knowledge; pruning keeps them.
    steps : dict
        Cached results of `refine`, used by `take`.
    """

    body: tuple[Literal, ...]
    bindings: Bindings
    n_positive: int
    covered: tuple[int, int]
    known: tuple[Known, ...]
    said: frozenset[int] = frozenset()
    gained: float = 0.0
    bits: float = 0.0
    saved: float = 0.0
    length: int = 0
    detour: int = 0
    calls: tuple[Call, ...] = ()
    spare: frozenset[Literal] = frozenset()
    suggested: frozenset[Literal] = frozenset()
    steps: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, bindings: Bindings, n_positive: int, kinds: Sequence[str]) -> State:
        """Return the clause without a body, with one binding per example."""
        known = tuple(Known(kind, number + 1) for number, kind in enumerate(kinds))
        return cls((), bindings, n_positive, (n_positive, len(bindings) - n_positive), known)

    @property
    def names(self) -> list[Variable]:
        """Variables in order of introduction."""
        return [*self.bindings.columns]

    @property
    def n_negative(self) -> int:
        """Number of negative bindings."""
        return len(self.bindings) - self.n_positive

    @property
    def kinds(self) -> tuple[str, ...]:
        """Types of the variables."""
        return tuple(one.kind for one in self.known)

    def types(self) -> dict[Term, str]:
        """Return the type of each variable."""
        return dict(zip(self.names, self.kinds, strict=True))

    def fresh(self, n: int) -> list[Variable]:
        """Return unused names for new variables."""
        bodies = (name for literal in self.body for name in literal.variables())
        taken = {name.name for name in (*self.bindings.columns, *bodies)}
        numbers = range(len(taken) + n)
        return [name for name in map(variable, numbers) if name.name not in taken][:n]

    def joined(
        self, literals: tuple[Literal, ...], bindings: Bindings, n_positive: int, more: Sequence[Known]
    ) -> State:
        """Return the clause with additional literals, given the resulting bindings and new variables."""
        example = bindings.example
        covered = (_n_different(example[:n_positive]), _n_different(example[n_positive:]))
        return replace(
            self,
            body=(*self.body, *literals),
            bindings=bindings,
            n_positive=n_positive,
            covered=covered,
            known=(*self.known, *more),
            steps={},
        )

    def paid(self, used: set[int]) -> State:
        """Return the clause after some of its variables were used by a chosen literal."""
        return replace(
            self,
            known=tuple(
                replace(one, owed=0.0) if number in used else one for number, one in enumerate(self.known)
            ),
        )


@dataclass(frozen=True, eq=False)
class CandidateTable:
    """All candidates for the next literal of a clause, one per row.

    Parameters
    ----------
    blocks : list of Block
        Candidates, grouped if they differ only in their constants.
    counts : array of int64
        Coverage counts of each candidate.
    block, place : array of int64
        Block of each candidate, and its position within the block.
    bits : array of float
        Description length of each candidate.
    keys : array of int64
        Keys that identify the resulting clause up to variable names.
    """

    blocks: list[Block]
    counts: Codes
    block: Codes
    place: Codes
    bits: Floats
    keys: Codes

    @classmethod
    def of(cls, blocks: list[Block], state: State) -> CandidateTable:
        """Combine the candidates of the given blocks."""
        sizes = [len(block) for block in blocks]
        variables = [one.key for one in state.known]
        choices: dict[tuple[str, int], int] = {}
        for block in blocks:
            if not block.negative:
                choices[block.predicate] = choices.get(block.predicate, 0) + block.choices
        each = {
            predicate: float(bits_of_literal(len(choices), number)) for predicate, number in choices.items()
        }
        bits = [
            each.get(block.predicate, 0.0)
            + sum(state.known[number].owed for number in block.used(len(state.known)))
            for block in blocks
        ]
        return cls(
            blocks,
            np.concatenate([np.empty((0, 6), np.int64), *(block.counts for block in blocks)]),
            np.repeat(np.arange(len(blocks)), sizes),
            np.concatenate([np.empty(0, np.int64), *(np.arange(size) for size in sizes)]),
            np.repeat(np.array(bits, np.float64), sizes),
            np.concatenate([np.empty(0, np.int64), *(block.keys(variables) for block in blocks)]),
        )

    def __len__(self) -> int:
        return len(self.counts)

    def spread(self, of_blocks: Sequence[Any], kind: type[np.generic]) -> NDArray[Any]:
        """Repeat a property of each block for all its candidates."""
        return np.array(of_blocks, kind)[self.block]

    def names(self, state: State) -> list[Variable]:
        """Return the variables of the clause, followed by names for as many new ones as any candidate has."""
        most = max((block.n_new + block.n_own for block in self.blocks), default=0)
        return [*state.names, *state.fresh(most)]

    def found(self, number: int) -> tuple[Block, int]:
        """Return the block of a candidate and its position within the block."""
        return self.blocks[self.block[number]], int(self.place[number])


def _n_different(ascending: Codes) -> int:
    return int(np.count_nonzero(np.diff(ascending, prepend=-1)))
