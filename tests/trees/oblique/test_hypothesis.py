"""The oblique tree as a value: reading rows, printing, exporting, cutting, saving."""

from __future__ import annotations

import math
import sqlite3
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core import registry
from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.data.table import encode
from induce.hypotheses.writers.sql_text import sql_identifier
from induce.trees.learners.lmdt import LMDT
from induce.trees.learners.oc1 import OC1
from induce.trees.oblique import hypothesis as oblique_hypothesis
from induce.trees.oblique.hypothesis import ObliqueTree, formula

pytestmark = pytest.mark.compiled  # to find hyperplanes plain takes seconds

close = pytest.approx
NAN = math.nan
ODD = ["select", "a b", 'qu"ote', "it's", "größe", "part_1", "x + y", "2 z", "a, b", "-", "d\n"]
NUMBERS = st.one_of(st.integers(-2, 2).map(float), st.sampled_from([0.1, 0.1 + 0.2, 1e300, 2.0**53, 5e-324]))


@pytest.fixture(scope="module")
def tree() -> ObliqueTree:
    """A sum at the root, and below it a linear machine of two of the three classes."""
    schema = Schema((Column("a"), Column("kind", "nominal", ("u", "v")), Column("b"), Column("c")))
    made = ObliqueTree(
        schema=schema,
        target="y",
        classes=("p", "q", "r"),
        attribute=np.array([4, -1, 5, -1, -1], np.int32),
        threshold=np.array([2.0, NAN, NAN, NAN, NAN]),
        first=np.array([1, -1, 3, -1, -1], np.int32),
        n_branches=np.array([2, 0, 2, 0, 0], np.int32),
        map_start=np.full(5, -1, np.int32),
        branch_map=np.empty(0, np.int32),
        counts=np.array([[2.0, 3, 5], [2, 0, 0], [0, 3, 5], [0, 3, 1], [0, 0, 4]]),
        combinations=np.array([[1.0, 0.0, -1 / 3]]),
        machines=np.array([[[NAN] * 4, [0.0, 1.0, 0.0, 0.5], [0.0, 0.0, 1.0, -0.25]]]),
    )
    made.check()
    return made


def rows(*cells) -> pl.DataFrame:
    return pl.DataFrame(
        list(cells),
        schema={"a": pl.Float64, "kind": pl.String, "b": pl.Float64, "c": pl.Float64},
        orient="row",
    )


def test_the_further_columns(tree):
    assert tree.testable.names() == ("a", "kind", "b", "c", "a - 0.3333 c", "linear machine 1")
    assert tree.testable.columns[-1].domain == ("q", "r")
    table = tree.encoded(rows((3.0, "u", 1.0, 3.0), (3.0, None, None, 0.0), (None, "v", 1.0, 2.0)))
    assert table.schema is tree.testable
    assert table.numeric[:, 3] == close([2.0, 3.0, NAN], nan_ok=True)
    assert table.nominal[:, 1].tolist() == [1, -1, 1]
    assert tree.encoded(table) is table


def test_a_table_of_another_tree_is_read_anew(tree):
    other = replace(tree, combinations=np.array([[0.0, 1.0, 1.0]]))
    X = rows((3.0, "u", 1.0, 3.0))
    table = other.encoded(tree.encoded(X))
    assert table.numeric.tolist() == other.encoded(X).numeric.tolist() == [[3.0, 1.0, 3.0, 4.0]]


def test_predicting(tree):
    X = rows((2.0, "u", 0.0, 0.0), (3.0, "u", 1.0, 0.0), (3.0, "u", 0.0, 1.0), (3.0, "u", 0.0, 0.75))
    assert tree.predict(X).tolist() == ["p", "q", "r", "q"]
    assert tree.predict_proba(X)[1].tolist() == [0, 0.75, 0.25]


def test_missing_values_take_all_branches(tree):
    unknown_sum, unknown_machine = tree.predict_proba(rows((None, "u", 1.0, 0.0), (3.0, "u", None, 0.0)))
    assert unknown_sum == close([0.2, 0.8 * 0.75, 0.8 * 0.25])
    assert unknown_machine == close([0, 3 / 8, 5 / 8])
    # a column that neither weighs may be missing
    assert tree.predict(rows((3.0, None, 1.0, 0.0))).tolist() == ["q"]


def test_predicting_in_parts(tree, monkeypatch):
    rng = np.random.default_rng(0)
    X = rows(*[(a, "u", b, c) for a, b, c in rng.normal(2, 2, (25, 3))])
    whole = tree.predict(X).tolist(), tree.predict_proba(X).tolist()
    monkeypatch.setattr(oblique_hypothesis, "PART", 20)
    assert (tree.predict(X).tolist(), tree.predict_proba(X).tolist()) == whole
    assert len(tree.predict(X[:0])) == 0


