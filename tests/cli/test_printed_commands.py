"""Every command that is printed runs when pasted into a shell, from the folder it was printed in."""

import html
import re
import shlex

import numpy as np
import polars as pl
import pytest

FILES = (  # name of the file, name of the target, name of a column, options to read it
    ("plain.csv", "y", "x", ()),
    ("my data.csv", "Would you recommend us?", "x", ()),
    ("what's $HOME.csv", "it's $5", 'a "b"', ()),
    ("-dash.csv", "-y", "--x", ()),
    ("Käufer.csv", "Größe", "Straße & Nr.", ()),
    ("tab.txt", "y", "x", ("--separator", "\\t", "--header", "yes")),
    ("semicolon.csv", "y;z", "x", ("--separator", ";", "--decimal", ",")),
    ("star*.csv", "y", "`x`", ("--missing", "-", "--missing", "?")),
    ("latin.csv", "Größe", "x", ("--encoding", "latin-1")),
    ("two sheets.xlsx", "y", "x", ("--sheet", "the second")),
)


def write(path, target, column, options):
    rng = np.random.default_rng(0)
    x = rng.normal(size=60)
    kind = np.where(x + rng.normal(size=60) > 0, "good", "bad")
    table = pl.DataFrame({column: x.round(3), "colour": rng.choice(["red", "blue"], 60), target: kind})
    given = dict(zip(options[::2], options[1::2], strict=True))
    if path.suffix == ".xlsx":
        import xlsxwriter

        with xlsxwriter.Workbook(path) as book:
            pl.DataFrame({"z": [1, 2, 3], "w": [4, 5, 6]}).write_excel(book, "the first")
            table.write_excel(book, "the second")
        return
    separator = given.get("--separator", ",").replace("\\t", "\t")
    text = table.write_csv(separator=separator, decimal_comma="--decimal" in given)
    path.write_bytes(text.encode(given.get("--encoding", "utf-8")))


@pytest.mark.parametrize(("name", "target", "column", "options"), FILES, ids=[each[0] for each in FILES])
def test_commands_of_advise_and_of_a_report(run, tmp_path, monkeypatch, name, target, column, options):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / name
    write(file, target, column, options)
    given = f"./{name}" if name.startswith("-") else name
    advice = run("advise", given, f"--target={target}", f"--nominal={column}", *options)
    assert advice.code == 0, advice.err
    words = shlex.split(advice.out.rsplit("compare them: ", 1)[1])
    assert words[:3] == ["induce", "compare", given]
    words[-1] = "DecisionStump,NaiveBayes"  # quick learners
    compared = run(*words[1:], "--cv", 2)
    assert compared.code == 0, compared.err
    assert advice.out.split(":", 1)[0] in compared.out  # the name of the table, with its sheet

    model = f"model of {name}.induce"
    learned = run(
        "learn", given, f"--target={target}", *options, "--learner", "C45", "--no-evaluate", f"--out={model}"
    )
    assert learned.code == 0, learned.err
    page = tmp_path / "page.html"
    assert run("report", f"./{model}", "--out", page).code == 0
    text = html.unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))
    explained = next(line for line in text.splitlines() if line.startswith("induce explain"))
    words = [given if word == "new.csv" else word for word in shlex.split(explained)[1:]]
    result = run(*words, *options)
    assert result.code == 0, result.err
