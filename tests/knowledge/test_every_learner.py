"""`knowledge=` of every learner of classes that has it: parents, laws, files, exports, and what is refused."""

import inspect
import sqlite3
from functools import cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.estimators.guidance import KnowledgeLearner
from induce.hypotheses.knowledge import ARC_PARTS, Knowledge
from tests.conftest import SMALL

RULES = "IF age > 60 AND smoker = yes THEN ill\nIF dose > 5 THEN ill"
LAWS = ("IF dose > 8 THEN ill", "IF age <= 10 AND smoker = no AND dose <= 8 THEN well")
TRUSTED = {"IF age > 60 AND smoker = yes THEN ill": 0.5, "IF dose > 5 THEN ill": 0.9}
OTHERS = (
    "NaiveBayes",
    "KNeighborsClassifier",
    "LogisticRegression",
    "SelfTraining",
    "LazyDecisionTree",
    "K2",
)
"""Learners that `GuidedClassifier` guides: one of each kind of model, and one with a knowledge of arcs."""
CLASSES = pl.Enum(["well", "ill"])
TRUTHS = pl.Enum(["no", "yes"])


def takes_rules(name: str) -> bool:
    learner = getattr(induce, name)
    return issubclass(learner, KnowledgeLearner) and "knowledge" in inspect.signature(learner).parameters


LEARNERS = [entry.name for entry in induce.learners() if entry.face == "tables" and takes_rules(entry.name)]
WEIGHS = {"KBANN", "EBNN", "TheoryRevision"}
ARCS = [
    entry.name
    for entry in induce.learners()
    if entry.face == "tables"
    and "knowledge" in inspect.signature(getattr(induce, entry.name)).parameters
    and not takes_rules(entry.name)
    and entry.name != "GuidedClassifier"
]


def table(n: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.uniform(-20, 130, n).round(1),
            "dose": rng.integers(-1, 12, n).astype(float),
            "smoker": pl.Series(rng.choice(["no", "yes"], n), dtype=TRUTHS),
        }
    )


X = table(60, 0)
ILL = ((X["age"] > 60) & (X["smoker"] == "yes")) | (X["dose"] > 6)
Y = pl.Series(
    "y", np.where(ILL.to_numpy() ^ (np.random.default_rng(1).random(60) < 0.05), "ill", "well"), CLASSES
)
FRESH = table(200, 2)


def made(name: str, **parameters: object):
    return getattr(induce, name)(**SMALL.get(name, {}), **parameters)


@cache
def fitted(name: str, kind: str):
    known = {"rules": {"rules": RULES}, "laws": {"laws": LAWS}, "both": {"rules": RULES, "laws": LAWS}}[kind]
    if name in OTHERS:
        return induce.GuidedClassifier(made(name), knowledge=known).fit(X, Y)
    return made(name, knowledge=known).fit(X, Y)


def test_all_trees_and_rule_learners_are_among_them():
    assert {"ID3", "C45", "CART", "RuleLearner", "RIPPER", "CN2", "PART", "AQ", "PRISM", *WEIGHS, "FOCL"} <= {
        *LEARNERS
    }
    assert {"K2", "PC", "StructureSearch"} <= {*ARCS}


@pytest.mark.parametrize("name", LEARNERS)
def test_knowledge_that_says_nothing_changes_nothing(name):
    plain, known = made(name).fit(X, Y), made(name, knowledge=Knowledge()).fit(X, Y)
    assert known.hypothesis_ == plain.hypothesis_
    assert np.array_equal(known.predict_proba(FRESH), plain.predict_proba(FRESH))


@pytest.mark.parametrize("name", LEARNERS)
def test_laws_alone_leave_the_model_as_it_is(name):
    """Number for number where no law holds."""
    plain, known = made(name).fit(X, Y), fitted(name, "laws")
    assert str(known.hypothesis_.model) == str(plain.hypothesis_)
    free = known.hypothesis_.governed(known.hypothesis_.encoded(FRESH)) < 0
    assert free.any()
    order = [plain.hypothesis_.classes.index(value) for value in known.hypothesis_.classes]
    told = [model.hypothesis_.predict_proba(FRESH)[free] for model in (known, plain)]
    assert np.array_equal(told[0], told[1][:, order])


@pytest.mark.parametrize("name", [*LEARNERS, *OTHERS])
@settings(max_examples=10)
@given(
    age=st.one_of(st.none(), st.floats(-1e6, 1e6)),
    dose=st.one_of(st.none(), st.floats(-1e6, 1e6)),
    smoker=st.sampled_from([None, "no", "yes"]),
)
def test_laws_hold_of_rows_never_seen(name, age, dose, smoker):
    model = fitted(name, "both")
    row = pl.DataFrame({"age": [age], "dose": [dose], "smoker": [smoker]}, FRESH.schema)
    said = model.predict(row)[0]
    by_law = None
    if dose is not None and dose > 8:
        by_law = "ill"
    elif None not in (age, dose, smoker) and age <= 10 and smoker == "no":
        by_law = "well"
    if by_law is not None:
        assert said == by_law
        assert model.predict_proba(row)[0, model.classes_.tolist().index(by_law)] == 1.0
        assert str(model.explain(row)[0]).startswith(f"{by_law} by law: IF")


