"""The statistics of rules, by the counts of training and on other rows."""

import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.hypotheses.conditions import AtMost, Is, NoneOf
from induce.hypotheses.rule_statistics import class_codes
from induce.hypotheses.rules import Rule, RuleList
from induce.statistics.intervals import clopper_pearson

SCHEMA = Schema(
    (
        Column("Outlook", "nominal", ("Sunny", "Overcast", "Rain")),
        Column("Humidity", "nominal", ("High", "Normal")),
    )
)
# 04:10.B-7, with the classes in the order of the text: (Yes, No)
ORACLE = RuleList(
    SCHEMA,
    "PlayTennis",
    ("Yes", "No"),
    (
        Rule((Is("Outlook", "Overcast"),), "Yes", (4.0, 0.0)),
        Rule((Is("Humidity", "Normal"),), "Yes", (6.0, 1.0)),
        Rule((Is("Outlook", "Sunny"), Is("Humidity", "High")), "No", (0.0, 3.0)),
    ),
    "Yes",
    (1.0, 1.0),
    ordered=False,
    class_counts=(9.0, 5.0),
)


def test_significance_of_the_specification():
    found = [(each.significance, each.p_value) for each in ORACLE.statistics()]
    expected = [(3.534662, 0.0601), (1.619603, 0.2031), (6.177717, 0.0129)]
    for (statistic, p_value), (known, known_p) in zip(found, expected, strict=True):
        assert statistic == pytest.approx(known, abs=5e-7)
        assert p_value == pytest.approx(known_p, abs=5e-5)


def test_everything_about_a_rule():
    each = ORACLE.statistics(confidence=0.9)[1]
    assert (each.covered, each.correct, each.counts) == (7.0, 6.0, (6.0, 1.0))
    assert each.coverage == 0.5
    assert each.precision == 6 / 7
    assert each.lift == pytest.approx((6 / 7) / (9 / 14))
    exact = clopper_pearson(6, 7, 0.9)
    assert (each.interval.low, each.interval.high) == pytest.approx((exact.low, exact.high))
    assert each.interval.method == "Clopper-Pearson"
    assert each.interval.approximate
    assert (
        "the rule was fitted to these rows, so its precision on new ones is probably lower"
        in each.interval.preconditions
    )
    assert str(each) == (
        "IF Humidity = Normal THEN Yes: covers 7 rows (50.0%), precision 0.86, approximate 90% interval [0.48, 0.99] "
        "(Clopper-Pearson), lift 1.33, significance 1.62 (p = 0.2031)"
    )


def test_the_same_rows_give_the_same_numbers():
    X, y = induce.dataset("play-tennis")
    rows = ORACLE.statistics(X, y)
    for trained, counted in zip(ORACLE.statistics(), rows, strict=True):
        assert (trained.counts, trained.significance, trained.lift) == (
            counted.counts,
            counted.significance,
            counted.lift,
        )
    assert not rows[0].interval.approximate
    assert rows.class_counts == (9.0, 5.0)
    # no rule covers the two rows with rain and high humidity
    assert rows.default.counts == (1.0, 1.0)
    assert not rows.training


def test_an_ordered_list_is_judged_by_what_each_rule_decides():
    X, y = induce.dataset("play-tennis")
    ordered = replace(ORACLE, ordered=True)
    assert [each.counts for each in ordered.statistics(X, y)] == [(4.0, 0.0), (4.0, 1.0), (0.0, 3.0)]
    assert "decides" in ordered.statistics(X, y).note


def test_without_the_class_counts_they_come_from_the_rules_and_that_is_said():
    once = replace(
        ORACLE,
        ordered=True,
        class_counts=(),
        rules=(ORACLE.rules[0], replace(ORACLE.rules[1], counts=(4.0, 1.0)), ORACLE.rules[2]),
    )
    table = once.statistics()
    assert table.class_counts == (9.0, 5.0)
    assert "were not stored" in table.note
    assert "were not stored" not in ORACLE.statistics().note


def test_fractions_of_rows_make_the_interval_approximate():
    weighted = replace(ORACLE, rules=(replace(ORACLE.rules[0], counts=(2.5, 0.5)),))
    interval = weighted.statistics()[0].interval
    assert interval.approximate
    assert interval.preconditions == "rows have weights"
    exact = [clopper_pearson(right, 3) for right in (2, 3)]
    assert exact[0].low < interval.low < exact[1].low
    assert "approximate" in weighted.statistics().note


def test_a_rule_that_covers_nothing_has_no_precision():
    table = replace(ORACLE, rules=(replace(ORACLE.rules[0], counts=(0.0, 0.0)),)).statistics()
    assert math.isnan(table[0].precision)
    assert math.isnan(table[0].lift)
    assert table[0].interval is None
    assert (table[0].significance, table[0].p_value) == (0.0, 1.0)
    assert "0/0" in str(table)
    assert "nan" not in str(table)
    assert "nan" not in table._repr_html_()


