"""LEARN_NAIVE_BAYES_TEXT and CLASSIFY_NAIVE_BAYES_TEXT (Mitchell, table 6.2), with their variants."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from induce.bayes.learners.naive_bayes import NaiveBayes
from induce.bayes.learners.text_reading import CountReading, TextClassifier
from induce.bayes.naive_bayes.column_settings import ColumnSettings
from induce.bayes.naive_bayes.hypothesis import NaiveBayesModel
from induce.bayes.naive_bayes.words import VARIANTS
from induce.bayes.text.hypothesis import TextNaiveBayesModel
from induce.bayes.text.inputs import as_table, counts_of
from induce.core import trace
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, choice, number
from induce.data.frames import RawFrame
from induce.data.schema import Schema
from induce.data.text import WORDS, Tokeniser
from induce.estimators import ClassReading

WORDS_TOLD = 20
"""Number of words per class in a trace."""


class TextNaiveBayes(TextClassifier, NaiveBayes):
    """Text classification by words, regardless of their position (Mitchell §6.10, table 6.2).

    Texts come in a list, a series, or the columns of a frame, each with its own vocabulary; counts of words
    in a scipy sparse matrix, or in an all-numeric table, are accepted instead. Other columns are ignored with
    a note. A missing text and a word not seen in training are ignored: a text without a known word gets the
    class of the highest prior.

    Parameters
    ----------
    variant : {"multinomial", "bernoulli", "complement"}, default="multinomial"
        Counting of words. ``"multinomial"``: every occurrence (table 6.2). ``"bernoulli"``: the presence of
        each word of the vocabulary. ``"complement"``: every occurrence, compared with the texts of all other
        classes (Rennie et al. 2003).
    alpha : float, default=1.0
        Pseudo-count of every word of the vocabulary; 1 is the estimate of table 6.2.
    drop_top : int, default=0
        Number of the most frequent words excluded from the vocabulary (100 in Mitchell §6.10.1).
    min_count : float, default=0
        Minimum frequency of a word of the vocabulary (3 in Mitchell §6.10.1).
    class_alpha : float, default=0.0
        Pseudo-count of every class.
    priors : dict or list, optional
        Prior probabilities of the classes; None estimates them by counting. A list is in the order of
        ``classes_``.
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
    hypothesis_ : TextNaiveBayesModel

    See Also
    --------
    NaiveBayes : Naive Bayes for tables.
    Rocchio : Prototypes of texts.

    References
    ----------
    A. McCallum and K. Nigam (1998). A comparison of event models for naive Bayes text classification. In AAAI
    Workshop on Learning for Text Categorization, 41-48.

    T. M. Mitchell (1997). Machine Learning. McGraw-Hill, section 6.10.

    Examples
    --------
    >>> texts = ["our approach is simple", "simple machine learning", "machine is noisy noisy"]
    >>> bayes = TextNaiveBayes().fit(texts, ["like", "like", "dislike"])
    >>> bayes.predict(["simple machine chocolate", "noisy machine"]).tolist()
    ['like', 'dislike']
    >>> print(bayes.explain(["noisy machine"])[0])
    dislike rather than like (70.8 %): log odds +0.89
      +1.34  text: noisy
      +0.24  text: machine
      -0.69  dislike rather than like beforehand
    """

    hypothesis_: TextNaiveBayesModel
    _model = TextNaiveBayesModel

    parameters: ClassVar[Declared] = {
        "variant": choice(
            "Counting of words: occurrences, presence, or occurrences in other classes.", *VARIANTS
        ),
        "alpha": number("Pseudo-count of every word of the vocabulary.", at_least=0),
    }

    def __init__(
        self,
        *,
        variant: str = "multinomial",
        alpha: float = 1.0,
        drop_top: int = 0,
        min_count: float = 0,
        class_alpha: float = 0.0,
        priors: Any = None,
        pattern: str = WORDS,
        lowercase: bool = True,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.variant = variant
        self.alpha = alpha
        self.drop_top = drop_top
        self.min_count = min_count
        self.class_alpha = class_alpha
        self.priors = priors
        self.pattern = pattern
        self.lowercase = lowercase
        self.class_weight = class_weight
        self.schema = schema

    def _settings(self, reading: ClassReading) -> ColumnSettings:
        counts = isinstance(reading, CountReading)
        return ColumnSettings(
            alpha=self.alpha,
            tokeniser=None if counts else Tokeniser(self.pattern, self.lowercase),
            variant=self.variant,
            drop_top=self.drop_top,
            min_count=self.min_count,
        )

    def _tell(self) -> None:
        """Emit a note if there is nothing to learn from."""
        if not any(column.n_parameters() for column in self.hypothesis_.columns):
            note("the vocabulary is empty, so the prior decides; check pattern, drop_top and min_count")
        if trace.active("class"):
            self._tell_classes()

    def _tell_classes(self) -> None:
        """Emit the counts of each class and the estimates of words to an active trace (Mitchell table 6.2)."""
        model, column = self.hypothesis_, self.hypothesis_.words
        counts = column.counts.table(column.kept)
        alpha = float(self.alpha) if isinstance(self.alpha, int | float) else math.nan
        chances = (counts + alpha) / np.maximum(counts.sum(axis=0) + alpha * len(counts), 1e-300)
        for k, name in enumerate(model.classes):
            order = np.argsort(-counts[:, k], kind="stable")[:WORDS_TOLD].tolist()
            words = {
                column.vocabulary[i]: {"count": float(counts[i, k]), "estimate": float(chances[i, k])}
                for i in order
            }
            trace.emit(
                "class",
                of=name,
                documents=float(model.class_counts[k]),
                prior=float(model.priors[k]),
                positions=float(counts[:, k].sum()),
                vocabulary=len(counts),
                words=words if self.variant == "multinomial" and not math.isnan(alpha) else None,
            )

    def _values_of(self, reading: ClassReading) -> Iterable[Any]:
        return [reading.documents] if isinstance(reading, CountReading) else super()._values_of(reading)

    def _further(self, known: NaiveBayesModel, X: Any, y: Any, sample_weight: Any) -> ClassReading:
        words = self.hypothesis_.words
        if words.tokeniser is not None:
            return super()._further(known, as_table(X), y, sample_weight)
        if hasattr(X, "shape") and X.shape[1:] != (self.n_features_in_,):
            raise InputError(
                f"X has {X.shape[-1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input"
            )
        documents = counts_of(X, words.counts.vocabulary)
        raw = RawFrame((), len(documents), named=False)
        classes, labels, weights = self._further_classes(y, len(documents), sample_weight)
        return CountReading(raw, known.schema, weights, known.target, classes, labels, documents)
