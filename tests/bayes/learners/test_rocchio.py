"""Rocchio's prototypes against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

import induce

pytestmark = pytest.mark.filterwarnings("ignore::induce.Note")
TEXTS = ["our approach is simple", "simple machine learning", "machine is noisy noisy", "a noisy approach"]
RATED = ["like", "like", "dislike", "dislike"]


def by_definition(texts, labels, asked, alpha, beta):
    """Cosines with alpha times the mean inside minus beta times the mean outside, with plain loops."""
    vectorizer = TfidfVectorizer(smooth_idf=False, norm=None)
    vectorizer.fit(texts)
    # scikit-learn adds 1 to the logarithm of the share
    rarity = vectorizer.idf_ - 1

    def vectors(rows):
        counts = vectorizer.transform(rows).toarray() / vectorizer.idf_
        weighed = counts * rarity
        length = np.linalg.norm(weighed, axis=1, keepdims=True)
        return weighed / np.where(length > 0, length, 1)

    known = vectors(texts)
    found = []
    for label in sorted(set(labels)):
        inside = np.array([each == label for each in labels])
        prototype = alpha * known[inside].mean(axis=0) - beta * known[~inside].mean(axis=0)
        found.append(vectors(asked) @ prototype / np.linalg.norm(prototype))
    return np.column_stack(found)


@pytest.mark.parametrize(("alpha", "beta"), [(16, 4), (1, 0), (1, 1)])
def test_cosines_are_those_of_the_definition(alpha, beta):
    asked = ["simple noisy machine", "our learning", "nothing known", "noisy noisy approach"]
    model = induce.Rocchio(alpha=alpha, beta=beta).fit(TEXTS, RATED).hypothesis_
    expected = by_definition(TEXTS, RATED, asked, alpha, beta)
    np.testing.assert_allclose(model.cosines(asked), expected, atol=1e-12)
    assert np.linalg.norm(model.prototypes, axis=1).tolist() == pytest.approx([1, 1])


def test_explanations_add_up_to_the_difference_of_cosines():
    rocchio = induce.Rocchio().fit(TEXTS, RATED)
    asked = ["simple noisy noisy machine", "unheard of", ""]
    cosines = np.sort(rocchio.hypothesis_.cosines(asked), axis=1)
    for told, row in zip(rocchio.explain(asked), cosines, strict=True):
        assert told.cosine - told.rival == pytest.approx(row[1] - row[0])
        assert sum(weight for _, weight in told.terms) == pytest.approx(row[1] - row[0])


def test_texts_without_a_known_word_get_the_most_frequent_class():
    rocchio = induce.Rocchio().fit([*TEXTS, "machine learning"], [*RATED, "like"])
    assert rocchio.predict(["zzz", ""]).tolist() == ["like", "like"]
    assert rocchio.predict_proba(["zzz"]).tolist() == [[0, 1]]


def test_counts_in_place_of_texts():
    counts = sparse.csr_matrix([[2, 0, 1], [0, 1, 1], [0, 3, 0]])
    rocchio = induce.Rocchio().fit(counts, ["p", "q", "q"])
    assert rocchio.predict(counts).tolist() == ["p", "q", "q"]
    assert rocchio.hypothesis_.vocabulary == ("x0", "x1", "x2")
    assert rocchio.predict(counts.toarray()).tolist() == ["p", "q", "q"]


def test_words_left_out_weigh_nothing():
    model = induce.Rocchio(drop_top=1, min_count=2).fit(TEXTS, RATED).hypothesis_
    kept = {word for word, rarity in zip(model.vocabulary, model.rarity, strict=True) if rarity > 0}
    assert kept == {"approach", "is", "machine", "simple"}
    assert model.size() == "2 prototypes of 4 words"


def test_printed_drawn_and_saved(tmp_path):
    model = induce.Rocchio().fit(TEXTS, RATED).hypothesis_
    assert str(model).splitlines()[0].startswith("dislike: noisy")
    model.draw().canvas.draw()
    induce.save(model, tmp_path / "rocchio.induce")
    assert induce.load(tmp_path / "rocchio.induce") == model


def test_columns_of_a_frame_are_joined():
    import polars as pl

    split = pl.DataFrame(
        {"title": ["our", "simple", None, None], "body": [text.split(" ", 1)[1] for text in TEXTS]}
    )
    joined = [" ".join(filter(None, row)) for row in split.rows()]
    np.testing.assert_allclose(
        induce.Rocchio().fit(split, RATED).hypothesis_.cosines(split),
        induce.Rocchio().fit(joined, RATED).hypothesis_.cosines(joined),
    )


def test_too_many_prototypes(monkeypatch):
    monkeypatch.setattr("induce.bayes.learners.rocchio.MOST_CELLS", 10)
    with pytest.raises(induce.InputError, match="2 prototypes of 7 words exceed memory; raise min_count"):
        induce.Rocchio().fit(TEXTS, RATED)
