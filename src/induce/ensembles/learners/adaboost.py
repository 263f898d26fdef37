"""ADABOOST: hypotheses trained in sequence, each on the examples that the previous ones misclassify."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.folds import hold_out
from induce.core.interrupts import interruptible
from induce.core.parameters import Declared, Parameter, choice, mapping, number, whole
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.core.values import Value
from induce.data.names import unknown
from induce.data.schema import Schema
from induce.data.training import Examples
from induce.ensembles.boosting import LOSSES, Boosting, adaboost
from induce.ensembles.hypothesis import Ensemble
from induce.ensembles.learners.class_members import ClassLearner, RowsReading, Training, agreed, quiet
from induce.ensembles.members import Codes
from induce.ensembles.stumps import Stumps, stump_codes
from induce.estimators import ClassReading, TableClassifier
from induce.hypotheses.conflict_resolution import class_array

Floats = NDArray[np.float64]


class AdaBoost(RowsReading, TableClassifier):
    """AdaBoost: a weighted vote of hypotheses, each focused on the errors of the others (AIMA figure 18.34).

    Every example has a weight. After each round, the examples that the new hypothesis classifies correctly
    lose weight, so that it is no better than chance on the new weights. Its vote has the weight ``log((1 -
    error) / error)``, plus ``log(classes - 1)`` with three or more classes (SAMME, Zhu and others 2009).
    Boosting ends early with a hypothesis without errors, which then outvotes all others, or with one that is
    no better than chance, which gets no vote.

    With stumps, the default, a row whose tested value is missing gets the majority class of the training rows
    with a known value. If no training row had a missing value there, the vote is split in proportion to the
    votes of the branches. A category not seen in training gets the majority class of all rows. Other learners
    follow their own rules.

    Parameters
    ----------
    estimator : estimator, optional
        Base classifier of induce or scikit-learn; for one without sample weights, rows are repeated according
        to their weights. None uses the stump with the smallest weighted error.
    n_estimators : int, default=50
        Maximum number of hypotheses.
    learning_rate : float, default=1.0
        Factor applied to every vote; greater than 0. Smaller values need more hypotheses and overfit later.
    loss : {"exponential", "logistic"}, default="exponential"
        Loss function: "exponential" gives the algorithm of the book. With "logistic", misclassified rows gain
        less weight, and `predict_proba` gives probabilities instead of fractions of the vote.
    monotone : dict from columns to 1 or -1, optional
        Monotone columns, along which the second class may only become more (1) or less (-1) likely; for
        stumps and two classes only.
    n_iter_no_change : int, optional
        Early stopping: number of rounds without a smaller error on held-out rows. Only the rounds up to the
        minimum error are kept. None disables early stopping.
    validation_fraction : float, default=0.1
        Fraction of the rows held out for `n_iter_no_change`.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed, for randomised base learners and for held-out rows.

    Attributes
    ----------
    hypothesis_ : Ensemble
        The learned ensemble.
    validation_errors_ : list of float
        Error on the held-out rows after each round, if there are any.

    See Also
    --------
    AdaBoostRegressor : Boosted numeric hypotheses.
    Bagging : Hypotheses of bootstrap samples that vote.
    RandomForest : Many random trees that vote.

    References
    ----------
    Y. Freund and R. E. Schapire (1997). A decision-theoretic generalization of on-line learning and an
    application to boosting. Journal of Computer and System Sciences 55, 119-139.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> boosted = AdaBoost(n_estimators=5).fit(X, y)
    >>> boosted.score(X, y)
    1.0
    >>> print(boosted.explain(X[:1])[0])
    Yes by 0.699 of the weight
      1.73  Yes  2: Hun = Yes
      1.61  Yes  1: Pat = Some
      1.35  Yes  4: Pat = Some
       1.1  No   5: Fri = No
     0.923  No   3: Price = $$$
    """

    hypothesis_: Ensemble
    validation_errors_: list[float]

    parameters: ClassVar[Declared] = {
        "estimator": Parameter(
            "Base classifier; None uses the stump of minimum weighted error.", ClassLearner(), none=True
        ),
        "n_estimators": whole("Maximum number of hypotheses.", at_least=1),
        "learning_rate": number(
            "Factor applied to every vote; smaller values need more hypotheses and overfit later.",
            above=0,
            finite=True,
            otherwise="it must be a number above 0",
        ),
        "loss": choice("Loss function; 'logistic' gives misclassified rows less weight.", *LOSSES),
        "monotone": mapping(
            "Monotone columns, along which the second class may only become more (1) or less (-1) likely.",
            none=True,
            otherwise="give a dict from columns to 1 or -1",
        ),
        "n_iter_no_change": whole(
            "Rounds without a smaller error on held-out rows before boosting stops; None disables this.",
            at_least=1,
            none=True,
        ),
        "validation_fraction": number(
            "Fraction of the rows held out for n_iter_no_change.", above=0, below=1
        ),
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        loss: str = "exponential",
        monotone: Mapping[str, Any] | None = None,
        n_iter_no_change: int | None = None,
        validation_fraction: float = 0.1,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.loss = loss
        self.monotone = monotone
        self.n_iter_no_change = n_iter_no_change
        self.validation_fraction = validation_fraction
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: ClassReading) -> Ensemble:
        held = None if self.n_iter_no_change is None else self._held(reading)
        return self._boosted(reading, int(self.n_estimators), held)

    def _n_passes(self) -> int:
        """Return the number of passes over a table in partitions: one per round, and those before and after."""
        return 4 + int(self.n_estimators)

    def _learn_scan(self, source: Any) -> Ensemble:
        """Boost stumps on a partitioned table, one pass per round."""
        from induce.ensembles.learners.partitions import boosted_partitions

        return boosted_partitions(self, source)

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the predicted classes of the rows of `X` after each round.

        Parameters
        ----------
        X : frame or array
            Rows to predict.
        """
        ensemble = cast(Ensemble, self._fitted(X))
        total: Floats | None = None
        for votes in ensemble.votes(X):
            total = votes if total is None else total + votes
            yield class_array(ensemble.classes)[total.argmax(axis=1)]

    def more(self, rounds: int, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Continue boosting on the same examples, as if `n_estimators` had been larger from the start.

        Parameters
        ----------
        rounds : int
            Maximum number of hypotheses to add.
        X, y, sample_weight
            Training examples of the earlier fit.
        """
        self._check_parameters()
        at_least("rounds", rounds, 1, whole=True)
        check_is_fitted(self, "hypothesis_")
        before = self.hypothesis_
        try:
            reading = self._read(X, y, sample_weight)
        finally:
            self.hypothesis_ = before
        if (reading.schema, reading.classes) != (before.schema, before.classes):
            raise InputError(
                "more continues with the training examples, but these have other columns or classes; give the same "
                "X and y"
            )
        self.hypothesis_ = self._boosted(reading, int(rounds), None, before)
        return self

    def _boosted(
        self,
        reading: ClassReading,
        rounds: int,
        held: NDArray[np.intp] | None,
        before: Ensemble | None = None,
    ) -> Ensemble:
        weights = reading.weight().copy()
        if held is not None:
            weights[held] = 0.0
        L, says = self._learning(reading, weights, rounds)
        examples = Boosting(
            reading.labels, weights, len(reading.classes), self.loss == "logistic", float(self.learning_rate)
        )
        h: list[Any] = [] if before is None else list(before.members)
        z: list[float] = [] if before is None else before.weights.tolist()
        for member, vote in zip(h, z, strict=True):
            examples.add(says(member), vote)
        n_before, errors = len(h), []
        with interruptible(h, "hypotheses"):
            for made in adaboost(examples, L, says, rounds, before=z):
                z.append(made.z)  # before h, because Ctrl-C may come between the two
                h.append(made.h)
                report((len(h) - n_before) / rounds)
                if held is not None:
                    errors.append(examples.error_on(held))
                    if len(errors) - 1 - int(np.argmin(errors)) >= int(self.n_iter_no_change or 0):
                        break
        if errors:
            self.validation_errors_ = errors
            h = h[: int(np.argmin(errors)) + 1]
        found = Ensemble(
            *reading.names,
            tuple(h),
            np.array(z[: len(h)]),
            np.ones(len(h)),
            logistic=self.loss == "logistic",
            divides=self.estimator is None or self._is_stump_by_gain(),
        )
        return agreed(found, reading.X, reading.weight())

    def _learning(
        self, reading: ClassReading, weights: Floats, rounds: int
    ) -> tuple[Callable[[Floats, int], Any], Callable[[Any], Codes]]:
        """Return the learning algorithm L, and a function that predicts the classes of the examples."""
        total = float(weights.sum())
        by_gain = self._is_stump_by_gain()
        if self.estimator is None or by_gain:
            examples = Examples(reading.table, reading.labels, weights, len(reading.classes))
            stumps = Stumps(
                examples, *reading.names, by_gain, self._directions(reading.schema, reading.classes), rounds
            )
            return lambda w, k: stumps.learn(w * total), lambda h: stump_codes(h, reading.table)
        if self.monotone:
            raise InputError(
                "monotone works with stumps only, but estimator is set; leave out one of the two"
            )
        training = Training(self.estimator, reading)
        seed = int(generator(self.random_state).integers(2**31))

        def learn(w: Floats, k: int) -> Any:
            with quiet():
                return training.learn(w * total, seed + k, f"in round {k}")

        return learn, training.codes

    def _is_stump_by_gain(self) -> bool:
        if self.estimator is None:
            return False
        from induce.trees.learners.decision_stump import DecisionStump

        plain = {"criterion": "gain", "nominal": "multiway", "missing": "fractional"}
        free = dict.fromkeys(("class_weight", "schema"))
        given = self.estimator
        return type(given) is DecisionStump and all(
            getattr(given, name) == value for name, value in (plain | free).items()
        )

    def _directions(self, schema: Schema, classes: tuple[Value, ...]) -> NDArray[np.int64]:
        """Return the sign of `monotone` for each input column, or 0."""
        inputs = schema.inputs()
        found = np.zeros(len(inputs), np.int64)
        for name, direction in (self.monotone or {}).items():
            if name not in inputs.names():
                raise unknown("column", str(name), inputs.names())
            if direction not in (1, -1):
                raise InputError(f"monotone is {direction!r} for column {name!r}; give 1 or -1")
            if inputs[name].kind == "nominal" and not inputs[name].ordered:
                raise InputError(
                    f"monotone names column {name!r}, whose values are not ordered; declare their "
                    "order or remove the column from monotone"
                )
            if len(classes) > 2 or self.estimator is not None:
                raise InputError("monotone needs two classes and stumps of minimum error; leave it out")
            found[inputs.names().index(name)] = direction
        return found

    def _held(self, reading: ClassReading) -> NDArray[np.intp]:
        n_held = max(1, round(len(reading) * self.validation_fraction))
        if n_held < len(reading):
            train, held = hold_out(reading.labels, n_held, self.random_state)
            if reading.weight()[train].any():
                return held
        raise InputError(
            f"validation_fraction is {self.validation_fraction}, which leaves none of {len(reading)} "
            "rows for learning; give a smaller fraction"
        )
