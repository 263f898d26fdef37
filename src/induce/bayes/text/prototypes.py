"""Rocchio hypothesis: a prototype of word weights for each class."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.bayes.text.inputs import documents_of
from induce.core.errors import InputError
from induce.core.explained import Explained
from induce.core.forms import Parts
from induce.core.shapes import check_numbers
from induce.core.ties import first_largest, largest_first, ranked
from induce.core.values import Value
from induce.counts.additive import Floats
from induce.data.schema import Schema
from induce.data.text import Documents, Tokeniser
from induce.hypotheses.conflict_resolution import probabilities
from induce.hypotheses.exporting import PythonForm
from induce.hypotheses.kinds.classifier import Classifier, Places
from induce.hypotheses.naming import plural, value_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.hypotheses.expressions.nodes import Expression

MOST_WORDS = 10
MOST_CLASSES = 20


@dataclass(frozen=True)
class Likeness(Explained):
    """A prediction by the angle between a text and the prototypes of the classes.

    Parameters
    ----------
    prediction : str, int, float or bool
    cosine : float
        Cosine with the prototype of the predicted class.
    against : str, int, float, bool or None
        Class with the second-largest cosine; None if there is no other.
    rival : float
        Cosine with the prototype of that class.
    terms : tuple of (str, float)
        Words of the text with their contributions to the difference of the two cosines, the most decisive
        first.

    Examples
    --------
    >>> print(Likeness("like", 0.75, "dislike", 0.25, (("simple", 0.75), ("machine", -0.25))))
    like rather than dislike: cosine 0.750 against 0.250
      +0.750  simple
      -0.250  machine
    """

    prediction: Value
    cosine: float
    against: Value | None
    rival: float
    terms: tuple[tuple[str, float], ...]

    def __str__(self) -> str:
        head = value_text(self.prediction)
        if self.against is None:
            return f"{head}, the only class"
        head += f" rather than {value_text(self.against)}: cosine {self.cosine:.3f} against {self.rival:.3f}"
        lines = [f"  {weight:+.3f}  {word}" for word, weight in self.terms[: 2 * MOST_WORDS]]
        rest = self.terms[2 * MOST_WORDS :]
        more = math.fsum(weight for _, weight in rest)
        return "\n".join(
            [head, *lines, *([f"  {more:+.3f}  all {len(rest)} others together"] if rest else [])]
        )


@dataclass(frozen=True, eq=False)
class Prototypes(PythonForm, Classifier):
    """The class whose prototype has the smallest angle with the weights of the words of a text.

    The weight of a word is its frequency in the text times its inverse document frequency (TFIDF). A text
    without a known word gets the most frequent class. Ties go to the first class.

    Parameters
    ----------
    schema : Schema
        Columns of the table.
    target : str
        Name of the target.
    classes : tuple
        Classes in declared order.
    class_counts : array of float64
        Weight of the rows of each class.
    tokeniser : Tokeniser or None
        Tokeniser of texts; None if the rows are word counts.
    vocabulary : tuple of str
        Words of the vocabulary.
    rarity : array of float64
        Inverse document frequency (IDF) of each word; 0 if excluded.
    prototypes : array of float64, shape (classes, words)
        Prototypes, each of length 1.
    """

    takes_tables = False

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    class_counts: Floats
    tokeniser: Tokeniser | None
    vocabulary: tuple[str, ...]
    rarity: Floats
    prototypes: Floats

    def cosines(self, X: Any) -> Floats:
        """Return the cosine of each text with the prototype of each class; 0 if it has no known word."""
        return self._scores(self.encoded(X))

    def _scores(self, vectors: Any) -> Floats:
        return np.asarray(vectors @ self.prototypes.T)

    def _shares(self, cosines: Floats) -> Floats:
        """Return the cosines with the classes, with negative ones set to 0, normalised to sum to 1.

        They rank texts by confidence, but are not calibrated probabilities.
        """
        return probabilities(np.maximum(cosines, 0.0), self._decided(cosines))

    def explain(self, X: Any) -> tuple[Likeness, ...]:
        """Return for each text the deciding words, with their weights."""
        vectors = self.encoded(X)
        cosines = self._scores(vectors)
        return tuple(
            self._likeness(vectors[i : i + 1], row, best)
            for i, (row, best) in enumerate(zip(cosines, self._decided(cosines).tolist(), strict=True))
        )

    def expression(self) -> Expression:
        """Return the hypothesis as an expression: the class with the largest sum of word weights, times the
        length."""
        from induce.hypotheses.expressions.nodes import (
            And,
            Case,
            Cell,
            Comparison,
            Constant,
            Largest,
            Let,
            Part,
            Sum,
            Variable,
            Words,
        )

        if self.tokeniser is None:
            raise InputError(
                "cannot export a hypothesis learned from word counts, which has no texts; learn from texts"
            )
        pattern, lowercase = self.tokeniser.pattern, self.tokeniser.lowercase
        rows = tuple(tuple(row) for row in (self.prototypes * self.rarity).T.tolist())
        nothing = Constant((0.0,) * len(self.classes))
        found = [
            Words(Cell(column), pattern, lowercase, False, self.vocabulary, rows)
            for column in self.schema.inputs()
            if rows
        ]
        sums = Variable("sums", len(self.classes))
        silent = And(tuple(Comparison(Part(sums, k), "=", Constant(0.0)) for k in range(len(self.classes))))
        most = Constant(self.classes[int(self.class_counts.argmax())])
        chosen = Largest(sums, tuple(map(Constant, self.classes)), self.ties_by_rounding)
        return Let("sums", Sum((nothing, *found)), Case(((silent, most),), chosen))

    def size(self) -> str:
        """Return the size of the hypothesis."""
        return f"{plural(len(self.classes), 'prototype')} of {np.count_nonzero(self.rarity):,} words"

    def parts(self) -> Parts:
        """Return the number of word weights of all prototypes."""
        return Parts(int(np.count_nonzero(self.prototypes)), "weights of words")

    def __str__(self) -> str:
        lines = []
        for value, prototype in list(zip(self.classes, self.prototypes, strict=True))[:MOST_CLASSES]:
            words = ", ".join(
                f"{self.vocabulary[place]} {prototype[place]:.2f}" for place in _highest(prototype)
            )
            lines.append(f"{value_text(value)}: {words or 'no word'}")
        left = len(self.classes) - len(lines)
        return "\n".join([*lines, *([f"and {left:,} other classes"] if left > 0 else [])])

    def draw(self) -> Figure:
        """Return a figure of the words with the largest weights in each prototype."""
        from induce.bayes.text.pictures import draw_prototypes

        return draw_prototypes(self)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        n_classes, n_words = len(self.classes), len(self.vocabulary)
        fits = self.class_counts.shape == (n_classes,) and self.rarity.shape == (n_words,)
        if not fits or self.prototypes.shape != (n_classes, n_words):
            raise InputError("the prototypes do not match the words and classes; learn them again")
        for field in ("class_counts", "rarity", "prototypes"):
            check_numbers(field, getattr(self, field))
        if not len(self.schema.inputs()):
            raise InputError("the prototypes have no text column; learn them again")

    def encoded(self, X: Any) -> Any:
        """Return the weights of the words of each text."""
        return weighed_words(documents_of(X, self.schema, self.tokeniser, self.vocabulary), self.rarity)

    def _decided(self, cosines: Floats) -> Places:
        silent = ~cosines.any(axis=1)
        return np.where(silent, self.class_counts.argmax(), super()._decided(cosines))

    def _likeness(self, vector: Any, cosines: Floats, best: int) -> Likeness:
        if len(self.classes) == 1:
            return Likeness(self.classes[0], float(cosines[0]), None, 0.0, ())
        others = np.where(np.arange(len(cosines)) == best, -np.inf, cosines)
        rival = first_largest(others)
        gaps = vector.data * (self.prototypes[best] - self.prototypes[rival])[vector.indices]
        terms = [
            (value_text(self.vocabulary[place]), gap)
            for place, gap in zip(vector.indices.tolist(), gaps.tolist(), strict=True)
        ]
        terms = ranked(terms, lambda term: abs(term[1]))
        return Likeness(
            self.classes[best], float(cosines[best]), self.classes[rival], float(cosines[rival]), tuple(terms)
        )


def weighed_words(texts: Documents, rarity: Floats) -> Any:
    """Return the TFIDF weights of the words of texts, each row of length 1, as a sparse matrix.

    Examples
    --------
    >>> texts = Tokeniser().documents(["noisy noisy machine", "machine"])
    >>> weighed_words(texts, np.array([0.0, 0.7])).toarray().round(2).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    matrix = texts.matrix.copy()
    matrix.sum_duplicates()
    matrix.data = matrix.data * rarity[matrix.indices]
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    length = np.sqrt(np.bincount(row, matrix.data**2, matrix.shape[0]))
    matrix.data /= np.where(length > 0, length, 1.0)[row]
    return matrix


def _highest(prototype: Floats) -> list[int]:
    order = largest_first(prototype)[:MOST_WORDS]
    return [place for place in order.tolist() if prototype[place] > 0]
