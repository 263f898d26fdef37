"""Mitchell, sections 3.1 to 3.6: entropy, gain and the tree of PlayTennis."""

from __future__ import annotations

from functools import partial

import induce
from induce.textbook.measuring import (
    all_as_printed,
    as_printed,
    entropy,
    every_morning,
    listed,
    outline,
    root_gains,
)
from induce.textbook.result import Outcome, Result

TREE = """\
Outlook = Sunny
|   Humidity = High: No
|   Humidity = Normal: Yes
Outlook = Overcast: Yes
Outlook = Rain
|   Wind = Weak: Yes
|   Wind = Strong: No"""

TRUNCATED = "truncated or computed from rounded numbers: "


def _entropies() -> Outcome:
    got = {"[9+,5-]": entropy(9, 5), "[6+,2-]": entropy(6, 2), "[3+,3-]": entropy(3, 3)}
    return Outcome(
        listed(got, 3),
        all_as_printed(list(got.values()), ("0.940", "0.811", "1.00")),
        "computed as the gain of the class used as an attribute",
    )


def _root_gain(attribute: str, right: str) -> Outcome:
    gain = root_gains(*induce.dataset("play-tennis"))[attribute]
    return Outcome(f"{gain:.4f}", as_printed(gain, right))


def _humidity_entropies() -> Outcome:
    got = {"High [3+,4-]": entropy(3, 4), "Normal [6+,1-]": entropy(6, 1)}
    return Outcome(listed(got, 3), all_as_printed(list(got.values()), ("0.985", "0.592")))


def _root() -> Outcome:
    X, y = induce.dataset("play-tennis")
    with induce.trace(only="split") as events:
        induce.ID3().fit(X, y)
    chosen = [f"{event['chosen']} (depth {event['depth']})" for event in events]
    return Outcome(", ".join(chosen), chosen[0].startswith("Outlook"))


def _sunny_branch() -> Outcome:
    import polars as pl

    mornings = induce.dataset("play-tennis").frame.filter(pl.col("Outlook") == "Sunny")
    X = mornings.select("Humidity", "Temperature", "Wind")
    gains = root_gains(X, mornings["PlayTennis"])
    return Outcome(listed(gains), all_as_printed(list(gains.values()), (".971", ".571", ".020")))


def _tree() -> Outcome:
    X, y = induce.dataset("play-tennis")
    learner = induce.ID3().fit(X, y)
    tree = learner.hypothesis_
    sure = learner.score(X, y) == 1.0
    return Outcome(str(tree), outline(tree) == TREE and sure, tree.size())


def _saturday() -> Outcome:
    import polars as pl

    X, y = induce.dataset("play-tennis")
    morning = pl.DataFrame(
        {"Outlook": ["Sunny"], "Temperature": ["Hot"], "Humidity": ["High"], "Wind": ["Strong"]}
    )
    (explanation,) = induce.ID3().fit(X, y).explain(morning)
    return Outcome(str(explanation), explanation.prediction == "No")


def _disjunction() -> Outcome:
    X, y = induce.dataset("play-tennis")
    rules = induce.ID3().fit(X, y).hypothesis_.to_rules().rules
    paths = [rule.premise() for rule in rules if rule.prediction == "Yes"]
    expected = [
        "Outlook = Sunny AND Humidity = Normal",
        "Outlook = Overcast",
        "Outlook = Rain AND Wind = Weak",
    ]
    return Outcome("\n".join(f"({path})" for path in paths), paths == expected)


def _xyz() -> Outcome:
    import polars as pl

    X, y = induce.dataset("play-tennis")
    verdict = induce.ID3().fit(X, y).predict(X)
    with_xyz = X.with_columns(XYZ=pl.Series(verdict, dtype=pl.Enum(["Yes", "No"])))
    tree = induce.ID3().fit(with_xyz, y).hypothesis_
    gain = root_gains(with_xyz, y)["XYZ"]
    return Outcome(
        f"{outline(tree)}\ngain {gain:.4f}",
        tree.size() == "3 nodes, 2 leaves, depth 1" and as_printed(gain, "0.9403"),
        "the new attribute is the class predicted by the tree of figure 3.1",
    )


def _enjoy_sport() -> Outcome:
    X, y = induce.dataset("enjoy-sport")
    gains = root_gains(X, y)
    tree = outline(induce.ID3().fit(X, y).hypothesis_)
    expected = (".8113", ".8113", ".1226", ".1226", ".3113")
    return Outcome(
        f"{tree}\n{listed(gains)}",
        all_as_printed(list(gains.values()), expected)
        and tree == "Sky = Sunny: Yes\nSky = Cloudy: Yes\nSky = Rainy: No",
        "Sky and AirTemp tie; ties are broken by order. No day is Cloudy: the majority class is "
        "predicted there. Wind is the same on all days, so it is not a candidate",
    )


