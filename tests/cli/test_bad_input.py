"""Bad input to `induce learn`: one sentence, exit code 2, nothing left behind."""

import os

import pytest

GOOD = b"a,b,y\n" + b"1,u,p\n2,v,q\n" * 20_000


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "'t.csv' is empty"),
        (b"a,b,y\n", "'t.csv' has a header but no rows"),
        (b"a,b,y\n1,u,p\n", "there is only one row with a class; learning needs at least two"),
        (b"a,b,y\n1,u,p\n2,v,p\n", "the target 'y' has only one class, 'p'; there is nothing to distinguish"),
        (b"a,b\n1,u\n2,v\n", "there is no column 'y'"),
        (b"a,b,y\n1,u,?\n2,v,\n", "the target 'y' is missing in every row; give labelled rows"),
        (b"a,a,y\n1,u,p\n2,v,q\n", "two columns of 't.csv' are called 'a'"),
        (b"a,,y\n1,u,p\n2,v,q\n", "column 2 of 't.csv' has no name"),
        (b"a,b,y\n1,u,p\ninf,v,q\n", "column 'a' holds infinity"),
        (b"a,b,y\n1,u,p\n-Infinity,v,q\n", "column 'a' holds infinity"),
        (b"y\np\nq\n", "there is no input column; give a table with at least one besides the target 'y'"),
        (b"id,y\n1,p\n2,q\n", "no column is left to learn from"),
        (GOOD + b"1,u\n", "line 40,002 of 't.csv' has 2 fields where the header has 3"),
        (GOOD + b'1,"u,p\n2,v,q\n', "line 40,002 of 't.csv' opens a quote"),
        (GOOD + b"1,caf\x81,p\n", "line 40,002 of 't.csv' is not UTF-8 (byte 0x81)"),
    ],
)
def test_bad_tables(run, table, tmp_path, content, expected):
    path = table(content)
    result = run("learn", path, "--target", "y", "--out", tmp_path / "m.induce", "--draw", tmp_path / "t.svg")
    assert expected in result.sentence()
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]


def test_a_nominal_column_of_many_values(run, table):
    rows = "".join(f"v{i % 100_000},{'pq'[i % 2]}\n" for i in range(150_000))
    result = run("learn", table("code,y\n" + rows), "--target", "y")
    assert "column 'code' has 100,000 different values, too many for a nominal column" in result.sentence()


def test_classes_are_no_fractions(run, table, tmp_path):
    """Without a learner the number is learned; one that learns classes refuses it and writes nothing."""
    path = table("a,y\n1,0.5\n2,0.25\n3,0.125\n")
    outputs = ["--out", tmp_path / "m.induce", "--draw", tmp_path / "t.svg"]
    result = run("learn", path, "--target", "y", "--learner", "C45", *outputs)
    assert result.sentence().startswith("Unknown label type: continuous. y holds fractions, but a class is ")
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]
    assert run("learn", path, "--target", "y", *outputs).code == 0
    assert {file.name for file in tmp_path.iterdir()} == {"t.csv", "m.induce", "t.svg"}


def test_columns_that_are_not_said_well(run, table):
    path = table("a,y\n1,p\n2,q\n")
    assert (
        "name the column to predict with --target; the likeliest are 'y' and 'a'; the"
        in run("learn", path).sentence()
    )
    both = run("learn", path, "--target", "y", "--nominal", "a", "--numeric", "a")
    assert "column 'a' is declared both nominal and numeric" in both.sentence()
    assert (
        "there is no schema file 'none.toml'"
        in run("learn", path, "--target", "y", "--schema", "none.toml").sentence()
    )
    words = table("a,y\nx,p\n2,q\n", "words.csv")
    assert (
        "column 'a' is numeric but holds 'x' in row 1"
        in run("learn", words, "--target", "y", "--numeric", "a").sentence()
    )


@pytest.mark.parametrize("option", ["--out", "--draw"])
def test_outputs_that_cannot_be_written(run, tmp_path, option):
    """They are refused before anything is learned."""
    folder = tmp_path / "folder.svg"
    folder.mkdir()
    assert "is a directory" in run("learn", "play-tennis", option, folder).sentence()
    nowhere = tmp_path / "nowhere" / "t.svg"
    assert "there is no directory" in run("learn", "play-tennis", option, nowhere).sentence()
    assert [file.name for file in tmp_path.iterdir()] == ["folder.svg"]


@pytest.mark.parametrize("command", ["predict", "show"])
def test_other_outputs_that_cannot_be_written(run, tennis, table, tmp_path, command):
    new = table("Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n")
    arguments = [tennis, new] if command == "predict" else [tennis]
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    assert "is a directory" in run(command, *arguments, "--out", folder).sentence()
    assert "there is no directory" in run(command, *arguments, "--out", tmp_path / "no" / "t.csv").sentence()


def test_a_read_only_file(run, tennis, table, tmp_path, monkeypatch):
    new = table("Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n")
    out = tmp_path / "p.csv"
    out.write_text("before", encoding="utf-8")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "permission denied" in run("predict", tennis, new, "--out", out).sentence()
    assert out.read_text(encoding="utf-8") == "before"


def test_rows_without_a_class_are_counted(run, table):
    path = table("a,y\n" + "1,p\n2,q\n" * 5 + "3,?\n")
    result = run("learn", path, "--target", "y", "--cv", 2)
    assert result.code == 0
    assert "note: 1 row has no value of the target 'y' and is left out" in result.err


def test_errors_of_the_machine_are_one_line(run, monkeypatch):
    def full(*arguments, **options):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("induce.data.catalogue.datasets", full)
    assert run("data").sentence() == "[Errno 28] No space left on device"
    monkeypatch.setattr("induce.data.catalogue.datasets", lambda: (_ for _ in ()).throw(MemoryError))
    assert run("data").sentence() == "there is not enough memory for this"
    monkeypatch.setattr(
        "induce.data.catalogue.datasets", lambda: (_ for _ in ()).throw(ValueError("two\nlines"))
    )
    assert run("data").sentence() == "two lines"
