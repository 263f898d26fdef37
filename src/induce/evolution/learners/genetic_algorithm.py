"""The genetic algorithm (Mitchell §9.2, table 9.1)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.parameter_kinds import Instance, OneOf
from induce.core.parameters import Declared, choice, either, instance, number, whole
from induce.core.randomness import RandomState
from induce.core.ties import first_largest, largest_first
from induce.evolution.crossover import CROSSOVERS, Crossover, as_crossover
from induce.evolution.design import Design
from induce.evolution.fitness import Evaluator
from induce.evolution.generation import Generation
from induce.evolution.genomes.kind import Genome
from induce.evolution.learners.evolver import Evolver
from induce.evolution.lifetime import Lifetime
from induce.evolution.reproduction import COPIED, CROSSED, MUTATED, Brood, Sharing, SimilarMates, bred
from induce.evolution.selection import SELECTION, Roulette, Selection, Tournament, as_selection
from induce.evolution.structures import Cells, Demes

FIVE = Tournament(size=5)
TABLE_9_1: dict[str, Any] = {
    "r": 0.6,
    "m": 0.001,
    "selection": "roulette",
    "elite": 0,
    "returns": "population",
}
"""Settings of the book's prototypical algorithm."""


class GeneticAlgorithm(Evolver):
    """Evolve individuals by selection, crossover and mutation (Mitchell §9.2, table 9.1).

    The defaults follow current practice: tournaments of five, one mutated gene in most offspring, and elitism.
    `GeneticAlgorithm.prototypical` has those of the book's table.

    There are no training examples, so there are no missing values or unseen categories: an individual has all its
    genes, and their interpretation is up to the fitness function.

    Parameters
    ----------
    genome : Genome, optional
        Genome of the individuals, such as ``Bits(20)``; a built-in problem has its own.
    population_size : int, default=100
        Number of individuals (p in the book).
    generations : int, default=100
        Maximum number of generations.
    r : float, default=0.6
        Fraction of each generation replaced by crossover.
    m : float, default=0.7
        Probability that an individual is mutated, which changes one of its genes.
    fitness_threshold : float, optional
        Fitness at which the run ends; by default the optimum, if known.
    minimise : bool, default=False
        Whether lower fitness is better; not supported by roulette selection and fitness sharing.
    selection : str or Selection, default=Tournament(p=1.0, size=5, replace=False)
        ``"tournament"`` (of two), ``"rank"``, ``"roulette"`` (the book's), or a value such as ``Tournament(size=5)``.
    crossover : str or Crossover, optional
        ``"single-point"``, ``"two-point"``, ``"uniform"``, for permutations ``"order"`` and ``"edge"``, or a
        value such as ``Mask("1100")``; the genome's own if not given.
    elite : int, default=1
        Elitism: number of best individuals that always survive.
    sharing : Sharing, optional
        Fitness sharing among similar individuals.
    mating : SimilarMates, optional
        Mating restriction by similarity.
    structure : Demes or Cells, optional
        Population structure: demes with migration, or the cells of a grid.
    lifetime : Lamarck or Baldwin, optional
        Lifetime learning before individuals are scored.
    returns : {"run", "population"}, default="run"
        Whether the hypothesis is the best individual of the whole run, or of the last population as in table 9.1.
    cache : bool, default=True
        Whether to cache scores within a generation and from the previous one. Use False for a stochastic fitness
        without a parameter `rng`.
    n_jobs : int, optional
        Number of parallel jobs for the fitness; the result does not depend on it.
    backend : {"processes", "threads"}, default="processes"
        Kind of parallel workers; lambdas and closures can be sent to processes too.
    time_limit : float, optional
        Time limit in seconds per evaluation. An evaluation that exceeds it, raises an exception or returns no number
        fails: the individual is lost, but the run continues.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : Design
    history_ : History

    See Also
    --------
    EvolutionStrategy : Evolution of real vectors.
    GeneticProgramming : Evolution of programs in a declared language.

    Notes
    -----
    `learn` takes a fitness function of one individual, or a built-in problem. A function with a parameter `rng` is
    given a random generator per individual; one with a parameter `population` is given all individuals of the
    generation, for fitness relative to the current population (co-evolution).

    References
    ----------
    J. H. Holland (1975). Adaptation in Natural and Artificial Systems. University of Michigan Press.

    D. E. Goldberg (1989). Genetic Algorithms in Search, Optimization, and Machine Learning. Addison-Wesley.

    Examples
    --------
    >>> from induce.evolution import Bits, GeneticAlgorithm
    >>> search = GeneticAlgorithm(Bits(20), fitness_threshold=20, random_state=0)
    >>> print(search.learn(lambda bits: bits.sum()).hypothesis_)
    11111111111111111111
    fitness 20 after ... generations, ... evaluations
    """

    hypothesis_: Design

    parameters: ClassVar[Declared] = {
        "population_size": whole(
            "Number of individuals.",
            at_least=2,
            but={1: "population_size is 1; crossover needs at least 2"},
        ),
        "r": number("Fraction of each generation replaced by crossover.", at_least=0, at_most=1),
        "m": number("Fraction of each generation that is mutated.", at_least=0, at_most=1),
        "selection": SELECTION,
        "crossover": either(
            "Crossover operator; None uses the genome's own.",
            OneOf(tuple(CROSSOVERS)),
            Instance("Crossover", "a Crossover"),
            none=True,
        ),
        "elite": whole("Number of best individuals that always survive (elitism).", at_least=0),
        "sharing": instance("Fitness sharing among similar individuals.", "Sharing", none=True),
        "mating": instance("Mating restriction by similarity.", "SimilarMates", none=True),
        "structure": either(
            "Population structure: demes or a grid.",
            Instance("Demes", "Demes"),
            Instance("Cells", "Cells"),
            none=True,
        ),
        "lifetime": instance("Lifetime learning before individuals are scored.", "Lifetime", none=True),
        "returns": choice(
            "Whether to return the best of the whole run or of the last population.", "run", "population"
        ),
    }

    def __init__(
        self,
        genome: Genome | None = None,
        *,
        population_size: int = 100,
        generations: int = 100,
        r: float = 0.6,
        m: float = 0.7,
        fitness_threshold: float | None = None,
        minimise: bool = False,
        selection: str | Selection = FIVE,
        crossover: str | Crossover | None = None,
        elite: int = 1,
        sharing: Sharing | None = None,
        mating: SimilarMates | None = None,
        structure: Demes | Cells | None = None,
        lifetime: Lifetime | None = None,
        returns: str = "run",
        cache: bool = True,
        n_jobs: int | None = None,
        backend: str = "processes",
        time_limit: float | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.genome = genome
        self.population_size = population_size
        self.generations = generations
        self.r = r
        self.m = m
        self.fitness_threshold = fitness_threshold
        self.minimise = minimise
        self.selection = selection
        self.crossover = crossover
        self.elite = elite
        self.sharing = sharing
        self.mating = mating
        self.structure = structure
        self.lifetime = lifetime
        self.returns = returns
        self.cache = cache
        self.n_jobs = n_jobs
        self.backend = backend
        self.time_limit = time_limit
        self.random_state = random_state

    @classmethod
    def prototypical(cls, genome: Genome | None = None, **settings: Any) -> GeneticAlgorithm:
        """Return the algorithm of table 9.1: roulette selection, m = 0.001, and the best of the last population.

        Parameters
        ----------
        genome : Genome, optional
        **settings
            Other parameters, or overrides of these.

        Examples
        --------
        >>> GeneticAlgorithm.prototypical(population_size=50).get_params()["selection"]
        'roulette'
        """
        return cls(genome, **{**TABLE_9_1, **settings})

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.structure is not None:
            self.structure.check_size(self.population_size)

    def _sign(self, source: Any) -> float:
        sign = super()._sign(source)
        if sign < 0 and isinstance(as_selection(self.selection), Roulette):
            raise InputError(
                "selection is 'roulette', which draws in proportion to fitness, but lower fitness is "
                "better here; use selection='tournament' or 'rank', or maximise 1 / (1 + fitness)"
            )
        if sign < 0 and self.sharing is not None:
            raise InputError(
                "sharing divides fitness, but lower fitness is better here; maximise 1 / (1 + "
                "fitness) instead"
            )
        return sign

    def _genome_of(self, source: Any) -> Genome:
        genome = super()._genome_of(source)
        return genome if self.crossover is None else genome.crossed_by(as_crossover(self.crossover))

    def _lifetime(self) -> Lifetime | None:
        return self.lifetime

    def _bred(self, run: Evaluator, state: Generation, rng: np.random.Generator) -> Brood:
        if isinstance(self.structure, Cells):
            return self._cells(run, state, self.structure, rng)
        if self.structure is None or self.structure.n == 1:
            return self._pool(run, state.population, state.scores, rng)
        return self.structure.bred(state, lambda some, scores, _: self._pool(run, some, scores, rng))

    def _pool(self, run: Evaluator, population: Any, scores: Any, rng: np.random.Generator) -> Brood:
        return bred(
            run.genome,
            population,
            scores,
            len(scores),
            r=self.r,
            m=self.m,
            selection=as_selection(self.selection),
            rng=rng,
            elite=self.elite,
            mating=self.mating,
            sharing=self.sharing,
        )

    def _cells(self, run: Evaluator, state: Generation, cells: Cells, rng: np.random.Generator) -> Brood:
        """Return the next generation of a grid: in each cell, a child of two parents from its neighbourhood."""
        selection, n = as_selection(self.selection), len(state.scores)
        parents = np.array(
            [around[selection.draw(state.scores[around], 2, rng)] for around in cells.around()]
        )
        if self.elite:  # the best stays in its cell
            best = largest_first(state.scores)[: self.elite]
            parents[best] = best[:, None]
        crossing = np.flatnonzero((rng.random(n) < self.r) & (parents[:, 0] != parents[:, 1]))
        how = np.full(n, COPIED, dtype=np.uint8)
        population = run.genome.take(state.population, parents[:, 0])
        if len(crossing):
            made = run.genome.mate(state.population, parents[crossing, 0], parents[crossing, 1], rng)
            order = np.arange(n)
            order[crossing] = n + 2 * np.arange(len(crossing))
            population = run.genome.take(run.genome.join([population, made]), order)
            how[crossing] = CROSSED
        crossed_ = how == CROSSED
        parents[~crossed_, 1] = parents[~crossed_, 0]
        mutants = rng.random(n) < self.m
        if self.elite:
            mutants[best] = False
        chosen = np.flatnonzero(mutants)
        how[chosen] += MUTATED
        return Brood(run.genome.mutated(population, chosen, rng), parents, how)

    def _conclude(self, run: Evaluator, state: Generation) -> Design:
        best, score = state.best, state.best_score
        if self.returns == "population":
            top = first_largest(state.scores)
            best, score = state.population[top], float(state.scores[top])
        return Design(run.genome, best, -score if run.minimise else score, state.history)
