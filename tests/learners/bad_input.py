"""Bad input to any learner: a sensible hypothesis, or one clear sentence and nothing half learned."""

from __future__ import annotations

import copy
import datetime as dt
import warnings
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags

import induce
from induce.core.values import is_missing
from induce.evaluation.learner_checks.examples import answers
from tests.learners.checks import of_algorithms, of_kinds, of_preambles, over
from tests.learners.tables import ENTRIES

NAN = float("nan")
FOX = ["the quick brown fox jumps over", "a lazy dog sleeps all day", "one two three four five"]


# to learners of relations a cell is a thing, whatever it looks like: a column has no kind, and may hold names
OF_THINGS = {name for name, entry in ENTRIES.items() if entry.gives in ("Theory", "DerivedTheory")}
ABOUT_KINDS = ("'v' has 10,001 different values, too many", "no column is left to learn from")
WITHOUT_CLASSES = {"SelfTraining"}  # it learns from rows whose class is not known as well
ABOUT_TARGETS = ("X has 2 rows, y has 3", "X has 2 rows, y has 1")


def frame(**columns: Any) -> pl.DataFrame:
    return pl.DataFrame(columns)


OF_TEXT = frame(t=FOX)
GOOD = frame(a=["x", "y"] * 5, b=[1.5, 2.0] * 5)


TALK = frame(t=[f"{FOX[row % 3]} again {row}" for row in range(10)])


def entry_of(learner: Any) -> Any:
    return ENTRIES[learner.__name__]


def some_target(learner: Any, n: int) -> list[Any] | None:
    if is_classifier(learner()):
        return ["p" if row % 2 == 0 else "q" for row in range(n)]
    return list(range(n)) if entry_of(learner).has_target else None


def good(learner: Any) -> pl.DataFrame:
    return TALK if entry_of(learner).needs_text else GOOD


@cache
def learned(learner: Any) -> Any:
    return learner().fit(good(learner), some_target(learner, len(GOOD)))


def partly_known(y: Any) -> bool:
    """Whether some rows have a class and others have none."""
    labels = list(y) if hasattr(y, "__len__") else []
    return 0 < sum(map(is_missing, labels)) < len(labels)


def methods(learner: Any) -> list[str]:
    """What can be asked about rows."""
    if not entry_of(learner).has_target:
        return ["score_samples"]
    return [name for name in ("predict", "predict_proba", "explain") if hasattr(learner, name)]


def refuses(learner: Any, sentence: str, X: Any, y: Any, **more: Any) -> None:
    """One sentence that matches, and the learner has forgotten what it had learned before."""
    estimator = copy.copy(learned(learner))
    with (
        warnings.catch_warnings(action="ignore", category=induce.Note),
        pytest.raises((ValueError, TypeError), match=sentence) as caught,
    ):
        estimator.fit(X, y, **more)
    assert "\n" not in str(caught.value)
    assert "Traceback" not in str(caught.value)
    with pytest.raises(NotFittedError):
        answers(estimator, good(learner))


def learns(learner: Any, X: Any, y: Any, rows: Any = None) -> Any:
    """A hypothesis without a warning other than our notes, whose predictions make sense."""
    with warnings.catch_warnings(action="error"):
        warnings.simplefilter("ignore", induce.Note)
        warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
        estimator = learner().fit(X, y)
        for given in (X, rows):
            if given is not None:
                predictions_make_sense(estimator, given, y)
    assert str(estimator.hypothesis_)
    return estimator


def predictions_make_sense(estimator: Any, X: Any, y: Any) -> None:
    predicted = answers(estimator, X).tolist()
    assert len(predicted) == len(X)
    if not entry_of(type(estimator)).has_target:
        assert not np.isnan(predicted).any()
        return
    assert len(estimator.explain(X)) == len(X)
    if is_classifier(estimator):
        assert set(predicted) <= set(estimator.classes_.tolist()) == set(y)
        shares = estimator.predict_proba(X)
        assert shares.shape == (len(X), len(estimator.classes_))
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    else:
        # what is learned from numbers lies among them, but for what linear functions say of other rows
        assert np.isfinite(predicted).all()


# --- tables --------------------------------------------------------------------------------------------------


