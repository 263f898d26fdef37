"""Whatever frame a table comes in, the hypothesis is the same; and scikit-learn's tools work with all of them."""

from __future__ import annotations

import datetime as dt
import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import induce
from induce.trees.hypothesis import Tree

LEARNERS = [induce.ID3(), induce.C45(), induce.CART(cv=3), induce.C45Rules()]
COLORS = ["red", "green", "blue"]


def table(n: int = 60) -> tuple[pl.DataFrame, pl.Series]:
    """A mixed table with missing values."""
    rng = np.random.default_rng(3)
    color = rng.integers(0, 3, n)
    size = rng.integers(0, 9, n)
    price = rng.normal(size=n).round(2)
    sold = rng.random(n) < 0.5
    y = np.where((color == 1) | (price > 0.4) & (size > 3), "buy", "leave")
    X = pl.DataFrame(
        {
            "color": pl.Series([COLORS[c] for c in color], dtype=pl.Enum(COLORS)),
            "size": size,
            "price": price,
            "sold": sold,
        }
    )
    holes = {name: rng.random(n) < 0.1 for name in X.columns}
    X = X.with_columns(
        pl.when(pl.Series(hole)).then(None).otherwise(pl.col(name)).alias(name)
        for name, hole in holes.items()
    )
    return X, pl.Series("action", y, dtype=pl.Enum(["buy", "leave"]))


def as_pandas(X: pl.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "color": pd.Categorical(X["color"].to_list(), categories=COLORS),
            "size": pd.array(X["size"].to_list(), dtype="Int64"),
            "price": X["price"].to_numpy(),
            "sold": pd.array(X["sold"].to_list(), dtype="boolean"),
        }
    )


def strings_sorted(X: pl.DataFrame) -> pl.DataFrame:
    """The same table with colors as an Enum in sorted order, as plain strings are understood."""
    return X.with_columns(pl.col("color").cast(pl.String).cast(pl.Enum(sorted(COLORS))))


def with_color(frame: pd.DataFrame, colors: Any) -> pd.DataFrame:
    frame["color"] = colors
    return frame


DECLARED = {
    "polars, lazy": lambda X: X.lazy(),
    "pandas, nullable": as_pandas,
    "pandas, plain floats": lambda X: as_pandas(X).assign(
        size=X["size"].cast(pl.Float64).to_numpy(), sold=np.array(X["sold"].to_list(), dtype=object)
    ),
    "pandas of pyarrow": lambda X: as_pandas(X).astype(
        {"price": "double[pyarrow]", "size": "int64[pyarrow]"}
    ),
    "pandas, other index": lambda X: as_pandas(X).set_index(np.arange(len(X)) * 7 + 3),
    "pyarrow of pandas": lambda X: pa.Table.from_pandas(as_pandas(X)),
}
PLAIN = {
    "polars, strings": lambda X: X.with_columns(pl.col("color").cast(pl.String)),
    "polars, categorical": lambda X: X.with_columns(pl.col("color").cast(pl.String).cast(pl.Categorical)),
    "pandas, object": lambda X: with_color(as_pandas(X), np.array(X["color"].to_list(), dtype=object)),
    "pandas, string": lambda X: with_color(as_pandas(X), pd.array(X["color"].to_list(), dtype="string")),
    "pandas, str": lambda X: with_color(as_pandas(X), pd.Series(X["color"].to_list(), dtype="str")),
    "pyarrow": lambda X: X.with_columns(pl.col("color").cast(pl.String)).to_arrow(),
}


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
@pytest.mark.parametrize("form", DECLARED)
def test_declared_domains_in_any_frame(form, learner):
    X, y = table()
    expected = learner.fit(X, y).hypothesis_
    assert len(str(expected).splitlines()) > 2
    given = DECLARED[form](X)
    assert learner.fit(given, y).hypothesis_ == expected
    assert (learner.predict(given) == expected.predict(X)).all()


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
@pytest.mark.parametrize("form", PLAIN)
def test_plain_strings_in_any_frame(form, learner):
    X, y = table()
    expected = learner.fit(strings_sorted(X), y).hypothesis_
    given = PLAIN[form](X)
    assert learner.fit(given, y).hypothesis_ == expected
    assert (learner.predict(given) == expected.predict(X)).all()


