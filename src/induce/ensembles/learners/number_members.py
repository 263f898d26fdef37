"""Base of regression ensembles: they train members on repeated rows, in threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier, is_regressor

from induce.core import parallel
from induce.core.errors import InputError
from induce.core.estimator import rows_at
from induce.core.notes import note
from induce.core.parameter_kinds import Learned
from induce.core.parameters import Declared, truth, whole
from induce.core.progress import progress, report
from induce.core.randomness import RandomState
from induce.core.trace import learning, part
from induce.ensembles.averaged import NumberEnsemble
from induce.ensembles.learners.bags import Bags
from induce.ensembles.learners.class_members import quiet, rows_of
from induce.estimators import NumberReading, TableRegressor
from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor
from induce.trees.regression.growth import Measured, RegressionRule, grow
from induce.trees.regression.hypothesis import RegressionTree

Floats = NDArray[np.float64]

LARGEST = 1e150
"""Largest target that can be squared and summed without overflow."""


class NumberRows(TableRegressor):
    """Base of regression ensembles that pass rows to their members."""

    hypothesis_: NumberEnsemble

    def _read(self, X: Any, y: Any, sample_weight: Any) -> NumberReading:
        self._check_parameters()
        reading = super()._read(*rows_of(X, y), sample_weight)
        if np.abs(reading.numbers).max() > LARGEST:
            raise InputError(
                f"y holds numbers beyond {LARGEST:g}, whose squares cannot be summed; scale them down"
            )
        return reading

    @property
    def feature_importances_(self) -> Floats:
        """Mean relative reduction of the squared error by each column in the trees."""
        members = self.hypothesis_.members if hasattr(self, "hypothesis_") else ()
        if not members or not all(isinstance(member, RegressionTree) for member in members):
            raise AttributeError(f"this {type(self).__name__} is not an ensemble of trees")
        return self.hypothesis_.importances


class BagsOfNumbers(NumberRows):
    """Base of learners that average hypotheses trained on bags of rows."""

    parameters: ClassVar[Declared] = {
        "n_estimators": whole("Number of hypotheses.", at_least=1),
        "oob_score": truth("Whether to estimate R2 on out-of-bag rows."),
    }
    hypothesis_: NumberEnsemble
    bags_: Bags
    oob_score_: float
    n_estimators: int
    oob_score: bool
    n_jobs: int | None
    random_state: RandomState

    def _learn(self, reading: NumberReading) -> NumberEnsemble:
        places, weight = np.arange(len(reading)), reading.weight()
        bags = Bags.drawn(places, weight, int(self.n_estimators), "bootstrap", self.random_state)
        learn, done = self._learning(reading), count(1)

        def learned(k: int) -> Any:
            with part(f"member {k + 1}"):
                member = learn(bags.times(k), int(bags.seeds[k]), f"with bag {k + 1}")
            report(next(done) / len(bags))
            return member

        with quiet():
            members = parallel.run(learned, range(len(bags)), self.n_jobs)
        found = NumberEnsemble(reading.schema, reading.target, tuple(members), np.ones(len(members)))
        self.bags_ = bags
        if self.oob_score:
            self.oob_score_ = self._r2_out_of_bag(found, reading)
        return found

    def _learning(self, reading: NumberReading) -> Callable[[Floats, int, str], Any]:
        """Return the function that trains a hypothesis on rows with multiplicities."""
        raise TypeError(f"{type(self).__name__} does not learn")

    def _forget(self) -> None:
        super()._forget()
        for name in ("bags_", "oob_score_"):
            self.__dict__.pop(name, None)

    def _r2_out_of_bag(self, ensemble: NumberEnsemble, reading: NumberReading) -> float:
        """Return R2 of the out-of-bag predictions over the rows that have any."""
        said = ensemble.said(reading.X)
        left_out = np.stack([self.bags_.times(k) == 0 for k in range(len(self.bags_))], axis=1)
        asked = left_out.any(axis=1) & (reading.weight() > 0)
        if not asked.any():
            note("every row is in every bag, so oob_score_ is NaN; raise n_estimators")
            return float("nan")
        mean = (said * left_out)[asked].sum(axis=1) / left_out[asked].sum(axis=1)
        y, weight = reading.numbers[asked], reading.weight()[asked]
        about = float(weight @ (y - np.average(y, weights=weight)) ** 2)
        return float(1.0 - weight @ (y - mean) ** 2 / about) if about > 0 else float("nan")


def tree_learning(
    reading: NumberReading, rule: RegressionRule, n_tried: int | None = None
) -> Callable[[Floats, int, str], RegressionTree]:
    """Return the function that grows a tree from rows with multiplicities."""
    table, y = reading.table, reading.numbers

    def learn(times: Floats, seed: int, place: str) -> RegressionTree:
        rows = np.flatnonzero(times)
        examples = Measured(table.rows(rows), y[rows], times[rows])
        with learning(DecisionTreeRegressor.__name__):
            return grow(examples, reading.schema, reading.target, rule, None, n_tried, seed)

    return learn


def any_learning(estimator: Any, reading: NumberReading) -> Callable[[Floats, int, str], Any]:
    """Return the function that fits a copy of a learner to rows repeated by their multiplicities."""
    estimator = clone(estimator)
    if estimator.get_params(deep=False).get("schema", reading) is None:
        estimator.set_params(schema=reading.schema)

    def learn(times: Floats, seed: int, place: str) -> Any:
        learner = clone(estimator)
        if "random_state" in learner.get_params(deep=False):
            learner.set_params(random_state=seed)
        rows = np.repeat(np.arange(len(times)), np.rint(times).astype(np.intp))
        try:
            with progress(_unheard):
                learner.fit(rows_at(reading.X, rows), reading.numbers[rows])
        except MemoryError:
            raise
        except Exception as problem:
            said = str(problem).strip().splitlines()
            why = said[0] if said else type(problem).__name__
            raise InputError(f"{type(learner).__name__} failed {place}: {why}") from problem
        return getattr(learner, "hypothesis_", learner)

    return learn


def member_learning(
    estimator: Any, reading: NumberReading, default: RegressionRule
) -> Callable[[Floats, int, str], Any]:
    """Return the function that trains members: trees with a growth rule, or copies of a learner."""
    if estimator is None:
        return tree_learning(reading, default)
    plain = type(estimator) is DecisionTreeRegressor and estimator.pruning is None
    if plain and estimator.smoothing is None and estimator.schema is None:
        return tree_learning(reading, estimator._rule())
    return any_learning(estimator, reading)


@dataclass(frozen=True)
class NumberLearner(Learned):
    """A regressor of induce or scikit-learn, as a parameter type.

    Examples
    --------
    >>> NumberLearner().complaint("estimator", 3)
    'estimator is 3, which is not a learner; give one, such as DecisionTreeRegressor()'
    """

    def accepts(self, value: Any) -> bool:
        return not self.complaint("it", value)

    def complaint(self, name: str, value: Any) -> str:
        if isinstance(value, type):
            return super().complaint(name, value)
        such = "give one, such as DecisionTreeRegressor()"
        if not hasattr(value, "fit"):
            return f"{name} is {value!r}, which is not a learner; {such}"
        if is_regressor(value):
            return ""
        says = "predicts classes" if is_classifier(value) else "does not predict numbers"
        return f"{name} is {type(value).__name__}, which {says}; {such.replace('one', 'a learner')}"


def _unheard(share: float) -> None:
    """Ignore a progress report, because the progress of one fit is not the progress of the whole."""
