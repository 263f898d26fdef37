"""Naive Bayes on mixed tables: unknown values, smoothing, chunks, many classes, bad input."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.bayes.naive_bayes.nominal import IntervalColumn, NominalColumn
from induce.bayes.naive_bayes.numeric import KernelColumn, NormalColumn
from induce.bayes.naive_bayes.words import WordsColumn

pytestmark = pytest.mark.filterwarnings("ignore::induce.Note")
NAN = float("nan")
FOX = [
    "the quick brown fox jumps high",
    "a lazy dog sleeps all day long",
    "the dog and the fox are old friends",
]


def mixed(n=60, seed=0, holes=0.1):
    """A table with all kinds of columns, and three classes."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 3, n)
    table = pl.DataFrame(
        {
            "colour": pl.Series(["red", "green", "blue"])[(label + rng.integers(0, 2, n)) % 3],
            "sold": rng.random(n) < 0.2 + 0.3 * label,
            "size": rng.normal(size=n).round(2) + label,
            "said": [f"{FOX[(k + i) % 3]} {i}" for i, k in enumerate(label)],
        }
    )
    table = table.with_columns(
        pl.when(pl.Series(rng.random(n) < holes)).then(None).otherwise(pl.col(name)).alias(name)
        for name in table.columns
    )
    return table, pl.Series("class", ["a", "b", "c"])[label]


def test_every_column_has_a_model_of_its_kind():
    X, y = mixed()
    kinds = [type(column) for column in induce.NaiveBayes().fit(X, y).hypothesis_.columns]
    assert kinds == [NominalColumn, NominalColumn, NormalColumn, WordsColumn]
    for numeric, kind in [("kernel", KernelColumn), ("intervals", IntervalColumn)]:
        assert isinstance(induce.NaiveBayes(numeric=numeric).fit(X, y).hypothesis_.columns[2], kind)


def test_scores_are_sums_over_columns():
    X, y = mixed()
    whole = induce.NaiveBayes().fit(X, y).hypothesis_
    parts = [induce.NaiveBayes(schema={name: {"role": "input"}}).fit(X.select(name), y) for name in X.columns]
    total = sum(
        part.hypothesis_.log_joint(X.select(name)) for part, name in zip(parts, X.columns, strict=True)
    )
    np.testing.assert_allclose(whole.log_joint(X), total - 3 * whole.log_priors, rtol=1e-9)


# --- what is unknown -----------------------------------------------------------------------------------------


def test_a_hole_and_an_unseen_value_say_nothing():
    X, y = mixed(holes=0)
    bayes = induce.NaiveBayes().fit(X, y)
    row = X[:1].with_columns(colour=pl.lit("mauve"), size=pl.lit(None, pl.Float64), said=pl.lit("zyzzyva"))
    alone = induce.NaiveBayes().fit(X.select("sold"), y).predict_proba(row.select("sold"))
    np.testing.assert_allclose(bayes.predict_proba(row), alone)
    nothing = pl.DataFrame({name: pl.Series([None], dtype=dtype) for name, dtype in X.schema.items()})
    np.testing.assert_allclose(bayes.predict_proba(nothing)[0], bayes.hypothesis_.priors)


def test_a_hole_and_an_unseen_value_as_values():
    X = pl.DataFrame({"a": ["x", None, "y", "y", None, "x"], "n": [1.0, None, 2.0, 3.0, 4.0, None]})
    y = ["p", "p", "p", "q", "q", "q"]
    model = induce.NaiveBayes(unknown="value").fit(X, y).hypothesis_
    # the values are x, y, unseen and missing; p has one x, one y and one hole
    assert model.columns[0].probabilities[:, 0].tolist() == pytest.approx([2 / 7, 2 / 7, 1 / 7, 2 / 7])
    assert np.exp(model.columns[1].known[:, 0]).tolist() == pytest.approx([3 / 5, 2 / 5])
    rows = pl.DataFrame({"a": ["never", None], "n": [None, None]}, schema={"a": pl.String, "n": pl.Float64})
    logs = model.log_joint(rows)
    assert np.exp(logs[0, 0]) == pytest.approx(1 / 2 * 1 / 7 * 2 / 5)
    assert np.exp(logs[1, 0]) == pytest.approx(1 / 2 * 2 / 7 * 2 / 5)
    said = [str(each) for each in induce.NaiveBayes(unknown="value").fit(X, y).explain(rows)]
    assert "a was not seen in training" in said[0]
    assert "n is missing" in said[1]


