"""Utility of control rules: decisions saved minus the cost of matching (Minton 1988; Mitchell §11.4).

Costs are counted in planner decisions, not in seconds, so that the same problems always yield the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from induce.core.ties import first_smallest, is_less
from induce.planning.control import ControlRule
from induce.planning.domains import PlanningProblem
from induce.planning.grounding import Task
from induce.planning.matching import Matcher
from induce.planning.means_ends_search import Record, search
from induce.statistics.intervals import t_mean

TEST_COST = 0.3
"""Measured cost of testing a rule on a cached choice, in decisions; the following four are measured likewise."""
MATCH_COST = 3.0
"""Cost of matching a rule with a choice for the first time."""
LOOK_COST = 0.5
"""Cost of examining a fact during matching. Conditions that join facts examine more facts in larger problems."""
FACT_COST = 1.0
"""Cost of preparing one fact of a problem for the rules."""
ASK_COST = 0.25
"""Cost of consulting the rules at a decision, whether or not one applies."""

UNSOLVED = 10
"""Penalty factor on the decisions of a search that finds no plan."""

Thing = TypeVar("Thing")
Searched = TypeVar("Searched", bound="Worked")


@dataclass(frozen=True)
class Run:
    """Search with rules, and its costs.

    Parameters
    ----------
    record : Record
    costs : tuple of float
        Matching cost of each rule.
    used : tuple of int
        Number of choices decided by each rule.
    setup : float
        Cost that does not depend on the individual rules: preparing the problem for rules, and consulting
        them.
    """

    record: Record
    costs: tuple[float, ...]
    used: tuple[int, ...]
    setup: float

    @property
    def work(self) -> float:
        """Number of decisions plus the cost of matching."""
        return self.decisions + sum(self.costs) + self.setup

    @property
    def decisions(self) -> int:
        """Number of decisions; a search without a plan is penalised as if it had run much longer."""
        made = len(self.record.decisions)
        return made if self.record.solution >= 0 else UNSOLVED * made


def run(rules: Sequence[ControlRule], problem: PlanningProblem, task: Task, max_nodes: int) -> Run:
    """Search for a plan with rules, and measure their costs."""
    if not rules:
        return Run(search(task, None, max_nodes)[0], (), (), 0.0)
    matcher = Matcher(rules, problem, task)
    record, _ = search(task, matcher, max_nodes)
    costs = [
        TEST_COST * tests + MATCH_COST * matched + LOOK_COST * looked
        for tests, matched, looked in zip(matcher.n_tests, matcher.n_matched, matcher.n_looked, strict=True)
    ]
    setup = FACT_COST * len(task.facts) + ASK_COST * len(record.decisions)
    return Run(record, tuple(costs), tuple(matcher.n_used), setup)


def expected_cost(rule: ControlRule, record: Record, n_things: int) -> float:
    """Return the estimated cost of matching a rule in a search.

    A variable bound by neither the goal nor the choice may take each object of the problem.
    """
    goal, task = rule.goal_literal, record.task
    wanted = None if rule.kind == "before" else rule.chosen[0]
    found = {
        (one.goal, one.action)
        for one in record.decisions
        if one.goal >= 0
        and task.facts[one.goal // 2].name == goal.name
        and wanted in (None, task.actions[one.action].operator)
    }
    told = {*goal.variables(), *(rule.first.arguments if wanted is None else rule.chosen[1])}
    free = {each for one in rule.held for each in one.variables()} - told
    return MATCH_COST * len(found) * float(n_things) ** len(free)


def analysed(
    rules: Sequence[ControlRule],
    problems: Sequence[tuple[PlanningProblem, Task]],
    max_nodes: int,
) -> tuple[ControlRule, ...]:
    """Return the rules with positive utility, with their records.

    Parameters
    ----------
    rules : sequence of ControlRule
    problems : sequence of (PlanningProblem, Task)
    max_nodes : int
    """

    def runs(some: Sequence[ControlRule]) -> list[Run]:
        return [run(some, problem, task, max_nodes) for problem, task in problems]

    kept, current, left_out = remembered(rules, runs)
    return tuple(_measured(rule, place, current, left_out[place]) for place, rule in enumerate(kept))


class Worked(Protocol):
    """Search with a known cost."""

    @property
    def work(self) -> float:
        """Number of nodes plus the cost of the learned rules or macros."""


def total(runs: Iterable[Worked]) -> float:
    """Return the total cost of the searches."""
    return sum(one.work for one in runs)


def remembered(
    learned: Sequence[Thing], runs: Callable[[Sequence[Thing]], list[Searched]]
) -> tuple[list[Thing], list[Searched], list[list[Searched]]]:
    """Return the items with positive utility, the searches with all of them, and the searches without each of them.

    The item whose removal reduces the cost most is removed, until each item saves more than it costs. If the
    rest costs more than no items at all, none is kept.

    Parameters
    ----------
    learned : sequence
        Rules or macros.
    runs : function
        Function that returns searches of the same problems with a subset of the items.
    """
    kept, current = [*learned], runs(learned)
    left_out: list[list[Searched]] = []
    while kept:
        left_out = [runs(kept[:place] + kept[place + 1 :]) for place in range(len(kept))]
        works = [*map(total, left_out)]
        worst = first_smallest(works)
        if is_less(total(current), works[worst]):
            break
        del kept[worst]
        current = left_out[worst]
    if not kept or not is_less(total(current), total(runs(()))):
        return [], [], []
    return kept, current, left_out


def _measured(rule: ControlRule, place: int, current: Sequence[Run], without: Sequence[Run]) -> ControlRule:
    """Return a rule with its record: the additional cost of the searches without it.

    Its savings are decisions, and what these would cost in matching and consulting the other rules. Costs
    shared by all rules count against a rule only if it is the only one.
    """
    costs = np.array([one.costs[place] for one in current])
    net = np.array([b.work - a.work for a, b in zip(current, without, strict=True)], float)
    return replace(
        rule,
        n_used=sum(one.used[place] for one in current),
        saved=float((net + costs).mean()),
        cost=float(costs.mean()),
        utility=float(net.mean()),
        margin=margin(net),
    )


def margin(values: Sequence[float] | NDArray[np.float64]) -> float:
    """Return the half-width of the 95 % interval of a mean; 0 if all values are equal."""
    if len(values) < 2 or np.ptp(values) == 0:
        return 0.0
    interval = t_mean(np.asarray(values))
    return float(interval.high - interval.low) / 2
