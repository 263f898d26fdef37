"""Learners and estimates work in a process that was forked after polars had started its threads."""

from __future__ import annotations

import datetime
import multiprocessing
import resource
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import induce
from tests.learners.tables import LEARNERS, has_target, learns_many_classes, speaks_for_others, table

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks by default")

FIRST = {
    learner.__module__.split(".")[1]: learner for learner in reversed(LEARNERS) if speaks_for_others(learner)
}


def in_fork(call: Callable[[], Any]) -> None:
    """Call a function in a forked process, after this one has used polars' threads; fail if it does not return."""
    pl.DataFrame({"a": ["x", "y", "x"], "b": [1.0, 2.0, None]}).sort("a").group_by("a").len()
    context = multiprocessing.get_context("fork")
    message = context.SimpleQueue()

    def run() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
        try:
            call()
        except BaseException:
            message.put(traceback.format_exc())
            raise
        message.put("")

    process = context.Process(target=run)
    process.start()
    process.join(120)
    hangs = process.is_alive()
    if hangs:
        process.kill()
    assert not hangs, "the forked process does not end"
    assert not process.exitcode, message.get()


def targets(y: pl.Series) -> Iterator[Any]:
    """Yield a target of classes as every kind of values and of columns."""
    names = y.to_list()
    codes = y.to_physical().to_numpy().astype(np.int64)
    yield from (y, y.cast(pl.String), y.cast(pl.String).cast(pl.Categorical), names)
    for kind in (np.int64, np.float64, np.bool_):
        yield from (
            codes.astype(kind),
            pl.Series("target", codes.astype(kind)),
            pd.Series(codes.astype(kind)),
        )
    yield from (
        np.array(names),
        np.array(names, object),
        pd.Series(names),
        pd.Series(names, dtype="category"),
    )


def frames(X: pl.DataFrame) -> Iterator[Any]:
    """Yield a table as every kind of table, with its categories declared or not."""
    plain = X.with_columns(pl.col(pl.Enum).cast(pl.String))
    yield from (X, plain, X.to_pandas(), plain.to_pandas(), X.to_pandas().to_numpy(dtype=object))
    numeric = [name for name, dtype in X.schema.items() if dtype.is_numeric()]
    if numeric:
        yield X.select(numeric).to_numpy().astype(np.float64)
    yield X.with_columns(pl.col(pl.Enum).cast(pl.String).cast(pl.Categorical))


def used(learner: Any, X: Any, y: Any) -> None:
    fitted = learner().fit(X) if y is None else learner().fit(X, y)
    for method in ("predict", "predict_proba", "score_samples"):
        if hasattr(fitted, method):
            getattr(fitted, method)(X)
    str(fitted.hypothesis_)


@pytest.mark.parametrize("learner", FIRST.values(), ids=lambda learner: learner.__name__)
def test_learning_in_a_fork(learner: Any, small: Any) -> None:
    X, y = table(learner, holes=0)
    tables = list(frames(X))
    in_fork(lambda: [used(learner, rows, y) for rows in tables])


@pytest.mark.parametrize("learner", [induce.C45, induce.NaiveBayes, induce.Bagging, induce.SVM])
def test_every_kind_of_target_in_a_fork(learner: Any, small: Any) -> None:
    assert learns_many_classes(learner)
    assert has_target(learner)
    X, y = table(learner)
    kinds = list(targets(y))
    in_fork(lambda: [used(learner, X, labels) for labels in kinds])


def test_estimates_in_a_fork() -> None:
    rng = np.random.default_rng(0)
    days = [datetime.date(2020, 1, 1) + datetime.timedelta(days=k) for k in rng.integers(0, 50, 60).tolist()]
    X = pl.DataFrame({"day": days, "colour": rng.choice(["red", "blue"], 60), "size": rng.normal(size=60)})
    twice = pl.concat([X, X])
    y = pl.Series("class", rng.choice(["yes", "no"], 120))
    given: list[Any] = [
        (twice, y),
        (twice.to_pandas(), y.to_pandas()),
        (twice.select("size").to_numpy(), y.to_numpy()),
    ]
    in_fork(lambda: [induce.evaluate(induce.C45(), *pair) for pair in given])
    in_fork(lambda: induce.compare({"tree": induce.C45(), "bayes": induce.NaiveBayes()}, X, y[:60]))


def test_texts_in_a_fork() -> None:
    texts = pl.DataFrame({"title": ["a red rose", None, "the blue sea"] * 10, "body": ["so it goes"] * 30})
    y = ["rose", "sea", "sea"] * 10
    expected = induce.NaiveBayes().fit(texts, y).predict(texts).tolist()

    def call() -> None:
        assert induce.NaiveBayes().fit(texts, y).predict(texts).tolist() == expected

    in_fork(call)


def test_relations_in_a_fork() -> None:
    people = pl.DataFrame(
        {"name": ["ann", "bob", "eve"], "age": [30, 5, 31], "born": [datetime.date(2020, 1, 1)] * 3}
    )
    parents = pl.DataFrame({"elder": ["ann", "eve", "bob"], "child": ["bob", "bob", "ann"]})
    examples = pl.DataFrame({"who": ["ann", "bob", "eve"]})

    def call() -> None:
        background = induce.Relations(
            {"person": people, "parent": parents},
            keys={"person": "name"},
            references={"parent": {"elder": "person", "child": "person"}},
        )
        for learner in (induce.FOIL(background), induce.RelationalLearner(background)):
            learner.fit(examples, [True, False, True]).predict(examples)

    in_fork(call)
