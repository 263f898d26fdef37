"""Approximate E steps: mean field and loopy propagation (AIMA 20.3)."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.belief_networks import BeliefNetwork, Cases, NetworkParameters, textbook_network
from induce.belief_networks.parameters.approximate import METHODS, Approximation
from induce.belief_networks.parameters.expectation import Expectation
from induce.data.schema import Column, Schema


def with_holes(X, share, seed=0):
    holes = np.random.default_rng(seed).random(X.shape) < share
    return X.with_columns(
        pl.when(pl.Series(holes[:, k])).then(None).otherwise(pl.col(name)).alias(name)
        for k, name in enumerate(X.columns)
    )


def drawn(seed, parents, sizes, n=30, share=0.4):
    """Random cases with holes, and random tables of a graph."""
    rng = np.random.default_rng(seed)
    schema = Schema(tuple(Column(f"x{k}", "nominal", tuple(range(size))) for k, size in enumerate(sizes)))
    codes = np.column_stack([rng.integers(0, size, n) for size in sizes]).astype(np.int32)
    codes[rng.random(codes.shape) < share] = -1
    tables = []
    for node, above in enumerate(parents):
        shape = [sizes[k] for k in (*above, node)]
        tables.append(rng.dirichlet(np.ones(shape[-1]), shape[:-1]).reshape(-1))
    return Cases.of(schema, codes, weights=rng.integers(1, 4, n) * 0.5), np.concatenate(tables)


TREES = [
    [(), (0,), (0,), (1,), (1,)],
    [(), (0,), (1,), (2,), (3,)],
    [(), (), (0, 1), (2,), (2,)],
]


@given(st.integers(0, 10_000), st.sampled_from(TREES), st.lists(st.integers(1, 3), min_size=5, max_size=5))
def test_loopy_is_exact_on_trees(seed, parents, sizes):
    cases, tables = drawn(seed, parents, sizes)
    exact, log = Expectation.of(cases, parents).count(tables)
    counts, bethe, _ = Approximation.of(cases, parents, "loopy").count(tables)
    assert counts == pytest.approx(exact, abs=1e-5)
    assert bethe == pytest.approx(log, abs=1e-5)


CYCLE = [(), (0,), (0,), (1, 2), (3, 0)]


@given(st.integers(0, 10_000))
def test_mean_field_is_a_lower_bound_and_counts_every_case(seed):
    cases, tables = drawn(seed, CYCLE, (2, 3, 2, 2, 3))
    exact, log = Expectation.of(cases, CYCLE).count(tables)
    for method in METHODS:
        found = Approximation.of(cases, CYCLE, method)
        counts, bound, state = found.count(tables)
        factors = found.factors
        for node in range(5):
            part = slice(factors.offsets[node], factors.offsets[node + 1])
            assert counts[part].sum() == pytest.approx(exact[part].sum())
        assert method != "mean-field" or bound <= log + 1e-9
        _, once_more, _ = found.count(tables, state)  # the sweeps go on where they ended
        assert once_more == pytest.approx(bound, abs=1e-3)
        assert method != "mean-field" or once_more >= bound - 1e-9


def test_candies_of_two_bags():
    """AIMA 20.3: given the bag all else is independent, so both approximations are exact."""
    counts = [273, 93, 104, 90, 79, 100, 94, 167]
    candies = pl.DataFrame(
        {
            "Flavor": ["cherry"] * 4 + ["lime"] * 4,
            "Wrapper": ["red", "red", "green", "green"] * 2,
            "Hole": [True, False] * 4,
        }
    )
    arcs = {"Flavor": ["Bag"], "Wrapper": ["Bag"], "Hole": ["Bag"]}
    for method in METHODS:
        learner = NetworkParameters(arcs, method=method, hidden={"Bag": 2}, alpha=0, n_init=3)
        learner.fit(candies, sample_weight=counts)
        assert learner.search_.objective[-1] == pytest.approx(-1979.36, abs=0.01)
        assert np.all(np.diff(learner.search_.objective) >= -1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_network_with_cycles_is_learned(method):
    fire = textbook_network("forest-fire")
    X = with_holes(fire.sample(1500, random_state=0), 0.3)
    fresh = fire.sample(3000, random_state=9)
    settings = {"alpha": 0.1, "max_iter": 200}
    exact = NetworkParameters(fire.graph, method="em", **settings).fit(X).hypothesis_
    learner = NetworkParameters(fire.graph, method=method, **settings).fit(X)
    assert learner.search_.converged
    assert abs(learner.hypothesis_.score_samples(fresh).mean() - exact.score_samples(fresh).mean()) < 0.02
    assert NetworkParameters(fire.graph, method=method, **settings).fit(X).hypothesis_ == learner.hypothesis_
    before = learner.hypothesis_
    assert learner.partial_fit(with_holes(fire.sample(50, random_state=3), 0.3)).hypothesis_ != before


def test_causes_of_which_too_many_are_hidden():
    rng = np.random.default_rng(0)
    arcs = {f"f{k}": [f"d{i}" for i in sorted(rng.choice(60, 4, replace=False))] for k in range(120)}
    arcs |= {f"d{i}": [] for i in range(60)}
    tables = {}
    for node, above in arcs.items():
        chance = rng.uniform(0.1, 0.9, [2] * len(above))
        tables[node] = {key: [1 - p, p] for key, p in np.ndenumerate(chance)} if above else [0.7, 0.3]
    truth = BeliefNetwork.of(arcs, tables, {node: [0, 1] for node in arcs})
    X = truth.sample(5, random_state=0).with_columns(
        pl.lit(None).cast(pl.Int64).alias(f"d{i}") for i in range(60)
    )
    with pytest.raises(induce.InputError, match="learn with method='loopy' or 'mean-field'"):
        NetworkParameters(truth, method="em", max_iter=1).fit(X)
    learner = NetworkParameters(truth, method="mean-field", max_iter=2).fit(X)
    assert np.all(np.diff(learner.search_.objective) >= -1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_what_approximations_refuse(method):
    X, _ = induce.dataset("play-tennis")
    with pytest.raises(induce.InputError, match="polish needs an exact E step; use method='em'"):
        NetworkParameters({"Wind": ["Outlook"]}, method=method, polish=True).fit(X)
    numbers = pl.DataFrame({"x": [1.0, 2.5, None], "g": ["a", None, "b"]})
    with pytest.raises(induce.InputError, match="does not support numeric columns; use method='em'"):
        NetworkParameters({"x": ["g"]}, method=method).fit(numbers)


@pytest.mark.parametrize("method", METHODS)
def test_whole_rows_are_counted(method):
    X, y = induce.dataset("play-tennis")
    arcs = {"Humidity": ["PlayTennis", "Outlook"], "Outlook": ["PlayTennis"]}
    counted = NetworkParameters(arcs).fit(X, y).hypothesis_
    found = NetworkParameters(arcs, method=method).fit(X, y).hypothesis_
    assert found.predict_proba(X) == pytest.approx(counted.predict_proba(X), abs=1e-12)
