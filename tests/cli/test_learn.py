"""`induce learn`: what it prints, what it writes, what it lets one say."""

import json

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError

ROWS = "wind,temp,play\n" + "weak,20,yes\nstrong,10,no\n" * 10


def test_report(run, tmp_path):
    result = run("learn", "play-tennis", "--out", tmp_path / "m.induce", "--draw", tmp_path / "t.svg")
    assert result.code == 0
    assert "play-tennis: 14 rows, 4 nominal columns, no value missing" in result.out
    assert "PlayTennis: Yes 9 (64.3%), No 5 (35.7%)" in result.out
    assert str(induce.C45().fit(*induce.dataset("play-tennis")).hypothesis_) in result.out
    assert "10-fold cross-validation, 14 rows" in result.out
    assert "interval [" in result.out
    assert "learned in" in result.out
    assert induce.load(tmp_path / "m.induce").hypothesis_.n_leaves == 5
    assert "<svg" in (tmp_path / "t.svg").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.induce", "t.svg"]


def test_notes_come_once_each(run):
    result = run("learn", "play-tennis")
    assert result.err.count("note: a class has only 5 rows") == 1
    assert len(result.err.splitlines()) == 1


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_pictures_are_the_same_every_time(run, tmp_path, kind):
    for name in ("a", "b"):
        run("learn", "play-tennis", "--no-evaluate", "--draw", tmp_path / f"{name}.{kind}")
    start = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[kind]
    assert (tmp_path / f"a.{kind}").read_bytes().startswith(start)
    assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_one_of_several_pictures(run, tmp_path):
    told = [
        "learn",
        "iris",
        "hidden=3,2",
        "max_epochs=5",
        "--learner",
        "NeuralNetworkClassifier",
        "--no-evaluate",
    ]
    run(*told, "--draw", tmp_path / "errors.svg", "--picture", "errors", "--out", tmp_path / "m.induce")
    assert b"training loss" in (tmp_path / "errors.svg").read_bytes()
    hidden = [group.size for group in induce.load(tmp_path / "m.induce").hypothesis_.network.groups]
    assert hidden == [4, 3, 2, 3]
    run("show", tmp_path / "m.induce", "--picture", "diagram", "--out", tmp_path / "diagram.png")
    assert (tmp_path / "diagram.png").read_bytes().startswith(b"\x89PNG")
    refused = run(*told, "--draw", tmp_path / "x.svg", "--picture", "poem")
    assert "has no picture 'poem'; it has" in refused.sentence()
    assert not (tmp_path / "x.svg").exists()
    assert "give one with --draw" in run(*told, "--picture", "errors").sentence()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [("hidden=0", "hidden is 0; it can be a whole number of at least 1"), ("hidden=4,0", "hidden is [4, 0]")],
)
def test_lists_that_are_no_layers(run, settings, sentence):
    assert sentence in run("learn", "iris", settings, "--learner", "NeuralNetworkClassifier").sentence()


def test_json_is_one_document(run):
    found = run("learn", "iris", "--json", "--cv", "5", "max_depth=2").json
    assert found["data"]["rows"] == 150
    assert found["data"]["kinds"] == {"numeric": 4}
    assert found["learner"]["parameters"] == {"max_depth": 2}
    assert found["hypothesis"]["type"] == "Tree"
    assert found["hypothesis"]["target"] == "species"
    X, y = induce.dataset("iris")
    expected = induce.evaluate(induce.C45(max_depth=2), X, y, cv=5)
    assert found["estimate"]["error"] == expected.error
    assert found["estimate"]["interval"]["low"] == expected.interval.low
    assert found["estimate"]["method"] == "5-fold cross-validation"


def test_standard_input_and_a_file_give_the_same(run, table):
    path = table(ROWS)
    piped = run("learn", "-", "--target", "play", "--no-evaluate", stdin=ROWS.encode()).out
    assert (
        piped.splitlines()[1:-1]
        == run("learn", path, "--target", "play", "--no-evaluate").out.splitlines()[1:-1]
    )


def test_a_file_wins_over_a_shipped_table(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "iris").write_text(ROWS, encoding="utf-8")
    assert "20 rows" in run("learn", "iris", "--target", "play", "--no-evaluate").out


