"""What tree learners tell a trace."""

from __future__ import annotations

import numpy as np
import pytest

import induce
from induce.trees import growth


def test_split_events_say_what_was_tried_and_chosen():
    X, y = induce.dataset("play-tennis")
    with induce.trace("split") as events:
        tree = induce.ID3().fit(X, y).hypothesis_
    assert [event["chosen"] for event in events] == ["Outlook", "Humidity", "Wind"]
    assert [event["depth"] for event in events] == [0, 1, 1]
    assert set(events[0]["candidates"]) == set(X.columns)
    for event in events:
        assert tree.tested(event["node"]).name == event["chosen"]
        assert event["counts"] == tuple(tree.counts[event["node"]])
        merits = {name: candidate["merit"] for name, candidate in event["candidates"].items()}
        assert max(merits, key=lambda name: merits[name]) == event["chosen"]


def test_a_constant_column_is_no_candidate():
    with induce.trace("split") as events:
        induce.ID3().fit([[1.0, 5.0], [2.0, 5.0]], ["a", "b"])
    assert list(events[0]["candidates"]) == ["x0"]


def test_a_test_below_the_least_gain_has_a_gain_but_no_merit():
    with induce.trace("split") as events:
        induce.C45(pruning=None, min_samples_leaf=1).fit(*induce.dataset("restaurant"))
    type_ = events[0]["candidates"]["Type"]
    assert type_["gain"] == pytest.approx(0, abs=1e-9)
    assert np.isnan(type_["merit"])


@pytest.mark.parametrize("missing", [False, True])
def test_every_split_is_told_once_whatever_the_steps(monkeypatch, missing):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4)).round(1)
    y = rng.integers(0, 3, 120)
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    with induce.trace("split") as in_one_step:
        tree = induce.ID3(max_depth=6).fit(X, y).hypothesis_
    monkeypatch.setattr(growth, "STEP", 50)
    with induce.trace("split") as in_many:
        assert induce.ID3(max_depth=6).fit(X, y).hypothesis_ == tree
    assert sorted(event["node"] for event in in_many) == np.flatnonzero(tree.attribute >= 0).tolist()
    assert list(map(str, in_many)) == list(map(str, in_one_step))


def test_pruning_events():
    X, y = induce.dataset("iris")
    with induce.trace("prune") as events:
        induce.ID3(pruning="reduced-error", random_state=1).fit(X, y)
    assert all(event["errors_after"] <= event["errors_before"] for event in events)
    assert {event.kind for event in events} <= {"prune"}


def test_only_and_limit():
    X, y = induce.dataset("restaurant")
    with induce.trace("prune") as nothing:
        induce.ID3().fit(X, y)
    assert len(nothing) == 0
    with induce.trace(limit=2) as few:
        induce.ID3().fit(X, y)
    assert len(few) == 2
    assert few.dropped == 2
    assert str(few).endswith("(2 more events beyond the limit)")


def test_learners_are_silent(capsys):
    X, y = induce.dataset("iris")
    for learner in (induce.ID3(), induce.C45(), induce.CART(), induce.C45Rules()):
        learner.fit(X, y).predict(X)
    assert capsys.readouterr().out == ""