@pytest.mark.parametrize("name", [*LEARNERS, *OTHERS])
def test_files_and_exports_say_the_same(name, tmp_path):
    model = fitted(name, "both")
    said = model.predict(FRESH).tolist()
    induce.save(model, tmp_path / "model.induce")
    again = induce.load(tmp_path / "model.induce")
    assert again.predict(FRESH).tolist() == said
    assert str(again.hypothesis_) == str(model.hypothesis_)
    hypothesis = model.hypothesis_
    if hypothesis.can("python"):
        space: dict[str, object] = {}
        exec(hypothesis.to_python(), space)
        assert [space["predict"](row) for row in FRESH.to_dicts()] == said
    if hypothesis.can("sql"):
        base = sqlite3.connect(":memory:")
        base.execute("create table data (age, dose, smoker)")
        base.executemany("insert into data values (?, ?, ?)", FRESH.rows())
        assert [row[-1] for row in base.execute(hypothesis.to_sql())] == said
        base.close()
    assert hypothesis.can("python") or name in OTHERS


@pytest.mark.parametrize("name", LEARNERS)
def test_trust_matters_or_is_refused(name):
    known = Knowledge(rules=TRUSTED)
    if name not in WEIGHS:
        with pytest.raises(InputError, match=f"^{name} cannot use the part 'trust' of knowledge; KBANN"):
            made(name, knowledge=known).fit(X, Y)
        return
    if name == "TheoryRevision":  # a rule that is trusted less is changed sooner
        rule, other = "IF age > 90 AND smoker = yes THEN ill", "IF dose > 6 THEN ill"
        texts = [
            made(name, knowledge=Knowledge(rules={rule: trust, other: 1.0}), theory_weight=3.0)
            .fit(X, Y)
            .hypothesis_.text
            for trust in (0.01, 1.0)
        ]
        assert [rule in text for text in texts] == [False, True]
        return
    trusted, whole = (made(name, knowledge=each).fit(X, Y).hypothesis_ for each in (known, RULES))
    assert not np.array_equal(trusted.network.weights, whole.network.weights)


def test_the_network_begins_with_each_rule_as_far_as_it_is_trusted():
    known = Knowledge(rules=TRUSTED)
    begun = induce.KBANN(knowledge=known, weight=4.0, weight_decay=1.0).fit(X, Y).hypothesis_.encoding
    trusts = {unit.name: unit.trust for unit in begun.units}
    assert (trusts["ill by rule 1"], trusts["ill by rule 2"]) == (0.5, 0.9)
    weights = begun.network.get(("layer 1", "layer 2"))
    assert np.unique(weights[weights > 0]).round(6).tolist() == [2.0, 3.6]


@pytest.mark.parametrize("name", LEARNERS)
def test_arcs_are_refused(name):
    for part, value in (("order", ["age", "dose"]), ("required", [("age", "dose")]), ("max_parents", 2)):
        said = f"^{name} cannot use the part {part!r} of knowledge; learners of belief networks can$"
        with pytest.raises(InputError, match=said):
            made(name, knowledge={part: value}).fit(X, Y)


@pytest.mark.parametrize("name", ARCS)
def test_structure_learners_refuse_rules_and_laws(name):
    for part, value in (("rules", RULES), ("laws", LAWS)):
        with pytest.raises(InputError, match=f"^{name} cannot use the part {part!r} of knowledge; Guided"):
            made(name, knowledge={part: value}).fit(X, Y)


def test_a_guided_structure_learner_is_handed_the_arcs():
    known = Knowledge(rules=RULES, laws=LAWS, required=[("y", "smoker")], max_parents=1)
    guided = induce.GuidedClassifier(induce.StructureSearch(), knowledge=known).fit(X, Y)
    assert "smoker" in str(guided.hypothesis_)
    assert set(known.without(("rules", "laws")).parts()) <= {*ARC_PARTS}
    assert (guided.predict(FRESH.filter(pl.col("dose") > 8)) == "ill").all()
    with pytest.raises(InputError, match="K2 cannot use the part 'trust' of knowledge"):
        induce.GuidedClassifier(induce.K2(), knowledge=Knowledge(rules=TRUSTED)).fit(X, Y)


def test_guided_learners_within_each_other_are_one():
    inner = induce.GuidedClassifier(induce.GuidedClassifier(), knowledge={"rules": RULES, "laws": LAWS}).fit(
        X, Y
    )
    outer = induce.GuidedClassifier(knowledge={"rules": RULES, "laws": LAWS}).fit(X, Y)
    assert inner.hypothesis_ == outer.hypothesis_


@pytest.mark.parametrize(
    ("laws", "said"),
    [
        (
            ["IF dose > 8 THEN ill", "IF age > 90 THEN well"],
            "IF dose > 8 THEN ill, and IF age > 90 THEN well",
        ),
        (["IF dose > 8 AND dose < 3 THEN ill"], "never holds"),
        (["IF dose > 8 THEN dead"], "dead"),
        (["IF doze > 8 THEN ill"], "did you mean 'dose'"),
        (["IF smoker = perhaps THEN ill"], "perhaps"),
    ],
)
@pytest.mark.parametrize("name", ["C45", "RIPPER", "KBANN", "FOCL", "TheoryRevision", "EBNN"])
def test_laws_that_cannot_hold_are_named(name, laws, said):
    with pytest.raises(InputError) as caught:
        made(name, knowledge={"laws": laws}).fit(X, Y)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
