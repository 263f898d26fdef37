"""The k-means learner: clusters around means."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from induce.core import trace
from induce.core.engines import total
from induce.core.parameters import Declared, whole
from induce.core.randomness import RandomState
from induce.data.numeric_view import Floats
from induce.data.schema import Schema
from induce.estimators import Reading
from induce.mixtures.clusters import KMeansClusters
from induce.mixtures.components import LEAST_VARIANCE
from induce.mixtures.events import centres, tell_steps
from induce.mixtures.learners.base import (
    MOST_IN_RULES,
    ClusterLearner,
    best_number,
    components_in,
    k_means,
    numbers_of,
)
from induce.mixtures.many import ManyRows, log_likelihood_of, matrix_of, settled_centres
from induce.mixtures.rows import Places, Rows, Units


class KMeans(ClusterLearner):
    """Cluster around the k means nearest to the rows (Mitchell §6.12.1 with hard assignments).

    They are found by scikit-learn's k-means. A nominal column counts as an indicator for each of its values.
    In training, a missing value is replaced by the mean of its column (or its value frequencies). Afterwards
    it is omitted from the distance, as is a category not seen in training. A constant column is left out,
    with a note.

    Parameters
    ----------
    n_clusters : int or None, optional
        Number of clusters; None chooses it by the mean silhouette, which compares the separation of clusters
        with their width.
    max_clusters : int, default=10
        Maximum number of clusters tried.
    scale : {"standard", None}, default="standard"
        Scaling of numeric columns: by standard deviation, or none.
    n_init : int, default=3
        Number of random starts; the best is kept.
    rules : bool, default=True
        Whether to describe the clusters by rules.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : KMeansClusters
    labels_ : array of int64
        Cluster of each training row; cluster 0 is the largest.

    See Also
    --------
    GaussianMixture : Clusters with covariances.
    MixtureModel : Clusters of mixed columns.

    References
    ----------
    S. P. Lloyd (1982). Least squares quantization in PCM. IEEE Transactions on Information Theory 28, 129-137.

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [9.0], [10.0]]
    >>> found = KMeans(2).fit(X)
    >>> found.hypothesis_.centres.ravel().tolist(), found.labels_.tolist()
    ([2.0, 9.5], [0, 0, 0, 1, 1])
    """

    hypothesis_: KMeansClusters

    parameters: ClassVar[Declared] = {
        "n_clusters": whole(
            "Number of clusters; None chooses it by the mean silhouette.", at_least=1, none=True
        ),
        "max_clusters": whole("Maximum number of clusters tried.", at_least=1),
    }

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        max_clusters: int = 10,
        scale: str | None = "standard",
        n_init: int = 3,
        rules: bool = True,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.max_clusters = max_clusters
        self.scale = scale
        self.n_init = n_init
        self.rules = rules
        self.schema = schema
        self.random_state = random_state

    def _found(self, reading: Reading, random: np.random.Generator) -> KMeansClusters:
        units, rows = self._rows(reading, self.scale)
        matrix = matrix_of(rows, spread=False)

        def located(labels: Places) -> tuple[dict[str, Any], ...]:
            parts = _clusters(reading, units, rows, labels, ordered=False)
            return centres(reading.schema, units, rows, parts.shares, parts.means, parts.tables)

        def attempt(k: int) -> tuple[KMeansClusters, float, bool]:
            firsts: list[Floats] | None = [] if trace.active("k-means") else None
            found = k_means(matrix, rows.weights, k, self.n_init, random, firsts)
            for start, first in enumerate(firsts or ()):
                tell_steps(matrix, rows.weights, start, first, located)
            labels = found.labels_.astype(np.int64)
            return _clusters(reading, units, rows, labels), _silhouette(matrix, labels, random), False

        numbers = numbers_of("n_clusters", self.n_clusters, self.max_clusters, rows)
        if self.n_clusters is None and len(numbers) > 2:
            numbers = numbers[1:]  # a single cluster has no silhouette
        clusters, choice = best_number(numbers, "silhouette", attempt)
        if self.n_clusters is None:
            clusters = replace(clusters, choice=choice)
        return clusters

    def _refined(self, rows: ManyRows, first: KMeansClusters) -> KMeansClusters:
        parts, d = components_in(rows.units, first), len(rows.units.scale)
        centres, sizes, inside = settled_centres(rows, np.concatenate([parts.means, parts.tables], axis=1))
        used = int((~np.isnan(rows.units.scale)).sum())
        width = max(inside / max(1.0, rows.total * used), LEAST_VARIANCE)
        found = KMeansClusters(
            first.schema,
            "spherical",
            sizes / rows.total,
            centres[:, :d],
            np.full(len(sizes), width),
            centres[:, d:],
            rows.units.offset,
            rows.units.scale,
            n_rows=rows.total,
        )
        likelihood = total(partial(log_likelihood_of, density=found), rows.parts)
        return replace(found, log_likelihood=likelihood if math.isfinite(likelihood) else -math.inf)

    def _unit(self) -> str | None:
        return self.scale


def _silhouette(matrix: Floats, labels: Places, random: np.random.Generator) -> float:
    """Return the mean silhouette of the rows; 0 if there is only one cluster."""
    from sklearn.metrics import silhouette_score

    if len(labels) > MOST_IN_RULES:
        some = random.choice(len(labels), MOST_IN_RULES, replace=False)
        matrix, labels = matrix[some], labels[some]
    if not 1 < len(np.unique(labels)) < len(labels):
        return 0.0
    return float(silhouette_score(matrix, labels))


def _clusters(
    reading: Reading, units: Units, rows: Rows, labels: Places, ordered: bool = True
) -> KMeansClusters:
    """Return the clusters of a grouping, largest first: means, value frequencies, and a common width."""
    k = int(labels.max()) + 1
    member = (labels == np.arange(k)[:, np.newaxis]) * rows.weights
    order = np.argsort(-member.sum(axis=1), kind="stable") if ordered else np.arange(k)
    member = member[order][member.sum(axis=1)[order] > 0]
    sizes = member.sum(axis=1, keepdims=True)
    numbers = np.nan_to_num(rows.numeric)
    means = member @ numbers / sizes
    d = int((~np.isnan(units.scale)).sum())
    inside = sum(
        float(own @ np.square(numbers - mean).sum(axis=1)) for own, mean in zip(member, means, strict=True)
    )
    width = max(inside / max(1.0, rows.total * d), LEAST_VARIANCE)
    tables = np.empty((len(member), sum(rows.sizes)))
    for place, size, codes in zip(rows.places, rows.sizes, rows.nominal.T, strict=True):
        for value in range(size):
            tables[:, place + value] = member @ np.where(
                codes < 0, rows.shares[place + value], codes == value
            )
    shares = sizes[:, 0] / rows.total
    blank = KMeansClusters(
        reading.schema,
        "spherical",
        shares,
        means,
        np.full(len(member), width),
        tables / sizes,
        units.offset,
        units.scale,
        n_rows=rows.total,
    )
    likelihood = float(reading.weight() @ blank.score_samples(reading.table))
    return replace(blank, log_likelihood=likelihood if math.isfinite(likelihood) else -math.inf)
