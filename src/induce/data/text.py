"""Texts as bags of words: one tokeniser for all learners, with fast counting in polars."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from induce.core.cells import is_forked, sorted_cells
from induce.core.errors import InputError
from induce.core.parameters import text, truth

WORDS = r"\w\w+"
"""Words of at least two letters, digits or underscores."""
SKLEARN = r"(?u)\b\w\w+\b"
# Python's definition of these classes; polars also matches marks and excludes fractions
TRANSLATED = {
    r"\w": r"[\p{L}\p{N}_]",
    r"\W": r"[^\p{L}\p{N}_]",
    r"\s": r"[\s\x1c-\x1f]",
    r"\S": r"[^\s\x1c-\x1f]",
}
ESCAPE = re.compile(r"\\.", re.DOTALL)
ONLY_PYTHON = re.compile(r"\\[bB1-9]|\((?!\?:)")


WORD_PARAMETERS = {
    "pattern": text("Regular expression that words match.", "a regular expression"),
    "lowercase": truth("Whether texts are converted to lower case."),
}
"""Declarations of the parameters of a `Tokeniser`."""


@dataclass(frozen=True)
class Tokeniser:
    """Definition of a word in a text.

    Parameters
    ----------
    pattern : str
        Python regular expression; words are its matches from left to right, or the matches of its group.
    lowercase : bool
        Whether texts are converted to lower case first.

    Examples
    --------
    >>> texts = Tokeniser().documents(["A noisy, noisy machine", None])
    >>> texts.vocabulary, texts.matrix.toarray().tolist()
    (('machine', 'noisy'), [[1.0, 2.0], [0.0, 0.0]])
    >>> Tokeniser(r"\\w+|[^\\w\\s]").documents(["A noisy machine!"]).vocabulary
    ('!', 'a', 'machine', 'noisy')
    """

    pattern: str = WORDS
    lowercase: bool = True

    def check(self) -> None:
        """Raise an `InputError` unless the pattern is a valid regular expression and lowercase is a Boolean."""
        if not isinstance(self.lowercase, bool):
            raise InputError(f"lowercase is {self.lowercase!r}; give True or False")
        try:
            groups = re.compile(self.pattern).groups
        except (re.error, TypeError):
            raise InputError(f"pattern is {self.pattern!r}, which is not a regular expression") from None
        if groups > 1:
            raise InputError(f"pattern is {self.pattern!r}; it can have at most one group, which is the word")

    def documents(self, texts: Any, vocabulary: tuple[str, ...] | None = None) -> Documents:
        """Count the words of texts.

        Parameters
        ----------
        texts : polars series or sequence of strings, None if missing
            Texts; a missing text has no words.
        vocabulary : tuple of str, optional
            Words to count; by default all words that occur.
        """
        import polars as pl
        from scipy.sparse import csr_array

        words, lengths = self._words(
            texts if isinstance(texts, pl.Series) else pl.Series(texts, dtype=pl.String)
        )
        if vocabulary is None:
            # faster than `unique` if most words are rare
            vocabulary = tuple(sorted_cells(words.alias("word").value_counts()["word"]).to_list())
        codes = words.cast(pl.Enum(vocabulary), strict=False).to_physical()
        row = np.repeat(np.arange(len(lengths)), lengths)
        if codes.null_count():
            known = codes.is_not_null().to_numpy()
            codes, row = codes.drop_nulls(), row[known]
        start = np.append(0, np.cumsum(np.bincount(row, minlength=len(lengths))))
        code = codes.to_numpy().astype(np.int32)
        return Documents(
            vocabulary,
            csr_array((np.ones(len(code)), code, start), shape=(len(lengths), len(vocabulary))),
        )

    def _words(self, texts: Any) -> tuple[Any, Any]:
        """Return the words of all texts in sequence, and the number of words of each text."""
        import polars as pl

        if self.lowercase:
            texts = texts.str.to_lowercase()
        pattern = WORDS if self.pattern == SKLEARN else self.pattern
        if ONLY_PYTHON.search(pattern) or is_forked():
            find = re.compile(pattern).findall
            listed = [[] if text is None else find(text) for text in texts.to_list()]
            return pl.Series([*chain.from_iterable(listed)], dtype=pl.String), np.array(
                [*map(len, listed)], int
            )
        own = ESCAPE.sub(lambda match: TRANSLATED.get(match[0], match[0]), pattern)
        found = texts.str.extract_all(own).fill_null([])
        lengths = found.list.len().to_numpy()
        words = found.explode(empty_as_null=False) if len(found) else pl.Series([], dtype=pl.String)
        return words, lengths


@dataclass(frozen=True, eq=False)
class Documents:
    """Texts as word counts.

    Parameters
    ----------
    vocabulary : tuple of str
        Word of each column of the matrix.
    matrix : scipy sparse array in CSR form
        Number of occurrences of each word in each text; duplicate entries of a row are summed.
    """

    vocabulary: tuple[str, ...]
    matrix: Any

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    @cached_property
    def present(self) -> Documents:
        """Return the same texts with 1 for every word that occurs."""
        matrix = self.matrix.copy()
        matrix.sum_duplicates()
        matrix.data = (matrix.data > 0).astype(np.float64)
        return Documents(self.vocabulary, matrix)

    def __getitem__(self, rows: slice) -> Documents:
        return Documents(self.vocabulary, self.matrix[rows])


def counted_texts(counts: Any, vocabulary: Sequence[str] | None = None) -> Documents:
    """Return texts from a matrix of counts.

    Parameters
    ----------
    counts : scipy sparse matrix or array
        Number of occurrences of each word (column) in each text (row).
    vocabulary : sequence of str, optional
        Words; ``x0``, ``x1``, … by default.

    Examples
    --------
    >>> counted_texts(np.array([[0, 2], [1, 0]])).vocabulary
    ('x0', 'x1')
    """
    from scipy.sparse import csr_array

    matrix = csr_array(counts, dtype=np.float64)
    if not np.isfinite(matrix.data).all():
        raise InputError("the word counts contain infinity or NaN; give numbers of 0 or more")
    if (matrix.data < 0).any():
        raise InputError("Negative values in data: they are taken for word counts; give numbers of 0 or more")
    words = tuple(f"x{j}" for j in range(matrix.shape[1])) if vocabulary is None else tuple(vocabulary)
    return Documents(words, matrix)
