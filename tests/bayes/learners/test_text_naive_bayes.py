"""Table 6.2 of Mitchell with its variants, on texts and on counts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

import induce
from induce.bayes import text_terms
from induce.core.estimator import counted_rows
from induce.data.schema import Column

pytestmark = pytest.mark.filterwarnings("ignore::induce.Note")
TEXTS = ["our approach is simple", "simple machine learning", "machine is noisy noisy"]
RATED = ["like", "like", "dislike"]
ASKED = ["simple machine chocolate", "noisy machine", "chocolate"]
PARAGRAPH_LENGTH = 111


def corpus(n=120, seed=0):
    """Random texts whose words depend on their class."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n)
    words = np.array([f"word{k:02d}" for k in range(40)])
    weights = rng.dirichlet(np.full(40, 0.3), 3)
    return [" ".join(rng.choice(words, rng.integers(1, 25), p=weights[k])) for k in labels], labels


# --- the oracle ----------------------------------------------------------------------------------------------


def test_the_words_of_the_small_corpus():
    words = induce.TextNaiveBayes().fit(TEXTS, RATED).hypothesis_.words
    assert len(words.vocabulary) == 7
    assert words.totals.tolist() == [4, 7]
    chances = np.exp(words.weights(np.arange(7)))
    like = dict(zip(words.vocabulary, chances[:, 1].tolist(), strict=True))
    dislike = dict(zip(words.vocabulary, chances[:, 0].tolist(), strict=True))
    assert like.pop("simple") == pytest.approx(3 / 14)
    assert like.pop("noisy") == pytest.approx(1 / 14)
    assert list(like.values()) == pytest.approx([2 / 14] * 5)
    assert dislike.pop("noisy") == pytest.approx(3 / 11)
    assert (dislike.pop("is"), dislike.pop("machine")) == pytest.approx((2 / 11, 2 / 11))
    assert list(dislike.values()) == pytest.approx([1 / 11] * 4)


def test_the_texts_of_the_small_corpus():
    bayes = induce.TextNaiveBayes().fit(TEXTS, RATED)
    scores = np.exp(bayes.hypothesis_.log_joint(ASKED))
    assert scores[0].tolist() == pytest.approx([2 / 363, 1 / 49])
    assert scores[1].tolist() == pytest.approx([2 / 121, 1 / 147])
    assert bayes.predict(ASKED).tolist() == ["like", "dislike", "like"]
    assert bayes.predict_proba(ASKED).max(axis=1).tolist() == pytest.approx(
        [0.787419, 0.708434, 2 / 3], abs=5e-7
    )


def test_a_class_without_texts():
    bayes = induce.TextNaiveBayes().partial_fit(TEXTS, RATED, classes=["dislike", "like", "never"])
    assert bayes.hypothesis_.priors.tolist() == pytest.approx([1 / 3, 2 / 3, 0])
    assert np.exp(bayes.hypothesis_.words.weights(np.arange(7)))[:, 2].tolist() == pytest.approx([1 / 7] * 7)
    assert bayes.predict_proba(["machine"])[0, 2] == 0


def test_long_texts_do_not_underflow():
    bayes = induce.TextNaiveBayes().fit(TEXTS, RATED)
    assert bayes.predict_proba(["noisy " * 10_000]).tolist() == [[1, 0]]


def test_how_many_terms_there_are():
    assert text_terms(2, 50_000, PARAGRAPH_LENGTH) == 11_100_000
    assert text_terms(2, 50_000) == 100_000
    with pytest.raises(induce.InputError, match="n_words is 0"):
        text_terms(2, 0)


# --- scikit-learn --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.3, 1.0])
@pytest.mark.parametrize(
    ("variant", "peer"),
    [("multinomial", MultinomialNB), ("bernoulli", BernoulliNB), ("complement", ComplementNB)],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_variants_are_those_of_scikit_learn(variant, peer, alpha, weighted):
    texts, labels = corpus()
    weights = np.random.default_rng(1).random(len(labels)) if weighted else None
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(texts)
    rows = None if weights is None else counted_rows(weights)  # alpha is a number of rows
    theirs = peer(alpha=alpha).fit(counts, labels, sample_weight=rows)
    priors = [1 / 3] * 3 if variant == "complement" else None  # the peer leaves the prior out
    for X in (texts, counts, counts.toarray()):
        ours = induce.TextNaiveBayes(variant=variant, alpha=alpha, priors=priors)
        ours.fit(X, labels, sample_weight=weights)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(counts), rtol=1e-9, atol=1e-12)
    new = corpus(seed=2)[0]
    ours = induce.TextNaiveBayes(variant=variant, alpha=alpha, priors=priors)
    ours.fit(texts, labels, sample_weight=weights)
    np.testing.assert_allclose(
        ours.predict_proba(new), theirs.predict_proba(vectorizer.transform(new)), rtol=1e-9, atol=1e-12
    )


