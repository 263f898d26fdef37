"""Bagging and random forests: bags, threads, and the rows that are left out."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier

import induce
from induce.ensembles.learners import bags as bags_module
from induce.ensembles.learners.bags import Bags, Strata, block_counts, canonical
from induce.evaluation import out_of_bag
from induce.trees.hypothesis import Tree


def test_bags_are_drawn_with_replacement_by_weight():
    labels = np.arange(200) % 2
    weights = np.where(np.arange(200) < 100, 3.0, 1.0)
    weights[-10:] = 0
    bags = Bags.drawn(labels, weights, 40, "bootstrap", 0)
    times = np.array([bags.times(k) for k in range(40)])
    assert (times.sum(axis=1) == 190).all()
    assert (times[:, -10:] == 0).all()
    assert times[:, :100].sum() / times[:, 100:].sum() == pytest.approx(300 / 90, rel=0.1)
    assert np.array_equal(bags.times(3), times[3])


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 300), st.integers(0, 300), st.integers(0, 300), st.integers(0, 1000))
def test_bags_by_class_do_not_depend_on_where_a_partition_begins(n, low, high, seed):
    labels = np.random.default_rng(seed).integers(0, 3, n)
    of_class = canonical(np.array([0.3, 2.0, 0.0 if seed % 2 else 1.0]))
    if not of_class[labels].any():
        return
    low, high = sorted((min(low, n), min(high, n)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bags_module, "BLOCK", 64)
        strata = Strata(block_counts(0, labels, 3), of_class)
        whole = strata.times(seed, 0, 0, labels, strata.none())
        before = np.bincount(labels[low - low % 64 : low], minlength=3)
        assert (strata.times(seed, 0, low, labels[low:high], before) == whole[low:high]).all()
        assert whole.sum() == (of_class[labels] > 0).sum()
        bags = Bags.drawn(labels, 5 * of_class[labels], 1, "bootstrap", seed)
        assert bags.times(0).sum() == whole.sum()


def test_bags_by_class_follow_the_weights():
    labels = np.arange(3000) % 3
    of_class = np.array([1.0, 3.0, 6.0])
    bags = Bags.drawn(labels, of_class[labels], 20, "bootstrap", 0)
    times = sum(bags.times(k) for k in range(20))
    np.testing.assert_allclose(np.bincount(labels, times) / times.sum(), [0.1, 0.3, 0.6], atol=0.01)


def test_a_bag_has_two_classes_if_there_are_two():
    labels = np.array([0] * 30 + [1])
    bags = Bags.drawn(labels, np.ones(31), 50, "bootstrap", 0)
    assert all(bags.times(k)[-1] > 0 for k in range(50))


@pytest.mark.parametrize(
    "make",
    [
        lambda n_jobs: induce.Bagging(n_estimators=6, n_jobs=n_jobs),
        lambda n_jobs: induce.Bagging(induce.C45Rules(), n_estimators=3, n_jobs=n_jobs),
        lambda n_jobs: induce.RandomForest(n_estimators=6, n_jobs=n_jobs),
        lambda n_jobs: induce.Committee(voting="weighted", n_jobs=n_jobs),
        lambda n_jobs: induce.Stacking(n_jobs=n_jobs),
    ],
)
def test_threads_change_nothing(make, mixed):
    X, y = mixed(80, 3)
    assert make(1).fit(X, y).hypothesis_ == make(2).fit(X, y).hypothesis_


def test_members_are_what_the_learner_learns_from_their_bags(mixed):
    X, y = mixed(70, 3)
    learner = induce.Bagging(induce.C45(), n_estimators=4).fit(X, y)
    for k, member in enumerate(learner.hypothesis_.members):
        alone = induce.C45(schema=learner.hypothesis_.schema)
        alone.fit(X, y, sample_weight=learner.bags_.times(k))
        assert str(alone.hypothesis_) == str(member)


@pytest.mark.parametrize(
    ("estimator", "prepared"),
    [
        (induce.C45(), True),
        (induce.DecisionTreeClassifier(bins=64), True),
        (induce.DecisionTreeClassifier(criterion="random"), True),
        (induce.CART(ccp_alpha=0.01), True),
        (induce.CART(), False),
        (induce.ID3(pruning="reduced-error"), False),
        (induce.DecisionTreeClassifier(pruning="repeated-partitions"), False),
    ],
)
def test_trees_are_grown_from_what_is_prepared_where_pruning_allows_it(estimator, prepared, mixed):
    X, y = mixed(60)
    learn = estimator.prepare(X, y)
    assert (learn is not None) == prepared
    weights = np.random.default_rng(0).integers(0, 3, 60).astype(float)
    if prepared:
        assert str(learn(weights, None)) == str(estimator.fit(X, y, sample_weight=weights).hypothesis_)
    assert len(induce.Bagging(estimator, n_estimators=2).fit(X, y).hypothesis_.members) == 2


def test_the_vote_of_a_cross_validation(mixed):
    """EN1: hypotheses that each leave out a fold."""
    X, y = mixed(60)
    learner = induce.Bagging(n_estimators=20, resampling="folds").fit(X, y)
    left_out = np.array([learner.bags_.times(k) == 0 for k in range(20)])
    assert (left_out.sum(axis=0) == 1).all()
    estimate = out_of_bag(learner, X, y)
    assert estimate.n == 60
    wrong = [
        learner.hypothesis_.members[k].predict(X)[row] != y.to_numpy()[row]
        for k, row in zip(*np.nonzero(left_out), strict=True)
    ]
    assert estimate.value == pytest.approx(np.mean(wrong))
    for n in (1, 61):
        with pytest.raises(
            induce.InputError, match=f"n_estimators is {n}, but 60 rows can be split into 2 to 60 folds"
        ):
            induce.Bagging(n_estimators=n, resampling="folds").fit(X, y)


@pytest.mark.compiled
def test_out_of_bag_is_near_the_error_on_new_rows(mixed):
    (X, y), (new, truth) = mixed(400, 3, 1), mixed(2000, 3, 2)
    learner = induce.RandomForest(n_estimators=60).fit(X, y)
    estimate = out_of_bag(learner, X, y)
    assert estimate.value == pytest.approx(1 - learner.score(new, truth), abs=0.05)
    assert not estimate.interval.holds
    assert "share members" in estimate.interval.preconditions
    assert str(estimate).endswith("(out of bag, 400 rows)")
    left_out = [learner.bags_.times(k) == 0 for k in range(60)]
    assert out_of_bag(learner.hypothesis_, X, y, left_out=left_out).value == estimate.value
    few = induce.Bagging(n_estimators=2).fit(X, y)
    with pytest.warns(induce.Note, match="all members were trained on them"):
        assert out_of_bag(few, X, y).n < 400


def test_out_of_bag_of_what_leaves_nothing_out(mixed):
    X, y = mixed(60)
    boosted = induce.AdaBoost(n_estimators=3).fit(X, y)
    with pytest.raises(
        induce.InputError, match="the rows that the members of AdaBoost were trained on are unknown"
    ):
        out_of_bag(boosted, X, y)
    with pytest.raises(induce.InputError, match="C45 is not an ensemble"):
        out_of_bag(induce.C45().fit(X, y), X, y)
    with pytest.raises(induce.InputError, match="left_out has 1 entries for 3 members"):
        out_of_bag(boosted, X, y, left_out=[[1]])
    with pytest.raises(induce.InputError, match="all members were trained on all rows"):
        out_of_bag(boosted, X, y, left_out=[[], [], []])
    with pytest.raises(induce.InputError, match="the ensemble was trained on 60"):
        out_of_bag(induce.Bagging(n_estimators=3).fit(X, y), X[:9], y[:9])


@pytest.mark.compiled
def test_forests_try_some_columns_at_each_node():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 9))
    y = np.where(X[:, 0] > 0, "a", "b")
    roots = [
        int(tree.attribute[0]) for tree in induce.RandomForest(n_estimators=60).fit(X, y).hypothesis_.members
    ]
    assert 60 * 0.15 < roots.count(0) < 60 * 0.55  # three of nine are tried
    everywhere = induce.RandomForest(n_estimators=5, max_features=1.0).fit(X, y).hypothesis_.members
    assert {int(tree.attribute[0]) for tree in everywhere} == {0}
    alone = induce.RandomForest(n_estimators=30, max_features=1).fit(X, y).hypothesis_.members
    assert len({int(tree.attribute[0]) for tree in alone}) > 4


@pytest.mark.compiled
def test_forests_are_as_accurate_as_those_of_scikit_learn(mixed):
    (X, y), (new, truth) = mixed(600, 3, 5, holes=0), mixed(1500, 3, 6, holes=0)
    numbers, others = X.to_dummies("c").to_numpy(), new.to_dummies("c").to_numpy()
    theirs = RandomForestClassifier(random_state=0).fit(numbers, y).score(others, truth)
    for bins in (255, None):
        ours = induce.RandomForest(bins=bins).fit(X, y)
        assert ours.score(new, truth) > theirs - 0.02
        assert all(isinstance(member, Tree) for member in ours.hypothesis_.members)


def test_learners_of_scikit_learn_without_weights(mixed):
    X, y = mixed(80, holes=0)
    numbers = X.to_dummies("c")
    assert induce.Bagging(KNeighborsClassifier(3), n_estimators=5).fit(numbers, y).score(numbers, y) > 0.8


@pytest.mark.parametrize(
    ("learner", "sentence"),
    [
        (induce.Bagging(n_estimators=0), "n_estimators is 0"),
        (induce.Bagging(resampling="jackknife"), "resampling is 'jackknife'"),
        (induce.Bagging(induce.ModelTree()), "estimator is ModelTree, which predicts numbers"),
        (induce.RandomForest(max_features="log"), "max_features is 'log'"),
        (induce.RandomForest(max_features=0), "max_features is 0"),
        (induce.RandomForest(max_features=1.5), "max_features is 1.5"),
        (induce.RandomForest(criterion="twoing"), "criterion is 'twoing'"),
        (induce.RandomForest(bins=1), "bins is 1"),
    ],
)
def test_bad_parameters(learner, sentence, mixed):
    with pytest.raises(induce.InputError, match=sentence):
        learner.fit(*mixed())


def test_importance_of_any_hypothesis(mixed):
    X, y = mixed(120, holes=0)
    for learner in (
        induce.RandomForest(n_estimators=5),
        induce.AdaBoost(),
        induce.NaiveBayes(),
        induce.CN2(),
    ):
        found = induce.permutation_importance(learner.fit(X, y), X, y, repeats=3)
        assert set(found.ranked()) <= {"a", "b", "c"}
        assert found.lost["c"] > 0.03
        assert found.gained == {}
        assert "share of the gain" not in str(found)
        assert len(found.draw().axes) == 1
    with pytest.raises(induce.InputError, match="ModelTree does not predict classes of rows"):
        induce.permutation_importance(induce.ModelTree().fit(X[:20], range(20)), X, y)


def noisy_with_zip(n=150, n_values=50, seed=0):
    """Return rows whose class follows a number, four times in five, beside a nominal column that says nothing."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n).round(2)
    zips = [f"z{k:02d}" for k in rng.integers(0, n_values, n)]
    y = np.where((x > 0) == (rng.random(n) < 0.8), "p", "q")
    return pl.DataFrame({"x": x, "zip": zips}), y


