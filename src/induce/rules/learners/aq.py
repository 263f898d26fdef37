"""AQ: conjunctions grown around seeds, class by class (Michalski)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from induce.data.schema import Schema
from induce.rules.learners.rule_learner import RuleLearner


class AQ(RuleLearner):
    """Michalski's AQ: for each class, complexes that each cover a seed (§10.2.2).

    A seed is the first example of the class that no complex covers. The star of a seed is the result of a
    beam search that adds only tests which the seed passes. The complex of the star with the highest precision
    on all examples is added; ties go to the one that covers the most uncovered examples. A missing value or a
    category not seen in training satisfies no test.

    Parameters
    ----------
    beam_width : int, default=5
        Beam width: number of complexes of a star kept at each step.
    nominal : {"equal", "not-equal", "sets"}, default="equal"
        Tests on nominal attributes: equality; equality and inequality; or equality and membership in a
        set of values.
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
    RIPPER : Rules pruned by description length.

    References
    ----------
    R. S. Michalski (1969). On the quasi-minimal solution of the general covering problem. In International
    Symposium on Information Processing, 125-128.

    R. S. Michalski, I. Mozetic, J. Hong and N. Lavrac (1986). The multi-purpose incremental learning system AQ15
    and its testing application to three medical domains. In AAAI, 1041-1045.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(AQ().fit(X, y).hypothesis_)
    IF Outlook = Overcast THEN Yes (4/4)
    IF Wind = Weak AND Outlook = Rain THEN Yes (3/3)
    IF Humidity = Normal AND Outlook = Sunny THEN Yes (2/2)
    IF Outlook = Sunny AND Humidity = High THEN No (3/3)
    IF Wind = Strong AND Outlook = Rain THEN No (2/2)
    DEFAULT Yes (0/0)
    """

    def __init__(
        self,
        *,
        beam_width: int = 5,
        nominal: str = "equal",
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
            search="example-driven",
            judge_on="all",
            ties="coverage",
            beam_width=beam_width,
            nominal=nominal,
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
