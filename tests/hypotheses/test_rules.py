import subprocess
import sys
import warnings
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest

from induce.core.codec import Decoder, Encoder
from induce.core.errors import InputError
from induce.core.persistence import load_hypothesis, save
from induce.data.schema import Column, Schema
from induce.data.table import encode
from induce.hypotheses.conditions import AtMost, Is, OneOf, none_of
from induce.hypotheses.rules import Rule, RuleList

SCHEMA = Schema(
    (
        Column("outlook", "nominal", ("sunny", "overcast", "rain")),
        Column("humidity", "nominal", ("high", "normal")),
        Column("temperature"),
    )
)
RULES = RuleList(
    SCHEMA,
    "play",
    ("no", "yes"),
    (
        Rule((Is("outlook", "sunny"), Is("humidity", "high")), "no", (3.0, 0.0)),
        Rule((Is("outlook", "overcast"),), "yes", (0.0, 4.0)),
        Rule((AtMost("temperature", 15.0),), "no", (1.5, 1.0)),
    ),
    "yes",
    (0.0, 4.5),
)
ROWS = {
    "outlook": ["sunny", "overcast", "rain", None, "fog"],
    "humidity": ["high", "high", "normal", "high", "normal"],
    "temperature": [30.0, 20.0, 15.0, 20.0, None],
}
PREDICTED = ["no", "yes", "no", "yes", "yes"]


def test_it_prints_as_an_expert_reads():
    assert str(RULES) == (
        "IF outlook = sunny AND humidity = high THEN no (3/3)\n"
        "IF outlook = overcast THEN yes (4/4)\n"
        "IF temperature <= 15 THEN no (1.5/2.5)\n"
        "DEFAULT yes (4.5/4.5)"
    )
    assert RULES.size() == "3 rules, 4 conditions"
    assert str(Rule((), "no", (3.0, 1.0), ("no", "yes"))) == "IF TRUE THEN no (3/4)"


def test_counts_belong_to_the_prediction_even_where_another_class_is_more_frequent():
    rule = replace(RULES, rules=(Rule((), "no", (1.0, 3.0)),)).rules[0]
    assert (rule.correct, rule.covered, rule.precision) == (1.0, 4.0, 0.25)
    assert str(rule) == "IF TRUE THEN no (1/4)"
    assert np.isnan(Rule((), "no", (0.0, 0.0)).precision)


@pytest.mark.parametrize(
    "make",
    [
        pl.DataFrame,
        pd.DataFrame,
        lambda rows: pl.DataFrame(rows).to_arrow(),
        lambda rows: np.array(list(zip(*rows.values(), strict=True)), dtype=object),
        lambda rows: encode(pl.DataFrame(rows), SCHEMA),
        lambda rows: pl.DataFrame(rows).select("temperature", pl.lit(1).alias("more"), "humidity", "outlook"),
    ],
)
def test_first_rule_that_covers_decides_whatever_the_rows_come_in(make):
    X = make(ROWS)
    assert RULES.predict(X).tolist() == PREDICTED
    assert RULES.predict_proba(X).tolist() == [[1, 0], [0, 1], [0.6, 0.4], [0, 1], [0, 1]]


def test_explanations():
    texts = [str(explanation) for explanation in RULES.explain(pl.DataFrame(ROWS))]
    assert texts == [
        "no because IF outlook = sunny AND humidity = high THEN no (3/3)",
        "yes because IF outlook = overcast THEN yes (4/4)",
        "no because IF temperature <= 15 THEN no (1.5/2.5)",
        "yes by default (4.5/4.5), because no rule applies",
        "yes by default (4.5/4.5), because no rule applies",
    ]
    first, *_, last = RULES.explain(pl.DataFrame(ROWS))
    assert first.rule == RULES.rules[0]
    assert last.rule is None
    assert last.counts == (0.0, 4.5)


