"""Calibrated probabilities, decisions by costs: saved, exported, the same everywhere."""

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.evaluation import CalibratedClassifier

CANCER = induce.dataset("breast-cancer")
X, Y = CANCER.X[::3], CANCER.y[::3]


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", None])
def test_files_and_exports_decide_alike(method, tmp_path):
    model = CalibratedClassifier(induce.C45(), method, "malignant>benign=5, benign>malignant=1", cv=3).fit(
        X, Y
    )
    found = model.hypothesis_
    induce.save(found, tmp_path / "m.induce")
    assert (induce.load(tmp_path / "m.induce").predict(X) == found.predict(X)).all()
    names: dict = {}
    exec(found.to_python(), names)
    assert [names["predict"](row) for row in X[:40].to_dicts()] == found.predict(X[:40]).tolist()
    assert "decisions by cost (malignant>benign 5, benign>malignant 1)" in str(found)
    assert np.allclose(found.predict_proba(X).sum(axis=1), 1)


def test_sql_decides_alike():
    duckdb = pytest.importorskip("duckdb")
    found = CalibratedClassifier(induce.C45(), "isotonic", cv=3).fit(X, Y).hypothesis_
    data = X[:40]  # noqa: F841 (duckdb finds it by its name)
    assert duckdb.sql(found.to_sql("data")).pl()["prediction"].to_list() == found.predict(X[:40]).tolist()


def test_calibration_helps_naive_bayes():
    bayes = induce.NaiveBayes()
    plain = induce.evaluate(bayes, X, Y, cv=2, score="brier").value
    for method in ("sigmoid", "isotonic"):
        learner = CalibratedClassifier(bayes, method, cv=3)
        assert induce.evaluate(learner, X, Y, cv=2, score="brier").value < plain
    assert "sql" not in CalibratedClassifier(bayes, cv=3).fit(X, Y).hypothesis_.forms()


def test_a_precision_moves_the_threshold():
    model = CalibratedClassifier(induce.LogisticRegression(), None, precision=("malignant", 0.99), cv=3).fit(
        X, Y
    )
    assert 0 < model.threshold_ < 1
    with pytest.raises(InputError, match="the classes are"):
        CalibratedClassifier(induce.C45(), None, precision=("evil", 0.9)).fit(X, Y)
    with pytest.raises(InputError, match="give one of them"):
        CalibratedClassifier(induce.C45(), losses="a>b=1", precision=("malignant", 0.9)).fit(X, Y)
