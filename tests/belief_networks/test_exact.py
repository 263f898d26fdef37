"""Exact inference: all methods agree with enumeration, plain and compiled loops with each other."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce import InputError
from induce.belief_networks import BeliefNetwork, Jeffrey, JunctionTree, Virtual
from induce.belief_networks.inference import junction_tree
from induce.belief_networks.library import textbook_network
from induce.core import loops

from .conftest import random_evidence, random_network

SEEDS = st.integers(0, 10**6)


def tree_of(network):
    return JunctionTree(network.factors, network.graph.order)


def joint_of(network):
    """The joint table by multiplying all tables."""
    letters = "abcdefghij"[: len(network.nodes)]
    terms = ["".join(letters[k] for k in (*above, node)) for node, above in enumerate(network.parents)]
    tables = [network.factors.table(node) for node in range(len(letters))]
    return np.einsum(f"{','.join(terms)}->{letters}", *tables)


def restricted(joint, network, given):
    """The joint table with zeros where it does not agree with what is given."""
    kept = np.zeros_like(joint)
    where = tuple(
        network.column(node).domain.index(given[node]) if node in given else slice(None)
        for node in network.nodes
    )
    kept[where] = joint[where]
    return kept


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_all_methods_agree_with_the_joint_table(seed):
    random = random_network(seed)
    known, hidden = random_evidence(random, seed)
    joint = restricted(joint_of(random), random, known)
    assert random.probability(known) == pytest.approx(joint.sum(), rel=1e-9)
    for node in random.nodes:
        others = tuple(k for k, name in enumerate(random.nodes) if name != node)
        expected = joint.sum(axis=others) / joint.sum()
        for method in ("exact", "elimination", "enumeration"):
            assert np.allclose(random.query(node, known, method=method).probabilities, expected, atol=1e-10)
        assert np.allclose(random.marginals(known)[node].probabilities, expected, atol=1e-10)
    pair = hidden[:3] or list(random.nodes[:2])
    places = [random.graph.position(node) for node in pair]
    expected = joint.sum(axis=tuple(set(range(len(random.nodes))) - set(places)))
    expected = expected.transpose(np.argsort(np.argsort(places))) / joint.sum()
    for method in ("exact", "elimination", "enumeration"):
        assert np.allclose(random.query(pair, known, method=method).probabilities, expected, atol=1e-10)


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_the_most_probable_explanation_is_the_greatest_entry(seed):
    random = random_network(seed)
    known, _ = random_evidence(random, seed)
    joint = restricted(joint_of(random), random, known)
    found = random.most_probable(known)
    assert found.probability == pytest.approx(joint.max(), rel=1e-9)
    assert random.probability({**known, **found}) == pytest.approx(joint.max(), rel=1e-9)


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_expected_counts(seed):
    """Expected counts are sums of the posteriors of families."""
    random = random_network(seed, nodes=5)
    rng = np.random.default_rng(seed)
    rows = np.column_stack(random.sample_values(6, rng)).astype(np.int32)
    rows[rng.random(rows.shape) < 0.4] = -1
    weights = rng.random(6)
    counts, logs = tree_of(random).expected_counts(rows, weights)
    expected = np.zeros_like(counts)
    for row, weight, log in zip(rows, weights, logs, strict=True):
        known = {
            name: random.column(name).domain[code]
            for name, code in zip(random.nodes, row, strict=True)
            if code >= 0
        }
        assert math.exp(log) == pytest.approx(random.probability(known), rel=1e-9)
        for node, above in enumerate(random.parents):
            family = random.query([random.nodes[k] for k in (*above, node)], known, method="enumeration")
            part = slice(random.factors.offsets[node], random.factors.offsets[node + 1])
            expected[part] += weight * family.probabilities.reshape(-1)
    assert np.allclose(counts, expected, atol=1e-9)


@pytest.mark.compiled
def test_plain_and_compiled_loops_agree_to_the_last_bit(monkeypatch):
    random = random_network(3, nodes=12, most_values=4)
    rng = np.random.default_rng(0)
    rows = np.column_stack(random.sample_values(20, rng)).astype(np.int32)
    rows[rng.random(rows.shape) < 0.6] = -1
    found = []
    for most in (math.inf, -1):
        monkeypatch.setattr(loops, "PLAIN_WORK", most)
        tree = tree_of(random)
        parts = tree.posteriors(rows)
        counts, _ = tree.expected_counts(rows)
        states, logs = tree.most_probable(rows)
        found.append((parts.probabilities, parts.log_probability, counts, states, logs))
    assert all(np.array_equal(plain, compiled) for plain, compiled in zip(*found, strict=True))


def test_rows_do_not_depend_on_each_other():
    random = random_network(5, nodes=10)
    rng = np.random.default_rng(1)
    rows = np.column_stack(random.sample_values(30, rng)).astype(np.int32)
    rows[rng.random(rows.shape) < 0.5] = -1
    together = tree_of(random).posteriors(rows)
    for k in (0, 7, 29):
        alone = tree_of(random).posteriors(rows[k : k + 1])
        assert np.allclose(alone.probabilities[0], together.probabilities[k], atol=1e-12)
        assert alone.log_probability[0] == pytest.approx(together.log_probability[k])
    assert tree_of(random).posteriors(rows[:0]).probabilities.shape[0] == 0


def test_a_long_chain_does_not_underflow():
    n = 400
    chain = BeliefNetwork.of(
        {f"x{k}": [f"x{k - 1}"] for k in range(1, n)} | {f"y{k}": [f"x{k}"] for k in range(n)},
        {"x0": 0.5}
        | {f"x{k}": {True: 0.6, False: 0.4} for k in range(1, n)}
        | {f"y{k}": {True: 1e-3, False: 2e-3} for k in range(n)},
    )
    rows = np.full((1, 2 * n), -1, np.int32)
    rows[0, [chain.graph.position(f"y{k}") for k in range(n)]] = 1
    found = tree_of(chain).posteriors(rows)
    assert found.log_probability[0] < -1000
    assert np.allclose(found.probabilities.sum(), 2 * n)


def test_tables_that_do_not_fit_are_refused_beforehand(monkeypatch):
    monkeypatch.setattr(junction_tree, "MOST_ENTRIES", 100)
    names = [f"x{k}" for k in range(8)]
    wide = BeliefNetwork.of({"y": names})
    with pytest.raises(
        InputError, match=r"tables of 256 entries .* more than 100; observe more nodes, or use"
    ):
        wide.query("x0", {"y": True})
    assert wide.query("x0", {"y": True, **dict.fromkeys(names[1:], False)})[True] == 0.5
    assert wide.query("x0")[True] == 0.5  # y is barren
    with pytest.raises(InputError, match="entries"):
        wide.query(names)


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_enumeration_of_too_many_states():
    with pytest.raises(InputError, match="8,388,608 states to enumerate"):
        BeliefNetwork.of({f"x{k}": ["x0"] for k in range(1, 23)}).query("x0", method="enumeration")


# --- evidence


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_jeffreys_rule_gives_the_new_probabilities_and_mixes_the_posteriors(seed):
    random = random_network(seed, zeros=False)
    rng = np.random.default_rng(seed)
    first, second = rng.permutation(random.nodes)[:2]
    new = rng.dirichlet(np.ones(len(random.column(first).domain)))
    told = {first: Jeffrey(dict(zip(random.column(first).domain, new.tolist(), strict=True)))}
    assert np.allclose(random.query(first, told).probabilities, new, atol=1e-9)
    mixed = sum(
        chance * random.query(second, {first: value}).probabilities
        for value, chance in zip(random.column(first).domain, new, strict=True)
    )
    assert np.allclose(random.query(second, told).probabilities, mixed, atol=1e-9)


def test_several_new_probabilities_hold_at_once(fire):
    told = {"Thunder": Jeffrey({True: 0.7, False: 0.3}), "ForestFire": Jeffrey({True: 0.6, False: 0.4})}
    assert fire.query("Thunder", told)[True] == pytest.approx(0.7)
    assert fire.query("ForestFire", told)[True] == pytest.approx(0.6)


def test_virtual_evidence_is_a_child(fire):
    """A child that is True with probabilities .7 and .1 is evidence of 7 to 1."""
    parents = {node: fire.graph.parents_of(node) for node in fire.nodes} | {"Witness": ["Thunder"]}
    tables = {node: fire.conditional(node) for node in fire.nodes} | {"Witness": {True: 0.7, False: 0.1}}
    larger = BeliefNetwork.of(parents, tables)
    told = fire.query("Storm", {"Thunder": Virtual({True: 7, False: 1})})
    assert told[True] == pytest.approx(larger.query("Storm", {"Witness": True})[True])


def test_hard_evidence_is_virtual_evidence_that_excludes(fire):
    assert fire.query("Storm", {"Thunder": Virtual({True: 5})})[True] == pytest.approx(
        fire.query("Storm", {"Thunder": True})[True]
    )


def test_what_is_observed_is_certain(fire):
    for method in (
        "exact",
        "enumeration",
        "elimination",
        "loopy",
        "rejection",
        "likelihood-weighting",
        "gibbs",
    ):
        assert fire.query("Storm", {"Storm": True}, method=method, random_state=0)[True] == 1.0
    assert fire.query(["Storm", "Thunder"], {"Storm": True})[True, True] == pytest.approx(0.865)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"Strom": True}, "there is no node 'Strom'; did you mean 'Storm'"),
        ({"Storm": "Tru"}, "there is no value of 'Storm' 'Tru'; did you mean 'True'"),
        ({"Storm": {True: 0.5}}, r"give Virtual\(…\) for likelihoods, or Jeffrey"),
        ({"Storm": Virtual({True: -1})}, "contain -1; give numbers of at least 0"),
        ({"Storm": Virtual({True: 0})}, "are all 0"),
        ({"Storm": Jeffrey({True: 0.5})}, "sum to 0.5; make them sum to 1"),
        ({"Storm": Jeffrey({"maybe": 1.0})}, "there is no value of 'Storm' 'maybe'"),
    ],
)
def test_bad_evidence(fire, given, message):
    with pytest.raises(InputError, match=message):
        fire.query("Thunder", given)


def test_bad_questions(fire):
    with pytest.raises(InputError, match="did you mean 'Thunder'"):
        fire.query("Thnuder")
    with pytest.raises(InputError, match="names no node"):
        fire.query([])
    with pytest.raises(InputError, match="give each node once"):
        fire.query(["Storm", "Storm"])
    with pytest.raises(InputError, match="method is 'guess'; it can be 'exact'"):
        fire.query("Storm", method="guess")
    with pytest.raises(InputError, match="precision is 0"):
        fire.query("Storm", precision=0)
    with pytest.raises(InputError, match="has no probability"):
        fire.probability({"Storm": Jeffrey({True: 1.0})})
    with pytest.raises(InputError, match="sets a node to one value"):
        fire.do({"Storm": Virtual({True: 1})})


def test_impossible_evidence_is_named():
    lawn = textbook_network("sprinkler")
    for question in (lawn.query, lambda target, known: lawn.most_probable(known)):
        with pytest.raises(
            InputError, match=r"Sprinkler = False, Rain = False and WetGrass = True exclude each"
        ):
            question("Cloudy", {"Sprinkler": False, "Rain": False, "WetGrass": True})
    sure = BeliefNetwork.of({}, {"a": {"x": 1.0, "y": 0.0}, "b": 0.5})
    with pytest.raises(InputError, match="a = y has probability 0"):
        sure.query("b", {"a": "y", "b": True})
    with pytest.raises(InputError, match="a = y is impossible and cannot get a new probability"):
        sure.query("b", {"a": Jeffrey({"y": 1.0})})
    assert sure.probability({"a": "y"}) == 0.0


# --- what to observe next


def test_next_observations_are_mutual_information(fire):
    found = fire.next_observations("ForestFire", {"Thunder": True})
    assert [each.node for each in found] == ["Lightning", "Campfire", "Storm", "BusTourGroup"]
    joint = fire.query(["ForestFire", "Lightning"], {"Thunder": True}).probabilities
    product = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    assert found[0].value == pytest.approx((joint * np.log2(joint / product)).sum())
    assert [each.node for each in fire.next_observations("Storm", candidates=["Thunder"])] == ["Thunder"]


def test_next_observations_by_utility():
    """An oil well: it costs 70 to drill, and pays 200 if there is oil; the test is right 90 of 100 times."""
    well = BeliefNetwork.of({"test": ["oil"]}, {"oil": 0.3, "test": {True: 0.9, False: 0.1}})
    utilities = {"drill": {True: 130.0, False: -70.0}, "leave": {True: 0.0, False: 0.0}}
    (test,) = well.next_observations("oil", utilities=utilities)
    assert test.value == pytest.approx(max(0, 0.27 * 130 - 0.07 * 70) - max(0, 0.3 * 130 - 0.7 * 70))
    assert well.next_observations("oil", utilities={"leave": {True: 0, False: 0}})[0].value == 0.0
    with pytest.raises(InputError, match="do not match the values of 'oil'"):
        well.next_observations("oil", utilities={"drill": {True: 1}})
    with pytest.raises(InputError, match="name a nominal node that is not observed"):
        well.next_observations("oil", {"oil": True})


def test_one_tree_for_all_rows_is_as_good_as_one_for_each(monkeypatch):
    network = textbook_network("sprinkler")
    tree = JunctionTree(network.factors, network.graph.order)
    rng = np.random.default_rng(0)
    rows = np.column_stack(network.sample_values(40, rng)).astype(np.int32)
    rows[rng.random(rows.shape) < 0.5] = -1
    rows[3] = [-1, 0, 0, 1]
    monkeypatch.setattr(
        "induce.belief_networks.inference.junction_tree._grouped", lambda rows: (0, 0, range(len(rows) + 1))
    )
    assert tree._in_one(rows) is not None
    together = tree.posteriors(rows)
    monkeypatch.undo()
    each = [tree.posteriors(rows[k : k + 1]) for k in range(len(rows))]
    assert np.allclose(
        together.probabilities, np.vstack([one.probabilities for one in each]), atol=1e-14, equal_nan=True
    )
    assert np.allclose(together.log_probability, [one.log_probability[0] for one in each])


def test_what_is_given_is_a_dict():
    with pytest.raises(InputError, match=r"given is \['Thunder'\]; give a dict from nodes"):
        textbook_network("forest-fire").query("Storm", given=["Thunder"])


@pytest.mark.parametrize("method", ["exact", "elimination", "loopy"])
def test_impossible_evidence_in_a_loop(method):
    """Each finding alone is possible; loopy propagation answered 50/50."""
    unequal = {(True, True): 0.0, (True, False): 1.0, (False, True): 1.0, (False, False): 0.0}
    network = BeliefNetwork.of(
        {"A": [], "B": [], "C": ["A", "B"], "D": ["A", "B"]}, {"A": 0.5, "B": 0.5, "C": unequal, "D": unequal}
    )
    with pytest.raises(InputError, match="C = True and D = False exclude each other"):
        network.query("A", given={"C": True, "D": False}, method=method)


def test_elimination_knows_beforehand_that_tables_are_too_large():
    above = {
        f"{row} {column}": [
            f"{a} {b}" for a, b in ((row - 1, column), (row, column - 1)) if a >= 0 and b >= 0
        ]
        for row in range(30)
        for column in range(30)
    }
    with pytest.raises(InputError, match=r"an exact answer needs tables of [\d,]+ entries"):
        BeliefNetwork.of(above, {}).query("29 29", method="elimination")


def test_a_repeated_question_grows_no_tree(monkeypatch):
    network = textbook_network("asia")
    first = network.query("lung", given={"dysp": "yes"}) if "lung" in network.nodes else None
    node = network.nodes[-1]
    answer = network.query(node)
    monkeypatch.setattr(type(network.tree), "_grown", None)
    assert network.query(node) == answer
    assert first is None or network.query("lung", given={"dysp": "yes"}) == first