def first_tested(learner):
    X, y = noisy_with_zip()
    found = learner.set_params(schema={"zip": "nominal"}).fit(X, y).hypothesis_
    first = getattr(found, "members", (found,))[0]
    return first.tested(0).name


@pytest.mark.parametrize(
    "learner",
    [
        induce.CART(),
        induce.DecisionTreeClassifier(criterion="gain", nominal="subset"),
        induce.DecisionTreeClassifier(criterion="gain_ratio", nominal="subset", bins=16),
        induce.Bagging(n_estimators=1),
        induce.RandomForest(n_estimators=1, max_features=2),
        induce.AdaBoost(n_estimators=1),
    ],
    ids=str,
)
def test_many_values_pay_for_the_divisions_they_are_chosen_from(learner):
    assert first_tested(learner) == "x"


def test_numbers_too():
    X, y = noisy_with_zip()
    tree = (
        induce.DecisionTreeRegressor(schema={"zip": "nominal"}).fit(X, (y == "p").astype(float)).hypothesis_
    )
    assert tree.tested(0).name == "x"


def test_a_column_of_many_values_that_says_much_is_kept():
    rng = np.random.default_rng(0)
    zips = rng.permutation(np.repeat(np.arange(24), 10))
    X = pl.DataFrame({"x": rng.normal(size=240).round(2), "zip": [f"z{k:02d}" for k in zips]})
    y = np.where((zips % 2 == 0) == (rng.random(240) < 0.9), "p", "q")
    for learner in (induce.Bagging(n_estimators=3), induce.AdaBoost(n_estimators=3), induce.CART()):
        assert learner.fit(X[:160], y[:160]).score(X[160:], y[160:]) > 0.75


@pytest.mark.parametrize("learner", [induce.Bagging(n_estimators=12), induce.RandomForest(n_estimators=12)])
def test_of_a_row_of_which_nothing_is_known_the_prior_is_said(learner):
    X, _ = noisy_with_zip(n=100)
    X, y = X.drop("zip"), np.repeat(["p", "q"], [70, 30])
    nothing = pl.DataFrame({"x": [None]}, schema={"x": pl.Float64})
    said = learner.fit(X, y).predict_proba(nothing)[0]
    assert said == pytest.approx([0.7, 0.3], abs=0.05)
