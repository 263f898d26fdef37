"""Regression trees as values: they print, explain, draw, export, save and check themselves."""

import re
import sqlite3
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.data.table import encode
from induce.hypotheses.conditions import covered_by_all
from induce.hypotheses.writers.sql_text import sql_identifier
from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor
from induce.trees.learners.model_tree import ModelTree
from induce.trees.regression.hypothesis import RegressionTree

ODD = ["select", "a b", 'qu"ote', "it's", "größe", "prediction", "{y}", "d\n", "- minus", "7up"]
NUMBERS = st.integers(-3, 3).map(float) | st.sampled_from([0.1, 0.1 + 0.2, 12345.678, 1e-5, 2.0**53])
LEARNERS = [
    lambda schema: DecisionTreeRegressor(schema=schema),
    lambda schema: DecisionTreeRegressor(schema=schema, nominal="multiway", smoothing=2.5),
    lambda schema: DecisionTreeRegressor(schema=schema, leaf="linear"),
    lambda schema: DecisionTreeRegressor(schema=schema, leaf="linear", nominal="multiway", smoothing=4.0),
]


def cells(column, unseen):
    if column.kind == "numeric":
        return st.none() | NUMBERS
    return st.none() | st.sampled_from((*column.domain, *unseen))


@st.composite
def cases(draw):
    """Draw a tree with its columns, and rows with holes and unseen values."""
    columns = [
        Column(name, "nominal", draw(st.sampled_from([("a", "b"), ("x", "it's", "?z"), ("only",)])))
        if draw(st.booleans())
        else Column(name)
        for name in draw(st.lists(st.sampled_from(ODD), min_size=1, max_size=4, unique_by=str.lower))
    ]
    rows = draw(st.lists(st.tuples(*[cells(column, ()) for column in columns]), min_size=2, max_size=16))
    y = [draw(st.integers(-9, 9) | st.floats(-2, 2)) for _ in rows]
    others = draw(st.lists(st.tuples(*[cells(column, ("new",)) for column in columns]), max_size=6))
    learner = draw(st.sampled_from(LEARNERS))(Schema(tuple(columns)))
    tree = learner.fit(frame(columns, rows), y).hypothesis_
    tree.check()
    return tree, columns, rows + others


def frame(columns, rows):
    return pl.DataFrame(
        [
            pl.Series(
                column.name, [row[j] for row in rows], pl.Float64 if column.kind == "numeric" else pl.String
            )
            for j, column in enumerate(columns)
        ]
    )


def in_sqlite(tree, names, rows):
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE data ({', '.join(map(sql_identifier, names))})")
    connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(names))})", rows)
    predicted = [row[-1] for row in connection.execute(tree.to_sql())]
    connection.close()
    return predicted


@settings(max_examples=25)
@given(cases())
def test_sql_and_python_say_the_same_to_the_last_digit(case):
    tree, columns, rows = case
    names = [column.name for column in columns]
    expected = tree.predict(frame(columns, rows)).tolist()
    assert in_sqlite(tree, names, rows) == expected
    space = {}
    exec(tree.to_python("decide"), space)
    dicts = [dict(zip(names, row, strict=True)) for row in rows]
    assert [space["decide"](row) for row in dicts] == expected
    known = [{name: cell for name, cell in row.items() if cell is not None} for row in dicts]
    assert [space["decide"](row) for row in known] == expected


@given(cases())
def test_predictions_are_those_of_the_paths(case):
    tree, columns, rows = case
    table = encode(frame(columns, rows), tree.schema)
    predicted = tree.predict(table)
    known = ~np.isnan(table.numeric).any(axis=1) & (table.nominal >= 0).all(axis=1)
    reached = np.zeros(len(rows), int)
    for leaf, path in tree.paths():
        covered = covered_by_all(path, table)
        reached += covered
        said = tree.says(np.full(len(rows), leaf), table.numeric)
        assert said[covered & known].tolist() == predicted[covered & known].tolist()
    assert (reached[known] == 1).all()


@given(cases())
def test_explanations_end_where_predictions_come_from(case):
    tree, columns, rows = case
    X = frame(columns, rows)
    for explanation, predicted, node in zip(tree.explain(X), tree.predict(X), tree.reached(X), strict=True):
        assert explanation.prediction == predicted
        assert explanation.steps[-1].n == tree.n[node]
        assert explanation.steps[-1].mean == tree.mean[node]
        parts = [explanation.base, *explanation.terms.values()]
        assert sum(parts) == pytest.approx(
            predicted, abs=1e-9 * np.abs(tree.coefficients[node]).max(initial=1) * 2**53
        )
        assert str(explanation).count("\n") >= len(explanation.steps)


HOUSES = pl.DataFrame(
    {
        "area": [50.0, 60, 70, 80, 90, 100, 110, 120],
        "town": pl.Series(["old", "new"] * 4, dtype=pl.Enum(["old", "new"])),
    }
)
PRICES = pl.Series("price", [150.0, 280, 190, 320, 230, 360, 270, 400])


