"""AdaBoost on a partitioned table: each round is one pass, which sums the weights in the bins of all columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.core.engines import each, total
from induce.core.errors import InputError
from induce.core.interrupts import interruptible
from induce.core.loops import sized
from induce.core.pass_results import pass_result
from induce.data.partitions import Partition
from induce.data.scanning import Scan
from induce.discretise import thresholds
from induce.ensembles import _loops
from induce.ensembles.boosting import Boosting, adaboost
from induce.ensembles.hypothesis import Ensemble
from induce.ensembles.learners.class_members import ROWS_ASKED
from induce.ensembles.steps import steps_of
from induce.ensembles.stumps import Stumps, by_value
from induce.estimators.scale import OFFERED, class_weights
from induce.trees.hypothesis import Tree
from induce.trees.scale.binning import Bins
from induce.trees.scale.growth import coded_partitions

if TYPE_CHECKING:
    from induce.ensembles.learners.adaboost import AdaBoost

Floats = NDArray[np.float64]

N_BINS = 4095
"""Number of intervals of a numeric column: each stump tests one column only, so many intervals cost little."""


def boosted_partitions(learner: AdaBoost, source: Scan) -> Ensemble:
    """Boost stumps with the parameters of a learner."""
    by_gain = learner._is_stump_by_gain()
    if (learner.estimator is not None and not by_gain) or learner.n_iter_no_change is not None:
        said = "estimator" if learner.n_iter_no_change is None else "n_iter_no_change"
        raise InputError(
            f"{said} is {getattr(learner, said)!r}, but on partitions only stumps are boosted, for "
            "n_estimators rounds; leave it out, or learn from a sample: "
            f"fit(*source.sample({OFFERED:_}))"
        )
    with coded_partitions(source, N_BINS) as coded:
        examples = PartitionedBoosting(learner, source, coded.bins)
        directions = learner._directions(source.schema, source.classes)
        stumps = BinnedStumps(examples, source, by_gain, directions, int(learner.n_estimators))
        h: list[Any] = []
        z: list[float] = []
        with interruptible(h, "hypotheses"):
            for made in adaboost(
                examples, lambda w, k: stumps.learn(examples.counts), stumps.says, int(learner.n_estimators)
            ):
                z.append(made.z)
                h.append(made.h)
    found = Ensemble(
        source.schema,
        source.target,
        source.classes,
        tuple(h),
        np.array(z[: len(h)]),
        np.ones(len(h)),
        logistic=learner.loss == "logistic",
        divides=True,
    )
    rows, labels = asked_rows(source)
    weights = np.ones(len(labels)) if examples.of_class is None else examples.of_class[labels]
    return found.agreeing(rows, weights)


def asked_rows(source: Scan) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """Return the rows on which members are compared, which are the same as for a table in memory."""
    partitions = source.partitions()
    sizes = [here.n_labelled if here.places is None else len(here.places) for here in partitions]
    starts = np.append(0, np.cumsum(sizes))
    wanted = np.unique(np.linspace(0, starts[-1] - 1, ROWS_ASKED).astype(np.int64))
    asked = [
        (here, wanted[(wanted >= low) & (wanted < low + n)] - low)
        for here, low, n in zip(partitions, starts.tolist(), sizes, strict=False)
    ]
    found = each(_rows_at, [pair for pair in asked if len(pair[1])])
    frame = pl.concat([rows for rows, _ in found], how="vertical_relaxed")
    return frame.select(source.schema.names()), np.concatenate([labels for _, labels in found])


def _rows_at(asked: tuple[Partition, NDArray[np.int64]]) -> tuple[pl.DataFrame, NDArray[Any]]:
    rows, labels = asked[0].rows()
    return rows[asked[1]], labels[asked[1]]


@pass_result
@dataclass(eq=False)
class _Weighed:
    """Weights of all bins by class, the smallest vote for a true class, and the rows with their total weight."""

    bins: Floats
    least: float
    rows: float
    weight: float

    def __add__(self, later: _Weighed) -> _Weighed:
        least, rows = min(self.least, later.least), self.rows + later.rows
        return _Weighed(self.bins + later.bins, least, rows, self.weight + later.weight)


@dataclass(frozen=True, eq=False)
class _Round:
    """State of a pass: the offsets of bins, and the votes for the true class of each column with stumps."""

    bins: Bins
    start: NDArray[np.int64]
    of_class: Floats | None
    votes: dict[int, Floats]
    all_votes: float
    shift: float
    logistic: bool


def _weighed(partition: Partition, given: _Round) -> _Weighed:
    made = given.bins.coded(partition)
    labels = made[:, -1].astype(np.int64)
    own = np.zeros(len(labels))
    for f, table in given.votes.items():
        own += table[made[:, f], labels]
    weights = np.ones(len(labels)) if given.of_class is None else given.of_class[labels]
    counted, weight = weights > 0, float(weights.sum())
    least = float(own[counted].min(initial=np.inf))
    if given.logistic:
        weights = weights * Boosting.doubt(own, given.all_votes, given.bins.n_classes)
    else:
        weights = weights * np.exp(given.shift - own)
    k = given.bins.n_classes
    found = np.empty((int(given.start[-1]), k))
    for f, (low, high) in enumerate(zip(given.start[:-1].tolist(), given.start[1:].tolist(), strict=True)):
        place = made[:, f].astype(np.int64) * k + labels
        found[low:high] = np.bincount(place, weights, (high - low) * k).reshape(-1, k)
    return _Weighed(found, least, float(counted.sum()), weight)


class PartitionedBoosting(Boosting):
    """Boosting on weights of bins; the votes follow from the stumps learned so far."""

    def __init__(self, learner: AdaBoost, source: Scan, bins: Bins) -> None:
        self.n_classes, self.rate = len(source.classes), float(learner.learning_rate)
        self.logistic = learner.loss == "logistic" and self.n_classes > 1
        self.of_class = class_weights(learner.class_weight, source.classes, source.layout.class_counts)
        self.bins, self.partitions = bins, source.partitions()
        self.begin = np.append(0, np.cumsum(bins.n_codes + 1))
        self.own: dict[int, Floats] = {}
        self.all_votes, self.constant, self.least = 0.0, np.zeros(self.n_classes), 0.0
        first = self._passed()
        self.n_rows, self.there = first.rows, first.bins.sum(axis=1) > 0
        self.weight, self.counts = first.weight, first.bins
        self._next: _Weighed | None = first

    def _passed(self) -> _Weighed:
        given = _Round(
            self.bins, self.begin, self.of_class, self.own, self.all_votes, self.least, self.logistic
        )
        return total(partial(_weighed, given=given), self.partitions)

    def weights(self) -> Floats | None:
        """Return the weight of each bin by class, normalised to 1 per column; None if nothing is left to learn."""
        found = self._passed() if self._next is None else self._next
        self._next, self.least = None, found.least if np.isfinite(found.least) else 0.0
        whole = float(found.bins[: self.begin[1]].sum())
        if not whole > 0:
            return None
        self.counts = found.bins * (self.weight / whole)  # exactly as in the first round
        return found.bins / whole

    def vote(self, w: Floats, codes: Any) -> tuple[float, float]:
        """Return the weighted error of a stump, and the weight of its vote."""
        f, says = codes
        here = w[self.begin[f] : self.begin[f + 1]]
        right = here[np.arange(len(here)), says]
        return self.voted(float((here.sum(axis=1) - right).sum()))

    def add(self, codes: Any, z: float) -> None:
        """Add the vote of a stump."""
        f, says = codes
        table = self.own.setdefault(f, np.zeros((int(self.bins.n_codes[f]) + 1, self.n_classes)))
        table[np.arange(len(table)), says] += z
        self.all_votes += z


class BinnedStumps(Stumps):
    """Search for the best stump on weighted bins; each bin and class acts as one row of each column."""

    def __init__(
        self,
        examples: PartitionedBoosting,
        source: Scan,
        by_gain: bool,
        directions: NDArray[np.int64],
        rounds: int,
    ) -> None:
        bins, k = examples.bins, examples.n_classes
        inputs, begin = source.schema.inputs(), examples.begin
        self.bins, self.begin, self.kept = bins, begin, None
        self.schema, self.target, self.classes = source.schema, source.target, source.classes
        self.by_gain, self.directions, self.columns = by_gain, directions, inputs
        self.labels = np.append(np.tile(np.arange(k), int(begin[-1])), 0)
        nobody = len(self.labels) - 1  # a row of weight 0, which pads short columns
        longest = int((bins.n_codes + 1).max()) * k
        self.rows = np.full((len(inputs), longest), nobody, np.int64)
        self.ends = np.zeros(self.rows.shape, np.bool_)
        self.n_missing = longest - bins.n_codes * k
        self.kind = np.array(
            [_loops.MULTIWAY if by_value(column) else _loops.THRESHOLD for column in inputs], np.int64
        )
        self.there: list[NDArray[np.intp]] = []
        for f in range(len(inputs)):
            n = int(bins.n_codes[f])
            own = int(begin[f]) * k + np.arange((n + 1) * k)
            self.rows[f, longest - (n + 1) * k : longest - n * k] = own[n * k :]  # weights of missing values
            self.rows[f, longest - n * k :] = own[: n * k]
            there = np.flatnonzero(examples.there[begin[f] : begin[f] + n])
            ends = there if self.kind[f] == _loops.MULTIWAY else there[:-1]
            self.ends[f, longest - n * k + ends * k + k - 1] = True
            self.there.append(there)
        self.n_rows = examples.n_rows
        self.charge = np.zeros(len(inputs)) if by_gain else self._charges()
        self.search = sized(_loops.search, float(self.rows.size) * rounds)

    def learn(self, weights: Floats) -> Tree:
        """Return the best stump for given weights of bins."""
        return super().learn(np.append(weights.ravel(), 0.0))

    def _totals(self, weights: Floats) -> Floats:
        return np.asarray(
            weights[: self.begin[1] * len(self.classes)].reshape(-1, len(self.classes)).sum(axis=0)
        )

    def _stump(self, f: int, cut: int, totals: Floats, weights: Floats) -> Tree:
        column, k, n = self.columns.columns[f], len(self.classes), int(self.bins.n_codes[f])
        first = int(self.begin[f]) * k
        cells = weights[first : first + n * k].reshape(n, k)
        if by_value(column):
            return self._branched(f, np.nan, [], totals, cells)
        low = int(self.rows[f, cut] - first) // k
        high = int(self.there[f][np.searchsorted(self.there[f], low, "right")])
        sides = np.stack([cells[: low + 1].sum(axis=0), cells[low + 1 :].sum(axis=0)])
        if column.kind == "nominal":
            return self._branched(f, np.nan, [int(code > low) for code in range(n)], totals, sides)
        highest, lowest = self.bins.edges[f]
        return self._branched(f, float(thresholds(highest[low], lowest[high - 1])), [], totals, sides)

    def says(self, stump: Tree) -> tuple[int, NDArray[np.int64]]:
        """Return the column of a stump, and its class for each bin of that column, missing values last."""
        f = max(0, int(stump.attribute[0]))
        n = int(self.bins.n_codes[f])
        if stump.n_nodes == 1:
            return f, np.full(n + 1, stump.majority[0])
        highest = self.bins.edges[f][0]
        nominal = self.columns.columns[f].kind == "nominal"
        values: NDArray[Any] = np.concatenate([highest, [np.inf, np.nan]])
        if nominal:
            values = np.append(np.arange(n), -1)
        return f, np.asarray(steps_of(stump).of(values), np.int64)
