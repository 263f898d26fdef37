"""Required properties of every learner from tables; each check is a function that fails with a sentence."""

from __future__ import annotations

import inspect
import re
import tempfile
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.base import is_classifier
from sklearn.utils.validation import has_fit_parameter

from induce.core.hypothesis import Hypothesis
from induce.core.persistence import load, save
from induce.core.registry import VALUES
from induce.core.trace import trace
from induce.evaluation.learner_checks.examples import WORDS, Make, alike, answers, example_table, later_rows
from induce.evaluation.learner_checks.exports import in_python, in_sqlite


def ensure(holds: bool, sentence: str) -> None:
    """Raise an error with a sentence unless a condition holds."""
    if not holds:
        raise AssertionError(sentence)


def check_hypothesis(make: Make) -> None:
    X, y = example_table(make)
    found = make().fit(X, y).hypothesis_
    ensure(isinstance(found, Hypothesis), "fit sets hypothesis_ to something that is not a Hypothesis")
    ensure(bool(str(found).strip()), "the hypothesis prints as empty text")
    ensure(bool(str(found.parts())), "the hypothesis does not implement parts()")
    ensure("text" in found.forms(), "the hypothesis does not implement forms()")


def check_same_seed(make: Make, table: tuple[pl.DataFrame, Any] | None = None) -> None:
    X, y = table or example_table(make)
    seed = {"random_state": 7} if "random_state" in make().get_params() else {}
    before = _global_state()
    first, second = (make().set_params(**seed).fit(X, y) for _ in range(2))
    ensure(first.hypothesis_ == second.hypothesis_, "the same seed gives two different hypotheses")
    again = first.fit(X, y).hypothesis_
    ensure(again == second.hypothesis_, "a second fit of the same learner gives a different hypothesis")
    ensure(_global_state() == before, "the learner uses numpy's global random generator; use random_state")


def _global_state() -> tuple[Any, ...]:
    """Return the state of numpy's global generator: its key, and its position, which every draw changes."""
    state: Any = np.random.get_state()
    return (state[1].tolist(), *state[2:])


def check_order_of_rows(make: Make) -> None:
    for seed in (0, 1):
        X, y = example_table(make, seed, missing=0)
        order = np.random.default_rng(seed).permutation(len(X))
        turned = make().fit(X[order], None if y is None else y[order])
        ensure(
            alike(make().fit(X, y).hypothesis_, turned.hypothesis_, X),
            "the row order changes the hypothesis; if that is intended, mark this check as expected to fail",
        )


def check_weights(make: Make) -> None:
    if not has_fit_parameter(make(), "sample_weight"):
        return
    X, y = example_table(make)
    plain = make().fit(X, y).hypothesis_
    ones = make().fit(X, y, sample_weight=np.ones(len(X))).hypothesis_
    ensure(alike(plain, ones, X), "weights of 1 change the hypothesis")
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    rows = np.repeat(np.arange(len(X)), weights)
    weighted = make().fit(X, y, sample_weight=weights).hypothesis_
    repeated = make().fit(X[rows], None if y is None else y[rows]).hypothesis_
    ensure(alike(weighted, repeated, X), "a weight of 2 differs from repeating the row")


def check_trace_changes_nothing(make: Make, table: tuple[pl.DataFrame, Any] | None = None) -> None:
    X, y = table or example_table(make)
    expected = make().fit(X, y).hypothesis_
    with trace():
        traced = make().fit(X, y).hypothesis_
    ensure(alike(traced, expected, X), "a trace changes the learned hypothesis")


def check_frames(make: Make) -> None:
    X, y = example_table(make)
    expected = make().fit(X, y)
    given: dict[str, Any] = {"a lazy frame": X.lazy()}
    if find_spec("pandas"):  # packages that are not installed cannot be tested
        given["pandas"] = _as_pandas(X)
    for name, frame in given.items():
        found = make().fit(frame, y).hypothesis_
        ensure(found == expected.hypothesis_, f"{name} gives a different hypothesis than polars")


