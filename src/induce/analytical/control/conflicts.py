"""Planner conflicts and the control rules learned from their explanations (Minton 1988; Mitchell §11.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from induce.analytical.control.explanation import Explainer, Explanation, reachable
from induce.core.progress import report
from induce.logic.clauses import Literal
from induce.logic.substitution import Substitution, fresh_variables
from induce.logic.terms import Constant, Term, Variable
from induce.planning.control import BEFORE, PREFER, REJECT, Absence, ControlRule, rule_texts
from induce.planning.domains import OBJECT, PlanningProblem, shown
from induce.planning.macros import generalised
from induce.planning.matching import World
from induce.planning.means_ends_search import ROOT, Record
from induce.planning.plans import Step

MOST_CONFLICTS = 200
"""Maximum number of conflicts explained per search."""

MOST_STATES = 300
"""Maximum number of states examined in the search for mutually exclusive facts."""
MOST_FREE = 3
"""Maximum number of variables in a preference rule that neither its goal nor its action binds; more make
matching expensive.
"""


@dataclass(frozen=True)
class Chance:
    """Conflict from which a rule might be learned.

    Parameters
    ----------
    rule : ControlRule or None
        Learned rule; None if no explanation was found.
    saved : int
        Number of decisions that the rule would have saved.
    """

    rule: ControlRule | None
    saved: int


class Conflicts:
    """Conflicts of a search.

    Parameters
    ----------
    problem : PlanningProblem
    record : Record
    """

    def __init__(self, problem: PlanningProblem, record: Record) -> None:
        self.problem, self.record, self.task = problem, record, record.task
        self.world = World(problem, record.task)
        self.explainer = Explainer(self.world)
        decisions = record.decisions
        self.sizes = [1] * len(decisions)
        for node in range(len(decisions) - 1, 0, -1):
            self.sizes[decisions[node].parent] += self.sizes[node]
        # nodes still open when the search ended: for a solved problem the path to the goal
        last = record.solution if record.solution >= 0 else len(decisions) - 1
        self.open: set[int] = set()
        while last >= 0:
            self.open.add(last)
            last = decisions[last].parent

    def chances(self) -> Iterator[Chance]:
        """Yield the conflicts: failures, goal interactions, and successes after failures."""
        yield from self._failures()
        yield from self._interactions()
        yield from self._successes()

    # -- an action that fails for a goal --

    def _failures(self) -> Iterator[Chance]:
        seen: set[tuple[int, int]] = set()
        for node, decision in enumerate(self.record.decisions):
            if node in self.open or decision.goal < 0 or decision.goal % 2:
                continue
            if (decision.goal, decision.action) in seen:
                continue
            seen.add((decision.goal, decision.action))
            if len(seen) > MOST_CONFLICTS:
                return
            report(0.0)
            yield Chance(self._rejection(decision.state, decision.goal, decision.action), self.sizes[node])

    def _rejection(self, state: int, goal: int, action: int) -> ControlRule | None:
        one, wanted = self.task.actions[action], self.world.goal(goal)
        can_hold = reachable(self.task, state, goal=1 << goal // 2)
        if one.needs & ~can_hold == 0:
            return None
        unmet = one.needs & ~can_hold
        for place, fact in enumerate(self.task.facts):
            if not unmet >> place & 1:
                continue
            why = self.explainer.explain(fact, can_hold, goal=wanted)
            if why is not None:
                arguments = tuple(map(Constant, one.arguments))
                conflict = f"{one} failed for {shown(wanted)}: {shown(fact)} cannot be achieved before it"
                return self._general(REJECT, wanted, (one.operator, arguments), why, why.absent, conflict)
        return None

    # -- a goal that is undone for another one --

    def _interactions(self) -> Iterator[Chance]:
        seen: set[tuple[int, int]] = set()
        for node, decision in enumerate(self.record.decisions):
            if decision.goal >= 0 or decision.action < 0:
                continue
            before = self.record.decisions[decision.parent]
            for frame, first in self._levels(before.frame):
                for kept in self._undone(before.state, decision.state, frame):
                    if (kept, first) in seen:
                        continue
                    seen.add((kept, first))
                    if len(seen) > MOST_CONFLICTS:
                        return
                    report(0.0)
                    start = self._start(node, frame)
                    saved = self._until_held_again(node, kept, frame) - start
                    yield Chance(self._order(start, kept, first), saved)

    def _levels(self, frame: int) -> Iterator[tuple[int, int]]:
        """Yield the frames below a frame, each with its current goal."""
        while frame != ROOT:
            _, goal, below, _ = self.record.frames[frame]
            yield below, goal
            frame = below

    def _undone(self, before: int, after: int, frame: int) -> list[int]:
        """Return the goals of a frame that held before a step but not after it."""
        held = set(self.record.missing(before, frame))
        return [goal for goal in self.record.missing(after, frame) if goal not in held]

    def _start(self, node: int, frame: int) -> int:
        """Return the node where work on the most recently achieved goal began."""
        node = self.record.decisions[node].parent
        while self.record.decisions[node].frame != frame:
            node = self.record.decisions[node].parent
        return node

    def _until_held_again(self, node: int, goal: int, frame: int) -> int:
        for later in range(node, len(self.record.decisions)):
            decision = self.record.decisions[later]
            if decision.frame == frame and (decision.state >> goal // 2 & 1) != goal % 2:
                return later
        return len(self.record.decisions)

    def _follows(self, absence: Absence, goal: int) -> bool:
        """Return whether the given facts are false in all visited states where a goal has just been achieved.

        This part of the explanation is not proved, but an ordering rule cannot lose any plan.
        """
        facts = 0
        for fact in self.world.instances(absence, {}):
            facts |= self.world.bits.get(fact, 0)
        return not any(
            (state >> goal // 2 & 1) != goal % 2 and state & facts & ~(1 << goal // 2)
            for state in self.states
        )

    @cached_property
    def states(self) -> list[int]:
        """Sample of states: those of the search, and the first ones reachable from the initial state."""
        found = dict.fromkeys(one.state for one in self.record.decisions)
        nearby = [self.task.initial]
        seen = {self.task.initial}
        for state in nearby:
            for action in self.task.actions:
                if action.applies(state):
                    after = action.after(state)
                    if after not in seen:
                        seen.add(after)
                        nearby.append(after)
            if len(nearby) >= MOST_STATES:
                break
        return [*dict.fromkeys([*found, *nearby])]

    def _order(self, start: int, kept: int, first: int) -> ControlRule | None:
        """Return a rule that orders a goal before another goal that it would undo."""
        state = self.record.decisions[start].state
        if first % 2 or (state >> kept // 2 & 1) == kept % 2:
            return None
        bit = 1 << kept // 2
        can_hold = reachable(self.task, state, kept=0 if kept % 2 else bit, kept_away=bit if kept % 2 else 0)
        if can_hold >> first // 2 & 1:
            return None
        later, earlier = self.world.goal(kept), self.world.goal(first)
        why = self.explainer.explain(earlier, can_hold, kept=later)
        if why is None:
            return None
        why_not = f"{shown(earlier)} cannot be achieved while it holds"
        conflict = f"{shown(later)} was achieved first and undone, because {why_not}"
        kept_out = [one for one in why.absent[1:] if not self._follows(one, kept)]
        return self._general(BEFORE, later, earlier, why, kept_out, conflict)

    # -- an action that succeeds where others failed --

    def _successes(self) -> Iterator[Chance]:
        decisions = self.record.decisions
        tried: dict[tuple[int, int], int] = {}
        for node, decision in enumerate(decisions):
            if decision.goal >= 0 and node not in self.open:
                key = decision.parent, decision.goal
                tried[key] = tried.get(key, 0) + self.sizes[node]
        path = self.record.path()
        for place, node in enumerate(path):
            decision = decisions[node]
            saved = tried.get((decision.parent, decision.goal), 0)
            if decision.goal < 0 or not saved:
                continue
            steps = self._steps_of(path[place:], decision.frame)
            yield Chance(self._preference(decision.goal, decision.action, steps), saved)

    def _steps_of(self, path: Sequence[int], frame: int) -> list[Step]:
        """Return the steps from the choice of an action to its completion."""
        found = []
        for before, node in pairwise(path):
            decision = self.record.decisions[node]
            if decision.goal < 0:
                action = self.task.actions[decision.action]
                found.append(Step(action.operator, action.arguments))
                if self.record.decisions[before].frame == frame:
                    break
        return found

    def _preference(self, goal: int, action: int, steps: list[Step]) -> ControlRule | None:
        """Return a rule that prefers an action where the steps leading to it are applicable."""
        whole = generalised(self.problem, steps, "steps")
        last, wanted = whole.steps[-1], self.world.goal(goal)
        one = self.task.actions[action]
        effects = (*last.adds, *(each.negation() for each in last.deletes))
        grounded = [Substitution(whole.things).apply(each) for each in effects]
        general = effects[grounded.index(wanted)]
        if any(each.negated for each in whole.macro.preconditions):
            return None
        arguments = tuple(whole.theta.apply(each) for each in whole.parameters[-1])
        held = [*whole.macro.preconditions]
        held += [
            Literal(f":{kind}", (variable,))
            for variable, kind in zip(whole.macro.parameters, whole.macro.types, strict=True)
            if kind != OBJECT and not any(variable in each.arguments for each in held)
        ]
        told = {*general.variables(), *(each for each in arguments if isinstance(each, Variable))}
        if len({each for literal in held for each in literal.variables()} - told) > MOST_FREE:
            return None
        conflict = f"{one} achieved {shown(wanted)} after others had failed"
        return _named(PREFER, general, (last.name, arguments), held, (), (), conflict)

    def _implied(self, denied: Literal, choice: Literal | tuple[str, tuple[Term, ...]]) -> bool:
        """Return whether the parameters of the chosen operator rule out a type."""
        if isinstance(choice, Literal):
            return False
        domain = self.problem.domain
        operator = domain.operator(choice[0])
        kind = denied.name[1:]
        own = dict(zip(choice[1], operator.types, strict=True)).get(denied.arguments[0])
        return own is not None and kind not in domain.above(own) and own not in domain.above(kind)

    def _general(
        self,
        kind: str,
        goal: Literal,
        choice: Literal | tuple[str, tuple[Term, ...]],
        why: Explanation,
        absent: Sequence[Absence],
        conflict: str,
    ) -> ControlRule:
        """Return a rule with the problem's objects replaced by variables."""
        names: dict[Term, Term] = {}

        def general(term: Term) -> Term:
            if isinstance(term, Constant) and term.value in self.world.constants:
                return term
            return names.setdefault(term, Variable(f"V{len(names)}"))

        def lifted(literal: Literal) -> Literal:
            return Literal(literal.name, tuple(map(general, literal.arguments)), literal.negated)

        chosen = (
            lifted(choice) if isinstance(choice, Literal) else (choice[0], tuple(map(general, choice[1])))
        )
        patterns = [Absence(lifted(one.literal), tuple(map(lifted, one.where))) for one in absent]
        held = [lifted(one) for one in why.types if not self._implied(one, choice)]
        return _named(kind, lifted(goal), chosen, held, patterns, why.functions, conflict)


def _named(
    kind: str,
    goal: Literal,
    choice: Literal | tuple[str, tuple[Term, ...]],
    facts: Sequence[Literal],
    absent: Sequence[Absence],
    functions: Sequence[tuple[str, int]],
    conflict: str,
) -> ControlRule:
    """Return a rule with its variables renamed to A, B, … in order."""
    chosen = choice if isinstance(choice, Literal) else Literal(*choice)
    literals = [goal, chosen, *facts, *(each for one in absent for each in (one.literal, *one.where))]
    variables = dict.fromkeys(each for literal in literals for each in literal.variables())
    theta = Substitution(dict(zip(variables, fresh_variables(), strict=False)))
    named = theta.apply(chosen)
    return rule_texts(
        kind,
        theta.apply(goal),
        named if isinstance(choice, Literal) else (named.name, named.arguments),
        map(theta.apply, facts),
        [Absence(theta.apply(one.literal), tuple(map(theta.apply, one.where))) for one in absent],
        functions,
        conflict,
    )
