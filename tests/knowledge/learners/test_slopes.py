"""TANGENTPROP, EBNN, invariances and virtual examples, by the numbers of Mitchell §12.4."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.knowledge import (
    EBNN,
    Invariance,
    NetworkTheory,
    PictureMove,
    TangentProp,
    TangentPropRegressor,
    picture_invariances,
    virtual_examples,
)
from induce.knowledge.learners.ebnn import explanation_weights
from induce.neural import Group, Link, Network, NetworkObjective, Slopes

RULES = """
cup :- stable, liftable, open_vessel.
stable :- bottom_is_flat.
liftable :- graspable, light.
graspable :- has_handle.
open_vessel :- has_concavity, concavity_points_up.
"""


def one_example() -> Network:
    network = Network.of(
        [Group("x", 1, "input"), Group("h", 2, "sigmoid"), Group("o", 1, "sigmoid")],
        [Link("x", "h"), Link("h", "o")],
    )
    network = network.set(("x", "h"), [[1.0, -2.0]]).set("h", [0.5, 0.0])
    return network.set(("h", "o"), [[1.5], [-1.0]]).set("o", [0.25])


@pytest.mark.parametrize(
    ("mu", "error", "into", "thresholds", "out", "last"),
    [
        (0.5, 0.07299033, (-0.009821, 0.007670), (-0.034212, 0.025053), (-0.071606, -0.037842), -0.104592),
        (0.0, 0.06449145, (-0.014190, 0.009460), (-0.028379, 0.018919), (-0.070348, -0.025880), -0.096227),
    ],
)
def test_the_gradient_of_one_example(
    mu: float,
    error: float,
    into: tuple[float, float],
    thresholds: tuple[float, float],
    out: tuple[float, float],
    last: float,
) -> None:
    network = one_example()
    slopes = Slopes.of([[0.0]], mu) if mu else None
    objective = NetworkObjective(network, [[0.5]], [[1.0]], slopes=slopes)
    total, gradient = objective.gradient(network.weights)
    # the book's error has no half
    found = network.with_weights(2 * gradient)
    assert 2 * total == pytest.approx(error, abs=5e-9)
    assert found.get(("x", "h")).ravel() == pytest.approx(into, abs=6e-7)
    assert found.get("h").ravel() == pytest.approx(thresholds, abs=6e-7)
    assert found.get(("h", "o")).ravel() == pytest.approx(out, abs=6e-7)
    assert found.get("o").ravel() == pytest.approx([last], abs=6e-7)


def test_the_units_of_one_example() -> None:
    """Values and slopes of the hidden units and of the output (12.B.5)."""
    network = one_example()
    _, hidden, out = network.states(np.array([[0.5]]))
    assert hidden.ravel() == pytest.approx([0.73105858, 0.26894142], abs=5e-9)
    assert out.ravel() == pytest.approx([0.74604834], abs=5e-9)
    assert network.input_gradients(np.array([[0.5]])).ravel() == pytest.approx([0.13037549], abs=5e-9)
    slopes = hidden * (1 - hidden) * np.asarray(network.get(("x", "h")))
    assert slopes.ravel() == pytest.approx([0.19661193, -0.39322387], abs=5e-9)


def test_slopes_help_with_three_points_of_a_wave() -> None:
    X = np.array([[0.5], [np.pi], [5.8]])
    grid = np.linspace(0.5, 5.8, 50)[:, np.newaxis]
    settings: dict[str, Any] = {"weight_decay": 1e-4, "hidden": 8}
    plain = induce.NeuralNetworkRegressor(**settings).fit(X, np.sin(X[:, 0]))
    guided = TangentPropRegressor(**settings).fit(X, np.sin(X[:, 0]), slopes=np.cos(X))
    wave = np.sin(grid[:, 0])
    assert np.square(guided.predict(grid) - wave).mean() < 0.5 * np.square(plain.predict(grid) - wave).mean()


def test_slopes_of_the_wrong_sign_hurt() -> None:
    X, grid = (np.linspace(0.5, 5.8, n)[:, np.newaxis] for n in (8, 50))
    settings: dict[str, Any] = {"weight_decay": 1e-4, "hidden": 8}
    plain = induce.NeuralNetworkRegressor(**settings).fit(X, np.sin(X[:, 0]))
    misled = TangentPropRegressor(**settings).fit(X, np.sin(X[:, 0]), slopes=-np.cos(X))
    wave = np.sin(grid[:, 0])
    assert np.square(misled.predict(grid) - wave).mean() > 10 * np.square(plain.predict(grid) - wave).mean()


def test_invariance_to_what_tells_classes_apart_hurts() -> None:
    rng = np.random.default_rng(0)
    X, fresh = rng.normal(size=(40, 2)), rng.normal(size=(500, 2))
    y, wanted = (np.where(rows[:, 1] > rows[:, 0], "more", "less") for rows in (X, fresh))
    across = Invariance(lambda rows, amount: rows + amount * np.array([-1.0, 1.0]), size=2.0)
    plain = TangentProp(hidden=4, scale=None).fit(X, y)
    misled = TangentProp(hidden=4, scale=None, invariances=[across], mu=10.0).fit(X, y)
    assert plain.score(fresh, wanted) > 0.95
    shares = [learner.predict_proba(fresh)[:, 1] for learner in (plain, misled)]
    errors = [float(np.square(share - (wanted == "more")).mean()) for share in shares]
    assert errors[1] > 3 * errors[0]
    assert misled.score(fresh, wanted) < plain.score(fresh, wanted)


def test_without_knowledge_they_are_their_parents() -> None:
    X, y = induce.dataset("iris")
    settings: dict[str, Any] = {"hidden": 3, "loss": "squared", "weight_decay": 0.02, "max_epochs": 30}
    parent = induce.NeuralNetworkClassifier(**settings).fit(X, y)
    move = Invariance(lambda rows, amount: rows + amount)
    for learner in (
        TangentProp(**settings),
        TangentProp(invariances=(move,), mu=0, **settings),
        EBNN(**settings),
    ):
        assert np.array_equal(
            learner.fit(X, y).hypothesis_.network.weights, parent.hypothesis_.network.weights
        )
    numbers, rest = X[:, 0].to_numpy(), X[:, 1:]
    one = induce.NeuralNetworkRegressor(weight_decay=0.1, max_epochs=30).fit(rest, numbers)
    other = TangentPropRegressor(weight_decay=0.1, max_epochs=30).fit(rest, numbers)
    assert np.array_equal(one.hypothesis_.network.weights, other.hypothesis_.network.weights)


def test_slopes_are_in_the_units_of_columns() -> None:
    X = pl.DataFrame({"km": [0.0, 1.0, 2.0, 3.0], "kind": ["a", "b", "a", "b"]})
    y = [0.0, 20.0, 40.0, 60.0]
    learner = TangentPropRegressor(hidden=3, weight_decay=0)
    network = learner.fit(X, y, slopes=pl.DataFrame({"km": [20.0] * 4})).hypothesis_
    slope = network.network.input_gradients(network.view.matrix(X))[:, 0, 0]
    assert slope * network.scale[0] / network.view.scale[0] == pytest.approx([20.0] * 4, rel=0.02)


def test_outputs_do_not_move_along_an_invariance() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = np.where(X[:, 1] > X[:, 0], "more", "less")
    move = Invariance(lambda rows, amount: rows + amount, size=2.0)
    moved = X + 1.0
    plain = TangentProp(hidden=4, scale=None).fit(X, y)
    told = TangentProp(hidden=4, scale=None, invariances=[move]).fit(X, y)

    def change(learner: TangentProp) -> float:
        return float(np.abs(learner.predict_proba(moved) - learner.predict_proba(X)).mean())

    assert change(told) < 0.5 * change(plain)


def test_pictures_move() -> None:
    rows = np.arange(9.0).reshape(1, 9)
    assert PictureMove((3, 3), "right")(rows, 1.0).tolist() == [[0, 0, 1, 0, 3, 4, 0, 6, 7]]
    for move in ("down", "right", "rotate", "scale"):
        assert PictureMove((3, 3), move)(rows, 0.0) == pytest.approx(rows)
    quarter = PictureMove((3, 3), "rotate")(rows, 90.0).reshape(3, 3)
    assert quarter[1, 1] == 4.0
    assert sorted(quarter[[0, 0, 2, 2], [0, 2, 0, 2]].round(6).tolist()) == [0.0, 2.0, 6.0, 8.0]
    grown = PictureMove((5, 5), "scale")(np.eye(5).reshape(1, -1), 1.0)
    assert grown.reshape(5, 5)[2, 2] == 1.0


def test_virtual_examples_keep_their_class() -> None:
    X, y = virtual_examples(np.eye(4), list("abcd"), picture_invariances((2, 2), pixels=1), copies=3)
    assert X.shape == (16, 4)
    assert y.tolist() == list("abcd") * 4
    assert X[:4].tolist() == np.eye(4).tolist()


# (A, f), c: mu
@pytest.mark.parametrize(("c", "expected"), [(0.6, [1.0, 0.8333, 0.5, 0.0]), (1.0, [1.0, 0.9, 0.7, 0.4])])
def test_weights_of_explanations(c: float, expected: list[float]) -> None:
    wrong = np.abs(np.array([0.8, 0.7, 0.5, 0.8]) - np.array([0.8, 0.8, 0.8, 0.2]))
    assert explanation_weights(wrong, c) == pytest.approx(expected, abs=5e-5)
    assert explanation_weights(np.zeros(3), None).tolist() == [1.0, 1.0, 1.0]


def test_relevance_at_the_first_cup() -> None:
    X, y = induce.dataset("cup")
    learner = EBNN(knowledge=RULES, max_epochs=20).fit(X, y)
    found = learner.relevance(X[:1]).row(0, named=True)
    told = {name.removesuffix(" = yes"): slope for name, slope in found.items() if slope}
    # the W = 4 network at C1
    assert told == pytest.approx(
        {
            "BottomIsFlat": 0.40872,
            "ConcavityPointsUp": 0.40872,
            "HasConcavity": 0.40872,
            "HasHandle": 0.24025,
            "Light": 0.57206,
        },
        abs=5e-6,
    )
    assert len(learner.mu_) == len(y)


def test_a_theory_of_networks_is_chained() -> None:
    rng = np.random.default_rng(1)
    X = pl.DataFrame({"a": rng.normal(size=30), "b": rng.normal(size=30)})
    c = X["a"] * X["b"]
    first = induce.NeuralNetworkRegressor(hidden=4).fit(X, c.to_numpy()).hypothesis_
    below = pl.DataFrame({"c": c, "a": X["a"]})
    last = induce.NeuralNetworkRegressor(hidden=4).fit(below, (c + X["a"]).to_numpy()).hypothesis_
    theory = NetworkTheory({"c": first, "d": last})
    slopes, step = theory.slopes(X), 1e-5
    for name in "ab":
        up, down = (X.with_columns(pl.col(name) + sign * step) for sign in (1, -1))
        difference = (theory.predicted(up) - theory.predicted(down)) / (2 * step)
        assert slopes[name].to_numpy() == pytest.approx(difference, rel=1e-4, abs=1e-6)


def test_a_good_theory_helps_and_a_network_is_one() -> None:
    X, y = induce.dataset("cup")
    theory = induce.KBANN(knowledge=RULES, weight=4, weight_decay=100.0).fit(X, y)
    learner = EBNN(knowledge=theory).fit(X, y)
    assert learner.score(X, y) == 1.0
    assert learner.mu_.max() <= 1.0


@pytest.mark.parametrize(
    ("slopes", "message"),
    [
        ([[1.0, 2.0, 3.0]] * 4, "slopes has 3 columns"),
        ([[1.0, 2.0]] * 3, "slopes has 3 rows"),
        ([[np.nan, np.nan]] * 4, "contains no number"),
        ([[np.inf, 1.0]] * 4, "contain infinity"),
        (pl.DataFrame({"other": [1.0] * 4}), "'other', which is not a numeric column"),
    ],
)
def test_bad_slopes(slopes: object, message: str) -> None:
    X, y = pl.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [1.0, 0.0, 1.0, 0.0]}), [0.0, 1.0, 2.0, 3.0]
    with pytest.raises(InputError, match=message):
        TangentPropRegressor().fit(X, y, slopes=slopes)


def test_bad_knowledge() -> None:
    X, y = induce.dataset("iris")
    with pytest.raises(InputError, match="the same shape"):
        TangentProp(invariances=[Invariance(lambda rows, amount: rows[:, :1])]).fit(X, y)
    with pytest.raises(InputError, match="non-finite"):
        TangentProp(invariances=[Invariance(lambda rows, amount: rows + np.inf)]).fit(X, y)
    with pytest.raises(InputError, match="shape"):
        TangentProp(invariances=picture_invariances((5, 5), pixels=1)).fit(X, y)
    with pytest.raises(InputError, match="two classes"):
        TangentProp().fit(X, y, slopes=[[1.0] * 4] * len(y))
    with pytest.raises(InputError, match="two classes"):
        EBNN(knowledge=RULES).fit(X, y)
    with pytest.raises(InputError, match="size is 0"):
        Invariance(lambda rows, amount: rows, 0.0)
    with pytest.raises(InputError, match="at least one network"):
        NetworkTheory({})
