"""Mitchell, chapter 9: genetic algorithms, except GABIL and genetic programming."""

from __future__ import annotations

import numpy as np

from induce.evolution import (
    Bits,
    GeneticAlgorithm,
    HintonNowlan,
    Rank,
    Tournament,
    Weights,
    offspring,
)
from induce.evolution.reproduction import CROSSED, bred
from induce.evolution.selection import Roulette
from induce.textbook.result import Outcome, Result
from induce.theory.schemas import Schema, n_schemas, schema_count, selection_probabilities

PARENTS = ("11101001000", "00001010101")
MASKS = {
    "single-point": ("11111000000", {"11101010101", "00001001000"}),
    "two-point": ("00111110000", {"11001011000", "00101000101"}),
    "uniform": ("10011010011", {"10001000100", "01101011001"}),
}
POPULATION, FITNESS = ("0110", "1100", "0011", "1001"), (6.0, 12.0, 3.0, 9.0)


def _prototypical() -> Outcome:
    rng = np.random.default_rng(0)
    genome = Bits(10)
    population = genome.populate(100, rng)
    scores = population.sum(axis=1).astype(np.float64)
    brood = bred(genome, population, scores, 100, r=0.6, m=0.001, selection=Roulette(), rng=rng)
    crossed = int((brood.how & CROSSED > 0).sum())
    return Outcome(
        f"{100 - crossed} copied, {crossed // 2} pairs crossed, {len(brood.how)} in all",
        (crossed, len(brood.how)) == (60, 100),
        "m is a fraction, as in the text, not a percentage, as in the table; each member is mutated with "
        "that probability",
    )


def _crossover() -> Outcome:
    made = {name: offspring(*PARENTS, mask) for name, (mask, _) in MASKS.items()}
    return Outcome(
        "; ".join(f"{name}: {', '.join(pair)}" for name, pair in made.items()),
        all(set(pair) == MASKS[name][1] for name, pair in made.items()),
        "the two offspring are compared in either order; for two-point crossover the book lists them "
        "in reverse",
    )


def _selection() -> Outcome:
    ways = {
        "roulette": Roulette(),
        "rank": Rank(),
        "tournament with p = 0.75": Tournament(0.75),
    }
    found = {name: selection_probabilities([5, 3, 2], way) for name, way in ways.items()}
    expected = {
        "roulette": (0.5, 0.3, 0.2),
        "rank": (1 / 2, 1 / 3, 1 / 6),
        "tournament with p = 0.75": (0.5, 1 / 3, 1 / 6),
    }
    return Outcome(
        "; ".join(
            f"{name}: {', '.join(f'{share:.4f}' for share in shares)}" for name, shares in found.items()
        ),
        all(np.allclose(found[name], shares) for name, shares in expected.items()),
        "for fitness 5, 3 and 2; the two competitors in a tournament are distinct",
    )


def _schemas() -> Outcome:
    strings, (own, every) = Schema("0*10").strings(), n_schemas(4)
    return Outcome(
        f"{', '.join(strings)}; {own} of {every} schemas", (strings, own) == (("0010", "0110"), 16)
    )


def _schema_theorem() -> Outcome:
    found = schema_count("11**", POPULATION, FITNESS, 0.6, 0.001)
    numbers = (found.selected, found.bound, found.expected)
    return Outcome(
        f"selection {numbers[0]:.6f}, bound {numbers[1]:.6f}, exactly {numbers[2]:.6f}",
        np.allclose(numbers, (1.6, 1.277441, 1.614736), atol=1e-6) and found.bound <= found.expected,
        "11** in the population 0110, 1100, 0011, 1001 with fitness 6, 12, 3, 9; p_c = 0.6, p_m = "
        "0.001. The bound counts only losses through crossover and mutation",
    )


def _baldwin() -> Outcome:
    def run(learning: bool) -> GeneticAlgorithm:
        search = GeneticAlgorithm.prototypical(population_size=1000, r=1.0, m=0.0, generations=49)
        return search.learn(HintonNowlan(learning=learning))

    with_, without = run(True), run(False)
    means = [[row.mean for row in each.history_.rows] for each in (with_, without)]
    shares = HintonNowlan().shares(with_.state_.population)
    return Outcome(
        f"with learning mean fitness {means[0][0]:.1f}, {means[0][20]:.1f} and {means[0][-1]:.1f} in generations 0, "
        f"20 and 49, connections {shares['wrong']:.0%} wrong, {shares['right']:.0%} right, {shares['open']:.0%} open"
        f"; without {means[1][0]:.1f} and {means[1][-1]:.1f}",
        means[0][-1] > 19 and max(means[1]) < 1.1 and shares["wrong"] < 0.01 and shares["open"] < 0.4,
        "20 connections, 1000 individuals, 1000 trials; these settings are not in the book",
    )


def _network_weights() -> Outcome:
    genome = Weights((3, 2, 1))
    rng = np.random.default_rng(0)
    parents = np.array([np.zeros(genome.n), np.ones(genome.n)])
    children = genome.mate(parents, np.zeros(20, dtype=np.int64), np.ones(20, dtype=np.int64), rng)
    whole = all(len(set(child[genome.units() == unit])) == 1 for child in children for unit in range(3))
    return Outcome(
        f"{genome.n} weights; a unit keeps all its incoming weights: {'yes' if whole else 'no'}",
        whole and genome.n == 11,
        "with biases; crossover swaps whole units, so offspring are networks built from parts of "
        "their parents",
    )


RESULTS = (
    Result(
        "mitchell-9.1-prototypical",
        "Mitchell, table 9.1",
        "(1 - r) p members are copied, r p / 2 pairs are crossed, and the population size stays the same",
        "[p = 100, r = 0.6: 40 copied, 30 pairs]",
        _prototypical,
    ),
    Result(
        "mitchell-9.2-crossover",
        "Mitchell, table 9.2",
        "offspring of 11101001000 and 00001010101 by mask",
        "11101010101, 00001001000; 11001011000, 00101000101; 10001000100, 01101011001",
        _crossover,
    ),
    Result(
        "mitchell-9.2.3-selection",
        "Mitchell, section 9.2.3",
        "selection probabilities by fitness, by rank and by tournament",
        "[0.5, 0.3, 0.2; 1/2, 1/3, 1/6; 1/2, 1/3, 1/6]",
        _selection,
    ),
    Result(
        "mitchell-9.4.1-schemas",
        "Mitchell, section 9.4.1",
        "the schema 0*10, and the schemas of which 0010 is an instance",
        "0010 and 0110; 2^4 schemas",
        _schemas,
    ),
    Result(
        "mitchell-9.4.1-schema-theorem",
        "Mitchell, equations 9.3 and 9.4",
        "the expected number of instances of a schema is at least a bound",
        "[selection 1.6, bound 1.277441, exactly 1.614736]",
        _schema_theorem,
    ),
    Result(
        "mitchell-9.6.2-baldwin",
        "Mitchell, section 9.6.2",
        "without learning, fitness does not improve; with learning it improves quickly, and fewer "
        "connections stay open",
        "no improvement; quick improvement",
        _baldwin,
    ),
    Result(
        "mitchell-exercise-9.4-weights",
        "Mitchell, exercise 9.4",
        "the weights of a network of 3, 2 and 1 units as a genome, with crossover at unit boundaries",
        "[11 weights]",
        _network_weights,
    ),
)
