"""The learners as estimators: classes, languages, undecided rows, bad input, saving and speed."""

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import induce
from induce.concepts import (
    CandidateElimination,
    DisjunctiveVersionSpace,
    FindS,
    ListThenEliminate,
    LiteralDisjunction,
    RoteLearner,
    TolerantElimination,
    example_space,
    growing_g,
    plan_queries,
    settle,
)
from induce.core import registry
from induce.core.notes import Note
from induce.data.schema import Column, Schema
from induce.hypotheses.rules import RuleList


def test_partial_fit_ends_where_fit_does(sport):
    whole = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    learner = CandidateElimination(schema=sport.input_schema)
    for row in range(4):
        learner.partial_fit(sport.X[row : row + 1], sport.y[row : row + 1], classes=["Yes", "No"])
    assert learner.hypothesis_.specific == whole.specific
    assert set(learner.hypothesis_.general) == set(whole.general)
    assert learner.hypothesis_.counts == (3.0, 1.0)


@pytest.mark.parametrize("order", [[2, 0, 1, 3], [3, 2, 1, 0], [2, 3, 0, 1]])
def test_order_does_not_matter(sport, order):
    learner = CandidateElimination().fit(sport.X[order], sport.y[order])
    assert learner.hypothesis_.count() == 6
    step = CandidateElimination(positive="Yes")
    for row in order:
        step.partial_fit(sport.X[row : row + 1], sport.y[row : row + 1], classes=["No", "Yes"])
    assert set(step.hypothesis_.general) == set(learner.hypothesis_.general)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames(sport, frame):
    X = frame({name: sport.X[name].to_list() for name in sport.X.columns})
    learner = CandidateElimination(schema=sport.input_schema).fit(X, sport.y.to_list())
    assert learner.hypothesis_.count() == 6
    assert learner.predict(X).tolist() == sport.y.to_list()


def test_what_to_do_when_undecided(sport, new):
    majority = CandidateElimination().fit(sport.X, sport.y)
    assert majority.predict(new).tolist() == ["Yes", "No", "No", "No"]
    abstain = CandidateElimination(undecided="abstain", unknown="ask").fit(sport.X, sport.y)
    assert abstain.predict(new).tolist() == ["Yes", "No", "ask", "ask"]
    refuse = CandidateElimination(undecided="refuse").fit(sport.X, sport.y)
    assert refuse.predict(new[:2]).tolist() == ["Yes", "No"]
    with pytest.raises(induce.InputError, match="row 3 is undecided"):
        refuse.predict(new)
    with pytest.raises(induce.InputError, match="undecided is 'maybe'"):
        CandidateElimination(undecided="maybe").fit(sport.X, sport.y)


def test_rules_of_the_boundaries(sport, new):
    space = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    certain, possible = space.to_rules("S"), space.to_rules("G")
    assert isinstance(certain, RuleList)
    certain.check()
    assert certain.predict(new).tolist() == ["Yes", "No", "No", "No"]
    assert possible.predict(new).tolist() == ["Yes", "No", "Yes", "Yes"]
    assert "Sky = Sunny" in str(possible)
    with pytest.raises(induce.InputError, match="boundary is 'T'"):
        space.to_rules("T")


