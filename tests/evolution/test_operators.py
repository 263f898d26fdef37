"""Masks, selection, schemas, genomes and structures: the numbers of the book, and what always holds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.core.loops import compiled
from induce.evolution import (
    Bits,
    Cells,
    Choice,
    Demes,
    Genes,
    Machines,
    Mask,
    Permutations,
    Rank,
    Real,
    Reals,
    Roulette,
    Sharing,
    SimilarMates,
    SinglePoint,
    Tournament,
    TwoPoint,
    Uniform,
    Weights,
    Whole,
    Wholes,
    offspring,
)
from induce.evolution.genomes import _loops
from induce.evolution.genomes.permutations import MUTATIONS
from induce.evolution.problems import _loops as shop_loops
from induce.evolution.problems.job_shop import JobShop
from induce.evolution.reproduction import COPIED, bred, pairs_of

FIRST, SECOND = "11101001000", "00001010101"


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        ("11111000000", {"11101010101", "00001001000"}),
        ("00111110000", {"00101000101", "11001011000"}),
        ("10011010011", {"10001000100", "01101011001"}),
    ],
)
def test_table_9_2(mask, expected):
    assert set(offspring(FIRST, SECOND, mask)) == expected


def test_masks():
    rng = np.random.default_rng(0)
    single = SinglePoint().masks(500, 6, rng).astype(int)
    assert set(map(tuple, single)) == {(1,) * n + (0,) * (6 - n) for n in range(1, 6)}
    double = TwoPoint().masks(2000, 6, rng).astype(int)
    assert {int(np.abs(np.diff(row)).sum()) for row in double} == {0, 1, 2}
    assert double.any(axis=1).all()
    assert 0.45 < Uniform().masks(500, 20, rng).mean() < 0.55
    with pytest.raises(InputError, match="give 6 characters"):
        Mask("110").masks(1, 6, rng)
    with pytest.raises(InputError, match="same length"):
        offspring("11", "000", "11")


def test_9_b_8_selection_probabilities():
    fitness = np.array([5.0, 3, 2])
    for selection, expected in (
        (Roulette(), [0.5, 0.3, 0.2]),
        (Rank(), [3 / 6, 2 / 6, 1 / 6]),
        (Tournament(0.75), [0.5, 1 / 3, 1 / 6]),
        (Tournament(0.75, replace=True), [4 / 9, 3 / 9, 2 / 9]),
        (Tournament(1.0), [2 / 3, 1 / 3, 0]),
    ):
        assert selection.probabilities(fitness).tolist() == pytest.approx(expected)


def test_tournament_formula():
    """Rank i of n, best first: 2 / (n (n - 1)) * ((n - i) p + (i - 1) (1 - p))."""
    n, p = 7, 0.8
    expected = [2 / (n * (n - 1)) * ((n - i) * p + (i - 1) * (1 - p)) for i in range(1, n + 1)]
    assert Tournament(p).probabilities(-np.arange(n, dtype=float)).tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    "selection", [Roulette(), Rank(), Tournament(), Tournament(0.7, 3), Tournament(0.6, 2, True)]
)
def test_draws_follow_the_probabilities(selection):
    scores = np.array([4.0, 1.0, 2.0, 2.0, 3.0])
    drawn = selection.draw(scores, 40_000, np.random.default_rng(3))
    seen = np.bincount(drawn, minlength=5) / 40_000
    assert seen == pytest.approx(selection.probabilities(scores), abs=0.012)


def test_odd_fitness():
    rng = np.random.default_rng(0)
    assert Roulette().probabilities(np.zeros(4)).tolist() == [0.25] * 4
    assert Roulette().probabilities(np.array([-np.inf, 2, 2])).tolist() == [0, 0.5, 0.5]
    assert set(Roulette().draw(np.array([0.0, 0, 1, 0]), 50, rng)) == {2}
    assert Rank().probabilities(np.full(4, 7.0)).tolist() == [0.25] * 4
    assert Tournament().draw(np.array([1.0]), 3, rng).tolist() == [0, 0, 0]
    with pytest.raises(InputError, match=r"the lowest fitness is -3.*'tournament' or 'rank'"):
        Roulette().probabilities(np.array([1.0, -3.0]))
    with pytest.raises(InputError, match="p of the tournament is 2"):
        Tournament(2).draw(np.ones(3), 1, rng)


# --- genomes -------------------------------------------------------------------------------------------------

GENOMES = [
    Bits(7),
    Bits(5, by="uniform"),
    Wholes(5, -2, 3),
    Wholes(4, 0, 2, weights=(0.2, 0.3, 0.5)),
    Reals(3, -1, 2, by="two-point"),
    Permutations(6),
    Permutations(5, by="uniform"),
    Permutations(7, by="order", mutation="swap"),
    Permutations(2, by="edge", mutation="insertion"),
    Permutations(1),
    Weights((3, 2, 1)),
    Genes({"a": Real(0, 1), "b": Whole(1, 3), "c": Choice(("x", "y")), "d": Real(1, 100, log=True)}),
    Machines(("0", "1"), ("a", "b"), 2, 4),
]


@pytest.mark.parametrize("genome", GENOMES, ids=lambda genome: type(genome).__name__)
@given(seed=st.integers(0, 10_000))
def test_offspring_are_legal_and_conserve(genome, seed):
    rng = np.random.default_rng(seed)
    population = genome.populate(6, rng)
    assert all(map(genome.legal, population))
    assert not genome.legal(None)
    children = genome.mate(population, np.array([0, 1]), np.array([2, 3]), rng)
    assert len(children) == 4
    changed = genome.mutated(children, np.array([1, 3]), rng)
    assert all(map(genome.legal, children))
    assert all(map(genome.legal, changed))
    assert [genome.key(changed[k]) == genome.key(children[k]) for k in (0, 2)] == [True, True]
    assert genome.distance(population[0], population[0]) == 0
    assert 0 <= genome.diversity(population) <= 1
    assert genome.distances(population, population).shape == (6, 6)
    assert genome.show(population[0])
    if isinstance(population, np.ndarray) and not isinstance(genome, Permutations):
        # each pair of offspring has, gene by gene, what its parents have
        for a, b, k in ((0, 2, 0), (1, 3, 2)):
            pairs = np.sort([population[a], population[b]], axis=0)
            assert np.array_equal(np.sort(children[k : k + 2], axis=0), pairs)


def test_one_bit_is_mutated():
    genome, rng = Bits(9), np.random.default_rng(0)
    population = genome.populate(50, rng)
    assert ((genome.mutated(population, np.arange(50), rng) != population).sum(axis=1) == 1).all()


def test_exercise_9_4_units_stay_whole():
    """A network of 3 x 2 x 1 units has 11 weights; crossover swaps all incoming weights of a unit."""
    genome, rng = Weights((3, 2, 1)), np.random.default_rng(0)
    assert genome.n == 11
    parents = np.array([np.zeros(11), np.ones(11)])
    for child in genome.mate(parents, np.zeros(40, dtype=int), np.ones(40, dtype=int), rng):
        assert all(len(set(child[genome.units() == unit])) == 1 for unit in range(3))


def test_permutations_keep_precedence():
    genome, rng = Permutations(8, by="uniform"), np.random.default_rng(1)
    parents = genome.populate(2, rng)
    before = [{(a, b) for i, a in enumerate(row) for b in row[i + 1 :]} for row in parents.tolist()]
    for child in genome.mate(parents, np.array([0]), np.array([1]), rng).tolist():
        assert {(a, b) for i, a in enumerate(child) for b in child[i + 1 :]} >= before[0] & before[1]


def test_order_crossover_keeps_a_stretch_and_the_order_of_the_rest():
    """Davis's example, as Goldberg prints it: the stretch 5 6 7 (numbered from 1) of each parent stays."""
    parents = np.array([[9, 8, 4, 5, 6, 7, 1, 3, 2, 10], [8, 7, 1, 2, 3, 10, 9, 5, 4, 6]]) - 1
    made = _loops.keep_order(parents, np.array([0]), np.array([1]), np.array([[3, 6]]))
    assert (made + 1).tolist() == [[2, 3, 10, 5, 6, 7, 9, 4, 8, 1], [5, 6, 7, 2, 3, 10, 1, 9, 8, 4]]


