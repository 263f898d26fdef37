"""String kernels: common substrings, and common subsequences with gaps (AIMA 20.6; Lodhi et al. 2002)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.checks import at_least, share
from induce.core.errors import InputError
from induce.core.loops import sized
from induce.kernels import _string_loops as loops
from induce.kernels.inputs import Array, Floats, Inputs, plain_inputs
from induce.kernels.kernel import THINGS, Kernel

OUTSIDE = -1
"""Code of a letter that no other string has."""
STEP = 1e8
"""Number of letter pairs compared per compiled step."""


@dataclass(frozen=True)
class Spectrum(Kernel):
    """K(s, t) counts the pairs of equal substrings of a given length (Leslie, Eskin and Noble 2002).

    Parameters
    ----------
    length : int
        Length in letters, or in words.
    words : bool
        Whether texts are sequences of words instead of letters.

    Examples
    --------
    >>> Spectrum(2)(["statistics", "computation"]).tolist()
    [[13.0, 4.0], [4.0, 10.0]]
    """

    length: int = 3
    words: bool = False

    def __post_init__(self) -> None:
        at_least("length", self.length, 1, whole=True)

    def needs(self) -> frozenset[str]:
        return frozenset([THINGS])

    def prepare(self, inputs: Inputs) -> Any:
        return [self.parts([column[i] for column in _texts(inputs, self)]) for i in range(len(inputs))]

    def parts(self, texts: Sequence[str]) -> Counter[Any]:
        """Return the number of occurrences of each substring in the texts of a row."""
        found: Counter[Any] = Counter()
        for text in texts:
            letters: Any = tuple(text.split()) if self.words else text
            found.update(letters[i : i + self.length] for i in range(len(letters) - self.length + 1))
        return found

    def between(self, a: Any, b: Any) -> Array:
        places: dict[Any, int] = {}
        for counter in b:
            for part in counter:
                places.setdefault(part, len(places))
        product = _counts(a, places) @ _counts(b, places).T
        return np.asarray(product.toarray())

    def own(self, a: Any) -> Floats:
        return np.array([sum(n * n for n in counter.values()) for counter in a], np.float64)

    def features(self, X: Any) -> Floats:
        counters = self.prepare(plain_inputs(X)[0])
        places = {part: i for i, part in enumerate(sorted(set().union(*counters)))}
        return np.asarray(_counts(counters, places).toarray())

    def __str__(self) -> str:
        return f"common substrings of {self.length} {'words' if self.words else 'letters'}"


@dataclass(frozen=True)
class Subsequence(Kernel):
    """K(s, t) sums λ to the power of the spanned letters over all common subsequences of a given length.

    Parameters
    ----------
    length : int
        Number of letters, or words, in a subsequence.
    decay : float
        Factor λ for each letter spanned, between 0 and 1.
    words : bool
        Whether texts are sequences of words instead of letters.

    Examples
    --------
    >>> round(Subsequence(2, 0.5)(["cat"], ["car"]).item(), 4)  # "ca" alone: λ⁴
    0.0625
    >>> round(Subsequence(2, 0.5).normalised()(["cat"], ["car"]).item(), 4)  # 1 / (2 + λ²)
    0.4444
    """

    length: int = 3
    decay: float = 0.5
    words: bool = False

    def __post_init__(self) -> None:
        at_least("length", self.length, 1, whole=True)
        share("decay", self.decay)

    def needs(self) -> frozenset[str]:
        return frozenset([THINGS])

    def prepare(self, inputs: Inputs) -> Any:
        columns = _texts(inputs, self)
        return [
            [column[i].split() if self.words else column[i] for column in columns] for i in range(len(inputs))
        ]

    def between(self, a: Any, b: Any) -> Array:
        found = np.zeros((len(a), len(b)))
        for column in range(len(a[0]) if a else 0):
            found += self._compared([row[column] for row in a], [row[column] for row in b], a is b)
        return found

    def own(self, a: Any) -> Floats:
        compare = self._loop(sum(len(text) ** 2 for row in a for text in row))
        return np.array([sum(self._alone(compare, text) for text in row) for row in a], np.float64)

    def _alone(self, compare: Any, text: Any) -> float:
        coded, _ = _coded([text])
        return float(self._row(compare, coded, coded[0])[0])

    def _compared(self, a: list[Any], b: list[Any], alike: bool) -> Floats:
        """Return the kernel of two lists of strings; only one triangle is computed if they are the same."""
        coded, code = _coded(b)
        compare = self._loop(sum(map(len, a)) * sum(map(len, b)))
        found = np.zeros((len(a), len(b)))
        for i, text in enumerate(a):
            one = coded[i] if alike else np.array([code.get(x, OUTSIDE) for x in text], np.int64)
            first = i if alike else 0
            found[i, first:] = self._row(compare, coded[first:], one)
        return np.triu(found) + np.triu(found, 1).T if alike else found

    def _loop(self, pairs: float) -> Any:
        """Return the plain loop, or the compiled one if there are many letter pairs."""
        return sized(loops.subsequences, pairs * self.length)

    def _row(self, compare: Any, others: list[Any], one: Any) -> Floats:
        """Return the kernel values of one string with several others, in bounded steps."""
        longest = max(map(len, others), default=0)
        before, found = np.empty((self.length, longest + 1)), np.zeros(len(others))
        size = max(1, int(STEP // (self.length * max(1, longest * len(one)))))
        for start in range(0, len(others), size):
            some = others[start : start + size]
            ends = np.cumsum([0, *map(len, some)])
            compare(
                one,
                np.concatenate(some),
                ends,
                self.length,
                float(self.decay),
                before,
                found[start : start + size],
            )
        return found

    def __str__(self) -> str:
        return f"common subsequences of {self.length} {'words' if self.words else 'letters'}, decay {self.decay:.4g}"


def _texts(inputs: Inputs, kernel: Kernel) -> tuple[Sequence[str], ...]:
    if not inputs.things or not all(isinstance(cell, str) for column in inputs.things for cell in column):
        raise InputError(
            f"the kernel compares strings ({kernel}); give strings, or a table with a text column"
        )
    return inputs.things


def _counts(counters: Sequence[Counter[Any]], places: dict[Any, int]) -> Any:
    from scipy.sparse import csr_array

    cells = [
        (row, places[part], n)
        for row, each in enumerate(counters)
        for part, n in each.items()
        if part in places
    ]
    rows, columns, numbers = zip(*cells, strict=True) if cells else ((), (), ())
    shape = (len(counters), max(1, len(places)))
    return csr_array((np.array(numbers, np.float64), (np.array(rows, int), np.array(columns, int))), shape)


def _coded(strings: Sequence[Any]) -> tuple[list[Any], dict[Any, int]]:
    """Return strings as arrays of letter codes, and the codes."""
    code: dict[Any, int] = {}
    return [np.array([code.setdefault(x, len(code)) for x in text], np.int64) for text in strings], code