def renamed(tree: Tree) -> str:
    text = str(tree)
    for j, name in enumerate(["color", "size", "price", "sold"]):
        text = text.replace(f"x{j} ", f"{name} ")
    return text


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_object_arrays_are_the_same_up_to_names(learner):
    X, y = table()
    expected = learner.fit(strings_sorted(X), y).hypothesis_
    cells = np.array(X.rows(), dtype=object)
    for given in (cells, cells.tolist()):
        found = learner.fit(given, y.to_list()).hypothesis_
        assert renamed(found) == str(expected)
        assert (learner.predict(given) == expected.predict(X)).all()


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_numeric_arrays_of_any_layout(learner):
    X = np.random.default_rng(0).normal(size=(80, 4)).round(1)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    expected = learner.fit(X, y).hypothesis_
    strided = np.zeros((80, 8))
    strided[:, ::2] = X
    read_only = X.copy()
    read_only.flags.writeable = False
    for given in (
        np.asfortranarray(X),
        strided[:, ::2],
        read_only,
        X[::-1][::-1],
        X.astype(object),
        X.tolist(),
    ):
        assert learner.fit(given, y).hypothesis_ == expected
    whole = (X * 10).round().astype(np.int16)
    assert learner.fit(whole, y).hypothesis_ == learner.fit(whole.astype(np.float64), y).hypothesis_


@pytest.mark.parametrize(
    "form",
    [
        lambda y: y,
        lambda y: pd.Series(pd.Categorical(y.to_list(), categories=["buy", "leave"]), name="action"),
        lambda y: pd.Series(y.to_list(), name="action", dtype="string"),
        lambda y: pd.Series(y.to_list(), name="action", dtype="str"),
        lambda y: pd.Series(y.to_list(), name="action", dtype=object),
        lambda y: y.cast(pl.String),
    ],
)
def test_the_target_in_any_series(form):
    X, y = table()
    assert induce.C45().fit(X, form(y)).hypothesis_ == induce.C45().fit(X, y).hypothesis_


@pytest.mark.parametrize(
    "form", [lambda y: y.to_list(), lambda y: y.to_numpy(), lambda y: y.cast(pl.String).to_arrow(), tuple]
)
def test_a_target_without_a_name(form):
    X, y = table()
    found = induce.C45().fit(X, form(y)).hypothesis_
    assert found.target == "class"
    assert str(found) == str(induce.C45().fit(X, y).hypothesis_)


@pytest.mark.parametrize("dtype", ["Int64", "Int8", "int64[pyarrow]", "boolean"])
def test_nullable_targets_without_missing_values(dtype):
    X, y = table()
    given = pd.Series((y == "buy").to_list(), dtype="boolean").astype(dtype)
    learner = induce.C45().fit(X, given)
    assert (learner.predict(X).astype(bool) == np.array(given, dtype=bool)).mean() > 0.8
    assert type(learner.classes_.tolist()[0]) is (bool if dtype == "boolean" else int)


def test_a_target_frame_of_one_column_is_taken():
    X, y = table()
    with pytest.warns(UserWarning, match="column-vector"):
        induce.C45().fit(X, y.to_frame().to_pandas().to_numpy())


def test_dates_are_learned_as_days_with_a_note():
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=i) for i in range(20)]
    y = ["before"] * 10 + ["after"] * 10
    expected = None
    for given in (
        pl.DataFrame({"when": days}),
        pl.DataFrame({"when": days}).with_columns(pl.col("when").cast(pl.Datetime("ns"))),
        pd.DataFrame({"when": pd.to_datetime(days)}),
        pa.table({"when": days}),
    ):
        with pytest.warns(induce.Note, match="'when' holds dates"):
            tree = induce.ID3().fit(given, y).hypothesis_
        expected = expected or tree
        assert tree == expected
    assert tree.threshold[0] == (days[9] - dt.date(1970, 1, 1)).days + 0.5


