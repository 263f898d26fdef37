"""KBANN: rules that become a network, and what examples make of them."""

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.knowledge import KBANN
from induce.neural import NeuralNetworkClassifier
from tests.knowledge.cup import SCHEMA, TEXT, X, is_cup

BOOK = {"weight": 4.0, "extra": "all_inputs", "weight_decay": 0.2}


@pytest.fixture(scope="module")
def refined() -> KBANN:
    return KBANN(knowledge=TEXT, **BOOK).fit(X, is_cup)


def test_refined_network_fits_all_examples(refined: KBANN) -> None:
    assert refined.predict(X).tolist() == is_cup.tolist()
    assert refined.hypothesis_.encoding.theory.holds(X).sum() == 4  # of which two are cups


def test_links_of_the_theory_stay_and_new_ones_appear() -> None:
    """Figure 12.3: what the handle says of lifting grows, the links of the theory stay large."""
    steps = {"solver": "gradient", "batch_size": "all", "loss": "squared", "targets": (0.0, 1.0)}
    found = KBANN(
        knowledge=TEXT,
        weight=4.0,
        extra="all_inputs",
        weight_decay=0.0,
        learning_rate=3.0,
        tol=0.0,
        max_epochs=30,
        **steps,
    ).fit(X, is_cup)
    assert found.predict(X).tolist() == is_cup.tolist()
    network = found.hypothesis_.network
    into = network.get(("inputs", "layer 2"))[:, 0]
    weights = dict(zip(found.hypothesis_.view.names, into, strict=True))
    new = {name: w for name, w in weights.items() if name.endswith("yes") and "Light" not in name}
    assert max(new, key=new.__getitem__) == "MadeOfStyrofoam = yes"
    assert min(new, key=new.__getitem__) == "HandleOnTop = yes"
    assert weights["Light = yes"] > 3.5
    assert network.get(("layer 1", "layer 2")).max() > 3.5


def test_without_knowledge_it_is_a_plain_network() -> None:
    data = induce.dataset("play-tennis")
    one = KBANN(hidden=3, random_state=1).fit(data.X, data.y)
    other = NeuralNetworkClassifier(hidden=3, random_state=1).fit(data.X, data.y)
    assert np.array_equal(one.hypothesis_.network.weights, other.hypothesis_.network.weights)


def test_rules_that_conclude_classes() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"size": rng.uniform(0, 10, 90), "colour": rng.choice(["red", "blue"], 90)})
    y = np.where(
        frame["size"].to_numpy() < 3, "small", np.where(frame["size"].to_numpy() < 7, "mid", "large")
    )
    rules = "IF size <= 3 THEN small\nIF 3 < size <= 7 THEN mid\nIF size > 7 THEN large"
    found = KBANN(knowledge=rules, weight=4.0, max_epochs=1).fit(frame, y)
    assert np.mean(found.predict(frame) == y) > 0.9
    partly = KBANN(knowledge="IF size > 7 THEN large", weight=4.0).fit(frame, y)
    assert np.mean(partly.predict(frame) == y) > 0.9


def test_one_rule_for_the_first_class() -> None:
    found = KBANN(knowledge="IF Light THEN no", weight=4.0, max_epochs=1, weight_decay=100.0)
    y = np.where(X["Light"] == "yes", "no", "yes")
    assert found.fit(X, y).predict(X).tolist() == y.tolist()


@pytest.mark.parametrize("classes", [("+", "-"), ("yes", "no"), (False, True), ("bad", "good")])
def test_the_concept_means_the_positive_class(classes: tuple[object, object]) -> None:
    inside = classes[0] if classes[0] in ("+", "yes") else classes[1]
    outside = classes[1] if inside == classes[0] else classes[0]
    holds = induce.ExpertRules(SCHEMA, TEXT).holds(X)
    y = np.array([inside if held else outside for held in holds], dtype=object)
    found = KBANN(knowledge=TEXT, weight=6.0, weight_decay=1e6).fit(X, y.tolist())
    assert found.predict(X).tolist() == y.tolist()
    assert found.hypothesis_.network.n_outputs == 1
    shares = found.predict_proba(X)[:, found.classes_.tolist().index(inside)]
    assert ((shares > 0.5) == holds).all()


def test_saved_and_exported(refined: KBANN, tmp_path: object) -> None:
    path = f"{tmp_path}/cup.induce"
    induce.save(refined, path)
    loaded = induce.load(path)
    assert loaded.predict(X).tolist() == is_cup.tolist()
    assert str(loaded.hypothesis_.refinement(X, is_cup)) == str(refined.hypothesis_.refinement(X, is_cup))
    space: dict[str, object] = {}
    exec(refined.hypothesis_.to_python(), space)
    rows = [dict(zip(X.columns, row, strict=True)) for row in X.rows()]
    assert [space["predict"](row) for row in rows] == is_cup.tolist()  # type: ignore[operator]


def test_refinement_tells_each_rule(refined: KBANN) -> None:
    told = refined.hypothesis_.refinement(X, is_cup)
    assert len(told.rules) == 5
    assert told.given_accuracy == 0.6
    assert told.accuracy > 0.6
    assert told.rules[0].status == "kept"
    learned = induce.ExpertRules(refined.hypothesis_.schema, told.text, "cup")
    assert np.mean(learned.holds(X) == is_cup) == told.accuracy


def test_untrained_rules_are_kept() -> None:
    found = KBANN(knowledge=TEXT, weight=6.0, weight_decay=1e6).fit(X, is_cup)
    told = found.hypothesis_.refinement(X, is_cup)
    assert {rule.status for rule in told.rules} == {"kept"}
    assert told.fidelity == 1.0
    assert told.accuracy == told.given_accuracy


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"knowledge": "cup :- lights."}, "did you mean 'Light'?"),
        ({"knowledge": ""}, "the theory is empty"),
        ({"knowledge": 3}, "give rules as text, a DomainTheory or ExpertRules"),
        ({"knowledge": "a :- light. b :- fragile."}, "name the main one"),
        ({"knowledge": TEXT, "concept": "mug"}, "no rule for 'mug'"),
        ({"knowledge": "cup :- cup."}, "by itself"),
    ],
)
def test_bad_knowledge(settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        KBANN(**settings).fit(X, is_cup)
    assert message in str(caught.value)


def test_three_classes_need_named_conclusions() -> None:
    with pytest.raises(InputError, match="none of which is among the 3 classes"):
        KBANN(knowledge=TEXT).fit(X, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0])


def test_a_weight_that_is_too_small_is_noted() -> None:
    with pytest.warns(Note, match="the smallest weight that encodes the theory is 3.599"):
        KBANN(knowledge=TEXT, weight=3.0).fit(X, is_cup)
