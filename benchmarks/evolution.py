"""Genetic algorithms beside DEAP and PyGAD on OneMax; processes; evolution beside plain search."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import TIMES, Listing, Row, Section, run, seconds, speed
from induce.evolution import (
    Bits,
    GeneticAlgorithm,
    HintonNowlan,
    JobShop,
    Multiplexer,
    OneMax,
    Permutations,
    Traps,
    beside_search,
)
from induce.evolution.problems.catalogue import PROBLEMS

SERVED = Path(__file__).parent / "peers" / "served" / "breeders.py"
BITS, POPULATION, GENERATIONS = 100, 300, 40
CITIES, TOURS = 60, 200
REPEATS, ROUNDS = 15, 2
SLOW = 0.010
SEEDS = 3
STUDIES: dict[str, Callable[[], Any]] = {
    "traps": Traps,
    "multiplexer": Multiplexer,
    "job-shop": JobShop,
    "hinton-nowlan": HintonNowlan,
    "hinton-nowlan, without learning": lambda: HintonNowlan(learning=False),
}


def evolution(breeders: str | None, seeds: int = SEEDS) -> Iterator[Section | Listing]:
    """Time beside the peers that are there; processes; studies beside plain search."""
    yield _onemax(breeders)
    yield _tours(breeders)
    yield _processes()
    yield _studies(seeds)


def onemax(source: Any, repeats: int = REPEATS) -> tuple[float, float]:
    """The best processor time of the run on OneMax, and what it reached."""
    best, reached = float("inf"), 0.0
    for seed in range(repeats):
        search = GeneticAlgorithm(
            Bits(BITS),
            population_size=POPULATION,
            generations=GENERATIONS,
            r=0.6,
            m=0.2,
            selection="tournament",
            fitness_threshold=1e9,
            random_state=seed,
        )
        start = time.process_time()
        reached = search.learn(source).hypothesis_.fitness
        best = min(best, time.process_time() - start)
    return best, reached


def _onemax(breeders: str | None) -> Section:
    shipped, python = (float("inf"), 0.0), (float("inf"), 0.0)
    theirs: dict[str, dict[str, float]] = {}
    for _ in range(ROUNDS):
        shipped = min(shipped, onemax(OneMax(BITS)))
        python = min(python, onemax(lambda bits: bits.sum()))
        for name in ("deap", "pygad") if breeders else ():
            sizes = map(str, (BITS, POPULATION, GENERATIONS, 3))
            new = json.loads(run([str(breeders), str(SERVED), name, *sizes]).stdout)
            theirs[name] = min(theirs.get(name, new), new, key=lambda each: each["seconds"])
    rows = []
    for label, (ours, reached), least in (
        ("shipped fitness", shipped, 50),
        ("fitness written in Python", python, 10),
    ):
        rows.append(Row(f"{label}: best fitness reached", f"{reached:g}"))
        for name, called in (("deap", "DEAP"), ("pygad", "PyGAD")):
            if name in theirs:
                rows.append(
                    speed(
                        f"{label}, reached {theirs[name]['reached']}",
                        ours,
                        called,
                        theirs[name]["seconds"],
                        least,
                    )
                )
    return Section(
        f"OneMax: {POPULATION} {TIMES} {BITS} bits, {GENERATIONS} generations",
        "Processor time of one thread; tournaments of two, r = 0.6, m = 0.2, single-point crossover, "
        "one bit mutated. PyGAD mutates one gene of every individual, as it has no mutation "
        f"probability per individual. The systems take {ROUNDS} turns each, and the best counts.",
        tuple(rows),
    )


def tour(by: str, repeats: int = 3) -> tuple[float, float]:
    """The best processor time of a run on a tour, with a fitness written in Python, and the shortest tour."""
    import numpy as np

    points = np.random.default_rng(0).random((CITIES, 2))
    apart = np.hypot(*(points[:, None] - points[None]).T)

    def length(order: Any) -> float:
        return float(apart[order, np.roll(order, -1)].sum())

    best, shortest = float("inf"), float("inf")
    for seed in range(repeats):
        search = GeneticAlgorithm(
            Permutations(CITIES, by=by),
            population_size=TOURS,
            generations=GENERATIONS,
            minimise=True,
            random_state=seed,
        )
        start = time.process_time()
        shortest = min(shortest, search.learn(length).hypothesis_.fitness)
        best = min(best, time.process_time() - start)
    return best, shortest


def _tours(breeders: str | None) -> Section:
    tour("order", 1), tour("edge", 1)  # loads what is compiled
    theirs = None
    if breeders:
        sizes = map(str, (CITIES, TOURS, GENERATIONS, 3))
        theirs = json.loads(run([str(breeders), str(SERVED), "tour", *sizes]).stdout)
    rows = []
    for by in ("order", "edge"):
        ours, shortest = tour(by)
        rows.append(Row(f"{by} crossover: shortest tour", f"{shortest:.2f}"))
        if theirs is not None:
            label = f"{by} crossover, shortest {theirs['reached']:.2f}"
            rows.append(speed(label, ours, "DEAP", theirs["seconds"], 1))
    return Section(
        f"A tour of {CITIES} cities: {TOURS} orders, {GENERATIONS} generations",
        "Processor time of one thread; tournaments of five, r = 0.6, m = 0.7, inversion, fitness written in Python. "
        "DEAP uses order crossover (it has no edge crossover).",
        tuple(rows),
    )


def _processes() -> Section:
    def slow(bits: Any) -> float:
        import time as clock

        clock.sleep(SLOW)  # as a simulator that waits for another program
        return float(bits.sum())

    def busy(bits: Any) -> float:
        import time as clock

        end = clock.process_time() + SLOW
        while clock.process_time() < end:
            pass
        return float(bits.sum())

    rows = []
    for label, fitness in (("waiting", slow), ("computing", busy)):
        found = {}
        for jobs in (1, 2):
            search = GeneticAlgorithm(
                Bits(30), population_size=60, generations=5, m=0.3, n_jobs=jobs, cache=False
            )
            search.set_params(generations=1).learn(fitness)  # starts the processes
            start = time.perf_counter()
            best = search.set_params(generations=5).learn(fitness).hypothesis_
            found[jobs] = time.perf_counter() - start, best
        ratio = found[1][0] / found[2][0]
        same = "the same result" if found[1][1] == found[2][1] else "another result"
        rows.append(
            Row(
                f"{label}: two processes, {same}",
                seconds(found[2][0]),
                f"one process {seconds(found[1][0])}",
                f"{ratio:.2f}{TIMES}",
                f"≥ 1.7{TIMES}",
                ratio >= 1.7 and found[1][1] == found[2][1],
            )
        )
    return Section(
        "A fitness in Python that takes 10 ms",
        "60 individuals, 5 generations; wall time once the processes have started. The first fitness "
        "function waits; the second computes for 10 ms of processor time, so it needs two idle cores.",
        tuple(rows),
    )


def _studies(seeds: int) -> Listing:
    lines, lost = [], []
    for name, make in STUDIES.items():
        reached: dict[str, list[float]] = {}
        evaluations = []
        for seed in range(seeds):
            problem = make()
            settings = PROBLEMS[name.split(",")[0]].settings
            search = GeneticAlgorithm(**{**settings, "random_state": seed}).learn(problem)
            evaluations.append(search.history_.evaluations)
            for who, history in beside_search(search, problem, seed).histories.items():
                reached.setdefault(who, []).append(history.best)
        better = min if problem.minimise else max
        if better(median(each) for each in reached.values()) != median(reached["GeneticAlgorithm"]):
            lost.append(name)
        goal = "unknown" if problem.optimum is None else f"{problem.optimum:g}"
        for who, values in reached.items():
            best = sum(value == problem.optimum for value in values)
            lines.append(
                (
                    f"{name} ({goal})",
                    who,
                    f"{median(evaluations):,.0f}",
                    f"{median(values):g}",
                    f"{better(values):g}",
                    "" if problem.optimum is None else f"{best} of {seeds}",
                )
            )
    return Listing(
        "Evolution compared with plain search",
        f"The same genome, the same fitness and the same number of evaluations, {seeds} seeds; the "
        "optimum in brackets. Settings are those of `induce evolve`. A run ends when it finds the "
        "optimum, and plain search gets as many evaluations as it used. Hill-climbing restarts after "
        "100 neighbours without improvement.",
        ("problem", "search", "evaluations", "median", "best", "optimum found"),
        tuple(lines),
        f"Plain search is better than the genetic algorithm on {', '.join(lost)}."
        if lost
        else "The genetic algorithm is nowhere behind.",
    )
