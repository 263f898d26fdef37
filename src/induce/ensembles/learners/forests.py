"""Random forests on a table in partitions: rows are put into bins once, then every tree grows level by level.

Bags are drawn by row number and columns by the path to a node, so that the trees equal those of the same rows
in memory, wherever rows are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.engines import each, total
from induce.core.errors import InputError
from induce.core.interrupts import interruptible
from induce.core.passes import passes
from induce.core.progress import current_phase, phase
from induce.core.randomness import generator
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.ensembles.averaged import NumberEnsemble
from induce.ensembles.hypothesis import Ensemble
from induce.ensembles.learners import bags
from induce.ensembles.learners.bags import MOST_DRAWS, Strata, block_counts, canonical, times_drawn
from induce.ensembles.learners.partitions import asked_rows
from induce.estimators.scale import OFFERED, class_weights
from induce.trees.binning import MOST_BINS, check_binned
from induce.trees.growth import GrowthRule
from induce.trees.regression.growth import RegressionRule
from induce.trees.scale.binning import Bins
from induce.trees.scale.growth import Bag, Coded, Group, coded_partitions, grow_coded
from induce.trees.scale.learning import N_BINS, say_intervals
from induce.trees.scale.numbers import NumberBag, NumberGrowth

if TYPE_CHECKING:
    from induce.ensembles.learners.random_forest import RandomForest
    from induce.ensembles.learners.random_forest_regressor import RandomForestRegressor

Floats = NDArray[np.float64]

FEW_ROWS = 1000
"""Number of rows up to which all draws of a bag may be the same row."""
BINNING = 0.1
"""Fraction of the work that is reported as done once the table is binned."""


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of one bag from all rows.

    Parameters
    ----------
    rows : Drawable
    seed, attempt : int
    """

    rows: Drawable
    seed: int
    attempt: int

    def times(self, partition: Partition) -> NDArray[np.int64]:
        """Return the number of times each row of a partition is drawn."""
        rows = self.rows
        first = rows.starts[partition.number]
        if rows.strata is None:
            n_here = partition.n_labelled if partition.places is None else len(partition.places)
            return times_drawn(rows.n_rows, self.seed, self.attempt, first, n_here)
        labels = rows.bins.coded(partition)[:, -1]
        return rows.strata.times(self.seed, self.attempt, first, labels, rows.before[partition.number])


