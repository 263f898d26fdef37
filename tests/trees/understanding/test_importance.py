"""Which attributes matter."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator
from sklearn.inspection import permutation_importance as by_scikit_learn
from sklearn.tree import DecisionTreeClassifier

import induce
from induce import InputError
from induce.trees.understanding import impurity_importance, permutation_importance


def test_play_tennis():
    shares = impurity_importance(induce.ID3().fit(*induce.dataset("play-tennis")))
    below = 5 / 14 * 0.9709505945
    expected = {"Outlook": 0.2467498198, "Temperature": 0, "Humidity": below, "Wind": below}
    for name, gained in expected.items():
        assert shares[name] == pytest.approx(gained / 0.9402859587)


def test_gini():
    shares = impurity_importance(induce.ID3().fit(*induce.dataset("play-tennis")), "gini")
    below = 5 / 14 * 0.48
    assert shares["Outlook"] == pytest.approx(0.116327 / (0.116327 + 2 * below), abs=1e-5)
    assert shares["Wind"] == pytest.approx(below / (0.116327 + 2 * below), abs=1e-5)


@pytest.mark.parametrize(("measure", "criterion"), [("gain", "entropy"), ("gini", "gini")])
def test_scikit_learn_finds_the_same_in_the_same_tree(measure, criterion):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] + 0.7 * X[:, 1] + 0.3 * rng.normal(size=300) > 0).astype(int)
    ours = induce.DecisionTreeClassifier(criterion=measure, max_depth=3).fit(X, y).hypothesis_
    theirs = DecisionTreeClassifier(criterion=criterion, max_depth=3, random_state=0).fit(X, y)
    assert theirs.tree_.node_count == ours.n_nodes
    shares = list(impurity_importance(ours, measure).values())
    assert shares == pytest.approx(theirs.feature_importances_.tolist())


@given(data=st.data())
def test_shares_sum_to_one_unless_there_is_no_test(tables, data):
    X, y = data.draw(tables(missing=True))
    tree = induce.ID3().fit(X, y).hypothesis_
    shares = impurity_importance(tree)
    assert list(shares) == X.columns
    assert all(share >= 0 for share in shares.values())
    assert sum(shares.values()) == pytest.approx(1.0 if _gains(tree) else 0.0)


def _gains(tree):
    """Whether some test of a tree tells classes apart at all: ID3 also makes tests that gain nothing."""
    return any(
        not np.allclose(tree.distribution[child], tree.distribution[node])
        for node in np.flatnonzero(tree.attribute >= 0)
        for child in tree.children(node)
        if tree.weights[child]
    )


def test_shuffling_agrees_with_scikit_learn():
    """The same seed shuffles the same cells, so the numbers are the same, not just near."""
    X, y = induce.dataset("wine")
    learner = induce.C45().fit(X[::2].to_numpy(), y[::2])
    X, y = X[1::2].to_numpy(), y[1::2].to_numpy()
    seed = int(np.random.default_rng(0).integers(2**31))
    expected = by_scikit_learn(learner, X, y, n_repeats=5, random_state=seed)
    found = permutation_importance(learner, X, y, repeats=5)
    assert list(found.lost.values()) == pytest.approx(expected.importances_mean.tolist())
    assert list(found.deviation.values()) == pytest.approx(expected.importances_std.tolist())
    assert found.accuracy == pytest.approx(learner.score(X, y))


def test_only_what_decides_matters():
    rng = np.random.default_rng(0)
    X = pl.DataFrame(
        {
            "colour": pl.Series(rng.choice(["red", "blue"], 200), dtype=pl.Enum(["red", "blue"])),
            "size": rng.normal(size=200),
            "noise": rng.normal(size=200),
        }
    )
    y = np.where((X["colour"] == "red").to_numpy() & (X["size"] > 0).to_numpy(), "yes", "no")
    tree = induce.ID3().fit(X, y)
    found = permutation_importance(tree, X, y)
    assert found.ranked() == sorted(["colour", "size"], key=lambda name: -found.lost[name])
    assert min(found.lost["colour"], found.lost["size"]) > 0.2
    assert found.lost["noise"] == found.deviation["noise"] == found.gained["noise"] == 0.0
    assert found.accuracy == 1.0
    assert "and nothing for 1 other column" in str(found)


def test_missing_cells_are_shuffled_too():
    X, y = induce.dataset("play-tennis")
    holes = X.with_columns(
        pl.when(pl.int_range(pl.len()) < 4).then(None).otherwise("Outlook").alias("Outlook")
    )
    found = permutation_importance(induce.ID3().fit(X, y), holes, y)
    assert found.lost["Outlook"] != 0.0


def test_same_seed_same_numbers():
    X, y = induce.dataset("wine")
    tree = induce.C45().fit(X, y)
    assert permutation_importance(tree, X, y, random_state=1) == permutation_importance(
        tree, X, y, random_state=1
    )
    assert permutation_importance(tree, X, y, random_state=1) != permutation_importance(
        tree, X, y, random_state=2
    )


def test_picture():
    X, y = induce.dataset("wine")
    left, right = permutation_importance(induce.C45().fit(X, y), X, y).draw().axes
    names = [label.get_text() for label in left.get_yticklabels()]
    assert "flavanoids" in names
    assert len(left.patches) == len(right.patches) == len(names)
    assert left.get_xlabel() == "accuracy lost"


@pytest.mark.compiled
def test_oblique_trees():
    from induce.trees.learners.oc1 import OC1

    X, y = induce.dataset("iris")
    tree = OC1().fit(X, y)
    assert sum(impurity_importance(tree).values()) == pytest.approx(1.0)
    found = permutation_importance(tree, X, y)
    assert list(found.lost) == X.columns
    assert max(found.lost.values()) > 0.1


def test_a_leaf_needs_nothing():
    found = permutation_importance(induce.ID3().fit([[1.0], [2.0]], ["a", "a"]), [[3.0]], ["a"])
    assert str(found) == "accuracy 1.000\nand nothing for 1 other column"


def test_bad_input():
    X, y = induce.dataset("iris")
    tree = induce.ID3().fit(X, y)
    with pytest.raises(InputError, match="measure is 'gian'; it can be 'gain', 'gini'"):
        impurity_importance(tree, "gian")
    with pytest.raises(InputError, match="repeats is 0; it must be a whole number of at least 1"):
        permutation_importance(tree, X, y, repeats=0)
    with pytest.raises(InputError, match="X has 150 rows and y has 3"):
        permutation_importance(tree, X, y[:3])
    with pytest.raises(InputError, match="BaseEstimator has no decision tree"):
        impurity_importance(BaseEstimator())
