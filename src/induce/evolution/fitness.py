"""Evaluation of a population by a fitness function or a built-in problem."""

from __future__ import annotations

import inspect
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, runtime_checkable

import numpy as np

from induce.core.errors import InputError
from induce.core.processes import Attempt, Attempts, attempts
from induce.core.randomness import stream
from induce.evolution.genomes.kind import Floats, Genome
from induce.evolution.lifetime import Lifetime

Fitness = Callable[..., float]


@runtime_checkable
class Problem(Protocol):
    """A problem that scores a whole population at once."""

    @property
    def genome(self) -> Genome:
        """Genome of the individuals."""

    @property
    def optimum(self) -> float | None:
        """Best possible fitness, if known; a run that reaches it ends."""

    @property
    def minimise(self) -> bool:
        """Whether lower fitness is better."""

    @property
    def noisy(self) -> bool:
        """Whether fitness is stochastic: then `scores` receives a generator, otherwise None."""

    def scores(self, population: Any, rng: Any) -> Floats:
        """Return the fitness of each individual; NaN if undefined."""


@dataclass(frozen=True, eq=False)
class Scored:
    """A population with its scores; higher is better, -infinity if the evaluation failed."""

    population: Any
    scores: Floats
    evaluations: int
    problems: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Evaluator:
    """Scores populations of a genome with a fitness function or problem.

    Parameters
    ----------
    source : callable or Problem
    genome : Genome
    minimise : bool
        Whether lower fitness is better; scores are then negated.
    cache : bool
        Whether scores are cached within a generation and from the previous one.
    lifetime : Lifetime or None
        Lifetime learning before individuals are scored.
    tried : callable
        Function that applies the fitness to items, in this process or in others.
    wanted : tuple of str
        Additional arguments of the fitness function.
    at_once : bool
        Whether the source scores a whole population at once.
    certain : bool
        Whether a genome's score is deterministic.
    """

    source: Any
    genome: Genome
    minimise: bool
    cache: bool
    lifetime: Lifetime | None
    tried: Attempts[Any, Any]
    wanted: tuple[str, ...]
    at_once: bool
    certain: bool

    def remembered(self, population: Any, scores: Floats) -> dict[Any, float]:
        """Return the cached scores of a generation by genome key."""
        if not self.cache or not self.certain or self.at_once:
            return {}
        return dict(zip(map(self.genome.key, population), scores.tolist(), strict=True))

    def scored(
        self, population: Any, known: Floats, seed: int, number: int, remembered: Mapping[Any, float]
    ) -> Scored:
        """Return a generation with its scores.

        Parameters
        ----------
        population : population
        known : array of float
            Known scores; NaN if unknown.
        seed, number : int
            Random seed of the run and number of the generation.
        remembered : dict
            Scores by genome key.
        """
        if self.at_once:
            return self._together(population, seed, number)
        if not self.certain:
            known = np.full(len(population), np.nan)
        open_ = np.flatnonzero(np.isnan(known))
        if not self.cache or not self.certain:
            return self._called(population, open_, known, seed, number)
        keys = [self.genome.key(population[k]) for k in open_]
        first: dict[Any, int] = {}
        for key, place in zip(keys, open_.tolist(), strict=True):
            if key not in remembered:
                first.setdefault(key, place)
        found = self._called(population, np.array(list(first.values()), dtype=np.int64), known, seed, number)
        scores = found.scores.copy()
        for key, place in zip(keys, open_.tolist(), strict=True):
            scores[place] = remembered[key] if key in remembered else scores[first[key]]
        return Scored(population, scores, found.evaluations, found.problems)

    @property
    def plain(self) -> bool:
        """Whether the fitness depends on the individual alone."""
        return self.lifetime is None and not self.wanted

    def _plain(self, each: Attempt[float], problems: Counter[str]) -> float:
        if each.value is not None and math.isfinite(each.value):
            return -each.value if self.minimise else each.value
        problems[each.problem or f"it returned {each.value}"] += 1
        return -math.inf

    def _together(self, population: Any, seed: int, number: int) -> Scored:
        rng = None if self.certain else stream(seed, number, 1)
        fitness = np.asarray(self.source.scores(population, rng), dtype=np.float64)
        good = np.isfinite(fitness)
        if good.all():
            return Scored(population, -fitness if self.minimise else fitness, len(fitness))
        scores = np.where(good, -fitness if self.minimise else fitness, -np.inf)
        return Scored(population, scores, len(fitness), {"no number": int((~good).sum())})

    def _called(self, population: Any, open_: Any, known: Floats, seed: int, number: int) -> Scored:
        items: list[Any] = [population[k] for k in open_]
        if not self.plain:
            others = [self.genome.value(each) for each in population] if "population" in self.wanted else None
            items = [(one, (seed, number, 2, int(k)), others) for one, k in zip(items, open_, strict=True)]
        found = self.tried(items)
        scores, problems, evaluations = known.copy(), Counter[str](), len(found)
        if self.plain:
            scores[open_] = [self._plain(each, problems) for each in found]
            return Scored(population, scores, evaluations, dict(problems))
        changed = list(population) if self.lifetime is not None and self.lifetime.inherits else None
        for k, each in zip(open_, found, strict=True):
            problem = each.problem or _no_number(each)
            if problem is not None or each.value is None:
                problems[str(problem)] += 1
                scores[k] = -np.inf
                continue
            fitness, extra, learned = each.value
            evaluations += extra
            scores[k] = -fitness if self.minimise else fitness
            if changed is not None and learned is not None:
                changed[k] = learned
        if changed is not None:
            rows = isinstance(population, np.ndarray)
            population = np.array(changed, dtype=population.dtype) if rows else tuple(changed)
        return Scored(population, scores, evaluations, dict(problems))