def test_learners_by_name_in_any_case(run):
    for name in ("id3", "CART", "c45rules", "decisiontreeclassifier"):
        result = run("learn", "play-tennis", "--learner", name, "--no-evaluate", "--json")
        assert result.json["learner"]["name"].lower() == name.lower()


def test_parameters_take_the_type_of_their_default(run):
    settings = ["max_depth=2", "min_samples_leaf=1.5", "subtree_raising=false", "pruning=none"]
    found = run("learn", "play-tennis", "--no-evaluate", "--json", *settings).json["learner"]["parameters"]
    assert found == {"max_depth": 2, "min_samples_leaf": 1.5, "subtree_raising": False, "pruning": None}
    weights = 'class_weight={"Yes": 3, "No": 1}'
    found = run("learn", "play-tennis", "--no-evaluate", "--json", weights).json["learner"]["parameters"]
    assert found == {"class_weight": {"Yes": 3, "No": 1}}


def test_the_seed_reaches_learner_and_folds(run):
    def learned(seed):
        found = run(
            "learn", "iris", "--learner", "id3", "pruning=reduced-error", "--json", "--seed", seed
        ).json
        return found["hypothesis"]["text"], found["estimate"]["fold_errors"]

    assert learned(1) == learned(1)
    assert learned(1)[1] != learned(2)[1]
    X, y = induce.dataset("iris")
    assert learned(3)[0] == str(induce.ID3(pruning="reduced-error", random_state=3).fit(X, y).hypothesis_)


def test_columns_as_told(run, table):
    path = table("zip,age,name,y\n" + "1,20,a,p\n2,30,b,q\n" * 6 + "2,30,-9,q\n")
    found = run(
        "learn", path, "--target", "y", "--nominal", "zip", "--ignore", "name", "--no-evaluate", "--json"
    )
    assert found.json["data"]["kinds"] == {"nominal": 1, "numeric": 1}
    assert found.json["data"]["left_out"] == ["name"]
    result = run("learn", path, "--target", "y", "--missing", "-9", "--no-evaluate", "--json")
    assert result.json["data"]["missing"] == 1


def test_schema_files(run, table):
    path = table("size,y\n" + "s,p\nm,q\nl,q\n" * 5)
    schema = table('size = { domain = ["s", "m", "l"], ordered = true }\ny = "target"\n', "schema.toml")
    found = run("learn", path, "--schema", schema, "--no-evaluate", "--json").json
    column = found["hypothesis"]["schema"]["columns"][0]
    assert (column["domain"], column["ordered"]) == (["s", "m", "l"], True)
    assert found["data"]["target"] == "y"


def test_a_shipped_table_with_another_target(run):
    found = run(
        "learn", "play-tennis", "--target", "Wind", "--ignore", "Outlook", "--no-evaluate", "--json"
    ).json
    assert found["data"]["target"] == "Wind"
    assert found["data"]["left_out"] == ["Day", "Outlook"]
    assert found["hypothesis"]["classes"] == ["Weak", "Strong"]


def test_numeric_targets_with_many_values_are_a_regression(run, table):
    path = table("x,y\n" + "".join(f"{i % 7},{i % 30}\n" for i in range(90)))
    found = run("learn", path, "--target", "y", "--no-evaluate")
    assert "the target 'y' holds numbers, so ModelTree learns to predict a number" in found.err
    found = run("learn", path, "--target", "y", "--no-evaluate", "--learner", "C45")
    assert "the target 'y' holds numbers, and each of its 30 values is learned as a class" in found.err


def test_fractions_are_numbers_however_few(run, table):
    path = table("x,y\n" + "".join(f"{i},{i % 3 + 0.5}\n" for i in range(30)))
    assert "ModelTree learns to predict a number" in run("learn", path, "--target", "y", "--no-evaluate").err


def test_without_a_target_the_likeliest_columns_are_named(run, table):
    path = table("size,species,weight\n1,a,2\n2,b,3\n3,a,5\n4,b,6\n")
    assert "the likeliest are 'species', 'weight' and 'size'" in run("learn", path).err