# --- smoothing, priors, weights ------------------------------------------------------------------------------


def test_a_dirichlet_prior_of_each_column():
    X = pl.DataFrame({"a": pl.Series(["x", "x", "y"], dtype=pl.Enum(["x", "y"])), "b": ["u", "v", "v"]})
    model = induce.NaiveBayes(alpha={"a": [3, 1]}).fit(X, ["p", "p", "q"]).hypothesis_
    assert model.columns[0].probabilities[:, 0].tolist() == pytest.approx([5 / 6, 1 / 6])
    assert model.columns[1].probabilities[:, 0].tolist() == pytest.approx([2 / 4, 2 / 4])


def test_priors_and_ties():
    X = pl.DataFrame({"a": ["x", "x", "x", "x"]})
    y = pl.Series(["no", "yes", "yes", "yes"], dtype=pl.Enum(["yes", "no"]))
    assert induce.NaiveBayes(priors={"yes": 0.1, "no": 0.9}).fit(X, y).predict(X)[0] == "no"
    # a list is in the order of classes_: no, yes
    assert induce.NaiveBayes(priors=[0.9, 0.1]).fit(X, y).predict(X)[0] == "no"
    assert (
        induce.NaiveBayes(class_weight="balanced").fit(X, y).predict(X)[0] == "yes"
    )  # a tie: declared first
    assert induce.NaiveBayes(class_weight={"no": 5}).fit(X, y).predict(X)[0] == "no"


def test_duplicate_rows_of_different_classes_are_a_tie():
    X = [["x", 1.0], ["x", 1.0]]
    bayes = induce.NaiveBayes().fit(X, ["b", "a"])
    assert bayes.predict_proba(X).tolist() == [[0.5, 0.5]] * 2
    assert bayes.predict(X).tolist() == ["a", "a"]


def test_impossible_rows_get_the_prior():
    X = pl.DataFrame({"a": ["x", "y", "y"], "b": ["u", "v", "v"]})
    bayes = induce.NaiveBayes(alpha=0).fit(X, ["p", "q", "q"])
    row = pl.DataFrame({"a": ["x"], "b": ["v"]})
    assert bayes.predict_proba(row).tolist() == pytest.approx(np.array([[1 / 3, 2 / 3]]))
    assert bayes.predict(row).tolist() == ["q"]
    told = bayes.explain(row)[0]
    assert not told.possible
    assert told.total == pytest.approx(np.log(2))
    assert "probability 0" in str(told)


