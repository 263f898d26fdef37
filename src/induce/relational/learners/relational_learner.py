"""One learner to start with: strategies in order, cheap ones first, and the theory of the shortest description."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone

from induce.core.notes import Note, note
from induce.core.parameters import Declared, number
from induce.core.time_limit import at_most, time_left
from induce.estimators.relations import RelationalClassifier
from induce.hypotheses.clause_list import clause_list
from induce.logic.background.relations import Relations
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes
from induce.relational.clauses.reducing import without_idle
from induce.relational.learners.strategies import STRATEGIES, Task, Trial, description

SHARES = (0.6, 0.8, 0.5, 1.0)
"""What share of the time that is left each strategy gets."""
KEPT = 0.2
"""What share of the time around the learner is kept to hand over what earlier strategies found."""


class RelationalLearner(RelationalClassifier):
    """First-order rules with nothing to tune: several ways to learn, of which the best is taken.

    Where modes let clauses call the target, whole programs come first, as `ProgramLearner` finds them. Then come
    tables that are joined along their keys: conditions on everything that an example leads to, counted by examples.
    Then come `FOIL`, literal by literal, and `Progol`, at growing depth and length. A theory without a
    wrong example ends the search; otherwise the theory is taken that describes itself and its exceptions in the
    fewest bits. If modes for the head are declared, clauses keep to the declared language.

    With more than two classes a theory is learned for each, and their clauses make one list in order of trust.

    Of a missing argument nothing is known: no relation and no comparison holds of it. A thing that was not seen in
    training has what the background says of it; if that is nothing, no relation holds of it.

    Parameters
    ----------
    background : Relations, optional
        What is known; types and modes in it restrict the literals.
    target : str, default="target"
        The name of the relation to be learned.
    time_limit : float, default=8
        Seconds of processor time after which the best theory so far is taken.

    Attributes
    ----------
    hypothesis_ : Theory
        A `ClauseList` for more than two classes.
    trials_ : tuple of Trial
        The strategies that were tried, and how each did.
    stopped_ : str or None
        The limit that ended the search.

    Examples
    --------
    >>> import polars as pl
    >>> train = pl.DataFrame({"id": ["t1", "t2", "t3", "t4"]})
    >>> car = pl.DataFrame({"id": [*"abcdef"], "train": ["t1", "t1", "t2", "t3", "t4", "t4"],
    ...                     "roof": ["flat", "none", "flat", "none", "peaked", "none"]})
    >>> trains = Relations({"train": train, "car": car}, {"train": "id", "car": "id"})
    >>> learner = RelationalLearner(trains, "east").fit(train, [True, True, False, False])
    >>> learner.predict(train[:1]).tolist()
    [True]
    """

    stopped_: str | None
    trials_: tuple[Trial, ...]

    parameters: ClassVar[Declared] = {
        "time_limit": number(
            "Processor seconds after which the best theory so far is taken; None sets no limit.",
            above=0,
            none=True,
        ),
    }

    def __init__(
        self,
        background: Relations | None = None,
        target: str = "target",
        *,
        time_limit: float | None = 8.0,
    ) -> None:
        self.background = background
        self.target = target
        self.time_limit = time_limit

    def fit(self, X: Any, y: Any) -> Self:
        """Learn clauses for the rows of `X` that `y` says are in the relation.

        Parameters
        ----------
        X : frame or array
            The arguments of each example.
        y : sequence of classes
            Of two the greater is inside; of more each is learned.
        """
        self._begin_anew()
        _, classes, codes = self._target(y)
        if len(classes) > 2:
            # in the order of `classes_`, which may be another than the declared one
            known = tuple(self.classes_.tolist())
            return self._fit_each(X, known, np.array([known.index(value) for value in classes])[codes])
        examples = self._fit_two(X, y)
        if self.trials_ and not self.hypothesis_.clauses:
            self._advise(examples)
        return self

    def _fit_two(self, X: Any, y: Any) -> Examples:
        """Learn clauses for the examples of one class."""
        examples = self._examples(X, y)
        task = Task(examples, X, y, examples.declared)
        trials: list[Trial] = []
        left = float("inf") if self.time_limit is None else float(self.time_limit)
        for strategy, share in zip(STRATEGIES, SHARES, strict=False):
            if not strategy.suits(task) or left <= 0:
                continue
            started = time.process_time()
            try:
                with (
                    warnings.catch_warnings(),
                    at_most(_most()),
                ):  # what one strategy could not do, another may
                    warnings.simplefilter("ignore", Note)
                    clauses = strategy.learn(task, max(share * left, 0.5) if left < float("inf") else 1e9)
                    clauses = without_idle(clauses, examples.coverage(), examples.rows)
                    theory = self._theory(examples, clauses)
            except TimeoutError:
                if not trials:
                    raise
                note(f"{strategy.name} ran out of time; what was found before it is kept")
                break
            seconds = time.process_time() - started
            left -= seconds
            n_predicates = len(examples.relations.predicates())
            trials.append(Trial(strategy.name, theory, description(theory, n_predicates), seconds))
            if not theory.errors():
                break
        self.trials_ = tuple(trials)
        # a theory without a wrong example is what one asked for, however few they are
        best = min(trials, key=lambda one: (one.theory.errors() > 0, one.bits), default=None)
        self.hypothesis_ = best.theory if best is not None else self._theory(examples, [])
        self.stopped_ = f"the time limit of {self.time_limit:g} s" if self.time_limit and left <= 0 else None
        return examples

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags

    def _fit_each(self, X: Any, classes: tuple[Any, ...], places: Codes) -> Self:
        """Learn a theory for each class against the others, and put their clauses in one list."""
        left = self.time_limit
        trials: list[Trial] = []
        found, stopped = [], None
        for place, value in enumerate(classes):
            share = None if left is None else max(left / (len(classes) - place), 0.5)
            one: RelationalLearner = clone(self).set_params(time_limit=share)
            examples = one._fit_two(X, places == place)
            trials += [replace(trial, strategy=f"{trial.strategy} ({value})") for trial in one.trials_]
            left = None if left is None else left - sum(trial.seconds for trial in one.trials_)
            stopped = stopped or one.stopped_
            found.append(one.hypothesis_.clauses)
        theory = one.hypothesis_
        rows = theory.encoded(X)
        self.hypothesis_ = clause_list(
            self.target, theory.columns, classes, found, rows, places, theory.background
        )
        self._seen(X, theory.columns)
        self.trials_, self.stopped_ = tuple(trials), stopped
        if not self.hypothesis_.clauses:
            self._advise(examples)
        return self

    def _advise(self, examples: Examples) -> None:
        """Say what would help where nothing was found."""
        n_inside = int(examples.positive.sum())
        tried = ", ".join(trial.strategy for trial in self.trials_)
        advice = []
        if n_inside < 10:
            advice.append(f"more positive examples (there are {n_inside})")
        if any(mode.head for mode in examples.relations.modes):
            advice.append("modes that allow more literals or constants")
        if self.time_limit is not None and self.time_limit < 60:
            advice.append(f"more time (time_limit is {self.time_limit:g} s)")
        advice.append("Progol with a greater depth or max_literals")
        advice.append("relations that say more of the examples")
        note(f"no rule is worth its description by {tried}; what may help: {'; '.join(advice)}")


def _most() -> float | None:
    """Return the seconds that a strategy may take under a limit around the learner; None where there is none."""
    left = time_left()
    return None if left is None else max((1 - KEPT) * left, 1e-3)
