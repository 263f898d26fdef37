"""Genetic programming: evolution of programs."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.parameters import Declared, instance, whole
from induce.core.randomness import RandomState
from induce.core.ties import largest_first
from induce.evolution.fitness import Evaluator
from induce.evolution.generation import Generation
from induce.evolution.genomes.kind import Floats, Genome
from induce.evolution.learners.evolver import Evolver
from induce.evolution.programs.genome import WAY_OF, Programs, gathered, rows_of
from induce.evolution.programs.language import Language
from induce.evolution.programs.population import BREEDING, STEPS_A_NODE, Breeding
from induce.evolution.programs.program import Program
from induce.evolution.reproduction import Brood
from induce.evolution.selection import SELECTION, Roulette, Selection, Tournament, as_selection
from induce.evolution.structures import Demes

SEVEN = Tournament(size=7)
NODES = 20.0
"""Approximate number of nodes per program, used before it is known."""


class GeneticProgramming(Evolver):
    """Evolve programs of a language by selection, crossover and mutation of their trees (Mitchell §9.5).

    There are no training examples, so there are no missing values or unseen categories: state is up to the fitness
    function.

    Parameters
    ----------
    language : Language, optional
        Language of the programs; a built-in problem has its own.
    population_size : int, default=300
        Number of programs.
    generations : int, default=50
        Maximum number of generations.
    selection : str or Selection, default=Tournament(p=1.0, size=7, replace=False)
        Selection of parents: ``"tournament"``, ``"roulette"`` (the book's), ``"rank"``, or a `Selection`; by default
        tournaments of seven.
    p_crossover : float, default=0.9
        Fraction of offspring by crossover. The remaining offspring are copies.
    p_subtree_mutation : float, default=0.0
        Fraction of offspring with a regrown subtree.
    p_hoist_mutation : float, default=0.0
        Fraction of offspring with a hoisted subtree.
    p_point_mutation : float, default=0.0
        Fraction of offspring with point mutations.
    p_point_replace : float, default=0.1
        Probability that a point mutation changes a node.
    max_size : int, default=100
        Maximum number of nodes.
    max_depth : int, default=12
        Maximum depth.
    init_depth : (int, int), default=(2, 6)
        Minimum and maximum depth of the initial programs (ramped half-and-half).
    parsimony_coefficient : float, default=0.0
        Parsimony: penalty per node in the fitness when parents are selected.
    elite : int, default=1
        Elitism: number of best programs that always survive, in each deme.
    structure : Demes, optional
        Demes that evolve separately, with rare migration (§9.7).
    fitness_threshold : float, optional
        Fitness at which the run ends; by default the optimum, if known.
    minimise : bool, default=False
        Whether lower fitness is better; requires tournament or rank selection.
    cache : bool, default=True
        Whether to cache scores within a generation and from the previous one.
    n_jobs : int, optional
        Number of parallel jobs for the fitness; the result does not depend on it.
    backend : {"processes", "threads"}, default="processes"
        Kind of parallel workers; lambdas and closures can be sent to processes too.
    time_limit : float, optional
        Time limit in seconds per evaluation. An evaluation that exceeds it, raises an exception, returns no number or
        runs out of steps fails.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : Program
    history_ : History

    See Also
    --------
    SymbolicRegressor : Symbolic regression.
    GeneticAlgorithm : Evolution of any kind of genome.

    Notes
    -----
    `learn` takes a function of a `Program` that returns its fitness, or a shipped problem such as `BlockWorld`.

    References
    ----------
    J. R. Koza (1992). Genetic Programming: On the Programming of Computers by Means of Natural Selection. MIT
    Press.

    Examples
    --------
    >>> import operator
    >>> from induce.evolution import GeneticProgramming, Language, function, variable
    >>> language = Language((function("+", operator.add, 2), function("*", operator.mul, 2), variable("x")))
    >>> def right(program):
    ...     return sum(program.run({"x": x}) == x * x + x for x in range(5))
    >>> learner = GeneticProgramming(language, population_size=50, fitness_threshold=5).learn(right)
    >>> learner.hypothesis_.run({"x": 10})
    110
    """

    hypothesis_: Program

    parameters: ClassVar[Declared] = {
        **BREEDING,
        "language": instance(
            "Language of the programs; None uses that of a built-in problem.",
            "Language",
            none=True,
            otherwise="give a Language of primitives",
        ),
        "population_size": whole("Number of programs.", at_least=1),
        "selection": SELECTION,
        "elite": whole("Number of best programs that always survive, in each deme.", at_least=0),
        "structure": instance(
            "Population structure: demes.", "Demes", none=True, otherwise="give Demes, or None"
        ),
    }

    def __init__(
        self,
        language: Language | None = None,
        *,
        population_size: int = 300,
        generations: int = 50,
        selection: str | Selection = SEVEN,
        p_crossover: float = 0.9,
        p_subtree_mutation: float = 0.0,
        p_hoist_mutation: float = 0.0,
        p_point_mutation: float = 0.0,
        p_point_replace: float = 0.1,
        max_size: int = 100,
        max_depth: int = 12,
        init_depth: tuple[int, int] = (2, 6),
        parsimony_coefficient: float = 0.0,
        elite: int = 1,
        structure: Demes | None = None,
        fitness_threshold: float | None = None,
        minimise: bool = False,
        cache: bool = True,
        n_jobs: int | None = None,
        backend: str = "processes",
        time_limit: float | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.language = language
        self.population_size = population_size
        self.generations = generations
        self.selection = selection
        self.p_crossover = p_crossover
        self.p_subtree_mutation = p_subtree_mutation
        self.p_hoist_mutation = p_hoist_mutation
        self.p_point_mutation = p_point_mutation
        self.p_point_replace = p_point_replace
        self.max_size = max_size
        self.max_depth = max_depth
        self.init_depth = init_depth
        self.parsimony_coefficient = parsimony_coefficient
        self.elite = elite
        self.structure = structure
        self.fitness_threshold = fitness_threshold
        self.minimise = minimise
        self.cache = cache
        self.n_jobs = n_jobs
        self.backend = backend
        self.time_limit = time_limit
        self.random_state = random_state

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.structure is not None:
            self.structure.check_size(self.population_size)

    def _genome_of(self, source: Any) -> Genome:
        language = self.language if self.language is not None else getattr(source, "language", None)
        if not isinstance(language, Language):
            raise InputError(f"language is {self.language!r}; give a Language of primitives")
        genome = Programs(language, self.max_size, self.max_depth, self.init_depth)
        self._breeding().check(genome.grammar)
        return genome

    def _breeding(self) -> Breeding:
        by = as_selection(self.selection)
        return Breeding(
            self.max_size,
            self.max_depth,
            self.init_depth,
            by.size if isinstance(by, Tournament) and by.p == 1 else 0,
            self.p_crossover,
            self.p_subtree_mutation,
            self.p_hoist_mutation,
            self.p_point_mutation,
            self.p_point_replace,
        )

    def _bred(self, run: Evaluator, state: Generation, rng: np.random.Generator) -> Brood:
        place = state.seed, state.number + 1
        if self.structure is None:
            return self._pool(run, state.genome, state.population, state.scores, place)
        return self.structure.bred(
            state, lambda some, scores, k: self._pool(run, state.genome, some, scores, (*place, k))
        )

    def _pool(
        self, run: Evaluator, genome: Any, population: Any, scores: Floats, place: tuple[int, ...]
    ) -> Brood:
        """Return the offspring of a population or of one of its demes."""
        last = gathered(population, self.max_size)
        how, by = self._breeding(), as_selection(self.selection)
        scored = scores - self.parsimony_coefficient * last.sizes
        shares = None
        if how.tournament_size == 0:
            if isinstance(by, Roulette) and run.minimise:
                raise InputError(
                    "selection is 'roulette', which requires that higher fitness is better; use "
                    "'tournament' for minimisation"
                )
            shares = by.probabilities(scored)
        work = float(self.population_size * (self.generations + 1)) * NODES * STEPS_A_NODE
        made = rows_of(how.next(last, -scored, genome.grammar, place, shares, work))
        for row, best in enumerate(largest_first(scores)[: self.elite].tolist()):
            codes, constants, starts = last[best]
            made.put(row, codes.tolist(), constants.tolist(), starts.tolist())
            made.ways[row], made.parents[row] = 0, (best, -1)
        parents = np.where(made.parents < 0, made.parents[:, :1], made.parents)
        ways = np.array([WAY_OF.get(int(way), 2) for way in made.ways], np.uint8)
        return Brood(made, parents, ways)

    def _conclude(self, run: Evaluator, state: Generation) -> Program:
        assert isinstance(state.genome, Programs)
        codes, constants, starts = state.best
        sign = -1.0 if run.minimise else 1.0
        return Program(
            state.genome.language, codes, constants, starts, sign * state.best_score, state.history
        )