def test_edge_crossover_keeps_edges():
    """Most neighbours of a child are neighbours in a parent."""
    genome, rng = Permutations(30, by="edge"), np.random.default_rng(0)
    parents = genome.populate(2, rng)

    def edges(row):
        return {frozenset(pair) for pair in zip(row.tolist(), np.roll(row, -1).tolist(), strict=True)}

    known = edges(parents[0]) | edges(parents[1])
    for child in genome.mate(parents, np.zeros(10, int), np.ones(10, int), rng):
        assert len(edges(child) & known) >= 25
    same = genome.mate(parents, np.zeros(3, int), np.zeros(3, int), rng)
    assert all(edges(child) == edges(parents[0]) for child in same)


@pytest.mark.parametrize(
    ("mutation", "found"),
    [("inversion", [0, 4, 3, 2, 1, 5]), ("swap", [0, 4, 2, 3, 1, 5]), ("insertion", [0, 2, 3, 4, 1, 5])],
)
def test_mutations_of_orders(mutation, found):
    rows = np.arange(6)[None].copy()
    _loops.change_orders(rows, np.array([0]), np.array([[1, 4]]), MUTATIONS[mutation])
    assert rows[0].tolist() == found


def test_crossover_of_orders_is_for_orders():
    with pytest.raises(InputError, match="edge crossover is for Permutations"):
        Bits(5, by="edge").crossover(np.zeros(5, np.uint8), np.ones(5, np.uint8), np.random.default_rng(0))
    with pytest.raises(InputError, match="mutation is 'shuffle'"):
        Permutations(5, mutation="shuffle")


