"""Model files: learners go on from where they were."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import induce
from induce.data.generate import restaurant
from induce.online import Halving, RandomizedWeightedMajority, WeightedMajority
from induce.online.learners.decision_list_classifier import DecisionListClassifier
from induce.online.learners.online_find_s import OnlineFindS
from induce.online.learners.winnow import Winnow


def votes(n=300):
    random = np.random.default_rng(0)
    return random.integers(0, 2, (n, 5)), random.integers(0, 2, n)


@pytest.mark.parametrize(
    "learner",
    [
        WeightedMajority(beta=0.7, random_state=3),
        RandomizedWeightedMajority(beta=0.7, random_state=3),
        RandomizedWeightedMajority(beta="no-regret"),
    ],
)
def test_learning_from_experts_resumes(learner, tmp_path):
    X, y = votes()
    learner.fit(X[:150], y[:150])
    induce.save(learner, tmp_path / "experts.induce")
    again = induce.load(tmp_path / "experts.induce")
    assert again.hypothesis_ == learner.hypothesis_
    assert again.mistakes_ == learner.mistakes_
    for one in (learner, again):
        one.partial_fit(X[150:], y[150:])
    assert again.hypothesis_ == learner.hypothesis_
    assert again.history_.mistakes.tolist() == learner.history_.mistakes.tolist()
    assert again.regret_ == learner.regret_
    assert again.predict(X).tolist() == learner.predict(X).tolist()


def test_a_matrix_of_hypotheses_is_saved_and_a_function_is_named(tmp_path):
    table = np.array([[i >= t for i in range(6)] for t in range(7)])
    learner = Halving(table).fit([3, 5], [False, False])
    induce.save(learner, tmp_path / "halving.induce")
    again = induce.load(tmp_path / "halving.induce").partial_fit([4], [False])
    assert again.hypothesis_.left == ("expert 7",)
    assert again.rounds_ == 3
    with pytest.raises(induce.InputError, match="expert 'expert 1' is a function"):
        induce.save(WeightedMajority([lambda X: [1] * len(X)]).fit([[0]], [1]), tmp_path / "functions.induce")


def test_experts_that_are_hypotheses_are_saved_with_the_learner(tmp_path):
    X, y = induce.dataset("play-tennis")
    trees = {
        "id3": induce.ID3().fit(X[:7], y[:7]).hypothesis_,
        "c45": induce.C45().fit(X[:9], y[:9]).hypothesis_,
    }
    learner = WeightedMajority(trees).fit(X, y)
    induce.save(learner, tmp_path / "trees.induce")
    assert induce.load(tmp_path / "trees.induce").predict(X).tolist() == learner.predict(X).tolist()


def test_learners_as_experts_are_saved_by_their_hypotheses(tmp_path):
    X, y = induce.dataset("play-tennis")
    trees = {"id3": induce.ID3().fit(X[:7], y[:7]), "größe ✓": induce.C45().fit(X[:9], y[:9])}
    for experts in (trees, list(trees.items()), list(trees.values())):
        learner = WeightedMajority(experts).fit(X, y)
        held = learner._saved_parameters()
        assert {type(each) for each in dict(held["experts"]).values()} == {type(trees["id3"].hypothesis_)}
        induce.save(learner, tmp_path / "trees.induce")
        again = induce.load(tmp_path / "trees.induce")
        assert again.hypothesis_ == learner.hypothesis_
        assert again.predict(X).tolist() == learner.predict(X).tolist()


def test_hypotheses_in_a_list_are_saved(tmp_path):
    X, y = induce.dataset("play-tennis")
    tree = induce.ID3().fit(X[:7], y[:7])
    learner = WeightedMajority([("id3", tree.hypothesis_), ("rules", tree.hypothesis_.to_rules())]).fit(X, y)
    induce.save(learner, tmp_path / "list.induce")
    assert induce.load(tmp_path / "list.induce").hypothesis_ == learner.hypothesis_


def test_an_expert_that_cannot_be_held_is_named():
    majority = WeightedMajority().fit([[0]], [0])
    for experts, sentence in (
        (
            {"größe": lambda rows: ["No"] * len(rows)},
            "expert 'größe' is a function, which a model file cannot hold",
        ),
        ([GaussianNB()], "expert 'expert 1' is a GaussianNB, which a model file cannot hold"),
        ({"s": majority}, "expert 's' is a WeightedMajority, which a model file cannot hold"),
    ):
        with pytest.raises(induce.InputError, match=sentence) as caught:
            WeightedMajority(experts)._saved_parameters()
        assert "\n" not in str(caught.value)
        assert "save only the weights, which are the `hypothesis_`" in str(caught.value)


def test_predictions_as_text_are_held():
    words = np.array([["no", "yes"], ["yes", "yes"]])
    for experts in (words, list(words), {"a": words[0], "b": ("no", "no")}):
        learner = WeightedMajority(experts).fit([0, 1, 1], ["no", "yes", "yes"])
        held = WeightedMajority(**learner._saved_parameters())
        assert held.fit([0, 1, 1], ["no", "yes", "yes"]).hypothesis_ == learner.hypothesis_


@pytest.mark.parametrize("learner", [Winnow(), DecisionListClassifier(), OnlineFindS()])
def test_learning_from_tables_resumes(learner, tmp_path):
    X, y = restaurant(200, random_state=1)
    learner.partial_fit(X[:80], y[:80], classes=["No", "Yes"])
    induce.save(learner, tmp_path / "table.induce")
    again = induce.load(tmp_path / "table.induce")
    assert str(again.hypothesis_) == str(learner.hypothesis_)
    assert again.predict(X).tolist() == learner.predict(X).tolist()
    for one in (learner, again):
        one.partial_fit(X[80:], y[80:])
    assert again.hypothesis_ == learner.hypothesis_
    assert again.mistakes_ == learner.mistakes_
    assert again.history_.mistakes.tolist() == learner.history_.mistakes.tolist()


def test_weights_of_rows_are_kept(tmp_path):
    X, y = restaurant(60, random_state=1)
    learner = DecisionListClassifier(1).fit(X, y, sample_weight=np.linspace(0, 2, 60))
    induce.save(learner, tmp_path / "weighted.induce")
    again = induce.load(tmp_path / "weighted.induce")
    more, answers = restaurant(60, random_state=5)
    for one in (learner, again):
        one.partial_fit(more, answers)
    assert again.hypothesis_ == learner.hypothesis_
    assert again.mistakes_ == learner.mistakes_ > 0


def test_hypotheses_alone(tmp_path):
    X, y = induce.dataset("restaurant")
    for hypothesis in (
        Winnow().fit(X, y).hypothesis_,
        WeightedMajority().fit(*votes()).hypothesis_,
    ):
        induce.save(hypothesis, tmp_path / "alone.induce")
        assert induce.load_hypothesis(tmp_path / "alone.induce") == hypothesis


def test_a_damaged_file_is_refused(tmp_path):
    import dataclasses

    weights = WeightedMajority().fit(*votes()).hypothesis_
    induce.save(dataclasses.replace(weights, beta=2.0), tmp_path / "bad.induce")
    with pytest.raises(induce.ModelFileError, match="do not fit together"):
        induce.load(tmp_path / "bad.induce")


def test_hypotheses_need_neither_scikit_learn_nor_a_compiler():
    import subprocess
    import sys

    code = "import sys, induce.online.hypothesis, induce.online.linear, induce.online.bounds; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout.split()
    assert "numpy" in loaded
    assert not {"sklearn", "numba", "matplotlib"} & set(loaded)
