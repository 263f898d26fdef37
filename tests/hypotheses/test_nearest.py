"""The rule that almost decided: found for every row, and named with what it lacks."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.data.schema import Column, Schema
from induce.data.table import encode
from induce.hypotheses import nearest
from induce.hypotheses.conditions import Above, AtMost, Is, none_of
from induce.hypotheses.explanation import Unsatisfied
from induce.hypotheses.rules import Rule, RuleList

COLOURS = Column("colour", "nominal", ("red", "green", "blue"))
SCHEMA = Schema((COLOURS, Column("b"), Column("wet", "nominal", (False, True))))
RULES = RuleList(
    SCHEMA,
    "play",
    ("no", "yes"),
    (
        Rule((Is("colour", "red"), Above("b", 3)), "yes", (0.0, 4.0)),
        Rule((none_of(COLOURS, ("blue",)),), "no", (3.0, 0.0)),
        Rule((AtMost("b", 1), Is("wet", True)), "yes", (1.0, 4.0)),
    ),
    "no",
    (2.0, 1.0),
)
ROWS = pl.DataFrame(
    {
        "colour": ["red", "red", "blue", None, "pink"],
        "b": [2.5, 4.0, 0.5, None, 1.0],
        "wet": [True, True, False, None, True],
    }
)


def test_near_misses_name_what_is_not_satisfied():
    assert [str(each).split("\n  ")[1] for each in RULES.explain(ROWS, nearest=True)] == [
        "nearly: IF colour = red AND b > 3 THEN yes (4/4), but b is 2.5",
        "nearly: IF colour != blue THEN no (3/3), but an earlier rule decides",
        "nearly: IF b <= 1 AND wet = True THEN yes (4/5), but wet is False",
        "nearly: IF colour = red AND b > 3 THEN yes (4/4), but colour is missing and b is missing",
        "nearly: IF colour != blue THEN no (3/3), but colour has a value not seen in training",
    ]


def test_nothing_changes_unless_it_is_asked_for():
    assert all(each.nearest is None for each in RULES.explain(ROWS))
    plain, asked = RULES.explain(ROWS), RULES.explain(ROWS, nearest=True)
    assert [replace(each, nearest=None) for each in asked] == list(plain)
    assert [str(each).split("\n")[0] for each in asked] == [str(each) for each in plain]


def test_what_the_row_has_is_a_value():
    miss = RULES.explain(ROWS, nearest=True)[2].nearest
    assert miss.rule == RULES.rules[2]
    assert miss.unsatisfied == (Unsatisfied(Is("wet", True), False),)
    assert not miss.later


def test_a_list_with_nothing_nearby():
    none = replace(RULES, rules=())
    assert [each.nearest for each in none.explain(ROWS, nearest=True)] == [None] * 5
    single = replace(RULES, rules=(Rule((), "yes", (0.0, 1.0)),))
    assert [each.nearest for each in single.explain(ROWS, nearest=True)] == [None] * 5
    assert RULES.explain(ROWS[:0], nearest=True) == ()


def test_where_no_rule_predicts_otherwise_the_nearest_of_all_is_named():
    yes = replace(RULES, rules=(RULES.rules[0], RULES.rules[2]))
    miss = yes.explain(ROWS, nearest=True)[1].nearest
    assert miss.rule == RULES.rules[2]
    assert str(miss).endswith("but b is 4 and an earlier rule decides")


def test_two_conditions_on_one_attribute_are_one_reason():
    rules = replace(RULES, rules=(Rule((Above("b", 3), Above("b", 4)), "yes", (0.0, 4.0)),))
    assert str(rules.explain(ROWS, nearest=True)[0].nearest).endswith(", but b is 2.5")


@given(st.data())
def test_no_rule_is_nearer(cases, frame, data):
    hypothesis, rows = data.draw(cases)
    X = frame(hypothesis, rows)
    table = encode(X, hypothesis.schema)
    fires = [rule.covers(table) for rule in hypothesis.rules]
    for row, explained in enumerate(hypothesis.explain(X, nearest=True)):
        distances = []
        for number, rule in enumerate(hypothesis.rules):
            lacking = sum(not condition.covers(table)[row] for condition in rule.conditions)
            later = hypothesis.ordered and any(fires[earlier][row] for earlier in range(number))
            if lacking + later:
                distances.append((rule.prediction == explained.prediction, lacking + later, number))
        if not distances:
            assert explained.nearest is None
            continue
        same, distance, number = min(distances)
        miss = explained.nearest
        assert miss.rule == hypothesis.rules[number]
        assert len(miss.unsatisfied) + miss.later == distance
        assert same or miss.rule.prediction != explained.prediction
        assert str(miss).startswith("nearly: IF ")


@pytest.mark.parametrize("ordered", [True, False])
def test_rows_in_blocks_and_a_thousand_rows_by_two_hundred_rules_are_quick(monkeypatch, ordered):
    rng = np.random.default_rng(0)
    schema = Schema(tuple(Column(f"c{j}") for j in range(20)))
    rules = tuple(
        Rule(
            tuple(Above(f"c{j}", float(rng.normal())) for j in rng.choice(20, 5, replace=False)),
            "ab"[k % 2],
            (1, 2),
        )
        for k in range(200)
    )
    listed = RuleList(schema, "y", ("a", "b"), rules, "a", (1, 1), ordered)
    X = rng.normal(size=(1000, 20))
    listed.explain(X[:10], nearest=True)
    explained = listed.explain(X, nearest=True)
    monkeypatch.setattr(nearest, "BLOCK", 7)
    assert listed.explain(X[:30], nearest=True) == explained[:30]