def test_no_rules_one_class_no_rows():
    empty = RuleList(Schema((Column("x"),)), "y", ("a",), (), "a", (0.0,))
    table = empty.statistics()
    assert len(table) == 0
    assert list(table) == []
    assert (table.default.covered, table.default.p_value) == (0.0, 1.0)
    assert math.isnan(table.default.coverage)
    assert "DEFAULT" in str(table)
    assert empty.statistics(np.empty((0, 1)), []).default.covered == 0


@pytest.mark.parametrize("classes", [tuple(range(200)), tuple(f"class {k}" for k in range(200))])
def test_many_classes_and_rules(classes):
    rng = np.random.default_rng(3)
    schema = Schema((Column("x"),))
    rules = tuple(
        Rule((AtMost("x", float(j)),), classes[j % 200], tuple(rng.integers(0, 4, 200).tolist()))
        for j in range(1000)
    )
    everything = tuple(np.sum([rule.counts for rule in rules], axis=0).tolist())
    listed = RuleList(schema, "y", classes, rules, classes[0], (0,) * 200, False, everything)
    listed.check()
    table = listed.statistics()
    # degrees of freedom: 199
    from scipy.stats import chi2

    assert table[5].p_value == pytest.approx(chi2.sf(table[5].significance, 199))
    assert len(str(table).splitlines()) >= 1002
    X = rng.uniform(0, 1000, (50, 1))
    y = [classes[k] for k in rng.integers(0, 200, 50)]
    assert sum(table.default.counts) == 0
    assert sum(sum(each.counts) for each in replace(listed, ordered=True).statistics(X, y)) + (
        replace(listed, ordered=True).statistics(X, y).default.covered
    ) == len(X)


def test_class_counts_absent_from_these_rows_take_no_degree_of_freedom():
    X, y = induce.dataset("play-tennis")
    third = replace(
        ORACLE,
        classes=("Yes", "No", "Maybe"),
        rules=tuple(replace(rule, counts=(*rule.counts, 0.0)) for rule in ORACLE.rules),
        default_counts=(1.0, 1.0, 0.0),
        class_counts=(9.0, 5.0, 0.0),
    )
    assert [each.p_value for each in third.statistics(X, y)] == [
        each.p_value for each in ORACLE.statistics(X, y)
    ]


@pytest.mark.parametrize(
    ("y", "classes", "codes"),
    [
        (pl.Series(["b", "a"], dtype=pl.Enum(["a", "b"])), ("a", "b"), [1, 0]),
        (np.array([True, False]), (False, True), [1, 0]),
        (np.array([2, 7]), (7, 2), [1, 0]),
        (("2", "7"), ("7", "2"), [1, 0]),
    ],
)
def test_classes_of_every_type_are_found(y, classes, codes):
    assert class_codes(y, classes).tolist() == codes


def test_what_does_not_fit_is_named():
    X, y = induce.dataset("play-tennis")
    with pytest.raises(InputError, match="need both X and y"):
        ORACLE.statistics(X)
    with pytest.raises(InputError, match="14 rows, but y has 13"):
        ORACLE.statistics(X, y[:13])
    with pytest.raises(InputError, match="no class 'Yess'; did you mean 'Yes'"):
        ORACLE.statistics(X, ["Yess"] * 14)
    with pytest.raises(InputError, match="missing"):
        ORACLE.statistics(X, [None] * 14)
    with pytest.raises(InputError, match="confidence"):
        ORACLE.statistics(confidence=95)
    with pytest.raises(InputError, match="class counts"):
        replace(ORACLE, class_counts=(9.0,)).check()
    with pytest.raises(InputError, match="class counts"):
        replace(ORACLE, class_counts=(9.0, -5.0)).check()


def test_the_printed_table():
    assert str(ORACLE.statistics()).splitlines()[:5] == [
        "   rule                                    class  right/covered  share  precision  95% interval  lift  "
        "significance       p",
        "1  IF Outlook = Overcast                   Yes              4/4  28.6%       1.00  [0.40, 1.00]  1.56  "
        "        3.53  0.0601",
        "2  IF Humidity = Normal                    Yes              6/7  50.0%       0.86  [0.42, 1.00]  1.33  "
        "        1.62  0.2031",
        "3  IF Outlook = Sunny AND Humidity = High  No               3/3  21.4%       1.00  [0.29, 1.00]  2.80  "
        "        6.18  0.0129",
        "   DEFAULT                                 Yes              1/2  14.3%       0.50  [0.01, 0.99]  0.78  "
        "        0.17  0.6798",
    ]


def test_html_of_statistics_escapes_and_has_a_bar_per_rule():
    evil = "<script>"
    rules = RuleList(
        Schema((Column(evil, "nominal", (evil, "b")),)),
        evil,
        (evil, "b"),
        (Rule((NoneOf(evil, ("b",), (evil,)),), evil, (3, 1)),),
        evil,
        (0, 0),
    )
    for html in (rules.statistics()._repr_html_(), rules._repr_html_()):
        assert "<script" not in html
        assert html.count("<tr>") == 3
        assert "width:60.0px" in html
        assert "width:20.0px" in html
