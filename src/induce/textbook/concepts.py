"""Mitchell, chapter 2: concept learning and version spaces."""

from __future__ import annotations

from typing import Any

import numpy as np

import induce
from induce.concepts import (
    CandidateElimination,
    Conjunctions,
    Disjunctions,
    FindS,
    Listed,
    LiteralDisjunction,
    PowerSet,
    bias_strengths,
    expected_examples,
    growing_g,
    order_study,
    plan_queries,
    within_errors,
)
from induce.concepts.boundaries import learn_example, start
from induce.data.schema import Column, Schema
from induce.textbook.result import Outcome, Result


def _sport() -> tuple[Conjunctions, Any, Any]:
    """Return the language, the instances and the labels of EnjoySport."""
    days = induce.dataset("enjoy-sport")
    language = Conjunctions.over(days.input_schema)
    return language, language.attributes.encode(days.X), np.array([day == "Yes" for day in days.y])


def _space() -> Any:
    return CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_


def _sizes() -> Outcome:
    language, *_ = _sport()
    got = language.attributes.n_instances, language.syntactic_size(), language.size()
    return Outcome(", ".join(map(str, got)), got == (96, 5120, 973))


def _power_set() -> Outcome:
    language, *_ = _sport()
    size = PowerSet(language.attributes).size()
    return Outcome(f"{size:.3g}", size == 2**96)


def _find_s() -> Outcome:
    with induce.trace(only="generalised") as events:
        FindS().fit(*induce.dataset("enjoy-sport"))
    steps = [str(event["h"]) for event in events]
    expected = [
        "⟨Sunny, Warm, Normal, Strong, Warm, Same⟩",
        "⟨Sunny, Warm, ?, Strong, Warm, Same⟩",
        "⟨Sunny, Warm, ?, Strong, Warm, Same⟩",
        "⟨Sunny, Warm, ?, Strong, ?, ?⟩",
    ]
    return Outcome("\n".join(steps), steps == expected)


def _candidate_elimination() -> Outcome:
    with induce.trace(only="boundaries") as events:
        CandidateElimination().fit(*induce.dataset("enjoy-sport"))
    lines = [
        f"S: {', '.join(map(str, event['S']))}; G: {', '.join(map(str, event['G']))}" for event in events
    ]
    sunny, warm, same = "⟨Sunny, ?, ?, ?, ?, ?⟩", "⟨?, Warm, ?, ?, ?, ?⟩", "⟨?, ?, ?, ?, ?, Same⟩"
    general = [{"⟨?, ?, ?, ?, ?, ?⟩"}] * 2 + [{sunny, warm, same}, {sunny, warm}]
    specific = [
        "Normal, Strong, Warm, Same",
        "?, Strong, Warm, Same",
        "?, Strong, Warm, Same",
        "?, Strong, ?, ?",
    ]
    agrees = [set(map(str, event["G"])) for event in events] == general and [
        [str(h) for h in event["S"]] for event in events
    ] == [[f"⟨Sunny, Warm, {rest}⟩"] for rest in specific]
    return Outcome("\n".join(lines), agrees)


def _members() -> Outcome:
    space = _space()
    members = [str(concept) for concept in space.members()]
    return Outcome("\n".join(members), len(members) == space.count() == 6)


def _votes() -> Outcome:
    votes = _space().vote(induce.dataset("enjoy-sport-new").X)
    return Outcome(str(votes), votes.positive == (6, 0, 3, 2))


def _query() -> Outcome:
    space = _space()
    query, plan = space.query(), plan_queries(space)
    return Outcome(
        f"{query.yes} of {query.yes + query.no}; {plan}", query.yes == query.no == 3 and plan.worst == 3
    )


def _collapse() -> Outcome:
    space = CandidateElimination().fit(*induce.dataset("enjoy-sport-disjunctive")).hypothesis_
    return Outcome(str(space), space.status == "collapsed")


def _unbiased() -> Outcome:
    language, *_ = _sport()
    sets = PowerSet(language.attributes)
    rows = list(language.attributes.instances())
    bounds = start(sets)
    for row, label in zip(rows[:5], (True, True, True, False, False), strict=True):
        bounds = learn_example(sets, bounds, row, label, 10)
    count, half = sets.count(bounds), sets.count(bounds, rows[5])
    return Outcome(
        f"2^{count.bit_length() - 1} left, 2^{half.bit_length() - 1} for a new one",
        count == 2 * half == 2**91,
    )


def _strengths() -> Outcome:
    found = bias_strengths(*_sport())
    got = found.rote, found.candidate_elimination, found.find_s
    return Outcome(str(found), got == (4, 40, 96))


