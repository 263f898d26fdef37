"""Appearance of the leaves of a regression tree in a picture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from induce.hypotheses.naming import count_text
from induce.pictures.style import DARK, PALE, TINT
from induce.trees.pictures import name_text

if TYPE_CHECKING:
    from induce.trees.regression.hypothesis import RegressionTree

LOW, HIGH = (222, 235, 247), (8, 69, 148)
BAND = TINT
TICK = 0.02
LETTERS = 60


@dataclass(frozen=True)
class NumberEnds:
    """The leaves of a regression tree: predictions, darker for larger values, and ranges of examples.

    The bar covers the range from the lowest to the highest leaf. On it, the segment of a leaf covers one
    standard deviation around the mean of its examples, which a tick marks.
    """

    tree: RegressionTree

    @cached_property
    def _range(self) -> tuple[float, float]:
        leaf = (self.tree.attribute < 0) & (self.tree.n > 0)
        mean, deviation = self.tree.mean[leaf], self.tree.deviation[leaf]
        return float((mean - deviation).min()), float((mean + deviation).max())

    def _place(self, number: float) -> float:
        low, high = self._range
        return float(np.clip((number - low) / (high - low), 0.0, 1.0)) if high > low else 0.5

    def says(self, node: int) -> str:
        """Return the number or the linear function of a leaf."""
        _, _, text = self.tree.says_text(node).partition(" = ")
        if len(text) <= LETTERS:
            return text
        ends = [found.start() for found in re.finditer(r" [-+] ", text) if found.start() < LETTERS]
        return f"{text[: ends[-1] if ends else LETTERS]} …"

    def note(self, node: int) -> str:
        """Return the number of examples of a leaf and their standard deviation from its prediction."""
        n, sd = float(self.tree.n[node]), float(self.tree.deviation[node])
        return f"(n={count_text(n)}, sd {self.tree.number(sd)})"

    def fill(self, node: int) -> str:
        """Return a colour between those of the lowest and the highest leaf."""
        part = self._place(float(self.tree.mean[node]))
        return "#" + "".join(f"{round(a + part * (b - a)):02x}" for a, b in zip(LOW, HIGH, strict=True))

    def bar(self, node: int) -> list[tuple[float, float, str]]:
        """Return the segments of the bar: the whole range, the range of the leaf's examples, and their mean."""
        mean, deviation = float(self.tree.mean[node]), float(self.tree.deviation[node])
        low, high = self._place(mean - deviation), self._place(mean + deviation)
        middle = min(max(self._place(mean) - TICK / 2, 0.0), 1.0 - TICK)
        return [(0.0, 1.0, PALE), (low, high - low, BAND), (middle, TICK, DARK)]

    def legend(self) -> list[tuple[str, str]]:
        """Return the legend of the bars."""
        low, high = self._range
        target = name_text(self.tree.target, 30)
        ends = f"{self.tree.number(low)} to {self.tree.number(high)}"
        return [(BAND, f"{target} of the examples, mean and standard deviation, from {ends}")]
