"""Accuracy on many real tables: networks and linear models beside scikit-learn's, all with their defaults."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import induce
from benchmarks.comparison import holm, verdict
from benchmarks.measure import Listing
from benchmarks.tables import FOLDS, Problem, describe, read_problems
from induce.statistics import corrected_t, wilcoxon

MOST_ROWS = 5_000
NUMBERS = {
    "autos": "price",
    "balance.scale": "left-weight",
    "breast-cancer-wisconsin": "clump-thickness",
    "colic": "packed_cell_volume",
    "credit.a": "A2",
    "dermatology": "Age",
    "diabetes": "plas",
    "heart.c": "thalach",
    "hypothyroid": "FTI",
    "labor": "wage-increase-first-year",
    "segment": "hue-mean",
    "sick": "TT4",
    "vowel": "Feature 2",
}
"""Tables with the numeric column that is predicted from all others."""


@dataclass(frozen=True, eq=False)
class Side:
    """What one learner did on one table: its loss on each row when it was held out."""

    loss: Any

    def by_fold(self, fold: Any) -> Any:
        """The mean loss of each fold."""
        return np.array([self.loss[fold == k].mean() for k in range(FOLDS)])


def gradient_tables(folder: Path, only: Sequence[str] = ()) -> Iterator[Listing]:
    """Four comparisons on the same folds: two kinds of learner, which predict classes and numbers."""
    problems = [each for each in read_problems(folder) if len(each.data) < MOST_ROWS]
    if only:
        problems = [each for each in problems if each.name in only]
    for kind, (ours, theirs) in _classifiers().items():
        sides = [_each(kind, problem, ours, theirs, _wrong) for problem in problems]
        yield _of_classes(ours.__name__, kind, problems, sides)
    numbers = [each for each in map(_numeric, problems) if each is not None]
    for kind, (ours, theirs) in _regressors().items():
        sides = [_each(kind, problem, ours, theirs, _squared) for problem in numbers]
        yield _of_numbers(ours.__name__, kind, numbers, sides)


def _classifiers() -> dict[str, tuple[Any, Callable[[], Any]]]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier

    return {
        "MLPClassifier": (induce.NeuralNetworkClassifier, lambda: MLPClassifier(random_state=0)),
        "LogisticRegression": (induce.LogisticRegression, LogisticRegression),
    }


def _regressors() -> dict[str, tuple[Any, Callable[[], Any]]]:
    from sklearn.linear_model import LinearRegression
    from sklearn.neural_network import MLPRegressor

    return {
        "MLPRegressor": (induce.NeuralNetworkRegressor, lambda: MLPRegressor(random_state=0)),
        "LinearRegression": (induce.LinearRegression, LinearRegression),
    }


def _wrong(said: Any, known: Any) -> Any:
    return (np.asarray(said).astype(str) != np.asarray(known).astype(str)).astype(float)


def _squared(said: Any, known: Any) -> Any:
    return np.square(np.asarray(said, float) - np.asarray(known, float))


def _numeric(problem: Problem) -> Problem | None:
    """The same rows with another target: the numeric column named above, where it is known."""
    target = NUMBERS.get(problem.name)
    if target is None:
        return None
    data = problem.data
    frame = data.frame.select(*data.X.columns, data.target)  # without the columns that only name a row
    known = frame[target].is_not_null()
    numbers = induce.read(frame.filter(known), target=target)
    return Problem(f"{target} of {problem.name}", numbers, problem.fold[known.to_numpy()])


def _each(
    kind: str, problem: Problem, ours: Any, theirs: Callable[[], Any], loss: Callable[[Any, Any], Any]
) -> tuple[Side, Side]:
    print(f"  {kind}: {problem.name}", file=sys.stderr, flush=True)
    return validated(problem, ours, loss), validated(problem, lambda: prepared(problem, theirs()), loss)


def validated(problem: Problem, learner: Callable[[], Any], loss: Callable[[Any, Any], Any]) -> Side:
    """Fit on all folds but one and predict that one, for each."""
    X, y = problem.data
    found = np.zeros(len(y))
    for k in range(FOLDS):
        train, test = problem.fold != k, problem.fold == k
        with warnings.catch_warnings(action="ignore"):
            fitted = learner().fit(X.filter(train), y.filter(train))
            found[test] = loss(fitted.predict(X.filter(test)), y.filter(test))
    return Side(found)


def prepared(problem: Problem, learner: Any) -> Any:
    """A learner of scikit-learn's behind imputing, one-hot encoding and scaling."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    X = problem.data.X
    numeric = [name for name in X.columns if X[name].dtype.is_numeric()]
    nominal = [name for name in X.columns if name not in numeric]
    indicators = make_pipeline(
        SimpleImputer(strategy="constant", fill_value="missing"),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    columns = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), numeric),
            ("names", indicators, nominal),
        ]
    )
    return _FromPolars(make_pipeline(columns, learner))


