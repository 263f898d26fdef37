"""OC1 and linear machine decision trees: what they learn, and what must not change it."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold, cross_val_score

import induce
from induce.core.errors import InputError
from induce.core.progress import progress
from induce.trees.learners.lmdt import LMDT
from induce.trees.learners.oc1 import OC1
from induce.trees.oblique import _loops as loops
from induce.trees.oblique import search as oblique_search
from induce.trees.oblique.growth import Here, merged
from induce.trees.oblique.search import MachineSearch, Standard

pytestmark = pytest.mark.compiled  # to find hyperplanes plain takes seconds

close = pytest.approx
properties = settings(derandomize=True)
both = pytest.mark.parametrize("learner", [OC1, LMDT])


def diagonal(n, rng):
    X = rng.uniform(size=(n, 2))
    return X, np.where(X.sum(axis=1) > 1, "above", "below")


def bands(n, rng):
    """Two diagonal bands that cross: no first test tells the classes apart."""
    X = rng.uniform(-1, 1, size=(n, 2))
    return X, np.where((X[:, 0] + X[:, 1] > 0) ^ (X[:, 0] - X[:, 1] > 0), "odd", "even")


def sectors(n, rng):
    """Three classes around a point, which a linear machine separates and no single threshold does."""
    X = rng.uniform(-1, 1, size=(n, 2))
    centres = np.array([[0.0, 1.0], [0.9, -0.5], [-0.9, -0.5]])
    return X, np.array(["north", "east", "west"])[(X @ centres.T).argmax(axis=1)]


@both
def test_a_diagonal_takes_two_leaves(learner, rng):
    X, y = diagonal(400, rng)
    new, truth = diagonal(4000, rng)
    axis_parallel = induce.C45().fit(X, y)
    oblique = learner().fit(X, y)
    assert axis_parallel.hypothesis_.n_leaves >= 8
    assert oblique.hypothesis_.n_leaves == 2
    assert oblique.score(new, truth) >= 0.98 > axis_parallel.score(new, truth)
    weights = oblique.hypothesis_.combinations[0]
    assert weights[0] / weights[1] == close(1, abs=0.1)


@pytest.mark.parametrize(("learner", "least"), [(OC1, 0.94), (LMDT, 0.85)])
def test_crossing_bands(learner, least, rng):
    X, y = bands(600, rng)
    new, truth = bands(4000, rng)
    assert learner(pruning="error-based").fit(X, y).score(new, truth) >= least


def test_a_linear_machine_tells_three_classes_at_once(rng):
    X, y = sectors(400, rng)
    new, truth = sectors(4000, rng)
    tree = LMDT().fit(X, y)
    assert tree.hypothesis_.n_leaves == 3
    assert tree.hypothesis_.machines.shape == (1, 3, 3)
    assert tree.score(new, truth) >= 0.97


@both
def test_iris(learner):
    X, y = (part.to_numpy() for part in induce.dataset("iris"))
    ten_folds = StratifiedKFold(10, shuffle=True, random_state=0)
    assert cross_val_score(learner(pruning="error-based"), X, y, cv=ten_folds).mean() >= 0.94


def test_columns_that_say_nothing_are_not_weighed(rng):
    X, y = diagonal(300, rng)
    noise = rng.normal(size=(300, 3))
    X = np.column_stack([noise[:, 0], X[:, 0], noise[:, 1], X[:, 1], noise[:, 2]])
    weighed = {OC1: 3, LMDT: 2}
    for learner, most in weighed.items():
        tree = learner().fit(X, y).hypothesis_
        weights = tree.combinations[0]
        assert weights[[1, 3]].all()
        assert np.count_nonzero(weights) <= most


@properties
@given(st.data())
def test_the_test_at_the_root_is_never_worse_than_that_of_a_single_column(tables, splits, data):
    X, y = data.draw(tables(missing=data.draw(st.booleans()), least_rows=4, most_rows=24))
    criterion = data.draw(st.sampled_from(["gain", "gini"]))
    ordinary = splits(X, y, criterion=criterion, max_depth=1)
    with induce.trace("split") as events:
        tree = OC1(criterion=criterion, restarts=4, max_depth=1, pruning=None).fit(X, y).hypothesis_
    assert len(events) == len(ordinary)
    if not ordinary:
        assert tree.n_nodes == 1
        return
    found = {name: candidate["gain"] for name, candidate in events[0]["candidates"].items()}
    for name, candidate in ordinary[0]["candidates"].items():
        assert found[name] == close(candidate["gain"], abs=1e-9)
    assert found[events[0]["chosen"]] >= max(found.values()) - 1e-9
    assert tree.tested(0).name == events[0]["chosen"]
    assert events[0]["counts"] == tuple(tree.counts[0])


@properties
@given(st.data())
def test_with_one_number_an_oblique_tree_is_an_ordinary_one(tables, structure, data):
    X, y = data.draw(tables(functional=True))
    X = X.select([name for name in X.columns if name != "numeric1"])
    expected = structure(induce.ID3().fit(X, y).hypothesis_)
    assert structure(OC1(pruning=None).fit(X, y).hypothesis_) == expected


@both
def test_nominal_columns_only(learner):
    X, y = induce.dataset("play-tennis")
    tree = learner(pruning=None).fit(X, y).hypothesis_
    assert str(tree) == str(induce.ID3().fit(X, y).hypothesis_)
    assert str(tree.to_rules()) == str(induce.ID3().fit(X, y).hypothesis_.to_rules())


@both
def test_nominal_and_numeric_columns_compete(learner, rng):
    X, y = diagonal(200, rng)
    kind = rng.choice(["plain", "inverted"], 200)
    flipped = np.where(kind == "inverted", np.where(y == "above", "below", "above"), y)
    frame = pl.DataFrame({"kind": kind, "a": X[:, 0], "b": X[:, 1]})
    tree = learner().fit(frame, flipped).hypothesis_
    # what a sum says depends on the kind, so that neither gains anything alone, and both do together
    assert {tree.tested(node).name for node in np.flatnonzero(tree.attribute >= 0)} >= {"kind"}
    assert (tree.predict(frame) == flipped).mean() >= 0.97


@both
def test_same_seed_same_tree(learner):
    X, y = induce.dataset("iris")
    first = learner(random_state=3).fit(X, y).hypothesis_
    assert first == learner(random_state=3).fit(X, y).hypothesis_
    assert first != learner(random_state=4).fit(X, y).hypothesis_
    with induce.trace() as events:
        assert learner(random_state=3).fit(X, y).hypothesis_ == first
    assert events


@both
def test_the_order_of_the_rows_makes_no_difference(learner, rng):
    X, y = induce.dataset("iris")
    order = rng.permutation(len(y))
    assert learner().fit(X[order], y[order]).hypothesis_ == learner().fit(X, y).hypothesis_


@both
def test_a_weight_is_a_number_of_rows(learner, rng):
    X, y = (part.to_numpy() for part in induce.dataset("iris"))
    weight = rng.integers(0, 4, len(y))
    weighted = learner().fit(X, y, sample_weight=weight).hypothesis_
    assert weighted == learner().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight)).hypothesis_


@both
@pytest.mark.parametrize("unit", [1000.0, 0.1, 1e-6])
def test_the_unit_of_a_column_makes_no_difference(learner, unit, rng):
    X, y = (part.to_numpy() for part in induce.dataset("iris"))
    units = np.array([1.0, unit, 1.0, 1 / unit])
    new = X + rng.normal(size=X.shape)
    plain, scaled = learner().fit(X, y), learner().fit(X * units, y)
    assert (plain.predict(new) == scaled.predict(new * units)).all()


@both
@pytest.mark.filterwarnings("error")
def test_huge_and_tiny_values(learner):
    X = np.array(
        [[1e308, -1e308], [1.7e308, 1e300], [-1.7e308, 3], [5e-324, 0], [1e308, 1e308], [-1e308, 1e308]]
    )
    y = ["a", "b", "a", "b", "a", "b"]
    tree = learner(pruning=None).fit(np.repeat(X, 5, axis=0), np.repeat(y, 5)).hypothesis_
    tree.check()
    assert tree.predict(X).tolist() == y
    assert tree.predict_proba([[1.7e308, 1.7e308], [-1.7e308, -1.7e308]]).sum(axis=1) == close([1, 1])
    scales = learner(pruning=None).fit(X * [1e-300, 1e-15], y).hypothesis_
    scales.check()


@both
@pytest.mark.parametrize(
    ("X", "y", "n_leaves"),
    [
        ([[1.0, 2.0]], ["a"], 1),
        ([[1.0, 2.0], [3.0, 4.0]], ["a", "a"], 1),
        ([[1.0, 2.0]] * 3, ["a", "b", "a"], 1),
        ([[1.0, 2.0], [3.0, 2.0]], ["a", "b"], 2),
        ([[1.0, np.nan], [3.0, np.nan]], ["a", "b"], 2),
        ([[np.nan, np.nan]] * 2, ["a", "b"], 1),
        ([[1.0, 1.0], [1.0, 2.0], [1.0, 3.0], [1.0, 4.0]], ["a", "a", "b", "b"], 2),
    ],
)
def test_small_and_constant_tables(learner, X, y, n_leaves):
    tree = learner(pruning=None).fit(X, y).hypothesis_
    tree.check()
    assert tree.n_leaves == n_leaves
    assert len(tree.combinations) == len(tree.machines) == 0
    if n_leaves == 2:
        assert tree.predict(X).tolist() == y


@both
def test_missing_values(learner, rng):
    X, y = diagonal(300, rng)
    X = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    tree = learner(pruning="error-based").fit(X, y).hypothesis_
    assert tree.counts[1:3].sum(axis=0) == close(tree.counts[0])
    whole = ~np.isnan(X).any(axis=1)
    assert (tree.predict(X[whole]) == y[whole]).mean() >= 0.97
    root = tree.tested(0).name
    assert len(tree.combinations) >= 1
    assert "+" in root
    # a row that misses a value goes down both branches of a sum
    shares = tree.weights[1:3] / tree.weights[0]
    blank = tree.predict_proba([[np.nan, np.nan]])[0]
    stump = tree.cut(np.arange(tree.n_nodes) > 0)
    assert stump.predict_proba([[np.nan, 0.5]])[0] == close(shares @ stump.distribution[1:3])
    assert blank.sum() == close(1)


@both
@pytest.mark.parametrize("pruning", [None, "error-based", "reduced-error", "cost-complexity"])
def test_pruning(learner, pruning, rng):
    X, y = diagonal(300, rng)
    y = np.where(rng.random(300) < 0.15, "above", y)
    new, truth = diagonal(2000, rng)
    grown = learner(pruning=None).fit(X, y)
    pruned = learner(pruning=pruning).fit(X, y)
    pruned.hypothesis_.check()
    assert pruned.hypothesis_.n_leaves <= grown.hypothesis_.n_leaves
    if pruning == learner().pruning:
        assert pruned.score(new, truth) >= 0.92
    if pruning == "cost-complexity":
        assert pruned.hypothesis_.n_leaves == 2
    labels = (y[:, None] == np.array(pruned.hypothesis_.classes)).argmax(axis=1)
    if pruning != "reduced-error":
        table = pruned.hypothesis_.encoded(X)
        routed = pruned.hypothesis_.route(table, labels, np.ones(len(y)))
        assert routed == close(pruned.hypothesis_.counts)


@both
def test_limits_of_growth(learner, rng):
    X, y = bands(300, rng)
    assert learner(max_depth=2, pruning=None).fit(X, y).hypothesis_.depth <= 2
    assert learner(max_depth=0).fit(X, y).hypothesis_.n_nodes == 1
    assert learner(min_samples_split=301).fit(X, y).hypothesis_.n_nodes == 1
    tree = learner(min_samples_leaf=20, pruning=None).fit(X, y).hypothesis_
    inner = np.flatnonzero(tree.attribute >= 0)
    assert len(inner) > 0
    assert all((tree.weights[list(tree.children(node))] >= 20).sum() >= 2 for node in inner)


@both
def test_class_weight_moves_the_tree(learner, rng):
    X = rng.normal(size=(400, 2)) + np.repeat([[0.0, 0.0], [1.0, 1.0]], 200, axis=0)
    y = np.repeat(["common", "rare"], 200)
    plain = learner(max_depth=1).fit(X, y).predict(X)
    weighted = learner(max_depth=1, class_weight={"rare": 20}).fit(X, y).predict(X)
    assert (weighted == "rare").sum() > (plain == "rare").sum()


def test_restarts_and_jumps_find_what_climbing_alone_misses(rng):
    X = rng.normal(size=(150, 6))
    y = np.where(X @ rng.normal(size=6) + 0.3 * rng.normal(size=150) > 0, "a", "b")
    gain = {}
    for searches in product((0, 20), (0, 5)):
        with induce.trace("split") as events:
            OC1(restarts=searches[0], jumps=searches[1], max_depth=1).fit(X, y)
        gain[searches] = events[0]["candidates"][events[0]["chosen"]]["gain"]
    assert gain[20, 5] > gain[0, 0]
    assert gain[20, 5] >= max(gain.values()) - 0.05


def test_a_node_with_few_examples_is_divided_by_single_columns(rng):
    X = rng.normal(size=(11, 6))
    y = np.where(X.sum(axis=1) > 0, "a", "b")
    assert len(OC1(pruning=None).fit(X, y).hypothesis_.combinations) == 0


def test_large_nodes_are_searched_by_sample(rng, monkeypatch):
    X, y = diagonal(1500, rng)
    monkeypatch.setattr(oblique_search, "SAMPLE", 50)
    tree = OC1().fit(X, y)
    assert tree.score(*diagonal(2000, rng)) >= 0.98


@both
def test_a_compiled_step_may_end_at_any_time(learner, rng, monkeypatch):
    X, y = sectors(120, rng)
    whole = learner().fit(X, y).hypothesis_
    monkeypatch.setattr(oblique_search, "STEP", 1)
    stepwise = learner().fit(X, y).hypothesis_
    assert stepwise.n_leaves == whole.n_leaves
    assert (stepwise.predict(X) == whole.predict(X)).mean() >= 0.99


def here(X, y, weight=None, least=0.0):
    X = np.asarray(X, dtype=np.float64)
    labels = np.asarray(y)
    return Here(
        induce.ID3().fit(X, labels).hypothesis_.schema,
        X,
        np.empty((len(X), 0), np.int32),
        labels.astype(np.int64),
        np.ones(len(X)) if weight is None else weight,
        int(labels.max()) + 1,
        "gain",
        least,
    )


def purity(values, labels, weight):
    """Minus the entropy of the sides of 0, in bits times weight, by the formula; None if one is empty."""
    found = 0.0
    for side in (values > 0, values <= 0):
        counts = np.bincount(labels[side], weight[side])
        if not counts.sum():
            return None
        share = counts[counts > 0] / counts.sum()
        found += counts.sum() * (share * np.log2(share)).sum()
    return found


@properties
@given(st.integers(0, 10**6), st.booleans())
def test_climbing_ends_where_no_coefficient_can_be_better(seed, weighted):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 30))
    columns = np.vstack([rng.normal(size=(2, n)).round(1), np.ones((1, n))])
    labels = rng.integers(0, 3, n)
    weight = rng.choice([0.5, 1.0, 2.0], n) if weighted else np.ones(n)
    plane = rng.normal(size=3)
    state = np.zeros(6)
    state[loops.SCORE], state[loops.AXIS], state[loops.MOVE] = -np.inf, 2, 1.0
    assert loops.climb(
        columns, labels, weight, 3, plane, rng.normal(size=(9, 3)), rng.random(9), state, 2, 0.0, False, 10**9
    )
    reached = purity(plane @ columns, labels, weight)
    assert reached is not None
    assert state[loops.SCORE] == close(reached, abs=1e-6)
    values = plane @ columns
    for slope in columns:
        moving = np.abs(slope) > 1e-9
        turns = np.sort(-values[moving] / slope[moving])
        apart = np.diff(turns) > 1e-5 * (1 + np.abs(turns[:-1]))
        for step in ((turns[1:] + turns[:-1]) / 2)[apart]:
            other = purity(values + step * slope, labels, weight)
            assert other is None or other <= reached + 1e-6


def test_standard_columns(rng):
    X = np.column_stack([rng.normal(5, 2, 50), np.full(50, 3.0), rng.normal(size=50) * 1e300])
    X[:5, 0] = np.nan
    standard = Standard.of(here(X, rng.integers(0, 2, 50)))
    assert standard.used.tolist() == [0, 2]
    assert standard.columns[:, 5:].mean(axis=1) == close([0, 0], abs=0.4)
    assert (standard.columns[0, :5] == 0).all()
    plane = np.array([[2.0, 0.0, 1.0]])
    weights = standard.in_units(plane, 3)[0]
    known = X[5:, 0]
    expected = np.sign(plane[0, 0] * standard.columns[0, 5:] + 1.0)
    assert (np.sign(weights[0] * known + weights[-1]) == expected).all()
    assert np.abs(weights[:-1]).max() == 1.0


def test_equal_rows_are_merged(rng):
    X = rng.integers(0, 2, size=(60, 2)).astype(float)
    X[::7, 1] = np.nan
    y = rng.integers(0, 2, 60)
    examples, *_ = OC1()._examples(X, y, None)
    few = merged(examples)
    assert few.weight().sum() == 60
    distinct = {
        (row[0], None if np.isnan(row[1]) else row[1], label) for row, label in zip(X, y, strict=True)
    }
    assert len(few) == len(distinct)


def test_examples_are_shown_as_often_as_they_weigh(rng):
    search = MachineSearch(rng)
    assert sorted(search._order(np.array([1.0, 3.0, 1.0]))) == [0, 1, 1, 1, 2]
    assert sorted(search._order(np.full(4, 0.25))) == [0, 1, 2, 3]


@both
@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ({"pruning": "often"}, "pruning is 'often'"),
        ({"max_depth": -1}, "max_depth is -1"),
        ({"min_samples_leaf": "a"}, "min_samples_leaf is 'a'"),
        ({"min_samples_split": -2}, "min_samples_split is -2"),
        ({"random_state": "x"}, "random_state is 'x'"),
    ],
)
def test_bad_parameters(learner, parameters, names):
    with pytest.raises(InputError, match=names):
        learner(**parameters).fit([[1.0, 2.0], [3.0, 4.0]], ["a", "b"])


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ({"criterion": "gain_ratio"}, "criterion is 'gain_ratio'; it can be 'gain', 'gini'"),
        ({"restarts": -1}, "restarts is -1"),
        ({"jumps": 1.5}, "jumps is 1.5"),
    ],
)
def test_bad_parameters_of_oc1(parameters, names):
    with pytest.raises(InputError, match=names):
        OC1(**parameters).fit([[1.0, 2.0], [3.0, 4.0]], ["a", "b"])


@both
def test_progress(learner, rng):
    X, y = sectors(200, rng)
    seen = []
    with progress(seen.append):
        learner(pruning="cost-complexity").fit(X, y)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
