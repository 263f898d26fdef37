"""The worked numbers of Mitchell's chapter 10, on the examples of table 3.2."""

from __future__ import annotations

import pytest

import induce
from induce.data.table import encode
from induce.rules.learners.rule_learner import RuleLearner
from induce.rules.measures import (
    foil_gain,
    laplace,
    likelihood_ratio,
    m_estimate,
    negative_entropy,
    relative_frequency,
)

X, Y = induce.dataset("play-tennis")

SINGLE = {
    ("Outlook", "Sunny"): (2, 3, 0.9710, 0.4000, 0.4694, -1.3690),
    ("Outlook", "Overcast"): (4, 0, 0, 1.0000, 0.8810, 2.5497),
    ("Outlook", "Rain"): (3, 2, 0.9710, 0.6000, 0.6122, -0.2986),
    ("Temperature", "Hot"): (2, 2, 1.0000, 0.5000, 0.5476, -0.7251),
    ("Temperature", "Mild"): (4, 2, 0.9183, 0.6667, 0.6607, 0.2099),
    ("Temperature", "Cool"): (3, 1, 0.8113, 0.7500, 0.7143, 0.6672),
    ("Humidity", "High"): (3, 4, 0.9852, 0.4286, 0.4762, -1.7549),
    ("Humidity", "Normal"): (6, 1, 0.5917, 0.8571, 0.8095, 2.4902),
    ("Wind", "Weak"): (6, 2, 0.8113, 0.7500, 0.7286, 1.3344),
    ("Wind", "Strong"): (3, 3, 1.0000, 0.5000, 0.5357, -1.0877),
}


@pytest.mark.parametrize(("attribute", "value"), SINGLE)
def test_single_constraints(attribute, value):
    yes, no, entropy, frequency, estimate, gain = SINGLE[attribute, value]
    rows = (X[attribute].cast(str) == value).to_numpy()
    counts = [int((rows & (Y.cast(str) == label).to_numpy()).sum()) for label in ("Yes", "No")]
    assert counts == [yes, no]
    assert -negative_entropy(counts) == pytest.approx(entropy, abs=5e-5)
    assert relative_frequency(yes, yes + no) == pytest.approx(frequency, abs=5e-5)
    assert m_estimate(yes, yes + no, 9 / 14, 2) == pytest.approx(estimate, abs=5e-5)
    assert foil_gain((9, 5), (yes, no)) == pytest.approx(gain, abs=5e-5)


def test_humidity_normal_and_a_second_test():
    with induce.trace() as events:
        RuleLearner(target_class="Yes", require=["Humidity = Normal"]).fit(X, Y)
    normal = X.filter(X["Humidity"] == "Normal")
    labels = Y.filter(X["Humidity"] == "Normal").cast(str)
    expected = {"Weak": (4, 0), "Strong": (2, 1), "Sunny": (2, 0), "Overcast": (2, 0), "Rain": (2, 1)}
    expected |= {"Hot": (1, 0), "Mild": (2, 0), "Cool": (3, 1)}
    for name in ("Wind", "Outlook", "Temperature"):
        for value in normal[name].unique():
            found = labels.filter(normal[name] == value)
            assert expected[value] == ((found == "Yes").sum(), (found == "No").sum())
    first = next(event for event in events if event.kind == "rule")
    assert first["conditions"] == ["Humidity = Normal", "Wind = Weak"]


LIST = [
    "IF Outlook = Overcast THEN Yes (4/4)",
    "IF Temperature = Hot THEN No (2/2)",
    "IF Humidity = Normal AND Outlook = Sunny THEN Yes (2/2)",
    "IF Outlook = Sunny THEN No (1/1)",
    "IF Wind = Weak THEN Yes (3/3)",
    "DEFAULT No (2/2)",
]


@pytest.mark.parametrize("beam_width", [1, 2, 3, 5])
def test_sequential_covering_with_learn_one_rule(beam_width):
    learner = RuleLearner(measure="entropy", ordered=True, beam_width=beam_width).fit(X, Y)
    assert str(learner.hypothesis_).splitlines() == LIST
    assert learner.score(X, Y) == 1.0