def test_long_hypotheses_are_shortened_unless_all_is_wanted(run, table):
    path = table("x,y\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(200)))
    command = ["learn", path, "--target", "y", "--learner", "ID3", "--no-evaluate"]
    assert "more lines; --full prints all" in run(*command).out
    assert "more lines" not in run(*command, "--full").out


def test_a_trace_is_printed_before_the_hypothesis(run):
    found = run("learn", "play-tennis", "--learner", "ID3", "--no-evaluate", "--trace").out
    assert found.startswith("split\n  node  depth")
    sentence = run("learn", "play-tennis", "--trace", "--json").err
    assert "--trace prints tables, but --json prints one document" in sentence


def test_a_note_about_a_column_comes_once_and_not_for_every_fold(run, tmp_path):
    rows = "".join(f"zip{k * k % 97},{k % 7},{'yn'[k % 2]}\n" for k in range(150))
    (tmp_path / "t.csv").write_text(f"zip,x,y\n{rows}", encoding="utf-8")
    found = run("learn", tmp_path / "t.csv", "--target", "y", "--cv", "5")
    assert found.err.count("names rows rather than describing them") == 1


def test_advice_for_texts_beside_other_columns_begins_with_what_uses_them(run, tmp_path):
    text = "the order came late and the box was open so please send one"
    words = text.split()
    rows = "".join(
        f"{' '.join(words[k % 9 :] + words[: k % 9 + k % 4])} {k},{k % 7}.5,{'pq'[k % 3 == 0]},{'yn'[k % 2]}\n"
        for k in range(60)
    )
    (tmp_path / "t.csv").write_text(f"mail,size,kind,y\n{rows}", encoding="utf-8")
    found = run("advise", tmp_path / "t.csv", "--target", "y", "--json").json["learners"]
    assert [each["learner"] for each in found[:2]] == ["NaiveBayes", "TextNaiveBayes"]
    assert all(each["reason"].endswith("leaves texts out") for each in found[2:])


def test_advice_has_three_learners_with_a_reason(run):
    found = run("advise", "iris", "--json").json
    assert [each["learner"] for each in found["learners"]] == ["C45", "RIPPER", "NaiveBayes"]
    assert all(each["reason"] for each in found["learners"])
    assert "--learners" in run("advise", "iris").out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["iris", "foo=1"], "C45 has no parameter 'foo'; its parameters are min_samples_leaf, "),
        (["iris", "max_depht=1"], "C45 has no parameter 'max_depht'; did you mean 'max_depth'?"),
        (["iris", "schema=1"], "C45 has no parameter 'schema'"),
        (["iris", "max_depth"], "'max_depth' is not a parameter; write it as key=value"),
        (["iris", "max_depth=1", "max_depth=2"], "the parameter max_depth is given twice"),
        (["iris", "subtree_raising=2"], "subtree_raising is 2; it must be true or false"),
        (
            ["iris", "confidence_factor=high"],
            "confidence_factor is 'high'; it must be a number between 0 and 1",
        ),
        (["iris", "pruning=x"], "pruning is 'x'; it can be None, 'reduced-error'"),
        (["iris", "--learner", "C54"], "there is no learner 'C54'; did you mean 'C45'?"),
        (["irsi"], "there is no file 'irsi', and there is no dataset 'irsi'; did you mean 'iris'?"),
        (["iris", "--target", "spieces"], "there is no column 'spieces'; did you mean 'species'?"),
        (["iris", "--nominal", "x"], "there is no column 'x'"),
        (
            ["iris", "--draw", "tree.gif"],
            "the name 'tree.gif' does not determine the format; end it in .svg or",
        ),
        (["iris", "--cv", "1"], "give a number of folds from 2 to the number of rows"),
        (["iris", "--cv", "x"], "Invalid value for '--cv'"),
        (["iris", "--frob"], "No such option"),
        ([], "Missing argument 'DATA'"),
    ],
)
def test_wrong_arguments(run, arguments, expected):
    assert expected in run("learn", *arguments).sentence()


def test_what_was_learned_predicts_the_same_in_python(run, tmp_path):
    model = tmp_path / "m.induce"
    run("learn", "iris", "--no-evaluate", "--out", model)
    X, _ = induce.dataset("iris")
    X.write_csv(tmp_path / "new.csv")
    run("predict", model, tmp_path / "new.csv", "--out", tmp_path / "p.csv")
    predicted = pl.read_csv(tmp_path / "p.csv")["prediction"].to_list()
    assert predicted == induce.load(model).predict(X).tolist()


