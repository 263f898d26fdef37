"""`induce learn` in chunks: the hypothesis of the whole table, in flat memory, and the command says so."""

import gzip

import numpy as np
import polars as pl
import pytest

import induce
from induce.cli import chunked_learning
from induce.data import chunks

random = np.random.default_rng(0)
N = 3000
CLASSES = np.array(["no", "yes"])[random.integers(0, 2, N)]
FRAME = pl.DataFrame(
    {
        "size": random.normal(CLASSES == "yes", 1.0),
        "colour": np.array(["red", "green", "blue", None])[random.integers(0, 4, N)],
        "item_id": [f"A{row}" for row in range(N)],
        "sold": CLASSES,
    }
)


@pytest.fixture
def parquet(tmp_path):
    path = tmp_path / "sales.parquet"
    FRAME.write_parquet(path)
    return path


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """Chunks and samples that are small against the file."""
    monkeypatch.setattr(chunks, "MOST_ROWS", 700)
    monkeypatch.setattr(chunked_learning, "SAMPLE", 1000)


def test_the_hypothesis_is_that_of_the_whole_table(run, parquet, tmp_path):
    whole, parts = tmp_path / "whole.induce", tmp_path / "chunks.induce"
    arguments = ("learn", parquet, "--target", "sold", "--learner", "NaiveBayes")
    assert run(*arguments, "--no-evaluate", "--out", whole).code == 0
    result = run(*arguments, "--stream", "--out", parts)
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert lines[0] == "sales: 3,000 rows, 1 numeric and 1 nominal columns, learned in chunks of 700 rows"
    assert lines[1] == "left out: item_id"
    most = max(np.unique(CLASSES, return_counts=True)[1])
    assert lines[2].startswith("sold: ")
    assert f"{most:,} ({most / N:.1%})" in lines[2]
    assert "note: the error is estimated from 1,000 of the 3,000 rows, drawn at random\n" in result.err
    assert "(10-fold cross-validation, 1000 rows), in " in result.out
    mine, other = induce.load(parts), induce.load(whole)
    np.testing.assert_allclose(
        mine.predict_proba(FRAME.drop("sold")), other.predict_proba(FRAME.drop("sold"))
    )


def test_declared_classes_keep_their_order(run, tmp_path):
    path = tmp_path / "tennis.parquet"
    tennis = induce.dataset("play-tennis")
    tennis.frame.write_parquet(path)
    arguments = ("--target", "PlayTennis", "--learner", "NaiveBayes", "--stream", "--json", "--no-evaluate")
    assert run("learn", path, *arguments).json["hypothesis"]["classes"] == ["Yes", "No"]


def test_json(run, parquet):
    arguments = ("learn", parquet, "--target", "sold", "--learner", "NaiveBayes", "--stream", "--json")
    found = run(*arguments).json
    assert found["data"]["chunks"] == 700
    assert found["data"]["rows"] == 3000
    assert found["data"]["classes"] == {
        name: int(count) for name, count in zip(*np.unique(CLASSES, return_counts=True), strict=True)
    }
    assert found["estimate"]["n"] == 1000
    assert run(*arguments, "class_weight=balanced", "--no-evaluate").json["data"] == found["data"]
    assert run(*arguments, "--no-evaluate").json["estimate"] is None


def test_the_estimate_is_near_that_of_all_rows(run, parquet):
    arguments = ("learn", parquet, "--target", "sold", "--learner", "NaiveBayes", "--json")
    some, every = (run(*arguments, *more).json["estimate"]["value"] for more in (["--stream"], []))
    assert some == pytest.approx(every, abs=0.05)


def test_a_small_file_is_tested_as_a_whole(run, table):
    path = table("a,y\n" + "x,yes\nz,no\n" * 20)
    result = run("learn", path, "--target", "y", "--learner", "NaiveBayes", "--stream")
    assert result.err == ""
    assert "error 0.00" in result.out
    assert "40 rows)" in result.out


