"""Mitchell, chapter 10: learning sets of rules, the propositional part."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import induce
from induce.data.table import encode
from induce.hypotheses.conditions import Is
from induce.rules.measures import m_estimate, negative_entropy
from induce.textbook.result import Outcome, Result


def _counts(*tests: tuple[str, str]) -> list[int]:
    """Return the numbers of Yes and No days with these values."""
    X, y = induce.dataset("play-tennis")
    rows = np.ones(len(y), bool)
    for attribute, value in tests:
        rows &= (X[attribute].cast(str) == value).to_numpy()
    return [int((y.to_numpy()[rows] == label).sum()) for label in ("Yes", "No")]


def _first_rule() -> Outcome:
    learner = induce.RuleLearner(measure="entropy", ordered=True, max_rules=1)
    first = learner.fit(*induce.dataset("play-tennis")).hypothesis_.rules[0]
    strong = _counts(("Wind", "Strong"))
    overcast, normal = (
        negative_entropy(_counts(test)) for test in (("Outlook", "Overcast"), ("Humidity", "Normal"))
    )
    return Outcome(
        f"{first}; Wind = Strong has {strong[0]} Yes and {strong[1]} No",
        first.conditions == (Is("Outlook", "Overcast"),) and strong == [3, 3] and overcast > normal,
        f"-entropy: Outlook = Overcast {overcast:.4f}, Humidity = Normal {normal:.4f}; the measures of section 10.3 "
        "prefer Overcast too",
    )


def _second_tests() -> Outcome:
    seconds = (("Wind", "Weak"), ("Wind", "Strong"), ("Outlook", "Sunny"), ("Outlook", "Rain"))
    counts = [_counts(("Humidity", "Normal"), test) for test in seconds]
    return Outcome(
        ", ".join(
            f"{attribute} = {value}: {yes} Yes, {no} No"
            for (attribute, value), (yes, no) in zip(seconds, counts, strict=True)
        ),
        all(yes > no for yes, no in counts),
    )


def _sorted_list() -> Outcome:
    X, y = induce.dataset("play-tennis")
    rules = induce.CN2(ordered=True, measure="entropy", pruning=None).fit(X, y).hypothesis_
    labels = y.to_numpy()
    table = encode(X, rules.schema)
    covers = [rule.covers(table) for rule in rules.rules]
    whole = [
        negative_entropy([(labels[rows] == value).sum() for value in rules.classes])
        for rows in (*covers, np.ones(len(labels), bool))
    ]
    order = sorted(range(len(whole)), key=lambda i: -whole[i])
    reached = [rules.rules[i] for i in order[: order.index(len(rules.rules))]]
    resorted = replace(rules, rules=tuple(reached))
    learned_right, sorted_right = (int((each.predict(X) == labels).sum()) for each in (rules, resorted))
    return Outcome(
        f"as learned {learned_right}/14, sorted {sorted_right}/14",
        (learned_right, sorted_right) == (14, 12),
        str(rules),
    )


def _one_class() -> Outcome:
    X, y = induce.dataset("play-tennis")
    learner = induce.RuleLearner(measure="relative-frequency", target_class="Yes").fit(X, y)
    return Outcome(
        str(learner.hypothesis_),
        learner.score(X, y) == 1.0 and {rule.prediction for rule in learner.hypothesis_.rules} == {"Yes"},
    )


def _prior() -> Outcome:
    got = [m_estimate(4, 5, 12 / 100, m) for m in (0, 2, 100)]
    return Outcome(
        ", ".join(f"{value:.4f}" for value in got),
        got[0] == 0.8 and got[0] > got[1] > got[2] > 0.12,
        "for 4 of 5 covered examples, m = 0, 2 and 100: from the relative frequency towards the prior",
    )


def _choices() -> Outcome:
    got = []
    for depth in (2, 3, 4):
        bits = np.array([[str(row >> bit & 1) for bit in range(depth)] for row in range(2**depth)])
        classes = [f"c{row:02}" for row in range(2**depth)]
        tree = induce.ID3().fit(bits, classes).hypothesis_
        rules = induce.CN2(measure="laplace", pruning=None).fit(bits, classes).hypothesis_.rules
        got.append((len(tree.to_rules().rules) - 1, sum(len(rule.conditions) for rule in rules)))
    return Outcome(
        ", ".join(
            f"depth {d}: {nodes} and {tests}" for d, (nodes, tests) in zip((2, 3, 4), got, strict=True)
        ),
        got == [(2**d - 1, d * 2**d) for d in (2, 3, 4)],
    )


def _interval() -> Outcome:
    import polars as pl

    frame = pl.DataFrame({"Temperature": [40, 48, 60, 72, 80, 90]})
    rules = (
        induce.CN2(measure="laplace", pruning=None)
        .fit(frame, ["No", "No", "Yes", "Yes", "Yes", "No"])
        .hypothesis_
    )
    found = [str(rule) for rule in rules.rules if rule.prediction == "Yes"]
    return Outcome("; ".join(found), found == ["IF 54 < Temperature <= 85 THEN Yes (3/3)"])


def _sets() -> Outcome:
    X, y = induce.dataset("play-tennis")
    rules = induce.CN2(nominal="sets", measure="laplace", pruning=None).fit(X, y).hypothesis_
    return Outcome(
        str(rules), (rules.predict(X) == y.to_numpy()).all() and " in {" in str(rules), rules.size()
    )


RESULTS = (
    Result(
        "mitchell-10.1-first-rule",
        "Mitchell, figure 10.1",
        "LEARN-ONE-RULE takes Humidity = normal first, and Wind = strong predicts no",
        "Humidity = normal; Wind = strong THEN no",
        _first_rule,
        erratum="on table 3.2 the algorithm of table 10.2 takes Outlook = Overcast first, whose entropy is 0; "
        "Wind = strong is a tie of 3 to 3",
    ),
    Result(
        "mitchell-10.1-second-tests",
        "Mitchell, figure 10.1",
        "prediction of Humidity = normal with a second test",
        "yes, yes, yes, yes",
        _second_tests,
    ),
    Result(
        "mitchell-10.1-sorted-list",
        "Mitchell, table 10.1",
        "the learned rules are sorted by their performance over the examples",
        "no number is given",
        _sorted_list,
        erratum="by then the examples are those left over, and sorting by all examples breaks a list "
        "learned in sequence: 12 of 14 are right instead of 14; the order of learning must be "
        "kept",
    ),
    Result(
        "mitchell-10.2.2-one-class",
        "Mitchell, section 10.2.2",
        "rules for the positive class only, with negative as default",
        "no number is given",
        _one_class,
    ),
    Result(
        "mitchell-10.3-m-estimate",
        "Mitchell, section 10.3",
        "the m-estimate with a prior of 12 examples in 100",
        "p = .12",
        _prior,
    ),
    Result(
        "mitchell-exercise-10.1-choices",
        "Mitchell, exercise 10.1",
        "number of choices of a balanced tree, and of sequential covering for as many rules",
        "[2^d - 1 and d 2^d]",
        _choices,
    ),
    Result(
        "mitchell-exercise-10.2-thresholds",
        "Mitchell, exercise 10.2",
        "tests with thresholds, two of which form an interval",
        "[54 < Temperature <= 85]",
        _interval,
    ),
    Result(
        "mitchell-exercise-10.3-sets",
        "Mitchell, exercise 10.3",
        "tests that allow one of several values",
        "[rules that test for sets fit all examples]",
        _sets,
    ),
)