def test_sorting_the_list_by_performance_over_all_examples_breaks_it():
    from dataclasses import replace

    rules = RuleLearner(measure="entropy", ordered=True).fit(X, Y).hypothesis_
    table = encode(X, rules.schema)
    whole = []
    for rule in rules.rules:
        covers = rule.covers(table)
        labels = Y.to_numpy()[covers]
        whole.append(negative_entropy([(labels == "Yes").sum(), (labels == "No").sum()]))
    assert whole == pytest.approx([0, -1, 0, -0.971, -0.8113], abs=5e-5)
    # the rule without conditions, -0.9403, comes before those of -0.971 and -1 and makes them unreachable
    order = sorted(range(5), key=lambda i: -whole[i])
    kept = [rules.rules[i] for i in order if whole[i] > -0.9403]
    sorted_list = replace(rules, rules=tuple(kept))
    wrong = sorted_list.predict(X) != Y.to_numpy()
    assert [f"D{row + 1}" for row in wrong.nonzero()[0]] == ["D1", "D8"]


@pytest.mark.parametrize("beam_width", [1, 3, 5])
def test_rules_for_one_class_by_relative_frequency(beam_width):
    learner = RuleLearner(measure="relative-frequency", target_class="Yes", beam_width=beam_width)
    assert str(learner.fit(X, Y).hypothesis_).splitlines() == [
        "IF Outlook = Overcast THEN Yes (4/4)",
        "IF Humidity = Normal AND Outlook = Sunny THEN Yes (2/2)",
        "IF Humidity = Normal AND Temperature = Mild THEN Yes (1/1)",
        "IF Outlook = Rain AND Wind = Weak THEN Yes (2/2)",
        "DEFAULT No (5/5)",
    ]
    assert learner.score(X, Y) == 1.0


def test_rules_for_one_class_by_the_m_estimate():
    learner = RuleLearner(measure="m-estimate", m=2, target_class="Yes").fit(X, Y)
    assert str(learner.hypothesis_).splitlines() == [
        "IF Outlook = Overcast THEN Yes (4/4)",
        "IF Humidity = Normal AND Wind = Weak THEN Yes (3/3)",
        "IF Humidity = Normal AND Outlook = Sunny THEN Yes (1/1)",
        "IF Outlook = Rain AND Wind = Weak THEN Yes (1/1)",
        "DEFAULT No (5/5)",
    ]
    values = [m_estimate(n, n, 9 / 14, 2) for n in (4, 3, 1, 1)]
    assert values == pytest.approx([0.8810, 0.8571, 0.7619, 0.7619], abs=5e-5)


@pytest.mark.parametrize("beam_width", [1, 3])
def test_aq(beam_width):
    learner = induce.AQ(beam_width=beam_width).fit(X, Y)
    found = {(frozenset(map(str, rule.conditions)), rule.prediction) for rule in learner.hypothesis_.rules}
    assert found == {
        (frozenset({"Outlook = Overcast"}), "Yes"),
        (frozenset({"Outlook = Rain", "Wind = Weak"}), "Yes"),
        (frozenset({"Outlook = Sunny", "Humidity = Normal"}), "Yes"),
        (frozenset({"Outlook = Sunny", "Humidity = High"}), "No"),
        (frozenset({"Outlook = Rain", "Wind = Strong"}), "No"),
    }
    tree = induce.ID3().fit(X, Y).hypothesis_.to_rules()
    assert found == {(frozenset(map(str, rule.conditions)), rule.prediction) for rule in tree.rules}


def test_m_estimate_of_the_text():
    assert [m_estimate(4, 5, 0.12, m) for m in (0, 2, 10, 100)] == pytest.approx(
        [0.8, 0.605714, 0.346667, 0.152381], abs=5e-7
    )
    assert m_estimate(0, 0, 0.12, 3) == pytest.approx(0.12)


@pytest.mark.parametrize(
    ("counts", "statistic", "p"),
    [((4, 0), 3.534662, 0.0601), ((6, 1), 1.619603, 0.2031), ((0, 3), 6.177717, 0.0129)],
)
def test_significance(counts, statistic, p):
    assert likelihood_ratio(counts, (9 / 14, 5 / 14)) == pytest.approx((statistic, p), abs=5e-5)


