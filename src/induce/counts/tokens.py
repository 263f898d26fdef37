"""Counts of words by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.shapes import check_numbers, check_places, check_shapes
from induce.counts.additive import Additive, Floats, Ints, sums, without_rounding

if TYPE_CHECKING:
    from induce.data.text import Documents

MOST_CELLS = 2**25


@dataclass(frozen=True, eq=False)
class TokenCounts(Additive):
    """Words of texts, with the weight of each in every class in which it occurs.

    Parameters
    ----------
    vocabulary : tuple of str
        Words in ascending order, unless they are the columns of a count matrix.
    word, label : arrays of int32
        Vocabulary indices and classes, in ascending order of words.
    weight : array of float64
        Weight of each word in its class.
    n_classes : int
        Number of classes.

    Examples
    --------
    >>> from induce.data.text import Tokeniser
    >>> texts = Tokeniser().documents(["machine is noisy noisy", "simple machine"])
    >>> counts = TokenCounts.of(texts, np.array([0, 1]), 2)
    >>> dict(zip(counts.vocabulary, counts.table().tolist()))
    {'is': [1.0, 0.0], 'machine': [1.0, 1.0], 'noisy': [2.0, 0.0], 'simple': [0.0, 1.0]}
    """

    vocabulary: tuple[str, ...]
    word: Ints
    label: Ints
    weight: Floats
    n_classes: int

    def check(self) -> None:
        """Raise an `InputError` unless each entry has a word and a class."""
        check_shapes(self, dict.fromkeys(("word", "label", "weight"), "entries"))
        check_places("word", self.word, len(self.vocabulary))
        check_places("label", self.label, self.n_classes)
        check_numbers("weight", self.weight, at_least=0)

    @classmethod
    def of(
        cls, texts: Documents, labels: NDArray[Any], n_classes: int, weights: Floats | None = None
    ) -> TokenCounts:
        """Count the words of texts by class."""
        matrix = texts.matrix
        lengths = np.diff(matrix.indptr)
        weight = matrix.data if weights is None else matrix.data * np.repeat(weights, lengths)
        return cls._merged(texts.vocabulary, matrix.indices, np.repeat(labels, lengths), weight, n_classes)

    @classmethod
    def none(cls, n_classes: int, vocabulary: tuple[str, ...] = ()) -> TokenCounts:
        """Return the counts of zero texts."""
        nothing = np.empty(0, np.int32)
        return cls(vocabulary, nothing, nothing, np.empty(0), n_classes)

    @classmethod
    def _merged(
        cls,
        vocabulary: tuple[str, ...],
        word: NDArray[Any],
        label: NDArray[Any],
        weight: Floats,
        n_classes: int,
    ) -> TokenCounts:
        key = word.astype(np.int64) * n_classes + label
        n_cells = len(vocabulary) * n_classes
        found: NDArray[Any] | None = None
        if n_cells > MOST_CELLS:
            found, key = np.unique(key, return_inverse=True)
            n_cells = len(found)
        total = sums(key, weight, n_cells)
        if len(weight) and weight.min() < 0:
            total = without_rounding(total, sums(key, np.abs(weight), n_cells))
        kept = np.flatnonzero(total)
        word, label = np.divmod(kept if found is None else found[kept], n_classes)
        return cls(vocabulary, word.astype(np.int32), label.astype(np.int32), total[kept], n_classes)

    def __add__(self, other: TokenCounts) -> TokenCounts:
        mine, theirs = self, other
        if self.vocabulary != other.vocabulary:
            joined = tuple(sorted({*self.vocabulary, *other.vocabulary}))
            mine, theirs = self.within(joined), other.within(joined)
        return self._merged(
            mine.vocabulary,
            np.append(mine.word, theirs.word),
            np.append(mine.label, theirs.label),
            np.append(mine.weight, theirs.weight),
            self.n_classes,
        )

    def __mul__(self, weight: float) -> TokenCounts:
        return TokenCounts(self.vocabulary, self.word, self.label, self.weight * weight, self.n_classes)

    def within(self, vocabulary: tuple[str, ...]) -> TokenCounts:
        """Return the same counts over a vocabulary that contains all their words."""
        place = {word: code for code, word in enumerate(vocabulary)}
        codes = np.array([place[word] for word in self.vocabulary], np.int32)
        return TokenCounts(vocabulary, codes[self.word], self.label, self.weight, self.n_classes)

    def placed(self, places: Sequence[int], size: int) -> TokenCounts:
        """Return the counts with more classes: class `i` becomes class `places[i]`."""
        label = np.asarray(places, np.int32)[self.label]
        return self._merged(self.vocabulary, self.word, label, self.weight, size)

    def by_word(self) -> Floats:
        """Return the frequency of each word of the vocabulary over all classes."""
        return sums(self.word, self.weight, len(self.vocabulary))

    def by_class(self) -> Floats:
        """Return the number of words of each class."""
        return sums(self.label, self.weight, self.n_classes)

    def table(self, words: NDArray[Any] | None = None) -> Floats:
        """Return the weight of each word of the vocabulary, or of some of them, in each class."""
        found = np.zeros((len(self.vocabulary) if words is None else len(words), self.n_classes))
        if words is None:
            found[self.word, self.label] = self.weight
            return found
        place = np.full(len(self.vocabulary), -1)
        place[words] = np.arange(len(words))
        asked = place[self.word] >= 0
        found[place[self.word[asked]], self.label[asked]] = self.weight[asked]
        return found
