"""Parameters by counts, and learners of networks as densities and as classifiers."""

from __future__ import annotations

import sqlite3

import numpy as np
import polars as pl
import pytest

import induce
from induce.belief_networks import BeliefNetwork, Cases, NetworkParameters, Normal
from induce.belief_networks.parameters.families import by_counts
from induce.belief_networks.parameters.prior import Prior
from induce.core.loops import PLAIN_WORK
from induce.data.schema import Column, Schema

TENNIS = ("Outlook", "Temperature", "Humidity", "Wind")


def nodes(*sizes: int) -> Schema:
    return Schema(tuple(Column(f"x{k}", "nominal", tuple(range(size))) for k, size in enumerate(sizes)))


@pytest.mark.compiled
def test_counting_plain_is_counting_compiled():
    rng = np.random.default_rng(0)
    codes = np.column_stack([rng.integers(-1, size, 4000) for size in (2, 3, 4)]).astype(np.int32)
    weights = rng.integers(0, 3, 4000) * 0.5
    cases = Cases.of(nodes(2, 3, 4), codes, weights=weights)
    scopes = [(2, 0, 1), (1,), (0, 2)]
    few = cases.counts(scopes)
    many = cases.counts(scopes * (1 + 10 * PLAIN_WORK // (6 * 4000)))
    assert all(np.array_equal(a, b) for a, b in zip(few, many[:3], strict=True))
    whole = (codes >= 0).all(axis=1)
    assert few[0].sum() == weights[whole].sum()
    assert few[0][3, 1, 2] == weights[(codes[:, 2] == 3) & (codes[:, 0] == 1) & (codes[:, 1] == 2)].sum()


def test_naive_bayes_is_a_network():
    """Mitchell, exercise 6.6."""
    X, y = induce.dataset("play-tennis")
    network = NetworkParameters(alpha=0).fit(X, y).hypothesis_.network
    assert set(network.graph.arcs) == {("PlayTennis", name) for name in TENNIS}
    wind = network.query("Wind", {"PlayTennis": "Yes"})
    assert (wind["Strong"], wind["Weak"]) == pytest.approx((3 / 9, 6 / 9), abs=1e-15)
    assert network.query("Wind", {"PlayTennis": "No"})["Strong"] == pytest.approx(3 / 5, abs=1e-15)
    bayes, other = induce.NaiveBayes(alpha=1, class_alpha=1), NetworkParameters(alpha=1)
    assert other.fit(X, y).predict_proba(X) == pytest.approx(bayes.fit(X, y).predict_proba(X), abs=1e-12)


def test_naive_bayes_to_a_network():
    X, y = mixed()
    bayes = induce.NaiveBayes().fit(X, y)
    model = bayes.to_network().classifier("kind")
    holes = X.with_columns(size=pl.lit(None).cast(pl.Float64))
    for rows in (X, holes):
        assert model.predict_proba(rows) == pytest.approx(bayes.predict_proba(rows), abs=1e-12)
    with pytest.raises(induce.InputError, match="column 'size' is neither a table of values nor normal"):
        induce.NaiveBayes(numeric="kernel").fit(X, y).to_network()
    with pytest.raises(induce.InputError, match="missing is a separate value of 'colour'"):
        induce.NaiveBayes(unknown="value").fit(X, y).to_network()


def test_pseudo_counts():
    cases = Cases.of(nodes(2, 2), np.array([[0, 0], [0, 0], [1, 1], [0, -1]], np.int32))

    def table(**prior):
        return by_counts(cases, [(), (0,)], Prior(**prior)).conditionals[1].probabilities.tolist()

    assert table(alpha=0.0) == [[1, 0], [0, 1]]
    assert table(alpha=1.0) == [[3 / 4, 1 / 4], [1 / 3, 2 / 3]]
    assert table(equivalent_sample_size=4.0) == table(alpha=1.0)
    assert table(alpha={"x1": [[0.0, 2.0], [0.0, 0.0]]}) == [[1 / 2, 1 / 2], [0, 1]]
    expert = BeliefNetwork.of(
        {"x1": ["x0"]},
        {"x0": [0.5, 0.5], "x1": {0: [0.5, 0.5], 1: [0.25, 0.75]}},
        {"x0": [0, 1], "x1": [0, 1]},
    )
    # eight cases as the expert expects them: two of each where x0 = 0, one and three where x0 = 1
    assert table(equivalent_sample_size=8.0, network=expert) == [[4 / 6, 2 / 6], [1 / 5, 4 / 5]]


def test_a_state_never_seen_is_even():
    cases = Cases.of(nodes(2, 3), np.array([[0, 0]], np.int32))
    assert (
        by_counts(cases, [(), (0,)], Prior(alpha=0.0)).conditionals[1].probabilities[1].tolist()
        == [1 / 3] * 3
    )


def test_lines_are_least_squares():
    """AIMA 20.2: maximum likelihood of a linear-Gaussian node."""
    rng = np.random.default_rng(1)
    x, g = rng.normal(5, 2, 300), rng.integers(0, 2, 300)
    y = np.where(g == 1, 3 + 2 * x, 1 - x) + rng.normal(0, 0.5, 300)
    X = pl.DataFrame({"g": pl.Series(g).cast(pl.String), "x": x, "y": y})
    line = NetworkParameters({"y": ["g", "x"]}, alpha=0).fit(X).hypothesis_.conditional("y")
    for state in (0, 1):
        slope, intercept = np.polyfit(x[g == state], y[g == state], 1)
        assert line.intercepts[state] == pytest.approx(intercept, rel=1e-6)
        assert line.weights[state].tolist() == pytest.approx([slope], rel=1e-6)
        gaps = y[g == state] - intercept - slope * x[g == state]
        assert line.variances[state] == pytest.approx((gaps**2).mean(), rel=1e-6)


def test_what_generated_numbers_is_found():
    truth = BeliefNetwork.of(
        {"m": ["a", "n"]},
        {
            "a": {"u": 0.3, "v": 0.7},
            "n": Normal(2.0, 1.0),
            "m": {"u": Normal(0.0, 1.0, {"n": 1.0}), "v": Normal(5.0, 0.5, {"n": -1.0})},
        },
    )
    X = truth.sample(2000, 0).with_columns(
        b=pl.when(pl.col("n") + pl.when(pl.col("a") == "u").then(1).otherwise(-1) > 2)
        .then(pl.lit("yes"))
        .otherwise(pl.lit("no"))
    )
    learner = NetworkParameters({"m": ["a", "n"], "b": ["a", "n"]}).fit(X)
    network = learner.hypothesis_
    assert network.conditional("m").weights.ravel() == pytest.approx([1, -1], abs=0.1)
    # b is logistic, as it has a numeric parent
    chance = network.conditional("b").probabilities([np.array([0]), np.array([2.0])], 1)
    assert chance[0, 1] > 0.9
    assert learner.score(X) == pytest.approx(network.score_samples(X).mean())


def test_noisy_or():
    """AIMA, exercise 20.7: 1,000 expected cases of each set of causes."""
    q = np.array([0.6, 0.2, 0.1])
    rows, weights = [], []
    for code in range(1, 8):
        active = [bool(code >> k & 1) for k in range(3)]
        absent = float(np.prod(q[active]))
        rows += [[*active, False], [*active, True]]
        weights += [1000 * absent, 1000 * (1 - absent)]
    X = pl.DataFrame(rows, schema=["cold", "flu", "malaria", "fever"], orient="row")
    learner = NetworkParameters(
        {"fever": ["cold", "flu", "malaria"]}, conditionals={"fever": "noisy-or"}, alpha=0
    )
    fever = learner.fit(X, sample_weight=weights).hypothesis_.conditional("fever")
    assert [row[1] for row in fever.fails] == pytest.approx(q, abs=1e-4)
    assert fever.n_parameters() <= 4


# --- a density, or a classifier


def mixed(n: int = 120, seed: int = 0) -> tuple[pl.DataFrame, pl.Series]:
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 3, n)
    size = kind * 2 + rng.normal(0, 1, n)
    weight = size + rng.normal(0, 0.5, n)
    colour = np.where(rng.random(n) < 0.8, kind, rng.integers(0, 3, n))
    X = pl.DataFrame({"colour": np.array(["red", "green", "blue"])[colour], "size": size, "weight": weight})
    return X, pl.Series("kind", np.array(["a", "b", "c"])[kind])


ARCS = {"colour": ["kind"], "size": ["kind"], "weight": ["kind", "size"]}


def test_holes_are_no_obstacle_to_a_classifier():
    X, y = mixed()
    learner = NetworkParameters(ARCS).fit(X, y)
    assert learner.score(X, y) > 0.7
    holes = X.with_columns(pl.lit(None).cast(X[name].dtype).alias(name) for name in ("size",))
    found = learner.predict_proba(holes)
    joint = learner.hypothesis_.network
    asked = [
        joint.query("kind", {"colour": row["colour"], "weight": row["weight"]}) for row in holes.to_dicts()
    ]
    assert found[:, 0] == pytest.approx([answer["a"] for answer in asked], abs=1e-12)
    assert learner.hypothesis_.network.sample(3, 0).columns == ["kind", "colour", "size", "weight"]


def test_exports_of_mixed_columns_predict_the_same():
    X, y = mixed()
    model = NetworkParameters(ARCS).fit(X, y).hypothesis_
    holes = [X.with_columns(pl.lit(None).cast(X[name].dtype).alias(name))[:20] for name in X.columns]
    rows = pl.concat([X, *holes])
    space: dict = {}
    exec(model.to_python("decide"), space)
    assert [space["decide"](row) for row in rows.to_dicts()] == model.predict(rows).tolist()
    with sqlite3.connect(":memory:") as base:
        base.execute("CREATE TABLE data (colour TEXT, size REAL, weight REAL)")
        base.executemany("INSERT INTO data VALUES (?, ?, ?)", X.rows())
        found = [row[-1] for row in base.execute(model.to_sql())]
    assert found == model.predict(X).tolist()


def test_one_learner_is_a_density_and_a_classifier(tmp_path):
    X, y = mixed()
    learner = NetworkParameters().fit(X)
    assert isinstance(learner.hypothesis_, BeliefNetwork)
    assert hasattr(learner, "score_samples")
    assert not hasattr(learner, "predict")
    assert learner.sample(5, 0).columns == X.columns
    assert "log-likelihood" in str(induce.evaluate(NetworkParameters(), X, cv=3))
    learner.fit(X, y)
    assert not hasattr(learner, "score_samples")
    assert "error" in str(induce.evaluate(NetworkParameters(), X, y, cv=3))
    board = induce.compare(
        {"kernels": induce.KernelDensity(bandwidth=1.0), "network": NetworkParameters()}, X, cv=3
    )
    assert "network" in str(board)


def test_columns_that_are_no_nodes(tmp_path):
    X, y = mixed(30)
    wide = X.with_columns(id=pl.Series([f"k{row}" for row in range(30)]), empty=pl.lit(None).cast(pl.String))
    with pytest.warns(induce.Note):
        learner = NetworkParameters().fit(wide, y)
    assert learner.hypothesis_.schema.names() == ("colour", "size", "weight")
    induce.save(learner, tmp_path / "model.induce")
    loaded = induce.load(tmp_path / "model.induce")
    assert (
        loaded.predict(wide).tolist()
        == learner.predict(wide).tolist()
        == learner.hypothesis_.predict(X).tolist()
    )
    with pytest.warns(induce.Note):
        plain = NetworkParameters().fit(wide.to_numpy(), y)
    assert plain.predict(wide.to_numpy()).tolist() == learner.predict(wide).tolist()


def test_a_target_with_the_name_of_a_column():
    X, y = mixed(30)
    learner = NetworkParameters().fit(X, y.alias("size"))
    assert learner.hypothesis_.target == "size_"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"structure": {"colour": ["sise"]}}, "there is no column 'sise'; did you mean 'size'"),
        ({"structure": {"colour": ["size"], "size": ["colour"]}}, "the arcs form a cycle"),
        ({"structure": 3}, "structure is 3; give a dict"),
        ({"alpha": -1}, "alpha is -1"),
        ({"alpha": {"colour": [1, 2]}}, "alpha gives 'colour'"),
        ({"alpha": {"color": 1}}, "there is no node 'color'; did you mean 'colour'"),
        ({"equivalent_sample_size": "many"}, "equivalent_sample_size is 'many'"),
        ({"conditionals": {"size": "table"}}, "'size' is numeric"),
        ({"conditionals": {"colour": "noisy-or"}}, "'colour' has 3 values; a noisy-OR needs two"),
        ({"conditionals": {"colour": "tabel"}}, "the kind of 'colour' is 'tabel'"),
        ({"structure": {"colour": ["size"]}, "conditionals": {"colour": "table"}}, "make it logistic"),
    ],
)
def test_bad_parameters(settings, sentence):
    X, _ = mixed(20)
    with pytest.raises(induce.InputError, match=sentence):
        NetworkParameters(**settings).fit(X)


def test_too_many_states_of_parents():
    X = pl.DataFrame({f"x{k}": [str(v) for v in range(20)] * 2 for k in range(7)})
    with pytest.raises(induce.InputError, match="the 6 parents of 'x6' have 64,000,000 joint states"):
        NetworkParameters({"x6": [f"x{k}" for k in range(6)]}).fit(X)