def _exercise_1() -> Outcome:
    language, *_ = _sport()
    current = Column("WaterCurrent", "nominal", ("Light", "Moderate", "Strong"))
    larger = Conjunctions.over(Schema((*language.attributes.schema.inputs(), current)))
    got = larger.attributes.n_instances, larger.syntactic_size(), larger.size()
    return Outcome(", ".join(map(str, got)), got == (288, 25_600, 3_889))


def _exercise_2() -> Outcome:
    study = order_study(*_sport())
    got = min(study.sums), study.of((0, 1, 2, 3)), study.of((3, 2, 1, 0)), max(study.sums)
    return Outcome(
        "best {}, as printed {}, reversed {}, worst {}".format(*got),
        got == (11, 13, 14, 22) and all(order[-1] == 2 for order in study.best),
        "sum of the sizes of S and G over all stages; the best orders put all positives first",
    )


def _exercise_3() -> Outcome:
    language, cells, labels = _sport()
    pairs = Listed(Disjunctions(language, 2))
    bounds, counts = start(pairs), []
    for row, label in zip(cells.tolist(), labels.tolist(), strict=True):
        bounds = learn_example(pairs, bounds, row, label, 10_000)
        counts.append(pairs.count(bounds))
    got = f"{pairs.size():,} concepts; {', '.join(map(str, counts))} left; G has {len(bounds.general or ())} members"
    agrees = (pairs.size(), counts, len(bounds.general or ())) == (
        409_846,
        [47_681, 23_270, 20_455, 4_844],
        12,
    )
    return Outcome(got, agrees, "hypotheses that cover the same instances count as one")


def _exercise_4() -> Outcome:
    space = CandidateElimination().fit(*induce.dataset("rectangles")).hypothesis_
    votes = space.vote([[7, 6], [4, 2], [5, 4], [10, 10]]).positive
    specific, general = (" and ".join(map(str, each)) for each in (space.most_specific, space.most_general))
    got = f"{space.count()} hypotheses; S: {specific}; G: {general}; votes {votes}"
    agrees = (specific, set(map(str, space.most_general))) == (
        "⟨4..6, 3..5⟩",
        {"⟨3..8, 2..7⟩", "⟨2..8, 2..5⟩"},
    )
    return Outcome(
        got, agrees and (space.count(), votes) == (42, (16, 21, 42, 0)), "points recalled from the book"
    )


def _exercise_5() -> Outcome:
    person = (
        ("sex", "male female"),
        ("hair", "black brown blonde"),
        ("height", "tall medium short"),
        ("nation", "US French German Irish Indian Japanese Portuguese"),
    )
    columns = tuple(Column(f"{n}{i}", "nominal", tuple(v.split())) for i in (1, 2) for n, v in person)
    language = Conjunctions.over(Schema(columns), groups=(4, 4))
    rows = (
        "male brown tall US female black short US",
        "male brown short French female black short US",
        "female brown tall German female black short Indian",
        "male brown tall Irish female brown short Irish",
    )
    bounds = start(language)
    for row, label in zip(rows, (True, True, False, True), strict=True):
        cells = language.attributes.encode([row.split()])[0].tolist()
        bounds = learn_example(language, bounds, cells, label, 1000)
    (specific,), (general,) = bounds.specific, bounds.general or ((),)
    got = f"S: {language.text(specific)}; G: {language.text(general)}"
    expected = "S: ⟨male, brown, ?, ?⟩⟨female, ?, short, ?⟩; G: ⟨male, ?, ?, ?⟩⟨?, ?, ?, ?⟩"
    return Outcome(got, got == expected and language.count(bounds) == 8)


def _exercise_9() -> Outcome:
    schema = {f"x{j}": {"domain": ("T", "F")} for j in range(3)}
    rows = [list("TFT"), list("FFT"), list("FTT")]
    rules = LiteralDisjunction(schema=schema).fit(rows, ["+", "-", "-"])
    found = " OR ".join(rule.premise() for rule in rules.hypothesis_.rules)
    return Outcome(found, found == "x0 = T OR x2 = F")


def _exercise_10() -> Outcome:
    language, *_ = _sport()
    found = expected_examples(language, language.read(["Sunny", "Warm", "?", "?", "?", "?"]))
    return Outcome(f"{found:.4f}", abs(found - 27.028571) < 1e-6)


def _not_convex() -> Outcome:
    found = within_errors(*_sport(), 1)
    return Outcome(str(found), (len(found.codes), found.n_between) == (36, 40))


