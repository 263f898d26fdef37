"""RIPPER: rules grown, pruned and optimised by description length."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from induce.core.interrupts import interruptible
from induce.core.notes import note
from induce.core.parameters import Declared, number, truth, whole
from induce.core.randomness import RandomState, generator
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.estimators.guidance import RefiningLearner
from induce.hypotheses.rules import RuleList
from induce.rules.encoding import Coded
from induce.rules.knowledge import condition_of, given_rules, limits_of
from induce.rules.learners.base import RuleClassifier, problem_of
from induce.rules.ripper.class_rules import RipperSettings
from induce.rules.ripper.rows import distinct_rows
from induce.rules.ripper.search import ConditionSearch
from induce.rules.training import Problem


class RIPPER(RefiningLearner, RuleClassifier, TableClassifier):
    """RIPPER (Cohen 1995): a few short rules, learned fast, on noisy tables with any number of classes.

    Classes are processed from the rarest to the most frequent, which needs no rules. For each class against
    the following ones, rules are grown test by test on two thirds of the remaining examples, by FOIL's gain
    (Mitchell §10.5), and pruned on the other third (IREP). Rules are added as long as the description length
    of the rules and their exceptions does not grow much. Then each rule is compared with a revision and with
    a replacement by description length. The remaining examples are covered again, and rules that cost more
    than they save are dropped. The first rule that covers an example decides.

    Thresholds on numeric attributes are recomputed at each step. A missing value or a category not seen in
    training satisfies no test. The order of the rows makes no difference. Ctrl-C ends learning with the rules
    found so far.

    Parameters
    ----------
    optimisations : int, default=2
        Number of passes that revise or replace all rules (the k of RIPPERk).
    min_weight : float, default=2.0
        Minimum weight of the examples of its class that a growing rule must cover.
    folds : int, default=3
        Number of folds of the examples; one of them is used for pruning.
    check_error_rate : bool, default=True
        Whether a rule that misclassifies half of the rows it covers ends the search for rules of its class.
    prune : bool, default=True
        Whether rules are pruned and optimised; if not, they are grown on all examples until they make no
        error.
    max_rules : int, optional
        Maximum number of rules; None sets no limit.
    max_length : int, optional
        Maximum number of conditions of a rule; None sets no limit.
    require : iterable of conditions, default=()
        Conditions that every rule must contain, as text (``"age > 18"``) or `Condition`.
    forbid : iterable of columns and conditions, default=()
        Columns and conditions that no rule may contain.
    monotone : dict from columns to {"increasing", "decreasing"}, optional
        Monotone columns. "increasing": larger values never favour an earlier class.
    rules : iterable of rules, default=()
        Expert rules (``"IF outlook = sunny THEN no"`` or `Rule`) to start from; each is refined by the
        examples and precedes the learned rules.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules to refine, in addition to `rules`; laws, which every prediction obeys; and
        `require`, `forbid`, `monotone`.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed of the split into growing and pruning examples.

    Attributes
    ----------
    hypothesis_ : RuleList
        The learned rules.

    See Also
    --------
    C45Rules : Rules from a pruned tree.
    PART : Rules from partial trees.
    CN2 : Ordered or unordered rules by beam search.

    References
    ----------
    W. W. Cohen (1995). Fast effective rule induction. In International Conference on Machine Learning, 115-123.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> print(RIPPER().fit(X, y).hypothesis_)
    IF petal length <= 2.45 THEN setosa (50/50)
    IF petal width <= 1.65 AND petal length <= 4.95 THEN versicolor (47/47)
    DEFAULT virginica (50/53)
    """

    parameters: ClassVar[Declared] = {
        "optimisations": whole("Number of passes that revise or replace all rules.", at_least=0),
        "min_weight": number(
            "Minimum weight of the examples of its class that a growing rule must cover.", at_least=0
        ),
        "folds": whole("Number of folds of the examples; one of them is used for pruning.", at_least=2),
        "check_error_rate": truth(
            "Whether a rule that misclassifies half of the rows it covers ends its class."
        ),
        "prune": truth("Whether rules are pruned and optimised."),
    }

    def __init__(
        self,
        *,
        optimisations: int = 2,
        min_weight: float = 2.0,
        folds: int = 3,
        check_error_rate: bool = True,
        prune: bool = True,
        max_rules: int | None = None,
        max_length: int | None = None,
        require: Iterable[Any] = (),
        forbid: Iterable[Any] = (),
        monotone: Mapping[str, str] | None = None,
        rules: Iterable[Any] = (),
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.optimisations = optimisations
        self.min_weight = min_weight
        self.folds = folds
        self.check_error_rate = check_error_rate
        self.prune = prune
        self.max_rules = max_rules
        self.max_length = max_length
        self.require = require
        self.forbid = forbid
        self.monotone = monotone
        self.rules = rules
        self.knowledge = knowledge
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: ClassReading) -> RuleList:
        problem = problem_of(reading)
        settings = self._settings()
        draws = generator(self.random_state)
        coded = Coded(problem)
        search = ConditionSearch(
            problem,
            distinct_rows(coded, repeated=reading.sample_weight is not None),
            settings,
            limits_of(
                coded, problem.schema, problem.classes, self.forbid, self.monotone, 0.0, self.max_length
            ),
            tuple(condition_of(item, problem.schema, "require") for item in self.require),
            given_rules(self.rules, problem.schema, problem.classes),
            draws,
        )
        self._check_weights(problem, search.order())
        with interruptible(search):
            search.run()
        premises, default = search.premises(), search.order()[-1]
        for place, (conditions, head) in enumerate(premises):
            if not conditions:  # the remaining rows all have this class, so they are left to the default
                premises, default = premises[:place], head
                break
        return problem.ordered_list(premises, default)

    def _check_weights(self, problem: Problem, order: list[int]) -> None:
        heaviest = max((problem.counts()[c] for c in order[:-1]), default=np.inf)
        if problem.examples.weights is not None and heaviest < self.min_weight:
            note(
                f"every class but the most frequent weighs less than min_weight ({self.min_weight:g}), "
                "so there are no rules; scale the weights up, since a weight of 1 counts as one "
                "example"
            )

    def _settings(self) -> RipperSettings:
        return RipperSettings(
            optimisations=self.optimisations,
            min_weight=self.min_weight,
            folds=self.folds,
            check_error_rate=bool(self.check_error_rate),
            prune=bool(self.prune),
            max_rules=self.max_rules,
            max_length=self.max_length,
        )