NO_TABLES: list[tuple[Any, int, str]] = [
    (frame(a=[]), 0, "the table has no rows"),
    (frame(a=["x", "y"], p=[1.0, -np.inf]), 2, "column 'p' holds infinity"),
    (np.empty((0, 3)), 0, "the table has no rows"),
    (np.empty((3, 0)), 3, "the table has no columns"),
    (None, 2, "Expected 2D array, got 0D array"),
    ("table.csv", 2, "Expected 2D array, got 0D array"),
    (np.zeros(3), 3, "Expected 2D array, got 1D array"),
    (pl.Series([1, 2]), 2, "Expected 2D array, got 1D array"),
    (np.zeros((2, 2, 2)), 2, "Expected 2D array, got 3D array"),
    ([[1, 2], [3]], 2, "rows of different lengths"),
    ([[1.0], [np.inf]], 2, "column 'x0' holds infinity"),
    ([[10**400], [1]], 2, "column 'x0' holds an integer that is too large"),
    ([[1j], [2j]], 2, "Complex data not supported"),
    ([[{}], [{}]], 2, "column 'x0' holds a dict"),
    ([["\ud800"], ["x"]], 2, "column 'x0' contains an invalid character"),
    (frame(a=[[1], [2]]), 2, "column 'a' holds List"),
    (frame(a=[b"x", b"y"]), 2, "column 'a' holds Binary"),
    (frame(a=[dt.time(1), dt.time(2)]), 2, "column 'a' holds Time"),
    (sparse.csr_array(np.eye(2)), 2, r"sparse matrix was passed, call \.toarray\(\)"),
    (pd.DataFrame([[1, 2], [2, 1]], columns=["a", "a"]), 2, "two columns are called 'a'"),
    (pd.DataFrame([[1, 2], [2, 1]], columns=["1", 1]), 2, "two columns are called '1'|string names"),
    (pd.DataFrame([[1, 2], [2, 1]], columns=["a", 1]), 2, "string names"),
    (frame(v=[f"v{i}" for i in range(10_001)] * 2), 20_002, "'v' has 10,001 different values, too many"),
    (frame(id=["u", "v"]), 2, "no column is left to learn from"),
    (OF_TEXT, 3, "no column is left to learn from"),
    (frame(a=[1, 2]), 3, "X has 2 rows, y has 3"),
    (frame(a=[1, 2]), 1, "X has 2 rows, y has 1"),
]


def learns_from(learner: Any, X: Any, sentence: str) -> bool:
    """Whether a learner takes what others refuse with a sentence."""
    return (
        (learner.__name__ in OF_THINGS and sentence in ABOUT_KINDS)
        or (not entry_of(learner).has_target and sentence in ABOUT_TARGETS)
        or (getattr(learner, "takes_text", False) and X is OF_TEXT)
        or (get_tags(learner()).input_tags.sparse and sparse.issparse(X))
    )


@of_preambles(smoke=2)
@over(*NO_TABLES)
def check_tables_that_cannot_be_learned_from(of_columns, X, n_targets, sentence):
    if not learns_from(of_columns, X, sentence):
        refuses(of_columns, sentence, X, some_target(of_columns, n_targets))


@of_preambles(smoke=1)
@over(
    (frame(a=["x", None, "y", "y"]),),
    (frame(a=[True, None, False, False]),),
    (frame(a=["x", "x", "y", "y"], b=[1.0, NAN, 2.0, 3.0]),),
    (frame(a=["x", "x", "y", "y"], b=pl.Series([None] * 4, dtype=pl.Enum(["u", "v"]))),),
    (frame(a=["x", "x", "y", "y"], b=[None] * 4),),
)
def check_holes_where_a_learner_says_that_it_cannot(without_holes, X):
    refuses(
        without_holes,
        f"column '{X.columns[-1]}' holds (a|no)|column '{X.columns[-1]}' has",
        X,
        some_target(without_holes, 4),
    )


@of_algorithms(smoke=1)
@over(
    (frame(a=["x", None, "y", "y", "x"] * 4, b=[1.0, None, 2.0, 3.0, NAN] * 4, c=[True, None] * 10),),
    (frame(a=["x", "x", "y", "y", "z"] * 4, b=[None] * 20),),
    (frame(a=["x", "x", "y", "y", "z"] * 4, b=pl.Series([None] * 20, dtype=pl.Enum(["u", "v"]))),),
    (frame(a=pl.Series([None] * 20, dtype=pl.String)),),
    ([[NAN]] * 20,),
)
def check_holes_and_columns_that_are_nothing_else(from_holes, X):
    learns(from_holes, X, some_target(from_holes, 20), X[:3])