def test_significance_stops_rules_that_may_be_chance():
    rules = induce.CN2(significance=0.02, measure="laplace", pruning=None).fit(X, Y).hypothesis_.rules
    assert [str(rule) for rule in rules] == ["IF Outlook = Sunny AND Humidity = High THEN No (3/3)"]


def test_exercise_10_1_choices_of_sequential_and_simultaneous_covering():
    """A balanced tree of depth d: 2^d - 1 choices of tests; as many rules of d tests: d 2^d choices."""
    import numpy as np

    for depth, nodes, choices in ((2, 3, 8), (3, 7, 24), (4, 15, 64)):
        bits = np.array([[str(row >> bit & 1) for bit in range(depth)] for row in range(2**depth)])
        classes = [f"c{row}" for row in range(2**depth)]
        tree = induce.ID3().fit(bits, classes).hypothesis_
        assert tree.size().startswith(f"{nodes + 2**depth} nodes, {2**depth} leaves")
        rules = induce.CN2(measure="laplace", pruning=None).fit(bits, classes).hypothesis_
        assert sum(len(rule.conditions) for rule in rules.rules) == choices


def test_exercise_10_2_thresholds_and_intervals():
    import polars as pl

    frame = pl.DataFrame({"temperature": [40, 48, 60, 72, 80, 90]})
    rules = (
        induce.CN2(measure="laplace", pruning=None)
        .fit(frame, ["no", "no", "yes", "yes", "yes", "no"])
        .hypothesis_
    )
    assert [str(rule) for rule in rules.rules if rule.prediction == "yes"] == [
        "IF 54 < temperature <= 85 THEN yes (3/3)"
    ]


def test_exercise_10_3_sets_of_values():
    import polars as pl

    frame = pl.DataFrame({"colour": ["red", "green", "blue", "grey"] * 3})
    rules = (
        induce.CN2(nominal="sets", measure="laplace", pruning=None)
        .fit(frame, ["a", "a", "b", "b"] * 3)
        .hypothesis_
    )
    assert sorted(map(str, rules.rules)) == [
        "IF colour in {blue, grey} THEN b (6/6)",
        "IF colour in {green, red} THEN a (6/6)",
    ]


def test_laplace():
    assert laplace(4, 4, 2) == pytest.approx(5 / 6)


def pairs_of(people):
    """All pairs of people, and whether the first is a daughter of the second (by the father, as in the text)."""
    import polars as pl

    rows, daughters = [], []
    for name1, mother1, father1, female1 in people:
        for name2, mother2, father2, female2 in people:
            first = {"Name1": name1, "Mother1": mother1, "Father1": father1, "Female1": female1}
            second = {"Name2": name2, "Mother2": mother2, "Father2": father2, "Female2": female2}
            rows.append({key: str(value) for key, value in (first | second).items()})
            daughters.append(str(female1 and father1 == name2))
    return pl.DataFrame(rows), daughters


def test_propositional_rules_cannot_say_daughter():
    """Section 10.4.1: they name people instead of relating them, so they do not carry over to another family."""
    from induce.hypotheses.parsing import parse_rule

    family, daughters = pairs_of(
        [
            ("Sharon", "Louise", "Bob", True),
            ("Tom", "Louise", "Bob", False),
            ("Bob", "Nora", "Victor", False),
            ("Louise", "Ida", "Karl", True),
            ("Nora", "Eva", "Max", True),
            ("Victor", "Ada", "Leo", False),
        ]
    )
    rules = induce.CN2(measure="laplace", pruning=None).fit(family, daughters).hypothesis_
    assert (rules.predict(family) == daughters).all()
    text = parse_rule(
        "IF Father1 = Bob AND Name2 = Bob AND Female1 = True THEN True", rules.schema, rules.classes
    )
    assert text.covers(encode(family, rules.schema)).tolist() == [value == "True" for value in daughters]
    others, truth = pairs_of([("Ann", "Eve", "Carl", True), ("Carl", "Fay", "Otto", False)])
    assert truth.count("True") == 1
    assert set(rules.predict(others)) == {"False"}
    assert not text.covers(encode(others, rules.schema)).any()
