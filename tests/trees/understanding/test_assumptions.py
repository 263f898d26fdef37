"""What learners assume."""

import pytest

import induce
from induce import InputError
from induce.trees.growth import MEASURES
from induce.trees.learners.bfsid3 import BFSID3
from induce.trees.learners.cls import CLS
from induce.trees.learners.decision_tree_classifier import PRUNING
from induce.trees.learners.decision_tree_regressor import PRUNING as FOR_NUMBERS
from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor
from induce.trees.learners.incremental_id3 import IncrementalID3
from induce.trees.learners.lmdt import LMDT
from induce.trees.learners.lookahead_tree import LookaheadTree
from induce.trees.learners.model_tree import ModelTree
from induce.trees.learners.oc1 import OC1
from induce.trees.understanding import assumptions, bias


def test_id3():
    """C3.21: a complete space, an incomplete search, a preference for short trees with high gain at the root."""
    found = bias(induce.ID3())
    assert (found.learner, found.complete, found.exhaustive, found.kind) == (
        "ID3",
        True,
        False,
        "preference bias",
    )
    assert "the highest information gain" in found.prefers[0]
    assert "short trees" in found.prefers[1]


def test_bfs_id3_looks_at_everything():
    found = bias(BFSID3())
    assert (found.complete, found.exhaustive, found.kind) == (True, True, "preference bias")
    assert found.prefers[0] == "the shallowest tree that fits every example"


@pytest.mark.parametrize(
    ("parameters", "restricted"),
    [
        ({"max_depth": 2}, "trees of at most 2 levels of tests"),
        ({"max_nodes": 7}, "trees of at most 7 nodes"),
        ({"max_nodes": 1, "count": "tests"}, "trees of at most 1 test"),
        ({"bins": 16}, "thresholds only between 16 intervals"),
        ({"numeric": "intervals"}, "numeric attributes only in the intervals"),
    ],
)
def test_limits_restrict(parameters, restricted):
    found = bias(induce.DecisionTreeClassifier(**parameters))
    assert restricted in found.space
    assert found.kind == "restriction and preference bias"
    assert "(restricted)" in str(found)


@pytest.mark.parametrize(
    ("parameters", "preference"),
    [
        ({"min_samples_leaf": 5}, "to stop where few examples are left"),
        (
            {"min_gain": 0.1, "significance": 0.05},
            "to stop where little is gained or no test is significant",
        ),
        ({"mdl_stop": True}, "to stop where a test would not shorten the description of the examples"),
        ({"pruning": "reduced-error"}, "smaller trees: pruning removes subtrees that do not reduce"),
        ({"criterion": "gini"}, "the largest decrease of the Gini index"),
    ],
)
def test_parameters_make_preferences(parameters, preference):
    found = bias(induce.DecisionTreeClassifier(**parameters))
    assert any(preference in text for text in found.prefers)
    assert found.complete


def test_everything_that_can_be_chosen_has_words():
    assert set(assumptions.MEASURES) == set(MEASURES)
    assert set(assumptions.PRUNING) == {*PRUNING, *FOR_NUMBERS}


@pytest.mark.parametrize(
    "learner",
    [
        LookaheadTree(),
        CLS(),
        OC1(),
        LMDT(),
        IncrementalID3(),
        DecisionTreeRegressor(),
        ModelTree(),
        induce.C45Rules(),
        induce.C45(),
        induce.CART(),
    ],
)
def test_other_learners(learner):
    found = bias(learner)
    assert found.learner == type(learner).__name__
    assert not found.exhaustive
    assert found.prefers
    assert str(found).startswith(f"{found.learner}: preference bias\n  space: every function")


def test_the_measure_of_oblique_tests():
    assert "Gini index" in bias(OC1(criterion="gini")).prefers[0]


def test_lookahead_is_told():
    assert "up to 2 more tests" in bias(LookaheadTree(steps=2)).search


def test_what_a_leaf_of_numbers_says():
    assert bias(ModelTree()).space == "every function that is linear on boxes of the attributes"
    assert bias(DecisionTreeRegressor(max_depth=2)).kind == "restriction and preference bias"


def test_a_stump_can_say_little():
    from induce.trees.learners.decision_stump import DecisionStump

    assert bias(DecisionStump()).space == "trees of at most 1 level of tests"


def test_bad_input():
    with pytest.raises(InputError, match="the bias of dict is not known"):
        bias({})
    with pytest.raises(InputError, match="criterion is 'gian'"):
        bias(induce.DecisionTreeClassifier(criterion="gian"))
