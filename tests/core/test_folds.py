"""Splits are scikit-learn's, stratified where every class has rows enough."""

import warnings

import numpy as np
import pytest
from sklearn.model_selection import KFold, StratifiedKFold

from induce.core.folds import can_stratify_hold_out, folds, hold_out


def test_folds_are_stratified_when_every_class_has_a_row_for_each():
    labels = np.repeat([0, 1], [50, 10])
    splitter = folds(labels, 5, 0)
    assert isinstance(splitter, StratifiedKFold)
    for train, test in splitter.split(labels, labels):
        assert not set(train) & set(test)
        assert np.bincount(labels[test]).tolist() == [10, 2]
    assert isinstance(folds(np.repeat([0, 1], [4, 3]), 5, 0), KFold)
    assert isinstance(folds(labels, 5, 0, stratify=False), KFold)


def test_a_rare_class_does_not_switch_stratification_off_for_the_others():
    labels = np.repeat([0, 1, 2], [50, 20, 3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        counts = [
            np.bincount(labels[test], minlength=3).tolist()
            for _, test in folds(labels, 5, 0).split(labels, labels)
        ]
    assert [each[:2] for each in counts] == [[10, 4]] * 5
    assert sorted(each[2] for each in counts) == [0, 0, 1, 1, 1]
    _, test = hold_out(np.repeat([0, 1, 2], [60, 20, 1]), 20, 0)
    assert np.bincount(np.repeat([0, 1, 2], [60, 20, 1])[test], minlength=3)[0] in (14, 15)


@pytest.mark.parametrize("counts", [(30, 3), (30, 1)])
def test_hold_out_takes_as_many_rows_as_asked_for(counts):
    labels = np.repeat([0, 1], counts)
    train, test = hold_out(labels, 11, 0)
    assert len(test) == 11
    assert sorted([*train, *test]) == list(range(len(labels)))
    if can_stratify_hold_out(labels, 11):
        assert np.bincount(labels[test]).tolist() == [10, 1]


@pytest.mark.parametrize("random_state", [0, np.int64(0), np.random.default_rng(0), np.random.RandomState(0)])
def test_any_kind_of_random_state_will_do(random_state):
    assert len(hold_out(np.arange(10) % 2, 4, random_state)[1]) == 4