@pytest.mark.parametrize("n", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_thousands_of_classes(n):
    alike = n // 10  # ten classes share a number
    number = np.arange(2.0 * n) % alike
    X = pl.DataFrame({"a": pl.Series([f"v{i % 7}" for i in range(2 * n)]), "n": number})
    y = np.arange(2 * n) % n
    bayes = induce.NaiveBayes().fit(X, y)
    rows = X[:300]
    assert bayes.predict_proba(rows).shape == (300, n)
    assert (bayes.predict(rows) % alike == y[:300] % alike).all()
    assert f"and {n - 20:,} other classes" in str(bayes.hypothesis_)


def test_numbers_that_do_not_vary():
    X = pl.DataFrame({"a": [1.0, 1.0, 1.0, 5.0, 6.5, 9.1], "b": [2.0] * 6})
    with pytest.warns(induce.Note, match="column 'a' is constant in class 'p'"):
        bayes = induce.NaiveBayes().fit(X, ["p"] * 3 + ["q"] * 3)
    column = bayes.hypothesis_.columns[0]
    step = (9.1 - 1) / 3
    assert column.spread[1][0] == pytest.approx(step**2 / 12)
    assert bayes.hypothesis_.columns[1].spread[1].tolist() == [1, 1]
    assert bayes.predict(pl.DataFrame({"a": [1.1, 8.0], "b": [2.0, 7.0]})).tolist() == ["p", "q"]


def test_kernels_of_a_class_without_numbers_and_of_width_that_underflows():
    X = pl.DataFrame({"a": [1.0, 2.0, None, None]})
    bayes = induce.NaiveBayes(numeric="kernel").fit(X, ["p", "p", "q", "q"])
    np.testing.assert_allclose(bayes.predict_proba(X), 0.5)
    narrow = induce.NaiveBayes(numeric="kernel", bandwidth=1e-200).fit([[0.0], [1.0]], ["p", "q"])
    assert narrow.predict([[0.0], [1.0]]).tolist() == ["p", "q"]
    assert narrow.predict_proba([[0.4], [0.6]]).argmax(axis=1).tolist() == [
        0,
        0,
    ]  # infinitely improbable: the prior


# --- chunks --------------------------------------------------------------------------------------------------


def alike(mine, other, X):
    np.testing.assert_allclose(mine.predict_proba(X), other.predict_proba(X), rtol=1e-7, atol=1e-9)
    assert mine.hypothesis_.schema == other.hypothesis_.schema
    assert mine.hypothesis_.classes == other.hypothesis_.classes


@pytest.mark.parametrize("numeric", ["normal", "kernel"])
@pytest.mark.parametrize("unknown", ["ignore", "value"])
@settings(max_examples=8, deadline=None)
@given(cuts=st.lists(st.integers(12, 58), max_size=3), seed=st.integers(0, 5))
def test_chunks_are_the_whole(numeric, unknown, cuts, seed):
    X, y = mixed(seed=seed)
    whole = induce.NaiveBayes(numeric=numeric, unknown=unknown).fit(X, y)
    parts = induce.NaiveBayes(numeric=numeric, unknown=unknown)
    edges = [0, *sorted(set(cuts)), len(X)]
    for start, stop in pairwise(edges):
        parts.partial_fit(X[start:stop], y[start:stop])
    alike(parts, whole, X)


def test_one_row_at_a_time():
    X, y = induce.dataset("play-tennis")
    bayes = induce.NaiveBayes()
    for row in range(14):
        bayes.partial_fit(X[row : row + 1], y[row : row + 1])
    assert bayes.hypothesis_ == induce.NaiveBayes().fit(X, y).hypothesis_


def test_new_values_and_classes_in_later_chunks():
    first, second = pl.DataFrame({"a": ["y", "z"]}), pl.DataFrame({"a": ["x", "y"]})
    bayes = induce.NaiveBayes().partial_fit(first, ["p", "q"])
    with pytest.warns(induce.Note, match="column 'a' has 'x', which earlier rows did not have; it is added"):
        bayes.partial_fit(second, ["o", "p"])
    alike(bayes, induce.NaiveBayes().fit(pl.concat([first, second]), ["p", "q", "o", "p"]), second)
    assert bayes.classes_.tolist() == ["o", "p", "q"]


def test_announced_classes():
    bayes = induce.NaiveBayes().partial_fit([[1.0]], ["b"], classes=["c", "b", "a"])
    assert bayes.classes_.tolist() == ["a", "b", "c"]
    assert bayes.predict_proba([[1.0]]).tolist() == [[0, 1, 0]]


def test_a_saved_learner_goes_on_learning(tmp_path):
    X, y = mixed()
    first = induce.NaiveBayes().partial_fit(X[:30], y[:30])
    induce.save(first, tmp_path / "half.induce")
    again = induce.load(tmp_path / "half.induce").partial_fit(X[30:], y[30:])
    alike(again, induce.NaiveBayes().fit(X, y), X)


@pytest.mark.parametrize(
    ("X", "y", "sentence"),
    [
        (
            pl.DataFrame({"a": ["w"], "n": [1.0]}),
            ["p"],
            "column 'a' holds 'w', which is not among its declared",
        ),
        (pl.DataFrame({"a": ["x"], "n": ["q"]}), ["p"], "column 'n' is numeric but holds 'q'"),
        (pl.DataFrame({"a": ["x"], "n": [np.inf]}), ["p"], "column 'n' holds infinity"),
        (pl.DataFrame({"a": ["x"]}), ["p"], "(?s)now missing"),
        (pl.DataFrame({"a": [], "n": []}), [], "no rows"),
        (pl.DataFrame({"a": ["x"], "n": [1.0]}), ["p", "q"], "X has 1 rows, y has 2"),
        (pl.DataFrame({"a": ["x"], "n": [1.0]}), [None], "y holds missing values"),
        (pl.DataFrame({"a": ["x"], "n": [1.0]}), [3], "both text and numbers"),
    ],
)
def test_later_chunks_that_do_not_fit(X, y, sentence):
    bayes = induce.NaiveBayes(schema={"a": {"domain": ["x", "y"]}})
    bayes.partial_fit(pl.DataFrame({"a": ["x", "y"], "n": [1.0, 2.0]}), ["p", "q"])
    before = bayes.hypothesis_
    with pytest.raises(ValueError, match=sentence):
        bayes.partial_fit(X, y)
    assert bayes.hypothesis_ is before


# --- leave-one-out -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parameters",
    [{}, {"alpha": 0}, {"m": 2}, {"class_alpha": 1}, {"unknown": "value"}, {"numeric": "kernel"}],
)
@pytest.mark.parametrize("seed", range(2))
def test_left_out_rows_are_subtracted(parameters, seed):
    rng = np.random.default_rng(seed)
    n = 14
    X = pl.DataFrame(
        {
            "a": rng.choice(list("abcd"), n),
            "b": pl.Series(rng.choice(["x", "y"], n), dtype=pl.Enum(["x", "y", "z"])),
            "n": rng.normal(size=n).round(1),
            "k": rng.integers(0, 3, n),
        }
    )
    X = X.with_columns(
        pl.when(pl.Series(rng.random(n) < 0.15)).then(None).otherwise(pl.col(name)).alias(name)
        for name in X.columns
    )
    y = rng.choice(["p", "q", "r"], n, p=[0.6, 0.3, 0.1])
    anew = []
    for row in range(n):
        others = np.delete(np.arange(n), row)
        bayes = induce.NaiveBayes(**parameters).fit(X[others.tolist()], y[others])
        anew.append(bayes.predict(X[[row]])[0])
    assert induce.NaiveBayes(**parameters).leave_one_out_predict(X, y).tolist() == anew


