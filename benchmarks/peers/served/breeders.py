"""DEAP and PyGAD on OneMax, DEAP on a tour, on one thread: `breeders.py NAME SIZE POPULATION GENERATIONS REPEATS`.

A line of JSON: the best processor time in seconds, and the best fitness of the last run.
"""

from __future__ import annotations

import json
import random
import sys
import time
import warnings

import numpy as np

R, M = 0.6, 0.2


def deap(bits, population, generations):
    """Tournaments of two, single-point crossover, one bit mutated on average."""
    from deap import algorithms, base, creator, tools

    if not hasattr(creator, "Individual"):
        creator.create("Fitness", base.Fitness, weights=(1.0,))
        creator.create("Individual", list, fitness=creator.Fitness)
    box = base.Toolbox()
    box.register("bit", random.randint, 0, 1)
    box.register("individual", tools.initRepeat, creator.Individual, box.bit, bits)
    box.register("population", tools.initRepeat, list, box.individual)
    box.register("evaluate", lambda individual: (sum(individual),))
    box.register("mate", tools.cxOnePoint)
    box.register("mutate", tools.mutFlipBit, indpb=1 / bits)
    box.register("select", tools.selTournament, tournsize=2)
    found, _ = algorithms.eaSimple(box.population(n=population), box, R, M, generations, verbose=False)
    return max(map(sum, found))


def tour(cities, population, generations):
    """A short tour by order crossover and inversion, in tournaments of five, the best kept."""
    from deap import algorithms, base, creator, tools

    if not hasattr(creator, "Tour"):
        creator.create("Length", base.Fitness, weights=(-1.0,))
        creator.create("Tour", list, fitness=creator.Length)
    points = np.random.default_rng(0).random((cities, 2))
    apart = np.hypot(*(points[:, None] - points[None]).T).tolist()

    def length(order):
        return (sum(apart[a][b] for a, b in zip(order, order[1:] + order[:1], strict=True)),)

    box = base.Toolbox()
    box.register("order", random.sample, range(cities), cities)
    box.register("individual", tools.initIterate, creator.Tour, box.order)
    box.register("population", tools.initRepeat, list, box.individual)
    box.register("evaluate", length)
    box.register("mate", tools.cxOrdered)
    box.register("mutate", tools.mutInversion)
    box.register("select", tools.selTournament, tournsize=5)
    best = tools.HallOfFame(1)
    algorithms.eaSimple(
        box.population(n=population), box, R, 0.7, generations, halloffame=best, verbose=False
    )
    return best[0].fitness.values[0]


def pygad(bits, population, generations):
    """The same; its mutation is of a share of the genes of every individual, so one gene each."""
    import pygad

    search = pygad.GA(
        num_generations=generations,
        num_parents_mating=population,
        fitness_func=lambda _, solution, __: int(solution.sum()),
        sol_per_pop=population,
        num_genes=bits,
        init_range_low=0,
        init_range_high=2,
        gene_type=int,
        gene_space=[0, 1],
        parent_selection_type="tournament",
        K_tournament=2,
        crossover_type="single_point",
        crossover_probability=R,
        mutation_num_genes=1,
        keep_elitism=0,
        keep_parents=0,
        suppress_warnings=True,
    )
    search.run()
    return int(search.best_solution()[1])


def main(name, bits, population, generations, repeats):
    random.seed(1)
    np.random.seed(1)
    warnings.simplefilter("ignore")
    best, reached = float("inf"), 0
    for _ in range(repeats):
        start = time.process_time()
        reached = {"deap": deap, "pygad": pygad, "tour": tour}[name](bits, population, generations)
        best = min(best, time.process_time() - start)
    print(json.dumps({"seconds": best, "reached": reached}))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
