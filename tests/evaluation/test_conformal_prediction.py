"""Sets and intervals hold the truth as often as they say, on rows that nothing was learned from."""

import sqlite3

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.core.persistence import load_model
from induce.evaluation.conformal_prediction import Conformal, conformal_of

IRIS = induce.dataset("iris")


def _rows(random, n, classes=3):
    """Rows of classes that overlap."""
    y = random.integers(0, classes, n)
    return random.normal(y[:, np.newaxis] * 1.2, 1.0, (n, 2)), np.array(["a", "b", "c", "d"])[y]


def test_the_limit_is_the_order_statistic_of_the_definition():
    found = Conformal(np.arange(1.0, 20.0), np.zeros(0, np.int64))
    assert found.limit(0.9) == 18.0  # the 18th of 19, as 20 * 0.9 says
    assert found.limit(0.95) == 19.0
    assert found.limit(0.96) == np.inf
    assert Conformal(found.scores, found.labels, exact=False).limit(0.9) == 19.0


def test_a_class_with_few_rows_is_in_every_set_by_class():
    found = Conformal(np.linspace(0, 0.5, 25), np.repeat([0, 1], [20, 5]), ("common", "rare"))
    held = found.sets([[1.0, 0.0]], 0.9, by_class=True)
    assert held.tolist() == [[True, True]]
    assert found.sets([[1.0, 0.0]], 0.9).tolist() == [[True, False]]


def test_a_set_is_never_empty():
    found = Conformal(np.full(50, 0.1), np.zeros(50, np.int64), ("a", "b"))
    assert found.sets([[0.6, 0.4]], 0.5).sum() == 1


@pytest.mark.parametrize("split", [False, True])
def test_sets_hold_what_they_say_in_thirty_rows(split):
    random, held = np.random.default_rng(5), []
    learner = induce.NaiveBayes()
    for _ in range(12):
        X, y = _rows(random, 30)
        fresh, truth = _rows(random, 60)
        if split:
            model = learner.fit(X[:15], y[:15])
            found = induce.conformal(model, X[15:], y[15:], cv=None)
        else:
            model = learner.fit(X, y)
            found = induce.conformal(model, X, y, cv=5)
        held.append(found.coverage(model, fresh, truth, [0.8])[0].share)
    assert np.mean(held) > 0.8 - 2 * np.std(held) / np.sqrt(len(held))


def test_intervals_of_numbers_and_files(tmp_path):
    random = np.random.default_rng(1)
    X = random.normal(size=(80, 2))
    y = X @ [1.0, 2.0] + random.normal(size=80)
    model = induce.LinearRegression().fit(X[:40], y[:40])
    with pytest.raises(InputError, match=r"call induce.conformal\(model, X, y\) first"):
        model.predict_interval(X)
    induce.conformal(model, X[:40], y[:40])
    low, high = model.predict_interval(X[40:], 0.9).T
    assert ((low <= y[40:]) & (y[40:] <= high)).mean() > 0.8
    induce.save(model, tmp_path / "m.induce")
    again = induce.load(tmp_path / "m.induce")
    assert np.array_equal(again.predict_interval(X[40:], 0.9), model.predict_interval(X[40:], 0.9))
    assert load_model(tmp_path / "m.induce").conformal.method == "10-fold cross-validation"
    again.fit(X, y)
    with pytest.raises(InputError, match="has no scores"):
        again.predict_interval(X)
    with pytest.raises(
        InputError, match="a regression model has intervals instead of prediction sets; use predict_interval"
    ):
        model.conformal_.sets([[1.0]])


def test_sets_of_classes_travel_with_the_model(tmp_path):
    X, y = IRIS
    model = induce.NaiveBayes().fit(X, y)
    induce.conformal(model, X, y, cv=5)
    induce.save(model, tmp_path / "m.induce", provenance={"data": "iris"})
    again = induce.load(tmp_path / "m.induce")
    assert again.predict_set(X, 0.95, by_class=True) == model.predict_set(X, 0.95, by_class=True)
    assert again.provenance_ == {"data": "iris"}
    with pytest.raises(InputError, match="between 0 and 1"):
        model.predict_set(X, 95)


def test_a_learner_without_probabilities_is_told_so():
    estimate = induce.evaluate(induce.C45(), *IRIS, cv=3)
    with pytest.raises(InputError, match="has no class probabilities"):
        conformal_of(estimate)


@pytest.mark.parametrize("learner", [induce.C45(), induce.CART()])
def test_exported_sets_are_those_that_are_predicted(learner):
    X, y = IRIS
    model = learner.fit(X[::2], y[::2])
    found = induce.conformal(model, X[1::2], y[1::2], cv=None)
    wanted = model.predict_set(X, 0.9)
    functions = {}
    exec(found.to_python(model.hypothesis_, 0.9), functions)
    assert [functions["predict_set"](row) for row in X.iter_rows(named=True)] == wanted
    rows = _queried(found.to_sql(model.hypothesis_, 0.9), X)
    told = [tuple(value for value in found.classes if row[f"in {value}"] == 1) for row in rows]
    assert told == wanted
    assert [row["prediction"] for row in rows] == list(model.predict(X))


def test_sets_of_probabilities_that_cannot_be_written_are_refused():
    X, y = IRIS
    model = induce.NaiveBayes().fit(X, y)
    found = induce.conformal(model, X, y, cv=3)
    with pytest.raises(InputError, match="the probabilities of a NaiveBayesModel cannot be exported"):
        found.to_sql(model.hypothesis_)


def test_exported_intervals_are_those_that_are_predicted():
    X, _ = IRIS
    y = X["petal width"]
    X = X.drop("petal width")
    model = induce.LinearRegression().fit(X, y)
    found = induce.conformal(model, X, y, cv=5)
    wanted = model.predict_interval(X, 0.9)
    functions = {}
    exec(found.to_python(model.hypothesis_, 0.9), functions)
    assert np.allclose([functions["predict_interval"](row) for row in X.iter_rows(named=True)], wanted)
    rows = _queried(found.to_sql(model.hypothesis_, 0.9), X)
    assert np.allclose([(row["low"], row["high"]) for row in rows], wanted)
    with pytest.raises(InputError, match="too few for"):
        found.to_sql(model.hypothesis_, 0.9999)


def _queried(query, X):
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    names = ", ".join(f'"{name}"' for name in X.columns)
    connection.execute(f"CREATE TABLE data ({names})")
    connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * X.width)})", X.rows())
    return connection.execute(query).fetchall()
