"""CN2: rules by beam search, evaluated by an estimate of their precision (Clark and Niblett)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from induce.data.schema import Schema
from induce.rules.learners.rule_learner import RuleLearner


class CN2(RuleLearner):
    """Clark and Niblett's CN2: rules by beam search, evaluated by an estimate of their precision (§10.2).

    By default, it learns a set of rules for each class, which vote (Clark and Boswell), for any number of
    classes and for nominal and numeric attributes. A missing value or a category not seen in training
    satisfies no test.

    On noisy examples, Laplace's estimate prefers many small rules without errors to a few large ones. By
    default, rules are therefore evaluated by an m-estimate (Janssen and Fürnkranz), and rules that do not pay
    for their description are not added.

    Parameters
    ----------
    ordered : bool, default=False
        Whether the rules form a list, in which the first applicable rule decides.
    measure : {"laplace", "m-estimate", "entropy", "relative-frequency", "foil-gain"}, default="m-estimate"
        PERFORMANCE of a rule: "entropy" is the measure of the original CN2 and of Mitchell's Table 10.2,
        "laplace" that of its successor.
    m : float, default=22.0
        m of the m-estimate: weight of the class frequencies of the training table, in examples.
    pruning : {"description-length", "reduced-error", None}, default="description-length"
        Stopping or pruning rule. "description-length": stop when the likelihood gain of the best rule is less
        than the description length of its tests. "reduced-error": prune each rule on held-out examples. None:
        stop when all examples are covered.
    significance : float, optional
        Significance level of the likelihood-ratio test for rules; None disables the test.
    beam_width : int, default=5
        Beam width: number of conjunctions kept at each step.
    max_length : int, optional
        Maximum number of conditions of a rule; None sets no limit.
    max_rules : int, optional
        Maximum number of rules; None sets no limit.
    min_coverage : float or None, default=1
        Minimum weight of the examples that a rule covers; None uses 1, or 1/250 of the total weight in tables of
        more than 1,000 rows.
    nominal : {"equal", "not-equal", "sets"}, default="equal"
        Tests on nominal attributes: equality; equality and inequality; or equality and membership in a
        set of values.
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
    AQ : Rules that cover a seed example.
    RIPPER : Rules pruned by description length.
    C45Rules : Rules from a pruned tree.

    References
    ----------
    Clark and Niblett (1989). The CN2 induction algorithm. Machine Learning 3, 261-283.
    Clark and Boswell (1991). Rule induction with CN2: some recent improvements. EWSL, 151-163.
    Janssen and Fürnkranz (2010). On the quest for optimal rule learning heuristics. Machine Learning 78, 343-379.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(CN2(ordered=True, measure="entropy", pruning=None).fit(X, y).hypothesis_)
    IF Outlook = Overcast THEN Yes (4/4)
    IF Temperature = Hot THEN No (2/2)
    IF Humidity = Normal AND Outlook = Sunny THEN Yes (2/2)
    IF Outlook = Sunny THEN No (1/1)
    IF Wind = Weak THEN Yes (3/3)
    DEFAULT No (2/2)
    """

    def __init__(
        self,
        *,
        ordered: bool = False,
        measure: str = "m-estimate",
        significance: float | None = None,
        m: float = 22.0,
        pruning: str | None = "description-length",
        beam_width: int = 5,
        max_length: int | None = None,
        max_rules: int | None = None,
        min_coverage: float = 1,
        nominal: str = "equal",
        require: Iterable[Any] = (),
        forbid: Iterable[Any] = (),
        monotone: Mapping[str, str] | None = None,
        rules: Iterable[Any] = (),
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        super().__init__(
            ordered=ordered,
            measure=measure,
            significance=significance,
            m=m,
            pruning=pruning,
            beam_width=beam_width,
            max_length=max_length,
            max_rules=max_rules,
            min_coverage=min_coverage,
            nominal=nominal,
            require=require,
            forbid=forbid,
            monotone=monotone,
            rules=rules,
            knowledge=knowledge,
            class_weight=class_weight,
            schema=schema,
        )