# --- bad parameters ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"alpha": -1}, "alpha is -1"),
        ({"alpha": "much"}, "alpha is 'much'"),
        ({"alpha": {"a": [1, 2, 3]}}, "alpha gives column 'a' 3 pseudo-counts, but it has 2 values"),
        ({"m": -1}, "m is -1"),
        ({"class_alpha": -1}, "class_alpha is -1"),
        ({"priors": [0.5, 0.6]}, "priors sum to 1.1"),
        ({"priors": [1.0]}, "priors do not match the 2 classes"),
        ({"priors": {"p": 1.0}}, "priors and the classes of y differ in 'q'"),
        ({"priors": [-0.5, 1.5]}, "priors contain -0.5"),
        (
            {"alpha": {"b": 2}},
            "alpha gives 'b' pseudo-counts, which is not a column; give pseudo-counts for a, n",
        ),
        ({"numeric": "gaussian"}, "numeric is 'gaussian'; it can be 'auto', 'normal', 'kernel', 'intervals'"),
        ({"bandwidth": 0}, "bandwidth is 0"),
        ({"bandwidth": "wide"}, "bandwidth is 'wide'"),
        ({"min_variance": 0}, "min_variance is 0"),
        ({"unknown": "error"}, "unknown is 'error'"),
        ({"pattern": "("}, "pattern is '\\('"),
        ({"class_weight": "heavy"}, "class_weight is 'heavy'"),
        ({"schema": 3}, "schema is 3"),
    ],
)
def test_parameters_that_make_no_sense(parameters, sentence):
    X = pl.DataFrame({"a": ["x", "y"], "n": [1.0, 2.0]})
    with pytest.raises(induce.InputError, match=sentence) as caught:
        induce.NaiveBayes(**parameters).fit(X, ["p", "q"])
    assert "\n" not in str(caught.value)


def test_balanced_weights_need_all_rows():
    with pytest.raises(induce.InputError, match="needs all rows at once"):
        induce.NaiveBayes(class_weight="balanced").partial_fit([[1.0]], ["p"])


def test_learning_warns_of_nothing_else():
    X, y = mixed()
    with warnings.catch_warnings(action="error"):
        warnings.simplefilter("ignore", induce.Note)
        for parameters in (
            {"alpha": 0},
            {"numeric": "kernel"},
            {"numeric": "intervals"},
            {"unknown": "value"},
        ):
            bayes = induce.NaiveBayes(**parameters).fit(X, y)
            bayes.predict_proba(X)
            bayes.explain(X[:5])
            str(bayes.hypothesis_)
            bayes.hypothesis_.evidence()


