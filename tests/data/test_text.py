"""Words of texts: the counts are scikit-learn's at the same pattern."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

import induce
from induce.data.text import SKLEARN, Tokeniser, counted_texts

PATTERNS = [
    SKLEARN,
    r"\w\w+",
    r"\w+|[^\w\s]",
    r"[a-z]+",
    r"\S+",
    r"\b\w+\b",
    r"(\w)x",
    r"(?:ab|\d)+",
    r"\w\W",
]
ODD = "naïve İstanbul ½ ³m e\u0301 _x_ 日本語 ß ΟΔΟΣ a\u00a0b\x1cc don't 1,5 \U0001d7d8"


def as_counts(documents):
    return dict(zip(documents.vocabulary, documents.matrix.sum(axis=0).tolist(), strict=True))


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_counts_are_those_of_scikit_learn(pattern, lowercase):
    texts = ["The quick brown fox, the LAZY dog", ODD, "", "1 22 ab abab xx-x", "a\nb\tcc"]
    vectorizer = CountVectorizer(token_pattern=pattern, lowercase=lowercase)
    expected = vectorizer.fit_transform(texts)
    found = Tokeniser(pattern, lowercase).documents(texts)
    assert found.vocabulary == tuple(vectorizer.get_feature_names_out())
    assert (found.matrix.toarray() == expected.toarray()).all()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(st.characters(max_codepoint=0x52F), max_size=20), min_size=1, max_size=5))
def test_counts_of_any_text(texts):
    """Of the first thousand characters or so: of rare scripts Python and polars know different versions."""
    found = Tokeniser().documents([*texts, "always here"])
    expected = CountVectorizer(token_pattern=r"\w\w+").fit([*texts, "always here"])
    assert found.vocabulary == tuple(expected.get_feature_names_out())
    assert (found.matrix.toarray() == expected.transform([*texts, "always here"]).toarray()).all()


def test_a_given_vocabulary():
    found = Tokeniser().documents(["one two two", None, "three"], ("one", "two", "zero"))
    assert found.matrix.toarray().tolist() == [[1, 2, 0], [0, 0, 0], [0, 0, 0]]


def test_no_texts_and_no_words():
    assert Tokeniser().documents([]).matrix.shape == (0, 0)
    assert Tokeniser().documents(["", None, "a"]).matrix.shape == (3, 0)


def test_presence():
    texts = Tokeniser().documents(pl.Series(["aa aa bb", "bb"]))
    assert texts.present.matrix.toarray().tolist() == [[1, 1], [0, 1]]
    assert len(texts[:1]) == 1


@pytest.mark.parametrize("pattern", ["(", 3, "(a)(b)"])
def test_patterns_that_are_none(pattern):
    with pytest.raises(induce.InputError, match="pattern is"):
        Tokeniser(pattern).check()


def test_matrices_of_counts():
    texts = counted_texts(sparse.csc_matrix([[0, 2], [1, 0]]), ["aa", "bb"])
    assert as_counts(texts) == {"aa": 1, "bb": 2}
    with pytest.raises(induce.InputError, match="Negative values in data"):
        counted_texts(np.array([[-1.0]]))
    with pytest.raises(induce.InputError, match="infinity or NaN"):
        counted_texts(np.array([[np.nan]]))
