"""The genetic algorithm: results, parallel fitness, failures, lifetimes, traces, bad input."""

from __future__ import annotations

import time
from statistics import median

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.evolution import (
    Baldwin,
    Bits,
    Cells,
    Climb,
    Demes,
    EvolutionStrategy,
    Genes,
    GeneticAlgorithm,
    HintonNowlan,
    JobShop,
    Lamarck,
    Machines,
    Mask,
    OneMax,
    Permutations,
    Real,
    Reals,
    Sharing,
    SimilarMates,
    Traps,
    Whole,
    beside_search,
    draw_crowding,
    draw_family,
    family,
)


def quick(genome=None, **more):
    return GeneticAlgorithm(
        genome, **{"population_size": 30, "generations": 15, "m": 0.3, "selection": "tournament", **more}
    )


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"crossover": "two-point"},
        {"crossover": "uniform"},
        {"crossover": Mask(("1" * 10 + "0" * 10, "10" * 10))},
        {"selection": "roulette", "elite": 1},
        {"selection": "rank"},
        {"sharing": Sharing(0.2)},
        {"mating": SimilarMates(3)},
        {"structure": Cells(5, 6)},
        {"structure": Cells(5, 6, torus=False), "elite": 1},
        {"structure": Demes(3, interval=3)},
        {"structure": Demes(4, interval=2, topology="full", copy=False)},
        {"lifetime": Lamarck(Climb(3))},
        {"lifetime": Baldwin(Climb(3))},
    ],
    ids=str,
)
def test_every_operator_improves_on_chance_and_resumes(more):
    whole = quick(**more).learn(OneMax(20))
    assert whole.hypothesis_.fitness >= 16
    assert whole.history_.rows[-1].mean > whole.history_.rows[0].mean
    part = quick(**more, fitness_threshold=1e9).set_params(generations=4).learn(OneMax(20))
    again = part.set_params(generations=9).resume(OneMax(20)).hypothesis_
    assert (
        again == quick(**more, fitness_threshold=1e9).set_params(generations=9).learn(OneMax(20)).hypothesis_
    )


def test_the_best_of_the_run_or_of_the_population():
    run = quick(fitness_threshold=99, m=1.0, r=1.0).learn(OneMax(20))
    last = quick(fitness_threshold=99, m=1.0, r=1.0, returns="population").learn(OneMax(20))
    assert run.hypothesis_.fitness == max(row.top for row in run.history_.rows)
    assert last.hypothesis_.fitness == last.history_.rows[-1].top


def test_results_do_not_depend_on_the_number_of_jobs():
    def noisy(bits, rng):
        return bits.sum() + rng.random()

    one = quick(Bits(12), generations=3).learn(noisy).hypothesis_
    assert quick(Bits(12), generations=3, n_jobs=2).learn(noisy).hypothesis_ == one
    assert quick(Bits(12), generations=3, n_jobs=2, backend="threads").learn(noisy).hypothesis_ == one


def test_the_cache_changes_nothing_but_the_evaluations():
    kept = quick(Bits(6)).learn(lambda bits: float(bits.sum()))
    computed = quick(Bits(6), cache=False).learn(lambda bits: float(bits.sum()))
    assert kept.hypothesis_.individual.tolist() == computed.hypothesis_.individual.tolist()
    assert [row.mean for row in kept.history_.rows] == [row.mean for row in computed.history_.rows]
    assert kept.history_.evaluations < computed.history_.evaluations
    seen = []
    quick(Bits(6), generations=5).learn(lambda bits: seen.append(bits.tobytes()) or 1.0)
    assert len(seen) < 30 * 6


def test_what_fails_costs_the_individual():
    def fitness(bits):
        if bits[0] and bits[1]:
            raise ValueError("both")
        if bits[0]:
            return float("nan")
        if bits[1] and bits[2]:
            time.sleep(10)
        return float(bits.sum())

    learner = quick(Bits(8), generations=3, population_size=12, time_limit=0.02).learn(fitness)
    problems = learner.history_.problems
    assert set(problems) == {"ValueError: both", "it returned nan", "it took longer than 0.02 s"}
    assert learner.history_.failures == sum(problems.values())
    assert "evaluations failed" in str(learner.history_)
    assert not learner.hypothesis_.individual[0]
    with pytest.raises(InputError, match=r"failed for all 30 individuals .* ZeroDivisionError"):
        quick(Bits(4)).learn(lambda bits: 1 / 0)
    with pytest.raises(InputError, match="failed for all"):
        quick(Bits(4)).learn(lambda bits: None)


def test_co_evolution():
    """Fitness against the present population: the share of the others that are smaller."""

    def wins(mine, population):
        return sum(mine.sum() > other.sum() for other in population) / len(population)

    learner = quick(Bits(12)).learn(wins)
    assert learner.state_.population.sum(axis=1).mean() > 9


