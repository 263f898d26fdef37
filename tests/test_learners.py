"""The catalogue: complete, and true."""

import polars as pl

import induce
from induce._learners import learners
from induce.core.registry import ESTIMATORS


def test_every_learner_is_listed():
    names = [entry.name for entry in learners()]
    assert sorted(names) == names == sorted(ESTIMATORS)


def examples(needs):
    """Return a table that a learner can learn from."""
    X, y = induce.dataset(
        "enjoy-sport" if needs.endswith("without missing values; two classes") else "play-tennis"
    )
    if needs.startswith("predictions"):
        X = pl.DataFrame({"never wrong": y, "often wrong": y.reverse()})
    return X, range(len(y)) if "number to predict" in needs else y


def test_what_they_give():
    for entry in learners():
        learner = getattr(induce, entry.name)().fit(*examples(entry.needs))
        assert type(learner.hypothesis_).__name__ == entry.gives
        assert "\n" not in entry.summary + entry.needs