def test_durations_are_seconds():
    X = pl.DataFrame({"took": [dt.timedelta(seconds=s) for s in (1, 2, 3, 4)]})
    assert induce.ID3().fit(X, list("aabb")).hypothesis_.threshold[0] == 2.5


@pytest.mark.parametrize("convert", [lambda X: X, as_pandas], ids=["polars", "pandas"])
def test_model_selection(convert):
    X, y = table(120)
    given = convert(X)
    scores = cross_val_score(induce.C45(), given, y.to_numpy(), cv=5)
    assert scores.mean() > 0.75
    search = GridSearchCV(induce.C45(), {"confidence_factor": [0.1, 0.5], "min_samples_leaf": [2, 20]}, cv=3)
    search.fit(given, y.to_numpy())
    assert search.best_score_ > 0.75
    assert search.predict(given).shape == (120,)
    assert isinstance(search.best_estimator_.hypothesis_, Tree)


def test_pipelines():
    X, y = induce.dataset("iris")
    scaled = make_pipeline(StandardScaler(), induce.C45()).fit(X.to_pandas(), y.to_list())
    assert scaled.score(X.to_pandas(), y.to_list()) > 0.95
    halves = make_pipeline(
        ColumnTransformer(
            [("half", FunctionTransformer(lambda F: F / 2), X.columns[:2])], remainder="passthrough"
        ),
        induce.CART(),
    ).set_output(transform="pandas")
    assert halves.fit(X.to_pandas(), y.to_list()).score(X.to_pandas(), y.to_list()) > 0.9


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
@pytest.mark.parametrize(
    "convert", [lambda X: X, as_pandas, lambda X: as_pandas(X).pipe(pa.Table.from_pandas)]
)
def test_columns_in_another_order_are_refused(convert, learner):
    X, y = table()
    learner.fit(convert(X), y)
    reordered = convert(X).select(X.columns[::-1]) if not isinstance(convert(X), pd.DataFrame) else None
    reordered = convert(X)[X.columns[::-1]] if reordered is None else reordered
    with pytest.raises(ValueError, match="in the same order"):
        learner.predict(reordered)
    with pytest.raises(ValueError, match="missing"):
        learner.predict(convert(X.drop("sold")) if convert(X) is X else X.drop("sold"))


def test_names_at_fit_and_none_at_predict_give_a_warning():
    X, y = induce.dataset("iris")
    learner = induce.ID3().fit(X, y)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        learner.predict(X.to_numpy())


def test_no_warning_in_ordinary_use():
    X, y = table()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for learner in LEARNERS:
            for given in (X, as_pandas(X), as_pandas(X).pipe(pa.Table.from_pandas)):
                learner.fit(given, y).predict(given)


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_sparse_matrices_are_refused(make):
    X = make(np.eye(4))
    for learner in LEARNERS:
        with pytest.raises(TypeError, match=r"sparse matrix was passed, call \.toarray\(\)"):
            learner.fit(X, [0, 1, 0, 1])
        learner.fit(np.eye(4), [0, 1, 0, 1])
        with pytest.raises(TypeError, match="sparse"):
            learner.predict(X)


def test_a_schema_says_what_a_column_is():
    X = pl.DataFrame({"code": [1, 2, 3, 1, 2, 3], "noise": [5, 3, 5, 3, 5, 3]})
    y = ["odd", "even", "odd", "odd", "even", "odd"]
    tree = induce.ID3(schema={"code": "nominal", "noise": "ignore"}).fit(X, y).hypothesis_
    assert str(tree) == "code = 1: odd (2/2)\ncode = 2: even (2/2)\ncode = 3: odd (2/2)"
    assert tree.predict(X).tolist() == y
    declared = induce.ID3(schema={"code": {"domain": ("3", "1", "2", "4")}}).fit(X, y).hypothesis_
    assert declared.schema["code"].domain == ("3", "1", "2", "4")
    assert declared.n_leaves == 4
    again = induce.ID3(schema=declared.schema).fit(X.to_pandas(), y).hypothesis_
    assert again == declared
