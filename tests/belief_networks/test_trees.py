"""Tables in the form of a tree (AIMA 20.2; Friedman and Goldszmidt 1996)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.belief_networks import BeliefNetwork, NetworkParameters, TreeConditional, textbook_network
from induce.belief_networks.conditionals.tree import tree_of_counts

XOR = np.array([[[40.0, 0.0], [0.0, 40.0]], [[0.0, 40.0], [40.0, 0.0]]])


def bic(counts, tree):
    shares = tree.table(counts.shape[:-1])
    seen = counts > 0
    return counts[seen] @ np.log(shares[seen]) - tree.n_parameters() * math.log(counts.sum()) / 2


def test_pruning_finds_what_no_single_split_shows():
    tree = tree_of_counts(XOR, np.zeros(XOR.shape))
    assert tree.n_parameters() == 4
    assert np.array_equal(tree.table((2, 2)), XOR / 40)


def test_parents_that_tell_nothing_are_not_tested():
    counts = np.array([[[30.0, 10.0]] * 3, [[5.0, 35.0]] * 3])  # the second parent has three equal values
    tree = tree_of_counts(counts, np.zeros(counts.shape))
    assert tree.tested.tolist() == [0, -1, -1]
    assert tree.table((2, 3))[:, 2].tolist() == [[0.75, 0.25], [0.125, 0.875]]
    alike = tree_of_counts(np.full((2, 2, 2), 9.0), np.zeros((2, 2, 2)))
    assert alike.tested.tolist() == [-1]


def test_a_leaf_has_the_mean_of_its_pseudo_counts():
    tree = tree_of_counts(np.array([[[3.0, 1.0]], [[2.0, 2.0]]]), np.ones((2, 1, 2)))
    assert tree.probabilities.tolist() == [[6 / 10, 4 / 10]]


def test_no_cases():
    tree = tree_of_counts(np.zeros((2, 3, 4)), np.zeros((2, 3, 4)))
    assert tree.probabilities.tolist() == [[0.25] * 4]


@given(st.integers(0, 10_000), st.lists(st.integers(1, 3), max_size=3), st.integers(2, 4))
def test_a_tree_is_never_worse_than_its_root_or_the_whole_table(seed, sizes, values):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rng.choice([0.3, 5.0, 40.0], (*sizes, values))).astype(float)
    counts[(0,) * counts.ndim] += 1
    tree = tree_of_counts(counts, np.zeros(counts.shape))
    table = tree.table(tuple(sizes))
    assert np.allclose(table.sum(axis=-1), 1.0)
    root = TreeConditional(
        np.array([-1]), np.array([0]), counts.reshape(-1, values).sum(axis=0)[None] / counts.sum()
    )
    assert bic(counts, tree) >= bic(counts, root) - 1e-9
    assert tree.n_parameters() <= math.prod(sizes) * (values - 1)
    assert len(list(tree.branches(sizes))) == len(tree.tested) - 1


def silent_alarm(n, seed):
    """An alarm that is silent without power, whatever six doors do, and otherwise hears one door or two others."""
    rng = np.random.default_rng(seed)
    power, doors = rng.random(n) < 0.7, rng.random((n, 6)) < 0.3
    heard = doors[:, 0] | doors[:, 1] & doors[:, 2]
    alarm = rng.random(n) < np.where(power & heard, 0.95, 0.02)
    return pl.DataFrame({"power": power, **{f"door{k}": doors[:, k] for k in range(6)}, "alarm": alarm})


def test_structure_search_with_trees_finds_more_parents_with_fewer_parameters():
    fresh = silent_alarm(4000, 99)
    found = {"table": [], "tree": []}
    for seed in range(4):
        X = silent_alarm(300, seed)
        known = {"order": X.columns, "tiers": [X.columns[:-1], ["alarm"]]}
        for kind, networks in found.items():
            learner = induce.StructureSearch(knowledge={**known, "conditionals": {"alarm": kind}})
            networks.append(learner.fit(X).hypothesis_)
    for table, tree in zip(found["table"], found["tree"], strict=True):
        assert set(tree.graph.parents_of("alarm")) >= set(table.graph.parents_of("alarm"))
        assert tree.n_parameters() < table.n_parameters()
        assert tree.score_samples(fresh).mean() > table.score_samples(fresh).mean()
    assert any(len(tree.graph.parents_of("alarm")) == 4 for tree in found["tree"])


def test_a_tree_from_the_parameters_prints_answers_and_is_saved(tmp_path):
    X = silent_alarm(2000, 0)
    learner = NetworkParameters({"alarm": ["power", "door0", "door1"]}, conditionals={"alarm": "tree"}).fit(X)
    network = learner.hypothesis_
    text = network.describe("alarm")
    assert text.startswith("alarm given power, door0, door1 (tree)")
    assert "|   power = False" in text
    table = network.conditionals[network.graph.position("alarm")].table((2, 2, 2))
    asked = network.query("alarm", {"power": True, "door0": True, "door1": False})
    assert asked[True] == pytest.approx(table[1, 1, 0, 1])
    induce.save(learner, tmp_path / "alarm.induce")
    assert induce.load(tmp_path / "alarm.induce").hypothesis_ == network
    drawn = network.sample(20_000, random_state=0)
    alone = drawn.filter(~pl.col("power") & pl.col("door0"))["alarm"].mean()
    assert alone == pytest.approx(asked_of(network, power=False, door0=True), abs=0.02)
    (tmp_path / "alarm.bif").write_text(network.to_bif(), encoding="utf-8")  # others see the whole table
    read = BeliefNetwork.read(tmp_path / "alarm.bif")
    assert np.allclose(read.conditionals[read.graph.position("alarm")].table((2, 2, 2)), table)


def asked_of(network, **evidence):
    return network.query("alarm", evidence)[True]


def test_a_tree_is_learned_further_and_from_partitions(tmp_path):
    X = silent_alarm(300, 0).cast(pl.String)
    arcs, kinds = {"alarm": ["power", "door0"]}, {"alarm": "tree"}
    whole = NetworkParameters(arcs, conditionals=kinds).fit(X).hypothesis_
    parts = NetworkParameters(arcs, conditionals=kinds).fit(X[:200]).partial_fit(X[200:]).hypothesis_
    assert parts.describe("alarm") == whole.describe("alarm")
    for k in range(3):
        X[100 * k : 100 * k + 100].write_parquet(tmp_path / f"{k}.parquet")
    with induce.using("serial"):
        learner = NetworkParameters(arcs, conditionals=kinds).fit(induce.scan(tmp_path / "*.parquet"))
    scanned = learner.hypothesis_
    assert scanned.describe("alarm") == whole.describe("alarm")


@pytest.mark.parametrize("method", ["em", "gradient", "gibbs"])
def test_methods_other_than_counting_refuse_a_tree(method):
    X = silent_alarm(50, 0)
    learner = NetworkParameters({"alarm": ["power"]}, method=method, conditionals={"alarm": "tree"})
    with pytest.raises(
        induce.InputError, match="'alarm' is a tree, which is learned with method='counts' only"
    ):
        learner.fit(X)


def test_a_tree_that_does_not_fit_is_refused():
    sprinkler = textbook_network("sprinkler")
    place = sprinkler.graph.position("WetGrass")
    tree = TreeConditional(np.array([1, -1, -1]), np.array([1, 0, 0]), np.full((3, 2), 0.5))

    def with_tree(tree):
        changed = (*sprinkler.conditionals[:place], tree, *sprinkler.conditionals[place + 1 :])
        return BeliefNetwork(sprinkler.schema, sprinkler.parents, changed)

    assert with_tree(tree).query("WetGrass", {"Rain": True})[True] == pytest.approx(0.5)
    for change, sentence in [
        ({"tested": np.array([2, -1, -1])}, "does not fit its parents"),
        ({"first": np.array([2, 0, 0])}, "does not fit its parents"),
        ({"first": np.array([0, 0, 0])}, "does not fit its parents"),
        ({"probabilities": np.full((3, 3), 1 / 3)}, "does not fit its 2 values"),
        ({"probabilities": np.full((3, 2), 0.7)}, "does not sum to 1"),
    ]:
        with pytest.raises(induce.InputError, match=sentence):
            with_tree(replace(tree, **change))
