"""How the rules of a list get on: what is possible, what the rows show, and what the order decides."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.data.table import encode
from induce.hypotheses import rule_report
from induce.hypotheses.conditions import Above, AtMost, Is
from induce.hypotheses.rule_report import Overlap, Swap
from induce.hypotheses.rules import Rule, RuleList

SCHEMA = Schema((Column("x"), Column("c", "nominal", ("a", "b"))))
RULES = RuleList(
    SCHEMA,
    "y",
    ("no", "yes"),
    (
        Rule((Above("x", 5),), "yes", (1.0, 2.0)),
        Rule((Is("c", "a"),), "no", (2.0, 0.0)),
        Rule((Is("c", "b"),), "yes", (0.0, 1.0)),
        Rule((Above("x", 6), Is("c", "b")), "no", (0.0, 0.0)),
        Rule((Above("x", 1), AtMost("x", 1)), "no", (0.0, 0.0)),
        Rule((AtMost("x", 0),), "no", (0.0, 0.0)),
    ),
    "no",
    (0.0, 0.0),
)
X = np.array([[7.0, "a"], [7.0, "b"], [6.0, "a"], [3.0, "b"], [None, "a"], [None, None]], dtype=object)
Y = ["yes", "yes", "no", "yes", "no", "no"]


def test_what_is_possible_without_rows():
    report = RULES.report()
    assert [(each.first, each.second, each.contradicts) for each in report.overlaps] == [
        (1, 2, True),
        (1, 3, False),
        (1, 4, True),
        (2, 6, False),
        (3, 4, True),
        (3, 6, True),
    ]
    assert report.unreachable == ((4, 1), (5, 0))
    assert report.never_reached == (4, 5)
    assert str(report).splitlines() == [
        "6 rules in order",
        "overlaps: 6 pairs of rules can share rows, 4 with different predictions",
        "  rules 1 and 2 can share rows: yes and no",
        "  rules 1 and 4 can share rows: yes and no",
        "  rules 3 and 4 can share rows: yes and no",
        "  rules 3 and 6 can share rows: yes and no",
        "never reached: 2 rules",
        "  rule 4: rule 1 always comes first",
        "  rule 5: its conditions exclude each other",
    ]


def test_what_the_rows_show():
    report = RULES.report(X, Y)
    assert report.overlaps[0] == Overlap(1, 2, ("yes", "no"), 2, (1, 1))
    assert [(each.first, each.second, each.rows) for each in report.overlaps] == [
        (1, 2, 2),
        (1, 3, 1),
        (1, 4, 1),
        (3, 4, 1),
        (2, 6, 0),
        (3, 6, 0),
    ]
    assert [each.right for each in report.contradictions] == [(1, 1), (1, 0), (1, 0), (0, 0)]
    assert report.covered == (3, 3, 2, 1, 0, 0)
    assert report.decided == (3, 1, 1, 0, 0, 0)
    assert report.idle == (4, 5, 6)
    assert report.swaps == (Swap(1, 2, (0, 2), (1, 1)),)
    assert report.reversed_rows == (0, 1, 2)
    assert report.disputed_rows == (0, 1, 2)
    assert str(report).splitlines() == [
        "6 rules in order, 6 rows",
        "overlaps: 4 pairs of rules share rows, 3 with different predictions (3 rows); "
        "2 more could, 1 with different predictions",
        "  rules 1 and 2 share 2 rows: yes (1 right) and no (1 right)",
        "  rules 1 and 4 share 1 row: yes (1 right) and no (0 right)",
        "  rules 3 and 4 share 1 row: yes (1 right) and no (0 right)",
        "order: 3 rows predicted otherwise if read from the last rule, 1 pair of neighbours with another prediction "
        "if swapped",
        "  rules 1 and 2 swapped: 2 rows predicted otherwise (1 right now, 1 then)",
        "never reached: 2 rules",
        "  rule 4: rule 1 always comes first",
        "  rule 5: its conditions exclude each other",
        "decide none of the rows: 3 rules",
        "  rule 4: covers 1 row, which earlier rules decide",
        "  rule 5: covers 0 rows",
        "  rule 6: covers 0 rows",
    ]


def test_rules_that_vote_have_no_order():
    report = replace(RULES, ordered=False).report(X, Y)
    assert report.swaps == ()
    assert report.reversed_rows == ()
    assert report.unreachable == ((5, 0),)
    assert report.decided == report.covered == (3, 3, 2, 1, 0, 0)
    assert "which vote" in str(report)
    assert "their order changes nothing" in str(report)


def test_classes_are_optional_and_rows_are_not_if_they_are_given():
    report = RULES.report(X)
    assert report.right is None
    assert str(report.contradictions[0]) == "rules 1 and 2 share 2 rows: yes and no"
    assert str(report.swaps[0]) == "rules 1 and 2 swapped: 2 rows predicted otherwise"
    assert str(report.overlaps[1]) == "rules 1 and 3 share 1 row: both yes"
    with pytest.raises(InputError, match="y is given without X"):
        RULES.report(y=Y)
    with pytest.raises(InputError, match="6 rows, but y has 2"):
        RULES.report(X, Y[:2])


def test_no_rules_and_no_rows():
    empty = replace(RULES, rules=())
    for report in (empty.report(), empty.report(X, Y), RULES.report(X[:0], [])):
        assert str(report)
        assert report._repr_html_()
    assert empty.report(X).overlaps == ()
    assert RULES.report(X[:0]).idle == (1, 2, 3, 4, 5, 6)


def test_html_escapes():
    evil = "<b>"
    rules = replace(
        RULES,
        classes=(evil, "yes"),
        default=evil,
        rules=tuple(
            replace(rule, prediction=evil) if rule.prediction == "no" else rule for rule in RULES.rules
        ),
    )
    html = rules.report(X)._repr_html_()
    assert evil not in html
    assert html.count("<li>") == 3 + 1 + 2 + 3


@given(st.data())
def test_it_says_what_other_orders_predict(cases, frame, data):
    hypothesis, rows = data.draw(cases)
    ordered = replace(hypothesis, ordered=True)
    rows = frame(ordered, rows)
    report = ordered.report(rows)
    now = ordered.predict(rows)
    backwards = replace(ordered, rules=ordered.rules[::-1])
    assert report.reversed_rows == tuple(np.flatnonzero(backwards.predict(rows) != now))
    changed = {}
    for place in range(len(ordered.rules) - 1):
        swapped = list(ordered.rules)
        swapped[place : place + 2] = swapped[place : place + 2][::-1]
        other = np.flatnonzero(replace(ordered, rules=tuple(swapped)).predict(rows) != now)
        if len(other):
            changed[place + 1] = tuple(other)
    assert {swap.first: swap.rows for swap in report.swaps} == changed
    table = encode(rows, ordered.schema)
    covers = [rule.covers(table) for rule in ordered.rules]
    possible = {(each.first - 1, each.second - 1): each.rows for each in report.overlaps}
    for one in range(len(covers)):
        for other in range(one + 1, len(covers)):
            assert possible.get((one, other), 0) == (covers[one] & covers[other]).sum()
    assert set(report.never_reached) <= set(report.idle)


def test_a_thousand_rules_and_blocks_of_rows(monkeypatch):
    rng = np.random.default_rng(1)
    schema = Schema(tuple(Column(f"c{j}") for j in range(8)))
    classes = tuple(range(200))
    rules = tuple(
        Rule(
            tuple(Above(f"c{j}", float(rng.normal())) for j in rng.choice(8, 3, replace=False)),
            k % 200,
            (1,) * 200,
        )
        for k in range(1000)
    )
    many = RuleList(schema, "y", classes, rules, 0, (1,) * 200)
    rows, labels = rng.normal(size=(2000, 8)), rng.integers(0, 200, 2000)
    report = many.report(rows, labels)
    text = str(report)
    assert len(text.splitlines()) < 60
    assert "more" in text
    monkeypatch.setattr(rule_report, "BLOCK", 700)
    again = many.report(rows, labels)
    assert (again.shared == report.shared).all()
    assert (again.right == report.right).all()
    assert (again.swaps, again.decided, again.reversed_rows) == (
        report.swaps,
        report.decided,
        report.reversed_rows,
    )
