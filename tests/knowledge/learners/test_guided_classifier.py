"""Any learner, guided by rules and bound by laws."""

import sqlite3

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.hypotheses.knowledge import Knowledge
from tests.knowledge.cup import TEXT, X, is_cup

RULES = "IF Outlook = Sunny AND Humidity = High THEN muggy\nIF Outlook = Rain AND Wind = Strong THEN stormy"
LAW = "IF Outlook = Rain AND Wind = Strong THEN No"
LEARNERS = [
    induce.C45(),
    induce.ID3(),
    induce.RuleLearner(),
    induce.RIPPER(),
    induce.NaiveBayes(),
    induce.NeuralNetworkClassifier(hidden=2),
]


@pytest.fixture(scope="module")
def tennis() -> induce.Dataset:
    return induce.dataset("play-tennis")


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
def test_without_knowledge_it_is_the_learner(tennis: induce.Dataset, learner: object) -> None:
    one = induce.GuidedClassifier(learner).fit(tennis.X, tennis.y)
    other = (
        induce.clone(learner).fit(tennis.X, tennis.y) if hasattr(induce, "clone") else learner.fit(*tennis)
    )  # type: ignore[attr-defined]
    assert np.array_equal(one.predict_proba(tennis.X), other.predict_proba(tennis.X))
    assert str(one.hypothesis_) == str(other.hypothesis_)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
def test_a_law_holds_of_every_row(tennis: induce.Dataset, learner: object, tmp_path: object) -> None:
    """All rows that there can be, one in which every value is missing, and exports."""
    known = Knowledge(laws=LAW)
    found = induce.GuidedClassifier(learner, knowledge=known).fit(tennis.X, tennis.y)
    rows = tennis.X.select(pl.all().unique().implode())
    for name in rows.columns:
        rows = rows.explode(name)
    said = found.predict(rows)
    ruled = ((rows["Outlook"] == "Rain") & (rows["Wind"] == "Strong")).to_numpy()
    assert ruled.any()
    assert set(said[ruled]) == {"No"}
    place = found.classes_.tolist().index("No")
    assert (found.predict_proba(rows)[ruled, place] == 1.0).all()
    reasons = found.explain(rows)
    assert all(str(reasons[k]).startswith("No by law: IF Outlook = Rain") for k in np.flatnonzero(ruled))
    free = induce.GuidedClassifier(learner).fit(tennis.X, tennis.y).predict(rows)
    assert said[~ruled].tolist() == free[~ruled].tolist()
    induce.save(found, f"{tmp_path}/guided.induce")
    assert induce.load(f"{tmp_path}/guided.induce").predict(rows).tolist() == said.tolist()
    space: dict[str, object] = {}
    exec(found.hypothesis_.to_python(), space)
    assert [space["predict"](row) for row in rows.to_dicts()] == said.tolist()  # type: ignore[operator]


def test_concepts_are_columns_of_a_tree(tennis: induce.Dataset) -> None:
    found = induce.GuidedClassifier(induce.ID3(), knowledge=RULES).fit(tennis.X, tennis.y)
    assert found.predict(tennis.X).tolist() == tennis.y.to_list()
    assert found.hypothesis_.model.size() == "5 nodes, 3 leaves, depth 2"
    base = sqlite3.connect(":memory:")
    names = ", ".join(f'"{name}"' for name in tennis.X.columns)
    base.execute(f"create table data ({names})")
    base.executemany("insert into data values (?, ?, ?, ?)", tennis.X.rows())
    assert [row[-1] for row in base.execute(found.hypothesis_.to_sql())] == tennis.y.to_list()
    base.close()
    assert found.hypothesis_.draw() is not None


def test_rule_learners_refine_the_rules() -> None:
    found = induce.GuidedClassifier(induce.RuleLearner(), knowledge=TEXT).fit(X, is_cup)
    assert "HasHandle" in str(found.hypothesis_)
    limited = Knowledge(forbid=["Light"], require=["BottomIsFlat = yes"])
    rules = induce.GuidedClassifier(induce.RuleLearner(), knowledge=limited).fit(X, is_cup).hypothesis_
    assert "Light" not in str(rules)


