"""`induce theory`: rows for a class, what rows promise, tables of hypotheses, and majorities."""

import pytest

from induce.theory import bounds, conjunctions, of_dimension, promise


def test_bounds_side_by_side(run):
    result = run("theory", "conjunctions", "-n", 10, "--epsilon", 0.1, "--delta", 0.005)
    assert result.code == 0
    shown = str(bounds(conjunctions(10), 0.1, 0.005))
    assert result.out == f"{shown}\nHalving errs at most 15 times\n"
    found = run("theory", "conjunctions", "-n", 10, "--json").json
    assert found["rows"] == bounds(conjunctions(10)).rows
    assert (found["epsilon"], found["delta"], found["necessary"]) == (0.1, 0.05, None)
    assert found["halving_mistakes"] == 15


def test_one_bound(run):
    found = run("theory", "--size", 973, "--setting", "consistent", "--json").json
    assert (found["rows"], found["asked"]) == (99, "m")
    assert run("theory", "rectangles", "-n", 2, "--setting", "vc").out.startswith("2,461 rows (2,460.")
    found = run("theory", "--vc", 3, "--setting", "vc", "--epsilon", 0.05, "--delta", 0.1, "--json").json
    assert found["rows"] == 4197
    assert found["space"] == {"name": "an infinite space", "ln_size": None, "vc": 3.0}


def test_inverse_questions(run):
    found = run("theory", "conjunctions", "-n", 10, "--rows", 140, "--epsilon", 0.1, "--json").json
    assert found["delta"] == pytest.approx(0.0491009, abs=1e-7)
    found = run("theory", "conjunctions", "-n", 10, "--rows", 100, "--setting", "consistent", "--json").json
    assert found["epsilon"] == pytest.approx(0.13982, abs=1e-5)
    found = run("theory", "rectangles", "-n", 2, "--rows", 50, "--setting", "vc", "--json").json
    assert found["vacuous"]
    assert found["epsilon"] == pytest.approx(2.1062, abs=1e-4)


def test_a_promise(run):
    result = run("theory", "conjunctions", "-n", 10, "--rows", 500, "--error", 0.1)
    assert result.out == f"{promise(conjunctions(10), 500, 0.1)}\n"
    found = run("theory", "--vc", 3, "--rows", 5000, "--delta", 0.01, "--json").json
    assert found["bound"] == promise(of_dimension(3), 5000, delta=0.01).bound


def test_the_classes(run):
    lines = run("theory", "classes").out.splitlines()
    assert lines[0].startswith("conjunctions -n ")
    assert any(line.startswith("k-cnf -n -k ") for line in lines)
    assert run("theory", "classes", "--json").json["k-dnf"]["takes"] == ["n", "k"]


def test_a_table_of_hypotheses(run, table):
    path = table("\n".join("0" * t + "1" * (7 - t) for t in range(8)) + "\n", "thresholds.txt")
    found = run("theory", "--table", path, "--json").json
    assert (found["vc"], found["opt"], found["halving"], found["concepts"]) == (1, 3, 3, 8)
    assert found["growth"] == found["sauer"] == list(range(1, 9))
    out = run("theory", "--table", table("0, 1\n1 0\n")).out
    assert out.startswith("VC dimension 1 over 2 instances: instances 0 are shattered")
    assert "Opt 1 <= Halving 1" in out


def test_a_table_that_is_too_wide_for_the_growth_function(run, table):
    path = table("0" * 30 + "\n" + "1" * 30 + "\n")
    result = run("theory", "--table", path)
    assert (result.code, "give at most 20" in result.out) == (0, True)
    found = run("theory", "--table", path, "--json").json
    assert (found["vc"], found["opt"], found["growth"]) == (1, 1, None)
    assert (
        run("theory", "--table", path, "--draw", path.parent / "x.svg")
        .sentence()
        .startswith("this result has no picture; leave --draw out, or ask for rows or for a --table")
    )


def test_a_majority(run):
    assert run("theory", "--experts", 5, "--best", 1).out == (
        "5 experts, the best of which errs 1 times, beta 0.5, whatever rows come:\n"
        "Weighted-Majority errs at most 8.004 times\n"
        "randomised Weighted-Majority is expected to err fewer than 4.605 times\n"
    )
    found = run("theory", "--experts", 8, "--best", 1, "--beta", 0, "--json").json
    assert (found["weighted_majority"], found["randomized"]) == (None, None)


def test_pictures(run, table, tmp_path):
    for arguments in (["conjunctions", "-n", 5], ["--table", table("01\n11\n")]):
        path = tmp_path / "picture.svg"
        assert run("theory", *arguments, "--draw", path).out.endswith(f"wrote {path}\n")
        assert path.read_text(encoding="utf-8").startswith("<?xml")
        path.unlink()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "give a class of hypotheses, or one of --size, --vc, --table and --experts"),
        (["conjunctions", "--vc", 3], "CLASS and --vc are two questions; ask one of them"),
        (
            ["conjunctons", "-n", 3],
            "there is no class of hypotheses 'conjunctons'; did you mean 'conjunctions'?",
        ),
        (["conjunctions"], "the class 'conjunctions' needs n; give n"),
        (["intervals", "-n", 3], "the class 'intervals' takes no n; leave it out"),
        (["--size", 10, "-n", 3], "-n and -k belong to a class of hypotheses; leave them out"),
        (["--size", 0], "size is 0.0; it must be a number of at least 1"),
        (
            ["--vc", 3, "--setting", "agnostic"],
            "the space has infinitely many hypotheses, for which 'agnostic'",
        ),
        (["--size", 9, "--setting", "vcc"], "setting is 'vcc'; it can be 'consistent', 'sharp'"),
        (["--size", 9, "--epsilon", 0], "epsilon is 0.0; it must be a number above 0 and at most 1"),
        (["--size", 9, "--error", 0.1], "--error is the error on the given rows; give --rows as well"),
        (
            ["--size", 9, "--rows", 9, "--epsilon", 0.1, "--delta", 0.1],
            "--rows, --epsilon and --delta are all given; leave out the one to be computed",
        ),
        (["--size", 9, "--rows", 9, "--epsilon", 0.1, "--error", 0.1], "--error needs --rows"),
        (["--size", 9, "--rows", 0], "m is 0; it must be a whole number of at least 1"),
        (["--experts", 3, "--beta", 1], "beta is 1, with which no weight ever changes"),
        (["--experts", 3, "--draw", "x.svg"], "this result has no picture"),
        (["--size", 3, "--draw", "x.doc"], "the name 'x.doc' does not determine the format"),
        (["--table", "nowhere.txt"], "cannot read 'nowhere.txt'"),
    ],
)
def test_what_cannot_be_answered(run, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    assert run("theory", *arguments).sentence().startswith(sentence)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "there is no hypothesis in"),
        ("01\n02\n", "line 2 of"),
        ("01\n011\n", "line 2 of"),
        (b"\xff\xfe", "cannot read"),
    ],
)
def test_tables_that_cannot_be_read(run, table, content, sentence):
    assert run("theory", "--table", table(content)).sentence().startswith(sentence)