def test_lamarck_writes_back_and_baldwin_does_not():
    lamarck = quick(Bits(30), generations=1, m=0, lifetime=Lamarck(Climb(20))).learn(OneMax(30))
    baldwin = quick(Bits(30), generations=1, m=0, lifetime=Baldwin(Climb(20))).learn(OneMax(30))
    assert lamarck.state_.population.sum(axis=1).mean() > baldwin.state_.population.sum(axis=1).mean() + 3
    assert baldwin.history_.rows[-1].mean > baldwin.state_.population.sum(axis=1).mean() + 3
    assert lamarck.history_.evaluations == 2 * 30 * 21


def test_named_genes_print():
    genes = Genes({"width": Real(0, 4), "turns": Whole(1, 9)})
    found = quick(genes, minimise=True, generations=30, m=0.9).learn(
        lambda design: (design["width"] - 2) ** 2 + (design["turns"] - 7) ** 2
    )
    assert str(found.hypothesis_).startswith("width = ")
    assert "\nturns = 7\nfitness " in str(found.hypothesis_)
    assert found.hypothesis_.value["turns"] == 7


def test_other_genomes(tmp_path):
    orders = quick(Permutations(6, by="order"), fitness_threshold=5).learn(
        lambda order: float((np.diff(order) > 0).sum())
    )
    assert orders.hypothesis_.individual.tolist() == [0, 1, 2, 3, 4, 5]
    machines = quick(Machines(("0", "1"), ("0", "1"), 2, 3), generations=5).learn(
        lambda machine: sum(said == "1" for said in machine.run("0101"))
    )
    assert machines.hypothesis_.value.run("0101") == ["1"] * 4
    induce.save(machines, tmp_path / "machines.induce")
    assert induce.load(tmp_path / "machines.induce").hypothesis_ == machines.hypothesis_


def test_the_trace_tells_of_generations():
    with induce.trace() as events:
        learner = quick(fitness_threshold=99).learn(OneMax(20))
    found = [event for event in events if event.kind == "generation"]
    assert [event["number"] for event in found] == list(range(16))
    assert found[-1]["best"] == learner.hypothesis_.fitness
    assert 0 < found[0]["diversity"] < 1
    assert found[0]["crowding"] <= found[-1]["crowding"]
    assert 0 <= found[3]["crossover_success"] <= 1
    assert draw_crowding(events).axes
    levels = family(events)
    assert len(levels) == 16
    assert len(levels[-1]) == 1
    assert {parent for _, both, _, _ in levels[5] for parent in both} == {each[0] for each in levels[4]}
    assert len(family(events, 3)) == 4
    assert draw_family(events).axes
    assert learner.history_.draw().axes
    with pytest.raises(InputError, match="contains no generation"):
        draw_family([])


def test_beside_plain_search():
    learner = quick(fitness_threshold=99).learn(Traps(3))
    found = beside_search(learner, Traps(3))
    assert list(found.histories) == [
        "GeneticAlgorithm",
        "hill-climbing",
        "simulated annealing",
        "random search",
    ]
    assert len({history.evaluations for history in found.histories.values()}) == 1
    assert "random search" in str(found)
    assert found.draw().axes
    shop = quick(minimise=True).learn(JobShop())
    assert all(history.best >= 55 for history in beside_search(shop, JobShop()).histories.values())


