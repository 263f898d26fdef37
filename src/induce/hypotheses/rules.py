"""Rules and lists of rules: the result of most learners of readable hypotheses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.values import Value
from induce.data.frames import Floats
from induce.data.schema import Schema
from induce.data.table import Table
from induce.hypotheses.conditions import Condition, Mask, covered_by_all, in_units, simplified
from induce.hypotheses.conflict_resolution import all_vote, first_decides
from induce.hypotheses.conflict_resolution import class_array as class_array
from induce.hypotheses.conflict_resolution import probabilities as probabilities
from induce.hypotheses.explanation import Explanation, NearMiss
from induce.hypotheses.exporting import LatexForm, OnnxForm, PrologForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Places, ProbabilisticClassifier
from induce.hypotheses.naming import count_text, plural, right_of_all, value_text

if TYPE_CHECKING:
    from induce.hypotheses.contrast import Contrast, Question
    from induce.hypotheses.expressions.nodes import Expression
    from induce.hypotheses.rule_report import RuleReport
    from induce.hypotheses.rule_statistics import RuleTable


MOST_COMPARED = 300
"""Maximum number of rules in a list for which overlaps are shown, because all pairs are compared."""


@dataclass(frozen=True)
class Rule:
    """A rule: if all conditions hold, then the prediction.

    Parameters
    ----------
    conditions : tuple of Condition
        Conditions; an empty tuple always holds.
    prediction : str, int, float or bool
        Predicted class.
    counts : tuple of float
        Number of covered training rows per class (weights may be fractions).
    classes : tuple
        Classes of `counts`. A `RuleList` sets them; a standalone rule assumes that it predicts the class with
        the largest count.

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
        """Number of covered training rows."""
        return sum(self.counts)

    @property
    def correct(self) -> float:
        """Number of covered training rows with the predicted class."""
        if self.classes:
            return self.counts[self.classes.index(self.prediction)]
        return max(self.counts, default=0.0)

    @property
    def precision(self) -> float:
        """Fraction of the covered rows with the predicted class; NaN if none is covered."""
        return self.correct / self.covered if self.covered else float("nan")

    def covers(self, table: Table) -> Mask:
        """Return whether each row satisfies all conditions."""
        return covered_by_all(self.conditions, table)

    def simplified(self) -> Rule:
        """Return the rule that covers the same rows with at most one condition per attribute.

        Conditions that exclude each other are unchanged.

        Examples
        --------
        >>> from induce.hypotheses.conditions import AtMost, Above
        >>> print(Rule((AtMost("age", 60), Above("age", 20), AtMost("age", 30)), "yes", (0, 7)).simplified())
        IF 20 < age <= 30 THEN yes (7/7)
        """
        return replace(self, conditions=simplified(self.conditions))

    def premise(self) -> str:
        """Return the conditions as text.

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
class RuleList(SqlForm, PythonForm, PrologForm, OnnxForm, LatexForm, ProbabilisticClassifier):
    """Rules that classify together.

    In an ordered list the first rule that covers a row decides. In an unordered list all rules that cover it
    vote with their class counts, and ties go to the earliest class. If no rule applies, the default decides.
    Missing values and unseen categories satisfy no condition.

    Probabilities are the normalised counts of the deciding rules. If a rule does not predict its most
    frequent class, its prediction gets probability one, so that the most probable class is always the
    predicted one.

    Parameters
    ----------
    schema : Schema
        Schema of the input columns.
    target : str
        Name of the target.
    classes : tuple
        Classes, in declared order.
    rules : tuple of Rule
        Rules, in order.
    default : str, int, float or bool
        Class of rows that no rule covers.
    default_counts : tuple of float
        Number of training rows per class that fall to the default.
    ordered : bool
        Whether the first covering rule decides; otherwise all covering rules vote.
    class_counts : tuple of float
        Number of all training rows per class, if known; it cannot be derived from the counts of overlapping
        rules.

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
    class_counts: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        # `check` reports anything but a tuple of rules
        if isinstance(self.rules, tuple) and all(isinstance(rule, Rule) for rule in self.rules):
            object.__setattr__(self, "rules", tuple(map(self._settled, self.rules)))

    def _settled(self, rule: Rule) -> Rule:
        """Return a rule with the classes of its counts, and with thresholds of date columns as dates."""
        told = isinstance(rule.conditions, tuple) and isinstance(self.schema, Schema)
        if not (told and any(column.counted for column in self.schema)):
            return replace(rule, classes=self.classes)
        conditions = tuple(in_units(condition, self.schema) for condition in rule.conditions)
        return replace(rule, classes=self.classes, conditions=conditions)

    def places(self, X: Any) -> Places:
        """Return the index in `classes` of the predicted class of each row."""
        return self._decide(self.encoded(X))[0]  # no shares are needed

    def _scores(self, table: Table) -> Floats:
        predicted, counts = self._decide(table)
        return probabilities(counts, predicted)

    def explain(self, X: Any, *, nearest: bool = False) -> tuple[Explanation, ...]:
        """Return an explanation of the prediction for each row.

        Parameters
        ----------
        X : frame or array
        nearest : bool
            Whether to add the rule that almost changed the prediction: among the rules with a different
            prediction (or all rules, if there is none), the one with the fewest unsatisfied conditions. In an
            ordered list, a position after the deciding rule counts as one more; ties go to the earliest rule.

        Examples
        --------
        >>> from induce.data.schema import Column
        >>> from induce.hypotheses.conditions import Above
        >>> old = Rule((Above("age", 60),), True, (1, 4))
        >>> rules = RuleList(Schema((Column("age"),)), "ill", (False, True), (old,), False, (8, 2))
        >>> print(rules.explain([[30.0]], nearest=True)[0])
        False by default (8/10), because no rule applies
          nearly: IF age > 60 THEN True (4/5), but age is 30
        """
        table = self.encoded(X)
        predicted, counts = self._decide(table)
        speaking: list[list[Rule]] = [[] for _ in range(len(table))]
        for rule in self.rules:
            if self.ordered or any(rule.counts):
                for row in np.flatnonzero(rule.covers(table)):
                    if not (self.ordered and speaking[row]):
                        speaking[row].append(rule)
        near: Sequence[NearMiss | None] = [None] * len(table)
        if nearest:
            from induce.hypotheses.nearest import near_misses

            near = near_misses(self, table, predicted)
        return tuple(
            Explanation(self.classes[code], self.classes, tuple(count.tolist()), tuple(rules), miss)
            for code, count, rules, miss in zip(predicted, counts, speaking, near, strict=True)
        )

    def _picture(self) -> tuple[str, dict[str, Any]]:
        rules = [
            {
                "conditions": [str(condition) for condition in rule.conditions],
                "prediction": rule.prediction,
                "counts": rule.counts,
                "covered": rule.covered,
                "correct": rule.correct,
            }
            for rule in self.rules
        ]
        rest = {"prediction": self.default, "counts": self.default_counts}
        told = {"ordered": self.ordered, "rules": rules, "default": rest}
        if len(rules) <= MOST_COMPARED:
            told["overlaps"] = self.report().pairs
        return "rules", told

    def deciders(self, X: Any) -> NDArray[np.int64]:
        """Return the index of the first rule that covers each row; -1 if the default decides."""
        table = self.encoded(X)
        found = np.full(len(table), -1)
        for number, rule in enumerate(self.rules):
            if self.ordered or any(rule.counts):
                found[(found < 0) & rule.covers(table)] = number
        return found

    def _contrast(self, question: Question) -> Contrast:
        from induce.hypotheses.contrast import by_cells, thresholds_of

        conditions = (condition for rule in self.rules for condition in rule.conditions)
        return by_cells(question, thresholds_of(self.schema, conditions))

    def explain_fully(self, X: Any) -> tuple[Explanation, ...]:
        """Return the explanations with the rule that almost changed the prediction."""
        return self.explain(X, nearest=True)

    def statistics(self, X: Any = None, y: Any = None, *, confidence: float = 0.95) -> RuleTable:
        """Return coverage, precision with an interval, lift and significance of each rule.

        Without rows, they are computed from the stored training counts. The rules were fitted to those rows,
        so these statistics are optimistic; new rows give unbiased ones. On given rows, a rule of an ordered
        list is evaluated on the rows that it decides, a rule of an unordered list on all rows that it covers.
        If rows have weights, the interval is approximate.

        Parameters
        ----------
        X : frame or array, optional
        y : array, optional
            Classes of the rows of `X`.
        confidence : float
            Confidence level of the intervals for the precision.

        Examples
        --------
        >>> import induce
        >>> X, y = induce.dataset("play-tennis")
        >>> rules = induce.ID3().fit(X, y).hypothesis_.to_rules()
        >>> print(rules.statistics(X, y)[0])
        IF Outlook = Sunny AND Humidity = High THEN No: covers 3 rows (21.4%), precision 1.00, 95% interval
        [0.29, 1.00] (Clopper-Pearson), lift 2.80, significance 6.18 (p = 0.0129)
        """
        from induce.hypotheses.rule_statistics import of_rows, of_training

        if (X is None) != (y is None):
            raise InputError(
                "statistics of given rows need both X and y; leave out both for the training rows"
            )
        return of_training(self, confidence) if X is None else of_rows(self, X, y, confidence)

    def report(self, X: Any = None, y: Any = None) -> RuleReport:
        """Return the interactions of the rules: overlaps, contradictions and the effects of their order.

        Without rows, the report shows possible interactions: which pairs of rules a row could satisfy,
        whether they then predict differently, and which rules are never reached. With rows it also shows how
        often this happens and, if their classes are given, which rule is correct.

        Parameters
        ----------
        X : frame or array, optional
        y : array, optional
            Classes of the rows of `X`.

        Examples
        --------
        >>> import induce
        >>> X, y = induce.dataset("iris")
        >>> print(induce.C45Rules().fit(X, y).hypothesis_.report(X, y))
        4 rules in order, 150 rows
        overlaps: 2 pairs of rules share rows, 1 with different predictions (3 rows)
          rules 3 and 4 share 3 rows: virginica (1 right) and versicolor (2 right)
        order: 3 rows predicted otherwise if read from the last rule, 1 pair of neighbours with another
        prediction if swapped
          rules 3 and 4 swapped: 3 rows predicted otherwise (1 right now, 2 then)
        """
        from induce.hypotheses.rule_report import report_of

        return report_of(self, X, y)

    def simplify(self, X: Any = None) -> RuleList:
        """Return a list without redundant conditions and rules that makes the same predictions.

        Conditions implied by others on the same attribute are dropped, and so are rules whose conditions
        exclude each other. In an ordered list, rules are dropped if an earlier rule always decides their
        rows, or if a later rule or the default would decide them in the same way. In an unordered list,
        rules without counts are dropped, because they have no votes. With `X`, conditions and rules that
        affect no prediction *for those rows* are also dropped; predictions for other rows may then change.
        Rules with fractional votes are dropped only if they never vote.

        Only the predictions stay the same. Probabilities may change, since a different rule may now decide a row;
        if the rules are known to count every training row once, the rule that takes over also takes the counts.

        Parameters
        ----------
        X : frame or array, optional

        Examples
        --------
        >>> from induce.data.schema import Column
        >>> from induce.hypotheses.conditions import Above
        >>> old, older = Rule((Above("age", 60),), True, (1, 4)), Rule((Above("age", 70),), True, (0, 0))
        >>> young = Rule((Above("age", 0), Above("age", -1)), False, (6, 0))
        >>> schema = Schema((Column("age"),))
        >>> print(RuleList(schema, "ill", (False, True), (old, older, young), False, (2, 2)).simplify())
        IF age > 60 THEN True (4/5)
        DEFAULT False (2/4)
        """
        from induce.hypotheses.simplification import simplified_rules

        return simplified_rules(self, X)

    def size(self) -> str:
        """Return the size of the list.

        Examples
        --------
        >>> RuleList(Schema(()), "play", ("no",), (), "no", (1,)).size()
        '0 rules, 0 conditions'
        """
        n_conditions = sum(len(rule.conditions) for rule in self.rules)
        return f"{plural(len(self.rules), 'rule')}, {plural(n_conditions, 'condition')}"

    def parts(self) -> Parts:
        """Return the number of conditions and conclusions, including that of the default."""
        return Parts(sum(len(rule.conditions) + 1 for rule in self.rules) + 1, "conditions and conclusions")

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if not self.ordered:
            lacking["latex"] = "its rules vote"
        return lacking

    def __str__(self) -> str:
        right = right_of_all(self.default, self.classes, self.default_counts)
        return "\n".join([*map(str, self.rules), f"DEFAULT {value_text(self.default)} ({right})"])

    def _repr_html_(self) -> str:
        from induce.hypotheses.pictures import html_of_rules

        return html_of_rules(self)

    def draw(self) -> Any:
        """Return a matplotlib figure: the covered training rows of each rule, correct and wrong."""
        from induce.hypotheses.pictures import draw_rules

        return draw_rules(self)

    def to_rules(self) -> RuleList:
        """Return the list itself; other hypotheses return equivalent rules."""
        return self

    def expression(self) -> Expression:
        """Return the rules as an expression: the first that holds, or the class with the most votes."""
        from induce.hypotheses.expressions.rules import first_rule, votes

        return first_rule(self) if self.ordered else votes(self)

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        from induce.hypotheses.checks import check_rules

        check_rules(self)

    def _decide(self, table: Table) -> tuple[NDArray[np.intp], Floats]:
        """Return, per row, the index of the predicted class and the counts behind it."""
        return first_decides(self, table) if self.ordered else all_vote(self, table)