class _FromPolars:
    """A pipeline that is given polars frames as pandas frames of plain texts and numbers."""

    def __init__(self, pipeline: Any) -> None:
        self.pipeline = pipeline

    def fit(self, X: pl.DataFrame, y: pl.Series) -> _FromPolars:
        """Fit the pipeline."""
        self.pipeline.fit(_frame(X), y.cast(str) if not y.dtype.is_numeric() else y.to_numpy())
        return self

    def predict(self, X: pl.DataFrame) -> Any:
        """Predict by the pipeline."""
        return self.pipeline.predict(_frame(X))


def _frame(X: pl.DataFrame) -> Any:
    import pandas as pd

    columns: dict[str, Any] = {}
    for name in X.columns:
        column = X[name]
        if column.dtype.is_numeric():
            columns[name] = column.cast(pl.Float64).to_numpy()
        else:
            columns[name] = np.array([np.nan if v is None else v for v in column.cast(str).to_list()], object)
    return pd.DataFrame(columns)


def _of_classes(
    name: str, peer: str, problems: Sequence[Problem], sides: Sequence[tuple[Side, Side]]
) -> Listing:
    from scipy.stats import binomtest

    alone = [
        (int((theirs.loss > ours.loss).sum()), int((ours.loss > theirs.loss).sum())) for ours, theirs in sides
    ]
    p_values = holm(
        [float(binomtest(mine, mine + other).pvalue) if mine + other else 1.0 for mine, other in alone]
    )
    lines, points = [], []
    for problem, (ours, theirs), (mine, other), p in zip(problems, sides, alone, p_values, strict=True):
        difference = 100 * float(theirs.loss.mean() - ours.loss.mean())
        points.append(difference)
        lines.append(
            (
                *describe(problem),
                f"{ours.loss.mean():.2%}",
                f"{theirs.loss.mean():.2%}",
                f"{difference:+.2f}",
                f"{mine} : {other}",
                f"{p:.3f}",
                verdict(difference, p),
            )
        )
    return Listing(
        f"{name} and scikit-learn's {peer} on real tables",
        f"{FOLDS}-fold stratified cross-validation on the same folds of all tables with fewer than {MOST_ROWS:,} "
        f"rows. `{name}()` gets the raw tables; `{peer}()` is preceded by imputation (the mean; a category of its "
        "own), one-hot encoding and scaling. Both have their defaults. Error is over all rows. p is the two-sided "
        "p-value of McNemar's exact test with Holm's correction for the number of tables; worse and better mean a "
        "significant difference at the 5 % level.",
        (
            "table",
            "rows",
            "columns",
            "classes",
            "missing",
            name,
            f"scikit-learn's {peer}",
            "points better",
            "right alone",
            "p",
            f"{name} is",
        ),
        tuple(lines),
        _over_tables(name, points, "points"),
    )


def _of_numbers(
    name: str, peer: str, problems: Sequence[Problem], sides: Sequence[tuple[Side, Side]]
) -> Listing:
    share = 1 / (FOLDS - 1)
    folds = [
        (ours.by_fold(p.fold), theirs.by_fold(p.fold))
        for p, (ours, theirs) in zip(problems, sides, strict=True)
    ]
    p_values = holm([corrected_t(ours - theirs, share).p_value for ours, theirs in folds])
    lines, points = [], []
    for problem, (ours, theirs), p in zip(problems, sides, p_values, strict=True):
        y = problem.data.y.to_numpy().astype(float)
        mine, other = (1 - side.loss.sum() / np.square(y - y.mean()).sum() for side in (ours, theirs))
        points.append(mine - other)
        X = problem.data.X
        lines.append(
            (
                problem.name,
                f"{X.height:,}",
                str(X.width),
                f"{mine:.3f}",
                f"{other:.3f}",
                f"{mine - other:+.3f}",
                f"{p:.3f}",
                verdict(mine - other, p),
            )
        )
    return Listing(
        f"{name} and scikit-learn's {peer} on real tables",
        "The folds of the tables above, with a numeric column as the target; the peer is prepared in the same way. "
        "R² is over all rows. p is the p-value of the corrected resampled t test on the squared errors of the folds, "
        "with Holm's correction for the number of tables.",
        ("target", "rows", "columns", name, f"scikit-learn's {peer}", "R² better", "p", f"{name} is"),
        tuple(lines),
        _over_tables(name, points, "of R²"),
    )


def _over_tables(name: str, points: Sequence[float], unit: str) -> str:
    differences = np.round(points, 9)
    return (
        f"Over {len(differences)} tables {name} is better on {(differences > 0).sum()}, equal on "
        f"{(differences == 0).sum()} and worse on {(differences < 0).sum()}; the median difference is "
        f"{np.median(differences):+.2f} {unit}. Wilcoxon's signed-rank test: p = {wilcoxon(differences).p_value:.3f}."
    )
