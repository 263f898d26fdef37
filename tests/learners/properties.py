"""What holds of every learner: seeds, the order of rows, weights, exports, printed rules, frames and files."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import is_classifier

import induce
from induce.core.explained import Saying
from induce.data.table import encode
from induce.evaluation.learner_checks import checks
from induce.evaluation.learner_checks.examples import WORDS, alike, answers, later_rows
from tests.exports import in_duckdb, in_onnx, in_python, in_sqlite
from tests.learners.checks import of_kinds, of_preambles, over
from tests.learners.tables import learned, table

SEEDS = (0, 1)

NOT_EVERYWHERE = {
    "sql": ("TextNaiveBayes", "VotedPerceptron"),
    "onnx": ("TextNaiveBayes", "CART", "VotedPerceptron"),
}
"""Learners whose hypotheses refuse a form: texts, surrogate splits, votes of many."""
ORDER_MATTERS = {
    "Adaline": "it learns row by row",
    "LMS": "it learns row by row",
    "Perceptron": "it learns row by row, from its mistakes",
    "AdaBoostRegressor": "rows are drawn by their place",
    "AQ": "the next seed is the first row that is not covered yet",
    "Bagging": "rows are drawn by their place",
    "BaggingRegressor": "rows are drawn by their place",
    "BoostingByFiltering": "rows are drawn by their place",
    "EPAM": "it learns row by row and answers with the example that it saw last",
    "IB2": "it learns row by row, from its mistakes",
    "IB3": "it learns row by row, from its mistakes",
    "KernelPerceptron": "it learns row by row, from its mistakes",
    "VotedPerceptron": "it learns row by row, from its mistakes",
    "RandomForest": "rows are drawn by their place",
    "RandomForestRegressor": "rows are drawn by their place",
    "Stacking": "rows are put into folds by their place",
    "Winnow": "it learns row by row, from its mistakes",
}
WEIGHTS_ARE_NOT_REPETITIONS = {
    "Adaline": "a weighted row is one longer update, its repetitions are several",
    "AdaBoostRegressor": "as many rows are drawn as there are, whatever their weights",
    "Bagging": "as many rows are drawn as there are, whatever their weights",
    "BaggingRegressor": "as many rows are drawn as there are, whatever their weights",
    "NeuralNetworkRegressor": "its weight decay is chosen on folds: copies of a row may fall into several",
    "LMS": "a weighted row is one longer update, its repetitions are several",
    "Perceptron": "a weighted row is one longer update, its repetitions are several",
    "CART": "it prunes by cross-validation: copies of a row may fall into several folds, a weighted row cannot",
    "RandomForest": "as many rows are drawn as there are, whatever their weights",
    "RandomForestRegressor": "as many rows are drawn as there are, whatever their weights",
    "Stacking": "copies of a row may fall into several folds, a weighted row cannot",
    "TangentPropRegressor": "its weight decay is chosen on folds: copies of a row may fall into several",
}

EXPLAINED_BY_A_VOTE = {
    "CandidateElimination",
    "DisjunctiveVersionSpace",
    "ListThenEliminate",
    "TolerantElimination",
}


def some(y: Any, rows: Any) -> Any:
    """Some rows of a target, if there is one."""
    return None if y is None else y[rows]


# --- the same rows, the same hypothesis ----------------------------------------------------------------------


def check_the_same_seed_gives_the_same_hypothesis(learner):
    checks.check_same_seed(learner, table(learner))


def check_the_order_of_rows(learner):
    found = []
    for seed in SEEDS:
        X, y = table(learner, seed, holes=0)
        order = np.random.default_rng(seed).permutation(len(X))
        mine, other = learner().fit(X, y).hypothesis_, learner().fit(X[order], some(y, order)).hypothesis_
        found.append(alike(mine, other, X))
    assert all(found) if learner.__name__ not in ORDER_MATTERS else not all(found)


def check_weights_are_repetitions(weighted):
    found = []
    for seed, holes in [(0, 0), (1, 0), (1, 0.1)]:
        X, y = table(weighted, seed, holes=holes)
        weights = np.random.default_rng(seed).integers(0, 4, len(X))
        rows = np.repeat(np.arange(len(X)), weights)
        mine = weighted().fit(X, y, sample_weight=weights).hypothesis_
        found.append(alike(mine, weighted().fit(X[rows], some(y, rows)).hypothesis_, X))
    assert all(found) if weighted.__name__ not in WEIGHTS_ARE_NOT_REPETITIONS else not all(found)


def check_weights_of_one_change_nothing(weighted):
    X, y = table(weighted)
    mine = weighted().fit(X, y, sample_weight=np.ones(len(X))).hypothesis_
    assert alike(mine, learned(weighted).hypothesis_, X)


def check_a_trace_changes_nothing(learner):
    checks.check_trace_changes_nothing(learner, table(learner))


# --- the same table in other forms ---------------------------------------------------------------------------


def as_pandas(X: pl.DataFrame, plain: bool = False) -> pd.DataFrame:
    def column(cells: pl.Series) -> Any:
        if cells.dtype == pl.Enum:
            return pd.Categorical(cells.to_list(), categories=WORDS)
        if cells.dtype == pl.Boolean and not plain:
            return pd.array(cells.to_list(), dtype="boolean")
        if cells.dtype.is_integer() and not plain:
            return pd.array(cells.to_list(), dtype="Int64")
        return cells.to_numpy() if cells.dtype.is_numeric() else np.array(cells.to_list(), dtype=object)

    return pd.DataFrame({cells.name: column(cells) for cells in X})


FORMS = {
    "pandas": as_pandas,
    "polars, lazy": lambda X: X.lazy(),
    "pandas, plain": lambda X: as_pandas(X, plain=True),
    "pyarrow": lambda X: X.with_columns(pl.col(pl.Enum).cast(pl.String).cast(pl.Categorical)).to_arrow(),
}


@of_preambles(smoke=1)
@over(*((form,) for form in FORMS))
def check_any_frame_gives_the_same_hypothesis(learner, form):
    X, y = table(learner)
    expected = learned(learner).hypothesis_
    if form == "pyarrow" and "colour" in X.columns:  # which lists the values in the order in which they come
        values = X["colour"].drop_nulls().unique(maintain_order=True).cast(pl.String)
        X = X.with_columns(pl.col("colour").cast(pl.String).cast(pl.Enum(values)))
        expected = learner().fit(X, y).hypothesis_
    given = FORMS[form](X)
    found = learner().fit(given, y)
    assert found.hypothesis_ == expected
    if form != "polars, lazy":
        assert answers(found, given).tolist() == answers(expected, X).tolist()


@of_preambles(smoke=0)
def check_arrays_give_the_same_hypothesis_up_to_names(learner):
    X, y = table(learner)
    text = X.with_columns(pl.col(pl.Enum).cast(pl.String).cast(pl.Enum(sorted(WORDS))))
    text.columns = [f"x{j}" for j in range(X.width)]
    if y is not None:
        y = y.alias("class") if is_classifier(learner()) else y.alias("y")
    expected = learner().fit(text, y).hypothesis_
    cells = np.array(X.with_columns(pl.col(pl.Enum).cast(pl.String)).rows(), dtype=object)
    declared = y if y is None or y.dtype == pl.Enum else y.to_numpy()
    for given in (cells, cells.tolist()):
        found = learner().fit(given, declared)
        assert found.hypothesis_ == expected
        assert answers(found, given).tolist() == answers(expected, text).tolist()


def check_encoded_rows(learner):
    """What `induce predict` gives a hypothesis that takes encoded rows."""
    hypothesis = learned(learner).hypothesis_
    rows = later_rows(table(learner)[0])
    if hypothesis.takes_tables:
        assert (
            answers(hypothesis, encode(rows, hypothesis.schema)).tolist()
            == answers(hypothesis, rows).tolist()
        )


def check_files(learner, folder):
    fitted = learned(learner)
    induce.save(fitted, folder / "model.induce")
    loaded = induce.load(folder / "model.induce")
    assert type(loaded) is learner
    assert loaded.get_params() == fitted.get_params()
    assert loaded.hypothesis_ == fitted.hypothesis_
    rows = later_rows(table(learner)[0])
    assert answers(loaded, rows).tolist() == answers(fitted, rows).tolist()
    induce.save(fitted.hypothesis_, folder / "hypothesis.induce")
    assert induce.load(folder / "hypothesis.induce") == fitted.hypothesis_


# --- what is printed and exported ----------------------------------------------------------------------------


def check_explanations_say_what_is_predicted(predictor):
    fitted = learned(predictor)
    rows = later_rows(table(predictor)[0])[::3]
    told = fitted.explain(rows)
    assert all(map(str, told))
    if predictor.__name__ in EXPLAINED_BY_A_VOTE:  # in a sentence, with how many hypotheses are on each side
        assert {type(each) for each in told} == {Saying}
        assert all(" for " in each for each in told)
    else:
        assert [each.prediction for each in told] == fitted.predict(rows).tolist()


@of_kinds(smoke=1)
@over(*((seed,) for seed in SEEDS))
def check_exports_predict_the_same(exported, seed):
    hypothesis = learned(exported, seed).hypothesis_
    rows = later_rows(table(exported, seed)[0])
    asked = [
        ("python", in_python),
        ("sql", in_sqlite),
        ("sql", in_duckdb),
        ("onnx", lambda hypothesis, rows: in_onnx(hypothesis, rows)["prediction"].tolist()),
    ]
    forms = hypothesis.forms()
    for form, ask in asked:
        if form not in forms or (form != "python" and exported.__name__ in NOT_EVERYWHERE.get(form, ())):
            continue
        found, expected = ask(hypothesis, rows), hypothesis.predict(rows).tolist()
        if is_classifier(exported()):
            known = [(a, b) for a, b in zip(found, expected, strict=True) if a is not None or form != "sql"]
            assert [a for a, _ in known] == [b for _, b in known]
        else:
            assert found == pytest.approx(expected, rel=1e-12 if form == "python" else 1e-9)


def holds(condition: str, row: dict[str, Any], domains: dict[str, set[str]]) -> bool:
    """Say whether a row satisfies a condition as it is printed; a value that was never declared satisfies none."""
    between = re.fullmatch(r"(\S+) (<=?) (\S+) (<=?) (\S+)", condition)
    if between:
        low, below, name, above, high = between.groups()
        turned = {"<": ">", "<=": ">="}[below]
        return holds(f"{name} {turned} {low}", row, domains) and holds(f"{name} {above} {high}", row, domains)
    name, sign, tested = re.fullmatch(r"(\S+) (=|!=|<=|<|>=|>|in|not in) (.+)", condition).groups()
    cell = row[name]
    if cell is None or (name in domains and str(cell) not in domains[name]):
        return False
    values = tested.strip("{}").split(", ")
    match sign:
        case "=" | "in":
            return str(cell) in values
        case "!=" | "not in":
            return str(cell) not in values
        case "<=":
            return bool(cell <= float(tested))
        case "<":
            return bool(cell < float(tested))
        case ">=":
            return bool(cell >= float(tested))
        case _:
            return bool(cell > float(tested))


def by_the_printed_rules(hypothesis: Any, row: dict[str, Any]) -> str:
    domains = {column.name: set(map(str, column.domain)) for column in hypothesis.schema if column.domain}
    *lines, last = str(hypothesis).splitlines()
    votes = dict.fromkeys(map(str, hypothesis.classes), 0.0)
    assert len(lines) == len(hypothesis.rules)
    for line, rule in zip(lines, hypothesis.rules, strict=True):
        premise, prediction = re.fullmatch(r"IF (.+) THEN (\S+) \(.*\)", line).groups()
        if premise == "TRUE" or all(holds(part, row, domains) for part in premise.split(" AND ")):
            if hypothesis.ordered:
                return prediction
            for value, count in zip(hypothesis.classes, rule.counts, strict=True):
                votes[str(value)] += count
    if any(votes.values()):
        return max(votes, key=votes.__getitem__)
    return re.fullmatch(r"DEFAULT (\S+) \(.*\)", last).group(1)


@over(*((seed,) for seed in SEEDS))
def check_the_printed_rules_predict_the_same(of_rules, seed):
    hypothesis = learned(of_rules, seed).hypothesis_
    assert hypothesis.rules
    rows = later_rows(table(of_rules, seed)[0])
    found = [by_the_printed_rules(hypothesis, row) for row in rows.to_dicts()]
    assert found == hypothesis.predict(rows).tolist()


# --- without a target ----------------------------------------------------------------------------------------


def check_densities_score_and_draw_rows(density):
    X, _ = table(density)
    fitted = density().fit(X)
    if not is_classifier(fitted):
        assert density().fit(X, ["no", "target"]).hypothesis_ == fitted.hypothesis_
    found = fitted.score_samples(X)
    assert found.shape == (len(X),)
    assert fitted.score(X) == pytest.approx(found.mean())
    drawn = fitted.sample(40, random_state=1)
    assert drawn.columns == X.columns
    assert drawn.height == 40
    assert not np.isnan(fitted.score_samples(drawn)).any()
    assert drawn.equals(fitted.sample(40, random_state=1))
    assert not drawn.equals(fitted.sample(40, random_state=2))
    assert set(drawn["colour"].cast(pl.String)) <= set(WORDS)


def check_rows_like_those_learned_from_are_likelier_than_others(density):
    X, _ = table(density, n=60, holes=0)
    fitted = density().fit(X)
    far = X.with_columns(size=pl.col("size") + 1000, price=pl.col("price") - 1000)
    assert fitted.score(X) > fitted.score(far)
