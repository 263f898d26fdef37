"""Rocchio's method with TFIDF weights: prototypes of the classes, compared by cosine."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.bayes.learners.text_reading import CountReading, TextClassifier
from induce.bayes.text.inputs import joined_texts
from induce.bayes.text.prototypes import Prototypes, weighed_words
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, number
from induce.counts.additive import Floats, sums
from induce.data.schema import Schema
from induce.data.text import WORDS, Documents, Tokeniser
from induce.estimators import ClassReading, TableClassifier

MOST_CELLS = 2**27


class Rocchio(TextClassifier, TableClassifier):
    """Text classification by the cosine with prototypes of TFIDF weights (Mitchell §6.10 cites it; Rocchio 1971).

    The prototype of a class is ``alpha`` times the mean of its texts minus ``beta`` times the mean of all
    others, where each text is a vector of word weights normalised to length 1. A text gets the class whose
    prototype has the largest cosine.

    Texts come in a list, a series, or the columns of a frame, which are joined row by row; counts of words in a scipy
    sparse matrix, or in an all-numeric table, are accepted instead. A missing text and words not seen in training
    have no weight: a text without a known word gets the most frequent class.

    Parameters
    ----------
    alpha : float, default=16.0
        Weight of the texts of a class in its prototype.
    beta : float, default=4.0
        Weight of the texts of other classes, which is subtracted.
    drop_top : int, default=0
        Number of the most frequent words excluded from the vocabulary.
    min_count : float, default=0
        Minimum frequency of a word of the vocabulary.
    pattern : str
        Regular expression for words.
    lowercase : bool, default=True
        Whether texts are converted to lower case.
    class_weight : dict or "balanced", optional
        Weights of the classes.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : Prototypes

    See Also
    --------
    TextNaiveBayes : Naive Bayes for texts.
    KNeighborsClassifier : The nearest examples vote.

    References
    ----------
    J. Rocchio (1971). Relevance feedback in information retrieval. In The SMART Retrieval System. Prentice-Hall.

    T. Joachims (1997). A probabilistic analysis of the Rocchio algorithm with TFIDF for text categorization. In
    International Conference on Machine Learning, 143-151.

    Examples
    --------
    >>> texts = ["our approach is simple", "simple machine learning", "machine is noisy noisy"]
    >>> rocchio = Rocchio().fit(texts, ["like", "like", "dislike"])
    >>> rocchio.predict(["a simple approach", "noisy machine"]).tolist()
    ['like', 'dislike']
    """

    hypothesis_: Prototypes

    parameters: ClassVar[Declared] = {
        "alpha": number("Weight of the texts of a class in its prototype.", at_least=0),
        "beta": number("Weight of the texts of other classes, which is subtracted.", at_least=0),
    }

    def __init__(
        self,
        *,
        alpha: float = 16.0,
        beta: float = 4.0,
        drop_top: int = 0,
        min_count: float = 0,
        pattern: str = WORDS,
        lowercase: bool = True,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.drop_top = drop_top
        self.min_count = min_count
        self.pattern = pattern
        self.lowercase = lowercase
        self.class_weight = class_weight
        self.schema = schema

    def _learn(self, reading: ClassReading) -> Prototypes:
        tokeniser: Tokeniser | None = None
        if isinstance(reading, CountReading):
            texts = reading.documents
        else:
            tokeniser = Tokeniser(self.pattern, self.lowercase)
            tokeniser.check()
            texts = tokeniser.documents(joined_texts(reading.raw, reading.schema))
        weight = reading.weight()
        n_classes, n_words = len(reading.classes), len(texts.vocabulary)
        if n_classes * n_words > MOST_CELLS:
            raise InputError(
                f"{n_classes:,} prototypes of {n_words:,} words exceed memory; raise min_count, or use "
                "TextNaiveBayes"
            )
        rarity = np.where(self._kept(texts, weight), _rarity(texts, weight), 0.0)
        if not rarity.any():
            note(
                "no word distinguishes the texts, so all get the same class; check pattern, drop_top "
                "and min_count"
            )
        class_counts = sums(reading.labels, reading.weights, n_classes)
        vectors = weighed_words(texts, rarity)
        return Prototypes(
            schema=reading.schema,
            target=reading.target,
            classes=reading.classes,
            class_counts=class_counts,
            tokeniser=tokeniser,
            vocabulary=texts.vocabulary,
            rarity=rarity,
            prototypes=self._prototypes(vectors, reading.labels, weight, class_counts),
        )

    def _kept(self, texts: Documents, weight: Floats) -> NDArray[np.bool_]:
        """Return for each word whether it is neither too frequent nor too rare."""
        often = np.asarray(weight @ texts.matrix)
        keep = np.asarray(often >= self.min_count)
        keep[np.argsort(-often, kind="stable")[: self.drop_top]] = False
        return keep

    def _prototypes(self, vectors: Any, labels: Any, weight: Floats, class_counts: Floats) -> Floats:
        """Return alpha times the mean in each class minus beta times the mean outside it, normalised to length 1."""
        from scipy.sparse import csr_array

        n_rows, n_classes = len(labels), len(class_counts)
        member = csr_array((weight, (labels, np.arange(n_rows))), shape=(n_classes, n_rows))
        inside = np.asarray((member @ vectors).toarray())
        outside = inside.sum(axis=0) - inside
        others = class_counts.sum() - class_counts
        means = [
            total / np.where(count > 0, count, 1.0)[:, np.newaxis]
            for total, count in ((inside, class_counts), (outside, others))
        ]
        found = self.alpha * means[0] - self.beta * means[1]
        length = np.sqrt((found * found).sum(axis=1, keepdims=True))
        return np.asarray(found / np.where(length > 0, length, 1.0))


def _rarity(texts: Documents, weight: Floats) -> Floats:
    """Return the inverse document frequency of each word: ln(texts / texts that contain it)."""
    holding = np.asarray(weight @ texts.present.matrix)
    return np.asarray(np.log(weight.sum() / np.where(holding > 0, holding, weight.sum())))
