"""A random forest on a partitioned table: rows are binned once; then every tree grows level by level.

Bags are drawn by row number and columns by the path to a node, so that the trees equal those of the same rows
in memory, wherever rows are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.engines import total
from induce.core.errors import InputError
from induce.core.interrupts import interruptible
from induce.core.progress import report
from induce.core.randomness import generator
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.ensembles.hypothesis import Ensemble
from induce.ensembles.learners.bags import MOST_DRAWS, times_drawn
from induce.ensembles.learners.partitions import asked_rows
from induce.estimators.scale import OFFERED
from induce.trees.binning import MOST_BINS, check_binned
from induce.trees.scale.binning import Bins
from induce.trees.scale.growth import Bag, Coded, Group, coded_partitions, grow_coded

if TYPE_CHECKING:
    from induce.ensembles.learners.random_forest import RandomForest


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of one bag from all rows; `starts` has the global number of the first row of each partition."""

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
                f"{name} is {getattr(learner, name)!r}, which is not supported for partitions; leave "
                f"it out, or learn from a sample: fit(*source.sample({OFFERED:_}))"
            )
    rule = learner._growth_rule()
    n_bins = MOST_BINS if learner.bins is None else int(learner.bins)
    check_binned(rule, n_bins)
    tried = learner._n_tried(len(source.schema.inputs()))
    trees: list[Any] = []
    with coded_partitions(source, n_bins) as coded, interruptible(trees, "trees"):
        starts, n_rows = _starts(coded.groups)
        for seed in generator(learner.random_state).integers(2**31, size=int(learner.n_estimators)).tolist():
            bag = _drawn(coded, n_rows, seed, starts, tried)
            trees.append(grow_coded(coded, source, rule, bag=bag)[0])
            report(len(trees) / int(learner.n_estimators))
    equal = np.ones(len(trees))
    found = Ensemble(source.schema, source.target, source.classes, tuple(trees), equal, equal, combine="sum")
    rows, labels = asked_rows(source)
    return found.agreeing(rows, np.ones(len(labels)))


def _starts(groups: list[Group]) -> tuple[dict[int, int], int]:
    """Return the number of the first training row of each partition, and the number of all training rows."""
    starts, n = {}, 0
    for group in groups:
        for here in group.partitions:
            starts[here.number] = n
            n += here.n_labelled if here.places is None else len(here.places)
    return starts, n


def _drawn(coded: Coded, n_rows: int, seed: int, starts: dict[int, int], n_tried: int) -> Bag:
    """Draw a bag; it is drawn again if it has a single class although there are two."""
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
