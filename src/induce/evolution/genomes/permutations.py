"""Permutations of items, such as operations to be scheduled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from induce.core.checks import one_of
from induce.core.loops import sized
from induce.evolution.crossover import Crossover, Edge, Order, as_crossover
from induce.evolution.genomes import _loops
from induce.evolution.genomes.kind import GENERATIONS, Places
from induce.evolution.genomes.vectors import Rows, VectorGenome

MUTATIONS = {"inversion": _loops.INVERSION, "swap": _loops.SWAP, "insertion": _loops.INSERTION}


@dataclass(frozen=True)
class Permutations(VectorGenome):
    """Permutations of `n` items, numbered from 0.

    ``"order"`` crossover copies a segment of one parent and takes the rest in the order of the other; ``"edge"``
    moves from each item to one of its neighbours in either parent, which suits tours. A mask preserves precedence,
    which suits schedules: it selects the parent that supplies the next item, its first remaining one, so that two
    items in the same order in both parents stay in that order.

    Parameters
    ----------
    n : int
        Number of items.
    names : tuple of str
        Names of the items.
    by : str or Crossover
        ``"edge"``, ``"order"``, or the kind of mask: ``"single-point"``, ``"two-point"``, ``"uniform"``.
    mutation : {"inversion", "swap", "insertion"}
        Reverse a segment, swap two items, or move one item.

    References
    ----------
    Davis, L. (1985). Applying adaptive algorithms to epistatic domains. IJCAI.
    Whitley, D., Starkweather, T. and Fuquay, D. (1989). Scheduling problems and traveling salesmen: the genetic edge
    recombination operator. ICGA.

    Examples
    --------
    >>> kind = Permutations(6, by="order")
    >>> first, second = np.arange(6), np.arange(6)[::-1].copy()
    >>> [child.tolist() for child in kind.crossover(first, second, np.random.default_rng(5))]
    [[5, 3, 2, 1, 4, 0], [0, 2, 3, 4, 1, 5]]
    """

    by: Crossover | str = field(default=Edge(), kw_only=True)
    mutation: str = field(default="inversion", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("mutation", self.mutation, MUTATIONS)

    def populate(self, n: int, rng: np.random.Generator) -> Rows:
        return rng.permuted(np.tile(np.arange(self.n), (n, 1)), axis=1)

    def mate(self, population: Rows, first: Places, second: Places, rng: np.random.Generator) -> Rows:
        by, n = as_crossover(self.by), len(first)
        loop: Any
        drawn: Any
        if isinstance(by, Order):
            loop, drawn = _loops.keep_order, np.sort(rng.integers(0, self.n + 1, (n, 2)), axis=1)
        elif isinstance(by, Edge):
            loop, drawn = _loops.keep_edges, rng.random((2 * n, self.n))
        else:
            loop, drawn = _loops.keep_precedence, by.masks(n, self.n, rng)
        found: Rows = sized(loop, GENERATIONS * n * self.n, 1 / GENERATIONS)(population, first, second, drawn)
        return found

    def mutated(self, population: Rows, which: Places, rng: np.random.Generator) -> Rows:
        changed = population.copy()
        if self.n > 1 and len(which):
            places = rng.integers(0, [self.n, self.n - 1], (len(which), 2))
            places[:, 1] += places[:, 1] >= places[:, 0]
            change = sized(_loops.change_orders, GENERATIONS * len(which) * self.n, 1 / GENERATIONS)
            change(changed, which, places, MUTATIONS[self.mutation])
        return changed

    def legal(self, individual: Any) -> bool:
        return super().legal(individual) and bool((np.sort(individual) == np.arange(self.n)).all())

    def show(self, individual: Rows) -> str:
        if self.names:
            return ", ".join(self.names[k] for k in individual)
        return self.line([str(k) for k in individual])
