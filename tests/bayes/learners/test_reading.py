"""Naive Bayes read, drawn, explained and exported."""

from __future__ import annotations

import sqlite3

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.bayes.naive_bayes.report import evidence_of
from induce.core.ties import levelled

pytestmark = pytest.mark.filterwarnings("ignore::induce.Note")
NUMBERS = st.one_of(st.none(), st.floats(-5, 5).map(lambda x: round(x, 1)))
TABLES = st.lists(
    st.tuples(
        st.sampled_from(["x", "y", "it's", None]),
        st.sampled_from(["u", "v"]),
        NUMBERS,
        st.sampled_from("pqr"),
    ),
    min_size=3,
    max_size=20,
)
NOMINAL = {"a": "nominal"}  # also where it is missing everywhere
SETTINGS = [
    {},
    {"alpha": 0},
    {"m": 1.5},
    {"unknown": "value"},
    {"numeric": "intervals"},
    {"numeric": "intervals", "unknown": "value"},
]


def as_table(rows):
    a, b, n, y = zip(*rows, strict=True)
    schema = {"a": pl.String, "b": pl.String, "size of it": pl.Float64}
    return pl.DataFrame({"a": a, "b": b, "size of it": n}, schema=schema), list(y)


def met_later(X):
    """Rows with holes and with values never seen beside those that were learned from."""
    odd = [{"a": "never", "b": None, "size of it": 1e9}, {"a": None, "b": None, "size of it": None}]
    return pl.concat([X, pl.DataFrame(odd, schema=X.schema)])


def by_sqlite(query, rows):
    with sqlite3.connect(":memory:") as database:
        names = ", ".join(f'"{name}"' for name in rows.columns)
        database.execute(f'CREATE TABLE "data" ({names})')
        marks = ", ".join("?" * rows.width)
        database.executemany(f'INSERT INTO "data" VALUES ({marks})', rows.rows())
        return [row[-1] for row in database.execute(query)]


@pytest.mark.parametrize("parameters", SETTINGS)
@settings(max_examples=10, deadline=None)
@given(rows=TABLES)
def test_exports_predict_the_same(parameters, rows):
    X, y = as_table(rows)
    model = induce.NaiveBayes(**parameters, schema=NOMINAL).fit(X, y).hypothesis_
    asked = met_later(X)
    expected = model.predict(asked).tolist()
    space = {}
    exec(model.to_python("decide"), space)
    assert [space["decide"](row) for row in asked.to_dicts()] == expected
    assert by_sqlite(model.to_sql(), asked) == expected


@settings(max_examples=10, deadline=None)
@given(rows=TABLES)
def test_exported_kernels_predict_the_same(rows):
    X, y = as_table(rows)
    model = induce.NaiveBayes(numeric="kernel", alpha=0.37, schema=NOMINAL).fit(X, y).hypothesis_
    space = {}
    exec(model.to_python("decide"), space)
    clear = (
        np.diff(np.sort(model.predict_proba(X), axis=1)[:, -2:]).ravel() > 1e-9 if len(set(y)) > 1 else [True]
    )
    for row, predicted, sure in zip(X.to_dicts(), model.predict(X).tolist(), clear, strict=False):
        assert not sure or space["decide"](row) == predicted


def test_exported_texts_predict_the_same():
    texts = pl.DataFrame({"said": ["Good food, good wine", "bad food indeed", "the wine was off", None] * 3})
    y = ["like", "dislike", "dislike", "like"] * 3
    for variant in ("multinomial", "bernoulli", "complement"):
        model = induce.TextNaiveBayes(variant=variant).fit(texts, y).hypothesis_
        space = {}
        exec(model.to_python(), space)
        asked = pl.DataFrame({"said": ["GOOD wine", "bad bad wine", "", None, "food off"]})
        assert [space["predict"](row) for row in asked.to_dicts()] == model.predict(asked).tolist()


def test_what_cannot_be_exported():
    X, y = as_table([("x", "u", 1.0, "p"), ("y", "v", 2.0, "q"), ("y", "v", 3.0, "q")])
    with pytest.raises(induce.InputError, match="column 'size of it' needs kernels"):
        induce.NaiveBayes(numeric="kernel").fit(X, y).hypothesis_.to_sql()
    with pytest.raises(induce.InputError, match="column 'text' needs texts"):
        induce.TextNaiveBayes().fit(["aa bb", "cc"], ["p", "q"]).hypothesis_.to_sql()
    with pytest.raises(induce.InputError, match="learned from word counts"):
        induce.TextNaiveBayes().fit([[1, 0], [0, 1]], ["p", "q"]).hypothesis_.to_python()
    many = induce.NaiveBayes().fit([[float(k)] for k in range(201)], range(201)).hypothesis_
    with pytest.raises(induce.InputError, match="201 classes are too many for one SQL query"):
        many.to_sql()


def test_many_columns_are_summed_in_pieces():
    rng = np.random.default_rng(0)
    X = pl.DataFrame({f"c{j}": rng.choice(["x", "y"], 30) for j in range(620)})
    model = induce.NaiveBayes().fit(X, rng.choice(["p", "q"], 30)).hypothesis_
    assert by_sqlite(model.to_sql(), X) == model.predict(X).tolist()


def test_a_key_alone():
    X, y = as_table([("x", "u", 1.0, "p"), ("y", "v", 2.0, "q")])
    assert induce.NaiveBayes().fit(X, y).hypothesis_.to_sql("rows", key="a").startswith('SELECT "a",')


