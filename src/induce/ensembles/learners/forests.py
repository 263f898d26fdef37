"""A random forest on a table in partitions: rows are put into bins once, then every tree grows level by level.

Bags are drawn by row numbers and columns by the path to a node, so that the trees are those of the same rows in
memory, wherever they are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.engines import total
from induce.core.errors import InputError
from induce.core.interrupts import interruptible
from induce.core.passes import passes
from induce.core.progress import current_phase, phase
from induce.core.randomness import generator
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.ensembles.hypothesis import Ensemble
from induce.ensembles.learners.bags import MOST_DRAWS, times_drawn
from induce.ensembles.learners.partitions import asked_rows
from induce.estimators.scale import OFFERED
from induce.trees.binning import MOST_BINS, check_binned
from induce.trees.growth import GrowthRule
from induce.trees.scale.binning import Bins
from induce.trees.scale.growth import Bag, Coded, Group, coded_partitions, grow_coded

if TYPE_CHECKING:
    from induce.ensembles.learners.random_forest import RandomForest

BINNING = 0.1
"""Fraction of the work that is reported as done once the table is binned."""


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of one bag from all rows; `starts` has the number of the first row of each partition among them."""

    n_rows: int
    seed: int
    attempt: int
    starts: dict[int, int]

    def times(self, partition: Partition) -> NDArray[np.int64]:
        """Return the number of times each row of a partition is drawn."""
        n_here = partition.n_labelled if partition.places is None else len(partition.places)
        return times_drawn(self.n_rows, self.seed, self.attempt, self.starts[partition.number], n_here)


def forest_of_partitions(learner: RandomForest, source: Scan) -> Ensemble:
    """Grow the trees one after another, with the learner's parameters."""
    for name, nothing in (("oob_score", False), ("class_weight", None)):
        if getattr(learner, name) != nothing:
            raise InputError(
                f"{name} is {getattr(learner, name)!r}, which is not learned from partitions; leave it out, or learn "
                f"from a sample: fit(*source.sample({OFFERED:_}))"
            )
    rule = learner._growth_rule()
    n_bins = MOST_BINS if learner.bins is None else int(learner.bins)
    check_binned(rule, n_bins)
    tried = learner._n_tried(len(source.schema.inputs()))
    trees: list[Any] = []
    with coded_partitions(source, n_bins) as coded, interruptible(trees, "trees"):
        starts, n_rows = _starts(coded.groups)
        for seed in generator(learner.random_state).integers(2**31, size=int(learner.n_estimators)).tolist():
            with _tree_of(len(trees), int(learner.n_estimators), rule):
                bag = _drawn(coded, n_rows, seed, starts, tried)
                trees.append(grow_coded(coded, source, rule, bag=bag)[0])
    equal = np.ones(len(trees))
    found = Ensemble(source.schema, source.target, source.classes, tuple(trees), equal, equal, combine="sum")
    rows, labels = asked_rows(source)
    return found.agreeing(rows, np.ones(len(labels)))


@contextmanager
def _tree_of(k: int, n_trees: int, rule: GrowthRule) -> Iterator[None]:
    """Report the progress of one tree as a fraction of the forest, after the passes that bin the table."""
    start, end = (BINNING + (1.0 - BINNING) * n / n_trees for n in (k, k + 1))
    n_passes = None if rule.max_depth is None else 1 + int(rule.max_depth)
    with phase(current_phase(), start, end), passes(n_passes, f"tree {k + 1} of {n_trees}"):
        yield


def _starts(groups: list[Group]) -> tuple[dict[int, int], int]:
    """Return the number of the first row of each partition among those that are learned from, and of all rows."""
    starts, n = {}, 0
    for group in groups:
        for here in group.partitions:
            starts[here.number] = n
            n += here.n_labelled if here.places is None else len(here.places)
    return starts, n


def _drawn(coded: Coded, n_rows: int, seed: int, starts: dict[int, int], n_tried: int) -> Bag:
    """Draw a bag; one with rows of a single class is drawn again, if there are two."""
    several = np.count_nonzero(coded.counts) > 1
    for attempt in range(MOST_DRAWS):
        draws = Draws(n_rows, seed, attempt, starts)
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