@pytest.mark.compiled
def test_plain_and_compiled_loops_do_the_same():
    rng = np.random.default_rng(0)
    population, masks = Permutations(9).populate(4, rng), rng.random((2, 9)) < 0.5
    pairs = (population, np.array([0, 1]), np.array([2, 3]), masks)
    assert np.array_equal(_loops.keep_precedence(*pairs), compiled(_loops.keep_precedence)(*pairs))
    for loop, drawn in (
        (_loops.keep_order, np.array([[2, 5], [0, 9]])),
        (_loops.keep_edges, rng.random((4, 9))),
    ):
        assert np.array_equal(loop(*pairs[:3], drawn), compiled(loop)(*pairs[:3], drawn))
    for kind in MUTATIONS.values():
        one, other = population.copy(), population.copy()
        told = np.array([0, 2]), np.array([[1, 6], [7, 3]]), kind
        _loops.change_orders(one, *told)
        compiled(_loops.change_orders)(other, *told)
        assert np.array_equal(one, other)
    machine = Machines(("0", "1"), ("0", "1")).random(rng)
    told = (machine.target, machine.output, machine.start, rng.integers(0, 2, 50))
    assert _loops.right_predictions(*told) == compiled(_loops.right_predictions)(*told)
    shop = JobShop()
    orders = (shop.genome.populate(3, rng), *shop._tables)
    assert np.array_equal(shop_loops.schedules(*orders), compiled(shop_loops.schedules)(*orders))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Bits(0), "number of genes is 0"),
        (lambda: Bits(2, names=("a",)), "2 genes and 1 names"),
        (lambda: Bits(2, names=("a", "a")), "same name"),
        (lambda: Bits(2, by="three-point"), "crossover is 'three-point'"),
        (lambda: Reals(2, 1, 1), "raise high"),
        (lambda: Wholes(2, 0, 2, weights=(1, 1)), "give 3 weights"),
        (lambda: Genes({}), "at least one"),
        (lambda: Genes({"a": 3}), "gene 'a' is 3"),
        (lambda: Genes({"a": Real(0, 1, log=True)}), "must be above 0"),
        (lambda: Genes({"a": Choice(())}), "has no options"),
        (lambda: Machines((), ("a",)), "at least one input"),
        (lambda: JobShop((((0, 1),), ((0, 1), (1, 2)))), "same number of operations"),
        (lambda: JobShop((((3, 1),),)), "give a machine from 0 to 0"),
    ],
)
def test_bad_genomes(make, sentence):
    with pytest.raises(InputError, match=sentence):
        make()


# --- table 9.1 -----------------------------------------------------------------------------------------------


