"""Whatever the tree, the names and the rows: SQL, Python and `predict` say the same."""

import math
import sqlite3
from dataclasses import replace

import duckdb
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.hypotheses.expressions.evaluate import evaluated
from induce.hypotheses.writers.sql_text import sql_identifier
from induce.trees.hypothesis import Tree
from induce.trees.surrogates import Surrogates

ODD = ["select", "a b", 'qu"ote', "it's", "größe", "part_1", "Score_0", "stop_0", "the_part_2", "{y}", "d\n"]
LEARNERS = [
    lambda schema: induce.DecisionTreeClassifier(schema=schema),
    lambda schema: induce.DecisionTreeClassifier(schema=schema, nominal="subset", criterion="gini"),
    lambda schema: induce.C45(schema=schema, min_samples_leaf=1),
    lambda schema: induce.CART(schema=schema, ccp_alpha=0.0),
]
NUMBERS = st.one_of(st.integers(-2, 2).map(float), st.sampled_from([0.1, 0.1 + 0.2, 1e300, 2.0**53, 5e-324]))
NAMES = st.lists(st.sampled_from(ODD), min_size=1, max_size=4, unique_by=str.lower)


@st.composite
def tables(draw):
    """Draw columns, training rows with holes, their classes and weights, and rows with unseen values."""
    columns = [
        Column(name, "nominal", draw(st.sampled_from([("a", "b"), ("x", "it's", "?z"), ("only",)])))
        if draw(st.booleans())
        else Column(name)
        for name in draw(NAMES)
    ]
    rows = draw(
        st.lists(st.tuples(*[cells(column, ()) for column in columns]), min_size=2, max_size=14),
    )
    classes = draw(st.sampled_from([["no", "yes"], ["r", "s", "t"], [1, 0], [False, True], ["one"]]))
    labels = [draw(st.sampled_from(classes)) for _ in rows]
    weights = [draw(st.sampled_from([1.0, 1.0, 0.1, 0.3, 1 / 3])) for _ in rows]
    others = draw(st.lists(st.tuples(*[cells(column, ("new",)) for column in columns]), max_size=6))
    return columns, rows, labels, weights, rows + others


def cells(column, unseen):
    if column.kind == "numeric":
        return st.one_of(st.none(), NUMBERS)
    return st.one_of(st.none(), st.sampled_from((*column.domain, *unseen)))


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


def in_duckdb(tree, schema, rows):
    base = duckdb.connect()
    base.register("data", of_rows(rows).with_row_index("number of the row"))  # a query promises no order
    return [row[-1] for row in sorted(base.execute(tree.to_sql()).fetchall(), key=lambda row: row[0])]


def in_python(tree, names, rows):
    space = {}
    exec(tree.to_python("decide"), space)
    dicts = [dict(zip(names, row, strict=True)) for row in rows]
    predicted = [space["decide"](row) for row in dicts]
    for blank in (lambda row: {name: cell for name, cell in row.items() if cell is not None}, with_nan):
        assert [space["decide"](blank(row)) for row in dicts] == predicted
    return predicted


def with_nan(row):
    return {name: math.nan if cell is None else cell for name, cell in row.items()}


@settings(max_examples=25)
@given(tables(), st.sampled_from(LEARNERS))
def test_sql_and_python_agree_with_predict(case, learner):
    columns, rows, labels, weights, asked = case
    schema = {column.name: column for column in columns}
    tree = learner(schema).fit(frame(columns, rows), labels, sample_weight=weights).hypothesis_
    expected = tree.predict(frame(columns, asked)).tolist()
    names = [column.name for column in columns]
    assert in_sqlite(tree, names, asked) == expected
    assert in_python(tree, names, asked) == expected


def random_surrogates(rng, inputs, n_branches, branch_map):
    """Draw up to two arbitrary surrogates for every test with two branches; their maps are put to `branch_map`."""
    start, attribute, threshold, map_start = [0], [], [], []
    for n in n_branches:
        for j in rng.permutation(len(inputs))[: rng.integers(3) if n == 2 else 0]:
            attribute.append(j)
            threshold.append(float(rng.normal()))
            map_start.append(-1)
            if inputs[j].kind == "nominal":
                map_start[-1] = len(branch_map)
                branch_map += rng.integers(-1, 2, len(inputs[j].domain)).tolist()
        start.append(len(attribute))
    return Surrogates(
        np.array(start, np.int32),
        np.array(attribute, np.int32),
        np.array(threshold),
        rng.random(len(attribute)) < 0.5,
        np.array(map_start, np.int32),
        np.ones(len(attribute)),
    )


