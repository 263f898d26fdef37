"""RIPPER: what it learns, the user's knowledge, weights, traces, Ctrl-C, bad input."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import cross_val_score

import induce
from induce.core.errors import InputError
from induce.core.interrupts import whole_fits
from induce.core.notes import Note
from induce.core.progress import progress
from induce.hypotheses.conditions import Is, OneOf
from induce.hypotheses.parsing import parse_rule
from induce.hypotheses.rules import Rule, RuleList
from induce.rules.learners.ripper import RIPPER

COLOURS = ["red", "green", "blue"]


def mixed(n=300, seed=0, noise=0.05):
    """A table with nominal and numeric columns and holes; two conjunctions make the classes b and c."""
    random = np.random.default_rng(seed)
    colour, size = random.choice(COLOURS, n), random.normal(size=n).round(2)
    y = np.where((colour == "red") & (size > 0), "b", np.where((colour == "blue") & (size < -0.2), "c", "a"))
    y = np.where(random.random(n) < noise, random.choice(["a", "b", "c"], n), y)
    frame = pl.DataFrame(
        {
            "colour": pl.Series(
                np.where(random.random(n) < 0.05, None, colour).tolist(), dtype=pl.Enum(COLOURS)
            ),
            "size": np.where(random.random(n) < 0.05, np.nan, size),
            "other": random.normal(size=n),
        },
        nan_to_null=True,
    )
    return frame, pl.Series("kind", y)


@st.composite
def tables(draw, most=25):
    """A small mixed table with holes, and its classes."""
    n = draw(st.integers(1, most))

    def column(values, dtype):
        return pl.Series(draw(st.lists(values | st.none(), min_size=n, max_size=n)), dtype=dtype)

    frame = pl.DataFrame(
        {
            "colour": column(st.sampled_from(COLOURS), pl.Enum(COLOURS)),
            "size": column(st.integers(0, 3).map(float), pl.Float64),
        }
    )
    return frame, draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=n, max_size=n))


def learned(frame, y, sample_weight=None, **parameters) -> RuleList:
    return RIPPER(**parameters).fit(frame, y, sample_weight=sample_weight).hypothesis_


# -- what is learned --


def test_the_rules_of_play_tennis():
    rules = learned(*induce.dataset("play-tennis"))
    assert str(rules).splitlines() == [
        "IF Humidity = High AND Outlook = Sunny THEN No (3/3)",
        "IF Outlook = Rain AND Wind = Strong THEN No (2/2)",
        "DEFAULT Yes (9/9)",
    ]


def test_the_conjunctions_behind_a_noisy_table_are_found():
    X, y = mixed(2000)
    rules = learned(X, y)
    assert [rule.prediction for rule in rules.rules] == ["c", "b"]
    assert rules.default == "a"
    second, first = ({c.attribute: c for c in rule.conditions} for rule in rules.rules)
    assert first["colour"] == Is("colour", "red")
    assert first["size"].threshold == pytest.approx(0, abs=0.05)
    assert second["colour"] == Is("colour", "blue")
    assert second["size"].threshold == pytest.approx(-0.2, abs=0.05)
    fresh = mixed(2000, seed=1, noise=0.0)
    assert (rules.predict(fresh[0]) == fresh[1].to_numpy()).mean() > 0.9  # the holes hide some


def test_classes_are_taken_from_the_rarest_to_the_most_frequent():
    X = np.repeat(np.arange(4.0), [40, 30, 20, 10])[:, None]
    y = np.repeat(["most", "third", "second", "rarest"], [40, 30, 20, 10])
    rules = learned(X, y)
    assert [rule.prediction for rule in rules.rules] == ["rarest", "second", "third"]
    assert rules.default == "most"
    assert (rules.predict(X) == y).all()


@pytest.mark.compiled
def test_rules_generalise_as_well_as_those_of_a_tree():
    X, y = mixed(400, noise=0.1)
    ours = cross_val_score(RIPPER(), X, y.to_numpy(), cv=5).mean()
    tree = cross_val_score(induce.C45(), X, y.to_numpy(), cv=5).mean()
    assert ours > tree - 0.03
    assert ours > 0.8


def test_optimisation_makes_the_description_no_longer_than_building_alone():
    X, y = mixed(600, noise=0.15)
    few = learned(X, y, optimisations=2)
    many = learned(X, y, prune=False)
    assert len(few.rules) <= 6
    assert sum(len(rule.conditions) for rule in many.rules) > sum(len(rule.conditions) for rule in few.rules)


def test_rules_that_are_not_pruned_fit_the_table():
    X, y = mixed(120, noise=0.0)
    complete = X.with_columns(pl.col("size").fill_null(9.0), pl.col("colour").fill_null("green"))
    y = np.where((complete["colour"] == "red") & (complete["size"] > 0), "b", "a")
    assert (learned(complete, y, prune=False).predict(complete) == y).all()


def test_limits():
    X, y = mixed(400)
    assert len(learned(X, y, max_rules=1).rules) == 1
    flowers = induce.dataset("iris")
    assert max(len(rule.conditions) for rule in learned(*flowers).rules) == 2
    assert max(len(rule.conditions) for rule in learned(*flowers, max_length=1).rules) == 1
    assert all(rule.correct >= 30 for rule in learned(X, y, min_weight=30, prune=False).rules)


@pytest.mark.slow
def test_two_hundred_classes():
    y = np.repeat(np.arange(200), 6)
    X = np.column_stack([y % 20, y // 20]).astype(float)
    model = RIPPER().fit(X, [f"class {k}" for k in y])
    assert len(model.hypothesis_.rules) >= 199
    assert model.score(X, [f"class {k}" for k in y]) > 0.99


def test_a_rule_without_conditions_is_the_default():
    X, y = [[1.0]] * 20 + [[9.0]] * 11, ["a"] * 20 + ["b"] * 10 + ["a"]
    rules = learned(X, y, rules=["IF x0 <= 5 THEN a"])
    assert str(rules).splitlines() == ["IF x0 <= 5 THEN a (20/20)", "DEFAULT b (10/11)"]


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize(
    ("X", "y", "default"),
    [
        ([[1.0]], ["a"], "a"),
        ([[1.0], [2.0]], ["a", "a"], "a"),
        ([[1.0], [1.0], [1.0]], ["b", "a", "b"], "b"),
        (pl.DataFrame({"x": pl.Series([None, None, None], dtype=pl.Enum(["u"]))}), ["a", "b", "b"], "b"),
    ],
    ids=["one row", "one class", "contradictions", "all missing"],
)
def test_tables_with_nothing_to_tell_classes_apart(X, y, default, prune):
    rules = learned(X, y, prune=prune, min_weight=1)
    assert rules.rules == ()
    assert rules.default == default


def test_a_column_that_is_missing_everywhere_is_never_tested():
    X = [[np.nan, float(k)] for k in range(20)]
    rules = learned(X, ["a"] * 9 + ["b"] * 11)
    assert str(rules).splitlines() == ["IF x1 <= 8.5 THEN a (9/9)", "DEFAULT b (11/11)"]


def test_contradictory_rows_get_the_more_frequent_class():
    X, y = [[1.0]] * 10 + [[2.0]] * 20, ["a"] * 8 + ["b"] * 2 + ["b"] * 20
    rules = learned(X, y)
    assert str(rules).splitlines() == ["IF x0 <= 1.5 THEN a (8/10)", "DEFAULT b (20/20)"]


def test_a_missing_value_and_an_unseen_category_satisfy_no_test():
    X, y = mixed(500, noise=0.0)
    rules = learned(X, y)
    new = [[None, 3.0, 0.0], ["purple", 3.0, 0.0], ["red", None, 0.0]]
    assert rules.predict(new).tolist() == ["a", "a", "a"]
    assert rules.predict([["red", 3.0, 0.0]]).tolist() == ["b"]


def test_an_ordered_attribute_is_cut_in_its_order():
    grades = ["low", "middle", "high", "top"]
    X = pl.DataFrame({"grade": pl.Series(grades * 10, dtype=pl.Enum(grades))})
    told = {"grade": {"ordered": True}}
    rules = learned(X, ["no", "yes", "yes", "yes"] * 10, schema=told)
    assert rules.rules[0].conditions == (Is("grade", "low"),)
    rules = learned(pl.concat([X, X[3:4]]), [*["no", "no", "yes", "yes"] * 10, "yes"], schema=told)
    assert rules.rules[0].conditions == (OneOf("grade", ("low", "middle")),)


# -- properties --


@pytest.mark.filterwarnings("ignore:every class but")
@given(table=tables(), data=st.data(), prune=st.booleans())
def test_a_weight_is_a_repetition_and_the_order_of_rows_does_not_matter(table, data, prune):
    X, y = table
    weights = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(y), max_size=len(y))))
    weighted = learned(X, y, sample_weight=weights, prune=prune)
    repeated = data.draw(st.permutations(np.repeat(np.arange(len(y)), weights).tolist()))
    assert learned(X[repeated], np.array(y)[repeated], prune=prune) == weighted


@given(table=tables(), seed=st.integers(0, 5))
def test_predictions_follow_the_printed_rules(table, seed):
    X, y = table
    model = RIPPER(random_state=seed, min_weight=1).fit(X, y)
    *lines, last = str(model.hypothesis_).splitlines()
    inputs = model.hypothesis_.schema
    printed = [parse_rule(line, inputs, model.hypothesis_.classes) for line in lines]
    expected = np.full(len(y), last.split()[1], dtype=object)
    for rule in reversed(printed):
        expected[rule.covers(model.hypothesis_.encoded(X))] = rule.prediction
    assert model.predict(X).tolist() == expected.tolist()
    assert sum(map(sum, (r.counts for r in model.hypothesis_.rules))) + sum(
        model.hypothesis_.default_counts
    ) == len(y)


@pytest.mark.compiled
def test_the_same_seed_gives_the_same_rules_and_another_one_may_not():
    X, y = mixed(300, noise=0.3)
    texts = [str(learned(X, y, random_state=seed)) for seed in (0, 0, 1, 2, 3)]
    assert texts[0] == texts[1]
    assert len(set(texts)) > 1


def test_class_weights_move_the_border():
    random = np.random.default_rng(0)
    x = np.concatenate([random.normal(0, 1, 300), random.normal(1.5, 1, 40)])[:, None]
    y = np.repeat(["common", "rare"], [300, 40])
    plain = (RIPPER().fit(x, y).predict(x) == "rare").sum()
    assert (RIPPER(class_weight="balanced").fit(x, y).predict(x) == "rare").sum() > plain
    assert (RIPPER(class_weight={"common": 10}).fit(x, y).predict(x) == "rare").sum() <= plain


def test_relative_weights_count_rows():
    X, y = mixed(100)
    assert learned(X, y, sample_weight=np.full(100, 0.01)).rules == learned(X, y).rules
    assert learned(X, y, sample_weight=np.full(100, 2.5)).rules == learned(X, y).rules


# -- the user's knowledge --


def test_what_every_rule_must_say():
    X, y = mixed(500)
    rules = learned(X, y, require=["size > 0"])
    assert rules.rules
    for rule in rules.rules:
        size = next(c for c in rule.conditions if c.attribute == "size")
        assert size.bounds[0] >= 0


def test_what_no_rule_may_say():
    X, y = mixed(500)
    forbidden = learned(X, y, forbid=["size", "colour = red"])
    conditions = {str(c) for rule in forbidden.rules for c in rule.conditions}
    assert not any("size" in text or "red" in text for text in conditions)
    assert any("red" in str(rule) for rule in learned(X, y).rules)


def test_directions():
    X, y = mixed(500)
    two = np.where(y.to_numpy() == "b", "high", "low")
    free = learned(X, two)
    assert any("size >" in str(rule) for rule in free.rules)
    ruled = learned(X, pl.Series(two, dtype=pl.Enum(["low", "high"])), monotone={"size": "decreasing"})
    assert not any(c.bounds[0] > -np.inf for r in ruled.rules for c in r.conditions if c.attribute == "size")


def test_an_experts_rules_come_first_and_are_refined():
    X, y = mixed(500)
    rules = learned(X, y, rules=["IF colour = red THEN b"])
    assert rules.rules[0].conditions[0] == Is("colour", "red")
    assert "size" in {c.attribute for c in rules.rules[0].conditions}
    same = learned(X, y, rules=[Rule((Is("colour", "red"),), "b", ())])
    assert same == rules
    assert len(learned(X, y, rules=["IF colour = red THEN b"], max_rules=1).rules) == 1


def test_an_experts_rule_without_examples_is_kept():
    X, y = mixed(200)
    with pytest.warns(Note, match="no example is left for the rule 'size > 100'"):
        rules = learned(X, y, rules=["IF size > 100 THEN c"])
    assert str(rules.rules[0]) == "IF size > 100 THEN c (0/0)"


# -- traces, progress, Ctrl-C, files --


def test_traced_is_untraced_and_events_tell_how_rules_came_about():
    X, y = mixed(300, noise=0.1)
    plain = learned(X, y)
    with induce.trace() as events:
        assert learned(X, y) == plain
    kinds = {event.kind for event in events}
    assert {"rule grown", "rule pruned", "description length", "optimised"} <= kinds
    grown = next(event for event in events if event.kind == "rule grown")
    assert len(grown["conditions"]) == len(grown["gains"])
    for event in events:
        if event.kind == "description length":
            too_long, wrong = event["bits"] > event["least"] + 64, event["right"] <= event["covered"] / 2
            assert event["added"] == (not too_long and not wrong)
        if event.kind == "optimised":
            assert event["bits"][event["chosen"]] == min(event["bits"].values())


def test_progress_rises_to_one():
    seen = []
    with progress(seen.append):
        learned(*mixed(300))
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1.0)


@pytest.mark.parametrize("after", [1, 3, 5])
def test_ctrl_c_keeps_the_rules_found_so_far(after):
    X, y = mixed(500)
    seen = []

    def stop(share):
        seen.append(share)
        if len(seen) == after:
            raise KeyboardInterrupt

    model = RIPPER()
    with progress(stop), pytest.warns(Note, match=r"interrupted: the \d+ rules found so far are kept"):
        model.fit(X, y)
    assert model.hypothesis_.rules
    assert len(model.predict(X)) == len(y)
    seen.clear()
    with progress(stop), whole_fits(), pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert not hasattr(model, "hypothesis_")


def test_save_and_load(tmp_path):
    X, y = mixed(200)
    model = RIPPER(max_length=2).fit(X, y)
    induce.save(model, tmp_path / "rules.induce")
    again = induce.load(tmp_path / "rules.induce")
    assert again.hypothesis_ == model.hypothesis_
    assert again.get_params()["max_length"] == 2
    assert (again.predict(X) == model.predict(X)).all()


# -- bad input --


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"optimisations": -1}, "optimisations is -1; it must be a whole number of at least 0"),
        ({"min_weight": "two"}, "min_weight is 'two'"),
        ({"folds": 1}, "folds is 1; it must be a whole number of at least 2"),
        ({"max_rules": 0}, "max_rules is 0"),
        ({"max_length": 1.5}, "max_length is 1.5"),
        ({"random_state": "x"}, "random_state is 'x'"),
        ({"require": "size > 1"}, r"require is a string; give a list, such as \['size > 1'\]"),
        ({"forbid": ["sice"]}, "sice"),
        ({"rules": ["IF colour = pink THEN a"]}, "pink"),
        ({"rules": ["IF colour = red THEN z"]}, "z"),
        ({"monotone": {"colour": "increasing"}}, "'colour', whose values are not ordered"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(InputError, match=message):
        RIPPER(**parameters).fit(*mixed(50))


def test_a_numeric_target_gets_advice():
    with pytest.raises(ValueError, match="continuous"):
        RIPPER().fit([[1.0], [2.0], [3.0]], [0.5, 1.25, 2.75])