@pytest.mark.parametrize(
    "learner",
    [
        CandidateElimination(),
        CandidateElimination(max_general=1),
        CandidateElimination(language="disjunctions"),
        CandidateElimination(language="power set"),
        TolerantElimination(),
        TolerantElimination(max_errors=2),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore::induce.Note")
def test_rules_say_what_is_certain_and_what_is_possible(sport, learner):
    space = learner.fit(sport.X, sport.y).hypothesis_
    everything = np.array(list(space.language.attributes.instances()))
    rows = [list(space.language.attributes.decode(row).values()) for row in everything]
    verdicts = space.verdicts(everything)
    assert (space.to_rules("S").predict(rows) == "Yes").tolist() == (verdicts == 1).tolist()
    assert (space.to_rules("G").predict(rows) == "Yes").tolist() == (verdicts >= 0).tolist()


def test_which_class_is_the_concept():
    X = [["a"], ["b"]]
    assert CandidateElimination().fit(X, ["no", "yes"]).hypothesis_.positive == "yes"
    assert CandidateElimination().fit(X, [1, 0]).hypothesis_.positive == 1
    assert CandidateElimination(positive="no").fit(X, ["no", "yes"]).hypothesis_.positive == "no"
    assert CandidateElimination().fit(X, ["p", "e"]).hypothesis_.positive == "p"
    with pytest.raises(induce.InputError, match="positive is 'maybe'"):
        CandidateElimination(positive="maybe").fit(X, ["no", "yes"])
    with pytest.raises(induce.InputError, match="Only binary"):
        CandidateElimination().fit([["a"], ["b"], ["c"]], ["x", "y", "z"])


LEARNERS_OF_TWO_CLASSES = (
    CandidateElimination(),
    FindS(),
    ListThenEliminate(),
    LiteralDisjunction(),
    TolerantElimination(),
)


@pytest.mark.parametrize("learner", LEARNERS_OF_TWO_CLASSES, ids=repr)
def test_no_class_is_invented(learner):
    X = pl.DataFrame({"a": ["x", "x"], "b": ["u", "v"]})
    other = pl.DataFrame({"a": ["y"], "b": ["u"]})
    with pytest.raises(induce.InputError, match="y has only one class, 'in', but a concept has two"):
        learner.fit(X, ["in", "in"])
    assert not hasattr(learner, "hypothesis_")
    # an Enum declares both, and True and False are always two
    declared = clone(learner).fit(X, pl.Series(["in", "in"], dtype=pl.Enum(["out", "in"])))
    assert declared.classes_.tolist() == ["in", "out"]
    assert set(declared.predict(pl.concat([X, other])).tolist()) <= {"in", "out"}
    assert declared.predict_proba(other).shape == (1, 2)
    assert clone(learner).fit(X, [True, True]).classes_.tolist() == [False, True]
    named = clone(learner).set_params(positive="in").fit(X, ["out", "out"])
    assert named.hypothesis_.classes == ("out", "in")
    assert named.predict(X).tolist() == ["out", "out"]


def test_positive_rows_alone():
    y = pd.Series(["in", "in"], dtype=pd.CategoricalDtype(["in", "out"]))
    learner = FindS().fit([["a", "p"], ["a", "q"]], y)
    assert learner.predict([["a", "z"], ["b", "p"]]).tolist() == ["in", "in"]  # both columns are ? by now
    schema = {"x0": {"domain": ("a", "b")}, "x1": {"domain": ("p", "q")}}
    learner = FindS(schema=schema, positive="in").fit([["a", "p"], ["a", "q"]], y)
    assert learner.predict([["a", "p"], ["b", "p"]]).tolist() == ["in", "out"]
    assert str(learner.hypothesis_) == "IF x0 = a THEN in (2/2)\nDEFAULT out (0/0)"


def test_further_rows_must_fit_the_first(sport):
    learner = CandidateElimination().fit(sport.X, sport.y)
    before = learner.hypothesis_
    for X, y, classes, words in (
        (sport.X[:1], ["Maybe"], None, "y has the class 'Maybe'"),
        (sport.X[:1], ["Yes"], ["Yes", "Perhaps"], "y has the class 'Perhaps'"),
        (sport.X[:2], ["Yes"], None, "inconsistent numbers"),
        (sport.X[:, :5], ["Yes"] * 4, None, "feature names"),
    ):
        with pytest.raises(ValueError, match=words):
            learner.partial_fit(X, y, classes)
        assert learner.hypothesis_ == before
        assert learner.classes_.tolist() == ["No", "Yes"]


def test_intervals_and_numbers_never_seen():
    learner = CandidateElimination().fit([[4.0], [6.0], [1.0], [9.0]], [1, 1, 0, 0])
    space = learner.hypothesis_
    assert str(space.most_specific[0]) == "⟨4..6⟩"
    assert [str(c) for c in space.most_general] == ["⟨> 1 and < 9⟩"]
    assert space.decide([[5.0], [7.0], [100.0], [-3.0]]) == (1, None, 0, 0)
    assert space.to_rules().predict([[5.0], [100.0], [-3.0]]).tolist() == [1, 0, 0]
    only = CandidateElimination().partial_fit([[4.0], [6.0]], [1, 1], classes=[0, 1]).hypothesis_
    assert only.decide([[5.0], [7.0]]) == (1, None)


def test_taxonomy():
    X = [["circle"], ["ellipse"], ["square"]]
    groups = {"round": ["circle", "ellipse"], "polygon": ["square", "triangle"]}
    values = ("circle", "square", "ellipse", "triangle")
    frame = pl.DataFrame({"shape": [row[0] for row in X]})
    schema = {"shape": {"domain": values, "taxonomy": groups}}
    learner = CandidateElimination(schema=schema).fit(frame, ["+", "+", "-"])
    assert str(learner.hypothesis_.most_specific[0]) == "⟨round⟩"
    assert learner.hypothesis_.status == "converged"
    assert str(learner.hypothesis_.to_rules().rules[0].conditions[0]) == "shape in {circle, ellipse}"
    assert learner.hypothesis_.decide([["ellipse"], ["triangle"]]) == ("+", "-")
    # from the table itself, without a schema of the learner's own
    told = induce.read(frame.with_columns(label=pl.Series(["+", "+", "-"])), "label", schema=schema)
    again = CandidateElimination(schema=told.input_schema).fit(told.X, told.y)
    assert str(again.hypothesis_.most_specific[0]) == "⟨round⟩"
    with pytest.raises(induce.InputError, match="names 'sphere'"):
        CandidateElimination(schema={"shape": {"taxonomy": {"round": ["circle", "sphere"]}}}).fit(
            frame, ["+", "+", "-"]
        )


def test_disjunctive_concept_and_backtracking():
    days = induce.dataset("enjoy-sport-disjunctive")
    space = CandidateElimination(language="disjunctions").fit(days.X, days.y).hypothesis_
    assert space.status == "partly learned"
    assert space.decide(days.X) == ("Yes", "Yes", "No")
    learner = FindS(language="disjunctions", negatives="backtrack").fit(days.X, days.y)
    assert learner.predict(days.X).tolist() == ["Yes", "Yes", "No"]
    assert len(learner.hypothesis_.rules) == 2
    X = [["a", "p"], ["b", "q"], ["b", "p"], ["c", "q"]]
    y = ["+", "+", "+", "-"]
    found = FindS(language="disjunctions", negatives="backtrack").fit(X, y)
    assert found.predict(X).tolist() == y
    with pytest.raises(induce.InputError, match="same instance with different classes"):
        FindS(language="disjunctions", negatives="backtrack").fit([["a", "p"], ["a", "p"]], ["+", "-"])


def test_no_bias_no_generalisation(sport, new):
    space = CandidateElimination(language="power set").fit(sport.X, sport.y).hypothesis_
    assert space.count() == 2**92
    assert space.decide(new) == (None,) * 4
    assert set(space.vote(new).shares) == {space.vote(new).shares[0]}
    assert float(space.vote(new).shares[0]) == 0.5
    assert space.to_rules("G").predict(sport.X).tolist() == sport.y.to_list()
    assert space.decide(sport.X) == tuple(sport.y)


def test_sets_of_instances_as_rules_and_when_all_are_seen():
    X, y = [["a", "p"], ["b", "q"], ["a", "p"], ["a", "q"]], ["+", "+", "+", "-"]
    learner = FindS(language="power set").fit(X, y)
    assert str(learner.hypothesis_).splitlines() == [
        "IF x0 = a AND x1 = p THEN + (2/2)",
        "IF x0 = b AND x1 = q THEN + (1/1)",
        "DEFAULT - (1/1)",
    ]
    space = CandidateElimination(language="power set").fit(X, y).hypothesis_
    assert (space.count(), space.status) == (2, "partly learned")
    settled = space.learn([["b", "p"]], ["-"])
    assert (settled.count(), settled.status) == (1, "converged")
    with pytest.raises(induce.InputError, match="a single hypothesis is left"):
        settled.query()


def test_a_plan_for_few_hypotheses_over_many_instances():
    schema = {f"a{j}": {"domain": tuple("abcd")} for j in range(30)}
    first = pl.DataFrame({f"a{j}": ["a"] for j in range(30)})
    second = first.with_columns(**{f"a{j}": pl.lit("b") for j in range(3, 30)})
    learner = CandidateElimination(schema=schema)
    space = learner.partial_fit(pl.concat([first, second]), [1, 1], classes=[0, 1]).hypothesis_
    assert space.count() == 8
    plan = plan_queries(space)
    assert (plan.worst, plan.expected, plan.bound) == (3, 3, 3)


@pytest.mark.compiled
def test_g_that_would_explode_is_announced():
    X, y = growing_g(11)
    schema = {f"x{j}": {"domain": ("T", "F")} for j in range(22)}
    with pytest.warns(Note, match="G has more than 1,000 members"):
        space = CandidateElimination(schema=schema).fit(X, y).hypothesis_
    assert space.general is None
    assert space.count() == 3**11
    assert space.status == "partly learned"
    assert "too large to keep" in str(space)
    with pytest.raises(induce.InputError, match="more than 1,000"):
        _ = space.most_general
    flips = [["T"] * place + ["F"] + ["T"] * (21 - place) for place in range(22)]
    votes = space.vote(flips)
    assert set(votes.positive) == {3**10}
    with warnings.catch_warnings():
        warnings.simplefilter("error", Note)
        whole = CandidateElimination(schema=schema, max_general=5000).fit(X, y).hypothesis_
    assert len(whole.general) == 2**11
    assert whole.count() == 3**11


def test_a_space_of_a_million_millions():
    schema = Schema(tuple(Column(f"a{j}", "nominal", tuple("abc")) for j in range(20)))
    X = pl.DataFrame({f"a{j}": ["a", "b"] for j in range(20)})
    learner = CandidateElimination(schema=schema)
    empty = learner.partial_fit(X[1:], ["no"], classes=["no", "yes"]).hypothesis_
    assert empty.language.size() == 4**20 + 1
    assert empty.count() == 4**20 + 1 - 2**20
    row = [["a"] * 20]
    assert empty.vote(row).positive == (2**20 - 1,)
    one = learner.fit(X, ["yes", "no"]).hypothesis_
    assert one.count() == 2**20 - 1
    half = one.query()
    assert abs(half.yes - half.no) <= 1


def test_many_rows():
    draw = np.random.default_rng(0)
    cells = draw.integers(0, 4, (10_000, 30))
    y = (cells[:, :5] == cells[0, :5]).all(axis=1)
    values = np.array(list("abcd"))
    X = pl.DataFrame(
        {f"a{j}": pl.Series(values[cells[:, j]].tolist(), dtype=pl.Enum(list("abcd"))) for j in range(30)}
    )
    space = CandidateElimination().fit(X, y).hypothesis_
    assert space.status == "converged"
    assert space.most_specific[0].code[:5] == tuple((int(c), int(c)) for c in cells[0, :5])


def test_saving(sport, new):
    learner = CandidateElimination().fit(sport.X[:3], sport.y[:3])
    again = pickle.loads(pickle.dumps(learner))
    again.partial_fit(sport.X[3:], sport.y[3:])
    assert again.hypothesis_.vote(new).positive == (6, 0, 3, 2)
    assert learner.hypothesis_.count() == 28


REGISTERED = {
    "Facet": "induce.concepts.facets:Facet",
    "Attributes": "induce.concepts.facets:Attributes",
    "Conjunctions": "induce.concepts.conjunctions:Conjunctions",
    "Disjunctions": "induce.concepts.disjunctions:Disjunctions",
    "PowerSet": "induce.concepts.powerset:PowerSet",
    "Listed": "induce.concepts.listed:Listed",
    "BoundedErrors": "induce.concepts.bounded_errors:BoundedErrors",
    "VersionSpace": "induce.concepts.version_space:VersionSpace",
    "VotingExamples": "induce.concepts.voting_examples:VotingExamples",
}
LEARNERS = {
    "CandidateElimination": "induce.concepts.learners.candidate_elimination:CandidateElimination",
    "DisjunctiveVersionSpace": "induce.concepts.learners.disjunctive_version_space:DisjunctiveVersionSpace",
    "FindS": "induce.concepts.learners.find_s:FindS",
    "ListThenEliminate": "induce.concepts.learners.list_then_eliminate:ListThenEliminate",
    "LiteralDisjunction": "induce.concepts.learners.literal_disjunction:LiteralDisjunction",
    "TolerantElimination": "induce.concepts.learners.tolerant_elimination:TolerantElimination",
}


@pytest.mark.parametrize(
    "learner",
    [
        CandidateElimination(),
        CandidateElimination(language="disjunctions"),
        CandidateElimination(language="power set"),
        CandidateElimination(max_general=1),
        DisjunctiveVersionSpace(),
        FindS(),
        ListThenEliminate(),
        LiteralDisjunction(),
        TolerantElimination(),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore::induce.Note")
def test_model_files(sport, new, tmp_path, monkeypatch, learner):
    for names, lines in ((registry.VALUES, REGISTERED), (registry.ESTIMATORS, LEARNERS)):
        for name, home in lines.items():
            monkeypatch.setitem(names, name, home)
    rows, new = sport.X[:, :4], new[:, :4]  # few enough for pairs of conjunctions to be listed quickly
    learner.fit(rows, sport.y)
    induce.save(learner, tmp_path / "m.induce")
    again = induce.load(tmp_path / "m.induce")
    assert again.hypothesis_ == learner.hypothesis_
    assert again.predict(new).tolist() == learner.predict(new).tolist()
    if hasattr(again, "partial_fit"):
        again.partial_fit(rows[:1], sport.y[:1])
        assert again.predict(new).tolist() == learner.predict(new).tolist()


def test_tolerant_elimination_learns_in_parts_and_votes_exactly(sport, new):
    whole = TolerantElimination().fit(sport.X, sport.y)
    parts = TolerantElimination(schema=sport.input_schema)
    for row in range(4):
        parts.partial_fit(sport.X[row : row + 1], sport.y[row : row + 1], classes=["Yes", "No"])
    assert parts.hypothesis_.count() == whole.hypothesis_.count() == 36
    assert set(parts.hypothesis_.codes) == set(whole.hypothesis_.codes)
    codes = whole.hypothesis_.members()
    votes = np.sum([concept.covers(new) for concept in codes], axis=0).tolist()
    assert list(whole.hypothesis_.vote(new).positive) == votes
    assert whole.predict_proba(new)[:, 1] == pytest.approx(np.array(votes) / 36)
    assert whole.hypothesis_.status == "partly learned"
    assert (whole.hypothesis_.counts, parts.hypothesis_.counts) == ((3.0, 1.0), (3.0, 1.0))


@pytest.mark.compiled
def test_tolerant_elimination_finds_a_concept_among_wrong_labels():
    draw = np.random.default_rng(1)
    cells = draw.integers(0, 3, (300, 8))
    y = (cells[:, :2] == cells[0, :2]).all(axis=1)
    wrong = y.copy()
    wrong[[10, 200]] ^= True
    X = np.array(list("abc"), dtype=object)[cells]
    assert CandidateElimination().fit(X, wrong).hypothesis_.status == "collapsed"
    one = TolerantElimination(max_errors=1).fit(X, wrong).hypothesis_
    assert one.status == "collapsed"
    assert str(one) == "collapsed: no hypothesis errs on at most 1 example"
    space = TolerantElimination(max_errors=2).fit(X, wrong).hypothesis_
    assert space.status == "converged"
    assert space.convex
    assert space.predict(X).tolist() == y.tolist()
    assert space.errors_of(space.members()[0]) == 2
    with pytest.raises(
        induce.InputError, match="has more than 1,000 members"
    ):  # one positive, very many ways
        TolerantElimination(max_errors=1).fit(*growing_g(11))
    with pytest.raises(induce.InputError, match="max_errors is -1"):
        TolerantElimination(max_errors=-1).fit(X, wrong)


def test_damaged_bounded_errors_are_refused(sport):
    space = TolerantElimination().fit(sport.X, sport.y).hypothesis_
    space.check()
    for change in (
        {"specific": space.specific[:1]},
        {"general": ((("x",),), ())},
        {"undecided": "maybe"},
        {"positive": "Perhaps"},
        {"classes": ("Yes",)},
    ):
        with pytest.raises(induce.InputError):
            replace(space, **change).check()


def test_literals_of_numbers_and_ordered_values():
    X = pl.DataFrame(
        {
            "x": [1.0, 2.0, 3.0, 6.0, 7.0],
            "size": ["s", "m", "l", "l", "m"],
            "colour": ["r", "g", "r", "r", "b"],
        }
    )
    y = ["+", "-", "-", "+", "+"]
    schema = {"size": {"domain": ("s", "m", "l"), "ordered": True}}
    learner = LiteralDisjunction(schema=schema).fit(X, y)
    assert [rule.premise() for rule in learner.hypothesis_.rules] == [
        "x < 2",
        "x > 3",
        "size = s",
        "colour = b",
    ]
    assert learner.predict(X).tolist() == y
    clash = [["a"], ["a"]]
    with pytest.raises(induce.InputError, match="positive row 1"):
        LiteralDisjunction().fit(clash, y[:2])
    ignoring = LiteralDisjunction(positives="ignore").fit([["a"], ["a"], ["b"]], ["+", "-", "+"])
    assert ignoring.predict(clash).tolist() == ["-", "-"]
    assert str(ignoring.hypothesis_).endswith("DEFAULT - (1/2)")
    with pytest.raises(induce.InputError, match="positives is 'all'"):
        LiteralDisjunction(positives="all").fit(clash, y[:2])


@pytest.mark.compiled
def test_merging_spaces_whose_g_is_not_kept(sport):
    rows, y = growing_g(11)
    schema = {f"x{j}": {"domain": ("T", "F")} for j in range(22)}
    with pytest.warns(Note, match="G has more than 1,000 members"):
        whole = CandidateElimination(schema=schema).fit(rows, y).hypothesis_
    half = CandidateElimination(schema=schema).fit(rows[:6], y[:6]).hypothesis_
    other = CandidateElimination(schema=schema).fit([rows[0], *rows[6:]], [y[0], *y[6:]]).hypothesis_
    together = half.merge(other)
    assert together.general is None
    assert together.count() == whole.count() == 3**11
    assert whole.merge(half).count() == whole.count()
    space = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    with pytest.raises(induce.InputError, match="different languages"):
        space.merge(whole)
    with pytest.raises(induce.InputError, match="2 rows"):
        example_space(space, sport.X[:2], "Yes")


def test_damaged_version_spaces_are_refused(sport):
    space = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    space.check()
    for change in (
        {"specific": (((0, 9),) * 6,)},
        {"general": ("x",)},
        {"negatives": np.zeros((1, 2), dtype=np.int64)},
        {"negatives": np.full((1, 6), 7)},
        {"undecided": "maybe"},
    ):
        with pytest.raises(induce.InputError):
            replace(space, **change).check()


BAD = [
    ([["a", None], ["b", "x"]], ["+", "-"], {}, "column 'x1' has a missing value in row 1"),
    ([[1.0, 2.0], [np.nan, 3.0]], [1, 0], {}, "column 'x0' has a missing value in row 2"),
    ([[1.0], [2.0]], [1, 0], {"language": "nominal"}, "column 'x0' is numeric, but the language 'nominal'"),
    ([[1.0], [2.0]], [1, 0], {"language": "power set"}, "column 'x0' is numeric"),
    ([["a"], ["b"]], ["+", "-"], {"language": "trees"}, "language is 'trees'"),
    ([["a"], ["b"]], ["+", "-"], {"max_general": 0}, "max_general is 0"),
    ([["a"], ["z"]], ["+", "-"], {"schema": {"x0": {"domain": ("a", "b")}}}, "column 'x0' holds 'z'"),
    ([["a"], ["b"]], ["+"], {}, "inconsistent numbers"),
]


@pytest.mark.parametrize(("X", "y", "parameters", "words"), BAD)
def test_bad_input(X, y, parameters, words):
    with pytest.raises(induce.InputError, match=words):
        CandidateElimination(**parameters).fit(X, y)


def test_unseen_values(sport):
    learner = CandidateElimination().fit(sport.X, sport.y)
    with pytest.raises(induce.InputError, match="'Foggy'"):
        learner.partial_fit(
            pl.DataFrame([["Foggy", *sport.X.row(0)[1:]]], schema=sport.X.columns, orient="row"), ["No"]
        )
    fog = pl.DataFrame([["Foggy", *sport.X.row(0)[1:]]], schema=sport.X.columns, orient="row")
    assert learner.hypothesis_.vote(fog).positive == (2,)  # of those with ? at Sky
    assert learner.predict(fog).tolist() == ["No"]


def test_contradictory_examples():
    space = CandidateElimination().fit([["a"], ["b"], ["a"]], ["+", "-", "-"]).hypothesis_
    assert space.status == "collapsed"
    assert space.reason == "rows 1 and 3 are the same instance with different classes"
    assert str(space).startswith("collapsed: no hypothesis")
    assert space.count() == 0
    assert space.decide([["a"]]) == (None,)
    assert space.predict([["a"]]).tolist() == ["-"]  # the commoner class
    with pytest.raises(induce.InputError, match="nothing to ask; rows 1 and 3"):
        space.query()
    with pytest.raises(induce.InputError, match="nothing to draw"):
        space.draw()
    with pytest.raises(induce.InputError, match="both"):
        RoteLearner().fit([["a"], ["a"]], ["+", "-"])


def test_a_single_hypothesis_leaves_nothing_to_ask():
    space = CandidateElimination().fit([["a"], ["b"]], ["+", "-"]).hypothesis_
    assert space.status == "converged"
    with pytest.raises(induce.InputError, match="a single hypothesis is left"):
        space.query()


def test_an_oracle_that_contradicts_itself(sport):
    space = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    answers = iter([True, True, False, False, True, False] * 30)
    everything = pl.concat([sport.X, induce.dataset("enjoy-sport-new").X])
    with pytest.raises(induce.InputError, match="contradict each other"):
        settle(space, lambda day: day["Sky"] != "Sunny", everything, order="passive")
    assert settle(space, lambda day: next(answers)).space.status == "converged"
    with pytest.raises(induce.InputError, match="needs a pool"):
        settle(space, lambda day: True, order="random")


def test_questions_from_a_pool(sport, new):
    space = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    assert space.query(new).yes == 3
    settled = settle(space, lambda day: day["Sky"] == "Sunny", new)
    assert all(decision is not None for decision in settled.space.decide(new))
    with pytest.raises(induce.InputError, match="all rows of the pool are already decided"):
        space.query(new[:2])


def test_tolerance():
    X, y = [[4.0], [5.0], [6.0], [7.0]], [1, 1, 1, 0]
    space = CandidateElimination().fit(X, y).hypothesis_
    loose = example_space(space, [[7.0]], 0, {"x0": 1.0})
    exact = example_space(space, [[7.0]], 0)
    assert set(exact.most_general) <= set(loose.most_general) or loose.count() > exact.count()
    sure = example_space(space, [[6.0]], 1, {"x0": 1.0})
    between = {"⟨> 5 and < 6⟩", "⟨> 6 and < 7⟩"}
    assert {str(c) for c in sure.most_specific} == {"⟨5⟩", "⟨6⟩", "⟨7⟩"} | between
    with pytest.raises(induce.InputError, match="tolerance names column 'q'"):
        example_space(space, [[7.0]], 0, {"q": 1.0})
    with pytest.raises(induce.InputError, match="tolerance of x0 is -1"):
        example_space(space, [[7.0]], 0, {"x0": -1})
    # a number between those seen: what counts is where it may really have been
    sure = example_space(space, [[5.4]], 1, {"x0": 0.2})
    assert {str(c) for c in sure.most_specific} == {"⟨> 5 and < 6⟩"}
    merged = example_space(space, [[4.0]], 1, {"x0": 0.4}).merge(example_space(space, [[6.0]], 0, {"x0": 1}))
    assert {str(c) for c in merged.most_specific} == {"⟨< 4⟩", "⟨4⟩", "⟨> 4 and < 5⟩"}
    assert {str(c) for c in merged.most_general} == {"⟨< 7⟩"}


def test_listing_is_the_version_space(sport):
    listed = ListThenEliminate().fit(sport.X, sport.y)
    space = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    assert set(listed.listing_) == set(space.members())
    assert listed.hypothesis_.factors() == space.factors()
    assert set(listed.hypothesis_.general) == set(space.general)
    with pytest.raises(induce.InputError, match="too many to list"):
        ListThenEliminate().fit(*growing_g(12))


@pytest.mark.compiled
def test_disjunctive_version_spaces_learn_what_conjunctions_cannot():
    X, y = induce.dataset("iris")
    learner = DisjunctiveVersionSpace(matches=2, violations=5).fit(X[::2], y[::2])
    assert (learner.predict(X[1::2]) == y[1::2].to_numpy()).mean() > 0.8


def test_pictures(sport):
    space = CandidateElimination().fit(sport.X, sport.y).hypothesis_
    texts = [text.get_text() for text in space.draw().axes[0].texts]
    assert len(texts) == 6
    assert "S: ⟨Sunny, Warm, ?, Strong, ?, ?⟩" in texts
    schema = {f"x{j}": {"domain": ("T", "F")} for j in range(12)}
    large = CandidateElimination(schema=schema).fit(*growing_g(6)).hypothesis_
    axes = large.draw().axes[0]
    assert "only the boundaries of 729 hypotheses are drawn" in axes.get_title()
    assert len(axes.texts) == 8


def test_many_further_rows_end_where_single_ones_do():
    draw = np.random.default_rng(3)
    cells = draw.integers(0, 3, (60, 5))
    y = (cells[:, :2] == cells[0, :2]).all(axis=1)
    X = np.array(list("abc"), dtype=object)[cells]
    schema = {f"x{j}": {"domain": tuple("abc")} for j in range(5)}
    together = CandidateElimination(schema=schema).partial_fit(X[:20], y[:20]).partial_fit(X[20:], y[20:])
    singly = CandidateElimination(schema=schema)
    for row in range(60):
        singly.partial_fit(X[row : row + 1], y[row : row + 1], classes=[False, True])
    assert together.hypothesis_.specific == singly.hypothesis_.specific
    assert set(together.hypothesis_.most_general) == set(singly.hypothesis_.most_general)