def test_text_of_linear_leaves():
    tree = DecisionTreeRegressor(leaf="linear").fit(HOUSES, PRICES).hypothesis_
    assert str(tree).splitlines() == [
        "town = old: price = 50 + 2 area (n=4, sd 0)",
        "town = new: price = 160 + 2 area (n=4, sd 0)",
    ]
    assert repr(tree) == "<RegressionTree for price: 3 nodes, 2 leaves, depth 1>"
    assert tree.size() == "3 nodes, 2 leaves, depth 1"


def test_text_of_constant_leaves():
    tree = DecisionTreeRegressor(max_depth=1, pruning=None).fit(HOUSES, PRICES).hypothesis_
    assert str(tree) == "town = old: price = 210 (n=4, sd 44.72)\ntown = new: price = 340 (n=4, sd 44.72)"
    assert str(DecisionTreeRegressor().fit([[0]], [2.5]).hypothesis_) == "y = 2.5 (n=1, sd 0)"


@pytest.mark.parametrize(
    ("names", "factors", "text"),
    [
        (["x", "z"], [1.0, -1.0], "y = x - z"),
        (["x", "z"], [-1.0, 2.5], "y = -x + 2.5 z"),
        (["a + b", "7up"], [2.0, -3.0], 'y = 2 "a + b" - 3 "7up"'),
        (["- minus", "x = 1"], [2.0, 1 / 3], 'y = 2 "- minus" + 0.33333 "x = 1"'),
    ],
)
def test_text_of_formulas(names, factors, text):
    X = np.random.default_rng(0).normal(size=(50, 2))
    tree = DecisionTreeRegressor(leaf="linear").fit(pl.DataFrame(X, schema=names), X @ factors).hypothesis_
    assert str(tree).startswith(f"{text} (n=50")


def test_numbers_are_shown_as_finely_as_they_spread():
    x = np.arange(20.0)[:, None]
    noise = np.tile([0.0, 1.0], 10)
    for offset, scale, text in [
        (0.0, 1.0, "y = 0.5 (n=20, sd 0.5)"),
        (1e9, 1.0, "y = 1000000000.5 (n=20, sd 0.5)"),
        (123456.789, 1e4, "y = 128457 (n=20, sd 5000)"),
        (0.0, 1e-7, "y = 5e-08 (n=20, sd 5e-08)"),
    ]:
        tree = DecisionTreeRegressor(max_depth=0).fit(x, offset + scale * noise).hypothesis_
        assert str(tree) == text


def test_explanations_as_text():
    learner = DecisionTreeRegressor(leaf="linear").fit(HOUSES, PRICES)
    row = pl.DataFrame({"area": [100.0], "town": ["old"]})
    assert str(learner.explain(row)[0]) == (
        "250 because\n"
        "  all examples  n=8, mean 275, residual sd 53.67\n"
        "  town = old    n=4, mean 210, residual sd 0\n"
        "  price = 50 + 2 area\n"
        "  220 at the mean of every attribute\n"
        "  +30 by area"
    )
    missing = pl.DataFrame({"area": [None], "town": [None]}, schema={"area": pl.Float64, "town": pl.String})
    assert "town is missing: most have town = old" in str(learner.explain(missing)[0])
    unseen = learner.explain(pl.DataFrame({"area": [100.0], "town": ["ghost"]}))[0]
    assert "town has a value not seen in training" in str(unseen)


def test_sql_as_text():
    tree = DecisionTreeRegressor(leaf="linear").fit(HOUSES, PRICES).hypothesis_
    query = re.sub(r"\d+\.\d{6,}", lambda found: f"{float(found[0]):.4g}.0", tree.to_sql("homes"))
    assert query.splitlines()[0] == "SELECT *,"
    assert 'WHEN ("town" = \'old\' OR "town" IS NULL) THEN' in query
    assert "WHEN \"town\" = 'new' THEN" in query
    assert "WHEN \"town\" NOT IN ('old', 'new') THEN" in query
    assert 'COALESCE(CAST("area" AS DOUBLE PRECISION), 85)' in query
    assert query.endswith('FROM "homes"')


def test_large_trees_become_a_table_of_branches():
    wordy = pl.DataFrame({"k": [f"{j} {'long ' * 100}" for j in range(100)], "x": np.arange(100.0)})
    schema = {"k": Column("k", "nominal", tuple(wordy["k"]))}
    y = np.random.default_rng(0).normal(size=100)
    tree = DecisionTreeRegressor(schema=schema).fit(wordy.drop("x"), y).hypothesis_
    assert "WITH RECURSIVE" in tree.to_sql()
    rows = [(value,) for value in [*wordy["k"], None, "new"]]
    expected = tree.predict(pl.DataFrame(rows, schema={"k": pl.String}, orient="row")).tolist()
    assert in_sqlite(tree, ["k"], rows) == expected


