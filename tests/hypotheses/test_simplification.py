"""Simplified lists predict the same: whatever the rows, or for the rows that were given."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.data.schema import Column, Schema
from induce.data.table import Table, encode
from induce.hypotheses.boxes import Boxes
from induce.hypotheses.conditions import Above, AtMost, Between, Is, OneOf, none_of
from induce.hypotheses.rules import Rule, RuleList

COLOUR = Column("c", "nominal", ("a", "b", "d"))
SCHEMA = Schema((Column("x"), COLOUR))
YES, NO = (0.0, 2.0), (2.0, 0.0)


def listed(*rules, default="no", ordered=True, class_counts=()):
    made = tuple(Rule(conditions, head, NO if head == "no" else YES) for conditions, head in rules)
    return RuleList(SCHEMA, "y", ("no", "yes"), made, default, (1.0, 0.0), ordered, class_counts)


@pytest.mark.parametrize(
    ("rules", "left"),
    [
        # conditions that others imply
        ([((Above("x", 1), Above("x", 2)), "yes")], [((Above("x", 2),), "yes")]),
        ([((Is("c", "a"), OneOf("c", ("a", "b"))), "yes")], [((Is("c", "a"),), "yes")]),
        # a premise that nothing satisfies
        ([((Above("x", 3), AtMost("x", 3)), "yes")], []),
        ([((Is("c", "a"), none_of(COLOUR, ("a",))), "yes")], []),
        # an earlier rule always decides
        ([((Above("x", 1),), "yes"), ((Above("x", 2), Is("c", "a")), "no")], [((Above("x", 1),), "yes")]),
        (
            [((none_of(COLOUR, ("a",)),), "yes"), ((Is("c", "b"),), "no")],
            [((none_of(COLOUR, ("a",)),), "yes")],
        ),
        # all values of a column are not all rows: the value may be missing
        (
            [((OneOf("c", ("a", "b", "d")),), "yes"), ((Above("x", 1),), "yes")],
            [((OneOf("c", ("a", "b", "d")),), "yes"), ((Above("x", 1),), "yes")],
        ),
        # the default would say the same
        ([((Above("x", 1),), "no")], []),
        ([((Above("x", 1),), "no"), ((Above("x", 3),), "no")], []),
        # the second is never reached, and then the first says what the default says
        ([((Above("x", 1),), "no"), ((Above("x", 3),), "yes")], []),
        (
            [((Above("x", 3),), "no"), ((Above("x", 1),), "yes")],
            [((Above("x", 3),), "no"), ((Above("x", 1),), "yes")],
        ),
        ([((AtMost("x", 1),), "no"), ((Above("x", 1),), "yes")], [((Above("x", 1),), "yes")]),
        # a later rule would say the same
        ([((Above("x", 3),), "yes"), ((Above("x", 1),), "yes")], [((Above("x", 1),), "yes")]),
        (
            [((Above("x", 3),), "yes"), ((Is("c", "a"),), "no"), ((Above("x", 1),), "yes")],
            [((Above("x", 3),), "yes"), ((Is("c", "a"),), "no"), ((Above("x", 1),), "yes")],
        ),
        (
            [((Above("x", 3),), "yes"), ((AtMost("x", 2), Is("c", "a")), "no"), ((Above("x", 1),), "yes")],
            [((AtMost("x", 2), Is("c", "a")), "no"), ((Above("x", 1),), "yes")],
        ),
    ],
)
def test_what_goes_and_what_stays(rules, left):
    found = listed(*rules).simplify()
    assert [(rule.conditions, rule.prediction) for rule in found.rules] == left
    assert found.simplify() == found


def test_rules_that_vote_keep_their_votes():
    votes = listed(
        ((Above("x", 1), Above("x", 2)), "yes"), ((Above("x", 3),), "yes"), ((), "no"), ordered=False
    )
    silent = Rule((Above("x", 5),), "yes", (0.0, 0.0))
    found = replace(votes, rules=(*votes.rules, silent)).simplify()
    assert [str(rule) for rule in found.rules] == [
        "IF x > 2 THEN yes (2/2)",
        "IF x > 3 THEN yes (2/2)",
        "IF TRUE THEN no (2/2)",
    ]


def test_counts_go_to_the_rule_that_takes_over_where_rows_are_counted_once():
    rules = [((Above("x", 3),), "yes"), ((Above("x", 1),), "yes"), ((Is("c", "a"),), "no")]
    known = listed(*rules, class_counts=(3.0, 4.0)).simplify()
    assert [str(rule) for rule in known.rules] == ["IF x > 1 THEN yes (4/4)"]
    assert known.default_counts == (3.0, 0.0)
    unknown = listed(*rules).simplify()
    assert [str(rule) for rule in unknown.rules] == ["IF x > 1 THEN yes (2/2)"]
    assert unknown.default_counts == (1.0, 0.0)
    overlapping = listed(*rules, class_counts=(2.0, 2.0)).simplify()
    assert overlapping.default_counts == (1.0, 0.0)


def test_with_rows_what_they_do_not_need_goes_too():
    rules = listed(((Above("x", 3), Is("c", "a")), "yes"), ((Above("x", 9),), "yes"), ((Is("c", "b"),), "no"))
    X = np.array([[5.0, "a"], [1.0, "b"], [2.0, "a"]], dtype=object)
    found = rules.simplify(X)
    assert str(found) == "IF x > 3 THEN yes (2/2)\nDEFAULT no (1/1)"
    assert found.predict(X).tolist() == rules.predict(X).tolist()
    assert rules.simplify(X[:0]) == rules.simplify()
    assert listed().simplify(X) == listed()


def test_a_rule_may_be_wider_where_a_later_one_says_the_same():
    rules = listed(((Above("x", 3), Is("c", "a")), "yes"), ((Above("x", 3),), "yes"))
    X = np.array([[5.0, "a"], [5.0, "b"], [2.0, "a"]], dtype=object)
    assert str(rules.simplify(X)) == "IF x > 3 THEN yes (2/2)\nDEFAULT no (1/1)"


def test_real_rules_become_fewer():
    X, y = induce.dataset("iris")
    rules = induce.C45().fit(X, y).hypothesis_.to_rules()
    for found in (rules.simplify(), rules.simplify(X)):
        assert found.predict(X).tolist() == rules.predict(X).tolist()
    assert len(rules.simplify(X).rules) < len(rules.rules)


@given(st.data())
def test_predictions_are_the_same_on_any_rows(cases, frame, data):
    hypothesis, rows = data.draw(cases)
    X = frame(hypothesis, rows)
    found = hypothesis.simplify()
    found.check()
    assert found.predict(X).tolist() == hypothesis.predict(X).tolist()
    assert len(found.rules) <= len(hypothesis.rules)
    assert found.simplify() == found
    shorter = hypothesis.simplify(X)
    shorter.check()
    assert shorter.predict(X).tolist() == hypothesis.predict(X).tolist()
    assert len(shorter.rules) <= len(found.rules)


@st.composite
def dense(draw):
    """Many overlapping rules over few values, and every row there is, with missing and unseen values."""
    numbers = st.integers(0, 3).map(float)
    test = st.one_of(
        st.builds(Above, st.just("x"), numbers),
        st.builds(AtMost, st.just("x"), numbers),
        st.builds(Between, st.just("x"), numbers, st.just(3.5)),
        st.builds(Is, st.just("c"), st.sampled_from("abd")),
        st.sampled_from("abd").map(lambda value: none_of(COLOUR, (value,))),
    )
    rules = draw(
        st.lists(
            st.builds(
                Rule,
                st.lists(test, max_size=3).map(tuple),
                st.sampled_from(("no", "yes")),
                st.tuples(st.integers(0, 2), st.integers(0, 2)),
            ),
            max_size=8,
        )
    )
    return RuleList(
        SCHEMA,
        "y",
        ("no", "yes"),
        tuple(rules),
        draw(st.sampled_from(("no", "yes"))),
        (1, 1),
        draw(st.booleans()),
    )


numbers, codes = np.meshgrid([np.nan, -1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.2, 4], [-2, -1, 0, 1, 2])
EVERY_ROW = Table(SCHEMA, numbers.reshape(-1, 1), codes.reshape(-1, 1).astype(np.int32))


@given(dense())
def test_predictions_are_the_same_on_every_row(rules):
    for found in (rules.simplify(), rules.simplify(EVERY_ROW)):
        assert found.predict(EVERY_ROW).tolist() == rules.predict(EVERY_ROW).tolist()
    some = EVERY_ROW.rows(np.arange(0, len(EVERY_ROW), 4))
    assert rules.simplify(some).predict(some).tolist() == rules.predict(some).tolist()


@given(dense())
def test_what_premises_have_in_common_is_what_rows_show(rules):
    covers = np.array([rule.covers(EVERY_ROW) for rule in rules.rules], dtype=bool).reshape(
        -1, len(EVERY_ROW)
    )
    boxes = Boxes.of(rules.rules, SCHEMA)
    assert boxes.satisfiable().tolist() == covers.any(axis=1).tolist()
    assert boxes.overlap().tolist() == (covers[:, None] & covers).any(axis=2).tolist()
    assert boxes.implied().tolist() == (~covers[:, None] | covers).all(axis=2).tolist()


def test_a_thousand_rules():
    rng = np.random.default_rng(0)
    schema = Schema(tuple(Column(f"c{j}") for j in range(12)))
    rules = tuple(
        Rule(
            tuple(Above(f"c{j}", float(rng.normal())) for j in rng.choice(12, 4, replace=False)),
            "ab"[k % 2],
            (1, 2),
        )
        for k in range(1000)
    )
    X = rng.normal(size=(500, 12))
    for ordered in (True, False):
        many = RuleList(schema, "y", ("a", "b"), rules, "a", (1, 1), ordered)
        table = encode(X, schema)
        assert many.simplify().predict(table).tolist() == many.predict(table).tolist()
        found = many.simplify(table)
        assert found.predict(table).tolist() == many.predict(table).tolist()
        assert len(found.rules) < 600
