"""Learners whose sums over partitions are those of memory: linear regression, belief networks, clusters."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from tests.estimators.test_scale import QUICK, assert_same_tree, client, parted, table

pytestmark = pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
__all__ = ["client"]


def numbers(seed):
    """A table with a number to predict."""
    frame = table(seed, 200)
    rng = np.random.default_rng(seed)
    bright = frame["few"].fill_null(1.0).to_numpy() + rng.normal(size=frame.height)
    return frame.with_columns(pl.Series("y", bright))


def assert_close(found, expected, n_parts=0):
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9, err_msg=f"{n_parts} partitions")


def everywhere(client, frame, seed, target="y"):
    for n_parts, where in ((1, "serial"), (2, "threads:2"), (5, client)):
        yield n_parts, induce.scan(parted(frame, n_parts, seed), target), where


@QUICK
@given(
    seed=st.integers(0, 10_000),
    given_=st.sampled_from(
        [
            {},
            {"penalty": "l2", "strength": 0.1},
            {"penalty": "l1", "strength": 0.05},
            {"fit_intercept": False},
            {"terms": "few^2, few:kind"},
        ]
    ),
)
def test_linear_regression(client, seed, given_):
    frame = numbers(seed).with_columns(pl.col("x") - 1e4, pl.col("z") - 1e4)
    X, y = induce.read(frame, "y")
    expected = induce.LinearRegression(**given_).fit(X, y)
    for n_parts, source, where in everywhere(client, frame, seed):
        with induce.using(where):
            found = induce.LinearRegression(**given_).fit(source)
        assert found.hypothesis_.design.terms == expected.hypothesis_.design.terms
        assert_close(found.predict(X), expected.predict(X), n_parts)


def test_a_number_is_predicted_where_whole_numbers_are_the_classes():
    frame = table(3).with_columns(pl.col("few").fill_null(0).cast(pl.Int64).alias("y"))
    source = induce.scan(frame, "y")
    assert source.classes == (0, 1, 2, 3)
    X, y = induce.read(frame, "y")
    with induce.using("serial"):
        found = induce.LinearRegression().fit(source)
    assert_close(found.predict(X), induce.LinearRegression().fit(X, y).predict(X))


@pytest.mark.parametrize(
    ("learner", "frame", "target", "said"),
    [
        (induce.LinearRegression(), table(0), "y", "target 'y' of 'frame' holds 'no', but a number is to be"),
        (induce.LinearRegression(), table(0), None, "is not named, but a number is to be predicted"),
        (induce.NaiveBayes(), numbers(0), "y", "target 'y' is numeric, but a classifier needs classes"),
        (induce.NaiveBayes(), table(0), None, "was scanned without a target; name it"),
        (
            induce.LinearRegression(loss="absolute"),
            numbers(0),
            "y",
            "learning from partitions does not support",
        ),
        (induce.NetworkParameters(method="em"), table(0), "y", "supports only counts of observed nodes"),
        (
            induce.AdaBoost(n_iter_no_change=3),
            table(0),
            "y",
            "n_iter_no_change is 3, but on partitions only stumps are boosted",
        ),
        (induce.AdaBoost(induce.ID3()), table(0), "y", "on partitions only stumps are boosted"),
        (induce.ChowLiu(n_bootstrap=5), table(0), "y", "n_bootstrap is set"),
    ],
)
def test_what_partitions_do_not_give_is_said(learner, frame, target, said):
    with induce.using("serial"), pytest.raises(InputError, match=said):
        learner.fit(induce.scan(frame, target))


def test_numbers_of_a_csv_file(tmp_path):
    frame = numbers(1)
    frame.write_csv(tmp_path / "numbers.csv")
    source = induce.scan(tmp_path / "numbers.csv", "y", rows=60)
    assert source.classes == ()
    assert len(source) == 200
    assert len(source.parts) == 4
    y = source.read().y
    assert_close(y.to_numpy(), frame["y"].to_numpy())


NETWORKS = [
    induce.ChowLiu(),
    induce.ChowLiu(root="few"),
    induce.NetworkParameters(),
    induce.NetworkParameters(class_weight="balanced", alpha=0.5),
    induce.NetworkParameters(structure={"x": ["few", "kind"], "z": ["x"], "few": ["colour"]}),
]


@pytest.mark.compiled
@QUICK
@given(seed=st.integers(0, 10_000), which=st.integers(0, len(NETWORKS) - 1), predicts=st.booleans())
def test_belief_networks(client, seed, which, predicts):
    flag = pl.Series("flag", np.random.default_rng(seed).integers(0, 2, 150))
    frame = table(seed, 150).with_columns(pl.col("x") - 1e4, pl.col("z") - 1e4, flag)
    learner, target = NETWORKS[which], "y" if predicts else None
    frame = frame if predicts else frame.drop("y")
    X, y = induce.read(frame, target)
    expected = learner.fit(X, y).hypothesis_
    for n_parts, source, where in everywhere(client, frame, seed, target):
        with induce.using(where):
            found = learner.fit(source).hypothesis_
        assert found.schema == expected.schema
        if predicts:
            assert found.network.parents == expected.network.parents
            assert_close(found.predict_proba(X), expected.predict_proba(X), n_parts)
        else:
            assert found.parents == expected.parents
            assert_close(found.score_samples(X), expected.score_samples(X), n_parts)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "given_",
    [
        {},
        {"loss": "logistic", "learning_rate": 0.5},
        {"estimator": induce.DecisionStump()},
        {"class_weight": "balanced"},
    ],
)
def test_adaboost(client, given_):
    for seed, classes in ((1, ("no", "yes")), (2, ("low", "middle", "high"))):
        frame = table(seed, 200, 0.15, classes)
        X, y = induce.read(frame, "y")
        expected = induce.AdaBoost(n_estimators=12, **given_).fit(X, y).hypothesis_
        for n_parts, source, where in everywhere(client, frame, seed):
            with induce.using(where):
                found = induce.AdaBoost(n_estimators=12, **given_).fit(source).hypothesis_
            assert [str(each) for each in found.members] == [str(each) for each in expected.members]
            assert_close(found.weights, expected.weights, n_parts)
            assert_close(found.agreement, expected.agreement, n_parts)
    assert str(found.scorecard()) == str(expected.scorecard())


@pytest.mark.compiled
def test_adaboost_along_a_column():
    frame = table(1, 200)
    X, y = induce.read(frame, "y")
    learner = induce.AdaBoost(n_estimators=12, monotone={"x": 1})
    expected = learner.fit(X, y).hypothesis_
    with induce.using("serial"):
        assert_close(
            learner.fit(induce.scan(frame, "y", rows=70)).predict_proba(X), expected.predict_proba(X)
        )


CLUSTERS = [
    induce.KMeans(3),
    induce.KMeans(2, scale=None, rules=False),
    induce.GaussianMixture(2),
    induce.GaussianMixture(2, covariance_type="tied", scale=None),
    induce.MixtureModel(3, rules=False),
]


@pytest.mark.compiled
@pytest.mark.parametrize("which", range(len(CLUSTERS)))
@pytest.mark.parametrize("seed", [1])
def test_clusters(client, monkeypatch, seed, which):
    from induce.core import hashing
    from induce.mixtures.learners import base

    frame = table(seed, 150).drop("y")
    for most in (250_000, 80):
        monkeypatch.setattr(hashing.sampled_rows, "__defaults__", (0, None, most))
        monkeypatch.setattr(base, "SAMPLE", most)
        expected = CLUSTERS[which].fit(frame).hypothesis_
        for n_parts, source, where in everywhere(client, frame, seed, None):
            with induce.using(where):
                found = CLUSTERS[which].fit(source).hypothesis_
            assert_close(found.score_samples(frame), expected.score_samples(frame), n_parts)
            assert (found.predict(frame) == expected.predict(frame)).all()
            assert str(found.rules) == str(expected.rules)
            assert_close(found.log_likelihood, expected.log_likelihood)


FORESTS = [
    {"class_weight": "balanced", "bins": 30},
    {"class_weight": {"no": 0.3, "yes": 1, "low": 2.5, "middle": 0, "high": 1}, "max_depth": 3},
    {"bins": 255},
    {"bins": 12, "max_depth": 4, "min_samples_leaf": 3},
    {"criterion": "gain", "max_features": 1, "bins": 40},
    {"criterion": "gain_ratio", "max_features": 0.8},
]


@pytest.mark.compiled
@pytest.mark.parametrize("given_", FORESTS)
def test_forests(client, monkeypatch, given_):
    from induce.ensembles.learners import bags

    three = ("low", "middle", "high")
    cases = ((1, ("no", "yes"), 0.15, 2**16), (2, three, 0.15, 64), (3, three, 0.0, 2**16))
    for seed, classes, holes, block in cases:
        monkeypatch.setattr(bags, "BLOCK", block)
        frame = table(seed, 200, holes, classes)
        X, y = induce.read(frame, "y")
        expected = induce.RandomForest(n_estimators=3, **given_).fit(X, y).hypothesis_
        for n_parts, source, where in everywhere(client, frame, seed):
            if where is client and block < 2**16:
                continue  # workers have the blocks of their own process
            with induce.using(where):
                found = induce.RandomForest(n_estimators=3, **given_).fit(source).hypothesis_
            for tree, known in zip(found.members, expected.members, strict=True):
                assert_same_tree(tree, known)
            assert_close(found.predict_proba(X), expected.predict_proba(X), n_parts)
            assert_close(found.agreement, expected.agreement, n_parts)


@pytest.mark.compiled
def test_large_nodes_of_forests_are_counted_in_drawn_columns(monkeypatch):
    from induce.trees import _bin_loops

    monkeypatch.setattr(_bin_loops, "FEW", 0)
    frame = table(4, 300, 0.1).with_columns(pl.lit(1.0).alias("flat"), pl.lit("same").alias("one"))
    X, y = induce.read(frame, "y")
    learner = induce.RandomForest(n_estimators=3, max_features=1, bins=4, min_samples_leaf=20)
    expected = learner.fit(X, y).hypothesis_
    with induce.using("serial"):
        found = learner.fit(induce.scan(parted(frame, 3, 0), "y")).hypothesis_
    for tree, known in zip(found.members, expected.members, strict=True):
        assert_same_tree(tree, known)


@pytest.mark.compiled
def test_forests_from_partitions_of_a_share():
    frame = table(5, 300)
    train, _ = induce.scan(parted(frame, 4, 1), "y").held_out(0.3)
    X, y = train.read()
    learner = induce.RandomForest(n_estimators=2)
    expected = learner.fit(X, y).hypothesis_
    with induce.using("serial"):
        found = learner.fit(train).hypothesis_
    assert_close(found.predict_proba(X), expected.predict_proba(X))


NUMBER_TREES = [
    {},
    {"pruning": None, "nominal": "multiway"},
    {"pruning": None, "max_depth": 3, "min_samples_leaf": 7, "min_samples_split": 20},
    {"pruning": "cost-complexity", "ccp_alpha": 0.01},
    {"min_decrease": 0.02, "pruning": None},
    {"smoothing": 15},
]


@pytest.mark.compiled
@QUICK
@given(
    seed=st.integers(0, 10_000),
    which=st.integers(0, len(NUMBER_TREES) - 1),
    few=st.sampled_from([20, 60, 10_000]),
    coarse=st.booleans(),
)
def test_regression_trees(client, seed, which, few, coarse):
    from induce.trees.scale.numbers import NumberGrowth

    frame = numbers(seed)
    if coarse:  # many equal targets
        frame = frame.with_columns((pl.col("y") * 0.7).round(0) + 0.5)
    X, y = induce.read(frame, "y")
    learner = induce.DecisionTreeRegressor(**NUMBER_TREES[which])
    expected = learner.fit(X, y).hypothesis_
    before, NumberGrowth.few = NumberGrowth.few, lambda self: few
    try:
        for n_parts, source, where in everywhere(client, frame, seed):
            with induce.using(where):
                found = learner.fit(source).hypothesis_
            for name in ("attribute", "first", "n_branches", "map_start", "branch_map", "n"):
                np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)
            for name in ("threshold", "mean", "sse", "intercept"):
                assert_close(getattr(found, name), getattr(expected, name), n_parts)
    finally:
        NumberGrowth.few = before


NUMBER_FORESTS = [
    {},
    {"max_features": "sqrt"},
    {"max_features": 2, "max_depth": 4, "min_samples_leaf": 3},
    {"max_features": 0.8, "min_samples_split": 15},
]


@pytest.mark.compiled
@QUICK
@given(
    seed=st.integers(0, 10_000),
    which=st.integers(0, len(NUMBER_FORESTS) - 1),
    few=st.sampled_from([20, 60, 10_000]),
    coarse=st.booleans(),
    block=st.sampled_from([64, 2**16]),
)
def test_regression_forests(client, seed, which, few, coarse, block):
    from induce.ensembles.learners import bags
    from induce.trees.scale.numbers import NumberGrowth

    frame = numbers(seed)
    if coarse:  # many equal targets
        frame = frame.with_columns((pl.col("y") * 0.7).round(0) + 0.5)
    X, y = induce.read(frame, "y")
    learner = induce.RandomForestRegressor(n_estimators=3, **NUMBER_FORESTS[which])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bags, "BLOCK", block)
        patch.setattr(NumberGrowth, "few", lambda self: few)
        expected = learner.fit(X, y).hypothesis_
        unseen = X.with_columns(colour=pl.lit("violet"))
        for n_parts, source, where in everywhere(client, frame, seed):
            with induce.using(where):
                found = learner.fit(source).hypothesis_
            for tree, known in zip(found.members, expected.members, strict=True):
                for name in ("attribute", "first", "n_branches", "map_start", "branch_map", "n"):
                    np.testing.assert_array_equal(getattr(tree, name), getattr(known, name), err_msg=name)
                for name in ("threshold", "mean", "sse"):
                    assert_close(getattr(tree, name), getattr(known, name), n_parts)
            for rows in (X, unseen):
                assert_close(found.predict(rows), expected.predict(rows), n_parts)


@pytest.mark.compiled
def test_regression_forests_of_few_rows():
    for n in (1, 2, 3):
        frame = numbers(0)[:n]
        X, y = induce.read(frame, "y")
        learner = induce.RandomForestRegressor(n_estimators=6)
        expected = learner.fit(X, y).hypothesis_
        with induce.using("serial"):
            assert_close(learner.fit(induce.scan(frame, "y")).hypothesis_.predict(X), expected.predict(X))


def test_forests_do_not_estimate_out_of_bag_from_partitions():
    for learner, frame in ((induce.RandomForest, table(0)), (induce.RandomForestRegressor, numbers(0))):
        with induce.using("serial"), pytest.raises(InputError, match="oob_score is True, but learning from"):
            learner(oob_score=True).fit(induce.scan(frame, "y"))
