"""The k-nearest-neighbour classifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, choice, whole
from induce.data.schema import Schema
from induce.distances.attributes import AttributeDistance
from induce.estimators import ClassReading, TableClassifier
from induce.hypotheses.conflict_resolution import class_array
from induce.instances.kernels import DistanceKernel
from induce.instances.learners.k_neighbors import KNeighborsLearner
from induce.instances.nearby import Nearby
from induce.instances.neighbors.examples import Places, Stored
from induce.instances.neighbors.vote import TIES, NeighborVote
from induce.instances.search.hashing import LSH


class KNeighborsClassifier(KNeighborsLearner, TableClassifier):
    """The k-nearest-neighbour classifier (Mitchell §8.2, table 8.1; Russell and Norvig 18.8.1).

    Training stores the examples. A query gets the majority class of its k nearest examples, with votes optionally
    weighted by distance. Equidistant examples share the remaining votes. An example of weight 2 counts as two.

    The default distance, HEOM, handles mixed tables directly: numeric values differ by their distance
    relative to the range of their column, nominal values by 0 or 1; a missing value, or one not seen in
    training, has distance 1 from any other. `induce.distances` describes missing values in other distances.

    Parameters
    ----------
    n_neighbors : int, None, sequence of int or "auto", default=5
        Number of nearest examples that vote; None for all of them (the global method). With several, the one
        with the fewest leave-one-out errors is chosen, with ties going to the first; ``"auto"`` tries odd
        numbers up to 51. If there are fewer examples, all vote.
    weights : str, callable or sequence of these, default="uniform"
        Weight of a vote at distance d. ``"uniform"``: 1. ``"distance"``: 1/d, as in scikit-learn.
        ``"inverse-square"``: 1/d², Mitchell's equation 8.3. ``"gaussian"``, ``"quadratic"``,
        ``"epanechnikov"``, ``"tricube"``, ``"tophat"``: kernels with a `width`. If the weight is unbounded,
        only examples equal to the query vote; if it is 0 for all examples, only the nearest vote. A function
        from distances to weights is accepted too.
    width : float or sequence of float, optional
        Width of the kernel, in units of the distance. The best of several values, or of ten candidates if
        None, is chosen as for `n_neighbors`.
    metric : str or callable, default="heom"
        Distance: ``"heom"``, ``"euclidean"``, ``"manhattan"``, ``"chebyshev"``, ``"minkowski"`` (with `p`),
        ``"seuclidean"``, ``"hamming"``, ``"mahalanobis"``, ``"vdm"``, ``"hvdm"``, ``"cosine"``, or a function of two
        rows; see `induce.distances.distance`.
    p : float, default=2.0
        Power of ``metric="minkowski"``.
    attribute_weights : dict or sequence of float, optional
        Scale factors of the axes (§8.2.2): a dict from columns to factors, 1 for others, or one factor per input
        column. They can be found by `induce.instances.stretch_attributes` and `eliminate_attributes`.
    local_rows : int, optional
        Number of nearest examples used to stretch the axes at each query, by the separation of the classes.
        The book warns that so much freedom risks overfitting.
    equidistant : {"share", "first"}, default="share"
        "share": examples at the same distance as the last neighbour share its vote, so that the order of the
        examples does not matter. "first": those stored first count.
    ties : {"nearest", "first", "last"}, default="nearest"
        Choice among classes with equal votes: the one with the nearest example, or the first or last declared.
    algorithm : str or LSH, default="auto"
        Search algorithm: ``"scan"``, ``"kd_tree"``, ``"blocks"`` or ``"tiles"`` find the same neighbours, and
        ``"auto"`` chooses the fastest by trial. An `induce.instances.LSH` is even faster but may miss some
        neighbours.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.

    Attributes
    ----------
    hypothesis_ : NeighborVote

    See Also
    --------
    IB3 : Stored examples that proved reliable.
    KNeighborsRegressor : The mean of the nearest examples.
    LazyDecisionTree : The branch for one query.

    References
    ----------
    T. Cover and P. Hart (1967). Nearest neighbor pattern classification. IEEE Transactions on Information Theory
    13, 21-27.

    Examples
    --------
    >>> X = [[0.5, 0], [0, 1], [-1.1, 0], [0, -1.2], [1.3, 0.4], [-2, 2], [2.5, 2]]
    >>> y = ["+", "-", "-", "-", "+", "-", "+"]
    >>> [str(KNeighborsClassifier(k, metric="euclidean").fit(X, y).predict([[0, 0]])[0]) for k in (1, 5)]
    ['+', '-']
    >>> weighted = KNeighborsClassifier(5, weights="inverse-square", metric="euclidean").fit(X, y)
    >>> print(weighted.explain([[0, 0]])[0])
    + because 5 examples voted: + 64%, - 36%
       56.6%  row 0: + at distance 0.5: x0 100%
       14.2%  row 1: - at distance 1: x1 100%
       11.7%  row 2: - at distance 1.1: x0 100%
        9.8%  row 3: - at distance 1.2: x1 100%
        7.7%  row 4: + at distance 1.36: x0 91%, x1 9%
      nearest other class: row 1: - at distance 1: x1 100%
    """

    _loss_name = "error"

    parameters: ClassVar[Declared] = {
        "local_rows": whole(
            "Number of nearest examples used to stretch the axes at each query.", at_least=2, none=True
        ),
        "ties": choice("Choice among classes with equal votes.", *TIES),
    }

    def __init__(
        self,
        n_neighbors: int | Sequence[int] | str | None = 5,
        *,
        weights: str | Callable[[Any], Any] | Sequence[Any] = "uniform",
        width: float | Sequence[float] | None = None,
        metric: str | Callable[[Any, Any], float] = "heom",
        p: float = 2.0,
        attribute_weights: Any = None,
        local_rows: int | None = None,
        equidistant: str = "share",
        ties: str = "nearest",
        algorithm: str | LSH = "auto",
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.width = width
        self.metric = metric
        self.p = p
        self.attribute_weights = attribute_weights
        self.local_rows = local_rows
        self.equidistant = equidistant
        self.ties = ties
        self.algorithm = algorithm
        self.schema = schema

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Store further examples; the result is the same as fitting all examples together.

        Parameters
        ----------
        X : frame or array
        y : series, array or list
            Class of each row; a new class is added.
        classes : list, optional
            All classes to expect, in the first call.
        sample_weight : array, optional
            Weight of each row.
        """
        if "_built" not in vars(self):
            self.fit(X, y, sample_weight)
            self._announce(() if classes is None else tuple(np.asarray(classes).tolist()))
            return self
        _, found, labels = self._target(y)
        self._announce(found)
        place = np.array([self._classes.index(value) for value in found], dtype=np.int64)
        self._insert(X, place[labels], sample_weight)
        return self

    @available_if(lambda self: not self._chooses())
    def leave_one_out_predict(self, X: Any, y: Any) -> NDArray[Any]:
        """Return the prediction for each row from all other rows."""
        reading = self._read(X, y, None)
        examples = self._of(reading)
        found = np.zeros(len(examples), dtype=np.int64)
        for vote, rows in self._leaving_out(examples):
            own = rows if len(vote.weights) == len(examples) else None
            found[rows] = cast(NeighborVote, vote).decide(vote.queries(examples.table.rows(rows)), own)[0]
        return class_array(reading.classes)[found]

    def _learn(self, reading: ClassReading) -> NeighborVote:
        if self.local_rows is not None:
            note("the axes are stretched at each query, which risks overfitting (Mitchell, section 8.2.2)")
        return cast(NeighborVote, self._hypothesis(self._of(reading)))

    def _of(self, reading: ClassReading) -> Stored:
        self._classes = reading.classes
        return Stored(
            reading.schema, reading.target, reading.table, reading.labels, reading.weight()
        ).counted()

    def _made(self, examples: Stored, k: int) -> NeighborVote:
        measure = self._settled_distance(examples, examples.known)
        if self.local_rows is not None and not isinstance(measure, AttributeDistance):
            raise InputError(
                f"local_rows stretches axes, but metric {measure.name!r} has none; omit local_rows"
            )
        return NeighborVote(
            schema=examples.schema,
            target=examples.target,
            numeric=examples.table.numeric,
            nominal=examples.table.nominal,
            weights=examples.weights,
            distance=measure,
            n_neighbors=k,
            kernel=DistanceKernel("uniform"),
            algorithm=self.algorithm,
            choice=None,
            equidistant=self.equidistant,
            classes=self._classes,
            labels=examples.known,
            ties=self.ties,
            local_rows=self.local_rows or 0,
        )

    def _stored(self) -> Stored:
        vote = cast(NeighborVote, self._built)
        return Stored(vote.schema, vote.target, vote.table, vote.labels, vote.weights)

    def _loss(self, stored: NeighborVote, near: Nearby, own: Places) -> float:
        return float(stored.weights[own] @ (stored.counted(near)[0] != stored.labels[own]))

    def _announce(self, more: tuple[Any, ...]) -> None:
        """Add classes to the known ones."""
        vote = cast(NeighborVote, self._built)
        self._classes = tuple(dict.fromkeys([*vote.classes, *more]))
        if self._classes != vote.classes:
            self._built = replace(vote, classes=self._classes)
        self.classes_ = np.unique(np.asarray(self._classes))
