"""Learners without a target on the command line, shown with a small density: every column on its own."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import induce
from induce.core import declarations, registry
from induce.core.declarations import ROWS, Learner
from induce.core.parameters import Declared, number
from induce.data.schema import Schema
from induce.data.table import Table, encode
from induce.estimators import Reading, TableDensity
from induce.evaluation.comparing import applicable
from induce.hypotheses.kinds.density import Density


@dataclass(frozen=True, eq=False)
class Columns(Density):
    """Normal numbers and Laplace's shares of nominal values; what is missing adds nothing."""

    schema: Schema
    means: NDArray[np.float64]
    deviations: NDArray[np.float64]
    shares: NDArray[np.float64]

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return the log density of each row."""
        table = X if isinstance(X, Table) else encode(X, self.schema)
        z = (table.numeric - self.means) / self.deviations
        logs = -0.5 * z**2 - np.log(self.deviations) - 0.5 * math.log(2 * math.pi)
        found = np.nansum(logs, axis=1)
        for codes, share in zip(table.nominal.T, self.shares, strict=True):
            found += np.where(codes < 0, 0.0, np.log(np.append(share, [1.0, 1.0]))[codes])
        return found

    def size(self) -> str:
        """Return how many columns there are."""
        return f"{len(self.schema.inputs())} columns"

    def __str__(self) -> str:
        return f"columns on their own: {', '.join(self.schema.inputs().names())}"


class ColumnDensity(TableDensity):
    """Learn every column on its own."""

    parameters: ClassVar[Declared] = {"least": number("Least standard deviation.", above=0)}

    def __init__(self, *, least: float = 1e-3, schema: Any = None) -> None:
        self.least = least
        self.schema = schema

    def _learn(self, reading: Reading) -> Columns:
        table, weights = reading.table, reading.weight()
        known = weights[:, np.newaxis] * ~np.isnan(table.numeric)
        total = np.maximum(known.sum(axis=0), 1e-300)
        numbers = np.nan_to_num(table.numeric)
        means = (known * numbers).sum(axis=0) / total
        deviations = np.sqrt((known * (numbers - means) ** 2).sum(axis=0) / total)
        nominal = [column for column in table.schema if column.kind == "nominal"]
        shares = np.ones((len(nominal), max([len(column.domain) for column in nominal], default=0)))
        for row, codes, column in zip(shares, table.nominal.T, nominal, strict=True):
            row[: len(column.domain)] = _shares(codes, weights, len(column.domain))
        return Columns(reading.schema, means, np.maximum(deviations, self.least), shares)


def _shares(codes: NDArray[np.int32], weights: NDArray[np.float64], n_values: int) -> NDArray[np.float64]:
    counts = np.bincount(codes[codes >= 0], weights[codes >= 0], n_values) + 1.0
    return np.asarray(counts / counts.sum())


ENTRY = Learner("ColumnDensity", "densities", "every column on its own", ROWS, "Columns")


@pytest.fixture(autouse=True)
def catalogued(monkeypatch):
    """Let the density be one of the learners of the catalogue."""
    listed = declarations.learners()
    monkeypatch.setattr(declarations, "learners", lambda: (*listed, ENTRY))
    monkeypatch.setattr(applicable, "catalogue", lambda: (*listed, ENTRY))
    monkeypatch.setattr(induce, ENTRY.name, ColumnDensity, raising=False)
    monkeypatch.setitem(registry.VALUES, "Columns", registry.target_of(Columns))
    monkeypatch.setitem(registry.ESTIMATORS, ENTRY.name, registry.target_of(ColumnDensity))


ROWS_OF_FLATS = "area,town\n" + "".join(
    f"{area},{'old' if area % 3 else 'new'}\n" for area in range(40, 100, 2)
)


@pytest.fixture
def flats(table):
    return table(ROWS_OF_FLATS, "flats.csv")


@pytest.fixture
def model(run, flats, tmp_path):
    path = tmp_path / "flats.induce"
    assert run("learn", flats, "--learner", "columndensity", "--out", path, "--no-evaluate").code == 0
    return path


# --- learn ---------------------------------------------------------------------------------------------------


def test_learn_without_a_target(run, flats, tmp_path):
    out = tmp_path / "m.induce"
    result = run("learn", flats, "--learner", "ColumnDensity", "--out", out, "least=0.5")
    assert result.code == 0, result.err
    expected = induce.evaluate(ColumnDensity(least=0.5), induce.read(flats).X)
    lines = result.out.splitlines()
    assert lines[0] == "flats: 30 rows, 1 numeric and 1 nominal columns, no value missing"
    assert lines[2] == "columns on their own: area, town"
    assert lines[4].startswith("ColumnDensity: 2 columns, learned in ")
    assert lines[5].startswith(f"mean log-likelihood {expected.value:.2f}, approximate 95% interval [")
    assert "(10-fold cross-validation, 30 rows), in " in lines[5]
    assert result.err == ""
    assert induce.load(out).least == 0.5


def test_json(run, flats):
    found = run("learn", flats, "--learner", "ColumnDensity", "--cv", "5", "--json").json
    assert found["data"]["target"] is None
    assert not {"classes", "range"} & set(found["data"])
    assert found["estimate"]["measure"] == "mean log-likelihood"
    assert found["estimate"]["higher"] is True
    assert "error" not in found["estimate"]
    low, high = found["estimate"]["interval"]["low"], found["estimate"]["interval"]["high"]
    assert low < found["estimate"]["value"] < high
    assert found["estimate"]["interval"]["holds"] is False


def test_a_shipped_target_is_left_out(run):
    result = run("learn", "iris", "--learner", "ColumnDensity", "--no-evaluate")
    assert result.err == "note: ColumnDensity learns without a target, so 'species' is left out\n"
    assert "left out: species" in result.out
    assert "setosa" not in result.out


def test_theory_has_nothing_to_say(run, flats):
    result = run("learn", flats, "--learner", "ColumnDensity", "--no-evaluate", "--theory")
    assert result.code == 0
    assert "note: " in result.err


def test_the_log_likelihood_that_cannot_be_estimated(run, flats, monkeypatch, tmp_path):
    """What was learned is not lost with it."""
    monkeypatch.setattr(Columns, "score_samples", lambda self, X: np.full(len(X), -math.inf))
    result = run("learn", flats, "--learner", "ColumnDensity", "--out", tmp_path / "m.induce")
    assert result.code == 0
    assert "the log-likelihood was not estimated: the mean log-likelihood is -inf for row" in result.err
    assert (tmp_path / "m.induce").exists()


@pytest.mark.parametrize(
    ("content", "arguments", "sentence"),
    [
        ("a,b\n1,2\n2,3\n", ["--target", "b"], "ColumnDensity learns without a target; leave out --target"),
        ("a,b\n1,2\n", [], "there is only one row; learning needs at least two"),
        ("a\n1\n2\n", ["--ignore", "a"], "there is no input column; give a table with at least one"),
    ],
)
def test_tables_that_are_none(run, table, content, arguments, sentence):
    assert run("learn", table(content), "--learner", "ColumnDensity", *arguments).sentence() == sentence


# --- predict, show, explain, learners ------------------------------------------------------------------------


def test_predict_adds_the_log_density(run, model, table, tmp_path):
    new = table("town,floor,area\nold,3,60\n?,1,?\nghost,2,1e9\n", "new.csv")
    result = run("predict", model, new)
    assert result.err == (
        "note: the model was trained without column 'floor', which is ignored\n"
        "note: column 'town' holds values in 1 of 3 rows not seen in training: ghost 1\n"
    )
    head, *lines = result.out.splitlines()
    assert head == "town,floor,area,log density"
    found = [float(line.split(",")[-1]) for line in lines]
    rows = pl.DataFrame({"area": [60.0, None, 1e9], "town": ["old", None, "ghost"]})
    assert found == pytest.approx(induce.load(model).score_samples(rows).tolist())
    assert found[1] == 0.0
    out = tmp_path / "new.parquet"
    run("predict", model, new, "--out", out)
    assert pl.read_parquet(out)["log density"].to_list() == pytest.approx(found)


def test_no_probabilities(run, model, flats):
    assert run("predict", model, flats, "--proba").sentence() == (
        "--proba is for classes, but this model is a density; leave it out"
    )


def test_show(run, model):
    assert run("show", model).out == "columns on their own: area, town\n"
    assert run("show", model, "--as", "json").json["type"] == "Columns"
    refused = run("show", model, "--as", "sql").sentence()
    assert refused == "a Columns cannot be written as sql; it can be written as text, json, html"
    assert "a Columns cannot be written as svg" in run("show", model, "--as", "svg").sentence()


def test_explain(run, model, monkeypatch):
    assert run("explain", model, "area=60").sentence() == (
        "this model is a density without predictions to explain; `induce predict` adds the log density of "
        "each row"
    )
    monkeypatch.setattr(Columns, "explain", lambda self, X: tuple("as usual" for _ in range(len(X))))
    assert run("explain", model, "area=60,town=old").out == "as usual\n"
    assert "there is no column 'twon'; did you mean 'town'?" in run("explain", model, "twon=old").sentence()


def test_listed(run):
    groups = run("learners").out.split("\n\n")
    assert [group.splitlines()[0] for group in groups if "ColumnDensity" in group] == [
        next(group.splitlines()[0] for group in groups if "KernelDensity" in group)
    ]


# --- compare -------------------------------------------------------------------------------------------------


def test_compare_without_a_target(run, flats, small):
    result = run("compare", flats, "--cv", "2", "--all")
    assert result.code == 0, result.err
    assert "note: no --target is given, so densities are compared; the columns are area, town" in (result.err)
    lines = result.out.splitlines()
    assert lines[0].startswith("flats: mean log-likelihood by 2-fold cross-validation, 30 rows")
    assert any(re.match(r"ColumnDensity +-\d", line) for line in lines)
    (left_out,) = [line for line in lines if line.startswith("left out: ")]
    assert left_out.startswith("left out: NeighborDensity: its densities do not sum to 1 over all rows")
    found = run("compare", flats, "--json", "--learners", "ColumnDensity")
    assert found.err == ""
    assert [line["name"] for line in found.json["learners"]] == ["ColumnDensity"]
    assert found.json["data"]["target"] is None


def test_compare_named_learners(run, flats):
    assert run("compare", "iris", "--learners", "ColumnDensity").err == (
        "note: ColumnDensity learns without a target, so 'species' is left out\n"
    )
    assert run("compare", flats, "--learners", "ColumnDensity", "--target", "town").sentence() == (
        "ColumnDensity learns without a target; leave out --target"
    )
    assert run("compare", "iris", "--learners", "C45,ColumnDensity").sentence() == (
        "C45 predicts classes and ColumnDensity learns without a target; compare learners of one kind only"
    )
    assert run("compare", flats, "--learners", "C45,ColumnDensity").sentence() == (
        "name the column to predict with --target; the likeliest are 'town' and 'area'; the columns are area, town"
    )


def test_left_out_where_there_is_a_target():
    X = induce.dataset("play-tennis").X
    found, left_out = applicable.applicable(X, "classes", n_classes=2)
    assert "ColumnDensity" not in found
    assert left_out["ColumnDensity"] == "it learns without a target, but the target is classes"
    found, left_out = applicable.applicable(X, "density")
    assert {"ColumnDensity", "KernelDensity"} <= set(found)
    assert "C45" not in left_out
