"""Forward search for plans."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Literal as OneOf

import numpy as np

from induce.core.errors import InputError
from induce.core.loops import call_wrapping
from induce.core.progress import report
from induce.planning import _loops
from induce.planning.domains import PlanningProblem
from induce.planning.grounding import Task, ground
from induce.planning.plans import Plan

NODES_A_CALL = 2_000
"""Number of states expanded per call of the loop; Ctrl-C is checked between calls."""


def breadth_first(problem: PlanningProblem | Task, max_nodes: int = 1_000_000) -> Plan:
    """Return a shortest plan.

    Parameters
    ----------
    problem : PlanningProblem or Task
        Problem, or a task from `induce.planning.grounding.ground`.
    max_nodes : int, default=1_000_000
        Maximum number of states to expand.

    Examples
    --------
    >>> from induce.planning.domains import BLOCKS
    >>> from induce.planning.pddl import read_domain, read_problem
    >>> tower = read_problem(
    ...     "(define (problem two) (:domain blocks) (:objects a b)"
    ...     " (:init (ontable a) (ontable b) (clear a) (clear b) (handempty)) (:goal (on a b)))",
    ...     read_domain(BLOCKS),
    ... )
    >>> print(breadth_first(tower))
    (pick-up a)
    (stack a b)
    """
    task = begin(problem, max_nodes)
    if task.reached(task.initial) and task.solvable:
        return Plan((), 0, 1)
    if not task.solvable:
        return Plan(None, 0, 1)
    masks = task.masks
    room = max(1 << 10, 4 * len(task.actions) + 2)
    states = np.zeros((room, task.n_words), np.uint64)
    parents, via = np.full(room, -1, np.int64), np.full(room, -1, np.int64)
    slots = np.full(1 << (4 * room - 1).bit_length(), -1, np.int64)
    goal = np.array([task.words(task.goal), task.words(task.avoided)], np.uint64)
    states[0] = task.words(task.initial)
    counters = np.array([1, 0], np.int64)
    work = max(1, len(task.actions)) * task.n_words
    call_wrapping(_loops.rehash, 1, states, slots, 1)
    while True:
        nodes = min(NODES_A_CALL, max_nodes - int(counters[1]))
        before = int(counters[1])
        steps = work * min(nodes, int(counters[0]) - before)
        found = call_wrapping(_loops.expand, steps, states, parents, via, slots, counters, masks, goal, nodes)
        met, done = counters.tolist()
        if found >= 0:
            return task.plan(_numbers(parents, via, found), done, met)
        if done == met:
            return Plan(None, done, met)
        if done >= max_nodes:
            return Plan(None, done, met, complete=False)
        report(done / max_nodes)
        if met + len(task.actions) >= len(states):
            room = 2 * len(states)
            states = np.concatenate([states, np.zeros_like(states)])
            parents, via = (np.concatenate([one, np.full_like(one, -1)]) for one in (parents, via))
            slots = np.full(2 * len(slots), -1, np.int64)
            call_wrapping(_loops.rehash, met * task.n_words, states, slots, met)


def best_first(
    problem: PlanningProblem | Task,
    heuristic: OneOf["additive", "goals"] | Callable[[Task, int], float] = "additive",
    max_nodes: int = 100_000,
) -> Plan:
    """Return a plan found by best-first search; it need not be short.

    Parameters
    ----------
    problem : PlanningProblem or Task
        Problem, or a task from `induce.planning.grounding.ground`.
    heuristic : {"additive", "goals"} or function of a task and a state, default="additive"
        Estimate of the cost to the goal: the sum of the goal costs if nothing is ever deleted ("additive"),
        or the number of unsatisfied goals ("goals").
    max_nodes : int, default=100_000
        Maximum number of states to expand.
    """
    task = begin(problem, max_nodes)
    if not task.solvable:
        return Plan(None, 0, 1)
    if task.reached(task.initial):
        return Plan((), 0, 1)
    estimate = _estimate(task, heuristic)
    before: dict[int, tuple[int, int] | None] = {task.initial: None}
    order = count()
    waiting = [(estimate(task.initial), next(order), task.initial)]
    expanded = 0
    while waiting and expanded < max_nodes:
        cost, _, state = heapq.heappop(waiting)
        if cost == np.inf:
            continue
        expanded += 1
        if not expanded % 100:
            report(expanded / max_nodes)
        for number, action in enumerate(task.actions):
            if not action.applies(state):
                continue
            new = action.after(state)
            if new in before:
                continue
            before[new] = state, number
            if task.reached(new):
                return task.plan(_way(before, new), expanded, len(before))
            heapq.heappush(waiting, (estimate(new), next(order), new))
    return Plan(None, expanded, len(before), complete=not waiting)


def _estimate(task: Task, heuristic: str | Callable[[Task, int], float]) -> Callable[[int], float]:
    if callable(heuristic):
        return partial(heuristic, task)
    if heuristic not in ("additive", "goals"):
        raise InputError(f"heuristic is {heuristic!r}; give 'additive', 'goals' or a function")
    return Additive(task) if heuristic == "additive" else _Goals(task)


class Additive:
    """Additive heuristic: the sum of the individual goal costs if nothing is ever deleted."""

    def __init__(self, task: Task) -> None:
        self.task = task
        # a macro-operator makes no fact reachable that its steps do not
        self.actions = [
            (places(one.needs), places(one.adds & ~one.needs)) for one in task.actions if not one.parts
        ]
        self.users: list[list[int]] = [[] for _ in task.facts]
        for number, (needs, _) in enumerate(self.actions):
            for fact in needs:
                self.users[fact].append(number)
        self.goals = places(task.goal)

    def __call__(self, state: int) -> float:
        costs = [np.inf] * len(self.task.facts)
        left = [len(needs) for needs, _ in self.actions]
        sums = [1.0] * len(self.actions)
        queue = [(0.0, fact) for fact in places(state)]
        for _, fact in queue:
            costs[fact] = 0.0
        for needs, adds in self.actions:
            if not needs:
                for fact in adds:
                    if costs[fact] > 1.0:
                        costs[fact] = 1.0
                        queue.append((1.0, fact))
        heapq.heapify(queue)
        closed = 0
        while queue:
            cost, fact = heapq.heappop(queue)
            if cost > costs[fact] or closed >> fact & 1:
                continue
            closed |= 1 << fact
            for number in self.users[fact]:
                left[number] -= 1
                sums[number] += cost
                if left[number]:
                    continue
                for added in self.actions[number][1]:
                    if sums[number] < costs[added]:
                        costs[added] = sums[number]
                        heapq.heappush(queue, (sums[number], added))
        return float(sum(costs[fact] for fact in self.goals))


class _Goals:
    """Number of unsatisfied goals."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def __call__(self, state: int) -> float:
        missing = (self.task.goal & ~state).bit_count()
        return float(missing + (self.task.avoided & state).bit_count())


def begin(problem: PlanningProblem | Task, max_nodes: int) -> Task:
    """Validate the common search arguments and ground the problem."""
    if isinstance(max_nodes, bool) or not isinstance(max_nodes, int) or max_nodes < 1:
        raise InputError(f"max_nodes is {max_nodes!r}; give a whole number of 1 or more")
    return problem if isinstance(problem, Task) else ground(problem)


def places(bits: int) -> list[int]:
    """Return the indices of the set bits."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def _numbers(parents: np.ndarray, via: np.ndarray, last: int) -> list[int]:
    """Return the indices of the actions that lead to a state."""
    found = []
    while parents[last] >= 0:
        found.append(int(via[last]))
        last = int(parents[last])
    return found[::-1]


def _way(before: dict[int, tuple[int, int] | None], last: int) -> list[int]:
    """Return the actions that lead to a state."""
    found = []
    while (link := before[last]) is not None:
        last, number = link
        found.append(number)
    return found[::-1]