def _as_pandas(X: pl.DataFrame) -> Any:
    pandas = import_module("pandas")

    def column(cells: pl.Series) -> Any:
        if cells.dtype == pl.Enum:
            return pandas.Categorical(cells.to_list(), categories=list(WORDS))
        types = {pl.Boolean: "boolean", pl.Int64: "Int64"}
        return pandas.array(cells.to_list(), dtype=types.get(type(cells.dtype), "Float64"))

    return pandas.DataFrame({cells.name: column(cells) for cells in X})


def check_later_rows(make: Make) -> None:
    X, y = example_table(make)
    fitted = make().fit(X, y)
    rows = later_rows(X)
    found = answers(fitted, rows)
    ensure(len(found) == len(rows), "predict does not return one value per row")
    if is_classifier(fitted):
        unknown = set(np.asarray(found).tolist()) - set(np.asarray(fitted.classes_).tolist())
        ensure(not unknown, f"predict returns {unknown}, which is not in classes_")
    ensure(
        answers(fitted.hypothesis_, rows).tolist() == np.asarray(found).tolist(),
        "the learner and its hypothesis predict differently",
    )


def check_explanations(make: Make) -> None:
    X, y = example_table(make)
    fitted = make().fit(X, y)
    if not hasattr(fitted, "predict") or not hasattr(fitted, "explain"):
        return
    rows = later_rows(X)[::3]
    told = fitted.explain(rows)
    ensure(all(map(str, told)), "an explanation prints as empty text")
    said = [getattr(each, "prediction", None) for each in told]
    ensure(said == fitted.predict(rows).tolist(), "explanations differ from the predictions")


def check_exports(make: Make) -> None:
    X, y = example_table(make)
    fitted = make().fit(X, y)
    hypothesis, rows = fitted.hypothesis_, later_rows(X)
    expected = answers(hypothesis, rows).tolist()
    for form, run in (("python", in_python), ("sql", in_sqlite)):
        if form not in hypothesis.forms() or not hasattr(hypothesis, "predict"):
            continue
        found = run(hypothesis, rows)
        if is_classifier(fitted):
            # SQL represents an undefined result as NULL
            same = all(a == b or (form == "sql" and a is None) for a, b in zip(found, expected, strict=True))
        else:
            same = bool(np.allclose(found, expected, rtol=1e-9))
        ensure(same, f"the export as {form} predicts differently")


def check_files(make: Make) -> None:
    X, y = example_table(make)
    hypothesis = make().fit(X, y).hypothesis_
    if type(hypothesis).__name__ not in VALUES:
        return  # user-defined hypotheses have no model file until they are registered
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.induce"
        save(hypothesis, file)
        ensure(load(file) == hypothesis, "the hypothesis loaded from a model file differs from the saved one")


def check_parameters(make: Make) -> None:
    learner = make()
    declared: dict[str, Any] = getattr(type(learner), "declared_parameters", dict)()
    missing = [name for name in learner.get_params(deep=False) if name not in declared]
    ensure(not missing, f"parameters without a declaration: {', '.join(missing)}")


UNSEEN = ("not seen in training", "unseen", "never seen", "undeclared categor", "the first rows")


def check_documentation(make: Make) -> None:
    learner = make()
    text = " ".join((inspect.getdoc(type(learner)) or "").lower().split())  # in one line, to search phrases
    ensure(bool(text), "the learner has no docstring")
    ensure("missing" in text, "the docstring does not describe missing values")
    ensure(
        any(word in text for word in UNSEEN),
        "the docstring does not describe categories not seen in training",
    )
    described = "\n".join(inspect.getdoc(each) or "" for each in type(learner).__mro__)
    heads = re.findall(r"^(\w+(?:, \w+)*) :", described, re.MULTILINE)
    known = {name for head in heads for name in head.split(", ")}
    silent = [name for name in learner.get_params(deep=False) if name not in known]
    ensure(not silent, f"the docstring does not describe {', '.join(silent)} under Parameters")


CHECKS: dict[str, Callable[[Make], None]] = {
    name: value for name, value in list(vars().items()) if name.startswith("check_")
}
"""Checks in execution order."""
