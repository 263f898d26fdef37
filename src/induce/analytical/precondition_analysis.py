"""Precondition analysis: strategies learned from worked examples (Silver 1983; Mitchell §11.5).

A worked example shows which methods were applied but not why. The purposes are found backwards: a method was
applied because it made conditions true that a later method needs and that did not hold before. A strategy
consists of purposes. It applies wherever they can be achieved, even by other methods, and skips those already
achieved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from induce.core.errors import InputError

State = TypeVar("State")
MOST_REPEATS = 50
"""Maximum number of consecutive applications of a method for one purpose."""


@dataclass(frozen=True)
class Method(Generic[State]):
    """Method that changes a state.

    Parameters
    ----------
    name : str
        Name of the method.
    needs : tuple of str
        Names of the preconditions.
    apply : function of a state
        Function that returns the possible successor states; empty if the method does not apply.
    """

    name: str
    needs: tuple[str, ...]
    apply: Callable[[State], Sequence[State]] = field(compare=False, repr=False)


@dataclass(frozen=True)
class Step:
    """Method of a strategy, with its purpose.

    Parameters
    ----------
    method : str
    purpose : tuple of str
        Conditions that the step makes true.
    needed_by : tuple of str
        Methods that need these conditions; ``"the goal"`` for the overall goal.
    """

    method: str
    purpose: tuple[str, ...]
    needed_by: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.method} so that {' and '.join(self.purpose)} (for {' and '.join(self.needed_by)})"


@dataclass(frozen=True)
class Strategy:
    """Ordered sequence of methods with their purposes.

    Parameters
    ----------
    steps : tuple of Step
    conditions : tuple of str
        Conditions that must hold at the start, because no step makes them true.
    """

    steps: tuple[Step, ...]
    conditions: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"IF {' AND '.join(self.conditions)}"] if self.conditions else []
        return "\n".join([*lines, *(f"{n}. {step}" for n, step in enumerate(self.steps, 1))])


@dataclass(frozen=True)
class Solution:
    """Solution of a problem, or the attempt at one.

    Parameters
    ----------
    states : tuple
        Sequence of states, starting with the initial one.
    methods : tuple of str
        Methods that led from each state to the next.
    solved : bool
    n_states : int
        Number of states generated.
    failed : str
        Purpose that could not be achieved; empty if the goal was reached.
    """

    states: tuple[Any, ...]
    methods: tuple[str, ...]
    solved: bool
    n_states: int
    failed: str = ""

    def __str__(self) -> str:
        lines = [str(self.states[0])]
        lines += [
            f"   {method}: {state}" for method, state in zip(self.methods, self.states[1:], strict=True)
        ]
        if not self.solved:
            lines.append(f"not solved: {self.failed}")
        return "\n".join(lines)


class PreconditionAnalysis(Generic[State]):
    """Precondition analysis: finds the purposes of steps in worked examples, and solves further problems with them.

    Parameters
    ----------
    methods : iterable of Method
        Methods that strategies may use.
    conditions : dict of str to function
        Test functions of a state, by name.
    goal : str
        Condition that ends a solution.
    same : function of two states, optional
        Equivalence test for two states; equality by default.

    References
    ----------
    B. Silver (1983). Learning equation solving methods from worked examples. International Machine Learning Workshop.
    """

    def __init__(
        self,
        methods: Iterable[Method[State]],
        conditions: dict[str, Callable[[State], bool]],
        goal: str,
        same: Callable[[State, State], bool] | None = None,
    ) -> None:
        self.methods = {one.name: one for one in methods}
        self.conditions, self.goal = conditions, goal
        self.same = same or (lambda one, other: one == other)
        for name, method in self.methods.items():
            for need in method.needs:
                if need not in conditions:
                    raise InputError(
                        f"the method {name} needs {need!r}, which is not among the conditions; define it"
                    )
        if goal not in conditions:
            raise InputError(f"the goal {goal!r} is not among the conditions; define it")

    def holds(self, condition: str, state: State) -> bool:
        """Return whether a condition holds in a state."""
        return self.conditions[condition](state)

    def recognised(self, states: Sequence[State]) -> tuple[str, ...]:
        """Return the method of each step of a worked example.

        A step may consist of several applications of one method. If several methods fit, the one with the
        fewest applications is returned.
        """
        found = []
        for number in range(1, len(states)):
            before, after = states[number - 1], states[number]
            method = self._between(before, after)
            if method is None:
                raise InputError(
                    f"no method leads from {before} to {after} (step {number} of the worked example)"
                )
            found.append(method)
        return tuple(found)

    def _between(self, before: State, after: State) -> str | None:
        """Return the method that leads from one state to another."""
        layers: dict[str, list[State]] = {name: [before] for name in self.methods}
        for _ in range(MOST_REPEATS):
            for name, layer in layers.items():
                layers[name] = [new for state in layer for new in self.applied(name, state)][:MOST_REPEATS]
                if any(self.same(one, after) for one in layers[name]):
                    return name
        return None

    def applied(self, name: str, state: State) -> Sequence[State]:
        """Return the successor states of a method; empty if its preconditions do not hold."""
        method = self.methods[name]
        if not all(self.holds(need, state) for need in method.needs):
            return ()
        return method.apply(state)

    def learn(self, states: Sequence[State]) -> Strategy:
        """Return the strategy of a worked example: the purpose of each step.

        Parameters
        ----------
        states : sequence
            States from the problem to its solution.
        """
        if len(states) < 2:
            raise InputError(
                "a worked example has at least two states, the problem and its solution; give both"
            )
        if not self.holds(self.goal, states[-1]):
            raise InputError(f"the worked example does not end with {self.goal}: {states[-1]}")
        methods = self.recognised(states)
        # backwards from the goal: which conditions are needed, and by which methods
        needed: dict[str, list[str]] = {self.goal: ["the goal"]}
        steps: list[Step] = []
        for number in range(len(methods) - 1, -1, -1):
            before, after = states[number], states[number + 1]
            purpose = [one for one in needed if not self.holds(one, before) and self.holds(one, after)]
            if not purpose:
                continue  # nothing later depends on the step
            users = dict.fromkeys(user for one in purpose for user in needed.pop(one))
            joined = (
                bool(steps) and steps[-1].method == methods[number] and tuple(users) == (methods[number],)
            )
            if joined:  # consecutive applications of one method count as one step
                continue
            steps.append(Step(methods[number], tuple(purpose), tuple(users)))
            for need in self.methods[methods[number]].needs:
                needed.setdefault(need, []).append(methods[number])
        steps.reverse()
        start = [one for one in needed if self.holds(one, states[0])]
        return Strategy(tuple(steps), tuple(start))

    def solve(self, state: State, strategy: Strategy) -> Solution:
        """Solve a problem with a strategy.

        A step is skipped if nothing that is still needed depends on it. If its own method does not achieve a
        purpose, another one may.
        """
        states, methods = [state], []
        n_states = 1
        for place, step in enumerate(strategy.steps):
            purpose = self._wanted(states[-1], strategy.steps[place:])
            if not purpose:
                continue
            for name in (step.method, *(one for one in self.methods if one != step.method)):
                way, made = self._toward(states[-1], name, purpose)
                n_states += made
                if way:
                    states += way
                    methods += [name] * len(way)
                    break
            else:
                failed = f"no method achieves that {' and '.join(purpose)}"
                return Solution(tuple(states), tuple(methods), False, n_states, failed)
        solved = self.holds(self.goal, states[-1])
        failed = "" if solved else f"the strategy ends before {self.goal}"
        return Solution(tuple(states), tuple(methods), solved, n_states, failed)

    def _wanted(self, state: State, steps: Sequence[Step]) -> list[str]:
        """Return the conditions that the first of the given steps must make true, given the needs of the
        later steps.
        """
        needed = {} if self.holds(self.goal, state) else {self.goal: None}
        wanted: list[str] = []
        for step in reversed(steps):
            wanted = [one for one in step.purpose if one in needed]
            if wanted:
                needs = self.methods[step.method].needs
                needed |= {need: None for need in needs if not self.holds(need, state)}
        return wanted

    def _toward(self, state: State, name: str, purpose: Sequence[str]) -> tuple[list[State], int]:
        """Return the states through which a method achieves a purpose, or part of it, and the number generated."""
        way: list[State] = []
        made = 0
        while not all(self.holds(one, state) for one in purpose):
            following = self.applied(name, state)
            made += len(following)
            if not following or len(way) == MOST_REPEATS:
                break
            state = following[0]
            way.append(state)
        return (way if any(self.holds(one, state) for one in purpose) else []), made

    def search(self, state: State, max_states: int = 10_000) -> Solution:
        """Solve a problem without a strategy by breadth-first search, for comparison."""
        waiting: list[tuple[State, ...]] = [(state,)]
        names: dict[int, tuple[str, ...]] = {0: ()}
        n_states = 1
        place = 0
        while place < len(waiting) and n_states < max_states:
            way = waiting[place]
            for name in self.methods:
                for new in self.applied(name, way[-1]):
                    n_states += 1
                    methods = (*names[place], name)
                    if self.holds(self.goal, new):
                        return Solution((*way, new), methods, True, n_states)
                    if not any(self.same(new, old) for old in way):
                        names[len(waiting)] = methods
                        waiting.append((*way, new))
            place += 1
        return Solution((state,), (), False, n_states, f"none of {n_states:,} states is a solution")
