"""Kernel machines: printed, explained, exported, drawn, saved."""

import sqlite3
import sys
from dataclasses import replace

import duckdb
import numpy as np
import polars as pl
import pytest

import induce
from induce.data.schema import Column
from induce.kernels import (
    SVM,
    Gaussian,
    KernelPerceptron,
    Linear,
    Polynomial,
    Shifts,
    VirtualSVM,
    VotedPerceptron,
)
from tests.exports import in_onnx

SIX = pl.DataFrame({"a": [2.0, 2, 3, 0, 1, 0], "b": [2.0, 3, 3, 0, 0, 1]})
SIDES = pl.Series("side", ["up"] * 3 + ["down"] * 3, dtype=pl.Enum(["down", "up"]))


def mixed(n=80, classes=3, seed=0):
    random = np.random.default_rng(seed)
    X = pl.DataFrame(
        {
            "size": random.normal(size=n) * 100 + 500,
            "it's": random.choice(["x", "y'", "z"], n),
            "sold": random.random(n) < 0.5,
        }
    )
    X = X.with_columns(
        pl.when(pl.Series(random.random(n) < 0.1)).then(None).otherwise(pl.col(name)).alias(name)
        for name in X.columns
    )
    y = pl.Series("kind", [f"k{i}" for i in random.integers(0, classes, n)])
    return X, y


# --- printed


def test_printed_with_weights_in_units():
    machine = SVM(kernel="linear", C=100, tol=1e-9).fit(SIX, SIDES).hypothesis_
    # scaled inside, and yet in the units of the table
    first, second, third = str(machine).splitlines()
    assert first == "side by a support vector machine, K = x·z, C = 100"
    assert second.startswith(
        "  up against down: 3 support vectors of 6 distinct rows, 0 at the bound; margin "
    )
    assert third == "    0.6667 a + 0.6667 b - 1.667"
    assert machine.size() == "3 support vectors"


def test_many_weights_and_separators_are_cut():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 40)), np.arange(60) % 6
    text = str(SVM(kernel="linear").fit(X, y).hypothesis_)
    assert "and 5 more separators" in text
    assert "and 20 of less weight" in text


def test_weights_with_a_constant_in_the_kernel():
    machine = KernelPerceptron(kernel=1 + 2 * Linear(), scale=None).fit(SIX, SIDES).hypothesis_
    weights = machine.weights()[0]
    np.testing.assert_allclose(
        SIX.to_numpy() @ weights.weights + weights.intercept, machine.decision_function(SIX)
    )
    with pytest.raises(induce.InputError, match="has no column weights"):
        SVM().fit(SIX, SIDES).hypothesis_.weights()


def test_support_vectors_are_rows_of_the_table():
    X, y = mixed()
    machine = SVM(C=2).fit(X, y).hypothesis_
    found = machine.support_vectors()
    assert found.columns == ["row", "kind", "separator", "alpha", "at bound", *X.columns]
    for line in found[::7].iter_rows(named=True):
        assert {name: line[name] for name in X.columns} == X.row(line["row"], named=True)
        assert line["kind"] == y[line["row"]]
        assert 0 < line["alpha"] <= 2
        assert line["at bound"] == (line["alpha"] == 2)


def test_equal_rows_count_as_one():
    X, y = [[0.0], [0.0], [1.0], [1.0], [1.0]], ["a", "a", "b", "b", "a"]
    machine = SVM().fit(X, y).hypothesis_
    assert machine.separators[0].n_rows == 3
    assert set(machine.rows.tolist()) <= {0, 2, 4}


# --- explained


def test_pulls_add_up_to_the_score():
    X, y = mixed()
    learner = SVM().fit(X, y)
    machine = learner.hypothesis_
    scores = machine.scores(X)
    for i, told in enumerate(learner.explain(X)):
        total = sum(pull.pull for pull in told.pulls) + told.intercept
        assert total == pytest.approx(told.score, abs=1e-9)
        assert min(abs(np.abs(scores[i]) - abs(told.score))) < 1e-9
        assert [abs(pull.pull) for pull in told.pulls] == sorted(
            (abs(p.pull) for p in told.pulls), reverse=True
        )
        assert told.against != told.prediction