@of_algorithms(smoke=1)
@over(
    ([[1.0]] * 3, [[7.0]]),
    (frame(a=["x"] * 3), frame(a=["x", "z", None])),
    (frame(a=[True] * 3), frame(a=[False])),
    (pd.DataFrame([[1, 5], [2, 5], [3, 4]]), None),
    (frame(**{"größe 大": ["ä", "日本", "ä"], 'it\'s "x"': [1, 2, 3]}), None),
    (frame(a=[1, 2, 3], t=FOX), frame(a=[1], t=["one two"])),
    (frame(a=[dt.date(2020, 1, 1), dt.date(2020, 1, 3), dt.date(1950, 1, 1)]), None),
    (frame(a=[dt.timedelta(seconds=3), dt.timedelta(days=3), dt.timedelta()]), None),
    ([[-1e308], [1e308], [0.0]], [[1.7e308], [-1.7e308]]),
    ([[1e-320], [2e-320], [0.0]], [[1.0]]),
    (frame(a=[2**62, 2**62 + 1024, -(2**62)]), frame(a=[0])),
    (frame(a=["x", "y", "x"], b=[1.0, 2.0, 3.0]), frame(a=["never", "", "x"], b=[-1e300, 0.0, 2.0])),
    (np.array([[1, "x"], [None, 2.5], [True, "x"]], dtype=object)[:, 1:], None),
)
def check_odd_tables_that_can_be_learned_from(of_columns, X, rows):
    learns(of_columns, X, ["a", "b", "b"] if is_classifier(of_columns()) else [1.0, 2.0, 4.0], rows)


def check_rows_that_contradict_each_other(of_columns):
    y = ["p", "q", "q", "q"] if is_classifier(of_columns()) else [0.0, 1.0, 1.0, 1.0]
    learns(of_columns, frame(a=["x", "x", "y", "y"], b=[1.0, 1.0, 2.0, 2.0]), y)


def check_categories_and_holes_met_only_in_prediction(learner):
    rows = frame(a=["never", None, "x"], b=[1.0, None, NAN])
    if entry_of(learner).needs_text:
        rows = frame(t=["unheard of", None, ""])
    fitted = learned(learner)  # which may have notes about the table
    with warnings.catch_warnings(action="error"):
        predictions_make_sense(fitted, rows, some_target(learner, 2))


# --- targets -------------------------------------------------------------------------------------------------


NO_CLASSES: list[tuple[Any, str]] = [
    (["a", None], "y holds missing values"),
    (["a", NAN], "y holds missing values"),
    ([NAN, 1.0], "y holds missing values"),
    (np.array([NAN, 1.0]), "y contains NaN"),
    ([np.inf, 1.0], "y contains NaN or infinity"),
    (pd.Series([1, None], dtype="Int64"), "y holds missing values"),
    (pd.Series(["a", None], dtype="string"), "y holds missing values"),
    (pd.Series([True, None], dtype="boolean"), "y holds missing values"),
    (pd.Series(pd.Categorical(["a", None])), "y holds missing values"),
    (pl.Series(["a", None]), "y holds missing values"),
    (pl.Series([1, None]), "y contains NaN"),
    (pl.Series([None, None]), "y holds missing values|y contains NaN"),
    (pl.Series(["a", None], dtype=pl.Enum(["a"])), "y holds missing values"),
    ([0.5, 1.7], "Unknown label type: continuous"),
    ([dt.date(2020, 1, 1), dt.date(2020, 1, 2)], "Unknown label type: dates. y holds dates"),
    (["a", 1], "y holds both text and numbers"),
    (np.array(["a", 1], dtype=object), "y holds both text and numbers"),
    (None, "y to be passed"),
    ("ab", "1d array"),
    (3, "1d array"),
    ([[1, 2], [2, 1]], "1d array"),
    (["a"], "inconsistent numbers of samples"),
    ([b"a", b"b"], "bytes"),
]


@of_preambles(smoke=1)
@over(*NO_CLASSES)
def check_classes_that_are_none(classifier, y, sentence):
    if classifier.__name__ in WITHOUT_CLASSES and partly_known(y):
        return
    if y is None and entry_of(classifier).target_optional:  # it learns a density
        return
    refuses(classifier, sentence, [[0.0], [1.0]], y)


@of_preambles(smoke=1)
@over(
    ([1.0, None], "y contains NaN or infinity"),
    ([1.0, NAN], "y contains NaN or infinity"),
    ([1.0, -np.inf], "y contains NaN or infinity"),
    (pd.Series([1, None], dtype="Int64"), "y contains NaN or infinity"),
    (pl.Series([1, None]), "y contains NaN or infinity"),
    ([1e308, -1e308], "y holds numbers beyond"),
    (["a", "b"], "y holds 'a', which is not a number"),
    ([1.0, "b"], "y holds 'b', which is not a number"),
    ([b"a", b"b"], "y holds b'a', which is not a number"),
    (None, "y to be passed"),
    (3, "1d array"),
    ([[1, 2], [2, 1]], "y has 2 columns"),
    ([1.0], "inconsistent numbers of samples"),
)
def check_numbers_that_are_none(regressor, y, sentence):
    if regressor.several_outputs and sentence == "y has 2 columns":
        return
    refuses(regressor, sentence, [[0.0], [1.0]], y)


