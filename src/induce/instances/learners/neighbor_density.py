"""Nearest-neighbour density estimation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from induce.core.notes import note
from induce.core.parameter_kinds import OneOrSeveral, Whole
from induce.core.parameters import Declared, Parameter, choice
from induce.core.randomness import RandomState
from induce.data.numeric_view import SCALES
from induce.data.schema import Schema
from induce.estimators import Reading, TableDensity
from induce.instances.choice import LeaveOneOutChoice, several_of
from induce.instances.densities.neighbor_model import REGIONS, NeighborDensityModel
from induce.instances.learners.kernel_density import left_out

NUMBERS = (3, 5, 7, 10, 15, 20, 30, 40, 60, 80, 120)


class NeighborDensity(TableDensity):
    """Density from the volume of the nearest neighbours (AIMA 20.4).

    P(x) = k / (N V), where V is the volume around x up to the k-th nearest of N rows. Numeric columns
    determine which rows are near; categories have their Laplace-smoothed relative frequencies among the
    nearest rows. If at least k rows equal the query, the volume extends to the next different one. The
    integral of the density is infinite, because it decreases too slowly far from all rows.

    Missing values of a query are ignored, so the result is the density of the observed columns. Stored rows
    with a missing value in one of the query's numeric columns are not counted for it. A category not seen in
    training has count 0.

    Parameters
    ----------
    n_neighbors : int, sequence of int, or None, default=None
        Number of neighbours k. The one of several, or of eleven from 3 to 120 if None, with the largest
        leave-one-out likelihood is chosen.
    region : {"ball", "box"}, default="ball"
        Shape of the volume.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns: by standard deviation, by range, or none.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed of the left-out rows, if there are many.

    Attributes
    ----------
    hypothesis_ : NeighborDensityModel

    See Also
    --------
    KernelDensity : A density from kernels.
    GaussianMixture : A density as a sum of Gaussians.

    References
    ----------
    D. O. Loftsgaarden and C. P. Quesenberry (1965). A nonparametric estimate of a multivariate density function.
    Annals of Mathematical Statistics 36, 1049-1051.

    Examples
    --------
    >>> import numpy as np
    >>> density = NeighborDensity(n_neighbors=2, scale=None).fit([[0.0], [1.0], [3.0], [4.0], [7.0]])
    >>> np.exp(density.score_samples([[2.0], [6.0]])).round(9).tolist()
    [0.2, 0.1]
    """

    hypothesis_: NeighborDensityModel
    sums_to_one = False

    parameters: ClassVar[Declared] = {
        "n_neighbors": Parameter(
            "Number of nearest rows; None and several choose by leave-one-out.",
            OneOrSeveral(Whole(at_least=1)),
            none=True,
        ),
        "region": choice("Shape of the volume of the nearest rows.", *REGIONS),
        "scale": choice("Scaling of numeric columns.", *filter(None, SCALES), none=True),
    }

    def __init__(
        self,
        *,
        n_neighbors: int | Sequence[int] | None = None,
        region: str = "ball",
        scale: str | None = "standard",
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.region = region
        self.scale = scale
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: Reading) -> NeighborDensityModel:
        density = NeighborDensityModel.storing(
            reading.schema, reading.table, reading.weights, self.scale, n_neighbors=1, region=self.region
        )
        ks = self._numbers(density.total)
        if len(ks) == 1 or density.total <= 1:
            return replace(density, n_neighbors=ks[0])
        own = left_out(len(density.weights), 500, self.random_state)
        weights = density.weights[own]
        found = density.log_densities(density.numeric[own], density.nominal[own], own, ks)
        losses = -found @ weights / weights.sum()
        choice = LeaveOneOutChoice.over({"n_neighbors": ks}, losses, "minus log density")
        return replace(density, n_neighbors=ks[choice.chosen], choice=choice)

    def _numbers(self, total: float) -> list[int]:
        if self.n_neighbors is None:
            return [k for k in NUMBERS if k < total] or [max(1, int(total))]
        several = several_of("n_neighbors", self.n_neighbors)
        if max(several) > total:
            note(f"n_neighbors is {max(several)}, but there are {total:g} rows; all are used")
        return [int(k) for k in several]
