"""IB2: nearest neighbour with few stored examples (Aha, Kibler and Albert 1991)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.errors import InputError
from induce.core.hypothesis import Hypothesis
from induce.core.parameters import Declared
from induce.core.progress import report
from induce.data.schema import Schema
from induce.data.table import Table, encode
from induce.data.training import training_frame
from induce.distances.metrics import METRIC, distance
from induce.estimators import ClassReading, ReadingClassifier
from induce.instances.kernels import Kernel
from induce.instances.neighbors.stored import FIRST
from induce.instances.neighbors.vote import NeighborVote


class IB2(ReadingClassifier):
    """Nearest neighbour that stores only the examples it gets wrong (Aha, Kibler and Albert 1991).

    Examples are taken one after the other, so that their order matters. Those that the nearest stored example
    classifies rightly are forgotten. Few are stored, mostly near the boundaries of classes; where there is noise, the
    noisy ones.

    A missing value is 1 away from any other with the default distance, HEOM, as is a category that was not among the
    first rows given.

    Parameters
    ----------
    metric : str or callable
        See `KNeighborsClassifier`. The first rows given settle it.
    schema : Schema or dict, optional
        What is known of the columns beyond their types.

    Attributes
    ----------
    hypothesis_ : NeighborVote
        The examples stored.
    n_seen_ : int
        How many examples were taken.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> mixed = [row * 53 % 150 for row in range(150)]
    >>> few = IB2().fit(X[mixed], y[mixed])
    >>> few.hypothesis_.size(), few.n_seen_
    ('14 examples of 4 columns', 150)
    """

    hypothesis_: NeighborVote

    parameters: ClassVar[Declared] = {
        "metric": METRIC,
    }

    def __init__(self, *, metric: Any = "heom", schema: Schema | dict[str, Any] | None = None) -> None:
        self.metric = metric
        self.schema = schema

    def fit(self, X: Any, y: Any) -> Self:
        """Go through examples in their order, beginning with none.

        Parameters
        ----------
        X : frame or array
        y : series, array or list
            The class of each row.
        """
        reading = self._read(X, y, None)
        self._begin(reading)
        self._take(reading.table, reading.labels)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go through further examples.

        Parameters
        ----------
        X : frame or array
        y : series, array or list
            The class of each row.
        classes : list, optional
            In the first call, all classes that may come; by default those of the first rows.
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
                f"y holds {strange[0]!r}, which is none of the classes known; name all classes in the first call"
            )
        place = np.array([told.index(value) for value in found], dtype=np.int64)
        raw = training_frame(X)
        if raw.n_rows != len(labels):
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {raw.n_rows} rows, "
                f"y has {len(labels)}"
            )
        self._take(encode(raw, self._memory.schema), place[labels])
        return self

    def _forget(self) -> None:
        super()._forget()
        self.__dict__.pop("_memory", None)

    def _resumable_state(self) -> dict[str, Any]:
        return super()._resumable_state() | {"memory": self._memory, "n_seen": self.n_seen_}

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        self._memory = cast(NeighborVote, state.get("memory", hypothesis))
        self.n_seen_ = int(state.get("n_seen", 0))

    def _begin(self, reading: ClassReading) -> None:
        """Store nothing yet."""
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
            kernel=Kernel("uniform"),
            algorithm="auto",
            choice=None,
            equidistant=FIRST,
            classes=reading.classes,
            labels=nothing,
        )

    def _take(self, table: Table, labels: NDArray[np.int64]) -> None:
        """Go through encoded examples, after those stored before."""
        memory = self._memory
        n_before = len(memory.labels)
        numeric = np.concatenate([memory.numeric, table.numeric])
        nominal = np.concatenate([memory.nominal, table.nominal])
        everything = replace(
            memory,
            numeric=numeric,
            nominal=nominal,
            labels=np.concatenate([memory.labels, labels]),
            weights=np.ones(len(numeric)),
        )
        kept = self._gone_through(everything, n_before)
        self._memory = part_of(everything, kept)
        self.n_seen_ += len(labels)
        self.hypothesis_ = self._told()
        report(1.0)

    def _gone_through(self, vote: NeighborVote, n_before: int) -> NDArray[np.int64]:
        """Return which of the examples are kept; the first ones were kept before."""
        kept = list(range(n_before))
        for row in range(n_before, len(vote.labels)):
            nearest = -1
            if kept:
                powers = vote.distance.powers(vote.rows[row : row + 1], vote.rows[kept])
                nearest = kept[int(powers[0].argmin())]
            wrong = nearest < 0 or vote.labels[nearest] != vote.labels[row]
            if wrong:
                kept.append(row)
            tell(vote, row, nearest, wrong)
        return np.array(kept, dtype=np.int64)

    def _told(self) -> NeighborVote:
        """Return the examples that decide."""
        return self._memory


def part_of(vote: NeighborVote, rows: NDArray[np.int64]) -> NeighborVote:
    """Return some of the stored examples."""
    parts = {name: getattr(vote, name)[rows] for name in ("numeric", "nominal", "labels", "weights")}
    return replace(vote, **parts)


def tell(vote: NeighborVote, row: int, decider: int, stored: Any) -> None:
    """Tell a trace what became of an example."""
    said = None if decider < 0 else vote.classes[vote.labels[decider]]
    trace.emit("example", row=row, prediction=said, truth=vote.classes[vote.labels[row]], stored=bool(stored))
