"""Choices between tests that were close."""

import numpy as np
import pytest

import induce
from induce import InputError
from induce.trees.growth import GrowthRule
from induce.trees.understanding import near_ties


def test_restaurant():
    """Five attributes tie where the restaurant is full, three among the Thai ones (O7)."""
    found = near_ties(induce.ID3(), *induce.dataset("restaurant"), within=0)
    full, thai = found.ties
    assert (full.chosen, list(full.rivals)) == ("Hun", ["Price", "Res", "Type", "Est"])
    assert full.merit == pytest.approx(0.251629, abs=1e-6)
    assert list(full.rivals.values()) == pytest.approx([0.251629] * 4, abs=1e-6)
    assert [str(condition) for condition in full.path] == ["Pat = Full"]
    assert (thai.chosen, list(thai.rivals), thai.examples) == ("Fri", ["Rain", "Est"], 2.0)
    assert (found.n_tests, thai.runner_up) == (4, "Rain")


def test_wider_means_more():
    X, y = induce.dataset("play-tennis")
    assert near_ties(induce.ID3(), X, y).ties == ()
    assert str(near_ties(induce.ID3(), X, y)) == "none of 3 tests has a rival within 5% of the gain"
    (root,) = near_ties(induce.ID3(), X, y, within=0.4).ties
    assert (root.path, root.chosen, root.rivals) == (
        (),
        "Outlook",
        {"Humidity": pytest.approx(0.151836, abs=1e-6)},
    )
    assert str(root) == "the root (14 examples): Outlook 0.247, also Humidity 0.152"


def test_gain_ratio_only_among_tests_of_average_gain():
    """Humidity comes near Outlook; Wind and Temperature gain too little to compete, whatever their ratio."""
    X, y = induce.dataset("play-tennis")
    rule = GrowthRule(measure="gain_ratio")
    (root, *_) = near_ties(rule, X, y, within=0.9).ties
    assert (root.chosen, list(root.rivals)) == ("Outlook", ["Humidity"])
    assert root.merit == pytest.approx(0.156428, abs=1e-6)
    assert near_ties(rule, X, y, within=0.9).measure == "gain ratio"


def test_a_copy_of_a_column_is_a_tie_at_every_test():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 1))
    y = (X[:, 0] > 0) ^ (rng.random(80) < 0.2)
    found = near_ties(induce.ID3(max_depth=4), np.hstack([X, X]), y)
    assert len(found.ties) == found.n_tests > 3
    assert {tie.chosen for tie in found.ties} == {"x0"}
    assert all(tie.rivals == {"x1": pytest.approx(tie.merit)} for tie in found.ties)


@pytest.mark.compiled
def test_pruning_and_folds_do_not_matter():
    X, y = induce.dataset("breast-cancer")
    pruned = near_ties(induce.CART(), X, y)
    assert pruned == near_ties(induce.CART(pruning=None), X, y)
    assert pruned.n_tests == (induce.CART(pruning=None).fit(X, y).hypothesis_.attribute >= 0).sum()


def test_an_outer_trace_is_left_alone():
    with induce.trace() as events:
        near_ties(induce.ID3(), *induce.dataset("play-tennis"))
    assert len(events) == 0


def test_learner_is_left_alone():
    learner = induce.ID3()
    near_ties(learner, *induce.dataset("play-tennis"))
    assert not hasattr(learner, "classes_")


def test_bad_input():
    X, y = induce.dataset("play-tennis")
    with pytest.raises(InputError, match="within is 1; give a fraction of at least 0 and below 1"):
        near_ties(induce.ID3(), X, y, within=1)
    with pytest.raises(InputError, match="C45Rules has no growth rule"):
        near_ties(induce.C45Rules(), X, y)
    with pytest.raises(InputError, match="ID3 has no growth rule"):
        near_ties(induce.ID3, X, y)
