"""Committees, stacking, boosting by filtering, and experts that learn."""

from itertools import count

import numpy as np
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import BernoulliNB, GaussianNB

import induce
from induce.data.generate import restaurant
from induce.ensembles import learning_experts
from induce.online import RandomizedWeightedMajority, WeightedMajority


def test_votes_of_a_committee(mixed):
    X, y = mixed(150)
    learners = {"tree": induce.C45(), "stump": induce.DecisionStump(), "bayes": induce.NaiveBayes()}
    equal = induce.Committee(learners).fit(X, y)
    said = np.array([learner.fit(X, y).predict(X) for learner in learners.values()])
    most = [max(sorted(set(column)), key=list(column).count) for column in said.T]
    assert equal.predict(X).tolist() == most
    assert equal.errors_ == {}
    weighted = induce.Committee(learners, voting="weighted").fit(X, y)
    errors = weighted.errors_
    names = weighted.hypothesis_.names
    for name, vote in zip(names, weighted.hypothesis_.weights, strict=True):
        assert vote == pytest.approx(np.log((1 - errors[name]) / errors[name]), abs=0.05)
    best = induce.Committee(learners, voting="best").fit(X, y)
    assert best.hypothesis_.names == (min(errors, key=errors.get),)
    assert len(best.hypothesis_.members) == 1


def test_a_member_that_is_no_better_than_chance_has_no_vote(mixed):
    X, y = mixed(100)
    learners = {"tree": induce.C45(), "always": induce.ID3(max_depth=0)}
    odd = y.to_list()[:50] + ["c0", "c1"] * 25
    committee = induce.Committee(learners, voting="weighted").fit(X, odd)
    assert "always" not in committee.hypothesis_.names or committee.errors_["always"] < 0.5


@pytest.mark.parametrize("voting", ["equal", "weighted"])
def test_learners_of_scikit_learn_in_a_committee(voting, mixed):
    X, y = mixed(80, holes=0)
    numbers = X.to_dummies("c")
    members = [LogisticRegression(), GaussianNB(), induce.C45()]
    committee = induce.Committee(members, voting=voting).fit(numbers, y)
    assert committee.score(numbers, y) > 0.8
    assert "LogisticRegression 1: LogisticRegression" in str(committee.hypothesis_)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"estimators": {}}, "estimators is empty"),
        ({"estimators": 3}, "estimators is 3"),
        (
            {"estimators": {"tree": induce.ModelTree()}},
            r"estimators\['tree'\] is ModelTree, which predicts numbers",
        ),
        ({"voting": "loud"}, "voting is 'loud'"),
        ({"voting": "best", "cv": 1}, "cv is 1"),
    ],
)
def test_committees_that_cannot_be(parameters, sentence, mixed):
    with pytest.raises(induce.InputError, match=sentence):
        induce.Committee(**parameters).fit(*mixed())


@pytest.mark.parametrize(
    ("final", "n_classes"), [("logistic", 2), ("logistic", 3), ("naive-bayes", 3), (induce.ID3(), 2)]
)
def test_stacking(final, n_classes, mixed, tmp_path):
    (X, y), (new, truth) = mixed(200, n_classes, 1), mixed(600, n_classes, 2)
    learner = induce.Stacking(final_estimator=final).fit(X, y)
    single = max(
        each.fit(X, y).score(new, truth) for each in (induce.C45(), induce.PART(), induce.NaiveBayes())
    )
    assert learner.score(new, truth) > single - 0.06
    shares = learner.predict_proba(new)
    assert (learner.classes_[shares.argmax(axis=1)] == learner.predict(new)).all()
    told = learner.explain(new[:3])
    assert [vote.name for vote in told[0].votes] == ["tree", "rules", "bayes"]
    induce.save(learner, tmp_path / "stacked.induce")
    assert (induce.load(tmp_path / "stacked.induce").predict(new) == learner.predict(new)).all()
    assert learner.hypothesis_.draw().axes


def test_stacking_learns_whom_to_trust():
    """Of two liars and a learner, only the learner gets weight: what they say is out of fold."""
    rng = np.random.default_rng(0)
    X = pl.DataFrame({"x": rng.normal(size=300), "noise": rng.normal(size=300)})
    y = np.where(X["x"].to_numpy() + 0.3 * rng.normal(size=300) > 0, "a", "b")
    schema = {"x": "ignore"}
    learners = {
        "memory": induce.ID3(schema=schema),  # right about all that it has seen, and a guess about the rest
        "stump": induce.DecisionStump(),
    }
    top = induce.Stacking(learners).fit(X, y).hypothesis_.top
    trust = np.abs(top.coefficients[1]).max(axis=1)
    assert trust[1] > 5 * trust[0]


