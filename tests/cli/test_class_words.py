"""Options that name a class mean it whatever the coding of the target: whole numbers, numbers, booleans, text."""

import numpy as np
import polars as pl
import pytest

CODINGS = {
    "whole numbers": ((0, 1), ("0", "1")),
    "signs": ((-1, 1), ("-1", "1")),
    "numbers": ((0.0, 1.0), ("0", "1.0")),
    "booleans": ((False, True), ("False", "true")),
    "words": (("no", "yes"), ("no", "yes")),
}


def table(classes, nominal_only=False):
    random = np.random.default_rng(0)
    x, z = random.normal(size=120), random.choice(list("abc"), 120)
    positive = z == "a" if nominal_only else x + 0.3 * random.normal(size=120) > 0
    columns = {"z": z, "w": random.choice(list("pq"), 120)} if nominal_only else {"x": x, "z": z}
    return pl.DataFrame({**columns, "y": [classes[int(value)] for value in positive]})


def commands(no, yes, knowledge):
    learn, concept = (("learn", name, "--target", "y", "--cv", 2) for name in ("data", "nominal"))
    return {
        "cost": (*learn, "--learner", "C45", "--cost", f"{yes}>{no}=5"),
        "precision": (*learn, "--learner", "C45", "--precision", f"{yes}=0.8"),
        "class_weight": (*learn, "--learner", "C45", f'class_weight={{"{yes}": 5}}'),
        "priors": (*learn, "--learner", "NaiveBayes", f'priors={{"{no}": 0.3, "{yes}": 0.7}}'),
        "default": (*learn, "--learner", "GABIL", f"default={yes}", "generations=2"),
        "default of a list": (*learn, "--learner", "DecisionListClassifier", f"default={yes}"),
        "misclassification_cost": (
            *learn,
            "--learner",
            "CLS",
            f'misclassification_cost={{"{no}": 1, "{yes}": 5}}',
        ),
        "target_class": (*learn, "--learner", "RuleLearner", "ordered=false", f"target_class={yes}"),
        "knowledge": (*learn, "--learner", "C45", "--knowledge", knowledge),
        "positive": (*concept, "--learner", "FindS", f"positive={yes}"),
        "positive of rounds": (*concept, "--learner", "OnlineFindS", f"positive={yes}"),
    }


def figures(text):
    """Return what a command prints of its estimate, but for the names of classes and the seconds."""
    lines = [line.split(";")[0].rsplit(", in ", 1)[0] for line in text.splitlines()]
    return [line for line in lines if line.startswith(("error", "mean cost"))] or lines[-1:]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_every_option_takes_every_coding(run, tmp_path, form):
    printed, failed = {}, []
    for coding, (classes, (no, yes)) in CODINGS.items():
        for name, frame in (("data", table(classes)), ("nominal", table(classes, True))):
            path = tmp_path / f"{name}.{form}"
            frame.write_csv(path) if form == "csv" else frame.write_parquet(path)
        knowledge = tmp_path / "rules.txt"
        knowledge.write_text(f"IF x > 1 THEN {yes}\nIF x < -1 THEN {no}\n", encoding="utf-8")
        files = {name: tmp_path / f"{name}.{form}" for name in ("data", "nominal")}
        for option, words in commands(no, yes, knowledge).items():
            result = run(*(files.get(word, word) if isinstance(word, str) else word for word in words))
            if result.code:
                failed.append(f"{coding}, {option}: {result.err}")
            else:
                printed.setdefault(option, {})[coding] = figures(result.out)
    assert not failed, "\n".join(failed)
    differing = [
        f"{option}, {coding}: {lines} instead of {by_coding['words']}"
        for option, by_coding in printed.items()
        for coding, lines in by_coding.items()
        if lines != by_coding["words"]
    ]
    assert not differing, "\n".join(differing)


def test_a_contrast_of_every_coding(run, tmp_path):
    for coding, (classes, (no, _)) in CODINGS.items():
        table(classes).write_csv(tmp_path / "data.csv")
        model = tmp_path / "model.induce"
        run(
            "learn",
            tmp_path / "data.csv",
            "--target",
            "y",
            "--learner",
            "C45",
            "--no-evaluate",
            "--out",
            model,
        )
        result = run("explain", model, "x=0.5,z=a", "--contrast", no)
        assert result.code == 0, coding
        assert " if x = " in result.out, coding


def test_a_word_that_means_no_class(run, tmp_path):
    table((0, 1)).write_csv(tmp_path / "data.csv")
    result = run("learn", tmp_path / "data.csv", "--target", "y", "--cost", "yes>no=5")
    assert "is 'yes', which is not a class; the classes are 0, 1" in result.sentence()
