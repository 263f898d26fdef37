"""Splits into training and test rows, and their properties."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.model_selection import GroupKFold, GroupShuffleSplit, LeaveOneOut, StratifiedGroupKFold
from sklearn.utils import check_random_state
from sklearn.utils.validation import _num_samples

from induce.core.errors import InputError
from induce.core.estimator import numeric_target
from induce.core.folds import can_stratify_folds, can_stratify_hold_out, folds, hold_out
from induce.core.notes import note
from induce.core.randomness import RandomState, generator
from induce.core.values import is_missing
from induce.evaluation.estimating.duplicates import copies

Rows = NDArray[np.intp]
Split = tuple[Rows | None, Rows]  # training rows (None: already fitted), test rows

GIVEN = "given data"
HOLD_OUT = "hold-out"
FOLDS = "cross-validation"
REPEATED = "repeated"
SPLITS = "splits"

_COMPLETE = "biuUST"  # array kinds that cannot represent a missing value

_CAVEATS = {
    GIVEN: "holds only for rows that the learner was not fitted on",
    HOLD_OUT: "",
    FOLDS: "the folds share training rows, so their errors are not independent",
    REPEATED: "rows are tested repeatedly by learners that share training rows, so errors are not independent",
    SPLITS: "the splits share training rows, so their errors are not independent",
}


@dataclass(frozen=True, eq=False)
class Plan:
    """Plan of splits.

    Parameters
    ----------
    splits : tuple of (rows or None, rows)
        Training rows (None for a learner that is already fitted) and test rows.
    method : str
        Name, such as ``"10-fold cross-validation"``.
    kind : {"given data", "hold-out", "cross-validation", "repeated", "splits"}
        Plan type. Cross-validation tests every row once, repeated cross-validation every row equally often;
        other splits test some rows more often than others, or not at all. Of copies only the first is tested.
    n_rows : int
        Total number of rows.
    repeats : int
        Number of tests of each row, if it is the same for all; otherwise 1.
    grouped : bool
        Whether rows of the same group were kept together.
    rows_per_distinct : float
        Mean number of copies of a training row.
    """

    splits: tuple[Split, ...]
    method: str
    kind: str
    n_rows: int
    repeats: int
    grouped: bool = False
    rows_per_distinct: float = 1.0

    @property
    def test_share(self) -> float:
        """Mean ratio of test rows to training rows, without copies; NaN without training."""
        shares = [len(test) / len(train) for train, test in self.splits if train is not None]
        return float(np.mean(shares)) * self.rows_per_distinct if shares else math.nan

    @property
    def caveat(self) -> str:
        """Reason why an interval over the test rows is only approximate; empty for a hold-out."""
        grouped = "rows of the same group are not independent" if self.grouped else ""
        return "; ".join(filter(None, (_CAVEATS[self.kind], grouped)))

    @property
    def exact(self) -> bool:
        """Whether the test rows are independent draws without influence on training, as far as is known."""
        return not self.shared and not self.grouped

    @property
    def shared(self) -> bool:
        """Whether rows are tested by several hypotheses that share training rows."""
        return self.kind not in (GIVEN, HOLD_OUT)


def plan(
    X: Any,
    actual: NDArray[Any],
    cv: Any = 10,
    *,
    repeats: int = 1,
    groups: Any = None,
    time: Any = None,
    test_size: float | None = None,
    stratify: bool = True,
    random_state: RandomState = 0,
    once: bool = True,
) -> Plan:
    """Choose training and test rows (Mitchell, section 5.6; AIMA, section 18.4).

    Parameters
    ----------
    X : frame or array
    actual : array
        Target value of each row, as returned by `target` or `numbers`.
    cv : int, "loo", splitter, iterable of (train, test) or None
        Number of folds, leave-one-out, a scikit-learn splitter, the rows of each split, or None to test a fitted
        learner on all rows.
    repeats : int
        Number of repetitions with new folds or a new hold-out.
    groups : array, optional
        Group of each row; rows of the same group are never split between training and testing. Without groups,
        duplicate rows are kept together.
    time : array, optional
        Time of each row: every split trains on earlier rows and tests on the next ones.
    test_size : float or int, optional
        Fraction or number of rows, or of groups, to hold out instead of `cv`.
    stratify : bool
        Whether to preserve the class proportions if each class has enough rows; False for regression.
    random_state : int, Generator or None
    once : bool
        Whether only the first of several copies is tested, so that an interval counts distinct rows.

    Examples
    --------
    >>> classes = np.array(["a", "b"] * 6)
    >>> found = plan(np.zeros((12, 1)), classes, 3, repeats=2)
    >>> found.method, found.kind, found.test_share
    ('2 times 3-fold cross-validation', 'repeated', 0.5)
    """
    n = actual.size
    learning = test_size is not None or cv is not None
    if n < 2 and learning:
        raise InputError("X has one row, which leaves none to test on; give at least two")
    if isinstance(repeats, bool) or not isinstance(repeats, int | np.integer) or repeats < 1:
        raise InputError(f"repeats must be a whole number of at least 1, not {repeats!r}")
    drawn = test_size is not None or _whole(cv)
    if repeats > 1 and not drawn:
        raise InputError(
            "repeats needs a number of folds or a test_size; give a splitter that repeats instead"
        )
    if groups is not None:
        if not drawn and (isinstance(cv, str) or not hasattr(cv, "split")):
            raise InputError("groups needs a number of folds, a splitter or a test_size; leave it out")
        groups = _checked_groups(groups, n)
    if time is not None:
        if groups is not None or not drawn or repeats > 1:
            raise InputError(
                "time needs a number of folds or a test_size, without groups and "
                "repeats; leave out the others"
            )
        return _forward(_checked_times(time, n), int(cv), test_size)
    by_rows = drawn or cv is None or (isinstance(cv, str) and cv == "loo")
    twins = copies(X, actual) if by_rows and groups is None else None
    fewest = int(cv) if test_size is None and _whole(cv) else 2
    if twins is not None and twins.max() + 1 >= fewest:
        return _of_distinct(actual, twins, cv, repeats, test_size, stratify, random_state, once)
    if test_size is not None:
        splits = _hold_outs(actual, groups, test_size, stratify, random_state, int(repeats))
        method = HOLD_OUT if repeats == 1 else f"{repeats} random hold-outs"
        kind = HOLD_OUT if repeats == 1 else SPLITS
        return Plan(splits, _named(method, groups), kind, n, 1, groups is not None)
    if cv is None:
        return Plan(((None, np.arange(n, dtype=np.intp)),), GIVEN, GIVEN, n, 1)
    if _whole(cv):
        splits = _folds(actual, groups, int(cv), stratify, random_state, int(repeats))
        method = f"{cv}-fold cross-validation"
        method = method if repeats == 1 else f"{repeats} times {method}"
        kind = FOLDS if repeats == 1 else REPEATED
        return Plan(splits, _named(method, groups), kind, n, int(repeats), groups is not None)
    return _given_splits(X, actual, groups, cv)


def _of_distinct(
    actual: NDArray[Any],
    twins: Rows,
    cv: Any,
    repeats: int,
    test_size: float | None,
    stratify: bool,
    random_state: RandomState,
    once: bool,
) -> Plan:
    """Split the distinct rows; duplicates stay on the same side, and only the first is tested if it counts `once`."""
    first = np.unique(twins, return_index=True)[1]
    repeated = len(twins) - len(first)
    remarks = (
        ["copies are never split between training and testing"]
        if test_size is not None or cv is not None
        else []
    )
    remarks += ["each distinct row counts once"] if once else []
    if remarks:
        repeats_others = "repeats another" if repeated == 1 else "repeat others"
        note(f"{repeated:,} of {len(twins):,} rows {repeats_others}; {', and '.join(remarks)}")
    held = test_size
    if test_size is not None and isinstance(test_size, int | np.integer):
        held = max(1, min(round(test_size * len(first) / len(twins)), len(first) - 1))
    distinct = plan(
        np.arange(len(first), dtype=np.float64)[:, np.newaxis],
        actual[first],
        cv,
        repeats=repeats,
        test_size=held,
        stratify=stratify,
        random_state=random_state,
    )
    splits = tuple(
        (
            None if train is None else np.flatnonzero(np.isin(twins, train)),
            np.sort(first[test]) if once else np.flatnonzero(np.isin(twins, test)),
        )
        for train, test in distinct.splits
    )
    return replace(
        distinct,
        splits=splits,
        method=f"{distinct.method}, copies together",
        n_rows=len(first) if once else len(twins),
        grouped=not once,
        rows_per_distinct=len(twins) / len(first) if once else 1.0,
    )


def _forward(times: Rows, n_splits: int, test_size: float | None) -> Plan:
    """Return splits that train on earlier rows and test on the next; rows of the same time stay together."""
    n, moments = len(times), int(times.max()) + 1
    if moments < 2:
        raise InputError("time is the same in every row; give a column that orders the rows")
    counts = np.cumsum(np.bincount(times))  # number of rows up to each time
    if test_size is not None:
        share = test_size / n if isinstance(test_size, int | np.integer) else test_size
        if not 0 < share < 1:
            raise InputError(f"test_size must leave training rows and test rows, not {test_size}")
        ends = [n - share * n]
    else:
        ends = [n * part / (n_splits + 1) for part in range(1, n_splits + 1)]
    cuts = sorted({min(int(np.searchsorted(counts, end)), moments - 2) for end in ends})
    bounds = [*cuts, moments - 1]
    splits = tuple(
        (np.flatnonzero(times <= low), np.flatnonzero((times > low) & (times <= high)))
        for low, high in pairwise(bounds)
    )
    if len(splits) == 1:
        return Plan(splits, "the latest rows held out", HOLD_OUT, n, 1)
    return Plan(splits, f"{len(splits)} splits forward in time", SPLITS, n, 1)


def _checked_times(time: Any, n: int) -> Rows:
    """Return the time of each row as its rank among all times."""
    values = np.asarray(time)
    if values.ndim != 1 or len(values) != n:
        raise InputError(f"time has the shape {values.shape} for {rows_of(n)}; give one time per row")
    missing = sum(map(is_missing, values.tolist()))
    if missing:
        raise InputError(f"time is missing in {rows_of(missing)}; give every row a time")
    return np.unique(values.astype(str) if values.dtype == object else values, return_inverse=True)[1]


def check_is_learner(learner: Any) -> None:
    """Raise an error if an object is not a learner."""
    if isinstance(learner, type) or not hasattr(learner, "__sklearn_tags__"):
        raise TypeError(
            f"learner must be a scikit-learn classifier or regressor such as C45(), not {learner!r}"
        )


def check_learner(learner: Any) -> None:
    """Raise an error if an object is neither a classifier nor a regressor."""
    check_is_learner(learner)
    name = type(learner).__name__
    if not is_classifier(learner) and not is_regressor(learner):
        raise TypeError(f"only classifiers and regressors can be evaluated, and {name} is neither")


def numbers(X: Any, y: Any, several: bool = False) -> NDArray[np.float64]:
    """Validate and return the numeric targets as an array with one or several numbers per row."""
    actual = numeric_target(y, several)
    _check_rows(X, actual)
    return actual


def target(X: Any, y: Any) -> NDArray[Any]:
    """Validate and return the classes as an array with one class per row."""
    # a list of strings and NaN would become an array of strings, one of them "nan"
    actual = np.asarray(y, dtype=object if isinstance(y, list | tuple) else None)
    if actual.ndim != 1:
        raise InputError(f"y must be one column of classes, but its shape is {actual.shape}")
    _check_rows(X, actual)
    if actual.dtype.kind not in _COMPLETE:
        values = actual.tolist()
        distinct = set(values)
        if any(map(is_missing, distinct)):
            missing = sum(map(is_missing, values))
            raise InputError(f"y is missing in {rows_of(missing)}; leave those rows out")
        if len({isinstance(value, str) for value in distinct}) > 1:
            raise InputError("y mixes strings with other values; convert them all to strings")
    return np.asarray(y)


def rows_of(count: int) -> str:
    """Return the number of rows as text.

    Examples
    --------
    >>> rows_of(1), rows_of(2)
    ('1 row', '2 rows')
    """
    return f"{count} row{'' if count == 1 else 's'}"


def _whole(cv: Any) -> bool:
    return isinstance(cv, int | np.integer)


def _named(method: str, groups: Any) -> str:
    return method if groups is None else f"{method} by groups"


def _check_rows(X: Any, actual: NDArray[Any]) -> None:
    rows = _num_samples(X)
    if rows != len(actual):
        raise InputError(f"X has {rows_of(rows)} and y has {len(actual)}; give one class or number per row")
    if not rows:
        raise InputError("X has no rows; give at least one")


def _checked_groups(groups: Any, n: int) -> NDArray[Any]:
    values = np.asarray(groups)
    if values.ndim != 1 or len(values) != n:
        found = len(values) if values.ndim == 1 else f"the shape {values.shape}"
        raise InputError(f"groups has {found} for {rows_of(n)}; give one group per row")
    missing = sum(map(is_missing, values.tolist()))
    if missing:
        raise InputError(f"groups is missing in {rows_of(missing)}; give every row a group")
    return np.unique(values.astype(str) if values.dtype == object else values, return_inverse=True)[1]


def _hold_outs(
    actual: NDArray[Any],
    groups: NDArray[Any] | None,
    test_size: float,
    stratify: bool,
    random_state: RandomState,
    repeats: int,
) -> tuple[Split, ...]:
    whole = isinstance(test_size, int | np.integer)
    if not whole and not 0 < test_size < 1:
        raise InputError(f"test_size must be a fraction between 0 and 1 or a number of rows, not {test_size}")
    n = actual.size if groups is None else int(groups.max()) + 1
    held = int(test_size) if whole else math.ceil(test_size * n)
    if not 1 <= held < n:
        of = rows_of(n) if groups is None else f"{n} groups"
        raise InputError(
            f"test_size {test_size} of {of} leaves no training rows or no test rows; give another size"
        )
    random = generator(random_state)
    if groups is not None:
        seed = int(random.integers(2**31))
        splitter = GroupShuffleSplit(repeats, test_size=held, random_state=seed)
        return tuple(splitter.split(actual, groups=groups))
    if stratify and not can_stratify_hold_out(actual, held):
        note("some class has too few rows to stratify the hold-out, so it is drawn at random")
    first = hold_out(actual, held, random_state, stratify)
    return (first, *(hold_out(actual, held, random, stratify) for _ in range(repeats - 1)))


def _folds(
    actual: NDArray[Any],
    groups: NDArray[Any] | None,
    k: int,
    stratify: bool,
    random_state: RandomState,
    repeats: int,
) -> tuple[Split, ...]:
    if not 2 <= k <= actual.size:
        raise InputError(f"cv is {k}; give a number of folds from 2 to the number of rows, {actual.size}")
    if groups is not None and groups.max() + 1 < k:
        raise InputError(
            f"groups has {groups.max() + 1} different groups, too few for {k} folds; give fewer folds"
        )
    rarest = int(np.unique(actual, return_counts=True)[1].min()) if stratify else k
    if rarest < k and not can_stratify_folds(actual, k):
        note(f"a class has only {rows_of(rarest)}, too few for {k} folds, so the folds are not stratified")
    elif rarest < k and groups is None:
        note(f"a class has only {rows_of(rarest)}, so some of the {k} folds have no test row of it")
    splitter = folds(actual, k, random_state, stratify)
    # one random state for all repeats, as in scikit-learn's repeated splitters: each repeat draws anew
    state = check_random_state(splitter.random_state)
    kind: Any = type(splitter)
    if groups is not None:
        kind = StratifiedGroupKFold if stratify and can_stratify_folds(actual, k) else GroupKFold
    splitter = kind(k, shuffle=True, random_state=state)
    blank = np.zeros((actual.size, 1))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class", category=UserWarning)
        return tuple(split for _ in range(repeats) for split in splitter.split(blank, actual, groups))


def _given_splits(X: Any, actual: NDArray[Any], groups: NDArray[Any] | None, cv: Any) -> Plan:
    """Return the plan of a splitter, or of an iterable of splits."""
    n = actual.size
    name = type(cv).__name__
    if isinstance(cv, str):
        if cv != "loo":
            raise TypeError(_kinds(cv))
        cv = LeaveOneOut()
    if hasattr(cv, "split"):
        try:
            splits = tuple(
                (np.asarray(train), np.asarray(test)) for train, test in cv.split(X, actual, groups)
            )
        except ValueError as problem:
            raise InputError(f"cv cannot split these rows: {problem}") from problem
    elif isinstance(cv, Iterable):
        name = "the given rows"
        splits = tuple(_rows_given(split, cv, k, n) for k, split in enumerate(cv, start=1))
    else:
        raise TypeError(_kinds(cv))
    if not splits:
        raise InputError("cv has no split; give at least one pair of training and test rows")
    grouped = groups is not None
    if len(splits) == 1:
        return Plan(splits, _named(HOLD_OUT, groups), HOLD_OUT, n, 1, grouped)
    times = np.bincount(np.concatenate([test for _, test in splits]), minlength=n)
    if times.min() == times.max() == 1:
        method = (
            "leave-one-out" if len(splits) == n else _named(f"{len(splits)}-fold cross-validation", groups)
        )
        return Plan(splits, method, FOLDS, n, 1, grouped)
    repeated = times.min() == times.max()
    method = f"{len(splits)} splits by {name}"
    return Plan(
        splits, method, REPEATED if repeated else SPLITS, n, int(times.max()) if repeated else 1, grouped
    )


def _rows_given(split: Any, cv: Any, k: int, n: int) -> tuple[Rows, Rows]:
    try:
        train, test = (np.asarray(part) for part in split)
    except (TypeError, ValueError):
        raise TypeError(_kinds(cv)) from None
    found = []
    for rows, role in ((train, "learn from"), (test, "test on")):
        if rows.dtype == bool and rows.shape == (n,):
            rows = np.flatnonzero(rows)
        if rows.ndim != 1 or not rows.size:
            raise InputError(f"split {k} of cv has no rows to {role}; give a list of row numbers")
        if rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= n:
            raise InputError(f"the rows to {role} in split {k} of cv must be row numbers from 0 to {n - 1}")
        found.append(rows.astype(np.intp))
    learned = np.zeros(n, dtype=bool)
    learned[found[0]] = True
    shared = int(learned[found[1]].sum())
    if shared:
        raise InputError(
            f"split {k} of cv tests {rows_of(shared)} that it also trains on; make the two disjoint"
        )
    return found[0], found[1]


def _kinds(cv: Any) -> str:
    return (
        f"cv is {cv!r}; give a number of folds, 'loo', a scikit-learn splitter, pairs of training and "
        "test rows, or None"
    )
