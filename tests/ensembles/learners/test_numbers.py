"""Ensembles that predict numbers: what they average, explain and export."""

import numpy as np
import polars as pl
import pytest
from sklearn.ensemble import AdaBoostRegressor, BaggingRegressor, RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

import induce
from induce.core.errors import InputError

LEARNERS = [
    induce.BaggingRegressor(n_estimators=5),
    induce.RandomForestRegressor(n_estimators=5, max_features=2),
    induce.AdaBoostRegressor(n_estimators=5),
    induce.BaggingRegressor(induce.ModelTree(), n_estimators=3),
]


def houses(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = pl.DataFrame(
        {
            "size": rng.integers(40, 200, n).astype(float),
            "age": rng.integers(0, 90, n).astype(float),
            "place": rng.choice(["town", "<village", "coast"], n),
        }
    )
    y = 3 * X["size"].to_numpy() - X["age"].to_numpy() + 100 * (X["place"] == "coast").to_numpy()
    return X, y + rng.normal(scale=20, size=n).round(1)


def with_holes(X):
    """Return rows, some of which miss a value or have a new one."""
    return X.with_columns(
        size=pl.when(pl.int_range(pl.len()) % 5 == 0).then(None).otherwise(pl.col("size")),
        place=pl.when(pl.int_range(pl.len()) % 7 == 0).then(pl.lit("moon")).otherwise(pl.col("place")),
    )


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_parts_sum_to_the_prediction(learner):
    X, y = houses()
    found = learner.fit(X, y).hypothesis_
    rows = with_holes(X)[:15]
    for reason, number in zip(found.explain(rows), found.predict(rows), strict=True):
        assert reason.prediction == number
        assert reason.attribution.total == pytest.approx(number)
    assert "size = " in str(found.explain(X[:1])[0])


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_exports_give_the_same_numbers(learner, ask):
    X, y = houses()
    found = learner.fit(X, y).hypothesis_
    rows = with_holes(X)[:20]
    expected = found.predict(rows).tolist()
    space = {}
    exec(found.to_python("worth"), space)
    assert [space["worth"](row) for row in rows.to_dicts()] == expected
    assert ask(found.to_sql(), rows) == pytest.approx(expected, rel=1e-12)


def test_many_trees_are_walked_down_as_a_table(ask):
    X, y = houses(80)
    found = induce.RandomForestRegressor(n_estimators=40).fit(X, y).hypothesis_
    assert "RECURSIVE" in found.to_sql()
    assert ask(found.to_sql(), X[:10]) == pytest.approx(found.predict(X[:10]).tolist(), rel=1e-12)


def test_a_forest_in_one_loop_says_what_its_trees_say():
    X, y = houses()
    for learner in LEARNERS[:2]:
        found = learner.fit(X, y).hypothesis_
        for rows in (X, with_holes(X), X[:0]):
            one_by_one = np.mean([tree.predict(rows) for tree in found.members], axis=0)
            assert found.predict(rows) == pytest.approx(one_by_one)


def test_the_weighted_median_is_a_member_s_number():
    X, y = houses()
    found = induce.AdaBoostRegressor(n_estimators=6).fit(X, y).hypothesis_
    said, weights = found.said(X), found.weights
    for numbers, median in zip(said, found.predict(X), strict=True):
        below, up_to = weights[numbers < median].sum(), weights[numbers <= median].sum()
        assert below < weights.sum() / 2 <= up_to


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (induce.BaggingRegressor(n_estimators=30), BaggingRegressor(n_estimators=30, random_state=0)),
        (
            induce.RandomForestRegressor(n_estimators=30),
            RandomForestRegressor(n_estimators=30, random_state=0),
        ),
        (
            induce.AdaBoostRegressor(n_estimators=30),
            AdaBoostRegressor(DecisionTreeRegressor(max_depth=3), n_estimators=30, random_state=0),
        ),
    ],
    ids=["bagging", "forest", "boosting"],
)
def test_accuracy_is_scikit_learns(ours, theirs):
    X, y = houses(200)
    X = X.drop("place").to_numpy()
    mine = ours.fit(X[:120], y[:120]).score(X[120:], y[120:])
    assert mine == pytest.approx(theirs.fit(X[:120], y[:120]).score(X[120:], y[120:]), abs=0.05)


def test_learners_of_others_and_of_classes():
    X, y = houses()
    X = X.drop("place")
    found = induce.BaggingRegressor(LinearRegression(), n_estimators=3).fit(X, y)
    assert found.score(X, y) > 0.5
    assert "sql" in found.hypothesis_._lacking()
    with pytest.raises(InputError, match="C45, which predicts classes"):
        induce.AdaBoostRegressor(induce.C45()).fit(X, y)


def test_boosting_ends_with_a_hypothesis_that_makes_no_error():
    X = [[k] for k in range(8)]
    found = induce.AdaBoostRegressor(induce.DecisionTreeRegressor()).fit(X, [1.0] * 4 + [2.0] * 4)
    assert found.score(X, [1.0] * 4 + [2.0] * 4) == 1.0
    assert len(found.hypothesis_.members) < 50


@pytest.mark.parametrize("learner", LEARNERS[:3], ids=str)
def test_ensembles_of_numbers_are_saved_drawn_and_printed(learner, tmp_path):
    X, y = houses()
    learner = learner.fit(X, y)
    induce.save(learner, tmp_path / "numbers.induce")
    again = induce.load(tmp_path / "numbers.induce")
    assert (again.predict(X) == learner.predict(X)).all()
    assert str(again.hypothesis_) == str(learner.hypothesis_)
    assert "size" in str(learner.hypothesis_)
    assert learner.hypothesis_.draw().axes
    assert learner.explain(X[:1])[0].draw().axes
    assert learner.feature_importances_.sum() == pytest.approx(1)