@of_algorithms(smoke=1)
@over(([[1.0]],), ([[1.0], [2.0], [2.0]],), (frame(a=["x", "y", "x"]),))
def check_a_single_class_is_all_that_is_predicted(classifier, X):
    """A learner of concepts must be told the other class; the others predict the only one."""
    y = ["only"] * len(X)
    try:
        estimator = learns(classifier, X, y)
    except induce.InputError:
        refuses(classifier, "one class, 'only'", X, y)
    else:
        assert set(estimator.predict(X)) == {"only"}


def check_one_row(regressor):
    assert learns(regressor, [[1.0]], [3.5]).predict([[1.0], [2.0]]).tolist() == [3.5, 3.5]


@of_preambles(smoke=1)
@over(
    (["naïve", "\U0001f600"],),
    ([True, False],),
    ([-3, 7],),
    ([2**62, 5],),
    ([1.0, 2.0],),
    (["1", "01"],),
    (["", "IF x THEN y"],),
)
def check_classes_of_any_kind(classifier, classes):
    y = classes * 5
    estimator = learns(classifier, GOOD, y)
    assert set(map(type, estimator.predict(GOOD).tolist())) == {type(classes[0])}


@of_kinds(smoke=0)
def check_more_classes_than_a_byte_counts(of_many_classes):
    learns(of_many_classes, np.arange(130.0)[:, None], [f"c{row:03d}" for row in range(130)])


@over((3,), (200,))
def check_more_classes_than_two(of_two_classes, n_classes):
    X, y = np.arange(400.0)[:, None], [f"c{row % n_classes}" for row in range(400)]
    refuses(of_two_classes, f"Only binary classification is supported.* {n_classes} classes", X, y)


# --- weights -------------------------------------------------------------------------------------------------


@of_preambles(smoke=1)
@over(
    *(
        (weights,)
        for weights in ([-1, 3], [NAN, 1], [np.inf, 1], [0, 0], [1], [1, 1, 1], [[1, 1]], ["a", "b"], "x")
    )
)
def check_weights_that_are_none(weighted, weights):
    y = some_target(weighted, 2)
    refuses(weighted, "sample_weight", [[0.0], [1.0]], y, sample_weight=weights)


# --- predict -------------------------------------------------------------------------------------------------


def check_nothing_learned_yet(learner):
    for method in methods(learner):
        with pytest.raises(NotFittedError):
            getattr(learner(), method)(good(learner))


def check_nothing_to_draw_from_yet(density):
    with pytest.raises(NotFittedError):
        density().sample()


def check_rows_that_do_not_fit(of_columns):
    X = [[0.0, 1.0], [1.5, 1.0]] * 5
    estimator = of_columns().fit(X, some_target(of_columns, 10))
    for rows, sentence in [
        (np.zeros((1, 3)), "X has 3 features, but .* is expecting 2 features"),
        ([[1.0]], "1 columns, but 2 were learned from: x0, x1"),
        ([1.0, 2.0], "Expected 2D array"),
        (None, "Expected 2D array"),
        ([["x", 1.0]], "column 'x0' is numeric but holds 'x'"),
        ([[np.inf, 1.0]], "column 'x0' holds infinity"),
        ([[{}, 1.0]], "column 'x0' holds a dict"),
        ([[1j, 1.0]], "Complex data not supported"),
    ]:
        for method in methods(of_columns):
            if not (of_columns.__name__ in OF_THINGS and "is numeric" in sentence):
                with pytest.raises((ValueError, TypeError), match=sentence) as caught:
                    getattr(estimator, method)(rows)
                assert "\n" not in str(caught.value)


def check_columns_absent_extra_and_of_another_kind(of_columns):
    estimator = learned(of_columns)
    for rows, sentence in [
        (GOOD.drop("a"), "(?s)now missing.*- a"),
        (GOOD.with_columns(c=pl.lit(1)), "(?s)unseen at fit time.*- c"),
        (GOOD.select("b", "a"), "in the same order"),
        (GOOD.with_columns(b=pl.lit("q")), "column 'b' is numeric but holds 'q'"),
    ]:
        if of_columns.__name__ in OF_THINGS and "is numeric" in sentence:
            continue
        with pytest.raises(ValueError, match=sentence):
            answers(estimator, rows)
    if ENTRIES[of_columns.__name__].gives == "NetworkClassifier":  # a node without a column is not observed
        assert len(answers(estimator.hypothesis_, GOOD.drop("a"))) == len(GOOD)
        return
    with pytest.raises(induce.InputError, match="column 'a' is absent"):
        answers(estimator.hypothesis_, GOOD.drop("a"))


def check_no_rows_to_predict(learner):
    estimator = learned(learner)
    nothing = good(learner)[:0]
    assert answers(estimator, nothing).shape == (0,)
    if entry_of(learner).has_target:
        assert estimator.explain(nothing) == ()
    if is_classifier(estimator):
        assert estimator.predict_proba(nothing).shape == (0, 2)
