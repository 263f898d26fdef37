"""The covering loop of propositional rule learners, for one class or for all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.covering import learn_one_rule, sequential_covering
from induce.rules import _loops
from induce.rules.encoding import Coded, State, Test
from induce.rules.generalisation import Generalisations
from induce.rules.measures import performance
from induce.rules.pruning import price_of_a_test, pruned
from induce.rules.space import Conjunctions, Limits, Rest

Mask = NDArray[np.bool_]

PATIENCE = 5
"""Number of consecutive seeds without a worthwhile rule after which no more rules are sought for a class."""


@dataclass(frozen=True)
class RuleSearch:
    """Settings of the search for one rule (the design choices of Mitchell §10.3)."""

    task: _loops.Task
    limits: Limits
    width: int
    ties: str
    seeded: bool
    upwards: bool
    on_all: bool
    random: np.random.Generator
    priced: bool = False
    least_new: float = 0.0

    def remembers(self, target: int) -> bool:
        """Return whether cached scores of a state stay valid as long as no rule removes a row of it."""
        same_measure = self.task.measure != _loops.FOIL_GAIN and bool(self.limits.may.all())
        same_test = target >= 0 or not self.task.significant
        return same_measure and same_test and not (self.seeded or self.on_all)

    def by_positives(self) -> bool:
        """Return whether the first test depends only on a class's own rows and the weights of the others."""
        generates = not (self.upwards or self.seeded or self.on_all)
        # rows of other classes can at most help a rule to cover enough
        light = self.task.lightest <= (0.0 if self.task.weighted else 1.0)
        return generates and light and self.task.measure != _loops.ENTROPY and not self.limits.sets