def _enjoy_sport_fifth() -> Outcome:
    X, y = induce.dataset("enjoy-sport-fifth")
    gains = root_gains(X, y)
    tree = outline(induce.ID3().fit(X, y).hypothesis_)
    expected = (".3219", ".3219", ".0200", ".3219", ".1710", ".0200")
    shape = "Sky = Sunny\n|   Wind = Strong: Yes\n|   Wind = Weak: No\nSky = Cloudy: Yes\nSky = Rainy: No"
    return Outcome(
        f"{tree}\n{listed(gains)}",
        all_as_printed(list(gains.values()), expected) and tree == shape,
        "Sky, AirTemp and Wind tie; ties are broken by order",
    )


def _slides_gain() -> Outcome:
    gains = root_gains(*induce.dataset("shapes-2"))
    return Outcome(listed(gains), all_as_printed(list(gains.values()), ("0", "0.311", "0.311")))


def _unused_temperature() -> Outcome:
    X, y = induce.dataset("play-tennis")
    learner = induce.ID3().fit(X, y)
    rules = learner.hypothesis_.to_rules().rules
    used = {condition.attribute for rule in rules for condition in rule.conditions}
    positive = int((learner.predict(every_morning()) == "Yes").sum())
    return Outcome(
        f"tests {', '.join(sorted(used))}; says Yes to {positive} of the 36 possible mornings",
        used == {"Outlook", "Humidity", "Wind"} and positive == 24,
    )


RESULTS = (
    Result(
        "mitchell-3.1-tree",
        "Mitchell, figure 3.1",
        "the tree that ID3 learns from the fourteen mornings of table 3.2",
        TREE,
        _tree,
    ),
    Result(
        "mitchell-3.2-saturday",
        "Mitchell, section 3.2",
        "a sunny, hot, humid and windy morning is classified as negative",
        "No",
        _saturday,
    ),
    Result(
        "mitchell-3.2-disjunction",
        "Mitchell, section 3.2",
        "the tree is a disjunction of conjunctions, one for each path to Yes",
        "(Sunny and Normal) or Overcast or (Rain and Weak)",
        _disjunction,
    ),
    Result(
        "mitchell-3.2-temperature",
        "Mitchell, section 3.2",
        "the tree needs three of the four attributes",
        "[no test of Temperature; 24 of 36 mornings positive]",
        _unused_temperature,
    ),
    Result(
        "mitchell-3.4-entropy",
        "Mitchell, section 3.4.1",
        "entropies of the examples and of the two winds",
        "0.940, 0.811, 1.00",
        _entropies,
    ),
    Result(
        "mitchell-3.3-humidity-entropy",
        "Mitchell, figure 3.3",
        "entropies of the two humidities",
        "0.985, 0.592",
        _humidity_entropies,
    ),
    Result(
        "mitchell-3.4-outlook-gain",
        "Mitchell, section 3.4.2",
        "information gain of Outlook over all examples",
        "0.246",
        partial(_root_gain, "Outlook", "0.2467"),
        TRUNCATED + "0.24675 rounds to 0.247",
    ),
    Result(
        "mitchell-3.4-humidity-gain",
        "Mitchell, section 3.4.2",
        "information gain of Humidity over all examples",
        "0.151",
        partial(_root_gain, "Humidity", "0.1518"),
        TRUNCATED + "0.15184 rounds to 0.152",
    ),
    Result(
        "mitchell-3.4-wind-gain",
        "Mitchell, section 3.4.2",
        "information gain of Wind over all examples",
        "0.048",
        partial(_root_gain, "Wind", "0.048"),
    ),
    Result(
        "mitchell-3.4-temperature-gain",
        "Mitchell, section 3.4.2",
        "information gain of Temperature over all examples",
        "0.029",
        partial(_root_gain, "Temperature", "0.029"),
    ),
    Result(
        "mitchell-3.4-root",
        "Mitchell, section 3.4.2",
        "Outlook has the highest gain and becomes the root",
        "Outlook",
        _root,
    ),
    Result(
        "mitchell-3.4-sunny-branch",
        "Mitchell, figure 3.4",
        "gains of Humidity, Temperature and Wind among the five sunny mornings",
        "0.970, 0.570, 0.019",
        _sunny_branch,
        TRUNCATED + "0.97095, 0.57095 and 0.01997 round to 0.971, 0.571 and 0.020",
    ),
    Result(
        "mitchell-3.6-xyz",
        "Mitchell, section 3.6.2",
        "with an attribute that equals the tree's prediction one test is enough: size depends on the "
        "attributes",
        "one decision node",
        _xyz,
    ),
    Result(
        "mitchell-exercise-3.4a",
        "Mitchell, exercise 3.4a",
        "the tree that ID3 learns from the four days of EnjoySport",
        "[Sky: Sunny Yes, Cloudy Yes, Rainy No; Sky and AirTemp tie at 0.811]",
        _enjoy_sport,
    ),
    Result(
        "mitchell-exercise-3.4c",
        "Mitchell, exercise 3.4c",
        "the tree after a fifth, negative day",
        "[Sky, then Wind if Sunny; Sky, AirTemp and Wind tie at 0.322]",
        _enjoy_sport_fifth,
    ),
    Result(
        "slides-shapes-gain",
        "Lecture slides on concept learning and decision trees, information gain example",
        "gains of size, color and shape over four figures",
        "0, 0.311, 0.311",
        _slides_gain,
    ),
)
