"""Searches: they find what there is to find, and keep to what is known."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.belief_networks.graphs.dag import Dag
from induce.belief_networks.library import textbook_network
from induce.belief_networks.structure.sampling import chain
from induce.belief_networks.structure.scores import CodedRows, FamilyScores
from induce.belief_networks.structure.search import State, anneal, hill_climb, tabu_search
from induce.core.errors import InputError


def random_rows(seed, n=5, rows=60):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (rows, n))
    for k in range(1, n):
        same = rng.random(rows) < 0.7
        codes[same, k] = codes[same, rng.integers(k)]
    return CodedRows.of(codes, [2] * n)


@pytest.mark.parametrize("score", ["bic", "mdl", "k2", "bdeu"])
def test_hill_climbing_ends_where_no_move_gains(candies, free, graphs, score):
    families = FamilyScores(candies, score)
    found = hill_climb(families, free(3), [()] * 3)
    assert found.score == pytest.approx(families.total(found.parents))
    assert list(found.scores) == sorted(found.scores)
    assert found.score == pytest.approx(max(map(families.total, graphs(3))), abs=1.0)
    state = State(families, free(3), found.parents)
    assert state.gains().max() <= 1e-6


@given(st.integers(0, 10**6))
def test_searches_keep_to_knowledge_and_add_up(free, seed):
    rng = np.random.default_rng(seed)
    n = 5
    order = rng.permutation(n)
    required = [(f"x{order[0]}", f"x{order[2]}")]
    pairs = [(f"x{a}", f"x{b}") for a, b in rng.integers(0, n, (4, 2)).tolist() if a != b]
    known = {"required": required, "forbidden": [p for p in pairs if p not in required], "max_parents": 2}
    limits = free(n, **known)
    families = FamilyScores(random_rows(seed), "bdeu")
    start = limits.required_parents()
    best = []
    for search in (hill_climb, tabu_search):
        found = search(families, limits, start)
        graph = Dag(limits.nodes, found.parents)  # without cycles
        assert set(required) <= set(graph.arcs)
        assert not set(known["forbidden"]) & set(graph.arcs)
        assert max(map(len, found.parents)) <= 2
        assert found.score == pytest.approx(families.total(found.parents))
        best.append(found.score)
    assert best[1] >= best[0] - 1e-6


def test_a_state_knows_its_moves(free):
    """Gains and ways between nodes are kept up to date move by move."""
    rng = np.random.default_rng(3)
    families, limits = FamilyScores(random_rows(3), "bic"), free(5, max_parents=3)
    state = State(families, limits, [()] * 5)
    for _ in range(60):
        gains = state.gains()
        moves = np.argwhere(gains > -math.inf)
        kind, parent, child = moves[rng.integers(len(moves))].tolist()
        before = state.score
        state.move(kind, parent, child, float(gains[kind, parent, child]))
        assert state.score == pytest.approx(families.total(state.parents))
        assert state.score - before == pytest.approx(gains[kind, parent, child])
        anew = State(families, limits, state.graph())
        assert (anew.reach == state.reach).all()
        assert (anew.arcs == state.arcs).all()
        assert anew.gains() == pytest.approx(state.gains())


def test_annealing_finds_the_best_of_all_graphs(candies, free, graphs):
    families = FamilyScores(candies, "k2")
    found = anneal(families, free(3), [()] * 3, np.random.default_rng(0))
    assert found.score == pytest.approx(max(map(families.total, graphs(3))))


# 08:AD-14: F→W, W→F, F→H, H→F, W→H, H→W, and the mass on complete graphs
AD14 = {
    "k2": (0.514507, 0.485493, 0.507432, 0.492568, 0.492897, 0.507065, 0.999962),
    "bdeu": (0.500347, 0.499652, 0.500347, 0.499653, 0.498958, 0.498958, 0.997915),
}
PLACES = ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1))


@pytest.mark.parametrize("score", AD14)
def test_the_chain_draws_arcs_by_their_probability(candies, free, graphs, score):
    families = FamilyScores(candies, score)
    logs = np.array([families.total(parents) for parents in graphs(3)])
    shares = np.exp(logs - logs.max())
    shares /= shares.sum()
    exact = np.zeros((3, 3))
    for parents, chance in zip(graphs(3), shares, strict=True):
        for child, above in enumerate(parents):
            exact[list(above), child] += chance
    complete = sum(
        chance for parents, chance in zip(graphs(3), shares, strict=True) if sum(map(len, parents)) == 3
    )
    assert [*(exact[arc] for arc in PLACES), complete] == pytest.approx(AD14[score], abs=6e-7)
    drawn = chain(families, free(3), ((),) * 3, 4000, 100, np.random.default_rng(0))
    assert drawn.arcs == pytest.approx(exact, abs=0.04)
    assert drawn.score == pytest.approx(logs.max())


def test_the_sampler_on_candies(candy_frame):
    learner = induce.StructureSampler(criterion="k2", random_state=0, n_moves=600).fit(candy_frame)
    network = learner.hypothesis_
    assert network.sureness("Flavor", "Wrapper") == pytest.approx((1.0, 0.514507), abs=0.08)
    assert learner.r_hat_ < 1.1
    again = induce.StructureSampler(criterion="k2", random_state=0, n_moves=600, n_jobs=2).fit(candy_frame)
    assert again.hypothesis_ == network


@pytest.mark.parametrize("method", ["hill-climbing", "tabu", "annealing"])
def test_a_small_network_is_found_again(method):
    network = textbook_network("sprinkler")
    X = network.sample(1500, random_state=1)
    found = induce.StructureSearch(method=method, random_state=0).fit(X).hypothesis_
    assert found.partial == network.graph.equivalence_class()


def test_the_start_may_be_given(candy_frame):
    start = {"Wrapper": ["Flavor"], "Hole": ["Flavor", "Wrapper"]}
    learner = induce.StructureSearch(start=start).fit(candy_frame)
    assert learner.hypothesis_.graph == Dag.of(start, ["Flavor", "Wrapper", "Hole"])
    assert len(learner.scores_) == 1  # complete graphs are best
    with pytest.raises(InputError, match="start has the arc Flavor → Wrapper, which knowledge forbids"):
        induce.StructureSearch(start=start, knowledge={"forbidden": [("Flavor", "Wrapper")]}).fit(candy_frame)


def test_traced_is_untraced(candy_frame):
    plain = induce.StructureSearch().fit(candy_frame).hypothesis_
    with induce.trace() as events:
        traced = induce.StructureSearch().fit(candy_frame).hypothesis_
    assert traced == plain
    assert [event["move"] for event in events if event.kind == "arc"] == ["add"] * 3


def test_numbers_are_scored_by_lines():
    rng = np.random.default_rng(0)
    colour = rng.integers(0, 2, 300)
    size = np.where(colour == 1, 3.0, 0.0) + rng.normal(size=300)
    price = 2 * size + rng.normal(scale=0.5, size=300)
    X = {
        "colour": np.array(["red", "blue"])[colour],
        "size": size,
        "price": price,
        "noise": rng.normal(size=300),
    }
    import polars as pl

    found = induce.StructureSearch().fit(pl.DataFrame(X)).hypothesis_
    assert str(found.partial) == "colour → size\nsize → price"
    assert found.conditional("price").weights[0] == pytest.approx(2.0, abs=0.1)


def test_noisy_or_gets_more_parents_than_a_table():
    """AIMA 20.2: its parameters grow with the number of parents only."""
    rng = np.random.default_rng(0)
    import polars as pl

    causes = rng.random((250, 5)) < 0.4
    effect = (causes & (rng.random((250, 5)) < 0.6)).any(axis=1)
    X = pl.DataFrame({f"c{k}": causes[:, k] for k in range(5)} | {"effect": effect})
    tiers = {"tiers": [[f"c{k}" for k in range(5)], ["effect"]]}
    forbidden = [(f"c{a}", f"c{b}") for a in range(5) for b in range(5) if a != b]
    known = {**tiers, "forbidden": forbidden}
    table = induce.StructureSearch(knowledge=known).fit(X).hypothesis_
    noisy = (
        induce.StructureSearch(knowledge={**known, "conditionals": {"effect": "noisy-or"}}).fit(X).hypothesis_
    )
    assert len(noisy.graph.parents_of("effect")) == 5 > len(table.graph.parents_of("effect"))
    with pytest.raises(
        InputError, match="'effect' is not a table, and the score 'bdeu' supports only tables"
    ):
        induce.StructureSearch(criterion="bdeu", knowledge={"conditionals": {"effect": "noisy-or"}}).fit(X)


def test_restarts_never_lose():
    X = textbook_network("forest-fire").sample(300, random_state=1)
    once = induce.StructureSearch().fit(X)
    again = induce.StructureSearch(n_restarts=5, random_state=0).fit(X)
    assert max(again.scores_) >= max(once.scores_)
    assert again.scores_[: len(once.scores_)] == once.scores_
    same = induce.StructureSearch(n_restarts=5, random_state=0).fit(X)
    assert same.hypothesis_ == again.hypothesis_
    with pytest.raises(InputError, match="n_restarts is -1"):
        induce.StructureSearch(n_restarts=-1).fit(X)


def independent_columns(seed, n_rows=600, missing=0.3):
    """Eight skewed columns that have nothing to do with each other, with holes."""
    rng = np.random.default_rng(seed)
    columns = [rng.choice(3, n_rows, p=rng.dirichlet(np.full(3, 0.5))) for _ in range(8)]
    codes = np.where(rng.random((n_rows, 8)) < missing, -1, np.transpose(columns))
    return pl.DataFrame({f"c{k}": [None if c < 0 else "abc"[c] for c in codes[:, k]] for k in range(8)})


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(3))
def test_holes_invent_no_arcs(seed):
    """Each family was scored on its own complete rows: 10 to 27 arcs, rated up to 1.00."""
    X = independent_columns(seed)
    assert len(induce.StructureSearch().fit(X).hypothesis_.graph.arcs) == 0
    assert len(induce.StructureSearch(method="tabu").fit(X).hypothesis_.graph.arcs) == 0
    assert len(induce.K2().fit(X).hypothesis_.graph.arcs) <= 2
    sampled = induce.StructureSampler(n_moves=200, random_state=0).fit(X).hypothesis_
    assert len(sampled.graph.arcs) <= 1
    pairs = [(a, b) for a in X.columns for b in X.columns if a < b]
    assert max(sampled.sureness(*pair)[0] for pair in pairs) < 0.9


def test_holes_do_not_turn_arcs():
    """An arc turned round is judged on the rows that both of its families need."""
    X = textbook_network("forest-fire").sample(2000, random_state=0)
    rng = np.random.default_rng(0)
    holes = [
        pl.when(pl.Series(rng.random(len(X)) < 0.2)).then(None).otherwise(pl.col(c)).alias(c)
        for c in X.columns
    ]
    whole = induce.StructureSearch().fit(X).hypothesis_.graph
    found = induce.StructureSearch().fit(X.with_columns(holes)).hypothesis_.graph
    assert {frozenset(arc) for arc in found.arcs} == {frozenset(arc) for arc in whole.arcs}
