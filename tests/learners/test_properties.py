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
from induce.core.hypothesis import Hypothesis
from induce.core.registry import ESTIMATORS
from induce.data.table import encode

pytestmark = pytest.mark.filterwarnings("ignore::induce.Note")
SEEDS = (0, 1)
WORDS = ["red", "green", "blue"]

ORDER_MATTERS = {
    "AQ": "the next seed is the first row that is not covered yet",
    "Bagging": "rows are drawn by their place",
    "BoostingByFiltering": "rows are drawn by their place",
    "EPAM": "it learns row by row and answers with the example that it saw last",
    "IB2": "it learns row by row, from its mistakes",
    "IB3": "it learns row by row, from its mistakes",
    "KernelPerceptron": "it learns row by row, from its mistakes",
    "VotedPerceptron": "it learns row by row, from its mistakes",
    "RandomForest": "rows are drawn by their place",
    "Stacking": "rows are put into folds by their place",
    "Winnow": "it learns row by row, from its mistakes",
}
WEIGHTS_ARE_NOT_REPETITIONS = {
    "Bagging": "as many rows are drawn as there are, whatever their weights",
    "CART": "it prunes by cross-validation: copies of a row may fall into several folds, a weighted row cannot",
    "RandomForest": "as many rows are drawn as there are, whatever their weights",
    "Stacking": "copies of a row may fall into several folds, a weighted row cannot",
    "SymbolicClassifier": "rows are held out by their number, and a copy may be held out without the row",
    "SymbolicRegressor": "rows are held out by their number, and a copy may be held out without the row",
}

EXPLAINED_BY_A_VOTE = {
    "CandidateElimination",
    "DisjunctiveVersionSpace",
    "ListThenEliminate",
    "TolerantElimination",
}


def said(fitted: Any, X: Any) -> np.ndarray:
    """What a learner or a hypothesis says of rows: predictions, or log densities."""
    return fitted.score_samples(X) if hasattr(fitted, "score_samples") else fitted.predict(X)


def alike(mine: Hypothesis, other: Hypothesis, X: Any) -> bool:
    """Say whether two hypotheses are the same but for the last bits of their counts."""
    if type(mine) is not type(other) or str(mine) != str(other):
        return False
    if hasattr(mine, "predict_proba"):
        return np.allclose(mine.predict_proba(X), other.predict_proba(X))
    return np.allclose(said(mine, X), said(other, X))


def some(y: Any, rows: Any) -> Any:
    """Some rows of a target, if there is one."""
    return None if y is None else y[rows]


def met_later(X: pl.DataFrame) -> pl.DataFrame:
    """Rows to predict: those learned from, with holes, and with categories and words never seen."""
    text = X.with_columns(pl.col(pl.Enum).cast(pl.String))
    holes = [text.with_columns(pl.lit(None, dtype=dtype).alias(name)) for name, dtype in text.schema.items()]
    unseen = text.with_columns(pl.lit("mauve").alias(name) for name in text.select(pl.col(pl.String)).columns)
    return pl.concat([text, *(part[:7] for part in (*holes, unseen))])


def test_the_lists_name_learners():
    assert set(ORDER_MATTERS) | set(WEIGHTS_ARE_NOT_REPETITIONS) | EXPLAINED_BY_A_VOTE <= set(ESTIMATORS)


# --- the same rows, the same hypothesis ----------------------------------------------------------------------


def test_the_same_seed_gives_the_same_hypothesis(learner, table):
    X, y = table(learner)
    settings = {"random_state": 7} if "random_state" in learner().get_params() else {}
    before = np.random.get_state()[1].tolist()
    first = learner(**settings).fit(X, y)
    second = learner(**settings).fit(X, y)
    assert first.hypothesis_ == second.hypothesis_
    assert first.fit(X, y).hypothesis_ == second.hypothesis_
    assert np.random.get_state()[1].tolist() == before


def test_the_order_of_rows(learner, table):
    found = []
    for seed in SEEDS:
        X, y = table(learner, seed, holes=0)
        order = np.random.default_rng(seed).permutation(len(X))
        mine, other = learner().fit(X, y).hypothesis_, learner().fit(X[order], some(y, order)).hypothesis_
        found.append(alike(mine, other, X))
    assert all(found) if learner.__name__ not in ORDER_MATTERS else not all(found)


def test_weights_are_repetitions(weighted, table):
    found = []
    for seed, holes in [(0, 0), (1, 0), (1, 0.1)]:
        X, y = table(weighted, seed, holes=holes)
        weights = np.random.default_rng(seed).integers(0, 4, len(X))
        rows = np.repeat(np.arange(len(X)), weights)
        mine = weighted().fit(X, y, sample_weight=weights).hypothesis_
        found.append(alike(mine, weighted().fit(X[rows], some(y, rows)).hypothesis_, X))
    assert all(found) if weighted.__name__ not in WEIGHTS_ARE_NOT_REPETITIONS else not all(found)