@pytest.mark.parametrize(
    ("more", "source", "sentence"),
    [
        ({"r": 1.5}, OneMax(5), "r is 1.5; it must be a number from 0 to 1"),
        ({"m": -0.1}, OneMax(5), "m is -0.1"),
        ({"m": "often"}, OneMax(5), "m is 'often'"),
        ({"population_size": 1}, OneMax(5), "population_size is 1"),
        ({"population_size": 0}, OneMax(5), "population_size is 0"),
        ({"generations": -1}, OneMax(5), "generations is -1"),
        ({"selection": "luck"}, OneMax(5), "selection is 'luck'"),
        ({"elite": -1}, OneMax(5), "elite is -1"),
        ({"structure": 4}, OneMax(5), "structure is 4"),
        ({"returns": "all"}, OneMax(5), "returns is 'all'"),
        ({}, lambda bits: 1.0, "genome is None"),
        ({"genome": 20}, lambda bits: 1.0, "genome is 20"),
        ({"genome": Bits(4)}, 17, "the source is int"),
        (
            {"genome": Bits(4), "selection": "roulette"},
            lambda bits: -1.0,
            "roulette selection needs at least 0",
        ),
        ({"genome": Machines(("0",), ("0",)), "crossover": "uniform"}, len, "has its own crossover"),
        ({"genome": Bits(4), "backend": "threads", "time_limit": 1}, len, "thread that hangs"),
    ],
)
def test_bad_input(more, source, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        GeneticAlgorithm(**more).learn(source)
    assert "\n" not in str(caught.value)


def test_odd_populations():
    for size in (2, 3, 7):
        assert quick(population_size=size).learn(OneMax(5)).state_.scores.shape == (size,)
    constant = quick(Bits(5), selection="roulette").learn(lambda bits: 0.0)
    assert constant.hypothesis_.fitness == 0


def test_a_run_of_another_problem_is_not_resumed():
    learner = quick(generations=3).learn(OneMax(20))
    with pytest.raises(InputError, match="resume with the original problem"):
        learner.resume(OneMax(21))
    with pytest.raises(InputError, match="solves a different problem"):
        learner.resume(Traps(5))


# --- bands ---------------------------------------------------------------------------------------------------


def test_the_fifth_rule_on_the_sphere():
    """08:AD-16: 816 to 1000 evaluations, median 896, in a trial with 30 seeds; here three."""
    needed = [
        EvolutionStrategy(
            Reals(10, -10, 10),
            start=[1.0] * 10,
            minimise=True,
            fitness_threshold=1e-8,
            generations=2000,
            random_state=seed,
        )
        .learn(lambda x: float(x @ x))
        .history_.evaluations
        for seed in range(3)
    ]
    assert 840 < median(needed) < 950


@pytest.mark.parametrize(("plus", "parents", "offspring"), [(True, 3, 12), (False, 3, 20)])
def test_self_adaptive_strategies(plus, parents, offspring):
    found = EvolutionStrategy(
        Reals(5, -5, 5),
        parents=parents,
        offspring=offspring,
        plus=plus,
        adaptation="self",
        minimise=True,
        fitness_threshold=1e-6,
        generations=300,
    ).learn(lambda x: float(x @ x))
    assert found.hypothesis_.fitness <= 1e-6


def test_bad_strategies():
    for more, sentence in (
        ({"sigma": 0}, "sigma is 0"),
        ({"parents": 5, "offspring": 2, "plus": False}, "parents do not survive"),
        ({"start": [9.0, 0.0]}, "give 2 numbers from 0 to 1"),
        ({"adaptation": "tenth"}, "adaptation is 'tenth'"),
        ({"genome": Bits(3)}, "needs Reals"),
    ):
        with pytest.raises(InputError, match=sentence):
            EvolutionStrategy(**{"genome": Reals(2), **more}).learn(lambda x: 1.0)


def test_hinton_and_nowlan():
    """With learning fitness rises within 50 generations, and wrong connections die out; without, nothing happens."""

    def run(learning, seed):
        model = GeneticAlgorithm.prototypical(
            population_size=1000, r=1.0, m=0.0, generations=49, random_state=seed
        )
        return model.learn(HintonNowlan(learning=learning))

    learned = [run(True, seed) for seed in range(3)]
    assert all(model.history_.rows[0].mean < 1.2 for model in learned)
    assert median(model.history_.rows[20].mean for model in learned) > 16.5
    assert median(model.history_.rows[-1].mean for model in learned) > 19
    shares = HintonNowlan().shares(learned[0].state_.population)
    assert shares["wrong"] < 0.01
    assert 0.7 < shares["right"] < 0.85
    assert max(row.mean for row in run(False, 0).history_.rows) < 1.1


def test_small_fitness_with_the_defaults():
    found = GeneticAlgorithm(Reals(2, -1, 1), population_size=20, generations=20, minimise=True)
    assert found.learn(lambda x: 5.0 + float(x @ x)).hypothesis_.fitness < 5.1
    for more in ({"selection": "roulette"}, {"sharing": Sharing(0.2)}):
        search = GeneticAlgorithm(Reals(2, -1, 1), minimise=True, **more)
        with pytest.raises(InputError, match="lower fitness is better here") as caught:
            search.learn(lambda x: 5.0 + float(x @ x))
        assert "-5" not in str(caught.value)


def test_the_defaults_are_not_behind_hill_climbing():
    rng = np.random.default_rng(5)
    weights, values = rng.integers(5, 50, 40), rng.integers(5, 60, 40)
    room = 0.4 * weights.sum()

    def worth(bits):
        return float(values @ bits) if weights @ bits <= room else float(room - weights @ bits)

    search = GeneticAlgorithm(Bits(40), population_size=40, generations=30)
    found = beside_search(search.learn(worth), worth).histories
    assert found["GeneticAlgorithm"].best >= found["hill-climbing"].best


def test_the_prototypical_algorithm_is_that_of_the_book():
    found = GeneticAlgorithm.prototypical(Bits(5), population_size=10).get_params()
    named = {name: found[name] for name in ("r", "m", "selection", "elite", "returns", "population_size")}
    assert named == {
        "r": 0.6,
        "m": 0.001,
        "selection": "roulette",
        "elite": 0,
        "returns": "population",
        "population_size": 10,
    }


@pytest.mark.parametrize("by", ["edge", "order"])
def test_runs_of_orders_are_saved_and_resumed(by, tmp_path):
    def length(order):
        return float(np.abs(np.diff(order)).sum())

    settings = {"minimise": True, "population_size": 20, "crossover": by}
    half = GeneticAlgorithm(Permutations(8), generations=3, **settings).learn(length)
    induce.save(half, tmp_path / "half.induce")
    again = induce.load(tmp_path / "half.induce").set_params(generations=6).resume(length)
    whole = GeneticAlgorithm(Permutations(8), generations=6, **settings).learn(length)
    assert again.hypothesis_ == whole.hypothesis_
