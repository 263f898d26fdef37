"""The ensemble as a value: votes, exports, explanations, files."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import induce
from induce.core.errors import InputError
from induce.data.table import encode
from induce.ensembles.hypothesis import Ensemble

LEARNERS = {
    "stumps": lambda: induce.AdaBoost(n_estimators=12),
    "trees": lambda: induce.AdaBoost(induce.C45(max_depth=3), n_estimators=5),
    "rules": lambda: induce.AdaBoost(induce.PART(), n_estimators=3),
    "forest": lambda: induce.RandomForest(n_estimators=5, max_depth=3),
    "committee": lambda: induce.Committee(
        {"tree": induce.C45(), "rules": induce.CN2(), "always": induce.ID3(max_depth=0)}
    ),
}


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", LEARNERS)
def test_sql_and_python_predict_the_same(name, n_classes, mixed, met_later, ask):
    X, y = mixed(60, n_classes)
    ensemble = LEARNERS[name]().fit(X, y).hypothesis_
    rows = met_later(X)
    expected = ensemble.predict(rows).tolist()
    space = {}
    exec(ensemble.to_python("decide"), space)
    assert [space["decide"](row) for row in rows.to_dicts()] == expected
    assert ask(ensemble.to_sql(), rows) == expected


def test_many_members_are_added_up_in_parts(mixed, ask):
    X, y = mixed(60)
    ensemble = induce.AdaBoost(n_estimators=600).fit(X, y).hypothesis_
    many = Ensemble(
        ensemble.schema,
        ensemble.target,
        ensemble.classes,
        ensemble.members * (1 + 1100 // len(ensemble.members)),
        np.tile(ensemble.weights, 1 + 1100 // len(ensemble.members)),
        np.tile(ensemble.agreement, 1 + 1100 // len(ensemble.members)),
    )
    assert ask(many.to_sql(), X) == many.predict(X).tolist()


def test_columns_called_like_the_query_itself(mixed, ask):
    X, y = mixed(60)
    X = X.rename({"a": "vote_0", "b": "Score_1", "c": "the_vote"})
    ensemble = induce.AdaBoost(n_estimators=5).fit(X, y).hypothesis_
    assert ask(ensemble.to_sql(), X) == ensemble.predict(X).tolist()


def test_what_has_no_form_in_a_language_is_named(mixed):
    X, y = mixed(60, holes=0)
    numbers = X.select("a", "b").to_numpy()
    foreign = induce.Bagging(LogisticRegression(), n_estimators=3).fit(numbers, y).hypothesis_
    with pytest.raises(induce.InputError, match=r"its member LogisticRegression cannot be exported"):
        foreign.to_sql()
    added = replace(induce.Bagging(induce.CN2(), n_estimators=3).fit(X, y).hypothesis_, combine="sum")
    with pytest.raises(induce.InputError, match="adds probabilities"):
        added.to_python()


@pytest.mark.parametrize("n_estimators", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_added_probabilities_of_trees_and_large_forests(n_estimators, mixed, met_later, ask):
    X, y = mixed(80, 3)
    rows = met_later(X)
    forest = induce.RandomForest(n_estimators=n_estimators).fit(X, y).hypothesis_
    for ensemble in (forest, replace(forest.first(3), combine="sum")):
        expected = ensemble.predict(rows).tolist()
        space = {}
        exec(ensemble.to_python("decide"), space)
        assert [space["decide"](row) for row in rows.to_dicts()] == expected
        assert ask(ensemble.to_sql(), rows) == expected


def test_probabilities_never_contradict_predictions(mixed, met_later):
    for learner in (
        induce.AdaBoost(),
        induce.AdaBoost(loss="logistic"),
        induce.RandomForest(n_estimators=10),
    ):
        for n_classes in (2, 3):
            X, y = mixed(80, n_classes)
            rows = met_later(X)
            ensemble = learner.fit(X, y).hypothesis_
            shares = ensemble.predict_proba(rows)
            np.testing.assert_allclose(shares.sum(axis=1), 1)
            assert (np.array(ensemble.classes)[shares.argmax(axis=1)] == ensemble.predict(rows)).all()


def test_simplified_ensembles_predict_the_same(mixed):
    for seed in range(3):
        X, y = mixed(60, 2 + seed % 2, seed)
        ensemble = induce.AdaBoost(n_estimators=30).fit(X, y).hypothesis_
        small = ensemble.simplify(X)
        assert len(small.members) < len(ensemble.members)
        assert (small.predict(X) == ensemble.predict(X)).all()
        for k in range(len(small.members)):  # of those left, none can go
            rest = small._of([i for i in range(len(small.members)) if i != k])
            assert len(small.members) == 1 or (rest.predict(X) != ensemble.predict(X)).any()
        assert set(small.names) <= set(map(str, range(1, 31)))


def test_what_is_printed():
    X, y = induce.dataset("iris")
    forest = induce.RandomForest(n_estimators=15).fit(X, y).hypothesis_
    lines = str(forest).splitlines()
    assert lines[0].startswith("15 members vote; each agrees with the vote on 9")
    assert lines[-1] == "  and 5 members more"
    assert len(lines) == 13
    assert "Tree, " in lines[2]
    assert repr(forest) == "<Ensemble for species: 15 members>"
    assert str(induce.AdaBoost(induce.ID3()).fit(X, y).hypothesis_).startswith("1 member decides")


def test_agreement_is_that_of_the_rows(mixed):
    X, y = mixed()
    ensemble = induce.AdaBoost(n_estimators=7).fit(X, y).hypothesis_
    said = ensemble.predict(X)
    shares = [np.mean(member.predict(X) == said) for member in ensemble.members]
    assert ensemble.agreement == pytest.approx(shares)


def test_explanations_list_the_votes(mixed):
    X, y = mixed()
    ensemble = induce.AdaBoost(n_estimators=15).fit(X, y).hypothesis_
    for ballot, said, row in zip(ensemble.explain(X[:9]), ensemble.predict(X[:9]), range(9), strict=True):
        assert ballot.prediction == said
        assert sum(ballot.shares) == pytest.approx(1)
        weights = [vote.weight for vote in ballot.votes]
        assert weights == sorted(weights, reverse=True)
        spoken = sum(vote.weight for vote in ballot.votes if vote.prediction == said)
        assert spoken / sum(weights) == pytest.approx(ballot.shares[ballot.classes.index(said)])
        for vote in ballot.votes:
            assert vote.prediction == ensemble.members[int(vote.name) - 1].predict(X[row])[0]
    text = str(ensemble.explain(X[:1])[0])
    assert text.endswith("and 5 votes more")


def test_encoded_rows(mixed, met_later):
    X, y = mixed(holes=0)
    rows = met_later(X)[: len(X)]
    learner = induce.Committee({"tree": induce.C45(), "bayes": induce.NaiveBayes()}).fit(X, y)
    ensemble = learner.hypothesis_
    assert (ensemble.predict(encode(rows, ensemble.schema)) == learner.predict(rows)).all()


def test_curves(mixed):
    X, y = mixed(80)
    ensemble = induce.AdaBoost(n_estimators=10).fit(X[:50], y[:50]).hypothesis_
    curve = ensemble.curve({"training": (X[:50], y[:50]), "test": (X[50:], y[50:])})
    for name, rows in (("training", slice(50)), ("test", slice(50, None))):
        wrong = [np.mean(ensemble.first(k).predict(X[rows]) != y[rows].to_numpy()) for k in range(1, 11)]
        assert curve.errors[name] == pytest.approx(wrong)
        # a row is wrong where its margin is below zero
        assert ((curve.margins[name][:, 0] < 0) >= (curve.errors[name] > 0)).all()
    assert (np.diff(curve.margins["test"], axis=1) >= 0).all()
    assert len(curve.draw().axes) == 2
    assert "test error" in str(curve)
    with pytest.raises(induce.InputError, match="rows is empty"):
        ensemble.curve({})
    with pytest.raises(induce.InputError, match="give one class per row"):
        ensemble.curve({"some": (X, y[:3])})


def test_a_model_file_keeps_the_learner_as_class_and_parameters(mixed, tmp_path):
    X, y = mixed(50)
    learner = induce.AdaBoost(induce.C45(max_depth=2, min_samples_leaf=1.5), n_estimators=4).fit(X, y)
    induce.save(learner, tmp_path / "boosted.induce")
    loaded = induce.load(tmp_path / "boosted.induce")
    assert type(loaded.estimator) is induce.C45
    assert loaded.estimator.get_params() == learner.estimator.get_params()
    assert not hasattr(loaded.estimator, "hypothesis_")
    assert loaded.hypothesis_ == learner.hypothesis_
    assert (loaded.more(2, X, y).predict(X) == learner.more(2, X, y).predict(X)).all()
    several = induce.Committee({"tree": induce.C45(), "bagged": induce.Bagging(induce.ID3(), n_estimators=2)})
    induce.save(several.fit(X, y), tmp_path / "committee.induce")
    again = induce.load(tmp_path / "committee.induce")
    assert type(again.estimators["bagged"].estimator) is induce.ID3


def test_a_model_file_refuses_other_learners_by_name(mixed, tmp_path):
    X, y = mixed(50, holes=0)
    numbers = X.select("a", "b").to_numpy()
    learner = induce.Bagging(LogisticRegression(), n_estimators=2).fit(numbers, y)
    with pytest.raises(induce.InputError, match="parameter 'estimator' is a LogisticRegression"):
        induce.save(learner, tmp_path / "bagged.induce")
    with pytest.raises(induce.InputError, match=r"'Ensemble\.members\[0\]' is a LogisticRegression"):
        induce.save(learner.hypothesis_, tmp_path / "bagged.induce")


def test_pictures(mixed):
    X, y = mixed()
    left, right = induce.AdaBoost(n_estimators=30).fit(X, y).hypothesis_.draw().axes
    assert len(left.patches) == len(right.patches) == 20
    assert "of 30 members" in left.get_title(loc="left")


def test_stumps_from_a_file_predict_without_compiler_and_scikit_learn(mixed, tmp_path):
    X, y = mixed()
    path = tmp_path / "boosted.induce"
    induce.save(induce.AdaBoost(n_estimators=5).fit(X, y).hypothesis_, path)
    script = (
        "import sys, induce; hypothesis = induce.load(sys.argv[1]); "
        "hypothesis.predict([[0.5, 1.0, 'u']]); hypothesis.scorecard().predict([[0.5, 1.0, 'u']]); "
        "print([name for name in ('numba', 'sklearn', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, path], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "learner",
    [
        induce.RandomForest(n_estimators=4),
        induce.Bagging(n_estimators=3),
        induce.Bagging(induce.CART(), n_estimators=2),
        induce.AdaBoost(induce.ID3(max_depth=2), n_estimators=3),
        induce.Committee(),
        induce.Stacking(cv=2),
    ],
    ids=str,
)
def test_columns_speak_for_a_prediction_and_sum_to_it(learner, mixed, met_later):
    X, y = mixed(60, 2)
    found = learner.fit(X, y).hypothesis_
    rows = met_later(X)[:6]
    for reason, shares in zip(found.explain(rows), found.predict_proba(rows), strict=True):
        assert reason.attribution.total == pytest.approx(shares.max())
        assert {part.column for part in reason.attribution.parts} <= set(X.columns)
        assert "for any row" in str(reason)
    assert reason.draw().axes


def test_votes_without_parts_are_not_drawn():
    X, y = induce.dataset("restaurant")
    with pytest.raises(InputError, match="only votes"):
        induce.AdaBoost(n_estimators=3).fit(X, y).explain(X[:1])[0].draw()


def test_trees_in_one_loop_say_what_they_say_alone(mixed, met_later):
    X, y = mixed(60, 3)
    for learner in (
        induce.RandomForest(n_estimators=4),
        induce.Bagging(induce.ID3(max_depth=2), n_estimators=2),
        induce.AdaBoost(n_estimators=4),
        induce.AdaBoost(induce.C45(), n_estimators=2),
    ):
        found = learner.fit(X, y).hypothesis_
        for rows in (X, met_later(X), X[:0]):
            alone = sum(found.votes(rows), np.zeros((len(rows), len(found.classes))))
            assert (found.scores(rows) == alone).all()