def test_weights_of_one_change_nothing(weighted, table):
    X, y = table(weighted)
    mine = weighted().fit(X, y, sample_weight=np.ones(len(X))).hypothesis_
    assert alike(mine, weighted().fit(X, y).hypothesis_, X)


def test_a_trace_changes_nothing(learner, table):
    X, y = table(learner)
    expected = learner().fit(X, y).hypothesis_
    with induce.trace():
        assert alike(learner().fit(X, y).hypothesis_, expected, X)


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
    "polars, lazy": lambda X: X.lazy(),
    "pandas": as_pandas,
    "pandas, plain": lambda X: as_pandas(X, plain=True),
    "pyarrow": lambda X: X.with_columns(pl.col(pl.Enum).cast(pl.String).cast(pl.Categorical)).to_arrow(),
}


@pytest.mark.parametrize("form", FORMS)
def test_any_frame_gives_the_same_hypothesis(learner, table, form):
    X, y = table(learner)
    if form == "pyarrow" and "colour" in X.columns:  # which lists the values in the order in which they come
        values = X["colour"].drop_nulls().unique(maintain_order=True).cast(pl.String)
        X = X.with_columns(pl.col("colour").cast(pl.String).cast(pl.Enum(values)))
    expected = learner().fit(X, y).hypothesis_
    given = FORMS[form](X)
    found = learner().fit(given, y)
    assert found.hypothesis_ == expected
    if form != "polars, lazy":
        assert said(found, given).tolist() == said(expected, X).tolist()


def test_arrays_give_the_same_hypothesis_up_to_names(learner, table):
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
        assert said(found, given).tolist() == said(expected, text).tolist()


def test_encoded_rows(learner, table):
    """What `induce predict` gives a hypothesis that takes encoded rows."""
    X, y = table(learner)
    hypothesis = learner().fit(X, y).hypothesis_
    rows = met_later(X)
    if hypothesis.takes_tables:
        assert said(hypothesis, encode(rows, hypothesis.schema)).tolist() == said(hypothesis, rows).tolist()


def test_files(learner, table, tmp_path):
    X, y = table(learner)
    fitted = learner().fit(X, y)
    induce.save(fitted, tmp_path / "model.induce")
    loaded = induce.load(tmp_path / "model.induce")
    assert type(loaded) is learner
    assert loaded.get_params() == fitted.get_params()
    assert loaded.hypothesis_ == fitted.hypothesis_
    rows = met_later(X)
    assert said(loaded, rows).tolist() == said(fitted, rows).tolist()
    induce.save(fitted.hypothesis_, tmp_path / "hypothesis.induce")
    assert induce.load(tmp_path / "hypothesis.induce") == fitted.hypothesis_


# --- what is printed and exported ----------------------------------------------------------------------------


def test_explanations_say_what_is_predicted(predictor, table):
    X, y = table(predictor)
    fitted = predictor().fit(X, y)
    rows = met_later(X)
    told = fitted.explain(rows)
    assert all(map(str, told))
    if predictor.__name__ in EXPLAINED_BY_A_VOTE:  # in a sentence, with how many hypotheses are on each side
        assert {type(each) for each in told} == {str}
        assert all(" for " in each for each in told)
    else:
        assert [each.prediction for each in told] == fitted.predict(rows).tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_exported_function_predicts_the_same(exported, table, seed):
    X, y = table(exported, seed)
    hypothesis = exported().fit(X, y).hypothesis_
    space: dict[str, Any] = {}
    exec(hypothesis.to_python("decide"), space)
    rows = met_later(X)
    found = [space["decide"](row) for row in rows.to_dicts()]
    if is_classifier(exported()):
        assert found == hypothesis.predict(rows).tolist()
    else:
        assert found == pytest.approx(hypothesis.predict(rows).tolist(), rel=1e-12)


def holds(condition: str, row: dict[str, Any], domains: dict[str, set[str]]) -> bool:
    """Say whether a row satisfies a condition as it is printed; a value that was never declared satisfies none."""
    between = re.fullmatch(r"(\S+) < (\S+) <= (\S+)", condition)
    if between:
        low, name, high = between.groups()
        return row[name] is not None and float(low) < row[name] <= float(high)
    name, sign, tested = re.fullmatch(r"(\S+) (=|!=|<=|>|in|not in) (.+)", condition).groups()
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


@pytest.mark.parametrize("seed", SEEDS)
def test_the_printed_rules_predict_the_same(of_rules, table, seed):
    X, y = table(of_rules, seed)
    hypothesis = of_rules().fit(X, y).hypothesis_
    assert hypothesis.rules
    rows = met_later(X)
    found = [by_the_printed_rules(hypothesis, row) for row in rows.to_dicts()]
    assert found == hypothesis.predict(rows).tolist()


# --- without a target ----------------------------------------------------------------------------------------


def test_densities_score_and_draw_rows(density, table):
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


def test_rows_like_those_learned_from_are_likelier_than_others(density, table):
    X, _ = table(density, n=60, holes=0)
    fitted = density().fit(X)
    far = X.with_columns(size=pl.col("size") + 1000, price=pl.col("price") - 1000)
    assert fitted.score(X) > fitted.score(far)
