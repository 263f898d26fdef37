"""Gaussian mixtures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.parameters import Declared, choice, instance, whole
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.estimators import Reading
from induce.mixtures.components import KINDS
from induce.mixtures.estimation import Fit, fit
from induce.mixtures.hypothesis import Mixture
from induce.mixtures.learners.base import (
    EMLearner,
    best_number,
    components_in,
    information_score,
    mixture_of,
    numbers_of,
)

SCALES = ("standard", None)


class GaussianMixture(EMLearner):
    """Cluster by a mixture of Gaussians, found by EM with restarts of those that collapse or merge (AIMA 20.3).

    Numeric columns of a cluster are jointly Gaussian, nominal ones independent given the cluster. A missing
    value is integrated out exactly, in training and afterwards; a category not seen in training is treated as
    missing. A constant column is left out, with a note.

    Parameters
    ----------
    n_components : int or None, optional
        Number of Gaussians; None chooses it by BIC.
    max_components : int, default=10
        Maximum number of Gaussians tried.
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
        Type of the covariances. ``"full"``: one matrix per Gaussian. ``"tied"``: one matrix for all.
        ``"diag"``: one variance per column and Gaussian. ``"spherical"``: one variance per Gaussian.
    prior : float, default=1.0
        Equivalent sample size of the prior of covariances and tables, which has a quarter of the variance of all rows
        and the overall relative frequencies of values; 0 gives maximum likelihood.
    scale : {"standard", None}, default="standard"
        Whether a spherical Gaussian is isotropic in standard deviations of the columns or in their original
        units; it affects nothing else.
    start : Mixture, optional
        Initial mixture for EM; by default k-means initialises the clusters.
    n_init : int, default=1
        Number of random starts; the best is kept.
    max_iter : int, default=200
        Maximum number of iterations of each start.
    tol : float, default=1e-05
        Relative gain of the objective below which EM ends.
    rules : bool, default=True
        Whether to describe the clusters by rules.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : Mixture
    labels_ : array of int64
        Cluster of each training row; cluster 0 is the largest.

    See Also
    --------
    KMeans : Hard clusters around means.
    MixtureModel : Clusters of mixed columns.

    References
    ----------
    A. P. Dempster, N. M. Laird and D. B. Rubin (1977). Maximum likelihood from incomplete data via the EM
    algorithm. Journal of the Royal Statistical Society B 39, 1-38.

    Examples
    --------
    >>> import induce
    >>> X = [[1.0], [2.0], [3.0], [9.0], [10.0], [11.0]]
    >>> found = GaussianMixture(2, prior=0).fit(X)
    >>> print(found.hypothesis_)
    mixture of 2 with full covariances, 1 column, 6 rows
      log likelihood -11.4561, BIC 31.871, converged after 2 iterations
    cluster 0: 50.0% of the rows
      x0 2 ± 0.816 (all: 6 ± 4.08)
      IF x0 <= 6 (3/3)
    cluster 1: 50.0% of the rows
      x0 10 ± 0.816 (all: 6 ± 4.08)
      IF x0 > 6 (3/3)
    rows that no rule covers get cluster 0; the rules agree with the clusters on 100.0% of the rows
    """

    parameters: ClassVar[Declared] = {
        "n_components": whole("Number of Gaussians; None chooses it by BIC.", at_least=1, none=True),
        "max_components": whole("Maximum number of Gaussians tried.", at_least=1),
        "covariance_type": choice("Type of the covariances.", *KINDS),
        "start": instance(
            "Initial mixture; None starts from k-means.",
            "Mixture",
            none=True,
            otherwise="give a Mixture, such as the hypothesis_ of another fit",
        ),
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        max_components: int = 10,
        covariance_type: str = "full",
        prior: float = 1.0,
        scale: str | None = "standard",
        start: Mixture | None = None,
        n_init: int = 1,
        max_iter: int = 200,
        tol: float = 1e-5,
        rules: bool = True,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_components = n_components
        self.max_components = max_components
        self.covariance_type = covariance_type
        self.prior = prior
        self.scale = scale
        self.start = start
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.rules = rules
        self.schema = schema
        self.random_state = random_state

    def _found(self, reading: Reading, random: np.random.Generator) -> Mixture:
        units, rows = self._rows(reading, self.scale)
        settings = self._settings(reading, units, rows)
        if self.start is not None:
            first = components_in(units, self._checked(self.start, reading))
            found, choice = fit(rows, [first], settings, random), None
        else:
            numbers = numbers_of("n_components", self.n_components, self.max_components, rows)

            def attempt(k: int) -> tuple[Fit, float, bool]:
                each = self._fit(rows, k, self.covariance_type, settings, random)
                return each, information_score(each, rows, units), each.interrupted(settings.max_iter)

            found, choice = best_number(numbers, "bic", attempt)
        chosen = None if self.n_components is not None else choice
        return mixture_of(found, reading.schema, units, rows, chosen)

    def _unit(self) -> str | None:
        return self.scale

    def _checked(self, start: Mixture, reading: Reading) -> Mixture:
        if self.n_components not in (None, len(start.shares)):
            raise InputError(
                f"n_components is {self.n_components}, but start has {len(start.shares)}; omit one of the two"
            )
        if start.covariance_type != self.covariance_type:
            raise InputError(
                f"covariance_type is {self.covariance_type!r}, but start has {start.covariance_type!r} "
                "covariances; give both the same type"
            )
        inputs, others = reading.schema.inputs(), start.schema.inputs()
        if [(column.kind, column.domain) for column in inputs] != [
            (column.kind, column.domain) for column in others
        ]:
            raise InputError(
                f"start has other columns: {', '.join(others.names())}; give a mixture of the same columns"
            )
        return replace(start, rules=None)
