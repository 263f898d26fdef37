"""Genomes of named genes of different types: real numbers, integers, choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np

from induce.core.errors import InputError
from induce.evolution.crossover import Crossover
from induce.evolution.genomes.kind import Floats, Places
from induce.evolution.genomes.vectors import Rows, VectorGenome


@dataclass(frozen=True)
class Real:
    """A real gene from `low` to `high`; with `log`, sampled and mutated on a logarithmic scale.

    Parameters
    ----------
    low, high : float
        Bounds of the gene.
    log : bool, default=False
        Whether the gene is sampled and mutated on a logarithmic scale; `low` must then be above 0.
    """

    low: float
    high: float
    log: bool = False


@dataclass(frozen=True)
class Whole:
    """An integer gene from `low` to `high`.

    Parameters
    ----------
    low, high : int
        Bounds of the gene, both included.
    """

    low: int
    high: int


@dataclass(frozen=True)
class Choice:
    """A categorical gene.

    Parameters
    ----------
    options : tuple
        Values to choose from.
    """

    options: tuple[Any, ...]


Gene = Real | Whole | Choice


@dataclass(frozen=True, init=False)
class Genes(VectorGenome):
    """Individuals with named genes of different types, passed to the fitness function as a dict.

    Parameters
    ----------
    genes : dict
        Mapping from names to `Real(low, high)`, `Whole(low, high)` or `Choice(options)`.
    step : float
        Standard deviation of a numeric mutation, as a fraction of the gene's range.
    by : str or Crossover
        Crossover; uniform by default, since the order of the names has no meaning.
    n : int, optional
        Number of genes; follows from `genes`.
    names : tuple of str, optional
        Names of the genes; follow from `genes`.

    Examples
    --------
    >>> kind = Genes({"width": Real(0, 2), "turns": Whole(1, 9), "core": Choice(("air", "iron"))})
    >>> some = kind.random(np.random.default_rng(0))
    >>> kind.value(some)
    {'width': 1.2739233746429086, 'turns': 3, 'core': 'air'}
    >>> print(kind.show(some))
    width = 1.27392
    turns = 3
    core  = air
    """

    genes: Mapping[str, Gene] = field(default_factory=dict)
    step: float = 0.1

    def __init__(
        self,
        genes: Mapping[str, Gene],
        step: float = 0.1,
        *,
        by: Crossover | str = "uniform",
        n: int | None = None,
        names: tuple[str, ...] = (),
    ) -> None:
        # the number and the names follow from the genes; copies and model files pass them too
        if not isinstance(genes, Mapping) or not genes:
            raise InputError("genes must be a dict from names to Real, Whole or Choice, with at least one")
        for name, gene in genes.items():
            if not isinstance(name, str):
                raise InputError(f"the gene name {name!r} is not text; give a string")
            if isinstance(gene, Choice):
                if not gene.options:
                    raise InputError(f"gene {name!r} has no options; give at least one")
            elif not isinstance(gene, Real | Whole):
                raise InputError(f"gene {name!r} is {gene!r}; give a Real, a Whole or a Choice")
            elif not (np.isfinite(gene.low) and np.isfinite(gene.high) and gene.low < gene.high):
                raise InputError(f"gene {name!r} goes from {gene.low} to {gene.high}; raise high")
            elif isinstance(gene, Real) and gene.log and gene.low <= 0:
                raise InputError(
                    f"gene {name!r} is logarithmic and starts at {gene.low}; low must be above 0"
                )
        settle = object.__setattr__
        settle(self, "genes", dict(genes))
        settle(self, "step", step)
        settle(self, "by", by)
        settle(self, "n", len(genes))
        settle(self, "names", tuple(genes))
        self.__post_init__()

    def crossed_by(self, by: Crossover) -> Self:
        return type(self)(self.genes, self.step, by=by)

    @cached_property
    def _spans(self) -> tuple[Floats, Floats]:
        """Bounds of each gene as stored: logarithms, numbers or option indices."""
        low, high = [], []
        for gene in self.genes.values():
            if isinstance(gene, Choice):
                low.append(0.0)
                high.append(float(len(gene.options) - 1))
            elif isinstance(gene, Real) and gene.log:
                low.append(float(np.log(gene.low)))
                high.append(float(np.log(gene.high)))
            else:
                low.append(float(gene.low))
                high.append(float(gene.high))
        return np.array(low), np.array(high)

    @cached_property
    def _whole(self) -> Any:
        return np.array([not isinstance(gene, Real) for gene in self.genes.values()])

    @cached_property
    def _chosen(self) -> Any:
        return np.array([isinstance(gene, Choice) for gene in self.genes.values()])

    def populate(self, n: int, rng: np.random.Generator) -> Rows:
        low, high = self._spans
        wide = np.where(self._whole, high - low + 1, high - low)
        drawn = low + rng.random((n, self.n)) * wide
        return np.where(self._whole, np.floor(drawn), drawn)

    def redrawn(self, rows: Rows, genes: Places, rng: np.random.Generator) -> Rows:
        low, high = (bound[genes] for bound in self._spans)
        old = rows[np.arange(len(rows)), genes]
        step = rng.normal(0.0, 1.0, len(rows)) * self.step * (high - low)
        whole, chosen = self._whole[genes], self._chosen[genes]
        # an integer changes by at least one, an option becomes a different one
        step = np.where(whole, np.sign(step) * np.ceil(np.abs(step)), step)
        other = (old + 1 + np.floor(rng.random(len(rows)) * np.maximum(high, 1.0))) % (high + 1)
        return np.where(chosen, other, np.clip(old + step, low, high))

    def legal(self, individual: Any) -> bool:
        if not super().legal(individual):
            return False
        low, high = self._spans
        inside = (individual >= low) & (individual <= high)
        return bool((inside & (~self._whole | (individual == np.floor(individual)))).all())

    def value(self, individual: Rows) -> dict[str, Any]:
        """Return the genes as a dict by name."""
        found: dict[str, Any] = {}
        for (name, gene), stored in zip(self.genes.items(), individual.tolist(), strict=True):
            if isinstance(gene, Choice):
                found[name] = gene.options[int(stored)]
            elif isinstance(gene, Whole):
                found[name] = int(stored)
            else:
                found[name] = float(np.exp(stored)) if gene.log else stored
        return found

    def show(self, individual: Rows) -> str:
        width = max(map(len, self.names))
        cells = (
            (name, f"{cell:g}" if isinstance(cell, float) else str(cell))
            for name, cell in self.value(individual).items()
        )
        return "\n".join(f"{name.ljust(width)} = {cell}" for name, cell in cells)

    def apart(self, mine: Rows, others: Rows) -> Floats:
        low, high = self._spans
        near = np.abs(mine - others) / np.maximum(high - low, 1e-300)
        found: Floats = np.where(self._chosen, (mine != others).astype(np.float64), near)
        return found

    def distances(self, mine: Rows, others: Rows) -> Floats:
        return np.array([self.apart(row, others).mean(axis=1) for row in mine])