def test_text(tree):
    assert str(tree).splitlines() == [
        "a - 0.3333 c <= 2: p (2/2)",
        "a - 0.3333 c > 2",
        "|   linear machine 1 = q: q (3/4)",
        "|   linear machine 1 = r: r (4/4)",
        "",
        "linear machine 1 is the largest of",
        "    q: b + 0.5",
        "    r: c - 0.25",
    ]
    page = tree._repr_html_()
    assert "a - 0.3333 c &lt;= 2" in page
    assert "r: c - 0.25</pre>" in page


def test_thresholds_of_sums_are_rounded_in_print_only(tree):
    threshold = 2.123456789
    precise = replace(tree, threshold=np.array([threshold, NAN, NAN, NAN, NAN]))
    assert str(precise).startswith("a - 0.3333 c <= 2.123: p")
    assert precise.condition(0, 0).threshold == threshold
    plain = replace(precise, attribute=np.array([0, -1, 5, -1, -1], np.int32))
    assert str(plain).startswith("a <= 2.123456789: p")


@pytest.mark.parametrize(
    ("weights", "constant", "text"),
    [
        ([1.0, -1.0], 0.0, "a b - c"),
        ([-0.5, 0.0], 2.0, "-0.5 a b + 2"),
        ([0.0, 12345.6], -1.0, "12350 c - 1"),
        ([0.0, 0.0], 0.0, "0"),
        ([0.0, 0.0], -3.0, "-3"),
        ([1e-9, 2 / 3], 0.0, "1e-09 a b + 0.6667 c"),
    ],
)
def test_formulas(weights, constant, text):
    assert formula(["a b", "c"], np.array(weights), constant) == text


def test_names_that_look_like_formulas_are_quoted():
    assert formula(["x + y", "2 z", "w"], np.array([1.0, 2.0, 1.0])) == '"x + y" + 2 "2 z" + w'


def test_sums_that_print_the_same_have_names_of_their_own(tree):
    alike = replace(
        tree, combinations=np.array([[1.0, 0.0, -1 / 3], [1.0, 0.0, -0.33333], [1.0, 0.0, -1 / 3]])
    )
    names = alike.testable.names()
    assert len(set(names)) == len(names)
    assert names[4:7] == ("a - 0.3333 c", "a - 0.33333 c", "a - 0.33333333 c")


def test_explaining(tree):
    steps = tree.explain(rows((3.0, "u", 1.0, 0.0), (None, "u", 1.0, 0.0)))
    assert [step.text for step in steps[0].steps] == [
        "all examples",
        "a - 0.3333 c > 2",
        "linear machine 1 = q",
    ]
    assert "a - 0.3333 c is missing: 20% a - 0.3333 c <= 2, 80% a - 0.3333 c > 2" in str(steps[1])


def test_drawing(tree):
    texts = [text.get_text() for text in tree.draw().axes[0].texts]
    assert {"a - 0.3333 c", "linear machine 1", "<= 2", "q", "r"} <= set(texts)


def test_what_is_no_longer_tested_goes_when_a_tree_is_cut(tree):
    stump = tree.cut(np.arange(5) == 2)
    stump.check()
    assert len(stump.machines) == 0
    assert stump.attribute.tolist() == [4, -1, -1]
    leaf = tree.cut(np.arange(5) == 0)
    assert len(leaf.combinations) == len(leaf.machines) == 0
    swapped = replace(tree, attribute=np.array([0, -1, 5, -1, -1], np.int32)).cut(np.zeros(5, bool))
    swapped.check()
    assert swapped.attribute.tolist() == [0, -1, 4, -1, -1]
    assert swapped.testable.columns[4].name == "linear machine 1"


def test_examples_are_routed_by_sums_too(tree):
    table = encode(rows((2.0, "u", 0.0, 0.0), (3.0, "u", 1.0, 0.0)), tree.schema)
    counts = tree.route(table, np.array([0, 2]), np.ones(2))
    assert counts[:, 0].tolist() == [1, 1, 0, 0, 0]
    assert counts[:, 2].tolist() == [1, 0, 1, 1, 0]


def test_costs_of_sums(tree):
    priced = replace(tree, schema=tree.schema.override({"a": {"cost": 3.0}, "c": {"cost": 5.0}}))
    assert [column.cost for column in priced.testable.columns[4:]] == [8.0, 6.0]


def test_rules_are_refused_in_one_sentence(tree):
    for export in (tree.to_rules, tree.to_prolog):
        with pytest.raises(InputError, match="export it with to_python or to_sql"):
            export()


@pytest.mark.parametrize(
    "change",
    [
        {"combinations": np.zeros((1, 2))},
        {"combinations": np.array([[1.0, NAN, 0.0]])},
        {"combinations": np.zeros((1, 3), np.float32)},
        {"combinations": (1.0, 2.0)},
        {"combinations": np.zeros((0, 3))},
        {"machines": np.zeros((1, 3, 3))},
        {"machines": np.full((1, 3, 4), NAN)},
        {"machines": np.full((1, 3, 4), np.inf)},
        {"machines": np.zeros((1, 3, 4))},
        {"attribute": np.array([6, -1, 5, -1, -1], np.int32)},
    ],
)
def test_unsound_trees_are_refused(tree, change):
    with pytest.raises(InputError, match="do not fit together"):
        replace(tree, **change).check()


