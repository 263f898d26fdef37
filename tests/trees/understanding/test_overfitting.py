"""Accuracy against size, growing and pruning."""

from functools import cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce import InputError
from induce.data.training import Examples
from induce.textbook.measuring import every_morning
from induce.trees.growth import GrowthRule
from induce.trees.pruning import reduced_error
from induce.trees.size import breadth_first
from induce.trees.understanding import agreement, overfitting_curve


def noisy(seed: int) -> tuple[pl.DataFrame, np.ndarray]:
    """1300 rows of ten Boolean attributes, (A0 and A1) or (A2 and A3), a fifth of the labels wrong."""
    random = np.random.default_rng(seed)
    values = random.random((1300, 10)) < 0.5
    truth = (values[:, 0] & values[:, 1]) | (values[:, 2] & values[:, 3])
    return pl.DataFrame({f"A{k}": values[:, k] for k in range(10)}), truth ^ (random.random(1300) < 0.2)


@cache
def curves():
    found = []
    for seed in range(20):
        X, y = noisy(seed)
        held = {"validation": (X[200:300], y[200:300]), "test": (X[300:], y[300:])}
        found.append(overfitting_curve(induce.ID3(), X[:200], y[:200], **held))
    return found


def mean(of):
    return float(np.mean([of(curve) for curve in curves()]))


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("nodes", "training", "test"),
    [
        (1, 0.541, 0.531),
        (7, 0.709, 0.685),
        (11, 0.765, 0.763),
        (31, 0.809, 0.769),
        (61, 0.847, 0.703),
        (101, 0.902, 0.678),
        (10_000, 0.975, 0.664),
    ],
)
def test_the_curve_of_the_stand_in(nodes, training, test):
    """R3.8: means over twenty runs."""
    assert mean(lambda curve: curve.growth.at(nodes)["training"]) == pytest.approx(training, abs=0.03)
    assert mean(lambda curve: curve.growth.at(nodes)["test"]) == pytest.approx(test, abs=0.03)


def test_growth_overfits_and_pruning_repairs_it():
    """R3.8: what must hold of the means."""
    full = mean(lambda curve: curve.growth.accuracy["test"][-1])
    peak = max(mean(lambda curve, n=n: curve.growth.at(n)["test"]) for n in range(1, 102, 10))
    pruned = mean(lambda curve: curve.pruning.accuracy["test"][-1])
    assert full <= peak - 0.06
    assert pruned >= full + 0.06
    assert pruned == pytest.approx(0.765, abs=0.03)
    assert mean(lambda curve: curve.pruning.accuracy["training"][-1]) == pytest.approx(0.804, abs=0.03)
    nodes = mean(lambda curve: curve.tree.n_nodes)
    assert nodes == pytest.approx(171, rel=0.1)
    assert mean(lambda curve: curve.pruned.n_nodes) <= 0.25 * nodes
    assert mean(lambda curve: curve.overfits) == 1.0


def test_training_accuracy_never_falls_as_the_tree_grows():
    for curve in curves():
        assert (np.diff(curve.growth.accuracy["training"]) >= -1e-12).all()
        assert (np.diff(curve.growth.nodes) > 0).all()


def test_validation_accuracy_never_falls_as_the_tree_is_pruned():
    for curve in curves():
        assert (np.diff(curve.pruning.accuracy["validation"]) >= -1e-12).all()
        assert (np.diff(curve.pruning.nodes) < 0).all()


@pytest.mark.compiled
def test_every_point_is_the_accuracy_of_a_real_tree():
    X, y = noisy(0)
    curve = curves()[0]
    rows = {"training": slice(0, 200), "validation": slice(200, 300), "test": slice(300, 1300)}
    for k, nodes in enumerate(curve.growth.nodes.tolist()):
        smaller = breadth_first(curve.tree, nodes)
        assert smaller.n_nodes == nodes
        for name, part in rows.items():
            right = np.mean(smaller.predict(X[part]) == y[part])
            assert curve.growth.accuracy[name][k] == pytest.approx(right)
    for name, part in rows.items():
        assert curve.pruning.accuracy[name][0] == pytest.approx(curve.growth.accuracy[name][-1])
        right = np.mean(curve.pruned.predict(X[part]) == y[part])
        assert curve.pruning.accuracy[name][-1] == pytest.approx(right)
    assert (curve.pruning.nodes[0], curve.pruning.nodes[-1]) == (curve.tree.n_nodes, curve.pruned.n_nodes)


@given(data=st.data())
def test_pruning_step_by_step(tables, data):
    """Every step of the pruning path is what the tree cut at the pruned nodes does."""
    X, y = data.draw(tables(least_rows=4, most_rows=14))
    half = len(y) // 2
    held = pl.concat([X[half:], X[:half]]), pl.concat([y[half:], y[:half]])
    classes = set(y[:half].to_list())
    rows = [k for k, value in enumerate(held[1].to_list()) if value in classes]
    held = held[0][rows], held[1][rows]
    curve = overfitting_curve(induce.ID3(), X[:half], y[:half], validation=held)
    overfitted = curve.tree
    codes = np.array([overfitted.classes.index(value) for value in held[1].to_list()])
    with induce.trace("prune") as events:
        reduced_error(overfitted, Examples(overfitted.encoded(held[0]), codes, None, len(overfitted.classes)))
    cut = np.zeros(overfitted.n_nodes, bool)
    for k, node in enumerate([None, *(event["node"] for event in events)]):
        if node is not None:
            cut[node] = True
        smaller = overfitted.cut(cut)
        assert curve.pruning.nodes[k] == smaller.n_nodes
        right = np.mean(smaller.predict(held[0]) == held[1].to_numpy())
        assert curve.pruning.accuracy["validation"][k] == pytest.approx(right)


