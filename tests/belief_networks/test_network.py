"""The representation of networks: built, validated, counted, saved (Mitchell 6.11.2; AIMA 20.3)."""

import numpy as np
import pytest

import induce
from induce import InputError
from induce.belief_networks import (
    BeliefNetwork,
    ConditionalTable,
    GaussianConditional,
    LogisticConditional,
    NoisyOrConditional,
    Normal,
    noisy_or,
)
from induce.belief_networks.library import textbook_network, textbook_networks
from induce.core.notes import Note
from induce.data.schema import Column, Schema


def test_parameters_of_the_figure(fire):
    assert (fire.n_parameters(), fire.joint_size()) == (18, 63)
    assert fire.size() == "6 nodes, 7 arcs, 18 parameters"


def test_heart_disease_has_78_parameters_with_and_708_without_its_hidden_node():
    factors, symptoms = ["f1", "f2", "f3"], ["s1", "s2", "s3"]
    values = dict.fromkeys((*factors, *symptoms), "abc")
    values = {node: tuple(each) for node, each in values.items()}
    hidden = BeliefNetwork.of(
        {"heart": factors, **{s: ["heart"] for s in symptoms}}, values={**values, "heart": tuple("abc")}
    )
    chained = BeliefNetwork.of({s: [*factors, *symptoms[:k]] for k, s in enumerate(symptoms)}, values=values)
    assert (hidden.n_parameters(), chained.n_parameters()) == (78, 708)


def test_what_is_not_given_is_uniform_and_said():
    with pytest.warns(Note, match="no probabilities are given for b; the distribution is uniform"):
        network = BeliefNetwork.of({"b": ["a"]}, {"a": 0.2})
    assert network.query("b")[True] == 0.5
    assert BeliefNetwork.of({"b": ["a"]}).n_parameters() == 3


def test_the_ways_to_give_a_table():
    by_state = BeliefNetwork.of({"b": ["a"]}, {"a": 0.2, "b": {True: 0.3, False: [0.5, 0.5]}})
    by_array = BeliefNetwork.of({"b": ["a"]}, {"a": [0.8, 0.2], "b": [[0.5, 0.5], [0.7, 0.3]]})
    assert by_state == by_array
    text = BeliefNetwork.of({"b": ["a"]}, {"a": {"x": 1.0, "y": 0.0}, "b": {"x": 0.3, "y": 0.4}})
    assert text.column("a").domain == ("x", "y")
    assert text.column("b").domain == (False, True)


@pytest.mark.parametrize(
    ("parents", "conditionals", "values", "message"),
    [
        (
            {"a": ["b"], "b": ["c"], "c": ["a"]},
            None,
            None,
            r"the arcs form a cycle: b → a → c → b; remove one",
        ),
        ({"a": ["a"]}, None, None, "a cycle: a → a"),
        ({"a": ["b", "b"]}, None, None, "'a' has the same parent twice"),
        (
            {},
            {"a": {"x": 0.5, "y": 0.4}},
            None,
            "the row of 'a' sums to 0.9; give probabilities that sum to 1",
        ),
        (
            {"b": ["a"]},
            {"a": 0.5, "b": {True: [0.5, 0.6], False: 0.1}},
            None,
            "the row a = True of 'b' sums to 1.1",
        ),
        ({}, {"a": 1.5}, None, "the row of 'a' contains -0.5"),
        ({"b": ["a"]}, {"a": 0.5, "b": {True: 0.1}}, None, "'b' has no probabilities for a = False"),
        ({"b": ["a"]}, {"a": 0.5, "b": {"Treu": 0.1}}, None, "no value of 'a' 'Treu'; did you mean 'True'"),
        ({"c": ["a", "b"]}, {"c": {True: 0.1}}, None, "give 2 values: a, b"),
        ({}, {"a": 0.5}, {"a": ["x", "y"]}, "'a' is not Boolean"),
        ({}, {"a": [0.5, 0.5]}, {"a": ["x", "y", "z"]}, "'a' has 3 values"),
        ({}, {"a": "half"}, None, "give a dict"),
        ({}, {"a": [0.5]}, {"a": "words"}, "give a list of values, or 'numeric'"),
        ({"b": ["a"]}, {"b": Normal(0, 1)}, {"a": ["x", "y"]}, "'b' has parents; give a dict"),
        ({}, {"a": Normal(0, 0)}, None, "positive variances"),
        (
            {"b": ["a"]},
            {"a": Normal(0, 1), "b": Normal(0, 1, {"c": 2})},
            None,
            "no numeric parent of 'b' 'c'",
        ),
        ({"b": ["a"]}, {"a": 0.5, "b": noisy_or({"c": 0.5})}, None, "there is no parent of 'b' 'c'"),
        ({"b": ["a"]}, {"a": 0.5, "b": noisy_or({})}, None, "the failure probability of its parent 'a'"),
        ({"b": ["a"]}, {"a": 0.5, "b": noisy_or({"a": 1.5})}, None, "contains 1.5; give probabilities"),
        ({"b": ["a"]}, {"a": 0.5, "b": noisy_or({"a": {"x": 0.5}})}, None, "no value of 'a' 'x'"),
    ],
)
@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_bad_networks(parents, conditionals, values, message):
    with pytest.raises(InputError, match=message):
        BeliefNetwork.of(parents, conditionals, values)