class Cover:
    """The search for the rules of one class, or of a list for all classes.

    Parameters
    ----------
    coded : Coded
        Encoded training table.
    search : RuleSearch
        Settings of the search for one rule.
    rows, held : array of bool
        Growing rows and pruning rows; the latter are empty if rules are not pruned.
    target : int
        The class of all rules, or -1, for which each rule predicts the most frequent class of its covered
        rows.
    required : tuple of Test
        Tests that every rule must contain.
    """

    def __init__(
        self,
        coded: Coded,
        search: RuleSearch,
        rows: Mask,
        held: Mask,
        target: int,
        required: tuple[Test, ...] = (),
    ) -> None:
        self.coded, self.search, self.target, self.required = coded, search, target, required
        everything = coded.everything()
        self.root = coded.only(everything, rows)
        self.held = coded.only(everything, held) if held.any() else None
        self.prior = self.root.counts / self.root.covered
        self.uncovered: Mask = rows & (coded.labels == target) if target >= 0 else rows.copy()
        self.rest: Rest | None = None
        self._seen: dict[int, State] = {}
        if target >= 0 and search.by_positives() and coded.n_classes > 1 and not required:
            self.rest = Rest.of(coded, rows & ~self.uncovered)
            self.positives = coded.only(everything, self.uncovered)

    def left(self) -> bool:
        """Return whether some example still needs a rule."""
        return bool(self.uncovered.any())

    def remove(self, rule: State) -> bool:
        """Remove the examples that a rule covers: all of them for a list, otherwise only the rows of its class."""
        covered = np.zeros(len(self.coded), np.bool_)
        covered[rule.rows] = True
        gone = covered & self.uncovered
        self.uncovered &= ~covered
        if not self.search.on_all:
            self.root = self.coded.only(self.root, ~gone)
            if self.rest is not None:
                self.positives = self.coded.only(self.positives, ~gone)
            if self.held is not None:
                self.held = self.coded.only(self.held, ~self._settled(rule))
        return bool(gone.any())

    def rules(
        self, threshold: float | None, given: Iterator[tuple[State, int]]
    ) -> Iterator[tuple[State, int]]:
        """Yield rules one at a time, each with its predicted class; given rules come first."""
        for rule, head in given:
            self.remove(rule)
            yield rule, head
        heads: list[int] = []

        def found() -> State | None:
            space = self._space(self.target, self.required)
            rule = learn_one_rule(space, self.search.width)
            if rule is None or len(rule.tests) <= len(self.required):
                return None
            head = space.head(rule)
            if self.held is not None:
                task = self.search.task._replace(target=head)
                rule = pruned(self.coded, rule, self.root, self.held, task, self.prior)
            if self.search.priced and not self._pays(rule):
                return None
            heads.append(head)
            self._tell(rule, head)
            return rule

        def learn() -> State | None:
            for _ in range(PATIENCE if self.search.seeded else 1):
                rule = found()
                if rule is None or self._adds(rule) >= self.search.least_new:
                    return rule
                # the seed may be noise: try another one
                self.uncovered[self.uncovered.argmax()] = False
            return None

        def accept(rule: State) -> bool:
            return threshold is None or self._performance(rule, heads[-1]) > threshold

        for rule in sequential_covering(self, learn, accept):
            yield rule, heads[-1]

    def refined(self, tests: tuple[Test, ...], head: int) -> State:
        """Return the best rule for a class that starts with given tests, or these tests if none is better."""
        space = self._space(head, tests)
        rule = learn_one_rule(space, self.search.width)
        if rule is None:
            return space.start()[0]
        self._tell(rule, head)
        return rule

    def _space(self, target: int, begin: tuple[Test, ...]) -> Conjunctions | Generalisations:
        """Return the search space for the next rule."""
        search = self.search
        # cached states apply to rules of one kind: an expert's rules have their own class
        remembers = target == self.target and search.remembers(target)
        fresh = np.where(self.uncovered & (search.ties == "coverage"), self.coded.weights, 0.0)
        root = replace(self.root, tie=float(fresh[self.root.rows].sum()), steps={})
        seed = int(self.uncovered.argmax()) if search.seeded and not search.upwards else -1
        target = int(self.coded.labels[seed]) if seed >= 0 and target < 0 else target
        shares = root.counts / root.covered
        base = np.log2(shares[target]) if target >= 0 and shares[target] > 0 else 0.0
        task = search.task._replace(target=target, seed=seed, base=float(base))
        if search.upwards:
            return Generalisations(
                self.coded, task, self.prior, fresh, search.limits, root, self.uncovered, search.random
            )
        start = root
        for test in begin:
            start = self.coded.take(start, test, fresh)
        # a rule of a list must differ from the remaining examples, and a rule of a set from the whole table
        expected = shares if self.target < 0 else self.prior
        rest = (self.rest, self.positives) if self.rest is not None and not begin else None
        before = self._seen if remembers else None
        space = Conjunctions(
            self.coded, task, self.prior, expected, fresh, search.limits, start, rest, before
        )
        if remembers:
            self._seen = space.seen
        return space

    def _adds(self, rule: State) -> float:
        """Return the weight of the examples that no earlier rule covers."""
        fresh = rule.rows[self.uncovered[rule.rows]]
        return float(self.coded.weights[fresh].sum())

    def _pays(self, rule: State) -> bool:
        """Return whether a rule's likelihood gain exceeds the description length of its tests."""
        shares = self.root.counts / self.root.covered
        gain = _loops.likelihood_ratio(rule.counts, shares, self.target)
        return gain >= len(rule.tests) * price_of_a_test(self.coded)

    def _settled(self, rule: State) -> Mask:
        """Return the rows of the whole table that a rule removes from the pruning set."""
        assert self.held is not None
        state = replace(self.held, tests=())
        for test in rule.tests:
            state = self.coded.take(state, test)
        settled = np.zeros(len(self.coded), np.bool_)
        settled[state.rows] = True
        return settled & (self.coded.labels == self.target) if self.target >= 0 else settled

    def _performance(self, rule: State, head: int) -> float:
        task = self.search.task._replace(target=head)
        return performance(rule.counts, task, self.prior)[1]

    def _tell(self, rule: State, head: int) -> None:
        if trace.active():
            trace.emit(
                "rule",
                conditions=[*map(str, self.coded.conditions(rule.tests))],
                prediction=self.coded.classes[head],
                counts=rule.counts.tolist(),
            )