def test_the_distance_is_that_in_the_space_of_features():
    machine = SVM(kernel=Linear(), C=100, scale=None, tol=1e-9).fit(SIX, SIDES).hypothesis_
    told = machine.explain([[2.0, 2.0]])[0]
    assert told.distance == pytest.approx(machine.separators[0].margin / 2)
    assert told.to_margin == pytest.approx(0, abs=1e-7)
    far = machine.explain([[5.0, 5.0]])[0]
    assert far.distance == pytest.approx((5 + 5 - 2.5) / np.sqrt(2))
    assert "beyond the margin\n" in str(far)
    assert "inside the margin" in str(machine.explain([[1.2, 1.3]])[0])


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("how", ["one-against-one", "one-against-rest"])
def test_the_columns_of_a_linear_machine_add_up_to_the_score(classes, how):
    X, y = mixed(classes=classes)
    learner = SVM(kernel="linear", multi_class=how).fit(X, y)
    for told, row in zip(learner.explain(X), X.iter_rows(named=True), strict=True):
        total = told.typical + sum(each.adds for each in told.contributions)
        assert total == pytest.approx(told.score, abs=1e-9)
        assert {each.column: each.value for each in told.contributions} == row
        assert [each.adds for each in told.contributions if each.value is None] == pytest.approx(
            [0.0] * sum(value is None for value in row.values())
        )
    assert learner.explain(X[:0]) == ()


def test_contributions_are_written_one_below_the_other():
    X = pl.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "kind": ["x", "y", "x", "y"]})
    told = SVM(kernel="linear", scale=None).fit(X, ["low", "low", "high", "high"]).explain(X[:1])[0]
    first, typical, size, kind = str(told).splitlines()
    assert first.startswith("low against high by ")
    assert typical.endswith("  a typical row")
    assert size.endswith("  size = 1")
    assert kind.endswith("  kind = x")


def test_the_sign_of_a_weight_is_for_the_class_named_first():
    machine = SVM(kernel="linear", scale=None).fit(
        [[0.0], [1.0], [3.0], [4.0]],
        pl.Series(["low", "low", "high", "high"], dtype=pl.Enum(["high", "low"])),
    )
    text = str(machine.hypothesis_)
    assert "low against high" in text
    assert text.endswith("    -1 x0 + 2")


def test_votes_of_perceptrons_name_each_row_once():
    X, y = induce.dataset("iris")
    for told in VotedPerceptron().fit(X, y).explain(X[::15]):
        rows = [pull.row for pull in told.pulls]
        assert len(rows) == len(set(rows))


# --- exported


KERNELS = ["linear", "polynomial", Gaussian(0.2), 1 + Linear(), Polynomial(3) * Gaussian(0.1)]


@pytest.mark.compiled
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("how", ["one-against-one", "one-against-rest"])
def test_python_predicts_the_same(kernel, how):
    X, y = mixed()
    machine = SVM(kernel=kernel, multi_class=how).fit(X, y).hypothesis_
    space = {}
    exec(machine.to_python("decide"), space)
    assert [space["decide"](row) for row in X.to_dicts()] == machine.predict(X).tolist()


@pytest.mark.parametrize("classes", [1, 2, 3])
@pytest.mark.parametrize("how", ["one-against-one", "one-against-rest"])
def test_sql_predicts_the_same(how, classes):
    X, y = mixed(classes=classes)
    machine = SVM(kernel="linear", multi_class=how).fit(X, y).hypothesis_
    with sqlite3.connect(":memory:") as database:
        names = ", ".join(f'"{name}"' for name in X.columns)
        database.execute(f"CREATE TABLE data ({names})")
        database.executemany("INSERT INTO data VALUES (?, ?, ?)", X.rows())
        found = [row[-1] for row in database.execute(machine.to_sql())]
    assert found == machine.predict(X).tolist()