def test_json_survives_strange_names(run, table):
    path = table('"größe ""x""",y\n' + "1,p\n2,q\n" * 5)
    result = run("learn", path, "--target", "y", "--no-evaluate", "--json")
    assert json.loads(result.out)["hypothesis"]["schema"]["columns"][0]["name"] == 'größe "x"'


def test_ctrl_c_leaves_the_rules_found_so_far(run, monkeypatch, tmp_path):
    calls = []

    def pressed(share):
        calls.append(share)
        if len(calls) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("induce.rules.learners.rule_learner.report", pressed)
    result = run("learn", "iris", "--learner", "CN2", "--out", tmp_path / "part.induce")
    assert result.code == 0
    assert "interrupted: the 2 rules found so far are kept" in result.err
    assert "error" not in result.out
    assert len(induce.load_hypothesis(tmp_path / "part.induce").rules) == 2


def test_ctrl_c_while_cross_validating_leaves_the_model(run, monkeypatch, tmp_path):
    def pressed(*arguments, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr("induce.evaluation.estimating.estimate.evaluate", pressed)
    result = run("learn", "iris", "--out", tmp_path / "whole.induce")
    assert result.code == 0
    assert "interrupted: the error was not estimated" in result.err
    assert (tmp_path / "whole.induce").exists()


def test_learners_that_take_no_schema(run):
    for learner in ("SelfTraining", "FOIL"):
        result = run("learn", "play-tennis", "--learner", learner, "--no-evaluate")
        assert result.code == 0, result.err
        assert f"{learner}: " in result.out
    assert run("compare", "play-tennis", "--learners", "SelfTraining", "--cv", "2").code == 0


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (["solver=gradient", "learning_rate=1e6"], "the learning rate 1e+06 is too large; decrease it"),
        (["loss=squared", "targets=0.9,0.1"], "targets is"),
        (["validation=1.5"], "validation is 1.5"),
        (["network=x"], "network"),
    ],
)
def test_networks_that_cannot_be_trained(run, settings, sentence):
    refused = run("learn", "iris", *settings, "--learner", "NeuralNetworkClassifier", "--no-evaluate")
    assert refused.code == 2
    assert sentence in refused.sentence()


def test_numbers_and_pairs_as_people_write_them():
    from induce.cli.parameters import learner_class, parameters_of

    logistic, network = learner_class("LogisticRegression"), learner_class("NeuralNetworkClassifier")
    written = ["class_weight=good:3,bad:.5", "monotone=age:increasing, income:decreasing", "strength=.1"]
    assert parameters_of(logistic, written) == {
        "class_weight": {"good": 3, "bad": 0.5},
        "monotone": {"age": "increasing", "income": "decreasing"},
        "strength": 0.1,
    }
    assert parameters_of(logistic, ["class_weight=balanced"]) == {"class_weight": "balanced"}
    assert parameters_of(network, ["targets=.2,.8", "hidden=16,8"]) == {
        "targets": [0.2, 0.8],
        "hidden": [16, 8],
    }
    with pytest.raises(InputError, match="monotone is 'age'; it must be a dict from columns to"):
        parameters_of(logistic, ["monotone=age"])


def test_copies_count_once_in_every_command(run, tmp_path):
    rng = np.random.default_rng(0)
    rows = [f"{x:.6f},{y}\n" for x, y in zip(rng.normal(size=60), rng.choice(["no", "yes"], 60), strict=True)]
    path, model = tmp_path / "t.csv", tmp_path / "t.induce"
    path.write_text("x,class\n" + "".join(rows * 4), encoding="utf-8")
    for command in (
        ("learn", path, "--target", "class", "--out", model),
        ("compare", path, "--target", "class", "--learners", "C45,NaiveBayes"),
        ("evaluate", model, path),
    ):
        result = run(*command)
        assert result.code == 0
        assert "180 of 240 rows repeat others" in result.err
        assert "60 rows" in result.out


def test_long_account_numbers_are_different_groups(run, tmp_path):
    rows = [f"123456789012345678{k % 30:02d},{k % 7},{'ab'[k % 7 > 3]}\n" for k in range(120)]
    path = tmp_path / "t.csv"
    path.write_text("account,x,class\n" + "".join(rows), encoding="utf-8")
    result = run("learn", path, "--target", "class", "--groups", "account")
    assert result.code == 0
    assert "numbers that a float cannot hold, such as 12345678901234567800, as names" in result.err
    assert "10-fold cross-validation by groups" in result.out