def random_tree(rng, schema, n_classes, size):
    """Grow a tree of about `size` nodes with arbitrary tests and class counts."""
    inputs = schema.columns
    attribute, threshold, first, n_branches, map_start = [-1], [np.nan], [-1], [0], [-1]
    branch_map, cuts = [], []
    waiting = [0]
    while len(attribute) < size:
        node = waiting.pop(rng.integers(len(waiting)))
        j = int(rng.integers(len(inputs)))
        attribute[node], first[node] = j, len(attribute)
        column = inputs[j]
        if column.kind == "nominal" and rng.random() < 0.5:
            map_start[node] = len(branch_map)
            branch_map += rng.integers(0, 2, len(column.domain)).tolist()
            n_branches[node] = 2
        elif column.kind == "nominal":
            n_branches[node] = len(column.domain)
        elif rng.random() < 0.3:
            map_start[node], n_branches[node] = len(cuts), 4
            cuts += sorted(rng.normal(size=3).tolist())
        else:
            threshold[node], n_branches[node] = float(rng.normal()), 2
        for _ in range(n_branches[node]):
            waiting.append(len(attribute))
            for values, value in zip(
                (attribute, threshold, first, n_branches, map_start), (-1, np.nan, -1, 0, -1), strict=True
            ):
                values.append(value)
    surrogates = random_surrogates(rng, inputs, n_branches, branch_map) if rng.random() < 0.5 else None
    ints = [np.array(values, np.int32) for values in (attribute, first, n_branches, map_start, branch_map)]
    counts = rng.integers(0, 3, (len(attribute), n_classes)) * rng.choice([1.0, 0.1, 1 / 3], (1, n_classes))
    tree = Tree(
        schema=schema,
        target="y",
        classes=tuple(f"c{k}" for k in range(n_classes)),
        attribute=ints[0],
        threshold=np.array(threshold),
        first=ints[1],
        n_branches=ints[2],
        map_start=ints[3],
        branch_map=ints[4],
        cuts=np.array(cuts),
        counts=np.asarray(counts, np.float64),
        missing=str(rng.choice(["fractional", "mode"])),
        surrogates=surrogates,
    )
    tree.check()
    return tree


MIXED = Schema(
    (Column("n"), Column("k", "nominal", ("a", "b", "c")), Column("m"), Column("f", "nominal", (False, True)))
)


def random_rows(rng, n):
    return [
        (
            None if rng.random() < 0.3 else float(rng.normal()),
            None if rng.random() < 0.3 else str(rng.choice(["a", "b", "c", "d"])),
            None if rng.random() < 0.3 else float(rng.normal()),
            None if rng.random() < 0.3 else bool(rng.random() < 0.5),
        )
        for _ in range(n)
    ]


def of_rows(rows):
    return pl.DataFrame(
        rows, schema={"n": pl.Float64, "k": pl.String, "m": pl.Float64, "f": pl.Boolean}, orient="row"
    )


@pytest.mark.parametrize("size", [1, 5, 30, 100, 900])
def test_arbitrary_trees_agree(size):
    rng = np.random.default_rng(size)
    rows = random_rows(rng, 60)
    X = of_rows(rows)
    for _ in range(1 if size > 100 else 20):
        tree = random_tree(rng, MIXED, int(rng.integers(1, 5)), size)
        expected = tree.predict(X).tolist()
        assert in_sqlite(tree, MIXED.names(), rows) == expected
        assert in_python(tree, MIXED.names(), rows) == expected
        assert evaluated(tree.expression(), tree.encoded(X)).tolist() == expected


