"""IB3: nearest neighbour that trusts only examples with a good record (Aha, Kibler and Albert 1991)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.hypothesis import Hypothesis
from induce.core.notes import note
from induce.core.parameters import Declared, number
from induce.core.randomness import RandomState, generator
from induce.core.time_limit import check_time
from induce.data.schema import Schema
from induce.distances.rows import Floats
from induce.estimators import ClassReading
from induce.hypotheses.naming import value_text
from induce.instances.learners.ib2 import IB2, part_of, tell
from induce.instances.neighbors.vote import NeighborVote
from induce.instances.search.found import smallest


@dataclass(eq=False)
class Records:
    """Records of the kept examples: number of queries and of correct answers, and the frequency of each class."""

    asked: Floats
    right: Floats
    seen: Floats

    def acceptable(self, labels: NDArray[np.int64], z: float) -> NDArray[np.bool_]:
        """Return the examples whose accuracy is significantly above their class's frequency."""
        # The intervals must not overlap: the lower end of the accuracy lies above the upper end of the class's
        # frequency.
        low = wilson(self.right, self.asked, z)[0]
        frequent = wilson(self.seen, np.full_like(self.seen, self.seen.sum()), z)[1]
        return np.asarray((low > frequent[labels]) & (self.asked > 0))

    def poor(self, labels: NDArray[np.int64], z: float) -> NDArray[np.bool_]:
        """Return the examples whose accuracy is significantly below their class's frequency."""
        high = wilson(self.right, self.asked, z)[1]
        frequent = wilson(self.seen, np.full_like(self.seen, self.seen.sum()), z)[0]
        return np.asarray((high < frequent[labels]) & (self.asked > 0))


def wilson(right: Floats, asked: Floats, z: float) -> tuple[Floats, Floats]:
    """Return Wilson's confidence intervals of proportions; (0, 1) without data.

    Examples
    --------
    >>> [round(float(end[0]), 4) for end in wilson(np.array([8.0]), np.array([10.0]), 1.645)]
    [0.5408, 0.9314]
    """
    n = np.maximum(asked, 1.0)
    p = right / n
    spread = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    middle, whole = p + z * z / (2 * n), 1 + z * z / n
    none = asked == 0
    return np.where(none, 0.0, (middle - spread) / whole), np.where(none, 1.0, (middle + spread) / whole)


class IB3(IB2):
    """IB2 that trusts only examples with a good record, and drops those with a bad one (Aha, Kibler and Albert 1991).

    The record of a stored example is updated whenever it is at least as near as the deciding one. It is
    acceptable if its accuracy is significantly above its class's frequency, and dropped if significantly
    below. The nearest acceptable example decides. If there is none, a random one decides, and the records of
    all nearer ones are updated too. Noisy examples are thus detected. Missing values and new categories are
    treated as in `IB2`.

    Parameters
    ----------
    accept : float, default=0.9
        Confidence of the interval that accepts an example.
    drop : float, default=0.75
        Confidence of the interval that drops an example.
    metric : str or callable, default="heom"
        Distance, as in `KNeighborsClassifier`, fitted to the first rows.
    shuffle : bool, default=True
        Whether `fit` shuffles the rows; `partial_fit` keeps their order.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : NeighborVote
        Acceptable examples; all stored ones if none is acceptable.
    n_seen_ : int
        Number of examples processed.

    See Also
    --------
    IB2 : Stored examples that were mistaken.
    KNeighborsClassifier : The nearest examples vote.

    References
    ----------
    D. W. Aha, D. Kibler and M. K. Albert (1991). Instance-based learning algorithms. Machine Learning 6, 37-66.

    Examples
    --------
    >>> import induce
    >>> IB3().fit(*induce.dataset("iris")).hypothesis_.size()
    '24 examples of 4 columns'
    """

    parameters: ClassVar[Declared] = {
        "accept": number("Confidence of the interval that accepts an example.", above=0, below=1),
        "drop": number("Confidence of the interval that drops an example.", above=0, below=1),
    }

    def __init__(
        self,
        *,
        accept: float = 0.9,
        drop: float = 0.75,
        metric: Any = "heom",
        shuffle: bool = True,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(metric=metric, shuffle=shuffle, schema=schema, random_state=random_state)
        self.accept = accept
        self.drop = drop

    def _begin(self, reading: ClassReading) -> None:
        super()._begin(reading)
        none = np.zeros(0)
        self._records = Records(none, none, np.zeros(len(reading.classes)))
        self._seed = int(generator(self.random_state).integers(2**32))

    def _resumable_state(self) -> dict[str, Any]:
        records = self._records
        return super()._resumable_state() | {
            "records": (records.asked, records.right, records.seen),
            "seed": self._seed,
        }

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        none, unseen = np.zeros(len(self._memory.labels)), np.zeros(len(self._memory.classes))
        self._records = Records(*state.get("records", (none, none, unseen)))
        self._seed = state.get("seed", 0)

    def _gone_through(self, vote: NeighborVote, n_before: int) -> NDArray[np.int64]:
        accept, drop = _normal(self.accept), _normal(self.drop)
        more = np.zeros(len(vote.labels) - n_before)
        asked, right = (np.append(each, more) for each in (self._records.asked, self._records.right))
        seen = self._records.seen.copy()
        kept = np.arange(n_before)
        for row in range(n_before, len(vote.labels)):
            check_time()
            label = vote.labels[row]
            decider, wrong = -1, True
            if len(kept):
                found = smallest(vote.distance.powers(vote.rows[row : row + 1], vote.rows[kept]), len(kept))
                order = kept[found.places[0]]
                records = Records(asked[order], right[order], seen)
                trusted = np.flatnonzero(records.acceptable(vote.labels[order], accept))
                rank = int(trusted[0]) if len(trusted) else self._drawn(int(seen.sum()), len(order))
                decider, wrong = int(order[rank]), vote.labels[order[rank]] != label
                # Aha et al. 1991: the records of all examples at least as near as the deciding one are
                # updated.
                near = order[found.powers[0] <= found.powers[0, rank]]
                asked[near] += 1
                right[near] += vote.labels[near] == label
            seen[label] += 1
            if len(kept):
                poor = Records(asked[near], right[near], seen).poor(vote.labels[near], drop)
                kept = np.setdiff1d(kept, near[poor])
            if wrong:
                kept = np.append(kept, row)
            tell(vote, row, decider, wrong)
        self._records = Records(asked[kept], right[kept], seen)
        return kept

    def _drawn(self, number: int, n: int) -> int:
        """Return one of the given examples at random; each step has its own random stream, so that a saved
        learner can continue.
        """
        return int(np.random.default_rng((self._seed, number)).integers(n))

    def _told(self) -> NeighborVote:
        memory = self._memory
        trusted = np.flatnonzero(self._records.acceptable(memory.labels, _normal(self.accept)))
        if not len(trusted):
            return memory
        never = sorted(
            set(np.flatnonzero(self._records.seen).tolist()) - set(memory.labels[trusted].tolist())
        )
        if never:
            names = ", ".join(value_text(memory.classes[code]) for code in never)
            note(
                f"no example of {names} has a good record yet, so it is never predicted; decrease "
                "accept, or use IB2"
            )
        return part_of(memory, trusted)


def _normal(confidence: float) -> float:
    """Return the half-width of a normal confidence interval, in standard deviations."""
    from scipy.special import ndtri

    return float(ndtri((1 + confidence) / 2))
