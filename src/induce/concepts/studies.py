"""Small studies of concept learners: orders of examples, the growth of G, and the sample size of Find-S."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from induce.concepts.boundaries import learn_example, start
from induce.concepts.conjunctions import Conjunction, Conjunctions
from induce.concepts.facets import Cells
from induce.concepts.language import Language
from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.core.values import positive_rows

MOST_ORDERED = 8


@dataclass(frozen=True)
class OrderStudy:
    """Size of the boundaries, summed over all stages, for each order of the examples.

    Parameters
    ----------
    orders : tuple of tuple of int
        The orders, as positions of the examples.
    sums : tuple of int
        Sum of the sizes of S and G, before the first example and after each, for each order.
    """

    orders: tuple[tuple[int, ...], ...]
    sums: tuple[int, ...]

    @property
    def best(self) -> tuple[tuple[int, ...], ...]:
        """The orders that keep the boundaries smallest."""
        least = min(self.sums)
        return tuple(order for order, total in zip(self.orders, self.sums, strict=True) if total == least)

    def of(self, order: tuple[int, ...]) -> int:
        """Return the summed size for one order."""
        return self.sums[self.orders.index(order)]


def order_study(language: Language, cells: Cells, labels: Any) -> OrderStudy:
    """Try all orders of a few examples (Mitchell exercise 2.2).

    Parameters
    ----------
    language : Language
        Hypothesis language.
    cells : array of int64, shape (rows, attributes)
        Examples, encoded as the index of the cell of each attribute; see `Facet`.
    labels : array
        Whether each example is positive.
    """
    labels = positive_rows(labels)
    if len(cells) > MOST_ORDERED:
        raise InputError(f"{len(cells)} examples have too many orders to try; give at most {MOST_ORDERED}")
    orders = tuple(permutations(range(len(cells))))
    sums = []
    for order in orders:
        bounds = start(language)
        total = len(bounds.specific) + len(bounds.general or ())
        for place in order:
            bounds = learn_example(language, bounds, cells[place].tolist(), bool(labels[place]), 10**6)
            total += len(bounds.specific) + len(bounds.general or ())
        sums.append(total)
    return OrderStudy(orders, tuple(sums))


def growing_g(pairs: int) -> tuple[list[list[str]], list[str]]:
    """Return examples over 2 · `pairs` attributes for which each negative doubles G (Haussler).

    Parameters
    ----------
    pairs : int
        Number of pairs of attributes.

    Examples
    --------
    >>> X, y = growing_g(2)
    >>> X[1], y
    (['F', 'F', 'T', 'T'], ['+', '-', '-'])
    """
    at_least("pairs", pairs, 1, whole=True)
    rows = [["T"] * (2 * pairs)]
    for pair in range(pairs):
        row = ["T"] * (2 * pairs)
        row[2 * pair : 2 * pair + 2] = ["F", "F"]
        rows.append(row)
    return rows, ["+"] + ["-"] * pairs


def expected_examples(language: Conjunctions, target: Conjunction) -> float:
    """Return the mean number of random examples that Find-S needs to learn a target (Mitchell exercise 2.10).

    Instances are drawn uniformly, and attributes must have no hierarchy or order. Find-S has learned the
    target once the positives have shown two values of each free attribute.

    Parameters
    ----------
    language : Conjunctions
        Language of conjunctions over plain nominal attributes.
    target : tuple
        Target concept, a code of the language.

    Examples
    --------
    >>> import induce
    >>> language = Conjunctions.over(induce.dataset("enjoy-sport").input_schema)
    >>> round(expected_examples(language, language.read(["Sunny", "Warm", "?", "?", "?", "?"])), 4)
    27.0286
    """
    facets = language.attributes.facets
    for facet in facets:
        if facet.line or facet.nodes:
            raise InputError(
                f"column {facet.name!r} is ordered, numeric or has a taxonomy; the formula applies "
                "only to plain nominal columns, so use sample_study"
            )
    if target == language.bottom():
        raise InputError("the target covers no instance, so Find-S starts with it, before any example")
    # an attribute with a single value is irrelevant, and correct from the first positive on
    free = [
        len(facet) for facet, run in zip(facets, target, strict=True) if run == facet.whole and len(facet) > 1
    ]
    share = math.prod(map(len, facets)) / math.prod(free)
    total, n = 0.0, 0
    while True:
        reached = math.prod(1 - size ** (1.0 - n) for size in free) if n else 0.0
        total += 1 - reached
        n += 1
        if 1 - reached < 1e-15 or n > 10_000:
            return share * total


def sample_study(
    language: Conjunctions, target: Conjunction, runs: int = 20, random_state: RandomState = 0
) -> np.ndarray:
    """Return, for each run, the number of uniform random examples until Find-S has learned the target.

    Parameters
    ----------
    language : Conjunctions
        Language of conjunctions.
    target : tuple
        Target concept, a code of the language.
    runs : int
        Number of runs; 20 by default.
    random_state : int, Generator or None
        Random seed for drawing the examples; 0 by default.

    Examples
    --------
    >>> import induce
    >>> language = Conjunctions.over(induce.dataset("enjoy-sport").input_schema)
    >>> counts = sample_study(language, language.read(["Sunny", "Warm", "?", "?", "?", "?"]))
    >>> len(counts), bool(10 < counts.mean() < 50)
    (20, True)
    """
    at_least("runs", runs, 1, whole=True)
    draw = generator(random_state)
    widths = language.attributes.widths
    counts = np.empty(runs, dtype=np.int64)
    for run in range(runs):
        code, seen = language.bottom(), 0
        while code != target:
            batch = draw.integers(0, widths, size=(64, len(widths)))
            for row, positive in zip(batch.tolist(), language.covers(target, batch).tolist(), strict=True):
                seen += 1
                if positive:
                    (code,) = language.generalise(code, row)
                    if code == target:
                        break
        counts[run] = seen
    return counts
