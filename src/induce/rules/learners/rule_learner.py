"""RuleLearner: sequential covering with the choices of Mitchell §10.3 as parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.folds import held_out
from induce.core.interrupts import interruptible
from induce.core.notes import note
from induce.core.parameters import Declared, anything, choice, number, truth, whole
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.core.values import class_named
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.estimators.guidance import RefiningLearner
from induce.hypotheses.conditions import Mask, simplified
from induce.hypotheses.rules import RuleList
from induce.rules import _loops
from induce.rules.covering import Cover, RuleSearch
from induce.rules.encoding import Coded, State
from induce.rules.knowledge import condition_of, given_rules, limits_of, tests_of
from induce.rules.learners.base import RuleClassifier, problem_of
from induce.rules.measures import MEASURES
from induce.rules.training import Premise, Problem
from induce.trees.growth import GrowthRule, grow

COVERING = ("sequential", "simultaneous")
DIRECTIONS = ("general-to-specific", "specific-to-general")
LARGE, LEAST_SHARE, LEAST_NEW = 1_000, 1 / 250, 1 / 4
PRUNINGS = ("reduced-error", "description-length")
SEARCHES = ("generate-and-test", "example-driven")


class RuleLearner(RefiningLearner, RuleClassifier, TableClassifier):
    """Rules by sequential covering, with the design choices of rule learners (Mitchell §10.2 and §10.3).

    SEQUENTIAL-COVERING (Table 10.1) calls LEARN-ONE-RULE (Table 10.2) repeatedly on the examples that are not
    yet covered. Thresholds on numeric attributes are recomputed at each step. A missing value or a category
    not seen in training satisfies no test.

    Parameters
    ----------
    measure : {"laplace", "m-estimate", "relative-frequency", "entropy", "foil-gain"}, default="laplace"
        PERFORMANCE of a rule.
    m : float, default=2.0
        m of the m-estimate: weight of the class frequencies of the training table, in examples.
    ordered : bool, default=False
        Whether the rules form a list whose first applicable rule decides; each rule then predicts the most
        frequent class of its covered rows. If not, they form a set for each class, and vote.
    covering : {"sequential", "simultaneous"}, default="sequential"
        Covering strategy: one rule at a time, or all at once as the leaves of an unpruned tree (ID3).
    direction : {"general-to-specific", "specific-to-general"}, default="general-to-specific"
        Direction of the search: from no test by adding tests, or from examples by least general
        generalisation.
    search : {"generate-and-test", "example-driven"}, default="generate-and-test"
        Candidate tests: all, or only those that an uncovered example passes (AQ's seeds).
    judge_on : {"left", "all"}, default="left"
        Examples for evaluating a rule: those not covered by earlier rules, or all.
    beam_width : int, default=5
        Beam width: number of conjunctions kept at each step.
    ties : {"first", "coverage"}, default="first"
        Choice among rules of equal performance: the first found, or the one that covers the most uncovered
        examples.
    max_length : int, optional
        Maximum number of conditions of a rule; None sets no limit.
    max_rules : int, optional
        Maximum number of rules; None sets no limit.
    min_coverage : float or None, default=1
        Minimum weight of the examples that a rule covers; None uses 1, or 1/250 of the total weight in tables of
        more than 1,000 rows.
    significance : float, optional
        Significance level of the likelihood-ratio test for rules (pre-pruning, CN2).
    threshold : float, optional
        Performance that a rule must exceed; None sets no limit.
    pruning : {None, "reduced-error", "description-length"}, default=None
        Pruning or stopping rule. "reduced-error": drop preconditions as long as that improves the rule on
        held-out examples. "description-length": stop when the likelihood gain of the best rule is less than
        the description length of its tests.
    validation_fraction : float, default=0.3333333333333333
        Fraction of the examples held out for pruning.
    nominal : {"equal", "not-equal", "sets"}, default="equal"
        Tests on nominal attributes: equality; equality and inequality; or equality and membership in a
        set of values.
    target_class : class, optional
        Class to learn rules for; uncovered rows get the other classes (§10.2.2). None learns all classes.
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
        Random seed of the held-out examples, and of the initial examples of specific-to-general search.

    Attributes
    ----------
    hypothesis_ : RuleList
        The learned rules.

    See Also
    --------
    CN2 : Ordered or unordered rules by beam search.
    AQ : Rules that cover a seed example.
    FOIL : First-order clauses.

    References
    ----------
    P. Clark and T. Niblett (1989). The CN2 induction algorithm. Machine Learning 3, 261-283.

    T. M. Mitchell (1997). Machine Learning. McGraw-Hill, sections 10.2 and 10.3.

    Examples
    --------
    The rule list of the algorithm in the book, with entropy as its measure:

    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(RuleLearner(measure="entropy", ordered=True).fit(X, y).hypothesis_)
    IF Outlook = Overcast THEN Yes (4/4)
    IF Temperature = Hot THEN No (2/2)
    IF Humidity = Normal AND Outlook = Sunny THEN Yes (2/2)
    IF Outlook = Sunny THEN No (1/1)
    IF Wind = Weak THEN Yes (3/3)
    DEFAULT No (2/2)
    """

    left_out = ""
    parameters: ClassVar[Declared] = {
        "measure": choice("PERFORMANCE of a rule.", *MEASURES),
        "m": number(
            "m of the m-estimate: weight of the training class frequencies, in examples.", at_least=0
        ),
        "ordered": truth("Whether rules form a list whose first applicable rule decides; if not, they vote."),
        "covering": choice(
            "Covering strategy: one rule at a time, or all at once as the leaves of a tree.", *COVERING
        ),
        "direction": choice("Direction of the search for a rule.", *DIRECTIONS),
        "search": choice("Candidate tests: all, or those that an uncovered example passes.", *SEARCHES),
        "judge_on": choice(
            "Examples for evaluating a rule: the uncovered ones ('left'), or all.", "left", "all"
        ),
        "beam_width": whole("Beam width: number of conjunctions kept at each step.", at_least=1),
        "ties": choice("Choice among rules of equal performance.", "first", "coverage"),
        "min_coverage": number(
            "Minimum weight of the examples that a rule covers; None uses 1, or 1 in 250 of large tables.",
            at_least=0,
            none=True,
        ),
        "significance": number(
            "Significance level of the likelihood-ratio test for rules; None disables the test.",
            above=0,
            below=1,
            none=True,
        ),
        "threshold": number("Performance that a rule must exceed; None sets no limit.", none=True),
        "pruning": choice("Pruning or stopping rule; None disables it.", *PRUNINGS, none=True),
        "validation_fraction": number("Fraction of the examples held out for pruning.", above=0, below=1),
        "nominal": choice("Tests on nominal attributes.", "equal", "not-equal", "sets"),
        "target_class": anything("Class to learn rules for; None learns all classes.", "a class", none=True),
    }

    def __init__(
        self,
        *,
        measure: str = "laplace",
        m: float = 2.0,
        ordered: bool = False,
        covering: str = "sequential",
        direction: str = "general-to-specific",
        search: str = "generate-and-test",
        judge_on: str = "left",
        beam_width: int = 5,
        ties: str = "first",
        max_length: int | None = None,
        max_rules: int | None = None,
        min_coverage: float | None = 1,
        significance: float | None = None,
        threshold: float | None = None,
        pruning: str | None = None,
        validation_fraction: float = 1 / 3,
        nominal: str = "equal",
        target_class: Any = None,
        require: Iterable[Any] = (),
        forbid: Iterable[Any] = (),
        monotone: Mapping[str, str] | None = None,
        rules: Iterable[Any] = (),
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.measure = measure
        self.m = m
        self.ordered = ordered
        self.covering = covering
        self.direction = direction
        self.search = search
        self.judge_on = judge_on
        self.beam_width = beam_width
        self.ties = ties
        self.max_length = max_length
        self.max_rules = max_rules
        self.min_coverage = min_coverage
        self.significance = significance
        self.threshold = threshold
        self.pruning = pruning
        self.validation_fraction = validation_fraction
        self.nominal = nominal
        self.target_class = target_class
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
        targets = self._targets(problem)
        premises = self._premises(problem, targets)
        if self.target_class is not None:
            counts = problem.counts()
            counts[targets[0]] = -1
            return problem.ordered_list(premises, int(counts.argmax()))
        if self.ordered or self.covering == "simultaneous":
            return problem.ordered_list(premises)
        return problem.voting_list(premises)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.measure == "foil-gain" and self.ordered:
            raise InputError("measure='foil-gain' needs rules for a given class; set ordered=False")

    def _targets(self, problem: Problem) -> list[int]:
        """Return the classes to learn rules for; -1 stands for a list of all of them."""
        if self.target_class is None:
            # the remaining rows of the majority class need no rules of their own only if the rules form a
            # list
            return [-1] if self.ordered else list(range(len(problem.classes)))
        return [problem.classes.index(class_named(self.target_class, problem.classes, "target_class"))]

    def _premises(self, problem: Problem, targets: list[int]) -> list[Premise]:
        if self.covering == "simultaneous":
            return leaves(problem)
        coded = Coded(problem)
        grow, held = self._divided(problem)
        search = self._search(coded, problem)
        required = tuple(
            test
            for item in self.require
            for test in tests_of(condition_of(item, problem.schema, "require"), coded)
        )
        expert = given_rules(self.rules, problem.schema, problem.classes)
        most = np.inf if self.max_rules is None else self.max_rules
        found: list[Premise] = []
        with interruptible(found):
            for step, target in enumerate(targets):
                cover = Cover(coded, search, grow, held, target, required)
                given = [rule for rule in expert if target in (-1, rule[1])]
                n_own = int(cover.uncovered.sum())
                for rule, head in cover.rules(self.threshold, self._from_expert(cover, given)):
                    found.append((coded.conditions(rule.tests), head))
                    report((step + 1 - int(cover.uncovered.sum()) / n_own) / len(targets))
                    if len(found) >= most:
                        return found
        return found

    def _from_expert(self, cover: Cover, given: list[Premise]) -> Iterator[tuple[State, int]]:
        """Refine the rules of an expert one at a time."""
        for conditions, head in given:
            tests = tuple(test for condition in conditions for test in tests_of(condition, cover.coded))
            rule = cover.refined(tests, head)
            if not rule.covered:
                note(
                    f"no example is left for the rule {' AND '.join(map(str, conditions))!r}; it is kept as given"
                )
            yield rule, head

    def _search(self, coded: Coded, problem: Problem) -> RuleSearch:
        critical = 0.0
        if self.significance is not None and len(problem.classes) > 1:
            from scipy.stats import chi2

            # a rule of a set is compared by its class and the rest, and a rule of a list by all classes
            in_list = self.ordered and self.target_class is None
            critical = float(chi2.isf(self.significance, len(problem.classes) - 1 if in_list else 1))
        task = _loops.Task(
            measure=MEASURES[self.measure],
            target=-1,
            seed=-1,
            not_equal=self.nominal == "not-equal",
            m=float(self.m),
            base=0.0,
            lightest=self._lightest(problem),
            largest_prior=float(problem.counts().max() / problem.counts().sum()),
            significant=critical > 0,
            weighted=problem.examples.weights is not None,
            tied=self.ties == "coverage",
        )
        limits = limits_of(
            coded, problem.schema, problem.classes, self.forbid, self.monotone, critical, self.max_length
        )
        return RuleSearch(
            task,
            replace(limits, sets=self.nominal == "sets"),
            width=self.beam_width,
            ties=self.ties,
            seeded=self.search == "example-driven",
            upwards=self.direction == "specific-to-general",
            on_all=self.judge_on == "all",
            priced=self.pruning == "description-length",
            least_new=task.lightest * LEAST_NEW if self.min_coverage is None and task.lightest > 1 else 0.0,
            random=generator(self.random_state),
        )

    def _lightest(self, problem: Problem) -> float:
        """Return the minimum weight that a rule must cover.

        In a large table, where noise makes exact rules tiny, a rule for only a few rows does not pay.
        """
        if self.min_coverage is not None:
            return float(self.min_coverage)
        total = float(problem.counts().sum())
        return total * LEAST_SHARE if total > LARGE else 1.0

    def _divided(self, problem: Problem) -> tuple[Mask, Mask]:
        """Return the rows for growing and the rows for pruning."""
        grow = np.ones(len(problem.labels), np.bool_)
        if self.pruning == "reduced-error":
            grow[held_out(problem.labels, self.validation_fraction, self.random_state)[1]] = False
        return grow, ~grow


def leaves(problem: Problem) -> list[Premise]:
    """Return the paths to the leaves of a tree that fits all examples (simultaneous covering)."""
    rule = GrowthRule(measure="gain", missing="fractional")
    tree = grow(problem.examples, problem.schema, problem.target, problem.classes, rule, report)
    return [
        (simplified(path), int(tree.majority[leaf]))
        for leaf, path in tree.paths()
        if path and tree.counts[leaf].sum() > 0
    ]
