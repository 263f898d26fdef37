"""Several numbers at once: learned, evaluated and exported; and trainings that continue."""

from __future__ import annotations

import sqlite3
from typing import Any

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError


def table(n: int = 40) -> tuple[pl.DataFrame, pl.DataFrame]:
    rng = np.random.default_rng(0)
    X = pl.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "c": rng.choice(["u", "v"], n)})
    return X, pl.DataFrame({"sum": X["a"] + X["b"], "far": 100.0 * X["a"]})


def fitted() -> Any:
    X, Y = table()
    return induce.NeuralNetworkRegressor(hidden=3, max_epochs=20).fit(X, Y)


def test_evaluate_reports_each_output_and_the_mean() -> None:
    X, Y = table()
    found = induce.evaluate(induce.NeuralNetworkRegressor(hidden=2, max_epochs=15), X, Y, cv=2)
    each = found.by_output()
    assert list(each) == ["sum", "far"]
    mean = np.mean([one["mean_absolute_error"] for one in each.values()])
    assert found.value == pytest.approx(mean) == pytest.approx(found.mean_absolute_error)
    assert found.r2 == pytest.approx(np.mean([one["r2"] for one in each.values()]))
    lines = str(found).splitlines()
    assert lines[0].startswith("mean absolute error ")
    assert lines[1].startswith("  sum: mean absolute error ")
    assert found.as_dict()["outputs"] == each
    assert found.baseline.says == "always predicting the median of each output"


def test_learners_of_one_number_say_so() -> None:
    X, Y = table()
    with pytest.raises(InputError, match="one number is predicted for each row"):
        induce.evaluate(induce.DecisionTreeRegressor(), X, Y, cv=2)


def test_learners_of_several_numbers_are_compared_by_the_mean_loss() -> None:
    X, Y = table(60)
    learners = {
        "line": induce.LinearRegression(),
        "mean": induce.LinearRegression(penalty="l2", strength=1e9),
    }
    found = induce.compare(learners, X, Y, cv=5)
    assert found.pairs[0].verdict.significant
    assert found.scores[:, 0].max() < 1e-9
    alone = [induce.evaluate(learners["mean"], X, Y[name].to_numpy(), cv=5).error for name in Y.columns]
    assert found.scores[:, 1].mean() == pytest.approx(np.mean(alone), rel=0.01)
    with pytest.raises(InputError, match="y has 2 columns, but one number is predicted for each row"):
        induce.compare([induce.LinearRegression(), induce.KNeighborsRegressor()], X, Y)


def test_the_identity_of_eight_values_is_evaluated() -> None:
    learner = induce.NeuralNetworkRegressor(hidden=3, output="sigmoid", weight_decay=0, scale=None)
    learner.fit(np.eye(8), np.eye(8))
    found = induce.evaluate(learner, np.eye(8), np.eye(8), cv=None)
    assert len(found.by_output()) == 8
    assert found.mean_absolute_error < 0.05


def test_python_of_several_numbers() -> None:
    X, _ = table()
    learner = fitted()
    space: dict[str, Any] = {}
    exec(learner.hypothesis_.to_python(), space)
    assert np.allclose([space["predict"](row) for row in X.to_dicts()], learner.predict(X), atol=1e-9)


def test_sql_of_several_numbers() -> None:
    X, _ = table()
    learner = fitted()
    store = sqlite3.connect(":memory:")
    store.execute("CREATE TABLE data (a REAL, b REAL, c TEXT)")
    store.executemany("INSERT INTO data VALUES (?, ?, ?)", X.rows())
    query = learner.hypothesis_.to_sql()
    assert '"prediction_sum"' in query
    assert '"prediction_far"' in query
    rows = [row[3:] for row in store.execute(query)]
    assert np.allclose(rows, learner.predict(X), atol=1e-9)


def test_onnx_of_several_numbers() -> None:
    runtime = pytest.importorskip("onnxruntime")
    X, _ = table()
    learner = fitted()
    session = runtime.InferenceSession(learner.hypothesis_.to_onnx())
    said = session.run(["prediction"], {name: X[name].to_numpy().reshape(-1, 1) for name in X.columns})[0]
    assert np.allclose(said, learner.predict(X), atol=1e-4)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"learning_rate": 0.5}, "learning_rate is 0.5, but the earlier training had None"),
        ({"hidden": (3, 2)}, r"hidden is \[3, 2\], but"),
        ({"loss": "squared"}, "loss is 'squared', but"),
        ({"weight_decay": 1.0}, "weight_decay is 1.0, but"),
        ({"solver": "gradient"}, "solver is 'gradient', but .* set warm_start to False"),
    ],
)
def test_a_training_continues_under_the_same_parameters(changed: dict[str, Any], words: str) -> None:
    X, Y = table()
    y = np.where(Y["sum"] > 0, "yes", "no")
    learner = induce.NeuralNetworkClassifier(hidden=2, solver="adam", max_epochs=2, warm_start=True).fit(X, y)
    with pytest.raises(InputError, match=words):
        learner.set_params(**changed).fit(X, y)


def test_a_training_continues_on_the_same_columns_and_classes() -> None:
    X, Y = table()
    y = np.where(Y["sum"] > 0, "yes", "no")
    settings = {"hidden": 2, "max_epochs": 2, "warm_start": True}
    first = X.columns[0]
    for changed, classes, words in (
        (X.drop(first), y, f"X lacks the column '{first}'"),
        (X.with_columns(more=pl.lit(1.0)), y, "X has the column 'more'"),
        (
            X,
            np.where(y == "yes", "yes", "never"),
            "the classes are 'never', 'yes', but in the training .* 'no', 'yes'",
        ),
    ):
        learner = induce.NeuralNetworkClassifier(**settings).fit(X, y)
        with pytest.raises(InputError, match=words):
            learner.fit(changed, classes)
    kinds = pl.DataFrame({"kind": ["a", "b"] * 20, "x": np.arange(40.0)})
    learner = induce.NeuralNetworkRegressor(**settings).fit(kinds, np.arange(40.0))
    with pytest.raises(InputError, match="column 'kind' has other values than in the training"):
        learner.fit(kinds.with_columns(kind=pl.lit("c")), np.arange(40.0))
