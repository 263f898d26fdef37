"""LinearRegression: numeric prediction by a weighted sum of columns (AIMA 18.6.1-2; Mitchell §4.4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from scipy.linalg import block_diag

from induce.core.blas import one_thread
from induce.core.errors import InputError
from induce.core.estimator import given_weights
from induce.core.hypothesis import Hypothesis
from induce.core.parameters import Declared, choice, number
from induce.core.randomness import RandomState, generator
from induce.data.schema import Schema
from induce.data.table import as_table
from induce.estimators import NumberReading, TableRegressor
from induce.linear.learners.base import (
    Floats,
    LinearLearner,
    Terms,
    knowledge,
    left_out_terms,
    signs_of,
    terms_of,
)
from induce.linear.learners.coordinate_descent import sparse_from_products, sparse_path
from induce.linear.learners.penalty_selection import Rows, Weights, chosen_path
from induce.linear.least_squares import (
    Fit,
    by_linear_program,
    least_squares,
    power_penalty,
    ridge,
    ridge_path,
    signed,
)
from induce.linear.model import Knowledge, LinearRegressionModel
from induce.linear.path import Path
from induce.linear.products import MOST, Products
from induce.linear.standard import Standard
from induce.linear.terms import Design


class LinearRegression(LinearLearner, TableRegressor):
    """Predicts a number as a weighted sum of columns, by least squares by default.

    Every weight is in the target's unit per unit of its column. A nominal column has a weight for each value except
    the first, the reference; under a penalty, for all values. Without a penalty each weight has a standard error and
    an interval. The cost under a penalty is the mean loss plus `strength` times the sum of \\|w\\|^q, where q is 1
    ("l1"), 2 ("l2") or `power`; the intercept is not penalised.

    With several targets, each has its own weights.

    A missing number is replaced by the mean of the training rows, and has its own weight if the training rows had
    missing values. A missing category has its own weight if the training rows had missing values; otherwise it is
    treated like a category not seen in training, as the mean of the categories.

    Parameters
    ----------
    loss : {"squared", "absolute", "minimax"}, default="squared"
        Loss: the mean squared error, the mean absolute error, or the largest error. The last two are minimised by
        linear programming.
    penalty : {"l1", "l2", "elastic", "power", "auto"}, optional
        Penalty on large weights; "auto" chooses kind and strength by cross-validation.
    strength : float, optional
        Strength of the penalty; None chooses it by cross-validation.
    l1_share : float, default=0.5
        Fraction of an elastic penalty that is L1.
    power : float, default=1.0
        Exponent q of the penalty "power"; above 0.
    terms : str, default=""
        Further terms: powers, functions and products of columns, such as ``"x^2, log(x), x:z"``. The functions are
        log, sqrt, exp, sin, cos, tanh and abs.
    standardise : bool, default=True
        Whether penalties apply to weights per standard deviation of their term.
    monotone : dict, optional
        Columns whose weight must not be negative ("increasing") or positive ("decreasing").
    fit_intercept : bool, default=True
        Whether the sum has an intercept.
    bootstrap : int, default=0
        Number of bootstrap samples for intervals; 0 gives only theoretical intervals.
    cv : int, splitter or pairs, default=5
        Cross-validation folds for choosing the penalty.
    random_state : int, Generator or None, default=0
        Random seed of folds and resampling.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : LinearRegressionModel

    See Also
    --------
    LogisticRegression : Probabilities of classes from weighted sums.
    LMS : The delta rule for regression.
    ModelTree : Trees with linear models in the leaves.

    References
    ----------
    R. Tibshirani (1996). Regression shrinkage and selection via the lasso. JRSS B 58, 267-288.

    Examples
    --------
    >>> learner = LinearRegression().fit([[0, 0], [1, 0], [0, 1], [1, 1], [2, 1]], [1, 3, 0, 2.5, 4])
    >>> print(learner.hypothesis_)
    y by least squares, 5 rows, residual deviation 0.2887
    term          weight  standard error  95% interval
    (intercept)        1          0.2236  [0.0379, 1.962]
    x0                 2          0.1826  [1.214, 2.786]
    x1           -0.8333          0.2789  [-2.033, 0.3666]
    """

    parameters: ClassVar[Declared] = {
        **LinearLearner.parameters,
        "loss": choice("Loss that is minimised.", "squared", "absolute", "minimax"),
        "penalty": choice(
            "Penalty on large weights; 'auto' chooses kind and strength by cross-validation.",
            *("l1", "l2", "elastic", "power", "auto"),
            none=True,
        ),
        "power": number(
            "Exponent of the penalty 'power'; below 1 it finds a local minimum.", above=0, finite=True
        ),
    }
    hypothesis_: LinearRegressionModel
    several_outputs: ClassVar[bool] = True

    def __init__(
        self,
        loss: str = "squared",
        penalty: str | None = None,
        strength: float | None = None,
        l1_share: float = 0.5,
        power: float = 1.0,
        terms: str = "",
        standardise: bool = True,
        monotone: Mapping[str, str] | None = None,
        fit_intercept: bool = True,
        bootstrap: int = 0,
        cv: Any = 5,
        random_state: RandomState = 0,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.strength = strength
        self.l1_share = l1_share
        self.power = power
        self.terms = terms
        self.standardise = standardise
        self.monotone = monotone
        self.fit_intercept = fit_intercept
        self.bootstrap = bootstrap
        self.cv = cv
        self.random_state = random_state
        self.schema = schema

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.loss != "squared" and self.penalty in ("power", "auto"):
            raise InputError(f"loss is {self.loss!r}, which needs penalty None, 'l1', 'l2' or 'elastic'")
        if self.loss != "squared" and self.penalty is not None and self.strength is None:
            raise InputError(f"loss is {self.loss!r}, with which a penalty needs a strength")
        if self.penalty == "power" and self.strength is None:
            raise InputError("penalty is 'power', which needs a strength")
        if self.monotone and self.penalty not in (None, "l2"):
            raise InputError(f"monotone needs penalty None or 'l2', not {self.penalty!r}")

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from further rows; no rows are kept, and the weights are those of all rows so far.

        The first rows determine the schema, the categories, and the replacement of a missing number.

        Parameters
        ----------
        X : frame or array
        y : series, array or list
            Target value of each row.
        sample_weight : array, optional
            Weight of each row.
        """
        self._check_parameters()
        self._check_additive()
        known = self.__dict__.get("hypothesis_")
        if known is None:
            reading = self._read(X, y, sample_weight)
            terms, numbers = terms_of(reading, self.terms, self.penalty is None), reading.numbers
            names = reading.schema, reading.target
        else:
            self._fitted(X)
            numbers, table = self._target(y)[1], as_table(X, known.schema)
            given = given_weights(sample_weight, len(numbers))
            weights = np.ones(len(numbers)) if given is None else given
            if len(table) != len(numbers):
                raise InputError(f"X has {len(table)} rows, y has {len(numbers)}; give one number per row")
            rows = np.flatnonzero(weights > 0)
            terms = Terms(known.design, known.design.matrix(table)[rows], weights[rows], rows)
            names = known.schema, known.target
        if numbers.ndim > 1:
            raise InputError("y has several columns; partial_fit learns one number")
        with one_thread():
            self._add(terms, numbers[terms.rows])
            self.hypothesis_ = self._from_products(names, terms.design)
        return self

    def _check_additive(self, what: str = "partial_fit") -> None:
        """Raise an `InputError` unless sums over rows determine the weights."""
        if self.loss != "squared" or self.penalty in ("power", "auto") or self.monotone or self.bootstrap:
            raise InputError(
                f"{what} needs the squared loss and no penalty, 'l1', 'l2' or 'elastic', without monotone and "
                "bootstrap"
            )
        if self.penalty is not None and self.strength is None:
            raise InputError(f"penalty is {self.penalty!r}; {what} needs a strength")
        model = self.__dict__.get("hypothesis_")
        if model is not None and self._products is None:
            self._products = self._recovered(model)

    def _recovered(self, model: LinearRegressionModel) -> Products:
        """Return the sums over the rows of `fit`."""
        known, found = model.known, None
        if self.fit_intercept and known.covariance is not None and not model.names:
            plane = np.append(model.intercepts, model.weights[0])
            found = Products.of_model(
                known.n_rows, known.means, plane, known.covariance, known.sigma, known.loss
            )
        if found is None:
            raise InputError(
                "the sums over the rows of fit cannot be recovered, as its weights have no standard errors; call "
                "partial_fit from the first rows on"
            )
        return found

    def _add(self, terms: Terms, y: Floats) -> None:
        before = self._products
        unit = None if before is None else before.unit
        found = Products.of(terms.x, y, terms.weights, unit)
        self._products = found if before is None else before + found

    def _from_products(self, names: tuple[Schema, str], design: Design) -> LinearRegressionModel:
        """Return the model that the sums over all rows so far determine."""
        assert self._products is not None
        products = self._products if self.fit_intercept else self._products.about_zero()
        standard = products.standard(self._scaled)
        if self.penalty is None or not self.strength:
            fit = products.least_squares(standard, self.fit_intercept)
        else:
            square, along = products.in_units(standard)
            if self.penalty == "l2":
                ridged = square + float(self.strength) * np.eye(len(square))
                found = np.asarray(np.linalg.solve(ridged, along), np.float64)
            else:
                share = self._share(self.penalty)
                found = sparse_from_products(square, along, float(self.strength), share)
            fit = Fit(products.target_mean, found)
        intercept, weights = standard.own_units(fit.intercept, fit.weights)
        covariance = None if fit.covariance is None else standard.own_covariance(fit.covariance)
        known = Knowledge(
            self._method(self.penalty, float(self.strength or 0.0)),
            products.total,
            self._products.means * products.unit,
            self._products.deviations(),
            covariance=covariance,
            degrees=fit.degrees,
            sigma=fit.sigma,
            without="" if covariance is not None else self._without(self.penalty),
            loss=products.loss(standard, fit.weights),
        )
        return LinearRegressionModel(*names, design, np.array([intercept]), weights[np.newaxis], known)

    _products: Products | None = None

    def _forget(self) -> None:
        self._products = None
        super()._forget()

    def _resumable_state(self) -> dict[str, Any]:
        kept = super()._resumable_state()
        return kept if self._products is None else {**kept, "products": vars(self._products)}

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        sums = state.get("products")
        self._products = None if sums is None else Products(**sums)

    def _n_passes(self) -> int:
        """Return the number of passes over a table in partitions."""
        return 3

    def _learn_scan(self, source: Any) -> LinearRegressionModel:
        """Learn from a table in partitions: one pass determines the terms and their units, one sums products."""
        from induce.linear.learners.sums import summed_products

        self._check_additive("learning from partitions")
        design, self._products = summed_products(source, self.terms, reference=self.penalty is None)
        return self._from_products((source.schema, source.target), design)

    def _learn(self, reading: NumberReading) -> LinearRegressionModel:
        terms = terms_of(reading, self.terms, reference=self.penalty is None)
        numbers = reading.numbers[terms.rows]
        if np.abs(numbers).max(initial=0.0) > MOST:
            raise InputError(
                f"y holds numbers beyond {MOST:g}, whose squares cannot be added; scale them down"
            )
        if numbers.ndim == 1:
            return self._one(reading, terms, numbers)
        each = [self._one(reading, terms, column) for column in numbers.T]
        return _joined(each, reading.names)

    def _one(self, reading: NumberReading, terms: Terms, y: Floats) -> LinearRegressionModel:
        """Return the model of a single target."""
        penalty, strength, path = self._settled_penalty(terms, y)
        standard = terms.standard(self.fit_intercept, self._scaled)
        fit = self._fit(standard, terms, y, penalty, strength, tell=True)
        intercept, weights = standard.own_units(fit.intercept, fit.weights)
        covariance = None if fit.covariance is None else standard.own_covariance(fit.covariance)
        error = y - terms.x @ weights - intercept
        known = knowledge(
            terms,
            self._method(penalty, strength),
            covariance=covariance,
            degrees=fit.degrees,
            sigma=fit.sigma,
            without="" if covariance is not None else self._without(penalty),
            loss=float(np.average(np.square(error), weights=terms.weights)),
            path=path,
        )
        model = LinearRegressionModel(
            reading.schema, reading.target, terms.design, np.array([intercept]), weights[np.newaxis], known
        )
        if self.bootstrap:
            bounds = self._resampled(terms, y, penalty, strength)
            model = replace(model, known=replace(known, bootstrap=bounds, without=""))
        return model

    @property
    def _scaled(self) -> bool:
        """Whether the weights are computed in standard units; without a penalty this only improves the arithmetic."""
        return self.standardise or self.penalty is None

    def _settled_penalty(self, terms: Terms, y: Floats) -> tuple[str | None, float, Path | None]:
        if self.penalty is None:
            return None, 0.0, None
        if self.penalty == "power" or (self.strength is not None and self.penalty != "auto"):
            return self.penalty, float(self.strength or 0.0), None
        if isinstance(self.cv, int) and len(y) < 2 * self.cv:
            raise InputError(
                f"penalty is {self.penalty!r}, whose strength is chosen by {self.cv} folds, but there are only "
                f"{len(y)} rows; give a strength"
            )

        def path_of(kind: str, standard: Standard, rows: Rows, strengths: Floats) -> Weights:
            target, weights = y[rows], standard.weights
            if kind == "l2":
                found = ridge_path(standard.z, target, weights, strengths, self.fit_intercept)
            else:
                share = self._share(kind)
                found = sparse_path(standard.z, target, weights, strengths, share, self.fit_intercept)
            mean = float(np.average(target, weights=weights)) if self.fit_intercept else 0.0
            return Weights(np.full((len(strengths), 1), mean), found[:, np.newaxis])

        standard = terms.standard(self.fit_intercept, self._scaled)
        share = terms.weights / terms.weights.sum()
        pull = standard.z.T @ (share * (y - (share @ y if self.fit_intercept else 0.0)))
        kind, strength, path = chosen_path(
            self._kinds(("l2", "l1", "elastic")),
            terms.x,
            terms.weights,
            np.zeros(len(y)),
            self.cv,
            2.0 * float(np.abs(pull).max(initial=0.0)),
            path_of,
            lambda sums, rows: np.square(sums[:, 0] - y[rows]),
            terms.design.names,
            intercept=self.fit_intercept,
            scaled=self._scaled,
            random_state=self.random_state,
        )
        return kind, strength, path

    def _fit(
        self, standard: Standard, terms: Terms, y: Floats, penalty: str | None, strength: float, tell: bool
    ) -> Fit:
        z, weights, intercept = standard.z, standard.weights, self.fit_intercept
        signs = signs_of(self.monotone, terms.design)
        if self.loss != "squared":
            share = self._share(penalty) if penalty else 1.0
            return by_linear_program(z, y, weights, self.loss, intercept, strength, share, signs)
        if signs.any():
            return signed(z, y, weights, strength, signs, intercept)
        if penalty == "l2":
            return (
                ridge(z, y, weights, strength, intercept)
                if strength
                else self._plain(standard, terms, y, tell)
            )
        if penalty == "power":
            return power_penalty(z, y, weights, strength, self.power, intercept)
        if penalty is not None and strength:
            found = sparse_path(z, y, weights, np.array([strength]), self._share(penalty), intercept)[0]
            return Fit(float(np.average(y, weights=weights)) if intercept else 0.0, found)
        return self._plain(standard, terms, y, tell)

    def _plain(self, standard: Standard, terms: Terms, y: Floats, tell: bool) -> Fit:
        from induce.linear.standard import dependent

        names = terms.design.names
        left_out = left_out_terms(standard, names) if tell else dependent(standard.z, standard.weights)
        return least_squares(standard.z, y, standard.weights, left_out, self.fit_intercept)

    def _resampled(self, terms: Terms, y: Floats, penalty: str | None, strength: float) -> Floats:
        """Return the bounds of 95% intervals: percentiles of the weights on resampled rows."""
        rng = generator(self.random_state)
        found = np.empty((self.bootstrap, terms.x.shape[1] + 1))
        for k in range(self.bootstrap):
            rows = rng.integers(len(y), size=len(y))
            part = Terms(terms.design, terms.x[rows], terms.weights[rows], rows)
            standard = part.standard(self.fit_intercept, self._scaled)
            fit = self._fit(standard, part, y[rows], penalty, strength, tell=False)
            intercept, weights = standard.own_units(fit.intercept, fit.weights)
            found[k] = np.append(intercept, weights)
        return np.percentile(found, [2.5, 97.5], axis=0)[:, np.newaxis]

    def _method(self, penalty: str | None, strength: float) -> str:
        method = {
            "squared": "least squares",
            "absolute": "least absolute error",
            "minimax": "least largest error",
        }[self.loss]
        if penalty is None:
            return method
        name = (
            f"|w|^{self.power:g}"
            if penalty == "power"
            else penalty.upper()
            if penalty != "elastic"
            else penalty
        )
        return f"{method} with {name} penalty {strength:.4g}"

    def _without(self, penalty: str | None) -> str:
        if self.loss != "squared":
            return f"there is no theory for the {self.loss} loss; give bootstrap=200"
        if penalty is not None:
            return "a penalty shrinks the weights on purpose; give bootstrap=200"
        if self.monotone:
            return "signs are fixed; give bootstrap=200"
        return "there are no more rows than weights"


def _joined(models: list[LinearRegressionModel], names: tuple[str, ...]) -> LinearRegressionModel:
    """Return models of one target each as one model."""
    first = models[0]
    every = [model.known for model in models]
    covariances = [known.covariance for known in every if known.covariance is not None]
    bounds = [known.bootstrap for known in every if known.bootstrap is not None]
    methods = {known.method for known in every}
    known = replace(
        first.known,
        method=first.known.method
        if len(methods) == 1
        else first.known.method.partition(" penalty")[0] + " penalties",
        covariance=block_diag(*covariances) if len(covariances) == len(models) else None,
        bootstrap=np.concatenate(bounds, axis=1) if bounds else None,
        sigma=np.nan,
        loss=float(np.mean([known.loss for known in every])),
        path=None,
    )
    return LinearRegressionModel(
        first.schema,
        first.target,
        first.design,
        np.concatenate([model.intercepts for model in models]),
        np.concatenate([model.weights for model in models]),
        known,
        names,
    )