@dataclass(frozen=True, eq=False)
class Drawable:
    """All rows of a binned table, from which bags are drawn.

    Parameters
    ----------
    bins : Bins
    starts : dict
        Number of the first row of each partition among the rows that are learned from.
    n_rows : int
    strata : Strata or None
        Rows by block and class if classes have different weights.
    before : dict
        Number of rows of each class that precede each partition in the block of its first row.
    """

    bins: Bins
    starts: dict[int, int]
    n_rows: int
    strata: Strata | None = None
    before: dict[int, NDArray[np.int64]] = field(default_factory=dict)

    @classmethod
    def of(cls, coded: Coded, of_class: Floats | None = None) -> Drawable:
        """Count the rows of each class in each block, in one pass, if classes have different weights."""
        starts, n = {}, 0
        partitions = [here for group in coded.groups for here in group.partitions]
        for here in partitions:
            starts[here.number] = n
            n += here.n_labelled if here.places is None else len(here.places)
        if of_class is None or len(set(of_class.tolist())) == 1:
            return cls(coded.bins, starts, n)
        found = each(partial(_blocks, bins=coded.bins, starts=starts), partitions)
        counts = np.zeros((-(-n // bags.BLOCK), coded.bins.n_classes), np.int64)
        before = {}
        for here, own in zip(partitions, found, strict=True):
            block = starts[here.number] // bags.BLOCK
            if len(own):
                before[here.number] = counts[block].copy()
                counts[block : block + len(own)] += own
        return cls(coded.bins, starts, n, Strata(counts, canonical(of_class)), before)


def _blocks(partition: Partition, bins: Bins, starts: dict[int, int]) -> NDArray[np.int64]:
    """Count the rows of each class in each block of a partition."""
    return block_counts(starts[partition.number], bins.coded(partition)[:, -1], bins.n_classes)


def forest_of_partitions(learner: RandomForest, source: Scan) -> Ensemble:
    """Grow the trees one after another, with the learner's parameters."""
    refuse_out_of_bag(learner)
    rule = learner._growth_rule()
    n_bins = MOST_BINS if learner.bins is None else int(learner.bins)
    check_binned(rule, n_bins)
    tried = learner._n_tried(len(source.schema.inputs()))
    trees: list[Any] = []
    with coded_partitions(source, n_bins) as coded, interruptible(trees, "trees"):
        of_class = class_weights(learner.class_weight, source.classes, source.layout.class_counts)
        rows = Drawable.of(coded, of_class)
        for seed in generator(learner.random_state).integers(2**31, size=int(learner.n_estimators)).tolist():
            with _tree_of(len(trees), int(learner.n_estimators), rule):
                bag = _drawn(coded, rows, seed, tried)
                trees.append(grow_coded(coded, source, rule, bag=bag)[0])
    equal = np.ones(len(trees))
    found = Ensemble(source.schema, source.target, source.classes, tuple(trees), equal, equal, combine="sum")
    asked, labels = asked_rows(source)
    return found.agreeing(asked, np.ones(len(labels)) if of_class is None else of_class[labels])


def regression_forest_of_partitions(learner: RandomForestRegressor, source: Scan) -> NumberEnsemble:
    """Grow regression trees one after another, with the learner's parameters."""
    refuse_out_of_bag(learner)
    say_intervals(source, "")
    rule, tried = learner._rule(), learner._n_tried(len(source.schema.inputs()))
    trees: list[Any] = []
    with coded_partitions(source, N_BINS) as coded, interruptible(trees, "trees"):
        rows = Drawable.of(coded)
        for seed in generator(learner.random_state).integers(2**31, size=int(learner.n_estimators)).tolist():
            with _tree_of(len(trees), int(learner.n_estimators), rule):
                draws = Draws(rows, seed, _attempt(rows.n_rows, seed))
                bag = NumberBag(draws.times, tried, seed)
                growth = NumberGrowth(coded, rule, bag)
                growth.grow()
                trees.append(growth.tree(source))
    return NumberEnsemble(source.schema, source.target, tuple(trees), np.ones(len(trees)))


def _attempt(n_rows: int, seed: int) -> int:
    """Return the first draw with two different rows, as in memory; of many rows every draw has them."""
    if n_rows > FEW_ROWS:
        return 0
    for attempt in range(MOST_DRAWS - 1):
        if np.count_nonzero(times_drawn(n_rows, seed, attempt, 0, n_rows)) > 1:
            return attempt
    return MOST_DRAWS - 1


def refuse_out_of_bag(learner: Any) -> None:
    """Refuse an estimate on the rows that are not in a bag, which are not looked at again."""
    if learner.oob_score:
        raise InputError(
            f"oob_score is {learner.oob_score!r}, but learning from partitions does not read the rows again; leave "
            f"it out, or learn from a sample: fit(*source.sample({OFFERED:_}))"
        )


@contextmanager
def _tree_of(k: int, n_trees: int, rule: GrowthRule | RegressionRule) -> Iterator[None]:
    """Report the progress of one tree as a fraction of the forest, after the passes that bin the table."""
    start, end = (BINNING + (1.0 - BINNING) * n / n_trees for n in (k, k + 1))
    n_passes = None if rule.max_depth is None else 1 + int(rule.max_depth)
    with phase(current_phase(), start, end), passes(n_passes, f"tree {k + 1} of {n_trees}"):
        yield


def _drawn(coded: Coded, rows: Drawable, seed: int, n_tried: int) -> Bag:
    """Draw a bag; one with rows of a single class is drawn again, if there are two."""
    counts = coded.counts
    if rows.strata is not None:
        counts = counts * (rows.strata.weights > 0)
    several = np.count_nonzero(counts) > 1
    for attempt in range(MOST_DRAWS):
        draws = Draws(rows, seed, attempt)
        counts = total(partial(_classes, draws=draws, bins=coded.bins), coded.groups)
        if not several or np.count_nonzero(counts) > 1:
            break
    return Bag(draws.times, counts, n_tried, seed)


def _classes(group: Group, draws: Draws, bins: Bins) -> NDArray[np.int64]:
    """Count the classes of some partitions in a bag."""
    found = np.zeros(bins.n_classes, np.int64)
    for partition in group.partitions:
        labels = bins.coded(partition)[:, -1]
        found += np.bincount(labels, draws.times(partition), bins.n_classes).astype(np.int64)
    return found
