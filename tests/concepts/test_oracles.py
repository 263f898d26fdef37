"""The numbers of the book: every step of S and G, sizes, votes, queries and exercises."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import induce
from induce.concepts import (
    CandidateElimination,
    Concept,
    Conjunctions,
    Disjunctions,
    DisjunctiveVersionSpace,
    FindS,
    Listed,
    LiteralDisjunction,
    PowerSet,
    RoteLearner,
    TolerantElimination,
    VersionSpace,
    bias_strengths,
    entailed,
    example_space,
    expected_examples,
    first_consistent,
    growing_g,
    near_miss_space,
    order_study,
    plan_queries,
    sample_study,
    settle,
    within_errors,
)
from induce.concepts.boundaries import at_once, learn_example, start
from induce.concepts.language import OR
from induce.concepts.lattice import lattice
from induce.data.schema import Column, Schema

TOP = "⟨?, ?, ?, ?, ?, ?⟩"
SUNNY, WARM, SAME = "⟨Sunny, ?, ?, ?, ?, ?⟩", "⟨?, Warm, ?, ?, ?, ?⟩", "⟨?, ?, ?, ?, ?, Same⟩"


def walk(language, rows, labels, most=10**6):
    """S, G and the number of hypotheses at the start and after each example."""
    bounds = start(language)
    stages = [stage(language, bounds)]
    for row, label in zip(np.asarray(rows).tolist(), labels, strict=True):
        bounds = learn_example(language, bounds, row, bool(label), most)
        stages.append(stage(language, bounds))
    return stages


def stage(language, bounds):
    texts = tuple({language.text(code) for code in codes} for codes in (bounds.specific, bounds.general))
    return *texts, language.count(bounds) if not bounds.empty else 0


def test_sizes_of_spaces(language):  # O2.1, exercise 2.1
    assert language.attributes.n_instances == 96
    assert language.syntactic_size() == 5120
    assert language.size() == 973 == len(set(language.hypotheses()))
    assert PowerSet(language.attributes).size() == 79228162514264337593543950336
    more = Schema((*language.attributes.schema.inputs(), Column("Current", "nominal", ("L", "M", "S"))))
    larger = Conjunctions.over(more)
    assert (larger.attributes.n_instances, larger.syntactic_size(), larger.size()) == (288, 25600, 3889)
    ten = Conjunctions.over(Schema(tuple(Column(f"a{i}", "nominal", ("f", "t")) for i in range(10))))
    assert ten.size() == 59_050 == 3**10 + 1
    assert ten.syntactic_size() == 4**10
    assert ten.attributes.n_instances == 2**10
    assert PowerSet(ten.attributes).size() == 2**1024
    for k in (2, 5):  # a further attribute with k values
        wider = Conjunctions.over(
            Schema((*language.attributes.schema.inputs(), Column("A", "nominal", tuple("abcde"[:k]))))
        )
        assert wider.attributes.n_instances == 96 * k
        assert wider.syntactic_size() == 5120 * (k + 2)
        assert wider.size() == 1 + 972 * (k + 1)


def test_order_of_figure_2_1(language):  # O2.2
    h1, h2, h3 = (
        Concept(language, language.read(row))
        for row in (
            ["Sunny", "?", "?", "Strong", "?", "?"],
            ["Sunny", "?", "?", "?", "?", "?"],
            ["Sunny", "?", "?", "?", "Cool", "?"],
        )
    )
    assert h2 > h1
    assert h2 > h3
    assert not h1 >= h3
    assert not h3 >= h1
    x1 = [["Sunny", "Warm", "High", "Strong", "Cool", "Same"]]
    x2 = [["Sunny", "Warm", "High", "Weak", "Warm", "Same"]]
    assert [bool(h.covers(x1)[0]) for h in (h1, h2, h3)] == [True, True, True]
    assert [bool(h.covers(x2)[0]) for h in (h1, h2, h3)] == [False, True, False]


def test_cold_humid_days(language):  # O2.3
    days = Concept(language, language.read(["?", "Cold", "High", "?", "?", "?"]))
    assert str(days) == "⟨?, Cold, High, ?, ?, ?⟩"
    everything = np.array(list(language.attributes.instances()))
    covered = language.covers(days.code, everything)
    assert covered.tolist() == ((everything[:, 1] == 1) & (everything[:, 2] == 1)).tolist()


def test_consistent_is_more_than_satisfied(language, cells, labels):  # C2.08
    low = language.read(["Sunny", "Warm", "?", "Strong", "?", "?"])
    assert language.consistent(low, cells, labels)
    assert language.covers(low, cells).tolist() == labels.tolist()
    top = language.top()
    assert language.covers(top, cells).all()  # every example satisfies it, the negative one too
    assert not language.consistent(top, cells, labels)
    first = first_consistent(language, cells, labels)  # C2.09
    assert language.consistent(first, cells, labels)
    assert Concept(language, first) in CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_


def test_find_s_step_by_step(sport):  # O2.4
    with induce.trace(only="generalised") as events:
        learner = FindS().fit(sport.X, sport.y)
    assert [str(event["h"]) for event in events] == [
        "⟨Sunny, Warm, Normal, Strong, Warm, Same⟩",
        "⟨Sunny, Warm, ?, Strong, Warm, Same⟩",
        "⟨Sunny, Warm, ?, Strong, Warm, Same⟩",
        "⟨Sunny, Warm, ?, Strong, ?, ?⟩",
    ]
    assert learner.concept_ == FindS().fit(sport.X, sport.y).concept_


def test_candidate_elimination_step_by_step(language, cells, labels):  # O2.5
    s1 = {"⟨Sunny, Warm, Normal, Strong, Warm, Same⟩"}
    s2 = {"⟨Sunny, Warm, ?, Strong, Warm, Same⟩"}
    assert walk(language, cells, labels) == [
        ({"⟨∅, ∅, ∅, ∅, ∅, ∅⟩"}, {TOP}, 973),
        (s1, {TOP}, 64),
        (s2, {TOP}, 32),
        (s2, {SUNNY, WARM, SAME}, 28),
        ({"⟨Sunny, Warm, ?, Strong, ?, ?⟩"}, {SUNNY, WARM}, 6),
    ]


def test_the_trace_tells_every_stage(sport, language, cells, labels):
    with induce.trace(only="boundaries") as events:
        traced = CandidateElimination().fit(sport.X, sport.y)
    stages = walk(language, cells, labels)[1:]
    assert [(set(map(str, event["S"])), set(map(str, event["G"]))) for event in events] == [
        (s, g) for s, g, _ in stages
    ]
    plain = CandidateElimination().fit(sport.X, sport.y)
    assert plain.hypothesis_.specific == traced.hypothesis_.specific
    assert set(plain.hypothesis_.general) == set(traced.hypothesis_.general)


def test_final_version_space(sport):  # O2.6
    space = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    everything = np.array(list(space.language.attributes.instances()))
    covered = {str(c): int(space.language.covers(c.code, everything).sum()) for c in space.members()}
    assert covered == {
        "⟨Sunny, Warm, ?, Strong, ?, ?⟩": 8,
        "⟨Sunny, ?, ?, Strong, ?, ?⟩": 16,
        "⟨Sunny, Warm, ?, ?, ?, ?⟩": 16,
        "⟨?, Warm, ?, Strong, ?, ?⟩": 24,
        SUNNY: 32,
        WARM: 48,
    }
    order = lattice(space.language, tuple(c.code for c in space.members()))
    named = {
        (space.language.text(order.codes[a]), space.language.text(order.codes[b])) for a, b in order.edges
    }
    low = "⟨Sunny, Warm, ?, Strong, ?, ?⟩"
    assert named == {
        ("⟨Sunny, ?, ?, Strong, ?, ?⟩", low),
        ("⟨Sunny, Warm, ?, ?, ?, ?⟩", low),
        ("⟨?, Warm, ?, Strong, ?, ?⟩", low),
        (SUNNY, "⟨Sunny, ?, ?, Strong, ?, ?⟩"),
        (SUNNY, "⟨Sunny, Warm, ?, ?, ?, ?⟩"),
        (WARM, "⟨Sunny, Warm, ?, ?, ?, ?⟩"),
        (WARM, "⟨?, Warm, ?, Strong, ?, ?⟩"),
    }
    assert space.factors() == (("Sky", "AirTemp"), ("Wind",))
    assert space.status == "partly learned"


def test_votes_of_table_2_6(sport, new, language, cells, labels):  # O2.7
    learner = CandidateElimination().fit(sport.X, sport.y)
    votes = learner.hypothesis_.vote(new)
    assert votes.positive == (6, 0, 3, 2)
    assert votes.total == 6
    assert votes.shares == (1, 0, Fraction(1, 2), Fraction(1, 3))
    assert votes.decisions == ("Yes", "No", None, None) == learner.hypothesis_.decide(new)
    assert learner.predict_proba(new)[:, 1] == pytest.approx([1, 0, 0.5, 1 / 3])
    assert FindS().fit(sport.X, sport.y).predict(new).tolist() == ["Yes", "No", "No", "No"]
    assert RoteLearner().fit(sport.X, sport.y).decide(new) == (None,) * 4
    everything = np.array(list(language.attributes.instances()))
    counts = np.bincount(learner.hypothesis_.vote_cells(everything).positive, minlength=7)
    assert counts.tolist() == [32, 24, 24, 8, 0, 0, 8]
    strengths = bias_strengths(language, cells, labels)
    assert (strengths.rote, strengths.candidate_elimination, strengths.find_s) == (4, 40, 96)


def test_query(sport, new):  # O2.8
    space = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    query = space.query()
    assert (query.yes, query.no, query.best) == (3, 3, True)
    assert {query.instance[name] for name in ("Sky", "AirTemp", "Wind")} == {"Sunny", "Warm", "Weak"}
    everything = np.array(list(space.language.attributes.instances()))
    halving = everything[np.array(space.vote_cells(everything).positive) == 3]
    assert len(halving) == 8
    assert (halving[:, [0, 1, 3]] == [0, 0, 1]).all()
    yes, no = (space.learn(new[2:3], [label]) for label in ("Yes", "No"))
    assert [str(c) for c in yes.most_specific] == ["⟨Sunny, Warm, ?, ?, ?, ?⟩"]
    assert {str(c) for c in yes.most_general} == {SUNNY, WARM}
    assert no.specific == space.specific
    assert {str(c) for c in no.most_general} == {"⟨Sunny, ?, ?, Strong, ?, ?⟩", "⟨?, Warm, ?, Strong, ?, ?⟩"}
    assert yes.count() == no.count() == 3
    plan = plan_queries(space)
    assert (plan.worst, plan.expected, plan.bound) == (3, Fraction(8, 3), 3)


def test_biased_space_collapses():  # O2.9
    days = induce.dataset("enjoy-sport-disjunctive")
    language = Conjunctions.over(days.input_schema)
    stages = walk(language, language.attributes.encode(days.X), [day == "Yes" for day in days.y])
    assert stages[1][0] == {"⟨Sunny, Warm, Normal, Strong, Cool, Change⟩"}
    assert stages[2][0] == {"⟨?, Warm, Normal, Strong, Cool, Change⟩"}
    assert stages[3] == (set(), set(), 0)
    assert [count for *_, count in stages] == [973, 64, 32, 0]
    space = CandidateElimination().fit(days.X, days.y).hypothesis_
    assert space.status == "collapsed"
    assert "positive rows 1 and 2 and not negative row 3" in space.reason


def test_mislabelled_second_example(language, cells):  # O2.10
    stages = walk(language, cells, [True, False, False, True])
    assert stages[2][0] == {"⟨Sunny, Warm, Normal, Strong, Warm, Same⟩"}
    assert stages[2][1] == {"⟨?, ?, Normal, ?, ?, ?⟩"} == stages[3][1]
    assert [count for *_, count in stages] == [973, 64, 32, 32, 0]


def test_unbiased_learner(language, cells):  # O2.11
    space = PowerSet(language.attributes)
    rows = np.array(list(language.attributes.instances()))[:7]
    bounds = start(space)
    for row, label in zip(rows[:5].tolist(), [True] * 3 + [False] * 2, strict=True):
        bounds = learn_example(space, bounds, row, label, 10)
    assert space.count(bounds) == 2**91 == 2475880078570760549798248448
    assert space.count(bounds, rows[5]) * 2 == space.count(bounds)
    assert [space.count(bounds, row) for row in rows[:5]] == [2**91] * 3 + [0] * 2
    assert bounds.specific == ((True, tuple(map(tuple, rows[:3].tolist()))),)
    assert bounds.general == ((False, tuple(map(tuple, rows[3:5].tolist()))),)
    six = Conjunctions.over(Schema((Column("a", "nominal", tuple("abcdef")),)))
    small = PowerSet(six.attributes)
    bounds = start(small)
    for cell, label in enumerate([True] * 3 + [False] * 2):
        bounds = learn_example(small, bounds, [cell], label, 10)
    assert (
        len([code for code in small.hypotheses() if small.within(code, bounds)]) == 2 == small.count(bounds)
    )
    assert small.count(bounds, [5]) == 1


@pytest.mark.parametrize(
    ("flipped", "k", "n", "between", "n_minimal", "n_maximal"),
    [
        (False, 0, 6, 6, 1, 2),
        (False, 1, 36, 40, 2, 1),
        (False, 2, 138, 144, 3, 1),
        (True, 0, 0, 0, 0, 0),
        (True, 1, 82, 106, 2, 4),
    ],
)
def test_bounded_errors(language, cells, labels, flipped, k, n, between, n_minimal, n_maximal):  # O2.12
    labels = np.array([True, False, False, True]) if flipped else labels
    found = within_errors(language, cells, labels, k)
    assert (found.count(), len(found.codes), found.n_between) == (n, n, between)
    assert (len(found.minimal), len(found.maximal)) == (n_minimal, n_maximal)
    assert found.convex == (n == between)


def test_bounded_errors_boundaries(language, cells, labels, sport):  # O2.12
    found = within_errors(language, cells, labels, 1)
    assert {language.text(code) for code in found.minimal} == {
        "⟨Sunny, Warm, High, Strong, ?, ?⟩",
        "⟨Sunny, Warm, ?, Strong, Warm, Same⟩",
    }
    assert [language.text(code) for code in found.maximal] == [TOP]
    flipped = within_errors(language, cells, np.array([True, False, False, True]), 1)
    assert {language.text(code) for code in flipped.maximal} == {
        SUNNY,
        WARM,
        "⟨?, ?, Normal, ?, ?, ?⟩",
        "⟨?, ?, ?, ?, Cool, ?⟩",
    }
    assert flipped.errors_of(Concept(language, language.read(["Sunny", "Warm", "?", "?", "?", "?"]))) == 1
    single = {language.text(code) for code in flipped.minimal}
    assert single == {language.attributes.text(cells[place]) for place in (0, 3)}
    two = within_errors(language, cells, labels, 2)
    assert {language.text(code) for code in two.minimal} == {
        language.attributes.text(cells[place]) for place in (0, 1, 3)
    }
    assert [language.text(code) for code in two.maximal] == [TOP]
    assert TolerantElimination(max_errors=2).fit(sport.X, sport.y).hypothesis_.count() == 138


@pytest.mark.parametrize("pairs", [1, 2, 4, 6])
def test_g_doubles(pairs):  # O2.13
    X, y = growing_g(pairs)
    learner = CandidateElimination(schema={f"x{j}": {"domain": ("T", "F")} for j in range(2 * pairs)})
    with induce.trace(only="boundaries") as events:
        space = learner.fit(X, y).hypothesis_
    assert [len(event["G"]) for event in events] == [2**k for k in range(pairs + 1)]
    assert len(space.specific) == 1
    assert space.count() == 3**pairs
    few = near_miss_space(space.language, *encoded(space.language, X, y))
    assert len(few.pending) == pairs


def encoded(language, X, y):
    return language.attributes.encode(X), np.array([label == "+" for label in y])


def test_merging_reproduces_every_stage(sport, language, cells, labels):  # O2.14
    space = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    alone = example_space(space, sport.X[2:3], "No")
    assert {str(c) for c in alone.most_general} == {
        SUNNY,
        "⟨Cloudy, ?, ?, ?, ?, ?⟩",
        WARM,
        "⟨?, ?, Normal, ?, ?, ?⟩",
        "⟨?, ?, ?, Weak, ?, ?⟩",
        "⟨?, ?, ?, ?, Cool, ?⟩",
        SAME,
    }
    assert alone.specific == (language.bottom(),)
    merged = None
    for place, expected in enumerate(walk(language, cells, labels)[1:]):
        single = example_space(space, sport.X[place : place + 1], sport.y[place])
        merged = single if merged is None else merged.merge(single)
        assert stage(language, merged.bounds) == expected


def test_disjunctive_version_space(sport, new):  # O2.15
    expected = {1: "111 110 111 111", 2: "111 100 111 110", 3: "101 000 110 100"}
    for matches, votes in expected.items():
        learner = DisjunctiveVersionSpace(matches=matches).fit(sport.X, sport.y)
        found = learner.hypothesis_.votes(new)[:, [0, 1, 3]].astype(int)
        assert " ".join("".join(map(str, row)) for row in found) == votes
    # one of the three positives against the only negative: with one exception everything gets every vote
    lax = DisjunctiveVersionSpace(matches=3, violations=1).fit(sport.X, sport.y)
    assert lax.hypothesis_.votes(new)[:, [0, 1, 3]].all()


SHAPES = {"size": ("small", "big"), "colour": ("red", "blue"), "shape": ("circle", "triangle")}


def shapes(*rows):
    schema = Schema(tuple(Column(name, "nominal", values) for name, values in SHAPES.items()))
    language = Conjunctions.over(schema)
    cells = language.attributes.encode([row.split()[:3] for row in rows])
    return language, cells, np.array([row.endswith("+") for row in rows])


def test_shapes():  # O2.16
    stages = walk(
        *shapes("small red circle +", "big red circle +", "small red triangle -", "big blue circle -")
    )
    X = [
        ["small", "red", "circle"],
        ["big", "red", "circle"],
        ["small", "red", "triangle"],
        ["big", "blue", "circle"],
    ]
    schema = {f"x{j}": {"domain": values} for j, values in enumerate(SHAPES.values())}
    with induce.trace(only="generalised") as events:
        learner = FindS(negatives="check", schema=schema).fit(X, ["+", "+", "-", "-"])
    assert [str(event["h"]) for event in events] == ["⟨small, red, circle⟩"] + ["⟨?, red, circle⟩"] * 3
    assert learner.predict(X).tolist() == ["+", "+", "-", "-"]
    assert [count for *_, count in stages] == [28, 8, 4, 2, 1]
    assert stages[3][1] == {"⟨?, ?, circle⟩"}
    assert stages[4][:2] == ({"⟨?, red, circle⟩"}, {"⟨?, red, circle⟩"})


def test_inconsistent_shapes():  # O2.17
    language, cells, labels = shapes("big red circle +", "small blue circle +", "small red circle -")
    assert walk(language, cells, labels)[-1] == (set(), set(), 0)
    X = [["big", "red", "circle"], ["small", "blue", "circle"], ["small", "red", "circle"]]
    assert (
        str(FindS().fit(X, ["+", "+", "-"]).concept_) == "⟨?, ?, ?⟩"
    )  # one shape only: ? and circle are one
    schema = {f"x{j}": {"domain": values} for j, values in enumerate(SHAPES.values())}
    assert str(FindS(schema=schema).fit(X, ["+", "+", "-"]).concept_) == "⟨?, ?, circle⟩"
    with pytest.raises(induce.InputError, match="positive rows 1 and 2 and not negative row 3"):
        FindS(negatives="check").fit(X, ["+", "+", "-"])
    assert first_consistent(language, cells, labels) is None


def test_reverse_order(language, cells, labels):  # exercise 2.2
    stages = walk(language, cells[::-1], labels[::-1])
    assert stages[1][:2] == ({"⟨Sunny, Warm, High, Strong, Cool, Change⟩"}, {TOP})
    assert stages[2][:2] == (
        {"⟨Sunny, Warm, High, Strong, Cool, Change⟩"},
        {SUNNY, WARM, "⟨?, ?, ?, ?, Cool, ?⟩"},
    )
    assert stages[3][:2] == ({"⟨Sunny, Warm, High, Strong, ?, ?⟩"}, {SUNNY, WARM})
    assert stages[4] == walk(language, cells, labels)[4]
    study = order_study(language, cells, labels)
    assert min(study.sums) == 11
    assert len(study.best) == 6
    assert all(order[-1] == 2 for order in study.best)
    assert study.of((0, 1, 2, 3)) == 13
    assert study.of((3, 2, 1, 0)) == 14
    assert study.of((2, 0, 1, 3)) == 22 == max(study.sums)


def test_pairwise_disjunctions(language, cells, labels):  # exercise 2.3
    pairs = Disjunctions(language, 2)
    listed = Listed(pairs)
    assert (pairs.size(), listed.size()) == (473_851, 409_846)
    bounds, written = start(listed), start(pairs)
    counts, general = [], []
    everything = np.array(list(language.attributes.instances()))
    for row, label in zip(cells.tolist(), labels.tolist(), strict=True):
        bounds = learn_example(listed, bounds, row, label, 10**6)
        written = learn_example(pairs, written, row, label, 10**6)
        counts.append(listed.count(bounds))
        general.append(len(bounds.general))
        # the order by disjuncts knows fewer pairs, so that its boundaries may have further members
        for one, other in ((bounds.specific, written.specific), (bounds.general, written.general)):
            assert {listed.covers(c, everything).tobytes() for c in one} <= {
                pairs.covers(c, everything).tobytes() for c in other
            }
    assert counts == [47_681, 23_270, 20_455, 4_844]
    assert general == [1, 1, 15, 12]
    assert {meaning(listed, code, everything) for code in bounds.general} == either_of(language, everything)
    (low,) = bounds.specific
    (shown,) = pairs.narrowest(written.specific)  # of the two that are least by their form one covers less
    assert meaning(pairs, shown, everything) == meaning(listed, low, everything)
    widest = {meaning(pairs, code, everything) for code in pairs.widest(written.general)}
    assert widest == {meaning(listed, code, everything) for code in bounds.general}
    assert listed.covers(low, everything).sum() == 3
    assert set(listed.text(low).split(OR)) == {
        "⟨Sunny, Warm, ?, Strong, Warm, Same⟩",
        "⟨Sunny, Warm, High, Strong, Cool, Change⟩",
    }


def meaning(language, code, instances):
    return language.covers(code, instances).tobytes()


def either_of(language, instances):
    """G after all four days: pairs of tests of single attributes with Sunny, Warm or Same, but for three of them."""
    names = ("Sunny", "Cloudy", "Warm", "Normal", "Weak", "Cool", "Same")
    places = (0, 0, 1, 2, 3, 4, 5)
    tests = {
        name: language.covers(language.read([name if j == place else "?" for j in range(6)]), instances)
        for name, place in zip(names, places, strict=True)
    }
    pairs = [pair for pair in combinations(names, 2) if {"Sunny", "Warm", "Same"} & set(pair)]
    lost = ({"Same", "Cloudy"}, {"Same", "Normal"}, {"Same", "Weak"})
    assert len(pairs) == 15
    return {(tests[a] | tests[b]).tobytes() for a, b in pairs if {a, b} not in lost}


def rectangles():
    schema = Schema((Column("x"), Column("y")))
    return Conjunctions.over(schema, {"x": range(11), "y": range(11)})


def test_rectangles():  # exercise 2.4
    language = rectangles()
    points = [[4, 4], [5, 3], [6, 5], [1, 3], [2, 6], [5, 1], [5, 8], [9, 4]]
    rows = language.attributes.encode(points)
    specific, general, count = walk(language, rows, [True] * 3 + [False] * 5)[-1]
    assert specific == {"⟨4..6, 3..5⟩"}
    assert general == {"⟨3..8, 2..7⟩", "⟨2..8, 2..5⟩"}
    assert count == 42
    space = CandidateElimination().fit(*induce.dataset("rectangles")).hypothesis_
    assert str(space).splitlines() == [
        "partly learned: 42 hypotheses; S 1 member, G 2 members",
        "S: ⟨4..6, 3..5⟩",
        "G: ⟨3..8, 2..7⟩, ⟨2..8, 2..5⟩",
    ]
    asked = space.vote([[7, 6], [4, 2], [5, 4], [10, 10], [7, 4]])
    assert asked.positive == (16, 21, 42, 0, 28)
    assert space.predict_proba([[7, 4]])[0].tolist() == pytest.approx([2 / 3, 1 / 3])
    bounds = start(language)
    for row, label in zip(rows.tolist(), [True] * 3 + [False] * 5, strict=True):
        bounds = learn_example(language, bounds, row, label, 100)
    votes = {
        point: language.count(bounds, language.attributes.encode([point])[0])
        for point in ((7, 6), (4, 2), (5, 2), (6, 2), (5, 4), (10, 10))
    }
    assert votes == {(7, 6): 16, (4, 2): 21, (5, 2): 21, (6, 2): 21, (5, 4): 42, (10, 10): 0}


def test_teaching_a_rectangle_takes_six_examples():  # exercise 2.4d
    language = rectangles()
    points = [(3, 2), (5, 9), (2, 5), (6, 5), (4, 1), (4, 10)]
    rows = language.attributes.encode(points)
    labels = [True] * 2 + [False] * 4
    specific, general, count = walk(language, rows, labels)[-1]
    assert (specific, general, count) == ({"⟨3..5, 2..9⟩"}, {"⟨3..5, 2..9⟩"}, 1)
    for left_out in range(6):
        kept = [place for place in range(6) if place != left_out]
        assert walk(language, rows[kept], [labels[place] for place in kept])[-1][2] > 1


PEOPLE = (
    "male female",
    "black brown blonde",
    "tall medium short",
    "US French German Irish Indian Japanese Portuguese",
)


def test_structured_pairs():  # exercise 2.5
    columns = [
        Column(f"{name}{person}", "nominal", tuple(values.split()))
        for person in (1, 2)
        for name, values in zip(("sex", "hair", "height", "nation"), PEOPLE, strict=True)
    ]
    language = Conjunctions.over(Schema(tuple(columns)), groups=(4, 4))
    assert (language.attributes.n_instances, language.size()) == (15_876, 147_457)
    rows = language.attributes.encode(
        [
            row.split()
            for row in (
                "male brown tall US female black short US",
                "male brown short French female black short US",
                "female brown tall German female black short Indian",
                "male brown tall Irish female brown short Irish",
            )
        ]
    )
    stages = walk(language, rows, [True, True, False, True])
    assert stages[2][0] == {"⟨male, brown, ?, ?⟩⟨female, black, short, US⟩"} == stages[3][0]
    assert stages[3][1] == {"⟨male, ?, ?, ?⟩⟨?, ?, ?, ?⟩", "⟨?, ?, ?, ?⟩⟨?, ?, ?, US⟩"}
    assert stages[4][:2] == (
        {"⟨male, brown, ?, ?⟩⟨female, ?, short, ?⟩"},
        {"⟨male, ?, ?, ?⟩⟨?, ?, ?, ?⟩"},
    )
    assert [count for *_, count in stages[1:]] == [256, 64, 48, 8]  # 256 = 2^8 is exercise 2.5b
    # 2.5c: after one positive example eight questions settle every attribute, each on its own
    bounds = learn_example(language, start(language), rows[0].tolist(), True, 100)
    space = VersionSpace(
        language, "together", (False, True), True, bounds.specific, bounds.general, bounds.negatives
    )
    assert len(space.factors()) == 8
    settled = settle(space, lambda pair: pair["sex1"] == "male" and pair["height2"] == "short")
    assert len(settled.asked) == 8
    # 2.5d: without a bias every other pair must be asked about
    sets = PowerSet(language.attributes)
    unbiased = learn_example(sets, start(sets), rows[0].tolist(), True, 100)
    assert sets.count(unbiased) == 2**15_875


def test_disjunction_of_literals():  # exercise 2.9
    X = [["T", "F", "T"], ["F", "F", "T"], ["F", "T", "T"]]
    schema = {f"x{j}": {"domain": ("T", "F")} for j in range(3)}
    learner = LiteralDisjunction(schema=schema).fit(X, ["+", "-", "-"])
    assert [rule.premise() for rule in learner.hypothesis_.rules] == ["x0 = T", "x2 = F"]
    with pytest.raises(induce.InputError, match="positive row 1"):
        LiteralDisjunction(schema=schema).fit([["T", "T", "T"], ["T", "T", "T"]], ["+", "-"])


def test_examples_that_find_s_needs(language):  # exercise 2.10, R2.3
    def target(n_free):
        values = ["Sunny", "Warm", "Normal", "Strong", "Warm", "Same"]
        return language.read(values[: 6 - n_free] + ["?"] * n_free)

    expected = [96, 144, 88, 49.714, 27.029, 14.382, 4.864]
    found = [expected_examples(language, target(n)) for n in range(7)]
    assert found == pytest.approx(expected, abs=6e-4)
    assert found[4] == pytest.approx(27.028571, abs=1e-6)
    counts = sample_study(language, target(4), runs=1500, random_state=1)
    assert counts.mean() == pytest.approx(27.03, abs=4 * 15.6 / 1500**0.5)
    for n, examples in (
        (2, 6),
        (3, 18),
        (4, 22),
        (5, 24.857),
        (6, 27.029),
        (7, 28.765),
        (8, 30.209),
        (10, 32.526),
    ):
        columns = [Column("Sky", "nominal", ("a", "b", "c"))]
        columns += [Column(f"a{i}", "nominal", ("f", "t")) for i in range(n - 1)]
        wide = Conjunctions.over(Schema(tuple(columns)))
        assert len(wide.attributes.facets) == n
        assert expected_examples(wide, wide.read(["a", "f"] + ["?"] * (n - 2))) == pytest.approx(
            examples, abs=6e-4
        )


def test_where_the_formula_does_not_hold(language):
    with pytest.raises(induce.InputError, match="covers no instance"):
        expected_examples(language, language.bottom())
    numbers = rectangles()
    with pytest.raises(induce.InputError, match="column 'x' is ordered, numeric"):
        expected_examples(numbers, numbers.top())
    plain = Column("a", "nominal", ("f", "t"))
    single = Conjunctions.over(Schema((plain, Column("b", "nominal", ("only",)))))
    alone = Conjunctions.over(Schema((plain,)))
    assert expected_examples(single, single.top()) == expected_examples(alone, alone.top())


def test_what_follows_is_what_all_agree_on(sport, language, cells, labels):  # C2.21
    space = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    everything = np.array(list(language.attributes.instances()))
    verdicts = space.verdicts(everything)
    follows = [entailed(language, cells, labels, row).follows for row in everything]
    assert [{True: 1, False: -1, None: 0}[each] for each in follows] == verdicts.tolist()


def test_representation_theorem_on_random_days(language):  # theorem 2.1, exercise 2.6
    draw = np.random.default_rng(0)
    codes = list(language.hypotheses())
    everything = np.array(list(language.attributes.instances()))
    covered = language.coverage(codes, everything)
    for trial in range(300):
        places = draw.integers(0, 96, draw.integers(1, 7))
        target = covered[draw.integers(0, 973)]
        labels = target[places] ^ (draw.random(len(places)) < 0.2 * (trial % 2))
        agreeing = (covered[:, places] == labels).all(axis=1)
        bounds = at_once(language, everything[places], labels, 10**6)
        assert set(language.members(bounds)) == {codes[place] for place in np.flatnonzero(agreeing)}


def test_open_intervals_have_no_most_specific_member():  # exercise 2.7
    points = [[2.0], [3.0], [7.0]]
    low, high = 1.0, 4.0
    for _ in range(40):  # whatever open interval holds the positives, a tighter one does too
        tighter = (low + 2.0) / 2, (high + 3.0) / 2
        assert low < tighter[0] < 2.0 < 3.0 < tighter[1] < high
        low, high = tighter
    with pytest.raises(induce.InputError, match="no most specific member"):
        CandidateElimination(language="open intervals").fit(points, [1, 1, 0])
    closed = CandidateElimination().fit(points, [1, 1, 0]).hypothesis_
    assert [str(concept) for concept in closed.most_specific] == ["⟨2..3⟩"]
    assert str(Concept(closed.language, closed.language.bottom())) == "⟨∅⟩"


def test_every_unseen_instance_gets_half_the_votes(language):  # exercise 2.8
    small = PowerSet(Conjunctions.over(Schema((Column("a", "nominal", tuple("abcde")),))).attributes)
    bounds = learn_example(small, start(small), [0], True, 10)
    members = {frozenset(code[1]) for code in small.hypotheses() if small.within(code, bounds)}
    for cell in range(1, 5):  # a set with the instance and the same without it: one to one
        with_it = {members_ for members_ in members if (cell,) in members_}
        assert {members_ - {(cell,)} for members_ in with_it} == members - with_it
        assert small.count(bounds, [cell]) == len(with_it) == len(members) // 2


def test_biases_and_experience():  # C2.23, C2.30, C2.31
    unbiased = CandidateElimination(language="power set", undecided="abstain").inductive_bias()
    assert (unbiased.language, unbiased.search) == ("", "")
    careful = CandidateElimination(undecided="abstain").inductive_bias()
    assert careful.language.startswith("the concept is a conjunction")
    assert careful.search == ""
    assert FindS().inductive_bias().language == careful.language
    assert "most specific" in FindS().inductive_bias().search
    assert "most general" in LiteralDisjunction().inductive_bias().search
    assert "at most 3 conjunctions" in FindS(language="disjunctions", disjuncts=3).inductive_bias().language
    assert "at most 2 examples may be misclassified" in str(
        TolerantElimination(max_errors=2).inductive_bias()
    )
    assert "positive ones" in FindS.experience
    assert "queries" in CandidateElimination.experience
