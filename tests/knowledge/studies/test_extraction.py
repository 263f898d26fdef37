"""Rules out of networks: SUBSET, M-of-N and a tree by asking (spec AD-08)."""

from itertools import product

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.hypotheses.expert_rules.writing import written
from induce.knowledge import extract_rules
from induce.knowledge.studies.extraction import read_rules
from tests.knowledge.cup import TEXT, X, is_cup

USED = ["BottomIsFlat", "ConcavityPointsUp", "HasConcavity", "HasHandle", "Light"]
CREDIT = (
    "IF employed AND low_debt THEN good\nIF NOT student THEN employed\nIF NOT loan AND savings THEN low_debt"
)
UNTRAINED = {"weight": 4.0, "weight_decay": 1e9, "extra": "none"}


def combinations(names: list[str], columns: list[str]) -> pl.DataFrame:
    """All rows of some columns of truth values; the others are no."""
    cells = [dict(zip(names, row, strict=True)) for row in product(["no", "yes"], repeat=len(names))]
    return pl.DataFrame([{**dict.fromkeys(columns, "no"), **row} for row in cells]).select(columns)


@pytest.fixture(scope="module")
def untrained() -> induce.KBANN:
    return induce.KBANN(knowledge=TEXT, **UNTRAINED).fit(X, is_cup)


def clauses(text: str) -> set[tuple[str, frozenset[str]]]:
    found = set()
    for line in text.replace(" ", "").strip().splitlines():
        head, _, body = line.rstrip(".").partition(":-")
        found.add((head, frozenset(body.split(","))))
    return found


@pytest.mark.parametrize("method", ["subset", "m-of-n"])
def test_the_untrained_network_gives_the_theory_back(untrained: induce.KBANN, method: str) -> None:
    rows = combinations(USED, X.columns)
    hypothesis = untrained.hypothesis_
    found = read_rules(hypothesis, hypothesis.encoded(rows), method)
    assert clauses(written(found.theory, found.theory.clauses)) == clauses(TEXT)
    assert found.predict(rows).tolist() == hypothesis.predict(rows).tolist()


def test_exercise_12_1_gives_its_three_clauses() -> None:
    names = ["loan", "savings", "student", "car"]
    rows = combinations(names, names)
    y = ["yes" if s == "yes" and loan == "no" and st == "no" else "no" for loan, s, st, _ in rows.rows()]
    hypothesis = induce.KBANN(knowledge=CREDIT, **UNTRAINED).fit(rows, y).hypothesis_
    found = read_rules(hypothesis, hypothesis.encoded(rows), "subset")
    assert {str(rule) for rule in found.theory.clauses} == {
        "IF employed AND low_debt THEN good",
        "IF student = no THEN employed",
        "IF loan = no AND savings = yes THEN low_debt",
    }


def test_two_of_three() -> None:
    names = ["dorm", "young", "studies"]
    rows = combinations(names, names)
    y = ["yes" if row.count("yes") >= 2 else "no" for row in rows.rows()]
    learner = induce.KBANN(knowledge="IF 2 OF (dorm, young, studies) THEN student", **UNTRAINED).fit(rows, y)
    hypothesis = learner.hypothesis_
    subset = read_rules(hypothesis, hypothesis.encoded(rows), "subset")
    assert sorted(len(rule.body) for rule in subset.theory.clauses) == [2, 2, 2]
    m_of_n = read_rules(hypothesis, hypothesis.encoded(rows), "m-of-n")
    assert [(rule.at_least, len(rule.body)) for rule in m_of_n.theory.clauses] == [(2, 3)]


def test_the_tree_of_all_combinations(untrained: induce.KBANN) -> None:
    rows = combinations(USED, X.columns)
    found = extract_rules(untrained, rows, method="tree", tree=induce.ID3(), n_drawn=0, test=(rows, None))
    assert found.hypothesis.size() == "11 nodes, 6 leaves, depth 5"
    assert found.fidelity.share == 1.0
    assert found.accuracy is None


@pytest.mark.parametrize("method", ["subset", "m-of-n", "tree"])
def test_any_network(method: str) -> None:
    data = induce.dataset("iris")
    learner = induce.NeuralNetworkClassifier(hidden=3).fit(data.X, data.y)
    found = extract_rules(learner, data.X, data.y, method=method)
    assert found.held_out
    assert found.fidelity.n == 50
    assert found.fidelity.share > 0.85
    assert found.accuracy is not None
    assert found.accuracy.interval.low < found.accuracy.share
    space: dict[str, object] = {}
    exec(found.hypothesis.to_python(), space)
    said = [space["predict"](row) for row in data.X.to_dicts()]  # type: ignore[operator]
    assert said == found.hypothesis.predict(data.X).tolist()
    again = extract_rules(learner, data.X, data.y, method=method)
    assert str(again) == str(found)


def test_refined_rules_are_text_that_reads_back() -> None:
    learner = induce.KBANN(knowledge=TEXT, weight=4.0, extra="all_inputs", weight_decay=0.03).fit(X, is_cup)
    found = extract_rules(learner, X, is_cup, test=(X, is_cup))
    assert found.fidelity.share == 1.0
    text = written(found.hypothesis.theory, found.hypothesis.theory.clauses)
    assert ":-" in text
    again = induce.ExpertRules(learner.hypothesis_.schema, text, "cup")
    assert np.array_equal(again.holds(X), found.hypothesis.theory.truths(X)["cup"])


def test_what_cannot_be_read_is_refused(untrained: induce.KBANN) -> None:
    with pytest.raises(InputError, match="networks that predict classes"):
        extract_rules(induce.ID3().fit(X, is_cup), X)
    with pytest.raises(InputError, match="method is 'best'"):
        extract_rules(untrained, X, method="best")
    with pytest.raises(InputError, match="10 rows and 3 classes"):
        extract_rules(untrained, X, is_cup[:3])
    with pytest.raises(InputError, match="give at least one"):
        extract_rules(untrained, X[:0])
    two = induce.NeuralNetworkClassifier(hidden=2, n_networks=2).fit(X, is_cup)
    with pytest.raises(InputError, match="use method='tree'"):
        extract_rules(two, X)
    assert extract_rules(two, X, method="tree", n_drawn=50).fidelity.n == 3