@pytest.mark.compiled
@pytest.mark.parametrize("kernel", [*KERNELS, 2.0 * Gaussian(0.2) + Polynomial(2)])
@pytest.mark.parametrize(
    ("how", "classes"), [("one-against-one", 1), ("one-against-one", 3), ("one-against-rest", 3)]
)
def test_onnx_predicts_the_same(kernel, how, classes):
    X, y = mixed(classes=classes)
    X = X.with_columns(pl.col("sold").cast(pl.Int64))
    machine = SVM(kernel=kernel, multi_class=how, schema={"sold": Column("sold", "nominal", (0, 1))}).fit(
        X, y
    )
    machine = machine.hypothesis_
    new = X.with_columns(pl.col("it's").replace("z", "new"), pl.col("size").replace(X["size"][0], 1e4))
    for rows in (X, new):
        found = in_onnx(machine, rows)
        assert found["prediction"].tolist() == machine.predict(rows).tolist()
        if machine.separators:
            assert np.allclose(found["scores"], machine.scores(rows), rtol=1e-9, atol=1e-9)


def test_no_onnx_no_export(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(induce.InputError, match="export to ONNX needs the package onnx; install it"):
        SVM().fit(SIX, SIDES).hypothesis_.to_onnx()


@pytest.mark.parametrize(
    ("learner", "columns", "sentence"),
    [
        (SVM(kernel="mixed"), {}, "cannot export K = "),
        (VotedPerceptron(), {}, "cannot export a voted perceptron to ONNX"),
        (SVM(), {"a": "scores"}, "where a column is called prediction or scores"),
    ],
)
def test_what_onnx_has_no_operators_for(learner, columns, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        learner.fit(SIX.rename(columns), SIDES).hypothesis_.to_onnx()


def test_values_that_onnx_has_no_table_for():
    X = pl.DataFrame({"a": [0.5, 1.5, 0.5, 1.5]})
    schema = {"a": Column("a", "nominal", (0.5, 1.5))}
    machine = SVM(kernel="linear", schema=schema).fit(X, ["p", "q", "p", "q"]).hypothesis_
    with pytest.raises(
        induce.InputError, match="column 'a' mixes types of values, which ONNX does not support"
    ):
        machine.to_onnx()


def test_machines_with_other_kernels_in_sql():
    X, y = mixed()
    machine = SVM(kernel=Gaussian(0.2)).fit(X, y).hypothesis_
    base = duckdb.connect()
    base.register("data", X.with_row_index("number of the row"))  # a query promises no order
    answers = sorted(base.execute(machine.to_sql()).fetchall(), key=lambda row: row[0])
    assert [row[-1] for row in answers] == machine.predict(X).tolist()
    for write in (lambda machine: machine.to_sql(), lambda machine: machine.to_python()):
        with pytest.raises(induce.InputError, match="cannot export K = "):
            write(SVM(kernel="mixed").fit(X, y).hypothesis_)


# --- drawn


@pytest.mark.parametrize("columns", [None, ("size", "it's"), ("sold", "it's"), ("it's", "size")])
@pytest.mark.parametrize("classes", [2, 3])
def test_pictures(columns, classes):
    X, y = mixed(classes=classes)
    machine = SVM(kernel="linear" if classes == 2 else "gaussian").fit(X, y).hypothesis_
    figure = machine.draw(columns, X, y)
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert set(map(str, machine.classes)) <= set(labels)
    assert "the other columns at their typical values" in figure.axes[0].get_title(loc="left")


def test_margins_are_drawn_where_there_are_some():
    figure = SVM(kernel="linear", scale=None).fit(SIX, SIDES).hypothesis_.draw()
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels[:2] == ["boundary", "margin"]
    voted = VotedPerceptron().fit(SIX, SIDES).hypothesis_.draw()
    assert "margin" not in [text.get_text() for text in voted.axes[0].get_legend().get_texts()]


def test_a_single_column_is_drawn_as_a_curve():
    figure = SVM().fit(SIX[["a"]], SIDES).hypothesis_.draw()
    assert figure.axes[0].get_ylabel() == "f"


def test_pictures_that_cannot_be():
    machine = SVM().fit(SIX, SIDES).hypothesis_
    with pytest.raises(induce.InputError, match="there is no column 'c'"):
        machine.draw(("a", "c"))
    with pytest.raises(induce.InputError, match="give the names of two columns"):
        machine.draw(("a", "a"))
    with pytest.raises(induce.InputError, match="not a class of the machine"):
        machine.draw(None, SIX, ["left"] * 6)


# --- saved


def test_files_that_were_tampered_with():
    machine = SVM().fit(SIX, SIDES).hypothesis_
    machine.check()
    separator = machine.separators[0]
    for broken in (
        replace(machine, rows=machine.rows[:-1]),
        replace(machine, only=7),
        replace(machine, separators=(replace(separator, support=separator.support + 99),)),
        replace(machine, separators=(replace(separator, coefficients=separator.coefficients[:-1]),)),
        replace(machine, separators=(replace(separator, positive=5),)),
    ):
        with pytest.raises(induce.InputError, match=r"learn|was expected"):
            broken.check()


# --- virtual support vectors


def test_virtual_support_vectors_tell_what_does_not_matter():
    """A bar stands in one of nine places; moved by a pixel it is still a bar."""
    random = np.random.default_rng(0)
    images = np.zeros((60, 5, 5))
    y = np.arange(60) % 2
    for image, upright in zip(images, y, strict=True):
        r, c = random.integers(1, 3, 2)
        image[(slice(r - 1, r + 2), c) if upright else (r, slice(c - 1, c + 2))] = 1
    X = images.reshape(60, 25) + 0.1 * random.normal(size=(60, 25))
    moved = np.roll(images, 1, axis=1).reshape(60, 25)
    plain = SVM(scale=None, C=10).fit(X, y)
    virtual = VirtualSVM(Shifts((5, 5)), scale=None, C=10).fit(X, y)
    assert virtual.score(moved, y) >= plain.score(moved, y)
    assert set(virtual.hypothesis_.rows) <= set(plain.hypothesis_.rows)
    assert len(virtual.hypothesis_.rows) > len(plain.hypothesis_.rows)


def test_shifts_are_values(tmp_path):
    random = np.random.default_rng(0)
    learner = VirtualSVM(Shifts((2, 3))).fit(random.normal(size=(20, 6)), np.arange(20) % 2)
    induce.save(learner, tmp_path / "virtual.induce")
    assert induce.load(tmp_path / "virtual.induce").transformation == Shifts((2, 3))


def test_transformations_that_are_none():
    X, y = mixed(classes=2)
    with pytest.raises(induce.InputError, match='column "it\'s" is not numeric'):
        VirtualSVM(lambda x: x).fit(X, y)
    with pytest.raises(induce.InputError, match="one or more copies of all rows"):
        VirtualSVM(lambda x: x[:-1]).fit(SIX, SIDES)
    with pytest.raises(induce.InputError, match="but rows have 2 numbers"):
        VirtualSVM(Shifts((3, 3))).fit(SIX, SIDES)
    with pytest.raises(induce.InputError, match="larger than the shift"):
        Shifts((1, 3))


def test_pixels_in_another_order_change_nothing():
    """SL-118: a machine of pixels knows nothing of their places."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(80, 9)), random.integers(0, 3, 80)
    order = random.permutation(9)
    one, other = (SVM(tol=1e-8).fit(rows, y).decision_function(rows) for rows in (X, X[:, order]))
    np.testing.assert_allclose(one, other, atol=1e-6)