@pytest.mark.parametrize("learner", [OC1, LMDT])
def test_saving(learner, tmp_path, monkeypatch):
    monkeypatch.setitem(registry.VALUES, "ObliqueTree", registry.target_of(ObliqueTree))
    monkeypatch.setitem(registry.ESTIMATORS, learner.__name__, registry.target_of(learner))
    X, y = induce.dataset("iris")
    fitted = learner(random_state=3).fit(X, y)
    path = tmp_path / "tree.induce"
    induce.save(fitted, path)
    loaded = induce.load(path)
    assert type(loaded) is learner
    assert loaded.get_params() == fitted.get_params()
    assert loaded.hypothesis_ == fitted.hypothesis_
    assert str(loaded.hypothesis_) == str(fitted.hypothesis_)
    assert (loaded.predict_proba(X) == fitted.predict_proba(X)).all()


def cells(column, unseen):
    if column.kind == "numeric":
        return st.one_of(st.none(), NUMBERS)
    return st.one_of(st.none(), st.sampled_from((*column.domain, *unseen)))


@st.composite
def tables(draw):
    """Draw columns, training rows with holes, their classes, and rows with unseen values."""
    names = draw(st.lists(st.sampled_from(ODD), min_size=2, max_size=4, unique_by=str.lower))
    columns = [Column(names[0]), Column(names[1])]
    columns += [
        Column(name, "nominal", ("x", "it's")) if draw(st.booleans()) else Column(name) for name in names[2:]
    ]
    full = st.tuples(*[cells(column, ()) for column in columns])
    training = draw(st.lists(full, min_size=6, max_size=20))
    classes = draw(st.sampled_from([["no", "yes"], ["r", "s", "t"], [1, 0], [False, True]]))
    labels = [draw(st.sampled_from(classes)) for _ in training]
    others = draw(st.lists(st.tuples(*[cells(column, ("new",)) for column in columns]), max_size=6))
    return columns, training, labels, training + others


def frame(columns, cells):
    types = [pl.Float64 if column.kind == "numeric" else pl.String for column in columns]
    return pl.DataFrame(
        [
            pl.Series(column.name, [row[j] for row in cells], dtype)
            for j, (column, dtype) in enumerate(zip(columns, types, strict=True))
        ]
    )


def in_sqlite(tree, names, asked):
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE data ({', '.join(map(sql_identifier, names))})")
    connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(names))})", asked)
    predicted = [row[-1] for row in connection.execute(tree.to_sql())]
    connection.close()
    return predicted


def in_python(tree, names, asked):
    space = {}
    exec(tree.to_python("decide_it"), space)
    with_holes = [dict(zip(names, row, strict=True)) for row in asked]
    predicted = [space["decide_it"](row) for row in with_holes]
    without = [{name: cell for name, cell in row.items() if cell is not None} for row in with_holes]
    assert [space["decide_it"](row) for row in without] == predicted
    return predicted


@settings(derandomize=True)
@given(tables(), st.sampled_from([OC1(pruning=None, restarts=3), LMDT(pruning=None)]))
def test_sql_and_python_agree_with_predict(case, learner):
    columns, training, labels, asked = case
    learner.schema = {column.name: column for column in columns}
    tree = learner.fit(frame(columns, training), labels).hypothesis_
    tree.check()
    expected = tree.predict(frame(columns, asked)).tolist()
    names = [column.name for column in columns]
    assert in_sqlite(tree, names, asked) == expected
    assert in_python(tree, names, asked) == expected


def test_exports_of_both_kinds_of_test(tree):
    rng = np.random.default_rng(1)
    values = rng.integers(-4, 5, (60, 3)) / 2
    asked = [
        tuple(None if rng.random() < 0.2 else cell for cell in (float(a), "u", float(b), float(c)))
        for a, b, c in values
    ]
    expected = tree.predict(rows(*asked)).tolist()
    assert len(set(expected)) == 3
    assert in_sqlite(tree, tree.schema.names(), asked) == expected
    assert in_python(tree, tree.schema.names(), asked) == expected


def test_exports_say_what_dates_are(tree):
    dated = replace(tree, schema=Schema((Column("a", temporal="days"), *tree.schema.columns[1:])))
    assert "-- a holds dates" in dated.to_sql()
    assert "# a holds dates" in dated.to_python()


def test_no_learner_is_needed_to_read_a_tree():
    import subprocess
    import sys

    code = "import sys, induce.trees.oblique.hypothesis, induce.trees.expression; print('sklearn' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert done.stdout.strip() == "False"