# --- explanations --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("numeric", ["normal", "kernel", "intervals"])
@pytest.mark.parametrize("unknown", ["ignore", "value"])
@settings(max_examples=6, deadline=None)
@given(rows=TABLES)
def test_explanations_add_up_to_the_log_odds(numeric, unknown, rows):
    X, y = as_table(rows)
    bayes = induce.NaiveBayes(numeric=numeric, unknown=unknown, schema=NOMINAL).fit(X, y)
    asked = met_later(X)
    scores = np.sort(bayes.hypothesis_.log_joint(asked), axis=1)
    for told, row, predicted in zip(bayes.explain(asked), scores, bayes.predict(asked).tolist(), strict=True):
        assert told.prediction == predicted
        if len(row) > 1:
            rounding = 1e-9 + 1e-14 * np.abs(row).max()  # a number far out has a very small density
            assert told.total == pytest.approx(row[-1] - row[-2], rel=1e-9, abs=rounding)
            sizes = levelled([abs(weight) for _, weight in told.terms]).tolist()
            assert sizes == sorted(sizes, reverse=True)
        else:
            assert told.against is None


def test_words_are_explained():
    texts = ["good food and good wine", "bad food", "good wine", "bad bad bad service"]
    bayes = induce.TextNaiveBayes().fit(texts, ["+", "-", "+", "-"])
    told = bayes.explain(["bad food, bad cellar"])[0]
    assert told.terms[0][0] == "text: bad (2 times)"
    assert told.total == pytest.approx(np.log(told.probability / (1 - told.probability)))
    long = bayes.explain([" ".join(f"good{'' if k else ' wine'}" for k in range(30))])[0]
    assert "(30 times)" in str(long)


def test_a_veto_is_infinite_evidence():
    X, y = induce.dataset("play-tennis")
    told = induce.NaiveBayes(alpha=0).fit(X, y).explain(X[2:3])[0]
    assert told.terms[0] == ("Outlook = Overcast", float("inf"))
    assert told.probability == 1


# --- print and pictures --------------------------------------------------------------------------------------


def test_the_printed_evidence_of_play_tennis():
    X, y = induce.dataset("play-tennis")
    printed = str(induce.NaiveBayes(alpha=0).fit(X, y).hypothesis_).splitlines()
    assert printed[0] == "P(PlayTennis): Yes 0.643 (9), No 0.357 (5)"
    assert printed[2] == "No against Yes: log odds, 95% interval, count"
    assert "  Humidity = High      +0.88  [-0.15, +1.90]    4/5 against 3/9" in printed
    assert "  Outlook = Overcast    -inf                    0/5 against 4/9" in printed


def test_the_evidence_as_a_frame():
    X, y = induce.dataset("play-tennis")
    found = induce.NaiveBayes(alpha=0).fit(X, y).hypothesis_.evidence()
    high = found.filter(value="Humidity = High", **{"class": "No"}).row(0, named=True)
    assert (high["count"], high["of"]) == (4, 5)
    assert high["weight"] == pytest.approx(np.log(4 / 5) - np.log(3 / 9))
    deviation = np.sqrt(1 / 4 - 1 / 5 + 1 / 3 - 1 / 9)
    assert high["high"] - high["weight"] == pytest.approx(1.959964 * deviation, rel=1e-6)
    assert induce.NaiveBayes().fit([[1.0], [2.0]], ["p", "q"]).hypothesis_.evidence().height == 0


@settings(max_examples=15, deadline=None)
@given(rows=TABLES)
def test_evidence_of_two_classes_is_one_number(rows):
    X, y = as_table(rows)
    y = ["p" if label == "p" else "q" for label in y]
    model = induce.NaiveBayes(schema=NOMINAL).fit(X, y).hypothesis_
    if len(model.classes) == 2:
        for column in model.columns[:2]:
            weight = evidence_of(column).weight
            np.testing.assert_allclose(weight[:, 0], -weight[:, 1], atol=1e-12)
            logs = np.log(column.probabilities)
            np.testing.assert_allclose(weight[:, 1], logs[:, 1] - logs[:, 0], atol=1e-12)


def test_densities_are_printed_with_their_counts():
    X, y = induce.dataset("iris")
    printed = str(induce.NaiveBayes().fit(X, y).hypothesis_)
    assert "petal length: 1.462 ± 0.172 (50) against 4.906 ± 0.821 (100)" in printed
    kernels = str(induce.NaiveBayes(numeric="kernel").fit(X, y).hypothesis_)
    assert "kernels of width 0.0833" in kernels


def test_long_lists_are_cut():
    X = pl.DataFrame({"a": [f"v{k:02d}" for k in range(30)] * 2})
    printed = str(induce.NaiveBayes().fit(X, ["p", "q"] * 30).hypothesis_)
    assert "and 18 more values of a" in printed
    assert str(induce.NaiveBayes().fit([["x"]], ["only"]).hypothesis_) == "always only"


@pytest.mark.parametrize("numeric", ["normal", "kernel", "intervals"])
@pytest.mark.parametrize(("n_classes", "alpha"), [(1, 1), (2, 0), (3, 1), (15, 0)])
def test_pictures(numeric, alpha, n_classes):
    n = 60
    X = pl.DataFrame(
        {
            "a": pl.Series([f"value ${k % 11}$" for k in range(n)]),
            "n": np.arange(float(n)) % 17,
            "same": [1.0] * n,
            "t": [f"the quick brown fox jumps over {k}" for k in range(n)],
        }
    )
    bayes = induce.NaiveBayes(numeric=numeric, alpha=alpha).fit(X, np.arange(n) % n_classes)
    figure = bayes.hypothesis_.draw()
    figure.canvas.draw()
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert any(titles)