def test_filtering_teaches_what_was_wrong():
    X, y = restaurant(900, random_state=1)
    learner = induce.BoostingByFiltering(induce.ID3(max_depth=3), n_examples=200).fit(X, y)
    assert learner.hypothesis_.weights.tolist() == [1.5, 1, 1]
    assert learner.looked_[0] == 200
    first, second, third = learner.hypothesis_.members
    n_wrong = int(second.counts[0].sum()) // 2  # as many right as wrong, of which there are few in one pass
    assert 0 < n_wrong <= 2 * np.sum(first.predict(X) != y.to_numpy())  # rows of two passes at most
    assert third.counts[0].sum() <= 2 * np.sum(first.predict(X) != second.predict(X))
    assert learner.score(X, y) > np.mean(first.predict(X) == y.to_numpy())


def halfspace(n, seed):
    X = np.random.default_rng(seed).normal(size=(n, 4))
    return X, np.where(X.sum(axis=1) > 0, "a", "b")


def test_filtering_an_endless_stream():
    stream = (halfspace(500, seed) for seed in count())
    learner = induce.BoostingByFiltering(induce.ID3(max_depth=2), n_examples=600).fit_stream(stream)
    first, second, third = learner.hypothesis_.members
    X, y = halfspace(5000, 10**6)
    assert [member.counts[0].sum() for member in (first, second, third)] == [600, 600, 600]
    assert learner.looked_[1] > 900  # it errs on less than a third
    assert learner.score(X, y) > np.mean(first.predict(X) == y) + 0.02
    next(stream)  # it goes on


def test_filtering_the_mistakes_of_a_given_first():
    given = induce.ID3(max_depth=2).fit(*halfspace(600, 0))
    stream = (halfspace(500, seed) for seed in count(1))
    learner = induce.BoostingByFiltering(induce.ID3(max_depth=2), n_examples=300).fit_stream(
        stream, first=given
    )
    first, second, third = learner.hypothesis_.members
    assert first == given.hypothesis_
    assert [member.counts[0].sum() for member in (second, third)] == [300, 300]
    X, y = halfspace(5000, 10**6)
    assert learner.score(X, y) > given.score(X, y)


def test_the_first_decides_where_all_three_differ():
    from induce.ensembles.hypothesis import Ensemble

    class Says:
        def __init__(self, value):
            self.value = value

        def predict(self, X):
            return np.full(len(X), self.value)

    schema = induce.Schema((induce.Column("x"),))
    for first in "abc":
        others = [value for value in "abc" if value != first]
        members = tuple(map(Says, (first, *others)))
        votes = Ensemble(schema, "y", ("a", "b", "c"), members, np.array([1.5, 1, 1]), np.ones(3))
        assert votes.predict([[1.0]]).tolist() == [first]


def test_adding_probabilities():
    X, y = restaurant(400, random_state=0)
    learner = induce.BoostingByFiltering(induce.ID3(max_depth=2), combine="sum").fit(X, y)
    members = learner.hypothesis_.members
    order = [learner.classes_.tolist().index(value) for value in members[0].classes]
    expected = np.mean([member.predict_proba(X) for member in members], axis=0)
    assert learner.predict_proba(X)[:, order] == pytest.approx(expected)


def test_streams_that_end_or_teach_nothing_more():
    easy = pl.DataFrame({"x": [0.0, 1.0] * 50})
    with pytest.warns(induce.Note, match="makes no error on 100 examples"):
        alone = induce.BoostingByFiltering().fit(easy, ["a", "b"] * 50)
    assert len(alone.hypothesis_.members) == 1
    parts = [(np.array([[0.0], [1.0]]), ["a", "b"])] * 4
    with pytest.warns(induce.Note, match="makes no error"):
        induce.BoostingByFiltering(n_examples=4).fit_stream(parts)
    with pytest.raises(induce.InputError, match="the stream has no examples"):
        induce.BoostingByFiltering().fit_stream([])
    with pytest.raises(induce.InputError, match="combine is 'max'"):
        induce.BoostingByFiltering(combine="max").fit(easy, ["a", "b"] * 50)


def test_experts_that_learn_are_followed_with_little_regret():
    """EN10: any learner with partial_fit is an expert."""
    X, y = restaurant(100, random_state=2)
    bits = X.to_dummies()
    learners = {"bayes": BernoulliNB(), "perceptron": Perceptron()}
    found = learning_experts(learners, bits, y)
    mistakes = {name: played.mistakes for name, played in found.experts.items()}
    assert found.judge.expert_mistakes_.tolist() == list(mistakes.values())
    assert found.regret == found.mistakes - min(mistakes.values())
    assert found.mistakes <= found.judge.bound_
    assert str(found).startswith("WeightedMajority: ")
    randomised = learning_experts(learners, bits, y, RandomizedWeightedMajority(beta="no-regret"))
    assert randomised.regret / 100 < 0.1
    assert found.draw().axes
    ours = learning_experts({"id3": induce.IncrementalID3()}, X[:40], y[:40], WeightedMajority(beta=0.9))
    assert ours.regret == 0
    with pytest.raises(TypeError, match="learners must be a dict"):
        learning_experts([], X, y)
