"""PART: rules from partial trees."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import induce
from induce.core.interrupts import whole_fits
from induce.core.notes import Note
from induce.rules.learners.part import PART

NUMBER = r"-?\d[\d.e+-]*"


def satisfied(condition: str, row: dict[str, object]) -> bool:
    """Whether a row satisfies a condition as it is printed."""
    if match := re.fullmatch(rf"({NUMBER}) < (\S+) <= ({NUMBER})", condition):
        value = row[match[2]]
        return value is not None and float(match[1]) < value <= float(match[3])
    name, relation, given = condition.split(" ", 2)
    value = row[name]
    if value is None:
        return False
    if relation in ("<=", ">"):
        return value <= float(given) if relation == "<=" else value > float(given)
    if relation in ("=", "!="):
        return (value == given) == (relation == "=")
    among, values = re.fullmatch(r"(?:(not) )?in \{(.*)\}", f"{relation} {given}").groups()
    return (value in values.split(", ")) == (among is None)


def as_printed(rules: str, rows: list[dict[str, object]]) -> list[str]:
    """The class of each row by a printed list of rules, read with the eyes."""
    *lines, last = rules.splitlines()
    parsed = [re.fullmatch(r"IF (.*) THEN (\S+) \(.*\)", line).groups() for line in lines]
    default = re.fullmatch(r"DEFAULT (\S+) \(.*\)", last)[1]
    return [
        next(
            (head for premise, head in parsed if all(satisfied(c, row) for c in premise.split(" AND "))),
            default,
        )
        for row in rows
    ]


def table_with_holes(seed: int, n: int = 120, missing: float = 0.3) -> tuple[pl.DataFrame, pl.Series]:
    draws = np.random.default_rng(seed)
    size, colour, weight = draws.normal(size=n), draws.integers(4, size=n), draws.integers(9, size=n)
    y = (size + (colour == 2) + 0.3 * draws.normal(size=n) > 0.3).astype(int) + (weight > 6)
    hidden = draws.random((3, n)) < missing
    X = pl.DataFrame(
        {
            "size": [None if h else float(v) for v, h in zip(size, hidden[0], strict=True)],
            "colour": [None if h else "rgbk"[v] for v, h in zip(colour, hidden[1], strict=True)],
            "weight": [None if h else int(v) for v, h in zip(weight, hidden[2], strict=True)],
        }
    )
    return X, pl.Series("class", np.array(["low", "mid", "top"])[y])


def test_the_partial_trees_of_play_tennis_followed_by_hand():
    """By gain ratio Outlook divides all 14 days: Overcast is pure, Sunny (2 of 5) and Rain (3 of 5) are as mixed as
    each other, so Sunny comes next and Humidity divides it. A leaf there would err 3.22 times by the estimate, its
    two leaves 1.11 + 1.00 times: they stay, and Rain is never looked at. The heaviest leaf is Overcast.

    Of the 10 days left Humidity tells most. High and Normal have a test each that is no better than a leaf, and
    are leaves then, of 5 days each; the first becomes the rule.
    """
    X, y = induce.dataset("play-tennis")
    with induce.trace(only=("expand", "replace", "rule")) as events:
        rules = PART().fit(X, y).hypothesis_
    end = next(i for i, event in enumerate(events) if event.kind == "rule")
    first = [(event["path"], event["test"]) for event in events[:end] if event.kind == "expand"]
    assert first == [
        ("TRUE", "Outlook"),
        ("Outlook = Overcast", None),
        ("Outlook = Sunny", "Humidity"),
        ("Outlook = Sunny AND Humidity = High", None),
        ("Outlook = Sunny AND Humidity = Normal", None),
    ]
    (replace,) = (event for event in events[:end] if event.kind == "replace")
    assert replace["path"] == "Outlook = Sunny"
    assert replace["as_leaf"] == pytest.approx(3.2220, abs=1e-4)
    assert replace["as_tree"] == pytest.approx(3 * (1 - 0.25 ** (1 / 3)) + 2 * (1 - 0.25**0.5))
    assert not replace["replaced"]
    assert events[end]["conditions"] == ("Outlook = Overcast",)
    assert events[end]["rows"] == 4

    second = events[end + 1 :]
    end = next(i for i, event in enumerate(second) if event.kind == "rule")
    replaced = {event["path"]: event["replaced"] for event in second[:end] if event.kind == "replace"}
    assert replaced == {"Humidity = High": True, "Humidity = Normal": True, "TRUE": False}
    entropies = [event["entropy"] for event in second[:end] if event.kind == "expand"]
    assert entropies[:2] == pytest.approx([1.0, 0.7219], abs=1e-4)
    assert str(rules).splitlines() == [
        "IF Outlook = Overcast THEN Yes (4/4)",
        "IF Humidity = High THEN No (4/5)",
        "DEFAULT Yes (4/5)",
    ]


def test_the_candidates_of_a_test_are_traced_as_for_trees():
    X, y = induce.dataset("play-tennis")
    with induce.trace("split") as events:
        PART().fit(X, y)
    assert events[0]["chosen"] == "Outlook"
    assert events[0]["candidates"]["Outlook"]["gain"] == pytest.approx(0.2467, abs=1e-4)


def test_iris():
    X, y = induce.dataset("iris")
    rules = PART().fit(X, y).hypothesis_
    assert str(rules).splitlines() == [
        "IF petal width <= 0.8 THEN setosa (50/50)",
        "IF petal width <= 1.75 AND petal length <= 4.95 THEN versicolor (47/48)",
        "DEFAULT virginica (49/52)",
    ]
    assert [rule.counts for rule in rules.rules] == [(50, 0, 0), (0, 47, 1)]
    assert rules.ordered
    assert rules.default_counts == (0, 3, 49)


def test_without_pruning_a_test_is_never_replaced():
    X, y = induce.dataset("play-tennis")
    with induce.trace("replace") as events:
        rules = PART(pruning=None).fit(X, y).hypothesis_
    assert not len(events)
    assert str(rules).splitlines() == [
        "IF Outlook = Overcast THEN Yes (4/4)",
        "IF Humidity = High AND Outlook = Sunny THEN No (3/3)",
        "IF Wind = Weak THEN Yes (4/4)",
        "DEFAULT No (2/3)",
    ]


def test_the_leaf_that_covers_most_becomes_the_rule_not_the_purest():
    """`a` makes a pure subset of 3 rows, looked at first, and one of 12 that no test divides."""
    X = {"a": ["x"] * 3 + ["y"] * 12}
    y = ["no"] * 3 + ["yes"] * 11 + ["no"]
    with induce.trace("expand") as events:
        rules = PART().fit(pl.DataFrame(X), y).hypothesis_
    assert [event["path"] for event in events][:3] == ["TRUE", "a = x", "a = y"]
    assert str(rules).splitlines() == ["IF a = y THEN yes (11/12)", "DEFAULT no (3/3)"]


@pytest.mark.compiled
def test_smaller_confidence_prunes_more():
    X, y = induce.dataset("breast-cancer")
    sizes = [
        len(PART(confidence_factor=factor, min_samples_leaf=1).fit(X, y).hypothesis_.rules)
        for factor in (1e-12, 0.25)
    ]
    assert sizes[0] < sizes[1]


@pytest.mark.compiled
def test_reduced_error_pruning_holds_rows_out_by_the_seed():
    X, y = induce.dataset("breast-cancer")
    learned = [PART(pruning="reduced-error", random_state=seed).fit(X, y).hypothesis_ for seed in (0, 0, 1)]
    assert learned[0] == learned[1]
    assert learned[0] != learned[2]
    counted = sum(rule.covered for rule in learned[0].rules) + sum(learned[0].default_counts)
    assert counted == len(y)  # the rows held out are counted too
    assert (learned[0].predict(X) == np.asarray(y)).mean() > 0.93


def test_reduced_error_pruning_replaces_what_errs_on_rows_held_out():
    """Of 60 rows `noise` divides at random, half of them held out: no test survives; `signal` does."""
    draws = np.random.default_rng(3)
    X = pl.DataFrame({"noise": draws.integers(3, size=60).astype(str), "signal": ["a", "b"] * 30})
    noise, signal = draws.integers(2, size=60), np.arange(60) % 2
    learner = PART(pruning="reduced-error", folds=2)
    assert learner.fit(X, signal).hypothesis_.size() == "1 rule, 1 condition"
    assert learner.fit(X.select("noise"), noise).hypothesis_.rules == ()
    assert PART(pruning=None).fit(X.select("noise"), noise).hypothesis_.rules != ()


def test_nominal_values_in_two():
    X = pl.DataFrame({"colour": ["red", "green", "blue", "black"] * 10})
    y = ["no", "yes", "no", "no"] * 10
    in_two = PART(binary_splits=True).fit(X, y).hypothesis_
    assert str(in_two).splitlines() == ["IF colour != green THEN no (30/30)", "DEFAULT yes (10/10)"]
    assert len(PART().fit(X, y).hypothesis_.rules) == 3


@pytest.mark.compiled
def test_limits_of_the_list():
    X, y = induce.dataset("breast-cancer")
    whole = PART().fit(X, y).hypothesis_
    two = PART(max_rules=2).fit(X, y).hypothesis_
    assert two.rules == whole.rules[:2]
    assert max(len(rule.conditions) for rule in whole.rules) > 1
    short = PART(max_length=1).fit(X, y).hypothesis_
    assert {len(rule.conditions) for rule in short.rules} == {1}


def test_rows_with_a_missing_value_are_divided_in_a_tree_and_stay_whole_after_the_rule():
    """Half of each row without `a` goes down each branch; the rule on `a` covers and takes none of them."""
    X = pl.DataFrame(
        {
            "a": ["x"] * 20 + ["y"] * 20 + [None] * 20,
            "b": ["u", "v"] * 10 + ["v"] * 20 + ["u"] * 10 + ["v"] * 10,
        }
    )
    y = ["no"] * 20 + ["yes"] * 20 + ["no"] * 10 + ["yes"] * 10
    with induce.trace("expand") as events:
        rules = PART().fit(X, y).hypothesis_
    counts = [(event["path"], event["counts"]) for event in events]
    assert counts[:6] == [
        ("TRUE", (30.0, 30.0)),
        ("a = x", (25.0, 5.0)),
        ("a = x AND b = u", (15.0, 0.0)),
        ("a = x AND b = v", (10.0, 5.0)),
        ("a = y", (5.0, 25.0)),
        ("a = y AND b = u", (5.0, 0.0)),
    ]
    assert counts[7] == ("TRUE", (10.0, 30.0))
    assert str(rules).splitlines() == [
        "IF a = x THEN no (20/20)",
        "IF b = v THEN yes (30/30)",
        "DEFAULT no (10/10)",
    ]
    assert rules.predict(pl.DataFrame({"a": [None, None], "b": ["v", "u"]})).tolist() == ["yes", "no"]


def test_a_missing_value_and_an_unseen_category_satisfy_no_condition():
    X, y = induce.dataset("play-tennis")
    learner = PART().fit(X, y)
    row = {name: [None] for name in X.columns}
    assert "by default" in str(learner.explain(pl.DataFrame(row, schema=X.schema))[0])
    odd = {"Outlook": ["Fog"], "Temperature": ["Hot"], "Humidity": ["None"], "Wind": ["Weak"]}
    assert "by default" in str(learner.explain(pl.DataFrame(odd))[0])


@pytest.mark.parametrize("pruning", ["error-based", "reduced-error", None])
@pytest.mark.parametrize("binary_splits", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_predictions_are_those_of_the_printed_rules(pruning, binary_splits, seed):
    X, y = table_with_holes(seed)
    learner = PART(pruning=pruning, binary_splits=binary_splits).fit(X, y)
    rules = learner.hypothesis_
    assert learner.predict(X).tolist() == as_printed(str(rules), X.to_dicts())
    fired = [e.rules[0] if e.rules else None for e in learner.explain(X)]
    for rule in rules.rules:  # the counts are those of the rows that the rule is the first to cover
        mine = [rule == other for other in fired]
        assert rule.covered == sum(mine) > 0
        assert rule.correct == sum(y.to_numpy()[mine] == rule.prediction)
        assert rule.correct == max(rule.counts)
        assert rule.covered >= 2
    if pruning is None:  # leaves that hold but fractions do not end the list
        assert sum(rules.default_counts) < 30


def test_fractions_of_several_missing_values_come_back_whole():
    """Trees whose nodes are entered with fractions must leave the weights of the next as they were."""
    X, y = table_with_holes(5, n=400, missing=0.4)
    with induce.trace(only=("expand", "rule")) as events:
        PART(pruning=None, min_samples_leaf=5).fit(X, y)
    left = 400
    for before, event in zip([None, *events], events, strict=False):
        if event.kind == "expand" and (before is None or before.kind == "rule"):
            assert sum(event["counts"]) == left
        if event.kind == "rule":
            left -= event["rows"]
    nested = [e for e in events if e.kind == "expand" and " AND " in e["path"]]
    assert any(sum(event["counts"]) % 1 > 0.01 for event in nested)


@given(
    hnp.arrays(np.int64, (12, 2), elements=st.integers(0, 3)),
    st.lists(st.sampled_from("abc"), min_size=12, max_size=12),
    hnp.arrays(np.int64, 12, elements=st.integers(1, 3)),
    st.booleans(),
    st.booleans(),
)
def test_a_weight_is_as_many_repetitions(cells, y, times, holes, nominal):
    X = cells.astype(float)
    if holes:
        X[X == 3] = np.nan
    frame = pl.DataFrame(X, schema=["p", "q"], nan_to_null=True)
    schema = {"p": {"kind": "nominal", "domain": ("0", "1", "2", "3")}} if nominal else None
    rows = np.repeat(np.arange(12), times)
    weighted = PART(schema=schema).fit(frame, y, sample_weight=times).hypothesis_
    repeated = PART(schema=schema).fit(frame[rows], np.array(y)[rows]).hypothesis_
    assert str(weighted) == str(repeated)


@given(
    hnp.arrays(
        np.float64,
        st.tuples(st.integers(1, 25), st.integers(1, 3)),
        elements=st.sampled_from([0, 1, 2, np.nan]),
    ),
    st.data(),
    st.sampled_from(["error-based", "reduced-error", None]),
)
def test_every_table_has_its_rules(X, data, pruning):
    y = data.draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=len(X), max_size=len(X)))
    rules = PART(pruning=pruning, min_samples_leaf=1).fit(X, y).hypothesis_
    assert sum(rule.covered for rule in rules.rules) + sum(rules.default_counts) == len(X)
    assert all(rule.covered > 0 for rule in rules.rules)


def test_zero_weights_and_class_weights():
    X, y = induce.dataset("iris")
    weight = np.repeat([1.0, 1.0, 0.0], 50)
    without = PART().fit(X, y, sample_weight=weight).hypothesis_
    assert str(without).splitlines() == [
        "IF petal width <= 0.8 THEN setosa (50/50)",
        "DEFAULT versicolor (50/50)",
    ]
    X, y = [[0.0]] * 10, ["rare"] * 3 + ["common"] * 7
    assert PART().fit(X, y).predict([[0.0]])[0] == "common"
    assert PART(class_weight={"rare": 3}).fit(X, y).predict([[0.0]])[0] == "rare"


def test_a_table_without_anything_to_tell():
    assert str(PART().fit([[1.0, 2.0]], ["only"]).hypothesis_) == "DEFAULT only (1/1)"
    assert str(PART().fit([[1.0], [2.0], [3.0]], ["same"] * 3).hypothesis_) == "DEFAULT same (3/3)"
    assert str(PART(pruning="reduced-error").fit([[1.0]], ["only"]).hypothesis_) == "DEFAULT only (1/1)"
    contradictory = PART().fit([[1.0]] * 5, list("aabba"))
    assert str(contradictory.hypothesis_) == "DEFAULT a (3/5)"
    assert contradictory.predict_proba([[1.0]]).tolist() == [[0.6, 0.4]]


@pytest.mark.parametrize("kind", ["numeric", "nominal"])
def test_a_column_without_any_value_is_never_tested(kind):
    X, y = induce.dataset("iris")
    plain = PART().fit(X, y).hypothesis_
    X = X.with_columns(
        pl.lit(None, dtype=pl.Float64 if kind == "numeric" else pl.Enum(["u", "v"])).alias("void")
    )
    assert str(PART().fit(X, y).hypothesis_) == str(plain)


@pytest.mark.compiled
def test_two_hundred_classes():
    draws = np.random.default_rng(0)
    y = np.repeat([f"c{k:03}" for k in range(200)], 6)
    X = np.column_stack([np.repeat(np.arange(200.0), 6), draws.normal(size=1200)])
    rules = PART().fit(X, y)
    assert len(rules.hypothesis_.rules) > 150
    assert rules.score(X, y) > 0.95


def test_bad_input():
    X, y = induce.dataset("iris")
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        PART().fit(X, X["petal width"] + 0.05)
    for parameter, value, advice in [
        ("confidence_factor", 0.7, "above 0 and at most 0.5"),
        ("confidence_factor", "high", "number"),
        ("pruning", "some", "None, 'error-based', 'reduced-error'"),
        ("min_samples_leaf", -1, "at least 0"),
        ("folds", 1, "whole number of at least 2"),
        ("max_rules", 0, "whole number of at least 1"),
        ("max_length", 1.5, "whole number of at least 1"),
    ]:
        with pytest.raises(induce.InputError, match=f"{parameter} is .*{advice}"):
            PART(**{parameter: value}).fit(X, y)


def test_ctrl_c_keeps_the_rules_found_so_far():
    X, y = induce.dataset("breast-cancer")
    whole = PART().fit(X, y).hypothesis_

    seen: list[float] = []

    def interrupt_third(share: float) -> None:
        seen.append(share)
        if len(seen) == 3:
            raise KeyboardInterrupt

    learner = PART()
    with induce.progress(interrupt_third), pytest.warns(Note, match="interrupted: the 3 rules"):
        learner.fit(X, y)
    assert learner.hypothesis_.rules == whole.rules[:3]
    assert sum(learner.hypothesis_.default_counts) == len(y) - sum(rule.covered for rule in whole.rules[:3])
    assert learner.predict(X).shape == (len(y),)

    def interrupt(share: float) -> None:
        raise KeyboardInterrupt

    with induce.progress(interrupt), whole_fits(), pytest.raises(KeyboardInterrupt):
        learner.fit(X, y)
    assert not hasattr(learner, "hypothesis_")


def test_progress_rises_to_one():
    seen: list[float] = []
    with induce.progress(seen.append):
        PART().fit(*table_with_holes(1))
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert seen[-1] == 1


@pytest.mark.parametrize("pruning", ["error-based", "reduced-error", None])
def test_traced_and_untraced_are_the_same(pruning):
    X, y = table_with_holes(2)
    with induce.trace() as events:
        traced = PART(pruning=pruning).fit(X, y).hypothesis_
    assert {event.kind for event in events} >= {"expand", "split", "rule"}
    assert traced == PART(pruning=pruning).fit(X, y).hypothesis_


def test_save_and_load(tmp_path):
    X, y = table_with_holes(3)
    learner = PART(binary_splits=True, confidence_factor=0.3).fit(X, y)
    induce.save(learner, tmp_path / "part.induce")
    loaded = induce.load(tmp_path / "part.induce")
    assert isinstance(loaded, PART)
    assert loaded.get_params() == learner.get_params()
    assert loaded.hypothesis_ == learner.hypothesis_
    assert loaded.predict(X).tolist() == learner.predict(X).tolist()
