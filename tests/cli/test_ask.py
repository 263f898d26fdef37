"""`induce ask`: questions, answers from a pipe, saving, resuming and quitting."""

import json

import pytest


def test_until_settled(run):
    result = run("ask", "enjoy-sport", stdin=b"n\nn\ny\n")
    assert result.code == 0
    assert "1. Sky = Sunny, AirTemp = Warm" in result.out
    assert result.out.splitlines()[-2] == "determined after 3 questions"
    assert result.out.splitlines()[-1] == "EnjoySport = Yes where AirTemp = Warm AND Wind = Strong"


def test_words_undo_and_what_is_known(run):
    result = run("ask", "enjoy-sport", stdin=b"Yes\nperhaps\n?\nundo\nNo\nq\n")
    assert result.code == 0
    assert "y(es), n(o), u(ndo)" in result.out
    assert "partly learned: 3 hypotheses" in result.out
    assert "not determined after 1 question" in result.out
    assert result.out.count("1. Sky = ") == 2


def test_the_end_of_the_answers_is_a_clean_end(run, tmp_path):
    path = tmp_path / "answers.json"
    first = run("ask", "enjoy-sport", "--answers", path, stdin=b"n\n")
    assert first.code == 0
    assert f"not determined after 1 question; answers are in {path}" in first.out
    assert len(json.loads(path.read_text(encoding="utf-8"))["answers"]) == 1
    second = run("ask", "enjoy-sport", "--answers", path, stdin=b"n\n")
    assert second.out.startswith(f"loaded from {path}: 1 answer\n2. ")
    assert "determined after 2 questions" in second.out
    third = run("ask", "enjoy-sport", "--answers", path)
    assert "determined after 2 questions" in third.out


def test_only_rows_and_from_nothing(run):
    result = run("ask", "enjoy-sport", "--rows", "--unlabelled", stdin=b"y\ny\nn\ny\n")
    assert result.code == 0
    assert "determined after" in result.out
    assert "Humidity = High, Wind = Strong" in result.out


def test_one_class_of_many(run):
    result = run("ask", "iris", "--positive", "setosa", "--rows", stdin=b"")
    assert result.code == 0
    assert "determined after 0 questions" in result.out
    assert "name the concept with --positive" in run("ask", "iris").sentence()
    assert (
        run("ask", "iris", "--positive", "setos").sentence()
        == "--positive is 'setos', which is not a class; did you mean 'setosa'?"
    )


def test_contradictory_data(run):
    assert "positive rows 1 and 2 and not negative row 3" in run("ask", "enjoy-sport-disjunctive").sentence()


@pytest.mark.parametrize("content", ["nonsense", "[]", '{"answers": 3}'])
def test_a_file_that_holds_no_answers(run, table, content):
    path = table(content, "answers.json")
    assert "holds no answers" in run("ask", "enjoy-sport", "--answers", path).sentence()


def test_answers_about_something_else(run, table, tmp_path):
    path = tmp_path / "answers.json"
    run("ask", "enjoy-sport", "--answers", path, stdin=b"n\n")
    assert (
        "are about EnjoySport = Yes"
        in run("ask", "enjoy-sport", "--positive", "No", "--answers", path).sentence()
    )


def test_answers_that_contradict_the_data(run, table, tmp_path):
    path = tmp_path / "answers.json"
    run("ask", "enjoy-sport", "--answers", path, stdin=b"n\n")
    document = json.loads(path.read_text(encoding="utf-8"))
    document["answers"] *= 2
    document["answers"][1] = document["answers"][1] | {"positive": True}
    path.write_text(json.dumps(document), encoding="utf-8")
    assert "answer 2 contradicts" in run("ask", "enjoy-sport", "--answers", path).sentence()


def test_bad_input(run, table):
    assert "answers are read from standard input" in run("ask", "-").sentence()
    data = table("a,b,c\nx,1,yes\ny,2,no\n")
    assert "language is 'trees'" in run("ask", data, "--target", "c", "--language", "trees").sentence()
    assert "column 'b' is numeric" in run("ask", data, "--target", "c", "--language", "nominal").sentence()
    gap = table("a,c\nx,yes\n?,no\n", "gap.csv")
    assert "missing value in row 2" in run("ask", gap, "--target", "c").sentence()
    assert "is numeric, but a concept is a class" in run("ask", data, "--target", "b").sentence()