@contextmanager
def evaluator(
    source: Any,
    genome: Genome,
    *,
    minimise: bool = False,
    cache: bool = True,
    lifetime: Lifetime | None = None,
    n_jobs: int | None = None,
    backend: str = "processes",
    time_limit: float | None = None,
) -> Iterator[Evaluator]:
    """Context manager that yields an evaluator; worker processes are started once."""
    known = isinstance(source, Problem)
    if not known and not callable(source):
        raise InputError(
            f"the source is {type(source).__name__}, which has no fitness; give a function of an "
            "individual, or a problem such as induce.evolution.OneMax(100)"
        )
    wanted = ("problem",) if known else _wanted(source)
    certain = not source.noisy if known else not wanted
    certain = certain and lifetime is None
    plain = lifetime is None and not wanted
    call: Any = partial(_fitness, source, wanted, genome, minimise, lifetime)
    call = partial(_plain_fitness, source, genome) if plain else call
    at_once = known and lifetime is None
    with attempts(
        call,
        1 if at_once else n_jobs,
        backend=backend,
        time_limit=None if at_once else time_limit,
        what="fitness",
    ) as tried:
        yield Evaluator(source, genome, minimise, cache, lifetime, tried, wanted, at_once, certain)


def _plain_fitness(source: Any, genome: Genome, individual: Any) -> float:
    return float(source(genome.value(individual)))


def _fitness(
    source: Any,
    wanted: tuple[str, ...],
    genome: Genome,
    minimise: bool,
    lifetime: Lifetime | None,
    item: Any,
) -> tuple[float, int, Any]:
    """Return an individual's fitness, the number of additional evaluations, and the individual after learning."""
    individual, place, others = item
    if lifetime is None:
        return _once(source, wanted, genome, individual, place, others), 0, None
    sign = -1.0 if minimise else 1.0
    rng = stream(*place, 1)

    def score(state: Any) -> float:
        return sign * _once(source, wanted, genome, state, place, others)

    best, reached, evaluations = lifetime.live(individual, score, genome, rng)
    return sign * reached, evaluations - 1, best


def _once(
    source: Any,
    wanted: tuple[str, ...],
    genome: Genome,
    individual: Any,
    place: tuple[int, ...],
    others: Any,
) -> float:
    if not wanted:
        return float(source(genome.value(individual)))
    if "problem" in wanted:
        one = individual[None] if isinstance(individual, np.ndarray) else (individual,)
        return float(source.scores(one, stream(*place))[0])
    extra: dict[str, Any] = {}
    if "rng" in wanted:
        extra["rng"] = stream(*place)
    if "population" in wanted:
        extra["population"] = others
    return float(source(genome.value(individual), **extra))


def _no_number(each: Attempt[Any]) -> str | None:
    value = each.value
    return (
        None
        if value is not None and math.isfinite(value[0])
        else f"it returned {value[0] if value else None}"
    )


def _wanted(source: Any) -> tuple[str, ...]:
    """Return which of `rng` and `population` a fitness function takes in addition to the individual."""
    try:
        known = inspect.signature(source).parameters
    except (TypeError, ValueError):  # some built-in functions have no signature
        return ()
    return tuple(name for name in ("rng", "population") if name in known)