def _growing_g() -> Outcome:
    sizes = []
    for pairs in range(1, 7):
        schema = {f"x{j}": {"domain": ("T", "F")} for j in range(2 * pairs)}
        sizes.append(
            len(CandidateElimination(schema=schema).fit(*growing_g(pairs)).hypothesis_.general or ())
        )
    return Outcome(", ".join(map(str, sizes)), sizes == [2, 4, 8, 16, 32, 64])


RESULTS = (
    Result(
        "mitchell-2.3-space-sizes",
        "Mitchell, section 2.3",
        "number of instances of EnjoySport, and of syntactically and semantically distinct hypotheses",
        "96, 5120, 973",
        _sizes,
    ),
    Result(
        "mitchell-2.4-find-s",
        "Mitchell, section 2.4",
        "Find-S, step by step",
        "⟨Sunny, Warm, ?, Strong, ?, ?⟩",
        _find_s,
    ),
    Result(
        "mitchell-2.5-candidate-elimination",
        "Mitchell, figures 2.4 to 2.7",
        "S and G after each example",
        "S: ⟨Sunny, Warm, ?, Strong, ?, ?⟩; G: ⟨Sunny, ?, ?, ?, ?, ?⟩, ⟨?, Warm, ?, ?, ?, ?⟩",
        _candidate_elimination,
    ),
    Result(
        "mitchell-2.5-version-space",
        "Mitchell, figure 2.3",
        "The version space has six members",
        "6",
        _members,
    ),
    Result(
        "mitchell-2.6-query",
        "Mitchell, section 2.6.2",
        "a query that halves the version space: three queries determine the concept",
        "3 of 6; 3 questions",
        _query,
    ),
    Result(
        "mitchell-2.6-votes",
        "Mitchell, table 2.6",
        "votes of the version space on new instances",
        "6/0, 0/6, 3/3, 2/4",
        _votes,
    ),
    Result(
        "mitchell-2.7-collapse",
        "Mitchell, section 2.7.1",
        "Sky = Sunny or Cloudy is not a conjunction: the version space collapses",
        "no consistent hypotheses",
        _collapse,
    ),
    Result(
        "mitchell-2.7-power-set",
        "Mitchell, section 2.7.2",
        "number of concepts without a bias",
        "2^96, or approximately 10^28",
        _power_set,
        "2^96 is 7.92 · 10^28",
    ),
    Result(
        "mitchell-2.7-unbiased",
        "Mitchell, section 2.7.2",
        "without a bias, half of the version space classifies an unseen instance as positive and half "
        "as negative",
        "half",
        _unbiased,
    ),
    Result(
        "mitchell-2.7-bias-strengths",
        "Mitchell, section 2.7.3",
        "The stronger the bias, the more instances are classified",
        "[4, 40 and 96 of 96]",
        _strengths,
    ),
    Result(
        "mitchell-2.8-noise",
        "Mitchell, section 2.8",
        "At most one error: not convex",
        "[36; 40 between]",
        _not_convex,
    ),
    Result(
        "mitchell-2.8-growing-g",
        "Mitchell, section 2.8",
        "each negative example can double G",
        "[2, 4, 8, …]",
        _growing_g,
    ),
    Result(
        "mitchell-exercise-2.1",
        "Mitchell, exercise 2.1",
        "The sizes with WaterCurrent",
        "[288, 25600, 3889]",
        _exercise_1,
    ),
    Result(
        "mitchell-exercise-2.2",
        "Mitchell, exercise 2.2",
        "Orders that keep S and G small",
        "[positives first]",
        _exercise_2,
    ),
    Result(
        "mitchell-exercise-2.3",
        "Mitchell, exercise 2.3",
        "Pairwise disjunctions",
        "[G has 12 members]",
        _exercise_3,
    ),
    Result(
        "mitchell-exercise-2.4",
        "Mitchell, exercise 2.4",
        "Rectangles on a grid of whole numbers",
        "[42 hypotheses; G has 2 members]",
        _exercise_4,
    ),
    Result(
        "mitchell-exercise-2.5",
        "Mitchell, exercise 2.5",
        "Pairs of people",
        "[S: ⟨male, brown, ?, ?⟩⟨female, ?, short, ?⟩; G: ⟨male, ?, ?, ?⟩⟨?, ?, ?, ?⟩]",
        _exercise_5,
    ),
    Result(
        "mitchell-exercise-2.9",
        "Mitchell, exercise 2.9",
        "A disjunction of literals",
        "[a1 or not a3]",
        _exercise_9,
    ),
    Result(
        "mitchell-exercise-2.10",
        "Mitchell, exercise 2.10",
        "Number of random examples that Find-S needs",
        "[27.0286]",
        _exercise_10,
    ),
)