def test_priors_follow_the_classes_of_all_chunks():
    bayes = induce.NaiveBayes(priors={"p": 0.2, "q": 0.3, "r": 0.5})
    bayes.partial_fit([["x"]], ["p"], classes=["p", "q", "r"])
    bayes.partial_fit([["x"]], ["r"])
    assert bayes.predict_proba([["never"]]).tolist() == pytest.approx(np.array([[0.2, 0.3, 0.5]]))
    with pytest.raises(induce.InputError, match="priors and the classes of y differ in 's'"):
        bayes.partial_fit([["x"]], ["s"])


def test_a_declared_value_that_no_row_has_says_nothing():
    """Pseudo-counts alone made it evidence for small classes: 0.557 for a class of 90 in 100 rows."""
    letters = pl.Enum(["a", "b"])
    X = pl.DataFrame({"c": pl.Series(["a"] * 100, dtype=letters)})
    model = induce.NaiveBayes().fit(X, ["x"] * 90 + ["y"] * 10)
    asked = pl.DataFrame({"c": pl.Series(["b"], dtype=letters)})
    assert model.predict_proba(asked)[0] == pytest.approx([0.9, 0.1])


# --- the density of numbers ------------------------------------------------------------------------------------


def densities(learner):
    return [type(column).__name__ for column in learner.hypothesis_.columns]


def test_each_column_gets_the_density_that_suits_it():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    bell = rng.normal(2.0 * y, 1.0)
    spikes = np.where(y == 1, rng.choice([0.0, 5.0], 300), rng.uniform(1.0, 4.0, 300))
    noise = np.exp(3 * rng.normal(size=300))
    X = np.column_stack([bell, spikes, noise])
    learner = induce.NaiveBayes().fit(X, y)
    assert densities(learner) == ["NormalColumn", "IntervalColumn", "IntervalColumn"]
    assert len(learner.hypothesis_.columns[1].cuts) == 2
    assert "2 carries no evidence" in str(learner.hypothesis_).replace("x2", "2")
    order = rng.permutation(300)
    again = induce.NaiveBayes().fit(X[order], y[order])
    assert densities(again) == densities(learner)
    assert np.mean(learner.predict(X) == y) > np.mean(
        induce.NaiveBayes(numeric="normal").fit(X, y).predict(X) == y
    )


def test_few_numbers_stay_normal():
    rng = np.random.default_rng(1)
    assert densities(induce.NaiveBayes().fit(rng.normal(size=(20, 2)), [0, 1] * 10)) == ["NormalColumn"] * 2


def test_of_many_rows_the_choice_looks_at_the_same_ones_in_any_order(monkeypatch):
    from induce.bayes.learners import density_selection

    rng = np.random.default_rng(2)
    values, labels = rng.normal(size=500).round(2), rng.integers(0, 2, 500)
    monkeypatch.setattr(density_selection, "MOST_ROWS", 100)
    order = rng.permutation(500)
    first, _ = density_selection._looked_at(values, labels, np.ones(500))
    second, _ = density_selection._looked_at(values[order], labels[order], np.ones(500))
    assert sorted(zip(values[first], labels[first], strict=True)) == sorted(
        zip(values[order][second], labels[order][second], strict=True)
    )
    often = rng.integers(0, 4, 500)
    weighted, _ = density_selection._looked_at(values, labels, often.astype(float))
    repeated, _ = density_selection._looked_at(
        np.repeat(values, often), np.repeat(labels, often), np.ones(often.sum())
    )
    assert values[weighted].tolist() == np.repeat(values, often)[repeated].tolist()


def test_the_strongest_columns_are_printed_first():
    X, y = induce.dataset("play-tennis")
    lines = str(induce.NaiveBayes().fit(X, y).hypothesis_).splitlines()[3:]
    assert list(dict.fromkeys(line.split(" = ")[0].strip() for line in lines)) == [
        "Outlook",
        "Humidity",
        "Wind",
        "Temperature",
    ]


def test_no_curve_is_drawn_where_there_are_no_data():
    rng = np.random.default_rng(3)
    income = np.exp(rng.normal(size=200) * 2)
    model = (
        induce.NaiveBayes(numeric="normal").fit(income[:, np.newaxis], income > np.median(income)).hypothesis_
    )
    texts = [text.get_text() for axes in model.draw().axes for text in axes.texts]
    assert not any(text.startswith(("-", "\u2212")) for text in texts)
