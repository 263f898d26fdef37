"""Columns of text: a probability for each word in each class (Mitchell §6.10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.bayes.naive_bayes.column import ColumnModel, Term, holes_by_class
from induce.core.errors import InputError
from induce.core.shapes import check_numbers, check_shapes
from induce.counts.additive import Floats, sums
from induce.counts.tokens import TokenCounts
from induce.data.schema import Column
from induce.data.text import Documents, Tokeniser
from induce.hypotheses.naming import count_text, value_text

VARIANTS = ("multinomial", "bernoulli", "complement")


@dataclass(frozen=True, eq=False, kw_only=True)
class WordsColumn(ColumnModel):
    """P(word | class), regardless of the position of the word (Mitchell, table 6.2).

    Words that are not in the vocabulary, and a missing text, are ignored.

    Parameters
    ----------
    counts : TokenCounts
        Counts of words by class; for the Bernoulli variant, of texts that contain the word.
    texts : array of float64
        Weight of the texts of each class.
    tokeniser : Tokeniser or None
        Tokeniser of texts; None if the rows are word counts.
    alpha : float
        Pseudo-count of every word of the vocabulary.
    variant : {"multinomial", "bernoulli", "complement"}
        Event model. ``"multinomial"``: words drawn one at a time. ``"bernoulli"``: presence or absence of
        every word of the vocabulary. ``"complement"``: words drawn one at a time, compared with the texts of
        all other classes (Rennie et al. 2003).
    drop_top : int
        Number of the most frequent words excluded from the vocabulary; ties are broken by order.
    min_count : float
        Minimum total frequency of a word of the vocabulary.

    See Also
    --------
    ColumnModel : the other parameters.
    """

    counts: TokenCounts
    texts: Floats
    tokeniser: Tokeniser | None
    alpha: float = 1.0
    variant: str = "multinomial"
    drop_top: int = 0
    min_count: float = 0.0

    def check_classes(self, n_classes: int) -> None:
        """Raise an `InputError` unless there are counts of texts and words for each class."""
        super().check_classes(n_classes)
        check_shapes(self, {"texts": "classes"}, classes=n_classes)
        check_numbers("texts", self.texts, at_least=0)
        check_numbers("alpha", [self.alpha], at_least=0)
        if self.counts.n_classes != n_classes:
            raise InputError(f"the words were counted in {self.counts.n_classes} classes of {n_classes}")

    def lacking(self) -> dict[str, str]:
        """Return the export formats that a hypothesis with this column does not support, with the reason."""
        if self.tokeniser is None:
            return dict.fromkeys(("sql", "python", "onnx"), "has word counts, but no texts to find words in")
        return dict.fromkeys(("sql", "onnx"), "needs texts")

    @cached_property
    def kept(self) -> NDArray[np.intp]:
        """Positions of the words of the vocabulary among all counted words."""
        often = self.counts.by_word()
        keep = often >= self.min_count
        if (
            self.tokeniser is not None
        ):  # the columns of a count matrix are a vocabulary, whether they occur or not
            keep &= often > 0
        keep[np.argsort(-often, kind="stable")[: self.drop_top]] = False
        return np.flatnonzero(keep)

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """Words of the vocabulary."""
        if len(self.kept) == len(self.counts.vocabulary):
            return self.counts.vocabulary
        return tuple(self.counts.vocabulary[place] for place in self.kept.tolist())

    @cached_property
    def totals(self) -> Floats:
        """Number of words of each class that are in the vocabulary: n in table 6.2."""
        kept = np.zeros(len(self.counts.vocabulary), np.bool_)
        kept[self.kept] = True
        mine = kept[self.counts.word]
        return sums(self.counts.label[mine], self.counts.weight[mine], self.counts.n_classes)

    @cached_property
    def base(self) -> Floats:
        """Score of a text without any word of the vocabulary in each class."""
        if self.variant != "bernoulli":
            return np.zeros(len(self.texts))
        absent = np.log(self.texts + 2 * self.alpha)
        found = np.log(self.texts + self.alpha - self.counts.table(self.kept)) - absent
        return np.asarray(found.sum(axis=0))

    def weights(self, words: NDArray[np.intp]) -> Floats:
        """Return the score of each occurrence of some words of the vocabulary in each class, one row per
        word.
        """
        counts = self.counts.table(self.kept[words])
        if self.variant == "bernoulli":
            ratio = (counts + self.alpha) / (self.texts + self.alpha - counts)
        elif self.variant == "complement":
            others = self.totals.sum() - self.totals + self.alpha * len(self.kept)
            ratio = others / (counts.sum(axis=1, keepdims=True) - counts + self.alpha)
        else:
            totals = self.totals + self.alpha * len(self.kept)
            even = np.full_like(counts, 1.0 / max(1, len(self.kept)))
            ratio = np.divide(counts + self.alpha, totals, out=even, where=totals > 0)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(ratio))

    def documents(self, values: Any) -> Documents:
        """Return the texts of the given rows as words of the vocabulary."""
        if self.tokeniser is None:
            if not isinstance(values, Documents):
                raise InputError("the model was learned from word counts; give counts instead of texts")
            return Documents(self.vocabulary, values.matrix[:, self.kept])
        return self.tokeniser.documents(values, self.vocabulary)

    def count(self, values: Any, labels: NDArray[np.int64], weights: Floats | None) -> Self:
        """Count the words of the given rows."""
        n_classes = len(self.holes)
        texts = values if self.tokeniser is None else self.tokeniser.documents(values)
        if self.variant == "bernoulli":
            texts = texts.present
        holes = holes_by_class(_missing(values), labels, n_classes, weights)
        return replace(
            self,
            holes=holes,
            counts=TokenCounts.of(texts, labels, n_classes, weights),
            texts=sums(labels, weights, n_classes) - holes,
        )

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            holes=self.holes + other.holes,
            counts=self.counts + other.counts,
            texts=self.texts + other.texts,
        )

    def enlarged(self, column: Column, places: Sequence[int], n_classes: int) -> Self:
        """Return the model with further classes."""
        texts = np.zeros(n_classes)
        texts[np.asarray(places, np.intp)] = self.texts
        return replace(
            self,
            holes=self._more_holes(places, n_classes),
            counts=self.counts.placed(places, n_classes),
            texts=texts,
        )

    def add(self, scores: Floats, values: Any) -> None:
        """Add the scores of the words of each text."""
        from scipy.sparse import csr_array

        texts = self._weighed(self.documents(values))
        occurs = np.zeros(len(self.kept), np.bool_)
        occurs[texts.indices] = True
        used = np.flatnonzero(occurs)
        place = np.cumsum(occurs) - 1
        matrix = csr_array((texts.data, place[texts.indices], texts.indptr), shape=(len(values), len(used)))
        scores += (matrix @ self.weights(used)).T
        if self.variant == "bernoulli":
            scores += np.where(_missing(values), 0.0, self.base[:, np.newaxis])

    def terms(self, value: Any) -> list[Term]:
        """Return the evidence of each word of one text."""
        texts = self._weighed(self.documents(value)).copy()
        texts.sum_duplicates()
        weights = self.weights(texts.indices) * texts.data[:, np.newaxis]
        found = [
            (self._called(word, times), weight)
            for word, times, weight in zip(texts.indices.tolist(), texts.data.tolist(), weights, strict=True)
        ]
        if self.variant == "bernoulli" and not _missing(value).any():
            found.append((f"{value_text(self.column.name)} lacks the other words", self.base))
        return found

    def n_parameters(self) -> int:
        """Return the number of conditional probabilities."""
        return len(self.kept) * len(self.holes)

    def n_free(self) -> int:
        """Return the number of free parameters."""
        return self.n_parameters() - (0 if self.variant == "bernoulli" else len(self.holes))

    def _weighed(self, texts: Documents) -> Any:
        return texts.present.matrix if self.variant == "bernoulli" else texts.matrix

    def _called(self, word: int, times: float) -> str:
        often = "" if times == 1 else f" ({count_text(times)} times)"
        return f"{value_text(self.column.name)}: {value_text(self.vocabulary[word])}{often}"


def _missing(values: Any) -> NDArray[np.bool_]:
    """Return whether each text is missing; none are if rows are word counts."""
    if isinstance(values, Documents):
        return np.zeros(len(values), np.bool_)
    return np.asarray(values.is_null().to_numpy())
