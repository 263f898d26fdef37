"""The numbers of the book: every step of S and G, sizes, votes, queries and exercises."""

from fractions import Fraction

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
    ListThenEliminate,
    LiteralDisjunction,
    PowerSet,
    RoteLearner,
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
    within_errors,
)
from induce.concepts.boundaries import learn_example, start
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
    assert ten.size() == 59_050
    assert ten.syntactic_size() == 4**10


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


def test_find_s_step_by_step(sport):  # O2.4
    with induce.trace(only="generalised") as events:
        learner = FindS().fit(sport.X, sport.y)
    assert [event["h"] for event in events] == [
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
    assert [(set(event["S"]), set(event["G"])) for event in events] == [(s, g) for s, g, _ in stages]
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
    assert (len(found.codes), found.n_between) == (n, between)
    assert (len(found.minimal), len(found.maximal)) == (n_minimal, n_maximal)
    assert found.convex == (n == between)


def test_bounded_errors_boundaries(language, cells, labels, sport):  # O2.12
    found = within_errors(language, cells, labels, 1)
    assert {language.text(code) for code in found.minimal} == {
        "⟨Sunny, Warm, High, Strong, ?, ?⟩",
        "⟨Sunny, Warm, ?, Strong, Warm, Same⟩",
    }
    flipped = within_errors(language, cells, np.array([True, False, False, True]), 1)
    assert {language.text(code) for code in flipped.maximal} == {
        SUNNY,
        WARM,
        "⟨?, ?, Normal, ?, ?, ?⟩",
        "⟨?, ?, ?, ?, Cool, ?⟩",
    }
    at = flipped.codes.index(language.read(["Sunny", "Warm", "?", "?", "?", "?"]))
    assert flipped.errors[at] == 1
    assert len(ListThenEliminate(max_errors=2).fit(sport.X, sport.y).listing_) == 138


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
    with pytest.raises(induce.InputError, match="positive rows 1 and 2 and not negative row 3"):
        FindS(negatives="check").fit(X, ["+", "+", "-"])
    assert first_consistent(language, cells, labels) is None


def test_reverse_order(language, cells, labels):  # exercise 2.2
    stages = walk(language, cells[::-1], labels[::-1])
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
    (low,) = bounds.specific
    assert listed.covers(low, everything).sum() == 3
    assert set(listed.text(low).split(OR)) == {
        "⟨Sunny, Warm, ?, Strong, Warm, Same⟩",
        "⟨Sunny, Warm, High, Strong, Cool, Change⟩",
    }


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
    learner = CandidateElimination().fit(points, [1, 1, 1, 0, 0, 0, 0, 0])
    assert learner.hypothesis_.status == "partly learned"
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
    assert [count for *_, count in stages[1:]] == [256, 64, 48, 8]


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
    for n, examples in ((2, 6), (3, 18), (4, 22), (5, 24.857), (7, 28.765), (10, 32.526)):
        columns = [Column("Sky", "nominal", ("a", "b", "c"))]
        columns += [Column(f"a{i}", "nominal", ("f", "t")) for i in range(n - 1)]
        wide = Conjunctions.over(Schema(tuple(columns)))
        assert expected_examples(wide, wide.read(["a", "f"] + ["?"] * (n - 2))) == pytest.approx(
            examples, abs=6e-4
        )


def test_what_follows_is_what_all_agree_on(sport, language, cells, labels):  # C2.21
    space = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    everything = np.array(list(language.attributes.instances()))
    verdicts = space.verdicts(everything)
    follows = [entailed(language, cells, labels, row).follows for row in everything]
    assert [{True: 1, False: -1, None: 0}[each] for each in follows] == verdicts.tolist()
