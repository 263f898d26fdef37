"""A population of rule sets, generation by generation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.evolution.rule_sets import _loops
from induce.evolution.rule_sets.encoding import Bits, RuleEncoding, Words

Floats = NDArray[np.float64]

TESTS = 4
"""Approximate number of attributes tested by a random rule."""
FIRST_RULES = 5
"""Maximum number of rules per string in the first generation."""

STEPS_A_STRING = 30
"""Number of elementary steps per offspring string."""


@dataclass(frozen=True)
class Rates:
    """Rates of the variation operators; see `GABIL`."""

    crossover: float
    mutation: float
    add_alternative: float
    drop_condition: float
    specialize: float
    adaptive: bool
    whole_heads: bool


@dataclass(frozen=True, eq=False)
class Rows:
    """Distinct rows as words, with the weight of each class."""

    words: Words
    counts: Floats

    @classmethod
    def of(cls, words: Words, labels: NDArray[np.int64], weights: Floats, n_classes: int) -> Rows:
        """Merge equal rows."""
        different, place = np.unique(words, axis=0, return_inverse=True)
        counts = np.zeros((len(different), n_classes))
        np.add.at(counts, (place.ravel(), labels), weights)
        return cls(np.ascontiguousarray(different), counts)


@dataclass(frozen=True, eq=False)
class Population:
    """Bit strings with their numbers of rules and percentages of correctly classified rows.

    Parameters
    ----------
    encoding : RuleEncoding
    bits : array of uint8
    n_rules : array of int64
    flags : array of uint8
        Whether AA and DC apply to each string, if strings control that themselves.
    percent : array of float64
        Percentage of correctly classified rows; -1 if a rule has invalid class bits.
    """

    encoding: RuleEncoding
    bits: Bits
    n_rules: NDArray[np.int64]
    flags: Bits
    percent: Floats

    @classmethod
    def random(cls, encoding: RuleEncoding, size: int, most: int, rng: np.random.Generator) -> Population:
        """Draw the first generation: single-class rules that test few attributes."""
        length, n_tests = encoding.length, encoding.n_tests
        bits = np.zeros((size, most * length), dtype=np.uint8)
        n_rules = rng.integers(1, min(FIRST_RULES, most) + 1, size)
        rules = bits.reshape(size, most, length)
        rules[:, :, :n_tests] = rng.integers(0, 2, (size, most, n_tests))
        ignored = rng.random((size, most, len(encoding.widths))) >= TESTS / len(encoding.widths)
        rules[:, :, :n_tests][np.repeat(ignored, encoding.widths, axis=2)] = 1
        if encoding.compact:
            rules[:, :, n_tests:] = rng.integers(0, 2, (size, most, encoding.n_class_bits))
        else:
            heads = rng.integers(0, encoding.n_classes, (size, most, 1))
            np.put_along_axis(rules[:, :, n_tests:], heads, 1, axis=2)
        flags = rng.integers(0, 2, (size, 2)).astype(np.uint8)
        return cls(encoding, bits, n_rules.astype(np.int64), flags, np.full(size, -1.0))

    def judged(self, rows: Rows, default: int) -> Population:
        """Return the population with the percentage of rows each string classifies correctly."""
        encoding = self.encoding
        most = self.bits.shape[1] // encoding.length
        found = np.empty(len(self.bits))
        loop: Any = repeated(_loops.all_correct, float(self.n_rules.sum()) * rows.words.size)
        loop(
            self.bits,
            self.n_rules,
            encoding.length,
            encoding.begin,
            encoding.place,
            encoding.numeric,
            encoding.compact,
            rows.words,
            rows.counts,
            default,
            np.zeros((most, encoding.n_words), dtype=np.int64),
            np.zeros(most, dtype=np.int64),
            found,
        )
        percent = np.where(found < 0, -1.0, 100 * found / rows.counts.sum())
        return replace(self, percent=percent)

    def next_generation(self, rates: Rates, stream: NDArray[np.int64]) -> Population:
        """Return the offspring, not yet evaluated; `stream` is advanced."""
        new = replace(
            self,
            bits=np.zeros_like(self.bits),
            n_rules=np.empty_like(self.n_rules),
            flags=np.empty_like(self.flags),
        )
        loop: Any = repeated(_loops.breed, float(STEPS_A_STRING * len(self.bits)))
        loop(
            self.bits,
            self.n_rules,
            self.flags,
            self.fitness(),
            self.encoding.length,
            self.encoding.begin,
            rates.whole_heads,
            round(rates.crossover * len(self.bits) / 2),
            rates.mutation,
            rates.add_alternative,
            rates.drop_condition,
            rates.specialize,
            rates.adaptive,
            stream,
            np.empty(len(self.bits)),
            new.bits,
            new.n_rules,
            new.flags,
        )
        return new

    def fitness(self) -> Floats:
        """Return the squared percentages; 0 for a string with invalid class bits."""
        return np.asarray(np.maximum(self.percent, 0.0) ** 2)

    def fittest(self) -> Population:
        """Return a population of only the best string."""
        winner = [int(np.lexsort((self.n_rules, -self.percent))[0])]
        parts = {name: getattr(self, name)[winner] for name in ("bits", "n_rules", "flags", "percent")}
        return replace(self, **parts)

    def best(self) -> tuple[Bits, float]:
        """Return the most accurate string (the shortest in a tie) and its percentage."""
        winner = self.fittest()
        return winner.bits[0, : winner.n_rules[0] * self.encoding.length], float(winner.percent[0])

    def diversity(self) -> float:
        """Return the fraction of distinct strings."""
        return len(np.unique(self.bits, axis=0)) / len(self.bits)
