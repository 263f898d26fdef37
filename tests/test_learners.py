"""The catalogue: complete, and true."""

import induce
from induce._learners import learners
from induce.core.registry import ESTIMATORS


def test_every_learner_is_listed():
    names = [entry.name for entry in learners()]
    assert sorted(names) == names == sorted(ESTIMATORS)


def test_what_they_give():
    X, y = induce.dataset("play-tennis")
    for entry in learners():
        numbers = "number to predict" in entry.needs
        learner = getattr(induce, entry.name)().fit(X, range(len(y)) if numbers else y)
        assert type(learner.hypothesis_).__name__ == entry.gives
        assert "\n" not in entry.summary + entry.needs
