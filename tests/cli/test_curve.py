"""`induce curve`: errors by the number of training rows."""

import pytest

import induce
from induce.evaluation import learning_curve


def test_it_prints_and_draws_the_curve(run, tmp_path):
    path = tmp_path / "curve.svg"
    result = run("curve", "iris", "--learners", "C45 max_depth=2", "--cv", "3", "--draw", path)
    assert result.code == 0
    X, y = induce.dataset("iris")
    expected = learning_curve(induce.C45(max_depth=2), X, y, cv=3)
    header, rows = expected.table()
    lines = result.out.splitlines()
    assert lines[0] == "iris: error by number of training rows, 3-fold cross-validation"
    assert lines[2].split()[:2] == list(header[:2])
    assert [line.split()[:3] for line in lines[3 : 3 + len(rows)]] == [list(row[:3]) for row in rows]
    assert lines[-1] == f"wrote {path}"
    assert "<svg" in path.read_text(encoding="utf-8")


def test_several_learners_and_sizes(run):
    words = ("curve", "iris", "--learners", "C45,c45rules", "--sizes", "20,50", "--cv", "2", "--seed", "3")
    found = run(*words, "--json").json
    assert found["sizes"] == [20, 50]
    assert list(found["learners"]) == ["C45", "C45Rules"]
    X, y = induce.dataset("iris")
    expected = learning_curve({"C45": induce.C45()}, X, y, (20, 50), cv=2, random_state=3)
    assert found["learners"]["C45"]["validation"] == expected["C45"].validation_error.tolist()
    assert [low for low, _ in found["learners"]["C45"]["intervals"]] == [
        each.low for each in expected["C45"].intervals
    ]


def test_the_table_chooses_the_learner(run):
    assert list(run("curve", "play-tennis", "--cv", "2", "--json").json["learners"]) == ["C45"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--sizes", "a few"], "--sizes is 'a few'; give whole numbers such as 20,50,100"),
        (["--sizes", "1000"], "135 rows can be used for training"),
        (["--learners", "KMeans"], "only classifiers and regressors can be evaluated"),
        (["--draw", "curve.txt"], "end it in .svg or .png or .pdf"),
    ],
)
def test_refusals(run, options, sentence):
    assert sentence in run("curve", "iris", *options).err.splitlines()[-1]