def test_how_many_are_copied_and_crossed():
    assert pairs_of(100, 0.6) == 30
    rng = np.random.default_rng(0)
    genome = Bits(10)
    population = genome.populate(100, rng)
    scores = population.sum(axis=1).astype(float)
    brood = bred(genome, population, scores, 100, r=0.6, m=0.0, selection=Roulette(), rng=rng)
    assert Counter(brood.how.tolist()) == {0: 40, 1: 60}
    copies = brood.how == COPIED
    assert np.array_equal(brood.population[copies], population[brood.parents[copies, 0]])
    assert np.array_equal(brood.known(scores)[copies], scores[brood.parents[copies, 0]])
    for n, r in ((5, 1.0), (7, 0.5), (2, 1.0), (3, 0.0)):
        assert len(bred(genome, population, scores, n, r=r, m=1.0, selection=Rank(), rng=rng).how) == n


def test_a_small_mutation_rate_is_a_probability():
    """With p = 100 and m = 0.001 a tenth of an individual is mutated on average, not none."""
    rng, genome = np.random.default_rng(0), Bits(4)
    population = genome.populate(100, rng)
    scores = np.ones(100)
    mutated = sum(
        int((bred(genome, population, scores, 100, r=0.6, m=0.001, selection=Rank(), rng=rng).how >= 2).sum())
        for _ in range(1000)
    )
    assert 60 < mutated < 140


def test_the_elite_stays():
    rng, genome = np.random.default_rng(0), Bits(12)
    population = genome.populate(20, rng)
    scores = population.sum(axis=1).astype(float)
    brood = bred(genome, population, scores, 20, r=1.0, m=1.0, selection=Rank(), rng=rng, elite=3)
    assert sorted(brood.population[:3].sum(axis=1)) == sorted(np.sort(scores)[-3:])


def test_sharing_and_similar_mates():
    genome = Bits(4)
    population = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]], dtype=np.uint8)
    shared = Sharing(radius=0.5).shared(genome, population, np.array([4.0, 4.0, 4.0]))
    assert shared.tolist() == [2.0, 2.0, 4.0]
    near = Sharing(radius=1.0, alpha=2).shared(genome, population[1:], np.array([3.0, 3.0]))
    assert near.tolist() == [3.0, 3.0]
    mates = SimilarMates(30).mates(
        genome, population, np.ones(3), Roulette(), np.array([0, 1]), np.random.default_rng(0)
    )
    assert mates.tolist() == [1, 0]
    with pytest.raises(InputError, match="sharing needs at least 0"):
        Sharing().shared(genome, population, np.array([1.0, -1.0, 0.0]))


# --- structures ----------------------------------------------------------------------------------------------


def test_migration():
    scores = np.array([1.0, 2, 9, 4, 5, 6])
    ring = Demes(3, migrants=1)
    assert ring.migrated(scores).tolist() == [5, 1, 2, 1, 2, 5]  # best of 0 is 1, of 1 is 2, of 2 is 5
    moved = Demes(3, migrants=1, copy=False).migrated(scores)
    assert sorted(moved) == [0, 1, 2, 3, 4, 5]
    assert moved.tolist() == [0, 5, 1, 3, 4, 2]
    for topology in ("ring", "grid", "torus", "full"):
        for copy in (True, False):
            demes = Demes(6, topology=topology, copy=copy)
            found = demes.migrated(np.arange(60.0))
            assert len(found) == 60
            assert copy or sorted(found) == list(range(60))
    assert Demes(6, topology="grid").neighbours()[0] == [1, 3]
    assert Demes(9, topology="torus").neighbours()[0] == [1, 2, 3, 6]


def test_bad_structures():
    for structure, size, sentence in (
        (Demes(4), 6, "too small for 4 demes"),
        (Demes(4, topology="star"), 40, "topology is 'star'"),
        (Demes(4, interval=0), 40, "interval is 0"),
        (Cells(3, 3), 10, "set it to 9"),
    ):
        with pytest.raises(InputError, match=sentence):
            structure.check_size(size)


def test_a_genome_of_weights_is_a_network():
    from induce.evolution import Weights

    rng = np.random.default_rng(0)
    for layers in ((2, 1), (3, 4, 2), (2, 3, 2, 1)):
        kind = Weights(layers)
        genome, X = rng.normal(size=kind.n), rng.normal(size=(5, layers[0]))
        network = kind.network(genome)
        assert network.n_weights == kind.n
        assert network(X) == pytest.approx(kind.outputs(genome, X), abs=1e-12)