def test_python_needs_nothing_and_takes_a_name():
    source = ModelTree(pruning=None, smoothing=None).fit(HOUSES, PRICES).hypothesis_.to_python("worth")
    assert source.startswith("def worth(row):\n")
    assert "import" not in source
    plain = (float, next, sum)
    space = {"__builtins__": {function.__name__: function for function in plain}}
    exec(source, space)
    assert space["worth"]({"area": 100, "town": "old"}) == pytest.approx(250)
    with pytest.raises(InputError, match="name="):
        ModelTree().fit(HOUSES, PRICES).hypothesis_.to_python("two words")


def test_pictures():
    X, y = induce.dataset("iris").X, induce.dataset("iris").X["petal width"]
    X = X.drop("petal width")
    for learner in (DecisionTreeRegressor(max_depth=3), ModelTree()):
        tree = learner.fit(X, y).hypothesis_
        figure = tree.draw()
        said = [text.get_text() for text in figure.axes[0].texts]
        assert said[0] == f"petal width: {tree.size()}"
        leaves = [node for node in range(tree.n_nodes) if tree.attribute[node] < 0]
        assert sum("(n=" in text for text in said) == len(leaves)
        for node in leaves:
            assert f"(n={int(tree.n[node])}, sd {tree.number(tree.deviation[node])})" in said
        boxes = {patch.get_facecolor() for patch in figure.axes[0].patches}
        assert len(boxes) > len(leaves)  # darker the larger
    assert tree.draw().axes[0].texts[1].get_text().startswith("petal width of the examples, mean and")


def test_long_formulas_are_cut_in_pictures():
    rng = np.random.default_rng(0)
    X = pl.DataFrame(rng.normal(size=(100, 12)), schema=[f"a column called {j}" for j in range(12)])
    tree = ModelTree(max_depth=0).fit(X, X.to_numpy().sum(axis=1)).hypothesis_
    said = [text.get_text() for text in tree.draw().axes[0].texts]
    [formula] = [text for text in said if text.endswith("…")]
    assert len(formula) <= 62
    assert formula.startswith("a column called 0 + a column called 1")


def test_html():
    page = DecisionTreeRegressor(max_depth=1, pruning=None).fit(HOUSES, PRICES).hypothesis_._repr_html_()
    assert "town = old: <b>price = 210</b> (n=4, sd 44.72)" in page


@given(cases())
def test_saving_keeps_everything(tmp_path_factory, case):
    tree, columns, rows = case
    path = tmp_path_factory.mktemp("saved") / "tree.induce"
    induce.save(tree, path)
    loaded = induce.load_hypothesis(path)
    assert loaded == tree
    assert hash(loaded) == hash(tree)
    assert loaded.predict(frame(columns, rows)).tolist() == tree.predict(frame(columns, rows)).tolist()


@pytest.mark.parametrize("learner", [DecisionTreeRegressor(max_depth=2), ModelTree(min_samples_leaf=2)])
def test_saving_a_learner(learner, tmp_path):
    learner.fit(HOUSES, PRICES)
    induce.save(learner, tmp_path / "m.induce")
    loaded = induce.load(tmp_path / "m.induce")
    assert type(loaded) is type(learner)
    assert loaded.get_params() == learner.get_params()
    assert loaded.predict(HOUSES).tolist() == learner.predict(HOUSES).tolist()
    assert loaded.feature_names_in_.tolist() == ["area", "town"]


TREE = DecisionTreeRegressor(leaf="linear").fit(HOUSES, PRICES).hypothesis_


@pytest.mark.parametrize(
    "changes",
    [
        {"n": TREE.n[:2]},
        {"n": -TREE.n},
        {"n": TREE.n * 0},
        {"mean": np.full(3, np.nan)},
        {"sse": TREE.sse - 1e9},
        {"intercept": np.full(3, np.inf)},
        {"intercept": TREE.intercept.astype(np.float32)},
        {"coefficients": TREE.coefficients[:2]},
        {"coefficients": np.zeros((3, 2)), "fill": np.zeros(2)},
        {"fill": np.zeros(2)},
        {"missing": "fractional"},
        {"spread": -1.0},
        {"spread": 1},
        {"attribute": np.array([5, -1, -1], np.int32)},
        {"first": np.array([7, -1, -1], np.int32)},
    ],
)
def test_arrays_that_do_not_fit_are_found(changes):
    TREE.check()
    with pytest.raises(InputError, match="do not fit together"):
        replace(TREE, **changes).check()


def test_cutting_keeps_what_nodes_say():
    tree = TREE.cut(np.array([True, False, False]))
    tree.check()
    assert isinstance(tree, RegressionTree)
    assert tree.n_nodes == 1
    assert tree.predict(HOUSES) == pytest.approx(
        275 + (HOUSES["area"].to_numpy() - 85) * tree.coefficients[0, 0]
    )
