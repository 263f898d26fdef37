"""Expert rules as a hypothesis: predictions, explanations, exports and files agree."""

import sqlite3

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.core.persistence import load, save
from induce.data.schema import Column, Schema
from induce.hypotheses.expert_rules.classifier import ExpertClassifier
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.expert_rules.writing import written
from induce.logic.background.relations import Relations
from induce.logic.parsing import parse_program

TRUTHS = ("no", "yes")
SCHEMA = Schema((*(Column(name, "nominal", TRUTHS) for name in "abcd"), Column("size")))


@st.composite
def theories(draw: st.DrawFn) -> str:
    """Draw two layers of rules with negations, thresholds and "n of m"."""
    literal = st.sampled_from(["a", "b", "c", "d", "NOT a", "NOT c", "size > 2", "size <= 5", "NOT size > 4"])
    lines = []
    for head in ("one", "two"):
        for _ in range(draw(st.integers(1, 2))):
            body = draw(st.lists(literal, min_size=1, max_size=4, unique=True))
            n = draw(st.integers(1, len(body)))
            premise = " AND ".join(body) if n == len(body) else f"{n} OF ({', '.join(body)})"
            lines.append(f"IF {premise} THEN {head}")
    lines.append(f"IF {draw(st.sampled_from(['one AND NOT two', '1 OF (one, NOT two, d)', 'two']))} THEN top")
    return "\n".join(lines)


def classifier(text: str) -> ExpertClassifier:
    theory = ExpertRules(SCHEMA, text, "top")
    return ExpertClassifier(SCHEMA, "said", ("out", "in"), theory, ("", "top"), "out")


def rows(seed: int = 0, n: int = 40) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    cells = {name: rng.choice(["no", "yes", None], n, p=[0.45, 0.45, 0.1]).tolist() for name in "abcd"}
    sizes = rng.integers(0, 8, n).astype(float).tolist()
    return pl.DataFrame({**cells, "size": [None if rng.random() < 0.1 else each for each in sizes]})


@given(theories(), st.integers(0, 5))
def test_exports_say_what_the_rules_say(text: str, seed: int) -> None:
    found, X = classifier(text), rows(seed)
    said = found.predict(X).tolist()
    space: dict[str, object] = {}
    exec(found.to_python(), space)
    assert [space["predict"](row) for row in X.to_dicts()] == said  # type: ignore[operator]
    base = sqlite3.connect(":memory:")
    base.execute("create table data (a, b, c, d, size)")
    base.executemany("insert into data values (?, ?, ?, ?, ?)", X.rows())
    assert [row[-1] for row in base.execute(found.to_sql())] == said
    base.close()


@settings(max_examples=15)
@given(theories())
def test_prolog_runs_in_the_prover(text: str) -> None:
    found, X = classifier(text), rows(1, 8)
    cells = [(name, k, value) for name in X.columns for k, value in enumerate(X[name].to_list())]
    facts = " ".join(f"{name}(r{k}, {value})." for name, k, value in cells if value is not None)
    prover = Relations(program=facts).prover(parse_program(found.to_prolog()).clauses)
    for k, said in enumerate(found.predict(X).tolist()):
        first = prover.first(f"class(r{k}, C)")
        assert first is not None
        assert str(first) == f"{{C/{said}}}"


@given(theories())
def test_text_reads_back(text: str) -> None:
    theory = ExpertRules(SCHEMA, text, "top")
    assert ExpertRules(SCHEMA, written(theory, theory.clauses), "top").clauses == theory.clauses


def test_prolog_comes_back_as_prolog() -> None:
    schema = Schema(
        (Column("p-3", "nominal", ("a", "c", "g")), Column("Has Tail", "nominal", TRUTHS), Column("age"))
    )
    text = "x :- base(-3, c), \\+ y. y :- at_least(2, [has_tail, age > 4, base(-3, g)])."
    theory = ExpertRules(schema, text, "x", (("base(P, B)", "p{P} = {B}"),))
    assert written(theory, theory.clauses).splitlines() == [
        "x :- base(-3, c), \\+ y.",
        "y :- at_least(2, [has_tail, age > 4, base(-3, g)]).",
    ]


def test_explanations_and_probabilities(tmp_path: object) -> None:
    found = classifier("IF a AND small THEN top\nIF size <= 2 THEN small")
    X = [["yes", "no", "no", "no", 1.0], ["yes", "no", "no", "no", 3.0], [None, "no", "no", "no", 1.0]]
    told = [str(each) for each in found.explain(X)]
    assert told[0] == "in because\n  IF a = yes AND small THEN top\n  IF size <= 2 THEN small"
    assert told[1] == told[2] == "out by default, because no rule for another class holds"
    counted = found.counted(X, [1, 0, 1])
    assert counted.predict_proba(X).tolist() == [[0.0, 1.0], [0.5, 0.5], [0.5, 0.5]]
    save(counted, f"{tmp_path}/rules.induce")
    assert load(f"{tmp_path}/rules.induce") == counted
    assert counted.size() == "2 rules, 3 conditions"


def test_parts_must_fit() -> None:
    theory = ExpertRules(SCHEMA, "IF a THEN top", "top")
    with pytest.raises(InputError, match="no rule concludes 'bottom'"):
        ExpertClassifier(SCHEMA, "said", ("out", "in"), theory, ("", "bottom"), "out").check()
    assert induce.ExpertClassifier is ExpertClassifier