def chain(depth):
    """Return a tree whose every second branch goes on."""
    inner = np.arange(0, 2 * depth, 2)
    attribute = np.full(2 * depth + 1, -1, np.int32)
    first, n_branches = attribute.copy(), np.zeros_like(attribute)
    threshold = np.full(2 * depth + 1, np.nan)
    attribute[inner], first[inner], n_branches[inner] = 0, inner + 1, 2
    threshold[inner] = np.arange(depth)
    counts = np.random.default_rng(0).uniform(0.1, 1, (2 * depth + 1, 2))
    empty = np.empty(0, np.int32)
    return Tree(
        schema=Schema((Column("x"),)),
        target="y",
        classes=("a", "b"),
        attribute=attribute,
        threshold=threshold,
        first=first,
        n_branches=n_branches,
        map_start=attribute * 0 - 1,
        branch_map=empty,
        counts=counts,
    )


def test_deep_trees_stay_within_sqlites_depth():
    tree = chain(200)
    tree.check()
    rows = [(x,) for x in range(-1, 205)] + [(None,)]
    expected = tree.predict(np.array(rows, dtype=float)).tolist()
    assert in_sqlite(tree, ["x"], rows) == expected
    assert in_python(tree, ["x"], rows) == expected


@pytest.mark.parametrize("size", [1200, pytest.param(4000, marks=pytest.mark.slow)])
def test_large_trees_become_a_table_of_branches(size):
    rng = np.random.default_rng(size)
    rows = random_rows(rng, 40)
    tree = replace(random_tree(rng, MIXED, 3, size), surrogates=None)
    expected = tree.predict(of_rows(rows)).tolist()
    query = tree.to_sql()
    assert "WITH RECURSIVE" in query
    assert in_sqlite(tree, MIXED.names(), rows) == expected
    assert in_duckdb(tree, MIXED, rows) == expected


def test_ties_between_sums_of_fractions_go_to_the_same_class():
    rng = np.random.default_rng(5)
    schema = Schema((Column("k", "nominal", tuple("abcdefghij")),))
    ties = 0
    for _ in range(50):
        shares = rng.permutation(10)
        counts = np.zeros((11, 2))
        counts[1:, 0] = [0.1 * (j + 1) for j in shares]
        counts[1:, 1] = counts[1:, 0][rng.permutation(10)]
        counts[0] = counts[1:].sum(axis=0)
        tree = Tree(
            schema=schema,
            target="y",
            classes=("b", "a"),
            attribute=np.array([0] + [-1] * 10, np.int32),
            threshold=np.full(11, np.nan),
            first=np.array([1] + [-1] * 10, np.int32),
            n_branches=np.array([10] + [0] * 10, np.int32),
            map_start=np.full(11, -1, np.int32),
            branch_map=np.empty(0, np.int32),
            counts=counts,
        )
        missing = pl.DataFrame({"k": pl.Series([None], dtype=pl.String)})
        expected = tree.predict(missing).tolist()
        probabilities = tree.predict_proba(missing)[0]
        ties += abs(probabilities[0] - probabilities[1]) < 1e-12
        assert in_sqlite(tree, ["k"], [(None,)]) == expected
        assert in_python(tree, ["k"], [(None,)]) == expected
    assert ties == 50


def test_python_needs_nothing_and_takes_a_name():
    X, y = induce.dataset("iris")
    source = induce.CART().fit(X, y).hypothesis_.to_python("which")
    assert source.startswith("def which(row):\n")
    assert "import" not in source
    plain = (enumerate, float, isinstance, len, list, max, next, sum, zip)
    space = {"__builtins__": {function.__name__: function for function in plain}}
    exec(source, space)
    assert space["which"]({"petal length": 1}) == "setosa"
    with pytest.raises(InputError, match="name="):
        induce.CART().fit(X, y).hypothesis_.to_python("two words")


def test_columns_beside_the_tested_ones_are_kept():
    connection = sqlite3.connect(":memory:")
    connection.execute('CREATE TABLE "my rows" (score_0, part_1, x)')
    connection.execute('INSERT INTO "my rows" VALUES (7, 8, NULL)')
    query = connection.execute(chain(2).to_sql("my rows"))
    assert [name for name, *_ in query.description] == ["score_0", "part_1", "x", "prediction"]
    assert query.fetchone()[:3] == (7, 8, None)
    connection.close()