def test_columns_of_counts_that_never_occur_are_words_too():
    counts = sparse.csr_matrix([[1, 0, 0], [0, 2, 0]])
    ours = induce.TextNaiveBayes().fit(counts, ["p", "q"])
    np.testing.assert_allclose(
        ours.predict_proba(counts), MultinomialNB().fit(counts, ["p", "q"]).predict_proba(counts), rtol=1e-9
    )


# --- the vocabulary ------------------------------------------------------------------------------------------


def test_frequent_and_rare_words_are_left_out():
    texts = ["the the the cat", "the dog dog cat", "the bird dog cat"]
    words = induce.TextNaiveBayes(drop_top=1, min_count=2).fit(texts, ["p", "q", "q"]).hypothesis_.words
    assert words.vocabulary == ("cat", "dog")
    assert words.totals.tolist() == [1, 5]
    # of equally frequent words the first is dropped first
    assert induce.TextNaiveBayes(drop_top=2).fit(texts, ["p", "q", "q"]).hypothesis_.words.vocabulary == (
        "bird",
        "dog",
    )


def test_the_pattern_is_part_of_the_hypothesis(tmp_path):
    texts = ["great !", "awful ?", "great great"]
    bayes = induce.TextNaiveBayes(pattern=r"\w+|[^\w\s]").fit(texts, ["p", "q", "p"])
    assert bayes.hypothesis_.words.vocabulary == ("!", "?", "awful", "great")
    induce.save(bayes.hypothesis_, tmp_path / "text.induce")
    loaded = induce.load(tmp_path / "text.induce")
    assert loaded == bayes.hypothesis_
    assert loaded.predict(["?"]).tolist() == ["q"]


@pytest.mark.parametrize("texts", [["", "", ""], ["a", "b", "c"], [None, "", "a"]])
def test_nothing_to_learn_from(texts):
    with pytest.warns(induce.Note, match="the vocabulary is empty"):
        bayes = induce.TextNaiveBayes().fit(texts, RATED)
    assert bayes.predict(["anything at all", ""]).tolist() == ["like", "like"]
    assert str(bayes.hypothesis_)


def test_an_empty_document_gets_the_prior():
    bayes = induce.TextNaiveBayes().fit(TEXTS, RATED)
    assert bayes.predict_proba(["", "xx yy"]).tolist() == pytest.approx(np.array([[1 / 3, 2 / 3]] * 2))
    bernoulli = induce.TextNaiveBayes(variant="bernoulli").fit(TEXTS, RATED)
    missing = bernoulli.predict_proba(pl.DataFrame({"text": ["", None]}))
    assert missing[1].tolist() == pytest.approx([1 / 3, 2 / 3])
    assert missing[0].tolist() != pytest.approx([1 / 3, 2 / 3])  # to have no word says something


# --- forms of texts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    [
        list,
        tuple,
        np.array,
        lambda texts: np.array(texts, dtype=object),
        pl.Series,
        pd.Series,
        lambda texts: pl.DataFrame({"text": texts}),
        lambda texts: pd.DataFrame({"text": texts}),
        lambda texts: np.array(texts, dtype=object)[:, None],
    ],
)
def test_texts_in_any_form(form):
    expected = induce.TextNaiveBayes().fit(TEXTS, RATED).predict_proba(ASKED)
    bayes = induce.TextNaiveBayes().fit(form(TEXTS), RATED)
    np.testing.assert_allclose(bayes.predict_proba(form(ASKED)), expected)
    np.testing.assert_allclose(bayes.hypothesis_.predict_proba(form(ASKED)), expected)


