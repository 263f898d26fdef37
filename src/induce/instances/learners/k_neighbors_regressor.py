"""The k-nearest-neighbour regressor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self, cast

import numpy as np
from sklearn.utils.metaestimators import available_if

from induce.core.parameters import Declared, choice
from induce.data.schema import Schema
from induce.distances.rows import Floats
from induce.estimators import NumberReading, TableRegressor
from induce.instances.kernels import DistanceKernel
from induce.instances.learners.k_neighbors import KNeighborsLearner
from induce.instances.nearby import Nearby
from induce.instances.neighbors.examples import Places, Stored
from induce.instances.neighbors.mean import AVERAGES, NeighborMean
from induce.instances.search.hashing import LSH
from induce.instances.targets import refuse_too_large


class KNeighborsRegressor(KNeighborsLearner, TableRegressor):
    """The k-nearest-neighbour regressor (Mitchell §8.2; Russell and Norvig 18.8.4).

    Training stores the examples. A query gets the mean of its k nearest examples (equation 8.1), optionally weighted
    by distance (equation 8.4; with all examples, Shepard's method). Equidistant examples share the remaining votes.
    An example of weight 2 counts as two.

    The default distance, HEOM, handles mixed tables directly: numeric values differ by their distance
    relative to the range of their column, nominal values by 0 or 1; a missing value, or one not seen in
    training, has distance 1 from any other.

    Parameters
    ----------
    n_neighbors : int, None, sequence of int or "auto", default=5
        Number of nearest examples used; None for all of them. With several, the one with the smallest
        leave-one-out squared error is chosen, with ties going to the first; ``"auto"`` tries odd numbers up
        to 51. If there are fewer examples, all are used.
    weights : str, callable or sequence of these, default="uniform"
        Weight of an example at distance d: see `KNeighborsClassifier`. If the weight is unbounded, only the
        examples equal to the query are averaged.
    width : float or sequence of float, optional
        Width of a kernel in units of the distance; None and several choose by leave-one-out.
    metric : str or callable, default="heom"
        Distance, by name or as a function of two rows.
    p : float, default=2.0
        Power of the Minkowski distance.
    attribute_weights : dict or sequence of float, optional
        Factors of the columns.
    algorithm : str or LSH, default="auto"
        Search algorithm for neighbours.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    equidistant : {"share", "first"}, default="share"
        "share": examples at the same distance as the last neighbour share its weight, so that the order of the
        examples does not matter. "first": those stored first count.
    average : {"mean", "median"}, default="mean"
        Mean or median of the nearest examples.

    Attributes
    ----------
    hypothesis_ : NeighborMean

    See Also
    --------
    KNeighborsClassifier : The nearest examples vote.
    LocallyWeightedRegressor : Regression around each query.

    References
    ----------
    T. Cover and P. Hart (1967). Nearest neighbor pattern classification. IEEE Transactions on Information Theory
    13, 21-27.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [4]], [0, 1, 4, 9, 16]
    >>> KNeighborsRegressor(3, metric="euclidean").fit(X, y).predict([[1.2], [2.4]]).round(4).tolist()
    [1.6667, 4.6667]
    >>> shepard = KNeighborsRegressor(None, weights="inverse-square", metric="euclidean").fit(X, y)
    >>> shepard.predict([[1.2], [2.0]]).round(6).tolist()
    [1.302438, 4.0]
    """

    _loss_name = "mean squared error"

    parameters: ClassVar[Declared] = {
        "average": choice("Mean or median of the nearest examples.", *AVERAGES),
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
        equidistant: str = "share",
        average: str = "mean",
        algorithm: str | LSH = "auto",
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.width = width
        self.metric = metric
        self.p = p
        self.attribute_weights = attribute_weights
        self.equidistant = equidistant
        self.average = average
        self.algorithm = algorithm
        self.schema = schema

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Store further examples; the result is the same as fitting all examples together.

        Parameters
        ----------
        X : frame or array
        y : series, array or list
            Target value of each row.
        sample_weight : array, optional
            Weight of each row.
        """
        if "_built" not in vars(self):
            return self.fit(X, y, sample_weight)
        _, numbers = self._target(y)
        refuse_too_large(numbers)
        self._insert(X, numbers, sample_weight)
        return self

    @available_if(lambda self: not self._chooses())
    def leave_one_out_predict(self, X: Any, y: Any) -> Floats:
        """Return the prediction for each row from all other rows."""
        examples = self._of(self._read(X, y, None))
        found = np.zeros(len(examples))
        for mean, rows in self._leaving_out(examples):
            own = rows if len(mean.weights) == len(examples) else None
            found[rows] = cast(NeighborMean, mean).decide(mean.queries(examples.table.rows(rows)), own)
        return found

    def _learn(self, reading: NumberReading) -> NeighborMean:
        refuse_too_large(reading.numbers)
        return cast(NeighborMean, self._hypothesis(self._of(reading)))

    def _of(self, reading: NumberReading) -> Stored:
        return Stored(
            reading.schema, reading.target, reading.table, reading.numbers, reading.weight()
        ).counted()

    def _made(self, examples: Stored, k: int) -> NeighborMean:
        return NeighborMean(
            schema=examples.schema,
            target=examples.target,
            numeric=examples.table.numeric,
            nominal=examples.table.nominal,
            weights=examples.weights,
            distance=self._settled_distance(examples),
            n_neighbors=k,
            kernel=DistanceKernel("uniform"),
            algorithm=self.algorithm,
            choice=None,
            equidistant=self.equidistant,
            numbers=examples.known,
            average=self.average,
        )

    def _stored(self) -> Stored:
        mean = cast(NeighborMean, self._built)
        return Stored(mean.schema, mean.target, mean.table, mean.numbers, mean.weights)

    def _loss(self, stored: NeighborMean, near: Nearby, own: Places) -> float:
        return float(stored.weights[own] @ np.square(stored.said_by(near) - stored.numbers[own]))
