"""`induce learn` from sequences, and `induce decode`."""

import polars as pl
import pytest

import induce

ROWS = """day,hour,sky,state
b,10,grey,rain
a,1,blue,dry
a,2,blue,
a,10,grey,rain
b,9,blue,dry
a,9,grey,rain
b,11,,rain
"""
LEARN = ("--learner", "HiddenMarkovModel", "--sequence", "day", "--order", "hour")


@pytest.fixture
def model(run, tmp_path):
    (tmp_path / "sky.csv").write_text(ROWS, encoding="utf-8")
    learned = run(
        "learn", tmp_path / "sky.csv", *LEARN, "--target", "state", "--out", tmp_path / "sky.induce"
    )
    assert "2 states, 5 parameters; log likelihood" in learned.out
    assert "1 nominal column, 1 value missing in 1 column" in learned.out
    return tmp_path / "sky.induce"


def test_decode_adds_the_states(run, model, tmp_path):
    decoded = run("decode", model, tmp_path / "sky.csv", "--smooth", "--out", tmp_path / "out.csv")
    assert "the new one is called 'state_'" in decoded.err
    found = pl.read_csv(tmp_path / "out.csv")
    assert found["state_"].to_list() == ["rain", "dry", "dry", "rain", "dry", "rain", "rain"]
    assert found["day"].to_list() == list("baaabab")
    chances = found.select("probability of dry", "probability of rain")
    assert chances.sum_horizontal().to_list() == pytest.approx([1] * 7)
    assert run("decode", model, tmp_path / "sky.csv", "--why", "1").out.startswith("rain (")
    typed = induce.load(model).decode(pl.read_csv(ROWS.encode()).drop("state"))
    assert typed.tolist() == found["state_"].to_list()


def test_what_else_is_done_with_the_model(run, model):
    assert run("sample", model, 3, "--seed", 1).out.splitlines()[0] == "sky,state"
    assert "chance of the next state" in run("show", model).out
    assert run("show", model, "--as", "svg").code == 0


def test_what_is_refused(run, model, tmp_path):
    data = tmp_path / "sky.csv"
    (tmp_path / "short.csv").write_text("day,sky\na,blue\n", encoding="utf-8")
    for arguments, sentence in [
        (("learn", data, "--learner", "HiddenMarkovModel", "--sequence", "dya"), "did you mean 'day'"),
        (("learn", data, "--learner", "C45", "--target", "state", "--order", "hour"), "leave them out"),
        (("predict", model, data), "`induce decode` adds the states"),
        (("explain", model, data), "with --why it explains one"),
        (("decode", model, tmp_path / "short.csv"), "column 'hour' is absent"),
        (("decode", model, data, "--why", 8), "there is no row 8; the last is 7"),
        (("decode", tmp_path / "none.induce", data), "none.induce"),
    ]:
        failed = run(*arguments)
        assert failed.code == 2
        assert sentence in failed.err
        assert failed.err.strip().count("\n") == 0
