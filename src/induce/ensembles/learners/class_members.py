"""A base learner and the examples of an ensemble: hypotheses for any example weights."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils.validation import has_fit_parameter

from induce.core.errors import InputError
from induce.core.estimator import rows_at
from induce.core.notes import Note
from induce.core.parameter_kinds import Learned
from induce.core.progress import progress
from induce.core.trace import learning, part
from induce.ensembles.hypothesis import Ensemble
from induce.ensembles.members import Codes, Given, member_codes
from induce.estimators import ClassReading, ReadingClassifier

Floats = NDArray[np.float64]

ROWS_ASKED = 1000


class Training:
    """A learner and the examples of an ensemble.

    A tree learner sorts the table once for all members. Other learners are fitted with weights; for those
    without weights, rows are repeated accordingly (a replicated training set, AIMA 18.10).

    Parameters
    ----------
    estimator : estimator
        Base classifier of induce or scikit-learn; copies of it are fitted.
    reading : ClassReading
        Reading of the ensemble; rows of its `X` and `y` can be selected.
    """

    def __init__(self, estimator: Any, reading: ClassReading) -> None:
        self.X, self.y, self.reading = reading.X, reading.y, reading
        self.estimator = clone(estimator)
        if self.estimator.get_params(deep=False).get("schema", reading) is None:
            self.estimator.set_params(schema=reading.schema)
        self.weighted = has_fit_parameter(self.estimator, "sample_weight")
        self.prepared = self._prepared()

    def learn(self, weights: Floats, seed: int | None, place: str) -> Any:
        """Return a hypothesis, or the fitted copy of a learner of another library.

        Parameters
        ----------
        weights : array of float64
            Weight or count of each row.
        seed : int or None
            Random seed for randomised learners and for fractional row counts. None keeps the learner's own.
        place : str
            Current step, for error messages: "in round 7".
        """
        try:
            with progress(_unheard), part(part_of(place)):
                return self._learned(weights, seed)
        except MemoryError:
            raise
        except Exception as problem:
            said = str(problem).strip().splitlines()
            why = said[0] if said else type(problem).__name__
            raise InputError(f"{type(self.estimator).__name__} failed {place}: {why}") from problem

    def codes(self, hypothesis: Any) -> Codes:
        """Return the class codes that a hypothesis predicts for the training rows."""
        reading = self.reading
        return member_codes(hypothesis, Given(self.X, reading.table), reading.schema, reading.classes)

    def _learned(self, weights: Floats, seed: int | None) -> Any:
        if self.prepared is not None:
            with learning(type(self.estimator).__name__):
                return self.prepared(weights, seed)
        learner = clone(self.estimator)
        if seed is not None and "random_state" in learner.get_params(deep=False):
            learner.set_params(random_state=seed)
        if self.weighted and (weights > 0).all():
            learner.fit(self.X, self.y, sample_weight=weights)
        else:
            rows = np.flatnonzero(weights) if self.weighted else replicated(weights, seed or 0)
            more = {"sample_weight": weights[rows]} if self.weighted else {}
            learner.fit(rows_at(self.X, rows), rows_at(self.y, rows), **more)
        return getattr(learner, "hypothesis_", learner)

    def _prepared(self) -> Callable[[Floats, int | None], Any] | None:
        prepare = getattr(self.estimator, "prepare", None)
        if prepare is None:
            return None
        with quiet():
            return cast("Callable[[Floats, int | None], Any] | None", prepare(self.X, self.y))


def part_of(place: str) -> str:
    """Return the part of an ensemble's work that belongs to a fold or a member.

    Examples
    --------
    >>> part_of("in round 7"), part_of("with bag 2"), part_of("as 'tree'"), part_of("as 'tree' in fold 3")
    ('member 7', 'member 2', 'member tree', 'fold 3')
    """
    found = re.search(r"fold \d+", place)
    return found.group() if found else "member " + place.split(" ")[-1].strip("'")


class RowsReading(ReadingClassifier):
    """Base of classification ensembles that pass rows to their members."""

    def _read(self, X: Any, y: Any, sample_weight: Any) -> ClassReading:
        self._check_parameters()
        return super()._read(*rows_of(X, y), sample_weight)


def agreed(ensemble: Ensemble, X: Any, weights: Floats) -> Ensemble:
    """Return an ensemble with the agreement of its members on at most a thousand training rows."""
    some = np.unique(np.linspace(0, len(weights) - 1, ROWS_ASKED).astype(np.intp))
    return ensemble.agreeing(rows_at(X, some), weights[some])


def rows_of(X: Any, y: Any) -> tuple[Any, Any]:
    """Return examples in a form from which rows can be selected: frames, arrays or lists."""
    if hasattr(X, "collect"):  # a lazy frame
        X = X.collect()
    elif hasattr(X, "__array__") and not hasattr(X, "columns"):
        X = np.asarray(X)
    if not isinstance(y, list | tuple | None) and not hasattr(y, "name"):
        y = np.asarray(y)
    return X, y


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress notes of the members about their examples, which were already given for the whole table."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        yield


@dataclass(frozen=True)
class ClassLearner(Learned):
    """A classifier of induce or scikit-learn, as a parameter type.

    Examples
    --------
    >>> ClassLearner().complaint("estimator", 3)
    'estimator is 3, which is not a learner; give one, such as C45()'
    """

    def accepts(self, value: Any) -> bool:
        return not self.complaint("it", value)

    def complaint(self, name: str, value: Any) -> str:
        if isinstance(value, type):
            return super().complaint(name, value)
        if not hasattr(value, "fit"):
            return f"{name} is {value!r}, which is not a learner; give one, such as C45()"
        if is_classifier(value):
            return ""
        says = "predicts numbers" if is_regressor(value) else "does not predict classes"
        return f"{name} is {type(value).__name__}, which {says}; give a learner such as C45()"


def replicated(weights: Floats, seed: int) -> NDArray[np.intp]:
    """Return rows repeated according to their weights; fractions are rounded at random.

    Examples
    --------
    >>> replicated(np.array([2.0, 0.0, 1.0]), 0).tolist()
    [0, 0, 2]
    """
    whole = np.floor(weights)
    more = np.random.default_rng(seed).random(len(weights)) < weights - whole
    rows = np.repeat(np.arange(len(weights)), whole.astype(np.intp) + more)
    return rows if len(rows) else np.array([int(weights.argmax())])


def _unheard(share: float) -> None:
    """Ignore a progress report, because the progress of one fit is not the progress of the whole."""
