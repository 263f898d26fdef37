"""`induce cluster`, and what the other commands do with clusters."""

import polars as pl
import pytest

import induce

ROWS = "size,colour\n" + "".join(f"{1 + k % 3},red\n{20 + k % 4},blue\n" for k in range(10))


@pytest.fixture
def rows(table):
    return table(ROWS, "rows.csv")


def test_clusters_are_printed_saved_drawn_and_assigned(run, rows, tmp_path):
    model, picture, assigned = (tmp_path / name for name in ("m.induce", "m.svg", "a.csv"))
    result = run("cluster", rows, "--out", model, "--draw", picture, "--assign", assigned, "--clusters", 2)
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert lines[0] == "rows: 20 rows, 1 numeric and 1 nominal columns, no value missing"
    assert "cluster 0: 50.0% of the rows" in lines
    assert any(line.startswith("  colour = ") for line in lines)
    assert any(line.startswith("  IF ") for line in lines)
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    found = pl.read_csv(assigned)
    assert found.columns == ["size", "colour", "cluster"]
    assert found.group_by("colour").agg(pl.col("cluster").n_unique())["cluster"].to_list() == [1, 1]
    assert isinstance(induce.load(model), induce.MixtureModel)
    said = run("predict", model, rows, "--proba").out.splitlines()
    assert said[0] == "size,colour,cluster,probability of 0,probability of 1"
    assert "against cluster" in run("explain", model, "size=2,colour=red").out
    assert run("sample", model, 3, "--seed", 0).out.count("\n") == 4


def test_the_number_is_found_from_the_data(run, rows):
    found = run("cluster", rows, "--learner", "KMeans", "--json", "n_init=1").json
    assert len(found["clusters"]) == 2
    assert found["clusters"][0]["rules"]
    assert len(found["labels"]) == 20
    assert found["learner"]["parameters"] == {"n_init": 1}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--clusters", "21"], "n_classes is 21, but there are only 7 distinct rows; give at most 7"),
        (
            ["--assign", "a.doc"],
            "the name 'a.doc' does not determine the format; end it in .csv or .tsv or .jsonl or .parquet",
        ),
        (["criterion=luck"], "criterion is 'luck'; it can be 'bic', 'cheeseman-stutz', 'mcmc'"),
    ],
)
def test_bad_input(run, rows, arguments, sentence):
    assert run("cluster", rows, *arguments).sentence() == sentence
