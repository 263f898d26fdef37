"""Test rows under lock, and the division that makes them."""

import json
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.linear_model import LinearRegression

import induce
from induce import InputError, Note
from induce.evaluation.choosing.locked import LockedTest, fingerprint, three_way_split
from induce.evaluation.losses.table import LossTable


@pytest.fixture(scope="module")
def wine():
    return induce.dataset("wine")


@pytest.fixture(scope="module")
def tree(wine):
    X, y = wine
    return induce.C45().fit(X[::2], y[::2])


def test_the_first_look_is_free_and_the_second_is_noted(wine, tree):
    X, y = wine
    test = LockedTest(X[1::2], y[1::2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = test.evaluate(tree, by="Ann")
    assert first == induce.evaluate(tree, X[1::2], y[1::2], cv=None)
    with pytest.warns(Note, match="used once before, by Ann; selecting by their error makes it biased"):
        test.evaluate(tree)
    with pytest.warns(Note, match="used 2 times before, by Ann, C45"):
        test.evaluate(tree, by="Ann")
    assert [look.by for look in test.looks] == ["Ann", "C45", "Ann"]
    assert {look.what for look in test.looks} == {"tested C45"}
    assert repr(test) == "LockedTest(89 rows, used 3 times, by Ann (2 times), C45)"


def test_any_loss_can_be_measured(wine, tree):
    X, y = wine
    doubled = LossTable(tree.classes_, 2 * (1 - np.eye(3)))
    error = LockedTest(X[1::2], y[1::2]).evaluate(tree).value
    assert LockedTest(X[1::2], y[1::2]).evaluate(tree, score=doubled).value == pytest.approx(2 * error)


def test_strict_rows_are_seen_once(wine, tree):
    X, y = wine
    test = LockedTest(X[1::2], y[1::2], strict=True)
    rows, classes = test.open(by="Bob")
    assert (len(rows), len(classes)) == (89, 89)
    for look in (lambda: test.evaluate(tree), lambda: test.open(by="Ann")):
        with pytest.raises(InputError, match="used once before, by Bob; get new ones for an unbiased error"):
            look()
    assert len(test.looks) == 1


def test_a_log_survives(wine, tree, tmp_path):
    X, y = wine
    log = tmp_path / "looks.jsonl"
    LockedTest(X[1::2], y[1::2], log=log).evaluate(tree, by="Änn")
    again = LockedTest(X[1::2], y[1::2], log=log, strict=True)
    assert [look.by for look in again.looks] == ["Änn"]
    with pytest.raises(InputError, match="used once before, by Änn"):
        again.evaluate(tree)
    assert json.loads(log.read_text(encoding="utf-8"))["what"] == "tested C45"


def test_a_log_survives_into_another_process(wine, tree, tmp_path):
    X, y = wine
    log = tmp_path / "looks.jsonl"
    LockedTest(X[1::2], y[1::2], log=log).open(by="here")
    code = (
        "import induce; from induce.evaluation.choosing.locked import LockedTest; X, y = induce.dataset('wine'); "
        f"test = LockedTest(X[1::2], y[1::2], log={str(log)!r}); test.open(by='there'); print(test)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert "used 2 times, by here, there" in run.stdout
    assert "used once before, by here" in run.stderr
    assert len(LockedTest(X[1::2], y[1::2], log=log).looks) == 2


def test_others_with_the_same_log_are_seen(wine, tree, tmp_path):
    X, y = wine
    mine, yours = (LockedTest(X[1::2], y[1::2], log=tmp_path / "log") for _ in range(2))
    mine.evaluate(tree, by="me")
    with pytest.warns(Note, match="by me"):
        yours.evaluate(tree, by="you")
    assert [look.by for look in mine.looks] == ["me", "you"]


def test_a_learner_that_fails_has_not_looked(wine):
    X, y = wine
    test = LockedTest(X[1::2], y[1::2], strict=True)
    with pytest.raises(InputError, match="C45 is not fitted"):
        test.evaluate(induce.C45())
    assert test.looks == ()


def test_a_log_that_cannot_be_written_shows_nothing(wine, tree, tmp_path):
    X, y = wine
    test = LockedTest(X[1::2], y[1::2], log=tmp_path / "no such folder" / "log")
    with pytest.raises(InputError, match="cannot write the log"):
        test.evaluate(tree)
    assert test.looks == ()


def test_logs_of_other_rows_and_other_files_are_refused(wine, tmp_path):
    X, y = wine
    log = tmp_path / "log"
    LockedTest(X[1::2], y[1::2], log=log).open(by="Ann")
    with pytest.raises(InputError, match="is the log of other test rows"):
        LockedTest(X[::2], y[::2], log=log)
    log.write_text("hello\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 1 of .* is not from a log of uses"):
        LockedTest(X[::2], y[::2], log=log)
    log.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="it is not text"):
        LockedTest(X[::2], y[::2], log=log)
    with pytest.raises(InputError, match="cannot read the log"):
        LockedTest(X[::2], y[::2], log=tmp_path)


def test_rows_are_known_again_in_another_library():
    cells = {"a": [1.5, 2.0, None], "b": ["x", None, "y"], "c": [True, False, True]}
    y = ["p", "q", "p"]
    frames = [make(cells) for make in (pl.DataFrame, pd.DataFrame, pa.table)]
    assert len({fingerprint(frame, y) for frame in frames}) == 1
    assert fingerprint(frames[0], ["p", "q", "q"]) != fingerprint(frames[0], y)
    changed = pl.DataFrame(cells | {"b": ["x", None, "z"]})
    assert fingerprint(changed, y) != fingerprint(frames[0], y)


def test_regressors_are_tested_too():
    X, y = np.arange(20.0)[:, None], np.arange(20.0) * 2
    test = LockedTest(X[10:], y[10:])
    assert test.evaluate(LinearRegression().fit(X[:10], y[:10])).root_mean_squared_error == pytest.approx(
        0, abs=1e-9
    )


def test_three_ways(wine):
    X, y = wine
    parts = three_way_split(X, y, test_size=0.25, random_state=1)
    sizes = [len(parts.X_train), len(parts.X_validation), len(parts.test)]
    assert sum(sizes) == len(X)
    assert sizes[2] == 45
    assert sizes[1] == pytest.approx(
        sum(sizes[:2]) / 3, abs=1
    )  # two thirds to learn from, a third to choose by
    rows, classes = parts.test.open(by="the test of this")
    together = pl.concat([parts.X_train, parts.X_validation, rows])
    assert sorted(together.rows()) == sorted(X.rows())
    for part in (parts.y_train, parts.y_validation, classes):
        shares = part.value_counts(normalize=True).sort(part.name)["proportion"].to_numpy()
        assert shares == pytest.approx(
            y.value_counts(normalize=True).sort(y.name)["proportion"].to_numpy(), abs=0.03
        )
    again = three_way_split(X, y, test_size=0.25, random_state=1)
    assert again.X_train.equals(parts.X_train)


def test_groups_stay_together():
    groups = np.arange(60) // 3
    X = np.column_stack([np.arange(60.0), groups])
    parts = three_way_split(X, np.array(["a", "b"] * 30), groups=groups)
    rows, _ = parts.test.open(by="me")
    sets = [set(part[:, 1]) for part in (parts.X_train, parts.X_validation, rows)]
    assert not sets[0] & sets[1] | sets[0] & sets[2] | sets[1] & sets[2]
    assert set.union(*sets) == set(range(20))


def test_numbers_are_divided_at_random():
    X, y = np.arange(40.0)[:, None], np.linspace(0, 1, 40)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parts = three_way_split(X, y, test_size=10, validation_size=10)
    assert [len(parts.y_train), len(parts.y_validation), len(parts.test)] == [20, 10, 10]
    assert parts.X_train[:, 0] / 39 == pytest.approx(parts.y_train)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LockedTest([[0]], [0, 1]), "X has 1 row and y has 2"),
        (lambda: LockedTest(np.empty((0, 1)), []), "X has no rows"),
        (lambda: three_way_split([[0], [1]], ["a", "b"], test_size=2), "leaves no training rows"),
        (
            lambda: three_way_split([[0]] * 9, list("abc") * 3, test_size=1.5),
            "test_size must be a fraction between 0 and 1 or a number of rows, not",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
