"""Rule post-pruning against the numbers of Mitchell's §3.7.1.2 as recomputed in spec 01, O3.9."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.data.frames import raw_frame
from induce.data.table import encode, infer_schema
from induce.data.training import Examples
from induce.hypotheses.conditions import Above, AtMost, Is
from induce.trees.rule_pruning import Coverage, PrunedRule, observed, pessimistic, prune_rule, tightest


@pytest.fixture(scope="module")
def tennis():
    return induce.dataset("play-tennis")


def book_rules(data, estimate, **options):
    X, y = data
    learner = induce.C45Rules(estimate=estimate, min_samples_leaf=1, select=False, **options)
    with induce.trace("drop") as events:
        learner.fit(X, y)
    return learner.hypothesis_, events


def test_the_printed_tree_keeps_its_five_rules_under_the_books_estimate(tennis):
    rules, events = book_rules(tennis, "pessimistic")
    assert sorted(str(rule) for rule in rules.rules) == [
        "IF Outlook = Overcast THEN Yes (4/4)",
        "IF Outlook = Rain AND Wind = Strong THEN No (2/2)",
        "IF Outlook = Rain AND Wind = Weak THEN Yes (3/3)",
        "IF Outlook = Sunny AND Humidity = High THEN No (3/3)",
        "IF Outlook = Sunny AND Humidity = Normal THEN Yes (2/2)",
    ]
    without = {event["conditions"]: event["without"] for event in events}
    assert without["Outlook = Sunny", "Humidity = High"] == pytest.approx(
        {"Outlook = Sunny": 0.2048, "Humidity = High": 0.1706}, abs=1e-4
    )
    assert without["Outlook = Sunny", "Humidity = Normal"] == pytest.approx(
        {"Outlook = Sunny": 0.5979, "Humidity = Normal": -0.0294}, abs=1e-4
    )
    assert without[("Outlook = Overcast",)] == pytest.approx({"Outlook = Overcast": 0.3919}, abs=1e-4)
    assert without["Outlook = Rain", "Wind = Weak"] == pytest.approx(
        {"Outlook = Rain": 0.4499, "Wind = Weak": 0.1706}, abs=1e-4
    )
    assert without["Outlook = Rain", "Wind = Strong"] == pytest.approx(
        {"Outlook = Rain": 0.0999, "Wind = Strong": -0.0294}, abs=1e-4
    )
    assert all(event["accuracy"] == 1.0 for event in events)


def test_c45s_limit_generalises_the_rule_for_normal_humidity(tennis):
    rules, events = book_rules(tennis, "c45")
    first = {event["conditions"]: event for event in reversed(events)}
    before = first["Outlook = Sunny", "Humidity = Normal"]
    assert before["accuracy"] == pytest.approx(0.50, abs=1e-4)
    assert before["without"]["Outlook = Sunny"] == pytest.approx(0.6593, abs=1e-4)
    assert before["dropped"] == "Outlook = Sunny"
    assert first["Outlook = Sunny", "Humidity = High"]["accuracy"] == pytest.approx(0.63, abs=1e-4)
    assert first[("Outlook = Overcast",)]["accuracy"] == pytest.approx(0.7071, abs=1e-4)
    assert first["Outlook = Rain", "Wind = Weak"]["accuracy"] == pytest.approx(0.63, abs=1e-4)
    assert first["Outlook = Rain", "Wind = Strong"]["accuracy"] == pytest.approx(0.50, abs=1e-4)
    assert "IF Humidity = Normal THEN Yes (6/7)" in map(str, rules.rules)


def test_the_pessimistic_estimate_tends_to_the_accuracy_for_large_samples():
    estimates = pessimistic(np.array([10.0, 100.0, 1000.0]), np.array([9.0, 90.0, 900.0]))
    assert estimates == pytest.approx([0.7141, 0.8412, 0.8814], abs=1e-4)


def test_rules_are_sorted_by_estimated_accuracy(tennis):
    rules, _ = book_rules(tennis, "c45")
    assert str(rules.rules[0]) == "IF Outlook = Overcast THEN Yes (4/4)"


@pytest.mark.parametrize(("strict", "kept"), [(False, (Is("b", "p"),)), (True, (Is("a", "x"), Is("b", "p")))])
def test_strict_keeps_a_condition_whose_removal_changes_nothing(strict, kept):
    X = pl.DataFrame({"a": ["x", "x", "z"], "b": ["p", "q", "q"]})
    schema = infer_schema(raw_frame(X))
    examples = Examples(encode(X, schema), np.array([0, 1, 1]), None, 2)
    rule = prune_rule((Is("a", "x"), Is("b", "p")), 0, Coverage(examples), pessimistic, strict)
    assert rule == PrunedRule(kept, 0, 1.0)


@pytest.mark.parametrize("estimate", ["c45", "pessimistic", "validation"])
def test_a_dropped_condition_did_not_worsen_the_estimate_and_strictly_it_improved_it(estimate):
    X, y = induce.dataset("breast-cancer")
    changes = {}
    for strict in (False, True):
        _, events = book_rules((X, y), estimate, strict=strict)
        dropped = [event for event in events if event["dropped"] is not None]
        changes[strict] = [event["without"][event["dropped"]] - event["accuracy"] for event in dropped]
        stayed = [
            max(event["without"].values()) - event["accuracy"] for event in events if not event["dropped"]
        ]
        assert max(stayed) < (1e-11 if strict else 0)
        assert len(stayed) > 3
    assert min(changes[False]) > -1e-11
    assert min(changes[True]) > 0
    assert len(changes[True]) < len(changes[False])


def test_a_rule_that_covers_no_validation_example_is_dropped_bare():
    X = pl.DataFrame({"a": ["x", "x", "z"], "b": ["p", "p", "q"]})
    schema = infer_schema(raw_frame(X))
    validation = Examples(encode(X, schema), np.array([0, 1, 1]), None, 2)
    assert observed(np.array([0.0, 4.0]), np.array([0.0, 3.0])).tolist() == [0, 0.75]
    rule = prune_rule((Is("a", "x"), Is("b", "q")), 0, Coverage(validation), observed, strict=True)
    assert rule == PrunedRule((Is("a", "x"),), 0, 0.5)


def test_selection_shortens_the_list_without_losing_training_accuracy(tennis):
    X, y = tennis
    rules = induce.C45Rules().fit(X, y).hypothesis_
    assert str(rules) == (
        "IF Outlook = Sunny AND Humidity = High THEN No (3/3)\n"
        "IF Outlook = Rain AND Wind = Strong THEN No (2/2)\n"
        "DEFAULT Yes (9/9)"
    )
    assert (rules.predict(X) == y.to_numpy()).all()


def test_validation_estimates_come_from_rows_the_tree_did_not_see():
    X, y = induce.dataset("breast-cancer")
    learner = induce.C45Rules(estimate="validation", random_state=1).fit(X, y)
    again = induce.C45Rules(estimate="validation", random_state=1).fit(X, y)
    assert learner.hypothesis_ == again.hypothesis_
    assert learner.score(X, y) > 0.9


def test_bounds_of_one_attribute_stay_apart_and_tightest():
    path = (AtMost("x", 5.0), Above("x", 1.0), AtMost("x", 3.0), Is("c", "u"), Above("x", 2.0))
    assert tightest(path) == (AtMost("x", 3.0), Above("x", 2.0), Is("c", "u"))


def test_an_unknown_estimate_is_named():
    with pytest.raises(InputError, match="estimate is 'best'"):
        induce.C45Rules(estimate="best").fit([[1], [2]], [0, 1])


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b", None]),
            st.one_of(st.none(), st.integers(0, 5)),
            st.sampled_from(["u", "v", "w"]),
        ),
        min_size=2,
        max_size=40,
    ),
    st.booleans(),
)
def test_predictions_agree_with_the_printed_rules(rows, select):
    X = pl.DataFrame(
        {"n": [r[0] for r in rows], "x": [r[1] for r in rows]}, schema={"n": pl.String, "x": pl.Int64}
    )
    learner = induce.C45Rules(select=select, min_samples_leaf=1).fit(X, [r[2] for r in rows])
    rules = learner.hypothesis_
    table = rules.encoded(X)
    for i, prediction in enumerate(learner.predict(X)):
        firing = [rule for rule in rules.rules if rule.covers(table)[i]]
        assert prediction == (firing[0].prediction if firing else rules.default)
    for rule in rules.rules:
        covered = rule.covers(table)
        assert sum(rule.counts) == covered.sum()
