"""ADABOOST: hypotheses trained in sequence, each on the examples that the others get wrong."""

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
    """AdaBoost: a weighted vote of hypotheses, each trained where the others err (AIMA figure 18.34).

    Every example has a weight. After each round the examples that the new hypothesis gets right lose weight, so that
    on the new weights it is no better than chance; it votes with ``log((1 - error) / error)``, and with three classes
    or more ``log(classes - 1)`` more (SAMME, Zhu and others 2009). Boosting ends early with a hypothesis that makes
    no error, which then outvotes all others, and with one that is no better than chance, which gets no vote.

    With stumps, the default, a row whose tested value is missing counts as the majority of rows with a known value;
    if no training row lacks it, the vote is split in proportion to the votes of the branches. A category not seen in
    training counts as the majority of all rows. Other learners follow their own rules.

    Parameters
    ----------
    estimator : estimator, optional
        Base classifier, of induce or scikit-learn; one without sample weights gets each row as often as it
        counts. None uses the stump with the smallest weighted error.
    n_estimators : int, default=50
        Maximum number of hypotheses.
    learning_rate : float, default=1.0
        Factor applied to every vote; greater than 0. A smaller factor needs more hypotheses and overfits later.
    loss : {"exponential", "logistic"}, default="exponential"
        "exponential" is the algorithm of the book. With "logistic" misclassified rows gain less weight, and
        `predict_proba` gives probabilities instead of shares of the vote.
    monotone : dict from columns to 1 or -1, optional
        Columns along which the second class may only become more (1) or less (-1) likely; with stumps and two
        classes.
    n_iter_no_change : int, optional
        Number of rounds without a smaller error on held-out rows after which boosting stops; the rounds up to the
        least error are kept. None holds out no rows.
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
            "Learner; None is the stump of least weighted error.", ClassLearner(), none=True
        ),
        "n_estimators": whole("Maximum number of hypotheses.", at_least=1),
        "learning_rate": number(
            "Factor of every vote; smaller values need more hypotheses and overfit later.",
            above=0,
            finite=True,
            otherwise="it must be a number above 0",
        ),
        "loss": choice("Loss: 'logistic' gives misclassified rows less weight.", *LOSSES),
        "monotone": mapping(
            "Columns along which the second class may only become more (1) or less (-1) likely.",
            none=True,
            otherwise="give a dict from columns to 1 or -1",
        ),
        "n_iter_no_change": whole(
            "Number of rounds without a smaller error on held-out rows that end boosting; None holds none out.",
            at_least=1,
            none=True,
        ),
        "validation_fraction": number("Share of the rows held out for n_iter_no_change.", above=0, below=1),
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
        """Boost stumps on a table in partitions, one pass per round."""
        from induce.ensembles.learners.partitions import boosted_partitions

        return boosted_partitions(self, source)

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the class of each row of `X` after each round.

        Parameters
        ----------
        X : frame or array
        """
        ensemble = cast(Ensemble, self._fitted(X))
        total: Floats | None = None
        for votes in ensemble.votes(X):
            total = votes if total is None else total + votes
            yield class_array(ensemble.classes)[total.argmax(axis=1)]

    def more(self, rounds: int, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Continue boosting on the same examples, as if `n_estimators` had been larger.

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
                z.append(made.z)  # before h: Ctrl-C may come between the two
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
        """Return the learning algorithm L, and a function that predicts the examples."""
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
                "monotone works with stumps only, but estimator is another learner; leave out one of the two"
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
                    f"monotone names column {name!r}, whose values have no order; declare one or leave it out"
                )
            if len(classes) > 2 or self.estimator is not None:
                raise InputError("monotone is for two classes and the stump of least error; leave it out")
            found[inputs.names().index(name)] = direction
        return found

    def _held(self, reading: ClassReading) -> NDArray[np.intp]:
        n_held = max(1, round(len(reading) * self.validation_fraction))
        if n_held < len(reading):
            train, held = hold_out(reading.labels, n_held, self.random_state)
            if reading.weight()[train].any():
                return held
        raise InputError(
            f"validation_fraction is {self.validation_fraction}, which of {len(reading)} rows leaves none to learn "
            "from; give a smaller one"
        )
