"""Concepts that change: the stream, the loop of predicting and learning, the report and the picture."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import Perceptron

import induce
from induce.online import (
    DecisionListClassifier,
    RandomizedWeightedMajority,
    Stream,
    WeightedMajority,
    Winnow,
    changing_concept,
    drift_study,
    play,
    stagger,
)


def test_the_stream_says_what_the_concept_of_its_time_says():
    stream = stagger(40, random_state=3)
    rows = stream.X.to_dicts()
    concepts = (
        lambda row: row["size"] == "small" and row["colour"] == "red",
        lambda row: row["colour"] == "green" or row["shape"] == "circular",
        lambda row: row["size"] in ("medium", "large"),
    )
    expected = ["yes" if concepts[t // 40](row) else "no" for t, row in enumerate(rows)]
    assert stream.y.to_list() == expected
    assert stream.changes == (40, 80)
    assert stagger(40, random_state=3).X.equals(stream.X)
    assert not stagger(40, random_state=4).X.equals(stream.X)


def test_changes_where_they_are_wanted():
    X = pd.DataFrame({"x": range(10)})
    stream = changing_concept(X, [lambda rows: rows["x"] < 5, lambda rows: [True] * len(rows)], [7])
    assert stream.y.to_list() == [True] * 5 + [False] * 2 + [True] * 3
    assert stream.changes == (7,)
    with pytest.raises(induce.InputError, match="what the concepts say contains both text and numbers"):
        changing_concept(X, [lambda rows: rows["x"] < 5, lambda rows: ["late"] * len(rows)])


def test_learners_predict_before_they_learn_and_restart_as_they_would_alone():
    stream = stagger(60)
    learners = {"winnow": Winnow(), "list": DecisionListClassifier(1)}
    study = drift_study(learners, stream)
    for name, learner in (("winnow", Winnow()), ("list", DecisionListClassifier(1))):
        alone = play(learner, stream.X, stream.y, ["no", "yes"])
        assert study.played[name].predictions.tolist() == alone.predictions.tolist()
        parts = [slice(0, 60), slice(60, 120), slice(120, 180)]
        made = [
            play(type(learner)(**learner.get_params()), stream.X[p], stream.y[p], ["no", "yes"])
            for p in parts
        ]
        assert study.anew[name] == sum(each.mistakes for each in made)
        assert study.mistakes()[name] == tuple(int(alone.wrong[p].sum()) for p in parts)
    assert not hasattr(learners["winnow"], "hypothesis_")


def test_what_keeps_everything_never_recovers_and_a_majority_follows_who_does():
    stream = stagger(150, random_state=1)
    dummies = stream.X.to_dummies()
    study = drift_study(
        {
            "winnow": Winnow(),
            "list": DecisionListClassifier(),
            "perceptron": play(Perceptron(), dummies, stream.y),
        },
        stream,
        {"majority": WeightedMajority(), "randomised": RandomizedWeightedMajority()},
    )
    first, *later = zip(*study.mistakes().values(), strict=True)
    made = {name: sum(each) for name, each in study.mistakes().items()}
    assert later[0][1] > 3 * later[0][0]
    assert study.anew["list"] < made["list"] / 3
    best = min(made[name] for name in ("winnow", "list", "perceptron"))
    assert best - 5 <= made["majority"] <= study.played["majority"].curve.bound[-1]
    assert made["majority"] < made["list"] / 2
    assert study.played["majority"].curve.best[-1] == best
    assert "perceptron" not in study.anew
    assert first[1] < 10


def test_report_and_picture():
    study = drift_study({"winnow": Winnow()}, stagger(30), {"all": WeightedMajority()}, window=10)
    lines = str(study).splitlines()
    assert lines[0].split() == ["mistakes", "in", "rounds", "1-30", "31-60", "61-90", "all", "restarted"]
    assert len(lines) == 3
    assert "<td>31-60</td>" in study._repr_html_()
    above, below = study.draw().axes
    made = np.cumsum(study.played["winnow"].wrong)
    assert above.lines[0].get_ydata()[-1] == made[-1]
    assert below.lines[0].get_ydata()[-1] == pytest.approx((made[-1] - made[-11]) / 10)
    assert [line.get_xdata()[0] for line in below.lines[2:]] == [30, 60]
    assert study.predictions.columns == ["winnow", "all"]


def test_progress_is_told():
    from induce.core.progress import progress

    told = []
    with progress(told.append):
        drift_study({"a": Winnow(), "b": Winnow()}, stagger(5), {"c": WeightedMajority()})
    assert told[-1] == 1.0


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda: stagger(0), induce.InputError, "each is 0"),
        (lambda: changing_concept([[1]], []), induce.InputError, "concepts must be a list of functions"),
        (lambda: changing_concept([[1]], [3]), induce.InputError, "concepts must be a list of functions"),
        (lambda: changing_concept([[1], [2]], [len, len], [2]), induce.InputError, r"changes is \[2\] for 2 "),
        (lambda: changing_concept([[1], [2]], [len, len], []), induce.InputError, r"changes is \[\] for 2 "),
        (lambda: changing_concept([[1]], [lambda rows: []]), induce.InputError, "concept 1 returns 0 classes for 1"),
        (lambda: drift_study({}, stagger(2)), TypeError, "learners must be a dict"),
        (lambda: drift_study([Winnow()], stagger(2)), TypeError, "learners must be a dict"),
        (lambda: drift_study({"w": Winnow()}, (1, 2)), TypeError, "stream is tuple; give a Stream"),
        (lambda: drift_study({"w": Winnow()}, stagger(2), window=0), induce.InputError, "window is 0"),
        (lambda: drift_study({"t": induce.ID3()}, stagger(2)), TypeError, "give a learner with partial_fit"),
        (
            lambda: drift_study({"p": play(Winnow(), [["a"]], [1])}, stagger(2)),
            induce.InputError,
            "'p' played 1 rounds, but the stream has 6",
        ),
    ],
)  # fmt: skip
def test_bad_input(call, kind, sentence):
    with pytest.raises(kind, match=sentence) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_stream_of_one_concept():
    stream = Stream(pl.DataFrame({"a": ["u", "v"] * 10}), pl.Series([True, False] * 10), ())
    study = drift_study({"winnow": Winnow()}, stream)
    assert study.anew["winnow"] == sum(study.mistakes()["winnow"]) == study.played["winnow"].mistakes
