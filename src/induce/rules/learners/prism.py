"""PRISM: exact rules, class by class (Cendrowska)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from induce.data.schema import Schema
from induce.rules.learners.rule_learner import RuleLearner


class PRISM(RuleLearner):
    """Cendrowska's PRISM: exact rules for each class, extended by the tests of highest precision.

    A rule is extended by the test with the highest precision until it covers examples of one class only; ties
    go to the test that keeps the most examples. A missing value or a category not seen in training satisfies
    no test.

    Parameters
    ----------
    min_coverage : float, optional
        Minimum weight of the examples that a rule covers; None uses 1, or 1/250 of the total weight in tables
        of more than 1,000 rows, where there would be thousands of exact rules.
    max_length : int, optional
        Maximum number of conditions of a rule; None sets no limit.
    max_rules : int, optional
        Maximum number of rules; None sets no limit.
    require : iterable of conditions, default=()
        Conditions that every rule must contain, as text (``"age > 18"``) or `Condition`.
    forbid : iterable of columns and conditions, default=()
        Columns and conditions that no rule may contain.
    monotone : dict, optional
        Monotone columns. "increasing": larger values never favour an earlier class.
    rules : iterable of rules, default=()
        Expert rules, refined by the examples; they precede the learned rules.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules to refine, in addition to `rules`; laws, which every prediction obeys; and
        `require`, `forbid`, `monotone`.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.

    See Also
    --------
    CN2 : Ordered or unordered rules by beam search.
    AQ : Rules that cover a seed example.

    References
    ----------
    J. Cendrowska (1987). PRISM: an algorithm for inducing modular rules. International Journal of Man-Machine
    Studies 27, 349-370.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(PRISM().fit(X, y).hypothesis_)
    IF Outlook = Overcast THEN Yes (4/4)
    IF Humidity = Normal AND Wind = Weak THEN Yes (4/4)
    IF Temperature = Mild AND Humidity = Normal THEN Yes (2/2)
    IF Outlook = Rain AND Wind = Weak THEN Yes (3/3)
    IF Outlook = Sunny AND Humidity = High THEN No (3/3)
    IF Outlook = Rain AND Wind = Strong THEN No (2/2)
    DEFAULT Yes (0/0)
    """

    def __init__(
        self,
        *,
        max_length: int | None = None,
        max_rules: int | None = None,
        min_coverage: float | None = None,
        require: Iterable[Any] = (),
        forbid: Iterable[Any] = (),
        monotone: Mapping[str, str] | None = None,
        rules: Iterable[Any] = (),
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        super().__init__(
            measure="relative-frequency",
            ties="coverage",
            beam_width=1,
            max_length=max_length,
            max_rules=max_rules,
            min_coverage=min_coverage,
            require=require,
            forbid=forbid,
            monotone=monotone,
            rules=rules,
            knowledge=knowledge,
            class_weight=class_weight,
            schema=schema,
        )