def test_kbann_takes_knowledge() -> None:
    plain = induce.KBANN(knowledge=TEXT, weight=4.0).fit(X, is_cup)
    known = Knowledge(rules=TEXT, concept="cup")
    assert np.array_equal(
        induce.KBANN(knowledge=known, weight=4.0).fit(X, is_cup).hypothesis_.network.weights,
        plain.hypothesis_.network.weights,
    )
    half = induce.KBANN(knowledge=Knowledge(rules=TEXT, trust=0.5), weight=4.0).fit(X, is_cup)
    assert half.hypothesis_.weight == 2.0
    none = induce.KBANN(knowledge=Knowledge(rules=TEXT, trust=0.0)).fit(X, is_cup)
    parent = induce.NeuralNetworkClassifier().fit(X, is_cup)
    assert np.array_equal(none.hypothesis_.network.weights, parent.hypothesis_.network.weights)
    guided = induce.GuidedClassifier(
        induce.KBANN(weight=4.0), knowledge=Knowledge(rules=TEXT, laws="IF Light = no THEN 0")
    ).fit(X, is_cup)
    assert not guided.predict(X)[(X["Light"] == "no").to_numpy()].any()


def test_a_hypothesis_is_knowledge(tennis: induce.Dataset) -> None:
    tree = induce.ID3().fit(tennis.X, tennis.y)
    text = Knowledge(rules=tree).rules
    assert text.splitlines()[0] == "IF Outlook = Sunny AND Humidity = High THEN No"
    network = induce.KBANN(knowledge=tree, weight=6.0, weight_decay=1e6).fit(tennis.X, tennis.y)
    assert network.predict(tennis.X).tolist() == tennis.y.to_list()


@pytest.mark.parametrize(
    ("learner", "known", "message"),
    [
        (
            induce.C45(),
            {"monotone": {"a": "increasing"}},
            "C45 cannot use the part 'monotone'",
        ),
        (
            induce.C45(),
            {"rules": RULES, "trust": 0.5},
            "C45 cannot use the part 'trust' of knowledge; KBANN, EBNN and TheoryRevision can",
        ),
        (induce.KBANN(), {"order": ["Outlook"]}, "KBANN cannot use the part 'order'"),
        (induce.C45(), {"laws": "IF Outlook = Fog THEN No"}, "Fog"),
        (induce.C45(), {"laws": "IF Outlook = Rain THEN Maybe"}, "Maybe"),
        (
            induce.C45(),
            {"laws": ["IF Outlook = Rain THEN No", "IF Wind = Weak THEN Yes"]},
            "two laws contradict",
        ),
        (induce.C45(), {"laws": "IF TRUE THEN No"}, "leaves nothing to learn"),
        (induce.C45(), {"trust": 2}, "trust is 2; it must be a number from 0 to 1"),
        (induce.C45(), {"rule": RULES}, "did you mean 'rules'?"),
        (induce.C45(), 7, "knowledge is a int; give rules as text"),
        (induce.C45(), "IF Outlok = Rain THEN wet", "Outlok"),
    ],
)
def test_what_cannot_be_used_is_refused(
    tennis: induce.Dataset, learner: object, known: object, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        induce.GuidedClassifier(learner, knowledge=known).fit(tennis.X, tennis.y)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_structure_learners_refuse_rules(tennis: induce.Dataset) -> None:
    with pytest.raises(InputError, match="K2 cannot use the part 'rules' of knowledge; GuidedClassifier can"):
        induce.K2(knowledge=Knowledge(rules=RULES)).fit(tennis.X, tennis.y)


@settings(max_examples=10)
@given(st.integers(0, 1000))
def test_laws_on_numbers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame({"age": rng.uniform(0, 100, 40), "income": rng.normal(0, 1, 40)})
    y = np.where(frame["income"] > 0, "yes", "no")
    y[:2] = ["yes", "no"]
    found = induce.GuidedClassifier(knowledge=Knowledge(laws=["IF age <= 18 THEN no"])).fit(frame, y)
    fresh = pl.DataFrame({"age": rng.uniform(-10, 120, 200), "income": rng.normal(0, 5, 200)})
    assert set(found.predict(fresh.filter(pl.col("age") <= 18))) <= {"no"}
