"""Find-S as an online learner: a conjunction that loses literals with each mistake."""

from __future__ import annotations

from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.errors import InputError, ModelFileError
from induce.core.hypothesis import Hypothesis
from induce.core.parameters import Declared, anything
from induce.core.shapes import check_numbers
from induce.core.values import Value, class_named
from induce.data.schema import Schema
from induce.data.table import Table
from induce.estimators import ClassReading, UnweightedClassifier
from induce.hypotheses.conditions import Condition
from induce.hypotheses.rules import Rule, RuleList
from induce.online.indicators import active_indicators, indicators
from induce.online.learners.tables import Ints, TableLearner

ALL, NONE = -2, -1
"""Markers of an attribute with all or none of its literals in the conjunction."""


class OnlineFindS(TableLearner, UnweightedClassifier):
    """Online Find-S: the conjunction of all literals that no positive row contradicts (Mitchell §7.5.1).

    Literals are ``attribute = value``; for a Boolean attribute these are the book's l and ¬l. Initially, all
    literals are in the conjunction, which is then never true. If a conjunction of literals over n attributes
    is correct, it makes no mistake on negative rows and at most n + 1 on positive ones. It learns nothing
    from negative rows.

    Numeric attributes are cut into intervals that hold about equally many of the first rows. A missing value
    or a category that was not in the first rows satisfies no literal; in a positive row, all literals of that
    attribute are removed.

    Parameters
    ----------
    positive : class, optional
        Class of the conjunction; by default, the class named yes, true, + or similar, or else the last.
    bins : int, default=5
        Maximum number of intervals of a numeric attribute.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : RuleList
        The conjunction as a single rule; no rule before the first positive row.
    mistakes_, rounds_ : int
        Number of mistakes, and number of rounds so far.
    bound_ : float
        Mistake bound for the rounds so far.
    history_ : MistakeCurve
        Number of mistakes by round, with the bound.

    See Also
    --------
    FindS : The most specific conjunction.
    Halving : The majority of a version space.

    References
    ----------
    N. Littlestone (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

    T. M. Mitchell (1997). Machine Learning. McGraw-Hill, section 7.5.1.

    Examples
    --------
    >>> rows = [[False, True, False], [True, True, False], [True, True, True], [True, False, False]]
    >>> learner = OnlineFindS().fit(rows, ["-", "yes", "-", "yes"])
    >>> print(learner.hypothesis_)
    IF x0 = True AND x2 = False THEN yes (2/2)
    DEFAULT - (2/2)
    >>> learner.mistakes_, learner.bound_
    (2, 4.0)
    """

    _state = "_kept"

    concept_last = True

    parameters: ClassVar[Declared] = {
        "positive": anything(
            "Class of the conjunction; None chooses one named yes, true, + or similar, or else the "
            "last class.",
            "a class",
            none=True,
        ),
    }

    def __init__(
        self, *, positive: Any = None, bins: int = 5, schema: Schema | dict[str, Any] | None = None
    ) -> None:
        self.positive = positive
        self.bins = bins
        self.schema = schema

    @property
    def hypothesis_(self) -> RuleList:
        """The current conjunction."""
        self._check_begun()
        positive = self._place()
        others = [place for place in range(len(self._classes)) if place != positive]
        default: Value = self._classes[others[0] if others else positive]
        inside, outside = (tuple(counts.tolist()) for counts in self._counts)
        rules: tuple[Rule, ...] = ()
        if not self._empty:
            conditions = tuple(self._tests[i] for i in self._kept.tolist() if i != NONE)
            rules = (Rule(conditions, self._classes[positive], inside),)
        return RuleList(
            self._schema,
            self._target_name,
            self._classes,
            rules,
            default,
            outside,
            class_counts=tuple(self._counts.sum(axis=0).tolist()),
        )

    @hypothesis_.setter
    def hypothesis_(self, rules: Hypothesis) -> None:
        learned = cast(RuleList, rules)
        self._settle(learned.schema, learned.target, learned.classes)

    def _keep(self, reading: ClassReading) -> None:
        self._go_through(*self._first(reading))

    def _go_through(self, table: Table, truth: Ints) -> Ints:
        active = active_indicators(self._tests, table)
        positive = self._place()
        says = np.zeros(len(truth), np.bool_)
        start = 0
        while start < len(truth):
            says[start:] = self._covers(active[start:])
            missed = (truth[start:] == positive) & ~says[start:]
            if not missed.any():
                break
            start += int(missed.argmax())
            self._generalise(active[start])
            start += 1
        covered = self._covers(active)
        for counts, rows in zip(self._counts, (covered, ~covered), strict=True):
            counts += np.bincount(truth[rows], minlength=len(self._classes))
        negative = 1 - positive if len(self._classes) == 2 else positive
        predicted = np.where(says, positive, negative)
        self._record(predicted != truth)
        return predicted

    def _start_with(self, table: Table) -> None:
        if len(self._classes) > 2:
            raise InputError(
                f"Only binary classification is supported. The target y has {len(self._classes)} classes, but a "
                "conjunction describes one of two; learn each class against the others"
            )
        if self.positive is not None:
            class_named(self.positive, self._classes, "positive")
        self._tests = indicators(table, self.bins)
        self._kept = np.full(len({test.attribute for test in self._tests}), ALL, np.int64)
        self._counts = np.zeros((2, len(self._classes)))
        self._empty = True

    def _place(self) -> int:
        """Return the index of the positive class."""
        if self.positive is None:
            return len(self._classes) - 1
        return self._classes.index(class_named(self.positive, self._classes, "positive"))

    def _covers(self, active: NDArray[np.int32]) -> NDArray[np.bool_]:
        return np.asarray(((self._kept == NONE) | (active == self._kept)).all(axis=1)) & (not self._empty)

    def _generalise(self, active: NDArray[np.int32]) -> None:
        """Remove the literals that a positive row contradicts."""
        alive = (self._kept == ALL) | (self._kept == active)
        self._kept, self._empty = np.where(alive, active, NONE), False
        if trace.active("generalised"):
            trace.emit("generalised", literals=tuple(str(self._tests[i]) for i in self._kept if i != NONE))

    def _bound(self) -> tuple[float, str]:
        return float(len(self._kept) + 1), "n + 1 for a conjunction"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        return tags

    def _resumable_state(self) -> dict[str, Any]:
        return super()._resumable_state() | {
            "tests": self._tests,
            "kept": self._kept,
            "counts": self._counts,
        }

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        self.hypothesis_ = cast(RuleList, hypothesis)
        tests, kept, counts = (state.get(name) for name in ("tests", "kept", "counts"))
        sound = (
            isinstance(tests, tuple)
            and all(isinstance(test, Condition) for test in tests)
            and isinstance(kept, np.ndarray)
            and kept.shape == (len({test.attribute for test in tests}),)
            and bool(((kept >= ALL) & (kept < len(tests))).all())
            and isinstance(counts, np.ndarray)
            and counts.shape == (2, len(self._classes))
        )
        if not sound:
            raise ModelFileError("the stored conjunction is damaged")
        check_numbers("counts", counts, at_least=0)
        self._tests, self._kept = cast(tuple[Condition, ...], tests), np.array(kept, np.int64)
        self._counts = np.array(counts, np.float64)
        # the conjunction is false before the first positive row
        self._empty = not self._counts[:, self._place()].any()
        super()._restore(hypothesis, state)
        self._restore_history(state)
