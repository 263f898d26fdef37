"""Decision lists with tests of at most k literals."""

from __future__ import annotations

import math
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.errors import InputError, ModelFileError
from induce.core.hypothesis import Hypothesis
from induce.core.parameters import Declared, anything, choice, whole
from induce.core.progress import report
from induce.core.values import Value, class_named
from induce.data.schema import Schema
from induce.data.table import Table
from induce.estimators import ClassReading, TableClassifier
from induce.hypotheses.rules import Rule, RuleList, class_array
from induce.online.indicators import indicators
from induce.online.learners.tables import Ints, TableLearner
from induce.online.uniform_tests import UniformTests, n_tests

Weights = NDArray[np.float64] | None

MOST_TESTS = 20_000_000
"""Maximum number of tests; more would take too much memory or time."""


class DecisionListClassifier(TableLearner, TableClassifier):
    """A decision list: tests of at most k literals; the first that is true decides (AIMA 18.5).

    Greedy learning as in AIMA's figure 18.11: find a test that is true for some of the remaining examples,
    all of one class; append it to the list, remove these examples, and repeat. Literals are ``attribute =
    value``; a numeric attribute is cut into intervals that hold about equally many rows. There may be any
    number of classes. A missing value or a category not seen in training satisfies no test. A row of weight
    zero is ignored; any other row counts when a test must hold for one class only, however small its weight.

    `partial_fit` predicts each row before it learns from it, keeps all rows, and relearns the list from them
    after each mistake. The list therefore does not depend on the number of rows per call.

    Parameters
    ----------
    k : int, default=2
        Maximum number of literals of a test.
    selection : {"largest", "first"}, default="largest"
        Choice among the shortest tests: the test that is true for the most examples, or the first in the
        order of the attributes.
    default : class, optional
        Default class if no test is true and no example was left; AIMA's *No*. None uses the most frequent
        class.
    failure : {"purest", "default", "error"}, default="purest"
        Action if no test is true for examples of one class only. "purest" takes the test with the highest
        precision for one class (by Laplace's estimate) as long as that beats having no test; "default" leaves
        the rest to a default of their most frequent class; "error" raises an error, like AIMA's algorithm.
    bins : int, default=5
        Maximum number of intervals of a numeric attribute.
    schema : Schema or dict, optional
        Schema of the columns.

    Attributes
    ----------
    hypothesis_ : RuleList
        The learned rules.
    mistakes_, rounds_ : int
        Number of mistakes before learning, and number of rounds, in `partial_fit`; after `fit`, the training
        errors of the list.
    bound_ : float
        One mistake per distinct row if the list fits all rows and all columns are nominal; NaN otherwise. No
        better bound is known for the greedy list.
    history_ : MistakeCurve
        Number of mistakes by round, with the bound.

    See Also
    --------
    CN2 : Ordered or unordered rules by beam search.
    C45Rules : Rules from a pruned tree.

    References
    ----------
    R. L. Rivest (1987). Learning decision lists. Machine Learning 2, 229-246.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> print(DecisionListClassifier(k=1, default="No").fit(X, y).hypothesis_)
    IF Pat = Some THEN Yes (4/4)
    IF Hun = No THEN No (4/4)
    IF Fri = No THEN No (1/1)
    IF Price = $ THEN Yes (2/2)
    IF Alt = Yes THEN No (1/1)
    DEFAULT No (0/0)
    """

    _state = "_rows"

    parameters: ClassVar[Declared] = {
        "k": whole("Maximum number of literals of a test.", at_least=1),
        "selection": choice("Choice among the shortest tests for one class.", "largest", "first"),
        "default": anything(
            "Class of the last rule; None uses the most frequent class.", "a class", none=True
        ),
        "failure": choice("Action if no test is true for one class only.", "purest", "default", "error"),
    }

    def __init__(
        self,
        k: int = 2,
        *,
        selection: str = "largest",
        default: Any = None,
        failure: str = "purest",
        bins: int = 5,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.k = k
        self.selection = selection
        self.default = default
        self.failure = failure
        self.bins = bins
        self.schema = schema

    def _keep(self, reading: ClassReading) -> None:
        table, labels = self._first(reading)
        weights = reading.weights
        if weights is not None:
            counted = np.flatnonzero(weights)
            table, labels, weights = table.rows(counted), labels[counted], weights[counted]
        rules = self._list(table, labels, weights)
        self._rows, self._labels, self._weighs = table, labels, weights
        self.hypothesis_ = rules
        self._record(rules.predict(table) != class_array(rules.classes)[labels])

    def _go_through(self, table: Table, truth: Ints) -> Ints:
        kept, labels, weights = table, truth, None
        if self._begun():
            kept, labels = _joined(self._rows, table), np.append(self._labels, truth)
            if self._weighs is not None:
                weights = np.append(self._weighs, np.ones(len(truth)))
            rules = cast(RuleList, self.hypothesis_)
        else:
            rules = self._list(table.rows(np.arange(0)), truth[:0], None)
        n_before = len(labels) - len(truth)
        predicted = np.empty(len(truth), np.int64)
        start = 0
        while start < len(truth):
            part = np.arange(start, len(truth))
            predicted[start:] = rules._decide(table.rows(part))[0]
            wrong = predicted[start:] != truth[start:]
            if not wrong.any():
                break
            start += int(wrong.argmax()) + 1
            seen = slice(n_before + start)
            rules = self._list(
                kept.rows(np.arange(n_before + start)),
                labels[seen],
                None if weights is None else weights[seen],
            )
            report(start / len(truth))
        self._rows, self._labels, self._weighs = kept, labels, weights
        self.hypothesis_ = rules
        self._record(predicted != truth)
        return predicted

    def _start_with(self, table: Table) -> None:
        if self.default is not None:
            class_named(self.default, self._classes, "default")

    def _list(self, table: Table, labels: Ints, weights: Weights) -> RuleList:
        """Learn a list (AIMA figure 18.11)."""
        literals = indicators(table, self.bins, weights)
        if n_tests(len(literals), self.k) > MOST_TESTS:
            raise InputError(
                f"k is {self.k}, which with {len(literals)} literals makes {n_tests(len(literals), self.k):,} tests; "
                "give a smaller k, or ignore columns with many values"
            )
        covers = np.empty((len(table), len(literals)), np.bool_)
        for place, literal in enumerate(literals):
            covers[:, place] = literal.covers(table)
        search = UniformTests(covers, labels, len(self._classes), self.k, weights)
        at_first = search.left()
        rules = []
        while search.n_left:
            found = search.largest() if self.selection == "largest" else search.first()
            if found is None and self.failure == "purest":
                found = search.purest()
            if found is None:
                break
            test, code, counts = found
            search.take_away(test)
            rule = Rule(
                tuple(literals[i] for i in test), self._classes[code], tuple(counts.tolist()), self._classes
            )
            rules.append(rule)
            trace.emit("test", rule=str(rule), left=search.n_left)
        return self._ended(rules, search, at_first)

    def _ended(self, rules: list[Rule], search: UniformTests, at_first: NDArray[np.float64]) -> RuleList:
        """Return the list including its default."""
        left = search.left()
        if search.n_left and self.failure == "error":
            raise InputError(
                f"no test of at most {self.k} literals is true for examples of one class only among "
                f"the {search.n_left} that are left, so no decision list fits; give a larger k, or "
                "failure='purest'"
            )
        if search.n_left or self.default is None:
            default: Value = self._classes[int((left if search.n_left else at_first).argmax())]
        else:
            default = class_named(self.default, self._classes, "default")
        return RuleList(
            self._schema,
            self._target_name,
            self._classes,
            tuple(rules),
            default,
            tuple(left.tolist()),
            class_counts=tuple(at_first.tolist()),
        )

    def _bound(self) -> tuple[float, str]:
        if self._rows.numeric.shape[1]:
            return math.nan, "numeric columns are cut again as rows arrive"
        predicted = cast(RuleList, self.hypothesis_)._decide(self._rows)[0]
        if (predicted != self._labels).any():
            return math.nan, "no such list fits all rows"
        return float(len(np.unique(self._rows.nominal, axis=0))), "one mistake per distinct row"

    def _resumable_state(self) -> dict[str, Any]:
        return super()._resumable_state() | {
            "nominal": self._rows.nominal,
            "numeric": self._rows.numeric,
            "labels": self._labels,
            "weights": self._weighs,
        }

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        rules = cast(RuleList, hypothesis)
        self._settle(rules.schema, rules.target, rules.classes)
        self._restore_history(state)
        inputs = rules.schema.inputs()
        n_nominal = sum(column.kind == "nominal" for column in inputs)
        nominal = np.array(state.get("nominal", ()), np.int32)
        numeric = np.array(state.get("numeric", ()), np.float64)
        labels = np.array(state.get("labels", ()), np.int64)
        kept = state.get("weights")
        weights = None if kept is None else np.array(kept, np.float64)
        sizes = np.array([len(column.domain) for column in inputs if column.kind == "nominal"])
        sound = (
            labels.ndim == 1
            and nominal.shape == (len(labels), n_nominal)
            and numeric.shape == (len(labels), len(inputs) - n_nominal)
            and bool(((nominal >= -2) & (nominal < sizes)).all())
            and bool(((labels >= 0) & (labels < len(rules.classes))).all())
            and (weights is None or (weights.shape == labels.shape and bool((weights > 0).all())))
        )
        if not sound:
            raise ModelFileError("the stored examples do not match the list")
        self._rows, self._labels, self._weighs = Table(inputs, numeric, nominal), labels, weights


def _joined(first: Table, second: Table) -> Table:
    return Table(
        first.schema,
        np.append(first.numeric, second.numeric, axis=0),
        np.append(first.nominal, second.nominal, axis=0),
    )
