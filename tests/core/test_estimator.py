"""The base of learners from tables, seen through a learner that only knows the majority."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

from induce.core.errors import InputError
from induce.core.estimator import HypothesisClassifier, given_weights
from induce.core.hypothesis import Hypothesis
from induce.core.randomness import generator
from induce.data.schema import Column, Schema


@dataclass(frozen=True, eq=False)
class Majority(Hypothesis):
    schema: Schema
    classes: tuple[str, ...]
    counts: tuple[float, ...]

    def predict(self, X):
        return np.full(len(X), self.classes[int(np.argmax(self.counts))])

    def predict_proba(self, X):
        return np.tile(np.array(self.counts) / sum(self.counts), (len(X), 1))

    def explain(self, X):
        return ("the majority",) * len(X)

    def __str__(self):
        return "majority < everything"


class MajorityLearner(HypothesisClassifier):
    def __init__(self, class_weight=None):
        self.class_weight = class_weight

    def fit(self, X, y, sample_weight=None):
        self._forget()
        target, classes, codes = self._target(y)
        weights = self._weights(sample_weight, self.class_weight, classes, codes)
        names = tuple(getattr(X, "columns", [f"x{j}" for j in range(np.shape(X)[1])]))
        self._seen(X, names)
        counts = np.bincount(codes, weights, len(classes))
        self.hypothesis_ = Majority(Schema(tuple(map(Column, names))), classes, tuple(counts.tolist()))
        self.target_ = target
        return self


X = np.zeros((4, 2))


@pytest.mark.parametrize(
    ("y", "target", "classes", "sorted_classes"),
    [
        (["b", "a", "b", "b"], "class", ("a", "b"), ["a", "b"]),
        (pd.Series([3, 1, 3, 3], name="n"), "n", (1, 3), [1, 3]),
        (pd.Series([3, 1, 3, 3], dtype="Int64"), "class", (1, 3), [1, 3]),
        (pd.Series([True, False, True, True], dtype="boolean"), "class", (False, True), [False, True]),
        (
            pd.Series(pd.Categorical(["x", "y", "y", "y"], categories=["z", "y", "x"])),
            "class",
            ("y", "x"),
            "xy",
        ),
        (pl.Series("t", ["x", "y", "y", "y"], dtype=pl.Enum(["y", "x"])), "t", ("y", "x"), ["x", "y"]),
        (pl.Series("t", ["y", "x", "y", "y"], dtype=pl.Categorical), "t", ("x", "y"), ["x", "y"]),
        (np.array([1.0, 2.0, 2.0, 2.0]), "class", (1.0, 2.0), [1.0, 2.0]),
        (np.array(["b", "a", "b", "b"], dtype=object), "class", ("a", "b"), ["a", "b"]),
    ],
)
def test_targets(y, target, classes, sorted_classes):
    learner = MajorityLearner().fit(X, y)
    assert learner.target_ == target
    assert learner.hypothesis_.classes == classes
    assert learner.classes_.tolist() == list(sorted_classes)
    assert all(type(value) in (str, int, float, bool) for value in learner.hypothesis_.classes)


def test_probabilities_follow_classes_():
    y = pl.Series(["x", "y", "y", "y"], dtype=pl.Enum(["y", "x"]))
    learner = MajorityLearner().fit(X, y)
    assert learner.hypothesis_.predict_proba(X[:1]).tolist() == [[0.75, 0.25]]
    assert learner.predict_proba(X[:1]).tolist() == [[0.25, 0.75]]
    assert learner.score(X, y.to_list()) == 0.75


def test_weights_multiply():
    learner = MajorityLearner(class_weight={"a": 5}).fit(X, ["a", "b", "b", "b"], sample_weight=[2, 1, 1, 0])
    assert learner.hypothesis_.counts == (10, 2)


@pytest.mark.parametrize(
    "weights", [[1, 2], [[1], [2], [3], [4]], [1, 1, 1, -1], [1, 1, 1, np.nan], [0] * 4, "x"]
)
def test_weights_that_are_none(weights):
    with pytest.raises(InputError, match="sample_weight"):
        given_weights(weights, 4)


def test_weights_given():
    assert given_weights(None, 4) is None
    assert given_weights(2, 3).tolist() == [2, 2, 2]
    assert given_weights(pl.Series([1, 2]), 2).tolist() == [1, 2]


def test_unfitted():
    for method in ("predict", "predict_proba", "explain"):
        with pytest.raises(NotFittedError):
            getattr(MajorityLearner(), method)(X)


def test_columns_must_be_those_of_fit():
    frame = pl.DataFrame({"a": [1, 2], "b": [3, 4]})
    learner = MajorityLearner().fit(frame, ["x", "y"])
    assert learner.feature_names_in_.tolist() == ["a", "b"]
    assert learner.explain(frame) == ("the majority",) * 2
    with pytest.raises(ValueError, match="same order"):
        learner.predict(frame.select("b", "a"))
    with pytest.raises(InputError, match="X has 3 features, but MajorityLearner is expecting 2"):
        MajorityLearner().fit(X, ["x", "y", "x", "y"]).predict(np.zeros((1, 3)))


def test_a_restored_learner_is_fitted():
    frame = pl.DataFrame({"a": [1, 2], "b": [3, 4]})
    fitted = MajorityLearner().fit(frame, pl.Series(["x", "y"], dtype=pl.Enum(["y", "x"])))
    for named in (True, False):
        restored = MajorityLearner()
        restored._restore(fitted.hypothesis_, {"named": named})
        assert restored.classes_.tolist() == ["x", "y"]
        assert restored.n_features_in_ == 2
        assert hasattr(restored, "feature_names_in_") is named
        assert (restored.predict_proba(X) == fitted.hypothesis_.predict_proba(X)[:, ::-1]).all()
    assert fitted._resumable_state() == {"named": True}
    assert MajorityLearner().fit(X, [1, 2, 1, 2])._resumable_state() == {"named": False}


def test_a_learner_in_a_notebook():
    assert "MajorityLearner" in MajorityLearner()._repr_html_()
    fitted = MajorityLearner().fit(X, [1, 2, 1, 2])
    assert fitted._repr_html_() == "<pre>majority &lt; everything</pre>"


def test_generators():
    assert generator(5).random() == generator(5).random()
    given = np.random.default_rng(3)
    assert generator(given) is given
    assert generator(np.random.RandomState(1)).random() == generator(np.random.RandomState(1)).random()
    assert generator(None).random() != generator(None).random()
    with pytest.raises(InputError, match="random_state is 'seed'"):
        generator("seed")