def test_a_million_states_of_parents_are_refused_with_their_number():
    many = [f"p{k}" for k in range(20)]
    with pytest.raises(
        InputError, match="the 20 parents of 'y' have 1,048,576 joint states, more than 1,000,000"
    ):
        BeliefNetwork.of({"y": many})
    with pytest.raises(InputError, match="1,048,576 joint states"):
        BeliefNetwork.of({"y": many}, {"y": noisy_or(dict.fromkeys(many, 0.5)), **dict.fromkeys(many, 0.5)})


def test_parts_that_do_not_fit():
    column = Schema((Column("a", "nominal", ("x", "y")),))
    with pytest.raises(InputError, match="1 nodes, but 0 conditionals"):
        BeliefNetwork(column, ((),), ())
    with pytest.raises(InputError, match="give a Conditional"):
        BeliefNetwork(column, ((),), (0.5,))
    with pytest.raises(InputError, match=r"has the shape \(3,\); give the shape \(2,\)"):
        BeliefNetwork(column, ((),), (ConditionalTable(np.full(3, 1 / 3)),))
    with pytest.raises(InputError, match="must be nominal with a domain"):
        BeliefNetwork(Schema((Column("a", "text"),)), ((),), (ConditionalTable(np.ones(1)),))


def test_noisy_or_of_the_fevers():
    """AIMA, exercise 20.7: q is .6, .2, .1."""
    table = textbook_network("fever").conditional("Fever").table((2, 2, 2))
    chances = [table[1, 0, 0, 1], table[0, 1, 0, 1], table[0, 0, 1, 1], table[1, 1, 0, 1]]
    chances += [table[1, 0, 1, 1], table[0, 1, 1, 1], table[1, 1, 1, 1], table[0, 0, 0, 1]]
    assert np.allclose(chances, [0.4, 0.8, 0.9, 0.88, 0.94, 0.98, 0.988, 0.0], atol=1e-15)
    assert textbook_network("fever").conditional("Fever").n_parameters() == 3


@pytest.mark.parametrize(
    ("conditional", "parents", "values"),
    [
        (NoisyOrConditional(((1.0, 0.6), (0.3, 0.2)), 0.1, 0), [[0, 1, 1], [1, 1, 0]], [0, 1, 1]),
        (
            LogisticConditional(np.array([0.1, 0.2, 0.0]), np.arange(15.0).reshape(5, 3) / 7, (2, 3)),
            [[0, 1, 1], [2, 1, 0]],
            [0, 1, 2],
        ),
        (ConditionalTable(np.array([[0.2, 0.8], [0.5, 0.5]])), [[0, 1, 1]], [0, 1, 0]),
    ],
)
def test_conditionals_are_their_tables(conditional, parents, values):
    parents, values = [np.array(each) for each in parents], np.array(values)
    sizes = {NoisyOrConditional: (2, 2), LogisticConditional: (2, 3), ConditionalTable: (2,)}[
        type(conditional)
    ]
    table = conditional.table(sizes)
    assert np.allclose(table.sum(axis=-1), 1)
    assert np.allclose(np.exp(conditional.log_probability(values, parents)), table[(*parents, values)])
    many = [np.repeat(each, 20_000) for each in parents]
    drawn = conditional.sample(many, 60_000, np.random.default_rng(0)).reshape(3, -1)
    for row in range(3):
        shares = np.bincount(drawn[row], minlength=table.shape[-1]) / 20_000
        assert np.allclose(shares, table[tuple(each[row] for each in parents)], atol=0.015)


