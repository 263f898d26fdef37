"""How much there is to read: counted by hand from what is printed."""

import re

import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import induce
from induce.evaluation.readability import parts, size_text

X, Y = load_iris(return_X_y=True)
TENNIS = induce.dataset("play-tennis")


def test_a_tree_has_a_condition_in_every_line_and_a_conclusion_at_every_leaf():
    tree = induce.ID3().fit(*TENNIS)
    lines = str(tree.hypothesis_).splitlines()
    assert parts(tree) == len(lines) + sum(": " in line for line in lines) == 12
    assert parts(tree.hypothesis_) == 12
    assert parts(induce.DecisionStump().fit(X, Y)) == 4


def test_rules_have_conditions_conclusions_and_a_default():
    rules = induce.C45Rules().fit(*TENNIS)
    text = str(rules.hypothesis_)
    assert parts(rules) == text.count(" = ") + text.count("THEN") + 1 == 7


def test_the_terms_of_weighted_sums_count():
    tree = induce.OC1(random_state=0).fit(X, Y).hypothesis_
    terms = [len(re.findall(r"x\d", line.split(":")[0])) for line in str(tree).splitlines()]
    assert max(terms) > 1
    assert parts(tree) == sum(terms) + tree.n_leaves


def test_a_linear_machine_is_written_once():
    tree = induce.LMDT(random_state=0).fit(X, Y).hypothesis_
    above, below = str(tree).split("\n\n")
    assert tree.n_nodes == 4
    terms = sum(len(re.findall(r"[\d.]+", re.sub(r"x\d", "", line))) for line in below.splitlines()[1:])
    names = sum(len(re.findall(r"x\d", line)) for line in below.splitlines())
    n_weights = int((tree.machines != 0).sum())
    assert n_weights >= max(names, terms - 3)
    assert parts(tree) == n_weights + len(above.splitlines()) + tree.n_leaves


def test_linear_functions_at_leaves():
    tree = induce.ModelTree().fit(X[:, :3], X[:, 3]).hypothesis_
    leaves = tree.attribute < 0
    coefficients = int((tree.coefficients[leaves] != 0).sum())
    assert coefficients > 0
    assert parts(tree) == (tree.n_nodes - 1) + tree.n_leaves + coefficients


def test_learners_of_scikit_learn():
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, Y)
    assert parts(tree) == (tree.tree_.node_count - 1) + tree.get_n_leaves() == 7
    assert parts(DecisionTreeRegressor(max_depth=1).fit(X, Y)) == 4
    line = LinearRegression().fit(X[:, :3], X[:, 3])
    assert parts(line) == 4
    assert parts(make_pipeline(StandardScaler(), line).fit(X[:, :3], X[:, 3])) == 4
    assert parts(LogisticRegression(max_iter=500).fit(X, Y)) == 3 * 4 + 3
    assert parts(KNeighborsClassifier().fit(X, Y)) is None


@pytest.mark.parametrize(
    ("learner", "said"),
    [
        (induce.ID3(), "17 nodes, 9 leaves, depth 5"),
        (induce.LookaheadTree(), "17 nodes, 9 leaves, depth 4"),
        (make_pipeline(StandardScaler(), induce.DecisionStump()), "3 nodes, 2 leaves, depth 1"),
        (DecisionTreeClassifier(max_depth=1), "4 parts"),
        (KNeighborsClassifier(), ""),
    ],
)
def test_sizes_in_their_own_words(learner, said):
    assert size_text(learner.fit(X, Y)) == said
