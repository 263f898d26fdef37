"""Exports read the table that was learned from, as each source holds it: dates, whole numbers, truth values, text."""

from datetime import date, datetime, timedelta

import numpy as np
import polars as pl
import pytest
from sklearn.base import is_regressor

import induce
from induce.core.errors import InputError
from induce.hypotheses.parsing import parse_condition
from tests.exports import in_duckdb, in_onnx, in_python, in_sqlite

ODD = {
    "visit": "select",
    "seen": 'the "seen"',
    "ward": "it's\nward",
    "smokes": "-- smokes",
    "mood": "größe",
    "age": "score_0",
}


def source(n=80, seed=0):
    """Return rows with dates, times, whole numbers declared nominal, truth values, text and numbers, with holes."""
    rng = np.random.default_rng(seed)
    days = rng.integers(0, 600, n)
    X = pl.DataFrame(
        {
            "visit": [date(2021, 1, 1) + timedelta(days=int(day)) for day in days],
            "seen": [
                datetime(2019, 12, 30, 8) + timedelta(milliseconds=int(1000 * 60 * 37 * day + 7 * (day % 9)))
                for day in rng.integers(0, 9_000, n)
            ],
            "ward": rng.integers(1, 5, n),
            "smokes": rng.random(n) < 0.4,
            "mood": rng.choice(["good", "bad", "it's ok"], n),
            "age": rng.integers(20, 90, n) + 0.5,
        },
        schema_overrides={"seen": pl.Datetime("us")},
    )
    score = (
        (days > 250) * 2.0
        + (X["ward"] == 2).to_numpy() * 3
        + X["smokes"].to_numpy()
        + X["age"].to_numpy() / 40
    )
    X = X.with_columns(
        pl.when(pl.Series(rng.random(n) < 0.08)).then(None).otherwise(pl.col(name)).alias(name)
        for name in X.columns
    )
    labels = np.array(["low", "mid", "high"])[np.digitize(score, [2.5, 4.5])]
    return X, labels, score


def asked(X):
    """Return the rows, and some with values that were not there in training."""
    later = X.head(12).with_columns(
        pl.lit(9, pl.Int64).alias("ward"),
        pl.lit("new").alias("mood"),
        pl.lit(date(2030, 2, 28)).alias("visit"),
    )
    return pl.concat([X, later.select(X.columns)])


SCHEMA = {ODD["ward"]: "nominal"}
LEARNERS = {
    "C45": induce.C45(schema=SCHEMA),
    "CART": induce.CART(schema=SCHEMA),
    "rules": induce.C45Rules(schema=SCHEMA),
    "CN2": induce.CN2(schema=SCHEMA),
    "naive Bayes": induce.NaiveBayes(schema=SCHEMA),
    "intervals": induce.NaiveBayes(schema=SCHEMA, numeric="intervals"),
    "boosted stumps": induce.AdaBoost(n_estimators=15, schema=SCHEMA),
    "forest": induce.RandomForest(n_estimators=8, schema=SCHEMA),
    "linear machine": induce.SVM(kernel="linear", schema=SCHEMA),
    "Gaussian machine": induce.SVM(schema=SCHEMA),
    "oblique": induce.OC1(schema=SCHEMA, restarts=1),
    "regression tree": induce.DecisionTreeRegressor(max_depth=4, schema=SCHEMA),
    "model tree": induce.ModelTree(schema=SCHEMA),
    "formula": induce.SymbolicRegressor(population_size=60, generations=4, schema=SCHEMA),
}


NOT_IN_ONNX = ("CART",)
"""Those with surrogate splits."""


def fitted(learner):
    # SQLite computes every kernel anew for each sum in which it occurs
    X, labels, score = source(25 if learner is LEARNERS["Gaussian machine"] else 80)
    with pytest.warns(induce.Note, match="holds dates"):
        hypothesis = learner.fit(X.rename(ODD), score if is_regressor(learner) else labels).hypothesis_
    return hypothesis, asked(X).rename(ODD)


def same(found, expected):
    if isinstance(expected[0], str):
        assert found == expected
    else:
        assert found == pytest.approx(expected, rel=1e-9)


def as_text(rows):
    """Return the rows with dates and times as text of ISO 8601."""
    return rows.with_columns(pl.col(pl.Date).dt.to_string(), pl.col(pl.Datetime).dt.to_string("iso:strict"))


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.compiled) if each == "oblique" else each for each in LEARNERS],
)
def test_exports_read_the_source(name):
    hypothesis, rows = fitted(LEARNERS[name])
    expected = hypothesis.predict(rows).tolist()
    same(in_python(hypothesis, rows), expected)
    same(in_python(hypothesis, as_text(rows)), expected)
    same(in_sqlite(hypothesis, rows), expected)
    same(in_duckdb(hypothesis, rows), expected)
    if name in NOT_IN_ONNX:
        with pytest.raises(InputError, match=r"cannot export .* to ONNX"):
            hypothesis.to_onnx()
    else:
        same(in_onnx(hypothesis, rows)["prediction"].tolist(), expected)


def test_thresholds_of_dates_are_written_as_dates():
    X = pl.DataFrame(
        {"visit": [date(2021, 5, 27), date(2021, 5, 28)] * 3, "mood": ["good", "bad", "bad"] * 2}
    )
    with pytest.warns(induce.Note, match="holds dates"):
        tree = induce.ID3().fit(X, ["early", "late"] * 3).hypothesis_
    assert str(tree) == "visit <= 2021-05-27: early (3/3)\nvisit > 2021-05-27: late (3/3)"
    rules = tree.to_rules()
    assert str(rules).splitlines()[0] == "IF visit <= 2021-05-27 THEN early (3/3)"
    assert "2021-05-27" in str(tree.explain(X)[0])
    for condition in (rule.conditions[0] for rule in rules.rules):
        assert parse_condition(str(condition), tree.schema) == condition
    assert str(parse_condition("visit > 2021-05-27 12:30", tree.schema)) == "visit > 2021-05-27 12:30:00"
    with pytest.raises(InputError, match="write a date as 2021-05-27"):
        parse_condition("visit > yesterday", tree.schema)
