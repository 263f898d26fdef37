"""LogisticRegression: probabilities of classes from a weighted sum of columns (AIMA 18.6.4; Mitchell §6.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, choice, number, whole
from induce.core.randomness import RandomState, generator
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.hypotheses.naming import plural
from induce.linear.class_losses import Codes
from induce.linear.learners.base import (
    Floats,
    LinearLearner,
    Terms,
    knowledge,
    left_out_terms,
    signs_of,
    terms_of,
)
from induce.linear.learners.further_rows import FurtherRows
from induce.linear.learners.penalty_selection import Rows, Weights, chosen_path
from induce.linear.learners.sparse_likelihood import KeptParabola, sparse_likelihood
from induce.linear.likelihood import ClassFit, KeptNewton, maximum_likelihood
from induce.linear.model import LinearClassifier
from induce.linear.path import Path
from induce.linear.separation import SUSPECT, Separated, separated_by_terms, separated_together
from induce.linear.standard import Standard, dependent, without_variance
from induce.linear.unit import Unit
from induce.optimise.descent import descend
from induce.optimise.schedules import Decay
from induce.optimise.stopping import Stop
from induce.statistics.logistic import log1p_exp, log_softmax


@dataclass(frozen=True)
class _Penalty:
    """Penalty of the final fit."""

    kind: str | None
    strength: float
    path: Path | None = None
    because: str = ""
    only: Separated | None = None
    """Terms with the penalty; the others are not penalised."""


class LogisticRegression(FurtherRows, TableClassifier):
    """Class probabilities from a weighted sum of columns, by maximum likelihood by default.

    With two classes, the sum is the log odds of the second one; with more, each class except the first has
    its own sum. Every weight is in the unit of its column, and exp of it is an odds ratio. Without a penalty
    each weight has a standard error and an interval. A nominal column has a weight for each value except the
    first, the reference; under a penalty, for all values. The cost under a penalty is the mean loss plus
    `strength` times the sum of the absolute ("l1") or squared ("l2") weights.

    If a column separates the classes perfectly, there are no finite maximum likelihood weights: a note names
    the column, and a weak L2 penalty is used. If it determines the class of only some rows, such as a rare
    category, the penalty applies to its terms, and the other weights keep their intervals.

    A missing number is replaced by the mean of the training rows, and has its own weight if the training rows had
    missing values. A missing category has its own weight if the training rows had missing values; otherwise it is
    treated like a category not seen in training, as the mean of the categories.

    Parameters
    ----------
    loss : {"likelihood", "squared"}, default="likelihood"
        Loss: -log P(class), or the squared error of P by stochastic gradient descent, as in AIMA 18.6.4 (two classes,
        no penalty).
    link : {"logistic", "probit"}, default="logistic"
        Link function from a sum to a probability: logistic, or the normal distribution function (two classes
        only).
    penalty : {"l1", "l2", "elastic", "auto"}, optional
        Penalty on large weights; "auto" chooses kind and strength by cross-validation.
    strength : float, optional
        Strength of the penalty; None chooses it by cross-validation.
    l1_share : float, default=0.5
        Fraction of an elastic penalty that is L1.
    terms : str, default=""
        Additional terms: powers, functions and products of columns, such as ``"x^2, log(x), x:z"``. The
        functions are log, sqrt, exp, sin, cos, tanh and abs.
    standardise : bool, default=True
        Whether penalties apply to weights per standard deviation of their term.
    monotone : dict, optional
        Columns whose weight must not be negative ("increasing") or positive ("decreasing"); two classes only.
    fit_intercept : bool, default=True
        Whether the sum has an intercept.
    bootstrap : int, default=0
        Number of bootstrap samples for intervals; 0 gives only theoretical intervals.
    cv : int, splitter or pairs, default=5
        Cross-validation folds for choosing the penalty.
    learning_rate : float, default=1.0
        Initial learning rate of ``loss="squared"``; after t updates it is multiplied by 1000 / (1000 + t).
    max_epochs : int, default=150
        Number of epochs of ``loss="squared"``.
    class_weight : dict or "balanced", optional
        Weights of the classes.
    random_state : int, Generator or None, default=0
        Random seed of folds and resampling.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : LinearClassifier

    See Also
    --------
    LinearRegression : The least squared error in closed form.
    NaiveBayes : Naive Bayes for tables.
    NeuralNetworkClassifier : Networks trained by back-propagation.

    References
    ----------
    A. Albert and J. A. Anderson (1984). On the existence of maximum likelihood estimates in logistic regression
    models. Biometrika 71, 1-10.

    Examples
    --------
    >>> hours = [[0.5], [0.75], [1.0], [1.25], [1.5], [1.75], [2.0], [2.5], [3.0], [3.5], [4.0], [4.5]]
    >>> passed = ["no", "no", "no", "no", "no", "yes", "no", "yes", "no", "yes", "yes", "yes"]
    >>> learner = LogisticRegression().fit(hours, passed)
    >>> print(learner.hypothesis_)
    log odds of class = yes by maximum likelihood, 12 rows
    term         weight  standard error  95% interval       odds ratio
    (intercept)  -4.391           2.291  [-8.881, 0.09887]
    x0            1.803          0.9571  [-0.07343, 3.678]       6.065
    """

    parameters: ClassVar[Declared] = {
        **LinearLearner.parameters,
        "loss": choice("Loss to be minimised.", "likelihood", "squared"),
        "link": choice("Link function from a sum to a probability.", "logistic", "probit"),
        "learning_rate": number("Initial learning rate of the squared loss.", above=0, finite=True),
        "max_epochs": whole("Number of epochs of the squared loss.", at_least=1),
    }
    hypothesis_: LinearClassifier

    def __init__(
        self,
        loss: str = "likelihood",
        link: str = "logistic",
        penalty: str | None = None,
        strength: float | None = None,
        l1_share: float = 0.5,
        terms: str = "",
        standardise: bool = True,
        monotone: Mapping[str, str] | None = None,
        fit_intercept: bool = True,
        bootstrap: int = 0,
        cv: Any = 5,
        learning_rate: float = 1.0,
        max_epochs: int = 150,
        class_weight: dict[Any, float] | str | None = None,
        random_state: RandomState = 0,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.loss = loss
        self.link = link
        self.penalty = penalty
        self.strength = strength
        self.l1_share = l1_share
        self.terms = terms
        self.standardise = standardise
        self.monotone = monotone
        self.fit_intercept = fit_intercept
        self.bootstrap = bootstrap
        self.cv = cv
        self.learning_rate = learning_rate
        self.max_epochs = max_epochs
        self.class_weight = class_weight
        self.random_state = random_state
        self.schema = schema

    def _check_parameters(self) -> None:
        super()._check_parameters()
        sparse = self.penalty in ("l1", "elastic")
        others = {"penalty": self.penalty, "monotone": self.monotone, "class_weight": self.class_weight}
        odd = [name for name, value in others.items() if value] + ["link"] * (self.link != "logistic")
        if self.loss == "squared" and (odd or not self.fit_intercept):
            raise InputError(
                f"loss is 'squared', which does not support {[*odd, 'fit_intercept=False'][0]}; omit it"
            )
        if self.link == "probit" and sparse:
            raise InputError(f"link is 'probit', but penalty is {self.penalty!r}; give penalty None or 'l2'")
        if self.monotone and sparse:
            raise InputError(f"monotone is given, but penalty is {self.penalty!r}; give penalty None or 'l2'")

    def decision_function(self, X: Any) -> Floats:
        """Return the weighted sum of each row, positive for the second of two `classes_`; with more classes,
        one sum per class.
        """
        model = self._fitted(X)
        assert isinstance(model, LinearClassifier)
        scores = model.decision_function(X)
        order = [model.classes.index(value) for value in self.classes_.tolist()]
        if order == sorted(order):
            return scores
        return -scores if scores.ndim == 1 else scores[:, order]

    def _n_passes(self) -> int:
        """Return the typical number of passes over a table in partitions."""
        return 12

    def _learn_scan(self, source: Any) -> LinearClassifier:
        from induce.linear.learners.partitions import weights_of_partitions

        return weights_of_partitions(self, source)

    def _of_partitions(
        self, reading: Any, terms: Terms, standard: Standard, fit: ClassFit, kept: Any
    ) -> LinearClassifier:
        """Return the model of weights learned from partitions."""
        penalty = _Penalty(None, 0.0) if self.penalty is None else _Penalty("l2", float(self.strength or 0.0))
        return self._model(reading, terms, standard, _widened(fit, kept, len(terms.design.terms)), penalty)

    def _learn(self, reading: ClassReading) -> LinearClassifier:
        terms = terms_of(reading, self.terms, reference=self.penalty is None)
        codes = reading.labels[terms.rows]
        n_classes = len(reading.classes)
        self._check_classes(n_classes)
        if n_classes == 1:
            return self._only(reading, terms)
        if self.loss == "squared":
            return self._descended(reading, terms, codes)
        penalty = self._settled_penalty(terms, codes, n_classes)
        standard = terms.standard(self.fit_intercept, self._scaled(penalty))
        fit = self._fit(standard, terms, codes, n_classes, penalty, tell=True)
        if self.penalty is None and (penalty.kind is None or penalty.only) and fit.largest > SUSPECT:
            found = _separated_together(standard, codes, n_classes, penalty)
            if found is not None:
                penalty = self._answer(found, codes, terms)
                fit = self._fit(standard, terms, codes, n_classes, penalty, tell=False)
        return self._model(reading, terms, standard, fit, penalty)

    def _descended(self, reading: ClassReading, terms: Terms, codes: Codes) -> LinearClassifier:
        """Return the final weights of stochastic gradient descent on the squared error (AIMA eq. 18.8)."""
        if (terms.weights != terms.weights[0]).any():
            raise InputError("loss is 'squared', which does not support row weights; omit sample_weight")
        standard = terms.standard(True)
        unit = Unit(np.column_stack([np.ones(len(codes)), standard.z]), codes.astype(np.float64), "sigmoid")
        run = descend(
            unit,
            np.zeros(unit.n_parameters),
            distance=Decay(self.learning_rate, 1000.0),
            batch_size=1,
            stop=Stop(max_epochs=self.max_epochs),
            random_state=self.random_state,
        )
        self.history_ = run.history
        intercept, weights = standard.own_units(float(run.w[0]), run.w[1:])
        known = knowledge(
            terms,
            f"descent on the squared error in {run.epochs} epochs",
            without="descent stops near the minimum, not at it",
            loss=2.0 * float(run.history.loss[-1]) / len(codes),
        )
        schema, target, classes = reading.names
        return LinearClassifier(
            schema, target, terms.design, np.array([intercept]), weights[np.newaxis], known, classes=classes
        )

    def _check_classes(self, n_classes: int) -> None:
        if n_classes > 2 and self.loss == "squared":
            raise InputError(f"loss is 'squared', but y has {n_classes} classes; give two classes")
        if n_classes > 2 and self.link == "probit":
            raise InputError(f"link is 'probit', but y has {n_classes} classes; give two classes")
        if n_classes > 2 and self.monotone:
            raise InputError(f"monotone is given, but y has {n_classes} classes; give two classes")

    def _scaled(self, penalty: _Penalty) -> bool:
        return self.standardise or self.penalty is None

    def _settled_penalty(self, terms: Terms, codes: Codes, n_classes: int) -> _Penalty:
        if self.penalty is None:
            alone = separated_by_terms(terms.x, codes, n_classes)
            return _Penalty(None, 0.0) if alone is None else self._answer(alone, codes, terms)
        if self.strength is not None and self.penalty != "auto":
            return _Penalty(self.penalty if self.strength else None, float(self.strength))
        if isinstance(self.cv, int) and min(np.bincount(codes)) < self.cv:
            raise InputError(
                f"penalty is {self.penalty!r}, whose strength is chosen by {self.cv} folds, but a class has only "
                f"{plural(int(min(np.bincount(codes))), 'row')}; give a strength or a smaller cv"
            )
        return self._by_folds(terms, codes, n_classes)

    def _by_folds(self, terms: Terms, codes: Codes, n_classes: int) -> _Penalty:
        """Choose the kind and strength of the penalty by cross-validation."""
        ridge_only = self.link == "probit" or self.monotone

        def path_of(kind: str, standard: Standard, rows: Rows, strengths: Floats) -> Weights:
            found = []
            start: ClassFit | None = None
            newton, parabola = KeptNewton(), KeptParabola()
            for strength in strengths.tolist():
                penalty = _Penalty(kind, strength)
                start = self._penalised(
                    standard, terms, codes[rows], n_classes, penalty, start, newton, parabola
                )
                found.append(start)
            return Weights(np.stack([f.intercepts for f in found]), np.stack([f.weights for f in found]))

        def loss_of(sums: Floats, rows: Rows) -> Floats:
            if n_classes > 2:
                return -log_softmax(sums)[np.arange(len(rows)), codes[rows]]
            margin = np.where(codes[rows] == 1, 1.0, -1.0) * sums[:, 0]
            if self.link == "probit":
                from scipy.special import log_ndtr

                return np.asarray(-log_ndtr(margin))
            return log1p_exp(-margin)

        standard = terms.standard(self.fit_intercept, self.standardise)
        share = terms.weights / terms.weights.sum()
        hot = codes[:, np.newaxis] == np.arange(n_classes)
        pull = standard.z.T @ (share[:, np.newaxis] * (hot - share @ hot))
        kind, strength, path = chosen_path(
            self._kinds(("l2",) if ridge_only else ("l2", "l1", "elastic")),
            terms.x,
            terms.weights,
            codes,
            self.cv,
            float(np.abs(pull).max(initial=0.0)),
            path_of,
            loss_of,
            terms.design.names,
            intercept=self.fit_intercept,
            scaled=self.standardise,
            random_state=self.random_state,
        )
        return _Penalty(kind, strength, path)

    def _answer(self, found: Separated, codes: Codes, terms: Terms) -> _Penalty:
        """Emit a note about the separating terms, and return the penalty that makes the weights finite.

        If rows of several classes are undecided, only the responsible terms are penalised: the likelihood of
        the other weights has a maximum (Albert and Anderson 1984).
        """
        because = _named(found, terms)
        strength = 0.5 / float(terms.weights.sum())
        partial = found.is_partial(codes)
        where = (" on it" if len(found.terms) == 1 else " on them") if partial else ""
        note(
            f"{because}, so there are no finite maximum likelihood weights: an L2 penalty of strength "
            f"{strength:.3g}{where} is used; give your own penalty, or leave out the column",
            about="terms that separate the classes",
        )
        return _Penalty("l2", strength, because=because, only=found if partial else None)

    def _fit(
        self, standard: Standard, terms: Terms, codes: Codes, n_classes: int, penalty: _Penalty, tell: bool
    ) -> ClassFit:
        if penalty.kind is not None and penalty.only is None:
            return self._penalised(standard, terms, codes, n_classes, penalty, None)
        names = terms.design.names
        left_out = left_out_terms(standard, names) if tell else dependent(standard.z, standard.weights)
        kept = np.flatnonzero(~left_out)
        signs = signs_of(self.monotone, terms.design)
        ridge = np.zeros(len(names))
        if penalty.only is not None:
            ridge[penalty.only.terms] = penalty.strength
        found = maximum_likelihood(
            standard.z[:, kept] if left_out.any() else standard.z,
            codes,
            n_classes,
            standard.weights,
            ridge=ridge[kept],
            link=self.link,
            intercept=self.fit_intercept,
            signs=signs[kept] if signs.any() else None,
        )
        return _widened(found, kept, len(names))

    def _penalised(
        self,
        standard: Standard,
        terms: Terms,
        codes: Codes,
        n_classes: int,
        penalty: _Penalty,
        start: ClassFit | None,
        newton: KeptNewton | None = None,
        parabola: KeptParabola | None = None,
    ) -> ClassFit:
        if penalty.kind == "l2":
            signs = signs_of(self.monotone, terms.design)
            first = None
            if start is not None and self.fit_intercept:
                first = np.column_stack([start.intercepts, start.weights]).ravel()
            return maximum_likelihood(
                standard.z,
                codes,
                n_classes,
                standard.weights,
                ridge=penalty.strength,
                link=self.link,
                intercept=self.fit_intercept,
                signs=signs if signs.any() else None,
                start=first,
                newton=newton,
            )
        assert penalty.kind is not None
        return sparse_likelihood(
            standard.z,
            codes,
            n_classes,
            standard.weights,
            penalty.strength,
            self._share(penalty.kind),
            self.fit_intercept,
            start,
            parabola,
        )

    def _model(
        self, reading: ClassReading, terms: Terms, standard: Standard, fit: ClassFit, penalty: _Penalty
    ) -> LinearClassifier:
        intercepts, weights = _own_units(standard, fit)
        if len(reading.classes) > 2 and len(intercepts) < len(reading.classes):
            intercepts = np.append(0.0, intercepts)
            weights = np.vstack([np.zeros(weights.shape[1]), weights])
        covariance = None
        if fit.covariance is not None and self.class_weight is None:
            covariance = standard.own_covariance(fit.covariance, len(fit.intercepts))
            if penalty.only is not None:
                lost = np.append(penalty.only.terms + 1, np.zeros(int(penalty.only.intercept), np.intp))
                blocks = np.arange(len(fit.intercepts))[:, np.newaxis] * (weights.shape[1] + 1)
                covariance = without_variance(covariance, (blocks + lost).ravel())
        known = knowledge(
            terms,
            _method(penalty),
            covariance=covariance,
            without=penalty.because if covariance is not None else self._without(penalty),
            loss=fit.loss,
            path=penalty.path,
        )
        model = LinearClassifier(
            reading.schema,
            reading.target,
            terms.design,
            intercepts,
            weights,
            known,
            classes=reading.classes,
            link=self.link,
        )
        if self.bootstrap:
            bounds = self._resampled(reading, terms, penalty, model.weights.shape)
            model = replace(model, known=replace(known, bootstrap=bounds, without=""))
        return model

    def _resampled(
        self, reading: ClassReading, terms: Terms, penalty: _Penalty, shape: tuple[int, ...]
    ) -> Floats:
        """Return the bounds of 95% intervals: percentiles of the weights on rows resampled within the classes."""
        rng = generator(self.random_state)
        codes, n_classes = reading.labels[terms.rows], len(reading.classes)
        groups = [np.flatnonzero(codes == code) for code in range(n_classes)]
        found = np.zeros((self.bootstrap, shape[0], shape[1] + 1))
        for k in range(self.bootstrap):
            rows = np.concatenate([group[rng.integers(len(group), size=len(group))] for group in groups])
            part = Terms(terms.design, terms.x[rows], terms.weights[rows], rows)
            standard = part.standard(self.fit_intercept, self._scaled(penalty))
            fit = self._fit(standard, part, codes[rows], n_classes, penalty, tell=False)
            intercepts, weights = _own_units(standard, fit)
            found[k, shape[0] - len(intercepts) :] = np.column_stack([intercepts, weights])
        return np.asarray(np.percentile(found, [2.5, 97.5], axis=0))

    def _only(self, reading: ClassReading, terms: Terms) -> LinearClassifier:
        """Return the model of a single class."""
        known = knowledge(terms, "counting", without="there is one class", loss=0.0)
        width = len(terms.design.terms)
        return LinearClassifier(
            reading.schema,
            reading.target,
            terms.design,
            np.zeros(0),
            np.zeros((0, width)),
            known,
            classes=reading.classes,
            link=self.link,
        )

    def _without(self, penalty: _Penalty) -> str:
        if penalty.because:
            return f"{penalty.because}; give bootstrap=200"
        if penalty.kind is not None:
            return "a penalty biases the weights; give bootstrap=200"
        if self.monotone:
            return "signs are constrained; give bootstrap=200"
        if self.class_weight is not None:
            return "class weights change the weights of rows; give bootstrap=200"
        return "there are too many weights"


def _own_units(standard: Standard, fit: ClassFit) -> tuple[Floats, Floats]:
    own = [
        standard.own_units(float(intercept), weights)
        for intercept, weights in zip(fit.intercepts, fit.weights, strict=True)
    ]
    return np.array([intercept for intercept, _ in own]), np.stack([weights for _, weights in own])


def _widened(fit: ClassFit, kept: Any, n_terms: int) -> ClassFit:
    """Return a fit of the given terms as one of all terms; the others have weight 0 and no variance."""
    if len(kept) == n_terms:
        return fit
    weights = np.zeros((len(fit.weights), n_terms))
    weights[:, kept] = fit.weights
    covariance = fit.covariance
    if covariance is not None:
        width = n_terms + 1
        places = np.concatenate(
            [k * width + np.append(0, np.asarray(kept) + 1) for k in range(len(fit.intercepts))]
        )
        wide = np.zeros((len(fit.intercepts) * width,) * 2)
        wide[np.ix_(places, places)] = covariance
        gone = np.setdiff1d(np.arange(len(wide)), places)
        wide[gone, gone] = np.nan
        covariance = wide
    return replace(fit, weights=weights, covariance=covariance)


def _separated_together(
    standard: Standard, codes: Codes, n_classes: int, penalty: _Penalty
) -> Separated | None:
    """Return terms that jointly separate the classes, in addition to those that do so alone."""
    z, weights, known = standard.z, standard.weights, penalty.only
    if known is None:
        return separated_together(z, codes, n_classes, weights)
    rest, others = known.undecided, np.setdiff1d(np.arange(z.shape[1]), known.terms)
    found = separated_together(z[np.ix_(rest, others)], codes[rest], n_classes, weights[rest])
    if found is None:
        return None
    undecided = rest.copy()
    undecided[rest] = found.undecided
    return Separated(
        np.append(known.terms, others[found.terms]), found.intercept or known.intercept, undecided, True
    )


def _named(found: Separated, terms: Terms) -> str:
    name, n = terms.design.names[found.terms[0]], len(found.terms)
    if found.together and n > 1:
        return f"{n} terms together separate the classes perfectly, mainly {name}"
    more = "" if n == 1 else f" (and {n - 1} more {'term' if n == 2 else 'terms'})"
    return f"{name}{more} separates the classes perfectly"


def _method(penalty: _Penalty) -> str:
    if penalty.kind is None:
        return "maximum likelihood"
    name = penalty.kind if penalty.kind == "elastic" else penalty.kind.upper()
    on = "" if penalty.only is None else f" on {plural(len(penalty.only.terms), 'term')}"
    return f"maximum likelihood with {name} penalty {penalty.strength:.4g}{on}"
