"""Evolution strategies (Rechenberg; Schwefel; Mitchell §9.8): normal mutations with adaptive step sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.parameter_kinds import Number
from induce.core.parameters import Declared, choice, instance, number, several, truth, whole
from induce.core.randomness import RandomState
from induce.evolution.design import Design
from induce.evolution.fitness import Evaluator, Scored
from induce.evolution.generation import Generation
from induce.evolution.genomes.kind import Floats, Genome
from induce.evolution.genomes.vectors import Reals
from induce.evolution.learners.evolver import Evolver
from induce.evolution.reproduction import MUTATED, Brood

WINDOW, FACTOR = 10, 0.85
"""One-fifth rule: number of trials between adaptations, and factor of the step size."""


@dataclass(frozen=True, eq=False)
class SteppedBrood(Brood):
    """Offspring with their step sizes."""

    sigmas: Floats


class EvolutionStrategy(Evolver):
    """Mutate real vectors by normal steps of adaptive size (Mitchell §9.8; Rechenberg, Schwefel).

    There are no training examples, so there are no missing values or unseen categories.

    Parameters
    ----------
    genome : Reals, optional
        Bounds and names of the numbers; a built-in problem has its own.
    parents : int, default=1
        Number of parents (mu).
    offspring : int, default=1
        Number of offspring per generation (lambda).
    plus : bool, default=True
        Whether parents compete with their offspring, (mu + lambda), or die, (mu, lambda).
    sigma : float, default=0.3
        Initial standard deviation of the steps.
    adaptation : {"fifth", "self", None}, default="fifth"
        ``"fifth"``: every 10 trials the step size grows if more than 1/5 of them improved on their parent, and
        shrinks if fewer did. ``"self"``: each individual has its own step size, which is mutated first and
        inherited. None: constant step size.
    start : sequence of float, optional
        Initial parent; drawn at random by default.
    generations : int, default=1000
        Maximum number of generations.
    fitness_threshold : float, optional
        Fitness at which the run ends.
    minimise : bool, default=False
        Whether lower fitness is better.
    cache : bool, default=True
        Whether to cache the scores of the last generation.
    n_jobs : int, optional
        Number of parallel jobs; -1 uses all processors.
    backend : {"processes", "threads"}, default="processes"
        Kind of parallel workers.
    time_limit : float, optional
        Time limit in seconds per evaluation, after which it fails; None sets no limit.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : Design
    history_ : History

    See Also
    --------
    GeneticAlgorithm : Evolution of any kind of genome.

    References
    ----------
    I. Rechenberg (1973). Evolutionsstrategie. Frommann-Holzboog.

    H.-P. Schwefel (1995). Evolution and Optimum Seeking. Wiley.

    Examples
    --------
    >>> from induce.evolution import EvolutionStrategy, Reals
    >>> search = EvolutionStrategy(Reals(3, -5, 5), minimise=True, fitness_threshold=1e-6, generations=1000)
    >>> bool(search.learn(lambda x: float(x @ x)).hypothesis_.fitness <= 1e-6)
    True
    """

    hypothesis_: Design

    parameters: ClassVar[Declared] = {
        "genome": instance(
            "Bounds and names of the numbers; None uses those of a built-in problem.",
            "Reals",
            none=True,
            otherwise="an evolution strategy needs Reals",
        ),
        "parents": whole("Number of parents (mu).", at_least=1),
        "offspring": whole("Number of offspring per generation (lambda).", at_least=1),
        "plus": truth("Whether parents compete with their offspring."),
        "sigma": number(
            "Initial standard deviation of the steps.",
            above=0,
            finite=True,
            otherwise="it must be a number above 0",
        ),
        "adaptation": choice(
            "Step-size adaptation: the one-fifth rule, inherited step sizes, or none.",
            "fifth",
            "self",
            none=True,
        ),
        "start": several("Initial parent; None draws parents at random.", Number(), "numbers", none=True),
    }

    def __init__(
        self,
        genome: Reals | None = None,
        *,
        parents: int = 1,
        offspring: int = 1,
        plus: bool = True,
        sigma: float = 0.3,
        adaptation: str | None = "fifth",
        start: Sequence[float] | None = None,
        generations: int = 1000,
        fitness_threshold: float | None = None,
        minimise: bool = False,
        cache: bool = True,
        n_jobs: int | None = None,
        backend: str = "processes",
        time_limit: float | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.genome = genome
        self.parents = parents
        self.offspring = offspring
        self.plus = plus
        self.sigma = sigma
        self.adaptation = adaptation
        self.start = start
        self.generations = generations
        self.fitness_threshold = fitness_threshold
        self.minimise = minimise
        self.cache = cache
        self.n_jobs = n_jobs
        self.backend = backend
        self.time_limit = time_limit
        self.random_state = random_state

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not self.plus and self.offspring < self.parents:
            raise InputError(
                f"offspring is {self.offspring} and parents {self.parents}, but parents do not "
                "survive; raise offspring to at least parents, or set plus=True"
            )

    def _genome_of(self, source: Any) -> Genome:
        genome = super()._genome_of(source)
        if not isinstance(genome, Reals):
            raise InputError(f"genome is {genome!r}; an evolution strategy needs Reals")
        if self.start is not None and not genome.legal(np.asarray(self.start, dtype=np.float64)):
            raise InputError(
                f"start is not valid; give {genome.n} numbers from {genome.low:g} to {genome.high:g}"
            )
        return genome

    def _first(self, run: Evaluator, rng: np.random.Generator) -> Any:
        if self.start is None:
            return run.genome.populate(self.parents, rng)
        return np.tile(np.asarray(self.start, dtype=np.float64), (self.parents, 1))

    def _remembered(self) -> Mapping[str, Any]:
        return {"sigmas": np.full(self.parents, float(self.sigma)), "trials": 0, "successes": 0}

    def _bred(self, run: Evaluator, state: Generation, rng: np.random.Generator) -> SteppedBrood:
        chosen = (
            rng.integers(0, len(state.scores), self.offspring)
            if len(state.scores) > 1
            else np.zeros(self.offspring, dtype=np.int64)
        )
        sigmas = state.memory["sigmas"][chosen]
        n = state.population.shape[1]
        if self.adaptation == "self":
            sigmas = sigmas * np.exp(rng.normal(0.0, 1.0 / np.sqrt(n), self.offspring))
        moved = state.population[chosen] + sigmas[:, None] * rng.normal(0.0, 1.0, (self.offspring, n))
        genome: Any = run.genome
        how = np.full(self.offspring, MUTATED, dtype=np.uint8)
        return SteppedBrood(
            np.clip(moved, genome.low, genome.high), np.stack([chosen, chosen], axis=1), how, sigmas
        )

    def _survivors(
        self, run: Evaluator, state: Generation, brood: Brood, scored: Scored
    ) -> tuple[Any, Floats, Mapping[str, Any]]:
        sigmas: Floats = brood.sigmas if isinstance(brood, SteppedBrood) else state.memory["sigmas"]
        population, scores = scored.population, scored.scores
        if self.plus:  # offspring first: the younger survives a tie
            population = np.concatenate([population, state.population])
            scores = np.concatenate([scores, state.scores])
            sigmas = np.concatenate([sigmas, state.memory["sigmas"]])
        best = np.argsort(-scores, kind="stable")[: self.parents]
        memory = dict(state.memory, sigmas=sigmas[best])
        if self.adaptation == "fifth":
            better = scored.scores > state.scores[brood.parents[:, 0]]
            memory = _by_the_fifth(memory, int(better.sum()), len(better))
        return population[best], scores[best], memory


def _by_the_fifth(memory: dict[str, Any], successes: int, trials: int) -> dict[str, Any]:
    """Return the updated memory; every ten trials the step size adapts to the success rate."""
    successes, trials = memory["successes"] + successes, memory["trials"] + trials
    if trials < WINDOW:
        return dict(memory, successes=successes, trials=trials)
    share = successes / trials
    factor = 1.0 / FACTOR if share > 0.2 else FACTOR if share < 0.2 else 1.0
    return dict(memory, sigmas=memory["sigmas"] * factor, successes=0, trials=0)