def test_columns_that_are_no_texts_are_ignored_with_a_note():
    X = pl.DataFrame({"said": TEXTS, "year": [1, 2, 3], "also": ["aa bb", None, "cc"]})
    with pytest.warns(induce.Note, match="column 'year' contains no text"):
        bayes = induce.TextNaiveBayes().fit(X, RATED)
    assert [column.column.name for column in bayes.hypothesis_.columns] == ["said", "also"]
    assert bayes.predict(X).tolist() == RATED
    also = Column("also", "nominal", ("aa bb", "cc"))
    with pytest.warns(induce.Note, match="column 'also' contains no text"):
        bayes = induce.TextNaiveBayes(schema={"also": also}).fit(X.drop("year"), RATED)
    assert [column.column.name for column in bayes.hypothesis_.columns] == ["said"]
    with pytest.raises(induce.InputError, match="no column contains text"):
        induce.TextNaiveBayes(schema={"also": also}).fit(X.select("also"), RATED)


def test_chunks_of_texts_and_of_counts():
    texts, labels = corpus()
    counts = CountVectorizer().fit_transform(texts)
    for X in (texts, counts):
        whole = induce.TextNaiveBayes(drop_top=2, min_count=3).fit(X, labels)
        parts = induce.TextNaiveBayes(drop_top=2, min_count=3)
        for start in range(0, len(labels), 50):
            parts.partial_fit(X[start : start + 50], labels[start : start + 50], classes=[0, 1, 2])
        np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-9)


def test_cross_validation_takes_lists_of_texts():
    texts, labels = corpus()
    estimate = induce.evaluate(induce.TextNaiveBayes(), texts, labels.astype(str), cv=3, random_state=0)
    assert estimate.error < 0.4


def test_leave_one_out():
    found = induce.TextNaiveBayes().leave_one_out_predict(TEXTS, RATED)
    anew = [
        induce.TextNaiveBayes()
        .fit([TEXTS[k] for k in range(3) if k != row], [RATED[k] for k in range(3) if k != row])
        .predict([TEXTS[row]])[0]
        for row in range(3)
    ]
    assert found.tolist() == anew


# --- bad input -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", [induce.TextNaiveBayes, induce.Rocchio])
@pytest.mark.parametrize(
    ("X", "y", "sentence"),
    [
        ([], [], "Expected 2D array|no rows"),
        (["aa", "bb"], ["p"], "X has 2 rows, y has 1"),
        (sparse.csr_matrix([[1, 0], [0, 1]]), ["p"], "X has 2 rows, y has 1"),
        (sparse.csr_matrix([[-1.0], [2.0]]), ["p", "q"], "Negative values"),
        ([1.0, 2.0], ["p", "q"], "Expected 2D array"),
        ("aa", ["p"], "Expected 2D array"),
        (["aa", 3], ["p", "q"], "Expected 2D array"),
        (pl.DataFrame({"flag": [True, False]}), ["p", "q"], "no column is left to learn from"),
    ],
)
def test_what_is_no_text(learner, X, y, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        learner().fit(X, y)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("learner", "parameters", "sentence"),
    [
        (induce.TextNaiveBayes, {"variant": "poisson"}, "variant is 'poisson'"),
        (induce.TextNaiveBayes, {"variant": "bernoulli", "alpha": 0}, "for the bernoulli variant"),
        (induce.TextNaiveBayes, {"drop_top": 1.5}, "drop_top is 1.5"),
        (induce.TextNaiveBayes, {"min_count": -1}, "min_count is -1"),
        (induce.Rocchio, {"alpha": -1}, "alpha is -1"),
        (induce.Rocchio, {"beta": "x"}, "beta is 'x'"),
        (induce.Rocchio, {"drop_top": -1}, "drop_top is -1"),
        (induce.Rocchio, {"pattern": "["}, "pattern is"),
    ],
)
def test_parameters_that_make_no_sense(learner, parameters, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        learner(**parameters).fit(TEXTS, RATED)


@pytest.mark.parametrize("learner", [induce.TextNaiveBayes, induce.Rocchio])
def test_counts_of_other_columns(learner):
    fitted = learner().fit(sparse.csr_matrix([[1, 0], [0, 1]]), ["p", "q"])
    with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 2"):
        fitted.predict(sparse.csr_matrix([[1, 0, 2]]))
    with pytest.raises(induce.InputError, match="3 word counts, but the model was learned from 2"):
        fitted.hypothesis_.predict(sparse.csr_matrix([[1, 0, 2]]))
    with pytest.raises(ValueError, match=r"X has 1 features, but .* is expecting 2"):
        fitted.predict(["aa bb"])
    with pytest.raises(ValueError, match="Expected 2D array"):
        fitted.hypothesis_.predict(["aa bb"])
