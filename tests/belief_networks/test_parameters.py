"""Parameters where cells are missing or nodes are hidden: EM, gradient ascent, L-BFGS, Gibbs sampling, updates."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.belief_networks import (
    BeliefNetwork,
    Cases,
    JunctionTree,
    NetworkParameters,
    Normal,
    textbook_network,
)
from induce.belief_networks.parameters.expectation import Expectation
from induce.belief_networks.parameters.families import Families
from induce.belief_networks.parameters.prior import Prior
from induce.belief_networks.parameters.search import Hill, Point
from induce.core import loops
from induce.data.schema import Column, Schema

CANDY = {
    ("cherry", "red", True): 273,
    ("cherry", "red", False): 93,
    ("cherry", "green", True): 104,
    ("cherry", "green", False): 90,
    ("lime", "red", True): 79,
    ("lime", "red", False): 100,
    ("lime", "green", True): 94,
    ("lime", "green", False): 167,
}
FEATURES = {"Flavor": ["lime", "cherry"], "Wrapper": ["green", "red"], "Hole": [False, True]}


def candies() -> tuple[pl.DataFrame, list[int]]:
    return pl.DataFrame(list(CANDY), schema=list(FEATURES), orient="row"), list(CANDY.values())


def bags(theta: float, *chances: float) -> BeliefNetwork:
    """The mixture of two bags: the share of bag 1, then cherry, red and hole in bag 1 and in bag 2."""
    tables = {
        name: {1: [1 - chances[k], chances[k]], 2: [1 - chances[k + 3], chances[k + 3]]}
        for k, name in enumerate(FEATURES)
    }
    return BeliefNetwork.of(
        {name: ["Bag"] for name in FEATURES},
        {"Bag": [theta, 1 - theta], **tables},
        {"Bag": [1, 2], **FEATURES},
    )


START = bags(0.6, 0.6, 0.6, 0.6, 0.4, 0.4, 0.4)


def candy_em(iterations: int, start: BeliefNetwork = START, **more) -> NetworkParameters:
    X, weights = candies()
    learner = NetworkParameters(start, method="em", alpha=0, max_iter=iterations, tol=0, **more)
    return learner.fit(X, sample_weight=weights)


def parameters(network: BeliefNetwork) -> list[float]:
    found = [network.conditional("Bag").probabilities[0]]
    found += [network.conditional(name).probabilities[bag, 1] for bag in (0, 1) for name in FEATURES]
    return found


# --- the candy bags (AIMA 20.3)


@pytest.mark.parametrize(
    ("iterations", "expected", "log"),
    [
        (1, [0.612431, 0.668408, 0.648312, 0.655848, 0.388695, 0.381748, 0.382741], -2021.026239),
        (2, [0.606155, 0.703582, 0.677245, 0.687990, 0.339017, 0.341466, 0.337624], -2003.025050),
        (10, [0.559853, 0.806031, 0.737062, 0.767898, 0.247057, 0.300704, 0.272840], -1982.017785),
        (50, [0.457930, 0.868562, 0.780527, 0.816619, 0.299333, 0.346031, 0.324766], -1979.552347),
    ],
)
def test_candy(iterations, expected, log):
    learner = candy_em(iterations)
    assert parameters(learner.hypothesis_) == pytest.approx(expected, abs=5e-7)
    assert learner.search_.objective[0] == pytest.approx(-2044.260365, abs=5e-7)
    assert learner.search_.objective[-1] == pytest.approx(log, abs=5e-7)


def test_candy_to_the_end():
    X, weights = candies()
    truth = bags(0.5, 0.8, 0.8, 0.8, 0.3, 0.3, 0.3)
    assert np.array(weights) @ truth.score_samples(X) == pytest.approx(-1982.213774, abs=5e-7)
    plain, polished = candy_em(500), candy_em(20, polish=True)
    better = [k for k, log in enumerate(plain.search_.objective) if log > -1982.213774]
    assert better[0] == 10
    limit = [0.4194244564, 0.8933770361, 0.7974485527, 0.8364958904, 0.3191588490, 0.3626239110, 0.3430271359]
    assert parameters(plain.hypothesis_) == pytest.approx(limit, abs=1e-5)
    assert parameters(polished.hypothesis_) == pytest.approx(limit, abs=1e-6)
    assert polished.search_.objective[-1] == pytest.approx(-1979.3601270423, abs=1e-9)
    assert len(polished.search_.objective) < 100
    assert "objective -1979.36" in str(polished.search_)
    assert polished.search_.draw()


def test_random_starts_find_the_bags():
    X, weights = candies()
    learner = NetworkParameters(
        {name: ["Bag"] for name in FEATURES}, method="em", alpha=0, hidden={"Bag": 2}, n_init=5, polish=True
    )
    learner.fit(X, sample_weight=weights)
    assert learner.search_.finals[learner.search_.start] == pytest.approx(-1979.3601270423, abs=1e-6)
    assert len(learner.search_.finals) == 5
    learner.set_params(structure={f"x{k}": ["Bag"] for k in range(3)}, max_iter=2, n_init=1)
    rows = X.to_numpy()
    assert learner.fit(rows, sample_weight=weights).score_samples(rows).shape == (8,)


def test_symmetric_starts_stay_symmetric():
    """AIMA, exercise 20.10c: a saddle, which a small push leaves."""
    learner = candy_em(5, bags(0.4, *[0.4] * 6))
    assert parameters(learner.hypothesis_) == pytest.approx(
        [0.4, 0.56, 0.545, 0.55, 0.56, 0.545, 0.55], abs=1e-12
    )
    assert learner.search_.objective[-1] == pytest.approx(-2063.160309, abs=5e-7)
    pushed = candy_em(500, bags(0.5, *[0.5 + 1e-4] * 3, *[0.5] * 3))
    assert pushed.search_.objective[-1] == pytest.approx(-1979.360, abs=1e-3)


def test_two_attributes_do_not_tell_the_bags():
    """AIMA, exercise 20.10a: different parameters, the same likelihood."""
    X, weights = candies()
    found = []
    for seed in range(3):
        learner = NetworkParameters(
            {"Flavor": ["Bag"], "Wrapper": ["Bag"]},
            method="em",
            alpha=0,
            hidden={"Bag": ["1", "2"]},
            random_state=seed,
            tol=1e-13,
            max_iter=5000,
        )
        learner.fit(X.drop("Hole"), sample_weight=weights)
        assert learner.search_.objective[-1] == pytest.approx(-1344.545111, abs=1e-4)
        found.append(round(float(learner.hypothesis_.conditional("Bag").probabilities[0]), 3))
    assert len(set(found)) > 1


def test_the_slope_at_the_start_of_the_candies():
    """AIMA, exercise 20.10d: by each free parameter."""
    X, weights = candies()
    schema = START.schema
    codes = np.column_stack(
        [np.full(8, -1), *([column.domain.index(v) for v in X[column.name]] for column in schema.columns[1:])]
    )
    cases = Cases.of(schema, codes.astype(np.int32), weights=np.array(weights, float))
    hill = Hill.of(Families.of(cases, START.parents), cases, Prior(alpha=0.0))
    point = hill.at(START)
    slope = hill.slope(point, hill.expected(point)).reshape(-1, 2)  # the tables have rows of two
    free = [slope[0, 0] - slope[0, 1]] + [slope[k, 1] - slope[k, 0] for k in (1, 3, 5, 2, 4, 6)]
    expected = [51.794211, 174.563838, 123.281787, 142.512556, -18.256014, -29.473962, -27.871398]
    assert free == pytest.approx(expected, abs=5e-7)


# --- the forest fire (Mitchell 6.11; the partial cases are ours)

FIRES = pl.DataFrame(
    {
        "Storm": [None, None, True],
        "BusTourGroup": [True, False, None],
        "Lightning": pl.Series([None] * 3, dtype=pl.Boolean),
        "Campfire": [None, None, True],
        "Thunder": [True, False, True],
        "ForestFire": [True, False, None],
    }
)


def fires(method: str, iterations: int) -> NetworkParameters:
    learner = NetworkParameters(
        textbook_network("forest-fire"), method=method, alpha=0, max_iter=iterations, tol=0
    )
    return learner.fit(FIRES)


def test_equation_6_25():
    network = textbook_network("forest-fire")
    codes = np.full((3, 6), -1, np.int32)
    for name in FIRES.columns:
        for row, value in enumerate(FIRES[name]):
            if value is not None:
                codes[row, network.graph.position(name)] = network.column(name).domain.index(value)
    cases = Cases.of(network.schema, codes)
    hill = Hill.of(Families.of(cases, network.parents), cases, Prior(alpha=0.0))
    point = hill.at(network)
    expected = hill.expected(point)
    assert expected.log == pytest.approx(-7.06520972, abs=5e-9)
    slope = hill.slope(point, expected)

    def at(name, value, *state):
        node = network.graph.position(name)
        shape = hill.expectation.factors.shape(node)
        codes = [
            network.schema.columns[k].domain.index(v)
            for k, v in zip((*network.parents[node], node), (*state, value), strict=True)
        ]
        return slope[hill.cells(node)].reshape(shape)[tuple(codes)]

    assert network.graph.parents_of("Campfire") == ("Storm", "BusTourGroup")
    found = [
        at("Campfire", True, False, False),
        at("Campfire", False, False, False),
        at("Campfire", True, True, True),
        at("Campfire", False, True, True),
        at("Lightning", True, True),
        at("Lightning", False, True),
        at("Storm", True),
        at("Storm", False),
    ]
    assert found == pytest.approx(
        [0.72573906, 1.02632886, 2.71648330, 0.57268501, 1.80612413, 0.38481711, 8.31996715, 1.67000821],
        abs=5e-9,
    )


def test_gradient_ascent():
    learner = fires("gradient", 3)
    assert learner.search_.objective[1:] == pytest.approx([-6.57694955, -6.31264402, -6.13390147], abs=5e-9)
    assert learner.hypothesis_.query("Storm")[True] == pytest.approx(0.32923175, abs=5e-9)


def test_em_on_the_same_cases():
    learner = fires("em", 3)
    assert learner.search_.objective[1:] == pytest.approx([-4.19453145, -3.77929034, -3.58059325], abs=5e-9)
    network = learner.hypothesis_
    assert network.query("Storm")[True] == pytest.approx(0.64257929, abs=5e-9)
    dry = network.query("Campfire", {"Storm": False, "BusTourGroup": False})[True]
    assert dry == pytest.approx(0.04895021, abs=5e-9)


def test_a_step_that_is_too_long_is_shortened():
    learner = NetworkParameters(
        textbook_network("forest-fire"), method="gradient", learning_rate=1e6, max_iter=20, alpha=0.1
    )
    with pytest.warns(induce.Note, match="learning_rate"):
        learner.fit(FIRES)
    assert np.all(np.diff(learner.search_.objective) >= 0)


# --- expected counts


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.1, 0.4, 0.9]))
def test_expected_counts_are_those_of_whole_rows(seed, share):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    sizes = rng.integers(1, 4, n)
    parents = [tuple(k for k in range(node) if rng.random() < 0.5) for node in range(n)]
    nodes = Schema(tuple(Column(f"x{k}", "nominal", tuple(range(size))) for k, size in enumerate(sizes)))
    codes = np.column_stack([rng.integers(0, size, 12) for size in sizes]).astype(np.int32)
    codes[rng.random(codes.shape) < share] = -1
    cases = Cases.of(nodes, codes, weights=rng.random(12))
    step = Expectation.of(cases, parents)
    hill = Hill.of(Families.of(cases, parents), cases, Prior())
    tables = hill.chance(rng).tables
    counts, log = step.count(tables)
    network = hill.network(Point(tables, {}))
    expected, logs = JunctionTree(network.factors, network.graph.order).expected_counts(codes, cases.weights)
    assert counts == pytest.approx(expected, abs=1e-9)
    assert log == pytest.approx(cases.weights @ logs, abs=1e-9)


@pytest.mark.compiled
def test_plain_is_compiled(monkeypatch):
    X = textbook_network("forest-fire").sample(40, 0)
    holes = np.random.default_rng(0).random((40, 6)) < 0.2
    X = X.with_columns(
        pl.when(pl.Series(holes[:, k])).then(None).otherwise(pl.col(name)).alias(name)
        for k, name in enumerate(X.columns)
    )
    found = []
    for most in (np.inf, 0):
        monkeypatch.setattr(loops, "PLAIN_WORK", most)
        for method in ("em", "gibbs"):
            learner = NetworkParameters(
                textbook_network("forest-fire").graph, method=method, max_iter=20, n_init=2
            )
            found.append(learner.fit(X).hypothesis_)
    assert found[0] == found[2]
    assert found[1] == found[3]


# --- holes


def test_em_beats_counting_where_cells_are_missing_for_a_reason():
    """What is missing depends on what is known: counting whole families is biased, EM is not."""
    truth = BeliefNetwork.of(
        {"b": ["a"], "c": ["b"]},
        {"a": [0.5, 0.5], "b": {0: [0.8, 0.2], 1: [0.3, 0.7]}, "c": {0: [0.9, 0.1], 1: [0.2, 0.8]}},
        {"a": [0, 1], "b": [0, 1], "c": [0, 1]},
    )
    X = truth.sample(4000, 1).cast(pl.Int64)
    gone = (X["c"].to_numpy() == 1) & (np.random.default_rng(2).random(4000) < 0.8)
    X = X.with_columns(b=pl.when(pl.Series(gone)).then(None).otherwise(pl.col("b")))

    def error(method):
        network = NetworkParameters(truth, method=method, alpha=0.01).fit(X).hypothesis_
        gaps = [
            network.conditional(name).probabilities - truth.conditional(name).probabilities for name in "abc"
        ]
        return max(float(np.abs(gap).max()) for gap in gaps)

    assert error("em") < 0.06
    assert error("counts") > 0.2


def test_em_on_whole_rows_is_counting():
    X, y = induce.dataset("play-tennis")
    arcs = {"Humidity": ["PlayTennis", "Outlook"], "Outlook": ["PlayTennis"]}
    counted = NetworkParameters(arcs).fit(X, y).hypothesis_
    expected = NetworkParameters(arcs, method="em").fit(X, y).hypothesis_
    assert expected.predict_proba(X) == pytest.approx(counted.predict_proba(X), abs=1e-12)


def test_a_noisy_or_with_holes():
    fever = textbook_network("fever")
    X = fever.sample(3000, 0)
    holes = np.random.default_rng(1).random(X.shape) < 0.1
    X = X.with_columns(
        pl.when(pl.Series(holes[:, k])).then(None).otherwise(pl.col(name)).alias(name)
        for k, name in enumerate(X.columns)
    )
    arcs = fever.graph
    name = next(node for node in fever.nodes if arcs.parents_of(node))
    learner = NetworkParameters(arcs, method="em", conditionals={name: "noisy-or"}, alpha=0.1, max_iter=50)
    found = learner.fit(X).hypothesis_.conditional(name)
    expected = fever.conditional(name)
    assert [row[1] for row in found.fails] == pytest.approx([row[1] for row in expected.fails], abs=0.12)
    assert np.all(np.diff(learner.search_.objective) >= -1e-6)


def test_mixed_columns_with_holes():
    truth = BeliefNetwork.of(
        {"x": ["g"], "y": ["g", "x"], "h": ["g"]},
        {
            "g": {"u": 0.4, "v": 0.6},
            "h": {"u": {"p": 0.9, "q": 0.1}, "v": {"p": 0.2, "q": 0.8}},
            "x": {"u": Normal(0.0, 1.0), "v": Normal(4.0, 1.0)},
            "y": {"u": Normal(1.0, 0.5, {"x": 1.0}), "v": Normal(0.0, 0.5, {"x": -0.5})},
        },
    )
    X = truth.sample(150, 3)
    holes = np.random.default_rng(1).random(X.shape) < 0.1
    X = X.with_columns(
        pl.when(pl.Series(holes[:, k])).then(None).otherwise(pl.col(name)).alias(name)
        for k, name in enumerate(X.columns)
    )
    learner = NetworkParameters(truth.graph, method="em", alpha=0.1).fit(X)
    assert np.all(np.diff(learner.search_.objective) >= -1e-6)
    line = learner.hypothesis_.conditional("y")
    assert line.weights.ravel() == pytest.approx([1.0, -0.5], abs=0.25)
    assert learner.score(X) > NetworkParameters().fit(X).score(X)


def test_a_hidden_cause_of_numbers():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 60)
    X = pl.DataFrame({"x": group * 6 + rng.normal(0, 1, 60), "y": group * 6 + rng.normal(0, 1, 60)})
    learner = NetworkParameters(
        {"x": ["kind"], "y": ["kind"]}, method="em", hidden={"kind": ["a", "b"]}, max_iter=25, n_init=2
    ).fit(X)
    found = (learner.hypothesis_.query_rows(X, "kind")["kind = a"] > 0.5).to_numpy()
    assert max(np.mean(found == group), np.mean(found != group)) > 0.95


# --- Gibbs sampling


def test_gibbs_sampling_finds_the_posterior_mean():
    """Two cells of a table; the middle one missing in some cases: the mean follows from enumeration."""
    X = pl.DataFrame({"a": [0, 0, 1, 1, 0], "b": [0, 1, 1, None, None]})
    arcs = BeliefNetwork.of({"b": ["a"]}, values={"a": [0, 1], "b": [0, 1]})
    learner = NetworkParameters(arcs, method="gibbs", n_init=4, max_iter=1500, random_state=1).fit(X)
    # b is missing at random and has no children: its holes say nothing, so the means are those of the whole rows
    found = learner.hypothesis_.conditional("b").probabilities
    assert found == pytest.approx(np.array([[0.5, 0.5], [1 / 3, 2 / 3]]), abs=0.02)
    assert learner.chains_.converged
    assert learner.chains_.effective_size.min() > 300
    assert "4 chains of 1,500 draws" in str(learner.chains_)
    assert learner.chains_.draw()


def test_chains_that_disagree_are_told():
    X, weights = candies()
    rows = X[np.repeat(np.arange(8), np.array(weights) // 10)]
    learner = NetworkParameters(
        {name: ["Bag"] for name in FEATURES}, method="gibbs", hidden={"Bag": 2}, n_init=3, max_iter=30
    )
    with pytest.warns(induce.Note, match="the chains have not converged"):
        learner.fit(rows)
    assert learner.chains_.r_hat.max() > 1.05


# --- a network in use


def test_cases_one_by_one_are_cases_at_once():
    """AIMA 20.2, the unrolled network: three candies with even priors."""
    X = pl.DataFrame({"Flavor": ["cherry", "cherry", "lime"], "Wrapper": ["red", "green", "red"]})
    schema = {"Flavor": {"domain": ("cherry", "lime")}, "Wrapper": {"domain": ("green", "red")}}
    learner = NetworkParameters({"Wrapper": ["Flavor"]}, schema=schema)
    for row in range(3):
        learner.partial_fit(X[row : row + 1])
    network = learner.hypothesis_
    assert network == NetworkParameters({"Wrapper": ["Flavor"]}, schema=schema).fit(X).hypothesis_
    assert network.query("Flavor")["cherry"] == pytest.approx(0.6)
    assert network.query("Wrapper", {"Flavor": "cherry"})["red"] == pytest.approx(0.5)
    assert network.query("Wrapper", {"Flavor": "lime"})["red"] == pytest.approx(2 / 3)
    assert network.query("Wrapper")["red"] == pytest.approx(0.566667, abs=1e-6)


def test_updates_of_an_experts_network(tmp_path):
    expert = textbook_network("forest-fire")
    learner = NetworkParameters(expert, equivalent_sample_size=50.0)
    learner.partial_fit(expert.sample(2, 0))
    assert learner.hypothesis_.query("Storm")[True] == pytest.approx(0.2, abs=0.04)
    storms = pl.DataFrame(
        {name: [True if name in ("Storm", "Lightning") else None] * 20 for name in expert.nodes}
    )
    storms = storms.cast(pl.Boolean)
    induce.save(learner, tmp_path / "fire.induce")
    loaded = induce.load(tmp_path / "fire.induce")
    for each in (learner, loaded):
        each.partial_fit(storms)
    assert learner.hypothesis_ == loaded.hypothesis_
    assert learner.hypothesis_.query("Storm")[True] == pytest.approx((0.2 * 50 + 20) / 72, abs=0.03)


def test_updates_of_a_classifier_with_numbers():
    X, y = induce.dataset("iris")
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X[order], y[order]
    learner = NetworkParameters().fit(X[:60], y[:60])
    before = learner.score(X, y)
    for start in range(60, 150, 30):
        learner.partial_fit(X[start : start + 30], y[start : start + 30])
    whole = NetworkParameters().fit(X, y)
    assert learner.score(X, y) >= before - 0.01
    assert learner.predict_proba(X) == pytest.approx(whole.predict_proba(X), abs=0.02)
    with pytest.raises(induce.InputError, match="the rows have no class"):
        learner.partial_fit(X)


# --- bad input


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"method": "EM"}, "method is 'EM'"),
        ({"hidden": {"bag": 2}, "structure": {"Hole": ["bag"]}}, "'bag' is never observed"),
        (
            {"hidden": {"bag": 0}, "structure": {"Hole": ["bag"]}, "method": "em"},
            "hidden gives 'bag' the values",
        ),
        ({"hidden": {"Hole": 2}, "method": "em"}, "hidden contains 'Hole', which is a column"),
        ({"hidden": ["bag"], "method": "em"}, "hidden is"),
        ({"structure": {"Hole": ["Bag"]}, "method": "em"}, "there is no column 'Bag'"),
        ({"method": "gibbs", "alpha": 0}, "give an alpha above 0"),
        ({"method": "em", "max_iter": 0}, "max_iter is 0"),
        ({"method": "em", "n_init": 0}, "n_init is 0"),
        ({"method": "gradient", "learning_rate": "fast"}, "learning_rate is 'fast'"),
    ],
)
def test_bad_settings(settings, sentence):
    X, _ = candies()
    with pytest.raises(induce.InputError, match=sentence):
        NetworkParameters(**settings).fit(X)


def test_numbers_need_em():
    X = pl.DataFrame({"x": [1.5, 2.0, None], "k": ["a", "b", "a"]})
    with pytest.raises(induce.InputError, match="does not support numeric columns"):
        NetworkParameters(method="gibbs").fit(X)
    with pytest.raises(induce.InputError, match="a nominal node with a numeric parent"):
        NetworkParameters({"k": ["x"]}, method="em").fit(X)


def test_values_that_the_network_does_not_have():
    network = BeliefNetwork.of({"b": ["a"]}, values={"a": ["x", "y"], "b": ["x", "y"]})
    with pytest.raises(induce.InputError, match="there is no value of 'a' 'z'"):
        NetworkParameters(network).fit(pl.DataFrame({"a": ["x", "z"], "b": ["x", "y"]}))
    learner = NetworkParameters(network).fit(pl.DataFrame({"a": ["y", "y"], "b": ["x", "x"]}))
    assert learner.hypothesis_.column("a").domain == ("x", "y")