def test_the_noisy_day_of_play_tennis(tennis_trees):
    """O3.8: by all 36 mornings pruning makes N figure 3.1 again, and takes nothing from R."""
    mornings = every_morning()
    figure, told = tennis_trees["figure"], tennis_trees["N"]
    truth = figure.predict(mornings)
    codes = np.array([told.classes.index(value) for value in truth])
    pruned = reduced_error(told, Examples(told.encoded(mornings), codes, None, 2))
    assert (agreement(told, figure).same, agreement(pruned, figure).same, pruned.n_nodes) == (34, 36, 8)
    X, y = induce.dataset("play-tennis-noisy")
    curve = overfitting_curve(induce.ID3(), X, y, validation=(mornings, truth))
    assert agreement(curve.tree, tennis_trees["R"]).share == 1.0
    assert curve.pruning.accuracy["validation"].tolist() == pytest.approx([32 / 36])
    assert (curve.tree.n_nodes, curve.pruned.n_nodes) == (11, 11)


def test_rows_with_values_that_no_training_row_has():
    """They end at the node that asks, and count there while it is a test and when it is a leaf."""
    X = pl.DataFrame({"a": ["x", "x", "y", "y", "y"], "b": ["u", "v", "u", "v", "v"]})
    y = ["yes", "yes", "no", "yes", "no"]
    new = pl.DataFrame({"a": ["x", "y", "z", "z", "z"], "b": ["u", "u", "v", "u", "w"]})
    labels = ["yes", "no", "no", "no", "yes"]
    curve = overfitting_curve(induce.ID3(), X, y, validation=(new, labels))
    grown = [breadth_first(curve.tree, nodes) for nodes in curve.growth.nodes.tolist()]
    for path, trees in ((curve.growth, grown), (curve.pruning, [curve.tree, curve.pruned])):
        right = [np.mean(tree.predict(new) == np.array(labels)) for tree in trees]
        ends = path.accuracy["validation"][[0, -1]]
        assert ends.tolist() == pytest.approx([right[0], right[-1]])
    assert curve.tree.n_nodes > 3


def test_shares_and_numbers_of_rows():
    X, y = induce.dataset("wine")
    curve = overfitting_curve(induce.C45(), X, y, validation=30, test=0.25)
    assert curve.tree.weights[0] == 178 - 30 - round(0.25 * 178)
    assert curve.unseen == "test"
    assert list(curve.growth.accuracy) == ["training", "validation", "test"]
    again = overfitting_curve(induce.C45(), X, y, validation=30, test=0.25)
    assert np.array_equal(curve.growth.accuracy["test"], again.growth.accuracy["test"])
    assert overfitting_curve(GrowthRule(), X, y).unseen == "validation"


def test_at_and_best():
    curve = curves()[0]
    with pytest.raises(InputError, match="nodes is 0; give at least 1, the size of the smallest tree"):
        curve.growth.at(0)
    assert curve.growth.at(curve.best_nodes)["test"] == curve.growth.accuracy["test"].max()
    assert str(curve).endswith("\nthe full tree overfits")


def test_a_leaf_does_not_overfit():
    curve = overfitting_curve(induce.ID3(), [[0.0], [1.0], [2.0]], ["a", "a", "a"], validation=1)
    assert (curve.growth.nodes.tolist(), curve.pruning.nodes.tolist()) == ([1], [1])
    assert not curve.overfits


def test_picture():
    (axes,) = curves()[0].draw().axes
    labels = [line.get_label() for line in axes.lines]
    assert labels[:3] == ["training", "validation", "test"]
    assert labels[3] == f"test, while pruned to {curves()[0].pruned.n_nodes} nodes"
    assert axes.get_xlabel() == "size of the tree (number of nodes)"


def test_bad_input():
    X, y = induce.dataset("iris")
    with pytest.raises(
        InputError, match=r"validation is 1\.5; give a fraction between 0 and 1, a number of rows"
    ):
        overfitting_curve(induce.ID3(), X, y, validation=1.5)
    with pytest.raises(
        InputError, match="test is 150, which leaves no rows to grow on or to hold out of 150 rows"
    ):
        overfitting_curve(induce.ID3(), X, y, test=150)
    with pytest.raises(InputError, match="validation is None, but pruning needs validation examples"):
        overfitting_curve(induce.ID3(), X, y, validation=None)
    with pytest.raises(InputError, match="test contains the class rose, which no training example has"):
        overfitting_curve(induce.ID3(), X, y, test=(X[:1], ["rose"]))
    with pytest.raises(InputError, match="test has 2 rows and 1 classes"):
        overfitting_curve(induce.ID3(), X, y, test=(X[:2], ["setosa"]))
