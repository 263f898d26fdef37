"""The learner of mixtures of nominal and numeric columns, after AUTOCLASS."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.parameters import Declared, choice, whole
from induce.core.randomness import RandomState
from induce.core.ties import first_largest_of_each
from induce.data.schema import Schema
from induce.estimators import Reading
from induce.mixtures.estimation import EMSettings, Fit
from induce.mixtures.hypothesis import Mixture
from induce.mixtures.learners.base import (
    EMLearner,
    best_number,
    information_score,
    log_units,
    mixture_of,
    numbers_of,
)
from induce.mixtures.number import CRITERIA, NumberChoice, cheeseman_stutz, visits
from induce.mixtures.rows import Rows, Units


class MixtureModel(EMLearner):
    """Hidden classes of rows with nominal and numeric columns, and their number (AUTOCLASS; AIMA 20.3).

    Given its class, the columns of a row are independent: a numeric column is normal, a nominal one has a
    probability table. EM finds the most probable parameters. A missing value is integrated out, in training
    and afterwards; a category not seen in training is treated as missing. A constant column is left out, with
    a note.

    Parameters
    ----------
    n_classes : int or None, optional
        Number of classes; None chooses it by the criterion.
    max_classes : int, default=20
        Maximum number of classes tried.
    criterion : {"cheeseman-stutz", "bic", "mcmc"}, default="cheeseman-stutz"
        Criterion for the number of classes: an approximate marginal likelihood, BIC, or the number that a
        Markov chain over the classes of all rows visits most often. The chain needs whole numbers as row
        weights. With thousands of rows it may stay near its start, the number preferred by the
        Cheeseman-Stutz criterion.
    n_sweeps : int, default=200
        Number of sweeps of the chain over all rows; the first quarter is burn-in.
    prior : float, default=1.0
        Equivalent sample size of the prior of a class, which has a quarter of the variance of all rows and the
        overall relative frequencies of values; 0 gives maximum likelihood.
    n_init : int, default=1
        Number of random starts; the best is kept.
    max_iter : int, default=200
        Maximum number of iterations of each start.
    tol : float, default=1e-05
        Relative gain of the objective below which EM ends.
    rules : bool, default=True
        Whether to describe the classes by rules.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : Mixture
    labels_ : array of int64
        Class of each training row; class 0 is the largest.

    See Also
    --------
    GaussianMixture : Clusters with covariances.
    KMeans : Hard clusters around means.

    References
    ----------
    P. Cheeseman and J. Stutz (1996). Bayesian classification (AutoClass): theory and results. In Advances in
    Knowledge Discovery and Data Mining. AAAI Press.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> found = MixtureModel().fit(X)
    >>> print(found.hypothesis_.choice)
    3 clusters by Cheeseman and Stutz: ...
    """

    parameters: ClassVar[Declared] = {
        "n_classes": whole(
            "Number of hidden classes; None chooses it by the criterion.", at_least=1, none=True
        ),
        "max_classes": whole("Maximum number of hidden classes tried.", at_least=1),
        "criterion": choice("Criterion for the number of classes.", *CRITERIA),
        "n_sweeps": whole("Number of sweeps of the sampler for criterion='mcmc'.", at_least=1),
    }

    def __init__(
        self,
        n_classes: int | None = None,
        *,
        max_classes: int = 20,
        criterion: str = "cheeseman-stutz",
        n_sweeps: int = 200,
        prior: float = 1.0,
        n_init: int = 1,
        max_iter: int = 200,
        tol: float = 1e-5,
        rules: bool = True,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_classes = n_classes
        self.max_classes = max_classes
        self.criterion = criterion
        self.n_sweeps = n_sweeps
        self.prior = prior
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.rules = rules
        self.schema = schema
        self.random_state = random_state

    def _found(self, reading: Reading, random: np.random.Generator) -> Mixture:
        units, rows = self._rows(reading, "standard")
        settings = self._settings(reading, units, rows)
        numbers = numbers_of("n_classes", self.n_classes, self.max_classes, rows)

        def attempt(k: int) -> tuple[Fit, float, bool]:
            each = self._fit(rows, k, "diag", settings, random)
            if self.criterion == "bic":
                score = information_score(each, rows, units)
            else:
                score = cheeseman_stutz(each.components, rows, settings.prior) - log_units(rows, units)
            return each, score, each.interrupted(settings.max_iter)

        found, choice = best_number(numbers, self.criterion, attempt)
        if self.criterion == "mcmc" and self.n_classes is None:
            choice = self._visited(found, reading, units, settings, random)
            if choice.chosen != len(found.components.shares):
                found = attempt(choice.chosen)[0]
        chosen = None if self.n_classes is not None else choice
        return mixture_of(found, reading.schema, units, rows, chosen)

    def _visited(
        self, found: Fit, reading: Reading, units: Units, settings: EMSettings, random: np.random.Generator
    ) -> NumberChoice:
        """Return the numbers of classes that the sampler visits, starting from the result of EM."""
        weights = reading.weight()
        if (weights != weights.round()).any():
            raise InputError(
                "sample_weight contains fractions, but criterion='mcmc' needs whole numbers; give "
                "these, or another criterion"
            )
        again = np.repeat(np.arange(len(weights)), weights.astype(np.int64))
        numeric = units.scaled(reading.table.numeric)[again]
        nominal = np.ascontiguousarray(reading.table.nominal[again])
        sizes = tuple(len(column.domain) for column in reading.table.schema if column.kind == "nominal")
        rows = Rows(numeric, nominal, np.ones(len(again)), sizes)
        labels = first_largest_of_each(found.components.log_densities(numeric, nominal, rows.places))
        most = min(max(self.max_classes, len(found.components.shares)), len(rows))
        counts = visits(rows, labels.astype(np.int64), settings.prior, most, self.n_sweeps, random)
        visited = np.flatnonzero(counts)
        shares = counts[visited] / counts.sum()
        return NumberChoice("mcmc", tuple((visited + 1).tolist()), tuple(shares.tolist()))