def test_unordered_rules_vote():
    votes = RuleList(
        Schema((Column("x"),)),
        "y",
        (1, 2, 3),
        (
            Rule((AtMost("x", 3.0),), 1, (3.0, 0.0, 1.0)),
            Rule((AtMost("x", 2.0),), 2, (0.0, 3.0, 0.0)),
            Rule((AtMost("x", 1.0),), 2, (0.0, 1.0, 0.0)),
            Rule((AtMost("x", 9.0),), 3, (0.0, 0.0, 0.0)),
        ),
        3,
        (1.0, 1.0, 2.0),
        ordered=False,
    )
    X = np.array([[3.0], [2.0], [1.0], [8.0], [np.nan]])
    assert votes.predict(X).tolist() == [1, 1, 2, 3, 3]
    assert votes.predict(X).dtype.kind == "i"
    assert votes.predict_proba(X)[0].tolist() == [0.75, 0.0, 0.25]
    assert str(votes.explain(X)[2]) == (
        "2 by vote (1 3, 2 4, 3 1) of\n"
        "  IF x <= 3 THEN 1 (3/4)\n"
        "  IF x <= 2 THEN 2 (3/3)\n"
        "  IF x <= 1 THEN 2 (1/1)"
    )
    assert str(votes.explain(X)[3]) == "3 by default (2/4), because no rule applies"


@pytest.mark.parametrize("counts", [(5.0, 1.0, 0.0), (2.0, 2.0, 2.0), (0.0, 0.0, 0.0), (0.1, 0.3, 0.3)])
def test_the_likeliest_class_is_the_predicted_one(counts):
    schema = Schema((Column("x"),))
    X = np.array([[1.0]])
    for prediction in "abc":
        rules = RuleList(schema, "y", ("a", "b", "c"), (), prediction, counts)
        probability = rules.predict_proba(X)
        assert rules.classes[int(probability.argmax())] == rules.predict(X)[0] == prediction
        assert probability.sum() == pytest.approx(1.0)
    assert rules.predict_proba(X[:0]).shape == (0, 3)
    assert rules.predict(X[:0]).shape == (0,)


def test_classes_of_several_types_stay_as_they_are():
    rules = RuleList(Schema((Column("x"),)), "y", ("1", 2, True), (), 2, (1, 2, 1))
    assert rules.predict(np.array([[1.0]])).tolist() == [2]


def test_html_escapes_everything():
    evil = "<script>alert('x')</script>"
    rules = RuleList(
        Schema((Column(evil, "nominal", (evil,)),)),
        evil,
        (evil,),
        (Rule((Is(evil, evil),), evil, (1,)),),
        evil,
        (1,),
    )
    html = rules._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert html.count("<tr>") == 3