def test_large_files_are_streamed_unasked(run, parquet, tmp_path, monkeypatch):
    arguments = ("--target", "sold", "--learner", "NaiveBayes", "--no-evaluate")
    said = "is large, so it is learned in chunks; --no-stream reads it as a whole"
    assert said not in run("learn", parquet, *arguments).err
    monkeypatch.setattr(chunked_learning, "MOST_CELLS", 11_999)
    monkeypatch.setattr(chunked_learning, "MOST_BYTES", 10_000)
    assert said in run("learn", parquet, *arguments).err
    assert said not in run("learn", parquet, *arguments, "--no-stream").err
    assert said not in run("learn", parquet, "--target", "sold", "--no-evaluate").err
    text = tmp_path / "sales.csv.gz"
    text.write_bytes(gzip.compress(FRAME.write_csv().encode()))
    result = run("learn", text, *arguments)
    assert said in result.err
    assert result.out.startswith("sales: 3,000 rows, ")
    monkeypatch.setattr(chunked_learning, "MOST_CELLS", 12_000)
    assert said not in run("learn", parquet, *arguments).err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--learner", "SVM", "--target", "sold"],
            "--stream is for learners with additive statistics, such as",
        ),
        (
            ["--learner", "NaiveBayes"],
            "name the column to predict with --target; the columns are size,",
        ),
        (["--learner", "NaiveBayes", "--target", "slod"], "there is no column 'slod'; did you mean 'sold'?"),
        (["--learner", "NaiveBayes", "--target", "sold", "--theory"], "--theory needs all rows at once"),
    ],
)
def test_what_cannot_be_streamed(run, parquet, arguments, sentence):
    assert sentence in run("learn", parquet, "--stream", *arguments).sentence()


def test_what_is_no_file(run):
    for data in ("iris", "-"):
        assert run("learn", data, "--learner", "NaiveBayes", "--stream").sentence() == (
            f"--stream is for files, and {data!r} is not a file; leave it out"
        )


def test_damaged_files(run, table):
    path = table(b"PAR1 and no more", "t.parquet")
    for stream in ((), ("--stream",)):
        result = run("learn", path, "--target", "y", "--learner", "NaiveBayes", *stream)
        assert "is not a complete Parquet file" in result.sentence()


def test_trees_are_learned_in_partitions(run, parquet, tmp_path):
    tree = (
        "--target",
        "sold",
        "--learner",
        "DecisionTreeClassifier",
        "bins=20",
        "max_depth=3",
        "--json",
        "--no-evaluate",
    )
    whole = run("learn", parquet, *tree, "--out", tmp_path / "whole.induce")
    parts = run("learn", parquet, *tree, "--on", "threads:2", "--out", tmp_path / "parts.induce")
    assert whole.json["hypothesis"] == parts.json["hypothesis"]
    assert "by 2 threads" in parts.err
    assert "rows per second" in parts.err
    said = run("learn", parquet, "--target", "sold", "--learner", "SVM", "--on", "threads").sentence()
    assert (
        said
        == "--on is for learners that sum over partitions, and SVM needs all rows at once; leave it out, or "
        "learn from a sample: --sample 1000"
    )
    said = run("learn", parquet, *tree, "--on", "mars").sentence()
    assert said.startswith("'mars' is not an engine; give 'serial'")


def test_rows_are_held_out_by_a_hash(run, parquet, tmp_path):
    model = tmp_path / "tree.induce"
    given = ("learn", parquet, "bins=10", "max_depth=2", "--target", "sold")
    result = run(*given, "--learner", "DecisionTreeClassifier", "--hold-out", "0.3", "--out", model)
    assert result.code == 0, result.err
    assert "on rows held out by a hash of their number:" in result.out
    tested = run("evaluate", model, parquet, "--hold-out", "0.3")
    assert tested.code == 0, tested.err
    assert tested.out.splitlines()[0] in result.out
    train, test = induce.scan(parquet, "sold").held_out(0.3)
    assert induce.load(model).hypothesis_.counts[0].sum() == len(train.read().X) == N - len(test.read().X)
    wrong = run("learn", parquet, "--target", "sold", "--learner", "SVM", "--hold-out", "0.3")
    assert wrong.code == 2
    assert "needs all rows at once" in wrong.err


