"""Reading networks: rules of units, the error surface, weights by brightness, and what an explanation says."""

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.neural import Network, clauses, error_surface, m_of_n


@pytest.fixture(scope="module")
def tennis():
    X, y = induce.dataset("play-tennis")
    return induce.NeuralNetworkClassifier(hidden=2, weight_decay=0.01).fit(X, y), X, y


def test_a_unit_as_m_of_n_and_as_clauses():
    names = ["a", "b", "c"]
    rule = m_of_n([4.0, 4.0, 4.0], -6.0, names)
    assert (rule.m, rule.conditions, rule.fidelity) == (2, ("a", "b", "c"), 1.0)
    assert clauses([4.0, 4.0, 4.0], -6.0, names) == (("a", "b"), ("a", "c"), ("b", "c"))


@pytest.mark.parametrize(
    ("weights", "bias", "expected"),
    [
        ([4, 4, 4], -10, [("a", "b", "c")]),  # a conjunction
        ([4, 4, 4], -2, [("a",), ("b",), ("c",)]),  # a disjunction
        ([-4, 4, 0], -2, [("not a", "b")]),
        ([-4, 4, 0.5], 2, [("not a",), ("b",)]),  # what says little is left out
        ([1, 1, 1], 1, [()]),  # always
        ([1, 1, 1], -4, []),  # never
    ],
)
def test_clauses_are_the_least_that_make_a_unit_fire(weights, bias, expected):
    assert list(clauses(weights, bias, ["a", "b", "c"], cut=0.6)) == expected
    rule = m_of_n(np.where(np.abs(weights) > 0.6, weights, 0.0), bias, ["a", "b", "c"])
    assert rule.fidelity == 1.0


@pytest.mark.parametrize("n", [3, 5])
def test_every_majority_is_found_again(n):
    rule = m_of_n(np.ones(n), -n / 2, [f"x{k}" for k in range(n)])
    assert (rule.m, len(rule.conditions), rule.fidelity) == ((n + 1) // 2, n, 1.0)


def test_units_of_a_trained_network(tennis):
    learner, X, _ = tennis
    rules = learner.hypothesis_.unit_rules(X)
    assert [rule.unit for rule in rules[:2]] == ["hidden[0]", "hidden[1]"]
    assert all(rule.fidelity > 0.8 for rule in rules)
    assert any("Humidity" in str(rule) for rule in rules)


def test_numbers_count_above_their_mean():
    X = np.column_stack([np.linspace(0, 10, 21), np.tile([0.0, 1.0, 2.0], 7)])
    learner = induce.NeuralNetworkClassifier(hidden=()).fit(X, np.where(X[:, 0] > 5, "high", "low"))
    (rule,) = learner.hypothesis_.unit_rules(X)
    assert str(rule) == "low if not x0 > 5 (fidelity 1.00)"


def test_what_is_not_read():
    with pytest.raises(InputError, match="2 weights and 1 names"):
        m_of_n([1.0, 2.0], 0.0, ["a"])
    with pytest.raises(InputError, match="raise cut above 0"):
        clauses(np.ones(17), -3.0, [str(k) for k in range(17)])


def test_the_error_of_a_linear_unit_is_a_bowl():
    """Figure 4.4: a parabola over each weight, with one minimum at least squares."""
    X, T = [[-1.0], [0.0], [1.0], [2.0]], [[-3.0], [-1.0], [1.0], [3.0]]
    line = Network.layered(1, 1, unit="linear").with_weights([0.5, 0.0])
    found = error_surface(line, X, T, span=3.0, cells=25)
    assert found.lowest == pytest.approx((-1.0, 2.0))
    assert np.allclose(np.diff(found.errors, 2, axis=0), np.diff(found.errors, 2, axis=0)[0, 0])
    objective = [
        sum((t[0] - b - a * x[0]) ** 2 for x, t in zip(X, T, strict=True)) / 2 for b, a in [(0.5, 0)]
    ]
    assert found.errors[12, 12] == pytest.approx(objective[0])
    assert found.downhill[1] > 0
    with pytest.raises(InputError, match="indices from 0 to 1"):
        error_surface(line, X, T, (0, 2))


def test_pictures_that_show_weights_and_errors(tennis):
    learner, X, y = tennis
    network = learner.hypothesis_
    assert len(network.draw("surface", X, y).axes) == 3
    assert len(network.draw("brightness").axes) == 4
    assert {"diagram", "weights", "brightness", "errors"} <= set(network.forms()["svg"].pictures)
    with pytest.raises(InputError, match="give X and y"):
        network.draw("surface")
    with pytest.raises(InputError, match="an image of 12 pixels"):
        network.draw("brightness", shape=(3, 4))
    with pytest.raises(InputError, match="shape is used only by the plot 'brightness'"):
        network.draw("weights", shape=(2, 5))
    with pytest.raises(InputError, match="the class 'Maybe'"):
        network.draw("surface", X, ["Maybe"] * len(X))


def test_weights_as_images():
    rng = np.random.default_rng(0)
    X = rng.random((30, 12))
    learner = induce.NeuralNetworkRegressor(hidden=2, max_epochs=5).fit(X, X[:, 0])
    figure = learner.hypothesis_.draw("brightness", shape=(3, 4))
    assert [axes.get_title() for axes in figure.axes] == ["hidden[0]", "hidden[1]", "into outputs"]
    assert figure.axes[0].images[0].get_array().shape == (3, 4)


def test_explanations_say_how_far_a_class_reaches():
    X, y = induce.dataset("iris")
    learner = induce.NeuralNetworkClassifier(hidden=3).fit(X, y)
    row = X[70]
    told = learner.explain(row)[0]
    limits = [text.rsplit(" ", 2) for text in told.rule]
    assert limits
    for column, relation, limit in limits:
        step = 0.02 if relation == "<" else -0.02
        beyond = row.with_columns(**{column: float(limit) + step})
        within = row.with_columns(**{column: float(limit) - step})
        assert learner.predict(beyond)[0] != told.prediction
        assert learner.predict(within)[0] == told.prediction
    assert "if only one column changes" in str(told)
    width = next(effect for effect in told.effects if effect.column == "petal width")
    ahead, behind = (row.with_columns(**{"petal width": row["petal width"][0] + h}) for h in (1e-4, -1e-4))
    place = list(learner.classes_).index(told.prediction)
    slope = (learner.predict_proba(ahead) - learner.predict_proba(behind))[0, place] / 2e-4
    assert width.slope == pytest.approx(slope, rel=1e-3)


def test_explanations_of_names(tennis):
    learner, X, _ = tennis
    told = learner.explain(X[:1])[0]
    assert told.prediction == "No"
    assert "Humidity is High" in told.rule
    assert all(effect.slope == 0.0 for effect in told.effects)


def test_explanations_list_few_values():
    X = {"v": [f"v{k % 40}" for k in range(80)], "w": [f"w{k % 9}" for k in range(80)], "a": np.arange(80.0)}
    table = pl.DataFrame(X)
    y = np.where((table["a"] > 40) | (table["w"] == "w3"), "p", "q")
    learner = induce.NeuralNetworkClassifier(hidden=2, schema={"v": "nominal", "w": "nominal"}).fit(table, y)
    rules = [condition for told in learner.explain(table) for condition in told.rule]
    assert not any(condition.startswith("v ") for condition in rules)
    assert all(condition.count(",") <= 5 for condition in rules)
    assert any(condition.startswith("w is one of") for condition in rules)
