"""Kernel density estimation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from induce.core.parameter_kinds import Number, OneOf, OneOrSeveral
from induce.core.parameters import Declared, Parameter, choice, either
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.data.numeric_view import SCALES
from induce.data.schema import Schema
from induce.estimators import Reading, TableDensity
from induce.instances.choice import LeaveOneOutChoice, several_of
from induce.instances.densities.kernel_model import KernelDensityModel
from induce.instances.densities.stored import Places
from induce.instances.kernels import DistanceKernel

KERNELS = ("gaussian", "epanechnikov", "tophat")
RULES = ("leave-one-out", "scott", "silverman")
FACTORS = tuple(np.geomspace(0.1, 3.0, 10).tolist())
"""Candidate factors of Silverman's bandwidth."""
SMOOTHINGS = (0.01, 0.03, 0.1, 0.2, 0.4, 0.7)
PAIRS = 10_000_000
"""Number of pairs of rows per candidate, if there are many rows."""


class KernelDensity(TableDensity):
    """Density as the mean of kernels around the stored rows (AIMA 20.4).

    The kernel of a row is a product over columns: a kernel around the value of every numeric column, and the
    category of every nominal one, replaced at random with a small probability. A stored row with a missing
    value in a column gets the mean kernel of the other rows there. Missing values of a query are ignored, so
    that its density is that of the observed columns; a category not seen in training differs from all others.

    Parameters
    ----------
    kernel : {"gaussian", "epanechnikov", "tophat"}, default="gaussian"
        Kernel around each row.
    bandwidth : float, sequence of float, "leave-one-out", "scott" or "silverman", default="leave-one-out"
        Width of the kernel in the units of `scale`; one width, or one chosen from several by the
        leave-one-out likelihood. ``"leave-one-out"`` chooses from ten between a tenth and three times
        Silverman's. The rules are optimal for normal data.
    smoothing : float, sequence of float or None, default=None
        Probability that a category is replaced at random; chosen like the bandwidth if there are several or None.
    scale : {"standard", "range", None}, default="standard"
        Scaling of numeric columns: by standard deviation, by range, or none.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed of the left-out rows, if there are many.

    Attributes
    ----------
    hypothesis_ : KernelDensityModel

    See Also
    --------
    NeighborDensity : A density from the nearest rows.
    GaussianMixture : A density as a sum of Gaussians.

    References
    ----------
    E. Parzen (1962). On estimation of a probability density function and mode. Annals of Mathematical Statistics
    33, 1065-1076.

    Examples
    --------
    >>> density = KernelDensity(bandwidth=0.5, scale=None).fit([[0.0], [1.0], [3.0]])
    >>> np.exp(density.score_samples([[0.0], [0.5], [2.0]])).round(7).tolist()
    [0.3019555, 0.3226286, 0.0720772]
    """

    hypothesis_: KernelDensityModel

    parameters: ClassVar[Declared] = {
        "kernel": choice("Kernel around each row.", *KERNELS),
        "bandwidth": either(
            "Width of the kernels: a rule, a number, or several to choose from by leave-one-out.",
            OneOrSeveral(Number(above=0, finite=True)),
            OneOf(tuple(RULES)),
            otherwise=f"give a number above 0, several of them, or one of {', '.join(RULES)}",
        ),
        "smoothing": Parameter(
            "Probability that a category is replaced at random; None and several choose by leave-one-out.",
            OneOrSeveral(Number(at_least=0, at_most=1)),
            none=True,
        ),
        "scale": choice("Scaling of numeric columns.", *filter(None, SCALES), none=True),
    }

    def __init__(
        self,
        *,
        kernel: str = "gaussian",
        bandwidth: float | str | Sequence[float] = "leave-one-out",
        smoothing: float | Sequence[float] | None = None,
        scale: str | None = "standard",
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.smoothing = smoothing
        self.scale = scale
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: Reading) -> KernelDensityModel:
        density = KernelDensityModel.storing(
            reading.schema,
            reading.table,
            reading.weights,
            self.scale,
            kernel=DistanceKernel(self.kernel),
            smoothing=0.0,
        )
        return self._chosen(density, self._bandwidths(density), self._smoothings(density))

    def _bandwidths(self, density: KernelDensityModel) -> list[float]:
        columns = density.numeric.shape[1]
        if not columns:
            return [1.0]
        if not isinstance(self.bandwidth, str):
            return [float(width) for width in several_of("bandwidth", self.bandwidth)]
        scott = density.total ** (-1.0 / (columns + 4))
        if self.bandwidth == "scott":
            return [scott]
        silverman = scott * ((columns + 2) / 4.0) ** (-1.0 / (columns + 4))
        if self.bandwidth == "silverman":
            return [silverman]
        return [silverman * density.spread() * factor for factor in FACTORS]

    def _smoothings(self, density: KernelDensityModel) -> list[float]:
        if not density.values:
            return [0.0]
        several = several_of("smoothing", SMOOTHINGS if self.smoothing is None else self.smoothing)
        return [float(share) for share in several]

    def _chosen(
        self, density: KernelDensityModel, widths: list[float], smoothings: list[float]
    ) -> KernelDensityModel:
        """Return the density with the bandwidth and smoothing of the largest leave-one-out likelihood."""
        kernels = [replace(density.kernel, width=width) for width in widths]
        if len(kernels) == len(smoothings) == 1 or density.total <= 1:
            return replace(density, kernel=kernels[0], smoothing=smoothings[0])
        own = left_out(len(density.weights), PAIRS // len(density.weights), self.random_state)
        losses = np.zeros((len(kernels), len(smoothings)))
        for part, mine in density.blocks(len(own), own):
            rows = own[part]
            categories = [density.log_categories(density.nominal[rows], share) for share in smoothings]
            squares = density.squares(density.numeric[rows])
            for place, kernel in enumerate(kernels):
                numbers = density.log_numbers(density.numeric[rows], kernel, squares)
                for other, logs in enumerate(categories):
                    found = np.maximum(density.combined(numbers, logs, mine), -1e300)
                    losses[place, other] -= float(density.weights[rows] @ found)
            report(min(1.0, part.stop / len(own)))
        losses /= float(density.weights[own].sum())
        choice = LeaveOneOutChoice.over(
            {"bandwidth": widths, "smoothing": smoothings}, losses.ravel(), "minus log density"
        )
        place, other = divmod(choice.chosen, len(smoothings))
        return replace(density, kernel=kernels[place], smoothing=smoothings[other], choice=choice)


def left_out(n: int, most: int, random_state: RandomState) -> Places:
    """Return the rows to leave out one at a time: all if few, otherwise between 100 and 500."""
    most = min(max(most, 100), 500)
    if n <= most:
        return np.arange(n)
    return np.sort(generator(random_state).choice(n, most, replace=False))
