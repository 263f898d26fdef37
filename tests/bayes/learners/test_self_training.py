"""Self-training: rows without a class."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.semi_supervised import SelfTrainingClassifier

import induce

pytestmark = pytest.mark.filterwarnings("ignore::induce.Note")
NAN = float("nan")


def blobs(n=200, known=10, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 2)) + 2.5 * labels[:, None]
    given = [["p", "q"][label] if row < known else None for row, label in enumerate(labels)]
    return X, given, np.array(["p", "q"])[labels]


def test_it_is_scikit_learns_self_training():
    X, given, _ = blobs()
    ours = induce.SelfTraining(induce.NaiveBayes(numeric="normal"), threshold=0.9).fit(X, given)
    codes = np.array([-1 if label is None else "pq".index(label) for label in given])
    theirs = SelfTrainingClassifier(GaussianNB(var_smoothing=0), threshold=0.9).fit(X, codes)
    assert ours.labeled_iter_.tolist() == theirs.labeled_iter_.tolist()
    expected = [None if code < 0 else "pq"[code] for code in theirs.transduction_]
    assert ours.labels_ == expected
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-7, atol=1e-9)


def test_unlabelled_rows_help():
    right = [[], []]
    for seed in range(10):
        X, given, truth = blobs(known=6, seed=seed)
        rows = [row for row in range(6) if given[row] is not None]
        alone = induce.NaiveBayes().fit(X[rows], [given[row] for row in rows])
        right[0].append((alone.predict(X) == truth).mean())
        right[1].append((induce.SelfTraining(threshold=0.95).fit(X, given).predict(X) == truth).mean())
    assert np.mean(right[1]) > np.mean(right[0])


@pytest.mark.parametrize(
    "y",
    [
        ["p", None, "q", None],
        np.array(["p", None, "q", None], dtype=object),
        pl.Series("cls", ["p", None, "q", None], dtype=pl.Enum(["q", "p"])),
        pd.Series(["p", None, "q", None], name="cls"),
        pd.Series(pd.Categorical(["p", None, "q", None], categories=["q", "p"]), name="cls"),
        ["p", NAN, "q", NAN],
    ],
)
def test_classes_in_any_form(y):
    X = pl.DataFrame({"a": [0.0, 0.1, 5.0, 5.1], "b": [0.0, 0.2, 4.0, 4.1]})
    learner = induce.SelfTraining(threshold=0.6).fit(X, y)
    assert learner.labels_ == ["p", "p", "q", "q"]
    assert learner.labeled_iter_.tolist() == [0, 1, 0, 1]
    if getattr(y, "name", None):
        assert learner.hypothesis_.target == "cls"
    if hasattr(getattr(y, "dtype", None), "categories"):
        assert learner.hypothesis_.classes == ("q", "p")


def test_numbers_as_classes():
    learner = induce.SelfTraining(threshold=0.6).fit([[0.0], [0.1], [5.0]], np.array([1.0, NAN, 2.0]))
    assert learner.labels_ == [1, 1, 2]


def test_it_wraps_any_classifier():
    X, y = induce.dataset("play-tennis")
    half = [label if row % 2 else None for row, label in enumerate(y.to_list())]
    tree = induce.SelfTraining(induce.C45()).fit(X, half)
    assert type(tree.hypothesis_).__name__ == "Tree"
    texts = ["goal and penalty", "stocks and bonds", "the penalty was missed", "bonds were sold cheap"]
    words = induce.SelfTraining(induce.TextNaiveBayes(), threshold=0.6).fit(texts, ["s", "m", None, None])
    assert words.predict(["missed"]).tolist() == ["s"]


def test_rounds_are_traced_and_limited():
    X, given, _ = blobs()
    with induce.trace(only="self-training") as events:
        learner = induce.SelfTraining(threshold=0.9, max_iter=2).fit(X, given)
    assert [event["round"] for event in events] == [1, 2]
    assert events[0]["labelled"] == (learner.labeled_iter_ == 1).sum()
    assert set(learner.labeled_iter_.tolist()) <= {-1, 0, 1, 2}
    assert learner.n_iter_ == 3


def test_weights_are_handed_on():
    X, given, _ = blobs(n=40)
    weights = np.random.default_rng(0).integers(1, 9, 40)
    weighted = induce.SelfTraining().fit(X, given, sample_weight=weights)
    of_all = np.array([label is not None for label in weighted.labels_])
    assert weighted.hypothesis_.class_counts.sum() == weights[of_all].sum()


@pytest.mark.parametrize(
    ("parameters", "y", "sentence"),
    [
        ({}, [None, None], "y holds missing values only"),
        ({"threshold": 1.5}, ["p", None], "threshold is 1.5"),
        ({"max_iter": 0}, ["p", None], "max_iter is 0"),
        ({"estimator": GaussianNB()}, ["p", "q"], "give a classifier of induce"),
        ({"estimator": "NaiveBayes"}, ["p", "q"], "give a classifier of induce"),
    ],
)
def test_what_makes_no_sense(parameters, y, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        induce.SelfTraining(**parameters).fit([[0.0], [1.0]], y)
