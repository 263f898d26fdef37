"""Means-ends search: choose a goal and an action for it, then achieve the action's preconditions (PRODIGY)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from induce.core import trace
from induce.core.progress import report
from induce.planning.domains import PlanningProblem
from induce.planning.grounding import Task
from induce.planning.plans import Plan
from induce.planning.search import begin, breadth_first, places

ROOT = 0
"""Frame of the top-level goals."""

SECOND_TRY = 10
"""Divisor of the decision limit for the search without advice if the search with advice exhausted the limit.

Such a problem is hard with or without advice, so the full limit would usually be wasted.
"""


class Control(Protocol):
    """Advice for the choices of a search; goals and actions are indices in a task."""

    def goals(self, state: int, pending: list[int]) -> list[int]:
        """Return the unsatisfied goals in the order in which to achieve them."""

    def actions(self, state: int, goal: int, candidates: Sequence[int]) -> Iterable[int]:
        """Yield the actions worth trying for a goal, best first."""


@dataclass(frozen=True)
class Decision:
    """Search node: an action chosen for a goal, or an executed action.

    Parameters
    ----------
    parent : int
        Parent node; -1 for the root.
    state : int
        Facts that are true, as bits.
    frame : int
        Current purpose: `ROOT`, or the action whose preconditions are being achieved.
    goal : int
        Goal that an action was chosen for: twice the index of its fact, plus one if the fact must be false; -1 if the
        action was executed.
    action : int
        Index of the action; -1 for the root.
    """

    parent: int
    state: int
    frame: int
    goal: int
    action: int


@dataclass
class Record:
    """Record of all decisions of a search, in order.

    Parameters
    ----------
    task : Task
    decisions : list of Decision
        Decisions; a node's index is its position in the list. All nodes after a node, up to the next one with
        the same parent, are its descendants.
    frames : list of tuple
        Action, goal, parent frame and pending goals, as a bit set of goal numbers.
    solution : int
        Node in which the goal was reached; -1 if it was not.
    """

    task: Task
    decisions: list[Decision] = field(default_factory=list)
    frames: list[tuple[int, int, int, int]] = field(default_factory=lambda: [(-1, -1, -1, 0)])
    solution: int = -1

    def path(self) -> list[int]:
        """Return the nodes from the root to the goal node; empty if the goal was not reached."""
        found = []
        node = self.solution
        while node >= 0:
            found.append(node)
            node = self.decisions[node].parent
        return found[::-1]

    def wanted(self, frame: int) -> tuple[int, int]:
        """Return the facts that must be true and false for the action of a frame to be applicable."""
        if frame == ROOT:
            return self.task.goal, self.task.avoided
        action = self.task.actions[self.frames[frame][0]]
        return action.needs, action.forbids

    def missing(self, state: int, frame: int) -> list[int]:
        """Return the goals of a frame that are not satisfied in a state."""
        needs, forbids = self.wanted(frame)
        return [2 * place for place in places(needs & ~state)] + [
            2 * place + 1 for place in places(forbids & state)
        ]

    def actions(self) -> list[int]:
        """Return the actions executed on the path to the goal."""
        done = [self.decisions[node] for node in self.path()]
        return [one.action for one in done if one.goal < 0 and one.action >= 0]


def means_ends(
    problem: PlanningProblem | Task, control: Control | None = None, max_nodes: int = 100_000
) -> Plan:
    """Return a plan found by backward chaining from the goals; it need not be short.

    The search chooses an unsatisfied goal and an action that achieves it. It achieves the preconditions of
    that action in the same way until the action can be executed, and backtracks over every choice. A branch
    ends at a goal that is needed to achieve itself, or at a state visited before with the same pending goals.
    If no choice remains, `breadth_first` decides whether there is a plan, because some problems require
    interleaving the work on their goals.

    Parameters
    ----------
    problem : PlanningProblem or Task
        Problem, or a task from `induce.planning.grounding.ground`.
    control : Control, optional
        Advice at each choice, such as rules learned by `induce.SearchControl`. If no plan is found with advice, the
        search is repeated without it; if `max_nodes` was exhausted, with a tenth of the limit.
    max_nodes : int, default=100_000
        Maximum number of decisions of a search.

    Examples
    --------
    >>> from induce.planning.problems import random_problem
    >>> print(means_ends(random_problem("blocks", 3)))
    (unstack b1 b3)
    (put-down b1)
    (unstack b3 b2)
    (put-down b3)
    (pick-up b1)
    (stack b1 b2)
    (pick-up b3)
    (stack b3 b1)
    """
    task = begin(problem, max_nodes)
    if not task.solvable:
        return Plan(None, 0, 1)
    record, exhausted, nodes = advised_search(task, control, max_nodes)
    if record.solution >= 0:
        return task.plan(record.actions(), nodes, nodes)
    if not exhausted:
        return Plan(None, nodes, nodes, complete=False)
    rest = breadth_first(task, max_nodes)
    return replace(rest, expanded=nodes + rest.expanded, generated=nodes + rest.generated)


def advised_search(task: Task, control: Control | None, max_nodes: int) -> tuple[Record, bool, int]:
    """Search with advice, and without it if no plan is found.

    Returns
    -------
    tuple of Record, bool and int
        The last search, whether a search without advice was exhaustive, and the total number of decisions.
    """
    control = control or None  # without learned rules there is no advice, and no second search is needed
    record, exhausted = search(task, control, max_nodes)
    nodes = len(record.decisions)
    if control is not None and record.solution < 0:
        record, exhausted = search(task, None, max_nodes if exhausted else max(1, max_nodes // SECOND_TRY))
        nodes += len(record.decisions)
    return record, exhausted, nodes


def search(task: Task, control: Control | None, max_nodes: int) -> tuple[Record, bool]:
    """Return the decisions of one search, and whether it was exhaustive."""
    run = _Search(task, control)
    exhausted = run.go(max_nodes)
    return run.record, exhausted


class _Search:
    """Depth-first search over pairs of a state and the pending goals."""

    def __init__(self, task: Task, control: Control | None) -> None:
        self.task, self.control = task, control
        self.record = Record(task)
        self.frame_numbers: dict[tuple[int, int, int], int] = {}
        self.closed: set[tuple[int, int]] = set()
        self.achievers: dict[int, list[int]] = {}
        for number, action in enumerate(task.actions):
            for place in places(action.adds & ~action.needs):
                self.achievers.setdefault(2 * place, []).append(number)
            for place in places(action.deletes):
                self.achievers.setdefault(2 * place + 1, []).append(number)

    def go(self, max_nodes: int) -> bool:
        record, decisions = self.record, self.record.decisions
        open_nodes = [self._enter(-1, self.task.initial, ROOT, -1, -1)]
        tracing = trace.active("choose")
        while open_nodes:
            children = open_nodes[-1]
            child = next(children, None)
            if child is None:
                open_nodes.pop()
                continue
            parent, state, frame, goal, action = child
            if (state, frame) in self.closed:
                continue
            if len(decisions) >= max_nodes:
                return False
            if not len(decisions) % 100:
                report(len(decisions) / max_nodes)
            if tracing:
                self._tell(goal, action)
            open_nodes.append(self._enter(parent, state, frame, goal, action))
            if frame == ROOT and self.task.reached(state):
                record.solution = len(decisions) - 1
                return True
        return True

    def _enter(
        self, parent: int, state: int, frame: int, goal: int, action: int
    ) -> Iterator[tuple[int, int, int, int, int]]:
        node = len(self.record.decisions)
        self.record.decisions.append(Decision(parent, state, frame, goal, action))
        self.closed.add((state, frame))
        if parent < 0 and self.task.reached(state):
            self.record.solution = node
            return iter(())
        return self._children(node, state, frame)

    def _children(self, node: int, state: int, frame: int) -> Iterator[tuple[int, int, int, int, int]]:
        action, _, below, under_way = self.record.frames[frame]
        pending = self.record.missing(state, frame)
        if not pending:
            yield node, self.task.actions[action].after(state), below, -1, action
            return
        if any(under_way >> goal & 1 for goal in pending):
            return  # a goal that is needed to achieve itself
        if self.control is not None and len(pending) > 1:
            pending = self.control.goals(state, pending)
        for goal in pending:
            candidates: Sequence[int] = self.achievers.get(goal, ())
            if len(candidates) > 1:
                candidates = self._ordered(state, candidates)
            advised: Iterable[int] = candidates
            if self.control is not None and candidates:
                advised = self.control.actions(state, goal, candidates)
            for candidate in advised:
                yield node, state, self._frame(candidate, goal, frame, under_way), goal, candidate

    def _ordered(self, state: int, candidates: Sequence[int]) -> list[int]:
        """Sort actions by their number of unsatisfied preconditions."""
        actions = self.task.actions
        return sorted(
            candidates,
            key=lambda one: (
                (actions[one].needs & ~state).bit_count() + (actions[one].forbids & state).bit_count()
            ),
        )

    def _frame(self, action: int, goal: int, below: int, under_way: int) -> int:
        key = action, goal, below
        number = self.frame_numbers.get(key)
        if number is None:
            number = self.frame_numbers[key] = len(self.record.frames)
            self.record.frames.append((*key, under_way | 1 << goal))
        return number

    def _tell(self, goal: int, action: int) -> None:
        chosen = str(self.task.actions[action])
        if goal < 0:
            trace.emit("choose", choice="do", goal="", action=chosen)
        else:
            trace.emit("choose", choice="work for", goal=goal_text(self.task, goal), action=chosen)


def goal_text(task: Task, goal: int) -> str:
    """Return a goal as text."""
    fact = task.facts[goal // 2]
    return str(fact.negation() if goal % 2 else fact)
