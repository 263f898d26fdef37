"""`induce compare`: a table of learners, who differs from the best, and what there is to read."""

import re

import pytest

import induce

ROWS = "wind,temp,play\n" + "weak,20,yes\nstrong,10,no\nweak,12,no\nstrong,30,yes\n" * 8


def test_report(run, tmp_path):
    result = run("compare", "wine", "--learners", "C45,c45rules,DecisionStump", "--draw", tmp_path / "b.svg")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "wine: error by 10-fold cross-validation, 178 rows; cautious resampled t, Holm"
    assert lines[2].split()[:2] == ["learner", "error"]
    assert [line.split()[0] for line in lines[3:6]] == ["C45", "C45Rules", "DecisionStump"]
    assert "best" in lines[3]
    assert "worse: p < 0.001" in lines[5]
    X, y = induce.dataset("wine")
    assert str(induce.C45Rules().fit(X, y).hypothesis_) in result.out
    assert f"wrote {tmp_path / 'b.svg'}" in lines
    assert "<svg" in (tmp_path / "b.svg").read_text(encoding="utf-8")


@pytest.mark.slow
def test_all_learners_that_the_table_is_for(run, table, small):
    result = run("compare", table(ROWS), "--target", "play", "--cv", "2", "--all")
    assert result.code == 0
    (left_out,) = [line for line in result.out.splitlines() if "it predicts numbers" in line]
    assert left_out.startswith("left out: ")
    assert {"DecisionTreeRegressor", "ModelTree"} <= set(re.findall(r"\w+", left_out))
    assert {"C45", "ID3", "LMDT", "BFSID3"} <= {line.split(" ")[0] for line in result.out.splitlines()}
    assert "always predicting no: error 0.500" in result.out


def test_a_short_list_suits_the_table(run, table):
    found = run("compare", table(ROWS), "--target", "play", "--cv", "2", "--json").json
    names = {line["name"] for line in found["learners"]} | set(found["failed"])
    assert {"C45", "RIPPER", "NaiveBayes"} <= names
    assert len(names) <= 8
    assert not {"FOIL", "Cigol", "Winnow"} & names
    both = run("compare", table(ROWS), "--target", "play", "--all", "--learners", "C45")
    assert "--all and --learners exclude each other" in both.err


def test_json_is_one_document(run):
    found = run("compare", "iris", "--learners", "C45,CART", "--cv", "5", "--seed", "2", "--json").json
    assert found["data"] == {"name": "iris", "rows": 150, "target": "species"}
    assert found["method"] == "5-fold cross-validation"
    by_name = {line["name"]: line for line in found["learners"]}
    expected = induce.evaluate(induce.C45(), *induce.dataset("iris"), cv=5, random_state=2)
    assert by_name["C45"]["value"] == expected.error
    assert by_name["C45"]["interval"]["low"] == expected.interval.low
    assert found["readable"]["hypothesis"]["type"] == "Tree"
    assert found["failed"] == {}
    assert found["learners"][0]["p_value"] is None


def test_numbers_and_other_scores(run, table, small):
    rows = "a,b,c\n" + "".join(f"{k % 7},{k},{k / 3}\n" for k in range(60))
    found = run("compare", table(rows), "--target", "c", "--cv", "3", "--all", "--json").json
    assert found["measure"] == "mean absolute error"
    assert {"DecisionTreeRegressor", "ModelTree"} <= {line["name"] for line in found["learners"]}
    assert "C45" in found["left_out"]
    words = ("compare", table(rows), "--target", "a", "--cv", "3", "--learners", "C45,ID3", "--json")
    assert run(*words, "--score", "accuracy").json["measure"] == "accuracy"
    words = ("compare", table(rows), "--target", "a", "--learners", "LinearRegression", "--json")
    assert run(*words, "--predict", "numbers").json["measure"] == "mean absolute error"


def test_repeats_and_the_seed(run):
    words = ("compare", "iris", "--learners", "C45,ID3", "--cv", "3", "--json")
    one, same, other, twice = (
        run(*words, *more).json for more in ((), ("--jobs", "2"), ("--seed", "9"), ("--repeats", "2"))
    )

    def values(found):
        return [line["value"] for line in found["learners"]]

    assert values(one) == values(same)
    assert values(one) != values(other)
    assert twice["method"] == "2 times 3-fold cross-validation"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--learners", "C46"], "there is no learner 'C46'; did you mean 'C45'?"),
        (["--learners", ","], "--learners is empty; give names such as C45,CART, or leave it out"),
        (["--learners", "C45,ModelTree"], "C45 predicts classes and ModelTree predicts numbers"),
        (["--learners", "C45", "--cv", "1"], "give a number of folds from 2 to the number of rows"),
        (["--learners", "C45", "--confidence", "95"], "confidence is 95"),
        (["--learners", "C45", "--score", "acc"], "there is no score 'acc'"),
        (["--predict", "words"], "predict is 'words'; it can be 'classes', 'numbers'"),
        (["--draw", "board.gif"], "does not determine the format"),
        (["--target", "colour"], "colour"),
        (["--time-limit", "-1"], "the time limit is"),
    ],
)
def test_bad_input(run, options, sentence):
    assert sentence in run("compare", "iris", *options).sentence()


def test_tables_that_cannot_be_compared_on(run, table):
    assert (
        "name the column to predict with --target"
        in run("compare", table(ROWS), "--learners", "C45").sentence()
    )
    one = table("a,b\n" + "1,x\n2,x\n3,x\n", "one.csv")
    assert "y has only one class, x" in run("compare", one, "--target", "b").sentence()
    alone = table("a\nx\ny\n", "alone.csv")
    assert (
        "there is no input column; give a table with at least one"
        in run("compare", alone, "--target", "a").sentence()
    )
    row = table("a,b\n1,x\n", "row.csv")
    assert "only one row" in run("compare", row, "--target", "b").sentence()
