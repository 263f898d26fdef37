"""Learners as parameters on the command line."""

from __future__ import annotations

import pytest

import induce


def test_a_learner_is_named_and_its_parameters_follow_two_underscores(run, tmp_path):
    model = tmp_path / "boosted.induce"
    settings = ("estimator=id3", "estimator__max_depth=2", "n_estimators=3")
    done = run("learn", "play-tennis", *settings, "--learner", "AdaBoost", "--out", str(model))
    assert done.code == 0, done.err
    learned = induce.load(model)
    assert type(learned.estimator) is induce.ID3
    assert learned.estimator.max_depth == 2
    data = induce.dataset("play-tennis")
    rows = tmp_path / "rows.csv"
    data.X.write_csv(rows)
    assert run("predict", str(model), str(rows)).code == 0


def test_several_learners(run, tmp_path):
    model = tmp_path / "committee.induce"
    settings = ("estimators=C45,ID3", "estimators__ID3__max_depth=1", "voting=equal")
    done = run(
        "learn", "play-tennis", *settings, "--learner", "Committee", "--out", str(model), "--no-evaluate"
    )
    assert done.code == 0, done.err
    estimators = induce.load(model).estimators
    assert [type(each) for each in estimators.values()] == [induce.C45, induce.ID3]
    assert estimators["ID3"].max_depth == 1


@pytest.mark.parametrize(
    ("learner", "settings", "sentence"),
    [
        ("AdaBoost", ["estimator=C54"], "there is no learner 'C54'; did you mean 'C45'?"),
        (
            "AdaBoost",
            ["estimator__max_depth=2"],
            "estimator__max_depth=2 is a parameter of a learner; name the learner",
        ),
        ("AdaBoost", ["estimator=C45", "estimator__deep=2"], "C45 has no parameter 'deep'"),
        ("AdaBoost", ["estimator=ModelTree"], "estimator is ModelTree, which predicts numbers"),
        ("Committee", ["estimators=C45,ID3", "estimators__CN2__k=1"], "names no learner of C45,ID3"),
    ],
)
def test_what_is_wrong_is_one_sentence(run, learner, settings, sentence):
    assert sentence in run("learn", "play-tennis", *settings, "--learner", learner).sentence()
