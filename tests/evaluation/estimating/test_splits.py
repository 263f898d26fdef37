"""Splits: disjoint, covering, those of scikit-learn, and clear about what cannot be split."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    TimeSeriesSplit,
    train_test_split,
)

from induce import C45, NaiveBayes, compare, evaluate
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.evaluation.estimating.splits import plan

CLASSES = np.array(["a", "b", "c"])[np.arange(60) % 3]
ROWS = np.arange(60).reshape(-1, 1)
GROUPS = np.arange(60) // 5


def _same(first: Any, second: Any) -> bool:
    pairs = list(zip(first, second, strict=True))
    return all(np.array_equal(a, c) and np.array_equal(b, d) for (a, b), (c, d) in pairs)


@given(
    n=st.integers(12, 60),
    k=st.integers(2, 8),
    repeats=st.integers(1, 3),
    grouped=st.booleans(),
    stratify=st.booleans(),
    seed=st.integers(0, 99),
)
def test_folds_are_disjoint_and_cover(
    n: int, k: int, repeats: int, grouped: bool, stratify: bool, seed: int
) -> None:
    groups = np.arange(n) % 9 if grouped else None
    made = plan(
        ROWS[:n],
        CLASSES[:n],
        k,
        repeats=repeats,
        groups=groups,
        stratify=stratify and n >= 3 * k,
        random_state=seed,
    )
    assert len(made.splits) == k * repeats
    assert made.kind == ("cross-validation" if repeats == 1 else "repeated")
    for train, test in made.splits:
        assert train is not None
        assert sorted([*train, *test]) == list(range(n))
        if groups is not None:
            assert not set(groups[train]) & set(groups[test])
    for r in range(repeats):
        tested = np.concatenate([test for _, test in made.splits[r * k : (r + 1) * k]])
        assert sorted(tested) == list(range(n))


@pytest.mark.parametrize("stratify", [True, False])
def test_repeats_are_those_of_scikit_learn(stratify: bool) -> None:
    kind = RepeatedStratifiedKFold if stratify else RepeatedKFold
    made = plan(ROWS, CLASSES, 5, repeats=3, stratify=stratify, random_state=7)
    assert _same(made.splits, kind(n_splits=5, n_repeats=3, random_state=7).split(ROWS, CLASSES))
    assert (made.method, made.repeats) == ("3 times 5-fold cross-validation", 3)
    assert made.test_share == pytest.approx(1 / 4)
    once = plan(ROWS, CLASSES, 5, stratify=stratify, random_state=7)
    assert _same(once.splits, made.splits[:5])
    assert "repeatedly" in made.caveat
    assert "repeatedly" not in once.caveat


@pytest.mark.parametrize("stratify", [True, False])
def test_groups_are_kept_together_as_scikit_learn_does(stratify: bool) -> None:
    kind: Any = StratifiedGroupKFold if stratify else GroupKFold
    made = plan(ROWS, CLASSES, 4, groups=GROUPS, stratify=stratify, random_state=1)
    assert _same(made.splits, kind(4, shuffle=True, random_state=1).split(ROWS, CLASSES, GROUPS))
    assert made.method == "4-fold cross-validation by groups"
    assert made.grouped
    assert "rows of the same group are not independent" in made.caveat
    names = [f"patient {g:02}" for g in GROUPS]
    assert _same(made.splits, plan(ROWS, CLASSES, 4, groups=names, stratify=stratify, random_state=1).splits)


def test_leave_one_out_is_as_many_folds_as_rows() -> None:
    made = plan(ROWS, CLASSES, "loo")
    assert made.method == "leave-one-out"
    assert _same(made.splits, LeaveOneOut().split(ROWS))
    folds = plan(ROWS, CLASSES, 60, stratify=False)
    assert {int(test[0]) for _, test in folds.splits} == set(range(60))
    assert all(train is not None and train.size == 59 for train, _ in folds.splits)


def test_hold_outs() -> None:
    made = plan(ROWS, CLASSES, test_size=15, random_state=3)
    assert _same(
        made.splits, [train_test_split(np.arange(60), test_size=15, stratify=CLASSES, random_state=3)]
    )
    assert (made.kind, made.exact, made.caveat) == ("hold-out", True, "")
    several = plan(ROWS, CLASSES, test_size=0.25, repeats=4, random_state=3)
    assert _same(several.splits[:1], made.splits)
    assert len({tuple(test) for _, test in several.splits}) == 4
    assert (several.kind, several.method, several.exact) == ("splits", "4 random hold-outs", False)
    assert several.test_share == pytest.approx(1 / 3)
    by_group = plan(ROWS, CLASSES, test_size=3, groups=GROUPS)
    ((train, test),) = by_group.splits
    assert train is not None
    assert len(set(GROUPS[test])) == 3
    assert not set(GROUPS[test]) & set(GROUPS[train])
    assert (by_group.method, by_group.exact) == ("hold-out by groups", False)


def test_same_seed_same_splits() -> None:
    for how in (
        {"cv": 5},
        {"cv": 5, "repeats": 2},
        {"test_size": 10, "repeats": 3},
        {"cv": 3, "groups": GROUPS},
    ):
        one, two = (plan(ROWS, CLASSES, **how, random_state=5) for _ in range(2))
        assert _same(one.splits, two.splits)
        assert not _same(one.splits, plan(ROWS, CLASSES, **how, random_state=6).splits)
        drawn = plan(ROWS, CLASSES, **how, random_state=np.random.default_rng(5))
        assert _same(drawn.splits, plan(ROWS, CLASSES, **how, random_state=np.random.default_rng(5)).splits)


@pytest.mark.parametrize(
    ("cv", "kind", "method", "repeats"),
    [
        (KFold(4), "cross-validation", "4-fold cross-validation", 1),
        (LeaveOneOut(), "cross-validation", "leave-one-out", 1),
        (RepeatedKFold(n_splits=3, n_repeats=2), "repeated", "6 splits by RepeatedKFold", 2),
        (TimeSeriesSplit(3), "splits", "3 splits by TimeSeriesSplit", 1),
        (ShuffleSplit(5, random_state=0), "splits", "5 splits by ShuffleSplit", 1),
        (ShuffleSplit(1), "hold-out", "hold-out", 1),
        ([(range(30), range(30, 60))], "hold-out", "hold-out", 1),
        (
            [(range(30), range(30, 60)), (range(30, 60), range(30))],
            "cross-validation",
            "2-fold cross-validation",
            1,
        ),
        ([(np.arange(60) < 20, np.arange(60) >= 40), ([0], [1])], "splits", "2 splits by the given rows", 1),
        (None, "given data", "given data", 1),
    ],
)
def test_what_splits_are_called(cv: Any, kind: str, method: str, repeats: int) -> None:
    made = plan(ROWS, CLASSES, cv)
    assert (made.kind, made.method, made.repeats, made.n_rows) == (kind, method, repeats, 60)
    assert made.exact == (kind in ("hold-out", "given data"))
    assert math.isnan(made.test_share) == (cv is None)


def test_splitter_of_groups() -> None:
    made = plan(ROWS, CLASSES, LeaveOneGroupOut(), groups=GROUPS)
    assert (made.kind, made.method, made.grouped) == (
        "cross-validation",
        "12-fold cross-validation by groups",
        True,
    )


def test_class_too_rare_for_the_folds() -> None:
    classes = np.where(np.arange(60) < 2, "rare", "common")
    with pytest.warns(Note, match="a class has only 2 rows, so some of the 5 folds have no test row of it"):
        made = plan(ROWS, classes, 5)
    assert sorted((classes[test] == "rare").sum() for _, test in made.splits) == [0, 0, 0, 1, 1]
    few = np.repeat(["a", "b"], [4, 3])
    with pytest.warns(Note, match="only 3 rows, too few for 5 folds"):
        made = plan(ROWS[:7], few, 5)
    assert _same(made.splits, plan(ROWS[:7], few, 5, stratify=False).splits)


COPIED = np.vstack([np.arange(80.0).reshape(40, 2)] * 2)


@pytest.mark.parametrize("how", [{"cv": 5}, {"cv": 4, "repeats": 2}, {"test_size": 0.25}, {"test_size": 20}])
def test_copies_of_a_row_stay_together(how: dict[str, Any]) -> None:
    classes = np.tile(np.arange(40) % 2, 2)
    with pytest.warns(Note, match="40 of 80 rows repeat others"):
        made = plan(COPIED, classes, **how)
    assert "copies together" in made.method
    for train, test in made.splits:
        assert train is not None
        assert not set(train % 40) & set(test % 40)
        assert len(train) / 2 + len(test) == 40
        assert len(set(test % 40)) == len(test)
    assert made.n_rows == 40
    every = plan(COPIED, classes, **how, once=False)
    assert all(train is not None and len(train) + len(test) == 80 for train, test in every.splits)
    assert made.test_share == pytest.approx(every.test_share)


def test_leaving_one_out_leaves_out_its_copies() -> None:
    classes = np.tile(np.arange(40) % 2, 2)
    with pytest.warns(Note, match="40 of 80 rows repeat others; copies are never split"):
        made = plan(COPIED, classes, "loo")
    assert len(made.splits) == 40
    for train, test in made.splits:
        assert train is not None
        assert (len(train), len(test)) == (78, 1)
        assert not set(train % 40) & set(test % 40)


def test_given_rows_count_once() -> None:
    classes = np.tile(np.arange(40) % 2, 2)
    with pytest.warns(Note, match="40 of 80 rows repeat others; each distinct row counts once"):
        made = plan(COPIED, classes, None)
    assert [(train, len(test)) for train, test in made.splits] == [(None, 40)]


def test_random_labels_cannot_be_predicted_from_copies() -> None:
    rng = np.random.default_rng(0)
    once, labels = rng.normal(size=(60, 1)), rng.choice(["no", "yes"], 60)
    X, y = np.vstack([once] * 4), np.tile(labels, 4)
    with pytest.warns(Note, match="180 of 240 rows repeat others"):
        found = evaluate(C45(), X, y)
    single = evaluate(C45(), once, labels)
    assert found.n == single.n == 60
    assert found.value > 0.3
    assert found.interval.high - found.interval.low > 0.2
    with pytest.warns(Note, match="180 of 240 rows repeat others"):
        compared = compare({"tree": C45(), "bayes": NaiveBayes()}, X, y)
    assert compared.n_rows == 60


def test_rows_that_chance_repeats_are_no_copies() -> None:
    few = np.random.default_rng(0).integers(0, 3, (200, 2)).astype(float)
    assert plan(few, few[:, 0] > 1, 5).method == "5-fold cross-validation"


def test_time_goes_forward() -> None:
    times = np.array([f"2024-{1 + k % 12:02d}" for k in range(60)])
    made = plan(ROWS, CLASSES, 4, time=times)
    assert made.method == "4 splits forward in time"
    for train, test in made.splits:
        assert train is not None
        assert max(times[train]) < min(times[test])
    held = plan(ROWS, CLASSES, time=times, test_size=0.25)
    assert (held.kind, len(held.splits[0][1])) == ("hold-out", 15)
    with pytest.raises(InputError, match="time is the same in every row"):
        plan(ROWS, CLASSES, 4, time=np.zeros(60))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"cv": 61}, "cv is 61; give a number of folds from 2 to the number of rows, 60"),
        ({"repeats": 0}, "repeats must be a whole number of at least 1, not 0"),
        ({"repeats": 2.0}, "repeats must be a whole number of at least 1, not 2.0"),
        (
            {"cv": KFold(2), "repeats": 2},
            "repeats needs a number of folds or a test_size; give a splitter that repeats instead",
        ),
        ({"groups": GROUPS[:59]}, "groups has 59 for 60 rows; give one group per row"),
        (
            {"groups": np.zeros((60, 2))},
            "groups has the shape (60, 2) for 60 rows; give one group per row",
        ),
        ({"groups": [None, *GROUPS[1:]]}, "groups is missing in 1 row; give every row a group"),
        ({"groups": GROUPS % 4}, "groups has 4 different groups, too few for 10 folds; give fewer folds"),
        (
            {"groups": GROUPS, "cv": "loo"},
            "groups needs a number of folds, a splitter or a test_size; leave it out",
        ),
        (
            {"groups": GROUPS, "test_size": 12},
            "test_size 12 of 12 groups leaves no training rows or no test rows; give another size",
        ),
        ({"cv": []}, "cv has no split; give at least one pair of training and test rows"),
        ({"cv": [([0, 1], [])]}, "split 1 of cv has no rows to test on; give a list of row numbers"),
        (
            {"cv": [([0], [1]), ([0], [60])]},
            "the rows to test on in split 2 of cv must be row numbers from 0 to 59",
        ),
        ({"cv": [([0.5], [1])]}, "the rows to learn from in split 1 of cv must be row numbers from 0 to 59"),
        (
            {"cv": [([0, 1, 2], [2, 1])]},
            "split 1 of cv tests 2 rows that it also trains on; make the two disjoint",
        ),
    ],
)
def test_refusals(how: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        plan(ROWS, CLASSES, **how)
    assert str(caught.value) == message


@pytest.mark.parametrize("cv", ["10", 5.0, [1, 2], [([0], [1], [2])]])
def test_cv_of_another_kind(cv: Any) -> None:
    with pytest.raises(TypeError, match="give a number of folds, 'loo', a scikit-learn splitter"):
        plan(ROWS, CLASSES, cv)
