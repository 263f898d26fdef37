"""Utility of macro-operators: nodes saved minus the cost of using them (Minton 1985; Mitchell §11.5).

Costs are counted in applicability tests of actions in states, not in seconds, so that the same problems
always yield the same macros. Reports convert them to nodes of the search without macros.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import log1p

import numpy as np

from induce.analytical.control.utility import UNSOLVED, margin, remembered, total
from induce.core.ties import first_smallest, is_less
from induce.planning.domains import PlanningProblem
from induce.planning.grounding import Task
from induce.planning.macro_operators import Macro, macro_of, with_macros
from induce.planning.means_ends_search import means_ends
from induce.planning.plans import Plan, Step
from induce.planning.search import best_first, breadth_first


@dataclass(frozen=True)
class Prices:
    """Measured costs of a search algorithm, in applicability tests of an action in a state.

    Parameters
    ----------
    search : function of a task and a number of nodes
    evaluation : float
        Cost of generating a state, per action of the domain.
    instance : float
        Cost of instantiating a macro before the search.
    nodes : int
        Number of nodes per training problem that takes about a second.
    """

    search: Callable[[Task, int], Plan]
    evaluation: float
    instance: float
    nodes: int


GROUND = 5.0
"""Cost of grounding a domain action, in macro instances."""
SEARCHES = {
    "best-first": Prices(lambda task, nodes: best_first(task, max_nodes=nodes), 4.0, 75.0, 500),
    # measured on the plain loop: compilation must not change what is learned
    "breadth-first": Prices(breadth_first, 0.1, 75.0, 100_000),
    # a decision tests the actions of only one goal
    "means-ends": Prices(lambda task, nodes: means_ends(task, max_nodes=nodes), 0.0, 200.0, 2_000),
}


@dataclass(frozen=True)
class Trial:
    """Search with macros, and its costs.

    Parameters
    ----------
    plan : Plan
    nodes : float
        Number of nodes; a search without a plan is penalised as if it had run much longer.
    spent : float
        Nodes, macro costs and setup costs, in nodes of the search without macros.
    """

    plan: Plan
    nodes: float
    spent: float

    @property
    def work(self) -> float:
        """Logarithm of the cost, so that one hard problem does not outweigh all others."""
        return log1p(self.spent)


class Trials:
    """Searches of the same problems with different macros.

    Parameters
    ----------
    search : str
    tasks : sequence of Task
    max_nodes : int
    """

    def __init__(self, search: str, tasks: Sequence[Task], max_nodes: int) -> None:
        self.prices, self.tasks, self.max_nodes = SEARCHES[search], tasks, max_nodes
        self.known: dict[tuple[str, ...], list[Trial]] = {}
        self.units = [1.0] * len(tasks)
        self.units = [
            len(task.actions) * (1 + self.prices.evaluation * one.plan.generated / max(1, one.plan.expanded))
            for task, one in zip(tasks, self.run(()), strict=True)
        ]
        self.known.clear()

    def run(self, macros: Sequence[Macro]) -> list[Trial]:
        """Search for a plan for each problem."""
        key = tuple(sorted(one.name for one in macros))
        if key not in self.known:
            self.known[key] = [self._tried(place, macros) for place in range(len(self.tasks))]
        return self.known[key]

    def _tried(self, place: int, macros: Sequence[Macro]) -> Trial:
        task = self.tasks[place]
        wider = with_macros(task, macros)
        plan = self.prices.search(wider, self.max_nodes)
        factor = 1 if plan else UNSOLVED
        n_own, n_all = len(task.actions), len(wider.actions)
        tests = factor * (plan.expanded * n_all + self.prices.evaluation * n_own * plan.generated)
        tests += self.prices.instance * (GROUND * n_own + n_all - n_own)
        return Trial(plan, factor * plan.expanded, tests / self.units[place])


def paying(macros: Sequence[Macro], trials: Trials) -> tuple[Macro, ...]:
    """Return the macros with positive utility, with their records.

    The macro that reduces the work most is added, as long as the work decreases; then macros made redundant
    by the others are removed. No macro is kept unless the improvement over the search without macros is
    significant.
    """
    taken: list[Macro] = []
    left, work = [*macros], total(trials.run(()))
    while left:
        works = [total(trials.run([*taken, one])) for one in left]
        best = first_smallest(works)
        if not is_less(works[best], work):
            break
        taken.append(left.pop(best))
        work = works[best]
    kept, current, left_out = remembered(taken, trials.run)
    gained = [b.work - a.work for a, b in zip(current, trials.run(()), strict=False)]
    if not is_less(len(gained) * margin(gained), sum(gained), scale=total(current)):
        return ()
    return tuple(_measured(one, current, left_out[place]) for place, one in enumerate(kept))


def _measured(macro: Macro, current: Sequence[Trial], without: Sequence[Trial]) -> Macro:
    """Return a macro with its record: the additional cost of the searches without it."""
    saved = np.array([b.nodes - a.nodes for a, b in zip(current, without, strict=True)], float)
    net = np.array([b.spent - a.spent for a, b in zip(current, without, strict=True)], float)
    return replace(
        macro,
        n_used=sum(one.plan.macros.count(macro.name) for one in current),
        saved=float(saved.mean()),
        cost=float((saved - net).mean()),
        utility=float(net.mean()),
        margin=margin(net),
    )


def met(
    problem: PlanningProblem, task: Task, plan: Plan, search: str, max_steps: int
) -> dict[tuple[str, ...], Macro]:
    """Return the macros of a plan, each with the savings and the cost it would have had in the search.

    A macro of k steps saves k - 1 steps at each occurrence in the plan. The number of nodes is assumed to
    grow exponentially with plan length: saving a quarter of the steps raises it to the power 3/4. Each
    instance of the macro must be created, and tested in every state.
    """
    assert plan.steps is not None
    found: dict[tuple[str, ...], Macro] = {}
    free: dict[tuple[str, ...], int] = {}
    for first, steps in windows(plan.steps, max_steps):
        macro = macro_of(problem, steps)
        before = found.setdefault(macro.steps, macro)
        if first >= free.get(macro.steps, 0):
            found[macro.steps] = replace(before, n_seen=before.n_seen + 1)
            free[macro.steps] = first + len(steps)
    prices = SEARCHES[search]
    node = 1 + prices.evaluation * plan.generated / max(1, plan.expanded)
    for key, macro in found.items():
        n_new = len(with_macros(task, [macro]).actions) - len(task.actions)
        # a macro without an instance of its own duplicates another action
        share = macro.n_seen * (len(macro.steps) - 1) / len(plan) if n_new else 0.0
        left = float(plan.expanded) ** (1 - share)
        cost = n_new / len(task.actions) * (left + prices.instance) / node
        found[key] = replace(macro, saved=plan.expanded - left, cost=cost)
    return found


def windows(steps: Sequence[Step], max_steps: int) -> Iterator[tuple[int, Sequence[Step]]]:
    """Yield the subsequences of two or more consecutive steps of a plan, with their positions."""
    for first in range(len(steps)):
        for behind in range(first + 2, min(first + max_steps, len(steps)) + 1):
            yield first, steps[first:behind]
