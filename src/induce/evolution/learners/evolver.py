"""Base of evolutionary learners: generations with scores, history, trace and saved state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.experience import ExperienceLearner
from induce.core.hypothesis import Hypothesis
from induce.core.parameters import Declared, choice, instance, number, truth, whole
from induce.core.randomness import RandomState, seed_of, stream
from induce.core.ties import first_largest, is_less
from induce.core.trace import active, emit
from induce.evolution.design import Design
from induce.evolution.fitness import Evaluator, Problem, Scored, evaluator
from induce.evolution.generation import Generation
from induce.evolution.genomes.kind import Floats, Genome
from induce.evolution.lifetime import Lifetime
from induce.evolution.reproduction import CROSSED, MUTATED, Brood
from induce.search.history import History, Row


class Evolver(ExperienceLearner[Generation]):
    """A learner that evolves a population, generation by generation.

    A subclass defines the next population (`_bred`), and optionally the survivors among parents and offspring
    (`_survivors`).
    """

    steps: ClassVar[str] = "generations"
    parameters: ClassVar[Declared] = {
        "genome": instance(
            "Kind of individuals; None uses that of a built-in problem.",
            "Genome",
            none=True,
            otherwise="give the kind of individuals, such as induce.evolution.Bits(20)",
        ),
        "population_size": whole("Number of individuals.", at_least=1),
        "generations": whole("Maximum number of generations.", at_least=0),
        "fitness_threshold": number("Fitness at which the run ends; None runs all generations.", none=True),
        "minimise": truth("Whether lower fitness is better."),
        "cache": truth("Whether to cache the scores of the last generation."),
        "backend": choice("Kind of parallel workers.", "processes", "threads"),
        "time_limit": number(
            "Time limit in seconds per evaluation, after which it fails; None sets no limit.",
            above=0,
            none=True,
        ),
    }
    genome: Any
    population_size: int
    generations: int
    fitness_threshold: float | None
    minimise: bool
    cache: bool
    n_jobs: int | None
    backend: str
    time_limit: float | None
    random_state: RandomState

    @property
    def history_(self) -> History:
        """History of the run."""
        self._check_learned()
        return self.state_.history

    # --- hooks for subclasses --------------------------------------------------------------------------------

    @abstractmethod
    def _bred(self, run: Evaluator, state: Generation, rng: np.random.Generator) -> Brood:
        """Return the next population, not yet scored."""

    def _first(self, run: Evaluator, rng: np.random.Generator) -> Any:
        """Return the initial population."""
        return run.genome.populate(self.population_size, rng)

    def _survivors(
        self, run: Evaluator, state: Generation, brood: Brood, scored: Scored
    ) -> tuple[Any, Floats, Mapping[str, Any]]:
        """Return the surviving population, its scores, and the updated memory."""
        return scored.population, scored.scores, state.memory

    def _remembered(self) -> Mapping[str, Any]:
        """Return the initial memory."""
        return {}

    def _genome_of(self, source: Any) -> Genome:
        """Return the genome given as a parameter, or that of a built-in problem."""
        genome = self.genome if self.genome is not None else getattr(source, "genome", None)
        if not isinstance(genome, Genome):
            raise InputError(
                f"genome is {self.genome!r}; give the kind of individuals, such as induce.evolution.Bits(20)"
            )
        return genome

    def _lifetime(self) -> Lifetime | None:
        return None

    # --- the run ---------------------------------------------------------------------------------------------

    @contextmanager
    def _opened(self, source: Any) -> Iterator[Evaluator]:
        with evaluator(
            source,
            self._genome_of(source),
            minimise=self._sign(source) < 0,
            cache=self.cache,
            lifetime=self._lifetime(),
            n_jobs=self.n_jobs,
            backend=self.backend,
            time_limit=self.time_limit,
        ) as run:
            yield run

    def _sign(self, source: Any) -> float:
        return -1.0 if self.minimise or (isinstance(source, Problem) and source.minimise) else 1.0

    def _begin(self, run: Evaluator) -> Generation:
        seed = seed_of(self.random_state)
        population = self._first(run, stream(seed, 0))
        scored = run.scored(population, np.full(len(population), np.nan), seed, 0, {})
        if not np.isfinite(scored.scores).any():
            reason = next(iter(scored.problems), "no number")
            raise InputError(
                f"the fitness failed for all {len(scored.scores)} individuals of the first generation, with {reason}"
            )
        goal = run.source.optimum if isinstance(run.source, Problem) else None
        top = first_largest(scored.scores)
        sign = -1.0 if run.minimise else 1.0
        best, best_score = scored.population[top], float(scored.scores[top])
        method = f"{type(self).__name__} on {source_name(run.source)}"
        history = History(method, minimise=run.minimise)
        state = Generation(
            run.genome,
            seed,
            0,
            scored.population,
            scored.scores,
            best,
            best_score,
            self._noted(history, run.genome, scored.population, scored.scores, best_score, scored, sign),
            None if goal is None else sign * goal,
            self._remembered(),
        )
        self._emit(run, state, None, None)
        return state

    def _step(self, run: Evaluator, state: Generation) -> Generation:
        number = state.number + 1
        brood = self._bred(run, state, stream(state.seed, number))
        remembered = run.remembered(state.population, state.scores)
        known = state.scores if run.at_once else brood.known(state.scores)
        scored = run.scored(brood.population, known, state.seed, number, remembered)
        population, scores, memory = self._survivors(run, state, brood, scored)
        top = first_largest(scored.scores)
        best, best_score = state.best, state.best_score
        if is_less(best_score, float(scored.scores[top])):
            best, best_score = scored.population[top], float(scored.scores[top])
        sign = -1.0 if run.minimise else 1.0
        history = self._noted(state.history, run.genome, population, scores, best_score, scored, sign)
        after = Generation(
            state.genome,
            state.seed,
            number,
            population,
            scores,
            best,
            best_score,
            history,
            state.goal,
            memory,
        )
        self._emit(run, after, brood, (state.scores, scored.scores))
        return after

    def _noted(
        self,
        history: History,
        genome: Genome,
        population: Any,
        scores: Floats,
        best_score: float,
        scored: Scored,
        sign: float,
    ) -> History:
        good = scores if not scored.problems and scores.min() > -np.inf else scores[np.isfinite(scores)]
        top, mean = (float(good.max()), float(good.mean())) if len(good) else (-np.inf, -np.inf)
        row = Row(
            history.evaluations + scored.evaluations,
            sign * best_score,
            sign * top,
            sign * mean,
            genome.diversity(population),
        )
        return history.extended(row, scored.problems)

    def _emit(
        self,
        run: Evaluator,
        state: Generation,
        brood: Brood | None,
        scores: tuple[Floats, Floats] | None,
    ) -> None:
        """Emit a generation event; `scores` are those of the parents and of the offspring."""
        if not active("generation"):
            return
        row = state.history.rows[-1]
        keys = [run.genome.key(individual) for individual in state.population]
        success: dict[str, float | None] = {"crossover": None, "mutation": None}
        if brood is not None and scores is not None:
            better = scores[1] > scores[0][brood.parents].max(axis=1)
            for name, sign in (("crossover", CROSSED), ("mutation", MUTATED)):
                done = (brood.how & sign) > 0
                success[name] = float(better[done].mean()) if done.any() else None
        emit(
            "generation",
            number=state.number,
            evaluations=row.evaluations,
            best=row.best,
            top=row.top,
            mean=row.mean,
            diversity=row.diversity,
            crowding=max(map(keys.count, set(keys))) / len(keys),
            crossover_success=success["crossover"],
            mutation_success=success["mutation"],
            genome=run.genome,
            population=state.population,
            scores=state.scores,
            parents=None if brood is None else brood.parents,
            how=None if brood is None else brood.how,
        )

    def _share(self, state: Generation) -> float:
        goal = state.goal
        if self.fitness_threshold is not None:
            goal = -self.fitness_threshold if state.history.minimise else self.fitness_threshold
        if (goal is not None and state.best_score >= goal) or state.number >= self.generations:
            return 1.0
        return state.number / self.generations

    def _line(self, state: Generation) -> str:
        row, problems = state.history.rows[-1], state.history.failures
        failed = f", {problems:,} failed" if problems else ""
        return (
            f"generation {state.number}: best {row.best:.6g}, mean {row.mean:.6g}, diversity {row.diversity:.3f}, "
            f"{row.evaluations:,} evaluations{failed}"
        )

    def _conclude(self, run: Evaluator, state: Generation) -> Hypothesis:
        sign = -1.0 if run.minimise else 1.0
        return Design(run.genome, state.best, sign * state.best_score, state.history)

    def _check_same(self, run: Evaluator, state: Generation) -> None:
        if run.genome != state.genome:
            raise InputError(
                f"the run has individuals of {state.genome}, but this problem has {run.genome}; resume "
                "with the original problem"
            )
        if not run.certain:
            return
        one = state.best[None] if isinstance(state.best, np.ndarray) else (state.best,)
        again = run.scored(one, np.array([np.nan]), state.seed, 0, {}).scores[0]
        if not np.isclose(again, state.best_score, rtol=1e-9, atol=1e-12):
            raise InputError(
                "the run solves a different problem: the fitness of its best individual is "
                f"{abs(state.best_score):g} there and {abs(again):g} here; resume with the original "
                "problem"
            )


def source_name(source: Any) -> str:
    """Return the name of a source."""
    name = getattr(source, "__name__", None) or getattr(source, "name", None) or type(source).__name__
    return "a function" if name == "<lambda>" else str(name)
