"""Structural EM: holes, hidden nodes that are declared, and hidden nodes that are invented."""

import math

import numpy as np
import polars as pl
import pytest

import induce
from induce.belief_networks import BeliefNetwork
from induce.belief_networks.cases import Cases
from induce.belief_networks.library import textbook_network
from induce.belief_networks.structure import completion
from induce.belief_networks.structure.completion import completions
from induce.core.errors import InputError

CAUSES, SYMPTOMS = ("smoking", "diet", "exercise"), ("s1", "s2", "s3")


def heart():
    """Figure 20.7 of AIMA with tables of our own: causes, heart disease and symptoms with three values each."""
    values = ["no", "mild", "severe"]
    disease = np.full((3, 3, 3, 3), 0.075)
    for causes in np.ndindex(3, 3, 3):
        disease[causes][min(sum(causes) // 2, 2)] = 0.85
    symptom = {name: np.roll(np.eye(3) * 0.75 + 1 / 12, k, axis=1) for k, name in enumerate(SYMPTOMS)}
    return BeliefNetwork.of(
        {"heart": CAUSES, **{name: ["heart"] for name in SYMPTOMS}},
        {**{name: [0.4, 0.35, 0.25] for name in CAUSES}, "heart": disease, **symptom},
        values=dict.fromkeys([*CAUSES, "heart", *SYMPTOMS], values),
    )


def candy(features):
    """Bags of candies with Boolean features (AIMA 20.3)."""
    return BeliefNetwork.of(
        {name: ["bag"] for name in features},
        {"bag": {1: 0.5, 2: 0.5}} | {name: {1: 0.8, 2: 0.3} for name in features},
    )


@pytest.mark.compiled
def test_heart_disease_is_found():
    """07:B5 and SL-37: 78 parameters, where the arcs between causes and symptoms take more."""
    X = heart().sample(2000, random_state=0).drop("heart")
    learner = induce.StructuralEM(hidden={"heart": 3}, n_init=1, random_state=0).fit(X)
    network = learner.hypothesis_
    node = network.nodes[-1]
    assert network.n_parameters() == 78
    assert set(network.graph.parents_of(node)) == set(CAUSES)
    assert set(network.graph.children_of(node)) == set(SYMPTOMS)
    without = induce.StructureSearch(method="tabu").fit(X)
    assert learner.scores_[-1] > without.scores_[-1] + 50
    table = np.sort(network.conditional("s1").table([3]).max(axis=1))
    assert table == pytest.approx([0.8333] * 3, abs=0.07)  # whatever the hidden values are called


@pytest.mark.compiled
def test_candy_bags_are_found():
    X = candy(["flavor", "wrapper", "hole"]).sample(1000, random_state=1).drop("bag")
    declared = induce.StructuralEM(hidden={"bag": 2}, random_state=0).fit(X).hypothesis_
    assert set(declared.graph.children_of("bag")) == {"flavor", "wrapper", "hole"}
    assert len(declared.graph.arcs) == 3
    # with three features a bag is worth no more than the complete graph (07:B6), with five it is
    X = candy(["flavor", "wrapper", "hole", "size", "shape"]).sample(1000, random_state=1).drop("bag")
    invented = induce.StructuralEM(invent=2, random_state=0).fit(X).hypothesis_
    assert invented.nodes[5:] == ("hidden 1",)
    assert len(invented.column("hidden 1").domain) == 2
    assert len(invented.graph.markov_blanket("hidden 1")) == 5
    assert len(invented.graph.arcs) == 5
    assert invented.score_samples(X).shape == (1000,)


def test_nothing_is_invented_where_nothing_is_hidden():
    X = textbook_network("sprinkler").sample(800, random_state=0)
    found = induce.StructuralEM(invent=1, random_state=0).fit(X).hypothesis_
    assert found.nodes == tuple(X.columns)


def test_holes_are_expected():
    network = textbook_network("sprinkler")
    X = network.sample(1500, random_state=0)
    rng = np.random.default_rng(0)
    holed = X.with_columns(
        pl.when(pl.Series(rng.random(1500) < 0.2)).then(None).otherwise(pl.col(name)).alias(name)
        for name in X.columns
    )
    learner = induce.StructuralEM(random_state=0).fit(holed)
    assert learner.hypothesis_.partial == network.graph.equivalence_class()
    assert list(learner.scores_) == sorted(learner.scores_)
    again = induce.StructuralEM(random_state=0).fit(holed)
    assert again.hypothesis_ == learner.hypothesis_


@pytest.mark.compiled
def test_completed_rows_have_the_probabilities_of_the_network(monkeypatch):
    """Exactly where a row can be filled in few ways; by draws otherwise."""
    network = textbook_network("forest-fire")
    codes = np.array([[-1, 0, -1, -1, 1, 1], [0, 0, 0, 0, 0, 0], [-1, -1, 1, 0, 0, 1]], np.int32)
    cases = Cases.of(network.schema, codes, weights=np.array([2.0, 1.0, 3.0]))
    found, origin = completions(network, cases, np.random.default_rng(0))
    assert found.weights.sum() == pytest.approx(6.0)
    for row in (0, 2):
        given = {
            name: network.column(name).domain[code]
            for name, code in zip(network.nodes, codes[row], strict=True)
            if code >= 0
        }
        mine = origin == row
        for node in np.flatnonzero(codes[row] < 0):
            wanted = network.query(network.nodes[node], given)[True]
            share = found.weights[mine & (found.codes[:, node] == 1)].sum() / cases.weights[row]
            assert share == pytest.approx(wanted, abs=1e-9)
    monkeypatch.setattr(completion, "MOST_WAYS", 1)
    monkeypatch.setattr(completion, "MOST_ROWS", 1)
    many = Cases.of(network.schema, np.repeat(codes[:1], 150, axis=0))
    drawn, _ = completions(network, many, np.random.default_rng(0))
    given = {
        name: network.column(name).domain[c]
        for name, c in zip(network.nodes, codes[0], strict=True)
        if c >= 0
    }
    for node in np.flatnonzero(codes[0] < 0):
        share = drawn.weights[drawn.codes[:, node] == 1].sum() / 150
        assert share == pytest.approx(network.query(network.nodes[node], given)[True], abs=0.07)


def test_numbers_and_hidden_nodes():
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 2, 500)
    X = pl.DataFrame({name: np.where(kind == 1, 3.0, 0.0) + rng.normal(size=500) for name in "abc"})
    with pytest.warns(induce.core.notes.Note, match="cut into intervals"):
        network = induce.StructuralEM(hidden={"kind": 2}, random_state=0).fit(X).hypothesis_
    assert set(network.graph.children_of("kind")) == set("abc")
    assert np.sort(network.conditional("a").intercepts) == pytest.approx([0.0, 3.0], abs=0.4)
    assert math.isfinite(network.score_samples(X).mean())


def test_how_sure_arcs_are_with_a_hidden_node():
    X = candy(["a", "b", "c", "d"]).sample(400, random_state=0).drop("bag")
    learner = induce.StructuralEM(hidden={"bag": 2}, n_bootstrap=4, random_state=0)
    network = learner.fit(X).hypothesis_
    assert network.support.shape == (5, 5)
    assert network.sureness("bag", "a")[0] == 1.0


def test_bad_input():
    X = textbook_network("sprinkler").sample(50, random_state=0)
    for given, said in [
        ({"hidden": "bag"}, "hidden is 'bag'; give a dict"),
        ({"hidden": {"Rain": 2}}, "hidden contains 'Rain', which is a column"),
        ({"hidden": {"bag": "ab"}}, "hidden gives 'bag' the values 'ab'"),
        ({"invent": -1}, "invent is -1"),
        ({"max_values": 1}, "max_values is 1"),
        ({"alpha": 0}, "alpha is 0"),
        ({"knowledge": {"conditionals": {"Rain": "noisy-or"}}}, "StructuralEM learns only tables"),
        ({"hidden": {"bag": 2}, "knowledge": {"order": ["bog"]}}, "bog"),
    ]:
        with pytest.raises(InputError, match=said):
            induce.StructuralEM(**given).fit(X)
