"""EPAM: small lists memorised by hand, and what must hold for any."""

from __future__ import annotations

import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.trees.learners.epam import EPAM

PAIR = pl.DataFrame({"sound": ["a", "b"], "shape": ["round", "round"]})


def events(X, y, **parameters):
    with induce.trace() as found:
        net = EPAM(**parameters).fit(X, y)
    steps = [(e.kind, e["trial"], e["example"], e["attribute"]) for e in found]
    return net, steps


def test_two_syllables_by_hand():
    net, steps = events(PAIR, ["yes", "no"])
    assert steps == [
        ("memorise", 0, 0, None),
        ("familiarise", 0, 1, "sound"),
        ("discriminate", 1, 0, "sound"),
    ]
    assert net.errors_per_trial_.tolist() == [2, 1, 0]
    assert str(net.hypothesis_) == "sound = a: yes (1/1)\nsound = b: no (1/1)"


def test_what_is_noticed_first_delays_or_helps():
    net, steps = events(PAIR, ["yes", "no"], noticing_order=["shape"])
    assert steps == [
        ("memorise", 0, 0, None),
        ("familiarise", 0, 1, "shape"),
        ("familiarise", 1, 0, "sound"),
        ("discriminate", 1, 1, "sound"),
    ]
    assert net.errors_per_trial_.tolist() == [2, 2, 0]


def test_numbers_are_told_apart_halfway():
    net = EPAM().fit([[1.0], [4.0]], ["low", "high"])
    assert str(net.hypothesis_) == "x0 <= 2.5: low (1/1)\nx0 > 2.5: high (1/1)"


def test_neighbouring_numbers_are_told_apart():
    low, high = 1.0, np.nextafter(1.0, 2.0)
    assert EPAM().fit([[high], [low]], ["h", "l"]).predict([[low], [high]]).tolist() == ["l", "h"]


def test_examples_that_differ_in_class_only_are_given_up():
    X = [["a"], ["a"], ["b"]]
    net, steps = events(X, ["yes", "no", "no"])
    assert net.errors_per_trial_[-1] == 1
    assert steps[-1][0] == "wrong"


def test_the_learning_curve_of_play_tennis():
    X, y = induce.dataset("play-tennis")
    net = EPAM().fit(X, y)
    assert net.errors_per_trial_.tolist() == [7, 6, 5, 4, 1, 0]
    assert net.predict(X).tolist() == y.to_list()
    assert net.hypothesis_.counts[0].sum() == (net.hypothesis_.counts[net.hypothesis_.attribute < 0]).sum()


@given(st.data())
def test_a_function_is_learned_by_heart(tables, data):
    X, y = data.draw(tables(functional=True))
    net = EPAM().fit(X, y)
    assert net.errors_per_trial_[-1] == 0
    assert net.predict(X).tolist() == y.to_list()
    net.hypothesis_.check()


@given(st.data())
def test_the_tree_answers_as_the_net_did_in_the_last_trial(tables, data):
    """Missing values included; a trial in which nothing was learned leaves its errors as they are."""
    X, y = data.draw(tables(missing=True))
    net = EPAM(max_trials=10_000).fit(X, y)
    assert net.errors_per_trial_[-1] == (net.predict(X) != np.array(y.to_list())).sum()
    net.hypothesis_.check()


def test_a_trace_changes_nothing():
    X, y = induce.dataset("restaurant")
    traced, _ = events(X, y)
    plain = EPAM().fit(X, y)
    assert str(traced.hypothesis_) == str(plain.hypothesis_)
    assert traced.errors_per_trial_.tolist() == plain.errors_per_trial_.tolist()


def test_too_few_trials_are_told():
    X, y = induce.dataset("restaurant")
    with pytest.warns(Note, match="EPAM was still learning after max_trials=2 trials"):
        net = EPAM(max_trials=2).fit(X, y)
    assert len(net.errors_per_trial_) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error", Note)
        EPAM().fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_trials": 0}, "max_trials is 0; it must be a whole number of at least 1"),
        (
            {"noticing_order": ["colour"]},
            "noticing_order contains 'colour', which .* the input columns are sound, shape",
        ),
        ({"noticing_order": ["shape", "shape"]}, "noticing_order contains 'shape', which is repeated"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(InputError, match=message):
        EPAM(**parameters).fit(PAIR, ["yes", "no"])