def test_finished_passes_are_kept_until_the_end(run, parquet, tmp_path):
    given = ("learn", parquet, "--target", "sold", "--learner", "C45", "--no-evaluate")
    folder = tmp_path / "passes"
    assert run(*given, "--resume", folder).code == 0
    assert not folder.exists()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine", encoding="utf-8")
    refused = run(*given, "--resume", tmp_path / "other")
    assert refused.code == 2
    assert "holds other files" in refused.err


def test_numbers_are_learned_from_partitions(run, parquet):
    result = run(
        "learn",
        parquet,
        "--target",
        "size",
        "--learner",
        "DecisionTreeRegressor",
        "--stream",
        "--no-evaluate",
    )
    assert result.code == 0, result.err
    assert "size: " in result.out
    assert "DecisionTreeRegressor: " in result.out


def test_a_large_table_is_described_in_one_pass(run, parquet, monkeypatch):
    whole = run("data", parquet, "--target", "sold").out.splitlines()
    monkeypatch.setattr(chunked_learning, "MOST_CELLS", 100)
    result = run("data", parquet, "--target", "sold")
    assert result.code == 0, result.err
    assert "is described in one pass" in result.err
    lines = result.out.splitlines()
    assert lines[0] == whole[0]
    colour = next(line for line in whole if line.startswith("  colour"))
    assert colour in lines
    assert next(line for line in whole if line.startswith("classes of sold")) in lines
    assert "many distinct: " in next(line for line in lines if line.startswith("  size"))


def test_how_many_rows_are_enough(run, parquet):
    asked = ("size", "--data", parquet, "--target", "sold", "--learner", "NaiveBayes")
    result = run(*asked, "--width", "0.3")
    assert result.code == 0, result.err
    assert "rows are sufficient: twice as many gain at most" in result.out
    never = run(*asked, "--width", "0.000001", "--json")
    assert never.code == 0, never.err
    assert '"enough": ' in never.out
    assert run("size", "--data", parquet).code == 2


def test_a_learner_that_needs_all_rows_offers_a_sample(run, parquet, monkeypatch):
    arguments = ("learn", parquet, "--target", "sold", "--learner", "KNeighborsClassifier", "--no-evaluate")
    for flag in (["--on", "threads:2"], ["--stream"]):
        said = run(*arguments, *flag).sentence()
        assert (
            "KNeighborsClassifier needs all rows at once; leave it out, or learn from a sample: --sample"
            in said
        )
    result = run(*arguments, "--sample", 500)
    assert result.code == 0, result.err
    assert " of the 3,000 rows are learned from, chosen by a hash of their number\n" in result.err
    assert run(*arguments, "--sample", 500, "--json").json["data"]["rows"] < 600
    monkeypatch.setattr(chunked_learning, "MOST_CELLS", 11_999)
    assert "is large and read as a whole, because KNeighborsClassifier needs all rows" in run(*arguments).err


def test_samples_are_of_files_and_in_memory(run, parquet):
    arguments = ("--target", "sold", "--learner", "NaiveBayes", "--sample", 500)
    assert (
        "--sample learns in memory; leave out --stream"
        in run("learn", parquet, *arguments, "--stream").sentence()
    )
    said = "--sample is for files, and 'iris' is not a file; leave it out"
    assert run("learn", "iris", *arguments).sentence() == said
    assert run("learn", "iris", "--learner", "NaiveBayes", "--on", "serial").sentence() == (
        "--on is for files, and 'iris' is not a file; leave it out"
    )