def test_picture_shows_every_rule_and_takes_dollars_and_long_rules():
    many = Rule(tuple(AtMost(f"$a_{j}$ of a long name", 1.5) for j in range(40)), "no", (2.0, 1.0))
    schema = Schema(tuple(Column(f"$a_{j}$ of a long name") for j in range(40)))
    rules = RuleList(schema, "$y", ("no", "yes"), (many,) * 30, "yes", (0.0, 0.0))
    figure = rules.draw()
    axes = figure.axes[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.canvas.draw()
    labels = axes.get_yticklabels()
    assert len(labels) == 31
    assert labels[0].get_text().endswith("THEN no")
    boxes = [label.get_window_extent() for label in labels]
    assert all(above.y0 >= below.y1 for above, below in pairwise(boxes))


def many_rules(n_rules):
    names = [f"an attribute with a rather long name {j}" for j in range(6)]
    values = tuple(f"value {k}" for k in range(12))
    schema = Schema((*map(Column, names), Column("c", "nominal", values)))
    classes = tuple(f"class {k}" for k in range(200))
    rules = tuple(
        Rule(
            (OneOf("c", values[: 1 + k % 9]), *(AtMost(name, k / 7) for name in names[: k % 6])),
            classes[k % 200],
            tuple(float(k % 3 == j) for j in range(200)),
        )
        for k in range(n_rules)
    )
    return RuleList(schema, "y", classes, rules, classes[0], (1.0,) * 200)


@pytest.mark.parametrize("n_rules", [3, 60])
def test_pictures_of_many_rules_and_classes_stay_readable(n_rules):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = many_rules(n_rules).draw()
    FigureCanvasAgg(figure).draw()
    axes = figure.axes[0]
    boxes = [label.get_window_extent() for label in axes.get_yticklabels()]
    assert len(boxes) == n_rules + 1
    assert all(above.y0 >= below.y1 for above, below in pairwise(boxes))
    assert min(box.x0 for box in boxes) >= 0
    # the bars keep a good part of the width, whatever the labels say
    assert axes.get_window_extent().width > 0.4 * figure.bbox.width
    assert all(note.get_window_extent().x1 <= figure.bbox.x1 for note in axes.texts)


def test_of_very_many_rules_the_first_are_drawn():
    figure = many_rules(1000).draw()
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert len(labels) == 152
    assert labels[1] == "2  IF c in {value 0, value 1} … THEN class 1"
    assert labels[4] == "5  IF c in {value 0, value 1, value 2, … 2 more} … THEN class 4"
    assert labels[150:] == ["… and 850 more rules", "DEFAULT class 0"]
    assert figure.get_size_inches()[1] < 40


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": None}, "schema"),
        ({"schema": Schema((Column("outlook"), Column("outlook")))}, "twice"),
        ({"schema": Schema(())}, "no column 'outlook'"),
        (
            {"schema": Schema((replace(SCHEMA.columns[0], role="ignore"), *SCHEMA.columns[1:]))},
            "not an input",
        ),
        ({"target": 3}, "target"),
        ({"classes": ()}, "classes"),
        ({"classes": ("no", "no")}, "twice"),
        ({"classes": ("no", None)}, "classes"),
        ({"classes": "no"}, "classes"),
        ({"ordered": 1}, "ordered"),
        ({"default": "maybe"}, "default predicts 'maybe'"),
        ({"default": []}, "default predicts"),
        ({"default_counts": (1.0,)}, "2 classes"),
        ({"default_counts": (1.0, -1.0)}, "default needs one nonnegative count"),
        ({"default_counts": (1.0, float("nan"))}, "default needs one nonnegative count"),
        ({"rules": 5}, "rules"),
        ({"rules": (5,)}, "rules"),
        ({"rules": (Rule((), "maybe", (1.0, 1.0)),)}, "rule 1 predicts"),
        ({"rules": (Rule((), "no", (1.0, float("inf"))),)}, "rule 1 needs"),
        ({"rules": (Rule(5, "no", (1.0, 1.0)),)}, "conditions of rule 1"),
        ({"rules": (Rule((5,), "no", (1.0, 1.0)),)}, "conditions of rule 1"),
        ({"rules": (Rule((Is("outlook", "fog"),), "no", (1.0, 1.0)),)}, "'fog'"),
        ({"rules": (Rule((AtMost("outlook", 1.0),), "no", (1.0, 1.0)),)}, "nominal"),
        ({"rules": (Rule((AtMost("temperature", float("nan")),), "no", (1.0, 1.0)),)}, "finite"),
    ],
)
def test_check_names_what_does_not_fit(change, message):
    RULES.check()
    with pytest.raises(InputError, match=message):
        replace(RULES, **change).check()


def test_model_files_hold_every_condition_and_older_ones_lack_the_class_counts(tmp_path):
    colour = Column("colour", "nominal", ("red", "green", "blue"))
    rules = RuleList(
        Schema((colour, Column("x"))),
        "y",
        (1, 2),
        (Rule((none_of(colour, ("red",)), AtMost("x", 0.1)), 2, (0.5, 2.0)),),
        1,
        (3.0, 0.0),
        class_counts=(3.5, 2.0),
    )
    save(rules, tmp_path / "rules.induce")
    loaded = load_hypothesis(tmp_path / "rules.induce")
    assert loaded == rules
    assert str(loaded.statistics()) == str(rules.statistics())
    arrays = []
    written = Encoder("field", "", arrays).encode(rules, "rules")
    del written["fields"]["class_counts"]
    older = Decoder(arrays.__getitem__).decode(written)
    assert older == replace(rules, class_counts=())
    assert older.predict([["green", 0.0], ["pink", 0.0]]).tolist() == [2, 1]


def test_importing_rules_is_cheap():
    heavy = {"polars", "numba", "matplotlib", "sklearn", "scipy", "pandas", "narwhals"}
    code = "import sys, induce.hypotheses.rules; print(*sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout
    assert not heavy & set(found.split())