def test_a_line_for_each_state():
    lines = GaussianConditional(np.array([1.0, 2.0]), np.array([[3.0], [-1.0]]), np.array([0.25, 4.0]))
    state, x = np.array([0, 1]), np.array([2.0, 2.0])
    assert lines.mean([state, x], 2).tolist() == [7.0, 0.0]
    expected = -0.5 * np.log(2 * np.pi * np.array([0.25, 4.0])) - np.array([4.0 / 0.5, 1.0 / 8.0])
    assert np.allclose(lines.log_probability(np.array([9.0, 1.0]), [state, x]), expected)
    assert lines.n_parameters() == 6


@pytest.mark.parametrize("name", textbook_networks())
def test_model_files(name, tmp_path):
    saved = textbook_network(name)
    induce.save(saved, tmp_path / "n.induce")
    again = induce.load(tmp_path / "n.induce")
    assert again == saved
    assert str(again) == str(saved)
    assert hash(again) == hash(saved)


def test_networks_that_differ(fire):
    assert fire != textbook_network("sprinkler")
    assert fire != fire.do({"Campfire": True})
    assert fire.with_tables(fire.factors.tables) == fire


def test_a_large_network_prints_its_beginning():
    wide = BeliefNetwork.of({"y": [f"x{k}" for k in range(6)]} | {f"z{k}": ["y"] for k in range(220)})
    assert "… 40 more rows" in wide.describe("y")
    assert "… 27 more nodes" in str(wide)


def test_exports(fire):
    networkx = pytest.importorskip("networkx")
    graph = fire.to_networkx()
    assert networkx.is_directed_acyclic_graph(graph)
    assert set(graph.edges) == set(fire.graph.arcs)
    assert '"Storm" -> "Lightning";' in fire.to_dot()


def test_unknown_library_network():
    with pytest.raises(InputError, match="did you mean 'sprinkler'"):
        textbook_network("sprinklers")


# --- large networks in print ---------------------------------------------------------------------------------


def chain(n):
    """Nodes in a row, each a copy of the one before but for one case in a million."""
    arcs = {f"n{k}": [f"n{k - 1}"] for k in range(1, n)}
    return BeliefNetwork.of(arcs, {"n0": 0.5, **{node: {True: 1 - 1e-6, False: 1e-6} for node in arcs}})


def test_a_large_network_prints_its_arcs_and_a_table_when_asked():
    large = chain(70)
    lines = str(large).splitlines()
    assert len(lines) == 74
    assert lines[3] == "n1 given n0"
    assert lines[-1] == "describe('n69') gives the table of a node."
    assert large.describe("n69").splitlines()[0] == "n69 given n68"
    assert large.describe("n69").splitlines()[2].split() == ["False", "1", "<0.0001"]
    with pytest.raises(InputError, match="n70"):
        large.describe("n70")


def test_a_long_explanation_has_a_line_for_each_node():
    lines = str(chain(30).most_probable()).splitlines()
    assert lines[0] == "n0 = False"
    assert len(lines) == 31
    unlikely = {f"n{k}": k % 2 == 0 for k in range(0, 12)}
    assert str(chain(14).most_probable(unlikely)).endswith("(logarithm -152.66 with the evidence)")


def test_a_learned_network_prints_its_arcs_first():
    rows = chain(4).sample(300, random_state=0)
    parts = str(induce.StructureSearch().fit(rows).hypothesis_).split("\n\n")
    assert parts[1].startswith("arcs")
    assert "—" in parts[1]
    assert len(parts) == 6
