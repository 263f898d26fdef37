"""RelationalLearner: several strategies, cheapest first, with selection by description length."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone

from induce.core.estimator import rows_at
from induce.core.notes import Note, note
from induce.core.parameters import Declared, number
from induce.core.time_limit import at_most, time_left
from induce.data.names import listed
from induce.estimators.relations import RelationalClassifier
from induce.hypotheses.clause_list import clause_list
from induce.hypotheses.theory import Theory
from induce.logic.background.relations import Relations
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes
from induce.relational.clauses.language import Language
from induce.relational.clauses.limits import Budget, Deadline
from induce.relational.clauses.literals import COMPARISONS
from induce.relational.clauses.reduction import without_idle
from induce.relational.learners.strategies import STRATEGIES, Strategy, Task, Trial, description

FRACTIONS = (0.6, 0.8, 0.5, 1.0)
"""Fraction of the remaining work for each strategy."""
LEAST = 0.5
"""Minimum work for a strategy, in seconds of the limit."""
LATE = 1.25
"""Multiple of the time limit after which a strategy that does not end by itself is abandoned."""
LEAST_HELD_OUT = 60
"""Minimum number of examples for comparing two theories on a held-out third."""
KEPT = 0.2
"""Fraction of the time limit reserved for returning the results of earlier strategies."""


class RelationalLearner(RelationalClassifier):
    """First-order rules without tuning: selects the best of several strategies.

    If modes allow recursion, `ProgramLearner` first tries whole programs. Next come tables joined along their
    keys: conditions on everything reachable from an example, counted by examples. Then come `FOIL`, literal
    by literal, and `Progol`, with increasing depth and length. A theory without errors ends the search.
    Otherwise the theory with the shortest description, including its exceptions, is selected. The runner-up
    is selected instead if, relearned from two thirds of the examples, it has clearly fewer errors on the
    rest. If modes for the head are declared, clauses stay within the declared language.

    With more than two classes, a theory is learned for each class, and their clauses form one list sorted by
    confidence.

    No relation and no comparison holds for a missing argument. For an object not seen in training, its background
    facts apply; without any, no relation holds for it.

    Parameters
    ----------
    background : Relations, optional
        Background knowledge; its types and modes restrict the literals.
    target : str, default="target"
        Name of the relation to be learned.
    constraints : sequence of str, default=()
        Constraints on every clause, as in Popper's bias files: ``:- clause(C), #count{V : var_type(C, V,
        state)} != 1.``; or ``prune/1``, a background predicate that holds of forbidden clauses.
    time_limit : float, default=8.0
        Limit on processor time in seconds; the best theory found so far is returned.

    Attributes
    ----------
    hypothesis_ : Theory
        Learned theory; a `ClauseList` for more than two classes.
    trials_ : tuple of Trial
        Strategies tried, with their results.
    stopped_ : str or None
        Limit that ended the search.

    See Also
    --------
    FOIL : Clauses literal by literal, by information gain.
    Progol : Inverse entailment from one example.
    ProgramLearner : Recursive programs.

    References
    ----------
    J. R. Quinlan (1990). Learning logical definitions from relations. Machine Learning 5, 239-266.

    S. Muggleton (1995). Inverse entailment and Progol. New Generation Computing 13, 245-286.

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
            "Limit on processor time in seconds; None sets no limit.",
            above=0,
            none=True,
        ),
    }

    def __init__(
        self,
        background: Relations | None = None,
        target: str = "target",
        *,
        constraints: Sequence[str] = (),
        time_limit: float | None = 8.0,
    ) -> None:
        self.background = background
        self.target = target
        self.constraints = constraints
        self.time_limit = time_limit

    def fit(self, X: Any, y: Any) -> Self:
        """Learn clauses for the positive rows of `X`.

        Parameters
        ----------
        X : frame or array
            Arguments of each example.
        y : sequence of classes
            Class labels. With two classes, the greater is positive; with more, each is learned in turn.
        """
        self._begin_fit()
        _, classes, codes = self._target(y)
        if len(classes) > 2:
            # in the order of `classes_`, which may differ from the declared order
            known = tuple(self.classes_.tolist())
            return self._fit_each(X, known, np.array([known.index(value) for value in classes])[codes])
        examples = self._fit_two(X, y)
        if self.trials_ and not self.hypothesis_.clauses:
            self._advise(examples)
        return self

    def _fit_two(self, X: Any, y: Any) -> Examples:
        """Learn clauses for the examples of one class."""
        examples = self._examples(X, y)
        task = self._task(examples, X, y)
        trials: list[Trial] = []
        left = inf if self.time_limit is None else float(self.time_limit)
        guard = Deadline(self.time_limit)
        for strategy, fraction in zip(STRATEGIES, FRACTIONS, strict=True):
            if not strategy.suits(task) or left <= 0 or guard.passed():
                continue
            started = time.process_time()
            budget = self._budget(strategy, fraction * left, guard)
            try:
                with (
                    warnings.catch_warnings(),
                    at_most(_most()),
                    at_most(guard.seconds_left(LATE)),
                ):  # another strategy may still succeed
                    warnings.simplefilter("ignore", Note)
                    theory = self._tried(strategy, task, budget)
            except TimeoutError:
                if not trials and not guard.passed():
                    raise
                note(f"{strategy.name} ran out of time; earlier results are kept")
                break
            seconds, work = time.process_time() - started, budget.work / strategy.rate
            left -= work
            bits = description(theory, len(examples.relations.predicates()))
            trials.append(Trial(strategy.name, theory, bits, seconds, work, cut=budget.cut))
            if not theory.errors():
                break
        # a theory without errors is the goal, even with few examples
        best = sorted(trials, key=lambda one: (one.theory.errors() > 0, one.bits))
        best = self._held_out(task, best, left, guard)
        tried = [trial.strategy for trial in trials]
        self.trials_ = tuple(sorted(best, key=lambda one: tried.index(one.strategy)))
        self.hypothesis_ = best[0].theory if best else self._theory(examples, [])
        cut = guard.stopped or any(trial.cut for trial in trials)
        perfect = bool(trials) and not self.hypothesis_.errors()
        self.stopped_ = f"the time limit of {self.time_limit:g} s" if cut and not perfect else None
        return examples

    def _budget(self, strategy: Strategy, seconds: float, guard: Deadline) -> Budget:
        """Return the work that a strategy may do, with all remaining processor time as its guard."""
        if seconds == inf:
            return Budget()
        return Budget(guard.seconds_left(1.0), work=strategy.rate * max(seconds, LEAST))

    def _task(self, examples: Examples, X: Any, y: Any) -> Task:
        return Task(examples, X, y, Language(examples, self.constraints), examples.declared)

    def _tried(self, strategy: Strategy, task: Task, budget: Budget) -> Theory:
        """Return the result of a strategy, within the language and without redundant literals."""
        examples, language = task.examples, task.language
        clauses = strategy.learn(task, budget)
        if not language.free:
            kept = [clause for clause in clauses if language.allows(clause)]
            calls = any(one.predicate == examples.target for clause in clauses for one in clause.body)
            # the clauses of a recursive theory prove examples only together
            clauses = [] if calls and len(kept) < len(clauses) else kept
        return self._theory(examples, without_idle(clauses, examples.coverage(), examples.rows, language))

    def _held_out(self, task: Task, trials: list[Trial], left: float, guard: Deadline) -> list[Trial]:
        """Return the trials, with the first two swapped if the second has clearly fewer errors on held-out examples.

        Both are relearned from two thirds of the examples, if time permits.
        """
        n_rows = len(task.examples.rows)
        if len(trials) < 2 or not trials[0].theory.errors() or n_rows < LEAST_HELD_OUT:
            return trials
        if not all(trial.theory.clauses for trial in trials[:2]):
            return trials
        if left < trials[0].work + trials[1].work or guard.passed():
            return trials
        rng = np.random.default_rng(0)
        order = np.argsort(task.examples.positive[shuffled := rng.permutation(n_rows)], kind="stable")
        rows = shuffled[order]  # every third row of each class
        kept, out = np.sort(rows[np.arange(n_rows) % 3 > 0]), np.sort(rows[::3])
        y = np.asarray(task.examples.positive)
        X = rows_at(task.X, kept)
        fold = self._task(clone(self)._examples(X, y[kept]), X, y[kept])
        wrong = []
        for trial in trials[:2]:
            strategy = next(one for one in STRATEGIES if one.name == trial.strategy)
            with warnings.catch_warnings(), at_most(_most()):
                warnings.simplefilter("ignore", Note)
                theory = self._tried(strategy, fold, self._budget(strategy, left / 2, guard))
                wrong.append(np.asarray(theory.predict(rows_at(task.X, out))).astype(bool) != y[out])
        told = [replace(one, held_out=int(each.sum())) for one, each in zip(trials, wrong, strict=False)]
        only = int((wrong[0] & ~wrong[1]).sum()), int((wrong[1] & ~wrong[0]).sum())
        if only[0] - only[1] > 2 * (only[0] + only[1]) ** 0.5:  # sign test at two standard deviations
            told.reverse()
        return [*told, *trials[2:]]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags

    def _fit_each(self, X: Any, classes: tuple[Any, ...], places: Codes) -> Self:
        """Learn a theory for each class against the others, and combine the clauses in one list."""
        left = self.time_limit
        trials: list[Trial] = []
        found, stopped = [], None
        for place, value in enumerate(classes):
            seconds = None if left is None else max(left / (len(classes) - place), LEAST)
            one: RelationalLearner = clone(self).set_params(time_limit=seconds)
            examples = one._fit_two(X, places == place)
            trials += [replace(trial, strategy=f"{trial.strategy} ({value})") for trial in one.trials_]
            left = None if left is None else left - sum(trial.work for trial in one.trials_)
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
        """Emit a note with suggestions if nothing was found."""
        n_inside = int(examples.positive.sum())
        tried = ", ".join(trial.strategy for trial in self.trials_)
        advice = []
        if n_inside < 10:
            advice.append(f"more positive examples (there are {n_inside})")
        if examples.declared:
            advice += _missing_modes(examples)
        if self.time_limit is not None and self.time_limit < 60:
            advice.append(f"more time (time_limit is {self.time_limit:g} s)")
        advice.append("Progol with a greater depth or max_literals")
        advice.append("more informative relations")
        note(f"no rule is worth its description length by {tried}; what may help: {'; '.join(advice)}")


def _missing_modes(examples: Examples) -> list[str]:
    """Return suggestions of further modes to declare."""
    bodies = [mode for mode in examples.relations.modes if not mode.head]
    named = {mode.predicate for mode in bodies} | {examples.target}
    other = [
        f"{name}/{arity}" for name, arity in examples.relations.predicates() if (name, arity) not in named
    ]
    found = [f"modes for {listed(other)}, which the background has"] if other else []
    if not any(mode.places("#") for mode in bodies):
        found.append("a mode with a constant (#)")
    if not any(mode.name in COMPARISONS for mode in bodies):
        found.append("modes of comparisons (=<, \\=)")
    return found


def _most() -> float | None:
    """Return the seconds available to a strategy within any limit set around the learner; None if there is none."""
    left = time_left()
    return None if left is None else max((1 - KEPT) * left, 1e-3)
