"""Programs as genomes, for evolution and plain search."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from induce.evolution.genomes.kind import Genome, Places
from induce.evolution.programs import _breeding_loops as loops
from induce.evolution.programs.flat import swapped
from induce.evolution.programs.grammar import Grammar
from induce.evolution.programs.language import Language
from induce.evolution.programs.population import Breeding, Population
from induce.evolution.programs.program import Program

Genes = tuple[Any, Any, Any]
"""Codes, constants and starts of the parts."""


@dataclass(frozen=True, eq=False)
class ProgramRows(Population):
    """A population of programs, indexed by individual genes."""

    def __getitem__(self, k: int) -> Genes:
        n = int(self.starts[k, -1])
        return self.codes[k, :n].copy(), self.constants[k, :n].copy(), self.starts[k].copy()

    def __iter__(self) -> Iterator[Genes]:
        return (self[k] for k in range(len(self)))


def rows_of(population: Population) -> ProgramRows:
    """Return a population indexed by individual genes."""
    return ProgramRows(
        population.codes, population.constants, population.starts, population.parents, population.ways
    )


def gathered(individuals: Sequence[Genes], most: int) -> ProgramRows:
    """Collect single programs into a population."""
    if isinstance(individuals, ProgramRows):
        return individuals
    n_parts = len(individuals[0][2]) - 1 if len(individuals) else 1
    made = Population.empty(len(individuals), max(most, *(len(each[0]) for each in individuals), 1), n_parts)
    for k, (codes, constants, starts) in enumerate(individuals):
        made.put(k, codes.tolist(), constants.tolist(), starts.tolist())
    return rows_of(made)


@dataclass(frozen=True)
class Programs(Genome):
    """Programs of a language within size and depth limits.

    Parameters
    ----------
    language : Language
        Language of the programs.
    max_size, max_depth : int
        Maximum number of nodes and maximum depth.
    init_depth : (int, int)
        Minimum and maximum depth of random programs.
    """

    language: Language
    max_size: int = 100
    max_depth: int = 12
    init_depth: tuple[int, int] = (2, 6)

    def __str__(self) -> str:
        names = ", ".join(each.name or "numbers" for each in self.language.primitives)
        return f"programs of {names}, up to {self.max_size} nodes and a depth of {self.max_depth}"

    def breeding(self, **others: Any) -> Breeding:
        """Return the program operators within these limits."""
        return Breeding(self.max_size, self.max_depth, self.init_depth, **others)

    @property
    def grammar(self) -> Grammar:
        """Tables of the language."""
        return self.language.grammar

    def random(self, rng: np.random.Generator) -> Genes:
        """Return a random program."""
        return self.populate(1, rng)[0]

    def populate(self, n: int, rng: np.random.Generator) -> ProgramRows:
        """Return random programs, by ramped half-and-half."""
        before = int(rng.integers(12)) if n == 1 else 0  # a single program may also have any depth
        made = rows_of(self.breeding().first(self.grammar, n + before, int(rng.integers(2**62))))
        return self.take(made, np.arange(before, n + before))

    def crossover(self, first: Genes, second: Genes, rng: np.random.Generator) -> tuple[Genes, Genes]:
        """Exchange random subtrees of the same type, or return the parents if no exchange fits the limits."""
        for _ in range(10):
            part = int(rng.integers(len(first[2]) - 1))
            a, b = self._part(first, part), self._part(second, part)
            i = int(rng.integers(len(a[0])))
            kind = self.language.signatures[a[0][i]].gives
            places = [j for j, code in enumerate(b[0]) if self.language.signatures[code].gives == kind]
            if not places:
                continue
            j = int(rng.choice(places))
            made, other = swapped(a, i, b, j, self.language.arity)
            pair = self._with(first, part, made), self._with(second, part, other)
            if all(map(self.legal, pair)):
                return pair
        return first, second

    def mutate(self, individual: Genes, rng: np.random.Generator) -> Genes:
        """Mutate a program: regrow a subtree, change single nodes, or hoist a subtree."""
        how = self.breeding(
            tournament_size=1,
            p_crossover=0.0,
            p_subtree_mutation=0.45,
            p_hoist_mutation=0.1,
            p_point_mutation=0.45,
            p_point_replace=max(0.1, 1.0 / len(individual[0])),
        )
        last = gathered([individual], self.max_size)
        place = int(rng.integers(2**62)), 0
        return rows_of(how.next(last, np.zeros(1), self.grammar, place))[0]

    def legal(self, individual: Genes) -> bool:
        """Return whether a program belongs to the language and is within the limits."""
        program = self.value(individual)
        try:
            program.check()
        except ValueError:
            return False
        return program.n_nodes <= self.max_size and program.depth() <= self.max_depth

    def value(self, individual: Genes) -> Program:
        """Return the program that the genes encode."""
        codes, constants, starts = individual
        return Program(self.language, codes, constants, starts)

    def key(self, individual: Genes) -> Hashable:
        """Return a hashable key that identifies equal programs."""
        return tuple(part.tobytes() for part in individual)

    def show(self, individual: Genes) -> str:
        """Return the program as text."""
        return self.value(individual).to_sexpr()

    def take(self, population: Any, which: Places) -> ProgramRows:
        """Return the programs at the given indices of a population."""
        rows = gathered(population, self.max_size)
        return replace(
            rows,
            codes=rows.codes[which],
            constants=rows.constants[which],
            starts=rows.starts[which],
            parents=rows.parents[which],
            ways=rows.ways[which],
        )

    def join(self, populations: Sequence[Any]) -> ProgramRows:
        """Concatenate several populations."""
        return gathered([each for part in populations for each in part], self.max_size)

    def mutated(self, population: Any, which: Places, rng: np.random.Generator) -> ProgramRows:
        """Return a population with the programs at the given indices mutated."""
        changed = list(population)
        for k in which:
            changed[k] = self.mutate(changed[k], rng)
        return gathered(changed, self.max_size)

    def mate(self, population: Any, first: Places, second: Places, rng: np.random.Generator) -> ProgramRows:
        """Return the offspring of pairs of parents."""
        return gathered(super().mate(population, first, second, rng), self.max_size)

    def diversity(self, population: Any) -> float:
        """Return the fraction of distinct programs."""
        rows = gathered(population, self.max_size)
        return rows.distinct() / len(rows)

    def _part(self, genes: Genes, k: int) -> tuple[list[int], list[float]]:
        start, end = int(genes[2][k]), int(genes[2][k + 1])
        return genes[0][start:end].tolist(), genes[1][start:end].tolist()

    def _with(self, genes: Genes, k: int, part: tuple[list[int], list[float]]) -> Genes:
        codes: list[int] = []
        constants: list[float] = []
        starts = [0]
        for number in range(len(genes[2]) - 1):
            more, held = part if number == k else self._part(genes, number)
            codes, constants = codes + more, constants + held
            starts.append(len(codes))
        return np.array(codes, np.int32), np.array(constants), np.array(starts, np.int64)


WAY_OF = {loops.COPY: 0, loops.CROSSOVER: 1}
"""Codes of `induce.evolution.reproduction` for copied and crossed individuals; all others are mutated, 2."""
