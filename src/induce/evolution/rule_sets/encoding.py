"""Encoding of rules as bit strings (Mitchell 9.2.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.data.training import Examples
from induce.discretise.intervals import codes, quantile_cuts
from induce.discretise.mdlp import mdlp_cuts
from induce.hypotheses.conditions import Condition, interval, one_of

Bits = NDArray[np.uint8]
Words = NDArray[np.int64]

WORD = 62
"""Number of bits per word, within a signed 64-bit integer."""
FEW = 4
"""Number of intervals of a numeric column that is not informative by itself."""


@dataclass(frozen=True)
class RuleEncoding:
    """Rules as bit strings: one bit per value of each attribute, then the class.

    All ones mean that the attribute is not tested; all zeros that the rule never fires. Numeric columns are cut into
    intervals, and a rule covers all from its lowest to its highest. A missing or unseen value satisfies no test.

    Parameters
    ----------
    schema : Schema
        Input columns.
    cuts : tuple of tuple of float
        Cut points of each column; empty for a nominal one.
    n_classes : int
        Number of classes.
    compact : bool
        Whether the class is a binary number (a single bit for two classes); otherwise one bit per class.

    Examples
    --------
    >>> flags = Schema((Column("a1", "nominal", ("T", "F")), Column("a2", "nominal", ("T", "F"))))
    >>> encoding = RuleEncoding(flags, ((), ()), 2)
    >>> for conditions, head in encoding.premises(encoding.read("10 01 1 11 10 0")):
    ...     print(" AND ".join(map(str, conditions)), head)
    a1 = T AND a2 = F 0
    a2 = T 1
    """

    schema: Schema
    cuts: tuple[tuple[float, ...], ...]
    n_classes: int
    compact: bool = True

    @classmethod
    def of(cls, examples: Examples, compact: bool) -> RuleEncoding:
        """Choose cut points of numeric columns by description length, or evenly if no cut is informative."""
        table, n_classes = examples.table, examples.n_classes
        cuts = []
        for index, column in enumerate(table.schema):
            if column.kind == "nominal":
                cuts.append(())
                continue
            values = table.column(index)
            found = mdlp_cuts(values, examples.labels, n_classes, examples.weights)
            cuts.append(tuple((found if len(found) else quantile_cuts(np.unique(values), FEW)).tolist()))
        return cls(table.schema, tuple(cuts), n_classes, compact)

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """Number of bits of each attribute."""
        return tuple(
            len(column.domain) if column.kind == "nominal" else len(cuts) + 1
            for column, cuts in zip(self.schema, self.cuts, strict=True)
        )

    @cached_property
    def begin(self) -> NDArray[np.int64]:
        """Start of each attribute's bits in a rule, followed by the start of the class bits."""
        return np.append(0, np.cumsum(self.widths)).astype(np.int64)

    @cached_property
    def place(self) -> NDArray[np.int64]:
        """Start of each attribute's bits in a row of words, which have an extra bit for a missing value."""
        return (self.begin + np.arange(len(self.begin))).astype(np.int64)

    @cached_property
    def numeric(self) -> NDArray[np.bool_]:
        """Whether each attribute is numeric."""
        return np.array([column.kind != "nominal" for column in self.schema], dtype=bool)

    @property
    def n_tests(self) -> int:
        """Number of condition bits of a rule."""
        return int(self.begin[-1])

    @property
    def n_class_bits(self) -> int:
        """Number of class bits."""
        return max(1, math.ceil(math.log2(self.n_classes))) if self.compact else self.n_classes

    @property
    def length(self) -> int:
        """Number of bits of a rule."""
        return self.n_tests + self.n_class_bits

    @property
    def n_words(self) -> int:
        """Number of words of a row."""
        return max(1, math.ceil(int(self.place[-1]) / WORD))

    def rows(self, table: Table) -> Words:
        """Encode rows as words: for each attribute the bit of its value is set, or the last one if missing."""
        words = np.zeros((len(table), self.n_words), dtype=np.int64)
        for index, (width, start) in enumerate(zip(self.widths, self.place, strict=False)):
            column = table.column(index)
            values = codes(column, np.array(self.cuts[index])) if self.numeric[index] else column
            bit = start + np.where(values < 0, width, values).astype(np.int64)
            words[np.arange(len(table)), bit // WORD] |= np.left_shift(np.int64(1), bit % WORD)
        return words

    def read(self, text: str) -> Bits:
        """Parse bits from a text such as ``"10 01 1"``."""
        bits = np.array([int(letter) for letter in text if letter in "01"], dtype=np.uint8)
        if len(bits) % self.length or set(text) - set("01 "):
            raise InputError(f"{text!r} does not consist of rules of {self.length} bits")
        return bits

    def text(self, bits: Any) -> str:
        """Return bits as text, with a space after each attribute.

        Examples
        --------
        >>> RuleEncoding(Schema((Column("wind", "nominal", ("yes", "no")),)), ((),), 2).text([1, 0, 1])
        '10 1'
        """
        ends = [*self.begin[1:].tolist(), self.length]
        parts = []
        for start in range(0, len(bits), self.length):
            left = start
            for end in ends:
                parts.append("".join(str(int(bit)) for bit in bits[left : start + end]))
                left = start + end
        return " ".join(parts)

    def head(self, bits: Any) -> int:
        """Return the class of a rule's class bits, or -1 if they are invalid."""
        if self.compact:
            number = int("".join(str(int(bit)) for bit in bits), 2)
            return int(2**self.n_class_bits - 1 - number) % self.n_classes
        return int(np.argmax(bits)) if sum(map(int, bits)) == 1 else -1

    def premises(self, bits: Any) -> list[tuple[tuple[Condition, ...], int]]:
        """Return the conditions and the class of every rule that can fire."""
        found = []
        for start in range(0, len(bits), self.length):
            rule = bits[start : start + self.length]
            head = self.head(rule[self.n_tests :])
            conditions = self._conditions(rule)
            if conditions is not None and head >= 0:
                found.append((conditions, head))
        return found

    def _conditions(self, rule: Any) -> tuple[Condition, ...] | None:
        found: list[Condition] = []
        for index, column in enumerate(self.schema):
            allowed = np.flatnonzero(rule[self.begin[index] : self.begin[index + 1]])
            if not len(allowed):
                return None
            condition = self._condition(column, index, allowed)
            if condition is not None:
                found.append(condition)
        return tuple(found)

    def _condition(self, column: Column, index: int, allowed: Any) -> Condition | None:
        low, high, width = int(allowed[0]), int(allowed[-1]), self.widths[index]
        if self.numeric[index]:
            bounds = (-math.inf, *self.cuts[index], math.inf)
            return (
                None
                if (low, high) == (0, width - 1)
                else interval(column.name, bounds[low], bounds[high + 1])
            )
        if len(allowed) == width:
            return None
        return one_of(column.name, tuple(column.domain[k] for k in allowed))
