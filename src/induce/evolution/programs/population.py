"""Populations of flat programs, and their reproduction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core import parallel
from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.parameter_kinds import Whole
from induce.core.parameters import Declared, number, such, whole
from induce.core.randomness import streams
from induce.evolution.programs import _breeding_loops as loops
from induce.evolution.programs.grammar import Floats, Grammar, Ints

Codes = NDArray[np.int32]

WAYS = ("copy", "crossover", "subtree mutation", "hoist mutation", "point mutation", "random")
STEPS_A_NODE = 20
"""Elementary steps per node of an offspring."""


@dataclass(frozen=True, eq=False)
class Population:
    """Programs as rows of codes in prefix order.

    Parameters
    ----------
    codes : array of int32, shape (programs, most nodes)
    constants : array of float64 of the same shape
    starts : array of int64, shape (programs, parts + 1)
        Start of each part of a program, and end of the last part.
    parents : array of int64, shape (programs, 2)
        Rows of the parents in the last population; -1 if there is none.
    ways : array of int64
        Origin of each program, as an index into `WAYS`.
    """

    codes: Codes
    constants: Floats
    starts: Ints
    parents: Ints
    ways: Ints

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def sizes(self) -> Ints:
        """Number of nodes of each program."""
        return self.starts[:, -1]

    @classmethod
    def empty(cls, n: int, most: int, n_parts: int) -> Population:
        """Return capacity for `n` programs of at most `most` nodes."""
        return cls(
            np.zeros((n, most), np.int32),
            np.zeros((n, most)),
            np.zeros((n, n_parts + 1), np.int64),
            np.full((n, 2), -1, np.int64),
            np.full(n, loops.RANDOM, np.int64),
        )

    def put(self, row: int, codes: Sequence[int], constants: Sequence[float], starts: Sequence[int]) -> None:
        """Store a program in a row."""
        n = len(codes)
        self.codes[row, :n], self.constants[row, :n], self.starts[row] = codes, constants, starts

    def distinct(self) -> int:
        """Return the number of distinct programs."""
        rows = np.arange(self.codes.shape[1]) < self.sizes[:, None]
        marks = np.random.default_rng(0).integers(1, 2**62, (2, self.codes.shape[1]), dtype=np.uint64)
        keys = (np.where(rows, self.codes + 1, 0).astype(np.uint64) * marks[0]).sum(axis=1)
        held = np.where(rows, self.constants, 0.0).view(np.uint64)
        return len(np.unique(keys + (held * marks[1]).sum(axis=1)))


BREEDING: Declared = {
    "max_size": whole("Maximum number of nodes.", at_least=1),
    "max_depth": whole("Maximum depth.", at_least=0),
    "init_depth": such(
        "Minimum and maximum depth of the initial programs.",
        "two whole numbers",
        lambda value: 0 <= value[0] <= value[1] and all(map(Whole().accepts, value)) and len(value) == 2,
        otherwise="give two whole numbers of at least 0, the smaller first: (2, 6)",
    ),
    "p_crossover": number("Fraction of offspring by crossover.", at_least=0, at_most=1),
    "p_subtree_mutation": number("Fraction of offspring with a regrown subtree.", at_least=0, at_most=1),
    "p_hoist_mutation": number("Fraction of offspring with a hoisted subtree.", at_least=0, at_most=1),
    "p_point_mutation": number("Fraction of offspring with point mutations.", at_least=0, at_most=1),
    "p_point_replace": number("Probability that a point mutation changes a node.", at_least=0, at_most=1),
    "parsimony_coefficient": number(
        "Penalty per node in the selection of parents; larger values keep programs small.",
        at_least=0,
    ),
}
"""Declarations of the parameters of learners that evolve programs."""


@dataclass(frozen=True)
class Breeding:
    """Reproduction settings, a subset of the parameters of `GeneticProgramming`."""

    max_size: int = 100
    max_depth: int = 17
    init_depth: tuple[int, int] = (2, 6)
    tournament_size: int = 7
    p_crossover: float = 0.9
    p_subtree_mutation: float = 0.01
    p_hoist_mutation: float = 0.01
    p_point_mutation: float = 0.01
    p_point_replace: float = 0.05
    n_jobs: int | None = field(default=None, compare=False)

    def check(self, grammar: Grammar) -> None:
        """Raise an `InputError` unless the parameters suit the language."""
        names = ("p_crossover", "p_subtree_mutation", "p_hoist_mutation", "p_point_mutation")
        if sum(getattr(self, name) for name in names) > 1 + 1e-9:
            raise InputError(
                f"{', '.join(names)} sum to more than 1; lower them (the remaining fraction is copied)"
            )
        if self.max_size < grammar.least_size():
            raise InputError(
                f"max_size is {self.max_size}, but the smallest program has {grammar.least_size()} nodes"
            )
        if self.max_depth < grammar.least_depth():
            raise InputError(
                f"max_depth is {self.max_depth}, but the flattest program has a depth of {grammar.least_depth()}"
            )

    def first(self, grammar: Grammar, n: int, seed: int, work: float = 0.0) -> Population:
        """Return a random population, by ramped half-and-half."""
        nothing = Population.empty(0, 0, grammar.n_parts)
        return self._bred(n, nothing, np.zeros(0), None, grammar, streams(seed, 0, n=n), work)

    def next(
        self,
        last: Population,
        losses: Floats,
        grammar: Grammar,
        place: tuple[int, ...],
        shares: Floats | None = None,
        work: float = 0.0,
    ) -> Population:
        """Return the next population, given the losses of the last one (lower is better).

        Parameters
        ----------
        last : Population
        losses : array
            Losses; infinite for a program that must not survive.
        grammar : Grammar
        place : tuple of int
            Random seed, generation number and, if there are several demes, deme number.
        shares : array, optional
            Selection probability of each program (for `tournament_size` 0).
        work : float
            Number of elementary steps of the whole run.
        """
        return self._bred(len(last), last, losses, shares, grammar, streams(*place, n=len(last)), work)

    def _bred(
        self,
        n: int,
        last: Population,
        losses: Floats,
        shares: Floats | None,
        grammar: Grammar,
        drawn: Ints,
        steps: float,
    ) -> Population:
        made = Population.empty(n, self.max_size, grammar.n_parts)
        own = STEPS_A_NODE * 10.0 * n
        loop = sized(loops.next_programs, max(steps, own), own / max(steps, own))
        low, high = self.init_depth
        high = min(high, self.max_depth)
        sizes = [self.tournament_size, self.max_size, self.max_depth, min(low, high), high, not len(last)]
        chances = (
            self.p_crossover,
            self.p_subtree_mutation,
            self.p_hoist_mutation,
            self.p_point_mutation,
            self.p_point_replace,
        )
        settings, probabilities = np.array(sizes, np.int64), np.array(chances)
        cumulated = np.cumsum(shares) if shares is not None else np.zeros(len(last))
        widest = grammar.nodes.shape[2] - loops.TAKES

        def work(begin: int, end: int) -> None:
            loop(
                begin,
                end,
                last.codes,
                last.constants,
                last.starts,
                losses,
                cumulated,
                made.codes,
                made.constants,
                made.starts,
                made.parents,
                made.ways,
                grammar.roots,
                drawn,
                settings,
                probabilities,
                grammar.nodes,
                grammar.ranges,
                grammar.types,
                grammar.listed,
                np.zeros((2, self.max_size * widest + 1), np.int64),
                np.zeros((5, self.max_size + 1), np.int64),
            )

        share_out(work, n, self.n_jobs)
        return made


def share_out(work: Callable[[int, int], Any], n: int, n_jobs: int | None, least: int = 200) -> None:
    """Process `n` rows in `n_jobs` threads, at least `least` rows at a time."""
    if n_jobs in (None, 1):
        work(0, n)
        return
    from joblib import effective_n_jobs

    n_parts = max(1, min(effective_n_jobs(n_jobs), n // least))
    cuts = np.linspace(0, n, n_parts + 1).astype(int).tolist()
    parallel.run(lambda cut: work(*cut), pairwise(cuts), n_jobs)


def successes(population: Population, losses: Floats, before: Floats) -> dict[str, float]:
    """Return, for each operator, the fraction of offspring better than their first parent."""
    found = {}
    for way, name in enumerate(WAYS):
        made = np.flatnonzero((population.ways == way) & (population.parents[:, 0] >= 0))
        if len(made) and name != "copy":
            found[name] = float((losses[made] < before[population.parents[made, 0]]).mean())
    return found
