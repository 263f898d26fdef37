"""What the command line says of how far to trust a table, a model and a prediction."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import induce

HEADER = "age,wind,leak,grp,day,const,play\n"


def _rows(n, seed=1, shift=0.0, winds=("weak", "strong", "mild")):
    random = np.random.default_rng(seed)
    lines = []
    for k in range(n):
        age, wind = random.normal(50 + shift, 10), random.choice(winds)
        play = "yes" if age + random.normal(0, 5) > 52 and wind != "strong" else "no"
        lines.append(
            f"{age:.2f},{wind},{'A' if play == 'yes' else 'B'},g{k % 6},2024-01-{1 + k % 28:02d},7,{play}"
        )
    return HEADER + "\n".join(lines) + "\n"


@pytest.fixture
def model(run, table, tmp_path):
    path = tmp_path / "m.induce"
    found = run("learn", table(_rows(120)), "--target", "play", "--ignore", "leak", "--out", path, "--cv", 4)
    assert found.code == 0, found.err
    return path


def test_learn_says_what_data_knows(run, table):
    path = table(_rows(60))
    found = run("learn", path, "--target", "play", "--cv", 3)
    assert "note: 'leak' alone decides 'play' in every row; is it known before the target is?" in found.err
    assert "note: 'const' is 7 in every row, so nothing can be learned from it" in found.err
    assert "always predicting no: error" in found.out
    assert "the estimate is better" in found.out
    said = run("learn", path, "--target", "play", "--cv", 3, "--json").json
    assert said["estimate"]["baseline"]["says"] == "always predicting no"
    assert len(said["suspicions"]) == 2


def test_compare_says_it_too(run, table):
    found = run("compare", table(_rows(40)), "--target", "play", "--learners", "C45", "--cv", 2)
    assert "note: 'leak' alone decides 'play'" in found.err


def test_a_number_in_another_unit_gives_the_target_away(run, table):
    random = np.random.default_rng(0)
    rows = "\n".join(f"{x:.3f},{2.54 * x:.3f},{random.normal():.3f}" for x in random.normal(50, 10, 40))
    found = run("data", table(f"inch,cm,noise\n{rows}\n"), "--target", "cm")
    assert "'inch' is 'cm' in another unit, or almost (correlation 1.0000)" in found.out


def test_copies_groups_and_time(run, table):
    text = _rows(60)
    twice = table(text + text.removeprefix(HEADER), "twice.csv")
    found = run("learn", twice, "--target", "play", "--ignore", "leak", "--cv", 3)
    assert "note: 60 of 120 rows repeat others" in found.err
    assert "copies together, 60 rows" in found.out
    path = table(text)
    found = run("learn", path, "--target", "play", "--ignore", "leak", "--groups", "grp", "--cv", 3)
    assert "3-fold cross-validation by groups, 60 rows" in found.out
    assert "grp" in found.out.splitlines()[1]
    found = run("learn", path, "--target", "play", "--ignore", "leak", "--time", "day", "--cv", 3)
    assert "3 splits forward in time" in found.out
    refused = run("learn", path, "--target", "play", "--groups", "grup")
    assert refused.sentence() == "there is no column 'grup'; did you mean 'grp'?"
    both = run("learn", path, "--target", "play", "--groups", "grp", "--time", "day")
    assert both.sentence() == "--groups and --time split the rows in different ways; give one of them"


def test_learn_with_a_test_file(run, table):
    fresh = table(_rows(50, seed=2), "fresh.csv")
    found = run("learn", table(_rows(80)), "--target", "play", "--ignore", "leak", "--cv", 2, "--test", fresh)
    assert "on the rows of the test file:" in found.out
    assert "(given data, 50 rows)" in found.out


def test_evaluate_a_model(run, table, model):
    fresh = table(
        _rows(50, seed=2) + "1.0,gale,A,g1,2024-01-01,7,maybe\n1.0,weak,A,g1,2024-01-01,7,\n", "fresh.csv"
    )
    found = run("evaluate", model, fresh)
    assert found.code == 0, found.err
    for part in (
        "95% interval",
        "always predicting",
        "true yes",
        "precision",
        "Brier score",
        "90% sets cover the true value in",
    ):
        assert part in found.out
    assert (
        "note: 1 rows have a class not seen in training, such as 'maybe'; they count as errors" in found.err
    )
    assert "note: 1 of 52 rows have no 'play', and are left out" in found.err
    assert "rows not seen in training: gale 1" in found.err
    said = run("evaluate", model, fresh, "--json").json
    assert said["rows"] == 51
    assert [each["confidence"] for each in said["coverage"]] == [0.8, 0.9, 0.95]


def test_evaluate_knows_the_training_rows(run, table, model):
    found = run("evaluate", model, table(_rows(120)))
    assert "note: the model was trained on these rows" in found.err


def test_evaluate_numbers(run, table, tmp_path):
    random = np.random.default_rng(3)
    lines = [f"{x:.3f},{2 * x + random.normal():.3f}" for x in random.normal(size=60)]
    path, out = table("x,y\n" + "\n".join(lines) + "\n"), tmp_path / "n.induce"
    assert run("learn", path, "--target", "y", "--learner", "LinearRegression", "--out", out).code == 0
    found = run("evaluate", out, path)
    assert "root mean squared error" in found.out
    assert "90% intervals cover the true value in" in found.out
    predicted = run("predict", out, path, "--interval", 90).out.splitlines()
    assert predicted[0] == "x,y,prediction,90% low,90% high"
    low, high = map(float, predicted[1].split(",")[-2:])
    assert low < float(predicted[1].split(",")[2]) < high
    assert "leave it out" in run("predict", out, path, "--interval", 90, "--by-class").sentence()
    assert "too few for 99.9%" in run("predict", out, path, "--interval", 99.9).sentence()


def test_predict_sets_and_notes(run, table, model):
    fresh = table(_rows(60, seed=5, shift=40, winds=("weak", "gale")), "fresh.csv")
    found = run("predict", model, fresh, "--interval", 90)
    assert found.out.splitlines()[0].endswith("prediction,90% set")
    assert "note: column 'wind' holds values in" in found.err
    assert "note: column 'age' has drifted: 60 of 60 values above" in found.err
    assert "between 0 and 100" in run("predict", model, fresh, "--interval", 190).sentence()


def test_bounds_are_exported_with_the_model(run, model, tennis):
    shown = run("show", model, "--as", "sql", "--interval", 90)
    assert shown.code == 0, shown.err
    assert 'AS "in yes"' in shown.out
    assert "def predict_set(row):" in run("show", model, "--as", "python", "--interval", 90).out
    assert "for sql and python, not for text" in run("show", model, "--interval", 90).sentence()
    assert "has no scores" in run("show", tennis, "--as", "sql", "--interval", 90).sentence()


def test_a_report_of_a_table_with_identifiers(run, table, tmp_path):
    rows = "".join(f"S{k:03d},{20 + k % 17},{'pass' if k % 17 < 9 else 'fail'}\n" for k in range(60))
    path, out = table("sample,temp,result\n,°C,\n" + rows), tmp_path / "m.induce"
    assert run("learn", path, "--target", "result", "--out", out).code == 0
    found = run("report", out, path, "--out", tmp_path / "r.html")
    assert found.code == 0, found.err
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "28.5 °C" in page
    assert "left out in turn" in page


def test_old_models_have_no_intervals(run, tennis, table):
    refused = run(
        "predict", tennis, table("Outlook,Temperature,Humidity,Wind\n"), "--interval", 90
    ).sentence()
    assert refused.startswith("the model file has no scores of held-out rows")


def test_provenance_is_in_the_file(run, table, tmp_path, model, monkeypatch):
    known = induce.load(model).provenance_
    assert known["data"] == "t.csv"
    assert known["summary"]["rows"] == 120
    assert known["learner"] == "C45"
    assert known["estimate"]["method"] == "4-fold cross-validation"
    assert {each["name"] for each in known["columns"]} == {"age", "wind", "grp", "day", "const"}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for name in ("a", "b"):
        run("learn", table(_rows(30)), "--target", "play", "--out", tmp_path / f"{name}.induce", "--cv", 2)
    assert (tmp_path / "a.induce").read_bytes() == (tmp_path / "b.induce").read_bytes()


def test_report(run, table, model, tmp_path):
    page = tmp_path / "r.html"
    assert run("report", model, "--out", page).code == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "Provenance" in text
    assert "Errors<" not in text
    found = run("report", model, table(_rows(60, seed=2), "fresh.csv"), "--by", "grp", "--out", page)
    assert found.code == 0, found.err
    text = page.read_text(encoding="utf-8")
    for part in (
        "Errors",
        "Effects of columns",
        "By grp:",
        "SELECT",
        "conformal prediction",
        "baseline",
    ):
        assert part in text
    assert "src=" not in text
    assert "no column 'gpr'" in run("report", model, table(_rows(9), "f.csv"), "--by", "gpr").sentence()


def test_report_learns_from_a_table(run, table, tmp_path):
    path = table(_rows(60), "visits.csv")
    found = run("report", path, "--target", "play")
    assert found.code == 0
    assert "error" in found.out
    model, page = (Path(path).with_suffix(suffix) for suffix in (".induce", ".html"))
    assert "left out in turn" in page.read_text(encoding="utf-8")
    assert run("predict", model, path).code == 0
    assert "give one table" in run("report", path, path, "--target", "play").sentence()
    assert "is already a model" in run("report", model, "--target", "play").sentence()


def test_show_as_html_is_the_report(run, model, tmp_path):
    page = tmp_path / "x.html"
    assert run("show", model, "--out", page).code == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_report_of_training_rows_is_cross_validated(run, table, model, tmp_path):
    page = tmp_path / "r.html"
    assert run("report", model, table(_rows(120)), "--out", page).code == 0
    assert "left out in turn (10-fold cross-validation)" in page.read_text(encoding="utf-8")


def test_what_a_killed_run_left_goes_with_the_next(run, table, tennis, tmp_path):
    ended = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    (tmp_path / f".x.csv.{ended.stdout.strip()}-0123abcd").write_text("half", encoding="utf-8")
    (tmp_path / f".x.csv.{os.getppid()}-0123abcd").write_text("being written", encoding="utf-8")
    (tmp_path / ".x.csv.note").write_text("of the user", encoding="utf-8")
    rows = table("Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n")
    assert run("predict", tennis, rows, "--out", tmp_path / "x.csv").code == 0
    left = sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".x.csv"))
    assert left == [f".x.csv.{os.getppid()}-0123abcd", ".x.csv.note"]


def test_diff(run, table, tmp_path, model):
    other = tmp_path / "o.induce"
    run("learn", table(_rows(60, seed=9)), "--target", "play", "--ignore", "leak", "--out", other, "--cv", 2)
    found = run("diff", model, other, table(_rows(40, seed=3), "fresh.csv"))
    assert found.code == 0, found.err
    assert "m.induce: C45 from 120 rows of t.csv" in found.out
    assert "rules: " in found.out
    assert "of 40 predictions differ" in found.out
    assert "error 0." in found.out
    same = run("diff", model, model).out
    assert "the same rules" in same
    said = run(
        "diff", model, other, table("age,wind,grp,day,const\n50,weak,g1,2024-01-01,7\n", "n.csv"), "--json"
    ).json
    assert said["answers"]["rows"] == 1
    assert said["answers"]["errors"] is None


def test_diff_needs_one_target(run, tennis, iris_rules):
    refused = run("diff", tennis, iris_rules).sentence()
    assert "'PlayTennis'" in refused
    assert "; compare models with the same target" in refused


def test_diff_of_weights(run, table, tmp_path):
    for name, seed in (("a", 1), ("b", 2)):
        random = np.random.default_rng(seed)
        lines = "\n".join(f"{x:.3f},{2 * x + random.normal():.3f}" for x in random.normal(size=30))
        args = ("--target", "y", "--learner", "LinearRegression", "--out", tmp_path / f"{name}.induce")
        assert run("learn", table(f"x,y\n{lines}\n"), *args, "--no-evaluate").code == 0
    found = run("diff", tmp_path / "a.induce", tmp_path / "b.induce", table("x,y\n1,2\n2,4\n3,6\n", "n.csv"))
    assert "lines: " in found.out
    assert "3 of 3 predictions differ" in found.out


def test_a_background_without_end_is_bounded(run, tmp_path):
    """What a limit of a moment does; that of seconds is the same."""
    (tmp_path / "bk.pl").write_text("n(0).\nn(M) :- n(N), M is N+1.\n", encoding="utf-8")
    (tmp_path / "exs.pl").write_text("pos(f(2)).\npos(f(4)).\nneg(f(1)).\nneg(f(3)).\n", encoding="utf-8")
    (tmp_path / "bias.pl").write_text("head_pred(f,1).\nbody_pred(n,1).\n", encoding="utf-8")
    found = run("relate", tmp_path, "--time-limit", 0.1)
    assert found.code in (0, 2)


def test_costs_change_decisions_and_travel(run, table, tmp_path):
    out = tmp_path / "c.induce"
    args = ("learn", table(_rows(150)), "--target", "play", "--ignore", "leak", "--cv", 3, "--out", out)
    plain = run(*args).out
    found = run(*args, "--cost", "yes>no=9", "--calibrate", "sigmoid")
    assert found.code == 0, found.err
    assert "mean cost" not in plain
    assert "mean cost" in found.out
    assert "decisions by cost (no>yes 1, yes>no 9)" in found.out
    rows = table(_rows(60, seed=4), "fresh.csv")
    costly = run("predict", out, rows, "--proba", "--interval", 90).out
    run(*args)
    assert costly.count(",yes,") > run("predict", out, rows, "--proba", "--interval", 90).out.count(",yes,")
    assert "write it as CLASS=P" in run(*args, "--precision", "yes").sentence()
    assert "give one of them" in run(*args, "--precision", "yes=0.9", "--cost", "yes>no=9").sentence()


def test_a_precision_is_asked_for(run, table):
    args = ("learn", table(_rows(150)), "--target", "play", "--ignore", "leak", "--cv", 3)
    found = run(*args, "--precision", "yes=0.8")
    assert "yes is predicted above a probability of" in found.out
    refused = run(
        "learn", table(_rows(150)), "--target", "age", "--learner", "LinearRegression", "--cost", "a>b=1"
    )
    assert "are for classifiers with probabilities" in refused.sentence()
