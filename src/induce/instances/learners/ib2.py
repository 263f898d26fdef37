"""IB2: nearest neighbour with few stored examples (Aha, Kibler and Albert 1991)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.errors import InputError
from induce.core.hypothesis import Hypothesis
from induce.core.parameters import Declared, truth
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.core.time_limit import check_time
from induce.data.schema import Schema
from induce.data.table import Table, encode
from induce.data.training import training_frame
from induce.distances.base import SCAN, TILES
from induce.distances.metrics import METRIC, distance
from induce.estimators import ClassReading, UnweightedClassifier
from induce.instances.kernels import DistanceKernel
from induce.instances.neighbors.stored import FIRST
from induce.instances.neighbors.vote import NeighborVote
from induce.instances.search.index import Index

BLOCK = 500
"""Number of examples searched together for their nearest stored ones."""


class IB2(UnweightedClassifier):
    """Nearest neighbour that stores only the misclassified examples (Aha, Kibler and Albert 1991).

    Examples are processed one at a time, so their order matters: `fit` shuffles them, since a file sorted by
    class would teach little except the last class. Examples that the nearest stored example classifies
    correctly are discarded. Few are stored, mostly near class boundaries; with noise, the noisy ones are
    stored too.

    With the default distance, HEOM, a missing value, or a category that was not among the first rows, has distance
    1 from any other.

    Parameters
    ----------
    metric : str or callable, default="heom"
        Distance, as in `KNeighborsClassifier`, fitted to the first rows.
    shuffle : bool, default=True
        Whether `fit` shuffles the rows; `partial_fit` keeps their order.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed of the order.

    Attributes
    ----------
    hypothesis_ : NeighborVote
        Stored examples.
    n_seen_ : int
        Number of examples processed.

    See Also
    --------
    IB3 : Stored examples that proved reliable.
    KNeighborsClassifier : The nearest examples vote.

    References
    ----------
    D. W. Aha, D. Kibler and M. K. Albert (1991). Instance-based learning algorithms. Machine Learning 6, 37-66.

    Examples
    --------
    >>> import induce
    >>> few = IB2().fit(*induce.dataset("iris"))
    >>> few.hypothesis_.size(), few.n_seen_
    ('15 examples of 4 columns', 150)
    """

    hypothesis_: NeighborVote

    parameters: ClassVar[Declared] = {
        "metric": METRIC,
        "shuffle": truth("Whether the rows are shuffled."),
    }

    def __init__(
        self,
        *,
        metric: Any = "heom",
        shuffle: bool = True,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.metric = metric
        self.shuffle = shuffle
        self.schema = schema
        self.random_state = random_state

    def _keep(self, reading: ClassReading) -> None:
        self._begin(reading)
        order = np.arange(len(reading))
        if self.shuffle:
            order = generator(self.random_state).permutation(order)
        self._take(reading.table.rows(order), reading.labels[order], order)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Process further examples.

        Parameters
        ----------
        X : frame or array
        y : series, array or list
            Class of each row.
        classes : list, optional
            All classes, in the first call; by default those of the first rows.
        """
        self._check_parameters()
        known = self.__dict__.get("hypothesis_")
        if known is None:
            reading = self._read(X, y, None)
            told = reading.classes if classes is None else tuple(np.asarray(classes).tolist())
            labels = reading.labels
            self._begin(replace(reading, classes=told))
            found = reading.classes
        else:
            self._fitted(X)
            before = self.classes_
            try:
                _, found, labels = self._target(y)
            finally:
                self.classes_ = before
            told = known.classes
        strange = [value for value in found if value not in told]
        if strange:
            raise InputError(
                f"y contains {strange[0]!r}, which is not a known class; give all classes in the first call"
            )
        place = np.array([told.index(value) for value in found], dtype=np.int64)
        raw = training_frame(X)
        if raw.n_rows != len(labels):
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {raw.n_rows} rows, "
                f"y has {len(labels)}"
            )
        rows = self.n_seen_ + np.arange(raw.n_rows)
        self._take(encode(raw, self._memory.schema), place[labels], rows)
        return self

    def _forget(self) -> None:
        super()._forget()
        self.__dict__.pop("_memory", None)

    def _resumable_state(self) -> dict[str, Any]:
        return super()._resumable_state() | {"memory": self._memory, "n_seen": self.n_seen_}

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        memory = cast(NeighborVote, state.get("memory", hypothesis))
        # files without the row numbers of the examples
        told = len(memory.origin) == len(memory.labels)
        self._memory = memory if told else replace(memory, origin=np.arange(len(memory.labels)))
        self.n_seen_ = int(state.get("n_seen", 0))

    def _begin(self, reading: ClassReading) -> None:
        """Start without stored examples."""
        nothing = np.zeros(0, dtype=np.int64)
        none = reading.table.rows(nothing)
        self.classes_ = np.unique(np.asarray(reading.classes))
        self.n_seen_ = 0
        self._memory = NeighborVote(
            schema=reading.schema,
            target=reading.target,
            numeric=none.numeric,
            nominal=none.nominal,
            weights=np.zeros(0),
            distance=distance(self.metric, reading.table, reading.labels),
            n_neighbors=1,
            kernel=DistanceKernel("uniform"),
            algorithm="auto",
            choice=None,
            equidistant=FIRST,
            classes=reading.classes,
            labels=nothing,
            origin=nothing,
        )

    def _take(self, table: Table, labels: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Process encoded examples, given with their row numbers, after the stored ones."""
        memory = self._memory
        n_before = len(memory.labels)
        numeric = np.concatenate([memory.numeric, table.numeric])
        nominal = np.concatenate([memory.nominal, table.nominal])
        everything = replace(
            memory,
            numeric=numeric,
            nominal=nominal,
            labels=np.concatenate([memory.labels, labels]),
            origin=np.concatenate([memory.origin, rows]),
            weights=np.ones(len(numeric)),
        )
        kept = self._gone_through(everything, n_before)
        self._memory = part_of(everything, kept)
        self.n_seen_ += len(labels)
        self.hypothesis_ = self._told()
        report(1.0)

    def _gone_through(self, vote: NeighborVote, n_before: int) -> NDArray[np.int64]:
        """Return the kept examples after those kept before."""
        kept = list(range(n_before))
        for start in range(n_before, len(vote.labels), BLOCK):
            check_time()
            block = np.arange(start, min(start + BLOCK, len(vote.labels)))
            self._go_through_block(vote, block, kept)
            report((block[-1] + 1) / len(vote.labels))
        return np.array(kept, dtype=np.int64)

    def _go_through_block(self, vote: NeighborVote, block: NDArray[np.int64], kept: list[int]) -> None:
        """Add the examples of a block that are misclassified by the nearest example kept before them.

        The nearest examples kept before the block are found for the whole block at once; only those kept
        within the block are compared one at a time.
        """
        rows, labels = vote.rows[block], vote.labels[block]
        nearest, power = np.full(len(block), -1), np.full(len(block), np.inf)
        if kept:
            stored = vote.rows[kept]
            # a fixed choice: a trial would measure time and emit trace events
            way = TILES if TILES in vote.distance.engines(stored) and len(kept) > BLOCK else SCAN
            places = Index(vote.distance, stored, way).nearest(rows, 1).places[:, 0]
            nearest = np.array(kept)[places]
            power = vote.distance.paired(rows, vote.rows[nearest])
        within = vote.distance.powers(rows, rows)
        for place, row in enumerate(block.tolist()):
            check_time()
            wrong = nearest[place] < 0 or vote.labels[nearest[place]] != labels[place]
            tell(vote, row, int(nearest[place]), wrong)
            if wrong:
                kept.append(row)
                closer = within[:, place] < power
                nearest[closer], power[closer] = row, within[closer, place]

    def _told(self) -> NeighborVote:
        """Return the deciding examples."""
        return self._memory


def part_of(vote: NeighborVote, rows: NDArray[np.int64]) -> NeighborVote:
    """Return a vote with only the stored examples at the given indices."""
    parts = {
        name: getattr(vote, name)[rows] for name in ("numeric", "nominal", "labels", "weights", "origin")
    }
    return replace(vote, **parts)


def tell(vote: NeighborVote, row: int, decider: int, stored: Any) -> None:
    """Emit the fate of an example to a trace."""
    said = None if decider < 0 else vote.classes[vote.labels[decider]]
    trace.emit(
        "example",
        row=vote.row_of(row),
        prediction=said,
        truth=vote.classes[vote.labels[row]],
        stored=bool(stored),
    )
