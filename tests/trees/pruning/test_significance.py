"""Chi-square pruning against AIMA's example, the XOR argument and noisy evenings; critical values."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.stats import chi2

import induce
from induce.core.errors import InputError
from induce.data.generate import label_noise, restaurant, restaurant_space
from induce.trees.hypothesis import Tree
from induce.trees.measures import MEASURES
from induce.trees.pruning import chi_square, critical_value


@pytest.fixture(scope="module")
def waiting() -> Tree:
    """The tree of AIMA's figure 18.6."""
    tree: Tree = induce.ID3().fit(*induce.dataset("restaurant")).hypothesis_
    return tree


@pytest.mark.parametrize(("dof_values", "type_p"), [("declared", 0.5724), ("present", 0.3679)])
def test_pruning_the_restaurant_tree_at_five_percent(waiting, dof_values, type_p):  # 06:O10
    with induce.trace("prune") as events:
        pruned = chi_square(waiting, 0.05, dof_values)
    assert [waiting.tested(event["node"]).name for event in events] == ["Fri", "Type", "Hun"]
    assert [event["statistic"] for event in events] == pytest.approx([2.0, 2.0, 1.5])
    assert [event["p_value"] for event in events] == pytest.approx([0.1573, type_p, 0.2207], abs=6e-5)
    assert str(pruned) == "Pat = None: No (2/2)\nPat = Some: Yes (4/4)\nPat = Full: No (4/6)"


def test_at_one_percent_nothing_is_left(waiting):  # 06:O10
    with induce.trace("prune") as events:
        assert chi_square(waiting, 0.01).n_nodes == 1
    assert events[-1]["node"] == 0
    assert events[-1]["statistic"] == pytest.approx(6.666667, abs=1e-6)
    assert events[-1]["p_value"] == pytest.approx(0.0357, abs=6e-5)


@pytest.mark.parametrize(("m", "nodes"), [(1, 1), (2, 7), (5, 7)])
def test_exclusive_or_survives_from_two_examples_of_each_kind_on(m, nodes):  # 06:O11
    X = pl.DataFrame({"a": ["0", "0", "1", "1"] * m, "b": ["0", "1", "0", "1"] * m})
    tree = induce.ID3().fit(X, ["no", "yes", "yes", "no"] * m).hypothesis_
    assert tree.n_nodes == 7
    with induce.trace("prune") as events:
        pruned = chi_square(tree)
    assert pruned.n_nodes == nodes
    if m == 1:
        assert sorted(event["statistic"] for event in events) == [0, 2, 2]
    else:
        assert pruned == tree
        assert chi2.sf(2 * m, 1) <= 0.05


def test_a_threshold_and_a_subset_have_one_degree_of_freedom():
    X = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
    tree = induce.ID3().fit(X, ["n", "n", "y", "y"]).hypothesis_
    with induce.trace("prune") as events:
        chi_square(tree, 0.01)
    assert events[0]["p_value"] == pytest.approx(chi2.sf(4.0, 1))
    X = pl.DataFrame({"x": ["a", "b", "c", "d"]})
    tree = induce.CART(pruning=None).fit(X, ["n", "n", "y", "y"]).hypothesis_
    assert tree.n_nodes == 3
    with induce.trace("prune") as events:
        chi_square(tree, 0.01)
    assert events[0]["p_value"] == pytest.approx(chi2.sf(4.0, 1))


def test_more_classes_have_more_degrees_of_freedom():
    X = pl.DataFrame({"x": ["a", "b", "c"] * 2})
    tree = induce.ID3().fit(X, ["u", "v", "w"] * 2).hypothesis_
    with induce.trace("prune") as events:
        chi_square(tree, 0.001)
    assert events[0]["p_value"] == pytest.approx(chi2.sf(12.0, 4))


@pytest.mark.compiled
def test_pruning_under_noise():  # 06:C13: hundred evenings, labels wrong with probability 0, .1, .2 and .3
    evenings = restaurant_space()
    seen = []
    for seed in range(16):
        data = restaurant(100, seed)
        for noise in (0.0, 0.1, 0.2, 0.3):
            tree = induce.ID3().fit(data.X, label_noise(data.y, noise, 100 + seed)).hypothesis_
            table = tree.encoded(evenings.X)
            truth = evenings.y.to_numpy()
            for of in (tree, chi_square(tree)):
                seen.append(((of.predict(table) == truth).mean(), of.n_nodes))
    accuracy, nodes = np.moveaxis(np.array(seen).reshape(16, 4, 2, 2).mean(axis=0), -1, 0)
    assert accuracy[:, 0] == pytest.approx([0.953, 0.851, 0.736, 0.645], abs=0.045)
    assert accuracy[:, 1] == pytest.approx([0.952, 0.912, 0.826, 0.694], abs=0.045)
    assert nodes[:, 0] == pytest.approx([16, 55, 79, 95], rel=0.2)
    assert nodes[:, 1] == pytest.approx([11, 20, 24, 26], rel=0.25)
    assert (accuracy[1:, 1] > accuracy[1:, 0] + 0.03).all()


def test_a_critical_value_keeps_what_leads_to_a_worthy_test(waiting):
    """Gains: Pat .541, Hun .252, Type .5, Fri 1; the last keeps all above it."""
    assert critical_value(waiting, 0.9) == waiting
    with induce.trace("prune") as events:
        assert critical_value(waiting, 1.001).n_nodes == 1
    found = {waiting.tested(event["node"]).name: event["value"] for event in events}
    assert found == pytest.approx({"Pat": 0.540852, "Hun": 0.251629, "Type": 0.5, "Fri": 1.0}, abs=1e-6)
    small = induce.ID3(max_depth=3).fit(*induce.dataset("restaurant")).hypothesis_
    assert [critical_value(small, value).n_nodes for value in (0.5, 0.51, 0.55)] == [10, 4, 1]


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_can_be_critical(measure):
    X, y = induce.dataset("iris")
    tree = induce.DecisionTreeClassifier().fit(X, y).hypothesis_
    tables = [tree.counts[list(tree.children(node))] for node in np.flatnonzero(tree.attribute >= 0)]
    values = [MEASURES[measure](table) for table in tables]
    assert critical_value(tree, max(values), measure).n_nodes > 1
    assert critical_value(tree, max(values) + 1e-9, measure).n_nodes == 1
    assert critical_value(tree, min(values), measure) == tree


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda tree: chi_square(tree, 0), "alpha is 0"),
        (lambda tree: chi_square(tree, float("nan")), "alpha is nan"),
        (lambda tree: chi_square(tree, dof_values="seen"), "dof_values is 'seen'; it can be 'declared'"),
        (lambda tree: critical_value(tree, 0.1, "luck"), "measure is 'luck'; it can be 'gain'"),
        (lambda tree: critical_value(tree, float("nan")), "value is nan"),
        (lambda tree: critical_value(tree, 0.1, "twoing"), "twoing compares two branches"),
    ],
)
def test_bad_input_is_named(waiting, call, says):
    with pytest.raises(InputError, match=says):
        call(waiting)
