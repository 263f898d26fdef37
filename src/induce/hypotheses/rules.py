"""Rules and lists of rules: what most learners of readable hypotheses end in."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.hypothesis import Hypothesis
from induce.core.values import Value
from induce.data.frames import Floats
from induce.data.schema import Schema
from induce.data.table import Table, encode
from induce.hypotheses.conditions import Condition, Mask, covered_by_all, simplified
from induce.hypotheses.explanation import Explanation
from induce.hypotheses.naming import count_text, plural, right_of_all, value_text


@dataclass(frozen=True)
class Rule:
    """If all conditions hold, then the prediction.

    Parameters
    ----------
    conditions : tuple of Condition
        None means that the rule always holds.
    prediction : str, int, float or bool
    counts : tuple of float
        Per class, the training rows that the rule covers (weights may be fractions).
    classes : tuple
        The classes that `counts` counts. A `RuleList` fills them in; a rule on its own that is not told takes
        its prediction for the class it counts most.

    Examples
    --------
    >>> from induce.hypotheses.conditions import Is
    >>> rule = Rule((Is("outlook", "sunny"), Is("humidity", "high")), "no", (3.0, 0.0))
    >>> print(rule)
    IF outlook = sunny AND humidity = high THEN no (3/3)
    >>> rule.precision
    1.0
    """

    conditions: tuple[Condition, ...]
    prediction: Value
    counts: tuple[float, ...]
    classes: tuple[Value, ...] = field(default=(), compare=False, repr=False)

    @property
    def covered(self) -> float:
        """The training rows that the rule covers."""
        return sum(self.counts)

    @property
    def correct(self) -> float:
        """The covered training rows that have the predicted class."""
        if self.classes:
            return self.counts[self.classes.index(self.prediction)]
        return max(self.counts, default=0.0)

    @property
    def precision(self) -> float:
        """The share of the covered rows that have the predicted class; NaN when none is covered."""
        return self.correct / self.covered if self.covered else float("nan")

    def covers(self, table: Table) -> Mask:
        """Say of each row whether it satisfies all conditions."""
        return covered_by_all(self.conditions, table)

    def simplified(self) -> Rule:
        """Return the rule that covers the same rows with at most one condition per attribute.

        Conditions that exclude each other stay as they are.

        Examples
        --------
        >>> from induce.hypotheses.conditions import AtMost, Above
        >>> print(Rule((AtMost("age", 60), Above("age", 20), AtMost("age", 30)), "yes", (0, 7)).simplified())
        IF 20 < age <= 30 THEN yes (7/7)
        """
        return replace(self, conditions=simplified(self.conditions))

    def premise(self) -> str:
        """Return the conditions in words.

        Examples
        --------
        >>> Rule((), "yes", (0, 7)).premise()
        'TRUE'
        """
        return " AND ".join(map(str, self.conditions)) or "TRUE"

    def __str__(self) -> str:
        right = f"{count_text(self.correct)}/{count_text(self.covered)}"
        return f"IF {self.premise()} THEN {value_text(self.prediction)} ({right})"


@dataclass(frozen=True)
class RuleList(Hypothesis):
    """Rules that classify together.

    In an ordered list the first rule that covers a row decides. In an unordered one all rules that cover it
    vote with their class counts, and the earliest of equally supported classes wins. Where no rule applies,
    the default does. A missing value and a category not seen in training satisfy no condition.

    Probabilities are the normalised counts of what decided; where a rule predicts a class that it does not
    count most, its prediction gets probability one, so that the likeliest class is always the predicted one.

    Parameters
    ----------
    schema : Schema
    target : str
    classes : tuple
    rules : tuple of Rule
    default : str, int, float or bool
    default_counts : tuple of float
        Per class, the training rows that are left to the default.
    ordered : bool

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> from induce.hypotheses.conditions import Is
    >>> schema = Schema((Column("outlook", "nominal", ("sunny", "rain")), Column("wind")))
    >>> rule = Rule((Is("outlook", "sunny"),), "no", (3, 1))
    >>> rules = RuleList(schema, "play", ("no", "yes"), (rule,), "yes", (1, 5))
    >>> print(rules)
    IF outlook = sunny THEN no (3/4)
    DEFAULT yes (5/6)
    >>> rules.predict([["sunny", 1.5], ["fog", 2.0]])
    array(['no', 'yes'], dtype='<U3')
    >>> print(rules.explain([["sunny", 1.5]])[0])
    no because IF outlook = sunny THEN no (3/4)
    """

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    rules: tuple[Rule, ...]
    default: Value
    default_counts: tuple[float, ...]
    ordered: bool = True

    def __post_init__(self) -> None:
        # what is not a tuple of rules is left for `check` to name
        if isinstance(self.rules, tuple) and all(isinstance(rule, Rule) for rule in self.rules):
            object.__setattr__(
                self, "rules", tuple(replace(rule, classes=self.classes) for rule in self.rules)
            )

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row of a frame, an array or an encoded table."""
        return class_array(self.classes)[self._decide(self._table(X))[0]]

    def predict_proba(self, X: Any) -> Floats:
        """Return per row the probability of each class, in the order of `classes`."""
        predicted, counts = self._decide(self._table(X))
        return probabilities(counts, predicted)

    def explain(self, X: Any) -> tuple[Explanation, ...]:
        """Return for each row what decided its prediction.

        Examples
        --------
        >>> from induce.data.schema import Column
        >>> rules = RuleList(Schema((Column("age"),)), "ill", (False, True), (), False, (8, 2))
        >>> print(rules.explain([[30.0]])[0])
        False by default (8/10), because no rule applies
        """
        table = self._table(X)
        predicted, counts = self._decide(table)
        speaking: list[list[Rule]] = [[] for _ in range(len(table))]
        for rule in self.rules:
            if self.ordered or any(rule.counts):
                for row in np.flatnonzero(rule.covers(table)):
                    if not (self.ordered and speaking[row]):
                        speaking[row].append(rule)
        return tuple(
            Explanation(self.classes[code], self.classes, tuple(count.tolist()), tuple(rules))
            for code, count, rules in zip(predicted, counts, speaking, strict=True)
        )

    def size(self) -> str:
        """Return how large the list is.

        Examples
        --------
        >>> RuleList(Schema(()), "play", ("no",), (), "no", (1,)).size()
        '0 rules, 0 conditions'
        """
        n_conditions = sum(len(rule.conditions) for rule in self.rules)
        return f"{plural(len(self.rules), 'rule')}, {plural(n_conditions, 'condition')}"

    def __str__(self) -> str:
        right = right_of_all(self.default, self.classes, self.default_counts)
        return "\n".join([*map(str, self.rules), f"DEFAULT {value_text(self.default)} ({right})"])

    def _repr_html_(self) -> str:
        from induce.hypotheses.pictures import html_of_rules

        return html_of_rules(self)

    def draw(self) -> Any:
        """Return a matplotlib figure: per rule the covered training rows, right and wrong."""
        from induce.hypotheses.pictures import draw_rules

        return draw_rules(self)

    def to_sql(self, table: str = "data", key: str | None = None) -> str:
        """Return a query that predicts in a database; see `induce.hypotheses.export_sql.sql_of_rules`."""
        from induce.hypotheses.export_sql import sql_of_rules

        return sql_of_rules(self, table, key)

    def to_python(self, name: str = "predict") -> str:
        """Return a function as source text; see `induce.hypotheses.export_python.python_of_rules`."""
        from induce.hypotheses.export_python import python_of_rules

        return python_of_rules(self, name)

    def to_prolog(self) -> str:
        """Return clauses; see `induce.hypotheses.export_prolog.prolog_of_rules`."""
        from induce.hypotheses.export_prolog import prolog_of_rules

        return prolog_of_rules(self)

    def check(self) -> None:
        """Raise an `InputError` unless the parts fit together, as they must when read from a file."""
        from induce.hypotheses.checks import check_rules

        check_rules(self)

    def _table(self, X: Any) -> Table:
        return X if isinstance(X, Table) else encode(X, self.schema)

    def _decide(self, table: Table) -> tuple[NDArray[np.intp], Floats]:
        """Return per row the position of the predicted class and the counts behind it."""
        return self._first(table) if self.ordered else self._vote(table)

    def _first(self, table: Table) -> tuple[NDArray[np.intp], Floats]:
        decider = np.full(len(table), len(self.rules))
        open_ = np.ones(len(table), dtype=np.bool_)
        for number, rule in enumerate(self.rules):
            fires = open_ & rule.covers(table)
            decider[fires] = number
            open_ &= ~fires
            if not open_.any():
                break
        heads = [
            self.classes.index(head) for head in (*(rule.prediction for rule in self.rules), self.default)
        ]
        counts = [*(rule.counts for rule in self.rules), self.default_counts]
        return np.array(heads, dtype=np.intp)[decider], np.array(counts, dtype=np.float64)[decider]

    def _vote(self, table: Table) -> tuple[NDArray[np.intp], Floats]:
        votes = np.zeros((len(table), len(self.classes)))
        for rule in self.rules:
            # added rule by rule, as the exports do, so that sums of fractions agree to the last bit
            votes[rule.covers(table)] += np.array(rule.counts, dtype=np.float64)
        predicted = votes.argmax(axis=1)
        silent = ~votes.any(axis=1)
        predicted[silent] = self.classes.index(self.default)
        votes[silent] = self.default_counts
        return predicted, votes


def class_array(classes: tuple[Value, ...]) -> NDArray[Any]:
    """Return the classes as an array that keeps each as it is.

    Examples
    --------
    >>> class_array((1, 2)).dtype.kind, class_array((1, "2")).dtype.kind
    ('i', 'O')
    """
    return np.array(classes, dtype=None if len({type(value) for value in classes}) == 1 else object)


def probabilities(counts: Floats, predicted: NDArray[np.intp]) -> Floats:
    """Turn counts into probabilities whose first largest is at the predicted class of each row.

    Examples
    --------
    >>> probabilities(np.array([[1.0, 3.0], [1.0, 3.0]]), np.array([1, 0])).tolist()
    [[0.25, 0.75], [1.0, 0.0]]
    """
    rows = np.arange(len(counts))
    total = counts.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    overruled = (counts[rows, predicted] < counts.max(axis=1)) | (total[:, 0] == 0)
    shares[overruled] = 0.0
    shares[rows[overruled], predicted[overruled]] = 1.0
    # one of several equal classes was predicted: it gets the last bit more
    tied = shares.argmax(axis=1) != predicted
    shares[rows[tied], predicted[tied]] = np.nextafter(shares[tied].max(axis=1), 1.0)
    return shares
