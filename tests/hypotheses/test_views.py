"""Views and explanations as plain data: JSON can hold them, and they say what the hypothesis says."""

import json

import numpy as np
import pytest

import induce

LEARNERS = [
    *(
        "ID3",
        "C45",
        "CN2",
        "RIPPER",
        "NaiveBayes",
        "K2",
        "KNeighborsClassifier",
        "LogisticRegression",
        "AdaBoost",
    ),
    *("CandidateElimination", "RandomForest", "SVM", "KMeans", "LazyDecisionTree", "Perceptron", "Winnow"),
]


@pytest.mark.parametrize("name", LEARNERS)
def test_views_and_explanations_are_plain(name):
    X, y = induce.dataset("enjoy-sport")
    hypothesis = getattr(induce, name)().fit(X, None if name == "KMeans" else y).hypothesis_
    view = hypothesis.to_view()
    assert json.loads(json.dumps(view, allow_nan=False)) == view
    assert {"view", "type", "size", "target", "classes", "answer"} <= set(view)
    for said, answer in zip(hypothesis.explained(X), hypothesis.answers(X), strict=True):
        assert [*said] == ["prediction", "probabilities", "because", "almost", "text"]
        assert said["prediction"] == answer
        assert said["because"]
        assert sum(said["probabilities"].values()) == pytest.approx(1)
        assert all(isinstance(line, str) for line in said["because"] + said["almost"])
        json.dumps(said, allow_nan=False)


def test_the_nodes_of_a_tree_count_its_rows():
    X, y = induce.dataset("iris")
    tree = induce.C45().fit(X, y).hypothesis_
    view, reached = tree.to_view(), tree.deciders(X)
    for node in range(tree.n_nodes):
        if not view["tests"][node]:
            rows = reached == node
            assert [(rows & (y == value).to_numpy()).sum() for value in view["classes"]] == view["counts"][
                node
            ]


def test_rows_with_holes_are_decided_by_no_single_node():
    X, y = induce.dataset("play-tennis")
    tree = induce.ID3().fit(X, y).hypothesis_
    assert tree.deciders(X.with_columns(Outlook=None)[:1]).tolist() == [-1]


def test_the_rules_of_rows_decide_them():
    X, y = induce.dataset("play-tennis")
    rules = induce.CN2().fit(X, y).hypothesis_
    view = rules.to_view()
    said = np.array([*(rule["prediction"] for rule in view["rules"]), view["default"]["prediction"]])
    assert (said[rules.deciders(X)] == rules.predict(X)).all()


def test_what_has_no_parts_says_so():
    model = induce.NaiveBayes().fit(*induce.dataset("play-tennis")).hypothesis_
    assert not model.decides_by_parts
    with pytest.raises(TypeError, match="no nodes or rules"):
        model.deciders([])


@pytest.mark.parametrize("name", ["NaiveBayes", "LogisticRegression", "LinearRegression"])
def test_nomograms_add_up_to_the_scores(name):
    X, y = induce.dataset("play-tennis")
    numbers = name == "LinearRegression"
    model = getattr(induce, name)().fit(X, [float(len(each)) for each in y] if numbers else y).hypothesis_
    view = model.to_view()
    assert view["view"] == "nomogram"
    for row, share in zip(
        X.rows(named=True), model.predict(X) if numbers else model.predict_proba(X), strict=True
    ):
        sums = np.array(view["base"])
        for column in view["columns"]:
            [adds] = [each["adds"] for each in column["points"] if each["value"] == row[column["name"]]]
            sums = sums + adds
        if numbers:
            assert sums == pytest.approx([share])
        elif view["softmax"]:
            assert np.exp(sums) / np.exp(sums).sum() == pytest.approx(share)
        else:
            assert 1 / (1 + np.exp(-sums[-1])) == pytest.approx(share[-1])


def test_numbers_of_a_nomogram_span_the_classes():
    view = induce.NaiveBayes().fit(*induce.dataset("iris")).hypothesis_.to_view()
    ends = {
        each["name"]: (each["points"][0]["value"], each["points"][-1]["value"]) for each in view["columns"]
    }
    assert float(ends["petal width"][0]) < 0.3 < 2.5 < float(ends["petal width"][1])


def test_a_version_space_is_a_lattice():
    space = induce.CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_
    view = space.to_view()
    assert len(view["members"]) == 6
    assert sum("S" in each["in"] for each in view["members"]) == 1
    assert sum("G" in each["in"] for each in view["members"]) == 2
    assert len(view["edges"]) == 7
